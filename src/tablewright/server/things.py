"""Things offered to a character in the making, in the figures of its sheet: to hit, damage, armour in these hands.

The character is finished by the usual answers, gets the thing, and its sheet is compared with the one without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tablewright.engine.options import option_id
from tablewright.errors import TablewrightError
from tablewright.game.character.belongings import PACK, add_item
from tablewright.game.character.creation import DONE
from tablewright.game.character.sheet import Section, Sheet
from tablewright.game.content.library import Library
from tablewright.game.system.ruleset import Ruleset
from tablewright.lab.deadline import Deadline
from tablewright.server.creation import Making
from tablewright.server.growth import changes_between, text_of

MOST_FOLLOWING = 60
"""Upper bound for the answers that finish a character."""

MOST_CHANGES = 4
WORN, HAND = "worn", "hand"
BELONGINGS, WHERE = "Belongings", "Where"
"""The section of a sheet on what is carried, and the column for the place of a thing: neither is a figure of it."""


def things_of(
    setting: Ruleset, body: Mapping[str, Any], name: str, making: Making, deadline: Deadline
) -> dict[str, Any]:
    """Figures of the things that are offered, also of those that are too dear, by the id of the option.

    Each has its kind, the columns and rows of the sheet about it, and the other figures that it changes. Nothing is
    told where the character cannot be finished, and nothing beyond the deadline.
    """
    ids = [option_id(option) for option in making.creating.options] + [shut.id for shut in making.creating.closed]
    known = {id_: thing for id_ in ids if (thing := _thing(id_, setting.library)) is not None}
    character = _finished(setting, body, name, making) if known else None
    if character is None:
        return {}
    before = setting.rulebook.sheet(character, setting.options, setting.library)
    found: dict[str, Any] = {}
    for id_, (kind, entry) in known.items():
        if deadline.passed:
            break
        with suppress(TablewrightError):
            for place in (
                (WORN,) if kind.startswith("armour") else (PACK, HAND) if kind.startswith("weapon") else (PACK,)
            ):
                more = character.changed(belongings=add_item(character.belongings, entry.id, 1, place))
                after = setting.rulebook.sheet(more, setting.options, setting.library)
                found[id_] = {"kind": kind, **_told(entry.name, before, after)}
                if found[id_]["rows"]:
                    break
    titles = {one["kind"]: one["title"] for one in found.values() if one["title"]}
    for one in found.values():
        kind = one.pop("kind")
        one["title"] = titles.get(kind) or f"{kind[:1].upper()}{kind[1:]}"
    return found


def _thing(id_: str, library: Library) -> tuple[str, Any] | None:
    """Kind and content entry of an item with a price; None for other options."""
    bare = id_.rpartition(":")[2]
    for kind, _ in library.kinds:
        for entry in library.of(kind):
            if entry.id == bare and getattr(entry, "price", None) is not None:
                return str(kind), entry
    return None


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


def _told(name: str, before: Sheet, after: Sheet) -> dict[str, Any]:
    """Rows about a thing, and the other figures that changed; what lies in the pack is none."""
    for section in after.sections:
        rows = [[text_of(cell) for cell in row] for row in section.rows if text_of(row[0]) == name]
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
