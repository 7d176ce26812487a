"""Ranges: ``difficulty=5..30``, ``roll_value=r8..r20``, ``core=2d6,3d6``, each read by the parameter's kind.

What lies between two ends is said by the kind of the parameter: numbers are counted, words are taken in their order, a
notation counts as its type says. So every system has ranges, and none is known here.

| written | means |
|---|---|
| ``5..30`` | every value from one to the other, up or down |
| ``5..30..5`` | every fifth of them, the first included |
| ``5..``, ``..5``, ``..`` | from or to the end, where the kind has one |
| ``5,10,20..30`` | one after the other; for a parameter that is itself a list write ``1,2|1,2,3`` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tablewright.engine import Mechanic, Parameter
from tablewright.engine.parameters import Kind, Several
from tablewright.errors import BadInput
from tablewright.game.wording import shown

MOST_VALUES = 1_000
"""How many values one range may have."""

MOST_AXES = 2
"""How many parameters may range at once: two give a grid."""

_TO, _OR, _AND = "..", "|", ","


@dataclass(frozen=True)
class Axis:
    """A parameter that ranges, with its values in the order in which they are shown."""

    name: str
    values: tuple[Any, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The values as people read them."""
        return tuple([label_of(value) for value in self.values])

    @property
    def numeric(self) -> bool:
        """Whether the values are whole numbers, so that a curve can be drawn to scale."""
        return all(type(value) is int for value in self.values)


@dataclass(frozen=True)
class Ranges:
    """The arguments of a mechanic: those that are fixed and those that range, read and within bounds."""

    mechanic: Mechanic[..., Any]
    fixed: Mapping[str, Any]
    axes: tuple[Axis, ...]

    def points(self) -> Iterator[dict[str, Any]]:
        """Every combination of the values that range; one that is empty where nothing does."""
        return points_of(self.axes)


def points_of(axes: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of some axes, the last axis fastest."""
    names = [axis.name for axis in axes]
    for values in product(*[axis.values for axis in axes]):
        yield dict(zip(names, values, strict=True))


def label_of(value: object) -> str:
    """A value as it is typed and read.

    >>> label_of(True), label_of(None), label_of((1, 2))
    ('yes', 'none', '1,2')
    """
    if type(value) is tuple:
        return ",".join(map(label_of, value))
    return "none" if value is None else shown(value)


def ranges(text: str) -> bool:
    """Whether a typed argument may be a range: a quick look that loads nothing.

    >>> ranges("5..30"), ranges("r16")
    (True, False)
    """
    return _TO in text or _OR in text or _AND in text


def read_ranges(mechanic: Mechanic[..., Any], given: Mapping[str, object], *, most_axes: int = MOST_AXES) -> Ranges:
    """Arguments as text, JSON or Python values, of which some may range; a ``range`` or a list ranges as well.

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
    tablewright.errors.BadInput: demo.check: target: "9" is not allowed; allowed is a whole number from 1 to 6
    """
    known = {parameter.name: parameter for parameter in mechanic.params}
    fixed: dict[str, Any] = {}
    axes: list[Axis] = []
    for name, raw in given.items():
        if name not in known:
            mechanic.read({name: ""})  # refuses with what there is
        try:
            values, is_range = _read(known[name], raw)
        except BadInput as problem:
            raise BadInput(f"{mechanic.name}: {name}: {problem.message}", field=name) from None
        if is_range:
            axes.append(Axis(name, values))
        else:
            fixed[name] = values[0]
    if len(axes) > most_axes:
        names = ", ".join([axis.name for axis in axes])
        raise BadInput(f"{mechanic.name}: {len(axes)} arguments range ({names}), at most {most_axes} can at once")
    return Ranges(mechanic, fixed, tuple(axes))


def _read(parameter: Parameter, raw: object) -> tuple[tuple[Any, ...], bool]:
    """The values of one argument, and whether it ranges."""
    kind = parameter.kind
    if isinstance(raw, range) or (isinstance(raw, list) and not isinstance(kind, Several)):
        if len(raw) > MOST_VALUES:
            raise _too_many(len(raw))
        return _distinct([_one(kind, part) for part in raw]), True
    if not isinstance(raw, str):
        return (_one(kind, raw),), False
    try:
        return (kind.from_json(raw),), False
    except BadInput:
        if not ranges(raw):
            raise
    return values_of(kind, raw), True


def _one(kind: Kind, raw: object) -> Any:
    return raw if kind.accepts(raw) else kind.from_json(raw)


def values_of(kind: Kind, text: str) -> tuple[Any, ...]:
    """The values that a typed range stands for.

    >>> from tablewright.engine.parameters import Whole
    >>> values_of(Whole(0, 9), "7..,1..5..2")
    (7, 8, 9, 1, 3, 5)
    """
    by = _OR if _OR in text or isinstance(kind, Several) else _AND
    values: list[Any] = []
    for part in text.split(by):
        values += _stretch(kind, part.strip()) if _TO in part else [kind.parse(part.strip())]
        if len(values) > MOST_VALUES:
            raise _too_many(len(values))
    return _distinct(values)


def _stretch(kind: Kind, part: str) -> Sequence[Any]:
    """The values from one end to the other, each so-manyth."""
    first, last, *more = [end.strip() for end in part.split(_TO)]
    if len(more) > 1 or (more and not (more[0].isascii() and more[0].isdecimal() and int(more[0][:9]) > 0)):
        raise BadInput(f'"{part:.40}" is no range; write 5..30, or 5..30..5 for every fifth')
    values = kind.between(_end(kind, first, 0, part), _end(kind, last, 1, part))
    step = int(more[0]) if more else 1
    if len(values) > MOST_VALUES * step:
        raise _too_many(-(-len(values) // step))
    return values[::step]


def _end(kind: Kind, text: str, which: int, part: str) -> Any:
    if text:
        return kind.parse(text)
    ends = kind.ends()
    if ends is None:
        missing = "ends" if which else "begins"
        raise BadInput(f'"{part:.40}" does not say where it {missing}; allowed is {kind.allowed()}')
    return ends[which]


def _distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    """Each value once; ``True`` and ``1`` are two."""
    if not values:
        raise BadInput("a range needs at least one value")
    return tuple({(type(value), value): value for value in values}.values())


def _too_many(count: int) -> BadInput:
    return BadInput(f"{count:,} values are too many, at most {MOST_VALUES:,} are worked out at once")
