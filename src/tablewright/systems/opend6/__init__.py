"""OpenD6 as a system: mechanics and rule options."""

from __future__ import annotations

from tablewright.game.system.system import System
from tablewright.systems.opend6.mechanics.attack import aim, attack, deal, deepen
from tablewright.systems.opend6.mechanics.checks import MECHANICS
from tablewright.systems.opend6.mechanics.contests import contested
from tablewright.systems.opend6.mechanics.harm import HEALING, ease, injure, resist
from tablewright.systems.opend6.mechanics.points import mend, skill_roll
from tablewright.systems.opend6.mechanics.turn import ROUNDS
from tablewright.systems.opend6.options import OpenD6Options

system = System(
    id="opend6",
    title="OpenD6",
    summary="Pools of six-sided dice with a Wild Die, Character Points and Fate Points.",
    version="0.1.0",
    package=__name__,
    status="finished",
    mechanics=(
        *MECHANICS,
        contested,
        attack,
        aim,
        skill_roll,
        mend,
        deal,
        deepen,
        resist,
        ease,
        injure,
        *ROUNDS,
        *HEALING,
    ),
    options=OpenD6Options,
    rulebook_module=f"{__name__}.book",
)
