"""Rest, care, sickness and everything that happens by the clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from tablewright.engine import Param, Tally, process
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import Checked
from tablewright.game.play.time_passage import Who, advance_time, each_named, require_leisure, require_no_encounter
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.time.calendar import Calendar, Unit
from tablewright.game.time.clock import Timer
from tablewright.game.values import Frozen, Ranks
from tablewright.systems.mars.character.figures import can_use, figures, maximum, secondary
from tablewright.systems.mars.character.gear import grants_of
from tablewright.systems.mars.character.record import Day, MarsCharacter, MarsEffect
from tablewright.systems.mars.content import RESOURCES, MaximumGrant, QuickRestGrant, Resource, Secondary
from tablewright.systems.mars.events.effects import MarsEffectGained
from tablewright.systems.mars.events.harm import HealthLost, Stabilised
from tablewright.systems.mars.events.recovery import (
    WEEK,
    AbilitiesRestored,
    DayWentOn,
    FatigueChanged,
    Recovered,
    SicknessChanged,
    amounts_of,
)
from tablewright.systems.mars.harm import burn, lose_health, struggle, tested, wake_if_recovered
from tablewright.systems.mars.now import now, ruled
from tablewright.systems.mars.status import DAY, DAY_SECONDS, DEATH, FIRE, ROUND_SECONDS, SICKNESS, Status, fight
from tablewright.systems.mars.values import Degree

Kind: TypeAlias = Literal["short", "long"]

CALENDAR = Calendar(
    (
        Unit("second", 1, short=("s",)),
        Unit("round", 6, spoken=False),
        Unit("minute", 60, short=("min",)),
        Unit("hour", 3_600, short=("h",)),
        Unit("day", DAY_SECONDS),
        Unit("week", 7 * DAY_SECONDS, spoken=False),
    ),
    counted=("day",),
)

MINUTE, HOUR = 60, 3_600
LONG_REST = 8 * HOUR  # mars.rest.long
SHORT_PER_DAY = 2  # mars.rest.limits
ACTIVITY_MINUTES, ACTIVITY_DIFFICULTY = 120, 5  # mars.rest.short
LEAST_MINUTES, MOST_MINUTES = 30, 60
TREATMENT, TREATMENT_NEGATIVE, TREATED = 10, 14, 1  # mars.rest.treatment
SICKNESS_DIFFICULTY = 10  # mars.effect.sickness_end
RESTED_BY: dict[Resource, Secondary] = {"endurance": "FORT", "stamina": "INIT", "focus": "WILL"}
MEALS_A_DAY, LITRES_A_DAY, MEALS_PER_DEGREE = 3, 1, 3
STARVATION, DEHYDRATION, SLEEPLESSNESS = "starvation", "dehydration", "sleeplessness"
RELIEF = 2

SHORT, LONG, LIMITS = "mars.rest.short", "mars.rest.long", "mars.rest.limits"
ONE_A_DAY = "mars.gap.rest.one_a_day"
FATIGUE = "mars.gap.fatigue.degrees"

Several = Annotated[tuple[str, ...], Param("the ids of those who rest")]
Healer = Annotated[str, Param("the id of who treats their wounds; empty for nobody")]


# ---------------------------------------------------------------------- how much a rest gives


def recovery(
    character: MarsCharacter, scene: Scene, resource: Resource, kind: Kind, effects: tuple[MarsEffect, ...]
) -> Tally:
    """Recovery of a resource by one rest, before sickness and limits."""
    rule = "mars.rest.recovery_table"
    if resource == "health":
        return Tally.of("rest", 1 if kind == "long" else 0, rule)
    name = RESTED_BY[resource]
    rolled = secondary(character, name, scene.library, (), effects).value.read_as(scene.options.odd_roll_values)
    if kind == "short":
        tally = Tally.of(f"minimum {name}", rolled.minimum, rule)
    else:
        tally = Tally.of(f"half of maximum {name}", rolled.maximum // 2, rule)
    tally = tally.limit(0, rule="mars.dice.minimum")
    for grant, steps, source, why in grants_of(character, scene.library, MaximumGrant):
        if grant.resource == resource and grant.rests:
            tally = tally.add(source, (grant.first + grant.further * (steps - 1)) // 2, why)
    return tally


def long_recovery(scene: Scene, who: str, resource: Resource) -> Tally:
    """Recovery by a whole long rest, with unused short rests and treatment, less the share of sickness."""
    character: MarsCharacter = scene[who].character
    effects = scene[who].status.effects
    tally = recovery(character, scene, resource, "long", effects)
    unused = max(0, SHORT_PER_DAY - character.day.short_rests)
    short = recovery(character, scene, resource, "short", effects).total
    if resource != "health":
        tally = tally.add(f"{unused} short rests not taken", unused * short, "mars.rest.fold_short_rests")
    elif character.day.treated:
        tally = tally.add("treatment", TREATED, "mars.rest.treatment")
    return limited(scene, who, resource, tally)


def limited(scene: Scene, who: str, resource: Resource, tally: Tally) -> Tally:
    """A recovery after sickness and fatigue, and within the maximum of the resource."""
    effects = scene[who].status.effects
    if resource != "health" and tally.total > 0:
        sick = max([effect.degree for effect in effects if effect.kind == "sickness"], default=0)
        losses = [("sickness", half_up(sick), "mars.effect.sickness_recovery")]
        if scene.options.fatigue == "on":
            losses.append(("fatigue", half_up(fatigue_of(effects)), FATIGUE))
        for label, loss, rule in losses:
            if loss:
                tally = tally.add(label, -loss, rule).limit(1, rule=rule)
    most = maximum(scene[who].character, resource, scene.library).total
    return tally.limit(0, most, rule="mars.rest.cap")


def half_up(degree: int) -> int:
    """Half, rounded up.

    >>> half_up(3), half_up(0)
    (2, 0)
    """
    return -(-degree // 2)


def fatigue_of(effects: tuple[MarsEffect, ...]) -> int:
    """All degrees of fatigue together."""
    return sum([effect.degree for effect in effects if effect.kind == "fatigue"])


def _recovered(scene: Scene, who: str, amounts: dict[Resource, int], cause: str) -> Recovered:
    """Recovery up to the maximum of each resource."""
    status: Status = scene[who].status
    most = figures(scene[who].character, scene.library)
    gained = {
        name: max(0, min(amount, getattr(most, name) - getattr(status, name))) for name, amount in amounts.items()
    }
    return Recovered(who=who, cause=cause, **gained, had=amounts_of(status))


def rest_seconds(scene: Scene, who: str, seconds: int) -> int:
    """Length of a rest in seconds; some characters need less."""
    for grant, *_ in grants_of(scene[who].character, scene.library, QuickRestGrant):
        seconds //= grant.divisor
    return seconds


# ---------------------------------------------------------------------- short rests


@process(rules=["mars.rest.short", "mars.rest.limits"])
async def short_rest(
    game: Game,
    who: Several,
    minutes: Annotated[int, Param("length in minutes", LEAST_MINUTES, ACTIVITY_MINUTES)] = LEAST_MINUTES,
    activity: Annotated[int | None, Param("the difficulty of a single simple activity; none to relax", 0, 100)] = None,
) -> None:
    """Relax for half an hour to an hour, or up to two hours with one simple activity."""
    people = _able(game, who)
    if activity is None and minutes > MOST_MINUTES:
        raise IllegalActionError(
            f"a short rest takes {LEAST_MINUTES} to {MOST_MINUTES} minutes, not {minutes}", rule=SHORT
        )
    if activity is not None and activity > ACTIVITY_DIFFICULTY:
        raise IllegalActionError(
            f"the activity may have a difficulty of at most {ACTIVITY_DIFFICULTY}, not {activity}", rule=SHORT
        )
    for one in people:
        taken = game[one].character.day.short_rests
        more = f"has taken {taken} short rests today, and no more are allowed"
        game.refuse_if(taken >= SHORT_PER_DAY, one, more, LIMITS)
    longest = max([rest_seconds(game.scene, one, minutes * MINUTE) for one in people])
    await advance_time(game, longest, cause=SHORT)
    for one in [each for each in people if not game[each].status.dead]:
        amounts: dict[Resource, int] = {}
        for resource in RESTED_BY:
            tally = recovery(game[one].character, game.scene, resource, "short", game[one].status.effects)
            amounts[resource] = limited(game.scene, one, resource, tally).total
        game.emit(_recovered(game.scene, one, amounts, SHORT))
        day: Day = game[one].character.day
        game.emit(DayWentOn(who=one, what="short rest", day=day.changed(short_rests=day.short_rests + 1), cause=SHORT))
        wake_if_recovered(game, one)


def _able(game: Game, who: tuple[str, ...]) -> list[str]:
    """Participants who can rest, each once."""
    if not who:
        raise InvalidInputError("name at least one participant who rests", field="who")
    people = each_named(game, who)
    for one in people:
        require_leisure(game, one, LIMITS)
        game.refuse_if(game[one].status.has("dying"), one, "is dying and cannot rest", "mars.effect.dying")
    return people


def _can_rest(game: Game, people: list[str]) -> list[str]:
    return [one for one in people if not game[one].status.dead and not game[one].status.has("dying")]


# ---------------------------------------------------------------------- long rests


@process(rules=["mars.rest.long", "mars.rest.treatment", "mars.rest.limits"])
async def long_rest(
    game: Game,
    who: Several,
    healer: Healer = "",
    interrupted: Annotated[bool, Param("whether it is interrupted half way")] = False,
) -> None:
    """Sleep for about eight hours, once a day; half of it gives half, and the other half can follow."""
    people = _able(game, who)
    for one in people:
        _demand_a_day(game.scene, one)
    for one in people:
        day: Day = game[one].character.day
        if day.interrupted and game.scene.clock.now - (day.rested_at or 0) >= DAY_SECONDS:
            fresh = day.changed(interrupted=False, given=Ranks(), treated=False)
            game.emit(DayWentOn(who=one, what="a broken rest is forgotten", day=fresh, cause=LONG))
    if healer:
        _demand_healer(game, healer)
        for one in people:
            await _treat(game, healer, one)
    start = game.scene.clock.now
    longest = 0
    for one in people:
        halves = 1 if interrupted or game[one].character.day.interrupted else 2
        longest = max(longest, rest_seconds(game.scene, one, LONG_REST) * halves // 2)
    await advance_time(game, longest - 1, cause=LONG)  # the day, if it ends now, is reckoned after the rest
    for one in people:
        if not game[one].status.dead:
            _sleep(game, one, start, interrupted=interrupted)
            wake_if_recovered(game, one)
    await advance_time(game, 1, cause=LONG)


def _until_next_rest(scene: Scene, who: str) -> int:
    """Seconds until a long rest may begin, or a broken one go on."""
    day: Day = scene[who].character.day
    if day.interrupted or day.rested_at is None:
        return 0
    return max(0, day.rested_at + DAY_SECONDS - scene.clock.now)


def _demand_a_day(scene: Scene, who: str) -> None:
    wait = _until_next_rest(scene, who)
    if wait:
        passed = CALENDAR.show(DAY_SECONDS - wait)
        raise scene.cannot(who, f"began a long rest {passed} ago; there is one a day", ONE_A_DAY)


def _sleep(game: Game, who: str, start: int, *, interrupted: bool) -> None:
    """Apply the recovery of a long rest, or of half of one."""
    day: Day = game[who].character.day
    whole = {name: long_recovery(game.scene, who, name).total for name in RESOURCES}
    began = day.rested_at if day.interrupted else start
    if not interrupted:
        given = {name: max(0, amount - day.given.get(name, 0)) for name, amount in whole.items()}
        ended = day.changed(short_rests=0, interrupted=False, given=Ranks(), treated=False, rested_at=began, slept=True)
    elif not day.interrupted:
        given = {name: amount // 2 for name, amount in whole.items()}
        ended = day.changed(interrupted=True, given=Frozen(given.items()), rested_at=began)
    else:
        return
    game.emit(_recovered(game.scene, who, given, LONG))
    game.emit(DayWentOn(who=who, what="half a long rest" if interrupted else "long rest", day=ended, cause=LONG))
    if game[who].status.used and not interrupted:
        game.emit(AbilitiesRestored(who=who, cause="mars.rest.abilities"))


# ---------------------------------------------------------------------- treatment


def _demand_healer(game: Game, healer: str) -> None:
    trained = can_use(game[healer].character, "medicine", game.scene.library)
    game.refuse_if(not trained, healer, "is not trained in Medicine", "mars.skill.complex_gate")
    game.refuse_if(not game[healer].status.conscious, healer, "is not conscious", "mars.effect.unconscious")


async def _treat(game: Game, healer: str, patient: str) -> None:
    unhurt = game[patient].status.health >= figures(game[patient].character, game.scene.library).health
    if unhurt or game[patient].character.day.treated:
        return
    difficulty = TREATMENT_NEGATIVE if game[patient].status.health < 0 else TREATMENT
    if await _medicine(game, healer, patient, difficulty, "mars.rest.treatment"):
        what = f"wounds treated by {game.scene.display_name(healer)}"
        treated = game[patient].character.day.changed(treated=True)
        game.emit(DayWentOn(who=patient, what=what, day=treated, cause="mars.rest.treatment"))


async def _medicine(game: Game, healer: str, patient: str, difficulty: int, rule: str) -> bool:
    """Roll Medicine on a patient; a failure is told."""
    me = now(game.scene, healer)
    throw = ruled(game.scene, healer, "medicine", me.skill("medicine")).with_parts((), cons=me.groping)
    degree = await tested(game, healer, throw, difficulty)
    if not degree.succeeds:
        game.emit(Checked(who=healer, what="medicine", result=degree.value, against=patient, cause=rule))
    return degree.succeeds


@process(rules=["mars.gap.recovery.stabilise"])
async def stabilise(game: Game, healer: Who, who: Who) -> None:
    """Stabilise a dying character: a Medicine check of difficulty 10. Outside a fight every attempt takes a round."""
    rule = "mars.gap.recovery.stabilise"
    game.refuse_if(not game[who].status.has("dying"), who, "is not dying", rule)
    _demand_healer(game, healer)
    if await _medicine(game, healer, who, TREATMENT, rule):
        game.emit(Stabilised(who=who, cause=rule))
    if not fight(game.scene).begun:
        await advance_time(game, ROUND_SECONDS, cause=rule)


@process(rules=["mars.effect.dying"])
async def hold_on(game: Game, who: Who) -> None:
    """Roll a dying character's checks outside a fight, round after round, until it is stable or dead."""
    game.refuse_if(not game[who].status.has("dying"), who, "is not dying", "mars.effect.dying")
    await _to_the_end(game, who)


async def _to_the_end(game: Game, who: str) -> None:
    while game[who].status.has("dying") and not game[who].status.dead:
        await _a_round_of_dying(game, who)


async def _a_round_of_dying(game: Game, who: str) -> None:
    await struggle(game, who)
    if game[who].status.has("dying") and not game[who].status.dead:
        game.emit(HealthLost(who=who, amount=1, why="dying", cause="mars.effect.dying"))


# ---------------------------------------------------------------------- days


@process(rules=["mars.rest.limits"])
async def days_of_rest(
    game: Game,
    who: Several,
    days: Annotated[int, Param("number of days", 1, 365)] = 7,
    healer: Healer = "",
    fed: Annotated[bool, Param("whether there is enough to eat and drink")] = True,
) -> None:
    """Rest day after day: the waking hours pass, and a long rest ends each day. Whoever is dying holds on first."""
    require_no_encounter(game.scene, LIMITS)
    people = each_named(game, who)
    for one in people:
        await _to_the_end(game, one)  # dying takes rounds, not days
    for _ in range(days):
        began = game.scene.clock.now
        able = _can_rest(game, people)
        if not able:
            return
        tiring = game.scene.options.fatigue == "on"
        for one in able if fed and tiring else ():
            day: Day = game[one].character.day
            eaten = day.changed(meals=day.meals + MEALS_A_DAY, litres=day.litres + LITRES_A_DAY)
            game.emit(DayWentOn(who=one, what="eats and drinks", day=eaten, cause=FATIGUE))
        longest = max([rest_seconds(game.scene, one, LONG_REST) for one in able])
        awake = max([DAY_SECONDS - longest, *[_until_next_rest(game.scene, one) for one in able]])
        await advance_time(game, awake, cause=LIMITS)
        able = _can_rest(game, able)
        helps = healer if healer and game[healer].status.conscious else ""
        if able:
            await long_rest.function(game, tuple(able), helps)
        await advance_time(game, max(0, began + DAY_SECONDS - game.scene.clock.now), cause=LIMITS)


async def fall_due(game: Game, due: Timer) -> None:
    """Run a timer that falls due."""
    if due.who not in game.scene or game[due.who].status.dead:
        return
    if due.what == DAY:
        await _day_passes(game, due.who)
    elif due.what == SICKNESS:
        await _may_get_better(game, due.who, str(due.data or ""))
    elif due.what == FIRE and not fight(game.scene).begun:
        before = game[due.who].status.has("dying")
        await burn(game, due.who)
        if not before:
            await _a_round_of_dying(game, due.who)
    elif due.what == DEATH and not fight(game.scene).begun:
        await _a_round_of_dying(game, due.who)


async def _day_passes(game: Game, who: str) -> None:
    """A day is reckoned: sickness and fatigue take their toll of health, and needs that were not met tire."""
    if game.scene.options.fatigue == "on" and not game[who].character.is_creature:
        for source, degree in _needs(game.scene, who):
            if degree != _fatigue(game.scene, who, source):
                game.emit(FatigueChanged(who=who, source=source, degree=degree, cause=FATIGUE))
        day: Day = game[who].character.day
        missed = (day.meals_missed + max(0, MEALS_A_DAY - day.meals)) % MEALS_PER_DEGREE
        fresh = day.changed(slept=False, meals=0, litres=0, meals_missed=missed)
        game.emit(DayWentOn(who=who, what="a day has passed", day=fresh, cause=FATIGUE))
    status: Status = game[who].status
    await lose_health(game, who, half_up(status.sickness), "sickness", cause="mars.effect.sickness_daily")
    if game.scene.options.fatigue == "on":
        await lose_health(game, who, half_up(fatigue_of(game[who].status.effects)), "fatigue", cause=FATIGUE)
    if game[who].status.has("dying") and not fight(game.scene).begun:
        await _to_the_end(game, who)


def _fatigue(scene: Scene, who: str, source: str) -> int:
    effects = scene[who].status.effects
    return sum([effect.degree for effect in effects if effect.kind == "fatigue" and effect.source == source])


def _needs(scene: Scene, who: str) -> Iterator[tuple[str, int]]:
    """Change the fatigue of each need after a day: missed meals, water and sleep tire, met needs relieve."""
    day: Day = scene[who].character.day
    hunger = _fatigue(scene, who, STARVATION)
    missed = max(0, MEALS_A_DAY - day.meals)
    more = (day.meals_missed + missed) // MEALS_PER_DEGREE
    yield STARVATION, hunger + more if missed else max(0, hunger - RELIEF)
    thirst = _fatigue(scene, who, DEHYDRATION)
    yield DEHYDRATION, thirst + 2 if day.litres < LITRES_A_DAY else max(0, thirst - RELIEF)
    tired = _fatigue(scene, who, SLEEPLESSNESS)
    yield SLEEPLESSNESS, max(0, tired - RELIEF) if day.slept else tired + 1


# ---------------------------------------------------------------------- sickness


async def _may_get_better(game: Game, who: str, source: str) -> None:
    """Roll FORT at the end of a sickness; success lowers its degree, and the rest goes on."""
    found = [one for one in game[who].status.effects if one.kind == "sickness" and one.source == source]
    if not found:
        return
    degree = await _fort(game, who, found[0].difficulty)
    found = [one for one in game[who].status.effects if one.kind == "sickness" and one.source == source]
    if not found:
        return  # cured while the dice were in the air
    worse = found[0].degree - (1 if degree.succeeds else 0)
    rule = "mars.effect.sickness_end"
    game.emit(SicknessChanged(who=who, source=source, degree=worse, left=found[0].again or WEEK, cause=rule))


async def _fort(game: Game, who: str, difficulty: int | None) -> Degree:
    throw = ruled(game.scene, who, "FORT", now(game.scene, who).roll("FORT", ("sickness",)))
    return await tested(game, who, throw, SICKNESS_DIFFICULTY if difficulty is None else difficulty)


@process(rules=["mars.effect.sickness_end", "mars.effect.sickness_multiple"])
async def fall_sick(
    game: Game,
    who: Who,
    degree: Annotated[int, Param("degree of the sickness", 1, 20)],
    source: Annotated[str, Param("name of the sickness")] = "sickness",
    difficulty: Annotated[int | None, Param("the difficulty to get over it; 10 if it has none", 0, 100)] = None,
    days: Annotated[int, Param("after how many days it may get better", 1, 1000)] = 7,
    resisted: Annotated[bool, Param("whether FORT against the same difficulty keeps it off")] = False,
) -> None:
    """Make a participant sick."""
    rule = "mars.effect.sickness_end"
    if resisted and (await _fort(game, who, difficulty)).succeeds:
        return
    lasts = days * DAY_SECONDS
    again = 0 if lasts == WEEK else lasts
    effect = MarsEffect("sickness", degree=degree, source=source, difficulty=difficulty, left=lasts, again=again)
    game.emit(MarsEffectGained(who=who, effect=effect, cause=rule))


PROCESSES = (short_rest, long_rest, days_of_rest, stabilise, hold_on, fall_sick)
