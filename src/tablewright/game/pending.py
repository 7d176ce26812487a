"""What is due for somebody goes where they go: off the clock when they leave, on it again where they come.

A system whose characters can have something coming to them (a disease, a debt, a day to be reckoned) declares one field
of its character, and that is all; ``fall_due`` says what each thing does, and is never called for somebody who is gone:

>>> from tablewright.game.character import Character
>>> from tablewright.game.clock import Clock
>>> from tablewright.game.scene import Participant
>>> class Patient(Character):
...     system: str = "demo"
...     rules: str = "1"
...     pending: Dues = ()
>>> fever = Pending(what="fever", left=36, every=24)
>>> ann = Participant(
...     id="ann", name="Ann", side="a", seat="ann", status=None, character=Patient(name="Ann"), pending=(fever,)
... )
>>> scene = come(Scene("demo", (ann,), clock=Clock(now=100)), "ann")
>>> scene.clock.due
(Due(at=136, what='fever', who='ann', every=24, data=None, rank=0),)
>>> later = gone(replaced(scene, clock=scene.clock.moved(30)), "ann")
>>> later.clock.due, [one.left for one in taken_along(later, "ann", ann.character).pending]
((), [6])
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from tablewright.game.character import KEPT, Character, Field, Value
from tablewright.game.clock import MOST_TICKS
from tablewright.game.scene import Scene, replaced

__all__ = ["Dues", "Pending", "come", "gone", "pending_of", "taken_along"]

MOST_PENDING = 1_000


class Pending(Value):
    """Something that falls due for a character, wherever it is, after so many ticks more."""

    what: str = Field(min_length=1, max_length=200)
    left: int = Field(ge=1, le=MOST_TICKS)
    every: int = Field(default=0, ge=0, le=MOST_TICKS)
    data: Annotated[Any, KEPT] = None
    rank: int = Field(default=0, ge=-1_000, le=1_000)


Dues: TypeAlias = Annotated[tuple[Pending, ...], Field(max_length=MOST_PENDING)]
"""The field of a character that keeps what is due for it between scenes: ``pending: Dues = ()``."""


def pending_of(scene: Scene, who: str) -> tuple[Pending, ...]:
    """What is due for somebody: on the clock of the scene, or, for one who has left, as it stood then."""
    now = scene.clock.now
    return scene[who].pending + tuple(
        [
            Pending(what=due.what, left=max(1, due.at - now), every=due.every, data=due.data, rank=due.rank)
            for due in scene.clock.waiting(who=who)
        ]
    )


def gone(scene: Scene, who: str) -> Scene:
    """The scene that somebody has left: what was due for them waits with them and does nothing here."""
    left = replaced(scene[who], present=False, pending=pending_of(scene, who))
    return replaced(scene.with_participant(left), clock=scene.clock.cancel(who=who))


def come(scene: Scene, who: str) -> Scene:
    """The scene that somebody has come into: what is due for them goes on its clock."""
    clock = scene.clock
    for one in scene[who].pending:
        clock = clock.schedule(one.what, after=one.left, who=who, every=one.every, data=one.data, rank=one.rank)
    return replaced(scene.with_participant(replaced(scene[who], present=True, pending=())), clock=clock)


def taken_along(scene: Scene, who: str, character: Any) -> Any:
    """A character that goes out of a scene with what is due for it; one that keeps nothing of the kind as it is.

    This is what ``Rulebook.leave`` does by itself; a system with a ``leave`` of its own ends with it.
    """
    if not isinstance(character, Character) or "pending" not in type(character).model_fields:
        return character
    return character.changed(pending=pending_of(scene, who))
