"""Requests that a mechanic may await (a roll, a choice, another rule); the driver answers them.

A request does not define how it is answered; the same rule can be played, weighed exactly, sampled and replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from functools import lru_cache
from operator import add, sub
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from tablewright.dice import BestOf, Die, Rollable, Sum
from tablewright.engine.options import Role

if TYPE_CHECKING:
    from tablewright.engine.tally import Tally

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

EVERYONE = "everyone"
"""Audience of rolls that everyone may see."""
OPPOSING_DICE = "opposing dice"
"""Name among the private arguments of a call for all dice that its other side throws."""


class Request(Generic[T]):
    """Base class of everything a mechanic can await."""

    __slots__ = ()

    def __await__(self) -> Generator[Request[Any], Any, T]:
        answer: T = yield self
        return answer

    def map(self, change: Callable[[T], U]) -> Request[U]:
        """Map the answer by ``change``; equal results are merged before the rule branches."""
        return Mapped(self, change)

    def by(
        self,
        actor: str,
        against: str | None = None,
        *,
        audience: str = EVERYONE,
        hide: Iterable[str] = (),
        private: Mapping[str, Role] | None = None,
        tallies: Mapping[str, Tally] | None = None,
        ally: str | None = None,
        against_ally: str | None = None,
    ) -> Request[T]:
        """Attribute the request to seats: they get its choices, and ``audience`` may see its dice.

        ``tallies`` explain arguments by name. ``hide`` names arguments that only the game master may see, such as a
        secret difficulty; the result is then hidden too. ``private`` names arguments that only one role may see, such
        as remaining points; under the name :data:`OPPOSING_DICE` it hides the dice of the other side. ``ally`` and
        ``against_ally`` are further seats that may be asked on either side; by default the side itself decides.
        """
        seats = (actor, against, ally, against_ally)
        return Attributed(self, seats, audience, tuple(hide), private or {}, tallies or {})

    def by_opponent(self) -> Request[T]:
        """Swap the sides of the request: its actor becomes the opponent, for choices, dice and secrets.

        Both sides of a contest can then share one rule: ``minus(attempt(a), attempt(b).by_opponent())``.
        """
        return Swapped(self)

    def weighed_as(self, instead: Request[T]) -> Request[T]:
        """Play this request, and weigh another one with the same odds: a closed form that no log needs to know of."""
        return Weighed(lambda: self, instead)

    def played_as(self, make: Callable[[], Request[T]]) -> Request[T]:
        """Weigh this request, and play the one with the same odds that ``make`` returns, such as a call."""
        return Weighed(make, self)

    def into(self, following: Callable[[T], Request[U]]) -> Request[U]:
        """Leave this rule for the call that ``following`` returns: a tail call, weighed for all answers at once."""
        return Into(self, following)


RunningRule: TypeAlias = Coroutine[Request[Any], Any, T]
"""A running mechanic or process."""


class Roll(Request[T]):
    """Request to throw dice; ``seat`` is the role that throws them.

    ``worth`` is for statistics of luck: what each face of a single die is worth to that role, where the highest is not
    the luckiest. Between the worst and the best face of any other die lie about 100.
    """

    __slots__ = ("dice", "seat", "worth")

    def __init__(self, dice: Rollable[T], seat: Role | None = None, worth: Callable[[int], int] | None = None) -> None:
        self.dice, self.seat, self.worth = dice, seat or Role.ACTOR, worth

    def by_opponent(self) -> Roll[T]:
        """The same dice, thrown by the other side."""
        return Roll(self.dice, self.seat.across, self.worth)

    def __repr__(self) -> str:
        return f"roll {self.dice}"


class Mapped(Request[U]):
    """A request with a mapped answer."""

    __slots__ = ("ask", "change")

    def __init__(self, ask: Request[Any], change: Callable[[Any], U]) -> None:
        self.ask, self.change = ask, change

    def by_opponent(self) -> Mapped[U]:
        """Swap the sides of the inner request."""
        return Mapped(self.ask.by_opponent(), self.change)

    def __repr__(self) -> str:
        return repr(self.ask)


class Weighed(Mapped[U]):
    """A request that is weighed as another one; ``make`` returns the one that is played."""

    __slots__ = ("instead", "make")

    def __init__(self, make: Callable[[], Request[U]], instead: Request[U]) -> None:
        self.make, self.instead, self.change = make, instead, _as_it_is

    @property
    def ask(self) -> Request[U]:  # type: ignore[override]
        return self.make()

    def by_opponent(self) -> Weighed[U]:
        return Weighed(lambda: self.make().by_opponent(), self.instead.by_opponent())


def _as_it_is(answer: T) -> T:
    return answer


class Swapped(Request[T]):
    """A request with its sides swapped."""

    __slots__ = ("ask",)

    def __init__(self, ask: Request[T]) -> None:
        self.ask = ask

    def __repr__(self) -> str:
        return repr(self.ask)


class Attributed(Request[T]):
    """A request with seats, audience, secrets and tallies; the play driver uses them, exact odds ignore them."""

    __slots__ = ("actor", "ally", "ask", "audience", "hide", "opponent", "opponents_ally", "private", "tallies")

    def __init__(  # noqa: PLR0917 - internal; rules use Request.by
        self,
        ask: Request[T],
        seats: tuple[str, str | None, str | None, str | None],
        audience: str,
        hide: tuple[str, ...],
        private: Mapping[str, Role],
        tallies: Mapping[str, Tally],
    ) -> None:
        self.ask = ask
        self.actor, self.opponent, self.ally, self.opponents_ally = seats
        self.audience, self.hide = audience, hide
        self.private, self.tallies = private, tallies

    def named(self, seat: Role) -> str | None:
        """Seat of a role, or None; a side without an ally's seat decides itself."""
        if seat is Role.ACTOR:
            return self.actor
        if seat is Role.OPPONENT:
            return self.opponent
        if seat is Role.ALLY:
            return self.ally or self.actor
        return (self.opponents_ally or self.opponent) if seat is Role.OPPONENTS_ALLY else None

    def unknown_to(self, seat: str) -> tuple[str, ...]:
        """Arguments that a seat may not see; the game master may see all."""
        if seat == Role.GAME_MASTER.value:
            return ()
        others = [name for name, owner in self.private.items() if self.named(owner) != seat and name not in self.hide]
        return (*self.hide, *[name for name in others if name != OPPOSING_DICE])

    def __repr__(self) -> str:
        return repr(self.ask)


class TailRequest(Request[T]):
    """Base class of requests that leave the rule; they are never answered."""

    __slots__ = ()

    def __await__(self) -> Generator[Request[Any], Any, T]:
        return iter((self,))  # type: ignore[return-value]  # cheaper than a generator, which could take an answer


class Into(TailRequest[U]):
    """Tail call that depends on the answer of a request."""

    __slots__ = ("ask", "following")

    def __init__(self, ask: Request[Any], following: Callable[[Any], Request[U]]) -> None:
        self.ask, self.following = ask, following

    def __repr__(self) -> str:
        return f"{self.ask!r} and on"


class Become(TailRequest[T]):
    """Tail call: leave the rule for another call and return its result."""

    __slots__ = ("call",)

    def __init__(self, call: Request[T]) -> None:
        self.call = call

    def __repr__(self) -> str:
        return f"become {self.call!r}"


class Again(TailRequest[NoReturn]):
    """Restart of the rule."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "again"


class Finish(TailRequest[T]):
    """Last request of a rule; its answer is the result."""

    __slots__ = ("ask",)

    def __init__(self, ask: Request[T]) -> None:
        self.ask = ask

    def __repr__(self) -> str:
        return repr(self.ask)


class Joint(Request[V]):
    """Two independent requests with one combined answer."""

    __slots__ = ("combine", "first", "kind", "second")

    def __init__(self, kind: str, first: Request[Any], second: Request[Any], combine: Callable[[Any, Any], V]) -> None:
        self.kind, self.combine = kind, combine
        self.first, self.second = first, second

    async def in_turn(self) -> V:
        """Await the two requests one after the other; the slow equivalent."""
        return self.combine(await self.first, await self.second)

    def by_opponent(self) -> Joint[V]:
        """Swap the sides of both requests."""
        return Joint(self.kind, self.first.by_opponent(), self.second.by_opponent(), self.combine)

    def __repr__(self) -> str:
        return f"{self.kind} of {self.first!r} and {self.second!r}"


def roll(dice: Rollable[T], seat: Role | None = None, worth: Callable[[int], int] | None = None) -> Request[T]:
    """Throw dice; the actor throws unless ``seat`` names another role. ``worth`` as in :class:`Roll`."""
    return Roll(dice, seat, worth)


def d(sides: int, count: int = 1, plus: int = 0) -> Request[int]:
    """Throw dice and add them up, plus a number: ``await d(6, 2, 3)`` is 2d6+3.

    >>> d(6, 2, 3)
    roll 2d6+3
    """
    return _sum_of(sides, count, plus)


def best_of(dice: Rollable[int], times: int) -> Request[int]:
    """Roll the same dice ``times`` times; the highest total counts."""
    return Roll(BestOf(dice, times))


def worst_of(dice: Rollable[int], times: int) -> Request[int]:
    """Roll the same dice ``times`` times; the lowest total counts."""
    return Roll(BestOf(dice, times, highest=False))


def become(call: Request[T]) -> Request[T]:
    """Leave this rule for ``call``: ``return await become(...)``. Nothing after it runs."""
    return Become(call)


def finish(ask: Request[T]) -> Request[T]:
    """End this rule with the answer of a request: ``return await finish(...)``. Nothing after it runs.

    The result is the same as returning the awaited answer, but all answers are weighed at once.
    """
    return Finish(ask)


def again() -> Request[NoReturn]:
    """Restart this rule with the same arguments. Nothing after it runs."""
    return Again()


def versus(first: Request[Any], second: Request[Any]) -> Request[int]:
    """Compare two requests: 1 if the first is higher, -1 if the second is, 0 for a tie."""
    return Joint("versus", first, second, _sign)


def plus(first: Request[int], second: Request[int]) -> Request[int]:
    """Sum of two requests."""
    return Joint("plus", first, second, add)


def minus(first: Request[int], second: Request[int]) -> Request[int]:
    """Difference of two requests."""
    return Joint("minus", first, second, sub)


def both(first: Request[T], second: Request[U], combine: Callable[[T, U], V]) -> Request[V]:
    """Combine two independent requests into one value before the rule branches."""
    return Joint("both", first, second, combine)


@lru_cache(maxsize=512, typed=True)
def _sum_of(sides: int, count: int, plus: int) -> Roll[int]:
    """Cached roll; rules run thousands of times with the same dice."""
    return Roll(Sum.copies(count, Die(sides), plus))


def _sign(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)
