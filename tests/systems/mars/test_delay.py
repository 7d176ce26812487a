"""Delay: the order of acting, effects of a turn that comes later, and who may wait."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    DOWN,
    DYING,
    FOE,
    HERO,
    RIVAL,
    closed,
    duel,
    effect,
    offered,
    place,
    session_with,
    with_scene,
    with_status,
)
from systems.playing import answer, asked, events, status
from tablewright.game.session.session import Session
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.encounter import Delayed
from tablewright.systems.mars.harm import waits
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Turn, Work

# ---------------------------------------------------------------------- delay


def three(*, options: MarsOptions | None = None, **mine: Any) -> Session:
    """Ann, bob and cid, far apart; the order without delays follows from initiative, and ann's turn has just come."""
    people = [
        place(HERO, "party", (1, 1), who="ann", initiative=20),
        place(RIVAL, "foes", (20, 20), who="bob", initiative=15),
        place(HERO, "party", (5, 1), who="cid", initiative=10),
    ]
    session = session_with(people, options=options or MarsOptions())
    session = with_status(session, **{"earlier": None, **mine}) if mine else session
    session.do("mars.encounter")
    return session


@pytest.mark.rule("mars.action.delay")
@pytest.mark.parametrize("persists", [False, True])
def test_delaying(persists: bool) -> None:
    session = three(options=MarsOptions(delay_persists=persists))
    assert "delay" in offered(session)
    answer(session, "delay", "delay_after:bob")
    assert session.scene.order == ("bob", "ann", "cid")
    assert session.seat == "bob"
    session.choose("end_turn")
    assert session.seat == "ann"
    assert status(session).turn.seconds == 6
    assert closed(session, "delay") == ("delayed once in this round already", "mars.action.delay")
    answer(session, "end_turn", "end_turn")
    assert session.scene.round == 2
    assert session.scene.order == (("bob", "ann", "cid") if persists else ("ann", "bob", "cid"))
    assert "delay" in offered(session, session.scene.turn or "")


@pytest.mark.rule("mars.action.delay")
def test_a_character_who_has_acted_does_not_delay() -> None:
    session = answer(three(), "drop_prone")
    assert closed(session, "delay") == ("the turn has begun already", "mars.action.delay")


@pytest.mark.rule("mars.action.delay", "mars.time.duration")
def test_effects_of_a_turn_wait_for_the_delayed_turn() -> None:
    burning = (MarsEffect("burning", degree=1), MarsEffect("blind", turn_of="ann", until=1))
    session = answer(three(effects=burning, turn=Turn(reaction=False)), "delay", "delay_after:cid")
    assert effect(session, "ann", "blind")
    assert not status(session).turn.reaction
    answer(session, "end_turn", "end_turn", 2)  # once in a round: now it burns
    assert effect(session, "ann", "blind") is None
    assert status(session).turn.reaction
    assert len(events(session, Delayed)) == 1


@pytest.mark.rule("mars.action.delay", "mars.effect.unconscious")
@each_case("effects", [DOWN[:1], DYING])
def test_the_unconscious_and_the_dying_may_delay(effects: tuple[MarsEffect, ...]) -> None:
    session = three(effects=effects, health=-2, endurance=0, turn=Turn())
    assert session.seat == "ann"
    answer(session, "delay", "delay_after:bob")
    assert session.scene.turn == session.seat == "bob"


def test_a_delay_gives_no_second_reaction() -> None:
    session = three(turn=Turn(reaction=False))
    assert status(session).turn.reaction  # the turn has begun
    answer(session, "delay", "delay_after:cid")
    assert not status(session).turn.reaction  # and has not after all


# ---------------------------------------------------------------------- extended actions


@pytest.mark.rule("mars.action.delay", "mars.effect.stunned")
@pytest.mark.parametrize(
    ("waits", "faces"),
    [(MarsEffect("stunned", degree=2), []), (MarsEffect("burning", degree=1), [1]), (MarsEffect("dying"), [(1, 1)])],
    ids=["stunned", "burning", "dying"],
)
def test_effects_of_a_turn_start_come_once(waits: MarsEffect, faces: list[Any]) -> None:
    session = with_scene(duel(HERO, RIVAL, mine={"effects": (waits,), "health": -2}), turn=None)
    session = with_status(session, turn=Turn(), earlier=None)
    session.do("mars.encounter")
    answer(session, "begin_turn", *faces)
    assert "delay" not in asked(session)
    assert closed(session, "delay") == ("the turn has begun already", "mars.action.delay")


@pytest.mark.rule("mars.action.speeds")
@each_case(
    ("kept", "something"),
    [({}, False), ({"work": Work("craft", "spear", 60)}, True), ({"ready": Ready("attacks", "attack")}, True)],
)
def test_actions_begun_or_readied_wait_for_the_turn(kept: dict[str, Any], something: bool) -> None:
    assert waits(duel(HERO, FOE, mine=kept).scene, "ann") is something
