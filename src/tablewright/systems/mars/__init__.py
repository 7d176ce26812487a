"""MARS as a system: mechanics and rule options."""

from __future__ import annotations

from tablewright.game.system.system import System
from tablewright.systems.mars.mechanics.attack import ATTACK_MECHANICS
from tablewright.systems.mars.mechanics.checks import MECHANICS
from tablewright.systems.mars.mechanics.harm import DAMAGE_MECHANICS
from tablewright.systems.mars.mechanics.turn import TURN_MECHANICS
from tablewright.systems.mars.options import MarsOptions

system = System(
    id="mars",
    title="MARS",
    summary="Stats and skills as roll values against a difficulty, with degrees, maneuvers and concentration.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *ATTACK_MECHANICS, *TURN_MECHANICS, *DAMAGE_MECHANICS),
    options=MarsOptions,
    rulebook_module=f"{__name__}.book",
)
