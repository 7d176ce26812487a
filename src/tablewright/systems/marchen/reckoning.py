"""What is counted of a fight of Märchen Engine: damage of all four aspects, and how far each is from its threshold."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.scene import Participant
from tablewright.systems.marchen.events import Harmed, Struck
from tablewright.systems.marchen.status import stands

ASPECTS = ("physical", "mental", "social", "spiritual")


def _vigour(one: Participant) -> int:
    status = one.status
    return -int(status.physical + status.mental + status.social + status.spiritual)


def _left(place: int) -> Callable[[Participant], int]:
    aspect = ASPECTS[place]
    return lambda one: int(one.status.limits[place] - getattr(one.status, aspect))


RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.fate == "dead",
    vigour=_vigour,
    left={f"{aspect} threshold": _left(place) for place, aspect in enumerate(ASPECTS)},
    blows={
        Struck: lambda scene, event: Blow(event.by, event.arms),
        Harmed: lambda scene, event: Blow(None, event.cause),
    },
)
