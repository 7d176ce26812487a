"""Events: the only way a state changes. Each is a small fact with its cause, and says field by field who may see it.

What an event, a status or any other value shows is declared where the field is: ``shown()`` to everyone,
``shown(OWNER)`` to the seat that owns the participant concerned; a field without it is the game master's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
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


def shown(to: Sight = Sight.EVERYONE, *, default: Any = MISSING) -> Any:
    """Declare a field of a dataclass as visible: to everyone, or to the owner (and always to the game master)."""
    return field(default=default, metadata={_SIGHT: to})


def secret(*, default: Any = MISSING) -> Any:
    """Declare a field of a dataclass as the game master's alone: the same as saying nothing, said on purpose."""
    return field(default=default, metadata={_SIGHT: Sight.GAME_MASTER})


def undeclared(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass that do not say who may see them."""
    return tuple([entry.name for entry in fields(kind) if _SIGHT not in entry.metadata])


def sights(kind: type[Any]) -> tuple[tuple[str, Sight], ...]:
    """Every field of a dataclass with who may see it; an undeclared field is the game master's."""
    return tuple([(entry.name, entry.metadata.get(_SIGHT, Sight.GAME_MASTER)) for entry in fields(kind)])


def visible(value: Any, *, owned: bool, all_seeing: bool) -> dict[str, Any]:
    """The fields of a dataclass that a viewer may see, as JSON."""
    seen: dict[str, Any] = {}
    for name, sight in sights(type(value)):
        if all_seeing or sight is Sight.EVERYONE or (owned and sight is OWNER):
            seen[name] = to_json(getattr(value, name))
    return seen


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened. ``cause`` is the rule, action or ruling that brought it about, ``to`` who hears of it.

    ``about`` names the fields that hold participants: a viewer who may not know of one of them does not hear of the
    event. The first of them is the one whose owner sees the owner's fields.
    """

    about: ClassVar[tuple[str, ...]] = ("who",)

    cause: str = shown(default="")
    to: str = secret(default=EVERYONE)

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
        """The fact in one line; systems say it better."""
        parts = [
            f"{entry.name} {to_json(getattr(self, entry.name))}"
            for entry in fields(self)
            if entry.name not in ("cause", "to") and getattr(self, entry.name) not in (None, "", ())
        ]
        return f"{self.kind}: {', '.join(parts)}" if parts else self.kind


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
