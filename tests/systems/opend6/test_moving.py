"""Moving in a fight, and what is free."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import FOE, HERO, LEDGER, begin, fact, person, ruled
from systems.playing import answer, asked, last
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.opend6 import system
from tablewright.systems.opend6.status import level

# ---------------------------------------------------------------------- moving and free actions


UNSKILLED_TOO = {"untrained.modifier": 0}


def field(metres: int, hero: dict[str, Any] = HERO, options: dict[str, Any] | None = None, **more: Any) -> Session:
    """Two on a long field; at this table nothing is harder for want of a skill, unless something else is said."""
    return begin(
        hero,
        FOE,
        ground={"kind": "grid", "size": [60, 3]},
        places={"a": {"position": "0,1"}, "b": {"position": f"{metres},1"}},
        options=UNSKILLED_TOO | (options or {}),
        **more,
    )


@pytest.mark.rule("opend6.free.movement", "opend6.action.move", "opend6.gap.movement.free")
def test_half_the_move_is_free_and_more_an_action() -> None:
    session = field(30)
    answer(session, "1", "step:b")
    assert (str(session.scene["a"].position), session.scene["a"].status.left) == ("5,1", 1)
    assert not [name for name in asked(session) if name.startswith("step")]
    answer(session, "move:b")  # what was free is a part of it
    assert (str(session.scene["a"].position), session.scene["a"].status.left) == ("10,1", 0)
    always = field(30, options={"move.always_action": True})
    answer(always, "1")
    assert not [name for name in asked(always) if name.startswith("step")]


@pytest.mark.rule("opend6.gap.movement.running", "opend6.gap.movement.maximum")
def test_running_takes_a_roll() -> None:
    session = field(50)
    answer(session, "1", "run:b")
    assert asked(session) == ("2", "3", "4")
    answer(session, "4", [5, 5, 5])
    assert str(session.scene["a"].position) == "40,1"
    slow = field(50)
    answer(slow, "1", "run:b", "4", [4, 5, 5])
    assert str(slow.scene["a"].position) == "10,1"
    free = field(50, options={"move.maximum": False})
    answer(free, "1", "run:b")
    assert "5" in asked(free)


@pytest.mark.rule("opend6.action.move", "opend6.gap.movement.maximum")
@pytest.mark.parametrize(("deed", "far"), [(("move:b",), 10), (("run:b", "4", [5, 5, 5]), 40)])
def test_steps_are_a_part_of_how_far_a_character_goes_in_a_round(deed: tuple[Any, ...], far: int) -> None:
    for before in ((), ("step:b",)):
        session = field(55)
        answer(session, "1", *before, *deed)
        assert str(session.scene["a"].position) == f"{far},1"
        assert session.scene.turn == "b"  # and no step is left


@pytest.mark.rule("opend6.action.move")
def test_the_rest_of_a_move_that_took_an_action_is_free() -> None:
    session = field(12)
    answer(session, "2", "move::elsewhere", "4,1", "step:b")
    assert (str(session.scene["a"].position), session.scene["a"].status.moved) == ("9,1", 9)


@pytest.mark.rule("opend6.gap.movement.free", "opend6.gap.movement.jumping")
def test_one_jump_in_a_round() -> None:
    session = field(30)
    answer(session, "3", "leap", "0", [5], "3,1")
    assert "leap" not in asked(session)
    assert "move:b" in asked(session)


@pytest.mark.rule("opend6.action.grab", "opend6.gap.manoeuvre.holding")
@pytest.mark.parametrize(("to", "held"), [("3,1", True), ("7,1", False)])
def test_a_character_who_goes_away_lets_go(to: str, held: bool) -> None:
    session = field(1)
    answer(session, "2", "grab:b:unarmed/hold", [5, 5, 5], [2, 2, 2], "arm", "move::elsewhere", to)
    assert (session.scene["b"].status.grip is not None) is held


@pytest.mark.rule("opend6.gap.movement.terrain")
def test_rough_ground_takes_a_roll_and_a_metre_is_free() -> None:
    session = field(30)
    fact(session, "a", "terrain", "rough")
    answer(session, "1", "step:b")
    assert str(session.scene["a"].position) == "1,1"
    answer(session, "move:b", [3, 3, 3])  # 9 against 10: half the way
    assert str(session.scene["a"].position) == "5,1"


@pytest.mark.rule("opend6.gap.movement.jumping")
def test_leaping() -> None:
    session = field(30)
    answer(session, "1", "leap", "2", [5, 5, 5], "5,1")
    assert str(session.scene["a"].position) == "5,1"
    short = field(30)
    answer(short, "1", "leap", "2", [5, 5, 4])  # 14 against 5 + 10
    assert (str(short.scene["a"].position), short.scene["a"].status.left) == ("0,1", 0)  # over, without a place to land


@pytest.mark.rule("opend6.free.definition", "opend6.free.list", "opend6.action.communicate")
def test_a_few_words_are_free_and_a_plan_is_not() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "speak")
    assert session.scene["a"].status.left == 1
    answer(session, "glance", [3, 3, 3])
    assert session.scene["a"].status.left == 1
    answer(session, "communicate")
    assert session.scene["a"].status.left == 0


@pytest.mark.rule("opend6.action.catch")
def test_catching_what_was_thrown() -> None:
    session = begin(HERO, FOE)
    fact(session, "a", "thrown", "14")
    answer(session, "1")
    assert {"catch::14", "catch::5"} <= set(asked(session))
    answer(session, "catch::14", [4, 4, 3, 3])
    assert "catches it" in last(session, "Taken").on


@pytest.mark.rule("opend6.gap.encounter.fleeing", "opend6.gap.encounter.end")
def test_running_away_ends_the_fight() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "run_away", [2, 2, 1], "1", "stop", "1", "run_away", [2, 2, 2])
    assert session.scene.ended == "b win"


@pytest.mark.rule("opend6.action.list")
def test_every_action_of_the_list_can_be_taken() -> None:
    words = {
        "ready a weapon": "ready_weapon",
        "throw a weapon or object": "throw",
        "use a skill or ability": "use_skill",
        "waiting": "wait",
    }
    for row in LEDGER["opend6.action.list"].data["actions"]:
        name = words.get(row["name"].lower(), row["name"].lower().replace(" ", "_"))
        assert name in system.rulebook.actions.by_id, row["name"]


# ---------------------------------------------------------------------- swimming, climbing, haste


@pytest.mark.rule("opend6.gap.movement.swimming")
def test_swimming_takes_a_roll_and_a_miss_hurts_and_makes_it_harder() -> None:
    data = LEDGER["opend6.gap.movement.swimming"].data
    session = field(30)
    fact(session, "a", "movement", "swim")
    answer(session, "1")
    assert not [name for name in asked(session) if name.startswith(("move", "run:", "leap"))]
    with pytest.raises(IllegalActionError, match="swimming"):
        session.rulebook.actions.check(session.scene, "a", ActionUse("move", "b"))
    answer(session, "swim:b", "2", [4, 3, 3])  # half of Move 10, twice: 5 + 5
    assert (str(session.scene["a"].position), session.scene["a"].status.missed) == ("10,1", 0)
    missing = field(30)
    fact(missing, "a", "movement", "swim")
    answer(missing, "1", "swim:b", "2", [3, 3, 3])  # 9 against 10
    assert data["damage"] == "1D"
    answer(missing, [5], [2, 1, 1])  # 1D against Physique 3D: 5 - 4
    assert (str(missing.scene["a"].position), missing.scene["a"].status.missed) == ("0,1", 1)
    assert level(missing.scene, "a") == "stunned"
    answer(missing, "stop", "1", "stop", "1", "swim:b", "1", [4, 3])  # 2D while stunned: 7 against 5 + 3
    assert missing.scene["a"].status.missed == 2


@pytest.mark.rule("opend6.gap.movement.swimming", "opend6.gap.movement.free")
def test_half_of_the_swimming_move_is_free() -> None:
    session = field(30)
    fact(session, "a", "movement", "swim")
    answer(session, "1", "step:b")
    assert str(session.scene["a"].position) == "2,1"


@pytest.mark.rule("opend6.gap.movement.climbing")
@pytest.mark.parametrize(
    ("skills", "halves", "faces", "at"),
    [
        ({}, "0", [2, 2, 1], "5,1"),  # half of Move 10 without the skill, against 5
        ({}, "1", [5, 5, 5], "8,1"),  # three metres more, against 15
        ({}, "1", [5, 5, 4], "0,1"),
        ({"climbing": "4D"}, "0", [2, 1, 1, 1], "10,1"),
        ({"climbing": "4D"}, "1", [5, 5, 4, 1], "15,1"),
    ],
)
def test_climbing(skills: dict[str, str], halves: str, faces: list[int], at: str) -> None:
    session = field(50, hero=person(skills=skills))
    fact(session, "a", "movement", "climb")
    answer(session, "1", "climb:b", halves, faces)
    assert str(session.scene["a"].position) == at


@pytest.mark.rule("opend6.gap.movement.fatigue")
def test_haste_tires_after_as_many_rounds_as_physique_has_dice() -> None:
    session = begin(
        person(attributes={"physique": "2D"}, skills={"running": "3D", "stamina": "2D"}),
        FOE,
        ground={"kind": "grid", "size": [200, 3]},
        places={"a": {"position": "0,1"}, "b": {"position": "190,1"}},
    )
    for _ in range(2):
        answer(session, "1", "run:b", "2", [2, 2, 1], "1", "stop")  # 5 against 5
    assert (str(session.scene["a"].position), session.scene["a"].status.raced) == ("40,1", 2)
    answer(session, "1", "run:b", "2", [3, 2, 2], "1", "stop")  # the third round: 7 against 5 + 3
    assert str(session.scene["a"].position) == "50,1"
    answer(session, "1", "run:b", "2", [4, 4, 3], "1", "stop")  # 11 against 5 + 6
    assert str(session.scene["a"].position) == "70,1"
    answer(session, "1", "stop", "1", "stop", "1", "run:b", "2", [2, 2, 1])  # after a round of rest 5 is enough
    assert (str(session.scene["a"].position), session.scene["a"].status.raced) == ("90,1", 1)


@pytest.mark.rule("opend6.gap.movement.jumping")
def test_a_running_start_adds_five_a_round() -> None:
    data = LEDGER["opend6.gap.movement.jumping"].data
    session = field(50, hero=person(skills={"running": "3D"}))
    answer(session, "1", "run:b", "2", [2, 2, 1], "1", "stop", "2", "run:b", "2", [4, 2])  # two rounds of it
    assert session.scene["a"].status.run_up * data["run_up"] == data["most_run_up"]
    answer(session, "leap", "2", [3, 2], "45,1")  # 2D + 10 against 5 + 10
    assert (str(session.scene["a"].position), session.scene["a"].status.run_up) == ("45,1", 0)
    standing = field(50)
    answer(standing, "2", "leap", "2", [3, 2])
    assert str(standing.scene["a"].position) == "0,1"


@pytest.mark.rule("opend6.gap.movement.vehicles")
@pytest.mark.parametrize(("said", "faces", "kept"), [("true", [2, 2, 1], True), ("12", [4, 4, 3], False)])
def test_driving_and_stunts(said: str, faces: list[int], kept: bool) -> None:
    session = begin(HERO, FOE, options=UNSKILLED_TOO)
    fact(session, "a", "vehicle", said)
    answer(session, "1", "vehicle_maneuver::charioteering", faces)
    assert ("in hand" in last(session, "Taken").on) is kept


@pytest.mark.rule("opend6.untrained.modifier")
@pytest.mark.parametrize(
    ("means", "skill", "asked_for", "faces"),
    [
        ("climb", "climbing", ("climb:b", "0"), [4, 3, 3]),  # 5 and 5 more
        ("swim", "swimming", ("swim:b", "1"), [4, 3, 3]),
        ("", "jumping", ("leap", "0"), [4, 3, 3]),
        ("", "running", ("run:b", "2"), [4, 3, 3]),
    ],
)
@pytest.mark.parametrize("short", [0, 1])
def test_tasks_of_a_skill_are_harder_without_it(
    means: str, skill: str, asked_for: tuple[str, ...], faces: list[int], short: int
) -> None:
    session = field(50, options={"untrained.modifier": 5})
    if means:
        fact(session, "a", "movement", means)
    answer(session, "1", *asked_for, [faces[0] - short, *faces[1:]])
    far = isinstance(session.question, Choice) and session.question.question == "where to?"
    covered = str(session.scene["a"].position)
    assert (far or covered == ("20,1" if skill == "running" else "5,1")) is not bool(short)
    assert (covered == "10,1") is (skill == "running" and bool(short))


@pytest.mark.rule("opend6.untrained.modifier", "opend6.action.catch")
@pytest.mark.parametrize(("trained", "faces", "caught"), [("3D", [4, 4, 4], False), ("3D", [5, 4, 4], True)])
def test_catching_and_driving_are_harder_without_the_skill(trained: str, faces: list[int], caught: bool) -> None:
    session = begin(person(skills={"throwing": trained}), FOE)
    fact(session, "a", "thrown", "8")
    fact(session, "a", "vehicle", "8")
    answer(session, "1", "catch::8", faces)
    assert (last(session, "Taken").on == "catches it") is caught
    driving = begin(HERO, FOE)
    fact(driving, "a", "vehicle", "8")
    answer(driving, "1", "vehicle_maneuver::charioteering", faces)
    assert ("in hand" in last(driving, "Taken").on) is caught


@pytest.mark.rule("opend6.untrained.exempt", "opend6.special.derived")
def test_nothing_is_harder_where_the_attribute_serves_as_well() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "run_away", [3, 2, 1])  # 6 against twice 3D of the foe
    assert not session.scene["a"].present
    held = begin(HERO, FOE)
    ruled(held, "a", "tangled", "9")
    answer(held, "1", "escape::slip", [3, 3, 3])
    assert last(held, "Released").who == "a"


@pytest.mark.rule("opend6.free.list", "opend6.special.derived")
@pytest.mark.parametrize(("faces", "seen"), [([3, 3, 2], True), ([3, 2, 2], False)])
def test_a_glance_finds_anyone_who_hides_badly(faces: list[int], seen: bool) -> None:
    lurker = person(FOE, skills={"hide": "4D"})
    session = begin(HERO, FOE, lurker, places={"c": {"hidden": True}})
    answer(session, "1", "glance", faces)  # against 2 x 4D
    assert session.scene["c"].hidden
    session.do("opend6.notice", who="a", total=int(last(session, "Checked").result))
    assert session.scene["c"].hidden is not seen


@pytest.mark.rule("opend6.free.movement", "opend6.action.move")
def test_half_metres_of_free_movement_count() -> None:
    slow = person(HERO, move=7)
    ground = {"kind": "grid", "size": [60, 1], "step": "1/2"}
    places = {"a": {"position": "0,0"}, "b": {"position": "59,0"}}
    session = begin(slow, FOE, ground=ground, places=places)
    answer(session, "1", "step:b")
    assert str(session.scene["a"].position) == "7,0", "3.5 m of 7 m are free: seven squares of half a metre"
    assert not [name for name in asked(session) if name.startswith("step")]
    answer(session, "move:b")
    assert str(session.scene["a"].position) == "14,0", "and the other 3.5 m with an action"


@pytest.mark.rule("opend6.free.movement")
def test_squares_of_less_than_half_a_metre_are_not_rounded_down() -> None:
    ground = {"kind": "grid", "size": [60, 1], "step": "2/5"}
    places = {"a": {"position": "0,0"}, "b": {"position": "59,0"}}
    session = begin(HERO, FOE, ground=ground, places=places)
    answer(session, "1", "step::elsewhere", "12,0")  # 4.8 m of 5 m
    answer(session, "step:b")
    assert str(session.scene["a"].position) == "12,0", "0.2 m are left, and a square is 0.4 m"


@pytest.mark.rule("opend6.free.movement", "opend6.action.move")
def test_a_way_round_a_wall_counts_in_full() -> None:
    wall = [f"2,{row}" for row in (0, 1, 2)]
    ground = {"kind": "grid", "size": [60, 5], "blocked": wall}
    session = begin(HERO, FOE, ground=ground, places={"a": {"position": "1,1"}, "b": {"position": "30,1"}})
    answer(session, "1", "step::elsewhere", "3,1")  # 4 m round the wall, 2 m apart
    assert session.scene["a"].status.moved == 4
