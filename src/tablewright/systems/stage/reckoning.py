"""What is counted of a fight of The Stage: points of all six tracks, temporary ones too, and what is left of them."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.scene import Participant
from tablewright.systems.stage.events.fighting import Attacked, Hurt
from tablewright.systems.stage.status import stands
from tablewright.systems.stage.values import CORE, SURFACE

TRACKS = (*SURFACE.values(), *CORE.values())


def _vigour(one: Participant) -> int:
    status = one.status
    left = status.stamina + status.vitality + status.intellect + status.sanity + status.will + status.spirit
    return int(left + sum(status.temporary.values()))


def _left(track: str) -> Callable[[Participant], int]:
    return lambda one: int(getattr(one.status, track))


RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.dead,
    vigour=_vigour,
    left={track: _left(track) for track in TRACKS},
    blows={
        Attacked: lambda scene, event: Blow(event.by, event.weapon or event.what),
        Hurt: lambda scene, event: Blow(None, event.source),
    },
)
