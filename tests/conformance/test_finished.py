"""One command says of every item that a finished system must have whether it is met or missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance import finished
from conformance.finished import ITEMS, PLAYED, main
from conformance.promises import keep
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.system.registry import load_system


def test_the_items_that_need_no_long_play_are_met(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = tuple([item for item in ITEMS if item[1] is not finished.tests_failing])
    monkeypatch.setattr(finished, "ITEMS", others)
    assert main(["coinfolk", "--quick"]) == 0
    told = capsys.readouterr().out
    assert told.count("\nmet ") == len(others) - len(PLAYED)
    assert told.count("\nnot asked ") == len(PLAYED)
    assert "tests in tests/sixth/tests" in told


def test_missing_arguments_are_listed_and_the_rest_is_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("golden.campaign", "conformance.finished", "conformance.places"):
        monkeypatch.setattr(f"{module}.folder_of_tests", lambda system_id: tmp_path)
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert False\n")
    monkeypatch.setattr("conformance.demands.all_marked_rules", dict)
    assert main(["coinfolk", "--quick"]) == 1
    told = capsys.readouterr().out
    for said in (
        "MISSING    every rule has a test with its mark",
        "no test is marked with coinfolk.coins.toss",
        "and 8 more",
        "MISSING    its own tests pass",
        "FAILED",
        f"coinfolk has no campaign.txt; its place is {tmp_path}",
        "there is no docs/coinfolk.md beside its tests",
        "met        its options show what they change",
        f"4 of {len(ITEMS)} are missing",
    ):
        assert said in told


def test_a_system_that_cannot_be_loaded_is_refused_in_one_line() -> None:
    with pytest.raises(SystemExit, match='error: there is no system "coinfokl"; did you mean "coinfolk"'):
        main(["coinfokl"])


def test_a_broken_promise_is_named_with_its_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody_is_hurt(scenario: Scenario) -> None:
        keep("nobody is hurt", "easy" in scenario.name, "ann is")

    monkeypatch.setattr(finished, "PROMISES", (nobody_is_hurt,))
    broken = list(finished.promises_broken(load_system("coinfolk")))
    assert broken == [f"{name}: nobody is hurt: ann is" for name in ("even", "hard", "together")]


def test_an_item_that_fails_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(system: Any) -> list[str]:
        raise KeyError("edge")

    assert finished.asked(load_system("coinfolk"), stumbles) == ["KeyError: 'edge'"]
