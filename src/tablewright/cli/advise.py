"""``tablewright advise``: what every option of every choice in a mechanic is worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.switches import AsJson, Force, Outputs
from tablewright.cli.taking import Command
from tablewright.cli.words import call_of
from tablewright.engine import advise
from tablewright.errors import BadInput

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(  # noqa: PLR0917 - as they are typed
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.MECHANIC key=value | FILE", help="A mechanic and its arguments, or a saved fight (.json)."
        ),
    ] = None,
    objective: Annotated[str | None, typer.Option(metavar="NAME", help="What the best option is best for.")] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="How likely each unknown value is: 1,2,1 or even or dice such as 3d6."),
    ] = None,
    output: Outputs = None,
    force: Force = False,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="How long it may take; 120.")] = None,
    as_json: AsJson = False,
) -> None:
    """What to choose, and what each option is worth.

    A range such as difficulty=5..20 is something unknown: which option is best where, and where that changes. A file
    is a fight that was saved: what each option of its open question is worth.
    """
    typed = words or ()
    if typed and typed[0].endswith(".json"):
        from tablewright.cli.advise_turn import answer_turn  # noqa: PLC0415  (loads the lab)

        _refuse_for_a_fight(typed[1:], objective, weights, output)
        answer_turn(Path(typed[0]), seconds=seconds, as_json=as_json)
        return
    if weights is not None or output or seconds is not None or _ranges(typed):
        from tablewright.cli.advise_curve import answer_curve  # noqa: PLC0415  (loads the lab)

        answer_curve(typed, objective, weights, output or (), replace=force, seconds=seconds, as_json=as_json)
        return
    advice = advise(call_of(typed), objective)
    if as_json:
        print_json(advice.to_json())
    else:
        from tablewright.cli.counsel import draw_advice  # noqa: PLC0415  (loads rich)

        draw_advice(advice)


def _refuse_for_a_fight(rest: Sequence[str], objective: object, weights: object, output: object) -> None:
    """What was typed and would mean nothing is refused."""
    if rest:
        raise BadInput(f'"{rest[0]:.60}" is too much: a saved fight says all there is to know')
    for name, given in (("--objective", objective), ("--weights", weights), ("--output", output)):
        if given:
            raise BadInput(f"{name} is for mechanics, not for a saved fight")


def _ranges(words: Sequence[str]) -> bool:
    if not any(mark in word.partition("=")[2] for word in words[1:] for mark in ("..", ",", "|")):
        return False
    from tablewright.cli.odds_tables import has_ranges  # noqa: PLC0415  (loads the lab)

    return has_ranges(words)
