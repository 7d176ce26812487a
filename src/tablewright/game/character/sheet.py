"""Character sheets: sections of labelled values, rendered without knowledge of the system.

A value with a tally can explain itself. Terminal, Markdown, JSON and web page all render the same sheet.

>>> defence = Tally.of("base", 10).add("shield", 2, rule="demo.armour.shield")
>>> weapons = Section("Weapons", columns=("Weapon", "Attack"), rows=(("sword", Tally.of("skill", 4)), ("bow", 3)))
>>> figures = Section("Figures", (SheetEntry("Defence", tally=defence), SheetEntry("Luck", 3)))
>>> sheet = Sheet("Ann", "coin folk", (figures, weapons))
>>> print(sheet_text(sheet, 40))
Ann, coin folk
========================================
FIGURES
Defence  12    Luck      3
<BLANKLINE>
WEAPONS
Weapon  Attack
sword        4
bow          3
>>> print(sheet.why("defence"))
base 10
shield +2 [demo.armour.shield]
= 12
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tablewright.engine.tally import Tally
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean

LEAST_WIDTH = 20
MOST_WIDTH = 500
_GAP = 4
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~^&])")
_LINE_START = re.compile(r"^(\s*)(\d+)([.)])|^(\s*)([-+=])")

Cell: TypeAlias = "str | int | Tally"
"""Table cell: text, a whole number, or a number that can explain itself."""


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A labelled value; it defaults to the total of the tally."""

    label: str
    value: str | int | None = None
    tally: Tally | None = None
    note: str = ""
    rule: str | None = None

    def __post_init__(self) -> None:
        if self.value is None:
            object.__setattr__(self, "value", self.tally.total if self.tally else "")

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON."""
        tally = self.tally.to_json() if self.tally else None
        return {"label": self.label, "value": self.value, "tally": tally, "note": self.note, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a sheet: entries, a table (`columns` and `rows`), text, or several of these."""

    title: str
    entries: tuple[SheetEntry, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise TablewrightError(
                    f'section "{self.title}": a row has {len(row)} cells, there are {len(self.columns)} columns'
                )

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to render."""
        return not (self.entries or self.rows or self.text.strip())

    def to_json(self) -> dict[str, Any]:
        """The section as JSON."""
        return {
            "title": self.title,
            "entries": [entry.to_json() for entry in self.entries],
            "columns": list(self.columns),
            "rows": [[_cell_json(cell) for cell in row] for row in self.rows],
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Sheet:
    """Printable view of a character."""

    title: str
    subtitle: str = ""
    sections: tuple[Section, ...] = ()

    def entries(self) -> Iterator[SheetEntry]:
        """Entries of all sections; a tally in a table is an entry labelled by row and column."""
        for section in self.sections:
            yield from section.entries
            for row in section.rows:
                for column, cell in zip(section.columns, row, strict=True):
                    if isinstance(cell, Tally):
                        yield SheetEntry(f"{_show(row[0])} {column}", tally=cell)

    def why(self, label: str) -> str:
        """Explain the value with this label; case is ignored, an unknown label is refused."""
        known = list(self.entries())
        for entry in known:
            if entry.label.casefold() == label.casefold():
                return entry.tally.explain() if entry.tally else f"{entry.label} is {entry.value}{_cited(entry.rule)}"
        names = [entry.label for entry in known]
        raise InvalidInputError(f'there is no "{label:.60}" on the sheet{did_you_mean(label, names)}', field=label)


# ---------------------------------------------------------------------- JSON


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """The sheet as JSON, with all tallies."""
    sections = [section.to_json() for section in sheet.sections]
    return {"title": sheet.title, "subtitle": sheet.subtitle, "sections": sections}


def _cell_json(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, Tally):
        return {"value": cell.total, "tally": cell.to_json()}
    return {"value": cell, "tally": None}


# ---------------------------------------------------------------------- Markdown


def sheet_markdown(sheet: Sheet, *, explain: bool = False) -> str:
    """The sheet as Markdown; with `explain` every value that has a tally gets a footnote.

    >>> stats = Section("Stats", (SheetEntry("Wits", 3), SheetEntry("Luck", 1)))
    >>> print(sheet_markdown(Sheet("Ann", sections=(stats,))), end="")
    # Ann
    <BLANKLINE>
    ## Stats
    <BLANKLINE>
    **Wits** 3 · **Luck** 1
    """
    notes = _Footnotes(explain, "[^{}]")
    parts = [f"# {_escaped(sheet.title)}"]
    if sheet.subtitle:
        parts.append(f"*{_escaped(sheet.subtitle)}*")
    for section in sheet.sections:
        if section.is_empty:
            continue
        parts.append(f"## {_escaped(section.title)}")
        if section.entries:
            parts.append(" · ".join([_entry_markdown(entry, notes) for entry in section.entries]))
        if section.rows:
            parts.append("\n".join(_table_markdown(section, notes)))
        parts += [_escaped(paragraph) for paragraph in section.text.split("\n\n") if paragraph.strip()]
    parts += [f"[^{number}]: {_escaped('; '.join(lines))}" for number, lines in notes.listed()]
    return "\n\n".join(parts) + "\n"


def _entry_markdown(entry: SheetEntry, notes: _Footnotes) -> str:
    value = f" {_escaped(_show(entry.value))}" if entry.value != "" else ""
    note = f" ({_escaped(entry.note)})" if entry.note else ""
    return f"**{_escaped(entry.label)}**{value}{notes.mark(entry.label, entry.tally)}{note}"


def _table_markdown(section: Section, notes: _Footnotes) -> Iterator[str]:
    yield f"| {' | '.join([_escaped(column) for column in section.columns])} |"
    yield f"| {' | '.join(['--:' if right else '---' for right in _numeric(section)])} |"
    for row in section.rows:
        cells = [_escaped(_show(cell)) + _mark(notes, section, row, place) for place, cell in enumerate(row)]
        yield f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Escape text for Markdown, on one line."""
    escaped = _MARKDOWN.sub(r"\\\1", _clean(text))
    return _LINE_START.sub(lambda found: _guarded(found.group()), escaped)


def _guarded(start: str) -> str:
    return start[:-1] + "\\" + start[-1]


# ---------------------------------------------------------------------- plain text


def sheet_text(sheet: Sheet, width: int = 80, *, explain: bool = False) -> str:
    """The sheet as plain text in columns; with `explain` every value that has a tally gets a footnote."""
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise InvalidInputError(
            f"a width of {width} is not possible, allowed are {LEAST_WIDTH} to {MOST_WIDTH}", field="width"
        )
    notes = _Footnotes(explain, "[{}]")
    heading = f"{sheet.title}, {sheet.subtitle}" if sheet.subtitle else sheet.title
    lines = [*_wrapped(heading, width), "=" * width]
    for place, section in enumerate([section for section in sheet.sections if not section.is_empty]):
        if place:
            lines.append("")
        lines += _wrapped(section.title.upper(), width)
        lines += _entries_text(section.entries, width, notes)
        if section.rows:
            lines += _table_text(section, width, notes)
        for paragraph in section.text.strip().split("\n"):
            lines += _wrapped(paragraph, width) if section.text.strip() else []
    listed = list(notes.listed())
    if listed:
        lines += ["", "WHERE IT COMES FROM"]
        for number, explained in listed:
            lines += _wrapped(f"[{number}] {'; '.join(explained)}", width, hanging="    ")
    return "\n".join([line.rstrip() for line in lines])


def _entries_text(entries: Sequence[SheetEntry], width: int, notes: _Footnotes) -> Iterator[str]:
    """Short entries side by side, column by column; long ones on their own lines below."""
    short: list[tuple[str, str]] = []
    long: list[str] = []
    for entry in entries:
        label, value = _clean(entry.label), _clean(_show(entry.value)) + notes.mark(entry.label, entry.tally)
        if entry.note or _wide(label) + _wide(value) + 2 > width // 2:
            note = f" ({_clean(entry.note)})" if entry.note else ""
            long.append(f"{label}  {value}{note}" if value else f"{label}{note}")
        else:
            short.append((label, value))
    yield from _side_by_side(short, width)
    for line in long:
        yield from _wrapped(line, width, hanging="    ")


def _side_by_side(pairs: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    if not pairs:
        return
    labels = max([_wide(label) for label, _ in pairs])
    values = max([_wide(value) for _, value in pairs])
    cell = min(labels + 2 + values, width)
    columns = max(1, min(len(pairs), (width + _GAP) // (cell + _GAP)))
    height = -(-len(pairs) // columns)
    for line in range(height):
        yield (" " * _GAP).join(
            [label + " " * max(2, cell - _wide(label) - _wide(value)) + value for label, value in pairs[line::height]]
        )


def _table_text(section: Section, width: int, notes: _Footnotes) -> Iterator[str]:
    right = _numeric(section)
    lines = [[_clean(column) for column in section.columns]]
    lines += [
        [_clean(_show(cell)) + _mark(notes, section, row, place) for place, cell in enumerate(row)]
        for row in section.rows
    ]
    widths = [max([_wide(line[place]) for line in lines]) for place in range(len(section.columns))]
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    for texts in lines:
        cells = [_wrapped(text, widths[place]) for place, text in enumerate(texts)]
        for line in range(max([len(cell) for cell in cells])):
            parts = []
            for place, cell in enumerate(cells):
                text = cell[line] if line < len(cell) else ""
                space = " " * (widths[place] - _wide(text))
                parts.append(space + text if right[place] else text + space)
            yield "  ".join(parts)


# ---------------------------------------------------------------------- shared by Markdown and text


class _Footnotes:
    """Footnotes for tallies, numbered in drawing order."""

    def __init__(self, wanted: bool, form: str) -> None:
        self._wanted = wanted
        self._form = form
        self._noted: list[tuple[str, Tally]] = []

    def mark(self, label: str, tally: Tally | None) -> str:
        """Footnote mark behind a value; empty if there is nothing to explain."""
        if tally is None or not self._wanted:
            return ""
        self._noted.append((label, tally))
        return self._form.format(len(self._noted))

    def listed(self) -> Iterator[tuple[int, list[str]]]:
        """Footnotes as pairs of number and lines."""
        for number, (label, tally) in enumerate(self._noted, 1):
            yield number, [f"{label}: {tally.total}", *tally.explain().splitlines()[:-1]]


def _mark(notes: _Footnotes, section: Section, row: Sequence[Cell], place: int) -> str:
    cell = row[place]
    return notes.mark(f"{_show(row[0])} {section.columns[place]}", cell if isinstance(cell, Tally) else None)


def _numeric(section: Section) -> list[bool]:
    """True if each column of a table holds only numbers."""
    return [all(not isinstance(row[place], str) for row in section.rows) for place in range(len(section.columns))]


def _show(value: Cell | None) -> str:
    return str(value.total) if isinstance(value, Tally) else "" if value is None else str(value)


def _cited(rule: str | None) -> str:
    return f" [{rule}]" if rule else ""


def _clean(text: str) -> str:
    """Text on one line without terminal control characters."""
    return "".join([letter if letter.isprintable() else " " for letter in text])


def _wide(text: str) -> int:
    """Width of a text in terminal columns."""
    if text.isascii():
        return len(text)
    return sum([0 if unicodedata.combining(a) else 2 if unicodedata.east_asian_width(a) in "WF" else 1 for a in text])


def _wrapped(text: str, width: int, hanging: str = "") -> list[str]:
    """Wrap text between words to lines of at most `width` columns; break words that are too long."""
    indent = hanging if len(hanging) < width - 1 else ""
    lines = [""]
    for word in _clean(text).split():
        joined = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if _wide(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1].strip():
            lines.append(indent)
        for letter in word:
            if _wide(lines[-1] + letter) > width and lines[-1].strip():
                lines.append(indent)
            lines[-1] += letter
    return lines
