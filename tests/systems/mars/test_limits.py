"""Limits: the last step that is allowed and the first that is not, in purchases and legality."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import duel, fighter
from systems.mars.people import OPTIONS, library, person, scene_of, somebody
from systems.playing import go, status
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.character.sheet import sheet_text as shown_as_text
from tablewright.game.values import Frozen
from tablewright.systems.mars.character.costs import checkpoints_reached, next_step
from tablewright.systems.mars.character.record import Advance, Day, MarsCharacter, MarsEffect, OwnTrait, Wounds
from tablewright.systems.mars.legality import as_made, beyond, legality
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.sheet import sheet
from tablewright.systems.mars.values import RollValue

STAT, LANGUAGE, REPEAT = "mars.advancement.stat_cost", "mars.skill.languages", "mars.talent.repeat_cost"
NEEDS, SKILL = "mars.talent.requirements", "mars.advancement.skill_limit"


@pytest.mark.rule("mars.advancement.stat_cost", "mars.skill.languages", "mars.talent.repeat_cost")
@each_case(
    ("fields", "what", "name", "rules"),
    [
        ({"STR": "r18"}, "stat", "STR", []),
        ({"STR": "r20"}, "stat", "STR", [STAT]),
        ({"languages": {"elven": 18}}, "language", "elven", []),
        ({"languages": {"elven": 20}}, "language", "elven", [LANGUAGE]),
        ({"languages": {}}, "language", "elven", []),
        ({"native": ("elven",)}, "language", "elven", [LANGUAGE]),
        ({"talents": {"toughness": 8}}, "talent", "toughness", []),
        ({"talents": {"toughness": 9}}, "talent", "toughness", [REPEAT]),
        ({}, "talent", "toughness", []),
        ({"STR": "r12", "skills": {"athletics": 4}}, "talent", "weightlifter", [NEEDS]),
        ({"STR": "r14", "skills": {"athletics": 4}}, "talent", "weightlifter", []),
        ({"STR": "r14"}, "talent", "weightlifter", [NEEDS]),
        ({"STR": "r10", "skills": {"athletics": 8}}, "skill", "athletics", []),
        ({"STR": "r10", "skills": {"athletics": 10}}, "skill", "athletics", [SKILL]),
    ],
)
def test_the_last_step_that_can_be_bought(fields: dict[str, Any], what: Any, name: str, rules: list[str]) -> None:
    given: dict[str, Any] = {
        key: {one: RollValue(n) for one, n in value.items()} if key in ("languages", "skills") else value
        for key, value in fields.items()
    }
    one = somebody(**given)
    assert [rule for _, rule in beyond(one, what, name, OPTIONS, library())] == rules


@pytest.mark.rule("mars.advancement.complex_first_step", "mars.advancement.skill_cost")
def test_the_steps_of_a_skill() -> None:
    assert [next_step(value) for value in (0, 2, 4, 6, 18)] == [4, 4, 6, 8, 20]


@pytest.mark.rule("mars.advancement.checkpoints")
@pytest.mark.parametrize(("experience", "reached"), [(0, 0), (49, 0), (50, 1), (99, 1), (100, 2), (399, 7), (400, 8)])
def test_a_checkpoint_every_fifty_points(experience: int, reached: int) -> None:
    assert checkpoints_reached(experience) == reached


def sheet_text(character: MarsCharacter) -> str:
    """The sheet of a character on a wide page."""
    return shown_as_text(sheet(character, OPTIONS, library()), 200)


def problems(**changes: Any) -> list[str]:
    """The rules that the reference character breaks with some changes."""
    return [violation.rule for violation in legality(person("fighter", **changes), OPTIONS, library()).violations]


@pytest.mark.rule("mars.advancement.checkpoints", "mars.advancement.tracking")
@pytest.mark.parametrize(
    ("experience", "checkpoints", "rules"),
    [
        (0, (), []),
        (50, ("STR",), []),
        (49, ("STR",), ["mars.advancement.checkpoints"]),
        (150, ("STR", "STR", "DEX"), []),
        (150, ("STR", "STR", "STR"), ["mars.advancement.checkpoints"]),
        (100, ("STR", "STR"), []),
    ],
)
def test_checkpoints_that_were_reached(experience: int, checkpoints: tuple[str, ...], rules: list[str]) -> None:
    assert problems(experience=experience, checkpoints=checkpoints) == rules


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.tracking")
@pytest.mark.parametrize(
    ("experience", "opportunity", "when", "cost", "rules"),
    [
        (4, 1, 1, 4, []),
        (5, 2, 1, 4, []),
        (3, 1, 1, 4, ["mars.advancement.tracking"]),
        (4, 0, 1, 4, ["mars.advancement.spending"]),
        (9, 1, 1, 3, ["mars.advancement.skill_cost"]),
        (9, 1, 1, 5, ["mars.advancement.skill_cost"]),
    ],
)
def test_purchases_were_paid_for_in_time(
    experience: int, opportunity: int, when: int, cost: int, rules: list[str]
) -> None:
    skills = Frozen({**person("fighter").skills, "athletics": RollValue(8)})
    bought = (Advance(what="skill", name="athletics", cost=cost, opportunity=when),)
    found = problems(experience=experience, opportunity=opportunity, advances=bought, skills=skills)
    assert found == rules


@pytest.mark.rule("mars.character.trait")
@pytest.mark.parametrize(
    ("traits", "legal"),
    [
        ((OwnTrait(id="eidetic_memory"),), True),
        ((OwnTrait(name="Lucky"),), True),
        ((OwnTrait(text="falls on her feet"),), True),
        ((OwnTrait(name=" ", text=" "),), False),
        ((), False),
        ((OwnTrait(name="Lucky"), OwnTrait(name="Bold")), False),
    ],
)
def test_a_character_has_one_trait_with_some_name(traits: tuple[OwnTrait, ...], legal: bool) -> None:
    assert problems(traits=traits) == ([] if legal else ["mars.character.trait"])


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


@pytest.mark.rule("mars.character.trait", "mars.gap.trait.list")
def test_the_sheet_names_traits_talents_and_weapons() -> None:
    own = person("fighter", traits=(OwnTrait(id="eidetic_memory"), OwnTrait(name="Lucky", text="dice love her")))
    used = own.changed(wounds=own.wounds.changed(used=Ranks({"toughness": 2})))
    text = sheet_text(used)
    assert "Eidetic Memory" in text
    assert "Whatever was seen once" in text
    assert "Lucky" in text
    assert "dice love her" in text
    assert "used 2 since the last long rest" in text
    assert "since the last long rest" not in sheet_text(own)
    renamed = sheet_text(
        person("fighter", traits=(OwnTrait(id="eidetic_memory", name="Ledger", text="never forgets"),))
    )
    assert "Ledger" in renamed
    assert "never forgets" in renamed
    assert "Eidetic Memory" not in renamed
    assert "Dagger (2)" in sheet_text(person("rogue", belongings=(ItemStack("dagger", 2, place="hand"),)))
    assert "Dagger (" not in sheet_text(person("assassin"))
    assert "Unarmed" in text


@pytest.mark.rule("mars.gap.fatigue.degrees", "mars.effect.sickness_daily", "mars.effect.sickness_end")
@pytest.mark.parametrize(("ago", "due"), [(0, 24), (6, 18), (23, 1), (-3, 24)])
def test_a_day_goes_on_where_it_was_left(ago: int, due: int) -> None:
    one = person("fighter", day=Day(reckoned_at=-3600 * ago))
    tiring = scene_of({"ann": one}, MarsOptions(fatigue="on"))
    assert tiring.clock.left("day", who="ann") == due * 3600
    assert scene_of({"ann": one}).clock.left("day", who="ann") is None
    assert scene_of({"ann": person("wolf")}, MarsOptions(fatigue="on")).clock.left("day", who="ann") is None


@pytest.mark.rule("mars.gap.fatigue.degrees", "mars.effect.sickness_daily", "mars.effect.sickness_end")
def test_a_day_or_a_sickness_that_is_over_falls_due_at_once() -> None:
    late = person("fighter", day=Day(reckoned_at=-24 * 3600))
    assert scene_of({"ann": late}, MarsOptions(fatigue="on")).clock.left("day", who="ann") == 1
    for left, due in ((0, 1), (1, 1), (2, 2), (3600, 3600)):
        ill = person("fighter", wounds=Wounds(effects=(MarsEffect("sickness", degree=1, source="flu", left=left),)))
        assert scene_of({"ann": ill}).clock.left("sickness", who="ann") == due
    well = person("fighter", wounds=Wounds(effects=(MarsEffect("sickness", degree=1, source="curse"),)))
    assert scene_of({"ann": well}).clock.left("sickness", who="ann") is None


@pytest.mark.rule("mars.talent.repeat_cost", "mars.character.archetype")
def test_a_talent_of_the_archetype_may_not_be_missing() -> None:
    found = legality(person("fighter", talents={"extra_maneuver": 1}), OPTIONS, library())
    assert ("talents.toughness", "mars.talent.repeat_cost") in [(one.where, one.rule) for one in found.violations]


@pytest.mark.rule("mars.advancement.spending")
def test_nobody_was_made_with_less_than_nothing() -> None:
    bought = tuple([Advance(what="stat", name="STR", cost=8, opportunity=number) for number in range(1, 6)])
    one = person("fighter")
    stats = one.stats.model_copy(update={"STR": RollValue(8)})
    assert RollValue(0) == as_made(one.changed(stats=stats, advances=bought)).stats.STR
