"""Rule options that the book leaves to the game master, with their defaults (mars.frame.options_registry)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import LedgerOptions, RuleOptions

OddRollValues: TypeAlias = Literal["literal", "even_plus_one", "reject"]
AdvantageDieChoice: TypeAlias = Literal["ask", "max_gain", "lowest_die"]
DisadvantageTie: TypeAlias = Literal["more_sides", "fewer_sides", "ask"]
ContestTie: TypeAlias = Literal["no_winner", "reroll"]
DefenceDeclaration: TypeAlias = Literal["before_rolls", "after_attack_roll"]
HalfDoubleMix: TypeAlias = Literal["ladder", "multiply"]
BlockMinDamage: TypeAlias = Literal[1, 0]

option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class MarsOptions(RuleOptions):
    """The settings of a table; the first value of each is the default."""

    odd_roll_values: OddRollValues = option["odd_roll_values"]
    advantage_die_choice: AdvantageDieChoice = option["advantage_die_choice"]
    disadvantage_tie: DisadvantageTie = option["disadvantage_tie"]
    contest_tie: ContestTie = option["contest_tie"]
    passive_rolls: Literal["none", "npc_defence", "all_npc"] = option["passive_rolls"]
    basic_skill_seconds: int = option["basic_skill_seconds"]
    complex_skill_seconds: int = option["complex_skill_seconds"]
    initiative_mode: Literal["team_alternating", "individual"] = option["initiative_mode"]
    initiative_tie: Literal["players_first", "reroll", "higher_max"] = option["initiative_tie"]
    surprised_reactions: bool = option["surprised_reactions"]
    reaction_refresh: Literal["own_turn", "round_start"] = option["reaction_refresh"]
    own_turn_defence: bool = option["own_turn_defence"]
    extended_action_mode: Literal["accumulate_seconds", "whole_turns"] = option["extended_action_mode"]
    encounter_mode: Literal["tactical", "complex_challenge"] = option["encounter_mode"]
    simple_enemies_one_hit: bool = option["simple_enemies_one_hit"]
    defence_declaration: DefenceDeclaration = option["defence_declaration"]
    helpless_defence: Literal["roll", "passive", "none"] = option["helpless_defence"]
    half_double_mix: HalfDoubleMix = option["half_double_mix"]
    block_min_damage: BlockMinDamage = option["block_min_damage"]
    crit_ignores_block: bool = option["crit_ignores_block"]
    typeless_ignores_block: bool = option["typeless_ignores_block"]
    delay_persists: bool = option["delay_persists"]
    ready_expiry: Literal["next_own_turn", "encounter_end"] = option["ready_expiry"]
    speed_halving: Literal["sequential", "ladder"] = option["speed_halving"]
    wake_rule: Literal["recovery", "noise"] = option["wake_rule"]
    health_loss_thresholds: Literal["apply", "damage_only"] = option["health_loss_thresholds"]
    maneuver_limit: Literal["each_once_per_round", "one_per_round"] = option["maneuver_limit"]
    capacity_rounding: Literal["floor", "exact"] = option["capacity_rounding"]
    weight_tracking: bool = option["weight_tracking"]
    fatigue: Literal["off", "on"] = option["fatigue"]
    skill_limit_bonuses: Literal["positive_sources", "net_modifier"] = option["skill_limit_bonuses"]
    skill_hard_cap: Literal[20, 30] = option["skill_hard_cap"]
    advancement_story_gate: bool = option["advancement_story_gate"]
