"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import RuleOptions, rule_option

AttackBonusBasis: TypeAlias = Literal["either", "mos", "grade"]
CriticalAttack: TypeAlias = Literal["roll_twice_best", "ignore_armor"]
NearAttackRule: TypeAlias = Literal["plus20", "plus_coo"]
ScatterMethod: TypeAlias = Literal["two_d10", "drop_die"]
ManeuverCheck: TypeAlias = Literal["opposed", "ordered"]
GrabRule: TypeAlias = Literal["maneuver", "mos_over_str"]
TargetScope: TypeAlias = Literal["multiple_attacks_only", "general"]
ResistanceRule: TypeAlias = Literal["scale_dv", "check_20", "regrade", "reroll_damage"]
WoundBoundary: TypeAlias = Literal["literal", "at_least"]
WoundCheck: TypeAlias = Literal["per_event", "per_wound"]
StressBoundary: TypeAlias = Literal["over", "at_least"]
InitiativeTie: TypeAlias = Literal["higher_modifier_then_roll_off", "gm"]
BattleMap: TypeAlias = Literal["square_1m", "hex", "free"]

_NEAR: dict[str | int | bool | None, str] = {
    "plus20": "renaissance.clash target=80 defences=fray:30",
    "plus_coo": "renaissance.clash target=70 defences=fray:20",
}
"""A touch by a character with 20 in each aptitude and 50 in Unarmed Combat, against Fray 50."""

_ATTACK = "renaissance.attack target=60 dv=2d10+6 defences=fray:50 armor=6 ap=2 wound_threshold=6 balance=60"


@dataclass(frozen=True, kw_only=True)
class FightOptions(RuleOptions):
    """Options about fights and their consequences; the first value of each is the default."""

    initiative_tie: InitiativeTie = rule_option(
        "higher_modifier_then_roll_off",
        rule="renaissance.turn.initiative_tie",
        description="how equal initiative is ordered: by the modifier and a further roll, or by the game master",
        effect="Of two who tie the higher modifier goes first, then a roll-off; or the game master says who.",
    )
    sustain_costs_quick_action: bool = rule_option(
        True,
        rule="renaissance.combat.sustain_costs_quick_action",
        description="whether sustaining costs a quick action of every turn in combat",
        effect="With yes, sustaining takes a quick action of every turn and ends when stunned; with no, it is free.",
    )
    battle_map: BattleMap = rule_option(
        "square_1m",
        rule="renaissance.grid.other_maps",
        description="what is played on: squares of a metre; the other two are left to the table and take any ground",
        effect="A note for the table: the program measures on the ground of the scene, whatever is chosen here.",
    )
    shifts_per_day: int = rule_option(
        1,
        rule="renaissance.mode.down_time_gm",
        description="how many shifts of a job are done in a day of down-time",
        low=0,
        high=3,
        effect="So many shifts of eight hours are worked in a day; with 0 there is no time for jobs at all.",
    )
    exceptional_halves_time: bool = rule_option(
        False,
        rule="renaissance.gap.task.exceptional_time",
        description="whether an exceptional success at a task that is not rushed takes half the time",
        typical="renaissance.task target=60 minutes=60 --objective time",
    )
    attack_bonus_basis: AttackBonusBasis = rule_option(
        "either",
        rule="renaissance.attack.bonus_basis",
        description="whether the extra damage of a good attack goes by the margin, by the grade, or by either",
        typical=_ATTACK + " --objective damage",
    )
    critical_attack: CriticalAttack = rule_option(
        "roll_twice_best",
        rule="renaissance.attack.critical_rule",
        description="what a critical success on an attack does",
        typical=_ATTACK + " --objective damage",
    )
    touch_attack_rule: NearAttackRule = rule_option(
        "plus20",
        rule="renaissance.touch.rule_option",
        description="how attacks that need only a touch are made",
        typical=_NEAR,
    )
    indicate_attack_rule: NearAttackRule = rule_option(
        "plus20",
        rule="renaissance.indicate.rule_option",
        description="how attacks that need only a pointing finger or a gaze are made",
        typical=_NEAR,
    )
    scatter_method: ScatterMethod = rule_option(
        "two_d10",
        rule="renaissance.ranged.scatter_method",
        description="how the square is found where a blast or a splash that misses lands",
        typical="renaissance.scatter --objective east",
    )
    strikes_and_maneuvers: bool = rule_option(
        True,
        rule="renaissance.strike.enabled",
        description="whether the five strikes and the four maneuvers can be used",
        typical={
            True: "renaissance.attack target=90 dv=2d10 defences=fray:50 strikes=mighty_blow:-10 damage_bonus=7",
            False: "renaissance.attack target=90 dv=2d10 defences=fray:50",
        },
    )
    maneuver_check: ManeuverCheck = rule_option(
        "opposed",
        rule="renaissance.maneuver.check_option",
        description="whether a maneuver whose first roll fails fails, or both roll again",
        typical={
            "opposed": "renaissance.lucky_contest a=60 b=50 way=opposed",
            "ordered": "renaissance.lucky_contest a=60 b=50 way=ordered",
        },
    )
    grab_rule: GrabRule = rule_option(
        "maneuver",
        rule="renaissance.grab.rule_option",
        description="whether grabbing is a maneuver, or an unarmed attack whose margin exceeds the target's STR",
        effect="A grab is a maneuver of its own, or follows an unarmed hit with a margin above the target's STR.",
    )
    multiple_target_scope: TargetScope = rule_option(
        "multiple_attacks_only",
        rule="renaissance.multi.targets_scope",
        description="whether several targets cost 10 only with multiple attacks or with every attack on single targets",
        typical={
            "multiple_attacks_only": "renaissance.clash target=60 defences=fray:50",
            "general": "renaissance.clash target=50 defences=fray:50",
        },
    )
    resistance_rule: ResistanceRule = rule_option(
        "scale_dv",
        rule="renaissance.resistance.rule_option",
        description="what resistance and vulnerability change",
        typical=_ATTACK + " vulnerability=-1 --objective damage",
    )
    full_defense: bool = rule_option(
        True,
        rule="renaissance.defense.full_defense_option",
        description="whether there is an action to defend with all one has",
        typical={
            True: "renaissance.clash target=60 defences=fray:60",
            False: "renaissance.clash target=60 defences=fray:50",
        },
    )
    unarmed_penalty: bool = rule_option(
        True,
        rule="renaissance.unarmed.penalty_option",
        description="whether bare hands have 10 less against weapons, in attack and in defence",
        typical={
            True: "renaissance.clash target=50 defences=fray:50",
            False: "renaissance.clash target=60 defences=fray:50",
        },
    )
    wound_boundary: WoundBoundary = rule_option(
        "literal",
        rule="renaissance.injury.wound_boundary",
        description="whether damage equal to the Wound Threshold wounds",
        typical=_ATTACK + " --objective wounds",
    )
    wound_check: WoundCheck = rule_option(
        "per_event",
        rule="renaissance.injury.wound_check",
        description="whether several wounds or traumas at once ask for one check or for one each",
        typical=_ATTACK + " --objective prone",
    )
    stress_boundary: StressBoundary = rule_option(
        "over",
        rule="renaissance.stress.boundary",
        description="whether stress equal to a threshold exceeds it",
        typical="renaissance.stress sv=1d10+1 target=45 trauma_threshold=6 --objective traumas",
    )
    conditions_system: bool = rule_option(
        True,
        rule="renaissance.condition.system_option",
        description="whether bleeding, burning and the like are kept by the program or by the game master",
        effect="With yes, bleeding and burning harm turn by turn; with no, they are left to the game master.",
    )


ExceptionalBoundary: TypeAlias = Literal["over", "at_least"]
DowngradeCritical: TypeAlias = Literal["to_exceptional", "to_normal"]
RegradeLimit: TypeAlias = Literal["one_each_cancel", "one_total"]
OrderedFirstFailure: TypeAlias = Literal["lose", "reroll"]
RelatedSkill25: TypeAlias = Literal["higher", "lower"]
RetryPenalty: TypeAlias = Literal["cumulative", "flat"]
Untrained: TypeAlias = Literal["aptitude", "related_skill"]
AptitudeMethod: TypeAlias = Literal["transfer_and_tweak", "plus20_minus5"]
SocialAnimal: TypeAlias = Literal["luck_reroll", "off"]
ReadyTrait: TypeAlias = Literal["luck_reroll", "best_of_two", "head_of_order"]


@dataclass(frozen=True, kw_only=True)
class RenaissanceOptions(FightOptions):
    """The settings of a table; the first value of each is the default."""

    exceptional_boundary: ExceptionalBoundary = rule_option(
        "over",
        rule="renaissance.grade.exceptional_boundary",
        description="whether a margin of exactly 30 is exceptional",
        typical="renaissance.lucky_check target=60 luck=0 --objective exceptional",
    )
    critical_counts_as_exceptional: bool = rule_option(
        True,
        rule="renaissance.grade.critical_counts_as_exceptional",
        description="whether a critical result serves where an exceptional one is asked for",
        typical=(
            "renaissance.attack target=60 dv=2d10+6 defences=fray:50 armor=6 ap=2 wound_threshold=6 balance=60"
            " --objective damage"
        ),
    )
    downgrade_critical: DowngradeCritical = rule_option(
        "to_exceptional",
        rule="renaissance.regrade.downgrade_critical",
        description="where a downgraded critical success lands",
        typical="renaissance.check target=60 regrade=downgrade --objective grade",
    )
    regrade_limit: RegradeLimit = rule_option(
        "one_each_cancel",
        rule="renaissance.regrade.limit_option",
        description="what an upgrade and a downgrade on the same check do",
        typical="renaissance.check target=60 regrade=upgrade_then_downgrade --objective grade",
    )
    ordered_first_failure: OrderedFirstFailure = rule_option(
        "lose",
        rule="renaissance.opposed.ordered_first_failure",
        description="what a failed first roll of an ordered check means",
        typical="renaissance.ordered a=60 b=50",
    )
    luck_per_check: Literal[1] | None = rule_option(
        None,
        rule="renaissance.luck.limit",
        description="how many Luck points one check may take",
        typical="renaissance.lucky_check target=40 luck=3 penalties=20",
    )
    retry_penalty: RetryPenalty = rule_option(
        "cumulative",
        rule="renaissance.modifier.retry_penalty",
        description="whether the penalty for trying again grows with every attempt",
        typical={"cumulative": "renaissance.check target=40", "flat": "renaissance.check target=50"},
    )
    related_skill_25: RelatedSkill25 = rule_option(
        "higher",
        rule="renaissance.modifier.related_skill_25",
        description="what a related skill with exactly 25 ranks adds",
        typical={"higher": "renaissance.check target=70", "lower": "renaissance.check target=60"},
    )
    untrained: Untrained = rule_option(
        "aptitude",
        rule="renaissance.gap.skill.untrained",
        description="what a skill without ranks is rolled with: the aptitude alone, or a related skill at -30",
        typical={"aptitude": "renaissance.check target=20", "related_skill": "renaissance.check target=40"},
    )
    armor_penalty: bool = rule_option(
        True,
        rule="renaissance.armor.penalty_option",
        description="whether worn armor and shields take their penalty from skills",
        typical={True: "renaissance.check target=50", False: "renaissance.check target=60"},
    )
    aptitude_method: AptitudeMethod = rule_option(
        "transfer_and_tweak",
        rule="renaissance.gap.creation.aptitude_method",
        description="how aptitudes are set when a character is made, and how its points are spread",
        changes="between_scenes",
        effect="Creation moves points among aptitudes and adds 15, or adds 20 and takes 5; skill minima differ too.",
    )
    social_animal: SocialAnimal = rule_option(
        "luck_reroll",
        rule="renaissance.gap.race.social_animal",
        description="whether a Human may roll a social check again for a Luck point",
        typical={
            "luck_reroll": "renaissance.gifted_check target=50 luck=1 second_roll=true",
            "off": "renaissance.lucky_check target=50 luck=1",
        },
    )
    ready_trait: ReadyTrait = rule_option(
        "luck_reroll",
        rule="renaissance.gap.trait.ready",
        description="what the trait Ready does for initiative",
        effect="Ready allows a second roll for Luck, the better of two rolls, or the first place in the order.",
    )
    buy_off_traits: bool = rule_option(
        True,
        rule="renaissance.gap.advancement.buy_off",
        description="whether a negative trait can be bought off with Rez points",
        effect="With yes, Rez points can remove a negative trait; with no, it stays.",
    )
