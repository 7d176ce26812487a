"""The settings of fights, injury and healing that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

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

_ATTACK = "renaissance.attack target=60 dv=2d10+6 defences=fray:50 armor=6 ap=2 wound_threshold=6 balance=60"


@dataclass(frozen=True, kw_only=True)
class FightOptions(Options):
    """What a table decides about fights and what follows from them; the first value of each is the default."""

    initiative_tie: InitiativeTie = option(
        "higher_modifier_then_roll_off",
        rule="renaissance.turn.initiative_tie",
        about="how equal initiative is ordered: by the modifier and a further roll, or by the game master",
    )
    sustain_costs_quick_action: bool = option(
        True,
        rule="renaissance.combat.sustain_costs_quick_action",
        about="whether sustaining costs a quick action of every turn in combat",
    )
    battle_map: BattleMap = option(
        "square_1m",
        rule="renaissance.grid.other_maps",
        about="what is played on: squares of a metre; the other two are left to the table and take any ground",
    )
    shifts_per_day: int = option(
        1,
        rule="renaissance.mode.down_time_gm",
        about="how many shifts of a job are done in a day of down-time",
        low=0,
        high=3,
    )
    exceptional_halves_time: bool = option(
        False,
        rule="renaissance.gap.task.exceptional_time",
        about="whether an exceptional success at a task that is not rushed takes half the time",
        typical="renaissance.task target=60 minutes=60 --objective time",
    )
    attack_bonus_basis: AttackBonusBasis = option(
        "either",
        rule="renaissance.attack.bonus_basis",
        about="whether the extra damage of a good attack goes by the margin, by the grade, or by either",
        typical=_ATTACK + " --objective damage",
    )
    critical_attack: CriticalAttack = option(
        "roll_twice_best",
        rule="renaissance.attack.critical_rule",
        about="what a critical success on an attack does",
        typical=_ATTACK + " --objective damage",
    )
    touch_attack_rule: NearAttackRule = option(
        "plus20",
        rule="renaissance.touch.rule_option",
        about="how attacks that need only a touch are made",
    )
    indicate_attack_rule: NearAttackRule = option(
        "plus20",
        rule="renaissance.indicate.rule_option",
        about="how attacks that need only a pointing finger or a gaze are made",
    )
    scatter_method: ScatterMethod = option(
        "two_d10",
        rule="renaissance.ranged.scatter_method",
        about="how the square is found where a blast or a splash that misses lands",
        typical="renaissance.scatter --objective east",
    )
    strikes_and_maneuvers: bool = option(
        True,
        rule="renaissance.strike.enabled",
        about="whether the five strikes and the four maneuvers can be used",
    )
    maneuver_check: ManeuverCheck = option(
        "opposed",
        rule="renaissance.maneuver.check_option",
        about="whether a maneuver whose first roll fails fails, or both roll again",
        typical={
            "opposed": "renaissance.lucky_contest a=60 b=50 way=opposed",
            "ordered": "renaissance.lucky_contest a=60 b=50 way=ordered",
        },
    )
    grab_rule: GrabRule = option(
        "maneuver",
        rule="renaissance.grab.rule_option",
        about="whether grabbing is a maneuver, or an unarmed attack whose margin exceeds the target's STR",
    )
    multiple_target_scope: TargetScope = option(
        "multiple_attacks_only",
        rule="renaissance.multi.targets_scope",
        about="whether several targets cost 10 only with multiple attacks or with every attack on single targets",
    )
    resistance_rule: ResistanceRule = option(
        "scale_dv",
        rule="renaissance.resistance.rule_option",
        about="what resistance and vulnerability change",
        typical=_ATTACK + " vulnerability=-1 --objective damage",
    )
    full_defense: bool = option(
        True,
        rule="renaissance.defense.full_defense_option",
        about="whether there is an action to defend with all one has",
    )
    unarmed_penalty: bool = option(
        True,
        rule="renaissance.unarmed.penalty_option",
        about="whether bare hands have 10 less against weapons, in attack and in defence",
    )
    wound_boundary: WoundBoundary = option(
        "literal",
        rule="renaissance.injury.wound_boundary",
        about="whether damage equal to the Wound Threshold wounds",
        typical=_ATTACK + " --objective wounds",
    )
    wound_check: WoundCheck = option(
        "per_event",
        rule="renaissance.injury.wound_check",
        about="whether several wounds or traumas at once ask for one check or for one each",
        typical=_ATTACK + " --objective prone",
    )
    stress_boundary: StressBoundary = option(
        "over",
        rule="renaissance.stress.boundary",
        about="whether stress equal to a threshold exceeds it",
        typical="renaissance.stress sv=1d10+1 target=45 trauma_threshold=6 --objective traumas",
    )
    conditions_system: bool = option(
        True,
        rule="renaissance.condition.system_option",
        about="whether bleeding, burning and the like are kept by the program or by the game master",
    )
