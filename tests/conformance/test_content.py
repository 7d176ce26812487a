"""Every field of a pack entry is read by the rules, or is declared as text for people."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.field_reads import VARIABLE, models_of
from tablewright.game.content.entries import ContentEntry, EntryPart, ForPeople

TESTS = Path(__file__).parents[1]
READERS = {
    "renaissance": (
        "test_own_packs.py",
        "test_powers.py",
        "test_recovery.py",
        "test_checks.py",
        "test_areas.py",
        "test_character.py",
        "test_companions.py",
        "test_maneuvers.py",
        "test_sustaining.py",
        "test_touching.py",
        "test_ills.py",
        "test_gifts.py",
        "test_advancement.py",
        "test_points.py",
        "test_creation.py::test_the_templates_are_legal",
        "test_growing.py::test_the_power_of_a_background_needs_nothing",
    ),
}
"""Systems that are held to it, with the tests of their own folder that use every kind of entry."""

NAMES = {*ContentEntry.model_fields, "grant", "effect"}
"""Fields by which entries and their parts are known."""


def fields_for_rules(model: type[EntryPart]) -> list[str]:
    """Fields of a model that a rule has to read: not its names, not text for people, not what has one value only."""
    return [
        name
        for name, field in model.model_fields.items()
        if name not in NAMES
        and field.annotation is not type(None)
        and not any(isinstance(mark, ForPeople) for mark in field.metadata)
    ]


@pytest.mark.parametrize("system", READERS)
def test_every_field_of_an_entry_is_read(system: str, tmp_path: Path) -> None:
    path = tmp_path / "reads.json"
    files = [str(TESTS / "systems" / system / name) for name in READERS[system]]
    run = [sys.executable, "-m", "pytest", "-q", "-p", "conformance.field_reads", "-p", "no:cacheprovider", *files]
    environment = os.environ | {VARIABLE: f"{system}:{path}", "PYTHONPATH": str(TESTS)}
    done = subprocess.run(run, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    read = {(model, name) for model, name in json.loads(path.read_text(encoding="utf-8"))}
    unread = [
        f"{model.__name__}.{name}"
        for model in models_of(system)
        for name in fields_for_rules(model)
        if (model.__name__, name) not in read
    ]
    assert not unread, f"no rule reads {', '.join(unread)}: read it, mark it with ForPeople, or remove it"


def test_what_counts_as_text() -> None:
    models = {model.__name__: model for model in models_of("renaissance")}
    assert "symptoms" not in fields_for_rules(models["Disease"])
    assert {"resist", "treatment"} <= set(fields_for_rules(models["Disease"]))
    assert "kind" not in fields_for_rules(models["Bonus"])
