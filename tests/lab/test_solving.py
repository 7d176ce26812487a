"""Fights that are solved: against chances known by hand, and against the same fights sampled."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from lab.scenes import folk, scenario
from tablewright.errors import TablewrightError
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.exact import FightTooLargeError, solve
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.simulation import simulate

SMALL = {"options": {"ducking": "never"}}


def small(*, rounds: int = 3, coins: int = 3, **more: object) -> Job:
    """Two that strike with more coins than they have grit, and no one ducks: over in a few blows."""
    people = folk("ann", "folk", 1, 5), folk("rat", "vermin", 1, 5)
    return job_of(
        scenario(*people, rounds=rounds, **SMALL),
        modifiers=[("strike", coins, "ann"), ("strike", coins, "rat")],
        **more,  # type: ignore[arg-type]
    )


def test_one_blow_by_hand() -> None:
    """Six coins, and all tails are turned once: five heads of three in four fell a rat of five health."""
    job = job_of(
        scenario(folk("ann", "folk", 1, 5), folk("rat", "vermin", 1, 5), rounds=1, **SMALL),
        modifiers=[("strike", 5, "ann"), ("strike", -1, "rat")],
    )
    by_hand = sum([comb(6, heads) * Fraction(3, 4) ** heads * Fraction(1, 4) ** (6 - heads) for heads in (5, 6)])
    solved = solve(job)
    assert solved.won["folk"] == by_hand == Fraction(2187, 4096)
    assert solved.won[""] == 1 - by_hand
    assert solved.fell == {"ann": 0, "rat": by_hand}
    assert solved.rounds == {1: 1}
    assert solved.remainder == 0
    assert solved.left["rat"]["health"] == 5 - 6 * Fraction(3, 4)


def test_a_whole_duel_lies_within_the_interval_of_the_sampled_one() -> None:
    job = small(runs=600, rounds=20)
    solved, sampled = solve(job), simulate(job)
    assert solved.remainder < Fraction(1, 10**9)
    assert sum(solved.won.values()) + solved.remainder == 1
    for side in ("folk", "vermin"):
        found = sampled.counts.share_won(side)
        spread = (found.value * (1 - found.value) / 600) ** 0.5
        assert abs(found.value - float(solved.won[side])) < 4 * spread
    for who in ("ann", "rat"):
        for name, exact in solved.left[who].items():
            count = sampled.counts.people[who].left[name].mean()
            assert abs(count.value - float(exact)) < 4 * max(0.01, count.half / 1.96)
    rounds = sampled.counts.rounds.mean()
    exact_rounds = sum([number * chance for number, chance in solved.rounds.items()])
    assert abs(rounds.value - float(exact_rounds)) < 4 * rounds.half / 1.96


def test_a_character_who_ducks_without_knowing_the_others_luck_does_so_in_both() -> None:
    """A choice inside a rule by a seat that may not know everything: solved as it is played."""
    job = job_of(scenario(folk("ann", "folk", 2, 4), folk("rat", "vermin", 2, 4), rounds=2), runs=800)
    solved, sampled = solve(job), simulate(job)
    for name, exact in solved.left["rat"].items():
        count = sampled.counts.people["rat"].left[name].mean()
        assert abs(count.value - float(exact)) < 4 * max(0.01, count.half / 1.96)


def test_a_random_policy_is_solved_too() -> None:
    job = small(rounds=1, runs=600, policies={"*": "random"})
    solved, sampled = solve(job), simulate(job)
    for who in ("ann", "rat"):
        for name, exact in solved.left[who].items():
            count = sampled.counts.people[who].left[name].mean()
            assert abs(count.value - float(exact)) < 4 * max(0.01, count.half / 1.96)


def test_oversized_input_is_refused() -> None:
    with pytest.raises(FightTooLargeError, match="more than 50 ways"):
        solve(small(rounds=20), most=50)
    with pytest.raises(FightTooLargeError, match="more than 3 scenes at once"):
        solve(small(rounds=20), widest=3)
    with pytest.raises(TablewrightError, match="8 take part"):
        solve(job_of(load_scenario("mars:together")))
