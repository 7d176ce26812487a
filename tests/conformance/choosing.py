"""Chooses few plays that together show all that many show: the ones that `make test` begins with.

    python -m conformance.choosing SYSTEM [--plays N] [--times N] [--seed N] [--jobs N] [--write]

The lines that it prints first belong into `plays.txt` beside the extent; --write puts them there, and the counts of
all that was played into the page of the system. They are chosen anew when a change of rules has made `make test` play
on after them.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

from conformance.counting import write_counts
from conformance.exhaustive import SLOW, Heard, news, played, plays, report, told, wanted
from conformance.extents import Extent, extent_of
from conformance.places import folder_of_tests
from conformance.playing import Failed, Play, Tale
from tablewright.game.registry import load_system
from tablewright.game.system import System

PAGES = Path(__file__).parents[2] / "docs" / "systems"

OVERHEAD = 0.2
"""Seconds that every play counts besides those that it takes: one long play is worth several short ones."""


def few_of(
    system: System,
    extent: Extent,
    candidates: Iterable[Play],
    failures: list[Failed],
    times: int = 1,
    jobs: int = 1,
    heard: Heard | None = None,
) -> tuple[tuple[Play, ...], Tale]:
    """Few plays that together show all that the candidates show, and what those show; no slow or failed ones.

    Again and again the play is taken that shows most of what is lacking for the time it takes. Where everything is
    to be shown several times, other plays follow that show it again: a change of rules rarely takes all of them away.
    """
    whole = Tale()
    tales: dict[Play, Tale] = {}
    for one, tale, failed in played(dict.fromkeys([one for one in candidates if one.policy != SLOW]), jobs):
        if failed is not None:
            failures.append(failed)
            continue
        tales[one] = tale
        whole.add(tale)
        if heard is not None:
            heard(whole)
    lengths = {one: OVERHEAD + tale.seconds for one, tale in tales.items()}
    must = {(kind, name) for kind, names in wanted(system, extent, whole).items() for name in names}
    shows = {one: {(kind, name) for kind, name in must if tale.seen(kind)[name]} for one, tale in tales.items()}
    chosen: list[Play] = []
    for _ in range(times):
        lacking = set[tuple[str, str]]().union(*shows.values())
        while lacking:
            best = max(shows, key=lambda one: len(shows[one] & lacking) / lengths[one])
            lacking -= shows.pop(best)
            chosen.append(best)
    return tuple(chosen), whole


def main(argv: list[str]) -> int:
    """Print the chosen plays and the report on all that were played."""
    parser = argparse.ArgumentParser(prog="conformance.choosing", description=__doc__)
    parser.add_argument("system")
    parser.add_argument("--plays", type=int, default=None, help="how many plays to choose from")
    parser.add_argument("--times", type=int, default=2, help="by how many of the chosen plays each thing is shown")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument(
        "--write", action="store_true", help="write them among the system's tests, the counts into its page"
    )
    given = parser.parse_args(argv)
    system, failures = load_system(given.system), list[Failed]()
    extent = extent_of(system.id)
    candidates = itertools.islice(plays(system, extent, given.seed), given.plays or extent.plays)
    few, tale = few_of(system, extent, candidates, failures, given.times, given.jobs, news(system, failures))
    chosen = "".join([f"{one.words}\n" for one in few])
    if given.write:
        folder = folder_of_tests(system.id)
        if folder is None:
            raise SystemExit(f"{system.id} has no folder of tests; see conformance/places.py")
        (folder / "plays.txt").write_text(chosen, encoding="utf-8")
        write_counts(PAGES / f"{system.id}.md", system, extent, tale)
    sys.stdout.write(f"{chosen}\n{report(system, extent, tale)}\n\n{told(failures)}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
