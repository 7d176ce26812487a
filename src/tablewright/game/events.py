"""Events: the only way a state changes. Each is a small fact with its cause, and says field by field who may see it.

What an event, a status or any other value shows is declared where the field is: ``shown()`` to everyone,
``shown(OWNER)`` to the seat that owns the participant concerned; a field without it is the game master's alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from inspect import get_annotations
from string import Formatter
from typing import Any, ClassVar, Generic, TypeVar

from tablewright.engine.asks import EVERYONE
from tablewright.engine.values import to_json
from tablewright.errors import TablewrightError

S = TypeVar("S")
E = TypeVar("E", bound="Event")

GAME_MASTER = "game master"
"""The seat that sees everything."""


class Sight(Enum):
    """Who may see a field."""

    EVERYONE = "everyone"
    OWNER = "owner"
    GAME_MASTER = "game master"


OWNER = Sight.OWNER
_SIGHT = "tablewright.sight"
_TOLD = "tablewright.told"


def shown(to: Sight = Sight.EVERYONE, *, default: Any = MISSING, told: bool | str = True) -> Any:
    """Declare a field of a dataclass as visible: to everyone, or to the owner (and always to the game master).

    What is not ``told`` may be looked up, but is left out where a status is told on one line: bookkeeping. A string is
    what is told of somebody of whom it is usually so, and is not now ("in a bad spot" and not "not in control").
    """
    return field(default=default, metadata={_SIGHT: to, _TOLD: told})


def secret(*, default: Any = MISSING) -> Any:
    """Declare a field of a dataclass as the game master's alone: the same as saying nothing, said on purpose."""
    return field(default=default, metadata={_SIGHT: Sight.GAME_MASTER})


def bookkeeping(kind: type[Any]) -> frozenset[str]:
    """The fields of a dataclass that are not told where it is told on one line."""
    return frozenset([entry.name for entry in fields(kind) if not entry.metadata.get(_TOLD, True)])


def told_if_not(kind: type[Any]) -> dict[str, str]:
    """What is told where a field that usually is so is not, by its name, for fields that have words for it."""
    return {entry.name: words for entry in fields(kind) if isinstance(words := entry.metadata.get(_TOLD), str)}


def undeclared(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass that do not say who may see them."""
    return tuple([entry.name for entry in fields(kind) if _SIGHT not in entry.metadata])


def sights(kind: type[Any]) -> tuple[tuple[str, Sight], ...]:
    """Every field of a dataclass with who may see it; an undeclared field is the game master's."""
    return tuple([(entry.name, entry.metadata.get(_SIGHT, Sight.GAME_MASTER)) for entry in fields(kind)])


def hidden_numbers(value: Any) -> tuple[str, ...]:
    """The fields of a dataclass that hold whole numbers which not everybody may see."""
    return tuple(
        [
            name
            for name, sight in sights(type(value))
            if sight is not Sight.EVERYONE and type(getattr(value, name)) is int
        ]
    )


def visible(value: Any, *, owned: bool, all_seeing: bool) -> dict[str, Any]:
    """The fields of a dataclass that a viewer may see, as JSON."""
    seen: dict[str, Any] = {}
    for name, sight in sights(type(value)):
        if all_seeing or sight is Sight.EVERYONE or (owned and sight is OWNER):
            seen[name] = to_json(getattr(value, name))
    return seen


class Unseen(AttributeError):
    """Somebody wanted to say what a viewer may not see."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened. ``cause`` is a rule of the ledger, "ruling" or "table", and ``to`` who hears of it.

    ``about`` names the fields that hold participants: a viewer who may not know of one of them does not hear of the
    event. The first of them is the one whose owner sees the owner's fields.

    ``words`` say it in one line, with fields in braces. What stands in square brackets is left out where it would name
    something empty, or something that the viewer may not see:

    >>> @dataclass(frozen=True, kw_only=True)
    ... class Healed(Event):
    ...     words = "{who} is better[: {amount} health]"
    ...     who: str = shown()
    ...     amount: int = shown(OWNER)
    >>> Healed(who="ann", amount=2).in_words(), Healed(who="ann", amount=0).in_words()
    ('ann is better: 2 health', 'ann is better')

    What takes more than that is said by an ``in_words`` of its own.
    """

    about: ClassVar[tuple[str, ...]] = ("who",)
    words: ClassVar[str] = ""

    cause: str = shown(default="")
    to: str = secret(default=EVERYONE)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for name in ("about", "words"):
            if not str(get_annotations(cls).get(name, "ClassVar")).startswith(("ClassVar", "typing.ClassVar")):
                raise TypeError(f"{cls.__name__}.{name} is said of the kind of event and cannot be a field")
        known = {name for kind in cls.__mro__ for name in get_annotations(kind)}
        for name in _named_in(cls.words):
            if name not in known:
                raise TypeError(f'{cls.__name__}.words name "{name}", which is no field of it')

    @property
    def kind(self) -> str:
        """The name of the kind of event."""
        return type(self).__name__

    def participants(self) -> Iterator[str]:
        """The participants it is about."""
        for name in self.about:
            who = getattr(self, name, None)
            if who is not None:
                yield who

    def to_json(self) -> dict[str, Any]:
        """The whole fact as JSON, as it stands in the log."""
        return {"event": self.kind} | {entry.name: to_json(getattr(self, entry.name)) for entry in fields(self)}

    def in_words(self) -> str:
        """The fact in one line: as its ``words`` say it, or all its fields one after the other."""
        if self.words:
            return "".join([_said(part, self) for part in _BRACKETS.split(self.words)])
        parts = [
            f"{entry.name} {to_json(getattr(self, entry.name))}"
            for entry in fields(self)
            if entry.name not in ("cause", "to") and getattr(self, entry.name) not in (None, "", ())
        ]
        return f"{self.kind}: {', '.join(parts)}" if parts else self.kind


_BRACKETS = re.compile(r"(\[[^\[\]]*\])")


def _named_in(words: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(words) if name]


def _said(part: str, event: Event) -> str:
    """One part of the words of an event: what is in brackets only where it has something to say."""
    named = _named_in(part)
    if not part.startswith("["):
        return part.format_map({name: _word(getattr(event, name)) for name in named})
    try:
        if not all(getattr(event, name) for name in named):
            return ""
        return part[1:-1].format_map({name: _word(getattr(event, name)) for name in named})
    except Unseen:
        return ""


def _word(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    plain = to_json(value)
    return ", ".join(map(str, plain)) if isinstance(plain, list) else "nothing" if plain is None else plain


class Apply(Generic[S]):
    """Pure functions from a state and an event to the next state, one for each kind of event.

    A system takes the common ones and adds its own:

    >>> apply: Apply[int] = Apply()
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Healed(Event):
    ...     amount: int = shown()
    >>> @apply.on(Healed)
    ... def healed(health: int, event: Healed) -> int:
    ...     return health + event.amount
    >>> apply(3, Healed(amount=2))
    5
    """

    __slots__ = ("by_kind",)

    def __init__(self, *parents: Apply[S]) -> None:
        self.by_kind: dict[type[Event], Callable[[S, Any], S]] = {}
        for parent in parents:
            self.by_kind.update(parent.by_kind)

    def on(self, kind: type[E], *, instead: bool = False) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Declare the function that applies one kind of event; ``instead`` of one that was taken over from a parent."""

        def declare(function: Callable[[S, E], S]) -> Callable[[S, E], S]:
            if kind in self.by_kind and not instead:
                raise TablewrightError(f"two functions apply {kind.__name__}")
            self.by_kind[kind] = function
            return function

        return declare

    def after(self, kind: type[E]) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Declare what else an event does that is applied already: it gets what the function before it has made.

        >>> common: Apply[int] = Apply()
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Rested(Event):
        ...     pass
        >>> @common.on(Rested)
        ... def rested(health: int, event: Rested) -> int:
        ...     return health + 1
        >>> apply = Apply(common)
        >>> @apply.after(Rested)
        ... def slept_well(health: int, event: Rested) -> int:
        ...     return health * 2
        >>> apply(3, Rested()), common(3, Rested())
        (8, 4)
        """

        def declare(function: Callable[[S, E], S]) -> Callable[[S, E], S]:
            first = self.by_kind.get(kind)
            if first is None:
                raise TablewrightError(f"nothing applies {kind.__name__} yet, so nothing can come after it")
            self.by_kind[kind] = lambda state, event: function(first(state, event), event)
            return function

        return declare

    def __call__(self, state: S, event: Event) -> S:
        try:
            function = self.by_kind[type(event)]
        except KeyError:
            raise TablewrightError(f"nothing applies the event {event.kind}") from None
        return function(state, event)

    @property
    def kinds(self) -> Mapping[str, type[Event]]:
        """Every kind of event that can be applied, by name."""
        return {kind.__name__: kind for kind in self.by_kind}
