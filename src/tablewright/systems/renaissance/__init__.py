"""Renaissance as a system."""

from __future__ import annotations

from tablewright.game.system import System
from tablewright.systems.renaissance.attack import MECHANICS as ATTACK_MECHANICS
from tablewright.systems.renaissance.lucky import LUCKY_MECHANICS
from tablewright.systems.renaissance.mechanics import MECHANICS
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.trials import MECHANICS as TRIAL_MECHANICS
from tablewright.systems.renaissance.volley import MECHANICS as VOLLEY_MECHANICS

system = System(
    id="renaissance",
    title="Renaissance",
    summary="Percentile checks where the highest success wins, with wounds, trauma and luck.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *LUCKY_MECHANICS, *ATTACK_MECHANICS, *VOLLEY_MECHANICS, *TRIAL_MECHANICS),
    options=RenaissanceOptions,
    rulebook=f"{__name__}.book",
)
