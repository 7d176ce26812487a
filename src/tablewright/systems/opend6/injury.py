"""How badly somebody is hurt: Wound levels and how they add up, and Body Points read as levels."""

from __future__ import annotations

from functools import lru_cache

from tablewright.systems.opend6.values import WOUND_LEVELS, WoundLevel

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
    """What a stun weapon does: two levels less than the injury would be, at least Stunned. [opend6.gap.damage.stun]

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
