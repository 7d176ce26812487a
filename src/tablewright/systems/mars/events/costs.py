"""What an action costs, and the one place where every event of the system is applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablewright.game.common import common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.scene import Scene, replaced
from tablewright.systems.mars.status import (
    Status,
    Turn,
)

apply: Apply[Scene] = Apply(common)


@dataclass(frozen=True, kw_only=True)
class Costly(Event):
    """Somebody did something that takes time or strength."""

    who: str = shown()
    seconds: int = shown(default=0)
    free: bool = shown(default=False)
    stamina: int = shown(default=0)
    focus: int = shown(default=0)
    reaction: bool = shown(default=False)


def paid(scene: Scene, event: Costly, **changes: Any) -> Scene:
    """The scene after somebody paid for what they did, with further changes of their status."""
    participant = scene[event.who]
    status: Status = participant.status
    turn: Turn = changes.pop("turn", status.turn)
    turn = turn._replace(
        seconds=turn.seconds - event.seconds,
        free=turn.free and not event.free,
        reaction=turn.reaction and not event.reaction,
        fresh=turn.fresh and event.reaction,
    )
    status = replaced(
        status, turn=turn, stamina=status.stamina - event.stamina, focus=status.focus - event.focus, **changes
    )
    return scene.with_participant(replaced(participant, status=status))


def told(event: Event, words: str) -> str:
    """A line about an event with what it cost."""
    cost = []
    if isinstance(event, Costly):
        cost = [f"{event.seconds} s"] if event.seconds else []
        cost += ["reaction"] if event.reaction else []
        cost += [f"{event.stamina} stamina"] if event.stamina else []
        cost += [f"{event.focus} focus"] if event.focus else []
    return f"{words} ({', '.join(cost)})" if cost else words
