"""Checks from a character and a situation: every modifier by name, in every option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.marchen.people import (
    OPTIONS,
    SYSTEM,
    book,
    data,
    done,
    library,
    options,
    plan,
    somebody,
    template,
    together,
    total,
)
from systems.marchen.test_mechanics import faces
from systems.playing import examples
from tablewright.cli.program import run
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.common_events import Checked
from tablewright.game.session.views import project_session
from tablewright.game.system.option_impact import typical_odds
from tablewright.systems.marchen.character.record import Boon, Raise
from tablewright.systems.marchen.checks import CHECKS, Rating, may
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.mechanics.checks import CheckResult, Winner
from tablewright.systems.marchen.mechanics.dice import Degree, degree_of
from tablewright.systems.marchen.modifiers import circumstance
from tablewright.systems.marchen.options import Core, MarchenOptions
from tablewright.systems.marchen.status import Help
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILLS
from tablewright.table import open_store

CORES: tuple[Core, ...] = get_args(Core)


def rolled(character: Any, what: str, roll: int, using: Any = OPTIONS, **situation: Any) -> CheckResult:
    """The result of a check for a total of the dice."""
    call = plan(character, what, using, **situation).call
    result: CheckResult = play(call, TypedDice(faces(using.core, roll))).result
    return result


@pytest.mark.rule("marchen.check.types")
def test_every_aspect_characteristic_and_skill_can_be_checked() -> None:
    ids = [check.id for check in CHECKS]
    assert ids == [*SKILLS, *CHARACTERISTICS, *ASPECTS, "skill"]
    types = data("marchen.check.types")["types"]
    words = {word.name for check in CHECKS for word in check.situation}
    assert {"passive", "specialization", "helper_modifiers", "carried"} <= words
    assert set(types) == {
        "passive", "aspect", "characteristic", "skill", "specialization", "opposed", "group", "aided", "chained",
    }  # fmt: skip
    assert all(check.against is not None for check in CHECKS)


@pytest.mark.rule("marchen.check.aspect")
def test_an_aspect_check_adds_the_aspect_alone() -> None:
    one = somebody(physical=2, muscle=3, skills={})
    assert plan(one, "physical").tallies["modifier"].total == 2
    assert "untrained" not in plan(one, "physical").tallies["modifier"].explain()


@pytest.mark.rule("marchen.check.characteristic")
@pytest.mark.parametrize("adds", [False, True])
def test_a_characteristic_check(adds: bool) -> None:
    ((given, expect),) = examples("marchen.check.characteristic")
    one = somebody(physical=given["aspect"], muscle=given["characteristic"])
    using = options(characteristic_check_adds_aspect=adds)
    result = rolled(one, "muscle", given["roll"], using)
    extra = given["aspect"] if adds else 0
    assert result.effect == expect["total"] + extra - 8
    assert result.success is expect["success"]


@pytest.mark.rule("marchen.check.skill")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.check.skill"))
def test_a_skill_check(given: dict[str, Any], expect: dict[str, Any]) -> None:
    one = somebody(
        physical=given["aspect"],
        muscle=given["characteristic"],
        skills={"athletics": given["skill"]},
        specials=[("athletics", "Climbing", given["specialization"])],
    )
    using = options(check_stack=given.get("check_stack", "all"))
    result = rolled(one, "athletics", given["roll"], using, specialization="Climbing", difficulty=given["difficulty"])
    assert (result.effect, result.degree.value) == (expect["effect"], expect["degree"])
    assert result.success is expect["success"]


@pytest.mark.rule("marchen.check.skill")
def test_the_higher_of_skill_and_specialization_counts_where_the_table_says_so() -> None:
    best = options(check_stack="best")
    one = somebody(skills={"athletics": 2}, specials=[("athletics", "Climbing", 1), ("athletics", "Running", 4)])
    assert [total(one, "athletics", best, specialization=name) for name in ("Climbing", "Running", "Lifting")] == [
        2,
        4,
        2,
    ]
    assert [total(one, "athletics", specialization=name) for name in ("Climbing", "Running", "Lifting")] == [3, 6, 2]


@pytest.mark.rule("marchen.check.skill")
def test_the_referee_may_name_another_aspect_and_characteristic() -> None:
    one = somebody(physical=1, muscle=2, mental=-1, reasoning=3, skills={"athletics": 1})
    assert total(one, "athletics") == 4
    assert total(one, "athletics", with_aspect="mental") == 2
    assert total(one, "athletics", with_characteristic="reasoning") == 5
    assert total(one, "athletics", with_aspect="mental", with_characteristic="reasoning") == 3


@pytest.mark.rule("marchen.check.specialization", "marchen.specialization.unlock")
@pytest.mark.parametrize(("level", "expected"), [(None, -3), (0, 0), (1, 1)])
def test_a_specialization_that_was_not_studied(level: int | None, expected: int) -> None:
    one = somebody(skills={} if level is None else {"unarmed_combat": level})
    assert total(one, "unarmed_combat", specialization="Boxing") == expected


@pytest.mark.rule("marchen.specialization.unlock")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.specialization.unlock"))
def test_level_one_opens_all_specializations_at_zero(given: dict[str, Any], expect: dict[str, Any]) -> None:
    one = somebody(skills={given["skill"]: given["skill_level"]})
    names = ("boxing", "brawling", "judo", "karate", "sumo_wrestling", "wrestling")
    found = {name: one.specialization("unarmed_combat", name.replace("_", " ").title()) for name in names}
    assert {name: known.level for name, known in found.items() if known} == dict(expect["specializations"])


@pytest.mark.rule("marchen.check.untrained_penalty", "marchen.check.untrained_attempts")
def test_anyone_may_try_at_a_penalty() -> None:
    ((given, expect),) = examples("marchen.check.untrained_penalty")
    result = rolled(somebody(), "theurgy", given["roll"])
    assert (result.effect, result.success) == (expect["total"] - 8, expect["success"])
    assert total(somebody(), "arcana") == data("marchen.check.untrained_penalty")["dm"] == -3


@pytest.mark.rule("marchen.check.level_zero", "marchen.skill.level_zero_bonus")
def test_level_zero_has_neither_penalty_nor_bonus() -> None:
    ((given, expect),) = examples("marchen.check.level_zero")
    result = rolled(somebody(skills={"stealth": 0}), "stealth", given["roll"])
    assert (result.effect, result.success) == (expect["total"] - 8, expect["success"])
    assert total(somebody(physical=1, agility=2, skills={"stealth": 0}), "stealth") == 3


@pytest.mark.rule("marchen.skill.bonus")
@pytest.mark.parametrize("level", range(5))
def test_the_level_is_the_bonus(level: int) -> None:
    assert total(somebody(skills={"stealth": level}), "stealth") == level


@pytest.mark.rule("marchen.skill.what_it_is", "marchen.tech.skill_tl", "marchen.specialization.tech_level")
def test_technology_is_that_of_the_specialization_or_of_home() -> None:
    one = somebody(home_tl=2, skills={"ranged_combat": 1})
    own = one.changed(specializations=({"skill": "ranged_combat", "name": "Guns", "level": 2, "tl": 5},))
    assert total(own, "ranged_combat") == 1
    assert total(own, "ranged_combat", tl=5) == 1 - 3
    assert total(own, "ranged_combat", tl=5, specialization="Guns") == 3
    assert total(own, "ranged_combat", tl=2, specialization="Guns") == 3 - 3
    assert total(own, "ranged_combat", tl=5, specialization="Bow") == 1 - 3
    assert total(own, "muscle", tl=4) == -2


@pytest.mark.rule("marchen.modifier.multiple_actions")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.modifier.multiple_actions"))
def test_several_things_at_once(given: dict[str, int], expect: dict[str, int]) -> None:
    assert total(somebody(skills={"stealth": 0}), "stealth", things=given["simultaneous_things"]) == expect["dm"]


@pytest.mark.rule("marchen.modifier.circumstance")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.modifier.circumstance"))
def test_circumstances(given: dict[str, Any], expect: dict[str, int]) -> None:
    helps, hampers, stack = given["helps"], given["hampers"], given["circumstance_stack"]
    assert circumstance(helps, hampers, stack) == expect["dm"]
    using = options(circumstance_stack=stack)
    assert total(somebody(), "muscle", using, helps=helps, hampers=hampers) == expect["dm"]


def test_tools_with_conditions_hamper_and_what_is_not_there_cannot_be_used() -> None:
    one = somebody(skills={"athletics": 0}, belongings=(ItemStack("rope", left=2),))
    assert total(one, "athletics", tools="rope") == 1 - 2
    with pytest.raises(IllegalActionError, match="has no lute"):
        total(one, "athletics", tools="lute")


@pytest.mark.rule("marchen.modifier.law_level_mode", "marchen.modifier.law_level")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.modifier.law_level_mode"))
def test_law_levels(given: dict[str, Any], expect: dict[str, int]) -> None:
    using = options(core=given["core"], law_level_mode=given["law_level_mode"])
    words = {"law": given["law_level"]} | ({"difficulty": given["difficulty"]} if "difficulty" in given else {})
    lowest = len(faces(given["core"], 100)) if given["core"] != "D100" else 1
    free = rolled(somebody(), "muscle", lowest, using)
    assert rolled(somebody(), "muscle", lowest, using, **words).effect - free.effect == expect["dm"]


@pytest.mark.rule("marchen.time.shift")
@pytest.mark.parametrize(("rows", "dm"), [(-2, -2), (-1, -1), (0, 0), (1, 1), (2, 2)])
def test_more_or_less_time(rows: int, dm: int) -> None:
    assert total(somebody(), "muscle", frame="watch", rows=rows) == dm
    for wrong in (
        {"frame": "watch", "rows": 3},
        {"frame": "ounce", "rows": -1},
        {"rows": 1},
        {"frame": "minute", "rows": 1},
    ):
        with pytest.raises(IllegalActionError, match=r"marchen\.time\.shift"):
            plan(somebody(), "muscle", **wrong)


@pytest.mark.rule("marchen.chain.dm")
def test_the_sigma_of_the_task_before_counts() -> None:
    assert [total(somebody(), "muscle", carried=carried) for carried in (-4, 0, 3)] == [-4, 0, 3]


@pytest.mark.rule("marchen.advantage.no_stack", "marchen.advantage.cancel", "marchen.advantage.source")
@pytest.mark.parametrize(
    ("pros", "cons", "mode"), [(0, 0, "none"), (3, 0, "advantage"), (0, 2, "disadvantage"), (1, 3, "none")]
)
def test_advantage(pros: int, cons: int, mode: str) -> None:
    call = plan(somebody(), "muscle", advantage=pros, disadvantage=cons).call
    assert call.named_arguments()["advantage"] == mode


@pytest.mark.rule("marchen.dice_chain.multiple", "marchen.dice_chain.use")
def test_steps_of_several_sources_add_up() -> None:
    call = plan(somebody(), "muscle", options(core="3d6"), steps="1,1").call
    assert call.named_arguments()["steps"] == 2
    better = plan(somebody(), "muscle", steps="1").call
    assert (
        odds(better).expected(lambda result: result.effect)
        == odds(plan(somebody(), "muscle").call).expected(lambda result: result.effect) + 1
    )
    assert plan(somebody(), "muscle", options(core="D20"), steps="1,-2").call.named_arguments()["steps"] == -1


@pytest.mark.rule("marchen.check.passive")
@pytest.mark.parametrize("core", CORES)
def test_passive_checks_roll_nothing(core: Core) -> None:
    call = plan(
        somebody(mental=1, acuity=1, skills={"perception": 0}), "perception", options(core=core), passive="yes"
    ).call
    (only,) = odds(call).outcomes
    base = {"2d6": 7, "3d6": 10, "4d7": 16, "8D4": 20, "D10": 5, "D20": 10, "D100": 50}[core]
    target = {"2d6": 8, "3d6": 11, "4d7": 16, "8D4": 20, "D10": 6, "D20": 11, "D100": 51}[core]
    assert only.effect == base + 2 * (5 if core == "D100" else 1) - target


@pytest.mark.rule("marchen.play.basic_process")
@each_case(("said", "degree", "sigma"), [("success", Degree.SUCCEED, 1), ("failure", Degree.FAIL, -2)])
@each_case("core", CORES)
def test_the_referee_may_decide_without_a_roll(core: Core, said: str, degree: Degree, sigma: int) -> None:
    (only,) = odds(plan(somebody(), "muscle", options(core=core), automatic=said).call).outcomes
    assert (only.degree, only.sigma, only.success) == (degree, sigma, said == "success")
    assert degree_of(core, only.effect) is degree


@pytest.mark.rule("marchen.aid.helper_dm", "marchen.aid.limit")
def test_helpers_who_roll() -> None:
    one = somebody(skills={"athletics": 1})
    alone, helped = plan(one, "athletics"), plan(one, "athletics", helper_modifiers="9,9")
    assert helped.call.named_arguments()["helpers"] == (9, 9)
    assert odds(helped.call).expected(lambda result: result.effect) > odds(alone.call).expected(lambda r: r.effect)
    assert (
        plan(one, "athletics", options(max_helpers=1), helper_modifiers="9,9").call.named_arguments()["max_helpers"]
        == 1
    )
    played = play(plan(one, "athletics", helper_modifiers="3", law=5).call, TypedDice([6, 6, 1, 2])).result
    assert played.effect == 3 + 1 + 1 - 2 - 8  # the helper has 12 + 3 - 2 - 8: effect 5, no more than +1


@pytest.mark.rule("marchen.sojourn.patrol_wild")
def test_boons_help_with_what_they_are_for_and_are_used_up() -> None:
    lore = Boon(name="Wilderness-lore", skills=("physical_sciences_survival",), uses=2)
    merry = Boon(name="Merry", aspect="social")
    one = somebody(skills={"physical_sciences_survival": 0}, boons=(lore, merry))
    assert total(one, "physical_sciences_survival", boon="wilderness-lore") == 1
    assert total(one, "etiquette", boon="Merry") == -3 + 1
    assert total(one, "social", boon="Merry") == 1
    for what, name in (("stealth", "Merry"), ("stealth", "Wilderness-lore"), ("stealth", "Firemaking")):
        with pytest.raises(IllegalActionError):
            plan(one, what, boon=name)
    session = together(one)
    done(
        session,
        "table.check",
        [3, 4],
        who="ann",
        what="physical_sciences_survival",
        situation=("boon=Wilderness-lore",),
    )
    assert [(boon.name, boon.uses) for boon in session.scene["ann"].character.boons] == [
        ("Wilderness-lore", 1),
        ("Merry", 1),
    ]
    done(session, "table.check", [3, 4], who="ann", what="etiquette", situation=("boon=Merry",))
    assert [boon.name for boon in session.scene["ann"].character.boons] == ["Wilderness-lore"]


@pytest.mark.rule("marchen.skill.aliases")
def test_checks_by_names_of_old() -> None:
    hunter = template("hunter")
    assert total(hunter, "skill", name="Hunting") == total(
        hunter, "physical_sciences_survival", specialization="Tracking"
    )
    assert total(hunter, "skill", name="Streetwise") == total(hunter, "physical_sciences_survival")
    assert total(hunter, "skill", name="Strength", helps=1) == total(hunter, "muscle") + 1
    assert total(hunter, "skill", name="edge") == total(hunter, "ranged_combat")
    with pytest.raises(InvalidInputError, match="no skill"):
        plan(hunter, "skill", name="Cookery")


@pytest.mark.rule("marchen.skill.level_gates")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.skill.level_gates"))
def test_gates(given: dict[str, Any], expect: dict[str, bool]) -> None:
    one = somebody(skills={"athletics": given["skill"]}, specials=[("athletics", "Climbing", given["specialization"])])
    using = options(level_gates=given["level_gates"])
    if expect["allowed"]:
        may(one, given["action"], "athletics", "Climbing", using)
    else:
        with pytest.raises(IllegalActionError, match=r"marchen\.skill\.level_gates"):
            may(one, given["action"], "athletics", "Climbing", using)
        may(one, given["action"], "athletics", "Climbing", options(level_gates=False))
    may(somebody(), given["action"], "muscle", "", OPTIONS)


@pytest.mark.rule("marchen.opposed.resolve")
def test_contests_in_free_play() -> None:
    one, other = somebody("Ann", agility=2, skills={"stealth": 1}), somebody("Bob", acuity=1, skills={"perception": 0})
    session = together(one, other)
    result = done(
        session, "table.contest", [2, 3, 3, 3], who="ann", what="stealth", against="bob", with_what="perception"
    )
    assert (result.margin, result.winner) == (5 + 3 - (6 + 1), Winner.A)
    told = [line.result for line in session.log if getattr(line, "kind", "") == "Checked"]  # type: ignore[union-attr]
    assert told == ["won", "lost"]


@pytest.mark.rule("marchen.opposed.tie")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.opposed.tie"))
def test_ties_of_contests_go_to_the_higher_characteristic(given: dict[str, int], expect: dict[str, Any]) -> None:
    ann = somebody("Ann", agility=given["a_characteristic"], physical=-given["a_characteristic"], skills={"stealth": 0})
    bob = somebody("Bob", acuity=given["b_characteristic"], mental=-given["b_characteristic"], skills={"perception": 0})
    dice = [4, 4, 4, 4] + ([] if not expect["reroll"] else [6, 6, 1, 1])
    result = done(
        together(ann, bob), "table.contest", dice, who="ann", what="stealth", against="bob", with_what="perception"
    )
    assert result.winner is Winner.A
    even = together(ann, bob, opposed_tie="fail_in_style")
    result = done(even, "table.contest", [4, 4, 4, 4], who="ann", what="stealth", against="bob", with_what="perception")
    assert result.winner is Winner.NOBODY
    assert [line.result for line in even.log if getattr(line, "kind", "") == "Checked"] == ["fail in style"] * 2  # type: ignore[union-attr]


def test_contests_take_the_whole_situation() -> None:
    ann, bob = somebody("Ann", skills={"stealth": 0}), somebody("Bob", skills={"perception": 0})
    check = book().check("stealth")
    from tablewright.game.play.checks import Subject

    sides = [
        check.contender(Subject(ann, OPTIONS, library()), {"steps": "1", "law": "5", "advantage": "1"}),
        book()
        .check("perception")
        .contender(Subject(bob, OPTIONS, library()), {"difficulty": "easy", "modifier": "-1"}),
    ]
    assert check.against is not None
    given = check.against(*sides).call.named_arguments()
    assert (given["a_steps"], given["a_dm"], given["a_advantage"]) == (1, -2, "advantage")
    assert (given["b_difficulty"], given["b_modifier"]) == ("easy", -1)


def test_rulings_come_last() -> None:
    session = together(somebody())
    session.do("table.modify", what="muscle", value=2, reason="the moon is full", who="ann")
    result = done(session, "table.check", [3, 3], who="ann", what="muscle")
    assert result.effect == 0


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.lose_momentum")
def test_modifiers_of_the_next_check_count_once() -> None:
    session = together(somebody())
    status = session.scene["ann"].status
    ready = session.scene.with_status("ann", nexts=(Help("a good plan", 2),), hindered=True)
    subject = book().subject(ready["ann"], ready)
    found = book().check("muscle").read(subject, {"advantage": "0"})
    assert found.tallies["modifier"].total == 2
    assert found.call.named_arguments()["advantage"] == "disadvantage"
    after = book().apply(ready, Checked(who="ann", what="muscle"))
    assert (after["ann"].status.nexts, after["ann"].status.hindered) == ((), False)
    assert book().apply(session.scene, Checked(who="ann", what="muscle"))["ann"].status == status


@pytest.mark.rule("marchen.resource.tracks")
@pytest.mark.parametrize("kind", library().of(ConditionKind), ids=lambda kind: kind.id)
def test_every_condition_hampers_its_aspect(kind: ConditionKind) -> None:
    one = somebody().changed(wounds={"conditions": [{"name": kind.name, "aspect": kind.aspect}]})
    assert {aspect: total(one, aspect) for aspect in ASPECTS} == dict.fromkeys(ASPECTS, 0) | {kind.aspect: -1}


@pytest.mark.rule("marchen.aid.limit")
@pytest.mark.parametrize(("room", "counted"), [(None, 3), (0, 0), (1, 1), (10, 3)])
def test_room_for_helpers(room: int | None, counted: int) -> None:
    using = options(max_helpers=room)
    helped = odds(plan(somebody(), "muscle", using, helper_modifiers="20,20,20").call).expected(
        lambda result: result.effect
    )
    alone = odds(plan(somebody(), "muscle", using).call).expected(lambda result: result.effect)
    assert helped - alone == 2 * counted  # twenty more is always exceptional


@each_case("field", [field for field in MarchenOptions.describe() if field.typical])
def test_typical_checks_of_options_can_be_rolled(field: Any) -> None:
    found = typical_odds(SYSTEM, field)
    assert len(found) >= 2
    assert all(not one.refused for one in found)
    assert len({one.expected for one in found}) >= 2


@pytest.mark.rule("marchen.difficulty.table", "marchen.difficulty.modifies_result")
def test_a_difficulty_is_a_rating_or_a_dm() -> None:
    for rating, row in data("marchen.difficulty.table")["printed"].items():
        for core in ("2d6", "3d6", "4d7"):
            if row[core] is not None and rating != "trivial":
                using = options(core=core)
                low = {"2d6": 2, "3d6": 3, "4d7": 4}[core]
                plain = rolled(somebody(), "muscle", low, using).effect
                assert rolled(somebody(), "muscle", low, using, difficulty=rating).effect - plain == row[core]
                assert (
                    rolled(somebody(), "muscle", low, using, difficulty=f"{row[core]:+d}").effect - plain == row[core]
                )
    hundred = options(core="D100")
    assert rolled(somebody(muscle=1), "muscle", 40, hundred, difficulty=-7, dm=3).effect == 40 + 5 - 7 + 3 - 51
    assert str(Rating.parse("Nearly impossible")) == "nearly_impossible"
    for wrong in ("hard", "201", "1.5"):
        with pytest.raises(InvalidInputError, match=r"difficulty"):
            plan(somebody(), "muscle", difficulty=wrong)


def test_a_secret_difficulty_is_the_game_masters() -> None:
    session = together(somebody())
    session.do("table.check", who="ann", what="muscle", situation=("difficulty=-3", "law=5"), secret=True)
    session.type_in([4, 4])
    told = json.dumps(project_session(session, "ann"))
    assert "law level" not in told
    assert '"-5"' not in told


@pytest.mark.rule("marchen.skill.task_tables", "marchen.difficulty.default")
def test_a_difficulty_beside_a_task_is_asked_about() -> None:
    one = somebody(skills={"athletics": 1})
    with pytest.raises(InvalidInputError, match="difficulty and task each say how hard it is"):
        plan(one, "athletics", difficulty="easy", task="climb a free rope")
    assert plan(one, "athletics", task="climb a free rope").call.named_arguments()["difficulty"] == "difficult"


@pytest.mark.rule("marchen.specialization.unlock", "marchen.skill.aliases")
def test_a_specialization_that_nobody_knows_is_asked_about() -> None:
    one = somebody(skills={"sleight_of_hand": 1}, specials=[("sleight_of_hand", "Cups and balls", 2)])
    with pytest.raises(
        InvalidInputError, match=r'"Cup and ball" counts for nothing with Ann.*did you mean "Cups and balls"'
    ):
        plan(one, "sleight_of_hand", specialization="Cup and ball")
    known = total(one, "sleight_of_hand", specialization="cups and balls")
    assert total(one, "skill", name="Sleight of Hand", specialization="Cups and balls") == known
    with pytest.raises(InvalidInputError, match='"Cups and balls" counts for nothing'):
        plan(one, "stealth", specialization="Cups and balls")


@pytest.mark.rule("marchen.sojourn.drum_up_support")
def test_a_matter_without_support_is_asked_about() -> None:
    one = somebody(raises=(Raise(aspect="social", value=1, phases=2, issue="the mill"),))
    assert total(one, "social", issue="the mill") == total(one, "social") + 1
    with pytest.raises(
        InvalidInputError, match='"the mil" counts for nothing with Ann; known are the mill; did you mean'
    ):
        plan(one, "social", issue="the mil")
    with pytest.raises(InvalidInputError, match="there is none"):
        plan(somebody(), "social", issue="the mill")


@pytest.mark.rule("marchen.aspect.list")
@pytest.mark.parametrize(("what", "words"), [("academic", {}), ("mental", {}), ("skill", {"name": "Academic"})])
def test_an_aspect_is_checked_by_either_name_and_told_by_the_one_in_use(what: str, words: dict[str, str]) -> None:
    for names, called in (("fame", "academic"), ("srd", "mental")):
        tally = plan(somebody(mental=3), what, options(aspect_names=names), **words).tallies["modifier"]
        assert (tally.total, called in [part.label for part in tally.parts]) == (3, True)
        assert tally.label == called


@pytest.mark.rule("marchen.aspect.list")
def test_the_check_command_calls_aspects_by_the_names_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "marchen:soldier", "social", "--faces", "4,4"]
    assert run([*words, "--option", "aspect_names=fame"]) == 0
    told = capsys.readouterr().out
    assert told.count("Emotional") == 2  # before the roll and after it
    assert "Social" not in told
    assert run(words) == 0
    assert "Emotional" not in capsys.readouterr().out


@pytest.mark.rule("marchen.aspect.list")
def test_the_odds_at_a_table_call_aspects_by_the_names_in_use(tmp_path: Path) -> None:
    made = open_store(tmp_path / "table.db").make_campaign(
        "Names", "marchen", game_master="Gwen", options={"aspect_names": "fame"}
    )
    soldier = template("soldier").model_dump(mode="json")
    made.table.act("gwen", {"do": "character.add", "character": soldier, "id": "roland"})
    assert made.table.odds("gwen", "roland", "social")["title"] == "Emotional"
