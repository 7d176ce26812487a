"""Tallies: numbers with a base and named parts, each with the rule behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tablewright.errors import TablewrightError


class Rounding(Enum):
    """Direction of rounding."""

    DOWN = "rounded down"
    UP = "rounded up"

    def apply(self, value: Fraction) -> int:
        """Round a fraction to a whole number.

        >>> Rounding.DOWN.apply(Fraction(-3, 2)), Rounding.UP.apply(Fraction(-3, 2))
        (-2, -1)
        """
        return floor(value) if self is Rounding.DOWN else ceil(value)


@dataclass(frozen=True, slots=True)
class Part:
    """One step towards a total: its label, its change and its rule.

    ``kind`` groups parts that may not stack. A part with ``counts`` False is shown but adds nothing; ``note`` gives the
    reason. ``changed`` is the change of the running total. Only the game master sees a ``secret`` part.
    """

    label: str
    changed: int
    rule: str | None = None
    kind: str | None = None
    counts: bool = True
    note: str = ""
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Total with its parts; every method returns a new tally.

    >>> skill = Tally.of("Stealth", 60, rule="renaissance.check.skill_target").add("candlelight", -20)
    >>> skill.total
    40
    >>> print(skill.add("a great deal of help", 90).limit(0, 98, rule="renaissance.check.target_limits").explain())
    Stealth 60 [renaissance.check.skill_target]
    candlelight -20
    a great deal of help +90
    at most 98: -32 [renaissance.check.target_limits]
    = 98

    A total in other units (pips for dice) can be shown in its own notation, ``reads``.

    >>> print(Tally.of("Brawling", 10).add("prepared", 3).reading("4D+1").explain())
    Brawling 10
    prepared +3
    = 4D+1
    """

    base: int
    label: str
    rule: str | None = None
    parts: tuple[Part, ...] = ()
    reads: str = ""

    @staticmethod
    def of(label: str, base: int = 0, rule: str | None = None) -> Tally:
        """Tally with a base and no parts."""
        return Tally(base, label, rule)

    @property
    def total(self) -> int:
        """Sum of the base and all parts that count."""
        return self.base + sum([part.changed for part in self.parts if part.counts])

    def add(
        self, label: str, value: int, rule: str | None = None, kind: str | None = None, *, secret: bool = False
    ) -> Tally:
        """Add a named part; zero is left out. Only the game master sees a secret part."""
        return self._with((*self.parts, Part(label, value, rule, kind, secret=secret))) if value else self

    def _with(self, parts: tuple[Part, ...]) -> Tally:
        return Tally(self.base, self.label, self.rule, parts)

    def reading(self, notation: str) -> Tally:
        """Set the notation that replaces the total in the explanation; any later part removes it."""
        return Tally(self.base, self.label, self.rule, self.parts, notation)

    def add_all(self, parts: Iterable[tuple[str, int, str | None]]) -> Tally:
        """Add several parts given as (label, value, rule)."""
        tally = self
        for label, value, rule in parts:
            tally = tally.add(label, value, rule)
        return tally

    def add_parts(self, parts: Iterable[Part]) -> Tally:
        """Add several parts unchanged; parts of zero are left out."""
        added = [part for part in parts if part.changed]
        return self._with((*self.parts, *added)) if added else self

    def scale(self, factor: Fraction, label: str, rule: str | None = None, rounding: Rounding = Rounding.DOWN) -> Tally:
        """Multiply the total so far and round it.

        >>> Tally.of("speed", 7).scale(Fraction(1, 2), "difficult terrain").total
        3
        """
        before = self.total
        after = rounding.apply(before * Fraction(factor))
        note = rounding.value if after != before * factor else ""
        return self._with((*self.parts, Part(label, after - before, rule, note=note)))

    def limit(self, low: int | None = None, high: int | None = None, rule: str | None = None) -> Tally:
        """Limit the total; a limit that applies becomes a part."""
        if low is not None and high is not None and low > high:
            raise TablewrightError(f"the limits of {self.label} are the wrong way round: {low} to {high}")
        total = self.total
        if high is not None and total > high:
            return self._with((*self.parts, Part(f"at most {high}", high - total, rule, kind="limit")))
        if low is not None and total < low:
            return self._with((*self.parts, Part(f"at least {low}", low - total, rule, kind="limit")))
        return self

    def only_best(self, kind: str, rule: str | None = None) -> Tally:
        """Count only the highest bonus and the lowest penalty of one kind; the other parts stay visible.

        >>> aid = Tally.of("dice", 3).add("charm", 2, kind="magic").add("blessing", 1, kind="magic")
        >>> aid.only_best("magic").total
        5
        """
        bonuses = [part.changed for part in self.parts if part.kind == kind and part.counts and part.changed > 0]
        penalties = [part.changed for part in self.parts if part.kind == kind and part.counts and part.changed < 0]
        wanted = [max(bonuses)] if bonuses else []
        wanted += [min(penalties)] if penalties else []
        parts = []
        for part in self.parts:
            if part.kind != kind or not part.counts:
                parts.append(part)
            elif part.changed in wanted:
                wanted.remove(part.changed)
                parts.append(part)
            else:
                because = f"does not stack: only the strongest {kind} counts" + (f" [{rule}]" if rule else "")
                parts.append(replace(part, counts=False, note=because))
        return self._with(tuple(parts))

    def limit_kind(self, kind: str, high: int, rule: str | None = None) -> Tally:
        """Limit the sum of one kind's parts to ``high``; the excess becomes a negative part.

        >>> aid = Tally.of("flat", 1).add("charm", 3, kind="special").add("focus", 4, kind="special").add("height", 2)
        >>> aid.limit_kind("special", 5).total
        8
        """
        over = sum([part.changed for part in self.parts if part.kind == kind and part.counts]) - high
        if over <= 0:
            return self
        return self._with((*self.parts, Part(f"{kind} at most {high}", -over, rule, kind="limit")))

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of all rules involved, without duplicates, in order."""
        named = [self.rule, *[part.rule for part in self.parts]]
        return tuple(dict.fromkeys([rule for rule in named if rule]))

    def explain(self) -> str:
        """Explain the tally: one line per part, then the total."""
        lines = [f"{self.label} {self.base}" + _cited(self.rule)]
        for part in self.parts:
            number = f"{part.changed:+d}"
            text = f"{part.label}: {number}" if part.kind == "limit" else f"{part.label} {number}"
            text = text if part.counts else f"({text})"
            lines.append(text + (f", {part.note}" if part.note else "") + _cited(part.rule))
        return "\n".join([*lines, f"= {self.reads or self.total}"])

    def to_json(self) -> dict[str, Any]:
        """Tally as JSON."""
        parts = [
            {"label": part.label, "changed": part.changed, "rule": part.rule, "counts": part.counts, "note": part.note}
            for part in self.parts
        ]
        told = {"label": self.label, "base": self.base, "rule": self.rule, "parts": parts, "total": self.total}
        return told | {"reads": self.reads} if self.reads else told


def _cited(rule: str | None) -> str:
    return f" [{rule}]" if rule else ""
