"""Turns and their order: initiative, the allotment of actions, what waits for turns and ends with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import (
    at_home,
    before_turns,
    closed,
    defended,
    duel,
    fighter,
    held,
    playing,
    scene_with,
    then,
    went,
    with_status,
)
from systems.renaissance.folk import LEDGER, refused
from tablewright.dice import TypedDice
from tablewright.engine import Choice, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.effects import until_turn_of
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.encounter import _goes_on
from tablewright.systems.renaissance.mechanics.turn import Initiative, initiative
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Turn

ANN, BOB = fighter("Ann", ("short_sword", "main")), fighter("Bob", ("mace", "main"))
PIKE = fighter("Pike", ("halberd", "both"))


# ---------------------------------------------------------------------- the allotment


@pytest.mark.rule("renaissance.combat.allotment", "renaissance.turn.allotment", "renaissance.action.standard")
def test_a_standard_and_a_quick_action_or_three_quick_ones() -> None:
    session = went(duel(ANN, BOB), "full_defense", "drop_prone")
    assert closed(session)["stand"] == ("no quick action is left", "renaissance.combat.allotment")
    session = went(duel(ANN, BOB), "drop_prone", "stand")
    assert closed(session)["attack"] == ("no standard action is left", "renaissance.combat.allotment")
    answer(session, "drop_prone")
    assert closed(session)["stand"][0] == "no quick action is left"


@pytest.mark.rule("renaissance.turn.allotment")
def test_a_turn_goes_on_while_a_character_can_act_in_it() -> None:
    scene = duel(ANN, BOB)
    assert _goes_on(scene, "ann")
    assert not _goes_on(scene, "bob")  # it is not his turn
    assert not _goes_on(held(scene, "ann", "stunned"), "ann")
    assert not _goes_on(with_status(scene, "ann", damage=30), "ann")
    assert not _goes_on(with_status(scene, "bob", damage=30), "ann")  # no one is left to fight
    met = held(duel(ANN, PIKE), "pike", "braced")
    assert not _goes_on(with_status(met, "ann", turn=Turn(charged=True)), "ann")  # the charge is met first


@pytest.mark.rule("renaissance.gap.state.stunned")
def test_a_stunned_character_loses_the_next_turn_but_defends() -> None:
    session = then(playing(duel(BOB, ANN)), "inflict", who="ann", condition="stunned")
    assert defended(session.scene, "mace", "bob", "ann")["fray"] == 50
    answer(session, "end_turn")
    assert (session.seat, session.scene.round) == ("bob", 2)
    assert not session.scene["ann"].status.has("stunned")


@pytest.mark.rule("renaissance.turn.allotment", "renaissance.combat.allotment")
def test_a_turn_does_not_offer_every_foe_for_every_step() -> None:
    foes = [(fighter(f"Foe{at}"), 14 if at == 2 else 20, 2 * at) for at in range(8)]
    duelist = fighter("Ann", ("short_sword", "main"), classes=("duelist",))
    session = playing(scene_with((duelist, 5, 5), *foes))
    assert len(offered(session)) < 16
    assert isinstance(session.question, Choice)
    assert session.question.details["left"] == "1 standard and 1 quick, or 3 quick"
    answer(session, "name_rival", "rival:foe2")
    assert session.question.details["left"] == "1 standard, or 2 quick"
    answer(session, "move")
    assert [one for one in offered(session) if one.startswith("toward")][:1] == ["toward:foe2"]  # the nearest first
    answer(session, "toward:foe7")
    assert str(events(session, "Walked")[-1].position) != "5,5"


@pytest.mark.rule("renaissance.turn.task_allotment", "renaissance.action.quick")
def test_weapons_are_drawn_and_no_task_is_offered_in_combat() -> None:
    session = playing(duel(fighter("Ann", ("short_sword", "pack")), BOB))
    assert not [one for one in offered(session) if one.startswith(("task", "work", "job"))]
    assert "end_turn" in offered(session)  # the one who goes on with a task loses the turn
    answer(session, "draw::short_sword")
    assert session.scene["ann"].status.spent == {"quick": 1}
    assert "attack:bob:short_sword" in offered(session)


@pytest.mark.rule("renaissance.mode.down_time", "renaissance.gap.weapon.hands")
@pytest.mark.parametrize(
    ("process", "given", "rule"),
    [
        ("rest", {"days": 1}, "renaissance.mode.down_time"),
        ("draw", {"who": "hrask", "item": "dagger"}, "renaissance.gap.weapon.hands"),
        ("stow", {"who": "hrask", "item": "dagger"}, "renaissance.gap.weapon.hands"),
    ],
)
def test_days_and_hands_wait_for_the_end_of_a_fight(process: str, given: dict[str, Any], rule: str) -> None:
    session = open_session(load_scenario("renaissance:even"), seed=1)
    session.do("renaissance.encounter")
    while not session.scene.in_encounter:
        session.roll()
    assert refused(session, process, "not in the middle of an encounter", **given) == rule


# ---------------------------------------------------------------------- time


@pytest.mark.rule("renaissance.combat.turn_length", "renaissance.turn.combat_is_turn_order")
def test_a_round_takes_three_seconds() -> None:
    session = went(duel(ANN, BOB), "end_turn", "end_turn")
    assert (session.scene.clock.now, session.scene.round) == (3, 2)
    calendar = rulebook.calendar
    assert calendar.parse("1 turn") == 3
    assert calendar.parse("20 turns") == calendar.parse("1 minute")


@pytest.mark.rule("renaissance.movement.move_quickly", "renaissance.turn.combat_is_turn_order")
def test_effects_in_turns_end_with_the_fight() -> None:
    def medicine(scene: Scene) -> int:
        return now(scene, "ann").skill("medicine").total

    scene = duel(ANN, BOB, 5).with_status("bob", damage=29)
    scene = held(scene, "ann", "guarded", until=until_turn_of(scene, "ann"), degree=10)
    hurried = went(held(scene, "ann", "prone"), "stand", "move_quickly", "toward:bob")
    assert medicine(hurried.scene) == medicine(scene) - 10
    session = went(scene, "move_quickly", "toward:bob", "attack:bob:short_sword", "plain", 40, 99, (10, 10))
    assert session.question is None  # no one is asked what else they would do
    assert session.scene.ended == "party win"
    assert session.scene["ann"].status.lasting == ()
    assert medicine(session.scene) == medicine(scene)


# ---------------------------------------------------------------------- initiative


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.combat.initiative")
def test_initiative_is_a_die_and_init() -> None:
    quick = duel(fighter("Ann", INT=30, REF=20), BOB)  # INIT 10 and 8
    session = went(before_turns(quick), 3, 6)
    assert [session.scene[who].status.initiative for who in ("ann", "bob")] == [13, 14]
    assert session.scene.order == ("bob", "ann")

    def yes(ask: Any) -> int:
        return int(ask.ids.index("yes"))

    assert play(initiative(3, reroll=True, luck=0), TypedDice([4]), yes).result == Initiative(7)
    assert play(initiative(3, reroll=True, luck=1), TypedDice([4, 9]), yes).result == Initiative(12, 1)


@pytest.mark.rule("renaissance.turn.initiative_tie")
def test_ties_go_to_the_modifier_then_to_a_further_roll_or_to_the_game_master() -> None:
    quick = duel(fighter("Ann", INT=30, REF=20), BOB)
    assert went(before_turns(quick), 4, 6).scene.order == ("ann", "bob")  # 14 each, INIT 10 against 8
    assert went(before_turns(duel(ANN, BOB)), 4, 4, 2, 2, 3, 9).scene.order == ("bob", "ann")
    session = went(before_turns(duel(ANN, BOB, initiative_tie="gm")), 4, 4)
    assert session.seat == GAME_MASTER
    assert answer(session, "bob").scene.order == ("bob", "ann")


@pytest.mark.rule("renaissance.turn.initiative")
def test_a_ruling_on_initiative_counts_for_whom_it_names() -> None:
    scene = at_home(ANN, BOB)
    for ruling, totals in (
        (Modifier("initiative", 20, "swift", "ann"), [5 + 8 + 20, 4 + 8]),
        (Modifier("initiative", 2, "swift"), [5 + 8 + 2, 4 + 8 + 2]),
    ):
        session = went(replace(scene, modifiers=(ruling,)), 5, 4)
        assert [one.status.initiative for one in session.scene.participants] == totals


@pytest.mark.rule("renaissance.gap.trait.ready")
@pytest.mark.parametrize(
    ("how", "answers", "total", "luck"),
    [
        ("luck_reroll", (2, "yes", 9), 17, 0),
        ("luck_reroll", (2, "no"), 10, 1),
        ("best_of_two", (2, 9), 17, 1),
        ("head_of_order", (2,), 110, 1),
    ],
)
def test_the_ready_trait(how: str, answers: tuple[Any, ...], total: int, luck: int) -> None:
    ready = fighter("Ann", luck=1, traits={"ready": ""})
    session = went(before_turns(duel(ready, BOB, ready_trait=how)), *answers, 5)
    status = session.scene["ann"].status
    assert (status.initiative, status.luck) == (total, luck)
    assert session.scene["bob"].status.initiative == 13
    assert session.scene.order == (("ann", "bob") if total > 13 else ("bob", "ann"))
    assert how in LEDGER["renaissance.gap.trait.ready"].data["values"]


# ---------------------------------------------------------------------- turn order outside combat

THIEF, MASTER = fighter("Ann", COG=30, skills={"disable_device": 30}), fighter("Bob", COG=10, powers=("master",))
ORDER = "renaissance.turn_order"


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.turn.allotment")
def test_the_game_master_picks_modifier_and_allotment() -> None:
    session = went(at_home(THIEF, MASTER), 1, 10, process=ORDER, modifier="COG", standard=0, quick=2, rounds=2)
    assert [(one.who, one.total) for one in events(session, "InitiativeRolled")] == [("ann", 31), ("bob", 20)]
    assert session.scene.turn == "ann"
    assert closed(session)["full_defense"] == ("no standard action is left", "renaissance.combat.allotment")
    answer(session, "drop_prone", "stand")
    assert session.scene["ann"].status.spent == {"quick": 2}
    assert session.scene.turn == "bob"  # nothing is left for Ann
    answer(session, "end_turn", "end_turn", "end_turn")
    after = session.scene
    assert (session.question, after.order, after.round, after.ended) == (None, (), 0, None)
    assert after.clock.now == 2 * 3


@pytest.mark.rule("renaissance.turn.combat_is_turn_order", "renaissance.combat.allotment")
def test_combat_keeps_its_own_allotment_afterwards() -> None:
    session = went(at_home(THIEF, MASTER), 2, 1, "full_defense", process=ORDER, standard=2, quick=0, rounds=1)
    answer(session, "full_defense", "end_turn")  # two standard actions a turn
    assert session.question is None
    assert session.scene.system_state is None
    assert session.scene["ann"].status.initiative is None


def begun(rolled: int = 10) -> Session:
    """Ann has begun to pick a lock, a task of twelve minutes."""
    given = {"who": "ann", "task": "the lock", "skill": "disable_device", "minutes": 12}
    return went(at_home(THIEF, MASTER), rolled, process="renaissance.begin_task", **given)


@pytest.mark.rule("renaissance.turn.task_allotment", "renaissance.action.check_at_start")
def test_each_turn_contributes_its_minutes_to_a_task() -> None:
    session = then(begun(), "turn_order", 10, 1, minutes=5, rounds=3)
    for left in ("7 minutes left", "2 minutes left", "done"):
        answer(session, "continue_task::the lock")
        assert events(session, "Worked")[-1].told == left
        assert "continue_task::the lock" not in offered(session)  # once a turn
        answer(session, "end_turn", "end_turn")
    assert session.scene["ann"].status.jobs == ()
    assert session.scene.clock.now == 3 * 5 * 60


@pytest.mark.rule("renaissance.turn.task_allotment", "renaissance.action.failed_task_time")
def test_without_an_allotment_for_tasks_no_progress_is_made() -> None:
    session = begun(rolled=60)  # a failure: clear after a quarter of the time
    assert session.scene["ann"].status.jobs[0].minutes == 3
    then(session, "turn_order", 10, 1, rounds=1)
    reason = closed(session)["continue_task"]
    assert reason == ("tasks are not part of a turn here", "renaissance.turn.task_allotment")
    answer(session, "end_turn", "end_turn")
    kept = rulebook.export_character(session.scene, "ann")
    assert at_home(kept)["ann"].status.jobs == (("the lock", 3, True, True),)
    then(session, "finish_task", who="ann", task="the lock")
    assert events(session, "Worked")[-1].told == "it fails"
    assert session.scene["ann"].status.jobs == ()


@pytest.mark.rule("renaissance.turn.initiative", "renaissance.turn.task_allotment")
def test_no_order_without_figures_and_no_task_that_was_not_begun() -> None:
    scene = at_home(THIEF, MASTER)
    with pytest.raises(InvalidInputError, match="is not a target"):
        playing(scene, ORDER, modifier="LUCKY")
    with pytest.raises(InvalidInputError, match="has begun no task"):
        playing(scene, "renaissance.finish_task", who="ann", task="the lock")
    session = went(scene, 10, 1, process=ORDER, rounds=1)
    with pytest.raises(IllegalActionError):
        session.do(ORDER)
