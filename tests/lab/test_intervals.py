"""Intervals hold the true value as often as they say, over many seeds of a fight whose chance is known."""

from __future__ import annotations

from math import comb, sqrt
from random import Random

import pytest

from lab.scenes import coin_flip
from tablewright.lab.fights.intervals import mean, quantile, share, student
from tablewright.lab.fights.paired import Cells
from tablewright.lab.fights.totals import Count, FightTotals

SEEDS, FIGHTS = 100, 30


@pytest.fixture(scope="module")
def flips() -> list[FightTotals]:
    """A coin flipped thirty times, for each of a hundred seeds."""
    return [coin_flip(seed).count(range(FIGHTS)) for seed in range(SEEDS)]


def far(covered: int, of: int, rate: float) -> float:
    """By how many standard deviations a number of hits is away from its rate."""
    return (covered - of * rate) / sqrt(of * rate * (1 - rate))


def test_a_coin_flip_is_fifty_percent(flips: list[FightTotals]) -> None:
    wins = sum([counts.won.get("folk", 0) for counts in flips])
    assert abs(far(wins, SEEDS * FIGHTS, 0.5)) < 4
    assert all(set(counts.won) <= {"folk", ""} for counts in flips)


def test_shares_cover_at_their_rate(flips: list[FightTotals]) -> None:
    covered = 0
    for counts in flips:
        found = counts.share_won("folk")
        covered += found.low <= 0.5 <= found.high
    exactly = sum(
        [comb(FIGHTS, k) / 2**FIGHTS for k in range(FIGHTS + 1) if share(k, FIGHTS).low <= 0.5 <= share(k, FIGHTS).high]
    )
    assert 0.93 < exactly < 0.97
    assert abs(far(covered, SEEDS, exactly)) < 4


def test_means_cover_at_their_rate(flips: list[FightTotals]) -> None:
    """A blow of one harm that lands in half of the fights: half a harm on average."""
    covered = 0
    for counts in flips:
        found = counts.people["rat"].taken.mean()
        covered += found.low <= 0.5 <= found.high
    assert abs(far(covered, SEEDS, 0.95)) < 4


@pytest.mark.parametrize("chance", [0.02, 0.1, 0.5, 0.97])
@pytest.mark.parametrize("of", [20, 200])
def test_shares_of_any_size_cover_nearly_at_their_rate(chance: float, of: int) -> None:
    """Exactly, over all outcomes. Wilson's interval is a little off for rare things in few cases, never by much."""
    covered = 0.0
    for k in range(of + 1):
        found = share(k, of)
        if found.low <= chance <= found.high:
            covered += comb(of, k) * chance**k * (1 - chance) ** (of - k)
    assert 0.9 < covered <= 1


def test_means_of_a_skewed_number_cover_nearly_at_their_rate() -> None:
    dice, covered, true = Random(5), 0, sum([face * face for face in range(1, 7)]) / 6
    for _ in range(1_000):
        count = Count()
        for _ in range(60):
            count.add(dice.randint(1, 6) ** 2)
        found = count.mean()
        covered += found.low <= true <= found.high
    assert abs(far(covered, 1_000, 0.95)) < 4


@pytest.mark.parametrize("below", [0.1, 0.5, 0.9])
def test_quantiles_cover_at_least_at_their_rate(below: float) -> None:
    """The bounds for whole numbers hold the true quantile more often than they must, never less."""
    dice, covered, true = Random(6), 0, round(below * 1_000)
    for _ in range(1_000):
        counts: dict[int, int] = {}
        for _ in range(120):
            number = dice.randint(1, 1_000)
            counts[number] = counts.get(number, 0) + 1
        found = quantile(counts, below)
        covered += found.low <= true <= found.high
    assert far(covered, 1_000, 0.95) > -4


def test_differences_of_pairs_cover_at_their_rate() -> None:
    dice, covered = Random(7), 0
    for _ in range(1_000):
        cells = Cells()
        for _ in range(80):
            common = dice.random()  # 60 percent before, 70 percent after, hanging together
            cells.add(common < 0.6, common < 0.5 or dice.random() < 0.4)
        found = cells.difference()
        covered += found.low <= 0.1 <= found.high
    assert abs(far(covered, 1_000, 0.95)) < 4


def test_one_case_says_nothing_of_a_mean() -> None:
    assert mean(7, 49, 1).to_json() == {"value": 7.0, "low": None, "high": None}
    assert mean(0, 0, 0).to_json()["low"] is None
    assert quantile({}, 0.5).to_json()["high"] is None


def test_student_goes_to_the_normal_value() -> None:
    assert [round(student(freedom), 3) for freedom in (3, 4, 5, 10, 60, 10**6)] == [
        3.182,
        2.776,
        2.571,
        2.228,
        2.000,
        1.960,
    ]


def test_counts_are_the_same_however_they_are_grouped() -> None:
    whole = coin_flip(3).count(range(40))
    parts = FightTotals()
    for start in range(0, 40, 8):
        parts.merge(FightTotals.from_json(coin_flip(3).count(range(start, start + 8)).to_json()))
    assert parts.to_json() == whole.to_json()


def test_too_many_different_numbers_leave_mean_and_spread() -> None:
    count = Count()
    for number in range(5_000):
        count.add(number)
    assert count.seen is None
    assert count.quantile(0.5) is None
    assert count.mean().value == 2499.5
    other = Count()
    other.merge(count)
    assert other.to_json() == count.to_json()
