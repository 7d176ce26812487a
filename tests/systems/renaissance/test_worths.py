"""The worth of results where a participant has to choose."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import Call, Mechanic, Playthrough, Roll, odds, play
from tablewright.game.system.registry import load_system
from tablewright.systems.renaissance.mechanics.attack import Attacked, Volleyed, attack, strikable, two_weapons
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.defences import Sides
from tablewright.systems.renaissance.mechanics.harm import Defence, Hurt, Kept, Strike, hurt, keep_up, worth
from tablewright.systems.renaissance.mechanics.luck import Contest, lucky_contest
from tablewright.systems.renaissance.mechanics.turn import (
    Bound,
    Initiative,
    Strained,
    Task,
    bind,
    initiative,
    resist,
    stress,
    task,
)
from tablewright.systems.renaissance.values import Grade, Lucky, Variable

MECHANICS = load_system("renaissance").mechanics


WORTHS: list[tuple[Mechanic[..., Any], Any, dict[str, Any]]] = [
    (initiative, Initiative(14, 2), {"worth": 90, "total": 14}),
    (stress, Strained(7, 2, True, 1), {"worth": -(70 + 60 + 30 + 60), "stress": 7, "traumas": 2}),
    (stress, Strained(7, 0, False, 0), {"worth": -70, "traumas": 0}),
    (resist, Kept(True, 2), {"worth": 1, "resisted": 1}),
    (resist, Kept(False, 3), {"worth": -3, "resisted": 0}),
    (keep_up, Kept(True, 2), {"worth": 1, "passed": 1}),
    (bind, Bound(True, 3, 1), {"worth": 30 + 40 - 60}),
    (bind, Bound(False, 0, 1), {"worth": -60}),
    (task, Task(Grade.NORMAL_SUCCESS, 30, 1), {"success": 1, "time": 30, "worth": 40}),
    (task, Task(Grade.NORMAL_FAILURE, 30, 1), {"success": 0, "time": 30, "worth": -60}),
    (hurt, Hurt(8, 1, True, False, 2), {"worth": 80 + 30 + 25 + 120, "damage": 8, "wounds": 1}),
    (
        attack,
        Attacked(True, "maim", True, True, False, 8, 1, True, True, 1, 2),
        {
            "worth": 80 + 30 + 25 + 120 + 60 + 60,
            "damage": 8,
            "hit": 1,
            "wounds": 1,
            "prone": 1,
            "felled": 1,
            "effect": 1,
        },
    ),
    (attack, Attacked(True, "maim", False, damage=8), {"worth": 80, "effect": 0, "prone": 0, "felled": 0}),
    (attack, Attacked(True, "mighty_blow", True, damage=8), {"worth": 80, "effect": 1}),
    (two_weapons, Volleyed(2, 15, 2, True, True), {"worth": 150 + 60 + 25 + 120, "damage": 15, "hits": 2, "felled": 1}),
    (lucky_contest, Contest(Variable.A_WINS, 1, 0), {"worth": 40, "win": 1, "no_defeat": 1}),
    (lucky_contest, Contest(Variable.BOTH_PARTIAL, 0, 1), {"worth": 110, "win": 0, "no_defeat": 1}),
    (lucky_contest, Contest(Variable.B_WINS, 0, 0), {"worth": 0, "win": 0, "no_defeat": 0}),
]


@pytest.mark.parametrize(
    ("mechanic", "result", "worths"),
    [pytest.param(*one, marks=pytest.mark.rule(*one[0].rules[:3])) for one in WORTHS],
)
def test_value_of_a_result(mechanic: Mechanic[..., Any], result: Any, worths: dict[str, Any]) -> None:
    assert {name: mechanic.objectives[name](result) for name in worths} == worths


@pytest.mark.rule("renaissance.luck.flip")
@pytest.mark.parametrize(
    ("grade", "found"),
    [
        (Grade.NORMAL_SUCCESS, (1, 0)),
        (Grade.EXCEPTIONAL_SUCCESS, (1, 1)),
        (Grade.CRITICAL_SUCCESS, (1, 1)),
        (Grade.NORMAL_FAILURE, (0, 0)),
    ],
)
def test_grading_of_a_check_with_luck(grade: Grade, found: tuple[int, int]) -> None:
    (check,) = [one for one in MECHANICS if one.name == "renaissance.gifted_check"]
    result = Lucky(grade, 2)
    assert (check.objectives["success"](result), check.objectives["exceptional"](result)) == found
    assert check.objectives["thrifty_success"](result) * 10 == 10 * found[0] - 2


@pytest.mark.rule("renaissance.injury.wounds", "renaissance.injury.knockdown", "renaissance.strike.knock_down")
def test_harm_adds_up() -> None:
    assert [worth(1, 0, False, False), worth(0, 1, False, False)] == [10, 30]
    assert [worth(0, 0, True, False), worth(0, 0, False, True), worth(1, 2, True, True)] == [
        25,
        120,
        10 + 60 + 25 + 120,
    ]


@pytest.mark.rule("renaissance.healing.binding")
def test_a_wound_that_is_not_bound_heals_nothing() -> None:
    assert play(bind(50), TypedDice([51])).result == Bound(False, 0, 0)
    assert play(bind(50), TypedDice([50, 7])).result == Bound(True, 7, 0)
    assert play(bind(50, minutes=10, steps=1), TypedDice([50, 7])).result == Bound(True, 7, 0, 15)


@pytest.mark.rule("renaissance.disease.course", "renaissance.chemical.framework")
def test_resisting_with_luck_and_without() -> None:
    assert odds(resist(60)).chance(lambda kept: kept == Kept(True, 0)) * 100 == 61
    lucky = odds(resist(60, luck=1), "resisted")
    swaps = sum([rolled > 60 >= (rolled % 10) * 10 + rolled // 10 for rolled in range(100)])
    assert lucky.chance(lambda kept: kept.passed) * 100 == 61 + swaps  # there are no penalties to ignore


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.strike.luck", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize(
    ("penalties", "luck", "daring", "options"),
    [
        (0, 0, 20, ["plain", "maim"]),
        (0, 1, 0, ["plain", "maim", "maim:ignore_penalties"]),  # there is nothing to ignore in a plain attack
        (10, 1, 0, ["plain", "plain:ignore_penalties", "maim", "maim:ignore_penalties"]),
        (0, 1, 20, ["plain", "plain:dare", "maim", "maim:ignore_penalties", "maim:dare"]),
        (
            0,
            2,
            20,
            ["plain", "plain:dare", "maim", "maim:ignore_penalties", "maim:dare", "maim:ignore_penalties:dare"],
        ),
    ],
)
def test_allowed_declarations(penalties: int, luck: int, daring: int, options: list[str]) -> None:
    offered = strikable((Strike("maim", -20),), penalties, luck, daring=daring, target=50)
    assert [one.id for one in offered] == options
    aimed = {one.id: one.target for one in offered}
    assert (aimed["plain"], aimed["maim"]) == (50, 30)
    assert aimed.get("maim:ignore_penalties", 50 + penalties) == 50 + penalties
    assert aimed.get("plain:dare", 70) == 70


def worths_of_roll(call: Call[Any], *answers: tuple[int, ...]) -> list[int]:
    """Worth of each face of the roll that follows these answers, for statistics of luck."""
    playing: Playthrough[Any] = Playthrough(call)
    for answer in answers:
        playing.answer(answer)
    assert isinstance(playing.question, Roll)
    assert playing.question.worth is not None
    return [playing.question.worth(face) for face in range(100)]


def test_the_luckiest_face_of_a_check_is_the_highest_success() -> None:
    attacked = clash(Sides(60, (Defence("fray", 40),)))
    attacks = worths_of_roll(attacked)
    assert attacks.index(max(attacks)) == 60
    assert attacks[:61] == sorted(set(attacks[:61]))
    assert set(attacks[61:]) == {0}
    defences = worths_of_roll(attacked, (35,))  # 36 to 40 beat it, 35 is rolled again
    assert [defences[face] > 0 for face in (34, 35, 36, 40, 41)] == [False, False, True, True, False]
    assert defences[34] < defences[35] == 0
    assert worths_of_roll(keep_up(45)) == [100] * 46 + [0] * 54


def test_a_failure_that_luck_can_flip_is_luckier_than_another() -> None:
    attacked = clash(Sides(60, (Defence("fray", 40),), luck=1, their_luck=1))
    attacks = worths_of_roll(attacked)
    assert attacks[60] == 290  # flipped it would be 6
    assert attacks[70] < attacks[95] == 7 * (50 + 4 * 59) // 10  # 95 can be flipped to 59, 70 to 7
    assert attacks[77] == attacks[99] == 0
    defences = worths_of_roll(attacked, (35,))
    assert defences[50] < 0 < defences[4]  # 4 can be flipped to 40
    assert defences[73] == (3 * -155 + 7 * 155) // 10  # 73 fails, 37 beats it
    assert defences[37] == 155
