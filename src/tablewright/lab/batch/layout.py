"""What a scene is made of, part by part: the fields that can change, each with a number and the values it has had.

A scene is cut into *atoms*: a field of the scene, of a participant or of its status, and each field of a small record
in there (a turn, a plan). Every value that an atom has had is known by a small whole number, its code, so that a fight
under way is one row of whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple

from tablewright.game.scene import Participant, Scene

FIXED_OF_SCENE = frozenset({"system", "participants", "options", "library", "start"})
FIXED_OF_PARTICIPANT = frozenset({"id", "name", "side", "seat", "status"})


class Path(NamedTuple):
    """Where an atom is: of which participant (-1 for the scene), of its status or not, which field, which part."""

    who: int
    of_status: bool
    field: str
    part: str


WHETHER = "?"
"""The part of a record that says whether it is there at all."""


class Codes:
    """The values that one kind of field has had."""

    __slots__ = ("by_value", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.by_value: dict[Any, int] = {}

    def code(self, value: Any) -> int:
        """The code of a value, new or known. Equal values of different types are told apart."""
        try:
            key = (type(value), value)
            known = self.by_value.get(key)
        except TypeError:  # what cannot be hashed is itself alone; it is kept, so that its identity stays its own
            key = (type(value), id(value))
            known = self.by_value.get(key)
        if known is None:
            known = self.by_value[key] = len(self.values)
            self.values.append(value)
        return known


def parts_of(kind: type) -> tuple[str, ...]:
    """The fields of a small record; nothing for any other value."""
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return tuple(kind._fields)
    if is_dataclass(kind) and kind.__dataclass_params__.frozen and "__slots__" in kind.__dict__:  # type: ignore[attr-defined]
        return tuple([entry.name for entry in fields(kind)])
    return ()


class ChangedShape(Exception):
    """A field holds another kind of value than it was known to: the tables are made anew with what is known now."""


@dataclass
class Shapes:
    """Which fields hold small records that are taken apart, of which class, and whether they may lack."""

    records: dict[tuple[bool, bool, str], tuple[type, bool]]

    @staticmethod
    def seen_in(scenes: Iterator[Scene] | list[Scene]) -> Shapes:
        """What is known from some scenes: a field that holds records of one class, or nothing, is taken apart."""
        kinds: dict[tuple[bool, bool, str], set[type]] = {}

        def see(owner: Any, names: list[str], of_scene: bool, of_status: bool) -> None:
            for name in names:
                kinds.setdefault((of_scene, of_status, name), set()).add(type(getattr(owner, name)))

        for scene in scenes:
            see(scene, [entry.name for entry in fields(scene) if entry.name not in FIXED_OF_SCENE], True, False)
            for one in scene.participants:
                names = [entry.name for entry in fields(one) if entry.name not in FIXED_OF_PARTICIPANT]
                see(one, [name for name in names if name != "character"], False, False)
                see(one.status, [entry.name for entry in fields(one.status)], False, True)
        records: dict[tuple[bool, bool, str], tuple[type, bool]] = {}
        for where, found in kinds.items():
            others = found - {type(None)}
            if len(others) == 1 and where[2] not in ("ground", "position"):
                kind = next(iter(others))
                if parts_of(kind):
                    records[where] = (kind, len(found) == 2)
        return Shapes(records)


class Layout:
    """All atoms of the scenes of one fight, and how to take a scene apart and to put one together."""

    def __init__(self, scene: Scene, shapes: Shapes) -> None:
        self.scene = scene
        self.shapes = shapes
        self.paths: list[Path] = []
        self.codes: list[Codes] = []
        self.number: dict[Path, int] = {}
        self.people = len(scene.participants)
        self._shared: dict[tuple[bool, bool, str, str], Codes] = {}
        self.scene_fields = [entry.name for entry in fields(Scene) if entry.name not in FIXED_OF_SCENE]
        self.own_fields = [entry.name for entry in fields(Participant) if entry.name not in FIXED_OF_PARTICIPANT]
        self.status_fields = [entry.name for entry in fields(scene.participants[0].status)]
        self.status_kind = type(scene.participants[0].status)
        for name in self.scene_fields:
            self._add(-1, False, name)
        self.of_person: list[frozenset[int]] = []
        for who in range(self.people):
            first = len(self.paths)
            for name in self.own_fields:
                self._add(who, False, name)
            for name in self.status_fields:
                self._add(who, True, name)
            self.of_person.append(frozenset(range(first, len(self.paths))))

    def record(self, who: int, of_status: bool, name: str) -> tuple[type, bool] | None:
        """The class of the record in a field and whether it may lack; None where it is not taken apart."""
        return self.shapes.records.get((who < 0, of_status, name))

    def _add(self, who: int, of_status: bool, name: str) -> None:
        record = self.record(who, of_status, name)
        if record is None:
            parts: tuple[str, ...] = ("",)
        else:
            parts = (WHETHER, *parts_of(record[0]))
        for part in parts:
            path = Path(who, of_status, name, part)
            self.number[path] = len(self.paths)
            self.paths.append(path)
            self.codes.append(self._shared.setdefault((who < 0, of_status, name, part), Codes()))

    # ------------------------------------------------------------------ taking apart and putting together

    def apart(self, scene: Scene) -> list[Any]:
        """The value of every atom."""
        if len(scene.participants) != self.people:
            raise ChangedShape("somebody has come")
        values: list[Any] = []
        for name in self.scene_fields:
            self._field(values, -1, False, name, getattr(scene, name))
        for who, one in enumerate(scene.participants):
            for name in self.own_fields:
                self._field(values, who, False, name, getattr(one, name))
            for name in self.status_fields:
                self._field(values, who, True, name, getattr(one.status, name))
        return values

    def _field(self, values: list[Any], who: int, of_status: bool, name: str, value: Any) -> None:
        record = self.record(who, of_status, name)
        if record is None:
            values.append(value)
            return
        kind, _ = record
        parts = parts_of(kind)
        if value is None:
            values.append(False)
            values += [None] * len(parts)
        elif type(value) is kind:
            values.append(True)
            values += [getattr(value, part) for part in parts]
        else:
            raise ChangedShape(f"{name} holds a {type(value).__name__}")

    def together(self, values: list[Any]) -> Scene:
        """The scene whose atoms have these values."""
        at = 0

        def taken(who: int, of_status: bool, name: str) -> Any:
            nonlocal at
            record = self.record(who, of_status, name)
            if record is None:
                at += 1
                return values[at - 1]
            parts = parts_of(record[0])
            there = values[at]
            inside = values[at + 1 : at + 1 + len(parts)]
            at += 1 + len(parts)
            return record[0](*inside) if there else None

        of_scene = {name: taken(-1, False, name) for name in self.scene_fields}
        people = []
        for who, old in enumerate(self.scene.participants):
            own = {name: taken(who, False, name) for name in self.own_fields}
            status = self.status_kind(**{name: taken(who, True, name) for name in self.status_fields})
            people.append(Participant(id=old.id, name=old.name, side=old.side, seat=old.seat, status=status, **own))
        fixed = {name: getattr(self.scene, name) for name in FIXED_OF_SCENE if name != "participants"}
        return Scene(participants=tuple(people), **of_scene, **fixed)
