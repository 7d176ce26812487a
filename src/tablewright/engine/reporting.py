"""The odds of a rule or of dice as JSON: the same on the command line, over the network and in files."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, islice
from typing import Any, NamedTuple

from tablewright.dice import Dist, Rollable
from tablewright.engine.mechanic import Call
from tablewright.engine.odds import Odds, known, odds
from tablewright.engine.values import to_json
from tablewright.errors import BadInput

MOST_CHARACTERS = 20_000_000
"""How much text the exact fractions of one answer may take."""


class Page(NamedTuple):
    """The outcomes of an answer that are told: some after the first, and the most characters that they may take."""

    after: int = 0
    most: int | None = None
    characters: int = MOST_CHARACTERS


ALL = Page()


class Answer(NamedTuple):
    """The odds of one call or of dice.

    ``objective`` and ``expected`` are there where choices were made by it, or where it was asked for.
    """

    subject: Call[Any] | Rollable[Any]
    odds: Odds[Any]
    objective: str | None = None
    expected: Fraction | None = None
    choosing: bool = False


def answer_for(call: Call[Any], objective: str | None = None) -> Answer:
    """The exact odds of a call; where something is chosen in it, by an objective."""
    choosing = not isinstance(known(call), Odds)
    if not choosing and objective is None:
        return Answer(call, odds(call))
    name, value = call.mechanic.objective(objective)
    exact = odds(call, name if name in call.mechanic.objectives else value)
    return Answer(call, exact, name, exact.expected(value), choosing)


def answer_for_dice(dice: Rollable[Any]) -> Answer:
    """The exact odds of dice."""
    return Answer(dice, Odds.from_dist(dice.weigh(), dice.remainder))


def odds_json(answer: Answer, *, at_least: bool = False, page: Page = ALL) -> dict[str, Any]:
    """The answer as JSON; nothing is left out or rounded, except floats, and outcomes that are not on the page."""
    exact = answer.odds
    shown = slice(page.after, None if page.most is None else page.after + page.most)
    count = len(range(len(exact))[shown])
    if count * len(str(exact.total)) * 2 > page.characters:
        wrong = f"{count:,} outcomes with {len(str(exact.total)):,} digits each are too many to write out"
        raise BadInput(f"{wrong} at once; ask for a page of them by after and most" if page != ALL else wrong)
    told = subject_json(answer.subject)
    chances = islice(exact.fractions(), shown.start, shown.stop)
    told["outcomes"] = [{"outcome": to_json(outcome)} | chance_json(chance) for outcome, chance in chances]
    if at_least:
        for row, chance in zip(told["outcomes"], at_leasts(exact)[shown], strict=True):
            row |= {"at_least": float(chance), "at_least_exact": str(chance)}
    if count < len(exact):
        told["page"] = {"after": page.after, "of": len(exact)}
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
