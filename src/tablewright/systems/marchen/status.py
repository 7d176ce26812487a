"""Status of a participant: everything that play changes, as immutable values.

A participant who falls to one of the same rank acts first and falls then: their turns come at the same moment.

What belongs to everyone together (the season, the place, an objective) is the :class:`Chronicle` of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.character.belongings import Belongings
from tablewright.game.play.checks import Subject
from tablewright.game.play.effects import Effect
from tablewright.game.play.tracks import shared_fields
from tablewright.game.scene.arrival import with_pending_timers
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.values import Ranks
from tablewright.systems.marchen.character.figures import figures, score
from tablewright.systems.marchen.character.record import (
    MOST_NAME,
    Condition,
    Journey,
    MarchenCharacter,
    Waiting,
    Wounds,
)
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.mechanics.harm import OUTCOMES, Outcome, Suffered
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import ASPECTS, Aspect

FELLED = "felled"
NOT_ENTERED = -10_000


def rank(scene: Scene, one: Participant) -> tuple[int, int]:
    """Sort key of the turn order: the higher effect first, then the higher agility (marchen.puncti.enter_the_fray)."""
    status: Status = one.status
    effect = status.effect if status.effect is not None else NOT_ENTERED
    return -effect, -score(one.character, "agility", scene.options).total


def at_the_same_moment(scene: Scene, who: str) -> bool:
    """True if a participant still acts in this round, at the same moment as the one whose turn it is."""
    turn = scene.turn
    if turn is None or turn == who or turn not in scene or who in scene.acted or who not in scene.order:
        return False
    status: Status = scene[who].status
    if status.down or status.loses_round == scene.round:
        return False
    return rank(scene, scene[who]) == rank(scene, scene[turn])


def condition_of(scene: Scene, who: str, aspect: Aspect) -> Condition:
    """The next condition of a participant: the first kind of the aspect that it does not have yet."""
    held = [one.name for one in scene[who].status.conditions]
    kinds = [one for one in scene.library.of(ConditionKind) if one.aspect == aspect]
    kind = next((one for one in kinds if one.name not in held), kinds[0] if kinds else None)
    return Condition(name=kind.name if kind else f"{aspect} trouble", aspect=aspect)


def hurt_by(scene: Scene, who: str, aspect: Aspect, suffered: Suffered) -> Scene:
    """The scene after a participant has suffered harm."""
    one = scene[who]
    status: Status = one.status
    if suffered.damage == 0 and not suffered.condition and not suffered.soaked and not suffered.face:
        return scene
    limit = figures(one.character, scene.options).thresholds[aspect]
    now = suffered.after(getattr(status, aspect), limit)
    changed: dict[str, Any] = {aspect: now, "soaked": status.soaked + suffered.soaked, "aim": 0}
    outcome = suffered.outcome
    weight = status.weight
    if now <= limit and aspect in weight:
        weight = without(weight, aspect)
    conditions = status.conditions
    if suffered.condition:
        conditions = (*conditions, condition_of(scene, who, aspect))
    if outcome is not None:
        changed["interrupted"] = True
        if outcome.weight and now > limit:  # it weighs until the damage is down, and else not at all
            weight = weight.put(aspect, max(outcome.weight, weight.get(aspect, 0)))
        if outcome.condition:
            scene = scene.with_status(who, conditions=conditions)
            conditions = (*conditions, condition_of(scene, who, aspect))
        if outcome.down and at_the_same_moment(scene, who):
            changed["falling"] = (*status.falling, f"{aspect} {suffered.face}")
        else:
            changed |= _down(status, aspect, outcome)
    return scene.with_status(who, conditions=conditions, weight=weight, **changed)


def _down(status: Status, aspect: Aspect, outcome: Outcome) -> dict[str, Any]:
    """Changes of a participant who falls; empty if it stays up."""
    changed: dict[str, Any] = {}
    if outcome.down:
        awake = outcome.conscious and (status.conscious or not status.down)  # a second fall wakes no one
        changed |= {"down": True, "conscious": awake, "in_control": False}
    if outcome.dying and aspect == "physical" and not status.fate:
        changed["dying"] = status.dying if status.dying == "puncti" else outcome.dying
    if outcome.end:
        changed |= {"fate": status.fate or FATES[aspect], "dying": ""}
    return changed


def felled(scene: Scene, who: str) -> Scene:
    """The scene after a participant was put out of the fight, without regard to harm."""
    if at_the_same_moment(scene, who):
        return scene.with_status(who, falling=(*scene[who].status.falling, FELLED))
    return scene.with_status(who, down=True, in_control=False)


def falls(scene: Scene, who: str) -> Scene:
    """The scene after a delayed fall, once the participant has acted."""
    if not scene[who].status.falling:
        return scene
    for fall in scene[who].status.falling:
        word, _, degree = fall.partition(" ")
        for aspect in ASPECTS:
            if aspect == word:
                scene = scene.with_status(who, **_down(scene[who].status, aspect, OUTCOMES[degree]))
        scene = scene.with_status(who, down=True, in_control=False)
    return scene.with_status(who, falling=())


def risen(scene: Scene, who: str) -> Scene:
    """The scene after a participant gets up, if it has no damage beyond a threshold, is not dying and not at an end."""
    one = scene[who]
    status: Status = one.status
    if not status.down or status.fate or status.dying:
        return scene
    limits = figures(one.character, scene.options).thresholds
    if any(amount > limits[aspect] for aspect, amount in status.damage.items()):  # type: ignore[index]
        return scene
    return scene.with_status(who, down=False, conscious=True, lain=0)


def without(ranks: Ranks, name: str) -> Ranks:
    """Ranks without one of them."""
    return Ranks({key: value for key, value in ranks.items() if key != name})


NOTHING = Ranks()
Stance: TypeAlias = Literal["standing", "crouched", "prone"]
Dying: TypeAlias = Literal["", "puncti", "watch"]
Fate: TypeAlias = Literal["", "dead", "mind gone", "outcast", "soul lost"]
FATES: dict[Aspect, Fate] = {"physical": "dead", "mental": "mind gone", "social": "outcast", "spiritual": "soul lost"}
"""Names of the end, by the aspect that was destroyed (marchen.gap.face.outcomes)."""


class Help(NamedTuple):
    """A DM on the next check, and its source; a ``circumstance`` is one reason of help among others."""

    name: str
    dm: int
    circumstance: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """Damage by aspect, conditions, belongings and the position in a fight. Others see a word for the damage.

    ``in_control`` means having the initiative; without it a participant is in a bad spot. ``effect`` is the result that
    orders turns. ``loses_round`` is the number of the round that is lost; the ``surprised`` cannot react in it.
    ``falling`` are delayed falls of a participant who acts first, at the same moment as the attacker. ``nexts`` are DMs
    on the next check, ``hindered`` a disadvantage on it. ``reactions`` are counted from turn to turn. ``weight`` are
    DMs that stay from facing the end until the damage is down again. ``lain`` is the time down, in ticks up to a watch.
    ``lived`` and ``phase`` are ticks towards the next season of age, and of raises. Those who have ``yielded`` may be
    deprived of their things. ``limits`` are the thresholds, by which others see the look of health.
    """

    physical: int = visible(OWNER, default=0)
    mental: int = visible(OWNER, default=0)
    social: int = visible(OWNER, default=0)
    spiritual: int = visible(OWNER, default=0)
    conditions: tuple[Condition, ...] = visible(OWNER, default=())
    weight: Ranks = visible(OWNER, default=NOTHING)
    belongings: Belongings = visible(default=())
    down: bool = visible(default=False)
    lain: int = visible(default=0, told=False)
    conscious: bool = visible(default=True, told="unconscious")
    dying: Dying = visible(default="")
    fate: Fate = visible(default="", told=False)
    in_control: bool = visible(default=True, told="in a bad spot")
    effect: int | None = visible(default=None, told=False)
    loses_round: int = visible(default=0)
    surprised: bool = visible(default=False)
    falling: tuple[str, ...] = visible(default=(), told=False)
    spent: Ranks = visible(default=NOTHING, told=False, until="turn")
    aim: int = visible(default=0)
    reactions: int = visible(default=0, told=False, until="turn")
    nexts: tuple[Help, ...] = visible(OWNER, default=())
    hindered: bool = visible(OWNER, default=False)
    stance: Stance = visible(default="standing")
    turned: bool = visible(default=False, told=False)
    compelled: bool = visible(default=False, told=False)
    unloaded: tuple[str, ...] = visible(default=())
    soaked: int = visible(default=0, told=False)
    treated: bool = visible(default=False, told=False)
    camped: tuple[int, int] = visible(default=(0, 0), told=False)
    plan: str = visible(OWNER, default="")
    interrupted: bool = visible(default=False, told=False)
    lived: int = visible(OWNER, default=0, told=False)
    phase: int = visible(OWNER, default=0, told=False)
    yielded: bool = visible(default=False, told=False)
    lasting: tuple[Effect, ...] = visible(default=())
    limits: tuple[int, int, int, int] = visible(OWNER, default=(14, 14, 14, 14), told=False)

    @property
    def damage(self) -> Mapping[str, int]:
        """The damage of each aspect."""
        return {"physical": self.physical, "mental": self.mental, "social": self.social, "spiritual": self.spiritual}


def enter(subject: Subject) -> Status:
    """The status of a character who comes into a scene."""
    character: MarchenCharacter = subject.character
    kept = character.wounds
    damage = kept.damage
    harm: dict[str, Any] = {aspect: damage.get(aspect, 0) for aspect in ASPECTS}
    return Status(
        **harm,
        **shared_fields(Status, kept, but=("weight", "down", "conscious", "nexts")),
        weight=weighing(kept.weight, damage, figures(character, subject.options).thresholds),
        belongings=character.belongings,
        down=kept.down or bool(kept.fate),
        conscious=kept.conscious and not kept.fate,
        nexts=tuple([Help(one.name, one.dm, one.circumstance) for one in kept.nexts]),
        lived=character.lived,
        phase=character.phase,
        limits=limits_of(character, subject.options),
    )


def weighing(weight: Ranks, damage: Mapping[str, int], thresholds: Mapping[Aspect, int]) -> Ranks:
    """The weight of facing the end that is left: while damage is beyond the threshold (marchen.gap.face.outcomes)."""
    left = {name: value for name, value in weight.items() if damage.get(name, 0) > thresholds[name]}  # type: ignore[index]
    return weight if len(left) == len(weight) else Ranks(left)


def limits_of(character: MarchenCharacter, options: MarchenOptions) -> tuple[int, int, int, int]:
    """The thresholds of the four aspects."""
    found = figures(character, options).thresholds
    return found["physical"], found["mental"], found["social"], found["spiritual"]


def leave(scene: Scene, who: str) -> MarchenCharacter:
    """The character of a participant who leaves a scene, with everything it carries into the next one."""
    one = scene[who]
    status: Status = one.status
    character: MarchenCharacter = one.character
    wounds = Wounds(
        **shared_fields(Wounds, status, but=("damage", "nexts")),
        damage=Ranks({aspect: amount for aspect, amount in status.damage.items() if amount}),
        nexts=tuple([_kept(one) for one in status.nexts[-100:]]),
    )
    times = (status.lived, status.phase)
    same = wounds == character.wounds and times == (character.lived, character.phase)
    if not same or status.belongings is not character.belongings:
        character = character.changed(
            wounds=wounds, belongings=status.belongings, lived=status.lived, phase=status.phase
        )
    left: MarchenCharacter = with_pending_timers(scene, who, character)
    return left


def _kept(one: Help) -> Waiting:
    return Waiting(name=one.name.strip()[:MOST_NAME] or "help", dm=one.dm, circumstance=one.circumstance)


def stands(participant: Participant) -> bool:
    """True if a participant is still in the fight: present and not down."""
    return participant.present and not participant.status.down


def lives(participant: Participant) -> bool:
    """True if a participant has not come to an end of any kind (marchen.gap.face.outcomes)."""
    return not participant.status.fate


# ---------------------------------------------------------------------- what belongs to everyone


class Objective(NamedTuple):
    """Objective of a fight: the steps it takes, the progress of each side, and its state."""

    name: str
    steps: int = 1
    taken_by: str = ""
    lost_by: tuple[str, ...] = ()
    progress: tuple[tuple[str, int], ...] = ()

    def of(self, side: str) -> int:
        """Steps of a side."""
        return dict(self.progress).get(side, 0)

    def advanced(self, side: str) -> Objective:
        """The objective after one more step of a side."""
        now = dict(self.progress)
        now[side] = min(self.steps, now.get(side, 0) + 1)
        taken = side if now[side] >= self.steps else self.taken_by
        return self._replace(progress=tuple(sorted(now.items())), taken_by=taken)


class UnderWay(NamedTuple):
    """A blow that was announced and has not landed yet: attacker, target, arms, kind and fate.

    ``unseen`` is so where no one knew of the one who strikes: then nothing can be done about it.
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

    ``blow`` was announced, and its target has not answered yet.
    ``features`` are what a place has (market, guards ...); where no place was named, everything may be there.
    What outlasts a scene (sanctuaries, a journey, songs that were sung) people take along themselves.
    """

    season: int = visible(default=0)
    running: bool = visible(default=False)
    place: str = visible(default="")
    culture: str = visible(default="")
    features: tuple[str, ...] = visible(default=())
    objective: Objective | None = visible(default=None)
    blow: UnderWay | None = visible(default=None)
    pool: int = visible(default=0)


NONE_YET = Chronicle()


def chronicle(scene: Scene) -> Chronicle:
    """The shared state of a scene."""
    found: Chronicle = scene.system_state if scene.system_state is not None else NONE_YET
    return found


def company(scene: Scene) -> list[Participant]:
    """Members of the company: the characters present, or everyone if there are none."""
    return [one for one in scene.present if not one.character.is_creature] or list(scene.present)


def with_people(
    scene: Scene, people: Iterable[Participant], change: Callable[[MarchenCharacter], Mapping[str, Any]]
) -> Scene:
    """The scene with something changed about some people for good, which goes without saying."""
    for one in people:
        changed = one.character.changed(**change(one.character))
        scene = scene.with_participant(evolve(one, character=changed))
    return scene


def sanctuaries(scene: Scene) -> tuple[str, ...]:
    """Sanctuaries of anyone present."""
    return tuple(dict.fromkeys([place for one in company(scene) for place in one.character.sanctuaries]))


def sung(scene: Scene) -> frozenset[str]:
    """Songs that have helped since the last season."""
    return frozenset([song for one in company(scene) for song in one.character.sung])


def journey(scene: Scene) -> Journey | None:
    """The journey that all who are there are on together; None where there is none."""
    ways = {one.character.journey for one in company(scene)}
    return ways.pop() if len(ways) == 1 else None


def society(scene: Scene) -> str:
    """The society in which the company is: where no culture was named, the one that is there."""
    return (chronicle(scene).culture or "this society")[:60]
