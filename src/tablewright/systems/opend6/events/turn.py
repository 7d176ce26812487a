"""Events of a turn besides attacks: moves, costs, stances, preparations."""

from __future__ import annotations

from typing import Any

from tablewright.game.ground.position import Exact, Position, exact
from tablewright.game.play.common_events import RoundStarted, SceneEnded
from tablewright.game.play.effects import without_rounds
from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.opend6.chapters.points import apply as points_apply
from tablewright.systems.opend6.character.record import FateSpent
from tablewright.systems.opend6.status import Posture, Status, fight

doing: Reducer[Scene] = Reducer(points_apply)


@doing.sets(
    initiative=lambda _, event: event.total,
    character_points=lambda status, event: status.character_points - event.points,
)
class InitiativeRolled(ParticipantEvent):
    """A character's initiative for this round or scene, and the points that went into it."""

    total: int = visible()
    points: int = visible(default=0)


@doing.sets(surprised=True)
class WasSurprised(ParticipantEvent):
    """A character did not see it coming."""


class Declared(ParticipantEvent):
    """Number of actions declared for this round; ``moved_up`` where the turn came early to react."""

    actions: int = visible()
    moved_up: bool = visible(default=False)


@doing.sets(
    declared=lambda status, _: status.declared + 1,
    quick=lambda status, _: status.quick + 1,
    fast_reactions_used=lambda status, _: status.fast_reactions_used + 1,
)
class Quickened(ParticipantEvent):
    """Fast Reactions give a character one more action in this round."""


class Taken(ParticipantEvent):
    """A character has used up declared actions: on waiting, on something that no other event tells of."""

    on: str = visible()
    actions: int = visible(default=1)
    waiting: bool = visible(default=False)


class CameBetween(ParticipantEvent):
    """A character who has waited acts now, or does no more (``over``)."""

    over: bool = visible(default=False)


@doing.sets(freely=lambda status, event: (*status.freely, event.deed))
class Said(ParticipantEvent):
    """A character says something, or looks around: a free action."""

    what: str = visible()
    deed: str = visible(default="")


@doing.sets(spending=lambda _, event: event.asked, freely=lambda status, _: (*status.freely, "use_points"))
class PointsAsked(ParticipantEvent):
    """A character wants to be asked for points with every roll, or no more."""

    asked: bool = visible(OWNER)


@doing.sets(
    fate_points=lambda status, _: status.fate_points - 1,
    climactic=True,
    climactic_used=lambda status, event: status.climactic_used or event.counted,
    fate_spent=lambda status, _: (*status.fate_spent, FateSpent(on="a whole round")),
)
class FateBurned(ParticipantEvent):
    """A character spends a Fate Point for all rolls of this round."""

    counted: bool = visible(default=True)


class Walked(ParticipantEvent):
    """A move by ``metres`` or by a ``leap``; ``actions`` is its cost.

    ``fast`` marks movement beyond Move, ``run_up`` counts the rounds of running before a jump, and ``missed`` the
    missed swimming rolls in this water. A ``still`` character has not moved at all.
    """

    is_move = True
    position: Position = visible()
    metres: Exact = visible(default=0)
    actions: int = visible(default=0)
    leap: bool = visible(default=False)
    running: bool = visible(default=False)
    fast: bool = visible(default=False)
    run_up: int = visible(default=0)
    missed: int | None = visible(default=None)
    still: bool = visible(default=False)


class Stood(ParticipantEvent):
    """A character stands up, crouches or drops to the ground."""

    posture: Posture = visible()
    actions: int = visible(default=0)


class Aimed(ParticipantEvent):
    """A character aims for a round, or stops aiming (0 rounds)."""

    at: str = visible(default="")
    rounds: int = visible(default=0)


@doing.sets(prepared=lambda _, event: event.rounds, taken=lambda status, _: status.declared)
class Prepared(ParticipantEvent):
    """A character prepares for another round."""

    rounds: int = visible()


class Readied(ParticipantEvent):
    """A weapon is loaded again."""

    item: str = visible()
    actions: int = visible(default=1)


def used_up(status: Status, actions: int) -> dict[str, Any]:
    """Changes of status after some actions: a wait is over, and so are preparation and aiming."""
    changes: dict[str, Any] = {"taken": status.taken + actions, "waiting": False}
    return changes | (ENDED if actions else {})


ENDED: dict[str, Any] = {"prepared": 0, "aim": 0, "aim_at": ""}
"""Changes of status after any other action than preparing or aiming.

[opend6.prepare.bonus, opend6.gap.attack.aiming]
"""


@doing.after(RoundStarted)
def _round(scene: Scene, event: RoundStarted) -> Scene:
    """Unused actions are lost, and series of fast rounds that were broken. [opend6.turn.no_extra_no_carry]"""
    for one in scene.participants:
        broken = {} if one.status.fast else {"raced": 0, "run_up": 0}
        surprised = one.status.surprised and scene.round == 1
        scene = scene.with_status(one.id, fast=False, surprised=surprised, **broken)
    return evolve(scene, system_state=evolve(fight(scene), begun=True))


@doing.after(SceneEnded)
def _ended(scene: Scene, event: SceneEnded) -> Scene:
    """Attacks under way come to nothing, and what is counted in rounds is over."""
    return evolve(without_rounds(scene), system_state=evolve(fight(scene), swings=()))


@doing.on(Declared)
def _declared(scene: Scene, event: Declared) -> Scene:
    scene = scene.with_status(event.who, declared=event.actions, taken=0)
    return evolve(scene, acted=(*scene.acted, event.who)) if event.moved_up else scene


@doing.on(Taken)
def _taken(scene: Scene, event: Taken) -> Scene:
    status: Status = scene[event.who].status
    between = 0 if event.waiting else status.between
    changes = used_up(status, event.actions) | {"waiting": event.waiting, "between": between}
    return scene.with_status(event.who, **changes)


@doing.on(CameBetween)
def _came_between(scene: Scene, event: CameBetween) -> Scene:
    """Order of participants that interrupted: the last one continues first."""
    last = max([one.status.between for one in scene.participants])
    return scene.with_status(event.who, waiting=False, between=0 if event.over else last + 1)


@doing.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    one = scene[event.who]
    status: Status = one.status
    moved = evolve(
        status,
        **(used_up(status, event.actions) | ({} if event.still else ENDED)),
        moved=exact(status.moved + event.metres),
        leapt=status.leapt or event.leap,
        running=status.running or event.running,
        fast=status.fast or event.fast,
        raced=status.raced + event.fast,
        run_up=event.run_up if event.actions else status.run_up,
        missed=status.missed if event.missed is None else event.missed,
    )
    return scene.with_participant(evolve(one, position=event.position, status=moved))


@doing.on(Stood)
def _stood(scene: Scene, event: Stood) -> Scene:
    status: Status = scene[event.who].status
    freely = status.freely if event.actions else (*status.freely, "posture")
    after = ENDED if event.actions else {}
    taken = status.taken + event.actions
    return scene.with_status(event.who, posture=event.posture, taken=taken, freely=freely, **after)


@doing.on(Aimed)
def _aimed(scene: Scene, event: Aimed) -> Scene:
    status: Status = scene[event.who].status
    taken = status.declared if event.rounds else status.taken
    prepared = 0 if event.rounds else status.prepared
    return scene.with_status(event.who, aim=event.rounds, aim_at=event.at, taken=taken, prepared=prepared)


@doing.on(Readied)
def _readied(scene: Scene, event: Readied) -> Scene:
    status: Status = scene[event.who].status
    unloaded = tuple([item for item in status.unloaded if item != event.item])
    loaded = (*status.loaded, event.item) if event.item in status.unloaded else status.loaded
    return scene.with_status(event.who, unloaded=unloaded, loaded=loaded, **used_up(status, event.actions))
