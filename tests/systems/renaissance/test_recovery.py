"""Stress, and how damage, wounds, stress and traumas heal: by rest, by care, by Fast Healing, by binding."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.renaissance.fights import at_home, duel, fighter, playing, target_of, then, went, with_status
from systems.renaissance.folk import refused
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.mechanics.turn import stress, traumas_of
from tablewright.systems.renaissance.status import Plan
from tablewright.systems.renaissance.values import DV

ANN = fighter("Ann", race="human")  # DUR 30, WT 6; WIL 20, LUC 40, TT 8, IR 80
BOB = fighter("Bob", race="human")


def healing(scene: Scene | None = None, **status: Any) -> Session:
    """Ann is hurt; Bob can care for her."""
    hurt = with_status(scene or at_home(ANN, BOB), "ann", **status)
    return Session(SessionHeader("renaissance", "0.1.0", hurt, 1), rulebook)


def days(session: Session, count: int) -> Any:
    """Ann's status some days later."""
    return then(session, "rest", days=count).scene["ann"].status


# ---------------------------------------------------------------------- stress


@pytest.mark.rule("renaissance.stress.resist", "renaissance.stress.two_values", "renaissance.stress.trauma")
@pytest.mark.rule("renaissance.stress.boundary")
def test_stress_is_resisted_or_taken_and_makes_traumas() -> None:
    assert play(stress(DV(1, 1), 45), TypedDice([45])).result.stress == 0
    assert play(stress(DV(1, 1), 45), TypedDice([46, 5])).result.stress == 6
    assert play(stress(DV(1), 45, half=True), TypedDice([45, 7])).result.stress == 3
    made = {5: (0, 0), 6: (0, 1), 7: (1, 1), 12: (1, 2), 13: (2, 2), 18: (2, 3), 19: (3, 3), 0: (0, 0)}
    assert {sv: (traumas_of(sv, 6), traumas_of(sv, 6, "at_least")) for sv in made} == made


@pytest.mark.rule("renaissance.stress.trauma_stun", "renaissance.combat.turn_length", "renaissance.gap.race.list")
def test_a_trauma_stuns_who_fails_with_its_penalty() -> None:
    call = stress(DV(1, 5), 0, trauma_threshold=6, nerves=45)
    assert play(call, TypedDice([50, 5, 36])).result.stunned
    assert not play(call, TypedDice([50, 5, 35])).result.stunned
    session = went(at_home(ANN, BOB), 99, 9, 99, process="renaissance.stress", who="ann", source="torture")
    assert session.scene["ann"].status.has("stunned")
    assert session.scene["ann"].status.traumas == 1
    assert not days(session, 1).has("stunned")  # three seconds
    # Resisting stress well does not help against being stunned.
    for race, will in (("human", 15), ("halfling", 10)):  # WIL x3 of 45, less 10 for the trauma
        scene = at_home(fighter("Ann", race=race, WIL=will))
        session = went(scene, 90, 9, 40, process="renaissance.stress", who="ann", source="failed_motivation")
        assert session.scene["ann"].status.has("stunned")


@pytest.mark.rule("renaissance.stress.track", "renaissance.stress.boundary", "renaissance.stress.trauma")
@pytest.mark.parametrize(
    ("before", "boundary", "overwhelmed", "insane"),
    [
        (0, "over", False, False),
        (37, "over", False, False),
        (38, "over", True, False),
        (37, "at_least", True, False),
        (77, "over", True, False),
        (78, "over", True, True),
    ],
)
def test_too_much_stress_overwhelms_and_breaks(before: int, boundary: str, overwhelmed: bool, insane: bool) -> None:
    session = healing(at_home(ANN, BOB, stress_boundary=boundary), stress=before)
    then(session, "stress", 99, 2, who="ann", source="loss")  # 1d10+1: 3
    for told in (session.scene["ann"].status, last(session, "Stressed")):
        assert (told.overwhelmed, told.insane) == (overwhelmed, insane)
    assert (told.stress, told.traumas, told.by) == (3, 0, "loss")


@pytest.mark.rule("renaissance.gap.stress.sources")
@pytest.mark.parametrize(
    ("source", "target", "faces"),
    [("torture", 40, 2), ("loss", 60, 1), ("failed_motivation", 60, 1), ("manifestation", 60, 0)],
)
def test_every_source_of_stress_has_its_value(source: str, target: int, faces: int) -> None:
    session = then(healing(), "stress", target + 1, 1, who="ann", source=source)
    assert session.scene["ann"].status.stress == 1 + faces
    resisted = then(healing(), "stress", target, who="ann", source=source)
    if source == "manifestation":
        answer(resisted, 9)
    assert resisted.scene["ann"].status.stress == (4 if source == "manifestation" else 0)


@pytest.mark.rule("renaissance.stress.resist", "renaissance.gap.trait.list")
@pytest.mark.parametrize(("detail", "target"), [("Torture", 60), ("loss", 40)])
def test_the_hardened_resist_their_source_better(detail: str, target: int) -> None:
    hardened = at_home(fighter("Ann", traits={"hardened": detail}), BOB)
    for rolled in (target, target + 1):
        session = went(hardened, rolled, process="renaissance.stress", who="ann", source="torture")
        assert (session.question is None) is (rolled == target)


# ---------------------------------------------------------------------- rest and care


@pytest.mark.rule(
    "renaissance.healing.natural_damage", "renaissance.healing.natural_stress", "renaissance.stress.track"
)
def test_rest_heals_a_point_a_day_then_wounds_and_traumas() -> None:
    session = healing(damage=3, wounds=2)
    assert days(session, 1).damage == 2
    status = days(session, 2)
    assert (status.damage, status.wounds) == (0, 2)
    assert [days(session, count).wounds for count in (6, 1, 7)] == [2, 1, 0]
    session = healing(stress=2, traumas=1)
    assert days(session, 2).stress == 0
    assert [days(session, count).traumas for count in (29, 1)] == [1, 0]
    session = healing(stress=42, overwhelmed=True)
    for left in (41, 40, 39):
        status = days(session, 1)
        assert (status.stress, status.overwhelmed) == (left, left >= 40)  # Lucidity is 40


@pytest.mark.rule(
    "renaissance.healing.care_physical", "renaissance.healing.care_scope", "renaissance.healing.care_mental"
)
def test_care_for_the_body_or_the_mind_heals_three_a_day() -> None:
    session = then(healing(damage=5, wounds=1, stress=4), "plan", who="ann", body="bob")
    status = days(session, 1)
    assert (status.damage, status.stress) == (2, 3)
    assert [days(session, count).wounds for count in (1 + 3, 1)] == [1, 0]
    session = then(healing(damage=5, stress=3, traumas=1), "plan", who="ann", body="bob", mind="bob")
    status = days(session, 1)
    assert (status.damage, status.stress) == (2, 0)
    assert [days(session, count).traumas for count in (6, 1)] == [1, 0]
    session = healing(wounds=1)
    days(session, 3)  # 3/7
    then(session, "plan", who="ann", body="bob")
    assert [days(session, count).wounds for count in (2, 1)] == [1, 0]  # 3/7 + 2/4, and a quarter more


@pytest.mark.rule("renaissance.healing.care_physical", "renaissance.healing.care_mental")
@pytest.mark.parametrize(("works", "left"), [(True, 5), (False, 3)])
def test_care_is_for_days_of_rest(works: bool, left: int) -> None:
    session = healing(damage=9, stress=9, plan=Plan("", "bob", "bob"))
    status = days(session, 1)
    assert (status.damage, status.stress) == (6, 6)
    if works:
        then(session, "work", 20, who="ann", skill="athletics", minutes=60)
    status = days(session, 1)
    assert (status.damage, status.stress) == (left, left)


@pytest.mark.rule("renaissance.healing.care_physical")
def test_care_goes_on_in_the_next_scene_but_not_after_the_death_of_the_carer() -> None:
    session = then(healing(damage=20), "plan", who="ann", body="bob")
    assert last(session, "Planned").what == "body cared for by Bob"
    ann = rulebook.export_character(session.scene, "ann")
    session = healing(at_home(ann, BOB))
    assert session.scene["ann"].status.plan.body == "bob"
    assert days(session, 2).damage == 20 - 2 * 3
    then(session, "fall", who="bob", metres=20)
    assert days(session, 1).damage == 13
    refused(session, "plan", "Bob cannot act", who="ann", mind="bob")
    then(session, "plan", who="ann", body="the temple")
    assert days(session, 1).damage == 10


def test_a_week_in_one_step_is_seven_days() -> None:
    hurt: dict[str, Any] = {"damage": 4, "wounds": 1, "stress": 9}
    at_once, one_by_one = healing(**hurt), healing(**hurt)
    days(at_once, 10)
    for _ in range(10):
        days(one_by_one, 1)
    assert at_once.scene == one_by_one.scene


# ---------------------------------------------------------------------- Fast Healing


@pytest.mark.rule("renaissance.healing.fast_healing_ref", "renaissance.gap.state.fast_healing")
def test_fast_healing_goes_on_while_time_passes() -> None:
    scene = with_status(at_home(fighter("Orc", race="orc"), ANN), "orc", damage=25, wounds=2)
    session = playing(with_status(scene, "ann", damage=9), "table.pass_time", amount="1 minute")
    assert (session.scene["orc"].status.damage, session.scene["ann"].status.damage) == (5, 9)
    session.do("table.pass_time", amount="2 turns")
    assert session.scene["orc"].status.damage == 3
    session.do("table.pass_time", amount="1 minute")
    assert (session.scene["orc"].status.damage, session.scene["orc"].status.wounds) == (0, 2)
    then(session, "rest", days=1)
    assert session.scene["orc"].status.wounds == 1


@pytest.mark.rule("renaissance.gap.state.fast_healing")
def test_in_combat_fast_healing_waits_for_their_own_turn() -> None:
    orc = fighter("Orc", race="orc")
    session = went(with_status(duel(orc, ANN, 10), "orc", damage=9), "end_turn", "end_turn")
    assert session.scene.turn == "orc"
    assert session.scene["orc"].status.damage == 7  # two turns begun, and nothing for the round between
    dead = with_status(at_home(orc, ANN), "orc", damage=80, dead=True)
    assert playing(dead, "table.pass_time", amount="1 hour").scene["orc"].status.damage == 80


# ---------------------------------------------------------------------- binding wounds


@pytest.mark.rule("renaissance.healing.binding", "renaissance.action.failed_task_time")
@pytest.mark.parametrize(
    ("steps", "rolled", "minutes", "bound"),
    [(0, 55, 10, 1), (0, 56, 2, 0), (0, 86, 5, 0), (2, 75, 20, 1), (2, 76, 5, 0), (-1, 45, 7, 1), (-1, 46, 1, 0)],
)
def test_binding_heals_a_die_and_negates_one_wound_once(steps: int, rolled: int, minutes: int, bound: int) -> None:
    session = healing(damage=20, wounds=2)
    then(session, "bind_wounds", rolled, *((7,) if bound else ()), who="ann", by="bob", steps=steps)
    status = session.scene["ann"].status
    assert (status.damage, status.wounds, status.bound, status.tried) == (20 - 7 * bound, 2, bound, 1)
    assert session.scene.clock.now == 60 * minutes
    assert target_of(session) == 55 + 10 * steps
    then(session, "bind_wounds", 97, who="ann", by="bob")
    assert session.scene["ann"].status.tried == 2
    refused(session, "bind_wounds", "no wound", who="ann", by="bob")


@pytest.mark.rule("renaissance.healing.binding")
def test_a_character_who_bleeds_to_death_meanwhile_is_not_bound() -> None:
    session = then(healing(damage=50, wounds=1), "inflict", who="ann", condition="bleeding")
    then(session, "bind_wounds", 50, 7, who="ann", by="bob")
    status = session.scene["ann"].status
    assert (status.dead, status.damage, status.bound) == (True, 60, 0)


# ---------------------------------------------------------------------- falling


@pytest.mark.rule("renaissance.gap.hazard.falling")
@pytest.mark.parametrize(
    ("metres", "rolling", "dice", "dead"),
    [
        (3, False, 0, False),
        (5, False, 2, False),
        (8, False, 8, False),
        (11, False, 0, True),
        (1, True, 0, False),
        (5, True, 0, False),
        (7, True, 2, False),
        (12, True, 10, False),
        (13, True, 0, True),
    ],
)
def test_falling(metres: int, rolling: bool, dice: int, dead: bool) -> None:
    session = playing(at_home(ANN, BOB), "renaissance.fall", who="ann", metres=metres, rolling=rolling)
    if dice:
        answer(session, (1,) * dice)
        while session.question is not None:
            answer(session, 0)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.dead) == (dice, dead)
    if dead:
        then(session, "fall", who="ann", metres=20)
        assert len(events(session, "Died")) == 1  # the dead do not die again
