"""Promises of the repository: its examples run, and its locks verify on any machine."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest
import yaml

from golden.runner import run_here

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


def test_the_examples_of_the_readme_run() -> None:
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted > 0
    assert failed == 0


def test_there_is_a_lock_to_run_and_one_to_develop() -> None:
    assert [lock.name for lock in LOCKS] == ["dev.lock", "run.lock"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_everything_with_hashes_and_names_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-(?!-hash=)", text, re.MULTILINE)
    logical_lines = [
        line for line in text.replace("\\\n", "").splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    assert logical_lines
    for line in logical_lines:
        assert re.match(r"[A-Za-z0-9_.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line), line


def test_runtime_packages_are_pinned_alike_in_both_locks() -> None:
    development, running = (set(re.findall(r"^(\S+==\S+)", lock.read_text(), re.MULTILINE)) for lock in LOCKS)
    assert running <= development


def test_the_container_starts_the_server_with_options_that_it_has() -> None:
    compose = yaml.safe_load((ROOT / "container" / "compose.yaml").read_text(encoding="utf-8"))
    built = compose["services"]["table"]["build"]
    text = (ROOT / built["dockerfile"]).read_text(encoding="utf-8")
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    words = json.loads(command)[2].split()
    assert words[:3] == ["exec", "tablewright", "serve"]
    _, told, _ = run_here(["serve", "--help"], "")
    for option in [word for word in words if word.startswith("--")]:
        assert re.search(rf"^ +{option}\b", told, re.MULTILINE), option
    for name in re.findall(r"\$(\w+)", words[-1] + " ".join(words)):
        assert name in compose["services"]["table"]["environment"], name
