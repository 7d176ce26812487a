"""Counsel on time, on who leads, on the order of tasks and on the core."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import InvalidInputError
from tablewright.systems.marchen.mechanics.checks import Task, aided, check, judge, sigma, succeeded, task_chain
from tablewright.systems.marchen.mechanics.dice import measure_of
from tablewright.systems.marchen.mechanics.turn import CORES, lead, order_tasks, swing, take_time, which_core


@pytest.mark.rule("marchen.time.shift")
@pytest.mark.parametrize(("frame", "rows"), [("watch", range(-2, 3)), ("ounce", range(3)), ("season", range(-2, 1))])
def test_counsel_on_time(frame: Any, rows: Any) -> None:
    for price in (0, 5, 30):
        worth = {row: 100 * odds(check("3d6", "average", 1 + row)).expected(succeeded) - price * row for row in rows}
        first = advise(take_time("3d6", "average", 1, frame, price)).choices[0]
        assert {int(option.id): option.value for option in first.options} == worth
    timed = odds(take_time("2d6", frame="watch", price=0), "success")
    assert timed.expected(lambda timed: int(timed.result.success)) > 0


@pytest.mark.rule("marchen.aid.leader")
def test_counsel_on_leading() -> None:
    members, levels = (3, 1, 2), (2, 2, 0)

    def led(at: int, least: int) -> Fraction:
        """The chance if one leads, aided by those of a level."""
        others = [m for other, m in enumerate(members) if other != at and levels[other] >= least]
        return odds(aided(tuple(others), "2d6", "average", members[at])).expected(succeeded)

    alone = [odds(check("2d6", "average", own)).expected(succeeded) for own in members]
    for gates, least in ((True, 2), (False, 0)):
        best = odds(lead(members, levels, level_gates=gates), "success").expected(succeeded)
        assert best == max([*alone, *[led(at, least) for at in range(3)]])
    assert play(lead((1, 4, 4), (2, 2, 2)), TypedDice([4, 4] * 3)).result.effect == 4 + 2  # the second leads


@pytest.mark.rule("marchen.chain.dm")
def test_counsel_on_the_order_of_tasks() -> None:
    tasks = (Task("difficult", 2), Task("easy", 0), Task("average", 1))
    last = Task("difficult", 1)
    every = [odds(task_chain((*order, last))).expected(succeeded) for order in permutations(tasks)]
    assert odds(order_tasks(tasks, last), "success").expected(succeeded) == max(every)
    assert len(set(every)) > 1
    with pytest.raises(InvalidInputError, match="1 to 5"):
        odds(order_tasks(()))


@pytest.mark.rule("marchen.core.selection")
@pytest.mark.parametrize("objective", ["success", "swing", "steady"])
def test_counsel_on_the_core(objective: str) -> None:
    worth = {"success": succeeded, "swing": swing, "steady": lambda result: -swing(result)}[objective]
    every = [odds(check(core, "difficult", 2)).expected(worth) for core in CORES]
    assert odds(which_core("difficult", 2), objective).expected(worth) == max(every)
    assert sigma(judge(8, "2d6", measure_of("2d6"))) == 0


def test_counsel_has_its_bounds() -> None:
    five = tuple([Task("average", n) for n in range(5)])
    assert odds(order_tasks(five), "success")
    for wrong in (order_tasks((*five, Task("easy", 1))), lead(()), lead((1, 2), (1,)), lead((1,) * 11)):
        with pytest.raises(InvalidInputError):
            odds(wrong)
    assert odds(lead((1,) * 10, max_helpers=0), "success").expected(succeeded) == odds(check(modifier=1)).expected(
        succeeded
    )
