"""What becomes of somebody in a scene, as immutable values, and what they keep of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tablewright.engine.tally import Part
from tablewright.game.belongings import Belongings
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, shown
from tablewright.game.pending import taken_along
from tablewright.game.scene import Participant, Scene
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, Wounds

WOUND_DICE = {"wounded": 1, "severely_wounded": 2, "incapacitated": 3}


@dataclass(frozen=True, slots=True)
class Status:
    """What becomes of somebody here. Points and what they were spent on are the owner's to know.

    ``used`` are the skills used since the last time between adventures; ``climactic`` is so in a round in which a Fate
    Point was spent for all of its rolls.
    """

    character_points: int = shown(OWNER)
    fate_points: int = shown(OWNER)
    belongings: Belongings = shown(default=())
    fate_spent: tuple[FateSpent, ...] = shown(OWNER, default=())
    climactic_used: bool = shown(OWNER, default=False)
    climactic: bool = shown(default=False)
    used: tuple[str, ...] = shown(OWNER, default=())
    wounds: Wounds = shown(OWNER, default=Wounds())


def enter(subject: Subject) -> Status:
    """Somebody who has just come, with the points, wounds and belongings of the character."""
    character: OpenD6Character = subject.character
    return Status(
        character_points=character.character_points,
        fate_points=character.fate_points,
        belongings=character.belongings,
        fate_spent=character.fate_spent,
        climactic_used=character.climactic_used,
        used=character.used_skills,
        wounds=character.wounds,
    )


def leave(scene: Scene, who: str) -> OpenD6Character:
    """The character that goes out of a scene, with what is left of its points, its wounds and its belongings."""
    participant: Participant = scene[who]
    character: OpenD6Character = participant.character
    status: Status = participant.status
    kept = character.changed(
        character_points=status.character_points,
        fate_points=status.fate_points,
        belongings=status.belongings,
        fate_spent=status.fate_spent,
        climactic_used=status.climactic_used,
        used_skills=status.used,
        wounds=status.wounds,
    )
    along: OpenD6Character = taken_along(scene, who, kept)
    return along


def lost_dice(subject: Subject) -> Iterator[Part]:
    """The dice that somebody has lost on every skill and attribute roll, each with its reason."""
    wounds: Wounds = subject.character.wounds if subject.status is None else subject.status.wounds
    dice = WOUND_DICE.get(wounds.level, 0)
    if dice:
        yield Part(wounds.level.replace("_", " "), dice, "opend6.gap.wound.penalties")
