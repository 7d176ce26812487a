"""Write the signatures of the systems' mechanics as stubs, such as src/tablewright/mars.pyi."""

from __future__ import annotations

import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from tablewright.engine.mechanic import Mechanic
from tablewright.engine.parameter_types import NotationType, OptionalType
from tablewright.engine.parameters import Parameter, kind_of
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system
from tablewright.game.system.system import System

PACKAGE = Path(__file__).parents[1] / "src" / "tablewright"


class Imports:
    """Names that a stub imports, by module."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {"tablewright.engine.mechanic": {"Call", "Mechanic"}}

    def add(self, module: str, name: str) -> str:
        """Import a name; return it."""
        self._names.setdefault(module, set()).add(name)
        return name

    def lines(self) -> list[str]:
        """The import statements, sorted."""
        lines = [f"from {module} import {', '.join(sorted(self._names[module]))}" for module in sorted(self._names)]
        own = [line for line in lines if line.startswith("from tablewright")]
        return [*[line for line in lines if line not in own], "", *own]


def type_text(hint: Any, imports: Imports) -> str:
    """A type as it is written in a stub."""
    if get_origin(hint) is Annotated:
        return type_text(get_args(hint)[0], imports)
    if hint is None or hint is type(None):
        return "None"
    if get_origin(hint) is Literal:
        return f"{imports.add('typing', 'Literal')}[{', '.join(map(repr, get_args(hint)))}]"
    if get_origin(hint) is tuple:
        parts = ["..." if part is Ellipsis else type_text(part, imports) for part in get_args(hint)]
        return f"tuple[{', '.join(parts)}]"
    if get_origin(hint) is Union or type(hint).__name__ == "UnionType":
        return " | ".join([type_text(part, imports) for part in get_args(hint)])
    if hint is Any:
        return imports.add("typing", "Any")
    if not isinstance(hint, type):
        raise TypeError(f"no stub can be written for {hint!r}")
    return hint.__name__ if hint.__module__ == "builtins" else imports.add(hint.__module__, hint.__name__)


def parameter_text(parameter: Parameter, hint: Any, imports: Imports) -> str:
    """A parameter as it is written in a stub; where the book has a notation, text is taken too."""
    kind = kind_of(hint)
    inner = kind.some if isinstance(kind, OptionalType) else kind
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    words = isinstance(inner, NotationType) or (isinstance(bare, type) and issubclass(bare, Enum))
    text = type_text(hint, imports)
    if words or get_origin(bare) is tuple:
        text = f"{text.removesuffix(' | None')} | str" + (" | None" if text.endswith(" | None") else "")
    return f"{parameter.name}: {text}" + ("" if parameter.required else " = ...")


def parameters_of(mechanic: Mechanic[..., Any], imports: Imports) -> list[str]:
    """Parameters as they are written in a stub: the fields of records by name; those with a path as whole records."""
    paths = {parameter.path[0] for parameter in mechanic.params if "." in parameter.name}
    whole = {one.name: one for one in mechanic.signature.declared}
    texts: dict[str, str] = {}
    for parameter in mechanic.params:
        top = parameter.path[0]
        one = whole[top] if top in paths else parameter
        texts.setdefault(one.name, parameter_text(one, one.hint, imports))
    return list(texts.values())


def in_order(parameters: list[str]) -> list[str]:
    """Parameters of a valid signature: where a required one follows one with a default, they are given by name."""
    usual = [text.endswith(" = ...") for text in parameters]
    first = usual.index(True) if True in usual else len(usual)
    return parameters if all(usual[first:]) else [*parameters[:first], "*", *parameters[first:]]


def class_name(mechanic: Mechanic[..., Any]) -> str:
    """Name of the class that holds a mechanic's signature."""
    return "_" + "".join([word.capitalize() for word in mechanic.name.partition(".")[2].split("_")])


def stub_of(system: System) -> str:
    """The stub of a system's mechanics."""
    imports = Imports()
    classes: list[str] = []
    for mechanic in system.mechanics:
        hints = get_type_hints(mechanic.function, include_extras=True)
        returned = type_text(hints["return"], imports)
        signature = ", ".join(["self", *in_order(parameters_of(mechanic, imports))])
        summary = mechanic.summary.replace("\\", "\\\\").replace('"""', "'''")
        classes.append(
            f"class {class_name(mechanic)}(Mechanic[..., {returned}]):\n"
            f"    def __call__({signature}) -> Call[{returned}]:\n"
            f'        """{summary}"""\n'
        )
    names = [f"{mechanic.name.partition('.')[2]}: {class_name(mechanic)}" for mechanic in system.mechanics]
    head = f'"""Mechanics of {system.title}. Written by tools/stubs.py."""\n'
    return _formatted("\n".join([head, *imports.lines(), "", *classes, *names]) + "\n")


def _formatted(text: str) -> str:
    """The text in the project's style."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PACKAGE / "stub.pyi"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def stubs() -> dict[Path, str]:
    """Every stub by its path: one for each system that has a module of its own here."""
    own = [system_id for system_id in system_ids() if (PACKAGE / f"{system_id}.py").is_file()]
    return {PACKAGE / f"{system_id}.pyi": stub_of(load_system(system_id)) for system_id in own}


def main() -> None:
    """Write the stubs that are not current."""
    for path, text in stubs().items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(PACKAGE.parents[1])}\n")


if __name__ == "__main__":
    main()
