"""Changes on a sheet before they are chosen: purchases of advancement, and things offered to a new character.

Nothing happens at the table: every purchase is tried on a copy of the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tablewright.engine import Choice, Roll
from tablewright.engine.options import option_id
from tablewright.engine.tally import Tally
from tablewright.errors import IllegalActionError, TablewrightError
from tablewright.game.character.belongings import PACK, add_item
from tablewright.game.character.creation import DONE
from tablewright.game.character.sheet import Cell, Section, Sheet
from tablewright.game.content.library import Library
from tablewright.game.narration.phrases import dice_words
from tablewright.game.narration.projection import as_offered
from tablewright.game.play.purchases import KEEP_THE_REST, is_purchase
from tablewright.game.session.record import StartEntry
from tablewright.game.session.session import Session
from tablewright.game.system.ruleset import Ruleset
from tablewright.lab.deadline import Deadline
from tablewright.server.creation import ContentWords, Making
from tablewright.table.advice import OpenQuestion, session_for

MOST_FOLLOWING = 60
"""Upper bound for the answers that finish a character."""

MOST_CHANGES = 4
WORN, HAND = "worn", "hand"
BELONGINGS, WHERE = "Belongings", "Where"
"""The section of a sheet on what is carried, and the column for the place of a thing: neither is a figure of it."""


def growth(wanted: OpenQuestion, deadline: Deadline) -> dict[str, Any]:
    """The sheet in figures, the changes that each purchase makes to it, and descriptions by the id of the option.

    A purchase that asks something first or rolls dice has ``then`` instead of changes. Purchases beyond the deadline
    are left out.
    """
    session = session_for(wanted)
    question = session.question
    if not isinstance(question, Choice) or not is_purchase(question):
        raise IllegalActionError("nobody is asked to buy something now; ask again when a purchase is open")
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
    started = next((entry for entry in reversed(session.entries) if isinstance(entry, StartEntry)), None)
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
            found[section.title, entry.label] = {"": _text(entry.value)}
        for row in section.rows:
            name, *cells = [_text(cell) for cell in row]
            titled = section.columns[1:] if len(cells) > 1 else ("",) * len(cells)
            found[section.title, name] = dict(zip(titled, cells, strict=True))
    return found


def _text(cell: Cell | None) -> str:
    """Text of a cell or an entry of a sheet."""
    return str(cell.total) if isinstance(cell, Tally) else "" if cell is None else str(cell)


# ---------------------------------------------------------------------- things


def things_of(
    setting: Ruleset, body: Mapping[str, Any], name: str, making: Making, deadline: Deadline
) -> dict[str, Any]:
    """Figures of the things that are offered, also of those that are too dear, by the id of the option.

    Each has its kind, the columns and rows of the sheet about it, and the other figures that it changes. Nothing is
    told where the character cannot be finished; beyond the deadline the first of each kind is told, and of the others
    only the kind.
    """
    ids = [option_id(option) for option in making.creating.options] + [shut.id for shut in making.creating.closed]
    known = {id_: thing for id_ in ids if (thing := _thing(id_, setting.library)) is not None}
    character = _finished(setting, body, name, making) if known else None
    if character is None:
        return {}
    before = setting.rulebook.sheet(character, setting.options, setting.library)
    found: dict[str, Any] = {}
    for id_, (kind, entry) in known.items():
        if deadline.passed and any(one["kind"] == kind for one in found.values()):
            found[id_] = {"kind": kind, **_untold()}
            continue
        with suppress(TablewrightError):
            for place in (
                (WORN,) if kind.startswith("armour") else (PACK, HAND) if kind.startswith("weapon") else (PACK,)
            ):
                more = character.changed(belongings=add_item(character.belongings, entry.id, 1, place))
                after = setting.rulebook.sheet(more, setting.options, setting.library)
                found[id_] = {"kind": kind, **_shown(entry.name, before, after)}
                if found[id_]["rows"]:
                    break
    titles = {value["kind"]: value["title"] for value in found.values() if value["title"]}
    for value in found.values():
        kind = value.pop("kind")
        value["title"] = titles.get(kind) or f"{kind[:1].upper()}{kind[1:]}"
    return found


def _thing(id_: str, library: Library) -> tuple[str, Any] | None:
    """Kind and content entry of an item with a price; None for other options."""
    found = library.find(id_.rpartition(":")[2])
    return next(((kind, entry) for kind, entry in found if getattr(entry, "price", None) is not None), None)


def _finished(setting: Ruleset, body: Mapping[str, Any], name: str, making: Making) -> Any:
    """The character with the answers so far, finished at once; None if that is refused, or takes too long."""
    trial = Making(setting, body, name)
    with suppress(TablewrightError):
        for answer in making.answers:
            trial.replay(answer)
        for _ in range(MOST_FOLLOWING):
            if trial.creating.is_done:
                return trial.creating.result
            ids = [option_id(option) for option in trial.creating.options]
            trial.replay(DONE.id if DONE.id in ids else ids[0])
    return None


def _untold() -> dict[str, Any]:
    return {"title": "", "columns": [], "rows": [], "changes": []}


def _shown(name: str, before: Sheet, after: Sheet) -> dict[str, Any]:
    """Rows about a thing, and the other figures that changed; what lies in the pack is none."""
    for section in after.sections:
        rows = [[_text(cell) for cell in row] for row in section.rows if _text(row[0]) == name]
        if rows:
            kept = [place for place, column in enumerate(section.columns) if place and column != WHERE]
            columns = [section.columns[place] for place in kept]
            rows = [[row[place] for place in kept] for row in rows]
            break
    else:
        section, columns, rows = Section(""), [], []
    silent = (section.title, BELONGINGS)
    changes = [one["said"] for one in changes_between(before, after) if one["group"] not in silent and one["before"]]
    return {"title": section.title, "columns": columns, "rows": rows, "changes": changes[:MOST_CHANGES]}
