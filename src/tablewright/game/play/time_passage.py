"""Passage of time: the clock advances from timer to timer, and the system says what each timer does.

Activities that take time are refused during an encounter (:func:`require_no_encounter`) and to the dead
(:func:`require_alive`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeAlias

from tablewright.engine import Param
from tablewright.errors import IllegalActionError
from tablewright.game.play.common_events import Cancelled, Scheduled, TimePassed
from tablewright.game.play.effects import WEARS_OFF, expire_effects
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.time.clock import ANY, AnyData

MOST_FALLEN = 50_000
"""Upper bound for timers run in one call; time then stops and the caller may continue."""


def require_no_encounter(scene: Scene, rule: str) -> None:
    """Refuse an activity during an encounter: it takes longer than a turn, or it costs an action there."""
    if scene.in_encounter:
        raise IllegalActionError("not in the middle of an encounter", rule=rule)


def require_present(game: Game, who: str, rule: str | None = None) -> Participant:
    """Return the participant; refuse an id that is not in the scene."""
    return game[who]


def require_alive(game: Game, who: str, rule: str | None = None) -> Participant:
    """Return the participant; refuse if they are dead."""
    one = game[who]
    if game.rulebook.vitals.dead(one):
        raise IllegalActionError(f"{game.scene.display_name(one.id)} is dead", rule=rule)
    return one


def require_peace(game: Game, who: str, rule: str) -> None:
    """Refuse an activity during an encounter, and an id that is not in the scene."""
    require_present(game, who)
    require_no_encounter(game.scene, rule)


def require_leisure(game: Game, who: str, rule: str) -> None:
    """Refuse an activity to the dead and during an encounter."""
    require_alive(game, who, rule)
    require_no_encounter(game.scene, rule)


Who: TypeAlias = Annotated[str, Param("a participant of the scene", guard=require_present)]
"""Parameter of a process for any participant; an unknown id is refused before the process starts."""
Living: TypeAlias = Annotated[str, Param("a participant of the scene", guard=require_alive)]
"""Parameter of a process for a participant who must be alive; the dead are refused before the process starts."""
AtPeace: TypeAlias = Annotated[str, Param("a participant of the scene", guard=require_peace)]
"""Parameter of a process for any participant, outside of encounters."""
AtLeisure: TypeAlias = Annotated[str, Param("a participant of the scene", guard=require_leisure)]
"""Parameter of a process for a participant who must be alive, outside of encounters."""


def each_named(
    game: Game, who: Iterable[str], otherwise: Callable[[Participant], bool] = lambda one: False
) -> list[str]:
    """Participants that are named, each once; without names everyone for whom ``otherwise`` holds."""
    named = [game[one].id for one in who] or [one.id for one in game.scene.participants if otherwise(one)]
    return list(dict.fromkeys(named))


def cancel_timer(game: Game, what: str, who: str, *, cause: str, data: AnyData = ANY) -> None:
    """Take a timer of a participant from the clock, if it is there."""
    if game.scene.clock.left(what, who=who, data=data) is not None:
        game.emit(Cancelled(what=what, who=who, data=data, cause=cause))


def restart_timer(game: Game, what: str, who: str, *, cause: str, **timer: Any) -> None:
    """Set a timer of a participant, in place of one of this name that is on the clock."""
    cancel_timer(game, what, who, cause=cause)
    game.emit(Scheduled(what=what, who=who, cause=cause, **timer))


async def advance_time(game: Game, ticks: int, *, cause: str, stop: Callable[[Game], bool] | None = None) -> int:
    """Advance the clock and run each timer at its moment; one long step equals many short ones.

    Returns the remaining ticks: 0 if all of the time has passed. After each timer ``stop`` may end the passage early,
    for players to change their plans. It also ends after `MOST_FALLEN` timers. Time that passes while a timer waits for
    an answer counts too.
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
            expire_effects(game, cause=cause)
        else:
            await game.rulebook.on_timer(game, due)
        if stop is not None and stop(game):
            break
    return max(0, until - game.scene.clock.now)
