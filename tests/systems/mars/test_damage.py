"""The damage pipeline with its worked examples, dying, burning, falling, sickness and concentration as mechanics."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import duel, fighter
from systems.mars.people import LEDGER, flat
from systems.playing import go, status
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.systems.mars.mechanics.harm import (
    Blow,
    DamageRules,
    DyingCheck,
    Fall,
    Fate,
    Harm,
    Scaling,
    blocked,
    burning,
    burning_damage,
    burning_out,
    category_of,
    concentration,
    damage,
    dying,
    dying_check,
    fall,
    fall_difficulty,
    fate_of,
    fate_of_loss,
    halved_or_doubled,
    lose,
    sickness_check,
    stabilise,
    taken,
)
from tablewright.systems.mars.values import Degree, RollValue

R = RollValue.parse


# ---------------------------------------------------------------------- the pipeline


@pytest.mark.rule("mars.attack.damage_by_outcome")
@pytest.mark.parametrize("example", LEDGER["mars.attack.damage_by_outcome"].examples)
def test_damage_by_degree(example: Any) -> None:
    given = example["given"]
    blow = Blow(Degree(given["outcome"]), given["dr"], given.get("crit_bonus", 0))
    assert taken(given["damage"], blow) == Harm(example["expect"])
    typed = play(
        damage(flat(given["damage"]), Degree(given["outcome"]), given["dr"], given.get("crit_bonus", 0)), TypedDice([])
    )
    assert typed.result == Harm(example["expect"])


@pytest.mark.rule("mars.damage.pipeline", "mars.damage.minimum")
def test_damage_is_rolled_reduced_halved_and_at_least_one() -> None:
    for call, faces, harm in (
        (damage(R("r18+1"), Degree.SUCCESS, 2), [7, 5], 11),
        (damage(R("r18+1"), Degree.GRAZE, 2), [7, 5], 5),  # (13 - 2) / 2, not 13 / 2 - 2
        (damage(R("r18+1"), Degree.CRITICAL, 2, 6), [7, 5], 19),
        (damage(R("r4"), Degree.SUCCESS, 9), [2], 1),
        (damage(R("r4-9"), Degree.SUCCESS, 0), [2], 1),
        (damage(R("r4"), Degree.FAILURE, 0), [], 0),
    ):
        assert play(call, TypedDice(faces)).result == Harm(harm, 0)
    for example in LEDGER["mars.damage.minimum"].examples:
        given = example["given"]
        assert taken(given["raw"], Blow(Degree.SUCCESS, given["dr"])).character == example["expect"]


@pytest.mark.rule("mars.damage.half_double_stacking")
@pytest.mark.parametrize("example", LEDGER["mars.damage.half_double_stacking"].examples)
def test_repeated_halving_and_doubling(example: Any) -> None:
    given = example["given"]
    halvings, doublings = given.get("halvings", 0), given.get("doublings", 0)
    assert halved_or_doubled(given["damage"], halvings, doublings) == example["expect"]
    rolled = odds(damage(flat(given["damage"]), halvings=halvings, doublings=doublings))
    assert rolled[Harm(example["expect"])] == 1


@pytest.mark.rule("mars.damage.half_double_stacking")
def test_halving_and_doubling_together() -> None:
    assert halved_or_doubled(20, 2, 1, "ladder") == 10
    assert halved_or_doubled(20, 2, 1, "multiply") == 13
    assert halved_or_doubled(20, 1, 1, "ladder") == 20
    graze = odds(damage(flat(20), Degree.GRAZE, 0, halvings=1))  # a graze counts as one halving: a third in all
    assert graze[Harm(6)] == 1
    assert odds(damage(flat(20), Degree.GRAZE, 0, doublings=2, half_double_mix="multiply"))[Harm(30)] == 1


@pytest.mark.rule("mars.damage.elemental", "mars.damage.pipeline")
@pytest.mark.parametrize("example", LEDGER["mars.damage.elemental"].examples)
def test_elemental_damage(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    if "block" in given:
        blow = Blow(Degree.SUCCESS, given["dr"], category="elemental")
        harm = blocked(given["raw"], blow, given["block"], given["durability"], Scaling(), DamageRules())
        assert (harm.shield, harm.character) == (expect["shield_damage"], expect["character_damage"])
    else:
        assert odds(damage(flat(given["raw"]), reduction=given["dr"], category="elemental"))[Harm(expect)] == 1
    assert odds(damage(flat(9), reduction=4, category="elemental", reduced="always"))[Harm(5)] == 1
    assert odds(damage(flat(9), reduction=4, category="physical", reduced="never"))[Harm(9)] == 1


@pytest.mark.rule("mars.damage.typeless")
def test_typeless_damage_ignores_everything() -> None:
    assert odds(damage(flat(9), reduction=4, category="typeless"))[Harm(9)] == 1
    through = damage(flat(14), reduction=3, category="typeless", block=4, durability=5)
    assert odds(through)[Harm(9, 14)] == 1  # the shield takes 14, 9 go through, and nothing reduces them
    other = damage(flat(14), reduction=3, category="typeless", block=4, durability=5, typeless_ignores_block=False)
    assert odds(other)[Harm(2, 10)] == 1


@pytest.mark.rule("mars.damage.types")
def test_every_type_of_damage_belongs_to_its_category() -> None:
    data = LEDGER["mars.damage.types"].data
    for category in ("physical", "elemental"):
        for kind in data[category]:
            assert category_of(kind) == category
            reduced = taken(9, Blow(Degree.SUCCESS, 4, category=category_of(kind))).character
            assert reduced == (5 if category == "physical" else 9)
    assert category_of("typeless") == "typeless"


# ---------------------------------------------------------------------- shields


@pytest.mark.rule("mars.defence.block_damage")
@pytest.mark.parametrize("example", LEDGER["mars.defence.block_damage"].examples)
def test_damage_to_a_shield(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    call = damage(
        flat(given["damage"]),
        Degree(given["outcome"]),
        3,
        given.get("crit_bonus", 0),
        block=given["block"],
        durability=given["durability"],
    )
    assert odds(call)[Harm(expect["character_damage"], expect["shield_damage"])] == 1
    assert given["durability"] - expect["shield_damage"] == expect["durability"]


@pytest.mark.rule("mars.defence.block_damage")
def test_options_of_blocking() -> None:
    weak: dict[str, Any] = {"block": 9, "durability": 10}
    assert odds(damage(flat(3), **weak))[Harm(0, 1)] == 1
    assert blocked(3, Blow(), 9, 10, Scaling(), DamageRules()) == Harm(0, 1)
    assert odds(damage(flat(3), **weak, block_min_damage=0))[Harm(0, 0)] == 1
    critical: dict[str, Any] = {"critical_bonus": 7, "block": 4, "durability": 15}
    assert odds(damage(flat(12), Degree.CRITICAL, **critical))[Harm(0, 11)] == 1
    assert odds(damage(flat(12), Degree.CRITICAL, **critical, crit_ignores_block=True))[Harm(0, 12)] == 1
    assert odds(damage(flat(12), Degree.SUCCESS, **critical, crit_ignores_block=True))[Harm(0, 8)] == 1


@pytest.mark.rule("mars.defence.block_overflow")
@pytest.mark.parametrize("example", LEDGER["mars.defence.block_overflow"].examples)
def test_damage_through_a_shield(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    call = damage(flat(given["shield_damage"]), reduction=given["dr"], block=0, durability=given["durability"])
    harm = next(iter(odds(call).outcomes))
    assert harm.character == expect["character_damage"]
    assert max(0, given["durability"] - harm.shield) == expect["durability"]


@pytest.mark.rule("mars.defence.block_overflow")
def test_damage_through_a_defence_is_a_plain_hit() -> None:
    graze = damage(flat(28), Degree.GRAZE, 3, block=0, durability=10)
    assert odds(graze)[Harm(1, 14)] == 1  # 14 - 10 - 3, not halved again
    critical = damage(flat(12), Degree.CRITICAL, 3, 4, block=0, durability=10)
    assert odds(critical)[Harm(1, 14)] == 1  # DR counts again


# ---------------------------------------------------------------------- what is lost


@pytest.mark.rule("mars.damage.endurance_first")
@pytest.mark.parametrize("example", LEDGER["mars.damage.endurance_first"].examples)
def test_endurance_goes_first(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    assert lose(given["damage"], given["endurance"], given["health"]) == (expect["endurance"], expect["health"])


@pytest.mark.rule("mars.damage.thresholds")
@pytest.mark.parametrize("example", LEDGER["mars.damage.thresholds"].examples)
def test_thresholds(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    left = lose(given["damage"], given["endurance"], given["health"])
    assert left == (expect["endurance"], expect["health"])
    fate = fate_of(*left)
    assert (fate is not Fate.STANDS, fate is Fate.DYING) == (expect["unconscious"], expect["dying"])


@pytest.mark.rule("mars.damage.thresholds")
def test_a_character_who_has_endurance_stands_whatever_the_health() -> None:
    assert fate_of(1, -3) is fate_of(0, 1) is Fate.STANDS
    assert [fate_of_loss(health) for health in (1, 0, -1)] == [Fate.STANDS, Fate.UNCONSCIOUS, Fate.DYING]


@pytest.mark.rule("mars.damage.nonlethal")
@pytest.mark.parametrize("example", LEDGER["mars.damage.nonlethal"].examples)
def test_nonlethal(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    fate = fate_of(0, given["health_after"], nonlethal=given["nonlethal"], most_health=given["max_health"])
    assert (fate is not Fate.STANDS, fate is Fate.DYING) == (expect["unconscious"], expect["dying"])
    # nonlethal damage kills from minus the maximum on
    assert fate_of(0, -11, nonlethal=True, most_health=12) is Fate.UNCONSCIOUS
    assert fate_of(0, -11, nonlethal=False, most_health=12) is Fate.DYING


# ---------------------------------------------------------------------- dying


@pytest.mark.rule("mars.effect.dying")
@pytest.mark.parametrize("example", LEDGER["mars.effect.dying"].examples)
def test_the_dying_check(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    count = next(iter(odds(dying_check(flat(given["fort_total"]), given["health"])).outcomes))
    assert count == DyingCheck(expect.get("successes", 0), expect.get("failures", 0))


@pytest.mark.rule("mars.effect.dying")
def test_dying_to_the_end() -> None:
    assert odds(dying(flat(20), -5))[True] == 1  # criticals: 2, then 2
    assert odds(dying(flat(0), -8))[True] == 0  # 8 short, 9, 10: three failures
    assert odds(dying(flat(0), -6))[True] == 0  # a graze first, then failures only
    assert odds(dying(flat(5), -5))[True] == 0  # success, then 6, 7, ...: grazes and failures
    assert odds(dying(flat(7), -5))[True] == 1  # 5, 6 and 7 are reached: three successes in three rounds
    assert odds(dying(flat(7), -6, successes=1))[True] == 1
    assert odds(dying(flat(7), -6))[True] == 0
    steady = odds(dying(R("r20"), -5))[True]
    assert odds(dying(R("r20"), -5, advantage=1))[True] > steady > odds(dying(R("r20"), -6))[True]


@pytest.mark.rule("mars.gap.recovery.stabilise")
def test_stabilising_takes_a_success() -> None:
    assert odds(stabilise(flat(10)))[True] == 1
    assert odds(stabilise(flat(9)))[True] == 0
    assert odds(stabilise(flat(13), 14))[True] == 0


# ---------------------------------------------------------------------- fire and falls


@pytest.mark.rule("mars.effect.burning")
@each_case(("degree", "rolled"), [(1, "r4"), (2, "r6"), (3, "r8"), (4, "r10"), (5, "r12"), (6, "r14")])
def test_burning(degree: int, rolled: str) -> None:
    assert LEDGER["mars.effect.burning"].data[str(degree)] == rolled
    assert burning_damage(degree) == R(rolled)
    assert odds(burning(degree)).mean == odds(damage(R(rolled))).expected(lambda harm: harm.character)


@pytest.mark.rule("mars.effect.burning")
def test_burning_out_falls_by_a_degree_each_turn() -> None:
    assert play(burning_out(3), TypedDice([8, 6, 4])).result == 18
    assert odds(burning_out(2)).mean == odds(burning(2)).mean + odds(burning(1)).mean


@pytest.mark.rule("mars.gap.fight.falling", "mars.gap.check.common_tasks")
def test_falling() -> None:
    assert [fall_difficulty(metres) for metres in (2, 3, 4, 5, 6, 7, 20)] == [None, 10, 10, 14, 14, 19, 19]
    assert play(fall(flat(10), 2), TypedDice([])).result == Fall(Degree.CRITICAL, 0)
    assert play(fall(flat(9), 3), TypedDice([5])).result == Fall(Degree.GRAZE, 5)  # r6
    assert play(fall(flat(10), 3), TypedDice([5])).result == Fall(Degree.SUCCESS, 2)
    assert play(fall(flat(17), 3), TypedDice([])).result == Fall(Degree.CRITICAL, 0)
    assert play(fall(flat(0), 7), TypedDice([9, 4])).result == Fall(Degree.FAILURE, 13)  # r14


# ---------------------------------------------------------------------- other checks


@pytest.mark.rule("mars.effect.sickness_end")
def test_recovering_from_sickness_takes_a_success() -> None:
    assert [odds(sickness_check(flat(total)))[True] for total in (9, 10, 17)] == [0, 1, 1]
    assert odds(sickness_check(flat(13), 14))[True] == 0


@pytest.mark.rule("mars.concentration.break")
def test_concentration_is_kept_by_a_success_alone() -> None:
    assert [odds(concentration(flat(total)))[True] for total in (4, 9, 10)] == [0, 0, 1]
    assert odds(concentration(flat(13), 14))[True] == 0
    assert odds(concentration(R("r18")))[True] == Fraction(
        sum(a + b >= 10 for a in range(1, 11) for b in range(1, 9)), 80
    )


@pytest.mark.rule("mars.damage.pipeline", "mars.damage.minimum")
@each_case(("reduction", "expected"), [(0, [1, 2, 3, 4]), (1, [1, 1, 2, 3]), (3, [1, 1, 1, 1]), (9, [1, 1, 1, 1])])
def test_reduction_takes_its_number_and_leaves_one(reduction: int, expected: list[int]) -> None:
    found = odds(damage(RollValue(4), Degree.SUCCESS, reduction=reduction))
    rolled = sorted([harm.character for harm, chance in found.fractions() for _ in range(int(4 * chance))])
    assert rolled == expected


@pytest.mark.rule("mars.defence.block_overflow", "mars.defence.block_damage")
@each_case(
    ("durability", "reduction", "through"),
    [(7, 0, 0), (6, 0, 0), (5, 0, 1), (3, 0, 3), (3, 2, 1), (3, 3, 1), (0, 0, 6)],
)
def test_damage_through_a_shield_by_its_durability(durability: int, reduction: int, through: int) -> None:
    found = odds(damage(RollValue(0, 9), Degree.SUCCESS, reduction=reduction, block=3, durability=durability))
    assert set(found) == {Harm(through, 6)}  # 9 less the block value of 3


@pytest.mark.rule("mars.damage.pipeline", "mars.damage.types", "mars.damage.half_double_stacking")
@each_case(
    ("wear", "more", "lost"),
    [
        ((), {}, 6),
        (("leather",), {}, 3),
        (("leather",), {"kind": "fire"}, 6),
        (("leather",), {"kind": "fire", "reduced": "always"}, 3),
        (("leather",), {"reduced": "never"}, 6),
        ((), {"halvings": 1}, 3),
        ((), {"halvings": 2}, 2),
        ((), {"doublings": 1}, 12),
        ((), {"doublings": 1, "halvings": 1}, 6),
        (("leather",), {"halvings": 2}, 1),
    ],
)
def test_hazards_go_the_way_of_all_damage(wear: tuple[str, ...], more: dict[str, Any], lost: int) -> None:
    session = duel(fighter("Ann"), fighter("Bob", wear=wear), theirs={"endurance": 20})
    go(session, "mars.hazard", who="bob", damage="r6", faces=[(6,)], **more)
    assert 20 - status(session, "bob").endurance == lost
