"""Command parameters that stay plain text."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


def as_typed(parameter: Any) -> Any:
    """Bypass Typer's conversion of a parameter.

    Typer would load pydantic to turn text into text, which takes longer than most commands.
    :mod:`tablewright.cli.arguments.text` parses numbers, with errors that name the allowed values. Help omits the type.
    """
    several = parameter.multiple or parameter.nargs == -1

    def process_value(ctx: Any, value: Any) -> Any:
        if several:
            value = tuple(value or ())
        return value if parameter.callback is None else parameter.callback(ctx, parameter, value)

    parameter.process_value = process_value
    parameter.display_type = lambda ctx: ""
    return parameter


class TextCommand(TyperCommand):
    """A command whose parameters are texts, lists of texts and flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, including ``--help``."""
        return [as_typed(parameter) for parameter in super().get_params(ctx)]
