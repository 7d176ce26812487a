"""Odds of a call or of dice as JSON, the same for the command line, the server and files."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, islice
from typing import Any, NamedTuple

from tablewright.dice import Dist, Rollable
from tablewright.engine.exact.decisions import seats_of
from tablewright.engine.json_values import to_json
from tablewright.engine.mechanic import Call
from tablewright.engine.odds import Odds, known, odds
from tablewright.engine.options import Role
from tablewright.errors import InvalidInputError

MOST_CHARACTERS = 20_000_000
"""Upper bound for the characters of the exact fractions in one report."""


class Page(NamedTuple):
    """Section of a report: the number of outcomes to skip, the most to include, and a limit in characters."""

    after: int = 0
    most: int | None = None
    characters: int = MOST_CHARACTERS


ALL = Page()


class OddsReport(NamedTuple):
    """Odds of one call or of dice.

    ``objective`` and ``expected`` are None unless an objective settled choices or was requested. ``by_default`` says
    that the game master, who has no objective, chooses something as usual.
    """

    subject: Call[Any] | Rollable[Any]
    odds: Odds[Any]
    objective: str | None = None
    expected: Fraction | None = None
    choosing: bool = False
    by_default: bool = False


def answer_for(call: Call[Any], objective: str | None = None) -> OddsReport:
    """Compute the exact odds of a call; an objective settles its choices."""
    answer = known(call)
    seats = frozenset[Role | str]() if isinstance(answer, Odds) else seats_of(answer)
    choosing, by_default = bool(seats - {Role.GAME_MASTER}), Role.GAME_MASTER in seats
    if not seats and objective is None:
        return OddsReport(call, odds(call))
    name, value = call.mechanic.objective(objective)
    exact = odds(call, name if name in call.mechanic.objectives else value)
    return OddsReport(call, exact, name, exact.expected(value), choosing, by_default)


def answer_for_dice(dice: Rollable[Any]) -> OddsReport:
    """Exact odds of dice."""
    return OddsReport(dice, Odds.from_dist(dice.weigh(), dice.remainder))


def odds_json(answer: OddsReport, *, at_least: bool = False, page: Page = ALL) -> dict[str, Any]:
    """Convert a report to JSON; only floats are rounded, and only outcomes outside the page are omitted."""
    exact = answer.odds
    shown = slice(page.after, None if page.most is None else page.after + page.most)
    count = len(range(len(exact))[shown])
    if count * len(str(exact.total)) * 2 > page.characters:
        wrong = f"{count:,} outcomes with {len(str(exact.total)):,} digits each are too many to write out"
        raise InvalidInputError(f"{wrong} at once; ask for a page of them by after and most" if page != ALL else wrong)
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
    """Subject of a report as JSON: a mechanic with all its arguments, or dice."""
    if isinstance(subject, Call):
        return {"mechanic": subject.mechanic.name, "arguments": subject.mechanic.arguments_json(subject)}
    return {"notation": str(subject)}


def chance_json(chance: Fraction) -> dict[str, Any]:
    """Chance as a float and as an exact fraction."""
    return {"probability": float(chance), "exact": str(chance)}


def at_leasts(exact: Dist[Any]) -> list[Fraction]:
    """Chance of each outcome or a higher one, in order of outcomes."""
    return [Fraction(weight, exact.total) for weight in accumulate(reversed(exact.weights))][::-1]


def fields_of(exact: Dist[Any]) -> list[tuple[str, Dist[Any]]]:
    """Distribution of each field if all outcomes are records of one type; empty otherwise."""
    kinds = {type(outcome) for outcome in exact.outcomes}
    names = getattr(next(iter(kinds)), "_fields", ()) if len(kinds) == 1 else ()
    return [(name, exact.map(lambda outcome, place=place: outcome[place])) for place, name in enumerate(names)]  # type: ignore[misc]


def field_json(name: str, part: Dist[Any]) -> dict[str, Any]:
    """Summary of one field: the chance of True, the mean of a number, or all its outcomes."""
    if {type(outcome) for outcome in part.outcomes} == {bool}:
        return {"field": name} | chance_json(part[True])
    if part.numeric:
        return {"field": name, "mean": float(part.mean), "mean_exact": str(part.mean)}
    return {
        "field": name,
        "outcomes": [{"outcome": to_json(outcome)} | chance_json(chance) for outcome, chance in part.fractions()],
    }
