"""Questions about rules and fights: tables of odds, advice over unknown values, pictures, simulation, sweeps.

Each module is loaded when it is needed.

>>> from tablewright.game.registry import find_mechanic
>>> from tablewright.lab import odds_table
>>> table = odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "8..10"})
>>> [column.label for column in table.columns]
['failure', 'graze', 'success', 'critical']
>>> [str(chance) for chance in table.curve(column=2)]
['3/5', '8/15', '9/20']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.lab.advising import AdviceCurve, Blind, Curve, Switch, advice_curve
    from tablewright.lab.balancing import Balance, balance
    from tablewright.lab.batch.exactly import solve_by_tables, solve_exactly
    from tablewright.lab.changing import changed
    from tablewright.lab.comparing import Cost, compare, compare_option, costs
    from tablewright.lab.deadline import Deadline
    from tablewright.lab.jobs import Job, job_of
    from tablewright.lab.looking import look_at, look_for
    from tablewright.lab.pairs import Difference, difference
    from tablewright.lab.pictures import picture, write_file
    from tablewright.lab.ranges import Axis, Ranges, read_ranges
    from tablewright.lab.simulating import Result, simulate
    from tablewright.lab.solving import Solved, solve
    from tablewright.lab.sweeping import Grid, read_grid, sweep
    from tablewright.lab.tables import Case, Cell, Table, odds_table, tabulate
    from tablewright.lab.turns import Offer, TurnAdvice, advise_turn
    from tablewright.lab.views import Column, View
    from tablewright.lab.workers import Workers, workers_for

_ROOMS = {
    "advising": ("AdviceCurve", "Blind", "Curve", "Switch", "advice_curve"),
    "balancing": ("Balance", "balance"),
    "batch.exactly": ("solve_by_tables", "solve_exactly"),
    "changing": ("changed",),
    "comparing": ("Cost", "compare", "compare_option", "costs"),
    "deadline": ("Deadline",),
    "jobs": ("Job", "job_of"),
    "looking": ("look_at", "look_for"),
    "pairs": ("Difference", "difference"),
    "pictures": ("picture", "write_file"),
    "ranges": ("Axis", "Ranges", "read_ranges"),
    "simulating": ("Result", "simulate"),
    "solving": ("Solved", "solve"),
    "sweeping": ("Grid", "read_grid", "sweep"),
    "tables": ("Case", "Cell", "Table", "odds_table", "tabulate"),
    "turns": ("Offer", "TurnAdvice", "advise_turn"),
    "views": ("Column", "View"),
    "workers": ("Workers", "workers_for"),
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "AdviceCurve",
    "Axis",
    "Balance",
    "Blind",
    "Case",
    "Cell",
    "Column",
    "Cost",
    "Curve",
    "Deadline",
    "Difference",
    "Grid",
    "Job",
    "Offer",
    "Ranges",
    "Result",
    "Solved",
    "Switch",
    "Table",
    "TurnAdvice",
    "View",
    "Workers",
    "advice_curve",
    "advise_turn",
    "balance",
    "changed",
    "compare",
    "compare_option",
    "costs",
    "difference",
    "job_of",
    "look_at",
    "look_for",
    "odds_table",
    "picture",
    "read_grid",
    "read_ranges",
    "simulate",
    "solve",
    "solve_by_tables",
    "solve_exactly",
    "sweep",
    "tabulate",
    "workers_for",
    "write_file",
]


def __getattr__(name: str) -> Any:
    """A name of the lab, from the module that has it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
