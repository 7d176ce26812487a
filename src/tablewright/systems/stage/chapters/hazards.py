"""Hazards: cold, heat, radiation, falls, deep water, darkness and traps."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Any, Literal, NamedTuple

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.play.common_events import Checked, Scheduled
from tablewright.game.play.time_passage import Who, advance_time, require_no_encounter
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage import now
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.checks import in_two_rolls
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.actions.hands import check, prepared
from tablewright.systems.stage.actions.move import falls
from tablewright.systems.stage.actions.requirements import use_up
from tablewright.systems.stage.actions.resolution import Met, resolve, use_up_answers
from tablewright.systems.stage.actions.strike import after_defence, spend_ammunition
from tablewright.systems.stage.actions.turn import backing
from tablewright.systems.stage.chapters.ailments import infect, sickness_of
from tablewright.systems.stage.character.figures import can_damage, is_whole, items
from tablewright.systems.stage.character.record import WORN
from tablewright.systems.stage.checks import hours_of, time_factor
from tablewright.systems.stage.content import GRADES, Gear, Lock, Trap
from tablewright.systems.stage.effects import Power, Substitute
from tablewright.systems.stage.events.fight import FellUnconscious, Hurt, emit_harm
from tablewright.systems.stage.events.recovery import Released
from tablewright.systems.stage.harm import Able, land, pay_for
from tablewright.systems.stage.mechanics.attack import Protection, Purse, Target, attack
from tablewright.systems.stage.mechanics.checks import even_chance
from tablewright.systems.stage.mechanics.forms import Form
from tablewright.systems.stage.mechanics.harm import Attack
from tablewright.systems.stage.mechanics.turn import radiation
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.recovery import Several, living
from tablewright.systems.stage.status import Status, same_cube
from tablewright.systems.stage.values import ATTRIBUTE_OF, DAY, HOUR, MINUTE, ROUND, Attribute

Place = Literal["cold", "extreme_cold", "heat", "extreme_heat", "radiation_low", "radiation_high"]


class Exposure(NamedTuple):
    """Effects of an environment: its period, its damage, and the tracks at whose end one loses consciousness."""

    period: int
    damage: tuple[Attribute, ...]
    faints_at: tuple[str, ...]
    protects: str
    rule: str


PLACES: dict[str, Exposure] = {
    "cold": Exposure(10 * MINUTE, ("body",), ("stamina",), "cold", "stage.environment.cold"),
    "extreme_cold": Exposure(ROUND, ("body",), ("stamina",), "cold", "stage.environment.extreme_cold"),
    "heat": Exposure(10 * MINUTE, ("body", "mind"), ("stamina", "intellect"), "heat", "stage.environment.heat"),
    "extreme_heat": Exposure(
        ROUND, ("body", "mind"), ("stamina", "intellect"), "heat", "stage.environment.extreme_heat"
    ),
    "radiation_low": Exposure(DAY, (), (), "radiation", "stage.environment.radiation_low"),
    "radiation_high": Exposure(MINUTE, ("body",), ("stamina",), "radiation", "stage.environment.radiation_high"),
}


def place_at(celsius: int) -> Place | None:
    """The environment of a temperature; None for a harmless one.

    >>> [place_at(degrees) for degrees in (-51, -50, 0, 1, 49, 50, 100, 101)]
    ['extreme_cold', 'cold', 'cold', None, None, 'heat', 'heat', 'extreme_heat']
    """
    if celsius < -50:
        return "extreme_cold"  # stage.environment.extreme_cold_range
    if celsius <= 0:
        return "cold"
    if celsius < 50:
        return None
    return "heat" if celsius <= 100 else "extreme_heat"


def is_protected(scene: Scene, who: str, against: str) -> bool:
    """True if a character wears clothing that protects from cold, heat or radiation."""
    known = items(scene.library)
    for carried in scene[who].status.belongings:
        found = known.get(carried.item)
        if carried.place == WORN and isinstance(found, Gear) and against in found.protects and is_whole(carried):
            return True
    return False


@process(
    rules=[
        "stage.environment.cold",
        "stage.environment.extreme_cold",
        "stage.environment.heat",
        "stage.environment.extreme_heat",
        "stage.environment.radiation_low",
        "stage.environment.radiation_high",
    ]
)
async def expose(
    game: Game,
    rounds: Annotated[int, Param("the time in rounds of 12 seconds", 1, 1_000_000)],
    who: Several = (),
    place: Annotated[Place | None, Param("the kind of environment, unless a temperature decides it")] = None,
    celsius: Annotated[int | None, Param("the temperature in degrees Celsius", -273, 10_000)] = None,
) -> None:
    """Expose participants to a harmful environment: damage over time that armour does not stop, until shelter."""
    if (place is None) == (celsius is None):
        raise InvalidInputError(
            f"say one of both: a place ({', '.join(PLACES)}), or how many degrees celsius", field="place"
        )
    place = place_at(celsius) if celsius is not None else place
    if place is None:
        raise IllegalActionError(f"{celsius} degrees are harmless", rule="stage.environment.cold")
    here = PLACES[place]
    left, those = rounds, living(game, who)
    while left >= here.period and those:
        await advance_time(game, here.period, cause=here.rule)
        left -= here.period
        for one in [each for each in those if not game[each].status.dead]:
            if not is_protected(game.scene, one, here.protects):
                await _suffer(game, one, place)
        those = [one for one in those if not game[one].status.dead]
    if left and those:
        await advance_time(game, left, cause=here.rule)


async def _suffer(game: Game, who: str, place: Place) -> None:
    """Apply one period of an environment to an unprotected participant."""
    here, words = PLACES[place], place.replace("_", " ")
    for attribute in here.damage:
        hurt = Hurt(who=who, damage=1, attribute=attribute, source=words, held_back=place, cause=here.rule)
        emit_harm(game, hurt)
    status: Status = game[who].status
    empty = [
        track for track in here.faints_at if getattr(status, track) <= 0 and ATTRIBUTE_OF[track] not in status.lacks
    ]
    if empty and not status.unconscious and status.able:
        game.emit(FellUnconscious(who=who, how=words, cause=here.rule))
    if not place.startswith("radiation") or sickness_of(game.scene, who, "radiation_sickness") is not None:
        return
    if place == "radiation_high" or await radiation().by("game master", audience="game master"):
        await infect.function(game, who, "radiation_sickness", 0)


@process(rules=["stage.environment.cold", "stage.gap.recovery.waking"])
async def shelter(game: Game, who: Several = ()) -> None:
    """Reach shelter: points lost to cold, heat or radiation can be restored; the unconscious wake within an hour."""
    rule = "stage.gap.recovery.waking"
    for one in living(game, who):
        for cause in list(game[one].status.blocked):
            if cause in PLACES:
                game.emit(Released(who=one, what=cause, cause=PLACES[cause].rule))
        if game[one].status.unconscious.replace(" ", "_") in (*PLACES, "drowning"):
            game.emit(Scheduled(what="wake", who=one, after=HOUR, cause=rule))


# ---------------------------------------------------------------------- falling


@process(rules=["stage.environment.falling", "stage.athletics.land", "stage.environment.gravity"])
async def fall(
    game: Game,
    who: Who,
    metres: Annotated[int, Param("the height of the fall in metres", 0, 80)],
    gravity: Annotated[
        Literal["very_high", "high", "normal", "low", "very_low", "zero"], Param("the gravity")
    ] = "normal",
) -> None:
    """Fall; Athletics (land) for 1 AP takes its result off the damage, armour nothing."""
    await falls(game, who, metres, gravity)


# ---------------------------------------------------------------------- traps


async def spring(game: Game, trap: Trap, target: str, *, detected: bool) -> Attack:
    """A trap attacks with its fixed split; the target defends as usual."""
    scene = game.scene
    ambush = scene.options.trap_ambush and not detected
    hard = now.hit_difficulty(scene, target, target)
    helpers = await backing(game, target)
    defending = defences(scene, target, target, melee=trap.melee, ambush=ambush, cover=hard.cover, helpers=helpers)
    blocking = blocks(scene, target, "body", ambush=ambush, helpers=helpers)
    met = Met(hard, defending, blocking, now.resistance_of(scene, target, "body"))
    form = Form("plain", trap.first_dice, first=trap.flat, own_second=trap.second_dice)
    resolved = await resolve(game, "game master", target, (form,), met)
    result = resolved.result
    if not scene.round:  # AP are counted in encounters alone (stage.action.ap)
        resolved = resolved._replace(paid=resolved.paid.instead(ap=0), lent=resolved.lent.instead(ap=0))
    land(game, resolved.attacked(target, target, trap.name.lower(), "stage.trap.attack", defence=result.defence))
    use_up_answers(game, target, resolved, "stage.trap.attack")
    await after_defence(game, target, "", resolved.answered, success=not result.hit)
    return result


@process(rules=["stage.trap.spot", "stage.trap.trigger", "stage.trap.attack", "stage.trap.table"])
async def trap(
    game: Game,
    who: Who,
    kind: Annotated[str, Param("the trap or hazard, by id")],
    looks: Annotated[bool, Param("whether the participant may notice it first")] = True,
) -> bool:
    """Come upon a trap: it attacks unless it is noticed; gives whether it went off."""
    entry = game.scene.library.get(Trap, kind)
    looks = looks and game[who].status.able
    if looks and await check(game, who, who, "perception.detect", entry.detect, "stage.trap.spot"):
        return False
    targets = [who]
    if entry.everybody:
        targets += [one.id for one in game.scene.present if one.id != who and same_cube(game.scene, who, one.id)]
    for target in targets:
        if not game[target].status.dead:
            await spring(game, entry, target, detected=False)
    return True


@process(rules=["stage.trap.disarm", "stage.guile.disable"])
async def disarm_trap(
    game: Game,
    who: Able,
    kind: Annotated[str, Param("the trap, by id")],
    improvised: Annotated[bool, Param("whether it is done without the tools for it, for a penalty")] = False,
    helped_by: Annotated[tuple[str, ...], Param("the ids of helpers")] = (),
    spoil: Annotated[bool, Param("whether it is damaged with Crafts (sabotage) instead, which takes an hour")] = False,
) -> bool:
    """Guile (disable) against its Complexity; after a failure it goes off on 1 to 3 of a die.

    Or Crafts (sabotage) against its Size and Complexity: it is out of action once its Integrity Points are gone.
    """
    entry = game.scene.library.get(Trap, kind)
    if not entry.disarms or entry.complexity is None:
        raise IllegalActionError(f"{entry.name} cannot be disarmed", rule="stage.trap.table")
    if spoil:
        return await _spoil(game, who, entry, improvised, helped_by)
    how, rule = {"improvised": improvised, "helpers": helped_by}, "stage.guile.disable"
    if await check(game, who, who, "guile.disable", entry.complexity, rule, **how):  # type: ignore[arg-type]
        return True
    if await even_chance().by("game master"):
        await spring(game, entry, who, detected=True)
    else:
        game.emit(Checked(who=who, what=entry.name, result="it does not go off", cause="stage.guile.disable"))
    return False


async def _spoil(game: Game, who: str, entry: Trap, improvised: bool, helpers: tuple[str, ...]) -> bool:
    """An hour of work on a trap; whether what it lost is all that it had (stage.crafts.sabotage)."""
    rule, key = "stage.crafts.sabotage", "crafts.sabotage"
    require_no_encounter(game.scene, rule)
    made = await prepared(game, who, key, improvised=improvised, helpers=helpers)
    result = await in_two_rolls(game, who, made, (entry.size or 0) + (entry.complexity or 0))
    subject_, those = now.subject(game.scene, who), [game[one].character for one in helpers]
    hours = hours_of(applications(game.scene.library)[key], time_factor(subject_, key, those))
    await advance_time(game, ceil(hours * HOUR), cause=rule)
    lost = result.effect if result.success else 0
    game.emit(Checked(who=who, what=entry.name, result=f"{lost} damage", cause=rule))
    return lost >= (entry.integrity or 1)


# ---------------------------------------------------------------------- objects as targets


@process(rules=["stage.gap.attack.objects", "stage.equipment.material", "stage.equipment.resistance"])
async def break_object(
    game: Game,
    who: Able,
    thing: Annotated[str, Param("a lock or an item, by id")],
    weapon: Annotated[str, Param("the weapon at hand, by id")] = "unarmed",
    announce: Annotated[str, Param("a power that lets another skill do it, by id")] = "",
) -> int:
    """Attack a thing: Hit Difficulty 10 less its Size; its Resistance and the grade of its material count."""
    rule, library = "stage.gap.attack.objects", game.scene.library
    arm = now.arm_named(game.scene, who, weapon)
    if arm is None:
        held = ", ".join([one.id for one in now.arms(game.scene, who)]) or "nothing"
        raise IllegalActionError(f'"{weapon:.40}" is not at hand; at hand is {held}', rule="stage.equipment.retrieve")
    known: dict[str, Any] = {one.id: one for one in library.of(Lock)} | dict(items(library))
    if thing not in known:
        raise InvalidInputError(f'there is no lock or item "{thing:.40}"{did_you_mean(thing, known)}', field="thing")
    found = known[thing]
    if not can_damage(GRADES[arm.weapon.material], GRADES[found.material]):
        raise IllegalActionError(
            f"{arm.weapon.material} does nothing to {found.material}", rule="stage.equipment.material"
        )
    if arm.key == "ranged_combat.attack" and now.ammunition_left(game.scene, who, arm.weapon) == 0:
        raise IllegalActionError("no ammunition is left", rule="stage.ranged_combat.attack")
    skill = _by_power(game, who, announce) if announce else ""
    made = now.pool(game.scene, who, arm.key, skill=skill, weapon=arm.weapon)
    form = Form("plain", made.dice.total, made.bonuses, made.penalties, untrained=made.untrained)
    target, rules = Target(max(1, now.SIZE_BASE - found.size)), now.check_rules(game.scene)
    call = attack((form,), target, Protection(found.resistance), Purse(left=0), rules)
    result: Attack = await call.by(game.seat(who))
    spend_ammunition(game, who, who, arm)
    use_up(game, who, made.once, rule)
    whole = "" if found.integrity is None else f" of {found.integrity} Integrity Points"
    done = f"{result.damage} damage{whole}"
    game.emit(Checked(who=who, what=f"{arm.weapon.name} on {found.name}", result=done, cause=rule))
    return result.damage


def _by_power(game: Game, who: str, announce: str) -> str:
    """The skill that a power puts in the place of the weapon's own against things; it is paid for at once."""
    every = now.effects(game.scene, who, Substitute)
    able: dict[str, tuple[Power, str]] = {
        one.id: (one.power, effect.use) for one, effect in every if "object_attack" in effect.uses_for
    }
    if announce not in able:
        message = f'"{announce:.40}" is no power against things; {game.scene.display_name(who)} has'
        raise IllegalActionError(f"{message} {', '.join(able) or 'none'}", rule="stage.power.announce")
    power, skill = able[announce]
    pay_for(game, who, power, "stage.power_effect.substitute_skill")
    return skill


PROCESSES = (expose, shelter, fall, trap, disarm_trap, break_object)
