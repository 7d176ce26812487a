"""The edges of what can be done in a turn: time just enough, hands just free, ways just long enough."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, closed, duel, fighter, offered, place, session_with
from systems.playing import events, status
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.hands import grips
from tablewright.systems.mars.actions.turn import may_start
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared
from tablewright.systems.mars.events.effects import MarsEffectGained
from tablewright.systems.mars.events.turn import Walked
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn

HERO = fighter("Ann", ["club"])
FOE = fighter("Bob")
WATCHFUL = fighter("Bob", ["club"], DEX="r10", maneuvers=("opportunity_strike",), skills={"martial": "r4"})


def with_turn(session: Session, **fields: Any) -> Session:
    """The session with another turn of the acting participant."""
    scene = session.scene.with_status("ann", turn=Turn.begun(0)._replace(**fields))
    return Session(replace(session.header, scene=scene), session.rulebook)


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize(
    ("start", "end", "provoked"),
    [
        (7, 9, True),  # two metres, all within his reach
        (7, 8, False),  # one metre
        (6, 8, False),  # comes into his reach
        (9, 11, False),  # leaves it
        (8, 10, True),  # two metres through it before leaving
    ],
)
def test_more_than_a_metre_through_a_reach_provokes(start: int, end: int, provoked: bool) -> None:
    people = [
        place(fighter("Ann", ["club"], RES="r20"), "party", (start, 0), who="ann", stamina=0),
        place(WATCHFUL, "foes", (8, 1), who="bob"),
    ]
    session = session_with(people, ground=Grid(size=(20, 2)))
    use, question = ("step", "step where") if end - start == 1 else ("move", "where to")
    choices = {question: f"destination::{end},0"}
    if provoked:
        choices["react"] = "opportunity:ann:opportunity_strike/club"
    act(session, use, choices=choices, faces=[(1, 1), (10, 10)] if provoked else [])
    assert bool(events(session, AttackDeclared)) is provoked
    assert session.scene["ann"].position == cell(end, 0)  # the strike missed
    assert events(session, Walked)[0].metres == end - start


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize(("stamina", "asked"), [(0, False), (1, True)])
def test_the_last_point_of_stamina_is_enough_to_react(stamina: int, asked: bool) -> None:
    people = [
        place(fighter("Ann", ["club"], RES="r20"), "party", (7, 0), who="ann"),
        place(WATCHFUL, "foes", (8, 1), who="bob", stamina=stamina),
    ]
    session = session_with(people, ground=Grid(size=(20, 2)))
    session.do("mars.perform", who="ann", use="move")
    session.choose("destination::9,0")
    assert (session.question is not None and session.seat == session.scene["bob"].seat) is asked


@pytest.mark.rule("mars.action.interact")
@pytest.mark.parametrize(
    ("held", "where"),
    [
        ((), "hand"),
        ((ItemStack("club", place="hand"),), "hand"),
        ((ItemStack("club", place="hand"), ItemStack("dagger", place="hand")), "pack"),
        ((ItemStack("dagger", 2, place="hand"),), "pack"),
        ((ItemStack("greatsword", place="hands"),), "pack"),
        ((ItemStack("club", place="pack"), ItemStack("padded", place="worn")), "hand"),
    ],
)
def test_items_taken_up_go_into_a_free_hand(held: Any, where: str) -> None:
    session = duel(fighter("Ann", ["knife"]), fighter("Bob", RES="r20"), apart=2, theirs={"stamina": 0})
    act(session, "attack:bob:knife/thrown", faces=[(1,), (10, 10)])
    lying = session.scene.loose_items
    assert [one.item for one in lying] == ["knife"]
    scene = session.scene.with_status("ann", belongings=held, turn=Turn.begun(0))
    here = tuple([one._replace(position=scene["ann"].position) for one in lying])
    again = Session(replace(session.header, scene=replace(scene, loose_items=here)), session.rulebook)
    act(again, "take::knife")
    assert [one.place for one in status(again).belongings if one.item == "knife"] == [where]
    assert status(again).turn.seconds == 4


@pytest.mark.rule("mars.action.use_skill", "mars.check.duration", "mars.action.extended")
@pytest.mark.parametrize(("seconds", "at_once"), [(6, True), (2, True), (1, False)])
def test_a_basic_skill_takes_two_seconds_now_or_begins(seconds: int, at_once: bool) -> None:
    session = with_turn(duel(HERO, FOE), seconds=seconds)
    choices = {"which skill": "which_skill::athletics"} | ({"how hard": "moderate"} if at_once else {})
    act(session, "use_skill", choices=choices, faces=[(5,)] if at_once else [])
    assert (status(session).work is None) is at_once
    assert status(session).turn.seconds == max(0, seconds - 2)


@pytest.mark.rule("mars.action.use_skill", "mars.check.duration")
def test_without_time_no_skill_is_used() -> None:
    assert "use_skill" not in offered(with_turn(duel(HERO, FOE), seconds=0))
    assert "use_skill" in offered(with_turn(duel(HERO, FOE), seconds=1))


@pytest.mark.rule("mars.check.duration", "mars.action.use_skill")
@pytest.mark.parametrize(("seconds", "left"), [(0, 6), (1, 5), (2, 4), (6, 0)])
def test_the_table_sets_the_time_of_a_basic_skill(seconds: int, left: int) -> None:
    session = duel(HERO, FOE, options=MarsOptions(basic_skill_seconds=seconds))
    act(session, "use_skill", choices={"which skill": "which_skill::athletics", "how hard": "easy"}, faces=[(5,)])
    assert status(session).turn.seconds == left


@pytest.mark.rule("mars.action.seek_cover", "mars.action.seek_cover_moving")
@pytest.mark.parametrize(("moves", "open_"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_character_who_has_moved_more_than_once_finds_cover(moves: int, open_: bool) -> None:
    assert ("seek_cover" in offered(with_turn(duel(HERO, FOE), moves=moves))) is open_


@pytest.mark.rule("mars.action.seek_cover", "mars.action.seek_cover_moving")
@pytest.mark.parametrize(("moves", "rule"), [(1, "mars.action.seek_cover"), (2, "mars.action.seek_cover_moving")])
def test_cover_beside_a_wall_and_cover_on_the_run_are_two_rules(moves: int, rule: str) -> None:
    session = with_turn(duel(HERO, FOE, ground=Grid(size=(40, 40), blocked=(cell(9, 9),))), moves=moves)
    act(session, "seek_cover")
    assert [event.cause for event in events(session, MarsEffectGained)] == [rule]


@pytest.mark.rule("mars.defence.evade")
def test_a_character_who_is_felled_while_evading_neither_drops_nor_steps() -> None:
    strong = fighter("Ann", ["club"], STR="r10", DEX="r10", skills={"martial": "r8"})
    for how in ("evade", "evade::step"):
        session = duel(strong, fighter("Bob", RES="r10"), theirs={"endurance": 0, "health": 1})
        act(session, "attack:bob:club", faces=[(9, 8), (1,), (4, 4)], choices={"how to defend": how})
        assert status(session, "bob").has("unconscious")
        assert session.scene["bob"].position == cell(11, 10)
        assert not [event for event in events(session, MarsEffectGained) if event.cause == "mars.defence.evade"]


@pytest.mark.rule("mars.action.brandish")
@pytest.mark.parametrize(("knives", "pairs"), [(1, 0), (2, 1), (3, 1)])
def test_two_of_a_kind_are_wielded_only_by_who_has_two(knives: int, pairs: int) -> None:
    scene = duel(fighter("Ann", ["club"], pack={"knife": knives}), FOE).scene
    held = [grip.held for grip in grips(scene, "ann")]
    assert held.count((("knife", "hand"), ("knife", "hand"))) == pairs
    assert held.count((("club", "hand"), ("knife", "hand"))) == 1
    assert len(held) == len(set(held))


@pytest.mark.rule("mars.action.speeds")
@pytest.mark.parametrize(
    ("seconds", "swift", "standard"),
    [(6, True, True), (4, True, True), (3, True, False), (2, True, False), (1, False, False)],
)
def test_actions_with_just_enough_time(seconds: int, swift: bool, standard: bool) -> None:
    trained = fighter("Ann", ["club"], skills={"medicine": "r4"})
    dying = (MarsEffect("dying"), MarsEffect("unconscious"))
    session = with_turn(duel(trained, FOE, theirs={"effects": dying, "health": -1}), seconds=seconds)
    assert ("stabilise:bob" in offered(session)) is standard
    assert ("attack:bob:club" in offered(with_turn(duel(HERO, FOE), seconds=seconds))) is swift


@pytest.mark.rule("mars.gap.recovery.stabilise")
@pytest.mark.parametrize(("apart", "near"), [(1, True), (2, False)])
def test_a_neighbour_is_within_a_metre(apart: int, near: bool) -> None:
    trained = fighter("Ann", skills={"medicine": "r4"})
    dying = (MarsEffect("dying"), MarsEffect("unconscious"))
    session = duel(trained, FOE, apart=apart, theirs={"effects": dying, "health": -1})
    assert ("stabilise:bob" in offered(session)) is near
    if not near:
        assert closed(session, "stabilise") == ("not within 1 m", "mars.gap.recovery.stabilise")


@pytest.mark.rule("mars.move.action")
@pytest.mark.parametrize(("moves", "stamina", "open_"), [(0, 0, True), (1, 0, False), (1, 1, True), (2, 1, True)])
def test_a_second_move_takes_a_point_of_stamina(moves: int, stamina: int, open_: bool) -> None:
    session = with_turn(duel(HERO, FOE, apart=9, mine={"stamina": stamina}), moves=moves)
    assert ("move:bob" in offered(session)) is open_


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
