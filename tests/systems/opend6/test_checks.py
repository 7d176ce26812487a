"""Checks from a character and a situation: every modifier by name, and refusals with their rules."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import (
    LEDGER,
    OPTIONS,
    C,
    arguments,
    library,
    person,
    planned,
    refused,
    rows,
    session_of,
    somebody,
    subject_of,
)
from systems.playing import answer, last
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.opend6.character.record import OwnAbility, Specialisation
from tablewright.systems.opend6.checks import CHECKS, pool
from tablewright.systems.opend6.content import Circumstance, Skill, Task
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.situations import DifficultyValue, TimeTaken, lifting_difficulty
from tablewright.systems.opend6.status import fight
from tablewright.systems.opend6.values import DieCode, Fortune

ANN = somebody(
    "Ann", agility="3D+1", climbing="4D", physique="3D+2", coordination="3D", lockpicking="4D", charisma="3D"
)


def rolled(*given: Any, **situation: Any) -> DieCode:
    """The dice of a check."""
    found = arguments(planned(*given, **situation))["code"]
    assert isinstance(found, DieCode)
    return found


def difficulty(*given: Any, **situation: Any) -> int:
    """The difficulty of a check."""
    return int(arguments(planned(*given, **situation))["difficulty"])


# ---------------------------------------------------------------------- the order of assembly


@pytest.mark.rule("opend6.check.skill_check")
def test_a_check_rolls_the_skill_against_the_difficulty() -> None:
    plan = planned(ANN, "climbing", difficulty=12)
    assert plan.tallies["code_pips"].total == 12
    assert play(plan.call, TypedDice([3, 3, 3, 3])).result.success
    assert not play(plan.call, TypedDice([3, 3, 3, 2])).result.success
    assert {check.id for check in CHECKS} >= {one.id for one in library().of(Skill)} | {"agility", "magic", "skill"}
    assert rolled(ANN, "skill", name="climbing", difficulty=12) == C("4D")
    made = pool(subject_of(ANN), "climbing", bonus=2)
    assert (made.rolled(OPTIONS, 1), made.bonus.total) == (C("8D"), 2)


@pytest.mark.rule("opend6.check.roll_assembly", "opend6.fate.external_not_doubled", "opend6.dice.bonus_die_code")
def test_the_order_in_which_a_roll_is_put_together() -> None:
    lifter = somebody(lifting="4D+1", physique="3D", fate_points=1)
    plan = planned(lifter, "lifting", difficulty=20, fate_points=1, actions=2, bonus_dice="1D+2", bonus=3)
    assert arguments(plan)["code"] == DieCode(8, 2)  # 4D+1 doubled, less one die, one die from outside
    assert (arguments(plan)["bonus"], plan.tallies["dice"].total) == (5, 8)
    thief = somebody(coordination="3D", lockpicking="4D", fate_points=1, belongings=(ItemStack("lockpicking_tools"),))
    assert rolled(thief, "lockpicking", fate_points=1, time="4") == DieCode(8 + 1 + 2)  # nor are tools doubled, or time


@pytest.mark.rule("opend6.map.long_tasks", "opend6.map.zero_rule")
def test_several_long_tasks_at_once() -> None:
    assert rolled(ANN, "climbing", actions=3) == C("2D")
    refused("map.zero_rule", ANN, "climbing", actions=5)
    weak = somebody(climbing="2D+2", belongings=(ItemStack("grappling_hook"),))
    net = OpenD6Options(zero_rule="net_pool_below_1d")
    refused("map.zero_rule", weak, "climbing", actions=3)
    assert rolled(weak, "climbing", net, actions=3) == C("1D+2")
    refused("map.zero_rule", weak, "climbing", net, actions=4)
    exactly = OpenD6Options(zero_rule="exactly_zero")
    bare = planned(weak, "climbing", exactly, actions=3, tools=False, difficulty=2)
    assert arguments(bare)["code"] == DieCode(0, 2)
    assert play(bare.call, TypedDice([])).result.success
    fated = arguments(planned(somebody(climbing="1D+2", fate_points=1), "climbing", actions=2, spend=True))
    assert (fated["code"], fated["fated"]) == (None, (DieCode(1, 4),))


# ---------------------------------------------------------------------- untrained


@pytest.mark.rule("opend6.untrained.default_to_attribute", "opend6.untrained.modifier")
def test_the_untrained_roll_the_attribute_and_it_is_harder() -> None:
    assert rolled(ANN, "stealth", difficulty=10) == C("3D+1")
    for name, more in LEDGER["opend6.untrained.modifier"].data["modifier"].items():
        assert difficulty(ANN, "stealth", difficulty=10, unskilled=name) == 10 + more
    assert [difficulty(ANN, what, difficulty=10) for what in ("stealth", "climbing", "agility")] == [15, 10, 10]
    for more in (0, 30):
        assert difficulty(ANN, "stealth", OpenD6Options(untrained_modifier=more), difficulty=10) == 10 + more
    assert difficulty(somebody(stealth="2D+1"), "stealth", difficulty=10) == 10  # a pip above the attribute is enough
    assert difficulty(somebody(stealth="2D"), "stealth", difficulty=10) == 15
    gifted = somebody(abilities=(OwnAbility(id="skill_bonus", skills=("stealth", "hide", "search")),))
    assert difficulty(gifted, "stealth", difficulty=10) == 10


@pytest.mark.rule("opend6.untrained.impossible", "opend6.gap.skill.reading", "opend6.gap.skill.speaking")
def test_some_tasks_are_closed_to_the_untrained() -> None:
    refused("untrained.impossible", ANN, "healing", trained_only=True)
    refused("untrained.impossible", ANN, "healing", task="surgery")
    refused("untrained.impossible", ANN, "stealth", OpenD6Options(trained_only=True))
    assert difficulty(ANN, "climbing", OpenD6Options(trained_only=True), difficulty=9) == 9
    assert difficulty(somebody(healing="2D+1"), "healing", task="surgery") == 25
    refused("gap.skill.reading", ANN, "reading_writing", difficulty=5)
    assert difficulty(somebody(reading_writing="2D+1"), "reading_writing", difficulty=5) == 5
    speaker = somebody(languages=("Hill speech",))
    refused("gap.skill.speaking", speaker, "speaking", specialisation="hill speech")  # there is nothing to roll for
    refused("gap.skill.speaking", speaker, "speaking", specialisation="Trade speech")
    assert difficulty(speaker, "speaking", difficulty=10, specialisation="Elvish") == 15


@pytest.mark.rule("opend6.untrained.exempt", "opend6.special.derived")
@each_case("entry", LEDGER["opend6.untrained.exempt"].data["exempt"])
def test_uses_without_an_unskilled_modifier(entry: Any) -> None:
    uses = {"rule text": "offered", "combat": "combat", "finding c": "clues", "resisting": "resisting"}
    use = next(ours for start, ours in uses.items() if entry["use"].startswith(start))
    skill = "stamina" if entry["skill"] == "any" else entry["skill"]
    assert difficulty(ANN, skill, difficulty=10, use=use) == 10
    assert difficulty(ANN, skill, difficulty=10) == 15
    assert difficulty(ANN, "melee_combat", difficulty=10, use="combat") == 15  # other combat skills are not
    assert difficulty(ANN, "intimidation", against="3D") == 6  # nor is what is derived from a target
    refused("untrained.impossible", ANN, "intimidation", against="3D", trained_only=True)


# ---------------------------------------------------------------------- other attributes, specialisations, abilities


@pytest.mark.rule("opend6.skill.alternate_attribute")
def test_a_skill_based_on_another_attribute() -> None:
    assert rolled(ANN, "climbing", attribute="physique") == rolled(ANN, "climbing", use="distance") == C("4D+1")
    assert rolled(ANN, "jumping", attribute="physique") == C("3D+2")
    assert difficulty(ANN, "jumping", attribute="physique", difficulty=10) == 15  # still untrained
    table = OpenD6Options(alternate_attributes=False)
    assert rolled(ANN, "climbing", table, use="distance") == rolled(ANN, "climbing", table, attribute="agility")
    refused("skill.alternate_attribute", ANN, "climbing", table, attribute="physique")


@pytest.mark.rule("opend6.skill.alternate_pairs")
@each_case("pair", LEDGER["opend6.skill.alternate_pairs"].data["pairs"])
def test_the_suggested_pairs(pair: Any) -> None:
    entry = library().get(Skill, pair["skill"])
    given = {attribute.casefold() for attribute in pair["uses"]} | ({"acumen"} if pair["skill"] == "riding" else set())
    assert set(entry.alternates.values()) == given
    one = somebody(agility="1D", coordination="2D", physique="3D", intellect="4D", acumen="5D", charisma="6D")
    for use, attribute in entry.alternates.items():
        assert rolled(one, pair["skill"], use=use) == getattr(one.attributes, attribute)


@pytest.mark.rule("opend6.gap.creation.specialisations")
def test_a_specialisation_is_rolled_for_its_subject_only() -> None:
    special = [
        Specialisation(skill=skill, subject=subject, adds=C("0D+1"))
        for skill, subject in (("speaking", "Elvish"), ("cultures", "Elves"))
    ]
    elf_friend = somebody(intellect="2D+2", speaking="3D", specialisations=tuple(special))
    assert rolled(elf_friend, "speaking", specialisation="elvish") == C("3D+1")
    assert rolled(elf_friend, "speaking", specialisation="Dwarvish") == C("3D")
    elves: dict[str, Any] = {"specialisation": "Elves"}
    for words, code, hard in ((elves, "3D", 10), ({}, "2D+2", 15)):
        assert rolled(elf_friend, "cultures", difficulty=10, **words) == C(code)
        assert difficulty(elf_friend, "cultures", difficulty=10, **words) == hard
    with pytest.raises(InvalidInputError, match=r'"Elvez" counts for nothing.*known are Elves; did you mean "Elves"'):
        planned(elf_friend, "cultures", specialisation="Elvez")


@pytest.mark.rule("opend6.gap.ability.skill_bonus", "opend6.gap.ability.increased_attribute")
def test_abilities_add_to_totals() -> None:
    bonus = OwnAbility(id="skill_bonus", ranks=2, skills=("healing", "survival", "scholar"))
    one = somebody(abilities=(bonus, OwnAbility(id="increased_attribute", ranks=3, attribute="physique")))
    for what, more in {"healing": 2, "search": 0, "physique": 3, "stamina": 3, "agility": 0}.items():
        assert arguments(planned(one, what))["bonus"] == more


@pytest.mark.rule("opend6.gap.ability.increased_attribute", "opend6.skill.alternate_attribute")
@pytest.mark.parametrize(("attribute", "usual", "by_physique"), [("agility", 5, 0), ("physique", 0, 5)])
def test_an_increased_attribute_counts_for_what_rests_on_it(attribute: Any, usual: int, by_physique: int) -> None:
    strong = (OwnAbility(id="increased_attribute", ranks=5, attribute=attribute),)
    ann = somebody("Ann", climbing="4D", abilities=strong)
    assert arguments(planned(ann, "climbing"))["bonus"] == usual
    assert arguments(planned(ann, "climbing", attribute="physique"))["bonus"] == by_physique


@pytest.mark.rule("opend6.gap.equipment.tools", "opend6.dice.bonus_die_code")
@each_case(("name", "row"), rows("opend6.gap.equipment.tools"))
def test_a_tool_helps_its_skill(name: str, row: Any) -> None:
    owner = somebody(lockpicking="2D+1", belongings=(ItemStack(name),))
    plan, bare = arguments(planned(owner, row[0])), arguments(planned(owner, row[0], tools=False))
    assert DieCode(plan["code"].dice - bare["code"].dice, plan["bonus"] - bare["bonus"]) == C(row[1])
    assert rolled(owner, "bluff") == rolled(owner, "bluff", tools=False)


@pytest.mark.rule("opend6.gap.equipment.tools", "opend6.dice.bonus_die_code")
def test_some_tools_are_for_the_trained_or_for_one_use_and_the_best_counts_once() -> None:
    assert rolled(somebody(belongings=(ItemStack("lockpicking_tools"),)), "lockpicking") == C("2D")
    climber = somebody(belongings=(ItemStack("grappling_hook"), ItemStack("iron_spikes")))
    assert rolled(climber, "climbing") == C("3D")
    digger = somebody("Ann", lifting="4D", belongings=(ItemStack("shovel"),))
    assert rolled(digger, "lifting", use="digging") == C("5D")
    assert rolled(digger, "lifting", kilograms=100) == rolled(digger, "lifting", use="digging", tools="no") == C("4D")


@pytest.mark.rule("opend6.gap.equipment.tools")
def test_a_healers_pack_is_used_up() -> None:
    packs = (ItemStack("healers_pack", left=2), ItemStack("healers_pack", left=1))
    session = session_of({"mira": person("healer", belongings=packs)})
    for left in (2, 1, 0, 0):
        session.do("table.check", who="mira", what="healing", situation=["difficulty=10"])
        session.roll()
        assert sum([(one.left or 0) * one.count for one in session.scene["mira"].belongings]) == left
    assert session.scene["mira"].belongings == ()
    fresh = session_of({"mira": person("healer", belongings=(ItemStack("healers_pack"),))})
    fresh.do("table.check", who="mira", what="healing")
    fresh.roll()
    assert fresh.scene["mira"].belongings == (ItemStack("healers_pack", left=4),)


# ---------------------------------------------------------------------- difficulties


@pytest.mark.rule("opend6.difficulty.standard", "opend6.gap.difficulty.level_numbers")
@each_case("way", ["high", "middle", "low"])
def test_levels_stand_for_numbers(way: Any) -> None:
    table = LEDGER["opend6.difficulty.standard"].data
    ranges = {row["level"]: (row["low"], row["high"]) for row in table["levels"]}
    options = OpenD6Options(number_for_level=way)
    for level, number in table["number_for_level"][way].items():
        low, high = ranges[level]
        assert low <= number <= (high or number)
        if level == "Automatic":
            refused("difficulty.standard", ANN, "climbing", options, difficulty="automatic")
        else:
            assert difficulty(ANN, "climbing", options, difficulty=level.lower()) == number
    for level, number in LEDGER["opend6.gap.difficulty.level_numbers"].data.items():
        assert DifficultyValue.parse(level).of(OPTIONS) == number


@pytest.mark.rule("opend6.difficulty.standard", "opend6.difficulty.choice", "opend6.special.derived")
def test_invalid_difficulties() -> None:
    refused("difficulty.standard", ANN, "climbing", difficulty=0)
    with pytest.raises(InvalidInputError, match="did you mean"):
        DifficultyValue.parse("moderat")
    with pytest.raises(InvalidInputError):
        DifficultyValue.parse("-3")
    for value in ("very_difficult", "17"):
        assert str(DifficultyValue.parse(value)) == value
    others: list[dict[str, Any]] = [{"task": "lift_10_kg"}, {"kilograms": 10}, {"against": "3D"}]
    for other in others:
        with pytest.raises(InvalidInputError, match=f"difficulty and {next(iter(other))} each say how hard it is"):
            planned(ANN, "lifting", difficulty=5, **other)
        assert difficulty(ANN, "lifting", **other) != difficulty(ANN, "lifting", difficulty=5)


@pytest.mark.rule("opend6.difficulty.choice")
@each_case("task", library().of(Task))
def test_every_task_brings_its_difficulty(task: Task) -> None:
    skill = task.skills[0]
    trained = somebody(**{library().get(Skill, skill).attribute: "1D", skill: "2D"})
    assert difficulty(trained, skill, task=task.id) == max(1, task.difficulty)
    refused("difficulty.choice", ANN, "agility", task=task.id)


@pytest.mark.rule("opend6.gap.difficulty.lifting")
def test_lifting_by_weight() -> None:
    for weight, number in rows("opend6.gap.difficulty.lifting"):
        assert difficulty(somebody(lifting="3D"), "lifting", kilograms=weight) == number
        assert library().get(Task, f"lift_{weight}_kg").difficulty == number
    assert lifting_difficulty(51) == 12
    with pytest.raises(IllegalActionError, match="lifting"):
        lifting_difficulty(1001)


@pytest.mark.rule("opend6.special.derived", "opend6.gap.difficulty.hiding", "opend6.gap.difficulty.interaction")
@each_case(
    ("skill", "situation", "number"),
    [
        ("intimidation", {"against": "3D"}, 6),
        ("intimidation", {"against": "3D", "modifier": 4}, 10),
        ("intimidation", {"task": "interaction"}, 10),
        ("stealth", {"against": "3D+2"}, 8),
        ("hide", {"task": "go_unseen"}, 6),
        ("bluff", {}, 10),  # skills have default difficulties of their own
        ("charm", {}, 10),
        ("intimidation", {}, 10),
        ("persuasion", {}, 10),
        ("hide", {}, 6),
        ("stealth", {}, 6),
        ("command", {}, 15),
        ("command", {"modifier": 2}, 17),
        ("hide", {"difficulty": "moderate"}, 15),
    ],
)
def test_a_difficulty_derived_from_a_target_or_from_the_skill(
    skill: str, situation: dict[str, Any], number: int
) -> None:
    assert difficulty(somebody(**{skill: "3D"}), skill, **situation) == number


@pytest.mark.rule("opend6.modifier.generic", "opend6.gap.difficulty.floor", "opend6.gap.difficulty.information")
def test_modifiers_add_up_and_nothing_is_easier_than_one() -> None:
    for band in LEDGER["opend6.modifier.generic"].data["bands"]:
        entry = library().get(Circumstance, band["name"].replace(" ", "_"))
        ends = sorted([end for end in (band["from"], band["to"]) if end is not None])
        assert (entry.value, [end for end in (entry.low, entry.high) if end is not None]) == (band["default"], ends)
        assert difficulty(ANN, "climbing", difficulty=30, circumstances=[entry.id]) == 30 + entry.value
    both = ["slight_disadvantage", "significant_disadvantage"]
    assert difficulty(ANN, "climbing", difficulty=10, circumstances=both, modifier=-2) == 19
    assert difficulty(ANN, "climbing", difficulty=10, circumstances=["slight_disadvantage"] * 2) == 16
    assert difficulty(ANN, "climbing", difficulty=10, modifier=-40) == 1
    assert difficulty(ANN, "climbing", OpenD6Options(floor=15), difficulty=10, modifier=-40) == 15
    scholar = somebody(scholar="3D")
    old = planned(scholar, "scholar", task="know_common", circumstances=["a_century_old"] * 3)
    assert arguments(old)["difficulty"] == 5 + 3 * 5
    assert "opend6.gap.difficulty.information" in {part.rule for part in old.tallies["difficulty"].parts}
    refused("gap.difficulty.information", scholar, "scholar", circumstances=["guarded_secret"] * 2)


@pytest.mark.rule("opend6.gap.difficulty.interaction_modifiers", "opend6.gap.skill.interaction")
def test_interaction_modifiers() -> None:
    interacting = LEDGER["opend6.gap.skill.interaction"].data["interaction"]
    assert {one.id for one in library().of(Skill) if one.interaction} == set(interacting)
    for name, value in rows("opend6.gap.difficulty.interaction_modifiers"):
        for skill in interacting:
            trained = somebody(**{skill: "3D"})
            assert difficulty(trained, skill, difficulty=20, circumstances=[name]) == 20 + value
            refused("gap.difficulty.interaction_modifiers", trained, skill, circumstances=[name, name])
        refused("modifier.generic", ANN, "climbing", circumstances=[name])


@pytest.mark.rule("opend6.modifier.roleplaying", "opend6.retry.consequences")
@each_case(
    ("options", "situation", "number"),
    [
        ({}, {"roleplaying": -3}, 7),
        ({"roleplaying": -5}, {}, 5),
        ({"roleplaying": -5}, {"roleplaying": 0}, 10),
        ({}, {"tries": 2}, 20),
        ({"difficulty_step": 0}, {"tries": 2}, 10),
        ({"difficulty_step": 50}, {"tries": 1}, 60),
    ],
)
def test_good_roleplaying_makes_it_easier_and_further_tries_harder(
    options: dict[str, Any], situation: dict[str, Any], number: int
) -> None:
    assert difficulty(ANN, "climbing", OpenD6Options(**options), difficulty=10, **situation) == number
    with pytest.raises(InvalidInputError):
        planned(ANN, "climbing", roleplaying=-6)


# ---------------------------------------------------------------------- options


@pytest.mark.rule("opend6.dice.die_code", "opend6.wild.cf_cancel", "opend6.simplify.chart")
@each_case(
    ("name", "value"),
    [
        ("normalise_rolled_pips", True),
        ("critical_failure", "complication"),
        ("critical_failure", "ask"),
        ("cancel_scope", "highest_only"),
        ("cancel_reaches_cp_dice", True),
        ("simplification", "five_dice"),
        ("simplification", "quick"),
        ("challenge_level", "easy"),
        ("challenge_level", "universe_shaking"),
        ("allow_mixing", True),
    ],
)
def test_options_reach_every_check(name: str, value: Any) -> None:
    table, other = OpenD6Options(**{name: value}), somebody(lifting="3D")
    asked = arguments(planned(ANN, "climbing", table, spend=True))
    assert asked[name] == value != arguments(planned(ANN, "climbing", spend=True))[name]
    if name not in ("challenge_level", "allow_mixing"):
        assert arguments(planned(ANN, "climbing", table))[name] == value
        session = session_of({"ann": ANN, "bob": other}, table)
        check = session.rulebook.check("lifting")
        subjects = [session.rulebook.subject(session.scene[who], session.scene) for who in ("ann", "bob")]
        one, two = [check.contender(subject, {}) for subject in subjects]
        assert check.against is not None
        assert arguments(check.against(one, two))[name] == value


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.simplify.quick")
def test_a_roll_may_be_made_otherwise() -> None:
    plan = planned(ANN, "climbing", critical_failure="complication")
    assert arguments(plan)["critical_failure"] == "complication"
    quick = OpenD6Options(simplification="quick")
    for succeeds in (True, False):
        call = planned(ANN, "climbing", quick, difficulty=16, ought_to_succeed=succeeds).call
        assert odds(call).chance(lambda one: one.success) == succeeds


def test_rulings_go_on_the_total_and_on_the_difficulty() -> None:
    session = session_of({"ann": ANN})
    session.do("table.modify", what="climbing", value=2, reason="chalk", who="ann")
    session.do("table.modify", what="difficulty", value=3, reason="rain")
    subject = session.rulebook.subject(session.scene["ann"], session.scene)
    found = arguments(session.rulebook.check("climbing").read(subject, {"difficulty": "10"}))
    assert (found["bonus"], found["difficulty"]) == (2, 13)


# ---------------------------------------------------------------------- time and help


@pytest.mark.rule("opend6.prepare.bonus", "opend6.rush.difficulty", "opend6.rush.limits")
def test_time_taken() -> None:
    assert rolled(ANN, "climbing", time="2") == C("5D")
    assert (rolled(ANN, "climbing", time="1/2"), difficulty(ANN, "climbing", difficulty=10, time="1/2")) == (
        C("4D"),
        20,
    )
    for rounds, harder in ((1, 0), (2, 10), (3, 20), (4, 20)):  # a longer task is forced into a round
        assert difficulty(ANN, "climbing", difficulty=10, time=f"1/{rounds}", seconds=5 * rounds) == 10 + harder
    refused("rush.limits", ANN, "climbing", time="1/5", seconds=25)
    refused("rush.limits", ANN, "climbing", time="1/5")
    refused("rush.limits", ANN, "climbing", time="1/2", can_be_rushed=False)
    refused("rush.limits", somebody(healing="2D+1"), "healing", task="surgery", time="1/2")
    refused("rush.difficulty", ANN, "climbing", time="1/2", seconds=9)
    refused("rush.difficulty", somebody(lifting="3D"), "lifting", task="lift_1_kg", time="1/2")
    assert str(TimeTaken.parse("3/4")) == "3/4"
    for wrong in ("0", "-1", "soon", "1/0"):
        with pytest.raises(InvalidInputError):
            TimeTaken.parse(wrong)


@pytest.mark.rule("opend6.related.modifier", "opend6.related.assist", "opend6.result.half_bonus")
def test_help_and_earlier_successes_go_on_the_total() -> None:
    plan = planned(ANN, "climbing", related=["4"], helper_points=["5", "-3"], earlier=5)
    assert arguments(plan)["bonus"] == 2 + 3 - 2 + 3
    refused("result.half_bonus", ANN, "climbing", OpenD6Options(half_bonus=False), earlier=5)


# ---------------------------------------------------------------------- the Wild Die


@pytest.mark.rule("opend6.special.wild_die_only", "opend6.map.zero_rule", "opend6.gap.advancement.needs")
def test_the_wild_die_alone_by_choice_of_the_game_master() -> None:
    plan = planned(ANN, "climbing", wild_die_only=True)
    assert play(plan.call, TypedDice([6])).result is Fortune.LUCK
    refused("special.wild_die_only", ANN, "climbing", OpenD6Options(wild_die_only="off"), wild_die_only=True)
    refused("special.wild_die_only", ANN, "climbing", wild_die_only=True, character_points=1)
    with pytest.raises(IllegalActionError, match="0D is left of 2D"):
        planned(somebody(agility="2D"), "agility", difficulty="1", actions="3", wild_die_only="yes")
    assert planned(somebody(agility="2D"), "agility", difficulty="1", actions="2", wild_die_only="yes").call
    session = session_of({"ann": ANN})
    session.do("table.check", who="ann", what="climbing", situation=["difficulty=5", "wild_die_only=yes"])
    answer(session, [3])
    assert session.scene["ann"].status.used == ("climbing",), "it is a use of the skill"


@pytest.mark.rule("opend6.special.wild_die_only")
def test_a_certain_success_says_that_the_wild_die_is_enough() -> None:
    """Every die shows at least 1: 3D and a pip reach 4."""
    sure = somebody(agility="3D+1")
    assert "wild_die_only=yes" in planned(sure, "agility", difficulty=4).hint
    assert not planned(sure, "agility", difficulty=5).hint
    assert planned(sure, "agility", difficulty=5, bonus=1).hint
    assert not planned(sure, "agility", OpenD6Options(wild_die_only="off"), difficulty=4).hint


@pytest.mark.rule("opend6.wild.cf_complication")
@each_case(
    ("difficulty", "faces", "severity"), [(10, [1, 5, 5, 5], "minor"), (20, [1, 2, 2, 2], ""), (5, [1], "minor")]
)
@each_case("when", ["now", "later"])
def test_a_complication_of_a_check_is_recorded(difficulty: int, faces: list[int], severity: str, when: str) -> None:
    session = session_of({"ann": ANN}, OpenD6Options(critical_failure="complication"))
    alone = ["wild_die_only=yes"] if len(faces) == 1 else []
    session.do("table.check", who="ann", what="climbing", situation=[f"difficulty={difficulty}", *alone])
    answer(session, faces, when)
    told = last(session, "Complicated")
    assert (told.severity, told.deferred) == (severity, when == "later")
    assert len(fight(session.scene).complications) == (when == "later")
