"""Vocabulary of the rules as values, with their notations and tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, get_args

from tablewright.dice import Die, Sum
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import table
from tablewright.systems.renaissance.options import DowngradeCritical, ExceptionalBoundary, RegradeLimit

DAY, MINUTE = 86_400, 60
"""Seconds on the clock."""

D_PERCENT = Sum((Die(100, low=0),))  # renaissance.check.d_percent
LOWEST_TARGET, HIGHEST_TARGET = 0, 98  # renaissance.check.target_limits
EXCEPTIONAL_MARGIN = 30  # renaissance.grade.exceptional


class Grade(Enum):
    """Grade of a check, worst first."""

    CRITICAL_FAILURE = "critical_failure"
    EXCEPTIONAL_FAILURE = "exceptional_failure"
    NORMAL_FAILURE = "normal_failure"
    NORMAL_SUCCESS = "normal_success"
    EXCEPTIONAL_SUCCESS = "exceptional_success"
    CRITICAL_SUCCESS = "critical_success"

    __hash__ = object.__hash__  # results with a grade are hashed by the thousand

    @property
    def succeeds(self) -> bool:
        """True if it is one of the three successes."""
        return self.rank >= 3

    @property
    def rank(self) -> int:
        """0 for a critical failure up to 5 for a critical success."""
        return _RANKS[self]


_RANKS = {grade: rank for rank, grade in enumerate(Grade)}


class Quality(Enum):
    """Result of a simple check; the goal is reached either way."""

    STUMBLE = "stumble"
    EXCEL = "excel"


class Side(Enum):
    """One of the two sides of an opposed check."""

    A = "a"
    B = "b"


class Variable(Enum):
    """Result of a variable check."""

    A_WINS = "a_wins"
    BOTH_PARTIAL = "both_partial"
    B_WINS = "b_wins"


class Checked(NamedTuple):
    """A check with its margin: the number rolled for a success, by how much it missed for a failure."""

    grade: Grade
    margin: int

    @property
    def succeeds(self) -> bool:
        """True if the check succeeded."""
        return self.grade.succeeds


class Won(NamedTuple):
    """Winner of an opposed check, with grade and Margin of Success."""

    winner: Side
    grade: Grade
    margin: int


class Lucky(NamedTuple):
    """A check on which Luck points may have been spent."""

    grade: Grade
    spent: int


class LuckyMargin(NamedTuple):
    """A check on which Luck points may have been spent, with its margin."""

    grade: Grade
    margin: int
    spent: int


def limited(target: int) -> int:
    """The target after all modifiers, kept within its limits.

    >>> limited(120), limited(-10)
    (98, 0)
    """
    return min(max(target, LOWEST_TARGET), HIGHEST_TARGET)


DOUBLE = 11
"""Numbers that it divides show the same digit twice."""


def is_exceptional_margin(margin: int, boundary: ExceptionalBoundary) -> bool:
    """True if a margin alone makes a result exceptional.

    >>> is_exceptional_margin(30, "over"), is_exceptional_margin(30, "at_least")
    (False, True)
    """
    return margin > EXCEPTIONAL_MARGIN or (boundary == "at_least" and margin == EXCEPTIONAL_MARGIN)


_SUCCESSES = (Grade.NORMAL_SUCCESS, Grade.EXCEPTIONAL_SUCCESS, Grade.CRITICAL_SUCCESS)
_FAILURES = (Grade.NORMAL_FAILURE, Grade.EXCEPTIONAL_FAILURE, Grade.CRITICAL_FAILURE)
_SIDES = _SUCCESSES, _FAILURES


def natural_grade(rolled: int, target: int, boundary: ExceptionalBoundary = "over") -> Grade:
    """The grade of a number rolled against a target within its limits, before anything changes it.

    >>> natural_grade(45, 80)
    <Grade.EXCEPTIONAL_SUCCESS: 'exceptional_success'>
    """
    margin, grades = (rolled, _SUCCESSES) if rolled <= target else (rolled - target, _FAILURES)
    if rolled % DOUBLE == 0:
        return grades[2]
    return grades[is_exceptional_margin(margin, boundary)]


_BY_MARGIN = {
    boundary: [[grades[is_exceptional_margin(margin, boundary)] for margin in range(100)] for grades in _SIDES]
    for boundary in get_args(ExceptionalBoundary)
}
"""Grades of successes and failures by their margins, unless doubles make them critical."""


@lru_cache(maxsize=512)
def natural_grades(target: int, boundary: ExceptionalBoundary = "over") -> list[Grade]:
    """The natural grade of every number that D% can show.

    >>> natural_grades(60)[45]
    <Grade.EXCEPTIONAL_SUCCESS: 'exceptional_success'>
    """
    successes, failures = _BY_MARGIN[boundary]
    found = successes[: target + 1] + failures[1 : 100 - target]
    for double in range(0, 100, DOUBLE):
        found[double] = _SIDES[double > target][2]
    return found


def judge(rolled: int, target: int, boundary: ExceptionalBoundary = "over") -> Checked:
    """The natural grade and the margin of a number rolled against a target within its limits.

    >>> judge(45, 80)
    Checked(grade=<Grade.EXCEPTIONAL_SUCCESS: 'exceptional_success'>, margin=45)
    """
    return Checked(natural_grade(rolled, target, boundary), rolled if rolled <= target else rolled - target)


def counts_as_exceptional(checked: Checked, critical_counts: bool, boundary: ExceptionalBoundary = "over") -> bool:
    """True if a result serves where a rule asks for an exceptional one of the same sign.

    >>> counts_as_exceptional(Checked(Grade.CRITICAL_SUCCESS, 11), critical_counts=True)
    True
    """
    if checked.grade in (Grade.EXCEPTIONAL_SUCCESS, Grade.EXCEPTIONAL_FAILURE):
        return True
    critical = checked.grade in (Grade.CRITICAL_SUCCESS, Grade.CRITICAL_FAILURE)
    return critical and (critical_counts or is_exceptional_margin(checked.margin, boundary))


_UPGRADED, _DOWNGRADED = [
    {Grade(old): Grade(new) for old, new in table(f"renaissance.regrade.{way}")[way].items()}
    for way in ("upgrade", "downgrade")
]


class Regrade(Enum):
    """Change of a check's grade; several causes of one kind count once."""

    NONE = "none"
    UPGRADE = "upgrade"
    DOWNGRADE = "downgrade"
    UPGRADE_THEN_DOWNGRADE = "upgrade_then_downgrade"
    DOWNGRADE_THEN_UPGRADE = "downgrade_then_upgrade"
    UNGRADED = "ungraded"
    """There are no special grades (renaissance.gap.class.intuitive_fighter)."""

    def effective(self, limit: RegradeLimit) -> Regrade:
        """The change after an upgrade meets a downgrade: none, or only the first."""
        if self is Regrade.UPGRADE_THEN_DOWNGRADE:
            return Regrade.NONE if limit == "one_each_cancel" else Regrade.UPGRADE
        if self is Regrade.DOWNGRADE_THEN_UPGRADE:
            return Regrade.NONE if limit == "one_each_cancel" else Regrade.DOWNGRADE
        return self

    def with_upgrade(self) -> Regrade | None:
        """The same with one more upgrade after it, or None where the check was upgraded already."""
        if self is Regrade.NONE:
            return Regrade.UPGRADE
        return Regrade.DOWNGRADE_THEN_UPGRADE if self is Regrade.DOWNGRADE else None


def regraded(grade: Grade, regrade: Regrade, limit: RegradeLimit, downgrade_critical: DowngradeCritical) -> Grade:
    """The grade after what is due to change it; a success stays a success and a failure a failure.

    >>> regraded(Grade.NORMAL_SUCCESS, Regrade.UPGRADE, "one_each_cancel", "to_exceptional")
    <Grade.EXCEPTIONAL_SUCCESS: 'exceptional_success'>
    """
    effective = regrade.effective(limit)
    if effective is Regrade.UNGRADED:
        return Grade.NORMAL_SUCCESS if grade.succeeds else Grade.NORMAL_FAILURE
    if effective is Regrade.UPGRADE:
        return _UPGRADED[grade]
    if effective is Regrade.NONE:
        return grade
    if grade is Grade.CRITICAL_SUCCESS and downgrade_critical == "to_normal":
        return Grade.NORMAL_SUCCESS
    return _DOWNGRADED[grade]


def flipped(rolled: int) -> int:
    """The number rolled with its two digits swapped.

    >>> flipped(94), flipped(7), flipped(50)
    (49, 70, 5)
    """
    tens, ones = divmod(rolled, 10)
    return ones * 10 + tens


# ---------------------------------------------------------------------- amounts and targets as they are written

_DV = re.compile(r"(?:(?P<dice>[0-9]{1,2})d10)?(?P<plus>[+-]?[0-9]{1,4})?(?P<bonus>\+DB)?(?P<half>/2)?\Z")
_TERM = re.compile(r"(?P<name>[A-Z]{3,4})(?:\*(?P<times>[1-9][0-9]?))?\Z")
FIGURES = ("COG", "COO", "INT", "REF", "SAV", "SOM", "WIL", "DUR", "STR", "LUCK")
"""Figures in formulas: the aptitudes, Durability, Strength and the Luck stat."""


class DV(NamedTuple):
    """An amount that is rolled with ten-sided dice: damage, stress, a radius; DB is the wielder's damage bonus.

    >>> DV.parse("2d10+6+DB"), str(DV(1, 0, False, True)), str(DV(0, 5))
    (DV(dice=2, plus=6, bonus=True, half=False), '1d10/2', '5')
    """

    dice: int
    plus: int = 0
    bonus: bool = False
    half: bool = False

    @staticmethod
    def parse(text: str) -> DV:
        """Read `2d10+3+DB`, `1d10`, `1d10/2` or `5`."""
        found = _DV.match(text.replace(" ", ""))
        if found is None or not (found["dice"] or found["plus"]):
            raise InvalidInputError(
                f'"{text:.40}" is not an amount; write 2d10+3+DB, 1d10 or 5', rule="renaissance.core.synonyms"
            )
        return DV(int(found["dice"] or 0), int(found["plus"] or 0), bool(found["bonus"]), bool(found["half"]))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        dice = f"{self.dice}d10" if self.dice else ""
        plus = f"{self.plus:+d}" if self.plus and dice else str(self.plus) if not dice else ""
        return f"{dice}{plus}{'+DB' if self.bonus else ''}{'/2' if self.half else ''}"


SHIFT = 480  # minutes: renaissance.action.job


def in_shifts(minutes: int) -> str:
    """An amount of work as it is said.

    >>> in_shifts(960), in_shifts(1_200), in_shifts(480), in_shifts(90)
    ('2 shifts', '2 shifts and 4 hours', '1 shift', '1 hour and 30 minutes')
    """
    shifts, rest = divmod(minutes, SHIFT)
    amounts = ((shifts, "shift"), (rest // 60, "hour"), (rest % 60, "minute"))
    told = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in amounts if count]
    return " and ".join(told)


class Formula(NamedTuple):
    """A target made of aptitudes, DUR, STR or Luck, such as WIL*3 or COO+REF+SOM.

    >>> Formula.parse("COO+REF+REF").value({"COO": 10, "REF": 20}.__getitem__), str(Formula.parse("WIL*3"))
    (50, 'WIL*3')
    """

    terms: tuple[tuple[str, int], ...]

    @staticmethod
    def parse(text: str) -> Formula:
        """Read `WIL*3` or `COO+REF+SOM`."""
        terms: dict[str, int] = {}
        for word in text.replace(" ", "").split("+"):
            found = _TERM.match(word)
            if found is None or found["name"] not in FIGURES:
                raise InvalidInputError(
                    f'"{text:.40}" is not a target; write WIL*3 or COO+REF+SOM with {", ".join(FIGURES)}',
                    rule="renaissance.check.target_sources",
                )
            terms[found["name"]] = terms.get(found["name"], 0) + int(found["times"] or 1)
        return Formula(tuple(terms.items()))

    def value(self, figure: Callable[[str], int]) -> int:
        """Value of the formula for these figures."""
        return sum([figure(name) * times for name, times in self.terms])

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return "+".join([name if times == 1 else f"{name}*{times}" for name, times in self.terms])
