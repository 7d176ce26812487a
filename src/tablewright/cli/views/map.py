"""Character maps of grids that fit on the screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Ground, Position

MOST_ROWS = 40
_FREE, _BLOCKED, _DIFFICULT, _SEVERAL = ".", "#", "~", "*"
_SPARE = "123456789abcdefghijklmnopqrstuvwxyz"


def marks_of(people: Sequence[Mapping[str, Any]], side: str | None) -> dict[str, str]:
    """A mark for each participant: upper case for the own side, lower case for others, or a trailing number.

    >>> marks_of([{"id": "ann", "side": "folk"}, {"id": "al", "side": "folk"}, {"id": "ape", "side": "beasts"}], "folk")
    {'ann': 'A', 'al': 'L', 'ape': 'a'}
    """
    marks: dict[str, str] = {}
    for one in people:
        own = side is None or one["side"] == side
        name = str(one["id"])
        numbered = [name[-1]] if name[-1].isdigit() else []  # goblin-2 is drawn as 2
        letters = [letter.upper() if own else letter.lower() for letter in name if letter.isalpha()]
        wanted = [*numbered, *letters, *_SPARE]
        marks[one["id"]] = next((mark for mark in wanted if mark not in marks.values()), "?")
    return marks


def map_lines(ground: Ground, people: Sequence[Mapping[str, Any]], marks: Mapping[str, str], width: int) -> list[str]:
    """Map rows with numbers at the edges; empty if the ground is not a grid or is too large."""
    places = {one["id"]: Position.parse(one["position"]) for one in people if one["position"] and one["present"]}
    if not isinstance(ground, Grid) or not places or any(place.z for place in places.values()):
        return []
    left, right, top, bottom = _edges(ground, list(places.values()))
    label = len(str(bottom))
    if bottom - top >= MOST_ROWS or 2 * (right - left + 1) + label + 1 > width:
        return []
    standing: dict[Position, str] = {}
    for who, place in places.items():
        standing[place] = _SEVERAL if place in standing else marks[who]
    blocked, difficult = set(ground.blocked), {place for place, _ in ground.difficult}
    columns = range(left, right + 1)
    lines = [" " * (label + 1) + "".join([f"{x if x % 5 == 0 else '':<2}" for x in columns]).rstrip()]
    for y in range(top, bottom + 1):
        squares = [_square(Position(x, y), standing, blocked, difficult) for x in columns]
        lines.append(f"{y:>{label}} {' '.join(squares)}")
    return lines


def _edges(ground: Grid, places: Sequence[Position]) -> tuple[int, int, int, int]:
    """First and last column and row to draw: the whole grid, or the area around all participants."""
    if ground.size is not None:
        return 0, ground.size[0] - 1, 0, ground.size[1] - 1
    columns, rows = [place.x for place in places], [place.y for place in places]
    return min(columns) - 1, max(columns) + 1, min(rows) - 1, max(rows) + 1


def _square(
    place: Position, standing: Mapping[Position, str], blocked: Collection[Position], difficult: Collection[Position]
) -> str:
    if place in standing:
        return standing[place]
    if place in blocked:
        return _BLOCKED
    return _DIFFICULT if place in difficult else _FREE
