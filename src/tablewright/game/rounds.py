"""Rounds: everybody in order has a turn, again and again, until somebody says it is over. Reads only the scene.

:func:`play_rounds` is the loop over rounds and turns, :func:`act` the loop inside a turn. A system says by its hooks
what is its own: who acts when, what a round begins and ends with, what is under way. As nothing is kept beside the
scene, a process that uses them can be started on any scene, also in the middle of a turn.

>>> from types import SimpleNamespace
>>> from tablewright.engine import Playing
>>> from tablewright.game.common import common
>>> ann, bob = [Participant(id=id, name=id, side=id, seat=id, character=None, status=None) for id in ("ann", "bob")]
>>> game = Live(Scene("demo", (ann, bob), order=("ann",)), SimpleNamespace(apply=common))  # bob has just come
>>> async def turn(game: Live, who: str) -> None:
...     "Nothing is done."
>>> played = Playing(play_rounds(game, turn, lambda scene: None, cause="demo.round", most=1), game.log)
>>> for event in game.log:
...     print(event.in_words())
order: ann, bob
round 1
ann's turn
ann's turn ends
bob's turn
bob's turn ends
the end: draw (1 rounds have passed)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Offer, choose
from tablewright.game.actions import Use
from tablewright.game.common import OrderSet, RoundStarted, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.lasting import wear_off
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live, Participant, Scene

Hook: TypeAlias = Callable[[Live], Awaitable[None]]

MOST_DEEDS = 60
"""How many things somebody may do in one turn before it is over; nobody has time for more."""


class Causes(NamedTuple):
    """The rules by which turns, rounds and the end come about, where they are not one and the same."""

    turn: str
    round: str
    end: str


async def play_rounds(
    game: Live,
    turn: Callable[[Live, str], Awaitable[None]],
    outcome: Callable[[Scene], str | None],
    *,
    cause: str | Causes,
    most: int | None = None,
    length: int = 0,
    round_begins: Hook | None = None,
    round_began: Hook | None = None,
    round_ends: Hook | None = None,
    next_to_act: Callable[[Scene], str | None] = Scene.next_to_act,
    go_on: Hook | None = None,
) -> None:
    """Play from any scene to its end.

    ``turn`` plays one participant's turn, from its start or from the middle of it (what a turn starts with belongs into
    ``apply.after(TurnStarted)``); ``outcome`` says how it ended, or None while it goes on. A round takes ``length``
    units of time. After ``most`` rounds, the scenario's if nothing is said, it is a draw.

    ``round_begins`` comes before the round is counted: who acts when, initiative, who has come; without it newcomers
    act last. ``round_began`` is what happens first in it, ``round_ends`` what happens last. ``next_to_act`` says whose
    turn it is, None when all had theirs. ``go_on`` finishes what is under way before anything else happens. What lasts
    until an edge of a turn or a round wears off there.
    """
    causes = cause if isinstance(cause, Causes) else Causes(cause, cause, cause)
    while game.scene.ended is None:
        if go_on is not None:
            await go_on(game)
        if _is_over(game, outcome, causes.end):
            return
        scene = game.scene
        who = scene.turn or (game.of_scene(next_to_act) if scene.round else None)
        if who is not None:
            await _turn(game, who, turn, causes.turn)
            continue
        if scene.round:
            if round_ends is not None:
                await round_ends(game)
            wear_off(game, edge="end", cause=causes.round)
            if length:
                await let_time_pass(game, length, cause=causes.round)
            if _is_over(game, outcome, causes.end):
                return
            last = game.scene.start.rounds if most is None else most
            if game.scene.round >= last:
                reason = f"{game.scene.round} rounds have passed"
                game.emit(SceneEnded(outcome="draw", reason=reason, cause=causes.round))
                return
        await (add_newcomers(game, causes.round) if round_begins is None else round_begins(game))
        game.emit(RoundStarted(number=game.scene.round + 1, cause=causes.round))
        wear_off(game, edge="start", cause=causes.round)
        if round_began is not None:
            await round_began(game)


def _is_over(game: Live, outcome: Callable[[Scene], str | None], cause: str) -> bool:
    """Whether the scene has ended; it does so as soon as it has an outcome."""
    if game.scene.ended is not None:
        return True
    ended = game.of_scene(outcome)
    if ended is not None:
        game.emit(SceneEnded(outcome=ended, cause=cause))
    return ended is not None


async def _turn(game: Live, who: str, turn: Callable[[Live, str], Awaitable[None]], cause: str) -> None:
    """One turn, begun or gone on with, and what wears off at its edges."""
    if game.scene.turn is None:
        wear_off(game, who, "start", cause=cause)
        game.emit(TurnStarted(who=who, cause=cause))
    await turn(game, who)
    if game.scene.turn == who:
        game.emit(TurnEnded(who=who, cause=cause))
    if game.of_scene(_has_acted, who):
        wear_off(game, who, "end", cause=cause)


def _has_acted(scene: Scene, who: str) -> bool:
    return who in scene.acted


async def add_newcomers(game: Live, cause: str) -> None:
    """Whoever is present and not in the order acts last from now on; who is hidden is put there unseen."""
    missing = [one for one in game.scene.present if one.id not in game.scene.order]
    seen = tuple([one.id for one in missing if not one.hidden])
    if seen:
        game.emit(OrderSet(order=(*game.scene.order, *seen), cause=cause))
    for one in missing:
        if one.hidden:
            game.emit(OrderSet(order=(*game.scene.order, one.id), to=one.seat, cause=cause))


async def act(
    game: Live,
    who: str,
    *,
    goes_on: Callable[[Scene, str], bool],
    question: str = "what now?",
    idle: Use | None = None,
    about: Callable[[Scene, str], Mapping[str, Any]] | None = None,
    most: int = MOST_DEEDS,
) -> None:
    """Let somebody do one thing after another, as long as their turn ``goes_on`` and they do not do nothing.

    What can be done is offered anew each time. ``idle``, as a rule the book's action for it, is the default, is always
    there, and is the last thing done. ``about`` is shown with the question.
    """
    actions = game.book.actions
    nothing = Use(game.book.idle, label=actions.by_id[game.book.idle].title) if idle is None else idle
    for _ in range(most):
        if not game.of_scene(goes_on, who):
            return
        shown = {"who": who, **(game.aside(about, who) if about is not None else {})}
        use = await choose(game.seat(who), question, lambda: _offers(game, who, nothing), about=shown, default=nothing)
        if use != nothing or _is_allowed(game, who, nothing):
            await actions.perform(game, who, use)
        if use == nothing:
            return


def _offers(game: Live, who: str, idle: Use) -> Offer[Use]:
    offered = game.aside(game.book.actions.open_to, who)
    return offered if idle in offered.open else Offer([*offered.open, idle], offered.closed)


def _is_allowed(game: Live, who: str, idle: Use) -> bool:
    """Whether doing nothing is itself something that is done; it need be none of the system's actions."""
    action = game.book.actions.by_id.get(idle.action)
    return action is not None and action.refusal(game.scene, who, idle) is None


def last_side(scene: Scene, stands: Callable[[Participant], bool]) -> str | None:
    """How a fight ends as its scenario says: when one side alone stands, or when somebody falls; None before that."""
    standing = dict.fromkeys([one.side for one in scene.present if stands(one) and not one.looks_on])
    if scene.start.ends == "game_master":
        return None
    if scene.start.ends == "first_fall":
        fallen = [one for one in scene.participants if not stands(one)]
        if fallen:
            return f"{fallen[0].name} is out of it"
    if len(standing) > 1:
        return None
    return f"{next(iter(standing))} win" if standing else "nobody stands"
