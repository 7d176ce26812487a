"""Changes one figure or comparison of a system at a time and sees whether its tests notice.

    python tools/mutate.py coinfolk --n 30 --seed 1

A system is found by its id, also a third party's (its tests are looked for beside its package, or where the environment
variable TABLEWRIGHT_TESTS says), or by --package and --tests.

Everything happens in temporary copies; the work tree is never touched. For each mutant only the tests run whose rule
marks name a rule of the changed place; where there are none, all tests of the system. What nobody notices is listed
with file, line, before and after, and whether a test without the mark would have.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "sixth")]

from mutants import Code, Site, data_sites  # noqa: E402

from conformance.places import NAMED, folder_of_tests, package_folder  # noqa: E402 - the tests know where systems are

COPIED = ("src", "tests", "pyproject.toml", "README.md", "docs", "tools", "Makefile", "requirements", "LICENSE")
LEFT_OUT = shutil.ignore_patterns("*.pyc.*", ".pytest_cache", ".hypothesis", ".mypy_cache")
UNREAD = ("agents", "api", "cli", "engine", "lab", "server", "web")
"""Folders of tests that no test of a system imports; the page in the browser is not read either."""

NOTICED, TOO_LONG, UNMARKED, SURVIVED = "noticed", "too long", "unmarked", "SURVIVED"
"""By a test that concerns it; by taking too long; only by a test without the rule's mark; by none."""

PATIENCE = 3
"""How many times as long as the unchanged tests a mutant may take: a busy machine is no reason to call it noticed."""

COLLECTOR = """
import json, os, pytest

def pytest_collection_finish(session):
    if session.testsfailed:
        return
    marks = {
        item.nodeid: sorted({rule for mark in item.iter_markers("rule") for rule in mark.args})
        for item in session.items
    }
    with open(os.environ["MUTATE_MARKS"], "w") as file:
        json.dump(marks, file)
    if not any(rule.startswith(os.environ["MUTATE_PREFIX"]) for rules in marks.values() for rule in rules):
        pytest.exit("none is marked", returncode=0)
"""


@dataclass(frozen=True)
class System:
    """A system's folder and where its tests are, relative to a root: the repository, or a third party's folder."""

    id: str
    folder: Path
    tests: Path
    root: Path = ROOT
    is_ours: bool = True

    @property
    def place(self) -> Path:
        """Where the root is in a copy of the repository."""
        return Path() if self.is_ours else Path("third_party")

    @property
    def prefix(self) -> str:
        """What its rule ids begin with."""
        return f"{self.id}."


@dataclass(frozen=True)
class Mutant:
    """One change to be tried."""

    number: int
    site: Site
    choice: int

    @property
    def after(self) -> str:
        """What stands there now."""
        return self.site.after[self.choice]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, and which tests were asked first."""

    mutant: Mutant
    what: str
    tests: int
    by_rule: bool
    seconds: float

    def __str__(self) -> str:
        site = self.mutant.site
        tests = "1 test" if self.tests == 1 else f"{self.tests} tests"
        asked = f"{tests} of {', '.join(site.rules)}" if self.by_rule else f"all {tests}"
        return (
            f"{self.mutant.number:>4}  {self.what:<9} {site}: {site.before} -> {self.mutant.after}"
            f"  ({site.where}; {asked}; {self.seconds:.1f} s)"
        )


def system_named(name: str, package: Path | None = None, tests: Path | None = None) -> System:
    """The system with its folders, whether it is of this repository or a third party's."""
    own = ROOT / "src" / "tablewright" / "systems" / name
    folder = package or (own if own.is_dir() else package_folder(name))
    if folder is None or not (folder / "__init__.py").is_file():
        raise SystemExit(f'no package of a system "{name}" is found; --package FOLDER names it')
    where = tests or folder_of_tests(name)
    if where is None or not where.is_dir():
        raise SystemExit(f"no tests of {name} are found beside {folder}; --tests FOLDER names them")
    folder, where = folder.resolve(), where.resolve()
    copied = {ROOT / "src", ROOT / "tests"}
    is_ours = bool(copied & set(folder.parents) and copied & set(where.parents))
    root = ROOT if is_ours else Path(os.path.commonpath([folder.parent, where]))
    return System(name, folder.relative_to(root), where.relative_to(root), root, is_ours)


def sites_of(system: System, *, limits: bool = False, ledger: bool = False) -> list[Site]:
    """Every place of a system that could be wrong, in order."""
    root = system.root
    folder = root / system.folder
    code = sorted(folder.rglob("*.py"))
    data = [file for file in sorted((folder / "data").rglob("*.yaml")) if "demo" not in file.relative_to(folder).parts]
    data += [folder / "ledger.yaml"] if ledger else []
    found = [*Code(root, code, system.prefix, limits=limits).sites(), *data_sites(root, data, system.prefix)]
    return sorted(set(found))


def drawn(sites: Sequence[Site], n: int, seed: int) -> list[Mutant]:
    """So many sites at random, each with one of its changes; the same seed draws the same."""
    draw = random.Random(seed)
    chosen = draw.sample(list(sites), min(n, len(sites)))
    return [Mutant(number, site, draw.randrange(len(site.after))) for number, site in enumerate(chosen, start=1)]


# ---------------------------------------------------------------------- running


class Copy:
    """A temporary copy of the repository in which tests are run."""

    def __init__(self, system: System, folder: Path) -> None:
        self.system = system
        self.root = folder / "copy"
        self.root.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.root / name, ignore=self._left_out)
            elif source.exists():
                shutil.copy2(source, self.root / name)
        for part in () if system.is_ours else (system.folder, system.tests, system.tests.parent / "docs"):
            if (system.root / part).is_dir():
                copy = self.root / system.place / part
                shutil.copytree(system.root / part, copy, ignore=LEFT_OUT, dirs_exist_ok=True)
        (folder / "plugin").mkdir()
        (folder / "plugin" / "mutate_collector.py").write_text(COLLECTOR, encoding="utf-8")
        self.plugin = folder / "plugin"
        self.said = b""
        compiled = [sys.executable, "-m", "compileall", "-q", "src"]  # only what was not compiled before the copy
        subprocess.run(compiled, cwd=self.root, check=False, stdout=subprocess.DEVNULL)

    def _left_out(self, folder: str, names: list[str]) -> set[str]:
        """Files and folders that no test of the system reads."""
        unread: set[str] = set()
        match Path(folder).relative_to(ROOT).parts:
            case ("tests",):
                unread = {*UNREAD}
            case ("tests", "systems"):
                unread = {name for name in names if (ROOT / "src/tablewright/systems" / name).is_dir()}
                unread -= {self.system.id}
            case ("src", "tablewright", "server"):
                unread = {"web"}
        return {*LEFT_OUT(folder, names), *unread}

    def pytest(self, arguments: Sequence[str], *, limit: float, env: Mapping[str, str] | None = None) -> int | None:
        """Run tests here; the exit status, or None where it took too long."""
        paths = [self.root / "src", self.plugin]
        given = dict(env or {})
        if not self.system.is_ours:
            place = self.root / self.system.place
            paths.append((place / self.system.folder).parent)
            given[NAMED] = str(place / self.system.tests)
        paths += [Path(announced) for announced in os.environ.get("PYTHONPATH", "").split(os.pathsep) if announced]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(path.absolute()) for path in paths]),
            "PYTHONDONTWRITEBYTECODE": "1",
            **given,
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        started = subprocess.Popen(
            [*command, *arguments], cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            self.said, _ = started.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            started.kill()
            started.communicate()
            return None
        return started.returncode

    def marks(self, limit: float) -> dict[str, list[str]]:
        """The tests of the system with the rules that each is marked with; they are run, and pass without a change."""
        target = self.plugin / "marks.json"
        told = {"MUTATE_MARKS": str(target), "MUTATE_PREFIX": self.system.prefix}
        status = self.pytest(["-x", "-p", "mutate_collector", *self.where()], limit=limit, env=told)
        if not target.exists():
            raise SystemExit(f"the tests of {self.system.id} cannot be collected:\n{self.said.decode()[-3000:]}")
        marks: dict[str, list[str]] = json.loads(target.read_text(encoding="utf-8"))
        if not any(rule.startswith(self.system.prefix) for rules in marks.values() for rule in rules):
            raise SystemExit(
                f"of {len(marks)} tests in {self.system.root / self.system.tests} none is marked with a rule of "
                f'{self.system.id} (@pytest.mark.rule("{self.system.prefix}...")); --tests FOLDER names another folder'
            )
        if status != 0:
            raise SystemExit(f"the tests of {self.system.id} fail without any change:\n{self.said.decode()[-3000:]}")
        return marks

    def where(self) -> list[str]:
        """Where the tests of the system are."""
        places = dict.fromkeys([self.system.place / self.system.tests, self.system.place / self.system.folder])
        return [str(place) for place in places if (self.root / place).exists()]

    def run(self, tests: Sequence[str], limit: float) -> int | None:
        """Run some tests until the first that fails."""
        listed = self.plugin / "tests.txt"
        listed.write_text("\n".join(tests), encoding="utf-8")
        return self.pytest(["-x", f"@{listed}"], limit=limit)

    def tried(self, mutant: Mutant, marks: Mapping[str, list[str]], limit: float) -> Outcome:
        """Make the change, run the tests that concern it, and take the change back."""
        rules = set(mutant.site.rules)
        concerned = [test for test, marked in marks.items() if rules & set(marked)]
        tests = concerned or list(marks)
        file = self.root / self.system.place / mutant.site.file
        content = file.read_bytes()
        began = time.monotonic()
        try:
            self._forget(file)
            file.write_bytes(mutant.site.mutated(content, mutant.choice))
            status = self.run(tests, limit)
            unmarked = status == 0 and bool(concerned) and self.run(list(marks), 5 * limit) != 0
        finally:
            file.write_bytes(content)
        what = UNMARKED if unmarked else {None: TOO_LONG, 0: SURVIVED}.get(status, NOTICED)
        return Outcome(mutant, what, len(tests), bool(concerned), time.monotonic() - began)

    @staticmethod
    def _forget(file: Path) -> None:
        """Remove what Python keeps of a module: it tells changes by second and size, which a mutant may not change."""
        for kept in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            kept.unlink()


def tried_all(system: System, mutants: Sequence[Mutant], *, jobs: int, limit: float) -> list[Outcome]:
    """Try every mutant, several at a time, each in a copy of its own."""
    with tempfile.TemporaryDirectory(prefix="tablewright-mutate-") as folder:
        copies: Queue[Copy] = Queue()
        for number in range(jobs):
            place = Path(folder) / str(number)
            place.mkdir()
            copies.put(Copy(system, place))
        first = copies.get()
        began = time.monotonic()
        marks = first.marks(10 * limit)
        limit = max(limit, PATIENCE * (time.monotonic() - began))
        copies.put(first)

        def attempt(mutant: Mutant) -> Outcome:
            copy = copies.get()
            try:
                outcome = copy.tried(mutant, marks, limit)
            finally:
                copies.put(copy)
            sys.stdout.write(f"{outcome}\n")
            sys.stdout.flush()
            return outcome

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(attempt, mutants))


def main(argv: Sequence[str]) -> int:
    """Try mutants of a system and list the survivors."""
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("--n", type=int, default=30, help="how many mutants (30)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", type=int, help="try this number of the draw alone")
    parser.add_argument("--from", type=int, default=1, dest="first", metavar="N", help="go on with this number (1)")
    parser.add_argument(
        "--package", type=Path, metavar="FOLDER", help="the system's package, where it is not announced"
    )
    parser.add_argument("--tests", type=Path, metavar="FOLDER", help="the system's tests, where they are not found")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--limit", type=float, default=60, help="least seconds for the tests of one mutant (60)")
    parser.add_argument("--limits", action="store_true", help="also bounds of parameters, and what bots judge by")
    parser.add_argument("--ledger", action="store_true", help="also the figures of the ledger's data")
    parser.add_argument("--list", action="store_true", help="list the mutants and try none")
    given = parser.parse_args(argv)
    system = system_named(given.system, given.package, given.tests)
    sites = sites_of(system, limits=given.limits, ledger=given.ledger)
    mutants = drawn(sites, given.n, given.seed)
    if given.only is not None:
        mutants = [mutant for mutant in mutants if mutant.number == given.only]
    mutants = [mutant for mutant in mutants if mutant.number >= given.first]
    if given.list:
        for mutant in mutants:
            site = mutant.site
            rules = ", ".join(site.rules) or "all tests"
            sys.stdout.write(f"{mutant.number:>4}  {site}: {site.before} -> {mutant.after}  ({site.where}; {rules})\n")
        return 0
    outcomes = tried_all(system, mutants, jobs=max(1, given.jobs), limit=given.limit)
    survivors = [outcome for outcome in outcomes if outcome.what in (UNMARKED, SURVIVED)]
    count = {what: sum(outcome.what == what for outcome in outcomes) for what in (TOO_LONG, UNMARKED)}
    sys.stdout.write(
        f"\n{system.id}: {len(sites)} places, {len(outcomes)} mutant{'s' * (len(outcomes) != 1)} of seed {given.seed}: "
        f"{len(outcomes) - len(survivors)} noticed ({count[TOO_LONG]} by taking too long), {len(survivors)} survived "
        f"({count[UNMARKED]} of them noticed by tests without the rule's mark)\n"
    )
    for outcome in survivors:
        sys.stdout.write(f"{outcome}\n")
    if survivors:
        sys.stdout.write(
            f"repeat one: python tools/mutate.py {system.id} --n {given.n} --seed {given.seed} --only NUMBER\n"
        )
    return 0


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)
