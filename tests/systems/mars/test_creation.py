"""Making characters: step by step and back, the reference character, closed options, at random, origins as listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.mars.people import LEDGER, OPTIONS, from_text, library, making, person, random_character
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import character_text
from tablewright.game.character.creation import CharacterCreation
from tablewright.systems.mars.character.figures import (
    armour_penalty,
    armour_rating,
    attack,
    capacity,
    damage,
    damage_reduction,
    encumbrance,
    is_trained,
    load_carried,
    maximum,
    secondary,
    skill,
    stat,
)
from tablewright.systems.mars.character.gear import item
from tablewright.systems.mars.character.record import MarsCharacter, OwnTrait
from tablewright.systems.mars.content import (
    COMBAT_SKILLS,
    RESOURCES,
    STATS,
    Ammunition,
    Ancestry,
    Archetype,
    Armour,
    Background,
    Trait,
    Weapon,
)
from tablewright.systems.mars.creation import STEPS, _for_sale, on_sale, starting_kit
from tablewright.systems.mars.legality import legality, slots_for
from tablewright.systems.mars.values import RollValue

REFERENCE = {
    "which ancestry?": "human",
    "which size?": "medium",
    "which stat gets +1?": ["STR", "DEX"],
    "which other language?": "dwarven",
    "which background?": "soldier",
    "which skill gets +1 from being Human?": "perception",
    "which archetype?": "fighter",
    "which skill at r8?": "martial",
    "which maneuver of martial?": ["heavy_strike", "knock_down", "brace"],
    "which trait?": "efficient_sleeper",
    "which stat starts at r12?": "STR",
    "which stat starts at r8?": "INT",
    "what drives the character?": "protect",
    "buy what?": ["padded", "straight_sword", "small_shield", "done"],
}


def answered(making_: CharacterCreation[MarsCharacter], answers: dict[str, Any]) -> CharacterCreation[MarsCharacter]:
    """Answer question after question as far as there are answers."""
    waiting = {question: [given] if isinstance(given, str) else list(given) for question, given in answers.items()}
    while isinstance(making_.question, Choice) and waiting.get(making_.question.question):
        making_.answer(waiting[making_.question.question].pop(0))
    return making_


def reference() -> MarsCharacter:
    return answered(making(name="Aldith"), REFERENCE).result


def check_reference(one: MarsCharacter) -> None:
    """Every figure that the gaps file prints."""
    expect = LEDGER["mars.gap.character.reference"].examples[0]["expect"]
    lib = library()
    sword, shield = lib.get(Weapon, "straight_sword"), lib.get(Armour, "small_shield")
    assert {name: maximum(one, name, lib).total for name in RESOURCES} == {name: expect[name] for name in RESOURCES}
    assert one.money == expect["money"]
    assert (armour_rating(one, lib).total, damage_reduction(one, lib).total) == (expect["AR"], expect["DR"])
    assert armour_penalty(one, lib).total == 0
    assert [carried.item for carried in one.belongings[:3]] == ["padded", "straight_sword", "small_shield"]
    assert [lib.get(Armour, "padded").price, sword.price, shield.price] == [20, 5, 15]
    for name in ("INIT", "DEF", "EVA", "FORT", "WILL"):
        assert str(secondary(one, name, lib).value) == expect[name]
    assert str(attack(one, sword, lib).value) == expect["attack"]
    assert str(damage(one, sword, lib).value) == expect["damage"]
    assert sword.critical == expect["critical"]
    assert list(sword.types) == ["piercing", "slashing"]
    assert str(sword.features.parry) == "r6"
    assert sword.features.parry is not None
    parried = RollValue.merge([secondary(one, "DEF", lib).value, sword.features.parry])
    assert str(parried) == expect["parry"]
    assert (shield.block, shield.durability) == (expect["block"], expect["durability"])
    for name in ("athletics", "medicine", "perception"):
        assert str(skill(one, name, lib).value) == expect[name]
    assert capacity(one, lib).total == expect["light"] * 1000
    assert capacity(one, lib, heavy=True).total == expect["heavy"] * 1000
    assert len(slots_for(one, lib)) == 3
    assert legality(one, OPTIONS, lib).ok


@pytest.mark.rule("mars.gap.character.reference", "mars.character.creation")
def test_the_reference_character_step_by_step() -> None:
    made = reference()
    check_reference(made)
    assert [str(stat(made, name, library()).value) for name in STATS] == ["r12+1", "r10+1", "r8", "r10"]
    assert made.maneuvers == ("heavy_strike", "knock_down", "brace")
    assert [carried.place for carried in made.belongings[:3]] == ["worn", "hand", "hand"]


@pytest.mark.rule("mars.gap.character.reference")
def test_the_reference_character_from_a_file() -> None:
    check_reference(person("fighter"))
    check_reference(from_text(character_text(reference())))


@pytest.mark.rule("mars.character.trait", "mars.character.motivation")
@pytest.mark.parametrize(
    ("said", "own"),
    [
        (None, OwnTrait(name="Trait", text="perfect pitch")),
        ("Never lost a bet", OwnTrait(name="Trait", text="Never lost a bet")),
        ("Efficient_Sleeper", OwnTrait(id="efficient_sleeper")),
    ],
)
def test_a_trait_is_chosen_or_told_in_own_words(said: str | None, own: OwnTrait) -> None:
    given = {} if said else {"motivation": "To sing at court.", "trait": "perfect pitch"}
    unasked = ("which trait?", "what drives the character?")
    answers = {name: answer for name, answer in REFERENCE.items() if said or name not in unasked}
    made = answered(making(name="Ann", **given), answers | ({"which trait?": said} if said else {})).result
    assert made.traits == (own,)
    assert (made.motivation == "To sing at court.") is (said is None)
    assert legality(made, OPTIONS, library()).ok


@pytest.mark.rule("mars.character.creation")
def test_the_steps_come_in_the_order_of_the_book() -> None:
    one = making(name="Ann")
    seen = []
    for question, given in REFERENCE.items():
        for option in [given] if isinstance(given, str) else given:
            assert one.step is not None
            seen.append(one.step.id)
            one.answer(option)
        assert question
    assert list(dict.fromkeys(seen)) == [step.id for step in STEPS]
    book = LEDGER["mars.character.creation"].data["steps"]
    assert tuple([step.id for step in STEPS]) == tuple(book[:-1])


@pytest.mark.rule("mars.equipment.starting_money")
def test_there_are_fifty_units_to_spend() -> None:
    one = answered(making(name="Ann", motivation="x"), {**REFERENCE, "buy what?": []})
    assert one.budget is not None
    assert (one.budget.total, one.budget.left) == (500, 500)  # in tenths
    closed = {shut.id: shut for shut in one.closed}
    assert closed["chainmail"].reason == "costs 65, 15 more than is left"
    assert closed["chainmail"].rule == "mars.equipment.starting_money"
    one.answer("segmented")
    assert one.budget.left == 50
    with pytest.raises(IllegalActionError, match="costs 10, 5 more than is left"):
        one.answer("mace")
    one.answer("straight_sword")  # nothing is left, and nothing is asked any more
    assert one.result.money == 0


@pytest.mark.rule("mars.character.starting_stats", "mars.character.archetype")
def test_stats_that_an_archetype_needs_cannot_be_left_low() -> None:
    answers = {
        "which ancestry?": "human",
        "which size?": "medium",
        "which stat gets +1?": ["STR", "INT"],
        "which other language?": "orc",
        "which background?": "farmer",
        "which skill gets +1 from being Human?": "craft",
        "which archetype?": "magister",
        "which trait?": "arcane_bond",
        "which stat starts at r12?": "STR",
    }
    one = answered(making(name="Ann"), answers)
    assert {shut.id for shut in one.closed} == {"STR", "INT"}  # STR has r12, and INT must not fall below r10+1
    with pytest.raises(IllegalActionError, match="Magister needs INT 11"):
        one.answer("INT")
    one.back()
    one.answer("INT")
    assert {shut.id for shut in one.closed} == {"INT"}


@pytest.mark.rule("mars.character.starting_stats")
def test_a_single_possible_stat_is_not_asked() -> None:
    answers = {"which ancestry?": "dwarf", "which background?": "farmer", "which archetype?": "magister"}
    made = answered(
        making(name="Ann", motivation="x", trait="y"),
        {**answers, "which stat starts at r8?": "DEX", "buy what?": "done"},
    ).result
    assert [getattr(made.stats, name).n for name in STATS] == [10, 8, 12, 10]


@pytest.mark.rule("mars.character.archetype")
def test_an_archetype_out_of_reach_is_closed() -> None:
    elf = answered(making(name="Ann"), {"which ancestry?": "elf", "which background?": "farmer"})
    closed = {shut.id: shut for shut in elf.closed}
    assert "berserker" in closed  # STR 12 - 1 is reached, RES 11 not beside it
    assert closed["berserker"].reason == "no starting stats reach STR 11 and RES 11"


@pytest.mark.rule("mars.gap.equipment.starting_kit")
def test_everybody_has_the_starting_kit_for_nothing() -> None:
    data = LEDGER["mars.gap.equipment.starting_kit"].data
    assert load_carried(starting_kit(library()), library()).total == Fraction(str(data["kilograms"])) * 1000
    counted = {carried.item: carried.count for carried in reference().belongings}
    assert counted["ration"] == data["rations"]
    assert {"backpack", "bedroll", "clothes", "belt", "gloves", "boots", "flint_and_steel", "waterskin"} <= set(counted)


@pytest.mark.rule("mars.equipment.availability", "mars.equipment.starting_money")
def test_everything_with_a_price_can_be_bought_in_the_beginning_in_bundles() -> None:
    offers = {one.id: (one, price, _for_sale(one, price).label) for one, price in on_sale(library())}
    assert [offers[item][1] for item in ("torch", "belt", "ration")] == [2, 5, 8]
    assert all(Fraction(price, 10) == one.price for one, price, _ in offers.values())
    assert offers["club"][2] == "Club"
    several = {item for item, (one, _, label) in offers.items() if label == f"{one.name} ({one.bundle})"}
    assert several == {"arrow", "bolt", "candles", "ration"}


@pytest.mark.rule("mars.gap.archetype.custom", "mars.talent.requirements")
def test_an_archetype_of_your_own() -> None:
    answers = {
        "which ancestry?": "human",
        "which size?": "medium",
        "which stat gets +1?": ["STR", "RES"],
        "which other language?": "elven",
        "which background?": "custom",
        "which skill gets +1 from being Human?": "contacts",
        "which skill gets +1?": ["craft", "agility"],
        "which archetype?": "custom",
        "which roll values?": "r8/r6/r6/r4/r4",
        "which skill at r8?": "unarmed",
        "which skill at r6?": ["medicine", "craft"],
    }
    one = answered(making(name="Ann", motivation="x", trait="y"), answers)
    closed = {shut.id: shut for shut in one.closed}
    assert "sleight" in closed  # two basic skills are still needed, and two places are left
    assert "2 basic" in closed["sleight"].reason
    one = answered(one, {"which skill at r4?": ["athletics", "charisma"]})
    talents = {shut.id: shut for shut in one.closed}
    assert "deduction" in talents  # perception is not trained
    one.answer("toughness")
    assert "rage" in {shut.id for shut in one.closed}  # costs 8, 4 are left
    one.answer("intimidation")
    made = answered(
        one,
        {
            "which maneuver of unarmed?": ["heavy_strike", "brace"],
            "which stat starts at r12?": "DEX",
            "which stat starts at r8?": "INT",
            "buy what?": "done",
        },
    ).result
    assert made.archetype_spread == (8, 6, 6, 4, 4)
    assert dict(made.talents) == {"intimidation": 1, "toughness": 1}
    assert str(skill(made, "craft", library()).value) == "r14+1"
    assert legality(made, OPTIONS, library()).ok


@pytest.mark.rule("mars.gap.archetype.custom")
def test_toughness_can_be_taken_twice_where_no_other_talent_is_open() -> None:
    answers = {
        "which ancestry?": "elf",
        "which background?": "farmer",
        "which archetype?": "custom",
        "which roll values?": "r6/r6/r6/r6/r6",
        "which skill at r6?": ["agility", "knowledge", "contacts", "craft", "medicine"],
    }
    made = answered(
        making(name="Ann", motivation="x", trait="y"),
        {**answers, "which stat starts at r12?": "DEX", "which stat starts at r8?": "STR", "buy what?": "done"},
    ).result
    assert made.archetype_talents == ("toughness", "toughness")  # nothing else was open, so nothing was asked
    assert maximum(made, "endurance", library()).total == 10 + 6
    assert legality(made, OPTIONS, library()).ok


@pytest.mark.rule("mars.gap.archetype.custom")
def test_two_complex_skills_must_find_room_as_well() -> None:
    answers = {
        "which ancestry?": "dwarf",
        "which background?": "farmer",
        "which archetype?": "custom",
        "which roll values?": "r8/r6/r6/r4/r4",
        "which skill at r8?": "agility",
        "which skill at r6?": ["athletics", "charisma"],
    }
    one = answered(making(name="Ann", motivation="x", trait="y"), answers)
    closed = {shut.id for shut in one.closed}
    assert {"knowledge", "perception"} <= closed
    assert not {"craft", "martial"} & closed


# ---------------------------------------------------------------------- the lists, row by row


@pytest.mark.rule("mars.gap.ancestry.list", "mars.character.ancestry")
@pytest.mark.parametrize("name", LEDGER["mars.gap.ancestry.list"].data)
def test_every_ancestry_changes_stats_as_listed(name: str) -> None:
    row, entry = LEDGER["mars.gap.ancestry.list"].data[name], library().get(Ancestry, name)
    one = MarsCharacter(name="X", ancestry=name, size="medium" if "medium" in entry.sizes else entry.sizes[0])
    stats = {each: stat(one, each, library()).value.modifier for each in STATS}
    assert stats == {each: row.get(each, 0) for each in STATS}
    assert (set(entry.sizes), entry.speed) == (set(row["sizes"]), row["speed"])
    assert entry.choose_stats == row.get("choose_stats", 0)
    assert len(entry.languages) + entry.choose_languages == row["languages"]


@pytest.mark.rule("mars.gap.background.list", "mars.character.background")
@pytest.mark.parametrize("name", LEDGER["mars.gap.background.list"].data)
def test_every_background_gives_two_bonuses(name: str) -> None:
    row, entry = LEDGER["mars.gap.background.list"].data[name], library().get(Background, name)
    chosen = {"commoner": ("agility", "knowledge"), "custom": ("craft", "agility")}.get(name, ())
    one = MarsCharacter(name="X", background=name, background_skills=chosen)
    nobody = MarsCharacter(name="X")
    for each in chosen or row:
        assert skill(one, each, library()).maximum - skill(nobody, each, library()).maximum == 1
    assert sum(entry.skills.values()) + entry.choose == 2
    if name == "commoner":
        assert entry.among == ("basic",)


@pytest.mark.rule("mars.gap.archetype.list", "mars.character.archetype")
@pytest.mark.parametrize("name", LEDGER["mars.gap.archetype.list"].data)
def test_every_archetype_gives_its_skills_talents_and_maneuvers(name: str) -> None:
    row, made = LEDGER["mars.gap.archetype.list"].data[name], person(name)
    entry = library().get(Archetype, name)
    assert {"/".join(slot.any_of): slot.value for slot in entry.skills} == dict(row["skills"])
    assert sorted([value.n for value in made.skills.values()]) == sorted(row["skills"].values())
    assert tuple(made.talents) == tuple(sorted(row["talents"]))
    assert len(slots_for(made, library())) == row["maneuvers"] == len(made.maneuvers)
    word = " or " if entry.needs.any_stat else " and "
    assert word.join([f"{each} {least}" for each, least in entry.needs.stats.items()]) in (
        row["needs"],
        word.join(reversed(row["needs"].split(word))),
    )
    assert legality(made, OPTIONS, library()).ok
    weak = made.changed(ancestry_stats=(), stats=made.stats.changed(**dict.fromkeys(STATS, RollValue(8))))
    assert "mars.character.archetype" in legality(weak, OPTIONS, library()).rules


@pytest.mark.rule("mars.gap.trait.list", "mars.character.trait")
@pytest.mark.parametrize("name", LEDGER["mars.gap.trait.list"].data)
def test_every_trait_can_be_chosen_and_gives_something(name: str) -> None:
    assert library().get(Trait, name).grants
    assert legality(person("fighter", traits=(OwnTrait(id=name),)), OPTIONS, library()).ok


# ---------------------------------------------------------------------- at random


@hypothesis.settings(max_examples=20, deadline=None)
@hypothesis.example(1883)
@hypothesis.given(st.integers(0, 2**32))
def test_random_characters_are_always_legal(seed: int) -> None:
    made = random_character(seed)
    assert legality(made, OPTIONS, library()).explain() == "within the rules"
    assert from_text(character_text(made)) == made


@pytest.mark.rule("mars.equipment.starting_money", "mars.equipment.weapons")
@each_case("seed", range(24))
def test_random_characters_can_use_and_carry_what_they_bought(seed: int) -> None:
    made, book = random_character(seed), library()
    things = [(carried, item(carried.item, book)) for carried in made.belongings]
    owned = [carried.item for carried in made.belongings]
    weapons = [one for _, one in things if isinstance(one, Weapon)]
    trained = [skill for skill in COMBAT_SKILLS if is_trained(made, skill)]
    if trained and "unarmed" not in trained:
        assert any(set(one.skills) & set(trained) for one in weapons)
    assert all(one.ammunition is None or one.ammunition in owned for one in weapons)
    shot = {one.ammunition for one in weapons}
    assert all(one.id in shot for _, one in things if isinstance(one, Ammunition))
    assert all(carried.place != "pack" for carried, one in things if isinstance(one, Weapon | Armour))
    assert all(one.strength <= stat(made, "STR", book).maximum for _, one in things if isinstance(one, Armour))
    assert encumbrance(made, book, made.belongings) == "none"
    assert len({one.id for _, one in things}) == len(things)  # nothing that the free kit holds


# ---------------------------------------------------------------------- legality


def test_an_unknown_answer_is_refused_and_changes_nothing() -> None:
    one = making(name="Ann")
    with pytest.raises(InvalidInputError):
        one.answer("gnome")
    one.answer("dwarf")
    assert one.step is not None
    assert one.step.id == "background"


@pytest.mark.rule("mars.character.ancestry", "mars.character.background", "mars.character.archetype")
def test_every_origin_says_what_it_gives() -> None:
    made = making(name="Una")
    notes: dict[str, str] = {}
    for answer in ("dwarf", "soldier", "rogue"):
        question = made.question
        assert isinstance(question, Choice)
        notes |= {option.id: option.note for option in question.options}
        made.answer(answer)
    assert notes["dwarf"] == "+2 STR, -1 DEX, +1 RES"
    assert notes["human"] == "+1 on two stats, +1 on a skill, another language"
    assert notes["soldier"] == "+1 Athletics, +1 Medicine"
    assert notes["commoner"] == "+1 on two basic skills"
    assert notes["rogue"] == "Sleight r8, Finesse or Ranged r6, Perception r6, Agility r4, Charisma r4, Danger Sense"
