"""The two options that a ranking policy needs: its best one and one other.

Such a policy takes the option with the highest score, the first of equals. Ratings of some actions depend on the scene,
some of these have a known upper bound, and ratings of other actions are fixed. The ranking rates actions without a
bound, then the others by their bounds or fixed ratings, the highest first, until none that is left could win.
The policy takes the same option as it would from the full list.
"""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from typing import TypeAlias

from tablewright.engine import OptionList
from tablewright.game.play.actions import Action, ActionUse, Asked, Requirement
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

    __slots__ = (
        "_alike",
        "_best_found",
        "_book",
        "_bounded",
        "_found",
        "_idle",
        "_others",
        "_rated_first",
        "_rates",
        "_score",
        "_spare",
        "_sure",
        "_worked_out",
    )

    def __init__(self, book: Rulebook, rate: Rated, policy: Policy) -> None:
        self._book, self._score = book, SCORES[policy]
        self._rated_first = rate.rated_first
        self._best_found = rate.best_first
        self._found: dict[str, tuple[int, Action]] = {}
        """Actions whose uses the system finds best first, with their negated places."""
        self._rates: dict[str, Rate] = {}
        """Rating functions of the actions whose ratings depend on the scene."""
        self._idle = book.actions.by_id.get(book.pass_action)
        self._worked_out: list[tuple[int, Action]] = []
        bounded: dict[Most, list[tuple[int, Action]]] = {}
        sure: list[_Bounded] = []
        for place, action in enumerate(book.actions):
            promise, most = rate.promises.get(action.id, _NOTHING), rate.most(action.id)
            if action.reaction:
                continue
            if self._best_found is not None and action.id in self._best_found.actions:
                self._found[action.id] = -place, action
                continue
            if isinstance(promise, Rating):
                sure.append(((self._score(promise), -place), action, True))
                continue
            self._rates[action.id] = promise
            if most is None:
                self._worked_out.append((-place, action))
            elif isinstance(most, Rating):
                sure.append(((self._score(most), -place), action, False))
            else:
                bounded.setdefault(most, []).append((-place, action))
        alike: dict[tuple[Requirement, ...], list[Action]] = {}
        for _, action in self._found.values():
            alike.setdefault(tuple([one for one in action.requires if one.once or one.always]), []).append(action)
        self._alike = [(actions[0], frozenset([one.id for one in actions])) for actions in alike.values()]
        """Groups of actions with the same requirements of the actor, each with one of them."""
        self._bounded = list(bounded.items())
        self._sure = sorted(sure, key=itemgetter(0), reverse=True)
        self._others = [action for action in book.actions if not action.reaction]
        self._spare: tuple[Action, ...] = ()

    def open_to(self, scene: Scene, who: str) -> tuple[OptionList[ActionUse], dict[ActionUse, Rating]]:
        """The best option and one other, with the ratings of the best ones found on the way.

        Passing is the other option whenever it is legal.
        """
        actions = self._book.actions
        asked: Asked = {}
        best: _Rank | None = None
        taken: tuple[Action, ActionUse] | None = None
        other: tuple[Action, ActionUse] | None = None
        ratings: dict[ActionUse, Rating] = {}
        if self._best_found is not None:
            able = {id_ for alike in self._alike if not alike[0].is_barred(scene, who, asked) for id_ in alike[1]}
            for use, rating in self._best_found.uses(scene, who, self._score, able) if able else ():
                place, action = self._found[use.action]
                if self._best_found.all_legal or action.refusal_of_way(scene, who, use) is None:
                    best, taken, ratings[use] = (self._score(rating), place), (action, use), rating
                    break
        for place, action in self._worked_out:
            found = self._best_of(action, place, scene, who, asked, best)
            if found is not None:
                best, use, rating = found
                taken, other, ratings[use] = (action, use), taken, rating
        for bound, action, exact in self._best_first(scene, who, best):
            if best is not None and bound < best:
                break
            if exact:
                for use in action.open_ways(scene, who, asked):
                    best, taken, other = bound, (action, use), taken
                    break
                continue
            found = self._best_of(action, bound[1], scene, who, asked, best)
            if found is not None:
                best, use, rating = found
                taken, other, ratings[use] = (action, use), taken, rating
        if taken is None:
            return actions.legal_uses(scene, who), ratings
        if self._idle is not None and taken[0] is not self._idle:
            other = next(((self._idle, use) for use in self._idle.open_ways(scene, who, asked)), other)
        if other is None:  # a single option would be taken without a request
            other = self._another(scene, who, asked, taken[1])
        offered = [action.told(scene, who, use) for action, use in ((taken,) if other is None else (taken, other))]
        actions.mark_legal(scene, who, offered)
        return OptionList(offered, lambda: actions.legal_uses(scene, who).closed()), ratings

    def _another(self, scene: Scene, who: str, asked: Asked, taken: ActionUse) -> tuple[Action, ActionUse] | None:
        """Any other option; the action that had one last time is asked first."""
        for action in (*self._spare, *self._others):
            for use in action.open_ways(scene, who, asked):
                if use != taken:
                    self._spare = (action,)
                    return action, use
        return None

    def _best_of(  # noqa: PLR0917
        self, action: Action, place: int, scene: Scene, who: str, asked: Asked, best: _Rank | None
    ) -> tuple[_Rank, ActionUse, Rating] | None:
        """The highest legal use of an action, if it ranks above the best one so far."""
        rate, score = self._rates[action.id], self._score
        unchecked = action.id in self._rated_first
        ways = action.unchecked_ways if unchecked else action.open_ways
        higher: list[tuple[_Rank, ActionUse, Rating]] = []
        for use in ways(scene, who, asked):
            rating = rate(scene, who, use)
            rank = score(rating), place
            if best is None or rank > best:
                higher.append((rank, use, rating))
        higher.sort(key=itemgetter(0), reverse=True)
        for one in higher:
            if not unchecked or action.refusal_of_way(scene, who, one[1]) is None:
                return one
        return None

    def _best_first(self, scene: Scene, who: str, best: _Rank | None) -> list[_Bounded]:
        """Actions with fixed ratings or bounds that could win, the highest first, without those that have no use."""
        could_win: list[_Bounded] = []
        for one in self._sure:
            if best is not None and one[0] < best:
                break
            could_win.append(one)
        bounded = len(could_win)
        for most, actions in self._bounded:
            bound = most(scene, who)
            if bound is not None:
                score = self._score(bound)
                for place, action in actions:
                    rank = score, place
                    if best is None or rank >= best:
                        could_win.append((rank, action, False))
        if len(could_win) > bounded:
            could_win.sort(key=itemgetter(0), reverse=True)
        return could_win


def ranking_of(book: Rulebook, policy: Policy) -> Ranking | None:
    """Ranking for a policy that uses ratings alone; None for other policies or rulebooks without a rating table."""
    return Ranking(book, book.rate_use, policy) if policy in SCORES and isinstance(book.rate_use, Rated) else None
