"""Optional parts of the package, each installed by an extra such as ``tablewright[server]``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablewright.errors import TablewrightError

EXTRAS = {
    "server": (
        "the server",
        ("PIL", "alembic", "anyio", "fastapi", "segno", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    ),
    "live": ("the live client", ("websockets",)),
    "postgres": ("PostgreSQL support", ("psycopg",)),
    "plot": ("plotting", ("matplotlib",)),
    "cluster": ("Dask support", ("dask", "distributed")),
    "mcp": ("the MCP server", ("mcp", "uvicorn")),
    "rl": ("the learning environment", ("gymnasium", "numpy", "pettingzoo")),
}
"""Extras with what they are for and the packages that only they install."""


class MissingExtraError(TablewrightError):
    """A part of the package that is not installed; the message has the command that installs it."""


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Context for imports of an optional part: a missing package becomes one line with the command to install it.

    >>> with needs_extra("plot"):
    ...     raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    Traceback (most recent call last):
    tablewright.extras.MissingExtraError: plotting is not installed; run: pip install "tablewright[plot]"
    """
    purpose, packages = EXTRAS[name]
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in packages:
            raise
        raise MissingExtraError(f'{purpose} is not installed; run: pip install "tablewright[{name}]"') from None
