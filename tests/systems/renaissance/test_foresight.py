"""What bots foresee of attacks and blasts is what playing them gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import chances
from systems.renaissance.fights import fighter, hidden, scene_with, with_status
from tablewright.game.actions import Use
from tablewright.game.policies import after_action
from tablewright.game.scene import Scene
from tablewright.systems.renaissance.actions.foresight import foreseen
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.status import Turn

ANN = fighter("Ann", ("short_sword", "main"), ("dagger", "off"))
BOB = fighter("Bob", ("mace", "main"))
NEAR = scene_with((ANN, 5, 5), (BOB, 6, 5))
HUMAN = scene_with((ANN, 5, 5), (fighter("Bob", race="human"), 6, 5))


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.multi.attacks")
@pytest.mark.parametrize(
    ("scene", "use"),
    [
        (NEAR, Use("attack", "bob", "short_sword")),
        (with_status(NEAR, "bob", damage=25), Use("attack", "bob", "dagger@off")),
        (hidden(NEAR, "ann"), Use("attack", "bob", "short_sword")),
        (with_status(HUMAN, "ann", coated=(("short_sword", "blade_venom"),)), Use("attack", "bob", "short_sword")),
        (NEAR, Use("attack_with_all", "bob")),
        (
            with_status(NEAR, "ann", turn=Turn(volley=("dagger@off",), volley_of=2, against=("bob",))),
            Use("next_attack", "bob", "dagger@off"),
        ),
    ],
)
def test_an_attack_leads_where_playing_it_leads(scene: Scene, use: Use) -> None:
    known = foreseen(rulebook, scene, "ann", use)
    assert known is not None
    assert chances(known) == chances(after_action(rulebook, scene, "ann", use))


@pytest.mark.rule("renaissance.attack.procedure")
def test_what_is_open_or_no_attack_is_left_to_playing() -> None:
    lucky = with_status(NEAR, "bob", luck=1)
    both = scene_with((ANN, 5, 5), (BOB, 6, 5), (fighter("Cat"), 5, 6))
    grenade = scene_with((fighter("Ann", ("grenade", "main")), 5, 5), (BOB, 9, 5))
    for scene, use in (
        (lucky, Use("attack", "bob", "short_sword")),
        (grenade, Use("attack", "bob", "grenade")),
        (both, Use("attack_with_all", None, "spread")),
        (NEAR, Use("full_defense")),
    ):
        assert foreseen(rulebook, scene, "ann", use) is None


@pytest.mark.rule("renaissance.area.blast")
@pytest.mark.parametrize("side", ["party", "foes"])
def test_a_blast_is_worth_what_playing_it_is_worth(side: str) -> None:
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    others = [(fighter(name, SOM=som), 6 + at, 5) for at, (name, som) in enumerate((("Bob", 20), ("Cat", 12)))]
    scene = scene_with((mage, 5, 5), *others)
    use = Use("explode", None, "ball_of_fire")
    known = foreseen(rulebook, scene, "ann", use)
    assert known is not None
    assert all(weight > 0 for _, weight in known)

    def worth(ends: Any) -> Fraction:
        return sum(
            [chance * Fraction(rulebook.value(after, side)) for after, chance in chances(ends).items()], Fraction(0)
        )

    played = after_action(rulebook, scene, "ann", use)
    assert worth(known) == worth(played)
    assert len(known) < len(played)
