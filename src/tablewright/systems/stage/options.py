"""What the rule book leaves to the Game Master, by the names of the ledger's index (stage.option.index)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.options import Options, option

Adjacency = Literal["explicit", "same_cube"]
AllyBonus = Literal["die", "skill_level_flat"]
AnalysisPair = Literal["mind_level", "intellect"]
AssistCapHolder = Literal["any_participant", "helper", "assisted"]
BodyBonusCap = Literal["body_level", "none"]
BotchScope = Literal["versus_difficulty", "any_check"]
CoreTreatment = Literal["house", "none"]
CureStacking = Literal["add", "best"]
DetectScope = Literal["own_type", "all_magic"]
EmptySecondRoll = Literal["fixed_one", "one_plus_flat"]
FlatPenaltyRoll = Literal["first", "second", "player"]
HdFromCheck = Literal["result", "half"]
Magic = Literal["on", "off"]
MaxLoadPenalty = Literal["additive", "dice_only"]
MaxSkillLevel = Literal["6", "none"]
PairDifficulty = Literal["current", "maximum"]
PowerPrerequisites = Literal["tier", "none"]
PowerTypos = Literal["corrected", "printed"]
ReanimateSets = Literal["all_core", "vitality_only"]
RecomposeScope = Literal["one_track", "all_tracks"]
ResistanceStacking = Literal["highest", "sum"]
ResourceScale = Literal["standard", "size_base", "double", "triple"]
RevealDifficulty = Literal["hidden", "shown"]
SkillAttributeSource = Literal["chapter2", "chapter6"]
SpendLastCore = Literal["allow", "forbid"]
TravelTable = Literal["linear", "printed"]
TumbleStacking = Literal["add", "highest"]


@dataclass(frozen=True, kw_only=True)
class StageOptions(Options):
    """The named variants of The Stage."""

    adjacency: Adjacency = option(
        "explicit", rule="stage.movement.cubes", about="how it is decided who is adjacent to whom within a cube"
    )
    ally_bonus: AllyBonus = option(
        "die",
        rule="stage.power_effect.ally_cube_bonus",
        about="the bonus that allies in the cube get from a power",
        typical={
            "die": "stage.flat dice=3 difficulty=9",
            "skill_level_flat": "stage.flat dice=2 difficulty=9 modifier=4",
        },
    )
    analysis_pair: AnalysisPair = option(
        "mind_level",
        rule="stage.academics.analysis",
        about="what the Difficulty to analyse a character adds to Sanity",
        typical={
            "mind_level": "stage.flat dice=3 difficulty=8",
            "intellect": "stage.flat dice=3 difficulty=6",
        },
    )
    assist_cap_holder: AssistCapHolder = option(
        "any_participant",
        rule="stage.check.assist",
        about="whose power to raise the limit on helpers counts",
        typical={
            "any_participant": "stage.flat dice=5 difficulty=15",
            "helper": "stage.flat dice=3 difficulty=15",
            "assisted": "stage.flat dice=5 difficulty=15",
        },
    )
    body_bonus_cap: BodyBonusCap = option(
        "body_level",
        rule="stage.modifier.special_flat",
        about="limit of special flat bonuses on Body",
        typical={
            "body_level": "stage.flat dice=2 difficulty=10 modifier=3",
            "none": "stage.flat dice=2 difficulty=10 modifier=5",
        },
    )
    botch_fails: bool = option(
        True,
        rule="stage.check.botch",
        about="whether a botch is a failure whatever the total",
        typical="stage.flat dice=3 difficulty=8 untrained=yes",
    )
    botch_scope: BotchScope = option(
        "versus_difficulty",
        rule="stage.check.botch",
        about="which checks can be botched",
        typical="stage.opposed dice=3 opposing=3 opposing_untrained=yes",
    )
    core_treatment: CoreTreatment = option(
        "house", rule="stage.healing.core", about="whether Medicine can restore Sanity and Spirit"
    )
    cure_stacking: CureStacking = option(
        "add",
        rule="stage.medicine.cure",
        about="whether several treatments before one attack of an ailment add up",
        typical={"add": "stage.flat dice=5 difficulty=22", "best": "stage.flat dice=5 difficulty=15"},
    )
    detect_scope: DetectScope = option(
        "own_type", rule="stage.magic.app_detect", about="which magic a skill of magic can detect"
    )
    empty_second_roll: EmptySecondRoll = option(
        "fixed_one",
        rule="stage.check.leveled",
        about="what a second roll without dice gives",
        typical="stage.leveled dice=1 difficulty=3 second=2",
    )
    flat_penalty_roll: FlatPenaltyRoll = option(
        "first",
        rule="stage.check.distribution",
        about="where free flat penalties of a leveled check go",
        typical="stage.leveled dice=5 difficulty=10 penalties=2",
    )
    hd_from_check: HdFromCheck = option(
        "result",
        rule="stage.power_effect.hd_from_check",
        about="the bonus to Hit Difficulty from powers with a check",
        typical={"result": "stage.flat dice=3 difficulty=10", "half": "stage.flat dice=3 difficulty=6"},
    )
    knockout_on_overflow: bool = option(
        False,
        rule="stage.attack.non_lethal_rules",
        about="whether non-lethal damage beyond the last Stamina knocks out at once",
    )
    magic: Magic = option(
        "on",
        rule="stage.option.magic",
        about="whether there are magic skills, spells and enchantments",
        changes="between_scenes",
    )
    max_increments: int = option(
        10, rule="stage.equipment.range_increment", about="how many range increments a weapon reaches", low=1, high=100
    )
    max_load_penalty: MaxLoadPenalty = option(
        "additive",
        rule="stage.encumbrance.loads",
        about="whether the flat penalty stays in the zone of the maximum load",
        typical={
            "additive": "stage.flat dice=2 difficulty=6 modifier=-4",
            "dice_only": "stage.flat dice=2 difficulty=6",
        },
    )
    max_skill_level: MaxSkillLevel = option(
        "6", rule="stage.character.skill_cost", about="the highest level that can be bought", changes="between_scenes"
    )
    pair_difficulty: PairDifficulty = option(
        "current",
        rule="stage.mount.control",
        about="whether a Difficulty of two tracks takes what is left or the maximum",
        typical={"current": "stage.flat dice=2 difficulty=5", "maximum": "stage.flat dice=2 difficulty=8"},
    )
    power_prerequisites: PowerPrerequisites = option(
        "tier",
        rule="stage.power.prerequisites",
        about="whether powers need levels and other powers",
        changes="between_scenes",
    )
    power_typos: PowerTypos = option(
        "corrected", rule="stage.power.typos", about="whether five slips of the tables are read as meant or as printed"
    )
    reanimate_sets: ReanimateSets = option(
        "all_core", rule="stage.medicine.reanimate", about="which core tracks somebody reanimated has 1 point of"
    )
    recompose_scope: RecomposeScope = option(
        "one_track", rule="stage.healing.recompose", about="how many tracks recomposing restores"
    )
    replacement_deficit: int = option(
        20,
        rule="stage.guidance.death",
        about="Character Points that a replacement has less than the group's average",
        low=0,
        high=1_000,
    )
    resistance_stacking: ResistanceStacking = option(
        "highest", rule="stage.equipment.armor", about="whether the Resistance of several components adds up"
    )
    resource_scale: ResourceScale = option(
        "standard",
        rule="stage.option.resource_scale",
        about="how large the six tracks are",
        changes="between_scenes",
    )
    reveal_difficulty: RevealDifficulty = option(
        "hidden", rule="stage.check.difficulty", about="whether players see Difficulties"
    )
    size_on_counter: bool = option(
        True,
        rule="stage.magic.app_counter_rules",
        about="whether Size and cover help who counters a spell",
        typical={
            True: "stage.opposed dice=2 opposing=2 difficulty_bonus=3",
            False: "stage.opposed dice=2 opposing=2",
        },
    )
    skill_attribute_source: SkillAttributeSource = option(
        "chapter2",
        rule="stage.skill.attributes",
        about="which chapter says the attribute of Apportation, Projection and Psionics",
        changes="between_scenes",
    )
    spend_last_core: SpendLastCore = option(
        "allow", rule="stage.resource.spend", about="whether a cost may take the last point of a core track"
    )
    starting_points: int = option(
        440,
        rule="stage.character.point_budget",
        about="Character Points of a new character",
        low=120,
        high=100_000,
        changes="between_scenes",
    )
    trap_ambush: bool = option(
        False, rule="stage.trap.attack", about="whether traps that were not detected have an Ambush advantage"
    )
    travel_table: TravelTable = option(
        "linear", rule="stage.travel.speed_table", about="whether distances follow the formula or the printed table"
    )
    tumble_stacking: TumbleStacking = option(
        "add",
        rule="stage.agility.tumble",
        about="whether a tumble and a dodge, parry or counter add up",
        typical={"add": "stage.flat dice=4 difficulty=17", "highest": "stage.flat dice=4 difficulty=10"},
    )
