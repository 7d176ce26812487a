"""Exact chances of fights against the same fights sampled, in every system, also from the middle of a fight."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from conformance.places import at_length
from lab.scenes import folk, last_turns, scenario
from lab.test_solving import small
from tablewright.lab.fights.exact import ExactResult, FightTooLargeError, solve
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.simulation import simulate
from tablewright.lab.fights.totals import FightTotals
from tablewright.lab.fights.trial import Arena

FIGHTS = 5_000 if at_length() else 250
"""Fights that a solved duel is compared with; `make soak` takes more."""


def agrees(solved: ExactResult, counts: FightTotals) -> None:
    """Every figure lies within four standard errors of the exact one."""
    fights = counts.fights
    assert sum(solved.won.values()) + solved.remainder == 1

    def is_near(times: int, exact: Fraction) -> bool:
        spread = (float(exact) * (1 - float(exact)) / fights) ** 0.5
        return bool(abs(times / fights - float(exact)) <= 4 * spread + float(solved.remainder))

    for side, exact in solved.won.items():
        assert is_near(counts.won.get(side, 0), exact), side
    assert counts.rounds.seen is not None
    for number, exact in solved.rounds.items():
        assert is_near(counts.rounds.seen.get(number, 0), exact), number
    for who, person in counts.people.items():
        assert is_near(person.fell, solved.fell[who]), who
        assert is_near(person.died, solved.died[who]), who
        for name, exact in solved.left[who].items():
            found = person.left[name].mean()
            assert abs(found.value - float(exact)) <= 4 * max(0.01, found.half / 1.96), (who, name)
        taken = person.taken.filled(fights).mean(0)
        exact = solved.harms.get(("taken", who, ""), Fraction(0))
        assert abs(taken.value - float(exact)) <= 4 * max(0.01, taken.half / 1.96), who


LAST_TURNS = {
    "mars": ("mars:goblin mars:goblin", 0, 1),
    "stage": ("stage:guard stage:guard", 0, 1),
    "renaissance": ("renaissance:wolf renaissance:wolf", 0, 1),
    "marchen": ("marchen:wolf marchen:wolf", 1, 2),
    "opend6": ("opend6:guard_dog opend6:guard_dog", 3, 1),
}
"""Duels of the demo's people, near their end: with whole ones each turn has too many outcomes for a quick test."""


def open_end(people: str, number: int, turns: int) -> tuple[ExactResult, Arena]:
    """The first duel from a number on that either side can still win near its end."""
    for one in range(number, number + 30):
        job, ring = last_turns(people, one, turns)
        try:
            solved = solve(job, ring)
        except FightTooLargeError:
            continue
        if len([chance for chance in solved.won.values() if chance]) > 1:
            return solved, ring
    raise AssertionError(f"the end of every duel of {people} is decided")


@pytest.mark.parametrize("system", LAST_TURNS)
def test_the_end_of_a_duel_agrees_with_the_sampled_one(system: str) -> None:
    solved, ring = open_end(*LAST_TURNS[system])
    assert solved.remainder < Fraction(1, 10**7)
    agrees(solved, ring.count(range(FIGHTS)))


@pytest.mark.skipif(not at_length(), reason="takes minutes; make soak runs it")
@pytest.mark.parametrize("system", ["opend6", "renaissance", "stage"])
def test_more_of_a_duel_agrees_too(system: str) -> None:
    """One turn earlier, and into the next round."""
    people, number, turns = LAST_TURNS[system]
    job, ring = last_turns(people, number, turns + 1, rounds=1)
    agrees(solve(job, ring), ring.count(range(FIGHTS)))


def test_a_whole_duel_is_solved_and_agrees() -> None:
    """Fight to the end, without a limit of rounds."""
    job = small(runs=FIGHTS, rounds=50)
    solved = solve(job)
    assert solved.remainder < Fraction(1, 10**9)
    assert max(solved.rounds) > 2
    told = solved.to_json()["people"]["ann"]["damage"]
    assert told["dealt"] == told["by_source"][""] == float(solved.harms["taken", "rat", ""])
    agrees(solved, simulate(job).counts)


def test_damage_by_hand() -> None:
    """Ann's six coins, tails turned once, take four and a half; the rat has none to strike with."""
    job = job_of(
        scenario(folk("ann", "folk", 1, 5), folk("rat", "vermin", 1, 5), rounds=1, options={"ducking": "never"}),
        modifiers=[("strike", 5, "ann"), ("strike", -1, "rat")],
    )
    solved = solve(job)
    assert solved.harms == {("taken", "rat", ""): Fraction(9, 2), ("dealt", "ann", ""): Fraction(9, 2)}
    assert solved.to_json()["people"]["rat"]["damage"] == {"taken": 4.5, "dealt": 0, "by_source": {}}


def test_a_character_who_fell_at_any_time_counts() -> None:
    """Down with two or three health, and up again with less: who falls on the way need not be down at the end."""
    job = small(rounds=20)
    ring = job.ring()
    limping = replace(ring.book.vitals, is_standing=lambda one: one.status.health not in (2, 3))
    ring = Arena(ring.header, replace(ring.book, vitals=limping), ring.policies, seed=2)
    solved, counts = solve(job, ring), ring.count(range(FIGHTS))
    assert solved.fell["rat"] > Fraction(1, 2)
    assert solved.fell != solve(job).fell
    agrees(solved, counts)


def test_dice_that_are_rolled_again_without_end_are_told() -> None:
    """Two guards who tie for initiative roll again, and again."""
    job, _ = last_turns("stage:guard stage:guard", 0, 1)
    with pytest.raises(FightTooLargeError, match=r"more than 200 ways .* rolled again where they tie have no end"):
        solve(job, most=200)
