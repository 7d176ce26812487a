"""The rule book: everything about Renaissance beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.game.clock import Calendar, Unit
from tablewright.game.rulebook import Rulebook
from tablewright.systems.renaissance import advancement, belongings, companions, magic, recovery, sustaining, tasks
from tablewright.systems.renaissance.actions import ACTIONS, IDLE, near
from tablewright.systems.renaissance.actions.foresight import foreseen
from tablewright.systems.renaissance.bots import health, rate, supposed, value
from tablewright.systems.renaissance.character.legality import legality
from tablewright.systems.renaissance.character.making import create
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.character.sheet import sheet
from tablewright.systems.renaissance.checks import CHECKS
from tablewright.systems.renaissance.content import KINDS, PEOPLE
from tablewright.systems.renaissance.encounter import encounter
from tablewright.systems.renaissance.events import apply
from tablewright.systems.renaissance.reckoning import RECKONING
from tablewright.systems.renaissance.recovery import arrives, fall_due
from tablewright.systems.renaissance.status import enter, leave

CALENDAR = Calendar(
    (
        Unit("second", 1),
        Unit("turn", 3, spoken=False),
        Unit("minute", 60),
        Unit("hour", 3_600),
        Unit("shift", 28_800, spoken=False),
        Unit("day", 86_400),
        Unit("week", 604_800),
        Unit("month", 2_592_000, spoken=False),
    )
)

rulebook = Rulebook(
    character=RenaissanceCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    leave=leave,
    encounter=encounter,
    arrives=arrives,
    actions=ACTIONS,
    idle=IDLE,
    fall_due=fall_due,
    value=value,
    rate=rate,
    supposed=supposed,
    health=health,
    reckoning=RECKONING,
    calendar=CALENDAR,
    apply=apply,
    foreseen=foreseen,
    kinds=KINDS,
    people=PEOPLE,
    checks=CHECKS,
    processes=(
        *near.PROCESSES,
        *recovery.PROCESSES,
        *tasks.PROCESSES,
        *sustaining.PROCESSES,
        *magic.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
        *companions.PROCESSES,
    ),
    unit_of_money="copper",
)
