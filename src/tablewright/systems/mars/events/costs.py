"""What an action costs, and the one place where every event of the system is applied."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tablewright.game.common import common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.scene import Scene, replaced
from tablewright.systems.mars.character import Effect
from tablewright.systems.mars.status import (
    Status,
    Turn,
)

apply: Apply[Scene] = Apply(common)


@dataclass(frozen=True, kw_only=True)
class Costly(Event):
    """Somebody did something that takes time or strength; who ``slips`` away by it was about to."""

    slips: ClassVar[bool] = False
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
    scene = scene.with_participant(replaced(participant, status=status))
    return after_escaping(scene, event.who, slips=event.slips) if event.seconds or event.free else scene


def after_escaping(scene: Scene, who: str, *, slips: bool) -> Scene:
    """Out of sight is who moves at once after having escaped; who does anything else, or nothing, is not."""
    for one in scene.participants:
        effects = one.status.effects
        if effects and any(_slipping(effect, who) for effect in effects):
            kept = [effect for effect in effects if slips or not _slipping(effect, who)]
            gone = [replace(effect, degree=0) if _slipping(effect, who) else effect for effect in kept]
            scene = scene.change(one.id, effects=tuple(gone))
    return scene


def _slipping(effect: Effect, who: str) -> bool:
    return effect.kind == "unsighted" and effect.stat == who and effect.degree > 0


def told(event: Event, words: str) -> str:
    """A line about an event with what it cost."""
    cost = []
    if isinstance(event, Costly):
        cost = [f"{event.seconds} s"] if event.seconds else []
        cost += ["reaction"] if event.reaction else []
        cost += [f"{event.stamina} stamina"] if event.stamina else []
        cost += [f"{event.focus} focus"] if event.focus else []
    return f"{words} ({', '.join(cost)})" if cost else words
