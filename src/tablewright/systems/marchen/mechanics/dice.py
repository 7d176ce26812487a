"""Dice of the book and their closed forms."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from tablewright.dice import Die, Sum
from tablewright.game.rules.ledger import table
from tablewright.systems.marchen.options import (
    Core,
    D20Scale,
    DegreeMethod,
    DiceChainMode,
    ExceptionalRule,
    LawLevelMode,
    PassiveBase,
    TargetRule,
    TwoD6Extremes,
)

Scope: TypeAlias = Literal["", "same", "identical", "origin"]
"""On what the next DM counts: the same obstacle, identical ones, all of the same origin."""


class Grade(Enum):
    """Grade of an activity's success (marchen.action.success_levels)."""

    FAILURE = "failure"
    SUCCESS = "success"
    GREAT_SUCCESS = "great_success"
    EXTRAORDINARY_SUCCESS = "extraordinary_success"


class Consequence(NamedTuple):
    """Consequences of a degree. ``cost`` is related to the attempt, ``trouble`` comes from elsewhere.

    ``next_dm`` counts on the next check in its ``scope``; ``boon`` is a second success, independent of the first.
    """

    goal: bool
    retry: bool = True
    cost: bool = False
    trouble: bool = False
    story: bool = False
    next_dm: int = 0
    scope: Scope = ""
    boon: bool = False


class Degree(Enum):
    """Degree of a check, from the worst to the best."""

    CATASTROPHIC = "catastrophic"
    COSTLY = "costly"
    FAIL = "fail"
    MINOR_FAIL = "minor_fail"
    FAIL_IN_STYLE = "fail_in_style"
    TIE = "tie"
    SUCCEED = "succeed"
    SUCCEED_IN_STYLE = "succeed_in_style"
    CRITICAL = "critical"
    SERENDIPITOUS = "serendipitous"

    __hash__ = object.__hash__  # members are single: as good as Enum's own and many times as quick


CONSEQUENCES: dict[Degree, Consequence] = {
    Degree.CATASTROPHIC: Consequence(False, retry=False, cost=True),  # marchen.degree.catastrophic
    Degree.COSTLY: Consequence(False, cost=True),  # marchen.degree.costly
    Degree.FAIL: Consequence(False),  # marchen.degree.fail
    Degree.MINOR_FAIL: Consequence(False),  # marchen.degree.nine_ways
    Degree.FAIL_IN_STYLE: Consequence(False, cost=True, story=True),  # marchen.degree.fail_in_style
    Degree.TIE: Consequence(True),  # marchen.degree.tie
    Degree.SUCCEED: Consequence(True),  # marchen.degree.succeed
    Degree.SUCCEED_IN_STYLE: Consequence(True, next_dm=1, scope="identical"),  # marchen.degree.succeed_in_style
    Degree.CRITICAL: Consequence(True, next_dm=1, scope="origin"),  # marchen.degree.critical
    Degree.SERENDIPITOUS: Consequence(True, next_dm=1, scope="origin", boon=True),  # marchen.degree.serendipitous
}


def consequence(degree: Degree, *, required: bool = False, tied: bool = False) -> Consequence:
    """Consequences of a degree; ``required`` if the party's goal depends on it, ``tied`` for a contest with effect 0.

    >>> consequence(Degree.CATASTROPHIC, required=True)[:4]
    (False, True, False, True)
    """
    if degree is Degree.CATASTROPHIC and required:  # it may not block: things get worse elsewhere instead
        return Consequence(False, trouble=True)
    if tied:  # marchen.degree.tie: both sides fail in style, and the next try is easier
        return CONSEQUENCES[Degree.FAIL_IN_STYLE]._replace(next_dm=1, scope="same")
    return CONSEQUENCES[degree]


def levels_of_success(sigma: int) -> int:
    """Levels of success of a sigma: at least 1 on any success, none on a failure.

    >>> levels_of_success(0), levels_of_success(4), levels_of_success(-1)
    (1, 4, 0)
    """
    return max(1, sigma) if sigma >= 0 else 0  # marchen.action.success_levels


def grade(sigma: int) -> Grade:
    """Grade of a sigma: success for 0 and 1, a great one for 2, an extraordinary one for 3 and 4.

    >>> grade(1), grade(3)
    (<Grade.SUCCESS: 'success'>, <Grade.EXTRAORDINARY_SUCCESS: 'extraordinary_success'>)
    """
    if sigma < 0:
        return Grade.FAILURE
    if not strong_hit(sigma):
        return Grade.SUCCESS
    return Grade.GREAT_SUCCESS if sigma == SIGMA[Degree.SUCCEED_IN_STYLE] else Grade.EXTRAORDINARY_SUCCESS


def strong_hit(sigma: int) -> bool:
    """True if a result is a strong hit."""
    return sigma >= SIGMA[Degree.SUCCEED_IN_STYLE]


X = TypeVar("X")

Difficulty = Literal[
    "trivial",
    "simple",
    "easy",
    "routine",
    "average",
    "difficult",
    "very_difficult",
    "formidable",
    "heroic",
    "nearly_impossible",
    "godly",
]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
"""From the easiest to the hardest."""


DEGREES = tuple(Degree)
SIGMA = dict(zip(DEGREES, (-4, -3, -2, -1, -1, 0, 1, 2, 3, 4), strict=True))  # marchen.degree.table
DEGREE_OF_SIGMA = {sigma: degree for degree, sigma in SIGMA.items() if degree is not Degree.MINOR_FAIL}

# ---------------------------------------------------------------------- dice

DICE: dict[Core, tuple[int, int]] = {  # marchen.core.dice: how many, and their sides
    "D10": (1, 10),
    "D20": (1, 20),
    "D100": (1, 100),
    "2d6": (2, 6),
    "3d6": (3, 6),
    "4d7": (4, 7),
    "8D4": (8, 4),
}
CHAIN = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30)  # marchen.dice_chain.order
CORE_CHAIN: tuple[Core, ...] = ("2d6", "3d6", "4d7", "8D4")  # marchen.dice_chain.pools
MODIFIER_SCALE: dict[Core, int] = {"D100": 5, "D10": 1, "D20": 1, "2d6": 1, "3d6": 1, "4d7": 1, "8D4": 1}


class DicePool(NamedTuple):
    """Equal dice that are rolled together."""

    number: int
    sides: int

    def rolled(self) -> Sum:
        """These dice added up."""
        return Sum.copies(self.number, Die(self.sides))

    def __str__(self) -> str:
        return f"{self.number if self.number > 1 else ''}d{self.sides}"


def dice_of(core: Core, steps: int = 0, mode: DiceChainMode = "per_die") -> DicePool:
    """The dice of a core after a net number of steps up (or down) the dice chain; steps past an end are lost.

    >>> str(dice_of("3d6", 2)), str(dice_of("D100", 1)), str(dice_of("3d6", 1, "core_swap"))
    ('3d8', 'd120', '4d7')
    """
    number, sides = DICE[core]
    if steps == 0:
        return DicePool(number, sides)
    if mode == "core_swap" and core in CORE_CHAIN:
        return DicePool(*DICE[_moved(CORE_CHAIN, core, steps)])
    if core == "D100":  # not on the chain: a D20 five times as large
        return DicePool(1, 5 * _moved(CHAIN, 20, steps))
    return DicePool(number, _moved(CHAIN, sides, steps))


def _moved(chain: tuple[X, ...], at: X, steps: int) -> X:
    return chain[min(max(chain.index(at) + steps, 0), len(chain) - 1)]


Advantage = Literal["none", "advantage", "disadvantage"]


def advantage_of(advantages: int, disadvantages: int) -> Advantage:
    """Advantage from any number of sources: several of one kind are one, and both kinds cancel out.

    >>> advantage_of(3, 0), advantage_of(1, 3)
    ('advantage', 'none')
    """
    if (advantages > 0) == (disadvantages > 0):  # marchen.advantage.cancel, marchen.advantage.no_stack
        return "none"
    return "advantage" if advantages > 0 else "disadvantage"


# ---------------------------------------------------------------------- targets and difficulties

# marchen.core.target_2d6, marchen.core.target_other
TARGETS: dict[TargetRule, dict[Core, int]] = table("marchen.core.target_other")["values"]


def _column(*dms: int) -> dict[Difficulty, int]:
    return dict(zip(DIFFICULTIES, dms, strict=True))


# the printed cells (marchen.difficulty.table) and the holes that rulings fill (marchen.difficulty.column_d10_d100,
# marchen.difficulty.column_8d4)
DIFFICULTY_DM: dict[Core, dict[Difficulty, int]] = {  # marchen.difficulty.complete_table
    "2d6": _column(8, 6, 4, 2, 0, -2, -4, -6, -8, -10, -12),
    "3d6": _column(9, 7, 5, 3, 0, -3, -5, -7, -9, -11, -13),
    "4d7": _column(15, 10, 5, 4, 0, -4, -5, -10, -15, -25, -30),
    "8D4": _column(15, 10, 5, 4, 0, -4, -5, -10, -15, -25, -30),
    "D10": _column(10, 8, 5, 3, 0, -3, -5, -8, -10, -13, -15),
    "D100": _column(100, 75, 50, 25, 0, -25, -50, -75, -100, -125, -150),
    "D20": _column(20, 15, 10, 5, 0, -5, -10, -15, -20, -25, -30),
}
D20_DC = _column(0, 5, 10, 15, 18, 20, 25, 30, 35, 40, 45)


class Measure(NamedTuple):
    """The target of a check, and the DM of its difficulty."""

    target: int
    dm: int


def by_targets(core: Core, d20_scale: D20Scale, degree_method: DegreeMethod) -> bool:
    """True if difficulties are targets, not DMs (marchen.difficulty.d20_scale, marchen.degree.sigma_method)."""
    return core == "D20" and d20_scale == "dc" and degree_method == "table"


def measure_of(
    core: Core,
    difficulty: Difficulty = "average",
    target_rule: TargetRule = "printed",
    d20_scale: D20Scale = "dm",
    degree_method: DegreeMethod = "table",
) -> Measure:
    """The target of a check and the difficulty's DM; on the D20 scale of target numbers the difficulty is the target.

    >>> measure_of("2d6", "difficult"), measure_of("D20", "easy", d20_scale="dc")
    (Measure(target=8, dm=-2), Measure(target=10, dm=0))
    """
    if by_targets(core, d20_scale, degree_method):
        return Measure(D20_DC[difficulty], 0)
    return Measure(TARGETS[target_rule][core], DIFFICULTY_DM[core][difficulty])


def law_difficulty(law_level: int) -> Difficulty:
    """Difficulty of tasks that local laws touch, by law level.

    >>> law_difficulty(5)
    'difficult'
    """
    ratings: tuple[Difficulty, ...] = ("routine", "average", "difficult", "very_difficult", "formidable")
    return ratings[bisect_right((1, 4, 7, 10), law_level)]  # marchen.modifier.law_level


def rated_dm(
    core: Core, difficulty: Difficulty, d20_scale: D20Scale = "dm", degree_method: DegreeMethod = "table"
) -> int:
    """The DM of a rating, also where ratings are targets (marchen.difficulty.d20_scale).

    >>> rated_dm("2d6", "difficult"), rated_dm("D20", "difficult", "dc"), rated_dm("D20", "difficult", "dc", "sigma")
    (-2, -2, -5)
    """
    if by_targets(core, d20_scale, degree_method):
        return D20_DC["average"] - D20_DC[difficulty]
    return DIFFICULTY_DM[core][difficulty]


def under_law(
    core: Core,
    law_level: int,
    difficulty: Difficulty | None = None,
    mode: LawLevelMode = "add",
    d20_scale: D20Scale = "dm",
    degree_method: DegreeMethod = "table",
) -> tuple[Difficulty, int]:
    """The difficulty of a task that local laws touch, and the DM that the law level adds to it.

    >>> under_law("2d6", 5, "difficult"), under_law("2d6", 5, "routine", "base")
    (('difficult', -2), ('difficult', 0))
    """
    law = law_difficulty(law_level)
    if mode == "base":
        return (law if difficulty is None else max(law, difficulty, key=DIFFICULTIES.index)), 0
    return difficulty or "average", rated_dm(core, law, d20_scale, degree_method)


def multiple_actions(things: int) -> int:
    """The DM on all checks of someone who does several things at once.

    >>> multiple_actions(1), multiple_actions(4)
    (0, -6)
    """
    return -2 * (things - 1)  # marchen.modifier.multiple_actions


PASSIVE_BASE: dict[PassiveBase, dict[Core, int]] = {  # marchen.check.passive_base
    "mean": {"2d6": 7, "3d6": 10, "4d7": 16, "8D4": 20, "D10": 5, "D20": 10, "D100": 50},
    "ten": {"2d6": 10, "3d6": 10, "4d7": 10, "8D4": 10, "D10": 10, "D20": 10, "D100": 10},
}

# ---------------------------------------------------------------------- degrees

# the lowest effect of every degree but the worst; the outermost bands are open (marchen.degree.beyond_ends), and the
# misprint of 8D4 is mended (marchen.degree.eight_d4_misprint)
BANDS: dict[Core, tuple[int, ...]] = {  # marchen.degree.bands
    "2d6": (-5, -4, -2, -1, 0, 1, 3, 5, 6),
    "3d6": (-7, -5, -3, -1, 0, 1, 3, 5, 7),
    "4d7": (-11, -8, -4, -1, 0, 1, 5, 9, 12),
    "8D4": (-10, -8, -4, -1, 0, 1, 5, 9, 11),
    "D10": (-4, -3, -2, -1, 0, 1, 2, 3, 4),
    "D20": (-9, -6, -3, -1, 0, 1, 4, 7, 9),
    "D100": (-45, -30, -15, -5, 0, 1, 20, 35, 45),
}
CLAMPED = {Degree.CATASTROPHIC: Degree.COSTLY, Degree.SERENDIPITOUS: Degree.CRITICAL}


def degree_of(core: Core, effect: int, two_d6_extremes: TwoD6Extremes = "sigma4") -> Degree:
    """The degree of an effect; effects beyond the table belong to its outermost degrees.

    >>> degree_of("3d6", 15), degree_of("2d6", 7, "clamp")
    (<Degree.SERENDIPITOUS: 'serendipitous'>, <Degree.CRITICAL: 'critical'>)
    """
    degree = DEGREES[bisect_right(BANDS[core], effect)]
    return CLAMPED.get(degree, degree) if core == "2d6" and two_d6_extremes == "clamp" else degree


def sigma_of(dice: DicePool, total: int) -> int:
    """Distance of a total from the mean of the dice, in quarters of half their span, from -4 to 4.

    >>> sigma_of(DicePool(2, 6), 9), sigma_of(DicePool(4, 7), 11)
    (2, -2)
    """
    twice_mean, span = dice.number * (dice.sides + 1), dice.number * (dice.sides - 1)
    # floor(4 * (total - mean) / (span / 2) + 1/2), all times 2 * span
    return min(max((8 * (2 * total - twice_mean) + span) // (2 * span), -4), 4)


EXCEPTIONAL: dict[ExceptionalRule, dict[Core, tuple[int, int]]] = {  # marchen.effect.exceptional
    "sigma4": {
        "2d6": (-6, 6),
        "3d6": (-8, 7),
        "4d7": (-12, 12),
        "8D4": (-11, 11),
        "D10": (-5, 4),
        "D20": (-10, 9),
        "D100": (-46, 45),
    },
    "flat6": {
        "2d6": (-6, 6),
        "3d6": (-6, 6),
        "4d7": (-6, 6),
        "8D4": (-6, 6),
        "D10": (-6, 6),
        "D20": (-6, 6),
        "D100": (-30, 30),
    },
}


def is_exceptional(core: Core, effect: int, rule: ExceptionalRule = "sigma4") -> bool:
    """True if an effect is an exceptional success or an exceptional failure.

    >>> is_exceptional("2d6", 6), is_exceptional("4d7", 6), is_exceptional("4d7", 6, "flat6")
    (True, False, True)
    """
    low, high = EXCEPTIONAL[rule][core]
    return effect <= low or effect >= high
