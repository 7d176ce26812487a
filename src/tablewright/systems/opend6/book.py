"""The rule book: everything about OpenD6 beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.game.clock import Calendar, Unit
from tablewright.game.rulebook import Rulebook
from tablewright.systems.opend6 import advancement, belongings, points, recovery, tasks
from tablewright.systems.opend6.actions import ACTIONS, IDLE
from tablewright.systems.opend6.actions.foresight import foreseen
from tablewright.systems.opend6.actions.other import notice, use_points
from tablewright.systems.opend6.bots import health, rate, value
from tablewright.systems.opend6.character import OpenD6Character
from tablewright.systems.opend6.character.legality import legality
from tablewright.systems.opend6.character.making import create
from tablewright.systems.opend6.character.sheet import sheet
from tablewright.systems.opend6.checks import CHECKS
from tablewright.systems.opend6.content import KINDS, PEOPLE
from tablewright.systems.opend6.encounter import encounter, move_up
from tablewright.systems.opend6.events import apply
from tablewright.systems.opend6.reckoning import RECKONING
from tablewright.systems.opend6.status import enter, leave

ROUND_SECONDS = 5  # opend6.time.round


rulebook = Rulebook(
    character=OpenD6Character,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    leave=leave,
    encounter=encounter,
    actions=ACTIONS,
    idle=IDLE,
    value=value,
    rate=rate,
    health=health,
    reckoning=RECKONING,
    foreseen=foreseen,
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
    fall_due=recovery.fall_due,
    kinds=KINDS,
    people=PEOPLE,
    checks=CHECKS,
    processes=(
        move_up,
        use_points,
        notice,
        *recovery.PROCESSES,
        *points.PROCESSES,
        *tasks.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
    unit_of_money="silver",
)
