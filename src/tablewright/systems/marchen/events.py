"""Everything that can happen in a fight and to bodies and minds, as small facts, and how scenes change by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.game.common import CharacterChanged, Left, RoundStarted, TimePassed, TurnEnded, TurnStarted
from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.frozen import Ranks
from tablewright.game.prices import Allotment, Paid, Price
from tablewright.game.scene import Scene, replaced
from tablewright.systems.marchen import outside
from tablewright.systems.marchen.character import figures
from tablewright.systems.marchen.character.record import Condition
from tablewright.systems.marchen.falling import condition_of, falls, felled, hurt_by, risen, without
from tablewright.systems.marchen.status import (
    FATES,
    NOTHING,
    Chronicle,
    Help,
    Objective,
    Stance,
    Status,
    UnderWay,
    chronicle,
    limits_of,
    weighing,
)
from tablewright.systems.marchen.suffering import SUCCEEDED, Outcome, Suffered
from tablewright.systems.marchen.timing import ticks_of
from tablewright.systems.marchen.values import Aspect


class TurnOfAnOunce(Allotment):
    """The allotment of a turn; it is asked for thousands of times, so what is left for an action is remembered."""

    def __init__(self, patterns: tuple[Mapping[str, int], ...]) -> None:
        super().__init__(patterns)
        self._known: dict[tuple[Any, ...], str | None] = {}

    def short(self, scene: Scene, who: str, price: Price) -> str | None:
        """Why somebody cannot pay a price now; None if they can."""
        spent: Ranks = scene[who].status.spent
        key = (spent.get("significant", 0), spent.get("minor", 0), price.amounts)
        if key not in self._known:
            self._known[key] = super().short(scene, who, price)
        return self._known[key]


ALLOTMENT = TurnOfAnOunce(({"significant": 1, "minor": 1}, {"minor": 3}))
"""What a turn allows: one significant and one minor action, or three minor ones (marchen.time.combat_actions)."""

WATCH, YIELDS = ticks_of("watch"), "yields"
apply: Apply[Scene] = Apply(outside.apply)


@apply.on(Paid, instead=True)
def _paid(scene: Scene, event: Paid) -> Scene:
    return ALLOTMENT.paid(scene, event.who, event.price)


@apply.after(TurnStarted)
def _turn_began(scene: Scene, event: TurnStarted) -> Scene:
    return scene.change(event.who, spent=NOTHING, reactions=0)


@apply.after(TurnEnded)
def _turn_over(scene: Scene, event: TurnEnded) -> Scene:
    return falls(scene, event.who)


@apply.after(RoundStarted)
def _round_began(scene: Scene, event: RoundStarted) -> Scene:
    for one in scene.participants:
        scene = falls(scene, one.id)
        if 0 < one.status.loses_round < event.number:
            scene = scene.change(one.id, loses_round=0, surprised=False)
    return scene


@apply.after(Left)
def _left(scene: Scene, event: Left) -> Scene:
    scene = falls(scene, event.who)
    return scene.change(event.who, yielded=True) if event.how == YIELDS else scene


@apply.after(CharacterChanged)
def _changed(scene: Scene, event: CharacterChanged) -> Scene:
    one = scene[event.who]
    found = limits_of(one.character, scene.options)
    if found == one.status.limits:
        return scene
    weight = weighing(one.status.weight, one.status.damage, figures(one.character, scene.options).thresholds)
    return scene.change(event.who, limits=found, weight=weight)


@apply.after(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """Who lies with nothing beyond a threshold, put down by a blow or by facing the end, is up again a watch later."""
    if event.amount < WATCH:
        return scene
    for one in scene.participants:
        if one.status.down:
            scene = risen(scene, one.id)
    return scene


# ---------------------------------------------------------------------- entering and ending


@dataclass(frozen=True, kw_only=True)
class EnteredTheFray(Event):
    """Somebody is in the fight now: the effect that orders turns, and who has the initiative."""

    who: str = shown()
    effect: int = shown()
    control: bool = shown()
    loses_round: bool = shown(default=False)
    surprised: bool = shown(default=False)

    def in_words(self) -> str:
        """How somebody comes in."""
        spot = "in control" if self.control else "in a bad spot"
        lost = " and loses the round" if self.loses_round else ""
        if self.surprised:
            return f"{self.who} is taken by surprise: {spot}{lost}"
        return f"{self.who} enters the fray: effect {self.effect}, {spot}{lost}"


@apply.on(EnteredTheFray)
def _entered(scene: Scene, event: EnteredTheFray) -> Scene:
    return scene.change(
        event.who,
        effect=event.effect,
        in_control=event.control,
        loses_round=scene.round + 1 if event.loses_round else 0,
        surprised=event.surprised,
        falling=(),
        turned=False,
        compelled=False,
        treated=False,
        spent=NOTHING,
        reactions=0,
        aim=0,
        unloaded=(),
    )


@dataclass(frozen=True, kw_only=True)
class FightOver(Event):
    """A fight is over: what was only for its length is gone."""

    about = ()
    words = "the fight is over"


@apply.on(FightOver)
def _fight_over(scene: Scene, event: FightOver) -> Scene:
    if chronicle(scene).blow is not None:
        scene = with_chronicle(scene, blow=None)
    for one in scene.participants:
        scene = falls(scene, one.id)
        scene = scene.change(one.id, effect=None, nexts=(), hindered=False, reactions=0, aim=0, spent=NOTHING)
        scene = scene.change(one.id, loses_round=0, surprised=False)
    return scene


# ---------------------------------------------------------------------- blows and what is suffered


def words_of(suffered: Suffered, aspect: Aspect) -> str:
    """What somebody suffered, in a few words."""
    words = f"{suffered.damage or 'no'} {aspect} damage"
    if suffered.soaked:
        words += f", armour {suffered.soaked}"
    if suffered.condition:
        words += ", a condition"
    if suffered.outcome is not None:
        words += f", faces the end: {suffered.face.replace('_', ' ')}, {_becomes(suffered.outcome, aspect)}"
    return words


def _becomes(outcome: Outcome, aspect: Aspect) -> str:
    """What facing the end has come to, in a word or two."""
    if outcome.end:
        return FATES[aspect]
    return "down" if outcome.down else "stays up"


VERBS = {
    "strike": "strikes at",
    "clash": "clashes against",
    "turn_the_tide": "turns the tide against",
    "end_the_fight": "means to end the fight against",
}
"""What somebody is said to do who attacks in one of the ways."""


def arms_in_words(arms: str) -> str:
    """What somebody attacks with, by its id.

    >>> arms_in_words("minor_curse"), arms_in_words("spear/thrown")
    ('minor curse', 'spear, thrown')
    """
    return "bare hands" if arms == "unarmed" else arms.replace("_", " ").replace("/", ", ")


@dataclass(frozen=True, kw_only=True)
class BlowAnnounced(Event):
    """Somebody is about to strike at somebody; or nothing comes of it after all."""

    about = ("by", "target")
    by: str = shown()
    target: str = shown()
    blow: UnderWay | None = shown()

    def in_words(self) -> str:
        """Who is about to do what; the blow itself tells the rest."""
        if self.blow is None:
            return f"{self.by}: nothing comes of it"
        if self.blow.how == "end_the_fight" and not self.blow.fate:
            return ""  # the one who strikes still has to say what for
        falls = "falls" if self.blow.fate == "felled" else self.blow.fate
        end = f", so that {self.target} {falls}" if falls else ""
        return f"{self.by} {VERBS[self.blow.how]} {self.target} with {arms_in_words(self.blow.arms)}{end} ..."


@apply.on(BlowAnnounced)
def _blow_announced(scene: Scene, event: BlowAnnounced) -> Scene:
    return with_chronicle(scene, blow=event.blow)


@dataclass(frozen=True, kw_only=True)
class Struck(Event):
    """An attack and all that came of it: for the one attacked, for the attacker, and who has the initiative."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    arms: str = shown()
    how: str = shown()
    aspect: Aspect = shown()
    degree: str = shown()
    reaction: str = shown(default="none")
    out: str = shown(default="")
    hurt: Suffered = shown(default=Suffered())
    back: Suffered = shown(default=Suffered())
    back_aspect: Aspect = shown(default="physical")
    control: bool = shown()
    hit: bool = shown(default=False)
    unloads: bool = shown(default=False)
    answered: bool = shown(default=False)
    answer: str = shown(default="")
    answer_unloads: bool = shown(default=False)

    def in_words(self) -> str:
        """What came of an attack that was announced; whoever yields or flees says so by leaving."""
        met = "" if self.reaction == "none" else f", which {self.who} tries to {self.reaction}"
        degree = self.degree.replace("_", " ")
        line = f"{self.by}'s {arms_in_words(self.arms)}{met}: {degree}"
        if self.degree in (*SUCCEEDED, "won"):
            line += f"; {self.who} takes {words_of(self.hurt, self.aspect)}"
        if self.back != Suffered():
            line += f"; {self.by} takes {words_of(self.back, self.back_aspect)}"
        if self.out == "felled":
            line += f"; {self.who} is felled"
        falls = self.back.outcome is not None and self.back.outcome.down
        return line if self.control or falls else f"{line}; {self.by} is in a bad spot"


@apply.on(Struck)
def _struck(scene: Scene, event: Struck) -> Scene:
    if chronicle(scene).blow is not None:
        scene = with_chronicle(scene, blow=None)
    status: Status = scene[event.by].status
    changed: dict[str, Any] = {"in_control": event.control, "aim": 0}
    if status.nexts:
        changed["nexts"] = ()
    if status.hindered:
        changed["hindered"] = False
    if event.how == "turn_the_tide":
        changed["turned"] = True
    if event.unloads:
        changed["unloaded"] = (*status.unloaded, event.arms)
    scene = scene.change(event.by, **changed)
    if event.reaction != "none":
        scene = scene.change(event.who, reactions=scene[event.who].status.reactions + 1)
    if event.hit and scene[event.who].status.aim:
        scene = scene.change(event.who, aim=0)  # marchen.gap.fight.aim
    if event.answered:
        scene = _answered(scene, event)
    if event.answer_unloads:
        unloaded = (*scene[event.who].status.unloaded, event.answer)
        scene = scene.change(event.who, unloaded=unloaded)  # marchen.gap.fight.minor_actions: after each shot
    scene = hurt_by(scene, event.who, event.aspect, event.hurt)
    scene = hurt_by(scene, event.by, event.back_aspect, event.back)
    return felled(scene, event.who) if event.out == "felled" else scene


def _answered(scene: Scene, event: Struck) -> Scene:
    """Who answers a clash makes a check and perhaps an attack: what waited for them is used up."""
    changed: dict[str, Any] = {"nexts": (), "hindered": False}
    if event.answer:
        changed["aim"] = 0
    return scene.change(event.who, **changed)


@dataclass(frozen=True, kw_only=True)
class Harmed(Event):
    """Somebody suffers something that nobody in particular did to them."""

    who: str = shown()
    aspect: Aspect = shown()
    suffered: Suffered = shown()

    def in_words(self) -> str:
        """Who suffered what."""
        return f"{self.who} takes {words_of(self.suffered, self.aspect)}"


@apply.on(Harmed)
def _harmed(scene: Scene, event: Harmed) -> Scene:
    return hurt_by(scene, event.who, event.aspect, event.suffered)


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """Somebody who was dying is dead."""

    words = "{who} dies"
    who: str = shown()


@apply.on(Ended)
def _ended(scene: Scene, event: Ended) -> Scene:
    return scene.change(event.who, fate="dead", dying="", down=True, conscious=False)


@dataclass(frozen=True, kw_only=True)
class Healed(Event):
    """Damage of an aspect is less than before; whoever is at or below the threshold again stands up."""

    words = "{who}: {aspect} healed[ by {amount}]"
    who: str = shown()
    aspect: Aspect = shown()
    amount: int = shown(OWNER)
    treated: bool = shown(OWNER, default=False)


@apply.on(Healed)
def _healed(scene: Scene, event: Healed) -> Scene:
    one = scene[event.who]
    status: Status = one.status
    now = max(0, getattr(status, event.aspect) - event.amount)
    changed: dict[str, Any] = {event.aspect: now, "treated": status.treated or event.treated}
    if now <= figures(one.character, scene.options).thresholds[event.aspect] and event.aspect in status.weight:
        changed["weight"] = without(status.weight, event.aspect)
    return risen(scene.change(event.who, **changed), event.who)


@dataclass(frozen=True, kw_only=True)
class TreatedInVain(Event):
    """First aid was given, and nothing was healed by it."""

    words = "{who} is treated in vain"
    who: str = shown()


@apply.on(TreatedInVain)
def _treated_in_vain(scene: Scene, event: TreatedInVain) -> Scene:
    return scene.change(event.who, treated=True)


@dataclass(frozen=True, kw_only=True)
class Stabilised(Event):
    """Somebody will not die of it."""

    words = "{who} is stable"
    who: str = shown()


@apply.on(Stabilised)
def _stabilised(scene: Scene, event: Stabilised) -> Scene:
    return risen(scene.change(event.who, dying=""), event.who)


@dataclass(frozen=True, kw_only=True)
class ConditionGained(Event):
    """Somebody is hampered by something."""

    words = "{who}: a condition[, {name}]"
    who: str = shown()
    condition: Condition = shown(OWNER)
    name: str = shown(OWNER, default="")


@apply.on(ConditionGained)
def _condition_gained(scene: Scene, event: ConditionGained) -> Scene:
    return scene.change(event.who, conditions=(*scene[event.who].status.conditions, event.condition))


@dataclass(frozen=True, kw_only=True)
class ConditionLost(Event):
    """Somebody is rid of a condition."""

    words = "{who}: a condition is gone[, {name}]"
    who: str = shown()
    condition: Condition = shown(OWNER)
    name: str = shown(OWNER, default="")


@apply.on(ConditionLost)
def _condition_lost(scene: Scene, event: ConditionLost) -> Scene:
    held = list(scene[event.who].status.conditions)
    held.remove(event.condition)
    return scene.change(event.who, conditions=tuple(held))


# ---------------------------------------------------------------------- what is done in a fight


@dataclass(frozen=True, kw_only=True)
class Maneuvered(Event):
    """Somebody did something in a fight that is no blow: how it went, and what it did to the initiative."""

    who: str = shown()
    what: str = shown()
    degree: str = shown()
    control: bool = shown()

    def in_words(self) -> str:
        """How it went, and how one stands after it."""
        spot = "in control" if self.control else "in a bad spot"
        return f"{self.who}: {self.what}: {self.degree.replace('_', ' ')}, {spot}"


@apply.on(Maneuvered)
def _maneuvered(scene: Scene, event: Maneuvered) -> Scene:
    return scene.change(event.who, in_control=event.control, nexts=(), hindered=False)


@dataclass(frozen=True, kw_only=True)
class TideTurned(Event):
    """Somebody takes the initiative from the foe, once in a fight, and stakes all on the move that follows."""

    words = "{who} turns the tide"
    who: str = shown()


@apply.on(TideTurned)
def _tide_turned(scene: Scene, event: TideTurned) -> Scene:
    return scene.change(event.who, in_control=True, turned=True)


@dataclass(frozen=True, kw_only=True)
class HelpGained(Event):
    """Somebody's next check is easier or harder."""

    words = "{who}: {dm:+d} on the next check ({name})"
    who: str = shown()
    name: str = shown()
    dm: int = shown()
    circumstance: bool = shown(default=False)


@apply.on(HelpGained)
def _help_gained(scene: Scene, event: HelpGained) -> Scene:
    nexts = (*scene[event.who].status.nexts, Help(event.name, event.dm, event.circumstance))
    return scene.change(event.who, nexts=nexts)


@dataclass(frozen=True, kw_only=True)
class HelpUsed(Event):
    """What was waiting for somebody's next check has counted."""

    words = ""
    who: str = shown()

    def in_words(self) -> str:
        """Nothing: the check itself tells of it."""
        return ""


@apply.on(HelpUsed)
def _help_used(scene: Scene, event: HelpUsed) -> Scene:
    return scene.change(event.who, nexts=(), hindered=False)


@dataclass(frozen=True, kw_only=True)
class MomentumLost(Event):
    """Somebody is at a disadvantage on the next check."""

    words = "{who} loses momentum"
    who: str = shown()


@apply.on(MomentumLost)
def _momentum_lost(scene: Scene, event: MomentumLost) -> Scene:
    return scene.change(event.who, hindered=True)


@dataclass(frozen=True, kw_only=True)
class Aimed(Event):
    """Somebody takes aim, or has lost it."""

    who: str = shown()
    aim: int = shown()

    def in_words(self) -> str:
        """How far the aim is taken."""
        return f"{self.who} takes aim: {self.aim}" if self.aim else f"{self.who} loses the aim"


@apply.on(Aimed)
def _aimed(scene: Scene, event: Aimed) -> Scene:
    return scene.change(event.who, aim=event.aim)


@dataclass(frozen=True, kw_only=True)
class StanceChanged(Event):
    """Somebody stands, crouches or lies."""

    words = "{who}: {stance}"
    who: str = shown()
    stance: Stance = shown()


@apply.on(StanceChanged)
def _stance_changed(scene: Scene, event: StanceChanged) -> Scene:
    return scene.change(event.who, stance=event.stance)


@dataclass(frozen=True, kw_only=True)
class Reloaded(Event):
    """A weapon is loaded again."""

    words = "{who} loads {arms}"
    who: str = shown()
    arms: str = shown()


@apply.on(Reloaded)
def _reloaded(scene: Scene, event: Reloaded) -> Scene:
    left = tuple([one for one in scene[event.who].status.unloaded if one != event.arms])
    return scene.change(event.who, unloaded=left)


@dataclass(frozen=True, kw_only=True)
class Compelled(Event):
    """Somebody tried to make a foe stand down; it can be tried but once."""

    about = ("who", "by")
    words = "{by} tries to make {who} stand down: {degree}"
    who: str = shown()
    by: str = shown()
    degree: str = shown()


@apply.on(Compelled)
def _compelled(scene: Scene, event: Compelled) -> Scene:
    return scene.change(event.who, compelled=True)


@dataclass(frozen=True, kw_only=True)
class ObjectiveChanged(Event):
    """What a fight is about, or how it stands with it."""

    about = ()
    objective: Objective | None = shown()

    def in_words(self) -> str:
        """How it stands."""
        if self.objective is None:
            return "there is no objective any more"
        one = self.objective
        far = ", ".join([f"{side} {steps} of {one.steps}" for side, steps in one.progress])
        state = f"taken by {one.taken_by}" if one.taken_by else far or f"{one.steps} steps"
        lost = f"; given up by {', '.join(one.lost_by)}" if one.lost_by else ""
        return f"{one.name}: {state}{lost}"


@apply.on(ObjectiveChanged)
def _objective_changed(scene: Scene, event: ObjectiveChanged) -> Scene:
    return with_chronicle(scene, objective=event.objective)


def with_chronicle(scene: Scene, **changes: Any) -> Scene:
    """The scene with something changed that belongs to everybody."""
    found: Chronicle = replaced(chronicle(scene), **changes)
    return replaced(scene, extra=found)


__all__ = ["ALLOTMENT", "TimePassed", "apply", "condition_of", "hurt_by", "with_chronicle"]
