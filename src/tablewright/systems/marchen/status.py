"""What becomes of somebody in a scene."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.game.belongings import Belongings
from tablewright.game.character import Ranks
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, shown
from tablewright.systems.marchen.character.record import Condition, MarchenCharacter

NOTHING = Ranks()


@dataclass(frozen=True, slots=True)
class Status:
    """Damage by aspect, conditions, what is carried. How hurt somebody is, others see only as a word."""

    damage: Ranks = shown(OWNER, default=NOTHING)
    conditions: tuple[Condition, ...] = shown(OWNER, default=())
    weight: Ranks = shown(OWNER, default=NOTHING)
    belongings: Belongings = shown(default=())


def enter(subject: Subject) -> Status:
    """Somebody who comes into a scene, with what is carried from the last one."""
    character: MarchenCharacter = subject.character
    kept = character.wounds
    return Status(kept.damage, kept.conditions, kept.weight, character.belongings)
