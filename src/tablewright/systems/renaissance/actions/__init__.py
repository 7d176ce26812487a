"""Everything that can be done in a turn, and the moments in which others may come between."""

from __future__ import annotations

from tablewright.game.actions import Action, Actions, Use
from tablewright.game.scene import Live
from tablewright.systems.renaissance.actions.attack import attack_actions
from tablewright.systems.renaissance.actions.maneuvers import maneuver_actions
from tablewright.systems.renaissance.actions.move import move_actions
from tablewright.systems.renaissance.actions.other import other_actions
from tablewright.systems.renaissance.actions.powers import power_actions
from tablewright.systems.renaissance.events import ALLOTMENT

IDLE = "end_turn"


async def _end_turn(game: Live, who: str, use: Use) -> None:
    return None


ACTIONS = Actions(
    [
        *attack_actions(),
        *maneuver_actions(),
        *move_actions(),
        *power_actions(),
        *other_actions(),
        Action(
            IDLE,
            "End the turn",  # also of whoever goes on with a task or a job: no progress is tracked
            ("renaissance.turn.allotment", "renaissance.turn.task_allotment"),
            _end_turn,
            cost="nothing",
        ),
    ],
    ALLOTMENT,
)
