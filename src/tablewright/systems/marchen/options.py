"""Rule options that the book leaves to the game master, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.rules.options import RuleOptions, rule_option

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
CheckStack = Literal["all", "best"]
TaskTime = Literal["d6", "sigma_units", "percent"]
BellRow = Literal["counted", "skipped"]
CombatRound = Literal["ounce", "six_seconds"]
AdvantageReroll = Literal["set", "die"]
RepairCheck = Literal["intellect", "engineering"]
SparringDifficulty = Literal["very_difficult", "average", "literal_18"]
ScoreScale = Literal["direct", "cepheus"]
AspectNames = Literal["srd", "fame"]
Generation = Literal["array", "roll", "narrative", "points", "npc"]
DamageBonus = Literal["sigma", "effect"]
DamageModel = Literal["dice", "tiers"]


@dataclass(frozen=True, kw_only=True)
class MarchenOptions(RuleOptions):
    """The named variants of Märchen Engine (marchen.option.index)."""

    core: Core = rule_option(
        "2d6",
        rule="marchen.core.selection",
        description="the dice that every check is rolled with",
        typical="marchen.check core=2d6 difficulty=difficult modifier=3",
    )
    target_rule: TargetRule = rule_option(
        "printed",
        rule="marchen.core.target_other",
        description="the target of each core",
        typical="marchen.check core=3d6 difficulty=average",
    )
    d20_scale: D20Scale = rule_option(
        "dm",
        rule="marchen.difficulty.d20_scale",
        description="whether D20 difficulties modify the roll or are the target",
        typical="marchen.check core=D20 difficulty=difficult modifier=3",
    )
    trivial: Trivial = rule_option(
        "auto",
        rule="marchen.difficulty.trivial",
        description="whether trivial tasks succeed without a roll",
        typical="marchen.check core=2d6 difficulty=trivial modifier=-3",
    )
    exceptional_rule: ExceptionalRule = rule_option(
        "sigma4",
        rule="marchen.effect.exceptional",
        description="which effects are exceptional on cores other than 2d6",
        typical="marchen.check core=D20 difficulty=average modifier=4 --objective exceptional",
    )
    two_d6_extremes: TwoD6Extremes = rule_option(
        "sigma4",
        rule="marchen.degree.two_d6_extremes",
        description="whether 2d6 has the two extreme degrees",
        typical="marchen.check core=2d6 difficulty=average modifier=4 --objective sigma",
    )
    degree_method: DegreeMethod = rule_option(
        "table",
        rule="marchen.degree.sigma_method",
        description="degrees from the table or from the normalised total",
        typical="marchen.check core=2d6 difficulty=average modifier=2 --objective sigma",
    )
    passive_base: PassiveBase = rule_option(
        "mean",
        rule="marchen.check.passive_base",
        description="what a check without a roll starts from",
        typical="marchen.passive core=2d6 difficulty=average",
    )
    law_level_mode: LawLevelMode = rule_option(
        "add",
        rule="marchen.modifier.law_level_mode",
        description="how the law level combines with the task's difficulty",
        typical={
            "add": "marchen.check difficulty=difficult modifier=3 dm=-2",
            "base": "marchen.check difficulty=difficult modifier=3",
        },
    )
    opposed_tie: OpposedTie = rule_option(
        "characteristic",
        rule="marchen.opposed.tie",
        description="who wins an opposed check with equal effects",
        typical="marchen.opposed a_modifier=3 b_modifier=2 a_characteristic=8 b_characteristic=6",
    )
    dice_chain_mode: DiceChainMode = rule_option(
        "per_die",
        rule="marchen.dice_chain.pools",
        description="what moves along the dice chain: every die, or the core",
        typical="marchen.check core=2d6 difficulty=average steps=1",
    )
    characteristic_check_adds_aspect: bool = rule_option(
        False,
        rule="marchen.check.characteristic",
        description="whether a characteristic check adds the aspect as well",
        typical={False: "marchen.check modifier=1", True: "marchen.check modifier=3"},
    )
    check_stack: CheckStack = rule_option(
        "all",
        rule="marchen.check.skill",
        description="whether skill and specialization add up or the higher one counts",
        typical={
            "all": "marchen.check difficulty=difficult modifier=4",
            "best": "marchen.check difficulty=difficult modifier=3",
        },
    )
    circumstance_stack: bool = rule_option(
        False,
        rule="marchen.modifier.circumstance",
        description="whether every reason of help and hindrance counts",
        typical={False: "marchen.check modifier=1", True: "marchen.check modifier=3"},
    )
    task_time: TaskTime = rule_option(
        "d6",
        rule="marchen.time.task_time",
        description="how long a task takes: dice, or by its sigma",
        typical="marchen.duration frame=watch sigma=2 --objective seconds",
    )
    bell_row: BellRow = rule_option(
        "counted",
        rule="marchen.time.shift",
        description="whether the Bell is a row for work that is done faster or slower",
        typical={
            "counted": "marchen.duration frame=bell --objective seconds",
            "skipped": "marchen.duration frame=puncti --objective seconds",
        },
    )
    month_days: Literal[28, 30, 31] = rule_option(
        30,
        rule="marchen.time.frames",
        description="days of a month",
        typical="marchen.duration frame=month --objective seconds",
    )
    combat_round: CombatRound = rule_option(
        "ounce",
        rule="marchen.time.combat_round",
        description="how long a round of a fight lasts: 7.5 or 6 seconds",
        effect="A round lasts 7.5 seconds (eight to the minute) or 6 (ten to the minute); clocks and durations follow.",
    )
    max_helpers: int | None = rule_option(
        None,
        rule="marchen.aid.limit",
        description="how many helpers there is room for",
        low=0,
        high=10,
        typical="marchen.aided helpers=3,3 modifier=1",
    )
    level_gates: bool = rule_option(
        True,
        rule="marchen.skill.level_gates",
        description="whether aiding, chains and pools need a level",
        typical="marchen.lead members=2,1,1 levels=1,1,1",
    )
    mythic_levels: bool = rule_option(
        False,
        rule="marchen.option.mythic_levels",
        description="whether there are levels above 4, demigods and deities",
        effect="With yes, level 5 and beyond can be trained and is offered to new characters; with no, 4 is the last.",
    )
    advantage_reroll: AdvantageReroll = rule_option(
        "set",
        rule="marchen.advantage.reroll",
        description="what a reroll reaches with advantage: one set, or one die of it",
        typical="marchen.reroll first=1,2 second=3,3 advantage=advantage allows=2",
    )
    training_seasons_per_level: Literal[1, 8] = rule_option(
        1,
        rule="marchen.season.training",
        description="how many seasons of training a level takes",
        effect="A level takes so many seasons of training before it is gained.",
    )
    repair_check: RepairCheck = rule_option(
        "intellect",
        rule="marchen.recover.repair",
        description="what repairs are checked with",
        typical={"intellect": "marchen.check modifier=1", "engineering": "marchen.check modifier=-1"},
    )
    sparring_difficulty: SparringDifficulty = rule_option(
        "very_difficult",
        rule="marchen.month.sparring",
        description="how hard a sparring match is",
        typical={
            "very_difficult": "marchen.check difficulty=very_difficult modifier=4",
            "average": "marchen.check difficulty=average modifier=4",
            "literal_18": "marchen.check difficulty=average modifier=-6",
        },
    )
    score_scale: ScoreScale = rule_option(
        "direct",
        rule="marchen.aspect.list",
        description="whether a score is its own modifier or one of 0 to 33 with a modifier",
        changes="never",
        effect="The sheet, files and creation use a modifier as it is, or a score with its modifier.",
    )
    aspect_names: AspectNames = rule_option(
        "srd",
        rule="marchen.aspect.list",
        description="what the four aspects are called",
        effect="Sheets, checks and the log call the aspects by one set of names or the other.",
    )
    generation: Generation = rule_option(
        "array",
        rule="marchen.gap.generation.method",
        description="how the scores of a new character are found",
        changes="never",
        effect="Creation asks for an array, rolls, answers, points or a quick foe; nothing changes afterwards.",
    )
    damage_bonus: DamageBonus = rule_option(
        "sigma",
        rule="marchen.gap.damage.formula",
        description="what a good hit adds to damage: twice sigma, or the effect",
        typical="marchen.struck modifier=3 dice=3 armour=3 --objective damage",
    )
    damage_model: DamageModel = rule_option(
        "dice",
        rule="marchen.gap.damage.tiers",
        description="damage by dice against thresholds, or by four tiers of hits",
        typical="marchen.struck modifier=3 dice=3 armour=3 --objective damage",
        changes="between_scenes",
    )
    cudgel_dice: Literal[2, 3] = rule_option(
        3,
        rule="marchen.gap.weapon.cudgel",
        description="how many dice of damage a cudgel does",
        typical={
            3: "marchen.struck modifier=3 dice=3 armour=3 --objective damage",
            2: "marchen.struck modifier=3 dice=2 armour=3 --objective damage",
        },
    )
    company_pool: bool = rule_option(
        False,
        rule="marchen.gap.healing.company_pool",
        description="whether the company has points that heal",
        effect="With yes, members spend shared points to heal Social or Spiritual harm; with no, there are none.",
    )
