"""Rule options that the book leaves to the game master, with their defaults (stage.option.index)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.rules.options import LedgerOptions, RuleOptions

AssistCapHolder = Literal["any_participant", "helper", "assisted"]
BotchScope = Literal["versus_difficulty", "any_check"]
EmptySecondRoll = Literal["fixed_one", "one_plus_flat"]
FlatPenaltyRoll = Literal["first", "second", "player"]
Magic = Literal["on", "off"]
PowerTypos = Literal["corrected", "printed"]
ResourceScale = Literal["standard", "size_base", "double", "triple"]
SkillAttributeSource = Literal["chapter2", "chapter6"]

option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class StageOptions(RuleOptions):
    """The named variants of The Stage."""

    adjacency: Literal["explicit", "same_cube"] = option["adjacency"]
    ally_bonus: Literal["die", "skill_level_flat"] = option["ally_bonus"]
    analysis_pair: Literal["mind_level", "intellect"] = option["analysis_pair"]
    assist_cap_holder: AssistCapHolder = option["assist_cap_holder"]
    body_bonus_cap: Literal["body_level", "none"] = option["body_bonus_cap"]
    botch_fails: bool = option["botch_fails"]
    botch_scope: BotchScope = option["botch_scope"]
    core_treatment: Literal["house", "none"] = option["core_treatment"]
    cure_stacking: Literal["add", "best"] = option["cure_stacking"]
    detect_scope: Literal["own_type", "all_magic"] = option["detect_scope"]
    empty_second_roll: EmptySecondRoll = option["empty_second_roll"]
    flat_penalty_roll: FlatPenaltyRoll = option["flat_penalty_roll"]
    hd_from_check: Literal["result", "half"] = option["hd_from_check"]
    knockout_on_overflow: bool = option["knockout_on_overflow"]
    magic: Magic = option["magic"]
    max_increments: int = option["max_increments"]
    max_load_penalty: Literal["additive", "dice_only"] = option["max_load_penalty"]
    max_skill_level: Literal["6", "none"] = option["max_skill_level"]
    pair_difficulty: Literal["current", "maximum"] = option["pair_difficulty"]
    power_prerequisites: Literal["tier", "none"] = option["power_prerequisites"]
    power_typos: PowerTypos = option["power_typos"]
    reanimate_sets: Literal["all_core", "vitality_only"] = option["reanimate_sets"]
    recompose_scope: Literal["one_track", "all_tracks"] = option["recompose_scope"]
    replacement_deficit: int = option["replacement_deficit"]
    resistance_stacking: Literal["highest", "sum"] = option["resistance_stacking"]
    resource_scale: ResourceScale = option["resource_scale"]
    reveal_difficulty: Literal["hidden", "shown"] = option["reveal_difficulty"]
    size_on_counter: bool = option["size_on_counter"]
    skill_attribute_source: SkillAttributeSource = option["skill_attribute_source"]
    spend_last_core: Literal["allow", "forbid"] = option["spend_last_core"]
    starting_points: int = option["starting_points"]
    trap_ambush: bool = option["trap_ambush"]
    travel_table: Literal["linear", "printed"] = option["travel_table"]
    tumble_stacking: Literal["add", "highest"] = option["tumble_stacking"]
