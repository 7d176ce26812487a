"""The two options that a ranking policy needs: its best one and one other.

Such a policy takes the option with the highest score, the first of equals. Ratings of some actions depend on the scene,
some of these have a known upper bound, and ratings of other actions are fixed. The ranking rates scene-dependent
actions first, those with a bound after the others, highest bound first and only if they could win. Then it looks for
the best open action among the fixed ones.
The policy takes the same option as it would from the full list.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import itemgetter
from typing import TypeAlias

from tablewright.engine import OptionList
from tablewright.game.play.actions import Action, ActionUse, Asked
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import SCORES, Policy
from tablewright.game.session.ratings import Most, Rated
from tablewright.game.system.rulebook import Rating, Rulebook

_Rank: TypeAlias = tuple[tuple[int | Fraction, ...], int]
"""A score, then the negated place of the action: of equal scores the first action ranks highest."""


class Ranking:
    """Ranking of a rulebook's actions by one policy, for the participant's own turn."""

    __slots__ = ("_book", "_bounded", "_fixed", "_idle", "_rate", "_score", "_worked_out")

    def __init__(self, book: Rulebook, rate: Rated, policy: Policy) -> None:
        self._book, self._rate, self._score = book, rate, SCORES[policy]
        self._idle = book.actions.by_id.get(book.pass_action)
        worked_out: list[tuple[int, Action, Most | None]] = []
        fixed: list[tuple[_Rank, Action]] = []
        for place, action in enumerate(book.actions):
            promise = rate.fixed(action.id)
            if promise is not None and not action.reaction:
                fixed.append(((self._score(promise), -place), action))
            elif not action.reaction:
                worked_out.append((-place, action, rate.most(action.id)))
        self._worked_out = [(place, action) for place, action, most in worked_out if most is None]
        self._bounded = [(place, action, most) for place, action, most in worked_out if most is not None]
        self._fixed = sorted(fixed, key=lambda one: one[0], reverse=True)

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
        worse: list[Action] = []
        for bound, place, action in self._best_first(scene, who):
            if bound is not None and best is not None and bound < best:
                worse.append(action)
                continue
            in_order = action.id in rate.rated_first
            for use in self._by_rank(action, scene, who, asked) if in_order else action.open_ways(scene, who, asked):
                rating = rate(scene, who, use)
                rank = score(rating), place
                if best is None or rank > best:
                    best, taken, other = rank, (action, use), taken
                    ratings[use] = rating
                elif other is None:
                    other = action, use
                if in_order and other is not None:
                    break
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
            return actions.legal_uses(scene, who), ratings
        if self._idle is not None and taken[0] is not self._idle:
            other = next(((self._idle, use) for use in self._idle.open_ways(scene, who, asked)), other)
        if other is None:  # a single option would be taken without a request
            ways = ((action, use) for action in worse for use in action.open_ways(scene, who, asked))
            other = next(ways, None)
        found = [action.told(scene, who, use) for action, use in ((taken,) if other is None else (taken, other))]
        actions.mark_legal(scene, who, found)
        return OptionList(found, lambda: actions.legal_uses(scene, who).closed()), ratings

    def _by_rank(self, action: Action, scene: Scene, who: str, asked: Asked) -> Iterator[ActionUse]:
        rate, score = self._rate, self._score
        return action.open_ways_by(scene, who, asked, lambda use: score(rate(scene, who, use)))

    def _best_first(self, scene: Scene, who: str) -> Iterator[tuple[_Rank | None, int, Action]]:
        """Actions whose ratings depend on the scene: those without a bound, then the others by their bounds."""
        for place, action in self._worked_out:
            yield None, place, action
        bounded = [((self._score(most(scene, who)), place), place, action) for place, action, most in self._bounded]
        yield from sorted(bounded, key=itemgetter(0), reverse=True)


def ranking_of(book: Rulebook, policy: Policy) -> Ranking | None:
    """Ranking for a policy that uses ratings alone; None for other policies or rulebooks without a rating table."""
    return Ranking(book, book.rate_use, policy) if policy in SCORES and isinstance(book.rate_use, Rated) else None
