"""How commands fail: one line that says what was wrong and what is allowed, and an exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from tablewright.cli.screen import one_line, prepare_streams
from tablewright.errors import BadInput, ManyProblems, TablewrightError

BAD_INPUT = BadInput.exit_status
INTERRUPTED = 130
BUG = 70
"""Neither the user's fault nor the rules': something in the program is wrong (EX_SOFTWARE)."""


def failing_politely(answer: Callable[[], Any], *, as_json: bool = False) -> int:
    """Run a command; whatever it raises becomes one line on the error stream and an exit status."""
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
        _write_no_more()  # whoever read the output has seen enough
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
    """Whose bug it is: of a third party's system if its code was running, else the program's own."""
    from tablewright.game.faults import fault, is_ours, passed_through  # noqa: PLC0415 - nothing fails, as a rule
    from tablewright.game.registry import package_of, system_ids  # noqa: PLC0415

    for system_id in system_ids():
        package = package_of(system_id) or ""
        if not is_ours(package) and passed_through(error, package):
            return f'this is a bug in the system "{system_id}": {fault(error, package)}'
    return f"this is a bug in tablewright: {type(error).__name__}: {error}"


def _write_no_more() -> None:
    """Let nothing more be written to an output that takes no more, also not when Python ends."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    os.dup2(sys.stdout.fileno(), 1)


def note(text: str) -> None:
    """Something worth knowing that is no part of the answer."""
    sys.stderr.write(f"note: {one_line(text)}\n")


def _of(error: TablewrightError) -> str:
    return "; ".join(error.problems) if isinstance(error, ManyProblems) else str(error)


def _uncapitalised(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def _fail(message: str, status: int, as_json: bool, **more: str | None) -> int:
    line = one_line(message)
    if as_json:
        told = {"error": line, "status": status} | {key: value for key, value in more.items() if value}
        sys.stderr.write(json.dumps(told) + "\n")
    else:
        sys.stderr.write(f"error: {line}\n")
    return status
