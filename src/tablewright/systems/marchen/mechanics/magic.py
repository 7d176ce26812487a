"""Mechanics of spiritual actions and of recovery."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import Mechanic, Param, chance, d, mechanic, roll
from tablewright.systems.marchen.mechanics.checks import (
    PLAIN,
    Attempt,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    TheDifficulty,
    check,
)
from tablewright.systems.marchen.mechanics.harm import (
    NOTHING,
    PRICE_DICE,
    SUCCEEDED,
    UNHURT,
    Bearing,
    Body,
    FaceModifier,
    Suffered,
    Taken,
    TheDamageModel,
    Threshold,
    levels_of_success,
    plain_check,
    suffer,
    terms_of,
    tier_of,
    word_of,
    worth,
    wounded,
)

PER_LEVEL = 2
"""Damage that first aid heals for each level of success (marchen.watch.first_aid)."""

Purpose: TypeAlias = Literal["harm", "heal", "other"]


class Deed(NamedTuple):
    """A deed of the spirit: the caster's modifier and luck, its depth, difficulty, purpose and cost."""

    modifier: Modifier = 0
    depth: Annotated[int, Param("depth of the deed: sense 1, shape 2, weave 3, govern 4", 1, 4)] = 2
    difficulty: TheDifficulty = "average"
    purpose: Annotated[Purpose, Param("whether it harms, heals or does something else")] = "harm"
    cost: Annotated[int, Param("spiritual damage that a success costs", 0, 4)] = 1
    advantage: TheAdvantage = "none"


class Strain(NamedTuple):
    """The caster's own spirit, which pays for the deed."""

    own_taken: Taken = 0
    own_threshold: Threshold = 14
    own_face: FaceModifier = 0


SHAPE, FRESH = Deed(), Strain()


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
async def cast(
    deed: Deed = SHAPE,
    foe: Body = UNHURT,
    own: Strain = FRESH,
    core: TheCore = "2d6",
    table: Table = PLAIN,
    damage_model: TheDamageModel = "dice",
) -> Cast:
    """A check of a spiritual skill; its depth says how hard it is, how much it does, and what it costs the caster.

    Where damage goes by tiers, depth and price are tiers too.
    """

    async def so_much(dice: int) -> int:
        return tier_of(dice) if damage_model == "tiers" else await roll(Sum.copies(dice, Die(6)))

    async def pays(damage: int) -> Suffered:
        return await suffer(damage, Bearing(0, *own), terms_of(core, False, table))

    attempt = Attempt(deed.difficulty, deed.modifier, deed.advantage)
    won, degree = await check(core, attempt, table).map(lambda result: (result.success, word_of(result)))
    if not won:
        dice = PRICE_DICE.get(degree, 0)
        if not dice:
            return Cast(degree, NOTHING, 0, NOTHING)
        return Cast(degree, NOTHING, 0, await pays(await so_much(dice)))
    hurt, healed = NOTHING, 0
    if deed.purpose == "harm":
        dice = tier_of(deed.depth) if damage_model == "tiers" else deed.depth
        wound = await wounded(dice, 0, foe.armour, foe.soak, 0, damage_model)
        hurt = await suffer(wound.damage, foe.bearing, terms_of(core, True, table)).by_opponent()
        hurt = hurt._replace(soaked=wound.soaked)
    elif deed.purpose == "heal":
        healed = await so_much(deed.depth)
    return Cast(degree, hurt, healed, await pays(deed.cost))


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
