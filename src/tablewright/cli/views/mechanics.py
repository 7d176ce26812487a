"""The list of mechanics, and the page of one mechanic: parameters, result and rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, definitions, heading, indented, make_console
from tablewright.cli.views.examples import example_words
from tablewright.engine import Mechanic, Parameter
from tablewright.game.narration.formatting import format_value
from tablewright.game.system.system import System


def draw_mechanics(systems: Sequence[System]) -> None:
    """Print the mechanics by system."""
    console = make_console()
    for place, system in enumerate(systems):
        if place:
            console.print()
        console.print(heading(system.title, f"{system.id}, {system.status}"))
        if len(systems) == 1:
            console.print(Text(system.summary, style=QUIET))
        if system.mechanics:
            definitions(console, [(mechanic.name, mechanic.summary) for mechanic in system.mechanics])
        else:
            console.print(Text("no mechanics yet", style=QUIET))


def draw_mechanic(mechanic: Mechanic[..., Any], system: System) -> None:
    """Print the page of one mechanic."""
    console = make_console()
    console.print(heading(mechanic.name, f"{system.title}, {system.status}"))
    for paragraph in mechanic.documentation.split("\n\n"):
        console.print(Text(" ".join(paragraph.split())))
    if mechanic.params:
        console.print(Text("\nparameters", style=HEAD))
        definitions(console, [(parameter.name, _about(parameter)) for parameter in mechanic.params])
    console.print(Text("\nresult", style=HEAD))
    console.print(indented(_described(mechanic.schema()["result"])))
    if mechanic.objectives:
        console.print(Text("\nobjectives", style=HEAD))
        console.print(indented(", ".join(mechanic.objectives)))
    console.print(Text("\nrules", style=HEAD))
    ledger = system.ledger
    definitions(console, [(rule, ledger[rule].title if rule in ledger else "") for rule in mechanic.rules])
    words = example_words(mechanic)
    if words is not None:
        console.print(Text("\nexample", style=HEAD))
        console.print(indented(f"tablewright odds {words}"))


def _about(parameter: Parameter) -> str:
    allowed = parameter.kind.allowed()
    about = f"{parameter.about}: {allowed}" if parameter.about else allowed
    return about if parameter.required else f"{about} (default {_default(parameter.default)})"


def _default(value: Any) -> str:
    return "empty" if value == () else format_value(value)


def _described(schema: dict[str, Any]) -> str:
    """A result schema in words."""
    if "enum" in schema:
        return "one of " + ", ".join(map(format_value, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join([_described(part) for part in schema["anyOf"]])
    kind = schema.get("type")
    if kind == "object":
        return "; ".join([f"{name}: {_described(part)}" for name, part in schema["properties"].items()])
    if kind == "array":
        return "a list of " + _described(schema["items"]) if "items" in schema else "several values"
    plain = {"integer": "a whole number", "boolean": "yes or no", "string": "text", "null": "nothing"}
    return plain.get(str(kind), "a value")
