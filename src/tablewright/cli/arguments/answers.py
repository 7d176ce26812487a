"""Answers to the choices of a mechanic: typed options, a person at the terminal, or the defaults."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from tablewright.cli.output.streams import as_question, one_line
from tablewright.engine import Choice, Role
from tablewright.errors import InvalidInputError, unknown_option
from tablewright.game.free_text import FreeTextChoice

MOST_TRIES = 5
MOST_CHOICES = 10_000


class AnsweredChoice(NamedTuple):
    """One answered choice: by ``--choose``, by a person at the terminal, or by default."""

    question: str
    option: str
    by: Literal["given", "person", "default"]


class Chooser:
    """Strategy for choices that records each answer and its source."""

    def __init__(self, given: Sequence[str], *, may_ask: bool) -> None:
        self.made: list[AnsweredChoice] = []
        self._given = [_pair(text) for text in given]
        self._used: set[int] = set()
        self._asks = may_ask and sys.stdin.isatty() and sys.stdout.isatty()

    def __call__(self, ask: Choice[Any]) -> int:
        if len(self.made) >= MOST_CHOICES:
            raise InvalidInputError(f"more than {MOST_CHOICES:,} choices are asked for, and it may never end")
        position, by = self._answer(ask)
        self.made.append(AnsweredChoice(ask.question, ask.ids[position], by))
        return position

    @property
    def defaults(self) -> list[str]:
        """Answers by default, each as the option that would give it."""
        found = dict.fromkeys([(made.question, made.option) for made in self.made if made.by == "default"])
        return [f'By default: --choose "{question}={option}"' for question, option in found]

    @property
    def unasked(self) -> list[str]:
        """Typed answers whose question never came up."""
        return [question for place, (question, _) in enumerate(self._given) if place not in self._used]

    def _answer(self, ask: Choice[Any]) -> tuple[int, Literal["given", "person", "default"]]:
        answers = [place for place, (question, _) in enumerate(self._given) if _means(question, ask.question)]
        if answers:
            # several answers to one question are used in order; the last one repeats
            place = next((place for place in answers if place not in self._used), answers[-1])
            self._used.add(place)
            return _position(ask, self._given[place][1]), "given"
        if self._asks:
            return self._ask(ask), "person"
        return ask.default, "default"

    def _ask(self, ask: Choice[Any]) -> int:
        seat = ask.seat.value if isinstance(ask.seat, Role) else ask.seat
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
            except InvalidInputError as problem:
                sys.stdout.write(f"{one_line(problem.message)}\n")
        raise InvalidInputError(f'"{ask.question}" was not answered; allowed are: {options}')


def _pair(text: str) -> tuple[str, str]:
    question, equals, option = text.rpartition("=")
    if not equals or not question.strip() or not option.strip():
        raise InvalidInputError(
            f'--choose is "{text:.80}"; write the question and the option: --choose "QUESTION=OPTION"'
        )
    return question.strip(), option.strip()


def _means(typed: str, question: str) -> bool:
    return question.casefold().startswith(typed.casefold())


def _position(ask: Choice[Any], option: str) -> int:
    """Index of an option regardless of case; yes and no also mean true and false."""
    same = {"yes": "true", "no": "false", "true": "yes", "false": "no"}
    wanted = same.get(option.casefold(), option.casefold())
    for place, name in enumerate(ask.ids):
        if option == name:
            return place
    folded = [name.casefold() for name in ask.ids]
    for candidate in (option.casefold(), wanted):
        if folded.count(candidate) == 1:
            return folded.index(candidate)
    if isinstance(ask, FreeTextChoice):
        return ask.offer(option)
    raise unknown_option(option, ask.ids)
