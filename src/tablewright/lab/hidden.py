"""A rule one of whose values nobody at the table knows: all its possible values are played at once, in step.

Whoever chooses is asked once for all values that could still be the true one. Dice are the same for all of them. Only
where the rule itself goes on differently (it asks something else, or ends) does the table learn something, and the
values part. So no choice can depend on what nobody knows, and the worth of each option is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.dice import Dist, Rollable
from tablewright.dice.source import Face
from tablewright.engine import Ask, Call, Choose, Mechanic, Roll, TooMuch, roll
from tablewright.engine.asks import Across, Again, Become, Finish, InContext, Into, Joint, Mapped, Rule
from tablewright.engine.mechanic import Value
from tablewright.errors import BadInput, TablewrightError
from tablewright.lab.deadline import NEVER, Deadline

MOST_HIDDEN = 200
"""How many values a hidden argument may have."""

MOST_STEPS = 2_000_000
"""How often rules may be gone on with, over all values and all ways through them."""


class Possible(NamedTuple):
    """One value that could be the true one: how much it weighs, how it reads, and the call if it is."""

    weight: int
    label: str
    call: Call[Any]


def not_knowing(possible: Sequence[Possible], value: Value, *, deadline: Deadline = NEVER) -> Call[Fraction]:
    """A call whose expected result is the worth of a rule to those who do not know which call it is.

    Whoever drives it meets :class:`TooMuch` where it takes too many steps, or where the deadline passes.

    >>> from tablewright.engine import Seat, advise, choose, mechanic, odds
    >>> @mechanic(rules=["demo.cups.guess"])
    ... async def guess(cup: int) -> int:
    ...     "Guess under which of two cups the penny is; the left one pays double."
    ...     guessed = await choose(Seat.ACTOR, "which cup", [1, 2])
    ...     return (3 - cup) * (guessed == cup)
    >>> odds(guess(1)).mean + odds(guess(2)).mean  # who knows is always right
    Fraction(3, 1)
    >>> unknown = not_knowing([Possible(1, "left", guess(1)), Possible(1, "right", guess(2))], int)
    >>> [(worth.id, str(worth.value)) for worth in advise(unknown, lambda worth: worth).choices[0].options]
    [('1', '1'), ('2', '1/2')]
    """
    some = [one for one in possible if one.weight > 0]
    if not some:
        raise BadInput("of the values that are unknown at least one needs a weight of 1 or more")
    if len(some) > MOST_HIDDEN:
        raise BadInput(f"{len(some)} unknown values are too many, at most {MOST_HIDDEN} are weighed against each other")

    name, steps = some[0].call.mechanic.name, 0

    def count(runs: int) -> None:
        nonlocal steps
        steps += runs
        if steps > MOST_STEPS:
            raise TooMuch(f"{name} takes more than {MOST_STEPS:,} steps for {len(some)} unknown values at once")
        if deadline.passed:
            raise TooMuch(f"{name} takes more than {deadline} for {len(some)} unknown values at once")

    async def in_step() -> Fraction:
        return await _in_step([_Run(one) for one in some], value, count)

    return Call(Mechanic(f"{name} with something unknown", in_step, (), {}), ())


class _Run:
    """The rule for one of the values: what it asks now, or its result."""

    def __init__(self, possible: Possible) -> None:
        self.weight, self.label, call = possible
        self._rule: Rule[Any] = _opened(call, across=False)
        self.ask: Ask[Any] | None = None
        self.result: Any = None

    def go_on(self, answer: Any) -> None:
        """Answer the rule, and see what it asks next."""
        try:
            self.ask = self._rule.send(answer)
        except StopIteration as end:
            self.ask, self.result = None, end.value

    def close(self) -> None:
        """Leave the rule where it is."""
        self._rule.close()

    def key(self) -> Hashable:
        """What the table sees of it: two runs with the same key cannot be told apart."""
        if isinstance(self.ask, Roll):
            return ("roll", self.ask.dice, self.ask.seat)
        if isinstance(self.ask, Choose):
            return ("choose", self.ask.seat, self.ask.question, self.ask.ids)
        return ("end",)


async def _in_step(runs: list[_Run], value: Value, count: Callable[[int], None]) -> Fraction:
    """Go through the rule for all values at once; what is told apart is told by chance, as often as it weighs."""
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
    """What the table learns of the value where the rule goes on differently: chance, but no dice."""

    groups: tuple[tuple[str, int], ...]

    def read(self, face: Face) -> str:
        """Nobody throws it."""
        raise TablewrightError("what is not known cannot be thrown")

    def _weigh(self) -> Dist[str]:
        return Dist(self.groups)

    def __str__(self) -> str:
        return "what is learnt"


def _named(group: Sequence[_Run]) -> str:
    """What can still be the true value."""
    names = [run.label for run in group]
    return f"so it is {', '.join(names)}" if len(names) <= 4 else f"so it is {names[0]}, {names[1]}, ... or {names[-1]}"


async def _opened(call: Call[Any], *, across: bool) -> Any:
    """A call gone through so that only rolls and choices are awaited, whatever it calls on the way."""
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
    """The call that takes the place of another one."""
    if isinstance(ask, Into):
        return ask.following(await _resolved(ask.ask, across=across))
    return ask.call if isinstance(ask, Become) else call


async def _resolved(ask: Ask[Any], *, across: bool) -> Any:
    if isinstance(ask, (Roll, Choose)):
        return await (ask.across() if across else ask)
    if isinstance(ask, Call):
        return await _opened(ask, across=across)
    if isinstance(ask, Mapped):
        return ask.change(await _resolved(ask.ask, across=across))
    if isinstance(ask, Joint):
        first = await _resolved(ask.first, across=across)
        return ask.combine(first, await _resolved(ask.second, across=across))
    if isinstance(ask, (InContext, Across)):
        return await _resolved(ask.ask, across=across ^ isinstance(ask, Across))
    raise BadInput(f"{ask!r:.60} cannot be gone through with something unknown")
