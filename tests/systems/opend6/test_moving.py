"""Moving in a fight, what is free, catching and driving, and getting away."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, LEDGER, begin, fact, field, kinds, person, ruled
from systems.playing import answer, asked, last
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.opend6 import system
from tablewright.systems.opend6.status import level

UNSKILLED_TOO = {"untrained.modifier": 0}


def apart(
    metres: int, hero: dict[str, Any] = HERO, *, means: str = "", options: dict[str, Any] | None = None
) -> Session:
    """Two on a long field; at this table nothing is harder for want of a skill, unless something else is said."""
    session = begin(hero, FOE, **field(a="0,1", b=f"{metres},1"), options=UNSKILLED_TOO | (options or {}))
    if means:
        fact(session, "a", "movement", means)
    return session


def at(session: Session) -> str:
    """Position of the hero."""
    return str(session.scene["a"].position)


# ---------------------------------------------------------------------- walking and running


@pytest.mark.rule("opend6.free.movement", "opend6.action.move", "opend6.gap.movement.free")
def test_half_the_move_is_free_and_more_an_action() -> None:
    session = answer(apart(30), "1", "step:b")
    assert (at(session), session.scene["a"].status.left) == ("5,1", 1)
    assert "step" not in kinds(session)
    answer(session, "move:b")  # what was free is a part of it
    assert (at(session), session.scene["a"].status.left) == ("10,1", 0)
    assert "step" not in kinds(answer(apart(30, options={"move.always_action": True}), "1"))
    first = answer(apart(12), "2", "move::elsewhere", "4,1", "step:b")
    assert (at(first), first.scene["a"].status.moved) == ("9,1", 9), "the rest of a move is free"


@pytest.mark.rule("opend6.gap.movement.running", "opend6.gap.movement.maximum")
def test_running_takes_a_roll() -> None:
    session = answer(apart(50), "1", "run:b")
    assert asked(session) == ("2", "3", "4")
    assert at(answer(session, "4", [5, 5, 5])) == "40,1"
    assert at(answer(apart(50), "1", "run:b", "4", [4, 5, 5])) == "10,1"
    assert "5" in asked(answer(apart(50, options={"move.maximum": False}), "1", "run:b"))


@pytest.mark.rule("opend6.action.move", "opend6.gap.movement.maximum")
@pytest.mark.parametrize(("deed", "far"), [(("move:b",), 10), (("run:b", "4", [5, 5, 5]), 40)])
@pytest.mark.parametrize("before", [(), ("step:b",)])
def test_steps_are_a_part_of_how_far_a_character_goes_in_a_round(
    deed: tuple[Any, ...], far: int, before: tuple[str, ...]
) -> None:
    session = answer(apart(55), "1", *before, *deed)
    assert at(session) == f"{far},1"
    assert session.scene.turn == "b"  # and no step is left


@pytest.mark.rule("opend6.action.grab", "opend6.gap.manoeuvre.holding")
@pytest.mark.parametrize(("to", "held"), [("3,1", True), ("7,1", False)])
def test_a_character_who_goes_away_lets_go(to: str, held: bool) -> None:
    grab = ("grab:b:unarmed/hold", [5, 5, 5], [2, 2, 2], "arm")
    session = answer(apart(1), "2", *grab, "move::elsewhere", to)
    assert (session.scene["b"].status.grip is not None) is held


@pytest.mark.rule("opend6.gap.movement.terrain")
def test_rough_ground_takes_a_roll_and_a_metre_is_free() -> None:
    session = apart(30)
    fact(session, "a", "terrain", "rough")
    assert at(answer(session, "1", "step:b")) == "1,1"
    assert at(answer(session, "move:b", [3, 3, 3])) == "5,1"  # 9 against 10: half the way


@pytest.mark.rule("opend6.free.movement", "opend6.action.move")
@pytest.mark.parametrize(
    ("step", "move", "deeds", "where"),
    [
        ("1/2", 7, ("step:b",), "7,0"),  # 3.5 m of 7 m are free: seven squares of half a metre
        ("1/2", 7, ("step:b", "move:b"), "14,0"),
        ("2/5", 10, ("step::elsewhere", "12,0", "step:b"), "12,0"),  # 0.2 m of 5 m are left, and a square is 0.4 m
    ],
)
def test_squares_of_less_than_a_metre_are_counted_exactly(
    step: str, move: int, deeds: tuple[str, ...], where: str
) -> None:
    ground = {"kind": "grid", "size": [60, 1], "step": step}
    places = {"a": {"position": "0,0"}, "b": {"position": "59,0"}}
    assert at(answer(begin(person(move=move), FOE, ground=ground, places=places), "1", *deeds)) == where


@pytest.mark.rule("opend6.free.movement", "opend6.action.move")
def test_a_way_round_a_wall_counts_in_full() -> None:
    ground = {"kind": "grid", "size": [60, 5], "blocked": ["2,0", "2,1", "2,2"]}
    session = begin(HERO, FOE, ground=ground, places={"a": {"position": "1,1"}, "b": {"position": "30,1"}})
    answer(session, "1", "step::elsewhere", "3,1")  # 4 m round the wall, 2 m apart
    assert session.scene["a"].status.moved == 4


@pytest.mark.rule("opend6.gap.movement.fatigue")
def test_haste_tires_after_as_many_rounds_as_physique_has_dice() -> None:
    runner = person(attributes={"physique": "2D"}, skills={"running": "3D", "stamina": "2D"})
    session = apart(190, runner)
    for faces, where in (
        ([2, 2, 1], "20,1"),  # 5 against 5
        ([2, 2, 1], "40,1"),
        ([3, 2, 2], "50,1"),  # the third round: 7 against 5 + 3
        ([4, 4, 3], "70,1"),  # 11 against 5 + 6
    ):
        assert at(answer(session, "1", "run:b", "2", faces, "1", "stop")) == where
    answer(session, "1", "stop", "1", "stop", "1", "run:b", "2", [2, 2, 1])  # after a round of rest 5 is enough
    assert (at(session), session.scene["a"].status.raced) == ("90,1", 1)


# ---------------------------------------------------------------------- leaping, swimming and climbing


@pytest.mark.rule("opend6.gap.movement.jumping", "opend6.gap.movement.free")
def test_leaping() -> None:
    assert at(answer(apart(30), "1", "leap", "2", [5, 5, 5], "5,1")) == "5,1"
    short = answer(apart(30), "1", "leap", "2", [5, 5, 4])  # 14 against 5 + 10
    assert (at(short), short.scene["a"].status.left) == ("0,1", 0)  # over, without a place to land
    once = answer(apart(30), "3", "leap", "0", [5], "3,1")
    assert "leap" not in kinds(once)
    assert "move" in kinds(once)


@pytest.mark.rule("opend6.gap.movement.jumping")
def test_a_running_start_adds_five_a_round() -> None:
    data = LEDGER["opend6.gap.movement.jumping"].data
    session = apart(50, person(skills={"running": "3D"}))
    answer(session, "1", "run:b", "2", [2, 2, 1], "1", "stop", "2", "run:b", "2", [4, 2])  # two rounds of it
    assert session.scene["a"].status.run_up * data["run_up"] == data["most_run_up"]
    answer(session, "leap", "2", [3, 2], "45,1")  # 2D + 10 against 5 + 10
    assert (at(session), session.scene["a"].status.run_up) == ("45,1", 0)
    assert at(answer(apart(50), "2", "leap", "2", [3, 2])) == "0,1"


@pytest.mark.rule("opend6.gap.movement.swimming", "opend6.gap.movement.free")
def test_swimming_takes_a_roll_and_a_miss_hurts_and_makes_it_harder() -> None:
    session = answer(apart(30, means="swim"), "1")
    assert not kinds(session) & {"move", "run", "leap"}
    with pytest.raises(IllegalActionError, match="swimming"):
        session.rulebook.actions.check(session.scene, "a", ActionUse("move", "b"))
    answer(session, "swim:b", "2", [4, 3, 3])  # half of Move 10, twice: 5 + 5
    assert (at(session), session.scene["a"].status.missed) == ("10,1", 0)
    assert at(answer(apart(30, means="swim"), "1", "step:b")) == "2,1"
    missing = answer(apart(30, means="swim"), "1", "swim:b", "2", [3, 3, 3])  # 9 against 10
    assert LEDGER["opend6.gap.movement.swimming"].data["damage"] == "1D"
    answer(missing, [5], [2, 1, 1])  # 1D against Physique 3D: 5 - 4
    assert (at(missing), missing.scene["a"].status.missed) == ("0,1", 1)
    assert level(missing.scene, "a") == "stunned"
    answer(missing, "stop", "1", "stop", "1", "swim:b", "1", [4, 3])  # 2D while stunned: 7 against 5 + 3
    assert missing.scene["a"].status.missed == 2


@pytest.mark.rule("opend6.gap.movement.climbing")
@each_case(
    ("skills", "halves", "faces", "where"),
    [
        ({}, "0", [2, 2, 1], "5,1"),  # half of Move 10 without the skill, against 5
        ({}, "1", [5, 5, 5], "8,1"),  # three metres more, against 15
        ({}, "1", [5, 5, 4], "0,1"),
        ({"climbing": "4D"}, "0", [2, 1, 1, 1], "10,1"),
        ({"climbing": "4D"}, "1", [5, 5, 4, 1], "15,1"),
    ],
)
def test_climbing(skills: dict[str, str], halves: str, faces: list[int], where: str) -> None:
    assert at(answer(apart(50, person(skills=skills), means="climb"), "1", "climb:b", halves, faces)) == where


@pytest.mark.rule("opend6.untrained.modifier")
@each_case(
    ("means", "deed", "moved", "missed"),
    [
        ("climb", ("climb:b", "0"), "5,1", "0,1"),  # 5 and 5 more
        ("swim", ("swim:b", "1"), "5,1", "0,1"),
        ("", ("leap", "0"), "where to?", "0,1"),
        ("", ("run:b", "2"), "20,1", "10,1"),
    ],
)
def test_tasks_of_a_skill_are_harder_without_it(means: str, deed: tuple[str, ...], moved: str, missed: str) -> None:
    for faces, result in (([4, 3, 3], moved), ([3, 3, 3], missed)):
        session = answer(apart(50, means=means, options={"untrained.modifier": 5}), "1", *deed, faces)
        leaping = isinstance(session.question, Choice) and session.question.question == "where to?"
        assert result == ("where to?" if leaping else at(session))


# ---------------------------------------------------------------------- what is free, catching and driving


@pytest.mark.rule("opend6.free.definition", "opend6.free.list", "opend6.action.communicate")
def test_a_few_words_are_free_and_a_plan_is_not() -> None:
    session = answer(begin(HERO, FOE), "1", "speak", "glance", [3, 3, 3])
    assert session.scene["a"].status.left == 1
    assert answer(session, "communicate").scene["a"].status.left == 0


@pytest.mark.rule("opend6.free.list", "opend6.special.derived")
@pytest.mark.parametrize(("faces", "seen"), [([3, 3, 2], True), ([3, 2, 2], False)])
def test_a_glance_finds_anyone_who_hides_badly(faces: list[int], seen: bool) -> None:
    lurker = person(FOE, skills={"hide": "4D"})
    session = answer(begin(HERO, FOE, lurker, places={"c": {"hidden": True}}), "1", "glance", faces)  # against 2 x 4D
    assert session.scene["c"].hidden
    session.do("opend6.notice", who="a", total=int(last(session, "Checked").result))
    assert session.scene["c"].hidden is not seen


@pytest.mark.rule("opend6.action.catch", "opend6.gap.difficulty.catching", "opend6.untrained.modifier")
@each_case(
    ("deed", "said", "skills", "faces", "done"),
    [
        ("catch::14", "14", {"throwing": "4D"}, [3, 3, 3, 4], False),
        ("catch::14", "14", {"throwing": "4D"}, [3, 3, 4, 4], True),
        ("catch::5", "14", {"throwing": "4D"}, [2, 1, 1, 1], True),  # meant to be caught: nine less
        ("catch::8", "8", {"throwing": "3D"}, [4, 4, 4], False),  # 8 and 5 more without the skill
        ("catch::8", "8", {"throwing": "3D"}, [5, 4, 4], True),
    ],
)
def test_catching_takes_the_throwers_total_or_nine_less(
    deed: str, said: str, skills: dict[str, str], faces: list[int], done: bool
) -> None:
    session = begin(person(skills=skills), FOE)
    fact(session, "a", "thrown", said)
    answer(session, "1", deed, faces)
    assert last(session, "Taken").on == ("catches it" if done else "does not catch it")


@pytest.mark.rule("opend6.gap.movement.vehicles", "opend6.untrained.modifier")
@each_case(
    ("said", "harder", "faces", "kept"),
    [
        ("true", 0, [2, 2, 1], True),
        ("12", 0, [4, 4, 3], False),
        ("8", 5, [4, 4, 4], False),
        ("8", 5, [5, 4, 4], True),
    ],
)
def test_driving_and_stunts(said: str, harder: int, faces: list[int], kept: bool) -> None:
    session = begin(HERO, FOE, options={"untrained.modifier": harder})
    fact(session, "a", "vehicle", said)
    answer(session, "1", "vehicle_maneuver::charioteering", faces)
    assert ("in hand" in last(session, "Taken").on) is kept


@pytest.mark.rule("opend6.gap.encounter.fleeing", "opend6.gap.encounter.end")
def test_running_away_ends_the_fight() -> None:
    session = answer(begin(HERO, FOE), "1", "run_away", [2, 2, 1], "1", "stop", "1", "run_away", [2, 2, 2])
    assert session.scene.ended == "b win"


@pytest.mark.rule("opend6.untrained.exempt", "opend6.special.derived")
def test_nothing_is_harder_where_the_attribute_serves_as_well() -> None:
    session = answer(begin(HERO, FOE), "1", "run_away", [3, 2, 1])  # 6 against twice 3D of the foe
    assert not session.scene["a"].present
    held = begin(HERO, FOE)
    ruled(held, "a", "tangled", "9")
    assert last(answer(held, "1", "escape::slip", [3, 3, 3]), "Released").who == "a"


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
