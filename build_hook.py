"""Compiles the rule ledgers and data of every system before a wheel, an sdist or an editable install is made."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileSystems(BuildHookInterface):  # type: ignore[misc]
    """Loads the compiler by its path: the package itself may not be importable while it is being built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it gathers the files."""
        package = Path(self.root, "src", "tablewright")
        path = package / "game" / "rules" / "yaml_compiler.py"
        spec = spec_from_file_location("yaml_compiler", path)
        if spec is None or spec.loader is None:
            raise FileNotFoundError(path)
        compiler = module_from_spec(spec)
        spec.loader.exec_module(compiler)
        compiler.compile_tree(package / "systems")
