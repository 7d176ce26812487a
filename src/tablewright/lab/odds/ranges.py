"""Ranges: ``difficulty=5..30``, ``roll_value=r8..r20``, ``core=2d6,3d6``, parsed by the parameter's type.

The parameter's type defines the values between two ends: numbers count up or down, words follow their declared order,
and a notation follows its own type. Ranges therefore work for every system, without knowledge of any.

| written | means |
|---|---|
| ``5..30`` | every value from one end to the other, up or down |
| ``5..30..5`` | every fifth value, starting with the first |
| ``5..``, ``..5``, ``..`` | open range, if the type has an end there |
| ``5,10,20..30`` | several values or ranges; for a list parameter write ``1,2|1,2,3`` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tablewright.engine import Mechanic, Parameter
from tablewright.engine.parameter_types import ListType, ParameterType
from tablewright.errors import InvalidInputError
from tablewright.game.narration.formatting import label_of

MOST_VALUES = 1_000
"""Upper bound for values of one range."""

MOST_AXES = 2
"""Upper bound for ranging parameters; two give a grid."""

_TO, _OR, _AND = "..", "|", ","


@dataclass(frozen=True)
class Axis:
    """A ranging parameter with its values in display order."""

    name: str
    values: tuple[Any, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the values."""
        return tuple([label_of(value) for value in self.values])

    @property
    def numeric(self) -> bool:
        """True if all values are integers, as a curve drawn to scale needs."""
        return all(type(value) is int for value in self.values)


@dataclass(frozen=True)
class Ranges:
    """Validated arguments of a mechanic, fixed ones and ranging ones."""

    mechanic: Mechanic[..., Any]
    fixed: Mapping[str, Any]
    axes: tuple[Axis, ...]

    def points(self) -> Iterator[dict[str, Any]]:
        """All combinations of the ranging values; a single empty one without ranges."""
        return points_of(self.axes)


def points_of(axes: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """All combinations of the axes' values, the last axis fastest."""
    names = [axis.name for axis in axes]
    for values in product(*[axis.values for axis in axes]):
        yield dict(zip(names, values, strict=True))


def ranges(text: str) -> bool:
    """True if a typed argument may be a range; a cheap test that imports nothing.

    >>> ranges("5..30"), ranges("r16")
    (True, False)
    """
    return _TO in text or _OR in text or _AND in text


def read_ranges(mechanic: Mechanic[..., Any], given: Mapping[str, object], *, most_axes: int = MOST_AXES) -> Ranges:
    """Read arguments given as text, JSON or Python values; text ranges, ``range`` and lists become axes.

    >>> from typing import Annotated, Literal
    >>> from tablewright.engine import Param, d, mechanic
    >>> @mechanic(rules=["demo.check.roll"])
    ... async def check(target: Annotated[int, Param("roll this or less", 1, 6)], mood: Literal["sad", "gay"]) -> bool:
    ...     "Roll a die."
    ...     return await d(6) + (mood == "gay") <= target
    >>> read = read_ranges(check, {"target": "2..6..2", "mood": ".."})
    >>> [(axis.name, axis.values) for axis in read.axes]
    [('target', (2, 4, 6)), ('mood', ('sad', 'gay'))]
    >>> read_ranges(check, {"target": "5..9"})
    Traceback (most recent call last):
    tablewright.errors.InvalidInputError: demo.check: target: "9" is not allowed; allowed is a whole number from 1 to 6
    """
    known = {parameter.name: parameter for parameter in mechanic.params}
    fixed: dict[str, Any] = {}
    axes: list[Axis] = []
    for name, raw in given.items():
        if name not in known:
            mechanic.read({name: ""})  # raises and lists the known names
        try:
            values, is_range = _read(known[name], raw)
        except InvalidInputError as problem:
            raise InvalidInputError(f"{mechanic.name}: {name}: {problem.message}", field=name) from None
        if is_range:
            axes.append(Axis(name, values))
        else:
            fixed[name] = values[0]
    if len(axes) > most_axes:
        names = ", ".join([axis.name for axis in axes])
        raise InvalidInputError(
            f"{mechanic.name}: {len(axes)} arguments range ({names}), at most {most_axes} can at once"
        )
    return Ranges(mechanic, fixed, tuple(axes))


def _read(parameter: Parameter, raw: object) -> tuple[tuple[Any, ...], bool]:
    """Values of one argument, and whether it ranges."""
    kind = parameter.kind
    if isinstance(raw, range) or (isinstance(raw, list) and not isinstance(kind, ListType)):
        if len(raw) > MOST_VALUES:
            raise _too_many(len(raw))
        return _distinct([_one(kind, part) for part in raw]), True
    if not isinstance(raw, str):
        return (_one(kind, raw),), False
    try:
        return (kind.from_json(raw),), False
    except InvalidInputError:
        if not ranges(raw):
            raise
    return values_of(kind, raw), True


def _one(kind: ParameterType, raw: object) -> Any:
    return raw if kind.accepts(raw) else kind.from_json(raw)


def values_of(kind: ParameterType, text: str) -> tuple[Any, ...]:
    """Values of a typed range.

    >>> from tablewright.engine.parameter_types import IntType
    >>> values_of(IntType(0, 9), "7..,1..5..2")
    (7, 8, 9, 1, 3, 5)
    """
    by = _OR if _OR in text or isinstance(kind, ListType) else _AND
    values: list[Any] = []
    for part in text.split(by):
        values += _stretch(kind, part.strip()) if _TO in part else [kind.parse(part.strip())]
        if len(values) > MOST_VALUES:
            raise _too_many(len(values))
    return _distinct(values)


def _stretch(kind: ParameterType, part: str) -> Sequence[Any]:
    """Values from one end to the other, with the step applied."""
    first, last, *more = [end.strip() for end in part.split(_TO)]
    if len(more) > 1 or (more and not (more[0].isascii() and more[0].isdecimal() and int(more[0][:9]) > 0)):
        raise InvalidInputError(f'"{part:.40}" is not a range; write 5..30, or 5..30..5 for every fifth')
    values = kind.between(_end(kind, first, 0, part), _end(kind, last, 1, part))
    step = int(more[0]) if more else 1
    if len(values) > MOST_VALUES * step:
        raise _too_many(-(-len(values) // step))
    return values[::step]


def _end(kind: ParameterType, text: str, which: int, part: str) -> Any:
    if text:
        return kind.parse(text)
    ends = kind.ends()
    if ends is None:
        missing = "ends" if which else "begins"
        raise InvalidInputError(f'"{part:.40}" does not say where it {missing}; allowed is {kind.allowed()}')
    return ends[which]


def _distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    """Values without duplicates; ``True`` and ``1`` are distinct."""
    if not values:
        raise InvalidInputError("a range needs at least one value")
    return tuple({(type(value), value): value for value in values}.values())


def _too_many(count: int) -> InvalidInputError:
    return InvalidInputError(f"{count:,} values are too many, at most {MOST_VALUES:,} are worked out at once")
