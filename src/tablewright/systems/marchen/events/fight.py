"""Events of fights: attacks, damage, turns and gear in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.game.play.common_events import (
    CharacterChanged,
    ParticipantLeft,
    RoundStarted,
    TimePassed,
    TurnEnded,
)
from tablewright.game.play.costs import ActionEconomy, Cost, CostPaid
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.values import Ranks
from tablewright.systems.marchen.character.figures import figures
from tablewright.systems.marchen.character.record import Condition
from tablewright.systems.marchen.events import recovery
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.status import (
    NOTHING,
    Chronicle,
    Help,
    Objective,
    Stance,
    Status,
    UnderWay,
    chronicle,
    falls,
    felled,
    hurt_by,
    limits_of,
    risen,
    weighing,
    without,
)
from tablewright.systems.marchen.values import Aspect


class TurnOfAnOunce(ActionEconomy):
    """The allotment of a turn; it is asked for thousands of times, so what is left for an action is remembered."""

    def __init__(self, patterns: tuple[Mapping[str, int], ...]) -> None:
        super().__init__(patterns)
        self._known: dict[tuple[Any, ...], str | None] = {}

    def short(self, scene: Scene, who: str, price: Cost) -> str | None:
        """Reason why a price cannot be paid now; None if it can."""
        spent: Ranks = scene[who].status.spent
        key = (spent.get("significant", 0), spent.get("minor", 0), price.amounts)
        if key not in self._known:
            self._known[key] = super().short(scene, who, price)
        return self._known[key]


ALLOTMENT = TurnOfAnOunce(({"significant": 1, "minor": 1}, {"minor": 3}))
"""Actions of a turn: one significant and one minor action, or three minor ones (marchen.time.combat_actions)."""

WATCH, YIELDS = ticks_of("watch"), "yields"
apply: Reducer[Scene] = Reducer(recovery.apply)


@apply.on(CostPaid, instead=True)
def _paid(scene: Scene, event: CostPaid) -> Scene:
    return ALLOTMENT.paid(scene, event.who, event.price)


@apply.after(TurnEnded)
def _turn_over(scene: Scene, event: TurnEnded) -> Scene:
    return falls(scene, event.who)


@apply.after(RoundStarted)
def _round_began(scene: Scene, event: RoundStarted) -> Scene:
    for one in scene.participants:
        scene = falls(scene, one.id)
        if 0 < one.status.loses_round < event.number:
            scene = scene.with_status(one.id, loses_round=0, surprised=False)
    return scene


@apply.after(ParticipantLeft)
def _left(scene: Scene, event: ParticipantLeft) -> Scene:
    scene = falls(scene, event.who)
    return scene.with_status(event.who, yielded=True) if event.how == YIELDS else scene


@apply.after(CharacterChanged)
def _changed(scene: Scene, event: CharacterChanged) -> Scene:
    return relimited(scene, event.who)


def relimited(scene: Scene, who: str) -> Scene:
    """The scene after a character has changed: thresholds follow, and what weighs beyond them."""
    one = scene[who]
    found = limits_of(one.character, scene.options)
    if found == one.status.limits:
        return scene
    weight = weighing(one.status.weight, one.status.damage, figures(one.character, scene.options).thresholds)
    return scene.with_status(who, limits=found, weight=weight)


@apply.after(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """Raise those who were put down a watch ago and have no damage beyond a threshold.

    The watch may pass in one step or in many.
    """
    if not event.amount:
        return scene
    for one in scene.participants:
        if one.status.down:
            lain = min(WATCH, one.status.lain + event.amount)
            scene = scene.with_status(one.id, lain=lain)
            if lain == WATCH:
                scene = risen(scene, one.id)
    return scene


class EnteredTheFray(ParticipantEvent):
    """A participant's entry into the fight: the effect that orders turns, and the initiative."""

    effect: int = visible()
    control: bool = visible()
    loses_round: bool = visible(default=False)
    surprised: bool = visible(default=False)


@apply.on(EnteredTheFray)
def _entered(scene: Scene, event: EnteredTheFray) -> Scene:
    return scene.with_status(
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


class FightOver(Event):
    """A fight is over: what was only for its length is gone."""

    mentions = ()


@apply.on(FightOver)
def _fight_over(scene: Scene, event: FightOver) -> Scene:
    if chronicle(scene).blow is not None:
        scene = with_chronicle(scene, blow=None)
    for one in scene.participants:
        scene = falls(scene, one.id)
        scene = scene.with_status(one.id, effect=None, nexts=(), hindered=False, reactions=0, aim=0, spent=NOTHING)
        scene = scene.with_status(one.id, loses_round=0, surprised=False)
    return scene


@apply.by(lambda scene, event: with_chronicle(scene, blow=event.blow))
class BlowAnnounced(Event):
    """A blow that is about to land; None if nothing comes of it."""

    mentions = ("by", "target")
    by: str = visible()
    target: str = visible()
    blow: UnderWay | None = visible()


class Struck(ParticipantEvent):
    """An attack and all that came of it: for the one attacked, for the attacker, and who has the initiative."""

    mentions = ("who", "by")
    by: str = visible()
    arms: str = visible()
    how: str = visible()
    aspect: Aspect = visible()
    degree: str = visible()
    reaction: str = visible(default="none")
    out: str = visible(default="")
    hurt: Suffered = visible(default=Suffered())
    back: Suffered = visible(default=Suffered())
    back_aspect: Aspect = visible(default="physical")
    control: bool = visible()
    hit: bool = visible(default=False)
    unloads: bool = visible(default=False)
    answered: bool = visible(default=False)
    answer: str = visible(default="")
    answer_unloads: bool = visible(default=False)


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
    scene = scene.with_status(event.by, **changed)
    if event.reaction != "none":
        scene = scene.with_status(event.who, reactions=scene[event.who].status.reactions + 1)
    if event.hit and scene[event.who].status.aim:
        scene = scene.with_status(event.who, aim=0)  # marchen.gap.fight.aim
    if event.answered:
        scene = _answered(scene, event)
    if event.answer_unloads:
        unloaded = (*scene[event.who].status.unloaded, event.answer)
        scene = scene.with_status(event.who, unloaded=unloaded)  # marchen.gap.fight.minor_actions: after each shot
    scene = hurt_by(scene, event.who, event.aspect, event.hurt)
    scene = hurt_by(scene, event.by, event.back_aspect, event.back)
    return felled(scene, event.who) if event.out == "felled" else scene


def _answered(scene: Scene, event: Struck) -> Scene:
    """Use up the helps of a participant who answered a clash with a check or an attack."""
    changed: dict[str, Any] = {"nexts": (), "hindered": False}
    if event.answer:
        changed["aim"] = 0
    return scene.with_status(event.who, **changed)


@apply.by(lambda scene, event: hurt_by(scene, event.who, event.aspect, event.suffered))
class Harmed(ParticipantEvent):
    """Harm to a participant that no other dealt."""

    aspect: Aspect = visible()
    suffered: Suffered = visible()


@apply.sets(fate="dead", dying="", down=True, conscious=False)
class Ended(ParticipantEvent):
    """The death of a dying participant."""


class Healed(ParticipantEvent):
    """Healing of an aspect; a participant at or below the threshold again stands up."""

    aspect: Aspect = visible()
    amount: int = visible(OWNER)
    treated: bool = visible(OWNER, default=False)
    left: int | None = visible(OWNER, default=None)


@apply.on(Healed)
def _healed(scene: Scene, event: Healed) -> Scene:
    one = scene[event.who]
    status: Status = one.status
    now = max(0, getattr(status, event.aspect) - event.amount)
    changed: dict[str, Any] = {event.aspect: now, "treated": status.treated or event.treated}
    if now <= figures(one.character, scene.options).thresholds[event.aspect] and event.aspect in status.weight:
        changed["weight"] = without(status.weight, event.aspect)
    return risen(scene.with_status(event.who, **changed), event.who)


@apply.sets(treated=True)
class TreatedInVain(ParticipantEvent):
    """First aid was given, and nothing was healed by it."""


@apply.by(lambda scene, event: risen(scene.with_status(event.who, dying=""), event.who))
class Stabilised(ParticipantEvent):
    """A dying participant is stable."""


@apply.sets(conditions=lambda status, event: (*status.conditions, event.condition))
class ConditionGained(ParticipantEvent):
    """A new condition of a participant."""

    condition: Condition = visible(OWNER)
    name: str = visible(OWNER, default="")


class ConditionLost(ParticipantEvent):
    """A condition that a participant is rid of."""

    condition: Condition = visible(OWNER)
    name: str = visible(OWNER, default="")


@apply.on(ConditionLost)
def _condition_lost(scene: Scene, event: ConditionLost) -> Scene:
    held = list(scene[event.who].status.conditions)
    held.remove(event.condition)
    return scene.with_status(event.who, conditions=tuple(held))


# ---------------------------------------------------------------------- what is done in a fight


@apply.sets(in_control=lambda _, event: event.control, nexts=(), hindered=False)
class Maneuvered(ParticipantEvent):
    """A move of a fight that is no blow: its degree, and the position after it."""

    what: str = visible()
    degree: str = visible()
    control: bool = visible()


class TideTurned(ParticipantEvent):
    """The initiative taken from a foe, once in a fight, for one all-or-nothing move."""

    mentions = ("who", "foe")
    foe: str | None = visible(default=None)


@apply.on(TideTurned)
def _tide_turned(scene: Scene, event: TideTurned) -> Scene:
    if event.foe is not None:
        scene = scene.with_status(event.foe, in_control=False)
    return scene.with_status(event.who, in_control=True, turned=True)


@apply.sets(nexts=lambda status, event: (*status.nexts, Help(event.name, event.dm, event.circumstance)))
class HelpGained(ParticipantEvent):
    """A DM on a participant's next check."""

    name: str = visible()
    dm: int = visible()
    circumstance: bool = visible(default=False)


@apply.sets(nexts=(), hindered=False)
class HelpUsed(ParticipantEvent):
    """The DMs on a next check are used up."""


@apply.sets(hindered=True)
class MomentumLost(ParticipantEvent):
    """A disadvantage on a participant's next check."""


@apply.sets("aim")
class Aimed(ParticipantEvent):
    """Aim taken, or lost (0)."""

    aim: int = visible()


@apply.sets("stance")
class StanceChanged(ParticipantEvent):
    """A new stance: standing, crouched or prone."""

    stance: Stance = visible()


@apply.sets(unloaded=lambda status, event: tuple([one for one in status.unloaded if one != event.arms]))
class Reloaded(ParticipantEvent):
    """A weapon is loaded again."""

    arms: str = visible()


@apply.sets(compelled=True)
class Compelled(ParticipantEvent):
    """An attempt to make a foe stand down; it can be tried once."""

    mentions = ("who", "by")
    by: str = visible()
    degree: str = visible()


@apply.by(lambda scene, event: with_chronicle(scene, objective=event.objective))
class ObjectiveChanged(Event):
    """The objective of a fight and its state."""

    mentions = ()
    objective: Objective | None = visible()


def with_chronicle(scene: Scene, **changes: Any) -> Scene:
    """The scene with something changed that belongs to everyone."""
    found: Chronicle = evolve(chronicle(scene), **changes)
    return evolve(scene, system_state=found)
