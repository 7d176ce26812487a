"""Distances, targets and paths, with participants who are hidden, gone or down."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from game.turns import person, scene_of, up
from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Ground, Path, Position, cell
from tablewright.game.play import targeting
from tablewright.game.play.targeting import (
    _approach,
    _straight,
    destinations,
    distance,
    free_neighbours,
    movement_of,
    occupied,
    path_toward,
    targets,
    within_reach,
)
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Participant, Scene


def at(id_: str, x: int, y: int, side: str = "", **more: bool) -> Participant:
    return person(id_, position=cell(x, y), side=side or id_, **more)


def yard(*people: Participant, ground: Ground | None = None) -> Scene:
    return scene_of(*people, ground=ground or Grid(size=(9, 9)))


def places(positions: list[Position]) -> set[str]:
    return {str(position) for position in positions}


def test_movement_distances() -> None:
    scene = yard(at("ann", 0, 0), at("bob", 0, 3), person("ghost"))
    assert (
        distance(scene, "ann", "bob"),
        within_reach(scene, "ann", "bob", 2),
        within_reach(scene, "ann", "bob", 3),
    ) == (
        3,
        False,
        True,
    )
    assert (distance(scene, "ann", "ghost"), within_reach(scene, "ann", "ghost")) == (1, True), (
        "who has no place is beside you"
    )
    together = scene_of("ann", "bob", ground=Together())
    assert (distance(together, "ann", "bob"), within_reach(together, "ann", "bob", 0)) == (0, True)


def test_possible_targets() -> None:
    scene = yard(
        at("ann", 0, 0, "a"),
        at("al", 0, 1, "a"),
        at("bob", 0, 2),
        at("cid", 0, 3, hidden=True),
        at("dan", 0, 4, present=False),
        at("eve", 0, 5),
    ).with_status("eve", up=False)
    assert [foe.id for foe in targets(scene, "ann", up)] == ["bob"]
    assert [foe.id for foe in targets(scene, "ann", lambda one: True)] == ["bob", "eve"]


def test_obstructing_characters() -> None:
    scene = yard(
        at("ann", 4, 4, "a"),
        at("al", 4, 5, "a", hidden=True),
        at("bob", 5, 4),
        at("cid", 3, 4, hidden=True),
        at("dan", 4, 3),
    ).with_status("dan", up=False)
    walk = movement_of(scene, "ann", up)
    assert (walk.avoid, walk.no_stop) == ({cell(5, 4)}, {cell(4, 5)})
    assert occupied(scene, "ann", up) == {cell(5, 4), cell(4, 5)}
    free = places(free_neighbours(scene, "ann", up))
    assert {"3,4", "4,3"} <= free, "a hidden foe and a fallen one are in nobody's way"
    assert free.isdisjoint({"5,4", "4,5"})
    assert len(free) == 6


def test_nobody_is_in_the_way_where_places_are_shared() -> None:
    scene = scene_of("ann", "bob", ground=Together())
    assert (movement_of(scene, "ann", up), occupied(scene, "ann", up)) == (movement_of(scene, "bob", up), frozenset())
    assert (destinations(scene, "ann", 3, up), free_neighbours(scene, "ann", up)) == ([], [])
    assert path_toward(scene, "ann", "bob", 3, up) is None


def test_reachable_positions() -> None:
    scene = yard(at("ann", 0, 0), at("bob", 1, 0))
    assert places(destinations(scene, "ann", 1, up)) == {"0,1", "1,1"}
    assert "0,0" not in places(destinations(scene, "ann", 5, up))


def test_the_path_towards_a_participant() -> None:
    scene = yard(at("ann", 0, 0, "a"), at("bob", 6, 0))
    path = path_toward(scene, "ann", "bob", 9, up)
    assert path is not None
    assert str(path.end) == "5,0"
    for budget, reach, end in ((3, 1, "3,0"), (9, 2, "4,0"), (0, 1, "0,0")):
        path = path_toward(scene, "ann", "bob", budget, up, reach=reach)
        assert path is not None
        assert str(path.end) == end
    walled = yard(at("ann", 0, 0, "a"), at("bob", 6, 0), at("cid", 3, 0), ground=Grid(size=(9, 2)))
    path = path_toward(walled, "ann", "bob", 9, up)
    assert path is not None
    assert cell(3, 0) not in path.steps
    assert str(path.end) in {"5,0", "5,1"}


@each_case("reach", [1, 2])
@each_case("budget", [3, 99])
@each_case(
    "ground",
    [
        Grid(size=(12, 12)),
        Grid(size=(12, 12), diagonal="one_and_a_half"),
        Grid(size=(12, 12), measure="straight"),
        Grid(size=(12, 12), blocked=(cell(5, 2),)),
        Grid(size=(12, 12), difficult=((cell(2, 1), 2), (cell(2, 2), 2))),
    ],
)
def test_a_straight_way_is_as_good_as_one_that_was_searched_for(ground: Grid, budget: int, reach: int) -> None:
    people = [at("ann", 1, 1, "a"), at("bob", 6, 8), at("al", 4, 5, "a"), at("ada", 4, 1, "a"), at("cid", 3, 3)]
    walk = movement_of(yard(*people, ground=ground), "ann", up)
    not_to_enter = {*walk.avoid, *ground.blocked, *[place for place, _ in ground.difficult]}
    for x in range(12):
        for y in range(12):
            straight = _straight(ground, cell(1, 1), cell(x, y), budget, walk, reach=reach)
            searched = _approach(ground, cell(1, 1), cell(x, y), budget, walk, reach=reach)
            if straight is not None and (x, y) != (1, 1):
                assert searched is not None
                assert straight.cost == searched.cost or (budget < 99 and straight.cost > searched.cost)
                assert straight.end not in walk.no_stop
                assert not_to_enter.isdisjoint(straight.steps)
                if budget == 99:
                    assert ground.within(straight.end, cell(x, y), reach)


def test_paths_are_cached_until_a_participant_moves_falls_or_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Position] = []
    ground = Grid(size=(11, 3))
    monkeypatch.setattr(targeting, "_straight", lambda *asked, **more: None)

    def search(ground: Grid, here: Position, there: Position, *asked: Any, **more: Any) -> Path | None:
        searched.append(there)
        return ground.approach(here, there, *asked, **more)

    monkeypatch.setattr(targeting, "_approach", search)

    def end(scene: Scene, budget: int = 9, reach: int = 1) -> str:
        path = path_toward(scene, "ann", "bob", budget, up, reach=reach)
        return "" if path is None else str(path.end)

    people = at("ann", 0, 1, "a"), at("bob", 9, 1), at("cid", 5, 1), at("al", 8, 1, "a")
    scene = yard(*people, ground=ground)
    first = end(scene)
    assert end(scene) == first
    assert end(scene.with_status("ann", ap=1)) == end(evolve(scene, round=8)) == first
    assert len(searched) == 1, "what a way does not depend on leaves it known"
    assert end(scene, 3) != first
    assert end(scene, 9, 3) != first
    assert len(searched) == 3
    moved = scene.with_participant(evolve(scene["bob"], position=cell(9, 2)))
    fallen = scene.with_status("al", up=False)
    hidden = scene.with_participant(evolve(scene["al"], hidden=True, side="b"))
    gone_over = scene.with_participant(evolve(scene["al"], side="b"))
    for number, other in enumerate((moved, fallen, hidden, gone_over), start=4):
        end(other)
        assert len(searched) == number
    corridor = yard(at("ann", 0, 0, "a"), at("bob", 9, 0), at("al", 8, 0, "a"), ground=Grid(size=(11, 1)))
    nearer = corridor.with_participant(evolve(corridor["bob"], position=cell(6, 0)))
    assert (end(corridor), end(corridor.with_status("al", up=False)), end(nearer)) == ("", "8,0", "5,0")
    assert movement_of(scene, "ann", up).no_stop == {cell(8, 1)} != movement_of(fallen, "ann", up).no_stop
    assert movement_of(gone_over, "ann", up).avoid == {cell(9, 1), cell(5, 1), cell(8, 1)}
    assert movement_of(scene, "ann", lambda one: one.id == "bob").avoid == {cell(9, 1)}, "another word for standing"
