"""What is offered to a policy that ranks: what it takes, and something else so that it is asked.

Such a policy takes the option with the highest score, the first of equals, and looks at no other. What some actions
promise depends on the scene, of some of these it is known what they promise at most, and what others promise is the
same in all scenes. So the first are found and rated first, the second only where they could be better, and of the last
the best is looked for that is open, as far as any could be the best. The policy takes the same option as if it were
offered everything.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from tablewright.engine import Offer
from tablewright.game.actions import Action, Asked, Use
from tablewright.game.bots import Most, Rated
from tablewright.game.policies import SCORES, Policy
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Scene

_Rank: TypeAlias = tuple[tuple[int | Fraction, ...], int]
"""A score and, where scores are equal, the place of the action: the first of them has the highest."""


class Ranking:
    """How one policy ranks the actions of a book on one's own turn."""

    __slots__ = ("_book", "_fixed", "_idle", "_rate", "_score", "_worked_out")

    def __init__(self, book: Rulebook, rate: Rated, policy: Policy) -> None:
        self._book, self._rate, self._score = book, rate, SCORES[policy]
        self._idle = book.actions.by_id.get(book.idle)
        worked_out: list[tuple[int, Action, Most | None]] = []
        fixed: list[tuple[_Rank, Action]] = []
        for place, action in enumerate(book.actions):
            promise = rate.fixed(action.id)
            if promise is not None and not action.reaction:
                fixed.append(((self._score(promise), -place), action))
            elif not action.reaction:
                worked_out.append((-place, action, rate.most(action.id)))
        self._worked_out = sorted(worked_out, key=lambda one: one[2] is not None)
        self._fixed = sorted(fixed, key=lambda one: one[0], reverse=True)

    def open_to(self, scene: Scene, who: str) -> tuple[Offer[Use], dict[Use, Rating]]:
        """What the policy takes of all that may be done now, before something else; and how what was best is rated.

        Doing nothing is always among it, if it may be done.
        """
        actions, rate, score = self._book.actions, self._rate, self._score
        asked: Asked = {}
        best: _Rank | None = None
        taken: tuple[Action, Use] | None = None
        other: tuple[Action, Use] | None = None
        ratings: dict[Use, Rating] = {}
        worse: list[Action] = []
        for place, action, most in self._worked_out:
            if most is not None and best is not None and (score(most(scene, who)), place) < best:
                worse.append(action)
                continue
            for use in action.open_ways(scene, who, asked):
                rating = rate(scene, who, use)
                rank = score(rating), place
                if best is None or rank > best:
                    best, taken, other = rank, (action, use), taken
                    ratings[use] = rating
                elif other is None:
                    other = action, use
        for at, (rank, action) in enumerate(self._fixed):
            if best is not None and rank < best:
                worse += [action for _, action in self._fixed[at:]]
                break
            for use in action.open_ways(scene, who, asked):
                if best is None or rank > best:
                    best, taken, other = rank, (action, use), taken
                else:
                    other = other or (action, use)
                if other is not None:
                    break
        if taken is None:
            return actions.open_to(scene, who), ratings
        if self._idle is not None and taken[0] is not self._idle:
            other = next(((self._idle, use) for use in self._idle.open_ways(scene, who, asked)), other)
        if other is None:  # what is offered alone is taken unasked
            ways = ((action, use) for action in worse for use in action.open_ways(scene, who, asked))
            other = next(ways, None)
        found = [action.told(scene, who, use) for action, use in ((taken,) if other is None else (taken, other))]
        actions.vouch(scene, who, found)
        return Offer(found, lambda: actions.open_to(scene, who).closed()), ratings


def ranking_of(book: Rulebook, policy: Policy) -> Ranking | None:
    """How a policy ranks the actions of a book, if it does so by ratings alone and the book has a table of them."""
    return Ranking(book, book.rate, policy) if policy in SCORES and isinstance(book.rate, Rated) else None
