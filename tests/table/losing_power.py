"""Processes that play until the power is lost; they say what they were told, once that was acknowledged."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

from sqlalchemy import event

from table.dying import deed, digest, nursery, say
from tablewright.errors import TablewrightError
from tablewright.table import open_store


def live(disk: dict[str, str], where: str, campaign: str, seed: int, copy: str | None, careless: bool) -> None:
    """Play on and on on a disk; ``careless`` syncs nothing, ``copy`` is where a copy goes after some deeds."""
    os.environ.update(disk)
    chance, number = random.Random(seed), 0
    store = open_store(where)
    if careless:
        event.listen(store.engine, "connect", _sync_nothing)
        store.engine.dispose()
    table = store.table(campaign)
    while True:
        number += 1
        key = f"{seed}-{number}"
        try:
            seat, command = deed(table, chance, key)
            say("try", seat=seat, key=key, command=command)
            answer: dict[str, Any] = table.act(seat, command, key=key)
        except TablewrightError:
            say("refused", key=key)
            continue
        numbers = [line["number"] for line in answer["lines"]]
        say("done", seat=seat, key=key, numbers=numbers, digest=digest(answer["lines"]))
        if copy is not None and number == 10:
            store.backup(Path(copy))
            say("copied", key=key)


def _sync_nothing(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    nursery(live)
