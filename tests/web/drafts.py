"""Unfinished characters as a browser tab stores them, for tests that begin in the middle of creation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page

from tablewright.server.schemas import CreationRequest
from tablewright.server.tasks import making

MOST_STEPS = 150
SEED = 1

Step = Mapping[str, Any]
"""A step of creation as the server sends it: the question, its options and the closed ones."""


def first_option(step: Step) -> str:
    """Choose the first option."""
    return str(step["options"][0]["id"])


def draft(
    system: str, until: Callable[[Step], object], choose: Callable[[Step], str] = first_option, name: str = ""
) -> dict[str, Any]:
    """A draft that ends at the first step with a given property, or with the finished character."""
    answers: list[str | list[int]] = []
    steps: list[dict[str, Any]] = []
    for _ in range(MOST_STEPS):
        asked = CreationRequest(system=system, answers=answers, seed=SEED, name=name or None)
        told = making(asked.model_dump())
        step = told.get("step") or {}
        title = {"id": step.get("id", ""), "title": step.get("title", ""), "keys": list(told.get("shown") or {})}
        steps.append(title)
        if "made" in told or until(told):
            return {"name": name, "seed": SEED, "answers": answers, "steps": steps, "made": None, "how": "steps"}
        answers.append(choose(told))
    raise AssertionError(f"a character of {system} is never made")


def resume(page: Page, system: str, kept: Mapping[str, Any]) -> str:
    """Open a draft at its last step and return the address."""
    page.goto("/health")
    page.evaluate(
        "([key, kept]) => sessionStorage.setItem(key, kept)", [f"tablewright-making-{system}", json.dumps(kept)]
    )
    address = f"/make/{system}?at={len(kept['answers'])}"
    page.goto(address)
    return address
