"""Ranges of arguments: read by the kind of each parameter, bounded, and refused with what is allowed."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from each_case import each_case
from tablewright.engine import Param, d, mechanic
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    TextType,
)
from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import find_mechanic, load_all
from tablewright.lab.odds.ranges import MOST_VALUES, read_ranges, values_of


@mechanic(rules=["demo.check.roll"])
async def check(
    target: Annotated[int, Param("roll this or less", -20, 20)],
    mood: Literal["sad", "calm", "gay"] = "calm",
    helpers: tuple[int, ...] = (),
    lucky: bool = False,
    cap: Annotated[int | None, Param("at most this", 1, 9)] = None,
    name: str = "",
) -> bool:
    """Roll a die."""
    return await d(20) + len(helpers) <= target


def axes(**given: object) -> list[tuple[str, tuple[object, ...]]]:
    return [(axis.name, axis.values) for axis in read_ranges(check, given).axes]


@each_case(
    ("typed", "values"),
    [
        ("3..6", (3, 4, 5, 6)),
        ("6..3", (6, 5, 4, 3)),
        ("-2..1", (-2, -1, 0, 1)),
        ("0..10..4", (0, 4, 8)),
        ("10..0..5", (10, 5, 0)),
        ("1,5,9", (1, 5, 9)),
        ("1,5..7,6..8", (1, 5, 6, 7, 8)),
        ("18..", (18, 19, 20)),
        ("..-19", (-20, -19)),
        ("4..4", (4,)),
    ],
)
def test_numbers_are_counted(typed: str, values: tuple[int, ...]) -> None:
    assert axes(target=typed) == [("target", values)]


def test_words_come_in_their_order_and_yes_after_no() -> None:
    assert axes(target="1", mood="sad..gay") == [("mood", ("sad", "calm", "gay"))]
    assert axes(target="1", mood="gay..calm") == [("mood", ("gay", "calm"))]
    assert axes(target="1", mood="..") == [("mood", ("sad", "calm", "gay"))]
    assert axes(target="1", lucky="..") == [("lucky", (False, True))]
    assert axes(target="1", lucky="yes,no") == [("lucky", (True, False))]
    assert axes(target="1", cap="2..4") == [("cap", (2, 3, 4))]
    assert axes(target="1", cap="none,3") == [("cap", (None, 3))]


def test_a_list_that_is_one_value_does_not_range() -> None:
    read = read_ranges(check, {"target": "1", "helpers": "1,2,3", "name": "A..B, or not"})
    assert read.axes == ()
    assert read.fixed == {"target": 1, "helpers": (1, 2, 3), "name": "A..B, or not"}
    assert axes(target="1", helpers="1|1,2|3") == [("helpers", ((1,), (1, 2), (3,)))]


def test_python_values_range_as_well() -> None:
    assert axes(target=range(2, 5)) == [("target", (2, 3, 4))]
    assert axes(target=[7, 3]) == [("target", (7, 3))]
    assert read_ranges(check, {"target": 4, "helpers": [1, 2]}).fixed == {"target": 4, "helpers": (1, 2)}


def test_notations_are_counted_as_their_type_says() -> None:
    roll_value = find_mechanic("mars.check")
    (axis,) = read_ranges(roll_value, {"roll_value": "r8..r12..2", "difficulty": "8"}).axes
    assert axis.labels == ("r8", "r10", "r12")
    assert not axis.numeric
    (axis,) = read_ranges(roll_value, {"roll_value": "r8-1..r8+1", "difficulty": "8"}).axes
    assert axis.labels == ("r8-1", "r8", "r8+1")
    code = find_mechanic("opend6.check")
    (axis,) = read_ranges(code, {"code": "2D+1..3D+1", "difficulty": "8"}).axes
    assert axis.labels == ("2D+1", "2D+2", "3D", "3D+1")
    (axis,) = read_ranges(code, {"code": "5D..2D..3", "difficulty": "8"}).axes
    assert axis.labels == ("5D", "4D", "3D", "2D")
    amount = find_mechanic("renaissance.amount")
    (axis,) = read_ranges(amount, {"dv": "1d10+2..4d10+2"}).axes
    assert axis.labels == ("1d10+2", "2d10+2", "3d10+2", "4d10+2")


@each_case(
    ("given", "said"),
    [
        ({"target": "5..21"}, 'demo.check: target: "21" is not allowed; allowed is a whole number from -20 to 20'),
        ({"target": "5..30..0"}, "is not a range"),
        ({"target": "5..9..2..1"}, "is not a range"),
        ({"target": "5..9..x"}, "is not a range"),
        ({"target": "a..b"}, '"a" is not allowed'),
        ({"target": "1", "mood": "sad..happy"}, "one of sad, calm, gay"),
        ({"target": "1", "cap": "none..3"}, "there is no order from None to 3"),
        ({"target": "1..3", "mood": "..", "lucky": ".."}, "3 arguments range (target, mood, lucky), at most 2 can"),
        ({"tarjet": "1..3"}, 'no parameter "tarjet"'),
        ({"target": []}, "at least one value"),
        ({"target": list(range(-20, 21)) * 40}, "1,640 values are too many"),
    ],
)
def test_errors_are_told(given: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInputError) as problem:
        read_ranges(check, given)
    assert said in str(problem.value)


def test_a_range_without_an_end_is_refused_where_the_kind_has_none() -> None:
    with pytest.raises(InvalidInputError, match="does not say where it ends"):
        values_of(IntType(0), "3..")
    with pytest.raises(InvalidInputError, match="does not say where it begins"):
        values_of(IntType(None, 9), "..3")


@pytest.mark.parametrize("typed", ["0..999999999999", "0..99999999..1", f"0..{MOST_VALUES}"])
def test_ranges_are_bounded_before_they_are_counted(typed: str) -> None:
    with pytest.raises(InvalidInputError, match="values"):
        values_of(IntType(), typed)


def test_every_parameter_of_every_system_ranges_or_says_why_not() -> None:
    ranged = 0
    for system in load_all().systems:
        for rule in system.mechanics:
            for parameter in rule.params:
                kind = parameter.kind.some if isinstance(parameter.kind, OptionalType) else parameter.kind
                ends = kind.ends()
                if isinstance(kind, (EnumType, BoolType)):
                    assert ends is not None
                    assert kind.between(*ends)[-1] == ends[1]
                    ranged += 1
                elif isinstance(kind, IntType):
                    assert list(kind.between(3, 1)) == [3, 2, 1]
                    ranged += 1
                elif isinstance(kind, NotationType) and not parameter.required and parameter.default is not None:
                    assert list(kind.between(parameter.default, parameter.default)) == [parameter.default]
                elif isinstance(kind, (ListType, TextType)):
                    with pytest.raises(InvalidInputError, match="name the values one by one"):
                        kind.between(*(("a", "b") if isinstance(kind, TextType) else ((), ())))
    assert ranged > 500
