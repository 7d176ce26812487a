"""Rule options that the book leaves to the game master, with their defaults (stage.option.index)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.rules.options import RuleOptions, rule_option

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
class StageOptions(RuleOptions):
    """The named variants of The Stage."""

    adjacency: Adjacency = rule_option(
        "explicit",
        rule="stage.movement.cubes",
        description="the rule for adjacency within a cube",
        effect="Neighbours in one cube are within reach only where the scene says so, or always.",
    )
    ally_bonus: AllyBonus = rule_option(
        "die",
        rule="stage.power_effect.ally_cube_bonus",
        description="the bonus that allies in the cube get from a power",
        typical={
            "die": "stage.flat dice=3 difficulty=9",
            "skill_level_flat": "stage.flat dice=2 difficulty=9 modifier=4",
        },
    )
    analysis_pair: AnalysisPair = rule_option(
        "mind_level",
        rule="stage.academics.analysis",
        description="the number added to Sanity in the Difficulty to analyse a character",
        typical={
            "mind_level": "stage.flat dice=3 difficulty=8",
            "intellect": "stage.flat dice=3 difficulty=6",
        },
    )
    assist_cap_holder: AssistCapHolder = rule_option(
        "any_participant",
        rule="stage.check.assist",
        description="the holder whose power raises the limit on helpers",
        typical={
            "any_participant": "stage.flat dice=5 difficulty=15",
            "helper": "stage.flat dice=3 difficulty=15",
            "assisted": "stage.flat dice=5 difficulty=15",
        },
    )
    body_bonus_cap: BodyBonusCap = rule_option(
        "body_level",
        rule="stage.modifier.special_flat",
        description="limit of special flat bonuses on Body",
        typical={
            "body_level": "stage.flat dice=2 difficulty=10 modifier=3",
            "none": "stage.flat dice=2 difficulty=10 modifier=5",
        },
    )
    botch_fails: bool = rule_option(
        True,
        rule="stage.check.botch",
        description="whether a botch fails whatever the total",
        typical="stage.flat dice=3 difficulty=8 untrained=yes",
    )
    botch_scope: BotchScope = rule_option(
        "versus_difficulty",
        rule="stage.check.botch",
        description="the checks that can be botched",
        typical="stage.opposed dice=3 opposing=3 opposing_untrained=yes",
    )
    core_treatment: CoreTreatment = rule_option(
        "house",
        rule="stage.healing.core",
        description="whether Medicine can restore Sanity and Spirit",
        effect="With house, Medicine also treats Sanity and Spirit; with none, only spells and powers restore them.",
    )
    cure_stacking: CureStacking = rule_option(
        "add",
        rule="stage.medicine.cure",
        description="whether several treatments before one attack of an ailment add up",
        typical={"add": "stage.flat dice=5 difficulty=22", "best": "stage.flat dice=5 difficulty=15"},
    )
    detect_scope: DetectScope = rule_option(
        "own_type",
        rule="stage.magic.app_detect",
        description="the magic that a magic skill can detect",
        effect="Detecting finds magic of the skill's own type, or of every type.",
    )
    empty_second_roll: EmptySecondRoll = rule_option(
        "fixed_one",
        rule="stage.check.leveled",
        description="the result of a second roll without dice",
        typical="stage.leveled dice=1 difficulty=3 second=2",
    )
    flat_penalty_roll: FlatPenaltyRoll = rule_option(
        "first",
        rule="stage.check.distribution",
        description="the roll for free flat penalties of a leveled check",
        typical="stage.leveled dice=5 difficulty=10 penalties=2",
    )
    hd_from_check: HdFromCheck = rule_option(
        "result",
        rule="stage.power_effect.hd_from_check",
        description="the bonus to Hit Difficulty from powers with a check",
        typical={"result": "stage.flat dice=3 difficulty=10", "half": "stage.flat dice=3 difficulty=6"},
    )
    knockout_on_overflow: bool = rule_option(
        False,
        rule="stage.attack.non_lethal_rules",
        description="whether non-lethal damage beyond the last Stamina knocks out at once",
        effect="With yes, non-lethal damage beyond the last Stamina knocks out; with no, it takes one more hit at 0.",
    )
    magic: Magic = rule_option(
        "on",
        rule="stage.option.magic",
        description="whether there are magic skills, spells and enchantments",
        changes="between_scenes",
        effect="With off, magic skills, spells and enchantments are in no list and cannot be bought.",
    )
    max_increments: int = rule_option(
        10,
        rule="stage.equipment.range_increment",
        description="the number of range increments that a weapon reaches",
        low=1,
        high=100,
        effect="Targets beyond so many range increments cannot be attacked at all.",
    )
    max_load_penalty: MaxLoadPenalty = rule_option(
        "additive",
        rule="stage.encumbrance.loads",
        description="whether the flat penalty stays in the zone of the maximum load",
        typical={
            "additive": "stage.flat dice=2 difficulty=6 modifier=-4",
            "dice_only": "stage.flat dice=2 difficulty=6",
        },
    )
    max_skill_level: MaxSkillLevel = rule_option(
        "6",
        rule="stage.character.skill_cost",
        description="the highest level that can be bought",
        changes="between_scenes",
        effect="No level above this one can be bought; with none, only points are the limit.",
    )
    pair_difficulty: PairDifficulty = rule_option(
        "current",
        rule="stage.mount.control",
        description="whether a Difficulty of two tracks takes what is left or the maximum",
        typical={"current": "stage.flat dice=2 difficulty=5", "maximum": "stage.flat dice=2 difficulty=8"},
    )
    power_prerequisites: PowerPrerequisites = rule_option(
        "tier",
        rule="stage.power.prerequisites",
        description="whether powers need levels and other powers",
        changes="between_scenes",
        effect="With tier, a power is offered only with the levels and powers it needs; with none, always.",
    )
    power_typos: PowerTypos = rule_option(
        "corrected",
        rule="stage.power.typos",
        description="whether five slips of the tables are read as meant or as printed",
        effect="Five powers do what their text means, or literally what is printed.",
    )
    reanimate_sets: ReanimateSets = rule_option(
        "all_core",
        rule="stage.medicine.reanimate",
        description="the core tracks with 1 point after reanimation",
        effect="Reanimation leaves one point in every core track, or in Vitality alone.",
    )
    recompose_scope: RecomposeScope = rule_option(
        "one_track",
        rule="stage.healing.recompose",
        description="the tracks that recomposing restores",
        effect="Recomposing restores one of Stamina, Intellect and Will, or all three.",
    )
    replacement_deficit: int = rule_option(
        20,
        rule="stage.guidance.death",
        description="Character Points that a replacement has less than the group's average",
        low=0,
        high=1_000,
        effect="A replacement character starts with so many Character Points below the average of the group.",
    )
    resistance_stacking: ResistanceStacking = rule_option(
        "highest",
        rule="stage.equipment.armor",
        description="whether the Resistance of several components adds up",
        typical={
            "highest": "stage.attack forms=plain/3d difficulty=3 resistance=1",
            "sum": "stage.attack forms=plain/3d difficulty=3 resistance=2",
        },
    )
    resource_scale: ResourceScale = rule_option(
        "standard",
        rule="stage.option.resource_scale",
        description="the size of the six tracks",
        typical={
            "standard": "stage.flat dice=3 difficulty=4",
            "size_base": "stage.flat dice=3 difficulty=18",
            "double": "stage.flat dice=3 difficulty=8",
            "triple": "stage.flat dice=3 difficulty=12",
        },
        changes="between_scenes",
    )
    reveal_difficulty: RevealDifficulty = rule_option(
        "hidden",
        rule="stage.check.difficulty",
        description="whether players see Difficulties",
        effect="With hidden, players learn only whether they succeeded; with shown, they see each Difficulty.",
    )
    size_on_counter: bool = rule_option(
        True,
        rule="stage.magic.app_counter_rules",
        description="whether Size and cover help to counter a spell",
        typical={
            True: "stage.opposed dice=2 opposing=2 difficulty_bonus=3",
            False: "stage.opposed dice=2 opposing=2",
        },
    )
    skill_attribute_source: SkillAttributeSource = rule_option(
        "chapter2",
        rule="stage.skill.attributes",
        description="the chapter that decides the attribute of Apportation, Projection and Psionics",
        changes="between_scenes",
        effect="Decides which attribute is rolled with three skills, by the one chapter or the other.",
    )
    spend_last_core: SpendLastCore = rule_option(
        "allow",
        rule="stage.resource.spend",
        description="whether a cost may take the last point of a core track",
        effect="With allow, a cost may take the last core point and bring its user down; with forbid, it is refused.",
    )
    starting_points: int = rule_option(
        440,
        rule="stage.character.point_budget",
        description="Character Points of a new character",
        low=120,
        high=100_000,
        changes="between_scenes",
        effect="A new character is built with so many Character Points.",
    )
    trap_ambush: bool = rule_option(
        False,
        rule="stage.trap.attack",
        description="whether traps that were not detected have an Ambush advantage",
        typical={
            False: "stage.attack forms=plain/4d difficulty=3 bonuses=3 defences=dodge/2d/ap1",
            True: "stage.attack forms=plain/4d difficulty=3 bonuses=3",
        },
    )
    travel_table: TravelTable = rule_option(
        "linear",
        rule="stage.travel.speed_table",
        description="whether distances follow the formula or the printed table",
        effect="The way covered in a time follows the formula for the speed, or the printed table.",
    )
    tumble_stacking: TumbleStacking = rule_option(
        "add",
        rule="stage.agility.tumble",
        description="whether a tumble and a dodge, parry or counter add up",
        typical={"add": "stage.flat dice=4 difficulty=17", "highest": "stage.flat dice=4 difficulty=10"},
    )
