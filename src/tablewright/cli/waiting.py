"""What people see while they wait: a bar on the error stream once something takes longer than a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def waiting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives a function that is told how many things are done, of how many; the bar is gone when all are."""
    began = monotonic()
    shown: tuple[Progress, TaskID] | None = None

    def step(done: int, total: int) -> None:
        nonlocal shown
        if shown is None:
            if done >= total or monotonic() - began < PATIENCE:
                return
            shown = _bar(what, total)
        bar, task = shown
        bar.update(task, completed=done)

    try:
        yield step
    finally:
        if shown is not None:
            shown[0].stop()


def _bar(what: str, total: int) -> tuple[Progress, TaskID]:
    from rich.console import Console  # noqa: PLC0415 - only if somebody waits
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    bar.start()
    return bar, bar.add_task(what, total=total)
