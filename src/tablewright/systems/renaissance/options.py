"""The settings that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

ExceptionalBoundary: TypeAlias = Literal["over", "at_least"]
DowngradeCritical: TypeAlias = Literal["to_exceptional", "to_normal"]
RegradeLimit: TypeAlias = Literal["one_each_cancel", "one_total"]
OrderedFirstFailure: TypeAlias = Literal["lose", "reroll"]


@dataclass(frozen=True, kw_only=True)
class RenaissanceOptions(Options):
    """The settings of a table; the first value of each is the default."""

    exceptional_boundary: ExceptionalBoundary = option(
        "over",
        rule="renaissance.grade.exceptional_boundary",
        about="whether a margin of exactly 30 is exceptional",
        typical="renaissance.lucky_check target=60 luck=0 --objective exceptional",
    )
    critical_counts_as_exceptional: bool = option(
        True,
        rule="renaissance.grade.critical_counts_as_exceptional",
        about="whether a critical result serves where an exceptional one is asked for",
    )
    downgrade_critical: DowngradeCritical = option(
        "to_exceptional",
        rule="renaissance.regrade.downgrade_critical",
        about="where a downgraded critical success lands",
        typical="renaissance.check target=60 regrade=downgrade --objective grade",
    )
    regrade_limit: RegradeLimit = option(
        "one_each_cancel",
        rule="renaissance.regrade.limit_option",
        about="what an upgrade and a downgrade on the same check do",
        typical="renaissance.check target=60 regrade=upgrade_then_downgrade --objective grade",
    )
    ordered_first_failure: OrderedFirstFailure = option(
        "lose",
        rule="renaissance.opposed.ordered_first_failure",
        about="what a failed first roll of an ordered check means",
        typical="renaissance.ordered a=60 b=50",
    )
    luck_per_check: Literal[1] | None = option(
        None,
        rule="renaissance.luck.limit",
        about="how many Luck points one check may take",
        typical="renaissance.lucky_check target=40 luck=3 penalties=20",
    )
