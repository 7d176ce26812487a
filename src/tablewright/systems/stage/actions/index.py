"""Index of every action in an encounter."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.stage.actions.attack import ATTACK_ACTIONS
from tablewright.systems.stage.actions.hands import HANDLING
from tablewright.systems.stage.actions.maneuvers import CHASING, MANEUVERS
from tablewright.systems.stage.actions.move import MOVES, OTHERS, sure_footed
from tablewright.systems.stage.actions.requirements import continued
from tablewright.systems.stage.actions.turn import ASSISTING, SNEAKING
from tablewright.systems.stage.chapters.magic import MAGIC
from tablewright.systems.stage.chapters.powers import USING
from tablewright.systems.stage.chapters.riding import RIDES
from tablewright.systems.stage.status import PURSES

IDLE = "end_turn"
LONG = (
    *("attack", "power_attack", "charge", "snipe", "non_lethal", "grapple", "disarm", "trip", "push"),
    *("distract", "insult", "bully", "cast", "detect", "power", "move", "tumble", "pursue", "control"),
    *("draw", "first_aid", "treat", "reanimate", "prepare"),
)
"""Actions that take, or may take, more than one AP: they may be begun with too few and finished in the next turn."""

EVERY = (
    *ATTACK_ACTIONS,
    *MANEUVERS,
    *SNEAKING,
    *MAGIC,
    *USING,
    *MOVES,
    *RIDES,
    *CHASING,
    *ASSISTING,
    *HANDLING,
    *OTHERS,
)
ACTIONS = Actions([sure_footed(continued(action) if action.id in LONG else action) for action in EVERY], PURSES)
