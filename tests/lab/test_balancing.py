"""The search for a wanted chance: against a chance whose course is known, and on a real fight."""

from __future__ import annotations

import pytest

from lab.scenes import duel, folk, scenario
from tablewright.errors import BadInput
from tablewright.lab.balancing import Lever, balance, by_number, by_strength
from tablewright.lab.jobs import Job, job_of
from tablewright.lab.simulating import simulate


@pytest.fixture(scope="module")
def crowd() -> Job:
    """Two of the folk against rats."""
    people = folk("ann", "folk", 4, 2), folk("bob", "folk", 4, 2), folk("rat", "vermin", 2, 4)
    return job_of(scenario(*people), runs=60)


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
    hard = by_strength(duel(runs=60), "modify:rat.strike+1")
    found = balance(hard, "folk", 0.8, until=None)
    assert found.best < 0
    assert found.chance(found.best).value > found.chance(0).value


def test_what_cannot_be_had_is_said(crowd: Job) -> None:
    """One rat is the least there can be where it is alone: no number makes it easier."""
    hard = job_of(scenario(folk("ann", "folk", 1, 5), folk("rat", "vermin", 5, 1)), runs=30)
    found = balance(by_number(hard, "rat"), "folk", 0.95, until=None)
    assert found.best == 1
    assert list(found.tried) == [1]
    assert not found.reached


@pytest.mark.parametrize(
    ("target", "side", "said"),
    [(0.0, "folk", "above 0"), (1.0, "folk", "above 0"), (0.5, "fool", 'there is no side "fool"')],
)
def test_wrong_wishes_are_refused(target: float, side: str, said: str, crowd: Job) -> None:
    with pytest.raises(BadInput, match=said):
        balance(by_number(crowd, "rat"), side, target)


def test_wrong_levers_are_refused(crowd: Job) -> None:
    with pytest.raises(BadInput, match="nobody is called"):
        by_number(crowd, "cat")
    with pytest.raises(BadInput, match="is no step"):
        by_strength(crowd, "add:rat")
    with pytest.raises(BadInput, match="step of nothing"):
        by_strength(crowd, "modify:rat.strike+0")
    with pytest.raises(BadInput, match="nobody is called"):
        by_strength(crowd, "modify:cat.strike+1")


def test_an_interrupt_keeps_what_was_tried(crowd: Job) -> None:
    def job_for(number: int) -> Job:
        if number == 1:
            return crowd
        raise KeyboardInterrupt

    found = balance(Lever("how many", 1, 9, 1, job_for), "folk", 0.5)
    assert found.cancelled
    assert list(found.tried) == [1]
