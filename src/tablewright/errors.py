"""Errors that users may see; all derive from `TablewrightError`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import ClassVar


class TablewrightError(Exception):
    """Base class of errors whose message is enough for the user; `exit_status` is the exit code of the command line.

    `field` names the wrong value and `rule` the rule that forbids it, where there is one.

    >>> import tablewright as tw
    >>> try:
    ...     tw.odds("mars.chek", "r16", difficulty=14)
    ... except tw.TablewrightError as problem:
    ...     print(problem)
    MARS has no mechanic "mars.chek"; did you mean "mars.check"?
    """

    exit_status: ClassVar[int] = 2

    def __init__(self, message: str, *, field: str | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}]" if self.rule else self.message


class InvalidInputError(TablewrightError):
    """Invalid input: an unknown name, a wrong type or a value out of range.

    `field` is the dotted path of the offending value, or None.

    >>> str(InvalidInputError("difficulty: 99 is out of range, allowed are 1 to 30", field="difficulty"))
    'difficulty: 99 is out of range, allowed are 1 to 30'
    """

    exit_status = 2


class ProblemListError(InvalidInputError):
    """Several problems with one input, one per line in the message and one per item in `problems`.

    >>> str(ProblemListError(["armour: 9 is out of range", "hands: 3 is out of range"]))
    'armour: 9 is out of range\\nhands: 3 is out of range'
    """

    def __init__(self, problems: Iterable[str], *, field: str | None = None) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems), field=field)


class IllegalActionError(TablewrightError):
    """A valid request that the rules forbid; `rule` is the id of the forbidding rule.

    >>> str(IllegalActionError("no action points are left", rule="mars.turn.actions"))
    'no action points are left [mars.turn.actions]'
    """

    exit_status = 1


def refuse_if(forbidden: object, why: str, *, rule: str) -> None:
    """Raise an `IllegalActionError` for this reason if something is forbidden.

    >>> refuse_if(2 > 1, "no more than one", rule="mars.turn.actions")
    Traceback (most recent call last):
    tablewright.errors.IllegalActionError: no more than one [mars.turn.actions]
    """
    if forbidden:
        raise IllegalActionError(why, rule=rule)


def refuse(reason: tuple[str, str] | None, what: str = "") -> None:
    """Raise an `IllegalActionError` for a reason with its rule, if there is one; `what` is said before it."""
    if reason is not None:
        raise IllegalActionError(f"{what}: {reason[0]}" if what else reason[0], rule=reason[1])


class TooLargeError(TablewrightError):
    """A valid request that would take too long or too much memory; the message names the cause.

    >>> import tablewright as tw
    >>> @tw.mechanic(rules=["demo.digits.long"])
    ... async def long_number(digits: int) -> int:
    ...     "One ten-sided die for each digit."
    ...     number = 0
    ...     for _ in range(digits):
    ...         number = 10 * number + await tw.d(10)
    ...     return number
    >>> try:
    ...     tw.odds(long_number(30))
    ... except tw.TooMuch as problem:
    ...     print(str(problem).partition(":")[0])
    demo.long_number(30) is too wide for exact odds
    """


MOST_DIGITS = 9


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number of 0 or more; None for any other text.

    >>> parse_whole_number("12"), parse_whole_number("-1"), parse_whole_number("²"), parse_whole_number("1e3")
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


MOST_NAMED = 12
"""Upper bound for the options that an error message lists."""


def unknown_option(name: str, options: Sequence[str]) -> InvalidInputError:
    """Error for an answer that a question does not offer.

    >>> print(unknown_option("parri", ["parry", "dodge"]))
    unknown option "parri"; choose one of: parry, dodge; did you mean "parry"?
    """
    listed = ", ".join(options[:MOST_NAMED]) + (", ..." if len(options) > MOST_NAMED else "")
    return InvalidInputError(f'unknown option "{name:.60}"; choose one of: {listed}{did_you_mean(name, options)}')


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Suffix for an error message that suggests the candidate closest to `name`; empty if none is close.

    >>> did_you_mean("chekc", ["check", "contest"])
    '; did you mean "check"?'
    >>> did_you_mean("atack", ["wait", "attack:goblin:sword"])
    '; did you mean "attack:goblin:sword"?'
    >>> did_you_mean("zzz", ["check", "contest"])
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
    """Similarity from 0 to 1; the last words alone may match if the topic is the same or was not typed."""
    action, _, target = known.partition(":")
    if target and ":" not in typed:  # the id of an option, such as attack:goblin:sword
        return max(_ratio(typed, action) * 0.99, _ratio(typed, known))
    topic, _, last = typed.rpartition(".")
    known_topic, _, known_last = known.rpartition(".")
    if not topic or topic == known_topic:
        return max(_ratio(last, known_last), _ratio(typed, known) if not topic else 0.0)
    return _ratio(typed, known) * 0.99


def _ratio(a: str, b: str) -> float:
    matcher = SequenceMatcher(None, a, b)
    return matcher.ratio() if matcher.quick_ratio() > 0.6 else 0.0
