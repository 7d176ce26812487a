"""What is heard of a fight: names, whose dice they are, what a check was made against, and nobody's idle turns."""

from __future__ import annotations

import pytest

from tablewright.cli.heard import hear, is_idle_turn, what_for, who_is_asked
from tablewright.cli.past import Past
from tablewright.engine import Choose, Roll
from tablewright.game.common import Moved, TurnEnded, TurnStarted
from tablewright.game.events import GAME_MASTER
from tablewright.game.opening import open_session
from tablewright.game.scenario import load_scenario
from tablewright.game.session import Session


def begun(seed: int = 7) -> Session:
    session = open_session(load_scenario("coinfolk:together"), seed=seed, seats={"ann": "me", "bob": "me"})
    session.do("coinfolk.encounter")
    return session


def texts(session: Session, viewer: str) -> list[str]:
    heard = [hear(session, number, viewer) for number in range(len(session.log))]
    return [told.text for told in heard if told is not None]


def test_people_are_called_by_their_names() -> None:
    session = begun()
    while not any(text.startswith("Cat strikes") for text in texts(session, "me")):
        if isinstance(session.question, Roll):
            session.roll()
        else:
            assert isinstance(session.question, Choose)
            session.choose(session.question.ids[0])
    told = texts(session, "me")
    assert told[0] == "order: Cat, Ann, Rat, Bob"
    assert "Cat's turn" in told
    assert not any(name in " ".join(told) for name in ("cat ", "ann ", "me:", "vermin:"))


def test_dice_are_somebodys_and_for_something() -> None:
    session = begun()
    while not isinstance(session.question, Roll):
        assert isinstance(session.question, Choose)
        session.choose("strike:bob" if "strike:bob" in session.question.ids else session.question.ids[0])
    assert who_is_asked(session, "me") == "Cat"  # of two whom one seat plays
    assert what_for(session, "me") == "strike: heads, against Bob"
    session.type_in([2, 2])
    session.choose("no" if session.seat == "vermin" else "yes")
    assert session.question is not None
    while session.seat != "me":
        session.choose("no")
    assert who_is_asked(session, "me") == "Bob"


def test_a_check_says_what_it_was_made_against_to_those_who_may_know() -> None:
    session = begun()
    session.do("table.check", who="ann", what="grit", situation="difficulty=2")
    session.type_in([2, 1, 2])
    assert texts(session, "me")[-1] == "Ann checks grit: yes (coins 3, difficulty 2)"
    session.do("table.check", who="ann", what="grit", situation="difficulty=2", secret=True)
    session.type_in([2, 1, 2])
    assert texts(session, "me")[-1] == "Ann checks grit (coins 3)"
    assert texts(session, GAME_MASTER)[-1] == "Ann checks grit (coins 3, difficulty 2)"


@pytest.mark.parametrize(("health", "does", "told"), [(-3, False, False), (-3, True, True), (9, False, True)])
def test_the_turn_of_somebody_who_is_out_of_it_is_not_announced(health: int, does: bool, told: bool) -> None:
    session = begun()
    session.do("table.rule", who="rat", field="health", value=str(health), reason="a trap")
    first = len(session.log)
    session.live.emit(TurnStarted(who="rat"))
    assert not is_idle_turn(session, first)  # who knows what will happen in it
    if does:
        session.live.emit(Moved(who="rat", position=session.scene["rat"].position))
    session.live.emit(TurnEnded(who="rat"))
    assert ("Rat's turn" in texts(session, "me")[-2:]) is told
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
            assert isinstance(session.question, Choose)
            session.choose(session.question.ids[-1 if session.seat == "me" else 0])
    entries, mine = list(session.entries), past.mine("me")
    resumed = Session(session.header, session.book, entries)
    assert Past(resumed).mine("me") == mine  # found out by playing, where nobody has noted it
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
