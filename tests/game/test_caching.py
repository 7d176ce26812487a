"""Caches keyed by identity, and scenes that are replaced quickly."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, replace

import pytest

from game.turns import Status, scene_of
from tablewright.errors import InvalidInputError
from tablewright.game.scene import caching
from tablewright.game.scene.caching import cached_by_identity, cached_by_value, cached_on_scene
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene


def test_the_very_objects_are_asked_about_once() -> None:
    asked: list[tuple[list[int], str]] = []

    @cached_by_identity
    def total(numbers: list[int], word: str) -> int:
        """Add up."""
        asked.append((numbers, word))
        return sum(numbers)

    first, second = [1, 2], [1, 2]
    assert [total(first, "x"), total(first, "x"), total(second, "x"), total(first, "y")] == [3] * 4
    assert len(asked) == 3, "equal is not the same"
    assert (total.__name__, total.__doc__) == ("total", "Add up.")


def test_another_thread_may_forget_everything_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "MOST_REMEMBERED", 2)

    @cached_by_identity
    def first_of(numbers: tuple[int, ...]) -> int:
        return numbers[0]

    failed: list[Exception] = []

    def ask() -> None:
        try:
            for number in range(4_000):
                assert first_of((number % 5,)) == number % 5
        except Exception as problem:  # whatever it is, it is told below
            failed.append(problem)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask) for _ in range(6)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)
    assert failed == []


def test_each_of_the_objects_makes_another_question() -> None:
    @cached_by_identity
    def told(*words: list[str]) -> str:
        return " ".join([word for row in words for word in row])

    @cached_by_identity
    def both(first: list[str], second: list[str]) -> str:
        return f"{first[0]} {second[0]}"

    a, b, c = ["a"], ["b"], ["c"]
    asked = [(a, b, c), (a, c, b), (a, b), (b, a), (a,), (a, b, c)]
    assert [told(*one) for one in asked] == ["a b c", "a c b", "a b", "b a", "a", "a b c"]
    assert [both(a, b), both(b, a), both(a, c), both(c, c), both(a, b)] == ["a b", "b a", "a c", "c c", "a b"]


def test_an_object_that_is_remembered_keeps_its_identity() -> None:
    @cached_by_identity
    def first(numbers: tuple[int, ...]) -> int:
        return numbers[0]

    assert [first((number, number)) for number in range(500)] == list(range(500)), "no id is used again"


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "MOST_REMEMBERED", 2)
    asked: list[int] = []

    @cached_by_identity
    def length(value: tuple[int, ...]) -> int:
        asked.append(len(value))
        return len(value)

    values = [(1,), (1, 2), (1, 2, 3)]
    for value in (*values, values[0]):
        length(value)
    assert asked == [1, 2, 3, 1]


def test_equal_values_share_an_answer_but_not_another_content() -> None:
    asked: list[str] = []

    @cached_by_value
    def worth(items: tuple[str, ...], content: dict[str, int]) -> int:
        asked.append(items[0])
        return content[items[0]]

    cheap, dear = {"club": 1}, {"club": 9}
    assert worth(("club",), cheap) == worth(("club", "x")[:1], cheap) == 1
    assert worth(("club",), dear) == 9
    assert len(asked) == 2


# ---------------------------------------------------------------------- scenes


@dataclass(frozen=True)
class Loose:
    """Without slots."""

    a: int = 1
    b: int = 2


@dataclass(frozen=True, slots=True)
class Completed:
    """Completes itself."""

    a: int = 1
    b: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "b", self.a * 2)


def test_replaced_is_replace() -> None:
    scene = scene_of("ann", "bob", round=2)
    assert evolve(scene, round=3) == replace(scene, round=3) != scene
    assert evolve(Status(), ap=9, stamina=8) == replace(Status(), ap=9, stamina=8)
    assert hash(evolve(Status(), ap=9)) == hash(Status(ap=9))
    assert evolve(Loose(), a=5) == Loose(5, 2)
    assert evolve(Completed(), a=4).b == 8
    with pytest.raises(TypeError):
        evolve(scene, rounds=3)


def test_a_scene_knows_its_own_participants_only() -> None:
    scene = scene_of("ann", "bob")
    assert scene["ann"] is scene.participants[0]
    changed = scene.with_status("ann", ap=1)
    assert (scene["ann"].status.ap, changed["ann"].status.ap, changed["bob"] is scene["bob"]) == (3, 1, True)
    fewer = replace(scene, participants=scene.participants[:1])
    assert ("bob" in scene, "bob" in fewer) == (True, False)
    with pytest.raises(InvalidInputError, match='nobody here is called "bob"; here are: ann'):
        fewer["bob"]
    assert changed.with_status("bob", ap=2)["ann"] is changed["ann"]
    nobody = scene.with_participant(replace(scene["ann"], id="zoe"))
    assert ("zoe" in nobody, nobody.participants) == (False, scene.participants), "who is not here is not replaced"
    assert scene == Scene("demo", scene.participants, order=scene.order)
    assert "_by_id" not in repr(scene)


def test_equal_tuples_share_an_answer_and_what_cannot_be_hashed_is_its_own() -> None:
    asked: list[object] = []

    @cached_by_identity
    def longest(words: tuple[object, ...]) -> int:
        asked.append(words)
        return len(words)

    assert [longest(tuple("abc")), longest(tuple("abc")), len(asked)] == [3, 3, 1]
    assert [longest(([],)), longest(([],)), len(asked)] == [1, 1, 3]


def test_cached_answers_belong_to_one_scene() -> None:
    asked: list[tuple[int, str, int]] = []

    @cached_on_scene
    def is_late(scene: Scene, who: str, *, most: int = 3) -> bool:
        asked.append((scene.round, who, most))
        return scene.round > most

    scene = scene_of("ann")
    later = evolve(scene, round=7)
    assert [is_late(scene, "ann"), is_late(scene, "ann"), is_late(later, "ann"), is_late(later, "ann", most=9)] == [
        False,
        False,
        True,
        False,
    ]
    assert asked == [(0, "ann", 3), (7, "ann", 3), (7, "ann", 9)]
    assert later == evolve(later, round=7), "what was asked is not part of a scene"
