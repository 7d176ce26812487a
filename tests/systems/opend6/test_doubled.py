"""Abilities that a Fate Point doubles, in checks as in fights, and points in tasks of several steps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.fights import FOE, begin
from systems.opend6.fights import person as fighter
from systems.opend6.people import C, arguments, do, planned, session_of, somebody
from systems.playing import answer
from tablewright.engine import Trace, odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.checks import Contender
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.record import OpenD6Character, OwnAbility
from tablewright.systems.opend6.mechanics.checks import attempt
from tablewright.systems.opend6.mechanics.points import Aimed
from tablewright.systems.opend6.options import OpenD6Options

BONUS = (OwnAbility(id="skill_bonus", ranks=4, skills=("acrobatics", "climbing", "jumping")),)
STACKED = OpenD6Options(allow_stacking=True)
TWICE_AND_TWICE = OpenD6Options(allow_stacking=True, stacking="geometric")


def nimble(**more: Any) -> OpenD6Character:
    """A character with a Skill Bonus."""
    return somebody("Ann", agility="3D", acrobatics="4D", abilities=BONUS, fate_points=3, **more)


def total_bonus(character: OpenD6Character, options: OpenD6Options = STACKED, **situation: Any) -> int:
    """The number on the total of a check."""
    return int(arguments(planned(character, "acrobatics", options, **situation))["bonus"])


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_a_fate_point_doubles_what_abilities_add() -> None:
    assert [total_bonus(nimble(), fate_points=points) for points in (0, 1, 2)] == [4, 8, 12]
    assert total_bonus(nimble(), TWICE_AND_TWICE, fate_points=2) == 16
    assert total_bonus(nimble(), fate_points=1, bonus=3) == 11  # what comes from outside is added once
    told = planned(nimble(), "acrobatics", fate_points=1, bonus=3)
    assert told.tallies["added"].total == 11


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_a_character_who_is_asked_for_fate_points_sees_what_each_of_them_adds() -> None:
    asked = arguments(planned(nimble(), "acrobatics", STACKED, spend=True))
    assert (asked["bonus"], asked["fated"], asked["fated_bonus"]) == (4, (C("8D"), C("12D"), C("16D")), (8, 12, 16))


@pytest.mark.rule("opend6.fate.external_not_doubled")
@pytest.mark.parametrize(("fated_bonus", "faces"), [((8,), 5), ((7,), 4), ((4, 99), 1), ((), 1)])
def test_an_attempt_counts_the_number_that_goes_with_the_fate_points(fated_bonus: tuple[int, ...], faces: int) -> None:
    found = odds(attempt(None, 10, (C("1D"),), bonus=4, fated_bonus=fated_bonus))
    assert found.chance(lambda result: result.success) == Fraction(faces, 6)


@pytest.mark.rule("opend6.fate.external_not_doubled", "opend6.fate.climactic")
def test_fights_and_checks_double_the_same() -> None:
    abilities = [{"id": "skill_bonus", "ranks": 4, "skills": ["acrobatics", "climbing", "jumping"]}]
    hero = fighter(skills={"acrobatics": "4D"}, abilities=abilities, fate_points=2)
    session = begin(hero, FOE, options={"points.asked": "always"})
    answer(session, "1", "use_skill::acrobatics", "nobody", "total", "fate", [2] * 8)
    (rolled,) = [line.result for line in session.log if isinstance(line, Trace) and isinstance(line.result, Aimed)]
    check = planned(nimble(), "acrobatics", fate_points=1)
    assert rolled.total == 2 * 8 + arguments(check)["bonus"]
    burning = begin(hero, FOE)
    answer(burning, "1", "burn_fate")
    one = rulebook.subject(burning.scene["a"], burning.scene)
    inside = rulebook.check("acrobatics").read(one, {})
    assert (arguments(inside)["code"], arguments(inside)["bonus"]) == (C("8D"), 8)


@pytest.mark.rule("opend6.fate.external_not_doubled")
def test_both_sides_of_a_contest_double_what_abilities_add() -> None:
    people = {"a": nimble(), "b": nimble()}
    session = session_of(people)
    sides = []
    for who, words in (("a", {"fate_points": "1"}), ("b", {})):
        subject = rulebook.subject(session.scene[who], session.scene)
        sides.append(rulebook.check("acrobatics").contender(subject, words))
    one, other = sides
    assert isinstance(one, Contender)
    against = rulebook.check("acrobatics").against
    assert against is not None
    plan = against(one, other)
    assert (arguments(plan)["initiator_bonus"], arguments(plan)["resister_bonus"]) == (8, 4)


@pytest.mark.rule("opend6.gap.ability.increased_attribute", "opend6.skill.alternate_attribute")
@pytest.mark.parametrize(("attribute", "usual", "by_physique"), [("agility", 5, 0), ("physique", 0, 5)])
def test_an_increased_attribute_counts_for_what_rests_on_it(attribute: Any, usual: int, by_physique: int) -> None:
    ann = somebody(
        "Ann", climbing="4D", abilities=(OwnAbility(id="increased_attribute", ranks=5, attribute=attribute),)
    )
    assert arguments(planned(ann, "climbing"))["bonus"] == usual
    assert arguments(planned(ann, "climbing", attribute="physique"))["bonus"] == by_physique
    assert arguments(planned(ann, attribute))["bonus"] == 5


# ---------------------------------------------------------------------- tasks in several steps


def thief(**more: Any) -> OpenD6Character:
    """A character who opens locks, with points."""
    return somebody("Ann", coordination="3D", lockpicking="4D", character_points=5, fate_points=1, **more)


def trying(*words: str, character: OpenD6Character | None = None, options: OpenD6Options | None = None) -> Any:
    """Ann tries a task in a situation."""
    session = session_of({"ann": character or thief()}, options or OpenD6Options())
    session.do("opend6.try_task", who="ann", what="lockpicking", task="a lock", situation=list(words))
    return session


@pytest.mark.rule("opend6.cp.extra_wild_die", "opend6.fate.double")
def test_points_in_a_task_are_rolled_and_paid() -> None:
    fated = trying("fate_points=1")
    answer(fated, [2] * 8)
    assert (fated.result.result_points, fated.scene["ann"].status.fate_points) == (1, 0)
    paid = trying("character_points=2")
    answer(paid, [2] * 6)
    assert (paid.result.result_points, paid.scene["ann"].status.character_points) == (-3, 3)
    with pytest.raises(IllegalActionError, match="same roll"):
        trying("character_points=2", "fate_points=1")


@pytest.mark.rule("opend6.wild.critical_failure")
def test_a_task_may_have_its_own_consequence_of_a_critical_failure() -> None:
    usual, complicated = trying(), trying("critical_failure=complication")
    for session, points in ((usual, -3), (complicated, 4)):
        answer(session, [1, 6, 6, 6], *(["now"] if session is complicated else []))
        assert session.result.result_points == points


@pytest.mark.rule("opend6.special.wild_die_only")
def test_a_task_cannot_be_tried_with_the_wild_die_alone() -> None:
    with pytest.raises(IllegalActionError, match="no result points"):
        trying("wild_die_only=yes", options=OpenD6Options(wild_die_only="gm_choice"))


@pytest.mark.rule("opend6.gap.equipment.tools")
def test_a_related_skill_uses_up_its_tools_and_is_doubled_in_a_climactic_round() -> None:
    pack = (ItemStack("healers_pack", left=2),)
    ann = somebody("Ann", intellect="3D", healing="4D", belongings=pack, fate_points=1)
    session = session_of({"ann": ann})
    do(session, "related_check", [2] * 4, who="ann", related="healing", what="intellect")
    assert session.scene["ann"].status.belongings[0].left == 1
    assert session.scene["ann"].status.used == ("healing",)


@pytest.mark.rule("opend6.points.no_mixing", "opend6.fate.climactic")
@pytest.mark.parametrize("mixing", [False, True])
def test_nobody_is_asked_for_character_points_on_a_check_that_is_doubled_already(mixing: bool) -> None:
    rich = fighter(skills={"acrobatics": "4D"}, fate_points=1, character_points=3)
    burning = begin(rich, FOE, options={"points.allow_mixing": mixing})
    answer(burning, "1", "burn_fate")
    one = rulebook.subject(burning.scene["a"], burning.scene)
    asked = arguments(rulebook.check("acrobatics").read(one, {"spend": "yes"}))
    assert asked["character_points"] == (3 if mixing else 0)


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing")
@pytest.mark.parametrize("word", ["fate_points", "character_points"])
def test_points_are_said_beforehand_or_asked_for(word: str) -> None:
    said: dict[str, Any] = {word: 1}
    with pytest.raises(InvalidInputError, match="let spend ask for them"):
        planned(nimble(), "acrobatics", spend=True, **said)
