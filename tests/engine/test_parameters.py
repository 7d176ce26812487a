"""Parameters: one declaration, read from Python, text and JSON; every refusal says what is allowed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.engine import Call, Mechanic, Param, mechanic, odds
from tablewright.engine.json_values import to_json
from tablewright.engine.parameter_types import MOST_TEXT
from tablewright.engine.parameters import kind_of
from tablewright.errors import InvalidInputError, TablewrightError


class Light(Enum):
    FULL_DAY = "full-day"
    DUSK = "dusk"
    DARK = "pitch dark"


class Level(Enum):
    ONE = 1
    TWO = 2


@dataclass(frozen=True)
class Pips:
    """A number of pips, such as p3."""

    count: int

    @staticmethod
    def parse(text: str) -> Pips:
        if not text.startswith("p") or not text[1:].isascii() or not text[1:].isdigit():
            raise InvalidInputError(f'"{text:.20}" is not allowed; allowed is a number of pips, such as p3')
        return Pips(int(text[1:4]))

    def json_text(self) -> str:
        return f"p{self.count}"


class Found(NamedTuple):
    where: str
    half: Fraction
    lights: tuple[Light, ...]
    level: Level | None


@mechanic(rules=["demo.search.look"])
async def look(
    target: Annotated[int, Param("what to roll under", 1, 98)],
    careful: bool,
    light: Annotated[Light, Param("how bright it is")] = Light.DUSK,
    pace: Literal["slow", "fast"] = "slow",
    level: Level = Level.ONE,
    pips: Pips = Pips(2),  # noqa: B008
    rerolls: Annotated[tuple[int, ...], Param("faces", 1, 6)] = (),
    name: str | None = None,
    luck: Annotated[int | None, Param("points", 0)] = None,
) -> Found:
    """Look for something."""
    return Found(name or "", Fraction(target, 2), (light,), level)


EVERYTHING: dict[str, Any] = {
    "target": 40,
    "careful": True,
    "light": Light.FULL_DAY,
    "pace": "fast",
    "level": Level.TWO,
    "pips": Pips(5),
    "rerolls": (1, 6),
    "name": "Ada",
    "luck": 3,
}


def test_python_text_and_json_make_the_same_call() -> None:
    call = look(**EVERYTHING)
    assert call == look(40, True, Light.FULL_DAY, "fast", Level.TWO, Pips(5), (1, 6), "Ada", 3)
    text = {
        "target": " 40 ",
        "careful": "Yes",
        "light": "Full Day",
        "pace": "FAST",
        "level": "2",
        "pips": "p5",
        "rerolls": "1, 6",
        "name": "Ada",
        "luck": "+3",
    }
    assert look.read(text) == call
    written = json.loads(json.dumps(look.arguments_json(call)))
    assert look.read(written) == call
    assert written == {
        "target": 40,
        "careful": True,
        "light": "full-day",
        "pace": "fast",
        "level": 2,
        "pips": "p5",
        "rerolls": [1, 6],
        "name": "Ada",
        "luck": 3,
    }


def test_defaults_and_nothing() -> None:
    call = look(1, False)
    assert call.arguments == (1, False, Light.DUSK, "slow", Level.ONE, Pips(2), (), None, None)
    assert look.read({"target": 1, "careful": False, "name": None, "luck": None, "rerolls": []}) == call
    assert look.read({"target": "1", "careful": "no", "name": "", "luck": "none", "rerolls": ""}) == call
    assert look.read({"target": 1, "careful": False, "name": "none"}).arguments[7] == "none"
    assert odds(call)[Found("", Fraction(1, 2), (Light.DUSK,), Level.ONE)] == 1


@each_case(
    ("name", "wrong", "allowed"),
    [
        ("target", 0, "a whole number from 1 to 98"),
        ("target", 99, "a whole number from 1 to 98"),
        ("target", True, "a whole number from 1 to 98"),
        ("target", 5.0, "a whole number from 1 to 98"),
        ("target", None, "a whole number from 1 to 98"),
        pytest.param("target", 10**9999, "a whole number from 1 to 98", id="huge"),
        ("careful", 1, "yes or no"),
        ("level", 1, "one of 1, 2"),
        ("rerolls", (1, 7), "a list with commas, each a whole number from 1 to 6"),
        ("rerolls", (1,) * 201, "a list with commas"),
        ("name", "x" * 201, "at most 200"),
        ("name", "a\0b", "printable"),
        ("luck", -1, "a whole number of 0 or more, or none"),
        ("target", "five", "a whole number from 1 to 98"),
        ("light", "dsuk", "one of full-day, dusk, pitch dark"),
        ("pips", 5.0, "a number of pips, such as p3"),
        ("rerolls", [7], "a whole number from 1 to 6"),
    ],
)
def test_python_values_must_be_of_their_kind(name: str, wrong: Any, allowed: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        look(**{**EVERYTHING, name: wrong})
    assert refused.value.field == name
    assert str(refused.value).startswith((f"demo.look: {name} is ", f"demo.look: {name}: "))
    assert allowed in str(refused.value)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [
        ("target", "5", 5),
        ("careful", "yes", True),
        ("light", "dusk", Light.DUSK),
        ("pace", "FAST", "fast"),
        ("pips", "p3", Pips(3)),
        ("rerolls", "1,2", (1, 2)),
        ("rerolls", [1, 2], (1, 2)),
        ("luck", "none", None),
    ],
)
def test_python_calls_take_the_words_of_the_command_line(name: str, words: Any, value: Any) -> None:
    call = look(**{**EVERYTHING, name: words})
    assert call == look(**{**EVERYTHING, name: value})
    assert call.named_arguments()[name] == value


@each_case(
    ("name", "wrong"),
    [
        ("target", ""),
        ("target", "+-5"),
        ("target", "-+5"),
        ("target", "5.0"),
        ("target", "1e1"),
        ("target", "٤٠"),
        ("target", "0x10"),
        ("target", "1_0"),
        ("target", "4 0"),
        ("target", "9" * 50),
        ("target", 4.5),
        ("target", True),
        ("target", [4]),
        ("target", {"a": 1}),
        ("target", None),
        ("careful", "maybe"),
        ("careful", 1),
        ("careful", None),
        ("light", "dusky"),
        ("light", ""),
        ("light", 3),
        ("level", 3),
        ("level", "3"),
        ("level", True),
        ("level", 1.0),
        ("pace", 7),
        ("pips", "x"),
        ("pips", 3),
        ("rerolls", "1,x"),
        ("rerolls", [1, True]),
        ("rerolls", [[1]]),
        ("rerolls", ["1" * 300]),
        ("rerolls", ",".join("1" * 99)),
        ("rerolls", [1] * 201),
        ("rerolls", 1),
        ("name", "x" * 201),
        ("name", 3),
        ("luck", "-1"),
    ],
)
def test_text_and_json_that_do_not_fit_are_refused_at_their_parameter(name: str, wrong: Any) -> None:
    if name == "rerolls" and isinstance(wrong, str) and len(wrong) == 197:
        assert look.read({"target": 1, "careful": True, "rerolls": wrong}).arguments[6] == (1,) * 99
        return
    with pytest.raises(InvalidInputError) as refused:
        look.read({"target": 1, "careful": True, name: wrong})
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parameter in look.params:
        try:
            call = look.read({"target": 1, "careful": True, parameter.name: text})
        except InvalidInputError:
            continue
        assert look.read(look.arguments_json(call)) == call


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for parameter in look.params:
        try:
            call = look.read({"target": 1, "careful": True, parameter.name: value})
        except InvalidInputError:
            continue
        assert look.read(look.arguments_json(call)) == call


def test_names_are_checked_and_the_nearest_is_offered() -> None:
    with pytest.raises(InvalidInputError, match=r'demo.look has no parameter "lihgt".*did you mean "light"'):
        look.read({"target": 1, "careful": True, "lihgt": "dusk"})
    with pytest.raises(InvalidInputError, match='no parameter "lihgt"'):
        look(1, True, lihgt=Light.DARK)
    with pytest.raises(InvalidInputError, match=r'"duks" is not allowed.*did you mean "dusk"'):
        look.read({"target": 1, "careful": True, "light": "duks"})
    with pytest.raises(InvalidInputError, match=r"needs target .a whole number from 1 to 98., careful .yes or no."):
        look.read({})
    with pytest.raises(InvalidInputError, match="needs careful"):
        look(1)
    with pytest.raises(InvalidInputError, match="target was given twice"):
        look(1, True, target=2)
    with pytest.raises(InvalidInputError, match="takes 9 arguments, 12 were given"):
        look(*EVERYTHING.values(), 10, 11, 12)


def test_the_schema_says_what_is_read() -> None:
    schema = look.schema()
    assert json.loads(json.dumps(schema)) == schema
    parameters = schema["parameters"]
    assert parameters["required"] == ["target", "careful"]
    assert parameters["additionalProperties"] is False
    assert parameters["properties"] == {
        "target": {"type": "integer", "minimum": 1, "maximum": 98, "description": "what to roll under"},
        "careful": {"type": "boolean", "description": ""},
        "light": {
            "type": "string",
            "enum": ["full-day", "dusk", "pitch dark"],
            "description": "how bright it is",
            "default": "dusk",
        },
        "pace": {"type": "string", "enum": ["slow", "fast"], "description": "", "default": "slow"},
        "level": {"enum": [1, 2], "description": "", "default": 1},
        "pips": {"type": "string", "description": "a number of pips, such as p3", "default": "p2"},
        "rerolls": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": 6},
            "maxItems": 200,
            "description": "faces",
            "default": [],
        },
        "name": {
            "anyOf": [{"type": "string", "maxLength": MOST_TEXT}, {"type": "null"}],
            "description": "",
            "default": None,
        },
        "luck": {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}],
            "description": "points",
            "default": None,
        },
    }
    assert schema["result"] == {
        "type": "object",
        "title": "Found",
        "properties": {
            "where": {"type": "string"},
            "half": {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
            "lights": {"type": "array", "items": {"enum": ["full-day", "dusk", "pitch dark"]}},
            "level": {"anyOf": [{"enum": [1, 2]}, {"type": "null"}]},
        },
        "required": ["where", "half", "lights", "level"],
    }


def test_results_are_written_as_their_schema_says() -> None:
    (found,) = odds(look(3, True, name="Ada"))
    assert to_json(found) == {"where": "Ada", "half": "3/2", "lights": ["dusk"], "level": 1}
    with pytest.raises(TypeError, match="float has no JSON form"):
        to_json(0.5)


def test_inner_bounds_are_kept_where_the_outer_words_set_none() -> None:
    faces = Annotated[tuple[Annotated[int, Param("a face", 1, 6)], ...], Param("all faces")]
    assert kind_of(faces).allowed() == "a list with commas, each a whole number from 1 to 6"


def test_invalid_parameters_are_refused_at_declaration() -> None:
    async def keyword_only(*, target: int) -> int:
        return target

    async def bare(target) -> int:  # type: ignore[no-untyped-def]
        return int(target)

    async def loose(target: float) -> float:
        return target

    for function, words in (
        (keyword_only, "plain parameter"),
        (bare, "no annotation"),
        (loose, "no kind of parameter"),
    ):
        declared: Mechanic[..., Any] = mechanic(rules=["demo.wrong.declared"])(function)
        with pytest.raises(TypeError, match=words):
            declared(1)


def test_rule_ids_belong_to_one_system() -> None:
    for rules in ([], ["demo"], ["demo.a.b", "other.a.b"], ["Demo.a.b"], ["demo..b"]):
        with pytest.raises(TablewrightError, match="name the rules of one system"):
            mechanic(rules=rules)


def test_a_call_is_shown_with_its_arguments() -> None:
    call: Call[Found] = look(1, True)
    assert repr(call).startswith("demo.look(1, True, dusk, slow, 1, ")
    assert call.named_arguments()["light"] is Light.DUSK
    assert look.summary == "Look for something."


def test_arguments_that_were_allowed_before_are_not_taken_for_others() -> None:
    @mechanic(rules=["demo.light.see"])
    async def see(light: Literal["day", "dark"], count: int = 1) -> int:
        """See by some light."""
        return count

    assert see("day") == see("day", 1) == see(light="day", count=1)
    for wrong in (True, 1.0, [1]):
        with pytest.raises(InvalidInputError, match="count is"):
            see("day", wrong)
        with pytest.raises(InvalidInputError, match="count is"):
            see("day", count=wrong)
    with pytest.raises(InvalidInputError, match=r"light: .dusk. is not allowed"):
        see("dusk")
