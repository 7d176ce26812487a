"""Every test may cite rules: `@pytest.mark.rule("mars.check.outcomes")`. An id that no ledger knows is an error."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from _pytest.assertion import rewrite

import doctested
from conformance import occurrences
from tablewright.errors import TablewrightError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.ledger import Ledger

if TYPE_CHECKING:
    from table import postgres

MOST_RULES_OF_A_MARK = 3

MEMORY = "/dev/shm"
ROOM = 2 * 1024**3
"""Free bytes that a folder in memory must have, far more than a run writes."""


def write_into_memory() -> None:
    """Let temporary files live in memory where there is room: creating and syncing them on a disk costs far more."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free > ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = MEMORY
        tempfile.tempdir = None


if sys.platform == "linux":
    write_into_memory()

hypothesis.settings.register_profile("suite", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.load_profile("suite")
"""The same examples every time, on a busy machine too."""


_run = asyncio.run


def run_beside_a_browser(main: Any, **options: Any) -> Any:
    """Run a coroutine in a thread of its own where a browser keeps a loop running in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(main, **options)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: _run(main, **options)).result()


asyncio.run = run_beside_a_browser


def pytest_configure(config: pytest.Config) -> None:
    """Watch what the tests of the systems show, and look for doctests where there are some.

    Hardly anything that is collected is ever unused: the garbage collector begins with the first test.
    """
    gc.disable()
    for plugin in (occurrences, doctested):
        if not config.pluginmanager.is_registered(plugin):
            config.pluginmanager.register(plugin)


def pytest_sessionstart(session: pytest.Session) -> None:
    """In a fresh checkout each worker would compile every test: the second compiles from the end on, to meet the first.

    What one of them has compiled the other only reads.
    """
    if sys.dont_write_bytecode or getattr(session.config, "workerinput", {}).get("workerid") != "gw1":
        return
    for file in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
        compiled = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
        if not compiled.exists():
            compiled.parent.mkdir(exist_ok=True)
            state = session.config.stash[rewrite.assertstate_key]
            source_hash, code = rewrite._rewrite_test(file, session.config)
            rewrite._write_pyc(state, code, source_hash, compiled)


@cache
def known_rules() -> frozenset[str]:
    """The ids of all rules of all systems."""
    return frozenset(rule_id for system_id in system_ids() for rule_id in Ledger.load(system_id))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    problems = [
        f"{item.nodeid}: {problem}" for item in items for mark in item.iter_markers("rule") for problem in _wrong(mark)
    ]
    if problems:
        raise pytest.UsageError(*dict.fromkeys(problems))


def pytest_collection_finish() -> None:
    """Spare the garbage collector everything that was collected: thousands of tests that live as long as the run."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for leaks once: pytest does it five times at the end, which takes seconds where so much is in memory."""
    gc.collect()
    gc.freeze()


def _wrong(mark: pytest.Mark) -> list[str]:
    if mark.kwargs or not all(isinstance(rule_id, str) for rule_id in mark.args):
        return ["a rule mark holds rule ids and nothing else"]
    if not 1 <= len(mark.args) <= MOST_RULES_OF_A_MARK:
        return [f"a rule mark names one to {MOST_RULES_OF_A_MARK} rules, not {len(mark.args)}"]
    return [_refusal(rule_id) for rule_id in mark.args if rule_id not in known_rules()]


def _refusal(rule_id: str) -> str:
    try:
        Ledger.load(rule_id.partition(".")[0]).rule(rule_id)
    except TablewrightError as error:
        return str(error)
    raise AssertionError(rule_id)


@pytest.fixture(autouse=True, scope="session")
def _deadlines_never_pass() -> Iterator[None]:
    """Commands that a test runs have all the time they need; a test that is about time has a clock of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tablewright.lab.deadline.monotonic", lambda: 0.0)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a real PostgreSQL: the one that was given, or one that is started for these tests."""
    from table import postgres

    address = postgres.given()
    if address is not None:
        yield address
        return
    started = postgres.Server()
    try:
        yield started.start(*postgres.FORGETFUL)
    finally:
        started.stop()


@pytest.fixture(scope="session")
def databases(postgresql: str) -> Iterator[postgres.Databases]:
    """Empty databases of a real PostgreSQL, as many as a test asks for."""
    from table.postgres import Databases

    shared = Databases(postgresql)
    yield shared
    shared.close()
