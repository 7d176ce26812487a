"""The pages on the game layer are true: their examples run, and the recipe leads to a system that is whole."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

from each_case import each_case
from patience import LIMIT

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "docs" / "adding-a-system.md"
WORDS = ROOT / "docs" / "game-layer.md"

BLOCK = re.compile(r"^```sh\n(?P<commands>.*?)^```\n(?:^```text\n(?P<answer>.*?)^```$)?", re.MULTILINE | re.DOTALL)
MARK = "@@@ end of block @@@"
NEEDED = (".venv", "src", "tests", "tools", "docs", "pyproject.toml", "Makefile", "README.md")


def blocks(text: str) -> list[tuple[str, str]]:
    """The commands of a page, block by block, each with the answer that stands under it."""
    return [(found["commands"], found["answer"] or "...\n") for found in BLOCK.finditer(text)]


def answered(commands: list[str], folder: Path) -> list[str]:
    """Output of each block, all run in order in one shell, in a copy of the checkout."""
    for name in NEEDED:
        (folder / name).symlink_to(ROOT / name)
    script = "set -euo pipefail\n" + "".join([f"{block}\necho '{MARK}'\n" for block in commands])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH"))}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment | {"COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    answers = done.stdout.split(f"{MARK}\n")
    assert done.returncode == 0, f"after {len(answers) - 1} blocks:\n{answers[-1]}\n{done.stderr}"
    return answers[:-1]


def fits(expected: str, got: str) -> bool:
    """Compare an answer with the page; `...` stands for anything."""
    plain = "\n".join([line.rstrip() for line in got.splitlines()]) + "\n"
    return doctest.OutputChecker().check_output(expected, plain, doctest.ELLIPSIS)


def test_the_recipe_works(tmp_path: Path) -> None:
    steps = blocks(RECIPE.read_text(encoding="utf-8"))
    assert len(steps) == 13
    for (commands, expected), got in zip(steps, answered([block for block, _ in steps], tmp_path), strict=True):
        assert fits(expected, got), f"{commands}\nshould answer\n{expected}\nbut answers\n{got}"


def test_the_recipe_is_numbered_and_begins_with_a_copy() -> None:
    headings = re.findall(r"^## (\d+)\. (.+)$", RECIPE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(number) for number, _ in headings] == list(range(1, len(headings) + 1))
    assert headings[0][1] == "Copy this folder"


def test_a_wrong_answer_or_a_failing_command_is_noticed(tmp_path: Path) -> None:
    (got,) = answered(["echo one; echo two"], tmp_path)
    assert fits("one\n...\n", got)
    assert not fits("one\nthree\n", got)
    (tmp_path / "again").mkdir()
    with pytest.raises(AssertionError, match="after 1 blocks"):
        answered(["true", "false"], tmp_path / "again")


@each_case(
    "word",
    [
        "scene",
        "participant",
        "event",
        "action",
        "use",
        "check",
        "process",
        "session",
        "policy",
        "pack",
        "scenario",
        "ruling",
    ],
)
def test_the_page_of_words_has_it(word: str) -> None:
    headings = re.findall(r"^## (.+)$", WORDS.read_text(encoding="utf-8"), re.MULTILINE)
    assert word in re.findall(r"\w+", " ".join(headings).lower())


def test_the_examples_of_the_page_of_words_run() -> None:
    failed, attempted = doctest.testfile(str(WORDS), module_relative=False)
    assert attempted > 30
    assert failed == 0
