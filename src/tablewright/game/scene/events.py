"""Events, the only way to change a scene: small facts with a cause and a visibility for each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from inspect import get_annotations
from string import Formatter
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform

from tablewright.engine.json_values import to_json
from tablewright.engine.request import EVERYONE
from tablewright.errors import TablewrightError
from tablewright.game.scene.visibility import NotVisible, secret, visible

S = TypeVar("S")
E = TypeVar("E", bound="Event")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(visible, secret))
@dataclass(frozen=True, kw_only=True)
class Event:
    """Base class of everything that happens in a scene; every subclass is a frozen dataclass with keyword fields.

    ``cause`` is a rule of the ledger, "ruling" or "table"; ``to`` is the seat that may see it (default: everyone).

    ``mentions`` names the fields that hold participant ids. A viewer who may not know of one of these participants does
    not see the event. The owner of the first one sees the fields that are visible to the owner.

    ``template`` narrates the event in one line, with field names in braces. Text in square brackets is left out if one
    of its fields is empty or hidden from the viewer:

    >>> from tablewright.game.scene.visibility import OWNER
    >>> class Healed(Event):
    ...     template = "{who} is better[: {amount} health]"
    ...     who: str = visible()
    ...     amount: int = visible(OWNER)
    >>> Healed(who="ann", amount=2).narrate(), Healed(who="ann", amount=0).narrate()
    ('ann is better: 2 health', 'ann is better')

    An event that needs more than a template overrides ``narrate``.

    ``kind`` is the name under which logs and saved fights store the event. It defaults to the class name; the class
    statement can set another one. A renamed class keeps reading old records that way:

    >>> class Recovered(Healed, kind="Healed"):
    ...     pass
    >>> Recovered.kind
    'Healed'
    """

    kind: ClassVar[str] = "Event"
    mentions: ClassVar[tuple[str, ...]] = ("who",)
    template: ClassVar[str] = ""
    is_move: ClassVar[bool] = False
    """True if the event moves ``who`` to its field ``position``."""

    cause: str = visible(default="")
    to: str = secret(default=EVERYONE)

    def __init_subclass__(cls, kind: str | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.kind = kind or vars(cls).get("kind", cls.__name__)
        for name in ("kind", "mentions", "template"):
            if not str(get_annotations(cls).get(name, "ClassVar")).startswith(("ClassVar", "typing.ClassVar")):
                raise TypeError(f"{cls.__name__}.{name} belongs to the kind of event and cannot be a field")
        known = {name for kind in cls.__mro__ for name in get_annotations(kind)}
        for name in _named_in(cls.template):
            if name not in known:
                raise TypeError(f'{cls.__name__}.template names "{name}", which is not a field of it')
        dataclass(frozen=True, kw_only=True)(cls)
        cls.__init__ = _initialiser(cls)  # type: ignore[method-assign]

    def participants(self) -> Iterator[str]:
        """Ids of the participants that the event mentions."""
        for name in self.mentions:
            who = getattr(self, name, None)
            if who is not None:
                yield who

    def to_json(self) -> dict[str, Any]:
        """Complete record of the event as JSON, as stored in the log."""
        return {"event": self.kind} | {entry.name: to_json(getattr(self, entry.name)) for entry in fields(self)}

    def narrate(self) -> str:
        """Narrate the event in one line from its ``template``, or list its fields if it has none."""
        if self.template:
            return "".join([_said(part, self) for part in _BRACKETS.split(self.template)])
        parts = [
            f"{entry.name} {to_json(getattr(self, entry.name))}"
            for entry in fields(self)
            if entry.name not in ("cause", "to") and getattr(self, entry.name) not in (None, "", ())
        ]
        return f"{self.kind}: {', '.join(parts)}" if parts else self.kind


def _initialiser(kind: type[Event]) -> Callable[..., None]:
    """Compile an ``__init__`` that writes the fields at once: that of a frozen dataclass takes twice as long."""
    unusual = [entry for entry in fields(kind) if entry.default_factory is not MISSING or not entry.init]
    if unusual or hasattr(kind, "__post_init__"):
        return kind.__init__
    known: dict[str, Any] = {}
    given, lines = [], ["    own = self.__dict__"]
    for entry in fields(kind):
        if entry.default is not MISSING:
            known[f"default_{entry.name}"] = entry.default
        given.append(entry.name if entry.default is MISSING else f"{entry.name}=default_{entry.name}")
        lines.append(f"    own[{entry.name!r}] = {entry.name}")
    exec("\n".join([f"def __init__(self, *, {', '.join(given)}):", *lines]), known)
    initialise: Callable[..., None] = known["__init__"]
    initialise.__qualname__ = f"{kind.__qualname__}.__init__"
    return initialise


_BRACKETS = re.compile(r"(\[[^\[\]]*\])")


def _named_in(words: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(words) if name]


def _said(part: str, event: Event) -> str:
    """Format one part of a template; a bracketed part is empty if one of its fields is empty or hidden."""
    named = _named_in(part)
    if not part.startswith("["):
        return part.format_map({name: _word(getattr(event, name)) for name in named})
    try:
        if not all(getattr(event, name) for name in named):
            return ""
        return part[1:-1].format_map({name: _word(getattr(event, name)) for name in named})
    except NotVisible:
        return ""


def _word(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    plain = to_json(value)
    return ", ".join(map(str, plain)) if isinstance(plain, list) else "nothing" if plain is None else plain


class ParticipantEvent(Event):
    """Base class of an event that happens to one participant, or that one participant causes."""

    who: str = visible()


class Reducer(Generic[S]):
    """Pure functions from a state and an event to the next state, one for each kind of event.

    A system inherits the common functions and adds its own:

    >>> apply: Reducer[int] = Reducer()
    >>> class Healed(Event):
    ...     amount: int = visible()
    >>> @apply.on(Healed)
    ... def healed(health: int, event: Healed) -> int:
    ...     return health + event.amount
    >>> apply(3, Healed(amount=2))
    5
    """

    __slots__ = ("by_kind",)

    def __init__(self, *parents: Reducer[S]) -> None:
        self.by_kind: dict[type[Event], Callable[[S, Any], S]] = {}
        for parent in parents:
            self.by_kind.update(parent.by_kind)

    def on(self, kind: type[E], *, instead: bool = False) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Register the function that applies one kind of event; ``instead`` replaces one inherited from a parent."""

        def declare(function: Callable[[S, E], S]) -> Callable[[S, E], S]:
            if kind in self.by_kind and not instead:
                raise TablewrightError(f"two functions apply {kind.__name__}")
            self.by_kind[kind] = function
            return function

        return declare

    def sets(self, *names: str, **values: Any) -> Callable[[type[E]], type[E]]:
        """Declare an event that sets fields of the status of ``who``, above its class.

        ``names`` are fields that have the same name in the event. ``values`` are fixed values, or functions of the
        status and the event: ``@happens.sets("stance", turned=False, luck=lambda status, event: status.luck - 1)``.
        """
        fixed = {name: value for name, value in values.items() if not callable(value)}
        functions = {name: value for name, value in values.items() if callable(value)}

        def apply(scene: Any, event: Any) -> Any:
            changes = fixed | {name: getattr(event, name) for name in names}
            if functions:
                status = scene[event.who].status
                changes |= {name: value(status, event) for name, value in functions.items()}
            return scene.with_status(event.who, **changes)

        def declare(kind: type[E]) -> type[E]:
            self.on(kind)(apply)
            return kind

        return declare

    def by(self, function: Callable[[S, Any], S]) -> Callable[[type[E]], type[E]]:
        """Declare an event with the function that applies it, above its class; see also :func:`unchanged`."""

        def declare(kind: type[E]) -> type[E]:
            self.on(kind)(function)
            return kind

        return declare

    def after(self, kind: type[E]) -> Callable[[Callable[[S, E], S]], Callable[[S, E], S]]:
        """Register a second function for an event; it gets the state that the first function returned.

        >>> common: Reducer[int] = Reducer()
        >>> class Rested(Event):
        ...     pass
        >>> @common.on(Rested)
        ... def rested(health: int, event: Rested) -> int:
        ...     return health + 1
        >>> apply = Reducer(common)
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
        """Kinds of events that can be applied, by name."""
        return {kind.kind: kind for kind in self.by_kind}


def unchanged(state: S, event: Event) -> S:
    """The same state: the event is only told."""
    return state
