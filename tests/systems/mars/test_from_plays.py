"""Cases that random play has found: each was a play that failed or went wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, act, duel, fighter, offered, place, scene_with, session_with
from systems.playing import events, status
from tablewright.engine import Roll, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import cell
from tablewright.game.play.common_events import Moved
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.events.attack import AttackDeclared
from tablewright.systems.mars.events.encounter import WasSurprised
from tablewright.systems.mars.events.turn import HandsChanged, Walked
from tablewright.systems.mars.mechanics.checks import roll
from tablewright.systems.mars.mechanics.turn import awareness
from tablewright.systems.mars.status import Fight, Ready

FOE = fighter("Foe", STR="r10", DEX="r10", INT="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}


def thrower(hold: tuple[str, ...], **fields: Any) -> MarsCharacter:
    skills = {"ranged": "r12", "martial": "r12"}
    return fighter("Thrower", hold=hold, skills=skills, maneuvers=("double_shot",), **fields)


@pytest.mark.rule("mars.gap.weapon.thrown")
def test_of_two_alike_weapons_each_can_be_used() -> None:
    session = duel(fighter("Two", hold=("knife", "knife")), FOE)
    ways = [one for one in offered(session) if one.startswith("attack:bob:knife")]
    assert ways == [
        "attack:bob:knife",
        "attack:bob:knife/thrown",
        "attack:bob:knife#2",
        "attack:bob:knife#2/thrown",
    ]
    assert len(set(offered(session))) == len(offered(session))
    act(session, "attack:bob:knife#2/thrown", faces=[(1,), (10,)], choices={"how": "deflect"})
    assert [one.item for one in status(session).belongings] == ["knife"]


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.thrown")
def test_a_double_shot_throws_only_what_is_in_hand() -> None:
    assert _double(thrower(("handaxe", "handaxe"), pack={"handaxe": 3}), "handaxe/thrown") == ["bob", "eve"]
    with pytest.raises(IllegalActionError, match="needs 2 shots, there is 1"):
        _double(thrower(("handaxe",), pack={"handaxe": 3}), "handaxe/thrown")


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.ammunition")
def test_a_double_shot_needs_two_arrows() -> None:
    assert _double(thrower(("shortbow@hands",), pack={"arrow": 2}), "shortbow") == ["bob", "eve"]
    with pytest.raises(IllegalActionError, match="needs 2 shots, there is 1"):
        _double(thrower(("shortbow@hands",), pack={"arrow": 1}), "shortbow")


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.reload")
def test_a_loaded_weapon_has_one_shot() -> None:
    with pytest.raises(IllegalActionError, match="needs 2 shots, there is 1"):
        _double(thrower(("crossbow@hands",), pack={"bolt": 9}), "crossbow")


def _double(archer: MarsCharacter, arm: str) -> list[str]:
    """Target of the shots."""
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(FOE, "foes", (3, 1), who="bob", **STILL),
        place(FOE, "foes", (3, 3), who="eve", **STILL),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use=f"maneuver:bob:double_shot/{arm}")
    while session.question is not None:
        if isinstance(session.question, Roll):
            session.roll()
        else:
            session.choose(session.question.ids[0])
    return [one.target for one in events(session, AttackDeclared)]


@pytest.mark.rule("mars.action.interact")
def test_of_two_things_on_the_ground_the_near_one_is_taken_up() -> None:
    people = [place(fighter("Finder"), "party", (10, 10), who="ann"), place(FOE, "foes", (15, 10), who="bob")]
    far, near = LooseItem("small_shield", "bob", 2, cell(30, 30)), LooseItem("small_shield", "bob", 7, cell(10, 11))
    scene = scene_with(people)
    lying = replace(scene, system_state=Fight(begun=True, order=scene.order), loose_items=(far, near))
    session = Session(SessionHeader("mars", "0.1.0", lying, 1), BOOK)
    act(session, "take::small_shield")
    assert status(session).belongings == (ItemStack("small_shield", 1, "hand", 7),)
    assert session.scene.loose_items == (far,)
    assert events(session, HandsChanged)[0].picked_up == (near,)
    assert "take::small_shield" not in offered(session)


@pytest.mark.rule("mars.action.interact")
def test_a_thing_that_several_can_use_is_offered_once_and_only_to_them() -> None:
    facts = Facts().set("object", "*", "lever").set("object", "ann", "lever").set("object", "bob", "gate")
    session = duel(fighter("Two"), FOE, facts=facts)
    assert [one for one in offered(session) if one.startswith("interact")] == ["interact::lever"]


@pytest.mark.rule("mars.surprise.who_acts")
def test_a_hidden_character_is_not_among_those_who_sneak() -> None:
    def aware(*, hidden: tuple[str, ...]) -> tuple[int, set[str]]:
        people = [
            place(FOE, "party", (1, 1), who="ann"),
            place(FOE, "foes", (9, 1), who="bob", hidden="bob" in hidden),
            place(FOE, "foes", (9, 3), who="eve", hidden="eve" in hidden),
        ]
        scene = replace(scene_with(people), system_state=Fight(), round=0, turn=None, order=())
        session = Session(SessionHeader("mars", "0.1.0", scene, 1), BOOK)
        session.do("mars.encounter", sneaking="foes")
        while isinstance(session.question, Roll):
            session.roll()
        rules = [line.call.mechanic for line in session.log if isinstance(line, Trace)]
        assert rules.count(awareness) == (1 if roll in rules else 0)
        return rules.count(roll), {one.who for one in events(session, WasSurprised)}

    assert aware(hidden=())[0] == 2
    assert aware(hidden=("eve",))[0] == 1
    assert aware(hidden=("bob", "eve")) == (0, {"ann"})


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize("lurks", [False, True])
def test_a_hidden_comrade_on_the_way_keeps_no_foe_from_a_strike(lurks: bool) -> None:
    """The strike was not offered where a hidden comrade of the mover stood, so the watcher could tell."""
    watchful = fighter("Bob", ["club"], DEX="r10", maneuvers=("opportunity_strike",), skills={"martial": "r4"})
    people = [place(FOE, "party", (7, 0), who="ann"), place(watchful, "foes", (8, 1), who="bob")]
    people += [place(FOE, "party", (9, 0), who="eve", hidden=True)] if lurks else []
    session = session_with(people)
    act(session, "move", choices={"where to": "destination::12,0", "react": "let_be"})
    assert [one.position for one in events(session, Walked)] == [cell(9, 0)]
    assert session.scene["ann"].position == cell(12, 0)


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize("readied", [False, True])
def test_a_walk_past_a_hidden_foe_who_waits_is_one_event(readied: bool) -> None:
    """It was two, which told the walker's player that someone is there."""
    maneuvers = () if readied else ("opportunity_strike",)
    watchful = fighter("Bob", ["club"], DEX="r10", maneuvers=maneuvers, skills={"martial": "r4"})
    ready: dict[str, Any] = {"ready": Ready("moves", "attack")} if readied else {}
    bob = place(watchful, "foes", (8, 1), who="bob", hidden=True, **ready)
    session = session_with([place(FOE, "party", (7, 0), who="ann"), bob])
    waits = {"is this": "wait_on"} if readied else {"react": "let_be"}
    act(session, "move", choices={"where to": "destination::12,0", **waits})
    assert [one.position for one in events(session, Walked)] == [cell(12, 0)]
    assert events(session, Moved) == []


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
def test_a_hidden_foe_who_strikes_meets_the_walker_on_the_way() -> None:
    watchful = fighter("Bob", ["club"], DEX="r10", maneuvers=("opportunity_strike",), skills={"martial": "r4"})
    people = [place(FOE, "party", (7, 0), who="ann"), place(watchful, "foes", (8, 1), who="bob", hidden=True)]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="move")
    for answer in ("destination::12,0", "opportunity:ann:opportunity_strike/club"):
        session.choose(answer)
    assert [one.position for one in events(session, Walked)] == [cell(9, 0)]
    assert len(events(session, AttackDeclared)) == 1
    assert not session.scene["bob"].hidden
