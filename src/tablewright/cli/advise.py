"""``tablewright advise``: what every option of every choice in a mechanic is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.taking import Command
from tablewright.cli.words import call_of
from tablewright.engine import advise

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM.MECHANIC key=value", help="A mechanic and its arguments."),
    ] = None,
    objective: Annotated[str | None, typer.Option(metavar="NAME", help="What the best option is best for.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """What to choose, and what each option is worth."""
    advice = advise(call_of(words or ()), objective)
    if as_json:
        print_json(advice.to_json())
    else:
        from tablewright.cli.counsel import draw_advice  # noqa: PLC0415  (loads rich)

        draw_advice(advice)
