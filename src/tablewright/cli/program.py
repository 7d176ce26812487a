"""The program and its commands; a command's module is imported only when it is used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from tablewright.cli.arguments.typed_values import as_typed
from tablewright.cli.output.errors import run_command
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.version import __version__

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
    "league",
    "serve",
    "link",
    "mcp",
    "backup",
    "restore",
    "verify",
)
"""Commands in the order of the help; each is a module with an `app`."""

MOST_DIGITS = 100_000
"""Integer digit limit: exact odds of the largest pools exceed Python's default."""


class Program(TyperGroup):
    """Command group that imports commands on demand."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, including help and completion."""
        return [as_typed(parameter) for parameter in super().get_params(ctx)]

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """Load a command; an unknown name is refused with the nearest match."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None  # shell completion passes unfinished words
            hint = did_you_mean(cmd_name, COMMANDS)
            raise InvalidInputError(f'there is no command "{cmd_name:.60}"; commands are {", ".join(COMMANDS)}{hint}')
        command = typer.main.get_command(import_module(f"tablewright.cli.commands.{cmd_name}").app)
        assert isinstance(command, TyperCommand)
        command.name = cmd_name
        return command


app = typer.Typer(cls=Program, invoke_without_command=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def tablewright(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Five open tabletop role-playing rule books: roll dice, compute exact odds, get advice, look up rules."""
    if version:
        sys.stdout.write(f"tablewright {__version__}\n")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from tablewright.cli.views.welcome import welcome  # noqa: PLC0415  (loads a system)

        welcome()


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit status; never raises."""
    if sys.get_int_max_str_digits() < MOST_DIGITS:
        sys.set_int_max_str_digits(MOST_DIGITS)
    return run_command(
        lambda: typer.main.get_command(app).main(list(argv), prog_name="tablewright", standalone_mode=False),
        as_json="--json" in argv,
    )
