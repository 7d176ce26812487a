"""Renaissance as a system: mechanics and rule options."""

from __future__ import annotations

from tablewright.game.system.system import System
from tablewright.systems.renaissance.mechanics.attack import MECHANICS as ATTACK_MECHANICS
from tablewright.systems.renaissance.mechanics.attack import VOLLEY_MECHANICS
from tablewright.systems.renaissance.mechanics.checks import MECHANICS
from tablewright.systems.renaissance.mechanics.luck import LUCKY_MECHANICS
from tablewright.systems.renaissance.mechanics.turn import MECHANICS as TRIAL_MECHANICS
from tablewright.systems.renaissance.options import RenaissanceOptions

system = System(
    id="renaissance",
    title="Renaissance",
    summary="Percentile checks where the highest success wins, with wounds, trauma and luck.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *LUCKY_MECHANICS, *ATTACK_MECHANICS, *VOLLEY_MECHANICS, *TRIAL_MECHANICS),
    options=RenaissanceOptions,
    rulebook_module=f"{__name__}.book",
)
