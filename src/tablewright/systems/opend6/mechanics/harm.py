"""Mechanics of resistance and injury, of healing, and of things that break."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Annotated, NamedTuple

from tablewright.engine import Param, Request, Role, choose, finish, internal_argument, mechanic, minus, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.mechanic import FixedOdds
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.open_ended import Followed, OpenTotal, added, open_table, yes_or_no
from tablewright.systems.opend6.mechanics.points import (
    FATE_PRICE,
    NOTHING,
    POINT_PRICE,
    TERMS,
    WORTH,
    Purse,
    Terms,
    point_die,
    thrown_as,
)
from tablewright.systems.opend6.mechanics.rolls import (
    FURTHER_SIXES,
    PLAIN,
    How,
    Resistance,
    excess,
    open_total,
    rollable,
)
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode, WoundLevel

DEADLY = 16  # opend6.gap.wound.levels

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
_SHARES: tuple[tuple[int, WoundLevel], ...] = ((40, "wounded"), (20, "severely_wounded"), (10, "incapacitated"))


def level_of_excess(excess: int) -> WoundLevel:
    """Wound level that damage beyond the resistance gives by itself. [opend6.gap.wound.levels]

    >>> [level_of_excess(excess) for excess in (0, 1, 3, 4, 8, 9, 13, 16)][3:6]
    ['wounded', 'wounded', 'incapacitated']
    """
    for least, level in _FROM:
        if excess >= least:
            return level
    return "healthy"


@lru_cache(maxsize=4_096)
def wounded_by(level: WoundLevel, excess: int, levels: int = 5, killing: bool = False) -> WoundLevel:
    """Wound level after an injury, also for a character with fewer levels. [opend6.gap.wound.adding]

    A higher result takes the place of the level there is; any other raises it by one. A level that a character does not
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

    Levels are counted among those that a character has. [opend6.gap.wound.few_levels]

    >>> two_less("healthy", 9), two_less("healthy", 3), two_less("wounded", 2), two_less("healthy", 9, 2)
    ('wounded', 'stunned', 'wounded', 'stunned')
    """
    if excess <= 0:
        return level
    track: tuple[WoundLevel, ...] = (*_TRACKS[levels], "dead")
    less = track[max(0, track.index(wounded_by(level, excess, levels)) - 2)]
    return less if RANK[less] > RANK[level] else level


def level_of_points(left: int, most: int) -> WoundLevel:
    """The Wound level for a number of remaining Body Points. [opend6.gap.body_points.levels]

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


# ---------------------------------------------------------------------- resistance


class Body(NamedTuple):
    """Injury of the target."""

    level: Annotated[WoundLevel, Param("the target's Wound level before")] = "healthy"
    levels: Annotated[int, Param("how many Wound levels the target has", 1, 5)] = 5

    def after(self, over: int, terms: Terms, *, stun: bool = False) -> WoundLevel:
        """Wound level after damage beyond the resistance; unchanged where Body Points are used."""
        if terms.injury != "wounds":
            return self.level
        if stun:
            return two_less(self.level, over, self.levels)
        return wounded_by(self.level, over, self.levels, terms.killing_blow)


class Protection(NamedTuple):
    """Resistance to damage: Fate Points double ``resistance`` and ``resistance_bonus``, nothing else."""

    resistance: Annotated[DieCode, Param("the target's Physique")] = NOTHING
    armour: Annotated[DieCode, Param("what the target wears")] = NOTHING
    resistance_bonus: Annotated[int, Param("what the target's abilities add to the resistance", -200, 200)] = 0
    resistance_plain: Annotated[int, Param("plain numbers on the resistance, such as for size", -200, 200)] = 0

    def roll(self, fate: int, doubled: bool, terms: Terms, *, stun: bool = False) -> Resistance:
        """The roll: Physique and armour; with Body Points armour alone, and Physique by a Fate Point.

        [opend6.gap.resistance.wounds, opend6.gap.resistance.body_points] Against a stun weapon Physique always counts.
        [opend6.gap.damage.stun]
        """
        factor = terms.factor(fate, doubled)
        own = factor - (terms.injury == "body_points" and not stun)
        physique, armour = self.resistance, self.armour
        code = DieCode(physique.dice * own + armour.dice, physique.pips * own + armour.pips)
        least = -200 if terms.negative_resistance == "add_to_damage" else 0  # opend6.gap.resistance.negative
        return Resistance(code, self.resistance_bonus * factor + self.resistance_plain, least, terms.resisting())


UNPROTECTED, UNHURT = Protection(), Body()


@internal_argument
class Dicing(NamedTuple):
    """Settings of one roll as one argument."""

    how: How


@mechanic(rules=["opend6.gap.damage.total", "opend6.gap.resistance.wounds"])
async def damage_roll(damage: DieCode, against: Resistance, dice: Dicing) -> int:
    """Excess of a damage roll over a resistance roll without points."""
    dealt = thrown_as(damage, 0, dice.how, lambda shown, _: shown)
    return await finish(minus(dealt, resistance_roll(against, dice).by_opponent()))


@mechanic(
    rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.gap.resistance.pips_only"]
)
async def resistance_roll(against: Resistance, dice: Dicing) -> int:
    """A resistance total; a code without dice is not rolled."""
    if against.code.dice < 1:
        return max(against.least, against.code.pips + against.plus)
    least, plus = against.least, against.plus
    how = against.how(dice.how)
    return await finish(thrown_as(against.code, 0, how, lambda shown, _: max(least, shown + plus)))


def exceeding(damage: DieCode, plus: int, against: Resistance, how: How, deadly: int | None) -> Request[int]:
    """Excess of rolled damage over a resistance; from ``deadly`` on all is the same."""
    beyond = damage_roll(damage, against, Dicing(how)).map(lambda shown: max(0, shown + plus))
    return beyond.weighed_as(throw(Followed(excess, (damage, plus, against, how, deadly))))


def resisting_known(damage: int, against: Resistance, how: How) -> Request[int]:
    """Excess of known damage over a resistance."""
    beyond = resistance_roll(against, Dicing(how)).map(lambda shown: max(0, damage - shown))
    return beyond.weighed_as(throw(Followed(excess, (DieCode(0, damage), 0, against, how))))


async def fate_on_resistance(
    seat: Role, damage: int, protection: Protection, purse: Purse, terms: Terms, *, stun: bool
) -> int:
    """Ask for Fate Points before a resistance roll, where they can help."""
    if damage <= 0 or not purse.fate or not terms.may_add_fate(purse.doubled) or not protection.resistance.dice:
        return 0
    resists = protection.roll(0, purse.doubled, terms, stun=stun).code
    about, most = {"damage": damage, "resistance": str(resists)}, terms.most_fate(purse.fate)
    if most > 1:
        return await choose(seat, "Fate Points on the resistance", range(most + 1), details=about)
    return int(await yes_no(seat, "a Fate Point on the resistance", cost_text="1 Fate Point", details=about))


class Kept(NamedTuple):
    """Damage beyond the resistance, its consequences, and the points spent on it."""

    over: int
    level: WoundLevel
    points: int = 0
    fate: int = 0


def _spared(kept: Kept) -> int:
    return -WORTH[kept.level] - kept.over - POINT_PRICE * kept.points - FATE_PRICE * kept.fate


@mechanic(
    rules=["opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points", "opend6.gap.resistance.tie"],
    objectives={"spared": _spared},
)
async def resist(
    damage: Annotated[int, Param("the damage total", 0, 1_000)],
    protection: Protection = UNPROTECTED,
    body: Body = UNHURT,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    fate: Annotated[int, Param("Fate Points that they have", 0, 1_000, unseen=0)] = 0,
    doubled: Annotated[bool, Param("whether all of their rolls are doubled this round")] = False,
    terms: Terms = TERMS,
) -> Kept:
    """Resist damage: the excess over the total hurts. A Fate Point may be spent before the roll."""
    used = await fate_on_resistance(Role.ACTOR, damage, protection, Purse(0, fate, doubled), terms, stun=stun)
    beyond = resisting_known(damage, protection.roll(used, doubled, terms, stun=stun), terms.how())
    return await finish(beyond.map(lambda over: Kept(over, body.after(over, terms, stun=stun), 0, used)))


@mechanic(
    rules=["opend6.gap.damage.total", "opend6.gap.resistance.wounds", "opend6.gap.resistance.body_points"],
    objectives={"spared": _spared},
)
async def injure(
    damage: Annotated[DieCode, Param("the damage code")],
    protection: Protection = UNPROTECTED,
    body: Body = UNHURT,
    doubled: Annotated[bool, Param("whether all of their rolls are doubled this round")] = False,
    plain: Annotated[int, Param("plain numbers on the damage", -200, 200)] = 0,
    terms: Terms = TERMS,
) -> Kept:
    """Roll damage that is no attack's, such as a choking hand's, against a resistance on which nothing is spent."""
    against, how = protection.roll(0, doubled, terms), terms.how()
    deadly = DEADLY if terms.injury == "wounds" else None

    def read(beyond: int) -> Kept:
        over = max(0, beyond)
        return Kept(0 if deadly else over, body.after(over, terms))

    if damage.dice < 1:
        return await finish(resisting_known(max(0, damage.pips + plain), against, how).map(read))
    if plain >= 0:
        return await finish(exceeding(damage, plain, against, how, deadly).map(read))
    lessened = thrown_as(damage, 0, how, lambda shown, _: max(0, shown + plain))
    beyond = minus(lessened, resistance_roll(against, Dicing(how)).by_opponent()).map(lambda over: max(0, over))
    return await finish(beyond.weighed_as(throw(Followed(excess, (damage, plain, against, how, deadly)))).map(read))


@mechanic(
    rules=["opend6.cp.timing", "opend6.gap.wound.adding", "opend6.gap.body_points.loss"], objectives={"spared": _spared}
)
async def ease(
    over: Annotated[int, Param("by how much damage exceeds the resistance", 0, 1_000)],
    left: Annotated[int, Param("Character Points that may still go on the resistance", 0, 1_000, unseen=0)],
    level: Annotated[WoundLevel, Param("their Wound level before")] = "healthy",
    levels: Annotated[int, Param("how many Wound levels they have; 0 where Body Points are lost", 0, 5)] = 5,
    stun: Annotated[bool, Param("whether the weapon only stuns")] = False,
    killing: Annotated[bool, Param("whether a blow that alone wounds mortally is death at once")] = False,
    spent: Annotated[int, Param("Character Points spent so far", 0, 1_000)] = 0,
) -> Kept:
    """Spend Character Points on a resistance that was not enough, one after the other."""
    ask = yes_no(
        Role.ACTOR, "a Character Point on the resistance", cost_text="1 Character Point", details={"hurt by": over}
    )
    if not over or not left or not await ask:
        terms = TERMS._replace(injury="wounds" if levels else "body_points", killing_blow=killing)
        return Kept(over, Body(level, levels).after(over, terms, stun=stun), spent)
    return (
        await throw(point_die(over))
        .map(lambda shown: max(0, over - shown))
        .into(lambda now: ease(now, left - 1, level, levels, stun, killing, spent + 1))
    )


# ---------------------------------------------------------------------- healing


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
    """Wound level after a rest with this Physique total; a Critical Failure makes it worse.

    >>> healed_by("wounded", 6, failed=False), healed_by("wounded", 9, failed=True)
    ('healthy', 'severely_wounded')
    """
    if failed:
        return WOUND_LEVELS[RANK[wound] + 1]
    rest = NATURALLY[wound]
    return rest.better if total >= rest.heals_at else wound


def _regained_odds(code: DieCode, bonus: int, how: How) -> FixedOdds[int]:
    """Body Points of all rows of the table, each by the chance of its row."""
    rolled, parts, above = open_total(code, bonus, 0, how), [], Fraction(0)
    told = how._replace(critical_failure="complication")
    for least, given in (*REGAINED, (None, DieCode(0))):
        reached = rolled.at_least(least) if least is not None else Fraction(1)
        row, share = open_total(given, 0, 0, told), reached - above
        parts.append(
            OpenTotal(
                {key: weight * share.numerator for key, weight in row.weights.items()}, row.whole * share.denominator
            )
        )
        above = reached
    return FixedOdds(open_table(added(parts), 6 * (REGAINED[0][1].dice + FURTHER_SIXES)))


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int}, closed=_regained_odds)
async def regained(
    code: Annotated[DieCode, Param("the code of Physique or of the healing skill")],
    bonus: Annotated[int, Param("plain numbers on the total", -200, 200)] = 0,
    how: How = PLAIN,
) -> int:
    """The Body Points that a roll of Physique, or of the healing skill, gives back."""

    def read(shown: int, _: bool) -> DieCode:
        return points_for(shown + bonus)

    return await thrown_as(code, 0, how, read, highest=REGAINED[0][0] - bonus - 1).into(
        lambda given: points_of(given, how)
    )


def points_for(total: int) -> DieCode:
    """Body Points regained by a total: a number, or dice.

    >>> points_for(10), points_for(11)
    (DieCode(dice=1, pips=0), DieCode(dice=2, pips=0))
    """
    return next((given for least, given in REGAINED if total >= least), DieCode(0))


@mechanic(rules=["opend6.gap.healing.body_points"], objectives={"points": int})
async def points_of(given: DieCode, how: How = PLAIN) -> int:
    """The points of a row of the table: a number, or dice."""
    if given.dice < 1:
        return given.pips
    return await finish(total(given, 0, 0, how._replace(critical_failure="complication")))


def _break_odds(damage: DieCode, toughness: DieCode, destroyed_at: int, how: How) -> FixedOdds[bool]:
    dealt, kept = open_total(rollable(damage, how), 0, 0, how), open_total(rollable(toughness, how), 0, 0, how)
    return yes_or_no(dealt.over(kept).at_least(destroyed_at), True, False)


@mechanic(rules=["opend6.gap.damage.objects"], objectives={"destroyed": int}, closed=_break_odds)
async def break_object(
    damage: Annotated[DieCode, Param("the damage code")],
    toughness: Annotated[DieCode, Param("the toughness of the thing")],
    destroyed_at: Annotated[int, Param("how far damage must exceed it", 1, 100)] = 10,
    how: How = PLAIN,
) -> bool:
    """Roll if damage destroys an item: it must exceed the toughness by ten."""
    dealt = await total(damage, 0, 0, how)
    return await finish(total(toughness, 0, 0, how).map(lambda kept: dealt - kept >= destroyed_at))


HEALING = (natural_healing, regained, break_object)
