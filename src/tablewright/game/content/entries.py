"""Base models of content entries, and the types of their fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tablewright.errors import did_you_mean
from tablewright.game.files.documents import quote
from tablewright.game.rules.ledger import Origin

_ID = re.compile(r"[a-z][a-z0-9_]{0,59}\Z")


def wrong(problem: str) -> PydanticCustomError:
    """Validation error whose message is shown unchanged."""
    return PydanticCustomError("notation", "{problem}", {"problem": problem})


def _id(text: str) -> str:
    if _ID.match(text):
        return text
    raise wrong(
        f"{quote(text)} is not an id: a lower-case letter, then letters, digits and underscores, at most 60 in all"
    )


Id: TypeAlias = Annotated[str, AfterValidator(_id)]
"""Stable lower-case id."""


class EntryPart(BaseModel):
    """Base model of parts of an entry: frozen, strict, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def to_json(self) -> dict[str, Any]:
        """The part as plain JSON, for events and statuses; for a whole entry its id is enough."""
        return self.model_dump(mode="json")


class ContentEntry(EntryPart):
    """Base model of every kind of content.

    `origin` names the source of the entry; a pack header may set it for all its entries. Lists are tuples and mappings
    are `Frozen`, which keeps entries hashable.
    """

    id: Id
    name: str = Field(min_length=1, max_length=80)
    origin: Origin

    def __hash__(self) -> int:
        return hash((type(self), self.id))

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON in the form of a pack; fields with their default value are left out."""
        return self.model_dump(mode="json", exclude_defaults=True)


Kinds: TypeAlias = Mapping[str, type[ContentEntry]]
"""Kinds of content of a system by the name of their list in a pack: `{"weapons": Weapon}`."""


class Refers:
    """Marker for the id of another entry, `Annotated[str, Refers("items")]`; unknown ids are refused."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def check(value: str, info: core_schema.ValidationInfo) -> str:
            known = (info.context or {}).get("ids")
            if known is not None and value not in known.get(self.kind, ()):
                close = did_you_mean(value, known.get(self.kind, ()))
                raise wrong(f"no {self.kind} {quote(value)}{close}")
            return value

        return core_schema.with_info_after_validator_function(check, handler(source))


class ForPeople:
    """Marker for a field that people read and no rule does: `Annotated[str, ForPeople()]`."""


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
            raise wrong(f"{quote(value)} is not a number such as 0.5 or 1/2")

        return core_schema.no_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.numerator if value.denominator == 1 else str(value)
            ),
        )


Amount: TypeAlias = Annotated[Fraction, _Amount()]
"""An exact number in an entry, such as a weight or a price."""
