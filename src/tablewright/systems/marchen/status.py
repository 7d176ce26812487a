"""What becomes of somebody in a scene, as immutable values: damage, position in the fight, the present turn, plans.

What belongs to everybody together (the season, the place, an objective) is the :class:`Chronicle` of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.belongings import Belongings
from tablewright.game.character import Ranks
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, shown
from tablewright.game.lasting import Lasting
from tablewright.game.pending import taken_along
from tablewright.game.scene import Participant, Scene, replaced
from tablewright.systems.marchen.character.figures import figures
from tablewright.systems.marchen.character.record import (
    MOST_NAME,
    Condition,
    Journey,
    MarchenCharacter,
    Waiting,
    Wounds,
)
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import Aspect

NOTHING = Ranks()
Stance: TypeAlias = Literal["standing", "crouched", "prone"]
Dying: TypeAlias = Literal["", "puncti", "watch"]
Fate: TypeAlias = Literal["", "dead", "mind gone", "outcast", "soul lost"]
FATES: dict[Aspect, Fate] = {
    "physical": "dead",
    "mental": "mind gone",
    "social": "outcast",
    "spiritual": "soul lost",
}
"""What the end is called, by the aspect that was destroyed (marchen.gap.face.outcomes)."""


class Help(NamedTuple):
    """A DM on somebody's next check, and where it comes from; a ``circumstance`` is one reason of help among others."""

    name: str
    dm: int
    circumstance: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """Damage by aspect, conditions, what is carried, how one stands in a fight. Others see a word for the damage.

    ``in_control`` is so for whoever has the initiative; without it one is in a bad spot. ``effect`` is the result that
    orders turns. ``loses_round`` is the number of the round that is lost; who is ``surprised`` cannot react in it.
    ``falling`` is how somebody falls who acts first, at the same moment as the one they fall to. ``nexts`` are DMs on
    the next check, ``hindered`` a disadvantage on it. ``reactions`` are counted from one's own turn to the next.
    ``weight`` are DMs that stay from facing the end until the damage is down again. Who has ``yielded`` may be deprived
    of their things. ``limits`` are the thresholds: by them others see how hurt somebody looks.
    """

    physical: int = shown(OWNER, default=0)
    mental: int = shown(OWNER, default=0)
    social: int = shown(OWNER, default=0)
    spiritual: int = shown(OWNER, default=0)
    conditions: tuple[Condition, ...] = shown(OWNER, default=())
    weight: Ranks = shown(OWNER, default=NOTHING)
    belongings: Belongings = shown(default=())
    down: bool = shown(default=False)
    conscious: bool = shown(default=True, told="unconscious")
    dying: Dying = shown(default="")
    fate: Fate = shown(default="", told=False)
    in_control: bool = shown(default=True, told="in a bad spot")
    effect: int | None = shown(default=None, told=False)
    loses_round: int = shown(default=0)
    surprised: bool = shown(default=False)
    falling: tuple[str, ...] = shown(default=(), told=False)
    spent: Ranks = shown(default=NOTHING, told=False)
    aim: int = shown(default=0)
    reactions: int = shown(default=0, told=False)
    nexts: tuple[Help, ...] = shown(OWNER, default=())
    hindered: bool = shown(OWNER, default=False)
    stance: Stance = shown(default="standing")
    turned: bool = shown(default=False, told=False)
    compelled: bool = shown(default=False, told=False)
    unloaded: tuple[str, ...] = shown(default=())
    soaked: int = shown(default=0, told=False)
    treated: bool = shown(default=False, told=False)
    camped: tuple[int, int] = shown(default=(0, 0), told=False)
    plan: str = shown(OWNER, default="")
    interrupted: bool = shown(default=False, told=False)
    yielded: bool = shown(default=False, told=False)
    lasting: tuple[Lasting, ...] = shown(default=())
    limits: tuple[int, int, int, int] = shown(OWNER, default=(14, 14, 14, 14), told=False)

    @property
    def damage(self) -> Mapping[str, int]:
        """The damage of each aspect."""
        return {
            "physical": self.physical,
            "mental": self.mental,
            "social": self.social,
            "spiritual": self.spiritual,
        }


def enter(subject: Subject) -> Status:
    """Somebody who comes into a scene, with what is carried from the last one."""
    character: MarchenCharacter = subject.character
    kept = character.wounds
    damage = kept.damage
    return Status(
        physical=damage.get("physical", 0),
        mental=damage.get("mental", 0),
        social=damage.get("social", 0),
        spiritual=damage.get("spiritual", 0),
        conditions=kept.conditions,
        weight=weighing(kept.weight, damage, figures(character, subject.options).thresholds),
        belongings=character.belongings,
        down=kept.down or bool(kept.fate),
        conscious=kept.conscious and not kept.fate,
        dying=kept.dying,
        fate=kept.fate,
        treated=kept.treated,
        nexts=tuple([Help(one.name, one.dm, one.circumstance) for one in kept.nexts]),
        hindered=kept.hindered,
        limits=limits_of(character, subject.options),
    )


def weighing(weight: Ranks, damage: Mapping[str, int], thresholds: Mapping[Aspect, int]) -> Ranks:
    """What still weighs of facing the end: where the damage is beyond the threshold (marchen.gap.face.outcomes)."""
    left = {name: value for name, value in weight.items() if damage.get(name, 0) > thresholds[name]}  # type: ignore[index]
    return weight if len(left) == len(weight) else Ranks(left)


def limits_of(character: MarchenCharacter, options: MarchenOptions) -> tuple[int, int, int, int]:
    """The thresholds of the four aspects."""
    found = figures(character, options).thresholds
    return found["physical"], found["mental"], found["social"], found["spiritual"]


def leave(scene: Scene, who: str) -> MarchenCharacter:
    """Somebody who goes out of a scene, with what is carried into the next one."""
    one = scene[who]
    status: Status = one.status
    character: MarchenCharacter = one.character
    wounds = Wounds(
        damage=Ranks({aspect: amount for aspect, amount in status.damage.items() if amount}),
        conditions=status.conditions,
        weight=status.weight,
        down=status.down,
        conscious=status.conscious,
        dying=status.dying,
        fate=status.fate,
        treated=status.treated,
        nexts=tuple([_kept(one) for one in status.nexts[-100:]]),
        hindered=status.hindered,
    )
    if wounds != character.wounds or status.belongings is not character.belongings:
        character = character.changed(wounds=wounds, belongings=status.belongings)
    left: MarchenCharacter = taken_along(scene, who, character)
    return left


def _kept(one: Help) -> Waiting:
    return Waiting(name=one.name.strip()[:MOST_NAME] or "help", dm=one.dm, circumstance=one.circumstance)


def stands(participant: Participant) -> bool:
    """Whether somebody is still in the fight: present and not down."""
    return participant.present and not participant.status.down


def lives(participant: Participant) -> bool:
    """Whether somebody has not come to an end of any kind (marchen.gap.face.outcomes)."""
    return not participant.status.fate


# ---------------------------------------------------------------------- what belongs to everybody


class Objective(NamedTuple):
    """Something to be won in a fight: how many steps it takes, how far each side has come, how it stands."""

    name: str
    steps: int = 1
    taken_by: str = ""
    lost_by: tuple[str, ...] = ()
    progress: tuple[tuple[str, int], ...] = ()

    def of(self, side: str) -> int:
        """How far a side has come."""
        return dict(self.progress).get(side, 0)

    def advanced(self, side: str, steps: int = 1) -> Objective:
        """The same after a side has come nearer to it, or has it."""
        now = dict(self.progress)
        now[side] = min(self.steps, now.get(side, 0) + steps)
        taken = side if now[side] >= self.steps else self.taken_by
        return self._replace(progress=tuple(sorted(now.items())), taken_by=taken)


class UnderWay(NamedTuple):
    """A blow that was announced and has not landed yet: by whom, at whom, with what, and to what end.

    ``unseen`` is so where nobody knew of the one who strikes: then nothing can be done about it.
    """

    by: str
    target: str
    arms: str
    how: str
    fate: str = ""
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The season, where the company is and what there is, what a fight is about, the company's pool.

    ``blow`` was announced, and whoever is struck at has not answered yet.
    ``features`` are what a place has (market, guards ...); where no place was named, everything may be there.
    What outlasts a scene (sanctuaries, a journey, songs that were sung) people take along themselves.
    """

    season: int = shown(default=0)
    running: bool = shown(default=False)
    place: str = shown(default="")
    culture: str = shown(default="")
    features: tuple[str, ...] = shown(default=())
    objective: Objective | None = shown(default=None)
    blow: UnderWay | None = shown(default=None)
    pool: int = shown(default=0)


NONE_YET = Chronicle()


def chronicle(scene: Scene) -> Chronicle:
    """What belongs to everybody in a scene."""
    found: Chronicle = scene.extra if scene.extra is not None else NONE_YET
    return found


def company(scene: Scene) -> list[Participant]:
    """Those who live through a campaign together: characters, or all who are there where nobody is one."""
    return [one for one in scene.present if not one.character.is_creature] or list(scene.present)


def with_people(
    scene: Scene, people: Iterable[Participant], change: Callable[[MarchenCharacter], Mapping[str, Any]]
) -> Scene:
    """The scene with something changed about some people for good, which goes without saying."""
    for one in people:
        changed = one.character.changed(**change(one.character))
        scene = scene.with_participant(replaced(one, character=changed))
    return scene


def sanctuaries(scene: Scene) -> tuple[str, ...]:
    """The places that are sanctuaries of somebody who is there."""
    return tuple(dict.fromkeys([place for one in company(scene) for place in one.character.sanctuaries]))


def sung(scene: Scene) -> frozenset[str]:
    """The songs that have helped somebody since the last season."""
    return frozenset([song for one in company(scene) for song in one.character.sung])


def journey(scene: Scene) -> Journey | None:
    """The journey that all who are there are on together; None where there is none."""
    ways = {one.character.journey for one in company(scene)}
    return ways.pop() if len(ways) == 1 else None


def society(scene: Scene) -> str:
    """The society in which the company is: where no culture was named, the one that is there."""
    return (chronicle(scene).culture or "this society")[:60]
