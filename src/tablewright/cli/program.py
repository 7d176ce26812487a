"""The program: its commands, each in the module of its name and loaded only when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from tablewright import __version__
from tablewright.cli.failing import failing_politely
from tablewright.cli.taking import as_typed
from tablewright.errors import BadInput, nearest

COMMANDS = (
    "roll",
    "odds",
    "advise",
    "mechanics",
    "rules",
    "new",
    "sheet",
    "check",
    "fight",
    "do",
    "pack",
    "simulate",
    "balance",
    "sweep",
    "serve",
    "link",
    "backup",
    "restore",
    "verify",
)
"""In the order in which people are told of them; each is the name of a module with an `app`."""

MOST_DIGITS = 100_000
"""The exact odds of the largest allowed pools have more digits than Python writes by itself."""


class Program(TyperGroup):
    """The group of all commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, the ones for help and completion too."""
        return [as_typed(parameter) for parameter in super().get_params(ctx)]

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """One command; an unknown name is refused with the nearest one."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None  # a shell completes a word that nobody has finished yet
            hint = nearest(cmd_name, COMMANDS)
            raise BadInput(f'there is no command "{cmd_name:.60}"; commands are {", ".join(COMMANDS)}{hint}')
        command = typer.main.get_command(import_module(f"tablewright.cli.{cmd_name}").app)
        assert isinstance(command, TyperCommand)
        command.name = cmd_name
        return command


app = typer.Typer(cls=Program, invoke_without_command=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def tablewright(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Five open tabletop role-playing rule books: roll, know the exact odds, get advice, look up the rules."""
    if version:
        sys.stdout.write(f"tablewright {__version__}\n")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from tablewright.cli.welcome import welcome  # noqa: PLC0415  (loads a system)

        welcome()


def run(argv: Sequence[str]) -> int:
    """Answer one command line; gives the exit status and never raises."""
    if sys.get_int_max_str_digits() < MOST_DIGITS:
        sys.set_int_max_str_digits(MOST_DIGITS)
    return failing_politely(
        lambda: typer.main.get_command(app).main(list(argv), prog_name="tablewright", standalone_mode=False),
        as_json="--json" in argv,
    )
