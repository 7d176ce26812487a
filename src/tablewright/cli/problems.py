"""Several problems at once: each is a line of its own on the error stream, or an entry of one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

from tablewright.cli.screen import one_line
from tablewright.errors import ManyProblems, TablewrightError


@contextmanager
def line_by_line(*, as_json: bool) -> Iterator[None]:
    """Whatever is raised inside and names several problems is told one a line; a single one passes through."""
    try:
        yield
    except TablewrightError as error:
        problems = error.problems if isinstance(error, ManyProblems) else error.message.splitlines()
        if len(problems) < 2:
            raise
        tell_problems(problems, error.exit_status, as_json=as_json)
        raise typer.Exit(error.exit_status) from None


def tell_problems(problems: Sequence[str], status: int, *, as_json: bool) -> None:
    """Write problems to the error stream."""
    lines = [one_line(problem) for problem in problems]
    if as_json:
        sys.stderr.write(json.dumps({"error": lines[0], "problems": lines, "status": status}) + "\n")
    else:
        sys.stderr.write("".join([f"error: {line}\n" for line in lines]))
