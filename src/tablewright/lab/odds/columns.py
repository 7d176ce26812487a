"""Columns of an odds table: an expected value, or the chance of outcomes exactly, at least or at most."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from tablewright.dice import Dist
from tablewright.dice.outcomes import format_outcome
from tablewright.engine import Mechanic
from tablewright.engine.mechanic import Value
from tablewright.engine.odds import Odds
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.narration.formatting import format_value, label_of

MOST_FIGURES = 200_000
"""Upper bound for numbers in one table, over all cells and columns."""

MOST_NAMED = 1_000
"""Upper bound for outcomes that a view may name."""

FEW_OUTCOMES = 60
"""Upper bound for numeric outcomes that a comparison without ranges lists; beyond it only means are shown."""

How: TypeAlias = Literal["expected", "exactly", "at_least", "at_most"]
RESULT = "result"
"""Objective name for a mechanic that declares none and returns a number or a bool."""


@dataclass(frozen=True)
class View:
    """Selection of the numbers to show for each distribution.

    ``how`` is the ``expected`` value (of an objective, a number or a bool), or the chance of each outcome ``exactly``,
    ``at_least`` or ``at_most``; None picks a suitable one. ``of`` is a record field (dotted for nested records), ``at``
    the outcomes to show, ``objective`` the objective for choices.
    """

    how: How | None = None
    of: str | None = None
    at: tuple[str, ...] = ()
    objective: str | None = None


@dataclass(frozen=True)
class Column:
    """Meaning of one number of a cell; a chance is shown in percent."""

    label: str
    is_chance: bool


@dataclass(frozen=True)
class CellOdds:
    """Odds of one cell, with the objective used for its choices or requested by the view."""

    odds: Odds[Any] | None
    objective: tuple[str, Value] | None = None
    choosing: bool = False
    refused: TablewrightError | None = None


@dataclass(frozen=True)
class CellText:
    """Numbers of a view over some distributions, in their order, with their columns."""

    how: How
    of: str | None
    columns: tuple[Column, ...]
    figures: list[tuple[Fraction, ...]]
    means: list[Fraction | None]


def tell(cells: Sequence[CellOdds], view: View, rules: Sequence[Mechanic[..., Any]], *, ranging: bool) -> CellText:
    """Compute the numbers of a view; ``ranging`` marks distributions of different arguments."""
    how = view.how or _suiting(cells, view, ranging=ranging)
    if how != "expected" and view.of is None and (ranging or len(cells) > 1 or how != "exactly"):
        view = replace(view, of=_telling_field(cells))
    columns, figures = _expected(cells, view) if how == "expected" else _chances(cells, view, how, rules)
    means = [dist.mean if dist.numeric else None for dist in _projected(cells, view.of)]
    return CellText(how, view.of, columns, figures, means)


def _suiting(cells: Sequence[CellOdds], view: View, *, ranging: bool) -> How:
    """Default view for the outcomes.

    Ranges show means of numbers and objectives, and chances of words. Without ranges every outcome is shown, if there
    are few enough to read.
    """
    if view.objective is not None:
        return "expected"
    outcomes = {(type(outcome), outcome) for dist in _projected(cells, view.of) for outcome in dist.outcomes}
    kinds = {kind for kind, _ in outcomes}
    if kinds <= {bool}:
        return "exactly" if view.at else "expected"
    records = any(hasattr(kind, "_fields") for kind in kinds)
    if all(issubclass(kind, int | Fraction) and not issubclass(kind, Enum) for kind in kinds) or records:
        whole = not ranging and (len(cells) == 1 or (not records and len(outcomes) <= FEW_OUTCOMES))
        return "exactly" if view.at or whole else "expected"
    return "exactly"


def _telling_field(cells: Sequence[CellOdds]) -> str | None:
    """The only enum field of a record; None if the outcomes are not records."""
    outcomes = [outcome for cell in cells if cell.odds is not None for outcome in cell.odds.outcomes]
    records = [outcome for outcome in outcomes if hasattr(outcome, "_fields")]
    if not records:
        return None
    fields = dict.fromkeys([name for record in records for name in record._fields])
    words = [name for name in fields if any(isinstance(getattr(one, name, None), Enum) for one in records)]
    if len(words) == 1:
        return str(words[0])
    raise InvalidInputError(
        f"the result has several parts; name one of them as what is told of it: {', '.join(fields)}"
    )


def _projected(cells: Iterable[CellOdds], of: str | None) -> list[Dist[Any]]:
    dists = [cell.odds for cell in cells if cell.odds is not None]
    return [dist if of is None else dist.map(_field(dist, of)) for dist in dists]


def _field(dist: Dist[Any], path: str) -> Callable[[Any], Any]:
    """Function that maps an outcome to one of its fields; an unknown field is refused."""
    names = path.split(".")

    def follow(outcome: Any) -> Any:
        for name in names:
            if outcome is None:
                return None
            fields = getattr(outcome, "_fields", ())
            if name not in fields:
                known = f"there are {', '.join(fields)}{did_you_mean(name, fields)}" if fields else "it is not a record"
                raise InvalidInputError(f'the result has no field "{path:.60}"; {known}', field=path[:60])
            outcome = getattr(outcome, name)
        return outcome

    follow(dist.outcomes[0])
    return follow


_Figures: TypeAlias = tuple[tuple[Column, ...], list[tuple[Fraction, ...]]]


def _expected(cells: Sequence[CellOdds], view: View) -> _Figures:
    """Mean of the field, of the objective or of the number itself."""
    if view.at:
        raise InvalidInputError("outcomes can be named for the chances of outcomes, not for an expected value")
    if view.of is None and any(cell.objective is not None for cell in cells):
        return _worths(cells)
    dists = _projected(cells, view.of)
    kinds = {type(outcome) for dist in dists for outcome in dist.outcomes}
    if kinds <= {bool}:
        return (Column(view.of or "yes", True),), [(dist[True],) for dist in dists]
    if any(issubclass(kind, Enum) or not issubclass(kind, int | Fraction) for kind in kinds):
        fields = getattr(dists[0].outcomes[0], "_fields", ())
        more = f"name one of its fields: {', '.join(fields)}" if fields else "ask for the chance of each outcome"
        raise InvalidInputError(f"the result is not a number, so it has no average; {more}")
    return (Column(f"mean {view.of}" if view.of else "mean", False),), [(dist.mean,) for dist in dists]


def _worths(cells: Sequence[CellOdds]) -> _Figures:
    """Expected value of the objective; for dice in the same table, their mean."""
    names = list(dict.fromkeys([cell.objective[0] for cell in cells if cell.objective is not None]))
    figures: list[tuple[Fraction, ...]] = []
    values: set[Any] = set()
    kinds: set[type] = set()
    for cell in cells:
        assert cell.odds is not None
        outcomes = cell.odds.outcomes
        if cell.objective is None and not cell.odds.numeric:
            raise InvalidInputError(f"{_few(outcomes)} are not numbers, and no objective says what they are worth")
        value = _itself if cell.objective is None else cell.objective[1]
        values |= {value(outcome) for outcome in outcomes}
        kinds |= set(map(type, outcomes))
        figures.append((cell.odds.expected(value),))
    label = ("yes" if kinds == {bool} else "mean") if names == [RESULT] else ", ".join(names)
    return (Column(label, values <= {0, 1}),), figures


def _itself(outcome: Any) -> Any:
    return outcome


def _chances(cells: Sequence[CellOdds], view: View, how: How, rules: Sequence[Mechanic[..., Any]]) -> _Figures:
    """Chance of each outcome, or of it and all outcomes on one side of it."""
    listed = _listed_words(rules, view.of)
    dists = _projected(cells, view.of)
    outcomes = in_order({(type(outcome), outcome): outcome for dist in dists for outcome in dist.outcomes}.values())
    if listed and all(outcome in listed for outcome in outcomes):
        outcomes.sort(key=listed.index)
    elif how != "exactly" and not _ordered(outcomes):
        raise InvalidInputError(
            f"{how.replace('_', ' ')} needs outcomes that have an order, and these have none: {_few(outcomes)}"
        )
    picked = _picked(outcomes, view.at, how)
    if len(dists) * len(picked) > MOST_FIGURES:
        most = f"at most {MOST_FIGURES:,} are told at once"
        raise InvalidInputError(
            f"{len(dists):,} cells of {len(picked):,} outcomes are too many numbers, {most}; name some"
        )
    labels = [_SIGN[how] + (format_outcome(one) if isinstance(one, Enum) else format_value(one)) for one in picked]
    if how == "exactly":
        figures = [tuple([dist[outcome] for outcome in picked]) for dist in dists]
    else:
        order = {outcome: place for place, outcome in enumerate(outcomes)}
        figures = [_cumulated(dist, picked, order, up=how == "at_least") for dist in dists]
    return tuple([Column(label, True) for label in labels]), figures


def _listed_words(rules: Iterable[Mechanic[..., Any]], of: str | None) -> Sequence[str]:
    """Words of a Literal result or field in declared order; empty for other types."""
    for rule in rules:
        kind = get_type_hints(rule.function).get("return")
        for name in of.split(".") if of else ():
            kind = get_type_hints(kind).get(name) if isinstance(kind, type) and hasattr(kind, "_fields") else None
        if get_origin(kind) is Literal:
            return [word for word in get_args(kind) if isinstance(word, str)]
    return ()


_SIGN: dict[How, str] = {"exactly": "", "at_least": "≥ ", "at_most": "≤ "}


def in_order(outcomes: Iterable[Any]) -> list[Any]:
    """Sort outcomes stably: None first, then by rank (worst first) or natural order."""
    listed = list(outcomes)
    nothing = [outcome for outcome in listed if outcome is None]
    some = [outcome for outcome in listed if outcome is not None]
    if all(isinstance(outcome, Enum) and hasattr(outcome, "rank") for outcome in some):
        return nothing + sorted(some, key=lambda outcome: outcome.rank)
    return nothing + list(Dist([(outcome, 1) for outcome in some]).outcomes)


def _ordered(outcomes: Sequence[Any]) -> bool:
    """True if the outcomes have one ordered type; None sorts before all of them."""
    kinds = {type(outcome) for outcome in outcomes if outcome is not None}
    return len(kinds) == 1 and issubclass(kinds.pop(), int | Fraction | Enum)


def _few(outcomes: Sequence[Any]) -> str:
    return ", ".join(map(format_value, outcomes[:6])) + (", ..." if len(outcomes) > 6 else "")


def _picked(outcomes: Sequence[Any], at: Sequence[str], how: How) -> list[Any]:
    """Outcomes to show: the named ones, or all except one whose cumulated chance is 1."""
    if not at:
        if len(outcomes) == 1 or how == "exactly":
            return list(outcomes)
        return list(outcomes[1:] if how == "at_least" else outcomes[:-1])
    if len(at) > MOST_NAMED:
        raise InvalidInputError(f"{len(at):,} outcomes are too many to name, at most {MOST_NAMED:,}")
    by_name = {said(one).casefold().replace(" ", "_"): one for said in (format_value, label_of) for one in outcomes}
    picked = []
    for name in at:
        key = name.strip().casefold().replace(" ", "_").replace("-", "_") if not _is_number(name) else name.strip()
        if key in by_name:
            picked.append(by_name[key])
        elif _is_number(name) and type(outcomes[-1]) is int:
            picked.append(int(name))
        else:
            raise InvalidInputError(
                f'"{name:.40}" is not an outcome here; there are {_few(outcomes)}{did_you_mean(name, by_name)}'
            )
    return picked


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdecimal() and len(digits) < 10


def _cumulated(dist: Dist[Any], picked: Sequence[Any], order: Mapping[Any, int], *, up: bool) -> tuple[Fraction, ...]:
    """Chance of each picked outcome and all above or below it; picked numbers need not occur."""
    ranked = sorted(dist.items(), key=lambda pair: order[pair[0]])
    sums = [0, *accumulate([weight for _, weight in ranked])]
    by_number = all(type(outcome) is int or isinstance(outcome, Fraction) for outcome in picked if outcome is not None)
    nothing = int(ranked[0][0] is None)
    places: list[Any] = [outcome if by_number else order[outcome] for outcome, _ in ranked[nothing * by_number :]]
    chances = []
    for outcome in picked:
        if outcome is None:
            chances.append(Fraction(1) if up else dist[None])
            continue
        place = outcome if by_number else order[outcome]
        below = (bisect_left if up else bisect_right)(places, place) + nothing * by_number
        chances.append(Fraction(sums[-1] - sums[below] if up else sums[below], dist.total))
    return tuple(chances)
