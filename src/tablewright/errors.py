"""What can go wrong, said in one line: every error a user may meet derives from `TablewrightError`."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import ClassVar


class TablewrightError(Exception):
    """Something went wrong that the message alone explains; `exit_status` is what a command line ends with."""

    exit_status: ClassVar[int] = 2

    def __init__(self, message: str, *, field: str | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}]" if self.rule else self.message


class BadInput(TablewrightError):
    """What was given cannot be understood: an unknown name, a wrong type, a value out of range.

    `field` is the dotted path of the offending value, where there is one.

    >>> str(BadInput("difficulty: 99 is out of range, allowed are 1 to 30", field="difficulty"))
    'difficulty: 99 is out of range, allowed are 1 to 30'
    """

    exit_status = 2


class ManyProblems(BadInput):
    """Several things are wrong with one input: all of them, one a line, also singly in `problems`.

    >>> str(ManyProblems(["armour: 9 is out of range", "hands: 3 is out of range"]))
    'armour: 9 is out of range\\nhands: 3 is out of range'
    """

    def __init__(self, problems: Iterable[str], *, field: str | None = None) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems), field=field)


class RulesSayNo(TablewrightError):
    """What was asked is understood, but the rules forbid it; `rule` is the id of the rule that does.

    >>> str(RulesSayNo("no action points are left", rule="mars.turn.actions"))
    'no action points are left [mars.turn.actions]'
    """

    exit_status = 1


MOST_DIGITS = 9


def whole(text: str) -> int | None:
    """A whole number of 0 or more that somebody has written; None for everything else.

    >>> whole("12"), whole("-1"), whole("²"), whole("1e3")
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The end of an error message that offers the known name closest to `name`; empty when none is close.

    >>> nearest("chekc", ["check", "contest"])
    '; did you mean "check"?'
    >>> nearest("zzz", ["check", "contest"])
    ''
    """
    typed = name[:200].casefold()
    closest, best = "", 0.6
    for candidate in candidates:
        likeness = _likeness(typed, candidate.casefold())
        if likeness > best:
            closest, best = candidate, likeness
    return f'; did you mean "{closest}"?' if closest else ""


def _likeness(typed: str, known: str) -> float:
    """From 0 to 1; of dotted names below the same topic, or where no topic was typed, only the last words count."""
    topic, _, last = typed.rpartition(".")
    known_topic, _, known_last = known.rpartition(".")
    if not topic or topic == known_topic:
        return max(_ratio(last, known_last), _ratio(typed, known) if not topic else 0.0)
    return _ratio(typed, known) * 0.99


def _ratio(a: str, b: str) -> float:
    matcher = SequenceMatcher(None, a, b)
    return matcher.ratio() if matcher.quick_ratio() > 0.6 else 0.0
