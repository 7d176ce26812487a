"""Tables of exact odds: a mechanic at every point of up to two ranges, for one or more sets of arguments.

Nothing is sampled: every number is the fraction that :func:`tablewright.engine.odds` gives.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, TypeAlias, TypedDict, Unpack

from tablewright.dice import Rollable
from tablewright.engine import Call, Mechanic, odds
from tablewright.engine.json_values import to_json
from tablewright.engine.odds import Odds, known
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.narration.formatting import label_of
from tablewright.lab.deadline import NEVER, Deadline
from tablewright.lab.odds.columns import RESULT, CellOdds, Column, How, View, tell
from tablewright.lab.odds.ranges import Axis, Ranges, points_of, read_ranges

__all__ = ["Case", "Cell", "Column", "How", "OddsTable", "View", "case_of", "odds_table", "tabulate"]

MOST_CELLS = 10_000
"""Upper bound for calls in one table."""

MOST_OUTCOMES = 1_000_000
"""Upper bound for outcomes in one table, over all cells."""

MOST_CHARACTERS = 20_000_000
"""Upper bound for the text of all exact fractions in one table."""

Progress: TypeAlias = Callable[[int, int], None]
"""Callback with the numbers of finished cells and of all cells."""


@dataclass(frozen=True)
class Case:
    """One set of fixed arguments of a mechanic, or dice: a column of a comparison."""

    label: str
    mechanic: Mechanic[..., Any] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    dice: Rollable[Any] | None = None

    def at(self, point: Mapping[str, Any]) -> Call[Any] | Rollable[Any]:
        """The call or dice at one point; the case's own arguments override those of the point."""
        if self.dice is not None:
            return self.dice
        assert self.mechanic is not None
        return self.mechanic(**{**point, **self.arguments})

    def to_json(self) -> dict[str, Any]:
        """The case as JSON."""
        if self.dice is not None:
            return {"label": self.label, "notation": str(self.dice)}
        assert self.mechanic is not None
        arguments = {name: to_json(value) for name, value in self.arguments.items()}
        return {"label": self.label, "mechanic": self.mechanic.name, "arguments": arguments}


@dataclass(frozen=True)
class Cell:
    """Numbers of one case at one point, one per column; without numbers ``refused`` gives the reason.

    ``mean`` is None unless the outcomes are numbers.
    """

    values: tuple[Fraction, ...] = ()
    refused: str = ""
    mean: Fraction | None = None


@dataclass(frozen=True)
class OddsTable:
    """Cells for every case and point, with the meaning of their numbers.

    ``cells[case][point]`` follows :attr:`points`. ``objective`` is the expected objective, or the one used for choices
    if the mechanic has any (``choosing``).
    """

    cases: tuple[Case, ...]
    axes: tuple[Axis, ...]
    how: How
    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]
    objective: str | None = None
    choosing: bool = False
    of: str | None = None
    remainder: Fraction = Fraction(0)

    @cached_property
    def points(self) -> tuple[dict[str, Any], ...]:
        """All combinations of the ranging values, the last axis fastest."""
        return tuple(points_of(self.axes))

    def value(self, case: int, point: int, column: int = 0) -> Fraction | None:
        """One number; None where the rules refuse the point."""
        values = self.cells[case][point].values
        return values[column] if values else None

    def curve(self, case: int = 0, column: int = 0) -> tuple[Fraction | None, ...]:
        """Numbers of one column over all points."""
        return tuple([self.value(case, point, column) for point in range(len(self.points))])

    def difference(self, case: int, point: int, column: int = 0) -> Fraction | None:
        """Difference of a case from the first one; None if either is refused."""
        here, first = self.value(case, point, column), self.value(0, point, column)
        return None if here is None or first is None else here - first

    def only(self, columns: Sequence[int]) -> OddsTable:
        """The table restricted to some columns."""
        cells = [
            tuple(
                [
                    replace(cell, values=tuple([cell.values[at] for at in columns])) if cell.values else cell
                    for cell in row
                ]
            )
            for row in self.cells
        ]
        return replace(self, columns=tuple([self.columns[at] for at in columns]), cells=tuple(cells))

    def to_json(self) -> dict[str, Any]:
        """The table as JSON, with floats and exact fractions."""
        self._check_size()
        told: dict[str, Any] = {
            "view": self.how,
            "cases": [case.to_json() for case in self.cases],
            "ranges": [{"parameter": a.name, "values": [to_json(value) for value in a.values]} for a in self.axes],
            "columns": [{"label": column.label, "chance": column.is_chance} for column in self.columns],
        }
        if self.objective is not None:
            told["objective"] = self.objective
        if self.of is not None:
            told["of"] = self.of
        told["cells"] = [self._cell_json(case, at) for at in range(len(self.points)) for case in range(len(self.cases))]
        if self.remainder:
            told["remainder"] = {"probability": float(self.remainder), "exact": str(self.remainder)}
        return told

    def _cell_json(self, case: int, at: int) -> dict[str, Any]:
        cell = self.cells[case][at]
        told: dict[str, Any] = {"case": case, "at": {name: to_json(v) for name, v in self.points[at].items()}}
        if not cell.values:
            return told | {"refused": cell.refused}
        told["values"] = [{"value": float(value), "exact": str(value)} for value in cell.values]
        if cell.mean is not None and self.how != "expected":
            told["mean"] = {"value": float(cell.mean), "exact": str(cell.mean)}
        if case:
            apart = [self.difference(case, at, column) for column in range(len(self.columns))]
            if apart[0] is not None:
                told["differences"] = [{"value": float(v), "exact": str(v)} for v in apart if v is not None]
        return told

    def to_csv(self) -> str:
        """The table as CSV: a line per case and point, each number as decimal and as exact fraction."""
        self._check_size()
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\n")
        several = len(self.cases) > 1
        labels = [column.label for column in self.columns]
        heads = [label for name in labels for label in (name, f"{name} (exact)")]
        more = [f"{name} (difference)" for name in labels] if several else []
        lines.writerow([*(["case"] if several else []), *[axis.name for axis in self.axes], *heads, *more])
        for at, point in enumerate(self.points):
            for number, case in enumerate(self.cases):
                values = self.cells[number][at].values
                figures = [part for value in values for part in (repr(float(value)), str(value))]
                apart = [self.difference(number, at, column) for column in range(len(labels))] if several else []
                lines.writerow(
                    [
                        *([case.label] if several else []),
                        *[label_of(value) for value in point.values()],
                        *(figures or [""] * len(heads)),
                        *["" if value is None else repr(float(value)) for value in apart],
                    ]
                )
        return written.getvalue()

    def _check_size(self) -> None:
        digits = max([v.denominator.bit_length() for row in self.cells for c in row for v in c.values], default=1) // 3
        figures = sum([len(cell.values) for row in self.cells for cell in row])
        if figures * digits * 2 > MOST_CHARACTERS:
            raise InvalidInputError(f"{figures:,} numbers with about {digits:,} digits each are too many to write out")


class Bounds(TypedDict, total=False):
    """Deadline and progress callback of a table."""

    progress: Progress | None
    deadline: Deadline


def odds_table(
    mechanic: Mechanic[..., Any],
    given: Mapping[str, object],
    view: View = View(),  # noqa: B008 - frozen
    **bounds: Unpack[Bounds],
) -> OddsTable:
    """Exact odds of one mechanic over ranges of its arguments.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.check.roll"])
    ... async def check(target: int, sides: int = 6) -> bool:
    ...     "Roll the target or less."
    ...     return await d(sides) <= target
    >>> table = odds_table(check, {"target": "1..3"})
    >>> [str(chance) for chance in table.curve()]
    ['1/6', '1/3', '1/2']
    >>> grid = odds_table(check, {"target": "1..2", "sides": "4,6"})
    >>> [(point["target"], point["sides"], str(value)) for point, value in zip(grid.points, grid.curve())]
    [(1, 4, '1/4'), (1, 6, '1/6'), (2, 4, '1/2'), (2, 6, '1/3')]
    """
    read = read_ranges(mechanic, given)
    return tabulate([case_of(read)], read.axes, view, **bounds)


def case_of(read: Ranges, label: str = "") -> Case:
    """The fixed arguments as a case."""
    return Case(label or read.mechanic.name, read.mechanic, dict(read.fixed))


def tabulate(
    cases: Sequence[Case],
    axes: Sequence[Axis] = (),
    view: View = View(),  # noqa: B008 - frozen
    *,
    progress: Progress | None = None,
    deadline: Deadline = NEVER,
) -> OddsTable:
    """Compute every case at every point, within the limits of cells and time.

    Cells that the rules refuse carry the reason; if they refuse all cells, the first refusal is raised.
    """
    count = len(cases) * prod([len(axis.values) for axis in axes])
    if count > MOST_CELLS:
        raise InvalidInputError(
            f"{count:,} cells are too many, at most {MOST_CELLS:,} are worked out at once; use fewer values"
        )
    names = [name for case in cases for name in case.arguments]
    idle = [axis.name for axis in axes if names.count(axis.name) == len(cases)]
    if idle:
        raise InvalidInputError(f"{idle[0]} ranges, but every case sets it", field=idle[0])
    if view.objective is not None:
        for case in cases:
            if case.mechanic is None:
                raise InvalidInputError("an objective is for mechanics; dice have none")
            case.mechanic.objective(view.objective)  # raises on an unknown objective
    weighed = _weigh_all(cases, list(points_of(axes)), view, progress, deadline)
    return _told(tuple(cases), tuple(axes), view, weighed)


def _weigh_all(
    cases: Sequence[Case],
    points: Sequence[Mapping[str, Any]],
    view: View,
    progress: Progress | None,
    deadline: Deadline,
) -> list[list[CellOdds]]:
    weighed: list[list[CellOdds]] = []
    total, done, held = len(cases) * len(points), 0, 0
    for case in cases:
        row: list[CellOdds] = []
        for point in points:
            row.append(_weigh(case, point, view.objective))
            done += 1
            held += len(row[-1].odds or ())
            if held > MOST_OUTCOMES:
                most = f"at most {MOST_OUTCOMES:,} are weighed at once"
                raise InvalidInputError(f"{done:,} of {total:,} cells have {held:,} outcomes, {most}; use fewer values")
            if progress is not None:
                progress(done, total)
            if done < total and deadline.passed:
                raise InvalidInputError(
                    f"{done:,} of {total:,} cells took {deadline}, which is all that was allowed; "
                    "use fewer values or allow more time"
                )
        weighed.append(row)
    refused = [cell.refused for row in weighed for cell in row]
    if refused[0] is not None and all(refused):
        raise refused[0]
    return weighed


def _weigh(case: Case, point: Mapping[str, Any], objective: str | None) -> CellOdds:
    try:
        subject = case.at(point)
        if not isinstance(subject, Call):
            return CellOdds(Odds.from_dist(subject.weigh(), subject.remainder))
        mechanic = subject.mechanic
        try:
            name, value = mechanic.objective(objective)
        except InvalidInputError:
            if objective is not None:
                raise
            return CellOdds(odds(subject))
        choosing = not isinstance(known(subject), Odds)
        return CellOdds(odds(subject, name if name in mechanic.objectives else value), (name, value), choosing)
    except TablewrightError as refusal:
        return CellOdds(None, refused=refusal)


def _told(cases: tuple[Case, ...], axes: tuple[Axis, ...], view: View, weighed: list[list[CellOdds]]) -> OddsTable:
    """Build the table from the odds of all cells."""
    known_cells = [cell for row in weighed for cell in row if cell.odds is not None]
    rules = [case.mechanic for case in cases if case.mechanic is not None]
    told = tell(known_cells, view, rules, ranging=bool(axes))
    found = iter([Cell(values, mean=mean) for values, mean in zip(told.figures, told.means, strict=True)])
    cells = [tuple([Cell(refused=str(c.refused)) if c.odds is None else next(found) for c in row]) for row in weighed]
    remainder = max([cell.odds.remainder for cell in known_cells if cell.odds is not None])
    by_objective = told.how == "expected" and told.of is None
    names = [
        cell.objective[0] for cell in known_cells if cell.objective is not None and (cell.choosing or by_objective)
    ]
    objective = names[0] if names and names[0] != RESULT else None
    choosing = any(cell.choosing for cell in known_cells)
    return OddsTable(cases, axes, told.how, told.columns, tuple(cells), objective, choosing, told.of, remainder)
