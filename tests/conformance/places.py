"""Paths of a system's package, tests and page, in this repository or a third party's.

The tests of a system of this repository are in `tests/systems/<id>/`. Those of a third party are in `tests/` beside its
package (or beside the `src/` that holds it), or in the folders that the environment variable TABLEWRIGHT_TESTS names;
where several systems share such a folder, each has one of its own in it, called like its id. There stand:

    extent.py             declarations for the conformance tests: conditions, casts, arguments of processes
    golden/campaign.txt   a campaign by commands alone
    test_*.py             tests, each marked with the rules that it would find broken

The page that shows the system in five minutes is `docs/systems/<id>.md` here, and `docs/<id>.md` beside such tests.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tablewright.game.rules.entry_points import package_of, system_ids
from tablewright.game.system.load_errors import is_ours

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
NAMED = "TABLEWRIGHT_TESTS"
SOURCES = "src"


def package_folder(system_id: str) -> Path | None:
    """The folder of a system's package; None for a system that no one announces."""
    package = package_of(system_id)
    found = find_spec(package) if package else None
    return Path(found.origin).parent if found is not None and found.origin else None


def folder_of_tests(system_id: str) -> Path | None:
    """The folder of a system's tests; None where it has none."""
    return next((folder for folder in _places(system_id) if folder.is_dir()), None)


def _places(system_id: str) -> Iterator[Path]:
    """Candidate folders for the tests of a system, the likeliest first."""
    yield TESTS / "systems" / system_id
    named = [Path(name).resolve() for name in os.environ.get(NAMED, "").split(os.pathsep) if name]
    yield from [folder / system_id for folder in named]
    package = package_folder(system_id)
    if package is not None and not is_ours(package_of(system_id) or ""):
        above = package.parent.parent if package.parent.name == SOURCES else package.parent
        yield from (above / "tests" / system_id, above / "tests")
        yield from named


def folders_of_tests() -> list[Path]:
    """The tests of this repository, and the folders elsewhere in which systems have theirs."""
    found = [folder for system_id in system_ids() if (folder := folder_of_tests(system_id)) is not None]
    return [TESTS, *dict.fromkeys([folder for folder in found if TESTS not in folder.resolve().parents])]


def golden_of(system_id: str) -> tuple[Path, ...]:
    """The golden plays of a system."""
    folder = folder_of_tests(system_id)
    return tuple(sorted((folder / "golden").glob("*.txt"))) if folder is not None else ()


def page_of(system_id: str) -> Path | None:
    """The page on a system; None where it has none."""
    tests = folder_of_tests(system_id)
    places = [ROOT / "docs" / "systems" / f"{system_id}.md"]
    places += [
        above / "docs" / f"{system_id}.md" for above in (tests.resolve().parents[:2] if tests is not None else ())
    ]
    return next((page for page in places if page.is_file()), None)


def shown(path: Path) -> str:
    """A path for people: from the repository on where it is below it."""
    return str(path.relative_to(ROOT)) if ROOT in path.parents else str(path)


def at_length() -> bool:
    """Tell whether everything is played: in `make soak` and `make finished`, not in `make test`."""
    return os.environ.get("CONFORMANCE") == "all"
