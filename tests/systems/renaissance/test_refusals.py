"""People are called by their names in what is refused, and numbers are read only where they are numbers."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.fights import FIELD, fighter, held, playing
from systems.renaissance.folk import library, refused, session_of
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import Refusal
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.index import ACTIONS
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.mechanics.harm import Defence
from tablewright.systems.renaissance.options import RenaissanceOptions

ME, FOE = "q7-me", "q8-foe"
ANN, BOB = fighter("Ann Ash", ("dagger", "main"), race="human"), fighter("Bob Brook", ("mace", "main"), race="human")


def facing(apart: int, **theirs: Any) -> Scene:
    """A fight of the two, so many metres apart."""
    placed = [(ME, ANN, "party", 2), (FOE, BOB, "foes", 2 + apart)]
    options = RenaissanceOptions()
    people = [
        rulebook.participant(one, options, library(), id=who, side=side, seat=who, position=cell(x, 5))
        for who, one, side, x in placed
    ]
    scene = Scene("renaissance", tuple(people), options=options, ground=FIELD, library=library())
    scene = evolve(scene, round=1, order=(ME, FOE), turn=ME)
    return scene.with_status(FOE, **theirs) if theirs else scene


SCENES = (facing(1), facing(30), held(facing(1), FOE, "prone"), facing(1, damage=60))


@pytest.mark.rule("renaissance.combat.allotment")
def test_neither_refusals_nor_options_call_anybody_by_an_id() -> None:
    ways = {(action, use) for action in ACTIONS for scene in SCENES for use in action.uses_for(scene, ME)}
    said = {one.refuse(scene, ME, use) for scene in SCENES for action, use in ways for one in action.requires}
    words = {one.reason if isinstance(one, Refusal) else one for one in said if one is not None}
    words |= {use.label for _, use in ways}
    assert len(words) > 20
    assert not [one for one in words if ME in one or FOE in one]


@pytest.mark.parametrize(
    ("process", "given", "why"),
    [
        ("step_back", {}, "Ann Ash has bought nothing yet"),
        ("bless", {"power": "green_hand", "back": True}, "Ann Ash has not "),
        ("charm", {"target": FOE}, "Ann Ash does not have "),
        ("stow", {"item": "mace"}, "Ann Ash neither holds nor wears "),
        ("plan", {"job": "a boat"}, 'Ann Ash has no job "a boat"'),
        ("bind_wounds", {"by": FOE}, "Ann Ash has no wound left to bind"),
        ("stop_bleeding", {"by": FOE}, "Ann Ash does not bleed"),
        ("treat", {"by": FOE, "disease": "flu"}, "Ann Ash shows no sign of "),
        ("soothe", {}, "Ann Ash has no trauma to soothe"),
    ],
)
def test_refusals_outside_fights_name_people(process: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises((IllegalActionError, InvalidInputError), match=why):
        session_of({ME: ANN, FOE: BOB}).do(f"renaissance.{process}", who=ME, **given)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.touch.attack", "renaissance.healing.binding")
def test_a_character_who_cannot_act_or_be_reached_or_bound_is_named() -> None:
    down = session_of({ME: ANN.changed(harm=ANN.harm.changed(damage=60)), FOE: BOB})
    refused(down, "work", "Ann Ash cannot act", who=ME, skill="fray", minutes=5)
    dead = session_of({ME: ANN.changed(harm=ANN.harm.changed(dead=True)), FOE: BOB})
    refused(dead, "bind_wounds", "Ann Ash is dead", who=ME, by=FOE)
    with pytest.raises(IllegalActionError, match="Bob Brook is out of reach"):
        playing(facing(30), "renaissance.touch", who=ME, target=FOE)


# ---------------------------------------------------------------------- numbers


@pytest.mark.rule("renaissance.check.target_sources")
def test_a_defence_needs_a_number() -> None:
    for text in ("fray:²", "fray:50-²", "fray:٣", "fray:" + "9" * 5_000):
        with pytest.raises(InvalidInputError, match="is no "):
            Defence.parse(text)
