"""Processor seconds of advice at every question of the demo fights, and the slowest questions.

`python bench/advice.py [SCENARIO...]` plays each scenario once by the policy `careful`, in a process of its own. At
every choice it asks for the promises beside the options, for advice and for the preview of the page: as they are first
told, and with the time that is given until exact values replace ratings. Without names it plays all demo fights.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time
from typing import Any, NamedTuple

from tablewright.engine import Choice
from tablewright.errors import TablewrightError
from tablewright.game.narration.voices import sayings_of
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful
from tablewright.game.session.promises import promises
from tablewright.game.session.session import Session
from tablewright.game.system.registry import system_ids
from tablewright.lab.deadline import FIRST_SECONDS, Deadline
from tablewright.lab.fights.forecast import weigh_turn
from tablewright.lab.fights.turn_advice import advise_turn

MOST_QUESTIONS, SLOWEST = 150, 5
WHOLE_SECONDS, PAGE_SECONDS = 10.0, 3.5
"""Time in which a terminal and a page try for exact values."""


class Asked(NamedTuple):
    """Processor seconds of one answer at one question."""

    seconds: float
    what: str
    number: int
    question: str
    told: str


def ask_all(scenario: str, seed: int = 1) -> list[Asked]:
    """Play a scenario and ask at every choice."""
    session = open_session(load_scenario(scenario), seed=seed)
    session.do(session.rulebook.encounter.name)
    found: list[Asked] = []
    number = 0
    while (question := session.question) is not None and number < MOST_QUESTIONS:
        if not isinstance(question, Choice):
            session.roll()
            continue
        number += 1
        for what, ask in _answers(session, question):
            began = process_time()
            try:
                told = ask()
            except TablewrightError as error:
                told = f"{type(error).__name__}: {error}"
            words = f"{question.question} ({len(question.ids)} options)"
            found.append(Asked(process_time() - began, what, number, words, told[:100]))
        session.choose(question.ids[careful(session, question)])
    return found


def _answers(session: Session, question: Choice[Any]) -> Iterator[tuple[str, Callable[[], str]]]:
    """What is asked at a question, by name."""

    def advice(seconds: float) -> str:
        found = advise_turn(session, deadline=Deadline(seconds, clock=process_time))
        return f"{found.basis}, {found.why or 'all'}"

    def preview(seconds: float) -> str:
        found = weigh_turn(session, seat=session.seat, deadline=Deadline(seconds, clock=process_time))
        return f"{len(found.left_out)} left out"

    yield "promises", lambda: str(len(promises(session, session.seat or "", sayings_of(session.scene.system))))
    yield "first advice", partial(advice, FIRST_SECONDS)
    yield "whole advice", partial(advice, WHOLE_SECONDS)
    if any(isinstance(option, ActionUse) for option in question.options):
        yield "first preview", partial(preview, FIRST_SECONDS)
        yield "whole preview", partial(preview, PAGE_SECONDS)


def main(names: Sequence[str]) -> None:
    """Print a summary of each scenario, and its slowest questions."""
    context = multiprocessing.get_context("spawn")
    for scenario in names or [f"{system}:{name}" for system in system_ids() for name in scenario_names(system)]:
        with context.Pool(1) as pool:
            found = pool.apply(ask_all, (scenario,))
        by: dict[str, list[Asked]] = {}
        for one in found:
            by.setdefault(one.what, []).append(one)
        for what, asked in by.items():
            seconds = [one.seconds for one in asked]
            slow, rated = sum([n > 1 for n in seconds]), sum([one.told.startswith("rating") for one in asked])
            print(
                f"{scenario}, {what}: {max(seconds):.2f} s at most, {slow} of {len(asked)} over 1 s, {rated} by ratings"
            )
        for one in sorted([one for one in found if one.seconds > 1], reverse=True)[:SLOWEST]:
            print(f"  {one.seconds:.2f} s, {one.what} at choice {one.number}, {one.question}: {one.told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
