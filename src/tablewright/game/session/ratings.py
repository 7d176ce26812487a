"""Building blocks for bots: a value of scenes, and a table of ratings for options.

A system declares the value of one participant and the rating of each action; the rest is shared. The ratings are in one
table apart from the actions: a bot's opinion of an action is not a rule of the book, and one table makes the ratings
easy to compare.

>>> from tablewright.game.play.actions import ActionUse
>>> rate = rating_table({"strike": lambda scene, who, use: Rating(harm=3), "wait": Rating(safety=1)})
>>> rate(Scene("demo"), "ann", ActionUse("strike", "bob")), rate(Scene("demo"), "ann", ActionUse("dance"))
(Rating(harm=3, safety=0, cost=0), Rating(harm=0, safety=0, cost=0))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Call, odds
from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.targeting import Stands, targets
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.system.rulebook import Rating

Number: TypeAlias = int | Fraction
Rate: TypeAlias = Callable[[Scene, str, ActionUse], Rating]
Most: TypeAlias = Callable[[Scene, str], "Rating | None"]

MOST_REMEMBERED = 65_536


def side_value(
    points: Callable[[Participant], Number],
    *,
    apart: Callable[[Scene, Participant], Number] | None = None,
    more: Callable[[Scene, str], Number] | None = None,
) -> Callable[[Scene, str], Number]:
    """Build the value of a scene to a side: the sum over its participants present minus the sum over the others.

    ``apart`` is the cost of a participant's distance from where it can act (see :func:`distance_to_nearest_enemy`).
    ``more`` adds whatever else the scene holds for the side, such as damage under way.
    """

    def points_of(one: Participant) -> Number:
        """Points of a participant, cached on it: one action changes only one or two participants."""
        known: Number | None = one.answers.get(points)
        if known is None:
            known = one.answers[points] = points(one)
        return known

    def value(scene: Scene, side: str) -> Number:
        total: Number = 0 if more is None else more(scene, side)
        for participant in scene.participants:
            if not participant.present:
                continue
            if participant.side != side:
                total -= points_of(participant)
            else:
                total += points_of(participant) - (apart(scene, participant) if apart is not None else 0)
        return total

    return value


def distance_to_nearest_enemy(scene: Scene, who: str, stands: Stands, here: Position | None = None) -> int:
    """Distance to the nearest target of a participant, from its own or another position; 0 if there is none."""
    start = scene[who].position if here is None else here
    if start is None:
        return 0
    foes = [one.position for one in targets(scene, who, stands) if one.position is not None]
    return min([int(scene.ground.distance(start, there)) for there in foes], default=0)


class RatingBound:
    """A rating function for the options of an action, with an upper bound for all of them.

    No option has more harm or more safety than ``most``, and none costs less. The bound is computed before the options.
    If it shows that none can be the best, they are skipped, so it should be cheap; None means that there are no
    options. Without ``most`` there is no bound. ``rated_first`` says that ratings are cheaper than requirements and
    work for illegal options too: then only the best ones are checked.
    """

    __slots__ = ("most", "rate", "rated_first")

    def __init__(self, most: Rating | Most | None, rate: Rate, *, rated_first: bool = False) -> None:
        self.most = most
        self.rate = rate
        self.rated_first = rated_first


Score: TypeAlias = Callable[[Rating], "tuple[int | Fraction, ...]"]


class BestFirst(NamedTuple):
    """Some actions of a table whose uses a system finds best first itself, with their ratings.

    ``uses`` gets the actions whose requirements the actor meets, and finds every legal use of these, perhaps others
    too; with ``all_legal`` no others, so that none is checked again. Of equal scores the earlier action comes first,
    then the earlier use.
    """

    actions: frozenset[str]
    uses: Callable[[Scene, str, Score, AbstractSet[str]], Iterator[tuple[ActionUse, Rating]]]
    all_legal: bool = False


class Rated:
    """Ratings of options by action id: constant, or computed from the scene."""

    __slots__ = ("_most", "best_first", "promises", "rated_first")

    def __init__(
        self, promises: Mapping[str, Rating | Rate | RatingBound], best_first: BestFirst | None = None
    ) -> None:
        self.best_first = best_first
        bounds = [(name, promise) for name, promise in promises.items() if isinstance(promise, RatingBound)]
        self.rated_first = frozenset([name for name, promise in bounds if promise.rated_first])
        self._most = {name: promise.most for name, promise in bounds if promise.most is not None}
        self.promises: dict[str, Rating | Rate] = {
            name: promise.rate if isinstance(promise, RatingBound) else promise for name, promise in promises.items()
        }

    def __call__(self, scene: Scene, who: str, use: ActionUse) -> Rating:
        found = self.promises.get(use.action)
        if found is None:
            return _NOTHING
        return found if isinstance(found, Rating) else found(scene, who, use)

    def most(self, action: str) -> Rating | Most | None:
        """The upper bound for the options of an action, constant or of a scene; None if it declares none."""
        return self._most.get(action)


_NOTHING = Rating()


def rating_table(promises: Mapping[str, Rating | Rate | RatingBound], best_first: BestFirst | None = None) -> Rated:
    """Build a rating of options from a table of ratings by action."""
    return Rated(promises, best_first)


@lru_cache(maxsize=MOST_REMEMBERED)
def expected(call: Call[Any], objective: str | Callable[[Any], Number] | None = None) -> Fraction:
    """Exact expected value of a call, cached, by a declared objective or a function.

    A function must be the same object each time; a new one per call defeats the cache.
    """
    value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return odds(call, objective).expected(value)


def by_look(
    health: Callable[[Participant], str], words: Mapping[str, int], otherwise: int
) -> Callable[[Scene, str], int]:
    """Extra value of attacking a target by its visible health; ``otherwise`` applies to words not in ``words``.

    Systems use it to prefer hurt targets and to skip fallen ones.
    """

    def look(scene: Scene, target: str) -> int:
        one = scene[target]
        known: int | None = one.answers.get(look)
        if known is None:
            known = one.answers[look] = words.get(health(one), otherwise)
        return known

    return look
