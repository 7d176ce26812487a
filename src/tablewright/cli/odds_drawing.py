"""A table of odds on the screen: numbers with bars, sides beside each other with the difference, grids, and a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.numbers import bar, fraction, number, percent
from tablewright.cli.odds_curve import Series, draw_curve
from tablewright.cli.paper import BAR, HEAD, QUIET, heading, paper, width_of
from tablewright.cli.screen import writes_unicode
from tablewright.errors import BadInput
from tablewright.lab.comparing import Cost, costs
from tablewright.lab.pictures import title_of
from tablewright.lab.ranges import label_of
from tablewright.lab.tables import Table
from tablewright.lab.views import Column

MOST_ROWS = 60
MOST_COLUMNS = 24
_LEAST_BAR, _MOST_BAR = 6, 40
_GAP = 2
_FEWEST_FOR_A_CURVE = 5
_MOST_CURVES = 6
_HOW = {"exactly": "chance of each outcome", "at_least": "chance of at least", "at_most": "chance of at most"}


class Stripe(NamedTuple):
    """One column of text: its head, its cells, and how they are written."""

    head: str
    cells: list[str]
    style: str = ""
    left: bool = False

    @property
    def width(self) -> int:
        """The cells of the screen that the widest takes."""
        return width_of([self.head, *self.cells])


def draw_table(table: Table) -> None:
    """Draw a table, whatever ranges and cases it has, and what else is worth knowing below it."""
    if table.axes and len(table.columns) > MOST_COLUMNS:
        raise BadInput(
            f"{len(table.columns)} outcomes are too many columns to read; name some by --at, or use --csv or --json"
        )
    console = paper()
    if not writes_unicode():
        table = replace(table, columns=tuple([replace(c, label=_plainly(c.label)) for c in table.columns]))
    told = _HOW.get(table.how) or _expected(table.columns[0])
    if table.of is not None and table.how != "expected":
        told += f" ({table.of})"
    console.print(heading(title_of(table), told))
    if len(table.axes) == 2:
        _draw_grids(console, table)
    elif len(table.axes) == 1:
        _draw_range(console, table)
    else:
        _draw_outcomes(console, table)
    for line in _below(table):
        console.print(Text(line))


def _plainly(label: str) -> str:
    """With signs that every terminal has, so that what is measured is what is written."""
    return label.replace("≥", ">=").replace("≤", "<=")


def _expected(column: Column) -> str:
    if column.is_chance:
        return f"chance of {column.label}"
    return column.label if column.label.startswith("mean") else f"expected {column.label}"


# ---------------------------------------------------------------------- numbers


def shown_number(value: Fraction | None, column: Column) -> str:
    """A number of a table: percent for chances, a dash where the rules refuse."""
    if value is None:
        return "-"
    return percent(value) if column.is_chance else number(value)


def shown_difference(value: Fraction | None, column: Column) -> str:
    """A difference with its sign, of chances in percentage points.

    >>> shown_difference(Fraction(1, 8), Column("hit", True)), shown_difference(Fraction(0), Column("hit", True))
    ('+12.50', '=')
    """
    if value is None:
        return "-"
    if not value:
        return "="
    return f"{float(100 * value):+.2f}" if column.is_chance else f"{float(value):+.4g}"


def _sizes(values: Sequence[Fraction | None]) -> list[float]:
    """How long bars are: from 0, or from the lowest number where some are below it."""
    known = [value for value in values if value is not None]
    low = min([*known, Fraction(0)])
    span = max([*known, Fraction(0)]) - low
    return [0.0 if value is None or not span else float((value - low) / span) for value in values]


# ---------------------------------------------------------------------- shapes


def _draw_outcomes(console: Console, table: Table) -> None:
    """Nothing ranges: a row for each outcome."""
    labels = [column.label for column in table.columns]
    curves = [[table.value(case, 0, at) for at in range(len(labels))] for case in range(len(table.cases))]
    apart = [[table.difference(case, 0, at) for at in range(len(labels))] for case in range(len(table.cases))]
    heads = [case.label for case in table.cases] if len(table.cases) > 1 else [""]
    _draw_block(console, ("", labels), heads, table.columns, curves=curves, apart=apart)


def _draw_range(console: Console, table: Table) -> None:
    """One thing ranges: a row for each value, and a curve."""
    axis = table.axes[0]
    compared = len(table.cases) > 1
    rows = range(len(axis.values))
    if not compared and len(table.columns) > 1:
        _draw_columns(console, table)
    else:
        for at, column in enumerate(table.columns):
            if len(table.columns) > 1:
                console.print()
                console.print(Text(column.label, style=HEAD))
            curves = [list(table.curve(case, at)) for case in range(len(table.cases))]
            apart = [[table.difference(case, point, at) for point in rows] for case in range(len(table.cases))]
            heads = [case.label for case in table.cases] if compared else [column.label]
            _draw_block(
                console, (axis.name, list(axis.labels)), heads, [column] * len(rows), curves=curves, apart=apart
            )
    series = [
        Series(", ".join([*([c.label] if len(table.columns) > 1 else []), *([k.label] if compared else [])]), v)
        for at, c in enumerate(table.columns)
        for case, k in enumerate(table.cases)
        for v in [table.curve(case, at)]
    ]
    if len(axis.values) >= _FEWEST_FOR_A_CURVE and len(series) <= _MOST_CURVES:
        console.print()
        draw_curve(console, axis, series, is_chance=table.columns[0].is_chance)


def _draw_columns(console: Console, table: Table) -> None:
    """One case with several numbers: a column for each, in as many blocks as the width needs."""
    axis = table.axes[0]
    first = Stripe(axis.name, list(axis.labels))
    stripes = [
        Stripe(column.label, [shown_number(value, column) for value in table.curve(0, at)])
        for at, column in enumerate(table.columns)
    ]
    _print_blocks(console, first, stripes)


def _print_blocks(console: Console, first: Stripe, stripes: Sequence[Stripe]) -> None:
    """Columns beside the first one, in as many blocks as the width needs."""
    block: list[Stripe] = []
    for stripe in stripes:
        if block and sum([one.width + _GAP for one in [first, *block, stripe]]) > console.width:
            print_stripes(console, [first, *block])
            console.print()
            block = []
        block.append(stripe)
    print_stripes(console, [first, *block])


def _draw_block(
    console: Console,
    first: tuple[str, list[str]],
    heads: Sequence[str],
    columns: Sequence[Column],
    *,
    curves: Sequence[Sequence[Fraction | None]],
    apart: Sequence[Sequence[Fraction | None]],
) -> None:
    """Rows with the number of each case and the difference from the first, and a bar where there is room."""
    if len(heads) > 1 and _too_wide(console, first[1], heads):
        letters = [f"({letter})" for letter in "abcdefghijkl"]
        for letter, head in zip(letters, heads, strict=False):
            console.print(Text(f"{letter} {head}", style=QUIET))
        heads = letters[: len(heads)]
    stripes = [Stripe(first[0], first[1], left=not all(_is_number(label) for label in first[1]))]
    for case, (head, values) in enumerate(zip(heads, curves, strict=True)):
        told = [shown_number(value, column) for value, column in zip(values, columns, strict=True)]
        stripes.append(Stripe(head, told, HEAD if not case else ""))
        if case:
            told = [shown_difference(value, column) for value, column in zip(apart[case], columns, strict=True)]
            stripes.append(Stripe("differs", told, QUIET))
    if len(curves) == 1:
        stripes += _bar_and_fraction(console, stripes, curves[0])
    print_stripes(console, stripes)


def _too_wide(console: Console, labels: Sequence[str], heads: Sequence[str]) -> bool:
    return width_of(labels) + sum([max(8, cell_len(head)) + _GAP + 9 for head in heads]) > console.width


def _bar_and_fraction(console: Console, stripes: Sequence[Stripe], values: Sequence[Fraction | None]) -> list[Stripe]:
    room = console.width - sum([stripe.width + _GAP for stripe in stripes])
    exact = Stripe("", ["" if v is None or v.denominator == 1 else fraction(v) for v in values], QUIET, left=True)
    more = [exact] if room >= _LEAST_BAR + 2 * _GAP + exact.width else []
    room -= sum([stripe.width + _GAP for stripe in more])
    if room < _LEAST_BAR:
        return more
    width = min(room, _MOST_BAR)
    drawn = [bar(size, width, unicode=writes_unicode()).ljust(width) for size in _sizes(values)]
    return [Stripe("", drawn, BAR, left=True), *more]


def _draw_grids(console: Console, table: Table) -> None:
    """Two things range: a grid for each number and case, and one for each difference."""
    for at, column in enumerate(table.columns):
        for case, one in enumerate(table.cases):
            words = [
                *([column.label] if len(table.columns) > 1 else []),
                *([one.label] if len(table.cases) > 1 else []),
            ]
            told = [shown_number(value, column) for value in table.curve(case, at)]
            _draw_grid(console, table, ", ".join(words), told)
        for case in range(1, len(table.cases)):
            apart = [table.difference(case, point, at) for point in range(len(table.points))]
            told = [shown_difference(value, column) for value in apart]
            words = [*([column.label] if len(table.columns) > 1 else [])]
            name = f"{table.cases[case].label} differs from {table.cases[0].label} by"
            _draw_grid(console, table, ", ".join([*words, name]), told)


def _draw_grid(console: Console, table: Table, name: str, told: Sequence[str]) -> None:
    down, across = table.axes
    draw_grid(console, (down.name, down.labels), (across.name, across.labels), name, told)


def draw_grid(
    console: Console,
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    name: str,
    told: Sequence[str],
) -> None:
    """Cells of text, row by row, in as many blocks as the width needs."""
    if name:
        console.print()
        console.print(Text(name, style=HEAD))
    console.print(Text(f"{down[0]} down, {across[0]} across", style=QUIET))
    wide = len(across[1])
    first = Stripe("", list(down[1]), QUIET)
    stripes = [Stripe(label, list(told[at::wide])) for at, label in enumerate(across[1])]
    _print_blocks(console, first, stripes)


def print_stripes(console: Console, stripes: Sequence[Stripe]) -> None:
    """Lines of stripes beside each other; of very many rows only some, and it is said how many."""
    count = len(stripes[0].cells)
    step = -(-count // MOST_ROWS)
    for row in (-1, *range(0, count, step)):
        line = Text()
        for stripe in stripes:
            cell = stripe.head if row < 0 else stripe.cells[row]
            space = " " * (stripe.width - cell_len(cell))
            line.append(cell + space if stripe.left else space + cell, style=QUIET if row < 0 else stripe.style)
            line.append(" " * _GAP)
        line.rstrip()
        if line.plain:
            console.print(line, no_wrap=True, overflow="crop")
    if step > 1:
        console.print(Text(f"one row in {step} of {count} is shown; --csv and --json have all", style=QUIET))


def _is_number(label: str) -> bool:
    return label.lstrip("+-").isdecimal()


# ---------------------------------------------------------------------- below the table


def _below(table: Table) -> list[str]:
    """What else is worth knowing, one line each."""
    lines = []
    if not table.axes and table.how != "expected" and table.cells[0][0].mean is not None:
        lines.append(_means(table))
    if table.choosing and table.objective is not None:
        lines.append(f"choices are made for the best {table.objective}")
    if len(table.cases) > 1 and table.axes:
        for at, column in enumerate(table.columns[:4]):
            lines += [_cost(table, cost, column) for cost in costs(table, at)]
    reasons: dict[str, list[str]] = {}
    for case, row in enumerate(table.cells):
        for point, cell in enumerate(row):
            if not cell.values:
                where = [f"{name}={label_of(value)}" for name, value in table.points[point].items()]
                words = [*where, *([table.cases[case].label] if len(table.cases) > 1 else [])]
                reasons.setdefault(cell.refused, []).append(" ".join(words))
    for reason, places in list(reasons.items())[:3]:
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        lines.append(f"- at {places[0]}{more}: {reason}")
    if table.remainder:
        lines.append(f"cut short by the cap on extra dice: {percent(table.remainder)} at most")
    return lines


def _means(table: Table) -> str:
    """The mean of each case where outcomes are numbers, with the difference from the first."""
    first = table.cells[0][0].mean
    parts = []
    for case, (cell, *_) in zip(table.cases, table.cells, strict=True):
        name = f"{case.label} " if len(table.cases) > 1 else ""
        apart = (
            "" if first is None or cell.mean is None or cell.mean == first else f" ({float(cell.mean - first):+.4g})"
        )
        parts.append(f"{name}{'-' if cell.mean is None else number(cell.mean)}{apart}")
    return f"mean: {', '.join(parts)}"


def _cost(table: Table, cost: Cost, column: Column) -> str:
    """What a case comes to against the first one, over everything that ranges."""
    name = f"{table.cases[cost.case].label} against {table.cases[0].label}"
    unit = " points" if column.is_chance else ""
    label = f"{column.label}: " if len(table.columns) > 1 else ""
    if cost.least == cost.most:
        return f"{label}{name}: {shown_difference(cost.least, column)}{unit} everywhere".replace(
            "= points", "no difference"
        )
    ends = []
    for value, where in ((cost.least, cost.least_at), (cost.most, cost.most_at)):
        place = " ".join([f"{argument}={label_of(part)}" for argument, part in where.items()])
        ends.append(f"{shown_difference(value, column) if value else '0'} at {place}")
    return f"{label}{name}: from {ends[0]} to {ends[1]}, on average {shown_difference(cost.mean, column)}{unit}"
