"""Scenes that note what is read of them.

A recording scene is a scene: the real functions of a system run on it. Its fields hold a mark for "not read yet"; when
one is read, the recorder is told and gives the value. What an event changes is written into the next recording scene as
it is, so that what was read and what was written can be told apart for every field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Protocol

from tablewright.game import scene as scenes
from tablewright.lab.batch.layout import WHETHER, ChangedShape, Layout, Path, parts_of

_read_slot = object.__getattribute__


class Reader(Protocol):
    """Whoever is told what is read."""

    def read(self, mark: Unread) -> Any:
        """The value of something that has not been read yet."""

    def derive(self, view: Any, name: str) -> Any:
        """What a property or method of a status gives."""


class ForeignRead(Exception):
    """Something was read that belongs to the function around this one: what this one gives is not its own."""


class Unread:
    """Stands in a field that has not been read yet. Once it has been, it knows the value."""

    __slots__ = ("atom", "epoch", "known", "reader", "value")

    def __init__(self, atom: int, epoch: int, reader: Reader) -> None:
        self.atom = atom
        self.epoch = epoch
        self.reader = reader
        self.known = False
        self.value: Any = None

    def read(self) -> Any:
        """The value; the reader is told the first time. Whoever reads what belongs to another is told so."""
        reader = READER[-1]
        if reader is not self.reader:
            raise ForeignRead
        return self.value if self.known else reader.read(self)


class UnreadRecord:
    """Stands in a field with a small record that may be there or not."""

    __slots__ = ("record", "whether")

    def __init__(self, whether: Unread, record: Any) -> None:
        self.whether = whether
        self.record = record

    def read(self) -> Any:
        """The record, whose own fields are not read yet, or None."""
        return self.record if self.whether.read() else None


_MARKS = (Unread, UnreadRecord)
_views: dict[type, type] = {}


def view_of(kind: type, *, derived: bool = False) -> type:
    """The recording class of a record, a status, a participant or a scene."""
    known = _views.get(kind)
    if known is None:
        named = issubclass(kind, tuple)
        known = _views[kind] = _named_view(kind) if named else _slotted_view(kind, derived)
    return known


def _slotted_view(kind: type, derived: bool) -> type:
    asked: frozenset[str] = frozenset()
    if derived:
        asked = frozenset(
            [
                name
                for name, member in vars(kind).items()
                if not name.startswith("__") and (isinstance(member, property) or callable(member))
            ]
        )

    def getattribute(self: Any, name: str) -> Any:
        if name == "__class__":
            return kind
        if name in asked:
            return READER[-1].derive(self, name)
        value = _read_slot(self, name)
        return value.read() if type(value) in _MARKS else value

    view = type(f"Recorded{kind.__name__}", (kind,), {"__slots__": (), "__getattribute__": getattribute})
    names = [entry.name for entry in fields(kind)]
    slots = {name: getattr(kind, name) for name in names}
    getters = [slot.__get__ for slot in slots.values()]

    def raw(value: Any) -> tuple[Any, ...]:
        return tuple([get(value) for get in getters])

    scenes._plans[view] = (raw, {name: slot.__set__ for name, slot in slots.items()})  # noqa: SLF001 - how to copy one
    view.recorded_from = kind  # type: ignore[attr-defined]
    return view


def _named_view(kind: Any) -> type:
    item = tuple.__getitem__

    def at(position: int) -> property:
        def read(self: Any) -> Any:
            value = item(self, position)
            return value.read() if type(value) in _MARKS else value

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
    if kind in _MARKS:
        return plain(value.read())
    base = getattr(kind, "recorded_from", None)
    if base is not None:
        if issubclass(base, tuple):
            return base(*[plain(tuple.__getitem__(value, at)) for at in range(len(base._fields))])
        return base(**{entry.name: plain(getattr(value, entry.name)) for entry in fields(base)})
    if isinstance(value, tuple) and any(getattr(type(one), "recorded_from", None) is not None for one in value):
        found = [plain(one) for one in value]
        return kind(*found) if hasattr(kind, "_fields") else tuple(found)
    return value


def raw_items(value: Any) -> tuple[Any, ...]:
    """The fields of a recording value as they stand, unread."""
    kind = type(value)
    base = kind.recorded_from
    if issubclass(base, tuple):
        return tuple([tuple.__getitem__(value, at) for at in range(len(base._fields))])
    plan = scenes._plans[kind]  # noqa: SLF001
    assert plan is not None
    return plan[0](value)


READER: list[Any] = []
"""Who is told what is read, the innermost last."""


class Views:
    """Makes recording scenes for a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        view_of(layout.status_kind, derived=True)
        self._status = view_of(layout.status_kind)
        self._person = view_of(scenes.Participant)
        self._scene = view_of(scenes.Scene)
        self._status_set = self._setters(self._status)
        self._person_set = self._setters(self._person)
        self._scene_set = self._setters(self._scene)

    @staticmethod
    def _setters(view: type) -> dict[str, Callable[[Any, Any], None]]:
        plan = scenes._plans[view]  # noqa: SLF001
        assert plan is not None
        return plan[1]

    def mark(self, who: int, of_status: bool, name: str, epoch: int, reader: Reader) -> Any:
        """What stands in a field that is not read yet."""
        layout = self.layout
        record = layout.record(who, of_status, name)
        number = layout.number
        if record is None:
            return Unread(number[Path(who, of_status, name, "")], epoch, reader)
        kind, may_lack = record
        first = number[Path(who, of_status, name, WHETHER)]
        inside = [Unread(first + 1 + at, epoch, reader) for at in range(len(parts_of(kind)))]
        view = view_of(kind)
        if issubclass(kind, tuple):
            made = tuple.__new__(view, inside)
        else:
            made = object.__new__(view)
            for (_, setter), mark in zip(self._setters(view).items(), inside, strict=True):
                setter(made, mark)
        return UnreadRecord(Unread(first, epoch, reader), made) if may_lack else made

    def person(self, who: int, epoch: int, reader: Reader) -> tuple[Any, Any]:
        """A participant of whom nothing is read yet, and its status."""
        layout = self.layout
        old = layout.scene.participants[who]
        status = object.__new__(self._status)
        for name, setter in self._status_set.items():
            setter(status, self.mark(who, True, name, epoch, reader))
        one = object.__new__(self._person)
        fixed = {"id": old.id, "name": old.name, "side": old.side, "seat": old.seat, "status": status}
        for name, setter in self._person_set.items():
            setter(one, fixed[name] if name in fixed else self.mark(who, False, name, epoch, reader))
        return one, status

    def scene(self, people: tuple[Any, ...], epoch: int, reader: Reader) -> Any:
        """A scene of which nothing is read yet but who is in it."""
        old = self.layout.scene
        made = object.__new__(self._scene)
        wanted = set(self.layout.scene_fields)
        for name, setter in self._scene_set.items():
            if name in wanted:
                setter(made, self.mark(-1, False, name, epoch, reader))
            else:
                setter(made, people if name == "participants" else getattr(old, name))
        return made

    # ------------------------------------------------------------------ what was written

    def written(self, before: Any, after: Any) -> dict[int, Any]:
        """The atoms that an event has changed, with their new values."""
        found: dict[int, Any] = {}
        if after is before:
            return found
        names = list(self._scene_set)
        for name, old, new in zip(names, raw_items(before), _items(after, names), strict=True):
            if name == "participants":
                if new is not old:
                    self._people(found, old, new)
            elif name in self.layout.scene_fields and not _same(old, new):
                self._field(found, -1, False, name, old, new)
        return found

    def _people(self, found: dict[int, Any], old: tuple[Any, ...], new: tuple[Any, ...]) -> None:
        if len(old) != len(new):
            raise ChangedShape("somebody has come")
        for who, (one, other) in enumerate(zip(old, new, strict=True)):
            if other is one:
                continue
            for name, was, now in zip(self._person_set, raw_items(one), _items(other, self._person_set), strict=True):
                if name == "status":
                    if now is not was:
                        pairs = zip(self._status_set, raw_items(was), _items(now, self._status_set), strict=True)
                        for part, before, after in pairs:
                            if not _same(before, after):
                                self._field(found, who, True, part, before, after)
                elif name in ("id", "name", "side", "seat"):
                    if now != was:
                        raise ChangedShape("somebody is somebody else")
                elif not _same(was, now):
                    self._field(found, who, False, name, was, now)

    def _field(self, found: dict[int, Any], who: int, of_status: bool, name: str, old: Any, new: Any) -> None:
        record = self.layout.record(who, of_status, name)
        number = self.layout.number
        if record is None:
            found[number[Path(who, of_status, name, "")]] = plain(new)
            return
        kind, _ = record
        first = number[Path(who, of_status, name, WHETHER)]
        size = len(parts_of(kind))
        if type(new) is UnreadRecord:
            new = new.read()
        if new is None:
            found[first] = False
            found |= dict.fromkeys(range(first + 1, first + 1 + size))
            return
        base = getattr(type(new), "recorded_from", type(new))
        if base is not kind:
            raise ChangedShape(f"{name} holds a {base.__name__}")
        if type(new) is base:
            items: tuple[Any, ...] = tuple([getattr(new, part) for part in parts_of(kind)])
        else:
            items = raw_items(new)
        marks = raw_items(old.record if type(old) is UnreadRecord else old) if old is not None else (None,) * size
        if record[1]:
            found[first] = True
        for at, (was, now) in enumerate(zip(marks, items, strict=True)):
            if now is not was:
                found[first + 1 + at] = plain(now)


def _same(old: Any, new: Any) -> bool:
    """Whether a field is as it was: unread, or read and given again."""
    return new is old or (type(old) is Unread and old.known and old.value is new)


def _items(value: Any, names: Any) -> tuple[Any, ...]:
    if getattr(type(value), "recorded_from", None) is not None:
        return raw_items(value)
    return tuple([getattr(value, name) for name in names])
