"""What is offered to a policy that ranks: all that could be the best, and not what is known to be worse.

Such a policy takes the option with the highest score and looks at no other. What some actions promise depends on the
scene, what others promise is the same in all scenes. So the first are found and rated first; of the others only those
are looked for whose score is not below the best. The policy takes the same option as if it were offered everything.
"""

from __future__ import annotations

from tablewright.engine import Offer
from tablewright.game.actions import Use
from tablewright.game.bots import Rated
from tablewright.game.policies import SCORES, Policy
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Scene


class Ranking:
    """How one policy ranks the actions of a book on one's own turn."""

    __slots__ = ("_book", "_fixed", "_order", "_rate", "_score", "_worked_out")

    def __init__(self, book: Rulebook, rate: Rated, policy: Policy) -> None:
        self._book, self._rate, self._score = book, rate, SCORES[policy]
        self._order = {action.id: place for place, action in enumerate(book.actions)}
        promises = {action.id: rate.fixed(action.id) for action in book.actions if not action.reaction}
        self._worked_out = tuple([name for name, promise in promises.items() if promise is None])
        self._fixed = [(name, self._score(promise)) for name, promise in promises.items() if promise is not None]

    def open_to(self, scene: Scene, who: str) -> tuple[Offer[Use], dict[Use, Rating]]:
        """What may be done now and could be the best, and how some of it is rated.

        Doing nothing is always among it, if it may be done.
        """
        actions, rate, score = self._book.actions, self._rate, self._score
        found = actions.open_to(scene, who, among=self._worked_out).open if self._worked_out else ()
        if not found:
            return actions.open_to(scene, who), {}
        ratings = {use: rate(scene, who, use) for use in found}
        best = max([score(rating) for rating in ratings.values()])
        others = tuple([name for name, least in self._fixed if least >= best or name == self._book.idle])
        if others:
            found = [*found, *actions.open_to(scene, who, among=others).open]
            found.sort(key=lambda use: self._order[use.action])
        if len(found) == 1:  # what is offered alone is taken unasked; whether it is alone only all of them can tell
            return actions.open_to(scene, who), ratings
        actions.vouch(scene, who, found)
        return Offer(found, lambda: actions.open_to(scene, who).closed()), ratings


def ranking_of(book: Rulebook, policy: Policy) -> Ranking | None:
    """How a policy ranks the actions of a book, if it does so by ratings alone and the book has a table of them."""
    return Ranking(book, book.rate, policy) if policy in SCORES and isinstance(book.rate, Rated) else None
