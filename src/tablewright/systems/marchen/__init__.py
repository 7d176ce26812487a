"""Märchen Engine as a system."""

from __future__ import annotations

from tablewright.game.system import System
from tablewright.systems.marchen.blows import BLOWS
from tablewright.systems.marchen.clashes import CLASHES
from tablewright.systems.marchen.counsel import COUNSEL
from tablewright.systems.marchen.deeds import DEEDS
from tablewright.systems.marchen.fray import FRAY
from tablewright.systems.marchen.mechanics import MECHANICS
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.suffering import SUFFERING
from tablewright.systems.marchen.timing import TIME_MECHANICS
from tablewright.systems.marchen.undertakings import UNDERTAKINGS

system = System(
    id="marchen",
    title="Märchen Engine",
    summary="Core dice plus modifiers against a threshold, ten degrees of effect, task chains and seasons.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *UNDERTAKINGS, *TIME_MECHANICS, *COUNSEL, *FRAY, *BLOWS, *CLASHES, *SUFFERING, *DEEDS),
    options=MarchenOptions,
    rulebook=f"{__name__}.book",
)
