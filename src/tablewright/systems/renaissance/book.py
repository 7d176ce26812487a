"""The rulebook of Renaissance: everything beyond its mechanics."""

from __future__ import annotations

from tablewright.game.system.rulebook import Rulebook
from tablewright.game.time.calendar import Calendar, Unit
from tablewright.systems.renaissance import advancement, belongings, recovery, tasks
from tablewright.systems.renaissance.actions import near
from tablewright.systems.renaissance.actions.attack import decisive_attack, whole_attack
from tablewright.systems.renaissance.actions.index import ACTIONS, IDLE
from tablewright.systems.renaissance.bots import RECKONING, health, rate, supposed, value
from tablewright.systems.renaissance.chapters import companions, magic, powers
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.checks import CHECKS
from tablewright.systems.renaissance.content import KINDS, PEOPLE
from tablewright.systems.renaissance.creation import create
from tablewright.systems.renaissance.encounter import PROCESSES as TURN_ORDER
from tablewright.systems.renaissance.encounter import encounter
from tablewright.systems.renaissance.events.fight import apply
from tablewright.systems.renaissance.legality import legality
from tablewright.systems.renaissance.recovery import arrives, fall_due
from tablewright.systems.renaissance.sheet import sheet
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
    make_status=enter,
    export_character=leave,
    encounter=encounter,
    on_arrival=arrives,
    actions=ACTIONS,
    pass_action=IDLE,
    on_timer=fall_due,
    score_scene=value,
    rate_use=rate,
    assume_hidden=supposed,
    health=health,
    vitals=RECKONING,
    calendar=CALENDAR,
    apply=apply,
    decisive_call=decisive_attack,
    preview=whole_attack,
    kinds=KINDS,
    character_kinds=PEOPLE,
    checks=CHECKS,
    processes=(
        *near.PROCESSES,
        *recovery.PROCESSES,
        *tasks.PROCESSES,
        *powers.PROCESSES,
        *magic.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
        *companions.PROCESSES,
        *TURN_ORDER,
    ),
)
