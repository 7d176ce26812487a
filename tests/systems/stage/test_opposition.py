"""Bonuses in opposed checks alone, and rerolls of defences."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, status
from systems.stage.fights import act, asked, duel, place, session_with
from systems.stage.people import OPTIONS, somebody
from tablewright.engine import odds
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.mechanics.attack import attack, maneuver
from tablewright.systems.stage.mechanics.forms import Defence, Form
from tablewright.systems.stage.status import Gift

TWO = {"dice for the first roll": "2"}


def afraid(dice: int = 0, flat: int = 0) -> tuple[Effect, ...]:
    """A character who is worse in opposed checks against bob."""
    gift = Gift(("opposed_against_user",), dice, flat, "penalty", against="bob")
    return (Effect("fear", OPEN_END, data=gift),)


def spearman(**fields: Any) -> Any:
    return somebody(2, **{"has": ["spear@hand"], **fields})


# ---------------------------------------------------------------------- only against who defends


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


@pytest.mark.rule("stage.opposed.basic", "stage.attack.trip_push")
@pytest.mark.parametrize(("defence", "faces"), [("nothing", [[1, 1]]), ("dodge", [[1, 1, 1], [1]])])
def test_so_it_is_with_special_attacks(defence: str, faces: list[list[int]]) -> None:
    session = duel(spearman(), spearman(), mine={"lasting": afraid(dice=-1)})
    act(session, "trip:bob", faces=faces, choices={"how to defend": defence})
    assert not events(session, "Tried")[0].success


@pytest.mark.rule("stage.opposed.basic", "stage.magic.app_cast")
@pytest.mark.parametrize(("defence", "faces"), [("nothing", [[1, 1]]), ("counter", [[1, 1], [1]])])
@pytest.mark.parametrize("spell", ["flare=cold", "shove"])
def test_so_it_is_with_spells(spell: str, defence: str, faces: list[list[int]]) -> None:
    mage = somebody(2, spells=("flare", "shove"))
    session = duel(mage, spearman(), mine={"lasting": afraid(dice=-1)})
    act(session, f"cast:bob:{spell}", faces=faces, choices={"how to defend": defence})
    assert status(session, "bob").stamina == 16


@pytest.mark.rule("stage.opposed.basic", "stage.power_effect.attack_form")
@pytest.mark.parametrize(("defence", "before", "thrown"), [("nothing", [], 2), ("dodge", [[1, 1]], 1)])
def test_a_swing_is_opposed_where_a_character_defends(defence: str, before: list[list[int]], thrown: int) -> None:
    ann = spearman(close_combat=6, powers=("whirlwind_attack",))
    session = duel(ann, spearman(), mine={"lasting": afraid(dice=-1)})
    faces = [*before, [1] * thrown]
    act(session, "attack:bob:spear+whirlwind_attack", faces=faces, choices={**TWO, "how to defend": defence})
    assert not events(session, "Attacked")[0].hit


@pytest.mark.rule("stage.opposed.basic")
def test_the_odds_know_it() -> None:
    def hits(form: Form, *ways: Defence) -> Any:
        return odds(attack((form,), 3, 3, ways), "hit").chance(lambda made: made.hit)

    dodge = Defence("dodge", 1)  # for nothing, so that it is always taken
    afraid, brave = (Form("plain", dice, own_second=1, opposed=more) for dice, more in ((3, -1), (2, 0)))
    assert hits(afraid, dodge) == hits(brave, dodge)
    assert hits(afraid) == hits(brave._replace(dice=3))
    tripped = [odds(maneuver(3, 0, 3, 3, (dodge,), opposed_flat=-2), "success"), odds(maneuver(3, -2, 3, 3, (dodge,)))]
    assert len({made.chance(lambda made: made.success) for made in tripped}) == 1


# ---------------------------------------------------------------------- defences that are rolled again


def lucky(**fields: Any) -> Any:
    return somebody(4, **{"powers": ("acrobats_luck",), **fields})


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.trip_push")
def test_a_dodge_of_a_special_attack_is_rolled_again() -> None:
    session = duel(somebody(2), lucky())
    choices = {"how to defend": "dodge", "roll again": ["yes", "no"]}
    act(session, "trip:bob", faces=[[1] * 5, [6] * 5, [6, 6]], choices=choices)
    assert not events(session, "Tried")[0].success
    assert events(session, "Tried")[0].defence == "dodge+acrobats_luck"
    assert (status(session, "bob").stamina, status(session, "bob").ap) == (30, 2)


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.attack_form")
def test_a_dodge_of_a_swing_is_rolled_again() -> None:
    ann = spearman(close_combat=6, powers=("whirlwind_attack",))
    session = duel(ann, lucky())
    choices = {"dice for the first roll": "7", "how to defend": "dodge", "roll again": ["yes", "no"]}
    act(session, "attack:bob:spear+whirlwind_attack", faces=[[1] * 4, [6] * 4, [1] * 7], choices=choices)
    assert not events(session, "Attacked")[0].hit
    assert status(session, "bob").stamina == 30


@pytest.mark.rule("stage.power_effect.reroll", "stage.agility.dodge")
def test_a_dodge_is_rolled_again_as_often_as_it_is_paid_for() -> None:
    session = duel(spearman(), lucky())
    choices = {**TWO, "how to defend": "dodge", "roll again": ["yes", "yes"]}
    act(session, "attack:bob:spear", faces=[[1] * 4, [2] * 4, [3] * 4, [6, 6]], choices=choices)
    assert not events(session, "Attacked")[0].hit
    assert status(session, "bob").stamina == 28


@pytest.mark.rule("stage.power_effect.reroll", "stage.resource.death")
def test_a_character_who_has_plenty_does_not_pay_with_the_last_point() -> None:
    session = duel(spearman(), lucky(has=["padded_coat@worn"]))
    session.do("stage.perform", who="ann", use="attack:bob:spear")
    session.choose("2")
    assert "left before death" not in asked(session).details
    session.choose("dodge")
    session.type_in([1] * 4)
    assert asked(session).question == "roll again"


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.substitute_skill")
@pytest.mark.parametrize(
    ("power", "rerolls"), [("acrobats_luck", {"dodge": 2, "running": 0}), ("the_zone", {"dodge": 0, "running": 2})]
)
def test_the_skill_that_is_rolled_decides_by_which_power(power: str, rerolls: dict[str, int]) -> None:
    bob = somebody(5, powers=("running_dodge", power))
    session = duel(spearman(), bob)
    found = {way.name: way.reroll for way in defences(session.scene, "bob", "ann", melee=True).ways}
    assert (found["dodge"], found["dodge+running_dodge"]) == (rerolls["dodge"], rerolls["running"])


# ---------------------------------------------------------------------- a swing with what was announced for it


@pytest.mark.rule("stage.power_effect.extra_damage", "stage.power_effect.attack_form")
def test_powers_announced_for_a_swing_hurt_every_target() -> None:
    ann = somebody(6, powers=("whirlwind_attack", "insult_to_injury"), has=["great_sword@hands"])
    people = [place(ann, "party", who="ann"), *[place(somebody(1), "foes", who=who) for who in ("bob", "cat")]]
    session = session_with(people)
    will = status(session).will
    choices = {"how to attack": "insult_to_injury", "dice for": "4", "which damage?": ["mind", "soul"]}
    faces = [[6] * 4, [1] * 4, [5]]
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=faces, choices=choices)
    assert (status(session, "bob").intellect, status(session, "cat").will) == (3, 3)
    assert will - status(session).will == 1


@pytest.mark.rule("stage.power.reuse", "stage.power.announce")
def test_two_powers_can_be_announced_for_a_spell() -> None:
    mage = somebody(4, spells=("soul_sting",), powers=("twisted_verse", "soul_channeler"))
    session = duel(mage, somebody(1), options=OPTIONS)
    choices = {"how to attack": "twisted_verse+soul_channeler", "how to defend": "nothing"}
    act(session, "cast:bob:soul_sting", faces=[[1] * 5, [4]], choices=choices)
    assert status(session).will == 32 - 1 - 2
    assert status(session, "bob").will == 4
