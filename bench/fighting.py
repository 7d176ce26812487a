"""Whole fights, which have no peer: any scenario, played one fight after the other on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from measure import Row, measure

from tablewright.engine import Choice
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import Policy, find_policy

POLICY, ENOUGH_SECONDS = "careful", 6.0


def encounter_lines(*fights: str, enough: float = ENOUGH_SECONDS) -> Iterator[str]:
    """The fights of scenarios as a table without peers."""
    yield "| | fights a second | answers a second | answers a fight | |"
    yield "|---|---:|---:|---:|---|"
    for fight in fights:
        scenario = load_scenario(fight)
        count, answers, seconds = fought(scenario, find_policy(POLICY), enough)
        sides = " against ".join([str(len(scenario.on(side))) for side in scenario.sides])
        cells = [f"{count / seconds:,.1f}", f"{answers / seconds:,.0f}", f"{answers / count:,.0f}"]
        told = f"`{POLICY}` plays both sides; every roll and choice is an answer, with its log"
        yield f"| `{fight}`, {sides} | {' | '.join(cells)} | {told} |"


def fought(scenario: Scenario, policy: Policy, enough: float) -> tuple[int, int, float]:
    """Fights to their ends with one seed after the other; gives how many, their answers, and processor seconds."""
    _to_the_end(scenario, 0, policy)  # what is read and remembered once is not counted
    fights = answers = 0
    began = time.process_time()
    while (seconds := time.process_time() - began) < enough:
        fights += 1
        answers += _to_the_end(scenario, fights, policy)
    return fights, answers, seconds


def _to_the_end(scenario: Scenario, seed: int, policy: Policy) -> int:
    session = open_session(scenario, seed=seed)
    session.do(session.rulebook.encounter.name)
    while (question := session.question) is not None:
        if isinstance(question, Choice):
            session.choose(question.ids[policy(session, question)])
        else:
            session.roll()
    return len(session.entries)


def tell(rows: Iterable[Row], fight: str, show: Callable[[str], None] = print) -> None:
    """Some rows and a fight alone, with what they took."""
    for row in rows:
        found = measure(row)
        peers = ", ".join([f"{1e6 * seconds:,.0f} µs" for seconds in (found.icepool, found.dyce) if seconds])
        show(f"{row.name}: {1e6 * found.ours:,.0f} µs; peers {peers}; remembered {1e6 * found.remembered:,.1f} µs")
    for line in encounter_lines(fight):
        show(line)
