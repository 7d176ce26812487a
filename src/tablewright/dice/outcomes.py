"""Outcomes of distributions: which are one and the same, their order and their text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, TypeVar, cast

from tablewright.dice.rest import OrMore
from tablewright.errors import InvalidInputError

T = TypeVar("T")


def is_same_key(kind: type, other: type) -> bool:
    """True if equal values of two types are one outcome: 2 and 4/2 are, 1 and True or 1.0 are not."""
    return {kind, other} in ({int, Fraction}, {int, OrMore})


def alike(first: object, second: object) -> bool:
    """True if two equal values are interchangeable: ``True``, ``1`` and ``1.0`` are not.

    >>> alike(1, 1), alike(1, True), alike(1, Fraction(1))
    (True, False, True)
    >>> alike((2, 1), (2, 1)), alike((2, 1), (2, True)), alike(((2,), 1), ((2,), 1)), alike(((1,), 1), ((True,), 1))
    (True, False, True, False)
    """
    if type(first) is not type(second):
        return {type(first), type(second)} == {int, Fraction}
    if isinstance(first, tuple) and isinstance(second, tuple):
        kinds = list(map(type, first))
        if _FLAT.issuperset(kinds) and kinds == list(map(type, second)):
            return True  # the usual case: results are tuples of plain values
        return all(map(alike, first, second))
    return True


_FLAT = frozenset([bool, int, str, Fraction, type(None)])
"""Types whose values contain no others."""


def check_kinds(kinds: set[type]) -> None:
    """Refuse a mix of outcome types whose different values can be equal keys."""
    for family in (int, str):
        alike = [kind for kind in kinds if issubclass(kind, family) or (family is int and kind is Fraction)]
        if len(alike) > 1 and not is_same_key(alike[0], alike[1]):
            raise InvalidInputError("True and 1 are different outcomes but equal keys; use one kind of outcome")


def order_outcomes(outcomes: Sequence[T], kinds: set[type]) -> Sequence[int]:
    """Places of the outcomes in their order."""
    places = range(len(outcomes))
    if len(outcomes) == 1:
        return places
    if len(kinds) == 1 and issubclass(next(iter(kinds)), (str, tuple, bool)) and not _opens_with_member(outcomes[0]):
        try:
            return sorted(places, key=cast("Any", outcomes).__getitem__)
        except TypeError:
            pass
    return sorted(places, key=_keys(outcomes, kinds).__getitem__)


def _opens_with_member(outcome: object) -> bool:
    """True if an outcome is a tuple whose first part is a member of an enum, which has no order of its own."""
    return isinstance(outcome, tuple) and bool(outcome) and isinstance(outcome[0], Enum)


def _keys(values: Sequence[Any], kinds: set[type]) -> Sequence[Any]:
    """Sort keys that order values as :func:`order_of` does; those of tuples of one length are found field by field."""
    if len(kinds) == 1:
        (kind,) = kinds
        if kind in _PLAIN:
            return values
        if issubclass(kind, Enum):
            places = _places(kind)
            return [places[value._name_] for value in values]
        if issubclass(kind, tuple) and len(set(map(len, values))) == 1:
            fields = [_keys(field, set(map(type, field))) for field in zip(*values, strict=True)]
            return list(zip(*fields, strict=True)) if fields else [()] * len(values)
    elif kinds <= _NUMBERS:
        return values
    return [order_of(value) for value in values]


INTEGERS = frozenset([int])
_PLAIN = frozenset([int, bool, str, Fraction, type(None)])
_NUMBERS = frozenset([int, bool, Fraction])


_known_places: dict[type[Enum], dict[str, int]] = {}
"""Places of the members of each enum; there are as many as the program defines."""


def _places(kind: type[Enum]) -> dict[str, int]:
    """Place of each member of an enum, by name: members are slow to hash."""
    known = _known_places.get(kind)
    if known is None:
        known = _known_places[kind] = {member._name_: at for at, member in enumerate(kind)}
    return known


def order_of(outcome: object) -> tuple[Any, ...]:
    """Sort key over all types of outcomes: None, numbers, enum members as declared, text, then tuples part by part.

    >>> sorted(["b", 2, None, "a", 1], key=order_of)
    [None, 1, 2, 'a', 'b']
    """
    if outcome is None:
        return (0,)
    if isinstance(outcome, Enum):
        return (2, type(outcome).__name__, _places(type(outcome))[outcome._name_])
    if isinstance(outcome, (int, Fraction)):
        return (1, outcome)
    if isinstance(outcome, str):
        return (3, outcome)
    if isinstance(outcome, tuple):
        return (4, tuple([order_of(part) for part in outcome]))
    return (5, repr(outcome))


def format_outcome(outcome: object) -> str:
    """Readable text of an outcome.

    >>> format_outcome((True, 3))
    '(True, 3)'
    """
    if isinstance(outcome, Enum):
        return str(outcome.value)
    if hasattr(outcome, "json_text"):
        return str(outcome.json_text())
    if isinstance(outcome, tuple):
        names = getattr(outcome, "_fields", None)
        if names is not None:
            parts = [f"{name} {format_outcome(part)}" for name, part in zip(names, outcome, strict=True)]
            return ", ".join(parts)
        return "(" + ", ".join([format_outcome(part) for part in outcome]) + ")"
    return str(outcome)


def read_number(value: object) -> Any:
    """A number that a distribution can be combined with; anything else is refused."""
    if type(value) is int or isinstance(value, Fraction):
        return value
    raise InvalidInputError(
        f"a distribution can be combined with whole numbers, fractions and distributions, not {value!r}"
    )
