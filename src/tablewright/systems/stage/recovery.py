"""Rest, care, sickness and everything that happens by the clock."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, refuse_if
from tablewright.game.play.common_events import Checked, ParticipantLeft
from tablewright.game.play.time_passage import (
    Living,
    Who,
    advance_time,
    each_named,
    require_alive,
    require_no_encounter,
)
from tablewright.game.play.trade import in_figures
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.time.clock import Timer
from tablewright.game.values import Ranks
from tablewright.systems.stage.actions.checks import in_two_rolls
from tablewright.systems.stage.actions.hands import bind_wounds, bring_back, prepared, treat
from tablewright.systems.stage.chapters.ailments import ailment_falls_due
from tablewright.systems.stage.chapters.powers import recompose as recompose_now
from tablewright.systems.stage.chapters.powers import recompose_uses
from tablewright.systems.stage.character.figures import factor_of
from tablewright.systems.stage.character.record import Day
from tablewright.systems.stage.effects import deeds
from tablewright.systems.stage.events.fight import Hurt, Tried, Used, Woke, emit_harm
from tablewright.systems.stage.events.recovery import DayChanged, Released, Rested
from tablewright.systems.stage.harm import REANIMATE, Ready, begin_care, pay_for, restore
from tablewright.systems.stage.mechanics.checks import LeveledResult
from tablewright.systems.stage.mechanics.turn import dice
from tablewright.systems.stage.now import powers
from tablewright.systems.stage.status import MIDNIGHT, demand_able, lost, most, to_midnight
from tablewright.systems.stage.values import ATTRIBUTE_OF, DAY, HOUR, MINUTE, SURFACE, Attribute, Core, Surface

Several = Annotated[tuple[str, ...], Param("the ids of the participants; empty for all who are alive")]
Helpers = Annotated[tuple[str, ...], Param("the ids of helpers")]

DEATH = "stage.resource.death"
FULL_REST, SHORT_REST = 8, 4  # stage.upkeep.rest_need
GRACE_HOURS = 48  # stage.upkeep.thirst, stage.upkeep.hunger
LONGEST = 8  # hours of surgery and the like, less the second roll


# ---------------------------------------------------------------------- rest


@process(rules=["stage.healing.surface", "stage.upkeep.rest_need"])
async def rest(game: Game, who: Several = (), hours: Annotated[int, Param("the hours", 1, 1_000)] = FULL_REST) -> None:
    """Rest together; eight hours restore Stamina, Intellect and Will, fewer restore nothing."""
    rule = "stage.healing.surface"
    require_no_encounter(game.scene, rule)
    those = living(game, who)
    await advance_time(game, hours * HOUR, cause=rule)
    for one in [each for each in those if not game[each].status.dead]:
        _slept(game, one, hours)


def living(game: Game, who: tuple[str, ...]) -> list[str]:
    """Named characters, who must be alive, or everyone alive."""
    for one in who:
        require_alive(game, one, DEATH)
    return each_named(game, who, lambda one: one.present and not one.status.dead and one.status.integrity is None)


@process(rules=["stage.healing.recompose"])
async def recompose(
    game: Game, who: Ready, track: Annotated[Surface, Param("the track to restore")] = "stamina"
) -> None:
    """Once a day, outside encounters: one surface track is full again."""
    rule = "stage.healing.recompose"
    if game[who].status.day.used.get("recompose", 0) >= recompose_uses(game.scene, who):
        raise game.scene.cannot(who, "has recomposed today already", rule)
    tracks = SURFACE.values() if game.scene.options.recompose_scope == "all_tracks" else (track,)
    if not any(lost(game.scene, who, each) for each in tracks):
        full = "Stamina, Intellect and Will are full" if len(tracks) > 1 else f"{track.title()} is full"
        raise game.scene.cannot(who, f"has nothing to restore: {full}", rule)
    await recompose_now(game, who, track, rule)


@process(rules=["stage.power_effect.recovery"])
async def meditate(game: Game, who: Ready) -> None:
    """An hour of meditation counts as a night of rest, once a day, by a power."""
    rule = "stage.power_effect.recovery"
    able = [one for one in powers(game.scene, who).values() if deeds(one.effects, "rest")]
    game.refuse_if(not able, who, "has no power to meditate", rule)
    if game[who].status.day.used.get(able[0].id, 0):
        raise game.scene.cannot(who, f"has used {able[0].power.name} today already", rule)
    await advance_time(game, (able[0].power.hours or 1) * HOUR, cause=rule)
    game.emit(Used(who=who, what=able[0].id, cause=rule))
    game.emit(Rested(who=who, cause=rule))
    rested = game[who].status.day.changed(awake=0, short=0)
    game.emit(DayChanged(who=who, what="rested", day=rested, cause=rule))


@process(rules=["stage.power_effect.restore"])
async def masterwork(
    game: Game, who: Ready, patient: Living, track: Annotated[Core, Param("the track to restore")] = "sanity"
) -> None:
    """Work for hours on a masterpiece, by a power: the patient recovers a point of Sanity or Spirit."""
    rule = "stage.power_effect.restore"
    for one in powers(game.scene, who).values():
        for effect in deeds(one.effects, "restore"):
            if one.power.hours is None:
                continue
            refuse_if(track not in effect.of, f"{one.power.name} does not restore {track}", rule=rule)
            if not lost(game.scene, patient, track):
                raise IllegalActionError(f"{game.scene.display_name(patient)}'s {track.title()} is full", rule=rule)
            pay_for(game, who, one.power, rule)
            await advance_time(game, one.power.hours * HOUR, cause=rule)
            restore(game, patient, track, effect.amount.flat, rule)
            return
    raise game.scene.cannot(who, "has no power for such a work", rule)


# ---------------------------------------------------------------------- care


async def operate(game: Game, healer: str, patient: str, core: Core, rule: str, helpers: tuple[str, ...] = ()) -> bool:
    """Eight hours less the second roll, at least one: all points of a core track are back, or 1d damage is done."""
    missing, care = lost(game.scene, patient, core), "surgery" if core == "vitality" else "treatment"
    begin_care(game, healer, patient, rule, missing, f"needs no {care}: {core.title()} is full")
    made = await prepared(game, healer, "medicine.surgery", helpers=helpers)
    result = await in_two_rolls(game, healer, made, missing)
    hours = hours_needed(game.scene, healer, "medicine.surgery", result)
    emit_harm(
        game, Tried(who=patient, by=healer, what="medicine.surgery", success=result.success, reveals=False, cause=rule)
    )
    await advance_time(game, hours * HOUR, cause=rule)
    if result.success:
        restore(game, patient, core, lost(game.scene, patient, core), rule)
    else:
        attribute: Attribute = ATTRIBUTE_OF[core]
        damage = await dice(1).by(game.seat(healer))
        emit_harm(game, Hurt(who=patient, damage=damage, attribute=attribute, source="a failed operation", cause=rule))
    return result.success


def hours_needed(scene: Scene, who: str, key: str, result: LeveledResult) -> int:
    """8 hours, halved by powers, less what the second roll gave; at least one, and all of it after a failure."""
    factor = factor_of(f"time.{key}", scene[who].character, scene.options, scene.library)
    base = max(1, int(LONGEST * factor))
    return max(1, base - result.effect) if result.success else base


@process(rules=["stage.medicine.surgery", "stage.healing.core"])
async def surgery(game: Game, healer: Ready, patient: Who, helped_by: Helpers = ()) -> bool:
    """Medicine (surgery): all Vitality is restored, or 1d Body damage is done."""
    return await operate(game, healer, patient, "vitality", "stage.medicine.surgery", helped_by)


@process(rules=["stage.healing.core"])
async def core_treatment(
    game: Game,
    healer: Ready,
    patient: Who,
    core: Annotated[Literal["sanity", "spirit"], Param("the core track to treat")] = "sanity",
    helped_by: Helpers = (),
) -> bool:
    """Neurological or psychiatric treatment: as surgery, for Sanity or Spirit, where the table has it."""
    if game.scene.options.core_treatment == "none":
        raise IllegalActionError("only spells restore that at this table", rule="stage.healing.core")
    return await operate(game, healer, patient, core, "stage.healing.core", helped_by)


@process(rules=["stage.medicine.treatment"])
async def treatment(game: Game, healer: Ready, patient: Who, helped_by: Helpers = ()) -> None:
    """Medicine (treatment): the second roll is the Stamina that comes back."""
    needs = lost(game.scene, patient, "stamina")
    begin_care(game, healer, patient, "stage.medicine.treatment", needs, "has nothing to treat")
    await treat(game, healer, patient, helpers=helped_by)


@process(rules=["stage.medicine.first_aid"])
async def first_aid(game: Game, healer: Ready, patient: Who, helped_by: Helpers = ()) -> None:
    """Medicine (first aid) against 6: counters of Body damage are suppressed until Body damage comes again."""
    needs = lost(game.scene, patient, "vitality") and not game[patient].status.first_aid
    why = "has no counters to suppress"
    begin_care(game, healer, patient, "stage.medicine.first_aid", needs, why, oneself=True)
    await bind_wounds(game, healer, patient, helpers=helped_by)


@process(rules=["stage.medicine.reanimate", "stage.resource.death"])
async def reanimate(game: Game, healer: Ready, patient: Who, helped_by: Helpers = ()) -> bool:
    """Medicine (reanimate) against the rounds since death: alive again with one point of the core tracks."""
    begin_care(game, healer, patient, REANIMATE, game[patient].status.dead, "is not dead", oneself=True)
    return await bring_back(game, healer, patient, helpers=helped_by)


# ---------------------------------------------------------------------- needs


@process(rules=["stage.upkeep.thirst", "stage.upkeep.hunger", "stage.upkeep.awake", "stage.upkeep.rest_need"])
async def live(
    game: Game,
    who: Several = (),
    days: Annotated[int, Param("the number of days", 1, 365)] = 1,
    food: Annotated[bool, Param("whether there is enough to eat")] = True,
    water: Annotated[bool, Param("whether there is enough to drink")] = True,
    sleep: Annotated[int, Param("hours of sleep a day, at the beginning of it", 0, 24)] = 8,
) -> None:
    """Let days pass: too little food, drink or sleep does harm hour by hour."""
    require_no_encounter(game.scene, "stage.upkeep.awake")
    those, nights = living(game, who), ((True, sleep), (False, 24 - sleep))
    met = [need for need, enough in (("hunger", food), ("thirst", water)) if enough]
    for _ in range(days):
        for one in those:
            for need in met:
                meet_need(game, one, need)
        for asleep, hours in nights:
            unsaid = dict.fromkeys(those, 0)
            for _ in range(hours):
                await advance_time(game, HOUR, cause="stage.upkeep.awake")
                for one in [each for each in those if not game[each].status.dead]:
                    unsaid[one] = _harm(game, one, unsaid[one] + 1, asleep, met)
                those = [one for one in those if not game[one].status.dead]
                if not those:
                    return
            for one in those:
                _told(game, one, unsaid[one], asleep, met)
                _slept(game, one, hours if asleep else 0)


def meet_need(game: Game, who: str, need: str) -> None:
    """End hunger or thirst: its hours start again, and points lost to it can be restored."""
    day: Day = game[who].status.day
    if getattr(day, need):
        game.emit(DayChanged(who=who, what=f"no {need}", day=day.changed(**{need: 0}), cause=f"stage.upkeep.{need}"))
    if need in game[who].status.blocked:
        game.emit(Released(who=who, what=need, cause=f"stage.upkeep.{need}"))


def _slept(game: Game, who: str, hours: int) -> None:
    day: Day = game[who].status.day
    rule = "stage.upkeep.rest_need"
    if hours >= FULL_REST:
        game.emit(Rested(who=who, cause="stage.healing.surface"))
        game.emit(DayChanged(who=who, what="rested", day=day.changed(awake=0, short=0), cause=rule))
    elif hours >= SHORT_REST:
        game.emit(DayChanged(who=who, what="a short rest", day=day.changed(awake=0, short=day.short + 1), cause=rule))


def _later(day: Day, hours: int, asleep: bool, met: list[str]) -> Day:
    """The day of a participant after some hours that are not written down yet."""
    more = {name: getattr(day, name) + hours for name in ("hunger", "thirst") if name not in met}
    later: Day = day.changed(awake=day.awake + (0 if asleep else hours), **more)
    return later


def _told(game: Game, who: str, hours: int, asleep: bool, met: list[str]) -> None:
    """The hours that have gone by are written down."""
    before: Day = game[who].status.day
    day = _later(before, hours, asleep, met)
    if day != before:
        words = "hours go by" if asleep else f"{hours} hours awake"
        game.emit(DayChanged(who=who, what=words, day=day, cause="stage.upkeep.awake"))


def _harm(game: Game, who: str, hours: int, asleep: bool, met: list[str]) -> int:
    """Apply an hour of hunger, thirst or wakefulness; the hours that are still to be written down."""
    day = _later(game[who].status.day, hours, asleep, met)
    body = most(game.scene, who).body
    thirsty = "thirst" not in met and day.thirst > GRACE_HOURS
    hungry = "hunger" not in met and day.hunger > GRACE_HOURS and (day.hunger - GRACE_HOURS) % 24 == 0
    too_long, too_short = day.awake > 24 + body, day.short > body
    weary = not asleep and (too_long or too_short)
    if thirsty or hungry or weary:
        _told(game, who, hours, asleep, met)
    if thirsty:
        emit_harm(game, Hurt(who=who, damage=1, source="thirst", held_back="thirst", cause="stage.upkeep.thirst"))
    if hungry:
        emit_harm(game, Hurt(who=who, damage=1, source="hunger", held_back="hunger", cause="stage.upkeep.hunger"))
    if weary:
        rule = "stage.upkeep.awake" if too_long else "stage.upkeep.rest_need"
        emit_harm(game, Hurt(who=who, damage=1, source="weariness", cause=rule))
        emit_harm(game, Hurt(who=who, damage=1, attribute="mind", source="weariness", cause=rule))
    return 0 if thirsty or hungry or weary else hours


# ---------------------------------------------------------------------- travel


FACTORS = {"walk": 1, "run": 2, "sprint": 3}  # stage.travel.modes
METRES = 75  # a minute, for each point of speed (stage.travel.speed_table)
PRINTED: dict[int, int] = {50: 60, 60: 80, 70: 100}
"""Rows of the printed table that carry the figures of another speed (stage.travel.speed_table)."""
PRINTED_RUN_HOUR = {40: 270}
PRINTED_SPRINT = Fraction(25, 2)
"""Kilometres an hour for each point of speed in the printed sprint column, from speed 10 on."""


def distance_covered(speed: int, mode: str, minutes: int, table: str = "linear") -> Fraction:
    """Distance in kilometres: 75 m a minute for each point of speed; twice that running, three times sprinting.

    >>> distance_covered(1, "walk", 60), distance_covered(2, "sprint", 1)
    (Fraction(9, 2), Fraction(9, 20))
    """
    if table == "printed":
        speed = PRINTED.get(speed, speed)
        if mode == "sprint" and speed >= 10 and minutes >= 60:
            return PRINTED_SPRINT * speed * Fraction(minutes, 60)
        if mode == "run" and speed in PRINTED_RUN_HOUR and minutes == 60:
            return Fraction(PRINTED_RUN_HOUR[speed])
    return Fraction(METRES * speed * FACTORS[mode] * minutes, 1000)


def free_minutes(athletics: int, mode: str) -> int:
    """Minutes of a mode of travel in a day without harm.

    >>> free_minutes(2, "walk"), free_minutes(0, "run"), free_minutes(3, "sprint")
    (600, 60, 30)
    """
    if mode == "walk":
        return 60 * (8 + athletics)
    return 60 * max(1, athletics) if mode == "run" else 10 * athletics


@process(rules=["stage.travel.modes", "stage.travel.speed_use", "stage.travel.speed_table"])
async def travel(
    game: Game,
    minutes: Annotated[int, Param("the time in minutes", 1, 10_000)],
    who: Several = (),
    mode: Annotated[Literal["walk", "run", "sprint"], Param("the mode of travel")] = "walk",
) -> str:
    """Cover ground together, as fast as the slowest does; beyond what a day allows, 1 Body damage for each hour, or
    each ten minutes of sprinting."""
    rule = "stage.travel.modes"
    require_no_encounter(game.scene, rule)
    for one in who:
        demand_able(game.scene, game[one].id)
    those = [one for one in living(game, who) if game[one].status.able]
    done = 0
    while done < minutes * MINUTE and those:  # from midnight to midnight
        days = {one: to_midnight(game.scene, one) for one in those}
        before = {one: game[one].status.day.travelled.get(mode, 0) for one in those}
        step = min(minutes * MINUTE - done, *days.values())
        await advance_time(game, step, cause=rule)
        gone = (done + step) // MINUTE - done // MINUTE
        those = [one for one in those if not game[one].status.dead]
        for one in those:
            _tire(game, one, mode, before[one], gone, over=days[one] == step)
        done += step
    speed = min([most(game.scene, one).speed for one in those], default=0)
    covered = in_figures(distance_covered(speed, mode, minutes, game.scene.options.travel_table))
    for one in those:
        game.emit(Checked(who=one, what=mode, result=f"{covered} km", cause="stage.travel.speed_table"))
    return covered


def _tire(game: Game, who: str, mode: str, before: int, minutes: int, *, over: bool) -> None:
    """The way is written down, unless the day is ``over``, and what was too much of it in a day hurts.

    (stage.travel.modes)
    """
    rule, day = "stage.travel.modes", game[who].status.day
    allowed = free_minutes(game[who].character.level("athletics"), mode)
    period = 10 if mode == "sprint" else 60
    damage = max(0, (before + minutes - allowed)) // period - max(0, before - allowed) // period
    if not over:
        gone = day.changed(travelled=day.travelled.put(mode, before + minutes))
        game.emit(DayChanged(who=who, what=f"{mode} {minutes} minutes", day=gone, cause=rule))
    if damage:
        emit_harm(game, Hurt(who=who, damage=damage, source="exhaustion", cause=rule))


# ---------------------------------------------------------------------- what falls due


def opened(scene: Scene) -> Scene:
    """A new scene: at midnight of its clock a new day begins for everyone (stage.gap.time.day_change)."""
    left = DAY - scene.clock.now % DAY
    return evolve(scene, clock=scene.clock.schedule(MIDNIGHT, after=left, every=DAY))


async def fall_due(game: Game, due: Timer) -> None:
    """Run a timer: wake, dismiss a summoned creature, let an ailment attack or fade."""
    if due.what == MIDNIGHT:
        clock = game.scene.clock
        for one in game.scene.present:
            day: Day = one.status.day
            mine = one.id == due.who if due.who else not clock.waiting(MIDNIGHT, who=one.id)
            if mine and (day.used or day.travelled):
                fresh = day.changed(used=Ranks(), travelled=Ranks())
                game.emit(DayChanged(who=one.id, what="a new day", day=fresh, cause="stage.gap.time.day_change"))
        return
    if due.who not in game.scene or not game[due.who].present:
        return
    if due.what == "wake":
        if game[due.who].status.unconscious:
            game.emit(Woke(who=due.who, cause="stage.attack.non_lethal_rules"))
    elif due.what == "unsummon":
        game.emit(ParticipantLeft(who=due.who, how="fades", cause="stage.gap.magic.spells"))
    else:
        await ailment_falls_due(game, due)


PROCESSES = (
    rest,
    recompose,
    meditate,
    masterwork,
    surgery,
    core_treatment,
    treatment,
    first_aid,
    reanimate,
    live,
    travel,
)
