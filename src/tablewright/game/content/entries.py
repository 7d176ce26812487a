"""What entries are made of: models that a system's kinds of content derive from, and the types of their fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tablewright.errors import nearest
from tablewright.game.ledger import Origin
from tablewright.game.yaml_lines import shown

_ID = re.compile(r"[a-z][a-z0-9_]{0,59}\Z")


def wrong(problem: str) -> PydanticCustomError:
    """What a validator raises so that its message is shown as it is."""
    return PydanticCustomError("notation", "{problem}", {"problem": problem})


def _id(text: str) -> str:
    if _ID.match(text):
        return text
    raise wrong(f"{shown(text)} is no id: a lower-case letter, then letters, digits and underscores, at most 60 in all")


Id: TypeAlias = Annotated[str, AfterValidator(_id)]
"""A stable lower-case id."""


class Part(BaseModel):
    """What a part of an entry derives from: frozen, every field declared, no value taken for something it is not."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def to_json(self) -> dict[str, Any]:
        """The part as plain JSON, so that events and statuses may hold it; where it is an entry, its id says enough."""
        return self.model_dump(mode="json")


class Entry(Part):
    """What every kind of content derives from. `origin` says who the entry is from; a pack may say it for all of its.

    Lists are tuples, mappings `Frozen`, so that entries can be parts of hashable values.
    """

    id: Id
    name: str = Field(min_length=1, max_length=80)
    origin: Origin

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON, as it would stand in a pack; fields with their usual value are left out."""
        return self.model_dump(mode="json", exclude_defaults=True)


Kinds: TypeAlias = Mapping[str, type[Entry]]
"""The kinds of content of a system by the name of their list in a pack: `{"weapons": Weapon}`."""


class Refers:
    """Marks the id of another entry, `Annotated[str, Refers("items")]`: one that nobody has is refused."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def check(value: str, info: core_schema.ValidationInfo) -> str:
            known = (info.context or {}).get("ids")
            if known is not None and value not in known.get(self.kind, ()):
                close = nearest(value, known.get(self.kind, ()))
                raise wrong(f"no {self.kind} {shown(value)}{close}")
            return value

        return core_schema.with_info_after_validator_function(check, handler(source))


class _Amount:
    """An exact number: 3, 0.5 or "1/2" in a file."""

    _text = re.compile(r"-?[0-9]{1,12}(?:/[1-9][0-9]{0,8})?\Z")

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: object) -> Fraction:
            if isinstance(value, Fraction) or type(value) is int:
                return Fraction(value)
            if isinstance(value, float) and abs(value) < 10**12:
                return Fraction(str(value))
            if isinstance(value, str) and self._text.match(value):
                return Fraction(value)
            raise wrong(f"{shown(value)} is no number such as 0.5 or 1/2")

        return core_schema.no_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.numerator if value.denominator == 1 else str(value)
            ),
        )


Amount: TypeAlias = Annotated[Fraction, _Amount()]
"""An exact number in an entry, such as a weight or a price."""
