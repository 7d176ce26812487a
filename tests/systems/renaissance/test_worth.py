"""Worth of results, choices and advice: what comes out when all alternatives are tried, and when counted otherwise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from each_case import each_case
from patience import at_most_calls
from tablewright.dice import TypedDice
from tablewright.engine import Call, Mechanic, Playthrough, Roll, advise, odds, play
from tablewright.systems.renaissance.actions.attack import worth_of
from tablewright.systems.renaissance.mechanics.attack import WEAPONS, Attacked, Volleyed, attack, strikable, two_weapons
from tablewright.systems.renaissance.mechanics.checks import lucky_check
from tablewright.systems.renaissance.mechanics.clash import clash, met
from tablewright.systems.renaissance.mechanics.defences import Sides
from tablewright.systems.renaissance.mechanics.dice import LuckUse, uses_of_luck
from tablewright.systems.renaissance.mechanics.harm import (
    NO_RESERVE,
    STRIKES,
    Defence,
    Hurt,
    Kept,
    Strike,
    hurt,
    keep_up,
    worth,
)
from tablewright.systems.renaissance.mechanics.luck import Contest, gifted_check, lucky_contest
from tablewright.systems.renaissance.mechanics.turn import (
    Bound,
    Initiative,
    Strained,
    Task,
    bind,
    initiative,
    resist,
    stress,
    task,
)
from tablewright.systems.renaissance.values import (
    DV,
    Grade,
    Lucky,
    Regrade,
    Variable,
    flipped,
    judge,
    limited,
    regraded,
)


def value(call: Call[Any], objective: str) -> Fraction:
    """Worth of a call if every choice in it is the best."""
    return odds(call, objective).expected(call.mechanic.objective(objective)[1])


def offered(call: Call[Any], objective: str) -> dict[str, Fraction]:
    """Worth of each option of the first choice, by the advice."""
    return {one.id: one.value for one in advise(call, objective).choices[0].options}


# ---------------------------------------------------------------------- advice on Luck


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
    assert [use.cost for use in LuckUse] == ["", "1 Luck", "1 Luck", "2 Luck"]


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


# ---------------------------------------------------------------------- worth of results


WORTHS: list[tuple[Mechanic[..., Any], Any, dict[str, Any]]] = [
    (initiative, Initiative(14, 2), {"worth": 90, "total": 14}),
    (stress, Strained(7, 2, True, 1), {"worth": -(70 + 60 + 30 + 60), "stress": 7, "traumas": 2}),
    (stress, Strained(7, 0, False, 0), {"worth": -70, "traumas": 0}),
    (resist, Kept(True, 2), {"worth": 1, "resisted": 1}),
    (resist, Kept(False, 3), {"worth": -3, "resisted": 0}),
    (keep_up, Kept(True, 2), {"worth": 1, "passed": 1}),
    (bind, Bound(True, 3, 1), {"worth": 30 + 40 - 60}),
    (bind, Bound(False, 0, 1), {"worth": -60}),
    (task, Task(Grade.NORMAL_SUCCESS, 30, 1), {"success": 1, "time": 30, "worth": 40}),
    (task, Task(Grade.NORMAL_FAILURE, 30, 1), {"success": 0, "time": 30, "worth": -60}),
    (hurt, Hurt(8, 1, True, False, 2), {"worth": 80 + 30 + 25 + 120, "damage": 8, "wounds": 1}),
    (
        attack,
        Attacked(True, "maim", True, True, False, 8, 1, True, True, 1, 2),
        {
            "worth": 80 + 30 + 25 + 120 + 60 + 60,
            "damage": 8,
            "hit": 1,
            "wounds": 1,
            "prone": 1,
            "felled": 1,
            "effect": 1,
        },
    ),
    (attack, Attacked(True, "maim", False, damage=8), {"worth": 80, "effect": 0, "prone": 0, "felled": 0}),
    (attack, Attacked(True, "mighty_blow", True, damage=8), {"worth": 80, "effect": 1}),
    (two_weapons, Volleyed(2, 15, 2, True, True), {"worth": 150 + 60 + 25 + 120, "damage": 15, "hits": 2, "felled": 1}),
    (lucky_contest, Contest(Variable.A_WINS, 1, 0), {"worth": 40, "win": 1, "no_defeat": 1}),
    (lucky_contest, Contest(Variable.BOTH_PARTIAL, 0, 1), {"worth": 110, "win": 0, "no_defeat": 1}),
    (lucky_contest, Contest(Variable.B_WINS, 0, 0), {"worth": 0, "win": 0, "no_defeat": 0}),
]


@pytest.mark.parametrize(
    ("mechanic", "result", "worths"), [pytest.param(*one, marks=pytest.mark.rule(*one[0].rules[:3])) for one in WORTHS]
)
def test_value_of_a_result(mechanic: Mechanic[..., Any], result: Any, worths: dict[str, Any]) -> None:
    assert {name: mechanic.objectives[name](result) for name in worths} == worths


@pytest.mark.rule("renaissance.luck.flip")
@each_case(
    ("grade", "found"),
    [
        (Grade.NORMAL_SUCCESS, (1, 0)),
        (Grade.EXCEPTIONAL_SUCCESS, (1, 1)),
        (Grade.CRITICAL_SUCCESS, (1, 1)),
        (Grade.NORMAL_FAILURE, (0, 0)),
    ],
)
def test_grading_of_a_check_with_luck(grade: Grade, found: tuple[int, int]) -> None:
    worth_of_it = {name: aim(Lucky(grade, 2)) for name, aim in gifted_check.objectives.items()}
    assert (worth_of_it["success"], worth_of_it["exceptional"]) == found
    assert worth_of_it["thrifty_success"] * 10 == 10 * found[0] - 2


@pytest.mark.rule("renaissance.injury.wounds", "renaissance.injury.knockdown", "renaissance.strike.knock_down")
def test_harm_adds_up() -> None:
    alone = [worth(1, 0, False, False), worth(0, 1, False, False), worth(0, 0, True, False), worth(0, 0, False, True)]
    assert alone == [10, 30, 25, 120]
    assert worth(1, 2, True, True) == 10 + 60 + 25 + 120


@pytest.mark.rule("renaissance.healing.binding")
def test_a_wound_that_is_not_bound_heals_nothing() -> None:
    assert play(bind(50), TypedDice([51])).result == Bound(False, 0, 0)
    assert play(bind(50), TypedDice([50, 7])).result == Bound(True, 7, 0)
    assert play(bind(50, minutes=10, steps=1), TypedDice([50, 7])).result == Bound(True, 7, 0, 15)


@pytest.mark.rule("renaissance.disease.course", "renaissance.chemical.framework")
def test_resisting_with_luck_and_without() -> None:
    assert odds(resist(60)).chance(lambda kept: kept == Kept(True, 0)) * 100 == 61
    lucky = odds(resist(60, luck=1), "resisted")
    swaps = sum([rolled > 60 >= (rolled % 10) * 10 + rolled // 10 for rolled in range(100)])
    assert lucky.chance(lambda kept: kept.passed) * 100 == 61 + swaps  # there are no penalties to ignore


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.strike.luck", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize(
    ("penalties", "luck", "daring", "options"),
    [
        (0, 0, 20, ["plain", "maim"]),
        (0, 1, 0, ["plain", "maim", "maim:ignore_penalties"]),  # there is nothing to ignore in a plain attack
        (10, 1, 0, ["plain", "plain:ignore_penalties", "maim", "maim:ignore_penalties"]),
        (0, 1, 20, ["plain", "plain:dare", "maim", "maim:ignore_penalties", "maim:dare"]),
        (0, 2, 20, ["plain", "plain:dare", "maim", "maim:ignore_penalties", "maim:dare", "maim:ignore_penalties:dare"]),
    ],
)
def test_allowed_declarations(penalties: int, luck: int, daring: int, options: list[str]) -> None:
    offered = strikable((Strike("maim", -20),), penalties, luck, daring=daring, target=50)
    assert [one.id for one in offered] == options
    aimed = {one.id: one.target for one in offered}
    assert (aimed["plain"], aimed["maim"]) == (50, 30)
    assert aimed.get("maim:ignore_penalties", 50 + penalties) == 50 + penalties
    assert aimed.get("plain:dare", 70) == 70


def worths_of_roll(call: Call[Any], *answers: tuple[int, ...]) -> list[int]:
    """Worth of each face of the roll that follows these answers, for statistics of luck."""
    playing: Playthrough[Any] = Playthrough(call)
    for answer in answers:
        playing.answer(answer)
    assert isinstance(playing.question, Roll)
    assert playing.question.worth is not None
    return [playing.question.worth(face) for face in range(100)]


def test_the_luckiest_face_of_a_check_is_the_highest_success() -> None:
    attacked = clash(Sides(60, (Defence("fray", 40),)))
    attacks = worths_of_roll(attacked)
    assert attacks.index(max(attacks)) == 60
    assert attacks[:61] == sorted(set(attacks[:61]))
    assert set(attacks[61:]) == {0}
    defences = worths_of_roll(attacked, (35,))  # 36 to 40 beat it, 35 is rolled again
    assert [defences[face] > 0 for face in (34, 35, 36, 40, 41)] == [False, False, True, True, False]
    assert defences[34] < defences[35] == 0
    assert worths_of_roll(keep_up(45)) == [100] * 46 + [0] * 54


def test_a_failure_that_luck_can_flip_is_luckier_than_another() -> None:
    attacked = clash(Sides(60, (Defence("fray", 40),), luck=1, their_luck=1))
    attacks = worths_of_roll(attacked)
    assert attacks[60] == 290  # flipped it would be 6
    assert attacks[70] < attacks[95] == 7 * (50 + 4 * 59) // 10  # 95 can be flipped to 59, 70 to 7
    assert attacks[77] == attacks[99] == 0
    defences = worths_of_roll(attacked, (35,))
    assert defences[50] < 0 < defences[4]  # 4 can be flipped to 40
    assert defences[73] == (3 * -155 + 7 * 155) // 10  # 73 fails, 37 beats it
    assert defences[37] == 155


# ---------------------------------------------------------------------- ratings of bots and closed forms


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.unaware", "renaissance.strike.procedure")
@settings(max_examples=30, deadline=None)
@given(
    target=st.integers(-10, 110),
    dv=st.builds(DV, st.integers(0, 3), st.integers(0, 12), st.just(False), st.booleans()),
    defences=st.lists(st.builds(Defence, st.just("fray"), st.integers(-10, 99), st.sampled_from([0, 20])), max_size=2),
    armor=st.integers(0, 9),
    ap=st.integers(0, 6),
    wound_threshold=st.integers(0, 9),
    balance=st.integers(0, 99),
    negated=st.integers(0, 2),
    left=st.sampled_from([NO_RESERVE, 15]),
    strike=st.sampled_from(["", *STRIKES]),
    vulnerability=st.integers(-1, 1),
    ignoring=st.booleans(),
    dares=st.booleans(),
    daring=st.sampled_from([0, 20]),
    graded=st.booleans(),
    rules=st.fixed_dictionaries(
        {
            "ordered_first_failure": st.sampled_from(["lose", "reroll"]),
            "critical_attack": st.sampled_from(["roll_twice_best", "ignore_armor"]),
            "resistance_rule": st.sampled_from(["scale_dv", "check_20", "regrade", "reroll_damage"]),
            "wound_boundary": st.sampled_from(["literal", "at_least"]),
            "wound_check": st.sampled_from(["per_event", "per_wound"]),
            "attack_bonus_basis": st.sampled_from(["either", "mos", "grade"]),
        }
    ),
)
def test_the_quick_worth_is_the_exact_one(rules: dict[str, str], strike: str, **given: Any) -> None:
    given["defences"] = tuple(given["defences"])
    given["luck"] = int(given["ignoring"]) + (given["dares"] and given["daring"] > 0)
    call = attack(
        **given,
        balance_penalties=10,
        footing=30,
        penalties=20,
        damage_bonus=4,
        precision=1,
        strikes=(Strike(strike, -10),) if strike else (),
        plain=not strike,
        **rules,
    )
    assert worth_of(call) == value(call, "worth")


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.gap.class.daredevil")
@pytest.mark.parametrize("given", [{"luck": 1}, {"their_luck": 1}, {"strikes": (Strike("maim", -20),)}, {"luck": 2}])
def test_later_choices_are_part_of_the_value(given: dict[str, Any]) -> None:
    call = attack(60, DV(2), (Defence("fray", 40),), penalties=20, ignoring=False, **given)
    assert worth_of(call) == value(call, "worth")


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.strike.declare")
@pytest.mark.parametrize("targets", [(3, 9), (9, 3), (3, 6, 9)])
def test_the_worse_defence_can_be_the_better_one(targets: tuple[int, ...]) -> None:
    """Behind armor a hit that does nothing is better than a tie, which is rolled again."""
    given: dict[str, Any] = {"armor": 9, "wound_threshold": 50, "ignoring": False}
    alone = [worth_of(attack(80, DV(0, 5), (Defence("fray", target),), **given)) for target in sorted(targets)]
    assert alone == sorted(set(alone))
    call = attack(80, DV(0, 5), tuple([Defence("fray", target) for target in targets]), **given)
    assert worth_of(call) == value(call, "worth")


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.critical")
def test_a_worth_worked_out_by_hand() -> None:
    """Target 9 against nothing: rolls 0 to 9, of which 0 is critical; 5 damage each, the critical one 10."""
    call = attack(9, DV(0, 5), wound_threshold=50, ignoring=False)
    assert worth_of(call) == Fraction(9 * 50 + 1 * 100, 100)


SLOWLY = replace(hurt, name="renaissance.hurt_run_to_every_end", closed=None)
WAYS: list[dict[str, Any]] = [
    {"dv": DV(2, 6), "armor": 6, "ap": 2, "luck": 0},
    {"dv": DV(2, 6), "armor": 3, "luck": 1, "balance_penalties": 20, "balance": 40},
    {"dv": DV(2, 9), "luck": 2, "balance": 35, "footing": 20, "balance_penalties": 10},
    {"dv": DV(2, 9), "luck": 3, "footing": 30, "wound_check": "per_wound", "wound_threshold": 7},
    {"dv": DV(2, 9), "luck": 2, "left": 12, "critical": True},
    {"dv": DV(1, 9), "luck": 1, "critical": True, "armor": 5, "critical_attack": "ignore_armor"},
    {"dv": DV(2, 4), "luck": 1, "vulnerability": -1, "resistance_rule": "reroll_damage"},
    {"dv": DV(2, 4, False, True), "luck": 1, "vulnerability": 1, "less": 4},
    {"dv": DV(0, 14), "luck": 2, "wound_boundary": "at_least", "wound_threshold": 7},
    {"dv": DV(2, 9), "luck": 1, "balance": 35, "footing": 25, "negated": 2},
    {"dv": DV(0, 3), "luck": 2},
    {"dv": DV(2, 9), "luck": 3, "balance": 35, "footing": 25, "balance_penalties": 10, "daring": 20},
    {"dv": DV(2, 9), "luck": 3, "balance": 35, "footing": 25, "balance_penalties": 10, "luck_per_check": 1},
    {"dv": DV(2, 9), "luck": 2, "wound_check": "per_wound", "wound_threshold": 7, "daring": 20, "luck_per_check": 1},
]


@pytest.mark.rule("renaissance.armor.damage", "renaissance.injury.wounds", "renaissance.injury.knockdown")
@each_case("given", WAYS)
@each_case("objective", ["worth", "damage", "wounds"])
def test_harm_in_closed_form_is_what_the_rule_gives(given: dict[str, Any], objective: str) -> None:
    value = _upright if objective == "worth" else hurt.objective(objective)[1]
    quick, slow = odds(hurt(**given), value), odds(SLOWLY(**given), value)
    assert quick.expected(value) == slow.expected(value)
    if not given["luck"]:
        assert quick == slow


def _upright(result: Any) -> int:
    """Aim of the target: to stand, and to keep Luck."""
    return int(-50 * result.prone - 20 * result.luck)


@pytest.mark.rule("renaissance.injury.wounds", "renaissance.injury.knockdown", "renaissance.strike.knock_down")
@each_case("given", WAYS)
def test_all_that_can_become_of_the_hurt_is_known_beforehand(given: dict[str, Any]) -> None:
    assert hurt.closed is not None
    form = hurt.closed(*hurt(**given).arguments)
    assert form is not None
    assert form.deciding is (given["luck"] > 0 and given["dv"] != DV(0, 3))
    for value in (_upright, lambda result: -_upright(result), None):
        assert set(form.best(value).outcomes) <= set(form.support())


@pytest.mark.rule("renaissance.injury.knockdown", "renaissance.luck.flip", "renaissance.luck.limit")
def test_a_check_for_every_wound_is_weighed_once_for_each_luck_left() -> None:
    call = hurt(dv=DV(6, 35), wound_threshold=3, balance=45, balance_penalties=10, luck=6, wound_check="per_wound")
    with at_most_calls(400_000):
        found = odds(call, "worth")
    assert sum([hurt.wounds for hurt in found.outcomes]) > 20
    assert found.remainder == 0
