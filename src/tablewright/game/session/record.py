"""Entries of a session's record and their JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tablewright.engine import Answer, SetOutcome
from tablewright.errors import InvalidInputError

Entry: TypeAlias = "Answer | StartEntry | JoinEntry | ReducedEntry"


@dataclass(frozen=True, slots=True)
class StartEntry:
    """A process started by name."""

    process: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JoinEntry:
    """A participant who joined: character and place, as plain data."""

    entrant: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReducedEntry:
    """An entry during which damage to others is reduced: ``part`` is ``half`` or ``none``."""

    entry: Answer | StartEntry
    part: str


def entry_to_json(entry: Entry) -> Any:
    """The JSON form of an entry."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, StartEntry):
        return {"do": entry.process, "with": dict(entry.arguments)}
    if isinstance(entry, JoinEntry):
        return {"join": dict(entry.entrant)}
    if isinstance(entry, SetOutcome):
        return {"set": entry.outcome, "reason": entry.reason}
    if isinstance(entry, ReducedEntry):
        return {"counts": entry.part, "of": entry_to_json(entry.entry)}
    return list(entry)


def entry_from_json(raw: Any) -> Entry:
    """Parse an entry from its JSON form."""
    if isinstance(raw, str):
        return raw
    if isinstance(raw, list):
        return tuple(raw)
    if isinstance(raw, dict):
        if "do" in raw:
            return StartEntry(raw["do"], raw.get("with", {}))
        if "join" in raw:
            return JoinEntry(raw["join"])
        if "set" in raw:
            return SetOutcome(raw["set"], raw.get("reason", ""))
        if "counts" in raw:
            inner = entry_from_json(raw.get("of"))
            if not isinstance(inner, JoinEntry | ReducedEntry):
                return ReducedEntry(inner, str(raw["counts"]))
    raise InvalidInputError(f"{raw!r:.60} is not an entry of a session")
