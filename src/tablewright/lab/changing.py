"""One change of a scenario in a word, as it is typed: another policy, another option, one more, one less, a number.

    policy:raiders=aggressive      somebody or a side plays by another policy; policy:random: everybody does
    option:cover=light             another option of the system
    add:goblin                     one more like somebody, beside them
    remove:goblin                  somebody is not there
    set:aldith.stats.STR=r14       something else on a character's sheet, or on those of a side
    set:raiders.money+5            a whole number there is more or less
    modify:aldith.perception+1     a number is added to what is tallied under a name, as a game master may
    rounds=20                      another limit of rounds

Several changes that are made together have a comma and a space between them.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tablewright.errors import BadInput, nearest, whole
from tablewright.game.ground import Ground, Position
from tablewright.game.policies import POLICIES, policy_named
from tablewright.game.registry import load_system
from tablewright.game.scenario import Scenario, read_scenario
from tablewright.lab.jobs import Job, job_of

KINDS = ("policy", "option", "add", "remove", "set", "modify", "rounds")
MOST_SEARCHED = 10_000
_NUMBER = re.compile(r"(?P<what>.+?)(?P<sign>[+-])(?P<number>[0-9]{1,9})\Z")


@dataclass
class Draft:
    """A scenario that is being changed: its plain data, and the numbers that are added to tallies."""

    plain: dict[str, Any]
    modifiers: list[tuple[str, int, str | None]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        """Everybody."""
        return [str(given["id"]) for given in self.plain["participants"]]

    def named(self, whom: str, change: str) -> list[dict[str, Any]]:
        """Those that a word names: one, or a whole side."""
        found = [given for given in self.plain["participants"] if whom in (given["id"], given["side"])]
        if not found:
            known = list(dict.fromkeys([*self.ids, *[str(given["side"]) for given in self.plain["participants"]]]))
            raise BadInput(
                f'"{change:.60}": nobody is called "{whom:.40}"; there are: {", ".join(known)}{nearest(whom, known)}'
            )
        return found


def draft_of(job: Job) -> Draft:
    """A job to be changed."""
    return Draft(json.loads(json.dumps(job.scenario)), list(job.modifiers))


def changed(job: Job, words: str, *, anyway: bool = False) -> Job:
    """The job with some changes, checked as every job is."""
    draft = draft_of(job)
    for word in split(words):
        apply(draft, word)
    return job_of(read(draft.plain), runs=job.runs, seed=job.seed, modifiers=draft.modifiers, anyway=anyway)


def read(plain: Mapping[str, Any]) -> Scenario:
    """The scenario of plain data."""
    return read_scenario(plain, folder=Path("/"))


def split(words: str) -> list[str]:
    """The single changes of several.

    >>> split("add:goblin, policy:raiders=best")
    ['add:goblin', 'policy:raiders=best']
    """
    return [word.strip() for word in words.split(", ") if word.strip()]


def apply(draft: Draft, word: str) -> None:
    """Make one change."""
    kind, colon, rest = word.partition(":")
    if word.startswith("rounds"):
        kind, colon, rest = "rounds", ":", word.removeprefix("rounds").lstrip(":=")
    if kind not in KINDS or not colon or not rest:
        raise BadInput(
            f'"{word:.60}" is no change; changes begin with {", ".join([f"{name}:" for name in KINDS])}'
            f"{nearest(kind, KINDS)}"
        )
    _MAKE[kind](draft, rest, word)


def _policy(draft: Draft, rest: str, word: str) -> None:
    whom, equals, name = rest.rpartition("=")
    if not equals and name not in POLICIES:
        raise BadInput(
            f'"{word:.60}" is no change of policy; write policy:WHO=POLICY, or policy:POLICY for everybody; policies '
            f"are {', '.join(POLICIES)}{nearest(name, POLICIES)}"
        )
    policy_named(name)
    for given in draft.named(whom, word) if equals else draft.plain["participants"]:
        given["policy"] = name


def _option(draft: Draft, rest: str, word: str) -> None:
    name, equals, value = rest.partition("=")
    known = {one.name: one for one in load_system(draft.plain["system"]).options.describe()}
    if not equals or name not in known:
        raise BadInput(
            f'"{word:.60}" is no change of an option; write option:NAME=VALUE, names are '
            f"{', '.join(known)}{nearest(name, known)}"
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
    """The nearest place that nobody has; where people share places it is the same."""
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
    raise BadInput(f'"{word:.60}": there is no free place beside {position}')


def _remove(draft: Draft, rest: str, word: str) -> None:
    gone = [given["id"] for given in draft.named(rest, word)]
    left = [given for given in draft.plain["participants"] if given["id"] not in gone]
    sides = {given["side"] for given in left}
    if len(sides) < 2:
        raise BadInput(f'"{word:.60}": then only one side is left, and there is no fight')
    draft.plain["participants"] = left
    draft.plain["sides"] = [side for side in draft.plain.get("sides", []) if side in sides]
    draft.plain["surprise"] = [who for who in draft.plain.get("surprise", []) if who not in gone]
    facts = draft.plain.get("facts", [])
    draft.plain["facts"] = [fact for fact in facts if fact["who"] not in gone and fact.get("against") not in gone]


def _set(draft: Draft, rest: str, word: str) -> None:
    path, equals, text = rest.partition("=")
    step = None if equals else _NUMBER.match(rest)
    if not equals and step is None:
        raise BadInput(f'"{word:.60}" is no change of a sheet; write set:WHO.FIELD=VALUE, set:WHO.FIELD+1')
    whom, _, where = (path if step is None else step["what"]).partition(".")
    for given in draft.named(whom, word):
        holder, name = _place(given["character"], where, word)
        if step is None:
            holder[name] = _value(text)
            continue
        before = holder[name]
        if type(before) is not int:
            raise BadInput(f'"{word:.60}": {where} of {given["id"]} is {before!r:.40}, no whole number')
        holder[name] = before + int(step["sign"] + step["number"])


def _place(character: Any, where: str, word: str) -> tuple[Any, Any]:
    """Where a dotted path ends in a character's data: what holds it, and its name there."""
    steps: list[str] = where.split(".")
    holder = character
    for place, step in enumerate(steps):
        known = list(holder) if isinstance(holder, dict) else [str(at) for at in range(len(holder))]
        if step not in known:
            told = ".".join(steps[:place]) or "the character"
            raise BadInput(
                f'"{word:.60}": {told} has no "{step:.40}"; there are: {", ".join(known[:30])}{nearest(step, known)}'
            )
        name: Any = step if isinstance(holder, dict) else int(step)
        if place == len(steps) - 1:
            return holder, name
        holder = holder[name]
        if not isinstance(holder, dict | list):
            raise BadInput(f'"{word:.60}": {".".join(steps[: place + 1])} has no parts')
    raise BadInput(f'"{word:.60}" names no field; write set:WHO.FIELD=VALUE')


def _value(text: str) -> Any:
    """What was typed, as a number, a truth or nothing where it is one; else a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _modify(draft: Draft, rest: str, word: str) -> None:
    step = _NUMBER.match(rest)
    whom, dot, what = (step["what"] if step else rest).partition(".")
    if step is None or not dot or not what:
        raise BadInput(f'"{word:.60}" is no change of a number; write modify:WHO.WHAT+1')
    number = int(step["sign"] + step["number"])
    draft.modifiers += [(what, number, str(given["id"])) for given in draft.named(whom, word)]


def _rounds(draft: Draft, rest: str, word: str) -> None:
    rounds = whole(rest)
    if rounds is None or not 1 <= rounds <= 1_000:
        raise BadInput(f'"{word:.60}": rounds are a whole number from 1 to 1000')
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
    """Changes as one word."""
    return ", ".join(changes)
