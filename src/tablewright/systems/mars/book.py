"""The rule book: everything about MARS beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.game.rulebook import Rulebook
from tablewright.systems.mars import advancement, belongings, recovery
from tablewright.systems.mars.actions import ACTIONS, IDLE
from tablewright.systems.mars.bots import health, rate, supposed, value
from tablewright.systems.mars.character import MarsCharacter
from tablewright.systems.mars.character.leaving import arrived, leave
from tablewright.systems.mars.character.legality import legality
from tablewright.systems.mars.character.making import create
from tablewright.systems.mars.character.sheet import sheet
from tablewright.systems.mars.checks import CHECKS, compete, compete_all, group_check
from tablewright.systems.mars.content import KINDS, PEOPLE
from tablewright.systems.mars.encounter import complex_challenge, encounter
from tablewright.systems.mars.hazards import HAZARDS
from tablewright.systems.mars.outside import apply
from tablewright.systems.mars.reckoning import RECKONING
from tablewright.systems.mars.recovery import CALENDAR, fall_due
from tablewright.systems.mars.status import enter

rulebook = Rulebook(
    character=MarsCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    leave=leave,
    arrives=arrived,
    encounter=encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    apply=apply,
    kinds=KINDS,
    people=PEOPLE,
    idle=IDLE,
    checks=CHECKS,
    processes=(
        complex_challenge,
        group_check,
        compete,
        compete_all,
        *HAZARDS,
        *recovery.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
    fall_due=fall_due,
    value=value,
    rate=rate,
    supposed=supposed,
    health=health,
    reckoning=RECKONING,
    unit_of_money="units",
)
