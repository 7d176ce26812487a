"""Coverage that plays of Märchen Engine must reach."""

from __future__ import annotations

from conformance.extents import Extent
from systems.marchen.calls import CALLS, CHECKS
from systems.marchen.casts import CONDITIONS, armed, settled, troubled
from tablewright.systems.marchen.status import Status


def _conditions(status: Status) -> list[str]:
    return [one.name for one in status.conditions]


EXTENT = Extent(
    more_conditions=tuple([one.name for one in CONDITIONS]),
    conditions=_conditions,
    never_negative=("physical", "mental", "social", "spiritual", "aim", "reactions", "soaked"),
    checks=CHECKS,
    arguments=CALLS,
    casts={"armed": armed, "troubled": troubled, "settled": settled},
)
