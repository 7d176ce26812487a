"""Everything that can be done on one's turn in a fight."""

from __future__ import annotations

from tablewright.game.actions import Actions
from tablewright.systems.marchen.actions.attack import ATTACKS
from tablewright.systems.marchen.actions.casting import CASTING
from tablewright.systems.marchen.actions.moves import MOVES
from tablewright.systems.marchen.actions.stunts import STUNTS
from tablewright.systems.marchen.events import ALLOTMENT

IDLE = "hold"
ACTIONS = Actions((*ATTACKS, *CASTING, *STUNTS, *MOVES), ALLOTMENT)
