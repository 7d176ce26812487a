"""Spending what was earned: whatever can be bought is offered, one thing after the other, until somebody stops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from tablewright.engine import Closed, choose
from tablewright.game.creation import Offer
from tablewright.game.scene import Live

KEEP_THE_REST = Offer("done", "Done", note="keep the rest")


async def buy_step_by_step(
    game: Live,
    who: str,
    left: Callable[[], str],
    purchases: Callable[[], Iterable[Offer | Closed]],
    buy: Callable[[Any], Awaitable[None]],
) -> None:
    """Offer purchases until nothing more is wanted; ``left`` says what there is to spend, such as "4 experience".

    Where nobody is asked, nothing is bought.
    """
    while True:
        taken = await choose(
            game.seat(who),
            f"spend {left()} on what?",
            lambda: [*purchases(), KEEP_THE_REST],
            default=KEEP_THE_REST,
            about={"who": who},
        )
        if taken.id == KEEP_THE_REST.id:
            return
        await buy(taken)
