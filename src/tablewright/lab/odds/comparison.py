"""Comparison of sets of arguments, or of the values of one rule option, with differences from the first.

``--versus "advantage=1"`` shows the value of an advantage, ``--option contest_tie`` the cost of a house rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

from tablewright.engine import Mechanic
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.narration.formatting import label_of
from tablewright.game.rules.options import RuleOption, Value
from tablewright.game.system.option_impact import typical_call, typical_values
from tablewright.game.system.registry import load_system
from tablewright.game.system.system import System
from tablewright.lab.odds.columns import View
from tablewright.lab.odds.ranges import Ranges, read_ranges
from tablewright.lab.odds.table import Bounds, Case, OddsTable, case_of, tabulate

MOST_CASES = 12


@dataclass(frozen=True)
class DeviceCost:
    """Difference of one case from the first, over all points of one column.

    ``least`` and ``most`` are the extreme differences with the first points at which they occur. ``mean`` weighs all
    points equally. Points that the rules refuse in either case are not counted.
    """

    case: int
    column: int
    least: Fraction
    most: Fraction
    mean: Fraction
    least_at: Mapping[str, Any]
    most_at: Mapping[str, Any]
    points: int


def compare(
    mechanic: Mechanic[..., Any],
    given: Mapping[str, object],
    *others: Mapping[str, object],
    view: View = View(),  # noqa: B008 - frozen
    **bounds: Unpack[Bounds],
) -> OddsTable:
    """Compare a mechanic under several sets of arguments; ``others`` inherit arguments from the first.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.check.roll"])
    ... async def check(target: int, sides: int = 6) -> bool:
    ...     "Roll the target or less."
    ...     return await d(sides) <= target
    >>> table = compare(check, {"target": "1..3"}, {"sides": 4})
    >>> [case.label for case in table.cases], [str(table.difference(1, point)) for point in range(3)]
    (['sides=6', 'sides=4'], ['1/12', '1/6', '1/4'])
    >>> cost = costs(table)[0]
    >>> str(cost.least), cost.least_at, str(cost.most), cost.most_at, str(cost.mean)
    ('1/12', {'target': 1}, '1/4', {'target': 3}, '1/6')
    """
    read = read_ranges(mechanic, given)
    return tabulate(beside(read, [(mechanic, other) for other in others]), read.axes, view, **bounds)


def beside(read: Ranges, others: Sequence[tuple[Mechanic[..., Any], Mapping[str, object]]]) -> list[Case]:
    """Cases of a comparison; each inherits the arguments it does not name from the first.

    A different mechanic inherits only arguments that it has a parameter for.
    """
    if len(others) + 1 > MOST_CASES:
        raise InvalidInputError(f"{len(others) + 1} sets of arguments are too many, at most {MOST_CASES} are compared")
    axes = {axis.name for axis in read.axes}
    made: list[tuple[Mechanic[..., Any], dict[str, Any]]] = [(read.mechanic, dict(read.fixed))]
    for mechanic, given in others:
        own = dict(read_ranges(mechanic, given, most_axes=0).fixed)
        names = {parameter.name for parameter in mechanic.params}
        strange = sorted(axes - names)
        if strange:
            mechanic.read({strange[0]: ""})  # raises and lists the known names
        same = {name: value for name, value in read.fixed.items() if name in names}
        made.append((mechanic, same | own))
    return [Case(label, mechanic, fixed) for label, (mechanic, fixed) in zip(_labels(made), made, strict=True)]


def _labels(made: Sequence[tuple[Mechanic[..., Any], Mapping[str, Any]]]) -> list[str]:
    """Distinguishing label of each case: differing arguments, and the mechanic if there are several."""
    whole = [
        {p.name: fixed.get(p.name, p.default) for p in mechanic.params if p.name in fixed or not p.required}
        for mechanic, fixed in made
    ]
    named = list(dict.fromkeys([name for _, fixed in made for name in fixed]))
    apart = [name for name in named if any(_differ(one, whole[0], name) for one in whole)]
    several = len({mechanic.name for mechanic, _ in made}) > 1
    labels = []
    for (mechanic, fixed), one in zip(made, whole, strict=True):
        told = [name for name in apart if name in one and (not several or name in fixed)]
        words = [f"{name}={label_of(one[name])}" for name in told]
        labels.append(" ".join([mechanic.name, *words] if several else words) or mechanic.name)
    return labels


def _differ(one: Mapping[str, Any], first: Mapping[str, Any], name: str) -> bool:
    return (name in one) != (name in first) or (name in one and one[name] != first[name])


def compare_option(
    read: Ranges,
    name: str,
    values: Sequence[str] = (),
    view: View = View(),  # noqa: B008 - frozen
    **bounds: Unpack[Bounds],
) -> OddsTable:
    """Compare a mechanic under the values of a rule option, in the given order.

    Without values all of them are compared, the default first. The mechanic must take the option as a parameter.
    """
    cases = option_cases(read, name, values)
    return tabulate(cases, read.axes, view, **bounds)


def option_cases(read: Ranges, name: str, values: Sequence[str] = ()) -> list[Case]:
    """One case per value of a rule option that the mechanic takes as a parameter."""
    system = load_system(read.mechanic.system)
    field = _option(system, name)
    if field.attribute not in [parameter.name for parameter in read.mechanic.params]:
        takers = [m.name for m in system.mechanics if any(p.name == field.attribute for p in m.params)]
        told = f"it changes {_listed(takers)}" if takers else _instead(system, field)
        raise InvalidInputError(
            f"{read.mechanic.name} does not depend on the option {field.name}; {told}", field=field.name
        )
    if field.attribute in read.fixed or any(axis.name == field.attribute for axis in read.axes):
        raise InvalidInputError(f"{field.attribute} is set already; it is what the option {field.name} decides")
    return [
        case_of(read_ranges(read.mechanic, {**read.fixed, field.attribute: value}), f"{field.name}={_shown(value)}")
        for value in _values(field, values)
    ]


def typical_cases(system: System, name: str, values: Sequence[str] = ()) -> tuple[list[Case], str | None]:
    """The typical check of a rule option under its values, with its objective; each case uses the mechanic in force."""
    field = _option(system, name)
    if field.typical is None:
        raise InvalidInputError(
            f"the option {field.name} shows in play, not in the odds of one roll",
            field=field.name,
        )
    cases: list[Case] = []
    objective = None
    for value in _values(field, values):
        if not isinstance(field.typical, str) and value not in field.typical:
            raise InvalidInputError(
                f"the book gives no typical check for {field.name}={_shown(value)}", field=field.name
            )
        mechanic, given, wanted = typical_call(system, field, value)
        objective = wanted or objective
        read = read_ranges(mechanic, given, most_axes=0)
        cases.append(case_of(read, f"{field.name}={_shown(value)}"))
    return cases, objective


def _option(system: System, name: str) -> RuleOption:
    """Find a rule option by its public name or its parameter name."""
    for field in system.options.describe():
        if name in (field.name, field.attribute):
            return field
    known = [field.name for field in system.options.describe()]
    raise InvalidInputError(
        f'{system.title} has no option "{name:.60}"{did_you_mean(name, known) or f"; there are {_listed(known)}"}'
    )


def _values(field: RuleOption, values: Sequence[str]) -> list[Value]:
    """Values to compare, parsed and validated."""
    if not values:
        return list(typical_values(field))[:MOST_CASES]
    if len(values) > MOST_CASES:
        raise InvalidInputError(f"{len(values)} values are too many, at most {MOST_CASES} are compared")
    read = [field.read(value) for value in values]
    for value in read:
        if not field.allows(value):
            hint = did_you_mean(str(value), [str(choice) for choice in field.choices])
            raise InvalidInputError(
                f'{field.name} is "{value!s:.40}"; allowed are {field.allowed}{hint}', field=field.name, rule=field.rule
            )
    return read


def _instead(system: System, field: RuleOption) -> str:
    if field.typical is None:
        return "it shows in play, not in the odds of one roll"
    return f"leave the mechanic out and its typical check is compared: --option {system.id}.{field.name}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _shown(value: Value) -> str:
    return label_of(value)


def costs(table: OddsTable, column: int = 0) -> list[DeviceCost]:
    """Differences of each case from the first in one column; cases without a common point are left out."""
    found: list[DeviceCost] = []
    for case in range(1, len(table.cases)):
        apart = [(table.difference(case, at, column), at) for at in range(len(table.points))]
        known = [(value, at) for value, at in apart if value is not None]
        if not known:
            continue
        least = min(known, key=lambda pair: (pair[0], pair[1]))
        most = max(known, key=lambda pair: (pair[0], -pair[1]))
        mean = sum([value for value, _ in known], Fraction(0)) / len(known)
        points = table.points
        found.append(DeviceCost(case, column, least[0], most[0], mean, points[least[1]], points[most[1]], len(known)))
    return found
