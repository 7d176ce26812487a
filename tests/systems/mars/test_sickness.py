"""Sickness and fatigue: what they take by the day, how they end, and how they go on from scene to scene."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.people import LEDGER, SPENT, alone, do, from_text, left, person, resources, scene_of, somebody, weary
from systems.playing import status
from tablewright.engine import Tally
from tablewright.game.character.character import character_text
from tablewright.game.scene.events import Event
from tablewright.systems.mars.character.record import Day, MarsEffect, Wounds
from tablewright.systems.mars.events.recovery import DayWentOn
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.recovery import half_up, limited
from tablewright.systems.mars.status import DAY_SECONDS

TIRING = MarsOptions(fatigue="on")


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


@pytest.mark.rule("mars.effect.sickness_daily", "mars.effect.sickness_multiple")
@each_case(("degrees", "lost"), [((1,), 1), ((2,), 1), ((3,), 2), ((4,), 2), ((4, 1), 2)])
def test_every_day_costs_half_of_the_greatest_degree_rounded_up(degrees: tuple[int, ...], lost: int) -> None:
    ill = [MarsEffect("sickness", degree=one, source=f"fever {one}", left=10**7) for one in degrees]
    session = do(alone(somebody(STR="r20", wounds=Wounds(effects=tuple(ill)))), "table.pass_time", amount="3 days")
    assert status(session).health == 20 - 3 * lost
    assert [one.degree for one in status(session).effects if one.kind == "sickness"] == list(degrees)
    assert half_up(max(degrees)) == lost


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
@each_case(
    ("ancestry", "faces", "degree"),
    [("", (5, 5), 0), ("", (5, 4), 2), ("dwarf", (2, 2, 9), 0)],  # a dwarf has an advantage: one die is rerolled
)
def test_catching_a_sickness_can_be_resisted_and_dwarves_do_it_better(
    ancestry: str, faces: tuple[int, ...], degree: int
) -> None:
    session = alone(somebody(ancestry=ancestry))
    do(session, "mars.fall_sick", who="ann", degree=2, resisted=True, faces=[faces])
    assert status(session).sickness == degree


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


@pytest.mark.rule("mars.effect.sickness_end", "mars.effect.sickness_daily")
@pytest.mark.parametrize("leaves", [False, True])
def test_a_sickness_goes_on_from_one_scene_to_the_next(leaves: bool) -> None:
    session = alone(somebody(STR="r20", RES="r20"))
    do(session, "mars.fall_sick", who="ann", degree=1, source="fever")
    do(session, "table.pass_time", amount="60 hours")
    if leaves:  # what happens here afterwards does nothing to a character who has left
        session.do("table.leave", who="ann")
        do(session, "table.pass_time", amount="20 days")
    assert status(session).health == 20 - 2
    after = left(session)
    assert [one.left for one in after.wounds.effects] == [7 * DAY_SECONDS - 60 * 3600]
    assert after.day.reckoned_at == -12 * 3600
    again = alone(from_text(character_text(after)))
    do(again, "table.pass_time", amount="12 hours")
    assert status(again).health == 20 - 3
    do(again, "table.pass_time", amount="4 days", faces=[(9, 9, 9, 9)])
    assert status(again).sickness == 0


@pytest.mark.rule("mars.effect.sickness_end", "mars.effect.sickness_multiple")
@each_case("order", [("cold", "fever"), ("fever", "cold")])
def test_a_check_is_about_one_sickness(order: tuple[str, str]) -> None:
    session = alone(somebody(RES="r20", STR="r20"))
    for name in order:
        degree, days = {"cold": (1, 30), "fever": (3, 7)}[name]
        do(session, "mars.fall_sick", who="ann", degree=degree, source=name, days=days)
    do(session, "table.pass_time", amount="7 days", faces=[(10, 10, 10, 10)])
    degrees = {one.source: one.degree for one in status(session).effects if one.kind == "sickness"}
    assert degrees == {"cold": 1, "fever": 2}


@pytest.mark.rule("mars.effect.sickness_daily", "mars.effect.sickness_end")
@each_case(("remaining", "due"), [(0, 1), (1, 1), (2, 2), (3600, 3600), (None, None)])
def test_a_sickness_goes_on_where_it_was_left(remaining: int | None, due: int | None) -> None:
    lasting: dict[str, Any] = {} if remaining is None else {"left": remaining}
    ill = person("fighter", wounds=Wounds(effects=(MarsEffect("sickness", degree=1, source="flu", **lasting),)))
    assert scene_of({"ann": ill}).clock.left("sickness", who="ann") == due


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


@pytest.mark.rule("mars.rest.limits", "mars.gap.fatigue.degrees")
@pytest.mark.parametrize(("fatigue", "fed", "eats"), [("on", True, 2), ("on", False, 0), ("off", True, 0)])
def test_meals_are_counted_only_where_hunger_tires(fatigue: Any, fed: bool, eats: int) -> None:
    session = do(
        alone(person("fighter"), MarsOptions(fatigue=fatigue)), "mars.days_of_rest", who="ann", days=2, fed=fed
    )
    meals = [line for line in session.log if isinstance(line, DayWentOn) and line.what == "eats and drinks"]
    assert len(meals) == eats


@pytest.mark.rule("mars.gap.fatigue.degrees")
@each_case(("ago", "due"), [(0, 24 * 3600), (6, 18 * 3600), (23, 3600), (24, 1), (-3, 24 * 3600)])
def test_a_day_goes_on_where_it_was_left(ago: int, due: int) -> None:
    one = person("fighter", day=Day(reckoned_at=-3600 * ago))
    assert scene_of({"ann": one}, TIRING).clock.left("day", who="ann") == due
    assert scene_of({"ann": one}).clock.left("day", who="ann") is None
    assert scene_of({"ann": person("wolf")}, TIRING).clock.left("day", who="ann") is None
