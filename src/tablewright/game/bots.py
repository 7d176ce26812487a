"""What bots go by, made of small pieces: a value of scenes for the whole, a table of ratings for the options.

A system says what one participant is worth and what each action promises; the rest is the same everywhere. Promises
stand in one table beside the rules, not in the actions: what a bot thinks of an action is no rule of the book, and the
table shows at one glance what is weighed against what.

>>> from tablewright.game.actions import Use
>>> rate = rated({"strike": lambda scene, who, use: Rating(harm=3), "wait": Rating(safety=1)})
>>> rate(Scene("demo"), "ann", Use("strike", "bob")), rate(Scene("demo"), "ann", Use("dance"))
(Rating(harm=3, safety=0, cost=0), Rating(harm=0, safety=0, cost=0))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from tablewright.engine import Call, odds
from tablewright.game.actions import Use
from tablewright.game.ground import Position
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import Stands, targets

Number: TypeAlias = int | Fraction
Rate: TypeAlias = Callable[[Scene, str, Use], Rating]
Most: TypeAlias = Callable[[Scene, str], Rating]

MOST_REMEMBERED = 65_536


def worth(
    points: Callable[[Participant], Number],
    *,
    apart: Callable[[Scene, Participant], Number] | None = None,
    more: Callable[[Scene, str], Number] | None = None,
) -> Callable[[Scene, str], Number]:
    """The value of a scene to a side: what everybody of one's own is worth, less what the others are.

    ``apart`` is what it costs that one of one's own is still away from where it could do something (see :func:`gap`),
    ``more`` whatever else the scene holds for a side: harm that is under way.
    """

    def points_of(one: Participant) -> Number:
        """Remembered: of all that are in a scene one action changes one or two."""
        known: Number | None = one.answers.get(points)
        if known is None:
            known = one.answers[points] = points(one)
        return known

    def value(scene: Scene, side: str) -> Number:
        total: Number = 0 if more is None else more(scene, side)
        for one in scene.participants:
            if not one.present:
                continue
            if one.side != side:
                total -= points_of(one)
            else:
                total += points_of(one) - (apart(scene, one) if apart is not None else 0)
        return total

    return value


def gap(scene: Scene, who: str, stands: Stands, here: Position | None = None) -> int:
    """How far the nearest foe that somebody knows of is from them, or from another place; 0 if there is none."""
    start = scene[who].position if here is None else here
    if start is None:
        return 0
    foes = [one.position for one in targets(scene, who, stands) if one.position is not None]
    return min([int(scene.ground.distance(start, there)) for there in foes], default=0)


class UpTo:
    """What is worked out for each option of an action, and what none of them exceeds in a scene for somebody.

    No option promises more harm or more safety than ``most`` says, and none costs less. It is asked before the options
    are looked for: where it says that none can be the best, they are not. So it should be found out quickly.
    """

    __slots__ = ("most", "rate")

    def __init__(self, most: Rating | Most, rate: Rate) -> None:
        self.most: Most = (lambda scene, who: most) if isinstance(most, Rating) else most
        self.rate = rate


class Rated:
    """A rating of options by the ids of their actions: a number once and for all, or worked out from the scene."""

    __slots__ = ("_most", "promises")

    def __init__(self, promises: Mapping[str, Rating | Rate | UpTo]) -> None:
        self._most = {name: promise.most for name, promise in promises.items() if isinstance(promise, UpTo)}
        self.promises: dict[str, Rating | Rate] = {
            name: promise.rate if isinstance(promise, UpTo) else promise for name, promise in promises.items()
        }

    def __call__(self, scene: Scene, who: str, use: Use) -> Rating:
        found = self.promises.get(use.action)
        if found is None:
            return _NOTHING
        return found if isinstance(found, Rating) else found(scene, who, use)

    def fixed(self, action: str) -> Rating | None:
        """What an action promises in whatever way it is taken; None where that depends on the scene."""
        found = self.promises.get(action, _NOTHING)
        return found if isinstance(found, Rating) else None

    def most(self, action: str) -> Most | None:
        """What no option of an action exceeds, for somebody in a scene; None where nobody has said it."""
        return self._most.get(action)


_NOTHING = Rating()


def rated(promises: Mapping[str, Rating | Rate | UpTo]) -> Rated:
    """A rating of options from a table of what each action promises."""
    return Rated(promises)


@lru_cache(maxsize=MOST_REMEMBERED)
def expected(call: Call[Any], objective: str | Callable[[Any], Number] | None = None) -> Fraction:
    """What a rule is worth on average, exactly and remembered: by an objective that it declares, or by a function.

    A function must be the same object every time; one that is made anew for each question is never remembered.
    """
    value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return odds(call, objective).expected(value)


def by_look(
    health: Callable[[Participant], str], words: Mapping[str, int], otherwise: int
) -> Callable[[Scene, str], int]:
    """How much more a blow on somebody is worth because of how they look: the hurt first, the fallen not at all."""

    def look(scene: Scene, target: str) -> int:
        return words.get(health(scene[target]), otherwise)

    return look
