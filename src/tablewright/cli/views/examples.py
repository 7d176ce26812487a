"""Example arguments for a mechanic, found by trial: allowed ones with an open outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from tablewright.engine import Mechanic, Odds, Parameter, TooComplexError, odds
from tablewright.engine.odds import decision_or_odds
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    ParameterType,
)
from tablewright.errors import TablewrightError

MOST_TRIES = 10
OPEN = 0.6
"""Upper bound for the likeliest outcome of a good example."""
_USUAL = (5, 10, 50, 3, 1, 2, 12, 20, 60, 0)


def example_of(mechanic: Mechanic[..., Any]) -> dict[str, str] | None:
    """Texts for the required arguments with the most open outcome found; None if no try is allowed."""
    required = [parameter for parameter in mechanic.params if parameter.required]
    candidates = [list(enumerate(_texts(parameter))) for parameter in required]
    together = sorted(islice(product(*candidates), 2_000), key=lambda tried: sum([place for place, _ in tried]))
    best, surest = None, 2.0
    for tried in together[:MOST_TRIES]:
        given = {parameter.name: text for parameter, (_, text) in zip(required, tried, strict=True)}
        try:
            call = mechanic.read(given)
            exact = odds(call)
        except TooComplexError:  # found out only after seconds, and likely the same with other values
            if best is not None:
                break
            continue
        except TablewrightError:
            continue
        sure = max(exact.weights) / exact.total
        if sure < OPEN:
            return given
        if sure == 1 == surest and not isinstance(decision_or_odds(call), Odds):  # twice the best choice is not to roll
            break
        if sure < surest:
            best, surest = given, sure
    return best


def example_words(mechanic: Mechanic[..., Any]) -> str | None:
    """The example as typed: the mechanic's name and its arguments; None if there is none."""
    found = example_of(mechanic)
    return None if found is None else " ".join([mechanic.name, *[f"{name}={text}" for name, text in found.items()]])


def _texts(parameter: Parameter) -> Iterator[str]:
    yield from dict.fromkeys(_texts_of(parameter.kind))


def _texts_of(kind: ParameterType) -> Iterator[str]:
    if isinstance(kind, IntType):
        usual = [number for number in _USUAL if kind.accepts(number)]
        yield from map(str, usual or [bound for bound in (kind.low, kind.high) if bound is not None])
    elif isinstance(kind, BoolType):
        yield from ("yes", "no")
    elif isinstance(kind, EnumType):
        yield from [name for name, _ in kind.choices]
    elif isinstance(kind, OptionalType):
        yield from _texts_of(kind.some)
        yield "none"
    elif isinstance(kind, ListType):
        for text in _texts_of(kind.each):
            yield from (text, f"{text},{text}")
    elif isinstance(kind, NotationType):
        yield from _notated(kind)
    else:
        yield "example"


def _notated(kind: NotationType) -> Iterator[str]:
    """Candidates from a notation's docstring, which usually holds an example such as "a purse such as p12"."""
    words = re.findall(r"[^\s\"'`,;]+", kind.type.__doc__ or "")
    for word in words:
        candidate = word.strip(".():")
        if any(map(str.isdigit, candidate)):
            try:
                kind.parse(candidate)
            except TablewrightError:
                continue
            yield candidate
