"""Checks by name: difficulties in words, circumstances, training, armour, groups and contests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import BOOK, duel, fighter, place, session_with
from systems.mars.people import LEDGER, OPTIONS, do, library, person, session_of
from systems.playing import events, go, status
from tablewright.engine import Trace, odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.play.common_events import Checked
from tablewright.systems.mars.character.record import MarsEffect, Wounds
from tablewright.systems.mars.checks import CHECKS, DifficultyValue, difficulties
from tablewright.systems.mars.content import Task
from tablewright.systems.mars.mechanics.harm import fall
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import Degree, RollValue

ANN = fighter(
    "Ann", STR="r12", DEX="r10", INT="r8", RES="r10", skills={"athletics": "r4", "sleight": "r6", "martial": "r8"}
)


def plan(what: str, character: Any = ANN, options: MarsOptions = OPTIONS, **situation: Any) -> CheckPlan:
    """A check in a situation, outside of any scene."""
    return BOOK.check(what).read(Subject(character, options, library()), situation)


def arguments(what: str, character: Any = ANN, **situation: Any) -> dict[str, Any]:
    return plan(what, character, **situation).call.named_arguments()


@pytest.mark.rule("mars.check.difficulties", "mars.action.use_skill")
@pytest.mark.parametrize(("name", "value"), LEDGER["mars.check.difficulties"].data.items())
def test_difficulties_by_name(name: str, value: int) -> None:
    assert DifficultyValue.parse(name.upper()).value == value
    assert str(DifficultyValue(value)) == name.lower()
    assert arguments("athletics", difficulty=name)["difficulty"] == value


@pytest.mark.rule("mars.check.difficulties")
def test_difficulties_by_number() -> None:
    assert arguments("athletics", difficulty="12")["difficulty"] == 12
    assert arguments("athletics")["difficulty"] == 10
    assert difficulties()["hard"] == 14
    for value in (-100, -3, -1, 0, 400):
        assert DifficultyValue.parse(str(value)) == DifficultyValue(value)
    for wrong in ("hardly", "1.5", "999", "--3", "²"):
        with pytest.raises(InvalidInputError, match="is no difficulty"):
            DifficultyValue.parse(wrong)
    for beyond in (-101, 401, 10_000, -(10**50)):
        with pytest.raises(InvalidInputError, match="from -100 to 400"):
            DifficultyValue.parse(str(beyond))


@pytest.mark.rule("mars.check.skill_check", "mars.skill.associated_stat")
@pytest.mark.parametrize("example", LEDGER["mars.check.skill_check"].examples)
def test_skill_checks(example: Any) -> None:
    given = example["given"]
    skills = {"athletics": given["athletics"]} if given["athletics"] else {}
    somebody = fighter("Ann", STR=given["STR"], skills=skills)
    assert str(arguments("athletics", somebody)["roll_value"]) == example["expect"]["roll"]


@pytest.mark.rule("mars.skill.complex_gate")
def test_complex_skills_need_training_and_combat_skills_do_not() -> None:
    assert str(arguments("sleight")["roll_value"]) == "r16"
    with pytest.raises(IllegalActionError, match=r"not trained in Medicine \[mars.skill.complex_gate\]"):
        plan("medicine")
    soldier = fighter("Ann", INT="r8", background="soldier")
    assert str(arguments("medicine", soldier)["roll_value"]) == "r8+1"  # by the bonus of the background
    assert str(arguments("finesse")["roll_value"]) == "r10"


@pytest.mark.rule("mars.stat.rolled_secondary_uses", "mars.stat.rolled_secondary")
def test_rolled_secondary_stats() -> None:
    rolled = {name: str(arguments(name)["roll_value"]) for name in ("INIT", "DEF", "EVA", "FORT", "WILL")}
    assert rolled == {"INIT": "r20", "DEF": "r10", "EVA": "r10", "FORT": "r22", "WILL": "r18"}
    assert str(arguments("STR")["roll_value"]) == "r12"
    uses = LEDGER["mars.stat.rolled_secondary_uses"].data
    assert set(uses) == set(rolled)
    assert uses["INIT"] == ("turn_order",)


@pytest.mark.rule("mars.advantage.sources")
def test_every_modifier_is_reachable_by_name() -> None:
    found = arguments("athletics", advantage="2", disadvantage="1", modifier="-3")
    assert (found["advantage"], found["disadvantage"], str(found["roll_value"])) == (2, 1, "r16-3")
    tallies = plan("athletics", modifier="-3", advantage="1").tallies
    assert tallies["roll_value"].total == 16 - 3
    assert tallies["advantage"].total == 1
    assert {part.label for part in tallies["roll_value"].parts} >= {"circumstances"}
    passive = plan("athletics", passive="yes", difficulty="8")
    assert odds(passive.call)[Degree.SUCCESS] == 1
    creature = fighter("Wolf", kind="creature", DEX="r10")
    assert (
        str(plan("perception", creature, MarsOptions(passive_rolls="all_npc")).call.named_arguments()["roll_value"])
        == "r0+5"
    )


@pytest.mark.rule("mars.effect.sickness_penalty", "mars.effect.debilitation")
def test_effects_count_outside_scenes_too() -> None:
    ill = ANN.changed(wounds=Wounds(effects=(MarsEffect("sickness", degree=2), MarsEffect("debilitation", stat="STR"))))
    found = arguments("athletics", ill)
    assert (str(found["roll_value"]), found["disadvantage"]) == ("r16-2", 1)


@pytest.mark.rule("mars.equipment.armour_penalty")
def test_the_armour_penalty_counts_in_dex_skills() -> None:
    weak = fighter("Ann", STR="r8", wear=["chainmail"])  # 12 needed: -2
    penalty = {
        skill: arguments(skill, weak)["roll_value"].modifier
        for skill in (*LEDGER["mars.equipment.armour_penalty"].data["dex_skills"], "athletics", "charisma", "FORT")
        if skill not in ("sleight",)
    }
    dex = [skill for skill, modifier in penalty.items() if modifier == -2]
    assert dex == ["agility", "perception", "finesse", "martial", "ranged", "unarmed"]
    assert arguments("DEF", weak)["roll_value"].modifier == 3 - 2
    assert arguments("INIT", weak)["roll_value"].modifier == 0


@pytest.mark.rule("mars.gap.ancestry.abilities", "mars.effect.enhancement")
def test_an_ancestry_helps_with_its_own_roll_in_its_own_circumstances_alone() -> None:
    strong = Wounds(effects=(MarsEffect("enhancement", stat="WILL", source="song"),))
    dwarf = fighter("Ann", ancestry="dwarf").changed(wounds=strong)
    helped = {what: arguments(what, dwarf, when="sickness")["advantage"] for what in ("FORT", "WILL", "athletics")}
    assert helped == {"FORT": 1, "WILL": 1, "athletics": 0}  # WILL by the enhancement, and not by the ancestry too
    assert arguments("FORT", dwarf)["advantage"] == arguments("FORT", dwarf, when="knocked_down")["advantage"] == 0


@pytest.mark.rule("mars.gap.talent.other_stat", "mars.gap.ancestry.abilities")
def test_circumstances_bring_talents_and_ancestry_in() -> None:
    sharp = fighter("Ann", INT="r12", DEX="r8", RES="r8", STR="r10", talents={"deduction": 1, "intimidation": 1})
    assert str(arguments("perception", sharp)["roll_value"]) == "r8"
    assert str(arguments("perception", sharp, when="tracking")["roll_value"]) == "r12"
    assert str(arguments("charisma", sharp, when="intimidation")["roll_value"]) == "r10"
    strong = fighter("Ann", talents={"weightlifter": 1})
    assert arguments("athletics", strong, when="heavy_objects")["advantage"] == 1
    dwarf = fighter("Ann", ancestry="dwarf")
    assert arguments("FORT", dwarf, when="sickness")["advantage"] == 1
    assert arguments("athletics", dwarf, when="knocked_down")["advantage"] == 1
    elf = fighter("Ann", ancestry="elf")
    wild, tame = arguments("perception", elf, when="wilderness"), arguments("perception", elf)
    assert wild["roll_value"].modifier - tame["roll_value"].modifier == 1


TASK_SKILLS = {
    "hide_from": ("agility",),
    "safe_fall": ("agility",),
    "jump": ("athletics",),
    "break_rusty_lock": ("athletics",),
    "break_lock": ("athletics",),
    "break_sturdy_lock": ("athletics",),
    "break": ("athletics", "martial"),
    "pick": ("sleight",),
    "notice": ("perception",),
    "recognise": ("perception",),
    "stabilise": ("medicine",),
    "simple_question": (),
    "conversation": (),
    "technical_talk": (),
}


@pytest.mark.rule("mars.gap.check.common_tasks", "mars.gap.check.object_difficulties", "mars.damage.objects")
@each_case("task", library().of(Task))
def test_common_tasks(task: Task) -> None:
    skilled = fighter(
        "Ann", skills=dict.fromkeys(("sleight", "medicine", "martial"), "r4"), languages={"elven": RollValue(4)}
    )
    assert task.skills == next(skills for start, skills in TASK_SKILLS.items() if task.id.startswith(start))
    if not task.skills:
        found = BOOK.check("language").read(Subject(skilled, OPTIONS, library()), {"name": "elven", "task": task.id})
        assert found.call.named_arguments()["difficulty"] == task.difficulty
        with pytest.raises(IllegalActionError, match="takes language, not charisma"):
            plan("charisma", skilled, task=task.id)
        return
    for skill in task.skills:
        assert arguments(skill, skilled, task=task.id)["difficulty"] == task.difficulty
    for other in ("knowledge", "STR", "FORT"):
        with pytest.raises(IllegalActionError, match="takes"):
            plan(other, skilled, task=task.id)
    with pytest.raises(InvalidInputError, match="difficulty and task each say how hard it is"):
        plan(task.skills[0], skilled, task=task.id, difficulty="hard")


@pytest.mark.rule("mars.skill.languages")
@pytest.mark.parametrize("example", LEDGER["mars.skill.languages"].examples)
def test_languages(example: Any) -> None:
    learned = RollValue.parse(example["given"]["language"])
    speaker = fighter("Ann", INT="r10", languages={"elven": learned}, native=("common",))
    if example["expect"]["roll_needed"]:
        assert arguments("language", speaker, name="elven")["roll_value"] == RollValue(10 + learned.n)
    else:
        with pytest.raises(IllegalActionError, match="no roll is needed"):
            plan("language", speaker, name="elven")
    with pytest.raises(IllegalActionError, match="no roll is needed"):
        plan("language", speaker, name="common")
    with pytest.raises(InvalidInputError, match="does not know"):
        plan("language", speaker, name="dwarven")


def test_every_check_can_be_read_and_hides_its_difficulty() -> None:
    able = fighter("Ann", skills=dict.fromkeys(("contacts", "craft", "medicine", "sleight", "wild_empathy"), "r4"))
    for kind in CHECKS:
        given = {"name": "agility"} if kind.id == "skill" else {}
        if kind.id == "language":
            continue
        found = kind.read(Subject(able, OPTIONS, library()), given)
        assert found.call.mechanic.name == "mars.check"
        assert kind.hidden == ("difficulty",)
        assert all(rule in LEDGER for rule in kind.rules)


# ---------------------------------------------------------------------- several at once


@pytest.mark.rule("mars.check.group_action", "mars.gap.talent.senses")
@pytest.mark.parametrize(("mode", "result"), [("best", "success"), ("worst", "graze")])
def test_a_group_acts_together(mode: str, result: str) -> None:
    team = fighter("Cid", DEX="r10", skills={"agility": "r4"}, talents={"teamwork": 1})
    session = session_of({"ann": ANN, "cid": team})
    group: dict[str, Any] = {"who": ["ann", "cid"], "skill": "agility", "difficulty": "easy", "mode": mode}
    go(session, "mars.group_check", **group, faces=[(9,), (1, 1, 1)])
    traces = [line for line in session.log if isinstance(line, Trace)]
    assert [trace.call.named_arguments()["advantage"] for trace in traces] == [0, 1]  # teamwork, trained
    assert [one.result for one in events(session, Checked)] == [result, result]
    with pytest.raises(InvalidInputError, match="at least one member"):
        go(session, "mars.group_check", who=[], skill="agility")


@pytest.mark.rule("mars.opposed.contest")
@pytest.mark.parametrize(
    ("tie", "again", "results"),
    [("no_winner", [], ["failure", "failure"]), ("reroll", [(9, 4), (9, 3)], ["success", "failure"])],
)
def test_a_contest_in_a_scene(tie: Any, again: list[tuple[int, int]], results: list[str]) -> None:
    session = duel(ANN, ANN, options=MarsOptions(contest_tie=tie))
    go(session, "mars.compete", who="ann", other="bob", skill="athletics", faces=[(9, 4), (9, 4), *again])
    assert [one.result for one in events(session, Checked)] == results
    with pytest.raises(InvalidInputError, match="at least two sides"):
        go(session, "mars.compete_all", who=["ann", "ann"], skill="athletics")


@pytest.mark.rule("mars.gap.fight.falling", "mars.effect.unconscious", "mars.dice.passive_use")
@pytest.mark.parametrize(
    ("one", "effects", "options", "faces"),
    [
        (ANN, (), OPTIONS, [(9,), (7,)]),  # 9 against 14: a graze; r10
        (ANN, (MarsEffect("unconscious"),), OPTIONS, [(7,)]),  # nothing is rolled to land
        (person("wolf"), (), MarsOptions(passive_rolls="all_npc"), [(), (7,)]),  # DEX r12+1: 7 against 14
    ],
    ids=["awake", "unconscious", "by the passive value"],
)
def test_falling_in_a_scene(one: Any, effects: Any, options: MarsOptions, faces: Any) -> None:
    session = duel(one, ANN, mine={"effects": effects}, options=options)
    before = status(session).endurance
    go(session, "mars.fall", who="ann", metres=5, faces=faces)
    assert before - status(session).endurance == 7


@pytest.mark.rule("mars.gap.fight.falling", "mars.effect.unconscious")
def test_the_helpless_take_the_whole_fall() -> None:
    assert odds(fall(RollValue(20), 5, helpless=True)).expected(lambda one: one.damage) == Fraction(11, 2)


@pytest.mark.rule("mars.opposed.contest")
@pytest.mark.parametrize(
    ("tie", "faces", "results"),
    [
        ("no_winner", [(9, 4), (2, 4), (5, 4)], ["success", "failure", "failure"]),  # 13 against 9
        ("no_winner", [(9, 4), (9, 4), (1, 1)], ["failure", "failure", "failure"]),
        ("no_winner", [(1, 1), (10, 4), (3, 4)], ["failure", "critical", "failure"]),  # 14 against 7
        ("reroll", [(9, 4), (9, 4), (1, 1), (1, 1), (1, 2)], ["failure", "success", "failure"]),
    ],
)
def test_a_contest_of_three(tie: Any, faces: list[tuple[int, ...]], results: list[str]) -> None:
    options = MarsOptions(contest_tie=tie)
    people = [place(ANN, "party", (at, 1), who=who, options=options) for at, who in enumerate(("ann", "bob", "cid"))]
    session = session_with(people, options=options)
    go(session, "mars.compete_all", who=["ann", "bob", "cid"], skill="athletics", faces=faces)
    assert [one.result for one in events(session, Checked)] == results


@pytest.mark.rule("mars.gap.check.common_tasks", "mars.gap.talent.other_stat")
def test_a_common_task_names_its_circumstances() -> None:
    keen = fighter("Ann", DEX="r8", INT="r12", talents={"deduction": 1})
    found = arguments("perception", keen, task="notice_simple_trap")
    assert str(found["roll_value"]) == "r12"  # INT instead of DEX to find hidden things
    assert str(arguments("perception", keen, task="recognise_masked")["roll_value"]) == "r8"


@pytest.mark.rule("mars.check.group_action", "mars.skill.complex_gate")
def test_a_group_of_which_one_cannot_do_it_does_not_roll() -> None:
    fallen = person("fighter", wounds=Wounds(dead=True))
    session = session_of({"ann": person("magister"), "bob": person("fighter"), "cid": fallen})
    with pytest.raises(IllegalActionError, match="is not trained in Sleight"):
        session.do("mars.group_check", who=["ann", "bob"], skill="sleight")
    for process in ("group_check", "compete_all"):
        with pytest.raises(IllegalActionError, match="is dead"):
            session.do(f"mars.{process}", who=["cid", "ann"], skill="athletics")
    assert session.question is None
    do(session, "mars.group_check", who=["ann", "ann", "bob"], skill="athletics", faces=[(9,), (9, 8)])  # each once
