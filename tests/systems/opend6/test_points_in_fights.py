"""Character Points and Fate Points in fights: who is asked, how many may go on a roll, and when."""

from __future__ import annotations

import pytest

from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, meeting, person, pool
from systems.opend6.people import C
from systems.playing import answer, asked, last
from tablewright.engine import Choice, Playthrough, Roll, advise, odds
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.harm import resist
from tablewright.systems.opend6.mechanics.points import Mended, mend

RICH = person(character_points=3, fate_points=3)
ALWAYS = {"points.asked": "always"}


@pytest.mark.rule("opend6.gap.points.asked", "opend6.cp.timing", "opend6.points.limits")
def test_points_are_asked_for_where_the_table_or_the_player_wants_it() -> None:
    offered = ("nothing", "1_points", "2_points", "3_points", "fate")
    assert isinstance(answer(begin(RICH, FOE), "1", "slash:b:short_sword").question, Roll)
    assert asked(answer(begin(RICH, FOE, options=ALWAYS), "1", "slash:b:short_sword")) == offered
    session = answer(begin(RICH, FOE), "1", "use_points::yes", "slash:b:short_sword")
    assert asked(session) == offered
    answer(session, "nothing", MISS, "no")
    assert session.scene["a"].status.character_points == 3
    spent = answer(begin(RICH, FOE), "1", "use_points::yes", "slash:b:short_sword")
    answer(spent, "fate", [2, 1, 1, 1, 1, 1, 1, 1], "nothing", [3, 3, 3], "no", [5, 5, 5])
    assert (spent.scene["a"].status.fate_points, last(spent, "Struck").hit) == (2, True)
    outside = meeting(RICH, FOE)
    for wanted in (True, False):
        outside.do("opend6.use_points", who="a", asked=wanted)
        assert outside.scene["a"].status.spending is wanted


@pytest.mark.rule("opend6.gap.points.asked")
def test_a_great_hoard_of_points_stops_no_fight() -> None:
    """Two awards of a thousand points were more than a roll has figures for, and every roll was refused."""
    session = begin(person(character_points=5_000, fate_points=5_000), FOE, options=ALWAYS)
    assert asked(answer(session, "1", "slash:b:short_sword"))[:2] == ("nothing", "1_points")


@pytest.mark.rule("opend6.fate.extra_on_one_roll")
def test_several_fate_points_resist_damage() -> None:
    blow = {"damage": 20, "resistance": C("3D"), "armour": C("1D"), "fate": 3}
    playing = Playthrough(resist(**blow, fate_stacking="additive"))
    assert isinstance(playing.question, Choice)
    assert playing.question.ids == ("0", "1", "2", "3")
    playing.choose(2)
    playing.type_in([2] * 10)  # three times Physique, once the armour
    assert playing.result.over == 0
    alone = Playthrough(resist(**blow)).question
    assert isinstance(alone, Choice)
    assert alone.ids == ("no", "yes")


# ---------------------------------------------------------------------- a Fate Point for the whole round


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat", "opend6.fate.extra_on_one_roll")
def test_a_fate_point_for_the_whole_round_once_a_session() -> None:
    session = begin(person(fate_points=2), FOE)
    answer(session, "2", "burn_fate", "dodge", [3] * 7, "communicate")  # twice 4D, less one for two actions
    assert (session.scene["a"].status.fate_points, session.scene["a"].status.defence.total) == (1, 21)
    answer(session, "1", "stop", "1")
    assert not session.scene["a"].status.climactic
    assert "burn_fate" not in asked(session)
    over = answer(begin(person(fate_points=1), FOE, FOE), "1", "burn_fate")
    over.do("table.end", outcome="peace")
    assert not over.scene["a"].status.climactic
    for stacking, dice in ((False, "8D"), (True, "12D")):
        further = begin(person(fate_points=2), FOE, options=ALWAYS | {"fate.allow_stacking": stacking})
        answer(further, "1", "burn_fate", "slash:b:short_sword", *(["fate"] if stacking else []))
        assert pool(further) == dice


@pytest.mark.rule("opend6.fate.climax_repeat")
@pytest.mark.parametrize("unlimited", [True, False])
def test_in_the_climax_of_an_adventure_every_round_may_be_doubled(unlimited: bool) -> None:
    session = begin(RICH, FOE, options={"fate.unlimited_in_climax": unlimited})
    session.do("opend6.set_moment", moment="climactic")
    answer(session, "1", "burn_fate", "stop", "1", "stop", "1")
    assert ("burn_fate" in asked(session)) is unlimited


@pytest.mark.rule("opend6.fate.climax_repeat", "opend6.fate.climactic")
def test_in_the_climax_the_attacked_may_double_the_round_before_their_turn() -> None:
    slow = person(fate_points=1, attributes={"acumen": "1D"})
    session = begin(HERO, slow, options=ALWAYS)
    session.do("opend6.set_moment", moment="climactic")
    answer(session, "1", "slash:b:short_sword")
    assert (session.seat, asked(session)) == ("b", ("no", "yes"))
    answer(session, "yes", HIT, [3, 3, 3], [3] * 6)  # the resistance of 3D is doubled
    assert session.scene["b"].status.climactic
    assert session.scene["b"].status.wounds.level == "healthy"


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat", "opend6.turn.waiting")
def test_fate_for_the_whole_round_while_waiting_and_before_the_turn_has_come() -> None:
    rich = person(fate_points=2)
    session = answer(begin(rich, FOE), "2", "wait", "1", "slash:a:short_sword", [3, 3, 3, 3], "burn_fate")
    status = session.scene["a"].status
    assert (status.climactic, status.fate_points, status.waiting, status.left) == (True, 1, True, 1)
    late = begin(FOE, person(rich, attributes={"acumen": "1D"}))
    late.do("opend6.burn_fate", who="b")
    assert (late.scene["b"].status.climactic, late.scene["b"].status.fate_points) == (True, 1)
    with pytest.raises(IllegalActionError, match="doubled already"):
        late.do("opend6.burn_fate", who="b")
    with pytest.raises(IllegalActionError, match="no round"):
        meeting(rich, FOE).do("opend6.burn_fate", who="a")


@pytest.mark.rule("opend6.fate.extra_on_one_roll", "opend6.fate.per_roll_limit")
@pytest.mark.parametrize(("stacking", "dice"), [("additive", 12), ("geometric", 16)])
def test_several_fate_points_on_one_roll_of_a_fight(stacking: str, dice: int) -> None:
    options = {"points.asked": "always", "fate.allow_stacking": True, "fate.stacking": stacking}
    session = answer(begin(RICH, FOE, options=options), "1", "slash:b:short_sword")
    assert asked(session)[-3:] == ("fate", "2_fate", "3_fate")
    answer(session, "2_fate", [2] * dice)
    assert session.scene["a"].status.fate_points == 1
    assert asked(session) == ("nothing", "fate")  # the last one may go on the damage


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


@pytest.mark.rule("opend6.cp.timing")
@pytest.mark.parametrize(
    ("deed", "faces"),
    [("dodge", [4, 4, 4, 4]), ("use_skill::acrobatics nobody total", [4, 4, 4, 4]), ("glance", [4, 4, 4])],
)
def test_without_a_difficulty_points_are_asked_for_until_a_character_declines(deed: str, faces: list[int]) -> None:
    rich = person(character_points=3, skills={"acrobatics": "4D"})
    session = answer(begin(rich, FOE, options={"points.asked": "always"}), "1", *deed.split(), "nothing", faces)
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


@pytest.mark.rule("opend6.points.no_mixing", "opend6.fate.climactic", "opend6.cp.timing")
@pytest.mark.parametrize("mixing", [False, True])
def test_no_character_points_on_rolls_that_a_climactic_fate_point_doubles(mixing: bool) -> None:
    options = {"points.asked": "always", "points.allow_mixing": mixing}
    session = begin(person(character_points=3, fate_points=1), FOE, options=options)
    answer(session, "1", "burn_fate", "slash:b:short_sword")
    assert isinstance(session.question, Roll) is not mixing
    if not mixing:
        answer(session, [2] * 8, [2] * 5)  # hits, and Strength Damage is doubled: 4D and 1D+2
        assert isinstance(session.question, Roll)  # the resistance: no one was asked for more damage
    blow = {"code": C("2D"), "damage": C("2D"), "resistance": C("3D"), "allow_mixing": mixing}
    mine = Playthrough(attack(**blow, difficulty=15, doubled=True, points=3))
    assert isinstance(mine.question, Roll) is not mixing
    theirs = Playthrough(attack(**blow, difficulty=3, their_doubled=True, their_points=3))
    for faces in ([2, 2], [5, 5], [2, 1, 1, 1, 1, 1]):  # 10 and one against 7
        theirs.type_in(faces)
    assert (theirs.question is None) is not mixing


@pytest.mark.rule("opend6.cp.timing", "opend6.initiative.points")
def test_character_points_go_on_initiative_before_and_after_the_roll() -> None:
    options = {"initiative.method": "roll_each_round", "points.asked": "always"}
    session = answer(begin(person(character_points=4), FOE, options=options), "1", [2, 2, 2, 5], "yes", [6, 3], "no")
    status = session.scene["a"].status
    assert (status.initiative, status.character_points) == (2 + 2 + 2 + 5 + 6 + 3, 2)
