"""Narration of a fight: names, owners of dice, and no idle turns."""

from __future__ import annotations

import pytest

from tablewright.cli.play.log import who_is_asked
from tablewright.engine import Choice, Roll
from tablewright.game.narration.entries import entries
from tablewright.game.play.common_events import Moved, TurnEnded, TurnStarted
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.history import Past
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session


def begun(seed: int = 7) -> Session:
    session = open_session(load_scenario("coinfolk:together"), seed=seed, seats={"ann": "me", "bob": "me"})
    session.do("coinfolk.encounter")
    return session


def texts(session: Session, viewer: str) -> list[str]:
    return [str(entry.headline) for entry in entries(session.live, session.rulebook, viewer)]


def test_people_are_called_by_their_names() -> None:
    session = begun()
    while not any("Cat strikes" in text for text in texts(session, "me")):
        if isinstance(session.question, Roll):
            session.roll()
        else:
            assert isinstance(session.question, Choice)
            session.choose(session.question.ids[0])
    told = texts(session, "me")
    assert told[0] == "Cat acts first, then Ann, Rat and Bob."
    assert "Cat" in told
    assert not any(name in " ".join(told) for name in ("cat ", "ann ", "me:", "vermin:"))


def test_dice_have_an_owner() -> None:
    session = begun()
    while not isinstance(session.question, Roll):
        assert isinstance(session.question, Choice)
        session.choose("strike:bob" if "strike:bob" in session.question.ids else session.question.ids[0])
    assert who_is_asked(session, "me") == "Cat"  # one of two characters of the seat
    session.type_in([2, 2])
    session.choose("no" if session.seat == "vermin" else "yes")
    assert session.question is not None
    while session.seat != "me":
        session.choose("no")
    assert who_is_asked(session, "me") == "Bob"


def test_the_game_master_learns_how_a_secret_check_went() -> None:
    session = begun()
    session.do("table.check", who="ann", what="grit", situation="difficulty=2", secret=True)
    session.type_in([2, 1, 2])
    assert texts(session, "me")[-1].startswith("Ann tries Grit")
    dice = entries(session.live, session.rulebook, "me")[-1].dice
    assert [face.value for face in dice[0].faces] == [2, 1, 2]
    assert dice[0].against == ""
    session.do("table.check", who="ann", what="grit", situation="difficulty=2", audience="blind")
    session.type_in([2, 1, 2])
    assert len(texts(session, "me")) + 1 == len(texts(session, GAME_MASTER))


@pytest.mark.parametrize("does", [False, True])
def test_a_turn_in_which_nothing_happened_is_not_announced(does: bool) -> None:
    session = begun()
    first = len(session.log)
    session.live.emit(TurnStarted(who="rat"))
    if does:
        session.live.emit(Moved(who="rat", position=session.scene["rat"].position))
    session.live.emit(TurnEnded(who="rat"))
    session.live.emit(TurnStarted(who="cat"))
    assert ("Rat" in texts(session, "me")) is does
    assert session.facts[first]["event"] == "TurnStarted"  # the record has it all the same


def test_taking_back_plays_everything_once_more_and_not_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun()
    past = Past(session)
    thrown = []
    while len(past.mine("me")) < 3:
        past.note()
        if isinstance(session.question, Roll):
            session.roll()
            thrown.append(session.entries[-1])
        else:
            assert isinstance(session.question, Choice)
            session.choose(session.question.ids[-1 if session.seat == "me" else 0])
    entries, mine = list(session.entries), past.mine("me")
    resumed = Session(session.header, session.rulebook, entries)
    assert Past(resumed).mine("me") == mine  # found out by playing, where no one has noted it
    begins = 0
    begin = Session._begin

    def counted(self: Session) -> None:
        nonlocal begins
        begins += 1
        begin(self)

    monkeypatch.setattr(Session, "_begin", counted)
    past.take_back(mine[0])
    assert begins == 1
    assert session.entries == entries[: mine[0]]
    assert session.undone == [tuple(entries[mine[0] :])]
    for entry in entries[mine[0] :]:  # the same rolls show the same faces
        if isinstance(session.question, Roll):
            session.roll()
        else:
            session.enter(entry)
    assert session.entries == entries
