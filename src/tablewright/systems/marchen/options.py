"""What the rule book leaves to the Referee, as far as checks are concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.options import Options, option

Core = Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"]
TargetRule = Literal["printed", "centre", "match_odds"]
D20Scale = Literal["dm", "dc"]
Trivial = Literal["auto", "roll"]
ExceptionalRule = Literal["sigma4", "flat6"]
TwoD6Extremes = Literal["sigma4", "clamp"]
DegreeMethod = Literal["table", "sigma"]
PassiveBase = Literal["mean", "ten"]
LawLevelMode = Literal["add", "base"]
OpposedTie = Literal["characteristic", "fail_in_style"]
DiceChainMode = Literal["per_die", "core_swap"]


@dataclass(frozen=True, kw_only=True)
class MarchenOptions(Options):
    """The named variants of Märchen Engine."""

    core: Core = option(
        "2d6",
        rule="marchen.core.selection",
        about="the dice that every check is rolled with",
        typical="marchen.check core=2d6 difficulty=difficult modifier=3",
    )
    target_rule: TargetRule = option(
        "printed",
        rule="marchen.core.target_other",
        about="the target of each core",
        typical="marchen.check core=3d6 difficulty=average",
    )
    d20_scale: D20Scale = option(
        "dm",
        rule="marchen.difficulty.d20_scale",
        about="whether D20 difficulties modify the roll or are the target",
        typical="marchen.check core=D20 difficulty=difficult modifier=3",
    )
    trivial: Trivial = option(
        "auto",
        rule="marchen.difficulty.trivial",
        about="whether trivial tasks succeed without a roll",
        typical="marchen.check core=2d6 difficulty=trivial modifier=-3",
    )
    exceptional_rule: ExceptionalRule = option(
        "sigma4",
        rule="marchen.effect.exceptional",
        about="which effects are exceptional on cores other than 2d6",
        typical="marchen.check core=D20 difficulty=average modifier=4 --objective exceptional",
    )
    two_d6_extremes: TwoD6Extremes = option(
        "sigma4",
        rule="marchen.degree.two_d6_extremes",
        about="whether 2d6 has the two extreme degrees",
        typical="marchen.check core=2d6 difficulty=average modifier=4 --objective sigma",
    )
    degree_method: DegreeMethod = option(
        "table",
        rule="marchen.degree.sigma_method",
        about="degrees from the table or from the normalised total",
        typical="marchen.check core=2d6 difficulty=average modifier=2 --objective sigma",
    )
    passive_base: PassiveBase = option(
        "mean",
        rule="marchen.check.passive_base",
        about="what a check without a roll starts from",
        typical="marchen.passive core=2d6 difficulty=average",
    )
    law_level_mode: LawLevelMode = option(
        "add", rule="marchen.modifier.law_level_mode", about="how the law level combines with the task's difficulty"
    )
    opposed_tie: OpposedTie = option(
        "characteristic",
        rule="marchen.opposed.tie",
        about="who wins an opposed check with equal effects",
        typical="marchen.opposed a_modifier=3 b_modifier=2 a_characteristic=8 b_characteristic=6",
    )
    dice_chain_mode: DiceChainMode = option(
        "per_die",
        rule="marchen.dice_chain.pools",
        about="what moves along the dice chain: every die, or the core",
        typical="marchen.check core=2d6 difficulty=average steps=1",
    )
