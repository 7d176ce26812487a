"""Characters in the making as a tab of the browser keeps them, so that a test begins at the step that it is about."""

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
"""What the server tells of a step: the question, its options and those that are closed."""


def first_option(step: Step) -> str:
    """Choose whatever stands first."""
    return str(step["options"][0]["id"])


def draft(
    system: str, until: Callable[[Step], object], choose: Callable[[Step], str] = first_option, name: str = ""
) -> dict[str, Any]:
    """A character as far as the first step of which something is true, or made to the end."""
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
    """Open a draft at its last step; the address."""
    page.goto("/health")
    page.evaluate(
        "([key, kept]) => sessionStorage.setItem(key, kept)", [f"tablewright-making-{system}", json.dumps(kept)]
    )
    address = f"/make/{system}?at={len(kept['answers'])}"
    page.goto(address)
    return address
