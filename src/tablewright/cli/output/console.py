"""Rich consoles fitted to the terminal, and tables that fit them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tablewright.cli.output.streams import writes_unicode
from tablewright.engine import Call
from tablewright.game.narration.formatting import label_of
from tablewright.game.narration.phrases import sentence

HEAD = "bold"
QUIET = "dim"
GOOD = "green"
BAR = "cyan"
NAME = "cyan"


def make_console() -> Console:
    """Console for the current terminal width and colours; output is never parsed as markup."""
    return Console(file=sys.stdout, markup=False, emoji=False, highlight=False, safe_box=True)


_FEW = 3
"""Upper bound for closed options shown with their reasons."""
MOST_ROWS = 18
"""Upper bound for options that fit on a screen one per line, with the question and the closed options."""
_MOST_LINES = 2
"""Upper bound for lines of one option in a multi-column list."""


def narrow(console: Console) -> bool:
    """True if the console is too narrow for tables with several text columns."""
    return console.width < 60


def width_of(texts: Iterable[str]) -> int:
    """Width of the widest text in terminal cells."""
    return max([cell_len(text) for text in texts], default=0)


def table(*columns: tuple[str, str], head: bool = True) -> Table:
    """A table without lines; each column has a title and a kind.

    Kinds are ``name`` and ``number``, which stay on one line, ``names``, which wrap between words, and ``text``, which
    takes the remaining width.
    """
    made = Table(box=None, show_header=head, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    overflow: Literal["ellipsis", "crop"] = "ellipsis" if writes_unicode() else "crop"
    for title, kind in columns:
        made.add_column(
            title,
            justify="right" if kind == "number" else "left",
            no_wrap=kind not in ("text", "names"),
            overflow=overflow if kind not in ("text", "names") else "fold",
            style=NAME if kind in ("name", "names") else "",
            ratio=1 if kind == "text" else None,
        )
    return made


def heading(text: str, more: str = "") -> Text:
    """A headline with a less prominent suffix."""
    line = Text().append(text, style=HEAD)
    return line.append(f"  {more}", style=QUIET) if more else line


def call_heading(call: Call[Any], more: str = "") -> Text:
    """A headline with the mechanic and its arguments that differ from the defaults."""
    arguments = [
        f"{parameter.name}={label_of(value)}"
        for parameter, value in zip(call.mechanic.params, call.values, strict=True)
        if parameter.required or value != parameter.default
    ]
    return heading(call.mechanic.name, "  ".join([" ".join(arguments), more]).strip())


def definitions(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Print names with their meanings, in two columns or stacked on a narrow console."""
    if narrow(console):
        for name, meaning in rows:
            console.print(Text(name, style=NAME))
            console.print(indented(meaning))
        return
    listed = table(("", "name"), ("", "text"), head=False)
    for name, meaning in rows:
        listed.add_row(Text(name), Text(meaning))
    console.print(listed)


def indented(text: str, by: int = 2, style: str = "") -> Table:
    """Text with all lines indented, including wrapped ones."""
    made = Table.grid(padding=0)
    made.add_column(width=by)
    made.add_column(overflow="fold", ratio=1)
    made.add_row("", Text(text, style=style))
    return made


def closed_options(console: Console, closed: Sequence[Mapping[str, Any]], by: int, hint: str) -> None:
    """Print closed options: a few with reasons, otherwise only the names."""
    if len(closed) <= _FEW:
        reasons(console, closed, by)
        return
    names = ", ".join([_called(one) for one in closed])
    console.print(indented(f"unavailable: {names} ({hint})", by + 2, style=QUIET))


def reasons(console: Console, closed: Sequence[Mapping[str, Any]], by: int) -> None:
    """Print closed options, each with its reason; what two of them say alike is said once."""
    said: set[str] = set()
    listed = Table.grid(padding=0)
    listed.add_column(width=by + 2)
    listed.add_column(overflow="fold", ratio=1)
    for one in closed:
        reason = one.get("sentence") or sentence(str(one["reason"]))
        told = reason if reason.startswith(f"{_called(one)} ") else f"{_called(one)}  {reason}"
        if told not in said:
            listed.add_row(Text(f"{'-':>{by}}", style=QUIET), Text(told, style=QUIET))
        said.add(told)
    if closed:
        console.print(listed)


def _called(closed: Mapping[str, Any]) -> str:
    """Label of a closed option, or its id in words."""
    called = str(closed.get("label") or str(closed["id"]).replace("_", " "))
    return called[:1].upper() + called[1:]


def options(
    console: Console, offers: Sequence[tuple[str, str]], keys: Sequence[str] = (), *, all_below: bool = False
) -> int:
    """Print options with their keys and notes; return the width of the keys.

    A note that does not fit beside its option goes below it. Very long lists, such as all squares in reach, use several
    columns unless ``all_below`` is set, and so do options whose label equals their key.
    """
    keys = keys or [str(place) for place in range(1, len(offers) + 1)]
    width = width_of(keys)
    names = ["" if label == key else label for key, (label, _) in zip(keys, offers, strict=True)]
    if not any(names) and not any(more for _, more in offers):
        console.print(Text(f"  {'  '.join(keys)}", style=NAME))
        return width
    if len(offers) > MOST_ROWS and not all_below:
        cells = []
        for key, name, (_, more) in zip(keys, names, offers, strict=True):
            cell = Text(f"{key:>{width}}  ").append(name, style=NAME)
            cells.append([cell, Text(f"({more})", style=QUIET)] if more else [cell])
        lines = packed(cells, console.width, width + 2)
        if len(lines) < len(offers):
            for line in lines:
                console.print(line, soft_wrap=True)
            return width
    longest = min(width_of(names), max(10, console.width * 3 // 5))
    for key, name, (_, more) in zip(keys, names, offers, strict=True):
        line = Text(f"{key:>{width}}  ").append(name, style=NAME)
        room = console.width - max(longest, cell_len(name)) - width - 4
        fits = cell_len(more) <= room
        if more and fits:
            line.append(" " * max(0, longest - cell_len(name))).append(f"  {more}", style=QUIET)
        console.print(line)
        if not fits:
            console.print(indented(more, width + 4, style=QUIET))
    return width


def packed(cells: Sequence[Sequence[Text]], width: int, by: int) -> list[Text]:
    """Cells in columns sized for most of the short ones; parts of a cell never break.

    A cell wider than a column gets its own line. One longer than two lines is truncated, with a note.
    """
    short = sorted([size for cell in cells if (size := _size(cell)) <= (width + 2) // 2])
    beside = max(1, (width + 2) // (short[len(short) * 9 // 10] if short else width))
    column = (width + 2) // beside
    lines: list[Text] = []
    taken = beside
    for cell in cells:
        size = _size(cell)
        if size > column:
            lines += _wrapped(cell, width, by)
            taken = beside
            continue
        if taken == beside:
            lines.append(Text())
            taken = 0
        lines[-1].append(" " * (column * taken - lines[-1].cell_len))
        for place, part in enumerate(cell):
            lines[-1].append(" " if place else "").append_text(part)
        taken += 1
    return lines


def _size(cell: Sequence[Text]) -> int:
    """Width of a cell including the gap after it."""
    return sum([part.cell_len for part in cell]) + len(cell) + 1


def _wrapped(parts: Sequence[Text], width: int, by: int) -> list[Text]:
    """Wrap parts over lines; drop the last parts, with a note, if there are too many."""
    lines: list[list[Text]] = [[]]
    for place, part in enumerate(parts):
        if lines[-1] and _size([*lines[-1], part]) > width + 1 - (by if len(lines) > 1 else 0):
            if len(lines) == _MOST_LINES:
                left = len(parts) - place
                while lines[-1] and _size(lines[-1]) + len(f"... {left} more") > width - by:
                    lines[-1].pop()
                    left += 1
                lines[-1].append(Text(f"... {left} more", style=QUIET))
                break
            lines.append([])
        lines[-1].append(part)
    return [Text(" " * by if number else "").append_text(Text(" ").join(line)) for number, line in enumerate(lines)]
