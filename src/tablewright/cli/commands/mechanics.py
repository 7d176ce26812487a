"""``tablewright mechanics``: list the mechanics, or describe one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tablewright.cli.arguments.text import names_mechanic, validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import find_mechanic, load_all, load_system
from tablewright.game.system.system import System

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM | SYSTEM.MECHANIC", help="A system or one mechanic; without it, list all."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; for one mechanic, its schema.")] = False,
) -> None:
    """List the mechanics, or describe one."""
    named = validate_words(words or ())
    if len(named) > 1:
        raise InvalidInputError(f"name one system or one mechanic, not {len(named)}")
    if named and names_mechanic(named[0]):
        mechanic = find_mechanic(named[0][:100])
        if as_json:
            from tablewright.cli.views.examples import example_of  # noqa: PLC0415

            print_json(mechanic.schema() | {"example": example_of(mechanic)})
        else:
            from tablewright.cli.views.mechanics import draw_mechanic  # noqa: PLC0415  (loads rich)

            draw_mechanic(mechanic, load_system(mechanic.system))
        return
    systems = [load_system(named[0][:100])] if named else _all_systems()
    if as_json:
        print_json({"systems": [_system_json(system) for system in systems]})
    else:
        from tablewright.cli.views.mechanics import draw_mechanics  # noqa: PLC0415  (loads rich)

        draw_mechanics(systems)


def _all_systems() -> list[System]:
    loaded = load_all()
    for broken in loaded.broken:
        note(f'system "{broken.id}" cannot be used: {broken.reason}')
    return list(loaded.systems)


def _system_json(system: System) -> dict[str, Any]:
    return {
        "id": system.id,
        "title": system.title,
        "summary": system.summary,
        "version": system.version,
        "status": system.status,
        "mechanics": [
            {
                "name": mechanic.name,
                "summary": mechanic.summary,
                "parameters": [parameter.name for parameter in mechanic.params],
                "objectives": list(mechanic.objectives),
            }
            for mechanic in system.mechanics
        ],
    }
