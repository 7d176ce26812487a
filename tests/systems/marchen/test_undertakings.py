"""Rerolls, pools, burning, degrees and what follows from them, counsel: against all alternatives enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from systems.marchen.people import data, done, somebody, together, told
from systems.playing import examples
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.marchen.mechanics.checks import Task, aided, check, judge, sigma, succeeded, task_chain
from tablewright.systems.marchen.mechanics.dice import (
    CONSEQUENCES,
    SIGMA,
    Degree,
    consequence,
    degree_of,
    grade,
    levels_of_success,
    measure_of,
    strong_hit,
)
from tablewright.systems.marchen.mechanics.tasks import UNDERTAKINGS, burning, filled, pooled, reroll, task_pool
from tablewright.systems.marchen.mechanics.turn import (
    CORES,
    COUNSEL,
    lead,
    leader_of,
    order_tasks,
    swing,
    take_time,
    which_core,
)
from tablewright.systems.marchen.options import MarchenOptions

# ---------------------------------------------------------------------- rerolls


@pytest.mark.rule("marchen.advantage.reroll")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.advantage.reroll"))
def test_rerolls(given: dict[str, Any], expect: dict[str, int]) -> None:
    first, second = given["sets"]
    rule = given.get("advantage_reroll", "set")
    call = reroll(tuple(first), tuple(second), "2d6", given["mode"], 2, advantage_reroll=rule)
    number = 1 if rule == "die" else 2
    played = play(call, TypedDice(given["new"]), lambda asked: asked.ids.index(f"first {number}"))
    assert played.result.effect == expect["used"] - 8


@pytest.mark.rule("marchen.advantage.reroll")
def test_a_reroll_reaches_one_set_once() -> None:
    offered: list[tuple[str, ...]] = []

    def keep(asked: Any) -> int:
        offered.append(asked.ids)
        return 0

    play(reroll((1, 2), (3, 3), allows=2), TypedDice([]), keep)
    play(reroll((1, 2), (3, 3), allows=2, advantage_reroll="die"), TypedDice([]), keep)
    play(reroll((1, 2), (3, 3), allows=1), TypedDice([]), keep)
    assert offered[0] == ("keep", "first 1", "first 2", "second 1", "second 2")
    assert offered[1] == offered[2] == ("keep", "first 1", "second 1")
    for wrong in (((1,), (3, 3)), ((1, 7), (3, 3)), ((1, 2), (3, 3, 3))):
        with pytest.raises(InvalidInputError, match=r"marchen\.advantage\.reroll"):
            odds(reroll(*wrong))


# ---------------------------------------------------------------------- pools


@pytest.mark.rule("marchen.pool.task_pool")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.pool.task_pool"))
def test_pools(given: dict[str, Any], expect: dict[str, Any]) -> None:
    faces = {"succeed": [4, 5], "serendipitous": [6, 6], "fail": [2, 2], "tie": [4, 4]}
    dice = [face for degree in given["degrees"] for face in faces[degree]]
    modifiers = tuple(2 if degree == "serendipitous" else 0 for degree in given["degrees"])
    result = play(task_pool(modifiers, given["needed"]), TypedDice(dice)).result
    assert (result.successes, result.complete) == (expect["successes"], expect["complete"])


@pytest.mark.rule("marchen.pool.task_pool")
def test_a_catastrophe_closes_a_pool_and_enough_is_enough() -> None:
    assert play(task_pool((0, -2, 0), 3), TypedDice([4, 4, 1, 1])).result == (1, False, True)
    assert play(task_pool((0, 0, 0), 2), TypedDice([4, 4, 4, 4])).result == (2, True, False)
    assert play(task_pool((3,)), TypedDice([4, 4])).result == (1, False, False)  # at least 2 are needed
    assert play(task_pool((0, 0, 0)), TypedDice([4, 4, 3, 3, 4, 4])).result == (2, False, False)
    assert play(task_pool((0,), 1, difficulty="trivial"), TypedDice([1, 1])).result == (1, True, False)
    with pytest.raises(InvalidInputError, match=r"marchen\.pool\.task_pool"):
        odds(task_pool(()))


@pytest.mark.rule("marchen.pool.serendipity_adds_one")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.pool.serendipity_adds_one"))
def test_serendipity_counts_twice(given: dict[str, Any], expect: dict[str, int]) -> None:
    effect = {"serendipitous": 6, "critical": 5}[given["degree"]]
    result = judge(8 + effect, "2d6", measure_of("2d6"))
    assert filled(given["pool_before"], pooled(result), 9).successes == expect["pool_after"]


@pytest.mark.rule("marchen.pool.task_pool")
def test_odds_of_a_pool_are_those_of_all_results() -> None:
    single: dict[int, Fraction] = {}
    for result, chance in odds(check("2d6", modifier=1)).fractions():
        single[pooled(result)] = single.get(pooled(result), Fraction(0)) + chance
    complete = Fraction(0)
    for (a, p), (b, q), (c, r) in product(single.items(), repeat=3):
        state = filled(0, a, 2)
        for added in (b, c):
            if not (state.complete or state.closed):
                state = filled(state.successes, added, 2)
        complete += p * q * r * state.complete
    exact = odds(task_pool((1, 1, 1), 2))
    assert exact.expected(lambda result: int(result.complete)) == complete


@pytest.mark.rule("marchen.pool.task_pool", "marchen.skill.level_gates")
def test_a_pool_at_the_table() -> None:
    master = somebody("Max", skills={"engineering": 1}, specials=[("engineering", "Masonry", 4)])
    helper = somebody("Ida", skills={"engineering": 0})
    session = together(master, helper)
    given = {"who": ("max", "ida"), "what": "engineering", "specialization": "Masonry"}
    result = done(session, "pool", [2, 2, 4, 4], **given)
    assert result == (2, True, False)  # 4 + 1 + 4 - 8 and 8 - 8
    assert told(session).endswith("The pool is complete.")
    with pytest.raises(IllegalActionError, match=r"marchen\.skill\.level_gates"):
        session.do("marchen.pool", **{**given, "who": ("ida", "max")})
    free = together(master, helper, level_gates=False)
    assert done(free, "pool", [2, 2, 6, 6], **{**given, "who": ("ida", "max")}) == (2, True, False)


# ---------------------------------------------------------------------- several people


@pytest.mark.rule("marchen.aid.leader", "marchen.aid.helper_dm")
def test_aiding_at_the_table() -> None:
    ann = somebody("Ann", muscle=1, skills={"athletics": 1}, specials=[("athletics", "Climbing", 2)])
    bob = somebody("Bob", muscle=3, skills={"athletics": 1}, specials=[("athletics", "Climbing", 2)])
    session = together(ann, bob)
    given = {"who": ("ann", "bob"), "what": "athletics", "specialization": "Climbing", "difficulty": "difficult"}
    result = done(session, "aid", [3, 3, 2, 2], **given)
    assert result.effect == 4 + 6 - 2 + 1 - 8  # Ann's 6 + 4 - 2 is a tie, which helps; Bob leads
    assert session.log[-1].who == "bob"  # type: ignore[union-attr]
    result = done(session, "aid", [3, 3, 2, 2], **given, leader="ann")
    assert result.effect == 4 + 4 - 2 + 1 - 8
    assert leader_of((2, 2, 1)) == 0


@pytest.mark.rule("marchen.skill.level_gates", "marchen.aid.helper_dm")
def test_characters_who_may_not_aid() -> None:
    ann, bob = somebody("Ann", muscle=1, skills={"athletics": 1}), somebody("Bob", skills={"athletics": 1})
    session = together(ann, bob)
    with pytest.raises(IllegalActionError, match="takes level 2"):
        session.do("marchen.aid", who=("ann", "bob"), what="athletics")
    assert done(
        together(ann, bob, level_gates=False), "aid", [4, 4, 4, 4], who=("ann", "bob"), what="athletics"
    ).success
    assert done(session, "aid", [4, 4, 4, 4], who=("ann", "bob"), what="muscle").success
    with pytest.raises(InvalidInputError, match="at least 2"):
        session.do("marchen.aid", who=("ann",), what="muscle")


@pytest.mark.rule("marchen.group.check")
def test_groups_at_the_table() -> None:
    people = [somebody(name, skills={"physical_sciences_survival": 0}) for name in ("Ann", "Bob", "Cid")]
    session = together(*people)
    given = {"who": ("ann", "bob", "cid"), "what": "Survival"}
    assert done(session, "group_check", [4, 4, 4, 4, 1, 1], **given) == (2, True)
    assert done(session, "group_check", [4, 4, 1, 1, 1, 1], **given) == (1, False)


@pytest.mark.rule("marchen.chain.dm", "marchen.skill.level_gates")
def test_chains_at_the_table() -> None:
    ann = somebody("Ann", skills={"perception": 3}, specials=[("perception", name, 4) for name in ("A", "B")])
    bob = somebody("Bob", skills={"stealth": 0})
    session = together(ann, bob)
    result = done(session, "chain", [4, 4, 4, 4], tasks=("ann:perception", "bob:stealth:difficult"))
    assert result.effect == 8 - 2 + 2 - 8  # effect 3 is sigma 2
    with pytest.raises(IllegalActionError, match=r"marchen\.skill\.level_gates"):
        session.do("marchen.chain", tasks=("bob:stealth", "ann:perception"))
    for wrong in ((), ("ann",)):
        with pytest.raises(InvalidInputError, match=r"marchen\.chain\.dm"):
            session.do("marchen.chain", tasks=wrong)


@pytest.mark.rule("marchen.skill.formal_sciences")
def test_formal_sciences_first_and_then_the_craft() -> None:
    ann = somebody("Ann", acuity=2, skills={"formal_sciences": 1, "engineering": 0})
    session = together(ann, level_gates=False)
    result = done(session, "chain", [5, 5, 4, 4], tasks=("ann:formal_sciences", "ann:engineering"))
    assert result.effect == 3  # effect 5 is sigma 3


# ---------------------------------------------------------------------- degrees


@pytest.mark.rule("marchen.degree.catastrophic")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.degree.catastrophic"))
def test_catastrophes(given: dict[str, Any], expect: dict[str, Any]) -> None:
    found = consequence(Degree.CATASTROPHIC, required=given["required_for_goal"])
    assert (found.goal, found.retry) == (False, expect["retry_allowed"])
    assert found.cost is expect.get("trap_triggered", False)
    assert found.trouble is ("unrelated_trouble" in expect)


@pytest.mark.rule("marchen.degree.costly", "marchen.degree.fail", "marchen.degree.fail_in_style")
def test_failures() -> None:
    costly, fail, style = (CONSEQUENCES[degree] for degree in (Degree.COSTLY, Degree.FAIL, Degree.FAIL_IN_STYLE))
    assert (costly.goal, costly.cost, costly.retry) == (False, True, True)
    assert (fail.goal, fail.cost, fail.story) == (False, False, False)
    assert (style.goal, style.cost, style.story) == (False, True, True)


@pytest.mark.rule("marchen.degree.nine_ways")
def test_a_minor_fail_is_a_plain_failure_of_its_own() -> None:
    assert CONSEQUENCES[Degree.MINOR_FAIL] == CONSEQUENCES[Degree.FAIL]
    assert SIGMA[Degree.MINOR_FAIL] == -1
    assert len(CONSEQUENCES) == 10


@pytest.mark.rule("marchen.degree.tie")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.degree.tie"))
def test_ties(given: dict[str, Any], expect: dict[str, Any]) -> None:
    result = judge(8, "2d6", measure_of("2d6"), contest=given["contest"])
    assert result.success is expect["success"]
    found = consequence(result.degree, tied=given["contest"])
    assert found.goal is expect["success"]
    if given["contest"]:
        assert (found.story, found.next_dm, found.scope) == (True, 1, "same")


@pytest.mark.rule("marchen.degree.succeed", "marchen.degree.succeed_in_style", "marchen.degree.critical")
def test_successes() -> None:
    plain, style, critical = (
        CONSEQUENCES[degree] for degree in (Degree.SUCCEED, Degree.SUCCEED_IN_STYLE, Degree.CRITICAL)
    )
    assert (plain.goal, plain.next_dm, plain.boon) == (True, 0, False)
    assert (style.goal, style.next_dm, style.scope) == (True, 1, "identical")
    assert (critical.goal, critical.next_dm, critical.scope) == (True, 1, "origin")


@pytest.mark.rule("marchen.degree.serendipitous")
def test_serendipity_is_two_successes() -> None:
    assert CONSEQUENCES[Degree.SERENDIPITOUS] == CONSEQUENCES[Degree.CRITICAL]._replace(boon=True)


@pytest.mark.rule("marchen.action.success_levels")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.action.success_levels"))
def test_levels_of_success(given: dict[str, Any], expect: dict[str, Any]) -> None:
    found = SIGMA[degree_of(given["core"], given["effect"])]
    assert (grade(found).value, levels_of_success(found)) == (expect["grade"], expect["levels_of_success"])


@pytest.mark.rule("marchen.action.success_levels")
def test_grades() -> None:
    for word, sigmas in data("marchen.action.success_levels").items():
        assert [grade(one).value for one in sigmas] == [word] * len(sigmas)
    assert [grade(one).value for one in (-4, -1)] == ["failure"] * 2
    assert [levels_of_success(one) for one in (-4, -1, 0, 1, 2)] == [0, 0, 1, 1, 2]
    assert [strong_hit(one) for one in (1, 2)] == [False, True]


# ---------------------------------------------------------------------- obstacles


def try_lock(session: Any, dice: list[int], **given: Any) -> Any:
    return done(session, "attempt", dice, **({"who": "ann", "what": "agility", "obstacle": "lock"} | given))


@pytest.mark.rule("marchen.check.retry")
def test_trying_again() -> None:
    session = together(somebody())
    for _ in range(3):
        assert not try_lock(session, [3, 3]).success
    assert try_lock(session, [4, 5]).success
    with pytest.raises(IllegalActionError, match="overcome already"):
        session.do("marchen.attempt", who="ann", what="agility", obstacle="lock")
    assert try_lock(session, [4, 4], repeatable=True).success
    assert not try_lock(session, [3, 3], obstacle="cliff", once=True).success
    with pytest.raises(IllegalActionError, match=r"cannot be tried again.*marchen\.check\.retry"):
        session.do("marchen.attempt", who="ann", what="agility", obstacle="cliff")


@pytest.mark.rule("marchen.check.retry", "marchen.degree.catastrophic")
def test_a_catastrophe_is_final_unless_the_goal_depends_on_it() -> None:
    for required in (False, True):
        session = together(somebody())
        assert try_lock(session, [1, 1], required=required).degree is Degree.CATASTROPHIC
        if required:
            assert not try_lock(session, [3, 3]).success
        else:
            with pytest.raises(IllegalActionError, match="cannot be tried again"):
                session.do("marchen.attempt", who="ann", what="agility", obstacle="lock")


@pytest.mark.rule("marchen.degree.tie", "marchen.degree.succeed_in_style", "marchen.degree.critical")
def test_lessons_make_the_next_time_easier() -> None:
    session = together(somebody())
    tied = try_lock(session, [4, 4], situation=("contest=yes",))
    assert (tied.success, tied.degree) == (False, Degree.FAIL_IN_STYLE)
    assert try_lock(session, [3, 3]).effect == -1  # 6 + 1 - 8
    assert try_lock(session, [5, 6], obstacle="first", origin="smith").degree is Degree.SUCCEED_IN_STYLE
    assert try_lock(session, [4, 3], obstacle="second", origin="smith").effect == -1
    assert try_lock(session, [4, 3], obstacle="first", repeatable=True).effect == 0
    assert (
        try_lock(session, [6, 6], obstacle="third", origin="smith", situation=("modifier=1",)).degree is Degree.CRITICAL
    )
    assert try_lock(session, [4, 3], obstacle="fourth", origin="smith").effect == 0
    assert try_lock(session, [4, 3], obstacle="fifth").effect == -1


# ---------------------------------------------------------------------- demigods


@pytest.mark.rule("marchen.mythic.burn_for_success")
def test_burning_turns_a_failure_into_a_success() -> None:
    burn = play(burning("2d6"), TypedDice([1, 1]), lambda asked: asked.ids.index("yes")).result
    assert (burn.result.degree, burn.result.sigma, burn.burnt) == (Degree.SUCCEED, 1, 1)
    kept = play(burning("2d6"), TypedDice([1, 1]), lambda asked: asked.ids.index("no")).result
    assert (kept.result.success, kept.burnt) == (False, 0)
    assert play(burning("2d6"), TypedDice([6, 6])).result.burnt == 0
    nothing_left = odds(burning("2d6", points=0), "success")  # and no one is asked
    assert nothing_left.expected(lambda burn: int(burn.result.success)) == odds(check("2d6")).expected(succeeded) < 1
    assert odds(burning("2d6"), "success").expected(lambda burn: int(burn.result.success)) == 1
    assert play(burning(), TypedDice([4, 4])).result.result.effect == 0


# ---------------------------------------------------------------------- counsel


@pytest.mark.rule("marchen.time.shift")
@pytest.mark.parametrize(("frame", "rows"), [("watch", range(-2, 3)), ("ounce", range(3)), ("season", range(-2, 1))])
def test_counsel_on_time(frame: Any, rows: Any) -> None:
    for price in (0, 5, 30):
        worth = {row: 100 * odds(check("3d6", "average", 1 + row)).expected(succeeded) - price * row for row in rows}
        found = advise(take_time("3d6", "average", 1, frame, price))
        assert {int(option): value for option, value in _values(found).items()} == worth
    assert (
        odds(take_time("2d6", frame="watch", price=0), "success").expected(lambda timed: int(timed.result.success)) > 0
    )


def _values(advice: Any) -> dict[str, Fraction]:
    """Values of the options of the first question."""
    return {worth.id: worth.value for worth in advice.choices[0].options}


@pytest.mark.rule("marchen.aid.leader")
def test_counsel_on_leading() -> None:
    members, levels = (3, 1, 2), (2, 2, 0)
    chances = {}
    for at, own in enumerate(members):
        others = tuple(m for other, m in enumerate(members) if other != at and levels[other] >= 2)
        chances[f"{at + 1} alone"] = odds(check("2d6", "average", own)).expected(succeeded)
        chances[f"{at + 1} aided"] = odds(aided(others, "2d6", "average", own)).expected(succeeded)
    best = odds(lead(members, levels), "success").expected(succeeded)
    assert best == max(chances.values())
    ungated = odds(lead(members, levels, level_gates=False), "success").expected(succeeded)
    assert ungated == max(
        *[
            odds(aided(tuple(m for o, m in enumerate(members) if o != at), "2d6", "average", members[at])).expected(
                succeeded
            )
            for at in range(3)
        ],
        *[value for key, value in chances.items() if "alone" in key],
    )
    assert play(lead((1, 4, 4), (2, 2, 2)), TypedDice([4, 4] * 3)).result.effect == 4 + 2  # the second leads


@pytest.mark.rule("marchen.chain.dm")
def test_counsel_on_the_order_of_tasks() -> None:
    tasks = (Task("difficult", 2), Task("easy", 0), Task("average", 1))
    last = Task("difficult", 1)
    every = [odds(task_chain((*order, last))).expected(succeeded) for order in permutations(tasks)]
    assert odds(order_tasks(tasks, last), "success").expected(succeeded) == max(every)
    assert len(set(every)) > 1
    with pytest.raises(InvalidInputError, match="1 to 5"):
        odds(order_tasks(()))


@pytest.mark.rule("marchen.core.selection")
@pytest.mark.parametrize("objective", ["success", "swing", "steady"])
def test_counsel_on_the_core(objective: str) -> None:
    worth = {"success": succeeded, "swing": swing, "steady": lambda result: -swing(result)}[objective]
    every = [odds(check(core, "difficult", 2)).expected(worth) for core in CORES]
    assert odds(which_core("difficult", 2), objective).expected(worth) == max(every)
    assert sigma(judge(8, "2d6", measure_of("2d6"))) == 0


def test_counsel_has_its_bounds() -> None:
    five = tuple([Task("average", n) for n in range(5)])
    assert odds(order_tasks(five), "success")
    for wrong in (order_tasks((*five, Task("easy", 1))), lead(()), lead((1, 2), (1,)), lead((1,) * 11)):
        with pytest.raises(InvalidInputError):
            odds(wrong)
    assert odds(lead((1,) * 10, max_helpers=0), "success").expected(succeeded) == odds(check(modifier=1)).expected(
        succeeded
    )


@pytest.mark.rule("marchen.mythic.burn_for_success")
def test_a_success_is_worth_a_point() -> None:
    choices = advise(burning("2d6"), "worth").choices
    assert choices
    for situation in choices:
        assert {worth.id: worth.value for worth in situation.options} == {"yes": 9, "no": 0}


@pytest.mark.rule("marchen.difficulty.default", "marchen.core.selection", "marchen.core.dice")
@pytest.mark.parametrize("one", [*COUNSEL, *UNDERTAKINGS], ids=lambda one: one.name)
def test_unnamed_settings_are_the_usual_ones(one: Any) -> None:
    usual = {"core": "2d6", "difficulty": "average", "modifier": 0, "dm": 0, "steps": 0, "contest": False}
    usual |= {"bell_row": "counted", "frame": "watch", "price": 10, "points": 1, "allows": 8, "level_gates": True}
    usual |= {field.attribute: field.default for field in MarchenOptions.describe()}
    for parameter in one.params:
        if not parameter.required and parameter.name in usual:
            assert parameter.default == usual[parameter.name]
