"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.rules.options import LedgerOptions, RuleOptions

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
TaskTime = Literal["d6", "sigma_units", "percent"]
BellRow = Literal["counted", "skipped"]
CombatRound = Literal["ounce", "six_seconds"]
AdvantageReroll = Literal["set", "die"]
ScoreScale = Literal["direct", "cepheus"]
Generation = Literal["array", "roll", "narrative", "points", "npc"]
DamageBonus = Literal["sigma", "effect"]
DamageModel = Literal["dice", "tiers"]

option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class MarchenOptions(RuleOptions):
    """The named variants of Märchen Engine (marchen.option.index)."""

    core: Core = option["core"]
    target_rule: TargetRule = option["target_rule"]
    d20_scale: D20Scale = option["d20_scale"]
    trivial: Trivial = option["trivial"]
    exceptional_rule: ExceptionalRule = option["exceptional_rule"]
    two_d6_extremes: TwoD6Extremes = option["two_d6_extremes"]
    degree_method: DegreeMethod = option["degree_method"]
    passive_base: PassiveBase = option["passive_base"]
    law_level_mode: LawLevelMode = option["law_level_mode"]
    opposed_tie: OpposedTie = option["opposed_tie"]
    dice_chain_mode: DiceChainMode = option["dice_chain_mode"]
    characteristic_check_adds_aspect: bool = option["characteristic_check_adds_aspect"]
    check_stack: Literal["all", "best"] = option["check_stack"]
    circumstance_stack: bool = option["circumstance_stack"]
    task_time: TaskTime = option["task_time"]
    bell_row: BellRow = option["bell_row"]
    month_days: Literal[28, 30, 31] = option["month_days"]
    combat_round: CombatRound = option["combat_round"]
    max_helpers: int | None = option["max_helpers"]
    level_gates: bool = option["level_gates"]
    mythic_levels: bool = option["mythic_levels"]
    advantage_reroll: AdvantageReroll = option["advantage_reroll"]
    training_seasons_per_level: Literal[1, 8] = option["training_seasons_per_level"]
    repair_check: Literal["intellect", "engineering"] = option["repair_check"]
    sparring_difficulty: Literal["very_difficult", "average", "literal_18"] = option["sparring_difficulty"]
    score_scale: ScoreScale = option["score_scale"]
    aspect_names: Literal["srd", "fame"] = option["aspect_names"]
    generation: Generation = option["generation"]
    damage_bonus: DamageBonus = option["damage_bonus"]
    damage_model: DamageModel = option["damage_model"]
    cudgel_dice: Literal[2, 3] = option["cudgel_dice"]
    company_pool: bool = option["company_pool"]
