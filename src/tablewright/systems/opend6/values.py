"""Vocabulary of the rules as values, with their notations and tables."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, get_args

from tablewright.errors import InvalidInputError
from tablewright.systems.opend6.options import ChallengeLevel, Simplification

PIPS_PER_DIE = 3  # opend6.dice.die_code
MOST_DICE = 100
MOST_PIPS = 300

_DIE_CODE = re.compile(r"([0-9]{1,3})D(?:([+-])([0-9]{1,3}))?", re.ASCII | re.IGNORECASE)


class DieCode(NamedTuple):
    """A die code such as 4D+1, from 0D to 100D.

    >>> DieCode.parse("4d + 1")
    DieCode(dice=4, pips=1)
    >>> str(DieCode(8, 4)), str(DieCode(8, 4).normalised())
    ('8D+4', '9D+1')
    """

    dice: int
    pips: int = 0

    @staticmethod
    def parse(text: str) -> DieCode:
        """Read ``ND``, ``ND+P`` or ``ND-P``, in either case and with spaces anywhere but inside numbers."""
        match = _DIE_CODE.fullmatch(re.sub(r"(?<![0-9]) +| +(?![0-9])", "", text))
        if match is None:
            raise InvalidInputError(
                f'"{text[:40]}" is not a die code; write 4D, 4D+1 or 4D+2', rule="opend6.dice.die_code"
            )
        dice, sign, pips = match.groups()
        return DieCode(int(dice), int(f"{sign}{pips}") if sign else 0).checked()

    def checked(self) -> DieCode:
        """The die code itself if it is within bounds."""
        if not 0 <= self.dice <= MOST_DICE or abs(self.pips) > MOST_PIPS:
            raise InvalidInputError(
                f"{self} is out of bounds; 0D to {MOST_DICE}D with up to {MOST_PIPS} pips can be used"
            )
        return self

    def normalised(self) -> DieCode:
        """The same worth with no, one or two pips: how codes are stored.

        >>> str(DieCode(2, 3).normalised()), str(DieCode(4, -1).normalised())
        ('3D', '3D+2')
        """
        dice, pips = divmod(self.dice * PIPS_PER_DIE + self.pips, PIPS_PER_DIE)
        return DieCode(dice, pips).checked()

    def plus(self, bonus: DieCode | int) -> DieCode:
        """Sum with a bonus: a die code adds its dice and its pips, a plain number only to the total.

        >>> str(DieCode(4).plus(DieCode(1, 2)))
        '5D+2'
        """
        if isinstance(bonus, DieCode):
            return DieCode(self.dice + bonus.dice, self.pips + bonus.pips).checked()
        return DieCode(self.dice, self.pips + bonus).checked()

    def times(self, factor: int) -> DieCode:
        """Dice and pips multiplied, as a Fate Point doubles them; the pips are not turned into dice.

        >>> str(DieCode(4, 2).times(2))
        '8D+4'
        """
        return DieCode(self.dice * factor, self.pips * factor).checked()

    @staticmethod
    def of_pips(pips: int) -> DieCode:
        """Code worth a number of pips.

        >>> str(DieCode.of_pips(10)), str(DieCode.of_pips(2))
        ('3D+1', '0D+2')
        """
        return DieCode(*divmod(pips, PIPS_PER_DIE)).checked()

    @staticmethod
    def between(first: DieCode, last: DieCode) -> list[DieCode]:
        """Every code from one to another, pip by pip.

        >>> [str(code) for code in DieCode.between(DieCode(3, 2), DieCode(4, 1))]
        ['3D+2', '4D', '4D+1']
        """
        low, high = first.in_pips, last.in_pips
        return [DieCode.of_pips(pips) for pips in (range(low, high + 1) if low <= high else range(low, high - 1, -1))]

    @property
    def in_pips(self) -> int:
        """Worth of the code at three pips a die, for comparisons and sums.

        >>> DieCode(3, 1).in_pips
        10
        """
        return self.dice * PIPS_PER_DIE + self.pips

    @property
    def derived_difficulty(self) -> int:
        """The difficulty of acting on a character who opposes with this code.

        >>> DieCode(3).derived_difficulty
        6
        """
        return 2 * self.dice + self.pips  # opend6.special.derived

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.dice}D{self.pips:+d}" if self.pips else f"{self.dice}D"


class CriticalFailure(Enum):
    """Consequence of a 1 on the first toss of the Wild Die, if there was one."""

    NONE = "none"
    CANCEL = "cancel"
    COMPLICATION = "complication"


class Rolled(NamedTuple):
    """Result of a roll."""

    total: int
    critical_failure: CriticalFailure


class Level(Enum):
    """Levels of success, least first."""

    MINIMAL = "minimal"
    SOLID = "solid"
    GOOD = "good"
    SUPERIOR = "superior"
    SPECTACULAR = "spectacular"
    INCREDIBLE = "incredible"

    @staticmethod
    def of(result_points: int) -> Level | None:
        """The level by result points; none for a failure.

        >>> Level.of(4), Level.of(-1)
        (<Level.SOLID: 'solid'>, None)
        """
        if result_points < 0:
            return None
        return _LEVELS[min((result_points + 3) // 4, 5)]  # opend6.result.levels

    @property
    def rank(self) -> int:
        """1 for a minimal success up to 6 for an incredible one."""
        return _LEVELS.index(self) + 1


_LEVELS = tuple(Level)


class DifficultyLevel(Enum):
    """Standard levels of difficulty, easiest first. [opend6.difficulty.standard]"""

    AUTOMATIC = "automatic"
    VERY_EASY = "very easy"
    EASY = "easy"
    MODERATE = "moderate"
    DIFFICULT = "difficult"
    VERY_DIFFICULT = "very difficult"
    HEROIC = "heroic"
    LEGENDARY = "legendary"

    @staticmethod
    def of(difficulty: int) -> DifficultyLevel:
        """The level that a number belongs to.

        >>> DifficultyLevel.of(14).value, DifficultyLevel.of(0).value, DifficultyLevel.of(31).value
        ('moderate', 'automatic', 'legendary')
        """
        return tuple(DifficultyLevel)[min(7, max(0, difficulty + 4) // 5)]


class Severity(Enum):
    """Weight of a complication, as advice to the game master."""

    MINOR = "minor"
    MODERATE = "moderate"
    SERIOUS = "serious"

    @staticmethod
    def of(result_points: int) -> Severity:
        """Severity by result points.

        >>> Severity.of(-5), Severity.of(-6)
        (<Severity.MODERATE: 'moderate'>, <Severity.SERIOUS: 'serious'>)
        """
        if result_points >= 0:
            return Severity.MINOR
        return Severity.MODERATE if result_points >= -5 else Severity.SERIOUS  # opend6.wild.cf_complication


class Checked(NamedTuple):
    """Result of a check: success, level, and the consequence of a Critical Failure."""

    success: bool
    level: Level | None
    critical_failure: CriticalFailure


class Pointed(NamedTuple):
    """A check with its result points."""

    result_points: int
    critical_failure: CriticalFailure


class Improved(NamedTuple):
    """A check on which Character Points may have been spent; ``hoped`` is whether the roller takes it for a success.

    The two differ where the difficulty is secret and the roller reckons with another one.
    """

    success: bool
    spent: int
    hoped: bool


class Attempted(NamedTuple):
    """A check with all points that were spent on it; ``hoped`` is whether the roller takes it for a success.

    The two differ where the difficulty is secret and the roller reckons with another one.
    """

    success: bool
    level: Level | None
    critical_failure: CriticalFailure
    character_points: int
    fate_points: int
    hoped: bool


class Grouped(NamedTuple):
    """One roll for a group, against the difficulty of each target."""

    successes: tuple[bool, ...]
    critical_failure: CriticalFailure


class Fortune(Enum):
    """Verdict of the Wild Die alone on a task that succeeds anyway."""

    COMPLICATION = "complication"
    PLAIN = "plain"
    LUCK = "luck"


class Simplified(NamedTuple):
    """The simplified form of a die code: dice with their pips, and a fixed number."""

    code: DieCode
    bonus: int


@lru_cache(maxsize=1_024)
def simplified(code: DieCode, simplification: Simplification, ought_to_succeed: bool = True) -> Simplified:
    """Simplify a die code for a table that rolls fewer dice. [opend6.gap.dice.simplification]

    >>> simplified(DieCode(8, 1), "five_dice")
    Simplified(code=DieCode(dice=5, pips=1), bonus=11)
    """
    if simplification == "five_dice" and code.dice > 5:
        return Simplified(DieCode(5, code.pips), (7 * (code.dice - 5) + 1) // 2)  # 3.5 a die, rounded up
    if simplification == "wild_die_only" and code.dice > 1:
        return Simplified(DieCode(1, code.pips), (7 * (code.dice - 1) + 1) // 2)
    if simplification == "quick":
        return Simplified(DieCode(0, code.pips), code.dice * (4 if ought_to_succeed else 3))  # opend6.simplify.quick
    return Simplified(code, 0)


def lower_first(name: str) -> str:
    """A name of content inside a sentence.

    >>> lower_first("Short sword")
    'short sword'
    """
    return name[:1].lower() + name[1:]


def points_in_words(points: int, fate: int) -> str:
    """Character and Fate Points as people count them; nothing where there are none.

    >>> points_in_words(1, 0), points_in_words(2, 1)
    ('1 Character Point', '2 Character Points and 1 Fate Point')
    """
    counted = [(points, "Character Point"), (fate, "Fate Point")]
    return " and ".join([f"{count} {name}{'s' if count != 1 else ''}" for count, name in counted if count])


def too_few(needed: str, owned: int) -> str:
    """The refusal of an expense that is too large.

    >>> too_few("2 Fate Points", 1), too_few("1 Fate Point", 0)
    ('it takes 2 Fate Points, and only 1 is left', 'it takes 1 Fate Point, and none is left')
    """
    left = "none is" if not owned else f"only {owned} {'is' if owned == 1 else 'are'}"
    return f"it takes {needed}, and {left} left"


def most_character_points(owned: int, challenge_level: ChallengeLevel) -> int:
    """Most Character Points on one roll, before and after it together.

    >>> most_character_points(9, "cinematic"), most_character_points(9, "universe_shaking")
    (5, 9)
    """
    most = {"easy": 2, "cinematic": 5, "universe_shaking": owned}[challenge_level]  # opend6.cp.max_per_roll
    return min(owned, most)


WoundLevel: TypeAlias = Literal[
    "healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead"
]
WOUND_LEVELS: tuple[WoundLevel, ...] = get_args(WoundLevel)
"""Levels of injury, least first. [opend6.gap.wound.levels]"""
