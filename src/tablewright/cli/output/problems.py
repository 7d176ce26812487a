"""Reports of several problems: one line each on the error stream, or one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

from tablewright.cli.output.streams import one_line
from tablewright.errors import ProblemListError, TablewrightError


@contextmanager
def report_problems(*, as_json: bool) -> Iterator[None]:
    """Context manager that prints an error with several problems one per line; a single problem passes through."""
    try:
        yield
    except TablewrightError as error:
        problems = error.problems if isinstance(error, ProblemListError) else error.message.splitlines()
        if len(problems) < 2:
            raise
        tell_problems(problems, error.exit_status, as_json=as_json)
        raise typer.Exit(error.exit_status) from None


def tell_problems(problems: Sequence[str], status: int, *, as_json: bool) -> None:
    """Print problems to the error stream."""
    lines = [one_line(problem) for problem in problems]
    if as_json:
        sys.stderr.write(json.dumps({"error": lines[0], "problems": lines, "status": status}) + "\n")
    else:
        sys.stderr.write("".join([f"error: {line}\n" for line in lines]))
