"""Narration of fights: announcements, results, positions, costs of options."""

from __future__ import annotations

import pytest

from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import template, together, told
from systems.playing import answer as go_on
from tablewright.engine import Choice, Roll, odds
from tablewright.game.narration.narrator import status_words
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.systems.marchen.bots import health
from tablewright.systems.marchen.encounter import left_of_turn
from tablewright.systems.marchen.mechanics.checks import Winner, opposed
from tablewright.systems.marchen.mechanics.clash import battle
from tablewright.systems.marchen.mechanics.magic import cast
from tablewright.systems.marchen.status import Status


def labels(session: Session) -> dict[str, tuple[str, str]]:
    """Labels and costs of the options, by id."""
    assert isinstance(session.question, Choice)
    return {one.id: (one.label, one.cost_text) for one in session.question.options}


@pytest.mark.rule("marchen.ounces.strike")
def test_a_blow_is_announced_before_anybody_rolls() -> None:
    session = begun(duel(fighter("Ann", skills={"persuasion": 0}), fighter("Bob", identity=1)))
    go_on(session, "strike:bob:snub")
    assert isinstance(session.question, Roll)
    assert told(session).endswith("Ann attacks Bob with a snub ...")
    go_on(session, [4, 4], [5], [1, 6])
    assert "Ann snubs Bob: a tie, 3 social damage." in told(session)


@pytest.mark.rule("marchen.ounces.clash")
def test_a_clash_is_announced_too() -> None:
    session = begun(duel(), 3, 1)
    go_on(session, "clash:bob:sword")
    assert told(session).endswith("Ann clashes with Bob with the sword ...")


def test_options_say_what_they_hurt_and_what_they_cost() -> None:
    healer = template("healer")
    session = together(healer, fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    begun(session, 6, 4)
    found = labels(session)
    me = session.scene.participants[0].id
    assert found["strike:bob:minor_curse"][0] == "Strike Bob with a minor curse (spiritual)"
    assert found["strike:bob:cudgel"][0] == "Strike Bob with the cudgel"
    assert found["cast_harm:bob:shape"][1] == "significant action, 1 spiritual damage"
    assert found["cast_harm:bob:sense"][1] == "significant action"
    assert list(found)[-2:] == ["surrender", "hold"]  # no one gives up by typing 1
    assert session.scene.turn == me


def test_a_state_is_told_once_in_the_words_of_the_book() -> None:
    session = begun(duel(fighter("Ann", stamina=2)), 3, 1)
    ruled(session, "ann", physical=5, social=3)
    about = left_of_turn(session.scene, "ann")
    assert about["position"] == "a bad spot"
    assert about["harm"] == "physical 5 of 14, social 3 of 12"
    assert "harm" not in left_of_turn(session.scene, "bob")
    assert status_words({"in_control": False, "conscious": True}, Status) == "in a bad spot"
    assert status_words({"fate": "dead", "down": True, "conscious": False}, Status) == "down, unconscious"
    assert health(session.scene["ann"]) == "scratched"  # where the fate is told


@pytest.mark.rule("marchen.opposed.resolve")
def test_the_other_side_throws_its_own_dice() -> None:
    session = open_session(load_scenario("marchen:together"), seed=1)
    session.do("marchen.encounter")
    for one in session.scene.participants:
        go_on(session, [6, 6] if one.side == "party" else [2, 2])
    first = session.seat
    assert first in ("roland", "gretel", "agnes", "morwen")
    go_on(session, "compel:knight")
    assert session.seat == first
    go_on(session, [3, 3])
    assert session.seat == session.scene["knight"].seat != first


@pytest.mark.rule("marchen.opposed.resolve")
def test_a_chance_to_win_is_told_as_a_chance() -> None:
    call = opposed(a_modifier=2, a_characteristic=1)
    found = odds(call)
    chance = sum([weight for result, weight in found.items() if result.winner is Winner.A])
    assert found.expected(call.mechanic.objectives["win"]) * found.total == chance
    fought = odds(battle(modifier=2, characteristic=1))
    assert fought.expected(battle.objectives["win"]) == found.expected(call.mechanic.objectives["win"])


@pytest.mark.rule("marchen.gap.casting.depths")
def test_a_deed_of_the_spirit_has_succeeded_from_a_tie_on() -> None:
    """On 2d6 an Average deed succeeds from 8 on: 15 of 36; 7 and 6 are a Fail in Style and a Minor Fail."""
    found = odds(cast())
    objectives = cast.objectives
    assert found.expected(objectives["success"]) * 36 == 15
    assert found.expected(objectives["healed"]) == 0
    healing = odds(cast(purpose="heal"))
    assert healing.expected(objectives["healed"]) * 36 == 15 * 7  # two dice
    assert healing.expected(objectives["damage"]) == 0 < found.expected(objectives["damage"])
