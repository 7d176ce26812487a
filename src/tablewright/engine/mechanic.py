"""Mechanics: rules that resolve one uncertain thing from plain values, written as ``async`` functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from importlib import import_module
from operator import itemgetter
from typing import Any, Generic, NoReturn, ParamSpec, Protocol, TypeVar, get_type_hints, overload

from tablewright.dice import Dist
from tablewright.dice.outcomes import format_outcome
from tablewright.engine.cache import BoundedCache
from tablewright.engine.choice import Choice
from tablewright.engine.json_values import result_schema, to_json
from tablewright.engine.parameters import (
    ArgumentChecks,
    Parameter,
    RecordType,
    Signature,
    bind,
    fields_or_value,
    parameters_of,
    read_arguments,
    types_of,
)
from tablewright.engine.request import Request, RunningRule
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Value = Callable[[Any], int | Fraction]
"""Function from an outcome to its value for the actor; actors maximise it, opponents minimise it."""

V = TypeVar("V", bound=Value)
_CHANCE = "_tablewright_chance"


def chance(value: V) -> V:
    """Declare an objective as a chance: 1 for success and 0 for failure. Its mean is then shown in percent.

    >>> hit = chance(lambda blow: int(blow > 3))
    >>> hit(4), hit(2)
    (1, 0)
    """
    setattr(value, _CHANCE, True)
    return value


MOST_BOUND = 1_024
"""Upper bound for the checked argument lists cached per mechanic."""

_new = tuple.__new__
_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")


def _plain_types(values: tuple[Any, ...]) -> tuple[type, ...]:
    return tuple(map(type, values))


class Call(Request[T], tuple[Any, ...]):
    """Lazy call of a mechanic: a hashable value, equal to every call with the same arguments.

    Everything that takes a rule takes a call: odds, rolls, advice and tables.

    >>> import tablewright as tw
    >>> call = tw.mars.check("r16", difficulty=14)
    >>> tw.odds(call)
    <Odds mars.check(r16, 14): failure 35.0%, graze 55.0%, success 10.0%>
    >>> tw.odds(call.with_arguments(difficulty=10)) >= "success"
    45.00%

    It is a tuple of mechanic and arguments because chains create, hash and compare tens of thousands of calls.
    """

    __slots__ = ()

    def __new__(cls, mechanic: Mechanic[..., T], arguments: tuple[Any, ...]) -> Call[T]:
        return _new(cls, (mechanic, arguments))

    mechanic: Mechanic[..., T] = property(itemgetter(0))  # type: ignore[assignment]
    arguments: tuple[Any, ...] = property(itemgetter(1))  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Call, tuple(self)

    def start(self) -> RunningRule[T]:
        """Start a new run of the mechanic's rule."""
        return self.mechanic.function(*self.arguments)

    @property
    def values(self) -> tuple[Any, ...]:
        """Arguments in the order of :attr:`Mechanic.params`, with the fields of records one by one."""
        return self.mechanic.signature.values(self.arguments)

    def named_arguments(self) -> dict[str, Any]:
        """Arguments by parameter name, with the fields of records one by one."""
        return dict(zip([parameter.name for parameter in self.mechanic.params], self.values, strict=True))

    def with_arguments(self, **changes: Any) -> Call[T]:
        """The same call with other arguments: records, or single fields by name.

        >>> from tablewright.engine import d, mechanic
        >>> @mechanic(rules=["demo.check.resolve"])
        ... async def check(target: int, plus: int = 0) -> bool:
        ...     "Roll a d6 and reach the target."
        ...     return await d(6) + plus >= target
        >>> check(4, 1).with_arguments(target=5)
        demo.check(5, 1)
        """
        named, values = self.mechanic.signature, list(self.values)
        for name, value in changes.items():
            record = named.record_named(name, value) if named.knows(name) else None
            if record is not None:
                parts = fields_or_value(value)
                values[record[0] : record[0] + len(parts)] = parts
            elif named.knows(name):
                values[named.field_at(name)] = value
            else:
                return self.mechanic(**{name: value})  # refuses the name
        return self.mechanic(*values)

    def until(self, part: Mechanic[..., T]) -> Request[T | Call[T]]:
        """Play this call up to its tail call of ``part`` and return that call, or the result if it ends before.

        A process can open a window between two parts of a rule, change what has changed since and await the rest.
        """
        return Until(self, part)

    def __repr__(self) -> str:
        shown = ", ".join([format_outcome(part) for argument in self.arguments for part in fields_or_value(argument)])
        return f"{self.mechanic.name}({shown})"


class Until(Request[Any]):
    """A call that is played up to a part; only processes may await it."""

    __slots__ = ("call", "part")

    def __init__(self, call: Call[Any], part: Mechanic[..., Any]) -> None:
        self.call = call
        self.part = part

    def __repr__(self) -> str:
        return f"{self.call!r} until {self.part.name}"


class ClosedForm(Protocol[T_co]):
    """Odds of a mechanic by formula instead of by running it; tests compare it with the rule."""

    @property
    def deciding(self) -> bool:
        """True if the rule contains choices."""

    @property
    def remainder(self) -> Fraction:
        """Chance that a cap on extra dice cuts the rule short."""

    @property
    def work(self) -> int:
        """Work steps of one decision; callers may decide many times and count them against their budget."""

    def support(self) -> Sequence[T_co]:
        """Every outcome that some choices can lead to."""

    def best(self, value: Value | None) -> Dist[T_co]:
        """Distribution when ``value`` settles all choices; it is ignored if there are none."""


@dataclass(frozen=True)
class FixedOdds(Generic[T]):
    """Closed form of a rule without choices."""

    dist: Dist[T]
    deciding: bool = False
    remainder: Fraction = Fraction(0)
    work: int = 1

    def support(self) -> Sequence[T]:
        """Every outcome."""
        return self.dist.outcomes

    def best(self, value: Value | None) -> Dist[T]:
        """The distribution: there are no choices."""
        return self.dist


@dataclass(frozen=True, eq=False)
class Mechanic(Generic[P, T]):
    """A rule with a public name, typed parameters, the ledger ids it implements and its function.

    Calling it rolls nothing: it checks the arguments and returns a :class:`Call`.

    >>> import tablewright as tw
    >>> tw.mars.check, tw.mars.check.rules[1]
    (<mechanic mars.check>, 'mars.check.outcomes')
    >>> tw.roll(tw.mars.check("r16", difficulty=14), seed=1)
    <Played mars.check(r16, 14): failure (1 4)>
    """

    name: str
    function: Callable[..., Coroutine[Any, Any, T]]
    rules: tuple[str, ...]
    objectives: Mapping[str, Value]
    closed: Callable[..., ClosedForm[T] | None] | None = None
    _last: tuple[Any, ...] = field(init=False, repr=False, default=(None, None, (), ()))
    """Types of the latest arguments and their checks; most calls in a row have arguments of the same types."""
    _plain: list[type] | None = field(init=False, repr=False, default=None)
    """The same types if they are all there is to check, and no default follows."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Call[T]: ...

    @overload
    def __call__(self, *args: Any, **kwargs: Any) -> Call[T]: ...  # the fields of records by name, values as text

    def __call__(self, *args: Any, **kwargs: Any) -> Call[T]:
        given = [*map(type, args)]
        if given == self._plain and not kwargs:
            return _new(Call, (self, args))
        if not kwargs:
            exact, usual, bounds, others = self._last
            if given != exact:
                usual, bounds, others = self._checks[tuple(given)]
                if usual is not None:
                    object.__setattr__(self, "_last", (given, usual, bounds, others))
                    object.__setattr__(self, "_plain", given if not (usual or bounds or others) else None)
            if usual is not None:
                for at, low, high in bounds:
                    if not low <= args[at] <= high:
                        break
                else:
                    for at, seen, accepts in others:
                        value = args[at]
                        if seen.get(id(value), seen) is not value and not accepts(value):
                            break
                    else:
                        return _new(Call, (self, args + usual if usual else args))
        types: Any = types_of if self._records else _plain_types
        key = (args, types(args), tuple(kwargs.items()), types(tuple(kwargs.values())))
        try:
            bound = self._bound.peek(key)
        except TypeError:  # unhashable: bind refuses it with a clear error
            return Call(self, bind(self.name, self.signature, args, kwargs))
        if bound is None:
            bound = bind(self.name, self.signature, args, kwargs)
            self._bound.put(key, bound)
        return Call(self, bound)

    @cached_property
    def _bound(self) -> BoundedCache[Any, tuple[Any, ...]]:
        """Cache of checked arguments, for parameters that need more than a check of type and bounds."""
        return BoundedCache(MOST_BOUND)

    @cached_property
    def signature(self) -> Signature:
        """Parameters as the rule declares them and as callers name them."""
        return Signature(parameters_of(self.function))

    @property
    def params(self) -> tuple[Parameter, ...]:
        """Typed parameters in order, as callers name them: the fields of records one by one."""
        return self.signature.named

    @cached_property
    def _checks(self) -> ArgumentChecks:
        return ArgumentChecks(self.signature.declared)

    @cached_property
    def _records(self) -> bool:
        """True if some parameters are records."""
        return any(isinstance(parameter.kind, RecordType) for parameter in self.signature.declared)

    @cached_property
    def _returns(self) -> Any:
        return get_type_hints(self.function).get("return", Any)

    @property
    def system(self) -> str:
        """Id of the system that the rule belongs to."""
        return self.name.partition(".")[0]

    @property
    def documentation(self) -> str:
        """Docstring of the rule, without indentation."""
        lines = (self.function.__doc__ or "").strip().splitlines()
        return "\n".join([line.strip() for line in lines])

    @property
    def summary(self) -> str:
        """First line of the documentation."""
        return self.documentation.partition("\n")[0]

    def read(self, given: Mapping[str, object]) -> Call[T]:
        """Create a call from named values as text or JSON."""
        return Call(self, bind(self.name, self.signature, (), read_arguments(self.name, self.signature, given)))

    def objective(self, name: str | None = None) -> tuple[str, Value]:
        """Name and function of an objective, by default the first; int and bool results are their own objective."""
        if name is None:
            if self.objectives:
                return next(iter(self.objectives.items()))
            if self._returns in (int, bool):
                return "result", int
            raise InvalidInputError(f"{self.name} declares no objective, so no option can be called the best")
        if name in self.objectives:
            return name, self.objectives[name]
        known = ", ".join(self.objectives) or "none"
        raise InvalidInputError(
            f'{self.name} has no objective "{name:.40}"; known are: {known}{did_you_mean(name, self.objectives)}'
        )

    def is_chance(self, name: str | None = None) -> bool:
        """True if an objective, by default the first, is a chance; bool results are."""
        if name == "result" and not self.objectives:
            name = None
        value = self.objective(name)[1]
        if value is int:
            return self._returns is bool
        return getattr(value, _CHANCE, False) is True

    def schema(self) -> dict[str, Any]:
        """JSON schema of the parameters and the result."""
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
        """Arguments of a call as JSON."""
        return {name: to_json(value) for name, value in call.named_arguments().items()}

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        """Pickle by module and name, as functions are."""
        module, name = self.function.__module__, self.function.__qualname__
        if _found_at(module, name) is not self:
            raise TypeError(f"{self.name} cannot be pickled: it is not {name} of the module {module}")
        return _found_at, (module, name)

    def __repr__(self) -> str:
        return f"<mechanic {self.name}>"


async def _certain(outcome: T) -> T:
    return outcome


CERTAIN: Mechanic[..., Any] = Mechanic("certain", _certain, (), {})
"""A result that is known, in place of a call; no trace shows it."""


def certain(outcome: T) -> Call[T]:
    """Result that some answers of a request lead to at once, where others lead to a call (:meth:`Request.into`).

    >>> from tablewright.engine import d, mechanic, odds
    >>> @mechanic(rules=["demo.blow.harm"])
    ... async def harm() -> int:
    ...     "What a hit does."
    ...     return await d(4)
    >>> @mechanic(rules=["demo.blow.strike"])
    ... async def strike() -> int:
    ...     "A hit does harm, a miss nothing."
    ...     return await d(2).into(lambda face: harm() if face == 2 else certain(0))
    >>> odds(strike())[0]
    Fraction(1, 2)
    """
    return Call(CERTAIN, (outcome,))


def _found_at(module: str, name: str) -> Any:
    """The mechanic with this name in a module, or None."""
    try:
        return reduce(getattr, name.split("."), import_module(module))
    except (AttributeError, ImportError):
        return None


def mechanic(
    *,
    rules: Sequence[str],
    objectives: Mapping[str, Value] | None = None,
    closed: Callable[..., ClosedForm[Any] | None] | None = None,
) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Mechanic[P, T]]:
    """Declare an ``async`` function as a mechanic.

    ``rules`` are the ledger ids it implements; their common first word is the system. System and function name form the
    public name. ``objectives`` map names to value functions, the default first. ``closed`` returns the odds by formula,
    for rules that take too long to run to every end or have none; None where the rule itself is to be run.

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
    """The one system that all ledger ids belong to; several systems are refused.

    >>> system_of(["mars.check.outcomes", "mars.dice.merge"])
    'mars'
    """
    systems = {rule.partition(".")[0] for rule in rules}
    if len(systems) != 1 or not all(_RULE_ID.fullmatch(rule) for rule in rules):
        raise TablewrightError(f"name the rules of one system, such as mars.check.outcomes, not {list(rules)}")
    return systems.pop()


def refuse_foreign(ask: object, call: object) -> NoReturn:
    """Refuse anything awaited that is not a request; rules must not depend on a clock, a file or a network."""
    raise TablewrightError(
        f"{call} awaited {ask!r:.80}, which is not a request; rules may await only rolls, choices and calls"
    )


def refuse_named(ask: Choice[Any], call: object) -> NoReturn:
    """Refuse a choice for a named seat in a mechanic; a name has no role and so no known objective."""
    raise TablewrightError(
        f'{call} asks the seat "{ask.seat}" for "{ask.question}"; a mechanic asks Role.ACTOR, Role.OPPONENT, '
        "Role.ALLY, Role.OPPONENTS_ALLY or Role.GAME_MASTER, and .by() says who they are"
    )


def refuse_leaving() -> NoReturn:
    """Refuse a tail call in a process; only a mechanic has a result that another call can return."""
    raise TablewrightError("a process cannot be left by become(), again(), into() or finish(); only mechanics can")


def demand_call(following: object, asker: object) -> Call[Any]:
    """Return the call that a rule is left for; refuse anything else."""
    if not isinstance(following, Call):
        raise TablewrightError(f"{asker!r} can be left only for a call, not for {following!r:.60}")
    return following


def leave(run: RunningRule[Any], call: object) -> None:
    """End a run that is left for another call; code that awaits during the exit is refused."""
    try:
        run.close()
    except RuntimeError as problem:
        raise TablewrightError(f"{call} asks again while it is being left; nothing can follow become()") from problem
