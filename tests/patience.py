"""Patience of the tests: conditions are waited for with a limit in minutes, and work is counted in calls."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

LIMIT = float(os.environ.get("TEST_LIMIT", "300"))
"""Seconds after which a test gives up waiting. Nothing takes this long, even on a busy machine, unless it hangs."""


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, f"{what}: waited {LIMIT:g} seconds in vain"
        time.sleep(0.02)


@contextmanager
def sigint_handled() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt in this process, as in a program that was started in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def at_most_calls(most: int) -> Iterator[None]:
    """Fail as soon as more functions are called than allowed, however fast or slow the machine is."""
    calls = 0

    def note(_frame: object, event: str, _about: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if calls > most:
            sys.setprofile(None)
            pytest.fail(f"more than {most:,} calls were made")

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
