"""Advice over an unknown value: each option's value at every point, and where the best option changes.

*Known value*: each point is advised as if the value were known, which gives a curve per option and the switches between
best options. *Unknown value*: with weights, each option is valued against all points at once
(:mod:`tablewright.lab.odds.unknowns`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

from tablewright.engine import Advice, DecisionPoint, Mechanic, OptionValue, Role, TooComplexError, advise, odds
from tablewright.engine.json_values import to_json
from tablewright.engine.mechanic import Value
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.narration.formatting import label_of
from tablewright.lab.deadline import NEVER, Deadline
from tablewright.lab.odds.ranges import Axis, points_of, read_ranges
from tablewright.lab.odds.table import Progress
from tablewright.lab.odds.unknowns import Possible, with_unknown

MOST_POINTS = 1_000
MOST_CURVES = 100
"""Upper bound for reported choices; the first ones are kept."""

MOST_WEIGHT = 10**12

_LEAST = (Role.OPPONENT.value, Role.OPPONENTS_ALLY.value)


@dataclass(frozen=True)
class Switch:
    """Change of the best option between two neighbouring points, given by their indices."""

    before: int
    after: int
    old: str
    new: str


@dataclass(frozen=True)
class Curve:
    """One choice over all points; the decision point is None where the choice does not occur."""

    question: str
    seat: str
    given: tuple[str, ...]
    situations: tuple[DecisionPoint | None, ...]

    @property
    def wants_least(self) -> bool:
        """True if the decider is an opponent, who minimises the objective."""
        return self.seat in _LEAST

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Ids of all options that are open at some point."""
        return tuple(dict.fromkeys([worth.id for one in self.situations if one is not None for worth in one.options]))

    @cached_property
    def _by_id(self) -> tuple[dict[str, OptionValue], ...]:
        return tuple([{} if one is None else {worth.id: worth for worth in one.options} for one in self.situations])

    def worths(self, option: str) -> tuple[Fraction | None, ...]:
        """Value of an option at each point; None where it is not open."""
        return tuple([found[option].value if option in found else None for found in self._by_id])

    @cached_property
    def best(self) -> tuple[str | None, ...]:
        """Best option at each point; a tie keeps the previous best."""
        found: list[str | None] = []
        before: str | None = None
        for situation in self.situations:
            if situation is None:
                found.append(None)
                continue
            ties = [worth.id for worth in situation.options if worth.value == situation.best.value]
            before = before if before in ties else situation.best.id
            found.append(before)
        return tuple(found)

    def ever_best(self, option: str) -> bool:
        """True if an option is the best one at some point."""
        return option in self.best

    def margin(self, point: int) -> Fraction:
        """Distance from the best option to the next best at a point."""
        situation = self.situations[point]
        return Fraction(0) if situation is None else situation.margin

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """Changes of the best option, in order of the points."""
        known = [(at, name) for at, name in enumerate(self.best) if name is not None]
        return tuple([Switch(before, after, old, new) for (before, old), (after, new) in pairwise(known) if old != new])


@dataclass(frozen=True)
class Blind:
    """Advice for a decider who knows only how likely each value is.

    ``value`` is the value of the best play without knowing, ``knowing`` that of the best play with it. ``exact`` is
    False if the mechanic was too complex to run for all values at once; then only the first choice is advised, as if
    the value became known after it.
    """

    weights: tuple[int, ...]
    value: Fraction
    knowing: Fraction
    choices: tuple[DecisionPoint, ...]
    exact: bool = True

    @property
    def worth_of_knowing(self) -> Fraction:
        """Value of the information."""
        return self.knowing - self.value


@dataclass(frozen=True)
class AdviceCurve:
    """Advice on every choice of a mechanic over the possible values of one or two arguments.

    ``values`` is the value of the mechanic at each point under best play; None where the rules refuse the point, with
    the reason in ``refused``.
    """

    mechanic: Mechanic[..., Any]
    fixed: Mapping[str, Any]
    axes: tuple[Axis, ...]
    objective: str
    values: tuple[Fraction | None, ...]
    curves: tuple[Curve, ...]
    is_chance: bool
    complete: bool
    refused: tuple[tuple[int, str], ...] = ()
    blind: Blind | None = None

    @cached_property
    def points(self) -> tuple[dict[str, Any], ...]:
        """All combinations of the unknown values."""
        return tuple(points_of(self.axes))

    def to_json(self) -> dict[str, Any]:
        """The advice as JSON."""
        told: dict[str, Any] = {
            "mechanic": self.mechanic.name,
            "arguments": {name: to_json(value) for name, value in self.fixed.items()},
            "ranges": [{"parameter": a.name, "values": [to_json(value) for value in a.values]} for a in self.axes],
            "objective": self.objective,
            "complete": self.complete,
            "points": [
                {"at": {name: to_json(part) for name, part in point.items()}} | _number_json(value)
                for point, value in zip(self.points, self.values, strict=True)
            ],
            "questions": [self._curve_json(curve) for curve in self.curves],
        }
        for place, reason in self.refused:
            told["points"][place]["refused"] = reason
        if self.blind is not None:
            told["not_knowing"] = _blind_json(self.blind)
        return told

    def _curve_json(self, curve: Curve) -> dict[str, Any]:
        told: dict[str, Any] = {"question": curve.question, "seat": curve.seat, "given": list(curve.given)}
        told["options"] = [{"option": o, "worth": list(map(_number_json, curve.worths(o)))} for o in curve.options]
        told["best"] = list(curve.best)
        told["better_by"] = [_number_json(curve.margin(point)) for point in range(len(self.points))]
        if len(self.axes) == 1:
            values = [to_json(value) for value in self.axes[0].values]
            told["switches"] = [
                {"from": s.old, "to": s.new, "after": values[s.before], "at": values[s.after]} for s in curve.switches
            ]
        return told

    def to_csv(self) -> str:
        """The advice as CSV, one line per choice, point and option."""
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\n")
        heads = ["question", "given", *[axis.name for axis in self.axes], "option", "worth", "worth (exact)", "best"]
        lines.writerow(heads)
        for curve in self.curves:
            given = " / ".join(curve.given)
            for at, (point, situation) in enumerate(zip(self.points, curve.situations, strict=True)):
                where = list(map(label_of, point.values()))
                for worth in situation.options if situation is not None else ():
                    best = "yes" if worth.id == curve.best[at] else "no"
                    figures = [repr(float(worth.value)), str(worth.value)]
                    lines.writerow([curve.question, given, *where, worth.id, *figures, best])
        return written.getvalue()


def _number_json(value: Fraction | None) -> dict[str, Any]:
    return {"value": None} if value is None else {"value": float(value), "exact": str(value)}


def _blind_json(blind: Blind) -> dict[str, Any]:
    return {
        "weights": list(blind.weights),
        "exact_to_the_end": blind.exact,
        "worth": _number_json(blind.value),
        "worth_of_knowing": _number_json(blind.worth_of_knowing),
        "choices": [
            {
                "question": situation.question,
                "seat": situation.seat,
                "given": list(situation.given),
                "probability": float(situation.chance),
                "options": [
                    {"option": to_json(worth.option), "best": worth.best} | _number_json(worth.value)
                    for worth in situation.options
                ],
            }
            for situation in blind.choices
        ],
    }


def advice_curve(
    mechanic: Mechanic[..., Any],
    given: Mapping[str, object],
    objective: str | None = None,
    *,
    weights: Sequence[int] | str | None = None,
    progress: Progress | None = None,
    deadline: Deadline = NEVER,
) -> AdviceCurve:
    """Advise a mechanic over ranges of one or two arguments; with ``weights`` also without knowing them.

    Weights apply to the values of a single ranging argument: whole numbers, ``"even"``, or dice such as ``"3d6"``.

    >>> from tablewright.engine import choose, d, mechanic
    >>> @mechanic(rules=["demo.climb.try"])
    ... async def climb(height: int) -> bool:
    ...     "Two dice, or one die and three."
    ...     if await choose(Role.ACTOR, "how", ["leap", "creep"]) == "leap":
    ...         return await d(6) + await d(6) >= height
    ...     return await d(6) + 3 >= height
    >>> advice = advice_curve(climb, {"height": "3..10"}, weights="even")
    >>> curve = advice.curves[0]
    >>> curve.best
    ('creep', 'creep', 'creep', 'leap', 'leap', 'leap', 'leap', 'leap')
    >>> [(switch.old, switch.new, advice.axes[0].values[switch.after]) for switch in curve.switches]
    [('creep', 'leap', 6)]
    >>> [(worth.id, str(worth.value), worth.best) for worth in advice.blind.choices[0].options]
    [('leap', '11/18', True), ('creep', '9/16', False)]
    >>> str(advice.blind.worth_of_knowing)
    '1/72'
    """
    read = read_ranges(mechanic, given)
    if not read.axes:
        raise InvalidInputError("nothing is unknown: give one argument a range, such as difficulty=5..20")
    count = prod([len(axis.values) for axis in read.axes])
    if count > MOST_POINTS:
        raise InvalidInputError(
            f"{count:,} points are too many, at most {MOST_POINTS:,} are weighed at once; use fewer values"
        )
    weighed = None if weights is None else weights_of(read.axes, weights)
    name, value = mechanic.objective(objective)
    points = [{**read.fixed, **point} for point in read.points()]
    found, refused = _advise_all(mechanic, points, objective, progress=progress, deadline=deadline)
    curves, complete = _curves(found)
    blind = None if weighed is None else _blind(found, read.axes[0], weighed, value, deadline=deadline)
    return AdviceCurve(
        mechanic,
        dict(read.fixed),
        read.axes,
        name,
        tuple([None if one is None else one.value for one in found]),
        curves,
        mechanic.is_chance(objective),
        complete,
        refused,
        blind,
    )


def _advise_all(
    mechanic: Mechanic[..., Any],
    points: Sequence[Mapping[str, Any]],
    objective: str | None,
    *,
    progress: Progress | None,
    deadline: Deadline,
) -> tuple[list[Advice | None], tuple[tuple[int, str], ...]]:
    found: list[Advice | None] = []
    refused: list[tuple[int, str]] = []
    first: TablewrightError | None = None
    for at, point in enumerate(points):
        try:
            found.append(advise(mechanic(**point), objective))
        except TablewrightError as refusal:
            first = first or refusal
            found.append(None)
            refused.append((at, str(refusal)))
        if progress is not None:
            progress(at + 1, len(points))
        if at + 1 < len(points) and deadline.passed:
            raise InvalidInputError(
                f"{at + 1:,} of {len(points):,} points took {deadline}, which is all that was allowed; "
                "use fewer values or allow more time"
            )
    if first is not None and not any(found):
        raise first
    return found, tuple(refused)


def _curves(found: Sequence[Advice | None]) -> tuple[tuple[Curve, ...], bool]:
    """Group equal choices into curves, and drop curves with equal values everywhere."""
    rows: dict[tuple[str, str, tuple[str, ...]], list[DecisionPoint | None]] = {}
    for at, advice in enumerate(found):
        for situation in advice.choices if advice is not None else ():
            key = (situation.question, situation.seat, situation.given)
            rows.setdefault(key, [None] * len(found))[at] = situation
    distinct: dict[tuple[Any, ...], Curve] = {}
    for (question, seat, given), situations in rows.items():
        worths = tuple(
            [None if one is None else tuple([(worth.id, worth.value) for worth in one.options]) for one in situations]
        )
        distinct.setdefault((question, seat, worths), Curve(question, seat, given, tuple(situations)))
    complete = len(distinct) <= MOST_CURVES and all(advice is None or advice.complete for advice in found)
    return tuple(distinct.values())[:MOST_CURVES], complete


def weights_of(axes: Sequence[Axis], weights: Sequence[int] | str) -> tuple[int, ...]:
    """Weight of each value of the one unknown argument, from numbers, ``"even"`` or dice.

    >>> weights_of([Axis("difficulty", (2, 3, 4))], "2d2")
    (1, 2, 1)
    >>> weights_of([Axis("difficulty", (2, 3))], "2d2")
    Traceback (most recent call last):
    tablewright.errors.InvalidInputError: 2d2 can also come to 4, which is none of the values of difficulty
    """
    if len(axes) != 1:
        raise InvalidInputError("weights are for one argument that ranges; fix the other one")
    axis = axes[0]
    given = [part.strip() for part in weights.split(",")] if isinstance(weights, str) else list(map(str, weights))
    if given == ["even"]:
        return (1,) * len(axis.values)
    if all(part.isascii() and part.isdecimal() and len(part) <= 12 for part in given):
        read = tuple(map(int, given))
        if len(read) != len(axis.values):
            raise InvalidInputError(f"{len(read)} weights were given for {len(axis.values)} values of {axis.name}")
        if not any(read):
            raise InvalidInputError("at least one weight must be more than 0")
        return read
    if not isinstance(weights, str):
        raise InvalidInputError("weights are whole numbers of 0 or more")
    return _weights_of_dice(axis, weights)


def _weights_of_dice(axis: Axis, notation: str) -> tuple[int, ...]:
    from tablewright.dice.notation import parse_dice  # noqa: PLC0415 - loads the grammar

    try:
        dist = parse_dice(notation).weigh()
    except InvalidInputError as problem:
        raise InvalidInputError(
            f"weights are whole numbers with commas, even, or dice such as 3d6: {problem.message}"
        ) from None
    if not axis.numeric:
        raise InvalidInputError(
            f"dice cannot weigh {axis.name}, whose values are not numbers; give whole numbers instead"
        )
    outside = [outcome for outcome in dist.outcomes if outcome not in axis.values]
    if outside:
        raise InvalidInputError(f"{notation} can also come to {outside[0]}, which is none of the values of {axis.name}")
    if dist.total > MOST_WEIGHT:
        raise InvalidInputError(f"{notation} has too many ways to fall for weights")
    return tuple([dist.weight(value) for value in axis.values])


def _blind(
    found: Sequence[Advice | None], axis: Axis, weights: tuple[int, ...], value: Value, *, deadline: Deadline
) -> Blind:
    """Advice without knowing: by averages for a single choice, else by running all values in lockstep."""
    possible = [
        (weight, name, advice)
        for weight, name, advice in zip(weights, axis.labels, found, strict=True)
        if weight and advice is not None
    ]
    lacking = [name for weight, name, one in zip(weights, axis.labels, found, strict=True) if weight and one is None]
    if lacking:
        raise InvalidInputError(
            f"{axis.name}={lacking[0]} cannot be weighed: the rules refuse it; give it the weight 0"
        )
    advices = [(weight, advice) for weight, _, advice in possible]
    total = sum([weight for weight, _ in advices])
    knowing = sum([weight * advice.value for weight, advice in advices], Fraction(0)) / total
    averaged = _averaged(advices, total)
    once = all(len(advice.choices) == 1 for _, advice in advices)
    if averaged is not None and once and not any(_comes_again(advice, value) for _, advice in advices):
        return Blind(weights, averaged.best.value, knowing, (averaged,))
    calls = [Possible(weight, f"{axis.name} {name}", advice.call) for weight, name, advice in possible]
    try:
        advice = advise(with_unknown(calls, value, deadline=deadline), _itself)
    except TooComplexError:
        if averaged is None:
            raise
        return Blind(weights, averaged.best.value, knowing, (averaged,), exact=False)
    return Blind(weights, advice.value, knowing, advice.choices)


def _comes_again(advice: Advice, value: Value) -> bool:
    """True if the only choice of a mechanic may recur, because the mechanic restarts after some option."""
    for at in range(len(advice.choices[0].options)):
        if odds(advice.call, value, policy=lambda _, at=at: at).again:  # type: ignore[misc]
            return True
    return False


def _itself(worth: Fraction) -> Fraction:
    return worth


def _averaged(advices: Sequence[tuple[int, Advice]], total: int) -> DecisionPoint | None:
    """The first choice with each option's mean value; None unless it comes first for all values."""
    firsts = [advice.choices[0] for _, advice in advices if advice.choices]
    keys = {(one.question, one.seat, one.given, tuple([worth.id for worth in one.options])) for one in firsts}
    if len(firsts) != len(advices) or len(keys) != 1 or firsts[0].chance != 1 or firsts[0].given:
        return None
    first = firsts[0]
    means = [
        sum([weight * one.options[at].value for (weight, _), one in zip(advices, firsts, strict=True)], Fraction(0))
        / total
        for at in range(len(first.options))
    ]
    best = means.index(min(means) if first.seat in _LEAST else max(means))
    options = [
        OptionValue(worth.option, worth.id, mean, at == best)
        for at, (worth, mean) in enumerate(zip(first.options, means, strict=True))
    ]
    return DecisionPoint(first.question, first.seat, (), Fraction(1), tuple(options))
