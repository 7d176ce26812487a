"""Harm that counts half or not at all, in every system: nothing is lost but half, and what follows goes by that."""

from __future__ import annotations

import json
from functools import cache

import pytest

from tablewright.engine import Choose
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.common import Spared
from tablewright.game.events import Event
from tablewright.game.opening import open_session
from tablewright.game.policies import careful
from tablewright.game.scenario import load_scenario
from tablewright.game.scene import Scene
from tablewright.game.session import Entry, Session, Tempered, entry_from_json, entry_to_json

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
MOST = 400


def begun(system: str) -> Session:
    session = open_session(load_scenario(f"{system}:together"), seed=3)
    session.do(session.book.encounter.name)
    return session


def answer(session: Session) -> Entry:
    question = session.question
    if isinstance(question, Choose):
        return question.ids[careful(session, question)]
    return session.faces()


def vigour(session: Session, scene: Scene) -> dict[str, int]:
    turn = scene.turn
    return {one.id: session.book.reckoning.vigour(one) for one in scene.participants if one.id != turn}


def harmed(session: Session, scene: Scene, since: int) -> dict[str, int]:
    """What blows have taken from everybody since a line of the log, when the scene was another one."""
    found: dict[str, int] = {}
    for line in session.log[since:]:
        if isinstance(line, Event):
            before, scene = scene, session.book.apply(scene, line)
            for harm in session.book.reckoning.harms(before, line, scene):
                found[harm.who] = found.get(harm.who, 0) + harm.amount
    return found


def before_a_blow(system: str) -> tuple[Session, Entry, dict[str, int], dict[str, int]]:
    """A fight just before somebody loses two or more: what is answered next, all they would lose, what by blows."""
    session, record, entry, lost, harm = found_blow(system)
    return Session(session.header, session.book, record), entry, lost, harm


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
        now = {one.id: session.book.reckoning.vigour(one) for one in session.scene.participants}
        lost = {who: much - now[who] for who, much in was.items() if much - now[who] > 0}
        harm = harmed(session, scene, since)
        if lost and set(lost) <= set(harm) and max(harm.values()) > 1:
            return session, record, entry, lost, harm
    raise AssertionError("nobody was hurt")


@pytest.mark.parametrize("part", ["half", "none"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_half_of_it_counts_or_nothing(system: str, part: str) -> None:
    session, entry, lost, harm = before_a_blow(system)
    was = {one.id: one for one in session.scene.participants}
    tempered = Tempered(entry, part)  # type: ignore[arg-type]
    session.enter(entry_from_json(json.loads(json.dumps(entry_to_json(tempered)))))
    spared = [line for line in session.log if isinstance(line, Spared)]
    assert {event.who for event in spared} == set(lost)
    for event in spared:
        held = session.book.reckoning.vigour
        left = held(was[event.who]) - held(session.scene[event.who])
        paid, by_blows = lost[event.who] - harm[event.who], harm[event.who]
        assert left == paid + (by_blows // 2 if part == "half" else 0)
        assert "status" not in event.to_json()
    again = Session(session.header, session.book, [entry_from_json(entry_to_json(one)) for one in session.entries])
    assert again.scene == session.scene
    assert again.facts == session.facts
    for _ in range(60):  # the fight goes on from there, and harm counts as a whole again
        if session.question is None:
            break
        session.enter(answer(session))
    assert len([line for line in session.log if isinstance(line, Spared)]) == len(spared)


def test_what_brings_nobody_down_ends_nothing() -> None:
    session = begun("coinfolk")
    while session.question is not None:  # nobody is ever harmed, so nobody ever falls
        session.enter(Tempered(answer(session), "none"))  # type: ignore[arg-type]
        if session.scene.round > 3:
            break
    held = session.book.reckoning
    assert all(held.stands(one) for one in session.scene.participants)
    assert any(isinstance(line, Spared) for line in session.log)


def test_only_parts_that_there_are() -> None:
    session = begun("coinfolk")
    before = session.facts
    with pytest.raises(BadInput, match="allowed are half, none"):
        session.enter(Tempered(answer(session), "most"))  # type: ignore[arg-type]
    assert session.facts == before


def test_what_cannot_be_halved_is_refused_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session, entry, _, _ = before_a_blow("opend6")
    before = session.facts
    with monkeypatch.context() as patch:
        patch.setattr("tablewright.game.sparing.with_less", _refuse)
        with pytest.raises(RulesSayNo, match="halved"):
            session.enter(Tempered(entry, "half"))  # type: ignore[arg-type]
    assert session.facts == before
    session.enter(entry)
    assert len(session.facts) > len(before)


def _refuse(*_: object) -> object:
    raise RulesSayNo("cannot be halved")
