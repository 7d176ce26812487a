"""Contests of two, and what a player can tell of a difficulty that is secret."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import session_of, somebody
from systems.playing import answer, events
from tablewright.engine import odds
from tablewright.errors import IllegalActionError
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.systems.opend6.mechanics.contests import _thrifty, caught_up
from tablewright.systems.opend6.options import OpenD6Options


def contest(
    one: dict[str, Any],
    other: dict[str, Any],
    options: dict[str, Any] | None = None,
    what: str = "lifting",
    **given: Any,
) -> Session:
    """A contest of Ann against Bob; fields of both, options of the table, the skill of both and what else is said."""
    session = session_of({"ann": somebody(**one), "bob": somebody(**other)}, OpenD6Options(**(options or {})))
    session.do("table.contest", who="ann", what=what, against="bob", **({"with_what": what} | given))
    return session


BLUFF: dict[str, Any] = {"what": "bluff", "with_what": "mettle"}
OFF_GUARD = BLUFF | {"other_situation": ["ready=false", "use=resisting"]}
DEFENDING = BLUFF | {"other_situation": ["use=resisting", "full_defence=true"]}
HARDER: dict[str, Any] = {"situation": ["modifier=4"], "other_situation": ["modifier=1"]}
QUICK = {"simplification": "quick", "quick_for": "game_master"}
THUG = {"lifting": "3D+1", "kind": "creature"}


@pytest.mark.rule("opend6.opposed.resolve", "opend6.opposed.fallback", "opend6.untrained.exempt")
@each_case(
    ("one", "other", "options", "given", "dice", "won"),
    [
        ({"lifting": "2D+1"}, {"lifting": "2D+2"}, {}, {}, ([3, 3], [2, 3]), True),  # a tie for the initiator
        ({"lifting": "2D+1"}, {"lifting": "2D+2"}, {}, HARDER, ([3, 3], [2, 2]), False),  # 7 + 1 against 6 + 4
        ({"bluff": "3D"}, {"mettle": "3D+2"}, {}, OFF_GUARD, ([2, 3, 3],), True),  # 8 against 2 x 3 + 2
        (
            {"bluff": "3D"},
            {"mettle": "3D+2"},
            {"opposed_fallback": "free_reaction"},
            OFF_GUARD,
            ([2, 3, 3],) * 2,
            False,
        ),
        ({"bluff": "3D"}, {"mettle": "2D+1"}, {}, DEFENDING, ([5, 5, 5], [2, 2]), True),  # 15 against 5 + 10
        ({"bluff": "2D+1"}, {}, {}, BLUFF, ([2, 2], [2, 4]), False),  # 5 against 6: mettle needs no training here
        (
            {"lifting": "2D+1"},
            {},
            {},
            {"with_what": "mettle"},
            ([2, 2], [5, 4]),
            True,
        ),  # and here it does: 10 against 9
        ({"lifting": "3D"}, THUG, QUICK, {}, ([3, 4, 3],), True),  # 10 against 3 times 3 and 1
        ({"lifting": "3D"}, THUG, QUICK, {}, ([3, 3, 3],), False),
    ],
)
def test_contests(
    one: dict[str, Any],
    other: dict[str, Any],
    options: dict[str, Any],
    given: dict[str, Any],
    dice: tuple[list[int], ...],
    won: bool,
) -> None:
    session = answer(contest(one, other, options, **given), *dice)
    told = [line.result for line in events(session, "Checked")]
    assert told == (["success", "failure"] if won else ["failure", "success"])


@pytest.mark.rule("opend6.gap.difficulty.interaction", "opend6.gap.skill.interaction")
def test_a_full_defence_helps_only_against_interaction() -> None:
    with pytest.raises(IllegalActionError, match="interaction"):
        contest({"bluff": "3D"}, {}, what="bluff", with_what="agility", other_situation=["full_defence=true"])


@pytest.mark.rule("opend6.points.limits", "opend6.cp.timing", "opend6.opposed.resolve")
def test_both_sides_pay_for_a_contest_before_and_after_the_roll() -> None:
    before: dict[str, Any] = {"situation": ["character_points=1"], "other_situation": ["character_points=2"]}
    session = contest({"character_points": 3}, {"character_points": 4}, what="agility", **before)
    answer(session, [2, 2, 3], [2, 2, 3, 3])
    assert [session.scene[who].status.character_points for who in ("ann", "bob")] == [2, 2]
    asking: dict[str, Any] = {"situation": ["spend=true"], "other_situation": ["spend=true"]}
    later = contest({"character_points": 3}, {"character_points": 1}, what="agility", **asking)
    answer(later, [2, 2], [3, 3], "yes", [3], "yes", [2], "yes", [2])
    # 4 against 6; 7 against 6; 7 against 8; 9 against 8; the other has nothing left
    assert [line.result for line in events(later, "Checked")] == ["success", "failure"]
    assert [later.scene[who].status.character_points for who in ("ann", "bob")] == [1, 0]


@pytest.mark.rule("opend6.cp.max_per_roll")
def test_points_after_an_opposed_roll_count_with_those_before_it() -> None:
    given = {"situation": ["spend=true", "character_points=1"]}
    session = contest({"character_points": 9}, {}, {"challenge_level": "easy"}, what="agility", **given)
    assert session.playing is not None
    found = session.playing.calls[-1].named_arguments()
    assert (found["points"], found["initiator_points"], found["their_points"]) == (1, 1, 0)


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
