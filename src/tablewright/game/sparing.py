"""Harm that the game master lets count half, or not at all: at the very moment it is done.

What a blow brings about is decided by what somebody has left after it, so it is made less before anything else goes by
it: whoever would have fallen and does not is not taken for fallen for a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, TypeAlias, get_args

from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.common import Spared
from tablewright.game.events import Event
from tablewright.game.reckoning import Reckoning
from tablewright.game.scene import Live, Participant, Scene, replaced

Part: TypeAlias = Literal["half", "none"]
PARTS: tuple[Part, ...] = get_args(Part)


def tempering(part: str) -> Callable[[Live, Scene, Event], None]:
    """What is done after each event while harm to others counts only in part."""
    if part not in PARTS:
        raise BadInput(f'"{part:.20}" is no part of harm; allowed are {", ".join(PARTS)}', field="part")

    def temper(live: Live, before: Scene, event: Event) -> None:
        reckoning = live.book.reckoning
        for harm in list(reckoning.harms(before, event, live.state)):
            if harm.who == before.turn:
                continue
            lost = harm.amount // 2 if part == "half" else 0
            status = with_less(before[harm.who], live.state[harm.who], lost + harm.paid, reckoning)
            live.emit(Spared(who=harm.who, part=part, status=status, cause="ruling"))

    return temper


def with_less(before: Participant, after: Participant, lost: int, reckoning: Reckoning) -> Any:
    """The status of somebody who lost only so much: numbers go down with it, and what else came with it is left away.

    What follows from how much is left comes of itself: whoever falls by half of a blow falls as by a whole one.
    """
    if lost == 0:
        return before.status
    wanted = reckoning.vigour(before) - lost
    if reckoning.lessened is not None:
        return reckoning.lessened(before, after, lost)
    whole = reckoning.vigour(before) - reckoning.vigour(after)
    spared = before.status
    for entry in fields(after.status):
        was, now = getattr(before.status, entry.name), getattr(after.status, entry.name)
        without = replaced(after, status=replaced(after.status, **{entry.name: was}))
        if was == now or reckoning.vigour(without) == reckoning.vigour(after):
            continue
        if type(was) is not int or type(now) is not int:
            raise _not_to_be_halved(after)
        spared = replaced(spared, **{entry.name: was + _share(now - was, lost, whole)})
    spared = _exactly(before, spared, wanted, reckoning)
    if spared is None:
        raise _not_to_be_halved(after)
    return spared


def _share(change: int, lost: int, whole: int) -> int:
    """So much of a change as was lost of the whole, towards nothing."""
    share = abs(change) * lost // whole
    return share if change > 0 else -share


def _exactly(before: Participant, spared: Any, wanted: int, reckoning: Reckoning) -> Any:
    """Several numbers that are cut down may come to one too few: the rest is put to the first that takes it."""
    missing = reckoning.vigour(replaced(before, status=spared)) - wanted
    if missing == 0:
        return spared
    for entry in fields(spared):
        value = getattr(spared, entry.name)
        if type(value) is not int:
            continue
        for change in (missing, -missing):
            other = replaced(spared, **{entry.name: value + change})
            if value != getattr(before.status, entry.name) and (
                reckoning.vigour(replaced(before, status=other)) == wanted
            ):
                return other
    return None


def _not_to_be_halved(one: Participant) -> RulesSayNo:
    return RulesSayNo(f"this harm to {one.id} is nothing that can be halved; let all of it count, or none")
