"""Recording scenes: what is read is told, what is not read makes no difference, what is written can be found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from coinfolk.book import Struck

from lab.scenes import folk, scenario
from tablewright.game.scene import Scene
from tablewright.lab.batch.forest import ATOM, LEAF, Forest
from tablewright.lab.batch.layout import Layout, Path, Shapes
from tablewright.lab.batch.tracing import Recorder, key_of
from tablewright.lab.batch.views import READER, ForeignRead
from tablewright.lab.jobs import job_of


def recorder() -> Recorder:
    """A recorder over two of the coin folk, in which everything may vary."""
    ring = job_of(scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 4, 2))).ring()
    scene = ring.header.scene
    layout = Layout(scene, Shapes.seen_in([scene]))
    found = Recorder(layout, ring.book, set(range(len(layout.paths))))
    look(found, scene)
    return found


def look(at: Recorder, scene: Scene) -> None:
    values = at.layout.apart(scene)
    at.begin(values, [at.layout.codes[number].code(value) for number, value in enumerate(values)])


def atoms(of: Recorder, name: str) -> set[Path]:
    """What the tree of a function asks for."""
    todo, found = [of.of[of.functions[name]].root], set()
    while todo:
        node = todo.pop()
        if of.forest.kind[node] == ATOM:
            found.add(of.layout.paths[of.forest.about[node]])
        todo += [to for key, to in of.forest.links.items() if key >> 22 == node]
    return found


def test_taken_apart_and_put_together_it_is_the_same() -> None:
    watched = recorder()
    scene = watched.layout.scene.change("rat", health=2, dazed=True)
    assert watched.layout.together(watched.layout.apart(scene)) == scene


def test_only_what_is_read_is_asked_for() -> None:
    watched = recorder()
    runs: list[int] = []

    def tired(scene: Any) -> bool:
        runs.append(scene["ann"].status.breath)
        return bool(runs[-1] < 2)

    function = watched.of[watched.function("tired", tired)]
    assert watched.evaluate(function)[0] is False
    assert {path.field for path in atoms(watched, "tired")} == {"breath"}
    look(watched, watched.layout.scene.change("ann", health=1, luck=0).change("rat", breath=0))
    assert watched.evaluate(function)[0] is False
    assert runs == [3], "what was not read makes no difference"
    look(watched, watched.layout.scene.change("ann", breath=1))
    assert watched.evaluate(function)[0] is True
    assert runs == [3, 1]


def test_what_is_read_of_another_function_is_noticed() -> None:
    watched = recorder()
    outside: list[Any] = []

    def inner(scene: Any) -> int:
        return int(outside[0]["ann"].status.luck)

    def outer(scene: Any) -> Any:
        outside.append(scene)
        return READER[-1].ask(watched.function("inner", inner))

    with pytest.raises(ForeignRead):
        watched.evaluate(watched.of[watched.function("outer", outer)])
    assert not READER


def test_what_a_function_has_closed_over_makes_it_another() -> None:
    def more_than(least: object) -> Any:
        return lambda scene: scene.round > least

    assert key_of(more_than(1)) == key_of(more_than(1)) != key_of(more_than(2))
    assert key_of(more_than([])) is None, "what has no hash cannot be told apart"


def test_an_event_is_a_row_of_what_it_reads_and_writes() -> None:
    watched = recorder()
    struck = watched.event(Struck(who="rat", by="ann", harm=3, luck=1, breath=0))
    change = watched.kept[watched.happened(struck)]
    written = {watched.layout.paths[atom][2]: watched.layout.codes[atom].values[code] for atom, code in change.writes}
    assert written == {"luck": 0, "health": 8, "breath": 2, "dazed": True}
    assert [(harm.who, harm.amount, harm.by) for harm in change.harms] == [("rat", 3, "ann")]
    runs = watched.runs
    look(watched, watched.layout.scene.change("ann", breath=0, dazed=True))
    assert watched.kept[watched.happened(struck)] is change
    assert watched.runs == runs, "how dazed Ann is does not matter"
    look(watched, watched.layout.scene.change("rat", health=3))
    after = watched.kept[watched.happened(struck)]
    assert after.fell == ("rat",)
    assert after.which == change.which


def test_a_scene_made_anew_is_compared_by_value() -> None:
    watched = recorder()
    scene = watched.layout.scene
    at = watched.layout.number

    def turned(given: Any) -> Any:
        return tuple(watched.views.written(given, replace(given, round=7)))

    assert watched.evaluate(watched.of[watched.function("turned", turned)])[0] == (at[Path(-1, False, "round", "")],)
    assert scene.round == 0


def test_answers_lead_on_whether_small_or_large() -> None:
    forest = Forest()
    first = forest.node()
    forest.asks(first, ATOM, 0)
    ends = {answer: forest.node() for answer in (0, 3, 255, 256, 70_000, *range(300, 3_000))}
    for answer, end in ends.items():
        forest.asks(end, LEAF, answer)
        forest.link(first, answer, end)
    answers = np.array([*ends, 1, 299, 80_000, -1])
    found = forest.follow(np.full(len(answers), first), answers)
    assert found.tolist() == [*ends.values(), -1, -1, -1, -1]
    assert forest.after(first, 256) == ends[256]
    forest.forget(first)
    assert (forest.follow(np.full(len(answers), first), answers) == -1).all()
