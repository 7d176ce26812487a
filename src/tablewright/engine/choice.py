"""Choices: requests for a decision among options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from tablewright.engine.options import ClosedOption, OptionList, Role, option_id
from tablewright.engine.request import Request
from tablewright.errors import IllegalActionError, TablewrightError, unknown_option

T = TypeVar("T")

MOST_OPTIONS = 1_000

_FIRST: Any = object()
"""Marker for a choice without a declared default; the first option is the default."""

LeadsTo: TypeAlias = Callable[[T], "Request[Any] | int | Fraction"]
"""Function from an option to its consequence for the chooser: a call, or a value."""

_NO_YES = (False, True)


class Choice(Request[T]):
    """Request for a decision among options.

    Options may be a function, which returns open and closed options in one iterable or an :class:`OptionList`.
    :meth:`renew` calls it again after other events changed the state. ``closed`` are options that are shown but cannot
    be taken; ``details`` is shown with the question. ``lapsed`` is True if no option is left, ``by_itself`` if the
    answer is settled without asking.
    """

    __slots__ = (
        "_closed",
        "_default",
        "_even_alone",
        "_find",
        "_ids",
        "_lapse",
        "by_itself",
        "default",
        "details",
        "key",
        "lapsed",
        "leads_to",
        "objective",
        "options",
        "question",
        "seat",
    )

    def __init__(
        self,
        seat: Role | str,
        question: str,
        options: Iterable[T] | Callable[[], Iterable[T | ClosedOption] | OptionList[T]],
        *,
        default: Any = _FIRST,
        closed: Iterable[ClosedOption] = (),
        details: Mapping[str, Any] | None = None,
        lapse: Any = _FIRST,
        even_alone: bool = False,
        leads_to: LeadsTo[T] | None = None,
        objective: str | None = None,
        key: str = "",
    ) -> None:
        self.seat = seat
        self.question = question
        self.key = key or question
        self.details: Mapping[str, Any] = details or {}
        self.leads_to = leads_to
        self.objective = objective
        self._default = default
        self._lapse = lapse
        self._even_alone = even_alone
        self._find: Callable[[], Iterable[T | ClosedOption] | OptionList[T]] = (
            options if callable(options) else lambda found=(*options, *closed): found  # type: ignore[misc]
        )
        self.renew()
        given = default is not _FIRST and default is not None
        if given and self.default == 0 and not self._is_default(self.options[0]):
            raise TablewrightError(f'the default of the question "{question}" is not an option: {default!r:.60}')

    def renew(self) -> None:
        """Find the options again; if the default is no longer open, the first option becomes the default."""
        found = self._find()
        options: tuple[T, ...]
        self._closed: tuple[ClosedOption, ...] | Callable[[], Iterable[ClosedOption]]
        if isinstance(found, OptionList):
            options, self._closed = tuple(found.open), found.closed
        else:
            row: tuple[Any, ...] = tuple(found)
            self._closed = closed = tuple([option for option in row if isinstance(option, ClosedOption)])
            options = tuple([option for option in row if not isinstance(option, ClosedOption)]) if closed else row
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
            for at, option in enumerate(options):
                if self._is_default(option):
                    self.default = at
                    break

    def by_opponent(self) -> Choice[T]:
        """Ask the same role of the other side; a choice for a named seat is unchanged."""
        if not isinstance(self.seat, Role):
            return self
        other = copy(self)
        other.seat = self.seat.across
        return other

    def narrowed(self, keep: Callable[[str, str], bool]) -> Choice[T] | None:
        """Keep only the options, open and closed, whose id and label pass a test; None if none is open.

        >>> asked = choose(Role.ACTOR, "how", ["parry", "dodge"]).narrowed(lambda id_, label: id_ != "parry")
        >>> asked.ids, asked.ids[asked.default]
        (('dodge',), 'dodge')
        """
        kept = [at for at, option in enumerate(self.options) if keep(self.ids[at], self.label(option))]
        if not kept:
            return None
        other = copy(self)
        other.options = tuple([self.options[at] for at in kept])
        other.default = kept.index(self.default) if self.default in kept else 0
        other._ids = tuple([self.ids[at] for at in kept])  # noqa: SLF001 - its own copy
        other._closed = tuple([one for one in self.closed if keep(one.id, one.label)])  # noqa: SLF001
        return other

    def label(self, option: T) -> str:
        """Display name of an option."""
        return getattr(option, "label", "") or self._id(option)

    def cost_text(self, option: T) -> str:
        """Cost of an option in words; empty if it is free."""
        return getattr(option, "cost_text", getattr(option, "cost", ""))

    _id: Callable[[Any], str] = staticmethod(option_id)

    def _is_default(self, option: T) -> bool:
        """True if an option is the default; ``True`` and 1 are different."""
        default = self._default
        return option is default or (type(option) is type(default) and bool(option == default))

    @property
    def closed(self) -> tuple[ClosedOption, ...]:
        """Options that cannot be taken now, with reasons; found on first access."""
        closed = self._closed
        if not isinstance(closed, tuple):
            closed = self._closed = tuple(closed())
        return closed

    @property
    def ids(self) -> tuple[str, ...]:
        """Option ids in order."""
        if self._ids is None:
            ids = tuple([self._id(option) for option in self.options])
            if len(set(ids)) < len(ids):
                raise TablewrightError(
                    f'the question "{self.question}" offers two options of one name: {", ".join(ids)}'
                )
            self._ids = ids
        return self._ids

    def id_at(self, position: int) -> str:
        """Id of one option, without computing the others."""
        return self._id(self.options[position]) if self._ids is None else self._ids[position]

    def option(self, name: str) -> T:
        """Return the option with this id; unknown and closed ids are refused.

        >>> choose(Role.ACTOR, "how", ["parry", "dodge"]).option("dodge")
        'dodge'
        """
        if name not in self.ids:
            for closed in self.closed:
                if closed.id == name:
                    raise IllegalActionError(f'"{name}" cannot be chosen: {closed.reason}', rule=closed.rule)
            raise unknown_option(name, self.ids)
        return self.options[self.ids.index(name)]

    def __repr__(self) -> str:
        return f"choose {self.question}"


class YesNo(Choice[bool]):
    """Choice between yes and no; yes may have a cost."""

    __slots__ = ("price",)

    price: str

    def cost_text(self, option: bool) -> str:
        """Cost of yes in words; empty for no."""
        return self.price if option else ""

    _id = staticmethod(lambda option: "yes" if option else "no")


# ---------------------------------------------------------------------- functions for rules


def choose(
    seat: Role | str,
    question: str,
    options: Iterable[T] | Callable[[], Iterable[T | ClosedOption] | OptionList[T]],
    *,
    default: T = _FIRST,
    closed: Iterable[ClosedOption] = (),
    details: Mapping[str, Any] | None = None,
    lapse: T = _FIRST,
    even_alone: bool = False,
    leads_to: LeadsTo[T] | None = None,
    objective: str | None = None,
    key: str = "",
) -> Choice[T]:
    """Ask a role or a seat to decide among options; ``default`` is the answer if the driver asks no one.

    >>> choose(Role.ACTOR, "throw again?", ["keep", "again"]).ids
    ('keep', 'again')

    ``lapse`` is the answer if other events left no option. A single option is taken without asking, unless
    ``even_alone`` is set to show it together with the closed ones.

    In a process ``leads_to`` returns the consequence of an option for the chooser: a call (``call.by_opponent()`` if
    the chooser is the call's opponent), or a value if nothing is rolled. Bots then take the option with the best exact
    expectation of ``objective``, and people can see it.

    The log of a table stores ``key``, by default the question; give the old text as the key of a reworded question.
    """
    return Choice(
        seat,
        question,
        options,
        default=default,
        closed=closed,
        details=details,
        lapse=lapse,
        even_alone=even_alone,
        leads_to=leads_to,
        objective=objective,
        key=key,
    )


def yes_no(
    seat: Role | str,
    question: str,
    *,
    cost_text: str = "",
    default: bool = False,
    details: Mapping[str, Any] | None = None,
    leads_to: LeadsTo[bool] | None = None,
    objective: str | None = None,
    key: str = "",
) -> Choice[bool]:
    """Ask a seat for yes or no; ``cost_text`` is the cost of yes in words, ``default`` the answer if not asked.

    >>> asked = yes_no(Role.ACTOR, "flip the coin?", cost_text="1 luck")
    >>> asked.ids, asked.option("yes"), asked.cost_text(True)
    (('no', 'yes'), True, '1 luck')
    """
    given = {"details": details, "leads_to": leads_to, "objective": objective, "key": key}
    asked = YesNo(seat, question, _NO_YES, default=default, **given)  # type: ignore[arg-type]
    asked.price = cost_text
    return asked
