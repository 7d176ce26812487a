"""Questions about rules: tables of odds, comparisons, advice over unknown values, pictures. Each is loaded when needed.

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
    from tablewright.lab.comparing import Cost, compare, compare_option, costs
    from tablewright.lab.pictures import picture, write_file
    from tablewright.lab.ranges import Axis, Ranges, read_ranges
    from tablewright.lab.tables import Case, Cell, Table, odds_table, tabulate
    from tablewright.lab.turns import Offer, TurnAdvice, advise_turn
    from tablewright.lab.views import Column, View

_ROOMS = {
    "advising": ("AdviceCurve", "Blind", "Curve", "Switch", "advice_curve"),
    "comparing": ("Cost", "compare", "compare_option", "costs"),
    "pictures": ("picture", "write_file"),
    "ranges": ("Axis", "Ranges", "read_ranges"),
    "tables": ("Case", "Cell", "Table", "odds_table", "tabulate"),
    "turns": ("Offer", "TurnAdvice", "advise_turn"),
    "views": ("Column", "View"),
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "AdviceCurve",
    "Axis",
    "Blind",
    "Case",
    "Cell",
    "Column",
    "Cost",
    "Curve",
    "Offer",
    "Ranges",
    "Switch",
    "Table",
    "TurnAdvice",
    "View",
    "advice_curve",
    "advise_turn",
    "compare",
    "compare_option",
    "costs",
    "odds_table",
    "picture",
    "read_ranges",
    "tabulate",
    "write_file",
]


def __getattr__(name: str) -> Any:
    """A name of the lab, from the module that has it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
