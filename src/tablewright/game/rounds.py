"""Rounds: everybody in order has a turn, again and again, until somebody says it is over. Reads only the scene."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tablewright.game.common import RoundStarted, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live, Participant, Scene

MOST_ROUNDS = 1_000


async def play_rounds(
    game: Live,
    turn: Callable[[Live, str], Awaitable[None]],
    outcome: Callable[[Scene], str | None],
    *,
    cause: str,
    most: int = MOST_ROUNDS,
    length: int = 0,
) -> None:
    """Play from any scene to its end.

    ``turn`` plays one participant's turn, from its start or from the middle of it; ``outcome`` says how it ended, or
    None while it goes on. A round takes ``length`` units of time. After ``most`` rounds it is a draw.
    """
    while game.scene.ended is None:
        ended = outcome(game.scene)
        who = game.scene.turn or game.scene.next_to_act()
        if ended is not None:
            game.emit(SceneEnded(outcome=ended, cause=cause))
        elif who is not None and game.scene.round:
            if game.scene.turn is None:
                game.emit(TurnStarted(who=who, cause=cause))
            await turn(game, who)
            if game.state.turn == who:
                game.emit(TurnEnded(who=who, cause=cause))
        elif game.scene.round >= most:
            game.emit(SceneEnded(outcome="draw", reason=f"{most} rounds have passed", cause=cause))
        else:
            if length and game.scene.round:
                await let_time_pass(game, length, cause=cause)
            game.emit(RoundStarted(number=game.scene.round + 1, cause=cause))


def last_side(scene: Scene, stands: Callable[[Participant], bool]) -> str | None:
    """How a fight ends as its scenario says: when one side alone stands, or when somebody falls; None before that."""
    standing = dict.fromkeys([one.side for one in scene.present if stands(one)])
    if scene.start.ends == "game_master":
        return None
    if scene.start.ends == "first_fall":
        fallen = [one for one in scene.participants if not stands(one)]
        if fallen:
            return f"{fallen[0].name} is out of it"
    if len(standing) > 1:
        return None
    return f"{next(iter(standing))} win" if standing else "nobody stands"
