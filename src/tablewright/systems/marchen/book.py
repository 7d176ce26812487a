"""The rule book: everything about Märchen Engine beyond its mechanics, for the rest of the program."""

from __future__ import annotations

from tablewright.engine import process
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Actions
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live
from tablewright.systems.marchen import advancement, belongings, life, together
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.character.legality import legality
from tablewright.systems.marchen.character.making import create
from tablewright.systems.marchen.character.sheet import sheet
from tablewright.systems.marchen.checks import CHECKS
from tablewright.systems.marchen.content import KINDS, PEOPLE
from tablewright.systems.marchen.outside import apply
from tablewright.systems.marchen.status import enter, leave
from tablewright.systems.marchen.tasks import look_up
from tablewright.systems.marchen.timing import CALENDAR


@process(rules=["marchen.puncti.enter_the_fray"])
async def encounter(game: Live) -> None:
    """A fight."""
    raise RulesSayNo("encounters are still being built")


rulebook = Rulebook(
    character=MarchenCharacter,
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
    processes=(
        look_up,
        *together.PROCESSES,
        *life.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
    unit_of_money="treasure",
)
