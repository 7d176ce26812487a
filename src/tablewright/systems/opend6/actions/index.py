"""Index of every action in an encounter."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.opend6.actions.attack import ATTACKS
from tablewright.systems.opend6.actions.defences import DEFENCES
from tablewright.systems.opend6.actions.hands import WEAPONS
from tablewright.systems.opend6.actions.move import MOVES
from tablewright.systems.opend6.actions.turn import OTHERS

ACTIONS = Actions((*ATTACKS, *DEFENCES, *MOVES, *WEAPONS, *OTHERS))
IDLE = "stop"
