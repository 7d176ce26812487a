"""A roll value that can say where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tablewright.engine.tally import Tally
from tablewright.systems.mars.values import RollValue

MERGE = "mars.dice.merge"


class RollPart(NamedTuple):
    """One part of a merged roll value: dice, a flat modifier, or both."""

    label: str
    value: RollValue
    rule: str | None = None

    def __str__(self) -> str:
        shown = f"{self.value.modifier:+d}" if self.value.n == 0 else str(self.value)
        return f"{self.label} {shown}" + (f" [{self.rule}]" if self.rule else "")


@dataclass(frozen=True, slots=True)
class Rolled:
    """Roll values and flat numbers that are rolled together as one.

    >>> attack = Rolled.of("DEX", RollValue(10, 1)).add("finesse", RollValue(8)).add("armour penalty", -1)
    >>> str(attack.value), attack.tally().total
    ('r18', 18)
    >>> print(attack.explain())
    DEX r10+1
    finesse r8
    armour penalty -1
    = r18
    """

    parts: tuple[RollPart, ...] = ()

    @staticmethod
    def of(label: str, value: RollValue | int, rule: str | None = None) -> Rolled:
        """A roll value that so far has one part."""
        return Rolled((RollPart(label, _rolled(value), rule),))

    def add(self, label: str, value: RollValue | int, rule: str | None = None) -> Rolled:
        """With one part more; nothing is left out."""
        rolled = _rolled(value)
        return self if rolled == (0, 0) else Rolled((*self.parts, RollPart(label, rolled, rule)))

    def plus(self, other: Rolled) -> Rolled:
        """With all parts of another one."""
        return Rolled((*self.parts, *other.parts))

    @property
    def value(self) -> RollValue:
        """What is rolled."""
        return RollValue.merge([part.value for part in self.parts])

    @property
    def maximum(self) -> int:
        """The highest total."""
        return self.value.maximum

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a hand in it, once, in order."""
        return tuple(dict.fromkeys([part.rule for part in self.parts if part.rule]))

    def tally(self, label: str = "") -> Tally:
        """The same as a tally, whose total is the maximum of the roll value and which reads as it is rolled."""
        tally = Tally.of(label, 0) if label else None
        for part in self.parts:
            name = f"{part.label} r{part.value.n}" if part.value.n else part.label
            if tally is None:
                tally = Tally.of(name, part.value.maximum, part.rule)
            else:
                tally = tally.add(name, part.value.maximum, part.rule)
        return (tally or Tally.of(label or "nothing", 0)).reading(str(self.value))

    def explain(self) -> str:
        """One line for each part, and what is rolled."""
        return "\n".join([*map(str, self.parts), f"= {self.value}"])


def _rolled(value: RollValue | int) -> RollValue:
    return value if isinstance(value, RollValue) else RollValue(0, value)
