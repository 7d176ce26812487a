"""Playing a rule: every roll is thrown, every choice is made by somebody, and all of it can be read again.

A :class:`Playing` stops at each roll and each choice, so that a person, a bot or a record can answer; :func:`play` and
:func:`replay` are the two loops around it that need nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from tablewright.dice import Dice, Die, Typed
from tablewright.dice.dist import show_outcome
from tablewright.engine.asks import (
    EVERYONE,
    Again,
    Ask,
    Become,
    Choose,
    Finish,
    InContext,
    Into,
    Joint,
    Mapped,
    Roll,
    Rule,
    Seat,
)
from tablewright.engine.mechanic import Call, leave, refuse_foreign, refuse_leaving
from tablewright.engine.trace import Chosen, OutcomeSet, Rolled, Step, Trace, WentOn
from tablewright.errors import BadInput, TablewrightError

T = TypeVar("T")

MOST_ANSWERS = 1_000_000
"""How many rolls and choices one played rule or process may take."""

MOST_DEPTH = 100
"""How deep played rules may call each other."""

MOST_TAILS = 20_000
"""How often one call may be left for another or start afresh before it ends."""

Answer: TypeAlias = tuple[int, ...] | str
"""What a record keeps of one answer: the faces of a roll, or the id of the option taken."""

Chooser: TypeAlias = Callable[[Choose[Any]], int]
"""Answers a choice by the position of the option taken."""


class Source(Protocol):
    """Where faces come from."""

    def face(self, die: Die) -> int:
        """The face of one thrown die."""


@dataclass(frozen=True)
class Played(Generic[T]):
    """The result of a played rule, how it came about, and the answers that bring it about again."""

    result: T
    trace: Trace
    record: tuple[Answer, ...]


_Drive: TypeAlias = Generator[Ask[Any], Any, Any]


class Playing(Generic[T]):
    """A rule in the middle of being played.

    ``question`` is the roll or choice it waits for, or None when it has ended and ``result`` is there. Answer a roll
    with :meth:`roll` or :meth:`type_in`, a choice with :meth:`choose`; a wrong answer is refused and changes nothing.
    When the rule itself fails, the error passes through and ``broken`` says that it cannot go on.
    """

    def __init__(self, rule: Call[T] | Rule[T], log: list[Any] | None = None) -> None:
        self.question: Roll[Any] | Choose[Any] | None = None
        self.record: list[Answer] = []
        self.steps: list[Step] = [] if log is None else log
        self.context: InContext[Any] | None = None
        self.broken = False
        self._result: T | None = None
        self.calls: list[Call[Any]] = []
        self.answers_of_call: list[Any] = []
        self._drive = self._of_call(rule) if isinstance(rule, Call) else self._of_rule(rule)
        self._go_on(None)

    @property
    def result(self) -> T:
        """What the rule gave; an error while it still waits for an answer."""
        if self.question is not None:
            raise TablewrightError(f"the rule has not ended: it waits for {self.question!r}")
        if self.broken:
            raise TablewrightError("the rule failed and has no result")
        return self._result  # type: ignore[return-value]

    @property
    def seat(self) -> str:
        """Who is asked by the present question."""
        asked = self.question.seat if self.question is not None else Seat.ACTOR
        if not isinstance(asked, Seat):
            return asked
        context = self.context
        named = context and {Seat.ACTOR: context.actor, Seat.OPPONENT: context.opponent}.get(asked)
        if named is None and context is not None and isinstance(self.question, Roll):
            named = context.actor  # somebody must throw the dice of a side that nobody plays
        return named or asked.value

    @property
    def audience(self) -> str:
        """Who may see the dice of the present question."""
        return self.context.audience if self.context else EVERYONE

    def trace_so_far(self) -> Trace:
        """The outermost mechanic under way, without a result and without what happens inside others that it calls."""
        if not self.calls:
            raise TablewrightError("no mechanic is under way")
        call, steps = self.calls[0], tuple(self.steps) if len(self.calls) == 1 else ()
        return Trace(call, steps, None) if self.context is None else _trace_in_context(call, steps, None, self.context)

    def roll(self, source: Source) -> None:
        """Throw the dice that the question waits for with faces from ``source``."""
        self._roll(source, None)

    def type_in(self, faces: Iterable[int]) -> None:
        """Answer a roll with the faces of real dice: exactly as many as it needs."""
        typed = Typed(faces)
        self._roll(typed, typed)

    def _roll(self, source: Source, to_use_up: Typed | None) -> None:
        if not isinstance(self.question, Roll):
            raise BadInput("no roll is asked for now")
        faces: list[int] = []
        take = source.face

        def keep(die: Die) -> int:
            face = take(die)
            faces.append(face)
            return face

        dice = self.question.dice
        outcome = dice.read(keep)
        if to_use_up is not None:
            to_use_up.finish()
        shown = tuple(faces)
        self.record.append(shown)
        self.steps.append(Rolled(dice, shown, outcome))
        self._go_on(outcome)

    def choose(self, position: int) -> None:
        """Take the option at ``position``."""
        asked = self.question
        if not isinstance(asked, Choose):
            raise BadInput("no choice is asked for now")
        if type(position) is not int or not 0 <= position < len(asked.options):
            raise BadInput(f'"{asked.question}" has the options 0 to {len(asked.options) - 1}, not {position!r}')
        self.record.append(asked.ids[position])
        self.steps.append(Chosen(self.seat, asked.question, asked.ids[position]))
        self._go_on(asked.options[position])

    def set_outcome(self, outcome: str, reason: str) -> None:
        """Settle a roll without dice: somebody who may do so says what it came out as, and why."""
        if not isinstance(self.question, Roll):
            raise BadInput("no roll is asked for now")
        possible = {show_outcome(known): known for known in self.question.dice.weigh().outcomes}
        if outcome not in possible:
            allowed = f"{', '.join(list(possible)[:12])}{', ...' if len(possible) > 12 else ''}"
            raise BadInput(f'{self.question!r} cannot come out as "{outcome:.40}"; it can as {allowed}')
        self.steps.append(OutcomeSet(str(self.question.dice), outcome, reason))
        self._go_on(possible[outcome])

    def answer(self, recorded: Answer) -> None:
        """Answer as a record says: faces for a roll, an option's id for a choice."""
        if isinstance(recorded, str):
            if not isinstance(self.question, Choose):
                raise BadInput(f'the record says "{recorded:.40}", but {self.question!r} is asked')
            self.question.option(recorded)
            self.choose(self.question.ids.index(recorded))
        else:
            self.type_in(recorded)

    def _go_on(self, answer: Any) -> None:
        if self.calls:
            self.answers_of_call.append(answer)
        try:
            if len(self.record) > MOST_ANSWERS:
                raise TablewrightError(f"the rule does not end: more than {MOST_ANSWERS:,} answers were given")
            self.question = self._drive.send(answer)  # type: ignore[assignment]
        except StopIteration as end:
            self.question = None
            self._result = end.value
        except BaseException:
            self.question = None
            self.broken = True
            self._drive.close()
            raise

    # ------------------------------------------------------------------ answering asks by further asks

    def _of_rule(self, rule: Rule[Any]) -> _Drive:
        """Run a coroutine to its end."""
        answer = None
        try:
            while True:
                try:
                    ask = rule.send(answer)
                except StopIteration as end:
                    return end.value
                if isinstance(ask, (Become, Again, Into, Finish)):
                    refuse_leaving()
                answer = yield from self._of_ask(ask, rule)
        finally:
            rule.close()

    def _of_call(self, call: Call[Any], context: InContext[Any] | None = None) -> _Drive:
        """Run a mechanic to its end, following tail calls; its steps become one trace."""
        calls = self.calls
        if not calls:
            self.answers_of_call = []
        calls.append(call)
        if len(calls) > MOST_DEPTH:
            raise TablewrightError(f"{call!r} is nested more than {MOST_DEPTH} calls deep")
        outer, self.steps = self.steps, []
        current, rule = call, call.start()
        tails = 0
        answer = result = None
        try:
            while True:
                try:
                    ask = rule.send(answer)
                except StopIteration as end:
                    result = end.value
                    break
                kind = type(ask)
                if kind is Roll:
                    answer = yield ask
                    continue
                if kind is Finish:
                    result = yield from self._of_ask(ask.ask, current)  # type: ignore[attr-defined]
                    break
                if kind is not Become and kind is not Again and kind is not Into:
                    answer = yield from self._of_ask(ask, current)
                    continue
                following = current
                if isinstance(ask, Become):
                    following = ask.call
                elif isinstance(ask, Into):
                    following = ask.following((yield from self._of_ask(ask.ask, current)))
                leave(rule, current)
                tails += 1
                if tails > MOST_TAILS:
                    raise TablewrightError(f"{call!r} does not end: it was left for another call {MOST_TAILS:,} times")
                if not isinstance(following, Call):
                    raise TablewrightError(f"{current!r} can be left only for a call, not for {following!r:.60}")
                self.steps.append(WentOn(following, following == current))
                current, rule, answer = following, following.start(), None
        finally:
            leave(rule, current)
        steps, self.steps = tuple(self.steps), outer
        outer.append(Trace(call, steps, result) if context is None else _trace_in_context(call, steps, result, context))
        calls.pop()
        return result

    def _of_ask(self, ask: Ask[Any], asker: object) -> _Drive:
        if isinstance(ask, Roll):
            return (yield ask)
        if isinstance(ask, Choose):
            return ask.options[0] if len(ask.options) == 1 else (yield ask)
        if isinstance(ask, Call):
            return (yield from self._of_call(ask))
        if isinstance(ask, Mapped):
            return ask.change((yield from self._of_ask(ask.ask, asker)))
        if isinstance(ask, Joint):
            first = yield from self._of_ask(ask.first, asker)
            return ask.combine(first, (yield from self._of_ask(ask.second, asker)))
        if isinstance(ask, InContext):
            outer, self.context = self.context, ask
            if isinstance(ask.ask, Call):
                answer = yield from self._of_call(ask.ask, ask)
            else:
                answer = yield from self._of_ask(ask.ask, asker)
            self.context = outer
            return answer
        if isinstance(ask, (Become, Again, Into, Finish)):
            raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")
        return refuse_foreign(ask, asker)


def _trace_in_context(call: Call[Any], steps: tuple[Step, ...], result: Any, context: InContext[Any]) -> Trace:
    return Trace(
        call,
        steps,
        result,
        dict(context.tallies),
        context.actor,
        context.opponent,
        context.audience,
        context.hide,
        dict(context.private),
    )


def play(call: Call[T], dice: Source | None = None, chooser: Chooser | None = None) -> Played[T]:
    """Play a call to its end, with generated or typed-in dice.

    Choices are made by ``chooser``; without one every choice takes its default, which is the first option unless the
    rule says otherwise.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.check.resolve"])
    ... async def check(target: int) -> bool:
    ...     "Roll two dice and reach the target."
    ...     return await d(6, 2) >= target
    >>> play(check(8), Typed([3, 5])).result
    True
    """
    source = Dice() if dice is None else dice
    playing = Playing(call)
    while (question := playing.question) is not None:
        if isinstance(question, Roll):
            playing.roll(source)
        else:
            playing.choose(question.default if chooser is None else chooser(question))
    if isinstance(source, Typed):
        source.finish()
    return _played(playing)


def replay(call: Call[T], record: Sequence[Answer | Sequence[int]]) -> Played[T]:
    """Play a call again from its record: the same result and the same trace, byte for byte."""
    playing = Playing(call)
    for position, recorded in enumerate(record):
        if playing.question is None:
            raise BadInput(f"the record goes on after the end: {len(record) - position} answers are left over")
        playing.answer(recorded if isinstance(recorded, str) else tuple(recorded))
    if playing.question is not None:
        raise BadInput(f"the record ends too early: {playing.question!r} has no answer")
    return _played(playing)


def _played(playing: Playing[T]) -> Played[T]:
    (trace,) = playing.steps
    assert isinstance(trace, Trace)
    return Played(playing.result, trace, tuple(playing.record))
