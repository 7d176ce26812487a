"""Damage that counts half or not at all, in every system; its consequences follow the reduced amount."""

from __future__ import annotations

import json
from functools import cache

import pytest

from each_case import each_case
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import DamageReduced
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful
from tablewright.game.session.record import Entry, ReducedEntry, entry_from_json, entry_to_json
from tablewright.game.session.session import Session

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
MOST = 400


def begun(system: str) -> Session:
    session = open_session(load_scenario(f"{system}:together"), seed=3)
    session.do(session.rulebook.encounter.name)
    return session


def answer(session: Session) -> Entry:
    question = session.question
    if isinstance(question, Choice):
        return question.ids[careful(session, question)]
    return session.faces()


def vigour(session: Session, scene: Scene) -> dict[str, int]:
    turn = scene.turn
    return {one.id: session.rulebook.vitals.health_points(one) for one in scene.participants if one.id != turn}


def harmed(session: Session, scene: Scene, since: int) -> dict[str, int]:
    """Damage to each participant since a line of the log."""
    found: dict[str, int] = {}
    for line in session.log[since:]:
        if isinstance(line, Event):
            before, scene = scene, session.rulebook.apply(scene, line)
            for harm in session.rulebook.vitals.damage_from(before, line, scene):
                found[harm.who] = found.get(harm.who, 0) + harm.amount
    return found


def before_a_blow(system: str) -> tuple[Session, Entry, dict[str, int], dict[str, int]]:
    """A fight just before a character loses two or more: the next answer, the whole loss, the part by blows."""
    session, record, entry, lost, harm = found_blow(system)
    return Session(session.header, session.rulebook, record), entry, lost, harm


@cache
def found_blow(system: str) -> tuple[Session, list[Entry], Entry, dict[str, int], dict[str, int]]:
    """The same with the record of all that was answered before."""
    session = begun(system)
    for _ in range(MOST):
        if session.question is None:
            break
        entry, was = answer(session), vigour(session, session.scene)
        record, since, scene = list(session.entries), len(session.log), session.scene
        session.enter(entry)
        now = {one.id: session.rulebook.vitals.health_points(one) for one in session.scene.participants}
        lost = {who: much - now[who] for who, much in was.items() if much - now[who] > 0}
        harm = harmed(session, scene, since)
        if lost and set(lost) <= set(harm) and max(harm.values()) > 1:
            return session, record, entry, lost, harm
    raise AssertionError("nobody was hurt")


@each_case("part", ["half", "none"])
@each_case("system", SYSTEMS)
def test_half_of_it_counts_or_nothing(system: str, part: str) -> None:
    session, entry, lost, harm = before_a_blow(system)
    was = {one.id: one for one in session.scene.participants}
    tempered = ReducedEntry(entry, part)  # type: ignore[arg-type]
    session.enter(entry_from_json(json.loads(json.dumps(entry_to_json(tempered)))))
    spared = [line for line in session.log if isinstance(line, DamageReduced)]
    assert {event.who for event in spared} == set(lost)
    for event in spared:
        held = session.rulebook.vitals.health_points
        left = held(was[event.who]) - held(session.scene[event.who])
        paid, by_blows = lost[event.who] - harm[event.who], harm[event.who]
        assert left == paid + (by_blows // 2 if part == "half" else 0)
        assert "status" not in event.to_json()
    again = Session(session.header, session.rulebook, [entry_from_json(entry_to_json(one)) for one in session.entries])
    assert again.scene == session.scene
    assert again.facts == session.facts
    for _ in range(60):  # the fight goes on from there, and harm counts as a whole again
        if session.question is None:
            break
        session.enter(answer(session))
    assert len([line for line in session.log if isinstance(line, DamageReduced)]) == len(spared)


def test_harmless_outcomes_end_nothing() -> None:
    session = begun("coinfolk")
    while session.question is not None:  # no one is ever harmed, so no one ever falls
        session.enter(ReducedEntry(answer(session), "none"))  # type: ignore[arg-type]
        if session.scene.round > 3:
            break
    held = session.rulebook.vitals
    assert all(held.is_standing(one) for one in session.scene.participants)
    assert any(isinstance(line, DamageReduced) for line in session.log)


def test_only_parts_that_there_are() -> None:
    session = begun("coinfolk")
    before = session.facts
    with pytest.raises(InvalidInputError, match="allowed are half, none"):
        session.enter(ReducedEntry(answer(session), "most"))  # type: ignore[arg-type]
    assert session.facts == before


def test_an_indivisible_number_is_refused_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session, entry, _, _ = before_a_blow("opend6")
    before = session.facts
    with monkeypatch.context() as patch:
        patch.setattr("tablewright.game.play.damage_reduction.reduce_damage", _refuse)
        with pytest.raises(IllegalActionError, match="halved"):
            session.enter(ReducedEntry(entry, "half"))  # type: ignore[arg-type]
    assert session.facts == before
    session.enter(entry)
    assert len(session.facts) > len(before)


def _refuse(*_: object) -> object:
    raise IllegalActionError("cannot be halved")
