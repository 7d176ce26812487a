"""Advice: the best choice in a rule or a turn, and the value of each option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from tablewright.api.arguments import check_argument
from tablewright.api.option import Option
from tablewright.api.results import Chance, Exportable, Heading, Kind, Table, format_number
from tablewright.api.subject import call_label, named_arguments, subject_of
from tablewright.engine.advice import DecisionPoint
from tablewright.engine.advice import advise as advise_call
from tablewright.engine.mechanic import Call, Mechanic
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.narration.phrases import option_words

if TYPE_CHECKING:
    from tablewright.lab.fights.turn_advice import TurnAdvice

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Advice(Exportable, Generic[T_co]):
    """Values of all options of one choice, with the best option and its value.

    ``question`` is empty if the rule asks nothing; ``value`` is then the mean of the objective.

    >>> import tablewright as tw
    >>> print(tw.advise("stage.leveled", dice=4, difficulty=8).table)
    option  value  advice
         1      0
         2  2.917
         3  2.933    best
         4  0.973
    """

    label: str
    question: str
    objective: str
    value: Fraction
    """Expected value of the objective if the best option is taken."""
    exact: Mapping[str, Fraction]
    """Exact value of each option, by its id."""
    choices: tuple[DecisionPoint, ...]
    """Every choice of the rule at the point where it arises; empty for a turn."""
    complete: bool
    why: str
    """Reason for ratings instead of exact values; empty if they are exact."""
    curve: Table | None
    """Over unknown values: the value of each option at every value, and the best one; None if all is known."""

    _best: Option | None
    _in_chances: bool

    def __init__(
        self,
        label: str,
        question: str,
        objective: str,
        value: Fraction,
        options: Sequence[tuple[Option, Fraction]] = (),
        *,
        best: str = "",
        **details: Any,
    ) -> None:
        self._fill(
            label=label,
            question=question,
            objective=objective,
            value=value,
            exact={option.id: worth for option, worth in options},
            choices=details.get("choices", ()),
            complete=details.get("complete", True),
            why=details.get("why", ""),
            curve=details.get("curve"),
            _best=next((option for option, _ in options if option.id == best), None),
            _in_chances=details.get("in_chances", False),
            _labels=tuple([(option.id, option.label) for option, _ in options]),
        )

    @property
    def best(self) -> Option:
        """The recommended option; refused if the rule asks nothing."""
        if self._best is None:
            raise InvalidInputError(f"{self.label}: nothing is asked, so there is nothing to advise")
        return self._best

    @property
    def options(self) -> dict[str, float]:
        """Value of each option by its id, rounded for people."""
        return {name: round(float(value), 3) for name, value in self.exact.items()}

    def __getitem__(self, option: Option | str) -> Fraction:
        name = option.id if isinstance(option, Option) else str(option)
        if name not in self.exact:
            known = ", ".join(list(self.exact)[:12])
            raise InvalidInputError(
                f'{self.label}: "{name:.40}" is not an option; there are {known}{did_you_mean(name, self.exact)}'
            )
        return self.exact[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Advice) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.label, self.question, self.objective, self.value, tuple(self.exact.items()), self._best

    def _said(self, value: Fraction) -> str:
        return str(Chance(value)) if self._in_chances else format_number(value)

    def __repr__(self) -> str:
        worth = f"worth {self._said(self.value)} {self.objective}".rstrip()
        if self._best is None:
            return f"<Advice {self.label}: nothing is asked, {worth}>"
        return f"<Advice {self.label}: {_as_question(self.question)} {self._best}, {worth}>"

    @property
    def table(self) -> Table:
        """One row for each option; over unknown values, one for each value."""
        if self.curve is not None:
            return self.curve
        kind: Kind = "chance" if self._in_chances else "number"
        labels = dict(self.__dict__["_labels"])
        best = "" if self._best is None else self._best.id
        rows = [
            (labels.get(name, name), Chance(value) if self._in_chances else value, "best" if name == best else "")
            for name, value in self.exact.items()
        ]
        caption = f"{self.label}: {_as_question(self.question)}"
        return Table(caption, [Heading("option"), Heading("value", kind), Heading("advice")], rows)


def _as_question(question: str) -> str:
    return question if not question or question.endswith("?") else f"{question}?"


@overload
def advise(what: Call[T], /, *, objective: str | None = None) -> Advice[T]: ...
@overload
def advise(what: Mechanic[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Advice[T]: ...
@overload
def advise(
    what: str,
    /,
    *args: object,
    objective: str | None = None,
    weights: str | Sequence[int] | None = None,
    **named: object,
) -> Advice[Any]: ...
def advise(what: Any, /, *args: Any, objective: Any = None, weights: Any = None, **named: Any) -> Advice[Any]:
    """The best option of the first choice in a rule, and the exact value of each, assuming best play afterwards.

    A range stands for a value that is not known: the advice is then on average over its values, by ``weights`` (a list,
    dice such as ``"3d6"``, or even ones), and its table is the curve over them.

    >>> import tablewright as tw
    >>> tw.advise("stage.leveled", dice=6, difficulty=10)
    <Advice stage.leveled(6, 10): dice for the first roll? 3, worth 6.562 effect>
    >>> print(tw.advise("stage.leveled", dice=4, difficulty="6..14..4"))
    <Advice stage.leveled(dice=4, difficulty=6..14): dice for the first roll? 2, worth 2.074 effect>
    """
    check_argument("objective", objective, "str | None")
    if weights is not None or any(_may_range(value) for value in (*args, *named.values())):
        mechanic, given = named_arguments(what, args, named)
        if weights is not None or _has_axes(mechanic, given):
            return _advise_unknown(mechanic, given, objective, "even" if weights is None else weights)
    subject = subject_of(what, args, named)
    if not isinstance(subject, Call):
        raise InvalidInputError(f"{subject} asks nothing; advice is for rules with choices")
    found = advise_call(subject, objective)
    details: dict[str, Any] = {"choices": found.choices, "complete": found.complete}
    if not found.choices:
        return Advice(call_label(subject), "", found.objective, found.value, **details)
    first = found.choices[0]
    options = [(Option(option.id, option_words(option.id)), option.value) for option in first.options]
    details["in_chances"] = first.in_chances or subject.mechanic.is_chance(objective)
    return Advice(
        call_label(subject), first.question, found.objective, found.value, options, best=first.best.id, **details
    )


def _may_range(value: object) -> bool:
    """True if an argument may be a range; a cheap test that imports nothing."""
    return isinstance(value, range | list) or (
        isinstance(value, str) and any(sign in value for sign in ("..", "|", ","))
    )


def _has_axes(mechanic: Mechanic[..., Any], given: Mapping[str, object]) -> bool:
    from tablewright.lab.odds.ranges import read_ranges  # noqa: PLC0415 - loads the lab

    return bool(read_ranges(mechanic, given).axes)


def _advise_unknown(
    mechanic: Mechanic[..., Any], given: Mapping[str, object], objective: str | None, weights: str | Sequence[int]
) -> Advice[Any]:
    """Advice over unknown values: on average for the best option, at every value in the table."""
    from tablewright.lab.odds.advice_curve import advice_curve  # noqa: PLC0415 - loads the lab

    found = advice_curve(mechanic, given, objective, weights=weights)
    shown = [f"{name}={value}" for name, value in found.fixed.items()]
    shown += [f"{axis.name}={axis.labels[0]}..{axis.labels[-1]}" for axis in found.axes]
    label = f"{mechanic.name}({', '.join(shown)})"
    blind = found.blind
    assert blind is not None
    if not blind.choices or not found.curves:
        return Advice(label, "", found.objective, blind.value)
    first, curve = blind.choices[0], found.curves[0]
    kind: Kind = "chance" if found.is_chance else "number"
    headings = [Heading(axis.name, "number" if axis.numeric else "text") for axis in found.axes]
    headings += [Heading(option_words(name), kind) for name in curve.options]
    places = [dict(zip(axis.values, axis.labels, strict=True)) for axis in found.axes]
    rows = [
        [
            *[
                value if axis.numeric else names[value]
                for axis, names, value in zip(found.axes, places, point.values(), strict=True)
            ],
            *[curve.worths(name)[at] for name in curve.options],
            option_words(curve.best[at] or ""),
        ]
        for at, point in enumerate(found.points)
    ]
    return Advice(
        label,
        first.question,
        found.objective,
        blind.value,
        [(Option(option.id, option_words(option.id)), option.value) for option in first.options],
        best=first.best.id,
        in_chances=found.is_chance,
        curve=Table(
            f"{label}: {_as_question(first.question)}", [*headings, Heading("best")], rows, axis=found.axes[0].name
        ),
    )


def advice_on_turn(label: str, found: TurnAdvice) -> Advice[Any]:
    """Advice of the lab on an open choice as a result."""
    options = [(Option(one.id, option_words(one.label)), one.value) for one in found.offers]
    return Advice(
        label,
        found.question,
        found.objective,
        found.best.value,
        options,
        best=found.best.id,
        why=found.why,
        in_chances=found.in_chances,
    )
