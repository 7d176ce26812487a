"""The Stage as a system."""

from __future__ import annotations

from tablewright.game.system import System
from tablewright.systems.stage.chances import CHANCES
from tablewright.systems.stage.contests import CONTESTS
from tablewright.systems.stage.fighting import FIGHTING
from tablewright.systems.stage.mechanics import MECHANICS
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.rerolling import REROLLING
from tablewright.systems.stage.shooting import SHOOTING

system = System(
    id="stage",
    title="The Stage",
    summary="Pools of six-sided dice split between hitting and effect, with powers and six tracks of harm.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *CONTESTS, *REROLLING, *FIGHTING, *SHOOTING, *CHANCES),
    options=StageOptions,
    rulebook=f"{__name__}.book",
)
