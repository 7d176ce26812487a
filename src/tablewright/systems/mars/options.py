"""The settings that this rule book leaves to the game master (mars.frame.options_registry)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

OddRollValues: TypeAlias = Literal["literal", "even_plus_one", "reject"]
AdvantageDieChoice: TypeAlias = Literal["max_gain", "lowest_die", "ask"]
DisadvantageTie: TypeAlias = Literal["more_sides", "fewer_sides", "ask"]
ContestTie: TypeAlias = Literal["no_winner", "reroll"]
PassiveRolls: TypeAlias = Literal["none", "npc_defence", "all_npc"]
InitiativeMode: TypeAlias = Literal["team_alternating", "individual"]
InitiativeTie: TypeAlias = Literal["players_first", "reroll", "higher_max"]
ReactionRefresh: TypeAlias = Literal["own_turn", "round_start"]
ExtendedActionMode: TypeAlias = Literal["accumulate_seconds", "whole_turns"]
EncounterMode: TypeAlias = Literal["tactical", "complex_challenge"]
DefenceDeclaration: TypeAlias = Literal["before_rolls", "after_attack_roll"]
HelplessDefence: TypeAlias = Literal["roll", "passive", "none"]
HalfDoubleMix: TypeAlias = Literal["ladder", "multiply"]
BlockMinDamage: TypeAlias = Literal[1, 0]
ReadyExpiry: TypeAlias = Literal["next_own_turn", "encounter_end"]
SpeedHalving: TypeAlias = Literal["sequential", "ladder"]
WakeRule: TypeAlias = Literal["recovery", "noise"]
HealthLossThresholds: TypeAlias = Literal["apply", "damage_only"]
ManeuverLimit: TypeAlias = Literal["each_once_per_round", "one_per_round"]
CapacityRounding: TypeAlias = Literal["floor", "exact"]
OnOff: TypeAlias = Literal["off", "on"]
SkillLimitBonuses: TypeAlias = Literal["positive_sources", "net_modifier"]
SkillHardCap: TypeAlias = Literal[20, 30]


@dataclass(frozen=True, kw_only=True)
class MarsOptions(Options):
    """The settings of a table; the first value of each is the default."""

    odd_roll_values: OddRollValues = option(
        "literal",
        rule="mars.dice.odd_values",
        about="what an odd roll value such as r15 rolls",
        typical="mars.check roll_value=r15 difficulty=12",
    )
    advantage_die_choice: AdvantageDieChoice = option(
        "max_gain",
        rule="mars.advantage.die_choice",
        about="which die an advantage rerolls",
        typical="mars.check roll_value=r16 difficulty=14 advantage=1",
    )
    disadvantage_tie: DisadvantageTie = option(
        "more_sides",
        rule="mars.advantage.disadvantage",
        about="which of several equally great dice is rerolled",
        typical="mars.check roll_value=r16 difficulty=10 disadvantage=1",
    )
    contest_tie: ContestTie = option(
        "no_winner",
        rule="mars.opposed.contest",
        about="what a tie in a contest means",
        typical="mars.contest a=r16 b=r14",
    )
    passive_rolls: PassiveRolls = option(
        "none",
        rule="mars.dice.passive_use",
        about="which rolls of the game master's characters are not rolled",
        typical={
            "none": "mars.opposed roll_value=r16 against=r14",
            "npc_defence": "mars.check roll_value=r16 difficulty=7",
            "all_npc": "mars.check roll_value=r16 difficulty=7",
        },
    )
    basic_skill_seconds: int = option(
        2, rule="mars.check.duration", about="seconds that a basic skill takes", low=0, high=6
    )
    complex_skill_seconds: int = option(
        180, rule="mars.check.duration", about="seconds that a complex skill takes", low=2, high=86_400
    )
    initiative_mode: InitiativeMode = option(
        "team_alternating", rule="mars.initiative.individual", about="whether teams alternate"
    )
    initiative_tie: InitiativeTie = option(
        "players_first", rule="mars.initiative.ties", about="which of two teams that tie goes first"
    )
    surprised_reactions: bool = option(
        False, rule="mars.surprise.who_acts", about="whether the surprised may react in the surprise round"
    )
    reaction_refresh: ReactionRefresh = option(
        "own_turn", rule="mars.action.reaction", about="when the one reaction of a round is renewed"
    )
    own_turn_defence: bool = option(
        True, rule="mars.action.reaction", about="whether one may defend on one's own turn against a reaction"
    )
    extended_action_mode: ExtendedActionMode = option(
        "accumulate_seconds", rule="mars.action.extended", about="how the time of an extended action is counted"
    )
    encounter_mode: EncounterMode = option(
        "tactical", rule="mars.encounter.complex_challenge", about="turns of six seconds, or one check for each turn"
    )
    simple_enemies_one_hit: bool = option(
        False, rule="mars.encounter.simple_enemies", about="whether simple enemies fall to one hit"
    )
    defence_declaration: DefenceDeclaration = option(
        "before_rolls",
        rule="mars.attack.procedure",
        about="when a defender chooses to evade or parry",
        typical="mars.attack attack=r16 deflection=r10 damage_roll=r12 evasion=r14 stamina=3",
    )
    helpless_defence: HelplessDefence = option(
        "roll",
        rule="mars.effect.unconscious",
        about="the deflection of somebody unconscious",
        typical={
            "roll": "mars.opposed roll_value=r16 against=r10",
            "passive": "mars.check roll_value=r16 difficulty=5",
            "none": "mars.check roll_value=r16 difficulty=0",
        },
    )
    half_double_mix: HalfDoubleMix = option(
        "ladder",
        rule="mars.damage.half_double_stacking",
        about="how halvings and doublings of damage go together",
        typical="mars.damage roll_value=r18 degree=graze doublings=2",
    )
    block_min_damage: BlockMinDamage = option(
        1,
        rule="mars.defence.block_damage",
        about="the least damage that a blocked hit does to the shield",
        typical="mars.damage roll_value=r10 block=8 durability=10 --objective worth",
    )
    crit_ignores_block: bool = option(
        False,
        rule="mars.defence.block_damage",
        about="whether a critical hit ignores the block value",
        typical="mars.damage roll_value=r16 degree=critical critical_bonus=4 block=6 durability=10",
    )
    typeless_ignores_block: bool = option(
        True,
        rule="mars.damage.typeless",
        about="whether typeless damage ignores the block value",
        typical="mars.damage roll_value=r16 category=typeless block=6 durability=4",
    )
    delay_persists: bool = option(False, rule="mars.action.delay", about="whether a delayed turn stays where it was")
    ready_expiry: ReadyExpiry = option(
        "next_own_turn", rule="mars.action.ready", about="how long a readied action waits"
    )
    speed_halving: SpeedHalving = option(
        "sequential", rule="mars.move.speed_modifiers", about="how several halvings of speed go together"
    )
    wake_rule: WakeRule = option(
        "recovery", rule="mars.effect.unconscious", about="what wakes somebody who fell unconscious by wounds"
    )
    health_loss_thresholds: HealthLossThresholds = option(
        "apply", rule="mars.damage.thresholds", about="whether health lost without damage can bring down"
    )
    maneuver_limit: ManeuverLimit = option(
        "each_once_per_round", rule="mars.maneuver.use_limit", about="how many maneuvers a round allows"
    )
    capacity_rounding: CapacityRounding = option(
        "floor", rule="mars.carry.size_multiplier", about="whether carrying capacity is in whole kilograms"
    )
    weight_tracking: bool = option(False, rule="mars.carry.optional", about="whether what is carried can encumber")
    fatigue: OnOff = option(
        "off", rule="mars.rest.sleepless_fatigue", about="whether missed sleep, food and water tire"
    )
    skill_limit_bonuses: SkillLimitBonuses = option(
        "positive_sources", rule="mars.advancement.skill_limit_bonus", about="which bonuses raise the limit of a skill"
    )
    skill_hard_cap: SkillHardCap = option(
        20, rule="mars.advancement.skill_limit_bonus", about="the roll value that no skill exceeds"
    )
    advancement_story_gate: bool = option(
        False, rule="mars.advancement.story_gate", about="whether the game master must agree to each advancement"
    )
