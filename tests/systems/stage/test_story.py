"""The escape from the keep: the fights of the book's worked examples, with its dice typed in."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, offered, place, session_with
from systems.stage.people import person
from tablewright.dice import TypedDice
from tablewright.engine import Choice, play
from tablewright.game.scene.scene import SceneSetup
from tablewright.game.session.session import Session
from tablewright.systems.stage.mechanics.turn import initiative


def begins(start: dict[str, Any], faces: list[list[int]]) -> Session:
    """An encounter of Arlef and Brynh with a guard, up to its first question of a turn."""
    people = [
        place(person("arlef"), "heroes", who="arlef"),
        place(person("brynh"), "heroes", who="brynh"),
        place(person("guard"), "foes", who="guard"),
    ]
    session = session_with(people, begun=False, start=SceneSetup(more=tuple(start.items())))
    session.do("stage.encounter")
    for one in [*faces, None]:
        if isinstance(session.question, Choice) and session.question.question == "announce a power?":
            session.choose("pass")
        if one is not None:
            session.type_in(one)
    return session


@pytest.mark.rule("stage.initiative.example", "stage.initiative.ambush")
def test_from_an_ambush_arlef_counts_one_more_than_the_guard() -> None:
    session = begins({"ambush": "heroes"}, [[2, 1], [5]])
    assert status(session, "arlef").initiative == 6
    assert session.scene.order == ("arlef", "brynh", "guard")


@pytest.mark.rule("stage.initiative.example", "stage.initiative.simultaneous", "stage.encounter.groups")
def test_all_at_once_the_higher_result_acts_first() -> None:
    session = begins({}, [[2, 1], [5]])
    assert session.scene.order == ("guard", "arlef", "brynh")
    assert begins({}, [[4, 3], [5]]).scene.order == ("arlef", "brynh", "guard")


@pytest.mark.rule("stage.initiative.simultaneous")
def test_equal_groups_roll_again() -> None:
    session = begins({}, [[2, 3], [5], [1, 1], [6]])
    assert session.scene.order == ("guard", "arlef", "brynh")


@pytest.mark.rule("stage.initiative.one_sided", "stage.initiative.example")
def test_a_character_who_opens_hostilities_has_every_die_at_six() -> None:
    session = begins({"opens": "arlef"}, [[5]])
    assert status(session, "arlef").initiative == 12
    assert session.scene.order[0] == "arlef"
    assert play(initiative(2, 1, True), TypedDice([])).result == 13
    session = begins({"opens": "brynh"}, [[5]])
    assert session.scene.order[0] == "brynh"


def outside() -> Session:
    """The third guard outside the keep, a cube away from Arlef and Brynh."""
    people = [
        place(person("arlef"), "heroes", (5, 5), who="arlef"),
        place(person("brynh"), "heroes", (5, 5), who="brynh"),
        place(person("guard"), "foes", (6, 5), who="guard"),
    ]
    return session_with(people)


SHOT = {"dice for the first roll": "1"}


def shoots(session: Session, first: int, second: int, block: list[int]) -> Session:
    choices = {**SHOT, "how to defend": "nothing", "block": "block"}
    return act(session, "attack:guard:bow", who="arlef", faces=[[first], [second], block], choices=choices)


@pytest.mark.rule("stage.attack.example_ranged", "stage.attack.example_armour", "stage.damage.order")
def test_arlef_shoots_and_the_guard_blocks() -> None:
    session = shoots(outside(), 3, 5, [2, 1])
    attacked = events(session, "Attacked")[0]
    assert (attacked.hit, attacked.damage, attacked.block) == (True, 1, "block")
    assert (status(session, "guard").stamina, status(session, "guard").ap) == (3, 3)
    assert status(session, "arlef").ap == 2


@pytest.mark.rule("stage.example.story", "stage.attack.example_parry", "stage.attack.example_dodge")
def test_the_fight_outside_goes_as_in_the_book() -> None:
    session = shoots(outside(), 3, 5, [2, 1])
    session = shoots(session, 4, 3, [2, 2])
    session = shoots(session, 4, 3, [2, 2])
    assert (status(session, "guard").stamina, status(session, "arlef").ap) == (1, 0)
    go(session, "table.rule", who="", field="turn", value='"brynh"', reason="Arlef's turn is over")
    charge = {"how to defend": "parry", "dice for the first roll": "2"}
    act(session, "charge:guard:spear", who="brynh", faces=[[3, 3], [4, 2]], choices=charge)
    assert not events(session, "Attacked")[-1].hit
    assert (status(session, "guard").stamina, status(session, "guard").ap, status(session, "brynh").ap) == (0, 3, 1)
    stab = {"how to defend": "dodge", "dice for the first roll": "1", "move after the dodge?": "step"}
    act(session, "attack:guard:spear", who="brynh", faces=[[1], [3]], choices=stab)
    assert not events(session, "Attacked")[-1].hit
    assert (status(session, "guard").ap, status(session, "brynh").ap) == (2, 0)


@pytest.mark.rule("stage.attack.example_end", "stage.agility.dodge_rules")
def test_a_character_who_dodged_may_step_away_within_the_cube() -> None:
    session = outside()
    go(session, "table.rule", who="", field="turn", value='"brynh"', reason="to begin with")
    charge = {"how to defend": "dodge", "dice for the first roll": "2", "move after the dodge?": "step"}
    act(session, "charge:guard:spear", who="brynh", faces=[[1], [4, 2], [1]], choices=charge)
    assert session.scene["guard"].position == session.scene["brynh"].position
    assert status(session, "guard").beside == ()
    assert not [use for use in offered(session, "brynh") if use.startswith("attack:guard:spear") and "throw" not in use]


@pytest.mark.rule("stage.magic.example_melee", "stage.magic.target_melee", "stage.gap.magic.willing")
def test_the_priest_heals_the_guard_not_above_the_maximum() -> None:
    people = [
        place(person("priest"), "foes", who="priest"),
        place(person("guard"), "foes", who="guard", stamina=0),
        place(person("brynh"), "heroes", who="brynh"),
    ]
    session = act(session_with(people), "cast:guard:healing_touch", who="priest", faces=[[5], [6]])
    assert status(session, "guard").stamina == 5
    assert (status(session, "priest").stamina, status(session, "priest").ap) == (2, 1)
    tried = events(session, "Tried")[0]
    assert (tried.success, tried.defence) == (True, "")
    missed = act(session_with(people), "cast:guard:healing_touch", who="priest", faces=[[2]])
    assert (status(missed, "guard").stamina, status(missed, "priest").stamina) == (0, 2)


@pytest.mark.rule("stage.magic.example_ranged", "stage.magic.target_ranged", "stage.resource.damage_overflow")
def test_flare_burns_brynh_down_to_one_vitality() -> None:
    people = [
        place(person("priest"), "foes", (1, 1), who="priest"),
        place(person("brynh"), "heroes", (6, 1), who="brynh", stamina=1),
    ]
    choices = {"how to defend": "dodge"}
    session = act(
        session_with(people), "cast:brynh:flare=fire", who="priest", faces=[[2], [4, 2], [3]], choices=choices
    )
    attacked = events(session, "Attacked")[0]
    assert (attacked.hit, attacked.damage, attacked.attribute) == (True, 4, "body")
    brynh = status(session, "brynh")
    assert (brynh.stamina, brynh.vitality, brynh.ap) == (0, 1, 2)
    assert (status(session, "priest").intellect, status(session, "priest").ap) == (2, 1)
