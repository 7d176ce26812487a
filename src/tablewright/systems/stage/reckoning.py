"""What is counted of a fight of The Stage: points of all six tracks, temporary ones too, and what is left of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.events.fighting import Attacked, Hurt
from tablewright.systems.stage.status import stands
from tablewright.systems.stage.values import CORE, SURFACE

TRACKS = (*SURFACE.values(), *CORE.values())


def _vigour(one: Participant) -> int:
    status = one.status
    left = status.stamina + status.vitality + status.intellect + status.sanity + status.will + status.spirit
    return int(left + sum(status.temporary.values()))


def _attacked(scene: Scene, event: Attacked) -> Blow:
    """Points that are spent on an attack or a defence are nobody's doing but one's own."""
    paid: Counter[str] = Counter()
    for who, price in ((event.who, event.paid), (event.by, event.spent), (event.ally, event.lent)):
        paid[who] += sum([amount for purse, amount in price.amounts if purse in TRACKS])
    return Blow(event.by, event.weapon or event.what, paid)


def _left(track: str) -> Callable[[Participant], int]:
    return lambda one: int(getattr(one.status, track))


RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.dead,
    vigour=_vigour,
    left={track: _left(track) for track in TRACKS},
    blows={
        Attacked: _attacked,
        Hurt: lambda scene, event: Blow(None, event.source),
    },
)
