"""A process that plays heavily until it is killed, and one that bears such processes quickly.

The nursery has everything imported; for every line that it reads it forks a child, which opens the store for itself and
plays. Before each deed the child says what it tries, and after the store has acknowledged it, what it was told.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from hashlib import sha256
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from table.playing import group
from tablewright.errors import TablewrightError
from tablewright.table import ConflictError, open_store

SEATS = ("gwen", "anna", "ben")


def say(kind: str, **more: Any) -> None:
    os.write(1, (json.dumps({"kind": kind, **more}) + "\n").encode())  # one write, so that no line is torn


def digest(lines: Any) -> str:
    return sha256(json.dumps(lines, sort_keys=True).encode()).hexdigest()


class Played(Protocol):
    """A table in this process, or at a server."""

    def view(self, seat: str, after: int = 0) -> dict[str, Any]:
        """The table as a seat sees it."""

    def preview(self, seat: str, command: dict[str, Any]) -> dict[str, Any]:
        """The word that confirms a command, and more."""


def deed(table: Played, chance: random.Random, key: str) -> tuple[str, dict[str, Any]]:
    """An action that a seat might try now."""
    view = table.view("gwen", 10**9)
    question, dice = view["question"], chance.random()
    if view["scene"] is None or (view["scene"]["ended"] is not None and question is None):
        return "gwen", {"do": "scene.begin", "scenario": "together"}
    if question is None or dice < 0.3:
        return chance.choice(SEATS), {"do": "note.write", "text": key}
    if dice < 0.36:
        return "gwen", confirmed(table, {"do": "undo", "line": max(12, view["last"] - chance.randrange(8))})
    if dice < 0.4 and view["can"]["redo"]:
        return "gwen", confirmed(table, {"do": "redo"})
    if question["kind"] == "roll":
        return "gwen", {"do": "answer", "roll": True}
    return "gwen", {"do": "answer", "option": chance.choice(question["options"])["id"]}


def confirmed(table: Played, command: dict[str, Any]) -> dict[str, Any]:
    return command | {"confirm": table.preview("gwen", command)["confirm"]}


def live(where: str, campaign: str, seed: int, again: list[Any] | None) -> None:
    """Play until killed; ``again`` is what the last child had tried and not heard of."""
    chance = random.Random(seed)
    store = open_store(where)
    table = store.table(campaign)
    number = 0
    while True:
        number += 1
        if again is not None:
            seat, command, key = again
            again = None
        else:
            key = f"{seed}-{number}"
            try:
                seat, command = deed(table, chance, key)
            except TablewrightError:
                continue
        say("try", seat=seat, command=command, key=key)
        try:
            answer = table.act(seat, command, key=key)
        except ConflictError:
            say("refused", key=key)
        except TablewrightError as error:
            say("refused", key=key, why=str(error))
        else:
            numbers = [line["number"] for line in answer["lines"]]
            say("done", seat=seat, key=key, numbers=numbers, digest=digest(answer["lines"]))


def bear(child: Callable[..., None]) -> None:
    """Fork a child for every line that is read, one after the other, and say when it is gone."""
    for line in sys.stdin:
        given = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                child(**given)
            finally:
                os._exit(1)
        say("born", pid=pid)
        os.waitpid(pid, 0)
        say("gone")


def nursery(child: Callable[..., None] = live) -> None:
    """Bear one child after the other; what takes long at first was done once before."""
    with TemporaryDirectory() as folder, open_store(f"{folder}/tables.db") as store:
        g = group(store)
        g.begin()
        g.answer()
    bear(child)
