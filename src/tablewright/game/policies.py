"""Who answers choices for a bot: policies over what every system declares, with nothing written per system.

A policy sees what its seat may see: the options it is offered, its own status and what is open to all.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from fractions import Fraction
from math import fsum
from typing import Any, TypeAlias

from tablewright.engine import Choose, Roll, TooMuch, states_after
from tablewright.engine.advice import DependsOnHidden, as_seen_by, best_answer, best_option
from tablewright.engine.asks import EVERYONE
from tablewright.engine.chain import NeverEnds
from tablewright.engine.memory import Memory
from tablewright.errors import BadInput, TablewrightError, nearest
from tablewright.game.actions import Use
from tablewright.game.events import Event
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session

Policy: TypeAlias = Callable[[Session, "Choose[Any]"], int]
"""Answers the open question of a session by the position of the option taken."""


NOT_TO_BE_WEIGHED = (TooMuch, NeverEnds, DependsOnHidden)
"""Why a choice may have no exact worth; every other error is one of the rule, and nobody's to swallow."""

_advised: Memory[tuple[Any, ...], int] = Memory(16_384)
"""The best answer to a choice inside a rule, by the call and what was answered in it so far."""


def at_random(session: Session, ask: Choose[Any]) -> int:
    """Any legal option, evenly."""
    return session.dice_for_choices(_seat(session)).below(len(ask.options))


def aggressive(session: Session, ask: Choose[Any]) -> int:
    """The option that promises most harm, whatever it costs."""
    return _by_rating(session, ask, _score_of_harm)


def careful(session: Session, ask: Choose[Any]) -> int:
    """Harm weighed evenly against one's own safety, and costs against both."""
    return _by_rating(session, ask, _score_of_care)


def _score_of_harm(rating: Rating) -> tuple[int | Fraction, ...]:
    return rating.harm, rating.safety, -rating.cost


def _score_of_care(rating: Rating) -> tuple[int | Fraction, ...]:
    harm, safety, cost = rating
    total = harm + safety if safety else harm  # most is nothing, and a fraction takes long to be added to
    return (total - cost if cost else total,)


Score: TypeAlias = Callable[[Rating], "tuple[int | Fraction, ...]"]

SCORES: dict[Policy, Score] = {aggressive: _score_of_harm, careful: _score_of_care}
"""The policies that rank what is offered by its ratings alone: the highest score is taken, the first of equals."""


def best(session: Session, ask: Choose[Any]) -> int:
    """The option with the highest expected value of this one action by exact odds; ties by option order."""
    who = ask.about.get("who")
    if who is None or ask.leads_to is not None or not any(isinstance(option, Use) for option in ask.options):
        return _by_odds(session, ask)
    side = session.scene[who].side
    scene = session.book.supposed_by(session.scene, side)
    worths: list[float | Fraction] = []
    for option in ask.options:
        try:
            worths.append(_expected(session.book, scene, who, side, option))
        except TooMuch:
            return careful(session, ask)
    return worths.index(max(worths))


def _expected(book: Rulebook, scene: Scene, who: str, side: str, option: Any) -> float:
    """What a scene is worth to a side after one action; what is asked in it goes by what follows, else by default."""
    if not isinstance(option, Use) or option.action not in book.actions.by_id:
        return float(book.value(scene, side))
    after = outcomes_of(book, scene, who, option)
    total = fsum([weight * float(book.value(outcome, side)) for outcome, weight in after])
    return total / sum([weight for _, weight in after])


def outcomes_of(book: Rulebook, scene: Scene, who: str, use: Use) -> Sequence[tuple[Scene, int]]:
    """Every scene that one action can lead to, with its weight: as the system foresees it, else by playing it."""
    known = None if book.foreseen is None else book.foreseen(book, scene, who, use)
    return after_action(book, scene, who, use) if known is None else known


def after_action(book: Rulebook, scene: Scene, who: str, use: Use) -> list[tuple[Scene, int]]:
    """Every scene that one action can lead to, with its exact weight; what is asked in it goes by what follows."""
    actions = book.actions
    actions.check(scene, who, use)

    def perform(game: Any) -> Coroutine[Any, Any, None]:
        actions.vouch(scene, who, (use,))  # it was checked once for all ways through it
        return actions.perform(game, who, use)

    return states_after(
        perform,
        scene,
        _remembering(book.apply),
        _by_what_follows,
        game=lambda state, apply: Live(state, book, apply),
    )


def _remembering(apply: Callable[[Scene, Event], Scene]) -> Callable[[Scene, Event], Scene]:
    """What events make of scenes, remembered: an action is run once for every way through it, from the same beginning.

    So the scenes on the way are the very same ones, and what was found out about them is known (see ``of_scene``).
    """
    known: dict[tuple[int, Event], tuple[Scene, Scene]] = {}

    def once(scene: Scene, event: Event) -> Scene:
        try:
            found = known.get((id(scene), event))
        except TypeError:  # an event that holds something without a hash
            return apply(scene, event)
        if found is None:
            found = known[id(scene), event] = scene, apply(scene, event)  # kept with it, so that its id stays its own
        return found[1]

    return once


def _by_rating(session: Session, ask: Choose[Any], score: Score) -> int:
    who = ask.about.get("who")
    if who is None or ask.leads_to is not None or not any(isinstance(option, Use) for option in ask.options):
        return _by_odds(session, ask)
    scene, rate = session.scene, session.rate
    scores = [score(rate(scene, who, option) if isinstance(option, Use) else Rating()) for option in ask.options]
    return scores.index(max(scores))


def _by_odds(session: Session, ask: Choose[Any]) -> int:
    """A choice inside a mechanic goes by exact advice for its seat, one of a process by what it leads to, if told."""
    playing = session.playing
    if playing is None or not playing.calls:
        return _by_what_follows(ask)
    seat, context = playing.seat, playing.context_of_call
    try:
        seen = as_seen_by(playing.calls[0], context, seat)
    except DependsOnHidden:
        return ask.default
    key = (seen, context is None or context.audience in (EVERYONE, seat), playing.record_of_call)
    known = _advised.get(key)
    if known is None:
        try:
            known = best_answer(playing, seat=seat)
        except NOT_TO_BE_WEIGHED:
            known = ask.default
        _advised.put(key, known)
    return known


def _by_what_follows(ask: Choose[Any]) -> int:
    """The option with the best exact expectation where the question says what it leads to; else the default."""
    try:
        found = best_option(ask, ask.seat if isinstance(ask.seat, str) else None)
    except NOT_TO_BE_WEIGHED:
        return ask.default
    return ask.default if found is None else found


def _seat(session: Session) -> str:
    assert session.seat is not None
    return session.seat


POLICIES: dict[str, Policy] = {"random": at_random, "aggressive": aggressive, "careful": careful, "best": best}


def policy_named(name: str) -> Policy:
    """A policy by its name."""
    try:
        return POLICIES[name]
    except KeyError:
        raise BadInput(
            f'"{name:.40}" is no policy; allowed are {", ".join(POLICIES)}{nearest(name, POLICIES)}'
        ) from None


def play_on(
    session: Session, policies: dict[str, Policy], *, otherwise: Policy | None = None, most: int = 100_000
) -> bool:
    """Let bots answer until a seat without a policy is asked or nothing is asked any more; whether it has ended."""
    for _ in range(most):
        question = session.question
        if question is None:
            return True
        policy = policies.get(_seat(session), otherwise)
        if policy is None:
            return False
        if isinstance(question, Roll):
            session.roll()
        else:
            session.choose(question.ids[policy(session, question)])
    raise TablewrightError(f"the scene does not end: {most:,} answers were given (round {session.scene.round})")
