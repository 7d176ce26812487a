"""An example of each mechanic, found by trying: arguments that are allowed and whose outcome is open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from tablewright.engine import Mechanic, Parameter, odds
from tablewright.engine.parameters import Flag, Kind, Notated, OrNothing, Several, Whole, Word
from tablewright.errors import TablewrightError

MOST_TRIES = 10
OPEN = 0.6
"""An outcome less likely than this leaves enough open."""
_USUAL = (5, 10, 50, 3, 1, 2, 12, 20, 60, 0)


def example_of(mechanic: Mechanic[..., Any]) -> dict[str, str] | None:
    """Texts for the arguments that must be given, so that the outcome is as open as a few tries can make it."""
    required = [parameter for parameter in mechanic.params if parameter.required]
    candidates = [list(enumerate(_texts(parameter))) for parameter in required]
    together = sorted(islice(product(*candidates), 2_000), key=lambda tried: sum([place for place, _ in tried]))
    best, surest = None, 2.0
    for tried in together[:MOST_TRIES]:
        given = {parameter.name: text for parameter, (_, text) in zip(required, tried, strict=True)}
        try:
            exact = odds(mechanic.read(given))
        except TablewrightError:
            continue
        sure = max(exact.weights) / exact.total
        if sure < OPEN:
            return given
        if sure < surest:
            best, surest = given, sure
    return best


def example_words(mechanic: Mechanic[..., Any]) -> str | None:
    """The example as it is typed: the mechanic's name and its arguments."""
    found = example_of(mechanic)
    return None if found is None else " ".join([mechanic.name, *[f"{name}={text}" for name, text in found.items()]])


def _texts(parameter: Parameter) -> Iterator[str]:
    yield from dict.fromkeys(_texts_of(parameter.kind))


def _texts_of(kind: Kind) -> Iterator[str]:
    if isinstance(kind, Whole):
        usual = [number for number in _USUAL if kind.accepts(number)]
        yield from map(str, usual or [bound for bound in (kind.low, kind.high) if bound is not None])
    elif isinstance(kind, Flag):
        yield from ("yes", "no")
    elif isinstance(kind, Word):
        yield from [name for name, _ in kind.choices]
    elif isinstance(kind, OrNothing):
        yield from _texts_of(kind.some)
        yield "none"
    elif isinstance(kind, Several):
        for text in _texts_of(kind.each):
            yield from (text, f"{text},{text}")
    elif isinstance(kind, Notated):
        yield from _notated(kind)
    else:
        yield "example"


def _notated(kind: Notated) -> Iterator[str]:
    """A notation's own words usually hold an example, as in "a purse such as p12"."""
    words = re.findall(r"[^\s\"'`,;]+", kind.type.__doc__ or "")
    for word in words:
        candidate = word.strip(".():")
        if any(map(str.isdigit, candidate)):
            try:
                kind.parse(candidate)
            except TablewrightError:
                continue
            yield candidate
