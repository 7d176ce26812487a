"""Checks from a character and a situation: every modifier by name, refusals with their rules, contests."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import (
    LEDGER,
    OPTIONS,
    C,
    after,
    arguments,
    library,
    person,
    planned,
    rows,
    session_of,
    somebody,
)
from systems.playing import answer
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.opend6.character.record import OwnAbility, Specialisation
from tablewright.systems.opend6.checks import CHECKS
from tablewright.systems.opend6.content import Circumstance, Gear, Skill, Task
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.situations import DifficultyValue, TimeTaken, lifting_difficulty
from tablewright.systems.opend6.values import DieCode, Fortune

ANN = somebody(
    "Ann", agility="3D+1", climbing="4D", physique="3D+2", coordination="3D", lockpicking="4D", charisma="3D"
)


def rolled(plan: Any) -> DieCode:
    found = arguments(plan)["code"]
    assert isinstance(found, DieCode)
    return found


def difficulty(plan: Any) -> int:
    return int(arguments(plan)["difficulty"])


def refused(rule: str, *given: Any, **situation: Any) -> None:
    with pytest.raises(IllegalActionError) as caught:
        planned(*given, **situation)
    assert caught.value.rule == rule, caught.value


# ---------------------------------------------------------------------- the order of assembly


@pytest.mark.rule("opend6.check.skill_check")
def test_a_check_rolls_the_skill_against_the_difficulty() -> None:
    plan = planned(ANN, "climbing", difficulty=12)
    assert (rolled(plan), difficulty(plan)) == (C("4D"), 12)
    assert plan.tallies["code_pips"].total == 12
    assert play(plan.call, TypedDice([3, 3, 3, 3])).result.success
    assert not play(plan.call, TypedDice([3, 3, 3, 2])).result.success
    assert {check.id for check in CHECKS} >= {one.id for one in library().of(Skill)} | {"agility", "magic", "skill"}
    assert rolled(planned(ANN, "skill", name="climbing", difficulty=12)) == C("4D")


@pytest.mark.rule("opend6.check.roll_assembly")
def test_the_order_in_which_a_roll_is_put_together() -> None:
    plan = planned(
        somebody(lifting="4D+1", physique="3D", fate_points=1),
        "lifting",
        difficulty=20,
        fate_points=1,
        actions=2,
        bonus_dice="1D+2",
        bonus=3,
    )
    assert rolled(plan) == DieCode(8, 2)  # 4D+1 doubled, less one die, one die from outside
    assert arguments(plan)["bonus"] == 5
    assert plan.tallies["dice"].total == 8


@pytest.mark.rule("opend6.dice.bonus_die_code")
def test_a_bonus_as_a_die_code_adds_regular_dice() -> None:
    (example,) = LEDGER["opend6.dice.bonus_die_code"].examples
    plan = planned(somebody(lifting="4D", physique="3D"), "lifting", bonus_dice="1D")
    assert rolled(plan) == DieCode(example["expect"]["dice_rolled"])


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_tools_and_preparation_are_not_doubled() -> None:
    thief = somebody(coordination="3D", lockpicking="4D", fate_points=1, belongings=(ItemStack("lockpicking_tools"),))
    assert rolled(planned(thief, "lockpicking", fate_points=1, time="4")) == DieCode(8 + 1 + 2)


@pytest.mark.rule("opend6.map.long_tasks")
def test_several_long_tasks_at_once() -> None:
    assert rolled(planned(ANN, "climbing", actions=3)) == C("2D")
    refused("opend6.map.zero_rule", ANN, "climbing", actions=5)


# ---------------------------------------------------------------------- untrained


@pytest.mark.rule("opend6.untrained.default_to_attribute", "opend6.untrained.modifier")
def test_the_untrained_roll_the_attribute_and_it_is_harder() -> None:
    plan = planned(ANN, "stealth", difficulty=10)
    assert (rolled(plan), difficulty(plan)) == (C("3D+1"), 15)
    assert difficulty(planned(ANN, "stealth", difficulty=10, unskilled="simple")) == 11
    assert difficulty(planned(ANN, "stealth", difficulty=10, unskilled="complex")) == 20
    assert difficulty(planned(ANN, "climbing", difficulty=10)) == 10
    assert difficulty(planned(ANN, "agility", difficulty=10)) == 10
    for modifier in (0, 30):
        assert (
            difficulty(planned(ANN, "stealth", OpenD6Options(untrained_modifier=modifier), difficulty=10))
            == 10 + modifier
        )
    modifiers = LEDGER["opend6.untrained.modifier"].data["modifier"]
    assert dict(modifiers) == {"simple": 1, "typical": 5, "complex": 10}


@pytest.mark.rule("opend6.untrained.default_to_attribute")
def test_one_pip_or_an_ability_counts_as_trained() -> None:
    assert difficulty(planned(somebody(stealth="2D+1"), "stealth", difficulty=10)) == 10
    assert difficulty(planned(somebody(stealth="2D"), "stealth", difficulty=10)) == 15
    gifted = somebody(abilities=(OwnAbility(id="skill_bonus", skills=("stealth", "hide", "search")),))
    assert difficulty(planned(gifted, "stealth", difficulty=10)) == 10


@pytest.mark.rule("opend6.untrained.impossible")
def test_some_tasks_are_closed_to_the_untrained() -> None:
    refused("opend6.untrained.impossible", ANN, "healing", trained_only=True)
    refused("opend6.untrained.impossible", ANN, "healing", task="surgery")
    refused("opend6.untrained.impossible", ANN, "stealth", OpenD6Options(trained_only=True))
    assert difficulty(planned(ANN, "climbing", OpenD6Options(trained_only=True), difficulty=9)) == 9
    assert difficulty(planned(somebody(healing="2D+1"), "healing", task="surgery")) == 25


@pytest.mark.rule("opend6.untrained.exempt")
@pytest.mark.parametrize("entry", LEDGER["opend6.untrained.exempt"].data["exempt"], ids=lambda entry: entry["use"][:12])
def test_uses_without_an_unskilled_modifier(entry: Any) -> None:
    uses = {"rule text": "offered", "combat": "combat", "finding c": "clues", "resisting": "resisting"}
    use = next(ours for start, ours in uses.items() if entry["use"].startswith(start))
    skill = "stamina" if entry["skill"] == "any" else entry["skill"]
    assert difficulty(planned(ANN, skill, difficulty=10, use=use)) == 10
    assert difficulty(planned(ANN, skill, difficulty=10)) == 15
    assert difficulty(planned(ANN, "melee_combat", difficulty=10, use="combat")) == 15  # other combat skills are not


@pytest.mark.rule("opend6.gap.skill.reading")
def test_nobody_reads_without_having_learned_it() -> None:
    refused("opend6.gap.skill.reading", ANN, "reading_writing", difficulty=5)
    assert difficulty(planned(somebody(reading_writing="2D+1"), "reading_writing", difficulty=5)) == 5


@pytest.mark.rule("opend6.gap.skill.speaking")
def test_known_languages_need_no_roll() -> None:
    speaker = somebody(languages=("Hill speech",))
    refused("opend6.gap.skill.speaking", speaker, "speaking", specialisation="hill speech")
    refused("opend6.gap.skill.speaking", speaker, "speaking", specialisation="Trade speech")
    assert difficulty(planned(speaker, "speaking", difficulty=10, specialisation="Elvish")) == 15


# ---------------------------------------------------------------------- other attributes, specialisations, abilities


@pytest.mark.rule("opend6.skill.alternate_attribute")
def test_a_skill_based_on_another_attribute() -> None:
    assert rolled(planned(ANN, "climbing", attribute="physique")) == C("4D+1")
    assert rolled(planned(ANN, "climbing", use="distance")) == C("4D+1")
    plan = planned(ANN, "jumping", attribute="physique", difficulty=10)
    assert (rolled(plan), difficulty(plan)) == (C("3D+2"), 15)  # still untrained
    table = OpenD6Options(alternate_attributes=False)
    assert rolled(planned(ANN, "climbing", table, use="distance")) == C("4D")
    refused("opend6.skill.alternate_attribute", ANN, "climbing", table, attribute="physique")
    assert rolled(planned(ANN, "climbing", table, attribute="agility")) == C("4D")


@pytest.mark.rule("opend6.skill.alternate_pairs")
@each_case("pair", LEDGER["opend6.skill.alternate_pairs"].data["pairs"])
def test_the_suggested_pairs(pair: Any) -> None:
    entry = library().get(Skill, pair["skill"])
    given = {attribute.casefold() for attribute in pair["uses"]} | ({"acumen"} if pair["skill"] == "riding" else set())
    assert set(entry.alternates.values()) == given
    one = somebody(agility="1D", coordination="2D", physique="3D", intellect="4D", acumen="5D", charisma="6D")
    for use, attribute in entry.alternates.items():
        assert rolled(planned(one, pair["skill"], use=use)) == getattr(one.attributes, attribute)


@pytest.mark.rule("opend6.gap.creation.specialisations")
def test_a_specialisation_is_rolled_for_its_subject_only() -> None:
    elf_friend = somebody(
        intellect="2D+2",
        speaking="3D",
        specialisations=(
            Specialisation(skill="speaking", subject="Elvish", adds=C("0D+1")),
            Specialisation(skill="cultures", subject="Elves", adds=C("0D+1")),
        ),
    )
    assert rolled(planned(elf_friend, "speaking", specialisation="elvish")) == C("3D+1")
    assert rolled(planned(elf_friend, "speaking", specialisation="Dwarvish")) == C("3D")
    elves = planned(elf_friend, "cultures", specialisation="Elves", difficulty=10)
    assert (rolled(elves), difficulty(elves)) == (C("3D"), 10)
    others = planned(elf_friend, "cultures", difficulty=10)
    assert (rolled(others), difficulty(others)) == (C("2D+2"), 15)
    with pytest.raises(InvalidInputError, match=r'"Elvez" counts for nothing.*known are Elves; did you mean "Elves"'):
        planned(elf_friend, "cultures", specialisation="Elvez")


@pytest.mark.rule("opend6.difficulty.choice", "opend6.special.derived", "opend6.gap.difficulty.lifting")
@pytest.mark.parametrize("other", [{"task": "lift_10_kg"}, {"kilograms": 10}, {"against": "3D"}])
def test_one_thing_alone_says_how_hard_it_is(other: dict[str, Any]) -> None:
    word = next(iter(other))
    with pytest.raises(InvalidInputError, match=f"difficulty and {word} each say how hard it is"):
        planned(ANN, "lifting", difficulty=5, **other)
    assert difficulty(planned(ANN, "lifting", **other)) != difficulty(planned(ANN, "lifting", difficulty=5))


@pytest.mark.rule("opend6.gap.ability.skill_bonus", "opend6.gap.ability.increased_attribute")
def test_abilities_add_to_totals() -> None:
    bonus = OwnAbility(id="skill_bonus", ranks=2, skills=("healing", "survival", "scholar"))
    strong = OwnAbility(id="increased_attribute", ranks=3, attribute="physique")
    one = somebody(abilities=(bonus, strong))
    assert arguments(planned(one, "healing"))["bonus"] == 2
    assert arguments(planned(one, "search"))["bonus"] == 0
    assert [arguments(planned(one, what))["bonus"] for what in ("physique", "stamina", "agility")] == [3, 3, 0]


@pytest.mark.rule("opend6.gap.equipment.tools")
@pytest.mark.parametrize(("name", "row"), rows("opend6.gap.equipment.tools"))
def test_a_tool_helps_its_skill(name: str, row: Any) -> None:
    owner = somebody(lockpicking="2D+1", belongings=(ItemStack(name),))
    bonus = C(row[1])
    plan, bare = planned(owner, row[0]), planned(owner, row[0], tools=False)
    assert rolled(plan).dice - rolled(bare).dice == bonus.dice
    assert arguments(plan)["bonus"] - arguments(bare)["bonus"] == bonus.pips
    assert rolled(planned(owner, "bluff")) == rolled(planned(owner, "bluff", tools=False))
    assert library().get(Gear, name).uses == row[2]


@pytest.mark.rule("opend6.gap.equipment.tools")
def test_some_tools_are_for_the_trained_and_the_best_counts_once() -> None:
    picks = (ItemStack("lockpicking_tools"),)
    assert rolled(planned(somebody(belongings=picks), "lockpicking")) == C("2D")
    climber = somebody(belongings=(ItemStack("grappling_hook"), ItemStack("iron_spikes")))
    assert rolled(planned(climber, "climbing")) == C("3D")


@pytest.mark.rule("opend6.gap.equipment.tools")
def test_a_healers_pack_is_used_up() -> None:
    mira = person("healer", belongings=(ItemStack("healers_pack", left=2), ItemStack("healers_pack", left=1)))
    session = session_of({"mira": mira})
    left = []
    for _ in range(4):
        session.do("table.check", who="mira", what="healing", situation=["difficulty=10"])
        session.roll()
        left.append(sum([(one.left or 0) * one.count for one in session.scene["mira"].belongings]))
    assert left == [2, 1, 0, 0]
    assert session.scene["mira"].belongings == ()
    fresh = session_of({"mira": person("healer", belongings=(ItemStack("healers_pack"),))})
    fresh.do("table.check", who="mira", what="healing")
    fresh.roll()
    assert fresh.scene["mira"].belongings == (ItemStack("healers_pack", left=4),)


# ---------------------------------------------------------------------- difficulties


@pytest.mark.rule("opend6.difficulty.standard", "opend6.gap.difficulty.level_numbers")
@pytest.mark.parametrize("way", ["high", "middle", "low"])
def test_levels_stand_for_numbers(way: Any) -> None:
    table = LEDGER["opend6.difficulty.standard"].data
    ranges = {row["level"]: (row["low"], row["high"]) for row in table["levels"]}
    options = OpenD6Options(number_for_level=way)
    for level, number in table["number_for_level"][way].items():
        low, high = ranges[level]
        assert low <= number
        assert high is None or number <= high
        if level == "Automatic":
            refused("opend6.difficulty.standard", ANN, "climbing", options, difficulty="automatic")
        else:
            assert difficulty(planned(ANN, "climbing", options, difficulty=level.lower())) == number
    for level, number in LEDGER["opend6.gap.difficulty.level_numbers"].data.items():
        assert DifficultyValue.parse(level).of(OPTIONS) == number


@pytest.mark.rule("opend6.difficulty.standard")
def test_invalid_difficulties() -> None:
    refused("opend6.difficulty.standard", ANN, "climbing", difficulty=0)
    with pytest.raises(InvalidInputError, match="did you mean"):
        DifficultyValue.parse("moderat")
    with pytest.raises(InvalidInputError):
        DifficultyValue.parse("-3")
    for value in ("very_difficult", "17"):
        assert str(DifficultyValue.parse(value)) == value


@pytest.mark.rule("opend6.difficulty.choice")
@each_case("task", library().of(Task))
def test_every_task_brings_its_difficulty(task: Task) -> None:
    skill = task.skills[0]
    governing = library().get(Skill, skill).attribute
    trained = somebody(**{governing: "1D", skill: "2D"})
    plan = planned(trained, skill, task=task.id)
    assert difficulty(plan) == max(1, task.difficulty)
    refused("opend6.difficulty.choice", ANN, "agility", task=task.id)


TABLES = ("observation", "information", "locks")


@pytest.mark.rule(
    "opend6.gap.difficulty.observation", "opend6.gap.difficulty.information", "opend6.gap.difficulty.locks"
)
@each_case(("task", "number"), [row for table in TABLES for row in rows(f"opend6.gap.difficulty.{table}")])
def test_the_tables_of_tasks(task: str, number: int) -> None:
    circumstances = {"per_century": "a_century_old", "guarded_secret": "guarded_secret"}
    if task in circumstances:
        assert library().get(Circumstance, circumstances[task]).value == number
    else:
        assert library().get(Task, task).difficulty == number


@pytest.mark.rule("opend6.gap.difficulty.lifting")
def test_lifting_by_weight() -> None:
    for weight, number in rows("opend6.gap.difficulty.lifting"):
        assert lifting_difficulty(int(weight)) == number
        assert difficulty(planned(somebody(lifting="3D"), "lifting", kilograms=weight)) == number
        assert library().get(Task, f"lift_{weight}_kg").difficulty == number
    assert lifting_difficulty(51) == 12
    with pytest.raises(IllegalActionError, match="lifting"):
        lifting_difficulty(1001)


@pytest.mark.rule("opend6.special.derived", "opend6.gap.difficulty.hiding")
def test_a_difficulty_derived_from_a_target() -> None:
    sneak = somebody(stealth="3D", hide="3D", charisma="3D", intimidation="4D")
    assert difficulty(planned(sneak, "intimidation", against="3D")) == 6
    assert difficulty(planned(sneak, "stealth", against="3D+2")) == 8
    assert difficulty(planned(sneak, "hide", task="go_unseen")) == 6
    assert difficulty(planned(sneak, "intimidation", task="interaction")) == 10
    assert difficulty(planned(sneak, "intimidation", against="3D", modifier=4)) == 10


@pytest.mark.rule("opend6.modifier.generic", "opend6.gap.difficulty.floor")
def test_modifiers_add_up_and_nothing_is_easier_than_one() -> None:
    for band in LEDGER["opend6.modifier.generic"].data["bands"]:
        entry = library().get(Circumstance, band["name"].replace(" ", "_"))
        ends = sorted([end for end in (band["from"], band["to"]) if end is not None])
        assert entry.value == band["default"]
        assert [end for end in (entry.low, entry.high) if end is not None] == ends
        assert difficulty(planned(ANN, "climbing", difficulty=30, circumstances=[entry.id])) == 30 + entry.value
    both = ["slight_disadvantage", "significant_disadvantage"]
    assert difficulty(planned(ANN, "climbing", difficulty=10, circumstances=both, modifier=-2)) == 19
    assert difficulty(planned(ANN, "climbing", difficulty=10, modifier=-40)) == 1
    assert difficulty(planned(ANN, "climbing", OpenD6Options(floor=15), difficulty=10, modifier=-40)) == 15


@pytest.mark.rule("opend6.gap.difficulty.interaction_modifiers", "opend6.gap.skill.interaction")
@pytest.mark.parametrize(("name", "value"), rows("opend6.gap.difficulty.interaction_modifiers"))
def test_interaction_modifiers(name: str, value: int) -> None:
    for skill in LEDGER["opend6.gap.skill.interaction"].data["interaction"]:
        assert library().get(Skill, skill).interaction
        trained = somebody(**{skill: "3D"})
        assert difficulty(planned(trained, skill, difficulty=20, circumstances=[name])) == 20 + value
        refused("opend6.gap.difficulty.interaction_modifiers", trained, skill, circumstances=[name, name])
    refused("opend6.modifier.generic", ANN, "climbing", circumstances=[name])
    assert sum([one.interaction for one in library().of(Skill)]) == 4


@pytest.mark.rule("opend6.gap.difficulty.information", "opend6.modifier.generic")
def test_centuries_add_up_and_so_do_troubles_of_any_kind() -> None:
    scholar = somebody(scholar="3D")
    old = planned(scholar, "scholar", task="know_common", circumstances=["a_century_old"] * 3)
    assert difficulty(old) == 5 + 3 * 5
    assert "opend6.gap.difficulty.information" in {part.rule for part in old.tallies["difficulty"].parts}
    assert difficulty(planned(ANN, "climbing", difficulty=10, circumstances=["slight_disadvantage"] * 2)) == 16
    refused("opend6.gap.difficulty.information", scholar, "scholar", circumstances=["guarded_secret"] * 2)


@pytest.mark.rule("opend6.gap.difficulty.interaction", "opend6.gap.difficulty.hiding")
@pytest.mark.parametrize(
    ("skill", "base"),
    [
        ("bluff", 10),
        ("charm", 10),
        ("intimidation", 10),
        ("persuasion", 10),
        ("hide", 6),
        ("stealth", 6),
        ("command", 15),
    ],
)
def test_a_skill_has_its_own_default_difficulty(skill: str, base: int) -> None:
    trained = somebody(**{skill: "3D"})
    assert difficulty(planned(trained, skill)) == base
    assert difficulty(planned(trained, skill, difficulty="moderate")) == 15
    assert difficulty(planned(trained, skill, modifier=2)) == base + 2


@pytest.mark.rule("opend6.modifier.roleplaying")
def test_good_roleplaying_lowers_the_difficulty() -> None:
    assert difficulty(planned(ANN, "climbing", difficulty=10, roleplaying=-3)) == 7
    assert difficulty(planned(ANN, "climbing", OpenD6Options(roleplaying=-5), difficulty=10)) == 5
    assert difficulty(planned(ANN, "climbing", OpenD6Options(roleplaying=-5), difficulty=10, roleplaying=0)) == 10
    with pytest.raises(InvalidInputError):
        planned(ANN, "climbing", roleplaying=-6)


@pytest.mark.rule("opend6.retry.consequences")
def test_further_tries_are_harder() -> None:
    assert difficulty(planned(ANN, "climbing", difficulty=10, tries=2)) == 20
    assert difficulty(planned(ANN, "climbing", OpenD6Options(difficulty_step=0), difficulty=10, tries=2)) == 10
    assert difficulty(planned(ANN, "climbing", OpenD6Options(difficulty_step=50), difficulty=10, tries=1)) == 60


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
        ("simplification", "wild_die_only"),
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
        one, two = [
            check.contender(session.rulebook.subject(session.scene[who], session.scene), {}) for who in ("ann", "bob")
        ]
        assert check.against is not None
        assert arguments(check.against(one, two))[name] == value


@pytest.mark.rule("opend6.map.zero_rule")
def test_the_zero_rule_reaches_checks() -> None:
    weak = somebody(climbing="2D+2", belongings=(ItemStack("grappling_hook"),))
    refused("opend6.map.zero_rule", weak, "climbing", actions=3)
    net = planned(weak, "climbing", OpenD6Options(zero_rule="net_pool_below_1d"), actions=3)
    assert rolled(net) == C("1D+2")
    refused("opend6.map.zero_rule", weak, "climbing", OpenD6Options(zero_rule="net_pool_below_1d"), actions=4)
    bare = planned(weak, "climbing", OpenD6Options(zero_rule="exactly_zero"), actions=3, tools=False, difficulty=2)
    assert rolled(bare) == DieCode(0, 2)
    assert play(bare.call, TypedDice([])).result.success
    fated = planned(somebody(climbing="1D+2", fate_points=1), "climbing", actions=2, spend=True)
    assert (arguments(fated)["code"], arguments(fated)["fated"]) == (None, (DieCode(1, 4),))


# ---------------------------------------------------------------------- time and help


@pytest.mark.rule("opend6.action.use_ability", "opend6.rush.difficulty", "opend6.rush.limits")
def test_a_longer_task_forced_into_a_round() -> None:
    for rounds, harder in ((1, 0), (2, 10), (3, 20), (4, 20)):
        forced = planned(ANN, "climbing", difficulty=10, time=f"1/{rounds}", seconds=5 * rounds)
        assert difficulty(forced) == 10 + harder
    refused("opend6.rush.limits", ANN, "climbing", time="1/5", seconds=25)


@pytest.mark.rule("opend6.prepare.bonus", "opend6.rush.difficulty", "opend6.rush.limits")
def test_time_taken() -> None:
    assert rolled(planned(ANN, "climbing", time="2")) == C("5D")
    assert difficulty(planned(ANN, "climbing", difficulty=10, time="1/2")) == 20
    assert rolled(planned(ANN, "climbing", time="1/2")) == C("4D")
    refused("opend6.rush.difficulty", ANN, "climbing", time="1/2", seconds=9)
    assert difficulty(planned(ANN, "climbing", difficulty=10, time="1/2", seconds=10)) == 20
    refused("opend6.rush.limits", ANN, "climbing", time="1/5")
    refused("opend6.rush.limits", ANN, "climbing", time="1/2", can_be_rushed=False)
    surgeon = somebody(healing="2D+1")
    refused("opend6.rush.limits", surgeon, "healing", task="surgery", time="1/2")
    refused("opend6.rush.difficulty", somebody(lifting="3D"), "lifting", task="lift_1_kg", time="1/2")
    assert str(TimeTaken.parse("3/4")) == "3/4"
    for wrong in ("0", "-1", "soon", "1/0"):
        with pytest.raises(InvalidInputError):
            TimeTaken.parse(wrong)


@pytest.mark.rule("opend6.related.modifier", "opend6.related.assist", "opend6.result.half_bonus")
def test_help_and_earlier_successes_go_on_the_total() -> None:
    plan = planned(ANN, "climbing", related=["4"], helper_points=["5", "-3"], earlier=5)
    assert arguments(plan)["bonus"] == 2 + 3 - 2 + 3
    refused("opend6.result.half_bonus", ANN, "climbing", OpenD6Options(half_bonus=False), earlier=5)


# ---------------------------------------------------------------------- points


@pytest.mark.rule("opend6.points.limits", "opend6.cp.max_per_roll", "opend6.points.no_mixing")
def test_points_named_beforehand() -> None:
    rich = somebody(character_points=9, fate_points=2)
    assert arguments(planned(rich, "agility", character_points=5))["character_points"] == 5
    refused("opend6.cp.max_per_roll", rich, "agility", character_points=6)
    refused("opend6.cp.max_per_roll", rich, "agility", OpenD6Options(challenge_level="easy"), character_points=3)
    shaking = OpenD6Options(challenge_level="universe_shaking")
    assert arguments(planned(rich, "agility", shaking, character_points=9))["character_points"] == 9
    refused("opend6.points.limits", rich, "agility", character_points=10)
    refused("opend6.points.limits", somebody(fate_points=0), "agility", fate_points=1)
    refused("opend6.points.no_mixing", rich, "agility", character_points=1, fate_points=1)
    mixed = planned(rich, "agility", OpenD6Options(allow_mixing=True), character_points=1, fate_points=1)
    assert (rolled(mixed), arguments(mixed)["character_points"]) == (C("4D"), 1)


@pytest.mark.rule("opend6.fate.per_roll_limit", "opend6.fate.extra_on_one_roll")
def test_fate_points_on_one_roll() -> None:
    fated = somebody(fate_points=3)
    assert rolled(planned(fated, "agility", fate_points=1)) == C("4D")
    refused("opend6.fate.per_roll_limit", fated, "agility", fate_points=2)
    assert rolled(planned(fated, "agility", OpenD6Options(allow_stacking=True), fate_points=2)) == C("6D")
    doubling = OpenD6Options(allow_stacking=True, stacking="geometric")
    assert rolled(planned(fated, "agility", doubling, fate_points=2)) == C("8D")
    assert arguments(planned(fated, "agility", spend=True))["fated"] == (C("4D"),)
    offered = arguments(planned(fated, "agility", OpenD6Options(allow_stacking=True), spend=True))["fated"]
    assert offered == (C("4D"), C("6D"), C("8D"))


@pytest.mark.rule("opend6.fate.experience_restrictions")
def test_experienced_characters_keep_fate_points_for_what_matters() -> None:
    codes = {"agility": "3D", "dodge": "6D", "stealth": "6D+2", "climbing": "6D"}
    moderate = somebody(**codes)
    strict = OpenD6Options(experience_restriction=True)
    refused("opend6.fate.experience_restrictions", moderate, "agility", strict, fate_points=1)
    assert rolled(planned(moderate, "agility", strict, fate_points=1, moment="story")) == C("6D")
    assert rolled(planned(moderate, "agility", fate_points=1)) == C("6D")
    assert rolled(planned(somebody(**{**codes, "climbing": "5D+2"}), "agility", strict, fate_points=1)) == C("6D")
    several = OpenD6Options(experience_restriction=True, several_skills=4)
    assert rolled(planned(moderate, "agility", several, fate_points=1)) == C("6D")
    high = somebody(agility="3D", dodge="9D", stealth="9D", climbing="9D")
    refused("opend6.fate.experience_restrictions", high, "agility", strict, fate_points=1, moment="story")
    assert rolled(planned(high, "agility", strict, fate_points=1, moment="climactic")) == C("6D")
    many = OpenD6Options(experience_restriction=True, several_skills=20)
    assert rolled(planned(high, "agility", many, fate_points=1)) == C("6D")
    one = OpenD6Options(experience_restriction=True, several_skills=1)
    refused("opend6.fate.experience_restrictions", somebody(agility="3D", dodge="6D"), "agility", one, fate_points=1)
    assert arguments(planned(high, "agility", strict, spend=True))["fated"] == ()


@pytest.mark.rule("opend6.cp.spent_and_earned")
def test_points_that_were_spent_are_gone() -> None:
    session = session_of({"ann": somebody("Ann", character_points=4, fate_points=1)})
    session.do("table.check", who="ann", what="agility", situation=["character_points=2"])
    session.roll()
    assert session.scene["ann"].status.character_points == 2
    session.do("table.check", who="ann", what="agility", situation=["fate_points=1"])
    session.roll()
    kept = after(session, "ann")
    assert (kept.character_points, kept.fate_points) == (2, 0)
    assert [spent.on for spent in kept.fate_spent] == ["agility"]
    asked = session_of({"ann": somebody("Ann", character_points=2, fate_points=0)})
    asked.do("table.check", who="ann", what="agility", situation=["spend=true", "difficulty=30"])
    answer(asked, "1", [2, 3, 4], "yes", [5], *())
    assert after(asked, "ann").character_points == 0


@pytest.mark.rule("opend6.special.wild_die_only")
def test_the_wild_die_alone_by_choice_of_the_game_master() -> None:
    plan = planned(ANN, "climbing", wild_die_only=True)
    assert play(plan.call, TypedDice([6])).result is Fortune.LUCK
    refused("opend6.special.wild_die_only", ANN, "climbing", OpenD6Options(wild_die_only="off"), wild_die_only=True)
    refused("opend6.special.wild_die_only", ANN, "climbing", wild_die_only=True, character_points=1)


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.simplify.quick")
def test_a_roll_may_be_made_otherwise() -> None:
    plan = planned(ANN, "climbing", critical_failure="complication")
    assert arguments(plan)["critical_failure"] == "complication"
    assert arguments(planned(ANN, "climbing"))["critical_failure"] == "cancel"
    quick = OpenD6Options(simplification="quick")
    sure = planned(ANN, "climbing", quick, difficulty=16)
    doomed = planned(ANN, "climbing", quick, difficulty=16, ought_to_succeed=False)
    assert odds(sure.call).chance(lambda one: one.success) == 1
    assert odds(doomed.call).chance(lambda one: one.success) == 0


def test_rulings_go_on_the_total_and_on_the_difficulty() -> None:
    session = session_of({"ann": ANN})
    session.do("table.modify", what="climbing", value=2, reason="chalk", who="ann")
    session.do("table.modify", what="difficulty", value=3, reason="rain")
    subject = session.rulebook.subject(session.scene["ann"], session.scene)
    plan = session.rulebook.check("climbing").read(subject, {"difficulty": "10"})
    assert (arguments(plan)["bonus"], difficulty(plan)) == (2, 13)


@pytest.mark.rule("opend6.special.wild_die_only")
def test_a_certain_success_says_that_the_wild_die_is_enough() -> None:
    """Every die shows at least 1: 3D and a pip reach 4."""
    sure = somebody(agility="3D+1")
    assert "wild_die_only=yes" in planned(sure, "agility", difficulty=4).hint
    assert not planned(sure, "agility", difficulty=5).hint
    assert planned(sure, "agility", difficulty=5, bonus=1).hint
    assert not planned(sure, "agility", OpenD6Options(wild_die_only="off"), difficulty=4).hint


@pytest.mark.rule("opend6.dice.bonus_die_code", "opend6.gap.equipment.tools")
def test_a_shovel_adds_a_die_to_digging_and_to_nothing_else() -> None:
    digger = somebody("Ann", lifting="4D", belongings=(ItemStack("shovel"),))
    assert str(arguments(planned(digger, "lifting", use="digging"))["code"]) == "5D"
    assert str(arguments(planned(digger, "lifting", kilograms=100))["code"]) == "4D"
    assert str(arguments(planned(digger, "lifting", use="digging", tools="no"))["code"]) == "4D"
