"""Damage that the game master reduces to half or none, at the moment it is dealt.

The consequences of damage depend on the health points left after it. The reduction therefore comes directly after the
event, before any rule reads the status: a participant who stays up is never treated as fallen in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, TypeAlias, get_args

from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import DamageReduced
from tablewright.game.play.vitals import Vitals
from tablewright.game.scene.events import Event
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene

Part: TypeAlias = Literal["half", "none"]
PARTS: tuple[Part, ...] = get_args(Part)


def damage_reducer(part: str) -> Callable[[Game, Scene, Event], None]:
    """Hook that runs after each event and reduces damage to everyone but the participant whose turn it is."""
    if part not in PARTS:
        raise InvalidInputError(f'"{part:.20}" is not part of harm; allowed are {", ".join(PARTS)}', field="part")

    def temper(live: Game, before: Scene, event: Event) -> None:
        reckoning = live.rulebook.vitals
        for harm in list(reckoning.damage_from(before, event, live.state)):
            if harm.who == before.turn:
                continue
            lost = harm.amount // 2 if part == "half" else 0
            status = reduce_damage(before[harm.who], live.state[harm.who], lost + harm.paid, reckoning)
            live.emit(DamageReduced(who=harm.who, part=part, status=status, cause="ruling"))

    return temper


def reduce_damage(before: Participant, after: Participant, lost: int, reckoning: Vitals) -> Any:
    """The status of a participant who loses only ``lost`` health points; other changes of the event are dropped.

    Raises `IllegalActionError` if the damage cannot be split. Consequences of low health still follow: a participant
    who falls by half of the damage falls as usual.
    """
    if lost == 0:
        return before.status
    wanted = reckoning.health_points(before) - lost
    if reckoning.lessened is not None:
        return reckoning.lessened(before, after, lost)
    whole = reckoning.health_points(before) - reckoning.health_points(after)
    spared = before.status
    for entry in fields(after.status):
        was, now = getattr(before.status, entry.name), getattr(after.status, entry.name)
        without = evolve(after, status=evolve(after.status, **{entry.name: was}))
        if was == now or reckoning.health_points(without) == reckoning.health_points(after):
            continue
        if type(was) is not int or type(now) is not int:
            raise _not_to_be_halved(after)
        spared = evolve(spared, **{entry.name: was + _share(now - was, lost, whole)})
    spared = _exactly(before, spared, wanted, reckoning)
    if spared is None:
        raise _not_to_be_halved(after)
    return spared


def _share(change: int, lost: int, whole: int) -> int:
    """Scale a change by lost/whole, rounded towards zero."""
    share = abs(change) * lost // whole
    return share if change > 0 else -share


def _exactly(before: Participant, spared: Any, wanted: int, reckoning: Vitals) -> Any:
    """Correct rounding: put the missing points on the first changed number that takes them, or return None."""
    missing = reckoning.health_points(evolve(before, status=spared)) - wanted
    if missing == 0:
        return spared
    for entry in fields(spared):
        value = getattr(spared, entry.name)
        if type(value) is not int:
            continue
        for change in (missing, -missing):
            other = evolve(spared, **{entry.name: value + change})
            if value != getattr(before.status, entry.name) and (
                reckoning.health_points(evolve(before, status=other)) == wanted
            ):
                return other
    return None


def _not_to_be_halved(one: Participant) -> IllegalActionError:
    return IllegalActionError(f"this harm to {one.id} is nothing that can be halved; let all of it count, or none")
