"""Odds as values: they compare, add, export themselves, and refuse what is not an outcome."""

from __future__ import annotations

import pickle
import sys
from fractions import Fraction
from types import ModuleType
from typing import Any, Literal

import pytest

import tablewright as tw
from tablewright.api.results import format_percent

CHECK = tw.odds("mars.check", "r16", 14)


def test_a_chance_is_an_exact_fraction_without_a_truth_value() -> None:
    chance = tw.odds("2d6") >= 10
    assert chance == Fraction(1, 6)
    assert type(chance.exact) is Fraction
    assert (str(chance), repr(chance), f"{chance}", f"{chance:.3f}") == ("16.67%", "16.67%", "16.67%", "0.167")
    assert chance < 0.2
    assert chance + Fraction(1, 6) == Fraction(1, 3)
    with pytest.raises(TypeError, match="compare it"):
        bool(chance)
    assert pickle.loads(pickle.dumps(chance)) == chance
    assert {chance: 1}[tw.Chance(1, 6)] == 1


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0, "0.00%"), (1, "100.00%"), (Fraction(1, 3), "33.33%"), (Fraction(1, 10**6), "0.0001%")],
)
def test_a_percentage_never_hides_a_chance(chance: Fraction | int, text: str) -> None:
    assert format_percent(chance) == text


def test_near_certainty_is_not_shown_as_certainty() -> None:
    assert format_percent(1 - Fraction(1, 10**6)) == ">99.99%"


def test_outcomes_are_found_by_name_value_and_in_order() -> None:
    assert [str(outcome.value) for outcome in CHECK] == ["failure", "graze", "success"]
    graze = CHECK.outcomes[1]
    assert CHECK["graze"] == CHECK["GRAZE"] == CHECK[graze] == Fraction(11, 20)
    assert CHECK["critical"] == 0
    assert "critical" not in CHECK
    assert "graze" in CHECK
    assert "grzae" not in CHECK
    assert dict(CHECK) == dict(CHECK.items())
    assert sum(chance.exact for chance in CHECK.values()) == 1


@pytest.mark.parametrize("wrong", ["grzae", "", 3, None, True, 1.5, ("graze",)])
def test_invalid_outcomes_are_refused(wrong: object) -> None:
    with pytest.raises(tw.BadInput, match="is not an outcome; there are failure, graze, success, critical") as refused:
        CHECK[wrong]
    assert refused.value.field == "outcome"
    with pytest.raises(tw.BadInput):
        wrong <= CHECK  # noqa: B015


def test_numbers_that_cannot_occur_have_no_chance_but_words_are_refused() -> None:
    assert tw.odds("2d6")[13] == 0
    assert (tw.odds("2d6") >= "7") == (tw.odds("2d6") >= 7)
    for wrong in (True, 7.5, "seven"):
        with pytest.raises(tw.BadInput, match="is not an outcome"):
            tw.odds("2d6")[wrong]


def test_degrees_are_ordered_as_declared() -> None:
    assert (CHECK >= "failure") == 1
    assert (CHECK >= "graze") == CHECK.at_least("graze")
    assert (CHECK > "graze") == CHECK["success"]
    assert (CHECK < "graze") == CHECK["failure"]
    assert CHECK.at_most("graze").exact == CHECK["failure"].exact + CHECK["graze"].exact
    assert str(CHECK.quantile(0.5).value) == "graze"
    better = tw.odds("mars.check", "r16", 10)
    assert (better > CHECK) > (better < CHECK)


def test_words_of_a_literal_are_ordered_as_declared() -> None:
    @tw.mechanic(rules=["demo.duel.fight"])
    async def duel() -> Literal["win", "tie", "lose"]:
        """Roll a die for the outcome."""
        return ("win", "tie", "lose")[(await tw.d(3)) - 1]

    odds = tw.odds(duel)
    assert odds.outcomes == ("win", "tie", "lose")
    assert (odds <= "tie") == Fraction(2, 3)


def test_yes_and_no_have_a_mean() -> None:
    @tw.mechanic(rules=["demo.coin.toss"])
    async def toss() -> bool:
        """Toss a coin."""
        return await tw.d(2) == 2

    assert tw.odds(toss).mean == Fraction(1, 2)
    assert tw.odds(toss)[True] == tw.odds(toss)["true"] == Fraction(1, 2)
    assert repr(tw.odds(toss)) == "<Odds demo.toss(): no 50.0%, yes 50.0%>"


def test_odds_add_like_dice() -> None:
    d6 = tw.odds("1d6")
    assert d6 + d6 == tw.odds("2d6") == 2 @ d6 == d6 + "1d6" == "1d6" + d6
    assert (d6 + 3).label == "d6 + 3"
    assert (3 - d6).outcomes == (-3, -2, -1, 0, 1, 2)
    assert ((d6 + 1) * 2).label == "(d6 + 1) * 2"
    assert (d6 * 2).mean == 7
    assert (-d6).mean == -d6.mean
    assert (d6 - d6 >= 1) == (d6 > tw.odds("1d6"))
    assert (d6 > "1d4") == Fraction(7, 12)
    assert hash(d6 + d6) == hash(tw.odds("2d6"))
    with pytest.raises(tw.BadInput, match="these outcomes are not numbers"):
        CHECK + 1


def test_other_odds_follow_from_odds() -> None:
    d6 = tw.odds("1d6")
    assert d6.map(lambda face: face > 4)[True] == Fraction(1, 3)
    assert d6.given(lambda face: face > 4).mean == Fraction(11, 2)
    assert d6.chance(lambda face: face % 2 == 0) == Fraction(1, 2)
    assert d6.variance == Fraction(35, 12)
    assert d6.at_least(5) == d6.at_most(2) == Fraction(1, 3)


def test_a_part_of_a_result_is_named() -> None:
    blow = tw.odds("mars.attack", attack="r16", deflection="r10", damage_roll="r14", reduction=2)
    assert blow.of("damage").numeric
    assert (blow.of("degree") >= "graze") > 0
    with pytest.raises(tw.BadInput, match=r'no part "damge"; .* did you mean "damage"'):
        blow.of("damge")
    with pytest.raises(tw.BadInput, match="have no order"):
        blow >= blow.outcomes[0]  # noqa: B015


def test_odds_are_immutable_and_picklable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        CHECK.label = "x"
    again = pickle.loads(pickle.dumps(CHECK))
    assert again == CHECK
    assert (again.label, again >= "graze") == (CHECK.label, CHECK >= "graze")


def test_results_export_themselves(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    odds = tw.odds("1d4")
    assert odds.to_dict() == {"outcome": [1, 2, 3, 4], "chance": [0.25] * 4, "at least": [1.0, 0.75, 0.5, 0.25]}
    assert odds.to_csv(tmp_path / "odds.csv").splitlines()[:2] == ["outcome,chance,at least", "1,0.25,1.0"]
    assert (tmp_path / "odds.csv").read_text(encoding="utf-8") == odds.to_csv()
    assert odds._repr_html_().startswith("<table><caption>d4</caption>")
    picture = odds._repr_png_()
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    odds.save_plot(tmp_path / "odds.svg")
    assert "<svg" in (tmp_path / "odds.svg").read_text(encoding="utf-8")
    with pytest.raises(tw.BadInput, match=r"ends in none of \.png, \.svg, \.pdf"):
        odds.save_plot(tmp_path / "odds.gif")
    with pytest.raises(tw.BadInput, match="cannot be written"):
        odds.to_csv(tmp_path / "nowhere" / "odds.csv")
    assert odds.plot().get_title() == "d4"
    assert odds.chart().splitlines()[0] == "1  25.00% " + "█" * 40


def test_frames_are_those_of_the_installed_library(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [ModuleType("pandas"), ModuleType("polars")]
    for module in frames:
        setattr(module, "DataFrame", lambda columns, name=module.__name__: (name, columns))  # noqa: B010
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", frames[1])
    columns = CHECK.to_dict()
    assert CHECK.to_frame() == ("polars", columns)
    monkeypatch.setitem(sys.modules, "pandas", frames[0])
    assert CHECK.to_frame() == ("pandas", columns)
    assert CHECK.to_frame("polars") == ("polars", columns)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(tw.TablewrightError, match="a frame needs polars: pip install polars"):
        CHECK.to_frame("polars")
    with pytest.raises(tw.BadInput, match='did you mean "pandas"'):
        CHECK.to_frame("panda")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "args", "message"),
    [
        ("mars.chekc", (), 'did you mean "mars.check"'),
        ("mrs.check", (), 'did you mean "mars"'),
        ("4d6", (3,), "takes no arguments"),
        ("mars.check", ("r16",), "needs difficulty"),
        ("mars.check", ("r16", "x"), "allowed is a whole number"),
        (CHECK, (), "neither a mechanic nor dice"),
        (7, (), "neither a mechanic nor dice"),
        (tw.mars.check("r16", 14), (1,), "is a call already"),
        ("", (), "dice"),
    ],
)
def test_a_wrong_question_is_refused(what: Any, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(tw.BadInput, match=message):
        tw.odds(what, *args)


def test_too_much_is_refused_by_its_own_error() -> None:
    @tw.mechanic(rules=["demo.heap.count"])
    async def heap() -> int:
        """Throw forty dice one after the other and remember each."""
        total = 0
        for place in range(40):
            total += 7**place * await tw.d(6)
        return total

    with pytest.raises(tw.TooMuch):
        tw.odds(heap)


def test_a_roll_is_played_again_from_its_record() -> None:
    first = tw.roll("mars.check", "r16", 14, seed=1)
    assert tw.replay("mars.check", "r16", 14, record=first.record) == first
    assert first == tw.roll(tw.mars.check("r16", 14), seed=1)
    assert tw.roll("2d6", faces=[3, 5]).faces == (3, 5)
    assert tw.roll("2d6").result in range(2, 13)
    assert str(tw.roll("2d6", faces=[3, 5])) == "8"
    assert repr(tw.roll("2d6", faces=[3, 5])) == "<Played 2d6: 8 (3 5)>"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"faces": [3]}, "needs another d6"),
        ({"faces": [3, 4, 5]}, "face"),
        ({"faces": [3, 7]}, "d6 shows 1 to 6"),
        ({"faces": [3, 4], "seed": 1}, "cannot be used together"),
        ({"seed": -1}, "the seed is -1"),
        ({"seed": "x"}, "the seed is 'x'"),
    ],
)
def test_a_wrong_roll_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tw.BadInput, match=message):
        tw.roll("2d6", **given)


def test_choices_of_a_roll_are_answered_by_their_first_words() -> None:
    three = tw.roll("stage.leveled", dice=6, difficulty=10, seed=1, choose={"dice for": 3})
    assert "3" in three.record
    with pytest.raises(tw.BadInput, match="unknown option"):
        tw.roll("stage.leveled", dice=6, difficulty=10, seed=1, choose={"dice for": 9})


def test_advice_names_the_best_option_and_the_value_of_each() -> None:
    advice = tw.advise("stage.leveled", dice=6, difficulty=10)
    assert advice.best.id == "3"
    assert advice[advice.best] == advice.value == max(advice.exact.values())
    assert advice.table.column("advice").count("best") == 1
    assert tw.advise(tw.stage.leveled(6, 10)) == advice
    with pytest.raises(tw.BadInput, match="is not an option"):
        advice["7"]
    nothing = tw.advise("mars.check", "r16", 14, objective="success")
    assert nothing.question == ""
    with pytest.raises(tw.BadInput, match="nothing is asked"):
        nothing.best  # noqa: B018
    with pytest.raises(tw.BadInput, match="asks nothing"):
        tw.advise("2d6")


def test_advice_over_an_unknown_value_is_an_average_with_its_curve() -> None:
    advice = tw.advise("stage.leveled", dice=4, difficulty="6..14..4")
    assert advice.curve is not None
    assert advice.table is advice.curve
    assert advice.table.columns == ("difficulty", "1", "2", "3", "4", "best")
    assert advice.table.column("best") == ("2", "3", "3")
    known = [tw.advise("stage.leveled", dice=4, difficulty=difficulty) for difficulty in (6, 10, 14)]
    assert advice["2"] == sum([one["2"] for one in known], Fraction(0)) / 3
    assert advice == tw.advise("stage.leveled", 4, difficulty=[6, 10, 14], weights=[1, 1, 1])
    assert tw.advise("stage.leveled", 4, difficulty=[6, 10, 14], weights=[1, 2, 1]).best.id == "3"
    assert known[0].curve is None
    with pytest.raises(tw.BadInput, match="nothing is unknown"):
        tw.advise("stage.leveled", 4, difficulty=8, weights="even")


def test_tables_hold_the_exact_odds() -> None:
    table = tw.odds_table("mars.check", "r16", difficulty=[8, 14])
    assert table.columns == ("difficulty", "failure", "graze", "success", "critical")
    assert table.column("graze")[1] == CHECK["graze"]
    assert [row["difficulty"] for row in table] == [8, 14]
    assert table == tw.odds_table(tw.mars.check, roll_value="r16", difficulty="8..14..6")
    with pytest.raises(tw.BadInput, match='did you mean "graze"'):
        table.column("grazes")
    with pytest.raises(tw.BadInput, match="was given twice"):
        tw.odds_table("mars.check", "r16", roll_value="r16", difficulty="8..14")
    with pytest.raises(tw.BadInput, match="is not a mechanic"):
        tw.odds_table(7)  # type: ignore[arg-type]
    assert len(table.plot().get_lines()) + len(table.plot().containers) == 4


def test_comparisons_hold_differences() -> None:
    table = tw.compare("mars.check", {"advantage": 1}, roll_value="r16", difficulty=14, view="at_least")
    first, second = table.column("≥ graze")
    assert table.column("≥ graze (difference)") == (0, second.exact - first.exact)
    with pytest.raises(tw.BadInput, match="name what to compare with"):
        tw.compare("mars.check", roll_value="r16", difficulty=14)
    with pytest.raises(tw.BadInput, match="did you mean"):
        tw.compare("mars.contest", a="r16", b="r10", option="contest_tye")
