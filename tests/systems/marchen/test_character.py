"""Scores, modifiers, thresholds and other figures; files; the sheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from systems.marchen.people import OPTIONS, book, data, library, options, somebody, template, together, total
from systems.playing import examples
from tablewright.cli.program import run
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import character_text, read_character
from tablewright.game.character.sheet import sheet_markdown, sheet_text
from tablewright.systems.marchen.chapters.life import gained, lost, permanently
from tablewright.systems.marchen.character.figures import (
    armour,
    best_specialization,
    current,
    figures,
    hurt_at,
    limits,
    modifier_of,
    movement,
    muscle_bonus,
    score,
    score_modifier,
    threshold,
    weapons,
)
from tablewright.systems.marchen.character.record import Change, MarchenCharacter, Raise
from tablewright.systems.marchen.content import Weapon
from tablewright.systems.marchen.values import ASPECTS

CEPHEUS = options(score_scale="cepheus")


@pytest.mark.rule("marchen.characteristic.modifier", "marchen.gap.score.direct")
def test_a_direct_score_is_its_own_modifier() -> None:
    row = data("marchen.gap.score.direct")
    assert limits(somebody(), OPTIONS) == (row["least"], row["most"])
    for value in range(-4, 5):
        assert modifier_of(value) == value
        assert score_modifier(somebody(muscle=value), "muscle", OPTIONS) == value


@pytest.mark.rule("marchen.characteristic.modifier", "marchen.gap.score.cepheus")
def test_a_long_score_is_a_third_less_two() -> None:
    row = data("marchen.gap.score.cepheus")
    for value, dm in row["dm"].items():
        assert modifier_of(int(value), "cepheus") == dm
    assert [modifier_of(value, "cepheus") for value in (32, 33, 40)] == [8, 9, 9]
    assert limits(somebody(), CEPHEUS) == (row["least"], row["most"])
    assert score_modifier(somebody(muscle=12), "muscle", CEPHEUS) == 2


@pytest.mark.rule("marchen.gap.score.cepheus")
def test_a_character_keeps_the_scale_it_was_made_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.yaml"
    made = ["new", "marchen", "--random", "--seed", "3", "--option", "score_scale=cepheus", "-o", str(file)]
    assert run(made) == 0
    sheets = []
    for more in ((), ("--option", "score_scale=cepheus")):
        capsys.readouterr()
        assert run(["sheet", str(file), *more]) == 0
        told = capsys.readouterr()
        sheets.append(told.out)
        assert "outside the rules" not in told.err
    assert sheets[0] == sheets[1]


@pytest.mark.rule("marchen.gap.score.cepheus_aspect")
def test_aspects_on_the_long_scale_are_means() -> None:
    ((given, expect),) = examples("marchen.gap.score.cepheus_aspect")
    three = dict(zip(("muscle", "agility", "stamina"), given["characteristics"], strict=True))
    one = somebody(**three, physical=4)
    assert score(one, "physical", CEPHEUS).total == expect["aspect"]
    assert score(permanently(one, "physical", 2, "heir", CEPHEUS), "physical", CEPHEUS).total == expect["aspect"] + 2


@pytest.mark.rule("marchen.aspect.current_and_maximum")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.aspect.current_and_maximum"))
def test_current_and_maximum(given: dict[str, Any], expect: dict[str, Any]) -> None:
    one = somebody(spiritual=given["maximum"])
    if given["current"] < given["maximum"]:
        one = lost(one, "spiritual", OPTIONS)
    event = given["event"]
    if event == "name_an_heir":
        one = permanently(one, "spiritual", 1, "heir", OPTIONS)
    else:
        one = gained(one, "spiritual", OPTIONS, beyond=event == "honoring_the_fallen")
    assert current(one, "spiritual", OPTIONS).total == expect["current"]
    assert score(one, "spiritual", OPTIONS).total == expect["maximum"]


@pytest.mark.rule("marchen.aspect.current_and_maximum")
def test_checks_use_the_current_score_and_timed_raises_may_exceed_the_maximum() -> None:
    weak = lost(somebody(social=4), "social", OPTIONS)
    assert total(weak, "social") == 3
    raised = somebody(social=4, raises=(Raise(aspect="social", value=2, phases=2, source="good living"),))
    assert total(raised, "social") == 6
    assert score(raised, "social", OPTIONS).total == 4
    issue = somebody(raises=(Raise(aspect="social", value=1, phases=2, issue="the bridge", source="support"),))
    assert (total(issue, "social"), total(issue, "social", issue="the bridge")) == (0, 1)
    lower = permanently(weak, "social", -1, "burnt", OPTIONS)
    assert (current(lower, "social", OPTIONS).total, score(lower, "social", OPTIONS).total) == (2, 3)


@pytest.mark.rule("marchen.aspect.current_and_maximum", "marchen.option.mythic_levels")
def test_permanent_scores_stay_within_the_scale() -> None:
    assert score(permanently(somebody(faith=4), "faith", 1, "gift", OPTIONS), "faith", OPTIONS).total == 4
    assert score(permanently(somebody(faith=-4), "faith", -1, "loss", OPTIONS), "faith", OPTIONS).total == -4
    mythic = options(mythic_levels=True)
    assert score(permanently(somebody(faith=4), "faith", 3, "gift", mythic), "faith", mythic).total == 6


@pytest.mark.rule("marchen.gap.threshold.size")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.gap.threshold.size"))
def test_thresholds(given: dict[str, Any], expect: dict[str, int]) -> None:
    using = options(score_scale=given.get("score_scale", "direct"))
    three = dict(zip(("intellect", "reasoning", "acuity"), given["characteristics"], strict=True))
    one = somebody(mental=given.get("aspect", 0), **three)
    assert threshold(one, "mental", using).total == expect["threshold"]
    assert figures(one, using).thresholds["mental"] == expect["threshold"]


@pytest.mark.rule("marchen.gap.threshold.size")
def test_each_aspect_has_its_own_threshold() -> None:
    soldier = template("soldier")
    assert [threshold(soldier, aspect, OPTIONS).total for aspect in ASPECTS] == [21, 12, 17, 11]


@pytest.mark.rule("marchen.gap.threshold.hurt")
def test_half_the_threshold_hurts_checks_of_that_aspect() -> None:
    ((given, expect),) = examples("marchen.gap.threshold.hurt")
    assert hurt_at(given["threshold"]) == expect["hurt_at"]
    assert (hurt_at(12), hurt_at(13)) == (6, 7)
    for damage, dm in ((5, 0), (6, -1)):
        wounded = somebody().changed(wounds={"damage": {"physical": damage}})
        assert total(wounded, "muscle") == dm
        assert total(wounded, "athletics") == -3 + dm
        assert total(wounded, "intellect") == 0


@pytest.mark.rule("marchen.resource.tracks")
def test_conditions_and_what_stays_from_facing_the_end() -> None:
    one = somebody().changed(
        wounds={"conditions": [{"name": "sick", "aspect": "physical"}, {"name": "lame", "aspect": "physical"}]}
    )
    assert (total(one, "physical"), total(one, "stealth"), total(one, "faith")) == (-2, -5, 0)
    shaken = somebody().changed(wounds={"weight": {"mental": 2}})
    assert (total(shaken, "physical"), total(shaken, "mental")) == (-2, -2)


@pytest.mark.rule("marchen.resource.tracks")
def test_starting_equipment_and_its_limits() -> None:
    tracks = data("marchen.resource.tracks")
    fresh = MarchenCharacter(name="Ann")
    assert (fresh.supply, fresh.treasure) == (tracks["supply"]["starts_at"], 3)
    assert not fresh.wounds.damage
    for wrong in ({"supply": tracks["supply"]["max"] + 1}, {"supply": -1}, {"treasure": -1}, {"experience": -1}):
        with pytest.raises(Exception, match="equal"):
            MarchenCharacter(name="Ann", **wrong)
    for name in ("traits", "virtues", "songs", "holdings", "sanctuaries", "connections", "heir", "spouse"):
        assert hasattr(fresh, name)


@pytest.mark.rule("marchen.gap.armour.natural")
def test_natural_armour() -> None:
    row = data("marchen.gap.armour.natural")
    for aspect, characteristic in row.items():
        for value in (-2, 0, 3):
            one = somebody(**{characteristic: value})
            assert armour(one, aspect, OPTIONS, library()).total == max(0, value)
    assert armour(somebody(stamina=3), "physical", OPTIONS, library()).total == 0
    assert armour(somebody(hide=4), "physical", OPTIONS, library()).total == 4
    worn = somebody(hide=1, belongings=(ItemStack("mail", place="worn"), ItemStack("shield", place="hand")))
    assert armour(worn, "physical", OPTIONS, library()).total == 1 + 5 + 1
    assert armour(worn, "mental", OPTIONS, library()).total == 0


@pytest.mark.rule("marchen.gap.movement.metres")
def test_movement() -> None:
    assert (
        movement(somebody()).total
        == data("marchen.gap.movement.metres")["metres"]
        == figures(somebody(), OPTIONS).movement
    )


def test_weapons_at_hand() -> None:
    soldier = template("soldier")
    assert [weapon.id for weapon in weapons(soldier, library())] == ["sword", "unarmed"]
    assert [weapon.id for weapon in weapons(template("wolf"), library())] == ["bite", "unarmed"]
    assert best_specialization(soldier, library().get(Weapon, "sword")) == "Broadsword"
    assert best_specialization(soldier, library().get(Weapon, "bow")) == ""
    assert (muscle_bonus(soldier, OPTIONS), muscle_bonus(somebody(muscle=-3), OPTIONS)) == (2, 0)


@pytest.mark.rule("marchen.aspect.list")
@pytest.mark.parametrize("names", ["srd", "fame"])
def test_names_of_aspects(names: str) -> None:
    sheet = book().sheet(template("soldier"), options(aspect_names=names), library())
    labels = [entry.label for entry in sheet.sections[0].entries]
    shown = data("marchen.aspect.list")["display_names"]
    assert set(shown[names].values()) <= set(labels)
    assert not set(shown["fame" if names == "srd" else "srd"].values()) & set(labels)


def test_the_sheet_explains_itself() -> None:
    sheet = book().sheet(template("soldier"), OPTIONS, library())
    assert sheet.why("Physical Threshold").splitlines()[-1] == "= 21"
    assert "Broadsword +2 [marchen.check.specialization]" in sheet.why("Sword Attack")
    assert sheet.why("Sword Attack").splitlines()[-2:] == ["technology -1 [marchen.tech.difference_dm]", "= 7"]
    text = sheet_text(sheet)
    for word in ("Apprentice", "old captain 1 (Amiable)", "3 terms, rank 2", "3D6+2", "Years of study 38 (of 48)"):
        assert word in text
    assert "# Roland" in sheet_markdown(sheet)
    tiers = sheet_text(book().sheet(template("soldier"), options(damage_model="tiers"), library()))
    assert "3D6" not in tiers


@pytest.mark.rule("marchen.resource.tracks", "marchen.gap.damage.formula")
def test_weapons_on_the_sheet() -> None:
    def rows(left: int | None, **scores: int) -> dict[str, Any]:
        held = (ItemStack("sword", 1, "hand", left), ItemStack("bow", 1, "hand"), ItemStack("spear"))
        one = somebody(skills={"melee_combat": 0, "ranged_combat": 0, "unarmed_combat": 0}, belongings=held, **scores)
        (found,) = [part for part in book().sheet(one, OPTIONS, library()).sections if part.title == "Weapons"]
        every: Any = found.rows
        return {name: (attack.total, damage, far) for name, attack, damage, far in every}

    plain = rows(None)
    assert [rows(left)["Sword"][0] - plain["Sword"][0] for left in (4, 3, 1)] == [0, -1, -3]  # what it has suffered
    assert [plain[name][1:] for name in ("Sword", "Bow", "Unarmed")] == [
        ("3D6", "touch"),
        ("2D6", "see"),
        ("1D6", "touch"),
    ]
    assert [rows(None, muscle=muscle)["Sword"][1] for muscle in (-2, 1, 3)] == ["3D6", "3D6+1", "3D6+3"]
    assert rows(None, muscle=3)["Bow"][1] == "2D6"


@pytest.mark.parametrize("kind", ["yaml", "json"])
@pytest.mark.parametrize("id_", ["soldier", "mystic", "witch"])
def test_characters_go_to_files_and_back(id_: str, kind: Any) -> None:
    one = template(id_).changed(changes=(Change(what="faith", value=1, source="gift"),), current={"social": 1})
    back = read_character(character_text(one, kind), MarchenCharacter)
    assert back.character == one
    assert not back.messages
    assert json.loads(json.dumps(one.to_json())) == one.to_json()


def test_unknown_fields_are_kept() -> None:
    text = character_text(template("soldier")) + "hat: red\n"
    loaded = read_character(text, MarchenCharacter)
    assert loaded.character.unknown == {"hat": "red"}
    assert "hat" in loaded.messages[0]


@pytest.mark.rule("marchen.core.selection")
def test_the_core_can_change_in_the_middle_of_a_campaign() -> None:
    session = together(template("soldier"), template("mystic"))
    for core in ("D100", "4d7", "2d6"):
        session.do("table.set_option", name="core", value=core, reason="more swing")
        assert session.scene.options.core == core
        for one in session.scene.participants:
            assert book().legality(one.character, session.scene.options, library()).ok
        session.do("table.check", who="roland", what="athletics")
        session.type_in([2] * {"D100": 1, "4d7": 4, "2d6": 2}[core])
        assert (
            session.result.effect
            == 2 * {"D100": 1, "4d7": 4, "2d6": 2}[core]
            + 6 * (5 if core == "D100" else 1)
            - {
                "D100": 51,
                "4d7": 16,
                "2d6": 8,
            }[core]
        )


@pytest.mark.rule("marchen.gap.generation.method", "marchen.aspect.list")
@pytest.mark.parametrize(("name", "value"), [("score_scale", "cepheus"), ("generation", "points")])
def test_options_of_creation_cannot_change_in_a_game(name: str, value: str) -> None:
    session = together(template("wolf"))
    with pytest.raises(IllegalActionError, match="cannot change once a game has begun"):
        session.do("table.set_option", name=name, value=value, reason="why not")


@pytest.mark.rule("marchen.option.mythic_levels")
def test_levels_above_four_keep_a_table_mythic() -> None:
    demigod = somebody("Ann", skills={"stealth": 2}, specials=[("stealth", "Shadowing", 5)])
    session = together(demigod, mythic_levels=True)
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.cap"):
        session.do("table.set_option", name="mythic_levels", value="false", reason="enough of them")


@pytest.mark.rule("marchen.gap.damage.tiers")
def test_thresholds_where_damage_goes_by_tiers() -> None:
    tiers = options(damage_model="tiers")
    assert threshold(somebody(physical=2, muscle=3), "physical", tiers).total == 6
    assert threshold(somebody(physical=-4), "physical", tiers).total == 1
    long = options(damage_model="tiers", score_scale="cepheus")
    assert threshold(somebody(muscle=12, agility=12, stamina=12), "physical", long).total == 6


FIGURES = [  # modifiers, thresholds, first weapon, attack, armour, sums of skills and specializations, the rest
    ("soldier", "3 -1 1 1 2 2 2 1 -1 1 1 1 2 -1 1 -2", (21, 12, 17, 11), "sword", 8, 6, 45, 15, (7, 3, 30, 2)),
    ("hunter", "2 1 -1 1 3 2 1 2 1 2 -1 1 1 -1 -2 1", (20, 18, 12, 11), "bow", 8, 3, 45, 13, (6, 3, 30, 2)),
    ("healer", "-1 2 1 3 -1 1 1 2 1 1 1 1 -1 -2 2 2", (12, 18, 14, 17), "cudgel", -2, 3, 37, 15, (6, 3, 30, 2)),
    ("mystic", "-1 1 1 3 -1 1 1 1 1 2 -2 1 -1 2 2 2", (12, 17, 11, 21), "spear", -2, 3, 35, 17, (6, 3, 30, 2)),
    ("courtier", "-1 1 3 -1 -1 1 1 1 1 2 2 2 2 1 -2 1", (12, 17, 21, 11), "dagger", -2, 0, 46, 15, (8, 3, 30, 2)),
    ("rogue", "2 1 1 -2 1 3 1 1 2 2 -1 2 1 1 -1 -1", (19, 18, 15, 9), "dagger", 3, 3, 47, 15, (8, 3, 30, 2)),
]


@pytest.mark.parametrize(
    ("id_", "scores", "limits_", "weapon", "attack", "rating", "skills", "specials", "rest"), FIGURES
)
def test_templates_have_their_figures(
    id_: str,
    scores: str,
    limits_: tuple[int, ...],
    weapon: str,
    attack: int,
    rating: int,
    skills: int,
    specials: int,
    rest: tuple[int, ...],
) -> None:
    one = template(id_)
    found = figures(one, OPTIONS)
    assert " ".join([str(value) for value in found.modifiers.values()]) == scores
    assert tuple(found.thresholds.values()) == limits_
    first = weapons(one, library())[0]
    assert first.id == weapon
    assert total(one, first.skill, specialization=best_specialization(one, first)) == attack
    assert armour(one, "physical", OPTIONS, library()).total == rating
    assert sum([total(one, skill) for skill in one.skills]) == skills
    assert sum([total(one, known.skill, specialization=known.name) for known in one.specializations]) == specials
    assert (one.treasure, one.supply, one.age, one.home_tl) == rest
    assert one.careers[0].terms == (one.age - 18) // 4
