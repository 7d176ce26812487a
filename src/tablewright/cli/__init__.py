"""The command line over everything else. Nothing is loaded before a command is known."""

from __future__ import annotations

import sys


def main() -> int:
    """Answer the command that the process was started with; gives the exit status."""
    from tablewright.cli.program import run  # noqa: PLC0415  (importing the package costs nothing)

    return run(sys.argv[1:])
