"""Pytest plugin that notes which fields of pack entries the program reads while tests run.

``TABLEWRIGHT_FIELD_READS`` names the system and the file that the fields are written to, as ``SYSTEM:PATH``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tablewright
from tablewright.game.content.entries import EntryPart
from tablewright.game.system.registry import load_system

SOURCES = str(Path(tablewright.__file__).parent)
VARIABLE = "TABLEWRIGHT_FIELD_READS"


def models_of(system: str) -> list[type[EntryPart]]:
    """Every model of a system's content and of its parts, but for bases that no entry is made of."""
    assert load_system(system).rulebook.kinds
    found = {one for one in _below(EntryPart) if f".systems.{system}." in f"{one.__module__}."}
    return sorted([one for one in found if not one.__subclasses__()], key=lambda one: one.__name__)


def _below(model: type[EntryPart]) -> Iterable[type[EntryPart]]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)


class FieldReads:
    """Reads of fields by the sources of the program."""

    def __init__(self, system: str, path: Path) -> None:
        self.path, self.found = path, set[tuple[str, str]]()
        for model in models_of(system):
            self._watch(model)

    def _watch(self, model: type[EntryPart]) -> None:
        name, fields, found = model.__name__, frozenset(model.model_fields), self.found

        def read(entry: Any, field: str) -> Any:
            if field in fields and sys._getframe(1).f_code.co_filename.startswith(SOURCES):
                found.add((name, field))
            return object.__getattribute__(entry, field)

        model.__getattribute__ = read  # type: ignore[method-assign]

    def pytest_unconfigure(self) -> None:
        self.path.write_text(json.dumps(sorted(self.found)), encoding="utf-8")


def pytest_configure(config: Any) -> None:
    system, _, path = os.environ[VARIABLE].partition(":")
    config.pluginmanager.register(FieldReads(system, Path(path)))
