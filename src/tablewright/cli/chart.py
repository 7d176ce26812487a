"""The chart of odds: a line for each outcome with bar, percent, chance of at least as much, and fraction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.numbers import bar, fraction, number, percent
from tablewright.cli.paper import BAR, HEAD, QUIET, call_heading, heading, paper, width_of
from tablewright.cli.screen import writes_unicode
from tablewright.dice import Dist
from tablewright.engine import Call
from tablewright.engine.reporting import at_leasts, fields_of
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.engine.reporting import Answer

MOST_ROWS = 40
LEAST_BAR, MOST_BAR = 6, 40
_GAP = 2
_LEAST_LABEL = 6
"""The width below which no label is cut."""


class Row(NamedTuple):
    """One line of the chart: what stands in front, how likely it is, and how likely at least as much."""

    labels: tuple[str, ...]
    chance: Fraction
    at_least: Fraction | None = None


def draw_odds(answer: Answer, *, at_least: bool = False, brief: bool = False) -> None:
    """Draw the odds of a call or of dice; ``brief`` leaves out what never comes about, but for what comes first."""
    console = paper()
    exact = answer.odds
    subject = answer.subject
    console.print(call_heading(subject) if isinstance(subject, Call) else heading(str(subject)))
    heads, rows = _rows(exact)
    _draw_rows(console, heads, rows, by_at_least=at_least)
    for line in _below(answer, brief=brief):
        console.print(Text(line))


def _rows(exact: Dist[Any]) -> tuple[tuple[str, ...], list[Row]]:
    """The heads of the label columns, and the rows: of records a column for each field that varies."""
    if exact.numeric:
        return ("",), _number_rows(exact)
    leaves = [leaf for leaf in _leaves(exact) if len(leaf.part) > 1]
    if not leaves:
        return ("",), _likeliest([Row((shown(outcome),), chance) for outcome, chance in exact.fractions()])
    rows = [Row(tuple([shown(leaf.of(outcome)) for leaf in leaves]), chance) for outcome, chance in exact.fractions()]
    return tuple(_told_apart(leaves)), _likeliest(rows)


class Leaf(NamedTuple):
    """A field of a record, or of a record within it: the names and the places on the way to it, and its odds."""

    path: tuple[str, ...]
    way: tuple[int, ...]
    part: Dist[Any]

    def of(self, outcome: Any) -> Any:
        """What the field is in an outcome."""
        for place in self.way:
            outcome = outcome[place]
        return outcome


def _leaves(exact: Dist[Any]) -> list[Leaf]:
    """Where outcomes are records of one kind: each field by itself, and in place of a record those within it."""
    found: list[Leaf] = []
    for place, (name, part) in enumerate(fields_of(exact)):
        plain = hasattr(part.outcomes[0], "json_text")  # such as a roll value, which has a notation of its own
        inner = [] if plain else _leaves(part)
        found += [Leaf((name, *leaf.path), (place, *leaf.way), leaf.part) for leaf in inner]
        if not inner:
            found.append(Leaf((name,), (place,), part))
    return found


def _told_apart(leaves: Sequence[Leaf]) -> list[str]:
    """What fields are called: by their own names, or with all that they are in where several are called the same."""
    alike = Counter([leaf.path[-1] for leaf in leaves])
    return [leaf.path[-1] if alike[leaf.path[-1]] == 1 else " ".join(leaf.path) for leaf in leaves]


def _number_rows(exact: Dist[Any]) -> list[Row]:
    """A row for each number, or for ranges of numbers where there are too many."""
    pairs = list(zip(exact.outcomes, exact.weights, at_leasts(exact), strict=True))
    if len(pairs) <= MOST_ROWS:
        return [Row((shown(outcome),), Fraction(weight, exact.total), least) for outcome, weight, least in pairs]
    low, high = _bulk(exact)
    step = -(-(high - low + 1) // (MOST_ROWS - 2))
    edges = [0, *range(low, high + 1, step), len(pairs)]
    edges = sorted(set(edges))
    rows = []
    for start, end in pairwise(edges):
        chance = Fraction(sum([weight for _, weight, _ in pairs[start:end]]), exact.total)
        first, last = shown(pairs[start][0]), shown(pairs[end - 1][0])
        label = first if first == last else f"{first}..{last}"
        rows.append(Row((label,), chance, pairs[start][2]))
    return rows


def _bulk(exact: Dist[Any]) -> tuple[int, int]:
    """The places between which all but one in ten thousand lies."""
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


def _likeliest(rows: list[Row]) -> list[Row]:
    """At most as many rows as can be read, the least likely ones taken together in the last."""
    if len(rows) <= MOST_ROWS:
        return rows
    least = sorted([row.chance for row in rows], reverse=True)[MOST_ROWS - 2]
    kept = [row for row in rows if row.chance >= least][: MOST_ROWS - 1]
    others = len(rows) - len(kept)
    rest = 1 - sum([row.chance for row in kept], Fraction(0))
    blank = ("",) * (len(rows[0].labels) - 1)
    return [*kept, Row((f"{others} others", *blank), rest)]


def _draw_rows(console: Console, heads: tuple[str, ...], rows: list[Row], *, by_at_least: bool) -> None:
    """Draw as many columns as there is room for: the bar shrinks first, then the second percent and the fraction go."""
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
    styled = [*labels, *told] if room >= 0 else [(first, HEAD), *labels]  # the chance is what nobody can do without
    for place in range(-1, len(rows)):
        line = Text()
        for column, style in styled:
            if column.width:
                cell = column.head if place < 0 else column.cells[place]
                line.append(_padded(cell, column) + " " * _GAP, style=QUIET if place < 0 else style)
        line.rstrip()
        if line.plain:
            console.print(line, no_wrap=True, overflow="crop")


class Column(NamedTuple):
    """A head, the cells below it, and how wide they are at most."""

    head: str
    cells: list[str]
    width: int
    left: bool


NONE = Column("", [], 0, True)


def _narrowed(columns: list[Column], room: int) -> list[Column]:
    """The columns, of which the widest are cut short until all of them have room; what is cut says so."""
    while sum([column.width + _GAP for column in columns]) > room:
        at = max(range(len(columns)), key=lambda place: columns[place].width)
        width = columns[at].width - 1
        if width < _LEAST_LABEL:
            break
        head, *cells = [_cut(text, width) for text in (columns[at].head, *columns[at].cells)]
        columns = [*columns[:at], Column(head, cells, width, columns[at].left), *columns[at + 1 :]]
    return columns


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else f"{text[: width - 3].rstrip()}..."


def _column(head: str, cells: list[str], *, left: bool = False, width: int | None = None) -> Column:
    return Column(head, cells, width_of([head, *cells]) if width is None else width, left)


def _padded(text: str, column: Column) -> str:
    space = " " * (column.width - cell_len(text))
    return text + space if column.left else space + text


def _with_fraction(exact: Fraction, said: str) -> str:
    return said if exact.denominator == 1 else f"{said} ({fraction(exact)})"


def _is_nothing(outcome: object) -> bool:
    """Whether there is nothing to say of an outcome: no, 0, empty, or a record of nothing but that."""
    if isinstance(outcome, tuple):
        return all(_is_nothing(part) for part in outcome)
    return not outcome or outcome == "none"


def _below(answer: Answer, *, brief: bool) -> list[str]:
    """What else is worth knowing, one line each."""
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
            lines.append(f"{name}: always {shown(part.outcomes[0])}")
        elif part.numeric:
            lines.append(f"{name}: mean {_with_fraction(part.mean, number(part.mean))}")
        elif len(part) <= 8:
            lines.append(f"{name}: " + ", ".join([f"{shown(o)} {percent(c)}" for o, c in part.fractions()]))
    if answer.objective is not None and answer.expected is not None:
        chosen = "choices made for the best " if answer.choosing else ""
        worth = _with_fraction(answer.expected, number(answer.expected))
        lines.append(f"{chosen}{answer.objective}: {worth} expected")
    if exact.again:
        lines.append(f"rolled afresh {percent(exact.again)} of the time ({fraction(exact.again)})")
    if exact.remainder:
        lines.append(f"cut short by the cap on extra dice: {percent(exact.remainder)} at most")
    return lines
