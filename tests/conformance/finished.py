"""Asks everything that a finished system must have, and lists each item as met or missing.

    python -m conformance.finished SYSTEM [--quick]

It makes no difference whether the system already calls itself finished. The status is 0 when nothing is missing.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from conformance import demands
from conformance.extents import extent_of
from conformance.fuzzing import fuzz
from conformance.occurrences import JUDGED
from conformance.places import NAMED, ROOT, folder_of_tests, golden_of, page_of, shown
from conformance.promises import PROMISES, Broken
from conformance.random_play import Failed, describe, play_all, plays
from golden.campaign import lacking
from golden.pages import check_page
from golden.runner import empty_folder, played
from tablewright.errors import TablewrightError
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.system.registry import load_system
from tablewright.game.system.system import System

MOST_SHOWN = 8
"""Most problems of one item that are listed; the rest are counted."""

PLAYS = 100
"""Number of random plays; `make soak` takes many more."""

FUZZED = 40
"""Number of random scripts; `make soak` takes many more."""

LAST_LINES = 8
"""Most characters shown of a test run that does not even begin."""


def promises_broken(system: System) -> Iterator[str]:
    """The promises that are not kept, each with the scenario on which."""
    for name in scenario_names(system.id):
        for promise in PROMISES:
            try:
                promise(load_scenario(f"{system.id}:{name}"))
            except Broken as broken:
                yield f"{name}: {broken}"


def breaks_in_random_play(system: System) -> Iterator[str]:
    """Failures of random play, each with the command that repeats it."""
    failures: list[Failed] = []
    play_all(itertools.islice(plays(system, extent_of(system.id)), PLAYS), failures=failures)
    yield from describe(failures).splitlines()


def breaks_at_a_table(system: System) -> Iterator[str]:
    """Failures of random scripts of table commands."""
    fuzz(system.id, FUZZED)
    yield from ()


def tests_failing(system: System) -> Iterator[str]:
    """Failures of the tests of the system, and what none of them shows."""
    folder = folder_of_tests(system.id)
    if folder is None:
        yield "there is no folder of tests (conformance/places.py says where it may be)"
        return
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=no",
        "-p",
        "conformance.occurrences",
        "-p",
        "no:cacheprovider",
        "-c",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(
        [*command, "--rootdir", str(ROOT), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {JUDGED: system.id},
    )
    if done.returncode:
        said = (done.stdout or done.stderr).splitlines()
        yield from [line for line in said if line.startswith(("FAILED", "ERROR", f"{system.id}: no test"))] or said[
            -LAST_LINES:
        ]


def campaign_lacking(system: System) -> Iterator[str]:
    """Gaps of the golden campaign, and golden plays with different output."""
    yield from lacking(system.id)
    for file in golden_of(system.id):
        text = file.read_text(encoding="utf-8")
        if played(text) != text:
            yield f"{shown(file)} comes out otherwise; python -m golden.runner {shown(file)} records it again"


def page_wrong(system: System) -> Iterator[str]:
    """Problems of the system's page."""
    page = page_of(system.id)
    if page is None:
        yield f"there is no docs/{system.id}.md beside its tests"
        return
    try:
        with empty_folder():
            if not check_page(page):
                yield f"{shown(page)} shows no command (in a block of the language console)"
    except AssertionError as error:
        yield f"{shown(page)} shows another answer than there is now: {str(error).partition(chr(10))[0]}"
        yield f"python -m golden.pages --write {shown(page)} records the answers again"


ITEMS: tuple[tuple[str, Callable[[System], Iterator[str] | list[str]]], ...] = (
    ("its four scenarios", demands.scenarios_lacking),
    ("every rule is named in code or data", demands.unnamed),
    ("every rule has a test with its mark", demands.unmarked),
    ("its options show what they change", demands.options_unshown),
    ("its own tests pass and show everything it has", tests_failing),
    ("every promise is kept on every scenario", promises_broken),
    ("nothing breaks in random play", breaks_in_random_play),
    ("whatever a table does, it holds", breaks_at_a_table),
    ("a whole golden campaign", campaign_lacking),
    ("a page whose commands are true", page_wrong),
    ("rows in the bench, if it is of this repository", demands.unmeasured),
)


PLAYED = (promises_broken, breaks_in_random_play, breaks_at_a_table)
"""Items that are played for minutes."""


def asked(system: System, demand: Callable[[System], Iterator[str] | list[str]]) -> list[str]:
    """Missing parts of one item; an error counts as missing."""
    try:
        return list(demand(system))
    except Exception as error:  # the other items are asked all the same
        return [f"{type(error).__name__}: {error}"]


def main(argv: list[str]) -> int:
    """List every item as met or missing."""
    parser = argparse.ArgumentParser(
        prog="conformance.finished", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("system")
    parser.add_argument("--quick", action="store_true", help="leave out what has to be played for minutes")
    given = parser.parse_args(argv)
    try:
        system = load_system(given.system)
        _ = system.rulebook, system.ledger
    except TablewrightError as error:
        raise SystemExit(f"error: {error}") from None
    object.__setattr__(system, "status", "finished")  # in this process: it is held to what a finished one is
    folder = folder_of_tests(system.id)
    place = shown(folder) if folder is not None else f"nowhere: neither beside its package nor in {NAMED}"
    sys.stdout.write(f"{system.title}: {len(system.ledger)} rules, tests in {place}\n")
    lacks = 0
    for title, demand in ITEMS:
        if given.quick and demand in PLAYED:
            sys.stdout.write(f"{'not asked':<10} {title}\n")
            continue
        began = time.monotonic()
        problems = asked(system, demand)
        lacks += bool(problems)
        sys.stdout.write(f"{'MISSING' if problems else 'met':<10} {title}  ({time.monotonic() - began:.0f} s)\n")
        told = problems[:MOST_SHOWN] + [f"and {len(problems) - MOST_SHOWN} more"] * (len(problems) > MOST_SHOWN)
        sys.stdout.write("".join([f"           {line}\n" for problem in told for line in problem.splitlines()]))
        sys.stdout.flush()
    if lacks:
        sys.stdout.write(f"{lacks} of {len(ITEMS)} are missing\n")
    elif given.quick:
        sys.stdout.write(f"so far nothing is missing; make finished SYSTEM={system.id} asks the rest\n")
    else:
        rest = f"make mutate SYSTEM={system.id} (no survivor) and make soak remain"
        sys.stdout.write(f"all {len(ITEMS)} are met; {rest}\n")
    return int(bool(lacks))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
