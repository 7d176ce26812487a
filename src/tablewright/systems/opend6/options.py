"""The settings that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import Options, option

CriticalFailureRule: TypeAlias = Literal["cancel", "complication", "ask"]
CancelScope: TypeAlias = Literal["wild_and_highest", "highest_only"]
Simplification: TypeAlias = Literal["none", "five_dice", "wild_die_only", "quick"]
ChallengeLevel: TypeAlias = Literal["easy", "cinematic", "universe_shaking"]
WildDieOnly: TypeAlias = Literal["off", "gm_choice"]


@dataclass(frozen=True, kw_only=True)
class OpenD6Options(Options):
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
