"""Attacks as rules: hitting, damage, resistance, levels and Body Points, and the points spent on each of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import LEDGER, C
from tablewright.dice import TypedDice
from tablewright.engine import Call, advise, odds, play
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.attack import aim, attack, deal, deepen
from tablewright.systems.opend6.mechanics.blows import Against, Blow, harm
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.harm import (
    Protection,
    ease,
    injure,
    level_of_excess,
    level_of_points,
    resist,
    two_less,
    wounded_by,
)
from tablewright.systems.opend6.mechanics.points import Purse, Terms, Throw, mend
from tablewright.systems.opend6.mechanics.turn import (
    choose_defence,
    fate_now_or_later,
    initiative,
    prepare_or_act,
    several,
    several_actions,
)
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode


def played(call: Call[Any], *rolls: Sequence[int]) -> Any:
    """The result of a call whose rolls show these faces."""
    return play(call, TypedDice([face for roll in rolls for face in roll])).result


def worths(call: Call[Any]) -> dict[str, Fraction]:
    """Value of each option of the first question."""
    return {one.id: one.value for one in advise(call).choices[0].options}


def test_an_attack_is_written_by_record_or_by_field() -> None:
    call = attack(Throw(C("3D")), Against(10), Blow(C("2D"), C("1D+2")), Protection(C("3D")), mine=Purse(1))
    fields = {"code": "3D", "difficulty": 10, "damage": "2D", "weapon": "1D+2", "resistance": "3D", "points": 1}
    assert attack.read(fields) == call == attack(**fields)
    assert call.named_arguments()["weapon"] == C("1D+2")


# ---------------------------------------------------------------------- levels


@pytest.mark.rule("opend6.gap.wound.levels")
def test_levels_by_excess() -> None:
    starts = {excess: level for level, excess in LEDGER["opend6.gap.wound.levels"].data["levels"].items()}
    now = "healthy"
    for excess in range(25):
        now = starts.get(excess, now)
        assert level_of_excess(excess) == now
    assert level_of_excess(-3) == "healthy"


@pytest.mark.rule("opend6.gap.wound.adding")
def test_wounds_add_up() -> None:
    least = {"stunned": 1, "wounded": 4, "incapacitated": 9, "mortally_wounded": 13}
    for step in LEDGER["opend6.gap.wound.adding"].data["steps"]:
        assert wounded_by(step["from"], least[step["by"]]) == step["to"]
    assert wounded_by("stunned", 9) == "incapacitated"  # a higher result takes its place
    assert wounded_by("wounded", 0) == "wounded"


@pytest.mark.rule("opend6.gap.wound.few_levels", "opend6.gap.damage.stun")
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_fewer_levels(count: int) -> None:
    track = LEDGER["opend6.gap.wound.few_levels"].data[str(count)]
    for level, excess in zip(WOUND_LEVELS[1:], (1, 4, 6, 9, 13, 16), strict=True):
        if level == "severely_wounded":
            continue
        rank = WOUND_LEVELS.index(level)
        wanted = next((known for known in track if WOUND_LEVELS.index(known) >= rank), "dead")
        assert wounded_by("healthy", excess, count) == wanted
    assert wounded_by(track[-1], 1, count) == "dead"
    assert {two_less("healthy", excess, count) for excess in range(1, 30)} <= set(track)


@pytest.mark.rule("opend6.gap.body_points.levels")
@each_case(
    ("level", "left"),
    [
        ("healthy", (81,)),
        ("stunned", (80, 60)),
        ("wounded", (59, 40)),
        ("severely_wounded", (39, 20)),
        ("incapacitated", (19, 10)),
        ("mortally_wounded", (9, 0)),
    ],
)
def test_levels_by_body_points(level: str, left: tuple[int, ...]) -> None:
    assert {level_of_points(points, 100) for points in left} == {level}


@pytest.mark.rule("opend6.gap.damage.stun")
def test_a_stun_weapon_gives_two_levels_less_and_minutes() -> None:
    levels = ["healthy", "stunned", "stunned", "wounded", "severely_wounded", "incapacitated"]
    assert [two_less("healthy", excess) for excess in (0, 1, 4, 9, 13, 16)] == levels
    assert two_less("healthy", 9, 2) == two_less("healthy", 20, 2) == "stunned"
    call = attack(C("3D"), difficulty=5, damage=C("2D"), weapon=C("1D"), resistance=C("2D"), stun=True)
    struck = played(call, [3, 3, 3], [4, 4, 4], [2, 2])
    assert (struck.level, struck.loss) == ("wounded", 12 + 1 - 4)


# ---------------------------------------------------------------------- hits, damage, resistance


@pytest.mark.rule("opend6.gap.attack.hit", "opend6.gap.defence.passive")
def test_reaching_the_difficulty_hits() -> None:
    assert played(attack(C("3D"), difficulty=10), [4, 3, 3]).hit
    assert not played(attack(C("3D"), difficulty=11), [4, 3, 3]).hit
    assert played(attack(C("3D")), [2, 4, 4]).hit  # no one defends: 10


@pytest.mark.rule("opend6.gap.damage.total", "opend6.gap.resistance.wounds", "opend6.gap.resistance.tie")
def test_damage_beyond_the_resistance_wounds() -> None:
    blow = attack(C("3D"), difficulty=10, damage=C("2D"), weapon=C("1D+2"), resistance=C("3D"), armour=C("1D"))
    assert played(blow, [4, 3, 3], [5, 5, 5], [3, 3, 3, 4]).level == "wounded"  # damage 15 + 2 against 13: 4
    assert played(blow, [4, 3, 3], [5, 5, 5], [5, 3, 5, 4]).level == "healthy"  # 17 against 17 hurts no one


@pytest.mark.rule("opend6.gap.resistance.body_points", "opend6.gap.body_points.loss", "opend6.gap.resistance.pips_only")
@each_case(
    ("armour", "faces", "loss"),
    [("0D", [], 15), ("0D+2", [], 13), ("2D", [4, 3], 8)],  # nothing is rolled for pips alone
)
def test_body_points_are_lost_beyond_the_armour(armour: str, faces: list[int], loss: int) -> None:
    blow = {"damage": C("2D"), "weapon": C("1D"), "resistance": C("3D"), "armour": C(armour), "injury": "body_points"}
    assert played(attack(C("3D"), difficulty=10, **blow), [4, 3, 3], [5, 5, 5], faces).loss == loss


@pytest.mark.rule("opend6.result.fifth_damage", "opend6.gap.weapon.flat")
@pytest.mark.parametrize(("faces", "more"), [([4, 3, 3], 0), ([5, 1, 5], 1), ([5, 5, 5], 1), ([5, 6, 5], 2)])
def test_a_fifth_of_the_result_points_adds_to_damage_and_the_flat_halves_it(faces: list[int], more: int) -> None:
    blow = {"difficulty": 10, "damage": C("1D"), "injury": "body_points"}
    assert played(attack(C("3D"), **blow), faces, [3]).loss == 3 + more
    assert played(attack(C("3D"), **blow, fifth=False), faces, [3]).loss == 3
    assert played(attack(C("3D"), **blow, fifth=False, halved=True), faces, [5]).loss == 3


@pytest.mark.rule("opend6.gap.resistance.negative", "opend6.gap.damage.total")
def test_resistance_below_zero() -> None:
    blow = {"difficulty": 3, "damage": C("2D"), "resistance": C("1D"), "resistance_bonus": -8}
    found = {
        value: odds(attack(C("3D"), **blow, negative_resistance=value)).expected(harm)
        for value in ("zero", "add_to_damage", "add_to_all_difficulties")
    }
    assert found["add_to_damage"] > found["zero"] == found["add_to_all_difficulties"]
    assert played(resist(5, C("1D"), resistance_bonus=-8, negative_resistance="add_to_damage"), [3]).over == 10
    assert played(resist(5, C("1D"), resistance_bonus=-8), [3]).over == 5
    for damage, faces in (("0D+1", []), ("1D", [2])):  # 1 less 3 is no damage, and 5 with a resistance of -5
        table = {"injury": "body_points", "negative_resistance": "add_to_damage"}
        assert played(injure(C(damage), resistance_bonus=-5, plain=-3, **table), faces).over == 5


@pytest.mark.rule("opend6.fate.external_not_doubled", "opend6.cp.timing")
def test_a_fate_point_doubles_strength_damage_and_no_weapon_and_is_kept_unless_it_adds_much() -> None:
    doubled = play(deal(C("2D"), C("1D+2"), fate=1), TypedDice([3] * 5), chooser=lambda ask: 1).result
    assert (doubled.total, doubled.fate) == (15 + 2, 1)
    assert not advise(deal(C("0D"), C("4D"), fate=1)).choices  # a crossbow
    best = [advise(deal(C(strength), C("2D"), fate=1)).choices[0].best.id for strength in ("2D", "7D")]
    assert best == ["nothing", "fate"]  # 7 or 24 points of damage, against a price of 20


@pytest.mark.rule("opend6.gap.attack.modifier_style", "opend6.gap.attack.least")
@each_case(
    ("code", "against", "faces", "hit"),
    [
        ("3D", {"difficulty": 10, "harder": 1}, [3, 4, 4, 4], False),  # 10 + 3 against 12
        ("3D", {"difficulty": 10, "harder": 1}, [2, 4, 4, 4], True),
        ("3D", {"difficulty": 13, "easier": 1}, [3, 4, 3, 3], True),
        ("2D", {"difficulty": -2, "harder": 1}, [5, 2, 1], True),  # -2 and 5 are 3
        ("2D", {"difficulty": -2, "harder": 1}, [6, 1, 2, 2], False),  # -2 and 7 are 5
        ("2D", {"difficulty": 4, "easier": 1}, [5, 1, 1], False),  # 3 is the least
    ],
)
def test_rolled_modifiers_change_the_difficulty(
    code: str, against: dict[str, int], faces: list[int], hit: bool
) -> None:
    assert played(attack(C(code), **against, harmless=True), faces).hit is hit


# ---------------------------------------------------------------------- points, weighed against all alternatives


def reached(code: int, needed: int) -> Fraction:
    """The chance that so many dice reach a number."""
    return odds(several(DieCode(code), needed, 1, 0))[1]


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll")
def test_the_whole_attack_agrees_with_its_parts_enumerated() -> None:
    """Every answer to every question about points, tried out one by one, is no better than what advice says."""
    call = attack(C("2D"), difficulty=8, damage=C("1D"), weapon=C("1D"), resistance=C("1D"), points=1)
    value = odds(call).expected(harm)
    for before, after, damage in product((0, 1), (False, True), (False, True)):

        def fixed(ask: Any, before: int = before, after: bool = after, damage: bool = damage) -> int:
            if "before the attack" in ask.question:
                return before
            return int(after if "on the attack" in ask.question else damage)

        assert odds(call, policy=fixed).expected(harm) <= value
    first = advise(call).choices[0].options
    assert first[0].id == "nothing"
    assert first[0].value == max([one.value for one in first]), "points after a roll are never worse than before it"


@pytest.mark.rule("opend6.fate.timing")
def test_parts_ask_first_and_roll_then() -> None:
    asked = advise(aim(C("3D"), assumed=12, points=3, fate=1)).choices[0]
    assert [one.id for one in asked.options] == ["nothing", "1_points", "2_points", "3_points", "fate"]
    assert play(mend(4, 2), TypedDice([3, 2]), chooser=lambda ask: 1).result == (5, 2, True)
    assert play(mend(4, 2), TypedDice([]), chooser=lambda ask: 0).result == (0, 0, False)
    assert play(deepen(2), TypedDice([3, 2]), chooser=lambda ask: 1).result.gain == 5
    eased = play(ease(9, 2), TypedDice([3, 2]), chooser=lambda ask: 1).result
    assert (eased.over, eased.level, eased.points) == (4, "wounded", 2)
    assert played(ease(9, 0, levels=2)).level == "incapacitated"


@pytest.mark.rule("opend6.turn.declare_count", "opend6.map.allotment")
def test_one_action_or_three() -> None:
    call = several_actions(C("4D"), 10, 3)
    assert worths(call) == {str(count): count * reached(5 - count, 10) for count in (1, 2, 3)}
    assert odds(call).expected(lambda hits: hits) == max(worths(call).values())
    assert worths(several_actions(C("4D"), 10, 3, 3))["3"] == 3 * reached(4, 10)  # no penalty within the allotment
    assert list(worths(several_actions(C("2D"), 3, 3))) == ["1", "2"]


@pytest.mark.rule("opend6.gap.defence.partial", "opend6.gap.defence.full")
def test_full_partial_or_no_defence() -> None:
    found = worths(choose_defence(C("4D"), C("4D"), 10, C("4D"), 2))
    full = sum([part * -2 * reached(4, max(3, int(one.total) + 10)) for one, part in odds(aim(C("4D"))).fractions()])
    partial = sum([part * -2 * reached(4, max(3, int(one.total))) for one, part in odds(aim(C("3D"))).fractions()])
    assert found["none"] == reached(4, 10) - 2 * reached(4, 10)
    assert abs(found["full"] - full) < Fraction(1, 10**9)  # the sum stops at the last line of a table
    assert abs(found["partial"] - reached(3, 10) - partial) < Fraction(1, 10**9)


ONE_DIE = {0: 6, 2: 6, 3: 6, 4: 6, 5: 6, 7: 1, 8: 1, 9: 1, 10: 1, 11: 2}
"""The totals of 1D in 36ths: a 1 cancels itself, and 11 stands for everything above 10."""


@pytest.mark.rule("opend6.gap.attack.least", "opend6.gap.defence.passive")
@each_case(("modifier", "needed"), [(-12, 3), (-8, 3), (-7, 3), (-6, 4), (0, 10)])
def test_advice_on_defence_knows_that_nobody_is_hit_by_less_than_three(modifier: int, needed: int) -> None:
    found = worths(choose_defence(C("1D"), C("1D"), 500, C("1D"), 1, modifier))
    hits = Fraction(sum([weight for total, weight in ONE_DIE.items() if total >= needed]), 36)
    assert abs(found["none"] + hits) < Fraction(1, 1_000)  # totals are counted up to four sixes


@pytest.mark.rule("opend6.map.zero_rule")
def test_nobody_defends_or_strikes_with_less_than_a_die() -> None:
    with pytest.raises(IllegalActionError, match="below 1D"):
        advise(choose_defence(C("0D+2"), C("0D+1"), 1, C("1D")))
    assert not advise(choose_defence(C("0D+2"), C("1D"), 1, C("1D"))).choices  # a full defence alone is left


@pytest.mark.rule("opend6.prepare.bonus", "opend6.gap.attack.aiming")
def test_prepare_or_act() -> None:
    assert worths(prepare_or_act(C("3D"), 15, 2)) == {"0": 2 * reached(3, 15), "1": reached(4, 15)}
    assert worths(prepare_or_act(C("3D"), 20, 4, True)) == {
        "0": 4 * reached(3, 20),
        "1": reached(4, 20) + 2 * reached(3, 20),
        "2": reached(5, 20) + reached(3, 20),
        "3": reached(6, 20),
    }


@pytest.mark.rule("opend6.fate.double", "opend6.fate.timing", "opend6.fate.order")
@pytest.mark.parametrize("points", [1, 2])
def test_fate_points_among_three_rolls_by_every_way_to_place_them(points: int) -> None:
    dice, needed, penalty = (3, 5, 2), (8, 20, 20), 1
    later = tuple([DieCode(count) for count in dice[1:]])

    def successes(fated: tuple[int, ...]) -> Fraction:
        pools = [count * (2 if place in fated else 1) - penalty for place, count in enumerate(dice)]
        return sum([reached(pool, wanted) for pool, wanted in zip(pools, needed, strict=True)], start=Fraction(0))

    placed = [fated for many in range(points + 1) for fated in combinations(range(3), many)]
    assert worths(fate_now_or_later(DieCode(dice[0]), needed[0], later, needed[1], penalty, points)) == {
        "yes": max([successes(fated) for fated in placed if 0 in fated]),
        "no": max([successes(fated) for fated in placed if 0 not in fated]),
    }


@pytest.mark.rule("opend6.fate.double", "opend6.fate.order", "opend6.fate.per_roll_limit")
def test_without_dice_a_fate_point_goes_on_every_roll() -> None:
    """2D less 2 dice is nothing; doubled it is 2D, for one point each."""
    both = odds(fate_now_or_later(C("2D"), 7, (C("2D"),), 7, 2, 2)).expected(int)
    assert both == 2 * reached(2, 7)
    with pytest.raises(IllegalActionError):
        odds(fate_now_or_later(C("2D"), 7, (C("2D"),), 7, 2, 1))


@pytest.mark.rule("opend6.map.zero_rule", "opend6.fate.order")
def test_a_fate_point_that_a_later_roll_needs_is_kept_for_it() -> None:
    """1D less a die is nothing: the only Fate Point goes there, and what comes first does without."""
    call = fate_now_or_later(C("3D"), 10, (C("1D"),), 5, 1, 1)
    assert not advise(call).choices
    assert odds(call).expected(int) == reached(2, 10) + reached(1, 5)
    assert list(worths(fate_now_or_later(C("3D"), 10, (C("1D"),), 5, 1, 2))) == ["no", "yes"]


@pytest.mark.rule("opend6.initiative.roll", "opend6.initiative.points")
def test_initiative_takes_character_points_and_no_fate() -> None:
    assert played(initiative(C("3D+1"), 2), [3, 4, 5]) == (15, 0)
    found = play(initiative(C("3D"), points=2), TypedDice([3, 4, 5, 6, 2]), chooser=lambda ask: 1).result
    assert found == (12 + 8, 1)
    assert list(worths(initiative(C("3D"), points=9))) == list("012345")
    assert "fate" not in [parameter.name for parameter in initiative.params]


@pytest.mark.rule("opend6.gap.damage.total", "opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize("injury", ["wounds", "body_points"])
def test_damage_that_is_no_attacks_agrees_with_its_parts(injury: Any) -> None:
    code, physique, armour = C("2D"), C("2D+1"), C("1D")
    found = odds(injure(code, physique, armour, level="stunned", injury=injury))
    parts: dict[Any, Fraction] = {}
    for dealt, likely in odds(total(code, 0, 0)).fractions():
        for kept, chance in odds(resist(int(dealt), physique, armour, level="stunned", injury=injury)).fractions():
            key = (kept.level, 0 if injury == "wounds" else kept.over)
            parts[key] = parts.get(key, Fraction(0)) + likely * chance
    mine = {(one.level, one.over): likely for one, likely in found.fractions()}
    assert mine.keys() <= parts.keys()
    for key, likely in mine.items():
        assert abs(likely - parts[key]) < Fraction(1, 10**4)  # the rest of the table of damage is one line


@pytest.mark.rule("opend6.wild.cf_complication")
@each_case(("difficulty", "short"), [(3, 0), (8, 5), (9, 6), (11, 6)])
@each_case("points", [0, 1])
def test_a_complication_keeps_by_how_much_the_attack_was_short(difficulty: int, short: int, points: int) -> None:
    table = Terms(critical_failure="complication")
    call = attack(C("1D+2"), difficulty=difficulty, harmless=True, points=points, **table._asdict())
    found = {one.short for one in odds(call) if one.complication and not one.points}
    assert found == {short}
    assert {one.short for one in odds(call) if not one.complication} == {0}
