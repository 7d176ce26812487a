"""The smaller rolls: who acts first, dice that are only added up, falls, ailments, a chance of one half."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Mechanic, Param, again, both, d, finish, mechanic, versus
from tablewright.systems.stage.mechanics import SIX, Pool, sum_of
from tablewright.systems.stage.pool import FEWEST_DICE, LOWEST_RESULT


@mechanic(rules=["stage.agility.initiative", "stage.initiative.simultaneous", "stage.initiative.one_sided"])
async def initiative(
    dice: Pool,
    modifier: Annotated[int, Param("flat modifiers of the check", -60, 60)] = 0,
    opens: Annotated[bool, Param("whether this group opened hostilities, so that every die counts 6")] = False,
) -> int:
    """Agility (initiative) of the first of a group; whoever opens hostilities has every die at 6."""
    pool = max(FEWEST_DICE, dice)
    if opens:
        return max(LOWEST_RESULT, SIX.sides * pool + modifier)
    return await finish(sum_of(pool).map(lambda total: max(LOWEST_RESULT, total + modifier)))


@mechanic(rules=["stage.initiative.simultaneous", "stage.initiative.one_sided", "stage.initiative.ambush"])
async def acts_first(
    dice: Pool,
    against: Annotated[int, Param("dice of the other group", -20, 30)],
    situation: Annotated[
        Literal["simultaneous", "opens", "opened_on", "ambushes", "ambushed"], Param("how hostilities began")
    ] = "simultaneous",
) -> bool:
    """Whether a group acts before another: the higher result does, equals roll again, an ambush always does."""
    if situation in ("ambushes", "ambushed"):
        return situation == "ambushes"
    mine = initiative(dice, 0, situation == "opens")
    sign = await versus(mine, initiative(against, 0, situation == "opened_on").across())
    if sign == 0:
        await again()
    return sign > 0


# ---------------------------------------------------------------------- smaller rolls


@mechanic(rules=["stage.dice.notation"])
async def dice(
    dice: Annotated[int, Param("how many dice", 0, 200)],
    plus: Annotated[int, Param("what is added", -60, 60)] = 0,
) -> int:
    """Some dice added up, never below 0: what a spell restores, how long somebody is knocked out."""
    if not dice:
        return max(0, plus)
    return await finish(sum_of(dice).map(lambda total: max(0, total + plus)))


@mechanic(rules=["stage.environment.darkness", "stage.guile.disable"])
async def even_chance() -> bool:
    """A chance of one half: 1 to 3 on a die. In darkness what needs sight fails then, and a trap springs."""
    return await d(SIX.sides) <= SIX.sides // 2


@mechanic(rules=["stage.environment.falling", "stage.athletics.land", "stage.environment.gravity"])
async def falling(
    dice: Annotated[int, Param("dice of damage: 1, 2, 4, 8 ...", 0, 200)],
    landing: Annotated[int, Param("dice of Athletics (land); 0 for none", 0, 30)] = 0,
    modifier: Annotated[int, Param("flat modifiers of Athletics (land)", -60, 60)] = 0,
    factor: Annotated[int, Param("by how much gravity multiplies the damage", 0, 10)] = 1,
    divisor: Annotated[int, Param("by how much gravity divides it", 1, 10)] = 1,
) -> int:
    """Damage of a fall, less what Athletics (land) gives; gravity counts before that."""
    if not dice or not factor:
        return 0
    damage = sum_of(dice).map(lambda total: total * factor // divisor)
    if not landing:
        return await finish(damage)
    landed = sum_of(landing).map(lambda total: max(LOWEST_RESULT, total + modifier))
    return await finish(both(damage, landed, lambda dealt, less: max(0, dealt - less)))


@mechanic(rules=["stage.poison.attack", "stage.medicine.cure"])
async def ailment_attacks(
    level: Annotated[int, Param("the level of the poison or disease", 1, 50)],
    difficulty: Annotated[int, Param("two tracks of the carrier, and what treatment gives", 0, 250)],
) -> bool:
    """A poison or disease rolls its level in dice; at least the Difficulty, and its carrier suffers the effect."""
    return await sum_of(level).map(lambda total: total >= difficulty)


@mechanic(rules=["stage.environment.radiation_low"])
async def radiation() -> bool:
    """A day in weak radiation: 1 in 6 to fall sick."""
    return await d(SIX.sides) == 1


@mechanic(rules=["stage.gap.encounter.flight"])
async def loses_heart() -> bool:
    """Somebody who is out of Stamina flees on 4 or more."""
    return await d(SIX.sides) > SIX.sides // 2


CHANCES: tuple[Mechanic[..., Any], ...] = (
    initiative,
    acts_first,
    dice,
    even_chance,
    falling,
    ailment_attacks,
    radiation,
    loses_heart,
)
