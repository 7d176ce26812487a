"""The rulebook of Märchen Engine: everything beyond its mechanics."""

from __future__ import annotations

from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.marchen import advancement, belongings, encounter, recovery, tasks
from tablewright.systems.marchen.actions.attack import decisive_blow
from tablewright.systems.marchen.actions.index import ACTIONS, IDLE
from tablewright.systems.marchen.bots import RECKONING, health, rate, supposed, value
from tablewright.systems.marchen.chapters import cores, life, magic, story
from tablewright.systems.marchen.chapters.seasons import season
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.checks import CHECKS
from tablewright.systems.marchen.content import KINDS, PEOPLE
from tablewright.systems.marchen.creation import create
from tablewright.systems.marchen.events.fight import apply
from tablewright.systems.marchen.legality import legality
from tablewright.systems.marchen.mechanics.turn import CALENDAR, calendar_by
from tablewright.systems.marchen.sheet import sheet
from tablewright.systems.marchen.situations import look_up
from tablewright.systems.marchen.status import enter, leave

rulebook = Rulebook(
    character=MarchenCharacter,
    create=create,
    legality=legality,
    sheet=sheet,
    make_status=enter,
    export_character=leave,
    encounter=encounter.encounter,
    actions=ACTIONS,
    calendar=CALENDAR,
    calendar_by=calendar_by,
    apply=apply,
    kinds=KINDS,
    character_kinds=PEOPLE,
    pass_action=IDLE,
    checks=CHECKS,
    processes=(
        look_up,
        *encounter.PROCESSES,
        *magic.PROCESSES,
        *recovery.PROCESSES,
        *season.PROCESSES,
        *story.PROCESSES,
        *cores.PROCESSES,
        *tasks.PROCESSES,
        *life.PROCESSES,
        *advancement.PROCESSES,
        *belongings.PROCESSES,
    ),
    on_timer=recovery.fall_due,
    on_arrival=life.arrive,
    score_scene=value,
    rate_use=rate,
    assume_hidden=supposed,
    health=health,
    decisive_call=decisive_blow,
    vitals=RECKONING,
)
