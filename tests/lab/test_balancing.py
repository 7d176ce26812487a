"""The search for a wanted chance: against a chance whose course is known, and on a real fight."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from lab.scenes import duel, folk, scenario
from tablewright.errors import InvalidInputError
from tablewright.lab.fights.balance import Balance, Lever, balance, by_number, by_strength
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.simulation import SideTest, simulate
from tablewright.lab.fights.totals import FightTotals


@pytest.fixture(scope="module")
def crowd() -> Job:
    """Two of the folk against rats."""
    people = folk("ann", "folk", 4, 2), folk("bob", "folk", 4, 2), folk("rat", "vermin", 2, 4)
    return job_of(scenario(*people), runs=16)


def test_the_number_of_foes_for_a_wanted_chance(crowd: Job) -> None:
    found = balance(by_number(crowd, "rat"), "folk", 0.5, until=None)
    assert found.lever.now == 1
    assert found.chance(1).value > 0.9
    best = found.best
    assert best > 1
    tried = {number: found.chance(number).value for number in found.tried}
    below, above = [n for n in tried if tried[n] >= 0.5], [n for n in tried if tried[n] < 0.5]
    assert min(above) - max(below) == 1
    assert best in (max(below), min(above))
    assert found.tried[best].digest == simulate(found.lever.job(best)).digest


def test_a_strength_can_go_down(crowd: Job) -> None:
    hard = by_strength(duel(runs=30), "modify:rat.strike+1")
    found = balance(hard, "folk", 0.8, until=None)
    assert found.best < 0
    assert found.chance(found.best).value > found.chance(0).value


def test_unavailable_items_are_told(crowd: Job) -> None:
    """One rat is the least there can be where it is alone: no number makes it easier."""
    hard = job_of(scenario(folk("ann", "folk", 1, 5), folk("rat", "vermin", 5, 1)), runs=30)
    found = balance(by_number(hard, "rat"), "folk", 0.95, until=None)
    assert found.best == 1
    assert list(found.tried) == [1]
    assert not found.reached


def test_present_characters_are_counted() -> None:
    """Two rats are two, whatever they are called: a number means so many in all, and can go down."""
    people = folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), folk("rat-2", "vermin", 3, 3)
    lever = by_number(job_of(scenario(*people), runs=10), "rat-2")
    assert (lever.low, lever.now) == (1, 2)
    sizes = {number: len(lever.job(number).scenario["participants"]) for number in (1, 2, 4)}
    assert sizes == {1: 2, 2: 3, 4: 5}
    other = folk("cat", "vermin", 4, 2)
    lever = by_number(job_of(scenario(*people, other), runs=10), "rat")
    assert (lever.low, lever.now) == (0, 2)
    assert [given["id"] for given in lever.job(0).scenario["participants"]] == ["ann", "cat"]


def test_more_of_your_own_side_make_it_easier() -> None:
    people = folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), folk("rat-2", "vermin", 3, 3)
    job = job_of(scenario(*people), runs=20)
    found = balance(by_number(job, "ann"), "folk", 0.6, until=None)
    assert found.best > 1
    assert found.chance(found.best).value > found.chance(1).value
    assert found.between is not None
    assert abs(found.between[0] - found.between[1]) == 1


def eased(step: str) -> Lever:
    """A hard fight with a number that changes by steps."""
    people = folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), folk("rat-2", "vermin", 3, 3)
    return by_strength(job_of(scenario(*people), runs=20), step)


@cache
def balanced(step: str) -> Balance:
    """The number of steps at which the hard fight is rather won."""
    return balance(eased(step), "folk", 0.6, until=None)


@pytest.mark.parametrize("step", ["modify:folk.strike+1", "modify:vermin.strike-1", "modify:ann.strike-1"])
def test_a_strength_goes_where_it_helps(step: str) -> None:
    """To make the party stronger helps it; to make the foes weaker does too; to make the party weaker does not."""
    found = balanced(step)
    assert found.best != 0
    assert (found.best > 0) == (step != "modify:ann.strike-1")
    assert found.chance(found.best).value > found.chance(0).value


def test_a_number_that_works_the_other_way_is_found_as_well() -> None:
    """More of it makes this fight easier: the search turns round."""
    turned = replace(eased("modify:folk.strike+1"), helps="vermin")
    assert balance(turned, "folk", 0.6, until=None).best == balanced("modify:folk.strike+1").best


def test_reason_for_the_end_of_a_search(crowd: Job) -> None:
    """The end of what is tried is no proof that no number would do."""
    found = balance(replace(by_number(replace(crowd, runs=10), "rat"), high=2), "folk", 0.01, until=None)
    assert found.between is None
    assert found.why == "more than 2 are not tried"
    assert found.to_json()["why"] == found.why


@pytest.mark.parametrize(
    ("target", "side", "said"),
    [(0.0, "folk", "above 0"), (1.0, "folk", "above 0"), (0.5, "fool", 'there is no side "fool"')],
)
def test_wrong_wishes_are_refused(target: float, side: str, said: str, crowd: Job) -> None:
    with pytest.raises(InvalidInputError, match=said):
        balance(by_number(crowd, "rat"), side, target)


def test_wrong_levers_are_refused(crowd: Job) -> None:
    with pytest.raises(InvalidInputError, match="nobody is called"):
        by_number(crowd, "cat")
    with pytest.raises(InvalidInputError, match="is not a step"):
        by_strength(crowd, "add:rat")
    with pytest.raises(InvalidInputError, match="step of nothing"):
        by_strength(crowd, "modify:rat.strike+0")
    with pytest.raises(InvalidInputError, match="nobody is called"):
        by_strength(crowd, "modify:cat.strike+1")


def test_an_interrupt_keeps_what_was_tried(crowd: Job) -> None:
    def job_for(number: int) -> Job:
        if number == 1:
            return crowd
        raise KeyboardInterrupt

    found = balance(Lever("how many", 1, 9, 1, job_for), "folk", 0.5)
    assert found.cancelled
    assert list(found.tried) == [1]


def test_only_the_neighbours_of_the_target_are_measured(crowd: Job) -> None:
    """The others are left as soon as a test has told their side; the neighbours know it to within what was asked."""
    found = balance(by_number(replace(crowd, runs=1_000), "rat"), "folk", 0.5, until=0.12)
    assert found.between is not None
    near, far = found.between
    assert abs(near - far) == 1
    assert {near, far} <= found.measured
    assert all(found.chance(number).half <= 0.12 for number in found.measured)
    left = [number for number in found.tried if number not in found.measured]
    assert left
    for number in left:
        counts = found.tried[number].counts
        assert counts.fights < 100
        assert SideTest("folk", 0.5).is_decided(counts)
        assert (found.chance(number).value >= 0.5) == (number < max(near, far))
    told = found.to_json()["tried"]
    assert {int(number) for number, one in told.items() if one["measured"]} == found.measured


@pytest.mark.parametrize(("chance", "above"), [(0.2, False), (0.45, False), (0.75, True), (0.9, True)])
def test_the_test_of_sides_errs_as_seldom_as_it_says(chance: float, above: bool) -> None:
    """Far from the target it is hardly ever wrong, and needs few fights."""
    dice, test, wrong, fights = Random(4), SideTest("a", 0.6), 0, 0
    for _ in range(200):
        counts = FightTotals(won={"a": 0})
        while not test.is_decided(counts):
            counts.fights += 1
            counts.won["a"] += dice.random() < chance
        wrong += test.is_above(counts) != above
        fights += counts.fights
    assert wrong <= 2
    assert fights / 200 < 100


def test_a_job_goes_on_after_totals_that_are_there() -> None:
    job = duel(runs=30)
    first = job.ring().count(range(20))
    assert simulate(job, after=first).digest == simulate(job).digest
    assert first.fights == 20
    assert simulate(job, after=simulate(job).counts).digest == simulate(job).digest
