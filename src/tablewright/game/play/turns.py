"""Rounds and turns: the loops of an encounter.

:func:`play_rounds` is the loop over rounds and turns, :func:`take_turn` the loop inside a turn. Hooks supply the
system's own parts: turn order, start and end of a round, actions under way. All state is in the scene, so a process
that uses these loops can start from any scene, even in the middle of a turn.

>>> from types import SimpleNamespace
>>> from tablewright.engine import Playthrough
>>> from tablewright.game.play.common_apply import common_reducer
>>> ann, bob = [Participant(id=id, name=id, side=id, seat=id, character=None, status=None) for id in ("ann", "bob")]
>>> game = Game(Scene("demo", (ann, bob), order=("ann",)), SimpleNamespace(apply=common_reducer))  # bob has just come
>>> async def turn(game: Game, who: str) -> None:
...     "Nothing is done."
>>> played = Playthrough(play_rounds(game, turn, lambda scene: None, cause="demo.round", most=1), game.log)
>>> for event in game.log:
...     print(event.narrate())
order: ann, bob
round 1
ann's turn
ann's turn ends
bob's turn
bob's turn ends
the end: draw (1 rounds have passed)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import OptionList, choose
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import OrderSet, RoundStarted, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.play.effects import expire_effects
from tablewright.game.play.time_passage import advance_time
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene

Hook: TypeAlias = Callable[[Game], Awaitable[None]]

MOST_DEEDS = 60
"""Upper bound for actions in one turn."""
MOST_TIES = 100
"""Upper bound for rerolls of equal results; then the order of listing decides."""


class Causes(NamedTuple):
    """The rules behind turns, rounds and the end, where these differ."""

    turn: str
    round: str
    end: str


async def play_rounds(
    game: Game,
    turn: Callable[[Game, str], Awaitable[None]],
    outcome: Callable[[Scene], str | None],
    *,
    cause: str | Causes,
    most: int | None = None,
    length: int = 0,
    round_begins: Hook | None = None,
    round_began: Hook | None = None,
    round_ends: Hook | None = None,
    may_act: Callable[[Scene, str], bool] | None = None,
    go_on: Hook | None = None,
) -> None:
    """Play from any scene to its end.

    ``turn`` plays one participant's turn, from its start or from its middle; effects of the start belong into
    ``apply.after(TurnStarted)``. ``outcome`` returns the outcome, or None while the encounter continues. A round takes
    ``length`` ticks. After ``most`` rounds (default: the scenario's limit) it is a draw.

    ``round_begins`` runs before the round is counted: turn order, initiative, newcomers; without it newcomers act last.
    ``round_began`` runs first in the round, ``round_ends`` last. ``may_act`` says who has a turn; without it all who
    are present do. ``go_on`` finishes an action under way before anything else happens. Effects expire at the edges of
    turns and rounds.
    """
    causes = cause if isinstance(cause, Causes) else Causes(cause, cause, cause)
    while game.scene.ended is None:
        if go_on is not None:
            await go_on(game)
        if _is_over(game, outcome, causes.end):
            return
        scene = game.scene
        who = scene.turn or (scene.next_to_act(may_act) if scene.round else None)
        if who is not None:
            await _turn(game, who, turn, causes.turn)
            continue
        if scene.round:
            if round_ends is not None:
                await round_ends(game)
            expire_effects(game, edge="end", cause=causes.round)
            if length:
                await advance_time(game, length, cause=causes.round)
            if _is_over(game, outcome, causes.end):
                return
            last = game.scene.setup.rounds if most is None else most
            if game.scene.round >= last:
                reason = f"{game.scene.round} rounds have passed"
                game.emit(SceneEnded(outcome="draw", reason=reason, how="rounds", cause=causes.round))
                return
        await (add_newcomers(game, causes.round) if round_begins is None else round_begins(game))
        game.emit(RoundStarted(number=game.scene.round + 1, cause=causes.round))
        expire_effects(game, edge="start", cause=causes.round)
        if round_began is not None:
            await round_began(game)


def _is_over(game: Game, outcome: Callable[[Scene], str | None], cause: str) -> bool:
    """True if the scene has ended; emits the end as soon as there is an outcome."""
    if game.scene.ended is not None:
        return True
    ended = outcome(game.scene)
    if ended is not None:
        winner = ended.removesuffix(" win")
        won = winner if winner != ended and winner in {one.side for one in game.scene.participants} else None
        game.emit(SceneEnded(outcome=ended, winner=won, how="stands", cause=cause))
    return ended is not None


async def _turn(game: Game, who: str, turn: Callable[[Game, str], Awaitable[None]], cause: str) -> None:
    """Start or resume one turn and expire effects at its edges."""
    if game.scene.turn is None:
        expire_effects(game, who, "start", cause=cause)
        game.emit(TurnStarted(who=who, cause=cause))
    await turn(game, who)
    if game.scene.turn == who:
        game.emit(TurnEnded(who=who, cause=cause))
    if who in game.scene.acted:
        expire_effects(game, who, "end", cause=cause)


async def add_newcomers(game: Game, cause: str) -> None:
    """Append newcomers to the turn order; hidden ones without announcing them."""
    missing = [one for one in game.scene.present if one.id not in game.scene.order]
    seen = tuple([one.id for one in missing if not one.hidden])
    if seen:
        game.emit(OrderSet(order=(*game.scene.order, *seen), cause=cause))
    for one in missing:
        if one.hidden:
            game.emit(OrderSet(order=(*game.scene.order, one.id), to=one.seat, cause=cause))


async def ask_order(
    seat: str, question: str, people: Sequence[str], details: Mapping[str, Any], option: Callable[[str], Any] = str
) -> tuple[str, ...]:
    """Ask a seat for the order of some participants, one after the other; ``option`` shows one of them."""
    order: list[str] = []
    while len(left := [who for who in people if who not in order]) > 1:
        options = {option(who): who for who in left}
        order.append(options[await choose(seat, question, list(options), details=details)])
    return (*order, *left)


async def rank_by_rolls(
    results: Mapping[str, tuple[int, ...]], roll: Callable[[str], Awaitable[int]], most: int = MOST_TIES
) -> list[str]:
    """Rank from the highest to the lowest result; those who tie roll again among themselves alone.

    After ``most`` rerolls of ties the order of listing decides.
    """
    found = dict(results)
    for _ in range(most):
        every = list(found.values())
        tied = [who for who in found if every.count(found[who]) > 1]
        if not tied:
            break
        for who in tied:
            found[who] = (*found[who], await roll(who))
    return sorted(found, key=lambda who: found[who], reverse=True)


async def take_turn(
    game: Game,
    who: str,
    *,
    goes_on: Callable[[Scene, str], bool],
    question: str = "what now?",
    idle: ActionUse | None = None,
    about: Callable[[Scene, str], Mapping[str, Any]] | None = None,
    most: int = MOST_DEEDS,
) -> None:
    """Offer actions until the participant passes or the turn is over.

    Options are computed again each time. ``idle`` (default: the rulebook's pass action) is the default answer, is
    always offered, and ends the turn. ``about`` adds details to the question, which lapses if the scene is ended.
    """
    actions = game.rulebook.actions
    nothing: ActionUse = actions.by_id[game.rulebook.pass_action].plain if idle is None else idle
    for _ in range(most):
        if not goes_on(game.scene, who):
            return
        shown = {"who": who, **(about(game.scene, who) if about is not None else {})}
        use = await choose(
            game.seat(who), question, lambda: _offers(game, who, nothing), details=shown, default=nothing, lapse=nothing
        )
        if game.scene.ended is not None:
            return
        if use != nothing or _is_allowed(game, who, nothing):
            await actions.perform(game, who, use)
        if use == nothing:
            return


def _offers(game: Game, who: str, idle: ActionUse) -> OptionList[ActionUse]:
    if game.scene.ended is not None:
        return OptionList([], lambda: ())
    offered = game.legal_uses(who)
    return offered if idle in offered.open else OptionList([*offered.open, idle], offered.closed)


def _is_allowed(game: Game, who: str, idle: ActionUse) -> bool:
    """True if the idle use is a legal action of the system; it need not be an action at all."""
    action = game.rulebook.actions.by_id.get(idle.action)
    return action is not None and action.refusal(game.scene, who, idle) is None


def winning_side(scene: Scene, stands: Callable[[Participant], bool]) -> str | None:
    """Outcome of a fight by its scenario: one side left standing, or the first fall; None while it continues."""
    if scene.setup.ends == "game_master":
        return None
    if scene.setup.ends == "first_fall":
        fallen = [one for one in scene.participants if not stands(one)]
        if fallen:
            return f"{fallen[0].name} is out of it"
    left: str | None = None
    for one in scene.participants:
        if one.side != left and one.present and not (one.hidden and one.looks_on) and stands(one):
            if left is not None:
                return None
            left = one.side
    return "nobody stands" if left is None else f"{left} win"
