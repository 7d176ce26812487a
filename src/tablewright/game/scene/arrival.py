"""Timers of participants who enter or leave a scene.

Leaving takes a participant's timers off the clock; entering the next scene puts them back on. A system whose characters
can have timers (a disease, a debt, a payday) only declares the field ``pending`` on its character. Its ``on_timer``
implements the timers and is never called for absent participants:

>>> from tablewright.game.character.character import Character
>>> from tablewright.game.time.clock import Clock
>>> from tablewright.game.time.timers import PendingTimers
>>> from tablewright.game.scene.scene import Participant
>>> class Patient(Character):
...     system: str = "demo"
...     rules: str = "1"
...     pending: PendingTimers = ()
>>> fever = PendingTimer(what="fever", left=36, every=24)
>>> ann = Participant(
...     id="ann", name="Ann", side="a", seat="ann", status=None, character=Patient(name="Ann"), pending=(fever,)
... )
>>> scene = enter_scene(Scene("demo", (ann,), clock=Clock(now=100)), "ann")
>>> scene.clock.due
(Timer(at=136, what='fever', who='ann', every=24, data=None, rank=0),)
>>> later = leave_scene(evolve(scene, clock=scene.clock.moved(30)), "ann")
>>> later.clock.due, [one.left for one in with_pending_timers(later, "ann", ann.character).pending]
((), [6])
"""

from __future__ import annotations

from typing import Any

from tablewright.game.character.character import Character
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.time.timers import PendingTimer


def pending_of(scene: Scene, who: str) -> tuple[PendingTimer, ...]:
    """Pending timers of a participant: those on the scene's clock, or those saved when the participant left."""
    now = scene.clock.now
    return scene[who].pending + tuple(
        [
            PendingTimer(what=due.what, left=max(1, due.at - now), every=due.every, data=due.data, rank=due.rank)
            for due in scene.clock.waiting(who=who)
        ]
    )


def leave_scene(scene: Scene, who: str) -> Scene:
    """Mark a participant as absent and move their timers from the clock to ``pending``."""
    left = evolve(scene[who], present=False, pending=pending_of(scene, who))
    return evolve(scene.with_participant(left), clock=scene.clock.cancel(who=who))


def enter_scene(scene: Scene, who: str) -> Scene:
    """Mark a participant as present and move their pending timers onto the clock."""
    clock = scene.clock
    for one in scene[who].pending:
        clock = clock.schedule(one.what, after=one.left, who=who, every=one.every, data=one.data, rank=one.rank)
    return evolve(scene.with_participant(evolve(scene[who], present=True, pending=())), clock=clock)


def with_pending_timers(scene: Scene, who: str, character: Any) -> Any:
    """Copy of a character that carries its timers out of the scene.

    Characters without a ``pending`` field are returned unchanged. The default exit of a rulebook calls this; a system
    that replaces the exit must call it last.
    """
    if not isinstance(character, Character) or "pending" not in type(character).model_fields:
        return character
    return character.changed(pending=pending_of(scene, who))
