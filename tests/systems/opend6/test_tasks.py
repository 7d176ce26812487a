"""Checks in several steps: related skills, helpers, groups, second chances, and the points that go on a task."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import pool
from systems.opend6.people import LEDGER, after, do, session_of, somebody
from systems.playing import answer, asked, events, last
from tablewright.engine import Roll, Trace
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.opend6.character.record import OpenD6Character, Wounds
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.tasks import forage


def told(session: Session) -> list[str]:
    """Results of all checks."""
    return [line.result for line in events(session, "Checked")]


# ---------------------------------------------------------------------- related skills and helpers


@pytest.mark.rule("opend6.related.procedure", "opend6.related.scope", "opend6.related.modifier")
def test_a_related_skill_comes_first_and_counts_once() -> None:
    ann = somebody("Ann", acumen="2D", search="2D+1", intellect="2D", traps="2D+1", devices="2D+1")
    session = session_of({"ann": ann})
    given = {"who": "ann", "related": "search", "what": "traps", "related_difficulty": "6"}
    do(session, "related_check", [5, 4], [3, 4], situation=["difficulty=10"], **given)  # 10 - 6 = 4: +2; 8 + 2
    assert told(session) == ["minimal"]
    session.do("table.check", who="ann", what="traps", situation=["difficulty=10"])
    answer(session, [3, 4])
    assert told(session)[-1].startswith("success False")  # the modifier is gone
    assert after(session, "ann").used_skills == ("search", "traps")
    several = given | {"related": ["search", "devices"], "related_difficulty": ["6", "12"]}
    do(session, "related_check", [5, 4], [2, 3], [3, 4], situation=["difficulty=7"], **several)
    assert told(session)[-1] == "minimal"  # 10 - 6 = 4: +2; 6 - 12 = -6: -3; 8 - 1 = 7
    with pytest.raises(InvalidInputError, match="2 related skills are named, and 3 difficulties"):
        do(session, "related_check", **several | {"related_difficulty": ["6", "7", "8"]})
    with pytest.raises(IllegalActionError, match="Traps is named twice"):
        do(session, "related_check", **several | {"related": ["search", "traps"]})


@pytest.mark.rule("opend6.related.scope", "opend6.map.penalty")
@pytest.mark.parametrize(("related", "dice"), [(["search"], "3D"), (["search", "devices"], "2D")])
def test_several_things_at_once_take_the_multi_action_penalty_from_each(related: list[str], dice: str) -> None:
    session = session_of({"ann": somebody("Ann", search="4D", devices="4D", traps="4D")})
    session.do("opend6.related_check", who="ann", related=related, what="traps", at_once=True)
    assert session.playing is not None
    assert session.playing.context_of_call is not None
    assert f"{session.playing.context_of_call.tallies['dice'].total}D" == dice, "no Fate Point was spent"
    for _ in range(len(related) + 1):
        assert pool(session) == dice
        session.roll()
    assert session.question is None


@pytest.mark.rule("opend6.related.assist")
def test_helpers_help_or_hinder() -> None:
    people = {"ann": somebody("Ann", lifting="2D+1"), "bob": somebody("Bob", lifting="2D+1"), "cy": somebody("Cy")}
    session = session_of(people)
    given = {"who": "ann", "what": "lifting", "helpers": ["bob", "cy"], "helping_difficulty": "8"}
    do(session, "helped_check", [5, 5], [2, 3], [3, 3], situation=["difficulty=5"], **given)
    # Bob 11 - 8 = 3: +2; Cy is unskilled, 5 - 13 = -8: -4; Ann 7 - 2 = 5 against 5
    assert told(session) == ["minimal"]
    for helpers, refusal in ((["bob", "bob"], "helps once"), (["bob", "ann"], "nobody helps themselves")):
        with pytest.raises(IllegalActionError, match=refusal):
            session.do("opend6.helped_check", who="ann", what="lifting", helpers=helpers)


@pytest.mark.rule("opend6.gap.equipment.tools")
def test_a_related_skill_uses_up_its_tools() -> None:
    pack = (ItemStack("healers_pack", left=2),)
    session = session_of({"ann": somebody("Ann", intellect="3D", healing="4D", belongings=pack)})
    do(session, "related_check", [2] * 4, who="ann", related="healing", what="intellect")
    assert session.scene["ann"].status.belongings[0].left == 1
    assert session.scene["ann"].status.used == ("healing",)


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
@pytest.mark.parametrize("wounds", [{"level": "dead"}, {"level": "mortally_wounded"}, {"unconscious": 5}])
def test_a_character_who_is_out_tries_nothing_and_helps_nobody(wounds: dict[str, Any]) -> None:
    session = session_of({"a": somebody("Ann", wounds=wounds), "b": somebody("Bo")})
    for process, given in (
        ("try_task", {"who": "a", "what": "climbing", "task": "the wall"}),
        ("related_check", {"who": "a", "related": "search", "what": "climbing"}),
        ("helped_check", {"who": "b", "what": "climbing", "helpers": ["a"]}),
        ("group_check", {"who": ["b", "a"], "what": "climbing", "difficulties": [5]}),
    ):
        with pytest.raises(IllegalActionError, match="Ann"):
            session.do(f"opend6.{process}", **given)


# ---------------------------------------------------------------------- groups


@pytest.mark.rule("opend6.group.single_roll")
def test_a_group_under_one_roll_or_each_for_itself() -> None:
    wolves = {name: somebody(name, fighting="3D") for name in ("a", "b", "c")}
    group: dict[str, Any] = {"who": ["a", "b", "c"], "what": "fighting"}
    one = do(session_of(wolves), "group_check", [3, 4, 4], difficulties=[10, 11, 12], **group)
    assert told(one) == ["success", "success", "failure"]
    with pytest.raises(InvalidInputError):
        do(one, "group_check", difficulties=[10, 11], **group)
    each = session_of(wolves, OpenD6Options(single_roll=False))
    do(each, "group_check", [3, 4, 4], [2, 2, 2], [4, 4, 4], difficulties=[10], **group)
    assert told(each) == ["success", "failure", "success"]


@pytest.mark.rule("opend6.group.single_roll")
def test_the_first_of_a_group_rolls_for_all_with_their_own_code_alone() -> None:
    session = session_of({"a": somebody("A", fighting="4D+2"), "b": somebody("B", fighting="2D")})
    session.do("opend6.group_check", who=["a", "b"], what="fighting", difficulties=[10, 18])
    assert (pool(session), getattr(session.seat, "who", None)) == ("4D", "a")
    answer(session, [3, 4, 4, 5])
    (rolled,) = [line for line in session.log if isinstance(line, Trace)]
    assert {name: tally.total for name, tally in rolled.tallies.items()} == {"code_pips": 14, "dice": 4, "added": 2}
    assert told(session) == ["success", "success"]  # 18


@pytest.mark.rule("opend6.group.single_roll", "opend6.untrained.modifier")
@pytest.mark.parametrize("single", [True, False])
def test_a_group_without_the_skill_finds_it_harder(single: bool) -> None:
    wolves = {"a": somebody("A", agility="3D"), "b": somebody("B", agility="3D")}
    session = session_of(wolves, OpenD6Options(single_roll=single))
    faces = [[4, 5, 5]] if single else [[4, 5, 5], [4, 5, 5]]
    do(session, "group_check", *faces, who=["a", "b"], what="climbing", difficulties=[9, 10])
    assert told(session) == ["success", "failure"]


@pytest.mark.rule("opend6.group.single_roll", "opend6.wild.cf_complication")
@pytest.mark.parametrize("single", [True, False])
def test_a_complication_of_a_group_is_told_and_what_it_uses_is_noted(single: bool) -> None:
    options = OpenD6Options(critical_failure="complication", single_roll=single)
    session = session_of({"a": somebody("Ann", stealth="3D"), "b": somebody("Bo", stealth="3D")}, options)
    session.do("opend6.group_check", who=["a", "b"], what="stealth", difficulties=[6])
    answer(session, [1, 5, 5], "later", *([] if single else [[3, 3, 3]]))
    assert len(events(session, "Complicated")) == 1
    assert [session.scene[one].status.used for one in "ab"] == [("stealth",), ("stealth",)]


# ---------------------------------------------------------------------- second chances


PICK = {"who": "ann", "what": "lockpicking", "task": "pick_complex_lock"}


@pytest.mark.rule("opend6.retry.consequences")
def test_a_lock_that_was_narrowly_missed_is_harder_each_time() -> None:
    session = session_of({"ann": somebody("Ann", lockpicking="2D+1")})
    do(session, "try_task", [3, 4], **PICK)  # 8 against 12
    assert after(session, "ann").tries["pick_complex_lock"].state == "harder"
    do(session, "try_task", [6, 5, 1], **PICK)  # 13 against 17: narrowly again
    assert after(session, "ann").tries["pick_complex_lock"].failures == 2
    do(session, "try_task", [6, 6, 5, 4], **PICK)  # 22 against 22
    assert "pick_complex_lock" not in after(session, "ann").tries
    assert told(session) == ["failure", "failure", "success"]


@pytest.mark.rule("opend6.retry.consequences")
def test_bad_failures_take_time_or_help_and_a_disaster_is_final() -> None:
    session = session_of({"ann": somebody("Ann", lockpicking="2D+1")})
    do(session, "try_task", [2, 3], **PICK)  # 6 against 12, by more than five
    with pytest.raises(IllegalActionError, match=r"Pick a complex lock went wrong.*helped=yes"):
        do(session, "try_task", **PICK)
    do(session, "try_task", [1, 3], helped=True, **PICK)  # a Critical Failure
    assert after(session, "ann").tries["pick_complex_lock"].state == "locked_out"
    with pytest.raises(IllegalActionError, match="cannot be tried again"):
        do(session, "try_task", helped=True, **PICK)


@pytest.mark.rule("opend6.retry.consequences")
@each_case(("most", "state"), [(6, "harder"), (5, "needs_time_or_help"), (0, "needs_time_or_help"), (50, "harder")])
def test_size_of_a_small_shortfall(most: int, state: str) -> None:
    session = session_of({"ann": somebody("Ann", lockpicking="2D+1")}, OpenD6Options(small_shortfall_max=most))
    do(session, "try_task", [2, 3], **PICK)
    assert after(session, "ann").tries["pick_complex_lock"].state == state


@pytest.mark.rule("opend6.retry.free")
def test_tasks_that_may_be_tried_again_at_once() -> None:
    run = {"who": "ann", "what": "running", "task": "to the gate", "difficulty": "20"}
    session = session_of({"ann": somebody("Ann", running="2D+1", survival="2D+1")})
    do(session, "try_task", [1, 2], **run)
    tried = after(session, "ann").tries["to the gate"]
    assert (tried.state, tried.failures) == ("open", 0)
    do(session, "try_task", [6, 6, 6, 3, 4], **run)
    forage_ = {"who": "ann", "what": "survival", "task": "forage", "difficulty": "20"}
    do(session, "try_task", [1, 2], **forage_)
    assert after(session, "ann").tries["forage"].state == "open"
    strict = session_of({"ann": somebody("Ann", survival="2D+1")}, OpenD6Options(retry="consequences"))
    do(strict, "try_task", [1, 2], **forage_)
    assert after(strict, "ann").tries["forage"].state == "locked_out"


@pytest.mark.rule("opend6.result.levels")
def test_foraging_by_level() -> None:
    for example in LEDGER["opend6.result.levels"].examples:
        food, days = forage(example["given"]["level"].lower())
        assert example["expect"]["food"].startswith(food)
        assert days == example["expect"]["days"]
    assert (forage("superior"), forage("incredible")) == (("subsistence", 1), ("wholesome", 2))


@pytest.mark.rule("opend6.wild.critical_failure", "opend6.wild.cf_complication", "opend6.special.wild_die_only")
def test_a_task_may_have_its_own_consequence_of_a_critical_failure() -> None:
    ann, given = somebody("Ann", lockpicking="4D"), {"who": "ann", "what": "lockpicking", "task": "a lock"}
    usual = do(session_of({"ann": ann}), "try_task", [1, 6, 6, 6], **given)
    assert usual.result.result_points == -3
    words = ["critical_failure=complication"]
    complicated = do(session_of({"ann": ann}), "try_task", [1, 6, 6, 6], "now", situation=words, **given)
    assert complicated.result.result_points == 4
    grave = session_of({"ann": ann}, OpenD6Options(critical_failure="complication"))
    do(grave, "try_task", [1, 2, 2, 2], "now", difficulty="13", **given)
    assert last(grave, "Complicated").severity == "serious"
    with pytest.raises(IllegalActionError, match="no result points"):
        do(session_of({"ann": ann}), "try_task", situation=["wild_die_only=yes"], **given)


# ---------------------------------------------------------------------- points on a task


CHEST: dict[str, Any] = {"who": "ann", "what": "lockpicking", "task": "the old chest", "difficulty": "20"}


def offered(ann: OpenD6Character, *, climactic: bool = False, **options: Any) -> tuple[str, ...] | str:
    """Points that may be spent before a task is tried; the dice, where nothing is asked."""
    session = session_of({"ann": ann}, OpenD6Options(**options))
    if climactic:
        session.do("table.rule", who="ann", field="climactic", value="true", reason="the climax")
    session.do("opend6.try_task", situation=["spend=yes"], **CHEST)
    return pool(session) if isinstance(session.question, Roll) else asked(session)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.spent_and_earned", "opend6.fate.experience_restrictions")
def test_points_that_are_offered_before_a_task() -> None:
    picks = somebody("Ann", lockpicking="3D", character_points=0, fate_points=0)
    assert offered(picks) == "3D"
    assert offered(picks.changed(character_points=1)) == ("nothing", "1_points")
    assert offered(picks.changed(fate_points=1)) == ("nothing", "fate")
    assert offered(picks.changed(character_points=1, fate_points=2)) == ("nothing", "1_points", "fate")
    skills = {"lockpicking": "6D", "dodge": "6D", "stealth": "6D", "climbing": "6D", "search": "6D"}
    experienced = somebody("Ann", character_points=0, fate_points=1, **skills)
    assert offered(experienced) == ("nothing", "fate")
    assert offered(experienced, experience_restriction=True) == "6D"


@pytest.mark.rule("opend6.cp.spent_and_earned", "opend6.fate.climactic", "opend6.points.no_mixing")
def test_a_climactic_round_leaves_nothing_to_add_to_a_task_unless_the_table_allows_it() -> None:
    rich = somebody("Ann", lockpicking="3D", character_points=1, fate_points=1)
    assert offered(rich, climactic=True) == "6D"
    assert offered(rich, climactic=True, allow_mixing=True) == ("nothing", "1_points")
    poor = rich.changed(character_points=0)
    assert offered(poor, climactic=True, allow_stacking=True) == ("nothing", "fate")


@pytest.mark.rule("opend6.cp.spent_and_earned", "opend6.map.zero_rule")
def test_no_points_help_where_nothing_is_left_of_a_code() -> None:
    hurt = somebody("Ann", lockpicking="1D", character_points=0, fate_points=0, wounds=Wounds(level="incapacitated"))
    with pytest.raises(IllegalActionError) as error:
        offered(hurt)
    assert error.value.rule == "opend6.map.zero_rule"


@pytest.mark.rule("opend6.cp.extra_wild_die", "opend6.fate.double", "opend6.points.no_mixing")
@each_case(
    ("words", "answers", "result", "left"),
    [
        ("spend=yes", ("1_points", [3, 3, 3, 3, 2], "yes", [5], "no"), "failure", (3, 1)),
        ("spend=yes", ("1_points", [3, 3, 3, 3, 2], "yes", [6, 1]), "success", (3, 1)),
        ("spend=yes", ("fate", [2] * 8), "failure", (5, 0)),  # no Character Points after it
        ("fate_points=1", ([3] * 8,), "success", (5, 0)),
        ("character_points=2", ([2] * 6,), "failure", (3, 1)),
    ],
)
def test_points_go_on_a_task_before_and_after_its_roll(
    words: str, answers: tuple[Any, ...], result: str, left: tuple[int, int]
) -> None:
    ann = somebody("Ann", lockpicking="4D", character_points=5, fate_points=1)
    session = do(session_of({"ann": ann}), "try_task", *answers, situation=[words], **CHEST)
    kept = after(session, "ann")
    assert (told(session), (kept.character_points, kept.fate_points)) == ([result], left)
    assert ("the old chest" in kept.tries) is (result == "failure")


@pytest.mark.rule("opend6.points.no_mixing")
def test_fate_and_character_points_do_not_go_on_the_same_task() -> None:
    ann = somebody("Ann", lockpicking="4D", character_points=5, fate_points=1)
    with pytest.raises(IllegalActionError, match="same roll"):
        do(session_of({"ann": ann}), "try_task", situation=["character_points=2", "fate_points=1"], **CHEST)
