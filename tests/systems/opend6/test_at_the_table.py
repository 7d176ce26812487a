"""Questions at the table in the middle of a fight: costs, figures, and the attack they belong to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, MISS, begin, person, plan, ruled
from systems.opend6.people import C
from systems.playing import answer, asked, last
from tablewright.engine import Call, Choice, advise, odds
from tablewright.game.narration.projection import project_question
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import OrderSet
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.systems.opend6.character.gear import arm_of
from tablewright.systems.opend6.events.attack import Swung
from tablewright.systems.opend6.mechanics.attack import Dealt, aim, deal, deepen
from tablewright.systems.opend6.mechanics.harm import Dicing, Kept, Protection, damage_roll, ease, injure, resist
from tablewright.systems.opend6.mechanics.points import Aimed, Before, Mended, mend, skill_roll
from tablewright.systems.opend6.mechanics.rolls import Resistance
from tablewright.systems.opend6.mechanics.turn import Initiative, initiative
from tablewright.systems.opend6.now import terms
from tablewright.systems.opend6.prospects import best_attack, prospect, worth_of_actions
from tablewright.systems.opend6.values import DieCode


def costs(session: Session, seat: str) -> dict[str, str]:
    """Costs of the options of the open question, in words."""
    told = project_question(session.playing, session.scene, seat)
    assert told is not None
    return {option["id"]: option["cost"] for option in told["options"]}


def about(session: Session) -> dict[str, Any]:
    """Details of the open question."""
    assert isinstance(session.question, Choice)
    return dict(session.question.details)


# ---------------------------------------------------------------------- how many actions


@pytest.mark.rule("opend6.map.penalty", "opend6.turn.declare_count")
def test_each_number_of_actions_says_what_it_takes_from_every_roll() -> None:
    session = begin(HERO, FOE)
    # Close to the foe 5 is enough for a hit: 1219/1296, 61/72, 3/4 and 1/3 for 4D to 1D.
    hits = ["94%", "85%", "75%", "33%", *["0%"] * 8]
    dice = ["full dice", *[f"-{less}D" for less in range(1, 12)]]
    assert costs(session, "a") == {
        str(count): f"{dice[count - 1]}, an attack hits {hits[count - 1]}" for count in range(1, 13)
    }
    answer(session, "3")
    assert about(session) == {"who": "a", "left": 3, "declared": 3, "each roll at": "-2D"}


@pytest.mark.rule("opend6.turn.declare_count")
def test_no_attack_is_promised_where_none_is_open() -> None:
    ground = {"kind": "grid", "size": [30, 4]}
    session = begin(HERO, FOE, ground=ground, places={"a": {"position": "1,1"}, "b": {"position": "28,1"}})
    assert costs(session, "a")["2"] == "-1D"


@pytest.mark.rule("opend6.gap.wound.penalties")
def test_the_wounded_are_told_what_it_takes_from_them() -> None:
    session = begin(person(wounds={"level": "severely_wounded"}), FOE)
    assert about(session) == {"who": "a", "severely wounded": "-2D"}
    answer(session, "2")
    assert about(session)["each roll at"] == "-3D"


@pytest.mark.rule("opend6.map.allotment", "opend6.gap.ability.fast_reactions")
def test_fast_reactions_say_how_often_they_are_left() -> None:
    quick = person(abilities=[{"id": "fast_reactions"}])
    session = begin(quick, FOE)
    answer(session, "2")
    assert isinstance(session.question, Choice)
    (faster,) = [option for option in session.question.options if option.action == "fast_reactions"]
    assert faster.label.endswith("(3 left)")
    assert about(session)["each roll at"] == "-1D"
    answer(session, "fast_reactions")
    assert (about(session)["left"], about(session)["each roll at"]) == (3, "-1D")


@pytest.mark.rule("opend6.turn.waiting")
def test_waiting_takes_another_action_to_act_with() -> None:
    session = begin(HERO, FOE)
    answer(session, "1")
    assert "wait" not in asked(session)
    two = begin(HERO, FOE)
    answer(two, "2")
    assert "wait" in asked(two)
    answer(two, "slash:b:short_sword", [1, 1, 1])
    assert "wait" not in asked(two)


# ---------------------------------------------------------------------- who acts when


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
@pytest.mark.parametrize("method", ["no_roll", "first_action", "roll_once_per_scene", "roll_each_round"])
def test_fallen_characters_have_no_place_in_the_order(method: str) -> None:
    dead = person(FOE, wounds={"level": "dead"})
    session = begin(HERO, dead, FOE, options={"initiative.method": method})
    while session.seat is not None and not isinstance(session.question, Choice):
        session.roll()
    assert set(session.scene.order) == {"a", "c"}
    orders = [line.order for line in session.log if isinstance(line, OrderSet)]
    while session.scene.round == 1:
        answer(session, "1", "stop") if "1" in asked(session) else answer(session, "stop")
        while session.seat is not None and not isinstance(session.question, Choice):
            session.roll()
    again = [line.order for line in session.log if isinstance(line, OrderSet)]
    assert len(again) == len(orders) + (method == "roll_each_round")
    assert all("b" not in order for order in again)


# ---------------------------------------------------------------------- the odds of what is offered


def expected(session: Session, use: str, objective: str) -> Fraction:
    """Mean of one objective of an option's odds."""
    assert isinstance(session.question, Choice)
    behind = preview_rule(session, "a", session.question.option(use), "a").subject
    assert isinstance(behind, Call)
    return odds(behind).expected(behind.mechanic.objectives[objective])


@pytest.mark.rule("opend6.gap.defence.full", "opend6.gap.defence.partial")
@pytest.mark.parametrize("use", ["dodge", "parry::short_sword", "block"])
def test_the_odds_of_a_full_defence_have_its_ten_in_them(use: str) -> None:
    session = begin(HERO, FOE)
    answer(session, "1")
    assert expected(session, f"full_{use}", "total") == expected(session, use, "total") + 10


@pytest.mark.rule("opend6.gap.attack.hit", "opend6.cp.timing")
def test_the_chance_to_hit_is_told_with_points_as_without() -> None:
    plain = begin(HERO, FOE)
    answer(plain, "1")
    chance = expected(plain, "slash:b:short_sword", "hit")
    rich = begin(person(character_points=3), FOE)
    answer(rich, "1", "use_points::yes")
    behind = preview_rule(rich, "a", ActionUse("slash", "b", "short_sword"), "a").subject
    assert isinstance(behind, Call)
    assert behind.mechanic is aim
    unspent = odds(aim(*behind.arguments[:6])).expected(aim.objectives["hit"])
    assert unspent == chance == odds(skill_roll(C("4D"), assumed=5)).chance(lambda one: one.enough)


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing", "opend6.gap.damage.total")
@pytest.mark.parametrize(
    ("rule", "name", "result", "worth"),
    [
        (aim, "thrifty", Aimed(20, True, 2, 0), 8 - 12),
        (aim, "thrifty", Aimed(2, False, 0, 1), -8),
        (skill_roll, "thrifty", Aimed(20, True, 1, 0), 8 - 6),
        (mend, "thrifty", Mended(4, 3, True), 8 - 6),
        (mend, "thrifty", Mended(4, 3, False), -6),
        (deal, "damage", Dealt(17, 1), 17 - 20),
        (deepen, "damage", Mended(9, 2, True), 9 - 10),
        (resist, "spared", Kept(5, "wounded", 0, 1), -8 - 5 - 8),
        (ease, "spared", Kept(2, "stunned", 3, 0), -4 - 2 - 6),
    ],
)
def test_value_of_points(rule: Any, name: str, result: Any, worth: int) -> None:
    assert rule.objectives[name](result) == worth


@pytest.mark.rule("opend6.initiative.points")
def test_a_character_point_on_initiative_is_held_to_be_worth_six() -> None:
    assert initiative.objectives["thrifty"](Initiative(12, 2)) == 12 - 12
    first, second = advise(initiative(C("3D"), points=1)).choices[0].options
    die = odds(initiative(C("3D"), 0, 0, 0)).expected(lambda found: found.total)
    assert (first.value, second.best) == (die, False)


def hurt_by(call: Call[Kept]) -> int:
    """Average worth of damage to a character unhurt, in hundredths."""
    return int(-100 * odds(call).expected(injure.objectives["spared"]))


@pytest.mark.parametrize(("scale", "plus", "resists"), [(0, 1, 0), (2, 1, 2), (-2, 3, 0)])
def test_bots_reckon_with_the_size_of_whom_they_hit(scale: int, plus: int, resists: int) -> None:
    session = begin(HERO, person(FOE, belongings=[], scale=scale))
    found = prospect(session.scene, "a", "b", "short_sword").promise
    against = Protection(DieCode(3), resistance_plain=resists)
    assert found.harm == hurt_by(injure(C("3D+2"), against, plain=plus))


@pytest.mark.rule("opend6.gap.resistance.tie", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize("system_", ["wounds", "body_points"])
def test_bots_reckon_with_the_very_resistance(system_: str) -> None:
    session = begin(HERO, person(FOE, belongings=[]), options={"injury.system": system_})
    arm = arm_of(session.scene, "a", "short_sword")
    assert arm is not None
    found = prospect(session.scene, "a", "b", "short_sword").promise
    physique = DieCode(3) if system_ == "wounds" else DieCode(0)
    own = terms(session.scene)
    assert found.harm == hurt_by(injure(C("3D+2"), Protection(DieCode(3)), plain=1, terms=own))
    if system_ == "body_points":
        beyond = odds(damage_roll(C("3D+2"), Resistance(physique, 0, 0), Dicing(own.how())))
        assert found.harm == int(100 * (beyond.expected(lambda over: over) + 1))
    assert found.hits == int(
        1_000 * odds(aim(plan(session, "short_sword").throw, assumed=5)).chance(lambda one: one.enough)
    )


@pytest.mark.rule("opend6.turn.declare_count")
def test_value_of_a_number_of_actions_to_bots() -> None:
    two_near = begin(HERO, FOE, FOE)
    for count in (1, 2, 3):
        each = best_attack(two_near.scene, "a", count - 1)
        assert worth_of_actions(two_near.scene, "a")(count) == each * count - 80 * (count - 1)
    archer = begin(person(belongings=BOW), FOE)
    shots = {1: 1, 2: 1, 3: 2, 4: 2}  # an arrow has to be readied between two shots
    for count, shot in shots.items():
        each = best_attack(archer.scene, "a", count - 1)
        assert worth_of_actions(archer.scene, "a")(count) == each * shot - (count - 1)
    for count, shot in {1: 0, 2: 1, 3: 1, 4: 2}.items():  # and before the first, once it is shot
        empty = archer.scene.with_status("a", unloaded=("short_bow",))
        assert worth_of_actions(empty, "a")(count) == best_attack(empty, "a", count - 1) * shot - (count - 1)
    ruled(archer, "a", "posture", "prone")
    assert [worth_of_actions(archer.scene, "a")(count) for count in (1, 2, 3)] == [0, -1, -2]
    assert best_attack(archer.scene, "a", 0) > best_attack(archer.scene, "a", 1) > 0


# ---------------------------------------------------------------------- words


@pytest.mark.rule("opend6.cp.max_per_roll", "opend6.fate.double")
def test_points_before_a_roll_say_what_they_give() -> None:
    said = [(one.id, one.label, one.cost) for one in (Before(), Before(1), Before(2), Before(0, 1), Before(1, 1))]
    assert said == [
        ("nothing", "nothing", ""),
        ("1_points", "a die more", "1 Character Point"),
        ("2_points", "2 dice more", "2 Character Points"),
        ("fate", "all doubled", "1 Fate Point"),
        ("1_points_and_fate", "a die more and all doubled", "1 Character Point and 1 Fate Point"),
    ]


@pytest.mark.rule("opend6.fate.timing", "opend6.gap.resistance.wounds")
def test_a_character_who_is_asked_on_an_attack_knows_of_whom_with_what_and_against_what() -> None:
    armoured = [{"item": "short_sword", "place": "hand"}, {"item": "hard_leather", "place": "worn"}]
    session = begin(HERO, person(FOE, fate_points=1, belongings=armoured), options={"points.asked": "always"})
    answer(session, "1", "slash:b:short_sword")
    assert (last(session, "Swung").target, last(session, "Swung").how) == ("b", "short sword")
    answer(session, HIT, [5, 5, 5])
    assert (session.seat, about(session)) == ("b", {"damage": 20, "resistance": "4D+1"})
    quiet = begin(HERO, FOE)
    answer(quiet, "1", "slash:b:short_sword", MISS)
    assert not [line for line in quiet.log if isinstance(line, Swung)]
