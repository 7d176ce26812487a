"""Consequences of damage in play: falling, dying, burning, recovering consciousness."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from tablewright.engine import Param
from tablewright.errors import IllegalActionError
from tablewright.game.play.costs import Cost
from tablewright.game.play.time_passage import require_alive, require_peace
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.events.fight import Attacked, Restored, Spent, emit_harm, paid_for
from tablewright.systems.stage.now import price_of, triggers
from tablewright.systems.stage.status import (
    PURSES,
    Status,
    after_loss,
    after_restoring,
    arriving,
    demand_able,
    most,
    payable,
)
from tablewright.systems.stage.values import CORE, Attribute


def survives(scene: Scene, who: str, attribute: Attribute, damage: int) -> str:
    """The power that keeps the last core point this once today, where damage would take it."""
    status: Status = scene[who].status
    core = CORE[attribute]
    lost = after_loss(status, attribute, arriving(status, attribute, damage))
    if lost.get(core, 1) > 0 or getattr(status, core) <= 0 or status.integrity is not None:
        return ""
    for one, trigger in triggers(scene, who, "would_reach_zero"):
        if core in trigger.of and status.day.used.get(one.id, 0) < max(1, trigger.per_day):
            return one.id
    return ""


def pay_for(game: Game, who: str, power: Power, cause: str) -> None:
    """Pay the price of a power that is used outside of a turn; refused if too little is left."""
    price = price_of(power)
    short = PURSES.short(game.scene, who, price)
    if short is not None:
        raise IllegalActionError(short, rule="stage.power.payment")
    game.emit(Spent(who=who, price=price, on=power.name, cause=cause))


def restore(game: Game, who: str, track: str, amount: int, rule: str) -> None:
    """Points come back to a character, and it is told how many did: none beyond the maximum (stage.healing.surface)."""
    status: Status = game[who].status
    came = after_restoring(status, most(game.scene, who), track, amount)[track] - getattr(status, track)
    game.emit(Restored(who=who, track=track, amount=came, cause=rule))


def land(game: Game, event: Attacked) -> Status:
    """An attack happens, as far as no power keeps the last point; how the target was when the damage arrived.

    (stage.power_effect.survive, stage.damage.order: what was spent on the attack is paid before the damage.)
    """
    paid = paid_for(game.scene, event)
    if event.hit and not event.non_lethal:
        event = replace(event, survived=survives(paid, event.who, event.attribute, event.damage))
    emit_harm(game, event)
    before: Status = paid[event.who].status
    return before


REANIMATE = "stage.medicine.reanimate"


def begin_care(
    game: Game, healer: str, patient: str, rule: str, need: object, why: str, *, oneself: bool = False
) -> None:
    """Refuse care that nothing calls for, and the rest; it costs a point of Intellect, whatever comes of it."""
    if rule != REANIMATE:
        require_alive(game, patient, "stage.resource.death")
    game.refuse_if(healer == patient and not oneself, healer, "cannot be both healer and patient", rule)
    game.refuse_if(not payable(game.scene, healer, "mind", 1), healer, "has no Intellect left", "stage.resource.spend")
    game.refuse_if(not need, patient, why, rule)
    game.emit(Spent(who=healer, price=Cost.of(intellect=1), on="care", cause=rule))


def _require_ready(game: Game, who: str, rule: str) -> None:
    require_peace(game, who, rule)
    demand_able(game.scene, who)


Able = Annotated[str, Param("a participant of the scene", guard=lambda game, who, _: demand_able(game.scene, who))]
"""Parameter of a process for a character who is awake and alive; others are refused before the process starts."""
Ready = Annotated[str, Param("a participant of the scene", guard=_require_ready)]
"""The same, outside of encounters."""
