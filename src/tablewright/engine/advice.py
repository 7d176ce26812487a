"""Advice: for every choice a rule asks, what each option leads to, exactly, when everything after it is done well."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.engine.answers import Odds, Way
from tablewright.engine.asks import Again, Ask, Become, Choose, Finish, InContext, Into, Joint, Mapped, Roll, Seat
from tablewright.engine.deciding import CallDecision, Deciding, MappedDecision, Working
from tablewright.engine.mechanic import Call, Mechanic, Value, refuse_foreign
from tablewright.engine.odds import known
from tablewright.engine.play import Playing
from tablewright.engine.tree import Chance, Choice, Deferred, Leaf, Node, Tail, TooMuch, answered
from tablewright.engine.values import to_json
from tablewright.errors import BadInput

MOST_SITUATIONS = 200
"""How many situations in which somebody chooses are listed."""


@dataclass(frozen=True, slots=True)
class Worth:
    """One option and the exact expected value of the objective if it is taken."""

    option: Any
    id: str
    value: Fraction
    best: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """A choice in the place where it comes up: what is known by then, and how likely it is to come up.

    In a rule that starts again ``chance`` is that of the first time through.
    """

    question: str
    seat: str
    given: tuple[str, ...]
    chance: Fraction
    options: tuple[Worth, ...]

    @property
    def best(self) -> Worth:
        """The option to take."""
        return next(option for option in self.options if option.best)

    @property
    def margin(self) -> Fraction:
        """By how much the best option is better than the next best; 0 where several are equally good."""
        others = [abs(self.best.value - option.value) for option in self.options if option is not self.best]
        return min(others, default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Advice:
    """Every choice of a call, and the expected value of the whole when all are made well.

    ``complete`` is false where there are more situations than are listed.
    """

    call: Call[Any]
    objective: str
    value: Fraction
    choices: tuple[Situation, ...]
    complete: bool

    def to_json(self) -> dict[str, Any]:
        """The advice as JSON."""
        return {
            "mechanic": self.call.mechanic.name,
            "arguments": self.call.mechanic.arguments_json(self.call),
            "objective": self.objective,
            "value": float(self.value),
            "exact": str(self.value),
            "complete": self.complete,
            "choices": [
                {
                    "question": situation.question,
                    "seat": situation.seat,
                    "given": list(situation.given),
                    "probability": float(situation.chance),
                    "options": [
                        {
                            "option": to_json(option.option),
                            "value": float(option.value),
                            "exact": str(option.value),
                            "best": option.best,
                        }
                        for option in situation.options
                    ],
                }
                for situation in self.choices
            ],
        }


def advise(call: Call[Any], objective: str | Value | None = None) -> Advice:
    """What each option of each choice in a call is worth, by exact expectation.

    >>> from tablewright.engine import choose, d, mechanic
    >>> @mechanic(rules=["demo.bet.place"])
    ... async def bet() -> int:
    ...     "Take three, or roll a die."
    ...     return 3 if await choose(Seat.ACTOR, "safe", [True, False]) else await d(6)
    >>> [(worth.id, str(worth.value), worth.best) for worth in advise(bet()).choices[0].options]
    [('True', '3', False), ('False', '7/2', True)]
    """
    name, value = ("result", objective) if callable(objective) else call.mechanic.objective(objective)
    answer = known(call)
    if isinstance(answer, Odds):
        return Advice(call, name, answer.expected(value), (), True)
    walk = _Walk()
    expected = walk.decision(answer, Way(value, exact=True), Fraction(1), ())
    situations = tuple(walk.found[:MOST_SITUATIONS])
    return Advice(call, name, expected, situations, len(walk.found) <= MOST_SITUATIONS)


class _Reached(NamedTuple):
    """With what chance a place is reached, and what was answered before; None where there are several ways to it."""

    chance: Fraction
    given: tuple[str, ...] | None


def advise_now(playing: Playing[Any], objective: str | Value | None = None) -> Advice:
    """Advice in the middle of a played rule: what each option of the open question, and of those after it, is worth."""
    if not playing.calls or playing.question is None:
        raise BadInput("no rule is under way that could ask for a choice")
    call, past = playing.calls[0], tuple(playing.answers_of_call)

    async def go_on() -> Any:
        return await _run(call, deque(past))

    rest: Mechanic[..., Any] = Mechanic(f"rest of {call!r}", go_on, (), {})
    value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return advise(Call(rest, ()), value)


def best_answer(playing: Playing[Any], objective: str | Value | None = None) -> int:
    """The position of the best option of the open question, by exact advice."""
    for situation in advise_now(playing, objective).choices:
        return next(position for position, worth in enumerate(situation.options) if worth.best)
    raise BadInput("no choice is open")


async def _run(call: Call[Any], past: deque[Any]) -> Any:
    """A call with its first answers given; once they are used up, everything is asked anew."""
    while True:
        rule, answer = call.start(), None
        following: Call[Any] | None = None
        while following is None:
            try:
                ask = rule.send(answer)
            except StopIteration as end:
                return end.value
            if isinstance(ask, Become):
                following = ask.call
            elif isinstance(ask, Again):
                following = call
            elif isinstance(ask, Into):
                following = ask.following(await _resolve(ask.ask, past))
            elif isinstance(ask, Finish):
                rule.close()
                return await _resolve(ask.ask, past)
            else:
                answer = await _resolve(ask, past)
        rule.close()
        if not past:
            return await following
        call = following


async def _resolve(ask: Ask[Any], past: deque[Any]) -> Any:
    if not past:
        return await ask
    if isinstance(ask, Roll):
        return past.popleft()
    if isinstance(ask, Choose):
        return past.popleft() if len(ask.options) > 1 else ask.options[0]
    if isinstance(ask, Call):
        return await _run(ask, past)
    if isinstance(ask, Mapped):
        return ask.change(await _resolve(ask.ask, past))
    if isinstance(ask, Joint):
        first = await _resolve(ask.first, past)
        return ask.combine(first, await _resolve(ask.second, past))
    if isinstance(ask, InContext):
        return await _resolve(ask.ask, past)
    return refuse_foreign(ask, "a rule under way")


class _Walk:
    """Collects the situations met on the way through decided trees, the first ones first."""

    def __init__(self) -> None:
        self.found: list[Situation] = []

    def decision(self, decision: CallDecision, way: Way, chance: Fraction, given: tuple[str, ...]) -> Fraction:
        """Walk through a decided call; gives what it is worth."""
        if decision.chain is None:
            assert way.value is not None
            ruled = _ruled(decision)
            return decision.best(way).expected(way.value) if ruled is None else self.decision(ruled, way, chance, given)
        with Working(decision.call) as work:
            chain = decision.chain
            deciding = Deciding(chain, way, work)
            reached: dict[int, _Reached] = {0: _Reached(chance, given)}
            for component in reversed(chain.order):
                # a circle is walked from where it is entered; what comes back to a state is not followed again
                walked: set[int] = set()
                while entered := [number for number in component if number in reached and number not in walked]:
                    number = entered[0]
                    walked.add(number)
                    self._state(number, deciding, reached, given)
                    if len(self.found) > MOST_SITUATIONS:
                        break
            return Fraction(deciding.worth[chain.states[0]])

    def _state(self, number: int, deciding: Deciding, reached: dict[int, _Reached], before: tuple[str, ...]) -> None:
        chance, path = reached[number]
        call = deciding.chain.states[number].call
        given = path if path is not None else (*before, f"on with {call!r}")
        tree = deciding.chain.trees[number]
        if not tree.choosing:
            row = deciding.row(number)
            for tail, weight in row.tails.items():
                step = (*given, f"on with {tail.call!r}")
                _reach(tail, chance * Fraction(weight, row.total), step, reached)
            return
        waiting: list[tuple[Node, Fraction, tuple[str, ...]]] = [(tree.root, chance, given)]
        while waiting and len(self.found) <= MOST_SITUATIONS:
            node, chance, given = waiting.pop()
            if isinstance(node, Tail):
                _reach(node, chance, (*given, f"on with {node.call!r}"), reached)
            elif not isinstance(node, Leaf):
                following = list(self._following(node, deciding, chance, given))
                waiting.extend(reversed(following))

    def _following(
        self, node: Chance | Choice | Deferred, deciding: Deciding, chance: Fraction, given: tuple[str, ...]
    ) -> Iterator[tuple[Node, Fraction, tuple[str, ...]]]:
        """The places a node leads to under the choices made, leaves left out."""
        weights: Sequence[int]
        if isinstance(node, Choice):
            taken = deciding.taken[node]
            self.found.append(Situation(node.ask.question, _seat(node), given, chance, tuple(_worths(node, deciding))))
            weights, total = [int(at == taken) for at in range(len(node.children))], 1
        elif isinstance(node, Chance):
            weights, total = node.weights, node.total
        else:
            table = {a: deciding.worth[child] for a, child in zip(node.answers, node.children, strict=True)}
            inner, value = _innermost(node, table)
            if inner is not None:
                self.decision(inner, Way(value, exact=True), chance, given)
            dist = deciding.resolved[node]
            weights, total = [dist.weight(answer) for answer in node.answers], dist.total
        for answer, weight, child in zip(node.answers, weights, node.children, strict=True):
            if weight and not isinstance(child, Leaf):
                yield child, chance * Fraction(weight, total), (*given, answered(node.ask, answer))


def _ruled(decision: CallDecision) -> CallDecision | None:
    """The rule behind a closed form, run to every end, unless that is too much."""
    try:
        ruled = decision.by_rule() if decision.by_rule else None
    except TooMuch:
        return None
    return ruled if isinstance(ruled, CallDecision) and ruled.chain is not None else None


def _reach(tail: Tail, chance: Fraction, given: tuple[str, ...], reached: dict[int, _Reached]) -> None:
    before = reached.get(tail.number)
    reached[tail.number] = _Reached(chance, given) if before is None else _Reached(before.chance + chance, None)


def _innermost(node: Deferred, table: dict[Any, Any]) -> tuple[CallDecision | None, Any]:
    """The call behind narrowed decisions, and what its own outcomes are worth."""
    decision, changes = node.decision, []
    while isinstance(decision, MappedDecision):
        changes.append(decision.narrowed)
        decision = decision.inner

    def value(outcome: Any) -> Any:
        for change in reversed(changes):
            outcome = change[outcome]
        return table[outcome]

    return (decision, value) if isinstance(decision, CallDecision) else (None, value)


def _worths(node: Choice, deciding: Deciding) -> Iterator[Worth]:
    taken = deciding.taken[node]
    for position, (option, child) in enumerate(zip(node.ask.options, node.children, strict=True)):
        yield Worth(option, node.ask.ids[position], Fraction(deciding.worth[child]), position == taken)


def _seat(node: Choice) -> str:
    return node.ask.seat.value if isinstance(node.ask.seat, Seat) else node.ask.seat
