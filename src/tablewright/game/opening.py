"""From a scenario to a session, from a saved file back to it, and from character files to a scene without a fight."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tablewright.errors import BadInput
from tablewright.game.character import Character, read_character
from tablewright.game.clock import Clock
from tablewright.game.content import library_of
from tablewright.game.events import GAME_MASTER
from tablewright.game.pending import come
from tablewright.game.registry import load_system
from tablewright.game.remembering import by_identity
from tablewright.game.scenario import Entrant, Scenario, read_scenario
from tablewright.game.scene import Participant, Scene, Start
from tablewright.game.session import FORMAT, Header, Session
from tablewright.game.system import System

MOST_BYTES = 100_000_000


def open_session(
    scenario: Scenario, *, seed: int, seats: Mapping[str, str] | None = None, files: Mapping[str, str] | None = None
) -> Session:
    """A new session of a scenario; nothing has happened yet. ``seats`` gives participants to other seats.

    ``files`` says to which files participants go back in the end; it is kept with the session.
    """
    system = load_system(scenario.system)
    scene = open_scene(system, scenario, seats or {})
    source: dict[str, Any] = {"scenario": _inlined(scenario, scene), "seats": dict(seats or {})}
    if files:
        source["files"] = dict(files)
    return Session(Header(system.id, system.version, scene, seed, source), system.book)


def open_scene(system: System, scenario: Scenario, seats: Mapping[str, str]) -> Scene:
    """The first scene of a scenario."""
    library = scenario.library or library_of(system)
    unknown = [who for who in seats if who not in [entrant.id for entrant in scenario.entrants]]
    if unknown:
        scenario[unknown[0]]  # refuses with who is there
    scene = Scene(
        system=system.id,
        participants=tuple([_participant(system, scenario, entrant, seats) for entrant in scenario.entrants]),
        options=scenario.options,
        ground=scenario.ground,
        facts=scenario.facts,
        clock=Clock(scenario.now),
        start=Start(scenario.surprised, scenario.rounds, scenario.ends, tuple(scenario.start.items())),
        library=library,
    )
    for entrant in scenario.entrants:
        scene = come(scene, entrant.id)
    return system.book.begun(scene)


def _participant(system: System, scenario: Scenario, entrant: Entrant, seats: Mapping[str, str]) -> Participant:
    book, library = system.book, scenario.library or library_of(system)
    if isinstance(entrant.character, str):
        character = book.character_of(entrant.character, library)
    else:
        character = _written_as(entrant.document or entrant.character, book.character)
    return book.participant(
        character,
        scenario.options,
        library,
        id=entrant.id,
        name=entrant.name or character.name,
        side=entrant.side,
        seat=seats.get(entrant.id) or entrant.seat or (entrant.side if entrant.policy else GAME_MASTER),
        position=entrant.position,
        hidden=entrant.hidden,
    )


@by_identity
def _written_as(source: Any, kind: type[Character]) -> Character:
    """The character that a scenario has in full, read once for all fights that begin with it."""
    return read_character(source, kind).character


def _inlined(scenario: Scenario, scene: Scene) -> dict[str, Any]:
    """The scenario with every character and every option as it was: later changes of content or defaults do nothing."""
    plain = scenario.to_json() | {"options": scenario.options.to_mapping()}
    for given, participant in zip(plain["participants"], scene.participants, strict=True):
        given["character"] = participant.character.to_json()
    return plain


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


def resume_session(path: Path) -> Session:
    """The session that a file holds, brought to the state in which it was saved."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path} is larger than {MOST_BYTES:,} bytes; it is no session")
        saved = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is not a saved session: it is not JSON") from None
    if not isinstance(saved, dict) or saved.get("tablewright") != "session":
        raise BadInput(f"{path} is not a saved session")
    if saved.get("format") != FORMAT:
        raise BadInput(f"{path} has the format {saved.get('format')!r:.20}; this program reads format {FORMAT}")
    try:
        source = saved["source"]
        scenario = read_scenario(source["scenario"], folder=Path("/"))
        seats, files = source.get("seats", {}), source.get("files", {})
        session = open_session(scenario, seed=saved["seed"], seats=seats, files=files)
        session.resume(saved)
    except (KeyError, TypeError, AttributeError) as problem:
        raise BadInput(f"{path} is not a whole session: {problem!r:.80}") from None
    return session
