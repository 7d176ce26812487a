"""Making characters: step by step with budgets and reasons, at random always legal, every violation by its rule."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from each_case import each_case
from systems.renaissance.folk import LEDGER, OPTIONS, creature, figures_of, library, made_at_random, making, person
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.character.creation import CharacterCreation
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.costs import (
    free_ranks,
    item_cost,
    rank_cost,
    reckoning,
    spent_on,
    trait_cost,
    unmet,
)
from tablewright.systems.renaissance.character.record import Aptitudes, RenaissanceCharacter
from tablewright.systems.renaissance.character.shop import _suggested
from tablewright.systems.renaissance.content import Armour, Background, CharacterClass, Power, Trait, Weapon
from tablewright.systems.renaissance.creation import acquired
from tablewright.systems.renaissance.legality import is_among
from tablewright.systems.renaissance.options import RenaissanceOptions

OTHER = RenaissanceOptions(aptitude_method="plus20_minus5")
Making: TypeAlias = CharacterCreation[RenaissanceCharacter]
TRANSFERS = ["COG", "REF+5", "SAV", "SOM+5", "done"]
TWEAKS = ["REF+5", "DUR+5", "STR+5"]
HRASK = person("soldier")


def rules_of(character: RenaissanceCharacter, options: RenaissanceOptions = OPTIONS) -> tuple[str, ...]:
    """The rules that a character breaks."""
    return rulebook.legality(character, options, library()).rules


def buys(skills: dict[str, int], character: RenaissanceCharacter) -> list[str]:
    """The answers that buy ranks up to those wanted, in steps of 20, 10, 5 and 1."""
    answers: list[str] = []
    for key, wanted in skills.items():
        has = character.skills.get(key, 0)
        for by in (20, 10, 5, 1):
            while has + by <= wanted:
                name, _, field = key.partition(":")
                if field and not has:
                    answers += [f"skill:{name}", field]
                    has += 10
                    continue
                answers.append(f"skill:{key}+{by}")
                has += by
    return answers


def reference() -> Making:
    """The worked character of the gaps file, made step by step."""
    made = making(name="Hrask")
    hrask = person("soldier")
    free = free_ranks(hrask, library())
    start = RenaissanceCharacter(name="x", skills=Ranks(free))
    wanted = {key: ranks for key, ranks in hrask.skills.items() if key != "language:heartland_gnoll"}
    points = buys(wanted, start)
    points += ["luck", "luck", "trait:high_pain_tolerance", "power:weave", "power:sneak_attack"]
    points += ["special:pole_arms", "Halberd"]
    points += [f"item:{item}" for item in ("halberd", "brigandine", "javelin", "medicine_kit")]
    points += [f"item:{item}" for item in ("rope", "torch", "rations", "waterskin", "blanket")]
    made.follow(
        {
            "free": "heartland_gnoll",
            "aptitudes": TRANSFERS,
            "race": "gnoll",
            "tweaks": TWEAKS,
            "background": ["military_family", "pole_arms", "unarmed_combat"],
            "points": points,
            "motivations": ["+Commonwealth", "+Family", "-Slavery"],
        }
    )
    return made


def shut(made: Making) -> dict[str, str]:
    """Reasons of the closed options."""
    return {one.id: one.reason for one in made.closed}


def left(made: Making) -> int:
    """The points that are left of the step's budget."""
    assert made.budget is not None
    return made.budget.left


def step(made: Making) -> str:
    """The step that is open."""
    assert made.step is not None
    return made.step.id


def choose(made: Making, *answers: str) -> Making:
    """Answer one question after the other."""
    for one in answers:
        made.answer(one)
    return made


def wayfarer(*answers: str) -> Making:
    """A human wayfarer in the making, at the creation points."""
    made = choose(making(), "weal", "done", "human", "COG+5", "COG+5", "COG+5", "wayfarer")
    return choose(made, *answers)


@pytest.mark.rule("renaissance.gap.creation.order", "renaissance.gap.creation.points")
def test_the_worked_character_step_by_step() -> None:
    made, known = reference(), person("soldier")
    assert made.is_done
    hrask = made.result
    for name in RenaissanceCharacter.model_fields:
        if name not in ("belongings", "specializations"):
            assert getattr(hrask, name) == getattr(known, name), name
    assert sorted(map(str, hrask.belongings)) == sorted(map(str, known.belongings))
    assert hrask.specializations == {"pole_arms": "Halberd"}
    assert reckoning(hrask, library()).total == 800
    assert spent_on(hrask, library(), "combat") == 270 + 5
    assert spent_on(hrask, library(), "combat", others=True) == 440
    assert rulebook.legality(hrask, OPTIONS, library()).ok
    again, met = making(name="Hrask"), []
    for option in made.draft_record:
        assert again.step is not None
        met.append(again.step.id)
        again.answer(str(option))
    assert list(dict.fromkeys(met)) == list(LEDGER["renaissance.gap.creation.order"].data["steps"])


def test_budgets_reasons_and_the_way_back() -> None:
    made = choose(making(), "weal", "done")
    assert "cannot pronounce Weal" in shut(made)["gnoll"]
    made.answer("human")
    assert made.budget is not None
    assert (made.budget.total, made.budget.rule) == (15, "renaissance.gap.creation.tweak_points")
    assert left(choose(made, "COG+5")) == 10
    made.back()
    assert left(made) == 15
    assert step(choose(made, "COG+5", "COG+5", "COG+5")) == "background"
    rules = {one.id: one.rule for one in made.closed}
    assert rules["military_family"] == "renaissance.gap.creation.background"
    made.answer("wayfarer")
    assert (made.budget.label, left(made)) == ("creation points", 800)
    assert "200 more on Combat skills" in shut(made)["done"]
    assert shut(made)["power:fireball"] == "needs Spellcraft 10, it is 0"
    with pytest.raises(IllegalActionError, match="is granted by a spirit"):
        made.answer("power:green_hand")
    assert left(choose(made, "skill:fray+20", "skill:fray+20", "skill:fray+10")) == 800 - 70
    assert shut(made)["skill:fray+1"] == "50 ranks are the most"
    with pytest.raises(InvalidInputError, match="unknown option"):
        made.answer("skill:fra+1")


@pytest.mark.rule("renaissance.gap.creation.limits")
def test_points_that_are_needed_elsewhere_cannot_be_spent() -> None:
    made = wayfarer(*["luck"] * 9)
    assert left(made) == 800 - 135
    assert left(choose(made, *["item:shop"] * 26)) == 405
    rules = {one.id: one.rule for one in made.closed}
    assert rules["item:shop"] == "renaissance.gap.creation.limits"
    made.answer("item:halberd")
    assert "item:rope" in shut(made)
    made.answer("skill:fray+20")  # what goes into Combat skills can still be bought
    assert left(made) == 380


# ---------------------------------------------------------------------- costs


@pytest.mark.rule("renaissance.gap.creation.points")
@pytest.mark.parametrize("example", LEDGER["renaissance.gap.creation.points"].examples)
def test_the_table_of_rank_costs(example: Any) -> None:
    ranks, free = example["given"]["ranks"], example["given"]["free"]
    assert [rank_cost(ranks, one) for one in free] == list(example["expect"]["costs"])


@pytest.mark.rule("renaissance.gap.creation.points")
def test_prices_of_everything() -> None:
    assert [item_cost(one, library()) for one in ("rope", "halberd", "shop", "unarmed")] == [1, 5, 10, None]
    costs = [trait_cost(library().get(Trait, one)) for one in ("tough", "frail", "hardened")]
    assert costs == [10, -10, 0]
    spent = reckoning(HRASK, library()).total
    for changes, more in (
        ({"luck": 4}, 15),
        ({"classes": (*HRASK.classes, "warrior")}, 10),
        ({"powers": (*HRASK.powers, "jump")}, 10),
        ({"traits": {**HRASK.traits, "tough": ""}}, 10),
        ({"traits": {**HRASK.traits, "frail": ""}}, -10),
        ({"traits": {**HRASK.traits, "unique_outlook": "war"}}, 0),
        ({"specializations": {**HRASK.specializations, "fray": "crowds"}}, 5),
        ({"bought": {**HRASK.bought, "rope": 3}}, 2),
        ({"skills": {**HRASK.skills, "medicine": 31}}, 2),
        ({"skills": {**HRASK.skills, "search": 29}}, -1),
    ):
        assert reckoning(HRASK.changed(**changes), library()).total - spent == more, changes


@pytest.mark.rule("renaissance.gap.creation.free")
def test_free_actions() -> None:
    data = LEDGER["renaissance.gap.creation.free"].data
    new = RenaissanceCharacter(name="New", native="weal")
    assert free_ranks(new, library()) == {"language:weal": data["native"], "language:common": data["common"]}
    assert person("archer").skills["language:weal"] == 60
    assert "renaissance.gap.creation.free" in rules_of(person("archer", native=""))


# ---------------------------------------------------------------------- at random


@pytest.mark.parametrize(("kind", "seed"), [("character", 0), ("follower", 2), ("character", 4)])
def test_at_random_everybody_is_legal(kind: str, seed: int) -> None:
    one = made_at_random(seed, kind=kind)
    assert rulebook.legality(one, OPTIONS, library()).explain() == "within the rules"
    if seed == 0:
        assert one == made_at_random(seed, kind=kind)


@pytest.mark.rule("renaissance.gap.creation.aptitude_method")
@pytest.mark.parametrize("seed", range(2))
def test_the_other_method(seed: int) -> None:
    one = made_at_random(seed, options=OTHER)
    assert rulebook.legality(one, OTHER, library()).ok
    assert (sum(one.tweaks.values()), sum(one.lowered.values())) == (20, 5)
    assert {getattr(one.aptitudes, name) for name in Aptitudes.model_fields} == {15}
    assert "DUR" not in one.tweaks
    assert "STR" not in one.tweaks
    assert spent_on(one, library(), "combat") >= 100
    assert spent_on(one, library(), "knowledge") >= 100
    assert "renaissance.gap.creation.aptitudes" not in rules_of(one, OTHER)
    assert "renaissance.gap.creation.tweak_points" in rules_of(one, OPTIONS)


@pytest.mark.rule("renaissance.gap.creation.aptitude_method")
def test_each_method_refuses_the_others_characters() -> None:
    assert "renaissance.gap.creation.aptitude_method" in rules_of(HRASK, OTHER)
    few = person("soldier", tweaks={"REF": 5, "SOM": 15}, lowered={"COG": 4}, aptitudes=Aptitudes())
    report = rulebook.legality(few, OTHER, library())
    assert [found.where for found in report.violations if "4 of 5" in found.message] == ["lowered"]


@pytest.mark.rule("renaissance.gap.creation.npcs")
def test_other_people() -> None:
    minor, major = made_at_random(3, kind="minor_npc"), made_at_random(3, kind="major_npc")
    follower = made_at_random(3, kind="follower")
    assert (minor.luck, sum(getattr(minor.aptitudes, name) for name in Aptitudes.model_fields)) == (0, 70)
    assert (follower.luck, follower.points, major.luck) == (0, 450, 1)
    for one in (minor, major):
        assert "renaissance.gap.creation.npcs" in rules_of(one.changed(luck=one.luck + 1))
        assert rulebook.legality(one, OPTIONS, library()).explain() == "within the rules"


# ---------------------------------------------------------------------- legality


@pytest.mark.rule("renaissance.gap.creation.points", "renaissance.gap.creation.tweak_points")
def test_the_templates_are_legal() -> None:
    for one in map(person, ("soldier", "mage", "psion", "archer")):
        assert rulebook.legality(one, OPTIONS, library()).explain() == "within the rules"
        assert (reckoning(one, library()).total, sum(one.tweaks.values())) == (800, 15)


@pytest.mark.rule("renaissance.character.components", "renaissance.character.race", "renaissance.character.skills")
@each_case(
    ("changes", "rule"),
    [
        ({"race": "elf"}, "renaissance.character.race"),
        ({"kind": "god"}, "renaissance.character.components"),
        ({"skills": {**HRASK.skills, "swimming": 5}}, "renaissance.character.skills"),
        ({"skills": {**HRASK.skills, "knowledge": 5}}, "renaissance.modifier.field_specialization"),
        ({"traits": {"lucky": ""}}, "renaissance.character.traits"),
        ({"classes": ("soldier", "pirate")}, "renaissance.character.classes"),
        ({"powers": ("flight",)}, "renaissance.character.powers"),
        ({"belongings": (ItemStack("gun"),)}, "renaissance.gap.weapon.list"),
        ({"aptitudes": Aptitudes(COG=16)}, "renaissance.gap.creation.aptitudes"),
        ({"aptitudes": Aptitudes(SOM=26, COG=4)}, "renaissance.gap.creation.limits"),
        ({"tweaks": {"REF": 16}}, "renaissance.gap.creation.tweak_points"),
        ({"tweaks": {"LUCK": 1}}, "renaissance.gap.creation.tweak_points"),
        ({"race": "drake", "tweaks": {"DUR": 11}}, "renaissance.gap.creation.global_limits"),
        ({"race": "drake", "tweaks": {"STR": 11}}, "renaissance.gap.creation.global_limits"),
        ({"tweaks": {"DUR": 16, "REF": -1}}, "renaissance.gap.creation.tweak_points"),
        ({"background": "noble"}, "renaissance.gap.creation.background"),
        ({"race": "human", "native": "weal"}, "renaissance.gap.creation.background"),
        ({"background_skills": ("pole_arms",)}, "renaissance.gap.creation.background"),
        ({"background_skills": ("pole_arms", "athletics")}, "renaissance.gap.creation.background"),
        ({"background_skills": ("pole_arms", "pole_arms")}, "renaissance.gap.creation.background"),
        ({"background_power": "weave"}, "renaissance.gap.creation.background"),
        ({"background_things": ("shop",)}, "renaissance.gap.creation.background"),
        ({"classes": ()}, "renaissance.gap.creation.background"),
        ({"skills": HRASK.skills.put("fray", 5)}, "renaissance.gap.creation.background"),
        ({"skills": HRASK.skills.put("fray", 51)}, "renaissance.gap.creation.limits"),
        ({"skills": HRASK.skills.put("fray", 71)}, "renaissance.gap.creation.global_limits"),
        ({"native": "weal"}, "renaissance.gap.language.groups"),
        ({"native": "common"}, "renaissance.gap.language.groups"),
        ({"specializations": {"fly": "at night"}}, "renaissance.modifier.specialization"),
        ({"specializations": {"knowledge:law": "wills"}}, "renaissance.modifier.field_specialization"),
        ({"exotic": {"fray": "COO"}}, "renaissance.gap.skill.list"),
        ({"traits": {"tough": "", "frail": ""}}, "renaissance.gap.trait.list"),
        ({"traits": {"hardened": ""}}, "renaissance.gap.trait.list"),
        ({"classes": ("soldier", "mage")}, "renaissance.gap.class.list"),
        ({"powers": ("fireball",)}, "renaissance.gap.power.requirements"),
        ({"powers": ("weave", "weave")}, "renaissance.character.powers"),
        ({"features": ("hybrid_claws",)}, "renaissance.gap.race.shifter"),
        ({"form": "hybrid"}, "renaissance.gap.race.shifter"),
        ({"points": 900}, "renaissance.gap.creation.points"),
        ({"luck": 4}, "renaissance.gap.creation.points"),
        ({"bought": {"unarmed": 1}}, "renaissance.gap.creation.points"),
        (
            {
                "skills": {key: ranks for key, ranks in HRASK.skills.items() if key != "stealth"}
                | {"pole_arms": 10, "thrown_weapons": 1}
            },
            "renaissance.gap.creation.limits",
        ),
        ({"luck": 11}, "renaissance.gap.creation.global_limits"),
        ({"motivations": ()}, "renaissance.gap.creation.motivations"),
        ({"motivations": ("+Family",)}, "renaissance.gap.creation.motivations"),
        ({"motivations": ("Family", "+Home", "-War")}, "renaissance.gap.creation.motivations"),
        ({"motivations": ("+My home", "+Home", "-War")}, "renaissance.gap.creation.motivations"),
        ({"advances": ({"what": "luck", "cost": 15},), "luck": 4}, "renaissance.gap.advancement.rez_points"),
        (
            {"belongings": (ItemStack("plate", place="worn"), ItemStack("mail", place="worn"))},
            "renaissance.gap.armor.one_suit",
        ),
        ({"belongings": (ItemStack("plate", place="main"),)}, "renaissance.gap.armor.one_suit"),
        ({"belongings": (ItemStack("rope", place="worn"),)}, "renaissance.gap.armor.one_suit"),
        (
            {"belongings": (ItemStack("small_shield", place="off"), ItemStack("large_shield", place="main"))},
            "renaissance.gap.armor.one_suit",
        ),
        ({"belongings": (ItemStack("halberd", place="main"),)}, "renaissance.gap.weapon.hands"),
        ({"belongings": (ItemStack("dagger", place="both"),)}, "renaissance.gap.weapon.hands"),
        (
            {"belongings": (ItemStack("halberd", place="both"), ItemStack("dagger", place="off"))},
            "renaissance.gap.weapon.hands",
        ),
        (
            {"belongings": (ItemStack("mace", place="main"), ItemStack("dagger", place="main"))},
            "renaissance.gap.weapon.hands",
        ),
    ],
)
def test_every_violation_has_its_rule(changes: dict[str, Any], rule: str) -> None:
    assert rule in rules_of(person("soldier", **changes))


@pytest.mark.rule("renaissance.gap.creation.motivations")
def test_motivations() -> None:
    made = wayfarer()
    for key in ("fray", "stealth", "intimidate", "athletics", "perception", "read"):
        choose(made, f"skill:{key}+20", f"skill:{key}+20", f"skill:{key}+10")
    assert step(choose(made, "done")) == "motivations"
    with pytest.raises(IllegalActionError, match="is not"):
        made.answer("gold and glory")
    assert choose(made, "+Gold", "-War", "+Family").result.motivations == ("+Gold", "-War", "+Family")


@pytest.mark.rule("renaissance.gap.creation.aptitudes", "renaissance.gap.creation.limits")
def test_transfers_keep_the_sum_and_the_limits() -> None:
    made = choose(making(), "weal", *["COG", "SOM+5"] * 2, *["SAV", "SOM+5"] * 2, "WIL")
    assert shut(made)["SOM+5"] == "35 is the most"
    assert shut(made)["WIL+5"] == "is the one that is lowered"
    choose(made, "REF+5", "done")
    assert shut(made)["dwarf"] == "SOM would be above 35"
    made = choose(making(), "weal", "SOM", "WIL+5", "SOM", "REF+5", "SOM", "REF+5")
    assert shut(made)["SOM"] == "has its least, 0"
    choose(made, "COG", "REF+1", "done")
    assert shut(made)["human"] == shut(made)["halfling"] == "SOM would be below 5"
    assert {"dwarf", "orc", "drake"} <= {one.id for one in made.options}


@pytest.mark.rule("renaissance.gap.creation.limits")
def test_below_what_any_race_lifts_nothing_is_lowered() -> None:
    made = choose(making(), "heartland_gnoll", *["COG", "SAV+5"] * 2)
    assert shut(made)["COG"] == "has its least, 5"
    choose(made, *["SOM", "WIL+5"] * 2, "SOM", "REF+5")
    choose(made, *["COO", "REF+5"] * 2)  # only shifters are more skilful by race, and they are not stronger
    assert shut(made)["COO"] == "has its least, 5"
    choose(made, *["INT", "SOM+1"] * 2, *["INT", "SOM+5"] * 2, "INT")
    assert shut(made)["WIL+5"] == "no race would fit"  # INT is 3


@pytest.mark.rule("renaissance.gap.creation.tweak_points")
def test_tweaks_are_fifteen_and_stop_at_the_limits() -> None:
    made = choose(making(), "rak", "done", "drake", "DUR+5", "DUR+5")
    assert shut(made)["DUR+1"] == "50 is the most"
    made.answer("STR+1")
    assert shut(made)["COG+5"] == "costs 5, 1 more than is left"


# ---------------------------------------------------------------------- backgrounds, traits, classes, powers


@pytest.mark.rule("renaissance.gap.background.list", "renaissance.character.background")
@pytest.mark.parametrize(("name", "row"), LEDGER["renaissance.gap.background.list"].data.items())
def test_backgrounds_row_by_row(name: str, row: Any) -> None:
    background = library().get(Background, name)
    assert dict(background.skills) == dict(row["skills"])
    assert sum(choice.number for choice in background.choices) == row["choices"]
    assert list(background.traits) == list(row.get("traits", []))
    assert list(background.classes) == list(row.get("classes", []))
    race = background.races[0] if background.races else "human"
    native = "heartland_gnoll" if race == "gnoll" else "weal"
    made = choose(making(), native, "done", race, "REF+5", "REF+5", "REF+5", name)
    while step(made) == "background":
        made.answer(made.question.ids[0])  # type: ignore[union-attr]
    assert left(made) == 800
    shown = made.question.details["shown"]["skills"]  # type: ignore[union-attr]
    assert sum(shown.values()) - 70 == 10 * (len(background.skills) + row["choices"])


@pytest.mark.rule("renaissance.gap.creation.background")
def test_the_power_of_a_background_needs_nothing() -> None:
    made = choose(making(), "weal", "done", "human", "COG+5", "COG+5", "COG+5", "haven_mountains")
    while isinstance(made.question, Choice) and made.question.question != "which power?":
        made.answer(made.options[0].id)
    powers = {one.id for one in made.options}
    assert {"fireball", "intense_fire", "fortify", "master"} <= powers
    assert "green_hand" not in powers
    made.answer("fireball")
    assert "power:fireball" in shut(made)


@pytest.mark.rule("renaissance.gap.creation.background")
def test_ranks_of_a_background_are_the_first_cheap_ones() -> None:
    assert free_ranks(HRASK, library())["fray"] == 10
    assert reckoning(HRASK, library()).parts[0].label == "Athletics 50"
    costs = {part.label: part.changed for part in reckoning(HRASK, library()).parts}
    assert (costs["Fray 50"], costs["Athletics 50"], costs["Language: Commonwealth Standard 30"]) == (60, 70, 20)
    assert "Soldier" not in costs  # granted, and its requirements are not asked for
    unskilled = HRASK.changed(skills={**free_ranks(HRASK, library())}, powers=(), specializations={})
    assert "renaissance.gap.class.list" not in rules_of(unskilled)


@pytest.mark.rule("renaissance.gap.class.list", "renaissance.character.classes")
@each_case(("name", "row"), LEDGER["renaissance.gap.class.list"].data.items())
def test_requirements_of_classes(name: str, row: Any) -> None:
    needs = library().get(CharacterClass, name).needs
    nobody = creature()
    assert unmet(needs, nobody, library())
    skills: dict[str, int] = {}
    powers: tuple[str, ...] = ()
    luck = 0
    for what, value in row.items():
        if what == "martial":
            skills |= dict.fromkeys(["fray", "pole_arms"][: value[0]], value[1])
        elif what == "melee_attack":
            skills["bladed_weapons"] = value[1]
        elif what == "combat":
            skills["stealth"] = value[1]
        elif what == "knowledge":
            skills["knowledge:law"] = value
        elif what == "sleights":
            powers = ("master", "heal")[:value]
        elif what == "luck":
            luck = value
        else:
            skills[what] = value
    able = nobody.changed(skills=skills, powers=powers, luck=luck)
    assert unmet(needs, able, library()) == []
    for key in skills:
        assert unmet(needs, able.changed(skills={**skills, key: skills[key] - 1}), library()), key
    for power in powers:
        assert unmet(needs, able.changed(powers=tuple([one for one in powers if one != power])), library())
    if luck:
        assert unmet(needs, able.changed(luck=luck - 1), library())


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.gap.power.requirements", "renaissance.power.categories")
@each_case(("name", "row"), LEDGER["renaissance.gap.power.list"].data.items())
def test_requirements_of_powers(name: str, row: Any) -> None:
    power = library().get(Power, name)
    assert (power.kinds, power.action) == ((row["kind"],), row["action"])
    skills = {("bladed_weapons" if key == "attack" else key): ranks for key, ranks in row["needs"].items()}
    able = creature(skills=skills, powers=power.needs.powers)
    assert unmet(power.needs, able, library()) == []
    for key, ranks in skills.items():
        assert unmet(power.needs, able.changed(skills={**skills, key: ranks - 1}), library())
    if name == "exploding_fireball":
        assert unmet(power.needs, able.changed(powers=()), library()) == ["needs Fireball"]


@pytest.mark.rule("renaissance.gap.trait.list", "renaissance.character.traits")
def test_the_traits() -> None:
    data = LEDGER["renaissance.gap.trait.list"].data
    for nature in ("positive", "negative", "neutral"):
        assert [one.id for one in library().of(Trait) if one.nature == nature] == list(data[nature])
    for one, other in data["exclude"]:
        both = {one: "", other: ""}
        assert "renaissance.gap.trait.list" in rules_of(person("soldier", traits=both)), both
        assert other in library().get(Trait, one).excludes
        assert one in library().get(Trait, other).excludes


def test_limits_are_not_broken_by_reaching_them() -> None:
    drake = person("soldier", race="drake", tweaks={"DUR": 10, "STR": 5}, native="rak")
    for one in (drake, HRASK.changed(luck=10)):
        assert "renaissance.gap.creation.global_limits" not in rules_of(one)
    assert "renaissance.gap.creation.limits" not in rules_of(HRASK.changed(skills=HRASK.skills.put("search", 50)))


def test_several_things_at_once_fill_both_hands() -> None:
    for item, count, places in (
        ("dagger", 2, ["dagger (main)", "dagger (off)"]),
        ("dagger", 3, ["dagger (main)", "dagger (off)", "dagger (pack)"]),
        ("rope", 3, ["3 rope (pack)"]),
    ):
        assert [str(one) for one in acquired((), item, count, library())] == places


@pytest.mark.rule("renaissance.modifier.specialization")
def test_specializations_that_are_suggested() -> None:
    blades, stealth = _suggested("bladed_weapons", library()), _suggested("stealth", library())
    assert ("Short Sword" in blades, "Mace" in blades) == (True, False)
    assert stealth
    assert "Mace" not in stealth


@pytest.mark.rule("renaissance.gap.armor.heavy", "renaissance.gap.armor.one_suit")
@pytest.mark.parametrize("seed", [1, 2, 3, 7])
def test_a_random_character_carries_what_can_be_carried_and_worn(seed: int) -> None:
    made = made_at_random(seed)
    worn = figures_of(made).worn
    assert worn.heavy <= figures_of(made).STR // 10
    stowed = [one.item for one in made.belongings if one.place == "pack"]
    assert not [item for item in stowed if library().has(Armour, item)]
    weapons = [library().get(Weapon, item) for item in stowed if library().has(Weapon, item)]
    assert len([weapon for weapon in weapons if not weapon.used_up]) <= 1
    for _, weapon in worn.weapons:
        assert max([made.skills.get(way.skill, 0) for way in weapon.attacks]) >= 10  # nothing that no one taught them


@pytest.mark.rule("renaissance.gap.creation.background")
def test_no_background_lets_choose_what_it_gives_anyway() -> None:
    for background in library().of(Background):
        for choice in background.choices:
            given = [key for key in background.skills if choice.categories]
            assert not [key for key in given if is_among(key, choice, library())], background.id
    dragonshire = library().get(Background, "dragonshire")
    assert is_among("persuasion", dragonshire.choices[0], library())
