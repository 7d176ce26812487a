"""Foresight of bots: the scenes after an attack are those that playing it gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import chances
from systems.renaissance.fights import fighter, hidden, playing, scene_with, with_status
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import after_action
from tablewright.game.session.preview import preview_option
from tablewright.game.session.promises import figures_of_call
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.status import Turn

ANN = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
BOB = fighter("Bob", ("mace", "main"))
NEAR = scene_with((ANN, 5, 5), (BOB, 6, 5))
HUMAN = scene_with((ANN, 5, 5), (fighter("Bob", race="human"), 6, 5))


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.multi.attacks")
@pytest.mark.parametrize(
    ("scene", "use"),
    [
        (NEAR, ActionUse("attack", "bob", "short_sword")),
        (with_status(NEAR, "bob", damage=25), ActionUse("attack", "bob", "dagger@off")),
        (hidden(NEAR, "ann"), ActionUse("attack", "bob", "short_sword")),
        (
            with_status(HUMAN, "ann", coated=(("short_sword", "blade_venom"),)),
            ActionUse("attack", "bob", "short_sword"),
        ),
        (NEAR, ActionUse("attack_with_all", "bob")),
        (
            with_status(NEAR, "ann", turn=Turn(volley=("dagger@off",), volley_of=2, against=("bob",))),
            ActionUse("next_attack", "bob", "dagger@off"),
        ),
    ],
)
def test_an_attack_leads_where_playing_it_leads(scene: Scene, use: ActionUse) -> None:
    known = rulebook.foresee(scene, "ann", use)
    assert known is not None
    assert chances(known) == chances(after_action(rulebook, scene, "ann", use))


@pytest.mark.rule("renaissance.attack.procedure")
def test_open_figures_and_other_acts_are_left_to_play() -> None:
    lucky = with_status(NEAR, "bob", luck=1)
    both = scene_with((ANN, 5, 5), (BOB, 6, 5), (fighter("Cat"), 5, 6))
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    exploding = scene_with((mage, 5, 5), (BOB, 6, 5))
    grenade = scene_with((fighter("Ann", ("grenade", "main")), 5, 5), (BOB, 9, 5))
    for scene, use in (
        (lucky, ActionUse("attack", "bob", "short_sword")),
        (grenade, ActionUse("attack", "bob", "grenade")),
        (both, ActionUse("attack_with_all", None, "spread")),
        (NEAR, ActionUse("full_defense")),
        (exploding, ActionUse("explode", None, "ball_of_fire")),
    ):
        assert rulebook.foresee(scene, "ann", use) is None


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand")
@pytest.mark.parametrize(
    ("hero", "bob"),
    [
        (ANN, {}),
        (fighter("Ann", ("short_sword", "main"), ("dagger", "off"), ("mace", "main")), {"damage": 20, "wounds": 1}),
    ],
)
def test_the_odds_of_an_attack_with_every_weapon_are_of_all_blows(hero: RenaissanceCharacter, bob: Any) -> None:
    scene = with_status(scene_with((hero, 5, 5), (BOB, 6, 5), strikes_and_maneuvers=False), "bob", **bob)
    before = scene["bob"].status.damage
    call = preview_option(playing(scene), "attack_with_all:bob", "game master").subject
    told = {one.objective: one.mean for one in figures_of_call(call)}
    open_ = [(scene, Fraction(1), ActionUse("attack_with_all", "bob"))]
    damage, fallen = Fraction(0), Fraction(0)
    while open_:
        at, share, use = open_.pop()
        for after, part in _shares(at, use):
            status, left = after["bob"].status, after["ann"].status.turn.volley
            if status.damage >= status.durability or not left:
                damage += share * part * (status.damage - before)
                fallen += share * part * (status.damage >= status.durability)
            else:
                open_.append((after, share * part, ActionUse("next_attack", "bob", left[0])))
    assert told == {"damage": damage, "felled": fallen}


def _shares(scene: Scene, use: ActionUse) -> list[tuple[Scene, Fraction]]:
    """Every scene after a plain attack, with its chance."""
    found = rulebook.foresee(scene, "ann", use)
    assert found is not None
    whole = sum([weight for _, weight in found])
    return [(after, Fraction(weight, whole)) for after, weight in found]
