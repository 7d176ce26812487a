"""The starter pack row by row: against the ledger, and in use."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from each_case import each_case
from systems.marchen.acts import ann, why_not
from systems.marchen.people import OPTIONS, book, data, library, options, plan, somebody, together, total
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.character.figures import armour as armour_of
from tablewright.systems.marchen.character.figures import damage_dice
from tablewright.systems.marchen.content import Armour, Gear, Skill, Weapon, item_of
from tablewright.systems.marchen.mechanics.dice import DIFFICULTIES
from tablewright.systems.marchen.situations import descriptor, find_tasks, stems, task_of
from tablewright.systems.marchen.values import SKILLS, SkillId

RULES = {
    "ranged_combat": pytest.mark.rule("marchen.skill.ranged_combat"),
    "athletics": pytest.mark.rule("marchen.skill.athletics"),
    "melee_combat": pytest.mark.rule("marchen.skill.melee_combat"),
    "stealth": pytest.mark.rule("marchen.skill.stealth"),
    "acrobatics": pytest.mark.rule("marchen.skill.acrobatics"),
    "sleight_of_hand": pytest.mark.rule("marchen.skill.sleight_of_hand"),
    "drive_ride_pilot": pytest.mark.rule("marchen.skill.drive_ride_pilot"),
    "ruggedness": pytest.mark.rule("marchen.skill.ruggedness"),
    "unarmed_combat": pytest.mark.rule("marchen.skill.unarmed_combat"),
    "social_sciences": pytest.mark.rule("marchen.skill.social_sciences"),
    "life_sciences": pytest.mark.rule("marchen.skill.life_sciences"),
    "physical_sciences_survival": pytest.mark.rule("marchen.skill.physical_sciences_survival"),
    "engineering": pytest.mark.rule("marchen.skill.engineering"),
    "insight": pytest.mark.rule("marchen.skill.insight"),
    "investigation": pytest.mark.rule("marchen.skill.investigation"),
    "traditions": pytest.mark.rule("marchen.skill.traditions"),
    "perception": pytest.mark.rule("marchen.skill.perception"),
    "formal_sciences": pytest.mark.rule("marchen.skill.formal_sciences"),
    "style": pytest.mark.rule("marchen.skill.style"),
    "performance": pytest.mark.rule("marchen.skill.performance"),
    "etiquette": pytest.mark.rule("marchen.skill.etiquette"),
    "deception": pytest.mark.rule("marchen.skill.deception"),
    "persuasion": pytest.mark.rule("marchen.skill.persuasion"),
    "intimidation": pytest.mark.rule("marchen.skill.intimidation"),
    "bureaucracy": pytest.mark.rule("marchen.skill.bureaucracy"),
    "animal_handling": pytest.mark.rule("marchen.skill.animal_handling"),
    "leadership": pytest.mark.rule("marchen.skill.leadership"),
    "arcana": pytest.mark.rule("marchen.skill.arcana"),
    "gnosis": pytest.mark.rule("marchen.skill.gnosis"),
    "chaos": pytest.mark.rule("marchen.skill.chaos"),
    "theurgy": pytest.mark.rule("marchen.skill.theurgy"),
    "adept": pytest.mark.rule("marchen.skill.adept"),
    "order": pytest.mark.rule("marchen.skill.order"),
    "metaphysics": pytest.mark.rule("marchen.skill.metaphysics"),
    "animism": pytest.mark.rule("marchen.skill.animism"),
    "shamanism": pytest.mark.rule("marchen.skill.shamanism"),
}


@pytest.mark.parametrize("skill", [pytest.param(skill, marks=RULES[skill]) for skill in SKILLS])
def test_every_skill_is_as_the_book_has_it_and_can_be_checked(skill: SkillId) -> None:
    row, entry = data(f"marchen.skill.{skill}"), library().get(Skill, skill)
    assert (entry.aspect, entry.characteristic) == (row["aspect"], row["characteristic"])
    assert entry.specializations == tuple(row["specializations"])
    assert {rating: tuple(tasks) for rating, tasks in entry.tasks.items()} == {
        rating: tuple(tasks) for rating, tasks in row["tasks"].items()
    }
    assert entry.requires == row.get("requires", "")
    assert entry.archetypes == tuple(row.get("archetypes", ()))
    scores = {entry.aspect: 1, entry.characteristic: 2}
    trained = somebody(**scores, skills={skill: 1})
    assert (total(somebody(**scores), skill), total(trained, skill)) == (1 + 2 - 3, 1 + 2 + 1)
    for rating, tasks in entry.tasks.items():
        for task in tasks:
            assert plan(trained, skill, task=task).call.named_arguments()["difficulty"] == rating


@pytest.mark.rule("marchen.skill.task_tables", "marchen.difficulty.descriptors")
def test_skills_without_tasks_have_the_meaning_of_the_difficulty() -> None:
    found = data("marchen.skill.task_tables")
    bare = [skill for skill in SKILLS if not library().get(Skill, skill).tasks]
    assert set(bare) == {*found["no_specific_task"], *found["no_table"]}
    assert {rating: descriptor(rating) for rating in DIFFICULTIES} == dict(data("marchen.difficulty.descriptors"))


@pytest.mark.rule("marchen.skill.task_tables", "marchen.skill.athletics")
def test_difficulty_of_a_sheer_wall() -> None:
    first, second = find_tasks("What difficulty is climbing a sheer wall?", library())  # and nothing less fitting
    assert (first.skill, first.difficulty, second.difficulty) == ("athletics", "formidable", "heroic")
    assert "lower rating is for a wall" in first.ruling
    session = together(somebody(), core="3d6")
    session.do("marchen.look_up", words="sheer wall")
    told = session.log[-1].narrate()  # type: ignore[union-attr]
    assert "Formidable (-7): climb a sheer wall, with Athletics" in told
    assert "Heroic (-9): climb a sheer surface" in told
    session.do("marchen.look_up", words="xyzzy")
    assert "Godly (-13)" in session.log[-1].narrate()  # type: ignore[union-attr]
    assert len(find_tasks("combat", library())) == 12  # at most a dozen: every task of three skills has the word


@pytest.mark.rule("marchen.skill.task_tables")
def test_words_that_fit_several_tasks_are_asked_about() -> None:
    assert stems("Climbing stories, ropes and swimming") == ("climb", "story", "rop", "swim")
    for words, match in (
        ("xyzzy", "no sample task"),
        ("pick a lock", r"easy: pick a simple lock; average: pick a regular lock; .*; say more"),
    ):
        with pytest.raises(InvalidInputError, match=match):
            task_of(words, "sleight_of_hand", library())
    assert task_of("pick a simple lock", "sleight_of_hand", library()).difficulty == "easy"
    assert task_of("jump", "athletics", library()).difficulty == "routine", "all that fit are as hard"
    with pytest.raises(InvalidInputError, match="no sample task"):
        plan(somebody(), "insight", task="lie")


@pytest.mark.rule("marchen.gap.weapon.list", "marchen.gap.weapon.cudgel")
@each_case("id_", list(data("marchen.gap.weapon.list")))
def test_weapons(id_: str) -> None:
    row, weapon = data("marchen.gap.weapon.list")[id_], library().get(Weapon, id_)
    assert (weapon.tl, weapon.dice, weapon.band, weapon.skill) == (row["tl"], row["dice"], row["band"], row["skill"])
    assert (weapon.reach, weapon.thrown) == (row.get("reach", 0), row.get("thrown"))
    assert weapon.tier == {1: 1, 2: 2, 3: 3}.get(weapon.dice, 5)
    for dice in (2, 3):
        assert damage_dice(weapon, options(cudgel_dice=dice)) == (dice if id_ == "cudgel" else weapon.dice)
    armed = somebody(skills={weapon.skill: 1}, belongings=() if weapon.natural else (ItemStack(id_, place="hand"),))
    (table,) = [part for part in book().sheet(armed, OPTIONS, library()).sections if part.title == "Weapons"]
    rows = {str(line[0]): line for line in table.rows}
    assert str(rows[weapon.name][2]).startswith(f"{row['dice']}D6")


@pytest.mark.rule("marchen.gap.armour.list")
@each_case("id_", list(data("marchen.gap.armour.list")))
def test_armour(id_: str) -> None:
    row, entry = data("marchen.gap.armour.list")[id_], library().get(Armour, id_)
    assert (entry.tl, entry.rating, entry.parry) == (row["tl"], row["rating"], row.get("parry", 0))
    place = "hand" if entry.shield else "worn"
    whole, stowed, broken = ItemStack(id_, place=place), ItemStack(id_), ItemStack(id_, place=place, left=0)
    for held, rating in ((whole, row["rating"]), (stowed, 0), (broken, 0)):
        assert armour_of(somebody(belongings=(held,)), "physical", OPTIONS, library()).total == rating


@pytest.mark.rule("marchen.gap.belongings.market", "marchen.gap.belongings.hands")
@each_case("id_", list(data("marchen.gap.belongings.market")))
def test_prices_and_grips_of_items(id_: str) -> None:
    row, item = data("marchen.gap.belongings.market")[id_], item_of(id_, library())
    assert (item.price, item.two_handed) == (row.get("price"), row.get("two_handed", False))
    session = together(somebody(treasure=20))
    if item.price is None:
        assert "not for sale" in why_not(session, "buy", who="ann", item=id_)
        return
    for process, treasure in (("buy", 20 - row["price"]), ("sell", 20 - row["price"] + row["price"] // 2)):
        session.do(f"marchen.{process}", who="ann", item=id_)
        assert ann(session).treasure == treasure
    if isinstance(item, Gear):
        assert (item.tl, item.helps) == (row["tl"], tuple(row.get("helps", ())))
    if isinstance(item, Armour):
        assert item.points == next(points for most, points in ((3, 1), (6, 2), (9, 3), (99, 5)) if item.rating <= most)
    if isinstance(item, Weapon):
        held = together(somebody(belongings=(ItemStack(id_, place="hand"), ItemStack("shield"))))
        if row.get("two_handed"):
            assert "no room" in why_not(held, "draw", who="ann", item="shield")
        else:
            held.do("marchen.draw", who="ann", item="shield")


@pytest.mark.rule("marchen.modifier.circumstance")
@each_case("gear", [entry for entry in library().of(Gear) if entry.helps])
def test_tools_are_a_help_for_what_they_are_made_for(gear: Gear) -> None:
    owner = somebody(belongings=(ItemStack(gear.id),))
    for skill in gear.helps:
        assert total(owner, skill, tools=gear.id) == total(owner, skill) + 1
    other = next(skill for skill in SKILLS if skill not in gear.helps)
    assert total(owner, other, tools=gear.id) == total(owner, other)


def test_people_of_the_pack_are_within_the_rules_and_things_are_found_by_id() -> None:
    for kind in book().character_kinds:
        for entry in library().of(kind):
            character = book().character_of(entry.id, library())
            assert book().legality(character, OPTIONS, library()).explain() == "within the rules"
    assert [item_of(id_, library()).name for id_ in ("sword", "mail", "rope")] == ["Sword", "Mail", "Rope and hooks"]
    with pytest.raises(InvalidInputError, match="gear"):
        item_of("swrd", library())


@pytest.mark.rule("marchen.skill.tree")
def test_a_pack_cannot_move_a_skill_to_another_characteristic() -> None:
    athletics = library().get(Skill, "athletics").model_dump()
    assert Skill.model_validate(athletics).id == "athletics"
    for wrong in ({"aspect": "social"}, {"characteristic": "agility"}):
        with pytest.raises(ValidationError, match="athletics belongs to physical and muscle"):
            Skill.model_validate(athletics | wrong)
