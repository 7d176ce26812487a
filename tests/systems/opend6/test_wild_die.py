"""The Wild Die is thrown again without end, in play and in odds."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from each_case import each_case
from tablewright.dice import OrMore, TypedDice
from tablewright.engine import Call, odds, play
from tablewright.engine.odds import expected_value
from tablewright.engine.report import answer_for
from tablewright.systems.opend6.mechanics.attack import aim, attack, deal
from tablewright.systems.opend6.mechanics.checks import (
    Side,
    assisted,
    check,
    improved_check,
    opposed,
    result_points,
    roll,
    total,
    upper_limit,
)
from tablewright.systems.opend6.mechanics.contests import Contested, contested
from tablewright.systems.opend6.mechanics.dice import bought_total, counted_total, fifth_bonus, related_modifier
from tablewright.systems.opend6.mechanics.harm import break_object, injure, resist, wounded_by
from tablewright.systems.opend6.mechanics.open_ended import DIE, OpenTotal, open_table
from tablewright.systems.opend6.mechanics.turn import initiative, let_through, success
from tablewright.systems.opend6.values import DieCode

C = DieCode.parse
SIXES = 30
"""Sixes that the sums here follow; what they leave out is less than ``ERROR``."""

ERROR = Fraction(1, 6**SIXES)


@lru_cache(maxsize=64)
def totals(dice: int, bought: int = 0, cancels: bool = True, keeps_one: bool = False) -> dict[int, Fraction]:
    """Chances of a total, worked out die by die and six by six."""
    wild = {6 * sixes + last: Fraction(1, 6 ** (sixes + 1)) for sixes in range(SIXES) for last in range(1, 6)}
    states: dict[tuple[int, int, bool], Fraction] = {(value, 0, value == 1): part for value, part in wild.items()}
    for _ in range(dice - 1):
        following: dict[tuple[int, int, bool], Fraction] = {}
        for (shown, highest, failed), part in states.items():
            for face in range(1, 7):
                key = (shown + face, max(highest, face), failed)
                following[key] = following.get(key, Fraction(0)) + part / 6
        states = following
    found: dict[int, Fraction] = {}
    for (shown, highest, failed), part in states.items():
        less = highest + (0 if keeps_one and highest else 1) if failed and cancels else 0
        found[shown - less] = found.get(shown - less, Fraction(0)) + part
    for _ in range(bought):
        more: dict[int, Fraction] = {}
        for shown, part in found.items():
            for value, other in wild.items():
                more[shown + value] = more.get(shown + value, Fraction(0)) + part * other
        found = more
    return found


def lead(first: dict[int, Fraction], second: dict[int, Fraction], least: int) -> Fraction:
    """Chance that one total exceeds another by so much, as far as the sums go."""
    upto: dict[int, Fraction] = {}
    running = Fraction(0)
    for number in range(-50, max(*first, *second) + 1):
        running += second.get(number, Fraction(0))
        upto[number] = running
    most = max(upto)
    return sum([part * upto.get(min(number - least, most), Fraction(0)) for number, part in first.items()], Fraction(0))


def close(exact: Fraction, followed: Fraction) -> bool:
    """True if a sum is short of a chance by what it leaves out, and by nothing else."""
    return 0 <= exact - followed < 1_000 * ERROR


# ---------------------------------------------------------------------- play


@pytest.mark.rule("opend6.wild.critical_success", "opend6.initiative.roll", "opend6.gap.body_points.loss")
def test_every_six_counts_in_play() -> None:
    eight = [6] * 8 + [5]
    calls: list[Call[Any]] = [initiative(C("1D")), aim(C("1D"), assumed=10), deal(C("1D"))]
    for call in calls:
        assert play(call, TypedDice(eight)).result.total == 53
    assert play(total(C("1D")), TypedDice([6] * 40 + [2])).result == 242
    assert play(roll(C("2D")), TypedDice([6] * 30 + [5, 3])).result.total == 188
    for mine, yours, winner in ((25, 24, Side.INITIATOR), (24, 25, Side.RESISTER)):
        assert play(opposed(C("1D"), C("1D")), TypedDice([*[6] * mine, 1, *[6] * yours, 5])).result is winner
    struck = attack(C("1D"), difficulty=3, damage=C("1D"), armour=C("0D+1"), injury="body_points")
    assert play(struck, TypedDice([4, *([6] * 20), 3])).result.loss == 6 * 20 + 3 + 1 - 1


# ---------------------------------------------------------------------- against a number


@pytest.mark.rule("opend6.wild.critical_success", "opend6.check.skill_check")
@pytest.mark.parametrize(("code", "difficulty"), [("1D", 31), ("3D", 60), ("4D+1", 15), ("2D+2", 97)])
def test_a_number_needs_only_so_many_sixes(code: str, difficulty: int) -> None:
    exact = odds(success(C(code), difficulty))[True]
    assert exact == odds(check(C(code), difficulty)).chance(lambda checked: checked.success)
    needed = difficulty - C(code).pips
    assert close(exact, sum([part for shown, part in totals(C(code).dice).items() if shown >= needed], Fraction(0)))
    assert odds(success(C("1D"), 31))[True] == Fraction(1, 7776)


@pytest.mark.rule("opend6.related.modifier", "opend6.related.procedure")
def test_a_helper_of_any_skill_is_counted() -> None:
    first, second = totals(3), totals(2)
    followed = sum(
        [
            part * sum([other for shown, other in second.items() if shown + related_modifier(rolled - 8) >= 20])
            for rolled, part in first.items()
        ],
        Fraction(0),
    )
    found = odds(assisted(C("3D"), 8, C("2D"), 20))
    assert close(found.chance(lambda checked: checked.success), followed)
    assert found.remainder == 0


# ---------------------------------------------------------------------- one total against another


@pytest.mark.rule("opend6.opposed.resolve", "opend6.success.ties", "opend6.wild.critical_success")
@pytest.mark.parametrize(
    ("first", "second", "exact"),
    [
        ("3D", "2D+2", Fraction(28999, 46656)),
        ("3D", "3D", Fraction(74335, 139968)),
        ("4D", "5D", Fraction(1772985443, 5079158784)),
    ],
)
def test_two_open_totals_are_a_geometric_series(first: str, second: str, exact: Fraction) -> None:
    mine, yours = C(first), C(second)
    assert odds(opposed(mine, yours))[Side.INITIATOR] == exact
    assert odds(contested(mine, yours))[Contested(Side.INITIATOR)] == exact
    assert odds(upper_limit(yours, mine))[True] == exact
    assert close(exact, lead(totals(mine.dice), totals(yours.dice), yours.pips - mine.pips))


@pytest.mark.rule("opend6.opposed.resolve", "opend6.cp.extra_wild_die", "opend6.wild.cf_cancel")
@each_case(
    ("settings", "mine", "yours"),
    [
        ({"resister_points": 1}, {}, {"bought": 1}),
        ({"initiator_points": 1, "resister_points": 1}, {"bought": 1}, {"bought": 1}),
        ({"cancel_scope": "highest_only"}, {"keeps_one": True}, {"keeps_one": True}),
        ({"critical_failure": "complication"}, {"cancels": False}, {"cancels": False}),
        ({"critical_failure": "ask"}, {}, {}),
    ],
)
def test_bought_dice_and_critical_failures_count_on_both_sides(
    settings: dict[str, Any], mine: dict[str, Any], yours: dict[str, Any]
) -> None:
    found = odds(opposed(C("3D"), C("2D"), **settings))[Side.INITIATOR]
    assert close(found, lead(totals(3, **mine), totals(2, **yours), 0))


@pytest.mark.rule("opend6.gap.damage.objects", "opend6.gap.resistance.wounds", "opend6.gap.weapon.flat")
def test_things_break_and_damage_is_resisted_exactly() -> None:
    assert close(odds(break_object(C("4D"), C("2D")))[True], lead(totals(4), totals(2), 10))
    assert odds(resist(40, C("2D"))).remainder == 0
    rolled = odds(injure(C("3D"), C("2D"), plain=-2))
    assert close(rolled.chance(lambda kept: kept.level == "dead"), lead(totals(3), totals(2), 18))
    halves: dict[int, Fraction] = {}
    for shown, part in totals(2).items():
        halves[-(-shown // 2)] = halves.get(-(-shown // 2), Fraction(0)) + part
    blow = {"damage": C("2D"), "weapon": C("0D"), "resistance": C("2D"), "halved": True, "fifth": False}
    flat = odds(attack(C("2D"), difficulty=3, **blow))
    hit = odds(success(C("2D"), 3))[True]
    assert close(flat.chance(lambda result: result.level == "dead") / hit, lead(halves, totals(2), 16))


# ---------------------------------------------------------------------- attacks


def struck(code: int, difficulty: int, damage: int, pips: int, resistance: int) -> dict[str, Fraction]:
    """Chances of every level after an attack on a character unhurt, as far as the sums go."""
    found: dict[str, Fraction] = {}
    dealt, resisted = totals(damage), totals(resistance)
    beyond = [lead(dealt, resisted, least) for least in range(-20, 17)]
    for shown, part in totals(code).items():
        if shown < difficulty:
            continue
        more = fifth_bonus(shown - difficulty) + pips
        for over in range(17):
            at_least = [beyond[max(0, least - more + 20)] for least in (over, over + 1)]
            chance = at_least[0] - (at_least[1] if over < 16 else 0) if over else 1 - at_least[1]
            level = wounded_by("healthy", over)
            found[level] = found.get(level, Fraction(0)) + part * chance
    return found


@pytest.mark.rule("opend6.result.fifth_damage", "opend6.gap.wound.levels", "opend6.wild.critical_success")
def test_an_attack_is_exact_down_to_the_level() -> None:
    found = odds(attack(C("3D"), difficulty=10, damage=C("1D"), weapon=C("1D+2"), resistance=C("3D")))
    assert found.remainder == 0
    assert sum([part for _, part in found.fractions()], Fraction(0)) == 1
    for level, followed in struck(3, 10, 2, 2, 3).items():
        exact = found.chance(lambda result, level=level: result.hit and result.level == level)  # type: ignore[misc]
        assert abs(exact - followed) < Fraction(1, 10**15)


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.resistance.body_points")
def test_a_loss_without_end_has_an_exact_mean() -> None:
    call = attack(C("1D"), difficulty=3, damage=C("1D"), armour=C("0D"), injury="body_points", fifth=False)
    hit = odds(call).chance(lambda result: result.hit)
    assert hit == Fraction(2, 3)  # the Wild Die shows 3 or more; a 1 is cancelled
    assert expected_value(call, "loss") == hit * (Fraction(21, 5) - Fraction(1, 6))


@pytest.mark.rule("opend6.gap.defence.partial", "opend6.gap.defence.full", "opend6.gap.attack.hit")
def test_hits_through_a_defence_without_end() -> None:
    call = let_through(C("2D"), 0, C("3D"), 1, 2)
    assert play(call, TypedDice([3, 4, 3, 3, 2])).result == 0  # 8 against 7 + 2
    assert play(call, TypedDice([3, 4, 3, 3, 3])).result == 1
    likely = {shown: part for shown, part in totals(2).items() if part > Fraction(1, 10**12)}
    for attacks in (1, 2, 3):
        found = odds(let_through(C("2D"), 0, C("3D"), attacks, 2))
        assert sum([part for _, part in found.fractions()], Fraction(0)) == 1
        each = {shown: odds(success(C("3D"), max(3, max(3, shown) + 2)))[True] for shown in likely}
        followed = sum([part * each[shown] ** attacks for shown, part in likely.items()], Fraction(0))
        assert 0 <= found[attacks] - followed < Fraction(1, 10**12)


# ---------------------------------------------------------------------- tables without end


@pytest.mark.rule("opend6.wild.critical_success")
@pytest.mark.parametrize("call", [total(C("3D")), total(C("2D"), 0, 2), total(C("0D+2"), 0, 1, bare_pips=True)])
def test_a_table_ends_in_one_line_for_the_rest(call: Any) -> None:
    found = odds(call)
    *told, rest = found.outcomes
    assert isinstance(rest, OrMore)
    assert max(told) < int(rest)
    assert found.remainder == 0
    assert sum([part for _, part in found.fractions()], Fraction(0)) == 1
    assert str(rest) == f"{int(rest)} or more"


@pytest.mark.rule("opend6.wild.critical_success", "opend6.cp.die_behaviour")
def test_means_of_tables_without_end_are_exact() -> None:
    wild = Fraction(21, 5)  # 3.5 tosses of a die that goes on once in six
    assert odds(total(C("1D"), critical_failure="complication")).mean == wild
    assert odds(total(C("3D"), 4, 2, critical_failure="complication")).mean == 3 * wild + 7 + 4
    assert (
        odds(result_points(C("1D"), 6, critical_failure="complication")).expected(lambda result: result.result_points)
        == wild - 6
    )
    assert expected_value(initiative(C("1D"), 2, critical_failure="complication"), "total") == wild + 2


@pytest.mark.rule("opend6.cp.die_behaviour")
def test_runs_of_sixes() -> None:
    two, one = OpenTotal({(0, (DIE, DIE), ()): 1}, 1), OpenTotal({(0, (DIE,), ()): 1}, 1)
    assert two.over(one).at_least(0) + one.over(two).at_least(1) == 1
    assert one.over(one).at_least(1) == Fraction(1, 7)
    assert sum([part for _, part in open_table(bought_total(3), 60).fractions()], Fraction(0)) == 1
    assert counted_total(9, 0).at_least(0) == 1


@pytest.mark.rule("opend6.wild.critical_failure")
def test_odds_say_that_the_game_master_chooses_as_usual() -> None:
    asked = answer_for(check(C("4D"), 15, critical_failure="ask"))
    assert (asked.choosing, asked.by_default) == (False, True)
    assert asked.odds.chance(lambda checked: checked.success) == odds(success(C("4D"), 15))[True]
    spent = answer_for(improved_check(C("4D"), 15, 2))
    assert (spent.choosing, spent.by_default) == (True, False)
