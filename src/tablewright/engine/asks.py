"""What a rule may wait for. A mechanic awaits an ask; whoever drives the mechanic gives the answer.

An ask is a small value that says what is wanted (a roll, a choice, the result of another rule) and never how it is
obtained, so that one rule can be played, weighed exactly, sampled and replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from copy import copy
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from tablewright.dice import BestOf, Die, Rollable, Sum
from tablewright.engine.offering import Closed, Offer, option_id
from tablewright.errors import BadInput, RulesSayNo, TablewrightError, nearest

if TYPE_CHECKING:
    from tablewright.engine.mechanic import Call
    from tablewright.engine.tally import Tally

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

MOST_OPTIONS = 1_000

_FIRST: Any = object()
"""The default of a question that names none: the first option."""

EVERYONE = "everyone"
"""The audience that hides nothing."""


class Ask(Generic[T]):
    """Something a rule waits for; awaiting it gives the answer."""

    __slots__ = ()

    def __await__(self) -> Generator[Ask[Any], Any, T]:
        answer: T = yield self
        return answer

    def map(self, change: Callable[[T], U]) -> Ask[U]:
        """The same ask, its answer narrowed by ``change``: what becomes equal is merged before the rule branches."""
        return Mapped(self, change)

    def by(
        self,
        actor: str,
        against: str | None = None,
        *,
        audience: str = EVERYONE,
        hide: Iterable[str] = (),
        private: Mapping[str, Seat] | None = None,
        tallies: Mapping[str, Tally] | None = None,
        ally: str | None = None,
        against_ally: str | None = None,
    ) -> Ask[T]:
        """The same ask made by somebody: choices go to these seats, dice are for this audience to see.

        ``tallies`` explain arguments by name: where they come from, part by part. ``hide`` names arguments that only
        the game master may know, such as a secret difficulty; the result is then the game master's too. ``private``
        names arguments that only one of the seats may know, such as the points that somebody has left. ``ally`` and
        ``against_ally`` are who else may be asked on either side; without them the side itself decides.
        """
        seats = (actor, against, ally, against_ally)
        return InContext(self, seats, audience, tuple(hide), private or {}, tallies or {})

    def across(self) -> Ask[T]:
        """The same ask made by the other side: who acts inside it is the opponent, for choices, dice and secrets alike.

        So both sides of a contest are one rule: ``minus(attempt(a), attempt(b).across())``.
        """
        return Across(self)

    def into(self, following: Callable[[T], Call[U]]) -> Ask[U]:
        """Leave this rule for the call that ``following`` gives for the answer: a tail call for all answers at once."""
        return Into(self, following)


Rule: TypeAlias = Coroutine[Ask[Any], Any, T]
"""A running mechanic or process."""

LeadsTo: TypeAlias = Callable[[T], "Ask[Any] | int | Fraction"]
"""What follows an option, seen from the side of whoever chooses: a call, or what it is worth."""

_NO_YES = (False, True)


class Roll(Ask[T]):
    """Throw dice and read them; ``seat`` is whose dice they are."""

    __slots__ = ("dice", "seat")

    def __init__(self, dice: Rollable[T], seat: Seat | None = None) -> None:
        self.dice = dice
        self.seat = seat or Seat.ACTOR

    def across(self) -> Roll[T]:
        """The same dice, thrown by the other side."""
        return Roll(self.dice, self.seat.across)

    def __repr__(self) -> str:
        return f"roll {self.dice}"


class Mapped(Ask[U]):
    """Another ask with its answer changed."""

    __slots__ = ("ask", "change")

    def __init__(self, ask: Ask[Any], change: Callable[[Any], U]) -> None:
        self.ask = ask
        self.change = change

    def across(self) -> Mapped[U]:
        """The ask inside made by the other side."""
        return Mapped(self.ask.across(), self.change)

    def __repr__(self) -> str:
        return repr(self.ask)


class Across(Ask[T]):
    """Another ask in which the two sides have changed places."""

    __slots__ = ("ask",)

    def __init__(self, ask: Ask[T]) -> None:
        self.ask = ask

    def __repr__(self) -> str:
        return repr(self.ask)


class InContext(Ask[T]):
    """Another ask together with who is who and where its numbers come from: for the play driver, not for the odds."""

    __slots__ = ("actor", "ally", "ask", "audience", "hide", "opponent", "opponents_ally", "private", "tallies")

    def __init__(  # noqa: PLR0917 - made by Ask.by alone
        self,
        ask: Ask[T],
        seats: tuple[str, str | None, str | None, str | None],
        audience: str,
        hide: tuple[str, ...],
        private: Mapping[str, Seat],
        tallies: Mapping[str, Tally],
    ) -> None:
        self.ask = ask
        self.actor, self.opponent, self.ally, self.opponents_ally = seats
        self.audience = audience
        self.hide = hide
        self.private = private
        self.tallies = tallies

    def named(self, seat: Seat) -> str | None:
        """Who sits there; where no ally is named it is the side itself."""
        if seat is Seat.ACTOR:
            return self.actor
        if seat is Seat.OPPONENT:
            return self.opponent
        if seat is Seat.ALLY:
            return self.ally or self.actor
        return (self.opponents_ally or self.opponent) if seat is Seat.OPPONENTS_ALLY else None

    def unknown_to(self, seat: str) -> tuple[str, ...]:
        """The arguments that a seat may not know; the game master may know all."""
        if seat == Seat.GAME_MASTER.value:
            return ()
        others = [name for name, owner in self.private.items() if self.named(owner) != seat and name not in self.hide]
        return (*self.hide, *others)

    def __repr__(self) -> str:
        return repr(self.ask)


class Into(Ask[U]):
    """Leave the rule for a call that depends on the answer of an ask."""

    __slots__ = ("ask", "following")

    def __init__(self, ask: Ask[Any], following: Callable[[Any], Call[U]]) -> None:
        self.ask = ask
        self.following = following

    def __repr__(self) -> str:
        return f"{self.ask!r} and on"


class Become(Ask[T]):
    """Leave the rule for another call, whose result is then the result."""

    __slots__ = ("call",)

    def __init__(self, call: Call[T]) -> None:
        self.call = call

    def __repr__(self) -> str:
        return f"become {self.call!r}"


class Again(Ask[NoReturn]):
    """Leave the rule and start it afresh."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "again"


class Finish(Ask[T]):
    """The last ask of a rule: its answer is the result."""

    __slots__ = ("ask",)

    def __init__(self, ask: Ask[T]) -> None:
        self.ask = ask

    def __repr__(self) -> str:
        return repr(self.ask)


class Joint(Ask[V]):
    """Two independent asks answered together, as one value."""

    __slots__ = ("combine", "first", "kind", "second")

    def __init__(self, kind: str, first: Ask[Any], second: Ask[Any], combine: Callable[[Any, Any], V]) -> None:
        self.kind = kind
        self.first = first
        self.second = second
        self.combine = combine

    async def in_turn(self) -> V:
        """The same thing said slowly: one ask after the other."""
        return self.combine(await self.first, await self.second)

    def across(self) -> Joint[V]:
        """Both asks made by the other side."""
        return Joint(self.kind, self.first.across(), self.second.across(), self.combine)

    def __repr__(self) -> str:
        return f"{self.kind} of {self.first!r} and {self.second!r}"


class Seat(Enum):
    """Whose choice it is inside a mechanic: the one who acts wants the best result, the opponent the worst.

    Allies want what their side wants. The game master wants nothing and takes the default.

    >>> Seat.ALLY.across
    <Seat.OPPONENTS_ALLY: "opponent's ally">
    """

    ACTOR = "actor"
    OPPONENT = "opponent"
    ALLY = "ally"
    OPPONENTS_ALLY = "opponent's ally"
    GAME_MASTER = "game master"

    @property
    def across(self) -> Seat:
        """The same seat on the other side."""
        return _ACROSS.get(self, self)


_ACROSS = {
    Seat.ACTOR: Seat.OPPONENT,
    Seat.OPPONENT: Seat.ACTOR,
    Seat.ALLY: Seat.OPPONENTS_ALLY,
    Seat.OPPONENTS_ALLY: Seat.ALLY,
}


class Choose(Ask[T]):
    """A decision that somebody makes among options, knowing what was asked before.

    Options may be given as a function: they are then found anew by :meth:`renew` when something else has happened while
    the question was open; it gives options and closed ones in a row, or an :class:`Offer`. ``closed`` are options that
    people should see but cannot take, ``about`` is shown with the question. ``lapsed`` says that nothing is left to
    choose, ``by_itself`` that nobody needs to be asked.
    """

    __slots__ = (
        "_closed",
        "_default",
        "_even_alone",
        "_find",
        "_ids",
        "_lapse",
        "about",
        "by_itself",
        "default",
        "lapsed",
        "leads_to",
        "objective",
        "options",
        "question",
        "seat",
    )

    def __init__(
        self,
        seat: Seat | str,
        question: str,
        options: Iterable[T] | Callable[[], Iterable[T | Closed] | Offer[T]],
        *,
        default: Any = _FIRST,
        closed: Iterable[Closed] = (),
        about: Mapping[str, Any] | None = None,
        lapse: Any = _FIRST,
        even_alone: bool = False,
        leads_to: LeadsTo[T] | None = None,
        objective: str | None = None,
    ) -> None:
        self.seat = seat
        self.question = question
        self.about: Mapping[str, Any] = about or {}
        self.leads_to = leads_to
        self.objective = objective
        self._default = default
        self._lapse = lapse
        self._even_alone = even_alone
        self._find: Callable[[], Iterable[T | Closed] | Offer[T]] = (
            options if callable(options) else lambda found=(*options, *closed): found  # type: ignore[misc]
        )
        self.renew()
        if default is not _FIRST and default is not None and not self._is_default(self.options[self.default]):
            raise TablewrightError(f'the default of the question "{question}" is no option: {default!r:.60}')

    def renew(self) -> None:
        """Find the options anew; where the default is not open any more, the first option takes its place."""
        found = self._find()
        options: tuple[T, ...]
        self._closed: tuple[Closed, ...] | Callable[[], Iterable[Closed]]
        if isinstance(found, Offer):
            options, self._closed = tuple(found.open), found.closed
        else:
            row = tuple(found)
            options = tuple([option for option in row if not isinstance(option, Closed)])
            self._closed = tuple([option for option in row if isinstance(option, Closed)])
        question = self.question
        self.lapsed = not options and self._lapse is not _FIRST
        if self.lapsed:
            options = (self._lapse,)
        if not options:
            raise TablewrightError(f'the question "{question}" offers no option')
        if len(options) > MOST_OPTIONS:
            raise TablewrightError(
                f'the question "{question}" offers {len(options):,} options, at most {MOST_OPTIONS:,}'
            )
        self.options = options
        self.by_itself = len(options) == 1 and (self.lapsed or not self._even_alone)
        self._ids: tuple[str, ...] | None = None
        self.default = 0
        if self._default is not _FIRST:
            self.default = next((at for at, option in enumerate(options) if self._is_default(option)), 0)

    def across(self) -> Choose[T]:
        """The same question to the same seat of the other side."""
        if not isinstance(self.seat, Seat):
            return self
        other = copy(self)
        other.seat = self.seat.across
        return other

    def narrowed(self, keep: Callable[[str, str], bool]) -> Choose[T] | None:
        """The question with the options, open and closed, whose id and label pass a test; None where none is open.

        >>> asked = choose(Seat.ACTOR, "how", ["parry", "dodge"]).narrowed(lambda id_, label: id_ != "parry")
        >>> asked.ids, asked.ids[asked.default]
        (('dodge',), 'dodge')
        """
        kept = [at for at, option in enumerate(self.options) if keep(self.ids[at], self.label(option))]
        if not kept:
            return None
        other = copy(self)
        other.options = tuple([self.options[at] for at in kept])
        other.default = kept.index(self.default) if self.default in kept else 0
        other._ids = tuple([self.ids[at] for at in kept])  # noqa: SLF001 - a copy of its own
        other._closed = tuple([one for one in self.closed if keep(one.id, one.label)])  # noqa: SLF001
        return other

    def label(self, option: T) -> str:
        """What an option is called where people read it."""
        return getattr(option, "label", "") or self._id(option)

    def cost(self, option: T) -> str:
        """What an option costs, in words."""
        return getattr(option, "cost", "")

    _id: Callable[[Any], str] = staticmethod(option_id)

    def _is_default(self, option: T) -> bool:
        """``True`` is not meant where 1 is an option, nor the other way round."""
        return type(option) is type(self._default) and bool(option == self._default)

    @property
    def closed(self) -> tuple[Closed, ...]:
        """What cannot be taken now, and why."""
        closed = self._closed
        if not isinstance(closed, tuple):
            closed = self._closed = tuple(closed())
        return closed

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of each option, in order."""
        if self._ids is None:
            ids = tuple([self._id(option) for option in self.options])
            if len(set(ids)) < len(ids):
                raise TablewrightError(
                    f'the question "{self.question}" offers two options of one name: {", ".join(ids)}'
                )
            self._ids = ids
        return self._ids

    def id_at(self, position: int) -> str:
        """The id of one option; those of the others are not made for it."""
        return self._id(self.options[position]) if self._ids is None else self._ids[position]

    def option(self, name: str) -> T:
        """The option with this id.

        >>> choose(Seat.ACTOR, "how", ["parry", "dodge"]).option("dodge")
        'dodge'
        """
        if name not in self.ids:
            for closed in self.closed:
                if closed.id == name:
                    raise RulesSayNo(f'"{name}" cannot be chosen: {closed.reason}', rule=closed.rule)
            known = f"{', '.join(self.ids[:12])}{', ...' if len(self.ids) > 12 else ''}"
            raise BadInput(
                f'"{name:.40}" is no answer to "{self.question}"; allowed are: {known}{nearest(name, self.ids)}'
            )
        return self.options[self.ids.index(name)]

    def __repr__(self) -> str:
        return f"choose {self.question}"


class YesNo(Choose[bool]):
    """A question that is answered by yes or no; yes may cost something."""

    __slots__ = ("price",)

    price: str

    def cost(self, option: bool) -> str:
        """What yes costs."""
        return self.price if option else ""

    _id = staticmethod(lambda option: "yes" if option else "no")


# ---------------------------------------------------------------------- the words that rules use


def roll(dice: Rollable[T], seat: Seat | None = None) -> Ask[T]:
    """Throw dice and read them; they are the acting side's unless it is said whose."""
    return Roll(dice, seat)


def d(sides: int, count: int = 1, plus: int = 0) -> Ask[int]:
    """Throw ``count`` dice with ``sides`` sides and add them up, plus a number."""
    return _sum_of(sides, count, plus)


def best_of(dice: Rollable[int], times: int) -> Ask[int]:
    """Roll the same dice ``times`` times; the highest total counts."""
    return Roll(BestOf(dice, times))


def worst_of(dice: Rollable[int], times: int) -> Ask[int]:
    """Roll the same dice ``times`` times; the lowest total counts."""
    return Roll(BestOf(dice, times, highest=False))


def choose(
    seat: Seat | str,
    question: str,
    options: Iterable[T] | Callable[[], Iterable[T | Closed] | Offer[T]],
    *,
    default: T = _FIRST,
    closed: Iterable[Closed] = (),
    about: Mapping[str, Any] | None = None,
    lapse: T = _FIRST,
    even_alone: bool = False,
    leads_to: LeadsTo[T] | None = None,
    objective: str | None = None,
) -> Choose[T]:
    """Ask a seat to decide among options; ``default`` is what happens where nobody is asked.

    ``lapse`` is the answer where nothing is left to choose because something else has happened. A single option is
    taken without asking, unless ``even_alone`` says that people should see it and what is closed.

    In a process ``leads_to`` says what is rolled after an option: a call, seen from the side of whoever chooses (so
    ``call.across()`` where the chooser is the call's opponent), or what the option is worth where nothing is rolled.
    Bots then take the option with the best exact expectation of ``objective``, and people can be told it.
    """
    return Choose(
        seat,
        question,
        options,
        default=default,
        closed=closed,
        about=about,
        lapse=lapse,
        even_alone=even_alone,
        leads_to=leads_to,
        objective=objective,
    )


def yes_no(
    seat: Seat | str,
    question: str,
    *,
    cost: str = "",
    default: bool = False,
    about: Mapping[str, Any] | None = None,
    leads_to: LeadsTo[bool] | None = None,
    objective: str | None = None,
) -> Choose[bool]:
    """Ask a seat for yes or no; ``cost`` is what yes costs, in words. Where nobody is asked the answer is no.

    >>> asked = yes_no(Seat.ACTOR, "flip the coin?", cost="1 luck")
    >>> asked.ids, asked.option("yes"), asked.cost(True)
    (('no', 'yes'), True, '1 luck')
    """
    asked = YesNo(seat, question, _NO_YES, default=default, about=about, leads_to=leads_to, objective=objective)
    asked.price = cost
    return asked


def become(call: Call[T]) -> Ask[T]:
    """Leave this rule for ``call``: ``return await become(...)``. Nothing after it runs."""
    return Become(call)


def finish(ask: Ask[T]) -> Ask[T]:
    """End this rule with the answer of an ask: ``return await finish(...)``. Nothing after it runs.

    It is the same as awaiting the ask and returning its answer, and quicker to weigh: all answers at once.
    """
    return Finish(ask)


def again() -> Ask[NoReturn]:
    """Start this rule afresh with the same arguments. Nothing after it runs."""
    return Again()


def versus(first: Ask[Any], second: Ask[Any]) -> Ask[int]:
    """Who of two is higher: 1 the first, -1 the second, 0 neither."""
    return Joint("versus", first, second, _sign)


def plus(first: Ask[int], second: Ask[int]) -> Ask[int]:
    """The sum of two asks."""
    return Joint("plus", first, second, _add)


def minus(first: Ask[int], second: Ask[int]) -> Ask[int]:
    """The first ask less the second."""
    return Joint("minus", first, second, _subtract)


def both(first: Ask[T], second: Ask[U], combine: Callable[[T, U], V]) -> Ask[V]:
    """Two independent asks combined into one value before the rule branches."""
    return Joint("both", first, second, combine)


@lru_cache(maxsize=512, typed=True)
def _sum_of(sides: int, count: int, plus: int) -> Roll[int]:
    """Rules are run thousands of times: the same dice need not be made each time."""
    return Roll(Sum.copies(count, Die(sides), plus))


def _sign(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)


def _add(a: int, b: int) -> int:
    return a + b


def _subtract(a: int, b: int) -> int:
    return a - b
