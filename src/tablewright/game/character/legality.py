"""Legality of a character: all violations, each with the rule it breaks.

A system's report is a list of checks that each return violations. The checks here are common to all systems:

>>> report = Legality.of(
...     overspent("stat points", spent=9, total=8, rule="demo.creation.points"),
...     out_of_range("stats.brawn", 7, 1, 6, rule="demo.creation.limits"),
...     unknown_id("skills", "clim", ["climb", "swim"], rule="demo.creation.skills"),
...     duplicates("talents", ["lucky", "quick"], rule="demo.creation.talents"),
... )
>>> print(report.explain())
stat points: 9 spent, there are 8: 1 too many [demo.creation.points]
stats.brawn: 7 is out of range, allowed are 1 to 6 [demo.creation.limits]
skills: "clim" is unknown; did you mean "climb"? [demo.creation.skills]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tablewright.errors import InvalidInputError, did_you_mean

_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+\Z")


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation: the rule, its place in the character and a message."""

    rule: str
    where: str
    message: str

    def __post_init__(self) -> None:
        if not _RULE_ID.match(self.rule):
            raise InvalidInputError(f'a violation begins with the id of its rule, not with "{self.rule:.60}"')

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.rule}]"

    def to_json(self) -> dict[str, str]:
        """The violation as JSON."""
        return {"rule": self.rule, "where": self.where, "message": self.message}


Found: TypeAlias = tuple[Violation, ...]
"""Violations from one check; empty if there are none."""


@dataclass(frozen=True, slots=True)
class Legality:
    """Report on a character."""

    violations: tuple[Violation, ...] = ()

    @staticmethod
    def of(*checks: Iterable[Violation]) -> Legality:
        """Report of several checks; duplicates are dropped, the order is kept."""
        return Legality(tuple(dict.fromkeys([violation for check in checks for violation in check])))

    @property
    def ok(self) -> bool:
        """True if there are no violations."""
        return not self.violations

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of the broken rules, without duplicates."""
        return tuple(dict.fromkeys([violation.rule for violation in self.violations]))

    def explain(self, title: Callable[[str], str] | None = None) -> str:
        """One line for each violation; `title` adds a line with the wording of its rule."""
        lines = []
        for violation in self.violations:
            lines.append(str(violation))
            if title is not None:
                lines.append(f"  {title(violation.rule)}")
        return "\n".join(lines) or "within the rules"

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {"ok": self.ok, "violations": [violation.to_json() for violation in self.violations]}


# ---------------------------------------------------------------------- common checks


def forbidden(where: str, message: str, *, rule: str) -> Found:
    """A violation with the system's own message."""
    return (Violation(rule, where, message),)


def unless(holds: bool, where: str, message: str, *, rule: str) -> Found:
    """A violation with the system's own message, unless `holds`."""
    return () if holds else (Violation(rule, where, message),)


def overspent(where: str, spent: int, total: int, *, rule: str) -> Found:
    """A violation if more was spent than the total."""
    return unless(spent <= total, where, f"{spent} spent, there are {total}: {spent - total} too many", rule=rule)


def not_all_spent(where: str, spent: int, total: int, *, rule: str) -> Found:
    """A violation unless exactly the total was spent.

    >>> [str(found) for found in not_all_spent("points", 5, 8, rule="demo.creation.points")]
    ['points: 5 of 8 spent: 3 are left [demo.creation.points]']
    """
    if spent > total:
        return overspent(where, spent, total, rule=rule)
    return unless(spent == total, where, f"{spent} of {total} spent: {total - spent} are left", rule=rule)


def out_of_range(where: str, value: int, low: int | None = None, high: int | None = None, *, rule: str) -> Found:
    """A violation if a number is below `low` or above `high`."""
    if (low is None or value >= low) and (high is None or value <= high):
        return ()
    if low is None or high is None:
        allowed = f"{high} or less" if low is None else f"{low} or more"
    else:
        allowed = str(low) if low == high else f"{low} to {high}"
    return forbidden(where, f"{value} is out of range, allowed are {allowed}", rule=rule)


def wrong_number(
    where: str, things: int | Iterable[Any], low: int, high: int | None = None, *, what: str, rule: str
) -> Found:
    """A violation if there are too few or too many things; without `high` exactly `low` are required.

    >>> [str(found) for found in wrong_number("talents", ["lucky"], 2, what="talents", rule="demo.creation.talents")]
    ['talents: 1 talents, allowed are 2 [demo.creation.talents]']
    """
    number = things if isinstance(things, int) else len(list(things))
    most = low if high is None else high
    allowed = str(low) if low == most else f"{low} to {most}"
    return unless(low <= number <= most, where, f"{number} {what}, allowed are {allowed}", rule=rule)


def unknown_id(where: str, name: str, known: Iterable[str], *, rule: str) -> Found:
    """A violation if the content does not have this name."""
    names = known if isinstance(known, (dict, frozenset, set, tuple, list)) else tuple(known)
    if name in names:
        return ()
    return forbidden(where, f'"{name:.60}" is unknown{did_you_mean(name, names)}', rule=rule)


def unknown_ids(where: str, names: Iterable[str], known: Iterable[str], *, rule: str) -> Found:
    """A violation for each name that the content does not have, without duplicates."""
    there = dict.fromkeys(known)
    return tuple([found for name in dict.fromkeys(names) for found in unknown_id(where, name, there, rule=rule)])


def changed_fields(character: Any, names: Iterable[str], message: str, *, rule: str) -> Found:
    """A violation for each field of a character that differs from its default, such as figures of creatures."""
    usual = type(character).model_fields
    changed = [name for name in names if getattr(character, name) != usual[name].default]
    return tuple([one for name in changed for one in forbidden(name, message, rule=rule)])


def too_low(where: str, what: str, value: int, least: int, *, by: str, rule: str) -> Found:
    """A violation if a number is below the least that `by` needs.

    >>> [str(found) for found in too_low("powers", "wits", 2, 3, by="flame", rule="demo.power.wits")]
    ['powers: flame needs wits 3, it is 2 [demo.power.wits]']
    """
    return unless(value >= least, where, f"{by} needs {what} {least}, it is {value}", rule=rule)


def duplicates(where: str, names: Iterable[str], *, rule: str) -> Found:
    """A violation for each name that occurs more than once."""
    counted = Counter(names)
    return tuple(
        [
            Violation(rule, where, f'"{name:.60}" stands there {count} times')
            for name, count in counted.items()
            if count > 1
        ]
    )
