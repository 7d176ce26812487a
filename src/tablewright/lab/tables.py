"""Tables of exact odds: a rule at every point of one or two ranges, for one set of arguments or several side by side.

Nothing is sampled: every number is the fraction that :func:`tablewright.engine.odds` gives, and is kept as such.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import prod
from time import monotonic
from typing import Any, Literal, TypeAlias

from tablewright.dice import Dist, Rollable
from tablewright.dice.dist import show_outcome
from tablewright.engine import Call, Mechanic, odds
from tablewright.engine.mechanic import Value
from tablewright.engine.odds import Odds, known
from tablewright.engine.values import to_json
from tablewright.errors import BadInput, TablewrightError, nearest
from tablewright.game.wording import shown
from tablewright.lab.ranges import Axis, Ranges, label_of, points_of, read_ranges

MOST_CELLS = 10_000
"""How many calls one table may work out."""

MOST_FIGURES = 200_000
"""How many numbers one table may hold, over all cells and columns."""

FEW_OUTCOMES = 60
"""At most so many numbers are compared one by one where nothing ranges; of more only the means."""

MOST_CHARACTERS = 20_000_000
"""How much text the exact fractions of one table may take."""

MOST_SECONDS = 120.0
"""How long one table may take, unless it is told otherwise."""

How: TypeAlias = Literal["expected", "exactly", "at_least", "at_most"]
_RESULT = "result"
"""The name of the objective of a rule that declares none and gives a number or a yes."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many cells are done, and of how many."""


@dataclass(frozen=True)
class View:
    """What is told of each distribution.

    ``how``: the ``expected`` value (of an objective, a number or the chance of a yes), or the chance of each outcome
    ``exactly``, ``at_least`` or ``at_most``; without it what suits the outcomes. ``of`` is a field of a record (dotted
    where records lie in records), ``at`` the outcomes that are told, ``objective`` what choices are made for.
    """

    how: How | None = None
    of: str | None = None
    at: tuple[str, ...] = ()
    objective: str | None = None


@dataclass(frozen=True)
class Case:
    """One set of arguments of one mechanic, or dice: a column of a comparison. ``arguments`` do not range."""

    label: str
    mechanic: Mechanic[..., Any] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    dice: Rollable[Any] | None = None

    def at(self, point: Mapping[str, Any]) -> Call[Any] | Rollable[Any]:
        """What is weighed at one point; its own arguments go before those of the point."""
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
    """The numbers of one case at one point, a column each; without numbers ``refused`` says why.

    ``mean`` is there where the outcomes are numbers.
    """

    values: tuple[Fraction, ...] = ()
    refused: str = ""
    mean: Fraction | None = None


@dataclass(frozen=True)
class Column:
    """What one number of a cell means; a chance is shown in percent."""

    label: str
    is_chance: bool


@dataclass(frozen=True)
class Table:
    """Cells for every case and every point, with what their numbers mean.

    ``cells[case][point]`` follows :attr:`points`; ``objective`` is what is expected, or what choices were made for
    where somebody is ``choosing``.
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
        """Every combination of the values that range, the last axis fastest."""
        return tuple(points_of(self.axes))

    def value(self, case: int, point: int, column: int = 0) -> Fraction | None:
        """One number, or None where the rules refuse."""
        values = self.cells[case][point].values
        return values[column] if values else None

    def curve(self, case: int = 0, column: int = 0) -> tuple[Fraction | None, ...]:
        """The numbers of one column over all points."""
        return tuple([self.value(case, point, column) for point in range(len(self.points))])

    def difference(self, case: int, point: int, column: int = 0) -> Fraction | None:
        """By how much a case is more than the first one."""
        here, first = self.value(case, point, column), self.value(0, point, column)
        return None if here is None or first is None else here - first

    def only(self, columns: Sequence[int]) -> Table:
        """The same table with some of its columns."""
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
        """The whole table as JSON: floats for reading, exact fractions beside them."""
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
        """A line for each case and point: its values, then each number as decimal and as exact fraction."""
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
            raise BadInput(f"{figures:,} numbers with about {digits:,} digits each are too many to write out")


def odds_table(
    mechanic: Mechanic[..., Any],
    given: Mapping[str, object],
    view: View = View(),  # noqa: B008 - frozen
    *,
    progress: Progress | None = None,
    most_seconds: float = MOST_SECONDS,
) -> Table:
    """The exact odds of one mechanic over ranges of its arguments.

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
    return tabulate([case_of(read)], read.axes, view, progress=progress, most_seconds=most_seconds)


def case_of(read: Ranges, label: str = "") -> Case:
    """The arguments that do not range, as a case."""
    return Case(label or read.mechanic.name, read.mechanic, dict(read.fixed))


def tabulate(
    cases: Sequence[Case],
    axes: Sequence[Axis] = (),
    view: View = View(),  # noqa: B008 - frozen
    *,
    progress: Progress | None = None,
    most_seconds: float = MOST_SECONDS,
) -> Table:
    """Work out every case at every point of the axes, within the bounds of cells and time.

    A point that the rules refuse is told as refused; where they refuse all of them, the first refusal is raised.
    """
    count = len(cases) * prod([len(axis.values) for axis in axes])
    if count > MOST_CELLS:
        raise BadInput(f"{count:,} cells are too many, at most {MOST_CELLS:,} are worked out at once; use fewer values")
    names = [name for case in cases for name in case.arguments]
    idle = [axis.name for axis in axes if names.count(axis.name) == len(cases)]
    if idle:
        raise BadInput(f"{idle[0]} ranges, but every case sets it", field=idle[0])
    weighed = _weigh_all(cases, list(points_of(axes)), view, progress, most_seconds)
    return _told(tuple(cases), tuple(axes), view, weighed)


@dataclass(frozen=True)
class _Weighed:
    """The odds of one cell, and the value of outcomes that its choices were made by or that was asked for."""

    odds: Odds[Any] | None
    objective: tuple[str, Value] | None = None
    choosing: bool = False
    refused: TablewrightError | None = None


def _weigh_all(
    cases: Sequence[Case],
    points: Sequence[Mapping[str, Any]],
    view: View,
    progress: Progress | None,
    most_seconds: float,
) -> list[list[_Weighed]]:
    weighed: list[list[_Weighed]] = []
    total, done, began = len(cases) * len(points), 0, monotonic()
    for case in cases:
        row: list[_Weighed] = []
        for point in points:
            row.append(_weigh(case, point, view.objective))
            done += 1
            if progress is not None:
                progress(done, total)
            if done < total and monotonic() - began > most_seconds:
                raise BadInput(
                    f"{done:,} of {total:,} cells took {most_seconds:g} seconds, which is all that was allowed; "
                    "use fewer values or allow more time"
                )
        weighed.append(row)
    refused = [cell.refused for row in weighed for cell in row]
    if refused[0] is not None and all(refused):
        raise refused[0]
    return weighed


def _weigh(case: Case, point: Mapping[str, Any], objective: str | None) -> _Weighed:
    try:
        subject = case.at(point)
        if not isinstance(subject, Call):
            if objective is not None:
                raise BadInput("an objective is for mechanics; dice have none")
            return _Weighed(Odds.from_dist(subject.weigh(), subject.remainder))
        mechanic = subject.mechanic
        try:
            name, value = mechanic.objective(objective)
        except BadInput:
            if objective is not None:
                raise
            return _Weighed(odds(subject))
        choosing = not isinstance(known(subject), Odds)
        return _Weighed(odds(subject, name if name in mechanic.objectives else value), (name, value), choosing)
    except TablewrightError as refusal:
        return _Weighed(None, refused=refusal)


def _told(cases: tuple[Case, ...], axes: tuple[Axis, ...], view: View, weighed: list[list[_Weighed]]) -> Table:
    """The numbers that a view tells of every cell."""
    told = [cell for row in weighed for cell in row if cell.odds is not None]
    how = view.how or _suiting(told, view, ranging=bool(axes))
    if how != "expected" and view.of is None and (axes or len(cases) > 1 or how != "exactly"):
        view = replace(view, of=_telling_field(told))
    if how == "expected":
        columns, figures = _expected(told, view)
    else:
        columns, figures = _chances(told, view, how)
    if len(told) * len(columns) > MOST_FIGURES:
        most = f"at most {MOST_FIGURES:,} are told at once"
        raise BadInput(f"{len(told):,} cells of {len(columns):,} outcomes are too many numbers, {most}; name some")
    means = [dist.mean if dist.numeric else None for dist in _projected(told, view.of)]
    found = iter([Cell(values, mean=mean) for values, mean in zip(figures, means, strict=True)])
    cells = [tuple([Cell(refused=str(c.refused)) if c.odds is None else next(found) for c in row]) for row in weighed]
    remainder = max([cell.odds.remainder for cell in told if cell.odds is not None])
    by_objective = how == "expected" and view.of is None
    names = [cell.objective[0] for cell in told if cell.objective is not None and (cell.choosing or by_objective)]
    objective = names[0] if names and names[0] != _RESULT else None
    choosing = any(cell.choosing for cell in told)
    return Table(cases, axes, how, columns, tuple(cells), objective, choosing, view.of, remainder)


def _suiting(cells: Sequence[_Weighed], view: View, *, ranging: bool) -> How:
    """What suits the outcomes where nobody said.

    Averages of numbers and objectives over ranges, the chances of words; where nothing ranges every outcome that can be
    read.
    """
    if view.objective is not None:
        return "expected"
    outcomes = {(type(outcome), outcome) for dist in _projected(cells, view.of) for outcome in dist.outcomes}
    kinds = {kind for kind, _ in outcomes}
    if kinds <= {bool}:
        return "exactly" if view.at else "expected"
    records = any(hasattr(kind, "_fields") for kind in kinds)
    if all(issubclass(kind, int | Fraction) and not issubclass(kind, Enum) for kind in kinds) or records:
        whole = not ranging and (len(cells) == 1 or (not records and len(outcomes) <= FEW_OUTCOMES))
        return "exactly" if view.at or whole else "expected"
    return "exactly"


def _telling_field(cells: Sequence[_Weighed]) -> str | None:
    """The one field of a record whose outcomes are words in an order; None where outcomes are no records."""
    outcomes = [outcome for cell in cells if cell.odds is not None for outcome in cell.odds.outcomes]
    records = [outcome for outcome in outcomes if hasattr(outcome, "_fields")]
    if not records:
        return None
    fields = dict.fromkeys([name for record in records for name in record._fields])
    words = [name for name in fields if any(isinstance(getattr(one, name, None), Enum) for one in records)]
    if len(words) == 1:
        return str(words[0])
    raise BadInput(f"the result has several parts; name one of them as what is told of it: {', '.join(fields)}")


def _projected(cells: Iterable[_Weighed], of: str | None) -> list[Dist[Any]]:
    dists = [cell.odds for cell in cells if cell.odds is not None]
    return [dist if of is None else dist.map(_field(dist, of)) for dist in dists]


def _field(dist: Dist[Any], path: str) -> Callable[[Any], Any]:
    """What leads from an outcome to one of its fields."""
    names = path.split(".")

    def follow(outcome: Any) -> Any:
        for name in names:
            if outcome is None:
                return None
            fields = getattr(outcome, "_fields", ())
            if name not in fields:
                known = f"there are {', '.join(fields)}{nearest(name, fields)}" if fields else "it is no record"
                raise BadInput(f'the result has no field "{path:.60}"; {known}', field=path[:60])
            outcome = getattr(outcome, name)
        return outcome

    follow(dist.outcomes[0])
    return follow


_Figures: TypeAlias = tuple[tuple[Column, ...], list[tuple[Fraction, ...]]]


def _expected(cells: Sequence[_Weighed], view: View) -> _Figures:
    """The average of the field, of the objective or of the number itself."""
    if view.at:
        raise BadInput("outcomes can be named for the chances of outcomes, not for an expected value")
    if view.of is None and any(cell.objective is not None for cell in cells):
        return _worths(cells)
    dists = _projected(cells, view.of)
    kinds = {type(outcome) for dist in dists for outcome in dist.outcomes}
    if kinds <= {bool}:
        return (Column(view.of or "yes", True),), [(dist[True],) for dist in dists]
    if any(issubclass(kind, Enum) or not issubclass(kind, int | Fraction) for kind in kinds):
        fields = getattr(dists[0].outcomes[0], "_fields", ())
        more = f"name one of its fields: {', '.join(fields)}" if fields else "ask for the chance of each outcome"
        raise BadInput(f"the result is no number, so it has no average; {more}")
    return (Column(f"mean {view.of}" if view.of else "mean", False),), [(dist.mean,) for dist in dists]


def _worths(cells: Sequence[_Weighed]) -> _Figures:
    """The expected value of the objective; of dice beside it the mean."""
    names = list(dict.fromkeys([cell.objective[0] for cell in cells if cell.objective is not None]))
    figures: list[tuple[Fraction, ...]] = []
    values: set[Any] = set()
    kinds: set[type] = set()
    for cell in cells:
        assert cell.odds is not None
        outcomes = cell.odds.outcomes
        if cell.objective is None and not cell.odds.numeric:
            raise BadInput(f"{_few(outcomes)} are no numbers, and no objective says what they are worth")
        value = _itself if cell.objective is None else cell.objective[1]
        values |= {value(outcome) for outcome in outcomes}
        kinds |= set(map(type, outcomes))
        figures.append((cell.odds.expected(value),))
    label = ("yes" if kinds == {bool} else "mean") if names == [_RESULT] else ", ".join(names)
    return (Column(label, values <= {0, 1}),), figures


def _itself(outcome: Any) -> Any:
    return outcome


def _chances(cells: Sequence[_Weighed], view: View, how: How) -> _Figures:
    """The chance of each outcome, or of it and all on one side of it."""
    dists = _projected(cells, view.of)
    outcomes = in_order({(type(outcome), outcome): outcome for dist in dists for outcome in dist.outcomes}.values())
    if how != "exactly" and not _ordered(outcomes):
        raise BadInput(
            f"{how.replace('_', ' ')} needs outcomes that have an order, and these are not: " + _few(outcomes)
        )
    picked = _picked(outcomes, view.at, how)
    labels = [
        f"{_SIGN[how]}{show_outcome(outcome) if not isinstance(outcome, bool) else shown(outcome)}"
        for outcome in picked
    ]
    figures = [tuple([_chance(dist, outcome, how) for outcome in picked]) for dist in dists]
    return tuple([Column(label, True) for label in labels]), figures


_SIGN: dict[How, str] = {"exactly": "", "at_least": "≥ ", "at_most": "≤ "}


def in_order(outcomes: Iterable[Any]) -> list[Any]:
    """Outcomes in a stable order, the worst first where they know their rank."""
    listed = list(outcomes)
    if all(isinstance(outcome, Enum) and hasattr(outcome, "rank") for outcome in listed):
        return sorted(listed, key=lambda outcome: outcome.rank)
    nothing = [outcome for outcome in listed if outcome is None]
    some = [outcome for outcome in listed if outcome is not None]
    return nothing + (list(Dist([(outcome, 1) for outcome in some]).outcomes) if some else [])


def _ordered(outcomes: Sequence[Any]) -> bool:
    return len({type(outcome) for outcome in outcomes}) == 1 and isinstance(outcomes[0], int | Fraction | Enum)


def _few(outcomes: Sequence[Any]) -> str:
    return ", ".join(map(shown, outcomes[:6])) + (", ..." if len(outcomes) > 6 else "")


def _picked(outcomes: Sequence[Any], at: Sequence[str], how: How) -> list[Any]:
    """The outcomes that are told: those that were named, or all but the one that is certain."""
    if not at:
        if len(outcomes) == 1 or how == "exactly":
            return list(outcomes)
        return list(outcomes[1:] if how == "at_least" else outcomes[:-1])
    by_name = {label_of(outcome).casefold().replace(" ", "_"): outcome for outcome in outcomes}
    picked = []
    for name in at:
        key = name.strip().casefold().replace(" ", "_").replace("-", "_") if not _is_number(name) else name.strip()
        if key in by_name:
            picked.append(by_name[key])
        elif _is_number(name) and type(outcomes[0]) is int:
            picked.append(int(name))
        else:
            raise BadInput(f'"{name:.40}" is no outcome here; there are {_few(outcomes)}{nearest(name, by_name)}')
    return picked


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdecimal() and len(digits) < 10


def _chance(dist: Dist[Any], outcome: Any, how: How) -> Fraction:
    if how == "exactly":
        return dist[outcome]
    place = _place(outcome)
    up = how == "at_least"
    weight = sum([w for other, w in dist.items() if (_place(other) >= place if up else _place(other) <= place)])
    return Fraction(weight, dist.total)


def _place(outcome: Any) -> Any:
    if isinstance(outcome, Enum):
        rank = getattr(outcome, "rank", None)
        return list(type(outcome)).index(outcome) if rank is None else rank
    return outcome
