"""Index of every action in an encounter."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.marchen.actions.attack import ATTACKS
from tablewright.systems.marchen.actions.maneuvers import STUNTS, SURRENDER, TURN_THE_TIDE
from tablewright.systems.marchen.actions.move import HOLD, MOVES
from tablewright.systems.marchen.chapters.magic import CASTING
from tablewright.systems.marchen.events.fight import ALLOTMENT

IDLE = "hold"
ACTIONS = Actions((*ATTACKS, TURN_THE_TIDE, *CASTING, *STUNTS, *MOVES, SURRENDER, HOLD), ALLOTMENT)
"""In the order in which they are offered; giving up comes late, so that no one takes it by typing 1."""
