"""Tables of exact odds over ranges of arguments, and comparisons of arguments or rule options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from tablewright.api.arguments import check_argument, checked
from tablewright.api.results import Chance, Heading, Table
from tablewright.api.subject import named_arguments
from tablewright.engine.mechanic import Mechanic
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.lab.odds.columns import How, View
from tablewright.lab.odds.comparison import beside, compare_option
from tablewright.lab.odds.ranges import read_ranges
from tablewright.lab.odds.table import OddsTable, case_of, tabulate

if TYPE_CHECKING:
    from tablewright.lab.odds.ranges import Ranges


@checked
def odds_table(
    what: Mechanic[..., Any] | str,
    /,
    *args: object,
    objective: str | None = None,
    view: How | None = None,
    of: str | None = None,
    **given: object,
) -> Table:
    """Exact odds of a rule over ranges of up to two arguments: ``"8..16..4"``, ``"r8,r10"``, ``range(8, 17)``, lists.

    ``view`` is ``"exactly"``, ``"at_least"``, ``"at_most"`` or ``"expected"``; ``of`` names a part of the result.

    >>> import tablewright as tw
    >>> print(tw.odds_table("mars.check", "r16", difficulty="8..16..4", view="at_least"))
    difficulty  ≥ graze  ≥ success  ≥ critical
             8  100.00%     65.00%       5.00%
            12   83.33%     25.00%       0.00%
            16   45.00%      1.67%       0.00%
    """
    read = _read(what, args, given)
    table = tabulate([case_of(read)], read.axes, _view(view, of, objective))
    return table_of(table, read.mechanic.name)


@checked
def compare(
    what: Mechanic[..., Any] | str,
    /,
    *others: Mapping[str, object],
    option: str | None = None,
    objective: str | None = None,
    view: How | None = None,
    of: str | None = None,
    **given: object,
) -> Table:
    """Compare a rule under other arguments, or under the values of a rule option, with the differences.

    Each mapping of ``others`` changes some of the ``given`` arguments. ``option`` is a name, or a name with the values
    to compare: ``"contest_tie=reroll,no_winner"``.

    >>> import tablewright as tw
    >>> print(tw.compare("mars.check", {"advantage": 1}, roll_value="r16", difficulty=14, view="at_least"))
           case  ≥ graze  ≥ success  ≥ graze (difference)  ≥ success (difference)
    advantage=0   65.00%     10.00%          +0.00 points            +0.00 points
    advantage=1   86.44%     23.17%         +21.44 points           +13.17 points
    """
    read = _read(what, (), given)
    shown = _view(view, of, objective)
    for other in others:
        check_argument("other arguments", other, "Mapping[str, object]")
    if option is not None:
        if others:
            raise InvalidInputError("compare other arguments or an option, not both")
        name, _, values = option.partition("=")
        listed = [value.strip() for value in values.split(",") if value.strip()]
        return table_of(compare_option(read, name.strip(), listed, shown), f"{read.mechanic.name} by {name.strip()}")
    if not others:
        raise InvalidInputError("name what to compare with: other arguments as a mapping, or an option")
    cases = beside(read, [(read.mechanic, other) for other in others])
    return table_of(tabulate(cases, read.axes, shown), read.mechanic.name)


def _view(how: How | None, of: str | None, objective: str | None) -> View:
    """A view; an unknown one is refused with the nearest."""
    if how is not None and how not in get_args(How):
        known = get_args(How)
        raise InvalidInputError(
            f'view is "{how!s:.40}"; allowed are {", ".join(known)}{did_you_mean(str(how), known)}', field="view"
        )
    return View(how, of, (), objective)


def _read(what: object, args: tuple[object, ...], given: Mapping[str, object]) -> Ranges:
    """Arguments of a mechanic with their ranges; those by place are named first."""
    return read_ranges(*named_arguments(what, args, given))


def table_of(table: OddsTable, caption: str) -> Table:
    """A table of the lab as a result: a row for each point and case, and the differences from the first case."""
    several = len(table.cases) > 1
    headings = [Heading("case")] if several else []
    headings += [Heading(axis.name, "number" if axis.numeric else "text") for axis in table.axes]
    headings += [Heading(column.label, "chance" if column.is_chance else "number") for column in table.columns]
    if several:
        headings += [
            Heading(f"{column.label} (difference)", "points" if column.is_chance else "number")
            for column in table.columns
        ]
    labels = [dict(zip(axis.values, axis.labels, strict=True)) for axis in table.axes]
    rows: list[list[Any]] = []
    for at, point in enumerate(table.points):
        for case, one in enumerate(table.cases):
            row: list[Any] = [one.label] if several else []
            row += [
                value if axis.numeric else names[value]
                for axis, names, value in zip(table.axes, labels, point.values(), strict=True)
            ]
            for place, column in enumerate(table.columns):
                value = table.value(case, at, place)
                row.append(Chance(value) if value is not None and column.is_chance else value)
            if several:
                row += [table.difference(case, at, place) for place in range(len(table.columns))]
            rows.append(row)
    return Table(caption, headings, rows, axis=table.axes[0].name if table.axes else "")
