"""A process: what people go through in order. It reads a state, asks, calls mechanics and emits events."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from tablewright.engine.answers import Odds, Policy, Way
from tablewright.engine.asks import Choose, Rule
from tablewright.engine.deciding import asked
from tablewright.engine.mechanic import Call, Mechanic, system_of
from tablewright.engine.odds import decision_or_odds
from tablewright.engine.parameters import Parameter, bind, parameters_of, read_arguments
from tablewright.errors import TablewrightError

P = ParamSpec("P")
S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")


class Game(Generic[S, E]):
    """A state under way: processes read ``state`` and change it only by :meth:`emit`, which keeps the event in ``log``.

    After an ``emit`` read the state anew: it is another value.

    >>> game = Game(10, lambda health, damage: health - damage)
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
        """Let something happen: the state becomes what ``apply`` makes of it, and the event is kept."""
        self.state = self._apply(self.state, event)
        self.log.append(event)


@dataclass(frozen=True, eq=False)
class Process(Generic[P, R]):
    """A process with a public name and typed parameters; calling it with a game runs it."""

    name: str
    function: Callable[..., Coroutine[Any, Any, R]]
    rules: tuple[str, ...]

    def __call__(self, game: Any, *args: P.args, **kwargs: P.kwargs) -> Rule[R]:
        return self.function(game, *bind(self.name, self.params, args, kwargs))

    @cached_property
    def params(self) -> tuple[Parameter, ...]:
        """The typed parameters after the game itself."""
        return parameters_of(self.function, skip=1)

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    def read(self, game: Any, given: Mapping[str, object]) -> Rule[R]:
        """Start the process from named values as text or JSON."""
        return self.function(game, *bind(self.name, self.params, (), read_arguments(self.name, self.params, given)))

    def __repr__(self) -> str:
        return f"<process {self.name}>"


def process(
    *, rules: Sequence[str]
) -> Callable[[Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]], Process[P, R]]:
    """Declare an ``async`` function whose first parameter is the game as a process.

    >>> @process(rules=["demo.rest.night"])
    ... async def rest(game: Game[int, int], hours: int) -> None:
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
    """A process whose own choices are made at once, so that options that are not taken cost nothing."""

    __slots__ = ("policy", "rule")

    def __init__(self, rule: Coroutine[Any, Any, Any], policy: Policy) -> None:
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
                if isinstance(ask, Choose):
                    answer = ask.options[asked(self.policy, ask)]
                else:
                    answer = yield ask
        finally:
            self.rule.close()


def after_step(
    step: Callable[[Game[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Policy | None = None,
    *,
    game: Callable[[S, Callable[[S, E], S]], Game[S, E]] = Game,
) -> Odds[S]:
    """The exact distribution of the state after one step of a process from any state (see :func:`states_after`).

    >>> async def strike(game: Game[int, int]) -> None:
    ...     game.emit(await d(6))
    >>> from tablewright.engine import d
    >>> after_step(strike, 10, lambda health, damage: health - damage)[4]
    Fraction(1, 6)
    """
    states, weighed = _states_after(step, state, apply, policy, game)
    return Odds.from_weights(
        {states[number]: weight for number, weight in weighed.items()}, weighed.again, weighed.remainder
    )


def states_after(
    step: Callable[[Game[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Policy | None = None,
    *,
    game: Callable[[S, Callable[[S, E], S]], Game[S, E]] = Game,
) -> list[tuple[S, int]]:
    """Every state that one step of a process can lead to, each once with its weight, in the order they are come to.

    ``step`` is run once for every way through it, each time from ``state`` itself, within the same bound as a mechanic.
    Choices are made by ``policy``; a step that asks for none needs none. ``game`` makes the game that a step is given.

    >>> async def strike(game: Game[int, int]) -> None:
    ...     game.emit(min(4, await d(6)))
    >>> from tablewright.engine import d
    >>> states_after(strike, 10, lambda health, damage: health - damage)
    [(9, 1), (8, 1), (7, 1), (6, 3)]
    """
    states, weighed = _states_after(step, state, apply, policy, game)
    return [(states[number], weight) for number, weight in weighed.items()]


def _states_after(
    step: Callable[[Game[S, E]], Coroutine[Any, Any, Any]],
    state: S,
    apply: Callable[[S, E], S],
    policy: Policy | None,
    game: Callable[[S, Callable[[S, E], S]], Game[S, E]],
) -> tuple[list[S], Odds[int]]:
    """Every state that a step can lead to, and the odds of their numbers: states are too large to be put in order."""
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
    answer = decision_or_odds(call)

    def refuse(ask: Choose[Any]) -> int:
        raise TablewrightError(f"{name} asks for choices ({ask.question}); a policy must make them")

    weighed = answer if isinstance(answer, Odds) else answer.best(Way(policy=policy or refuse))
    return list(numbers), weighed
