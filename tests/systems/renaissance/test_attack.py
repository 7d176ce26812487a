"""Attacks as rules: to hit, extra damage, strikes, Luck, damage, wounds and falling, with typed dice and exact odds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import Playthrough, advise, odds, play
from tablewright.engine.mechanic import Call
from tablewright.systems.renaissance.mechanics import clash_odds
from tablewright.systems.renaissance.mechanics.attack import Attacked, attack
from tablewright.systems.renaissance.mechanics.clash import clash, met
from tablewright.systems.renaissance.mechanics.defences import Clash
from tablewright.systems.renaissance.mechanics.harm import (
    Defence,
    FightRules,
    Strike,
    after_armor,
    attack_bonus,
    hurt,
    keep_up,
    multiple_penalty,
    off_hand_penalty,
    wounds_of,
)
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import DV, Grade, Regrade

FRAY = (Defence("fray", 50),)
TEN = DV(0, 10)
STRIKES = tuple([Strike.parse(text) for text in ("knock_down:-10", "maim:-20", "mighty_blow:-10", "armor_gap:-10")])


def played(call: Call[Any], *answers: Any) -> Any:
    """The result of a call with choices by their ids and dice as numbers."""
    playing = Playthrough(call)
    for one in answers:
        if isinstance(one, str):
            playing.choose(playing.question.ids.index(one))  # type: ignore[union-attr]
        else:
            playing.type_in(list(one) if isinstance(one, tuple) else [one])
    return playing.result


# ---------------------------------------------------------------------- to hit


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.defense.fray")
@pytest.mark.parametrize(
    ("rolls", "hit"),
    [((61,), False), ((60, 51), True), ((20, 30), False), ((30, 20), True), ((0, 51), True), ((30, 30, 61), False)],
)
def test_the_attacker_rolls_first_and_the_higher_success_wins(rolls: tuple[int, ...], hit: bool) -> None:
    assert play(clash(60, FRAY), TypedDice(list(rolls))).result.hit is hit


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.attack.procedure")
def test_a_character_who_cannot_defend_is_hit_by_every_success() -> None:
    assert odds(clash(60)).expected(lambda met: met.hit) == Fraction(61, 100)
    assert odds(clash(60, FRAY)).expected(lambda met: met.hit) < Fraction(61, 100)
    assert odds(clash(60, FRAY)).expected(lambda met: met.margin) == 0  # it is told only where it is asked for
    assert play(clash(60), TypedDice([20])).result.margin == 0


@pytest.mark.rule("renaissance.opposed.ordered_first_failure")
def test_a_failed_attack_is_rolled_again_with_the_defence_where_the_table_says_so() -> None:
    again = clash(60, FRAY, ordered_first_failure="reroll")
    assert play(again, TypedDice([70, 60, 40, 20])).result.hit
    assert not play(again, TypedDice([70, 40])).result.hit


def hits(call: Call[Clash]) -> Fraction:
    """The chance of a hit where every choice is the best."""
    return odds(call, "hit").expected(lambda met: met.hit)


@pytest.mark.rule("renaissance.defense.parry")
def test_the_target_picks_the_skill_that_serves_best() -> None:
    both = (Defence("fray", 40), Defence("parry", 55))
    choices = advise(clash(60, both), "hit").choices
    assert {one.best.id for one in choices if one.question == "how to defend" and one.margin} == {"parry"}
    assert hits(clash(60, both)) == hits(clash(60, both[1:]))


SLOW_CLASH = replace(clash, name="renaissance.clash_run_to_every_end", closed=None)


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.opposed.ordered", "renaissance.luck.flip")
@pytest.mark.parametrize(
    ("luck", "theirs", "way", "daring"),
    [
        (0, 0, "lose", 0),
        (1, 0, "lose", 0),
        (0, 1, "lose", 0),
        (0, 2, "lose", 20),
        (1, 0, "reroll", 0),
        (0, 0, "reroll", 0),
    ],
)
def test_the_closed_forms_give_what_the_rules_give(luck: int, theirs: int, way: Any, daring: int) -> None:
    """The first rolls are run to every end and lead to the closed form only where they are tied."""

    def value(result: Clash) -> int:
        return 10 * result.hit + result.bonus - 4 * result.luck + 3 * result.their_luck

    defences = (Defence("fray", 33, 10, daring), Defence("parry", 30))
    given = (defences, luck, theirs)
    assert odds(clash(47, *given, ordered_first_failure=way), value) == odds(
        SLOW_CLASH(47, *given, ordered_first_failure=way), value
    )


# ---------------------------------------------------------------------- extra damage


@pytest.mark.rule("renaissance.attack.mos_bonus", "renaissance.attack.bonus_basis")
@pytest.mark.parametrize(
    ("margin", "grade", "either", "mos", "by_grade"),
    [
        (30, Grade.NORMAL_SUCCESS, 0, 0, 0),
        (31, Grade.EXCEPTIONAL_SUCCESS, 5, 5, 5),
        (60, Grade.EXCEPTIONAL_SUCCESS, 5, 5, 5),
        (61, Grade.EXCEPTIONAL_SUCCESS, 10, 10, 10),
        (21, Grade.EXCEPTIONAL_SUCCESS, 5, 0, 5),
        (45, Grade.NORMAL_SUCCESS, 5, 5, 0),
        (22, Grade.CRITICAL_SUCCESS, 5, 0, 5),
        (61, Grade.NORMAL_SUCCESS, 10, 10, 0),
    ],
)
def test_a_good_attack_does_more_damage(margin: int, grade: Grade, either: int, mos: int, by_grade: int) -> None:
    found = [attack_bonus(margin, grade, FightRules(attack_bonus_basis=basis)) for basis in ("either", "mos", "grade")]
    assert found == [either, mos, by_grade]


@pytest.mark.rule("renaissance.grade.exceptional_boundary")
def test_the_boundary_counts_for_damage_too() -> None:
    at_least = FightRules(exceptional_boundary="at_least")
    assert [attack_bonus(margin, Grade.NORMAL_SUCCESS, at_least) for margin in (29, 30, 60)] == [0, 5, 10]


@pytest.mark.rule("renaissance.attack.critical", "renaissance.attack.critical_rule")
def test_a_critical_attack_rolls_its_dice_twice_or_ignores_armor() -> None:
    call = attack(60, DV(2, 0), armor=8, balance=98)
    result = play(call, TypedDice([44, 3, 4, 9, 9, 50])).result
    assert (result.critical, result.damage) == (True, 18 + 5 - 8)
    ignores = attack(60, DV(2, 0), armor=8, balance=98, critical_attack="ignore_armor")
    assert play(ignores, TypedDice([44, 3, 4, 50])).result.damage == 7 + 5


# ---------------------------------------------------------------------- damage


@pytest.mark.rule("renaissance.armor.damage")
@pytest.mark.parametrize(("dv", "armor", "ap", "damage"), [(14, 6, 2, 10), (14, 2, 5, 14), (3, 8, 1, 0)])
def test_armor_less_penetration_is_taken_off(dv: int, armor: int, ap: int, damage: int) -> None:
    assert after_armor(dv, armor, ap) == damage
    assert play(hurt(DV(0, dv), armor=armor, ap=ap, wound_threshold=99), TypedDice([])).result.damage == damage


@pytest.mark.rule("renaissance.injury.wounds", "renaissance.injury.wound_boundary")
@pytest.mark.parametrize(
    ("damage", "threshold", "literal", "at_least"),
    [(15, 6, 2, 2), (6, 6, 0, 1), (7, 6, 1, 1), (12, 6, 2, 2), (18, 6, 3, 3), (5, 6, 0, 0), (1, 0, 0, 1), (2, 0, 2, 2)],
)
def test_damage_at_one_time_makes_wounds(damage: int, threshold: int, literal: int, at_least: int) -> None:
    assert wounds_of(damage, threshold) == literal
    assert wounds_of(damage, threshold, "at_least") == at_least
    assert odds(hurt(DV(0, damage), wound_threshold=threshold)).expected(lambda one: one.wounds) == literal


@pytest.mark.rule("renaissance.injury.knockdown", "renaissance.injury.wound_check")
def test_a_wound_may_knock_down_with_its_own_penalty() -> None:
    assert not play(hurt(DV(0, 7), balance=60), TypedDice([50])).result.prone
    assert play(hurt(DV(0, 7), balance=60), TypedDice([51])).result.prone
    assert play(hurt(DV(0, 12), balance=60), TypedDice([41])).result.prone
    assert not play(hurt(DV(0, 12), balance=60), TypedDice([40])).result.prone
    each = hurt(DV(0, 12), balance=60, wound_check="per_wound")
    assert play(each, TypedDice([40, 41])).result.prone
    assert odds(hurt(DV(0, 40), balance=0, left=40)).expected(lambda one: one.prone) == 0


@pytest.mark.rule("renaissance.injury.negate", "renaissance.injury.knockdown")
@pytest.mark.parametrize(("damage", "negated", "goal"), [(7, 1, 60), (12, 1, 50), (12, 3, 60), (18, 1, 40)])
def test_a_wound_that_is_negated_as_it_comes_has_no_penalty(damage: int, negated: int, goal: int) -> None:
    for rolled in (goal, goal + 1):
        fallen = play(hurt(DV(0, damage), balance=60, negated=negated), TypedDice([rolled])).result.prone
        assert fallen is (rolled > goal)
    knocked = hurt(DV(0, damage), balance=98, footing=60, negated=negated)
    assert play(knocked, TypedDice([0, goal])).result.prone is False
    assert play(knocked, TypedDice([0, goal + 1])).result.prone is True
    struck = attack(99, DV(0, damage), balance=60, negated=negated)
    assert play(struck, TypedDice([5, goal])).result.prone is False
    assert play(struck, TypedDice([5, goal + 1])).result.prone is True


@pytest.mark.rule(
    "renaissance.resistance.keywords", "renaissance.resistance.option_1", "renaissance.resistance.rule_option"
)
@pytest.mark.parametrize(("vulnerability", "damage"), [(0, 15), (1, 30), (-1, 7), (-2, 3), (2, 60)])
def test_resistance_halves_and_vulnerability_doubles_before_armor(vulnerability: int, damage: int) -> None:
    assert odds(hurt(DV(0, 15), vulnerability=vulnerability)).expected(lambda one: one.damage) == damage
    shielded = hurt(DV(0, 15), armor=2, vulnerability=vulnerability)
    assert odds(shielded).expected(lambda one: one.damage) == damage - 2


@pytest.mark.rule("renaissance.resistance.option_2")
def test_or_they_change_the_target_s_check() -> None:
    def chance(call: Call[Attacked]) -> Fraction:
        return odds(call).expected(lambda one: one.hit)

    resisted = attack(60, TEN, FRAY, vulnerability=-1, resistance_rule="check_20")
    assert chance(resisted) == chance(attack(60, TEN, (Defence("fray", 70),))) < chance(attack(60, TEN, FRAY))
    assert {one.damage for one in odds(resisted).outcomes if one.hit} == {10, 15}


@pytest.mark.rule("renaissance.resistance.option_2", "renaissance.luck.ignore_penalties")
def test_luck_ignores_what_vulnerability_takes_from_a_defence() -> None:
    def call(*defences: Defence, vulnerability: int) -> Any:
        more: dict[str, Any] = {"resistance_rule": "check_20", "luck_per_check": 1}
        return attack(60, DV(2), defences, their_luck=1, vulnerability=vulnerability, **more)

    weak = odds(call(Defence("fray", 50), vulnerability=1), objective="worth")
    same = odds(call(Defence("fray", 30, 20), vulnerability=0), objective="worth")
    assert dict(weak.items()) == dict(same.items())


@pytest.mark.rule("renaissance.resistance.option_3")
def test_or_they_regrade_the_attack() -> None:
    vulnerable = attack(60, TEN, (), vulnerability=1, resistance_rule="regrade")
    assert play(vulnerable, TypedDice([20, 99])).result.special
    resistant = attack(60, DV(1), (), vulnerability=-1, resistance_rule="regrade")
    result = play(resistant, TypedDice([44, 3, 50])).result
    assert (result.critical, result.damage) == (False, 3 + 5)


@pytest.mark.rule("renaissance.resistance.option_4")
def test_or_they_reroll_the_damage() -> None:
    def one(vulnerability: int, critical: bool = False) -> Any:
        return hurt(
            DV(1), critical=critical, vulnerability=vulnerability, wound_threshold=99, resistance_rule="reroll_damage"
        )

    assert play(one(1), TypedDice([3, 8])).result.damage == 8
    assert play(one(-1), TypedDice([3, 8])).result.damage == 3
    assert play(one(-1, critical=True), TypedDice([8])).result.damage == 8  # they cancel
    assert play(one(1, critical=True), TypedDice([3, 8, 5])).result.damage == 8


# ---------------------------------------------------------------------- strikes


@pytest.mark.rule("renaissance.strike.knock_down", "renaissance.strike.procedure", "renaissance.strike.maim")
@pytest.mark.rule("renaissance.strike.luck", "renaissance.luck.upgrade", "renaissance.strike.armor_gap")
def test_the_examples_of_strikes() -> None:
    call = attack(70, DV(1), (Defence("fray", 70),), strikes=STRIKES, footing=40, balance=90)
    result = played(call, "knock_down", 41, 13, 1, 21)
    assert (result.hit, result.special, result.effect, result.damage) == (True, True, True, 6)
    assert result.prone is False
    assert played(call, "knock_down", 41, 13, 1, 41).prone
    assert not played(call, "knock_down", 61).hit  # the penalty is paid in any case
    call = attack(60, DV(1), (), strikes=STRIKES, luck=1, balance=98)
    result = played(call, "maim", 21, "upgrade", 4, 50)
    assert (result.hit, result.effect, result.damage, result.luck) == (True, True, 9, 1)
    kept = played(call, "maim", 21, "keep the result", 4)
    assert (kept.effect, kept.damage) == (False, 4)
    call = attack(60, DV(0, 10), (Defence("fray", 60),), armor=9, ap=2, strikes=STRIKES, damage_bonus=4, balance=98)
    result = played(call, "armor_gap", 21, 73)
    assert (result.hit, result.effect, result.damage) == (True, False, 3)
    found = played(call, "armor_gap", 41, 73, 50)
    assert (found.effect, found.damage) == (True, 15 - (9 - 2 - 4))


@pytest.mark.rule("renaissance.strike.mighty_blow")
def test_a_mighty_blow_adds_the_damage_bonus() -> None:
    call = attack(60, DV(0, 10), (), strikes=STRIKES, damage_bonus=4, wound_threshold=99)
    assert played(call, "mighty_blow", 41).damage == 10 + 5 + 4
    assert played(call, "mighty_blow", 20).damage == 10
    assert not played(call, "mighty_blow", 51).hit


@pytest.mark.rule("renaissance.strike.called_shot")
def test_a_called_shot_has_the_precision_tag_from_its_declaration() -> None:
    shot = (Strike("called_shot", -10),)
    call = attack(60, DV(0, 10), (), strikes=shot, precision=-1, wound_threshold=99)
    assert played(call, "called_shot", 20).damage == 5  # resisted, whether or not the place is hit
    assert played(call, "called_shot", 41).effect
    assert played(call, "plain", 20).damage == 10
    assert not played(call, "called_shot", 51).hit


@pytest.mark.rule("renaissance.strike.declare", "renaissance.attack.procedure", "renaissance.check.target_sources")
def test_a_strike_is_declared_before_the_roll_where_there_is_a_choice() -> None:
    playing = Playthrough(attack(60, TEN, (), strikes=STRIKES))
    assert playing.question is not None
    assert playing.question.ids == ("plain", "knock_down", "maim", "mighty_blow", "armor_gap")  # type: ignore[union-attr]
    told = advise(attack(60, DV(1), (Defence("fray", 40), Defence("parry", 30))))
    assert {one.question for one in told.choices} == {"how to defend"}


# ---------------------------------------------------------------------- luck


@pytest.mark.rule("renaissance.luck.ignore_penalties", "renaissance.luck.flip")
def test_luck_serves_before_the_roll_and_after_it() -> None:
    call = attack(40, TEN, (), penalties=20, strikes=STRIKES, luck=1, wound_threshold=99)
    result = played(call, "maim:ignore_penalties", 60)
    assert (result.hit, result.luck, result.effect) == (True, 1, True)
    assert not played(call, "maim", 21, "no").hit
    result = played(met_or_clash(luck=1), 62, "yes", 10)
    assert (result.hit, result.luck) == (True, 1)
    assert not played(met_or_clash(luck=1), 62, "no").hit
    result = played(met_or_clash(1, 1), 24, 31, "flip")  # 42 beats 31; turned round it would be 13
    assert (result.hit, result.luck) == (True, 1)
    lost = played(met_or_clash(0, 1), 24, 14, "yes")  # 14 becomes 41
    assert (lost.hit, lost.their_luck) == (False, 1)
    assert played(keep_up(30, 20, 1), "yes", 50).passed
    assert played(keep_up(30, 0, 1), 51, "yes") == (True, 1)
    assert not played(keep_up(30, 0, 0), 51).passed


def met_or_clash(luck: int = 0, their_luck: int = 0) -> Call[Clash]:
    return clash(60, FRAY, luck, their_luck)


@pytest.mark.rule("renaissance.luck.limit")
def test_the_table_may_limit_the_points_on_one_check() -> None:
    one, free = [attack(60, TEN, FRAY, luck=3, luck_per_check=most) for most in (1, None)]
    assert max(result.luck for result in odds(one, "worth").outcomes) <= 1
    assert odds(one, "hit").expected(lambda found: found.hit) < odds(free, "hit").expected(lambda found: found.hit)


def test_meeting_an_attack_is_the_second_half_of_a_clash() -> None:
    tied = Fraction(1, 100) * hits(clash(60, FRAY))
    assert hits(met(30, 3, 60, FRAY)) == Fraction(100 - 20 - 1, 100) + tied


# ---------------------------------------------------------------------- several weapons


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand")
@pytest.mark.parametrize(
    ("attacks", "hand", "tagged", "ambidextrous", "modifier"),
    [
        (2, "main", False, True, -10),
        (2, "off", False, True, -10),
        (2, "main", False, False, -10),
        (2, "off", True, False, -20),
        (1, "main", False, False, 0),
        (1, "off", False, False, -20),
        (2, "off", False, False, -30),
        (1, "off", True, False, -10),
    ],
)
def test_the_examples_of_several_weapons(
    attacks: int, hand: str, tagged: bool, ambidextrous: bool, modifier: int
) -> None:
    assert multiple_penalty(attacks, 1) + off_hand_penalty(hand, tagged, ambidextrous) == modifier


@pytest.mark.rule("renaissance.multi.targets", "renaissance.multi.targets_scope")
def test_several_targets_cost_more() -> None:
    assert [multiple_penalty(2, 1), multiple_penalty(2, 2), multiple_penalty(1, 2)] == [-10, -20, 0]
    assert multiple_penalty(1, 2, general=True) == -10


def test_everything_that_is_lost_stands_in_the_result() -> None:
    result = play(attack(60, DV(2, 6), FRAY, armor=6, ap=2), TypedDice([50, 60, 9, 9, 80])).result
    assert result == Attacked(True, "", False, True, False, 9 + 9 + 6 + 5 - 4, 4, True)


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.mos_bonus")
@pytest.mark.parametrize("goal", [0, 1, 37, 98])
def test_every_margin_of_a_hit_is_counted(goal: int) -> None:
    rules = FightRules(*[getattr(RenaissanceOptions(), name) for name in FightRules._fields])
    assert sorted([margin for _, margin in clash_odds._kinds(goal, Regrade.NONE, True, rules)]) == [*range(goal + 1)]
