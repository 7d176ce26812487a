"""Tables of odds against numbers that are counted here, face by face, without the engine."""

from __future__ import annotations

import csv
import io
from enum import Enum
from fractions import Fraction
from itertools import count, product
from typing import Any, Literal, NamedTuple

import pytest

from tablewright.dice.notation import parse_dice
from tablewright.engine import Role, choose, d, mechanic
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.system.registry import find_mechanic, load_all
from tablewright.lab import (
    Case,
    Deadline,
    OddsTable,
    View,
    compare,
    compare_option,
    costs,
    odds_table,
    read_ranges,
    tabulate,
)


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


def test_effect_of_a_house_rule_in_a_mars_contest() -> None:
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
    from tablewright.lab.odds.comparison import typical_cases

    return typical_cases(system, name)


@mechanic(rules=["demo.check.roll"])
async def check(target: int, sides: int = 6) -> bool:
    """Roll the target or less; a die of one side is refused."""
    if sides == 1:
        raise IllegalActionError("no such die", rule="demo.check.roll")
    return await d(sides) <= target


def test_refusals_of_the_rules_are_told_in_place() -> None:
    table = odds_table(check, {"target": "1", "sides": "1..3"})
    assert table.curve() == (None, share(1, 2), share(1, 3))
    assert "no such die" in table.cells[0][0].refused
    with pytest.raises(IllegalActionError, match="no such die"):
        odds_table(check, {"target": "1..4", "sides": "1"})


def test_a_case_may_hold_still_what_ranges_for_the_others() -> None:
    table = compare(check, {"target": "1..3"}, {"target": 2})
    assert table.curve(1) == (share(1, 3),) * 3
    with pytest.raises(InvalidInputError, match="target ranges, but every case sets it"):
        tabulate([Case("a", check, {"target": 1})], read_ranges(check, {"target": "1..3"}).axes)


def test_dice_stand_beside_each_other() -> None:
    cases = [Case("a", dice=parse_dice("3d6")), Case("b", dice=parse_dice("2d6+3"))]
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
    if await choose(Role.ACTOR, "stake", [False, True]):
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
    with pytest.raises(InvalidInputError, match=r'no field "efect".*did you mean "effect"'):
        odds_table(rule, given, View(of="efect"))
    with pytest.raises(InvalidInputError, match=r"several parts; name one of them.*success, effect, botch"):
        odds_table(rule, given, View("exactly"))
    degree = odds_table(find_mechanic("marchen.check"), {"core": "2d6", "modifier": "0..2"}, View("exactly"))
    assert degree.of == "degree"
    assert sum(degree.cells[0][0].values) == 1


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (View("at_least", at=("grace",)), 'not an outcome here; there are failure, graze, .*did you mean "graze"'),
        (View("expected", at=("graze",)), "not for an expected value"),
        (View(objective="luck"), 'no objective "luck"'),
    ],
)
def test_a_view_that_does_not_fit_is_refused(view: View, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
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


def test_the_work_is_bounded_and_told() -> None:
    with pytest.raises(InvalidInputError, match=r"20,000 cells are too many, at most 10,000"):
        odds_table(check, {"target": range(200), "sides": range(2, 102)})
    steps: list[tuple[int, int]] = []
    odds_table(check, {"target": "1..3"}, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(InvalidInputError, match=r"3 of 9 cells took 25 seconds"):
        odds_table(check, {"target": "1..9"}, deadline=Deadline(25, clock=count(0, 10).__next__))


def test_cases_beyond_the_bound_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="13 sets of arguments are too many"):
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
        table: OddsTable = odds_table(find_mechanic(name), words)
        numbers = [value for value in table.curve(0, len(table.columns) - 1) if value is not None]
        assert len(numbers) == len(table.points), name
        assert len(set(numbers)) > 1, name


class Rank(Enum):
    """Declared from the best down, with a rank that goes up."""

    GOLD = 2
    IRON = 1

    @property
    def rank(self) -> int:
        return self.value


class Reward(NamedTuple):
    """Value of a face."""

    mood: Literal["sad", "calm", "glad"]
    rank: Rank | None


class Haul(NamedTuple):
    """A total, or nothing."""

    total: int | None


@mechanic(rules=["demo.reward.roll"])
async def reward(plus: int = 0) -> Reward:
    """1 and 2 nothing and sadness, 3 to 5 iron and calm, more gold and gladness."""
    face = await d(6) + plus
    if face <= 2:
        return Reward("sad", None)
    return Reward("calm", Rank.IRON) if face <= 5 else Reward("glad", Rank.GOLD)


def test_words_are_ordered_as_listed_and_degrees_by_rank_with_none_below() -> None:
    moods = odds_table(reward, {"plus": "0..1"}, View("at_least", of="mood"))
    assert [column.label for column in moods.columns] == ["≥ calm", "≥ glad"]
    assert moods.cells[0][0].values == (share(4, 6), share(1, 6))
    ranks = odds_table(reward, {"plus": "0..1"}, View("at_least", of="rank"))
    assert [column.label for column in ranks.columns] == ["≥ 1", "≥ 2"]
    assert ranks.cells[0][1].values == (share(5, 6), share(2, 6))
    below = odds_table(reward, {"plus": "0..1"}, View("at_most", of="rank"))
    assert [column.label for column in below.columns] == ["≤ nothing", "≤ 1"]
    assert below.cells[0][0].values == (share(2, 6), share(5, 6))


@mechanic(rules=["demo.haul.roll"])
async def haul(dice: int = 2) -> Haul:
    """A total of dice; doubles of two dice bring nothing at all."""
    first, second = await d(6), await d(6, dice - 1)
    return Haul(None if first == second else first + second)


def test_numbers_that_do_not_occur_and_nothing_at_all_are_counted_right() -> None:
    at = ("-1", "3", "7", "11", "99")
    least = odds_table(haul, {"dice": "2..3"}, View("at_least", of="total", at=at))
    most = odds_table(haul, {"dice": "2..3"}, View("at_most", of="total", at=at))
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    counted = [None if a == b else a + b for a, b in pairs]
    for place, number in enumerate(map(int, at)):
        over = sum(total is not None and total >= number for total in counted)
        under = sum(total is None or total <= number for total in counted)
        assert least.value(0, 0, place) == share(over, 36)
        assert most.value(0, 0, place) == share(under, 36)
    none = odds_table(haul, {"dice": "2..3"}, View("at_most", of="total", at=("nothing", "2", "12")))
    assert none.cells[0][0].values == (share(1, 6), share(1, 6), share(1, 1))


def test_too_many_numbers_are_refused_before_they_are_worked_out() -> None:
    with pytest.raises(InvalidInputError, match=r"200 cells of 1,200 outcomes are too many numbers, at most 200,000"):
        odds_table(find_mechanic("stage.dice"), {"dice": "1..200"}, View("exactly"))
