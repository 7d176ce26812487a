"""Advice is what comes out when all alternatives are tried: Luck, strikes, defences, one weapon or two."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from tablewright.dice.source import TypedDice
from tablewright.engine import Call, advise, odds, play
from tablewright.systems.renaissance.mechanics.attack import WEAPONS, Attacked, attack, two_weapons
from tablewright.systems.renaissance.mechanics.checks import lucky_check
from tablewright.systems.renaissance.mechanics.clash import met
from tablewright.systems.renaissance.mechanics.dice import LuckUse, uses_of_luck
from tablewright.systems.renaissance.mechanics.harm import STRIKES, Defence, Strike, worth
from tablewright.systems.renaissance.values import DV, Grade, Regrade, flipped, judge, limited, regraded


def value(call: Call[Any], objective: str) -> Fraction:
    """Worth of a call if every choice in it is the best."""
    return odds(call, objective).expected(call.mechanic.objective(objective)[1])


def offered(call: Call[Any], objective: str) -> dict[str, Fraction]:
    """Worth of each option of the first choice, by the advice."""
    return {one.id: one.value for one in advise(call, objective).choices[0].options}


# ---------------------------------------------------------------------- Luck


OBJECTIVES: dict[str, Any] = {
    "success": lambda grade, spent: Fraction(grade.succeeds),
    "grade": lambda grade, spent: Fraction(grade.rank),
    "thrifty_success": lambda grade, spent: grade.succeeds - Fraction(spent, 10),
    "exceptional": lambda grade, spent: Fraction(grade.rank >= Grade.EXCEPTIONAL_SUCCESS.rank),
}


def by_hand(target: int, luck: int, penalties: int, objective: str, ignores: bool) -> Fraction:
    """The average over the hundred rolls, each with the best of all that may be done with it."""
    total, goal, points = Fraction(0), limited(target + penalties * ignores), luck - ignores
    for rolled in range(100):
        results = []
        for use in LuckUse:
            number = flipped(rolled) if use.flips else rolled
            change = Regrade.UPGRADE if use.upgrades else Regrade.NONE
            grade = regraded(judge(number, goal).grade, change, "one_each_cancel", "to_exceptional")
            if use.points <= points:
                results.append(OBJECTIVES[objective](grade, use.points + ignores))
        total += max(results)
    return total / 100


@pytest.mark.rule("renaissance.luck.ignore_penalties", "renaissance.luck.flip", "renaissance.luck.upgrade")
@each_case("objective", OBJECTIVES)
@each_case(("target", "luck", "penalties"), [(40, 1, 20), (40, 2, 20), (55, 3, 30), (30, 1, 10)])
def test_spend_luck_before_flip_upgrade_or_keep_it(target: int, luck: int, penalties: int, objective: str) -> None:
    call = lucky_check(target, luck, penalties)
    tried = {
        "no": by_hand(target, luck, penalties, objective, False),
        "yes": by_hand(target, luck, penalties, objective, True),
    }
    assert offered(call, objective) == tried
    assert value(call, objective) == max(tried.values())


@pytest.mark.rule("renaissance.luck.upgrade")
def test_the_advice_after_the_roll_names_every_use() -> None:
    last = advise(lucky_check(40, 2), "grade").choices
    assert {one.id for situation in last for one in situation.options} == {use.value for use in LuckUse}
    assert [use.value for use in uses_of_luck(0, Regrade.NONE, can_flip=True)] == ["keep the result"]


# ---------------------------------------------------------------------- strike or plain attack

FIGHT: dict[str, Any] = {
    "target": 55,
    "dv": DV(2, 5),
    "defences": (Defence("fray", 40),),
    "armor": 7,
    "ap": 1,
    "penalties": 20,
    "damage_bonus": 4,
    "wound_threshold": 6,
    "footing": 35,
}
PENALTIES = {"called_shot": -10, "knock_down": -10, "maim": -20, "mighty_blow": -10, "armor_gap": -10}


@pytest.mark.rule("renaissance.strike.declare", "renaissance.strike.procedure", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize("objective", ["worth", "damage", "prone"])
@pytest.mark.parametrize(("luck", "daring"), [(0, 0), (1, 0), (2, 20)])
def test_a_strike_or_a_plain_attack(luck: int, daring: int, objective: str) -> None:
    strikes = tuple([Strike(name, PENALTIES[name]) for name in STRIKES])
    call = attack(**FIGHT, luck=luck, daring=daring, strikes=strikes)
    tried = {}
    for strike in (None, *strikes):
        for ignoring in (False, True)[: 1 + bool(luck)]:
            for dares in (False, True)[: 1 + bool(daring)]:
                words = [strike.result if strike else "plain", "ignore_penalties" * ignoring, "dare" * dares]
                chosen = {"ignoring": ignoring, "dares": dares, "plain": strike is None}
                one = attack(**FIGHT, luck=luck, daring=daring, strikes=(strike,) if strike else (), **chosen)
                tried[":".join([word for word in words if word])] = value(one, objective)
    assert offered(call, objective) == tried
    assert value(call, objective) == max(tried.values())


# ---------------------------------------------------------------------- which defence


@pytest.mark.rule("renaissance.defense.fray", "renaissance.defense.parry")
@pytest.mark.parametrize("margin", [5, 22, 38, 47])
def test_which_defence_skill(margin: int) -> None:
    """An attack roll lies there: each way to defend by itself is a call of its own."""
    ways = {
        "fray": Defence("fray", 48),
        "parry": Defence("parry", 40, 30),
        "parry:ignore_penalties": Defence("parry", 70),
    }
    call = met(margin, margin, 60, (ways["fray"], ways["parry"]), 0, 1)
    tried = {}
    for name, defence in ways.items():
        spent = name.endswith("ignore_penalties")
        alone = met(margin, margin, 60, (defence._replace(penalties=0),), 0, 1 - spent)
        if limited(defence.target) >= margin:
            tried[name] = value(alone, "hit")
    if len(tried) == 1:
        assert value(call, "hit") == next(iter(tried.values()))  # nothing else could even tie: it is not asked
    else:
        after = {one.id: one.value for one in advise(call, "hit").choices[0].options}
        assert set(after) == set(tried)
        assert value(call, "hit") == min(after.values())
        assert after["parry:ignore_penalties"] == tried["parry:ignore_penalties"]


# ---------------------------------------------------------------------- two weapons or one

TWO: dict[str, Any] = {"defences": (Defence("fray", 45),), "armor": 5, "wound_threshold": 6, "left": 26}


def landed(call: Call[Any]) -> list[tuple[Attacked, Fraction]]:
    """Everything that an attack can come to, with its chance."""
    found = odds(call)
    return [(one, found[one]) for one in found.outcomes]


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand")
@pytest.mark.parametrize(("target", "off"), [(60, 40), (80, 60), (35, 5)])
def test_two_weapons_or_one(target: int, off: int) -> None:
    call = two_weapons(target, DV(2, 3), off, DV(1, 3), ap=3, off_ap=2, balance=60, **TWO)
    single = {
        "main": value(attack(target, DV(2, 3), ap=3, balance=60, **TWO), "worth"),
        "off": value(attack(off, DV(1, 3), ap=2, balance=60, **TWO), "worth"),
    }
    both = Fraction(0)
    for one, chance in landed(attack(target - 10, DV(2, 3), ap=3, balance=60, **TWO)):
        if one.felled:
            both += chance * worth(one.damage, one.wounds, one.prone, True)
            continue
        less = 10 * one.wounds
        second = attack(
            off - 10 + 10 * one.prone,
            DV(1, 3),
            (Defence("fray", 45 - less, less),),
            armor=5,
            ap=2,
            balance=60 - less,
            left=26 - one.damage,
        )
        for two, further in landed(second):
            harm = (one.damage + two.damage, one.wounds + two.wounds, one.prone or two.prone, two.felled)
            both += chance * further * worth(*harm)
    assert offered(call, "worth") == {**single, "both": both}
    assert value(call, "worth") == max(both, *single.values())


@pytest.mark.rule("renaissance.injury.negate")
def test_the_second_weapon_meets_what_the_first_has_left_of_negated_wounds() -> None:
    call = two_weapons(99, DV(0, 7), 99, DV(0, 7), balance=70, negated=1)
    one = [5, 70]  # a wound without a penalty
    both = WEAPONS.index("both")
    assert not play(call, TypedDice([*one, 5, 60]), lambda asked: both).result.prone
    assert play(call, TypedDice([*one, 5, 61]), lambda asked: both).result.prone


def test_a_poor_off_hand_stays_still() -> None:
    best = [
        max(offered(two_weapons(target, DV(2, 3), off, DV(1), **TWO), "worth").items(), key=lambda one: one[1])[0]
        for target, off in ((80, 70), (40, 0))
    ]
    assert best == ["both", "main"]
