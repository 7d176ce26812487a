"""Checks by name: every modifier of the book in words, contests with Luck, what is refused and why."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.renaissance.folk import LEDGER, OPTIONS, goal, library, person, plan, session_of, somebody
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.common_events import Checked
from tablewright.game.session.views import project_log
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.character.record import Harm
from tablewright.systems.renaissance.checks import CHECKS, Difficulty, related_bonus
from tablewright.systems.renaissance.content import Language, SpecialNumber
from tablewright.systems.renaissance.mechanics.turn import timeframe
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import Grade, Quality

ANN = somebody("Ann", COO=20, COG=20, skills={"stealth": 40, "knowledge:theology": 10, "medicine": 9})


def refused(rule: str, what: str, character: Any = ANN, options: RenaissanceOptions = OPTIONS, **situation: Any) -> str:
    """The reason why a check is refused, by this rule."""
    with pytest.raises(IllegalActionError) as error:
        plan(what, character, options, **situation)
    assert error.value.rule == rule
    return error.value.message


# ---------------------------------------------------------------------- one check


@pytest.mark.rule("renaissance.check.skill_target")
@pytest.mark.parametrize("example", LEDGER["renaissance.check.skill_target"].examples)
def test_skill_checks_from_a_character(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    found = plan("stealth", ANN, modifier=given["modifiers"][0])
    assert found.tallies["target"].total == expect["target"]
    assert play(found.call, TypedDice([given["roll"]])).result.succeeds is expect["success"]


@pytest.mark.rule("renaissance.core.stacking")
def test_everything_stacks() -> None:
    modifiers = LEDGER["renaissance.core.stacking"].examples[0]["given"]["modifiers"]
    expected = LEDGER["renaissance.core.stacking"].examples[0]["expect"]["total_modifier"]
    hurt = ANN.changed(harm=Harm(wounds=1))
    words: dict[str, Any] = {"difficulty": "easy", "attempt": 2, "passive": True, "helpers": 1}
    assert sorted([20, -10, -10, -20, 10]) == sorted(modifiers)
    assert goal("stealth", hurt, **words) == 60 + expected


@pytest.mark.rule("renaissance.gap.skill.untrained")
def test_a_skill_without_ranks() -> None:
    assert goal("sleight_of_hand", ANN) == 20
    other = RenaissanceOptions(untrained="related_skill")
    assert goal("sleight_of_hand", ANN, other, related="stealth") == 60 - 30
    assert goal("stealth", ANN, other, related="knowledge:theology") == 60 + 10  # with ranks nothing changes
    reason = refused("renaissance.gap.skill.untrained", "sleight_of_hand", options=other)
    assert "name a related skill" in reason
    refused("renaissance.gap.skill.untrained", "sleight_of_hand", options=other, related="fray")


@pytest.mark.rule("renaissance.gap.check.special_numbers", "renaissance.check.target_sources")
@each_case(("name", "formula"), LEDGER["renaissance.gap.check.special_numbers"].data.items())
def test_special_numbers_row_by_row(name: str, formula: str) -> None:
    one = somebody(COG=11, COO=12, INT=13, REF=14, SAV=16, SOM=17, WIL=18, luck=4)
    figures = {
        "COG": 11,
        "COO": 12,
        "INT": 13,
        "REF": 14,
        "SAV": 16,
        "SOM": 17,
        "WIL": 18,
        "DUR": 30,
        "STR": 30,
        "LUCK": 4,
    }
    expected = sum([figures[term.split("*")[0]] * int(([*term.split("*"), "1"])[1]) for term in formula.split("+")])
    assert goal(name, one) == expected
    assert str(library().get(SpecialNumber, name).formula) == formula


@pytest.mark.rule("renaissance.check.target_sources")
@pytest.mark.parametrize("formula", LEDGER["renaissance.check.target_sources"].data["aptitude_targets_in_seed"])
def test_any_combination_of_figures(formula: str) -> None:
    one = somebody(COG=11, COO=12, INT=13, REF=14, SAV=16, SOM=17, WIL=18)
    figures = {"COG": 11, "COO": 12, "REF": 14, "SOM": 17, "WIL": 18, "DUR": 30, "STR": 30}
    expected = sum([figures[term.split("*")[0]] * int(([*term.split("*"), "1"])[1]) for term in formula.split("+")])
    assert goal("aptitudes", one, formula=formula) == expected
    with pytest.raises(InvalidInputError, match="is not a target"):
        plan("aptitudes", one, formula="XYZ*2")


# ---------------------------------------------------------------------- modifiers by name


@pytest.mark.rule("renaissance.modifier.assist")
@pytest.mark.parametrize(("helpers", "bonus"), [(0, 0), (1, 10), (2, 20), (3, 30), (4, 30), (9, 30)])
def test_helpers_add_ten_each_up_to_thirty(helpers: int, bonus: int) -> None:
    assert goal("stealth", ANN, helpers=helpers) == 60 + bonus


@pytest.mark.rule("renaissance.modifier.assist", "renaissance.gap.class.soldier")
def test_possible_assistants() -> None:
    bob = somebody("Bob", skills={"perception": 10, "stealth": 9, "pole_arms": 30, "fray": 30})
    session = session_of({"ann": ANN, "bob": bob, "cy": bob.changed(classes=("soldier",))})
    subject = rulebook.subject(session.scene["ann"], session.scene)
    stealth = rulebook.check("stealth")
    found = stealth.read(subject, {"assistants": ["bob=perception"]})
    assert found.tallies["target"].total == 70
    for wrong in ("bob", "ann=stealth", "bob=research"):
        with pytest.raises(IllegalActionError) as error:
            stealth.read(subject, {"assistants": [wrong]})
        assert error.value.rule == "renaissance.modifier.assist"
    attack = rulebook.check("pole_arms")
    assert attack.read(subject, {"assistants": ["cy"]}).tallies["target"].total == 25
    for words in ({"assistants": ["bob"]}, {"helpers": "1"}):
        with pytest.raises(IllegalActionError, match="unless by a Soldier"):
            attack.read(subject, words)
    with pytest.raises(InvalidInputError, match="named in a scene"):
        plan("stealth", ANN, assistants=["bob"])


@pytest.mark.rule("renaissance.modifier.retry", "renaissance.modifier.retry_penalty")
@pytest.mark.parametrize(("attempt", "cumulative", "flat"), [(1, 0, 0), (2, -10, -10), (3, -20, -10), (5, -40, -10)])
def test_trying_again(attempt: int, cumulative: int, flat: int) -> None:
    assert goal("stealth", ANN, attempt=attempt) == 60 + cumulative
    assert goal("stealth", ANN, RenaissanceOptions(retry_penalty="flat"), attempt=attempt) == 60 + flat


@pytest.mark.rule("renaissance.modifier.related_skill", "renaissance.modifier.related_skill_25")
@pytest.mark.parametrize("row", LEDGER["renaissance.modifier.related_skill"].data["bands_default"])
def test_related_skill_band_by_band(row: Any) -> None:
    for ranks in (row["min"], row["max"] if row["max"] is not None else 70):
        one = ANN.changed(skills=ANN.skills.put("knowledge:theology", ranks))
        assert goal("stealth", one, related="knowledge:theology") == 60 + row["bonus"]
    assert related_bonus(25, OPTIONS) == 20
    lower = RenaissanceOptions(related_skill_25="lower")
    assert [related_bonus(ranks, lower) for ranks in (24, 25, 26)] == [10, 10, 20]


@pytest.mark.rule("renaissance.modifier.related_skill")
def test_one_other_skill_is_related() -> None:
    assert "not related to itself" in refused("renaissance.modifier.related_skill", "stealth", related="stealth")
    with pytest.raises(InvalidInputError):
        plan("stealth", ANN, related="swimming")


@pytest.mark.rule("renaissance.modifier.specialization")
def test_specialization_adds_ten_where_it_applies() -> None:
    one = ANN.changed(specializations={"stealth": "crowds"})
    assert (goal("stealth", one), goal("stealth", one, specialized=True)) == (60, 70)
    refused("renaissance.modifier.specialization", "stealth", specialized=True)


@pytest.mark.rule("renaissance.modifier.field_specialization")
def test_each_field_has_its_own_specialization() -> None:
    fields = {"art:painting": 20, "art:music": 20}
    one = somebody(INT=15, skills=fields, specializations={"art:painting": "Landscapes"})
    assert goal("art", one, field="painting", specialized=True) == 45
    assert plan("art", one, field="Painting", specialized=True).tallies["target"].parts[-1].label == "[Landscapes]"
    refused("renaissance.modifier.field_specialization", "art", one, field="music", specialized=True)


@pytest.mark.rule("renaissance.modifier.difficulty", "renaissance.gap.check.difficulty_names")
@pytest.mark.parametrize(("name", "value"), LEDGER["renaissance.gap.check.difficulty_names"].data.items())
def test_difficulties_by_name(name: str, value: int) -> None:
    assert goal("stealth", ANN, difficulty=name.replace("_", " ").title()) == 60 + value
    assert goal("stealth", ANN, difficulty=str(value)) == 60 + value
    assert str(Difficulty(value)) == name


@pytest.mark.rule("renaissance.modifier.difficulty")
def test_difficulties_between_and_beyond() -> None:
    data = LEDGER["renaissance.modifier.difficulty"].data
    assert (goal("stealth", ANN, difficulty=str(data["min"])), goal("stealth", ANN, difficulty=str(data["max"]))) == (
        30,
        90,
    )
    assert goal("stealth", ANN, difficulty="-7") == 53
    for wrong in ("31", "-31", "impossible", "1.5"):
        with pytest.raises(InvalidInputError, match="is no difficulty"):
            Difficulty.parse(wrong)


@pytest.mark.rule("renaissance.modifier.taking_time")
@pytest.mark.parametrize("row", LEDGER["renaissance.modifier.taking_time"].data)
def test_taking_time(row: Any) -> None:
    assert goal("stealth", ANN, minutes=60, slower=row["steps"]) == 60 + row["modifier"]
    assert timeframe(60, row["steps"]) == 60 * row["time_multiplier"]


@pytest.mark.rule("renaissance.modifier.rushing")
@pytest.mark.parametrize("row", LEDGER["renaissance.modifier.rushing"].data)
def test_rushing(row: Any) -> None:
    assert goal("stealth", ANN, minutes=60, faster=row["steps"]) == 60 + row["modifier"]
    assert timeframe(60, -row["steps"]) == 60 * row["time_multiplier"]


@pytest.mark.rule("renaissance.modifier.taking_time", "renaissance.modifier.rushing")
def test_time_only_counts_for_tasks_and_not_both_ways() -> None:
    refused("renaissance.modifier.taking_time", "stealth", slower=1)
    refused("renaissance.modifier.rushing", "stealth", faster=1)
    refused("renaissance.modifier.rushing", "stealth", minutes=60, faster=1, slower=1)
    with pytest.raises(InvalidInputError):
        plan("stealth", ANN, minutes=60, slower=4)


@pytest.mark.rule("renaissance.modifier.situational")
def test_whatever_else_the_game_master_adds() -> None:
    assert goal("stealth", ANN, modifier=-35) == 25
    session = session_of({"ann": ANN})
    for word, value in (("stealth", 5), ("any", 7), ("physical", -3), ("social", 50)):
        session.do("table.modify", what=word, value=value, reason=word, who="ann")
    found = rulebook.check("stealth").read(rulebook.subject(session.scene["ann"], session.scene), {})
    assert found.tallies["target"].total == 60 + 5 + 7 - 3


@pytest.mark.rule("renaissance.modifier.passive")
def test_passive_checks() -> None:
    data = LEDGER["renaissance.modifier.passive"].data
    assert goal("perception", ANN, passive=True) == 15 + data["modifier"]
    assert goal("realize", ANN, passive=True) == 60 - 20
    session = session_of({"ann": ANN})
    session.do("table.check", who="ann", what="perception", situation=["passive=yes"], audience="blind")
    session.type_in([3])
    assert [line.result for line in session.log if isinstance(line, Checked)] == [""]  # rolled in secret
    alert = ANN.changed(traits={"alert": ""})
    assert goal("perception", alert, passive=True) == 15
    assert goal("stealth", alert, passive=True) == 40


@pytest.mark.rule("renaissance.modifier.common_knowledge")
@pytest.mark.parametrize(("ranks", "known"), [(0, False), (9, False), (10, True), (40, True)])
def test_common_knowledge_needs_no_roll(ranks: int, known: bool) -> None:
    one = ANN.changed(skills={"knowledge:law": ranks})
    found = plan("knowledge", one, field="law", common=True)
    assert play(found.call, TypedDice([])).result is known


@pytest.mark.rule("renaissance.simple.check")
def test_simple_checks_have_no_grades() -> None:
    found = plan("stealth", ANN, simple=True)
    assert [play(found.call, TypedDice([roll])).result for roll in (0, 60, 61, 99)] == [
        Quality.EXCEL,
        Quality.EXCEL,
        Quality.STUMBLE,
        Quality.STUMBLE,
    ]


@pytest.mark.rule("renaissance.action.sustain_penalty", "renaissance.gap.class.channeler")
@pytest.mark.parametrize(("sustained", "penalty", "channeled"), [(0, 0, 0), (1, 0, 0), (2, -10, 0), (3, -20, -10)])
def test_sustaining_several_things(sustained: int, penalty: int, channeled: int) -> None:
    example = LEDGER["renaissance.action.sustain_penalty"].examples[0]
    if sustained == example["given"]["sustained"]:
        assert penalty == example["expect"]["modifier"]
    keeps = tuple([Sustained(what) for what in ("heal", "master", "fortify")[:sustained]])
    assert _in_a_scene(ANN, sustained=keeps) == 60 + penalty
    assert _in_a_scene(ANN.changed(classes=("channeler",)), sustained=keeps) == 60 + channeled
    words = tuple([Sustained(f"watching {at}", power=False) for at in range(sustained)])
    assert _in_a_scene(ANN.changed(classes=("channeler",)), sustained=words) == 60 + penalty


def _in_a_scene(one: Any, what: str = "stealth", **status: Any) -> int:
    session = session_of({"ann": one})
    scene = session.scene.with_status("ann", **status)
    return rulebook.check(what).read(rulebook.subject(scene["ann"], scene), {}).tallies["target"].total


@pytest.mark.rule("renaissance.injury.wound_penalty", "renaissance.stress.stack_negate")
def test_wounds_and_traumas_count_for_every_check() -> None:
    hurt = ANN.changed(harm=Harm(wounds=3, bound=1, traumas=2, soothed=1))
    assert goal("stealth", hurt) == 60 - 20 - 10
    assert goal("realize", hurt) == 60 - 20 - 10
    assert goal("stealth", hurt.changed(traits={"high_pain_tolerance": ""})) == 60 - 10 - 10


# ---------------------------------------------------------------------- armor, load, tools


@pytest.mark.rule("renaissance.armor.penalty", "renaissance.armor.penalty_option")
def test_armor_takes_from_linked_skills_only() -> None:
    armed = somebody(
        REF=15, COO=20, SOM=15, belongings=(ItemStack("plate", place="worn"), ItemStack("large_shield", place="off"))
    )
    off = RenaissanceOptions(armor_penalty=False)
    assert (goal("stealth", armed), goal("stealth", armed, off)) == (0, 20)
    assert (goal("fray", armed), goal("fray", armed, off)) == (5, 15)
    assert goal("athletics", armed) == goal("athletics", armed, off) == 15
    assert goal("react_quickly", armed) == 45  # no skill check


@pytest.mark.rule("renaissance.gap.armor.heavy")
@pytest.mark.parametrize(("count", "penalty"), [(0, 0), (3, 0), (4, -10), (6, -30)])
def test_heavy_things(count: int, penalty: int) -> None:
    loaded = somebody(COO=15, INT=15, belongings=(ItemStack("trade_goods", count),) if count else ())
    assert goal("stealth", loaded) == 15 + penalty
    assert goal("perception", loaded) == 15  # not physical


@pytest.mark.rule("renaissance.gap.money.crafting")
def test_tools() -> None:
    smith = somebody(COG=15, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"), ItemStack("shop")))
    assert goal("craft", smith, field="smith", tools="craft_kit") == 45
    assert goal("craft", smith, field="smith", tools="shop") == 55
    refused("renaissance.gap.money.crafting", "craft", smith, field="smith", tools="lock_kit")
    refused("renaissance.gap.money.crafting", "medicine", smith, tools="shop")


# ---------------------------------------------------------------------- senses, languages, circumstances


@pytest.mark.rule("renaissance.gap.race.senses")
@pytest.mark.parametrize(
    ("race", "dim", "dark", "dark_warm"),
    [("human", -10, -30, -30), ("gnoll", 0, -30, -30), ("dwarf", -10, -30, 0), ("frozen_horror", 0, 0, 0)],
)
def test_light_and_senses(race: str, dim: int, dark: int, dark_warm: int) -> None:
    one = somebody(race=race)
    base = goal("search", one)
    assert goal("search", one, light="dim") == base + dim
    assert goal("search", one, light="dark") == base + dark
    assert goal("search", one, light="dark", warm=True) == base + dark_warm


@pytest.mark.rule("renaissance.gap.race.senses")
def test_scent() -> None:
    assert goal("perception", somebody(race="gnoll"), when=["smell"]) == 20 + 20
    assert goal("perception", somebody(), when=["smell"]) == 15


@pytest.mark.rule("renaissance.gap.language.groups", "renaissance.gap.race.shifter")
def test_a_shifter_speaks_with_the_tongue_of_its_form() -> None:
    skills = {"language:heartland_gnoll": 30, "language:weal": 30}
    for form, speaks, cannot in (("", "weal", "heartland_gnoll"), ("hybrid", "heartland_gnoll", "weal")):
        one = somebody(race="shifter", INT=15, skills=skills, form=form)
        assert goal("language", one, field=speaks, when=["spoken"]) == 50
        with pytest.raises(IllegalActionError, match="cannot pronounce"):
            goal("language", one, field=cannot, when=["spoken"])


@pytest.mark.rule("renaissance.check.waive", "renaissance.gap.creature.list")
def test_an_immune_character_needs_no_check() -> None:
    for race, number in (
        ("frozen_horror", "overcome_fear"),
        ("frozen_horror", "resist_stress"),
        ("corpse", "resist_plague"),
    ):
        with pytest.raises(IllegalActionError, match="needs no check") as refused:
            goal(number, somebody(race=race))
        assert refused.value.rule == "renaissance.check.waive"
    assert goal("resist_plague", somebody(race="frozen_horror")) == 40


@pytest.mark.rule("renaissance.gap.language.spoken_common", "renaissance.gap.language.groups")
def test_speaking_the_common_language() -> None:
    one = somebody(INT=15, skills={"language:common": 10, "language:rak": 30})
    assert goal("language", one, field="common") == 25
    assert goal("language", one, field="common", when=["spoken"]) == 25 + library().get(Language, "common").spoken
    assert goal("language", one, field="rak") == 45
    assert goal("language", somebody(race="kobold", INT=10, skills=one.skills), field="rak", when=["spoken"]) == 45
    assert goal("language", one, field="rak", when=["spoken"]) == 45  # a body without a tongue of its own
    with pytest.raises(IllegalActionError, match="cannot pronounce Rak, only understand and write it"):
        goal("language", somebody(race="human", INT=15, skills=one.skills), field="rak", when=["spoken"])
    basic = LEDGER["renaissance.gap.language.groups"].data["basic_communication"]
    assert play(plan("language", one, field="common", common=True).call, TypedDice([])).result is (basic <= 10)


@pytest.mark.rule("renaissance.gap.trait.list")
@each_case(
    ("trait", "check", "situation", "change"),
    [
        ("brave", "overcome_fear", {}, 20),
        ("brave", "resist_intimidation", {}, 20),
        ("meek", "overcome_fear", {}, -20),
        ("limber", "athletics", {"when": ["suppleness"]}, 10),
        ("limber", "athletics", {}, 0),
        ("distinctive", "disguise", {}, -20),
        ("distinctive", "stealth", {"when": ["blending_in"]}, -20),
        ("distinctive", "stealth", {}, 0),
        ("unique_outlook", "persuasion", {}, -10),
        ("unique_outlook", "protocol", {}, -10),
        ("unique_outlook", "resist_stress", {"against": "war"}, 15),
        ("hardened", "resist_stress", {"against": "War"}, 15),
        ("hardened", "resist_stress", {"against": "ghosts"}, 0),
        ("strong", "feat_of_strength", {}, 5),
        ("weak", "feat_of_strength", {}, -5),
        ("tough", "feat_of_endurance", {}, 5),
        ("frail", "feat_of_endurance", {}, -5),
        ("alert", "perception", {"passive": True}, 20),
    ],
)
def test_traits_change_checks(trait: str, check: str, situation: dict[str, Any], change: int) -> None:
    plain = somebody(WIL=15)
    marked = plain.changed(traits={trait: "war"})
    assert goal(check, marked, **situation) - goal(check, plain, **situation) == change


@pytest.mark.rule("renaissance.gap.race.list", "renaissance.modifier.situational")
@pytest.mark.parametrize(
    ("race", "check", "when", "change"),
    [
        ("ash_elf", "perception", ["smell"], 0),
        ("ash_elf", "perception", ["sight"], 20),
        ("ash_elf", "perception", ["hearing"], 10),
        ("orc", "perception", ["hearing"], 10),
        ("orc", "perception", ["smell"], 10),
        ("gnoll", "resist_disease", ["food_borne"], 20),
        ("wolf", "perception", ["hearing"], 20),
    ],
)
def test_races_change_checks(race: str, check: str, when: list[str], change: int) -> None:
    one = somebody(race=race)
    assert goal(check, one, when=when) - goal(check, one) == change


@pytest.mark.rule("renaissance.gap.race.list")
def test_halflings_endure() -> None:
    halfling = somebody(race="halfling")
    assert goal("feat_of_endurance", halfling) == 25 + 20 + 10
    assert goal("resist_stress", halfling) == 60 + 10


@pytest.mark.rule("renaissance.gap.power.list")
@pytest.mark.parametrize(
    ("power", "check", "words", "change"),
    [
        ("blur", "stealth", {"when": ["sight"]}, 10),
        ("master", "feat_of_endurance", {}, 20),
        ("green_hand", "survival", {}, 10),
    ],
)
def test_sustained_powers_change_checks(power: str, check: str, words: dict[str, Any], change: int) -> None:
    session = session_of({"ann": ANN})
    scene = session.scene.with_status("ann", sustained=(Sustained(power),))
    before = rulebook.check(check).read(rulebook.subject(session.scene["ann"], session.scene), words)
    after = rulebook.check(check).read(rulebook.subject(scene["ann"], scene), words)
    assert after.tallies["target"].total - before.tallies["target"].total == change


@pytest.mark.rule("renaissance.gap.skill.untrained", "renaissance.gap.class.scholar")
@pytest.mark.parametrize(("wil", "counts", "target"), [(19, "Scholar", 20), (20, "WIL", 20), (21, "WIL", 21)])
def test_a_stand_in_for_a_skill_counts_where_it_is_better(wil: int, counts: str, target: int) -> None:
    scholar = somebody(COG=10, WIL=wil, SAV=10, classes=("scholar",), exotic={"research": "WIL"})
    tally = plan("research", scholar).tallies["target"]
    assert (tally.label, tally.total) == (counts, target)


@pytest.mark.rule("renaissance.gap.class.scholar")
def test_scholars_know_something_of_everything() -> None:
    scholar = somebody(COG=20, SAV=10, classes=("scholar",), skills={"knowledge:law": 5})
    assert goal("knowledge", scholar, field="history") == 40
    assert goal("knowledge", scholar, field="law") == 25
    assert goal("research", scholar) == 40  # a Knowledge skill by its category
    assert goal("investigate", scholar) == 15
    assert plan("knowledge", scholar, field="history").call.named_arguments()["graded"] is False
    found = odds(plan("knowledge", scholar, field="history").call)
    assert {one.grade.value for one, _ in found.items()} == {"normal_success", "normal_failure"}
    assert plan("knowledge", scholar, field="law").call.mechanic.name == "renaissance.check"


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_intuitive_fighters_need_no_skill_and_get_no_special_grades() -> None:
    fighter = somebody(SOM=25, COO=15, classes=("intuitive_fighter",), skills={"fray": 20})
    found = plan("pole_arms", fighter)
    assert found.tallies["target"].total == 40
    assert {result.grade for result in odds(found.call)} == {Grade.NORMAL_SUCCESS, Grade.NORMAL_FAILURE}
    trained = fighter.changed(skills={"pole_arms": 1})
    assert goal("pole_arms", trained) == 26
    assert len(odds(plan("pole_arms", trained).call)) > 2


# ---------------------------------------------------------------------- all of them


def test_every_check_can_be_planned_and_opposed() -> None:
    mage = person("mage")
    for check in CHECKS:
        words = {"field": "magic"} if check.id in ("knowledge",) else {}
        words |= {"field": "anything"} if any(one.name == "field" for one in check.situation) and not words else {}
        words |= {"name": "fray"} if check.id == "skill" else {}
        words |= {"formula": "WIL*3"} if check.id == "aptitudes" else {}
        found = check.read(replace(_subject(mage), options=OPTIONS), words)
        assert odds(found.call).chance(lambda result: True) == 1
        assert check.against is not None
        tally = found.tallies["target"]
        assert tally.rule is not None
        assert all(part.rule for part in tally.parts)


def _subject(one: Any) -> Any:
    from tablewright.game.play.checks import Subject

    return Subject(one, OPTIONS, library())


def test_odds_before_anything_is_rolled() -> None:
    found = plan("stealth", ANN, difficulty="hard", helpers=1)
    assert odds(found.call).chance(lambda grade: grade.succeeds) == Fraction(51, 100)
    assert found.tallies["target"].explain().splitlines()[-1] == "= 50"


@pytest.mark.parametrize("luck", [0, 1])
def test_a_secret_difficulty_stays_secret(luck: int) -> None:
    seen = []
    for difficulty in ("hard", "-19"):
        session = session_of({"ann": ANN.changed(luck=luck)})
        words = [f"difficulty={difficulty}"]
        session.do("table.check", who="ann", what="stealth", situation=words, secret=True)
        if luck:
            session.choose("no")
        session.type_in([99])
        if session.question is not None:
            session.choose("keep the result")
        seen.append(list(project_log(session, "ann")))
    assert seen[0] == seen[1]
    assert "target" not in seen[0][0]["tallies"]


@pytest.mark.rule("renaissance.check.target_sources")
def test_figures_are_named_with_how_often_they_count() -> None:
    tally = plan("aptitudes", somebody(), formula="STR+SOM").tallies["target"]
    assert [tally.label, *[part.label for part in tally.parts]] == ["STR", "SOM"]
    tripled = plan("aptitudes", somebody(), formula="WIL*3").tallies["target"]
    assert tripled.label == "WIL, 3 times"
