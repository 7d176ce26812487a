"""Character Points and Fate Points outside fights: what may be spent on checks, what they double, what comes back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, begin
from systems.opend6.fights import person as fighter
from systems.opend6.people import LEDGER, OPTIONS, C, after, arguments, do, planned, refused, session_of, somebody
from systems.playing import answer
from tablewright.engine import Trace, odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.chapters.points import climactic_refused, experience, fate_refused
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, OwnAbility
from tablewright.systems.opend6.mechanics.checks import attempt
from tablewright.systems.opend6.mechanics.points import Aimed
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Moment

STACKED = OpenD6Options(allow_stacking=True)
GEOMETRIC = OpenD6Options(allow_stacking=True, stacking="geometric")
RICH = somebody(character_points=9, fate_points=2)


def fate(session: Session) -> int:
    """The Fate Points that Ann has."""
    found: int = session.scene["ann"].status.fate_points
    return found


# ---------------------------------------------------------------------- on checks


@pytest.mark.rule("opend6.points.limits", "opend6.cp.max_per_roll", "opend6.points.no_mixing")
def test_points_named_beforehand() -> None:
    assert arguments(planned(RICH, "agility", character_points=5))["character_points"] == 5
    refused("cp.max_per_roll", RICH, "agility", character_points=6)
    refused("cp.max_per_roll", RICH, "agility", OpenD6Options(challenge_level="easy"), character_points=3)
    shaking = OpenD6Options(challenge_level="universe_shaking")
    assert arguments(planned(RICH, "agility", shaking, character_points=9))["character_points"] == 9
    refused("points.limits", RICH, "agility", character_points=10)
    refused("points.limits", somebody(fate_points=0), "agility", fate_points=1)
    refused("points.no_mixing", RICH, "agility", character_points=1, fate_points=1)
    mixed = arguments(planned(RICH, "agility", OpenD6Options(allow_mixing=True), character_points=1, fate_points=1))
    assert (mixed["code"], mixed["character_points"]) == (C("4D"), 1)


@pytest.mark.rule("opend6.fate.per_roll_limit", "opend6.fate.extra_on_one_roll", "opend6.check.roll_assembly")
def test_fate_points_on_one_roll() -> None:
    fated = somebody(fate_points=3)
    refused("fate.per_roll_limit", fated, "agility", fate_points=2)
    for options, points, code in ((OPTIONS, 1, "4D"), (STACKED, 2, "6D"), (GEOMETRIC, 2, "8D")):
        assert arguments(planned(fated, "agility", options, fate_points=points))["code"] == C(code)
    assert arguments(planned(fated, "agility", spend=True))["fated"] == (C("4D"),)
    assert arguments(planned(fated, "agility", STACKED, spend=True))["fated"] == (C("4D"), C("6D"), C("8D"))


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing")
@pytest.mark.parametrize("word", ["fate_points", "character_points"])
def test_points_are_said_beforehand_or_asked_for(word: str) -> None:
    said: dict[str, Any] = {word: 1}
    with pytest.raises(InvalidInputError, match="let spend ask for them"):
        planned(RICH, "acrobatics", spend=True, **said)


@pytest.mark.rule("opend6.fate.experience_restrictions")
def test_experienced_characters_keep_fate_points_for_what_matters() -> None:
    data = LEDGER["opend6.fate.experience_restrictions"].data
    assert (data["moderate"]["skill_dice"], data["high"]["skill_dice"]) == (6, 9)
    moderate = somebody(agility="3D", dodge="6D", stealth="6D+2", climbing="6D")
    nearly = somebody(agility="3D", dodge="6D", stealth="6D+2", climbing="5D+2")
    high = somebody(agility="3D", dodge="9D", stealth="9D", climbing="9D")
    assert [experience(one, OPTIONS) for one in (nearly, moderate, high)] == ["", "moderate", "high"]
    assert experience(high.changed(skills=high.skills.put("dodge", C("8D+2"))), OPTIONS) == "moderate"
    assert fate_refused(somebody(), 1, OPTIONS) is None

    def strict(**more: Any) -> OpenD6Options:
        return OpenD6Options(experience_restriction=True, **more)

    refused("fate.experience_restrictions", moderate, "agility", strict(), fate_points=1)
    refused("fate.experience_restrictions", high, "agility", strict(), fate_points=1, moment="story")
    one = somebody(agility="3D", dodge="6D")
    refused("fate.experience_restrictions", one, "agility", strict(several_skills=1), fate_points=1)
    allowed: list[tuple[OpenD6Character, OpenD6Options, dict[str, Any]]] = [
        (moderate, strict(), {"moment": "story"}),
        (moderate, OPTIONS, {}),
        (nearly, strict(), {}),
        (moderate, strict(several_skills=4), {}),
        (high, strict(), {"moment": "climactic"}),
        (high, strict(several_skills=20), {}),
    ]
    for character, options, moment in allowed:
        assert arguments(planned(character, "agility", options, fate_points=1, **moment))["code"] == C("6D")
    assert arguments(planned(high, "agility", strict(), spend=True))["fated"] == ()


@pytest.mark.rule("opend6.cp.spent_and_earned", "opend6.gap.creation.point_limit", "opend6.check.roll_assembly")
def test_points_that_were_spent_are_gone_and_there_is_no_limit_to_them() -> None:
    session = session_of({"ann": somebody("Ann", character_points=4, fate_points=1)})
    for words in ("character_points=2", "fate_points=1"):
        session.do("table.check", who="ann", what="agility", situation=[words])
        session.roll()
    kept = after(session, "ann")
    assert (kept.character_points, kept.fate_points, [spent.on for spent in kept.fate_spent]) == (2, 0, ["agility"])
    asked = session_of({"ann": somebody("Ann", character_points=2, fate_points=0)})
    asked.do("table.check", who="ann", what="agility", situation=["spend=true", "difficulty=30"])
    answer(asked, "1", [2, 3, 4], "yes", [5])
    assert after(asked, "ann").character_points == 0
    rich = session_of({"ann": somebody("Ann", fate_points=99_000, character_points=99_000)})
    do(rich, "award", who="ann", character_points=900, fate_points=90)
    assert (fate(rich), rich.scene["ann"].status.character_points) == (99_090, 99_900)


# ---------------------------------------------------------------------- what a Fate Point doubles


def nimble(**more: Any) -> OpenD6Character:
    """A character with a Skill Bonus."""
    bonus = (OwnAbility(id="skill_bonus", ranks=4, skills=("acrobatics", "climbing", "jumping")),)
    return somebody("Ann", agility="3D", acrobatics="4D", abilities=bonus, fate_points=3, **more)


@pytest.mark.rule("opend6.fate.external_not_doubled")
@each_case(
    ("options", "situation", "bonus"),
    [
        (STACKED, {"fate_points": 0}, 4),
        (STACKED, {"fate_points": 1}, 8),
        (STACKED, {"fate_points": 2}, 12),
        (GEOMETRIC, {"fate_points": 2}, 16),
        (OPTIONS, {"fate_points": 1, "bonus": 3}, 11),  # what comes from outside is added once
    ],
)
def test_a_fate_point_doubles_what_abilities_add(options: OpenD6Options, situation: dict[str, Any], bonus: int) -> None:
    plan = planned(nimble(), "acrobatics", options, **situation)
    assert arguments(plan)["bonus"] == plan.tallies["added"].total == bonus
    asked = arguments(planned(nimble(), "acrobatics", STACKED, spend=True))
    assert (asked["bonus"], asked["fated"], asked["fated_bonus"]) == (4, (C("8D"), C("12D"), C("16D")), (8, 12, 16))


@pytest.mark.rule("opend6.fate.external_not_doubled")
@each_case(("fated_bonus", "faces"), [((8,), 5), ((7,), 4), ((4, 99), 1), ((), 1)])
def test_an_attempt_counts_the_number_that_goes_with_the_fate_points(fated_bonus: tuple[int, ...], faces: int) -> None:
    found = odds(attempt(None, 10, (C("1D"),), bonus=4, fated_bonus=fated_bonus))
    assert found.chance(lambda result: result.success) == Fraction(faces, 6)


@pytest.mark.rule("opend6.fate.external_not_doubled", "opend6.fate.climactic")
def test_fights_checks_and_contests_double_the_same() -> None:
    abilities = [{"id": "skill_bonus", "ranks": 4, "skills": ["acrobatics", "climbing", "jumping"]}]
    hero = fighter(skills={"acrobatics": "4D"}, abilities=abilities, fate_points=2)
    session = begin(hero, FOE, options={"points.asked": "always"})
    answer(session, "1", "use_skill::acrobatics", "nobody", "total", "fate", [2] * 8)
    (rolled,) = [line.result for line in session.log if isinstance(line, Trace) and isinstance(line.result, Aimed)]
    assert rolled.total == 2 * 8 + 8
    burning = answer(begin(hero, FOE), "1", "burn_fate")
    check = rulebook.check("acrobatics")
    inside = arguments(check.read(rulebook.subject(burning.scene["a"], burning.scene), {}))
    assert (inside["code"], inside["bonus"]) == (C("8D"), 8)
    two = session_of({"a": nimble(), "b": nimble()})
    assert check.against is not None
    one, other = [
        check.contender(rulebook.subject(two.scene[who], two.scene), words)
        for who, words in (("a", {"fate_points": "1"}), ("b", {}))
    ]
    plan = arguments(check.against(one, other))
    assert (plan["initiator_bonus"], plan["resister_bonus"]) == (8, 4)


# ---------------------------------------------------------------------- climactic spending


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat", "opend6.points.limits")
@each_case(
    ("points", "used", "unlimited", "climax", "rule"),
    [
        (2, False, True, False, None),
        (2, True, True, False, "opend6.fate.climactic"),
        (2, True, True, True, None),
        (2, True, False, True, "opend6.fate.climactic"),
        (0, False, True, False, "opend6.points.limits"),
    ],
)
def test_climactic_spending_is_once_a_session_and_free_in_the_climax(
    points: int, used: bool, unlimited: bool, climax: bool, rule: str | None
) -> None:
    one = session_of({"ann": somebody(fate_points=points, climactic_used=used)}).scene["ann"]
    moment: Moment = "climactic" if climax else "story"
    found = climactic_refused(one.character, one.status, OpenD6Options(unlimited_in_climax=unlimited), moment=moment)
    assert (found and found.rule) == rule


@pytest.mark.rule("opend6.fate.climactic")
def test_in_a_climactic_round_every_roll_is_doubled_and_no_more() -> None:
    session = session_of({"ann": somebody("Ann", agility="3D+1", fate_points=1)})
    session.do("table.rule", who="ann", field="climactic", value="true", reason="the climax")
    subject, check = rulebook.subject(session.scene["ann"], session.scene), rulebook.check("agility")
    assert str(arguments(check.read(subject, {}))["code"]) == "6D+2"
    with pytest.raises(IllegalActionError, match="only one Fate Point"):
        check.read(subject, {"fate_points": "1"})
    assert arguments(check.read(subject, {"spend": "true"}))["fated"] == ()
    found = climactic_refused(subject.character, subject.status, OPTIONS)
    assert found is not None
    assert found.rule == "opend6.fate.climactic"


@pytest.mark.rule("opend6.points.no_mixing", "opend6.fate.climactic")
@pytest.mark.parametrize("mixing", [False, True])
def test_nobody_is_asked_for_character_points_on_a_check_that_is_doubled_already(mixing: bool) -> None:
    rich = fighter(skills={"acrobatics": "4D"}, fate_points=1, character_points=3)
    burning = answer(begin(rich, FOE, options={"points.allow_mixing": mixing}), "1", "burn_fate")
    one = rulebook.subject(burning.scene["a"], burning.scene)
    asked = arguments(rulebook.check("acrobatics").read(one, {"spend": "yes"}))
    assert asked["character_points"] == (3 if mixing else 0)


# ---------------------------------------------------------------------- what is lost and what comes back


@pytest.mark.rule("opend6.fate.moral_code")
def test_the_game_master_says_what_a_deed_is_worth() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=1)})
    do(session, "moral_deed", who="ann", deed="by_the_code", reason="saved a life", amount=2)
    assert fate(session) == 3
    session.do("opend6.moral_deed", who="ann", deed="against_the_code", reason="stole a purse")
    assert session.seat == "game master"
    assert "for Ann" in session.question.question  # type: ignore[union-attr]
    answer(session, "1")
    assert fate(session) == 2
    do(session, "moral_deed", who="ann", deed="against_the_code", reason="burned the village", amount=9)
    assert fate(session) == 0  # never below none


@pytest.mark.rule("opend6.fate.moral_code")
def test_one_point_for_each_deed_where_the_table_has_it_so() -> None:
    session = session_of({"ann": somebody("Ann", fate_points=1)}, OpenD6Options(award_per_event="one_point"))
    for deed, left in (("by_the_code", 2), ("against_the_code", 1), ("against_the_code", 0), ("against_the_code", 0)):
        do(session, "moral_deed", who="ann", deed=deed, reason="a deed")
        assert fate(session) == left


@pytest.mark.rule("opend6.fate.loss_and_return")
def test_spent_fate_points_come_back_or_cost_more() -> None:
    spent = tuple([FateSpent(on=skill) for skill in ("dodge", "bluff", "climbing", "search")])
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
    poor = session_of({"ann": somebody("Ann", fate_points=0, fate_spent=(FateSpent(on="bluff"),))})
    assert fate(do(poor, "judge_fate", who="ann", stance="against")) == 0  # no one pays more than there is
