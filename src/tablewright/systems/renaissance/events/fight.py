"""Events of fights: attacks, damage, turns and gear in hand."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tablewright.game.character.belongings import Belongings
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import CharacterChanged, Ruled, SceneEnded, TurnStarted
from tablewright.game.play.costs import ActionEconomy, Cost, CostPaid
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained, add_effect, without_rounds
from tablewright.game.play.loose_items import drop_items
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.character.gear import laid_down, without
from tablewright.systems.renaissance.status import (
    CHEMICAL,
    DISEASE,
    FRESH,
    PRONE,
    UNCONSCIOUS,
    Status,
    TurnOrder,
    with_durability,
)

apply: Reducer[Scene] = Reducer(common_reducer)


class Allotment(ActionEconomy):
    """Actions of a turn: those of combat, or those that the game master allots in turn order outside it."""

    def of(self, scene: Scene) -> ActionEconomy:
        """The allotment that counts in a scene."""
        order = scene.system_state
        return _allotted(order.standard, order.quick, bool(order.minutes)) if isinstance(order, TurnOrder) else self

    def left(self, scene: Scene, who: str) -> dict[str, int]:
        """Remaining actions of each kind, each counted as if no other kind were used."""
        return ActionEconomy.left(self.of(scene), scene, who)

    def short(self, scene: Scene, who: str, price: Cost) -> str | None:
        """The reason why the participant cannot pay, or None if they can."""
        return ActionEconomy.short(self.of(scene), scene, who, price)

    def paid(self, scene: Scene, who: str, price: Cost) -> Scene:
        """The scene after the participant has paid."""
        return ActionEconomy.paid(self.of(scene), scene, who, price)


@lru_cache(maxsize=256)
def _allotted(standard: int, quick: int, tasks: bool) -> ActionEconomy:
    return ActionEconomy(({"standard": standard, "quick": quick, "task": int(tasks)},))


ALLOTMENT = Allotment(({"standard": 1, "quick": 1}, {"quick": 3}))
"""Actions of a turn in combat (renaissance.combat.allotment)."""


@apply.on(CostPaid, instead=True)
def _paid(scene: Scene, event: CostPaid) -> Scene:
    return ALLOTMENT.paid(scene, event.who, event.price)


@apply.after(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    """A new turn: everything can be spent again, but for the quick action that sustaining takes."""
    sustains = scene[event.who].status.sustained and scene.options.sustain_costs_quick_action
    return scene.with_status(event.who, spent=Ranks({"quick": 1})) if sustains else scene


@apply.after(SceneEnded)
def _scene_ended(scene: Scene, event: SceneEnded) -> Scene:
    return without_rounds(scene)


@apply.after(EffectGained)
def _took_hold(scene: Scene, event: EffectGained) -> Scene:
    """Update Durability; the unconscious sustain nothing."""
    if event.what.id == UNCONSCIOUS and scene[event.who].status.sustained:
        return with_durability(scene.with_status(event.who, sustained=()), event.who)
    return with_durability(scene, event.who) if event.what.id in (CHEMICAL, DISEASE) else scene


@apply.after(EffectEnded)
def _wore_off(scene: Scene, event: EffectEnded) -> Scene:
    return with_durability(scene, event.who) if event.what.id in (CHEMICAL, DISEASE) else scene


@apply.after(CharacterChanged)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    return with_durability(scene, event.who)


@apply.after(Ruled)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Update Durability after a ruling."""
    if event.who is None:
        return scene
    return with_durability(scene, event.who) if event.field == "dur_lost" else scene


# ---------------------------------------------------------------------- attacks


class Declared(ParticipantEvent):
    """An action against a target is declared, before any dice are thrown (renaissance.strike.declare).

    ``part`` is what a called shot or a maiming blow goes for.
    """

    mentions = ("who", "against")
    against: str = visible()
    what: str = visible()
    part: str = visible(default="")


@apply.on(Declared)
def _declared(scene: Scene, event: Declared) -> Scene:
    turn = scene[event.who].status.turn
    return scene if turn.part == event.part else scene.with_status(event.who, turn=turn._replace(part=event.part))


class Attacked(ParticipantEvent):
    """An attack from the first roll to what is lost: damage, wounds, who falls, and the Luck that both spent.

    ``strike`` is the special attack that was tried, ``part`` what it went for, ``effect`` whether its result came
    about; ``poisoned`` is what was on the blade and took hold, ``coating`` the weapon that is coated no more, and
    ``consumed`` a coating that is used up without a word, as a disease is;
    ``volley`` are the attacks of several that are still to be made.
    """

    mentions = ("who", "by")
    by: str = visible()
    weapon: str = visible()
    result: str = visible()
    strike: str = visible(default="")
    part: str = visible(default="")
    effect: bool = visible(default=False)
    special: bool = visible(default=False)
    critical: bool = visible(default=False)
    damage: int = visible(default=0)
    wounds: int = visible(default=0)
    prone: bool = visible(default=False)
    felled: bool = visible(default=False)
    dead: bool = visible(default=False)
    lost: str = visible(default="")
    luck: int = visible(default=0)
    their_luck: int = visible(default=0)
    poisoned: str = visible(default="")
    coating: str = visible(OWNER, default="")
    intimidates: bool = visible(default=False)
    volley: str = visible(default="")
    belongings: Belongings | None = visible(OWNER, default=None)
    lying: tuple[LooseItem, ...] = visible(default=())
    consumed: bool = visible(OWNER, default=False)


def spoken(word: str) -> str:
    """An id of the content as it is said: without where it is held and how it is used.

    >>> spoken("throwing_knife@off~thrown_weapons")
    'throwing knife'
    """
    return re.split("[@~]", word, maxsplit=1)[0].replace("_", " ")


_ON_THE_GROUND = Effect(PRONE)


@apply.on(Attacked)
def _attacked(scene: Scene, event: Attacked) -> Scene:
    by: Status = scene[event.by].status
    changes: dict[str, Any] = {}
    if by.turn.part:
        by = evolve(by, turn=by.turn._replace(part=""))
        changes["turn"] = by.turn
    if event.luck:
        changes["luck"] = max(0, by.luck - event.luck)
    if event.coating:
        stays = event.lying and not (event.poisoned or event.consumed)  # it lies there with what is on it
        changes["coated"] = (laid_down if stays else without)(by.coated, event.coating)
    if event.volley:
        left = list(by.turn.volley)
        if event.volley in left:
            left.remove(event.volley)
        done = not left
        turn = by.turn._replace(volley=tuple(left), against=(*by.turn.against, event.who))
        changes["turn"] = turn._replace(volley_of=0, against=(), spread=False, sweeps=False) if done else turn
    if event.intimidates:
        changes["turn"] = changes.get("turn", by.turn)._replace(free=(*by.turn.free, event.who))
    if event.belongings is not None:
        changes["belongings"] = event.belongings
    if changes:
        scene = scene.with_status(event.by, **changes)
    if event.lying:
        scene = drop_items(scene, *event.lying)
    return _hurt(scene, event.who, event.damage, event.wounds, event.prone, event.dead, event.their_luck, event.lost)


def _hurt(
    scene: Scene, who: str, damage: int, wounds: int, prone: bool, dead: bool, luck: int = 0, lost: str = ""
) -> Scene:
    status: Status = scene[who].status
    changes: dict[str, Any] = {}
    if damage:
        changes["damage"] = status.damage + damage
        changes["mending"] = 0
        changes["hurt_in"] = scene.round
    if wounds:
        changes["wounds"] = status.wounds + wounds
    if prone and not status.has(PRONE):
        changes["lasting"] = add_effect(status.lasting, _ON_THE_GROUND)
    if dead:
        changes["dead"] = True
    if luck:
        changes["luck"] = max(0, status.luck - luck)
    if lost:
        changes["lost"] = (*status.lost, lost)
    if changes and ("damage" in changes or dead) and status.sustained:
        felled = dead or status.damage + damage >= status.durability
        if felled:
            changes["sustained"] = ()
    if not changes:
        return scene
    scene = scene.with_status(who, **changes)
    return with_durability(scene, who) if "sustained" in changes else scene


@apply.by(lambda scene, event: _hurt(scene, event.who, event.damage, event.wounds, event.prone, event.dead, event.luck))
class Hurt(ParticipantEvent):
    """A participant takes damage that is no attack; ``doer`` is its author, if there is one."""

    by: str = visible()
    damage: int = visible()
    wounds: int = visible(default=0)
    prone: bool = visible(default=False)
    dead: bool = visible(default=False)
    luck: int = visible(default=0)
    doer: str | None = visible(default=None)


@apply.sets(dead=True, sustained=())
class Died(ParticipantEvent):
    """A death; after a fall with the ``metres`` that it was deep."""

    metres: int = visible(default=0)


class Stressed(ParticipantEvent):
    """Let a source of stress wear on a character."""

    by: str = visible()
    stress: int = visible()
    traumas: int = visible(default=0)
    overwhelmed: bool = visible(default=False)
    insane: bool = visible(default=False)
    luck: int = visible(default=0)


@apply.on(Stressed)
def _stressed(scene: Scene, event: Stressed) -> Scene:
    status: Status = scene[event.who].status
    scene = scene.with_status(
        event.who,
        stress=status.stress + event.stress,
        traumas=status.traumas + event.traumas,
        easing=0 if event.stress else status.easing,
        overwhelmed=status.overwhelmed or event.overwhelmed,
        insane=status.insane or event.insane,
        luck=max(0, status.luck - event.luck),
        sustained=() if event.overwhelmed or event.insane else status.sustained,
    )
    return with_durability(scene, event.who) if status.sustained else scene


# ---------------------------------------------------------------------- turns


@apply.sets(initiative=lambda _, event: event.total, luck=lambda status, event: max(0, status.luck - event.luck))
class InitiativeRolled(ParticipantEvent):
    """A place in the order of acting."""

    total: int = visible()
    luck: int = visible(default=0)


class TurnOrderSet(Event):
    """Turn order outside combat began with an allotment; without one it is over."""

    mentions = ()
    allotment: TurnOrder | None = visible(default=None)


@apply.on(TurnOrderSet)
def _turn_order_set(scene: Scene, event: TurnOrderSet) -> Scene:
    scene = evolve(scene, system_state=event.allotment)
    if event.allotment is not None:
        return scene
    for one in scene.participants:
        scene = scene.with_status(one.id, initiative=None, spent=Ranks(), turn=FRESH)
    return evolve(without_rounds(scene), order=(), acted=(), turn=None, round=0)


@apply.sets(turn=lambda status, _: status.turn._replace(begun=True))
class TurnBegan(ParticipantEvent):
    """The automatic effects at the start of a turn happen."""


class Walked(ParticipantEvent):
    """A movement: its kind, and its consequences for the turn."""

    is_move = True
    how: str = visible(default="")
    position: Any = visible()
    charged: bool = visible(default=False)
    far: bool = visible(default=False)
    counts: bool = visible(default=True)


@apply.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    turn = scene[event.who].status.turn
    turn = turn._replace(
        moved=turn.moved or event.counts, charged=turn.charged or event.charged, far=turn.far or event.far
    )
    scene = scene.with_status(event.who, turn=turn)
    return scene.with_participant(evolve(scene[event.who], position=event.position))


@apply.sets(turn=lambda status, event: status.turn._replace(answered=(*status.turn.answered, event.by)))
class Answered(ParticipantEvent):
    """A braced foe had its moment against a charge."""

    mentions = ("who", "by")
    by: str = visible()


@apply.sets(turn=lambda status, _: status.turn._replace(stopped=True))
class Stopped(ParticipantEvent):
    """A braced weapon has wounded a charger and thrown it to the ground: it does not get to attack."""

    mentions = ("who", "by")
    by: str = visible()


class Volley(ParticipantEvent):
    """The declaration of an attack with several weapons."""

    weapons: tuple[str, ...] = visible()
    spread: bool = visible(default=False)
    sweeps: bool = visible(default=False)


@apply.on(Volley)
def _volley(scene: Scene, event: Volley) -> Scene:
    turn = scene[event.who].status.turn
    turn = turn._replace(
        volley=event.weapons, volley_of=len(event.weapons), spread=event.spread, against=(), sweeps=event.sweeps
    )
    return scene.with_status(event.who, turn=turn)


class Acted(ParticipantEvent):
    """An action without an event of its own, with the price that the turn pays for it."""

    what: str = visible()
    whom: str = visible(default="")
    free: str = visible(default="")


@apply.on(Acted)
def _acted(scene: Scene, event: Acted) -> Scene:
    if not event.free:
        return scene
    turn = scene[event.who].status.turn
    return scene.with_status(event.who, turn=turn._replace(free=tuple([one for one in turn.free if one != event.free])))


class Contested(ParticipantEvent):
    """An opposed attempt was decided: the winner, and the Luck that both spent."""

    mentions = ("who", "against")
    against: str = visible()
    what: str = visible()
    result: str = visible()
    luck: int = visible(default=0)
    their_luck: int = visible(default=0)


@apply.on(Contested)
def _contested(scene: Scene, event: Contested) -> Scene:
    if event.luck:
        scene = scene.with_status(event.who, luck=max(0, scene[event.who].status.luck - event.luck))
    if event.their_luck:
        scene = scene.with_status(event.against, luck=max(0, scene[event.against].status.luck - event.their_luck))
    return scene


@apply.sets(luck=lambda status, event: max(0, status.luck + event.change))
class LuckChanged(ParticipantEvent):
    """Luck points were spent, gained or lost."""

    change: int = visible()
    why: str = visible(default="")


class HandsChanged(ParticipantEvent):
    """A change of the things in hand: drawn, stowed, dropped, thrown, made by magic."""

    what: str = visible()
    belongings: Belongings = visible(OWNER)
    lying: tuple[LooseItem, ...] = visible(default=())
    coated: tuple[tuple[str, str], ...] | None = visible(OWNER, default=None)


@apply.on(HandsChanged)
def _hands_changed(scene: Scene, event: HandsChanged) -> Scene:
    scene = scene.with_status(event.who, belongings=event.belongings)
    if event.coated is not None:
        scene = scene.with_status(event.who, coated=event.coated)
    return drop_items(scene, *event.lying) if event.lying else scene


class SustainChanged(ParticipantEvent):
    """A change of the powers that are sustained."""

    what: str = visible()
    sustained: tuple[Sustained, ...] = visible()
    luck: int = visible(default=0)


@apply.on(SustainChanged)
def _sustain_changed(scene: Scene, event: SustainChanged) -> Scene:
    status: Status = scene[event.who].status
    mine = scene.turn == event.who and len(event.sustained) > len(status.sustained)
    turn = status.turn._replace(begun=True) if mine else status.turn  # what it begins with has been
    left = max(0, status.luck - event.luck)
    scene = scene.with_status(event.who, sustained=event.sustained, luck=left, turn=turn)
    return with_durability(scene, event.who)
