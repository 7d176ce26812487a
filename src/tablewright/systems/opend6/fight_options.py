"""The settings of fights, injuries and movement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

InitiativeMethod: TypeAlias = Literal["first_action", "roll_once_per_scene", "roll_each_round", "no_roll"]
FinalTie: TypeAlias = Literal["players_then_random", "random"]
InitiativeBonus: TypeAlias = Literal["off", "cumulative", "best_only"]
DamageBonus: TypeAlias = Literal["all", "important_characters", "off"]
Layering: TypeAlias = Literal["one_suit", "layers"]
NegativeResistance: TypeAlias = Literal["zero", "add_to_damage", "add_to_all_difficulties"]


@dataclass(frozen=True, kw_only=True)
class FightOptions(Options):
    """What a table settles about fights."""

    initiative_method: InitiativeMethod = option(
        "roll_each_round",
        name="initiative.method",
        rule="opend6.initiative.method",
        about="who acts when: by the first significant action, by rolls once or every round, or by comparing codes",
    )
    final_tie: FinalTie = option(
        "players_then_random",
        name="initiative.final_tie",
        rule="opend6.initiative.ties",
        about="what decides where initiative and all six factors are equal",
    )
    initiative_bonus: InitiativeBonus = option(
        "off",
        name="initiative.bonus",
        rule="opend6.initiative.bonus",
        about="whether search and Agility add to initiative",
    )
    always_action: bool = option(
        False, name="move.always_action", rule="opend6.action.move", about="whether every movement takes an action"
    )
    damage_bonus: DamageBonus = option(
        "all",
        name="result.damage_bonus",
        rule="opend6.result.fifth_damage",
        about="whose result points of an attack add to damage, a fifth of them",
    )
    passive_bonus: bool = option(
        False,
        name="defence.passive_bonus",
        rule="opend6.gap.defence.passive_bonus",
        about="whether a high Agility or dodge raises the passive defence",
    )
    free_partial: Literal["never", "ask"] = option(
        "never",
        name="defence.free_partial",
        rule="opend6.gap.defence.free_partial",
        about="whether the game master may grant a partial defence as a free action to somebody who is attacked",
    )
    rolled_modifiers: bool = option(
        False,
        name="attack.rolled_modifiers",
        rule="opend6.gap.attack.modifier_style",
        about="whether modifiers that are dice in the book are rolled instead of counted at three a die",
    )
    unwieldy: bool = option(
        True,
        name="attack.unwieldy",
        rule="opend6.gap.attack.unwieldy",
        about="whether weapons longer than 60 cm are harder to hit with",
    )
    hit_locations: bool = option(
        False,
        name="attack.hit_locations",
        rule="opend6.gap.attack.hit_location",
        about="whether attacks can be aimed at parts of the body, with what that does to damage",
    )
    surprise_rule: Literal["act_first", "bonus_die"] = option(
        "act_first",
        name="attack.surprise",
        rule="opend6.gap.attack.surprise",
        about="what surprise gives those who are not surprised: they act first, or have a die more in the first round",
    )
    thrown_range: Literal["fixed", "rolled"] = option(
        "fixed",
        name="range.physique",
        rule="opend6.gap.range.physique",
        about="whether a range that depends on Physique is four a die, or rolled with every throw",
    )
    stunned_effect: Literal["penalty", "defend_only"] = option(
        "penalty",
        name="injury.stunned",
        rule="opend6.gap.wound.stunned",
        about="whether a Stun takes a die from all actions, or all actions but defence and retreat in the next round",
    )
    killing_blow: bool = option(
        False,
        name="injury.killing_blow",
        rule="opend6.gap.damage.killing_blow",
        about="whether a blow that takes nearly everything kills at once",
        typical="opend6.attack code=4D difficulty=10 damage=2D weapon=3D resistance=3D",
    )
    massive_damage: bool = option(
        False,
        name="injury.massive_damage",
        rule="opend6.gap.damage.massive",
        about="whether two levels lost in one round shake somebody for two rounds",
    )
    negative_resistance: NegativeResistance = option(
        "zero",
        name="resistance.negative",
        rule="opend6.gap.resistance.negative",
        about="what a resistance below zero does",
        typical="opend6.attack code=4D difficulty=10 damage=2D weapon=2D resistance=1D resistance_bonus=-8",
    )
    max_resistance: bool = option(
        False,
        name="resistance.max",
        rule="opend6.gap.resistance.max",
        about="whether at most 6D resist damage",
    )
    armour_layering: Layering = option(
        "one_suit",
        name="armour.layering",
        rule="opend6.gap.armour.layering",
        about="whether suits of different kinds may be worn over each other: a dodge in two of them is 4 harder",
        typical={
            "one_suit": "opend6.check code=4D difficulty=10",
            "layers": "opend6.check code=4D difficulty=14",
        },
    )
    movement_maximum: bool = option(
        True,
        name="move.maximum",
        rule="opend6.gap.movement.maximum",
        about="whether nobody covers more than four times their Move in a round",
    )
