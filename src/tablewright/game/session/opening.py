"""Opening of sessions from scenarios and from saved files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.game.character.character import Character, read_character
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scenario.scenario import Entrant, Scenario
from tablewright.game.scenario.schema import policy_names
from tablewright.game.scene.arrival import enter_scene
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Participant, Scene, SceneSetup
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.record import StartEntry
from tablewright.game.session.session import FORMAT, Session, SessionHeader
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System
from tablewright.game.time.clock import Clock

MOST_BYTES = 100_000_000


def open_session(
    scenario: Scenario, *, seed: int, seats: Mapping[str, str] | None = None, files: Mapping[str, str] | None = None
) -> Session:
    """Open a new session of a scenario, before its first entry. ``seats`` assigns participants to other seats.

    ``files`` maps participants to the files they are saved to in the end; it is stored with the session.
    """
    system = load_system(scenario.system)
    scene = open_scene(system, scenario, seats or {})
    source: dict[str, Any] = {"scenario": _inlined(scenario, scene), "seats": dict(seats or {})}
    if files:
        source["files"] = dict(files)
    return Session(SessionHeader(system.id, system.version, scene, seed, source), system.rulebook)


def open_scene(system: System, scenario: Scenario, seats: Mapping[str, str]) -> Scene:
    """The first scene of a scenario; an unknown participant in ``seats`` is refused."""
    library = scenario.library or shipped_library(system)
    unknown = [who for who in seats if who not in [entrant.id for entrant in scenario.entrants]]
    if unknown:
        scenario[unknown[0]]  # raises an error that lists the known ids
    scene = Scene(
        system=system.id,
        participants=tuple([_participant(system, scenario, entrant, seats) for entrant in scenario.entrants]),
        options=scenario.options,
        ground=scenario.ground,
        facts=scenario.facts,
        clock=Clock(scenario.now),
        setup=SceneSetup(
            scenario.surprised,
            scenario.rounds,
            scenario.ends,
            tuple(scenario.start.items()),
            tuple(scenario.side_names.items()),
        ),
        library=library,
    )
    for entrant in scenario.entrants:
        scene = enter_scene(scene, entrant.id)
    return system.rulebook.open_scene(scene)


def _participant(system: System, scenario: Scenario, entrant: Entrant, seats: Mapping[str, str]) -> Participant:
    book, library = system.rulebook, scenario.library or shipped_library(system)
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


@cached_by_identity
def _written_as(source: Any, kind: type[Character]) -> Character:
    """The character that a scenario holds in full, parsed once for all fights that start from it."""
    return read_character(source, kind).character


def _inlined(scenario: Scenario, scene: Scene) -> dict[str, Any]:
    """The scenario with every character and option written out; later changes of content or defaults do not matter."""
    plain = scenario.to_json() | {"options": scenario.options.to_mapping()}
    for given, participant in zip(plain["participants"], scene.participants, strict=True):
        given["character"] = participant.character.to_json()
    return plain


def begin_encounter(session: Session) -> None:
    """Start the encounter of a session with its limit of rounds, unless it has begun already."""
    encounter = session.rulebook.encounter
    if any(isinstance(entry, StartEntry) and entry.process == encounter.name for entry in session.entries):
        return
    session.do(encounter.name, **rounds_argument(session.rulebook, session.scene))


def rounds_argument(book: Rulebook, scene: Scene) -> dict[str, int]:
    """The limit of rounds as an argument of the encounter; empty if the encounter does not take it."""
    takes = [parameter for parameter in book.encounter.params if parameter.name == "rounds"]
    rounds = scene.setup.rounds
    return {"rounds": rounds} if takes and takes[0].kind.accepts(rounds) else {}


def resume_session(path: Path) -> Session:
    """Load a saved session and bring it to the state in which it was saved."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidInputError(f"{path} is larger than {MOST_BYTES:,} bytes; it is not a session")
        saved = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InvalidInputError(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise InvalidInputError(f"{path} is not a saved session: it is not JSON") from None
    if not isinstance(saved, dict) or saved.get("tablewright") != "session":
        raise InvalidInputError(f"{path} is not a saved session")
    if saved.get("format") != FORMAT:
        raise InvalidInputError(
            f"{path} has the format {saved.get('format')!r:.20}; this program reads format {FORMAT}"
        )
    try:
        source = saved["source"]
        scenario = read_scenario(source["scenario"], folder=Path("/"), policies={*policy_names(), *POLICIES})
        seats, files = source.get("seats", {}), source.get("files", {})
        session = open_session(scenario, seed=saved["seed"], seats=seats, files=files)
        session.resume(saved)
    except (KeyError, TypeError, AttributeError) as problem:
        raise InvalidInputError(f"{path} is not a whole session: {problem!r:.80}") from None
    return session
