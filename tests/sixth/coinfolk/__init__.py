"""Coinfolk: a whole role-playing game on a beer mat, invented to prove the game layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from tablewright.engine import Param, Role, d, mechanic, yes_no
from tablewright.game.rules.options import LedgerOptions, RuleOptions
from tablewright.game.system.system import System

Coins = Annotated[int, Param("how many coins are tossed", 0, 12)]
option = LedgerOptions(__file__)


@dataclass(frozen=True, kw_only=True)
class CoinfolkOptions(RuleOptions):
    """Options that the beer mat leaves open."""

    ducking: Literal["after", "never"] = option["ducking"]


@mechanic(rules=["coinfolk.coins.toss"])
async def heads(coins: Coins) -> int:
    """Toss coins and count the heads."""
    return await d(2, coins, -coins) if coins else 0


@mechanic(rules=["coinfolk.coins.check"])
async def check(coins: Coins, difficulty: Annotated[int, Param("heads needed", 0, 12)]) -> bool:
    """Toss coins; as many heads as the difficulty succeed."""
    return await heads(coins) >= difficulty


class Strike(NamedTuple):
    """Result of a strike: damage, and the coins both spent."""

    harm: int
    luck: int
    breath: int


@mechanic(
    rules=["coinfolk.fight.strike", "coinfolk.fight.duck", "coinfolk.power.flip"],
    objectives={"harm": lambda strike: strike.harm},
)
async def strike(
    coins: Coins,
    edge: Annotated[int, Param("what the weapon adds to a hit", 0, 3)] = 0,
    luck: Annotated[int, Param("luck the striker has left", 0, 5, unseen=0)] = 0,
    dodge: Annotated[int, Param("coins of the one who ducks; 0 for none", 0, 12)] = 0,
) -> Strike:
    """Heads are harm, a weapon adds its edge. Luck turns all tails once; the struck may duck and cancel heads."""
    hits = await heads(coins)
    flipped = luck > 0 and hits < coins and await yes_no(Role.ACTOR, "flip the tails?", cost_text="1 luck")
    if flipped:
        hits += await heads(coins - hits)
    ducked = dodge > 0 and hits > 0 and await yes_no(Role.OPPONENT, "duck?", cost_text="1 breath")
    if ducked:
        hits = max(0, hits - await heads(dodge).by_opponent())
    return Strike(hits + edge if hits else 0, int(flipped), int(ducked))


system = System(
    id="coinfolk",
    title="Coinfolk",
    summary="a beer-mat game of tossed coins",
    version="1.0",
    package=__name__,
    status="finished",
    mechanics=(heads, check, strike),
    options=CoinfolkOptions,
    rulebook_module=f"{__name__}.book",
)
