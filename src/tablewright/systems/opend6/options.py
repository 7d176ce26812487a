"""The settings that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import option
from tablewright.systems.opend6.fight_options import FightOptions

CriticalFailureRule: TypeAlias = Literal["cancel", "complication", "ask"]
CancelScope: TypeAlias = Literal["wild_and_highest", "highest_only"]
Simplification: TypeAlias = Literal["none", "five_dice", "wild_die_only", "quick"]
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

    normalise_rolled_pips: bool = option(
        False,
        name="dice.normalise_rolled_pips",
        rule="opend6.dice.die_code",
        about="whether every three pips of a rolled code become a die",
        typical="opend6.check code=3D+4 difficulty=15",
    )
    critical_failure: CriticalFailureRule = option(
        "cancel",
        name="wild.critical_failure",
        rule="opend6.wild.critical_failure",
        about="what a 1 on the first toss of the Wild Die does",
        typical="opend6.check code=4D difficulty=13",
    )
    cancel_scope: CancelScope = option(
        "wild_and_highest",
        name="wild.cancel_scope",
        rule="opend6.wild.cf_cancel",
        about="whether the 1 itself is dropped together with the highest die",
        typical="opend6.check code=4D difficulty=13",
    )
    cancel_reaches_cp_dice: bool = option(
        False,
        name="wild.cancel_reaches_cp_dice",
        rule="opend6.wild.cf_cancel",
        about="whether a die bought with a Character Point can be the one that is dropped",
        typical="opend6.check code=3D difficulty=13 character_points=1",
    )
    simplification: Simplification = option(
        "none",
        name="dice.simplification",
        rule="opend6.simplify.chart",
        about="how fewer dice are rolled",
        typical="opend6.check code=8D difficulty=30",
    )
    challenge_level: ChallengeLevel = option(
        "cinematic",
        name="cp.challenge_level",
        rule="opend6.cp.max_per_roll",
        about="how many Character Points one roll may take",
        typical="opend6.improved_check code=3D difficulty=15 character_points=5",
    )
    wild_die_only: WildDieOnly = option(
        "gm_choice",
        name="difficulty.wild_die_only",
        rule="opend6.special.wild_die_only",
        about="whether an easy task may be rolled with the Wild Die alone",
    )

    # ------------------------------------------------------------------ points

    zero_rule: ZeroRule = option(
        "own_code_below_1d",
        name="dice.zero_rule",
        rule="opend6.map.zero_rule",
        about="what must be left of a code that penalties cut down: whether 1D+2 is good for two actions",
        typical="opend6.several_actions code=1D+2 difficulty=2 most=2 bare_pips=yes",
    )
    allow_mixing: bool = option(
        False,
        name="points.allow_mixing",
        rule="opend6.points.no_mixing",
        about="whether Character Points and Fate Points may go on the same roll",
        typical="opend6.attempt code=3D difficulty=25 fated=6D character_points=2",
    )
    points_asked: PointsAsked = option(
        "on_request",
        name="points.asked",
        rule="opend6.gap.points.asked",
        about="whether everybody is asked for points with every roll of a fight, or those who said that they mind them",
    )
    award_per_event: FateAward = option(
        "gm_only",
        name="fate.award_per_event",
        rule="opend6.fate.moral_code",
        about="whether a deed by or against the moral code is a Fate Point, or what the game master says",
    )
    allow_stacking: bool = option(
        False,
        name="fate.allow_stacking",
        rule="opend6.fate.extra_on_one_roll",
        about="whether several Fate Points may go on one roll",
    )
    stacking: FateStacking = option(
        "additive",
        name="fate.stacking",
        rule="opend6.fate.extra_on_one_roll",
        about="what the second Fate Point on a roll does: two points triple or quadruple a code of 3D",
        typical={"additive": "opend6.check code=9D difficulty=35", "geometric": "opend6.check code=12D difficulty=35"},
    )
    unlimited_in_climax: bool = option(
        True,
        name="fate.unlimited_in_climax",
        rule="opend6.fate.climax_repeat",
        about="whether climactic Fate Points are not counted in the climax of an adventure",
    )
    experience_restriction: bool = option(
        False,
        name="fate.experience_restriction",
        rule="opend6.fate.experience_restrictions",
        about="whether experienced characters may use Fate Points only where it matters",
    )
    several_skills: int = option(
        3,
        name="fate.several_skills",
        rule="opend6.fate.experience_restrictions",
        about="how many high skills make an experienced character",
        low=1,
        high=20,
    )

    # ------------------------------------------------------------------ checks

    untrained_modifier: int = option(
        5,
        name="untrained.modifier",
        rule="opend6.untrained.modifier",
        about="what is added to the difficulty for those without the skill",
        low=0,
        high=30,
        typical={
            5: "opend6.check code=3D difficulty=15",
            0: "opend6.check code=3D difficulty=10",
            30: "opend6.check code=3D difficulty=40",
        },
    )
    trained_only: bool = option(
        False,
        name="task.trained_only",
        rule="opend6.untrained.impossible",
        about="whether tasks are closed to those without the skill",
    )
    alternate_attributes: bool = option(
        True,
        name="skill.alternate_attributes",
        rule="opend6.skill.alternate_attribute",
        about="whether a skill may be based on another attribute that fits better: 4D+1 in the place of 4D",
        typical={True: "opend6.check code=4D+1 difficulty=15", False: "opend6.check code=4D difficulty=15"},
    )
    single_roll: bool = option(
        True,
        name="group.single_roll",
        rule="opend6.group.single_roll",
        about="whether the game master makes one roll for a group",
    )
    number_for_level: LevelNumber = option(
        "high",
        name="difficulty.number_for_level",
        rule="opend6.difficulty.standard",
        about="which number of its range a level of difficulty stands for: moderate is 15, 13 or 11",
        typical={
            "high": "opend6.check code=4D difficulty=15",
            "middle": "opend6.check code=4D difficulty=13",
            "low": "opend6.check code=4D difficulty=11",
        },
    )
    floor: int = option(
        1,
        name="difficulty.floor",
        rule="opend6.modifier.generic",
        about="the lowest difficulty of what is rolled at all",
        low=1,
        high=15,
        typical={1: "opend6.check code=2D difficulty=1", 15: "opend6.check code=2D difficulty=15"},
    )
    roleplaying: int = option(
        0,
        name="modifier.roleplaying",
        rule="opend6.modifier.roleplaying",
        about="what good roleplaying takes off a difficulty where the game master says nothing else",
        low=-5,
        high=0,
        typical={0: "opend6.check code=4D difficulty=15", -5: "opend6.check code=4D difficulty=10"},
    )
    opposed_fallback: Fallback = option(
        "derived",
        name="opposed.fallback",
        rule="opend6.opposed.fallback",
        about="what somebody opposes with who has neither waited nor prepared: with 3D+2 a difficulty of 8, or a roll",
        typical={
            "derived": "opend6.check code=4D difficulty=8",
            "free_reaction": "opend6.opposed initiator=4D resister=3D+2",
        },
    )
    half_bonus: bool = option(
        True,
        name="result.half_bonus",
        rule="opend6.result.half_bonus",
        about="whether half of the result points may help another roll: 6 of them give +3",
        typical={True: "opend6.check code=4D difficulty=15 bonus=3", False: "opend6.check code=4D difficulty=15"},
    )
    retry: Retry = option(
        "next_turn",
        name="task.retry",
        rule="opend6.retry.free",
        about="when a failed task may be tried again where neither task nor skill says so",
    )
    small_shortfall_max: int = option(
        5,
        name="retry.small_shortfall_max",
        rule="opend6.retry.consequences",
        about="up to which shortfall a failure is a small one",
        low=0,
        high=50,
    )
    difficulty_step: int = option(
        5,
        name="retry.difficulty_step",
        rule="opend6.retry.consequences",
        about="by how much each further try is harder",
        low=0,
        high=50,
        typical={
            5: "opend6.check code=4D difficulty=20",
            0: "opend6.check code=4D difficulty=15",
            50: "opend6.check code=4D difficulty=65",
        },
    )

    # ------------------------------------------------------------------ characters

    creation_method: CreationMethod = option(
        "defined_limits",
        name="creation.method",
        rule="opend6.gap.creation.points",
        about="whether characters are made within limits or from one pool of points",
    )
    skill_upper_limit: bool = option(
        False,
        name="advancement.skill_upper_limit",
        rule="opend6.gap.advancement.skill_upper_limit",
        about="whether a skill of 8D and more takes the upper-limit test",
    )
    injury_system: InjurySystem = option(
        "wounds",
        name="injury.system",
        rule="opend6.gap.wound.injury_system",
        about="how injuries are counted: wound levels, Body Points, or Body Points with levels",
    )

    # ------------------------------------------------------------------ encounters
