"""Attacks as rules: hitting, damage, resistance, levels and Body Points, and the points spent on each of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.opend6.mechanics.attack import aim, attack, deal, deepen
from tablewright.systems.opend6.mechanics.blows import harm
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.harm import (
    Kept,
    ease,
    injure,
    level_of_excess,
    level_of_points,
    resist,
    two_less,
    wounded_by,
)
from tablewright.systems.opend6.mechanics.points import Terms, mend
from tablewright.systems.opend6.mechanics.turn import (
    choose_defence,
    fate_now_or_later,
    initiative,
    prepare_or_act,
    several,
    several_actions,
)
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode

C = DieCode.parse
LEDGER = Ledger.load("opend6")


def _over(kept: Kept) -> int:
    return kept.over


# ---------------------------------------------------------------------- levels


@pytest.mark.rule("opend6.gap.wound.levels")
def test_levels_by_excess() -> None:
    starts = LEDGER["opend6.gap.wound.levels"].data["levels"]
    expected = {0: "healthy"} | {excess: level for level, excess in starts.items()}
    now = "healthy"
    for excess in range(25):
        now = expected.get(excess, now)
        assert level_of_excess(excess) == now
    assert level_of_excess(-3) == "healthy"


@pytest.mark.rule("opend6.gap.wound.adding")
def test_wounds_add_up() -> None:
    least = {"stunned": 1, "wounded": 4, "incapacitated": 9, "mortally_wounded": 13}
    for step in LEDGER["opend6.gap.wound.adding"].data["steps"]:
        assert wounded_by(step["from"], least[step["by"]]) == step["to"]
    assert wounded_by("stunned", 9) == "incapacitated"  # a higher result takes its place
    assert wounded_by("wounded", 0) == "wounded"


@pytest.mark.rule("opend6.gap.wound.few_levels")
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


@pytest.mark.rule("opend6.gap.body_points.levels")
def test_levels_by_body_points() -> None:
    found = [level_of_points(left, 100) for left in (81, 80, 60, 59, 40, 39, 20, 19, 10, 9, 0)]
    assert found == [
        "healthy",
        "stunned",
        "stunned",
        "wounded",
        "wounded",
        "severely_wounded",
        "severely_wounded",
        "incapacitated",
        "incapacitated",
        "mortally_wounded",
        "mortally_wounded",
    ]


@pytest.mark.rule("opend6.gap.damage.stun")
def test_a_stun_weapon_gives_two_levels_less_and_minutes() -> None:
    assert [two_less("healthy", excess) for excess in (0, 1, 4, 9, 13, 16)] == [
        "healthy",
        "stunned",
        "stunned",
        "wounded",
        "severely_wounded",
        "incapacitated",
    ]
    struck = play(
        attack(C("3D"), difficulty=5, damage=C("2D"), weapon=C("1D"), resistance=C("2D"), stun=True),
        TypedDice([3, 3, 3, 4, 4, 4, 2, 2]),
    ).result
    assert (struck.level, struck.loss) == ("wounded", 12 + 1 - 4)


# ---------------------------------------------------------------------- hits, damage, resistance


@pytest.mark.rule("opend6.gap.attack.hit", "opend6.gap.defence.passive")
def test_reaching_the_difficulty_hits() -> None:
    assert play(attack(C("3D"), difficulty=10), TypedDice([4, 3, 3])).result.hit
    assert not play(attack(C("3D"), difficulty=11), TypedDice([4, 3, 3])).result.hit
    assert play(attack(C("3D")), TypedDice([2, 4, 4])).result.hit  # no one defends: 10


@pytest.mark.rule("opend6.gap.damage.total", "opend6.gap.resistance.wounds", "opend6.gap.resistance.tie")
def test_damage_beyond_the_resistance_wounds() -> None:
    blow = attack(C("3D"), difficulty=10, damage=C("2D"), weapon=C("1D+2"), resistance=C("3D"), armour=C("1D"))
    rolls = [[4, 3, 3], [5, 5, 5], [3, 3, 3, 4]]  # damage 15 + 2 against 13: 4
    assert play(blow, TypedDice([face for roll in rolls for face in roll])).result.level == "wounded"
    rolls[2] = [5, 3, 5, 4]  # 17 against 17 hurts no one
    assert play(blow, TypedDice([face for roll in rolls for face in roll])).result.level == "healthy"


@pytest.mark.rule("opend6.gap.resistance.body_points", "opend6.gap.body_points.loss", "opend6.gap.resistance.pips_only")
def test_body_points_are_lost_beyond_the_armour() -> None:
    bare = attack(C("3D"), difficulty=10, damage=C("2D"), weapon=C("1D"), resistance=C("3D"), injury="body_points")
    assert play(bare, TypedDice([4, 3, 3, 5, 5, 5])).result.loss == 15
    leather = attack(
        C("3D"),
        difficulty=10,
        damage=C("2D"),
        weapon=C("1D"),
        resistance=C("3D"),
        armour=C("0D+2"),
        injury="body_points",
    )
    assert play(leather, TypedDice([4, 3, 3, 5, 5, 5])).result.loss == 13  # nothing is rolled for pips alone
    mail = attack(
        C("3D"), difficulty=10, damage=C("2D"), weapon=C("1D"), resistance=C("3D"), armour=C("2D"), injury="body_points"
    )
    assert play(mail, TypedDice([4, 3, 3, 5, 5, 5, 4, 3])).result.loss == 8
    fated = resist(15, C("3D"), C("2D"), fate=1, injury="body_points")
    plain = resist(15, C("3D"), C("2D"), injury="body_points")
    assert odds(fated, policy=lambda ask: 1).expected(_over) < odds(plain).expected(_over)


@pytest.mark.rule("opend6.result.fifth_damage")
@pytest.mark.parametrize(("total", "more"), [(10, 0), (11, 1), (15, 1), (16, 2)])
def test_a_fifth_of_the_result_points_adds_to_damage(total: int, more: int) -> None:
    faces = [4, 3, 3] if total == 10 else [5, total - 10, 5]
    blow = attack(C("3D"), difficulty=10, damage=C("1D"), injury="body_points")
    assert play(blow, TypedDice([*faces, 3])).result.loss == 3 + more
    assert (
        play(
            attack(C("3D"), difficulty=10, damage=C("1D"), injury="body_points", fifth=False), TypedDice([*faces, 3])
        ).result.loss
        == 3
    )


@pytest.mark.rule("opend6.gap.weapon.flat")
def test_the_flat_of_the_blade_does_half_damage() -> None:
    assert (
        play(
            attack(C("3D"), difficulty=10, damage=C("2D"), injury="body_points", halved=True),
            TypedDice([4, 3, 3, 4, 3]),
        ).result.loss
        == 4
    )


@pytest.mark.rule("opend6.gap.resistance.negative")
def test_resistance_below_zero() -> None:
    found = {
        value: odds(
            attack(
                C("3D"),
                difficulty=3,
                damage=C("2D"),
                resistance=C("1D"),
                resistance_bonus=-8,
                negative_resistance=value,
            )
        ).expected(harm)
        for value in ("zero", "add_to_damage", "add_to_all_difficulties")
    }
    assert found["add_to_damage"] > found["zero"] == found["add_to_all_difficulties"]
    assert (
        play(resist(5, C("1D"), resistance_bonus=-8, negative_resistance="add_to_damage"), TypedDice([3])).result.over
        == 10
    )
    assert play(resist(5, C("1D"), resistance_bonus=-8), TypedDice([3])).result.over == 5


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_a_fate_point_doubles_strength_damage_and_no_weapon() -> None:
    call = deal(C("2D"), C("1D+2"), fate=1)
    doubled = play(call, TypedDice([3, 3, 3, 3, 3]), chooser=lambda ask: 1).result
    assert (doubled.total, doubled.fate) == (15 + 2, 1)
    assert not advise(deal(C("0D"), C("4D"), fate=1)).choices  # a crossbow


@pytest.mark.rule("opend6.gap.attack.modifier_style")
def test_rolled_modifiers_change_the_difficulty() -> None:
    rolled = attack(C("3D"), difficulty=10, harder=1, injury="body_points", damage=C("1D"))
    assert not play(rolled, TypedDice([3, 4, 4, 4])).result.hit  # 10 + 3 against 12
    assert play(rolled, TypedDice([2, 4, 4, 4, 3])).result.hit
    assert play(
        attack(C("3D"), difficulty=13, easier=1, injury="body_points", damage=C("1D")), TypedDice([3, 4, 3, 3, 3])
    ).result.hit


# ---------------------------------------------------------------------- points, weighed against all alternatives


def reached(code: int, needed: int) -> Fraction:
    return odds(several(DieCode(code), needed, 1, 0))[1]


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.max_per_roll")
def test_the_whole_attack_agrees_with_its_parts_enumerated() -> None:
    """Every answer to every question about points, tried out one by one, is no better than what advice says."""
    call = attack(C("2D"), difficulty=8, damage=C("1D"), weapon=C("1D"), resistance=C("1D"), points=1)
    value = odds(call).expected(harm)
    for before, after, damage in product((0, 1), (False, True), (False, True)):

        def fixed(ask: object, before: int = before, after: bool = after, damage: bool = damage) -> int:
            question = ask.question  # type: ignore[attr-defined]
            if "before the attack" in question:
                return before
            return int(after if "on the attack" in question else damage)

        assert odds(call, policy=fixed).expected(harm) <= value
    assert advise(call).choices[0].options[0].id == "nothing"


@pytest.mark.rule("opend6.cp.timing")
def test_points_after_a_roll_are_never_worse_than_before_it() -> None:
    worths = {
        one.id: one.value
        for one in advise(attack(C("3D"), difficulty=12, damage=C("2D"), weapon=C("1D"), resistance=C("3D"), points=2))
        .choices[0]
        .options
    }
    assert worths["nothing"] >= max(worths.values())


@pytest.mark.rule("opend6.fate.timing")
def test_parts_ask_first_and_roll_then() -> None:
    asked = advise(aim(C("3D"), assumed=12, points=3, fate=1)).choices[0]
    assert [one.id for one in asked.options] == ["nothing", "1_points", "2_points", "3_points", "fate"]
    assert play(mend(4, 2), TypedDice([3, 2]), chooser=lambda ask: 1).result == (5, 2, True)
    assert play(mend(4, 2), TypedDice([]), chooser=lambda ask: 0).result == (0, 0, False)
    assert play(deepen(2), TypedDice([3, 2]), chooser=lambda ask: 1).result.gain == 5
    eased = play(ease(9, 2), TypedDice([3, 2]), chooser=lambda ask: 1).result
    assert (eased.over, eased.level, eased.points) == (4, "wounded", 2)
    assert play(ease(9, 0, levels=2), TypedDice([])).result.level == "incapacitated"


@pytest.mark.rule("opend6.turn.declare_count", "opend6.map.allotment")
def test_one_action_or_three() -> None:
    call = several_actions(C("4D"), 10, 3)
    worths = {one.id: one.value for one in advise(call).choices[0].options}
    for count in (1, 2, 3):
        assert worths[str(count)] == count * reached(4 - (count - 1), 10)
    assert odds(call).expected(lambda hits: hits) == max(worths.values())
    free = {one.id: one.value for one in advise(several_actions(C("4D"), 10, 3, 3)).choices[0].options}
    assert free["3"] == 3 * reached(4, 10)  # no penalty within the allotment
    assert [one.id for one in advise(several_actions(C("2D"), 3, 3)).choices[0].options] == ["1", "2"]


@pytest.mark.rule("opend6.gap.defence.partial", "opend6.gap.defence.full")
def test_full_partial_or_no_defence() -> None:
    worths = {one.id: one.value for one in advise(choose_defence(C("4D"), C("4D"), 10, C("4D"), 2)).choices[0].options}
    assert worths["none"] == reached(4, 10) - 2 * reached(4, 10)
    totals = odds(aim(C("4D"))).fractions()
    full = sum([likely * -2 * reached(4, max(3, int(one.total) + 10)) for one, likely in totals])
    assert abs(worths["full"] - full) < Fraction(1, 10**9)  # the sum stops at the last line of a table
    partial = reached(3, 10) - sum(
        [likely * 2 * reached(4, max(3, int(one.total))) for one, likely in odds(aim(C("3D"))).fractions()]
    )
    assert abs(worths["partial"] - partial) < Fraction(1, 10**9)


@pytest.mark.rule("opend6.prepare.bonus", "opend6.gap.attack.aiming")
def test_prepare_or_act() -> None:
    worths = {one.id: one.value for one in advise(prepare_or_act(C("3D"), 15, 2)).choices[0].options}
    assert worths == {"0": 2 * reached(3, 15), "1": reached(4, 15)}
    aiming = {one.id: one.value for one in advise(prepare_or_act(C("3D"), 20, 4, True)).choices[0].options}
    assert aiming == {
        "0": 4 * reached(3, 20),
        "1": reached(4, 20) + 2 * reached(3, 20),
        "2": reached(5, 20) + reached(3, 20),
        "3": reached(6, 20),
    }


@pytest.mark.rule("opend6.fate.double", "opend6.fate.per_roll_limit", "opend6.fate.order")
def test_a_fate_point_now_or_later() -> None:
    call = fate_now_or_later(C("3D"), 10, (C("4D"),), 20, 1)
    worths = {one.id: one.value for one in advise(call).choices[0].options}
    assert worths["yes"] == reached(5, 10) + reached(3, 20)
    assert worths["no"] == reached(2, 10) + max(reached(3, 20), reached(7, 20))


@pytest.mark.rule("opend6.fate.double", "opend6.fate.order")
def test_without_dice_a_fate_point_goes_on_every_roll() -> None:
    """2D less 2 dice is nothing; doubled it is 2D, for one point each."""
    both = odds(fate_now_or_later(C("2D"), 7, (C("2D"),), 7, 2, 2)).expected(int)
    assert both == 2 * reached(2, 7)
    with pytest.raises(IllegalActionError):
        odds(fate_now_or_later(C("2D"), 7, (C("2D"),), 7, 2, 1))


@pytest.mark.rule("opend6.fate.double", "opend6.fate.timing", "opend6.fate.order")
@pytest.mark.parametrize("points", [1, 2])
def test_fate_points_among_three_rolls_by_every_way_to_place_them(points: int) -> None:
    dice, needed, penalty = (3, 5, 2), (8, 20, 20), 1
    later = tuple([DieCode(count) for count in dice[1:]])
    told = advise(fate_now_or_later(DieCode(dice[0]), needed[0], later, needed[1], penalty, points)).choices[0].options

    def successes(fated: tuple[int, ...]) -> Fraction:
        pools = [count * (2 if place in fated else 1) - penalty for place, count in enumerate(dice)]
        return sum([reached(pool, wanted) for pool, wanted in zip(pools, needed, strict=True)], start=Fraction(0))

    placed = [fated for many in range(points + 1) for fated in combinations(range(3), many)]
    worths = {one.id: one.value for one in told}
    assert worths["yes"] == max([successes(fated) for fated in placed if 0 in fated])
    assert worths["no"] == max([successes(fated) for fated in placed if 0 not in fated])


@pytest.mark.rule("opend6.initiative.roll", "opend6.initiative.points")
def test_initiative_takes_character_points_and_no_fate() -> None:
    assert play(initiative(C("3D+1"), 2), TypedDice([3, 4, 5])).result == (15, 0)
    found = play(initiative(C("3D"), points=2), TypedDice([3, 4, 5, 6, 2]), chooser=lambda ask: 1).result
    assert found == (12 + 8, 1)
    assert [one.id for one in advise(initiative(C("3D"), points=9)).choices[0].options] == list("012345")
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


@pytest.mark.rule("opend6.fate.external_not_doubled", "opend6.cp.timing")
def test_a_fate_point_is_kept_unless_it_adds_much_to_the_damage() -> None:
    def best(strength: str) -> str:
        return next(one.id for one in advise(deal(C(strength), C("2D"), fate=1)).choices[0].options if one.best)

    assert (best("2D"), best("7D")) == ("nothing", "fate")  # 7 or 24 points of damage, against a price of 20


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize(("difficulty", "short"), [(3, 0), (8, 5), (9, 6), (11, 6)])
@pytest.mark.parametrize("points", [0, 1])
def test_a_complication_keeps_by_how_much_the_attack_was_short(difficulty: int, short: int, points: int) -> None:
    table = Terms(critical_failure="complication")
    call = attack(C("1D+2"), difficulty=difficulty, harmless=True, points=points, **table._asdict())
    found = {one.short for one in odds(call) if one.complication and not one.points}
    assert found == {short}
    assert {one.short for one in odds(call) if not one.complication} == {0}
