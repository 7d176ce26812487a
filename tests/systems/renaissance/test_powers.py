"""Powers, classes and strikes of the starter pack in use: each changes a scene by what stands in its data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import fighter, held, playing, scene_with, went
from tablewright.game.ground.position import cell
from tablewright.systems.renaissance.actions.aim import aim, attack_goal
from tablewright.systems.renaissance.now import now

BOB = fighter("Bob", ("mace", "main"), race="human")


def mage(*powers: str, items: tuple[tuple[str, str], ...] = (), **more: Any) -> Any:
    """A character with powers."""
    return fighter("Ann", *items, race="human", powers=powers, **more)


def dv(scene: Any, key: str) -> tuple[int, int, int]:
    """Dice, flat bonus and AP of an attack on Bob."""
    arm = now(scene, "ann").arm(key)
    assert arm is not None
    given = aim(scene, "ann", "bob", arm).call.named_arguments()
    return given["dv"].dice, given["dv"].plus, given["ap"]


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.power.definition")
def test_a_fireball_is_held_and_thrown() -> None:
    session = went(scene_with((mage("fireball"), 5, 5), (BOB, 10, 5)), "use_power::fireball")
    assert session.scene["ann"].status.spent == {"quick": 1}
    assert dv(session.scene, "ball_of_fire") == (2, 0, 0)
    answer(session, "attack:bob:ball_of_fire", "plain", 20, 99, (3, 4), 10)
    assert events(session, "Attacked")[-1].damage == 7
    assert session.scene["ann"].status.belongings == ()  # gone
    fierce = went(scene_with((mage("fireball", "intense_fire"), 5, 5), (BOB, 10, 5)), "use_power::fireball")
    assert dv(fierce.scene, "ball_of_fire") == (3, 0, 1)


def test_an_exploding_fireball_spares_its_maker() -> None:
    scene = scene_with((mage("fireball", "exploding_fireball"), 5, 5), (BOB, 6, 5))
    session = went(scene, "use_power::fireball", "explode::ball_of_fire", (5, 5), 20, 99, 10)
    assert {one.who: one.damage for one in events(session, "Hurt")} == {"bob": 8}


@pytest.mark.rule("renaissance.power.guidelines", "renaissance.gap.power.list", "renaissance.area.blast")
@pytest.mark.parametrize(
    ("rolled", "damage"),
    [((99,), None), ((20, 21), None), ((20, 19, 10), 8), ((40, 99, 10), 8 + 5)],  # missed, avoided, hit, exceptional
)
def test_everyone_in_an_explosion_opposes_one_check(rolled: tuple[int, ...], damage: int | None) -> None:
    scene = scene_with((mage("fireball", "exploding_fireball"), 5, 5), (BOB, 6, 5))
    session = went(scene, "use_power::fireball", "explode::ball_of_fire", (5, 5), *rolled)
    assert [one.damage for one in events(session, "Hurt")] == ([] if damage is None else [damage])
    assert [one.what for one in events(session, "Contested")] == ["explosion"]


@pytest.mark.rule("renaissance.attack.unaware", "renaissance.power.guidelines")
def test_an_unaware_character_gets_clear_of_no_explosion() -> None:
    scene = held(scene_with((mage("fireball", "exploding_fireball"), 5, 5), (BOB, 6, 5)), "bob", "unaware")
    session = went(scene, "use_power::fireball", "explode::ball_of_fire", (5, 5), 20, 10)  # no roll of Bob's
    assert events(session, "Hurt")[-1].damage == 8


def test_a_jump_is_no_movement_action() -> None:
    session = went(scene_with((mage("jump"), 5, 5), (BOB, 10, 5)), "use_power::jump", "destination::11,5")
    assert session.scene["ann"].position == cell(11, 5)
    assert not session.scene["ann"].status.turn.moved


def test_weaving_lets_one_dodge_with_athletics_and_twenty_more() -> None:
    session = went(scene_with((mage("weave"), 5, 5), (BOB, 6, 5)), "use_power::weave", "destination::here")
    assert session.scene["ann"].status.spent == {"standard": 1}
    assert [(one.id, one.degree, one.source) for one in session.scene["ann"].status.lasting] == [
        ("weaving", 20, "athletics")
    ]


@pytest.mark.parametrize(
    ("power", "figure", "more"),
    [("fortify", "DUR", 5), ("fortify", "SOM", 5), ("master", "armor", 1), ("heal", "fast_healing", 1)],
)
def test_sustained_powers_give_what_they_say(power: str, figure: str, more: int) -> None:
    scene = scene_with((mage(power), 5, 5), (BOB, 6, 5))
    session = went(scene, f"sustain::{power}", *([f"raise::{figure}"] if power == "fortify" else []))

    def of(state: Any) -> int:
        numbers = now(state, "ann").numbers
        return int(numbers.aptitudes[figure] if figure in numbers.aptitudes else getattr(numbers, figure))

    assert of(session.scene) - of(scene) == more
    answer(session, f"stop_sustaining::{power}")
    assert of(session.scene) == of(scene)


def test_a_won_check_makes_healing_better_while_it_is_sustained() -> None:
    healer = mage("heal", skills={"control": 40})
    session = went(scene_with((healer, 5, 5), (BOB, 6, 5)), "sustain::heal", "improve_power::heal", 60)
    assert now(session.scene, "ann").numbers.fast_healing == 2
    failed = went(scene_with((healer, 5, 5), (BOB, 6, 5)), "sustain::heal", "improve_power::heal", 61)
    assert now(failed.scene, "ann").numbers.fast_healing == 1


def test_a_sneak_attack_has_another_die_against_the_unaware() -> None:
    scene = scene_with((mage("sneak_attack", items=(("short_sword", "main"),)), 5, 5), (BOB, 6, 5))
    assert dv(scene, "short_sword")[0] == 2
    assert dv(held(scene, "bob", "unaware"), "short_sword")[0] == 3


def test_a_shield_bash_makes_the_shield_a_weapon() -> None:
    scene = scene_with((mage("shield_bash", items=(("small_shield", "off"),)), 5, 5), (BOB, 6, 5))
    assert dv(scene, "bashing_shield@off") == (2, 0, 0)
    without = scene_with((mage(items=(("small_shield", "off"),)), 5, 5), (BOB, 6, 5))
    assert now(without, "ann").arm("bashing_shield@off") is None


def test_a_duelist_names_a_rival() -> None:
    duelist = mage(items=(("short_sword", "main"),), classes=("duelist",))
    scene = scene_with((duelist, 5, 5), (BOB, 6, 5), (fighter("Cid"), 4, 5))
    session = went(scene, "name_rival", "rival:bob")

    def goal(foe: str) -> int:
        arm = now(session.scene, "ann").arm("short_sword")
        assert arm is not None
        return attack_goal(session.scene, "ann", foe, arm).total

    assert goal("bob") - goal("cid") == 20


def test_charm_takes_minutes_and_makes_a_friend() -> None:
    charmer = mage("charm", skills={"persuasion": 40})
    fight = scene_with((charmer, 5, 5), (BOB, 6, 5))
    session = playing(replace(fight, order=(), round=0, turn=None), "renaissance.charm", who="ann", target="bob")
    answer(session, 60, 40)
    assert session.scene["bob"].status.has("charmed")
    assert session.scene.clock.now == 300


def test_a_shifter_changes_shape() -> None:
    shifter = fighter("Ann", race="shifter", features=("hybrid_claws", "hybrid_teeth"))
    session = playing(scene_with((shifter, 5, 5), (BOB, 6, 5)))
    assert "attack:bob:shifter_claws" not in offered(session)
    answer(session, "change_shape", "end_turn", "end_turn")
    assert "attack:bob:shifter_claws" in offered(session)


@pytest.mark.parametrize(
    ("race", "weapon", "dice", "plus", "ap"),
    [
        ("wolf", "wolf_bite", 1, 4, 0),
        ("wolverine", "wolverine_claws", 1, 3, 0),
        ("cougar", "cougar_claws", 1, 6, 1),
        ("black_bear", "bear_claws", 2, 6, 1),
        ("raptor", "raptor_bite", 1, 7, 1),
        ("frozen_horror", "horror_talons", 2, 10, 3),
    ],
)
def test_beasts_strike_with_what_they_have(race: str, weapon: str, dice: int, plus: int, ap: int) -> None:
    assert dv(scene_with((fighter("Ann", race=race), 5, 5), (BOB, 6, 5)), weapon) == (dice, plus, ap)


@pytest.mark.rule("renaissance.gap.creature.attacks")
def test_an_exceptional_bite_holds_on_and_a_cougar_rakes() -> None:
    scene = scene_with((fighter("Ann", race="cougar"), 5, 5), (BOB, 6, 5))
    session = went(scene, "attack:bob:cougar_bite", "plain", 41, 99, 1, 10)
    assert session.scene["bob"].status.has("grabbed")
    answer(session, "end_turn", "end_turn", "rake:bob", (4, 5), 10)
    assert events(session, "Hurt")[-1].damage == 4 + 5 + 6
