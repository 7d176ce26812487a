"""Input from the keyboard or a pipe, and the selection of options by it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence

from tablewright.cli.output.streams import one_line
from tablewright.engine import ClosedOption
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.narration.phrases import sentence

MOST_LETTERS = 2_000
MOST_REFUSALS = 20
"""Upper bound for consecutive refused lines; stops scripts that would loop forever."""


class Ended(Exception):
    """Raised at the end of the input."""


class Keyboard:
    """Line reader; it echoes input that does not come from a terminal."""

    def __init__(self) -> None:
        self._refused = 0
        if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")  # accept piped bytes that are not valid text

    def line(self, prompt: str) -> str:
        """Read a line without surrounding spaces; raise :class:`Ended` at the end of the input."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        typed = sys.stdin.readline(MOST_LETTERS)
        if not typed:
            sys.stdout.write("\n")
            raise Ended
        if not sys.stdin.isatty():
            sys.stdout.write(one_line(typed) + "\n")
        return typed.strip()

    def refuse(self, problem: object) -> None:
        """Report an invalid line; raise after ``MOST_REFUSALS`` in a row."""
        self._refused += 1
        if self._refused >= MOST_REFUSALS:
            raise InvalidInputError(f"{MOST_REFUSALS} answers in a row were not understood; the last: {problem}")
        sys.stdout.write(f"{sentence(one_line(str(getattr(problem, 'message', problem))))}\n")

    def accept(self) -> None:
        """Reset the count of refused lines."""
        self._refused = 0


def keys_of(ids: Sequence[str], labels: Sequence[str] = ()) -> list[str]:
    """Keys that select the options: their 1-based places.

    If options are numbers themselves, such as a number of dice, places would be ambiguous. Then the keys are the
    options' own numbers or ids.

    >>> keys_of(["parry", "dodge"]), keys_of(["1", "2"]), keys_of(["0", "1", "all"])
    (['1', '2'], ['1', '2'], ['0', '1', 'all'])
    """
    called = list(zip(ids, labels or ids, strict=True))
    places = [str(place) for place in range(1, len(called) + 1)]
    own = [next((name for name in names if _is_number(name)), "") for names in called]
    if all(number in ("", place) for number, place in zip(own, places, strict=True)):
        return places
    return [number or id_ for number, (id_, _) in zip(own, called, strict=True)]


def _is_number(name: str) -> bool:
    digits = name.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit()


def picked(typed: str, ids: Sequence[str], question: str, labels: Sequence[str] = ()) -> int | None:
    """Index of the option selected by key, id or label; None if nothing matches.

    >>> picked("2", ["parry", "dodge"], "how?"), picked("PARRY", ["parry", "dodge"], "how?"), picked("x", ["a"], "?")
    (1, 0, None)
    >>> picked("14,7", ["stay", "destination::14,7"], "where to?", ["stay here", "14,7"])
    1
    >>> picked("2", ["3", "2", "1"], "how many dice?")
    1
    """
    keys = keys_of(ids, labels)
    for known in (keys, ids):
        if known.count(typed) == 1:
            return known.index(typed)
    if typed.isascii() and typed.isdigit():
        raise InvalidInputError(f"There is no {typed:.20}; {_allowed(keys)}.")
    wanted = {"yes": "true", "no": "false"}.get(typed.casefold(), typed.casefold())
    for known in (ids, labels):
        folded = [name.casefold() for name in known]
        for candidate in (typed.casefold(), wanted):
            if folded.count(candidate) == 1:
                return folded.index(candidate)
    return None


def closed_by(typed: str, closed: Iterable[ClosedOption]) -> ClosedOption | None:
    """The closed option selected by id or label; None if nothing matches.

    >>> closed_by("Get up", [ClosedOption("get_up", "stands already")])
    ClosedOption(id='get_up', reason='stands already', rule=None, label='')
    """
    wanted = in_words(typed.casefold())
    for shut in closed:
        if wanted and wanted in (in_words(shut.id.casefold()), shut.label.casefold()):
            return shut
    return None


def called(shut: ClosedOption) -> str:
    """Label of a closed option, or its id in words."""
    return shut.label or in_words(shut.id)


def in_words(id_: str) -> str:
    """An id with spaces between its words."""
    return id_.replace("_", " ")


def not_an_answer(
    typed: str, known: Sequence[str], more: Sequence[str] = (), keys: Sequence[str] = ()
) -> InvalidInputError:
    """Error for a line that matches no option or command."""
    hint = did_you_mean(typed, [*known, *more])
    spread = _spread(keys or keys_of(known))
    which = f"a number from {spread}" if spread.startswith("1 to ") else f"one of {spread}"
    return InvalidInputError(f'I do not know "{typed:.40}". Type {which}, or ? for help{hint}.')


def _allowed(keys: Sequence[str]) -> str:
    spread = _spread(keys)
    return f"the list goes from {spread}" if spread.startswith("1 to ") else f"there are {spread}"


def _spread(keys: Sequence[str]) -> str:
    """Allowed keys: a range of numbers or a list."""
    return f"1 to {keys[-1]}" if keys[0] == "1" and keys[-1] == str(len(keys)) else ", ".join(keys[:12])
