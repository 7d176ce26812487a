"""Turning the tide: who is in a bad spot takes the initiative, once in a fight, and stakes all on a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen.actions.attack import RANGE, RELOAD, TIDE, attack, in_range, loaded, ways
from tablewright.systems.marchen.actions.common import (
    AS_SIGNIFICANT,
    BAD_SPOT,
    FIGHTING,
    SIGNIFICANT,
    TURN,
    UP,
    foes_of,
    friends_of,
)
from tablewright.systems.marchen.actions.stunts import (
    COMPEL,
    defend,
    gain_ground,
    grounds,
    press,
    secure,
    untried,
    weak,
)

ID = "turn_the_tide"
GROUND, DEFENCE, ADVANTAGE, FORCE = "gain_ground", "take_defensive_action", "secure_advantage", "compel"
MOVES = (GROUND, DEFENCE, ADVANTAGE, FORCE)
"""The moves besides attacks by which the tide can be turned."""

Holds = Callable[[Scene, str, Use], str | None]
_attacks, _strike = ways(ID, "Turn the tide against"), attack(ID)


def move_of(use: Use) -> str:
    """The move by which the tide is to be turned; empty for an attack."""
    move = str(use.detail).partition("/")[0]
    return move if move in MOVES else ""


def _ways(scene: Scene, who: str) -> Iterator[Use]:
    yield from _attacks(scene, who)
    for ground in grounds(scene, who):
        yield _use(f"{GROUND}/{ground.detail}", str(ground.label))
    yield _use(DEFENCE, "take defensive action")
    yield _use(ADVANTAGE, "secure an advantage for oneself", who)
    for one in friends_of(scene, who):
        yield _use(ADVANTAGE, f"secure an advantage for {scene.called(one.id)}", one.id)
    for one in foes_of(scene, who):
        yield _use(FORCE, f"compel {scene.called(one.id)}", one.id)


def _use(detail: str, what: str, target: str | None = None) -> Use:
    return Use(ID, target, detail, f"Turn the tide: {what[:1].lower()}{what[1:]}", AS_SIGNIFICANT)


def _for(holds: Holds, *moves: str) -> Holds:
    """A requirement that is one of some moves alone."""
    return lambda scene, who, use: holds(scene, who, use) if move_of(use) in moves else None


def _not_turned(scene: Scene, who: str, use: Use) -> str | None:
    return "the tide can be turned but once in a fight" if scene[who].status.turned else None


async def _turn(game: Live, who: str, use: Use) -> None:
    move = move_of(use)
    if move == GROUND:
        await gain_ground(game, who, str(use.detail).partition("/")[2], tide=True)
    elif move == DEFENCE:
        await defend(game, who, tide=True)
    elif move == ADVANTAGE:
        await secure(game, who, str(use.target), tide=True)
    elif move == FORCE:
        await press(game, who, str(use.target), tide=True)
    else:
        await _strike(game, who, use)


TURN_THE_TIDE = Action(
    ID,
    "Turn the tide",
    (TIDE,),
    _turn,
    (
        UP,
        FIGHTING,
        BAD_SPOT,
        Requirement(TIDE, _not_turned, once=True),
        Requirement(RANGE, _for(in_range, "")),
        Requirement(RELOAD, _for(loaded, "")),
        Requirement(COMPEL, _for(untried, FORCE)),
        Requirement(COMPEL, _for(weak, FORCE)),
    ),
    _ways,
    cost=AS_SIGNIFICANT,
    price=SIGNIFICANT,
    price_rule=TURN,
)
