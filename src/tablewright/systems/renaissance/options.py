"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import LedgerOptions, RuleOptions

AttackBonusBasis: TypeAlias = Literal["either", "mos", "grade"]
CriticalAttack: TypeAlias = Literal["roll_twice_best", "ignore_armor"]
NearAttackRule: TypeAlias = Literal["plus20", "plus_coo"]
ScatterMethod: TypeAlias = Literal["two_d10", "drop_die"]
ResistanceRule: TypeAlias = Literal["scale_dv", "check_20", "regrade", "reroll_damage"]
WoundBoundary: TypeAlias = Literal["literal", "at_least"]
WoundCheck: TypeAlias = Literal["per_event", "per_wound"]
StressBoundary: TypeAlias = Literal["over", "at_least"]
ExceptionalBoundary: TypeAlias = Literal["over", "at_least"]
DowngradeCritical: TypeAlias = Literal["to_exceptional", "to_normal"]
RegradeLimit: TypeAlias = Literal["one_each_cancel", "one_total"]
OrderedFirstFailure: TypeAlias = Literal["lose", "reroll"]
RetryPenalty: TypeAlias = Literal["cumulative", "flat"]
ReadyTrait: TypeAlias = Literal["luck_reroll", "best_of_two", "head_of_order"]

option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class FightOptions(RuleOptions):
    """Options about fights and their consequences; the first value of each is the default."""

    initiative_tie: Literal["higher_modifier_then_roll_off", "gm"] = option["initiative_tie"]
    sustain_costs_quick_action: bool = option["sustain_costs_quick_action"]
    shifts_per_day: int = option["shifts_per_day"]
    exceptional_halves_time: bool = option["exceptional_halves_time"]
    attack_bonus_basis: AttackBonusBasis = option["attack_bonus_basis"]
    critical_attack: CriticalAttack = option["critical_attack"]
    touch_attack_rule: NearAttackRule = option["touch_attack_rule"]
    indicate_attack_rule: NearAttackRule = option["indicate_attack_rule"]
    scatter_method: ScatterMethod = option["scatter_method"]
    strikes_and_maneuvers: bool = option["strikes_and_maneuvers"]
    maneuver_check: Literal["opposed", "ordered"] = option["maneuver_check"]
    grab_rule: Literal["maneuver", "mos_over_str"] = option["grab_rule"]
    multiple_target_scope: Literal["multiple_attacks_only", "general"] = option["multiple_target_scope"]
    resistance_rule: ResistanceRule = option["resistance_rule"]
    full_defense: bool = option["full_defense"]
    unarmed_penalty: bool = option["unarmed_penalty"]
    wound_boundary: WoundBoundary = option["wound_boundary"]
    wound_check: WoundCheck = option["wound_check"]
    stress_boundary: StressBoundary = option["stress_boundary"]
    conditions_system: bool = option["conditions_system"]


@dataclass(frozen=True, kw_only=True)
class RenaissanceOptions(FightOptions):
    """The settings of a table; the first value of each is the default."""

    retired = frozenset({"battle_map"})  # changed nothing: the ground of a scene says what is played on

    exceptional_boundary: ExceptionalBoundary = option["exceptional_boundary"]
    critical_counts_as_exceptional: bool = option["critical_counts_as_exceptional"]
    downgrade_critical: DowngradeCritical = option["downgrade_critical"]
    regrade_limit: RegradeLimit = option["regrade_limit"]
    ordered_first_failure: OrderedFirstFailure = option["ordered_first_failure"]
    luck_per_check: Literal[1] | None = option["luck_per_check"]
    retry_penalty: RetryPenalty = option["retry_penalty"]
    related_skill_25: Literal["higher", "lower"] = option["related_skill_25"]
    untrained: Literal["aptitude", "related_skill"] = option["untrained"]
    armor_penalty: bool = option["armor_penalty"]
    aptitude_method: Literal["transfer_and_tweak", "plus20_minus5"] = option["aptitude_method"]
    social_animal: Literal["luck_reroll", "off"] = option["social_animal"]
    ready_trait: ReadyTrait = option["ready_trait"]
    buy_off_traits: bool = option["buy_off_traits"]
