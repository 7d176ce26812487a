"""Results that print, compare, plot and export themselves."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from importlib import import_module
from importlib.util import find_spec
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.api.arguments import checked
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.extras import needs_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind: TypeAlias = Literal["text", "number", "chance", "points"]
Frames: TypeAlias = Literal["pandas", "polars"]

FRAMES: tuple[Frames, ...] = ("pandas", "polars")
PICTURES = ("png", "svg", "pdf")
MOST_ROWS_SHOWN = 60
"""Upper bound for rows that a table prints; an export has all of them."""

MOST_BARS = 200
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933")
"""Palette distinguishable with colour vision deficiency (Okabe and Ito)."""


class Chance(Fraction):
    """Exact probability that prints as a percentage; ``exact`` is the bare fraction.

    It has no truth value: ``if odds >= 15:`` would hold for any chance above 0.

    >>> Chance(25, 108), Chance(25, 108).exact, float(Chance(1, 4)), Chance(1, 4) > 0.2
    (23.15%, Fraction(25, 108), 0.25, True)
    """

    __slots__ = ()

    @property
    def exact(self) -> Fraction:
        """The probability as a bare fraction."""
        return Fraction(self.numerator, self.denominator)

    def __str__(self) -> str:
        return format_percent(self)

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __bool__(self) -> bool:
        raise TypeError(f"a chance of {self} is neither true nor false; compare it, for example with > 0.5")

    def __reduce__(self) -> tuple[type[Chance], tuple[int, int]]:
        return Chance, (self.numerator, self.denominator)


def format_percent(chance: Fraction | float, digits: int = 2) -> str:
    """Percentage of a chance; one that is not 0 never reads as 0.

    >>> format_percent(Fraction(1, 3)), format_percent(Fraction(1, 10**7)), format_percent(0)
    ('33.33%', '0.00001%', '0.00%')
    """
    percent = float(chance) * 100
    if 0 < abs(percent) < 0.5 * 10**-digits:
        places = -floor(log10(abs(percent)))
        return f"{percent:.{places}f}%" if places < 10 else f"{percent:.1e}%"
    shown = f"{percent:.{digits}f}%"
    return f">{'99.' + '9' * digits}%" if chance < 1 and shown.startswith("100.") else shown


def format_number(value: Fraction | float) -> str:
    """Number with four significant digits.

    >>> format_number(Fraction(61, 5)), format_number(10), format_number(1234567)
    ('12.2', '10', '1234567')
    """
    number = float(value)
    return f"{number:.0f}" if abs(number) >= 10_000 else f"{number:.4g}"


def _format_points(value: Fraction | float) -> str:
    return f"{float(value) * 100:+.2f} points"


_FORMATS: dict[Kind, Callable[[Any], str]] = {
    "text": str,
    "number": format_number,
    "chance": format_percent,
    "points": _format_points,
}


@dataclass(frozen=True)
class Heading:
    """Column of a table: its name, and how its values read."""

    name: str
    kind: Kind = "text"

    def text(self, value: Any) -> str:
        """A value of the column for people; nothing where there is none."""
        return "" if value is None else _FORMATS[self.kind](value)


class Exportable(ABC):
    """Base of results: immutable values, each a table that can be exported, plotted and shown in a notebook."""

    def _fill(self, **fields: Any) -> None:
        """Set the fields of a new result, once."""
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; {name} cannot be deleted")

    @property
    @abstractmethod
    def table(self) -> Table:
        """The result as rows and columns."""

    def to_dict(self) -> dict[str, list[Any]]:
        """Plain values by column."""
        table = self.table
        return {
            heading.name: [_plain(row[place]) for row in table.rows] for place, heading in enumerate(table.headings)
        }

    @checked
    def to_frame(self, library: Frames | None = None) -> Any:
        """Data frame of pandas or polars, by default of the first that is installed."""
        return _frames(library).DataFrame(self.to_dict())

    @checked
    def to_csv(self, path: str | Path | None = None) -> str:
        """The table as CSV; with a path it is also written to that file."""
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\n")
        lines.writerow([heading.name for heading in self.table.headings])
        lines.writerows(
            [["" if (plain := _plain(value)) is None else plain for value in row] for row in self.table.rows]
        )
        text = written.getvalue()
        if path is not None:
            _write(path, text)
        return text

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the result with matplotlib, by default on a new figure (``.figure`` of the axes)."""
        return self.table.plot(ax)

    @checked
    def save_plot(self, path: str | Path) -> None:
        """Write the picture to a file, as .png, .svg or .pdf by its suffix."""
        form = Path(path).suffix.casefold().removeprefix(".")
        if form not in PICTURES:
            known = ", ".join([f".{name}" for name in PICTURES])
            raise InvalidInputError(f"{path} ends in none of {known}{did_you_mean(form, PICTURES)}")
        _write(path, self._picture(form))

    def _picture(self, form: str) -> bytes:
        written = io.BytesIO()
        figure: Any = self.plot().figure
        figure.savefig(written, format=form)
        return written.getvalue()

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def _repr_png_(self) -> bytes | None:
        """Picture for a notebook; None without matplotlib."""
        return None if find_spec("matplotlib") is None else self._picture("png")


def _write(path: str | Path, content: str | bytes) -> None:
    from tablewright.game.files.atomic import write_atomically  # noqa: PLC0415

    try:
        write_atomically(Path(path), content)
    except OSError as problem:
        raise InvalidInputError(f"{path} cannot be written: {problem.strerror}") from None


class Table(Exportable):
    """Rows and columns with a caption. It prints aligned, iterates over its rows and exports all of them.

    >>> import tablewright as tw
    >>> table = tw.odds_table("mars.check", "r16", difficulty="8..10")
    >>> table.columns, table.column("graze")
    (('difficulty', 'failure', 'graze', 'success', 'critical'), (35.00%, 43.33%, 50.00%))
    """

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Any, ...], ...]
    axis: str
    """Column whose values a plot draws along the bottom; the first one if it is empty."""

    def __init__(
        self, caption: str, headings: Sequence[Heading], rows: Sequence[Sequence[Any]], *, axis: str = ""
    ) -> None:
        self._fill(caption=caption, headings=tuple(headings), rows=tuple([tuple(row) for row in rows]), axis=axis)

    @property
    def table(self) -> Table:
        """The table itself."""
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple([heading.name for heading in self.headings])

    @checked
    def column(self, name: str) -> tuple[Any, ...]:
        """Values of one column; an unknown name is refused with the nearest one."""
        if name not in self.columns:
            known = ", ".join(self.columns)
            raise InvalidInputError(
                f'there is no column "{name:.40}"; there are {known}{did_you_mean(name, self.columns)}'
            )
        place = self.columns.index(name)
        return tuple([row[place] for row in self.rows])

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self.headings, self.rows) == (other.headings, other.rows)

    def __hash__(self) -> int:
        return hash((self.headings, self.rows))

    def __repr__(self) -> str:
        return f"<Table {self.caption}: {len(self.rows)} rows of {', '.join(self.columns)}>"

    def __str__(self) -> str:
        texts = [
            [heading.text(value) for heading, value in zip(self.headings, row, strict=True)] for row in self._few()
        ]
        lines = [list(self.columns), *texts]
        widths = [max([len(line[place]) for line in lines]) for place in range(len(self.headings))]
        shown = ["  ".join([cell.rjust(width) for cell, width in zip(line, widths, strict=True)]) for line in lines]
        more = len(self.rows) - len(texts)
        return "\n".join([line.rstrip() for line in shown] + ([f"... {more:,} more rows"] if more else []))

    def _few(self) -> tuple[tuple[Any, ...], ...]:
        return self.rows[:MOST_ROWS_SHOWN]

    def _repr_html_(self) -> str:
        heads = "".join([f"<th>{escape(name)}</th>" for name in self.columns])
        body = []
        for row in self._few():
            cells = [heading.text(value) for heading, value in zip(self.headings, row, strict=True)]
            body.append("<tr>" + "".join([f"<td>{escape(cell)}</td>" for cell in cells]) + "</tr>")
        more = len(self.rows) - len(body)
        if more:
            body.append(f'<tr><td colspan="{len(self.headings)}">{more:,} more rows</td></tr>')
        caption = f"<caption>{escape(self.caption)}</caption>"
        return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw every column of numbers: as lines over the axis, or as bars for a few words."""
        drawn = axes_for(ax)
        axis = self.axis or self.columns[0]
        labels = [self.headings[self.columns.index(axis)].text(value) for value in self.column(axis)]
        shown = [heading for heading in self.headings if heading.kind in ("chance", "number") and heading.name != axis]
        if not shown or len(labels) > MOST_BARS * 5:
            raise TablewrightError(f"{self.caption}: there is nothing to draw")
        series: dict[str, list[tuple[int, float]]] = {}
        places = list(dict.fromkeys(labels))
        others = [heading for heading in self.headings if heading.kind == "text" and heading.name != axis]
        for row, label in zip(self, labels, strict=True):
            case = ", ".join([str(row[heading.name]) for heading in others])
            for heading in shown:
                if row[heading.name] is not None:
                    name = ", ".join([part for part in (case, heading.name) if part])
                    series.setdefault(name, []).append((places.index(label), float(row[heading.name])))
        for number, (name, points) in enumerate(series.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            if len(places) > 2 and self.axis:
                drawn.plot([x for x, _ in points], [y for _, y in points], marker="o", color=colour, label=name)
            else:
                width = 0.8 / len(series)
                shift = (number - (len(series) - 1) / 2) * width
                drawn.bar([x + shift for x, _ in points], [y for _, y in points], width, color=colour, label=name)
        step = max(1, len(places) // 20)
        drawn.set_xticks(range(0, len(places), step), places[::step])
        drawn.set_xlabel(axis)
        drawn.set_title(self.caption)
        if len(series) > 1:
            drawn.legend()
        if all(heading.kind == "chance" for heading in shown):
            percent_axis(drawn)
        return drawn


def axes_for(ax: Axes | None) -> Axes:
    """The given axes, or those of a new figure."""
    if ax is not None:
        return ax
    with needs_extra("plot"):
        figure = import_module("matplotlib.figure")
    drawn: Axes = figure.Figure(figsize=(8, 4.5), dpi=110, layout="constrained").add_subplot()
    return drawn


def percent_axis(ax: Axes) -> None:
    """Label the upright axis in percent, from 0."""
    from matplotlib.ticker import PercentFormatter  # noqa: PLC0415 - loads arrays and fonts

    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_ylim(bottom=0)


def _frames(library: str | None) -> Any:
    if library is not None and library not in FRAMES:
        raise InvalidInputError(
            f'"{library!s:.40}" makes no frames; allowed are {", ".join(FRAMES)}{did_you_mean(str(library), FRAMES)}'
        )
    wanted = FRAMES if library is None else (library,)
    for name in wanted:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise TablewrightError(f"a frame needs {' or '.join(wanted)}: pip install {wanted[0]}")


def _plain(value: Any) -> Any:
    """A value as plain data: chances and fractions as floats, other values as text unless they are plain already."""
    if isinstance(value, Fraction):
        return float(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
