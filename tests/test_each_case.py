"""A test over many cases runs each of them and names the ones that fail."""

from __future__ import annotations

import inspect

import pytest

from each_case import each_case


def test_every_case_runs_and_fixtures_are_asked_for() -> None:
    seen = []

    @each_case("one", [1, 2])
    @each_case(("two", "three"), [(3, 4), pytest.param(5, 6, id="named")])
    def check(fixture: str, one: int, two: int, three: int) -> None:
        seen.append((fixture, one, two, three))

    assert list(inspect.signature(check).parameters) == ["fixture"]
    check(fixture="f")
    assert seen == [("f", 1, 3, 4), ("f", 1, 5, 6), ("f", 2, 3, 4), ("f", 2, 5, 6)]


def test_all_failures_are_told_with_their_case() -> None:
    @each_case(("one", "two"), [(1, 2), (2, 2), (3, 2)])
    def check(one: int, two: int) -> None:
        assert one == two

    with pytest.raises(ExceptionGroup, match="2 of 3 cases fail") as failed:
        check()
    notes = [error.__notes__ for error in failed.value.exceptions]
    assert notes == [["in the case one=1, two=2"], ["in the case one=3, two=2"]]


def test_one_failure_is_raised_as_it_is() -> None:
    @each_case("one", [1, 2])
    def check(one: int) -> None:
        if one == 2:
            raise KeyError(one)

    with pytest.raises(KeyError) as failed:
        check()
    assert failed.value.__notes__ == ["in the case one=2"]


def test_no_case_is_an_error() -> None:
    with pytest.raises(AssertionError, match="no case is no test"):
        each_case("one", [])
