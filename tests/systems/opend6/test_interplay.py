"""Rules that touch each other: least difficulties, resting and care, senses lost twice, grips and who leaves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, begin, person, plan
from systems.opend6.people import C, do, planned, session_of, somebody
from systems.playing import answer, asked, last
from tablewright.dice import TypedDice
from tablewright.engine import advise, odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import ParticipantLeft
from tablewright.game.session.session import Session
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import Against
from tablewright.systems.opend6.mechanics.harm import injure
from tablewright.systems.opend6.mechanics.turn import choose_defence, fate_now_or_later
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Defence, Grip, is_dying

DAY, MINUTE = 86_400, 60
SLOW = {"acumen": "1D"}
ONE_DIE = {0: 6, 2: 6, 3: 6, 4: 6, 5: 6, 7: 1, 8: 1, 9: 1, 10: 1, 11: 2}
"""The totals of 1D in 36ths: a 1 cancels itself, and 11 stands for everything above 10."""


def waiting(session: Session, what: str, who: str = "a") -> list[int]:
    """In how many seconds things of a name fall due."""
    clock = session.scene.clock
    return [due.at - clock.now for due in clock.waiting(what, who=who)]


# ---------------------------------------------------------------------- least difficulties


@pytest.mark.rule("opend6.gap.attack.least", "opend6.gap.defence.passive")
@pytest.mark.parametrize(("modifier", "needed"), [(-12, 3), (-8, 3), (-7, 3), (-6, 4), (0, 10)])
def test_advice_on_defence_knows_that_nobody_is_hit_by_less_than_three(modifier: int, needed: int) -> None:
    advice = advise(choose_defence(C("1D"), C("1D"), 500, C("1D"), 1, modifier))
    worths = {one.id: one.value for one in advice.choices[0].options}
    hits = Fraction(sum([weight for total, weight in ONE_DIE.items() if total >= needed]), 36)
    assert abs(worths["none"] + hits) < Fraction(1, 1_000)  # totals are counted up to four sixes


@pytest.mark.rule("opend6.map.zero_rule")
def test_nobody_defends_or_strikes_with_less_than_a_die() -> None:
    with pytest.raises(IllegalActionError, match="below 1D"):
        advise(choose_defence(C("0D+2"), C("0D+1"), 1, C("1D")))
    assert not advise(choose_defence(C("0D+2"), C("1D"), 1, C("1D"))).choices  # a full defence alone is left


@pytest.mark.rule("opend6.map.zero_rule", "opend6.fate.order")
def test_a_fate_point_that_a_later_roll_needs_is_kept_for_it() -> None:
    """1D less a die is nothing: the only Fate Point goes there, and what comes first does without."""
    call = fate_now_or_later(C("3D"), 10, (C("1D"),), 5, 1, 1)
    first, later = fate_now_or_later(C("3D"), 10, (), 5, 1, 0), fate_now_or_later(C("1D"), 5, (), 5, 1, 1)
    assert not advise(call).choices
    assert odds(call).expected(int) == odds(first).expected(int) + odds(later).expected(int)
    two = advise(fate_now_or_later(C("3D"), 10, (C("1D"),), 5, 1, 2))
    assert [one.id for one in two.choices[0].options] == ["no", "yes"]


@pytest.mark.rule("opend6.gap.attack.modifier_style", "opend6.gap.attack.least")
def test_rolled_modifiers_go_on_what_is_below_three_before_it_is_lifted() -> None:
    """A defence of 3 at point blank is -2; crouching is a die on top of that."""
    session = begin(HERO, person(FOE, attributes={"acumen": "5D"}), options={"attack.rolled_modifiers": True})
    answer(session, "1", "posture::crouched", "dodge", [1, 1, 1, 1], "1")
    assert session.scene["b"].status.defence == Defence(3, "dodge")
    found = plan(session, "short_sword").against
    assert found == Against(-2, 1)
    call = attack(C("2D"), difficulty=-2, harder=1, harmless=True)
    assert play(call, TypedDice([5, 2, 1])).result.hit  # -2 and 5 are 3
    assert not play(call, TypedDice([6, 1, 2, 2])).result.hit  # -2 and 7 are 5
    assert not play(
        attack(C("2D"), difficulty=4, easier=1, harmless=True), TypedDice([5, 1, 1])
    ).result.hit  # 3 is the least


@pytest.mark.rule("opend6.gap.attack.least", "opend6.gap.attack.modifier_style")
@pytest.mark.parametrize(("shown", "hit"), [(2, False), (3, True)])
def test_dice_that_make_it_easier_leave_three_where_points_are_minded(shown: int, hit: bool) -> None:
    """10 less 5 at point blank, and 2D less because somebody lies on the ground: with 10 on the dice it would be -5."""
    weak = person(attributes={"agility": "1D"}, skills={"melee_combat": "1D"}, character_points=1)
    options = {"attack.rolled_modifiers": True, "points.asked": "always", "untrained.modifier": 0}
    session = begin(weak, person(FOE, attributes=SLOW), options=options)
    session.do("table.rule", who="b", field="posture", value="prone", reason="for the test")
    answer(session, "1", "slash:b:short_sword", [5, 5], "nothing", [shown])
    if hit:
        answer(session, [1, 1, 1], "no", [5, 5, 5])
    else:
        answer(session, "no")
    assert last(session, "Struck").hit is hit


@pytest.mark.rule("opend6.gap.resistance.max", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize(
    ("system", "physique", "armour"),
    [("wounds", "5D", "1D"), ("body_points", "5D", "5D+2"), ("body_points_with_levels", "5D", "5D+2")],
)
def test_at_most_six_dice_resist_and_physique_counts_only_where_it_resists(
    system: str, physique: str, armour: str
) -> None:
    armoured = [{"item": "plate_mail", "place": "worn"}, {"item": "large_shield", "place": "hand"}]  # 3D and 2D+2
    foe = person(FOE, attributes={"physique": physique}, body_points=30, belongings=armoured)
    session = begin(HERO, foe, options={"resistance.max": True, "injury.system": system})
    found = plan(session, "short_sword")
    assert (str(found.protection.resistance), str(found.protection.armour)) == (physique, armour)


@pytest.mark.rule("opend6.gap.resistance.max")
@pytest.mark.parametrize(
    ("physique", "left"), [("3D", ("3D", "3D")), ("4D+2", ("4D+2", "1D+1")), ("6D+1", ("6D", "0D"))]
)
def test_pips_count_among_the_six_dice(physique: str, left: tuple[str, str]) -> None:
    foe = person(FOE, attributes={"physique": physique}, belongings=[{"item": "plate_mail", "place": "worn"}])
    found = plan(begin(HERO, foe, options={"resistance.max": True}), "short_sword")
    assert (str(found.protection.resistance), str(found.protection.armour)) == left


@pytest.mark.rule("opend6.gap.damage.total", "opend6.gap.resistance.negative")
def test_damage_is_never_below_nothing_before_it_is_resisted() -> None:
    """1 less 3 is no damage; a resistance of -5 makes it 5, not 3."""
    for damage, faces in (("0D+1", []), ("1D", [2])):
        call = injure(
            C(damage), resistance_bonus=-5, plain=-3, injury="body_points", negative_resistance="add_to_damage"
        )
        assert play(call, TypedDice(faces)).result.over == 5


# ---------------------------------------------------------------------- rest and care


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize(
    ("before", "then"), [("incapacitated", 3 * DAY), ("severely_wounded", 3 * DAY), ("wounded", MINUTE)]
)
def test_a_character_who_gets_better_by_care_goes_on_with_the_rest_of_the_new_level(before: str, then: int) -> None:
    session = session_of({"a": somebody("Ann", wounds={"level": before}), "h": somebody("Hal", healing="8D")})
    do(session, "rest", who="a")
    do(session, "treat", [5] * 8, who="a", healer="h")
    assert waiting(session, "heals") == [then]


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_nobody_heals_from_what_care_has_healed() -> None:
    session = session_of({"a": somebody("Ann", wounds={"level": "stunned"}), "h": somebody("Hal", healing="8D")})
    session.do("opend6.treat", who="a", healer="h")
    assert waiting(session, "heals") == []


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
@pytest.mark.parametrize(
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
    session = session_of({"a": somebody("Ann", physique="3D", wounds={"level": "wounded"})})
    do(session, "rest", who="a", days=1, **first)
    do(session, "rest", [5] * dice, who="a", days=2, **second)
    assert session.scene["a"].status.wounds.level == "healthy"


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_a_rest_that_turns_out_twice_as_long_gives_its_die() -> None:
    session = session_of({"a": somebody("Ann", physique="3D", wounds={"level": "wounded"})})
    do(session, "rest", who="a", days=1)
    do(session, "rest", who="a", days=1, double=True)
    assert waiting(session, "heals") == [4 * DAY]
    do(session, "rest", [5] * 4, who="a", days=4, double=True)
    assert session.scene["a"].status.wounds.level == "healthy"


@pytest.mark.rule("opend6.gap.healing.natural_wounds")
def test_a_new_wound_takes_its_own_rest_from_when_it_begins() -> None:
    session = session_of({"a": somebody("Ann", physique="3D", wounds={"level": "wounded"})})
    do(session, "rest", who="a", days=2)
    do(session, "hazard", [5, 4, 4, 4], [2, 2, 2], [5, 5, 5], who="a", what="botulism")  # by 11, and stays conscious
    do(session, "rest", who="a", days=1)
    assert waiting(session, "heals") == [13 * DAY]


@pytest.mark.rule("opend6.gap.wound.minutes", "opend6.gap.healing.natural_wounds")
def test_the_minutes_of_dying_are_over_with_it() -> None:
    dying = {"level": "mortally_wounded", "dying_minutes": 7}
    session = session_of({"a": somebody("Ann", physique="6D", wounds=dying)})
    do(session, "rest", [5] * 6, who="a", days=35)
    status = session.scene["a"].status
    assert (status.wounds.level, status.wounds.dying_minutes, status.dying_rounds) == ("incapacitated", 0, 0)


@pytest.mark.rule("opend6.gap.wound.dying_rescue")
def test_a_character_who_is_rescued_comes_to() -> None:
    """The senses that were lost before do not stay lost: nothing on the clock would bring them back."""
    dying = {"level": "mortally_wounded", "unconscious": 30}
    session = session_of({"a": somebody("Ann", wounds=dying), "h": somebody("Hal", healing="8D")})
    do(session, "treat", [5] * 8, who="a", healer="h")
    wounds = session.scene["a"].status.wounds
    assert (wounds.level, wounds.unconscious) == ("incapacitated", 0)


@pytest.mark.rule("opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize(("hours", "allowed"), [(23, False), (24, True)])
def test_a_healer_may_try_again_the_next_day_also_on_the_road(hours: int, allowed: bool) -> None:
    session = session_of({"a": somebody("Ann", wounds={"level": "wounded"}), "h": somebody("Hal", healing="2D")})
    do(session, "treat", [2, 1], who="a", healer="h")
    session.do("table.pass_time", amount=f"{hours} hours")
    if allowed:
        do(session, "treat", [2, 1], who="a", healer="h")
    else:
        with pytest.raises(IllegalActionError, match="today already"):
            session.do("opend6.treat", who="a", healer="h")


@pytest.mark.rule("opend6.gap.damage.hazards")
def test_a_short_fall_is_told_and_changes_nothing() -> None:
    session = session_of({"a": somebody("Ann", wounds={"level": "wounded"})})
    do(session, "hazard", who="a", what="fall", metres=2)
    assert (last(session, "Hurt").by, last(session, "Hurt").harm) == ("fall", False)
    assert session.scene["a"].status.wounds.level == "wounded"
    do(session, "hazard", who="a", what="fall", metres=300)
    assert "200D" in str(session.question)
    with pytest.raises(InvalidInputError, match="0 to 300"):
        session_of({"a": somebody()}).do("opend6.hazard", who="a", what="fall", metres=301)


# ---------------------------------------------------------------------- senses lost twice


def sapped() -> Session:
    """A character is stunned for six minutes, and struck again in the next round."""
    armed = [{"item": "sap", "place": "hand"}, {"item": "short_sword", "place": "hand"}]
    session = begin(person(belongings=armed), FOE, person(FOE, name="Third", attributes=SLOW))
    answer(session, "1", "bash:b:sap", HIT, [3, 3, 3], [2, 2, 2], "1", "stop", "1")
    assert session.scene.round == 2
    assert waiting(session, "wakes", "b") == [6 * MINUTE - 5]
    return session


@pytest.mark.rule("opend6.gap.damage.stun")
@pytest.mark.parametrize(("damage", "left"), [([5, 5, 5], 12 * MINUTE), ([2, 3, 3], 6 * MINUTE - 5)])
def test_a_second_stun_lasts_from_now_where_it_lasts_longer(damage: list[int], left: int) -> None:
    session = answer(sapped(), "bash:b:sap", HIT, damage, [2, 2, 2])
    assert waiting(session, "wakes", "b") == [left]


@pytest.mark.rule("opend6.gap.wound.incapacitated", "opend6.gap.damage.stun")
def test_a_character_who_is_incapacitated_without_senses_is_out_for_ten_dice_of_minutes() -> None:
    session = answer(sapped(), "slash:b:short_sword", HIT, [5, 3, 3], [2, 2, 2])
    assert session.scene["b"].status.wounds.level == "incapacitated"
    answer(session, "1", "stop", [5] * 10)
    assert waiting(session, "wakes", "b") == [50 * MINUTE - 5]  # rolled when the round closes


# ---------------------------------------------------------------------- grips and who leaves


@pytest.mark.rule("opend6.action.grab", "opend6.gap.encounter.end")
@pytest.mark.parametrize("by_ruling", [False, True])
def test_a_character_who_leaves_holds_nobody_any_more(by_ruling: bool) -> None:
    quick = person(FOE, attributes={"acumen": "5D"})
    session = begin(HERO, quick, person(FOE, name="Third", attributes=SLOW))
    answer(session, "2", "grab:a:unarmed/hold", [5, 5, 5], [3, 3, 3], "arm")
    assert session.scene["a"].status.grip == Grip("b", "held", "arm")
    if by_ruling:
        session.do("table.leave", who="b")
    else:
        answer(session, "yield")
    assert any(isinstance(line, ParticipantLeft) for line in session.log)
    assert session.scene["a"].status.grip is None


@pytest.mark.rule("opend6.gap.manoeuvre.pinning")
@pytest.mark.parametrize("armed", [True, False])
def test_an_arrow_holds_fast_when_its_archer_has_left(armed: bool) -> None:
    session = begin(person(belongings=BOW if armed else []), FOE, person(FOE, name="Third", attributes=SLOW))
    weapon = "short_bow" if armed else "unarmed"
    answer(session, "2", f"pin_part:b:{weapon}/pin_part", "25cm", [5, 5, 5], [3, 3, 3] if armed else [3, 3], "arm")
    grip = Grip("a", "pinned", "arm", armed)
    assert session.scene["b"].status.grip == grip
    assert ("let_go:b" in asked(session)) is not armed
    session.do("table.leave", who="a")
    assert session.scene["b"].status.grip == (grip if armed else None)


@pytest.mark.rule("opend6.gap.weapon.edges", "opend6.action.pin")
@pytest.mark.parametrize(
    ("held", "with_what"),
    [
        (["mace"], ["unarmed"]),
        (["dagger"], ["dagger"]),
        (["dagger", "club"], ["dagger"]),
        (["sling", "sling_stone"], ["unarmed"]),
        ([], ["unarmed"]),
    ],
)
def test_cloth_is_pinned_with_a_point_and_a_part_with_bare_hands(held: list[str], with_what: list[str]) -> None:
    session = begin(person(belongings=[{"item": one, "place": "hand"} for one in held[:2]]), FOE)
    answer(session, "1")
    assert [one for one in asked(session) if one.startswith("pin_part:")] == [
        f"pin_part:b:{one}/pin_part" for one in with_what
    ]


@pytest.mark.rule("opend6.fate.climactic")
def test_no_roll_is_doubled_when_the_fight_is_over() -> None:
    session = begin(person(fate_points=1), FOE, person(FOE, name="Third", attributes=SLOW))
    answer(session, "1", "burn_fate")
    assert session.scene["a"].status.climactic
    session.do("table.end", outcome="peace")
    assert not session.scene["a"].status.climactic


# ---------------------------------------------------------------------- help, and what needs no roll


@pytest.mark.rule("opend6.related.assist")
def test_each_helper_helps_once() -> None:
    session = session_of({"a": somebody("Ann"), "b": somebody("Bo")})
    with pytest.raises(IllegalActionError, match="helps once"):
        session.do("opend6.helped_check", who="a", what="climbing", helpers=["b", "b"])
    with pytest.raises(IllegalActionError, match="nobody helps themselves"):
        session.do("opend6.helped_check", who="a", what="climbing", helpers=["b", "a"])


@pytest.mark.rule("opend6.special.wild_die_only", "opend6.map.zero_rule")
def test_the_wild_die_alone_takes_a_code_of_which_something_is_left() -> None:
    with pytest.raises(IllegalActionError, match="0D is left of 2D"):
        planned(somebody(agility="2D"), "agility", difficulty="1", actions="3", wild_die_only="yes")
    assert planned(somebody(agility="2D"), "agility", difficulty="1", actions="2", wild_die_only="yes").call


@pytest.mark.rule("opend6.fate.moral_code")
def test_the_game_master_is_asked_by_name() -> None:
    session = session_of({"a": somebody("Ann")})
    session.do("opend6.moral_deed", who="a", deed="by_the_code", reason="saved a child")
    assert "for Ann" in session.question.question  # type: ignore[union-attr]


# ---------------------------------------------------------------------- without the skill


SWORDS = [{"skill": "melee_combat", "subject": "swords", "adds": "0D+1"}]


@pytest.mark.rule("opend6.untrained.modifier", "opend6.untrained.exempt", "opend6.gap.defence.partial")
@pytest.mark.parametrize(
    ("use", "skills", "special", "total"),
    [
        ("parry::short_sword", {"melee_combat": "3D"}, [], 10),
        ("full_parry::short_sword", {"melee_combat": "3D"}, [], 20),
        ("parry::short_sword", {"melee_combat": "3D+1"}, [], 16),
        (
            "parry::short_sword",
            {"melee_combat": "3D"},
            [{"skill": "melee_combat", "subject": "swords", "adds": "0D+1"}],
            16,
        ),
        ("dodge", {"dodge": "3D"}, [], 15),
        ("block", {"fighting": "3D"}, [], 15),
    ],
)
def test_a_parry_without_the_skill_is_five_worse(
    use: str, skills: dict[str, str], special: list[dict[str, str]], total: int
) -> None:
    session = begin(person(skills=skills, specialisations=special), FOE)
    answer(session, "1", use, [5, 5, 5])
    assert session.scene["a"].status.defence.total == total


@pytest.mark.rule("opend6.gap.healing.assisted_body_points", "opend6.untrained.modifier")
@pytest.mark.parametrize(("healing", "gains"), [("4D", 7), ("3D", 2)])
def test_care_without_the_skill_gives_fewer_body_points(healing: str, gains: int) -> None:
    """10 gives one die; 10 less 5 gives two points. 11 would be two dice."""
    options = OpenD6Options(injury_system="body_points")
    hurt = somebody("Ann", body_points=30, wounds={"body_points": 5})
    session = session_of({"a": hurt, "h": somebody("Hal", intellect="3D", healing=healing)}, options)
    dice = [[3, 3, 2, 2], [6, 1]] if healing == "4D" else [[3, 4, 3]]
    do(session, "treat", *dice, who="a", healer="h")
    assert session.scene["a"].status.wounds.body_points == 5 + gains


# ---------------------------------------------------------------------- at death's door and beyond


@pytest.mark.rule("opend6.gap.wound.dying_rescue", "opend6.gap.healing.assisted_body_points")
@pytest.mark.parametrize(
    ("system", "before", "die", "after"),
    [
        ("body_points", -9, 5, -4),
        ("body_points", -2, 4, 0),  # less than a tenth of 30 saves no one
        ("body_points", -2, 5, 3),
        ("body_points_with_levels", -2, 4, 2),
        ("body_points_with_levels", 1, 2, 3),
    ],
)
def test_care_that_is_not_enough_is_there_for_the_next_healer(system: Any, before: int, die: int, after: int) -> None:
    dying = somebody("Ann", body_points=30, wounds={"body_points": before})
    healers = {"h": somebody("Hal", healing="4D"), "i": somebody("Ivy", healing="4D")}
    session = session_of({"a": dying, **healers}, OpenD6Options(injury_system=system))
    do(session, "treat", [3, 2, 2, 2], [die], who="a", healer="h")
    assert session.scene["a"].status.wounds.body_points == after
    assert is_dying(session.scene["a"]) is (after < 3)
    if after < 3:
        do(session, "treat", [3, 2, 2, 2], [6, 2], who="a", healer="i")
        assert is_dying(session.scene["a"]) is (after + 8 < 3)


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
@pytest.mark.parametrize("wounds", [{"level": "dead"}, {"level": "mortally_wounded"}, {"unconscious": 5}])
def test_a_character_who_is_out_tries_nothing_and_helps_nobody(wounds: dict[str, Any]) -> None:
    session = session_of({"a": somebody("Ann", wounds=wounds), "b": somebody("Bo")})
    for process, given in (
        ("try_task", {"who": "a", "what": "climbing", "task": "the wall"}),
        ("related_check", {"who": "a", "related": "search", "what": "climbing"}),
        ("helped_check", {"who": "b", "what": "climbing", "helpers": ["a"]}),
        ("group_check", {"who": ["b", "a"], "what": "climbing", "difficulties": [5]}),
    ):
        with pytest.raises(IllegalActionError, match="Ann"):
            session.do(f"opend6.{process}", **given)


@pytest.mark.rule("opend6.gap.healing.natural_wounds", "opend6.gap.damage.hazards", "opend6.gap.advancement.needs")
def test_the_dead_neither_rest_nor_learn() -> None:
    dead = somebody("Ann", wounds={"level": "dead"}, interval=1, improvable=("dodge",), character_points=50)
    session = session_of({"a": dead})
    for process, given in (
        ("rest", {}),
        ("hazard", {"what": "fall", "metres": 9}),
        ("train", {"skill": "stealth"}),
        ("advance", {"what": "skill", "name": "dodge"}),
        ("spend", {}),
    ):
        with pytest.raises(IllegalActionError, match="Ann is dead"):
            session.do(f"opend6.{process}", who="a", **given)


@pytest.mark.rule("opend6.gap.healing.assisted_wounds")
@pytest.mark.parametrize(("faces", "told"), [([5, 5, 5], "success"), ([5, 5, 2], "failure")])
def test_the_result_of_care_is_told_by_name(faces: list[int], told: str) -> None:
    session = session_of({"a": somebody("Ann", wounds={"level": "wounded"}), "h": somebody("Hal", healing="3D")})
    do(session, "treat", faces, who="a", healer="h")
    assert last(session, "Treated").mentions == ("who", "by")
    assert last(session, "Checked").result == told


@pytest.mark.rule("opend6.retry.consequences")
def test_a_task_that_went_wrong_is_called_by_its_name() -> None:
    session = session_of({"a": somebody("Ann", lockpicking="2D+1")})
    do(session, "try_task", [2, 1], who="a", what="lockpicking", task="pick_complex_lock")
    with pytest.raises(IllegalActionError, match=r"Pick a complex lock went wrong.*helped=yes"):
        session.do("opend6.try_task", who="a", what="lockpicking", task="pick_complex_lock")


# ---------------------------------------------------------------------- the game master rules otherwise


@pytest.mark.rule("opend6.gap.wound.levels", "opend6.gap.healing.natural_wounds")
def test_the_game_master_says_how_a_character_is() -> None:
    """A potion on the second day of a rest: the better level takes its own rest, and the senses come back."""
    session = session_of({"a": somebody("Ann", wounds={"level": "incapacitated", "unconscious": 90})})
    do(session, "rest", who="a", days=1)
    do(session, "set_wounds", who="a", level="wounded", unconscious=0)
    wounds = session.scene["a"].status.wounds
    assert (wounds.level, wounds.unconscious, waiting(session, "heals")) == ("wounded", 0, [3 * DAY])
    do(session, "set_wounds", who="a", unconscious=7)
    assert waiting(session, "wakes") == [7 * MINUTE]
    do(session, "set_wounds", who="a", level="dead")
    assert session.scene["a"].status.wounds.level == "dead"
    with pytest.raises(InvalidInputError, match="say a Wound level"):
        session.do("opend6.set_wounds", who="a")
    with pytest.raises(IllegalActionError, match="say which one"):
        session.do("opend6.set_wounds", who="a", body_points=3)


@pytest.mark.rule("opend6.gap.body_points.loss", "opend6.gap.body_points.zero")
@pytest.mark.parametrize(("points", "left", "level"), [(30, None, "healthy"), (4, 4, "healthy"), (-30, 9, "dead")])
def test_the_game_master_says_how_many_body_points_are_left(points: int, left: int | None, level: str) -> None:
    options = OpenD6Options(injury_system="body_points")
    session = session_of({"a": somebody("Ann", body_points=30, wounds={"body_points": 9})}, options)
    do(session, "set_wounds", who="a", body_points=points)
    wounds = session.scene["a"].status.wounds
    assert (wounds.body_points, wounds.level) == (left, level)
    with pytest.raises(IllegalActionError, match="at most 30"):
        session.do("opend6.set_wounds", who="a", body_points=31)
    with pytest.raises(IllegalActionError, match="how many are left"):
        session.do("opend6.set_wounds", who="a", level="wounded")
