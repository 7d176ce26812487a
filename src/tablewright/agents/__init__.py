"""Seats for programs: a learning environment in the form of PettingZoo, and tools for language models by MCP.

>>> from tablewright.agents import env
>>> fight = env("coinfolk:together")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.agents.environment import FightEnv, env, scenario_ids
    from tablewright.agents.linear import LinearPolicy
    from tablewright.agents.vector import Batch, VectorRunner
    from tablewright.lab.fights.option_features import FEATURES

__all__ = ["FEATURES", "Batch", "FightEnv", "LinearPolicy", "VectorRunner", "env", "scenario_ids"]

_MODULES = {
    "environment": ("FightEnv", "env", "scenario_ids"),
    "linear": ("FEATURES", "LinearPolicy"),
    "vector": ("Batch", "VectorRunner"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a public name on first use; a missing extra names the command that installs it."""
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
