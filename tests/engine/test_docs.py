"""The page on the engine says what is true: its examples run, and its bounds are those of the code."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import pytest

import tablewright.engine  # noqa: F401

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"


def test_the_examples_of_the_page_run() -> None:
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)
    assert attempted > 15
    assert failed == 0


@pytest.mark.parametrize(
    ("row", "module", "bound"),
    [
        ("ways through one call", "exact.tree", "MOST_RUNS"),
        ("asks in a row on one path", "exact.tree", "MOST_ASKS"),
        ("states of one chain", "exact.tree", "MOST_STATES"),
        ("calls within calls", "exact.tree", "MOST_DEPTH"),
        ("steps of one question", "exact.tree", "MOST_WORK"),
        ("tail calls of one call when played", "play", "MOST_TAILS"),
        ("options of one choice", "choice", "MOST_OPTIONS"),
    ],
)
def test_the_bounds_on_the_page_are_those_of_the_code(row: str, module: str, bound: str) -> None:
    value = getattr(sys.modules[f"tablewright.engine.{module}"], bound)
    (line,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row}")]
    assert f"{value:,}" in line
