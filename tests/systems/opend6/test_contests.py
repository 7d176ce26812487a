"""Contests of two, and what a player can tell of a difficulty that is secret."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.people import OPTIONS, C, arguments, planned, session_of, somebody, subject_of
from systems.playing import answer
from tablewright.engine import odds
from tablewright.errors import IllegalActionError
from tablewright.game.play.common_events import Checked
from tablewright.game.session.views import project_session
from tablewright.systems.opend6.checks import pool
from tablewright.systems.opend6.events.attack import Complicated
from tablewright.systems.opend6.mechanics.checks import Side
from tablewright.systems.opend6.mechanics.contests import _thrifty, caught_up
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import fight

ANN = somebody("Ann", agility="3D+1", climbing="4D")


def difficulty(plan: Any) -> int:
    return int(arguments(plan)["difficulty"])


# ---------------------------------------------------------------------- contests


def contest(one: Any, other: Any, options: OpenD6Options = OPTIONS, what: str = "lifting", **more: Any) -> Any:
    session = session_of({"ann": one, "bob": other}, options)
    with_what = more.pop("with_what", what)
    given = {"situation": more.pop("situation", []), "other_situation": more.pop("other_situation", [])}
    session.do("table.contest", who="ann", what=what, against="bob", with_what=with_what, **given)
    return session


@pytest.mark.rule("opend6.opposed.resolve", "opend6.modifier.generic")
def test_an_opposed_roll_with_what_makes_it_harder() -> None:
    one, other = somebody(lifting="2D+1"), somebody(lifting="2D+2")
    session = contest(one, other, situation=["modifier=4"], other_situation=["modifier=1"])
    call = session.question
    answer(session, [3, 3], [2, 2])  # 7 + 1 against 6 + 4
    told = [line.result for line in session.log if isinstance(line, Checked)]
    assert told == ["failure", "success"]
    assert call is not None
    even = contest(one, other)
    answer(even, [3, 3], [2, 3])  # 7 against 7
    assert [line.result for line in even.log if isinstance(line, Checked)] == ["success", "failure"]


@pytest.mark.rule("opend6.opposed.fallback")
def test_an_unready_character() -> None:
    bluffer, target = somebody(bluff="3D"), somebody(mettle="3D+2")
    off_guard: dict[str, Any] = {
        "what": "bluff",
        "with_what": "mettle",
        "other_situation": ["ready=false", "use=resisting"],
    }
    derived = contest(bluffer, target, **off_guard)
    answer(derived, [2, 3, 3])  # 8 against 2 x 3 + 2
    assert [line.result for line in derived.log if isinstance(line, Checked)] == ["success", "failure"]
    reacting = contest(bluffer, target, OpenD6Options(opposed_fallback="free_reaction"), **off_guard)
    answer(reacting, [2, 3, 3], [2, 3, 3])
    assert [line.result for line in reacting.log if isinstance(line, Checked)] == ["failure", "success"]


@pytest.mark.rule("opend6.gap.difficulty.interaction")
def test_interaction_is_opposed_and_a_full_defence_adds_ten() -> None:
    bluffer, target = somebody(bluff="3D"), somebody(mettle="2D+1")
    assert difficulty(planned(bluffer, "bluff", task="interaction")) == 10
    resisting: dict[str, Any] = {
        "what": "bluff",
        "with_what": "mettle",
        "other_situation": ["use=resisting", "full_defence=true"],
    }
    session = contest(bluffer, target, **resisting)
    answer(session, [5, 5, 5], [2, 2])  # 15 against 5 + 10: a tie for the initiator
    assert [line.result for line in session.log if isinstance(line, Checked)] == ["success", "failure"]
    with pytest.raises(IllegalActionError, match="interaction"):
        contest(bluffer, target, what="bluff", with_what="agility", other_situation=["full_defence=true"])


@pytest.mark.rule("opend6.points.limits")
def test_both_sides_pay_for_a_contest() -> None:
    one, other = somebody(character_points=3), somebody(character_points=4)
    given: dict[str, Any] = {"situation": ["character_points=1"], "other_situation": ["character_points=2"]}
    session = contest(one, other, what="agility", **given)
    answer(session, [2, 2, 3], [2, 2, 3, 3])
    assert [session.scene[who].status.character_points for who in ("ann", "bob")] == [2, 2]


def test_the_pool_for_other_rules() -> None:
    made = pool(subject_of(ANN), "climbing", bonus=2)
    assert made.rolled(OPTIONS, 1) == C("8D")
    assert made.bonus.total == 2
    assert Side.INITIATOR.value == "initiator"


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize("assumed", ["", "assumed=12"])
def test_a_player_cannot_tell_a_secret_difficulty_by_the_points_that_are_asked_for(assumed: str) -> None:
    def seen(hard: int) -> list[bytes]:
        session = session_of({"ann": somebody("Ann", agility="3D", character_points=3, fate_points=1)})
        situation = [f"difficulty={hard}", "spend=true", *([assumed] if assumed else [])]
        session.do("table.check", who="ann", what="agility", situation=situation, secret=True)
        shown = []
        for given in ("0", "1", [3, 2, 4, 2], "yes", [3], "yes", [6, 1]):
            shown.append(json.dumps(project_session(session, "ann"), sort_keys=True, default=str).encode())
            if session.question is None:
                break
            answer(session, given)
        return [*shown, json.dumps(project_session(session, "ann"), sort_keys=True, default=str).encode()]

    assert seen(5) == seen(14) == seen(30)


@pytest.mark.rule("opend6.cp.timing", "opend6.opposed.resolve")
def test_a_character_who_is_behind_may_catch_up_after_the_roll() -> None:
    one, other = somebody(agility="2D", character_points=3), somebody(agility="2D", character_points=1)
    given: dict[str, Any] = {"situation": ["spend=true"], "other_situation": ["spend=true"]}
    session = contest(one, other, what="agility", **given)
    answer(session, [2, 2], [3, 3], "yes", [3], "yes", [2], "yes", [2])
    # 4 against 6; 7 against 6; 7 against 8; 9 against 8; the other has nothing left
    told = [line.result for line in session.log if isinstance(line, Checked)]
    assert told == ["success", "failure"]
    assert [session.scene[who].status.character_points for who in ("ann", "bob")] == [1, 0]


@pytest.mark.rule("opend6.cp.max_per_roll")
def test_points_after_an_opposed_roll_count_with_those_before_it() -> None:
    one, other = somebody(agility="2D", character_points=9), somebody(agility="2D")
    table = OpenD6Options(challenge_level="easy")
    given: dict[str, Any] = {"situation": ["spend=true", "character_points=1"]}
    session = contest(one, other, table, what="agility", **given)
    assert session.playing is not None
    found = session.playing.calls[-1].named_arguments()
    assert (found["points"], found["initiator_points"], found["their_points"]) == (1, 1, 0)


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize(("points", "theirs"), [(1, 0), (0, 1), (1, 1)])
def test_advice_after_an_opposed_roll_against_a_plain_recursion(points: int, theirs: int) -> None:
    faces = {6 * sixes + face: Fraction(1, 6 ** (sixes + 1)) for sixes in range(4) for face in range(1, 6)}
    faces[24] = Fraction(1) - sum(faces.values(), Fraction(0))  # four sixes and whatever follows

    def worth(lead: int, mine: int, yours: int) -> Fraction:
        if lead < 0:
            if not mine:
                return Fraction(0)
            spent = sum([likely * worth(lead + shown, mine - 1, yours) for shown, likely in faces.items()], Fraction(0))
            return max(Fraction(0), spent - Fraction(1, 10))
        if not yours:
            return Fraction(1)
        spent = sum([likely * worth(lead - shown, mine, yours - 1) for shown, likely in faces.items()], Fraction(0))
        return min(Fraction(1), spent + Fraction(1, 10))

    for lead in (-8, -3, -1, 0, 2, 7):
        found = odds(caught_up(lead, points, theirs, 0, 0), _thrifty).expected(_thrifty)
        assert found == worth(lead, points, theirs)


# ---------------------------------------------------------------------- the untrained


@pytest.mark.rule("opend6.special.derived", "opend6.untrained.exempt")
def test_a_derived_difficulty_is_no_harder_for_the_untrained() -> None:
    clumsy = somebody("Ann", charisma="3D")
    assert difficulty(planned(clumsy, "intimidation", against="3D")) == 6
    assert difficulty(planned(clumsy, "intimidation", difficulty=6)) == 11
    with pytest.raises(IllegalActionError):
        planned(clumsy, "intimidation", against="3D", trained_only=True)


@pytest.mark.rule("opend6.untrained.exempt", "opend6.gap.skill.interaction")
@pytest.mark.parametrize(("what", "with_what", "harder"), [("bluff", "mettle", 0), ("lifting", "mettle", 5)])
def test_mettle_against_interaction_needs_no_training(what: str, with_what: str, harder: int) -> None:
    session = contest(somebody(bluff="2D+1", lifting="2D+1"), somebody(), what=what, with_what=with_what)
    answer(session, [2, 2], [2 if not harder else 5, 4])  # 5 against 6, or 10 against 9
    (first, _) = [line.result for line in session.log if isinstance(line, Checked)]
    assert first == ("failure" if not harder else "success")


@pytest.mark.rule("opend6.special.wild_die_only", "opend6.gap.advancement.needs")
def test_the_wild_die_alone_is_a_use_of_the_skill() -> None:
    session = session_of({"ann": somebody("Ann", climbing="6D")})
    session.do("table.check", who="ann", what="climbing", situation=["difficulty=5", "wild_die_only=yes"])
    answer(session, [3])
    assert session.scene["ann"].status.used == ("climbing",)


# ---------------------------------------------------------------------- complications


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize(
    ("difficulty", "faces", "severity"), [(10, [1, 5, 5, 5], "minor"), (20, [1, 2, 2, 2], ""), (5, [1], "minor")]
)
@pytest.mark.parametrize("when", ["now", "later"])
def test_a_complication_of_a_check_is_recorded(difficulty: int, faces: list[int], severity: str, when: str) -> None:
    options = OpenD6Options(critical_failure="complication")
    session = session_of({"ann": somebody("Ann", climbing="4D")}, options)
    alone = ["wild_die_only=yes"] if len(faces) == 1 else []
    session.do("table.check", who="ann", what="climbing", situation=[f"difficulty={difficulty}", *alone])
    answer(session, faces, when)
    (told,) = [line for line in session.log if isinstance(line, Complicated)]
    assert (told.severity, told.deferred) == (severity, when == "later")
    assert len(fight(session.scene).complications) == (when == "later")


@pytest.mark.rule("opend6.wild.cf_complication")
def test_a_larger_shortfall_makes_a_graver_failure() -> None:
    options = OpenD6Options(critical_failure="complication")
    session = session_of({"ann": somebody("Ann", climbing="4D")}, options)
    session.do("opend6.try_task", who="ann", what="climbing", task="the wall", difficulty="13")
    answer(session, [1, 2, 2, 2], "now")
    assert [line.severity for line in session.log if isinstance(line, Complicated)] == ["serious"]


@pytest.mark.rule("opend6.simplify.quick", "opend6.opposed.resolve")
def test_a_hero_rolls_against_a_number_of_the_game_masters() -> None:
    options = OpenD6Options(simplification="quick", quick_for="game_master")
    ann, thug = somebody("Ann", lifting="3D"), somebody("Thug", lifting="3D+1", kind="creature")
    won = contest(ann, thug, options)
    answer(won, [3, 4, 3])  # 10 ties with 3 times 3 and 1: the one who acts wins
    assert won.result is Side.INITIATOR
    lost = contest(ann, thug, options)
    answer(lost, [3, 3, 3])
    assert lost.result is Side.RESISTER
