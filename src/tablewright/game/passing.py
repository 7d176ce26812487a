"""Time passes: the clock goes from one thing that falls due to the next, and the system says what each of them does.

What takes its time is not done between two turns of a fight, and nothing by the dead: :func:`demand_peace` and
:func:`demand_alive` say so.
"""

from __future__ import annotations

from collections.abc import Callable

from tablewright.errors import RulesSayNo
from tablewright.game.common import TimePassed
from tablewright.game.lasting import WEARS_OFF, wear_off
from tablewright.game.scene import Live, Participant, Scene

MOST_FALLEN = 50_000
"""After so many things that fell due time stops by itself: people may look, and let it go on."""


def demand_peace(scene: Scene, rule: str) -> None:
    """Refuse in an encounter what takes longer than its turns, or is an action there that costs something."""
    if scene.in_encounter:
        raise RulesSayNo("not in the middle of an encounter", rule=rule)


def demand_alive(game: Live, who: str, rule: str | None = None) -> Participant:
    """Somebody who may still do something, or have it done to them; refuse it to the dead."""
    one = game[who]
    if game.book.reckoning.dead(one):
        raise RulesSayNo(f"{game.scene.called(one.id)} is dead", rule=rule)
    return one


async def let_time_pass(game: Live, ticks: int, *, cause: str, stop: Callable[[Live], bool] | None = None) -> int:
    """Let time pass; whatever falls due on the way happens in its order, so days in one step equal day by day.

    ``stop`` is asked after each thing that fell due whether time shall stop there, so that people can change what they
    do; after a great many of them it stops by itself. The answer is how many ticks were left over: 0 where all of the
    time has passed. Something that is done while a thing that fell due waits for an answer may let time pass of its
    own; that time counts too.
    """
    until = game.scene.clock.moved(ticks).now
    for _ in range(MOST_FALLEN):
        clock = game.scene.clock
        due = clock.next(until)
        if due is None or clock.now > until:
            if until > clock.now:
                game.emit(TimePassed(amount=until - clock.now, cause=cause))
            return 0
        game.emit(TimePassed(amount=max(0, due.at - clock.now), cause=cause))
        if due.what == WEARS_OFF:
            wear_off(game, cause=cause)
        else:
            await game.book.fall_due(game, due)
        if stop is not None and stop(game):
            break
    return max(0, until - game.scene.clock.now)
