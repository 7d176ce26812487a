"""What becomes of somebody in a scene, as immutable values: resources, effects, the present turn, what is planned.

How a blow under way stands is kept in the scene as well (:class:`Fight`): a process may stop and go on anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from tablewright.game.belongings import Carried
from tablewright.game.checks import Subject
from tablewright.game.content import Library
from tablewright.game.events import OWNER, shown
from tablewright.game.frozen import Ranks
from tablewright.game.scene import Participant, Scene
from tablewright.game.tracks import left_of
from tablewright.systems.mars.attack import TURN_SECONDS, Defence
from tablewright.systems.mars.character import Effect, EffectKind, MarsCharacter, figures, item
from tablewright.systems.mars.content import RESOURCES, Armour, Weapon
from tablewright.systems.mars.damage import Category
from tablewright.systems.mars.values import Degree, RollValue

Manner: TypeAlias = Literal["melee", "shot", "thrown"]
ReadyTrigger: TypeAlias = Literal["enters_reach", "moves", "attacks", "appears"]
READY_TRIGGERS: dict[ReadyTrigger, str] = {
    "enters_reach": "an enemy comes into reach",
    "moves": "an enemy moves",
    "attacks": "an enemy attacks",
    "appears": "an enemy comes into view",
}


class Backswing(NamedTuple):
    """The bonus that misses with one weapon have brought together; mars.gap.weapon.backswing."""

    weapon: str
    bonus: int


class Turn(NamedTuple):
    """What somebody has done since the start of their turn, and how much of its six seconds is left.

    ``reaction``, ``maneuvers`` and ``talents`` count from one's own turn to the next; ``reacting`` is so while a
    readied action is carried out, which takes no time; a ``fresh`` turn has not been used for anything yet, and
    nothing has waited for its start.
    """

    seconds: int = 0
    free: bool = False
    reaction: bool = True
    moves: int = 0
    attacks: int = 0
    checks: int = 0
    attacked: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    weapon: str = ""
    backswing: tuple[Backswing, ...] = ()
    maneuvers: tuple[str, ...] = ()
    talents: tuple[str, ...] = ()
    stopped: bool = False
    reacting: bool = False
    fresh: bool = False

    def swung(self, weapon: str) -> int:
        """The bonus that misses with a weapon have brought."""
        return sum([one.bonus for one in self.backswing if one.weapon == weapon])

    @staticmethod
    def begun(stuns: int) -> Turn:
        """A turn that begins: six seconds, less two for every stun, and one free action."""
        return Turn(seconds=max(0, TURN_SECONDS - 2 * stuns), free=True, fresh=True)  # mars.effect.stunned


class Ready(NamedTuple):
    """An action that waits for its trigger."""

    trigger: ReadyTrigger
    action: str


class Work(NamedTuple):
    """An extended action: what is done, how many seconds it takes and how many have gone into it."""

    action: str
    detail: str
    needed: int
    done: int = 0
    target: str | None = None


class Most(NamedTuple):
    """The maxima of resources, as far as others can tell from them how somebody looks."""

    health: int = 0
    endurance: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """What has become of somebody. How hurt and how tired somebody is, others see only as a word.

    ``earlier`` is the turn before this one, as long as this one can still be delayed; ``tolerated`` is so once pain
    tolerance was needed in this encounter.
    """

    health: int = shown(OWNER)
    endurance: int = shown(OWNER)
    stamina: int = shown(OWNER)
    focus: int = shown(OWNER)
    effects: tuple[Effect, ...] = shown(default=())
    belongings: tuple[Carried, ...] = shown(OWNER, default=())
    used: Ranks = shown(OWNER, default=Ranks())
    turn: Turn = shown(default=Turn())
    delayed: bool = shown(default=False)
    surprised: bool = shown(default=False)
    dead: bool = shown(default=False)
    initiative: int | None = shown(default=None, told=False)
    ready: Ready | None = shown(OWNER, default=None)
    work: Work | None = shown(default=None)
    concentration: str = shown(default="")
    tolerated: bool = shown(OWNER, default=False)
    earlier: Turn | None = shown(OWNER, default=None)
    most: Most = shown(OWNER, default=Most())

    def has(self, kind: EffectKind) -> bool:
        """Whether an effect of a kind has taken hold."""
        for effect in self.effects:  # noqa: SIM110 - asked for many times in every turn
            if effect.kind == kind:
                return True
        return False

    def effect(self, kind: EffectKind, stat: str = "") -> Effect | None:
        """The effect of a kind, if there is one."""
        for effect in self.effects:
            if effect.kind == kind and (not stat or effect.stat == stat):
                return effect
        return None

    @property
    def conscious(self) -> bool:
        """Whether somebody can act at all."""
        return not self.dead and not (self.effects and self.has("unconscious"))

    @property
    def sickness(self) -> int:
        """The degree of the strongest sickness."""
        return max([effect.degree for effect in self.effects if effect.kind == "sickness"], default=0)


def stands(participant: Participant) -> bool:
    """Whether somebody is still in the fight."""
    status: Status = participant.status
    return participant.present and status.conscious


# ---------------------------------------------------------------------- a blow under way


class Incoming(NamedTuple):
    """An attack under way: everything about it that was settled when it was declared, and how far it has come.

    ``total`` is set once it is rolled by itself, ``degree`` once it has met the defence; ``effect`` is the degree
    against the resist. ``cost_free`` defences are those of somebody who stepped in; a ``further`` blow is part of an
    attack on several that was counted already.
    """

    attacker: str
    target: str
    weapon: str
    manner: Manner
    attack: RollValue
    damage: RollValue
    threshold: int = 7
    critical: int = 0
    category: Category = "physical"
    kind: str = "bludgeoning"
    nonlethal: bool = False
    halvings: int = 0
    advantage: int = 0
    disadvantage: int = 0
    damage_advantage: int = 0
    damage_disadvantage: int = 0
    maneuver: str = ""
    resist: str = ""
    reaction: bool = False
    sneak: bool = False
    rating: int = 0
    cost_free: bool = False
    stray: bool = False
    total: int | None = None
    defence: Defence | None = None
    with_item: str = ""
    then: str = ""
    degree: Degree | None = None
    effect: Degree | None = None
    block: str = ""
    intercepted: bool = False
    further: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """The encounter itself: whether it has begun, its order without delays, blows under way.

    ``mover`` is who moved last, ``done`` the tasks of a complex challenge that are done.
    """

    begun: bool = False
    surprise: bool = False
    order: tuple[str, ...] = ()
    incoming: tuple[Incoming, ...] = ()
    mover: str = ""
    done: tuple[str, ...] = ()

    @property
    def blow(self) -> Incoming | None:
        """The innermost attack under way."""
        return self.incoming[-1] if self.incoming else None


def fight(scene: Scene) -> Fight:
    """The encounter of a scene."""
    extra = scene.extra
    return extra if isinstance(extra, Fight) else _NO_FIGHT


_NO_FIGHT = Fight()


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """The status of somebody who comes into a scene, with the wounds of before."""
    character: MarsCharacter = subject.character
    most = figures(character, subject.library)
    wounds = character.wounds
    return Status(
        **left_of(wounds, most, RESOURCES),
        effects=wounds.effects,
        belongings=tuple([whole(carried, subject.library) for carried in character.belongings]),
        used=wounds.used,
        dead=wounds.dead,
        most=Most(most.health, most.endurance),
    )


def whole(carried: Carried, library: Library) -> Carried:
    """Something carried whose durability or load was not written down: a shield is whole, a weapon is loaded."""
    if carried.left is not None:
        return carried
    known = item(carried.item, library)
    if isinstance(known, Armour) and known.durability is not None:
        return replace(carried, left=known.durability)
    if isinstance(known, Weapon) and known.features.reload is not None:
        return replace(carried, left=1)
    return carried
