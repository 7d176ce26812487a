"""The log in words, for one pair of eyes: what a viewer may not see is not said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine.values import to_json
from tablewright.game.common import RoundStarted, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.events import GAME_MASTER, Event, Unseen, bookkeeping, told_if_not
from tablewright.game.projection import project_line
from tablewright.game.scene import Scene, SeatOf
from tablewright.game.wording import shown

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TRUTH = {"True": "yes", "False": "no"}


class Told(NamedTuple):
    """One line of the log in words; ``kind`` is ``round``, ``turn``, ``event``, ``rule``, ``choice`` or ``end``."""

    kind: str
    text: str


Called: TypeAlias = Callable[[str], str]
"""What people call a participant, or whom a seat plays."""

_BY_ID: Called = str


def tell(line: Any, scene: Scene, viewer: str, before: Scene | None = None, *, by_name: bool = False) -> Told | None:
    """What a viewer hears of a line of the log; None where that is nothing.

    ``by_name`` calls people by their names and not by their ids, and rules as they are spoken of.
    """
    seen = project_line(line, scene, viewer, before)
    if seen is None or isinstance(line, TurnEnded):
        return None
    called = names_in(scene, before, viewer) if by_name else _BY_ID
    if isinstance(line, Event):
        kind = {RoundStarted: "round", TurnStarted: "turn", SceneEnded: "end"}.get(type(line), "event")
        text = in_words(line, seen, called, all_seeing=viewer == GAME_MASTER)
        return Told(kind, text) if text else None  # what goes without saying
    if "mechanic" in seen:
        return Told("rule", trace_line(seen, called))
    return Told("choice" if "choice" in seen else "rule", step_words(seen, called))


def names_in(scene: Scene, before: Scene | None = None, viewer: str = GAME_MASTER) -> Called:
    """What people are called in a scene: participants by id, and seats by whom they play just then.

    Whom a viewer knows nothing of, neither now nor ``before``, is somebody.
    """

    def called(who: str) -> str:
        one = who.who if isinstance(who, SeatOf) else who
        found = [place for place in (scene, before) if place is not None and one in place]
        if viewer != GAME_MASTER and found and not any(place.knows_of(viewer, one) for place in found):
            return "somebody"
        return found[0].called(one) if found else one

    return called


# ---------------------------------------------------------------------- events


def _refuse(*_: Any) -> Any:
    raise Unseen


_SAYING = "str repr format bool eq ne lt le gt ge hash len iter int index add radd sub rsub mul neg getitem contains"
_VEIL: Any = type("Veil", (), {f"__{name}__": _refuse for name in _SAYING.split()} | {"__getattr__": _refuse})()
"""Stands where a field is that the viewer may not see: a sentence that would name it is not finished."""


def in_words(event: Event, seen: Mapping[str, Any], called: Called = _BY_ID, *, all_seeing: bool = False) -> str:
    """An event as its system says it, or from what is seen of it alone where the sentence would say more."""
    changes: dict[str, Any] = {}
    seen = _named(event, seen, called)
    for entry in fields(event):
        if entry.name not in seen:
            if not all_seeing:
                changes[entry.name] = _VEIL
        elif entry.name in event.about:
            if called is not _BY_ID and isinstance(seen[entry.name], str):
                changes[entry.name] = seen[entry.name]
        elif isinstance(getattr(event, entry.name), tuple) and isinstance(seen[entry.name], list):
            whole = getattr(event, entry.name)
            if len(whole) != len(seen[entry.name]) or to_json(whole) != seen[entry.name]:
                changes[entry.name] = tuple(seen[entry.name])  # the order of acting, without those who are hidden
    if type(event).in_words is Event.in_words and not event.words:
        return _plain_words(event.kind, seen)
    try:
        return (replace(event, **changes) if changes else event).in_words()
    except Unseen:
        return _plain_words(event.kind, seen)


def _named(event: Event, seen: Mapping[str, Any], called: Called) -> Mapping[str, Any]:
    """What is seen of an event, with whom it is about by what they are called."""
    if called is _BY_ID:
        return seen
    people: dict[str, Any] = {name: called(seen[name]) for name in event.about if isinstance(seen.get(name), str)}
    for name, value in seen.items():
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            people[name] = [called(part) for part in value]
    return {**seen, **people}


def _plain_words(kind: str, seen: Mapping[str, Any]) -> str:
    """An event that says nothing of itself: who, what, and the fields that are seen."""
    said = _CAPITAL.sub(" ", kind).lower()
    who = seen.get("who")
    parts = [
        f"{name.replace('_', ' ')} {value_words(value)}"
        for name, value in seen.items()
        if name not in ("event", "cause", "to", "who", "line") and value not in (None, "", [], {})
    ]
    return ", ".join([f"{who}: {said}" if who else said, *parts])


def value_words(value: Any) -> str:
    """A JSON value as people read it."""
    if isinstance(value, dict):
        return ", ".join([f"{name.replace('_', ' ')} {value_words(part)}" for name, part in value.items()])
    if isinstance(value, list):
        return " ".join(map(value_words, value)) or "none"
    return shown(value)


def status_words(status: Mapping[str, Any], kind: type | None = None, called: Called = _BY_ID) -> str:
    """A status on one line: what is so by its name, numbers behind theirs, people as they are ``called``.

    What is not so is left out, and so are records inside it: of a list of them only what they are called is told. Where
    the ``kind`` of status is given, what goes without saying is left out too: what stands as it always begins, and
    bookkeeping.
    """
    usual, kept_quiet, if_not = ({}, frozenset(), {}) if kind is None else _unsaid(kind)
    parts = []
    for name, value in status.items():
        if name in kept_quiet or (name in usual and usual[name] == value):
            continue
        words = name.replace("_", " ")
        if value is True:
            parts.append(words)
        elif value is False and usual.get(name) is True:
            parts.append(if_not.get(name, f"not {words}"))
        elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
            parts += [known for part in value if isinstance(part, dict) and (known := _called(part))]
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            parts.append(f"{words} {' and '.join([shown(called(part)) for part in value])}")
        elif value is not False and not isinstance(value, dict) and value not in (None, "", []):
            parts.append(f"{words} {value_words(value)}")
    return ", ".join(parts)


def _called(record: Mapping[str, Any]) -> str:
    """What a record inside a status is called, such as a condition that lasts; nothing where it has no name."""
    return next((str(record[word]).replace("_", " ") for word in ("kind", "id", "what") if record.get(word)), "")


@lru_cache(maxsize=64)
def _unsaid(kind: type) -> tuple[dict[str, Any], frozenset[str], dict[str, str]]:
    """How the fields of a status begin, as JSON, which of them are bookkeeping, and words for what is not so."""
    usual = {entry.name: to_json(entry.default) for entry in fields(kind) if entry.default is not MISSING}
    return usual, bookkeeping(kind), told_if_not(kind)


# ---------------------------------------------------------------------- traces


def trace_line(seen: Mapping[str, Any], called: Called = _BY_ID) -> str:
    """A played rule on one line: the dice, what was chosen, what came of it."""
    steps = [step_words(step, called) for step in _flat(seen) if "on" not in step]
    if "result" in seen:
        steps.append(f"-> {_without_nothing(seen['result'])}")
    name = str(seen["mechanic"]).rpartition(".")[2]
    return f"{name if called is _BY_ID else name.replace('_', ' ')}: {'; '.join(steps) or 'hidden'}"


def _without_nothing(result: Any) -> str:
    """A result in words: its first part, and of all others what is something and not "no", 0 or empty."""
    if isinstance(result, dict):
        told = {name: _something(part) for name, part in result.items()}
        first = next(iter(told), None)
        told = {name: part for name, part in told.items() if part or (name == first and part is not None)}
        result = told or result
    return value_words(result)


def _something(part: Any) -> Any:
    return {name: inner for name, inner in part.items() if inner} if isinstance(part, dict) else part


def steps_line(steps: list[Mapping[str, Any]], called: Called = _BY_ID) -> str:
    """What has happened so far in a rule that is under way."""
    return "; ".join([step_words(step, called) for step in _flat({"steps": steps}) if "on" not in step])


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
        whose = f"{called(step['seat'])} " if isinstance(step.get("seat"), SeatOf) and called is not _BY_ID else ""
        return f"{whose}{step['roll']}: {faces} = {value_words(step['outcome'])}"
    if "choice" in step:
        return f"{called(step['seat'])}: {step['choice']} {_option_words(step['option'], called)}"
    if "set" in step:
        return f"{step['set']} is ruled to be {step['outcome']} ({step['reason']})"
    return "rolled afresh" if "again" in step else f"on with {step.get('on', 'another rule')}"


def _option_words(option: str, called: Called) -> str:
    """What was chosen: an id as it is, or by name with what it is made of (`attack:wolf:short_sword`) as it is said."""
    if option in _TRUTH or called is _BY_ID:
        return _TRUTH.get(option, option)
    return " ".join([called(part).replace("_", " ") for part in option.split(":") if part]) or option


Usual: TypeAlias = Callable[[str], Mapping[str, Any]]
"""The usual values of a mechanic's arguments, by its name."""


def trace_lines(seen: Mapping[str, Any], usual: Usual = lambda _: {}, depth: int = 0) -> Iterator[str]:
    """A played rule in full: arguments other than the usual ones, where they come from, every step, the result."""
    indent = "  " * depth
    known = usual(seen["mechanic"])
    told = [(name, value) for name, value in seen["arguments"].items() if name not in known or known[name] != value]
    arguments = ", ".join([f"{name} {value_words(value)}" for name, value in told])
    by = f" by {seen['actor']}" if depth and "actor" in seen else ""
    yield f"{indent}{seen['mechanic']}{by}{': ' if arguments else ''}{arguments}"
    for name, tally in seen.get("tallies", {}).items():
        yield f"{indent}  {name}: {tally.get('reads') or tally.get('total', 'partly hidden')}"
        yield f"{indent}    {tally['label']} {tally['base']}{_cited(tally['rule'])}"
        for part in tally["parts"]:
            counted = "" if part["counts"] else " (does not count)"
            remark = f", {part['note']}" if part["note"] else ""
            yield f"{indent}    {part['label']} {part['changed']:+d}{counted}{remark}{_cited(part['rule'])}"
    for step in seen["steps"]:
        if "mechanic" in step:
            yield from trace_lines(step, usual, depth + 1)
        else:
            yield f"{indent}  {step_words(step)}"
    if "result" in seen:
        yield f"{indent}  -> {value_words(seen['result'])}"


def _cited(rule: str | None) -> str:
    return f" [{rule}]" if rule else ""
