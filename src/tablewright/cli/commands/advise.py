"""``tablewright advise``: the value of every option of every choice in a mechanic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Force, Outputs
from tablewright.cli.arguments.text import call_of
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.streams import print_json
from tablewright.engine import advise
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(  # noqa: PLR0917 - as they are typed
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.MECHANIC key=value | FILE", help="A mechanic and its arguments, or a saved fight (.json)."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(metavar="NAME", help="Objective that the best option maximises.")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Weights of the unknown values: 1,2,1, even, or dice such as 3d6."),
    ] = None,
    output: Outputs = None,
    force: Force = False,
    seconds: Annotated[
        str | None, typer.Option(metavar="N", help="Time limit in seconds (default: 120; 20 for a saved fight).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Advise on every choice, with the value of each option.

    A range such as difficulty=5..20 stands for an unknown value: the answer shows the best option at each value, and
    where it changes. For a saved fight, the answer values each option of the open choice.
    """
    typed = words or ()
    if typed and typed[0].endswith(".json"):
        from tablewright.cli.views.turn_advice import answer_turn  # noqa: PLC0415  (loads the lab)

        _refuse_for_a_fight(typed[1:], objective, weights, output)
        answer_turn(Path(typed[0]), seconds=seconds, as_json=as_json)
        return
    if weights is not None or output or seconds is not None or _ranges(typed):
        from tablewright.cli.views.advice_curve import answer_curve  # noqa: PLC0415  (loads the lab)

        answer_curve(typed, objective, weights, output or (), replace=force, seconds=seconds, as_json=as_json)
        return
    advice = advise(call_of(typed), objective)
    if as_json:
        print_json(advice.to_json())
    else:
        from tablewright.cli.views.advice import draw_advice  # noqa: PLC0415  (loads rich)

        draw_advice(advice)


def _refuse_for_a_fight(rest: Sequence[str], objective: object, weights: object, output: object) -> None:
    """Refuse arguments that have no meaning for a saved fight."""
    if rest:
        raise InvalidInputError(f'"{rest[0]:.60}" is too much: a saved fight says all there is to know')
    for name, given in (("--objective", objective), ("--weights", weights), ("--output", output)):
        if given:
            raise InvalidInputError(f"{name} is for mechanics, not for a saved fight")


def _ranges(words: Sequence[str]) -> bool:
    if not any(mark in word.partition("=")[2] for word in words[1:] for mark in ("..", ",", "|")):
        return False
    from tablewright.cli.views.odds_answer import has_ranges  # noqa: PLC0415  (loads the lab)

    return has_ranges(words)
