"""Märchen Engine as a system: mechanics and rule options."""

from __future__ import annotations

from tablewright.game.system.system import System
from tablewright.systems.marchen.mechanics.attack import BLOWS
from tablewright.systems.marchen.mechanics.checks import MECHANICS
from tablewright.systems.marchen.mechanics.clash import CLASHES
from tablewright.systems.marchen.mechanics.harm import SUFFERING
from tablewright.systems.marchen.mechanics.magic import DEEDS
from tablewright.systems.marchen.mechanics.tasks import UNDERTAKINGS
from tablewright.systems.marchen.mechanics.turn import COUNSEL, FRAY, TIME_MECHANICS
from tablewright.systems.marchen.options import MarchenOptions

system = System(
    id="marchen",
    title="Märchen Engine",
    summary="Core dice plus modifiers against a threshold, ten degrees of effect, task chains and seasons.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *UNDERTAKINGS, *TIME_MECHANICS, *COUNSEL, *FRAY, *BLOWS, *CLASHES, *SUFFERING, *DEEDS),
    options=MarchenOptions,
    rulebook_module=f"{__name__}.book",
)
