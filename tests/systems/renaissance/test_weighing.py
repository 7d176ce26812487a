"""Ratings of bots: exact averages of the rule, counted in another way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from each_case import each_case
from patience import at_most_calls
from tablewright.engine import odds
from tablewright.systems.renaissance.actions.attack import worth_of
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.harm import NO_RESERVE, STRIKES, Defence, Strike, hurt
from tablewright.systems.renaissance.values import DV


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.unaware", "renaissance.strike.procedure")
@settings(max_examples=30, deadline=None)
@given(
    target=st.integers(-10, 110),
    dv=st.builds(DV, st.integers(0, 3), st.integers(0, 12), st.just(False), st.booleans()),
    defences=st.lists(st.builds(Defence, st.just("fray"), st.integers(-10, 99), st.sampled_from([0, 20])), max_size=2),
    armor=st.integers(0, 9),
    ap=st.integers(0, 6),
    wound_threshold=st.integers(0, 9),
    balance=st.integers(0, 99),
    negated=st.integers(0, 2),
    left=st.sampled_from([NO_RESERVE, 15]),
    strike=st.sampled_from(["", *STRIKES]),
    vulnerability=st.integers(-1, 1),
    ignoring=st.booleans(),
    dares=st.booleans(),
    daring=st.sampled_from([0, 20]),
    graded=st.booleans(),
    rules=st.fixed_dictionaries(
        {
            "ordered_first_failure": st.sampled_from(["lose", "reroll"]),
            "critical_attack": st.sampled_from(["roll_twice_best", "ignore_armor"]),
            "resistance_rule": st.sampled_from(["scale_dv", "check_20", "regrade", "reroll_damage"]),
            "wound_boundary": st.sampled_from(["literal", "at_least"]),
            "wound_check": st.sampled_from(["per_event", "per_wound"]),
            "attack_bonus_basis": st.sampled_from(["either", "mos", "grade"]),
        }
    ),
)
def test_the_quick_worth_is_the_exact_one(rules: dict[str, str], strike: str, **given: Any) -> None:
    given["defences"] = tuple(given["defences"])
    given["luck"] = int(given["ignoring"]) + (given["dares"] and given["daring"] > 0)
    call = attack(
        **given,
        balance_penalties=10,
        footing=30,
        penalties=20,
        damage_bonus=4,
        precision=1,
        strikes=(Strike(strike, -10),) if strike else (),
        plain=not strike,
        **rules,
    )
    exact = odds(call, "worth").expected(call.mechanic.objective("worth")[1])
    assert worth_of(call) == exact


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize("given", [{"luck": 1}, {"their_luck": 1}, {"strikes": (Strike("maim", -20),)}, {"luck": 2}])
def test_later_choices_are_part_of_the_value(given: dict[str, Any]) -> None:
    call = attack(60, DV(2), (Defence("fray", 40),), penalties=20, ignoring=False, **given)
    assert worth_of(call) == odds(call, "worth").expected(call.mechanic.objective("worth")[1])


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.strike.declare")
@pytest.mark.parametrize("targets", [(3, 9), (9, 3), (3, 6, 9)])
def test_the_worse_defence_can_be_the_better_one(targets: tuple[int, ...]) -> None:
    """Behind armor a hit that does nothing is better than a tie, which is rolled again."""
    given: dict[str, Any] = {"armor": 9, "wound_threshold": 50, "ignoring": False}
    alone = [worth_of(attack(80, DV(0, 5), (Defence("fray", target),), **given)) for target in sorted(targets)]
    assert alone == sorted(set(alone))
    call = attack(80, DV(0, 5), tuple([Defence("fray", target) for target in targets]), **given)
    assert worth_of(call) == odds(call, "worth").expected(call.mechanic.objective("worth")[1])


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.critical")
def test_a_worth_worked_out_by_hand() -> None:
    """Target 9 against nothing: rolls 0 to 9, of which 0 is critical; 5 damage each, the critical one 10."""
    call = attack(9, DV(0, 5), wound_threshold=50, ignoring=False)
    assert worth_of(call) == Fraction(9 * 50 + 1 * 100, 100)


SLOWLY = replace(hurt, name="renaissance.hurt_run_to_every_end", closed=None)
WAYS: list[dict[str, Any]] = [
    {"dv": DV(2, 6), "armor": 6, "ap": 2, "luck": 0},
    {"dv": DV(2, 6), "armor": 3, "luck": 1, "balance_penalties": 20, "balance": 40},
    {"dv": DV(2, 9), "luck": 2, "balance": 35, "footing": 20, "balance_penalties": 10},
    {"dv": DV(2, 9), "luck": 3, "footing": 30, "wound_check": "per_wound", "wound_threshold": 7},
    {"dv": DV(2, 9), "luck": 2, "left": 12, "critical": True},
    {"dv": DV(1, 9), "luck": 1, "critical": True, "armor": 5, "critical_attack": "ignore_armor"},
    {"dv": DV(2, 4), "luck": 1, "vulnerability": -1, "resistance_rule": "reroll_damage"},
    {"dv": DV(2, 4, False, True), "luck": 1, "vulnerability": 1, "less": 4},
    {"dv": DV(0, 14), "luck": 2, "wound_boundary": "at_least", "wound_threshold": 7},
    {"dv": DV(2, 9), "luck": 1, "balance": 35, "footing": 25, "negated": 2},
    {"dv": DV(0, 3), "luck": 2},
    {"dv": DV(2, 9), "luck": 3, "balance": 35, "footing": 25, "balance_penalties": 10, "daring": 20},
    {"dv": DV(2, 9), "luck": 3, "balance": 35, "footing": 25, "balance_penalties": 10, "luck_per_check": 1},
    {"dv": DV(2, 9), "luck": 2, "wound_check": "per_wound", "wound_threshold": 7, "daring": 20, "luck_per_check": 1},
]


@pytest.mark.rule("renaissance.armor.damage", "renaissance.injury.wounds", "renaissance.injury.knockdown")
@each_case("given", WAYS)
@each_case("objective", ["worth", "damage", "wounds"])
def test_harm_in_closed_form_is_what_the_rule_gives(given: dict[str, Any], objective: str) -> None:
    value = _upright if objective == "worth" else hurt.objective(objective)[1]
    quick, slow = odds(hurt(**given), value), odds(SLOWLY(**given), value)
    assert quick.expected(value) == slow.expected(value)
    if not given["luck"]:
        assert quick == slow


def _upright(result: Any) -> int:
    """Aim of the target: to stand, and to keep Luck."""
    return int(-50 * result.prone - 20 * result.luck)


@pytest.mark.rule("renaissance.injury.wounds", "renaissance.injury.knockdown", "renaissance.strike.knock_down")
@each_case("given", WAYS)
def test_all_that_can_become_of_the_hurt_is_known_beforehand(given: dict[str, Any]) -> None:
    assert hurt.closed is not None
    form = hurt.closed(*hurt(**given).arguments)
    assert form is not None
    assert form.deciding is (given["luck"] > 0 and given["dv"] != DV(0, 3))
    for value in (_upright, lambda result: -_upright(result), None):
        assert set(form.best(value).outcomes) <= set(form.support())


@pytest.mark.rule("renaissance.injury.knockdown", "renaissance.luck.flip", "renaissance.luck.limit")
def test_a_check_for_every_wound_is_weighed_once_for_each_luck_left() -> None:
    call = hurt(dv=DV(6, 35), wound_threshold=3, balance=45, balance_penalties=10, luck=6, wound_check="per_wound")
    with at_most_calls(400_000):
        found = odds(call, "worth")
    assert sum([hurt.wounds for hurt in found.outcomes]) > 20
    assert found.remainder == 0
