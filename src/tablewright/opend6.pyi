"""Mechanics of OpenD6. Written by tools/stubs.py."""

from typing import Literal

from tablewright.engine.mechanic import Call, Mechanic
from tablewright.systems.opend6.mechanics.attack import Dealt
from tablewright.systems.opend6.mechanics.blows import Struck
from tablewright.systems.opend6.mechanics.checks import Side
from tablewright.systems.opend6.mechanics.contests import Contested
from tablewright.systems.opend6.mechanics.harm import Kept
from tablewright.systems.opend6.mechanics.points import Aimed, Mended
from tablewright.systems.opend6.mechanics.turn import Exchange, Initiative
from tablewright.systems.opend6.values import (
    Attempted,
    Checked,
    DieCode,
    DifficultyLevel,
    Fortune,
    Grouped,
    Improved,
    Pointed,
    Rolled,
)

class _Check(Mechanic[..., Checked]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        bonus: int = ...,
        character_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Checked]:
        """Roll a die code against a difficulty: meeting it succeeds, and how far it is beaten gives the level."""

class _Roll(Mechanic[..., Rolled]):
    def __call__(
        self,
        code: DieCode | str,
        bonus: int = ...,
        character_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Rolled]:
        """Roll a die code: one Wild Die, the others regular; the total, and what a Critical Failure did."""

class _Total(Mechanic[..., int]):
    def __call__(
        self,
        code: DieCode | str,
        bonus: int = ...,
        character_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[int]:
        """The bare total of a roll, as `opend6.roll` gives it."""

class _ResultPoints(Mechanic[..., Pointed]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        bonus: int = ...,
        character_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Pointed]:
        """Roll a die code against a difficulty: the result points are the total less the difficulty."""

class _Opposed(Mechanic[..., Side]):
    def __call__(
        self,
        initiator: DieCode | str,
        resister: DieCode | str,
        initiator_bonus: int = ...,
        resister_bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
        initiator_points: int = ...,
        resister_points: int = ...,
    ) -> Call[Side]:
        """Roll for both sides; the higher total wins, and a tie goes to the actor."""

class _WildDieOnly(Mechanic[..., Fortune]):
    def __call__(self) -> Call[Fortune]:
        """A task far below the skill is rolled with the Wild Die alone and succeeds; a 1 is a complication, a 6 luck."""

class _ImprovedCheck(Mechanic[..., Improved]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        character_points: int,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
        assumed: int | None = ...,
    ) -> Call[Improved]:
        """A check on which Character Points are spent by choice, before the roll and, one after the other, after it."""

class _Attempt(Mechanic[..., Attempted]):
    def __call__(
        self,
        code: DieCode | str | None,
        difficulty: int,
        fated: tuple[DieCode, ...] | str = ...,
        character_points: int = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        assumed: int | None = ...,
        bonus: int = ...,
        fated_bonus: tuple[int, ...] | str = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Attempted]:
        """A check with everything that can be spent on it: a Fate Point before the roll, Character Points before and after."""

class _Assisted(Mechanic[..., Checked]):
    def __call__(
        self,
        related: DieCode | str,
        related_difficulty: int,
        code: DieCode | str,
        difficulty: int,
        related_bonus: int = ...,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Checked]:
        """Roll a related skill first: half its result points are added to the total of the primary skill."""

class _GroupRoll(Mechanic[..., Grouped]):
    def __call__(
        self,
        code: DieCode | str,
        difficulties: tuple[int, ...] | str,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Grouped]:
        """One roll for a whole group: the same total is compared with every target's difficulty."""

class _BodyPoints(Mechanic[..., int]):
    def __call__(self, physique: DieCode | str, bonus: int = ...) -> Call[int]:
        """The Body Points of a new character: a Physique roll and 20; a 1 on the Wild Die just counts 1."""

class _NewDie(Mechanic[..., int]):
    def __call__(self) -> Call[int]:
        """Body Points for a new full die of Physique."""

class _UpperLimit(Mechanic[..., bool]):
    def __call__(
        self,
        new: DieCode | str,
        limit: DieCode | str = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[bool]:
        """Roll if an ability can still improve: the roll of the limit must reach that of the new code."""

class _DifficultyLevel(Mechanic[..., DifficultyLevel]):
    def __call__(self, difficulty: int) -> Call[DifficultyLevel]:
        """Look up the level of a difficulty number: 14 is moderate, 31 and more are legendary. Nothing is rolled."""

class _Contested(Mechanic[..., Contested]):
    def __call__(
        self,
        initiator: DieCode | str,
        resister: DieCode | str,
        initiator_bonus: int = ...,
        resister_bonus: int = ...,
        points: int = ...,
        their_points: int = ...,
        initiator_points: int = ...,
        resister_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Contested]:
        """Both sides roll and the higher total wins, a tie the side that started; the side behind may spend points."""

class _Attack(Mechanic[..., Struck]):
    def __call__(
        self,
        code: DieCode | str,
        penalty: int = ...,
        bonus: DieCode | str = ...,
        plain: int = ...,
        own_bonus: int = ...,
        difficulty: int = ...,
        harder: int = ...,
        easier: int = ...,
        damage: DieCode | str = ...,
        weapon: DieCode | str = ...,
        damage_plain: int = ...,
        strength_bonus: int = ...,
        fifth: bool = ...,
        halved: bool = ...,
        stun: bool = ...,
        harmless: bool = ...,
        resistance: DieCode | str = ...,
        armour: DieCode | str = ...,
        resistance_bonus: int = ...,
        resistance_plain: int = ...,
        level: Literal[
            "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
        ] = ...,
        levels: int = ...,
        points: int = ...,
        fate: int = ...,
        doubled: bool = ...,
        their_points: int = ...,
        their_fate: int = ...,
        their_doubled: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Struck]:
        """Roll an attack against a difficulty; a hit rolls damage against the resistance."""

class _Aim(Mechanic[..., Aimed]):
    def __call__(
        self,
        code: DieCode | str,
        penalty: int = ...,
        bonus: DieCode | str = ...,
        plain: int = ...,
        own_bonus: int = ...,
        assumed: int = ...,
        points: int = ...,
        fate: int = ...,
        doubled: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Aimed]:
        """Roll to hit, with points spent before the roll; the result is not declared yet."""

class _SkillRoll(Mechanic[..., Aimed]):
    def __call__(
        self,
        code: DieCode | str,
        penalty: int = ...,
        bonus: DieCode | str = ...,
        plain: int = ...,
        own_bonus: int = ...,
        assumed: int = ...,
        points: int = ...,
        fate: int = ...,
        doubled: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Aimed]:
        """Roll for something in a fight that is no attack, such as a defence, with everything spent before the roll."""

class _Mend(Mechanic[..., Mended]):
    def __call__(
        self, missing: int, left: int, gain: int = ..., spent: int = ..., open_ended: bool = ...
    ) -> Call[Mended]:
        """Spend Character Points on a roll that is made, one after the other, as long as it is not enough."""

class _Deal(Mechanic[..., Dealt]):
    def __call__(
        self,
        damage: DieCode | str,
        weapon: DieCode | str = ...,
        plain: int = ...,
        strength_bonus: int = ...,
        fate: int = ...,
        doubled: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Dealt]:
        """Roll the damage of a hit: Strength Damage, which a Fate Point doubles, and the weapon's."""

class _Deepen(Mechanic[..., Mended]):
    def __call__(self, left: int, gain: int = ..., spent: int = ...) -> Call[Mended]:
        """Spend Character Points on damage that was rolled, one after the other."""

class _Resist(Mechanic[..., Kept]):
    def __call__(
        self,
        damage: int,
        resistance: DieCode | str = ...,
        armour: DieCode | str = ...,
        resistance_bonus: int = ...,
        resistance_plain: int = ...,
        level: Literal[
            "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
        ] = ...,
        levels: int = ...,
        stun: bool = ...,
        fate: int = ...,
        doubled: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Kept]:
        """Resist damage: the excess over the total hurts. A Fate Point may be spent before the roll."""

class _Ease(Mechanic[..., Kept]):
    def __call__(
        self,
        over: int,
        left: int,
        level: Literal[
            "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
        ] = ...,
        levels: int = ...,
        stun: bool = ...,
        killing: bool = ...,
        spent: int = ...,
    ) -> Call[Kept]:
        """Spend Character Points on a resistance that was not enough, one after the other."""

class _Injure(Mechanic[..., Kept]):
    def __call__(
        self,
        damage: DieCode | str,
        resistance: DieCode | str = ...,
        armour: DieCode | str = ...,
        resistance_bonus: int = ...,
        resistance_plain: int = ...,
        level: Literal[
            "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
        ] = ...,
        levels: int = ...,
        doubled: bool = ...,
        plain: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        allow_mixing: bool = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        injury: Literal["wounds", "body_points"] = ...,
        negative_resistance: Literal["zero", "add_to_damage", "add_to_all_difficulties"] = ...,
        killing_blow: bool = ...,
        fate_stacking: Literal["off", "additive", "geometric"] = ...,
        ought_to_succeed: bool = ...,
        their_simplification: Literal["none", "five_dice", "wild_die_only", "quick"] | None = ...,
        they_ought_to_succeed: bool = ...,
    ) -> Call[Kept]:
        """Roll damage that is no attack's, such as a choking hand's, against a resistance on which nothing is spent."""

class _Initiative(Mechanic[..., Initiative]):
    def __call__(
        self,
        acumen: DieCode | str,
        bonus: int = ...,
        bonus_dice: int = ...,
        points: int = ...,
        challenge_level: Literal["easy", "cinematic", "universe_shaking"] = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Initiative]:
        """Roll Acumen for a place in the order; Character Points may go on it, Fate Points never."""

class _Success(Mechanic[..., bool]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[bool]:
        """Roll against a difficulty in a fight, for success or failure only."""

class _SeveralActions(Mechanic[..., int]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        most: int = ...,
        allotment: int = ...,
        zero_rule: Literal["own_code_below_1d", "net_pool_below_1d", "exactly_zero"] = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[int]:
        """Choose how many actions to declare for a round: each beyond the allotment takes a die from all of them."""

class _ChooseDefence(Mechanic[..., Exchange]):
    def __call__(
        self,
        attack: DieCode | str,
        defence: DieCode | str,
        difficulty: int,
        foe: DieCode | str,
        attacks: int = ...,
        modifier: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[Exchange]:
        """Full defence, partial defence or none: attack with all dice, attack and defend at a die less, or only defend."""

class _PrepareOrAct(Mechanic[..., int]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        rounds: int = ...,
        aiming: bool = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[int]:
        """Within so many rounds: act in every one of them, or prepare first and act with more dice in those left."""

class _FateNowOrLater(Mechanic[..., int]):
    def __call__(
        self,
        code: DieCode | str,
        difficulty: int,
        later: tuple[DieCode, ...] | str,
        later_difficulty: int,
        penalty: int = ...,
        fate_points: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[int]:
        """A Fate Point doubles one roll of the round: this one, or one of those that come later."""

class _NaturalHealing(
    Mechanic[
        ..., Literal["healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"]
    ]
):
    def __call__(
        self,
        physique: DieCode | str,
        wound: Literal[
            "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
        ],
        dice: int = ...,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[
        Literal["healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"]
    ]:
        """After the rest that a level takes a Physique roll says whether it gets better; a Critical Failure is worse."""

class _Regained(Mechanic[..., int]):
    def __call__(
        self,
        code: DieCode | str,
        bonus: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[int]:
        """The Body Points that a roll of Physique, or of the healing skill, gives back."""

class _BreakObject(Mechanic[..., bool]):
    def __call__(
        self,
        damage: DieCode | str,
        toughness: DieCode | str,
        destroyed_at: int = ...,
        critical_failure: Literal["cancel", "complication", "ask"] = ...,
        cancel_scope: Literal["wild_and_highest", "highest_only"] = ...,
        cancel_reaches_cp_dice: bool = ...,
        normalise_rolled_pips: bool = ...,
        simplification: Literal["none", "five_dice", "wild_die_only", "quick"] = ...,
        ought_to_succeed: bool = ...,
        bare_pips: bool = ...,
    ) -> Call[bool]:
        """Roll if damage destroys an item: it must exceed the toughness by ten."""

check: _Check
roll: _Roll
total: _Total
result_points: _ResultPoints
opposed: _Opposed
wild_die_only: _WildDieOnly
improved_check: _ImprovedCheck
attempt: _Attempt
assisted: _Assisted
group_roll: _GroupRoll
body_points: _BodyPoints
new_die: _NewDie
upper_limit: _UpperLimit
difficulty_level: _DifficultyLevel
contested: _Contested
attack: _Attack
aim: _Aim
skill_roll: _SkillRoll
mend: _Mend
deal: _Deal
deepen: _Deepen
resist: _Resist
ease: _Ease
injure: _Injure
initiative: _Initiative
success: _Success
several_actions: _SeveralActions
choose_defence: _ChooseDefence
prepare_or_act: _PrepareOrAct
fate_now_or_later: _FateNowOrLater
natural_healing: _NaturalHealing
regained: _Regained
break_object: _BreakObject
