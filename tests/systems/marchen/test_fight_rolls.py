"""Rolls of a fight: entering, striking, clashing, enduring, facing the end, battles, prices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.people import data, faces
from systems.playing import examples
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.engine.odds import decision_or_odds, expected_value
from tablewright.systems.marchen.mechanics.attack import (
    Back,
    Blow,
    FightTable,
    Own,
    Swing,
    harm,
    mean_harm,
    strike,
    struck,
)
from tablewright.systems.marchen.mechanics.checks import check, succeeded
from tablewright.systems.marchen.mechanics.clash import (
    Answer,
    Clashed,
    ClashTable,
    Crossing,
    Met,
    Said,
    battle,
    clash,
    clash_harm,
    met,
    met_odds,
)
from tablewright.systems.marchen.mechanics.dice import DEGREES, Degree
from tablewright.systems.marchen.mechanics.harm import (
    OUTCOMES,
    SUCCEEDED,
    Bearing,
    Body,
    Damage,
    FailureCost,
    Suffered,
    Wound,
    face,
    hazard,
    over_dm,
    pay_the_price,
    suffer,
    withstand,
    worth,
    wounded,
)
from tablewright.systems.marchen.mechanics.magic import Cast, good
from tablewright.systems.marchen.mechanics.turn import ambushing, enter_the_fray
from tablewright.systems.marchen.options import Core, OpposedTie

ALL_CORES: tuple[Core, ...] = ("D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4")


def threw(call: Any, *faces: int, choices: tuple[str, ...] = ()) -> Any:
    """The result with these dice and answers."""
    named = list(choices)
    return play(call, TypedDice(list(faces)), lambda ask: ask.ids.index(named.pop(0))).result


# ---------------------------------------------------------------------- enduring and facing


@pytest.mark.rule("marchen.ounces.endure")
def test_a_success_takes_its_levels_off_the_damage_and_a_catastrophe_adds_a_condition() -> None:
    for given, expect in examples("marchen.ounces.endure"):
        dice = faces("2d6", given["effect"] + 8)  # with no modifier the total is what the dice show
        assert threw(suffer(given["damage"], threshold=50), *dice).damage == expect["damage"]
    assert threw(suffer(5, threshold=50), 1, 1) == Suffered(5, 0, True)
    assert threw(suffer(5, threshold=50), 1, 2) == Suffered(5, 0, False)
    assert threw(suffer(2, endure=3, threshold=50), 6, 6).damage == 0  # four levels, never below nothing
    assert threw(suffer(0)) == Suffered()
    assert threw(suffer(5, threshold=50, enduring=False)) == Suffered(5)


@pytest.mark.rule("marchen.interrupted.trigger", "marchen.gap.face.check", "marchen.gap.threshold.end")
def test_damage_above_the_threshold_has_to_be_faced_with_its_dm() -> None:
    for given, expect in examples("marchen.interrupted.trigger"):
        call = suffer(1, taken=given["damage"] - 1, threshold=given["threshold"], enduring=False)
        assert any(result.face for result in odds(call)) is expect["interrupted"]
    for given, expect in examples("marchen.gap.face.check"):
        assert over_dm(given["damage"], given["threshold"]) == expect["dm"]
        assert over_dm(given["threshold"] + 8, given["threshold"]) == -2
        assert threw(face(given["damage"], given["threshold"]), 4, 4 - expect["dm"]) == "tie"
    assert threw(face(24, 12)) == "catastrophic"  # twice the threshold is the end without a check
    assert threw(face(23, 12), 6, 6) == "succeed"


@pytest.mark.rule("marchen.gap.face.outcomes")
@each_case("degree", DEGREES)
def test_outcomes_are_those_of_the_ledger(degree: Degree) -> None:
    said, outcome = data("marchen.gap.face.outcomes")[degree.value], OUTCOMES[degree.value]
    assert outcome.end is said.get("end", False)
    assert outcome.down is (said.get("down", False) or outcome.end)
    assert outcome.conscious is (said.get("conscious", False) or not outcome.down)
    assert (outcome.dying, outcome.condition) == (said.get("dying", ""), said.get("condition", False))
    assert (outcome.scar, outcome.weight) == (said.get("scar", False), said.get("weight", 0))
    assert outcome.recovers == said.get("damage", "")
    for result, taken, threshold, after in (
        (Suffered(4, face="succeed"), 11, 13, 15),
        (Suffered(4, face="critical"), 11, 13, 13),
        (Suffered(4, face="serendipitous"), 11, 13, 6),
        (Suffered(4), 5, 13, 9),
    ):
        assert result.after(taken, threshold) == after


# ---------------------------------------------------------------------- strikes


@pytest.mark.rule("marchen.gap.damage.formula")
def test_damage_of_a_hit() -> None:
    for given, expect in examples("marchen.gap.damage.formula"):
        call = struck(given["modifier"], 3, given["muscle"], armour=given["armour"], threshold=90)
        assert threw(call, 4, 4, *given["dice"], 1, 2).hurt.damage == expect["damage"]
    assert threw(struck(8, 1, armour=30, threshold=90), 6, 6, 1, 1, 2).hurt.damage == 1  # serendipitous
    assert threw(struck(0, 1, armour=30, threshold=90), 4, 4, 6).hurt == Suffered()
    assert threw(struck(0, 3), 3, 4) == Blow("fail_in_style", "none", "", Suffered(), Suffered())
    assert threw(struck(3, 1, threshold=90), 5, 5, 2, 1, 2).hurt.damage == 2 + 2 * 3
    assert threw(struck(3, 1, threshold=90, damage_bonus="effect"), 5, 5, 2, 1, 2).hurt.damage == 2 + 5
    for plus, armour, damage in ((4, 0, 4), (4, 3, 1), (4, 4, 0), (2, 5, 0)):  # without dice
        bare = hazard(0, plus, armour, enduring=False, threshold=90)
        assert threw(bare).damage == odds(bare).expected(lambda suffered: suffered.damage) == damage
    with pytest.raises(StopIteration) as done:
        wounded(0, 3, 1, 2, 0, "dice").send(None)
    assert done.value.value == Wound(2, 0)  # and no armour is used up
    least = hazard(1, 0, 20, 0, 0, 50, enduring=False, least=1)
    assert [suffered.damage for suffered in odds(least).outcomes] == [threw(least, 3).damage] == [1]


@pytest.mark.rule("marchen.gap.damage.tiers")
def test_tiers_use_armour_up_before_the_body() -> None:
    hit = threw(struck(0, 3, soak=2, threshold=4, damage_model="tiers"), 6, 6, 1, 2)
    assert (hit.hurt.damage, hit.hurt.soaked) == (1, 2)
    assert threw(struck(0, 5, soak=0, threshold=90, damage_model="tiers"), 6, 6, 1, 2).hurt == Suffered(5)
    assert threw(struck(0, 2, soak=5, damage_model="tiers"), 6, 5).hurt == Suffered(0, 2)


@pytest.mark.rule("marchen.ounces.strike")
def test_a_tie_hits_and_a_costly_failure_is_answered() -> None:
    tied = threw(struck(0, 2, threshold=90, back_dice=3), 4, 4, 3, 3, 1, 2)
    assert (tied.degree, tied.hurt.damage) == ("tie", 6)
    costly = threw(struck(0, 2, back_dice=3, own_armour=2, own_threshold=90), 1, 2, 4, 4, 4, 1, 2)
    assert (costly.degree, costly.hurt, costly.back.damage) == ("costly", Suffered(), 10)
    assert threw(struck(0, 2, back_dice=3), 1, 4).back == Suffered()  # a plain failure is not answered
    assert threw(struck(0, 2, back_dice=0), 1, 1).back == Suffered()  # nor what does not reach


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.puncti.end_the_fight")
def test_a_failed_turn_of_the_tide_is_costly_and_a_strong_hit_may_end_the_fight() -> None:
    assert threw(struck(0, 2, tide=True, back_dice=1, own_threshold=90), 3, 4, 2, 1, 2).degree == "costly"
    assert threw(struck(0, 2, tide=True), 1, 1).degree == "catastrophic"
    assert threw(struck(0, 2, tide=True, threshold=90), 4, 4, 1, 1, 1, 2).degree == "tie"
    call = strike(0, 1, decisive=True, threshold=90)  # as the attacker says
    ended = threw(call, 6, 5, 2, 1, 2, choices=("yields",))
    assert (ended.degree, ended.out) == ("succeed_in_style", "yields")
    weak = threw(call, 5, 5, 2, 1, 2, choices=("flees",))
    assert (weak.degree, weak.out) == ("succeed", "")


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_reactions_take_their_dm_off_the_attack() -> None:
    call = strike(1, 1, dodge=1, parry=3)
    assert threw(call, 4, 3, 1, 1, 2, choices=("none",)).degree == "tie"
    assert threw(call, 4, 3, choices=("dodge",)).degree == "fail_in_style"
    assert threw(call, 4, 3, choices=("parry",)).degree == "fail"
    assert advise(strike(3, 3, dodge=1, parry=3, threshold=14)).choices[0].best.option == "parry"


@pytest.mark.rule("marchen.attack.is_skill_check")
def test_an_attack_succeeds_as_often_as_any_check_at_the_table() -> None:
    for core in ALL_CORES:
        hit = odds(struck(2, 1, core=core, threshold=90)).chance(lambda blow: blow.degree in SUCCEEDED)
        assert hit == odds(check(core, "average", 2)).expected(succeeded)
    clamped = struck(8, 1, threshold=90, two_d6_extremes="clamp")
    assert threw(clamped, 6, 6, 1, 1, 2).degree == "critical"
    centred = odds(struck(0, 1, threshold=90, target_rule="centre"))
    assert centred.chance(lambda blow: blow.degree == "tie") == Fraction(1, 6)


BODY, OWN = Body(2, 0, Bearing(1, 6, 14, 2)), Own.of(Body(0, 0, Bearing(-1, 0, 12)))


@pytest.mark.rule("marchen.gap.damage.formula", "marchen.ounces.clash", "marchen.ounces.endure")
@pytest.mark.parametrize("core", ["2d6", "D20"])
def test_formulas_give_what_the_rules_give(core: Core) -> None:
    """The odds of a strike, a clash and a hazard by formula are those of the rule run to every end."""
    usual, tiers, clashing = FightTable(core), FightTable(core, "effect", "tiers"), ClashTable(core)
    calls = (
        struck(Swing(1, 1, 1, "none", "dodge", "felled", True), BODY, Back(1, OWN), usual),
        struck(Swing(1, 2), Body(0, 1, BODY.bearing), Back(1, OWN), tiers),
        met(Crossing(1, 0, 1), Said(1), BODY, Answer(1, 0, OWN), clashing),
        met(Crossing(1, 1, 1), Said(0), BODY, Answer(0, 0, OWN), clashing),
        hazard(Damage(1, 1), BODY.bearing, core, True, True),
    )
    every: tuple[Any, ...] = calls
    for call in every:
        ruled: Any = decision_or_odds(call, by_rule=True)
        assert dict(odds(call).fractions()) == dict(ruled.fractions())


HURT, FALLEN, ENDED = Suffered(5), Suffered(7, 0, True, "fail_in_style"), Suffered(9, 0, False, "catastrophic")


@pytest.mark.rule("marchen.ounces.strike", "marchen.gap.fight.reactions")
def test_value_of_a_strike() -> None:
    def value(degree: str = "succeed", reaction: str = "none", out: str = "", **suffered: Suffered) -> int:
        return harm(Blow(degree, reaction, out, suffered.get("hurt", Suffered()), suffered.get("back", Suffered())))

    assert (value(), value(hurt=HURT), value("costly", back=HURT)) == (0, 5, -5 - 2)
    assert (value(hurt=FALLEN), value(hurt=ENDED)) == (7 + 2 + 12, 9 + 12 + 20)
    assert value("critical", out="yields", hurt=HURT) == 5 + 12
    assert [value(reaction=way) for way in ("dodge", "parry")] == [1, 1]  # it costs the other something
    spots = [value(word) for word in ("catastrophic", "costly", "fail", "minor_fail", "fail_in_style", "tie")]
    assert spots == [-2, -2, -2, -2, 0, 0]


@pytest.mark.rule("marchen.ounces.clash", "marchen.puncti.end_the_fight", "marchen.gap.casting.price")
def test_value_of_a_clash_and_of_a_deed_of_the_spirit() -> None:
    nothing = Suffered()
    assert clash_harm(Clashed("a", 0, "", HURT, nothing)) == 5 + 2
    assert clash_harm(Clashed("a", 2, "felled", HURT, nothing)) == 5 + 12 + 2
    assert clash_harm(Clashed("a", 0, "", FALLEN, nothing)) == 7 + 2 + 12 + 2
    assert clash_harm(Clashed("b", 0, "", nothing, HURT)) == -5
    assert clash_harm(Clashed("nobody", 0, "", nothing, nothing)) == 0
    assert good(Cast("succeed", HURT, 0, nothing)) == 5
    assert good(Cast("succeed", FALLEN, 0, Suffered(1))) == 7 + 2 + 12
    assert good(Cast("succeed", nothing, 6, Suffered(2))) == 6 - 1
    assert good(Cast("costly", nothing, 0, HURT)) == -2  # half of it, rounded down


@pytest.mark.rule("marchen.ounces.strike")
def test_the_quick_mean_of_a_strike_is_exact() -> None:
    for swing in (Swing(2, 2, 1), Swing(0, 2, 1, "disadvantage", "dodge", "yields", True)):
        call = struck(swing, BODY, Back(2, OWN))
        assert mean_harm(swing, BODY, Back(2, OWN), FightTable()) == expected_value(call, "harm")


# ---------------------------------------------------------------------- clashes


@pytest.mark.rule("marchen.ounces.clash")
def test_the_winner_of_a_clash_deals_damage() -> None:
    won = threw(clash(2, 0, 1, threshold=90), 4, 3, 3, 3, 5, 1, 2)
    assert (won.winner, won.hurt.damage, won.back) == ("a", 5 + 2, Suffered())
    lost = threw(clash(0, 2, 1, back_dice=2, back_plus=1, own_armour=1, own_threshold=90), 3, 3, 4, 3, 5, 5, 1, 2)
    assert (lost.winner, lost.hurt, lost.back.damage) == ("b", Suffered(), 10 + 1 + 2 - 1)
    assert threw(clash(0, 2, 1), 3, 3, 4, 3).back == Suffered()  # the foe has nothing that reaches


@pytest.mark.rule("marchen.ounces.clash", "marchen.opposed.tie", "marchen.gap.fight.battle")
def test_equal_effects_in_a_clash() -> None:
    assert threw(clash(0, 0, 1, characteristic=1, threshold=90), 3, 3, 3, 3, 5, 1, 2).winner == "a"
    again = threw(clash(0, 0, 1, threshold=90), 3, 3, 3, 3, 6, 6, 1, 1, 5, 1, 2)
    assert again.winner == "a"
    assert threw(clash(0, 0, 1, characteristic=1, opposed_tie="fail_in_style"), 3, 3, 3, 3).winner == "nobody"
    fought = [met for met in odds(battle(opposed_tie="fail_in_style")).outcomes if met.winner == "nobody"]
    assert fought == [Met("nobody", 0, 0)]
    clashed = [met for met in odds(clash(back_dice=3, opposed_tie="fail_in_style")).outcomes if met.winner == "nobody"]
    assert clashed == [Clashed("nobody", 0, "", Suffered(), Suffered())]


# ---------------------------------------------------------------------- entering and battles


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.surprise")
def test_characters_who_enter_in_control_and_ambushers_with_the_most_that_dice_can_show() -> None:
    for dice, entered in (
        ((3, 4), (0, True, False)),
        ((3, 3), (-1, False, False)),
        ((1, 1), (-5, False, True)),
        ((1, 2), (-4, False, False)),
    ):
        assert threw(enter_the_fray(1), *dice) == entered
    for given, expect in examples("marchen.gap.fight.surprise"):
        ambush = ambushing(given["core"], given["agility"])
        assert (ambush.effect, ambush.in_control) == (expect["effect"], expect["in_control"])
    assert ambushing("D100", 1).effect == 100 + 5 - 51


@pytest.mark.rule("marchen.gap.fight.battle")
@pytest.mark.parametrize(
    ("call", "dice", "winner", "narrow"),
    [
        (battle(2, 0), (4, 4, 1, 2), "a", True),
        (battle(3, 0), (4, 4, 1, 2), "a", False),
        (battle(0, 0, core="D100"), (65, 1), "a", True),
        (battle(0, 0, core="D100"), (66, 1), "a", False),
        (battle(0, 3), (4, 4, 6, 6), "b", False),
    ],
)
def test_a_battle_is_narrow_below_an_effect_of_three(
    call: Any, dice: tuple[int, ...], winner: str, narrow: bool
) -> None:
    met = threw(call, *dice)
    assert (met.winner, met.narrow) == (winner, narrow)
    assert threw(battle(2, 0), 4, 4, 1, 2).sigma == 1


# ---------------------------------------------------------------------- prices


@pytest.mark.rule(
    "marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource", "marchen.ounces.withstand_damage"
)
def test_the_price_by_the_degree_of_the_failure() -> None:
    for degree, dm in (("fail_in_style", 0), ("minor_fail", -1), ("fail", -1)):
        assert threw(pay_the_price(degree)) == FailureCost(dm=dm)
    costly = threw(pay_the_price("costly", threshold=90), 5, 1, 2)
    assert (costly.suffered.damage, costly.retry) == (5, True)
    worst = threw(pay_the_price("catastrophic", threshold=90), 5, 6, 1, 2)
    assert (worst.suffered.damage, worst.retry) == (11, False)
    # a resource buys a price off but no catastrophe
    assert threw(pay_the_price("costly", supply=1), choices=("supply",)) == FailureCost(given="supply")
    assert threw(pay_the_price("fail", treasure=1), choices=("treasure",)) == FailureCost(given="treasure")
    assert threw(pay_the_price("fail", treasure=1), choices=("pay",)) == FailureCost(dm=-1)
    assert threw(pay_the_price("catastrophic", 5, 9, threshold=90), 1, 1, 1, 2).given == ""
    # conditions that a thing takes
    assert [threw(withstand(0), *dice) for dice in ((4, 4), (4, 3), (1, 3), (1, 2), (1, 1))] == [0, 1, 1, 2, 2]


@pytest.mark.rule("marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource")
def test_value_of_a_price() -> None:
    found = advise(pay_the_price("costly", 1, 1, 0, 0, 90))
    worths = {option.id: option.value for option in found.choices[0].options}
    assert [int(worths[way]) for way in ("supply", "treasure")] == [-3, -2]
    mean = odds(hazard(1, 0, 0, 0, 0, 90)).expected(lambda suffered: -worth(suffered))
    assert worths["pay"] == mean < 0
    small = advise(pay_the_price("fail", 1, 1))
    assert {option.id: option.value for option in small.choices[0].options} == {"pay": -1, "supply": -3, "treasure": -2}


@pytest.mark.rule("marchen.ounces.clash", "marchen.opposed.resolve")
@pytest.mark.parametrize(("core", "every"), [("2d6", 36), ("D20", 20), ("D100", 100)])
def test_everything_that_two_can_roll_is_weighed(core: Core, every: int) -> None:
    def weighed(ahead: int, tie: OpposedTie) -> dict[str, int]:
        found: dict[str, int] = {}
        for one, weight in met_odds(1, 1, ahead, "none", "none", ClashTable(core, opposed_tie=tie)):
            found[one.winner] = found.get(one.winner, 0) + weight
        return found

    ties = {"2d6": 146, "D20": 20, "D100": 100}[core]
    rest = (every**2 - ties) // 2
    assert weighed(1, "characteristic") == {"a": rest + ties, "b": rest}
    assert weighed(-1, "characteristic") == {"a": rest, "b": rest + ties}
    assert weighed(0, "characteristic") == {"a": rest, "b": rest}  # equal ones are rolled afresh
    assert weighed(0, "fail_in_style") == {"a": rest, "b": rest, "nobody": ties}
