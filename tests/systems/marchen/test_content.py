"""The starter pack row by row: against the ledger, and in use."""

from __future__ import annotations

from typing import get_args

import pytest

from each_case import each_case
from systems.marchen.people import OPTIONS, book, data, library, options, plan, somebody, template, together, total
from tablewright.engine import odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.character.figures import armour as armour_of
from tablewright.systems.marchen.character.figures import damage_dice, figures
from tablewright.systems.marchen.content import Armour, Career, Gear, Skill, Weapon, item_of
from tablewright.systems.marchen.mechanics.dice import DIFFICULTIES, Difficulty
from tablewright.systems.marchen.situations import descriptor, find_tasks, stems, task_of
from tablewright.systems.marchen.values import SKILLS, SkillId

GENERIC = ("engineering", "insight", "traditions", "style")


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
    plain = total(somebody(**{entry.aspect: 1, entry.characteristic: 2}), skill)
    trained = total(somebody(**{entry.aspect: 1, entry.characteristic: 2}, skills={skill: 1}), skill)
    assert (plain, trained) == (1 + 2 - 3, 1 + 2 + 1)
    for rating, tasks in entry.tasks.items():
        for task in tasks:
            call = plan(somebody(skills={skill: 1}), skill, task=task).call
            assert call.named_arguments()["difficulty"] == rating


@pytest.mark.rule("marchen.skill.task_tables", "marchen.difficulty.descriptors")
def test_skills_without_tasks_have_the_meaning_of_the_difficulty() -> None:
    found = data("marchen.skill.task_tables")
    bare = [skill for skill in SKILLS if not library().get(Skill, skill).tasks]
    assert set(bare) == {*found["no_specific_task"], *found["no_table"]}
    meanings = data("marchen.difficulty.descriptors")
    for rating in DIFFICULTIES:
        assert descriptor(rating) == meanings[rating]
    assert library().get(Skill, "athletics").tasks["heroic"] == ("climb a sheer surface",)


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


def test_words_of_tasks() -> None:
    assert stems("Climbing stories, ropes and swimming") == ("climb", "story", "rop", "swim")
    assert task_of("pick pockets on a busy street", "sleight_of_hand", library()).difficulty == "average"
    with pytest.raises(InvalidInputError, match="no sample task"):
        task_of("xyzzy", "athletics", library())


@pytest.mark.rule("marchen.skill.task_tables")
def test_words_that_fit_several_tasks_are_asked_about() -> None:
    with pytest.raises(
        InvalidInputError, match=r"easy: pick a simple lock; average: pick a regular lock; .*; say more"
    ):
        task_of("pick a lock", "sleight_of_hand", library())
    assert task_of("pick a simple lock", "sleight_of_hand", library()).difficulty == "easy"
    assert task_of("jump", "athletics", library()).difficulty == "routine", "all that fit are as hard"


@pytest.mark.rule("marchen.skill.task_tables")
@each_case("skill", library().of(Skill))
def test_every_task_is_found_by_its_own_words(skill: Skill) -> None:
    for difficulty, tasks in skill.tasks.items():
        assert [task_of(task, skill.id, library()).difficulty for task in tasks] == [difficulty] * len(tasks)
    with pytest.raises(InvalidInputError, match="no sample task"):
        plan(somebody(), "insight", task="lie")


@pytest.mark.rule("marchen.skill.specialization_scope")
def test_the_same_name_under_two_skills_is_two_specializations() -> None:
    for name, skills in data("marchen.skill.specialization_scope")["shared"].items():
        for skill in skills:
            listed = [
                one.casefold().replace("-", "_").replace(" ", "_")
                for one in library().get(Skill, skill).specializations
            ]
            assert listed.count(name) == 1
    thief = somebody(skills={"sleight_of_hand": 1, "engineering": 1}, specials=[("sleight_of_hand", "Lockpicking", 2)])
    assert total(thief, "sleight_of_hand", specialization="Lockpicking") == 3
    assert total(thief, "engineering", specialization="Lockpicking") == 1
    own = somebody(skills={"insight": 1}, specials=[("insight", "Reading Dragons", 1)])
    assert total(own, "insight", specialization="reading dragons") == 2


@pytest.mark.rule("marchen.gap.weapon.list")
@each_case("id_", list(data("marchen.gap.weapon.list")))
def test_weapons(id_: str) -> None:
    row, weapon = data("marchen.gap.weapon.list")[id_], library().get(Weapon, id_)
    assert (weapon.tl, weapon.dice, weapon.band, weapon.skill) == (row["tl"], row["dice"], row["band"], row["skill"])
    assert (weapon.reach, weapon.thrown) == (row.get("reach", 0), row.get("thrown"))
    assert weapon.tier == {1: 1, 2: 2, 3: 3}.get(weapon.dice, 5)
    armed = somebody(skills={weapon.skill: 1}, belongings=() if weapon.natural else (ItemStack(id_, place="hand"),))
    shown = book().sheet(armed, OPTIONS, library())
    rows = {str(line[0]): line for section in shown.sections if section.title == "Weapons" for line in section.rows}
    assert str(rows[weapon.name][2]).startswith(f"{row['dice']}D6")


@pytest.mark.rule("marchen.gap.weapon.cudgel")
@pytest.mark.parametrize("dice", [2, 3])
def test_the_cudgel(dice: int) -> None:
    cudgel, sword = library().get(Weapon, "cudgel"), library().get(Weapon, "sword")
    assert damage_dice(cudgel, options(cudgel_dice=dice)) == dice
    assert damage_dice(sword, options(cudgel_dice=dice)) == 3
    assert OPTIONS.cudgel_dice == 3


@pytest.mark.rule("marchen.gap.armour.list")
@each_case("id_", list(data("marchen.gap.armour.list")))
def test_armour(id_: str) -> None:
    row, entry = data("marchen.gap.armour.list")[id_], library().get(Armour, id_)
    assert (entry.tl, entry.rating, entry.parry) == (row["tl"], row["rating"], row.get("parry", 0))
    place = "hand" if entry.shield else "worn"
    worn = somebody(belongings=(ItemStack(id_, place=place),))
    assert armour_of(worn, "physical", OPTIONS, library()).total == row["rating"]
    stowed = somebody(belongings=(ItemStack(id_),))
    assert armour_of(stowed, "physical", OPTIONS, library()).total == 0
    broken = somebody(belongings=(ItemStack(id_, place=place, left=0),))
    assert armour_of(broken, "physical", OPTIONS, library()).total == 0


@pytest.mark.rule("marchen.gap.belongings.market", "marchen.gap.belongings.hands")
@each_case("id_", list(data("marchen.gap.belongings.market")))
def test_prices_and_grips_of_items(id_: str) -> None:
    row, item = data("marchen.gap.belongings.market")[id_], item_of(id_, library())
    assert (item.price, item.two_handed) == (row.get("price"), row.get("two_handed", False))
    session = together(somebody(treasure=20))
    if item.price is None:
        with pytest.raises(IllegalActionError, match="not for sale"):
            session.do("marchen.buy", who="ann", item=id_)
        return
    session.do("marchen.buy", who="ann", item=id_)
    assert session.scene["ann"].character.treasure == 20 - row["price"]
    session.do("marchen.sell", who="ann", item=id_)
    assert session.scene["ann"].character.treasure == 20 - row["price"] + row["price"] // 2
    if isinstance(item, Gear):
        assert (item.tl, item.helps) == (row["tl"], tuple(row.get("helps", ())))
    if isinstance(item, Armour):
        assert item.points == next(points for most, points in ((3, 1), (6, 2), (9, 3), (99, 5)) if item.rating <= most)
    if isinstance(item, Weapon):
        other = somebody(belongings=(ItemStack(id_, place="hand"), ItemStack("shield")))
        held = together(other)
        if row.get("two_handed"):
            with pytest.raises(IllegalActionError, match="no room"):
                held.do("marchen.draw", who="ann", item="shield")
        else:
            held.do("marchen.draw", who="ann", item="shield")


@pytest.mark.rule("marchen.gap.career.list")
@pytest.mark.parametrize("id_", list(data("marchen.gap.career.list")))
def test_careers(id_: str) -> None:
    row, career = data("marchen.gap.career.list")[id_], library().get(Career, id_)
    assert (career.key, career.skills) == (row["key"], tuple(row["skills"]))
    assert (career.spiritual, career.one_of) == (row.get("spiritual", 0), tuple(row.get("one_of", ())))
    assert len(career.skills) + career.spiritual + bool(career.one_of) == 6
    assert career.connections


@pytest.mark.rule("marchen.modifier.circumstance")
@each_case("gear", [entry for entry in library().of(Gear) if entry.helps])
def test_tools_are_a_help_for_what_they_are_made_for(gear: Gear) -> None:
    owner = somebody(belongings=(ItemStack(gear.id),))
    for skill in gear.helps:
        assert total(owner, skill, tools=gear.id) == total(owner, skill) + 1
    other = next(skill for skill in SKILLS if skill not in gear.helps)
    assert total(owner, other, tools=gear.id) == total(owner, other)


def test_people_of_the_pack_are_within_the_rules_and_whole() -> None:
    for kind in book().character_kinds:
        for entry in library().of(kind):
            character = book().character_of(entry.id, library())
            assert book().legality(character, OPTIONS, library()).explain() == "within the rules"
    assert len(library().of("templates")) == 6
    assert len(library().of("creatures")) >= 6
    assert figures(template("soldier"), OPTIONS).thresholds["physical"] == 21


def test_things_are_found_by_id_whatever_they_are() -> None:
    assert [item_of(id_, library()).name for id_ in ("sword", "mail", "rope")] == ["Sword", "Mail", "Rope and hooks"]
    with pytest.raises(InvalidInputError, match="gear"):
        item_of("swrd", library())


@each_case("rating", get_args(Difficulty))
def test_a_sample_task_has_the_odds_of_its_difficulty(rating: Difficulty) -> None:
    climber = somebody(muscle=2, skills={"athletics": 1})
    (task, *_) = library().get(Skill, "athletics").tasks[rating]
    named = odds(plan(climber, "athletics", task=task).call)
    assert named == odds(plan(climber, "athletics", difficulty=rating).call)


def test_at_most_a_dozen_tasks_are_told() -> None:
    assert len(find_tasks("combat", library())) == 12  # every task of three skills has the word
    assert len(find_tasks("sheer", library())) == 2


def _purses(terms: int, rank: int, connections: int) -> set[int]:
    """Treasure possible after some terms with a rank and a number of connections."""
    found = {(0, 3, 0)}  # rank, Treasure, connections
    for _ in range(terms):
        after = set()
        for reached, treasure, known in found:
            after.add((reached, treasure, known))  # a costly term brings nothing
            for now in (reached, reached + 1):  # a plain failure and a success
                after |= {(now, treasure + 2 + now, known), (now, treasure, known + 1)}
        found = after
    return {treasure for reached, treasure, known in found if (reached, known) == (rank, connections)}


@pytest.mark.rule("marchen.gap.career.benefits", "marchen.gap.career.muster_out")
@pytest.mark.parametrize("name", ["soldier", "hunter", "healer", "mystic", "courtier", "rogue"])
def test_templates_own_what_their_careers_can_have_brought(name: str) -> None:
    one = template(name)
    (served,) = one.careers
    gear = [(library().get(Gear, item.item), item.count) for item in one.belongings if library().has(Gear, item.item)]
    spent = sum([(item.price or 0) * count for item, count in gear if item.id != "clothing"])
    assert set(one.connections.values()) == {1}
    assert one.treasure + spent in _purses(served.terms, served.rank, len(one.connections))
