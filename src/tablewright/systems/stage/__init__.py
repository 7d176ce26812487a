"""The Stage as a system: mechanics and rule options."""

from __future__ import annotations

from tablewright.game.system.system import System
from tablewright.systems.stage.mechanics.attack import FIGHTING
from tablewright.systems.stage.mechanics.checks import CONTESTS, MECHANICS
from tablewright.systems.stage.mechanics.rerolls import REROLLING
from tablewright.systems.stage.mechanics.turn import CHANCES, SHOOTING
from tablewright.systems.stage.options import StageOptions

system = System(
    id="stage",
    title="The Stage",
    summary="Pools of six-sided dice split between hitting and effect, with powers and six tracks of harm.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(*MECHANICS, *CONTESTS, *REROLLING, *FIGHTING, *SHOOTING, *CHANCES),
    options=StageOptions,
    rulebook_module=f"{__name__}.book",
)
