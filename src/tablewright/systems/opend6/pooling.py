"""A roll before its dice: what is somebody's own, what is taken from it, and what comes from outside."""

from __future__ import annotations

from typing import NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.systems.opend6.character import code
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.pools import NotPossible, assembled, fate_factor
from tablewright.systems.opend6.values import DieCode

ASSEMBLY, FATE = "opend6.check.roll_assembly", "opend6.fate.double"
BONUS, EXTERNAL = "opend6.dice.bonus_number", "opend6.fate.external_not_doubled"


class Pool(NamedTuple):
    """A roll before its dice: the own code in pips, dice lost, dice from outside, numbers on the total.

    ``abilities`` are the numbers that belong to the character, ``bonus`` all others.
    """

    own: Tally
    lost: Tally
    outside: Tally
    bonus: Tally
    abilities: Tally

    def rolled(self, options: OpenD6Options, fate_points: int = 0) -> DieCode | NotPossible:
        """The code that is rolled with so many Fate Points on it, or why it cannot be."""
        return assembled(
            code(self.own),
            factor=fate_factor(fate_points, options.stacking),
            penalty=self.lost.total,
            bonus=DieCode(self.outside.total),
            zero_rule=options.zero_rule,
        )

    def added(self, options: OpenD6Options, fate_points: int = 0) -> Tally:
        """The numbers on the total: Fate doubles what belongs to the character. [opend6.fate.external_not_doubled]"""
        more = self.abilities.total * (fate_factor(fate_points, options.stacking) - 1)
        tally = Tally.of("bonus", 0, BONUS).add_parts(self.abilities.parts).add("Fate on abilities", more, EXTERNAL)
        return tally.add_parts(self.bonus.parts)

    def tallies(self, fate_points: int, options: OpenD6Options) -> dict[str, Tally]:
        """Where the numbers come from: the own code in pips, the dice, and what is added to the total."""
        own, factor = code(self.own), fate_factor(fate_points, options.stacking)
        dice = Tally.of(f"own dice of {own}", own.dice, ASSEMBLY).add("Fate", own.dice * (factor - 1), FATE)
        dice = dice.add_parts([Part(one.label, -one.changed, one.rule, one.kind) for one in self.lost.parts])
        bonus = Tally.of("own pips", own.pips * factor, ASSEMBLY).add_parts(self.added(options, fate_points).parts)
        return {"code_pips": self.own, "dice": dice.add_parts(self.outside.parts), "added": bonus}
