"""`tablewright advise`: every option with its exact worth, the best one marked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.cells import cell_len

from each_case import each_case

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_the_shape_of_the_answer(tw: Runner) -> None:
    answer = tw("advise", "penny.bet", "purse=p10", "--json").json
    assert answer["mechanic"] == "penny.bet"
    assert answer["arguments"] == {"purse": "p10", "limit": 2}
    assert answer["objective"] == "money"
    first, second = answer["choices"]
    assert first["question"] == "how much to stake"
    assert first["options"] == [
        {"option": 0, "value": 10.0, "exact": "10", "best": False},
        {"option": 1, "value": 10.25, "exact": "41/4", "best": False},
        {"option": 2, "value": 10.5, "exact": "21/2", "best": True},
    ]
    assert second["probability"] == 0.5
    assert [option["option"] for option in second["options"] if option["best"]] == ["double"]


def test_three_of_five_dice_to_hit_a_difficulty_of_ten(tw: Runner) -> None:
    answer = tw("advise", "stage.leveled", "dice=5", "difficulty=10", "--json").json
    options = answer["choices"][0]["options"]
    assert [option["option"] for option in options] == [1, 2, 3, 4, 5]
    assert [option["option"] for option in options if option["best"]] == [3]
    assert max(Fraction(option["exact"]) for option in options) == Fraction(35, 8)
    drawn = tw("advise", "stage.leveled", "dice=5", "difficulty=10")
    assert drawn.status == 0
    (best,) = [line for line in drawn.out.splitlines() if "best by" in line]
    assert best.split()[0] == "3"
    assert "35/8" in best


def test_a_mechanic_without_choices_says_so(tw: Runner) -> None:
    ran = tw("advise", "penny.toss", "coins=3")
    assert ran.status == 0
    assert ran.out
    assert tw("advise", "penny.toss", "coins=3", "--json").json["choices"] == []


@each_case("columns", [40, 80, 160])
@each_case(
    "words",
    [
        ("penny.bet", "purse=p10"),
        ("penny.bet", "purse=p10", "--objective", "loss"),
        ("stage.leveled", "dice=5", "difficulty=10"),
        ("stage.leveled", "dice=5", "difficulty=10", "--objective", "success"),
        ("renaissance.lucky_check", "target=50", "luck=3"),
    ],
)
def test_advice_fits_the_terminal(tw: Runner, words: tuple[str, ...], columns: int) -> None:
    for encoding in ("utf-8", "ascii"):
        ran = tw("advise", *words, columns=columns, encoding=encoding)
        assert (ran.status, ran.err) == (0, "")
        assert max(cell_len(line) for line in ran.out.splitlines()) <= columns


def test_situations_that_ask_the_same_are_drawn_once(tw: Runner) -> None:
    listed = tw("advise", "renaissance.lucky_check", "target=50", "luck=3", "--json").json["choices"]
    drawn = tw("advise", "renaissance.lucky_check", "target=50", "luck=3").out
    headlines = [line for line in drawn.splitlines() if "of the time" in line]
    assert 1 < len(headlines) < len(listed)


def test_an_unknown_objective_is_refused_with_the_nearest(tw: Runner) -> None:
    ran = tw("advise", "penny.bet", "purse=p10", "--objective", "mony")
    assert ran.status == 2
    assert '"money"' in ran.err
    assert tw("advise", "penny.duel").status == 2


def test_a_chance_is_ahead_of_another_by_points(tw: Runner) -> None:
    drawn = tw("advise", "marchen.which_core", "difficulty=difficult", "modifier=3")
    assert "58.33%" in drawn.out  # beside 50.00%
    assert "best by 8.33 points" in drawn.out
