"""``tablewright odds``: every outcome of a mechanic or of dice, with its exact chance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Annotated, Any, NamedTuple

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.taking import Command
from tablewright.cli.words import subject_of
from tablewright.dice import Dist, Rollable
from tablewright.engine import Call
from tablewright.engine.odds import Odds, known, odds
from tablewright.engine.values import to_json
from tablewright.errors import BadInput

MOST_CHARACTERS = 20_000_000
"""How much text the exact fractions of one answer may take."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Answer(NamedTuple):
    """The odds of one call or of dice.

    ``objective`` and ``expected`` are there where choices were made by it, or where it was asked for.
    """

    subject: Call[Any] | Rollable[Any]
    odds: Odds[Any]
    objective: str | None = None
    expected: Fraction | None = None
    choosing: bool = False


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
    output: Annotated[
        list[str] | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it: .png, .svg, .csv or .json; again for more."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="How long a table may take; 120.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Answer in CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """The exact odds of a mechanic or of dice.

    A range such as difficulty=5..30, roll_value=r8..r20, 5..30..5 or 5,10,20 gives a table and a curve, two a grid.
    """
    typed = words or ()
    if versus or option is not None or output or _tabular(typed, at_most, degrees, of, at, seconds, as_csv):
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
    if any(asked):
        return True
    if not any(mark in word.partition("=")[2] for word in words[1:] for mark in ("..", ",", "|")):
        return False
    from tablewright.cli.odds_tables import has_ranges  # noqa: PLC0415  (loads the lab)

    return has_ranges(words)


def answer_of(words: Sequence[str], objective: str | None = None) -> Answer:
    """Work out the odds of what was typed."""
    subject = subject_of(words)
    if not isinstance(subject, Call):
        if objective is not None:
            raise BadInput("--objective is for mechanics; dice have none")
        return Answer(subject, Odds.from_dist(subject.weigh(), subject.remainder))
    mechanic = subject.mechanic
    choosing = not isinstance(known(subject), Odds)
    if not choosing and objective is None:
        return Answer(subject, odds(subject))
    name, value = mechanic.objective(objective)
    exact = odds(subject, name if name in mechanic.objectives else value)
    return Answer(subject, exact, name, exact.expected(value), choosing)


def odds_json(answer: Answer, *, at_least: bool = False) -> dict[str, Any]:
    """The answer as JSON; nothing is left out or rounded, except floats."""
    exact = answer.odds
    if len(exact) * len(str(exact.total)) * 2 > MOST_CHARACTERS:
        raise BadInput(f"{len(exact):,} outcomes with {len(str(exact.total)):,} digits each are too many to write out")
    told = subject_json(answer.subject)
    told["outcomes"] = [{"outcome": to_json(outcome)} | chance_json(chance) for outcome, chance in exact.fractions()]
    if at_least:
        for row, chance in zip(told["outcomes"], at_leasts(exact), strict=True):
            row |= {"at_least": float(chance), "at_least_exact": str(chance)}
    if exact.numeric:
        told |= {"mean": float(exact.mean), "mean_exact": str(exact.mean)}
    fields = [field_json(name, part) for name, part in fields_of(exact)]
    if fields:
        told["fields"] = fields
    if answer.objective is not None and answer.expected is not None:
        told |= {
            "objective": answer.objective,
            "expected": float(answer.expected),
            "expected_exact": str(answer.expected),
        }
    if exact.again:
        told["again"] = chance_json(exact.again)
    if exact.remainder:
        told["remainder"] = chance_json(exact.remainder)
    return told


def subject_json(subject: Call[Any] | Rollable[Any]) -> dict[str, Any]:
    """What was asked about: a mechanic with all its arguments, or dice."""
    if isinstance(subject, Call):
        return {"mechanic": subject.mechanic.name, "arguments": subject.mechanic.arguments_json(subject)}
    return {"notation": str(subject)}


def chance_json(chance: Fraction) -> dict[str, Any]:
    """A chance as a float and exactly."""
    return {"probability": float(chance), "exact": str(chance)}


def at_leasts(exact: Dist[Any]) -> list[Fraction]:
    """For each outcome, in order, the chance of it or a higher one."""
    return [Fraction(weight, exact.total) for weight in accumulate(reversed(exact.weights))][::-1]


def fields_of(exact: Dist[Any]) -> list[tuple[str, Dist[Any]]]:
    """Where outcomes are records of one kind: each field by itself."""
    kinds = {type(outcome) for outcome in exact.outcomes}
    names = getattr(next(iter(kinds)), "_fields", ()) if len(kinds) == 1 else ()
    return [(name, exact.map(lambda outcome, place=place: outcome[place])) for place, name in enumerate(names)]  # type: ignore[misc]


def field_json(name: str, part: Dist[Any]) -> dict[str, Any]:
    """What one field of a record comes to: the chance of yes, or the mean of a number."""
    if {type(outcome) for outcome in part.outcomes} == {bool}:
        return {"field": name} | chance_json(part[True])
    if part.numeric:
        return {"field": name, "mean": float(part.mean), "mean_exact": str(part.mean)}
    return {
        "field": name,
        "outcomes": [{"outcome": to_json(outcome)} | chance_json(chance) for outcome, chance in part.fractions()],
    }
