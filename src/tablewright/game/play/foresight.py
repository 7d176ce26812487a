"""Outcomes of an action without playing it once for each, for policies that look ahead."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from math import lcm
from typing import Any, NamedTuple

from tablewright.engine import Call, Choice, TooComplexError, odds
from tablewright.engine.advice import best_option
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.request import Attributed, Request
from tablewright.engine.results import NeverResolvesError, steady
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game, Rules
from tablewright.game.scene.scene import Scene

NOT_TO_BE_WEIGHED = (TooComplexError, NeverResolvesError, HiddenDependencyError)
"""Errors that mean a choice has no exact value; any other error is a bug in the rule and must not be caught."""

MOST_WAYS = 200
"""Upper bound for the ways in which a result can land."""


class DecisiveCall(NamedTuple):
    """The call that decides an action, on the scene in which it is made, and how each of its results lands there.

    ``land`` applies a result by the events that it has in play. What it rolls or asks itself is followed too. ``read``
    returns the part of a result that landing reads, so that results with the same part land once.
    """

    scene: Scene
    call: Call[Any]
    land: Callable[[Game, Any], Coroutine[Any, Any, Any]]
    read: Callable[[Any], Any] | None = None

    def outcomes(self, book: Rules) -> list[tuple[Scene, int]] | None:
        """Every scene after the action, with its weight; None if it can only be played."""
        results: dict[Any, int] = {}
        for result, weight in odds(self.call).items():
            part = result if self.read is None else self.read(result)
            results[part] = results.get(part, 0) + weight
        ends: list[tuple[Scene, int, int]] = []
        for result, weight in results.items():
            landed = self._landed(book, result)
            if landed is None:
                return None
            ends += [(scene, weight * share, total) for scene, share, total in landed]
        whole = lcm(*[total for _, _, total in ends])
        return [(scene, weight * (whole // total)) for scene, weight, total in ends]

    def _landed(self, book: Rules, result: Any) -> list[tuple[Scene, int, int]] | None:
        """Every end of landing a result, with its weight out of a total; it is run again for each further result."""
        apply = book.apply
        ends: list[tuple[Scene, int, int]] = []
        ways: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        for _ in range(MOST_WAYS):
            if not ways:
                break
            answers, weight, total = ways.pop()
            game = Game(self.scene, book, apply)
            call = next_request(self.land(game, result), answers)
            if call is None:
                ends.append((game.scene, weight, total))
                continue
            if not isinstance(call, Call):
                return None
            apply = remembering(book.apply) if apply is book.apply else apply
            found = odds(call)
            ways += [((*answers, outcome), weight * part, total * found.total) for outcome, part in found.items()]
        return None if ways else ends


def next_request(process: Coroutine[Any, Any, Any], results: Sequence[Any] = ()) -> Request[Any] | None:
    """The rule or dice that a process asks for next after these results; None at its end.

    Its choices go by what they lead to, else by default.
    """
    results = list(results[::-1])
    answer: Any = None
    try:
        while True:
            asked = process.send(answer)
            if isinstance(asked, Choice):
                answer = asked.options[by_what_follows(asked)]
            elif results:
                answer = results.pop()
            else:
                break
    except StopIteration:
        return None
    finally:
        process.close()
    requested: Request[Any] = asked.ask if isinstance(asked, Attributed) else asked
    return requested


@steady
def by_what_follows(ask: Choice[Any]) -> int:
    """The option with the best exact expectation if the question declares what it leads to; else the default."""
    try:
        found = best_option(ask, ask.seat if isinstance(ask.seat, str) else None)
    except NOT_TO_BE_WEIGHED:
        return ask.default
    return ask.default if found is None else found


def remembering(apply: Callable[[Scene, Event], Scene]) -> Callable[[Scene, Event], Scene]:
    """Cache the results of ``apply``: each branch of an action is run from the same start.

    The branches then share the same scene objects, and with them everything cached on a scene.
    """
    known: dict[tuple[int, Event], tuple[Scene, Scene]] = {}

    def once(scene: Scene, event: Event) -> Scene:
        try:
            found = known.get((id(scene), event))
        except TypeError:  # an event with an unhashable field
            return apply(scene, event)
        if found is None:
            found = known[id(scene), event] = scene, apply(scene, event)  # the reference keeps the id valid
        return found[1]

    return once
