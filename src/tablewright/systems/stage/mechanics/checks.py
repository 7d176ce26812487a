"""Mechanics of checks and contests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from tablewright.dice import Die, PoolShowing, SumShown
from tablewright.engine import (
    Mechanic,
    Param,
    Request,
    Role,
    again,
    become,
    chance,
    choose,
    d,
    finish,
    mechanic,
    minus,
    roll,
    versus,
)
from tablewright.errors import InvalidInputError
from tablewright.systems.stage.options import BotchScope, EmptySecondRoll, FlatPenaltyRoll
from tablewright.systems.stage.values import FEWEST_DICE, LOWEST_RESULT


@mechanic(rules=["stage.environment.darkness", "stage.guile.disable"])
async def even_chance() -> bool:
    """A chance of one half, 1 to 3 on a die: an action that needs sight fails in darkness, a trap springs."""
    return await d(SIX.sides) <= SIX.sides // 2


BotchFails = Annotated[bool, Param("whether a botch is a failure whatever the total")]


OpposingUntrained = Annotated[bool, Param("whether the defender has the skill at level 0")]
TheBotchScope = Annotated[BotchScope, Param("which checks can be botched")]


Untrained = Annotated[bool, Param("whether the skill is at level 0, so that a 1 is a botch")]


class Botches(NamedTuple):
    """Botches of an opposed check: the sides that can botch, and the effect."""

    untrained: Untrained = False
    opposing_untrained: OpposingUntrained = False
    botch_fails: BotchFails = True
    botch_scope: TheBotchScope = "versus_difficulty"


TRAINED = Botches()


@chance
def succeeded(result: FlatResult | LeveledResult | OpposedResult | OpposedLeveledResult) -> int:
    """1 for a success, 0 for a failure."""
    return int(result.success)


@mechanic(rules=["stage.opposed.basic"], objectives={"success": succeeded})
async def unnoticed(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
) -> OpposedResult:
    """Hide, conceal or steal: the result is the Difficulty for the observer, so that a tie favours the observer."""
    theirs = botches._replace(untrained=botches.opposing_untrained, opposing_untrained=botches.untrained)
    found = await opposed(opposing, dice, opposing_modifier, modifier, 0, theirs).by_opponent()
    return OpposedResult(not found.success, found.opposing_botch, found.botch)


@mechanic(rules=["stage.athletics.compete", "stage.speechcraft.discuss"])
async def compete(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    botches: Botches = TRAINED,
) -> bool:
    """Both roll, the higher result wins; ties are rolled again."""
    untrained, opposing_untrained, fails, scope = botches
    own = set_difficulty(dice, modifier, untrained, fails, scope).map(lambda made: made.result)
    made = set_difficulty(opposing, opposing_modifier, opposing_untrained, fails, scope)
    theirs = made.map(lambda made: made.result).by_opponent()
    sign = await versus(own, theirs)
    if sign == 0:
        await again()
    return sign > 0


CONTESTS: tuple[Mechanic[..., Any], ...] = (unnoticed, compete)


SIX = Die(6)  # stage.dice.notation
MOST_DICE = 30
NOTHING_KNOWN: Mapping[str, str] = {}
MOST_FREE = 10
"""Upper bound for flat modifiers of one check that are free to go on either roll."""

Pool = Annotated[int, Param("dice in the pool; a pool of fewer than one is rolled with one die", -20, MOST_DICE)]
FirstDice = Annotated[int, Param("dice of the first roll", 1, MOST_DICE)]
SecondDice = Annotated[int, Param("dice of the second roll", 0, MOST_DICE - 1)]
Difficulty = Annotated[int, Param("the number to reach", 1, 250, unseen=9)]
Flat = Annotated[int, Param("flat modifiers of the roll, added up", -60, 60)]
FirstFlat = Annotated[int, Param("flat modifiers that belong to the first roll, added up", -60, 60)]
SecondFlat = Annotated[int, Param("flat modifiers that belong to the second roll, added up", -60, 60)]
Bonuses = Annotated[tuple[int, ...], Param("flat bonuses that the player puts on either roll, each undivided", 1, 20)]
Penalties = Annotated[tuple[int, ...], Param("flat penalties that belong to neither roll, without their minus", 1, 20)]


class Flats(NamedTuple):
    """Flat modifiers of a leveled check: those of each roll, and those that are free to go on either."""

    first: FirstFlat = 0
    second: SecondFlat = 0
    bonuses: Bonuses = ()
    penalties: Penalties = ()


NO_FLATS = Flats()


class Split(NamedTuple):
    """Distribution of dice and flat modifiers over the two rolls of a leveled check."""

    first_dice: FirstDice
    second_dice: SecondDice
    first: FirstFlat
    second: SecondFlat


Botch = Annotated[bool, Param("whether the first roll was a botch")]
OpposingBotch = Annotated[bool, Param("whether the check that set the Difficulty was a botch")]
OpposingPool = Annotated[int, Param("dice of the defender", -20, MOST_DICE)]
OpposingFlat = Annotated[int, Param("the sum of the defender's flat modifiers", -60, 60)]


TheEmptySecondRoll = Annotated[EmptySecondRoll, Param("the result of a second roll without dice")]
TheFlatPenaltyRoll = Annotated[FlatPenaltyRoll, Param("the roll for flat penalties that belong to neither")]


class CheckRules(NamedTuple):
    """The table's rules for botches, empty second rolls and free flat penalties."""

    botch_fails: BotchFails = True
    botch_scope: TheBotchScope = "versus_difficulty"
    empty_second_roll: TheEmptySecondRoll = "fixed_one"
    flat_penalty_roll: TheFlatPenaltyRoll = "first"


PLAIN = CheckRules()


def botches_any(botch_fails: bool, botch_scope: str) -> bool:
    """True if checks that are measured against nothing fail by a botch too (stage.check.botch)."""
    return botch_fails and botch_scope == "any_check"


DifficultyBonus = Annotated[int, Param("the bonus to the Difficulty after the roll that sets it", -60, 60)]


class FlatResult(NamedTuple):
    """Result of a flat check."""

    success: bool
    botch: bool


class LeveledResult(NamedTuple):
    """Result of a leveled check; the effect of a failure is 0."""

    success: bool
    effect: int
    botch: bool


class SetResult(NamedTuple):
    """The result of a check that is measured against nothing: it sets a Difficulty or gives points."""

    result: int
    botch: bool


class OpposedResult(NamedTuple):
    """Result of an opposed flat check."""

    success: bool
    botch: bool
    opposing_botch: bool


class OpposedLeveledResult(NamedTuple):
    """Result of an opposed leveled check; the effect of a failure is 0."""

    success: bool
    effect: int
    botch: bool
    opposing_botch: bool


def effect_of(result: LeveledResult | OpposedLeveledResult) -> int:
    """The size of the effect, 0 for a failure."""
    return result.effect


@lru_cache(maxsize=64)
def sum_of(dice: int) -> Request[int]:
    """The ask for some dice added up; flat modifiers are added later, so that equal dice are weighed only once."""
    return d(SIX.sides, dice)


@mechanic(
    rules=["stage.check.flat", "stage.check.basic", "stage.check.minimum", "stage.check.botch", "stage.dice.notation"],
    objectives={"success": succeeded},
)
async def flat(
    dice: Pool, difficulty: Difficulty, modifier: Flat = 0, untrained: Untrained = False, botch_fails: BotchFails = True
) -> FlatResult:
    """Roll the whole pool at once; a result of at least the Difficulty succeeds.

    At least one die is rolled and the result is at least 1. With a skill at level 0 any 1 among the dice is a botch,
    which fails by default whatever the total.
    """
    pool = max(FEWEST_DICE, dice)
    if not untrained:
        success = await sum_of(pool).map(lambda total: max(LOWEST_RESULT, total + modifier) >= difficulty)
        return FlatResult(success, False)

    def against(rolled: SumShown) -> FlatResult:
        reached = max(LOWEST_RESULT, rolled.sum + modifier) >= difficulty
        return FlatResult(reached and not (rolled.shown and botch_fails), rolled.shown)

    return await finish(roll(PoolShowing(pool, SIX)).map(against))


@mechanic(
    rules=["stage.check.leveled", "stage.check.types", "stage.check.procedure", "stage.check.distribution"],
    objectives={"effect": effect_of, "success": succeeded},
)
async def leveled(
    dice: Pool,
    difficulty: Difficulty,
    flats: Flats = NO_FLATS,
    untrained: Untrained = False,
    botch_fails: BotchFails = True,
    empty_second_roll: TheEmptySecondRoll = "fixed_one",
    flat_penalty_roll: TheFlatPenaltyRoll = "first",
) -> LeveledResult:
    """Split the pool, roll the first part against the Difficulty and, after a success, the second part for the effect.

    The split is declared before the first roll; at least one die goes to the first roll, the second may get none. Free
    flat bonuses are placed by the player, free flat penalties as the option ``flat_penalty_roll`` says.
    """
    split = await distribute(max(FEWEST_DICE, dice), flats, flat_penalty_roll)
    return await become(leveled_split(split, difficulty, untrained, botch_fails, empty_second_roll))


@mechanic(
    rules=["stage.check.leveled", "stage.check.types", "stage.check.procedure"],
    objectives={"effect": effect_of, "success": succeeded},
)
async def leveled_split(
    split: Split,
    difficulty: Difficulty,
    untrained: Untrained = False,
    botch_fails: BotchFails = True,
    empty_second_roll: TheEmptySecondRoll = "fixed_one",
) -> LeveledResult:
    """A check in two rolls whose split is fixed: the second part of the dice is rolled only if the first succeeds.

    (stage.check.leveled_example)
    """
    success, botch = await flat(split.first_dice, difficulty, split.first, untrained, botch_fails)
    if not success:
        return LeveledResult(False, 0, botch)
    return await become(effect(split.second_dice, split.second, empty_second_roll, botch))


@mechanic(rules=["stage.check.leveled", "stage.check.minimum"])
async def effect(
    dice: SecondDice, modifier: SecondFlat, empty_second_roll: TheEmptySecondRoll, botch: Botch
) -> LeveledResult:
    """The second roll of a check that succeeded: the size of the effect, at least 1."""
    if dice == 0:
        return LeveledResult(True, without_dice(modifier, empty_second_roll), botch)
    return await finish(
        sum_of(dice).map(lambda total: LeveledResult(True, max(LOWEST_RESULT, total + modifier), botch))
    )


def without_dice(modifier: int, empty_second_roll: EmptySecondRoll) -> int:
    """Result of a second roll without dice: 1; flat modifiers change it only under ``one_plus_flat``.

    >>> without_dice(3, "fixed_one"), without_dice(3, "one_plus_flat")
    (1, 4)
    """
    return LOWEST_RESULT if empty_second_roll == "fixed_one" else max(LOWEST_RESULT, LOWEST_RESULT + modifier)


async def distribute(
    pool: int, flats: Flats, flat_penalty_roll: FlatPenaltyRoll, known: Mapping[str, str] = NOTHING_KNOWN
) -> Split:
    """The player's split of dice and free flat modifiers, made before anything is rolled (stage.check.distribution).

    ``known`` is shown beside the size of the pool.
    """
    first, second, bonuses, penalties = flats
    about = {"pool": pool, **known}
    dice = range(1, pool + 1)
    first_dice = await choose(Role.ACTOR, "dice for the first roll", dice, default=(pool + 1) // 2, details=about)
    if bonuses:
        on_first = await choose(Role.ACTOR, "flat bonuses on the first roll", parts_of(bonuses))
        first, second = first + on_first, second + sum(bonuses) - on_first
    if penalties:
        against_first = 0 if flat_penalty_roll == "second" else sum(penalties)
        if flat_penalty_roll == "player":
            question = "flat penalties on the first roll"
            against_first = await choose(Role.ACTOR, question, parts_of(penalties), default=sum(penalties))
        first, second = first - against_first, second - sum(penalties) + against_first
    return Split(first_dice, pool - first_dice, first, second)


def parts_of(modifiers: tuple[int, ...]) -> list[int]:
    """Every sum that some of the modifiers give when none of them is divided."""
    if len(modifiers) > MOST_FREE:
        raise InvalidInputError(
            f"{len(modifiers)} flat modifiers are free to go on either roll; at most {MOST_FREE} may be"
        )
    sums = {0}
    for modifier in modifiers:
        sums |= {part + modifier for part in sums}
    return sorted(sums)


@mechanic(rules=["stage.opposed.basic", "stage.check.minimum", "stage.check.botch"])
async def set_difficulty(
    dice: Pool,
    modifier: Flat = 0,
    untrained: Untrained = False,
    botch_fails: BotchFails = True,
    botch_scope: TheBotchScope = "versus_difficulty",
) -> SetResult:
    """Roll a check whose result is a Difficulty for another character, or points; it has no Difficulty itself.

    By default such a check cannot be botched. Under the option ``botch_scope: any_check`` it can, and a botch that
    fails leaves the lowest result there is.
    """
    pool = max(FEWEST_DICE, dice)
    if not untrained or botch_scope == "versus_difficulty":
        return await finish(sum_of(pool).map(lambda total: SetResult(max(LOWEST_RESULT, total + modifier), False)))

    def read(rolled: SumShown) -> SetResult:
        failed = rolled.shown and botch_fails
        return SetResult(LOWEST_RESULT if failed else max(LOWEST_RESULT, rolled.sum + modifier), rolled.shown)

    return await finish(roll(PoolShowing(pool, SIX)).map(read))


@mechanic(
    rules=["stage.opposed.basic", "stage.check.flat", "stage.check.minimum", "stage.check.botch"],
    objectives={"success": succeeded},
)
async def opposed(
    dice: Pool,
    opposing: OpposingPool,
    modifier: Flat = 0,
    opposing_modifier: OpposingFlat = 0,
    difficulty_bonus: DifficultyBonus = 0,
    botches: Botches = TRAINED,
) -> OpposedResult:
    """The defender's check sets the Difficulty, then the whole pool is rolled against it; a tie is a success."""
    untrained, opposing_untrained, botch_fails, botch_scope = botches
    pool = max(FEWEST_DICE, dice)
    difficulty = set_difficulty(opposing, opposing_modifier, opposing_untrained, botch_fails, botch_scope).by_opponent()
    if not untrained and not (opposing_untrained and botch_scope == "any_check"):
        against = difficulty.map(lambda made: max(LOWEST_RESULT, made.result + difficulty_bonus))
        own = sum_of(pool).map(lambda total: max(LOWEST_RESULT, total + modifier))
        return await finish(versus(against, own).map(lambda sign: OpposedResult(sign <= 0, False, False)))

    # A result and its botch travel as one number, the result times four and each botch in a bit of its own, so that the
    # two rolls meet in one subtraction: far quicker than every result of one against every result of the other.
    def set_to(made: SetResult) -> int:
        return 4 * max(LOWEST_RESULT, made.result + difficulty_bonus) + 2 * made.botch

    def reached(rolled: SumShown) -> int:
        return 4 * max(LOWEST_RESULT, rolled.sum + modifier) - (untrained and rolled.shown)

    def compare(apart: int) -> OpposedResult:
        opposing_botch, botch = bool(apart & 2), bool(apart & 1)
        return OpposedResult(apart >> 2 <= 0 and not (botch and botch_fails), botch, opposing_botch)

    return await minus(difficulty.map(set_to), roll(PoolShowing(pool, SIX)).map(reached)).map(compare)


@mechanic(
    rules=["stage.opposed.basic", "stage.check.leveled", "stage.check.distribution", "stage.attack.procedure"],
    objectives={"effect": effect_of, "success": succeeded},
)
async def opposed_leveled(
    dice: Pool,
    opposing: OpposingPool,
    flats: Flats = NO_FLATS,
    opposing_modifier: OpposingFlat = 0,
    difficulty_bonus: DifficultyBonus = 0,
    botches: Botches = TRAINED,
    empty_second_roll: TheEmptySecondRoll = "fixed_one",
    flat_penalty_roll: TheFlatPenaltyRoll = "first",
) -> OpposedLeveledResult:
    """A check in two rolls, such as an attack, against a Difficulty that the defender rolls after the split is fixed.

    The one who splits the pool knows the defender's dice, but not yet their result.
    """
    split = await distribute(max(FEWEST_DICE, dice), flats, flat_penalty_roll)
    against = opposing, opposing_modifier, difficulty_bonus
    return await become(opposed_split(split, *against, botches, empty_second_roll))


@mechanic(
    rules=["stage.opposed.basic", "stage.check.leveled", "stage.attack.procedure"],
    objectives={"effect": effect_of, "success": succeeded},
)
async def opposed_split(
    split: Split,
    opposing: OpposingPool,
    opposing_modifier: OpposingFlat = 0,
    difficulty_bonus: DifficultyBonus = 0,
    botches: Botches = TRAINED,
    empty_second_roll: TheEmptySecondRoll = "fixed_one",
) -> OpposedLeveledResult:
    """An opposed check in two rolls whose split is fixed."""
    against = opposing_modifier, difficulty_bonus, botches
    success, botch, opposing_botch = await opposed(split.first_dice, opposing, split.first, *against)
    if not success:
        return OpposedLeveledResult(False, 0, botch, opposing_botch)
    return await become(opposed_effect(split.second_dice, split.second, empty_second_roll, botch, opposing_botch))


@mechanic(rules=["stage.opposed.basic", "stage.check.leveled", "stage.check.minimum"])
async def opposed_effect(
    dice: SecondDice,
    modifier: SecondFlat,
    empty_second_roll: TheEmptySecondRoll,
    botch: Botch,
    opposing_botch: OpposingBotch,
) -> OpposedLeveledResult:
    """The second roll of an opposed check that succeeded: the size of the effect, at least 1."""
    if dice == 0:
        return OpposedLeveledResult(True, without_dice(modifier, empty_second_roll), botch, opposing_botch)
    return await sum_of(dice).map(
        lambda total: OpposedLeveledResult(True, max(LOWEST_RESULT, total + modifier), botch, opposing_botch)
    )


MECHANICS: tuple[Mechanic[..., Any], ...] = (
    flat,
    leveled,
    leveled_split,
    set_difficulty,
    opposed,
    opposed_leveled,
    opposed_split,
)
