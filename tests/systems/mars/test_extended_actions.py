"""Extended actions and the time of skills: seconds that add up over turns, and what goes on beside the work."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    FOE,
    HERO,
    RIVAL,
    act,
    calls,
    closed,
    duel,
    fighter,
    offered,
    with_scene,
    with_status,
    with_turn,
)
from systems.playing import answer, events, last, status
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.play.common_events import Checked
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.turn import may_start
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.turn import WorkedOn
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn, Work

HEALER = fighter("Ann", INT="r12", skills={"medicine": "r6"})
BUSY = ("busy with medicine", "mars.action.extended")


def tending(mode: Any = "accumulate_seconds", *answers: str) -> Session:
    """A skill of 14 seconds, to be begun with four seconds left in the turn."""
    options = MarsOptions(extended_action_mode=mode, complex_skill_seconds=14)
    session = with_turn(duel(HEALER, RIVAL, apart=20, options=options), seconds=4)
    session.do("mars.encounter")
    return answer(session, *answers)


BEGUN = ("accumulate_seconds", "use_skill", "which_skill::medicine")


@pytest.mark.rule("mars.action.extended", "mars.action.use_skill")
def test_an_extended_action_adds_up_seconds() -> None:
    session = tending(*BEGUN)
    assert status(session).work == Work("use_skill", "medicine", 14, 4)
    assert [use for use in offered(session) if use.partition(":")[0] in ("attack", "move", "rise", "ready")] == []
    assert closed(session, "attack") == BUSY
    answer(session, "end_turn", "end_turn", "begin_turn", "work_on")
    assert status(session).work == Work("use_skill", "medicine", 14, 10)
    assert not events(session, Checked)
    answer(session, "end_turn", "end_turn", "begin_turn", "work_on", "easy", (5, 5))
    assert events(session, Checked)
    assert status(session).work is None
    assert status(session).turn.seconds == 2  # the rest of the turn is free


@pytest.mark.rule("mars.action.extended")
def test_extended_actions_in_whole_turns() -> None:
    session = tending("whole_turns", "use_skill")
    with pytest.raises(IllegalActionError, match="it starts with a full turn"):
        session.choose("which_skill::medicine")
    answer(session, "which_skill::agility", "moderate", 5)
    assert status(session).work is None
    answer(session, "end_turn", "end_turn", "use_skill", "which_skill::medicine")
    assert status(session).work == Work("use_skill", "medicine", 18, 6)


@pytest.mark.rule("mars.action.extended")
def test_an_extended_action_may_be_given_up_on_their_own_turn() -> None:
    session = tending(*BEGUN, "give_up")
    assert status(session).work is None
    assert events(session, WorkedOn)[-1].given_up
    elsewhere = duel(HEALER, RIVAL, turn="bob", mine={"work": Work("use_skill", "medicine", 14, 4)})
    with pytest.raises(IllegalActionError, match="only on your own turn"):
        act(elsewhere, "give_up")


@pytest.mark.rule("mars.action.extended", "mars.action.reaction")
def test_a_busy_character_keeps_reactions_and_a_free_action() -> None:
    busy = {"work": Work("use_skill", "medicine", 180, 6)}
    session = duel(HERO, RIVAL, theirs=busy)
    act(session, "attack:bob:club", faces=[(3,), (9,)], choices={"how to defend": "evade"})
    assert status(session, "bob").work is not None
    own = duel(HEALER, RIVAL, mine=busy)
    act(own, "drop_prone")
    assert status(own).work is not None


@pytest.mark.rule("mars.action.extended", "mars.action.use_skill")
@pytest.mark.parametrize(
    ("mode", "seconds", "reason"),
    [
        ("accumulate_seconds", 0, "no time is left"),
        ("accumulate_seconds", 1, None),
        ("whole_turns", 5, "it starts with a full turn"),
        ("whole_turns", 6, None),
    ],
)
def test_an_extended_action_starts_with_some_time_or_a_whole_turn(mode: Any, seconds: int, reason: str | None) -> None:
    options = MarsOptions(extended_action_mode=mode)
    scene = with_turn(duel(HERO, FOE, options=options), seconds=seconds).scene
    assert may_start(scene, "ann") == reason


# ---------------------------------------------------------------------- beside work


def at_work(turn: Turn | None = None, **status: Any) -> Session:
    """Ann is in the middle of an extended action."""
    mine: dict[str, Any] = {"work": Work("use_skill", "medicine", 180, 6), **status}
    session = duel(fighter("Ann", ["club"], pack={"knife": 1}), RIVAL, apart=3, mine=mine)
    return session if turn is None else with_status(session, turn=turn)


@pytest.mark.rule("mars.action.extended", "mars.action.free")
def test_the_first_free_action_goes_on_beside_work_and_no_other() -> None:
    session = at_work()
    assert {"step", "drop_prone", "brandish"} <= set(offered(session))
    act(session, "step", choices={"step where": "destination::10,11"})
    assert status(session).turn.seconds == 6
    assert status(session).work == Work("use_skill", "medicine", 180, 6)
    for action in ("step", "drop_prone", "brandish", "move", "attack", "rise"):
        if action in ("drop_prone", "brandish", "step", "move"):
            assert closed(session, action) == BUSY
        with pytest.raises(IllegalActionError):
            act(session, {"attack": "attack:bob:club", "move": "move:bob"}.get(action, action))
    slow = at_work(effects=(MarsEffect("halved_speed"), MarsEffect("prone"), MarsEffect("encumbered")))
    assert closed(slow, "step") == BUSY  # 1 m, and so no free step


@pytest.mark.rule("mars.action.extended", "mars.action.seek_cover_moving")
def test_cover_beside_work_where_it_is_free() -> None:
    moved = Turn.begun(0)._replace(moves=2, seconds=2)
    assert "seek_cover" in offered(at_work(moved))
    assert closed(at_work(moved._replace(free=False)), "seek_cover") == BUSY
    beside_a_wall = with_scene(at_work(), facts=Facts().set("obstacle", "ann", True))
    assert closed(beside_a_wall, "seek_cover") == BUSY


# ---------------------------------------------------------------------- the time of a skill


@pytest.mark.rule("mars.action.use_skill", "mars.check.duration", "mars.action.extended")
@each_case(
    ("options", "skill", "seconds", "left", "at_once"),
    [
        ({}, "athletics", 6, 4, True),  # a basic skill takes two seconds
        ({}, "athletics", 2, 0, True),
        ({}, "athletics", 1, 0, False),  # or begins
        ({"basic_skill_seconds": 0}, "athletics", 6, 6, True),
        ({"basic_skill_seconds": 1}, "athletics", 6, 5, True),
        ({"basic_skill_seconds": 6}, "athletics", 6, 0, True),
        ({"complex_skill_seconds": 2}, "medicine", 6, 4, True),
        ({"complex_skill_seconds": 6}, "medicine", 6, 0, True),
        ({"complex_skill_seconds": 7}, "medicine", 6, 0, False),
        ({"complex_skill_seconds": 86_400}, "medicine", 6, 0, False),
    ],
)
def test_the_time_of_a_skill(options: dict[str, Any], skill: str, seconds: int, left: int, at_once: bool) -> None:
    session = with_turn(duel(HEALER, FOE, options=MarsOptions(**options)), seconds=seconds)
    faces = [(5, 4) if skill == "medicine" else (5,)] if at_once else []
    act(session, "use_skill", choices={"which skill": f"which_skill::{skill}"}, faces=faces)
    assert (status(session).work is None) is at_once
    assert status(session).turn.seconds == left
    assert "use_skill" not in offered(with_turn(session, seconds=0))


@pytest.mark.rule("mars.action.use_skill", "mars.check.difficulties")
def test_the_difficulty_of_a_skill_is_named() -> None:
    choices = {"which skill": "which_skill::athletics", "how hard": "hard"}
    session = act(duel(HERO, FOE), "use_skill", faces=[(9,)], choices=choices)
    (given,) = calls(session, "mars.check")
    assert given["difficulty"] == 14
    assert last(session, Checked).result == "graze"
