"""Something to roll, with its sources of advantage and disadvantage, that can say where all of it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from tablewright.engine import Tally
from tablewright.systems.mars.character import Rolled
from tablewright.systems.mars.options import OddRollValues

Part: TypeAlias = tuple[str, int, str | None]
"""A number with what it is called and the rule that put it there."""

MOST_SOURCES = 10


class Throw:
    """Something to roll: the roll value, sources of advantage and disadvantage, and where all of it comes from."""

    __slots__ = ("_tallies", "advantage", "cons", "disadvantage", "pros", "rolled", "value")

    def __init__(self, rolled: Rolled, pros: tuple[Part, ...] = (), cons: tuple[Part, ...] = ()) -> None:
        self.rolled = rolled
        self.value = rolled.value
        self.pros = pros
        self.cons = cons
        self.advantage = min(MOST_SOURCES, sum([value for _, value, _ in pros]))
        self.disadvantage = min(MOST_SOURCES, sum([value for _, value, _ in cons]))
        self._tallies: dict[str, dict[str, Tally]] = {}

    def with_parts(self, parts: Iterable[Part], pros: Iterable[Part] = (), cons: Iterable[Part] = ()) -> Throw:
        """With some numbers and sources more."""
        parts, pros, cons = tuple(parts), tuple(pros), tuple(cons)
        if not parts and not pros and not cons:
            return self
        rolled = self.rolled
        for label, value, rule in parts:
            rolled = rolled.add(label, value, rule)
        return Throw(rolled, (*self.pros, *pros), (*self.cons, *cons))

    def passive(self, odd: OddRollValues = "literal") -> Throw:
        """What stands in for the roll: the passive value, moved by the number of dice for (dis)advantage."""
        value = self.value.read_as(odd)  # mars.dice.odd_values
        net = self.advantage - self.disadvantage
        number = len(value.dice())
        rolled = Rolled.of("passive value", value.passive, "mars.dice.passive")
        if net > 0:
            rolled = rolled.add("net advantage", number, "mars.gap.dice.passive_advantage")
        elif net < 0:
            rolled = rolled.add("net disadvantage", -number, "mars.gap.dice.passive_advantage")
        return Throw(rolled)

    def tallies(self, name: str, prefix: str = "") -> dict[str, Tally]:
        """Tallies for the arguments of a mechanic; ``name`` is the argument of the roll value."""
        known = self._tallies.get(name)
        if known is None:
            known = {name: self.rolled.tally()}
            if self.pros:
                known[f"{prefix}advantage"] = sources(self.pros)
            if self.cons:
                known[f"{prefix}disadvantage"] = sources(self.cons)
            self._tallies[name] = known
        return known


@lru_cache(maxsize=1_024)
def sources(parts: tuple[Part, ...]) -> Tally:
    """Sources of advantage or disadvantage, counted by name."""
    (label, value, rule), *others = parts
    return Tally.of(label, value, rule).add_all(others)
