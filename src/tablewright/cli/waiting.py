"""What people see while they wait: a bar on the error stream once something takes longer than a second."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before anything is shown."""

MOST_SECONDS = 120
"""Default limit in seconds for exact answers of a command (``--seconds``)."""


class OutOfTime(BaseException):
    """It took longer than it was allowed to."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is done inside is given up after so many seconds; for as long as it takes, where nothing can ring."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
