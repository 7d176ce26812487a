"""The figures of Märchen Engine, row by row against the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

import tablewright.systems.marchen as package
from tablewright.dice import Dist
from tablewright.systems.marchen.mechanics.dice import (
    CHAIN,
    D20_DC,
    DEGREES,
    DIFFICULTIES,
    DIFFICULTY_DM,
    EXCEPTIONAL,
    MODIFIER_SCALE,
    PASSIVE_BASE,
    SIGMA,
    TARGETS,
    Degree,
    DicePool,
    advantage_of,
    degree_of,
    dice_of,
    is_exceptional,
    law_difficulty,
    measure_of,
    sigma_of,
    under_law,
)
from tablewright.systems.marchen.options import (
    Core,
    DegreeMethod,
    ExceptionalRule,
    PassiveBase,
    TargetRule,
)

CORES: tuple[Core, ...] = get_args(Core)


@cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    text = (Path(package.__path__[0]) / "ledger.yaml").read_text(encoding="utf-8")
    return {rule["id"]: rule for rule in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["rules"]}


def data(rule_id: str) -> Any:
    return _rules()[rule_id]["data"]


def examples(rule_id: str) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [(example["given"], example["expect"]) for example in _rules()[rule_id]["examples"]]


# ---------------------------------------------------------------------- dice


@pytest.mark.rule("marchen.core.dice", "marchen.core.selection")
@pytest.mark.parametrize("core", CORES)
def test_the_dice_of_a_core(core: Core) -> None:
    row = data("marchen.core.dice")[core]
    dice = dice_of(core)
    dist = dice.rolled().weigh()
    assert (dice.number, dice.sides) == (row["dice"], row["sides"])
    assert (dist.outcomes[0], dist.outcomes[-1]) == (row["min"], row["max"])
    assert dist.mean == Fraction(row["mean"])
    assert dist.standard_deviation == pytest.approx(row["sd"], abs=1e-4)
    assert set(CORES) == set(data("marchen.core.selection")["values"])


@pytest.mark.rule("marchen.dice_chain.order")
def test_the_chain_is_the_ledgers_and_ends_hold() -> None:
    assert list(CHAIN) == data("marchen.dice_chain.order")["chain"]
    assert dice_of("D20", 20) == DicePool(1, 30)
    assert dice_of("D20", -20) == DicePool(1, 3)


@pytest.mark.rule("marchen.dice_chain.multiple", "marchen.dice_chain.pools")
def test_steps_along_the_chain() -> None:
    for given, expect in [*examples("marchen.dice_chain.multiple"), *examples("marchen.dice_chain.pools")]:
        steps = sum(given["steps"]) if isinstance(given["steps"], list) else given["steps"]
        assert str(dice_of(given["core"], steps, given.get("dice_chain_mode", "per_die"))) == expect["dice"]
        assert measure_of(given["core"]).target == expect.get("target", measure_of(given["core"]).target)
    rows = [(core, str(dice_of(core, 1)), str(dice_of(core, -1))) for core in CORES]
    assert rows == [
        ("D10", "d12", "d8"),
        ("D20", "d24", "d16"),
        ("D100", "d120", "d80"),
        ("2d6", "2d7", "2d5"),
        ("3d6", "3d7", "3d5"),
        ("4d7", "4d8", "4d6"),
        ("8D4", "8d5", "8d3"),
    ]
    assert [str(dice_of("4d7", steps, "core_swap")) for steps in (-9, -2, -1, 0, 1, 9)] == [
        "2d6",
        "2d6",
        "3d6",
        "4d7",
        "8d4",
        "8d4",
    ]
    assert str(dice_of("D100", 2, "core_swap")) == "d150"
    assert str(dice_of("D20", 1, "core_swap")) == "d24"


@pytest.mark.rule("marchen.advantage.no_stack", "marchen.advantage.cancel")
def test_advantage_from_several_sources() -> None:
    for given, expect in [*examples("marchen.advantage.no_stack"), *examples("marchen.advantage.cancel")]:
        assert advantage_of(given["advantages"], given["disadvantages"]) == expect["mode"]
    assert [advantage_of(0, 0), advantage_of(0, 2)] == ["none", "disadvantage"]


@pytest.mark.rule("marchen.core.d100_scale")
def test_modifiers_are_five_fold_on_d100_only() -> None:
    assert data("marchen.core.d100_scale") == MODIFIER_SCALE


# ---------------------------------------------------------------------- targets and difficulties


@pytest.mark.rule("marchen.core.target_other", "marchen.core.target_2d6")
def test_targets() -> None:
    assert TARGETS["printed"] == {"2d6": 8, "3d6": 11, "4d7": 16, "8D4": 20, "D10": 6, "D20": 11, "D100": 51}
    assert set(get_args(TargetRule)) == set(TARGETS)
    assert measure_of("2d6").target == data("marchen.core.target_2d6")["target"]
    for core, chance in data("marchen.core.target_other")["unmodified_success"]["printed"].items():
        assert dice_of(core).rolled().weigh().at_least(measure_of(core).target) == Fraction(chance)


@pytest.mark.rule("marchen.core.target_other")
@pytest.mark.parametrize("core", CORES)
def test_matching_targets_are_the_nearest_to_the_odds_of_2d6(core: Core) -> None:
    dist = dice_of(core).rolled().weigh()
    distance = {target: abs(dist.at_least(target) - Fraction(15, 36)) for target in dist.outcomes}
    assert distance[TARGETS["match_odds"][core]] == min(distance.values())


@pytest.mark.rule("marchen.difficulty.complete_table")
def test_difficulties_row_by_row() -> None:
    table = data("marchen.difficulty.complete_table")
    assert list(DIFFICULTIES) == data("marchen.difficulty.table")["order"]
    for core in CORES:
        column = table["D20_dm" if core == "D20" else core]
        for difficulty in DIFFICULTIES:
            assert measure_of(core, difficulty).dm == DIFFICULTY_DM[core][difficulty] == column[difficulty]
            if core != "D20":
                assert measure_of(core, difficulty, d20_scale="dc") == measure_of(core, difficulty)
    assert table["D20_dm"]["target"] == measure_of("D20").target


@pytest.mark.rule("marchen.difficulty.table")
def test_printed_difficulties_are_kept() -> None:
    for difficulty, row in data("marchen.difficulty.table")["printed"].items():
        for core, printed in row.items():
            used = D20_DC[difficulty] if core == "D20" else DIFFICULTY_DM[core][difficulty]
            assert printed in (None, used)


@pytest.mark.rule("marchen.difficulty.d20_scale")
def test_the_d20_scale_of_target_numbers() -> None:
    table = data("marchen.difficulty.complete_table")
    for difficulty in DIFFICULTIES:
        measure = measure_of("D20", difficulty, d20_scale="dc")
        assert (measure.target, measure.dm) == (table["D20_dc"][difficulty], 0)
        assert D20_DC["average"] - D20_DC[difficulty] == table["D20_dc_as_dm"][difficulty]
        assert measure_of("D20", difficulty, d20_scale="dc", degree_method="sigma") == measure_of("D20", difficulty)


@pytest.mark.rule("marchen.difficulty.column_d10_d100", "marchen.difficulty.column_8d4")
def test_derived_columns() -> None:
    for difficulty in DIFFICULTIES:
        by_five = DIFFICULTY_DM["D20"][difficulty]
        half = (abs(by_five) + 1) // 2 * (1 if by_five > 0 else -1)
        assert DIFFICULTY_DM["D10"][difficulty] == half
        assert DIFFICULTY_DM["D100"][difficulty] == 5 * by_five
        assert DIFFICULTY_DM["8D4"][difficulty] == DIFFICULTY_DM["4d7"][difficulty]


@pytest.mark.rule("marchen.difficulty.default")
@pytest.mark.parametrize("core", CORES)
def test_a_task_of_no_named_difficulty_is_average_and_gives_no_dm(core: Core) -> None:
    assert measure_of(core) == measure_of(core, "average")
    assert measure_of(core).dm == 0


@pytest.mark.rule("marchen.modifier.law_level")
def test_law_levels() -> None:
    for row in data("marchen.modifier.law_level"):
        low, high = row["law_level"]
        for level in range(low, (40 if high is None else high) + 1):
            assert law_difficulty(level) == row["difficulty"]


@pytest.mark.rule("marchen.modifier.law_level_mode")
def test_law_levels_and_the_difficulty_of_the_task() -> None:
    for given, expect in examples("marchen.modifier.law_level_mode"):
        core = given["core"]
        difficulty, dm = under_law(core, given["law_level"], given.get("difficulty"), given["law_level_mode"])
        assert measure_of(core, difficulty).dm + dm == expect["dm"]
    assert under_law("2d6", 0, None, "base") == ("routine", 0)
    assert under_law("2d6", 0, "average", "base") == ("average", 0)
    assert under_law("D20", 5, "easy", "add", "dc") == ("easy", -2)
    assert under_law("D100", 5) == ("average", -25)


@pytest.mark.rule("marchen.check.passive_base")
def test_passive_bases() -> None:
    assert data("marchen.check.passive_base")["values"] == PASSIVE_BASE
    assert set(get_args(PassiveBase)) == set(PASSIVE_BASE)
    for core, base in PASSIVE_BASE["mean"].items():
        assert base == dice_of(core).rolled().weigh().mean // 1


# ---------------------------------------------------------------------- degrees


@pytest.mark.rule("marchen.degree.bands", "marchen.degree.beyond_ends")
@pytest.mark.parametrize("core", CORES)
def test_degrees_effect_by_effect(core: Core) -> None:
    bands = data("marchen.degree.bands")[core]
    for effect in range(-210, 211):
        (degree,) = [
            name
            for name, (low, high) in bands.items()
            if (low is None or low <= effect) and (high is None or effect <= high)
        ]
        assert degree_of(core, effect) is Degree(degree)
    for given, expect in examples("marchen.degree.beyond_ends"):
        degree = degree_of(given["core"], given["effect"])
        assert (degree.value, SIGMA[degree]) == (expect["degree"], expect["sigma"])


@pytest.mark.rule("marchen.degree.table")
def test_printed_degrees_and_their_sigma() -> None:
    table = data("marchen.degree.table")
    assert [degree.value for degree in DEGREES] == table["order"]
    assert {degree.value: sigma for degree, sigma in SIGMA.items()} == table["sigma"]
    for core, column in table["printed"].items():
        for degree, effects in column.items():
            for effect in [] if effects == "NA" else effects:
                if (core, degree, effect) != ("8D4", "minor_fail", -5):  # a misprint, marchen.degree.eight_d4_misprint
                    assert degree_of(core, effect) is Degree(degree)


@pytest.mark.rule("marchen.degree.eight_d4_misprint")
def test_the_misprint_is_mended() -> None:
    for given, expect in examples("marchen.degree.eight_d4_misprint"):
        degree = degree_of(given["core"], given["effect"])
        assert (degree.value, SIGMA[degree]) == (expect["degree"], expect["sigma"])


@pytest.mark.rule("marchen.degree.two_d6_extremes")
def test_extremes_of_2d6() -> None:
    for given, expect in examples("marchen.degree.two_d6_extremes"):
        degree = degree_of("2d6", given["effect"], given["two_d6_extremes"])
        assert (degree.value, SIGMA[degree]) == (expect["degree"], expect["sigma"])
        assert is_exceptional("2d6", given["effect"])
    assert {degree_of("2d6", effect, "clamp") for effect in range(-30, 31)} == set(DEGREES[1:-1])
    assert degree_of("3d6", -8, "clamp") is Degree.CATASTROPHIC


@pytest.mark.rule("marchen.degree.nine_ways")
def test_there_are_nine_ways_and_the_minor_fail() -> None:
    assert len(DEGREES) == 10
    assert SIGMA[Degree.MINOR_FAIL] == -1


@pytest.mark.rule("marchen.degree.sigma_method")
def test_sigma_from_the_total() -> None:
    core: Core
    for given, expect in examples("marchen.degree.sigma_method"):
        assert sigma_of(dice_of(given["pool"]), given["total"]) == expect["sigma"]
    for core in CORES:
        dice = dice_of(core)
        dist: Dist[int] = dice.rolled().weigh()
        half = Fraction(dist.outcomes[-1] - dist.outcomes[0], 2)
        for total in range(-60, 200):
            exact = (4 * (total - dist.mean) / half + Fraction(1, 2)) // 1
            assert sigma_of(dice, total) == max(-4, min(4, exact))
    assert set(get_args(DegreeMethod)) == set(data("marchen.degree.sigma_method")["values"])


@pytest.mark.rule("marchen.effect.exceptional")
def test_exceptional_effects() -> None:
    values = data("marchen.effect.exceptional")["values"]
    assert set(values) == set(get_args(ExceptionalRule))
    for rule, columns in values.items():
        for core, (low, high) in columns.items():
            assert EXCEPTIONAL[rule][core] == (low, high)
            shown = [effect for effect in range(-60, 61) if is_exceptional(core, effect, rule)]
            assert shown == [*range(-60, low + 1), *range(high, 61)]


@pytest.mark.rule("marchen.effect.exceptional")
@pytest.mark.parametrize("core", CORES)
def test_by_default_the_extreme_degrees_are_the_exceptional_ones(core: Core) -> None:
    for effect in range(-60, 61):
        extreme = degree_of(core, effect) in (Degree.CATASTROPHIC, Degree.SERENDIPITOUS)
        assert is_exceptional(core, effect) is extreme
