"""Index of every action in an encounter."""

from __future__ import annotations

from tablewright.game.play.action_kinds import action
from tablewright.game.play.actions import Actions, ActionUse
from tablewright.game.scene.game import Game
from tablewright.systems.renaissance.actions.attack import ATTACKS, NEAR
from tablewright.systems.renaissance.actions.maneuvers import MANEUVERS
from tablewright.systems.renaissance.actions.move import MOVES
from tablewright.systems.renaissance.actions.turn import OTHERS
from tablewright.systems.renaissance.chapters.powers import POWERS
from tablewright.systems.renaissance.events.fight import ALLOTMENT

IDLE = "end_turn"


@action("End the turn", ("renaissance.turn.allotment", "renaissance.turn.task_allotment"), cost_text="nothing")
async def _end_turn(game: Game, who: str, use: ActionUse) -> None:
    """Do nothing more, also while a task or a job goes on: no progress is tracked."""


ACTIONS = Actions((*ATTACKS, *MANEUVERS, *MOVES, *POWERS, *OTHERS, *NEAR, _end_turn), ALLOTMENT)
