"""A person at the keyboard, or whatever is piped in instead: lines that were typed, and options picked by them."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from tablewright.cli.screen import one_line
from tablewright.errors import BadInput, nearest

MOST_LETTERS = 2_000
MOST_REFUSALS = 20
"""How often in a row something that means nothing is asked again; a script would never notice."""


class Ended(Exception):
    """Nothing more will be typed."""


class Keyboard:
    """Reads one line after the other; where nobody sees what is typed, it is repeated on the output."""

    def __init__(self) -> None:
        self._refused = 0
        if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")  # whatever is piped in can be read

    def line(self, prompt: str) -> str:
        """What is typed at a prompt, without spaces around it; raises :class:`Ended` at the end of the input."""
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
        """Say what was wrong with a line, so that another can be typed."""
        self._refused += 1
        if self._refused >= MOST_REFUSALS:
            raise BadInput(f"{MOST_REFUSALS} answers in a row were not understood; the last: {problem}")
        sys.stdout.write(f"{one_line(str(problem))}\n")

    def accept(self) -> None:
        """A line was understood."""
        self._refused = 0


def picked(typed: str, ids: Sequence[str], question: str, labels: Sequence[str] = ()) -> int | None:
    """The place of an option by its number, its id or what it is called, whatever the case; None where it means none.

    >>> picked("2", ["parry", "dodge"], "how?"), picked("PARRY", ["parry", "dodge"], "how?"), picked("x", ["a"], "?")
    (1, 0, None)
    >>> picked("14,7", ["stay", "destination::14,7"], "where to?", ["stay here", "14,7"])
    1
    """
    if typed in ids:
        return ids.index(typed)
    if typed.isascii() and typed.isdigit():
        if len(typed) > 4 or not 1 <= int(typed) <= len(ids):
            raise BadInput(f'"{question}" has the options 1 to {len(ids)}, not {typed:.20}')
        return int(typed) - 1
    wanted = {"yes": "true", "no": "false"}.get(typed.casefold(), typed.casefold())
    for known in (ids, labels):
        folded = [name.casefold() for name in known]
        for candidate in (typed.casefold(), wanted):
            if folded.count(candidate) == 1:
                return folded.index(candidate)
    return None


def not_an_answer(typed: str, ids: Sequence[str], question: str, more: Sequence[str] = ()) -> BadInput:
    """What to say to a line that is neither an option nor anything else."""
    hint = nearest(typed, [*ids, *more])
    return BadInput(f'"{typed:.40}" is no answer to "{question}"; type a number from 1 to {len(ids)}, or ?{hint}')
