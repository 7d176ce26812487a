"""What is counted of a fight of Renaissance: damage, how much Durability is left beside it, and Luck."""

from __future__ import annotations

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.systems.renaissance.events import Attacked, Hurt
from tablewright.systems.renaissance.status import stands

RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.dead,
    vigour=lambda one: -one.status.damage,
    left={
        "durability": lambda one: one.status.durability - one.status.damage,
        "luck": lambda one: one.status.luck,
    },
    blows={
        Attacked: lambda scene, event: Blow(event.by, event.weapon),
        Hurt: lambda scene, event: Blow(event.doer, event.by),
    },
)
