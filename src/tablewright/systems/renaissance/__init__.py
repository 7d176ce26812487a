"""Renaissance as a system."""

from __future__ import annotations

from tablewright.game.system import System
from tablewright.systems.renaissance.lucky import LUCKY_MECHANICS
from tablewright.systems.renaissance.mechanics import MECHANICS
from tablewright.systems.renaissance.options import RenaissanceOptions

system = System(
    id="renaissance",
    title="Renaissance",
    summary="Percentile checks where the highest success wins, with wounds, trauma and luck.",
    version="0.1.0",
    package=__name__,
    status="building",
    mechanics=(*MECHANICS, *LUCKY_MECHANICS),
    options=RenaissanceOptions,
    rulebook=f"{__name__}.book",
)
