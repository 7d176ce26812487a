"""Defaults: features that are not named, costs that are not given, counts that have not begun."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from tablewright.systems.mars.actions.attack import Outcome
from tablewright.systems.mars.character.record import Advance, Day, MarsCharacter, MarsEffect
from tablewright.systems.mars.events import attack as attack_events
from tablewright.systems.mars.events import encounter, harm, recovery, turn
from tablewright.systems.mars.mechanics.attack import Attacked, attack
from tablewright.systems.mars.mechanics.harm import Blow, Fate, Harm, Scaling, damage
from tablewright.systems.mars.mechanics.turn import Routine
from tablewright.systems.mars.status import Incoming, Most, Turn, Work
from tablewright.systems.mars.values import Degree, RollValue

UNSAID: list[tuple[Any, str, dict[str, int]]] = [
    (Outcome, "mars.attack.procedure", {"damage": 0}),
    (Attacked, "mars.attack.procedure", {"damage": 0, "shield": 0, "stamina": 0}),
    (Routine, "mars.attack.multiple_attack_penalty", {"stamina": 0}),
    (Harm, "mars.damage.pipeline", {"shield": 0}),
    (Blow, "mars.damage.typeless", {"reduction": 0, "critical_bonus": 0}),
    (Scaling, "mars.damage.half_double_stacking", {"halvings": 0, "doublings": 0}),
    (MarsEffect, "mars.effect.list", {"degree": 0, "value": 0, "again": 0, "successes": 0, "failures": 0}),
    (Advance, "mars.advancement.spending", {"opportunity": 1}),
    (Day, "mars.rest.limits", {"short_rests": 0, "reckoned_at": 0, "meals": 0, "litres": 0, "meals_missed": 0}),
    (MarsCharacter, "mars.advancement.tracking", {"money": 0, "experience": 0, "opportunity": 0}),
    (Turn, "mars.action.speeds", {"seconds": 0, "moves": 0, "attacks": 0, "checks": 0}),
    (Work, "mars.action.extended", {"done": 0}),
    (Most, "mars.damage.thresholds", {"health": 0, "endurance": 0}),
    (
        Incoming,
        "mars.attack.hit",
        {
            "threshold": 7,
            "critical": 0,
            "halvings": 0,
            "advantage": 0,
            "disadvantage": 0,
            "damage_advantage": 0,
            "damage_disadvantage": 0,
            "rating": 0,
        },
    ),
    (RollValue, "mars.dice.notation", {"modifier": 0}),
    (turn.Costly, "mars.move.action", {"seconds": 0, "stamina": 0, "focus": 0}),
    (turn.Walked, "mars.move.action", {"seconds": 0, "stamina": 0, "focus": 0, "metres": 0}),
    (attack_events.Hit, "mars.attack.damage_by_outcome", {"shield": 0, "endurance": 0, "health": 0}),
    (harm.Hurt, "mars.gap.ancestry.abilities", {"endurance": 0, "health": 0}),
    (encounter.TurnBegan, "mars.action.speeds", {"stuns": 0}),
    (recovery.Recovered, "mars.stat.resource_behaviour", {"health": 0, "endurance": 0, "stamina": 0, "focus": 0}),
    (recovery.SicknessChanged, "mars.effect.sickness_end", {"left": 7 * 24 * 3600}),
]


def whole_numbers(kind: Any) -> dict[str, int]:
    """The whole numbers that stand in for what is not said."""
    if is_dataclass(kind):
        found = {field.name: field.default for field in fields(kind)}
    elif hasattr(kind, "model_fields"):
        found = {name: field.default for name, field in kind.model_fields.items()}
    else:
        found = dict(kind._field_defaults)
    return {name: value for name, value in found.items() if type(value) is int}


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [pytest.param(kind, row, id=kind.__name__, marks=pytest.mark.rule(rule)) for kind, rule, row in UNSAID],
)
def test_missing_words_mean_nothing_or_the_usual_number(kind: Any, numbers: dict[str, int]) -> None:
    assert whole_numbers(kind) == numbers


# ---------------------------------------------------------------------- what advice goes by


@pytest.mark.rule("mars.attack.procedure", "mars.defence.block", "mars.damage.pipeline")
@pytest.mark.parametrize(
    ("attacked", "worth"),
    [
        (Attacked(Degree.FAILURE), 0),
        (Attacked(Degree.SUCCESS, damage=3), 6),
        (Attacked(Degree.SUCCESS, blocked=True, shield=3, stamina=1), 5),
        (Attacked(Degree.SUCCESS, damage=3, fate=Fate.DYING), 26),
    ],
)
def test_value_of_an_attack_to_its_attacker(attacked: Attacked, worth: int) -> None:
    assert attack.objectives["worth"](attacked) == worth


@pytest.mark.rule("mars.damage.pipeline", "mars.defence.block_damage")
def test_a_point_of_damage_is_worth_two_points_of_a_shield() -> None:
    assert [damage.objectives["worth"](Harm(*one)) for one in ((0, 0), (1, 0), (0, 1), (2, 3))] == [0, 2, 1, 7]


@pytest.mark.rule("mars.gap.weapon.backswing")
def test_no_swing_goes_on_when_a_turn_begins() -> None:
    assert Turn().backswing == ()
    assert Turn.begun(0).backswing == ()
