"""Fights solved from the tables of the batch path: as by scenes, as by hand, and as sampled, in every system."""

from __future__ import annotations

from fractions import Fraction

import pytest

from conformance.places import at_length
from lab.scenes import duel, last_turns
from lab.test_solving import small
from tablewright.game.scenario import load_scenario
from tablewright.lab.batch import exactly
from tablewright.lab.batch.exactly import solve_by_tables, solve_exactly
from tablewright.lab.counts import Counts
from tablewright.lab.jobs import job_of
from tablewright.lab.simulating import simulate
from tablewright.lab.solving import Solved, TooLarge, solve

FIGHTS = 5_000 if at_length() else 250
"""How many fights a solved duel is compared with; `make soak` takes more."""


def agrees(solved: Solved, counts: Counts) -> None:
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


@pytest.mark.parametrize("system", LAST_TURNS)
def test_the_end_of_a_duel_agrees_with_the_sampled_one(system: str) -> None:
    job, ring = last_turns(*LAST_TURNS[system])
    solved = solve_by_tables(job, ring, most=2_000, most_states=50_000)
    assert len([chance for chance in solved.won.values() if chance]) > 1, "it is open"
    assert solved.remainder < Fraction(1, 10**7)
    agrees(solved, ring.count(range(FIGHTS)))


@pytest.mark.skipif(not at_length(), reason="takes minutes; make soak runs it")
@pytest.mark.parametrize("system", ["opend6", "renaissance", "stage"])
def test_more_of_a_duel_agrees_too(system: str) -> None:
    """One turn earlier, and into the next round."""
    people, number, turns = LAST_TURNS[system]
    job, ring = last_turns(people, number, turns + 1, rounds=1)
    agrees(solve_by_tables(job, ring), ring.count(range(FIGHTS)))


def test_tables_and_scenes_give_the_same_fractions() -> None:
    for job in (small(rounds=2), small(rounds=1, policies={"*": "random"}), duel(runs=1, rounds=1)):
        one, other = solve_by_tables(job), solve(job)
        assert one.remainder == other.remainder == 0
        assert (one.won, one.fell, one.died) == (other.won, other.fell, other.died)
        assert (one.rounds, one.left) == (other.rounds, other.left)


def test_a_whole_duel_is_solved_and_agrees() -> None:
    """As many rounds as it takes."""
    job = small(runs=FIGHTS, rounds=50)
    solved = solve_exactly(job)
    assert solved.remainder < Fraction(1, 10**9)
    assert max(solved.rounds) > 2
    told = solved.to_json()["people"]["ann"]["damage"]
    assert told["dealt"] == told["by_source"][""] == float(solved.harms["taken", "rat", ""])
    agrees(solved, simulate(job).counts)


def test_what_is_too_large_is_refused_with_the_reason() -> None:
    with pytest.raises(TooLarge, match="more than 3 pieces of it had to be played"):
        solve_by_tables(duel(), most=3)
    with pytest.raises(TooLarge, match="more than 9 states"):
        solve_by_tables(duel(), most_states=9)
    with pytest.raises(TooLarge, match="8 take part"):
        solve_exactly(job_of(load_scenario("mars:together")))


def test_dice_that_are_rolled_again_without_end_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guards who tie for initiative roll again, and again."""
    monkeypatch.setattr(exactly, "MOST_WAYS_OF_ONE", 50)
    job, _ = last_turns("stage:guard stage:guard", 0, 1)
    with pytest.raises(
        TooLarge, match=r"how it begins has more than 50 ways .* rolled again where they tie have no end"
    ):
        solve_exactly(job)
