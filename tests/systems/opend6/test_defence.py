"""Defences: dodging, parrying and blocking, how long they last, bare hands against blades, the passive bonus."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, begin, kinds, needed, person, plan
from systems.playing import answer, asked, last
from tablewright.engine import Roll, odds
from tablewright.systems.opend6.actions.aim import attack_call, passive_bonus
from tablewright.systems.opend6.prospects import prospect
from tablewright.systems.opend6.status import Defence, level

DYING = person(FOE, wounds={"level": "mortally_wounded"})


@pytest.mark.rule("opend6.gap.defence.partial", "opend6.gap.defence.full", "opend6.gap.defence.skills")
@pytest.mark.parametrize(
    ("use", "skill"), [("dodge", "dodge"), ("parry::short_sword", "melee_combat"), ("block", "fighting")]
)
def test_an_active_defence_counts_even_below_the_passive_one_and_takes_the_round_to_be_full(
    use: str, skill: str
) -> None:
    session = answer(begin(HERO, FOE), "1", use, [2, 2, 2, 2])
    assert session.scene["a"].status.defence[:3] == (8, skill, False)
    answer(session, "1")
    assert needed(session, "short_sword", "b", "a") == 3
    full = answer(begin(HERO, FOE), "1", f"full_{use}", [2, 2, 2, 2])
    assert full.scene["a"].status.defence.total == 18
    assert f"full_{use}" not in asked(answer(begin(HERO, FOE), "2"))
    assert "parry" not in kinds(answer(begin(person(belongings=[]), FOE), "1"))


SWORDS = [{"skill": "melee_combat", "subject": "swords", "adds": "0D+1"}]


@pytest.mark.rule("opend6.untrained.modifier", "opend6.untrained.exempt", "opend6.gap.defence.partial")
@pytest.mark.parametrize(
    ("use", "skills", "special", "total"),
    [
        ("parry::short_sword", {"melee_combat": "3D"}, [], 10),
        ("full_parry::short_sword", {"melee_combat": "3D"}, [], 20),
        ("parry::short_sword", {"melee_combat": "3D+1"}, [], 16),
        ("parry::short_sword", {"melee_combat": "3D"}, SWORDS, 16),
        ("dodge", {"dodge": "3D"}, [], 15),
        ("block", {"fighting": "3D"}, [], 15),
    ],
)
def test_a_parry_without_the_skill_is_five_worse(
    use: str, skills: dict[str, str], special: list[dict[str, str]], total: int
) -> None:
    session = answer(begin(person(skills=skills, specialisations=special), FOE), "1", use, [5, 5, 5])
    assert session.scene["a"].status.defence.total == total


@pytest.mark.rule("opend6.gap.defence.lasts", "opend6.gap.defence.passive")
def test_a_defence_lasts_until_the_next_turn_and_while_its_owner_stands() -> None:
    session = answer(begin(HERO, FOE), "1", "dodge", [4, 4, 4, 4], "1", "stop")
    assert session.scene["a"].status.defence is None
    dodging = {"b": {"defence": Defence(25, "dodge")}}
    assert needed(begin(HERO, FOE, FOE, statuses=dodging), "short_sword") == 20
    assert needed(begin(HERO, DYING, FOE, statuses=dodging), "short_sword") == 5


@pytest.mark.rule("opend6.gap.defence.bare_block", "opend6.gap.defence.blade_parry")
@pytest.mark.parametrize(
    ("held", "defence", "attack", "cut"),
    [
        ("short_sword", "block", "slash:a:short_sword", "a"),
        ("short_sword", "block", "punch:a:unarmed", ""),
        ("short_sword", "parry::short_sword", "slash:a:short_sword", ""),
        ("short_sword", "parry::short_sword", "punch:a:unarmed", "b"),
        ("club", "parry::club", "punch:a:unarmed", ""),
    ],
)
def test_a_bare_hand_that_meets_a_blade_is_cut(held: str, defence: str, attack: str, cut: str) -> None:
    session = begin(person(belongings=[{"item": held, "place": "hand"}]), FOE)
    answer(session, "1", defence, [5, 5, 5, 5], "1", attack, [2, 2, 2, 2])
    if cut:
        answer(session, [5], [2, 2, 1])  # the blade's 1D+2 alone: 7 against 5
        assert (last(session, "Hurt").who, last(session, "Hurt").by) == (cut, "short_sword")
    assert not isinstance(session.question, Roll)
    assert [level(session.scene, who) == "stunned" for who in "ab"] == [who == cut for who in "ab"]


@pytest.mark.rule("opend6.gap.defence.bare_block")
@pytest.mark.parametrize("minds", ["on_request", "always"])
def test_a_blade_with_pips_alone_cuts_anyone_who_blocks_it(minds: str) -> None:
    knife = person(FOE, belongings=[{"item": "small_knife", "place": "hand"}])
    session = begin(person(character_points=1), knife, options={"points.asked": minds})
    answer(session, "1", "block", *(["nothing"] if minds == "always" else []), [5, 5, 5, 5])
    answer(session, *(["no"] if minds == "always" else []), "1", "slash:a:small_knife", [2, 2, 2, 2], [2, 1, 1])
    assert (last(session, "Hurt").by, last(session, "Hurt").harm) == ("small_knife", False)  # 2 against a 2 and a 1


@pytest.mark.rule("opend6.gap.defence.skills")
@pytest.mark.parametrize(("defence", "against_missiles"), [("dodge", 15), ("parry::short_sword", 5), ("block", 5)])
def test_only_a_dodge_helps_against_missiles(defence: str, against_missiles: int) -> None:
    archer = person(FOE, belongings=[{"item": "rock", "place": "hand"}, *BOW])
    session = answer(begin(HERO, archer), "1", defence, [5, 5, 5, 5])
    for weapon, difficulty in (("short_bow", against_missiles), ("rock", against_missiles), ("unarmed", 15)):
        assert needed(session, weapon, "b", "a") == difficulty
        exact = odds(attack_call(session.scene, plan(session, weapon, "b", "a"))).chance(lambda struck: struck.hit)
        assert prospect(session.scene, "b", "a", weapon).promise.hits == int(exact * 1_000)


@pytest.mark.rule("opend6.gap.defence.passive_bonus")
@pytest.mark.parametrize(
    ("dodge", "ability", "bonus"),
    [
        ("4D", None, 0),
        ("4D+1", None, 1),
        ("6D", None, 1),
        ("6D+1", None, 2),
        ("8D", None, 2),
        ("8D+1", None, 3),
        ("3D", {"id": "increased_attribute", "ranks": 6, "attribute": "agility"}, 1),
        ("3D", {"id": "increased_attribute", "ranks": 5, "attribute": "agility"}, 0),
        ("3D", {"id": "increased_attribute", "ranks": 12, "attribute": "physique"}, 0),
        ("3D", {"id": "skill_bonus", "ranks": 12, "skills": ["dodge"]}, 2),
        ("3D", {"id": "skill_bonus", "ranks": 12, "skills": ["climbing"]}, 0),
    ],
)
def test_each_two_dice_of_dodge_above_four_begun_add_one(
    dodge: str, ability: dict[str, Any] | None, bonus: int
) -> None:
    nimble = person(FOE, skills={"dodge": dodge}, abilities=[ability] if ability else [])
    assert passive_bonus(begin(HERO, nimble).scene, "b") == bonus
    assert needed(begin(HERO, nimble), "short_sword") == 5
    assert needed(begin(HERO, nimble, options={"defence.passive_bonus": True}), "short_sword") == 5 + bonus


@pytest.mark.rule("opend6.gap.defence.free_partial")
def test_the_game_master_may_grant_a_dodge() -> None:
    session = answer(begin(HERO, FOE, options={"defence.free_partial": "ask"}), "1", "slash:b:short_sword")
    assert session.seat == "game master"
    answer(session, "yes", [4, 4, 4, 4])
    assert (session.scene["b"].status.defence.total, session.scene["b"].status.declared) == (16, 0)
