"""Mechanics of damage, injury and their aftermath."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from tablewright.engine import Param, finish, mechanic
from tablewright.engine.settings import flatten_settings
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.open_ended import Formula, yes_or_no
from tablewright.systems.opend6.mechanics.points import thrown_as
from tablewright.systems.opend6.mechanics.rolls import PLAIN, How, open_total, rollable
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode, WoundLevel

REGAINED: tuple[tuple[int, DieCode], ...] = (
    (31, DieCode(6)),
    (26, DieCode(5)),
    (21, DieCode(4)),
    (16, DieCode(3)),
    (11, DieCode(2)),
    (6, DieCode(1)),
    (1, DieCode(0, 2)),
)
"""Body Points regained by a healing total. [opend6.gap.healing.body_points]"""


class Rest(NamedTuple):
    """Natural healing of a level: days of rest, the total needed, the level after it."""

    days: int
    heals_at: int
    better: WoundLevel


NATURALLY: dict[str, Rest] = {
    "wounded": Rest(3, 6, "healthy"),
    "severely_wounded": Rest(3, 6, "wounded"),
    "incapacitated": Rest(14, 8, "severely_wounded"),
    "mortally_wounded": Rest(35, 8, "incapacitated"),
}  # opend6.gap.healing.natural_wounds


@mechanic(rules=["opend6.gap.healing.natural_wounds"], objectives={"better": lambda now: -RANK[now]})
@flatten_settings
async def natural_healing(
    physique: Annotated[DieCode, Param("the code of Physique")],
    wound: Annotated[WoundLevel, Param("the level there is")],
    dice: Annotated[int, Param("a die for twice the rest, one less for working", -5, 5)] = 0,
    bonus: Annotated[int, Param("what abilities add", -200, 200)] = 0,
    how: How = PLAIN,
) -> WoundLevel:
    """After the rest that a level takes a Physique roll says whether it gets better; a Critical Failure is worse."""
    if wound in ("healthy", "stunned"):
        return "healthy"
    if wound == "dead":
        return "dead"
    rest = NATURALLY[wound]
    code = DieCode(max(1, physique.dice + dice), physique.pips)

    def read(shown: int, failed: bool) -> WoundLevel:
        return healed_by(wound, shown + bonus, failed=failed)

    told = how._replace(critical_failure="complication")
    return await finish(thrown_as(code, 0, told, read, highest=rest.heals_at - bonus - 1))


def healed_by(wound: WoundLevel, total: int, *, failed: bool) -> WoundLevel:
    """The level after a rest with so much of a Physique roll; a Critical Failure makes it worse.

    >>> healed_by("wounded", 6, failed=False), healed_by("wounded", 9, failed=True)
    ('healthy', 'severely_wounded')
    """
    if failed:
        return WOUND_LEVELS[RANK[wound] + 1]
    rest = NATURALLY[wound]
    return rest.better if total >= rest.heals_at else wound


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int})
@flatten_settings
async def regained(
    code: Annotated[DieCode, Param("the code of Physique or of the healing skill")],
    bonus: Annotated[int, Param("plain numbers on the total", -200, 200)] = 0,
    how: How = PLAIN,
) -> int:
    """The Body Points that a roll of Physique, or of the healing skill, gives back."""

    def read(shown: int, _: bool) -> DieCode:
        return points_for(shown + bonus)

    return await thrown_as(code, 0, how, read, highest=REGAINED[0][0] - bonus - 1).into(
        lambda given: points_of(given, *how)
    )


def points_for(total: int) -> DieCode:
    """Body Points regained by a total: a number, or dice.

    >>> points_for(10), points_for(11)
    (DieCode(dice=1, pips=0), DieCode(dice=2, pips=0))
    """
    return next((given for least, given in REGAINED if total >= least), DieCode(0))


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int})
@flatten_settings
async def points_of(given: DieCode, how: How = PLAIN) -> int:
    """The points of a row of the table: a number, or dice."""
    if given.dice < 1:
        return given.pips
    return await finish(total(given, 0, 0, *how._replace(critical_failure="complication")))


def _break_odds(damage: DieCode, toughness: DieCode, destroyed_at: int, *more: Any) -> Formula[bool] | None:
    how = How(*more)
    dealt, kept = open_total(rollable(damage, how), 0, 0, how), open_total(rollable(toughness, how), 0, 0, how)
    if dealt is None or kept is None:
        return None
    return yes_or_no(dealt.over(kept).at_least(destroyed_at), True, False)


@mechanic(rules=["opend6.gap.damage.objects"], objectives={"destroyed": int}, closed=_break_odds)
@flatten_settings
async def break_object(
    damage: Annotated[DieCode, Param("the damage code")],
    toughness: Annotated[DieCode, Param("the toughness of the thing")],
    destroyed_at: Annotated[int, Param("how far damage must exceed it", 1, 100)] = 10,
    how: How = PLAIN,
) -> bool:
    """Whether damage destroys a thing: it must exceed the toughness by ten."""
    dealt = await total(damage, 0, 0, *how)
    return await finish(total(toughness, 0, 0, *how).map(lambda kept: dealt - kept >= destroyed_at))


HEALING = (natural_healing, regained, break_object)


MINUTE_ROUNDS = 12
"""Rounds of five seconds in a minute. [opend6.time.round]"""

RANK: dict[str, int] = {level: rank for rank, level in enumerate(WOUND_LEVELS)}
"""Levels by how bad they are: 0 is healthy."""

PENALTY: dict[str, int] = {"stunned": 1, "wounded": 1, "severely_wounded": 2, "incapacitated": 3}
"""Dice that a level takes from skills and attributes; of a Stun only for a time. [opend6.gap.wound.levels]"""

_FROM: tuple[tuple[int, WoundLevel], ...] = (
    (16, "dead"),
    (13, "mortally_wounded"),
    (9, "incapacitated"),
    (4, "wounded"),
    (1, "stunned"),
)
_TRACKS: dict[int, tuple[WoundLevel, ...]] = {
    1: ("incapacitated",),
    2: ("stunned", "incapacitated"),
    3: ("stunned", "wounded", "incapacitated"),
    4: ("stunned", "wounded", "severely_wounded", "incapacitated"),
    5: WOUND_LEVELS[1:6],
}
_SHARES: tuple[tuple[int, WoundLevel], ...] = (
    (40, "wounded"),
    (20, "severely_wounded"),
    (10, "incapacitated"),
)


def level_of_excess(excess: int) -> WoundLevel:
    """The level that so much damage beyond the resistance gives by itself. [opend6.gap.wound.levels]

    >>> [level_of_excess(excess) for excess in (0, 1, 3, 4, 8, 9, 13, 16)][3:6]
    ['wounded', 'wounded', 'incapacitated']
    """
    for least, level in _FROM:
        if excess >= least:
            return level
    return "healthy"


@lru_cache(maxsize=4_096)
def wounded_by(level: WoundLevel, excess: int, levels: int = 5, killing: bool = False) -> WoundLevel:
    """The level after an injury; of somebody of the game master's, who may have fewer levels. [opend6.gap.wound.adding]

    A higher result takes the place of the level there is; any other raises it by one. A level that somebody does not
    have is the next higher one; beyond the last one is death. [opend6.gap.wound.few_levels] With ``killing`` a blow
    that alone wounds mortally is death at once. [opend6.gap.damage.killing_blow]

    >>> wounded_by("stunned", 2), wounded_by("wounded", 5), wounded_by("healthy", 5, 2), wounded_by("healthy", 13, 2)
    ('wounded', 'severely_wounded', 'incapacitated', 'dead')
    >>> wounded_by("healthy", 13, killing=True), wounded_by("incapacitated", 9, killing=True)
    ('dead', 'mortally_wounded')
    """
    found = level_of_excess(excess)
    if found == "healthy":
        return level
    if killing and found == "mortally_wounded":
        return "dead"
    track = _TRACKS[levels]
    least = RANK[found] if RANK[found] > RANK[level] else RANK[level] + 1
    for known in track:
        if RANK[known] >= least:
            return known
    return "dead"


def two_less(level: WoundLevel, excess: int, levels: int = 5) -> WoundLevel:
    """Effect of a stun weapon: two levels less than the injury would be, at least Stunned. [opend6.gap.damage.stun]

    Levels are counted among those that somebody has. [opend6.gap.wound.few_levels]

    >>> two_less("healthy", 9), two_less("healthy", 3), two_less("wounded", 2), two_less("healthy", 9, 2)
    ('wounded', 'stunned', 'wounded', 'stunned')
    """
    if excess <= 0:
        return level
    track: tuple[WoundLevel, ...] = (*_TRACKS[levels], "dead")
    less = track[max(0, track.index(wounded_by(level, excess, levels)) - 2)]
    return less if RANK[less] > RANK[level] else level


def level_of_points(left: int, most: int) -> WoundLevel:
    """The level that goes with what is left of Body Points. [opend6.gap.body_points.levels]

    >>> [level_of_points(left, 20) for left in (17, 16, 11, 8, 7, 4, 3, 2, 1, 0)][1:4]
    ['stunned', 'wounded', 'wounded']
    """
    if 100 * left > 80 * most:
        return "healthy"
    if 100 * left >= 60 * most:
        return "stunned"
    for share, level in _SHARES:
        if 100 * left >= share * most:
            return level
    return "mortally_wounded"  # also at 0 or less: dying [opend6.gap.body_points.zero]
