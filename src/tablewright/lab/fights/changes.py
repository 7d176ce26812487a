"""Textual changes of a scenario: policies, rule options, participants, sheet values, modifiers, rounds.

    policy:raiders=aggressive      another policy for a participant or side; policy:random sets it for everyone
    option:cover=light             another value of a rule option
    add:goblin                     a copy of a participant, on the nearest free position
    remove:goblin                  remove a participant or side
    set:aldith.stats.STR=r14       another sheet value, for a character or a side
    set:raiders.money+5            raise or lower a whole number of the sheet
    modify:aldith.perception+1     a modifier on a named tally, as the game master may set it
    rounds=20                      another round limit

A comma and a space separate several changes.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tablewright.errors import InvalidInputError, did_you_mean, parse_whole_number
from tablewright.game.ground.position import Ground, Position
from tablewright.game.scenario.cast import nobody_called
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scenario.schema import policy_names
from tablewright.game.session.policies import POLICIES, find_policy
from tablewright.game.system.registry import load_system
from tablewright.lab.fights.job import Job, job_of

KINDS = ("policy", "option", "add", "remove", "set", "modify", "rounds")
MOST_SEARCHED = 10_000
_NUMBER = re.compile(r"(?P<what>.+?)(?P<sign>[+-])(?P<number>[0-9]{1,9})\Z")


@dataclass
class Draft:
    """A scenario under change: its plain data and its modifiers."""

    plain: dict[str, Any]
    modifiers: list[tuple[str, int, str | None]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        """Ids of all participants."""
        return [str(given["id"]) for given in self.plain["participants"]]

    def named(self, whom: str, change: str) -> list[dict[str, Any]]:
        """Participants matched by an id or a side; an unknown name is refused."""
        found = [given for given in self.plain["participants"] if whom in (given["id"], given["side"])]
        if not found:
            known = list(dict.fromkeys([*self.ids, *[str(given["side"]) for given in self.plain["participants"]]]))
            raise nobody_called(whom, known, f'"{change:.60}"')
        return found


def draft_of(job: Job) -> Draft:
    """A mutable copy of a job's scenario."""
    return Draft(json.loads(json.dumps(job.scenario)), list(job.modifiers))


def changed(job: Job, words: str, *, anyway: bool = False) -> Job:
    """Apply changes to a job; the result passes the same checks as every job."""
    draft = draft_of(job)
    for word in split(words):
        apply(draft, word)
    made = job_of(read(draft.plain), runs=job.runs, seed=job.seed, modifiers=draft.modifiers, anyway=anyway)
    return made.as_mirrored() if job.mirrored else made


def read(plain: Mapping[str, Any]) -> Scenario:
    """Parse a scenario from plain data."""
    return read_scenario(plain, folder=Path("/"), policies=POLICIES)


def split(words: str) -> list[str]:
    """Split a text into single changes.

    >>> split("add:goblin, policy:raiders=best")
    ['add:goblin', 'policy:raiders=best']
    """
    return [word.strip() for word in words.split(", ") if word.strip()]


def apply(draft: Draft, word: str) -> None:
    """Apply one change to a draft."""
    kind, colon, rest = word.partition(":")
    if word.startswith("rounds"):
        kind, colon, rest = "rounds", ":", word.removeprefix("rounds").lstrip(":=")
    if kind not in KINDS or not colon or not rest:
        raise InvalidInputError(
            f'"{word:.60}" is not a change; changes begin with {", ".join([f"{name}:" for name in KINDS])}'
            f"{did_you_mean(kind, KINDS)}"
        )
    _MAKE[kind](draft, rest, word)


def _policy(draft: Draft, rest: str, word: str) -> None:
    whom, equals, name = rest.rpartition("=")
    known = policy_names()
    if not equals and name not in known:
        raise InvalidInputError(
            f'"{word:.60}" is not a change of policy; write policy:WHO=POLICY, or policy:POLICY for all; policies '
            f"are {', '.join(known)}{did_you_mean(name, known)}"
        )
    find_policy(name)
    for given in draft.named(whom, word) if equals else draft.plain["participants"]:
        given["policy"] = name


def _option(draft: Draft, rest: str, word: str) -> None:
    name, equals, value = rest.partition("=")
    known = {one.name: one for one in load_system(draft.plain["system"]).options.describe()}
    if not equals or name not in known:
        raise InvalidInputError(
            f'"{word:.60}" is not a change of an option; write option:NAME=VALUE, names are '
            f"{', '.join(known)}{did_you_mean(name, known)}"
        )
    draft.plain.setdefault("options", {})[name] = known[name].read(value)


def _add(draft: Draft, rest: str, word: str) -> None:
    like = draft.named(rest, word)[-1]
    copy: dict[str, Any] = json.loads(json.dumps(like))
    base = re.sub(r"-[0-9]+\Z", "", str(like["id"]))[:50]
    number = 2
    while f"{base}-{number}" in draft.ids:
        number += 1
    copy["id"] = f"{base}-{number}"
    if like.get("name"):
        copy["name"] = f"{like['name'][:50]} {number}"
    if "position" in like:
        copy["position"] = _free_beside(draft, str(like["position"]), word)
    draft.plain["participants"].append(copy)


def _free_beside(draft: Draft, position: str, word: str) -> str:
    """Nearest free position; the same position on grounds where participants share positions."""
    scenario = read(draft.plain)
    ground: Ground = scenario.ground
    if ground.shares:
        return position
    taken = {entrant.position for entrant in scenario.entrants}
    start: Position = ground.parse(position)
    seen, front = {start}, deque([start])
    while front and len(seen) < MOST_SEARCHED:
        here = front.popleft()
        if here not in taken:
            return str(here)
        for there in ground.neighbours(here):
            if there not in seen and ground.trouble(there) is None:
                seen.add(there)
                front.append(there)
    raise InvalidInputError(f'"{word:.60}": there is no free place beside {position}')


def _remove(draft: Draft, rest: str, word: str) -> None:
    gone = [given["id"] for given in draft.named(rest, word)]
    left = [given for given in draft.plain["participants"] if given["id"] not in gone]
    sides = {given["side"] for given in left}
    if len(sides) < 2:
        raise InvalidInputError(f'"{word:.60}": then only one side is left, and there is no fight')
    draft.plain["participants"] = left
    draft.plain["sides"] = [side for side in draft.plain.get("sides", []) if side in sides]
    draft.plain["surprise"] = [who for who in draft.plain.get("surprise", []) if who not in gone]
    facts = draft.plain.get("facts", [])
    draft.plain["facts"] = [fact for fact in facts if fact["who"] not in gone and fact.get("against") not in gone]


def _set(draft: Draft, rest: str, word: str) -> None:
    path, equals, text = rest.partition("=")
    step = None if equals else _NUMBER.match(rest)
    if not equals and step is None:
        raise InvalidInputError(f'"{word:.60}" is not a change of a sheet; write set:WHO.FIELD=VALUE, set:WHO.FIELD+1')
    whom, _, where = (path if step is None else step["what"]).partition(".")
    for given in draft.named(whom, word):
        holder, name = _place(given["character"], where, word)
        if step is None:
            holder[name] = _value(text)
            continue
        before = holder[name]
        if type(before) is not int:
            raise InvalidInputError(f'"{word:.60}": {where} of {given["id"]} is {before!r:.40}, not a whole number')
        holder[name] = before + int(step["sign"] + step["number"])


def _place(character: Any, where: str, word: str) -> tuple[Any, Any]:
    """Container and key at the end of a dotted path in a character's data."""
    steps: list[str] = where.split(".")
    holder = character
    for place, step in enumerate(steps):
        known = list(holder) if isinstance(holder, dict) else [str(at) for at in range(len(holder))]
        if step not in known:
            told = ".".join(steps[:place]) or "the character"
            raise InvalidInputError(
                f'"{word:.60}": {told} has no "{step:.40}"; '
                f"there are: {', '.join(known[:30])}{did_you_mean(step, known)}"
            )
        name: Any = step if isinstance(holder, dict) else int(step)
        if place == len(steps) - 1:
            return holder, name
        holder = holder[name]
        if not isinstance(holder, dict | list):
            raise InvalidInputError(f'"{word:.60}": {".".join(steps[: place + 1])} has no parts')
    raise InvalidInputError(f'"{word:.60}" names no field; write set:WHO.FIELD=VALUE')


def _value(text: str) -> Any:
    """Typed text as a JSON value, or as a string if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _modify(draft: Draft, rest: str, word: str) -> None:
    step = _NUMBER.match(rest)
    whom, dot, what = (step["what"] if step else rest).partition(".")
    if step is None or not dot or not what:
        raise InvalidInputError(f'"{word:.60}" is not a change of a number; write modify:WHO.WHAT+1')
    number = int(step["sign"] + step["number"])
    draft.modifiers += [(what, number, str(given["id"])) for given in draft.named(whom, word)]


def _rounds(draft: Draft, rest: str, word: str) -> None:
    rounds = parse_whole_number(rest)
    if rounds is None or not 1 <= rounds <= 1_000:
        raise InvalidInputError(f'"{word:.60}": rounds are a whole number from 1 to 1000')
    draft.plain["rounds"] = rounds


_MAKE = {
    "policy": _policy,
    "option": _option,
    "add": _add,
    "remove": _remove,
    "set": _set,
    "modify": _modify,
    "rounds": _rounds,
}


def words_of(changes: Sequence[str]) -> str:
    """Changes joined into one text."""
    return ", ".join(changes)
