"""Exact odds of a rule or of dice as a value, and the functions that ask, roll and replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import cached_property, partial
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from tablewright.api.arguments import check_argument, checked
from tablewright.api.results import (
    Chance,
    Exportable,
    Heading,
    Table,
    axes_for,
    format_number,
    format_percent,
    percent_axis,
)
from tablewright.api.subject import call_label, dice_of, format_result, subject_of
from tablewright.dice.dist import Dist
from tablewright.dice.outcomes import format_outcome, order_of
from tablewright.engine.mechanic import Call, Mechanic
from tablewright.engine.parameter_types import format_argument
from tablewright.engine.report import answer_for
from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tablewright.dice.rollable import Rollable

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
P = ParamSpec("P")

MOST_NAMED = 12
"""Upper bound for outcomes that an error or a short form lists."""

MOST_LINES = 60
_BAR = 40


class Odds(Exportable, Generic[T_co]):
    """Exact odds: a mapping from each outcome to its :class:`Chance`, in order.

    Compared with an outcome it gives the chance to reach it, compared with other odds the chance to be higher. ``+``,
    ``-``, ``*`` and ``@`` work as for dice, and text is read as dice. ``==`` is equality, so odds can be keys.

    >>> import tablewright as tw
    >>> roll = tw.odds("2d6")
    >>> roll, roll[7], roll >= 10, roll + 3 >= 10
    (<Odds 2d6: 2 to 12, mean 7>, 16.67%, 16.67%, 58.33%)
    """

    dist: Dist[T_co]
    """The bare distribution, with whole-number weights."""
    kind: Any
    """Declared type of the outcomes; None if nothing is declared."""
    label: str
    objective: str | None
    """Objective that settled the choices of the rule; None if it has none."""
    expected: Fraction | None
    """Expected value of the objective; None without one."""
    remainder: Fraction
    """Upper bound for the chance that a cap on extra dice cut a roll short."""

    def __init__(
        self,
        outcomes: Dist[T_co] | Mapping[T_co, int],
        label: str = "",
        *,
        kind: Any = None,
        objective: str | None = None,
        expected: Fraction | None = None,
        remainder: Fraction | int = 0,
    ) -> None:
        self._fill(
            dist=outcomes if isinstance(outcomes, Dist) else Dist(outcomes),
            kind=kind,
            label=label or "of your own",
            objective=objective,
            expected=expected,
            remainder=Fraction(remainder),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        plain = Dist(list(self.dist.items()))
        details = {"kind": self.kind, "objective": self.objective, "expected": self.expected}
        return _restored, (plain, self.label, details | {"remainder": self.remainder})

    # ------------------------------------------------------------------ a mapping of outcomes

    @cached_property
    def declared(self) -> tuple[Any, ...]:
        """Outcomes that the rule declares, in order; those that can occur if it declares none."""
        declared = _declared(self.kind)
        extra = [outcome for outcome in self.dist.outcomes if outcome not in declared]
        return (*sorted(extra, key=order_of), *declared) if declared else tuple(self.dist.outcomes)

    @cached_property
    def _ranks(self) -> dict[Any, int]:
        """Place of each outcome in its order."""
        return {outcome: place for place, outcome in enumerate(self.declared)}

    @property
    def outcomes(self) -> tuple[T_co, ...]:
        """Outcomes that can occur, in order: numbers by size, words as the rule declares them."""
        if not _declared(self.kind):
            return tuple(self.dist.outcomes)
        return tuple([outcome for outcome in self.declared if self.dist.weight(outcome)])

    @property
    def numeric(self) -> bool:
        """True if all outcomes are numbers; only then there is a mean."""
        return self.dist.numeric

    def __getitem__(self, outcome: object) -> Chance:
        return Chance(self.dist.weight(self._meant(outcome)), self.dist.total)

    def _meant(self, outcome: object) -> Any:
        """The outcome that a value or a name means; anything else is refused with the nearest name."""
        try:
            hash(outcome)
        except TypeError:
            outcome = format_argument(outcome)
        if self.dist.weight(outcome) or (self.numeric and (type(outcome) is int or isinstance(outcome, Fraction))):
            return outcome
        if not isinstance(outcome, str) and any(type(outcome) is type(one) and outcome == one for one in self.declared):
            return outcome
        names = {_folded(format_outcome(one)): one for one in self.declared}
        if isinstance(outcome, str) and len(outcome) <= 200:
            if _folded(outcome) in names:
                return names[_folded(outcome)]
            if self.numeric and outcome.strip().removeprefix("-").isdecimal():
                return int(outcome)
        shown = [format_outcome(one) for one in self.declared]
        said = f'"{outcome:.40}"' if isinstance(outcome, str) else f"{outcome!r:.60}"
        more = f" and {len(shown) - MOST_NAMED} more" if len(shown) > MOST_NAMED else ""
        close = did_you_mean(str(outcome), shown) if not self.numeric else ""
        raise InvalidInputError(
            f"{self.label}: {said} is not an outcome; there are {', '.join(shown[:MOST_NAMED])}{more}{close}",
            field="outcome",
        )

    def __contains__(self, outcome: object) -> bool:
        try:
            return self.dist.weight(self._meant(outcome)) > 0
        except (InvalidInputError, TypeError):
            return False

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.dist)

    def keys(self) -> tuple[T_co, ...]:
        """Outcomes that can occur, in order."""
        return self.outcomes

    def values(self) -> tuple[Chance, ...]:
        """Chances in the order of the outcomes."""
        return tuple([self[outcome] for outcome in self.outcomes])

    def items(self) -> tuple[tuple[T_co, Chance], ...]:
        """Pairs of outcome and chance."""
        total = self.dist.total
        return tuple([(outcome, Chance(self.dist.weight(outcome), total)) for outcome in self.outcomes])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odds) and self.dist == other.dist

    def __hash__(self) -> int:
        return hash(self.dist)

    # ------------------------------------------------------------------ chances

    @checked
    def chance(self, holds: Callable[[T_co], bool]) -> Chance:
        """Chance that ``holds`` is true of the outcome."""
        return _chance(self.dist.chance(holds))

    def at_least(self, outcome: object) -> Chance:
        """Chance of this outcome or a higher one."""
        return self._compared(outcome, lambda mine, theirs: mine >= theirs)

    def at_most(self, outcome: object) -> Chance:
        """Chance of this outcome or a lower one."""
        return self._compared(outcome, lambda mine, theirs: mine <= theirs)

    def __ge__(self, other: object) -> Chance:
        return self._compared(other, lambda mine, theirs: mine >= theirs)

    def __gt__(self, other: object) -> Chance:
        return self._compared(other, lambda mine, theirs: mine > theirs)

    def __le__(self, other: object) -> Chance:
        return self._compared(other, lambda mine, theirs: mine <= theirs)

    def __lt__(self, other: object) -> Chance:
        return self._compared(other, lambda mine, theirs: mine < theirs)

    def _compared(self, other: object, holds: Callable[[Any, Any], bool]) -> Chance:
        if isinstance(other, str) and self.numeric and not other.strip().removeprefix("-").isdecimal():
            other = odds_of_dice(dice_of(other))
        if isinstance(other, Odds):
            if self.numeric and other.numeric:
                signs = self.dist.compare(other.dist)
            elif self.declared == other.declared and self._is_ordered():
                signs = self._by_rank().compare(other.dist.map(self._ranks.__getitem__))
            else:
                raise InvalidInputError(f"{self.label} and {other.label} have no common order")
            return _chance(signs.chance(lambda sign: holds(sign, 0)))
        if self.numeric:
            dist: Dist[Any] = self.dist
            limit = other if type(other) is float else self._meant(other)
            return _chance(dist.chance(lambda outcome: holds(outcome, limit)))
        meant = self._meant(other)
        if not self._is_ordered():
            raise InvalidInputError(f"{self.label}: the outcomes have no order; compare a part of them: .of(FIELD)")
        return _chance(self._by_rank().chance(lambda rank: holds(rank, self._ranks[meant])))

    def _is_ordered(self) -> bool:
        kinds = {type(outcome) for outcome in self.declared if outcome is not None}
        return bool(_declared(self.kind)) or (len(kinds) == 1 and issubclass(kinds.pop(), Enum | bool))

    def _by_rank(self) -> Dist[int]:
        return self.dist.map(self._ranks.__getitem__)

    @property
    def mean(self) -> Fraction:
        """Exact mean of numbers; of yes or no, the chance of yes."""
        if {type(outcome) for outcome in self.dist.outcomes} == {bool}:
            return self[True].exact
        return self.dist.mean

    @property
    def variance(self) -> Fraction:
        """Exact variance of numbers."""
        return self.dist.variance

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of numbers."""
        return self.dist.standard_deviation

    @checked
    def quantile(self, share: Fraction | float) -> T_co:
        """First outcome, in order, that is reached with at least this share.

        >>> import tablewright as tw
        >>> tw.odds("3d6").quantile(0.5)
        10
        """
        if not 0 <= share <= 1:
            raise InvalidInputError(f"a quantile lies between 0 and 1, not {share}")
        running, wanted = 0, Fraction(share) * self.dist.total
        for outcome in self.outcomes:
            running += self.dist.weight(outcome)
            if running >= wanted:
                return outcome
        raise AssertionError("the weights of a distribution always reach its total")

    # ------------------------------------------------------------------ other odds

    @checked
    def of(self, field: str) -> Odds[Any]:
        """Odds of one part of a result with several; dots lead into parts of parts."""
        kind: Any = self.kind
        dist: Dist[Any] = self.dist
        for name in field.split("."):
            fields = next((getattr(outcome, "_fields", ()) for outcome in dist.outcomes if outcome is not None), ())
            if name not in fields:
                known = f"there are {', '.join(fields)}{did_you_mean(name, fields)}" if fields else "it is not a record"
                raise InvalidInputError(f'{self.label}: the result has no part "{name:.60}"; {known}', field=name[:60])
            hints = get_type_hints(kind) if isinstance(kind, type) and hasattr(kind, "_fields") else {}
            kind = hints.get(name)
            dist = dist.map(partial(_part_of, name))
        return Odds(dist, f"{self.label}.{field}", kind=kind)

    @checked
    def map(self, change: Callable[[T_co], U]) -> Odds[U]:
        """Odds of a function of the outcome."""
        return Odds(self.dist.map(change), f"{self.label}, changed")

    @checked
    def given(self, holds: Callable[[T_co], bool]) -> Odds[T_co]:
        """Odds if ``holds`` is known to be true of the outcome."""
        return Odds(self.dist.given(holds), f"{self.label}, given", kind=self.kind)

    def __add__(self, other: Odds[Any] | int | Fraction | str) -> Odds[Any]:
        return self._joined("+", other, lambda a, b: a + b)

    def __radd__(self, other: int | Fraction | str) -> Odds[Any]:
        return Odds(_number_or_dice(other) + self.dist, f"{_words(other)} + {self.label}")

    def __sub__(self, other: Odds[Any] | int | Fraction | str) -> Odds[Any]:
        return self._joined("-", other, lambda a, b: a - b)

    def __rsub__(self, other: int | Fraction | str) -> Odds[Any]:
        return Odds(_number_or_dice(other) - self.dist, f"{_words(other)} - {_inside(self.label)}")

    def __mul__(self, other: Odds[Any] | int | Fraction | str) -> Odds[Any]:
        return self._joined("*", other, lambda a, b: a * b)

    def __rmul__(self, other: int | Fraction | str) -> Odds[Any]:
        return Odds(_number_or_dice(other) * self.dist, f"{_words(other)} * {_inside(self.label)}")

    def __rmatmul__(self, count: int) -> Odds[int]:
        dist: Any = self.dist
        return Odds(dist.times(count), f"{count} @ {_inside(self.label)}")

    def __neg__(self) -> Odds[int]:
        dist: Any = self.dist
        return Odds(-dist, f"-{_inside(self.label)}")

    def _joined(self, sign: str, other: Any, combine: Callable[[Any, Any], Any]) -> Odds[Any]:
        mine = _inside(self.label) if sign == "*" else self.label
        theirs = _words(other) if sign == "+" else _inside(_words(other))
        return Odds(combine(self.dist, _number_or_dice(other)), f"{mine} {sign} {theirs}")

    # ------------------------------------------------------------------ shown

    def __repr__(self) -> str:
        return f"<Odds {self.label}: {self._summary()}>"

    def _summary(self) -> str:
        if self.numeric and len(self) > 1:
            low, high = self.dist.outcomes[0], self.dist.outcomes[-1]
            return f"{format_outcome(low)} to {format_outcome(high)}, mean {format_number(self.mean)}"
        fields = getattr(self.dist.outcomes[0], "_fields", ())
        if fields and len(self) > 1:
            return f"{len(self):,} outcomes of {', '.join(fields)}"
        shown = [
            f"{format_result(outcome)} {format_percent(chance, 1)}" for outcome, chance in self.items()[:MOST_NAMED]
        ]
        more = len(self) - len(shown)
        return ", ".join(shown) + (f" and {more:,} more" if more else "")

    def chart(self) -> str:
        """Bars in text, one line for each outcome."""
        rows = [(format_result(outcome), chance) for outcome, chance in self.items()]
        if len(rows) > MOST_LINES:
            raise InvalidInputError(f"{self.label}: {len(rows):,} outcomes do not fit a chart in text; use plot()")
        most = max([chance.exact for _, chance in rows])
        width = max([len(name) for name, _ in rows])
        return "\n".join(
            [f"{name.rjust(width)} {chance!s:>7} {'█' * round(chance.exact / most * _BAR)}" for name, chance in rows]
        )

    @property
    def table(self) -> Table:
        """One row for each outcome; for numbers also the chance of at least as much."""
        items = self.items()
        headings = [Heading("outcome", "number" if self.numeric else "text"), Heading("chance", "chance")]
        if not self.numeric:
            return Table(self.label, headings, [(format_result(outcome), chance) for outcome, chance in items])
        rows, above = [], Fraction(1)
        for outcome, chance in items:
            rows.append((outcome, chance, Chance(above)))
            above -= chance
        return Table(self.label, [*headings, Heading("at least", "chance")], rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the chance of each outcome as a bar."""
        drawn = axes_for(ax)
        items = self.items()
        names = [format_result(outcome) for outcome, _ in items]
        drawn.bar(range(len(items)), [float(chance) for _, chance in items], color="#0072b2")
        step = max(1, len(names) // 20)
        drawn.set_xticks(range(0, len(names), step), names[::step])
        drawn.set_title(self.label)
        percent_axis(drawn)
        return drawn


def _restored(dist: Dist[Any], label: str, details: Mapping[str, Any]) -> Odds[Any]:
    """Odds from their pickled parts."""
    return Odds(dist, label, **details)


def _part_of(name: str, outcome: Any) -> Any:
    return None if outcome is None else getattr(outcome, name)


def _chance(fraction: Fraction) -> Chance:
    return Chance(fraction.numerator, fraction.denominator)


def _declared(kind: Any) -> tuple[Any, ...]:
    """Members of an enum by rank or as declared, words of a Literal, False and True; empty for other types."""
    if kind is bool:
        return (False, True)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        members = list(kind)
        ranked = all(hasattr(member, "rank") for member in members)
        return tuple(sorted(members, key=lambda member: member.rank) if ranked else members)
    return ()


def _folded(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def _inside(label: str) -> str:
    return f"({label})" if " " in label else label


def _words(other: object) -> str:
    return other.label if isinstance(other, Odds) else str(other)


def _number_or_dice(other: object) -> Any:
    if isinstance(other, Odds):
        return other.dist
    return dice_of(other).weigh() if isinstance(other, str) else other


@overload
def odds(what: Call[T], /, *, objective: str | None = None) -> Odds[T]: ...
@overload
def odds(what: Mechanic[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Odds[T]: ...
@overload
def odds(what: str, /) -> Odds[int]: ...
@overload
def odds(what: str, /, *args: object, objective: str | None = None, **named: object) -> Odds[Any]: ...
def odds(what: Any, /, *args: Any, objective: Any = None, **named: Any) -> Odds[Any]:
    """Exact odds of dice in notation, of a rule by name with its arguments, or of a call.

    Choices inside the rule are made for ``objective``, by default the first that the rule declares.

    >>> import tablewright as tw
    >>> tw.odds("4d6kh3") >= 15, tw.odds("mars.check", "r16", difficulty=14) >= "graze"
    (23.15%, 65.00%)
    """
    named, objective = _without_own(what, named, objective)
    check_argument("objective", objective, "str | None")
    subject = subject_of(what, args, named)
    if isinstance(subject, Call):
        return odds_of_call(subject, objective)
    if objective is not None:
        raise InvalidInputError("an objective is for mechanics; dice have none")
    return odds_of_dice(subject)


def odds_of_call(
    call: Call[T], objective: str | None = None, *, label: str = "", like: Call[Any] | None = None
) -> Odds[T]:
    """Exact odds of a call; its outcomes are declared by the call itself or by another one ``like`` it."""
    answer = answer_for(call, objective)
    kind = get_type_hints((like or call).mechanic.function).get("return")
    exact = answer.odds
    return Odds(
        exact,
        label or call_label(call),
        kind=kind,
        objective=answer.objective,
        expected=answer.expected,
        remainder=exact.remainder,
    )


def odds_of_dice(dice: Rollable[T]) -> Odds[T]:
    """Exact odds of dice."""
    return Odds(dice.weigh(), str(dice), remainder=dice.remainder)


def _without_own(what: object, named: dict[str, Any], objective: Any) -> tuple[dict[str, Any], Any]:
    """Give ``objective`` to a mechanic that has a parameter of this name."""
    if objective is not None and isinstance(what, Mechanic) and any(param.name == "objective" for param in what.params):
        return {**named, "objective": objective}, None
    return named, objective
