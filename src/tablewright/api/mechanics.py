"""Mechanics of a system as functions of a module: ``tw.mars.check("r16", difficulty=14)``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import load_system


def lazy_mechanics(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a module named after a system."""
    id_ = module.rpartition(".")[2]

    def find(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            return load_system(id_).mechanic(name)
        except InvalidInputError as problem:
            raise AttributeError(problem.message) from None

    def names() -> list[str]:
        return [mechanic.name.partition(".")[2] for mechanic in load_system(id_).mechanics]

    return find, names


def system_module(id_: str) -> ModuleType:
    """Module of the mechanics of an installed system that has no file here."""
    name = f"tablewright.{id_}"
    module = sys.modules.get(name)
    if module is None:
        system = load_system(id_)
        module = ModuleType(name, f"Mechanics of {system.title} as functions.")
        find, names = lazy_mechanics(name)
        module.__dict__.update(__getattr__=find, __dir__=names)
        sys.modules[name] = module
    return module
