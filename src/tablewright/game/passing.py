"""Time passes: the clock goes from one thing that falls due to the next, and the system says what each of them does."""

from __future__ import annotations

from tablewright.game.common import TimePassed
from tablewright.game.scene import Live


async def let_time_pass(game: Live, ticks: int, *, cause: str) -> None:
    """Let time pass; whatever falls due on the way happens in its order, so days in one step equal day by day."""
    until = game.scene.clock.now + ticks
    while True:
        now = game.scene.clock.now
        _, due = game.scene.clock.step(until)
        if due is None:
            if until > now:
                game.emit(TimePassed(amount=until - now, cause=cause))
            return
        game.emit(TimePassed(amount=due.at - now, cause=cause))
        await game.book.fall_due(game, due)
