"""The rulebook of OpenD6: everything beyond its mechanics."""

from __future__ import annotations

from tablewright.game.system.rulebook import Rulebook
from tablewright.game.time.calendar import Calendar, Unit
from tablewright.systems.opend6 import advancement, belongings, recovery, tasks
from tablewright.systems.opend6.actions.index import ACTIONS, IDLE
from tablewright.systems.opend6.actions.turn import burn_fate, notice, use_points
from tablewright.systems.opend6.bots import RECKONING, health, rate, value
from tablewright.systems.opend6.chapters import points
from tablewright.systems.opend6.character.record import OpenD6Character
from tablewright.systems.opend6.checks import CHECKS
from tablewright.systems.opend6.content import KINDS, PEOPLE
from tablewright.systems.opend6.creation import create
from tablewright.systems.opend6.encounter import encounter, group_attack, move_up
from tablewright.systems.opend6.events.harm import apply
from tablewright.systems.opend6.legality import legality
from tablewright.systems.opend6.prospects import decisive_attack
from tablewright.systems.opend6.sheet import sheet
from tablewright.systems.opend6.status import enter, leave

ROUND_SECONDS = 5  # opend6.time.round


rulebook = Rulebook(
    character=OpenD6Character,
    create=create,
    legality=legality,
    sheet=sheet,
    make_status=enter,
    export_character=leave,
    encounter=encounter,
    actions=ACTIONS,
    pass_action=IDLE,
    score_scene=value,
    rate_use=rate,
    health=health,
    vitals=RECKONING,
    decisive_call=decisive_attack,
    calendar=Calendar(
        (
            Unit("second", 1),
            Unit("round", ROUND_SECONDS),
            Unit("minute", 60),
            Unit("hour", 3_600),
            Unit("day", 86_400),
            Unit("week", 604_800),
        )
    ),
    apply=apply,
    on_timer=recovery.fall_due,
    kinds=KINDS,
    character_kinds=PEOPLE,
    checks=CHECKS,
    processes=(
        move_up,
        group_attack,
        use_points,
        burn_fate,
        notice,
        *recovery.PROCESSES,
        *points.PROCESSES,
        *tasks.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
)
