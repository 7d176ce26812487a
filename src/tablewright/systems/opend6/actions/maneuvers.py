"""Special attacks and other maneuvers."""

from __future__ import annotations

from tablewright.engine import choose, yes_no
from tablewright.game.character.belongings import ItemStack, remove_item
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.systems.opend6.actions.aim import Attack
from tablewright.systems.opend6.actions.requirements import declare
from tablewright.systems.opend6.character.figures import items
from tablewright.systems.opend6.character.record import HAND, HANDS
from tablewright.systems.opend6.content import Manoeuvre, Weapon
from tablewright.systems.opend6.events.attack import Dropped, Gripped, Tangled, Unbalanced
from tablewright.systems.opend6.events.turn import CameBetween, Taken
from tablewright.systems.opend6.harm import hurt_by_roll
from tablewright.systems.opend6.mechanics.blows import Struck as Result
from tablewright.systems.opend6.now import better, rolled
from tablewright.systems.opend6.status import Hold, is_here, stands

DISARM, ENTANGLE, PIN = "opend6.gap.manoeuvre.disarm", "opend6.gap.manoeuvre.entangle", "opend6.gap.manoeuvre.pinning"
MANOEUVRES, MOVE_UP = "opend6.gap.manoeuvre.list", "opend6.turn.move_up"
BARE_BLOCK, BLADE_PARRY = "opend6.gap.defence.bare_block", "opend6.gap.defence.blade_parry"
HOLDS: dict[str, Hold] = {"held": "held", "choked": "choked", "tackled": "tackled"}
PARTS = ("arm", "leg")
"""Parts that a grab holds or a pin fastens; the arm comes first."""


async def after_hit(game: Game, plan: Attack, result: Result) -> None:
    """Apply the effect of a manoeuvre to its target."""
    target, kind = plan.target, plan.manner.manoeuvre
    if not kind or not is_here(game.scene, target):
        return
    if kind == "disarm":
        await _disarmed(game, plan, result.damage)
    elif kind == "entangle":
        game.emit(Tangled(who=target, strength=max(1, result.damage), cause=ENTANGLE))
    elif kind == "pin_part":
        await _grip(game, plan, "pinned", PIN)
    elif game.scene.library.has(Manoeuvre, kind) and stands(game[target]):
        manoeuvre = game.scene.library.get(Manoeuvre, kind)
        if manoeuvre.victim in HOLDS:
            await _grip(game, plan, HOLDS[manoeuvre.victim], MANOEUVRES)
        elif manoeuvre.victim:
            down = manoeuvre.victim == "down"
            game.emit(Unbalanced(who=target, dice=manoeuvre.unbalanced_dice, down=down, cause=MANOEUVRES))


async def _grip(game: Game, plan: Attack, how: Hold, cause: str) -> None:
    """Grip another character at the part that the actor names. [opend6.action.grab]"""
    part = {"choked": "neck", "tackled": ""}.get(how)
    if part is None:
        about = {"who": plan.who, "target": plan.target}
        part = await choose(game.seat(plan.who), "what do you hold?", PARTS, details=about)
    if is_here(game.scene, plan.who, plan.target):
        fast = how == "pinned" and not plan.weapon.natural
        game.emit(Gripped(who=plan.target, by=plan.who, how=how, part=part, fast=fast, cause=cause))


def at_stake(scene: Scene, who: str) -> ItemStack | None:
    """The item that a disarmed participant loses: a weapon before anything else. [opend6.gap.manoeuvre.disarm]"""
    known = items(scene.library)
    held = [one for one in scene[who].belongings if one.place in (HAND, HANDS)]
    weapons = [one for one in held if isinstance(known.get(one.item), Weapon)]
    return next(iter(weapons or held), None)


async def _disarmed(game: Game, plan: Attack, damage: int) -> None:
    """Let an item drop, unless its holder has not acted yet, moves up and holds on to it."""
    target = plan.target
    if target not in game.scene.acted and game.scene.turn != target and stands(game[target]):
        ask = yes_no(game.seat(target), "move your turn up and hold on to it?", details={"who": target})
        if await ask and is_here(game.scene, target) and not game[target].status.declared:
            await declare(game, target, moved_up=True)
            game.emit(CameBetween(who=target, cause=MOVE_UP))
            skill = better(game.scene, target, ("physique", "lifting"))
            found = await rolled(game, target, skill, damage + 1, known=True)
            if not is_here(game.scene, target):
                return
            kept = found.total > damage
            game.emit(Taken(who=target, on="holds on to it" if kept else "loses hold of it", cause=MOVE_UP))
            if kept:
                return
    if not is_here(game.scene, target):
        return
    lost = at_stake(game.scene, target)
    if lost is None:
        return
    known = items(game.scene.library)
    left = remove_item(game[target].belongings, lost.item, 1, place=lost.place, rule=DISARM)
    lies = LooseItem(lost.item, target, position=game[target].position)
    game.emit(Dropped(who=target, item=lost.item, cause=DISARM))
    what = f"drops {known[lost.item].name}"
    game.emit(BelongingsChanged(who=target, what=what, belongings=left, laid_down=(lies,), cause=DISARM))


async def after_miss(game: Game, plan: Attack) -> None:
    """A blade that is blocked barehanded still cuts, and so does one that parries a bare hand."""
    if not is_here(game.scene, plan.target):
        return
    defence = game[plan.target].status.defence
    if defence is None or plan.weapon.ranges is not None:
        return
    if defence.skill == "fighting" and plan.weapon.blade:
        await hurt_by_roll(game, plan.target, plan.weapon.damage, plan.weapon.id, plan.who, cause=BARE_BLOCK)
    elif defence.skill == "melee_combat" and plan.weapon.natural and stands(game[plan.who]):
        blade = items(game.scene.library).get(defence.weapon)
        if isinstance(blade, Weapon) and blade.blade:
            await hurt_by_roll(game, plan.who, blade.damage, blade.id, plan.target, cause=BLADE_PARRY)
