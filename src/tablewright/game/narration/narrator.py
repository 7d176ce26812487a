"""Narration of log lines for one viewer; nothing hidden from the viewer is mentioned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine.json_values import to_json
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.projection import project_line
from tablewright.game.play.common_events import RoundStarted, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import ActingSeat, Scene
from tablewright.game.scene.visibility import GAME_MASTER, NotVisible, bookkeeping, negative_words

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TRUTH = {"True": "yes", "False": "no"}


class NarratedLine(NamedTuple):
    """One log line in words; ``kind`` is ``round``, ``turn``, ``event``, ``rule``, ``choice`` or ``end``."""

    kind: str
    text: str


Called: TypeAlias = Callable[[str], str]
"""Function from a participant id or a seat to a display name."""

_BY_ID: Called = str


def narrate_line(
    line: Any, scene: Scene, viewer: str, before: Scene | None = None, *, by_name: bool = False
) -> NarratedLine | None:
    """Narration of a log line for a viewer, or None if the viewer may not see it or there is nothing to say.

    ``by_name`` uses display names instead of ids and readable names of rules.
    """
    seen = project_line(line, scene, viewer, before)
    if seen is None or isinstance(line, TurnEnded):
        return None
    called = names_in(scene, before, viewer) if by_name else _BY_ID
    if isinstance(line, Event):
        kind = {RoundStarted: "round", TurnStarted: "turn", SceneEnded: "end"}.get(type(line), "event")
        text = in_words(line, seen, called, all_seeing=viewer == GAME_MASTER)
        return NarratedLine(kind, text) if text else None  # events with nothing to say
    if "mechanic" in seen:
        return NarratedLine("rule", trace_line(seen, called))
    return NarratedLine("choice" if "choice" in seen else "rule", step_words(seen, called))


def names_in(scene: Scene, before: Scene | None = None, viewer: str = GAME_MASTER) -> Called:
    """Build the function that names participants, by id or by acting seat, for a viewer.

    A participant hidden from the viewer in both this scene and the one ``before`` is called "somebody".
    """

    def called(who: str) -> str:
        one = who.who if isinstance(who, ActingSeat) else who
        found = [place for place in (scene, before) if place is not None and one in place]
        if viewer != GAME_MASTER and found and not any(place.can_see(viewer, one) for place in found):
            return "somebody"
        return found[0].display_name(one) if found else one

    return called


# ---------------------------------------------------------------------- events


def _refuse(*_: Any) -> Any:
    raise NotVisible


_SAYING = "str repr format bool eq ne lt le gt ge hash len iter int index add radd sub rsub mul neg getitem contains"
_VEIL: Any = type("Veil", (), {f"__{name}__": _refuse for name in _SAYING.split()} | {"__getattr__": _refuse})()
"""Stand-in for a field that the viewer may not see; any use of it raises `NotVisible` and aborts the sentence."""


def in_words(
    event: Event,
    seen: Mapping[str, Any],
    called: Called = _BY_ID,
    *,
    all_seeing: bool = False,
    is_silent: bool = False,
) -> str:
    """An event in the system's words, or built from the visible fields alone if those words would reveal more.

    If ``is_silent``, nothing is told in that case.
    """
    changes: dict[str, Any] = {}
    seen = _named(event, seen, called)
    for entry in fields(event):
        if entry.name not in seen:
            if not all_seeing:
                changes[entry.name] = _VEIL
        elif entry.name in event.mentions:
            if called is not _BY_ID and isinstance(seen[entry.name], str):
                changes[entry.name] = seen[entry.name]
        elif isinstance(getattr(event, entry.name), tuple) and isinstance(seen[entry.name], list):
            whole = getattr(event, entry.name)
            if len(whole) != len(seen[entry.name]) or to_json(whole) != seen[entry.name]:
                changes[entry.name] = tuple(seen[entry.name])  # the turn order without hidden participants
    if type(event).narrate is Event.narrate and not event.template:
        return "" if is_silent else _plain_words(event.kind, seen)
    try:
        return (replace(event, **changes) if changes else event).narrate()
    except NotVisible:
        return "" if is_silent else _plain_words(event.kind, seen)


def _named(event: Event, seen: Mapping[str, Any], called: Called) -> Mapping[str, Any]:
    """The visible fields of an event, with display names for the participants it mentions."""
    if called is _BY_ID:
        return seen
    people: dict[str, Any] = {name: called(seen[name]) for name in event.mentions if isinstance(seen.get(name), str)}
    for name, value in seen.items():
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            people[name] = [called(part) for part in value]
    return {**seen, **people}


def _plain_words(kind: str, seen: Mapping[str, Any]) -> str:
    """Generic words for an event: participant, kind and the visible fields."""
    said = _CAPITAL.sub(" ", kind).lower()
    who = seen.get("who")
    parts = [
        f"{name.replace('_', ' ')} {value_words(value)}"
        for name, value in seen.items()
        if name not in ("event", "cause", "to", "who", "line") and value not in (None, "", [], {})
    ]
    return ", ".join([f"{who}: {said}" if who else said, *parts])


def value_words(value: Any) -> str:
    """Format a JSON value for display."""
    if isinstance(value, dict):
        return ", ".join([f"{name.replace('_', ' ')} {value_words(part)}" for name, part in value.items()])
    if isinstance(value, list):
        return " ".join(map(value_words, value)) or "none"
    return format_value(value)


def status_words(
    status: Mapping[str, Any],
    kind: type | None = None,
    called: Called = _BY_ID,
    known_words: Mapping[str, str] | None = None,
) -> str:
    """A status on one line: true flags by name, numbers after their names, participants by display name.

    ``known_words`` are the system's words for fields and conditions.

    False flags are left out, and so are nested records; a list of records shows only their names. With the ``kind`` of
    the status, initial values and bookkeeping fields are left out too.
    """
    usual, kept_quiet, if_not = ({}, frozenset(), {}) if kind is None else _unsaid(kind)
    named = known_words or {}
    parts = []
    for name, value in status.items():
        if name in kept_quiet or (name in usual and usual[name] == value):
            continue
        words = named.get(name) or name.replace("_", " ")
        if value is True:
            parts.append(words)
        elif value is False and usual.get(name) is True:
            parts.append(if_not.get(name, f"not {words}"))
        elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
            parts += [
                f"{named.get(known, known)}{_amount(part)}"
                for part in value
                if isinstance(part, dict) and (known := _called(part))
            ]
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            parts.append(f"{words} {' and '.join([format_value(called(part)) for part in value])}")
        elif value is not False and not isinstance(value, dict) and value not in (None, "", []):
            parts.append(f"{words} {value_words(value)}")
    return ", ".join(parts)


def _called(record: Mapping[str, Any]) -> str:
    """Name of a record inside a status, such as an effect; empty if it has none."""
    return next((str(record[word]).replace("_", " ") for word in ("kind", "id", "what") if record.get(word)), "")


def _amount(record: Mapping[str, Any]) -> str:
    """The number of a record inside a status, with its sign; empty if it has none."""
    value = record.get("value")
    return f" {value:+d}" if isinstance(value, int) and not isinstance(value, bool) and value else ""


@lru_cache(maxsize=64)
def _unsaid(kind: type) -> tuple[dict[str, Any], frozenset[str], dict[str, str]]:
    """Default values of a status as JSON, its bookkeeping fields, and its words for false flags."""
    usual = {entry.name: to_json(entry.default) for entry in fields(kind) if entry.default is not MISSING}
    return usual, bookkeeping(kind), negative_words(kind)


# ---------------------------------------------------------------------- traces


def trace_line(seen: Mapping[str, Any], called: Called = _BY_ID) -> str:
    """A played rule on one line: dice, choices and result."""
    steps = [step_words(step, called) for step in _flat(seen) if "on" not in step]
    if "result" in seen:
        steps.append(f"gives {_without_nothing(seen['result'])}")
    name = str(seen["mechanic"]).rpartition(".")[2]
    return f"{name if called is _BY_ID else name.replace('_', ' ')}: {'; '.join(steps) or 'hidden'}"


def _without_nothing(result: Any) -> str:
    """A result in words: its first part, and those others that are not false, 0 or empty."""
    if isinstance(result, dict):
        told = {name: _something(part) for name, part in result.items()}
        first = next(iter(told), None)
        told = {name: part for name, part in told.items() if part or (name == first and part is not None)}
        result = told or result
    return value_words(result)


def _something(part: Any) -> Any:
    return {name: inner for name, inner in part.items() if inner} if isinstance(part, dict) else part


def _flat(seen: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for step in seen["steps"]:
        if "mechanic" in step:
            yield from _flat(step)
        else:
            yield step


def step_words(step: Mapping[str, Any], called: Called = _BY_ID) -> str:
    """One step of a rule in words."""
    if "roll" in step:
        faces = " ".join(map(str, step["faces"])) or "no dice"
        whose = f"{called(step['seat'])} " if isinstance(step.get("seat"), ActingSeat) and called is not _BY_ID else ""
        return f"{whose}{step['roll']}: {faces} = {value_words(step['outcome'])}"
    if "choice" in step:
        return f"{called(step['seat'])}: {step['choice']} {_option_words(step['option'], called)}"
    if "set" in step:
        return f"{step['set']} is ruled to be {step['outcome']} ({step['reason']})"
    return "rerolled" if "again" in step else f"on with {step.get('on', 'another rule')}"


def _option_words(option: str, called: Called) -> str:
    """The chosen option: its id, or with display names its parts in words (`attack:wolf:short_sword`)."""
    if option in _TRUTH or called is _BY_ID:
        return _TRUTH.get(option, option)
    return " ".join([called(part).replace("_", " ") for part in option.split(":") if part]) or option
