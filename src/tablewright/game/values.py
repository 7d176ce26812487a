"""Immutable values inside characters: frozen mappings, and values with a notation of their own.

>>> skills = Frozen({"climb": 4, "brew": 2})
>>> skills
Frozen({'brew': 2, 'climb': 4})
>>> skills["climb"], skills.get("swim", 0), skills.put("swim", 1)
(4, 0, Frozen({'brew': 2, 'climb': 4, 'swim': 1}))
>>> skills == Frozen({"brew": 2, "climb": 4}), hash(skills) == hash(Frozen({"climb": 4, "brew": 2}))
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, get_args

from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

V = TypeVar("V")
W = TypeVar("W")

MOST_ENTRIES = 2_000


class Frozen(Mapping[str, V], Generic[V]):
    """Immutable, hashable mapping from names to values, sorted by name.

    In a pydantic model it reads from and dumps to a JSON object. Methods that change something return a new mapping.
    """

    __slots__ = ("_hash", "_inside", "pairs")

    pairs: tuple[tuple[str, V], ...]

    def __init__(self, content: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        given = content if isinstance(content, Mapping) else _without_twins(content)
        pairs = tuple(sorted(given.items(), key=_name))
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "_inside", dict(pairs))
        object.__setattr__(self, "_hash", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise TypeError("a frozen mapping does not change; put() gives another one")

    def __delattr__(self, name: str) -> None:
        raise TypeError("a frozen mapping does not change; drop() gives another one")

    def __reduce__(self) -> tuple[type[Frozen[V]], tuple[tuple[tuple[str, V], ...]]]:
        return (type(self), (self.pairs,))

    def __getitem__(self, name: str) -> V:
        inside: dict[str, V] = self._inside  # type: ignore[attr-defined]
        return inside[name]

    if not TYPE_CHECKING:  # type checkers use the types of Mapping.get

        def get(self, name: str, default: Any = None) -> Any:
            """The value of a name, or the default."""
            return self._inside.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inside)  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(self.pairs)

    def __contains__(self, name: object) -> bool:
        return name in self._inside  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        known: int | None = self._hash  # type: ignore[attr-defined]
        if known is None:
            known = hash(self.pairs)
            object.__setattr__(self, "_hash", known)
        return known

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Frozen):
            return self.pairs == other.pairs
        return NotImplemented if not isinstance(other, Mapping) else dict(self.pairs) == dict(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.pairs)!r})"

    def put(self, name: str, value: V) -> Frozen[V]:
        """Copy with one value set."""
        return Frozen({**dict(self.pairs), name: value})

    def drop(self, name: str) -> Frozen[V]:
        """Copy without one name; an unknown name is refused.

        >>> Frozen({"climb": 4}).drop("clim")
        Traceback (most recent call last):
        tablewright.errors.InvalidInputError: there is no "clim"; did you mean "climb"?
        """
        if name not in self:
            raise InvalidInputError(f'there is no "{name:.40}"{did_you_mean(name, self)}')
        return Frozen([pair for pair in self.pairs if pair[0] != name])

    def change(self, function: Callable[[V], W]) -> Frozen[W]:
        """Copy with a function applied to every value."""
        return Frozen([(name, function(value)) for name, value in self.pairs])

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema  # noqa: PLC0415  (only files need it)

        (value_type,) = get_args(source) or (Any,)
        values = KEPT.__get_pydantic_core_schema__(Any, handler) if value_type is Any else handler(value_type)
        entries = core_schema.dict_schema(core_schema.str_schema(), values, max_length=MOST_ENTRIES)
        made = core_schema.no_info_after_validator_function(cls, entries)
        unpacked = core_schema.chain_schema([core_schema.no_info_plain_validator_function(dict), made])
        python = core_schema.tagged_union_schema(
            {True: unpacked, False: made}, discriminator=lambda given: isinstance(given, Frozen)
        )
        return core_schema.json_or_python_schema(
            json_schema=made,
            python_schema=python,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, dump: dump(dict(value)), schema=entries
            ),
        )


Ranks: TypeAlias = Frozen[int]
"""Names with whole numbers, such as skills with their ranks: ``{climb: 4}`` in a file."""


class NotationField:
    """Marker for a value type with its own notation (``parse`` and ``json_text``), which files hold as text.

    ``Skill = Annotated[RollValue, WRITTEN]``, then ``skills: Frozen[Skill]`` reads ``{agility: r14+1}``.
    """

    def __get_pydantic_core_schema__(self, source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import PydanticCustomError, core_schema  # noqa: PLC0415

        def parse(text: str) -> Any:
            try:
                return source.parse(text)
            except (InvalidInputError, ValueError) as error:
                raise PydanticCustomError("notation", "{problem}", {"problem": str(error)}) from None

        written = core_schema.no_info_after_validator_function(parse, core_schema.str_schema(max_length=200))
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(source), written]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.json_text(), return_schema=core_schema.str_schema()
            ),
        )


WRITTEN = NotationField()


def freeze(value: Any) -> Any:
    """Convert plain data to immutable values: lists to tuples, mappings to `Frozen`.

    >>> freeze({"a": [1, {"b": None}]})
    Frozen({'a': (1, Frozen({'b': None}))})
    """
    if isinstance(value, Mapping):
        return Frozen({str(name): freeze(part) for name, part in value.items()})
    if isinstance(value, list | tuple):
        return tuple([freeze(part) for part in value])
    return value


def thaw(value: Any) -> Any:
    """Convert a frozen value back to plain data."""
    if isinstance(value, Mapping):
        return {name: thaw(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [thaw(part) for part in value]
    return value


class _Kept:
    """Marker for plain data that is kept unchanged, in frozen form."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.no_info_after_validator_function(
            freeze, core_schema.any_schema(), serialization=core_schema.plain_serializer_function_ser_schema(thaw)
        )


KEPT = _Kept()


def _name(pair: tuple[str, Any]) -> str:
    return pair[0]


def _without_twins(pairs: Iterable[tuple[str, V]]) -> dict[str, V]:
    inside: dict[str, V] = {}
    for name, value in pairs:
        if name in inside:
            raise InvalidInputError(f'"{name:.40}" is given twice')
        inside[name] = value
    return inside
