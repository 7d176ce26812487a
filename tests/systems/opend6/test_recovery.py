"""Getting better and being hurt outside fights: rest, care, rescue, hazards, things that break."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, begin, meeting, person
from systems.opend6.people import LEDGER, C
from systems.playing import answer, last
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.mechanics.harm import NATURALLY, natural_healing, points_of, regained
from tablewright.systems.opend6.status import is_dying, level
from tablewright.systems.opend6.values import DieCode

POINTS = {"injury.system": "body_points"}
LEVELS = {"injury.system": "body_points_with_levels"}
DAY, MINUTE = 86_400, 60


def hurt(
    healing: str = "4D",
    *,
    options: dict[str, Any] | None = None,
    fields: dict[str, Any] | None = None,
    healer: dict[str, Any] | None = None,
    **wounds: Any,
) -> Session:
    """A patient with wounds, as ``a``, and a healer of some skill, as ``b``; both with fields of their own."""
    patient = person(wounds=wounds, body_points=30, **(fields or {}))
    return meeting(patient, person(**({"skills": {"healing": healing}} | (healer or {}))), options=options)


def rest(session: Session, *answers: Any, **given: Any) -> Session:
    """The patient rests."""
    session.do("opend6.rest", who="a", **given)
    return answer(session, *answers)


def treat(session: Session, *answers: Any) -> Session:
    """The healer takes care of the patient."""
    session.do("opend6.treat", who="a", healer="b")
    return answer(session, *answers)


def wounds_of(session: Session) -> Any:
    """The wounds of the patient."""
    return session.scene["a"].status.wounds


def due(session: Session, what: str) -> list[int]:
    """In how many seconds things of a name fall due for the patient."""
    clock = session.scene.clock
    return [one.at - clock.now for one in clock.waiting(what, who="a")]


# ---------------------------------------------------------------------- rest


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
@each_case("wound", list(NATURALLY))
def test_rest_heals_by_a_physique_roll(wound: str) -> None:
    row = LEDGER["opend6.gap.healing.natural_wounds"].data[wound]
    found = NATURALLY[wound]
    assert (found.days, found.heals_at, found.better) == (row["days"], row["heals_at"], row["to"])
    low, high = [3, 2] if found.heals_at == 6 else [3, 4], [3, 3] if found.heals_at == 6 else [4, 4]
    assert play(natural_healing(C("2D"), wound), TypedDice(low)).result == wound
    assert play(natural_healing(C("2D"), wound), TypedDice(high)).result == found.better
    worse = {"wounded": "severely_wounded", "severely_wounded": "incapacitated"}
    worse |= {"incapacitated": "mortally_wounded", "mortally_wounded": "dead"}
    assert play(natural_healing(C("2D"), wound), TypedDice([1, 6])).result == worse[wound]


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_days_of_rest_one_by_one_or_at_once() -> None:
    once, daily = hurt(level="wounded"), hurt(level="wounded")
    rest(once, [3, 3, 3], days=3)
    rest(rest(daily, days=1), days=1)
    assert level(daily.scene, "a") == "wounded"
    rest(daily, [3, 3, 3], days=1)
    assert level(once.scene, "a") == level(daily.scene, "a") == "healthy"
    assert once.scene.clock.now == daily.scene.clock.now == 3 * DAY
    assert level(rest(hurt(level="stunned"), days=1).scene, "a") == "healthy"


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
@each_case(
    ("first", "second", "dice"),
    [
        ({}, {}, 3),
        ({"activity": "strenuous"}, {"activity": "strenuous"}, 2),
        ({}, {"activity": "strenuous"}, 2),
        ({"activity": "strenuous"}, {}, 2),
    ],
)
def test_a_character_who_works_in_a_part_of_the_rest_has_worked(
    first: dict[str, str], second: dict[str, str], dice: int
) -> None:
    session = rest(hurt(level="wounded"), days=1, **first)
    assert level(rest(session, [5] * dice, days=2, **second).scene, "a") == "healthy"


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_a_rest_that_turns_out_twice_as_long_gives_its_die() -> None:
    session = rest(rest(hurt(level="wounded"), days=1), days=1, double=True)
    assert due(session, "heals") == [4 * DAY]
    assert level(rest(session, [5] * 4, days=4, double=True).scene, "a") == "healthy"


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_a_new_wound_takes_its_own_rest_from_when_it_begins() -> None:
    session = rest(hurt(level="wounded"), days=2)
    session.do("opend6.hazard", who="a", what="botulism")
    answer(session, [5, 4, 4, 4], [2, 2, 2], [5, 5, 5])  # by 11, and stays conscious
    assert due(rest(session, days=1), "heals") == [13 * DAY]


@pytest.mark.rule("opend6.gap.wound.minutes", "opend6.gap.healing.natural_wounds")
def test_the_minutes_of_dying_are_over_with_it() -> None:
    strong = {"attributes": {"physique": "6D"}}
    session = rest(hurt(fields=strong, level="mortally_wounded", dying_minutes=7), [5] * 6, days=35)
    status = session.scene["a"].status
    assert (status.wounds.level, status.wounds.dying_minutes, status.dying_rounds) == ("incapacitated", 0, 0)


@pytest.mark.rule("opend6.gap.healing.body_points")
def test_the_table_of_body_points_regained() -> None:
    for least, given in LEDGER["opend6.gap.healing.body_points"].data.items():
        code = DieCode(0, 2) if given == "2" else DieCode(0) if given == "0" else C(given)
        shown = play(regained(C("1D"), int(least) - 3), TypedDice([3, *[4] * code.dice])).result
        assert shown == (4 * code.dice if code.dice else code.pips)
    assert play(points_of(C("1D")), TypedDice([1])).result == 1


@pytest.mark.rule("opend6.gap.healing.natural_body_points", "opend6.gap.healing.body_points")
@pytest.mark.parametrize(("activity", "dice"), [("full_rest", 4), ("light_activity", 3), ("strenuous", 2)])
def test_body_points_come_back_once_a_day(activity: str, dice: int) -> None:
    session = hurt(options=POINTS, body_points=10)
    rest(session, [2] * dice, *([[5]] if dice > 2 else []), days=1, activity=activity)
    assert wounds_of(session).body_points == 10 + (5 if dice > 2 else 2)
    healed = last(session, "Healed")
    assert (healed.body_points, healed.level) == (wounds_of(session).body_points, None)


@pytest.mark.rule("opend6.cp.timing", "opend6.cp.extra_wild_die", "opend6.fate.double")
def test_points_go_on_the_roll_after_a_rest() -> None:
    session = hurt(fields={"character_points": 3}, level="wounded")
    rest(session, "1_points", [2, 1, 1, 1], "yes", [3], days=3, spend=True)  # 5, and 3 more
    assert (level(session.scene, "a"), session.scene["a"].status.character_points) == ("healthy", 1)
    worse = hurt(fields={"character_points": 3}, options={"points.asked": "always"}, level="wounded")
    rest(worse, "nothing", [1, 6, 6], days=3)
    assert level(worse.scene, "a") == "severely_wounded", "no point undoes a Critical Failure"
    assert worse.scene["a"].status.character_points == 3
    fated = hurt(fields={"fate_points": 1}, options=POINTS, body_points=10)
    rest(fated, "fate", [3] * 7, [4, 4, 4, 4], days=1, spend=True)  # 6D and one for resting: 21
    assert (wounds_of(fated).body_points, fated.scene["a"].status.fate_points) == (26, 0)


# ---------------------------------------------------------------------- care


@pytest.mark.rule("opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize(
    ("wound", "after"),
    [
        ("stunned", "healthy"),
        ("wounded", "stunned"),
        ("severely_wounded", "wounded"),
        ("incapacitated", "severely_wounded"),
    ],
)
def test_care_gives_one_level_and_once_a_day(wound: str, after: str) -> None:
    each = LEDGER["opend6.gap.healing.assisted_wounds"].data[wound] // 5
    session = treat(hurt("5D", level=wound), [each] * 5)
    assert (level(session.scene, "a"), last(session, "Checked").result) == (after, "success")
    assert last(session, "Treated").mentions == ("who", "by")
    if after != "healthy":
        session.do("table.pass_time", amount="23 hours")
        with pytest.raises(IllegalActionError, match="today already"):
            treat(session)
        session.do("table.pass_time", amount="1 hours")
        treat(session)
    short = treat(hurt("5D", level=wound), [*[each] * 4, each - 1])
    assert (level(short.scene, "a"), last(short, "Checked").result) == (wound, "failure")


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.untrained.modifier", "opend6.gap.equipment.tools")
@each_case(
    ("healer", "faces", "helped"),
    [
        ({"skills": {}, "attributes": {"intellect": "4D"}}, [5, 5, 5, 5], True),  # 15, and 5 more without the skill
        ({"skills": {}, "attributes": {"intellect": "4D"}}, [5, 5, 5, 4], False),
        ({"skills": {"healing": "3D"}, "belongings": [{"item": "healers_pack", "place": "pack"}]}, [5, 5, 4], True),
        ({"skills": {"healing": "3D"}, "belongings": [{"item": "healers_pack", "place": "pack"}]}, [5, 4, 4], False),
    ],
)
def test_care_is_harder_without_the_skill_and_a_healers_pack_adds_one(
    healer: dict[str, Any], faces: list[int], helped: bool
) -> None:
    trained = {"attributes": {"intellect": "2D"}} | healer
    session = treat(hurt(healer=trained, level="wounded"), faces)
    assert (level(session.scene, "a") == "stunned") is helped


@pytest.mark.rule("opend6.gap.healing.assisted_body_points", "opend6.untrained.modifier", "opend6.gap.wound.penalties")
@each_case(
    ("healer", "options", "answers", "gained"),
    [
        ({}, POINTS, ([3, 3, 3, 3], [4, 5]), 9),  # 12: 2D
        ({}, POINTS, ([3, 3, 2, 2], [6, 1]), 7),  # 10: 1D
        ({"skills": {}}, POINTS, ([3, 4, 3],), 2),  # 10 less 5 for want of the skill: two points
        ({"wounds": {"body_points": 11}, "body_points": 40}, LEVELS, ([6, 3, 3], [4, 5]), 9),  # a die less, and 12
        ({"character_points": 2}, POINTS, ("nothing", [2, 2, 2, 2], "yes", [3], "no", [4, 5]), 9),  # 8 and 3: 2D
    ],
)
def test_care_gives_body_points(
    healer: dict[str, Any], options: dict[str, Any], answers: tuple[Any, ...], gained: int
) -> None:
    minds = {"points.asked": "always"} if "character_points" in healer else {}
    session = treat(hurt(options=options | minds, healer=healer, body_points=10), *answers)
    assert wounds_of(session).body_points == 10 + gained
    assert session.scene["b"].status.character_points == (1 if minds else 0)


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.healing.assisted_wounds")
@each_case(("before", "then"), [("incapacitated", [3 * DAY]), ("severely_wounded", [3 * DAY]), ("wounded", [MINUTE])])
def test_a_character_who_gets_better_by_care_goes_on_with_the_rest_of_the_new_level(
    before: str, then: list[int]
) -> None:
    assert due(treat(rest(hurt("8D", level=before)), [5] * 8), "heals") == then
    assert due(treat(hurt("8D", level="stunned")), "heals") == [], "nobody heals from what care has healed"


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


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.gap.healing.assisted_body_points")
@each_case("wounds", [{"level": "dead"}, {"level": "mortally_wounded"}, {"unconscious": 3}])
@each_case("options", [{}, POINTS])
def test_the_dead_and_the_senseless_treat_nobody(wounds: dict[str, Any], options: dict[str, str]) -> None:
    session = hurt(healer={"wounds": wounds}, options=options, level="wounded", body_points=5)
    with pytest.raises(IllegalActionError, match="cannot treat"):
        treat(session)
    assert wounds_of(session).treated_by == ()


# ---------------------------------------------------------------------- at death's door


@pytest.mark.rule("opend6.gap.wound.dying_rescue")
@pytest.mark.parametrize(("minutes", "dice"), [(0, 0), (4, 0), (5, 1), (10, 1), (11, 2), (15, 2)])
def test_rescue_costs_more_the_later_it_comes(minutes: int, dice: int) -> None:
    dying: dict[str, Any] = {"level": "mortally_wounded", "dying_minutes": minutes, "unconscious": 30}
    session = treat(hurt("6D", **dying), [5, 4, 4, 4, 4, 4], *([[5, 5, 5]] if dice else []))
    assert (level(session.scene, "a"), last(session, "Rescued").dice) == ("incapacitated", dice)
    assert (wounds_of(session).weakened, wounds_of(session).unconscious) == (dice, 0)
    dodge = figures(session.scene["a"].character, session.scene.library).codes["dodge"]
    assert dodge.in_pips == (9 if dice else 12)  # one die above the attribute is all there is to lose
    if dice:
        late = treat(hurt("6D", **dying), [5, 4, 4, 4, 4, 4], [2, 1, 1])
        assert level(late.scene, "a") == "dead"


@pytest.mark.rule("opend6.gap.wound.dying_rescue", "opend6.gap.healing.assisted_body_points")
@pytest.mark.parametrize(
    ("options", "before", "die", "after"),
    [
        (POINTS, -9, 5, -4),
        (POINTS, -2, 4, 0),  # less than a tenth of 30 saves no one
        (POINTS, -2, 5, 3),
        (LEVELS, -2, 4, 2),
        (LEVELS, 1, 2, 3),
    ],
)
def test_care_that_is_not_enough_is_there_for_the_next_healer(
    options: dict[str, str], before: int, die: int, after: int
) -> None:
    dying = person(body_points=30, wounds={"body_points": before})
    healers = [person(skills={"healing": "4D"}), person(skills={"healing": "4D"})]
    session = treat(meeting(dying, *healers, options=options), [3, 2, 2, 2], [die])
    assert wounds_of(session).body_points == after
    assert is_dying(session.scene["a"]) is (after < 3)
    if after < 3:
        session.do("opend6.treat", who="a", healer="c")
        answer(session, [3, 2, 2, 2], [6, 2])
        assert is_dying(session.scene["a"]) is (after + 8 < 3)


@pytest.mark.rule("opend6.gap.wound.mortally", "opend6.gap.wound.minutes")
def test_minutes_at_deaths_door_outside_a_fight() -> None:
    session = hurt(level="mortally_wounded")
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


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.damage.hazards", "opend6.gap.advancement.needs")
def test_the_dead_neither_rest_nor_learn() -> None:
    learning = {"interval": 1, "improvable": ["dodge"], "character_points": 50}
    session = hurt(fields=learning, level="dead")
    for process, given in (
        ("rest", {}),
        ("hazard", {"what": "fall", "metres": 9}),
        ("train", {"skill": "stealth"}),
        ("advance", {"what": "skill", "name": "dodge"}),
        ("spend", {}),
    ):
        with pytest.raises(IllegalActionError, match="Hero 1 is dead"):
            session.do(f"opend6.{process}", who="a", **given)


# ---------------------------------------------------------------------- hazards and things


@pytest.mark.rule("opend6.gap.damage.hazards", "opend6.gap.wound.incapacitated")
@pytest.mark.parametrize("what", ["torch_fire", "extreme_cold", "strong_acid", "botulism", "nightshade", "fall"])
def test_hazards_do_their_damage(what: str) -> None:
    code = C(LEDGER["opend6.gap.damage.hazards"].data[what])
    session = meeting(HERO | {"body_points": 60}, HERO, options=POINTS)
    times = 4 if what == "fall" else 1
    session.do("opend6.hazard", who="a", what=what, **({"metres": 6} if what == "fall" else {}))
    if what == "nightshade":
        assert session.question is None
        session.do("table.pass_time", amount="1 hours")
    answer(session, [3] * code.dice * times)
    assert wounds_of(session).body_points == 60 - (3 * code.dice + code.pips) * times


@pytest.mark.rule("opend6.gap.damage.hazards", "opend6.untrained.modifier")
@each_case(
    ("fields", "faces", "lost"),
    [
        ({"attributes": {"agility": "2D"}, "skills": {"acrobatics": "3D"}}, [5, 5, 5], 4),  # 15 against 10: two less
        ({}, [5, 5, 4], 6),  # against 15 without acrobatics
        ({}, [5, 5, 5], 5),
    ],
)
def test_acrobatics_break_a_fall(fields: dict[str, Any], faces: list[int], lost: int) -> None:
    session = meeting(person(**fields, body_points=60), HERO, options=POINTS)
    session.do("opend6.hazard", who="a", what="fall", metres=3, acrobatics=True)
    answer(session, faces, [3, 3])
    assert wounds_of(session).body_points == 60 - lost


@pytest.mark.rule("opend6.gap.damage.hazards")
def test_a_short_fall_is_told_and_changes_nothing() -> None:
    session = hurt(level="wounded")
    session.do("opend6.hazard", who="a", what="fall", metres=2)
    assert (last(session, "Hurt").by, last(session, "Hurt").harm) == ("fall", False)
    assert wounds_of(session).level == "wounded"
    session.do("opend6.hazard", who="a", what="fall", metres=300)
    assert "200D" in str(session.question)
    with pytest.raises(InvalidInputError, match="0 to 300"):
        hurt().do("opend6.hazard", who="a", what="fall", metres=301)


@pytest.mark.rule("opend6.gap.wound.incapacitated")
def test_the_unconscious_wake_by_the_clock() -> None:
    session = hurt(level="incapacitated", unconscious=3)
    session.do("opend6.hazard", who="a", what="torch_fire")
    answer(session, [2], [5, 5, 5])
    session.do("table.pass_time", amount="4 minutes")
    assert wounds_of(session).unconscious == 0


@pytest.mark.rule("opend6.gap.damage.objects")
@each_case("name", ["flimsy", "tough", "sturdy", "very_sturdy", "reinforced"])
def test_things_break_ten_beyond_their_toughness(name: str) -> None:
    data = LEDGER["opend6.gap.damage.objects"].data
    dice = C(data[name]).dice
    session = meeting(HERO, HERO)
    for least in (data["destroyed_at"], data["destroyed_at"] - 1):
        each, more = divmod(2 * dice + least, 5)
        session.do("opend6.smash", damage="5D", toughness=name)
        answer(session, [each + (number < more) for number in range(5)], [2] * dice)
        assert session.result is (least == data["destroyed_at"])


# ---------------------------------------------------------------------- rulings, and what waits for the end of a fight


@pytest.mark.rule("opend6.gap.wound.levels", "opend6.gap.healing.natural_wounds")
def test_the_game_master_says_how_a_character_is() -> None:
    """A potion on the second day of a rest: the better level takes its own rest, and the senses come back."""
    session = rest(hurt(level="incapacitated", unconscious=90), days=1)
    session.do("opend6.set_wounds", who="a", level="wounded", unconscious=0)
    assert (wounds_of(session).level, wounds_of(session).unconscious, due(session, "heals")) == (
        "wounded",
        0,
        [3 * DAY],
    )
    session.do("opend6.set_wounds", who="a", unconscious=7)
    assert due(session, "wakes") == [7 * MINUTE]
    session.do("opend6.set_wounds", who="a", level="dead")
    assert wounds_of(session).level == "dead"
    with pytest.raises(InvalidInputError, match="say a Wound level"):
        session.do("opend6.set_wounds", who="a")
    with pytest.raises(IllegalActionError, match="say which one"):
        session.do("opend6.set_wounds", who="a", body_points=3)


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.zero")
@each_case(("points", "left", "level"), [(30, None, "healthy"), (4, 4, "healthy"), (-30, 9, "dead")])
def test_the_game_master_says_how_many_body_points_are_left(points: int, left: int | None, level: str) -> None:
    session = hurt(options=POINTS, body_points=9)
    session.do("opend6.set_wounds", who="a", body_points=points)
    assert (wounds_of(session).body_points, wounds_of(session).level) == (left, level)
    with pytest.raises(IllegalActionError, match="at most 30"):
        session.do("opend6.set_wounds", who="a", body_points=31)
    with pytest.raises(IllegalActionError, match="how many are left"):
        session.do("opend6.set_wounds", who="a", level="wounded")


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.equipment.carrying", "opend6.gap.armour.layering")
@each_case(
    ("process", "given", "rule"),
    [
        ("rest", {"days": 2}, "opend6.gap.healing.natural_wounds"),
        ("wield", {}, "opend6.gap.equipment.carrying"),
        ("wear", {"item": "leather"}, "opend6.gap.armour.layering"),
        ("take_off", {"item": "leather"}, "opend6.gap.armour.layering"),
    ],
)
def test_days_and_hands_wait_for_the_end_of_a_fight(process: str, given: dict[str, Any], rule: str) -> None:
    session = begin(HERO, FOE)
    before = session.scene
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter") as no:
        session.do(f"opend6.{process}", who="a", **given)
    assert (no.value.rule, session.scene) == (rule, before)
