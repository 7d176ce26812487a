"""Windows: the moments in which others may come between what somebody does and what comes of it.

A window asks everybody who could interrupt, once each and in order. Whoever acts in it changes the scene, so who is
asked and what is offered is read anew after every answer; a window inside a window is nothing special. A question in a
window says so (``about["kind"] == "window"``): it can be answered automatically, and need not betray who is asked.

>>> from types import SimpleNamespace
>>> from tablewright.engine import Playing
>>> from tablewright.game.common import Hid, common
>>> from tablewright.game.scene import Participant
>>> def one(id: str) -> Participant:
...     return Participant(id=id, name=id, side=id, seat=id, character=None, status=None)
>>> game = Live(Scene("demo", (one("ann"), one("bob"), one("cid"))), SimpleNamespace(apply=common))
>>> def asked(scene: Scene) -> list[str]:
...     return [one.id for one in scene.participants if not any(other.hidden for other in scene.participants)]
>>> async def duck(game: Live, who: str, use: Use) -> None:
...     game.emit(Hid(who=who))
>>> ducking = window(game, "duck?", asked, lambda scene, who: [Use("duck")], idle=Use("stand"), perform=duck)
>>> playing = Playing(ducking, game.log)
>>> playing.seat, playing.question.ids
('ann', ('stand', 'duck'))
>>> playing.answer("stand")
>>> playing.answer("duck")  # bob does; there is nothing left for cid to do
>>> playing.question is None, [one.id for one in game.scene.participants if one.hidden]
(True, ['bob'])
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from tablewright.engine import Closed, choose
from tablewright.game.actions import Use
from tablewright.game.scene import Live, Scene


async def window(
    game: Live,
    question: str,
    asked: Callable[[Scene], Iterable[str]],
    offers: Callable[[Scene, str], Sequence[Use | Closed]],
    *,
    idle: Use,
    perform: Callable[[Live, str, Use], Awaitable[None]] | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Ask everybody who could act now, once each: what they may do instead of ``idle``, which is the default.

    ``asked`` are those who may be asked as the scene is now, in order; nobody means that the window is closed. Whoever
    is offered nothing is not asked, and a question that loses its options to a ruling lapses. ``perform`` does what was
    chosen, as a rule as an action of the book. With what is offered ``idle`` comes first, or where ``offers`` puts it.
    """
    do = perform or game.book.actions.perform
    done: list[str] = []
    while True:
        who = next((one for one in game.of_scene(asked) if one not in done), None)
        if who is None or game.scene.ended is not None:
            return
        done.append(who)

        def find(who: str = who) -> list[Use | Closed]:
            offered = list(game.of_scene(offers, who))
            if all(isinstance(one, Closed) or one == idle for one in offered):
                return []
            return offered if idle in offered else [idle, *offered]

        told = {"who": who, "kind": "window", **(about or {})}
        use = await choose(game.seat(who), question, find, about=told, default=idle, lapse=idle)
        if use != idle:
            await do(game, who, use)
