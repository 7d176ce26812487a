"""Characters of The Stage: attribute levels, tracks, heritage, creatures, files, the sheet."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest

from systems.stage.people import OPTIONS, alone, library, person, somebody
from tablewright.game.character.sheet import sheet_markdown, sheet_text
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.character.figures import (
    armour_set,
    attribute_level,
    attribute_of,
    figures,
    is_literate,
    load,
    resistance,
)
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Skill, Weapon
from tablewright.systems.stage.modifiers import rolled
from tablewright.systems.stage.options import ResourceScale, StageOptions
from tablewright.systems.stage.sheet import sheet
from tablewright.systems.stage.values import ATTRIBUTES, CORE, SKILLS, SURFACE, TRACKS

LEDGER = Ledger.load("stage")
CREATURES = LEDGER["stage.gap.creature.list"].data


@pytest.mark.rule("stage.skill.attributes", "stage.character.attribute_levels")
def test_each_skill_belongs_to_an_attribute_by_the_chapter_that_counts() -> None:
    data = LEDGER["stage.skill.attributes"].data
    for attribute in ATTRIBUTES:
        assert {one.id for one in library().of(Skill) if one.attribute == attribute} == set(data[attribute])
    moved = [skill for skill in SKILLS if attribute_of(skill, library(), "chapter6") != attribute_of(skill, library())]
    assert moved == ["projection", "psionics", "apportation"]
    caster = somebody(projection=2, psionics=1, apportation=3, agility=1)
    by_six = StageOptions(skill_attribute_source="chapter6")
    assert [figures(caster, OPTIONS, library()).level(name) for name in ATTRIBUTES] == [1, 3, 3]
    assert [figures(caster, by_six, library()).level(name) for name in ATTRIBUTES] == [7, 0, 0]


@pytest.mark.rule("stage.character.attribute_levels")
def test_attribute_levels_are_the_sums_of_skill_levels() -> None:
    (example,) = LEDGER["stage.character.attribute_levels"].examples
    levels = figures(somebody(**example["given"]), OPTIONS, library())
    assert {name: levels.level(name) for name in ATTRIBUTES} == dict(example["expect"])


@pytest.mark.rule("stage.resource.tracks")
def test_a_level_feeds_a_surface_and_a_core_track() -> None:
    (example,) = LEDGER["stage.resource.tracks"].examples
    body = figures(somebody(agility=4, guile=example["given"]["body_level"] - 4), OPTIONS, library())
    assert (body.stamina, body.vitality) == (example["expect"]["stamina"], example["expect"]["vitality"])
    for attribute in ATTRIBUTES:
        row = LEDGER["stage.resource.tracks"].data[attribute]
        assert (SURFACE[attribute], CORE[attribute]) == (row["surface"], row["core"])
    assert (body.intellect, body.sanity, body.will, body.spirit) == (0, 0, 0, 0)


@pytest.mark.rule("stage.option.resource_scale")
@pytest.mark.parametrize(
    ("scale", "stamina", "vitality", "intellect"),
    [("standard", 6, 4, 1), ("size_base", 13, 11, 8), ("double", 10, 8, 2), ("triple", 14, 12, 3)],
)
def test_more_forgiving_resources(scale: ResourceScale, stamina: int, vitality: int, intellect: int) -> None:
    assert set(get_args(ResourceScale)) == set(LEDGER["stage.option.resource_scale"].data["values"])
    soldier = somebody(agility=4, academics=1, background="soldier")
    options = StageOptions(resource_scale=scale)
    most = figures(soldier, options, library())
    assert (most.stamina, most.vitality, most.intellect) == (stamina, vitality, intellect)  # bonuses come after scaling
    assert (most.body, most.limits.light) == (4, 4)  # levels themselves stay


@pytest.mark.rule("stage.character.sorfolk", "stage.character.commoner", "stage.character.background")
def test_a_bonus_to_a_track_raises_its_maximum_alone() -> None:
    levels = {"guile": 2, "academics": 1, "perception": 1}
    plain = figures(somebody(**levels), OPTIONS, library())
    most = figures(somebody(**levels, sub_race="sorfolk", background="commoner"), OPTIONS, library())
    data = {**LEDGER["stage.character.sorfolk"].data, **LEDGER["stage.character.commoner"].data}
    raised = {track: getattr(most, track) - getattr(plain, track) for track in TRACKS}
    assert raised == {track: data.get(track, 0) for track in TRACKS}
    assert (most.mind, most.soul) == (1, 1)


@pytest.mark.rule("stage.gap.character.races", "stage.character.background")
def test_a_racial_bonus_changes_the_pool_and_never_the_level() -> None:
    data = LEDGER["stage.gap.character.races"].data
    for race, key, other in [("alp", "guile.sneak", "guile.disable"), ("gettefolk", "athletics.climb", "brawl.attack")]:
        one = somebody(2, race=race)
        dice = data[race]["dice"]
        assert rolled(alone(one), key).dice.total == 2 + next(iter(dice.values()))
        assert rolled(alone(one), other).dice.total == 2
        assert one.level(key.partition(".")[0]) == 2
        most = figures(one, OPTIONS, library())
        assert (most.size, most.speed) == (data[race]["size"], data[race]["speed"])
    assert figures(somebody(2, sub_race="ulder"), OPTIONS, library()).stamina == 16 + data["ulder"]["stamina"]


@pytest.mark.rule("stage.gap.character.backgrounds")
@pytest.mark.parametrize("name", ["commoner", "soldier", "scholar", "outcast"])
def test_backgrounds(name: str) -> None:
    row = LEDGER["stage.gap.character.backgrounds"].data[name]
    plain, born = [somebody(guile=1, medicine=1, survival=1, background=background) for background in ("", name)]
    before, after = [figures(one, OPTIONS, library()) for one in (plain, born)]
    assert [getattr(after, track) - getattr(before, track) for track in TRACKS] == [row.get(each, 0) for each in TRACKS]
    assert is_literate(born, library()) is bool(row.get("literate"))
    assert rolled(alone(born), "survival.track").flat.total == row.get("survival", 0)
    assert rolled(alone(born), "guile.sneak").flat.total == 0


@pytest.mark.rule("stage.academics.literacy", "stage.science.literacy")
def test_rights_to_read_and_write() -> None:
    for skills, literate in (({"medicine": 6}, False), ({"academics": 1}, True), ({"science": 1}, True)):
        assert is_literate(somebody(**skills), library()) is literate
    for ability, literate in (("literacy", True), ("vehicle", False)):
        schooled = somebody(medicine=1, powers=("schooling",), choices={"schooling": [ability]})
        assert is_literate(schooled, library()) is literate


@pytest.mark.rule("stage.gap.creature.list")
@pytest.mark.parametrize("name", list(CREATURES))
def test_creatures_have_their_figures(name: str) -> None:
    row, one = CREATURES[name], person(name)
    most = figures(one, OPTIONS, library())
    assert (most.size, most.speed) == (row["size"], row["speed"])
    assert [most.level(attribute) for attribute in ATTRIBUTES] == list(row["levels"])
    assert armour_set(one, OPTIONS, library()).total == row["defense_points"]
    assert resistance(one, OPTIONS, library()).total == row["resistance"]
    assert load(one, OPTIONS, library()) == Fraction(str(row["load"]))
    assert load(one, OPTIONS, library()) <= most.limits.light
    if "carries" in row:
        assert list(most.limits) == list(row["carries"])
        assert most.will + most.spirit == row["ride"]
    for weapon, text in row["attack"].items():
        found = library().get(Weapon, weapon)
        throw = rolled(alone(one), found.uses[0], weapon=found)
        dice, _, flat = text.partition("d")
        assert (throw.dice.total, throw.flat.total) == (int(dice), int(flat or 0))
    assert rulebook.legality(one, OPTIONS, library()).ok


@pytest.mark.rule("stage.gap.creature.missing_attributes")
def test_a_character_who_has_no_levels_in_an_attribute_has_no_tracks_of_it() -> None:
    for scale in get_args(ResourceScale):
        wolf = figures(person("wolf"), StageOptions(resource_scale=scale), library())
        assert (wolf.intellect, wolf.sanity) == (0, 0)
        assert wolf.vitality > 0
    assert rolled(alone(person("wolf")), "academics.knowledge").dice.total == 1


@pytest.mark.rule("stage.skill.levels")
def test_a_skill_that_is_not_named_is_untrained() -> None:
    thief = somebody(guile=2)
    assert (LEDGER["stage.skill.levels"].data["0"], thief.level("agility")) == ("untrained", 0)
    assert rolled(alone(thief), "agility.balance").untrained
    assert not rolled(alone(thief), "guile.sneak").untrained


@pytest.mark.rule("stage.character.components")
def test_the_record_has_what_a_character_consists_of() -> None:
    ysolt = person("ysolt")
    parts = LEDGER["stage.character.components"].data["parts"]
    assert set(parts) - {"attribute_levels"} <= set(StageCharacter.model_fields)
    assert ysolt.skills
    assert ysolt.powers
    assert ysolt.spells
    assert [attribute_level(ysolt, name, OPTIONS, library()).total for name in ATTRIBUTES] == [3, 2, 2]


def test_the_sheet_explains_its_figures() -> None:
    shown = sheet(person("arlef"), OPTIONS, library())
    assert "Sorfolk +2 [stage.character.sorfolk]" in shown.why("intellect")
    assert "Bow +1 [stage.equipment.bonus]" in shown.why("bow dice")
    text = sheet_text(shown, 100)
    assert "Arlef, human sorfolk commoner" in text
    assert "Cloak and Dagger" in sheet_markdown(shown)
    wounded = person("brynh").changed(wounds=person("brynh").wounds.changed(stamina=0, vitality=1))
    hurt = sheet(wounded, OPTIONS, library())
    assert {entry.label: entry.value for entry in hurt.entries()}["Disability Counters"] == 3
    assert "0 of 4" in sheet_text(hurt)
