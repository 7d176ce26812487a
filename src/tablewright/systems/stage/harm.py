"""Consequences of damage in play: falling, dying, burning, recovering consciousness."""

from __future__ import annotations

from dataclasses import replace

from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.effects import Trigger
from tablewright.systems.stage.events.fight import Attacked, Restored, emit_harm, paid_for
from tablewright.systems.stage.now import effects
from tablewright.systems.stage.status import Status, after_loss, after_restoring, arriving, most
from tablewright.systems.stage.values import CORE, Attribute


def survives(scene: Scene, who: str, attribute: Attribute, damage: int) -> str:
    """The power that keeps the last core point this once today, where damage would take it."""
    status: Status = scene[who].status
    core = CORE[attribute]
    lost = after_loss(status, attribute, arriving(status, attribute, damage))
    if lost.get(core, 1) > 0 or getattr(status, core) <= 0 or status.integrity is not None:
        return ""
    for one, trigger in effects(scene, who, Trigger):
        spare = status.day.used.get(one.id, 0) < max(1, trigger.per_day)
        if trigger.at == "would_reach_zero" and core in trigger.of and spare:
            return one.id
    return ""


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
