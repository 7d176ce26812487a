"""Damage by closed formula, compared with the odds of the rule run to every end."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.engine import odds
from tablewright.engine.odds import decision_or_odds
from tablewright.engine.results import DecisionRule, Odds
from tablewright.systems.stage.mechanics.attack import attack_worth, hurt
from tablewright.systems.stage.mechanics.forms import Block, Shield
from tablewright.systems.stage.mechanics.harm import Attack, SoFar, is_more

HIT = SoFar(True, form="plain", defence="parry", points=1)
BLOCK, DEARER, TWICE = Block("block", 2, 0, 6), Block("block+b", 3, 1, 6, points=2), Block("block+t", 1, 0, 4, times=2)
DEFLECT, ABSORB = Block("deflect", 2, 0, 7, ap=1, points=2, resistance=1), Block("endure", points=1, absorbs=3)
SHIELDS = (
    Shield(2),
    Shield(1, (BLOCK,), left=1, may_pay_last=False),
    Shield(1, (BLOCK, DEARER), left=2),
    Shield(0, (TWICE, BLOCK), absorptions=(ABSORB,), left=3),
    Shield(2, (BLOCK,), (DEFLECT,), left=5),
    Shield(1, (), (DEFLECT,), (ABSORB,), left=1),
    Shield(9, (BLOCK,), absorptions=(ABSORB,)),
    Shield(0, (BLOCK._replace(untrained=True),), (DEFLECT._replace(untrained=True),), left=3, botches=True),
)
ROLLS = ((2, 1, 0, 0, 0), (1, -2, 1, 0, 3), (0, 2, 1, 0, 1), (0, 2, 0, 1, 0), (2, 0, 0, 1, 2))


def _thrifty(result: Attack) -> int:
    return result.points - result.damage


def _nothing(result: Attack) -> int:
    return 0


@pytest.mark.rule("stage.damage.order", "stage.defense.block", "stage.defense.deflect")
@pytest.mark.parametrize("value", [attack_worth, _thrifty, _nothing])
@pytest.mark.parametrize("shield", SHIELDS, ids=str)
def test_odds_by_formula_are_those_of_the_rule(shield: Shield, value: Any) -> None:
    """The best deflection, block, absorption or reroll by any measure; the first of equals."""
    for rolled in ROLLS:
        for reroll, rerolls in ((0, 0), (1, 2)):
            call = hurt(*rolled, shield, "one_plus_flat", HIT, reroll, rerolls)
            known: Any = decision_or_odds(call)
            ruled: Any = decision_or_odds(call, by_rule=True)
            assert isinstance(known, Odds) == isinstance(ruled, Odds)
            if not isinstance(ruled, Odds):
                assert set(known.support()) == set(ruled.support())
                ruled = ruled.best(DecisionRule(value))
            assert dict(odds(call, value).fractions()) == dict(ruled.fractions())


@pytest.mark.rule("stage.damage.order")
@pytest.mark.parametrize(
    ("first", "second", "more"),
    [(1.0, 0.5, True), (0.5, 1.0, False), (1e-13, 0.0, False), (1e-11, 0.0, True), (1e6 + 1e-7, 1e6, False)],
)
def test_what_differs_by_no_more_than_floats_err_is_equal(first: float, second: float, more: bool) -> None:
    assert is_more(first, second) is more
