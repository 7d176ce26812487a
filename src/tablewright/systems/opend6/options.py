"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import LedgerOptions, RuleOptions

InitiativeMethod: TypeAlias = Literal["first_action", "roll_once_per_scene", "roll_each_round", "no_roll"]
Layering: TypeAlias = Literal["one_suit", "layers"]
NegativeResistance: TypeAlias = Literal["zero", "add_to_damage", "add_to_all_difficulties"]
CriticalFailureRule: TypeAlias = Literal["cancel", "complication", "ask"]
CancelScope: TypeAlias = Literal["wild_and_highest", "highest_only"]
Simplification: TypeAlias = Literal["none", "five_dice", "wild_die_only", "quick"]
ChallengeLevel: TypeAlias = Literal["easy", "cinematic", "universe_shaking"]
ZeroRule: TypeAlias = Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"]
FateStacking: TypeAlias = Literal["additive", "geometric"]
PointsAsked: TypeAlias = Literal["on_request", "always"]

option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class FightOptions(RuleOptions):
    """Rule options of fights."""

    initiative_method: InitiativeMethod = option["initiative.method"]
    final_tie: Literal["players_then_random", "random"] = option["initiative.final_tie"]
    initiative_bonus: Literal["off", "cumulative", "best_only"] = option["initiative.bonus"]
    always_action: bool = option["move.always_action"]
    damage_bonus: Literal["all", "important_characters", "off"] = option["result.damage_bonus"]
    passive_bonus: bool = option["defence.passive_bonus"]
    free_partial: Literal["never", "ask"] = option["defence.free_partial"]
    rolled_modifiers: bool = option["attack.rolled_modifiers"]
    unwieldy: bool = option["attack.unwieldy"]
    hit_locations: bool = option["attack.hit_locations"]
    surprise_rule: Literal["act_first", "bonus_die"] = option["attack.surprise"]
    thrown_range: Literal["fixed", "rolled"] = option["range.physique"]
    stunned_effect: Literal["penalty", "defend_only"] = option["injury.stunned"]
    killing_blow: bool = option["injury.killing_blow"]
    massive_damage: bool = option["injury.massive_damage"]
    negative_resistance: NegativeResistance = option["resistance.negative"]
    max_resistance: bool = option["resistance.max"]
    armour_layering: Layering = option["armour.layering"]
    movement_maximum: bool = option["move.maximum"]


@dataclass(frozen=True, kw_only=True)
class OpenD6Options(FightOptions):
    """The settings of a table."""

    normalise_rolled_pips: bool = option["dice.normalise_rolled_pips"]
    critical_failure: CriticalFailureRule = option["wild.critical_failure"]
    cancel_scope: CancelScope = option["wild.cancel_scope"]
    cancel_reaches_cp_dice: bool = option["wild.cancel_reaches_cp_dice"]
    simplification: Simplification = option["dice.simplification"]
    quick_for: Literal["everyone", "game_master", "players"] = option["dice.quick_for"]
    challenge_level: ChallengeLevel = option["cp.challenge_level"]
    wild_die_only: Literal["off", "gm_choice"] = option["difficulty.wild_die_only"]
    zero_rule: ZeroRule = option["dice.zero_rule"]
    allow_mixing: bool = option["points.allow_mixing"]
    points_asked: PointsAsked = option["points.asked"]
    award_per_event: Literal["gm_only", "one_point"] = option["fate.award_per_event"]
    allow_stacking: bool = option["fate.allow_stacking"]
    stacking: FateStacking = option["fate.stacking"]
    unlimited_in_climax: bool = option["fate.unlimited_in_climax"]
    experience_restriction: bool = option["fate.experience_restriction"]
    several_skills: int = option["fate.several_skills"]
    untrained_modifier: int = option["untrained.modifier"]
    trained_only: bool = option["task.trained_only"]
    alternate_attributes: bool = option["skill.alternate_attributes"]
    single_roll: bool = option["group.single_roll"]
    number_for_level: Literal["high", "middle", "low"] = option["difficulty.number_for_level"]
    floor: int = option["difficulty.floor"]
    roleplaying: int = option["modifier.roleplaying"]
    opposed_fallback: Literal["derived", "free_reaction"] = option["opposed.fallback"]
    half_bonus: bool = option["result.half_bonus"]
    retry: Literal["next_turn", "consequences"] = option["task.retry"]
    small_shortfall_max: int = option["retry.small_shortfall_max"]
    difficulty_step: int = option["retry.difficulty_step"]
    creation_method: Literal["defined_limits", "creation_points"] = option["creation.method"]
    skill_upper_limit: bool = option["advancement.skill_upper_limit"]
    injury_system: Literal["wounds", "body_points", "body_points_with_levels"] = option["injury.system"]
