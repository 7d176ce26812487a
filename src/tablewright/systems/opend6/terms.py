"""How a table rolls in fights: the settings that every rule of an attack shares."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, TypeAlias

from tablewright.engine import Param
from tablewright.systems.opend6.fight_options import NegativeResistance
from tablewright.systems.opend6.mechanics import Fewer, How, Normalise, OnOne, Reaches, Scope
from tablewright.systems.opend6.options import ChallengeLevel, ZeroRule
from tablewright.systems.opend6.pools import fate_factor

Injury: TypeAlias = Literal["wounds", "body_points"]
Stacking: TypeAlias = Literal["off", "additive", "geometric"]
MOST_FATE = 3
"""How many Fate Points are asked for on one roll of a fight at most, where several may go on it."""


class Terms(NamedTuple):
    """How a table rolls in fights."""

    critical_failure: OnOne = "cancel"
    cancel_scope: Scope = "wild_and_highest"
    cancel_reaches_cp_dice: Reaches = False
    normalise_rolled_pips: Normalise = False
    simplification: Fewer = "none"
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic"
    allow_mixing: Annotated[bool, Param("whether both kinds of points may go on one roll")] = False
    zero_rule: Annotated[ZeroRule, Param("when a code that penalties have eaten up cannot be used")] = (
        "own_code_below_1d"
    )
    injury: Annotated[Injury, Param("whether Wound levels or Body Points are lost")] = "wounds"
    negative_resistance: Annotated[NegativeResistance, Param("what a resistance below zero does")] = "zero"
    killing_blow: Annotated[bool, Param("whether a blow that alone wounds mortally is death at once")] = False
    fate_stacking: Annotated[Stacking, Param("what several Fate Points on one roll do; off for one at most")] = "off"

    def factor(self, fate: int, doubled: bool = False) -> int:
        """By how much Fate Points multiply what is somebody's own. [opend6.fate.double, opend6.fate.extra_on_one_roll]

        >>> Terms().factor(1), Terms(fate_stacking="geometric").factor(2), Terms().factor(0, doubled=True)
        (2, 4, 2)
        >>> Terms(fate_stacking="additive").factor(1, doubled=True)  # beside the one that doubles the whole round
        3
        """
        points = max(fate, int(doubled)) if self.fate_stacking == "off" else fate + doubled
        return fate_factor(points, "geometric" if self.fate_stacking == "geometric" else "additive")

    def most_fate(self, owned: int) -> int:
        """How many Fate Points may go on one roll. [opend6.fate.per_roll_limit]"""
        return min(owned, 1 if self.fate_stacking == "off" else MOST_FATE)

    def may_add_fate(self, doubled: bool) -> bool:
        """Whether a Fate Point may go on a roll, perhaps beside one that doubles all of the round.

        [opend6.fate.climactic]
        """
        return not doubled or self.fate_stacking != "off"

    def may_add_points(self, fate: int, doubled: bool = False) -> bool:
        """Whether Character Points may go on a roll: not beside a Fate Point, be it one that doubles the whole round.

        [opend6.points.no_mixing, opend6.fate.climactic]
        """
        return self.allow_mixing or not (fate or doubled)

    def how(self, ought_to_succeed: bool = True) -> How:
        """The settings of one roll. A Critical Failure left to the game master cancels, save in attack rolls."""
        return How(
            "cancel" if self.critical_failure == "ask" else self.critical_failure,
            self.cancel_scope,
            self.cancel_reaches_cp_dice,
            self.normalise_rolled_pips,
            self.simplification,
            ought_to_succeed,
        )


TERMS = Terms()
