"""Getting better and being hurt outside fights: rest, care, rescue, hazards, things that break."""

from __future__ import annotations

from fractions import Fraction

import pytest

from systems.opend6.fights import FOE, HERO, HIT, begin, meeting, person
from systems.playing import answer, last
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.mechanics.harm import NATURALLY, break_object, natural_healing, points_of, regained
from tablewright.systems.opend6.recovery import CARED
from tablewright.systems.opend6.status import level
from tablewright.systems.opend6.values import DieCode

C = DieCode.parse
LEDGER = Ledger.load("opend6")
POINTS = {"injury.system": "body_points"}


def patient(**wounds: object) -> dict[str, object]:
    return person(wounds=wounds, body_points=30)


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
@pytest.mark.parametrize("wound", list(NATURALLY))
def test_rest_heals_by_a_physique_roll(wound: str) -> None:
    row = LEDGER["opend6.gap.healing.natural_wounds"].data[wound]
    rest = NATURALLY[wound]
    assert (rest.days, rest.heals_at, rest.better) == (row["days"], row["heals_at"], row["to"])
    low, high = [3, 2] if rest.heals_at == 6 else [3, 4], [3, 3] if rest.heals_at == 6 else [4, 4]
    assert play(natural_healing(C("2D"), wound), TypedDice(low)).result == wound
    assert play(natural_healing(C("2D"), wound), TypedDice(high)).result == rest.better
    worse = {"wounded": "severely_wounded", "severely_wounded": "incapacitated"}
    worse |= {"incapacitated": "mortally_wounded", "mortally_wounded": "dead"}
    assert play(natural_healing(C("2D"), wound), TypedDice([1, 6])).result == worse[wound]


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_days_of_rest_one_by_one_or_at_once() -> None:
    once, daily = meeting(patient(level="wounded"), HERO), meeting(patient(level="wounded"), HERO)
    once.do("opend6.rest", who="a", days=3)
    answer(once, [3, 3, 3])
    for _ in range(2):
        daily.do("opend6.rest", who="a", days=1)
    assert level(daily.scene, "a") == "wounded"
    daily.do("opend6.rest", who="a", days=1)
    answer(daily, [3, 3, 3])
    assert level(once.scene, "a") == level(daily.scene, "a") == "healthy"
    assert once.scene.clock.now == daily.scene.clock.now == 3 * 86_400
    stunned = meeting(patient(level="stunned"), HERO)
    stunned.do("opend6.rest", who="a", days=1)
    assert level(stunned.scene, "a") == "healthy"


@pytest.mark.rule("opend6.gap.healing.body_points")
def test_the_table_of_body_points_regained() -> None:
    for least, given in LEDGER["opend6.gap.healing.body_points"].data.items():
        number = int(least)
        code = DieCode(0, 2) if given == "2" else DieCode(0) if given == "0" else C(given)
        shown = play(regained(C("1D"), number - 3), TypedDice([3, *[4] * code.dice])).result
        assert shown == (4 * code.dice if code.dice else code.pips)
    assert play(points_of(C("1D")), TypedDice([1])).result == 1


@pytest.mark.rule("opend6.gap.healing.natural_body_points")
@pytest.mark.parametrize(("activity", "dice"), [("full_rest", 4), ("light_activity", 3), ("strenuous", 2)])
def test_body_points_come_back_once_a_day(activity: str, dice: int) -> None:
    session = meeting(patient(body_points=10), HERO, options=POINTS)
    session.do("opend6.rest", who="a", days=1, activity=activity)
    answer(session, [2] * dice, *([[5]] if dice > 2 else []))
    assert session.scene["a"].status.wounds.body_points == 10 + (5 if dice > 2 else 2)


@pytest.mark.rule("opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize("wound", [wound for wound in CARED if wound not in ("unconscious", "mortally_wounded")])
def test_care_gives_one_level_and_once_a_day(wound: str) -> None:
    needed = LEDGER["opend6.gap.healing.assisted_wounds"].data[wound]
    after = {
        "stunned": "healthy",
        "wounded": "stunned",
        "severely_wounded": "wounded",
        "incapacitated": "severely_wounded",
    }
    healer = person(skills={"healing": "5D"})
    session = meeting(patient(level=wound), healer)
    session.do("opend6.treat", who="a", healer="b")
    faces = {10: [2, 2, 2, 2, 2], 15: [3, 3, 3, 3, 3], 20: [4, 4, 4, 4, 4]}[needed]
    answer(session, faces)
    assert level(session.scene, "a") == after[wound]
    if after[wound] != "healthy":
        with pytest.raises(IllegalActionError, match="today"):
            session.do("opend6.treat", who="a", healer="b")
    short = meeting(patient(level=wound), healer)
    short.do("opend6.treat", who="a", healer="b")
    answer(short, [*faces[:-1], faces[-1] - 1])
    assert level(short.scene, "a") == wound


@pytest.mark.rule("opend6.gap.healing.assisted_body_points")
def test_care_gives_body_points() -> None:
    session = meeting(patient(body_points=10), person(skills={"healing": "4D"}), options=POINTS)
    session.do("opend6.treat", who="a", healer="b")
    answer(session, [3, 3, 3, 3], [4, 5])  # 12: 2D
    assert session.scene["a"].status.wounds.body_points == 19


@pytest.mark.rule("opend6.gap.wound.dying_rescue")
@pytest.mark.parametrize(("minutes", "dice"), [(0, 0), (4, 0), (5, 1), (10, 1), (11, 2), (15, 2)])
def test_rescue_costs_more_the_later_it_comes(minutes: int, dice: int) -> None:
    session = meeting(patient(level="mortally_wounded", dying_minutes=minutes), person(skills={"healing": "6D"}))
    session.do("opend6.treat", who="a", healer="b")
    answer(session, [5, 4, 4, 4, 4, 4])
    if dice:
        answer(session, [5, 5, 5])
    assert (level(session.scene, "a"), last(session, "Rescued").dice) == ("incapacitated", dice)
    assert session.scene["a"].status.wounds.weakened == dice
    dodge = figures(session.scene["a"].character, session.scene.library).codes["dodge"]
    assert dodge.in_pips == (9 if dice else 12)  # one die above the attribute is all there is to lose
    if dice:
        late = meeting(patient(level="mortally_wounded", dying_minutes=minutes), person(skills={"healing": "6D"}))
        late.do("opend6.treat", who="a", healer="b")
        answer(late, [5, 4, 4, 4, 4, 4], [2, 1, 1])
        assert level(late.scene, "a") == "dead"


@pytest.mark.rule("opend6.gap.wound.incapacitated")
def test_the_unconscious_wake_by_the_clock() -> None:
    session = meeting(patient(level="incapacitated", unconscious=3), HERO)
    session.do("opend6.hazard", who="a", what="torch_fire")
    answer(session, [2], [5, 5, 5])
    session.do("table.pass_time", amount="4 minutes")
    assert session.scene["a"].status.wounds.unconscious == 0


@pytest.mark.rule("opend6.gap.damage.hazards")
@pytest.mark.parametrize("what", ["torch_fire", "extreme_cold", "strong_acid", "botulism", "nightshade", "fall"])
def test_hazards_do_their_damage(what: str) -> None:
    code = C(LEDGER["opend6.gap.damage.hazards"].data[what])
    session = meeting(HERO | {"body_points": 60}, HERO, options=POINTS)
    times = 1
    if what == "fall":
        times = 4
        session.do("opend6.hazard", who="a", what=what, metres=6)
    else:
        session.do("opend6.hazard", who="a", what=what)
    if what == "nightshade":
        assert session.question is None
        session.do("table.pass_time", amount="1 hours")
    answer(session, [3] * code.dice * times)
    assert session.scene["a"].status.wounds.body_points == 60 - (3 * code.dice + code.pips) * times


@pytest.mark.rule("opend6.gap.damage.hazards")
def test_short_falls_do_nothing_and_acrobatics_help() -> None:
    nimble = person(attributes={"agility": "2D"}, skills={"acrobatics": "3D"}, body_points=60)
    session = meeting(nimble, HERO, options=POINTS)
    session.do("opend6.hazard", who="a", what="fall", metres=2)
    assert session.question is None
    session.do("opend6.hazard", who="a", what="fall", metres=3, acrobatics=True)
    answer(session, [5, 5, 5], [3, 3])  # 15 against 10: two less
    assert session.scene["a"].status.wounds.body_points == 60 - 4


@pytest.mark.rule("opend6.untrained.modifier", "opend6.gap.damage.hazards")
@pytest.mark.parametrize(("faces", "less"), [([5, 5, 4], 0), ([5, 5, 5], 1)])
def test_a_fall_is_harder_to_break_without_acrobatics(faces: list[int], less: int) -> None:
    session = meeting(HERO | {"body_points": 60}, HERO, options=POINTS)
    session.do("opend6.hazard", who="a", what="fall", metres=3, acrobatics=True)
    answer(session, faces, [3, 3])  # against 15
    assert session.scene["a"].status.wounds.body_points == 60 - 6 + less


@pytest.mark.rule("opend6.untrained.modifier", "opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize(("faces", "helped"), [([5, 5, 5, 5], True), ([5, 5, 5, 4], False)])
def test_care_is_harder_without_the_skill(faces: list[int], helped: bool) -> None:
    session = meeting(patient(level="wounded"), person(attributes={"intellect": "4D"}))
    session.do("opend6.treat", who="a", healer="b")
    answer(session, faces)  # against 15 and 5 more
    assert (level(session.scene, "a") == "stunned") is helped


@pytest.mark.rule("opend6.gap.damage.objects")
@pytest.mark.parametrize("name", ["flimsy", "tough", "sturdy", "very_sturdy", "reinforced"])
def test_things_break_ten_beyond_their_toughness(name: str) -> None:
    data = LEDGER["opend6.gap.damage.objects"].data
    code = C(data[name])
    session = meeting(HERO, HERO)
    session.do("opend6.smash", damage="8D", toughness=name)
    answer(session, [4] * 8, [2] * code.dice)
    assert session.result is (32 - 2 * code.dice >= data["destroyed_at"])
    for least in (data["destroyed_at"], data["destroyed_at"] - 1):
        each, more = divmod(2 * code.dice + least, 5)
        session.do("opend6.smash", damage="5D", toughness=name)
        answer(session, [each + (number < more) for number in range(5)], [2] * code.dice)
        assert session.result is (least == data["destroyed_at"])
    assert odds(break_object(C("1D"), code))[True] < Fraction(1, 2)


@pytest.mark.rule("opend6.gap.wound.mortally", "opend6.gap.wound.minutes")
def test_minutes_at_deaths_door_outside_a_fight() -> None:
    session = meeting(patient(level="mortally_wounded"), HERO)
    session.do("opend6.dying", who="a", minutes=2)
    for _ in range(12):
        answer(session, [2, 1, 1])  # from the end of the first minute on against 1
    answer(session, [2, 1, 1])  # at the end of the second against 2
    assert (session.scene["a"].status.dying_rounds, session.scene.clock.now) == (24, 120)
    session.do("opend6.dying", who="a")
    for _ in range(11):
        answer(session, [2, 1, 1])
    answer(session, [1, 1, 1])  # 1 of three dice is left: less than 3
    assert level(session.scene, "a") == "dead"
    with pytest.raises(IllegalActionError, match="is not dying"):
        session.do("opend6.dying", who="b")


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.gap.equipment.tools")
@pytest.mark.parametrize(("faces", "helped"), [([5, 5, 4], True), ([5, 4, 4], False)])
def test_a_healers_pack_adds_one(faces: list[int], helped: bool) -> None:
    pack = [{"item": "healers_pack", "place": "pack"}]
    healer = person(attributes={"intellect": "2D"}, skills={"healing": "3D"}, belongings=pack)
    session = meeting(patient(level="wounded"), healer)
    session.do("opend6.treat", who="a", healer="b")
    answer(session, faces)  # and 1, against 15
    assert (level(session.scene, "a") == "stunned") is helped


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.gap.healing.assisted_body_points")
@pytest.mark.parametrize("wounds", [{"level": "dead"}, {"level": "mortally_wounded"}, {"unconscious": 3}])
@pytest.mark.parametrize("options", [{}, POINTS])
def test_the_dead_and_the_senseless_treat_nobody(wounds: dict[str, object], options: dict[str, str]) -> None:
    session = meeting(patient(level="wounded", body_points=5), person(wounds=wounds), options=options)
    with pytest.raises(IllegalActionError, match="cannot treat"):
        session.do("opend6.treat", who="a", healer="b")
    assert session.scene["a"].status.wounds.treated_by == ()


@pytest.mark.rule("opend6.gap.healing.assisted_body_points", "opend6.gap.wound.penalties")
def test_wounds_of_the_healer_take_dice_from_care() -> None:
    options = {"injury.system": "body_points_with_levels"}
    hurt = person(skills={"healing": "6D"}, body_points=40, wounds={"body_points": 12})
    session = meeting(patient(body_points=10), hurt, options=options)
    session.do("opend6.treat", who="a", healer="b")
    answer(session, [3, 3, 3, 3], [4, 5])  # two dice less, and 12: 2D
    assert session.scene["a"].status.wounds.body_points == 19


@pytest.mark.rule("opend6.gap.healing.assisted_body_points", "opend6.cp.extra_wild_die")
def test_points_may_go_on_care_that_gives_body_points() -> None:
    rich = person(skills={"healing": "4D"}, character_points=2)
    session = meeting(patient(body_points=10), rich, options=POINTS | {"points.asked": "always"})
    session.do("opend6.treat", who="a", healer="b")
    answer(session, "nothing", [2, 2, 2, 2], "yes", [3], "no", [4, 5])  # 8 and 3: 2D
    assert session.scene["a"].status.wounds.body_points == 19
    assert session.scene["b"].status.character_points == 1


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.gap.wound.incapacitated")
@pytest.mark.parametrize("options", [{}, POINTS])
def test_a_character_who_is_brought_round_wakes_at_no_other_time(options: dict[str, str]) -> None:
    sapper = person(belongings=[{"item": "sap", "place": "hand"}])
    session = begin(sapper, FOE, person(FOE, skills={"healing": "4D"}), options=options)
    answer(session, "1", "bash:b:sap", HIT, [5, 5, 5], [2, 2, 2])
    assert session.scene.clock.left("wakes", who="b") == 60 * session.scene["b"].status.wounds.unconscious > 0
    session.do("opend6.treat", who="b", healer="c")
    answer(session, [4, 4, 4, 4], *([[4, 4, 4]] if options else []))
    assert session.scene["b"].status.wounds.unconscious == 0
    assert session.scene.clock.left("wakes", who="b") is None


@pytest.mark.rule("opend6.gap.healing.body_points")
def test_body_points_that_come_back_are_told_without_a_level() -> None:
    session = meeting(patient(body_points=5), HERO, options=POINTS)
    session.do("opend6.rest", who="a", days=1)
    answer(session, [3, 3, 3, 3], [2, 2])
    assert (last(session, "Healed").body_points, last(session, "Healed").level) == (9, None)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.gap.healing.natural_wounds")
def test_points_go_on_the_roll_after_a_rest() -> None:
    session = meeting(patient(level="wounded") | {"character_points": 3}, HERO)
    session.do("opend6.rest", who="a", days=3, spend=True)
    answer(session, "1_points", [2, 1, 1, 1], "yes", [3])  # 5, and 3 more
    assert level(session.scene, "a") == "healthy"
    assert session.scene["a"].status.character_points == 1
    worse = meeting(patient(level="wounded") | {"character_points": 3}, HERO, options={"points.asked": "always"})
    worse.do("opend6.rest", who="a", days=3)
    answer(worse, "nothing", [1, 6, 6])
    assert level(worse.scene, "a") == "severely_wounded", "no point undoes a Critical Failure"
    assert worse.scene["a"].status.character_points == 3


@pytest.mark.rule("opend6.fate.double", "opend6.gap.healing.natural_body_points")
def test_fate_doubles_the_physique_of_a_day_of_rest() -> None:
    session = meeting(patient(body_points=10) | {"fate_points": 1}, HERO, options=POINTS)
    session.do("opend6.rest", who="a", days=1, spend=True)
    answer(session, "fate", [3, 3, 3, 3, 3, 3, 3], [4, 4, 4, 4])  # 6D and one for resting: 21
    assert session.scene["a"].status.wounds.body_points == 26
    assert session.scene["a"].status.fate_points == 0
