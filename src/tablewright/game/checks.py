"""Checks from a character and a situation: every modifier by name, the tally and the odds before anything is rolled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tablewright.engine import Call, Parameter, Seat, Tally
from tablewright.engine.parameters import bind, read_arguments
from tablewright.errors import BadInput, nearest

if TYPE_CHECKING:
    from tablewright.game.scene import Live, Scene

Then: TypeAlias = "Callable[[Live, str, Any], Awaitable[None]]"
"""What follows from a check: gets the game, who rolled and the result, and emits events."""
Own: TypeAlias = "Callable[[Subject, str], Iterable[str] | None]"
"""What somebody has that a word of a situation may name, for a check by its id; None where any name will do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A check ready to be rolled: the call of the mechanic, where its numbers come from, and what it costs.

    ``hide`` names arguments that only the game master may know, ``private`` those that only one of the two seats may
    know (the points that somebody has left). ``secretly`` is made instead of ``call`` where the difficulty stays secret
    and ``call`` would give it away, by needing no roll. ``then`` pays for what was spent on the check, before it is
    told. ``each`` says what came of a contest for the one and for the other, in words. ``hint`` is something that the
    game master should know before it is rolled: it may give the difficulty away.
    """

    call: Call[Any]
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    private: Mapping[str, Seat] = field(default_factory=dict)
    then: Then | None = None
    each: Callable[[Any], tuple[str, str]] | None = None
    secretly: Call[Any] | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who makes a check: the character; where a scene is under way also the status, the scene and its id there."""

    character: Any
    options: Any
    library: Any
    status: Any = None
    scene: Scene | None = None
    who: str = ""

    def with_rulings(self, tally: Tally, what: str) -> Tally:
        """A tally with whatever the game master added to it."""
        return tally if self.scene is None else self.scene.with_rulings(tally, what, self.who)


class Contender(NamedTuple):
    """One of the two in a contest: who, with which check, in which situation."""

    subject: Subject
    what: str
    situation: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """A kind of check people ask for by name (a skill, a save), with the words a situation can be told in.

    ``situation`` are typed parameters: every modifier of the book that can apply is reachable by one of them.
    ``hidden`` names those of them (a difficulty) that the game master may keep secret; ``hides`` names the arguments of
    the mechanic that would give them away, where these are not called the same. ``against`` plans the check as a
    contest of two, each with a check of its own; a check without it cannot be opposed. ``either`` names words of which
    one alone may be told, as each of them says how hard it is. ``own`` holds the words that name something one has,
    such as a specialization: another name would count for nothing, and is refused.
    """

    id: str
    title: str
    situation: tuple[Parameter, ...]
    plan: Callable[..., Plan]
    rules: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    against: Callable[[Contender, Contender], Plan] | None = None
    hides: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    own: Mapping[str, Own] = field(default_factory=dict)

    def read(self, subject: Subject, given: Mapping[str, object]) -> Plan:
        """The plan for a situation told in text or JSON."""
        return self.plan(subject, **self._named(subject, given))

    def contender(self, subject: Subject, given: Mapping[str, object]) -> Contender:
        """Somebody who makes this check against another's."""
        return Contender(subject, self.id, self._named(subject, given))

    def _named(self, subject: Subject, given: Mapping[str, object]) -> dict[str, Any]:
        values = bind(self.id, self.situation, (), read_arguments(self.id, self.situation, given))
        named = dict(zip([parameter.name for parameter in self.situation], values, strict=True))
        told = [name for name in self.either if given.get(name) is not None]
        if len(told) > 1:
            raise BadInput(f"{self.id}: {' and '.join(told)} each say how hard it is; tell one of them", field=told[1])
        for word, own in self.own.items():
            if named[word]:
                _demand_own(subject, word, named[word], own(subject, str(named.get("name", self.id))))
        return named


def _demand_own(subject: Subject, word: str, name: str, known: Iterable[str] | None) -> None:
    """Refuse a name that stands for nothing somebody has: it would count for nothing, and nobody would notice."""
    theirs = [] if known is None else sorted({one for one in known if one})
    if known is None or name.strip().casefold() in [one.casefold() for one in theirs]:
        return
    has = f"known are {', '.join(theirs)}" if theirs else "there is none"
    message = f'{word}: "{name:.40}" counts for nothing with {subject.character.name}; {has}{nearest(name, theirs)}'
    raise BadInput(message, field=word)
