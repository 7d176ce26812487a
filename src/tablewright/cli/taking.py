"""How commands take what was typed: as text, exactly as it is."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


def as_typed(parameter: Any) -> Any:
    """Let a parameter take text as text.

    Typer would load pydantic to turn text into text, which takes longer than answering most questions. Numbers are read
    by :mod:`tablewright.cli.words`, whose errors name what is allowed. Help then need not say that text is text.
    """
    several = parameter.multiple or parameter.nargs == -1

    def process_value(ctx: Any, value: Any) -> Any:
        if several:
            value = tuple(value or ())
        return value if parameter.callback is None else parameter.callback(ctx, parameter, value)

    parameter.process_value = process_value
    parameter.display_type = lambda ctx: ""
    return parameter


class Command(TyperCommand):
    """A command whose parameters are texts, lists of texts and flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, the one for help too."""
        return [as_typed(parameter) for parameter in super().get_params(ctx)]
