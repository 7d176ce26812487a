"""Checks that people make in the course of things, with all that counts for them now and is used up by them."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param
from tablewright.engine.asks import EVERYONE
from tablewright.errors import RulesSayNo
from tablewright.game.passing import demand_peace
from tablewright.game.scene import Live
from tablewright.systems.marchen.checks import use_boons
from tablewright.systems.marchen.events import HelpUsed
from tablewright.systems.marchen.mechanics import CheckResult, check
from tablewright.systems.marchen.now import Ready, how_checked, readied
from tablewright.systems.marchen.status import Status, lives
from tablewright.systems.marchen.tables import Difficulty

OUTCOMES = "marchen.gap.face.outcomes"
OwnBoon = Annotated[str, Param("a boon of one's own that is used up for it, by its name")]


async def rolled(
    game: Live,
    who: str,
    what: str,
    *more: tuple[str, int, str | None],
    specialization: str = "",
    difficulty: Difficulty = "average",
    dm: int = 0,
    advantages: int = 0,
    boon: str = "",
    matter: str = "",
) -> CheckResult:
    """Somebody makes a check of a skill, a characteristic or an aspect, with all that counts for it now."""
    made = readied(
        game.scene, who, what, *more, specialization=specialization, advantages=advantages, boon=boon, matter=matter
    )
    core, table = how_checked(game.scene.options)
    call = check(core, difficulty, made.tally.total, made.luck, 0, dm, False, *table, "per_die")
    result: CheckResult = await call.by(game.seat(who), tallies={"modifier": made.tally})
    count(game, who, made)
    return result


def able(game: Live, *people: str, rule: str = OUTCOMES) -> None:
    """Refuse what somebody who is down would have to do, or has no life left to do."""
    for who in people:
        status: Status = game[who].status
        if status.down:
            raise RulesSayNo(f"{game.scene.called(who)} is {status.fate or 'down'}", rule=rule)


def alive(game: Live, *people: str) -> None:
    """Refuse what takes a life that is not over; one may be down for that."""
    for who in people:
        if not lives(game[who]):
            raise RulesSayNo(f"{game.scene.called(who)} is {game[who].status.fate}", rule=OUTCOMES)


def takes_time(game: Live) -> None:
    """Refuse in a fight, which goes by the ounce, whatever takes a puncti or longer."""
    demand_peace(game.scene, "marchen.action.scales")


def aware(game: Live, *people: str) -> None:
    """Refuse what takes somebody who hears and answers; one may be down for that, but not out of one's senses."""
    for who in people:
        status: Status = game[who].status
        if status.fate or not status.conscious:
            raise RulesSayNo(f"{game.scene.called(who)} is {status.fate or 'unconscious'}", rule=OUTCOMES)


def count(game: Live, who: str, made: Ready, to: str = EVERYONE) -> None:
    """What waited for somebody's next check has counted for this one, and is used up."""
    use_boons(game, who, made.boons)
    status = game[who].status
    if status.nexts or status.hindered:
        game.emit(HelpUsed(who=who, to=to, cause="marchen.chain.dm"))
