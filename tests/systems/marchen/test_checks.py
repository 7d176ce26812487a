"""Checks from a character and a situation: every modifier by name, in every option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.marchen.acts import done
from systems.marchen.fights import ruled
from systems.marchen.people import (
    OPTIONS,
    alone,
    book,
    data,
    faces,
    hero,
    library,
    options,
    plan,
    somebody,
    template,
    together,
    total,
)
from systems.playing import events, examples, last, words
from tablewright.cli.program import run
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_events import Checked
from tablewright.game.session.views import project_session
from tablewright.systems.marchen.character.record import Raise
from tablewright.systems.marchen.checks import CHECKS, Rating, may
from tablewright.systems.marchen.events.recovery import TasksFound
from tablewright.systems.marchen.mechanics.checks import TRIVIALLY, CheckResult, Winner
from tablewright.systems.marchen.mechanics.dice import Degree, degree_of, rated_dm, under_law
from tablewright.systems.marchen.modifiers import circumstance
from tablewright.systems.marchen.now import skill_total
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILLS
from tablewright.table import open_store

CORES: tuple[Core, ...] = get_args(Core)
SNEAKING = {"who": "ann", "what": "stealth", "against": "bob", "with_what": "perception"}


def rolled(character: Any, what: str, roll: int, using: Any = OPTIONS, **situation: Any) -> CheckResult:
    """The result of a check for a total of the dice."""
    call = plan(character, what, using, **situation).call
    result: CheckResult = play(call, TypedDice(faces(using.core, roll))).result
    return result


# ---------------------------------------------------------------------- what counts for a check


@pytest.mark.rule("marchen.check.types", "marchen.check.aspect")
def test_every_aspect_characteristic_and_skill_can_be_checked() -> None:
    assert [check.id for check in CHECKS] == [*SKILLS, *CHARACTERISTICS, *ASPECTS, "skill"]
    words = {word.name for check in CHECKS for word in check.situation}
    assert {"passive", "specialization", "helper_modifiers", "carried"} <= words
    types = "passive aspect characteristic skill specialization opposed group aided chained"
    assert set(data("marchen.check.types")["types"]) == set(types.split())
    assert all(check.against is not None for check in CHECKS)
    alone = plan(somebody(physical=2, muscle=3), "physical").tallies["modifier"]  # the aspect and nothing else
    assert alone.total == 2
    assert "untrained" not in alone.explain()


@pytest.mark.rule("marchen.check.characteristic", "marchen.check.skill")
def test_characteristic_and_skill_checks() -> None:
    ((given, expect),) = examples("marchen.check.characteristic")
    one = somebody(physical=given["aspect"], muscle=given["characteristic"])
    for adds, extra in ((False, 0), (True, given["aspect"])):
        result = rolled(one, "muscle", given["roll"], options(characteristic_check_adds_aspect=adds))
        assert (result.effect, result.success) == (expect["total"] + extra - 8, expect["success"])
    for given, expect in examples("marchen.check.skill"):
        scores = {"physical": given["aspect"], "muscle": given["characteristic"]}
        specials = [("athletics", "Climbing", given["specialization"])]
        one = somebody(skills={"athletics": given["skill"]}, specials=specials, **scores)
        using = options(check_stack=given.get("check_stack", "all"))
        words = {"specialization": "Climbing", "difficulty": given["difficulty"]}
        result = rolled(one, "athletics", given["roll"], using, **words)
        assert (result.effect, result.degree.value) == (expect["effect"], expect["degree"])
        assert result.success is expect["success"]


@pytest.mark.rule("marchen.check.skill")
def test_the_referee_may_name_another_aspect_and_characteristic_or_tools() -> None:
    one = somebody(physical=1, muscle=2, mental=-1, reasoning=3, skills={"athletics": 1})
    other: dict[str, Any] = {"with_aspect": "mental", "with_characteristic": "reasoning"}
    assert (total(one, "athletics"), total(one, "athletics", **other)) == (4, 3)
    assert [total(one, "athletics", **{name: other[name]}) for name in other] == [2, 5]
    roped = somebody(skills={"athletics": 0}, belongings=(ItemStack("rope", left=2),))
    assert total(roped, "athletics", tools="rope") == 1 - 2  # conditions of tools hamper
    with pytest.raises(IllegalActionError, match="has no lute"):
        total(roped, "athletics", tools="lute")


@pytest.mark.rule("marchen.check.untrained_penalty", "marchen.check.untrained_attempts", "marchen.skill.bonus")
@pytest.mark.rule("marchen.check.level_zero", "marchen.skill.level_zero_bonus")
def test_the_level_is_the_bonus_and_anyone_may_try_at_a_penalty() -> None:
    for rule, skills in (("untrained_penalty", {}), ("level_zero", {"theurgy": 0})):
        ((given, expect),) = examples(f"marchen.check.{rule}")
        result = rolled(somebody(skills=skills), "theurgy", given["roll"])
        assert (result.effect, result.success) == (expect["total"] - 8, expect["success"])
    levels = [total(somebody(physical=1, agility=2, skills={"stealth": level}), "stealth") for level in range(5)]
    assert levels == [3, 4, 5, 6, 7]
    assert total(somebody(), "arcana") == data("marchen.check.untrained_penalty")["dm"] == -3


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


@pytest.mark.rule("marchen.modifier.multiple_actions", "marchen.modifier.circumstance", "marchen.chain.dm")
def test_several_things_at_once_circumstances_and_what_was_carried() -> None:
    for given, expect in examples("marchen.modifier.multiple_actions"):
        found = total(somebody(skills={"stealth": 0}), "stealth", things=given["simultaneous_things"])
        assert found == expect["dm"]
    for given, expect in examples("marchen.modifier.circumstance"):
        helps, hampers, stack = given["helps"], given["hampers"], given["circumstance_stack"]
        using = options(circumstance_stack=stack)
        assert total(somebody(), "muscle", using, helps=helps, hampers=hampers) == expect["dm"]
        assert circumstance(helps, hampers, stack) == expect["dm"]
    assert [total(somebody(), "muscle", carried=carried) for carried in (-4, 0, 3)] == [-4, 0, 3]


@pytest.mark.rule("marchen.time.shift")
def test_more_or_less_time() -> None:
    assert [total(somebody(), "muscle", frame="watch", rows=rows) for rows in range(-2, 3)] == [-2, -1, 0, 1, 2]
    for frame, rows in (("watch", 3), ("ounce", -1), ("minute", 1)):
        with pytest.raises(IllegalActionError, match=r"marchen\.time\.shift"):
            plan(somebody(), "muscle", frame=frame, rows=rows)
    frames = ", ".join([row["frame"] for row in data("marchen.time.frames")])
    with pytest.raises(IllegalActionError, match=f"say how long the task usually takes: {frames}") as no:
        plan(somebody(), "agility", rows=-1)
    assert no.value.rule == "marchen.time.shift"


@pytest.mark.rule("marchen.advantage.no_stack", "marchen.advantage.cancel", "marchen.advantage.source")
def test_advantage() -> None:
    for pros, cons, mode in ((0, 0, "none"), (3, 0, "advantage"), (0, 2, "disadvantage"), (1, 3, "none")):
        call = plan(somebody(), "muscle", advantage=pros, disadvantage=cons).call
        assert call.named_arguments()["advantage"] == mode


@pytest.mark.rule("marchen.dice_chain.multiple", "marchen.dice_chain.use")
def test_steps_of_several_sources_add_up() -> None:
    for core, steps, expected in (("3d6", "1,1", 2), ("D20", "1,-2", -1)):
        call = plan(somebody(), "muscle", options(core=core), steps=steps).call
        assert call.named_arguments()["steps"] == expected


@pytest.mark.rule("marchen.play.basic_process")
@each_case("core", CORES)
def test_the_referee_may_decide_without_a_roll(core: Core) -> None:
    for said, degree, sigma in (("success", Degree.SUCCEED, 1), ("failure", Degree.FAIL, -2)):
        (only,) = odds(plan(somebody(), "muscle", options(core=core), automatic=said).call).outcomes
        assert (only.degree, only.sigma, only.success) == (degree, sigma, said == "success")
        assert degree_of(core, only.effect) is degree


@pytest.mark.rule("marchen.aid.helper_dm", "marchen.aid.limit")
def test_helpers_who_roll() -> None:
    one = somebody(skills={"athletics": 1})

    def effect(**words: Any) -> Any:
        using = options(max_helpers=words.pop("room", None))
        return odds(plan(one, "athletics", using, **words).call).expected(lambda result: result.effect)

    for room, counted in ((None, 3), (0, 0), (1, 1), (10, 3)):  # twenty more is always exceptional
        assert effect(room=room, helper_modifiers="20,20,20") - effect() == 2 * counted
    played = play(plan(one, "athletics", helper_modifiers="3", law=5).call, TypedDice([6, 6, 1, 2])).result
    assert played.effect == 3 + 1 + 1 - 2 - 8  # the helper has 12 + 3 - 2 - 8: effect 5, no more than +1


@pytest.mark.rule("marchen.skill.aliases")
def test_checks_by_names_of_old() -> None:
    hunter = template("hunter")
    wild = "physical_sciences_survival"
    assert total(hunter, "skill", name="Hunting") == total(hunter, wild, specialization="Tracking")
    assert total(hunter, "skill", name="Streetwise") == total(hunter, wild)
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


# ---------------------------------------------------------------------- contests


@pytest.mark.rule("marchen.opposed.resolve")
def test_contests_in_free_play() -> None:
    one, other = somebody("Ann", agility=2, skills={"stealth": 1}), somebody("Bob", acuity=1, skills={"perception": 0})
    session = together(one, other)
    result = done(session, "table.contest", [2, 3, 3, 3], **SNEAKING)
    assert (result.margin, result.winner) == (5 + 3 - (6 + 1), Winner.A)
    assert [line.result for line in events(session, Checked)] == ["won", "lost"]


@pytest.mark.rule("marchen.opposed.tie")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.opposed.tie"))
def test_ties_of_contests_go_to_the_higher_characteristic(given: dict[str, int], expect: dict[str, Any]) -> None:
    first, second = given["a_characteristic"], given["b_characteristic"]
    ann = somebody("Ann", agility=first, physical=-first, skills={"stealth": 0})
    bob = somebody("Bob", acuity=second, mental=-second, skills={"perception": 0})
    dice = [4, 4, 4, 4] + ([6, 6, 1, 1] if expect["reroll"] else [])
    assert done(together(ann, bob), "table.contest", dice, **SNEAKING).winner is Winner.A
    even = together(ann, bob, opposed_tie="fail_in_style")
    assert done(even, "table.contest", [4, 4, 4, 4], **SNEAKING).winner is Winner.NOBODY
    assert [line.result for line in events(even, Checked)] == ["fail in style"] * 2


@pytest.mark.rule("marchen.opposed.resolve")
def test_contests_take_the_whole_situation_but_words_that_are_nothing_for_them() -> None:
    ann, bob = somebody("Ann", skills={"stealth": 0}), somebody("Bob", skills={"perception": 0})
    sneak, look = book().check("stealth"), book().check("perception")
    sides = [
        sneak.contender(Subject(ann, OPTIONS, library()), {"steps": "1", "law": "5", "advantage": "1"}),
        look.contender(Subject(bob, OPTIONS, library()), {"difficulty": "easy", "modifier": "-1"}),
    ]
    assert sneak.against is not None
    given = sneak.against(*sides).call.named_arguments()
    assert (given["a_steps"], given["a_dm"], given["a_advantage"]) == (1, -2, "advantage")
    assert (given["b_difficulty"], given["b_modifier"]) == ("easy", -1)
    session = together(ann, bob)
    for word in ("passive=yes", "automatic=success", "helper_modifiers=1", "contest=yes"):
        for side in ("situation", "other_situation"):
            with pytest.raises(InvalidInputError, match="both roll"):
                session.do("table.contest", **SNEAKING, **{side: [word]})


# ---------------------------------------------------------------------- difficulties


@pytest.mark.rule("marchen.difficulty.table", "marchen.difficulty.modifies_result")
def test_a_difficulty_is_a_rating_or_a_dm() -> None:
    for rating, row in data("marchen.difficulty.table")["printed"].items():
        for core, low in (("2d6", 2), ("3d6", 3), ("4d7", 4)):
            if row[core] is not None and rating != "trivial":
                plain = rolled(somebody(), "muscle", low, options(core=core)).effect
                for difficulty in (rating, f"{row[core]:+d}"):
                    found = rolled(somebody(), "muscle", low, options(core=core), difficulty=difficulty)
                    assert found.effect - plain == row[core]
    hundred = options(core="D100")
    assert rolled(somebody(muscle=1), "muscle", 40, hundred, difficulty=-7, dm=3).effect == 40 + 5 - 7 + 3 - 51
    assert str(Rating.parse("Nearly impossible")) == "nearly_impossible"
    for wrong in ("hard", "201", "1.5"):
        with pytest.raises(InvalidInputError, match=r"difficulty"):
            plan(somebody(), "muscle", difficulty=wrong)


@pytest.mark.rule("marchen.difficulty.trivial")
def test_a_difficulty_kept_secret_shows_nothing_to_the_player() -> None:
    def seen(*situation: str) -> tuple[Any, str]:
        session = together(somebody())
        session.do("table.check", who="ann", what="muscle", situation=situation, secret=True)
        session.type_in([1, 1])
        return session.result, json.dumps(project_session(session, "ann"), sort_keys=True)

    hidden = seen("difficulty=-3", "law=5")[1]
    assert "law level" not in hidden
    assert '"-5"' not in hidden
    trivial, easy = seen("difficulty=trivial"), seen("difficulty=easy")  # rolled, whatever the dice show
    assert trivial[0] == TRIVIALLY != easy[0]
    assert trivial[1] == easy[1]
    open_ = together(somebody())
    open_.do("table.check", who="ann", what="muscle", situation=("difficulty=trivial",))
    assert open_.question is None


@pytest.mark.rule("marchen.skill.task_tables", "marchen.difficulty.default")
def test_a_difficulty_beside_a_task_is_asked_about() -> None:
    one = somebody(skills={"athletics": 1})
    with pytest.raises(InvalidInputError, match="difficulty and task each say how hard it is"):
        plan(one, "athletics", difficulty="easy", task="climb a free rope")
    assert plan(one, "athletics", task="climb a free rope").call.named_arguments()["difficulty"] == "difficult"


# ---------------------------------------------------------------------- words, names and what else counts


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
def test_commands_and_tables_call_aspects_by_the_names_in_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["check", "marchen:soldier", "social", "--faces", "4,4"]
    assert run([*words, "--option", "aspect_names=fame"]) == 0
    told = capsys.readouterr().out
    assert told.count("Emotional") == 2  # before the roll and after it
    assert "Social" not in told
    assert run(words) == 0
    assert "Emotional" not in capsys.readouterr().out
    store = open_store(tmp_path / "table.db")
    made = store.make_campaign("Names", "marchen", game_master="Gwen", options={"aspect_names": "fame"})
    soldier = template("soldier").model_dump(mode="json")
    made.table.act("gwen", {"do": "character.add", "character": soldier, "id": "roland"})
    assert made.table.odds("gwen", "roland", "social")["title"] == "Emotional"


@pytest.mark.rule("marchen.degree.tie", "marchen.check.passive")
def test_a_passive_tie_wins_no_contest() -> None:
    one = hero(skills={"perception": 1})
    plain = play(plan(one, "perception", passive="yes").call, TypedDice([])).result
    contest = play(plan(one, "perception", passive="yes", contest="yes").call, TypedDice([])).result
    assert ((plain.effect, plain.success), (contest.effect, contest.success)) == ((0, True), (0, False))


@pytest.mark.rule("marchen.degree.sigma_method", "marchen.difficulty.d20_scale")
def test_the_scale_of_targets_is_not_used_with_sigma() -> None:
    assert under_law("D20", 10, None, "add", "dc", "sigma") == ("average", -15)
    assert under_law("D20", 10, None, "add", "dc", "table") == ("average", -12)
    assert rated_dm("2d6", "difficult", "dc") == -2
    using = options(core="D20", d20_scale="dc", degree_method="sigma")
    assert plan(hero(), "muscle", using, law=10).tallies["dm"].total == -15
    for method, margin in (("sigma", -5), ("table", -2)):
        session = together(hero(), hero("Bob"), core="D20", d20_scale="dc", degree_method=method)
        words = {"who": "ann", "against": "bob", "what": "muscle", "situation": ["difficulty=difficult"]}
        assert done(session, "table.contest", [10, 10], **words).margin == margin


@pytest.mark.rule("marchen.modifier.law_level_mode", "marchen.modifier.law_level")
def test_of_a_dm_and_the_law_the_harder_one_counts() -> None:
    using = options(law_level_mode="base")

    def effect(**words: Any) -> int:
        found = plan(hero(), "muscle", using, **words)
        return int(play(found.call, TypedDice([4, 4])).result.effect)

    assert effect(law=5, difficulty="-3") == -3
    assert effect(law=5, difficulty="-1") == effect(law=5, difficulty="-2") == effect(law=5, difficulty="4") == -2
    assert effect(law=0) == 2
    assert effect(law=0, difficulty="1") == 1
    assert effect(law=5, difficulty="routine") == -2
    added = plan(hero(), "muscle", law=5, difficulty="-3").tallies["dm"].total
    assert added == -5


@pytest.mark.rule("marchen.difficulty.d20_scale", "marchen.skill.task_tables")
def test_difficulties_are_told_as_targets_where_they_are_targets() -> None:
    for scale, said in (("dm", "Heroic (-20)"), ("dc", "Heroic (target 35)")):
        session = alone(core="D20", d20_scale=scale)
        session.do("marchen.look_up", words="hit someone in the dark")
        assert last(session, TasksFound).found[0].startswith(said)
    session = alone()
    session.do("marchen.look_up", words="one's own crimes")
    king = "make a king or high priest step down for his own crimes"
    assert f"Godly (-12): the same for one's own crimes ({king}), with Intimidation" in words(session)[-1]


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_reactions_weigh_on_free_checks_too() -> None:
    session = ruled(alone(hero(skills={"athletics": 0})), "ann", reactions=2)
    assert done(session, "table.check", [5, 5], who="ann", what="athletics").effect == 0
    assert skill_total(session.scene, "ann", "athletics") == -2
