"""Mechanics of The Stage. Written by tools/stubs.py."""

from typing import Literal

from tablewright.engine.mechanic import Call, Mechanic
from tablewright.systems.stage.mechanics.attack import Maneuver
from tablewright.systems.stage.mechanics.checks import (
    FlatResult,
    LeveledResult,
    OpposedLeveledResult,
    OpposedResult,
    SetResult,
)
from tablewright.systems.stage.mechanics.forms import Block, Defence, Form
from tablewright.systems.stage.mechanics.harm import Attack
from tablewright.systems.stage.mechanics.rerolls import ContestResult, ReSetResult, RerolledResult
from tablewright.systems.stage.mechanics.turn import Course, Shots

class _Flat(Mechanic[..., FlatResult]):
    def __call__(
        self, dice: int, difficulty: int, modifier: int = ..., untrained: bool = ..., botch_fails: bool = ...
    ) -> Call[FlatResult]:
        """Roll the whole pool at once; a result of at least the Difficulty succeeds."""

class _Leveled(Mechanic[..., LeveledResult]):
    def __call__(
        self,
        dice: int,
        difficulty: int,
        first: int = ...,
        second: int = ...,
        bonuses: tuple[int, ...] | str = ...,
        penalties: tuple[int, ...] | str = ...,
        untrained: bool = ...,
        botch_fails: bool = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
        flat_penalty_roll: Literal["first", "second", "player"] = ...,
    ) -> Call[LeveledResult]:
        """Split the pool, roll the first part against the Difficulty and, after a success, the second part for the effect."""

class _LeveledSplit(Mechanic[..., LeveledResult]):
    def __call__(
        self,
        first_dice: int,
        second_dice: int,
        first: int,
        second: int,
        difficulty: int,
        untrained: bool = ...,
        botch_fails: bool = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
    ) -> Call[LeveledResult]:
        """A check in two rolls whose split is fixed: the second part of the dice is rolled only if the first succeeds."""

class _SetDifficulty(Mechanic[..., SetResult]):
    def __call__(
        self,
        dice: int,
        modifier: int = ...,
        untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
    ) -> Call[SetResult]:
        """Roll a check whose result is a Difficulty for another character, or points; it has no Difficulty itself."""

class _Opposed(Mechanic[..., OpposedResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        difficulty_bonus: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
    ) -> Call[OpposedResult]:
        """The defender's check sets the Difficulty, then the whole pool is rolled against it; a tie is a success."""

class _OpposedLeveled(Mechanic[..., OpposedLeveledResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        first: int = ...,
        second: int = ...,
        bonuses: tuple[int, ...] | str = ...,
        penalties: tuple[int, ...] | str = ...,
        opposing_modifier: int = ...,
        difficulty_bonus: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
        flat_penalty_roll: Literal["first", "second", "player"] = ...,
    ) -> Call[OpposedLeveledResult]:
        """A check in two rolls, such as an attack, against a Difficulty that the defender rolls after the split is fixed."""

class _OpposedSplit(Mechanic[..., OpposedLeveledResult]):
    def __call__(
        self,
        first_dice: int,
        second_dice: int,
        first: int,
        second: int,
        opposing: int,
        opposing_modifier: int = ...,
        difficulty_bonus: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
    ) -> Call[OpposedLeveledResult]:
        """An opposed check in two rolls whose split is fixed."""

class _Unnoticed(Mechanic[..., OpposedResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
    ) -> Call[OpposedResult]:
        """Hide, conceal or steal: the result is the Difficulty for the observer, so that a tie favours the observer."""

class _Compete(Mechanic[..., bool]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
    ) -> Call[bool]:
        """Both roll, the higher result wins; ties are rolled again."""

class _FlatAgain(Mechanic[..., RerolledResult]):
    def __call__(
        self,
        dice: int,
        difficulty: int,
        modifier: int = ...,
        untrained: bool = ...,
        botch_fails: bool = ...,
        rerolls: int = ...,
        used: int = ...,
    ) -> Call[RerolledResult]:
        """A flat check that may be rolled again after its dice were seen, for the price of a power each time."""

class _SetAgain(Mechanic[..., ReSetResult]):
    def __call__(
        self,
        dice: int,
        modifier: int = ...,
        untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        rerolls: int = ...,
        used: int = ...,
    ) -> Call[ReSetResult]:
        """A check that sets a Difficulty or gives points, and may be rolled again after its dice were seen."""

class _OpposedAgain(Mechanic[..., ContestResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        rerolls: int = ...,
        opposing_rerolls: int = ...,
        used: int = ...,
        opposing_used: int = ...,
    ) -> Call[ContestResult]:
        """The defender's check sets the Difficulty for the pool; each side may roll its own check again."""

class _UnnoticedAgain(Mechanic[..., ContestResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        rerolls: int = ...,
        opposing_rerolls: int = ...,
        used: int = ...,
        opposing_used: int = ...,
    ) -> Call[ContestResult]:
        """Hide, conceal or steal with rerolls on either side: the result is the Difficulty for the observer."""

class _CompeteAgain(Mechanic[..., ContestResult]):
    def __call__(
        self,
        dice: int,
        opposing: int,
        modifier: int = ...,
        opposing_modifier: int = ...,
        untrained: bool = ...,
        opposing_untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        rerolls: int = ...,
        opposing_rerolls: int = ...,
        used: int = ...,
        opposing_used: int = ...,
    ) -> Call[ContestResult]:
        """Both roll, either may reroll, the higher result wins; both roll ties again for free."""

class _Attack(Mechanic[..., Attack]):
    def __call__(
        self,
        forms: tuple[Form, ...] | str,
        difficulty: int = ...,
        bonuses: int = ...,
        defences: tuple[Defence, ...] | str = ...,
        resistance: int = ...,
        blocks: tuple[Block, ...] | str = ...,
        deflections: tuple[Block, ...] | str = ...,
        absorptions: tuple[Block, ...] | str = ...,
        left: int = ...,
        may_pay_last: bool = ...,
        ap: int = ...,
        others: int = ...,
        ally_ap: int = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
        flat_penalty_roll: Literal["first", "second", "player"] = ...,
    ) -> Call[Attack]:
        """Split the pool, let the target defend, roll to hit and, after a hit, the damage; Resistance and blocks stop it."""

class _Maneuver(Mechanic[..., Maneuver]):
    def __call__(
        self,
        dice: int,
        modifier: int = ...,
        difficulty: int = ...,
        bonuses: int = ...,
        defences: tuple[Defence, ...] | str = ...,
        left: int = ...,
        may_pay_last: bool = ...,
        untrained: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
        flat_penalty_roll: Literal["first", "second", "player"] = ...,
        announced: tuple[Form, ...] | str = ...,
        opposed_dice: int = ...,
        opposed_flat: int = ...,
    ) -> Call[Maneuver]:
        """Hit a target with one roll and without damage: disarm, trip, push, or a spell; the target defends as usual."""

class _Shooting(Mechanic[..., Shots]):
    def __call__(
        self,
        dice: int,
        bonuses: tuple[int, ...] | str = ...,
        penalties: tuple[int, ...] | str = ...,
        difficulty: int = ...,
        dodge: int = ...,
        ap: int = ...,
        resistance: int = ...,
        blocks: tuple[Block, ...] | str = ...,
        sniper: int = ...,
        left: int = ...,
        may_pay_last: bool = ...,
        botch_fails: bool = ...,
        botch_scope: Literal["versus_difficulty", "any_check"] = ...,
        empty_second_roll: Literal["fixed_one", "one_plus_flat"] = ...,
        flat_penalty_roll: Literal["first", "second", "player"] = ...,
    ) -> Call[Shots]:
        """Snipe with a die more, or shoot twice; the target dodges as long as it has AP, and blocks what gets through."""

class _Initiative(Mechanic[..., int]):
    def __call__(self, dice: int, modifier: int = ..., opens: bool = ...) -> Call[int]:
        """Agility (initiative) of a group's first member; the group that opens hostilities has every die at 6."""

class _ActsFirst(Mechanic[..., bool]):
    def __call__(
        self,
        dice: int,
        against: int,
        situation: Literal["simultaneous", "opens", "opened_on", "ambushes", "ambushed"] = ...,
    ) -> Call[bool]:
        """Roll if a group acts before another: the higher result does, equals roll again, an ambush always does."""

class _Dice(Mechanic[..., int]):
    def __call__(self, dice: int, plus: int = ...) -> Call[int]:
        """The sum of some dice, never below 0: points that a spell restores, hours of a knock-out."""

class _EvenChance(Mechanic[..., bool]):
    def __call__(self) -> Call[bool]:
        """A chance of one half, 1 to 3 on a die: an action that needs sight fails in darkness, a trap springs."""

class _Falling(Mechanic[..., int]):
    def __call__(
        self, dice: int, landing: int = ..., modifier: int = ..., factor: int = ..., divisor: int = ...
    ) -> Call[int]:
        """Damage of a fall, less the result of Athletics (land); gravity counts before that."""

class _AilmentAttacks(Mechanic[..., bool]):
    def __call__(self, level: int, difficulty: int) -> Call[bool]:
        """A poison or disease rolls its level in dice; at least the Difficulty, and its carrier suffers the effect."""

class _AilmentCourse(Mechanic[..., Course]):
    def __call__(
        self, level: int, difficulty: int, attacks: int = ..., damage: int = ..., withstood: int = ..., used: int = ...
    ) -> Call[Course]:
        """Follow a poison or disease attack by attack: withstood as often in a row as its level, it is cured."""

class _Radiation(Mechanic[..., bool]):
    def __call__(self) -> Call[bool]:
        """A day in weak radiation: 1 in 6 to fall sick."""

class _LosesHeart(Mechanic[..., bool]):
    def __call__(self) -> Call[bool]:
        """A creature of the game master without Stamina flees on 4 or more."""

flat: _Flat
leveled: _Leveled
leveled_split: _LeveledSplit
set_difficulty: _SetDifficulty
opposed: _Opposed
opposed_leveled: _OpposedLeveled
opposed_split: _OpposedSplit
unnoticed: _Unnoticed
compete: _Compete
flat_again: _FlatAgain
set_again: _SetAgain
opposed_again: _OpposedAgain
unnoticed_again: _UnnoticedAgain
compete_again: _CompeteAgain
attack: _Attack
maneuver: _Maneuver
shooting: _Shooting
initiative: _Initiative
acts_first: _ActsFirst
dice: _Dice
even_chance: _EvenChance
falling: _Falling
ailment_attacks: _AilmentAttacks
ailment_course: _AilmentCourse
radiation: _Radiation
loses_heart: _LosesHeart
