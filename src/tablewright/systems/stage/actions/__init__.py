"""Everything that can be done in an encounter of The Stage."""

from __future__ import annotations

from tablewright.game.actions import Actions
from tablewright.systems.stage.actions.assisting import ASSISTING
from tablewright.systems.stage.actions.attack import ATTACK_ACTIONS
from tablewright.systems.stage.actions.chasing import CHASING
from tablewright.systems.stage.actions.going_on import continued
from tablewright.systems.stage.actions.ground import sure_footed
from tablewright.systems.stage.actions.handling import HANDLING
from tablewright.systems.stage.actions.magic import MAGIC
from tablewright.systems.stage.actions.maneuvers import MANEUVERS
from tablewright.systems.stage.actions.move import MOVES, OTHERS
from tablewright.systems.stage.actions.riding import RIDES
from tablewright.systems.stage.actions.sneaking import SNEAKING
from tablewright.systems.stage.actions.using import USING
from tablewright.systems.stage.harm import PURSES

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
