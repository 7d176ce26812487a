"""Golden dumps of what a system offers: its pack, options, processes and mechanics, with all figures and defaults.

    PYTHONPATH=tests python -m systems.packs

writes the dumps; review the difference before you commit it. An entry, option, process or mechanic is one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from pydantic import BaseModel

from systems.playing import starter
from tablewright.engine.parameters import Parameter
from tablewright.game.rules.ledger import Ledger
from tablewright.game.system.registry import load_system

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
FOLDER = Path(__file__).parent

Sections = dict[str, list[str]]


def written(data: Any) -> str:
    """Data in one line of JSON."""
    return json.dumps(data, ensure_ascii=False, default=str)


@cache
def sections_of(system: str) -> Sections:
    """The lines of each kind of content, and of defaults, options, processes and mechanics."""
    found: Sections = {}
    models: set[type[BaseModel]] = set()
    for kind, _ in starter(system).kinds:
        for entry in starter(system).of(kind):
            models |= set(models_in(entry))
            told = entry.to_json()
            found.setdefault(kind, []).append(f"{told.pop('id')} {written(told)}")
    found["defaults"] = [f"{one.__name__} {written(told)}" for one in by_name(models) if (told := defaults_of(one))]
    known = load_system(system)
    found["options"] = [f"{one.name} {written(described(one))}" for one in known.options.describe()]
    for name, callables in (("processes", known.rulebook.processes), ("mechanics", known.mechanics)):
        found[name] = [f"{one.name} {parameters(one.params)} {written(one.rules)}" for one in callables]
    return found


def described(option: Any) -> dict[str, Any]:
    """An option with its default, what it takes, and its rule."""
    told = {name: getattr(option, name) for name in ("default", "low", "high", "choices", "rule")}
    more = {"or_none": True} if option.or_none else {}
    return {name: value for name, value in told.items() if value not in (None, ())} | more


def parameters(given: Iterable[Parameter]) -> str:
    """Parameters with their kinds and defaults."""
    written = [f"{one.name}: {one.kind}" + ("" if one.required else f" = {one.default}") for one in given]
    return "(" + re.sub(r"<class '[\w.]*?(\w+)'>", r"\1", ", ".join(written)) + ")"


def by_name(models: set[type[BaseModel]]) -> list[type[BaseModel]]:
    """Models in the order of their names."""
    return sorted(models, key=lambda model: (model.__module__, model.__name__))


def models_in(value: Any) -> Iterator[type[BaseModel]]:
    """Every model that a value is made of."""
    if isinstance(value, BaseModel):
        yield type(value)
        value = dict(value)
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list | frozenset):
        for inside in value:
            yield from models_in(inside)


def defaults_of(model: type[BaseModel]) -> dict[str, Any]:
    """The words and numbers of a model's fields where a pack does not give them."""
    given = {name: field.default for name, field in model.model_fields.items() if not field.is_required()}
    return {name: value for name, value in given.items() if type(value) is int or (value and type(value) is str)}


# ---------------------------------------------------------------------- files


def path_of(system: str) -> Path:
    """The file with the dump of a system's pack."""
    return FOLDER / system / "pack.txt"


def write(system: str) -> None:
    """Write the dump of a system's pack."""
    lines = [line for name, rows in sections_of(system).items() for line in (f"# {name}", *rows, "")]
    path_of(system).write_text("\n".join(lines), encoding="utf-8")


@cache
def golden(system: str) -> Sections:
    """The sections of the stored dump."""
    blocks = path_of(system).read_text(encoding="utf-8").removeprefix("# ").split("\n# ")
    return {kind: rows.strip().splitlines() for kind, _, rows in [block.partition("\n") for block in blocks]}


def cases(system: str, marks: Mapping[str, pytest.MarkDecorator]) -> list[ParameterSet]:
    """A case for every kind, with its mark and one for every rule that entries of the kind cite."""
    unknown = set(marks) - set(golden(system))
    assert not unknown, f"the pack of {system} has no {', '.join(sorted(unknown))}"
    known, found = set(Ledger.load(system)), []
    for kind, rows in golden(system).items():
        cited = {rule for row in rows for rule in re.findall(rf'"({system}\.[a-z0-9_.]+)"', row)} & known
        marked = [marks[kind]] if kind in marks else []
        found.append(pytest.param(kind, id=kind, marks=[*marked, *map(pytest.mark.rule, sorted(cited))]))
    return found


def check(system: str, kind: str) -> None:
    """Assert that the entries of a kind are those of the stored dump."""
    assert sections_of(system)[kind] == golden(system)[kind], "python -m systems.packs writes the dump"


if __name__ == "__main__":
    for each in SYSTEMS:
        write(each)
