"""What a table tells of a distribution: an expected value, or the chances of outcomes exactly, at least or at most."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from tablewright.dice import Dist
from tablewright.dice.dist import show_outcome
from tablewright.engine import Mechanic
from tablewright.engine.mechanic import Value
from tablewright.engine.odds import Odds
from tablewright.errors import BadInput, TablewrightError, nearest
from tablewright.game.wording import shown
from tablewright.lab.ranges import label_of

MOST_FIGURES = 200_000
"""How many numbers one table may hold, over all cells and columns."""

MOST_NAMED = 1_000
"""How many outcomes a view may name."""

FEW_OUTCOMES = 60
"""At most so many numbers are compared one by one where nothing ranges; of more only the means."""

How: TypeAlias = Literal["expected", "exactly", "at_least", "at_most"]
RESULT = "result"
"""The name of the objective of a rule that declares none and gives a number or a yes."""


@dataclass(frozen=True)
class View:
    """What is told of each distribution.

    ``how``: the ``expected`` value (of an objective, a number or the chance of a yes), or the chance of each outcome
    ``exactly``, ``at_least`` or ``at_most``; without it what suits the outcomes. ``of`` is a field of a record (dotted
    where records lie in records), ``at`` the outcomes that are told, ``objective`` what choices are made for.
    """

    how: How | None = None
    of: str | None = None
    at: tuple[str, ...] = ()
    objective: str | None = None


@dataclass(frozen=True)
class Column:
    """What one number of a cell means; a chance is shown in percent."""

    label: str
    is_chance: bool


@dataclass(frozen=True)
class Weighed:
    """The odds of one cell, and the value of outcomes that its choices were made by or that was asked for."""

    odds: Odds[Any] | None
    objective: tuple[str, Value] | None = None
    choosing: bool = False
    refused: TablewrightError | None = None


@dataclass(frozen=True)
class Told:
    """The numbers that a view tells of some distributions, in their order, with what they mean."""

    how: How
    of: str | None
    columns: tuple[Column, ...]
    figures: list[tuple[Fraction, ...]]
    means: list[Fraction | None]


def tell(cells: Sequence[Weighed], view: View, rules: Sequence[Mechanic[..., Any]], *, ranging: bool) -> Told:
    """What a view tells; ``ranging`` says that the distributions belong to different arguments."""
    how = view.how or _suiting(cells, view, ranging=ranging)
    if how != "expected" and view.of is None and (ranging or len(cells) > 1 or how != "exactly"):
        view = replace(view, of=_telling_field(cells))
    columns, figures = _expected(cells, view) if how == "expected" else _chances(cells, view, how, rules)
    means = [dist.mean if dist.numeric else None for dist in _projected(cells, view.of)]
    return Told(how, view.of, columns, figures, means)


def _suiting(cells: Sequence[Weighed], view: View, *, ranging: bool) -> How:
    """What suits the outcomes where nobody said.

    Averages of numbers and objectives over ranges, the chances of words; where nothing ranges every outcome that can be
    read.
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


def _telling_field(cells: Sequence[Weighed]) -> str | None:
    """The one field of a record whose outcomes are words in an order; None where outcomes are no records."""
    outcomes = [outcome for cell in cells if cell.odds is not None for outcome in cell.odds.outcomes]
    records = [outcome for outcome in outcomes if hasattr(outcome, "_fields")]
    if not records:
        return None
    fields = dict.fromkeys([name for record in records for name in record._fields])
    words = [name for name in fields if any(isinstance(getattr(one, name, None), Enum) for one in records)]
    if len(words) == 1:
        return str(words[0])
    raise BadInput(f"the result has several parts; name one of them as what is told of it: {', '.join(fields)}")


def _projected(cells: Iterable[Weighed], of: str | None) -> list[Dist[Any]]:
    dists = [cell.odds for cell in cells if cell.odds is not None]
    return [dist if of is None else dist.map(_field(dist, of)) for dist in dists]


def _field(dist: Dist[Any], path: str) -> Callable[[Any], Any]:
    """What leads from an outcome to one of its fields."""
    names = path.split(".")

    def follow(outcome: Any) -> Any:
        for name in names:
            if outcome is None:
                return None
            fields = getattr(outcome, "_fields", ())
            if name not in fields:
                known = f"there are {', '.join(fields)}{nearest(name, fields)}" if fields else "it is no record"
                raise BadInput(f'the result has no field "{path:.60}"; {known}', field=path[:60])
            outcome = getattr(outcome, name)
        return outcome

    follow(dist.outcomes[0])
    return follow


_Figures: TypeAlias = tuple[tuple[Column, ...], list[tuple[Fraction, ...]]]


def _expected(cells: Sequence[Weighed], view: View) -> _Figures:
    """The average of the field, of the objective or of the number itself."""
    if view.at:
        raise BadInput("outcomes can be named for the chances of outcomes, not for an expected value")
    if view.of is None and any(cell.objective is not None for cell in cells):
        return _worths(cells)
    dists = _projected(cells, view.of)
    kinds = {type(outcome) for dist in dists for outcome in dist.outcomes}
    if kinds <= {bool}:
        return (Column(view.of or "yes", True),), [(dist[True],) for dist in dists]
    if any(issubclass(kind, Enum) or not issubclass(kind, int | Fraction) for kind in kinds):
        fields = getattr(dists[0].outcomes[0], "_fields", ())
        more = f"name one of its fields: {', '.join(fields)}" if fields else "ask for the chance of each outcome"
        raise BadInput(f"the result is no number, so it has no average; {more}")
    return (Column(f"mean {view.of}" if view.of else "mean", False),), [(dist.mean,) for dist in dists]


def _worths(cells: Sequence[Weighed]) -> _Figures:
    """The expected value of the objective; of dice beside it the mean."""
    names = list(dict.fromkeys([cell.objective[0] for cell in cells if cell.objective is not None]))
    figures: list[tuple[Fraction, ...]] = []
    values: set[Any] = set()
    kinds: set[type] = set()
    for cell in cells:
        assert cell.odds is not None
        outcomes = cell.odds.outcomes
        if cell.objective is None and not cell.odds.numeric:
            raise BadInput(f"{_few(outcomes)} are no numbers, and no objective says what they are worth")
        value = _itself if cell.objective is None else cell.objective[1]
        values |= {value(outcome) for outcome in outcomes}
        kinds |= set(map(type, outcomes))
        figures.append((cell.odds.expected(value),))
    label = ("yes" if kinds == {bool} else "mean") if names == [RESULT] else ", ".join(names)
    return (Column(label, values <= {0, 1}),), figures


def _itself(outcome: Any) -> Any:
    return outcome


def _chances(cells: Sequence[Weighed], view: View, how: How, rules: Sequence[Mechanic[..., Any]]) -> _Figures:
    """The chance of each outcome, or of it and all on one side of it."""
    listed = _listed_words(rules, view.of)
    dists = _projected(cells, view.of)
    outcomes = in_order({(type(outcome), outcome): outcome for dist in dists for outcome in dist.outcomes}.values())
    if listed and all(outcome in listed for outcome in outcomes):
        outcomes.sort(key=listed.index)
    elif how != "exactly" and not _ordered(outcomes):
        raise BadInput(
            f"{how.replace('_', ' ')} needs outcomes that have an order, and these have none: {_few(outcomes)}"
        )
    picked = _picked(outcomes, view.at, how)
    if len(dists) * len(picked) > MOST_FIGURES:
        most = f"at most {MOST_FIGURES:,} are told at once"
        raise BadInput(f"{len(dists):,} cells of {len(picked):,} outcomes are too many numbers, {most}; name some")
    labels = [_SIGN[how] + (show_outcome(one) if isinstance(one, Enum) else shown(one)) for one in picked]
    if how == "exactly":
        figures = [tuple([dist[outcome] for outcome in picked]) for dist in dists]
    else:
        order = {outcome: place for place, outcome in enumerate(outcomes)}
        figures = [_cumulated(dist, picked, order, up=how == "at_least") for dist in dists]
    return tuple([Column(label, True) for label in labels]), figures


def _listed_words(rules: Iterable[Mechanic[..., Any]], of: str | None) -> Sequence[str]:
    """The words of a result or of one of its fields in the order in which its type lists them, if it does."""
    for rule in rules:
        kind = get_type_hints(rule.function).get("return")
        for name in of.split(".") if of else ():
            kind = get_type_hints(kind).get(name) if isinstance(kind, type) and hasattr(kind, "_fields") else None
        if get_origin(kind) is Literal:
            return [word for word in get_args(kind) if isinstance(word, str)]
    return ()


_SIGN: dict[How, str] = {"exactly": "", "at_least": "≥ ", "at_most": "≤ "}


def in_order(outcomes: Iterable[Any]) -> list[Any]:
    """Outcomes in a stable order, the worst first where they know their rank; none at all before everything."""
    listed = list(outcomes)
    nothing = [outcome for outcome in listed if outcome is None]
    some = [outcome for outcome in listed if outcome is not None]
    if all(isinstance(outcome, Enum) and hasattr(outcome, "rank") for outcome in some):
        return nothing + sorted(some, key=lambda outcome: outcome.rank)
    return nothing + list(Dist([(outcome, 1) for outcome in some]).outcomes)


def _ordered(outcomes: Sequence[Any]) -> bool:
    """Whether outcomes are of one kind that has an order; none at all comes before all of them."""
    kinds = {type(outcome) for outcome in outcomes if outcome is not None}
    return len(kinds) == 1 and issubclass(kinds.pop(), int | Fraction | Enum)


def _few(outcomes: Sequence[Any]) -> str:
    return ", ".join(map(shown, outcomes[:6])) + (", ..." if len(outcomes) > 6 else "")


def _picked(outcomes: Sequence[Any], at: Sequence[str], how: How) -> list[Any]:
    """The outcomes that are told: those that were named, or all but the one that is certain."""
    if not at:
        if len(outcomes) == 1 or how == "exactly":
            return list(outcomes)
        return list(outcomes[1:] if how == "at_least" else outcomes[:-1])
    if len(at) > MOST_NAMED:
        raise BadInput(f"{len(at):,} outcomes are too many to name, at most {MOST_NAMED:,}")
    by_name = {said(one).casefold().replace(" ", "_"): one for said in (shown, label_of) for one in outcomes}
    picked = []
    for name in at:
        key = name.strip().casefold().replace(" ", "_").replace("-", "_") if not _is_number(name) else name.strip()
        if key in by_name:
            picked.append(by_name[key])
        elif _is_number(name) and type(outcomes[-1]) is int:
            picked.append(int(name))
        else:
            raise BadInput(f'"{name:.40}" is no outcome here; there are {_few(outcomes)}{nearest(name, by_name)}')
    return picked


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdecimal() and len(digits) < 10


def _cumulated(dist: Dist[Any], picked: Sequence[Any], order: Mapping[Any, int], *, up: bool) -> tuple[Fraction, ...]:
    """The chance of each picked outcome and all above or below; numbers need not occur to have others beside them."""
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
