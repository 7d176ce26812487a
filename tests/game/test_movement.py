"""The question for a destination."""

from __future__ import annotations

from typing import Any

from game.turns import book_of, person
from tablewright.engine import Playthrough
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position, cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.movement import ask_destination, ask_place, has_place
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene

STAY = ActionUse("stay", label="Stay")
PLACES = [cell(0, 1), cell(1, 1)]


def game_on(ground: Any = None) -> Game:
    people = (evolve(person("ann"), position=cell(0, 0)),)
    return Game(Scene("demo", people, **({} if ground is None else {"ground": ground})), book_of())


def test_places_count_on_a_grid_alone() -> None:
    assert has_place(game_on(Grid()).scene, "ann")
    assert not has_place(game_on().scene, "ann"), "all are together"


def test_a_destination_is_one_of_the_places() -> None:
    asked = Playthrough(ask_destination(game_on(Grid()), "ann", lambda: PLACES), [])
    assert [str(option.label) for option in asked.question.options] == ["To 0,1", "To 1,1"]  # type: ignore[union-attr]
    asked.answer(asked.question.ids[1])  # type: ignore[union-attr]
    assert asked.result == cell(1, 1)


def test_permission_to_stay_leads_nowhere() -> None:
    asked = Playthrough(ask_destination(game_on(Grid()), "ann", lambda: PLACES, stay=STAY), [])
    asked.answer("stay")
    assert asked.result is None


def test_no_place_is_no_question() -> None:
    nowhere: list[Position] = []
    for stay in (None, STAY):
        asked = Playthrough(ask_destination(game_on(Grid()), "ann", lambda: nowhere, stay=stay), [])
        assert (asked.question, asked.result) == (None, None)


def test_places_by_their_texts_have_the_first_or_the_last_as_default() -> None:
    for last, default in ((False, 0), (True, 1)):
        asked = Playthrough(ask_place(game_on(Grid()), "ann", PLACES, {"of": "ann"}, last=last), [])
        assert (asked.question.ids, asked.question.default) == (("0,1", "1,1"), default)  # type: ignore[union-attr]
