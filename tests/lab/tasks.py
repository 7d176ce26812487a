"""Work for workers, in a module of its own: another process must be able to import it by its name."""

from __future__ import annotations

import os
import signal
import time

from tablewright.lab.fights.job import fight_chunk


def after(seconds: float) -> str:
    """A value that takes a while."""
    time.sleep(seconds)
    return str(seconds)


def kill_once(text: str, chunk: int, flag: str) -> str:
    """A chunk whose worker is killed the first time."""
    if chunk == 2:
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return fight_chunk(text, chunk)


def always_killed(text: str) -> str:
    """Work that no worker survives."""
    os.kill(os.getpid(), signal.SIGKILL)
    return text
