"""What a change may name: people as they are shown, and names under which something is tallied in the fight."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tablewright.errors import BadInput, TablewrightError, nearest
from tablewright.game.registry import load_system

if TYPE_CHECKING:
    from tablewright.lab.jobs import Job

MOST_TRIED = 8
"""How many fights are fought before a name counts as one that nothing is tallied under; most are heard in the first."""
_MOST_NAMED = 40
_ABOUT_SOMEBODY = ("policy", "add", "remove", "set", "modify")
_AFTER_A_NAME = ("", ".", "=")
_RANDOM = "random"


class Listening(str):
    """A name that is equal to no other, and remembers all that it was compared with.

    A modifier of this name does nothing, and whatever a fight looks for among the modifiers is heard.

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
    """The names under which something was tallied in some fights of a job, sorted.

    They are fought as they are and with everybody doing whatever comes to mind, until all that is wanted was heard of.
    """
    name = Listening("?")
    plain: dict[str, Any] = dict(job.scenario)
    plain["participants"] = [dict(given) | {"policy": _RANDOM} for given in plain["participants"]]
    jobs = [replace(job, modifiers=((name, 0, None),)), replace(job, scenario=plain, modifiers=((name, 0, None),))]
    rings = [one.ring() for one in jobs]
    for number in range(MOST_TRIED):
        with suppress(TablewrightError):  # a fight that cannot be fought is refused when it is fought
            rings[number % len(rings)].play(number)
        if name.heard.keys() >= set(wanted):
            break
    return sorted(name.heard)


def demand_tallied(job: Job) -> None:
    """Refuse a number that is added to what nothing is tallied under: it would do nothing, and nobody would notice.

    What is tallied in checks outside of fights is let through; that it does nothing here is told with the figures.
    """
    checks = [check.id for check in load_system(job.system).book.checks]
    wanted = [what for what, _, _ in job.modifiers if what not in checks]
    if not wanted:
        return
    known = tallied_in(job, wanted)
    for what in wanted:
        if what not in known:
            shown = known[:_MOST_NAMED]
            more = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
            close = nearest(what, [*known, *checks])
            raise BadInput(
                f'modify: nothing here is tallied under "{what:.40}"; there are: {", ".join(shown)}{more}{close}',
                field="change",
            )


def by_id(change: str, called: Mapping[str, str]) -> str:
    """A change with the id of whoever it is about, where it names them as they are shown; ids come first.

    >>> by_id("set:Old Rat.grit+1", {"rat": "Old Rat"}), by_id("add:rat", {"rat": "Old Rat"}), by_id("rounds=3", {})
    ('set:rat.grit+1', 'add:rat', 'rounds=3')
    """
    kind, colon, rest = change.partition(":")
    if kind.strip() not in _ABOUT_SOMEBODY:
        return change
    for known in ({who: who for who in called}, {name: who for who, name in called.items()}):
        begun = [name for name in known if _begins(rest, name)]
        if begun:
            longest = max(begun, key=len)
            return f"{kind}{colon}{known[longest]}{rest[len(longest) :]}"
    return change


def _begins(rest: str, name: str) -> bool:
    """Whether something begins with a name, in whatever case, and not with a longer word."""
    begun = rest[: len(name)].casefold() == name.casefold()
    return begun and rest[len(name) : len(name) + 1] in _AFTER_A_NAME


def names_in_job(job: Job) -> dict[str, str]:
    """What everybody in a job is called, by id: as in the telling of a fight."""
    from tablewright.lab.jobs import ring_of  # noqa: PLC0415

    scene = ring_of(job.to_text()).header.scene
    return {one.id: scene.called(one.id) for one in scene.participants}


def all_by_id(changes: Sequence[str], job: Job) -> list[str]:
    """Changes with everybody by id; several in one word have a comma and a space between them."""
    called = {side: side for side in job.sides} | names_in_job(job)
    return [", ".join([by_id(one, called) for one in change.split(", ")]) for change in changes]
