"""Sustained actions in and out of combat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events
from systems.renaissance.fights import (
    at_home,
    duel,
    fighter,
    goal,
    held,
    playing,
    then,
    went,
    with_status,
)
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.now import now

MAGE = fighter("Ann", race="human", powers=("fortify", "blur", "master", "heal"), skills={"control": 40})


BOB = fighter("Bob", ("mace", "main"))
BLUR, FORTIFY = (Sustained("blur"),), (Sustained("fortify", choice="DUR"),)


def perception(session: Session) -> int:
    """Ann's Perception."""
    return now(session.scene, "ann").skill("perception").total


@pytest.mark.rule("renaissance.action.sustained", "renaissance.action.sustain_penalty", "renaissance.gap.power.list")
def test_things_are_sustained_outside_of_combat() -> None:
    session = playing(at_home(MAGE, BOB), "renaissance.sustain", who="ann", what="watching the box")
    before = perception(session)
    assert session.scene["ann"].status.sustained == (Sustained("watching the box", power=False),)
    then(session, "sustain", who="ann", what="fortify", figure="DUR")
    assert perception(session) == before - 10
    assert session.scene["ann"].status.durability == 35
    then(session, "stop_sustaining", who="ann", what="watching the box")
    assert perception(session) == before
    assert [one.what for one in session.scene["ann"].status.sustained] == ["fortify"]
    assert [one.what for one in events(session, "SustainChanged")][1:] == ["begins fortify", "ends watching the box"]
    then(session, "sustain", who="ann", what="heal")  # which needs no check outside of combat
    assert now(session.scene, "ann").numbers.fast_healing == 2


def test_a_won_check_makes_healing_better_while_it_is_sustained() -> None:
    for rolled, heals in ((60, 2), (61, 1)):
        session = went(duel(MAGE, BOB), "sustain::heal", "improve_power::heal", rolled)
        assert now(session.scene, "ann").numbers.fast_healing == heals


@pytest.mark.parametrize(
    ("power", "figure", "more"),
    [("fortify", "DUR", 5), ("fortify", "SOM", 5), ("master", "armor", 1), ("heal", "fast_healing", 1)],
)
def test_sustained_powers_give_what_they_say(power: str, figure: str, more: int) -> None:
    def of(scene: Scene) -> int:
        numbers = now(scene, "ann").numbers
        return int(numbers.aptitudes[figure] if figure in numbers.aptitudes else getattr(numbers, figure))

    session = playing(duel(MAGE, BOB))
    before = of(session.scene)
    answer(session, f"sustain::{power}", *([f"raise::{figure}"] if power == "fortify" else []))
    assert of(session.scene) - before == more
    answer(session, f"stop_sustaining::{power}")
    assert of(session.scene) == before


@pytest.mark.rule("renaissance.action.sustained", "renaissance.combat.sustain_cost")
@pytest.mark.parametrize(
    ("process", "given", "why"),
    [
        ("sustain", {"what": "blur"}, "sustains that already"),
        ("sustain", {"what": "stone_skin"}, "cannot sustain Stone Skin"),
        ("sustain", {"what": "fortify"}, "raises one of COG"),
        ("sustain", {"what": "fortify", "figure": "LUCK"}, "raises one of COG"),
        ("stop_sustaining", {"what": "master"}, 'sustains no "master"'),
    ],
)
def test_unsustainable_powers_are_refused(process: str, given: dict[str, Any], why: str) -> None:
    scene = with_status(at_home(MAGE, BOB), "ann", sustained=BLUR)
    with pytest.raises((IllegalActionError, InvalidInputError), match=why):
        playing(scene, f"renaissance.{process}", who="ann", **given)


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.injury.damage_track")
def test_in_combat_sustaining_is_an_action() -> None:
    fight = with_status(duel(MAGE, BOB), "ann", sustained=BLUR)
    down = with_status(at_home(MAGE, BOB), "ann", damage=30)
    for scene, process, what, why in (
        (fight, "sustain", "master", "takes a quick action"),
        (fight, "stop_sustaining", "blur", "takes a quick action"),
        (down, "sustain", "master", "cannot act"),
    ):
        with pytest.raises(IllegalActionError, match=why):
            playing(scene, f"renaissance.{process}", who="ann", what=what)


@pytest.mark.rule("renaissance.combat.sustain_cost")
@pytest.mark.parametrize(("stunned", "costs", "left"), [(True, True, 0), (True, False, 1), (False, True, 1)])
def test_a_character_who_is_stunned_at_the_start_of_a_turn_sustains_nothing(
    stunned: bool, costs: bool, left: int
) -> None:
    scene = replace(duel(MAGE, BOB, sustain_costs_quick_action=costs), turn=None)
    scene = with_status(scene, "ann", sustained=FORTIFY, durability=35)
    session = playing(held(scene, "ann", "stunned") if stunned else scene)
    status = session.scene["ann"].status
    assert (len(status.sustained), status.durability) == (left, 35 if left else 30)
    assert [one.sustained for one in events(session, "SustainChanged")] == ([] if left else [()])


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.disease.black_death", "renaissance.stress.track")
def test_a_character_who_is_unconscious_or_overwhelmed_sustains_nothing() -> None:
    scene = with_status(at_home(MAGE, BOB), "ann", sustained=FORTIFY, durability=35)
    session = went(scene, 99, process="renaissance.expose", who="ann", disease="black_death")
    status = then(session, "rest", days=3).scene["ann"].status
    assert (status.has("unconscious"), status.sustained, status.durability) == (True, (), 30)
    nearly = with_status(scene, "ann", stress=40)
    broken = went(nearly, 99, 1, process="renaissance.stress", who="ann", source="torture").scene["ann"].status
    assert (broken.overwhelmed, broken.sustained, broken.durability) == (True, (), 30)


@pytest.mark.rule("renaissance.combat.sustain_cost", "renaissance.combat.sustain_costs_quick_action")
@pytest.mark.parametrize(("costs", "left"), [(True, {"quick": 1}), (False, {})])
def test_sustaining_takes_a_quick_action_of_every_turn(costs: bool, left: dict[str, int]) -> None:
    mage = fighter("Ann", ("short_sword", "main"), powers=("master", "blur"))
    session = went(duel(mage, BOB, sustain_costs_quick_action=costs), "sustain::master", "sustain::blur")
    answer(session, "end_turn", "end_turn")
    assert session.scene.round == 2
    assert session.scene["ann"].status.spent == left


@pytest.mark.rule("renaissance.action.sustained", "renaissance.action.sustain_penalty")
def test_every_sustained_action_beyond_the_first_costs_ten() -> None:
    mage = fighter("Ann", ("short_sword", "main"), powers=("master", "blur"))
    session = playing(duel(mage, BOB))
    before = goal(session.scene, "short_sword")
    for power, less in (("master", 0), ("blur", 10)):
        answer(session, f"sustain::{power}")
        assert goal(session.scene, "short_sword") == before - less


@pytest.mark.rule("renaissance.gap.state.fast_healing", "renaissance.combat.sustain_cost")
def test_healing_at_the_start_of_turns_waits_for_the_next() -> None:
    mage = fighter("Ann", ("short_sword", "main"), powers=("heal",))
    session = went(with_status(duel(mage, BOB), "ann", damage=5), "sustain::heal")
    assert playing(session.scene).scene == session.scene  # taken up again in the same turn nothing happens
    answer(session, "end_turn", "end_turn")
    assert session.scene["ann"].status.damage < 5
