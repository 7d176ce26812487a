"""`tablewright odds`: the shape of its JSON, and charts that fit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from each_case import each_case

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_the_answer_holds_every_outcome_with_its_exact_chance(tw: Runner) -> None:
    ran = tw("odds", "penny.total", "coins=2", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == {
        "mechanic": "penny.total",
        "arguments": {"coins": 2},
        "outcomes": [
            {"outcome": 2, "probability": 0.25, "exact": "1/4"},
            {"outcome": 3, "probability": 0.5, "exact": "1/2"},
            {"outcome": 4, "probability": 0.25, "exact": "1/4"},
        ],
        "mean": 3.0,
        "mean_exact": "3",
    }


def test_a_rule_that_rerolls_without_end_is_exact(tw: Runner) -> None:
    answer = tw("odds", "renaissance.opposed", "a=60", "b=65", "--json").json
    assert [row["exact"] for row in answer["outcomes"]] == ["3904/8613", "4709/8613"]
    assert answer["again"]["probability"] > 0
    assert "mean" not in answer


def test_defaults_are_among_the_arguments_and_records_are_objects(tw: Runner) -> None:
    answer = tw("odds", "penny.toss", "coins=1", "--json").json
    assert answer["arguments"] == {"coins": 1, "wanted": 1}
    assert answer["outcomes"][0]["outcome"] == {"won": False, "grade": "poor", "heads": 0, "bent": False}
    fields = {field["field"]: field for field in answer["fields"]}
    assert fields["won"]["exact"] == "1/2"
    assert fields["heads"]["mean"] == 0.5
    assert [row["outcome"] for row in fields["grade"]["outcomes"]] == ["poor", "fine"]


def test_choices_are_made_for_the_objective(tw: Runner) -> None:
    best = tw("odds", "penny.bet", "purse=p10", "--json").json
    assert (best["objective"], best["expected"], best["expected_exact"]) == ("money", 10.5, "21/2")
    assert best["arguments"] == {"purse": "p10", "limit": 2}
    other = tw("odds", "penny.bet", "purse=p10", "--objective", "loss", "--json").json
    assert other["objective"] == "loss"
    assert other["expected"] == -10


def test_an_objective_says_what_to_expect_also_where_nobody_chooses(tw: Runner) -> None:
    answer = tw("odds", "penny.toss", "coins=3", "--objective", "heads", "--json").json
    assert answer["expected_exact"] == "3/2"


def test_at_least_adds_the_chance_of_each_number_or_more(tw: Runner) -> None:
    rows = tw("odds", "penny.total", "coins=2", "--at-least", "--json").json["outcomes"]
    assert [row["at_least_exact"] for row in rows] == ["1", "3/4", "1/4"]
    assert tw("odds", "penny.duel", "--at-least").status == 2


@pytest.mark.parametrize(
    "words",
    [("penny.toss", "coins=9"), ("penny.bet", "purse=p7"), ("mars.check", "roll_value=r16", "difficulty=14")],
)
def test_the_order_is_stable_and_everything_sums_to_one(tw: Runner, words: tuple[str, ...]) -> None:
    here = tw("odds", *words, "--json")
    there = tw.interpreter("odds", *words, "--json", env={"PYTHONHASHSEED": "77"})
    assert here.out == there.out
    assert sum([Fraction(row["exact"]) for row in here.json["outcomes"]]) == 1


@each_case("columns", [20, 40, 80, 200])
@each_case(
    "words",
    [
        ("penny.toss", "coins=20"),
        ("penny.total", "coins=20"),
        ("penny.total", "coins=20", "--at-least"),
        ("penny.duel",),
        ("penny.bet", "purse=p10"),
    ],
)
def test_a_chart_fits_the_terminal_and_writes_plainly_where_it_must(
    tw: Runner, words: tuple[str, ...], columns: int
) -> None:
    for encoding in ("utf-8", "ascii", "latin-1"):
        ran = tw("odds", *words, encoding=encoding, columns=columns)
        assert (ran.status, ran.err) == (0, "")
        assert max(cell_len(line) for line in ran.out.splitlines()) <= columns
        assert "\x1b" not in ran.out


def test_the_chart_shows_each_outcome_with_percent_and_fraction(tw: Runner) -> None:
    lines = tw("odds", "penny.total", "coins=2").out.splitlines()
    (row,) = [line.split() for line in lines if line.split()[:1] == ["3"]]
    assert row[1] == "50.00%"
    assert row[-2:] == ["75.00%", "1/2"]


def test_the_chart_of_many_outcomes_stays_readable(tw: Runner) -> None:
    for words in (("stage.flat", "dice=5", "difficulty=10"), ("stage.leveled", "dice=30", "difficulty=9")):
        ran = tw("odds", *words)
        assert ran.status == 0
        assert len(ran.out.splitlines()) < 60


def test_colour_is_for_terminals_and_never_with_no_color(tw: Runner) -> None:
    ran = tw.process("odds", "penny.duel", env={"NO_COLOR": "1", "FORCE_COLOR": "1"})
    assert ran.status == 0
    assert "\x1b[3" not in ran.out


def test_dice_notation_is_answered_like_a_mechanic(tw: Runner) -> None:
    answer = tw("odds", "4d6kh3", "--json").json
    assert answer["notation"] == "4d6kh3"
    assert answer["mean_exact"] == "15869/1296"
    assert answer["outcomes"][-1] == {"outcome": 18, "probability": 21 / 1296, "exact": "7/432"}
    spaced = tw("odds", "2d6", "+", "3", "--json").json
    assert [row["outcome"] for row in spaced["outcomes"]] == list(range(5, 16))


def test_large_pools_are_charted_in_ranges_and_written_out_in_full(tw: Runner) -> None:
    chart = tw("odds", "1000d6")
    assert chart.status == 0
    assert len(chart.out.splitlines()) < 60
    whole = tw("odds", "100d6", "--json").json
    assert len(whole["outcomes"]) == 501
    assert sum([Fraction(row["exact"]) for row in whole["outcomes"]]) == 1


def test_records_within_records_have_columns_of_their_own(tw: Runner) -> None:
    for words in (("marchen.clash",), ("marchen.strike", "modifier=3", "dodge=1", "parry=2")):
        _, heads, *rows = tw("odds", *words).out.splitlines()
        assert "damage" in heads.split()
        assert "hurt" not in heads.split()
        assert all("%" in row for row in rows[:40])
        assert max(map(cell_len, rows)) <= 80
    below = tw("odds", "marchen.strike", "modifier=3", "dodge=1", "parry=2").out
    assert "hurt condition: " in below  # two records have one: each says which
    assert "back condition: " in below


def test_the_chance_is_shown_however_narrow_it_is(tw: Runner) -> None:
    _, _, *rows = tw("odds", "marchen.clash", columns=40).out.splitlines()
    assert all("%" in row for row in rows[:40])
    assert max(map(cell_len, rows)) <= 40
