"""Analysis of rules and fights: odds tables, advice under uncertainty, charts, simulation and sweeps.

Each module is loaded when it is needed.

>>> from tablewright.game.system.registry import find_mechanic
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
    from tablewright.lab.deadline import Deadline
    from tablewright.lab.fights.balance import Balance, balance
    from tablewright.lab.fights.changes import changed
    from tablewright.lab.fights.exact import ExactResult, solve
    from tablewright.lab.fights.executors import Executor, workers_for
    from tablewright.lab.fights.job import Job, job_of
    from tablewright.lab.fights.paired import Difference, compare_change
    from tablewright.lab.fights.replay import look_for, replay_fight
    from tablewright.lab.fights.simulation import Result, simulate
    from tablewright.lab.fights.sweep import SweepGrid, read_grid, sweep
    from tablewright.lab.fights.turn_advice import OptionAdvice, TurnAdvice, advise_turn
    from tablewright.lab.odds.advice_curve import AdviceCurve, Blind, Curve, Switch, advice_curve
    from tablewright.lab.odds.charts import picture, write_file
    from tablewright.lab.odds.columns import Column, View
    from tablewright.lab.odds.comparison import DeviceCost, compare, compare_option, costs
    from tablewright.lab.odds.ranges import Axis, Ranges, read_ranges
    from tablewright.lab.odds.table import Case, Cell, OddsTable, odds_table, tabulate

_MODULES = {
    "odds.advice_curve": ("AdviceCurve", "Blind", "Curve", "Switch", "advice_curve"),
    "fights.balance": ("Balance", "balance"),
    "fights.changes": ("changed",),
    "odds.comparison": ("DeviceCost", "compare", "compare_option", "costs"),
    "deadline": ("Deadline",),
    "fights.job": ("Job", "job_of"),
    "fights.replay": ("replay_fight", "look_for"),
    "fights.paired": ("Difference", "compare_change"),
    "odds.charts": ("picture", "write_file"),
    "odds.ranges": ("Axis", "Ranges", "read_ranges"),
    "fights.simulation": ("Result", "simulate"),
    "fights.exact": ("ExactResult", "solve"),
    "fights.sweep": ("SweepGrid", "read_grid", "sweep"),
    "odds.table": ("Case", "Cell", "OddsTable", "odds_table", "tabulate"),
    "fights.turn_advice": ("OptionAdvice", "TurnAdvice", "advise_turn"),
    "odds.columns": ("Column", "View"),
    "fights.executors": ("Executor", "workers_for"),
}
_WHERE = {name: room for room, names in _MODULES.items() for name in names}

__all__ = [
    "AdviceCurve",
    "Axis",
    "Balance",
    "Blind",
    "Case",
    "Cell",
    "Column",
    "Curve",
    "Deadline",
    "DeviceCost",
    "Difference",
    "ExactResult",
    "Executor",
    "Job",
    "OddsTable",
    "OptionAdvice",
    "Ranges",
    "Result",
    "SweepGrid",
    "Switch",
    "TurnAdvice",
    "View",
    "advice_curve",
    "advise_turn",
    "balance",
    "changed",
    "compare",
    "compare_change",
    "compare_option",
    "costs",
    "job_of",
    "look_for",
    "odds_table",
    "picture",
    "read_grid",
    "read_ranges",
    "replay_fight",
    "simulate",
    "solve",
    "sweep",
    "tabulate",
    "workers_for",
    "write_file",
]


def __getattr__(name: str) -> Any:
    """Import the module that defines a public name on first use."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
