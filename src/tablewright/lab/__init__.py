"""Questions about rules: tables of odds, comparisons, advice over unknown values, pictures. Each is loaded when needed.

>>> from tablewright.lab import odds_table
>>> from tablewright.game.registry import find_mechanic
>>> table = odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "8..10"})
>>> [column.label for column in table.columns]
['failure', 'graze', 'success', 'critical']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.lab.ranges import Axis, Ranges, read_ranges
    from tablewright.lab.tables import Case, Cell, Column, Table, View, odds_table, tabulate

_ROOMS = {
    "ranges": ("Axis", "Ranges", "read_ranges"),
    "tables": ("Case", "Cell", "Column", "Table", "View", "odds_table", "tabulate"),
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Axis",
    "Case",
    "Cell",
    "Column",
    "Ranges",
    "Table",
    "View",
    "odds_table",
    "read_ranges",
    "tabulate",
]


def __getattr__(name: str) -> Any:
    """A name of the lab, from the module that has it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
