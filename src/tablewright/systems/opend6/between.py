"""Coming between: whoever has waited acts when somebody else does, and goes on until nothing is left or they wait."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.game.actions import Use
from tablewright.game.scene import Live, Scene
from tablewright.game.windows import window
from tablewright.systems.opend6.events import CameBetween
from tablewright.systems.opend6.status import Status, is_here, stands

WAIT, STOP = "opend6.turn.waiting", "stop"
LET_BE = Use("let_be", label="Let it be")
NEVER_FIRST = frozenset(
    [
        "step",
        "posture",
        "let_go",
        "speak",
        "glance",
        "burn_fate",
        "fast_reactions",
        "use_points",
        "yield",
        "wait",
        STOP,
    ]
)
"""What nobody comes between with: what takes no action, and waiting, which goes on anyway."""


def waiters(scene: Scene, who: str) -> list[str]:
    """Those who have waited, have an action left, and may come between what somebody else does."""
    return [
        one.id
        for one in scene.participants
        if one.status.waiting and one.id != who and one.status.left > 0 and stands(one)
    ]


def open_between(game: Live, who: str) -> list[Use]:
    """What somebody who has waited may do now; nothing once they have left."""
    if not is_here(game.scene, who):
        return []
    among = [action.id for action in game.book.actions if action.id not in NEVER_FIRST]
    offered = game.book.actions.offers(game.scene, who, among=among)
    return [use for use in offered if isinstance(use, Use)]


async def come_between(game: Live, who: str, use: Use) -> None:
    """Somebody who has waited does something: the wait is over."""
    game.emit(CameBetween(who=who, cause=WAIT))
    await game.book.actions.perform(game, who, use)


async def let_interrupt(game: Live, actor: str, *, goes_on: Callable[[Scene], bool] = lambda _: True) -> None:
    """Between a roll that is made and what comes of it whoever has waited may act, once each.

    [opend6.turn.interrupt]
    """
    if not waiters(game.scene, actor):
        return
    await window(
        game,
        f"interrupt {game.scene.called(actor)}?",
        lambda scene: waiters(scene, actor) if goes_on(scene) else [],
        lambda scene, who: open_between(game, who),
        idle=LET_BE,
        perform=come_between,
        about={"actor": actor},
    )


def last_between(scene: Scene, after: str | None = None) -> str | None:
    """Who came between last, after somebody's own turn, and has declared actions left."""
    above = 0 if after is None else scene[after].status.between
    found = [one for one in scene.participants if one.status.between > above and goes_on_between(scene, one.id)]
    return max(found, key=lambda one: one.status.between).id if found else None


def goes_on_between(scene: Scene, who: str) -> bool:
    """Whether somebody who has come between has something left to do."""
    status: Status = scene[who].status
    return status.between > 0 and status.left > 0 and stands(scene[who])
