"""Index of every action in an encounter (mars.action.list)."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.mars.actions.attack import ATTACKS
from tablewright.systems.mars.actions.defences import DEFENDING
from tablewright.systems.mars.actions.hands import HANDLING, HURLING
from tablewright.systems.mars.actions.maneuvers import MANEUVERS
from tablewright.systems.mars.actions.move import MOVES
from tablewright.systems.mars.actions.turn import SKILLS, WAITING
from tablewright.systems.mars.chapters.talents import TALENTS

IDLE = "end_turn"
ACTIONS = Actions((*DEFENDING, *ATTACKS, *MANEUVERS, *MOVES, *HANDLING, *HURLING, *SKILLS, *TALENTS, *WAITING))
