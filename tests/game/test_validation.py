"""Field errors: the place of each problem, and fields that are lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from tablewright.errors import ProblemListError
from tablewright.game.files.documents import MOST_PROBLEMS, parse_document
from tablewright.game.files.validation import fields_of, lost_fields, read_as
from tablewright.game.values import Frozen


@dataclass(frozen=True)
class Edge:
    damage: int
    reach: int = 1


class Grip(BaseModel):
    model_config = ConfigDict(extra="forbid")
    hands: Literal[1, 2] = 1
    made_of: Literal["ash", "oak"] = "ash"


class Weapon(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[a-z ]+$")
    edge: Edge | None = None
    grips: tuple[Grip, ...] = Field(default=(), max_length=2)
    prices: Frozen[Annotated[int, Field(gt=0, lt=100)]] = Frozen()
    weight: float = 1.0
    magic: bool = False
    cost: Annotated[int, Field(multiple_of=5)] | Literal["priceless"] = 5


def problems(written: str) -> list[str]:
    with pytest.raises(ProblemListError) as refusal:
        read_as(Weapon, parse_document(written, "w.yaml"))
    return sorted(refusal.value.problems, key=lambda problem: int(problem.split(":")[1]))


def test_valid_input_is_read() -> None:
    weapon = read_as(Weapon, parse_document("name: sword\nedge: {damage: 3}\ngrips: [{hands: 2}]\nprices: {here: 3}"))
    assert weapon == Weapon(name="sword", edge=Edge(3), grips=(Grip(hands=2),), prices=Frozen({"here": 3}))


def test_every_problem_has_its_line_and_says_what_is_allowed() -> None:
    assert problems(
        "name: Sword!\n"
        "edge:\n"
        "  damge: 3\n"
        "grips:\n"
        "  - hands: 3\n"
        "  - made_of: aok\n"
        "    hand: 1\n"
        "prices: {here: 0, there: 100, far: '3'}\n"
        "weight: heavy\n"
        "magic: 1\n"
        "colour: red\n"
    ) == [
        'w.yaml:1: name: "Sword!" is not allowed, allowed is text of the form ^[a-z ]+$',
        "w.yaml:2: edge.damage: missing",
        'w.yaml:3: edge.damge: unknown field; did you mean "damage"?',
        "w.yaml:5: grips[0].hands: 3 is not allowed, allowed is 1 or 2",
        'w.yaml:6: grips[1].made_of: "aok" is not allowed, allowed is ash or oak; did you mean "oak"?',
        'w.yaml:7: grips[1].hand: unknown field; did you mean "hands"?',
        "w.yaml:8: prices.here: 0 is not allowed, allowed is more than 0",
        "w.yaml:8: prices.there: 100 is not allowed, allowed is less than 100",
        'w.yaml:8: prices.far: "3" is not a whole number',
        'w.yaml:9: weight: "heavy" is not a number',
        "w.yaml:10: magic: 1 is not true or false",
        "w.yaml:11: colour: unknown field",
    ]


def test_a_union_is_reported_at_the_value() -> None:
    assert problems("name: a\ncost: cheap\n") == [
        'w.yaml:2: cost: "cheap" is not a whole number',
        'w.yaml:2: cost: "cheap" is not allowed, allowed is priceless',
    ]
    assert problems("name: a\ncost: 7\n")[0] == "w.yaml:2: cost: 7 is not allowed, allowed is multiples of 5"


def test_problems_are_bounded() -> None:
    prices = ", ".join([f"p{n}: 0" for n in range(80)])
    with pytest.raises(ProblemListError) as refusal:
        read_as(Weapon, parse_document(f"name: a\nprices: {{{prices}}}\n", "w.yaml"))
    assert len(refusal.value.problems) == MOST_PROBLEMS + 1
    assert refusal.value.problems[-1] == f"w.yaml: and {80 - MOST_PROBLEMS} more"


def test_too_many_and_wrong_kinds() -> None:
    assert problems("name: 3\ngrips: [{}, {}, {}]\nprices: 3\nedge: [1]\n") == [
        "w.yaml:1: name: 3 is not text",
        "w.yaml:2: grips: a list is not allowed, allowed is 2 entries or fewer",
        "w.yaml:3: prices: 3 is not a mapping",
        "w.yaml:4: edge: a list is not a mapping",
    ]
    assert problems("[]") == ["w.yaml:1: a list is not a mapping"]


def test_lost_fields() -> None:
    written = {"a": {"b": 1, "c": 2}, "d": [{"e": 1}, {"f": 2}], "g": "3d6"}
    kept = {"a": {"b": 1}, "d": [{"e": 1}, {}], "g": {"dice": 3}, "h": None}
    assert list(lost_fields(written, kept)) == [("a", "c"), ("d", 1, "f")]


def test_fields_of() -> None:
    assert fields_of(Edge) == ("damage", "reach")
    assert fields_of(Grip) == ("hands", "made_of")
    assert fields_of(int) == fields_of(None) == ()
