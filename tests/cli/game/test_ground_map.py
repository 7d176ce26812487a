"""The map that `look` draws."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.cli.views.map import map_lines, marks_of
from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position


def person(who: str, side: str, position: str | None, *, present: bool = True) -> dict[str, Any]:
    return {"id": who, "side": side, "position": position, "present": present}


PEOPLE = [person("ann", "folk", "1,0"), person("rat", "vermin", "3,2"), person("ape", "vermin", None)]


def test_everybody_has_a_mark_and_a_place() -> None:
    marks = marks_of(PEOPLE, "folk")
    assert marks == {"ann": "A", "rat": "r", "ape": "a"}
    ground = Grid(size=(7, 3), blocked=(Position(0, 1),), difficult=((Position(1, 1), 2),))
    assert map_lines(ground, PEOPLE, marks, 80) == [
        "  0         5",
        "0 . A . . . . .",
        "1 # ~ . . . . .",
        "2 . . . r . . .",
    ]


def test_a_ground_without_edges_is_drawn_around_them() -> None:
    lines = map_lines(
        Grid(), [person("ann", "folk", "4,3"), person("bob", "folk", "6,3")], {"ann": "A", "bob": "B"}, 80
    )
    assert lines == ["      5", "2 . . . . .", "3 . A . B .", "4 . . . . ."]


def test_several_on_a_square_and_those_who_are_gone() -> None:
    people = [person("ann", "folk", "0,0"), person("bob", "folk", "0,0"), person("rat", "x", "1,0", present=False)]
    assert map_lines(Grid(size=(2, 1)), people, marks_of(people, None), 80) == ["  0", "0 * ."]


@pytest.mark.parametrize("width", [80, 15])
def test_items_that_cannot_be_drawn_are_not_drawn(width: int) -> None:
    marks = marks_of(PEOPLE, None)
    assert map_lines(Together(), PEOPLE, marks, width) == []
    assert map_lines(Grid(size=(100, 100)), PEOPLE, marks, width) == []
    assert bool(map_lines(Grid(size=(7, 3)), PEOPLE, marks, width)) == (width == 80)
    assert map_lines(Grid(size=(7, 3)), [person("ann", "folk", "1,0,2")], marks, width) == []


def test_letters_run_out() -> None:
    people = [person("a", "x", None) for _ in range(1)] + [person(f"a{n}", "x", None) for n in range(40)]
    marks = marks_of(people, "y")
    assert len(set(marks.values()) - {"?"}) >= 35
