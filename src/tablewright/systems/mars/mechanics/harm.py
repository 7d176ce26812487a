"""Mechanics of damage, injury and their aftermath.

The pure functions are the steps of the pipeline; the mechanics roll and run them.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import Mechanic, Param, Request, become, chance, finish, mechanic
from tablewright.systems.mars.mechanics.checks import (
    EVEN,
    PLAIN,
    Advantage,
    DiceRules,
    Difficulty,
    Disadvantage,
    Luck,
    Odd,
    Rolled,
    Tie,
    check,
    total_of,
)
from tablewright.systems.mars.options import BlockMinDamage, HalfDoubleMix, MarsOptions
from tablewright.systems.mars.values import Degree, RollValue, degree_of

Category: TypeAlias = Literal["physical", "elemental", "typeless"]
PHYSICAL = ("bludgeoning", "piercing", "slashing")
"""Types of damage that count as physical."""
Reduced: TypeAlias = Literal["by_type", "always", "never"]

HitDegree: TypeAlias = Annotated[Degree, Param("degree of the attack")]
Reduction: TypeAlias = Annotated[int, Param("damage reduction of the one who is hit", 0, 99)]
CriticalBonus: TypeAlias = Annotated[int, Param("bonus damage of the weapon on a critical hit", 0, 99)]
Kind: TypeAlias = Annotated[Category, Param("physical damage is reduced, elemental and typeless damage is not")]
Block: TypeAlias = Annotated[
    int | None, Param("block value of the shield that takes the blow; none without one", 0, 99)
]
Durability: TypeAlias = Annotated[int, Param("durability that the shield has left", 0, 999)]
Mix: TypeAlias = Annotated[HalfDoubleMix, Param("combination of halvings and doublings")]
BlockMin: TypeAlias = Annotated[BlockMinDamage, Param("the least damage to a blocking shield")]
CritIgnoresBlock: TypeAlias = Annotated[
    bool, Param("whether a critical hit passes the block value, then without bonus")
]
TypelessIgnoresBlock: TypeAlias = Annotated[bool, Param("whether typeless damage passes block value and reduction")]

DYING_COUNT = 3
DEFAULT_DIFFICULTY = 10  # of sickness and of concentration where the source names none


def category_of(kind: str) -> Category:
    """Category of a type of damage."""
    if kind in PHYSICAL:
        return "physical"
    return "typeless" if kind == "typeless" else "elemental"


class Harm(NamedTuple):
    """Damage of a hit to the target and to the blocking shield."""

    character: int
    shield: int = 0


class Fate(Enum):
    """Fate after damage, worst last."""

    STANDS = "stands"
    UNCONSCIOUS = "unconscious"
    DYING = "dying"

    __hash__ = object.__hash__  # results with a fate are hashed by the thousand


# ---------------------------------------------------------------------- the steps of the pipeline


def halved_or_doubled(amount: int, halvings: int, doublings: int, mix: HalfDoubleMix = "ladder") -> int:
    """Repeated halving divides by 2, 3, 4, doubling multiplies likewise; rounded down once.

    The rule is mars.damage.half_double_stacking.

    >>> halved_or_doubled(20, 2, 0), halved_or_doubled(5, 0, 3), halved_or_doubled(20, 2, 1)
    (6, 20, 10)
    """
    times, parts = multiple(halvings, doublings, mix)
    return amount * times // parts


def multiple(halvings: int, doublings: int, mix: HalfDoubleMix) -> tuple[int, int]:
    """Factor and divisor of an amount that is halved and doubled."""
    if mix == "ladder":  # they cancel in pairs
        net = doublings - halvings
        return (net + 1, 1) if net >= 0 else (1, 1 - net)
    return doublings + 1, halvings + 1


class Blow(NamedTuple):
    """A hit before its damage is rolled."""

    degree: HitDegree = Degree.SUCCESS
    reduction: Reduction = 0
    critical_bonus: CriticalBonus = 0
    category: Kind = "physical"


class Blocking(NamedTuple):
    """The shield that takes a blow; without a block value there is none."""

    block: Block = None
    durability: Durability = 0


class Scaling(NamedTuple):
    """Rules of a source about its own damage: whether it is reduced, and its halvings and doublings."""

    reduced: Annotated[
        Reduced, Param("whether damage reduction counts: by the type of damage, or as a source says")
    ] = "by_type"
    halvings: Annotated[int, Param("halvings beside that of a graze", 0, 9)] = 0
    doublings: Annotated[int, Param("doublings", 0, 9)] = 0

    def scale(self, amount: int, degree: Degree, mix: HalfDoubleMix) -> int:
        """The amount halved and doubled; a graze halves once more."""
        return halved_or_doubled(amount, self.halvings + (degree is Degree.GRAZE), self.doublings, mix)


class DamageRules(NamedTuple):
    """Settings of a table for damage, with those for dice."""

    half_double_mix: Mix = "ladder"
    block_min_damage: BlockMin = 1
    crit_ignores_block: CritIgnoresBlock = False
    typeless_ignores_block: TypelessIgnoresBlock = True
    dice: DiceRules = PLAIN

    @staticmethod
    def of(options: MarsOptions) -> DamageRules:
        """Settings that a table has chosen."""
        return DamageRules(
            options.half_double_mix,
            options.block_min_damage,
            options.crit_ignores_block,
            options.typeless_ignores_block,
            DiceRules.of(options),
        )


_new = tuple.__new__
PLAIN_BLOW, NO_SHIELD, UNSCALED, USUAL_DAMAGE = Blow(), Blocking(), Scaling(), DamageRules()


def taken(raw: int, blow: Blow, scaling: Scaling = UNSCALED, mix: HalfDoubleMix = "ladder") -> Harm:
    """Damage to the target from a damage roll.

    >>> taken(11, Blow(reduction=3)), taken(11, Blow(Degree.CRITICAL, reduction=3, critical_bonus=4))
    (Harm(character=8, shield=0), Harm(character=15, shield=0))
    """
    return damage_taken(blow, scaling, mix)(raw)


def damage_taken(blow: Blow, scaling: Scaling, mix: HalfDoubleMix) -> Callable[[int], Harm]:
    """Function from a damage roll to the damage to the target."""
    degree, reduction, bonus, category = blow
    more = 0
    if degree is Degree.CRITICAL:
        more = bonus
    elif scaling.reduced == "always" or (scaling.reduced == "by_type" and category == "physical"):
        more = -reduction
    times, parts = multiple(scaling.halvings + (degree is Degree.GRAZE), scaling.doublings, mix)

    def read(raw: int) -> Harm:
        amount = (raw + more) * times // parts
        return _new(Harm, (amount if amount > 1 else 1, 0))

    return read


def blocked(raw: int, blow: Blow, block: int, durability: int, scaling: Scaling, rules: DamageRules) -> Harm:
    """Damage to the shield from a damage roll, and damage that goes through it."""
    amount = raw
    critical = blow.degree is Degree.CRITICAL
    typeless = blow.category == "typeless" and rules.typeless_ignores_block  # mars.damage.typeless
    if critical and rules.crit_ignores_block:
        block = 0  # and the bonus with it: mars.defence.block_damage
    elif critical:
        amount += blow.critical_bonus // 2
    amount -= 0 if typeless else block
    shield = max(rules.block_min_damage, scaling.scale(amount, blow.degree, rules.half_double_mix))
    if shield <= durability:
        return Harm(0, shield)
    through = shield - durability - (0 if typeless or scaling.reduced == "never" else blow.reduction)
    return Harm(max(1, through), shield)


def lose(damage: int, endurance: int, health: int) -> tuple[int, int]:
    """Endurance and health after damage: endurance goes first, health may go below 0.

    >>> lose(7, 5, 12)
    (0, 10)
    """
    if damage <= endurance:
        return endurance - damage, health
    return 0, health - (damage - endurance)


def fate_of(endurance: int, health: int, nonlethal: bool = False, most_health: int = 0) -> Fate:
    """Fate by endurance and health after damage.

    >>> fate_of(0, -5, nonlethal=True, most_health=12), fate_of(0, 0)
    (<Fate.UNCONSCIOUS: 'unconscious'>, <Fate.UNCONSCIOUS: 'unconscious'>)
    """
    if endurance > 0 or health > 0:
        return Fate.STANDS
    if health == 0 or (nonlethal and health > -most_health):
        return Fate.UNCONSCIOUS
    return Fate.DYING


def fate_of_loss(health: int) -> Fate:
    """Fate after a loss of health without damage: endurance does not count."""
    if health > 0:
        return Fate.STANDS
    return Fate.UNCONSCIOUS if health == 0 else Fate.DYING


# ---------------------------------------------------------------------- rolling damage


def _worth(harm: Harm) -> int:
    return 2 * harm.character + harm.shield


@mechanic(
    rules=[
        "mars.damage.pipeline",
        "mars.attack.damage_by_outcome",
        "mars.attack.damage_roll",
        "mars.damage.minimum",
        "mars.damage.half_double_stacking",
        "mars.damage.elemental",
        "mars.damage.typeless",
        "mars.defence.block_damage",
        "mars.defence.block_overflow",
    ],
    objectives={"damage": lambda harm: harm.character, "worth": _worth, "shield": lambda harm: harm.shield},
)
async def damage(
    roll_value: Annotated[RollValue, Param("the damage, weapon and STR merged, such as r18+1")],
    blow: Blow = PLAIN_BLOW,
    shield: Blocking = NO_SHIELD,
    luck: Luck = EVEN,
    scaling: Scaling = UNSCALED,
    rules: DamageRules = USUAL_DAMAGE,
) -> Harm:
    """Roll the damage of a hit and reduce it; a graze is halved, a critical hit adds its bonus and ignores reduction.

    A shield that blocks takes the damage less its block value, and what is more than its durability goes through.
    Who is hit takes at least 1. A miss does nothing.
    """
    if blow.degree is Degree.FAILURE:
        return Harm(0)
    return await finish(harm_rolled(roll_value, blow, shield, luck, scaling, rules))


def harm_rolled(
    roll_value: RollValue, blow: Blow, shield: Blocking, luck: Luck, scaling: Scaling, rules: DamageRules
) -> Request[Harm]:
    """The damage roll of a hit, read as harm."""
    total = total_of(roll_value, *luck, rules.dice)
    block, durability = shield
    if block is None:
        return total.map(damage_taken(blow, scaling, rules.half_double_mix))
    value = block
    return total.map(lambda raw: blocked(raw, blow, value, durability, scaling, rules))


@mechanic(rules=["mars.effect.burning", "mars.dice.small_and_zero"])
async def burning(
    degree: Annotated[int, Param("the degree of the fire", 1, 99)],
    disadvantage_tie: Tie = "more_sides",
    odd_roll_values: Odd = "literal",
) -> int:
    """Fire damage at the start of the turn: r4, and r2 more for each further degree; nothing reduces it."""
    return await finish(
        total_of(burning_damage(degree), 0, 0, DiceRules("max_gain", disadvantage_tie, odd_roll_values))
    )


def burning_damage(degree: int) -> RollValue:
    """Damage roll of a fire of a degree.

    >>> str(burning_damage(3))
    'r8'
    """
    return RollValue(2 * degree + 2)


@mechanic(rules=["mars.effect.burning"])
async def burning_out(
    degree: Annotated[int, Param("the degree of the fire", 0, 20)],
    so_far: Annotated[int, Param("damage taken from it so far", 0, 9_999)] = 0,
) -> int:
    """All damage of a fire that nobody puts out: it falls by one degree each turn until it is out."""
    if degree == 0:
        return so_far
    return await burning(degree, "more_sides", "literal").into(lambda burnt: burning_out(degree - 1, so_far + burnt))


class Fall(NamedTuple):
    """Outcome of a fall: the degree of the Agility check, and the damage."""

    degree: Degree
    damage: int


FALL_DIFFICULTIES = ((7, 19), (5, 14), (3, 10))
"""From so many metres on, a safe fall is this hard."""


def fall_difficulty(metres: int) -> int | None:
    """Difficulty of a safe fall (mars.gap.fight.falling); None where nothing can happen.

    >>> fall_difficulty(4), fall_difficulty(2)
    (10, None)
    """
    return next((difficulty for height, difficulty in FALL_DIFFICULTIES if metres >= height), None)


@mechanic(
    rules=["mars.gap.fight.falling", "mars.damage.pipeline", "mars.check.outcomes"],
    objectives={"damage": lambda fall: -fall.damage},
)
async def fall(
    agility: Annotated[RollValue, Param("agility and DEX of the one who falls")],
    metres: Annotated[int, Param("depth of the fall in metres", 0, 100)],
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    helpless: Annotated[bool, Param("whether the one who falls is helpless")] = False,
    dice: DiceRules = PLAIN,
) -> Fall:
    """Fall: from 3 metres on it hurts, r2 for each metre, whatever is worn. To land well halves or spares it."""
    difficulty = fall_difficulty(metres)
    if difficulty is None:
        return Fall(Degree.CRITICAL, 0)
    degree = Degree.FAILURE
    if not helpless:
        degree = await check(agility, difficulty, advantage, disadvantage, dice)
    if degree is Degree.CRITICAL:
        return Fall(degree, 0)
    halvings = int(degree is Degree.SUCCESS)
    hurt = total_of(RollValue(2 * metres), 0, 0, dice)
    return await finish(hurt.map(lambda raw: Fall(degree, max(1, halved_or_doubled(raw, halvings, 0)))))


# ---------------------------------------------------------------------- dying


class DyingCheck(NamedTuple):
    """Successes and failures of one check of a dying character."""

    successes: int
    failures: int


_COUNTS = {
    Degree.CRITICAL: DyingCheck(2, 0),
    Degree.SUCCESS: DyingCheck(1, 0),
    Degree.GRAZE: DyingCheck(0, 0),
    Degree.FAILURE: DyingCheck(0, 1),
}

Fortitude: TypeAlias = Annotated[RollValue, Param("FORT of the character, with all modifiers")]
NegativeHealth: TypeAlias = Annotated[int, Param("health, below 0", -999, -1)]


@mechanic(rules=["mars.effect.dying"], objectives={"life": lambda count: count.successes - count.failures})
async def dying_check(
    fortitude: Fortitude,
    health: NegativeHealth,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> DyingCheck:
    """At the start of the turn a dying character rolls FORT against the health that is missing to 0.

    A success counts one, a critical success two, a graze nothing; a failure counts against it.
    """
    total = total_of(fortitude, advantage, disadvantage, dice)
    return await finish(total.map(lambda shown: _COUNTS[degree_of(shown + health)]))


@mechanic(rules=["mars.effect.dying"], objectives={"survival": int})
async def dying(
    fortitude: Fortitude,
    health: NegativeHealth,
    successes: Annotated[int, Param("successes so far", 0, 2)] = 0,
    failures: Annotated[int, Param("failures so far", 0, 2)] = 0,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Roll if a dying character survives without help: three successes before three failures.

    At the end of every round one more health is lost, so that each check is harder than the one before.
    """
    count = await dying_check(fortitude, health, advantage, disadvantage, dice)
    if successes + count.successes >= DYING_COUNT:
        return True
    if failures + count.failures >= DYING_COUNT:
        return False
    return await become(
        dying(
            fortitude,
            max(-999, health - 1),
            successes + count.successes,
            failures + count.failures,
            advantage,
            disadvantage,
            dice,
        )
    )


class Struggle(NamedTuple):
    """Outcome of dying without help: the number of checks, and survival."""

    checks: int
    survives: bool


@mechanic(
    rules=["mars.effect.dying"],
    objectives={
        "survival": chance(lambda struggle: int(struggle.survives)),
        "checks": lambda struggle: struggle.checks,
    },
)
async def dying_checks(
    fortitude: Fortitude,
    health: NegativeHealth,
    made: Annotated[int, Param("checks made so far", 0, 999)] = 0,
    successes: Annotated[int, Param("successes so far", 0, 2)] = 0,
    failures: Annotated[int, Param("failures so far", 0, 2)] = 0,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Struggle:
    """Count the checks of a dying character without help, and tell whether it survives."""
    count = await dying_check(fortitude, health, advantage, disadvantage, dice)
    good, bad = successes + count.successes, failures + count.failures
    if good >= DYING_COUNT or bad >= DYING_COUNT:
        return Struggle(made + 1, good >= DYING_COUNT)
    lower, luck = max(-999, health - 1), (advantage, disadvantage, dice)
    return await become(dying_checks(fortitude, lower, made + 1, good, bad, *luck))


@mechanic(rules=["mars.effect.dying", "mars.check.outcomes"], objectives={"saved": int})
async def stabilise(
    medicine: Annotated[RollValue, Param("medicine and INT of the helper")],
    difficulty: Difficulty = 10,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Help a dying neighbour: a success ends dying."""
    return await finish(check(medicine, difficulty, advantage, disadvantage, dice).map(_succeeds))


# ---------------------------------------------------------------------- sickness and concentration


def _succeeds(degree: Degree) -> bool:
    return degree.succeeds


@mechanic(rules=["mars.effect.sickness_end"], objectives={"better": int})
async def sickness_check(
    fortitude: Fortitude,
    difficulty: Annotated[int, Param("the difficulty of the source; 10 if it names none", -100, 400)] = 10,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Roll FORT at the end of a sickness: a success lowers its degree by 1, anything else leaves it as it is."""
    degree = check(fortitude, difficulty, advantage, disadvantage, dice)
    return await finish(degree.map(_succeeds))


@mechanic(rules=["mars.concentration.break"], objectives={"kept": int})
async def concentration(
    willpower: Annotated[RollValue, Param("WILL of the character, with all modifiers")],
    difficulty: Annotated[int, Param("the difficulty of the stun's source; 10 if it has none", -100, 400)] = 10,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Roll WILL to keep concentration through a stun; only a success keeps it."""
    degree = check(willpower, difficulty, advantage, disadvantage, dice)
    return await finish(degree.map(_succeeds))


@mechanic(rules=["mars.initiative.roll"])
async def initiative(
    roll_value: Rolled, advantage: Advantage = 0, disadvantage: Disadvantage = 0, dice: DiceRules = PLAIN
) -> int:
    """Roll initiative: DEX and RES together, the higher total acts earlier."""
    return await finish(total_of(roll_value, advantage, disadvantage, dice))


DAMAGE_MECHANICS: tuple[Mechanic[..., Any], ...] = (
    damage,
    burning,
    burning_out,
    fall,
    dying_check,
    dying,
    dying_checks,
    stabilise,
    sickness_check,
    concentration,
    initiative,
)
