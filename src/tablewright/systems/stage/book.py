"""The rule book: everything about The Stage beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.game.events import Apply
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Scene
from tablewright.systems.stage import advancement, ailments, belongings, enchanting, hazards, pursuits, recovery
from tablewright.systems.stage.actions import ACTIONS, IDLE
from tablewright.systems.stage.bots import rate, value
from tablewright.systems.stage.character.growing import growing
from tablewright.systems.stage.character.legality import legality
from tablewright.systems.stage.character.making import create
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.character.sheet import sheet
from tablewright.systems.stage.checks import CHECKS, ranking
from tablewright.systems.stage.content import KINDS, PEOPLE
from tablewright.systems.stage.encounter import encounter
from tablewright.systems.stage.events import apply
from tablewright.systems.stage.events.afterwards import minded
from tablewright.systems.stage.harm import health
from tablewright.systems.stage.reckoning import RECKONING
from tablewright.systems.stage.status import enter, leave
from tablewright.systems.stage.times import CALENDAR

_APPLY: Apply[Scene] = Apply(apply, growing)

rulebook = Rulebook(
    character=StageCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    leave=leave,
    arrives=minded,
    opened=recovery.opened,
    encounter=encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    apply=_APPLY,
    kinds=KINDS,
    people=PEOPLE,
    checks=CHECKS,
    processes=(
        ranking,
        *recovery.PROCESSES,
        *ailments.PROCESSES,
        *hazards.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
        *enchanting.PROCESSES,
        *pursuits.PROCESSES,
    ),
    fall_due=recovery.fall_due,
    idle=IDLE,
    value=value,
    rate=rate,
    health=health,
    reckoning=RECKONING,
    unit_of_money="coins",
)
