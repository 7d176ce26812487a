"""Mechanics of initiative and other rolls about a whole turn.

Each of these choices is weighed by the harm it does or spares, in the worths of `attack.py`.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Annotated, Any, NamedTuple

from tablewright.dice import Dist
from tablewright.engine import Param, Request, Role, become, both, choose, d, finish, mechanic, yes_no
from tablewright.engine.mechanic import FixedOdds
from tablewright.errors import IllegalActionError
from tablewright.systems.opend6.mechanics.checks import Bonus, Code
from tablewright.systems.opend6.mechanics.dice import NotPossible, assembled, demanded, penalty_dice, prepared_dice
from tablewright.systems.opend6.mechanics.open_ended import SIX
from tablewright.systems.opend6.mechanics.points import thrown_as
from tablewright.systems.opend6.mechanics.rolls import PLAIN, How, open_total
from tablewright.systems.opend6.options import ChallengeLevel, ZeroRule
from tablewright.systems.opend6.values import DieCode, most_character_points

FULL, PASSIVE = 10, 10
LEAST = 3  # opend6.gap.attack.least
MOST_ACTIONS = 10


class Initiative(NamedTuple):
    """An initiative total and the points that went into it."""

    total: int
    points: int


@mechanic(
    rules=["opend6.initiative.roll", "opend6.initiative.points", "opend6.cp.max_per_roll"],
    objectives={"thrifty": lambda found: found.total - 6 * found.points, "total": lambda found: found.total},
)
async def initiative(
    acumen: Annotated[DieCode, Param("the code of Acumen, less what wounds take")],
    bonus: Bonus = 0,
    bonus_dice: Annotated[int, Param("dice of Special Abilities", 0, 50)] = 0,
    points: Annotated[int, Param("Character Points that may be spent", 0, 1_000, unseen=0)] = 0,
    challenge_level: Annotated[ChallengeLevel, Param("what limits the points on one roll")] = "cinematic",
    how: How = PLAIN,
) -> Initiative:
    """Roll Acumen for a place in the order; Character Points may go on it, Fate Points never."""
    most = most_character_points(points, challenge_level)
    used = await choose(Role.ACTOR, "Character Points on initiative", range(most + 1)) if most else 0
    code = DieCode(max(1, acumen.dice) + bonus_dice, acumen.pips)
    rolled = thrown_as(code, used, how, lambda shown, _: Initiative(shown + bonus, used))
    return await finish(rolled)


@mechanic(rules=["opend6.initiative.ties"])
async def lot(count: Annotated[int, Param("how many are still equal", 2, 200)]) -> int:
    """Draw lots among participants that tie in all factors."""
    return await finish(d(count).map(lambda shown: shown - 1))


# ---------------------------------------------------------------------- one action or several


@mechanic(
    rules=["opend6.turn.declare_count", "opend6.map.penalty", "opend6.map.allotment", "opend6.map.zero_rule"],
    objectives={"successes": int},
)
async def several_actions(
    code: Code,
    difficulty: Annotated[int, Param("the difficulty of each", 0, 500)],
    most: Annotated[int, Param("the most actions that are considered", 1, MOST_ACTIONS)] = 3,
    allotment: Annotated[int, Param("actions without penalty", 1, MOST_ACTIONS)] = 1,
    zero_rule: Annotated[ZeroRule, Param("when a code that penalties have eaten up cannot be used")] = (
        "own_code_below_1d"
    ),
    how: How = PLAIN,
) -> int:
    """Choose how many actions to declare for a round: each beyond the allotment takes a die from all of them.

    The result is how many of them succeed.
    """
    able = [
        count
        for count in range(1, most + 1)
        if not isinstance(assembled(code, penalty=penalty_dice(count, allotment), zero_rule=zero_rule), NotPossible)
    ]
    if not able:
        raise IllegalActionError("nothing can be done with a code that is used up", rule="opend6.map.zero_rule")
    count = await choose(Role.ACTOR, "how many actions", able) if len(able) > 1 else able[0]
    return await become(several(code, difficulty, count, penalty_dice(count, allotment), zero_rule, how))


@mechanic(rules=["opend6.map.penalty"], objectives={"successes": int})
async def several(
    code: Code,
    difficulty: int,
    count: Annotated[int, Param("how many actions", 0, MOST_ACTIONS)],
    penalty: Annotated[int, Param("dice that each of them lacks", 0, MOST_ACTIONS)],
    zero_rule: ZeroRule = "own_code_below_1d",
    how: How = PLAIN,
) -> int:
    """Number of successes among several equal actions."""
    left = demanded(assembled(code, penalty=penalty, zero_rule=zero_rule))
    one = _success(left, difficulty, how)
    if count <= 1:
        return await finish(one)
    return await finish(both(one, several(code, difficulty, count - 1, penalty, zero_rule, how), _sum))


@mechanic(rules=["opend6.check.skill_check", "opend6.success.ties"], objectives={"success": int})
async def success(
    code: Code, difficulty: Annotated[int, Param("the difficulty", 0, 1_000)], bonus: Bonus = 0, how: How = PLAIN
) -> bool:
    """Roll against a difficulty in a fight, for success or failure only."""
    needed = difficulty - bonus
    return await finish(thrown_as(code, 0, how, lambda shown, _: shown >= needed, highest=needed - 1))


def _success(code: DieCode, difficulty: int, how: How) -> Request[int]:
    return thrown_as(code, 0, how, lambda shown, _: int(shown >= difficulty), highest=difficulty - 1)


def _sum(one: int, other: int) -> int:
    return one + other


# ---------------------------------------------------------------------- full, partial or no defence


class Exchange(NamedTuple):
    """Result of a round: hits given, hits taken."""

    given: int
    taken: int


def _difference(exchange: Exchange) -> int:
    return exchange.given - exchange.taken


@mechanic(
    rules=["opend6.gap.defence.passive", "opend6.gap.defence.partial", "opend6.gap.defence.full"],
    objectives={"hits": _difference},
)
async def choose_defence(
    attack: Annotated[DieCode, Param("the code one attacks with")],
    defence: Annotated[DieCode, Param("the code one defends with")],
    difficulty: Annotated[int, Param("the difficulty of hitting the foe", 0, 500)],
    foe: Annotated[DieCode, Param("the code of those who attack before one's next turn")],
    attacks: Annotated[int, Param("how often they attack", 0, 6)] = 1,
    modifier: Annotated[int, Param("what range, cover and the like add for them", -50, 50)] = 0,
    how: How = PLAIN,
) -> Exchange:
    """Full defence, partial defence or none: attack with all dice, attack and defend at a die less, or only defend.

    Neither a defence nor what has to be reached to hit is ever below 3.
    """
    ways = ["none"] if attack.dice > 0 else []
    if attack.dice > 1 and defence.dice > 1:
        ways.append("partial")
    if defence.dice > 0:
        ways.append("full")
    if not ways:
        raise IllegalActionError("nothing can be done with codes below 1D", rule="opend6.map.zero_rule")
    way = await choose(Role.ACTOR, "how to defend", ways) if len(ways) > 1 else ways[0]
    if way == "none":
        return await _success(attack, difficulty, how).into(
            lambda given: taken(given, max(LEAST, PASSIVE + modifier), foe, attacks, how)
        )

    def needed(total: int) -> int:
        return max(LEAST, max(LEAST, total) + modifier)

    if way == "full":
        return await finish(let_through(defence, FULL, foe, attacks, modifier, how).map(lambda hits: Exchange(0, hits)))
    less = DieCode(attack.dice - 1, attack.pips), DieCode(defence.dice - 1, defence.pips)
    hits = let_through(less[1], 0, foe, attacks, modifier, how)
    return await finish(both(_success(less[0], difficulty, how), hits, Exchange))


def _let_through_odds(defence: DieCode, plus: int, foe: DieCode, attacks: int, modifier: int, how: How) -> Any:
    """Hits through a defence without end: from some total on both chances fall by a sixth every six points."""
    defended, attacked = open_total(defence, plus, 0, how), open_total(foe, 0, 0, how)
    if foe.dice < 1:
        return None
    needed = defended.floored(LEAST).plus(modifier).floored(LEAST)
    last = max([base for total in (needed, attacked) for base, _, _ in total.weights]) + 1
    table = needed.chances(last)
    table.pop(last, None)
    tail = [needed.at_least(last + at) - needed.at_least(last + at + 1) for at in range(SIX)]
    found: dict[int, Fraction] = {}
    for hits in range(attacks + 1):
        ways = comb(attacks, hits)
        chance = Fraction(0)
        for number, likely in table.items():
            one = attacked.at_least(number)
            chance += likely * ways * one**hits * (1 - one) ** (attacks - hits)
        for at, likely in enumerate(tail):
            one = attacked.at_least(last + at)
            for misses in range(attacks - hits + 1):
                power = hits + misses
                sign = comb(attacks - hits, misses) * (-1) ** misses
                chance += likely * ways * sign * one**power / (1 - Fraction(1, SIX ** (power + 1)))
        found[hits] = chance
    return FixedOdds(Dist.from_chances(found))


@mechanic(rules=["opend6.gap.defence.partial", "opend6.gap.attack.hit"], closed=_let_through_odds)
async def let_through(defence: DieCode, plus: int, foe: DieCode, attacks: int, modifier: int, how: How = PLAIN) -> int:
    """Roll a defence, and then every attack against it: how many hit."""
    needed = await thrown_as(defence, 0, how, lambda shown, _: max(LEAST, max(LEAST, shown + plus) + modifier))
    if not attacks:
        return 0
    return await finish(several(foe, needed, attacks, 0, "own_code_below_1d", how).by_opponent())


@mechanic(rules=["opend6.gap.attack.hit"], objectives={"hits": _difference})
async def taken(given: int, difficulty: int, foe: DieCode, attacks: int, how: How = PLAIN) -> Exchange:
    """The hits that are taken until the next turn."""
    if not attacks:
        return Exchange(given, 0)
    return await finish(
        several(foe, difficulty, attacks, 0, "own_code_below_1d", how).map(lambda hits: Exchange(given, hits))
    )


# ---------------------------------------------------------------------- prepare or act


@mechanic(rules=["opend6.prepare.bonus", "opend6.gap.attack.aiming"], objectives={"successes": int})
async def prepare_or_act(
    code: Code,
    difficulty: Annotated[int, Param("the difficulty", 0, 500)],
    rounds: Annotated[int, Param("how many rounds there are", 1, 8)] = 2,
    aiming: Annotated[bool, Param("whether it is aiming: a die for every round, up to three")] = False,
    how: How = PLAIN,
) -> int:
    """Within so many rounds: act in every one of them, or prepare first and act with more dice in those left.

    The result is how often it succeeds.
    """
    ways = [first for first in range(rounds) if first == 0 or _dice(first, aiming) > _dice(first - 1, aiming)]
    first = await choose(Role.ACTOR, "how many rounds of preparation", ways) if len(ways) > 1 else 0
    if first == 0:
        return await become(several(code, difficulty, rounds, 0, "own_code_below_1d", how))
    prepared = DieCode(code.dice + _dice(first, aiming), code.pips)
    rest = rounds - first - 1
    one = _success(prepared, difficulty, how)
    if not rest:
        return await finish(one)
    return await finish(both(one, several(code, difficulty, rest, 0, "own_code_below_1d", how), _sum))


def _dice(rounds: int, aiming: bool) -> int:
    """Dice that rounds of aiming or preparing give."""
    return min(3, rounds) if aiming else prepared_dice(rounds + 1)


# ---------------------------------------------------------------------- a Fate Point now or later


@mechanic(
    rules=["opend6.fate.double", "opend6.fate.per_roll_limit", "opend6.fate.timing", "opend6.fate.order"],
    objectives={"successes": int},
)
async def fate_now_or_later(
    code: Annotated[DieCode, Param("the code of the roll that comes first")],
    difficulty: Annotated[int, Param("its difficulty", 0, 500)],
    later: Annotated[tuple[DieCode, ...], Param("the codes of later rolls of the round")],
    later_difficulty: Annotated[int, Param("their difficulty", 0, 500)],
    penalty: Annotated[int, Param("dice that each of them lacks", 0, 20)] = 0,
    fate_points: Annotated[int, Param("Fate Points that may be spent", 0, 20)] = 1,
    how: How = PLAIN,
) -> int:
    """A Fate Point doubles one roll of the round: this one, or one of those that come later.

    The result is how many of the rolls succeed. Codes are doubled first, and lose their dice then; a roll of which
    nothing is left without a Fate Point takes one.
    """
    plain, doubled = assembled(code, penalty=penalty), demanded(assembled(code, factor=2, penalty=penalty))
    spare = fate_points - len([one for one in later if isinstance(assembled(one, penalty=penalty), NotPossible)])
    used = int(isinstance(plain, NotPossible))
    if spare > 0 and not used:
        used = int(await yes_no(Role.ACTOR, "a Fate Point on this roll", cost_text="1 Fate Point"))
    rolled = doubled if used else plain
    if spare < used or isinstance(rolled, NotPossible):
        raise IllegalActionError(
            "what is used up takes a Fate Point, and there are too few", rule="opend6.map.zero_rule"
        )
    one = _success(rolled, difficulty, how)
    if not later:
        return await finish(one)
    rest = fate_now_or_later(later[0], later_difficulty, later[1:], later_difficulty, penalty, fate_points - used, how)
    first = await one
    return await finish(rest.map(lambda more: first + more))


ROUNDS = (initiative, success, several_actions, choose_defence, prepare_or_act, fate_now_or_later)
