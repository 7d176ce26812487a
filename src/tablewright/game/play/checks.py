"""Checks from a character and a situation, with every modifier by name and the tally known before the roll."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tablewright.engine import Call, Parameter, Role, Tally
from tablewright.engine.parameters import Signature, bind, read_arguments
from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from tablewright.game.scene.game import Game
    from tablewright.game.scene.scene import Scene

Then: TypeAlias = "Callable[[Game, str, Any], Awaitable[None]]"
"""Follow-up of a check: takes the game, the roller's id and the result, and emits events."""
Own: TypeAlias = "Callable[[Subject, str], Iterable[str] | None]"
"""Function that lists the names a subject may use for a word of a situation; None if any name is allowed."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """A check ready to be rolled: the call of the mechanic, the tallies of its arguments, and its follow-up.

    ``hide`` names arguments that only the game master may know; ``private`` names those that only one of the two roles
    may know, such as remaining points. ``secretly`` replaces ``call`` where the difficulty is secret and ``call`` would
    reveal it by needing no roll. ``then`` pays for what was spent on the check, before the result is announced.
    ``each`` describes the result of a contest for either side in words. ``hint`` is advice to the game master before
    the roll; it may reveal the difficulty.
    """

    call: Call[Any]
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    private: Mapping[str, Role] = field(default_factory=dict)
    then: Then | None = None
    each: Callable[[Any], tuple[str, str]] | None = None
    secretly: Call[Any] | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The maker of a check: the character and, in a running scene, also its status, the scene and its id there."""

    character: Any
    options: Any
    library: Any
    status: Any = None
    scene: Scene | None = None
    who: str = ""

    def with_rulings(self, tally: Tally, what: str) -> Tally:
        """Add the game master's modifiers for ``what`` to a tally; outside a scene there are none."""
        return tally if self.scene is None else self.scene.apply_rulings(tally, what, self.who)


class Contender(NamedTuple):
    """One side of a contest: subject, check id and situation."""

    subject: Subject
    what: str
    situation: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """A check that can be requested by name (a skill, a save), with the parameters of its situation.

    ``situation`` holds typed parameters; each modifier of the book that can apply is reachable by one of them.
    ``hidden`` names those that the game master may keep secret, such as a difficulty. ``hides`` names the mechanic's
    arguments that would reveal them, where the names differ. ``against`` plans the check as a contest of two, each with
    a check of its own; a check without it cannot be opposed. ``either`` names parameters that exclude each other, as
    each of them sets the difficulty. ``own`` maps parameters to the names that the subject has, such as
    specializations; other names are refused. ``aliases`` are other names of the check.
    """

    id: str
    title: str
    situation: tuple[Parameter, ...]
    plan: Callable[..., CheckPlan]
    rules: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    against: Callable[[Contender, Contender], CheckPlan] | None = None
    hides: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    own: Mapping[str, Own] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    def read(self, subject: Subject, given: Mapping[str, object]) -> CheckPlan:
        """Plan the check for a situation given as text or JSON."""
        return self.plan(subject, **self._named(subject, given))

    def contender(self, subject: Subject, given: Mapping[str, object]) -> Contender:
        """One side of a contest that makes this check."""
        return Contender(subject, self.id, self._named(subject, given))

    def _named(self, subject: Subject, given: Mapping[str, object]) -> dict[str, Any]:
        taken = Signature(self.situation)
        values = bind(self.id, taken, (), read_arguments(self.id, taken, given))
        named = dict(zip([parameter.name for parameter in self.situation], values, strict=True))
        told = [name for name in self.either if given.get(name) is not None]
        if len(told) > 1:
            raise InvalidInputError(
                f"{self.id}: {' and '.join(told)} each say how hard it is; tell one of them", field=told[1]
            )
        for word, own in self.own.items():
            if named[word]:
                _demand_own(subject, word, named[word], own(subject, str(named.get("name", self.id))))
        return named


def _demand_own(subject: Subject, word: str, name: str, known: Iterable[str] | None) -> None:
    """Refuse a name that the subject does not have; it would otherwise be ignored without notice."""
    theirs = [] if known is None else sorted({one for one in known if one})
    if known is None or name.strip().casefold() in [one.casefold() for one in theirs]:
        return
    has = f"known are {', '.join(theirs)}" if theirs else "there is none"
    message = (
        f'{word}: "{name:.40}" counts for nothing with {subject.character.name}; {has}{did_you_mean(name, theirs)}'
    )
    raise InvalidInputError(message, field=word)


_MOST_NAMED = 12
"""Upper bound for checks listed in an error."""


def find_check(name: str, checks: Iterable[Check], more: str = "") -> Check:
    """Find a check by id, or by title if only one has it, regardless of case; ``more`` ends the list in an error."""
    known, wanted = list(checks), _folded(name)
    by_id = [one for one in known if _folded(one.id) == wanted]
    for found in (
        [one for one in known if one.id == name],
        by_id,
        [one for one in known if _folded(one.title) == wanted],
        [one for one in known if wanted in map(_folded, one.aliases)],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidInputError(
                f'several checks are called "{name:.40}"; say which: {", ".join([one.id for one in found])}'
            )
    names = [word for one in known for word in dict.fromkeys([one.id, one.title])]
    raise InvalidInputError(
        f'there is no check "{name:.40}"; there are {some_checks(known)}{more}{did_you_mean(name, names)}'
    )


def some_checks(checks: Sequence[Check]) -> str:
    """Ids of the first checks, and the number of further ones."""
    named = ", ".join([check.id for check in checks[:_MOST_NAMED]])
    return f"{named} and {len(checks) - _MOST_NAMED} more" if len(checks) > _MOST_NAMED else named


def _folded(name: str) -> str:
    """A name folded for comparison: lower case, spaces for underscores."""
    return " ".join(name.casefold().replace("_", " ").split())
