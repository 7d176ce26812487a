"""Small fights of the coin folk whose chances are known."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from tablewright.cli.arguments.jobs import job_from
from tablewright.game.play.common_events import TurnStarted
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.session import SessionHeader
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.trial import Arena, Trial, TrialGame


def folk(name: str, side: str, grit: int, wit: int, **more: Any) -> dict[str, Any]:
    """A coinling with all points spent."""
    character = {"system": "coinfolk", "rules": "1.0", "name": name.title(), "grit": grit, "wit": wit}
    return {"id": name, "side": side, "character": character | more}


def scenario(*people: dict[str, Any], rounds: int = 50, **more: Any) -> Scenario:
    """Some of them under one table."""
    return read_scenario(
        {"title": "a duel", "system": "coinfolk", "participants": list(people), "rounds": rounds} | more
    )


def duel(runs: int = 200, seed: int = 1, **more: Any) -> Job:
    """Ann with little health left to lose against a slower one: short, and open on both sides."""
    return job_of(scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 4, 2)), runs=runs, seed=seed, **more)


def coin_flip(seed: int) -> Arena:
    """One toss of one coin: Ann strikes first, with one coin and no luck, at a rat with one health, in one round."""
    header, ring = _before_the_toss()
    return Arena(header, ring.book, ring.policies, seed)


@cache
def _before_the_toss() -> tuple[SessionHeader, Arena]:
    ring = job_of(scenario(folk("ann", "folk", 1, 5), folk("rat", "vermin", 5, 1), rounds=1), runs=1).ring()
    scene = ring.header.scene.with_status("ann", luck=0, health=20).with_status("rat", health=1, breath=0, luck=0)
    header = ring.header
    return SessionHeader(header.system, header.version, scene, 0, header.source), ring


def waiting(job: Job, **changes: Any) -> Job:
    """The job with some of its plain data replaced."""
    return replace(job, scenario={**job.scenario, **changes})


def between(people: str, **more: Any) -> Job:
    """People of the content against each other, as they are typed: PARTY FOES."""
    return job_from(people.split(), more, runs="1000", seed="1", rounds=None, anyway=False)


def last_turns(people: str, number: int, turns: int, rounds: int = 0, **more: Any) -> tuple[Job, Arena]:
    """A real duel of people of the content, near its end: one that was fought, so many turns before it was over.

    It goes on for so many rounds after the present one.
    """
    job = between(people, **more)
    ring = job.ring()
    scenes = [ring.header.scene]

    class Seen(TrialGame):
        def emit(self, event: Any) -> None:
            super().emit(event)
            if type(event) is TurnStarted:
                scenes.append(self.state)

    class Watched(Trial):
        def _begin(self) -> None:
            super()._begin()
            self.live = Seen(self.header.scene, self.rulebook)

    ring.play(number, Watched)
    scene = scenes[-turns]
    scene = replace(scene, setup=replace(scene.setup, rounds=scene.round + rounds))
    header = ring.header
    return job, Arena(
        SessionHeader(header.system, header.version, scene, 0, header.source), ring.book, ring.policies, 1
    )
