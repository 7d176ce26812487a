"""Policies that answer choices for bots, built on what every system declares; no system needs its own.

A policy sees only what its seat may see: the options, its own status and public information.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import count
from math import fsum
from typing import Any, TypeAlias

from tablewright.engine import Choice, Roll, TooComplexError, states_after_step
from tablewright.engine.advice import best_answer, call_as_seen_by
from tablewright.engine.cache import BoundedCache
from tablewright.engine.exact.tree import MOST_RUNS
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.request import EVERYONE
from tablewright.engine.results import steady
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.foresight import NOT_TO_BE_WEIGHED, by_what_follows, remembering
from tablewright.game.rules.entry_points import announced_policies
from tablewright.game.scenario.schema import BUILT_IN_POLICIES, policy_names
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.ratings import Score
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rating, Rulebook

_log = logging.getLogger(__name__)

Policy: TypeAlias = Callable[[Session, "Choice[Any]"], int]
"""Function that answers the open question of a session with the index of an option."""


QUICK_WAYS = 500
"""Upper bound for the ways through an action that is weighed quickly; they take about a tenth of a second."""

QUICK_RUNS = 100
"""Number of runs and foreseen outcomes after which the policy ``best`` weighs no further option of a question."""

_advised: BoundedCache[tuple[Any, ...], int] = BoundedCache(16_384)
"""Cache of the best answer to a choice inside a rule, by call and previous answers."""


def at_random(session: Session, ask: Choice[Any]) -> int:
    """Any legal option, evenly."""
    return session.dice_for_choices(_seat(session)).below(len(ask.options))


def aggressive(session: Session, ask: Choice[Any]) -> int:
    """The option that promises most harm, whatever it costs."""
    return _by_rating(session, ask, _score_of_harm)


def careful(session: Session, ask: Choice[Any]) -> int:
    """Harm dealt weighed evenly against harm taken, and costs against both."""
    return _by_rating(session, ask, _score_of_care)


def _score_of_harm(rating: Rating) -> tuple[int | Fraction, ...]:
    return rating.harm, rating.safety, -rating.cost


def _score_of_care(rating: Rating) -> tuple[int | Fraction, ...]:
    harm, safety, cost = rating
    total = harm + safety if safety else harm  # most are 0, and adding to a fraction is slow
    return (total - cost if cost else total,)


SCORES: dict[Policy, Score] = {aggressive: _score_of_harm, careful: _score_of_care}
"""Policies that rank options by rating alone: the highest score wins, the first of equals."""


def best(session: Session, ask: Choice[Any]) -> int:
    """The option with the highest expected value of this one action by exact odds; ties by option order.

    Options are weighed in the order of their ratings until that has taken ``QUICK_RUNS`` runs or foreseen outcomes.
    Passing is weighed in any case. An action with more than ``QUICK_WAYS`` ways to go is too slow for that: it is taken
    if its rating is the highest, and left out otherwise.
    """
    scores = _scores(session, ask, _score_of_care)
    if scores is None:
        return _by_odds(session, ask)
    who = ask.details["who"]
    book = session.rulebook
    scene = book.supposed_by(session.scene, session.scene[who].side)
    by_rating = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    worths: dict[int, float] = {}
    budget = RunBudget(QUICK_RUNS)
    for place, at in enumerate(by_rating):
        try:
            found = _expected(book, scene, who, ask.options[at], budget)
        except TooComplexError:
            if place == 0:
                return at
            continue
        if found is not None:
            worths[at] = found
    top = max(worths.values(), default=0.0)
    return min([at for at, worth in worths.items() if worth == top], default=by_rating[0])


class RunBudget:
    """Number of runs of actions that one decision may still take."""

    __slots__ = ("left",)

    def __init__(self, runs: int) -> None:
        self.left = runs


def _expected(book: Rulebook, scene: Scene, who: str, option: Any, budget: RunBudget) -> float | None:
    """Expected value of the scene for a side after one action.

    Choices inside the action are settled by what they lead to, else by default. None for an action if no runs are left.
    """
    side = scene[who].side
    if not isinstance(option, ActionUse) or option.action not in book.actions.by_id:
        return float(book.score_scene(scene, side))
    if budget.left <= 0 and option.action != book.pass_action:
        return None
    after = book.foresee(scene, who, option)
    if after is None:
        after = after_action(book, scene, who, option, QUICK_WAYS, budget=budget)
    else:
        budget.left -= len(after)
    total = fsum([weight * float(book.score_scene(outcome, side)) for outcome, weight in after])
    return total / sum([weight for _, weight in after])


def outcomes_of(
    book: Rulebook, scene: Scene, who: str, use: ActionUse, most: int = MOST_RUNS, *, menus: set[str] | None = None
) -> Sequence[tuple[Scene, int]]:
    """All scenes that one action can lead to, with weights: by the call that decides it, else by playing it.

    ``menus`` collects the ids of actions behind which further actions are chosen: only the default one is followed.
    """
    known = book.foresee(scene, who, use)
    return after_action(book, scene, who, use, most, menus=menus) if known is None else known


def after_action(
    book: Rulebook,
    scene: Scene,
    who: str,
    use: ActionUse,
    most: int = MOST_RUNS,
    *,
    budget: RunBudget | None = None,
    menus: set[str] | None = None,
) -> list[tuple[Scene, int]]:
    """All scenes that one action can lead to, with exact weights; one with more than ``most`` ways to go is refused.

    Choices inside the action are settled by what they lead to, else by default. Each run is taken from the budget.
    """
    actions = book.actions
    actions.check(scene, who, use)
    counted = budget or RunBudget(0)

    def perform(game: Any) -> Coroutine[Any, Any, None]:
        counted.left -= 1
        actions.mark_legal(scene, who, (use,))  # checked once for all branches
        return actions.perform(game, who, use)

    @steady
    def answer(ask: Choice[Any]) -> int:
        is_menu = len(ask.options) > 1 and any(isinstance(option, ActionUse) for option in ask.options)
        if menus is not None and is_menu and ask.details.get("who") == who:
            menus.add(use.id)
        return by_what_follows(ask)

    return states_after_step(
        perform,
        scene,
        remembering(book.apply),
        by_what_follows if menus is None else answer,
        game=lambda state, apply: Game(state, book, apply),
        most=most,
    )


def _by_rating(session: Session, ask: Choice[Any], score: Score) -> int:
    scores = _scores(session, ask, score)
    return _by_odds(session, ask) if scores is None else scores.index(max(scores))


def _scores(session: Session, ask: Choice[Any], score: Score) -> list[tuple[int | Fraction, ...]] | None:
    """Scores of the options of a turn or a reaction by their ratings; None for any other choice."""
    who = ask.details.get("who")
    if who is None or ask.leads_to is not None or not any(isinstance(option, ActionUse) for option in ask.options):
        return None
    scene, rate = session.scene, session.rate
    return [score(rate(scene, who, option) if isinstance(option, ActionUse) else Rating()) for option in ask.options]


def _by_odds(session: Session, ask: Choice[Any]) -> int:
    """Answer a choice inside a mechanic by exact advice for its seat.

    A choice of a process is answered by what it leads to, if declared. Without an exact value the default is taken.
    """
    playing = session.playing
    if playing is None or not playing.calls:
        return by_what_follows(ask)
    seat, context = playing.seat, playing.context_of_call
    try:
        seen = call_as_seen_by(playing.calls[0], context, seat)
    except HiddenDependencyError:
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


def _seat(session: Session) -> str:
    assert session.seat is not None
    return session.seat


POLICIES: dict[str, Policy] = {"random": at_random, "aggressive": aggressive, "careful": careful, "best": best}
"""Policies that this process has loaded; :func:`policy_names` are those that everyone may use."""

USUAL = "careful"
"""Policy of participants for whom none is named."""


def register_policy(policy: Policy, name: str) -> str:
    """Make a policy known to this process for good; return the name it is found by, unique to the policy."""
    for known, other in POLICIES.items():
        if other is policy:
            return known
    unique = next(one for number in count(1) if (one := f"{name:.40}#{number}") not in POLICIES)
    POLICIES[unique] = policy
    return unique


def find_policy(name: str) -> Policy:
    """Find a policy that is loaded, built in or registered by a package; an unknown name is refused.

    No module is imported by its name here, so that names may come from strangers.
    """
    known = POLICIES.get(name)
    if known is not None:
        return known
    point = announced_policies().get(name)
    if point is None:
        raise unknown_policy(name)
    return _adapted(name, point.value)


def unknown_policy(name: str) -> InvalidInputError:
    """Error for an unknown policy, with the nearest one."""
    known = policy_names()
    return InvalidInputError(f'"{name:.60}" is not a policy; allowed are {", ".join(known)}{did_you_mean(name, known)}')


def usable_policies() -> dict[str, Policy]:
    """Policies that everyone may use, by name; one of a package that does not load is left out."""
    found: dict[str, Policy] = {}
    for name in policy_names():
        try:
            found[name] = find_policy(name)
        except Exception:
            _log.exception("the policy %s does not load", name)
    return found


def answer_for_bot(name: str, session: Session, question: Choice[Any]) -> int:
    """Answer of a bot by the name of its policy.

    If a package registered the policy and it is gone or fails, the usual policy answers: no bot may stop a table.
    """
    if name in BUILT_IN_POLICIES:
        return POLICIES[name](session, question)
    try:
        return find_policy(name)(session, question)
    except Exception:
        _log.exception("the policy %s failed; %s answers", name, USUAL)
        return POLICIES[USUAL](session, question)


def load_policy(name: str) -> Policy:
    """Find a policy by name, or import it as ``module:function``; for names that the user of this program typed."""
    if name in POLICIES or ":" not in name:
        return find_policy(name)
    return _adapted(name, name)


def _adapted(name: str, where: str) -> Policy:
    """Import a function of a turn as ``module:function`` and keep it, under a name, in the form that sessions take."""
    module, _, function = where.partition(":")
    try:
        found = import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        raise InvalidInputError(f'the policy "{name:.60}": there is no module "{missing.name:.60}"') from None
    except ValueError:  # an empty name
        raise InvalidInputError(f'"{name:.60}" is not a policy; write module:function') from None
    policy = getattr(found, function, None)
    if not callable(policy):
        known = [one for one, value in vars(found).items() if callable(value) and not one.startswith("_")]
        raise InvalidInputError(
            f'the policy "{name:.60}": {module} has no function "{function:.40}"{did_you_mean(function, known)}'
        )
    # A turn belongs to the library, which builds on this package; hence no import statement.
    POLICIES[name] = import_module("tablewright.api.fight").session_policy(policy)
    return POLICIES[name]


def play_to_end(
    session: Session, policies: dict[str, Policy], *, otherwise: Policy | None = None, most: int = 100_000
) -> bool:
    """Let bots answer until no question is open (return True) or a seat without a policy is asked (return False)."""
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
            session.choose(question.id_at(policy(session, question)))
    raise TablewrightError(f"the scene does not end: {most:,} answers were given (round {session.scene.round})")
