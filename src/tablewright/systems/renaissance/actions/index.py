"""Index of every action in an encounter."""

from __future__ import annotations

from tablewright.game.play.actions import Action, Actions, ActionUse
from tablewright.game.scene.game import Game
from tablewright.systems.renaissance.actions.attack import attack_actions, near_actions
from tablewright.systems.renaissance.actions.maneuvers import maneuver_actions
from tablewright.systems.renaissance.actions.move import move_actions
from tablewright.systems.renaissance.actions.turn import other_actions
from tablewright.systems.renaissance.chapters.powers import power_actions
from tablewright.systems.renaissance.events.fight import ALLOTMENT

IDLE = "end_turn"


async def _end_turn(game: Game, who: str, use: ActionUse) -> None:
    return None


ACTIONS = Actions(
    [
        *attack_actions(),
        *maneuver_actions(),
        *move_actions(),
        *power_actions(),
        *other_actions(),
        *near_actions(),
        Action(
            IDLE,
            "End the turn",  # also while a task or a job goes on: no progress is tracked
            ("renaissance.turn.allotment", "renaissance.turn.task_allotment"),
            _end_turn,
            cost_text="nothing",
        ),
    ],
    ALLOTMENT,
)
