"""What happens outside of fights: events of checks, obstacles and life, and how scenes change by them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.game.common import Checked, common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.ground import ANYONE
from tablewright.game.scene import Scene, replaced

AUTOMATIC, PASSIVE = "marchen.play.basic_process", "marchen.check.passive"
"""The rules of what the Referee decides and of checks without dice."""

EASIER, ONCE, ALWAYS = "easier", "once", "always"
"""What is easier for somebody: the next try alone, or all that follow."""


@dataclass(frozen=True, kw_only=True)
class TasksFound(Event):
    """Somebody asked how hard something is: the sample tasks that fit, each as one line."""

    about = ()
    asked: str = shown()
    found: tuple[str, ...] = shown()

    def in_words(self) -> str:
        """One line for each task."""
        return "\n".join([f"{self.asked}:", *[f"  {line}" for line in self.found]])


@dataclass(frozen=True, kw_only=True)
class Followed(Event):
    """What came of a check beside success or failure, in words."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown()


@dataclass(frozen=True, kw_only=True)
class ObstacleMet(Event):
    """How it stands with an obstacle after a try, and what will be easier for whoever tried: once, or from now on.

    ``used`` is what was easier this once.
    """

    who: str = shown()
    obstacle: str = shown()
    state: str = shown(default="")
    easier: tuple[str, ...] = shown(default=())
    lasts: bool = shown(default=False)
    used: tuple[str, ...] = shown(default=())
    what: str = shown(default="")

    def in_words(self) -> str:
        """How it stands."""
        stands = {"solved": "is overcome", "shut": "cannot be tried again"}.get(self.state, "is still in the way")
        return f"{self.who}: {self.obstacle} {stands}" + (f"; {self.what}" if self.what else "")


apply: Apply[Scene] = Apply(common)


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
    return replaced(scene, facts=facts)


@apply.after(Checked)
def _checked(scene: Scene, event: Checked) -> Scene:
    """What helped or hindered the next check is used up by it.

    What the Referee decides is no check (marchen.play.basic_process); a passive one has no dice that a disadvantage
    could change (marchen.check.passive), so it waits for the next roll.
    """
    status = scene[event.who].status
    if event.cause == AUTOMATIC or not (status.nexts or status.hindered):
        return scene
    return scene.change(event.who, nexts=(), hindered=status.hindered and event.cause == PASSIVE)


@apply.on(TasksFound)
def _tasks_found(scene: Scene, event: TasksFound) -> Scene:
    return scene


@apply.on(Followed)
def _followed(scene: Scene, event: Followed) -> Scene:
    return scene
