"""Curves drawn with characters: a mark per value, dots between them, another mark for each curve."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import QUIET
from tablewright.cli.output.numbers import number
from tablewright.cli.output.streams import writes_unicode
from tablewright.lab.odds.ranges import Axis

HEIGHT = 12
_WIDEST = 72
_NARROWEST = 20
_MARKS = "●○▲△■□◆◇"
_PLAIN_MARKS = "ox+*#@%&"
_COLOURS = ("cyan", "yellow", "green", "magenta", "red", "blue", "white", "bright_black")


class Series(NamedTuple):
    """One curve: its name and its value at each point; None leaves a gap."""

    name: str
    values: Sequence[Fraction | None]


def draw_curve(console: Console, axis: Axis, series: Sequence[Series], *, is_chance: bool) -> None:
    """Draw curves over an axis; nothing on a console that is too narrow."""
    known = [float(value) for one in series for value in one.values if value is not None]
    if not known:
        return
    low, high = min([*known, 0.0]), max([*known, 0.0])
    if low == high:
        return
    labels = [_level(low + (high - low) * step / 4, is_chance) for step in range(5)]
    margin = max(map(len, labels)) + 2
    width = min(console.width - margin - 1, _WIDEST)
    if width < _NARROWEST:
        return
    unicode = writes_unicode()
    canvas: list[list[tuple[str, str]]] = [[(" ", "") for _ in range(width)] for _ in range(HEIGHT)]
    places = _places(axis, width)
    marks = _MARKS if unicode else _PLAIN_MARKS
    for at, one in enumerate(series):
        style = _COLOURS[at % len(_COLOURS)]
        heights = [None if value is None else _height(float(value), low, high) for value in one.values]
        _dots(canvas, places, heights, style, unicode=unicode)
    for at, one in enumerate(series):
        style, mark = _COLOURS[at % len(_COLOURS)], marks[at % len(marks)]
        for place, value in zip(places, one.values, strict=True):
            if value is not None:
                canvas[_height(float(value), low, high)][place] = (mark, style)
    side, corner, floor = ("│", "└", "─") if unicode else ("|", "+", "-")
    steps = {round(step * (HEIGHT - 1) / 4): labels[step] for step in range(5)}
    for row in range(HEIGHT - 1, -1, -1):
        line = Text(f"{steps.get(row, ''):>{margin - 2}} {side}", style=QUIET)
        for character, style in canvas[row]:
            line.append(character, style=style)
        line.rstrip()
        console.print(line, no_wrap=True, overflow="crop")
    console.print(Text(" " * (margin - 1) + corner + floor * width, style=QUIET), no_wrap=True, overflow="crop")
    ends = _ends(axis, places, width)
    console.print(Text(" " * margin + ends, style=QUIET), no_wrap=True, overflow="crop")
    if len(series) > 1:
        _draw_legend(console, [one.name for one in series], marks, margin)


def _draw_legend(console: Console, names: Sequence[str], marks: str, margin: int) -> None:
    """Print the mark of each curve, on as many lines as needed."""
    line = Text(" " * margin)
    for at, name in enumerate(names):
        if line.plain.strip() and line.cell_len + cell_len(name) + 2 > console.width:
            line.rstrip()
            console.print(line)
            line = Text(" " * margin)
        line.append(f"{marks[at % len(marks)]} ", style=_COLOURS[at % len(_COLOURS)]).append(f"{name}   ")
    line.rstrip()
    console.print(line)


def _level(value: float, is_chance: bool) -> str:
    return f"{100 * value:.3g}%" if is_chance else number(Fraction(value).limit_denominator(10_000))


def _height(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * (HEIGHT - 1))


def _places(axis: Axis, width: int) -> list[int]:
    """Column of each value: numbers to scale, others evenly spaced."""
    count = len(axis.values)
    if count == 1:
        return [width // 2]
    if not axis.numeric:
        return [round(at * (width - 1) / (count - 1)) for at in range(count)]
    low, high = min(axis.values), max(axis.values)
    return [round((value - low) / (high - low) * (width - 1)) for value in axis.values]


def _dots(
    canvas: list[list[tuple[str, str]]],
    places: Sequence[int],
    heights: Sequence[int | None],
    style: str,
    *,
    unicode: bool,
) -> None:
    """Draw dots between neighbouring points."""
    known = sorted([(place, height) for place, height in zip(places, heights, strict=True) if height is not None])
    for (start, from_), (end, to) in pairwise(known):
        for place in range(start + 1, end):
            height = round(from_ + (to - from_) * (place - start) / (end - start))
            if canvas[height][place][0] == " ":
                canvas[height][place] = ("·" if unicode else ".", style)


def _ends(axis: Axis, places: Sequence[int], width: int) -> str:
    """Axis line with the first and the last label and the axis name between them."""
    order = sorted(range(len(places)), key=places.__getitem__)
    first, last = axis.labels[order[0]], axis.labels[order[-1]]
    middle = axis.name.center(max(0, width - len(first) - len(last)))
    return f"{first}{middle}{last}"
