"""Rests, treatment and days: tables and examples, limits, interruption, time in one step or many."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.mars.people import (
    LEDGER,
    OPTIONS,
    SPENT,
    alone,
    character,
    do,
    from_text,
    left,
    person,
    resources,
    rolled,
    scene_of,
    session_of,
    somebody,
    weary,
)
from systems.playing import events, status
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks, character_text
from tablewright.systems.mars.character.record import Day, MarsEffect, OwnTrait, Printed, Wounds
from tablewright.systems.mars.content import RESOURCES
from tablewright.systems.mars.events.recovery import DayWentOn
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.recovery import long_recovery, recovery
from tablewright.systems.mars.status import DAY_SECONDS

NOT_TAKEN = Day(short_rests=2)  # nothing is carried over into the long rest

HOUR = 3600


# ---------------------------------------------------------------------- the table


@pytest.mark.rule("mars.rest.recovery_table", "mars.dice.minimum")
@pytest.mark.parametrize("example", LEDGER["mars.rest.recovery_table"].examples)
def test_the_worked_examples_of_recovery(example: Any) -> None:
    one = somebody(STR="r12+1", RES="r10")
    given = example["given"]
    got = recovery(one, scene_of({"ann": one}), "endurance", given["rest"], ())
    assert got.total == example["expect"]["endurance"]


@pytest.mark.rule("mars.rest.recovery_table", "mars.gap.character.reference", "mars.gap.talent.toughness")
def test_rests_of_the_reference_character() -> None:
    expect = LEDGER["mars.gap.character.reference"].examples[0]["expect"]
    one = weary(day=NOT_TAKEN)
    scene = scene_of({"ann": one})
    short = {name: recovery(one, scene, name, "short", ()).total for name in ("endurance", "stamina", "focus")}
    assert short == dict(expect["short_rest"])
    whole = {name: long_recovery(scene, "ann", name).total for name in RESOURCES}
    assert whole == dict(expect["long_rest"])
    assert recovery(one, scene, "health", "short", ()).total == 0


@pytest.mark.rule("mars.rest.recovery_table")
def test_each_resource_has_its_own_secondary_stat_and_temporary_changes_count() -> None:
    one = somebody(STR="r8", DEX="r12", INT="r14", RES="r10")
    scene = scene_of({"ann": one})
    strong = (MarsEffect("stat_change", stat="STR", value=3),)
    long = {name: recovery(one, scene, name, "long", ()).total for name in ("endurance", "stamina", "focus")}
    assert long == {"endurance": 9, "stamina": 11, "focus": 12}
    assert recovery(one, scene, "endurance", "long", strong).total == 10
    assert recovery(one, scene, "endurance", "short", strong).total == 5
    weak = (MarsEffect("stat_change", stat="STR", value=-9),)
    assert recovery(one, scene, "endurance", "short", weak).total == 0
    sick = (MarsEffect("sickness", degree=4),)
    assert recovery(one, scene, "endurance", "short", sick).total == 2  # a roll penalty does not count here


@pytest.mark.rule("mars.dice.odd_values", "mars.dice.minimum")
@pytest.mark.parametrize(("reading", "least"), [("literal", 2), ("even_plus_one", 3)])
def test_odd_roll_values_are_read_before_the_minimum_is_taken(reading: Any, least: int) -> None:
    odd = somebody(STR="r5", RES="r10")
    scene = scene_of({"ann": odd}, MarsOptions(odd_roll_values=reading))
    assert recovery(odd, scene, "endurance", "short", ()).total == least


@pytest.mark.rule("mars.rest.cap")
def test_a_rest_gives_at_most_the_maximum() -> None:
    one = somebody(DEX="r10", RES="r14", wounds=SPENT, day=NOT_TAKEN)  # INIT r24: half of it is 12
    scene = scene_of({"ann": one})
    assert recovery(one, scene, "stamina", "long", ()).total == 12
    assert long_recovery(scene, "ann", "stamina").total == 10
    session = do(alone(one.changed(wounds=Wounds(stamina=9))), "mars.long_rest", who="ann")
    assert status(session).stamina == 10


@pytest.mark.rule("mars.rest.short", "mars.rest.long", "mars.rest.cap")
def test_rests_fill_up_what_is_missing_and_no_more() -> None:
    for missing, rest in ((1, "short_rest"), (2, "long_rest")):
        full = scene_of({"ann": person("fighter")})["ann"].status
        tired = person("fighter", wounds=Wounds(stamina=full.stamina - missing))
        session = do(alone(tired), f"mars.{rest}", who="ann")
        assert (session.scene["ann"].status.stamina, session.scene["ann"].status.endurance) == (12, 15)


@pytest.mark.rule("mars.rest.recovery_table")
def test_a_rest_may_give_nothing_but_never_takes() -> None:
    dazed = somebody(wounds=Wounds(focus=0, effects=(MarsEffect("stat_change", stat="INT", value=-40),)), day=NOT_TAKEN)
    session = do(alone(dazed), "mars.long_rest", who="ann")
    assert status(session).focus == 0


# ---------------------------------------------------------------------- short rests


@pytest.mark.rule("mars.rest.short", "mars.rest.limits")
def test_two_short_rests_a_day() -> None:
    session = alone(weary())
    do(session, "mars.short_rest", who="ann")
    assert resources(session) == (2, 5, 3, 2)
    assert session.scene.clock.now == 30 * 60
    do(session, "mars.short_rest", who="ann", minutes=60)
    assert resources(session) == (2, 10, 6, 4)
    assert session.scene.clock.now == 90 * 60
    with pytest.raises(IllegalActionError, match="2 short rests today") as refused:
        do(session, "mars.short_rest", who="ann")
    assert refused.value.rule == "mars.rest.limits"
    assert session.scene.clock.now == 90 * 60


@pytest.mark.rule("mars.rest.short")
@each_case(
    ("minutes", "activity", "allowed"),
    [(30, None, True), (60, None, True), (61, None, False), (120, 5, True), (120, 6, False), (90, 0, True)],
)
def test_length_of_a_short_rest(minutes: int, activity: int | None, allowed: bool) -> None:
    session = alone(weary())
    with nullcontext() if allowed else pytest.raises(IllegalActionError):
        do(session, "mars.short_rest", who="ann", minutes=minutes, activity=activity)
    assert session.scene.clock.now == (minutes * 60 if allowed else 0)


@pytest.mark.rule("mars.gap.trait.list")
def test_efficient_sleepers_need_half_the_time() -> None:
    quick = weary(traits=(OwnTrait(id="efficient_sleeper"),))
    session = do(alone(quick), "mars.short_rest", who="ann", minutes=60)
    assert session.scene.clock.now == 30 * 60
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now == 30 * 60 + 4 * 3600
    assert resources(session)[0] == 3


# ---------------------------------------------------------------------- long rests


@pytest.mark.rule("mars.rest.long")
def test_a_long_rest_takes_eight_hours() -> None:
    session = do(alone(weary(day=NOT_TAKEN)), "mars.long_rest", who="ann")
    assert session.scene.clock.now == 8 * 3600
    assert resources(session) == (3, 13, 10, 9)


@pytest.mark.rule("mars.rest.fold_short_rests")
@pytest.mark.parametrize("example", LEDGER["mars.rest.fold_short_rests"].examples)
def test_short_rests_not_taken_are_carried_over(example: Any) -> None:
    given = example["given"]
    one = somebody(STR="r12+1", RES="r10", wounds=SPENT, day=Day(short_rests=given["taken"]))
    one = one.changed(printed=Printed(endurance=99))  # nothing is cut off at the maximum
    scene = scene_of({"ann": one})
    assert recovery(one, scene, "endurance", "short", ()).total == given["short"]
    assert recovery(one, scene, "endurance", "long", ()).total == given["long"]
    assert long_recovery(scene, "ann", "endurance").total == example["expect"]


@pytest.mark.rule("mars.rest.long")
@pytest.mark.parametrize("example", LEDGER["mars.rest.long"].examples)
def test_an_interrupted_long_rest_gives_half_and_the_rest_later(example: Any) -> None:
    expect = example["expect"]
    one = somebody(STR="r12+1", RES="r10", wounds=SPENT, day=NOT_TAKEN)
    one = one.changed(printed=Printed(endurance=99))
    session = do(alone(one), "mars.long_rest", who="ann", interrupted=True)
    assert session.scene.clock.now == 4 * 3600
    assert (status(session).endurance, status(session).health - 2) == (
        expect["first"]["endurance"],
        expect["first"]["health"],
    )
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now == 8 * 3600
    total = [expect["first"][name] + expect["resumed"][name] for name in ("endurance", "health")]
    assert [status(session).endurance, status(session).health - 2] == total
    assert character(session).day.short_rests == 0


@pytest.mark.rule("mars.rest.abilities", "mars.rest.long")
def test_only_a_whole_long_rest_restores_abilities_and_ends_the_day() -> None:
    used = weary(wounds=SPENT.changed(used=Ranks({"second_wind": 2})))
    session = do(alone(used), "mars.short_rest", who="ann")
    assert status(session).used["second_wind"] == 2
    do(session, "mars.long_rest", who="ann", interrupted=True)
    assert status(session).used["second_wind"] == 2
    assert character(session).day.short_rests == 1
    do(session, "mars.long_rest", who="ann")
    assert dict(status(session).used) == {}
    assert character(session).day.short_rests == 0


@pytest.mark.rule("mars.gap.rest.one_a_day", "mars.rest.limits")
def test_one_long_rest_a_day() -> None:
    session = do(alone(weary()), "mars.long_rest", who="ann")
    do(session, "table.pass_time", amount="15 hours 59 minutes")
    with pytest.raises(IllegalActionError, match="one a day"):
        do(session, "mars.long_rest", who="ann")
    do(session, "table.pass_time", amount="1 minute")
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now == 32 * HOUR


@pytest.mark.rule("mars.gap.rest.one_a_day")
def test_the_day_goes_on_in_the_next_scene_even_where_the_clock_runs_already() -> None:
    tired = left(do(alone(weary()), "mars.long_rest", who="ann"))
    assert tired.day.rested_at == -8 * HOUR
    with pytest.raises(IllegalActionError, match="one a day"):
        do(alone(from_text(character_text(tired))), "mars.long_rest", who="ann")
    late = do(alone(weary()), "table.pass_time", amount="30 days")
    late.join({"character": tired.to_json(), "id": "bob", "side": "party"})
    with pytest.raises(IllegalActionError, match="one a day"):
        do(late, "mars.long_rest", who="bob")
    do(late, "table.pass_time", amount="16 hours")
    do(late, "mars.long_rest", who="bob")


@pytest.mark.rule("mars.rest.long", "mars.gap.rest.one_a_day")
@each_case(("hours", "takes"), [(1, 4), (19, 4), (20, 8), (21, 8)])
def test_a_broken_rest_is_resumed_within_a_day_of_its_beginning(hours: int, takes: int) -> None:
    session = alone(weary(day=NOT_TAKEN))
    do(session, "table.pass_time", amount="30 hours")
    do(session, "mars.long_rest", who="ann", interrupted=True)  # four hours
    do(session, "table.pass_time", amount=f"{hours} hours")
    before = session.scene.clock.now
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now - before == takes * HOUR
    assert status(session).endurance == (13 if takes == 4 else 15)  # a whole rest gives more than two halves


def test_nobody_rests_while_dying_or_dead() -> None:
    dying = weary(wounds=Wounds(health=-1, endurance=0, effects=(MarsEffect("dying"), MarsEffect("unconscious"))))
    with pytest.raises(IllegalActionError, match="dying"):
        do(alone(dying), "mars.short_rest", who="ann")
    with pytest.raises(IllegalActionError, match="dead"):
        do(alone(weary(wounds=Wounds(dead=True))), "mars.long_rest", who="ann")


@pytest.mark.rule("mars.effect.unconscious")
def test_a_character_who_recovers_wakes_up() -> None:
    out = weary(wounds=Wounds(health=0, endurance=0, effects=(MarsEffect("unconscious"),)))
    session = do(alone(out), "mars.short_rest", who="ann")
    assert not status(session).has("unconscious")
    assert status(session).endurance == 5


# ---------------------------------------------------------------------- treatment


@pytest.mark.rule("mars.rest.treatment")
@each_case(
    ("health", "faces", "gained"),
    [
        (5, (7, 3), 2),  # r14 of medicine: 10 against 10
        (5, (6, 3), 1),  # a graze gives nothing
        (5, (10, 4), 2),  # a critical success gives nothing extra
        (-1, (10, 4), 2),  # 14 against 14
        (-1, (10, 3), 1),
    ],
)
def test_treated_wounds_heal_faster(health: int, faces: tuple[int, ...], gained: int) -> None:
    patient = weary(wounds=Wounds(health=health, endurance=3))
    healer = somebody("Doc", skills={"medicine": rolled("r4")})
    session = session_of({"ann": patient, "doc": healer})
    do(session, "mars.long_rest", who="ann", healer="doc", faces=[faces])
    assert status(session, "ann").health == health + gained


@pytest.mark.rule("mars.rest.treatment")
def test_a_treatment_counts_once_and_for_the_whole_rest() -> None:
    session = session_of({"ann": weary(day=NOT_TAKEN), "doc": person("ranger")})
    do(session, "mars.long_rest", who="ann", healer="doc", interrupted=True, faces=[(10, 6)])
    assert status(session, "ann").health == 3  # half of 2
    do(session, "mars.long_rest", who="ann", healer="doc")  # treated already
    assert status(session, "ann").health == 4


@pytest.mark.rule("mars.rest.treatment", "mars.skill.complex_gate")
def test_a_healer_must_know_medicine() -> None:
    session = session_of({"ann": weary(), "doc": person("rogue")})
    with pytest.raises(IllegalActionError, match="not trained in Medicine"):
        do(session, "mars.long_rest", who="ann", healer="doc")
    assert session.scene.clock.now == 0


@pytest.mark.rule("mars.rest.treatment")
def test_a_character_who_is_not_hurt_needs_no_treatment() -> None:
    whole, hurt = person("fighter"), person("fighter", wounds=Wounds(health=5))
    session = session_of({"ann": person("magister"), "bob": whole, "cat": hurt})
    do(session, "mars.long_rest", who=["ann", "bob", "cat"], healer="ann", faces=[(9, 8)])
    assert [status(session, who).health for who in ("bob", "cat")] == [13, 7]
    assert ("cat", "wounds treated by Fenn") in [(line.who, line.what) for line in events(session, DayWentOn)]


@pytest.mark.rule("mars.gap.recovery.stabilise")
@pytest.mark.parametrize(("faces", "stable"), [((5, 3), True), ((4, 3), False)])
def test_stabilising_outside_a_fight(faces: tuple[int, ...], stable: bool) -> None:
    dying = weary(wounds=Wounds(health=-4, endurance=0, effects=(MarsEffect("dying"), MarsEffect("unconscious"))))
    session = session_of({"ann": dying, "doc": person("ranger")})  # medicine r16+2
    do(session, "mars.stabilise", healer="doc", who="ann", faces=[faces] if stable else [faces, (2, 1)])
    assert status(session, "ann").has("dying") is not stable
    assert status(session, "ann").health == (-4 if stable else -5)  # every attempt takes a round
    assert session.scene.clock.now == 6
    assert status(session, "ann").has("unconscious")


@pytest.mark.rule("mars.effect.dying")
def test_holding_on_outside_a_fight() -> None:
    dying = somebody(RES="r10", STR="r10", wounds=Wounds(health=-4, endurance=0, effects=(MarsEffect("dying"),)))
    session = do(alone(dying), "mars.hold_on", who="ann", faces=[(2, 2), (6, 6)])
    assert not status(session).has("dying")  # 4 at -4 is one success, 12 at -5 two
    assert status(session).health == -5


# ---------------------------------------------------------------------- time


def test_days_of_rest_make_people_whole() -> None:
    session = session_of({"ann": weary(), "doc": person("ranger")})
    session.do("mars.days_of_rest", who="ann", days=7, healer="doc")
    while session.question is not None:
        session.type_in((10, 6))
    assert resources(session) == (13, 15, 12, 9)
    assert session.scene.clock.now == 7 * DAY_SECONDS


def test_nobody_lies_dying_for_days() -> None:
    dying = Wounds(health=-3, endurance=0, effects=(MarsEffect("dying", successes=2), MarsEffect("unconscious")))
    session = session_of({"ann": person("fighter", wounds=dying)})
    session.do("mars.days_of_rest", who="ann", days=1)
    session.type_in((10, 10))  # FORT against what is missing to 0: the third success comes before the first night
    assert session.question is None
    assert not status(session).has("dying")
    assert status(session).health == -2


@pytest.mark.rule("mars.effect.sickness_daily", "mars.rest.limits")
@hypothesis.settings(max_examples=15, deadline=None)
@hypothesis.given(st.integers(1, 4), st.integers(2, 5), st.booleans())
def test_days_in_one_step_or_in_many_come_to_the_same(degree: int, days: int, tiring: bool) -> None:
    options = MarsOptions(fatigue="on") if tiring else OPTIONS
    fever = MarsEffect("sickness", degree=degree, source="fever", left=10**6)
    sick = weary(wounds=Wounds(health=60, effects=(fever,)), printed=Printed(health=90))
    at_once = alone(sick, options)
    do(at_once, "mars.days_of_rest", who="ann", days=days, fed=not tiring)
    step_by_step, through_files = alone(sick, options), sick
    for _ in range(days):
        do(step_by_step, "mars.days_of_rest", who="ann", days=1, fed=not tiring)
        one_day = do(alone(through_files, options), "mars.days_of_rest", who="ann", days=1, fed=not tiring)
        through_files = from_text(character_text(left(one_day)))
    assert left(at_once) == left(step_by_step) == through_files


def test_carried_values_are_the_old_ones() -> None:
    hurt = weary(
        wounds=Wounds(health=3, stamina=4, effects=(MarsEffect("debilitation", stat="DEX"), MarsEffect("prone")))
    )
    kept = left(alone(hurt)).wounds
    assert (kept.health, kept.endurance, kept.stamina) == (3, None, 4)
    assert [one.kind for one in kept.effects] == ["debilitation"]
    assert left(alone(person("fighter"))) == person("fighter")


@pytest.mark.rule("mars.rest.limits", "mars.gap.rest.one_a_day")
@each_case("days", [1, 2, 3])
def test_so_many_days_of_rest_take_so_many_days_even_where_nobody_can_sleep(days: int) -> None:
    session = do(alone(somebody()), "mars.days_of_rest", who="ann", days=days)
    assert session.scene.clock.now == days * 24 * HOUR
    with pytest.raises(IllegalActionError, match="one a day"):
        do(session, "mars.long_rest", who="ann")
    fever = (MarsEffect("sickness", degree=2, left=30 * 24 * HOUR),)
    ill = do(alone(somebody(wounds=Wounds(health=1, effects=fever))), "mars.days_of_rest", who="ann", days=days)
    assert ill.scene.clock.now == days * 24 * HOUR


@pytest.mark.rule("mars.rest.limits", "mars.gap.rest.one_a_day")
def test_days_of_rest_wait_until_everybody_may_sleep() -> None:
    sleeper = somebody("Ann", kind="character", traits=(OwnTrait(id="efficient_sleeper"),))
    session = session_of({"ann": sleeper, "bob": somebody("Bob")})
    do(session, "mars.long_rest", who=["ann"])
    assert session.scene.clock.now == 4 * 3_600
    do(session, "mars.days_of_rest", who=["ann", "bob"], days=1)
    assert session.scene["ann"].character.day.rested_at == 24 * 3_600
    assert session.scene["bob"].character.day.rested_at == 24 * 3_600
    assert session.scene.clock.now == 32 * 3_600
    with pytest.raises(IllegalActionError, match="8 hours ago"):
        do(session, "mars.long_rest", who=["bob"])
