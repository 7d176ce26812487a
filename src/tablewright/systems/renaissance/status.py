"""What becomes of somebody in a scene. Numbers of resources are the owner's; others see the health word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablewright.game.belongings import Belongings
from tablewright.game.character import Ranks
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, secret, shown
from tablewright.game.lasting import Lasting
from tablewright.game.pending import taken_along
from tablewright.game.scene import Scene
from tablewright.systems.renaissance.character.active import Sustaining, active_for
from tablewright.systems.renaissance.character.figures import Numbers, luck_stat, numbers
from tablewright.systems.renaissance.character.record import Harm, RenaissanceCharacter


@dataclass(frozen=True, slots=True)
class Status:
    """What was lost and gained in a scene; everything that follows from it is worked out.

    The fields from ``damage`` to ``insane`` are those of ``Harm``, which the character keeps between scenes; ``luck``
    are the points left. ``spent`` is what was used of this turn's actions, ``sustained`` what is kept up.
    """

    luck: int = shown(OWNER)
    damage: int = shown(OWNER, default=0)
    wounds: int = shown(OWNER, default=0)
    bound: int = shown(OWNER, default=0)
    tried: int = shown(OWNER, default=0)
    stress: int = shown(OWNER, default=0)
    traumas: int = shown(OWNER, default=0)
    soothed: int = shown(OWNER, default=0)
    mending: int = shown(OWNER, default=0)
    easing: int = shown(OWNER, default=0)
    overwhelmed: bool = shown(default=False)
    dur_lost: int = shown(OWNER, default=0)
    lost: tuple[str, ...] = shown(default=())
    dead: bool = shown(default=False)
    insane: bool = shown(default=False)
    belongings: Belongings = shown(OWNER, default=())
    lasting: tuple[Lasting, ...] = shown(default=())
    sustained: Sustaining = shown(default=())
    spent: Ranks = shown(OWNER, default=Ranks())
    passive: tuple[tuple[str, str], ...] = secret(default=())  # what was rolled for somebody, and what came of it


TRACKS = (
    "damage",
    "wounds",
    "bound",
    "tried",
    "stress",
    "traumas",
    "soothed",
    "mending",
    "easing",
    "overwhelmed",
    "dur_lost",
    "lost",
    "dead",
    "insane",
)


def enter(subject: Subject) -> Status:
    """The status of somebody who comes into a scene, with the harm of before."""
    character: RenaissanceCharacter = subject.character
    harm = character.harm
    most = luck_stat(character, subject.library).total
    left = most if harm.luck is None else min(harm.luck, most)
    kept: dict[str, Any] = {name: getattr(harm, name) for name in TRACKS}
    return Status(luck=left, belongings=character.belongings, **kept)


def leave(scene: Scene, who: str) -> RenaissanceCharacter:
    """The character that goes out of a scene, with its harm and its belongings."""
    character: RenaissanceCharacter = scene[who].character
    status: Status = scene[who].status
    most = luck_stat(character, scene.library).total
    kept: dict[str, Any] = {name: getattr(status, name) for name in TRACKS}
    harm = character.harm.changed(luck=None if status.luck >= most else status.luck, **kept)
    changed: RenaissanceCharacter = character.changed(harm=harm, belongings=status.belongings)
    out: RenaissanceCharacter = taken_along(scene, who, changed)
    return out


def numbers_of(subject: Subject) -> Numbers:
    """The numbers of somebody as they are armed and affected now, in a scene or outside of one."""
    character: RenaissanceCharacter = subject.character
    status = subject.status
    belongings = character.belongings if status is None else status.belongings
    return numbers(character, subject.library, belongings, active_for(character, status, subject.library))


def harm_of(subject: Subject) -> Status | Harm:
    """Damage, wounds and the rest: of the scene, or of the character where there is none."""
    if subject.status is None:
        harm: Harm = subject.character.harm
        return harm
    status: Status = subject.status
    return status
