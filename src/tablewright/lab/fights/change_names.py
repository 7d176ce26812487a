"""Names in changes: participants by display name, and the tallies that a modifier can change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Self

from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.system.registry import load_system
from tablewright.lab.fights.job import Job, ring_of

MOST_TRIED = 8
"""Upper bound for trial fights before a tally name counts as unknown; most names occur in the first fight."""
_MOST_NAMED = 40
_NAMES_PARTICIPANT = ("policy", "add", "remove", "set", "modify")
_AFTER_A_NAME = ("", ".", "=")
_RANDOM = "random"


class Listening(str):
    """A string equal to no other that records everything it is compared with.

    As the name of a modifier it has no effect, but collects every tally name that a fight looks up.

    >>> name = Listening("?")
    >>> name == "attack", name in ("damage", "defence"), sorted(name.heard)
    (False, False, ['attack', 'damage', 'defence'])
    """

    heard: dict[str, None]

    def __new__(cls, name: str) -> Self:
        made = super().__new__(cls, name)
        made.heard = {}
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and not isinstance(other, Listening):
            self.heard[other] = None
        return self is other

    __hash__ = str.__hash__


def tallied_in(job: Job, wanted: Collection[str]) -> list[str]:
    """Sorted tally names that occur in trial fights of a job.

    At most ``MOST_TRIED`` fights alternate between the job's policies and random ones, until all wanted names have
    occurred.
    """
    name = Listening("?")
    plain: dict[str, Any] = dict(job.scenario)
    plain["participants"] = [dict(given) | {"policy": _RANDOM} for given in plain["participants"]]
    jobs = [replace(job, modifiers=((name, 0, None),)), replace(job, scenario=plain, modifiers=((name, 0, None),))]
    rings = [one.ring() for one in jobs]
    for number in range(MOST_TRIED):
        with suppress(TablewrightError):  # the real run reports a fight that fails
            rings[number % len(rings)].play(number)
        if name.heard.keys() >= set(wanted):
            break
    return sorted(name.heard)


def demand_tallied(job: Job) -> None:
    """Refuse a modifier on an unknown tally name, which would silently do nothing.

    Names of checks outside fights are accepted; the result reports that they have no effect.
    """
    checks = [check.id for check in load_system(job.system).rulebook.checks]
    wanted = [what for what, _, _ in job.modifiers if what not in checks]
    if not wanted:
        return
    known = tallied_in(job, wanted)
    for what in wanted:
        if what not in known:
            shown = known[:_MOST_NAMED]
            more = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
            close = did_you_mean(what, [*known, *checks])
            raise InvalidInputError(
                f'modify: nothing here is tallied under "{what:.40}"; there are: {", ".join(shown)}{more}{close}',
                field="change",
            )


def by_id(change: str, called: Mapping[str, str]) -> str:
    """Replace a displayed participant name in a change by its id; ids take precedence.

    >>> by_id("set:Old Rat.grit+1", {"rat": "Old Rat"}), by_id("add:rat", {"rat": "Old Rat"}), by_id("rounds=3", {})
    ('set:rat.grit+1', 'add:rat', 'rounds=3')
    """
    kind, colon, rest = change.partition(":")
    if kind.strip() not in _NAMES_PARTICIPANT:
        return change
    for known in ({who: who for who in called}, {name: who for who, name in called.items()}):
        begun = [name for name in known if _begins(rest, name)]
        if begun:
            longest = max(begun, key=len)
            return f"{kind}{colon}{known[longest]}{rest[len(longest) :]}"
    return change


def _begins(rest: str, name: str) -> bool:
    """True if a text begins with a name as a whole word, regardless of case."""
    begun = rest[: len(name)].casefold() == name.casefold()
    return begun and rest[len(name) : len(name) + 1] in _AFTER_A_NAME


def names_in_job(job: Job) -> dict[str, str]:
    """Display names of a job's participants, by id."""
    scene = ring_of(job.to_text()).header.scene
    return {one.id: scene.display_name(one.id) for one in scene.participants}


def all_by_id(changes: Sequence[str], job: Job) -> list[str]:
    """Changes with participant ids; a comma and a space separate several in one text."""
    called = {side: side for side in job.sides} | names_in_job(job)
    return [", ".join([by_id(one, called) for one in change.split(", ")]) for change in changes]
