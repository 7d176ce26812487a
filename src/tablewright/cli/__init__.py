"""The command line over everything else. Nothing is loaded before a command is known."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Answer the command that the process was started with; gives the exit status.

    SIGTERM ends it as Ctrl-C does: what is done is kept. SIGINT stays ignored where the process inherits it ignored.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for them takes a tenth of the time allowed
    from tablewright.cli.program import run  # noqa: PLC0415  (importing the package costs nothing)

    return run(sys.argv[1:])
