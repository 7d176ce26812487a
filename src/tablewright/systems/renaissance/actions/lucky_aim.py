"""Luck before the roll of an attack that is no blow: of a blast, a splash, a touch, a pointing finger."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.engine import choose
from tablewright.game.scene import Live
from tablewright.systems.renaissance.aiming import MOST_LUCK
from tablewright.systems.renaissance.attack import Striking, strikable
from tablewright.systems.renaissance.now import Goal, Piece, now

IGNORED, DARED = "renaissance.luck.ignore_penalties", "renaissance.gap.class.daredevil"


async def lucky_aim(game: Live, who: str, target: str, aimed: Callable[[], Goal]) -> tuple[Goal, int]:
    """The target of the attack with the Luck that is spent before its roll, and how many points that takes."""

    def find() -> list[Striking]:
        me, goal = now(game.scene, who), aimed()
        return strikable((), goal.penalties, min(me.luck, MOST_LUCK), daring=me.daring, target=goal.total)

    offered = find()
    how = offered[0]
    if len(offered) > 1:
        about = {"who": who, "target": target, "open": not game[who].hidden}
        how = await choose(game.seat(who), "which Luck before the roll?", find, about=about)
    goal, more = aimed(), []
    if how.ignores:
        more.append(Piece("penalties ignored", goal.penalties, IGNORED))
    if how.dares:
        more.append(Piece("daring", now(game.scene, who).daring, DARED))
    return goal.plus(more), how.spent
