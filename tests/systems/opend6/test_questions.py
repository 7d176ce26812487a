"""Questions in a fight: what options cost, the figures they show, and the odds behind them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, field, person
from systems.opend6.people import C
from systems.playing import answer, events, last
from tablewright.engine import Call, Choice, advise, odds
from tablewright.game.narration.projection import project_question
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.systems.opend6.mechanics.attack import Dealt, aim, deal, deepen
from tablewright.systems.opend6.mechanics.harm import Kept, ease, resist
from tablewright.systems.opend6.mechanics.points import Aimed, Before, Mended, mend, skill_roll
from tablewright.systems.opend6.mechanics.turn import Initiative, initiative


def costs(session: Session, seat: str) -> dict[str, str]:
    """Costs of the options of the open question, in words."""
    told = project_question(session.playing, session.scene, seat)
    assert told is not None
    return {option["id"]: option["cost"] for option in told["options"]}


def about(session: Session) -> dict[str, Any]:
    """Details of the open question."""
    assert isinstance(session.question, Choice)
    return dict(session.question.details)


def preview(session: Session, use: ActionUse) -> Call[Any]:
    """The rule behind an option."""
    behind = preview_rule(session, "a", use, "a").subject
    assert isinstance(behind, Call)
    return behind


def expected(session: Session, use: str, objective: str) -> Fraction:
    """Mean of one objective of an option's odds."""
    assert isinstance(session.question, Choice)
    behind = preview(session, session.question.option(use))
    return odds(behind).expected(behind.mechanic.objectives[objective])


@pytest.mark.rule("opend6.map.penalty", "opend6.turn.declare_count")
def test_each_number_of_actions_says_what_it_takes_from_every_roll() -> None:
    session = begin(HERO, FOE)
    # Close to the foe 5 is enough for a hit: 1219/1296, 61/72, 3/4 and 1/3 for 4D to 1D.
    hits = ["94%", "85%", "75%", "33%", *["0%"] * 8]
    dice = ["full dice", *[f"-{less}D" for less in range(1, 12)]]
    assert costs(session, "a") == {
        str(count): f"{dice[count - 1]}, an attack hits {hits[count - 1]}" for count in range(1, 13)
    }
    assert about(answer(session, "3")) == {"who": "a", "left": 3, "declared": 3, "each roll at": "-2D"}
    far = begin(HERO, FOE, **field(a="1,1", b="28,1"))
    assert costs(far, "a")["2"] == "-1D"  # no attack is promised where none is open


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.map.allotment", "opend6.gap.ability.fast_reactions")
def test_the_wounded_and_the_fast_are_told_what_it_means() -> None:
    hurt = begin(person(wounds={"level": "severely_wounded"}), FOE)
    assert about(hurt) == {"who": "a", "severely wounded": "-2D"}
    assert about(answer(hurt, "2"))["each roll at"] == "-3D"
    fast = answer(begin(person(abilities=[{"id": "fast_reactions"}]), FOE), "2")
    assert isinstance(fast.question, Choice)
    (faster,) = [option for option in fast.question.options if option.action == "fast_reactions"]
    assert faster.label.endswith("(3 left)")
    assert about(fast)["each roll at"] == "-1D"
    answer(fast, "fast_reactions")
    assert (about(fast)["left"], about(fast)["each roll at"]) == (3, "-1D")


@pytest.mark.rule("opend6.fate.timing", "opend6.gap.resistance.wounds")
def test_a_character_who_is_asked_on_an_attack_knows_of_whom_with_what_and_against_what() -> None:
    armoured = [{"item": "short_sword", "place": "hand"}, {"item": "hard_leather", "place": "worn"}]
    session = begin(HERO, person(FOE, fate_points=1, belongings=armoured), options={"points.asked": "always"})
    answer(session, "1", "slash:b:short_sword")
    assert (last(session, "Swung").target, last(session, "Swung").how) == ("b", "short sword")
    answer(session, HIT, [5, 5, 5])
    assert (session.seat, about(session)) == ("b", {"damage": 20, "resistance": "4D+1"})
    assert not events(answer(begin(HERO, FOE), "1", "slash:b:short_sword", MISS), "Swung")


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


# ---------------------------------------------------------------------- the odds of what is offered


@pytest.mark.rule("opend6.gap.defence.full", "opend6.gap.defence.partial")
@pytest.mark.parametrize("use", ["dodge", "parry::short_sword", "block"])
def test_the_odds_of_a_full_defence_have_its_ten_in_them(use: str) -> None:
    session = answer(begin(HERO, FOE), "1")
    assert expected(session, f"full_{use}", "total") == expected(session, use, "total") + 10


@pytest.mark.rule("opend6.gap.attack.hit", "opend6.cp.timing")
def test_the_chance_to_hit_is_told_with_points_as_without() -> None:
    chance = expected(answer(begin(HERO, FOE), "1"), "slash:b:short_sword", "hit")
    rich = answer(begin(person(character_points=3), FOE), "1", "use_points::yes")
    behind = preview(rich, ActionUse("slash", "b", "short_sword"))
    assert behind.mechanic is aim
    unspent = odds(aim(*behind.arguments[:6])).expected(aim.objectives["hit"])
    assert unspent == chance == odds(skill_roll(C("4D"), assumed=5)).chance(lambda one: one.enough)


@pytest.mark.rule("opend6.cp.timing", "opend6.fate.timing", "opend6.gap.damage.total")
@each_case(
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
        (initiative, "thrifty", Initiative(12, 2), 12 - 12),
    ],
)
def test_value_of_points(rule: Any, name: str, result: Any, worth: int) -> None:
    assert rule.objectives[name](result) == worth


@pytest.mark.rule("opend6.initiative.points")
def test_a_character_point_on_initiative_is_not_worth_its_die() -> None:
    first, second = advise(initiative(C("3D"), points=1)).choices[0].options
    assert first.value == odds(initiative(C("3D"), 0, 0, 0)).expected(lambda found: found.total)
    assert (first.best, second.best) == (True, False)
