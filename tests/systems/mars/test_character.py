"""Characters: every derived figure, the worked examples and tables of the book, printed figures, files, the sheet."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import DYING, duel, fighter, offered
from systems.mars.people import (
    LEDGER,
    OPTIONS,
    from_text,
    library,
    person,
    rolled,
    scene_of,
    somebody,
    veteran,
    wearing,
)
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks, character_text, read_character
from tablewright.game.character.sheet import sheet_markdown
from tablewright.game.character.sheet import sheet_text as shown_as_text
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character.costs import SKILL_STEPS, STAT_STEPS
from tablewright.systems.mars.character.figures import (
    armour_rating,
    attack,
    bare_hands,
    can_use,
    damage,
    damage_reduction,
    figures,
    language,
    load_carried,
    maneuver_skills,
    maneuvers_of_skill,
    maximum,
    natural_weapons,
    own_skill,
    secondary,
    size_modifier,
    skill,
    skill_stat,
    speed,
    stat,
    weapon_skills,
)
from tablewright.systems.mars.character.gear import granted
from tablewright.systems.mars.character.record import Change, MarsCharacter, MarsEffect, OwnTrait, Wounds
from tablewright.systems.mars.content import (
    RESOURCES,
    SECONDARY,
    SIZES,
    AdvantageGrant,
    Ancestry,
    Maneuver,
    Skill,
    SkillGrant,
    Talent,
    Trait,
    Weapon,
)
from tablewright.systems.mars.creation import slots_of
from tablewright.systems.mars.legality import legality, slots_for
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.sheet import sheet
from tablewright.systems.mars.values import RollValue

# ---------------------------------------------------------------------- stats


@pytest.mark.rule("mars.stat.size")
@each_case("size", SIZES)
def test_size_changes_stats_and_speed(size: Any) -> None:
    row = LEDGER["mars.stat.size"].data[size.replace("_", " ").title()]
    giant, medium = person("fighter", size=size, ancestry_stats=()), person("fighter", ancestry_stats=())
    for name in ("STR", "DEX"):
        assert stat(giant, name, library()).maximum - stat(medium, name, library()).maximum == row[name]
    assert speed(giant, library()).total - speed(medium, library()).total == row["speed"]
    assert maximum(giant, "health", library()).total - maximum(medium, "health", library()).total == row["STR"]
    assert size_modifier(size, "INT") == 0


@pytest.mark.rule("mars.gap.ancestry.sizes")
@pytest.mark.parametrize("example", LEDGER["mars.gap.ancestry.sizes"].examples)
def test_size_modifiers_are_added_where_the_ancestry_says_so(example: Any) -> None:
    given = example["given"]
    one = MarsCharacter(name="X", ancestry=given["ancestry"], size=given["size"])
    assert {name: stat(one, name, library()).value.modifier for name in example["expect"]} == dict(example["expect"])


@pytest.mark.rule("mars.stat.resource_maxima")
@each_case(("resource", "name"), [("health", "STR"), ("endurance", "RES"), ("stamina", "DEX"), ("focus", "INT")])
def test_resources_have_the_maximum_of_their_stat(resource: Any, name: str) -> None:
    found = {one: maximum(somebody(**{name: "r12+2"}), one, library()).total for one in RESOURCES}
    assert found == {one: 14 if one == resource else 10 for one in RESOURCES}


@pytest.mark.rule("mars.stat.resource_maxima")
def test_a_permanent_change_of_a_maximum_is_told_by_its_source() -> None:
    changes = (Change(what="health", value=3, source="a blessing"), Change(what="health", value=-1))
    usual, changed = maximum(somebody(), "health", library()), maximum(somebody(changes=changes), "health", library())
    assert changed.total == usual.total + 2
    told = [(part.label, part.changed) for part in changed.parts[len(usual.parts) :]]
    assert told == [("a blessing", 3), ("permanent change", -1)]


@pytest.mark.rule("mars.stat.resource_behaviour", "mars.stat.resource_maxima")
def test_no_resource_has_a_maximum_below_nothing() -> None:
    drained = somebody(changes=(Change(what="focus", value=-50, source="a curse"),))
    assert maximum(drained, "focus", library()).total == 0


@pytest.mark.rule("mars.effect.stat_changes")
def test_temporary_changes_do_not_change_maxima_and_permanent_ones_do() -> None:
    one = somebody(STR="r12")
    strong = (MarsEffect("stat_change", stat="STR", value=2),)
    assert stat(one, "STR", library(), strong).value == rolled("r12+2")
    assert secondary(one, "FORT", library(), effects=strong).value == rolled("r22+2")
    assert skill(one, "athletics", library(), effects=strong).value == rolled("r12+2")
    assert damage(one, library().get(Weapon, "club"), library(), strong).value == rolled("r18+2")
    assert maximum(one, "health", library()).total == 12
    for_good = one.changed(changes=(Change(what="STR", value=2, source="a blessing"),))
    assert stat(for_good, "STR", library()).value == rolled("r12+2")
    assert maximum(for_good, "health", library()).total == 14


@pytest.mark.rule("mars.stat.rolled_secondary")
def test_secondary_stats_merge_their_stats() -> None:
    one = somebody(STR="r12+1", DEX="r14-1", INT="r8", RES="r10")
    values = {name: str(secondary(one, name, library()).value) for name in SECONDARY}
    assert values == {"INIT": "r24-1", "DEF": "r10", "EVA": "r14-1", "FORT": "r22+1", "WILL": "r18"}


@pytest.mark.rule("mars.stat.armour_rating", "mars.stat.damage_reduction")
def test_armour_adds_to_deflection_and_evasion_and_to_nothing_else() -> None:
    bare, clad = somebody(), wearing("chainmail", "half_helm", STR="r12")
    assert armour_rating(clad, library()).total == 4
    assert damage_reduction(clad, library()).total == 4
    for name, more in (("INIT", 0), ("DEF", 4), ("EVA", 4), ("WILL", 0)):
        both = [secondary(one, name, library()).value.modifier for one in (bare, clad)]  # type: ignore[arg-type]
        assert both[1] - both[0] == more


@pytest.mark.rule("mars.stat.speed")
def test_speed_comes_from_the_ancestry() -> None:
    assert [speed(person(name), library()).total for name in ("fighter", "magister", "wolf")] == [6, 5, 13]
    assert speed(somebody(), library()).total == 6
    quick = person("fighter", changes=(Change(what="speed", value=2, source="boots"),))
    assert speed(quick, library()).total == 8


# ---------------------------------------------------------------------- skills


@pytest.mark.rule("mars.skill.basic", "mars.skill.complex", "mars.skill.combat")
@pytest.mark.parametrize("table", ["basic", "complex", "combat"])
def test_the_skills_of_the_book(table: str) -> None:
    rows = LEDGER[f"mars.skill.{table}"].data
    found = {one.id: one.stat for one in library().of(Skill) if one.group == table}
    assert found == {name: row["stat"] for name, row in rows.items()}


@pytest.mark.rule("mars.skill.associated_stat")
@each_case("one", [one.id for one in library().of(Skill)])
def test_a_skill_rolls_with_its_stat(one: str) -> None:
    stats = {"STR": "r14", "DEX": "r16+1", "INT": "r18", "RES": "r20"}
    able = somebody(skills={one: rolled("r6")}, **stats)
    own = stats[library().get(Skill, one).stat]
    assert skill(able, one, library()).value == RollValue.merge([rolled(own), rolled("r6")])


@pytest.mark.rule("mars.skill.complex_gate")
def test_complex_skills_need_training_or_a_bonus_by_birth() -> None:
    soldier = person("fighter")
    assert can_use(soldier, "medicine", library())
    untrained = soldier.changed(skills={})
    assert can_use(untrained, "medicine", library())  # by the background
    assert str(skill(untrained, "medicine", library()).value) == "r8+1"
    assert not can_use(untrained, "craft", library())
    assert can_use(untrained.changed(ancestry_skill="craft"), "craft", library())
    assert not can_use(untrained.changed(changes=(Change(what="craft", value=1),)), "craft", library())
    assert can_use(untrained.changed(skills={"craft": rolled("r4")}), "craft", library())
    assert can_use(untrained, "agility", library())


@pytest.mark.rule("mars.skill.steps", "mars.stat.primary_steps")
def test_steps_have_names() -> None:
    assert (SKILL_STEPS[0], SKILL_STEPS[4], SKILL_STEPS[20]) == ("Untrained", "Trained", "Master")
    assert (STAT_STEPS[8], STAT_STEPS[20]) == ("Below Average", "Epic")


@pytest.mark.rule("mars.skill.languages")
@each_case(("learned", "value"), [(4, "r14"), (18, "r28"), (19, "r29"), (20, None)])
def test_languages_need_a_roll_unless_they_are_as_good_as_native(learned: int, value: str | None) -> None:
    one = somebody(INT="r10", native=("common",), languages={"Old Elven": RollValue(learned)})
    spoken = language(one, "old elven", library())  # it is the same however it is written
    assert (None if spoken is None else str(spoken.value)) == value
    assert language(one, "Common", library()) is None
    with pytest.raises(InvalidInputError, match="does not know"):
        language(one, "dwarven", library())


@pytest.mark.rule("mars.gap.talent.other_stat")
@each_case(
    ("talent", "one", "when", "name"),
    [
        ("intimidation", "charisma", "intimidation", "STR"),
        ("deduction", "perception", "tracking", "INT"),
        ("deduction", "perception", "hidden_things", "INT"),
    ],
)
def test_some_talents_allow_another_stat(talent: str, one: str, when: Any, name: str) -> None:
    own = library().get(Skill, one).stat
    able = somebody(talents={talent: 1}, **{name: "r16"})
    assert skill_stat(able, one, library(), (when,)) == name
    assert skill_stat(able, one, library()) == own
    assert skill_stat(somebody(**{name: "r16"}), one, library(), (when,)) == own
    assert skill_stat(somebody(talents={talent: 1}, **{own: "r16"}), one, library(), (when,)) == own


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_bonuses_of_ancestries_to_rolls() -> None:
    elf, halfling, orc = (MarsCharacter(name="X", ancestry=name) for name in ("elf", "halfling", "orc"))
    assert own_skill(elf, "knowledge", library()).maximum == 1
    assert own_skill(elf, "charisma", library()).maximum == -1
    assert own_skill(elf, "perception", library()).maximum == 0
    assert own_skill(elf, "perception", library(), ("wilderness",)).maximum == 1
    assert own_skill(halfling, "charisma", library(), ("stories",)).maximum == 1
    assert own_skill(orc, "charisma", library(), ("intimidation",)).maximum == 1
    assert own_skill(orc, "charisma", library()).maximum == 0
    calm, cowed = (secondary(orc, "WILL", library(), when=when).maximum for when in ((), ("intimidation",)))
    assert cowed - calm == 1


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_human_grit_raises_three_maxima() -> None:
    human, nobody = MarsCharacter(name="X", ancestry="human"), MarsCharacter(name="X")
    more = [maximum(human, name, library()).total - maximum(nobody, name, library()).total for name in RESOURCES]
    assert more == [0, 1, 1, 1]


@pytest.mark.rule("mars.character.ancestry", "mars.character.trait", "mars.gap.talent.list")
def test_an_ancestry_and_a_trait_give_their_bonus_once_and_a_talent_for_every_step() -> None:
    def given(rule: str, **fields: Any) -> list[tuple[Any, int]]:
        return [(one.grant, one.steps) for one in granted(somebody(**fields), library()) if one.rule == rule]

    for ancestry in library().of(Ancestry):
        found = given("mars.character.ancestry", ancestry=ancestry.id)
        assert found == [(grant, 1) for grant in ancestry.grants], ancestry.id
    for trait in library().of(Trait):
        found = given("mars.character.trait", traits=(OwnTrait(id=trait.id),))
        assert found == [(grant, 1) for grant in trait.grants], trait.id
    for talent in library().of(Talent):
        for steps in (0, 1, 2):
            found = given("mars.gap.talent.list", talents={talent.id: steps})
            assert found == [(grant, steps) for grant in talent.grants if steps], talent.id


# ---------------------------------------------------------------------- weapons


@pytest.mark.rule("mars.skill.combat_untrained")
@pytest.mark.parametrize("example", LEDGER["mars.skill.combat_untrained"].examples)
def test_attacks_roll_dexterity_and_the_combat_skill(example: Any) -> None:
    own = example["given"]["skill"]
    one = somebody(DEX=example["given"]["DEX"], skills={"martial": rolled(own)} if own else {})
    assert str(attack(one, library().get(Weapon, "mace"), library()).value) == example["expect"]["attack"]


@pytest.mark.rule("mars.skill.cross_skill_weapons")
def test_cross_skill_weapons_take_the_best_skill_and_ties_the_listed_order() -> None:
    javelin = library().get(Weapon, "javelin")
    assert weapon_skills(somebody(), javelin, library()) == ("finesse", "martial", "ranged")
    able = somebody(skills={"ranged": rolled("r6"), "martial": rolled("r8")})
    assert weapon_skills(able, javelin, library())[0] == "martial"
    chosen = attack(somebody(skills={"ranged": rolled("r6"), "martial": rolled("r8")}), javelin, library(), "ranged")
    assert str(chosen.value) == "r16"


@pytest.mark.rule("mars.attack.damage_roll")
@pytest.mark.parametrize("example", LEDGER["mars.attack.damage_roll"].examples)
def test_weapon_damage_merges_strength(example: Any) -> None:
    weapon = {"STR+r6": "club", "STR+r8": "mace"}[example["given"]["weapon"]]
    one = somebody(STR=example["given"]["STR"])
    assert str(damage(one, library().get(Weapon, weapon), library()).value) == example["expect"]


@pytest.mark.rule("mars.gap.armour.locking_grip")
def test_unarmed_attacks_in_gauntlets_count_as_a_cestus() -> None:
    bare, clad = somebody(STR="r12"), wearing("gauntlets", STR="r12")
    assert bare_hands(bare.belongings, library()).id == "unarmed"
    assert bare_hands(clad.belongings, library()).id == "cestus"
    assert bare_hands(wearing("gauntlets", place="pack").belongings, library()).id == "unarmed"


@pytest.mark.rule("mars.gap.weapon.list")
def test_bare_hands_or_claws() -> None:
    assert [weapon.id for weapon in natural_weapons(person("fighter"), library())] == ["unarmed"]
    assert [weapon.id for weapon in natural_weapons(person("wolf"), library())] == ["wolf_bite", "wolf_claw"]


# ---------------------------------------------------------------------- maneuvers


@pytest.mark.rule("mars.maneuver.number_known", "mars.skill.combat")
def test_a_maneuver_from_a_talent_is_learned_with_any_trained_combat_skill() -> None:
    slots = slots_of({"martial": 4, "ranged": 6, "finesse": 0}, {"extra_maneuver": 1}, library())
    assert slots[-1] == ("martial", "ranged")


@pytest.mark.rule("mars.maneuver.number_known")
def test_number_of_maneuvers_of_a_skill() -> None:
    table = LEDGER["mars.maneuver.number_known"].data
    assert {str(value): maneuvers_of_skill(value) for value in range(4, 21, 2)} == dict(table)
    assert maneuvers_of_skill(0) == 0
    both = somebody(skills={"martial": rolled("r8"), "ranged": rolled("r4")}, talents={"extra_maneuver": 2})
    assert len(slots_for(both, library())) == 5


@pytest.mark.rule("mars.maneuver.cross_skill")
@pytest.mark.parametrize("example", LEDGER["mars.maneuver.cross_skill"].examples)
def test_maneuvers_are_shared_between_combat_skills(example: Any) -> None:
    one = somebody(kind="character", skills={name: rolled("r4") for name in example["given"]["trained"]})
    heavy = library().get(Maneuver, "heavy_strike")
    assert set(maneuver_skills(one, heavy)) == set(example["expect"]["usable_with"])
    assert maneuver_skills(somebody(skills={"finesse": rolled("r4")}), heavy) == ()


@pytest.mark.rule("mars.gap.creature.printed")
def test_a_creature_uses_its_maneuvers_with_what_it_has() -> None:
    assert maneuver_skills(person("wolf"), library().get(Maneuver, "crippling_strike")) == ("unarmed",)
    assert maneuver_skills(person("wolf"), library().get(Maneuver, "double_shot")) == ()


# ---------------------------------------------------------------------- creatures


@pytest.mark.rule("mars.gap.creature.list", "mars.gap.creature.printed")
@pytest.mark.parametrize("name", LEDGER["mars.gap.creature.list"].data)
def test_creatures_have_the_figures_of_their_stat_blocks(name: str) -> None:
    row, one = LEDGER["mars.gap.creature.list"].data[name], person(name)
    assert {resource: maximum(one, resource, library()).total for resource in RESOURCES} == {
        resource: row[resource] for resource in RESOURCES
    }
    assert {each: str(secondary(one, each, library()).value) for each in SECONDARY} == {
        each: row[each] for each in SECONDARY
    }
    assert damage_reduction(one, library()).total == row["DR"]
    assert speed(one, library()).total == row["speed"]
    assert armour_rating(one, library()).total == 0
    for weapon_id, (to_hit, harm) in row["attacks"].items():
        weapon = library().get(Weapon, weapon_id)
        best = attack(one, weapon, library()).value
        assert (str(best), str(damage(one, weapon, library()).value)) == (to_hit, harm)


@pytest.mark.rule("mars.gap.creature.printed")
def test_the_wolf_is_weaker_against_blades_and_points() -> None:
    kinds = ("", "bludgeoning", "piercing", "slashing")
    assert [damage_reduction(person("wolf"), library(), against=kind).total for kind in kinds] == [2, 2, 1, 1]


@pytest.mark.rule("mars.gap.creature.list", "mars.gap.creature.printed")
def test_abilities_of_a_wolf_for_one_purpose() -> None:
    wolf = person("wolf")
    session = duel(wolf, fighter())
    me = now(session.scene, "ann")
    assert str(me.skill("agility", ("silent_movement",)).value) == "r18+1"
    assert str(me.skill("agility", ("hiding",)).value) == "r18+1"
    assert str(me.skill("agility").value) == "r12+1"  # it is not for falls, nor against being tripped
    assert [one for one in offered(session) if "crippling" in one] == ["maneuver:bob:crippling_strike/wolf_bite"]


@pytest.mark.rule("mars.gap.creature.printed")
@pytest.mark.parametrize(
    ("name", "size", "endurance", "deflection", "evasion", "reduction"),
    [
        ("bandit_captain", "medium", 13 + 10, "r12+4", "r12+4", 3),  # four steps of toughness; leather and half helm
        ("orc_raider", "medium", 13 + 10, "r12+3", "r12+2", 2),  # an orc's RES is one better
    ],
)
def test_creatures_without_printed_figures_have_those_of_their_gear(
    name: str, size: str, endurance: int, deflection: str, evasion: str, reduction: int
) -> None:
    one = person(name)
    assert one.size == size
    assert maximum(one, "endurance", library()).total == endurance
    assert str(secondary(one, "DEF", library()).value) == deflection
    assert str(secondary(one, "EVA", library()).value) == evasion
    assert damage_reduction(one, library()).total == reduction


@pytest.mark.rule("mars.gap.creature.ranks")
def test_legendary_creatures_have_double_resources() -> None:
    usual = [maximum(person("wolf"), name, library()).total for name in RESOURCES]
    doubled = [maximum(person("wolf", rank="legendary"), name, library()).total for name in RESOURCES]
    assert doubled == [2 * value for value in usual]


@pytest.mark.rule("mars.stat.primary")
def test_opponents_may_lie_outside_the_range_of_characters() -> None:
    assert str(stat(person("goblin"), "INT", library()).value) == "r6"
    assert legality(person("goblin"), OPTIONS, library()).ok


# ---------------------------------------------------------------------- resources in a scene


@pytest.mark.rule("mars.stat.resource_behaviour")
def test_resources_start_full_and_are_carried_over() -> None:
    fresh = scene_of({"ann": person("fighter")})["ann"].status
    assert (fresh.health, fresh.endurance, fresh.stamina, fresh.focus) == (13, 15, 12, 9)
    hurt = person("fighter", wounds=Wounds(health=-2, endurance=0, stamina=5, focus=99))
    again = scene_of({"ann": hurt})["ann"].status
    assert (again.health, again.endurance, again.stamina, again.focus) == (-2, 0, 5, 9)


def test_figures_are_the_plain_numbers_of_all_others() -> None:
    one = person("fighter")
    plain = figures(one, library())
    assert [getattr(plain, name) for name in RESOURCES] == [maximum(one, name, library()).total for name in RESOURCES]
    assert plain.skills["athletics"] == skill(one, "athletics", library()).value
    assert figures(one, library()) is plain


# ---------------------------------------------------------------------- files and sheets


@each_case("name", [entry.id for kind in ("templates", "creatures") for entry in library().of(kind)])
def test_files_are_read_back_as_they_were_written(name: str) -> None:
    one = person(name, wounds=Wounds(health=3, effects=(MarsEffect("sickness", degree=2, source="fever", left=60),)))
    for kind in ("yaml", "json"):
        assert from_text(character_text(one, kind)) == one


def test_an_effect_is_written_as_short_as_it_is() -> None:
    assert MarsEffect("prone").to_json() == {"kind": "prone"}
    assert MarsEffect("dying") == MarsEffect("dying", degree=0, value=0, again=0, successes=0, failures=0)


def test_unknown_items_weigh_nothing() -> None:
    assert load_carried((ItemStack("a keepsake", 5),), library()).total == 0


def test_unknown_fields_are_kept_and_wrong_ones_named() -> None:
    text = character_text(person("fighter")) + "mount: a grey mare\n"
    loaded = read_character(text, MarsCharacter)
    assert "mount" in loaded.messages[0]
    assert "mount: a grey mare" in character_text(loaded.character)
    with pytest.raises(ProblemListError) as wrong:
        from_text(text.replace("STR: r12", "STR: twelve").replace("size: medium", "size: vast"))
    assert len(wrong.value.problems) == 2
    with pytest.raises(ProblemListError, match="effects"):
        from_text(text.replace("effects: []", "effects: [{kind: bored}]"))


@pytest.mark.rule("mars.character.trait")
def test_a_free_trait_may_give_something() -> None:
    trait = OwnTrait(
        name="Cat's eyes",
        text="sees in the dark",
        grants=(
            SkillGrant(grant="skill", skill="perception", value=2),
            AdvantageGrant(grant="advantage", on="perception", when="hidden_things"),
        ),
    )
    one = person("fighter", traits=(trait,))
    assert skill(one, "perception", library()).value == rolled("r14+4")
    assert from_text(character_text(one)) == one


# ---------------------------------------------------------------------- the sheet


def sheet_text(character: MarsCharacter) -> str:
    """The sheet of a character on a wide page."""
    return shown_as_text(sheet(character, OPTIONS, library()), 200)


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


@pytest.mark.rule("mars.advancement.checkpoints")
def test_the_sheet_says_what_is_due() -> None:
    def shown(one: MarsCharacter) -> str:
        sections = rulebook.sheet(one, OPTIONS, library()).sections
        return next(str(entry.value) for each in sections for entry in each.entries if entry.label == "Checkpoints")

    assert shown(veteran(49)) == "none"
    assert shown(veteran(150, checkpoints=("STR",))) == "STR, 2 due"


@pytest.mark.rule("mars.effect.dying")
def test_the_sheet_says_who_is_dead() -> None:
    def states(**wounds: Any) -> list[str]:
        shown = sheet(person("fighter", wounds=Wounds(**wounds)), MarsOptions(), library())
        return [entry.label for entry in shown.sections[1].entries][4:]

    assert states(effects=DYING) == ["Dying", "Unconscious", "Prone"]
    assert states(effects=DYING, dead=True) == ["Dead"]


@pytest.mark.rule("mars.stat.secondary_list")
def test_there_are_thirteen_secondary_stats() -> None:
    data = LEDGER["mars.stat.secondary_list"].data
    assert set(data["resources"]) == set(RESOURCES)
    assert {data["abbreviations"][name] for name in SECONDARY} == set(data["rolled"])
    assert len(data["abbreviations"]) == 13
    fields = {*[line.label.casefold() for line in sheet(person("fighter"), OPTIONS, library()).entries()]}
    words = {name.replace("_", " ") for name in data["abbreviations"].values()} - {"size"}
    assert words <= fields
    assert "medium" in sheet(person("fighter"), OPTIONS, library()).subtitle


@pytest.mark.parametrize("name", ["fighter", "wolf", "magister"])
def test_the_sheet_explains_its_figures(name: str) -> None:
    drawn = sheet(person(name), MarsOptions(weight_tracking=True), library())
    text = shown_as_text(drawn, 100, explain=True)
    assert "mars.stat.resource_maxima" in text or name == "wolf"
    assert sheet_markdown(drawn).startswith(f"# {person(name).name}")
    why = drawn.why("Endurance")
    assert why.endswith(f"= {maximum(person(name), 'endurance', library()).total}")
