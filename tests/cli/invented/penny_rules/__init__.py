"""Penny: an invented system with one mechanic for each thing that the command line must be able to show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, NamedTuple

from tablewright.engine import Param, Role, again, choose, d, mechanic
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.rules.options import RuleOptions, rule_option
from tablewright.game.system.system import System

Coins = Annotated[int, Param("coins that are tossed", 1, 20)]


class Grade(Enum):
    """Degree of success."""

    POOR = "poor"
    FINE = "fine"
    GREAT = "größer"


class Tossed(NamedTuple):
    """Result of a toss."""

    won: bool
    grade: Grade
    heads: int
    bent: bool


class Purse(NamedTuple):
    """A purse such as p12."""

    coins: int

    @staticmethod
    def parse(text: str) -> Purse:
        """Read ``pN``."""
        if not (text.startswith("p") and text[1:].isdecimal() and text.isascii() and len(text) < 5):
            raise InvalidInputError(f'"{text[:40]}" is no purse; write p12')
        return Purse(int(text[1:]))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"p{self.coins}"


def heads_of(tossed: Tossed) -> int:
    """Number of heads."""
    return tossed.heads


@mechanic(rules=["penny.toss.heads"], objectives={"heads": heads_of})
async def toss(coins: Coins, wanted: Annotated[int, Param("heads that are wanted", 0, 20)] = 1) -> Tossed:
    """Toss coins and count heads.

    A second line of documentation.
    """
    heads = await d(2, coins, -coins)
    grade = Grade.POOR if heads < wanted else Grade.FINE if heads == wanted else Grade.GREAT
    return Tossed(heads >= wanted, grade, heads, False)


@mechanic(rules=["penny.toss.heads"])
async def total(coins: Coins) -> int:
    """Toss coins and add up."""
    return await d(2, coins)


@mechanic(rules=["penny.bet.place", "penny.toss.heads"], objectives={"money": int, "loss": lambda money: -money})
async def bet(purse: Purse, limit: Annotated[int, Param("the most that may be staked", 1, 5)] = 2) -> int:
    """Stake some of the purse on a toss, see the toss, and perhaps double it."""
    stake = await choose(Role.ACTOR, "how much to stake", range(min(purse.coins, limit) + 1))
    if await d(2) == 1:
        return purse.coins - stake
    doubled = await choose(Role.ACTOR, "double or stop", ["stop", "double"])
    if doubled == "stop":
        return purse.coins + stake
    return purse.coins + 2 * stake if await d(4) > 1 else purse.coins


@mechanic(rules=["penny.toss.tie"])
async def duel(mode: Literal["fair", "loaded"] = "fair") -> Grade:
    """Two people toss until they differ."""
    mine, yours = await d(2, 1 if mode == "fair" else 2), await d(2)
    if mine == yours:
        await again()
    return Grade.FINE if mine > yours else Grade.POOR


@mechanic(rules=["penny.toss.tie"])
async def never() -> int:
    """Toss without end."""
    await d(2)
    return await again()


@mechanic(rules=["penny.bet.place"])
async def forbidden() -> int:
    """Move that the rules do not allow."""
    raise IllegalActionError("the bank is closed", rule="penny.bet.place")


@mechanic(rules=["penny.bet.place"])
async def broken(coins: int = 0) -> int:
    """A mistake in the program."""
    return 1 // coins


@dataclass(frozen=True, kw_only=True)
class PennyOptions(RuleOptions):
    """The variants of Penny."""

    edge: Literal["again", "lost"] = rule_option(
        "again", rule="penny.toss.tie", description="what a coin on its edge means"
    )
    limit: int = rule_option(
        2,
        rule="penny.bet.place",
        description="the most that may be staked",
        low=1,
        high=5,
        typical="penny.bet purse=p3",
    )


system = System(
    id="penny",
    title="Penny & Größer",
    summary="Coins.",
    version="1",
    package=__name__,
    mechanics=(toss, total, bet, duel, never, forbidden, broken),
    options=PennyOptions,
)
