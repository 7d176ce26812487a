"""``tablewright odds``: exact odds of a mechanic or of dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Force, Outputs
from tablewright.cli.arguments.text import subject_of
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.streams import print_json
from tablewright.engine import Call
from tablewright.engine.report import OddsReport, answer_for, answer_for_dice, odds_json
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(  # noqa: PLR0917 - as they are typed
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.MECHANIC key=value | DICE", help="A mechanic and its arguments, or dice: 4d6kh3."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(metavar="NAME", help="Objective for choices and for the expected value.")
    ] = None,
    at_least: Annotated[bool, typer.Option("--at-least", help="Show the chance of each outcome or more.")] = False,
    at_most: Annotated[bool, typer.Option("--at-most", help="Show the chance of each outcome or less.")] = False,
    degrees: Annotated[bool, typer.Option("--degrees", help="Show the chance of each outcome exactly.")] = False,
    of: Annotated[str | None, typer.Option(metavar="FIELD", help="Field of a result with several fields.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="LIST", help="Show only these outcomes, separated by commas.")
    ] = None,
    versus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ARGUMENTS", help="Compare with other arguments, another mechanic or dice; repeat for more."
        ),
    ] = None,
    option: Annotated[
        str | None,
        typer.Option(metavar="NAME=A,B", help="Compare values of a rule option (default: all of them)."),
    ] = None,
    output: Outputs = None,
    force: Force = False,
    seconds: Annotated[
        str | None, typer.Option(metavar="N", help="Time limit of a table in seconds (default: 120).")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the exact odds of a mechanic or of dice.

    A range such as difficulty=5..30, roll_value=r8..r20, 5..30..5 or 5,10,20 gives a table and a curve; two ranges give
    a grid.
    """
    typed = words or ()
    if versus or option is not None or output or _tabular(typed, at_most, degrees, as_csv, of, at, seconds):
        from tablewright.cli.views.odds_answer import OddsTableQuestion, answer_table  # noqa: PLC0415  (loads the lab)

        asked = OddsTableQuestion(
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
        raise InvalidInputError("--at-least needs outcomes that are numbers, and these are not")
    if as_json:
        print_json(odds_json(answer, at_least=at_least))
    else:
        from tablewright.cli.views.odds_chart import draw_odds  # noqa: PLC0415  (loads rich)

        draw_odds(answer, at_least=at_least)


def _tabular(words: Sequence[str], *asked: object) -> bool:
    """True if the arguments need a table: a table option is set, or an argument ranges."""
    if any(given is not None and given is not False for given in asked):
        return True
    if not any(mark in word.partition("=")[2] for word in words[1:] for mark in ("..", ",", "|")):
        return False
    from tablewright.cli.views.odds_answer import has_ranges  # noqa: PLC0415  (loads the lab)

    return has_ranges(words)


def answer_of(words: Sequence[str], objective: str | None = None) -> OddsReport:
    """Compute the odds of a typed subject."""
    subject = subject_of(words)
    if isinstance(subject, Call):
        return answer_for(subject, objective)
    if objective is not None:
        raise InvalidInputError("--objective is for mechanics; dice have none")
    return answer_for_dice(subject)
