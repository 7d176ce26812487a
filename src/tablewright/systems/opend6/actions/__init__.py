"""Everything that can be done in a fight."""

from __future__ import annotations

from tablewright.game.actions import Actions
from tablewright.systems.opend6.actions.attack import ATTACKS
from tablewright.systems.opend6.actions.defend import DEFENCES
from tablewright.systems.opend6.actions.move import MOVES
from tablewright.systems.opend6.actions.other import OTHERS

ACTIONS = Actions((*ATTACKS, *DEFENCES, *MOVES, *OTHERS))
IDLE = "stop"

__all__ = ["ACTIONS", "IDLE"]
