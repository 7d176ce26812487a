"""A mechanic: one rule that resolves one uncertain thing from plain values, written as an ``async`` function."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from operator import itemgetter
from typing import Any, Generic, NoReturn, ParamSpec, Protocol, TypeVar, get_type_hints

from tablewright.dice import Dist
from tablewright.dice.dist import show_outcome
from tablewright.engine.asks import Ask, Choose, Rule
from tablewright.engine.memory import Memory
from tablewright.engine.parameters import Parameter, Whole, bind, parameters_of, read_arguments
from tablewright.engine.schemas import result_schema
from tablewright.engine.values import to_json
from tablewright.errors import BadInput, TablewrightError, nearest

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Value = Callable[[Any], int | Fraction]
"""What an outcome is worth to the one who acts: what choices are made by."""

V = TypeVar("V", bound=Value)
_CHANCE = "_tablewright_chance"


def chance(value: V) -> V:
    """Declare that an objective is a chance: 1 where it comes about and 0 where not, so its average is told in percent.

    >>> hit = chance(lambda blow: int(blow > 3))
    >>> hit(4), hit(2)
    (1, 0)
    """
    setattr(value, _CHANCE, True)
    return value


MOST_BOUND = 1_024
"""How many arguments of one mechanic are known to be allowed without looking at them again."""

_ANY = (-inf, inf)
_new = tuple.__new__
_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")


class Call(Ask[T], tuple[Any, ...]):
    """A lazy call of a mechanic: a hashable value, equal to every other call with the same arguments.

    It is a pair of mechanic and arguments, because chains make, hash and compare calls by the ten thousand.
    """

    __slots__ = ()

    def __new__(cls, mechanic: Mechanic[..., T], arguments: tuple[Any, ...]) -> Call[T]:
        return _new(cls, (mechanic, arguments))

    mechanic: Mechanic[..., T] = property(itemgetter(0))  # type: ignore[assignment]
    arguments: tuple[Any, ...] = property(itemgetter(1))  # type: ignore[assignment]

    def start(self) -> Rule[T]:
        """A new run of the mechanic's rule."""
        return self.mechanic.function(*self.arguments)

    def named_arguments(self) -> dict[str, Any]:
        """The arguments by the names of their parameters."""
        names = [parameter.name for parameter in self.mechanic.params]
        return dict(zip(names, self.arguments, strict=True))

    def __repr__(self) -> str:
        shown = ", ".join([show_outcome(argument) for argument in self.arguments])
        return f"{self.mechanic.name}({shown})"


class ClosedForm(Protocol[T_co]):
    """A mechanic's odds by a formula instead of by running it: tested against the rule it stands for."""

    @property
    def deciding(self) -> bool:
        """Whether somebody chooses in it."""

    @property
    def remainder(self) -> Fraction:
        """The chance that a cap on extra dice cuts it short."""

    @property
    def work(self) -> int:
        """How many steps it takes to decide once, as bounds count them: what calls it may decide many times."""

    def support(self) -> Sequence[T_co]:
        """Every outcome that some choices can bring about."""

    def best(self, value: Value | None) -> Dist[T_co]:
        """The distribution when all choices serve ``value``; without choices ``value`` does not matter."""


@dataclass(frozen=True, eq=False)
class Mechanic(Generic[P, T]):
    """A rule with a public name, typed parameters, the ledger ids it implements and the function that is the rule."""

    name: str
    function: Callable[..., Coroutine[Any, Any, T]]
    rules: tuple[str, ...]
    objectives: Mapping[str, Value]
    closed: Callable[..., ClosedForm[T]] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Call[T]:
        if not kwargs and tuple(map(type, args)) == self._types:
            given: tuple[Any, ...] = args
            for at, low, high in self._bounds:
                if not low <= given[at] <= high:
                    break
            else:
                return _new(Call, (self, args))
        key = (args, tuple(map(type, args)), tuple(kwargs.items()), tuple(map(type, kwargs.values())))
        try:
            bound = self._bound.peek(key)
        except TypeError:  # what cannot be hashed is no argument, and is told so
            return Call(self, bind(self.name, self.params, args, kwargs))
        if bound is None:
            bound = bind(self.name, self.params, args, kwargs)
            self._bound.put(key, bound)
        return Call(self, bound)

    @cached_property
    def _bound(self) -> Memory[Any, tuple[Any, ...]]:
        """Arguments that were checked before, where more than types and bounds has to be."""
        return Memory(MOST_BOUND)

    @cached_property
    def params(self) -> tuple[Parameter, ...]:
        """The typed parameters, in order."""
        return parameters_of(self.function)

    @cached_property
    def _types(self) -> tuple[type, ...] | None:
        """The types of arguments where nothing but types and bounds has to be checked: the quick way to a call."""
        types = [parameter.kind.exact_type for parameter in self.params]
        return None if None in types else tuple([kind for kind in types if kind is not None])

    @cached_property
    def _bounds(self) -> tuple[tuple[int, float, float], ...]:
        kinds = [(at, parameter.kind) for at, parameter in enumerate(self.params)]
        return tuple([(at, *kind.bounds) for at, kind in kinds if isinstance(kind, Whole) and kind.bounds != _ANY])

    @cached_property
    def _returns(self) -> Any:
        return get_type_hints(self.function).get("return", Any)

    @property
    def system(self) -> str:
        """The id of the system the rule belongs to."""
        return self.name.partition(".")[0]

    @property
    def documentation(self) -> str:
        """The rule in words."""
        lines = (self.function.__doc__ or "").strip().splitlines()
        return "\n".join([line.strip() for line in lines])

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.partition("\n")[0]

    def read(self, given: Mapping[str, object]) -> Call[T]:
        """A call from named values as text or JSON."""
        return Call(self, bind(self.name, self.params, (), read_arguments(self.name, self.params, given)))

    def objective(self, name: str | None = None) -> tuple[str, Value]:
        """A named objective of this mechanic, or its first one; numbers and yes-or-no results serve as their own."""
        if name is None:
            if self.objectives:
                return next(iter(self.objectives.items()))
            if self._returns in (int, bool):
                return "result", int
            raise BadInput(f"{self.name} declares no objective, so no option can be called the best")
        if name in self.objectives:
            return name, self.objectives[name]
        known = ", ".join(self.objectives) or "none"
        raise BadInput(f'{self.name} has no objective "{name:.40}"; known are: {known}{nearest(name, self.objectives)}')

    def is_chance(self, name: str | None = None) -> bool:
        """Whether an objective, or the first one, is declared to be a chance; yes-or-no results are their own."""
        if name == "result" and not self.objectives:
            name = None
        value = self.objective(name)[1]
        if value is int:
            return self._returns is bool
        return getattr(value, _CHANCE, False) is True

    def schema(self) -> dict[str, Any]:
        """The JSON schema of parameters and result."""
        return {
            "name": self.name,
            "documentation": self.documentation,
            "rules": list(self.rules),
            "parameters": {
                "type": "object",
                "properties": {parameter.name: parameter.schema() for parameter in self.params},
                "required": [parameter.name for parameter in self.params if parameter.required],
                "additionalProperties": False,
            },
            "result": result_schema(self._returns),
            "objectives": list(self.objectives),
        }

    def arguments_json(self, call: Call[T]) -> dict[str, Any]:
        """The arguments of a call in JSON form."""
        return {name: to_json(value) for name, value in call.named_arguments().items()}

    def __repr__(self) -> str:
        return f"<mechanic {self.name}>"


def mechanic(
    *,
    rules: Sequence[str],
    objectives: Mapping[str, Value] | None = None,
    closed: Callable[..., ClosedForm[Any]] | None = None,
) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Mechanic[P, T]]:
    """Declare an ``async`` function as a mechanic.

    ``rules`` are the ledger ids it implements; their common first word is the system and, with the function's name, the
    public name. ``objectives`` say by name what a result is worth, the default first. ``closed`` gives the odds by
    formula where running the rule to every end would take too long.

    >>> from tablewright.engine import d, odds
    >>> @mechanic(rules=["demo.check.resolve"])
    ... async def check(target: int) -> bool:
    ...     "Roll a d6 under or equal to the target."
    ...     return await d(6) <= target
    >>> check.name
    'demo.check'
    >>> odds(check(2))[True]
    Fraction(1, 3)
    """
    system = system_of(rules)

    def declare(function: Callable[P, Coroutine[Any, Any, T]]) -> Mechanic[P, T]:
        name = f"{system}.{function.__name__}"
        return Mechanic(name, function, tuple(rules), dict(objectives or {}), closed)

    return declare


def system_of(rules: Sequence[str]) -> str:
    """The one system that ledger ids belong to.

    >>> system_of(["mars.check.outcomes", "mars.dice.merge"])
    'mars'
    """
    systems = {rule.partition(".")[0] for rule in rules}
    if len(systems) != 1 or not all(_RULE_ID.fullmatch(rule) for rule in rules):
        raise TablewrightError(f"name the rules of one system, such as mars.check.outcomes, not {list(rules)}")
    return systems.pop()


def refuse_foreign(ask: object, call: object) -> NoReturn:
    """A rule may only wait for asks: anything else would bring in a clock, a file or a network."""
    raise TablewrightError(
        f"{call} awaited {ask!r:.80}, which is no ask; rules may await only rolls, choices and calls"
    )


def refuse_named(ask: Choose[Any], call: object) -> NoReturn:
    """A mechanic knows sides, not names: what somebody wants who is only named cannot be told."""
    raise TablewrightError(
        f'{call} asks the seat "{ask.seat}" for "{ask.question}"; a mechanic asks Seat.ACTOR, Seat.OPPONENT, '
        "Seat.ALLY, Seat.OPPONENTS_ALLY or Seat.GAME_MASTER, and .by() says who they are"
    )


def refuse_leaving() -> NoReturn:
    """Only a mechanic has a result that another call could give instead."""
    raise TablewrightError("a process cannot be left by become(), again(), into() or finish(); only mechanics can")


def leave(run: Rule[Any], call: object) -> None:
    """End a run that is left for another call: nothing after the ask is done."""
    try:
        run.close()
    except RuntimeError as problem:
        raise TablewrightError(f"{call} asks again while it is being left; nothing can follow become()") from problem
