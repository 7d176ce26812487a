"""Die codes, levels and simplification: the worked examples, the printed tables, and bad input."""

from __future__ import annotations

import pytest

from each_case import each_case
from systems.playing import examples
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.opend6.mechanics.checks import difficulty_level
from tablewright.systems.opend6.values import DieCode, Level, Severity, most_character_points, simplified

LEDGER = Ledger.load("opend6")
C = DieCode.parse


@pytest.mark.rule("opend6.dice.die_code")
def test_notation() -> None:
    for text in LEDGER["opend6.dice.die_code"].data["notation"]:
        assert str(C(text)) == text
    assert C(" 4d + 1 ") == DieCode(4, 1)
    assert C(str(DieCode(4, -1))) == DieCode(4, -1)


@each_case("text", ["", "D", "4", "4D+", "4D1", "-1D", "4D+1+1", "4 4D", "1000D", "101D", "4D+301", "４D"])
def test_invalid_die_codes_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        C(text)


@pytest.mark.rule("opend6.dice.die_code", "opend6.gap.dice.pips_per_die")
def test_pips_of_stored_codes_become_dice_and_dice_become_pips() -> None:
    for pips in range(30):
        stored = DieCode(2, pips).normalised()
        assert stored.pips in LEDGER["opend6.dice.die_code"].data["written_pips"]
        assert 3 * stored.dice + stored.pips == 6 + pips
    assert str(C("2D+2").plus(DieCode(0, 1)).normalised()) == "3D"
    assert str(C("4D").plus(DieCode(0, -1)).normalised()) == "3D+2"


@pytest.mark.rule("opend6.dice.bonus_die_code", "opend6.dice.bonus_number")
def test_bonuses() -> None:
    ((given, expect),) = examples("opend6.dice.bonus_die_code")
    rolled = C(given["skill_code"]).plus(C(given["equipment_bonus"]))
    assert (rolled.dice, rolled.dice - 1, rolled.pips) == (
        expect["dice_rolled"],
        expect["regular_dice"],
        expect["pips"],
    )
    assert str(C("4D+1").plus(C("1D+2"))) == "5D+3"
    assert C("4D").plus(3) == DieCode(4, 3)


@pytest.mark.rule("opend6.fate.double")
def test_a_fate_point_doubles_dice_and_pips() -> None:
    for given, expect in examples("opend6.fate.double"):
        code = C(given["skill_code"]).times(1 + given["fate_points"])
        assert (code.dice - 1, code.pips) == (expect["regular_dice"], expect["pips"])
        assert str(code) == expect.get("code", str(code))


@pytest.mark.rule("opend6.special.derived")
def test_derived_difficulty() -> None:
    given, expect = examples("opend6.special.derived")[0]
    assert C(given["target_attribute_Charisma"]).derived_difficulty == expect["difficulty"]
    assert C("3D+2").derived_difficulty == 8


@pytest.mark.rule("opend6.result.levels")
def test_levels_of_success() -> None:
    rows = LEDGER["opend6.result.levels"].data["levels"]
    assert [level.value for level in Level] == [row["level"].lower() for row in rows]
    for row in rows:
        for points in range(row["low"], (row["high"] if row["high"] is not None else 60) + 1):
            found = Level.of(points)
            assert found is not None
            assert found.value == row["level"].lower()
    assert Level.of(-1) is None


@pytest.mark.rule("opend6.wild.cf_complication")
def test_severity_of_complications() -> None:
    found = [Severity.of(points).value for points in (12, 0, -1, -5, -6, -20)]
    assert found == ["minor", "minor", "moderate", "moderate", "serious", "serious"]
    assert set(found) == set(LEDGER["opend6.wild.cf_complication"].data["severity_by_result_points"])


@pytest.mark.rule("opend6.simplify.chart", "opend6.simplify.quick", "opend6.gap.dice.simplification")
def test_fewer_dice_for_a_number_on_the_total() -> None:
    for row in LEDGER["opend6.simplify.chart"].data["chart_first_rows"]:
        code = DieCode(row["dice"], 2)
        assert simplified(code, "five_dice") == (DieCode(min(row["dice"], 5), 2), row["five_dice"])
        assert simplified(code, "wild_die_only") == (DieCode(1, 2), row["wild_die"])
        assert simplified(code, "none") == (code, 0)
    for dice, bonuses in LEDGER["opend6.gap.dice.simplification"].data["rows"].items():
        code = DieCode(int(dice), 1)
        assert simplified(code, "five_dice") == (DieCode(5, 1), bonuses[0])
        assert simplified(code, "wild_die_only") == (DieCode(1, 1), bonuses[1])
    factor = LEDGER["opend6.simplify.quick"].data["factor"]
    assert simplified(DieCode(5, 2), "quick") == (DieCode(0, 2), 5 * factor["ought_to_succeed"])
    assert simplified(DieCode(5, 2), "quick", ought_to_succeed=False) == (DieCode(0, 2), 5 * factor["ought_to_fail"])


@pytest.mark.rule("opend6.cp.max_per_roll", "opend6.points.limits")
def test_limits_of_character_points() -> None:
    for level, most in LEDGER["opend6.cp.max_per_roll"].data["maximum"].items():
        for owned in (0, 1, 2, 5, 9, 20):
            assert most_character_points(owned, level) == (owned if most is None else min(owned, most))


@pytest.mark.rule("opend6.dice.die_code", "opend6.gap.dice.pips_per_die")
def test_codes_from_one_to_another() -> None:
    up = ["2D+2", "3D", "3D+1", "3D+2", "4D"]
    assert [str(code) for code in DieCode.between(DieCode(2, 2), DieCode(4))] == up
    assert [str(code) for code in DieCode.between(DieCode(4), DieCode(2, 2))] == up[::-1]
    assert DieCode.between(DieCode(3), DieCode(3)) == [DieCode(3)]


@pytest.mark.rule("opend6.difficulty.standard")
def test_every_number_has_its_level() -> None:
    for row in LEDGER["opend6.difficulty.standard"].data["levels"]:
        for number in range(row["low"], (200 if row["high"] is None else row["high"]) + 1):
            assert play(difficulty_level(number), TypedDice([])).result.value == row["level"].casefold()
