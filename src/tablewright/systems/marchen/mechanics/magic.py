"""Mechanics of spiritual actions and of recovery."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import Mechanic, Param, chance, d, mechanic, roll
from tablewright.engine.settings import flatten_settings
from tablewright.systems.marchen.mechanics.checks import (
    PLAIN,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    TheDifficulty,
    check,
)
from tablewright.systems.marchen.mechanics.harm import (
    HALE,
    NOTHING,
    SUCCEEDED,
    ArmourRating,
    Bearing,
    FaceModifier,
    Soak,
    Suffered,
    Taken,
    TheDamageModel,
    Threshold,
    levels_of_success,
    plain_check,
    suffer,
    tier_of,
    word_of,
    worth,
    wounded,
)

PER_LEVEL = 2
"""Damage that first aid heals for each level of success (marchen.watch.first_aid)."""

Purpose: TypeAlias = Literal["harm", "heal", "other"]
PRICE_DICE = {"costly": 1, "catastrophic": 2}


class Cast(NamedTuple):
    """Result of a deed of the spirit: degree, harm to the target, healing, and price."""

    degree: str
    hurt: Suffered
    healed: int
    price: Suffered


def good(cast: Cast) -> int:
    """Value for the caster."""
    return worth(cast.hurt) + cast.healed - worth(cast.price) // 2


@mechanic(
    rules=["marchen.gap.casting.depths", "marchen.gap.casting.price"],
    objectives={
        "good": good,
        "damage": lambda cast: cast.hurt.damage,
        "healed": lambda cast: cast.healed,
        "success": chance(lambda cast: int(cast.degree in SUCCEEDED)),
    },
)
@flatten_settings
async def cast(
    modifier: Modifier = 0,
    depth: Annotated[int, Param("depth of the deed: sense 1, shape 2, weave 3, govern 4", 1, 4)] = 2,
    difficulty: TheDifficulty = "average",
    purpose: Annotated[Purpose, Param("whether it harms, heals or does something else")] = "harm",
    cost: Annotated[int, Param("spiritual damage that a success costs", 0, 4)] = 1,
    advantage: TheAdvantage = "none",
    armour: ArmourRating = 0,
    soak: Soak = 0,
    bearing: Bearing = HALE,
    own_taken: Taken = 0,
    own_threshold: Threshold = 14,
    own_face: FaceModifier = 0,
    core: TheCore = "2d6",
    table: Table = PLAIN,
    damage_model: TheDamageModel = "dice",
) -> Cast:
    """A check of a spiritual skill; its depth says how hard it is, how much it does, and what it costs the caster.

    Where damage goes by tiers, depth and price are tiers too.
    """

    async def so_much(dice: int) -> int:
        return tier_of(dice) if damage_model == "tiers" else await roll(Sum.copies(dice, Die(6)))

    won, degree = await check(core, difficulty, modifier, advantage, 0, 0, False, *table, "per_die").map(
        lambda result: (result.success, word_of(result))
    )
    own = (own_taken, own_threshold, own_face, core, False)
    if not won:
        dice = PRICE_DICE.get(degree, 0)
        if not dice:
            return Cast(degree, NOTHING, 0, NOTHING)
        return Cast(degree, NOTHING, 0, await suffer(await so_much(dice), 0, *own, *table))
    hurt, healed = NOTHING, 0
    if purpose == "harm":
        dice = tier_of(depth) if damage_model == "tiers" else depth
        wound = await wounded(dice, 0, armour, soak, 0, damage_model)
        hurt = await suffer(wound.damage, *bearing, core, True, *table).by_opponent()
        hurt = hurt._replace(soaked=wound.soaked)
    elif purpose == "heal":
        healed = await so_much(depth)
    return Cast(degree, hurt, healed, await suffer(cost, 0, *own, *table))


@mechanic(rules=["marchen.gap.healing.rest"])
async def day_of_rest(
    stamina: Annotated[int, Param("modifier of stamina", -10, 10)] = 0,
    active: Annotated[bool, Param("whether the day was an active one")] = False,
) -> int:
    """Physical damage that a day heals: 1D6 and stamina, at least 1; an active day 1 and stamina, at least 0."""
    if active:
        return max(0, 1 + stamina)
    return max(1, stamina + await d(6))


@mechanic(rules=["marchen.watch.first_aid"])
@flatten_settings
async def treat(
    modifier: Modifier = 0,
    oneself: Annotated[bool, Param("whether healer and patient are the same, which is Difficult")] = False,
    core: TheCore = "2d6",
    advantage: TheAdvantage = "none",
    table: Table = PLAIN,
) -> int:
    """Physical damage that first aid heals: 2 for each level of success; a catastrophe does 1 more (-1)."""
    return await plain_check(core, modifier, table, "difficult" if oneself else "average", advantage).map(
        lambda result: -1 if word_of(result) == "catastrophic" else PER_LEVEL * levels_of_success(result)
    )


DEEDS: tuple[Mechanic[..., Any], ...] = (cast, day_of_rest, treat)
