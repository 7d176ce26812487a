"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.rules.options import RuleOptions, rule_option

InitiativeMethod: TypeAlias = Literal["first_action", "roll_once_per_scene", "roll_each_round", "no_roll"]
FinalTie: TypeAlias = Literal["players_then_random", "random"]
InitiativeBonus: TypeAlias = Literal["off", "cumulative", "best_only"]
DamageBonus: TypeAlias = Literal["all", "important_characters", "off"]
Layering: TypeAlias = Literal["one_suit", "layers"]
NegativeResistance: TypeAlias = Literal["zero", "add_to_damage", "add_to_all_difficulties"]


@dataclass(frozen=True, kw_only=True)
class FightOptions(RuleOptions):
    """Rule options of fights."""

    initiative_method: InitiativeMethod = rule_option(
        "roll_each_round",
        name="initiative.method",
        rule="opend6.initiative.method",
        description=(
            "who acts when: by the first significant action, by rolls once or every round, or by comparing codes"
        ),
        effect="Decides whether initiative is rolled at all, once, or every round, and so who acts first.",
    )
    final_tie: FinalTie = rule_option(
        "players_then_random",
        name="initiative.final_tie",
        rule="opend6.initiative.ties",
        description="what decides where initiative and all six factors are equal",
        effect="Of two with equal totals and factors, players go first and the rest is drawn by lot, or all of it is.",
    )
    initiative_bonus: InitiativeBonus = rule_option(
        "off",
        name="initiative.bonus",
        rule="opend6.initiative.bonus",
        description=(
            "whether search and Agility add to initiative: 1 for each 2D of search above Acumen and each 4D of Agility"
        ),
        typical={
            "off": "opend6.initiative acumen=3D",
            "cumulative": "opend6.initiative acumen=3D bonus=2",
            "best_only": "opend6.initiative acumen=3D bonus=1",
        },
    )
    always_action: bool = rule_option(
        False,
        name="move.always_action",
        rule="opend6.action.move",
        description="whether every movement takes an action",
        effect="With yes, every movement takes an action; with no, half the Move is free.",
    )
    damage_bonus: DamageBonus = rule_option(
        "all",
        name="result.damage_bonus",
        rule="opend6.result.fifth_damage",
        description="which attackers add a fifth of their result points to damage: here a minor foe",
        typical={
            "all": "opend6.attack code=4D difficulty=10 damage=2D weapon=2D resistance=3D",
            "important_characters": "opend6.attack code=4D difficulty=10 damage=2D weapon=2D resistance=3D fifth=no",
            "off": "opend6.attack code=4D difficulty=10 damage=2D weapon=2D resistance=3D fifth=no",
        },
    )
    passive_bonus: bool = rule_option(
        False,
        name="defence.passive_bonus",
        rule="opend6.gap.defence.passive_bonus",
        description="whether a high Agility or dodge raises the passive defence: a dodge of 6D by 1",
        typical={False: "opend6.success code=4D difficulty=10", True: "opend6.success code=4D difficulty=11"},
    )
    free_partial: Literal["never", "ask"] = rule_option(
        "never",
        name="defence.free_partial",
        rule="opend6.gap.defence.free_partial",
        description="whether the game master may grant a partial defence as a free action to the target of an attack",
        typical={"never": "opend6.success code=4D difficulty=10", "ask": "opend6.opposed initiator=4D resister=4D"},
    )
    rolled_modifiers: bool = rule_option(
        False,
        name="attack.rolled_modifiers",
        rule="opend6.gap.attack.modifier_style",
        description=(
            "whether modifiers that are dice in the book are rolled, not counted at three a die: darkness is 4D or 12"
        ),
        typical={
            False: "opend6.attack code=5D difficulty=22 --objective hit",
            True: "opend6.attack code=5D difficulty=10 harder=4 --objective hit",
        },
    )
    unwieldy: bool = rule_option(
        True,
        name="attack.unwieldy",
        rule="opend6.gap.attack.unwieldy",
        description="whether weapons longer than 60 cm are harder to hit with, by 5",
        typical={True: "opend6.success code=4D difficulty=15", False: "opend6.success code=4D difficulty=10"},
    )
    hit_locations: bool = rule_option(
        False,
        name="attack.hit_locations",
        rule="opend6.gap.attack.hit_location",
        description=(
            "whether attacks can be aimed at parts of the body: 12 more damage by the head, or a die by a called shot"
        ),
        typical={
            False: "opend6.attack code=4D difficulty=13 damage=2D weapon=3D resistance=3D",
            True: "opend6.attack code=4D difficulty=13 damage=2D weapon=2D damage_plain=12 resistance=3D",
        },
    )
    surprise_rule: Literal["act_first", "bonus_die"] = rule_option(
        "act_first",
        name="attack.surprise",
        rule="opend6.gap.attack.surprise",
        description=(
            "what surprise gives those who are not surprised: they act first, or have a die more in the first round"
        ),
        typical={
            "act_first": "opend6.success code=4D difficulty=15",
            "bonus_die": "opend6.success code=5D difficulty=15",
        },
    )
    thrown_range: Literal["fixed", "rolled"] = rule_option(
        "fixed",
        name="range.physique",
        rule="opend6.gap.range.physique",
        description="whether a range that depends on Physique is four a die, or rolled with every throw",
        typical={
            "fixed": "opend6.success code=3D difficulty=12 simplification=quick",
            "rolled": "opend6.success code=3D difficulty=12",
        },
    )
    stunned_effect: Literal["penalty", "defend_only"] = rule_option(
        "penalty",
        name="injury.stunned",
        rule="opend6.gap.wound.stunned",
        description=(
            "whether a Stun takes a die from all actions, or all actions but defence and retreat in the next round"
        ),
        typical={
            "penalty": "opend6.success code=3D difficulty=10",
            "defend_only": "opend6.success code=4D difficulty=10",
        },
    )
    killing_blow: bool = rule_option(
        False,
        name="injury.killing_blow",
        rule="opend6.gap.damage.killing_blow",
        description="whether a blow that takes nearly everything kills at once",
        typical="opend6.attack code=4D difficulty=10 damage=2D weapon=3D resistance=3D",
    )
    massive_damage: bool = rule_option(
        False,
        name="injury.massive_damage",
        rule="opend6.gap.damage.massive",
        description="whether a character who loses two levels in one round is shaken for two rounds",
        effect="With yes, the shaken can only defend and flee until they are calm; with no, only the levels count.",
    )
    negative_resistance: NegativeResistance = rule_option(
        "zero",
        name="resistance.negative",
        rule="opend6.gap.resistance.negative",
        description="what a resistance below zero does",
        typical="opend6.attack code=4D difficulty=10 damage=2D weapon=2D resistance=1D resistance_bonus=-8",
    )
    max_resistance: bool = rule_option(
        False,
        name="resistance.max",
        rule="opend6.gap.resistance.max",
        description="whether at most 6D resist damage: 5D and armour of 3D count 8D or 6D",
        typical={
            False: "opend6.attack code=4D difficulty=10 damage=4D weapon=3D resistance=5D armour=3D",
            True: "opend6.attack code=4D difficulty=10 damage=4D weapon=3D resistance=5D armour=1D",
        },
    )
    armour_layering: Layering = rule_option(
        "one_suit",
        name="armour.layering",
        rule="opend6.gap.armour.layering",
        description="whether suits of different kinds may be worn over each other: a dodge in two of them is 4 harder",
        typical={
            "one_suit": "opend6.check code=4D difficulty=10",
            "layers": "opend6.check code=4D difficulty=14",
        },
    )
    movement_maximum: bool = rule_option(
        True,
        name="move.maximum",
        rule="opend6.gap.movement.maximum",
        description="whether nobody covers more than four times their Move in a round",
        effect="With yes, a run, a swim or a climb covers up to four times the Move; with no, up to ten times.",
    )


CriticalFailureRule: TypeAlias = Literal["cancel", "complication", "ask"]
CancelScope: TypeAlias = Literal["wild_and_highest", "highest_only"]
Simplification: TypeAlias = Literal["none", "five_dice", "wild_die_only", "quick"]
QuickFor: TypeAlias = Literal["everyone", "game_master", "players"]
ChallengeLevel: TypeAlias = Literal["easy", "cinematic", "universe_shaking"]
WildDieOnly: TypeAlias = Literal["off", "gm_choice"]
ZeroRule: TypeAlias = Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"]
FateStacking: TypeAlias = Literal["additive", "geometric"]
FateAward: TypeAlias = Literal["gm_only", "one_point"]
PointsAsked: TypeAlias = Literal["on_request", "always"]
LevelNumber: TypeAlias = Literal["high", "middle", "low"]
Fallback: TypeAlias = Literal["derived", "free_reaction"]
Retry: TypeAlias = Literal["next_turn", "consequences"]
CreationMethod: TypeAlias = Literal["defined_limits", "creation_points"]
InjurySystem: TypeAlias = Literal["wounds", "body_points", "body_points_with_levels"]


@dataclass(frozen=True, kw_only=True)
class OpenD6Options(FightOptions):
    """The settings of a table."""

    normalise_rolled_pips: bool = rule_option(
        False,
        name="dice.normalise_rolled_pips",
        rule="opend6.dice.die_code",
        description="whether every three pips of a rolled code become a die",
        typical="opend6.check code=3D+4 difficulty=15",
    )
    critical_failure: CriticalFailureRule = rule_option(
        "cancel",
        name="wild.critical_failure",
        rule="opend6.wild.critical_failure",
        description="what a 1 on the first toss of the Wild Die does",
        typical="opend6.check code=4D difficulty=13",
    )
    cancel_scope: CancelScope = rule_option(
        "wild_and_highest",
        name="wild.cancel_scope",
        rule="opend6.wild.cf_cancel",
        description="whether the 1 itself is dropped together with the highest die",
        typical="opend6.check code=4D difficulty=13",
    )
    cancel_reaches_cp_dice: bool = rule_option(
        False,
        name="wild.cancel_reaches_cp_dice",
        rule="opend6.wild.cf_cancel",
        description="whether a die bought with a Character Point can be the one that is dropped",
        typical="opend6.check code=3D difficulty=13 character_points=1",
    )
    simplification: Simplification = rule_option(
        "none",
        name="dice.simplification",
        rule="opend6.simplify.chart",
        description="how fewer dice are rolled",
        typical="opend6.check code=8D difficulty=30",
    )
    quick_for: QuickFor = rule_option(
        "everyone",
        name="dice.quick_for",
        rule="opend6.simplify.quick",
        description="whose codes are converted to numbers where dice.simplification is quick; the others roll",
        typical={
            "everyone": "opend6.check code=4D difficulty=15 simplification=quick",
            "game_master": "opend6.check code=4D difficulty=15",
            "players": "opend6.check code=4D difficulty=15 simplification=quick",
        },
    )
    challenge_level: ChallengeLevel = rule_option(
        "cinematic",
        name="cp.challenge_level",
        rule="opend6.cp.max_per_roll",
        description="how many Character Points one roll may take",
        typical="opend6.improved_check code=3D difficulty=15 character_points=5",
    )
    wild_die_only: WildDieOnly = rule_option(
        "gm_choice",
        name="difficulty.wild_die_only",
        rule="opend6.special.wild_die_only",
        description="whether an easy task may be rolled with the Wild Die alone",
        typical={
            "gm_choice": "opend6.wild_die_only",
            "off": "opend6.check code=4D difficulty=4 --objective clean_success",
        },
    )

    # ------------------------------------------------------------------ points

    zero_rule: ZeroRule = rule_option(
        "own_code_below_1d",
        name="dice.zero_rule",
        rule="opend6.map.zero_rule",
        description="what must be left of a code that penalties cut down: whether 2D+2 is good for three actions",
        typical="opend6.several_actions code=2D+2 difficulty=2 most=3 bare_pips=yes",
    )
    allow_mixing: bool = rule_option(
        False,
        name="points.allow_mixing",
        rule="opend6.points.no_mixing",
        description="whether Character Points and Fate Points may go on the same roll",
        typical="opend6.attempt code=3D difficulty=25 fated=6D character_points=2",
    )
    points_asked: PointsAsked = rule_option(
        "on_request",
        name="points.asked",
        rule="opend6.gap.points.asked",
        description=("whether everyone is asked for points with every roll of a fight, or only those who asked for it"),
        effect="With always, every roll of a fight asks for points; on request, only for those who said so.",
    )
    award_per_event: FateAward = rule_option(
        "gm_only",
        name="fate.award_per_event",
        rule="opend6.fate.moral_code",
        description="whether a deed by or against the moral code is a Fate Point, or what the game master says",
        effect="A deed by or against the moral code gives or takes one Fate Point, or as many as the game master says.",
    )
    allow_stacking: bool = rule_option(
        False,
        name="fate.allow_stacking",
        rule="opend6.fate.extra_on_one_roll",
        description="whether several Fate Points may go on one roll: two triple a code of 3D",
        typical={False: "opend6.check code=6D difficulty=25", True: "opend6.check code=9D difficulty=25"},
    )
    stacking: FateStacking = rule_option(
        "additive",
        name="fate.stacking",
        rule="opend6.fate.extra_on_one_roll",
        description="what the second Fate Point on a roll does: two points triple or quadruple a code of 3D",
        typical={"additive": "opend6.check code=9D difficulty=35", "geometric": "opend6.check code=12D difficulty=35"},
    )
    unlimited_in_climax: bool = rule_option(
        True,
        name="fate.unlimited_in_climax",
        rule="opend6.fate.climax_repeat",
        description="whether climactic Fate Points are not counted in the climax of an adventure",
        effect="With yes, all rolls of a round can be doubled again in the climax; with no, once in a session.",
    )
    experience_restriction: bool = rule_option(
        False,
        name="fate.experience_restriction",
        rule="opend6.fate.experience_restrictions",
        description=(
            "whether experienced characters may use Fate Points only where it matters, not on an ordinary roll of 6D"
        ),
        typical={False: "opend6.check code=12D difficulty=35", True: "opend6.check code=6D difficulty=35"},
    )
    several_skills: int = rule_option(
        3,
        name="fate.several_skills",
        rule="opend6.fate.experience_restrictions",
        description="how many high skills make an experienced character",
        low=1,
        high=20,
        effect=("Where experience limits the use of Fate Points, it does so from this many skills of 6D or 9D on."),
    )

    # ------------------------------------------------------------------ checks

    untrained_modifier: int = rule_option(
        5,
        name="untrained.modifier",
        rule="opend6.untrained.modifier",
        description="what is added to the difficulty for those without the skill",
        low=0,
        high=30,
        typical={
            5: "opend6.check code=3D difficulty=15",
            0: "opend6.check code=3D difficulty=10",
            30: "opend6.check code=3D difficulty=40",
        },
    )
    trained_only: bool = rule_option(
        False,
        name="task.trained_only",
        rule="opend6.untrained.impossible",
        description="whether tasks are closed to those without the skill",
        typical={False: "opend6.check code=3D difficulty=20", True: "opend6.check code=0D difficulty=20"},
    )
    alternate_attributes: bool = rule_option(
        True,
        name="skill.alternate_attributes",
        rule="opend6.skill.alternate_attribute",
        description="whether a skill may be based on another attribute that fits better: 4D+1 in the place of 4D",
        typical={True: "opend6.check code=4D+1 difficulty=15", False: "opend6.check code=4D difficulty=15"},
    )
    single_roll: bool = rule_option(
        True,
        name="group.single_roll",
        rule="opend6.group.single_roll",
        description="whether the game master makes one roll for a group",
        effect=(
            "With yes, creatures of one kind share a roll for initiative and can attack with one roll; "
            "with no, each of them rolls."
        ),
    )
    number_for_level: LevelNumber = rule_option(
        "high",
        name="difficulty.number_for_level",
        rule="opend6.difficulty.standard",
        description="which number of its range a level of difficulty stands for: moderate is 15, 13 or 11",
        typical={
            "high": "opend6.check code=4D difficulty=15",
            "middle": "opend6.check code=4D difficulty=13",
            "low": "opend6.check code=4D difficulty=11",
        },
    )
    floor: int = rule_option(
        1,
        name="difficulty.floor",
        rule="opend6.modifier.generic",
        description="the lowest difficulty of what is rolled at all",
        low=1,
        high=15,
        typical={1: "opend6.check code=2D difficulty=1", 15: "opend6.check code=2D difficulty=15"},
    )
    roleplaying: int = rule_option(
        0,
        name="modifier.roleplaying",
        rule="opend6.modifier.roleplaying",
        description="what good roleplaying takes off a difficulty where the game master says nothing else",
        low=-5,
        high=0,
        typical={0: "opend6.check code=4D difficulty=15", -5: "opend6.check code=4D difficulty=10"},
    )
    opposed_fallback: Fallback = rule_option(
        "derived",
        name="opposed.fallback",
        rule="opend6.opposed.fallback",
        description=(
            "resistance of a character who has neither waited nor prepared: with 3D+2 a difficulty of 8, or a roll"
        ),
        typical={
            "derived": "opend6.check code=4D difficulty=8",
            "free_reaction": "opend6.opposed initiator=4D resister=3D+2",
        },
    )
    half_bonus: bool = rule_option(
        True,
        name="result.half_bonus",
        rule="opend6.result.half_bonus",
        description="whether half of the result points may help another roll: 6 of them give +3",
        typical={True: "opend6.check code=4D difficulty=15 bonus=3", False: "opend6.check code=4D difficulty=15"},
    )
    retry: Retry = rule_option(
        "next_turn",
        name="task.retry",
        rule="opend6.retry.free",
        description="when a failed task may be tried again where neither task nor skill says so",
        effect="A failed task can be tried again on the next turn, or only as its consequences allow.",
    )
    small_shortfall_max: int = rule_option(
        5,
        name="retry.small_shortfall_max",
        rule="opend6.retry.consequences",
        description="up to which shortfall a failure is a small one",
        low=0,
        high=50,
        effect=(
            "Where failures have consequences, one by up to this much can be tried again next round, but harder; "
            "a larger one needs time or help."
        ),
    )
    difficulty_step: int = rule_option(
        5,
        name="retry.difficulty_step",
        rule="opend6.retry.consequences",
        description="by how much each further try is harder",
        low=0,
        high=50,
        typical={
            5: "opend6.check code=4D difficulty=20",
            0: "opend6.check code=4D difficulty=15",
            50: "opend6.check code=4D difficulty=65",
        },
    )

    # ------------------------------------------------------------------ characters

    creation_method: CreationMethod = rule_option(
        "defined_limits",
        name="creation.method",
        rule="opend6.gap.creation.points",
        description="whether characters are made within limits or from one pool of points",
        effect="A new character has separate limits for attributes and skills, or one pool of points.",
    )
    skill_upper_limit: bool = rule_option(
        False,
        name="advancement.skill_upper_limit",
        rule="opend6.gap.advancement.skill_upper_limit",
        description="whether a skill of 8D and more takes the upper-limit test",
        effect="With yes, raising a skill of 8D and more needs a roll; with no, points are enough.",
    )
    injury_system: InjurySystem = rule_option(
        "wounds",
        name="injury.system",
        rule="opend6.gap.wound.injury_system",
        description="how injuries are counted: wound levels, Body Points, or Body Points with levels",
        effect="Damage lowers Wound levels, Body Points, or Body Points that stand for levels.",
    )
