"""Checks that are rolled again by a power."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, status
from systems.stage.fights import ONE, act, asked, duel, fighter, place
from systems.stage.people import plan, refused, session_of, somebody
from systems.stage.test_powers import ROWS, id_of, of_type
from tablewright.dice import TypedDice
from tablewright.engine import Choice, odds, play
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.defences import defences, rerolling, rerolls_left
from tablewright.systems.stage.mechanics.attack import attack
from tablewright.systems.stage.mechanics.checks import flat, set_difficulty
from tablewright.systems.stage.mechanics.forms import Defence, Form
from tablewright.systems.stage.mechanics.rerolls import (
    RerolledResult,
    ReSetResult,
    compete_again,
    flat_again,
    opposed_again,
    set_again,
    unnoticed_again,
)
from tablewright.systems.stage.values import SKILLS


def yes_then_no(asked: Choice[object]) -> int:
    return asked.ids.index("yes")


@pytest.mark.rule("stage.power_effect.reroll")
def test_the_new_result_stands_even_if_it_is_worse() -> None:
    call = flat_again(2, 8)
    assert play(call, TypedDice([6, 6, 1, 1]), yes_then_no).result == RerolledResult(False, False, 1)
    assert play(call, TypedDice([6, 6]), lambda asked: asked.ids.index("no")).result == RerolledResult(True, False, 0)
    assert play(set_again(1), TypedDice([5, 2]), yes_then_no).result == ReSetResult(2, False, 1)


@pytest.mark.rule("stage.power_effect.reroll")
@pytest.mark.parametrize(("dice", "difficulty", "untrained"), [(1, 4, False), (2, 9, False), (2, 7, True)])
def test_only_a_failure_is_best_rolled_again(dice: int, difficulty: int, untrained: bool) -> None:
    once = odds(flat(dice, difficulty, 0, untrained)).chance(lambda result: result.success)
    for rerolls in (0, 1, 2):
        exact = odds(flat_again(dice, difficulty, 0, untrained, rerolls=rerolls), "success")
        assert exact.chance(lambda result: result.success) == 1 - (1 - once) ** (rerolls + 1)
    assert odds(flat_again(1, 3, rerolls=1), "success").chance(lambda result: bool(result.rerolls)) == Fraction(1, 3)


@pytest.mark.rule("stage.power_effect.reroll")
def test_points_are_rolled_again_below_what_is_to_be_expected() -> None:
    exact = odds(set_again(1, rerolls=1), "result")
    assert exact.chance(lambda made: made.rerolls == 1) == Fraction(1, 3)  # a 1 or a 2: 3.5 less the price is more
    assert exact.expected(lambda made: made.result) == Fraction(1, 3) * Fraction(7, 2) + Fraction(3 + 4 + 5 + 6, 6)
    plain = odds(set_again(2, 1, rerolls=0)).expected(lambda made: made.result)
    assert plain == odds(set_difficulty(2, 1)).expected(lambda made: made.result)


@pytest.mark.rule("stage.power_effect.reroll", "stage.power.announce")
@pytest.mark.parametrize("name", of_type("reroll"))
def test_a_reroll_is_paid_for_when_it_is_made(name: str) -> None:
    skill, cost = ROWS[name]["effect"]["skill"], dict(ROWS[name]["cost"])["stamina"]
    key = {"agility": "agility.balance", "athletics": "athletics.climb"}[skill]
    session = session_of({"ann": somebody(guile=5, agility=1, athletics=1, name="Ann", powers=(id_of(name),))})
    situation = ["difficulty=5", f"powers={id_of(name)}"]
    session.do("table.check", who="ann", what=key, situation=situation)
    answer(session, [2], "yes", [3], "yes", [5], "no")
    assert session.result == RerolledResult(True, False, 2)
    assert session.scene["ann"].status.stamina == 7 - 2 * cost
    session.do("table.check", who="ann", what=key, situation=situation)
    answer(session, [6], "no")  # it is asked also after a success
    assert session.scene["ann"].status.stamina == 7 - 2 * cost
    poor = somebody(agility=1, athletics=1, powers=(id_of(name),))
    hurt = poor.changed(wounds=poor.wounds.changed(stamina=0, vitality=cost))  # it is paid from the core then
    assert plan(hurt, key, difficulty=5, powers=id_of(name)).call.mechanic.name == "stage.flat_again"
    weak = poor.changed(wounds=poor.wounds.changed(stamina=0, vitality=cost - 1))
    assert plan(weak, key, difficulty=5, powers=id_of(name)).call.mechanic.name == "stage.flat"
    refused("does nothing for Guile", plan, somebody(3, powers=(id_of(name),)), "guile.sneak", powers=id_of(name))


@pytest.mark.rule("stage.power_effect.reroll", "stage.check.flat")
@pytest.mark.parametrize(("stamina", "mechanic"), [(1, "stage.set_difficulty"), (2, "stage.set_again")])
def test_points_spent_on_a_check_do_not_pay_for_its_reroll(stamina: int, mechanic: str) -> None:
    (name,) = [name for name in of_type("reroll") if ROWS[name]["effect"]["skill"] == "agility"]
    assert dict(ROWS[name]["cost"]) == {"stamina": 2}  # and a tumble costs 1
    lucky = somebody(guile=5, agility=1, powers=(id_of(name),))
    lucky = lucky.changed(wounds=lucky.wounds.changed(stamina=stamina, vitality=1))
    assert plan(lucky, "agility.tumble", powers=id_of(name)).call.mechanic.name == mechanic


@pytest.mark.rule("stage.power_effect.reroll")
@pytest.mark.parametrize("name", of_type("reroll"))
def test_a_power_rolls_checks_of_its_own_skill_again_and_no_others(name: str) -> None:
    session = session_of({"ann": somebody(3, name="Ann", powers=(id_of(name), "iron_man"))})
    found = {skill: rerolling(session.scene, "ann", skill) for skill in SKILLS}
    assert {skill for skill, one in found.items() if one is not None} == {ROWS[name]["effect"]["skill"]}


# ---------------------------------------------------------------------- against a character


def two(mine: tuple[str, ...] = (), theirs: tuple[str, ...] = (), **skills: int) -> Session:
    """Ann and Bob with all skills at 2, and some powers."""
    people = {"ann": somebody(2, name="Ann", powers=mine, **skills), "bob": somebody(2, name="Bob", powers=theirs)}
    return session_of(people)


def pay(session: Session) -> tuple[int, int]:
    """The Stamina that both have spent."""
    return tuple([16 - session.scene[who].status.stamina for who in ("ann", "bob")])


@pytest.mark.rule("stage.power_effect.reroll", "stage.opposed.basic", "stage.athletics.pursue")
def test_both_sides_of_a_chase_may_roll_again() -> None:
    session = two(("the_zone",), ("the_zone",))
    words = {"situation": ["powers=the_zone"], "other_situation": ["powers=the_zone"]}
    session.do("stage.pursue", who="ann", pursued="bob", cubes=3, **words)
    answer(session, [1, 1, 1], "yes", [2, 2, 2], "no", [1, 2], "yes", [3, 3], "no")
    assert session.result == 2
    assert pay(session) == (2, 2)


@pytest.mark.rule("stage.power_effect.reroll", "stage.athletics.compete")
def test_a_character_who_competes_may_roll_again_and_a_tie_is_rolled_again() -> None:
    session = two(("the_zone",))
    words = {"what": "athletics.compete", "against": "bob", "situation": ["powers=the_zone"]}
    session.do("table.contest", who="ann", **words)
    answer(session, [1, 2], "yes", [3, 3], "no", [2, 4], [3, 3], "yes", [6, 6], "no", [6, 5])
    assert session.result.success
    assert pay(session) == (4, 0)


@pytest.mark.rule("stage.power_effect.reroll", "stage.athletics.compete")
def test_of_several_who_compete_each_may_roll_again() -> None:
    session = two(("the_zone",))
    session.do("stage.ranking", who=["ann", "bob"])
    answer(session, [1, 1], "yes", [6, 6], "no", [6, 5])
    assert session.result == ("ann", "bob")
    assert pay(session) == (2, 0)


@pytest.mark.rule("stage.power_effect.reroll", "stage.opposed.basic")
@pytest.mark.parametrize(("rerolls", "opposing"), [(1, 0), (0, 1)])
def test_the_odds_of_a_contest_with_rerolls(rerolls: int, opposing: int) -> None:
    faces, later = range(1, 7), Fraction(1, 6)
    own = {face: Fraction(7 - face, 6) for face in faces}  # the chance to reach a number
    reached = {face: 1 - (1 - own[face]) ** (1 + rerolls) for face in faces}
    mean = sum([reached[face] * later for face in faces])
    expected = sum([later * (min(reached[face], mean) if opposing else reached[face]) for face in faces])
    exact = odds(opposed_again(1, 1, rerolls=rerolls, opposing_rerolls=opposing), "success")
    assert exact.chance(lambda made: made.success) == expected
    hidden = odds(unnoticed_again(1, 1, rerolls=opposing, opposing_rerolls=rerolls), "success")
    assert hidden.chance(lambda made: not made.success) == expected


@pytest.mark.rule("stage.power_effect.reroll", "stage.opposed.basic")
def test_a_failed_check_of_a_contest_is_rolled_again_and_so_is_a_low_result_before_it() -> None:
    for rerolls, again in (((1, 0), Fraction(15, 36)), ((0, 1), Fraction(1, 2))):  # a 1, 2 or 3 is not likely to do
        exact = odds(opposed_again(1, 1, rerolls=rerolls[0], opposing_rerolls=rerolls[1]), "worth")
        assert exact.chance(lambda made: made.rerolls + made.opposing_rerolls == 1) == again


@pytest.mark.rule("stage.power_effect.reroll", "stage.athletics.compete")
def test_the_odds_to_be_best_with_a_reroll() -> None:
    plain = odds(compete_again(1, 1), "success")
    assert plain.chance(lambda made: made.success) == Fraction(1, 2)
    better, worse = [
        odds(compete_again(1, 1, rerolls=mine, opposing_rerolls=1 - mine), "success").chance(lambda made: made.success)
        for mine in (1, 0)
    ]
    assert better == Fraction(7, 11)
    assert worse == Fraction(43, 128)  # the one who rolls last knows what there is to beat


@pytest.mark.rule("stage.power_effect.reroll", "stage.athletics.pursue")
def test_a_chase_in_a_fight_is_rolled_again() -> None:
    ann, bob = (somebody(2, powers=("the_zone",)) for _ in range(2))
    session = duel(ann, bob, apart=1)
    choices = {"run?": "run", "roll it again": ["no", "yes", "no"], "where to?": ["4,5"]}
    act(session, "pursue:bob", faces=[[3, 3, 3], [1, 1], [6, 6]], choices={**choices, "where to?": []})
    assert session.scene["ann"].position == session.scene["bob"].position
    assert (status(session).stamina, status(session, "bob").stamina) == (14, 16)


# ---------------------------------------------------------------------- as often as there are points


@pytest.mark.rule("stage.power_effect.reroll")
def test_a_check_is_rolled_again_as_often_as_it_can_be_paid_for() -> None:
    """Eleven points pay five rerolls at 2 points each; nineteen pay nine, which no rule cuts short."""
    lucky = somebody(guile=5, close_combat=6, brawl=6, agility=1, powers=("acrobats_luck",))
    session = session_of({"ann": lucky})
    had = status(session).stamina
    situation = ["difficulty=5", "powers=acrobats_luck"]
    session.do("table.check", who="ann", what="agility.balance", situation=situation)
    for _ in range(8):
        answer(session, [1], "yes")
    answer(session, [5], "no")
    assert session.result == RerolledResult(True, False, 8)
    assert status(session).stamina == had - 16
    assert rerolls_left(session.scene, "ann", "agility") == status(session).left("body") // 2


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.defensive")
def test_a_defence_is_rolled_again_as_often_as_it_can_be_paid_for() -> None:
    """One die to hit against one die: the defender rolls again whatever is below 6, four times or none."""

    def hit(left: int) -> Fraction:
        dodge = Defence("dodge", 1, reroll=2)
        call = attack((Form("plain", 1),), 0, 0, (dodge,), left=left)
        return odds(call, "hit").chance(lambda made: made.hit)

    never, four = hit(1), hit(8)
    assert never == Fraction(21, 36)
    best = Fraction(7, 2) / 6  # what a last roll leaves to be hit with: the mean of (7 - result) / 6
    for _ in range(4):
        best = sum([min(Fraction(7 - result, 6), best) for result in range(1, 7)], Fraction(0)) / 6
    assert four == best


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.procedure")
def test_a_first_roll_is_repeated_as_often_as_it_can_be_paid_for() -> None:
    for rerolls in (0, 1, 5, 20):
        call = attack((Form("plain", 1, reroll=2, rerolls=rerolls),), 5)
        assert odds(call, "hit").chance(lambda made: made.hit) == 1 - Fraction(2, 3) ** (rerolls + 1)


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.defend_other")
def test_an_ally_who_dodges_for_a_character_rolls_again_for_points_of_their_own() -> None:
    lucky = somebody(agility=4, perception=1, academics=1, powers=("interference", "acrobats_luck"))
    session = duel(fighter(), fighter(), place(lucky, "foes", who="cat"), theirs={"ap": 0, "stamina": 0, "vitality": 1})
    choices = {**ONE, "how to defend": "nothing", "defend your neighbour": "dodge+interference", "roll again": "yes"}
    act(session, "attack:bob:spear", faces=[[1] * 4, [3] * 4, [6]], choices=choices)
    (struck,) = events(session, "Attacked")
    assert (struck.hit, struck.ally, struck.defence) == (False, "cat", "dodge+interference+acrobats_luck")
    assert (status(session, "cat").stamina, status(session, "cat").ap) == (4 - 1 - 2, 2)
    assert status(session, "bob").vitality == 1


# ---------------------------------------------------------------------- defences


def spearman(**fields: Any) -> Any:
    return somebody(2, **{"has": ["spear@hand"], **fields})


def lucky(**fields: Any) -> Any:
    return somebody(4, **{"powers": ("acrobats_luck",), **fields})


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.trip_push")
def test_a_dodge_of_a_special_attack_is_rolled_again() -> None:
    session = duel(somebody(2), lucky())
    choices = {"how to defend": "dodge", "roll again": ["yes", "no"]}
    act(session, "trip:bob", faces=[[1] * 5, [6] * 5, [6, 6]], choices=choices)
    assert not events(session, "Tried")[0].success
    assert events(session, "Tried")[0].defence == "dodge+acrobats_luck"
    assert (status(session, "bob").stamina, status(session, "bob").ap) == (30, 2)


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.attack_form")
def test_a_dodge_of_a_swing_is_rolled_again() -> None:
    ann = spearman(close_combat=6, powers=("whirlwind_attack",))
    session = duel(ann, lucky())
    choices = {"dice for the first roll": "7", "how to defend": "dodge", "roll again": ["yes", "no"]}
    act(session, "attack:bob:spear+whirlwind_attack", faces=[[1] * 4, [6] * 4, [1] * 7], choices=choices)
    assert not events(session, "Attacked")[0].hit
    assert status(session, "bob").stamina == 30


@pytest.mark.rule("stage.power_effect.reroll", "stage.agility.dodge", "stage.resource.death")
def test_a_dodge_is_rolled_again_as_often_as_it_is_paid_for() -> None:
    session = duel(spearman(), lucky())
    session.do("stage.perform", who="ann", use="attack:bob:spear")
    session.choose("2")
    assert "left before death" not in asked(session).details, "there are points enough"
    answer(session, "dodge", [1] * 4, "yes", [2] * 4, "yes", [3] * 4, "no", [6, 6])
    assert not events(session, "Attacked")[0].hit
    assert status(session, "bob").stamina == 28


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.substitute_skill")
@pytest.mark.parametrize(
    ("power", "rerolls"), [("acrobats_luck", {"dodge": 2, "running": 0}), ("the_zone", {"dodge": 0, "running": 2})]
)
def test_the_skill_that_is_rolled_decides_by_which_power(power: str, rerolls: dict[str, int]) -> None:
    bob = somebody(5, powers=("running_dodge", power))
    session = duel(spearman(), bob)
    found = {way.name: way.reroll for way in defences(session.scene, "bob", "ann", melee=True).ways}
    assert (found["dodge"], found["dodge+running_dodge"]) == (rerolls["dodge"], rerolls["running"])
