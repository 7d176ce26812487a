"""The rulebook of The Stage: everything beyond its mechanics."""

from __future__ import annotations

from tablewright.game.scene.events import Reducer
from tablewright.game.scene.scene import Scene
from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.stage import advancement, belongings, recovery
from tablewright.systems.stage.actions.index import ACTIONS, IDLE
from tablewright.systems.stage.bots import RECKONING, rate, supposed, value
from tablewright.systems.stage.chapters import ailments, enchantment, hazards, pursuits
from tablewright.systems.stage.chapters.pursuits import ranking
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.checks import CHECKS
from tablewright.systems.stage.content import KINDS, PEOPLE
from tablewright.systems.stage.creation import create
from tablewright.systems.stage.encounter import encounter
from tablewright.systems.stage.events.recovery import apply, growing, minded
from tablewright.systems.stage.legality import legality
from tablewright.systems.stage.modifiers import modifier_names
from tablewright.systems.stage.now import FACTS
from tablewright.systems.stage.sheet import sheet
from tablewright.systems.stage.status import enter, health, leave
from tablewright.systems.stage.values import CALENDAR

_APPLY: Reducer[Scene] = Reducer(apply, growing)

rulebook = Rulebook(
    character=StageCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    make_status=enter,
    export_character=leave,
    on_arrival=minded,
    on_open=recovery.opened,
    encounter=encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    apply=_APPLY,
    kinds=KINDS,
    character_kinds=PEOPLE,
    checks=CHECKS,
    processes=(
        ranking,
        *recovery.PROCESSES,
        *ailments.PROCESSES,
        *hazards.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
        *enchantment.PROCESSES,
        *pursuits.PROCESSES,
    ),
    on_timer=recovery.fall_due,
    pass_action=IDLE,
    score_scene=value,
    assume_hidden=supposed,
    modifier_names=modifier_names,
    fact_names=FACTS,
    rate_use=rate,
    health=health,
    vitals=RECKONING,
)
