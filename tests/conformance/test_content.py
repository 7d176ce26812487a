"""Every field of a pack entry makes a difference to the rules, or is declared as text for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.field_changes import changed_fields, fields_for_rules, fields_of, models_of, others_of, recorded
from conformance.places import at_length

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
SHARE = 30
"""One in so many fields is tried in `make test`, all of them in `make soak`."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_has_a_test_that_notices_its_change(system: str) -> None:
    fields, known = {str(one) for one in fields_of(system)}, set(recorded()[system])
    lacking = sorted(fields - known)
    assert not lacking, f"{', '.join(lacking)}: read it, mark it with ForPeople, or remove it; then run make fields"
    assert not known - fields, f"run make fields: there is no {', '.join(sorted(known - fields))} any more"


@pytest.mark.parametrize("systems", [(system,) for system in SYSTEMS] if at_length() else [SYSTEMS], ids=" ".join)
def test_a_changed_field_makes_a_difference(systems: tuple[str, ...], tmp_path: Path) -> None:
    known = {system: [*recorded()[system].items()] for system in systems}
    tried = {system: dict(fields[:: 1 if at_length() else SHARE]) for system, fields in known.items()}
    found = changed_fields(tried, tmp_path)
    assert [len(fields) for fields in found.values()] == [len(fields) for fields in tried.values()]
    unnoticed = [
        f"{system}'s {name} ({tried[system][name]})"
        for system, fields in found.items()
        for name, test in fields.items()
        if not test
    ]
    assert not unnoticed, f"no difference by a change of {', '.join(unnoticed)}; make fields looks for other tests"


def test_fields_that_count_as_text() -> None:
    models = {model.__name__: model for model in models_of("renaissance")}
    assert "symptoms" not in fields_for_rules(models["Disease"])
    assert {"resist", "treatment"} <= set(fields_for_rules(models["Disease"]))
    assert "kind" not in fields_for_rules(models["Bonus"])


def test_other_values() -> None:
    assert list(others_of(True, bool, [])) == [False]
    assert list(others_of(3, int, [3, 9])) == [4, 9, 10, 2]
    assert list(others_of((), tuple[str, ...], [(), ("a",)])) == [("a",)]
    assert next(others_of(None, int | None, [None])) == 1
