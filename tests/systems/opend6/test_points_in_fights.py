"""Character Points and Fate Points in fights: who is asked, how many may go on a roll, and when."""

from __future__ import annotations

import pytest

from systems.opend6.fights import FOE, MISS, begin, meeting, person
from systems.playing import answer, asked, last
from tablewright.engine import Choice, Playthrough, Roll, advise, odds
from tablewright.systems.opend6.mechanics.harm import resist
from tablewright.systems.opend6.mechanics.points import Mended, mend
from tablewright.systems.opend6.values import DieCode

C = DieCode.parse
RICH = person(character_points=3, fate_points=3)


@pytest.mark.rule("opend6.gap.points.asked", "opend6.cp.timing", "opend6.fate.timing")
@pytest.mark.parametrize("value", ["on_request", "always"])
def test_recipients_of_questions_about_points_in_a_fight(value: str) -> None:
    session = begin(RICH, FOE, options={"points.asked": value})
    answer(session, "1", "slash:b:short_sword")
    if value == "always":
        assert asked(session) == ("nothing", "1_points", "2_points", "3_points", "fate")
    else:
        assert isinstance(session.question, Roll)


@pytest.mark.rule("opend6.gap.points.asked")
def test_a_great_hoard_of_points_stops_no_fight() -> None:
    """Two awards of a thousand points were more than a roll has figures for, and every roll was refused."""
    session = begin(person(character_points=5_000, fate_points=5_000), FOE, options={"points.asked": "always"})
    answer(session, "1", "slash:b:short_sword")
    assert asked(session)[:2] == ("nothing", "1_points")
    assert session.scene["a"].status.character_points == 5_000


@pytest.mark.rule("opend6.fate.extra_on_one_roll", "opend6.fate.per_roll_limit")
@pytest.mark.parametrize(("stacking", "dice"), [("additive", 12), ("geometric", 16)])
def test_several_fate_points_on_one_roll_of_a_fight(stacking: str, dice: int) -> None:
    options = {"points.asked": "always", "fate.allow_stacking": True, "fate.stacking": stacking}
    session = begin(RICH, FOE, options=options)
    answer(session, "1", "slash:b:short_sword")
    assert asked(session)[-3:] == ("fate", "2_fate", "3_fate")
    answer(session, "2_fate", [2] * dice)
    assert session.scene["a"].status.fate_points == 1
    assert asked(session) == ("nothing", "fate")  # the last one may go on the damage


@pytest.mark.rule("opend6.fate.extra_on_one_roll")
def test_several_fate_points_resist_damage() -> None:
    blow = {"damage": 20, "resistance": C("3D"), "armour": C("1D"), "fate": 3}
    playing = Playthrough(resist(**blow, fate_stacking="additive"))
    assert isinstance(playing.question, Choice)
    assert playing.question.ids == ("0", "1", "2", "3")
    playing.choose(2)
    playing.type_in([2] * 10)  # three times Physique, once the armour
    assert playing.result.over == 0
    alone = Playthrough(resist(**blow))
    assert isinstance(alone.question, Choice)
    assert alone.question.ids == ("no", "yes")


@pytest.mark.rule("opend6.fate.experience_restrictions")
@pytest.mark.parametrize(
    ("dice", "moment", "may"),
    [
        ("5D", "ordinary", True),
        ("6D", "ordinary", False),
        ("6D", "story", True),
        ("9D", "story", False),
        ("9D", "climactic", True),
    ],
)
def test_experienced_people_spend_fate_only_where_it_matters(dice: str, moment: str, may: bool) -> None:
    skills = {"melee_combat": dice, "dodge": dice, "fighting": dice}
    options = {"points.asked": "always", "fate.experience_restriction": True}
    session = begin(person(RICH, skills=skills), FOE, options=options)
    session.do("opend6.set_moment", moment=moment)
    answer(session, "1", "slash:b:short_sword")
    assert ("fate" in asked(session)) is may


@pytest.mark.rule("opend6.fate.climax_repeat")
@pytest.mark.parametrize(("unlimited", "again"), [(True, True), (False, False)])
def test_in_the_climax_of_an_adventure_every_round_may_be_doubled(unlimited: bool, again: bool) -> None:
    session = begin(RICH, FOE, options={"fate.unlimited_in_climax": unlimited})
    session.do("opend6.set_moment", moment="climactic")
    answer(session, "1", "burn_fate", "stop", "1", "stop", "1")
    assert ("burn_fate" in asked(session)) is again


@pytest.mark.rule("opend6.points.limits")
def test_points_are_asked_for_of_anyone_who_minds_them() -> None:
    rich = person(character_points=3, fate_points=1)
    session = begin(rich, FOE)
    answer(session, "1", "use_points::yes", "slash:b:short_sword")
    assert asked(session) == ("nothing", "1_points", "2_points", "3_points", "fate")
    answer(session, "nothing", MISS, "no")
    assert session.scene["a"].status.character_points == 3
    spent = begin(rich, FOE)
    answer(
        spent,
        "1",
        "use_points::yes",
        "slash:b:short_sword",
        "fate",
        [2, 1, 1, 1, 1, 1, 1, 1],
        [3, 3, 3],
        "no",
        [5, 5, 5],
    )
    assert (spent.scene["a"].status.fate_points, last(spent, "Struck").hit) == (0, True)


@pytest.mark.rule("opend6.gap.points.asked", "opend6.cp.timing")
def test_a_player_can_switch_the_question_for_points_on_and_off() -> None:
    session = meeting(person(character_points=3), FOE)
    for wanted in (True, False):
        session.do("opend6.use_points", who="a", asked=wanted)
        assert session.scene["a"].status.spending is wanted


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize(
    ("deed", "faces"),
    [("dodge", [4, 4, 4, 4]), ("use_skill::acrobatics nobody total", [4, 4, 4, 4]), ("glance", [4, 4, 4])],
)
def test_without_a_difficulty_points_are_asked_for_until_a_character_declines(deed: str, faces: list[int]) -> None:
    rich = person(character_points=3, skills={"acrobatics": "4D"})
    session = begin(rich, FOE, options={"points.asked": "always"})
    answer(session, "1", *deed.split(), "nothing", faces)
    for _ in range(2):
        assert asked(session) == ("no", "yes")
        answer(session, "yes", [3])
    answer(session, "no")
    assert session.scene["a"].status.character_points == 1
    total = last(session, "Defended").defence.total if deed == "dodge" else int(last(session, "Checked").result)
    assert total == sum(faces) + 6


@pytest.mark.rule("opend6.cp.timing", "opend6.turn.interrupt")
@pytest.mark.parametrize(("faces", "missing"), [([5, 5, 5], 11), ([6, 5, 5, 5], 5)])
def test_a_defence_against_a_roll_that_is_made_reckons_with_it(faces: list[int], missing: int) -> None:
    session = begin(person(character_points=3), FOE, options={"points.asked": "always"})
    answer(session, "2", "wait", "1", "slash:a:short_sword", [5, 5, 5, 5], "dodge", "nothing", faces)
    assert isinstance(session.question, Choice)
    assert session.question.details["missing"] == missing  # 20 and one more, and 5 for point blank


@pytest.mark.rule("opend6.cp.timing")
def test_points_that_serve_nothing_any_more_are_kept_by_those_who_ask_for_advice() -> None:
    (told,) = advise(mend(0, 3, 0, 0, True), "thrifty").choices
    assert told.best.id == "no"
    assert odds(mend(0, 3, 0, 0, True), "thrifty")[Mended(0, 0, True)] == 1
    assert odds(mend(0, 3)) == odds(mend(0, 3, 0, 0, False))
