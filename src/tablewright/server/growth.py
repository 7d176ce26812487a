"""Advancement as creation shows it: what each purchase changes on the sheet, before it is chosen.

Nothing happens at the table: every purchase is tried on a copy of the scene.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from tablewright.engine import Choice, Roll
from tablewright.engine.tally import Tally
from tablewright.errors import IllegalActionError, TablewrightError
from tablewright.game.character.sheet import Cell, Sheet
from tablewright.game.narration.phrases import dice_words
from tablewright.game.narration.projection import as_offered
from tablewright.game.play.purchases import KEEP_THE_REST, is_purchase
from tablewright.game.session.record import StartEntry
from tablewright.game.session.session import Session
from tablewright.lab.deadline import Deadline
from tablewright.server.creation import ContentWords
from tablewright.table.advice import OpenQuestion, session_for


def growth(wanted: OpenQuestion, deadline: Deadline) -> dict[str, Any]:
    """The sheet in figures, the changes that each purchase makes to it, and descriptions by the id of the option.

    A purchase that asks something first or rolls dice has ``then`` instead of changes. Purchases beyond the deadline
    are left out.
    """
    session = session_for(wanted)
    question = session.question
    if not isinstance(question, Choice) or not is_purchase(question):
        raise IllegalActionError("nobody is asked to buy something now")
    who = str(question.details["who"])
    offered = as_offered(question, wanted.secret)
    words = ContentWords(session.scene.library)
    ids = [] if offered is None else [id_ for id_ in offered.ids if id_ != KEEP_THE_REST.id]
    before = _sheet(session, who)
    found: dict[str, Any] = {}
    for id_ in ids:
        if deadline.passed:
            break
        with suppress(TablewrightError):  # the table itself says why, when it is bought
            trial = _copy(session, question)
            trial.choose(id_)
            changes = changes_between(before, _sheet(trial, who))
            found[id_] = {"changes": changes, "then": "" if changes else _then(trial, question)}
            found[id_] |= words.described(id_, question.question)
    return {
        "id": wanted.id,
        "figures": figures_of(before),
        "options": found,
        "closed": {shut.id: shut.label or words.name(shut.id) for shut in (offered or question).closed},
        "complete": len(found) == len(ids),
    }


def _copy(session: Session, question: Choice[Any]) -> Session:
    """A session with the same question open: begun from the present scene, or replayed where that asks otherwise."""
    started = next((one for one in reversed(session.entries) if isinstance(one, StartEntry)), None)
    if started is not None:
        with suppress(TablewrightError):
            short = Session(replace(session.header, scene=session.scene), session.rulebook, [started])
            asked = short.question
            if isinstance(asked, Choice) and is_purchase(asked) and asked.ids == question.ids:
                return short
    return Session(session.header, session.rulebook, session.entries, branch=session.branch)


def _sheet(session: Session, who: str) -> Sheet:
    scene, book = session.scene, session.rulebook
    return book.sheet(book.export_character(scene, who), scene.options, scene.library)


def _then(trial: Session, question: Choice[Any]) -> str:
    """The next step of a purchase that changes nothing yet: dice, or another question."""
    asked = trial.question
    if isinstance(asked, Roll):
        return f"decided by {dice_words(str(asked.dice))}"
    if not isinstance(asked, Choice) or asked.question == question.question or is_purchase(asked):
        return ""
    return f"then: {asked.question}"


def figures_of(sheet: Sheet) -> list[dict[str, str]]:
    """Every figure of a sheet by its section and name; the rows of a table are figures too.

    >>> from tablewright.game.character.sheet import Section, SheetEntry
    >>> stats = Section("Stats", (SheetEntry("Wits", 3),))
    >>> weapons = Section("Weapons", columns=("Weapon", "Attack", "Reach"), rows=(("sword", 4, "1 m"),))
    >>> for one in figures_of(Sheet("Ann", sections=(stats, weapons))):
    ...     print(one["group"], one["name"], one["value"])
    Stats Wits 3
    Weapons sword 4, 1 m
    """
    return [
        {"group": group, "name": name, "value": ", ".join([text for text in cells.values() if text])}
        for (group, name), cells in _rows(sheet).items()
    ]


def changes_between(before: Sheet, after: Sheet) -> list[dict[str, str]]:
    """Changes of the figures from one sheet to another; ``said`` names only the cells that differ.

    >>> from tablewright.game.character.sheet import Section
    >>> def ann(attack):
    ...     return Sheet("Ann", sections=(Section("Weapons", columns=("", "Attack", "Reach"), rows=(attack,)),))
    >>> [change] = changes_between(ann(("sword", 4, "1 m")), ann(("sword", 5, "1 m")))
    >>> change["before"], change["value"], change["said"]
    ('4, 1 m', '5, 1 m', 'sword: attack 4 → 5')
    """
    old, new = _rows(before), _rows(after)
    known = {(one["group"], one["name"]): one["value"] for one in figures_of(before)}
    shown = {(one["group"], one["name"]): one["value"] for one in figures_of(after)}
    found: list[dict[str, str]] = []
    for (group, name), cells in new.items():
        was = old.get((group, name))
        if was == cells:
            continue
        said = _said(name, {} if was is None else was, cells)
        key = (group, name)
        found.append({"group": group, "name": name, "before": known.get(key, ""), "value": shown[key], "said": said})
    gone = [key for key in old if key not in new]
    found += [
        {"group": group, "name": name, "before": known[group, name], "value": "", "said": f"no longer {name}"}
        for group, name in gone
    ]
    return found


def _said(name: str, before: dict[str, str], after: dict[str, str]) -> str:
    """The cells of a row that differ, behind the name of the row."""
    told = []
    for column, text in after.items():
        was = before.get(column, "")
        if was != text:
            told.append(f"{column[:1].lower()}{column[1:]} {f'{was} → {text}' if was and text else text}".strip())
    return f"{name}{':' if any(after) else ''} {', '.join(told)}".strip()


def _rows(sheet: Sheet) -> dict[tuple[str, str], dict[str, str]]:
    """Cells by section and name, and by column; a plain entry has one cell without a column."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for section in sheet.sections:
        for entry in section.entries:
            found[section.title, entry.label] = {"": text_of(entry.value)}
        for row in section.rows:
            name, *cells = [text_of(cell) for cell in row]
            titled = section.columns[1:] if len(cells) > 1 else ("",) * len(cells)
            found[section.title, name] = dict(zip(titled, cells, strict=True))
    return found


def text_of(cell: Cell | None) -> str:
    """Text of a cell or an entry of a sheet."""
    return str(cell.total) if isinstance(cell, Tally) else "" if cell is None else str(cell)
