"""Play of a mechanic with one unknown argument: all its possible values run in lockstep.

A participant chooses once for all values that are still possible, and all of them share the same dice. Values separate
only where the mechanic itself proceeds differently (another request, or its end), because there the table learns
something. No choice can depend on hidden information, and the value of each option is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.dice import Dist, Rollable
from tablewright.dice.source import Face
from tablewright.engine import Call, Choice, Mechanic, Request, Roll, TooComplexError, roll
from tablewright.engine.mechanic import Value, demand_call
from tablewright.engine.request import Again, Attributed, Become, Finish, Into, Joint, Mapped, RunningRule, Swapped
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.lab.deadline import NEVER, Deadline

MOST_HIDDEN = 200
"""Upper bound for possible values of an unknown argument."""

MOST_STEPS = 2_000_000
"""Upper bound for steps over all values and all paths."""


class Possible(NamedTuple):
    """One possible value: its weight, its label, and the call it gives."""

    weight: int
    label: str
    call: Call[Any]


def with_unknown(possible: Sequence[Possible], value: Value, *, deadline: Deadline = NEVER) -> Call[Fraction]:
    """A call whose expected result is the value of a mechanic to deciders who do not know which call it is.

    Running it raises :class:`TooComplexError` if it takes too many steps or the deadline passes.

    >>> from tablewright.engine import Role, advise, choose, mechanic, odds
    >>> @mechanic(rules=["demo.cups.guess"])
    ... async def guess(cup: int) -> int:
    ...     "Guess under which of two cups the penny is; the left one pays double."
    ...     guessed = await choose(Role.ACTOR, "which cup", [1, 2])
    ...     return (3 - cup) * (guessed == cup)
    >>> odds(guess(1)).mean + odds(guess(2)).mean  # who knows is always right
    Fraction(3, 1)
    >>> unknown = with_unknown([Possible(1, "left", guess(1)), Possible(1, "right", guess(2))], int)
    >>> [(worth.id, str(worth.value)) for worth in advise(unknown, lambda worth: worth).choices[0].options]
    [('1', '1'), ('2', '1/2')]
    """
    some = [one for one in possible if one.weight > 0]
    if not some:
        raise InvalidInputError("of the values that are unknown at least one needs a weight of 1 or more")
    if len(some) > MOST_HIDDEN:
        raise InvalidInputError(
            f"{len(some)} unknown values are too many, at most {MOST_HIDDEN} are weighed against each other"
        )

    name, steps = some[0].call.mechanic.name, 0

    def count(runs: int) -> None:
        nonlocal steps
        steps += runs
        if steps > MOST_STEPS:
            raise TooComplexError(f"{name} takes more than {MOST_STEPS:,} steps for {len(some)} unknown values at once")
        if deadline.passed:
            raise TooComplexError(f"{name} takes more than {deadline} for {len(some)} unknown values at once")

    async def in_step() -> Fraction:
        return await _in_step([_Run(one) for one in some], value, count)

    return Call(Mechanic(f"{name} with something unknown", in_step, (), {}), ())


class _Run:
    """The mechanic running with one of the values: its open request or its result."""

    def __init__(self, possible: Possible) -> None:
        self.weight, self.label, call = possible
        self._rule: RunningRule[Any] = _opened(call, across=False)
        self.ask: Request[Any] | None = None
        self.result: Any = None

    def go_on(self, answer: Any) -> None:
        """Answer the open request and advance to the next one."""
        try:
            self.ask = self._rule.send(answer)
        except StopIteration as end:
            self.ask, self.result = None, end.value

    def close(self) -> None:
        """Abandon the run."""
        self._rule.close()

    def key(self) -> Hashable:
        """Public state of the run; runs with equal keys are indistinguishable at the table."""
        if isinstance(self.ask, Roll):
            return ("roll", self.ask.dice, self.ask.seat)
        if isinstance(self.ask, Choice):
            return ("choose", self.ask.seat, self.ask.question, self.ask.ids)
        return ("end",)


async def _in_step(runs: list[_Run], value: Value, count: Callable[[int], None]) -> Fraction:
    """Run all values in lockstep; where they diverge, draw a group by weight."""
    answer: Any = None
    try:
        while True:
            count(len(runs))
            groups: dict[Hashable, list[_Run]] = {}
            for run in runs:
                run.go_on(answer)
                groups.setdefault(run.key(), []).append(run)
            together = list(groups.values())
            if len(together) > 1:
                learnt = Learnt(tuple([(_named(group), sum([run.weight for run in group])) for group in together]))
                which = await roll(learnt)
                kept = next(group for group in together if _named(group) == which)
                for run in [run for group in together if group is not kept for run in group]:
                    run.close()
                runs = kept
            ask = runs[0].ask
            if ask is None:
                total = sum([run.weight for run in runs])
                return sum([run.weight * Fraction(value(run.result)) for run in runs], Fraction(0)) / total
            answer = await ask
    finally:
        for run in runs:
            run.close()


@dataclass(frozen=True, slots=True)
class Learnt(Rollable[str]):
    """Chance node for information gained where runs diverge; no one rolls it."""

    groups: tuple[tuple[str, int], ...]

    def read(self, face: Face) -> str:
        """Refuse faces: information cannot be rolled."""
        raise TablewrightError("what is not known cannot be thrown")

    def _weigh(self) -> Dist[str]:
        return Dist(self.groups)

    def __str__(self) -> str:
        return "what is learnt"


def _named(group: Sequence[_Run]) -> str:
    """Label of the values that are still possible."""
    names = [run.label for run in group]
    return f"so it is {', '.join(names)}" if len(names) <= 4 else f"so it is {names[0]}, {names[1]}, ... or {names[-1]}"


async def _opened(call: Call[Any], *, across: bool) -> Any:
    """Run a call and all nested calls; only rolls and choices are awaited."""
    rule, answer = call.start(), None
    try:
        while True:
            try:
                ask = rule.send(answer)
            except StopIteration as end:
                return end.value
            if isinstance(ask, Finish):
                return await _resolved(ask.ask, across=across)
            if isinstance(ask, (Become, Again, Into)):
                rule.close()
                call, answer = await _becomes(ask, call, across=across), None
                rule = call.start()
            else:
                answer = await _resolved(ask, across=across)
    finally:
        rule.close()


async def _becomes(ask: Become[Any] | Again | Into[Any], call: Call[Any], *, across: bool) -> Call[Any]:
    """The call that replaces the running one."""
    if isinstance(ask, Into):
        return demand_call(ask.following(await _resolved(ask.ask, across=across)), call)
    return demand_call(ask.call, call) if isinstance(ask, Become) else call


async def _resolved(ask: Request[Any], *, across: bool) -> Any:
    if isinstance(ask, (Roll, Choice)):
        return await (ask.by_opponent() if across else ask)
    if isinstance(ask, Call):
        return await _opened(ask, across=across)
    if isinstance(ask, Mapped):
        return ask.change(await _resolved(ask.ask, across=across))
    if isinstance(ask, Joint):
        first = await _resolved(ask.first, across=across)
        return ask.combine(first, await _resolved(ask.second, across=across))
    if isinstance(ask, (Attributed, Swapped)):
        return await _resolved(ask.ask, across=across ^ isinstance(ask, Swapped))
    raise InvalidInputError(f"{ask!r:.60} cannot be gone through with something unknown")
