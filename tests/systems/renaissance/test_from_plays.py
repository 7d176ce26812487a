"""What long runs of play have found once: each case here was a play that failed, went wrong or was a pain by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.renaissance.fights import answer, events, fighter, held, offered, playing, scene_with, went, with_status
from tablewright.engine import Choose, Roll
from tablewright.errors import RulesSayNo
from tablewright.game.scene import Scene
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.luck import LuckUse
from tablewright.systems.renaissance.recovery import opened

BOB = fighter("Bob", ("mace", "main"), race="human")


def at_home(*people: Any) -> Scene:
    """A scene in which nobody fights."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people)])
    return opened(replace(scene, order=(), round=0, turn=None))


def test_two_blades_of_a_kind_are_coated_one_way() -> None:
    ann = fighter("Ann", ("dagger", "main"), ("dagger", "off"), ("blade_venom", "pack"))
    ways = offered(playing(scene_with((ann, 5, 5), (BOB, 6, 5))))
    assert [one for one in ways if one.startswith("coat")] == ["coat::blade_venom/dagger"]


@pytest.mark.rule("renaissance.injury.damage_track")
def test_whoever_is_disabled_binds_no_wounds() -> None:
    scene = with_status(at_home(fighter("Ann", race="human"), BOB), "ann", damage=30)
    scene = with_status(scene, "bob", wounds=1)
    with pytest.raises(RulesSayNo) as refused:
        playing(scene, "renaissance.bind_wounds", who="bob", by="ann")
    assert refused.value.rule == "renaissance.injury.damage_track"
    with pytest.raises(RulesSayNo):
        playing(scene, "renaissance.work", who="ann", skill="medicine", minutes=5)


@pytest.mark.rule("renaissance.healing.care_physical")
def test_care_goes_on_in_the_next_scene() -> None:
    hurt = with_status(at_home(fighter("Ann", race="human"), BOB), "ann", damage=20)
    session = playing(hurt, "renaissance.plan", who="ann", body="bob")
    ann = rulebook.leave(session.scene, "ann")
    again = at_home(ann, BOB)
    assert again["ann"].status.plan.body == "bob"
    after = playing(again, "renaissance.rest", days=2)
    assert after.scene["ann"].status.damage == 20 - 2 * 3


@pytest.mark.rule("renaissance.attack.procedure")
def test_whoever_strikes_throws_the_dice_of_damage() -> None:
    session = went(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)), "attack:bob:short_sword")
    answer(session, "plain", 40)
    assert session.seat == "bob"  # the defence is Bob's
    answer(session, 99)
    assert isinstance(session.question, Roll)
    assert session.seat == "ann"
    answer(session, (2, 2))
    assert session.seat == "bob"  # and so is staying upright


def test_what_luck_costs_is_said_in_words() -> None:
    assert [use.cost for use in LuckUse] == ["", "1 Luck", "1 Luck", "2 Luck"]


def test_a_turn_does_not_offer_every_foe_for_every_step() -> None:
    foes = [(fighter(f"Foe{at}"), 14 if at == 2 else 20, 2 * at) for at in range(8)]
    session = playing(scene_with((fighter("Ann", ("short_sword", "main"), classes=("duelist",)), 5, 5), *foes))
    assert len(offered(session)) < 16
    assert isinstance(session.question, Choose)
    assert session.question.about["left"] == "1 standard or 3 quick"
    answer(session, "move")
    assert [one for one in offered(session) if one.startswith("toward")][:1] == ["toward:foe2"]  # the nearest first
    answer(session, "toward:foe7")
    assert str(events(session, "Walked")[-1].position) != "5,5"


@pytest.mark.rule("renaissance.movement.charge")
def test_nobody_charges_the_air() -> None:
    session = playing(scene_with((fighter("Ann", ("short_sword", "main")), 5, 5), (BOB, 6, 5)))
    assert "charge" not in offered(session)
    assert "move" in offered(session)


def test_somebody_grabbed_can_only_break_free() -> None:
    scene = held(scene_with((fighter("Ann"), 5, 5), (BOB, 6, 5)), "ann", "grabbed", by="bob", source="bob")
    assert [one for one in offered(playing(scene)) if one.startswith(("attack", "move", "charge"))] == []
    assert "escape" in offered(playing(scene))
