"""Powers in use, and the gifts of classes, races and traits in fights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    arm,
    at_home,
    defended,
    duel,
    fighter,
    goal,
    held,
    playing,
    scene_with,
    target_of,
    went,
    with_status,
)
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError
from tablewright.game.ground.position import cell
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.actions.aim import aim, all_defences
from tablewright.systems.renaissance.actions.maneuvers import own_goal, their_goal
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.content import CombatManeuver
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.luck import lucky_contest
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.values import DV, Variable

SWORD = ("short_sword", "main")
ANN, BOB = fighter("Ann", SWORD), fighter("Bob", ("mace", "main"), race="human")


def mage(*powers: str, items: tuple[tuple[str, str], ...] = (), **more: Any) -> Any:
    """A character with powers."""
    return fighter("Ann", *items, race="human", powers=powers, **more)


def dv(scene: Scene, key: str) -> tuple[int, int, int]:
    """Dice, flat bonus and AP of an attack on Bob."""
    given = aim(scene, "ann", "bob", arm(scene, "ann", key)).call.named_arguments()
    return given["dv"].dice, given["dv"].plus, given["ap"]


# ---------------------------------------------------------------------- powers


@pytest.mark.rule("renaissance.gap.power.list")
def test_a_jump_goes_as_far_as_two_full_rates_and_is_no_movement_action() -> None:
    session = went(duel(mage("jump"), BOB, 5), "use_power::jump")
    far = 2 * now(session.scene, "ann").numbers.full
    assert f"destination::{5 + far},5" in offered(session)
    assert f"destination::{6 + far},5" not in offered(session)
    answer(session, "destination::11,5")
    assert session.scene["ann"].position == cell(11, 5)
    assert not session.scene["ann"].status.turn.moved


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.movement.one_per_turn")
def test_weaving_lets_one_dodge_with_athletics_and_twenty_more() -> None:
    session = went(duel(mage("weave"), BOB), "use_power::weave", "destination::here")
    assert session.scene["ann"].status.spent == {"standard": 1}
    assert [(one.id, one.degree, one.source) for one in session.scene["ann"].status.lasting] == [
        ("weaving", 20, "athletics")
    ]
    moved = went(duel(mage("weave"), BOB, 10), "move", "toward:bob")
    here = moved.scene["ann"].position
    answer(moved, "use_power::weave")  # without a second move
    assert (moved.scene["ann"].status.has("weaving"), moved.scene["ann"].position) == (True, here)


def test_sneak_attacks_and_shield_bashes() -> None:
    scene = duel(mage("sneak_attack", items=(SWORD,)), BOB)
    assert [dv(one, "short_sword")[0] for one in (scene, held(scene, "bob", "unaware"))] == [2, 3]
    shield = (("small_shield", "off"),)
    assert dv(duel(mage("shield_bash", items=shield), BOB), "bashing_shield@off") == (2, 0, 0)
    assert now(duel(mage(items=shield), BOB), "ann").arm("bashing_shield@off") is None


@pytest.mark.rule(
    "renaissance.action.check_at_start", "renaissance.action.failed_task_time", "renaissance.modifier.retry"
)
@pytest.mark.parametrize(
    ("given", "rolled", "mine", "seconds"),
    [
        ({}, (30, 20), 60, 300),
        ({}, (15, 20), 60, 60),
        ({"attempt": 2}, (30, 20), 50, 300),
        ({"steps": 2}, (30, 20), 80, 600),
    ],
)
def test_charming_is_a_task_that_is_resisted_like_other_manipulation(
    given: Any, rolled: tuple[int, int], mine: int, seconds: int
) -> None:
    charmer = fighter("Ann", powers=("charm",), skills={"persuasion": 40})
    scene = at_home(charmer, fighter("Bob", SAV=15, INT=10))
    session = playing(scene, "renaissance.charm", who="ann", target="bob", **given)
    assert session.scene.clock.now == 0  # the check comes first
    answer(session, *rolled)
    assert (target_of(session, "a"), target_of(session, "b")) == (mine, 15 + 10)
    assert session.scene.clock.now == seconds
    assert session.scene["bob"].status.has("charmed") is (rolled[0] > rolled[1])
    with pytest.raises(IllegalActionError, match="Bob hears nothing"):
        playing(with_status(scene, "bob", dead=True), "renaissance.charm", who="ann", target="bob")


# ---------------------------------------------------------------------- beasts and shapes


def test_a_shifter_changes_shape() -> None:
    session = playing(duel(fighter("Ann", race="shifter", features=("hybrid_claws", "hybrid_teeth")), BOB))
    assert "attack:bob:shifter_claws" not in offered(session)
    answer(session, "change_shape", "end_turn", "end_turn")
    assert "attack:bob:shifter_claws" in offered(session)


@pytest.mark.parametrize(
    ("race", "weapon", "harm"),
    [
        ("wolf", "wolf_bite", (1, 4, 0)),
        ("wolverine", "wolverine_claws", (1, 3, 0)),
        ("cougar", "cougar_claws", (1, 6, 1)),
        ("black_bear", "bear_claws", (2, 6, 1)),
        ("raptor", "raptor_bite", (1, 7, 1)),
        ("frozen_horror", "horror_talons", (2, 10, 3)),
    ],
)
def test_beasts_strike_with_what_they_have(race: str, weapon: str, harm: tuple[int, int, int]) -> None:
    assert dv(duel(fighter("Ann", race=race), BOB), weapon) == harm


@pytest.mark.rule("renaissance.gap.creature.attacks")
def test_an_exceptional_bite_holds_on_and_a_cougar_rakes() -> None:
    session = went(duel(fighter("Ann", race="cougar"), BOB), "attack:bob:cougar_bite", "plain", 41, 99, 1, 10)
    assert session.scene["bob"].status.has("grabbed")
    answer(session, "end_turn", "end_turn", "rake:bob", (4, 5), 10)
    assert events(session, "Hurt")[-1].damage == 4 + 5 + 6


# ---------------------------------------------------------------------- Soldier, Warrior, Duelist


@pytest.mark.rule("renaissance.modifier.assist", "renaissance.gap.class.soldier")
def test_three_soldiers_assist_one_and_all_have_helped_then() -> None:
    soldiers = [fighter(name, classes=("soldier",)) for name in ("Dan", "Eve", "Fay", "Gus")]
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), *[(one, 5, 6 + at % 2) for at, one in enumerate(soldiers)])
    for one in soldiers:
        scene = scene.with_participant(evolve(scene[one.name.lower()], side="party"))
    plain = goal(scene, "short_sword")
    for at, who in enumerate(("dan", "eve", "fay")):
        assert goal(scene, "short_sword") == plain + 10 * at
        scene = went(evolve(scene, turn=who), "assist:ann").scene
        fresh = with_status(evolve(scene, turn=who), who, spent=Ranks())
        assert "assist:ann" not in offered(playing(fresh))  # each of them once
    assert goal(scene, "short_sword") == plain + 30
    assert "assist:ann" not in offered(playing(evolve(scene, turn="gus")))
    struck = went(evolve(scene, turn="ann"), "attack:bob:short_sword", "plain", 99)
    assert goal(struck.scene, "short_sword") == plain
    assert last(struck, "Attacked").result == "miss"


@pytest.mark.rule("renaissance.gap.class.list", "renaissance.core.stacking")
def test_a_warrior_cows_anyone_who_was_struck_well_and_that_adds_up() -> None:
    warrior = fighter("Ann", SWORD, race="human", classes=("warrior",), skills={"intimidate": 50})
    session = went(duel(warrior, BOB), "attack:bob:short_sword", "plain", 40, 99, (1, 1), 0, "intimidate:bob", 60, 99)
    found = session.scene["bob"].status.held("cowed")
    assert found is not None
    assert (found.degree, found.by, found.stacks) == (-10, "ann", "apart")
    assert "intimidates Bob" in [one.what for one in events(session, "Acted")]
    scene = held(duel(ANN, BOB), "bob", "cowed", degree=-10, by="ann", source="ann")
    scene = held(held(scene, "bob", "cowed", degree=-10, by="cid", source="cid"), "bob", "guarded", degree=10)
    fray = dict(all_defences(scene, "ann", "bob", arm(scene, "ann", "short_sword")))["fray"]
    assert fray.total == 50 - 10 - 10 + 10
    told = [(part.label, part.value) for part in fray.parts[-3:]]
    assert told == [("cowed", -10), ("cowed", -10), ("full defense", 10)]


@pytest.mark.rule("renaissance.gap.class.list")
def test_a_rival_counts_for_every_combat_skill_that_is_opposed() -> None:
    duelist = mage(items=(SWORD,), classes=("duelist",))
    session = went(scene_with((duelist, 5, 5), (BOB, 6, 5), (fighter("Cid"), 4, 5)), "name_rival", "rival:bob")
    assert goal(session.scene, "short_sword") - goal(session.scene, "short_sword", foe="cid") == 20
    scene = duel(fighter("Ann", SWORD, race="human"), BOB)
    for by, more in (("", 0), ("ann", 10), ("cid", -10)):
        known = held(scene, "bob", "rival", degree=10, by=by, data=-10) if by else scene
        weaving = held(known, "bob", "weaving", degree=20, source="athletics")
        assert defended(weaving, "short_sword") == {
            "fray": 50 + 20 + more,
            "mace": 20 + 20 + more,
            "unarmed": 50 + 20 - 10 + more,
            "athletics": 50 + 20,
        }
        for name, counts in (("trip", more), ("grab", more), ("feint", 0)):
            entry = known.library.get(CombatManeuver, name)
            for found in (own_goal, their_goal):
                assert found(known, "bob", "ann", entry).total == found(scene, "bob", "ann", entry).total + counts


# ---------------------------------------------------------------------- Intuitive Fighter


def brawler(**ranks: int) -> Any:
    """A character who fights by instinct."""
    return fighter("Ann", ("mace", "main"), classes=("intuitive_fighter",), skills={"blunt_weapons": 0, **ranks})


@pytest.mark.rule("renaissance.gap.class.intuitive_fighter")
def test_instinct_strikes_without_ranks_and_without_special_grades() -> None:
    scene = duel(brawler(), BOB)
    me = now(scene, "ann")
    assert (me.skill("blunt_weapons").total, me.graded("blunt_weapons")) == (20 + 20, False)  # SOM+COO
    session = went(scene, "attack:bob:mace", "mighty_blow", 22, 99, (3, 3), 10)  # a double, and still a plain hit
    hit = last(session, "Attacked")
    assert (hit.result, hit.special, hit.critical, hit.effect) == ("hit", False, False, False)
    assert hit.damage == 6 + 4 + 5  # the mace and DB; neither a bonus nor the dice twice
    trained = duel(brawler(blunt_weapons=20), BOB)
    assert now(trained, "ann").graded("blunt_weapons")
    assert last(went(trained, "attack:bob:mace", "plain", 22, 99, (3, 3, 4, 4), 10), "Attacked").critical
    for graded in (True, False):  # no Luck upgrades what has no grades
        outcomes = odds(attack(60, DV(2), luck=2, graded=graded), "damage").outcomes
        assert any(one.special or one.critical for one in outcomes) is graded


# ---------------------------------------------------------------------- Daredevil


@pytest.mark.rule("renaissance.gap.class.daredevil", "renaissance.luck.limit")
def test_a_daredevil_pays_a_point_for_20_on_an_attack() -> None:
    bold = fighter("Ann", SWORD, classes=("daredevil",), race="human", luck=2)
    session = went(duel(bold, BOB), "attack:bob:short_sword")
    assert {"plain", "plain:dare", "maim:dare", "maim:ignore_penalties:dare"} <= set(offered(session))
    answer(session, "plain:dare", goal(session.scene, "short_sword") + 20, 99)  # just hits
    if offered(session)[0].startswith("keep"):
        answer(session, "keep the result")
    answer(session, (2, 2), 10)
    assert last(session, "Attacked").result.endswith("hit")
    assert session.scene["ann"].status.luck == 1
    plain = went(duel(fighter("Ann", SWORD, luck=2), BOB), "attack:bob:short_sword")
    assert not [one for one in offered(plain) if "dare" in one]
    bolder = fighter("Ann", SWORD, luck=6, classes=("daredevil",))
    scene = with_status(duel(bolder, fighter("Bob", luck=5)), "ann", wounds=2)
    session = went(scene, "attack:bob:short_sword", "plain:ignore_penalties:dare", 26, 99)
    assert offered(session) == ("keep the result", "flip", "upgrade", "flip and upgrade")  # as much as there is
    told = aim(scene, "ann", "bob", arm(scene, "ann", "short_sword")).call.named_arguments()
    assert (told["luck"], told["their_luck"]) == (6, 5)


@pytest.mark.rule("renaissance.gap.class.daredevil")
def test_daring_in_contests_of_both_sides() -> None:
    def won(**given: Any) -> Fraction:
        found = odds(lucky_contest(40, 60, **given), "win")
        return found.expected(lambda contest: contest.result is Variable.A_WINS)

    assert won(a_luck=1, a_daring=20) > won(a_luck=1) > won()
    assert won(b_luck=1, b_daring=38) < won(b_luck=1) < won()
    dared = play(lucky_contest(40, 60, 1, a_daring=20), TypedDice([59, 30]), lambda ask: 1)
    assert (dared.result.result, dared.result.a_spent) == (Variable.A_WINS, 1)


# ---------------------------------------------------------------------- Social Animal


@pytest.mark.rule("renaissance.gap.race.social_animal", "renaissance.maneuver.feint")
def test_a_human_rolls_a_feint_or_its_defence_again_and_nothing_that_is_not_social() -> None:
    human = fighter("Ann", SWORD, race="human", luck=1)
    again = went(duel(human, BOB), "maneuver:bob:feint", 95, 10, "yes", 60)  # a failure against a success
    assert last(again, "Contested").result == "won"
    assert again.scene["ann"].status.luck == 0
    for scene, maneuver in ((duel(human, BOB, social_animal="off"), "feint"), (duel(human, BOB), "trip")):
        question = went(scene, f"maneuver:bob:{maneuver}", 95, 10).question
        assert getattr(question, "question", "") != "roll again"
    me = now(duel(human, BOB), "ann")
    assert (me.rolls_twice("deception"), me.rolls_twice("bladed_weapons")) == (True, False)
    feints = fighter("Ann", SWORD, skills={"deception": 60})
    reads = fighter("Bob", race="human", luck=1, skills={"read": 60})
    session = went(duel(feints, reads), "maneuver:bob:feint", 50, 99)
    assert set(offered(session)) == {"yes", "no"}
    answer(session, "yes", 60)
    assert not session.scene["bob"].status.has("feinted")
    assert session.scene["bob"].status.luck == 0


@pytest.mark.rule("renaissance.gap.race.social_animal", "renaissance.opposed.resolve")
def test_a_second_roll_against_all_that_can_come_of_it() -> None:
    """A point more or less: by hand over every pair of rolls and every second roll."""
    a, b = 40, 55

    def margin(rolled: int, target: int) -> int:
        return rolled if rolled <= target else -1

    def ahead(mine: int, theirs: int) -> int:
        return (mine > theirs) - (mine < theirs)

    ends = [ahead(margin(mine, a), margin(theirs, b)) for mine in range(100) for theirs in range(100)]
    once = Fraction(ends.count(1), ends.count(1) + ends.count(-1))  # a tie is rolled afresh
    won = lost = Fraction(0)
    for mine in range(100):
        for theirs in range(100):
            first = ahead(margin(mine, a), margin(theirs, b))
            if first != -1:
                won += first == 1
                continue
            again = [ahead(margin(rolled, a), margin(theirs, b)) for rolled in range(100)]
            tied = Fraction(again.count(0), 100)  # then both roll again, and the point is spent
            won += Fraction(again.count(1), 100) + tied * once
            lost += Fraction(again.count(-1), 100) + tied * (1 - once)
    expected = won / (won + lost)

    def only_again(ask: Any) -> int:
        return int(ask.question == "roll again")

    found = odds(lucky_contest(a, b, 1, a_again=True), policy=only_again)
    assert found.expected(lambda contest: contest.result is Variable.A_WINS) == expected


@pytest.mark.rule("renaissance.gap.race.social_animal")
def test_the_other_side_may_answer_in_kind() -> None:
    call = lucky_contest(60, 60, 1, 1, a_again=True, b_again=True)
    done = play(call, TypedDice([95, 30, 50, 55]), lambda ask: int(ask.question == "roll again"))
    assert done.result == (Variable.B_WINS, 1, 1)
    ordered = lucky_contest(60, 60, 1, way="ordered", a_again=True)
    again = play(ordered, TypedDice([95, 40, 30]), lambda ask: 1)  # before the other one rolls
    assert again.result == (Variable.A_WINS, 1, 0)


# ---------------------------------------------------------------------- what skills and traits fit


@pytest.mark.rule("renaissance.movement.stunt", "renaissance.gap.trait.list")
def test_the_limber_are_better_where_suppleness_counts() -> None:
    scene = duel(fighter("Ann", traits={"limber": ""}), BOB)
    me = now(scene, "ann")
    assert me.skill("athletics", "suppleness").total == me.skill("athletics").total + 10
    assert me.number("SOM*3", "suppleness").total == me.number("SOM*3").total + 10
    told = rulebook.check("athletics").read(rulebook.subject(scene["ann"], scene), {"when": ["suppleness"]})
    assert told.tallies["target"].total == me.skill("athletics").total + 10


@pytest.mark.rule("renaissance.modifier.specialization")
@pytest.mark.parametrize(
    ("skill", "special", "weapon", "more"),
    [
        ("thrown_weapons", "Throwing Knives", "throwing_knife", 10),
        ("bladed_weapons", "Knives", "dagger", 10),
        ("bladed_weapons", "knife", "dagger", 10),
        ("bladed_weapons", "Short Swords", "short_sword", 10),
        ("bladed_weapons", "Knives", "short_sword", 0),
        ("bladed_weapons", "Daggers", "dagger", 10),
    ],
)
def test_a_specialization_fits_by_what_a_weapon_is(skill: str, special: str, weapon: str, more: int) -> None:
    scene = duel(fighter("Ann", (weapon, "main"), specializations={skill: special}), BOB)
    assert now(scene, "ann").with_weapon(arm(scene, "ann", weapon)).total == 50 + more
