"""What answers for people are written on: a console as wide as the terminal, and tables that fit it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tablewright.cli.screen import writes_unicode
from tablewright.engine import Call
from tablewright.game.wording import shown

HEAD = "bold"
QUIET = "dim"
GOOD = "green"
BAR = "cyan"
NAME = "cyan"


def paper() -> Console:
    """The terminal, as it is now: its width and whether it has colours. Nothing that is printed is read as markup."""
    return Console(file=sys.stdout, markup=False, emoji=False, highlight=False, safe_box=True)


_FEW = 3
MOST_ROWS = 40
"""Options that fit on a screen one below the other."""
"""How many closed options are shown with their reasons."""


def narrow(console: Console) -> bool:
    """Whether tables of several columns of text have no room."""
    return console.width < 60


def width_of(texts: Iterable[str]) -> int:
    """The cells that the widest of the texts takes."""
    return max([cell_len(text) for text in texts], default=0)


def table(*columns: tuple[str, str], head: bool = True) -> Table:
    """A table without lines. Each column is its head and its kind.

    Kinds are ``name`` and ``number``, which stay on one line, and ``text``, which takes what room is left.
    """
    made = Table(box=None, show_header=head, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    overflow: Literal["ellipsis", "crop"] = "ellipsis" if writes_unicode() else "crop"
    for title, kind in columns:
        made.add_column(
            title,
            justify="right" if kind == "number" else "left",
            no_wrap=kind != "text",
            overflow=overflow if kind != "text" else "fold",
            style=NAME if kind == "name" else "",
            ratio=1 if kind == "text" else None,
        )
    return made


def heading(text: str, more: str = "") -> Text:
    """A headline, with something less important behind it."""
    line = Text().append(text, style=HEAD)
    return line.append(f"  {more}", style=QUIET) if more else line


def call_heading(call: Call[Any], more: str = "") -> Text:
    """A headline that names a mechanic and the arguments that are not its defaults."""
    arguments = [
        f"{parameter.name}={_argument(value)}"
        for parameter, value in zip(call.mechanic.params, call.arguments, strict=True)
        if parameter.required or value != parameter.default
    ]
    return heading(call.mechanic.name, "  ".join([" ".join(arguments), more]).strip())


def _argument(value: object) -> str:
    if type(value) is tuple:
        return ",".join(map(_argument, value))
    return "none" if value is None else shown(value)


def definitions(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Names with what they mean: side by side, or one below the other where it is narrow."""
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
    """Text whose every line, also those that are wrapped, stands further right."""
    made = Table.grid(padding=0)
    made.add_column(width=by)
    made.add_column(overflow="fold", ratio=1)
    made.add_row("", Text(text, style=style))
    return made


def closed_options(console: Console, closed: Sequence[Mapping[str, Any]], by: int, hint: str) -> None:
    """Options that cannot be taken now: a few with their reasons, of many only the names."""
    if len(closed) <= _FEW:
        for one in closed:
            rule = f" [{one['rule']}]" if one["rule"] else ""
            console.print(Text(f"{'-':>{by}}  {one['id']}: {one['reason']}{rule}", style=QUIET))
        return
    names = ", ".join([str(one["id"]).replace("_", " ") for one in closed])
    console.print(indented(f"not now: {names} ({hint})", by + 2, style=QUIET))


def options(console: Console, offers: Sequence[tuple[str, str]]) -> int:
    """Numbered options with what there is to say about each; gives the width of the numbers.

    What does not fit beside the name stands below it, further right. Very many that have only a name, such as all the
    squares somebody could go to, stand side by side.
    """
    width = len(str(len(offers)))
    longest = width_of([label for label, _ in offers])
    names = min(longest, max(10, console.width * 3 // 5))
    if len(offers) > MOST_ROWS and not any(more for _, more in offers):
        cells = [f"{place:>{width}}  {label:<{longest}}" for place, (label, _) in enumerate(offers, start=1)]
        beside = max(1, (console.width + 3) // (width + 2 + longest + 3))
        for first in range(0, len(cells), beside):
            console.print(Text("   ".join(cells[first : first + beside]).rstrip(), style=NAME))
        return width
    for place, (label, more) in enumerate(offers, start=1):
        line = Text(f"{place:>{width}}  ").append(label, style=NAME)
        room = console.width - max(names, cell_len(label)) - width - 4
        fits = cell_len(more) <= room
        if more and fits:
            line.append(" " * max(0, names - cell_len(label))).append(f"  {more}", style=QUIET)
        console.print(line)
        if not fits:
            console.print(indented(more, width + 4, style=QUIET))
    return width
