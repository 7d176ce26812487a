from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.ledger import Ledger
from tablewright.game.rules.options import LedgerOptions, RuleOptions, rule_option
from tablewright.game.system.registry import load_system


@dataclass(frozen=True, kw_only=True)
class CoinOptions(RuleOptions):
    tie: Literal["reroll", "defender"] = rule_option("reroll", rule="coin.tie", description="who wins a tie")
    edge: bool = rule_option(False, rule="coin.edge", description="whether a coin may land on its edge")
    purse: int = rule_option(3, rule="coin.purse", description="coins at the start", low=0, high=10)
    debt: int = rule_option(-1, rule="coin.debt", description="the most debt", high=0)
    sides: Literal[2, 3] | None = rule_option(2, rule="coin.sides", description="sides of a coin")
    toss_order: Literal["age", "name"] = rule_option(
        "age", name="toss.order", rule="coin.order", description="who begins"
    )


def test_defaults() -> None:
    assert CoinOptions() == CoinOptions.from_mapping({})
    assert CoinOptions().to_mapping() == {
        "tie": "reroll", "edge": False, "purse": 3, "debt": -1, "sides": 2, "toss.order": "age",
    }  # fmt: skip
    assert CoinOptions().changed() == {}
    assert CoinOptions(toss_order="name").changed() == {"toss.order": "name"}


def test_description() -> None:
    described = {entry.name: entry for entry in CoinOptions.describe()}
    assert {name: entry.allowed for name, entry in described.items()} == {
        "tie": "reroll, defender",
        "edge": "false, true",
        "purse": "whole numbers from 0 to 10",
        "debt": "whole numbers up to 0",
        "sides": "2, 3, null",
        "toss.order": "age, name",
    }
    assert described["purse"].rule == "coin.purse"
    assert described["purse"].description == "coins at the start"
    assert described["purse"].default == 3
    assert json.loads(json.dumps(described["purse"].to_json())) == {
        "name": "purse", "default": 3, "low": 0, "high": 10, "rule": "coin.purse", "about": "coins at the start",
    }  # fmt: skip
    assert described["sides"].to_json()["choices"] == [2, 3, None]
    assert RuleOptions.describe() == ()


def test_all_problems_come_at_once_and_name_everything() -> None:
    with pytest.raises(ProblemListError) as refusal:
        CoinOptions.from_mapping({"purze": 1, "tie": "defnder", "purse": 11, "edge": "yes", "toss_order": "age"})
    assert refusal.value.problems == (
        'option "purze" is unknown; did you mean "purse"?',
        'option "tie" is "defnder", allowed are reroll, defender; did you mean "defender"? [coin.tie]',
        'option "purse" is 11, allowed are whole numbers from 0 to 10 [coin.purse]',
        'option "edge" is "yes", allowed are false, true [coin.edge]',
        'option "toss_order" is unknown; did you mean "toss.order"?',
    )
    assert refusal.value.exit_status == 2


@each_case(
    "wrong",
    [
        {"edge": 1},
        {"edge": 0},
        {"edge": None},
        {"purse": True},
        {"purse": 3.0},
        {"purse": "3"},
        {"purse": -1},
        {"purse": 10**400},
        {"sides": True},
        {"sides": 2.0},
        {"tie": ["reroll"]},
        {"tie": "x" * 10**6},
        {"": 1},
        {"tie ": "reroll"},
        {3: "reroll"},
    ],
)
def test_wrong_values_are_refused_in_one_short_line(wrong: dict[Any, Any]) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        CoinOptions.from_mapping(wrong)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 1000


def test_an_options_object_is_always_valid() -> None:
    with pytest.raises(ProblemListError):
        CoinOptions(purse=11)
    with pytest.raises(ProblemListError):
        replace(CoinOptions(), edge=1)  # type: ignore[arg-type]


@given(
    st.builds(
        CoinOptions,
        tie=st.sampled_from(["reroll", "defender"]),
        edge=st.booleans(),
        purse=st.integers(0, 10),
        debt=st.integers(max_value=0),
        sides=st.sampled_from([2, 3, None]),
        toss_order=st.sampled_from(["age", "name"]),
    )
)
def test_mappings_round_trip(options: CoinOptions) -> None:
    assert CoinOptions.from_mapping(json.loads(json.dumps(options.to_mapping()))) == options
    assert CoinOptions.from_mapping(options.changed()) == options


def test_options_may_derive_from_options() -> None:
    @dataclass(frozen=True, kw_only=True)
    class MoreOptions(CoinOptions):
        extra: bool = rule_option(True, rule="coin.extra", description="more")

    assert len(MoreOptions.describe()) == len(CoinOptions.describe()) + 1
    assert MoreOptions.from_mapping({"extra": False, "purse": 4}) == MoreOptions(extra=False, purse=4)


def test_a_wrong_declaration_fails_where_it_stands() -> None:
    @dataclass(frozen=True, kw_only=True)
    class BadDefault(RuleOptions):
        purse: int = rule_option(11, rule="coin.purse", description="coins", high=10)

    @dataclass(frozen=True, kw_only=True)
    class NotAnOption(RuleOptions):
        purse: int = field(default=1)

    @dataclass(frozen=True, kw_only=True)
    class BadType(RuleOptions):
        purse: float = rule_option(1, rule="coin.purse", description="coins")

    @dataclass(frozen=True, kw_only=True)
    class Twice(RuleOptions):
        a: bool = rule_option(True, rule="coin.a", description="a", name="same")
        b: bool = rule_option(True, rule="coin.b", description="b", name="same")

    @dataclass(frozen=True, kw_only=True)
    class LimitedWord(RuleOptions):
        a: bool = rule_option(True, rule="coin.a", description="a", low=1)

    for wrong in (BadDefault, NotAnOption, BadType, Twice, LimitedWord):
        with pytest.raises(TypeError, match=wrong.__name__):
            wrong.describe()


def test_options_of_a_ledger(tmp_path: Path) -> None:
    (tmp_path / "ledger.yaml").write_text(
        "options:\n"
        "  toss.order: {rule: coin.order, about: who begins, default: age, effect: Someone begins.}\n"
        "  edge: {rule: coin.edge, about: edges, default: false, typical: {true: coin.toss, false: coin.flip}}\n"
        "  debt: {rule: coin.debt, about: owed, default: 0, low: -9, high: 0, changes: never, typical: {-9: coin.o}}\n"
    )
    option = LedgerOptions(str(tmp_path / "options.py"))

    @dataclass(frozen=True, kw_only=True)
    class FromLedger(RuleOptions):
        toss_order: Literal["age", "name"] = option["toss.order"]
        edge: bool = option["edge"]
        debt: int = option["debt"]

    order, edge, debt = FromLedger.describe()
    assert (order.name, order.attribute, order.default, order.effect) == (
        "toss.order",
        "toss_order",
        "age",
        "Someone begins.",
    )
    assert edge.typical == {True: "coin.toss", False: "coin.flip"}
    assert (debt.low, debt.changes, debt.typical) == (-9, "never", {-9: "coin.o"})
    assert FromLedger(debt=-3).to_mapping() == {"toss.order": "age", "edge": False, "debt": -3}
    with pytest.raises(TypeError, match='no option "egde"; did you mean "edge"'):
        option["egde"]


@pytest.mark.parametrize("system", system_ids())
def test_rules_and_options_of_a_ledger_agree(system: str) -> None:
    described = {option.name: option for option in load_system(system).options.describe()}
    for rule in Ledger.load(system).rules:
        if isinstance(rule.data, Mapping) and rule.data.get("option") in described and "default" in rule.data:
            assert described[rule.data["option"]].default == rule.data["default"], rule.id
