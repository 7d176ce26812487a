"""Events between fights: rest, care, sickness, trade, experience."""

from __future__ import annotations

from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import Checked
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer, unchanged
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import visible

AUTOMATIC, PASSIVE = "marchen.play.basic_process", "marchen.check.passive"
"""The rules of what the Referee decides and of checks without dice."""

EASIER, ONCE, ALWAYS = "easier", "once", "always"
"""Reach of a DM that makes tries easier: the next one alone, or all that follow."""

apply: Reducer[Scene] = Reducer(common_reducer)


@apply.by(unchanged)
class TasksFound(Event):
    """Sample tasks that fit a question, each as one line."""

    mentions = ()
    asked: str = visible()
    found: tuple[str, ...] = visible()


@apply.by(unchanged)
class Followed(ParticipantEvent):
    """A result of a check beyond success or failure, in words."""

    what: str = visible()


class ObstacleMet(ParticipantEvent):
    """State of an obstacle after an attempt, and what is easier from then on, once or for good.

    ``used`` is what was easier this once.
    """

    obstacle: str = visible()
    state: str = visible(default="")
    easier: tuple[str, ...] = visible(default=())
    lasts: bool = visible(default=False)
    used: tuple[str, ...] = visible(default=())
    what: str = visible(default="")


@apply.on(ObstacleMet)
def _obstacle_met(scene: Scene, event: ObstacleMet) -> Scene:
    facts = scene.facts
    if event.state:
        facts = facts.set("obstacle", ANYONE, event.state, event.obstacle)
    for name in event.used:
        facts = facts.clear(EASIER, event.who, name)
    for name in event.easier:
        lasts = event.lasts or facts.get(EASIER, event.who, name) == ALWAYS
        facts = facts.set(EASIER, event.who, ALWAYS if lasts else ONCE, name)
    return evolve(scene, facts=facts)


@apply.after(Checked)
def _checked(scene: Scene, event: Checked) -> Scene:
    """Use up the helps and hindrances of the next check.

    What the Referee decides is no check (marchen.play.basic_process); a passive one has no dice that a disadvantage
    could change (marchen.check.passive), so it waits for the next roll.
    """
    status = scene[event.who].status
    if event.cause == AUTOMATIC or not (status.nexts or status.hindered):
        return scene
    return scene.with_status(event.who, nexts=(), hindered=status.hindered and event.cause == PASSIVE)
