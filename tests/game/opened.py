"""A scene of some characters together, as tests of what is done outside fights need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tablewright.game.character.character import Character
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.game.system.system import System


def open_characters(
    system: System,
    characters: Sequence[tuple[str, Character]],
    *,
    seed: int,
    options: Mapping[str, Any] | None = None,
    packs: Sequence[Path] = (),
    now: int = 0,
) -> Session:
    """A scene of some characters together, for what is done outside fights; ``now`` is the campaign's clock."""
    plain = {
        "title": "together",
        "system": system.id,
        "options": dict(options or {}),
        "packs": [str(path.resolve()) for path in packs],
        "now": now,
        "participants": [{"id": who, "side": "party", "character": one.to_json()} for who, one in characters],
    }
    return open_session(read_scenario(plain, folder=Path("/")), seed=seed)
