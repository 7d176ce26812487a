"""Whether a character is within the rules: every violation with the rule it breaks, not only the first.

A system's report is a list of checks; each gives the violations it finds, and those here serve every system:

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

from tablewright.errors import BadInput, RulesSayNo, nearest

_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+\Z")


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that the rules forbid: the rule, where it is in the character, and what is wrong."""

    rule: str
    where: str
    message: str

    def __post_init__(self) -> None:
        if not _RULE_ID.match(self.rule):
            raise BadInput(f'a violation begins with the id of its rule, not with "{self.rule:.60}"')

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.rule}]"

    def to_json(self) -> dict[str, str]:
        """The violation as JSON."""
        return {"rule": self.rule, "where": self.where, "message": self.message}


Found: TypeAlias = tuple[Violation, ...]
"""What one check gives: nothing where all is well."""


@dataclass(frozen=True, slots=True)
class Legality:
    """The report on a character."""

    violations: tuple[Violation, ...] = ()

    @staticmethod
    def of(*checks: Iterable[Violation]) -> Legality:
        """The report of several checks, each violation once, in order."""
        return Legality(tuple(dict.fromkeys([violation for check in checks for violation in check])))

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are broken, each once."""
        return tuple(dict.fromkeys([violation.rule for violation in self.violations]))

    def explain(self, title: Callable[[str], str] | None = None) -> str:
        """One line for each violation; `title` gives the wording of a rule by its id, a line of its own."""
        lines = []
        for violation in self.violations:
            lines.append(str(violation))
            if title is not None:
                lines.append(f"  {title(violation.rule)}")
        return "\n".join(lines) or "within the rules"

    def demand(self) -> None:
        """Refuse a character that is not within the rules, with everything that is wrong."""
        if self.violations:
            raise RulesSayNo(self.explain(), field=self.violations[0].where)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {"ok": self.ok, "violations": [violation.to_json() for violation in self.violations]}


# ---------------------------------------------------------------------- checks that every system uses


def forbidden(where: str, message: str, *, rule: str) -> Found:
    """A violation in the system's own words."""
    return (Violation(rule, where, message),)


def unless(holds: bool, where: str, message: str, *, rule: str) -> Found:
    """A violation in the system's own words, unless something holds."""
    return () if holds else (Violation(rule, where, message),)


def overspent(where: str, spent: int, total: int, *, rule: str) -> Found:
    """More was spent than there is."""
    return unless(spent <= total, where, f"{spent} spent, there are {total}: {spent - total} too many", rule=rule)


def not_all_spent(where: str, spent: int, total: int, *, rule: str) -> Found:
    """Where the book wants everything spent: exactly the total, no more and no less.

    >>> [str(found) for found in not_all_spent("points", 5, 8, rule="demo.creation.points")]
    ['points: 5 of 8 spent: 3 are left [demo.creation.points]']
    """
    if spent > total:
        return overspent(where, spent, total, rule=rule)
    return unless(spent == total, where, f"{spent} of {total} spent: {total - spent} are left", rule=rule)


def out_of_range(where: str, value: int, low: int | None = None, high: int | None = None, *, rule: str) -> Found:
    """A number is too low or too high."""
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
    """Too few or too many of something; without `high` exactly `low` of them.

    >>> [str(found) for found in wrong_number("talents", ["lucky"], 2, what="talents", rule="demo.creation.talents")]
    ['talents: 1 talents, allowed are 2 [demo.creation.talents]']
    """
    number = things if isinstance(things, int) else len(list(things))
    most = low if high is None else high
    allowed = str(low) if low == most else f"{low} to {most}"
    return unless(low <= number <= most, where, f"{number} {what}, allowed are {allowed}", rule=rule)


def unknown_id(where: str, name: str, known: Iterable[str], *, rule: str) -> Found:
    """A name that the content does not have."""
    names = known if isinstance(known, (dict, frozenset, set, tuple, list)) else tuple(known)
    if name in names:
        return ()
    return forbidden(where, f'"{name:.60}" is unknown{nearest(name, names)}', rule=rule)


def unknown_ids(where: str, names: Iterable[str], known: Iterable[str], *, rule: str) -> Found:
    """Every name that the content does not have, each once."""
    there = dict.fromkeys(known)
    return tuple([found for name in dict.fromkeys(names) for found in unknown_id(where, name, there, rule=rule)])


def missing(where: str, needed: str, has: Iterable[str], *, by: str, rule: str) -> Found:
    """A prerequisite is not there: `by` needs it.

    >>> [str(found) for found in missing("powers", "spark", ["glow"], by="flame", rule="demo.power.order")]
    ['powers: flame needs spark [demo.power.order]']
    """
    return unless(needed in tuple(has), where, f"{by} needs {needed}", rule=rule)


def too_low(where: str, what: str, value: int, least: int, *, by: str, rule: str) -> Found:
    """A prerequisite in numbers is not met: `by` needs at least so much.

    >>> [str(found) for found in too_low("powers", "wits", 2, 3, by="flame", rule="demo.power.wits")]
    ['powers: flame needs wits 3, it is 2 [demo.power.wits]']
    """
    return unless(value >= least, where, f"{by} needs {what} {least}, it is {value}", rule=rule)


def duplicates(where: str, names: Iterable[str], *, rule: str) -> Found:
    """Every name that stands there more than once."""
    counted = Counter(names)
    return tuple(
        [
            Violation(rule, where, f'"{name:.60}" stands there {count} times')
            for name, count in counted.items()
            if count > 1
        ]
    )
