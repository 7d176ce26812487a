"""Scores, modifiers, thresholds and other figures; files; the sheet."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import begun, duel, fighter
from systems.marchen.people import OPTIONS, book, data, hero, hurt, library, options, somebody, template, total
from systems.playing import examples
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
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
from tablewright.systems.marchen.character.record import FOR_GOOD, Condition, MarchenCharacter, Raise, Study, Wounds
from tablewright.systems.marchen.content import Weapon
from tablewright.systems.marchen.now import body
from tablewright.systems.marchen.values import ASPECTS, Aspect

CEPHEUS = options(score_scale="cepheus")


@pytest.mark.rule("marchen.characteristic.modifier", "marchen.gap.score.direct", "marchen.gap.score.cepheus")
def test_a_direct_score_is_its_own_modifier_and_a_long_one_is_a_third_less_two() -> None:
    direct, long = data("marchen.gap.score.direct"), data("marchen.gap.score.cepheus")
    assert limits(somebody(), OPTIONS) == (direct["least"], direct["most"])
    for value in range(-4, 5):
        assert modifier_of(value) == score_modifier(somebody(muscle=value), "muscle", OPTIONS) == value
    assert limits(somebody(), CEPHEUS) == (long["least"], long["most"])
    assert {value: modifier_of(int(value), "cepheus") for value in long["dm"]} == dict(long["dm"])
    assert [modifier_of(value, "cepheus") for value in (32, 33, 40)] == [8, 9, 9]
    assert score_modifier(somebody(muscle=12), "muscle", CEPHEUS) == 2


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


@pytest.mark.rule("marchen.aspect.current_and_maximum", "marchen.option.mythic_levels")
def test_checks_use_the_current_score_and_only_timed_raises_may_exceed_the_maximum() -> None:
    weak = lost(somebody(social=4), "social", OPTIONS)
    assert total(weak, "social") == 3
    raised = somebody(social=4, raises=(Raise(aspect="social", value=2, phases=2, source="good living"),))
    assert (total(raised, "social"), score(raised, "social", OPTIONS).total) == (6, 4)
    issue = somebody(raises=(Raise(aspect="social", value=1, phases=2, issue="the bridge", source="support"),))
    assert (total(issue, "social"), total(issue, "social", issue="the bridge")) == (0, 1)
    lower = permanently(weak, "social", -1, "burnt", OPTIONS)
    assert (current(lower, "social", OPTIONS).total, score(lower, "social", OPTIONS).total) == (2, 3)
    for faith, change, using, after in (
        (4, 1, OPTIONS, 4),
        (-4, -1, OPTIONS, -4),
        (4, 3, options(mythic_levels=True), 6),
    ):
        assert score(permanently(somebody(faith=faith), "faith", change, "gift", using), "faith", using).total == after


@pytest.mark.rule("marchen.gap.threshold.size")
def test_thresholds() -> None:
    for given, expect in examples("marchen.gap.threshold.size"):
        using = options(score_scale=given.get("score_scale", "direct"))
        three = dict(zip(("intellect", "reasoning", "acuity"), given["characteristics"], strict=True))
        one = somebody(mental=given.get("aspect", 0), **three)
        assert threshold(one, "mental", using).total == expect["threshold"]
        assert figures(one, using).thresholds["mental"] == expect["threshold"]
    for one in (somebody(), template("wolf"), template("ghost")):  # nobody has a threshold of nothing
        for aspect in ASPECTS:
            assert figures(one, CEPHEUS).thresholds[aspect] == threshold(one, aspect, CEPHEUS).total >= 4
    scene = begun(duel(fighter("Ann"), score_scale="cepheus")).scene
    assert body(scene, "ann", "physical").bearing.threshold == 4


@pytest.mark.rule("marchen.gap.threshold.hurt", "marchen.resource.tracks")
def test_half_the_threshold_hurts_checks_of_that_aspect_and_so_do_conditions() -> None:
    ((given, expect),) = examples("marchen.gap.threshold.hurt")
    assert [hurt_at(size) for size in (given["threshold"], 12, 13)] == [expect["hurt_at"], 6, 7]
    for damage, dm in ((5, 0), (6, -1)):
        wounded = somebody(wounds=hurt(physical=damage))
        assert [total(wounded, what) for what in ("muscle", "athletics", "intellect")] == [dm, -3 + dm, 0]
    lame = tuple([Condition(name=name, aspect="physical") for name in ("sick", "lame")])
    assert [total(somebody(wounds=Wounds(conditions=lame)), what) for what in ("physical", "stealth", "faith")] == [
        -2,
        -5,
        0,
    ]
    shaken = somebody(wounds=Wounds(weight=Ranks({"mental": 2})))  # from facing the end
    assert [total(shaken, what) for what in ("physical", "mental")] == [-2, -2]


@pytest.mark.rule("marchen.resource.tracks")
def test_starting_equipment_and_its_limits() -> None:
    supply = data("marchen.resource.tracks")["supply"]
    fresh = MarchenCharacter(name="Ann")
    assert (fresh.supply, fresh.treasure, dict(fresh.wounds.damage)) == (supply["starts_at"], 3, {})
    for wrong in ({"supply": supply["max"] + 1}, {"supply": -1}, {"treasure": -1}, {"experience": -1}):
        with pytest.raises(Exception, match="equal"):
            MarchenCharacter(name="Ann", **wrong)


@pytest.mark.rule("marchen.gap.armour.natural")
def test_natural_armour() -> None:
    def points(aspect: Aspect, **fields: Any) -> int:
        return armour(somebody(**fields), aspect, OPTIONS, library()).total

    for aspect, characteristic in data("marchen.gap.armour.natural").items():
        assert [points(aspect, **{characteristic: value}) for value in (-2, 0, 3)] == [0, 0, 3]
    assert (points("physical", stamina=3), points("physical", hide=4)) == (0, 4)
    worn = (ItemStack("mail", place="worn"), ItemStack("shield", place="hand"))
    assert points("physical", hide=1, belongings=worn) == 1 + 5 + 1
    assert points("mental", hide=1, belongings=worn) == 0


@pytest.mark.rule("marchen.gap.movement.metres")
def test_movement_and_weapons_at_hand() -> None:
    metres = data("marchen.gap.movement.metres")["metres"]
    assert movement(somebody()).total == figures(somebody(), OPTIONS).movement == metres
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


@pytest.mark.rule("marchen.tech.table")
def test_the_sheet_explains_itself() -> None:
    soldier = template("soldier")
    sheet = book().sheet(soldier, OPTIONS, library())
    assert sheet.why("Physical Threshold").splitlines()[-1] == "= 21"
    assert "Broadsword +2 [marchen.check.specialization]" in sheet.why("Sword Attack")
    assert sheet.why("Sword Attack").splitlines()[-2:] == ["technology -1 [marchen.tech.difference_dm]", "= 7"]
    text = sheet_text(sheet)
    for word in ("Apprentice", "old captain 1 (Amiable)", "3 terms, rank 2", "3D6+2", "Years of study 38 (of 48)"):
        assert word in text
    assert "# Roland" in sheet_markdown(sheet)
    assert "3D6" not in sheet_text(book().sheet(soldier, options(damage_model="tiers"), library()))
    for level, note in ((3, "Primitive"), (4, "Industrial")):
        sheet = book().sheet(soldier.changed(home_tl=level), OPTIONS, library())
        entry = next(one for part in sheet.sections for one in part.entries if one.label == "Technology level")
        assert (entry.value, entry.note) == (str(level), note)


@pytest.mark.rule("marchen.resource.tracks", "marchen.gap.damage.formula")
def test_weapons_on_the_sheet() -> None:
    def rows(left: int | None = None, **scores: int) -> dict[str, Any]:
        worn = ItemStack("sword", 1, "pack", left=1)  # the conditions of another one do not count
        held = (worn, ItemStack("sword", 1, "hand", left), ItemStack("bow", 1, "hand"), ItemStack("spear"))
        one = somebody(skills={"melee_combat": 0, "ranged_combat": 0, "unarmed_combat": 0}, belongings=held, **scores)
        (found,) = [part for part in book().sheet(one, OPTIONS, library()).sections if part.title == "Weapons"]
        every: Any = found.rows
        return {name: (attack.total, damage, far) for name, attack, damage, far in every}

    plain = rows()
    assert [rows(left)["Sword"][0] - plain["Sword"][0] for left in (4, 3, 1)] == [0, -1, -3]  # what it has suffered
    shown = {"Sword": ("3D6", "touch"), "Bow": ("2D6", "see"), "Unarmed": ("1D6", "touch")}
    assert {name: plain[name][1:] for name in shown} == shown
    assert [rows(muscle=muscle)["Sword"][1] for muscle in (-2, 1, 3)] == ["3D6", "3D6+1", "3D6+3"]
    assert rows(muscle=3)["Bow"][1] == "2D6"


FIGURES = {  # modifiers, thresholds, first weapon, attack, armour, sums of skills and specializations, the rest
    "soldier": ("3 -1 1 1 2 2 2 1 -1 1 1 1 2 -1 1 -2", (21, 12, 17, 11), "sword", 8, 6, 45, 15, (7, 3, 30, 2)),
    "hunter": ("2 1 -1 1 3 2 1 2 1 2 -1 1 1 -1 -2 1", (20, 18, 12, 11), "bow", 8, 3, 45, 13, (6, 3, 30, 2)),
    "healer": ("-1 2 1 3 -1 1 1 2 1 1 1 1 -1 -2 2 2", (12, 18, 14, 17), "cudgel", -2, 3, 37, 15, (6, 3, 30, 2)),
    "mystic": ("-1 1 1 3 -1 1 1 1 1 2 -2 1 -1 2 2 2", (12, 17, 11, 21), "spear", -2, 3, 35, 17, (6, 3, 30, 2)),
    "courtier": ("-1 1 3 -1 -1 1 1 1 1 2 2 2 2 1 -2 1", (12, 17, 21, 11), "dagger", -2, 0, 46, 15, (8, 3, 30, 2)),
    "rogue": ("2 1 1 -2 1 3 1 1 2 2 -1 2 1 1 -1 -1", (19, 18, 15, 9), "dagger", 3, 3, 47, 15, (8, 3, 30, 2)),
}


@each_case(("id_", "expected"), FIGURES.items())
def test_templates_have_their_figures(id_: str, expected: tuple[Any, ...]) -> None:
    one = template(id_)
    found, first = figures(one, OPTIONS), weapons(one, library())[0]
    assert expected == (
        " ".join([str(value) for value in found.modifiers.values()]),
        tuple(found.thresholds.values()),
        first.id,
        total(one, first.skill, specialization=best_specialization(one, first)),
        armour(one, "physical", OPTIONS, library()).total,
        sum([total(one, skill) for skill in one.skills]),
        sum([total(one, known.skill, specialization=known.name) for known in one.specializations]),
        (one.treasure, one.supply, one.age, one.home_tl),
    )
    assert one.careers[0].terms == (one.age - 18) // 4


@pytest.mark.rule("marchen.resource.tracks", "marchen.gap.face.outcomes")
def test_a_sheet_tells_what_weighs_and_what_raises() -> None:
    scar = Condition(name="social scar", aspect="social", permanent=True)
    wounds = Wounds(conditions=(scar,), down=True, conscious=False, dying="watch", weight=Ranks({"physical": 2}))
    raised = Raise(aspect="social", value=1, phases=1, issue="the trial", source="support")
    fought = Raise(aspect="social", value=2, phases=FOR_GOOD, issue="Hanse", source="sparring")
    study = Study(skill="stealth", seasons=3)
    one = hero(wounds=wounds, raises=(raised, fought), studies=(study,), discount=6)
    text = " ".join(sheet_text(book().sheet(one, options(aspect_names="fame"), library())).split())
    for part in (
        "Social Scar -1 on emotional checks (for good)",
        "Faced the end -2 on everything (until the damage is down)",
        "State down, unconscious, dying within a watch",
        "social +1 in the trial for 1 season (support), social +2 in Hanse (sparring)",
        "In training Stealth, 3 seasons",
        "Off the next raise of standing 6",
    ):
        assert part in text
    dead = hero(wounds=Wounds(fate="dead", down=True, conscious=False))
    text = " ".join(sheet_text(book().sheet(dead, OPTIONS, library())).split())
    assert "Fate dead" in text
    assert "State" not in text
