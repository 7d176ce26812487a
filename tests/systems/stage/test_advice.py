"""Advice is right: what each alternative is worth is counted again here, face by face, and every one is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from each_case import each_case
from tablewright.engine import Call, advise
from tablewright.systems.stage.mechanics.attack import AP_WORTH, attack, blocking
from tablewright.systems.stage.mechanics.forms import Block, Defence, Form, Shield
from tablewright.systems.stage.mechanics.harm import SoFar
from tablewright.systems.stage.mechanics.turn import shooting


@cache
def sums(dice: int) -> tuple[tuple[int, Fraction], ...]:
    """Every total of some dice with its chance, by throwing them all."""
    thrown = Counter([sum(faces) for faces in product(range(1, 7), repeat=dice)])
    return tuple([(total, Fraction(times, 6**dice)) for total, times in thrown.items()])


def second(dice: int, flat: int = 0) -> Iterator[tuple[int, Fraction]]:
    """The second roll: at least 1, and 1 without dice."""
    if not dice:
        yield 1, Fraction(1)
    for total, chance in sums(dice) if dice else ():
        yield max(1, total + flat), chance


def mean(dice: int, flat: int = 0) -> Fraction:
    return sum([total * chance for total, chance in second(dice, flat)], Fraction(0))


def reaches(dice: int, needed: int, flat: int = 0) -> Fraction:
    return sum([chance for total, chance in sums(dice) if max(1, total + flat) >= needed], Fraction(0))


def asked(call: Call[Any], question: str) -> dict[str, Fraction]:
    """Values of the options of the first question of a kind."""
    found = next(one for one in advise(call).choices if one.question == question)
    best = [one.id for one in found.options if one.best]
    worths = {one.id: Fraction(one.value) for one in found.options}
    assert worths[best[0]] == (max if found.seat == "actor" else min)(worths.values())
    return worths


def hurt(damage: int, resistance: int, block: Block | None) -> Fraction:
    """Loss of a target that blocks if that is better."""
    through = max(0, damage - resistance)
    if block is None or not through:
        return Fraction(through)
    stopped = [max(0, through - min(total + block.flat, block.most)) * chance for total, chance in sums(block.dice)]
    return min(Fraction(through), block.points + sum(stopped, Fraction(0)))


def blow(
    form: Form, first: int, way: Defence | None, difficulty: int, resistance: int, block: Block | None
) -> Fraction:
    """Value of one split against one defence."""
    rest = max(1, form.dice) - first
    dealt = sum([chance * hurt(total, resistance, block) for total, chance in second(rest)], Fraction(0))
    if way is None:
        return reaches(first, max(1, difficulty)) * dealt - form.points
    hit = sum([chance * reaches(first, total + way.flat + difficulty) for total, chance in sums(way.dice)], Fraction(0))
    return hit * dealt + way.ap + way.points - form.points


DODGE, PARRY, BLOCK = Defence("dodge", 2, ap=1), Defence("parry", 3, points=1), Block("block", 2, most=9)


@pytest.mark.rule("stage.attack.defensive", "stage.defense.block", "stage.attack.procedure")
@each_case("dice", [1, 3, 4])
@each_case("resistance", [0, 2])
@each_case("block", [None, BLOCK])
@each_case("ways", [(DODGE,), (PARRY,), (DODGE, PARRY)])
def test_choice_of_a_defence(dice: int, resistance: int, block: Block | None, ways: tuple[Defence, ...]) -> None:
    form, blocks = Form("plain", dice), () if block is None else (block,)
    call = attack((form,), 3, 3, ways, resistance, blocks, left=99)
    named: dict[str, Defence | None] = {"nothing": None, **{way.name: way for way in ways}}
    table = {
        first: {name: blow(form, first, way, 3, resistance, block) for name, way in named.items()}
        for first in range(1, dice + 1)
    }
    splits = {str(first): min(worths.values()) for first, worths in table.items()}
    if dice > 1:
        assert asked(call, "dice for the first roll") == splits
    assert advise(call).value == max(splits.values())
    best = max(table, key=lambda first: min(table[first].values()))
    alone = attack((form._replace(dice=best, own_second=dice - best),), 3, 3, ways, resistance, blocks, left=99)
    assert asked(alone, "how to defend") == table[best]


@pytest.mark.rule("stage.attack.defensive", "stage.action.ap")
def test_a_threat_is_worth_the_ap_that_wards_it_off() -> None:
    """One die of four scarcely hits who dodges, but who does not loses 7 points: so it costs the target an AP."""
    dodge = Defence("dodge", 3, ap=1)
    worth = asked(attack((Form("plain", 4),), 3, 3, (dodge,), left=99), "dice for the first roll")
    scarcely = blow(Form("plain", 4), 1, dodge, 3, 0, None) - 1
    assert scarcely < Fraction(1, 100) * mean(3)
    assert worth["1"] == 1 + scarcely
    assert worth["4"] == 1  # all dice hit, so that it is better to lose the one point than the AP
    assert worth["3"] > worth["2"] > worth["1"] > worth["4"]


@pytest.mark.rule("stage.action.ap", "stage.attack.procedure")
def test_an_ap_counts_for_about_what_an_attack_does() -> None:
    """The best split of the demo's fighters, who have 1 to 3 dice, against Hit Difficulty 5."""
    done = [max([reaches(first, 5) * mean(dice - first) for first in range(1, dice + 1)]) for dice in (1, 2, 3)]
    assert done[0] < AP_WORTH < done[2]
    assert sum(done) / 3 > AP_WORTH


@pytest.mark.rule("stage.defense.block", "stage.power.announce")
@each_case("damage", [1, 2, 4, 7, 12])
@each_case("most", [2, 9])
def test_to_block_or_to_keep_the_points(damage: int, most: int) -> None:
    ways = Block("block", 2, most=most), Block("block+defender", 3, most=most, points=2)
    worth = {"no": Fraction(damage)}
    for way in ways:
        through = [chance * max(0, damage - min(total, most)) for total, chance in sums(way.dice)]
        worth[way.name] = way.points + sum(through, Fraction(0))
    assert asked(blocking(damage, 0, Shield(blocks=ways, left=99), SoFar(True)), "block") == worth


@pytest.mark.rule("stage.resource.spend", "stage.defense.block")
def test_the_last_point_is_not_paid_lightly() -> None:
    call = attack((Form("plain", 1, own_second=1),), 1, 0, (), 0, (BLOCK,), left=1)
    for one in advise(call).choices:
        assert [option.id for option in one.options if option.best] == ["no"]
    forbidden = attack((Form("plain", 1, own_second=1),), 1, 0, (), 0, (BLOCK,), left=1, may_pay_last=False)
    assert advise(forbidden).choices == ()


@pytest.mark.rule("stage.power.announce", "stage.attack.procedure")
@pytest.mark.parametrize("difficulty", [3, 6, 9, 12])
@pytest.mark.parametrize("cost", [1, 2])
def test_which_power_is_worth_its_cost(difficulty: int, cost: int) -> None:
    forms = Form("plain", 3), Form("marksman", 4, points=cost), Form("sure", 3, first=3, points=cost)
    worth = {}
    for form in forms:
        splits = []
        for first in range(1, form.dice + 1):
            chance = reaches(first, difficulty, form.first)
            splits.append(chance * mean(form.dice - first) - form.points)
        worth[form.name] = max(splits)
    assert asked(attack(forms, difficulty, left=99), "how to attack") == worth


@pytest.mark.rule("stage.attack.snipe", "stage.ranged_combat.attack")
@each_case("dice", [1, 2, 3, 4])
@each_case("dodge", [0, 2])
@each_case("ap", [1, 3])
@each_case("sniper", [0, 1])
def test_snipe_or_shoot_twice(dice: int, dodge: int, ap: int, sniper: int) -> None:
    def shot(pool: int, left: int, extra: int = 0) -> Fraction:
        """The best split against the best defence, with so many AP left to dodge; what is spent counts."""
        best = Fraction(-99)
        for first in range(1, pool + 1):
            dealt = mean(pool - first) + Fraction(7 * extra, 2)
            ways = [reaches(first, 3) * dealt]
            if dodge and left:
                hit = sum([chance * reaches(first, total + 3) for total, chance in sums(dodge)], Fraction(0))
                ways.append(hit * dealt + 1)
            best = max(best, min(ways))
        return best

    def twice() -> Fraction:
        """The first shot is met knowing that a second one comes, with fewer AP to dodge it after a dodge."""
        best = Fraction(-99)
        for first in range(1, dice + 1):
            dealt = mean(dice - first)
            ways = [reaches(first, 3) * dealt + shot(dice, ap)]
            if dodge and ap:
                hit = sum([chance * reaches(first, total + 3) for total, chance in sums(dodge)], Fraction(0))
                ways.append(hit * dealt + 1 + shot(dice, ap - 1))
            best = max(best, min(ways))
        return best

    found = asked(shooting(dice, dodge=dodge, ap=ap, sniper=sniper, left=99), "how to shoot")
    assert found == {"snipe": shot(dice + 1, ap, sniper), "twice": twice()}
