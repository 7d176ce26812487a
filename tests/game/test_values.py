"""Frozen values: freezing and thawing, ranks, and what they refuse."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError

from tablewright.errors import InvalidInputError
from tablewright.game.values import WRITTEN, Frozen, Ranks, freeze, thaw

ranks = st.dictionaries(st.text(max_size=4), st.integers(), max_size=5)


@dataclass(frozen=True)
class Pips:
    number: int

    @staticmethod
    def parse(text: str) -> Pips:
        if not text.startswith("p"):
            raise InvalidInputError(f'"{text}" is not a number of pips; write p3')
        return Pips(int(text[1:]))

    def json_text(self) -> str:
        return f"p{self.number}"


class Model(BaseModel):
    skills: Ranks = Ranks()
    pips: Frozen[Annotated[Pips, WRITTEN]] = Frozen()
    limited: Frozen[Annotated[int, Field(ge=0, le=5)]] = Frozen()
    lists: Frozen[tuple[int, ...]] = Frozen()
    whatever: Frozen[Any] = Frozen()


@given(ranks)
def test_it_is_the_mapping_it_was_made_of(content: dict[str, int]) -> None:
    frozen = Frozen(content)
    assert frozen == content
    assert dict(frozen) == content
    assert list(frozen) == sorted(content)
    assert frozen == Frozen(reversed(list(content.items())))
    assert hash(frozen) == hash(Frozen(dict(reversed(content.items()))))
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    assert copy.deepcopy(frozen) == frozen
    assert Model.model_validate_json(Model(skills=frozen).model_dump_json()).skills == frozen


@given(ranks, st.text(max_size=4), st.integers())
def test_put_and_drop(content: dict[str, int], name: str, value: int) -> None:
    frozen = Frozen(content)
    more = frozen.put(name, value)
    assert more == {**content, name: value}
    assert frozen == content
    assert more.drop(name) == {known: rank for known, rank in content.items() if known != name}


def test_nothing_changes_it() -> None:
    frozen = Frozen({"a": 1})
    with pytest.raises(TypeError):
        frozen.pairs = ()
    with pytest.raises(TypeError):
        del frozen.pairs
    with pytest.raises(TypeError):
        frozen["a"] = 2  # type: ignore[index]
    with pytest.raises(InvalidInputError, match='there is no "b"'):
        frozen.drop("b")
    with pytest.raises(InvalidInputError, match='"a" is given twice'):
        Frozen([("a", 1), ("a", 2)])
    assert frozen.change(str) == {"a": "1"}
    assert frozen != 3


def test_values_are_checked_by_their_type() -> None:
    with pytest.raises(ValidationError) as refusal:
        Model.model_validate_json('{"skills":{"a":"1"},"pips":{"b":"3"},"limited":{"c":9},"lists":[]}', strict=True)
    assert [problem["loc"] for problem in refusal.value.errors()] == [
        ("skills", "a"), ("pips", "b"), ("limited", "c"), ("lists",),
    ]  # fmt: skip
    assert '"3" is not a number of pips' in str(refusal.value)
    with pytest.raises(ValidationError):
        Model(limited=Frozen({"a": 9}))


def test_values_with_a_notation_stand_as_text() -> None:
    model = Model.model_validate_json(
        '{"pips":{"a":"p3"},"lists":{"x":[1,2]},"whatever":{"y":[{"z":null}]}}', strict=True
    )
    assert model.pips["a"] == Pips(3)
    assert model.lists["x"] == (1, 2)
    assert model.whatever == freeze({"y": [{"z": None}]})
    assert Model.model_validate_json(model.model_dump_json(), strict=True) == model
    assert Model(pips={"a": Pips(3)}).pips == model.pips  # type: ignore[arg-type]


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_freezing_and_thawing(value: Any) -> None:
    hash(freeze(value))
    assert thaw(freeze(value)) == value
