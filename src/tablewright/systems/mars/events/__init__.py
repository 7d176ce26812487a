"""Everything that can happen in a MARS scene, as small facts, and how each of them changes the scene."""

from __future__ import annotations

from tablewright.systems.mars.events.blows import (
    AttackDeclared,
    AttackRolled,
    Blocked,
    Defended,
    Hit,
    Intercepted,
    Missed,
    WouldHit,
)
from tablewright.systems.mars.events.costs import (
    Costly,
    apply,
    paid,
    told,
)
from tablewright.systems.mars.events.doing import (
    Acted,
    CaughtBreath,
    FlewIntoRage,
    Gathered,
    GotReady,
    HandsChanged,
    ManeuverUsed,
    ReadyTaken,
    Stopped,
    TaskDone,
    TollPaid,
    Walked,
    WorkedOn,
)
from tablewright.systems.mars.events.effects import (
    BurnedDown,
    ConcentrationChanged,
    EffectEnded,
    EffectGained,
)
from tablewright.systems.mars.events.encounter import (
    Delayed,
    InitiativeRolled,
    OrderDecided,
    SurpriseOver,
    TurnBegan,
    WasSurprised,
)
from tablewright.systems.mars.events.harm import (
    Died,
    DyingChecked,
    Fell,
    HealthLost,
    Hurt,
    Stabilised,
    Tolerated,
    Woke,
)
from tablewright.systems.mars.events.ruling import (
    effect_named,
)

__all__ = [
    "Acted",
    "AttackDeclared",
    "AttackRolled",
    "Blocked",
    "BurnedDown",
    "CaughtBreath",
    "ConcentrationChanged",
    "Costly",
    "Defended",
    "Delayed",
    "Died",
    "DyingChecked",
    "EffectEnded",
    "EffectGained",
    "Fell",
    "FlewIntoRage",
    "Gathered",
    "GotReady",
    "HandsChanged",
    "HealthLost",
    "Hit",
    "Hurt",
    "InitiativeRolled",
    "Intercepted",
    "ManeuverUsed",
    "Missed",
    "OrderDecided",
    "ReadyTaken",
    "Stabilised",
    "Stopped",
    "SurpriseOver",
    "TaskDone",
    "Tolerated",
    "TollPaid",
    "TurnBegan",
    "Walked",
    "WasSurprised",
    "Woke",
    "WorkedOn",
    "WouldHit",
    "apply",
    "effect_named",
    "paid",
    "told",
]
