"""The two options that a ranking policy needs: its best one and one other.

Such a policy takes the option with the highest score, the first of equals. Ratings of some actions depend on the scene,
some of these have a known upper bound, and ratings of other actions are fixed. The ranking rates actions without a
bound, then the others by their bounds or fixed ratings, the highest first, until none that is left could win.
The policy takes the same option as it would from the full list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import itemgetter
from typing import TypeAlias

from tablewright.engine import OptionList
from tablewright.game.play.actions import Action, ActionUse, Asked
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import SCORES, Policy
from tablewright.game.session.ratings import Most, Rate, Rated
from tablewright.game.system.rulebook import Rating, Rulebook

_Rank: TypeAlias = tuple[tuple[int | Fraction, ...], int]
"""A score, then the negated place of the action: of equal scores the first action ranks highest."""

_NOTHING = Rating()

_Bounded: TypeAlias = tuple[_Rank, Action, bool]
"""The highest rank that an action can have, the action, and whether every use of it has this rank."""


class Ranking:
    """Ranking of a rulebook's actions by one policy, for the participant's own turn."""

    __slots__ = ("_book", "_bounded", "_idle", "_others", "_rate", "_score", "_spare", "_sure", "_worked_out")

    def __init__(self, book: Rulebook, rate: Rated, policy: Policy) -> None:
        self._book, self._rate, self._score = book, rate, SCORES[policy]
        self._idle = book.actions.by_id.get(book.pass_action)
        self._worked_out: list[tuple[int, Action, bool, Rate]] = []
        bounded: dict[Most, list[tuple[int, Action]]] = {}
        sure: list[_Bounded] = []
        for place, action in enumerate(book.actions):
            promise, most = rate.promises.get(action.id, _NOTHING), rate.most(action.id)
            if action.reaction:
                continue
            if isinstance(promise, Rating):
                sure.append(((self._score(promise), -place), action, True))
            elif most is None:
                self._worked_out.append((-place, action, action.id not in rate.rated_first, promise))
            elif isinstance(most, Rating):
                sure.append(((self._score(most), -place), action, False))
            else:
                bounded.setdefault(most, []).append((-place, action))
        self._bounded = list(bounded.items())
        self._sure = sorted(sure, key=itemgetter(0), reverse=True)
        self._others = [action for action in book.actions if not action.reaction]
        self._spare: tuple[Action, ...] = ()

    def open_to(self, scene: Scene, who: str) -> tuple[OptionList[ActionUse], dict[ActionUse, Rating]]:
        """The best option and one other, with the ratings of the best ones found on the way.

        Passing is the other option whenever it is legal.
        """
        actions, rate, score = self._book.actions, self._rate, self._score
        asked: Asked = {}
        best: _Rank | None = None
        taken: tuple[Action, ActionUse] | None = None
        other: tuple[Action, ActionUse] | None = None
        ratings: dict[ActionUse, Rating] = {}
        for place, action, checked, rate_use in self._worked_out:
            ways = action.open_ways if checked else action.unchecked_ways
            for use in ways(scene, who, asked):
                rating = rate_use(scene, who, use)
                rank = score(rating), place
                if best is None or rank > best:
                    if checked or action.refusal_of_way(scene, who, use) is None:
                        best, taken, other = rank, (action, use), taken
                        ratings[use] = rating
                elif checked:
                    other = action, use
        for bound, action, exact in self._best_first(scene, who):
            if best is not None and bound < best:
                break
            if exact:
                for use in action.open_ways(scene, who, asked):
                    best, taken, other = bound, (action, use), taken
                    break
                continue
            in_order = action.id in rate.rated_first
            for use in self._by_rank(action, scene, who, asked) if in_order else action.open_ways(scene, who, asked):
                rating = rate(scene, who, use)
                rank = score(rating), bound[1]
                if best is None or rank > best:
                    best, taken, other = rank, (action, use), taken
                    ratings[use] = rating
                else:
                    other = action, use
                if in_order and other is not None:
                    break
        if taken is None:
            return actions.legal_uses(scene, who), ratings
        if self._idle is not None and taken[0] is not self._idle:
            other = next(((self._idle, use) for use in self._idle.open_ways(scene, who, asked)), other)
        if other is None:  # a single option would be taken without a request
            other = self._another(scene, who, asked, taken[1])
        found = [action.told(scene, who, use) for action, use in ((taken,) if other is None else (taken, other))]
        actions.mark_legal(scene, who, found)
        return OptionList(found, lambda: actions.legal_uses(scene, who).closed()), ratings

    def _another(self, scene: Scene, who: str, asked: Asked, taken: ActionUse) -> tuple[Action, ActionUse] | None:
        """Any other option; the action that had one last time is asked first."""
        for action in (*self._spare, *self._others):
            for use in action.open_ways(scene, who, asked):
                if use != taken:
                    self._spare = (action,)
                    return action, use
        return None

    def _by_rank(self, action: Action, scene: Scene, who: str, asked: Asked) -> Iterator[ActionUse]:
        rate, score = self._rate, self._score
        return action.open_ways_by(scene, who, asked, lambda use: score(rate(scene, who, use)))

    def _best_first(self, scene: Scene, who: str) -> Iterable[_Bounded]:
        """Actions with fixed ratings or bounds, the highest first; those that say they have no use are left out."""
        if not self._bounded:
            return self._sure
        found = list(self._sure)
        for most, actions in self._bounded:
            bound = most(scene, who)
            if bound is not None:
                score = self._score(bound)
                found += [((score, place), action, False) for place, action in actions]
        found.sort(key=itemgetter(0), reverse=True)
        return found


def ranking_of(book: Rulebook, policy: Policy) -> Ranking | None:
    """Ranking for a policy that uses ratings alone; None for other policies or rulebooks without a rating table."""
    return Ranking(book, book.rate_use, policy) if policy in SCORES and isinstance(book.rate_use, Rated) else None
