"""Roll values, degrees and dice on the table: the worked examples, the printed tables, and bad input."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.mars.people import LEDGER
from systems.playing import examples
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.values import Contested, Degree, RollValue, Shown, degree_of

LETTERS = {"F": Degree.FAILURE, "G": Degree.GRAZE, "S": Degree.SUCCESS, "C": Degree.CRITICAL}


@pytest.mark.rule("mars.dice.notation")
@pytest.mark.parametrize(("text", "expect"), examples("mars.dice.notation"))
def test_notation_examples(text: str, expect: Any) -> None:
    value = RollValue.parse(text)
    assert (value.n, value.modifier, list(value.dice())) == (expect["n"], expect["modifier"], list(expect["dice"]))


@pytest.mark.rule("mars.dice.notation")
@pytest.mark.parametrize("text", ["R14+1", " r14 + 1 ", "r 14+1", "r14+01"])
def test_case_and_spaces_do_not_matter(text: str) -> None:
    assert RollValue.parse(text) == RollValue(14, 1)


@pytest.mark.rule("mars.dice.notation", "mars.dice.small_and_zero")
@each_case(
    "text",
    ["", "14", "r", "r-2", "r14+", "r1 4", "r14+1+1", "r14.5", "r９", "r14+1d6", "r201", "r9999", "rr14", "r14\n5"],
)
def test_invalid_roll_values_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        RollValue.parse(text)


@pytest.mark.rule("mars.dice.notation", "mars.dice.small_and_zero")
@hypothesis.example(200, 0)
@hypothesis.given(st.integers(0, 200), st.integers(-999, 999))
def test_the_printed_form_is_read_back(n: int, modifier: int) -> None:
    value = RollValue(n, modifier)
    assert RollValue.parse(str(value)) == value
    assert ("+0" in str(value)) is False


@pytest.mark.rule("mars.dice.decompose", "mars.dice.remainder_two")
@pytest.mark.parametrize(("given", "expect"), examples("mars.dice.decompose") + examples("mars.dice.remainder_two"))
def test_dice_examples(given: Any, expect: Any) -> None:
    assert list(RollValue(given["n"]).dice()) == list(expect["dice"])


@pytest.mark.rule("mars.dice.decompose", "mars.dice.remainder_two", "mars.dice.maximum")
@hypothesis.given(st.integers(0, 200).map(lambda half: half // 2 * 2))
def test_dice_of_even_values_add_up_and_are_sorted(n: int) -> None:
    dice = RollValue(n).dice()
    assert sum(dice) == n == RollValue(n).maximum
    assert list(dice) == sorted(dice, reverse=True)
    assert all(sides in (2, 4, 6, 8, 10, 12) for sides in dice)
    assert dice.count(12) == int(n % 10 == 2 and n >= 12)


@pytest.mark.rule("mars.dice.odd_values")
def test_odd_values() -> None:
    for name, dice in LEDGER["mars.dice.odd_values"].data.items():
        value = RollValue.parse(name)
        assert list(value.read_as("literal").dice()) == list(dice)
        assert value.read_as("even_plus_one") == RollValue(value.n - 1, 1)
        with pytest.raises(InvalidInputError, match=r"mars\.dice\.odd_values"):
            value.read_as("reject")
    assert RollValue(14).read_as("reject") == RollValue(14)
    assert RollValue(14).read_as("even_plus_one") == RollValue(14)


@pytest.mark.rule("mars.dice.table")
def test_printed_table_of_dice() -> None:
    for name, row in LEDGER["mars.dice.table"].data.items():
        dice = RollValue.parse(name).dice()
        kinds = "+".join(f"{dice.count(sides)}d{sides}" for sides in dict.fromkeys(dice))
        assert (kinds, len(dice)) == (row["dice"], row["count"])


@pytest.mark.rule("mars.dice.merge")
def test_merging() -> None:
    ((parts, expect),) = examples("mars.dice.merge")
    assert str(RollValue.merge(map(RollValue.parse, parts))) == expect
    assert RollValue.merge([RollValue(8, 1), RollValue(6, -3), 4]) == RollValue(14, 2)


@pytest.mark.rule("mars.dice.maximum", "mars.dice.minimum", "mars.dice.passive")
def test_maximum_minimum_and_passive_value() -> None:
    for rule_id, name in (
        ("mars.dice.maximum", "maximum"),
        ("mars.dice.minimum", "minimum"),
        ("mars.dice.passive", "passive"),
    ):
        for given, expect in examples(rule_id):
            assert getattr(RollValue.parse(given), name) == expect
    assert RollValue(10, 1).maximum == 11
    assert RollValue(8, -3).minimum == -2
    assert RollValue(15, -2).passive == 5


@pytest.mark.rule("mars.check.outcomes")
@pytest.mark.parametrize(("given", "expect"), examples("mars.check.outcomes"))
def test_degree_examples(given: Any, expect: str) -> None:
    assert degree_of(given["total"] - given["dv"]).value == expect


@pytest.mark.rule("mars.check.outcome_table")
def test_printed_table_of_outcomes() -> None:
    data = LEDGER["mars.check.outcome_table"].data
    for total, row in data["rows"].items():
        for difficulty, letter in zip(data["difficulties"], row, strict=True):
            assert degree_of(int(total) - difficulty) is LETTERS[letter]


@pytest.mark.rule("mars.opposed.contest")
@pytest.mark.parametrize(("given", "expect"), examples("mars.opposed.contest"))
def test_contest_examples(given: Any, expect: Any) -> None:
    contested = Contested.of(given["a"] - given["b"])
    assert (contested.a.value, contested.b.value, contested.winner) == (expect["a"], expect["b"], expect["winner"])


@pytest.mark.rule("mars.opposed.contest")
def test_seven_more_is_critical_in_a_contest_and_nothing_is_a_graze() -> None:
    assert Contested.of(7).a is Degree.CRITICAL
    assert Contested.of(6).a is Degree.SUCCESS
    assert Contested.of(-7) == (Degree.FAILURE, Degree.CRITICAL)
    assert all(Degree.GRAZE not in Contested.of(difference) for difference in range(-30, 31))


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.advantage")
@each_case("text", ["D10:3", "d1:1", "d12:12", "d12:1"])
def test_dice_on_the_table_are_written_and_read(text: str) -> None:
    assert str(Shown.parse(text)) == text.lower()


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.advantage")
@each_case(
    ("text", "reason"),
    [(text, "not possible") for text in ("d0:0", "d13:1", "d6:7", "d6:0")] + [(text, "") for text in ("d10", "3", "")],
)
def test_faces_that_no_die_can_show_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        Shown.parse(text)
    assert reason in str(refused.value)


@pytest.mark.rule("mars.dice.small_and_zero", "mars.gap.dice.appendix")
@each_case(
    ("value", "dice"),
    [*LEDGER["mars.dice.small_and_zero"].data.items(), *LEDGER["mars.gap.dice.appendix"].data.items()],
)
def test_roll_values_outside_the_printed_table(value: str, dice: Any) -> None:
    assert list(RollValue.parse(value).dice()) == list(dice)
