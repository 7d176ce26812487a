"""Fate Points of a character: the moral code, what is lost and what comes back, climactic spending."""

from __future__ import annotations

import pytest

from systems.opend6.people import LEDGER, OPTIONS, after, do, session_of, somebody
from systems.playing import answer
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.opend6.chapters.points import climactic_refused, experience, fate_refused
from tablewright.systems.opend6.character.record import FateSpent
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Moment


def fate(session: Session) -> int:
    found: int = session.scene["ann"].status.fate_points
    return found


@pytest.mark.rule("opend6.fate.moral_code")
def test_the_game_master_says_what_a_deed_is_worth() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=1)})
    do(session, "moral_deed", who="ann", deed="by_the_code", reason="saved a life", amount=2)
    assert fate(session) == 3
    session.do("opend6.moral_deed", who="ann", deed="against_the_code", reason="stole a purse")
    assert session.seat == "game master"
    answer(session, "1")
    assert fate(session) == 2
    do(session, "moral_deed", who="ann", deed="against_the_code", reason="burned the village", amount=9)
    assert fate(session) == 0  # never below none


@pytest.mark.rule("opend6.fate.moral_code")
def test_one_point_for_each_deed_where_the_table_has_it_so() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=1)}, OpenD6Options(award_per_event="one_point"))
    do(session, "moral_deed", who="ann", deed="by_the_code", reason="protected an innocent")
    assert fate(session) == 2
    do(session, "moral_deed", who="ann", deed="against_the_code", reason="took a life")
    do(session, "moral_deed", who="ann", deed="against_the_code", reason="took another")
    do(session, "moral_deed", who="ann", deed="against_the_code", reason="and another")
    assert fate(session) == 0
    assert LEDGER["opend6.fate.moral_code"].data["heroic_code"]["loses"]


@pytest.mark.rule("opend6.fate.loss_and_return")
def test_spent_fate_points_come_back_or_cost_more() -> None:
    spent = (FateSpent(on="dodge"), FateSpent(on="bluff"), FateSpent(on="climbing"), FateSpent(on="search"))
    session = session_of({"ann": somebody("Ann", fate_points=2, fate_spent=spent, climactic_used=True)})
    do(session, "judge_fate", who="ann", stance="against", place=2)
    assert fate(session) == 1
    do(session, "judge_fate", who="ann", stance="supports")
    do(session, "judge_fate", who="ann", stance="supports", place=1)
    do(session, "judge_fate", who="ann", stance="neutral", place=3)
    assert fate(session) == 1
    with pytest.raises(IllegalActionError, match="judged already"):
        do(session, "judge_fate", who="ann", stance="neutral", place=3)
    with pytest.raises(InvalidInputError):
        do(session, "judge_fate", who="ann", stance="neutral", place=5)
    do(session, "end_session", "yes", "no", who="ann")
    kept = after(session, "ann")
    assert (kept.fate_points, kept.fate_spent, kept.climactic_used) == (2, (), False)


@pytest.mark.rule("opend6.fate.loss_and_return")
def test_the_extra_charge_does_not_go_below_none() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=0, fate_spent=(FateSpent(on="bluff"),))})
    do(session, "judge_fate", who="ann", stance="against")
    assert fate(session) == 0


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat")
def test_climactic_spending_is_once_a_session_and_free_in_the_climax() -> None:
    fresh, used = somebody(fate_points=2), somebody(fate_points=2, climactic_used=True)
    scene = session_of({"fresh": fresh, "used": used}).scene

    def refusal(who: str, options: OpenD6Options = OPTIONS, *, climax: bool = False) -> str | None:
        moment: Moment = "climactic" if climax else "story"
        found = climactic_refused(scene[who].character, scene[who].status, options, moment=moment)
        return None if found is None else found.rule

    assert refusal("fresh") is None
    assert refusal("used") == "opend6.fate.climactic"
    assert refusal("used", climax=True) is None
    assert refusal("used", OpenD6Options(unlimited_in_climax=False), climax=True) == "opend6.fate.climactic"
    poor = session_of({"poor": somebody(fate_points=0)}).scene["poor"]
    found = climactic_refused(poor.character, poor.status, OPTIONS)
    assert found is not None
    assert found.rule == "opend6.points.limits"


@pytest.mark.rule("opend6.fate.climactic")
def test_in_a_climactic_round_every_roll_is_doubled_and_no_more() -> None:
    session = session_of({"ann": somebody("Ann", agility="3D+1", fate_points=1)})
    session.do("table.rule", who="ann", field="climactic", value="true", reason="the climax")
    subject = session.rulebook.subject(session.scene["ann"], session.scene)
    plan = session.rulebook.check("agility").read(subject, {})
    assert str(plan.call.named_arguments()["code"]) == "6D+2"
    with pytest.raises(IllegalActionError, match="only one Fate Point"):
        session.rulebook.check("agility").read(subject, {"fate_points": "1"})
    asked = session.rulebook.check("agility").read(subject, {"spend": "true"})
    assert asked.call.named_arguments()["fated"] == ()
    refused = climactic_refused(subject.character, subject.status, OPTIONS)
    assert refused is not None
    assert refused.rule == "opend6.fate.climactic"


@pytest.mark.rule("opend6.fate.experience_restrictions")
def test_tiers_of_experience() -> None:
    data = LEDGER["opend6.fate.experience_restrictions"].data
    assert (data["moderate"]["skill_dice"], data["high"]["skill_dice"]) == (6, 9)
    codes = {"agility": "5D", "dodge": "8D+2", "stealth": "9D", "climbing": "9D"}
    assert experience(somebody(**codes), OPTIONS) == "moderate"
    assert experience(somebody(**{**codes, "dodge": "9D"}), OPTIONS) == "high"
    assert experience(somebody(**{**codes, "dodge": "5D+2"}), OPTIONS) == ""
    assert fate_refused(somebody(), 1, OPTIONS) is None


@pytest.mark.rule("opend6.gap.creation.point_limit")
def test_there_is_no_limit_to_points() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=99_000, character_points=99_000)})
    do(session, "award", who="ann", character_points=900, fate_points=90)
    assert (fate(session), session.scene["ann"].status.character_points) == (99_090, 99_900)
