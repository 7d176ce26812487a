"""Scenes that note what is read of them.

A recording scene is a scene: the real functions of a system run on it. Its fields are empty; when one is read, whoever
records is told and gives the value. What an event changes is written into the next recording scene as it is. So what
was read and what was written can be told apart for every field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

from tablewright.game import scene as scenes
from tablewright.lab.batch.layout import WHETHER, ChangedShape, Layout, Path, parts_of

_read_slot = object.__getattribute__
_EMPTY: Any = object()

READER: list[Any] = []
"""Who is told what is read, the innermost last."""


class ForeignRead(Exception):
    """Something was read that belongs to the function around this one: what this one gives is not its own."""


class Unread:
    """Stands in a tuple for what has not been read yet."""

    __slots__ = ("atom", "epoch", "frame")

    def __init__(self, atom: int, epoch: int, frame: Any) -> None:
        self.atom = atom
        self.epoch = epoch
        self.frame = frame

    def read(self) -> Any:
        """The value; whoever reads what belongs to another is told so."""
        frame = READER[-1]
        if frame is not self.frame:
            raise ForeignRead
        return frame.read(self.atom, self.epoch)


class Field(NamedTuple):
    """Where a field is: its atom, or the first atom of the record in it, of which class, and whether it may lack."""

    atom: int
    record: type | None = None
    may_lack: bool = False


_views: dict[type, type] = {}


def view_of(kind: type, *, derived: bool = False) -> type:
    """The recording class of a record, a status, a participant or a scene."""
    known = _views.get(kind)
    if known is None:
        named = issubclass(kind, tuple)
        known = _views[kind] = _named_view(kind) if named else _slotted_view(kind, derived)
    return known


def is_view(value: Any) -> bool:
    """Whether a value is a recording one."""
    return getattr(type(value), "recorded_from", None) is not None


def _slotted_view(kind: type, derived: bool) -> type:
    names = [entry.name for entry in fields(kind)]
    own = frozenset(names)
    asked: frozenset[str] = frozenset()
    if derived:
        asked = frozenset(
            [
                name
                for name, member in vars(kind).items()
                if not name.startswith("__") and name not in own and (isinstance(member, property) or callable(member))
            ]
        )

    def getattribute(self: Any, name: str) -> Any:
        if name in own:
            try:
                return _read_slot(self, name)
            except AttributeError:
                frame = READER[-1]
                if frame is not _read_slot(self, "_frame"):
                    raise ForeignRead from None
                return read_field(frame, self, _read_slot(self, "_at")[name])
        if name == "__class__":
            return kind
        if name in asked:
            return READER[-1].derive(self, name)
        return _read_slot(self, name)

    hidden = ("_frame", "_at", "_epoch", "_records")
    view = type(f"Recorded{kind.__name__}", (kind,), {"__slots__": hidden, "__getattribute__": getattribute})
    slots = {name: getattr(view, name) for name in (*names, *hidden)}

    def raw(value: Any) -> tuple[Any, ...]:
        found = []
        for name in slots:
            try:
                found.append(_read_slot(value, name))
            except AttributeError:
                found.append(_EMPTY)
        return tuple(found)

    def setter(slot: Any) -> Callable[[Any, Any], None]:
        put = slot.__set__

        def write(new: Any, now: Any) -> None:
            if now is not _EMPTY:
                put(new, now)

        return write

    scenes.copied_by(view, raw, {name: setter(slot) for name, slot in slots.items()})
    view.recorded_from = kind  # type: ignore[attr-defined]
    return view


def read_field(frame: Any, view: Any, field: Field) -> Any:
    """The value of a field that is read."""
    epoch = _read_slot(view, "_epoch")
    if field.record is None:
        return frame.read(field.atom, epoch)
    if field.may_lack and not frame.read(field.atom, epoch):
        return None
    records = _read_slot(view, "_records")
    known = records.get(field.atom)
    if known is None:
        known = records[field.atom] = empty_record(frame, field, epoch)
    return known


def empty_record(frame: Any, field: Field, epoch: int) -> Any:
    """A record of which nothing is read yet."""
    kind = field.record
    assert kind is not None
    view = view_of(kind)
    names = parts_of(kind)
    if issubclass(kind, tuple):
        return tuple.__new__(view, [Unread(field.atom + 1 + at, epoch, frame) for at in range(len(names))])
    return empty(view, frame, {name: Field(field.atom + 1 + at) for at, name in enumerate(names)}, epoch)


def empty(view: type, frame: Any, at: dict[str, Field], epoch: int) -> Any:
    """A view of which nothing is read yet."""
    made: Any = object.__new__(view)
    put = object.__setattr__
    put(made, "_frame", frame)
    put(made, "_at", at)
    put(made, "_epoch", epoch)
    put(made, "_records", {})
    return made


def _named_view(kind: Any) -> type:
    item = tuple.__getitem__

    def at(position: int) -> property:
        def read(self: Any) -> Any:
            value = item(self, position)
            return value.read() if type(value) is Unread else value

        return property(read)

    def replaced(self: Any, **changes: Any) -> Any:
        inside = [changes.pop(name, item(self, at)) for at, name in enumerate(kind._fields)]
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return tuple.__new__(view, inside)

    members: dict[str, Any] = {name: at(position) for position, name in enumerate(kind._fields)}
    members |= {
        "__slots__": (),
        "recorded_from": kind,
        "__class__": property(lambda self: kind),
        "_replace": replaced,
        "__iter__": lambda self: iter(tuple(plain(self))),
        "__getitem__": lambda self, key: plain(self)[key],
        "__eq__": lambda self, other: plain(self) == plain(other),
        "__ne__": lambda self, other: plain(self) != plain(other),
        "__lt__": lambda self, other: plain(self) < plain(other),
        "__le__": lambda self, other: plain(self) <= plain(other),
        "__gt__": lambda self, other: plain(self) > plain(other),
        "__ge__": lambda self, other: plain(self) >= plain(other),
        "__hash__": lambda self: hash(plain(self)),
        "__repr__": lambda self: repr(plain(self)),
        "__contains__": lambda self, value: value in plain(self),
        "__add__": lambda self, other: tuple(plain(self)) + other,
        "__reduce__": lambda self: (kind, tuple(plain(self))),
        "_asdict": lambda self: plain(self)._asdict(),
        "count": lambda self, value: plain(self).count(value),
        "index": lambda self, *given: plain(self).index(*given),
    }
    view: Any = type(f"Recorded{kind.__name__}", (kind,), members)
    return view  # type: ignore[no-any-return]


def plain(value: Any) -> Any:
    """A value without any recording in it: everything in it is read."""
    kind = type(value)
    if kind is Unread:
        return value.read()
    base = getattr(kind, "recorded_from", None)
    if base is not None:
        if issubclass(base, tuple):
            return base(*[plain(tuple.__getitem__(value, at)) for at in range(len(base._fields))])
        return base(**{entry.name: plain(getattr(value, entry.name)) for entry in fields(base)})
    if isinstance(value, tuple) and any(is_view(one) for one in value):
        found = [plain(one) for one in value]
        return kind(*found) if hasattr(kind, "_fields") else tuple(found)
    return value


class Views:
    """Makes recording scenes for a layout, and finds what was written into one."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        view_of(layout.status_kind, derived=True)
        self._scene_at = self._fields(-1, False, layout.scene_fields)
        self._own_at = [self._fields(who, False, layout.own_fields) for who in range(layout.people)]
        self._status_at = [self._fields(who, True, layout.status_fields) for who in range(layout.people)]
        old = layout.scene
        fixed = [entry.name for entry in fields(old) if entry.name not in layout.scene_fields]
        self._fixed = [(name, getattr(old, name)) for name in fixed if name != "participants"]

    def _fields(self, who: int, of_status: bool, names: list[str]) -> dict[str, Field]:
        found: dict[str, Field] = {}
        for name in names:
            record = self.layout.record(who, of_status, name)
            if record is None:
                found[name] = Field(self.layout.number[Path(who, of_status, name, "")])
            else:
                found[name] = Field(self.layout.number[Path(who, of_status, name, WHETHER)], *record)
        return found

    def person(self, who: int, epoch: int, frame: Any) -> tuple[Any, Any]:
        """A participant of whom nothing is read yet, and its status."""
        old = self.layout.scene.participants[who]
        status = empty(view_of(self.layout.status_kind), frame, self._status_at[who], epoch)
        one = empty(view_of(scenes.Participant), frame, self._own_at[who], epoch)
        put = object.__setattr__
        put(one, "id", old.id)
        put(one, "name", old.name)
        put(one, "side", old.side)
        put(one, "seat", old.seat)
        put(one, "status", status)
        return one, status

    def scene(self, people: tuple[Any, ...], epoch: int, frame: Any) -> Any:
        """A scene of which nothing is read yet but who is in it."""
        made = empty(view_of(scenes.Scene), frame, self._scene_at, epoch)
        put = object.__setattr__
        for name, value in self._fixed:
            put(made, name, value)
        put(made, "participants", people)
        return made

    # ------------------------------------------------------------------ what was written

    def written(self, before: Any, after: Any) -> dict[int, Any]:
        """The atoms that an event has changed, with their new values."""
        found: dict[int, Any] = {}
        if after is before:
            return found
        self._fields_written(found, self._scene_at, after)
        old, new = before.participants, after.participants
        if new is not old:
            if len(old) != len(new):
                raise ChangedShape("somebody has come")
            for who, (one, other) in enumerate(zip(old, new, strict=True)):
                if other is one:
                    continue
                if (other.id, other.name, other.side, other.seat) != (one.id, one.name, one.side, one.seat):
                    raise ChangedShape("somebody is somebody else")
                self._fields_written(found, self._own_at[who], other)
                if other.status is not one.status:
                    self._fields_written(found, self._status_at[who], other.status)
        return found

    def _fields_written(self, found: dict[int, Any], at: dict[str, Field], after: Any) -> None:
        seen = is_view(after)
        moved = seen and _read_slot(after, "_at") is not at
        for name, field in at.items():
            if seen and not moved:
                try:
                    value = _read_slot(after, name)
                except AttributeError:
                    continue
            else:
                value = getattr(after, name)
                if field.record is None and READER[-1].has_read(field.atom) is value:
                    continue
            self._written(found, field, value)

    @staticmethod
    def _written(found: dict[int, Any], field: Field, value: Any) -> None:
        kind = field.record
        if kind is None:
            found[field.atom] = plain(value)
            return
        names = parts_of(kind)
        first = field.atom
        if value is None:
            found[first] = False
            found |= dict.fromkeys(range(first + 1, first + 1 + len(names)))
            return
        base = getattr(type(value), "recorded_from", type(value))
        if base is not kind:
            raise ChangedShape(f"a {kind.__name__} became a {base.__name__}")
        if field.may_lack:
            found[first] = True
        if issubclass(kind, tuple):
            for at in range(len(names)):
                now = tuple.__getitem__(value, at)
                if type(now) is not Unread or now.atom != first + 1 + at:
                    found[first + 1 + at] = plain(now)
            return
        own = is_view(value) and next(iter(_read_slot(value, "_at").values())).atom == first + 1
        for at, name in enumerate(names):
            if own:
                try:
                    found[first + 1 + at] = plain(_read_slot(value, name))
                except AttributeError:
                    continue
            else:
                found[first + 1 + at] = plain(getattr(value, name))
