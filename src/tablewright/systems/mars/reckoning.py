"""What is counted of a fight of MARS: damage to endurance and health, and what is left of the four resources."""

from __future__ import annotations

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.scene import Participant, Scene
from tablewright.systems.mars.events import HealthLost, Hit, Hurt
from tablewright.systems.mars.status import fight, stands


def _hit(scene: Scene, event: Hit) -> Blow:
    blow = fight(scene).blow
    return Blow(event.by, blow.weapon if blow is not None else "")


def _vigour(one: Participant) -> int:
    return int(one.status.endurance + one.status.health)


RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.dead,
    vigour=_vigour,
    left={
        "health": lambda one: one.status.health,
        "endurance": lambda one: one.status.endurance,
        "stamina": lambda one: one.status.stamina,
        "focus": lambda one: one.status.focus,
    },
    blows={
        Hit: _hit,
        Hurt: lambda scene, event: Blow(None, event.by),
        HealthLost: lambda scene, event: Blow(None, event.why),
    },
)
