"""Thrown weapons and other objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from tablewright.engine import Role
from tablewright.game.character.belongings import Belongings, remove_item
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position
from tablewright.game.play.common_events import Scheduled
from tablewright.game.play.effects import Effect, EffectGained, until_turn_of
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.systems.renaissance.actions.aim import (
    MOST_LUCK,
    attack_goal,
    damage_of,
    defences,
    lucky_aim,
    with_rulings,
)
from tablewright.systems.renaissance.chapters.ailments import GUTTERS, own_fire
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF
from tablewright.systems.renaissance.events.fight import Attacked, Contested, LuckChanged
from tablewright.systems.renaissance.harm import (
    TURN_SECONDS,
    clash_rules,
    come_into_view,
    has_been_attacked,
    settle,
    suffer,
)
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.defences import Clash, Sides, outcome_of
from tablewright.systems.renaissance.mechanics.harm import Defence, FightRules
from tablewright.systems.renaissance.mechanics.turn import amount, scatter
from tablewright.systems.renaissance.now import Arm, now, vulnerability_of
from tablewright.systems.renaissance.status import BURNING, COVERED, Status, is_made_of_magic
from tablewright.systems.renaissance.values import DV, Regrade

OPPOSED = "renaissance.power.guidelines"
SMOKE_TURNS = 20
"""Turns that smoke hangs in the air: a minute (house)."""


def thrown(
    scene: Scene, who: str, target: str, arm: Arm, by: Status
) -> tuple[Belongings | None, tuple[LooseItem, ...]]:
    """A thrown weapon leaves the hand and lies at the target's feet, a ball of fire too; bottles are gone."""
    if not arm.ranged or arm.attack.skill != "thrown_weapons" or arm.weapon.natural:
        return None, ()
    hand = (OFF,) if arm.hand == OFF else (MAIN, BOTH)
    place = next((one.place for one in by.belongings if one.item == arm.weapon.id and one.place in hand), None)
    if place is None:
        return None, ()
    left = remove_item(by.belongings, arm.weapon.id, 1, place, rule="renaissance.ranged.rules")
    return left, () if arm.weapon.used_up else (LooseItem(arm.weapon.id, who, None, scene[target].position),)


def gutter(game: Game, who: str, item: str) -> None:
    """Schedule the end of a weapon of magic that has left the hand (renaissance.gap.power.list)."""
    turns = now(game.scene, who).turns_in_the_air.get(item)
    if turns is not None and own_fire(game.scene, who, item) is not None:
        after = turns * TURN_SECONDS
        game.emit(Scheduled(who=who, what=GUTTERS, after=after, data=item, cause="renaissance.gap.power.list"))


# ---------------------------------------------------------------------- blasts and splashes


async def area(game: Game, who: str, target: str, arm: Arm, *, volley: str = "") -> None:
    """A blast or a splash: the attack puts its centre where it is aimed or scatters; no one in it can defend."""
    goal, before = await lucky_aim(game, who, target, lambda: attack_goal(game.scene, who, target, arm))
    scene = game.scene
    me = now(scene, who)
    luck = min(me.luck, MOST_LUCK) - before
    regrade = Regrade.NONE if me.graded(arm.attack.skill) else Regrade.UNGRADED
    rules = clash_rules(scene)
    by_grade = scene.options.resistance_rule == "regrade" and regrade is not Regrade.UNGRADED
    call = clash(Sides(goal.bounded.total, (), luck, 0, regrade, by_grade, before), rules)
    private = {"luck": Role.ACTOR}
    seat = game.seat(who)
    rolled: Clash = await call.by(seat, game.seat(target), private=private, tallies={"target": goal.tally()})
    if rolled.luck:
        game.emit(LuckChanged(who=who, change=-rolled.luck, why="attack", cause="renaissance.luck.flip"))
    centre: Position | None = game[target].position
    if not rolled.hit and centre is not None and isinstance(game.scene.ground, Grid):
        where = await scatter(scene.options.scatter_method).by(seat)
        centre = Position(centre.x + where.east, centre.y + where.south)
    come_into_view(game, who)
    belongings, lying = thrown(game.scene, who, target, arm, game[who].status)
    result = "critical hit" if rolled.critical else "hit" if rolled.hit else "scatters"
    game.emit(
        Attacked(
            who=target,
            by=who,
            weapon=arm.weapon.id,
            result=result,
            critical=rolled.critical,
            volley=volley,
            belongings=belongings,
            lying=lying,
            cause="renaissance.area.blast" if arm.weapon.has("blast") else "renaissance.area.splash",
        )
    )
    has_been_attacked(game, target, by=who)
    spared = who if is_made_of_magic(arm.weapon.id, scene.library) else ""  # its maker is not burnt by it
    how: dict[str, Any] = {"hit": rolled.hit, "critical": rolled.critical, "spared": spared}
    if by_grade and rolled.hit:
        how["grade"] = _grades(rolled, rules)
    await burst(game, who, target, arm, centre, rolled.bonus, **how)
    settle(game)


Grades: TypeAlias = Callable[[int], tuple[int, bool]]
"""The bonus and whether an attack is critical, by the vulnerabilities less resistances of a target."""


def _grades(rolled: Clash, rules: FightRules) -> Grades:
    """The bonus of an attack on an area and whether it is critical, for targets that resist it or are vulnerable.

    The attack check is upgraded or downgraded for each of them alone (renaissance.resistance.option_3).
    """
    came = (rolled.bonus, rolled.special, rolled.critical)
    is_upgraded = came != outcome_of(rolled.margin, Regrade.NONE, rules)

    def grade(matching: int) -> tuple[int, bool]:
        if not matching or (is_upgraded and matching > 0):
            return rolled.bonus, rolled.critical
        change = Regrade.UPGRADE if matching > 0 else Regrade.DOWNGRADE
        if is_upgraded:
            change = Regrade.UPGRADE_THEN_DOWNGRADE
        bonus, _, critical = outcome_of(rolled.margin, change, rules)
        return bonus, critical

    return grade


async def burst(
    game: Game,
    who: str,
    target: str,
    arm: Arm,
    centre: Position | None,
    bonus: int,
    *,
    hit: bool = True,
    critical: bool = False,
    spared: str = "",
    grade: Grades | None = None,
    opposed: bool = False,
) -> None:
    """Effect of an area attack on everyone within it, one damage roll for all; a critical one as the table reads it.

    Where no attack check came before, the blast is ``opposed``: an attack check against the defence of each of them.
    """
    seat = game.seat(who)
    if arm.weapon.has("splash") and arm.weapon.area is not None:
        radius = await roll_amount(seat, arm.weapon.area.radius)
        for one in _within(game.scene, centre, radius, target, hit):
            splash(game, one, arm, centre, radius, by=who)
            has_been_attacked(game, one)
        return
    dv = damage_of(game.scene, who, arm, unaware=False, extra=bonus)
    total = await roll_amount(seat, dv, twice=_twice(game.scene, critical))
    for one in _within(game.scene, centre, total // 2, target, hit):
        apart = _metres(game.scene, centre, one)
        matching = vulnerability_of(now(game.scene, one), arm.weapon.tags)
        cause = "renaissance.area.blast"
        theirs, is_critical = (bonus, critical) if grade is None else grade(matching)
        if opposed and one != spared:
            met = await _avoided(game, who, one, arm)
            if not met.hit:
                continue
            theirs, is_critical = met.bonus, met.critical
        own = await _own_total(game, seat, dv, total, matching)
        if is_critical is not critical and _twice(game.scene, critical=True):
            again = await roll_amount(seat, dv)
            own = max(own, again) if is_critical else again
        own += theirs - bonus
        if apart * 2 < own and one != spared:
            further: dict[str, Any] = {"less": 2 * apart, "vulnerability": matching, "ap": arm.ap, "doer": who}
            ignores_armor = is_critical and game.scene.options.critical_attack == "ignore_armor"
            await suffer(game, one, DV(0, own), arm.weapon.id, cause=cause, armor=not ignores_armor, **further)
            has_been_attacked(game, one)
            if arm.weapon.burning is not None and not game[one].status.dead:
                burn(game, one, str(arm.weapon.burning), arm.weapon.burning_turns, source=arm.weapon.id, by=who)


async def _avoided(game: Game, who: str, target: str, arm: Arm) -> Clash:
    """The attack check of an explosion against the defence of a participant in it (renaissance.power.guidelines)."""
    scene = game.scene
    me, them = now(scene, who), now(scene, target)
    goal = with_rulings(scene, me.with_weapon(arm), who, "attack", arm.attack.skill)
    against = tuple([Defence(name, one.total, one.penalties) for name, one in defences(scene, who, target, arm)])
    luck, their_luck = min(me.luck, MOST_LUCK), min(them.luck, MOST_LUCK)
    regrade = Regrade.NONE if me.graded(arm.attack.skill) else Regrade.UNGRADED
    call = clash(Sides(goal.bounded.total, against, luck, their_luck, regrade), clash_rules(scene))
    private, tallies = {"luck": Role.ACTOR, "their_luck": Role.OPPONENT}, {"target": goal.tally()}
    met: Clash = await call.by(game.seat(who), game.seat(target), private=private, tallies=tallies)
    result = "won" if met.hit else "lost"
    spent: dict[str, Any] = {"luck": met.luck, "their_luck": met.their_luck}
    game.emit(Contested(who=who, against=target, what="explosion", result=result, **spent, cause=OPPOSED))
    has_been_attacked(game, target, by=who)
    return met


def _twice(scene: Scene, critical: bool) -> bool:
    """True if the damage of an attack on an area is rolled twice for the better total."""
    return critical and scene.options.critical_attack != "ignore_armor"


async def _own_total(game: Game, seat: str, dv: DV, total: int, matching: int) -> int:
    """The damage for one target: who resists takes the lowest of several rolls, who is vulnerable the highest.

    The roll for everyone is one of them (renaissance.resistance.option_4).
    """
    if not matching or game.scene.options.resistance_rule != "reroll_damage":
        return total
    rolls = [total, *[await roll_amount(seat, dv) for _ in range(abs(matching))]]
    return max(rolls) if matching > 0 else min(rolls)


def burn(game: Game, who: str, dv: str, turns: int = 0, *, source: str, by: str) -> None:
    """Set a participant on fire, or let acid eat it, for so many turns or until it is put out or washed off."""
    if not game.scene.options.conditions_system:
        return
    until = until_turn_of(game.scene, who, turns) if turns else Effect(BURNING).until
    burning = Effect(BURNING, until, by=by, source=source, data=dv)
    game.emit(EffectGained(who=who, what=burning, cause="renaissance.gap.hazard.fire"))


def splash(game: Game, who: str, arm: Arm, centre: Position | None, radius: int, *, by: str) -> None:
    """Apply a splash to a participant: fire and acid burn on, smoke gives cover."""
    area = arm.weapon.area
    assert area is not None
    cause = "renaissance.area.splash"
    if area.cover != "none":
        until = until_turn_of(game.scene, who, SMOKE_TURNS)
        smoke = None if centre is None else f"{centre.x},{centre.y},{radius}"
        game.emit(EffectGained(who=who, what=Effect(COVERED, until, source="smoke", data=smoke), cause=cause))
    if area.dv is not None:
        burn(game, who, str(area.dv), area.turns or 0, source=arm.weapon.id, by=by)


async def roll_amount(seat: str, dv: DV, *, twice: bool = False) -> int:
    """Roll an amount once for everyone, or twice for the better one."""
    return int(await amount(dv, twice).by(seat))


def _metres(scene: Scene, centre: Position | None, who: str) -> int:
    here = scene[who].position
    return 0 if centre is None or here is None else int(scene.ground.distance(centre, here))


def _within(scene: Scene, centre: Position | None, radius: int, target: str, hit: bool) -> list[str]:
    """Everyone within a radius of a place; where no one has a place, the target alone if it was hit."""
    if centre is None:
        return [target] if hit else []
    return [
        one.id
        for one in scene.present
        if one.position is not None and not one.status.dead and _metres(scene, centre, one.id) <= radius
    ]
