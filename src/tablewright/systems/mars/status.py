"""Status of a participant: everything that play changes, as immutable values.

How a blow under way stands is kept in the scene as well (:class:`Fight`): a process may stop and go on anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.character.belongings import ItemStack
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.game.play.tracks import remaining, to_saved
from tablewright.game.scene.arrival import pending_of
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.time.clock import Clock, Data
from tablewright.game.values import Ranks
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.gear import item
from tablewright.systems.mars.character.record import Day, EffectKind, MarsCharacter, MarsEffect, Wounds
from tablewright.systems.mars.content import RESOURCES, Armour, Weapon
from tablewright.systems.mars.mechanics.attack import TURN_SECONDS, Defence
from tablewright.systems.mars.mechanics.harm import Category
from tablewright.systems.mars.values import Degree, Manner, RollValue

DAY_SECONDS = 86_400
ROUND_SECONDS = 6
DAY, SICKNESS, FIRE, DEATH = "day", "sickness", "fire", "death"
"""Names of timers: the day's reckoning, sickness, and outside of turns fire and dying."""

BY_ROUNDS: dict[EffectKind, str] = {"burning": FIRE, "dying": DEATH}
"""Effects that go on round by round, with their timers outside of fights."""

LASTING: tuple[EffectKind, ...] = (
    "blind",
    "burning",
    "debilitation",
    "dying",
    "enhancement",
    "sickness",
    "unconscious",
    "stat_change",
    "fatigue",
)
"""The effects that go on when an encounter is over, unless they have a duration in rounds."""


def leave(scene: Scene, who: str) -> MarsCharacter:
    """The character that goes out of a scene, with its wounds, its belongings and how far its day has gone."""
    participant = scene[who]
    character: MarsCharacter = participant.character
    status: Any = participant.status
    most = figures(character, scene.library)
    due = {(one.what, one.data): one.left for one in pending_of(scene, who)}
    kept = [_kept(effect, due) for effect in status.effects if _lasts(effect, status)]
    wounds = Wounds(**to_saved(status, most, RESOURCES), effects=tuple(kept), used=status.used, dead=status.dead)
    counts = needs_days(participant, scene.options.fatigue == "on")
    day = _day(character.day, due.get((DAY, None)) if counts else None, scene.clock.now)
    return character.changed(wounds=wounds, belongings=status.belongings, day=day)


def _lasts(effect: MarsEffect, status: Any) -> bool:
    """True if an effect leaves with its bearer; one of concentration does not (mars.concentration.single)."""
    if effect.kind == "prone":
        return any(one.kind == "unconscious" for one in status.effects)  # mars.effect.unconscious
    kept_up = bool(status.concentration) and effect.source == status.concentration
    return effect.kind in LASTING and effect.lasts and not kept_up


def _kept(effect: MarsEffect, due: Mapping[tuple[str, Data], int]) -> MarsEffect:
    if effect.kind != "sickness" or effect.left is None:
        return effect
    return replace(effect, left=due.get((SICKNESS, effect.source), effect.left))


def needs_days(participant: Participant, tiring: bool) -> bool:
    """True if a participant has a daily reckoning: the sick, the tired, and characters where needs tire."""
    if any(effect.kind in ("sickness", "fatigue") for effect in participant.status.effects):
        return True
    return tiring and not participant.character.is_creature


def _day(day: Day, ahead: int | None, now: int) -> Day:
    """The day with all moments counted from now; the next reckoning is ``ahead`` by so many seconds."""
    reckoned = 0 if ahead is None else ahead - DAY_SECONDS
    rested = None if day.rested_at is None else day.rested_at - now
    if (rested, reckoned) == (day.rested_at, day.reckoned_at):
        return day
    return day.changed(rested_at=rested, reckoned_at=reckoned)


def arrived(scene: Scene, who: str) -> Scene:
    """The scene after an arrival: the day's moments count on its clock, and timers are scheduled."""
    participant, now = scene[who], scene.clock.now
    day: Day = participant.character.day
    if now and day.rested_at is not None:
        shifted = participant.character.changed(day=day.changed(rested_at=day.rested_at + now))
        scene = scene.with_participant(replace(participant, character=shifted))
    return on_the_clock(scene, who)


def on_the_clock(scene: Scene, who: str) -> Scene:
    """The scene with a participant's timers on its clock."""
    clock = scheduled(scene.clock, scene[who], scene.options.fatigue == "on")
    return scene if clock is scene.clock else replace(scene, clock=clock)


def scheduled(clock: Clock, participant: Participant, tiring: bool) -> Clock:
    """The clock with what falls due for one who comes: days of the sick and tired, sickness, fire, dying."""
    character: MarsCharacter = participant.character
    who, effects = participant.id, participant.status.effects
    if needs_days(participant, tiring) and clock.left(DAY, who=who) is None:
        after = min(DAY_SECONDS, max(1, DAY_SECONDS + character.day.reckoned_at))
        clock = clock.schedule(DAY, after=after, who=who, every=DAY_SECONDS)
    for effect in effects:
        waits = clock.left(SICKNESS, who=who, data=effect.source) is not None
        if effect.kind == "sickness" and effect.left is not None and not waits:
            clock = clock.schedule(SICKNESS, after=max(1, effect.left), who=who, data=effect.source)
        what = BY_ROUNDS.get(effect.kind)
        if what is not None and clock.left(what, who=who) is None:
            clock = clock.schedule(what, after=ROUND_SECONDS, who=who)
    return clock


Effects = tuple[MarsEffect, ...]

ONE_OF_A_KIND: tuple[EffectKind, ...] = (
    "blind",
    "dying",
    "encumbered",
    "overencumbered",
    "prone",
    "unconscious",
    "halved_speed",
    "cover",
    "rage",
)
ONE_OF_A_STAT: tuple[EffectKind, ...] = ("debilitation", "enhancement")
ADDED: tuple[EffectKind, ...] = ("burning", "stunned")
STRONGEST: tuple[EffectKind, ...] = ("sickness", "fatigue", "rage")


def gain(effects: Effects, new: MarsEffect) -> Effects:
    """Effects after one more is added: the same kind stacks only if its rule says so.

    >>> gain((MarsEffect("burning", degree=2),), MarsEffect("burning", degree=3))[0].degree
    5
    """
    if new.kind == "encumbered" and any(effect.kind == "overencumbered" for effect in effects):
        return effects
    if new.kind == "overencumbered":
        effects = tuple([effect for effect in effects if effect.kind != "encumbered"])
    for at, effect in enumerate(effects):
        if _same(effect, new):
            return (*effects[:at], _joined(effect, new), *effects[at + 1 :])
    return (*effects, new)


def _same(known: MarsEffect, new: MarsEffect) -> bool:
    if known.kind != new.kind:
        return False
    if new.kind in {*ONE_OF_A_KIND, *ADDED}:
        return True
    if new.kind in ONE_OF_A_STAT:
        return known.stat == new.stat
    if known.stat != new.stat or known.source != new.source:  # every source by itself
        return False
    return new.kind in STRONGEST or known.value == new.value  # of other strengths each runs for its own time


def _joined(known: MarsEffect, new: MarsEffect) -> MarsEffect:
    if new.kind in ADDED:
        return replace(known, degree=known.degree + new.degree)
    if new.kind in STRONGEST:
        return new if new.degree >= known.degree else known
    if new.kind == "dying":
        return known
    return max(known, new, key=_length)


def _length(effect: MarsEffect) -> tuple[float, float]:
    return (inf if effect.until is None else effect.until, inf if effect.left is None else effect.left)


def end(
    effects: Effects, kind: EffectKind, *, stat: str | None = None, source: str | None = None, value: int | None = None
) -> Effects:
    """Without the effects of a kind; of a stat, a source or a strength where one is given."""
    return tuple(
        [
            effect
            for effect in effects
            if effect.kind != kind
            or stat not in (None, effect.stat)
            or source not in (None, effect.source)
            or value not in (None, effect.value)
        ]
    )


def end_source(effects: Effects, source: str) -> Effects:
    """The effects without those from one source."""
    return tuple([effect for effect in effects if effect.source != source])


def due(effects: Iterable[MarsEffect], turn_of: str, round_: int) -> list[MarsEffect]:
    """Effects that expire immediately before a turn of a round (mars.time.duration)."""
    return [
        effect
        for effect in effects
        if effect.until is not None and effect.turn_of == turn_of and effect.until <= round_
    ]


def overdue(effects: Iterable[MarsEffect], round_: int) -> list[MarsEffect]:
    """Effects that should have expired in an earlier round, or whose turn never comes.

    No effect outlasts its duration (mars.time.duration).
    """
    return [
        effect
        for effect in effects
        if effect.until is not None and (effect.until < round_ or (not effect.turn_of and effect.until <= round_))
    ]


def lasting(scene: Scene, effect: MarsEffect, rounds: int | None) -> MarsEffect:
    """The effect for a number of rounds from the turn under way; without rounds it stays until something ends it.

    It expires immediately before the same turn that many rounds later.
    """
    if rounds is None:
        return effect
    return replace(effect, turn_of=scene.turn or "", until=scene.round + rounds)


def until_own_turn(scene: Scene, who: str, effect: MarsEffect) -> MarsEffect:
    """The effect until the participant's own next turn begins."""
    yet_to_come = scene.turn != who and who not in scene.acted and who in scene.order
    return replace(effect, turn_of=who, until=scene.round + (0 if yet_to_come else 1))


def after_encounter(effects: Effects) -> Effects:
    """Effects that outlast the encounter: none that is counted in rounds, or ends with the next turn."""
    return tuple([effect for effect in effects if effect.lasts and effect.kind != "stunned"])


ReadyTrigger: TypeAlias = Literal["enters_reach", "moves", "attacks", "appears", "other"]
READY_TRIGGERS: dict[ReadyTrigger, str] = {
    "enters_reach": "an enemy comes into reach",
    "moves": "an enemy moves",
    "attacks": "an enemy attacks",
    "appears": "an enemy comes into view",
    "other": "something else, on the game master's word",
}


class Backswing(NamedTuple):
    """The bonus that misses with one weapon have brought together; mars.gap.weapon.backswing."""

    weapon: str
    bonus: int


class Turn(NamedTuple):
    """Actions since the start of a turn, and the seconds that are left of it.

    ``reaction``, ``maneuvers`` and ``talents`` count from a turn to the next own turn; ``reacting`` is so while a
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
    """An action that waits for its trigger; ``words`` are those of a trigger that the player typed."""

    trigger: ReadyTrigger
    action: str
    words: str = ""


class Work(NamedTuple):
    """An extended action: its task, its seconds, and the seconds done."""

    action: str
    detail: str
    needed: int
    done: int = 0
    target: str | None = None


class Most(NamedTuple):
    """Maxima of resources that decide how a participant looks to others."""

    health: int = 0
    endurance: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """State of a participant. Others see wounds and weariness only as a word.

    ``tied`` is the place among those of the team with the same initiative, once they have agreed on it; ``earlier`` is
    the turn before this one, as long as this one can still be delayed; ``tolerated`` is so once pain tolerance was
    needed in this encounter.
    """

    health: int = visible(OWNER)
    endurance: int = visible(OWNER)
    stamina: int = visible(OWNER)
    focus: int = visible(OWNER)
    effects: tuple[MarsEffect, ...] = visible(default=())
    belongings: tuple[ItemStack, ...] = visible(OWNER, default=())
    used: Ranks = visible(OWNER, default=Ranks())
    turn: Turn = visible(default=Turn(), until="encounter")
    delayed: bool = visible(default=False)
    surprised: bool = visible(default=False, until="encounter")
    dead: bool = visible(default=False)
    initiative: int | None = visible(default=None, told=False, until="encounter")
    tied: int = visible(default=0, told=False)
    ready: Ready | None = visible(OWNER, default=None, until="encounter")
    work: Work | None = visible(default=None, until="encounter")
    concentration: str = visible(default="")
    tolerated: bool = visible(OWNER, default=False, until="encounter")
    earlier: Turn | None = visible(OWNER, default=None, until="encounter")
    most: Most = visible(OWNER, default=Most())

    def has(self, kind: EffectKind) -> bool:
        """True if an effect of a kind has taken hold."""
        for effect in self.effects:  # noqa: SIM110 - asked for many times in every turn
            if effect.kind == kind:
                return True
        return False

    def effect(self, kind: EffectKind, stat: str = "") -> MarsEffect | None:
        """The effect of a kind, if there is one."""
        for effect in self.effects:
            if effect.kind == kind and (not stat or effect.stat == stat):
                return effect
        return None

    @property
    def conscious(self) -> bool:
        """True if the participant can act at all."""
        return not self.dead and not (self.effects and self.has("unconscious"))

    @property
    def sickness(self) -> int:
        """The degree of the strongest sickness."""
        return max([effect.degree for effect in self.effects if effect.kind == "sickness"], default=0)


def stands(participant: Participant) -> bool:
    """True if a participant is still in the fight."""
    status: Status = participant.status
    if status.dead or not participant.present:
        return False
    return not status.effects or not status.has("unconscious")  # a call less than `conscious`, thousands of times


# ---------------------------------------------------------------------- a blow under way


class Incoming(NamedTuple):
    """An attack under way: everything about it that was settled when it was declared, and how far it has come.

    ``total`` is set once it is rolled by itself, ``degree`` once it has met the defence; ``effect`` is the degree
    against the resist. ``cost_free`` defences are those of an ally who stepped in; a ``further`` blow is part of an
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
    extra = scene.system_state
    return extra if isinstance(extra, Fight) else _NO_FIGHT


_NO_FIGHT = Fight()


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """The status on entering a scene, with earlier wounds."""
    character: MarsCharacter = subject.character
    most = figures(character, subject.library)
    wounds = character.wounds
    return Status(
        **remaining(wounds, most, RESOURCES),
        effects=wounds.effects,
        belongings=tuple([whole(carried, subject.library) for carried in character.belongings]),
        used=wounds.used,
        dead=wounds.dead,
        most=Most(most.health, most.endurance),
    )


def whole(carried: ItemStack, library: Library) -> ItemStack:
    """An item without a recorded durability or load: a shield is whole, a weapon is loaded."""
    if carried.left is not None:
        return carried
    known = item(carried.item, library)
    if isinstance(known, Armour) and known.durability is not None:
        return replace(carried, left=known.durability)
    if isinstance(known, Weapon) and known.features.reload is not None:
        return replace(carried, left=1)
    return carried
