"""Events with hidden fields are told as a sentence or not at all, never as raw fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from narration.clean import PENDING, problems_of
from narration.facts import ANN, BOB, facts_of, kinds_of, value_of
from narration.samples import play_on
from tablewright.engine.request import EVERYONE
from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import entries, lines_seen, people_in, tell
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.system.registry import load_system
from tablewright.table import events
from tablewright.table.events import TableEvent
from tablewright.table.feed import words_of

SYSTEMS = [name for name in system_ids() if load_system(name).rulebook_module]
FINISHED = [name for name in SYSTEMS if name in ("stage", "mars", "opend6", "renaissance", "marchen")]


def told(system: str, fact: dict[str, Any]) -> str:
    """An event as it is told by itself."""
    book, sayings = load_system(system).rulebook, sayings_of(system)
    voice = Voice({ANN: "Ann", BOB: "Bob"}, words=sayings.words, span=book.calendar.show)
    line = LineSeen(1, 1, fact, people=people_in(fact["event"], book))
    return " ".join([f"{entry.headline} {entry.quiet}" for entry in tell([line], voice, sayings)])


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_event_with_each_field_hidden_is_a_sentence_or_silence(system: str) -> None:
    wrong: list[str] = []
    for kind in kinds_of(load_system(system).rulebook):
        for fact in facts_of(kind):
            for hidden in (None, *fact):
                if hidden in ("event", "cause"):
                    continue
                seen = {name: value for name, value in fact.items() if name != hidden}
                text = told(system, seen)
                found = problems_of(text, (ANN, BOB))
                if found or text[:1].islower():
                    wrong.append(f"{kind.kind} without {hidden}: {text!r}, {found}")
    assert wrong == []


def table_events() -> list[TableEvent]:
    """An event of the campaign of every kind, with everything there."""
    made: list[TableEvent] = []
    for kind in [one for one in vars(events).values() if isinstance(one, type) and issubclass(one, TableEvent)]:
        hints = get_type_hints(kind)
        values = {one.name: value_of(hints[one.name], yes=True) for one in fields(kind)}
        values |= {name: "left" for name, value in values.items() if value == "left_hand"}
        values |= dict.fromkeys([name for name in kind.mentions if name in values], ANN) | {"to": EVERYONE}
        if kind not in (TableEvent, events.UndoableEvent):
            made.append(kind(**values))
    return made


def test_every_event_of_a_campaign_with_each_field_hidden_is_a_sentence_or_silence() -> None:
    told, wrong = 0, list[str]()
    for event in table_events():
        known = event.as_seen_by(GAME_MASTER) or {}
        raw = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", event.kind).lower() + ", "
        for hidden in (None, *known):
            seen = {name: value for name, value in known.items() if name != hidden}
            text = words_of(event, seen, lambda who: {ANN: "Ann"}.get(who, who))
            told += bool(text)
            wrong += [f"{event.kind} without {hidden}: {text}"] * bool(problems_of(text, (ANN,)) or raw in text)
    assert told > 100
    assert wrong == []


@pytest.mark.parametrize("system", FINISHED)
def test_every_event_and_every_mechanic_has_a_saying(system: str) -> None:
    sayings, loaded = sayings_of(system), load_system(system)
    unsaid = [kind.kind for kind in kinds_of(loaded.rulebook) if kind.kind not in sayings.events]
    unsaid += [
        one.name for one in loaded.mechanics if one.name not in sayings.throws and one.name not in sayings.labels
    ]
    assert bool(unsaid) is (system in PENDING), f"{system} is pending: {system in PENDING}; without a saying: {unsaid}"


@pytest.mark.parametrize("system", FINISHED)
def test_every_saying_is_of_an_event_that_there_is(system: str) -> None:
    assert set(sayings_of(system).events) <= set(load_system(system).rulebook.apply.kinds)


@pytest.mark.parametrize("system", FINISHED)
def test_every_result_with_each_part_hidden_is_told_or_not_at_all(system: str) -> None:
    """A viewer may lack any argument of a rule, its result, its inner rules or its seats."""
    session = open_session(load_scenario(f"{system}:even"), seed=7)
    begin_encounter(session)
    play_on(session, lambda now: now.scene.round > 1)
    book, sayings = session.rulebook, sayings_of(system)
    voice = voice_for(session.scene, book, GAME_MASTER)
    by_act: dict[int, list[LineSeen]] = {}
    for line in lines_seen(session.live, book, GAME_MASTER):
        by_act.setdefault(line.act, []).append(line)
    told = 0
    for lines in [group for act, group in by_act.items() if act][:60]:
        for at, line in enumerate(lines):
            for fact in _less(dict(line.fact)) if "mechanic" in line.fact else ():
                changed = [*lines[:at], line._replace(fact=fact, about={}), *lines[at + 1 :]]
                text = " ".join([f"{entry.headline} {entry.quiet}" for entry in tell(changed, voice, sayings)])
                assert system in PENDING or problems_of(text) == [], text
                told += 1
    assert told > 20


def _less(trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {name: part for name, part in trace.items() if name != "result"}
    yield {name: part for name, part in trace.items() if name not in ("result", "tallies")} | {"arguments": {}}
    yield trace | {"steps": [step for step in trace["steps"] if "roll" in step]}
    for name in trace["arguments"]:
        yield trace | {"arguments": {key: value for key, value in trace["arguments"].items() if key != name}}


BLIND = {
    "marchen": ("roland", "athletics"),
    "mars": ("aldith", "athletics"),
    "opend6": ("mirre", "stealth"),
    "renaissance": ("pip", "athletics"),
    "stage": ("arlef", "perception.intuition"),
}
"""A participant and a check of each system."""


@pytest.mark.parametrize("system", BLIND)
def test_a_blind_check_tells_nobody_but_the_game_master_anything(system: str) -> None:
    who, what = BLIND[system]
    session = open_session(load_scenario(f"{system}:together"), seed=3)
    before = len(session.log)
    session.do("table.check", who=who, what=what, audience="blind")
    play_on(session)
    book = session.rulebook
    assert list(lines_seen(session.live, book, GAME_MASTER, before))
    for viewer in {str(one.seat) for one in session.scene.participants}:
        assert list(lines_seen(session.live, book, viewer, before)) == []


ALSO = {"marchen": "agnes", "mars": "corin", "opend6": "hedda", "renaissance": "veyra", "stage": "brynh"}
"""Another participant of each system, who makes the same check."""


@pytest.mark.parametrize("system", BLIND)
def test_each_of_several_secret_checks_has_its_own_result(system: str) -> None:
    """The game master reads the same of secret checks as of open ones with the same dice."""
    headlines = []
    for secret in (False, True):
        session = open_session(load_scenario(f"{system}:together"), seed=1)
        who, what = BLIND[system]
        session.do("table.call_for_check", who=(who, ALSO[system]), what=what, secret=secret)
        play_on(session)
        headlines += [str(one.headline) for one in entries(session.live, session.rulebook, GAME_MASTER)]
    assert len(headlines) == 2
    assert headlines[0] == headlines[1]
