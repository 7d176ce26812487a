"""The rule book: everything about Renaissance beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.engine import process
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Actions
from tablewright.game.clock import Calendar, Unit
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live
from tablewright.systems.renaissance import advancement, belongings
from tablewright.systems.renaissance.character.legality import legality
from tablewright.systems.renaissance.character.making import create
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.character.sheet import sheet
from tablewright.systems.renaissance.checks import CHECKS
from tablewright.systems.renaissance.content import KINDS, PEOPLE
from tablewright.systems.renaissance.events import apply
from tablewright.systems.renaissance.status import enter, leave


@process(rules=["renaissance.combat.turn_length"])
async def encounter(game: Live) -> None:
    """Not yet."""
    raise RulesSayNo("encounters are still being built")


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
    actions=Actions([]),
    calendar=CALENDAR,
    apply=apply,
    kinds=KINDS,
    people=PEOPLE,
    checks=CHECKS,
    processes=(*advancement.PROCESSES, *belongings.PROCESSES),
    unit_of_money="copper",
)
