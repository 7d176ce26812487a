"""What happens outside of fights: events of checks, obstacles and life, and how scenes change by them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.game.common import common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.scene import Scene


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


apply: Apply[Scene] = Apply(common)


@apply.on(TasksFound)
def _tasks_found(scene: Scene, event: TasksFound) -> Scene:
    return scene


@apply.on(Followed)
def _followed(scene: Scene, event: Followed) -> Scene:
    return scene
