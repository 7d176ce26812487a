"""The rules of healing that roll: what rest does to a Wound level, Body Points that come back, things that break."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tablewright.engine import Param, finish, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.systems.opend6.injury import RANK
from tablewright.systems.opend6.mechanics import PLAIN, How, total
from tablewright.systems.opend6.spending import thrown_as
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
"""What a healing total gives back. [opend6.gap.healing.body_points]"""


class Rest(NamedTuple):
    """What a level takes to get better by itself: days of rest, the total needed, what it becomes."""

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
@spelled_out
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
    worse = WOUND_LEVELS[RANK[wound] + 1]

    def read(shown: int, failed: bool) -> WoundLevel:
        if failed:
            return worse
        return rest.better if shown + bonus >= rest.heals_at else wound

    return await finish(thrown_as(code, 0, how._replace(critical_failure="complication"), read))


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int})
@spelled_out
async def regained(
    code: Annotated[DieCode, Param("the code of Physique or of the healing skill")],
    bonus: Annotated[int, Param("plain numbers on the total", -200, 200)] = 0,
    how: How = PLAIN,
) -> int:
    """The Body Points that a roll of Physique, or of the healing skill, gives back."""

    def read(shown: int, _: bool) -> DieCode:
        return points_for(shown + bonus)

    return await thrown_as(code, 0, how, read).into(lambda given: points_of(given, *how))


def points_for(total: int) -> DieCode:
    """What a total gives back: a number of Body Points, or dice.

    >>> points_for(10), points_for(11)
    (DieCode(dice=1, pips=0), DieCode(dice=2, pips=0))
    """
    return next((given for least, given in REGAINED if total >= least), DieCode(0))


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int})
@spelled_out
async def points_of(given: DieCode, how: How = PLAIN) -> int:
    """The points of a row of the table: a number, or dice."""
    if given.dice < 1:
        return given.pips
    return await finish(total(given, 0, 0, *how._replace(critical_failure="complication")))


@mechanic(rules=["opend6.gap.damage.objects"], objectives={"destroyed": int})
@spelled_out
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
