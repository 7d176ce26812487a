"""Location of errors inside a system's own package, for the authors of that system."""

from __future__ import annotations

from pathlib import Path

from tablewright.errors import TablewrightError

_OWN = "tablewright"


def is_ours(package: str) -> bool:
    """True if a package is part of the program itself rather than a third party's."""
    return package.partition(".")[0] == _OWN


def passed_through(error: BaseException, package: str) -> bool:
    """True if an error was raised inside a package or in code that the package called."""
    return bool(_steps(error, package))


def fault(error: BaseException, package: str) -> str:
    """The error in words, preceded by file and line of the last frame inside the package, if any.

    >>> try:
    ...     int("seven")
    ... except ValueError as error:
    ...     print(fault(error, "no_such_package"))
    ValueError: invalid literal for int() with base 10: 'seven'
    """
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    what = said if isinstance(error, TablewrightError) else f"{type(error).__name__}: {said}"
    steps = _steps(error, package)
    if not steps:
        return what
    file, line = steps[-1]
    return f"{_shown(file, package)} line {line}: {what}"


def _steps(error: BaseException, package: str) -> list[tuple[str, int]]:
    """File and line of each traceback frame inside a package, innermost last."""
    top = package.partition(".")[0]
    steps: list[tuple[str, int]] = []
    step = error.__traceback__
    while step is not None:
        if str(step.tb_frame.f_globals.get("__name__")).partition(".")[0] == top:
            steps.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        steps.append((error.filename, error.lineno))
    return steps


def _shown(file: str, package: str) -> str:
    """Path of a file from the package folder on, which is the same on every machine."""
    parts = Path(file).parts
    top = package.partition(".")[0]
    return "/".join(parts[parts.index(top) :]) if top in parts else Path(file).name
