"""Progress bars on the error stream, and time limits."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import Any

PATIENCE = 1.0
"""Seconds before a progress bar appears."""

MOST_SECONDS = 120
"""Default limit in seconds for exact answers of a command (``--seconds``)."""


class OutOfTimeError(BaseException):
    """Raised when the time limit is exceeded."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTimeError` in the body after some seconds; no limit where timers are unavailable."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int, float, str], None] | None]:
    """Progress bar on an error stream that is a terminal: progress, rate, time left and a note.

    Yields None if the error stream is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only on a terminal
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns: tuple[Any, ...] = (
        TextColumn(what, markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[told]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task(what, total=None, told="")

        def tell(done: int, of: int, seconds: float, word: str) -> None:
            rate = done / seconds if seconds else 0.0
            left = (of - done) / rate if rate else 0.0
            pace = f"{done:,} of {of:,}, about {_time(left)} left. " if of else ""  # exact solutions know no total
            shown.update(task, completed=done, total=of or None, told=f"{pace}{word[:1].upper()}{word[1:]}")

        yield tell


@contextmanager
def waiting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback for finished and total items; the bar disappears at the end."""
    began = monotonic()
    opened: list[Callable[[int, int, float, str], None] | None] = []
    with ExitStack() as stack:

        def step(done: int, total: int) -> None:
            seconds = monotonic() - began
            if not opened and done < total and seconds >= PATIENCE:
                opened.append(stack.enter_context(bar(what)))
            for tell in opened:
                if tell is not None:
                    tell(done, total, seconds, "")

        yield step


def _time(seconds: float) -> str:
    """A duration as text.

    >>> _time(5), _time(125), _time(7300)
    ('5 s', '2 min', '2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3_600:.0f} h"
