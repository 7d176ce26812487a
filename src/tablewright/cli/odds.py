"""``tablewright odds``: every outcome of a mechanic or of dice, with its exact chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.switches import AsJson, Force, Outputs
from tablewright.cli.taking import Command
from tablewright.cli.words import subject_of
from tablewright.engine import Call
from tablewright.engine.reporting import Answer, answer_for, answer_for_dice, odds_json
from tablewright.errors import BadInput

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(  # noqa: PLR0917 - as they are typed
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.MECHANIC key=value | DICE", help="A mechanic and its arguments, or dice: 4d6kh3."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(metavar="NAME", help="What choices are made for, and what is expected of it.")
    ] = None,
    at_least: Annotated[bool, typer.Option("--at-least", help="The chance of each outcome or more.")] = False,
    at_most: Annotated[bool, typer.Option("--at-most", help="The chance of each outcome or less.")] = False,
    degrees: Annotated[bool, typer.Option("--degrees", help="The chance of each outcome exactly.")] = False,
    of: Annotated[str | None, typer.Option(metavar="FIELD", help="One field of a result that has several.")] = None,
    at: Annotated[str | None, typer.Option(metavar="LIST", help="Only these outcomes, with commas.")] = None,
    versus: Annotated[
        list[str] | None,
        typer.Option(metavar="ARGUMENTS", help="Beside it: what is different, another rule, or dice; again for more."),
    ] = None,
    option: Annotated[
        str | None,
        typer.Option(metavar="NAME=A,B", help="Values of an option side by side; without =A,B all of them."),
    ] = None,
    output: Outputs = None,
    force: Force = False,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="How long a table may take; 120.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Answer in CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """The exact odds of a mechanic or of dice.

    A range such as difficulty=5..30, roll_value=r8..r20, 5..30..5 or 5,10,20 gives a table and a curve, two a grid.
    """
    typed = words or ()
    if versus or option is not None or output or _tabular(typed, at_most, degrees, as_csv, of, at, seconds):
        from tablewright.cli.odds_tables import Asked, answer_table  # noqa: PLC0415  (loads the lab)

        asked = Asked(
            objective=objective,
            at_least=at_least,
            at_most=at_most,
            degrees=degrees,
            of=of,
            at=at,
            versus=versus or (),
            option=option,
            output=output or (),
            replace=force,
            seconds=seconds,
            as_csv=as_csv,
            as_json=as_json,
        )
        answer_table(typed, asked)
        return
    answer = answer_of(typed, objective)
    if at_least and not answer.odds.numeric:
        raise BadInput("--at-least needs outcomes that are numbers, and these are not")
    if as_json:
        print_json(odds_json(answer, at_least=at_least))
    else:
        from tablewright.cli.chart import draw_odds  # noqa: PLC0415  (loads rich)

        draw_odds(answer, at_least=at_least)


def _tabular(words: Sequence[str], *asked: object) -> bool:
    """Whether a table is wanted: something asks for one, or an argument ranges."""
    if any(given is not None and given is not False for given in asked):
        return True
    if not any(mark in word.partition("=")[2] for word in words[1:] for mark in ("..", ",", "|")):
        return False
    from tablewright.cli.odds_tables import has_ranges  # noqa: PLC0415  (loads the lab)

    return has_ranges(words)


def answer_of(words: Sequence[str], objective: str | None = None) -> Answer:
    """Work out the odds of what was typed."""
    subject = subject_of(words)
    if isinstance(subject, Call):
        return answer_for(subject, objective)
    if objective is not None:
        raise BadInput("--objective is for mechanics; dice have none")
    return answer_for_dice(subject)
