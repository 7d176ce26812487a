"""A person at the keyboard, or whatever is piped in instead: lines that were typed, and options picked by them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence

from tablewright.cli.screen import one_line
from tablewright.engine import Closed
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


def keys_of(ids: Sequence[str], labels: Sequence[str] = ()) -> list[str]:
    """What is typed for each option: its place in the list.

    Where options are numbers themselves, such as how many dice, a place could be taken for another option: then nothing
    is counted, and what stands before each option is its own number or its id.

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
    """The place of an option by what is typed for it, its id or what it is called; None where it means none.

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
        raise BadInput(f'"{question}" has the options {_spread(keys)}, not {typed:.20}')
    wanted = {"yes": "true", "no": "false"}.get(typed.casefold(), typed.casefold())
    for known in (ids, labels):
        folded = [name.casefold() for name in known]
        for candidate in (typed.casefold(), wanted):
            if folded.count(candidate) == 1:
                return folded.index(candidate)
    return None


def closed_by(typed: str, closed: Iterable[Closed]) -> Closed | None:
    """The closed option that is typed by its id or by what it is called; None where it means none.

    >>> closed_by("Get up", [Closed("get_up", "stands already")])
    Closed(id='get_up', reason='stands already', rule=None, label='')
    """
    wanted = in_words(typed.casefold())
    for shut in closed:
        if wanted in (in_words(shut.id.casefold()), shut.label.casefold()):
            return shut
    return None


def called(shut: Closed) -> str:
    """What a closed option is called: by its name, or by its id in words."""
    return shut.label or in_words(shut.id)


def in_words(id_: str) -> str:
    """What an id says, with spaces between its words."""
    return id_.replace("_", " ")


def not_an_answer(
    typed: str, known: Sequence[str], question: str, more: Sequence[str] = (), keys: Sequence[str] = ()
) -> BadInput:
    """What to say to a line that is neither an option nor anything else."""
    hint = nearest(typed, [*known, *more])
    return BadInput(f'"{typed:.40}" is no answer to "{question}"; type {_spread(keys or keys_of(known))}, or ?{hint}')


def _spread(keys: Sequence[str]) -> str:
    """What can be typed: from the first number to the last, or one after the other."""
    return f"1 to {keys[-1]}" if keys[0] == "1" and keys[-1] == str(len(keys)) else ", ".join(keys[:12])
