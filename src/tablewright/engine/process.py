"""Processes: sequences of play that read a state, make requests, call mechanics and emit events."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from tablewright.engine.choice import Choice
from tablewright.engine.exact.decisions import asked
from tablewright.engine.exact.tree import MOST_RUNS
from tablewright.engine.mechanic import Call, Mechanic, system_of
from tablewright.engine.odds import odds_by_strategy
from tablewright.engine.parameters import Parameter, Signature, bind, parameters_of, read_arguments
from tablewright.engine.request import RunningRule
from tablewright.engine.results import Odds, Strategy
from tablewright.errors import TablewrightError

P = ParamSpec("P")
S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")


class World(Generic[S, E]):
    """Mutable holder of an immutable state; :meth:`emit` applies an event and logs it.

    Read ``state`` again after an ``emit``: it is a new value.

    >>> game = World(10, lambda health, damage: health - damage)
    >>> game.emit(3)
    >>> game.state, game.log
    (7, [3])
    """

    __slots__ = ("_apply", "log", "state")

    def __init__(self, state: S, apply: Callable[[S, E], S]) -> None:
        self.state = state
        self.log: list[Any] = []
        self._apply = apply

    def emit(self, event: E) -> None:
        """Apply an event to the state and append it to ``log``."""
        self.state = self._apply(self.state, event)
        self.log.append(event)


@dataclass(frozen=True, eq=False)
class Process(Generic[P, R]):
    """A process with a public name and typed parameters; calling it with a game runs it."""

    name: str
    function: Callable[..., Coroutine[Any, Any, R]]
    rules: tuple[str, ...]

    def __call__(self, game: Any, *args: P.args, **kwargs: P.kwargs) -> RunningRule[R]:
        return self._start(game, bind(self.name, self.signature, args, kwargs))

    @cached_property
    def signature(self) -> Signature:
        """Parameters without the game, which comes first."""
        return Signature(parameters_of(self.function, skip=1))

    @property
    def params(self) -> tuple[Parameter, ...]:
        """Typed parameters as callers name them."""
        return self.signature.named

    @property
    def summary(self) -> str:
        """First line of the documentation."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    def read(self, game: Any, given: Mapping[str, object]) -> RunningRule[R]:
        """Start the process with named values as text or JSON."""
        read = read_arguments(self.name, self.signature, given)
        return self._start(game, bind(self.name, self.signature, (), read))

    def _start(self, game: Any, arguments: tuple[Any, ...]) -> RunningRule[R]:
        for at, guard in self._guards:
            guard(game, arguments[at], self.rules[0])
        return self.function(game, *arguments)

    @cached_property
    def _guards(self) -> tuple[tuple[int, Callable[[Any, Any, str], object]], ...]:
        found = enumerate(parameters_of(self.function, skip=1))
        return tuple([(at, parameter.guard) for at, parameter in found if parameter.guard is not None])

    def __repr__(self) -> str:
        return f"<process {self.name}>"


def process(
    *, rules: Sequence[str]
) -> Callable[[Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]], Process[P, R]]:
    """Declare an ``async`` function as a process; its first parameter is the game.

    >>> @process(rules=["demo.rest.night"])
    ... async def rest(game: World[int, int], hours: int) -> None:
    ...     "Sleep, and regain as much."
    ...     game.emit(-hours)
    >>> rest.name, [parameter.name for parameter in rest.params]
    ('demo.rest', ['hours'])
    """
    system = system_of(rules)

    def declare(function: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> Process[P, R]:
        return Process(f"{system}.{function.__name__}", function, tuple(rules))

    return declare


class _ByPolicy:
    """Awaitable that answers a process's own choices by a strategy at once; untaken options cost no runs."""

    __slots__ = ("policy", "rule")

    def __init__(self, rule: Coroutine[Any, Any, Any], policy: Strategy) -> None:
        self.rule = rule
        self.policy = policy

    def __await__(self) -> Generator[Any, Any, Any]:
        answer = None
        try:
            while True:
                try:
                    ask = self.rule.send(answer)
                except StopIteration as end:
                    return end.value
                if isinstance(ask, Choice):
                    answer = ask.options[asked(self.policy, ask)]
                else:
                    answer = yield ask
        finally:
            self.rule.close()


def distribution_after(
    step: Callable[[World[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Strategy | None = None,
    *,
    game: Callable[[S, Callable[[S, E], S]], World[S, E]] = World,
) -> Odds[S]:
    """Compute the exact distribution of the state after one step of a process (see :func:`states_after_step`).

    >>> async def strike(game: World[int, int]) -> None:
    ...     game.emit(await d(6))
    >>> from tablewright.engine import d
    >>> distribution_after(strike, 10, lambda health, damage: health - damage)[4]
    Fraction(1, 6)
    """
    states, weighed = _states_after(step, state, apply, policy, game=game)
    return Odds.from_weights(
        {states[number]: weight for number, weight in weighed.items()}, weighed.again, weighed.remainder
    )


def states_after_step(
    step: Callable[[World[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Strategy | None = None,
    *,
    game: Callable[[S, Callable[[S, E], S]], World[S, E]] = World,
    most: int = MOST_RUNS,
) -> list[tuple[S, int]]:
    """Compute every state after one step of a process, each once with its weight, in the order reached.

    ``step`` runs once per path, each time from ``state``, within the same work limit as a mechanic. A step with more
    than ``most`` paths is refused. ``policy`` makes the choices; a step without choices needs none. ``game`` creates
    the game passed to the step.

    >>> async def strike(game: World[int, int]) -> None:
    ...     game.emit(min(4, await d(6)))
    >>> from tablewright.engine import d
    >>> states_after_step(strike, 10, lambda health, damage: health - damage)
    [(9, 1), (8, 1), (7, 1), (6, 3)]
    """
    states, weighed = _states_after(step, state, apply, policy, game=game, most=most)
    return [(states[number], weight) for number, weight in weighed.items()]


def _states_after(
    step: Callable[[World[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Strategy | None,
    *,
    game: Callable[[S, Callable[[S, E], S]], World[S, E]],
    most: int = MOST_RUNS,
) -> tuple[list[S], Odds[int]]:
    """States after a step, and the odds of their numbers; states themselves are too large to sort."""
    numbers: dict[S, int] = {}

    async def run() -> int:
        under_way = game(state, apply)
        rule = step(under_way)
        await (rule if policy is None else _ByPolicy(rule, policy))
        after = under_way.state
        try:
            return numbers.setdefault(after, len(numbers))
        except TypeError:
            raise TablewrightError(f"{name} gave {after!r:.60}; a result must be a hashable value") from None

    name = getattr(step, "__name__", "a step")
    call: Call[int] = Call(Mechanic(name, run, (), {}), ())

    def refuse(ask: Choice[Any]) -> int:
        raise TablewrightError(f"{name} asks for choices ({ask.question}); a policy must make them")

    weighed = odds_by_strategy(call, policy or refuse, most)  # fills the numbers
    return list(numbers), weighed
