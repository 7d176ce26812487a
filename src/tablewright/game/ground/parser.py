"""Parser for grounds from JSON or a file; it reports all problems at once, each with its path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ground.bands import Band, Bands, Together
from tablewright.game.ground.grid import MOST_MARKED, Grid
from tablewright.game.ground.position import Exact, Ground, Position, WrongGroundError, format_distance
from tablewright.game.ground.zones import Link, Zones

_Path: TypeAlias = tuple[str | int, ...]
_FRACTION = re.compile(r"[0-9]{1,9}(?:/[1-9][0-9]{0,8})?\Z")
_FIELDS: dict[str, tuple[str, ...]] = {
    "grid": ("step", "diagonal", "measure", "size", "difficult", "blocked", "corners", "shared"),
    "zones": ("zones", "links"),
    "bands": ("bands", "usual", "between"),
    "together": ("apart",),
}


def read_ground(data: object) -> Ground:
    """Read a ground from plain JSON; a bare word is a kind with default values.

    Squares may be single or rectangles: `blocked: ["3,0..3,5"]`, `difficult: {"4,4..6,6": 2}`.

    >>> read_ground("together")
    Together(apart=1)
    >>> read_ground({"kind": "grid", "size": [12, 8], "diagnal": "one", "blocked": ["12,3"]})
    Traceback (most recent call last):
    tablewright.game.ground.position.WrongGroundError: diagnal: unknown field "diagnal"; did you mean "diagonal"?
    blocked.0: "12,3" is outside of the grid
    """
    if isinstance(data, str):
        data = {"kind": data}
    if not isinstance(data, Mapping):
        raise WrongGroundError([((), f"a ground is a mapping with a kind, or one of {', '.join(_FIELDS)}")])
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        close = did_you_mean(kind, _FIELDS) if isinstance(kind, str) else ""
        said = f"{format_distance(kind)} is not a kind of ground" if "kind" in data else "the kind is missing"
        path: _Path = ("kind",) if "kind" in data else ()
        raise WrongGroundError([(path, f"{said}; allowed are {', '.join(_FIELDS)}{close}")])
    return _GroundParser(kind, data).ground()


class _GroundParser:
    """State of one parse: problems so far, and the path in the data of each part."""

    def __init__(self, kind: str, data: Mapping[str, Any]) -> None:
        self.kind = kind
        self.data = data
        self.problems: list[tuple[_Path, str]] = []
        self.places: dict[_Path, _Path] = {}

    def ground(self) -> Ground:
        allowed = _FIELDS[self.kind]
        for name in self.data:
            if name not in allowed and name != "kind":
                self.wrong((name,), f"unknown field {format_distance(str(name))}{did_you_mean(str(name), allowed)}")
        arguments = getattr(self, f"_{self.kind}")()
        made: Ground | None = None
        try:
            made = _MAKE[self.kind](**arguments)
        except WrongGroundError as refusal:
            for path, message in refusal.placed:
                self.wrong(self.places.get(path, path), message)
        if self.problems or made is None:
            raise WrongGroundError(dict.fromkeys(self.problems))
        return made

    def wrong(self, path: _Path, message: str) -> None:
        self.problems.append((path, message))

    def number(self, path: _Path, value: object) -> Exact | None:
        if type(value) is int:
            return value
        if isinstance(value, float) and abs(value) < 1e9:
            return Fraction(str(value))
        if isinstance(value, str) and _FRACTION.match(value):
            return Fraction(value)
        self.wrong(path, f'{format_distance(value)} is not a number; allowed are numbers and fractions such as "3/2"')
        return None

    def sequence(self, path: _Path, value: object) -> list[Any]:
        if isinstance(value, list | tuple):
            return list(value)
        self.wrong(path, f"{format_distance(value)} is not a list")
        return []

    def table(self, path: _Path, value: object, allowed: tuple[str, ...]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.wrong(path, f"{format_distance(value)} is not a mapping with {', '.join(allowed)}")
            return {}
        for name in value:
            if name not in allowed:
                self.wrong(
                    (*path, name), f"unknown field {format_distance(str(name))}{did_you_mean(str(name), allowed)}"
                )
        return value

    def flag(self, name: str, into: dict[str, Any]) -> None:
        if name in self.data:
            if isinstance(self.data[name], bool):
                into[name] = self.data[name]
            else:
                self.wrong((name,), f"{format_distance(self.data[name])}; allowed are true and false")

    def squares(self, path: _Path, text: object) -> list[Position]:
        """One square, or all squares of a rectangle between two corners."""
        try:
            if not isinstance(text, str):
                raise InvalidInputError(f'{format_distance(text)} is not a square; a square is written "3,4"')
            first, dots, last = text.partition("..")
            a = Position.parse(first)
            b = Position.parse(last) if dots else a
            if a.name or b.name:
                raise InvalidInputError(f'{format_distance(text)} is not a square; a square is written "3,4"')
            sides = [range(min(p, q), max(p, q) + 1) for p, q in zip(a[:3], b[:3], strict=True)]
            if len(sides[0]) * len(sides[1]) * len(sides[2]) > MOST_MARKED:
                raise InvalidInputError(f"{format_distance(text)} has more than {MOST_MARKED:,} squares")
        except InvalidInputError as problem:
            self.wrong(path, problem.message)
            return []
        return [Position(x, y, z) for x, y, z in product(*sides)]

    def _grid(self) -> dict[str, Any]:
        data, made = self.data, dict[str, Any]()
        if "step" in data and (step := self.number(("step",), data["step"])) is not None:
            made["step"] = step
        for name in ("diagonal", "measure"):
            if name in data:
                made[name] = data[name]
        if data.get("size") is not None:
            made["size"] = tuple(self.sequence(("size",), data["size"]))
        blocked: list[Position] = []
        for number, text in enumerate(self.sequence(("blocked",), data.get("blocked", []))[:MOST_MARKED]):
            for at in self.squares(("blocked", number), text):
                self.places["blocked", len(blocked)] = ("blocked", number)
                blocked.append(at)
        difficult: list[tuple[Position, Exact]] = []
        given = data.get("difficult", {})
        if not isinstance(given, Mapping):
            self.wrong(("difficult",), f"{format_distance(given)} is not a mapping from squares to factors")
            given = {}
        for text, value in given.items():
            factor = self.number(("difficult", text), value)
            for at in self.squares(("difficult", text), text):
                self.places["difficult", len(difficult)] = ("difficult", text)
                difficult.append((at, factor or 1))
        self.flag("corners", made)
        self.flag("shared", made)
        return made | {"blocked": tuple(blocked), "difficult": tuple(difficult)}

    def _zones(self) -> dict[str, Any]:
        links = []
        for number, given in enumerate(self.sequence(("links",), self.data.get("links", []))):
            path: _Path = ("links", number)
            entry = {"between": given} if isinstance(given, list | tuple) else given
            entry = self.table(path, entry, ("between", "steps", "passable"))
            ends = entry.get("between")
            if not isinstance(ends, list | tuple) or len(ends) != 2:
                self.wrong(path, "a link needs the two zones it joins: between: [hall, stairs]")
                continue
            steps = self.number((*path, "steps"), entry.get("steps", 1))
            passable = entry.get("passable", True)
            if not isinstance(passable, bool):
                self.wrong((*path, "passable"), f"{format_distance(passable)}; allowed are true and false")
            links.append(Link(ends[0], ends[1], 1 if steps is None else steps, passable is not False))
            self.places["links", len(links) - 1] = path
        return {"names": tuple(self.sequence(("zones",), self.data.get("zones", []))), "links": tuple(links)}

    def _bands(self) -> dict[str, Any]:
        bands = []
        for number, given in enumerate(self.sequence(("bands",), self.data.get("bands", []))):
            entry: Any = {"name": given, "limit": number} if isinstance(given, str) else given
            entry = self.table(("bands", number), entry, ("name", "limit"))
            limit = self.number(("bands", number, "limit"), entry.get("limit", number))
            bands.append(Band(entry.get("name", ""), number if limit is None else limit))
        pairs = []
        for number, given in enumerate(self.sequence(("between",), self.data.get("between", []))):
            path: _Path = ("between", number)
            entry = self.table(path, given, ("spots", "band"))
            ends = entry.get("spots")
            if not isinstance(ends, list | tuple) or len(ends) != 2 or not all(isinstance(end, str) for end in ends):
                self.wrong(path, "a pair needs two spots and their band: {spots: [archers, wolf], band: far}")
                continue
            pairs.append((ends[0], ends[1], entry.get("band", "")))
            self.places["between", len(pairs) - 1] = path
        usual = self.data.get("usual", "")
        if not isinstance(usual, str):
            self.wrong(("usual",), f"{format_distance(usual)} is not the name of a band")
            usual = ""
        return {"bands": tuple(bands), "usual": usual, "between": tuple(pairs)}

    def _together(self) -> dict[str, Any]:
        apart = self.number(("apart",), self.data.get("apart", 1))
        return {} if apart is None else {"apart": apart}


_MAKE: dict[str, Any] = {"grid": Grid, "zones": Zones, "bands": Bands, "together": Together}
