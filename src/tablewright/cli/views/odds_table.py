"""Odds tables on the screen: numbers with bars, comparisons with differences, grids and curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import BAR, HEAD, QUIET, heading, make_console, width_of
from tablewright.cli.output.numbers import bar, fraction, number, percent
from tablewright.cli.output.streams import writes_unicode
from tablewright.cli.views.curve import Series, draw_curve
from tablewright.errors import InvalidInputError
from tablewright.game.narration.formatting import label_of
from tablewright.lab.odds.charts import title_of
from tablewright.lab.odds.columns import Column
from tablewright.lab.odds.comparison import DeviceCost, costs
from tablewright.lab.odds.table import OddsTable

MOST_ROWS = 60
MOST_COLUMNS = 24
_LEAST_BAR, _MOST_BAR = 6, 40
_GAP = 2
_FEWEST_FOR_A_CURVE = 5
_MOST_CURVES = 6
_HOW = {"exactly": "chance of each outcome", "at_least": "chance of at least", "at_most": "chance of at most"}


class Stripe(NamedTuple):
    """One column of text: header, cells and style."""

    head: str
    cells: list[str]
    style: str = ""
    left: bool = False

    @property
    def width(self) -> int:
        """Width in terminal cells."""
        return width_of([self.head, *self.cells])


def draw_table(table: OddsTable) -> None:
    """Draw a table with any ranges and cases, and its remarks."""
    if table.axes and len(table.columns) > MOST_COLUMNS:
        raise InvalidInputError(
            f"{len(table.columns)} outcomes are too many columns to read; name some by --at, or use --csv or --json"
        )
    console = make_console()
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
    """Replace signs that some terminals lack, so that the measured width is right."""
    return label.replace("≥", ">=").replace("≤", "<=")


def _expected(column: Column) -> str:
    if column.is_chance:
        return f"chance of {column.label}"
    return column.label if column.label.startswith("mean") else f"expected {column.label}"


# ---------------------------------------------------------------------- numbers


def shown_number(value: Fraction | None, column: Column) -> str:
    """A number of a table: percent for chances, a dash for a refused point."""
    if value is None:
        return "-"
    return percent(value) if column.is_chance else number(value)


def shown_difference(value: Fraction | None, column: Column) -> str:
    """A signed difference; chances in percentage points.

    >>> shown_difference(Fraction(1, 8), Column("hit", True)), shown_difference(Fraction(0), Column("hit", True))
    ('+12.50', '=')
    """
    if value is None:
        return "-"
    if not value:
        return "="
    return f"{float(100 * value):+.2f}" if column.is_chance else f"{float(value):+.4g}"


def _sizes(values: Sequence[Fraction | None]) -> list[float]:
    """Bar lengths between 0 and 1, measured from 0 or from the lowest negative number."""
    known = [value for value in values if value is not None]
    low = min([*known, Fraction(0)])
    span = max([*known, Fraction(0)]) - low
    return [0.0 if value is None or not span else float((value - low) / span) for value in values]


# ---------------------------------------------------------------------- shapes


def _draw_outcomes(console: Console, table: OddsTable) -> None:
    """Draw a table without ranges: a row per outcome."""
    labels = [column.label for column in table.columns]
    curves = [[table.value(case, 0, at) for at in range(len(labels))] for case in range(len(table.cases))]
    apart = [[table.difference(case, 0, at) for at in range(len(labels))] for case in range(len(table.cases))]
    heads = [case.label for case in table.cases] if len(table.cases) > 1 else [""]
    _draw_block(console, ("", labels), heads, table.columns, curves=curves, apart=apart)


def _draw_range(console: Console, table: OddsTable) -> None:
    """Draw a table over one range: a row per value, and a curve."""
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


def _draw_columns(console: Console, table: OddsTable) -> None:
    """Draw one case with several columns, split into blocks that fit the width."""
    axis = table.axes[0]
    first = Stripe(axis.name, list(axis.labels))
    stripes = [
        Stripe(column.label, [shown_number(value, column) for value in table.curve(0, at)])
        for at, column in enumerate(table.columns)
    ]
    _print_blocks(console, first, stripes)


def _print_blocks(console: Console, first: Stripe, stripes: Sequence[Stripe]) -> None:
    """Print columns beside the first one, split into blocks that fit the width."""
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
    """Draw rows with each case's number and its difference from the first, and a bar if it fits."""
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


def _draw_grids(console: Console, table: OddsTable) -> None:
    """Draw a grid per column and case, and one per difference."""
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


def _draw_grid(console: Console, table: OddsTable, name: str, told: Sequence[str]) -> None:
    down, across = table.axes
    draw_grid(console, (down.name, down.labels), (across.name, across.labels), name, told)


def draw_grid(
    console: Console,
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    name: str,
    told: Sequence[str],
) -> None:
    """Draw a grid of texts, split into blocks that fit the width."""
    if name:
        console.print()
        console.print(Text(name, style=HEAD))
    console.print(Text(f"{down[0]} down, {across[0]} across", style=QUIET))
    wide = len(across[1])
    first = Stripe("", list(down[1]), QUIET)
    stripes = [Stripe(label, list(told[at::wide])) for at, label in enumerate(across[1])]
    _print_blocks(console, first, stripes)


def print_stripes(console: Console, stripes: Sequence[Stripe]) -> None:
    """Print columns side by side; very long ones are thinned out, with a note."""
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


def _below(table: OddsTable) -> list[str]:
    """Remarks below the table, one line each."""
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
        lines.append(f"dice that go on further than odds follow them: {percent(table.remainder)} at most")
    return lines


def _means(table: OddsTable) -> str:
    """Mean of each case with numeric outcomes, and its difference from the first."""
    first = table.cells[0][0].mean
    parts = []
    for case, (cell, *_) in zip(table.cases, table.cells, strict=True):
        name = f"{case.label} " if len(table.cases) > 1 else ""
        apart = (
            "" if first is None or cell.mean is None or cell.mean == first else f" ({float(cell.mean - first):+.4g})"
        )
        parts.append(f"{name}{'-' if cell.mean is None else number(cell.mean)}{apart}")
    return f"mean: {', '.join(parts)}"


def _cost(table: OddsTable, cost: DeviceCost, column: Column) -> str:
    """Difference of a case from the first over all ranges, in words."""
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
