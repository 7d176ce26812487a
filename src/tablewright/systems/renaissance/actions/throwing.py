"""What is thrown: where it goes, blasts and splashes, and fire that burns on."""

from __future__ import annotations

from typing import Any

from tablewright.engine import Call, Seat
from tablewright.game.belongings import Belongings, take_away
from tablewright.game.common import Scheduled
from tablewright.game.ground import Grid, Position
from tablewright.game.lasting import Lasting, TookHold, until_turn
from tablewright.game.lying import Lying
from tablewright.game.scene import Live, Scene
from tablewright.systems.renaissance.actions.lucky_aim import lucky_aim
from tablewright.systems.renaissance.aiming import MOST_LUCK, attack_goal, clash_rules, damage_of, vulnerability_of
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF
from tablewright.systems.renaissance.clashing import clash
from tablewright.systems.renaissance.effects import GUTTERS, own_fire
from tablewright.systems.renaissance.events import Attacked, LuckChanged
from tablewright.systems.renaissance.harm import TURN_SECONDS, come_into_view, has_been_attacked, settle, suffer
from tablewright.systems.renaissance.meeting import Clash
from tablewright.systems.renaissance.now import Arm, now
from tablewright.systems.renaissance.status import BURNING, COVERED, Status, is_made_of_magic
from tablewright.systems.renaissance.trials import amount, scatter
from tablewright.systems.renaissance.values import DV, Regrade

SMOKE_TURNS = 20
"""How long smoke hangs in the air: a minute (house)."""


def thrown(scene: Scene, who: str, target: str, arm: Arm, by: Status) -> tuple[Belongings | None, tuple[Lying, ...]]:
    """A thrown weapon leaves the hand and lies at the target's feet, a ball of fire too; bottles are gone."""
    if not arm.ranged or arm.attack.skill != "thrown_weapons" or arm.weapon.natural:
        return None, ()
    hand = (OFF,) if arm.hand == OFF else (MAIN, BOTH)
    place = next((one.place for one in by.belongings if one.item == arm.weapon.id and one.place in hand), None)
    if place is None:
        return None, ()
    left = take_away(by.belongings, arm.weapon.id, 1, place, rule="renaissance.ranged.rules")
    return left, () if arm.weapon.used_up else (Lying(arm.weapon.id, who, None, scene[target].position),)


def gutter(game: Live, who: str, item: str) -> None:
    """What was made by magic and has left the hand lasts for some turns (renaissance.gap.power.list)."""
    turns = now(game.scene, who).turns_in_the_air.get(item)
    if turns is not None and own_fire(game.scene, who, item) is not None:
        after = turns * TURN_SECONDS
        game.emit(Scheduled(who=who, what=GUTTERS, after=after, data=item, cause="renaissance.gap.power.list"))


# ---------------------------------------------------------------------- blasts and splashes


async def area(game: Live, who: str, target: str, arm: Arm, *, volley: str = "") -> None:
    """A blast or a splash: the attack puts its centre where it is aimed or scatters; nobody in it can defend."""
    goal, before = await lucky_aim(game, who, target, lambda: attack_goal(game.scene, who, target, arm))
    scene = game.scene
    me = now(scene, who)
    luck = min(me.luck, MOST_LUCK) - before
    regrade = Regrade.NONE if me.graded(arm.attack.skill) else Regrade.UNGRADED
    call = clash(goal.total, (), luck, 0, regrade, False, before, 0, *clash_rules(scene))
    private = {"luck": Seat.ACTOR}
    seat = game.seat(who)
    rolled: Clash = await call.by(seat, game.seat(target), private=private, tallies={"target": goal.tally()})
    if rolled.luck:
        game.emit(LuckChanged(who=who, change=-rolled.luck, why="attack", cause="renaissance.luck.flip"))
    centre: Position | None = game[target].position
    if not rolled.hit and centre is not None and isinstance(game.scene.ground, Grid):
        where = await Call(scatter, (scene.options.scatter_method,)).by(seat)
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
    await burst(game, who, target, arm, centre, rolled.bonus, **how)
    settle(game)


async def burst(
    game: Live,
    who: str,
    target: str,
    arm: Arm,
    centre: Position | None,
    bonus: int,
    *,
    hit: bool = True,
    critical: bool = False,
    spared: str = "",
) -> None:
    """What an area attack does to everybody within it, one roll for all; a critical one as the table reads it."""
    seat = game.seat(who)
    if arm.weapon.has("splash") and arm.weapon.area is not None:
        radius = await roll_amount(game, seat, arm.weapon.area.radius)
        for one in _within(game.scene, centre, radius, target, hit):
            splash(game, one, arm, centre, radius, by=who)
            has_been_attacked(game, one)
        return
    ignores_armor = critical and game.scene.options.critical_attack == "ignore_armor"
    dv = damage_of(game.scene, who, arm, unaware=False, extra=bonus)
    total = await roll_amount(game, seat, dv, twice=critical and not ignores_armor)
    for one in _within(game.scene, centre, total // 2, target, hit):
        apart = _metres(game.scene, centre, one)
        matching = vulnerability_of(now(game.scene, one), arm.weapon.tags)
        cause = "renaissance.area.blast"
        fixed = DV(0, total)
        if apart * 2 < total and one != spared:
            further: dict[str, Any] = {"less": 2 * apart, "vulnerability": matching, "ap": arm.ap, "doer": who}
            await suffer(game, one, fixed, arm.weapon.id, cause=cause, armor=not ignores_armor, **further)
            has_been_attacked(game, one)
            if arm.weapon.burning is not None and not game[one].status.dead:
                burn(game, one, str(arm.weapon.burning), arm.weapon.burning_turns, source=arm.weapon.id, by=who)


def burn(game: Live, who: str, dv: str, turns: int = 0, *, source: str, by: str) -> None:
    """Somebody is on fire or eaten by acid, for so many turns or until it is put out or washed off."""
    if not game.scene.options.conditions_system:
        return
    until = until_turn(game.scene, who, turns) if turns else Lasting(BURNING).until
    burning = Lasting(BURNING, until, by=by, source=source, data=dv)
    game.emit(TookHold(who=who, what=burning, cause="renaissance.gap.hazard.fire"))


def splash(game: Live, who: str, arm: Arm, centre: Position | None, radius: int, *, by: str) -> None:
    """What a splash leaves on somebody: what burns or eats goes on, smoke covers whoever stays in it."""
    area = arm.weapon.area
    assert area is not None
    cause = "renaissance.area.splash"
    if area.cover != "none":
        until = until_turn(game.scene, who, SMOKE_TURNS)
        smoke = None if centre is None else f"{centre.x},{centre.y},{radius}"
        game.emit(TookHold(who=who, what=Lasting(COVERED, until, source="smoke", data=smoke), cause=cause))
    if area.dv is not None:
        burn(game, who, str(area.dv), source=arm.weapon.id, by=by)


async def roll_amount(game: Live, seat: str, dv: DV, *, twice: bool = False) -> int:
    """Roll an amount once for everybody, or twice for the better one."""
    return int(await amount(dv, twice).by(seat))


def _metres(scene: Scene, centre: Position | None, who: str) -> int:
    here = scene[who].position
    return 0 if centre is None or here is None else int(scene.ground.distance(centre, here))


def _within(scene: Scene, centre: Position | None, radius: int, target: str, hit: bool) -> list[str]:
    """Everybody within a radius of a place; where nobody has a place, the target alone if it was hit."""
    if centre is None:
        return [target] if hit else []
    return [
        one.id
        for one in scene.present
        if one.position is not None and not one.status.dead and _metres(scene, centre, one.id) <= radius
    ]
