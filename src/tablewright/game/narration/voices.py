"""The sayings of a system, and the voice in which a scene is told to a viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.phrases import title_case
from tablewright.game.narration.sayings import Sayings
from tablewright.game.narration.voice import Voice
from tablewright.game.play.checks import Check
from tablewright.game.scene.scene import Scene
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook


@lru_cache(maxsize=32)
def sayings_of(system_id: str) -> Sayings:
    """Sayings of a system: ``sayings`` of the module ``narration`` in its package; the common ones if it has none."""
    name = f"{load_system(system_id).package}.narration"
    if find_spec(name) is None:
        return COMMON
    found: Sayings = import_module(name).sayings
    return found


def voice_for(scene: Scene, book: Rulebook, viewer: str, names: Mapping[str, str] | None = None) -> Voice:
    """The voice in which a scene is told to a viewer; ``names`` are those of participants known from elsewhere."""
    known = dict(names or {})
    for one in scene.participants:
        if scene.can_see(viewer, one.id):
            known[one.id] = scene.display_name(one.id)
    library = scene.library

    def content(id_: str) -> str | None:
        found = library.find(id_) if library is not None else ()
        return str(found[0][1].name) if found else None

    return Voice(
        names=known,
        content=content,
        sides=side_names(scene),
        words={**words_of(scene.system), **sayings_of(scene.system).words_under(scene.options)},
        span=book.calendar_of(scene.options).show,
        title=lambda rule: rule_title(scene.system, rule),
    )


@lru_cache(maxsize=32)
def words_of(system_id: str) -> dict[str, str]:
    """Words of a system: its sayings', and the titles of its checks."""
    book = load_system(system_id).rulebook
    titles = {check.id: title_case(check.title) for check in book.checks}
    return titles | sayings_of(system_id).words


def titled(check: Check, system_id: str, options: Any) -> Check:
    """A check under the title that it has with the options of a table."""
    renamed = sayings_of(system_id).words_under(options)
    return replace(check, title=renamed[check.id]) if check.id in renamed else check


def side_names(scene: Scene) -> dict[str, str]:
    """Display names of the sides of a scene; a side of one is called by the name of that one."""
    names: dict[str, str] = dict(scene.setup.side_names)
    for side in dict.fromkeys([one.side for one in scene.participants]):
        members = [one for one in scene.participants if one.side == side]
        if side in names:
            continue
        if len(members) == 1:
            names[side] = scene.display_name(members[0].id)
        elif len(side) == 1:
            names[side] = f"{scene.display_name(members[0].id)}'s side"
    return names


def side_name(scene: Scene, side: str) -> str:
    """Display name of a side, with its article."""
    return side_names(scene).get(side) or f"the {side.replace('_', ' ')}"


def rule_title(system_id: str, rule: str) -> str:
    """Title of a rule in the ledger; empty if it is none."""
    ledger = load_system(system_id).ledger
    return ledger[rule].title if rule in ledger else ""
