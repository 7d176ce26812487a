"""Side by side: two or more sets of arguments, or the values of one option, with the difference from the first.

``--versus "advantage=1"`` asks what an advantage is worth, ``--option contest_tie`` what a house rule costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

from tablewright.engine import Mechanic
from tablewright.errors import BadInput, nearest
from tablewright.game.options import OptionField, Value
from tablewright.game.registry import load_system
from tablewright.game.system import System
from tablewright.game.typical import typical_call, typical_values
from tablewright.lab.ranges import Ranges, label_of, read_ranges
from tablewright.lab.tables import Bounds, Case, Table, case_of, tabulate
from tablewright.lab.views import View

MOST_CASES = 12


@dataclass(frozen=True)
class Cost:
    """What one case costs or gains against the first, over all points of one column.

    ``least`` and ``most`` are the differences with the first points at which they occur; ``mean`` is over all points
    alike. None of it is there where the rules refuse every point of one of the two.
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
) -> Table:
    """The same rule with other arguments beside it; what ``others`` do not name is as in the first.

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
    """The cases of a comparison; of the same mechanic an argument that is not named is as in the first.

    Another mechanic takes from the first what it has a parameter for.
    """
    if len(others) + 1 > MOST_CASES:
        raise BadInput(f"{len(others) + 1} sets of arguments are too many, at most {MOST_CASES} are compared")
    axes = {axis.name for axis in read.axes}
    made: list[tuple[Mechanic[..., Any], dict[str, Any]]] = [(read.mechanic, dict(read.fixed))]
    for mechanic, given in others:
        own = dict(read_ranges(mechanic, given, most_axes=0).fixed)
        names = {parameter.name for parameter in mechanic.params}
        strange = sorted(axes - names)
        if strange:
            mechanic.read({strange[0]: ""})  # refuses with what there is
        same = {name: value for name, value in read.fixed.items() if name in names}
        made.append((mechanic, same | own))
    return [Case(label, mechanic, fixed) for label, (mechanic, fixed) in zip(_labels(made), made, strict=True)]


def _labels(made: Sequence[tuple[Mechanic[..., Any], Mapping[str, Any]]]) -> list[str]:
    """What sets each case apart: the arguments in which they differ, and the rule where there are several."""
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
) -> Table:
    """What an option of the system makes of a rule: its values side by side, the first one first.

    Without values all of them are compared, the default first. The rule must take the option as a parameter.
    """
    cases = option_cases(read, name, values)
    return tabulate(cases, read.axes, view, **bounds)


def option_cases(read: Ranges, name: str, values: Sequence[str] = ()) -> list[Case]:
    """A case for each value of an option that the mechanic takes as a parameter."""
    system = load_system(read.mechanic.system)
    field = _option(system, name)
    if field.attribute not in [parameter.name for parameter in read.mechanic.params]:
        takers = [m.name for m in system.mechanics if any(p.name == field.attribute for p in m.params)]
        told = f"it changes {_listed(takers)}" if takers else _instead(system, field)
        raise BadInput(f"{read.mechanic.name} does not depend on the option {field.name}; {told}", field=field.name)
    if field.attribute in read.fixed or any(axis.name == field.attribute for axis in read.axes):
        raise BadInput(f"{field.attribute} is set already; it is what the option {field.name} decides")
    return [
        case_of(read_ranges(read.mechanic, {**read.fixed, field.attribute: value}), f"{field.name}={_shown(value)}")
        for value in _values(field, values)
    ]


def typical_cases(system: System, name: str, values: Sequence[str] = ()) -> tuple[list[Case], str | None]:
    """The typical check of an option under its values, each by the rule that a table then plays; and its objective."""
    field = _option(system, name)
    if field.typical is None:
        raise BadInput(f"the option {field.name} changes no roll, so there are no odds to compare", field=field.name)
    cases: list[Case] = []
    objective = None
    for value in _values(field, values):
        if not isinstance(field.typical, str) and value not in field.typical:
            raise BadInput(f"the book gives no typical check for {field.name}={_shown(value)}", field=field.name)
        mechanic, given, wanted = typical_call(system, field, value)
        objective = wanted or objective
        read = read_ranges(mechanic, given, most_axes=0)
        cases.append(case_of(read, f"{field.name}={_shown(value)}"))
    return cases, objective


def _option(system: System, name: str) -> OptionField:
    """An option by its public name or by the name of the parameter."""
    for field in system.options.describe():
        if name in (field.name, field.attribute):
            return field
    known = [field.name for field in system.options.describe()]
    raise BadInput(
        f'{system.title} has no option "{name:.60}"{nearest(name, known) or f"; there are {_listed(known)}"}'
    )


def _values(field: OptionField, values: Sequence[str]) -> list[Value]:
    """The values that are compared, read and within bounds."""
    if not values:
        return list(typical_values(field))[:MOST_CASES]
    if len(values) > MOST_CASES:
        raise BadInput(f"{len(values)} values are too many, at most {MOST_CASES} are compared")
    read = [field.read(value) for value in values]
    for value in read:
        if not field.allows(value):
            hint = nearest(str(value), [str(choice) for choice in field.choices])
            raise BadInput(
                f'{field.name} is "{value!s:.40}"; allowed are {field.allowed}{hint}', field=field.name, rule=field.rule
            )
    return read


def _instead(system: System, field: OptionField) -> str:
    if field.typical is None:
        return "it changes no roll"
    return f"leave the mechanic out and its typical check is compared: --option {system.id}.{field.name}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _shown(value: Value) -> str:
    return label_of(value)


def costs(table: Table, column: int = 0) -> list[Cost]:
    """What each case after the first makes of a column, over all points."""
    found: list[Cost] = []
    for case in range(1, len(table.cases)):
        apart = [(table.difference(case, at, column), at) for at in range(len(table.points))]
        known = [(value, at) for value, at in apart if value is not None]
        if not known:
            continue
        least = min(known, key=lambda pair: (pair[0], pair[1]))
        most = max(known, key=lambda pair: (pair[0], -pair[1]))
        mean = sum([value for value, _ in known], Fraction(0)) / len(known)
        points = table.points
        found.append(Cost(case, column, least[0], most[0], mean, points[least[1]], points[most[1]], len(known)))
    return found
