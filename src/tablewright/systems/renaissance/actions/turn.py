"""Other actions of a turn: wait, ready, help, use a skill."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablewright.engine import choose
from tablewright.game.character.belongings import Belongings, add_item, remove_item
from tablewright.game.play.action_kinds import action, on_each, with_each
from tablewright.game.play.actions import ActionUse, each_use, needs, once
from tablewright.game.play.common_events import BelongingsChanged, CharacterChanged
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained, until_turn_of
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene
from tablewright.systems.renaissance.actions.maneuvers import contest
from tablewright.systems.renaissance.actions.requirements import (
    AWAKE,
    AWARE,
    FREE,
    FREE_MIND,
    QUICK,
    able,
    awake,
    price_of_ending,
    quick,
    room_for,
    standard,
    targets,
)
from tablewright.systems.renaissance.actions.throw import gutter
from tablewright.systems.renaissance.chapters.ailments import end_condition, take_chemical
from tablewright.systems.renaissance.character.figures import given, has_grant, of_kind, race_of
from tablewright.systems.renaissance.character.gear import HELD, coating_of, items, laid_down
from tablewright.systems.renaissance.character.record import OFF, PACK
from tablewright.systems.renaissance.content import Armour, Chemical, Weapon
from tablewright.systems.renaissance.effects import Assist, Rival, Shape
from tablewright.systems.renaissance.events.fight import Acted, HandsChanged, spoken
from tablewright.systems.renaissance.harm import burns_with, is_washed_off
from tablewright.systems.renaissance.now import in_reach, next_to, now
from tablewright.systems.renaissance.status import (
    ASSISTED,
    BURNING,
    COWED,
    PRONE,
    RIVAL,
    UNAWARE,
    Status,
    TurnOrder,
    conditions_of,
    is_made_of_magic,
    stands,
    task_minutes,
)
from tablewright.systems.renaissance.tasks import contribute

DRAW, POTION, POISON = "renaissance.action.quick", "renaissance.chemical.potion", "renaissance.chemical.poison"
FIRE, WARN, ASSIST = "renaissance.gap.hazard.fire", "renaissance.gap.state.ambush", "renaissance.modifier.assist"
DUEL, SHAPE = "renaissance.gap.class.list", "renaissance.gap.race.shifter"
CONDITION = "renaissance.condition.framework"
TASK_IN_TURN = "renaissance.turn.task_allotment"
BEASTS = "renaissance.gap.creature.attacks"
MOST_HELPERS = 3  # renaissance.modifier.assist


# ---------------------------------------------------------------------- hands


def _to_draw(scene: Scene, who: str) -> list[tuple[str, str]]:
    known = items(scene.library)
    stowed = [known.get(one.item) for one in scene[who].status.belongings if one.place == PACK]
    arms = [one for one in stowed if isinstance(one, Weapon) or (isinstance(one, Armour) and one.shield)]
    return [(one.id, one.name.lower()) for one in arms]


def _room(scene: Scene, who: str, use: ActionUse) -> str | None:
    found = items(scene.library).get(str(use.detail))
    if found is None:
        return "nothing of the kind is carried"
    return None if room_for(scene, who, found) is not None else "no hand is free"


@quick("Draw", DRAW, (each_use(_room, "renaissance.gap.weapon.list"),), with_each(_to_draw, "Draw the {}"))
async def _draw(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    found = items(game.scene.library)[str(use.detail)]
    place = room_for(game.scene, who, found)
    if place is None:
        return
    left = remove_item(status.belongings, found.id, 1, PACK, rule=DRAW)
    drawn = add_item(left, found.id, 1, place)
    game.emit(HandsChanged(who=who, what=f"draws {found.name}", belongings=drawn, cause=DRAW))


def _in_hands(scene: Scene, who: str) -> list[tuple[str, str]]:
    held = [one for one in scene[who].status.belongings if one.place in HELD]
    return [(f"{one.item}@{one.place}", one.item.replace("_", " ")) for one in held]


def _without(belongings: Belongings, detail: str) -> tuple[Belongings, str]:
    item, _, place = detail.partition("@")
    return remove_item(belongings, item, 1, place, rule=DRAW), item


@quick("Stow", DRAW, uses=with_each(_in_hands, "Stow the {}"))
async def _stow(game: Game, who: str, use: ActionUse) -> None:
    left, item = _without(game[who].status.belongings, str(use.detail))
    magic = is_made_of_magic(item, game.scene.library)  # its maker dismisses it at will
    named = spoken(item)
    stowed, what = (left, f"dismisses {named}") if magic else (add_item(left, item, 1, PACK), f"stows {named}")
    game.emit(HandsChanged(who=who, what=what, belongings=stowed, cause=DRAW))


@action("Drop", "renaissance.gap.weapon.list", (AWAKE,), with_each(_in_hands, "Drop the {}"), "nothing")
async def _drop_item(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    left, item = _without(status.belongings, str(use.detail))
    coating, _ = coating_of(status.coated, status.belongings, item, str(use.detail).partition("@")[2])
    coated = laid_down(status.coated, coating) if coating else None
    lies = (LooseItem(item, who, None, game[who].position),)
    what, cause = f"drops {spoken(item)}", "renaissance.gap.weapon.list"
    game.emit(HandsChanged(who=who, what=what, belongings=left, lying=lies, coated=coated, cause=cause))
    gutter(game, who, item)


def _has_hands(scene: Scene, who: str, use: ActionUse) -> str | None:
    race = race_of(scene[who].character, scene.library)
    return "beasts have no hands" if race is not None and race.animal else None


def _in_grasp(scene: Scene, who: str) -> list[LooseItem]:
    """Things on the ground next to a participant; what is made of magic is for its maker alone."""
    near = [one for one in scene.loose_items if next_to(scene, scene[who].position, one.position)]
    return [one for one in near if one.owner == who or not is_made_of_magic(one.item, scene.library)]


def _lying(scene: Scene, who: str) -> list[str]:
    return [one.item for one in _in_grasp(scene, who)]


@quick("Pick up", (DRAW, BEASTS), (once(_has_hands, BEASTS),), with_each(_lying, "Pick up {}"))
async def _pick_up(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    item = str(use.detail)
    lies = next((one for one in _in_grasp(game.scene, who) if one.item == item), None)
    found = items(game.scene.library).get(item)
    if lies is None or found is None:
        return
    place = room_for(game.scene, who, found) or PACK
    has = add_item(status.belongings, item, 1, place)
    game.emit(BelongingsChanged(who=who, what=f"picks up {found.name}", belongings=has, taken_up=(lies,), cause=DRAW))


# ---------------------------------------------------------------------- chemicals


def _chemicals(action: str, word: str, *, coats: bool) -> Any:
    def uses(scene: Scene, who: str) -> Iterable[ActionUse]:
        known = items(scene.library)
        seen: set[str] = set()
        for one in scene[who].status.belongings:
            found = known.get(one.item)
            if one.item in seen or not isinstance(found, Chemical):
                continue
            seen.add(one.item)
            if coats and found.coats:
                for held in scene[who].status.belongings:
                    if held.place in HELD and isinstance(known.get(held.item), Weapon):
                        off = held.place == OFF
                        words = (
                            f"{word} the {held.item.replace('_', ' ')}{', off hand' * off} with {found.name.lower()}"
                        )
                        yield ActionUse(action, None, f"{found.id}/{held.item}{'@off' * off}", words)
            elif not coats and found.nature == "potion":
                yield ActionUse(action, None, found.id, f"{word} the {found.name.lower()}")

    return uses


@quick("Drink a potion", POTION, uses=_chemicals("drink", "Drink", coats=False))
async def _drink(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    item = str(use.detail)
    place = next(one.place for one in status.belongings if one.item == item)
    left = remove_item(status.belongings, item, 1, place, rule=POTION)
    game.emit(HandsChanged(who=who, what=f"drinks {item.replace('_', ' ')}", belongings=left, cause=POTION))
    await take_chemical(game, who, item, cause=POTION)


@standard("Coat a weapon", POISON, uses=_chemicals("coat", "Coat", coats=True))
async def _coat(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    poison, _, weapon = str(use.detail).partition("/")
    place = next(one.place for one in status.belongings if one.item == poison)
    coat(game, who, poison, weapon, remove_item(status.belongings, poison, 1, place, rule=POISON))


def coat(game: Game, who: str, poison: str, weapon: str, left: Belongings) -> None:
    """Coat a weapon with a poison; ``left`` are the belongings afterwards."""
    status: Status = game[who].status
    coated = (*[one for one in status.coated if one[0] != weapon], (weapon, poison))
    game.emit(HandsChanged(who=who, what=f"coats {spoken(weapon)}", belongings=left, coated=coated, cause=POISON))


# ---------------------------------------------------------------------- flames, warnings, help


_BURNS = needs(lambda scene, who: scene[who].status.has(BURNING), "nothing burns")


def _flames(scene: Scene, who: str) -> bool:
    """True if a participant is on fire, and not only covered in acid."""
    burning = [burns_with(scene, held) for held in scene[who].status.lasting if held.id == BURNING]
    return any(weapon is None or not is_washed_off(weapon) for weapon in burning)


def _fires(scene: Scene, who: str) -> Iterable[ActionUse]:
    washes = scene[who].status.has(BURNING) and not _flames(scene, who)
    yield ActionUse("put_out", label="Wash it off" if washes else "Put out the flames")


@awake("Put out the flames", FIRE, (FREE, _BURNS), _fires, cost=price_of_ending(BURNING))
async def _put_out(game: Game, who: str, use: ActionUse) -> None:
    """Rolling on the ground puts the flames out; an acid is washed off."""
    rolls = _flames(game.scene, who)
    for held in game[who].status.lasting:
        if held.id == BURNING:
            game.emit(EffectEnded(who=who, what=held, cause=FIRE))
    if rolls and not game[who].status.has(PRONE):
        game.emit(EffectGained(who=who, what=Effect(PRONE), cause=FIRE))


def _shaken_off(scene: Scene, who: str) -> list[tuple[str, str]]:
    """Conditions that an action of their own ends; there are none in the starter pack besides prone and burning."""
    ending = [one for one in conditions_of(scene[who].status, scene.library) if one.ends in ("quick", "standard")]
    return [(one.id, one.name.lower()) for one in ending if one.id not in (PRONE, BURNING)]


@awake("Shake off", CONDITION, uses=with_each(_shaken_off, "Shake off: {}"), cost=price_of_ending(""))
async def _shake_off(game: Game, who: str, use: ActionUse) -> None:
    end_condition(game, who, str(use.detail), cause=CONDITION)


def _tasks(scene: Scene, who: str) -> list[tuple[str, str]]:
    jobs = scene[who].status.jobs if isinstance(scene.system_state, TurnOrder) else ()
    return [(one.name, one.name) for one in jobs if one.task]


_TASKS_ALLOTTED = needs(lambda scene, _: task_minutes(scene), "tasks are not part of a turn here")


@able(
    "Continue a task",
    TASK_IN_TURN,
    (_TASKS_ALLOTTED,),
    with_each(_tasks, "Continue: {}"),
    cost=Cost.of(task=1),
    price_rule="renaissance.turn.allotment",
)
async def _continue_task(game: Game, who: str, use: ActionUse) -> None:
    job = next((one for one in game[who].status.jobs if one.task and one.name == use.detail), None)
    if job is not None:
        contribute(game, who, job, task_minutes(game.scene))


_SOME_UNAWARE = needs(
    lambda scene, who: any(one.status.has(UNAWARE) for one in scene.allies(who)), "everybody is aware"
)


@awake("Shout a warning", (WARN, DRAW), (AWARE, FREE_MIND, _SOME_UNAWARE), cost=QUICK)
async def _warn(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Acted(who=who, what="shouts a warning", cause=WARN))
    for one in game.scene.allies(who):
        held = one.status.held(UNAWARE)
        if held is not None:
            game.emit(EffectEnded(who=one.id, what=held, cause=WARN))


_SOLDIER = needs(lambda scene, who: has_grant(Assist, scene[who].character, scene.library), "only soldiers can")


def _comrades(scene: Scene, who: str) -> Iterable[Participant]:
    for one in scene.allies(who):
        helpers = [held.by for held in one.status.lasting if held.id == ASSISTED]
        if stands(one) and in_reach(scene, who, one.id, 2) and len(helpers) < MOST_HELPERS and who not in helpers:
            yield one


@standard("Assist", ASSIST, (_SOLDIER,), on_each(_comrades, "Assist {}"))
async def _assist(game: Game, who: str, use: ActionUse) -> None:
    until = until_turn_of(game.scene, str(use.target), edge="end")
    helped = Effect(ASSISTED, until, 10, by=who, source=who, stacks="apart")
    game.emit(EffectGained(who=str(use.target), what=helped, cause=ASSIST))


_DUELIST = needs(lambda scene, who: has_grant(Rival, scene[who].character, scene.library), "only duelists do")


def _others(scene: Scene, who: str) -> list[Participant]:
    """Foes who could be named a rival; the present one is left out."""
    held = scene[who].status.held(RIVAL)
    return [foe for foe in targets(scene, who) if held is None or held.by != foe.id]


def _rivals(scene: Scene, who: str) -> Iterable[ActionUse]:
    if _others(scene, who):
        for grant, _ in of_kind(Rival, given(scene[who].character, scene.library)):
            words = f"Name a rival: {grant.bonus:+d} against one, {grant.penalty:+d} against others"
            yield ActionUse("name_rival", label=words)
            return
        yield ActionUse("name_rival")


@awake("Name a rival", DUEL, (FREE_MIND, _DUELIST), _rivals, cost=QUICK)
async def _name_rival(game: Game, who: str, use: ActionUse) -> None:
    def find() -> list[ActionUse]:
        return [ActionUse("rival", foe.id, label=game.scene.display_name(foe.id)) for foe in _others(game.scene, who)]

    nobody = ActionUse("rival", label="nobody")
    whom = await choose(game.seat(who), "who is the rival?", find, details={"who": who}, lapse=nobody)
    if whom.target is None:
        return
    grant = next(grant for grant, _ in of_kind(Rival, given(game[who].character, game.scene.library)))
    held = game[who].status.held(RIVAL)
    if held is not None:
        game.emit(EffectEnded(who=who, what=held, cause=DUEL))
    rival = Effect(RIVAL, degree=grant.bonus, by=whom.target, data=grant.penalty)
    game.emit(EffectGained(who=who, what=rival, cause=DUEL))


def _shaken(scene: Scene, who: str) -> list[Participant]:
    return [scene[foe] for foe in scene[who].status.turn.free if foe in scene and stands(scene[foe])]


@action("Intimidate", DUEL, (AWAKE,), on_each(_shaken, "Intimidate {}"), "nothing")
async def _intimidate(game: Game, who: str, use: ActionUse) -> None:
    """A warrior's free attempt after an exceptional attack: won, the other one is cowed for a turn."""
    foe = str(use.target)
    game.emit(Acted(who=who, what=f"intimidates {game.scene.display_name(foe)}", whom=foe, free=foe, cause=DUEL))
    them = now(game.scene, foe)
    if "fear" in them.numbers.immune:
        return
    mine, theirs = now(game.scene, who).skill("intimidate"), them.number("WIL*2", "fear")
    skills = ("intimidate", "")
    won = await contest(game, who, foe, mine, theirs, "intimidate", cause=DUEL, way="opposed", skills=skills)
    if won and stands(game[foe]):
        until = until_turn_of(game.scene, foe, edge="end")
        cowed = Effect(COWED, until, -10, by=who, source=who, stacks="apart")  # renaissance.core.stacking
        game.emit(EffectGained(who=foe, what=cowed, cause=DUEL))


# ---------------------------------------------------------------------- shapes


_CHANGES_SHAPE = needs(lambda scene, who: has_grant(Shape, scene[who].character, scene.library), "has one shape only")


@standard("Change shape", SHAPE, (_CHANGES_SHAPE,))
async def _change_shape(game: Game, who: str, use: ActionUse) -> None:
    character = game[who].character
    form = "" if character.form else "hybrid"
    changed = character.changed(form=form)
    game.emit(CharacterChanged(who=who, what=f"changes into {form or 'humanoid'} form", character=changed, cause=SHAPE))


OTHERS = (
    *(_draw, _stow, _drop_item, _pick_up, _drink, _coat, _put_out, _shake_off, _continue_task),
    *(_warn, _assist, _name_rival, _intimidate, _change_shape),
)
