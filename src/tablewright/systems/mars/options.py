"""The settings that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

OddRollValues: TypeAlias = Literal["literal", "even_plus_one", "reject"]
AdvantageDieChoice: TypeAlias = Literal["max_gain", "lowest_die", "ask"]
DisadvantageTie: TypeAlias = Literal["more_sides", "fewer_sides", "ask"]
ContestTie: TypeAlias = Literal["no_winner", "reroll"]


@dataclass(frozen=True, kw_only=True)
class MarsOptions(Options):
    """The settings of a table; the first value of each is the default."""

    odd_roll_values: OddRollValues = option(
        "literal", rule="mars.dice.odd_values", about="what an odd roll value such as r15 rolls"
    )
    advantage_die_choice: AdvantageDieChoice = option(
        "max_gain", rule="mars.advantage.die_choice", about="which die an advantage rerolls"
    )
    disadvantage_tie: DisadvantageTie = option(
        "more_sides", rule="mars.advantage.disadvantage", about="which of several equally great dice is rerolled"
    )
    contest_tie: ContestTie = option("no_winner", rule="mars.opposed.contest", about="what a tie in a contest means")
