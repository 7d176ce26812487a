"""Reaction windows: the moments for others to act between an action and its result.

A window asks each participant who could interrupt, once and in order. A reaction changes the scene, so candidates and
options are read again after each answer. Windows may nest. The question carries ``details["kind"] == "window"``: a
driver may answer it automatically and need not reveal the seat that is asked.

>>> from types import SimpleNamespace
>>> from tablewright.engine import Playthrough
>>> from tablewright.game.play.common_apply import common_reducer
>>> from tablewright.game.play.common_events import ParticipantHidden
>>> from tablewright.game.scene.scene import Participant
>>> def one(id: str) -> Participant:
...     return Participant(id=id, name=id, side=id, seat=id, character=None, status=None)
>>> game = Game(Scene("demo", (one("ann"), one("bob"), one("cid"))), SimpleNamespace(apply=common_reducer))
>>> def asked(scene: Scene) -> list[str]:
...     return [one.id for one in scene.participants if not any(other.hidden for other in scene.participants)]
>>> async def duck(game: Game, who: str, use: ActionUse) -> None:
...     game.emit(ParticipantHidden(who=who))
>>> stand, options = ActionUse("stand"), lambda scene, who: [ActionUse("duck")]
>>> ducking = open_reaction_window(game, "duck?", asked, options, idle=stand, perform=duck)
>>> playing = Playthrough(ducking, game.log)
>>> playing.seat, playing.question.ids
('ann', ('stand', 'duck'))
>>> playing.answer("stand")
>>> playing.answer("duck")  # bob does; there is nothing left for cid to do
>>> playing.question is None, [one.id for one in game.scene.participants if one.hidden]
(True, ['bob'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tablewright.engine import ClosedOption, choose
from tablewright.game.play.actions import ActionUse, Performed
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene


async def open_reaction_window(
    game: Game,
    question: str,
    asked: Callable[[Scene], Iterable[str]],
    offers: Callable[[Scene, str], Sequence[ActionUse | ClosedOption]],
    *,
    idle: ActionUse,
    perform: Performed | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Ask each participant who could act now, once each; ``idle`` is the default and means no reaction.

    ``asked`` returns the candidates in the present scene, in order; when none is left the window closes. A participant
    without options is not asked. A question that loses its options to a ruling lapses. ``perform`` does what was
    chosen; the default performs it as an action of the rulebook. ``idle`` comes first unless ``offers`` lists it
    elsewhere.
    """
    do = perform or game.rulebook.actions.perform
    done: list[str] = []
    read_in: Scene | None = None
    people: tuple[str, ...] = ()
    while True:
        if game.scene is not read_in:
            read_in, people = game.scene, tuple(asked(game.scene))
        who = next((one for one in people if one not in done), None)
        if who is None or game.scene.ended is not None:
            return
        done.append(who)

        def find(who: str = who) -> list[ActionUse | ClosedOption]:
            offered = list(offers(game.scene, who))
            if all(isinstance(one, ClosedOption) or one == idle for one in offered):
                return []
            return offered if idle in offered else [idle, *offered]

        told = {"who": who, "kind": "window", **(about or {})}
        use = await choose(game.seat(who), question, find, details=told, default=idle, lapse=idle)
        if use != idle:
            await do(game, who, use)
