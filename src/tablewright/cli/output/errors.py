"""Errors of commands: one line with the cause and the allowed values, and an exit status."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import typer

from tablewright.cli.output.streams import one_line, prepare_streams
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.game.narration.phrases import sentence

_RULE = re.compile(r" \[[a-z0-9]+(?:\.[a-z0-9_]+)+\]")
"""Rule at the end of an error; on a terminal its sentence is enough."""
BAD_INPUT = InvalidInputError.exit_status
INTERRUPTED = 130
BUG = 70
"""Exit status for internal errors (EX_SOFTWARE)."""


def run_command(answer: Callable[[], Any], *, as_json: bool = False) -> int:
    """Run a command; turn any exception into one error line and an exit status."""
    prepare_streams()
    try:
        status = answer()
        sys.stdout.flush()
    except TablewrightError as error:
        return _fail(_of(error), error.exit_status, as_json, field=error.field, rule=error.rule)
    except typer.TyperException as error:
        return _fail(_uncapitalised(error.format_message()), BAD_INPUT, as_json)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")
        return INTERRUPTED
    except BrokenPipeError:
        _write_no_more()  # the reader closed the pipe
        return 0
    except OSError as error:
        _write_no_more()
        return _fail(f"the output cannot be written: {error.strerror}", BAD_INPUT, as_json)
    except Exception as error:
        if os.environ.get("TABLEWRIGHT_DEBUG") == "1":
            raise
        return _fail(f"{_blamed(error)} (TABLEWRIGHT_DEBUG=1 shows where)", BUG, as_json)
    return status if isinstance(status, int) else 0


def _blamed(error: Exception) -> str:
    """The party at fault for a bug: a third party's system if its code was running, else this program."""
    from tablewright.game.rules.entry_points import package_of, system_ids  # noqa: PLC0415
    from tablewright.game.system.load_errors import fault, is_ours, passed_through  # noqa: PLC0415 - only on errors

    for system_id in system_ids():
        package = package_of(system_id) or ""
        if not is_ours(package) and passed_through(error, package):
            return f'this is a bug in the system "{system_id}": {fault(error, package)}'
    return f"this is a bug in tablewright: {type(error).__name__}: {error}"


def _write_no_more() -> None:
    """Silence stdout after a broken pipe, also during interpreter shutdown."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    os.dup2(sys.stdout.fileno(), 1)


def note(text: str) -> None:
    """Print a remark to the error stream, on a terminal as a sentence."""
    line = one_line(text)
    sys.stderr.write(f"{sentence(line)}\n" if sys.stderr.isatty() else f"note: {line}\n")


def _of(error: TablewrightError) -> str:
    return "; ".join(error.problems) if isinstance(error, ProblemListError) else str(error)


def _uncapitalised(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def _fail(message: str, status: int, as_json: bool, **more: str | None) -> int:
    line = one_line(message)
    if as_json:
        report = {"error": line, "status": status} | {key: value for key, value in more.items() if value}
        sys.stderr.write(json.dumps(report) + "\n")
    elif sys.stderr.isatty():
        told = sentence(_RULE.sub("", line))
        sys.stderr.write(told + "\n" if "NO_COLOR" in os.environ else f"\x1b[31m{told}\x1b[0m\n")
    else:
        sys.stderr.write(f"error: {line}\n")
    return status
