"""Rule options that the book leaves to the game master, with their defaults (mars.frame.options_registry)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import RuleOptions, rule_option

OddRollValues: TypeAlias = Literal["literal", "even_plus_one", "reject"]
AdvantageDieChoice: TypeAlias = Literal["ask", "max_gain", "lowest_die"]
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
class MarsOptions(RuleOptions):
    """The settings of a table; the first value of each is the default."""

    odd_roll_values: OddRollValues = rule_option(
        "literal",
        rule="mars.dice.odd_values",
        description="what an odd roll value such as r15 rolls",
        typical="mars.check roll_value=r15 difficulty=12",
    )
    advantage_die_choice: AdvantageDieChoice = rule_option(
        "ask",
        rule="mars.advantage.die_choice",
        description="which die an advantage rerolls",
        typical="mars.check roll_value=r16 difficulty=14 advantage=1",
    )
    disadvantage_tie: DisadvantageTie = rule_option(
        "more_sides",
        rule="mars.advantage.disadvantage",
        description="which of several equally great dice is rerolled",
        typical="mars.check roll_value=r16 difficulty=10 disadvantage=1",
    )
    contest_tie: ContestTie = rule_option(
        "no_winner",
        rule="mars.opposed.contest",
        description="what a tie in a contest means",
        typical="mars.contest a=r16 b=r14",
    )
    passive_rolls: PassiveRolls = rule_option(
        "none",
        rule="mars.dice.passive_use",
        description="which rolls of the game master's characters are not rolled",
        typical={
            "none": "mars.opposed roll_value=r16 against=r14",
            "npc_defence": "mars.check roll_value=r16 difficulty=7",
            "all_npc": "mars.check roll_value=r16 difficulty=7",
        },
    )
    basic_skill_seconds: int = rule_option(
        2,
        rule="mars.check.duration",
        description="seconds that a basic skill takes",
        low=0,
        high=6,
        effect="So many of the six seconds of a turn go into a basic skill.",
    )
    complex_skill_seconds: int = rule_option(
        180,
        rule="mars.check.duration",
        description="seconds that a complex skill takes",
        low=2,
        high=86_400,
        effect="A complex skill takes so many seconds; what does not fit into a turn is an extended action.",
    )
    initiative_mode: InitiativeMode = rule_option(
        "team_alternating",
        rule="mars.initiative.individual",
        description="whether teams alternate",
        effect="Turns alternate between the teams, or go by each character's own initiative.",
    )
    initiative_tie: InitiativeTie = rule_option(
        "players_first",
        rule="mars.initiative.ties",
        description="which of two teams that tie goes first",
        effect="Of two teams that tie the players go first, the best of both roll again, or the higher maximum does.",
    )
    surprised_reactions: bool = rule_option(
        False,
        rule="mars.surprise.who_acts",
        description="whether the surprised may react in the surprise round",
        effect="With yes, the surprised may evade, parry, block and react; with no, they only deflect.",
    )
    reaction_refresh: ReactionRefresh = rule_option(
        "own_turn",
        rule="mars.action.reaction",
        description="when the one reaction of a round is renewed",
        effect="A used reaction is back at the start of the own turn, or of the round.",
    )
    own_turn_defence: bool = rule_option(
        True,
        rule="mars.action.reaction",
        description="whether defences are allowed on the own turn",
        effect="With yes, evading, parrying and blocking work on the own turn too; with no, only on those of others.",
    )
    extended_action_mode: ExtendedActionMode = rule_option(
        "accumulate_seconds",
        rule="mars.action.extended",
        description="how the time of an extended action is counted",
        effect="An extended action begins with the seconds left of a turn, or takes whole turns and begins with one.",
    )
    encounter_mode: EncounterMode = rule_option(
        "tactical",
        rule="mars.encounter.complex_challenge",
        description="turns of six seconds, or one check for each turn",
        effect="A fight is played in turns of six seconds, or with one check a turn.",
    )
    simple_enemies_one_hit: bool = rule_option(
        False,
        rule="mars.encounter.simple_enemies",
        description="whether simple enemies fall to one hit",
        effect="With yes, the first hit brings a simple enemy down, whatever its damage.",
    )
    defence_declaration: DefenceDeclaration = rule_option(
        "before_rolls",
        rule="mars.attack.procedure",
        description="when a defender chooses to evade or parry",
        typical="mars.attack attack=r16 deflection=r10 damage_roll=r12 evasion=r14 stamina=3",
    )
    helpless_defence: HelplessDefence = rule_option(
        "roll",
        rule="mars.effect.unconscious",
        description="the deflection of an unconscious character",
        typical={
            "roll": "mars.opposed roll_value=r16 against=r10",
            "passive": "mars.check roll_value=r16 difficulty=5",
            "none": "mars.check roll_value=r16 difficulty=0",
        },
    )
    half_double_mix: HalfDoubleMix = rule_option(
        "ladder",
        rule="mars.damage.half_double_stacking",
        description="how halvings and doublings of damage go together",
        typical="mars.damage roll_value=r18 degree=graze doublings=2",
    )
    block_min_damage: BlockMinDamage = rule_option(
        1,
        rule="mars.defence.block_damage",
        description="the least damage that a blocked hit does to the shield",
        typical="mars.damage roll_value=r10 block=8 durability=10 --objective worth",
    )
    crit_ignores_block: bool = rule_option(
        False,
        rule="mars.defence.block_damage",
        description="whether a critical hit ignores the block value",
        typical="mars.damage roll_value=r16 degree=critical critical_bonus=4 block=6 durability=10",
    )
    typeless_ignores_block: bool = rule_option(
        True,
        rule="mars.damage.typeless",
        description="whether typeless damage ignores the block value",
        typical="mars.damage roll_value=r16 category=typeless block=6 durability=4",
    )
    delay_persists: bool = rule_option(
        False,
        rule="mars.action.delay",
        description="whether a delayed turn stays where it was",
        effect="With yes, a delayed turn keeps its new place in later rounds; with no, the old order returns.",
    )
    ready_expiry: ReadyExpiry = rule_option(
        "next_own_turn",
        rule="mars.action.ready",
        description="how long a readied action waits",
        effect="A readied action lapses at the start of the next own turn, or waits until the fight ends.",
    )
    speed_halving: SpeedHalving = rule_option(
        "sequential",
        rule="mars.move.speed_modifiers",
        description="how several halvings of speed go together",
        effect="Two halvings leave a quarter of the speed, or a third.",
    )
    wake_rule: WakeRule = rule_option(
        "recovery",
        rule="mars.effect.unconscious",
        description="what wakes a character who fell unconscious by wounds",
        effect="With recovery, no noise wakes those without health and endurance; with noise, it does.",
    )
    health_loss_thresholds: HealthLossThresholds = rule_option(
        "apply",
        rule="mars.damage.thresholds",
        description="whether health lost without damage can bring down",
        effect="With apply, health lost in any way can leave unconscious or dying; with damage only, just damage does.",
    )
    maneuver_limit: ManeuverLimit = rule_option(
        "each_once_per_round",
        rule="mars.maneuver.use_limit",
        description="how many maneuvers a round allows",
        effect="Each maneuver can be used once a round, or one maneuver of all of them.",
    )
    capacity_rounding: CapacityRounding = rule_option(
        "floor",
        rule="mars.carry.size_multiplier",
        description="whether carrying capacity is in whole kilograms",
        effect="The capacities that a load is held against are cut to whole kilograms, or kept to the fraction.",
    )
    weight_tracking: bool = rule_option(
        False,
        rule="mars.carry.optional",
        description="whether too heavy a load encumbers",
        typical={
            False: "mars.check roll_value=r16 difficulty=10",
            True: "mars.check roll_value=r16 difficulty=10 disadvantage=1",
        },
    )
    fatigue: OnOff = rule_option(
        "off",
        rule="mars.rest.sleepless_fatigue",
        description="whether missed sleep, food and water tire",
        typical={
            "off": "mars.check roll_value=r16 difficulty=10",
            "on": "mars.check roll_value=r16-1 difficulty=10",
        },
    )
    skill_limit_bonuses: SkillLimitBonuses = rule_option(
        "positive_sources",
        rule="mars.advancement.skill_limit_bonus",
        description="which bonuses raise the limit of a skill",
        effect="The limit of a skill rises by each bonus, or by what bonuses and penalties come to.",
    )
    skill_hard_cap: SkillHardCap = rule_option(
        20,
        rule="mars.advancement.skill_limit_bonus",
        description="the roll value that no skill exceeds",
        effect="No skill can be advanced beyond this roll value.",
    )
    advancement_story_gate: bool = rule_option(
        False,
        rule="mars.advancement.story_gate",
        description="whether the game master must agree to each advancement",
        effect="With yes, each advancement waits for the game master; with no, points are enough.",
    )
