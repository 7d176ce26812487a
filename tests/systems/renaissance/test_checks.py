"""Checks by name: every modifier of the book in words, contests with Luck, what is refused and why."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events
from systems.renaissance.folk import LEDGER, OPTIONS, creature, goal, library, person, plan, session_of
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.common_events import Checked
from tablewright.game.scene.scene import Scene
from tablewright.game.session.views import project_log
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.character.record import Harm
from tablewright.systems.renaissance.checks import CHECKS, Difficulty, related_bonus
from tablewright.systems.renaissance.content import Language, SpecialNumber
from tablewright.systems.renaissance.mechanics.turn import timeframe
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.values import Grade, Variable

ANN = creature("Ann", COO=20, COG=20, skills={"stealth": 40, "knowledge:theology": 10, "medicine": 9})


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


FIGURES: dict[str, Any] = {"COG": 11, "COO": 12, "INT": 13, "REF": 14, "SAV": 16, "SOM": 17, "WIL": 18}
MIXED = creature(**FIGURES, luck=4)


def sum_of(formula: str) -> int:
    """The sum of a formula, of the figures of a corpse with these aptitudes."""
    figures = {**FIGURES, "DUR": 30, "STR": 30, "LUCK": 4}
    terms = [term.partition("*") for term in formula.split("+")]
    return sum([figures[name] * int(times or "1") for name, _, times in terms])


@pytest.mark.rule("renaissance.gap.check.special_numbers", "renaissance.check.target_sources")
@each_case(("name", "formula"), LEDGER["renaissance.gap.check.special_numbers"].data.items())
def test_special_numbers_row_by_row(name: str, formula: str) -> None:
    assert goal(name, MIXED) == sum_of(formula)
    assert str(library().get(SpecialNumber, name).formula) == formula


@pytest.mark.rule("renaissance.check.target_sources")
def test_any_combination_of_figures() -> None:
    for formula in LEDGER["renaissance.check.target_sources"].data["aptitude_targets_in_seed"]:
        assert goal("aptitudes", MIXED, formula=formula) == sum_of(formula)
    with pytest.raises(InvalidInputError, match="is not a target"):
        plan("aptitudes", MIXED, formula="XYZ*2")
    tally = plan("aptitudes", creature(), formula="STR+SOM").tallies["target"]
    assert [tally.label, *[part.label for part in tally.parts]] == ["STR", "SOM"]
    tripled = plan("aptitudes", creature(), formula="WIL*3").tallies["target"]
    assert tripled.label == "WIL, 3 times"


# ---------------------------------------------------------------------- modifiers by name


@pytest.mark.rule("renaissance.modifier.assist", "renaissance.modifier.retry", "renaissance.modifier.retry_penalty")
def test_helpers_and_further_attempts() -> None:
    assert [goal("stealth", ANN, helpers=helpers) - 60 for helpers in (0, 1, 2, 3, 4, 9)] == [0, 10, 20, 30, 30, 30]
    for options, less in (
        (OPTIONS, [0, -10, -20, -40]),
        (RenaissanceOptions(retry_penalty="flat"), [0, -10, -10, -10]),
    ):
        assert [goal("stealth", ANN, options, attempt=attempt) - 60 for attempt in (1, 2, 3, 5)] == less


@pytest.mark.rule("renaissance.modifier.assist", "renaissance.gap.class.soldier")
def test_possible_assistants() -> None:
    bob = creature("Bob", skills={"perception": 10, "stealth": 9, "pole_arms": 30, "fray": 30})
    soldier = bob.changed(name="Cy", classes=("soldier",))
    scene = session_of({"ann": ANN, "bob": bob, "cy": soldier}).scene

    def target(what: str, *assistants: str, here: Scene = scene) -> int:
        words = {"assistants": assistants}
        return rulebook.check(what).read(rulebook.subject(here["ann"], here), words).tallies["target"].total

    assert target("stealth", "bob=perception") == 70
    assert target("stealth", "bob=perception", "cy=Perception") == 80
    assert target("pole_arms", "cy") == 25
    for assistants, why in (
        (("ann=stealth",), "Ann cannot assist Ann"),
        (("bob",), "Bob needs 10 ranks in Stealth to assist"),
        (("bob=research",), "Bob needs 10 ranks"),
        (("bob=perception", "bob=perception"), "everybody assists once"),
    ):
        with pytest.raises(IllegalActionError, match=why) as error:
            target("stealth", *assistants)
        assert error.value.rule == "renaissance.modifier.assist"
    with pytest.raises(IllegalActionError, match="Bob cannot act"):
        target("stealth", "bob=perception", here=scene.with_status("bob", damage=30))
    with pytest.raises(IllegalActionError, match="unless by a Soldier"):
        target("pole_arms", "bob")
    with pytest.raises(IllegalActionError, match="unless by a Soldier"):
        plan("pole_arms", ANN, helpers=1)
    with pytest.raises(InvalidInputError, match="named in a scene"):
        plan("stealth", ANN, assistants=["bob"])


@pytest.mark.rule("renaissance.modifier.related_skill", "renaissance.modifier.related_skill_25")
def test_related_skill_band_by_band() -> None:
    for row in LEDGER["renaissance.modifier.related_skill"].data["bands_default"]:
        for ranks in (row["min"], row["max"] if row["max"] is not None else 70):
            one = ANN.changed(skills=ANN.skills.put("knowledge:theology", ranks))
            assert goal("stealth", one, related="knowledge:theology") == 60 + row["bonus"]
    assert related_bonus(25, OPTIONS) == 20
    lower = RenaissanceOptions(related_skill_25="lower")
    assert [related_bonus(ranks, lower) for ranks in (24, 25, 26)] == [10, 10, 20]
    assert "not related to itself" in refused("renaissance.modifier.related_skill", "stealth", related="stealth")
    with pytest.raises(InvalidInputError):
        plan("stealth", ANN, related="swimming")


@pytest.mark.rule("renaissance.modifier.specialization", "renaissance.modifier.field_specialization")
def test_specialization_adds_ten_where_it_applies() -> None:
    one = ANN.changed(specializations={"stealth": "crowds"})
    assert (goal("stealth", one), goal("stealth", one, specialized=True)) == (60, 70)
    refused("renaissance.modifier.specialization", "stealth", specialized=True)
    fields = {"art:painting": 20, "art:music": 20}  # each field has its own
    artist = creature(INT=15, skills=fields, specializations={"art:painting": "Landscapes"})
    assert goal("art", artist, field="painting", specialized=True) == 45
    assert plan("art", artist, field="Painting", specialized=True).tallies["target"].parts[-1].label == "[Landscapes]"
    refused("renaissance.modifier.field_specialization", "art", artist, field="music", specialized=True)


@pytest.mark.rule("renaissance.modifier.difficulty", "renaissance.gap.check.difficulty_names")
def test_difficulties_by_name_between_and_beyond() -> None:
    for name, value in LEDGER["renaissance.gap.check.difficulty_names"].data.items():
        assert goal("stealth", ANN, difficulty=name.replace("_", " ").title()) == 60 + value
        assert goal("stealth", ANN, difficulty=str(value)) == 60 + value
        assert str(Difficulty(value)) == name
    data = LEDGER["renaissance.modifier.difficulty"].data
    least, most, between = [goal("stealth", ANN, difficulty=str(one)) for one in (data["min"], data["max"], -7)]
    assert (least, most, between) == (30, 90, 53)
    for wrong in ("31", "-31", "impossible", "1.5"):
        with pytest.raises(InvalidInputError, match="is no difficulty"):
            Difficulty.parse(wrong)


@pytest.mark.rule("renaissance.modifier.taking_time", "renaissance.modifier.rushing")
@pytest.mark.parametrize(("way", "word", "sign"), [("taking_time", "slower", 1), ("rushing", "faster", -1)])
def test_taking_time_and_rushing(way: str, word: str, sign: int) -> None:
    rule = f"renaissance.modifier.{way}"
    for row in LEDGER[rule].data:
        assert goal("stealth", ANN, minutes=60, **{word: row["steps"]}) == 60 + row["modifier"]
        assert timeframe(60, sign * row["steps"]) == 60 * row["time_multiplier"]
    once: dict[str, Any] = {word: 1}
    refused(rule, "stealth", **once)  # only of a task
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
def test_common_knowledge_needs_no_roll() -> None:
    for ranks, known in ((0, False), (9, False), (10, True), (40, True)):
        found = plan("knowledge", ANN.changed(skills={"knowledge:law": ranks}), field="law", common=True)
        assert play(found.call, TypedDice([])).result is known


@pytest.mark.rule("renaissance.action.sustain_penalty", "renaissance.gap.class.channeler")
def test_sustaining_several_things() -> None:
    example, channeler = LEDGER["renaissance.action.sustain_penalty"].examples[0], ANN.changed(classes=("channeler",))
    penalties = {0: (0, 0), 1: (0, 0), 2: (-10, 0), 3: (-20, -10)}
    assert penalties[example["given"]["sustained"]][0] == example["expect"]["modifier"]
    for number, (penalty, channeled) in penalties.items():
        keeps = tuple([Sustained(what) for what in ("heal", "master", "fortify")[:number]])
        words = tuple([Sustained(f"watching {at}", power=False) for at in range(number)])
        assert _in_a_scene(ANN, sustained=keeps) == _in_a_scene(channeler, sustained=words) == 60 + penalty
        assert _in_a_scene(channeler, sustained=keeps) == 60 + channeled


def _in_a_scene(one: Any, what: str = "stealth", words: Any = None, **status: Any) -> int:
    scene = session_of({"ann": one}).scene.with_status("ann", **status)
    return rulebook.check(what).read(rulebook.subject(scene["ann"], scene), words or {}).tallies["target"].total


@pytest.mark.rule("renaissance.injury.wound_penalty", "renaissance.stress.stack_negate")
def test_wounds_and_traumas_count_for_every_check() -> None:
    hurt = ANN.changed(harm=Harm(wounds=3, bound=1, traumas=2, soothed=1))
    assert goal("stealth", hurt) == 60 - 20 - 10
    assert goal("realize", hurt) == 60 - 20 - 10
    assert goal("stealth", hurt.changed(traits={"high_pain_tolerance": ""})) == 60 - 10 - 10


# ---------------------------------------------------------------------- armor, load, tools


@pytest.mark.rule("renaissance.armor.penalty", "renaissance.armor.penalty_option")
def test_armor_takes_from_linked_skills_only() -> None:
    armed = creature(
        REF=15, COO=20, SOM=15, belongings=(ItemStack("plate", place="worn"), ItemStack("large_shield", place="off"))
    )
    off = RenaissanceOptions(armor_penalty=False)
    assert (goal("stealth", armed), goal("stealth", armed, off)) == (0, 20)
    assert (goal("fray", armed), goal("fray", armed, off)) == (5, 15)
    assert goal("athletics", armed) == goal("athletics", armed, off) == 15
    assert goal("react_quickly", armed) == 45  # no skill check


@pytest.mark.rule("renaissance.gap.armor.heavy")
def test_heavy_things() -> None:
    for count, penalty in ((0, 0), (3, 0), (4, -10), (6, -30)):
        loaded = creature(COO=15, INT=15, belongings=(ItemStack("trade_goods", count),) if count else ())
        assert (goal("stealth", loaded), goal("perception", loaded)) == (15 + penalty, 15)  # which is not physical


@pytest.mark.rule("renaissance.gap.money.crafting")
def test_tools() -> None:
    smith = creature(COG=15, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"), ItemStack("shop")))
    assert goal("craft", smith, field="smith", tools="craft_kit") == 45
    assert goal("craft", smith, field="smith", tools="shop") == 55
    refused("renaissance.gap.money.crafting", "craft", smith, field="smith", tools="lock_kit")
    refused("renaissance.gap.money.crafting", "medicine", smith, tools="shop")


# ---------------------------------------------------------------------- senses, languages, circumstances


@pytest.mark.rule("renaissance.gap.race.senses")
@each_case(
    ("race", "dim", "dark", "dark_warm"),
    [("human", -10, -30, -30), ("gnoll", 0, -30, -30), ("dwarf", -10, -30, 0), ("frozen_horror", 0, 0, 0)],
)
def test_light_and_senses(race: str, dim: int, dark: int, dark_warm: int) -> None:
    one = creature(race=race)
    lights: tuple[dict[str, Any], ...] = ({"light": "dim"}, {"light": "dark"}, {"light": "dark", "warm": True})
    assert [goal("search", one, **light) - goal("search", one) for light in lights] == [dim, dark, dark_warm]
    scents = [goal("perception", creature(race=kind), when=["smell"]) for kind in ("gnoll", "corpse")]
    assert scents == [20 + 20, 15]


@pytest.mark.rule("renaissance.gap.language.groups", "renaissance.gap.race.shifter")
def test_a_shifter_speaks_with_the_tongue_of_its_form() -> None:
    skills = {"language:heartland_gnoll": 30, "language:weal": 30}
    for form, speaks, cannot in (("", "weal", "heartland_gnoll"), ("hybrid", "heartland_gnoll", "weal")):
        one = creature(race="shifter", INT=15, skills=skills, form=form)
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
            goal(number, creature(race=race))
        assert refused.value.rule == "renaissance.check.waive"
    assert goal("resist_plague", creature(race="frozen_horror")) == 40


@pytest.mark.rule("renaissance.gap.language.spoken_common", "renaissance.gap.language.groups")
def test_speaking_the_common_language() -> None:
    one = creature(INT=15, skills={"language:common": 10, "language:rak": 30})
    assert goal("language", one, field="common") == 25
    assert goal("language", one, field="common", when=["spoken"]) == 25 + library().get(Language, "common").spoken
    assert goal("language", one, field="rak") == 45
    assert goal("language", creature(race="kobold", INT=10, skills=one.skills), field="rak", when=["spoken"]) == 45
    assert goal("language", one, field="rak", when=["spoken"]) == 45  # a body without a tongue of its own
    with pytest.raises(IllegalActionError, match="cannot pronounce Rak, only understand and write it"):
        goal("language", creature(race="human", INT=15, skills=one.skills), field="rak", when=["spoken"])
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
    plain = creature(WIL=15)
    marked = plain.changed(traits={trait: "war"})
    assert goal(check, marked, **situation) - goal(check, plain, **situation) == change


@pytest.mark.rule("renaissance.gap.race.list", "renaissance.modifier.situational")
@each_case(
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
    one = creature(race=race)
    assert goal(check, one, when=when) - goal(check, one) == change
    halfling = creature(race="halfling")
    assert (goal("feat_of_endurance", halfling), goal("resist_stress", halfling)) == (25 + 20 + 10, 60 + 10)


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.check.target_sources")
@each_case(
    ("power", "check", "words", "change"),
    [
        ("blur", "stealth", {"when": ["sight"]}, 10),
        ("blur", "stealth", {}, 0),
        ("master", "feat_of_endurance", {}, 20),
        ("green_hand", "survival", {}, 10),
    ],
)
def test_sustained_powers_change_checks(power: str, check: str, words: dict[str, Any], change: int) -> None:
    before, after = [_in_a_scene(ANN, check, words, sustained=keeps) for keeps in ((), (Sustained(power),))]
    assert after - before == change


@pytest.mark.rule("renaissance.gap.skill.untrained", "renaissance.gap.class.scholar")
@each_case(("wil", "counts", "target"), [(19, "Scholar", 20), (20, "WIL", 20), (21, "WIL", 21)])
def test_a_stand_in_for_a_skill_counts_where_it_is_better(wil: int, counts: str, target: int) -> None:
    scholar = creature(COG=10, WIL=wil, SAV=10, classes=("scholar",), exotic={"research": "WIL"})
    tally = plan("research", scholar).tallies["target"]
    assert (tally.label, tally.total) == (counts, target)


@pytest.mark.rule("renaissance.gap.class.scholar")
def test_scholars_know_something_of_everything() -> None:
    scholar = creature(COG=20, SAV=10, classes=("scholar",), skills={"knowledge:law": 5})
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
    fighter = creature(SOM=25, COO=15, classes=("intuitive_fighter",), skills={"fray": 20})
    found = plan("pole_arms", fighter)
    assert found.tallies["target"].total == 40
    assert {result.grade for result in odds(found.call)} == {Grade.NORMAL_SUCCESS, Grade.NORMAL_FAILURE}
    trained = fighter.changed(skills={"pole_arms": 1})
    assert goal("pole_arms", trained) == 26
    assert len(odds(plan("pole_arms", trained).call)) > 2


# ---------------------------------------------------------------------- contests


def contest(
    one: Any, other: Any, *answers: Any, what: str = "athletics", against: str = "athletics", **more: Any
) -> Any:
    """A contest of two, with some answers given."""
    session = session_of({"ann": one, "bob": other})
    session.do("table.contest", who="ann", what=what, against="bob", with_what=against, **more)
    return answer(session, *answers)


@pytest.mark.rule("renaissance.opposed.resolve")
def test_an_opposed_check_of_two_characters() -> None:
    sides = [LEDGER["renaissance.opposed.resolve"].examples[0]["given"][side] for side in ("a", "b")]
    people = [creature(SOM=side["SOM"], luck=0, skills={"athletics": side["ranks"]}) for side in sides]
    session = contest(*people, *[side["roll"] for side in sides])
    assert session.result.result is Variable.A_WINS
    assert [one.result for one in events(session, Checked)] == ["wins", "loses"]


@pytest.mark.rule("renaissance.opposed.different_skills")
@pytest.mark.parametrize(
    ("against", "rolled", "result"),
    [
        ("read", (55, 35), Variable.A_WINS),
        ("read", (55, 36), Variable.A_WINS),
        ("resist_social_manipulation", (20, 30), Variable.B_WINS),
    ],
)
def test_the_two_sides_may_use_different_skills(against: str, rolled: tuple[int, int], result: Variable) -> None:
    one = creature(INT=15, luck=0, skills={"disguise": 40})
    other = creature(SAV=15, INT=15, luck=0, skills={"read": 20})
    assert contest(one, other, *rolled, what="disguise", against=against).result.result is result


@pytest.mark.rule("renaissance.opposed.variable")
def test_stealth_against_perception_can_succeed_in_part() -> None:
    one, other = creature(COO=15, luck=0), creature(INT=15, luck=0)
    session = contest(one, other, 10, 5, what="stealth", against="perception", situation=["way=variable"])
    assert session.result.result is Variable.BOTH_PARTIAL
    assert [one.result for one in events(session, Checked)] == ["partial success"] * 2


@pytest.mark.rule("renaissance.luck.flip")
def test_luck_in_a_contest_once_both_rolls_are_known() -> None:
    one = creature(SOM=15, luck=1, skills={"athletics": 45})
    session = contest(one, one, 15, 40)
    assert session.seat == "ann"
    answer(session, "yes")  # 51 beats 40
    assert session.result.result is Variable.A_WINS  # 04 would not help
    assert (session.scene["ann"].status.luck, session.scene["bob"].status.luck) == (0, 1)


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


# ---------------------------------------------------------------------- all of them


def test_every_check_can_be_planned_and_opposed() -> None:
    named: dict[str, Any] = {"skill": {"name": "fray"}, "aptitudes": {"formula": "WIL*3"}}
    for check in CHECKS:
        fields = {"field": "anything"} if any(one.name == "field" for one in check.situation) else {}
        found = plan(check.id, person("mage"), **named.get(check.id, fields))
        assert odds(found.call).chance(lambda result: True) == 1
        assert check.against is not None
        tally = found.tallies["target"]
        assert tally.rule is not None
        assert all(part.rule for part in tally.parts)
