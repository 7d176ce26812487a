"""What long runs of random play have found once: each case here was a play that failed or went wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, act, duel, events, fighter, offered, place, scene_with, session_with, status
from tablewright.engine import Roll
from tablewright.game.belongings import Carried
from tablewright.game.ground import Facts, cell
from tablewright.game.session import Header, Session
from tablewright.systems.mars.character import MarsCharacter
from tablewright.systems.mars.events import AttackDeclared, HandsChanged
from tablewright.systems.mars.status import Fight, Lying, fight

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
@pytest.mark.parametrize(("hold", "thrown"), [(("handaxe",), ["bob"]), (("handaxe", "handaxe"), ["bob", "eve"])])
def test_a_double_shot_throws_only_what_is_in_hand(hold: tuple[str, ...], thrown: list[str]) -> None:
    assert _double(thrower(hold, pack={"handaxe": 3}), "handaxe/thrown") == thrown


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.ammunition")
@pytest.mark.parametrize(("arrows", "shot"), [(1, ["bob"]), (2, ["bob", "eve"])])
def test_a_double_shot_needs_two_arrows(arrows: int, shot: list[str]) -> None:
    assert _double(thrower(("shortbow@hands",), pack={"arrow": arrows}), "shortbow") == shot


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.reload")
def test_a_loaded_weapon_has_one_shot() -> None:
    assert _double(thrower(("crossbow@hands",), pack={"bolt": 9}), "crossbow") == ["bob"]


def _double(archer: MarsCharacter, arm: str) -> list[str]:
    """Who is shot at."""
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
    far, near = Lying("small_shield", "bob", 2, cell(30, 30)), Lying("small_shield", "bob", 7, cell(10, 11))
    scene = scene_with(people)
    lying = replace(scene, extra=Fight(begun=True, order=scene.order, lying=(far, near)))
    session = Session(Header("mars", "0.1.0", lying, 1), BOOK)
    act(session, "take::small_shield")
    assert status(session).belongings == (Carried("small_shield", 1, "hand", 7),)
    assert fight(session.scene).lying == (far,)
    assert events(session, HandsChanged)[0].picked_up == "small_shield"
    assert "take::small_shield" not in offered(session)


@pytest.mark.rule("mars.action.interact")
def test_a_thing_that_several_can_use_is_offered_once_and_only_to_them() -> None:
    facts = Facts().set("object", "*", "lever").set("object", "ann", "lever").set("object", "bob", "gate")
    session = duel(fighter("Two"), FOE, facts=facts)
    assert [one for one in offered(session) if one.startswith("interact")] == ["interact::lever"]
