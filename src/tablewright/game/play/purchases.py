"""Spending of earned points, one purchase after the other, until the player stops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from tablewright.engine import Choice, ClosedOption, Roll, choose
from tablewright.game.character.creation import CreationOption
from tablewright.game.scene.game import Game

KEEP_THE_REST = CreationOption("done", "Done", note="keep the rest")
PURCHASE = "purchase"
"""Kind of the question that offers purchases, in its details."""


async def buy_step_by_step(
    game: Game,
    who: str,
    left: Callable[[], str],
    purchases: Callable[[], Iterable[CreationOption | ClosedOption]],
    buy: Callable[[Any], Awaitable[None]],
) -> None:
    """Offer purchases until the player stops; ``left`` gives the remaining budget in words, such as "4 experience".

    The default answer buys nothing. Others may know who is choosing, unless the character is hidden.
    """
    details = {"who": who, "kind": PURCHASE} | ({} if game[who].hidden else {"open": True})
    while True:
        taken = await choose(
            game.seat(who),
            f"spend {left()} on what?",
            lambda: [*purchases(), KEEP_THE_REST],
            default=KEEP_THE_REST,
            details=details | {"budget": left()},
        )
        if taken.id == KEEP_THE_REST.id:
            return
        await buy(taken)


def is_purchase(question: Choice[Any] | Roll[Any] | None) -> bool:
    """True if a question offers purchases."""
    return isinstance(question, Choice) and question.details.get("kind") == PURCHASE
