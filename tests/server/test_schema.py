"""Generated requests, within the OpenAPI document and beyond it: no server error."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.generation import GenerationMode

from conformance.places import at_length
from patience import LIMIT
from server.serving import Person, Served

EXAMPLES = 12 if at_length() else 2
"""Requests for each operation, of either kind."""


@pytest.fixture(scope="module")
def gm(served: Served) -> Person:
    """A game master with a character and an open scene."""
    person = served.campaign("Anything goes")
    person.done("character.add", character="ann")
    person.done("scene.begin", form="time", who=["ann"])
    return person


@pytest.fixture(scope="module")
def document(served: Served) -> dict[str, Any]:
    """The document as the server gives it."""
    found: dict[str, Any] = served.client().get("/v1/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> list[Any]:
    """Every operation of the document."""
    schema = schemathesis.openapi.from_dict(document)
    found: list[Any] = list(schema.get_all_operations())
    every = [result.ok() for result in found]
    return [one for one in every if one.path != "/v1/campaigns/import"]  # a file, which has tests of its own


def test_the_document_names_everything(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert "/v1/campaigns/{campaign}/act" in document["paths"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), (method, path)


ASKS_ONLY = frozenset(
    (
        *("/v1/link", "/v1/link/code", "/v1/advice", "/v1/characters", "/v1/characters/making"),
        *("/v1/characters/random", "/v1/checks", "/v1/meetings", "/v1/odds", "/v1/odds/table", "/v1/packs"),
        *("/v1/campaigns/{campaign}/ahead", "/v1/campaigns/{campaign}/odds", "/v1/campaigns/{campaign}/preview"),
    )
)


def test_every_changing_request_takes_a_key(document: dict[str, Any]) -> None:
    """All that is sent but questions; what ends a simulation ends it once anyway."""
    for path, methods in document["paths"].items():
        assert not {"put", "patch"} & set(methods)
        if "post" in methods:
            names = [one["name"] for one in methods["post"].get("parameters", ()) if one["in"] == "header"]
            assert ("Idempotency-Key" in names) is (path not in ASKS_ONLY), path


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["within", "beyond"])
def test_no_request_is_answered_with_a_fault(
    served: Served, gm: Person, operations: list[Any], mode: GenerationMode
) -> None:
    tried = 0
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and not list(operation.body) and not list(operation.query):
            continue  # there is nothing to get wrong
        cases = operation.as_strategy(generation_mode=mode)

        @hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=cases)
        def run(case: Any) -> None:
            nonlocal tried
            if "campaign" in (case.path_parameters or {}):
                case.path_parameters["campaign"] = gm.campaign
            if case.operation.path.endswith("/leave"):
                return  # it would end this seat
            headers = {"Cookie": gm.cookies, "Content-Type": "application/json"}
            response = case.call(base_url=served.url, headers=headers, timeout=LIMIT)
            tried += 1
            assert response.status_code < 500, (case.operation.path, response.text[:300])
            if response.status_code >= 400:
                assert "application/problem+json" in response.headers["content-type"]

        try:
            run()
        except hypothesis.errors.Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE
    assert tried > 25 * EXAMPLES
