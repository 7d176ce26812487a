"""Tasks of several rolls or people: rerolls, pools, help, chains, obstacles; degrees and what follows; burning."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.marchen.acts import done, told, why_not
from systems.marchen.people import alone, data, hero, somebody, together
from systems.playing import choosing, examples
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.marchen.events.recovery import ObstacleMet
from tablewright.systems.marchen.mechanics.checks import check, judge, succeeded
from tablewright.systems.marchen.mechanics.dice import (
    CONSEQUENCES,
    DEGREES,
    SIGMA,
    Degree,
    consequence,
    degree_of,
    grade,
    levels_of_success,
    measure_of,
    strong_hit,
)
from tablewright.systems.marchen.mechanics.tasks import burning, filled, pooled, reroll, task_pool
from tablewright.systems.marchen.mechanics.turn import leader_of

# ---------------------------------------------------------------------- rerolls


@pytest.mark.rule("marchen.advantage.reroll")
def test_rerolls() -> None:
    for given, expect in examples("marchen.advantage.reroll"):
        first, second = given["sets"]
        rule = given.get("advantage_reroll", "set")
        call = reroll(tuple(first), tuple(second), "2d6", given["mode"], 2, advantage_reroll=rule)
        answer = f"first {1 if rule == 'die' else 2}"
        assert play(call, TypedDice(given["new"]), choosing(answer)).result.effect == expect["used"] - 8


@pytest.mark.rule("marchen.advantage.reroll")
def test_a_reroll_reaches_one_set_once() -> None:
    offered: list[tuple[str, ...]] = []

    def keep(asked: Any) -> int:
        offered.append(asked.ids)
        return 0

    for allows, rule in ((2, "set"), (2, "die"), (1, "set")):
        play(reroll((1, 2), (3, 3), allows=allows, advantage_reroll=rule), TypedDice([]), keep)
    assert offered[0] == ("keep", "first 1", "first 2", "second 1", "second 2")
    assert offered[1] == offered[2] == ("keep", "first 1", "second 1")
    for wrong in (((1,), (3, 3)), ((1, 7), (3, 3)), ((1, 2), (3, 3, 3))):
        with pytest.raises(InvalidInputError, match=r"marchen\.advantage\.reroll"):
            odds(reroll(*wrong))


# ---------------------------------------------------------------------- pools


@pytest.mark.rule("marchen.pool.task_pool", "marchen.pool.serendipity_adds_one")
def test_pools() -> None:
    faces = {"succeed": [4, 5], "serendipitous": [6, 6], "fail": [2, 2], "tie": [4, 4]}
    for given, expect in examples("marchen.pool.task_pool"):
        dice = [face for degree in given["degrees"] for face in faces[degree]]
        modifiers = tuple(2 if degree == "serendipitous" else 0 for degree in given["degrees"])
        result = play(task_pool(modifiers, given["needed"]), TypedDice(dice)).result
        assert (result.successes, result.complete) == (expect["successes"], expect["complete"])
    for given, expect in examples("marchen.pool.serendipity_adds_one"):
        judged = judge(8 + {"serendipitous": 6, "critical": 5}[given["degree"]], "2d6", measure_of("2d6"))
        assert filled(given["pool_before"], pooled(judged), 9).successes == expect["pool_after"]


@pytest.mark.rule("marchen.pool.task_pool")
def test_a_catastrophe_closes_a_pool_and_enough_is_enough() -> None:
    assert play(task_pool((0, -2, 0), 3), TypedDice([4, 4, 1, 1])).result == (1, False, True)
    assert play(task_pool((0, 0, 0), 2), TypedDice([4, 4, 4, 4])).result == (2, True, False)
    assert play(task_pool((3,)), TypedDice([4, 4])).result == (1, False, False)  # at least 2 are needed
    assert play(task_pool((0, 0, 0)), TypedDice([4, 4, 3, 3, 4, 4])).result == (2, False, False)
    assert play(task_pool((0,), 1, difficulty="trivial"), TypedDice([1, 1])).result == (1, True, False)
    with pytest.raises(InvalidInputError, match=r"marchen\.pool\.task_pool"):
        odds(task_pool(()))


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
    assert "marchen.skill.level_gates" in why_not(session, "pool", **{**given, "who": ("ida", "max")})
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
    people = [somebody(name, muscle=1, skills={"athletics": 1}) for name in ("Ann", "Bob")]
    session, free = together(*people), together(*people, level_gates=False)
    assert "takes level 2" in why_not(session, "aid", who=("ann", "bob"), what="athletics")
    assert done(free, "aid", [4, 4, 4, 4], who=("ann", "bob"), what="athletics").success
    assert done(session, "aid", [4, 4, 4, 4], who=("ann", "bob"), what="muscle").success
    with pytest.raises(InvalidInputError, match="at least 2"):
        session.do("marchen.aid", who=("ann",), what="muscle")


@pytest.mark.rule("marchen.group.check", "marchen.skill.formal_sciences")
def test_groups_and_sciences_at_the_table() -> None:
    session = together(*[somebody(name, skills={"physical_sciences_survival": 0}) for name in ("Ann", "Bob", "Cid")])
    given = {"who": ("ann", "bob", "cid"), "what": "Survival"}
    assert done(session, "group_check", [4, 4, 4, 4, 1, 1], **given) == (2, True)
    assert done(session, "group_check", [4, 4, 1, 1, 1, 1], **given) == (1, False)
    scholar = together(somebody(acuity=2, skills={"formal_sciences": 1, "engineering": 0}), level_gates=False)
    first_the_science = done(scholar, "chain", [5, 5, 4, 4], tasks=("ann:formal_sciences", "ann:engineering"))
    assert first_the_science.effect == 3  # effect 5 is sigma 3


@pytest.mark.rule("marchen.chain.dm", "marchen.skill.level_gates")
def test_chains_at_the_table() -> None:
    ann = somebody("Ann", skills={"perception": 3}, specials=[("perception", name, 4) for name in ("A", "B")])
    bob = somebody("Bob", skills={"stealth": 0})
    session = together(ann, bob)
    result = done(session, "chain", [4, 4, 4, 4], tasks=("ann:perception", "bob:stealth:difficult"))
    assert result.effect == 8 - 2 + 2 - 8  # effect 3 is sigma 2
    assert "marchen.skill.level_gates" in why_not(session, "chain", tasks=("bob:stealth", "ann:perception"))
    for wrong in ((), ("ann",)):
        with pytest.raises(InvalidInputError, match=r"marchen\.chain\.dm"):
            session.do("marchen.chain", tasks=wrong)


# ---------------------------------------------------------------------- degrees


@pytest.mark.rule("marchen.degree.catastrophic", "marchen.degree.tie")
def test_consequences_of_a_catastrophe_and_a_tie() -> None:
    for given, expect in examples("marchen.degree.catastrophic"):
        found = consequence(Degree.CATASTROPHIC, required=given["required_for_goal"])
        assert (found.goal, found.retry) == (False, expect["retry_allowed"])
        assert found.cost is expect.get("trap_triggered", False)
        assert found.trouble is ("unrelated_trouble" in expect)
    for given, expect in examples("marchen.degree.tie"):
        result = judge(8, "2d6", measure_of("2d6"), contest=given["contest"])
        found = consequence(result.degree, tied=given["contest"])
        assert result.success is found.goal is expect["success"]
        if given["contest"]:
            assert (found.story, found.next_dm, found.scope) == (True, 1, "same")


@pytest.mark.rule("marchen.degree.costly", "marchen.degree.fail", "marchen.degree.fail_in_style")
@pytest.mark.rule("marchen.degree.nine_ways")
def test_consequences_of_a_failure() -> None:
    costly, fail, style = (CONSEQUENCES[degree] for degree in (Degree.COSTLY, Degree.FAIL, Degree.FAIL_IN_STYLE))
    assert (costly.goal, costly.cost, costly.retry) == (False, True, True)
    assert (fail.goal, fail.cost, fail.story) == (False, False, False)
    assert (style.goal, style.cost, style.story) == (False, True, True)
    assert CONSEQUENCES[Degree.MINOR_FAIL] == fail  # a plain failure of its own
    assert (SIGMA[Degree.MINOR_FAIL], len(CONSEQUENCES), len(DEGREES)) == (-1, 10, 10)


@pytest.mark.rule("marchen.degree.succeed", "marchen.degree.succeed_in_style", "marchen.degree.critical")
@pytest.mark.rule("marchen.degree.serendipitous")
def test_consequences_of_a_success() -> None:
    succeed, in_style, critical = Degree.SUCCEED, Degree.SUCCEED_IN_STYLE, Degree.CRITICAL
    plain, style, best = (CONSEQUENCES[degree] for degree in (succeed, in_style, critical))
    assert (plain.goal, plain.next_dm, plain.boon) == (True, 0, False)
    assert (style.goal, style.next_dm, style.scope) == (True, 1, "identical")
    assert (best.goal, best.next_dm, best.scope) == (True, 1, "origin")
    assert CONSEQUENCES[Degree.SERENDIPITOUS] == best._replace(boon=True)  # two successes


@pytest.mark.rule("marchen.action.success_levels")
def test_levels_of_success_and_their_grades() -> None:
    for given, expect in examples("marchen.action.success_levels"):
        found = SIGMA[degree_of(given["core"], given["effect"])]
        assert (grade(found).value, levels_of_success(found)) == (expect["grade"], expect["levels_of_success"])
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
    assert "overcome already" in why_not(session, "attempt", who="ann", what="agility", obstacle="lock")
    assert try_lock(session, [4, 4], repeatable=True).success
    assert not try_lock(session, [3, 3], obstacle="cliff", once=True).success
    with pytest.raises(IllegalActionError, match=r"cannot be tried again.*marchen\.check\.retry"):
        session.do("marchen.attempt", who="ann", what="agility", obstacle="cliff")


@pytest.mark.rule("marchen.check.retry", "marchen.degree.catastrophic")
def test_a_catastrophe_is_final_unless_the_goal_depends_on_it() -> None:
    final, required = alone(), alone()
    assert try_lock(final, [1, 1]).degree is Degree.CATASTROPHIC
    assert "cannot be tried again" in why_not(final, "attempt", who="ann", what="agility", obstacle="lock")
    assert try_lock(required, [1, 1], required=True).degree is Degree.CATASTROPHIC
    assert not try_lock(required, [3, 3]).success


@pytest.mark.rule("marchen.degree.tie", "marchen.degree.succeed_in_style", "marchen.degree.critical")
def test_lessons_make_the_next_time_easier() -> None:
    session = alone()
    tied = try_lock(session, [4, 4], situation=("contest=yes",))
    assert (tied.success, tied.degree) == (False, Degree.FAIL_IN_STYLE)
    assert try_lock(session, [3, 3]).effect == -1  # 6 + 1 - 8
    assert try_lock(session, [5, 6], obstacle="first", origin="smith").degree is Degree.SUCCEED_IN_STYLE
    assert try_lock(session, [4, 3], obstacle="second", origin="smith").effect == -1
    assert try_lock(session, [4, 3], obstacle="first", repeatable=True).effect == 0
    best = try_lock(session, [6, 6], obstacle="third", origin="smith", situation=("modifier=1",))
    assert best.degree is Degree.CRITICAL
    assert try_lock(session, [4, 3], obstacle="fourth", origin="smith").effect == 0
    assert try_lock(session, [4, 3], obstacle="fifth").effect == -1


@pytest.mark.rule("marchen.degree.tie", "marchen.degree.sigma_method")
@pytest.mark.parametrize(
    ("method", "first", "effects"),
    [("table", [4, 4], [0, -1, -2]), ("sigma", [3, 4], [-1, -1, -1]), ("sigma", [3, 3], [-2] * 3)],
)
def test_a_tie_helps_the_next_try_only(method: str, first: list[int], effects: list[int]) -> None:
    session = alone(degree_method=method)
    tries = [try_lock(session, faces, situation=["contest=yes"]).effect for faces in (first, [3, 3], [3, 3])]
    assert tries == effects


@pytest.mark.rule("marchen.degree.critical", "marchen.degree.succeed_in_style")
@pytest.mark.parametrize(
    ("muscle", "faces", "more", "effects"), [(0, [6, 5], [3, 3], [-1, -2]), (1, [6, 6], [2, 2], [-2, -2])]
)
def test_lesson_of_a_good_success(muscle: int, faces: list[int], more: list[int], effects: list[int]) -> None:
    session = alone(hero(muscle=muscle))
    tries = [try_lock(session, shown, what="muscle", repeatable=True).effect for shown in (faces, more, more)]
    assert tries[1:] == effects


@pytest.mark.rule("marchen.check.retry")
@pytest.mark.parametrize(
    ("state", "says"), [("solved", "is overcome"), ("shut", "cannot be tried again"), ("", "is still in the way")]
)
def test_an_obstacle_is_told_of_in_whole_sentences(state: str, says: str) -> None:
    session = alone()
    session.live.emit(ObstacleMet(who="ann", obstacle="wall", state=state, what="and more", cause="x"))
    assert told(session) == f"Wall {says}. And more."


# ---------------------------------------------------------------------- burning


@pytest.mark.rule("marchen.mythic.burn_for_success")
def test_burning_turns_a_failure_into_a_success_and_a_success_is_worth_a_point() -> None:
    burn = play(burning("2d6"), TypedDice([1, 1]), choosing("yes")).result
    assert (burn.result.degree, burn.result.sigma, burn.burnt) == (Degree.SUCCEED, 1, 1)
    kept = play(burning("2d6"), TypedDice([1, 1]), choosing("no")).result
    assert (kept.result.success, kept.burnt) == (False, 0)
    assert play(burning("2d6"), TypedDice([6, 6])).result.burnt == 0
    nothing_left = odds(burning("2d6", points=0), "success")  # and no one is asked
    assert nothing_left.expected(lambda burn: int(burn.result.success)) == odds(check("2d6")).expected(succeeded) < 1
    assert odds(burning("2d6"), "success").expected(lambda burn: int(burn.result.success)) == 1
    assert play(burning(), TypedDice([4, 4])).result.result.effect == 0
    choices = advise(burning("2d6"), "worth").choices
    assert choices
    for situation in choices:
        assert {worth.id: worth.value for worth in situation.options} == {"yes": 9, "no": 0}
