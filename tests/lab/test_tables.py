"""Tables of odds against numbers that are counted here, face by face, without the engine."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tablewright.dice.notation import parse
from tablewright.engine import Seat, choose, d, mechanic
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.registry import find_mechanic, load_all
from tablewright.lab import Case, Table, View, compare, compare_option, costs, odds_table, read_ranges, tabulate
from tablewright.lab import tables as module


def share(hits: int, of: int) -> Fraction:
    return Fraction(hits, of)


def totals(*sides: int) -> list[int]:
    """The total of every way in which some dice can fall."""
    return [sum(faces) for faces in product(*[range(1, side + 1) for side in sides])]


def test_degrees_of_mars_over_difficulties() -> None:
    table = odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "5..20"})
    assert [column.label for column in table.columns] == ["failure", "graze", "success", "critical"]
    ways = totals(10, 6)
    for at, difficulty in enumerate(range(5, 21)):
        counted = [0, 0, 0, 0]
        for total in ways:
            margin = total - difficulty
            counted[3 if margin >= 7 else 2 if margin >= 0 else 1 if margin >= -6 else 0] += 1
        assert table.cells[0][at].values == tuple([share(count, 60) for count in counted])


def test_at_least_and_at_most_of_mars_in_a_grid() -> None:
    given = {"roll_value": "r14,r16", "difficulty": "8..10"}
    least = odds_table(find_mechanic("mars.check"), given, View("at_least", at=("graze", "success")))
    most = odds_table(find_mechanic("mars.check"), given, View("at_most"))
    assert [column.label for column in least.columns] == ["≥ graze", "≥ success"]
    assert [column.label for column in most.columns] == ["≤ failure", "≤ graze", "≤ success"]
    dice = {"r14": (10, 4), "r16": (10, 6)}
    for at, point in enumerate(least.points):
        ways = totals(*dice[str(point["roll_value"])])
        low = point["difficulty"]
        assert least.value(0, at, 0) == share(sum(total >= low - 6 for total in ways), len(ways))
        assert least.value(0, at, 1) == share(sum(total >= low for total in ways), len(ways))
        assert most.value(0, at, 1) == share(sum(total < low for total in ways), len(ways))
        assert most.value(0, at, 2) == share(sum(total < low + 7 for total in ways), len(ways))


def test_success_of_maerchen_over_modifiers() -> None:
    table = odds_table(find_mechanic("marchen.check"), {"core": "2d6", "modifier": "-2..4"})
    assert table.objective == "success"
    for at, modifier in enumerate(range(-2, 5)):
        assert table.value(0, at) == share(sum(total + modifier >= 8 for total in totals(6, 6)), 36)


def test_grades_of_renaissance_by_rank() -> None:
    table = odds_table(find_mechanic("renaissance.check"), {"target": "20..80..20"}, View("at_least"))
    place = [column.label for column in table.columns].index("≥ normal_success")
    assert list(table.curve(0, place)) == [share(target + 1, 100) for target in (20, 40, 60, 80)]


def test_effect_of_stage_with_the_best_split_of_dice() -> None:
    table = odds_table(find_mechanic("stage.leveled"), {"dice": "4", "difficulty": "5..12"})
    assert table.choosing
    assert table.objective == "effect"
    for at, difficulty in enumerate(range(5, 13)):
        worths = []
        for first in (1, 2, 3):
            hits = share(sum(total >= difficulty for total in totals(*[6] * first)), 6**first)
            worths.append(hits * Fraction(7, 2) * (4 - first))
        worths.append(share(sum(total >= difficulty for total in totals(6, 6, 6, 6)), 6**4))  # nothing left: effect 1
        assert table.value(0, at) == max(worths)


def test_what_a_house_rule_costs_in_a_contest_of_mars() -> None:
    read = read_ranges(find_mechanic("mars.contest"), {"a": "r16", "b": "r8..r12..2"})
    table = compare_option(read, "contest_tie", ["no_winner", "reroll"])
    assert [case.label for case in table.cases] == ["contest_tie=no_winner", "contest_tie=reroll"]
    dice = {"r8": (8,), "r10": (10,), "r12": (12,)}
    apart = []
    for at, name in enumerate(table.axes[0].labels):
        pairs = list(product(totals(10, 6), totals(*dice[name])))
        won = share(sum(mine > yours for mine, yours in pairs), len(pairs))
        tied = share(sum(mine == yours for mine, yours in pairs), len(pairs))
        assert table.value(0, at) == won
        assert table.value(1, at) == won / (1 - tied)
        apart.append(won / (1 - tied) - won)
        assert table.difference(1, at) == apart[-1]
    (cost,) = costs(table)
    assert (cost.least, cost.most, cost.mean, cost.points) == (min(apart), max(apart), sum(apart) / 3, 3)
    assert str(cost.most_at["b"]) == table.axes[0].labels[apart.index(max(apart))]


def test_every_option_that_changes_a_roll_can_be_compared() -> None:
    compared = 0
    for system in load_all().systems:
        for field in system.options.describe():
            if field.typical is None:
                continue
            cases, objective = comparing_typical(system, field.name)
            table = tabulate(cases, (), View("expected", objective=objective) if objective else View())
            assert len(table.cases) >= 2, field.name
            compared += 1
    assert compared > 60


def comparing_typical(system: Any, name: str) -> Any:
    from tablewright.lab.comparing import typical_cases

    return typical_cases(system, name)


@mechanic(rules=["demo.check.roll"])
async def check(target: int, sides: int = 6) -> bool:
    """Roll the target or less; a die of one side is refused."""
    if sides == 1:
        raise RulesSayNo("no such die", rule="demo.check.roll")
    return await d(sides) <= target


def test_what_the_rules_refuse_is_told_where_it_is() -> None:
    table = odds_table(check, {"target": "1", "sides": "1..3"})
    assert table.curve() == (None, share(1, 2), share(1, 3))
    assert "no such die" in table.cells[0][0].refused
    with pytest.raises(RulesSayNo, match="no such die"):
        odds_table(check, {"target": "1..4", "sides": "1"})


def test_a_case_may_hold_still_what_ranges_for_the_others() -> None:
    table = compare(check, {"target": "1..3"}, {"target": 2})
    assert table.curve(1) == (share(1, 3),) * 3
    with pytest.raises(BadInput, match="target ranges, but every case sets it"):
        tabulate([Case("a", check, {"target": 1})], read_ranges(check, {"target": "1..3"}).axes)


def test_dice_stand_beside_each_other() -> None:
    cases = [Case("a", dice=parse("3d6")), Case("b", dice=parse("2d6+3"))]
    table = tabulate(cases)
    assert table.how == "exactly"
    for at, column in enumerate(table.columns):
        assert table.value(0, 0, at) == share(totals(6, 6, 6).count(int(column.label)), 216)
        assert table.value(1, 0, at) == share(totals(6, 6).count(int(column.label) - 3), 36)
    assert [cell.mean for (cell,) in table.cells] == [Fraction(21, 2), 10]
    least = tabulate(cases, (), View("at_least", at=("12", "99")))
    assert [least.value(0, 0, at) for at in (0, 1)] == [share(sum(t >= 12 for t in totals(6, 6, 6)), 216), 0]


@mechanic(rules=["demo.bet.stake"], objectives={"money": lambda record: record, "caution": lambda record: -record})
async def bet(odds_against: int) -> int:
    """Stake nothing, or a coin against several."""
    if await choose(Seat.ACTOR, "stake", [False, True]):
        return odds_against if await d(4) == 1 else -1
    return 0


def test_choices_are_made_for_the_objective() -> None:
    table = odds_table(bet, {"odds_against": "2..5"})
    assert table.choosing
    assert list(table.curve()) == [share(0, 1), share(0, 1), share(1, 4), share(1, 2)]
    cautious = odds_table(bet, {"odds_against": "2..5"}, View(objective="caution"))
    assert list(cautious.curve()) == [share(1, 4), share(0, 1), share(0, 1), share(0, 1)]


def test_fields_of_records() -> None:
    rule = find_mechanic("stage.leveled")
    given = {"dice": "4", "difficulty": "6..8"}
    chance = odds_table(rule, given, View(of="success"))
    assert chance.columns[0].is_chance
    assert chance.curve()[0] == share(sum(total >= 6 for total in totals(6, 6)), 36)
    with pytest.raises(BadInput, match=r'no field "efect".*did you mean "effect"'):
        odds_table(rule, given, View(of="efect"))
    with pytest.raises(BadInput, match=r"several parts; name one of them.*success, effect, botch"):
        odds_table(rule, given, View("exactly"))
    degree = odds_table(find_mechanic("marchen.check"), {"core": "2d6", "modifier": "0..2"}, View("exactly"))
    assert degree.of == "degree"
    assert sum(degree.cells[0][0].values) == 1


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (View("at_least", at=("grace",)), 'no outcome here; there are failure, graze, .*did you mean "graze"'),
        (View("expected", at=("graze",)), "not for an expected value"),
        (View(objective="luck"), 'no objective "luck"'),
    ],
)
def test_a_view_that_does_not_fit_is_refused(view: View, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "8..10"}, view)


def test_csv_and_json_hold_every_number_exactly() -> None:
    table = compare(check, {"target": "1..3"}, {"sides": 4})
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert [(row["case"], row["target"]) for row in rows[:3]] == [("sides=6", "1"), ("sides=4", "1"), ("sides=6", "2")]
    assert [Fraction(row["yes (exact)"]) for row in rows] == [
        table.value(case, at) for at in range(3) for case in range(2)
    ]
    assert float(rows[1]["yes (difference)"]) == pytest.approx(1 / 12)
    told = table.to_json()
    assert [cell["values"][0]["exact"] for cell in told["cells"]] == [row["yes (exact)"] for row in rows]
    assert told["cells"][1]["differences"] == [{"value": pytest.approx(1 / 12), "exact": "1/12"}]
    assert told["ranges"] == [{"parameter": "target", "values": [1, 2, 3]}]


def test_the_work_is_bounded_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"20,000 cells are too many, at most 10,000"):
        odds_table(check, {"target": range(200), "sides": range(2, 102)})
    steps: list[tuple[int, int]] = []
    odds_table(check, {"target": "1..3"}, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    clock = iter(range(0, 1_000, 10))
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    with pytest.raises(BadInput, match=r"3 of 9 cells took 25 seconds"):
        odds_table(check, {"target": "1..9"}, most_seconds=25)


def test_cases_beyond_the_bound_are_refused() -> None:
    with pytest.raises(BadInput, match="13 sets of arguments are too many"):
        compare(check, {"target": "1..3"}, *[{"sides": sides} for sides in range(4, 16)])


def test_every_system_has_a_table_over_a_check() -> None:
    given: dict[str, dict[str, object]] = {
        "marchen.check": {"core": "2d6", "modifier": "0..3"},
        "mars.check": {"roll_value": "r8..r12", "difficulty": "9"},
        "opend6.check": {"code": "3D..4D", "difficulty": "12"},
        "renaissance.opposed": {"a": "50", "b": "30..70..10"},
        "stage.flat": {"dice": "2..5", "difficulty": "10"},
    }
    assert {name.partition(".")[0] for name in given} == {one.id for one in load_all().systems} - {"coinfolk"}
    for name, words in given.items():
        table: Table = odds_table(find_mechanic(name), words)
        numbers = [value for value in table.curve(0, len(table.columns) - 1) if value is not None]
        assert len(numbers) == len(table.points), name
        assert len(set(numbers)) > 1, name
