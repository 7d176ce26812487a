"""Luck wherever a check is made: before the roll and after it, on simple checks, one limit for each check, unseen."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import fighter, held, playing, scene_with, went, with_status
from systems.renaissance.folk import plan, session_of, somebody
from tablewright.dice import TypedDice
from tablewright.engine import Trace, odds, play
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.vitals import Damage
from tablewright.systems.renaissance.actions.attack import worth_of
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.harm import Defence, keep_up
from tablewright.systems.renaissance.mechanics.luck import Done, lucky_simple
from tablewright.systems.renaissance.mechanics.turn import resist, stress
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.values import DV, Quality

ANN = fighter("Ann", ("short_sword", "main"))
DARING = "renaissance.gap.class.daredevil"


def bold(name: str = "Bob", luck: int = 2, **more: Any) -> Any:
    return fighter(name, ("mace", "main"), classes=("daredevil",), luck=luck, **more)


def asked(session: Any) -> str:
    """Key of the open question."""
    return str(session.question.question)


# ---------------------------------------------------------------------- daring


@pytest.mark.rule(DARING, "renaissance.luck.ignore_penalties", "renaissance.defense.fray")
def test_a_daredevil_dares_a_defence() -> None:
    scene = with_status(scene_with((ANN, 5, 5), (bold(), 6, 5)), "bob", wounds=1)
    session = went(scene, "attack:bob:short_sword", "plain", 29)
    fray = now(scene, "bob").skill("fray").total
    assert {"fray", "fray:dare", "fray:ignore_penalties", "fray:ignore_penalties:dare"} <= set(offered(session))
    labels = dict(zip(offered(session), [one.label for one in session.question.options], strict=True))  # type: ignore[union-attr]
    assert labels["fray:ignore_penalties:dare"] == f"fray at {fray + 30}, ignoring penalties, daring it"
    answer(session, "fray:dare", fray + 20)
    assert last(session, "Attacked").result == "miss"
    assert session.scene["bob"].status.luck == 1
    plain = went(scene_with((ANN, 5, 5), (fighter("Bob", luck=2), 6, 5)), "attack:bob:short_sword", "plain", 29)
    assert not [one for one in getattr(plain.question, "ids", ()) if "dare" in one]


@pytest.mark.rule(DARING)
def test_a_character_who_has_dared_a_defence_stands_by_it_when_a_tie_is_rolled_again() -> None:
    call = clash(60, (Defence("fray", 40, 0, 20),), 0, 2)

    def dares(ask: Any) -> int:
        return ask.ids.index("fray:dare") if "fray:dare" in ask.ids else 0

    done = play(call, TypedDice([50, 50, 55, 57]), dares)
    assert (done.result.hit, done.result.their_luck) == (False, 1)
    assert [one for one in odds(call, "hit").outcomes if one.their_luck > 2] == []


@pytest.mark.rule(DARING, "renaissance.injury.knockdown")
def test_a_daredevil_dares_to_stay_on_their_feet() -> None:
    assert play(keep_up(30, luck=1, daring=20), TypedDice([50]), lambda ask: 1).result == (True, 1)
    with_it = odds(keep_up(30, luck=1, daring=20), "passed").chance(lambda kept: kept.passed)
    assert with_it == Fraction(51, 100)
    scene = held(scene_with((ANN, 5, 5), (bold(luck=1, SOM=10), 6, 5)), "bob", "unaware")
    session = went(scene, "attack:bob:short_sword", "plain", 29, (4, 4))
    assert asked(session) == "ignore the penalties on the check"
    answer(session, "no")
    assert asked(session) == "dare it, for +20"
    answer(session, "yes", 30)  # SOM x3 is 30, less 20 for two wounds
    assert (last(session, "Attacked").wounds, session.scene["bob"].status.has("prone")) == (2, False)
    assert session.scene["bob"].status.luck == 0


@pytest.mark.rule(DARING, "renaissance.chemical.framework", "renaissance.stress.resist")
def test_a_daredevil_dares_to_resist() -> None:
    assert play(resist(30, luck=1, daring=20), TypedDice([50]), lambda ask: 1).result == (True, 1)
    done = play(stress(DV(1), 30, luck=1, daring=20), TypedDice([50]), lambda ask: 1).result
    assert (done.stress, done.luck) == (0, 1)
    scene = scene_with((bold("Ann", 1), 5, 5), (fighter("Bob"), 6, 5))
    session = playing(scene, "renaissance.stress", who="ann", source="torture")
    assert asked(session) == "dare it, for +20"
    answer(session, "yes", 60)
    assert (last(session, "Stressed").stress, session.scene["ann"].status.luck) == (0, 0)


@pytest.mark.rule(DARING, "renaissance.luck.stat")
def test_daring_tells_nobody_how_much_luck_is_left() -> None:
    for luck in (0, 2):
        scene = scene_with((bold("Ann", luck, race="human"), 5, 5), (fighter("Bob"), 6, 5))
        me = now(scene, "ann")
        assert (me.daring, me.rolls_twice("deception")) == (20, True)


# ---------------------------------------------------------------------- simple checks


@pytest.mark.rule("renaissance.simple.check", "renaissance.luck.flip", DARING)
def test_luck_serves_on_simple_checks_and_upgrades_nothing() -> None:
    def yes(ask: Any) -> int:
        assert ask.ids == ("no", "yes")
        return 1

    assert play(lucky_simple(40, 1), TypedDice([93]), yes).result == Done(Quality.EXCEL, 1)  # turned it is 39
    assert play(lucky_simple(39, 1), TypedDice([93]), yes).result == Done(Quality.EXCEL, 1)  # exactly what it takes
    assert play(lucky_simple(40, 1), TypedDice([14]), yes).result == Done(Quality.EXCEL, 0)  # nothing to turn
    assert play(lucky_simple(40, 1), TypedDice([95]), yes).result == Done(Quality.STUMBLE, 0)
    # The only point ignores the penalty of 20 before the roll; 93 stays above 60, and nothing is left to make it 39.
    assert play(lucky_simple(40, 1, 20), TypedDice([93]), yes).result == Done(Quality.STUMBLE, 1)
    assert play(lucky_simple(40, 2, 20), TypedDice([93]), yes).result == Done(Quality.EXCEL, 2)
    assert play(lucky_simple(40, 3, 10, 20), TypedDice([70]), yes).result == Done(Quality.EXCEL, 2)
    assert play(lucky_simple(40, 3, 10, 20, luck_per_check=1), TypedDice([50]), yes).result == Done(Quality.EXCEL, 1)
    assert play(lucky_simple(40, 1, second_roll=True), TypedDice([95, 40]), yes).result == Done(Quality.EXCEL, 1)
    assert odds(lucky_simple(40, 0))[Done(Quality.EXCEL, 0)] == Fraction(41, 100)


@pytest.mark.rule("renaissance.simple.check", "renaissance.luck.flip")
def test_a_simple_check_in_a_scene_takes_luck() -> None:
    ann = somebody("Ann", luck=2, skills={"stealth": 20})
    found = plan("stealth", ann, simple=True, luck=1)
    assert found.call.mechanic is lucky_simple
    session = session_of({"ann": ann})
    goal = plan("stealth", ann, simple=True).tallies["target"].total
    session.do("table.check", who="ann", what="stealth", situation=("simple=yes",))
    answer(session, 89 + goal // 10, "yes")  # turned it is less than the target
    assert session.scene["ann"].status.luck == 1


# ---------------------------------------------------------------------- one limit for each check


@pytest.mark.rule("renaissance.luck.limit", "renaissance.injury.knockdown")
def test_the_limit_is_one_for_the_defence_and_one_for_staying_upright() -> None:
    limited = attack(90, DV(0, 7), (Defence("fray", 20),), balance=10, their_luck=3, luck_per_check=1)
    assert max([one.their_luck for one in odds(limited, lambda one: 9 * one.prone + 9 * one.hit).outcomes]) == 2
    lucky = fighter("Bob", luck=3, SOM=10, skills={"unarmed_combat": 0})
    scene = scene_with((ANN, 5, 5), (lucky, 6, 5), luck_per_check=1)
    session = went(scene, "attack:bob:short_sword", "plain", 28, 13)  # turned it is 31
    assert asked(session) == "flip the defence"
    answer(session, "no", (2, 2))
    assert asked(session) == "ignore the penalties on the check"
    answer(session, "yes", 93)  # turned it would be 39, above SOM x3; no second point on one check
    assert session.scene["bob"].status.luck == 2


@pytest.mark.rule("renaissance.luck.limit", "renaissance.stress.trauma_stun")
def test_the_limit_counts_for_resisting_and_for_staying_calm_each() -> None:
    def yes(ask: Any) -> int:
        return 1

    call = stress(DV(0, 9), 20, nerves=20, penalties=10, luck=3, luck_per_check=1)
    done = play(call, TypedDice([90, 95]), yes).result
    assert (done.stress, done.traumas, done.luck) == (9, 1, 2)


# ---------------------------------------------------------------------- what others see


@pytest.mark.rule("renaissance.luck.stat", "renaissance.gap.money.crafting")
def test_remaining_luck_is_told_to_nobody() -> None:
    assert play(resist(60, luck=5), TypedDice([30]), lambda ask: 0).result.luck == 0
    missed = play(clash(60, (), 5, 4), TypedDice([77]), lambda ask: 0).result
    assert (missed.luck, missed.their_luck) == (0, 0)
    smith = somebody("Ann", COG=15, luck=3, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"),))
    session = session_of({"ann": smith})
    session.do("renaissance.craft", who="ann", item="mace", field="smith")
    answer(session, 20, "keep the result")
    traced = [line for line in session.log if isinstance(line, Trace)][-1]
    assert "luck" in traced.private


# ---------------------------------------------------------------------- whose doing it is


@pytest.mark.rule("renaissance.area.blast", "renaissance.gap.hazard.fire", "renaissance.gap.creature.attacks")
def test_harm_of_blasts_and_flames_is_the_thrower_s() -> None:
    thrower = fighter("Ann", ("cocktail", "main"))
    scene = scene_with((thrower, 5, 5), (fighter("Bob"), 10, 5))
    session = went(scene, "attack:bob:cocktail", 20, 8, 50)
    (hurt,) = events(session, "Hurt")
    assert (hurt.who, hurt.by, hurt.doer) == ("bob", "cocktail", "ann")
    assert session.scene["bob"].status.held("burning").by == "ann"
    answer(session, "end_turn", 4)
    assert [one.doer for one in events(session, "Hurt")] == ["ann", "ann"]
    assert rulebook.vitals is not None
    after = scene.with_status("bob", damage=hurt.damage)
    assert [*rulebook.vitals.damage_from(scene, hurt, after)] == [Damage("bob", hurt.damage, "ann", "cocktail")]


@pytest.mark.rule("renaissance.injury.knockdown", "renaissance.check.waive")
def test_a_character_who_lies_on_the_ground_does_not_roll_to_stay_on_their_feet() -> None:
    for prone in (True, False):
        scene = held(scene_with((ANN, 5, 5), (fighter("Bob", luck=2), 6, 5)), "bob", "unaware", *(["prone"] * prone))
        session = went(scene, "attack:bob:short_sword", "plain", 29, (4, 4))
        assert (asked(session) == "ignore the penalties on the check") is not prone
        assert (last(session, "Attacked").wounds == 2) if prone else session.question is not None
    lying = attack(60, DV(2, 6), balance=None, ignoring=False)
    assert not any(one.prone for one in odds(lying).outcomes)
    assert worth_of(lying) == odds(lying, "worth").expected(lying.mechanic.objective("worth")[1])
    fallen = playing(
        held(scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5)), "ann", "prone"), "renaissance.fall", who="ann", metres=6
    )
    answer(fallen, (9, 9, 9))
    assert (fallen.question, last(fallen, "Hurt").wounds) == (None, 4)
