"""Who answers the choices of a mechanic on the command line: what was typed with it, a person, or the default."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from tablewright.cli.screen import as_question, one_line
from tablewright.engine import Choose, Seat
from tablewright.errors import BadInput, nearest

MOST_TRIES = 5
MOST_CHOICES = 10_000


class Made(NamedTuple):
    """One choice that was made: by ``--choose``, by a person at the terminal, or by nobody, which is the default."""

    question: str
    option: str
    by: Literal["given", "person", "default"]


class Chooser:
    """Answers choices; remembers what was asked and by whom it was answered."""

    def __init__(self, given: Sequence[str], *, may_ask: bool) -> None:
        self.made: list[Made] = []
        self._given = [_pair(text) for text in given]
        self._used: set[int] = set()
        self._asks = may_ask and sys.stdin.isatty() and sys.stdout.isatty()

    def __call__(self, ask: Choose[Any]) -> int:
        if len(self.made) >= MOST_CHOICES:
            raise BadInput(f"more than {MOST_CHOICES:,} choices are asked for, and it may never end")
        position, by = self._answer(ask)
        self.made.append(Made(ask.question, ask.ids[position], by))
        return position

    @property
    def unasked(self) -> list[str]:
        """The given answers whose question never came up."""
        return [question for place, (question, _) in enumerate(self._given) if place not in self._used]

    def _answer(self, ask: Choose[Any]) -> tuple[int, Literal["given", "person", "default"]]:
        answers = [place for place, (question, _) in enumerate(self._given) if _means(question, ask.question)]
        if answers:
            # several answers to one question are used one after the other, the last one from then on
            place = next((place for place in answers if place not in self._used), answers[-1])
            self._used.add(place)
            return _position(ask, self._given[place][1]), "given"
        if self._asks:
            return self._ask(ask), "person"
        return ask.default, "default"

    def _ask(self, ask: Choose[Any]) -> int:
        seat = ask.seat.value if isinstance(ask.seat, Seat) else ask.seat
        options = ", ".join(ask.ids)
        prompt = f"{seat}: {as_question(ask.question)} {one_line(options)} [{ask.ids[ask.default]}] "
        for _ in range(MOST_TRIES):
            try:
                typed = input(prompt).strip()
            except EOFError:
                break
            if not typed:
                return ask.default
            try:
                return _position(ask, typed)
            except BadInput as problem:
                sys.stdout.write(f"{one_line(problem.message)}\n")
        raise BadInput(f'"{ask.question}" was not answered; allowed are: {options}')


def _pair(text: str) -> tuple[str, str]:
    question, equals, option = text.rpartition("=")
    if not equals or not question.strip() or not option.strip():
        raise BadInput(f'--choose is "{text:.80}"; write the question and the option: --choose "QUESTION=OPTION"')
    return question.strip(), option.strip()


def _means(typed: str, question: str) -> bool:
    return question.casefold().startswith(typed.casefold())


def _position(ask: Choose[Any], option: str) -> int:
    """The place of an option, whatever the case it is typed in; yes and no stand for true and false."""
    same = {"yes": "true", "no": "false", "true": "yes", "false": "no"}
    wanted = same.get(option.casefold(), option.casefold())
    for place, name in enumerate(ask.ids):
        if option == name:
            return place
    folded = [name.casefold() for name in ask.ids]
    for candidate in (option.casefold(), wanted):
        if folded.count(candidate) == 1:
            return folded.index(candidate)
    allowed = ", ".join(ask.ids)
    raise BadInput(f'"{option:.60}" is no answer to "{ask.question}"; allowed are: {allowed}{nearest(option, ask.ids)}')
