"""Characters: every figure printed in the gaps file, races, creatures, vital statistics, the sheet, files."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.renaissance.folk import LEDGER, OPTIONS, creature, figures_of, goal, library, person, scene_of, session_of
from tablewright.engine import Tally
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import character_text, read_character
from tablewright.game.character.sheet import sheet_markdown, sheet_text
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import (
    VITAL,
    Given,
    Sustained,
    active,
    aptitude,
    armor,
    damage_bonus,
    death_rating,
    durability,
    figure,
    given,
    initiative,
    insanity_rating,
    key_of,
    lost_durability,
    lucidity,
    luck_stat,
    meant,
    movement,
    natural_weapons,
    numbers,
    of_kind,
    senses,
    size,
    skill,
    skill_name,
    skill_of,
    strength,
    trauma_threshold,
    wound_threshold,
)
from tablewright.systems.renaissance.character.record import Advance, Harm, Held, RenaissanceCharacter
from tablewright.systems.renaissance.content import APTITUDES, SIZES, Race, Skill
from tablewright.systems.renaissance.effects import FastHealing, FigureChange, Resists
from tablewright.systems.renaissance.now import now_with
from tablewright.systems.renaissance.sheet import sheet
from tablewright.systems.renaissance.status import Status

REFERENCE = {
    "COG": 10,
    "COO": 15,
    "INT": 20,
    "REF": 25,
    "SAV": 15,
    "SOM": 30,
    "WIL": 15,
    "DUR": 40,
    "STR": 40,
    "WT": 8,
    "DR": 80,
    "LUC": 30,
    "TT": 6,
    "IR": 60,
    "INIT": 9,
    "DB": 7,
}


@each_case(("name", "value"), REFERENCE.items())
def test_every_figure_of_the_reference_character(name: str, value: int) -> None:
    hrask = person("soldier", belongings=())
    assert figure(hrask, name, library()).total == value
    found = figures_of(hrask)
    assert found is figures_of(hrask)
    assert (found.figure(name) if name in (*APTITUDES, "DUR", "STR") else getattr(found, name)) == value


def test_unknown_figures_and_fields_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="there is no figure"):
        figure(person("soldier"), "LUK", library())
    with pytest.raises(InvalidInputError, match="Knowledge is one skill for each field"):
        skill_of("knowledge", library())
    with pytest.raises(InvalidInputError, match="Stealth has no fields"):
        skill_of("stealth:woods", library())


# ---------------------------------------------------------------------- vital statistics


def body(dur: int = 30, strong: int = 30, **aptitudes: Any) -> RenaissanceCharacter:
    """A creature with DUR and STR set by tweaks over those of a corpse (30)."""
    return creature(**aptitudes, tweaks={"DUR": dur - 30, "STR": strong - 30})


@pytest.mark.rule("renaissance.vital.wound_threshold", "renaissance.core.rounding", "renaissance.gap.state.thresholds")
@each_case(("dur", "wt"), [(30, 6), (34, 6), (35, 7), (9, 1), (4, 1)])
def test_wound_threshold_is_a_fifth_rounded_down_and_at_least_one(dur: int, wt: int) -> None:
    assert wound_threshold(body(dur=dur), library()).total == figures_of(body(dur=dur)).WT == wt


@pytest.mark.rule("renaissance.vital.durability", "renaissance.vital.death_rating")
def test_death_rating_follows_durability() -> None:
    assert durability(creature(), library()).total == 30
    assert death_rating(body(dur=37), library()).total == figures_of(body(dur=37)).DR == 74
    wasted = [found(creature(), library(), lost_durability(5)).total for found in (durability, wound_threshold)]
    assert wasted == [25, 5]
    assert death_rating(creature(), library(), lost_durability(5)).total == 50
    assert durability(creature(), library(), lost_durability(99)).total == 0


@pytest.mark.rule(
    "renaissance.vital.lucidity", "renaissance.vital.trauma_threshold", "renaissance.vital.insanity_rating"
)
@each_case(("wil", "luc", "tt", "ir"), [(15, 30, 6, 60), (12, 24, 4, 48), (17, 34, 6, 68), (1, 2, 1, 4)])
def test_lucidity_and_what_follows(wil: int, luc: int, tt: int, ir: int) -> None:
    one = creature(WIL=wil)
    assert lucidity(one, library()).total == figures_of(one).LUC == luc
    assert trauma_threshold(one, library()).total == figures_of(one).TT == tt
    assert insanity_rating(one, library()).total == figures_of(one).IR == ir


@pytest.mark.rule("renaissance.vital.initiative", "renaissance.core.rounding")
def test_initiative_is_a_fifth_of_intuition_and_reflexes() -> None:
    example = LEDGER["renaissance.core.rounding"].examples[0]
    one = creature(INT=example["given"]["INT"], REF=example["given"]["REF"])
    assert initiative(one, library()).total == figures_of(one).INIT == example["expect"]["value"]
    assert initiative(creature(INT=20, REF=15), library()).total == 7


@pytest.mark.rule("renaissance.vital.damage_bonus")
@each_case(("som", "strong", "db"), [(30, 40, 7), (20, 20, 4), (15, 20, 3), (25, 34, 5)])
def test_damage_bonus_is_a_tenth(som: int, strong: int, db: int) -> None:
    one = body(strong=strong, SOM=som)
    assert damage_bonus(one, library()).total == figures_of(one).DB == db
    assert strength(one, library()).total == strong


@pytest.mark.rule("renaissance.vital.luck", "renaissance.luck.stat")
def test_luck_starts_at_one_and_is_at_most_ten() -> None:
    assert RenaissanceCharacter(name="New").luck == 1
    assert luck_stat(person("soldier"), library()).total == 3
    assert luck_stat(creature(luck=12), library()).total == 10
    hardened = person("soldier", traits={"hardened": "the supernatural"})
    assert luck_stat(hardened, library()).total == 2


def test_every_vital_statistic_says_where_it_comes_from() -> None:
    for name, found in VITAL.items():
        tally = found(person("soldier"), library())
        assert tally.rule is not None, name
        assert all(part.rule for part in tally.parts), name


# ---------------------------------------------------------------------- aptitudes


@pytest.mark.rule("renaissance.character.aptitudes", "renaissance.gap.creation.global_limits")
def test_seven_aptitudes_at_most_40() -> None:
    assert list(LEDGER["renaissance.character.aptitudes"].data["aptitudes"]) == list(APTITUDES)
    grown = Given(FigureChange(grant="figure", figure="SOM", value=15), "a power", "renaissance.character.powers")
    assert aptitude(person("soldier"), "SOM", library(), (grown,)).total == 40
    assert aptitude(creature(SOM=3), "SOM", library()).total == 3  # animals may be lower
    shrunk = Given(FigureChange(grant="figure", figure="SAV", value=-30), "a potion", "renaissance.chemical.framework")
    assert aptitude(person("soldier"), "SAV", library(), (shrunk,)).total == 5
    huge = creature(race="drake", kind="character", tweaks={"DUR": 20, "STR": 20})
    assert (durability(huge, library()).total, strength(huge, library()).total) == (50, 50)


# ---------------------------------------------------------------------- races


@pytest.mark.rule("renaissance.gap.race.list", "renaissance.character.race")
@pytest.mark.parametrize(("name", "row"), LEDGER["renaissance.gap.race.list"].data.items())
def test_races_row_by_row(name: str, row: Any) -> None:
    race = library().get(Race, name)
    one = creature(race=name)
    assert race.playable
    assert (durability(one, library()).total, strength(one, library()).total) == (row["DUR"], row["STR"])
    for each in APTITUDES:
        assert aptitude(one, each, library()).total == 15 + row["aptitudes"].get(each, 0)
    assert size(one, library()) == row["size"]
    foot = movement(one, library())["foot"]
    assert [foot.base, foot.full] == list(row["foot"])
    assert (figures_of(one).base, figures_of(one).full) == tuple(row["foot"])


@pytest.mark.rule("renaissance.gap.race.list", "renaissance.character.race")
@pytest.mark.parametrize(
    ("race", "natural", "wounds", "traumas", "heals", "sees"),
    [
        ("human", 0, 0, 0, 0, ()),
        ("gnoll", 1, 1, 0, 0, ("low_light", "scent")),
        ("drake", 2, 0, 0, 0, ("low_light",)),
        ("kobold", 1, 0, 0, 0, ("infrared",)),
        ("ash_elf", 0, 0, 1, 0, ("low_light",)),
        ("halfling", 0, 0, 0, 0, ()),
        ("dwarf", 0, 0, 0, 0, ("infrared",)),
        ("orc", 0, 0, 0, 1, ("low_light",)),
        ("shifter", 0, 0, 0, 1, ("low_light",)),
    ],
)
def test_specials_of_races(
    race: str, natural: int, wounds: int, traumas: int, heals: int, sees: tuple[str, ...]
) -> None:
    one = creature(race=race)
    found = figures_of(one)
    assert (found.armor, found.fast_healing) == (natural, heals)
    assert (found.negated_wounds, found.negated_traumas) == (wounds, traumas)
    assert senses(one, library()) == sees


def test_a_character_without_a_race_of_the_content() -> None:
    nobody = creature(race="")
    found = figures_of(nobody)
    assert (found.base, found.full, found.DUR, found.STR) == (0, 0, 0, 0)
    assert (found.size, senses(nobody, library())) == ("medium", ())
    assert [one.id for one in natural_weapons(nobody, library())] == ["unarmed"]


@pytest.mark.rule("renaissance.size.categories")
def test_sizes() -> None:
    assert [name.title() for name in SIZES] == list(LEDGER["renaissance.size.categories"].data["sizes"])
    assert size(person("black_bear"), library()) == "large"
    assert size(creature(), library()) == LEDGER["renaissance.size.categories"].data["default"].lower()
    dwarf = creature(race="dwarf")
    assert (size(dwarf, library()), size(dwarf, library(), ranged=True)) == ("medium", "small")
    assert (figures_of(dwarf).size, figures_of(dwarf).size_at_range) == ("medium", "small")


@pytest.mark.rule("renaissance.gap.race.shifter", "renaissance.gap.race.natural")
def test_only_the_hybrid_form_has_its_features() -> None:
    features = ("hybrid_claws", "hybrid_speed")
    shifter = creature(race="shifter", features=features)
    assert [one.id for one in natural_weapons(shifter, library())] == ["unarmed"]
    hybrid = shifter.changed(form="hybrid")
    assert [one.id for one in natural_weapons(hybrid, library())] == ["shifter_claws"]
    claws = natural_weapons(hybrid, library())[0]
    assert (str(claws.attacks[0].dv), claws.attacks[0].ap, claws.attacks[0].skill) == ("2d10", 2, "unarmed_combat")
    assert {"natural", "off_hand"} <= set(claws.tags)
    assert (figures_of(shifter).full, figures_of(hybrid).full) == (12, 16)


@pytest.mark.rule("renaissance.gap.race.shifter")
def test_hybrid_features_figure_by_figure() -> None:
    def hybrid(*features: str) -> RenaissanceCharacter:
        return creature(race="shifter", features=features, form="hybrid")

    def hears(feature: str, when: str) -> int:
        return goal("perception", hybrid(feature), when=[when]) - goal("perception", hybrid("hybrid_claws"))

    climb = movement(hybrid("hybrid_climb"), library())["climb"]
    assert (climb.base, climb.full) == (3, 9)
    assert "climb" not in movement(hybrid("hybrid_claws"), library())
    assert (hears("hybrid_hearing", "hearing"), hears("hybrid_motion", "moving_target")) == (20, 10)
    assert senses(hybrid("hybrid_scent"), library()) == ("low_light", "scent")
    assert senses(hybrid("hybrid_motion"), library()) == ("low_light", "motion_sense")
    assert len(given(hybrid("hybrid_hardy"), library())) > len(given(creature(race="shifter"), library()))
    teeth, human_teeth = natural_weapons(hybrid("hybrid_teeth"), library()), natural_weapons(creature(), library())
    assert [one.id for one in teeth] != [one.id for one in human_teeth]
    swift = figures_of(hybrid("hybrid_speed"))
    assert (swift.base, swift.full, figures_of(hybrid("hybrid_claws")).full) == (4, 16, 12)


# ---------------------------------------------------------------------- creatures


@pytest.mark.rule("renaissance.gap.creature.list")
@pytest.mark.parametrize(("name", "row"), LEDGER["renaissance.gap.creature.list"].data.items())
def test_creatures_row_by_row(name: str, row: Any) -> None:
    one = person(name)
    found = figures_of(one)
    for key, value in row.items():
        assert (getattr(found, key) if hasattr(found, key) else found.skill(key)) == value, key
    assert found.luck == 0
    assert rulebook.legality(one, OPTIONS, library()).ok


ARMS = {
    "wolf": {"wolf_bite": 60},
    "wolverine": {"wolverine_bite": 70, "wolverine_claws": 70},
    "cougar": {"cougar_bite": 70, "cougar_claws": 70},
    "black_bear": {"bear_claws": 60, "bear_bite": 60},
    "raptor": {"raptor_bite": 70},
    "frozen_horror": {"horror_talons": 70},
    "commonwealth_soldier": {"halberd": 70},
}
MOVES = {
    "wolf": {"foot": (5, 15)},
    "wolverine": {"foot": (3, 9), "climb": (3, 9)},
    "cougar": {"foot": (4, 12), "climb": (4, 12)},
    "black_bear": {"foot": (4, 12), "climb": (3, 9)},
    "raptor": {"foot": (5, 15), "leap": (5, 15), "glide": (3, 9), "climb": (3, 9)},
    "commonwealth_soldier": {"foot": (5, 15)},
    "frozen_horror": {"foot": (4, 12), "climb": (3, 9), "leap": (5, 15)},
}


@pytest.mark.rule("renaissance.gap.creature.list")
@pytest.mark.parametrize("name", ARMS)
def test_attacks_movement_and_senses_of_creatures(name: str) -> None:
    one = person(name)
    ways = {way: (found.base, found.full) for way, found in movement(one, library()).items()}
    assert ways == MOVES[name]
    sense = {"commonwealth_soldier": ("low_light", "scent"), "frozen_horror": ("blind_sight",)}
    assert senses(one, library()) == sense.get(name, ("scent",))
    now = now_with(one, session_of({"it": one}).scene["it"].status, OPTIONS, library())
    assert {arm.weapon.id: now.with_weapon(arm).total for arm in now.arms if arm.weapon.id != "unarmed"} == ARMS[name]
    if name == "commonwealth_soldier":
        arm = next(arm for arm in now.arms if arm.weapon.id == "halberd")
        assert (str(arm.dv), arm.ap, arm.reach) == ("2d10+12", 2, 2)
        assert (goal("fray", one), goal("stealth", one)) == (50, 40)  # in brigandine


@pytest.mark.rule("renaissance.gap.creature.list")
def test_specials_of_creatures() -> None:
    horror = figures_of(person("frozen_horror"))
    assert horror.resists == {"cold": 1, "precision": 1}
    assert horror.immune == {"stress", "fear", "pain"}
    assert horror.fast_healing == 0  # only while it is buried
    buried = [grant for grant, _ in of_kind(FastHealing, given(person("frozen_horror"), library()))]
    assert [(grant.amount, grant.buried) for grant in buried] == [(2, True)]
    assert figures_of(person("black_bear")).negated_wounds == 1
    assert figures_of(person("corpse_minion")).immune == {"poison", "disease"}


# ---------------------------------------------------------------------- skills


@pytest.mark.rule("renaissance.gap.skill.list", "renaissance.character.skills_named")
@each_case(("name", "linked"), LEDGER["renaissance.gap.skill.list"].data.items())
def test_skills_row_by_row(name: str, linked: str) -> None:
    entry = library().get(Skill, name)
    key = key_of(name, "anything") if entry.field else name
    own: dict[str, Any] = {linked: 21}
    one = creature(**own, skills={key: 30})
    assert skill(one, key, library()).total == 51
    assert skill(one.changed(skills={}), key, library()).total == 21


@pytest.mark.rule("renaissance.character.skills_named", "renaissance.character.skills")
def test_skills_that_the_book_names() -> None:
    data = LEDGER["renaissance.character.skills_named"].data
    for name, linked in data["linked"].items():
        assert library().get(Skill, meant(name)).aptitude == linked
    for name in data["named"]:
        assert library().has(Skill, meant(name))
    for name in data["field_skills_named"]:
        assert library().get(Skill, meant(name)).field
    for name in data["fields_named"]:
        skill_, _, field = name.partition(": ")
        assert skill_name(key_of(skill_, field), library()) == name
    assert "language:common" in person("soldier").skills


@pytest.mark.rule("renaissance.core.synonyms")
@each_case(("word", "others"), LEDGER["renaissance.core.synonyms"].data["synonyms"].items())
def test_synonyms_mean_the_first_word(word: str, others: tuple[str, ...]) -> None:
    for other in others:
        assert meant(other) == meant(word) == word.lower().replace(" ", "_").replace("-", "_")


# ---------------------------------------------------------------------- what is worn and what is active


@pytest.mark.rule("renaissance.gap.armor.list", "renaissance.armor.damage")
@pytest.mark.parametrize(("name", "row"), LEDGER["renaissance.gap.armor.list"].data.items())
def test_armor_row_by_row(name: str, row: Any) -> None:
    place = "off" if "shield" in name else "worn"
    gnoll = creature(race="gnoll", belongings=(ItemStack(name, place=place),))
    found = figures_of(gnoll)
    assert found.armor == 1 + row["armor"]  # natural armor adds up with it
    assert armor(gnoll.changed(belongings=(ItemStack(name),)), library()).total == 1
    for linked in APTITUDES:
        assert found.worn.penalty(linked) == (row["penalty"] if linked in row.get("aptitudes", ()) else 0)
    assert figures_of(creature(race="gnoll")).INIT + row.get("initiative", 0) == found.INIT
    assert found.worn.heavy == int(row["heavy"])


@pytest.mark.rule("renaissance.armor.damage")
def test_suit_shield_and_hide_add_up() -> None:
    both = (ItemStack("plate", place="worn"), ItemStack("large_shield", place="off"))
    assert figures_of(creature(race="drake", belongings=both)).armor == 16


@pytest.mark.rule("renaissance.resistance.keywords")
def test_resistance_and_vulnerability_count_against_each_other() -> None:
    def to_fire(*vulnerable: bool) -> int:
        grants = [Resists(grant="resists", tag="fire", vulnerable=one) for one in vulnerable]
        active_now = tuple([Given(grant, "a curse", "renaissance.character.powers") for grant in grants])
        return numbers(creature(), library(), (), active_now).resists.get("fire", 0)

    assert [to_fire(), to_fire(False), to_fire(True), to_fire(True, False), to_fire(True, True)] == [0, 1, -1, 0, -2]


@pytest.mark.rule("renaissance.character.powers")
def test_sustained_powers_change_figures() -> None:
    veyra = person("psion")
    keep = (Sustained("fortify", choice="SOM"), Sustained("master"), Sustained("heal", better=True))
    found = numbers(veyra, library(), veyra.belongings, active((keep, (), 0), library()))
    plain = figures_of(veyra)
    assert found.aptitudes["SOM"] == plain.aptitudes["SOM"] + 5
    assert (plain.aptitudes["SOM"] + 5 + plain.STR) // 10 == found.DB
    assert found.armor == plain.armor + 1
    assert (plain.fast_healing, found.fast_healing) == (0, 2)
    weaker = active(((Sustained("heal"),), (), 0), library())
    assert numbers(veyra, library(), veyra.belongings, weaker).fast_healing == 1


@each_case("choice", [*APTITUDES, "DUR", "STR"])
def test_fortify_raises_whatever_is_chosen(choice: str) -> None:
    raised = active(((Sustained("fortify", choice=choice),), (), 0), library())
    one = creature()
    assert figure(one, choice, library(), raised).total == figure(one, choice, library()).total + 5


# ---------------------------------------------------------------------- sheet and files


@pytest.mark.rule("renaissance.armor.penalty", "renaissance.check.skill_target")
@pytest.mark.parametrize("name", ["soldier", "mage", "commonwealth_soldier"])
def test_the_target_on_the_sheet_is_the_target_of_the_check(name: str) -> None:
    one = person(name, harm=Harm(wounds=3))
    section = next(part for part in sheet(one, OPTIONS, library()).sections if part.title == "Skills")
    shown = {str(row[0]): row for row in section.rows}
    for key in one.skills:
        row = shown[skill_name(key, library())]
        name_, _, field = key.partition(":")
        assert isinstance(row[4], Tally)
        assert (row[5] or row[4].total) == goal(name_, one, OPTIONS, **({"field": field} if field else {})), key
    if name == "soldier":
        fray = shown["Fray"]
        assert isinstance(fray[4], Tally)
        assert (fray[4].total, *fray[5:]) == (75, 55, "Brigandine -10, wounds -10")


def test_effects_are_told_by_name() -> None:
    held = (
        Held(id="bleeding"),
        Held(id="disease", source="flu"),
        Held(id="incubating", source="black_death"),
        Held(id="coated", source="blade_venom", data="short_sword@off"),
        Held(id="job", source="a boat", data=(960, False)),
        Held(id="plan", source="", data=("Zed", "")),
    )
    shown = sheet(person("soldier", harm=Harm(held=held)), OPTIONS, library())
    health = next(part for part in shown.sections if part.title == "Health")
    assert {entry.label: entry.value for entry in health.entries[4:]} == {
        "Bleeding": "yes",
        "Ill with": "Flu",
        "Short Sword is coated with": "Blade venom",
        "Work on a boat": "2 shifts left",
        "Spends the days on": "body cared for by Zed",
    }  # no one knows of an infection before it breaks out


def test_the_sheet_shows_everything() -> None:
    text = sheet_text(sheet(person("mage"), OPTIONS, library()), 100)
    for word in ("Ilse, Human, Haven Mountains", "Wound Threshold", "Knowledge: Magic", "Exploding Fireball", "Spent"):
        assert word in text
    assert "800 of 800" in text
    assert "renaissance.vital.wound_threshold" in sheet(person("mage"), OPTIONS, library()).why("wound threshold")
    assert "Ilse" in sheet_markdown(sheet(person("mage"), OPTIONS, library()))
    hurt = person("soldier").harm.changed(damage=12, wounds=2, bound=1, luck=1, lost=("left hand",))
    text = sheet_text(sheet(person("soldier", harm=hurt), OPTIONS, library()), 100)
    assert "left hand" in text
    assert "1 bound" in text
    assert "Wolf" in sheet_text(sheet(person("wolf"), OPTIONS, library()), 80)


@each_case("name", ["soldier", "mage", "psion", "archer", "wolf", "frozen_horror", "corpse_minion"])
@each_case("kind", ["yaml", "json"])
def test_files_round_trip(name: str, kind: Any) -> None:
    one = person(name)
    loaded = read_character(character_text(one, kind), RenaissanceCharacter)
    assert loaded.character == one
    assert loaded.messages == ()


@pytest.mark.rule("renaissance.stress.track", "renaissance.injury.wounds", "renaissance.stress.trauma")
def test_a_new_character_is_unhurt_and_has_nothing() -> None:
    new = RenaissanceCharacter(name="New")
    harm = new.harm.model_dump()
    assert not any(harm.values())
    assert new.harm.luck is None
    assert (new.rez, new.opportunity, new.copper, new.points, new.luck) == (0, 0, 0, 800, 1)
    assert (new.spent, new.available, new.belongings, new.advances) == (0, 0, (), ())
    assert not new.is_creature
    bought = Advance(what="luck", cost=15)
    assert (bought.opportunity, bought.ranks, bought.name, bought.detail) == (0, 0, "", "")
    held = Held(id="bleeding")
    assert (held.degree, held.left, held.source, held.data) == (1, None, "", None)
    (ann,) = scene_of({"ann": person("soldier")}).participants
    status = ann.status
    assert (status.damage, status.wounds, status.stress, status.traumas) == (0, 0, 0, 0)
    bare = Status(damage=0, luck=status.luck, durability=status.durability, belongings=ann.character.belongings)
    assert status == bare


def test_more_of_the_sheet() -> None:
    held = (Held(id="disease", source="black_death"), Held(id="bleeding", degree=3))
    harm = Harm(held=held, traumas=2, soothed=1, overwhelmed=True)
    shifter = creature(race="shifter", features=("hybrid_claws", "hybrid_scent"), form="hybrid")
    one = shifter.changed(harm=harm, traits={"enemy": "the duke", "brave": ""}, rez=9)
    shown = sheet(one.changed(kind="character"), OPTIONS, library())
    entries = {entry.label: entry for entry in shown.entries()}
    assert (entries["Ill with"].value, entries["Bleeding"].value) == ("Black Death", "yes")
    assert (entries["Enemy"].value, entries["Brave"].value) == ("the duke", "positive")
    assert (entries["Overwhelmed"].value, entries["Traumas"].note) == ("yes", "1 soothed")
    assert (entries["Hybrid form"].value, entries["Hybrid form"].note) == ("Claws, Scent", "in hybrid form")
    assert (entries["Earned"].value, entries["Available"].value) == (9, 9)
    assert entries["Heavy things"].value == "0 of 3"
    plain = {entry.label: entry for entry in sheet(person("soldier"), OPTIONS, library()).entries()}
    assert "Luck points" not in plain
    assert plain["Heavy things"].value == "1 of 4"
