"""The gate on occurrences notices what the tests of a system never show, and counts no test that drew a random face."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from coinfolk import book

from conformance.extents import Extent, extent_of
from conformance.occurrences import Recorder, _is_whole, missing, recording, required
from conformance.places import ROOT
from each_case import each_case
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, play_to_end
from tablewright.game.system.registry import load_system

COINFOLK = load_system("coinfolk")


def test_everything_a_system_has_is_required() -> None:
    found = required(COINFOLK, extent_of("coinfolk"))
    assert {action.id for action in book.rulebook.actions} == set(found["actions"])
    assert "Struck" in found["events"]
    assert "winded" in found["conditions"], "the code writes out a lasting effect of this id"
    assert "coinfolk.rest" in found["processes"]
    exempt = Extent(exempt={"events:Struck": "nobody strikes"}, more_conditions=("flying",))
    assert "Struck" not in required(COINFOLK, exempt)["events"]
    assert "flying" in missing(COINFOLK, exempt, {})["conditions"]


def test_a_fight_shows_actions_events_conditions_and_processes() -> None:
    recorder = Recorder("coinfolk", extent_of("coinfolk"))
    with recording(recorder):
        session = open_session(load_scenario("coinfolk:easy"), seed=1)
        session.do(session.rulebook.encounter.name)
        play_to_end(session, {}, otherwise=POLICIES["careful"])
    assert recorder.drew
    assert "strike" in recorder.seen["actions"]
    assert session.rulebook.encounter.name in recorder.seen["processes"]
    assert {line.kind for line in session.log if isinstance(line, book.Struck)} <= recorder.seen["events"]


def test_a_refused_process_does_not_count() -> None:
    recorder = Recorder("coinfolk", extent_of("coinfolk"))
    session = open_session(load_scenario("coinfolk:easy"), seed=1)
    with recording(recorder), pytest.raises(Exception, match="nobody"):
        session.do("coinfolk.rest", who="nobody")
    assert "coinfolk.rest" not in recorder.seen.get("processes", set())


SCRIPT = """
from coinfolk import book
from tablewright.game.session.opening import open_session
from tablewright.game.scenario.loader import load_scenario

def test_a_night():
    session = open_session(load_scenario("coinfolk:together"), seed=1)
    session.do("coinfolk.rest", who=session.scene.participants[0].id, hours=8)
"""


def test_a_run_over_a_whole_folder_fails_for_what_is_never_shown(tmp_path: Path) -> None:
    (tmp_path / "coinfolk").mkdir()
    (tmp_path / "coinfolk" / "test_little.py").write_text(SCRIPT, encoding="utf-8")
    places = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "tests" / "sixth"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conformance.occurrences", "-p", "no:cacheprovider"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    env = os.environ | {"PYTHONPATH": places, "TABLEWRIGHT_TESTS": str(tmp_path), "PYTEST_ADDOPTS": ""}
    whole = subprocess.run(
        [*command, str(tmp_path / "coinfolk")], env=env, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert whole.returncode == 1, whole.stdout + whole.stderr
    assert "coinfolk: no test with typed faces shows these actions: " in whole.stdout
    assert "coinfolk.rest" not in whole.stdout


@each_case(
    ("asked", "options", "whole"),
    [
        (["tests/systems/mars"], {}, True),
        (["tests/table", "tests"], {}, True),
        (["tests/systems/mars/test_attack.py"], {}, False),
        (["tests/systems/mars::test_all"], {}, False),
        (["tests/systems/stage"], {}, False),
        (["tests"], {"keyword": "attack"}, False),
        (["tests"], {"markexpr": "rule"}, False),
        (["tests"], {"collectonly": True}, False),
        (["tests"], {"lf": True}, False),
    ],
)
def test_only_a_run_over_the_whole_folder_is_judged(asked: list[str], options: dict[str, Any], whole: bool) -> None:
    config: Any = SimpleNamespace(
        args=asked,
        option=SimpleNamespace(**{"keyword": "", "markexpr": "", "collectonly": False} | options),
        invocation_params=SimpleNamespace(dir=ROOT),
    )
    assert _is_whole(config, ROOT / "tests" / "systems" / "mars") == whole
