"""Foresight of an action by its decisive call: each result lands once, and what it rolls is followed."""

from __future__ import annotations

import pytest

from game.turns import RULE, Did, Fell, book_of, scene_of
from systems.playing import chances
from tablewright.engine import choose, d, mechanic
from tablewright.game.play import foresight
from tablewright.game.play.actions import Action, ActionUse
from tablewright.game.play.foresight import DecisiveCall, next_request
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import after_action, outcomes_of
from tablewright.game.system.rulebook import Rulebook


@mechanic(rules=["demo.rule.all"])
async def shot() -> int:
    """Roll a die for a shot."""
    return await d(6)


@mechanic(rules=["demo.rule.all"])
async def endured() -> int:
    """Roll a coin for whether a hit is endured."""
    return await d(2)


landings: list[bool] = []


async def land(game: Game, hits: bool) -> None:
    landings.append(hits)
    if hits and await choose("b", "duck?", ["no", "yes"]) == "no" and await endured().by("b") == 1:
        game.emit(Fell(who="b", cause=RULE))


async def perform(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Did(who=who, what=use.id, cause=RULE))
    await land(game, await shot().by(who) >= 5)


def decisive(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> DecisiveCall | None:
    if use.action != "shoot":
        return None
    game = Game(scene, book)
    call = next_request(book.actions.perform(game, who, use))
    assert call == shot()
    return DecisiveCall(game.scene, call, land, lambda face: face >= 5)


SHOOT = ActionUse("shoot")
ACTIONS = [Action("shoot", "Shoot", (RULE,), perform)]
BOOK, PLAYED = book_of(ACTIONS, decisive_call=decisive), book_of(ACTIONS)


def test_results_that_land_alike_land_once_and_lead_where_playing_them_leads() -> None:
    scene = scene_of("a", "b")
    landings.clear()
    known = outcomes_of(BOOK, scene, "a", SHOOT)
    assert landings == [False, True, True, True], "a miss, and a hit up to the coin and once for each side of it"
    assert chances(known) == chances(after_action(PLAYED, scene, "a", SHOOT))
    assert sorted([(scene["b"].status.up, weight) for scene, weight in known]) == [(False, 2), (True, 2), (True, 8)]


def test_actions_without_a_decisive_call_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_of("a", "b")
    assert BOOK.foresee(scene, "a", ActionUse("rest")) is None
    assert outcomes_of(BOOK, scene, "a", ActionUse("rest")) == after_action(PLAYED, scene, "a", ActionUse("rest"))
    monkeypatch.setattr(foresight, "MOST_WAYS", 2)
    assert BOOK.foresee(scene, "a", SHOOT) is None, "a hit takes three runs"
    assert outcomes_of(BOOK, scene, "a", SHOOT) == after_action(PLAYED, scene, "a", SHOOT)


def test_a_landing_that_throws_bare_dice_is_played() -> None:
    async def land_by_dice(game: Game, hits: bool) -> None:
        if await d(2) == 1:
            game.emit(Fell(who="b", cause=RULE))

    assert DecisiveCall(scene_of("a", "b"), shot(), land_by_dice).outcomes(BOOK) is None


def test_a_process_is_run_to_its_next_request() -> None:
    game = Game(scene_of("a", "b"), BOOK)
    assert next_request(land(game, True)) == endured()
    assert next_request(land(game, True), [2]) is None
    assert next_request(land(game, False)) is None
