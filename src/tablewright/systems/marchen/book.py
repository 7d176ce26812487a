"""The rule book: everything about Märchen Engine beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.game.rulebook import Rulebook
from tablewright.systems.marchen import (
    advancement,
    belongings,
    cores,
    encounter,
    life,
    magic,
    recovery,
    seasons,
    storytelling,
    together,
)
from tablewright.systems.marchen.actions import ACTIONS, IDLE
from tablewright.systems.marchen.actions.foresight import foreseen
from tablewright.systems.marchen.bots import health, rate, supposed, value
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.character.legality import legality
from tablewright.systems.marchen.character.making import create
from tablewright.systems.marchen.character.sheet import sheet
from tablewright.systems.marchen.checks import CHECKS
from tablewright.systems.marchen.content import KINDS, PEOPLE
from tablewright.systems.marchen.events import apply
from tablewright.systems.marchen.reckoning import RECKONING
from tablewright.systems.marchen.status import enter, leave
from tablewright.systems.marchen.tasks import look_up
from tablewright.systems.marchen.timing import CALENDAR, calendar_by

rulebook = Rulebook(
    character=MarchenCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    leave=leave,
    encounter=encounter.encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    calendar_by=calendar_by,
    apply=apply,
    kinds=KINDS,
    people=PEOPLE,
    idle=IDLE,
    checks=CHECKS,
    processes=(
        look_up,
        *encounter.PROCESSES,
        *magic.PROCESSES,
        *recovery.PROCESSES,
        *seasons.PROCESSES,
        *storytelling.PROCESSES,
        *cores.PROCESSES,
        *together.PROCESSES,
        *life.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
    fall_due=recovery.fall_due,
    value=value,
    rate=rate,
    supposed=supposed,
    health=health,
    foreseen=foreseen,
    reckoning=RECKONING,
    unit_of_money="treasure",
)
