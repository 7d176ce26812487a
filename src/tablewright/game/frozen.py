"""Values inside characters: mappings that cannot change, and values that are written in their own notation.

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

from tablewright.errors import BadInput, nearest

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

V = TypeVar("V")
W = TypeVar("W")

MOST_ENTRIES = 2_000


class Frozen(Mapping[str, V], Generic[V]):
    """A mapping from names to values that never changes, is hashable, and keeps its names sorted.

    In a pydantic model it reads from and dumps to a JSON object. Every method that changes something gives another one.
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

    if not TYPE_CHECKING:  # whose types are those of every mapping

        def get(self, name: str, default: Any = None) -> Any:
            """The value of a name, or another where there is none."""
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
        """With one value set."""
        return Frozen({**dict(self.pairs), name: value})

    def drop(self, name: str) -> Frozen[V]:
        """Without one name; a name that is not there is refused.

        >>> Frozen({"climb": 4}).drop("clim")
        Traceback (most recent call last):
        tablewright.errors.BadInput: there is no "clim"; did you mean "climb"?
        """
        if name not in self:
            raise BadInput(f'there is no "{name:.40}"{nearest(name, self)}')
        return Frozen([pair for pair in self.pairs if pair[0] != name])

    def change(self, function: Callable[[V], W]) -> Frozen[W]:
        """With every value changed by a function."""
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


class Written:
    """Marks a value type with its own notation (``parse`` and ``json_text``): it stands as text in a file.

    ``Skill = Annotated[RollValue, WRITTEN]``, then ``skills: Frozen[Skill]`` reads ``{agility: r14+1}``.
    """

    def __get_pydantic_core_schema__(self, source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import PydanticCustomError, core_schema  # noqa: PLC0415

        def parse(text: str) -> Any:
            try:
                return source.parse(text)
            except (BadInput, ValueError) as error:
                raise PydanticCustomError("notation", "{problem}", {"problem": str(error)}) from None

        written = core_schema.no_info_after_validator_function(parse, core_schema.str_schema(max_length=200))
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(source), written]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.json_text(), return_schema=core_schema.str_schema()
            ),
        )


WRITTEN = Written()


def freeze(value: Any) -> Any:
    """Plain data as values that cannot change: lists as tuples, mappings as `Frozen`.

    >>> freeze({"a": [1, {"b": None}]})
    Frozen({'a': (1, Frozen({'b': None}))})
    """
    if isinstance(value, Mapping):
        return Frozen({str(name): freeze(part) for name, part in value.items()})
    if isinstance(value, list | tuple):
        return tuple([freeze(part) for part in value])
    return value


def thaw(value: Any) -> Any:
    """The plain data that a frozen value was made of."""
    if isinstance(value, Mapping):
        return {name: thaw(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [thaw(part) for part in value]
    return value


class _Kept:
    """Marks plain data that is kept as it is, frozen."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.no_info_after_validator_function(
            freeze,
            core_schema.any_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(thaw),
        )


KEPT = _Kept()


def _name(pair: tuple[str, Any]) -> str:
    return pair[0]


def _without_twins(pairs: Iterable[tuple[str, V]]) -> dict[str, V]:
    inside: dict[str, V] = {}
    for name, value in pairs:
        if name in inside:
            raise BadInput(f'"{name:.40}" is given twice')
        inside[name] = value
    return inside
