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
    Across,
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
from tablewright.engine.mechanic import Call, leave, refuse_foreign, refuse_leaving, refuse_named
from tablewright.engine.trace import Chosen, OutcomeSet, Rolled, Step, Trace, TraceSoFar, WentOn
from tablewright.errors import BadInput, TablewrightError

T = TypeVar("T")

MOST_ANSWERS = 1_000_000
"""How many rolls and choices one played rule or process may take."""

MOST_DEPTH = 100
"""How deep played rules may call each other."""

MOST_TAILS = 20_000
"""How often one call may be left for another or start afresh before it ends."""


@dataclass(frozen=True, slots=True)
class Set:
    """Somebody who may do so set the outcome of a roll instead of having it rolled."""

    outcome: str
    reason: str


Answer: TypeAlias = tuple[int, ...] | str | Set
"""What a record keeps of one answer: the faces of a roll or what it was set to, or the id of the option taken."""

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


_ACTOR = Seat.ACTOR
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
        self.asked_of_call: list[Roll[Any] | Choose[Any]] = []
        self._call_began = 0
        self._across = False
        self._open: list[tuple[list[Step], InContext[Any] | None]] = []  # of every call: the steps outside, the context
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
        named = context and context.named(asked)
        if named is None and context is not None and isinstance(self.question, Roll):
            named = context.actor  # somebody must throw the dice of a side that nobody plays
        return named or asked.value

    @property
    def audience(self) -> str:
        """Who may see the dice of the present question."""
        return self.context.audience if self.context else EVERYONE

    @property
    def context_of_call(self) -> InContext[Any] | None:
        """Who is who in the outermost mechanic under way, and what is secret of its arguments."""
        return self._open[0][1] if self._open else None

    @property
    def record_of_call(self) -> tuple[Answer, ...]:
        """The answers that were given in the outermost mechanic under way."""
        return tuple(self.record[self._call_began :]) if self.calls else ()

    def trace_so_far(self) -> Trace:
        """What lies on the table of the outermost mechanic under way, with everything inside the rules that it calls.

        >>> from tablewright.engine import Seat, choose, d, mechanic
        >>> @mechanic(rules=["demo.coin.toss"])
        ... async def toss() -> int:
        ...     "Toss a coin, and take it or leave it."
        ...     face = await d(2)
        ...     return face if await choose(Seat.ACTOR, "take it?", ["yes", "no"]) == "yes" else 0
        >>> @mechanic(rules=["demo.coin.both"])
        ... async def both_sides() -> int:
        ...     "One coin each."
        ...     return await toss() - await toss().across()
        >>> playing = Playing(both_sides())
        >>> for answer in [(2,), "yes", (1,)]:
        ...     playing.answer(answer)
        >>> print(playing.trace_so_far().explain())
        demo.both_sides
          demo.toss
            rolled d2: 2 = 2
            actor chose yes (take it?)
            -> 2
          demo.toss by opponent
            opponent rolled d2: 1 = 1
          [demo.coin.both]
          [demo.coin.toss]
        """
        if not self.calls:
            raise TablewrightError("no mechanic is under way")
        inner: tuple[Trace, ...] = ()
        insides = [*[outside for outside, _ in self._open[1:]], self.steps]
        for call, (_, context), inside in zip(
            reversed(self.calls), reversed(self._open), reversed(insides), strict=True
        ):
            inner = (_trace(call, (*inside, *inner), None, context, under_way=True),)
        return inner[0]

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

        asked = self.question
        dice = asked.dice
        outcome = dice.read(keep)
        if to_use_up is not None:
            to_use_up.finish()
        shown = tuple(faces)
        self.record.append(shown)
        self.steps.append(Rolled(dice, shown, outcome, None if asked.seat is _ACTOR else self.seat))
        self._go_on(outcome)

    def choose(self, position: int) -> None:
        """Take the option at ``position``."""
        asked = self.question
        if not isinstance(asked, Choose):
            raise BadInput("no choice is asked for now")
        if type(position) is not int or not 0 <= position < len(asked.options):
            raise BadInput(f'"{asked.question}" has the options 0 to {len(asked.options) - 1}, not {position!r}')
        taken = asked.id_at(position)
        self.record.append(taken)
        self.steps.append(Chosen(self.seat, asked.question, taken))
        self._go_on(asked.options[position])

    def set_outcome(self, outcome: str, reason: str) -> None:
        """Settle a roll without dice: somebody who may do so says what it came out as, and why."""
        if not isinstance(self.question, Roll):
            raise BadInput("no roll is asked for now")
        possible = {show_outcome(known): known for known in self.question.dice.weigh().outcomes}
        if outcome not in possible:
            allowed = f"{', '.join(list(possible)[:12])}{', ...' if len(possible) > 12 else ''}"
            raise BadInput(f'{self.question!r} cannot come out as "{outcome:.40}"; it can as {allowed}')
        self.record.append(Set(outcome, reason))
        self.steps.append(OutcomeSet(str(self.question.dice), outcome, reason))
        self._go_on(possible[outcome])

    def answer(self, recorded: Answer) -> None:
        """Answer as a record says: faces for a roll or what it was set to, an option's id for a choice."""
        if isinstance(recorded, Set):
            self.set_outcome(recorded.outcome, recorded.reason)
        elif isinstance(recorded, str):
            if not isinstance(self.question, Choose):
                raise BadInput(f'the record says "{recorded:.40}", but {self.question!r} is asked')
            taken = self.question.option(recorded)
            ids = self.question.ids
            self.choose(ids.index(recorded) if recorded in ids else self.question.options.index(taken))
        else:
            self.type_in(recorded)

    def _go_on(self, answer: Any) -> None:
        if self.calls:
            self.asked_of_call.append(self.question)  # type: ignore[arg-type]
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
            self.asked_of_call = []
            self._call_began = len(self.record)
        calls.append(call)
        if len(calls) > MOST_DEPTH:
            raise TablewrightError(f"{call!r} is nested more than {MOST_DEPTH} calls deep")
        outer, self.steps = self.steps, []
        self._open.append((outer, context))
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
                    answer = yield (ask.across() if self._across else ask)
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
        outer.append(Trace(call, steps, result) if context is None else _trace(call, steps, result, context))
        self._open.pop()
        calls.pop()
        return result

    def _of_ask(self, ask: Ask[Any], asker: object, context: InContext[Any] | None = None) -> _Drive:
        """``context`` is what was said of just this ask, and so belongs to its trace."""
        if isinstance(ask, Roll):
            return (yield (ask.across() if self._across else ask))
        if isinstance(ask, Choose):
            if self.calls and isinstance(ask.seat, str):
                refuse_named(ask, asker)
            if ask.by_itself:
                return ask.options[0]
            return (yield (ask.across() if self._across else ask))
        if isinstance(ask, Call):
            return (yield from self._of_call(ask, context))
        if isinstance(ask, Mapped):
            return ask.change((yield from self._of_ask(ask.ask, asker, context)))
        if isinstance(ask, Joint):
            first = yield from self._of_ask(ask.first, asker)
            return ask.combine(first, (yield from self._of_ask(ask.second, asker)))
        if isinstance(ask, InContext):
            outer = self.context, self._across
            self.context, self._across = ask, False
            answer = yield from self._of_ask(ask.ask, asker, ask)
            self.context, self._across = outer
            return answer
        if isinstance(ask, Across):
            self._across = not self._across
            answer = yield from self._of_ask(ask.ask, asker, self._seen_across(context))
            self._across = not self._across
            return answer
        if isinstance(ask, (Become, Again, Into, Finish)):
            raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")
        return refuse_foreign(ask, asker)

    def _seen_across(self, said: InContext[Any] | None) -> InContext[Any]:
        """Who is who for the trace of a call that the other side makes, with what was said of just this call."""
        now = self.context
        seats = (now.actor, now.opponent, now.ally, now.opponents_ally) if now else ("actor", None, None, None)
        if self._across:
            seats = (seats[1] or Seat.OPPONENT.value, seats[0], seats[3], seats[2])
        audience = now.audience if now else EVERYONE
        if said is None:
            return InContext(_NOTHING, seats, audience, (), {}, {})
        private = {name: owner.across for name, owner in said.private.items()}
        return InContext(_NOTHING, seats, audience, said.hide, private, said.tallies)


_NOTHING: Ask[Any] = Again()


def _trace(
    call: Call[Any], steps: tuple[Step, ...], result: Any, context: InContext[Any] | None, *, under_way: bool = False
) -> Trace:
    kind = TraceSoFar if under_way else Trace
    if context is None:
        return kind(call, steps, result)
    return kind(
        call,
        steps,
        result,
        dict(context.tallies),
        context.actor,
        context.opponent,
        context.audience,
        context.hide,
        {name: context.named(owner) for name, owner in context.private.items()},
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
        playing.answer(recorded if isinstance(recorded, (str, Set)) else tuple(recorded))
    if playing.question is not None:
        raise BadInput(f"the record ends too early: {playing.question!r} has no answer")
    return _played(playing)


def _played(playing: Playing[T]) -> Played[T]:
    (trace,) = playing.steps
    assert isinstance(trace, Trace)
    return Played(playing.result, trace, tuple(playing.record))
