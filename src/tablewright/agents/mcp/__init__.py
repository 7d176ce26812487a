"""Tools for language models by the Model Context Protocol: rules, odds, characters, fights and seats at live tables.

>>> from tablewright.agents.mcp import make_server
>>> make_server().run()  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.agents.mcp.server import make_server

__all__ = ["make_server", "server"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load the server on first use: ``server`` is one with games of its own."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        make = import_module(f"{__name__}.server").make_server
        globals()["make_server"] = make
        if name == "server":
            globals()["server"] = make()
        return globals()[name]
