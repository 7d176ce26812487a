"""`Dist`: exact, immutable, never confused about kinds; its arithmetic holds for any tables."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.dice import Dist
from tablewright.dice.outcomes import format_outcome, order_of
from tablewright.errors import InvalidInputError

weights = st.integers(0, 30)
tables = st.dictionaries(st.integers(-40, 40), weights, min_size=1, max_size=8).filter(
    lambda found: any(found.values())
)
dists = tables.map(Dist)
shares = st.fractions(0, 1, max_denominator=50)


def brute(one: Dist[int], other: Dist[int], combine: Callable[[int, int], Any]) -> dict[Any, Fraction]:
    """The chances of a combination, pair by pair, in fractions."""
    found: dict[Any, Fraction] = {}
    for (a, left), (b, right) in product(one.fractions(), other.fractions()):
        found[combine(a, b)] = found.get(combine(a, b), Fraction(0)) + left * right
    return found


# ---------------------------------------------------------------------- for any distribution


@given(dists)
def test_chances_sum_to_exactly_one_and_weights_are_whole(dist: Dist[int]) -> None:
    assert sum([chance for _, chance in dist.fractions()]) == 1
    assert sum(dist.weights) == dist.total
    assert all(type(weight) is int and weight > 0 for weight in dist.weights)
    assert list(dist.outcomes) == sorted(dist.outcomes)


@given(tables, st.integers(1, 50))
def test_a_common_factor_changes_nothing(table: dict[int, int], factor: int) -> None:
    scaled = Dist({outcome: weight * factor for outcome, weight in table.items()})
    assert scaled == Dist(table)
    assert hash(scaled) == hash(Dist(table))
    assert scaled.weights == Dist(table).weights


@given(dists, dists)
def test_sums_differences_and_products_are_those_of_all_pairs(one: Dist[int], other: Dist[int]) -> None:
    assert dict((one + other).fractions()) == brute(one, other, lambda a, b: a + b)
    assert dict((one - other).fractions()) == brute(one, other, lambda a, b: a - b)
    assert dict((one * other).fractions()) == brute(one, other, lambda a, b: a * b)
    assert dict(one.product(other, max).fractions()) == brute(one, other, max)


@given(dists, dists, dists)
def test_addition_commutes_and_associates(one: Dist[int], other: Dist[int], third: Dist[int]) -> None:
    assert one + other == other + one
    assert (one + other) + third == one + (other + third)


@given(dists, dists)
def test_means_and_variances_add(one: Dist[int], other: Dist[int]) -> None:
    assert (one + other).mean == one.mean + other.mean
    assert (one - other).mean == one.mean - other.mean
    assert (one + other).variance == (one - other).variance == one.variance + other.variance
    assert (one * other).mean == one.mean * other.mean


@given(dists, st.integers(-9, 9))
def test_numbers_shift_and_scale(dist: Dist[int], number: int) -> None:
    assert dist + number == number + dist == dist.map(lambda outcome: outcome + number)
    assert dist - number == dist.map(lambda outcome: outcome - number)
    assert number - dist == dist.map(lambda outcome: number - outcome)
    assert dist * number == number * dist == dist.map(lambda outcome: outcome * number)
    assert -dist == dist.map(lambda outcome: -outcome)


@given(dists, st.integers(0, 6))
def test_times_is_repeated_addition(dist: Dist[int], count: int) -> None:
    slow: Dist[int] = Dist.of(0)
    for _ in range(count):
        slow = slow + dist
    assert dist.times(count) == count @ dist == slow


@given(dists, dists)
def test_comparing_is_antisymmetric_and_counts_all_pairs(one: Dist[int], other: Dist[int]) -> None:
    assert one.compare(other) == -other.compare(one)
    assert dict(one.compare(other).fractions()) == brute(one, other, lambda a, b: (a > b) - (a < b))


@given(dists, shares)
def test_quantiles_agree_with_at_least_and_at_most(dist: Dist[int], share: Fraction) -> None:
    found = dist.quantile(share)
    assert found in dist
    assert dist.at_most(found) >= share
    assert dist.at_most(found - 1) < share or found == dist.outcomes[0]
    assert dist.at_least(found) + dist.at_most(found - 1) == 1


@given(dists, st.integers(-40, 40))
def test_a_condition_is_a_renormalised_part(dist: Dist[int], least: int) -> None:
    chance = dist.at_least(least)
    if not chance:
        with pytest.raises(InvalidInputError, match="nothing is left"):
            dist.given(lambda outcome: outcome >= least)
        return
    part = dist.given(lambda outcome: outcome >= least)
    assert all(part[outcome] == dist[outcome] / chance for outcome in part)
    assert part.at_least(least) == 1


@given(dists, st.integers(-40, 40), st.integers(0, 4))
def test_rerolls_have_their_closed_form_and_approach_the_condition(dist: Dist[int], least: int, times: int) -> None:
    again = dist.reroll(lambda outcome: outcome < least, times)
    bad = 1 - dist.at_least(least)
    for outcome, chance in dist.fractions():
        tries = times if outcome < least else sum([bad**n for n in range(times + 1)]) - 1
        assert again[outcome] == (chance * bad**times if outcome < least else chance * (1 + tries))


@given(st.lists(st.tuples(st.integers(0, 9), dists), min_size=1, max_size=4).filter(lambda p: any(w for w, _ in p)))
def test_a_mixture_weighs_its_parts(parts: list[tuple[int, Dist[int]]]) -> None:
    mixed, every = Dist.mix(parts), sum([weight for weight, _ in parts])
    for outcome in range(-40, 41):
        assert mixed[outcome] == sum([weight * dist[outcome] for weight, dist in parts]) / Fraction(every)


@given(dists)
def test_then_is_a_mixture_by_outcome(dist: Dist[int]) -> None:
    followed = dist.then(lambda outcome: Dist.of(outcome, outcome + 1))
    assert followed == dist + Dist.of(0, 1)


@given(dists)
def test_expected_of_the_outcome_is_the_mean(dist: Dist[int]) -> None:
    assert dist.expected(lambda outcome: outcome) == dist.mean
    assert dist.expected(lambda outcome: outcome * outcome) - dist.mean**2 == dist.variance
    assert dist.standard_deviation == pytest.approx(float(dist.variance) ** 0.5)


# ---------------------------------------------------------------------- making


def test_weights_of_one_outcome_are_added_and_zeros_left_out() -> None:
    assert Dist([(1, 1), (2, 0), (1, 2), (3, 3)]) == Dist({1: 3, 3: 3}) == Dist.of(1, 3)
    assert 2 not in Dist([(1, 1), (2, 0)])


def test_tables_may_have_gaps_at_both_ends_and_within() -> None:
    assert Dist.from_table(-1, [0, 2, 0, 4, 0]) == Dist({0: 1, 2: 2})
    assert Dist.from_table(5, [3]) == Dist.of(5)


@each_case(
    "make",
    [
        lambda: Dist({}),
        lambda: Dist({1: 0}),
        Dist.of,
        lambda: Dist.from_table(0, [0, 0]),
        lambda: Dist.from_table(0, []),
        lambda: Dist.mix([]),
        lambda: Dist.mix([(0, Dist.of(1))]),
        lambda: Dist.uniform(3, 2),
        lambda: Dist({1: -1}),
        lambda: Dist({1: 1.0}),  # type: ignore[arg-type]
        lambda: Dist({1: True}),
        lambda: Dist({1.5: 1}),
        lambda: Dist([(True, 1), (1, 1)]),
        lambda: Dist.uniform(1, 10**9),
        lambda: Dist.uniform(1, 6).times(10**9),
        lambda: Dist.uniform(1, 6).times(-1),
        lambda: Dist.uniform(1, 6).reroll(lambda face: face == 1, -1),
        lambda: Dist.uniform(1, 6).reroll(lambda face: face == 1, 10**9),
        lambda: Dist.uniform(1, 1_000).product(Dist.uniform(1, 1_000), max),
        lambda: Dist.uniform(1, 6).quantile(2),
        lambda: Dist.uniform(1, 6) + "d6",
        lambda: Dist.uniform(1, 6) + True,
        lambda: Dist.uniform(1, 6) + 0.5,
        lambda: Dist.of("a", "b") + 1,
        lambda: Dist.of("a", "b").mean,
        lambda: Dist.of(True, False).mean,
    ],
)
def test_impossible_input_is_refused_in_one_line(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        make()
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) > 10


# ---------------------------------------------------------------------- kinds of outcomes


def test_true_one_and_one_point_nought_are_never_confused() -> None:
    assert Dist.of(True, False) != Dist.of(1, 0)
    assert Dist.of(True) != Dist.of(1)
    assert not Dist.of(True, False).numeric
    assert Dist.of(1, 0).numeric
    assert [type(outcome) for outcome in Dist.uniform(0, 1).map(bool).outcomes] == [bool, bool]
    with pytest.raises(InvalidInputError, match="floats"):
        Dist.of(1.0)
    with pytest.raises(InvalidInputError, match="True and 1"):
        Dist.mix([(1, Dist.of(True)), (1, Dist.of(1))])
    with pytest.raises(InvalidInputError, match="True and 1"):
        Dist.of(0, 1).map(lambda face: bool(face) if face else 1)


class Grade(Enum):
    """Declared against the alphabet."""

    FAIR = "fair"
    AWFUL = "awful"


def test_outcomes_are_in_a_stable_order() -> None:
    assert list(Dist.of(Grade.AWFUL, Grade.FAIR)) == [Grade.FAIR, Grade.AWFUL]
    assert list(Dist([(3, 1), (-1, 1), (2, 1)])) == [-1, 2, 3]
    assert list(Dist.of("b", "a")) == ["a", "b"]
    assert sorted([(1, "b"), (1, None), (0, "z")], key=order_of) == [(0, "z"), (1, None), (1, "b")]
    assert Dist([("b", 1), ("a", 2)]) == Dist([("a", 2), ("b", 1)])


def test_outcomes_are_shown_as_people_read_them() -> None:
    assert format_outcome(Grade.FAIR) == "fair"
    assert format_outcome((Grade.AWFUL, 2)) == "(awful, 2)"
    assert repr(Dist.of(Grade.FAIR)) == "Dist({fair: 1})"
    assert "... 76 more ..." in repr(Dist.uniform(1, 100))


def test_fractions_are_numbers_too() -> None:
    halves = Dist.of(Fraction(1, 2), Fraction(3, 2))
    assert halves.mean == 1
    assert (halves + 1).mean == 2
    assert (halves + Dist.uniform(1, 2))[Fraction(3, 2)] == Fraction(1, 4)


def test_a_distribution_cannot_be_changed() -> None:
    dist = Dist.uniform(1, 6)
    for name in ("outcomes", "weights", "total"):
        with pytest.raises(AttributeError):
            setattr(dist, name, ())
    with pytest.raises(AttributeError):
        dist.extra = 1  # type: ignore[attr-defined]
