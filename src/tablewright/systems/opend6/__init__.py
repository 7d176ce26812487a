"""OpenD6 as a system."""

from __future__ import annotations

from tablewright.game.system import System
from tablewright.systems.opend6.attack import attack
from tablewright.systems.opend6.attack_parts import aim, deal, deepen, ease, injure, mend, resist, skill_roll
from tablewright.systems.opend6.contests import contested
from tablewright.systems.opend6.healing import HEALING
from tablewright.systems.opend6.mechanics import MECHANICS
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.turns import ROUNDS

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
    rulebook=f"{__name__}.book",
)
