"""The rulebook of MARS: everything beyond its mechanics."""

from __future__ import annotations

from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.mars import advancement, belongings, recovery
from tablewright.systems.mars.actions.index import ACTIONS, IDLE
from tablewright.systems.mars.bots import RECKONING, rate, supposed, value
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.checks import CHECKS, compete, compete_all, group_check, modifier_names
from tablewright.systems.mars.content import KINDS, PEOPLE
from tablewright.systems.mars.creation import create
from tablewright.systems.mars.encounter import complex_challenge, encounter
from tablewright.systems.mars.events.recovery import apply
from tablewright.systems.mars.harm import HAZARDS
from tablewright.systems.mars.legality import legality
from tablewright.systems.mars.now import FACTS
from tablewright.systems.mars.prospects import health
from tablewright.systems.mars.recovery import CALENDAR, fall_due
from tablewright.systems.mars.sheet import sheet
from tablewright.systems.mars.status import arrived, enter, leave

rulebook = Rulebook(
    character=MarsCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    make_status=enter,
    export_character=leave,
    on_arrival=arrived,
    encounter=encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    apply=apply,
    kinds=KINDS,
    character_kinds=PEOPLE,
    pass_action=IDLE,
    checks=CHECKS,
    modifier_names=modifier_names,
    fact_names=FACTS,
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
    on_timer=fall_due,
    score_scene=value,
    rate_use=rate,
    assume_hidden=supposed,
    health=health,
    vitals=RECKONING,
)
