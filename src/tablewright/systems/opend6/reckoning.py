"""What is counted of a fight of OpenD6: Body Points where they are used and wound levels elsewhere, and points left."""

from __future__ import annotations

from typing import Any

from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.scene import Participant, replaced
from tablewright.systems.opend6.character import body_points
from tablewright.systems.opend6.events import Hurt, Struck
from tablewright.systems.opend6.injury import RANK, level_of_points
from tablewright.systems.opend6.status import stands
from tablewright.systems.opend6.values import WOUND_LEVELS


def _levels(one: Participant) -> int:
    """How many wound levels are between somebody and death."""
    return RANK["dead"] - RANK[one.status.wounds.level]


def _vigour(one: Participant) -> int:
    """Wound levels; where Body Points are lost, those, counted from where somebody unhurt has all levels."""
    points = one.status.wounds.body_points
    return _levels(one) if points is None else RANK["dead"] + points - body_points(one.character).total


def _lessened(before: Participant, after: Participant, lost: int) -> Any:
    """Somebody who loses so many wound levels, or Body Points where those are used, and nothing else."""
    wounds = before.status.wounds
    if after.status.wounds.body_points is not None:
        most = body_points(before.character).total
        left = (most if wounds.body_points is None else wounds.body_points) - lost
        return replaced(before.status, wounds=wounds.changed(body_points=left, level=level_of_points(left, most)))
    level = WOUND_LEVELS[min(RANK[wounds.level] + lost, RANK["dead"])]
    return replaced(before.status, wounds=wounds.changed(level=level))


RECKONING = Reckoning(
    stands=stands,
    dead=lambda one: one.status.wounds.level == "dead",
    vigour=_vigour,
    harm="wound levels or Body Points",
    left={
        "wound levels": _levels,
        "character points": lambda one: one.status.character_points,
        "fate points": lambda one: one.status.fate_points,
    },
    blows={
        Struck: lambda scene, event: Blow(event.by, event.weapon),
        Hurt: lambda scene, event: Blow(None, event.by),
    },
    lessened=_lessened,
)
