"""Rests, treatment, days, sickness and fatigue: tables and examples, limits, interruption, time in one step or many."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.mars.people import (
    OPTIONS,
    alone,
    character,
    do,
    from_text,
    left,
    library,
    person,
    scene_of,
    session_of,
    somebody,
)
from systems.playing import status
from tablewright.engine import Tally
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks, character_text
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.events import Event
from tablewright.game.session.session import Session
from tablewright.systems.mars.character.figures import maximum
from tablewright.systems.mars.character.record import Day, MarsCharacter, MarsEffect, OwnTrait, Printed, Wounds
from tablewright.systems.mars.content import RESOURCES
from tablewright.systems.mars.events.recovery import DayWentOn
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.recovery import half_up, limited, long_recovery, recovery
from tablewright.systems.mars.status import DAY_SECONDS

LEDGER = Ledger.load("mars")
TIRING = MarsOptions(fatigue="on")
SPENT = Wounds(health=2, endurance=0, stamina=0, focus=0)
NOT_TAKEN = Day(short_rests=2)  # nothing is carried over into the long rest


def resources(session: Session, who: str = "ann") -> tuple[int, ...]:
    return tuple([getattr(status(session, who), name) for name in RESOURCES])


def weary(**changes: Any) -> MarsCharacter:
    """The reference character, worn out."""
    plain = {"traits": (OwnTrait(id="necrovisitation"),), "wounds": SPENT}
    return person("fighter", **{**plain, **changes})


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
@pytest.mark.parametrize(
    ("minutes", "activity", "allowed"),
    [(30, None, True), (60, None, True), (61, None, False), (120, 5, True), (120, 6, False), (90, 0, True)],
)
def test_length_of_a_short_rest(minutes: int, activity: int | None, allowed: bool) -> None:
    session = alone(weary())
    if allowed:
        do(session, "mars.short_rest", who="ann", minutes=minutes, activity=activity)
        assert session.scene.clock.now == minutes * 60
    else:
        with pytest.raises(IllegalActionError):
            do(session, "mars.short_rest", who="ann", minutes=minutes, activity=activity)


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
    with pytest.raises(IllegalActionError, match="one a day"):
        do(session, "mars.long_rest", who="ann")
    do(session, "table.pass_time", amount="15 hours 59 minutes")
    with pytest.raises(IllegalActionError, match="one a day"):
        do(session, "mars.long_rest", who="ann")
    do(session, "table.pass_time", amount="1 minute")
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now == 32 * 3600


@pytest.mark.rule("mars.gap.rest.one_a_day")
def test_the_day_goes_on_from_one_scene_to_the_next() -> None:
    tired = left(do(alone(weary()), "mars.long_rest", who="ann"))
    assert tired.day.rested_at == -8 * 3600
    again = alone(from_text(character_text(tired)))
    with pytest.raises(IllegalActionError, match="one a day"):
        do(again, "mars.long_rest", who="ann")


@pytest.mark.rule("mars.gap.rest.one_a_day")
def test_a_broken_rest_cannot_be_resumed_a_day_later() -> None:
    session = do(alone(weary(day=NOT_TAKEN)), "mars.long_rest", who="ann", interrupted=True)
    do(session, "table.pass_time", amount="1 day")
    before = session.scene.clock.now
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now - before == 8 * 3600
    assert status(session).endurance == 15


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
@pytest.mark.parametrize(
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
    healer = person("ranger")  # INT r10+2 and medicine r6: r16+2
    healer = healer.changed(skills={"medicine": healer.skills["medicine"]._replace(n=4)}, ancestry="", background="")
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


# ---------------------------------------------------------------------- sickness


@pytest.mark.rule("mars.effect.sickness_recovery")
@pytest.mark.parametrize(("degree", "given", "expect"), [(3, 11, 9), (3, 2, 1), (1, 1, 1), (2, 5, 4), (9, 0, 0)])
def test_sickness_reduces_recovery_but_not_below_one(degree: int, given: int, expect: int) -> None:
    one = somebody(RES="r20", wounds=Wounds(effects=(MarsEffect("sickness", degree=degree),)))
    scene = scene_of({"ann": one})
    assert limited(scene, "ann", "endurance", Tally.of("rest", given)).total == expect
    assert limited(scene, "ann", "health", Tally.of("rest", given)).total == min(given, 10)


@pytest.mark.rule("mars.effect.sickness_daily")
def test_sickness_takes_health_after_the_rest_of_the_day() -> None:
    sick = somebody(
        STR="r12",
        RES="r10",
        wounds=Wounds(health=8, effects=(MarsEffect("sickness", degree=3, source="fever", left=10**7),)),
    )
    session = alone(sick)
    do(session, "table.pass_time", amount="16 hours")
    do(session, "mars.long_rest", who="ann")
    lines = [line.kind for line in session.log if isinstance(line, Event)]
    assert lines.index("Recovered") < lines.index("HealthLost")
    assert status(session).health == 7


@pytest.mark.rule("mars.effect.sickness_daily")
@pytest.mark.parametrize(("degree", "lost"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_every_day_costs_half_of_the_degree_rounded_up(degree: int, lost: int) -> None:
    sick = somebody(STR="r20", wounds=Wounds(effects=(MarsEffect("sickness", degree=degree, left=10**7),)))
    session = do(alone(sick), "table.pass_time", amount="3 days")
    assert status(session).health == 20 - 3 * lost
    assert half_up(degree) == lost


@pytest.mark.rule("mars.effect.sickness_multiple")
def test_of_several_sicknesses_the_strongest_counts() -> None:
    both = (MarsEffect("sickness", degree=4, source="plague"), MarsEffect("sickness", degree=1, source="cold"))
    session = do(alone(somebody(STR="r20", wounds=Wounds(effects=both))), "table.pass_time", amount="1 day")
    assert status(session).health == 18
    assert len([one for one in status(session).effects if one.kind == "sickness"]) == 2


@pytest.mark.rule("mars.effect.sickness_end")
def test_after_a_week_a_check_may_lower_the_degree() -> None:
    data = LEDGER["mars.effect.sickness_end"].data
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=2, source="fever")
    week = f"{data['default_duration_days']} days"
    do(session, "table.pass_time", amount=week, faces=[(3, 3, 3, 3)])  # 12 - 2 against 10
    assert status(session).sickness == 1
    do(session, "table.pass_time", amount=week, faces=[(3, 3, 2, 2)])  # 10 - 1: a graze changes nothing
    assert status(session).sickness == 1
    do(session, "table.pass_time", amount=week, faces=[(9, 9, 9, 9)])  # critical: still one degree
    assert status(session).sickness == 0
    assert session.scene.clock.waiting("sickness") == ()


@pytest.mark.rule("mars.effect.sickness_end")
def test_a_sickness_may_have_its_own_difficulty_and_duration() -> None:
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=1, source="rot", difficulty=20, days=2)
    do(session, "table.pass_time", amount="2 days", faces=[(5, 5, 5, 5)])  # 19 against 20
    assert status(session).sickness == 1
    do(session, "table.pass_time", amount="2 days", faces=[(6, 5, 5, 5)])
    assert status(session).sickness == 0


@pytest.mark.rule("mars.effect.sickness_end", "mars.gap.ancestry.abilities")
def test_catching_a_sickness_can_be_resisted_and_dwarves_do_it_better() -> None:
    session = do(
        alone(somebody(STR="r10", RES="r10")), "mars.fall_sick", who="ann", degree=2, resisted=True, faces=[(5, 5)]
    )
    assert status(session).sickness == 0
    session = do(
        alone(somebody(STR="r10", RES="r10")), "mars.fall_sick", who="ann", degree=2, resisted=True, faces=[(5, 4)]
    )
    assert status(session).sickness == 2
    dwarf = somebody(STR="r10", RES="r10", ancestry="dwarf")
    session = do(alone(dwarf), "mars.fall_sick", who="ann", degree=2, resisted=True, faces=[(2, 2, 9)])
    assert status(session).sickness == 0  # advantage: one die is rerolled


@pytest.mark.rule("mars.effect.sickness_multiple")
def test_a_stronger_sickness_of_the_same_source_begins_again() -> None:
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=1, source="fever", days=2)
    do(session, "table.pass_time", amount="1 day")
    do(session, "mars.fall_sick", who="ann", degree=3, source="fever")
    assert status(session).sickness == 3
    assert [due.at for due in session.scene.clock.waiting("sickness")] == [8 * DAY_SECONDS]


@pytest.mark.rule("mars.effect.sickness_daily", "mars.damage.thresholds")
@pytest.mark.parametrize("thresholds", ["apply", "damage_only"])
def test_sickness_can_kill_where_health_lost_counts(thresholds: Any) -> None:
    sick = somebody(
        STR="r8", RES="r8", wounds=Wounds(health=1, effects=(MarsEffect("sickness", degree=4, left=10**7),))
    )
    session = alone(sick, MarsOptions(health_loss_thresholds=thresholds))
    session.do("table.pass_time", amount="1 day")
    while session.question is not None:
        session.type_in((1, 1))
    assert status(session).dead is (thresholds == "apply")


# ---------------------------------------------------------------------- fatigue


@pytest.mark.rule("mars.rest.sleepless_fatigue", "mars.gap.fatigue.degrees")
@pytest.mark.parametrize(("option", "degree"), [("off", 0), ("on", 1)])
def test_a_night_without_sleep_tires_only_where_the_option_says_so(option: Any, degree: int) -> None:
    session = alone(person("fighter"), MarsOptions(fatigue=option))
    for _ in range(3):
        do(session, "mars.eat", who="ann", meals=1, litres=1, bought=True)
    do(session, "table.pass_time", amount="1 day")
    tired = [one.degree for one in status(session).effects if one.source == "sleeplessness"]
    assert sum(tired) == degree


@pytest.mark.rule("mars.gap.fatigue.degrees")
def test_hunger_thirst_and_sleep_are_counted_by_themselves() -> None:
    data = LEDGER["mars.gap.fatigue.degrees"].data
    session = do(alone(person("fighter"), TIRING), "table.pass_time", amount="1 day")
    degrees = {one.source: one.degree for one in status(session).effects}
    assert degrees == {"starvation": 1, "dehydration": data["thirst"], "sleeplessness": data["sleep"]}
    assert status(session).health == 13 - 2  # half of 4


@pytest.mark.rule("mars.gap.fatigue.degrees")
def test_three_missed_meals_over_any_time_are_one_degree() -> None:
    session = alone(person("fighter"), TIRING)
    for day in range(3):
        do(session, "mars.eat", who="ann", meals=2, litres=1, bought=True)
        do(session, "table.pass_time", amount="1 day")
        hungry = sum([one.degree for one in status(session).effects if one.source == "starvation"])
        assert hungry == (1 if day == 2 else 0)


@pytest.mark.rule("mars.gap.fatigue.degrees")
def test_a_need_that_is_met_takes_two_degrees_off() -> None:
    tired = tuple([MarsEffect("fatigue", degree=3, source=source) for source in ("dehydration", "sleeplessness")])
    session = alone(person("fighter", wounds=Wounds(effects=tired)), TIRING)
    do(session, "mars.eat", who="ann", meals=3, litres=1, bought=True)
    do(session, "table.pass_time", amount="1 day")
    degrees = {one.source: one.degree for one in status(session).effects}
    assert degrees == {"dehydration": 1, "sleeplessness": 4}


@pytest.mark.rule("mars.gap.fatigue.degrees")
@each_case(("before", "after"), [(0, 0), (1, 0), (2, 0), (3, 1), (5, 3)])
@each_case("source", ["starvation", "dehydration", "sleeplessness"])
def test_a_day_with_every_need_met_relieves_each_down_to_nothing(source: str, before: int, after: int) -> None:
    tired = (MarsEffect("fatigue", degree=before, source=source),) if before else ()
    session = alone(person("fighter", wounds=Wounds(effects=tired)), TIRING)
    do(session, "mars.days_of_rest", who="ann", days=1)
    assert {one.source: one.degree for one in status(session).effects} == ({source: after} if after else {})


@pytest.mark.rule("mars.gap.fatigue.degrees")
def test_fatigue_reduces_what_rests_give() -> None:
    tired = (MarsEffect("fatigue", degree=3, source="sleeplessness"),)
    session = do(alone(weary(wounds=SPENT.changed(effects=tired)), TIRING), "mars.short_rest", who="ann")
    assert resources(session) == (2, 3, 1, 1)


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


@pytest.mark.rule("mars.rest.limits", "mars.gap.fatigue.degrees")
@pytest.mark.parametrize(("fatigue", "fed", "eats"), [("on", True, 2), ("on", False, 0), ("off", True, 0)])
def test_meals_are_counted_only_where_hunger_tires(fatigue: Any, fed: bool, eats: int) -> None:
    session = do(
        alone(person("fighter"), MarsOptions(fatigue=fatigue)), "mars.days_of_rest", who="ann", days=2, fed=fed
    )
    meals = [line for line in session.log if isinstance(line, DayWentOn) and line.what == "eats and drinks"]
    assert len(meals) == eats


@pytest.mark.rule("mars.effect.sickness_daily", "mars.rest.limits")
@hypothesis.settings(max_examples=15, deadline=None)
@hypothesis.given(st.integers(1, 4), st.integers(2, 5), st.booleans())
def test_days_in_one_step_or_in_many_come_to_the_same(degree: int, days: int, tiring: bool) -> None:
    options = TIRING if tiring else OPTIONS
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


@pytest.mark.rule("mars.effect.sickness_end")
def test_a_sickness_goes_on_from_one_scene_to_the_next() -> None:
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=1, source="fever")
    do(session, "table.pass_time", amount="60 hours")
    after = left(session)
    assert [one.left for one in after.wounds.effects] == [7 * DAY_SECONDS - 60 * 3600]
    assert after.day.reckoned_at == -12 * 3600
    again = alone(from_text(character_text(after)))
    do(again, "table.pass_time", amount="12 hours")
    assert status(again).health == 20 - 3
    do(again, "table.pass_time", amount="4 days", faces=[(9, 9, 9, 9)])
    assert status(again).sickness == 0


@pytest.mark.rule("mars.effect.sickness_daily", "mars.effect.sickness_end")
def test_a_sickness_goes_with_a_character_who_leaves_and_does_nothing_here() -> None:
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=1, source="fever")
    do(session, "table.pass_time", amount="12 hours")
    session.do("table.leave", who="ann")
    do(session, "table.pass_time", amount="20 days")
    assert status(session).health == 20
    after = left(session)
    assert [one.left for one in after.wounds.effects] == [7 * DAY_SECONDS - 12 * 3600]
    assert after.day.reckoned_at == -12 * 3600


@pytest.mark.rule("mars.gap.rest.one_a_day")
def test_a_day_goes_on_in_a_scene_whose_clock_runs_already() -> None:
    tired = left(do(alone(weary()), "mars.long_rest", who="ann"))
    late = do(alone(weary()), "table.pass_time", amount="30 days")
    late.join({"character": tired.to_json(), "id": "bob", "side": "party"})
    with pytest.raises(IllegalActionError, match="one a day"):
        do(late, "mars.long_rest", who="bob")
    do(late, "table.pass_time", amount="16 hours")
    do(late, "mars.long_rest", who="bob")


def test_carried_values_are_the_old_ones() -> None:
    hurt = weary(
        wounds=Wounds(health=3, stamina=4, effects=(MarsEffect("debilitation", stat="DEX"), MarsEffect("prone")))
    )
    kept = left(alone(hurt)).wounds
    assert (kept.health, kept.endurance, kept.stamina) == (3, None, 4)
    assert [one.kind for one in kept.effects] == ["debilitation"]
    assert left(alone(person("fighter"))) == person("fighter")


def test_nothing_is_ever_above_its_maximum() -> None:
    session = alone(weary())
    for _ in range(4):
        do(session, "mars.days_of_rest", who="ann", days=5)
    most = [maximum(character(session), name, library()).total for name in RESOURCES]
    assert list(resources(session)) == most
