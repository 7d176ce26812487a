"""The command line program. Modules are loaded only after a command is known."""

from __future__ import annotations

import gc
import os
import signal
import sys

NEW_OBJECTS = 20_000
"""New objects after which garbage is collected: what a command loads is no garbage, and usually soon at its end."""


def main() -> int:
    """Run the command of this process and return its exit status.

    SIGTERM acts like Ctrl-C: finished work is kept. SIGINT stays ignored if the process inherited it that way.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    # plugin discovery takes a tenth of the start-up budget
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], NEW_OBJECTS) if usual[0] else 0, *usual[1:])
    try:
        from tablewright.cli.program import run  # noqa: PLC0415  (importing the package costs nothing)

        return run(sys.argv[1:])
    finally:
        gc.set_threshold(*usual)
