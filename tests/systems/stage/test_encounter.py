"""Encounters: groups and their order, turns, AP, interruptions, long actions, moving, mounts, water, and the end."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, asked, closed, duel, fighter, held_by, offered, place, session_with
from systems.stage.people import OPTIONS, person
from tablewright.engine import Playthrough, Roll
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scene.scene import SceneSetup
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.mechanics.turn import loses_heart
from tablewright.systems.stage.status import adjacent, stands


def three(**how: Any) -> Any:
    people = [
        place(fighter(agility=1), "party", who="ann"),
        place(fighter(agility=3), "party", who="amy"),
        place(fighter(), "foes", who="bob"),
    ]
    return session_with(people, **how)


@pytest.mark.rule("stage.encounter.flow", "stage.encounter.round", "stage.action.ap")
def test_everybody_has_one_turn_a_round_and_all_ap_come_back_after_it() -> None:
    session = three(begun=False)
    session.do("stage.encounter")
    session.type_in([6, 6, 6])
    session.type_in([1])
    assert session.scene.order == ("amy", "ann", "bob")
    session.choose("crouch")
    assert status(session, "amy").ap == 2
    session.choose("end_turn")
    assert (status(session, "amy").ap, session.scene.turn) == (3, "ann")
    session.choose("end_turn")
    session.choose("end_turn")
    assert (session.scene.round, session.scene.turn) == (2, "amy")
    assert session.scene.clock.now == 1  # a round is the smallest unit of the clock: 12 seconds


@pytest.mark.rule("stage.encounter.member_order")
def test_a_group_fixes_its_order_before_the_first_round() -> None:
    session = three(begun=False, start=SceneSetup(more=(("ask", True),)))
    session.do("stage.encounter")
    assert session.question is not None
    assert session.question.question == "who of party acts next?"
    session.choose("ann")
    session.type_in([6])
    session.type_in([1])
    assert session.scene.order == ("ann", "amy", "bob")


@pytest.mark.rule("stage.encounter.flow")
def test_the_fallen_keep_their_place_and_skip_their_turn() -> None:
    session = three()
    session.do("table.rule", who="amy", field="unconscious", value='"a blow"', reason="to see")
    session.do("stage.encounter")
    session.choose("end_turn")
    assert session.scene.turn == "bob"
    assert "amy" in session.scene.order


@pytest.mark.rule("stage.encounter.begin_end", "stage.gap.encounter.end")
def test_it_ends_when_one_side_is_down_or_gone() -> None:
    session = three()
    go(session, "table.rule", who="bob", field="stamina", value="0", reason="to see")
    act(session, "yield", who="bob")
    assert not stands(session.scene["bob"])
    session.do("stage.encounter")
    assert session.scene.ended == "party win"
    far = duel(fighter(), fighter(), apart=6)
    act(far, "flee")
    assert not far.scene["ann"].present
    assert closed(duel(fighter(), fighter(), apart=5), "flee")[1] == "stage.gap.encounter.end"


@pytest.mark.rule("stage.gap.encounter.flight")
@pytest.mark.parametrize(("face", "runs"), [(3, False), (4, True)])
def test_people_of_the_game_master_run_at_no_stamina(face: int, runs: bool) -> None:
    session = duel(fighter(), fighter(), turn="bob", theirs={"stamina": 0})
    session.do("stage.encounter")
    session.type_in([face])
    assert session.scene["bob"].present is not runs


def test_a_low_roll_against_running_is_the_lucky_one() -> None:
    asked_now = Playthrough(loses_heart()).question
    assert isinstance(asked_now, Roll)
    assert asked_now.worth is not None
    assert [asked_now.worth(face) for face in range(1, 7)] == [0, 0, 0, -200, -200, -200]


@pytest.mark.rule("stage.action.prepare_interruption", "stage.action.interruption")
def test_a_prepared_interruption_is_one_ap_apart_from_the_others() -> None:
    session = duel(fighter(), fighter(), theirs={"ap": 3})
    act(session, "prepare")
    assert status(session).ap == 0
    held = held_by(session, "prepared")
    assert (held.until.whose, held.until.edge, held.until.round) == ("ann", "end", 2)
    go(session, "table.rule", who="", field="turn", value='"bob"', reason="bob's turn")
    assert "attack:bob:spear" in offered(session)
    assert closed(session, "power_attack") == ("costs 2 AP, 1 left", "stage.action.ap")
    act(session, "attack:bob:spear", faces=[[1]], choices={"dice for the first roll": "1"})
    assert status(session).held("prepared") is None
    assert not any(use.startswith("attack") for use in offered(session))


@pytest.mark.rule("stage.action.interruption")
def test_a_character_who_has_prepared_is_asked_between_deeds() -> None:
    session = duel(fighter(), fighter(agility=1))
    act(session, "prepare")
    go(session, "table.rule", who="", field="acted", value='["ann"]', reason="ann's turn is over")
    go(session, "table.rule", who="", field="turn", value='"bob"', reason="bob's turn")
    session.do("stage.encounter")
    session.choose("crouch")
    assert session.question is not None
    assert (session.seat, asked(session).question) == ("ann", "interrupt?")
    session.choose("attack:bob:spear")
    session.choose("1")
    assert session.question is not None


@pytest.mark.rule("stage.action.multi_turn")
def test_an_action_is_begun_with_too_few_ap_and_finished_later() -> None:
    session = duel(fighter(brawl=2), fighter(), mine={"ap": 1})
    act(session, "begin:bob:grapple/")
    assert status(session).ap == 0
    go(session, "table.rule", who="ann", field="ap", value="2", reason="the next turn")
    assert "grapple:bob" in offered(session)
    act(session, "grapple:bob", faces=[[1]], choices={"dice for the first roll": "1"})
    assert (status(session).ap, status(session).progress) == (0, None)


@pytest.mark.rule("stage.action.multi_turn")
def test_anything_else_in_between_loses_the_progress() -> None:
    session = duel(fighter(brawl=2), fighter(), mine={"ap": 1}, theirs={"ap": 3})
    act(session, "begin:bob:grapple/")
    act(
        session,
        "attack:ann:spear",
        who="bob",
        faces=[[5, 5], [1]],
        choices={"dice for the first roll": "1", "how to defend": "parry"},
    )
    assert status(session).progress is None


@pytest.mark.rule("stage.movement.cubes")
def test_a_move_goes_as_many_cubes_as_the_speed_score() -> None:
    session = duel(fighter(), fighter(), apart=3)
    act(session, "move::6,6")
    assert (str(session.scene["ann"].position), status(session).ap) == ("6,6", 2)
    with pytest.raises(IllegalActionError):
        act(session, "move::8,6")
    horse = duel(person("riding_horse"), fighter(), apart=3)
    assert "move:bob" in offered(horse)
    same = OPTIONS.put("adjacency", "same_cube")
    for options, beside in ((OPTIONS, False), (same, True)):
        scene = duel(fighter(), fighter(), apart=0, options=options).scene
        assert adjacent(scene, "ann", "bob") is beside


@pytest.mark.rule("stage.movement.impediments", "stage.environment.gravity", "stage.environment.darkness")
def test_doubled_moves_double_once_but_gravity_and_darkness_multiply() -> None:
    session = duel(fighter(), fighter(), apart=1)
    assert move_ap(session.scene, "ann") == 1
    assert move_ap(session.scene, "ann", slow=True) == 2
    prone = duel(fighter(), fighter(), apart=1, mine={"stance": "prone"}).scene
    assert move_ap(prone, "ann", slow=True) == 2
    heavy = duel(fighter(), fighter(), apart=1, facts=Facts().set("gravity", "ann", "very_high")).scene
    assert (move_ap(heavy, "ann"), move_ap(heavy, "bob")) == (3, 1)
    dark = duel(fighter(), fighter(), apart=1, facts=Facts().set("darkness", "ann", 1)).scene
    assert move_ap(dark, "ann", slow=True) == 4
    mud = Grid(size=(20, 20), shared=True, difficult=((cell(6, 5), 2),))
    slow = duel(fighter(), fighter(), apart=3, ground=mud)
    act(slow, "move::6,5")
    assert status(slow).ap == 1


@pytest.mark.rule("stage.agility.tumble")
@pytest.mark.parametrize(("stacking", "hit"), [("add", False), ("highest", True)])
def test_a_tumble_sets_hit_difficulty_until_the_end_of_the_next_turn(stacking: str, hit: bool) -> None:
    session = duel(fighter(agility=1), fighter(), options=OPTIONS.put("tumble_stacking", stacking))
    act(session, "tumble", faces=[[4]])
    assert (status(session).ap, status(session).stamina) == (1, 2)
    defended = {"dice for the first roll": "2", "how to defend": "dodge"}
    faces = [[3], [6, 1], *([[1]] if hit else [])]
    act(session, "attack:ann:spear", who="bob", faces=faces, choices=defended)
    assert events(session, "Attacked")[0].hit is hit  # 4 and 3 and 3, or 4 and 3, against 7
    act(session, "attack:ann:spear", who="bob", faces=[[5, 1]], choices={"dice for the first roll": "2"})
    assert not events(session, "Attacked")[1].hit
    act(session, "attack:ann:spear", who="bob", faces=[[6, 1], [1]], choices={"dice for the first roll": "2"})
    assert events(session, "Attacked")[2].hit


# ---------------------------------------------------------------------- water


@pytest.mark.rule("stage.environment.swimming", "stage.environment.drowning")
def test_two_failed_swims_take_under_and_then_one_drowns() -> None:
    facts = Facts().set("swimming", "ann", 9)
    session = duel(fighter(athletics=1), fighter(), facts=facts)
    act(session, "crouch", faces=[[6]])
    assert (status(session).stance, status(session).ap, status(session).failures) == ("standing", 2, 1)
    act(session, "crouch", faces=[[6]])
    assert status(session).under == 1
    for turns in range(1, 4):
        go(session, "table.rule", who="", field="turn", value="null", reason="on")
        go(session, "table.rule", who="", field="acted", value='["bob"]', reason="on")
        session.do("stage.encounter")
        assert status(session).under == 1 + turns
        assert bool(status(session).unconscious) is (turns >= 3)  # Body level 3
        if session.question is not None:
            session.undo()
            break
    assert status(session).vitality >= 0


# ---------------------------------------------------------------------- mounts


@pytest.mark.rule("stage.mount.control", "stage.mount.size_limit", "stage.mount.attack")
def test_a_mount_under_control_acts_on_its_riders_turn() -> None:
    session = duel(
        fighter(survival=2),
        fighter(),
        place(person("riding_horse"), "party", (5, 5), who="horse", beside=("ann",)),
        place(person("wolf"), "party", (5, 5), who="wolf", beside=("ann",)),
        apart=2,
        mine={"beside": ("horse", "wolf")},
    )
    with pytest.raises(IllegalActionError, match="Wolf is too small"):
        act(session, "mount:wolf")
    act(session, "mount:horse")
    go(session, "table.rule", who="ann", field="ap", value="3", reason="the next turn")
    act(session, "control", faces=[[3, 1]])  # Will and Spirit: 4
    assert status(session).ap == 0
    act(session, "spur:bob:move/")
    assert (status(session, "horse").ap, str(session.scene["ann"].position)) == (2, "7,5")
    act(session, "spur:bob:attack/kick", faces=[[1]], choices={"dice for the first roll": "1"})
    assert status(session, "horse").ap == 1
    assert events(session, "Attacked")[0].by == "horse"


@pytest.mark.rule("stage.mount.control")
def test_two_failures_in_a_row_and_it_turns_away() -> None:
    session = duel(
        fighter(survival=1), fighter(), place(person("riding_horse"), "party", who="horse"), mine={"rides": "horse"}
    )
    for rides in ("horse", ""):
        go(session, "table.rule", who="ann", field="ap", value="3", reason="a turn")
        act(session, "control", faces=[[3]])
        assert status(session).rides == rides
    assert session.scene["horse"].side != "party"


@pytest.mark.rule("stage.mount.defend")
def test_a_mount_dodges_for_its_rider_with_the_riders_survival() -> None:
    nimble = person("riding_horse", skills=person("riding_horse").skills.put("agility", 4))
    session = duel(
        fighter(survival=2),
        fighter(),
        place(nimble, "party", who="horse"),
        mine={"rides": "horse", "ap": 0},
        turn="bob",
    )
    act(
        session,
        "attack:ann:spear",
        who="bob",
        faces=[[6, 6], [5, 5]],
        choices={"dice for the first roll": "2", "how to defend": "nothing", "defend your neighbour": "dodge+mount"},
    )
    assert not events(session, "Attacked")[0].hit
    assert status(session, "horse").ap == 2
