"""Battles of two sides, who leads them, and whom they hurt."""

from __future__ import annotations

import json

import pytest

from systems.marchen.acts import done
from systems.marchen.fights import duel, fighter, three
from systems.marchen.people import PUNCTI, hero, together
from systems.playing import status
from tablewright.cli.program import run
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.chapters.story import best_arms


@pytest.mark.rule("marchen.puncti.battle", "marchen.gap.fight.battle")
def test_a_battle_hits_all_losers_and_narrowly_the_winners_too() -> None:
    session = three(foes=("bob", "cid"))
    done(session, "fight_battle", [4, 4, 1, 2, 2, 2, 2, 1, 1, 1, 3, 3, 3], side="party", against="foes")
    damage = {one.id: one.status.physical for one in session.scene.participants}
    assert damage == {"bob": 6, "cid": 3, "ann": 4}  # half of nine, no one endures
    clear = duel()
    done(clear, "fight_battle", [6, 5, 1, 2, 1, 1, 1], side="party", against="foes")
    assert (status(clear).physical, status(clear, "bob").physical) == (0, 3 + 4)
    assert clear.scene.clock.now == PUNCTI
    far = duel(core="D100", damage_bonus="effect")
    done(far, "fight_battle", [100, 1, 1, 1, 1], side="party", against="foes")
    assert status(far, "bob").physical == 3 + 49  # where the effect counts


@pytest.mark.rule("marchen.puncti.battle")
def test_a_battle_is_fought_by_the_command_line_with_two_sides(capsys: pytest.CaptureFixture[str]) -> None:
    battle = ["do", "marchen.fight_battle", "marchen:soldier", "vs", "marchen:bandit"]
    words = [*battle, "--faces", "6,6,1,1,6,6,6,6,6", "--json"]  # far apart: the winners are not hurt
    assert run(words) == 0
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert [fact["who"] for fact in facts if fact.get("event") == "Harmed"] == ["bandit"]
    assert run(["do", "marchen.fight_battle", "marchen:soldier", "marchen:bandit"]) == 1
    assert "marchen.puncti.battle" in capsys.readouterr().err


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.puncti.battle")
def test_a_leader_fights_with_the_arms_in_hand_that_are_known_best() -> None:
    both = (ItemStack("dagger", 1, "hand"), ItemStack("crossbow", 1, "hand"), ItemStack("spear"))
    equal = (ItemStack("dagger", 1, "hand"), ItemStack("spear", 1, "hand"))
    for skills, home_tl, held, weapon in (
        ({"melee_combat": 0, "ranged_combat": 1}, 1, both, "crossbow"),
        ({"melee_combat": 1}, 1, both, "dagger"),
        ({"melee_combat": 0}, 0, equal, "spear"),  # more dice
    ):
        scene = together(hero(skills=skills, home_tl=home_tl, belongings=held)).scene
        assert best_arms(scene, "ann").id == weapon
    whip = [("melee_combat", "Whip", 3)]
    session = duel(fighter("Ann", skills={"melee_combat": 1, "athletics": 0}, specials=whip, home_tl=2))
    call = done(session, "fight_battle", [4, 4, 4, 3, 1, 1, 1, 1, 1, 1], side="party", against="foes")
    assert (call.winner, call.sigma, call.narrow) == ("a", 0, True)  # 8 + 1 - 1 for a sword of another level


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.gap.damage.formula")
@pytest.mark.parametrize(("model", "dice"), [("dice", [1]), ("tiers", [])])
def test_a_serendipitous_battle_hurts_the_best_armoured(model: str, dice: list[int]) -> None:
    dagger = (ItemStack("dagger", 1, "hand"),)
    for muscle, harm in ((1, 0), (2, 1)):  # a critical success and a serendipitous one; the dagger is half as strong
        leader = fighter("Ann", belongings=dagger, home_tl=0, physical=muscle)
        foe = fighter("Bob", hide=30, belongings=(*dagger, ItemStack("battle_dress", 1, "worn")), home_tl=0)
        session = duel(leader, foe, damage_model=model)
        done(session, "fight_battle", [6, 6, 1, 1, *dice], side="party", against="foes")
        assert status(session, "bob").physical == harm
