"""Everything that can be done on one's turn in a fight."""

from __future__ import annotations

from tablewright.game.actions import Actions
from tablewright.systems.marchen.actions.attack import ATTACKS
from tablewright.systems.marchen.actions.casting import CASTING
from tablewright.systems.marchen.actions.moves import HOLD, MOVES
from tablewright.systems.marchen.actions.stunts import STUNTS, SURRENDER
from tablewright.systems.marchen.actions.tide import TURN_THE_TIDE
from tablewright.systems.marchen.events import ALLOTMENT

IDLE = "hold"
ACTIONS = Actions((*ATTACKS, TURN_THE_TIDE, *CASTING, *STUNTS, *MOVES, SURRENDER, HOLD), ALLOTMENT)
"""In the order in which they are offered; giving up comes late, so that nobody takes it by typing 1."""
