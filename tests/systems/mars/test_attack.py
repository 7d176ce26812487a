"""Attacks as mechanics: to hit, to defend, to resist; the whole attack with its choices; advice for a turn."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from each_case import each_case
from systems.mars.people import LEDGER, flat, only
from tablewright.dice import TypedDice
from tablewright.engine import Choice, advise, odds, play
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.mechanics.attack import (
    Attacked,
    Attempt,
    Body,
    Resisted,
    Strike,
    Target,
    Wound,
    attack,
    defend,
    hit_degree,
    resist,
    resisted,
    to_hit,
)
from tablewright.systems.mars.mechanics.harm import Blocking, Fate, damage
from tablewright.systems.mars.mechanics.turn import Routine, attack_routine, awareness, time_and_cost
from tablewright.systems.mars.values import Degree, RollValue

R = RollValue.parse
HEAVY: dict[str, Any] = {
    "attack": "r18+1",
    "deflection": "r10+2",
    "damage_roll": "r18+1",
    "reduction": 2,
    "critical_bonus": 6,
}


# ---------------------------------------------------------------------- to hit


@pytest.mark.rule("mars.attack.hit")
@pytest.mark.parametrize("example", LEDGER["mars.attack.hit"].examples)
def test_hit_of_a_blow(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    strike = only(odds(to_hit(flat(given["attack"]), flat(given["deflection"]))))
    assert strike.degree.value == expect["outcome"]
    assert (strike.degree is not Degree.FAILURE) is expect["hit"]


@pytest.mark.rule("mars.defence.evade")
@pytest.mark.parametrize("example", LEDGER["mars.defence.evade"].examples)
def test_a_character_who_evades_is_not_grazed(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    strike = only(odds(to_hit(flat(given["attack"]), flat(given["evasion"]), grazing=False)))
    assert strike.degree.value == expect["outcome"]


@pytest.mark.rule("mars.defence.parry")
def test_parrying_merges_with_deflection() -> None:
    (example,) = LEDGER["mars.defence.parry"].examples
    merged = RollValue.merge([R(example["given"]["deflection"]), R(example["given"]["parry"])])
    assert str(merged) == example["expect"]["defence"]
    call = attack(Attempt(R("r20")), Target(R("r10+2"), parry=R("r6")), Wound(R("r8")), Body(stamina=1))
    parried = odds(call, policy=_taking("parry"))
    by_hand = odds(to_hit(R("r20"), merged, grazing=False))
    for degree in Degree:
        chance = sum([weight for result, weight in parried.fractions() if result.degree is degree], Fraction(0))
        assert chance == by_hand[Strike(degree)]


def _taking(*wanted: str) -> Any:
    """A policy that takes the first of these options that is there."""

    def choose(ask: Choice[Any]) -> int:
        return next((ask.ids.index(name) for name in wanted if name in ask.ids), 0)

    return choose


@pytest.mark.rule("mars.attack.hit", "mars.check.outcomes")
def test_to_hit_by_brute_force() -> None:
    exact = odds(to_hit(R("r14+1"), R("r10+2")))
    counted = dict.fromkeys(Degree, 0)
    for ten, four, other in product(range(1, 11), range(1, 5), range(1, 11)):
        counted[hit_degree(ten + four + 1 - other - 2)] += 1
    assert {degree: exact[Strike(degree)] for degree in Degree} == {
        degree: Fraction(count, 400) for degree, count in counted.items()
    }


@pytest.mark.rule("mars.gap.weapon.bypass", "mars.gap.armour.threshold")
def test_the_critical_threshold() -> None:
    for example in LEDGER["mars.gap.weapon.bypass"].examples:
        given = example["given"]
        assert hit_degree(given["margin"], 7 - given["bypass"]).value == example["expect"]
    assert hit_degree(1, 1) is Degree.CRITICAL
    assert hit_degree(0, 1) is Degree.SUCCESS
    assert hit_degree(-6, 1) is Degree.GRAZE
    assert hit_degree(-7, 1) is Degree.FAILURE


# ---------------------------------------------------------------------- resisting maneuvers


@pytest.mark.rule("mars.maneuver.resist")
@pytest.mark.parametrize("example", LEDGER["mars.maneuver.resist"].examples)
def test_resisting(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    result = only(odds(resist(given["attack_total"], flat(given["resist_total"]), given["duration_rounds"])))
    if expect.get("effect") == "none":
        assert result == Resisted(False)
    else:
        assert result == Resisted(True, expect["duration_rounds"])


@pytest.mark.rule("mars.maneuver.resist")
def test_a_round_halves_to_nothing() -> None:
    assert resisted(Degree.GRAZE, 1) == Resisted(False)
    assert resisted(Degree.GRAZE, 5) == Resisted(True, 2)
    assert resisted(Degree.CRITICAL, None) == Resisted(True, None)
    assert resisted(None, 3) == Resisted(False)


@pytest.mark.rule("mars.maneuver.resist")
def test_the_same_total_meets_defence_and_resist() -> None:
    strike = play(to_hit(R("r20"), R("r10"), resist=R("r10")), TypedDice([9, 5, 7, 8])).result
    assert strike == Strike(Degree.CRITICAL, Degree.SUCCESS)  # 14 against 7, and 14 against 8
    missed = play(to_hit(R("r20"), R("r10"), resist=R("r10")), TypedDice([1, 1, 9])).result
    assert missed == Strike(Degree.FAILURE)  # who is missed has nothing to resist
    grazed = play(to_hit(R("r20"), R("r10+5"), resist=R("r10")), TypedDice([4, 4, 8, 1])).result
    assert grazed == Strike(Degree.GRAZE, Degree.CRITICAL)
    exact = odds(to_hit(R("r12"), R("r10"), resist=R("r8")))
    by_hand: dict[Strike, int] = {}
    for total, defence, against in product(range(1, 13), range(1, 11), range(1, 9)):
        degree = hit_degree(total - defence)
        effect = None if degree is Degree.FAILURE else hit_degree(total - against)
        by_hand[Strike(degree, effect)] = by_hand.get(Strike(degree, effect), 0) + 1
    assert {strike: exact[strike] for strike in by_hand} == {
        strike: Fraction(count, 960) for strike, count in by_hand.items()
    }


@pytest.mark.rule("mars.attack.procedure")
def test_defending_against_a_known_total() -> None:
    for call, faces, strike in (
        (defend(14, R("r10+2")), [5], Strike(Degree.CRITICAL)),
        (defend(14, R("r10+6"), grazing=False), [9], Strike(Degree.FAILURE)),
        (defend(14, R("r10"), resist=R("r8+8")), [9, 7], Strike(Degree.SUCCESS, Degree.GRAZE)),
    ):
        assert play(call, TypedDice(faces)).result == strike


# ---------------------------------------------------------------------- the whole attack


@pytest.mark.rule("mars.attack.procedure", "mars.defence.deflection_default")
def test_an_attack_step_by_step() -> None:
    result = play(attack(**HEAVY), TypedDice([6, 5, 4, 7, 3])).result
    # 12 against 6: a success by 6; 11 damage less 2
    assert result == Attacked(Degree.SUCCESS, "deflect", False, 9)
    fallen = play(attack(**HEAVY, endurance=4, health=5), TypedDice([6, 5, 4, 7, 3])).result
    assert fallen.fate is Fate.UNCONSCIOUS


@pytest.mark.rule("mars.attack.procedure", "mars.defence.block")
def test_a_block_follows_the_hit_and_costs_stamina() -> None:
    call = attack(**HEAVY, block=3, durability=10, stamina=1)
    blocked = play(call, TypedDice([6, 5, 4, 7, 3]), lambda ask: ask.ids.index("yes") if "yes" in ask.ids else 0).result
    assert blocked == Attacked(Degree.SUCCESS, "deflect", True, 0, 8, 1)
    questions = {situation.question for situation in advise(call).choices}
    assert questions == {"block"}
    tired = attack(**HEAVY, evasion="r10", parry="r6", block=3, durability=10, stamina=0)
    assert advise(tired).choices == ()  # without stamina there is nothing to choose
    broken = attack(**HEAVY, block=3, durability=0)
    assert advise(broken).choices == ()


@pytest.mark.rule("mars.defence.evade", "mars.defence.parry", "mars.defence.block")
def test_advice_on_defence_is_that_of_all_alternatives() -> None:
    target = Target(R("r10+5"), evasion=R("r12+6"), parry=R("r6"))
    body = Body(3, Blocking(3, 10), stamina=5, endurance=18, health=13)
    call = attack(Attempt(R("r20+1")), target, Wound(R("r18+1"), 6), body)
    advice = advise(call)
    first = advice.choices[0]
    assert first.question == "how to defend"
    values = {}
    for how in ("deflect", "evade", "parry"):
        every = [odds(call, policy=_taking(how, block)).expected(_worth) for block in ("no", "yes")]
        values[how] = min(every)
    best_blocking = {worth.id: worth.value for worth in first.options}
    assert set(best_blocking) == set(values)
    for how, value in values.items():  # blocking by degree is at least as good as blocking always or never
        assert best_blocking[how] <= value
    assert first.best.id == min(best_blocking, key=lambda how: best_blocking[how])


def _worth(attacked: Attacked) -> int:
    return attack.objective("worth")[1](attacked)  # type: ignore[return-value]


@pytest.mark.rule("mars.attack.procedure")
def test_a_defence_declared_after_the_roll_is_never_worse() -> None:
    call = attack(Attempt(R("r20+1")), Target(R("r10+2"), R("r12+3")), Wound(R("r16+1"), 6), Body(2))
    before = advise(call).value
    after = advise(call.with_arguments(defence_declaration="after_attack_roll"))
    assert after.value < before
    assert after.choices[0].given[0].startswith("roll")


@pytest.mark.rule("mars.damage.nonlethal")
def test_a_nonlethal_attack_fells_without_killing() -> None:
    hard: dict[str, Any] = {"endurance": 0, "health": 3, "max_health": 12}
    lethal = attack(attack=flat(30), deflection=flat(30), damage_roll=flat(9), **hard)
    assert only(odds(lethal)).fate is Fate.DYING
    assert only(odds(lethal.with_arguments(nonlethal=True))).fate is Fate.UNCONSCIOUS
    assert only(odds(lethal.with_arguments(nonlethal=True, damage_roll=flat(15)))).fate is Fate.DYING


# ---------------------------------------------------------------------- awareness


@pytest.mark.rule("mars.gap.check.awareness", "mars.check.group_action", "mars.surprise.who_acts")
def test_noticing_a_group() -> None:
    for example in LEDGER["mars.gap.check.awareness"].examples:
        given = example["given"]
        noticed = only(odds(awareness(flat(given["perception"]), tuple(map(flat, given["sneaking"])))))
        assert noticed is (example["expect"] == "aware")
    alone, together = odds(awareness(R("r14"), (R("r16"),))), odds(awareness(R("r14"), (R("r16"), R("r16"))))
    assert together[True] > alone[True]  # the worst total counts
    for sneaking in ((R("r4"),), (R("r4"), flat(9)), (flat(9), R("r4"))):
        assert odds(awareness(flat(3), sneaking))[True] == Fraction(3, 4)  # the one who comes level is noticed
    with pytest.raises(InvalidInputError, match="0 sneak up"):
        odds(awareness(R("r14"), ()))


# ---------------------------------------------------------------------- a turn of attacks


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.gap.weapon.swift")
def test_three_attacks_with_the_penalty() -> None:
    for penalty in (4, 3):
        whole = odds(attack_routine(R("r20"), R("r10+2"), R("r10"), 2, 6, penalty=penalty)).expected(
            lambda routine: routine.damage
        )
        singly = Fraction(0)
        for earlier in range(3):
            strikes = odds(to_hit(R("r20") if not earlier else RollValue(20, -penalty * earlier), R("r10+2")))
            for strike, chance in strikes.fractions():
                mean = odds(damage(R("r10"), strike.degree, 2, 6)).expected(lambda harm: harm.character)
                singly += chance * mean
        assert whole == singly
    usual = attack_routine(R("r20"), R("r10+2"), R("r10")).named_arguments()
    assert usual["penalty"] == -LEDGER["mars.attack.multiple_attack_penalty"].data["per_previous_attack"]
    assert usual["seconds"] == LEDGER["mars.action.speeds"].data["turn_seconds"]


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
def test_improvising_is_slower_dearer_and_worse() -> None:
    (example,) = LEDGER["mars.maneuver.improvise"].examples
    given, expect = example["given"], example["expect"]
    assert time_and_cost(given["speed"], given["stamina"], True) == (4, expect["stamina"])
    assert time_and_cost("standard", 1, True) == (6, 2)
    assert time_and_cost("full-round", 1, True) == (6, 2)
    assert time_and_cost("free", 0, True) == (2, 1)
    assert time_and_cost("standard", 1, False) == (4, 1)
    assert [time_and_cost(speed, 1, True) for speed in ("reaction", "free_reaction")] == [(0, 2), (0, 2)]
    assert time_and_cost("reaction", 1, False) == (0, 1)


@pytest.mark.rule("mars.maneuver.improvise")
def test_whether_an_improvised_maneuver_is_worth_it() -> None:
    def routine(improvised: bool, worth: int) -> Any:
        return attack_routine(
            R("r18+1"),
            R("r10+2"),
            R("r18+1"),
            2,
            6,
            stamina=9,
            maneuver_hit=-2,
            maneuver_speed="standard",
            maneuver_resist=R("r20"),
            improvised=improvised,
            effect_worth=worth,
        )

    def taken(improvised: bool, worth: int) -> str:
        return advise(routine(improvised, worth)).choices[0].best.id

    assert taken(False, 0) == "attack"  # nothing is gained by knocking down whom it does not hurt to lie
    assert taken(False, 30) == "maneuver"
    assert taken(True, 5) == "attack"
    margins = [advise(routine(True, worth)).choices[0] for worth in (5, 60)]
    assert margins[1].best.id == "maneuver"
    known, improvised = advise(routine(False, 30)).value, advise(routine(True, 30)).value
    assert known > improvised


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.maneuver.use_limit")
def test_advice_on_a_turn_is_that_of_all_alternatives() -> None:
    call = attack_routine(
        R("r18"), R("r10+1"), R("r12"), 1, 4, stamina=3, maneuver_hit=-1, maneuver_damage=6, maneuver_speed="swift"
    )
    best = advise(call).value
    plans = []
    for when in range(4):  # the maneuver as the first, second or third thing of the turn, or never

        def at(ask: Choice[Any], when: int = when) -> int:
            made = int(ask.details.get("made", 0))
            return ask.ids.index("maneuver") if made == when else ask.ids.index("attack")

        plans.append(odds(call, policy=at).expected(_routine_worth))
    assert best == max(plans)
    first = advise(call).choices[0]
    assert {worth.id: worth.value for worth in first.options} == {"maneuver": plans[0], "attack": max(plans[1:])}


def _routine_worth(routine: Routine) -> int:
    return attack_routine.objective("worth")[1](routine)  # type: ignore[return-value]


def test_a_routine_ends_when_the_target_falls() -> None:
    result = only(odds(attack_routine(flat(20), flat(10), flat(9), left=9)))
    assert result == Routine(9, 0, False, True)


def turn_of(policy: str, **arguments: Any) -> Routine:
    """Outcome of a turn without chance."""
    given = {"damage_roll": RollValue(0, 5), "stamina": 9, **arguments}
    call = attack_routine(RollValue(0, 20), given.pop("defence", RollValue(0, 20)), **given)
    (result,) = odds(call, policy=lambda ask: ask.ids.index(policy) if policy in ask.ids else 0)
    return result


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.action.speeds")
@pytest.mark.parametrize(("seconds", "damage"), [(0, 0), (1, 0), (2, 5), (3, 5), (4, 5 + 2), (6, 5 + 2)])
def test_every_two_seconds_are_an_attack(seconds: int, damage: int) -> None:
    assert turn_of("attack", seconds=seconds) == Routine(damage, 0, False, False)  # level, a graze at -4, a miss at -8


@pytest.mark.rule("mars.maneuver.use_limit", "mars.attack.multiple_attack_penalty")
@each_case(
    ("more", "expected"),
    [
        ({}, Routine(5, 1, True)),
        ({"maneuver_damage": 3}, Routine(8, 1, True)),
        ({"maneuver_hit": -7}, Routine(0, 1, False)),
        ({"maneuver_hit": -6}, Routine(2, 1, True)),  # a graze
        ({"maneuver_hit": 7, "critical_bonus": 4}, Routine(9, 1, True)),
        ({"maneuver_hit": 5, "critical_bonus": 4}, Routine(5, 1, True)),
        ({"maneuver_hit": 5, "critical_bonus": 4, "maneuver_threshold": -2}, Routine(9, 1, True)),
        ({"maneuver_hit": 4, "critical_bonus": 4, "maneuver_threshold": -2}, Routine(5, 1, True)),
        ({"maneuver_hit": 1, "critical_bonus": 4, "threshold": 3, "maneuver_threshold": -6}, Routine(9, 1, True)),
        ({"maneuver_hit": 0, "critical_bonus": 4, "threshold": 3, "maneuver_threshold": -6}, Routine(5, 1, True)),
        ({"maneuver_stamina": 3}, Routine(5, 3, True)),
        ({"maneuver_stamina": 9}, Routine(5, 9, True)),
        ({"maneuver_stamina": 10}, Routine(5, 0, False)),  # an attack instead
        ({"maneuver_resist": RollValue(0, 20)}, Routine(5, 1, True)),
        ({"maneuver_resist": RollValue(0, 21)}, Routine(5, 1, False)),
        ({"effect_worth": 7}, Routine(12, 1, True)),
        ({"effect_worth": 7, "maneuver_resist": RollValue(0, 21)}, Routine(5, 1, False)),
        ({"reduction": 2}, Routine(3, 1, True)),
        ({"left": 5}, Routine(5, 1, True, True)),
        ({"left": 4}, Routine(4, 1, True, True)),
        ({"left": 6}, Routine(5, 1, True, False)),
    ],
)
def test_a_maneuver_in_a_turn(more: dict[str, Any], expected: Routine) -> None:
    assert turn_of("maneuver", seconds=2, maneuver_speed="swift", **more) == expected


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
@pytest.mark.parametrize(
    ("speed", "improvised", "seconds", "stamina"),
    [
        ("standard", False, 4, 1),
        ("standard", False, 3, 0),
        ("standard", True, 6, 2),
        ("standard", True, 5, 0),
        ("swift", True, 4, 2),
        ("swift", True, 3, 0),
        ("full-round", False, 6, 1),
    ],
)
def test_whether_there_is_time_for_a_maneuver(speed: Any, improvised: bool, seconds: int, stamina: int) -> None:
    found = turn_of("maneuver", seconds=seconds, maneuver_speed=speed, improvised=improvised)
    assert found.stamina == stamina


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.maneuver.use_limit")
def test_actions_after_a_maneuver_take_the_penalty() -> None:
    found = turn_of("maneuver", seconds=4, maneuver_speed="swift", penalty=1, effect_worth=10)
    assert found == Routine(5 + 10 + 2, 1, True)  # then an attack at -1, a graze
    assert turn_of("attack", seconds=4, penalty=0) == Routine(10, 0)


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.action.speeds")
@pytest.mark.parametrize(
    ("routine", "worth"),
    [
        (Routine(0), 0),
        (Routine(3), 6),
        (Routine(3, stamina=2), 2),
        (Routine(3, felled=True), 26),  # ten points of damage for a foe that falls
        (Routine(3, stamina=1, effect=True, felled=True), 24),
    ],
)
def test_value_of_a_turn_of_attacks(routine: Routine, worth: int) -> None:
    assert attack_routine.objectives["worth"](routine) == worth
