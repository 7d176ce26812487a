"""Bonuses in opposed checks alone, and rerolls of defences."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, status
from systems.stage.fights import TWO, act, duel
from systems.stage.people import somebody
from tablewright.engine import odds
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.systems.stage.mechanics.attack import attack, maneuver
from tablewright.systems.stage.mechanics.forms import Defence, Form
from tablewright.systems.stage.status import Gift


def afraid(dice: int = 0, flat: int = 0) -> tuple[Effect, ...]:
    """A character who is worse in opposed checks against bob."""
    gift = Gift(("opposed_against_user",), dice, flat, "penalty", against="bob")
    return (Effect("fear", OPEN_END, data=gift),)


def spearman(**fields: Any) -> Any:
    return somebody(2, **{"has": ["spear@hand"], **fields})


@pytest.mark.rule("stage.opposed.basic", "stage.power_effect.target_penalty", "stage.power_effect.war_cry")
@pytest.mark.parametrize(("defence", "before", "thrown"), [("nothing", [], 2), ("dodge", [[1, 1]], 1)])
def test_an_attack_is_hindered_only_against_who_defends(defence: str, before: list[list[int]], thrown: int) -> None:
    session = duel(spearman(), spearman(), mine={"lasting": afraid(dice=-1)})
    faces = [*before, [1] * thrown]
    act(session, "attack:bob:spear", faces=faces, choices={**TWO, "how to defend": defence})
    assert not events(session, "Attacked")[0].hit


@pytest.mark.rule("stage.opposed.basic", "stage.power_effect.target_penalty")
@pytest.mark.parametrize(("defence", "before", "hit"), [("nothing", [], True), ("dodge", [[1, 1]], False)])
def test_a_flat_penalty_goes_on_the_first_roll(defence: str, before: list[list[int]], hit: bool) -> None:
    session = duel(spearman(), spearman(), mine={"lasting": afraid(flat=-3)})
    faces = [*before, [3, 4], *([[1]] if hit else [])]  # 7 reaches 3; 4 does not reach 5
    act(session, "attack:bob:spear", faces=faces, choices={**TWO, "how to defend": defence})
    assert events(session, "Attacked")[0].hit is hit


@pytest.mark.rule("stage.opposed.basic", "stage.attack.trip_push", "stage.magic.app_cast")
@pytest.mark.parametrize(("defence", "before", "thrown"), [("nothing", [], 2), ("dodge", [[1, 1]], 1)])
@pytest.mark.parametrize("use", ["trip:bob", "cast:bob:flare=cold", "cast:bob:shove"])
def test_special_attacks_and_spells_are_hindered_the_same(
    use: str, defence: str, before: list[list[int]], thrown: int
) -> None:
    session = duel(somebody(2, spells=("flare", "shove")), spearman(), mine={"lasting": afraid(dice=-1)})
    extra = [1] if use == "trip:bob" and defence == "dodge" else []
    rolls = [[*roll, *extra] for roll in before]
    act(session, use, faces=[*rolls, [1] * thrown], choices={"how to defend": defence})
    assert (status(session, "bob").stance, status(session, "bob").stamina) == ("standing", 16)


@pytest.mark.rule("stage.opposed.basic", "stage.power_effect.attack_form")
@pytest.mark.parametrize(("defence", "before", "thrown"), [("nothing", [], 2), ("dodge", [[1, 1]], 1)])
def test_a_swing_is_opposed_where_a_character_defends(defence: str, before: list[list[int]], thrown: int) -> None:
    ann = spearman(close_combat=6, powers=("whirlwind_attack",))
    session = duel(ann, spearman(), mine={"lasting": afraid(dice=-1)})
    faces = [*before, [1] * thrown]
    act(session, "attack:bob:spear+whirlwind_attack", faces=faces, choices={**TWO, "how to defend": defence})
    assert not events(session, "Attacked")[0].hit


@pytest.mark.rule("stage.opposed.basic")
def test_odds_of_an_attack_know_penalties_against_those_who_defend() -> None:
    def hits(form: Form, *ways: Defence) -> Any:
        return odds(attack((form,), 3, 3, ways), "hit").chance(lambda made: made.hit)

    dodge = Defence("dodge", 1)  # for nothing, so that it is always taken
    afraid, brave = (Form("plain", dice, own_second=1, opposed=more) for dice, more in ((3, -1), (2, 0)))
    assert hits(afraid, dodge) == hits(brave, dodge)
    assert hits(afraid) == hits(brave._replace(dice=3))
    tripped = [odds(maneuver(3, 0, 3, 3, (dodge,), opposed_flat=-2), "success"), odds(maneuver(3, -2, 3, 3, (dodge,)))]
    assert len({made.chance(lambda made: made.success) for made in tripped}) == 1
