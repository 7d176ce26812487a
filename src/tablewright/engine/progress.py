"""A rule in progress, run again from where it was last left, with the answers that were given."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import TypedDice
from tablewright.dice.outcomes import format_outcome
from tablewright.engine.choice import Choice
from tablewright.engine.continuation import (
    Continuation,
    Place,
    call_step,
    change_step,
    join_on_step,
    join_step,
    rest_step,
    swap_step,
)
from tablewright.engine.mechanic import Call, demand_call, refuse_foreign
from tablewright.engine.play import Answer, SetOutcome
from tablewright.engine.request import (
    Again,
    Attributed,
    Become,
    Finish,
    Into,
    Joint,
    Mapped,
    Request,
    Roll,
    Swapped,
    become,
    finish,
)
from tablewright.errors import InvalidInputError, TablewrightError


class HiddenDependencyError(TablewrightError):
    """Refusal of an answer that depends on information hidden from the seat."""

    def __init__(self, call: Call[Any], what: Sequence[str]) -> None:
        self.what = tuple(what)
        super().__init__(f"{call.mechanic.name} depends here on what this seat may not know: {', '.join(what)}")


After: TypeAlias = tuple[Callable[[Any], Request[Any]], ...]
"""Functions from a result to the next call, in order."""

Continuations: TypeAlias = tuple[Continuation, ...]
"""Steps from the value of the whole rule to that of a part of it, the innermost first."""


class ResumePoint(NamedTuple):
    """Resume point of a rule in progress: the last call begun and the answers given in it.

    ``after`` lists the functions from its result to the next call, in order. The rest of a rule is run once per path;
    resuming here saves running it from the beginning each time.
    """

    call: Call[Any]
    given: Sequence[tuple[Request[Any], Answer]]
    after: After


class WaitingRule(NamedTuple):
    """A rule at the open question: its call, the answers sent to it so far, and the steps from its result onwards."""

    call: Call[Any]
    sent: list[Any]
    steps: Continuations


class RuleProgress:
    """Progress of a rule: the point at which its next run resumes, and the rule that waits.

    ``waits`` is None if the open question is part of another request.
    """

    __slots__ = ("begins", "waits")

    def __init__(self, begins: ResumePoint) -> None:
        self.begins = begins
        self.waits: WaitingRule | None = None


class RecordedAnswers:
    """Answers given in a rule in progress, up to the open question.

    The rule may run with other arguments than it was played with, and may then ask more or fewer choices. Recorded
    choices that it does not ask are skipped; choices without a recorded answer take their default. Without an open
    question the past ends with its last answer.
    """

    def __init__(self, call: Call[Any], now: Roll[Any] | Choice[Any] | None, progress: RuleProgress) -> None:
        self.call = call
        self.given = deque(progress.begins.given)
        self.now = now
        self.over = False
        self.progress = progress

    def begin(self, call: Call[Any], after: After | None) -> None:
        """Make a call the resume point, unless the past is over or ``after`` is None."""
        if after is not None and not self.over:
            self.progress.begins = ResumePoint(call, tuple(self.given), after)

    def rolled(self, ask: Roll[Any]) -> Any:
        """Read the recorded faces with the dice requested here; None once the recorded answers are used up."""
        while self.given and isinstance(self.given[0][0], Choice):
            self.given.popleft()
        if not self.given:
            self.over = self.now is None or isinstance(self.now, Roll)
            if not self.over:
                raise HiddenDependencyError(self.call, [f"whether {ask!r} is asked for"])
            return None
        _, answer = self.given.popleft()
        try:
            if isinstance(answer, SetOutcome):
                return {format_outcome(outcome): outcome for outcome in ask.dice.weigh().outcomes}[answer.outcome]
            typed = TypedDice(answer)  # type: ignore[arg-type]
            outcome = ask.dice.read(typed.face)
            typed.finish()
        except (InvalidInputError, KeyError):
            raise HiddenDependencyError(self.call, [f"how {ask!r} came about"]) from None
        return outcome

    def chosen(self, ask: Choice[Any]) -> Any:
        """Return the recorded option, or the default of a choice that was not asked in play."""
        for place, (asked, answer) in enumerate(self.given):
            if isinstance(asked, Roll):
                break
            if isinstance(asked, Choice) and asked.question == ask.question:
                if answer not in ask.ids:
                    raise HiddenDependencyError(self.call, [f'what could be chosen for "{ask.question}"'])
                for _ in range(place + 1):
                    self.given.popleft()
                return ask.option(answer)
        if self.now is None and not self.given:
            self.over = True
        elif isinstance(self.now, Choice) and self.now.question == ask.question:
            if self.now.ids != ask.ids or any(isinstance(asked, Roll) for asked, _ in self.given):
                raise HiddenDependencyError(self.call, ["what has happened so far"])
            self.over = True
        return ask.options[ask.default]


async def run_on(
    call: Call[Any],
    past: RecordedAnswers,
    *,
    across: bool,
    last: bool,
    after: After | None,
    steps: Continuations | None = None,
) -> Any:
    """Run a call with the recorded answers first; request everything after them from the driver.

    ``last`` means that the result is returned unchanged; what follows the past can then be a tail call, weighed for all
    answers at once. ``after`` lists the functions from the result to the next call, or is None if the result is used in
    any other way. ``steps`` lead from the value of the whole rule to that of the result, the innermost first; without
    them no value is wanted.
    """
    while True:
        past.begin(call, after)
        rule, answer = call.start(), None
        sent: list[Any] = []
        following: Call[Any] | None = None
        while following is None:
            try:
                ask = rule.send(answer)
            except StopIteration as end:
                return end.value
            if past.over:
                steps = None
            elif steps is not None:
                past.progress.waits = WaitingRule(call, sent, steps) if isinstance(ask, Choice) else None
            place = (call, tuple(sent))
            if isinstance(ask, Become):
                following = demand_call(ask.call, call)
            elif isinstance(ask, Again):
                following = call
            elif isinstance(ask, Into):
                if past.over and last and not across:
                    rule.close()
                    return await ask
                then = None if after is None else (ask.following, *after)
                on = None if steps is None else (call_step(ask.following, call, place, last=not steps), *steps)
                outcome = await _resolve(ask.ask, past, place, across=across, last=False, after=then, steps=on)
                following = demand_call(ask.following(outcome), call)
            elif isinstance(ask, Finish):
                rule.close()
                return await _resolve(ask.ask, past, place, across=across, last=last, after=after, steps=steps)
            else:
                on = None if steps is None else (rest_step(place), *steps)
                answer = await _resolve(ask, past, place, across=across, last=False, after=None, steps=on)
                sent.append(answer)
        rule.close()
        if past.over:
            if last:
                return await (finish(following.by_opponent()) if across else become(following))
            return await (following.by_opponent() if across else following)
        call = following


async def _resolve(
    ask: Request[Any],
    past: RecordedAnswers,
    place: Place,
    *,
    across: bool,
    last: bool,
    after: After | None,
    steps: Continuations | None = None,
) -> Any:
    if isinstance(ask, (Roll, Choice)) and not past.over and not (isinstance(ask, Choice) and ask.by_itself):
        answer = past.rolled(ask) if isinstance(ask, Roll) else past.chosen(ask)
        if not past.over:
            return answer
    if past.over:
        whose = ask.by_opponent() if across else ask
        return await (finish(whose) if last else whose)
    if isinstance(ask, Choice):
        return ask.options[0]
    if isinstance(ask, Call):
        return await run_on(ask, past, across=across, last=last, after=after, steps=steps)
    if isinstance(ask, Mapped):
        on = None if steps is None else (change_step(ask.change, place), *steps)
        return ask.change(await _resolve(ask.ask, past, place, across=across, last=False, after=None, steps=on))
    if isinstance(ask, Joint):
        on = None if steps is None else (join_step(ask, place), *steps)
        first = await _resolve(ask.first, past, place, across=across, last=False, after=None, steps=on)
        on = None if steps is None else (join_on_step(ask, first, place), *steps)
        return ask.combine(
            first, await _resolve(ask.second, past, place, across=across, last=False, after=None, steps=on)
        )
    if isinstance(ask, Attributed):
        return await _resolve(ask.ask, past, place, across=across, last=last, after=after, steps=steps)
    if isinstance(ask, Swapped):
        on = None if steps is None else (swap_step(place), *steps)
        return await _resolve(ask.ask, past, place, across=not across, last=last, after=None, steps=on)
    return refuse_foreign(ask, "a rule under way")
