"""Pytest plugin that changes one field of pack entries after the other, and looks for a test that notices.

A field is changed in all entries of its kind at once: each reads a value that another entry has, or the next number or
word. Tests run in a forked process each time, so that nothing remembers a change. `make fields` writes the tests that
notice into `noticed.json`; a test that is recorded there has to notice again in `make test`, where one in thirty
fields is tried, and in `make soak`, where all are.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from inspect import get_annotations
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from _pytest.runner import runtestprotocol

import tablewright
from tablewright.game.content.entries import ContentEntry, EntryPart, ForPeople
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library

SOURCES = str(Path(tablewright.__file__).parent)
TESTS = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("noticed.json")
VARIABLE = "TABLEWRIGHT_FIELD_CHANGES"
"""Variable that names the folder for `wanted.json` and `found.json`: tests by system and field."""

MOST_TESTS, MOST_SECONDS, WAYS = 600, 60, 3
"""Tests that are tried for a field, seconds that one may take before it counts as failed, and other values to try."""

NAMES = {*ContentEntry.model_fields, "grant", "effect"}
"""Fields by which entries and their parts are known."""


class Changed(NamedTuple):
    """A field of a model."""

    model: str
    field: str

    def __str__(self) -> str:
        return f"{self.model}.{self.field}"


def models_of(system: str) -> list[type[EntryPart]]:
    """Every model of a system's content and of its parts, but for bases that no entry is made of."""
    assert load_system(system).rulebook.kinds
    found = {one for one in _below(EntryPart) if f".systems.{system}." in f"{one.__module__}."}
    return sorted([one for one in found if not one.__subclasses__()], key=lambda one: one.__name__)


def _below(model: type[EntryPart]) -> Iterable[type[EntryPart]]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)


def fields_for_rules(model: type[EntryPart]) -> list[str]:
    """Fields of a model that a rule has to read: not its names, not text for people, not what has one value only."""
    return [
        name
        for name, field in model.model_fields.items()
        if name not in NAMES
        and len(_words_of(field.annotation)) != 1
        and field.annotation is not NoneType
        and not any(isinstance(mark, ForPeople) for mark in field.metadata)
    ]


def declared(model: type[EntryPart], field: str) -> Changed:
    """A field by the model that declares it: one of several kinds that share a base is the same for all of them."""
    owner = next(one for one in model.__mro__ if field in get_annotations(one))
    return Changed(owner.__name__, field)


def fields_of(system: str) -> dict[Changed, Any]:
    """Fields of a system's content that a rule has to read, with their types."""
    return {
        declared(model, name): model.model_fields[name].annotation
        for model in models_of(system)
        for name in fields_for_rules(model)
    }


def _words_of(annotation: Any) -> tuple[Any, ...]:
    """Values of a Literal, also inside of other types."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple([word for inner in get_args(annotation) for word in _words_of(inner)])


# ---------------------------------------------------------------------- other values


def values_in(library: Any, kinds: Iterable[type[ContentEntry]]) -> dict[Changed, list[Any]]:
    """Different values of each field in the entries of a pack."""
    found: dict[Changed, list[Any]] = defaultdict(list)

    def visit(value: Any) -> None:
        if isinstance(value, EntryPart):
            for name, inner in value.__dict__.items():
                known = found[declared(type(value), name)]
                if inner not in known:
                    known.append(inner)
                visit(inner)
        elif isinstance(value, Mapping):
            for inner in value.values():
                visit(inner)
        elif isinstance(value, tuple):
            for inner in value:
                visit(inner)

    for kind in kinds:
        for entry in library.of(kind):
            visit(entry)
    return found


def others_of(value: Any, annotation: Any, known: Iterable[Any]) -> Iterator[Any]:
    """Other values for a field: the next number or word, nothing for a list, and what other entries have."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | Fraction):
        yield value + 1
    words = _words_of(annotation)
    if value in words and isinstance(value, str):
        at = words.index(value)
        yield from (*words[at + 1 :], *words[:at])
    for other in known:
        if other != value:
            yield other
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        yield value + 7
        yield value - 1
    if isinstance(value, tuple | Mapping) and value:
        yield type(value)()
        if isinstance(value, tuple) and type(value) is tuple:
            yield (*value, value[0])
    if isinstance(value, str) and not words:
        yield f"another {value}" if " " in value else "another"
    if value is None:
        yield from _made(annotation)


def _made(annotation: Any) -> Iterator[Any]:
    """A value of a type that no entry has."""
    for inner in (annotation, *get_args(annotation)):
        if get_origin(inner) is Literal:
            yield from get_args(inner)
        elif inner in (int, str, bool, Fraction):
            yield {int: 1, str: "another", bool: True, Fraction: Fraction(1)}[inner]


# ---------------------------------------------------------------------- the plugin


class FieldChanges:
    """Runs of tests with one field changed at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        wanted = json.loads((folder / "wanted.json").read_text(encoding="utf-8"))
        self.wanted: dict[str, dict[str, str | None]] = wanted
        self.system = ""
        self.read: set[Changed] = set()
        self.change: tuple[Changed, Callable[[Any], Any]] | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the wanted fields instead of running the tests."""
        found = {system: self._found(system, wanted, session.items) for system, wanted in self.wanted.items()}
        (self.folder / "found.json").write_text(json.dumps(found), encoding="utf-8")
        return True

    def _found(
        self, system: str, wanted: Mapping[str, str | None], tests_of_all: list[pytest.Item]
    ) -> dict[str, str | None]:
        """Test that notices the change of each wanted field of a system."""
        self.system = system
        book = load_system(system).rulebook
        library = shipped_library(load_system(system))
        known = values_in(library, dict.fromkeys(book.kinds.values()))
        for model in models_of(system):
            self._watch(model)
        types = fields_of(system)
        items = {item.nodeid: item for item in tests_of_all}
        readers: Mapping[str, list[str]] = {}
        if None in wanted.values():
            readers = json.loads(_in_a_fork(lambda: json.dumps(self._readers(tests_of_all))))
        found: dict[str, str | None] = {}
        for name, node in wanted.items():
            changed = Changed(*name.split("."))
            tests = readers.get(name, [])[:MOST_TESTS] if node is None else [node]
            chosen = [items[one] for one in tests if one in items]
            found[name] = self._first_that_notices(changed, types[changed], known, chosen)
        return found

    def _watch(self, model: type[EntryPart]) -> None:
        system = self.system
        fields = {name: declared(model, name) for name in model.model_fields}

        def read(entry: Any, name: str) -> Any:
            value = object.__getattribute__(entry, name)
            field = fields.get(name)
            if field is not None and self.system == system and sys._getframe(1).f_code.co_filename.startswith(SOURCES):
                self.read.add(field)
                if self.change is not None and self.change[0] == field:
                    return self.change[1](value)
            return value

        model.__getattribute__ = read  # type: ignore[method-assign]

    def _readers(self, items: list[pytest.Item]) -> dict[str, list[str]]:
        """Tests that read each field, the quickest first."""
        found: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for item in items:
            self.read.clear()
            began = time.process_time()
            if _passes(item):
                took = time.process_time() - began
                for one in self.read:
                    found[str(one)].append((took, item.nodeid))
        return {name: [node for _, node in sorted(tests)] for name, tests in found.items()}

    def _first_that_notices(
        self, changed: Changed, annotation: Any, known: Mapping[Changed, list[Any]], tests: list[pytest.Item]
    ) -> str | None:
        for number in range(WAYS):

            def another(value: Any, number: int = number) -> Any:
                others = list(others_of(value, annotation, known.get(changed, ())))
                return others[number % len(others)] if others else value

            self.change = changed, another
            try:
                node = _in_a_fork(lambda: next((item.nodeid for item in tests if not _passes(item)), ""))
            finally:
                self.change = None
            if node:
                return node
        return None


def _passes(item: pytest.Item) -> bool:
    item.config.pluginmanager.set_blocked("terminalreporter")
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_SECONDS)
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        signal.alarm(0)
    return not any(report.failed for report in reports)


def _too_long(*_: Any) -> None:
    raise TimeoutError("the test does not end")


def _in_a_fork(work: Callable[[], str]) -> str:
    """Result of some work in a forked process, which forgets everything else."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as out:
                out.write(work())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return found


def pytest_configure(config: Any) -> None:
    config.pluginmanager.register(FieldChanges(Path(os.environ[VARIABLE])))


# ---------------------------------------------------------------------- runs


def changed_fields(
    wanted: Mapping[str, Mapping[str, str | None]], folder: Path, where: Iterable[str] = ()
) -> dict[str, dict[str, str | None]]:
    """Test that notices the change of each wanted field, by system and field; None if none does.

    A field with a test is tried with that one only, a field without one with every test in ``where`` that reads it.
    """
    (folder / "wanted.json").write_text(json.dumps(wanted), encoding="utf-8")
    where = where or dict.fromkeys([node for tests in wanted.values() for node in tests.values() if node])
    options = ["-q", "-p", "conformance.field_changes", "-p", "no:cacheprovider", "-p", "no:randomly"]
    environment = os.environ | {VARIABLE: str(folder), "PYTHONPATH": f"{TESTS}:{TESTS / 'sixth'}"}
    run = [sys.executable, "-m", "pytest", *options, *where]
    done = subprocess.run(run, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False)
    answer = folder / "found.json"
    assert answer.exists(), done.stdout[-2_000:] + done.stderr[-2_000:]
    found: dict[str, dict[str, str | None]] = json.loads(answer.read_text(encoding="utf-8"))
    answer.unlink()
    return found


def recorded() -> dict[str, dict[str, str]]:
    """Recorded tests by system and field."""
    found: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def record(system: str, folder: Path) -> list[str]:
    """Record a test for each field of a system, keeping those that still notice; return the fields without one.

    A recorded test that has gone is replaced like one that no longer notices.
    """
    where = [f"tests/systems/{system}"]
    known = recorded()
    mine = known.get(system, {})
    wanted: dict[str, str | None] = {str(one): mine.get(str(one)) for one in fields_of(system)}
    kept = {name: node for name, node in wanted.items() if node}
    found = changed_fields({system: kept}, folder, where)[system] if kept else {}
    missing: dict[str, str | None] = {name: None for name in wanted if not found.get(name)}
    if missing:
        found |= changed_fields({system: missing}, folder, where)[system]
    known[system] = {name: node for name, node in sorted(found.items()) if node}
    RECORD.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
    return [name for name, node in sorted(found.items()) if not node]


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for each in sys.argv[1:]:
        with TemporaryDirectory() as place:
            sys.stdout.write("\n  ".join([each, *record(each, Path(place))]) + "\n")
