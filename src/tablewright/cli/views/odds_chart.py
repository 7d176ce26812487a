"""Chart of odds: a line per outcome with bar, percent, cumulated chance and fraction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import BAR, HEAD, QUIET, call_heading, heading, make_console, width_of
from tablewright.cli.output.numbers import bar, fraction, in_plain_words, number, percent
from tablewright.cli.output.streams import writes_unicode
from tablewright.dice import Dist
from tablewright.engine import Call
from tablewright.engine.report import at_leasts, fields_of
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.phrases import spaced

if TYPE_CHECKING:
    from tablewright.engine.report import OddsReport

MOST_ROWS = 40
LEAST_BAR, MOST_BAR = 6, 40
_GAP = 2
_LEAST_LABEL = 6
"""Width below which labels are not cut."""


class ChartRow(NamedTuple):
    """One line of the chart: labels, chance, and chance of at least as much."""

    labels: tuple[str, ...]
    chance: Fraction
    at_least: Fraction | None = None


def draw_odds(answer: OddsReport, *, at_least: bool = False, brief: bool = False) -> None:
    """Draw the odds of a call or of dice; ``brief`` omits flags that are never true, except a leading one."""
    console = make_console()
    exact = answer.odds
    subject = answer.subject
    console.print(call_heading(subject) if isinstance(subject, Call) else heading(str(subject)))
    heads, rows = _rows(exact)
    _draw_rows(console, heads, rows, by_at_least=at_least)
    for line in _below(answer, brief=brief):
        console.print(Text(line))


def _rows(exact: Dist[Any]) -> tuple[tuple[str, ...], list[ChartRow]]:
    """Headers and rows; records get one column per field that varies."""
    if exact.numeric:
        return ("",), _number_rows(exact)
    leaves = [leaf for leaf in _leaves(exact) if len(leaf.part) > 1]
    if not leaves:
        return ("",), _likeliest([ChartRow((_shown(outcome),), chance) for outcome, chance in exact.fractions()])
    rows = [
        ChartRow(tuple([_shown(leaf.of(outcome)) for leaf in leaves]), chance) for outcome, chance in exact.fractions()
    ]
    return tuple(_told_apart(leaves)), _likeliest(rows)


class ChartLeaf(NamedTuple):
    """A field of a possibly nested record: names and indices on the path to it, and its odds."""

    path: tuple[str, ...]
    way: tuple[int, ...]
    part: Dist[Any]

    def of(self, outcome: Any) -> Any:
        """Value of the field in an outcome."""
        for place in self.way:
            outcome = outcome[place]
        return outcome


def _leaves(exact: Dist[Any]) -> list[ChartLeaf]:
    """Leaf fields of records of one type; empty for other outcomes."""
    found: list[ChartLeaf] = []
    for place, (name, part) in enumerate(fields_of(exact)):
        plain = hasattr(part.outcomes[0], "json_text")  # such as a roll value, which has its own notation
        inner = [] if plain else _leaves(part)
        found += [ChartLeaf((name, *leaf.path), (place, *leaf.way), leaf.part) for leaf in inner]
        if not inner:
            found.append(ChartLeaf((name,), (place,), part))
    return found


def _told_apart(leaves: Sequence[ChartLeaf]) -> list[str]:
    """Names of fields in words; the full path for duplicate names."""
    alike = Counter([leaf.path[-1] for leaf in leaves])
    return [spaced(leaf.path[-1] if alike[leaf.path[-1]] == 1 else " ".join(leaf.path)) for leaf in leaves]


def _shown(value: object) -> str:
    """A value in words."""
    return in_plain_words(format_value(value))


def _number_rows(exact: Dist[Any]) -> list[ChartRow]:
    """A row per number, or per range of numbers if there are too many."""
    pairs = list(zip(exact.outcomes, exact.weights, at_leasts(exact), strict=True))
    if len(pairs) <= MOST_ROWS:
        return [ChartRow((_shown(outcome),), Fraction(weight, exact.total), least) for outcome, weight, least in pairs]
    low, high = _bulk(exact)
    step = -(-(high - low + 1) // (MOST_ROWS - 2))
    edges = [0, *range(low, high + 1, step), len(pairs)]
    edges = sorted(set(edges))
    rows = []
    for start, end in pairwise(edges):
        chance = Fraction(sum([weight for _, weight, _ in pairs[start:end]]), exact.total)
        first, last = _shown(pairs[start][0]), _shown(pairs[end - 1][0])
        label = first if first == last else f"{first}..{last}"
        rows.append(ChartRow((label,), chance, pairs[start][2]))
    return rows


def _bulk(exact: Dist[Any]) -> tuple[int, int]:
    """Indices that enclose all but one in ten thousand of the probability."""
    weights, total = exact.weights, exact.total
    low, running = 0, 0
    while (running + weights[low]) * 20_000 < total:
        running += weights[low]
        low += 1
    high, running = len(weights) - 1, 0
    while (running + weights[high]) * 20_000 < total:
        running += weights[high]
        high -= 1
    return low, high + 1


def _likeliest(rows: list[ChartRow]) -> list[ChartRow]:
    """At most ``MOST_ROWS`` rows; the least likely ones are merged into the last."""
    if len(rows) <= MOST_ROWS:
        return rows
    least = sorted([row.chance for row in rows], reverse=True)[MOST_ROWS - 2]
    kept = [row for row in rows if row.chance >= least][: MOST_ROWS - 1]
    others = len(rows) - len(kept)
    rest = 1 - sum([row.chance for row in kept], Fraction(0))
    blank = ("",) * (len(rows[0].labels) - 1)
    return [*kept, ChartRow((f"{others} others", *blank), rest)]


def _draw_rows(console: Console, heads: tuple[str, ...], rows: list[ChartRow], *, by_at_least: bool) -> None:
    """Draw the columns that fit: the bar shrinks first, then the second percentage and the fraction go."""
    chances = [row.chance for row in rows]
    least = [row.at_least for row in rows if row.at_least is not None]
    firsts, seconds = (least, chances) if by_at_least else (chances, least)
    first_head, second_head = ("at least", "exactly") if by_at_least else ("", "at least")
    columns = [_column(head, [row.labels[place] for row in rows], left=True) for place, head in enumerate(heads)]
    if least and heads == ("",):
        columns = [_column("", [row.labels[0] for row in rows])]
    first = _column(first_head, list(map(percent, firsts)))
    columns = _narrowed(columns, console.width - first.width)
    second = _column(second_head, list(map(percent, seconds)))
    fractions = _column("", list(map(fraction, firsts)), left=True)
    room = console.width - sum([column.width + _GAP for column in [*columns, first]])
    if seconds and room >= LEAST_BAR + _GAP + second.width:
        room -= second.width + _GAP
    else:
        second = NONE
    if room >= LEAST_BAR + _GAP + fractions.width:
        room -= fractions.width + _GAP
    else:
        fractions = NONE
    largest = max(firsts)
    width = min(room, MOST_BAR) if room >= LEAST_BAR else 0
    drawn = [bar(float(size / largest), width, unicode=writes_unicode()) if width else "" for size in firsts]
    bars = _column("", drawn, left=True, width=width)
    labels = [(column, "") for column in columns]
    told = [(first, HEAD), (bars, BAR), (second, ""), (fractions, QUIET)]
    styled = [*labels, *told] if room >= 0 else [(first, HEAD), *labels]  # the chance is the last column to go
    for place in range(-1, len(rows)):
        line = Text()
        for column, style in styled:
            if column.width:
                cell = column.head if place < 0 else column.cells[place]
                line.append(_padded(cell, column) + " " * _GAP, style=QUIET if place < 0 else style)
        line.rstrip()
        if line.plain:
            console.print(line, no_wrap=True, overflow="crop")


class ChartColumn(NamedTuple):
    """A header, its cells and their maximal width."""

    head: str
    cells: list[str]
    width: int
    left: bool


NONE = ChartColumn("", [], 0, True)


def _narrowed(columns: list[ChartColumn], room: int) -> list[ChartColumn]:
    """Shorten the widest columns until all fit; cut texts are marked."""
    while sum([column.width + _GAP for column in columns]) > room:
        at = max(range(len(columns)), key=lambda place: columns[place].width)
        width = columns[at].width - 1
        if width < _LEAST_LABEL:
            break
        head, *cells = [_cut(text, width) for text in (columns[at].head, *columns[at].cells)]
        columns = [*columns[:at], ChartColumn(head, cells, width, columns[at].left), *columns[at + 1 :]]
    return columns


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else f"{text[: width - 3].rstrip()}..."


def _column(head: str, cells: list[str], *, left: bool = False, width: int | None = None) -> ChartColumn:
    return ChartColumn(head, cells, width_of([head, *cells]) if width is None else width, left)


def _padded(text: str, column: ChartColumn) -> str:
    space = " " * (column.width - cell_len(text))
    return text + space if column.left else space + text


def _with_fraction(exact: Fraction, said: str) -> str:
    return said if exact.denominator == 1 else f"{said} ({fraction(exact)})"


def _is_nothing(outcome: object) -> bool:
    """True if an outcome is false, 0, empty, "none", or a record of only such values."""
    if isinstance(outcome, tuple):
        return all(_is_nothing(part) for part in outcome)
    return not outcome or outcome == "none"


def _below(answer: OddsReport, *, brief: bool) -> list[str]:
    """Remarks below the chart, one line each."""
    exact = answer.odds
    lines = []
    if exact.numeric:
        lines.append(f"mean {_with_fraction(exact.mean, number(exact.mean))}, deviation {exact.standard_deviation:.3g}")
    leaves = _leaves(exact)
    for place, (name, part) in enumerate(zip(_told_apart(leaves), [leaf.part for leaf in leaves], strict=True)):
        told = isinstance(part.outcomes[0], bool) and not (brief and place)
        if len(part) == 1 and _is_nothing(part.outcomes[0]) and not told:
            continue
        if {type(outcome) for outcome in part.outcomes} == {bool}:
            lines.append(f"{name}: {_with_fraction(part[True], percent(part[True]))}")
        elif len(part) == 1:
            lines.append(f"{name}: always {_shown(part.outcomes[0])}")
        elif part.numeric:
            lines.append(f"{name}: mean {_with_fraction(part.mean, number(part.mean))}")
        elif len(part) <= 8:
            lines.append(f"{name}: " + ", ".join([f"{_shown(o)} {percent(c)}" for o, c in part.fractions()]))
    if answer.objective is not None and answer.expected is not None:
        chosen = "choices made for the best " if answer.choosing else ""
        worth = _with_fraction(answer.expected, number(answer.expected))
        lines.append(f"{chosen}{spaced(answer.objective)}: {worth} expected")
    if answer.by_default:
        lines.append("the game master's choices are the usual ones")
    if exact.again:
        lines.append(f"rerolled {percent(exact.again)} of the time ({fraction(exact.again)})")
    if exact.remainder:
        lines.append(f"dice that go on further than odds follow them: {percent(exact.remainder)} at most")
    return lines
