"""Play driver: throws every roll, has every choice made, and records all answers.

A :class:`Playthrough` stops at each roll and each choice; a person, a bot or a record can answer. :func:`play` and
:func:`replay` run it to the end without a person.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from tablewright.dice import Die, SeededDice, TypedDice
from tablewright.dice.outcomes import format_outcome
from tablewright.engine.choice import Choice
from tablewright.engine.mechanic import (
    CERTAIN,
    Call,
    Mechanic,
    Until,
    demand_call,
    leave,
    refuse_foreign,
    refuse_leaving,
    refuse_named,
)
from tablewright.engine.options import Role, option_id
from tablewright.engine.request import (
    EVERYONE,
    Again,
    Attributed,
    Become,
    Finish,
    Into,
    Joint,
    Mapped,
    Request,
    Roll,
    RunningRule,
    Swapped,
)
from tablewright.engine.trace import ChoiceStep, PartialTrace, RollStep, RulingStep, Step, TailStep, Trace
from tablewright.errors import InvalidInputError, TablewrightError

T = TypeVar("T")

MOST_ANSWERS = 1_000_000
"""Upper bound for the rolls and choices of one played rule or process."""

MOST_DEPTH = 100
"""Upper bound for the nesting depth of played calls."""

MOST_TAILS = 20_000
"""Upper bound for the tail calls and restarts within one call."""


@dataclass(frozen=True, slots=True)
class SetOutcome:
    """Outcome of a roll set by a ruling instead of by dice."""

    outcome: str
    reason: str


Answer: TypeAlias = tuple[int, ...] | str | SetOutcome
"""Recorded answer: the faces of a roll or its set outcome, or the id of the option taken."""

Chooser: TypeAlias = Callable[[Choice[Any]], int]
"""Function from a choice to the position of the option taken."""


class Source(Protocol):
    """Source of faces."""

    def face(self, die: Die) -> int:
        """Throw one die."""


@dataclass(frozen=True)
class PlayResult(Generic[T]):
    """Result of a played rule, its trace, and the answers that replay it."""

    result: T
    trace: Trace
    record: tuple[Answer, ...]


_ACTOR = Role.ACTOR
_Drive: TypeAlias = Generator[Request[Any], Any, Any]


class Playthrough(Generic[T]):
    """A rule being played.

    ``question`` is the roll or choice it waits for, or None once it has ended and ``result`` is available. Answer a
    roll with :meth:`roll` or :meth:`type_in` and a choice with :meth:`choose`; an invalid answer is refused and changes
    nothing. If the rule itself fails, the error propagates and ``broken`` is set; the rule cannot continue.
    """

    def __init__(self, rule: Call[T] | RunningRule[T], log: list[Any] | None = None) -> None:
        self.question: Roll[Any] | Choice[Any] | None = None
        self.record: list[Answer] = []
        self.steps: list[Step] = [] if log is None else log
        self.context: Attributed[Any] | None = None
        self.broken = False
        self._result: T | None = None
        self.calls: list[Call[Any]] = []
        self.asked_of_call: list[Roll[Any] | Choice[Any]] = []
        self._call_began = 0
        self._across = False
        self._open: list[tuple[list[Step], Attributed[Any] | None]] = []  # per call: the steps outside it, its context
        self._drive = self._of_call(rule) if isinstance(rule, Call) else self._of_rule(rule)
        self._go_on(None)

    @property
    def result(self) -> T:
        """Result of the rule; raises an error if the rule still waits for an answer or has failed."""
        if self.question is not None:
            raise TablewrightError(f"the rule has not ended: it waits for {self.question!r}")
        if self.broken:
            raise TablewrightError("the rule failed and has no result")
        return self._result  # type: ignore[return-value]

    @property
    def seat(self) -> str:
        """Seat that must answer the open question."""
        asked = self.question.seat if self.question is not None else Role.ACTOR
        if not isinstance(asked, Role):
            return asked
        context = self.context
        named = context and context.named(asked)
        if named is None and context is not None and isinstance(self.question, Roll):
            named = context.actor  # the actor throws for a side without a seat
        return named or asked.value

    @property
    def audience(self) -> str:
        """Audience of the dice of the open question."""
        return self.context.audience if self.context else EVERYONE

    @property
    def context_of_call(self) -> Attributed[Any] | None:
        """Attribution of the outermost call in progress: its seats and secret arguments; None if it has none."""
        return self._open[0][1] if self._open else None

    @property
    def record_of_call(self) -> tuple[Answer, ...]:
        """Answers given in the outermost call in progress."""
        return tuple(self.record[self._call_began :]) if self.calls else ()

    def trace_so_far(self) -> Trace:
        """Trace of the outermost call in progress, including the calls inside it.

        >>> from tablewright.engine import Role, choose, d, mechanic
        >>> @mechanic(rules=["demo.coin.toss"])
        ... async def toss() -> int:
        ...     "Toss a coin, and take it or leave it."
        ...     face = await d(2)
        ...     return face if await choose(Role.ACTOR, "take it?", ["yes", "no"]) == "yes" else 0
        >>> @mechanic(rules=["demo.coin.both"])
        ... async def both_sides() -> int:
        ...     "One coin each."
        ...     return await toss() - await toss().by_opponent()
        >>> playing = Playthrough(both_sides())
        >>> for answer in [(2,), "yes", (1,)]:
        ...     playing.answer(answer)
        >>> print(playing.trace_so_far().explain())
        demo.both_sides
          demo.toss
            rolled d2: 2 = 2
            actor chose yes (take it?)
            gives 2
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
        """Throw the requested dice with faces from ``source``."""
        self._roll(source, None)

    def type_in(self, faces: Iterable[int]) -> None:
        """Answer a roll with the faces of real dice; missing and extra faces are refused."""
        typed = TypedDice(faces)
        self._roll(typed, typed)

    def _roll(self, source: Source, to_use_up: TypedDice | None) -> None:
        if not isinstance(self.question, Roll):
            raise InvalidInputError("no roll is asked for now")
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
        self.steps.append(RollStep(dice, shown, outcome, None if asked.seat is _ACTOR else self.seat))
        self._go_on(outcome)

    def choose(self, position: int) -> None:
        """Take the option at ``position``."""
        asked = self.question
        if not isinstance(asked, Choice):
            raise InvalidInputError("no choice is asked for now")
        if type(position) is not int or not 0 <= position < len(asked.options):
            raise InvalidInputError(
                f'"{asked.question}" has the options 0 to {len(asked.options) - 1}, not {position!r}'
            )
        self._take(asked.id_at(position), asked.options[position])

    def _take(self, name: str, option: Any) -> None:
        """Record the id of an option and go on with it."""
        asked = self.question
        assert isinstance(asked, Choice)
        self.record.append(name)
        self.steps.append(ChoiceStep(self.seat, asked.question, name))
        self._go_on(option)

    def set_outcome(self, outcome: str, reason: str) -> None:
        """Set the outcome of a roll by a ruling, with a reason; impossible outcomes are refused."""
        if not isinstance(self.question, Roll):
            raise InvalidInputError("no roll is asked for now")
        possible = {format_outcome(known): known for known in self.question.dice.weigh().outcomes}
        if outcome not in possible:
            allowed = f"{', '.join(list(possible)[:12])}{', ...' if len(possible) > 12 else ''}"
            raise InvalidInputError(f'{self.question!r} cannot come out as "{outcome:.40}"; it can as {allowed}')
        self.record.append(SetOutcome(outcome, reason))
        self.steps.append(RulingStep(str(self.question.dice), outcome, reason))
        self._go_on(possible[outcome])

    def answer(self, recorded: Answer) -> None:
        """Give a recorded answer: faces or a set outcome for a roll, an option's id for a choice."""
        if isinstance(recorded, SetOutcome):
            self.set_outcome(recorded.outcome, recorded.reason)
        elif isinstance(recorded, str):
            if not isinstance(self.question, Choice):
                raise InvalidInputError(f'the record says "{recorded:.40}", but {self.question!r} is asked')
            taken = self.question.option(recorded)
            self._take(recorded if recorded in self.question.ids else option_id(taken), taken)
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

    # ------------------------------------------------------------------ resolving requests

    def _of_rule(self, rule: RunningRule[Any]) -> _Drive:
        """Run a coroutine to its end."""
        answer = None
        try:
            while True:
                try:
                    ask = rule.send(answer)
                except StopIteration as end:
                    return end.value
                if isinstance(ask, Choice):
                    answer = ask.options[0] if ask.by_itself else (yield ask)
                    continue
                if isinstance(ask, (Become, Again, Into, Finish)):
                    refuse_leaving()
                answer = yield from self._of_ask(ask, rule)
        finally:
            rule.close()

    def _of_call(
        self, call: Call[Any], context: Attributed[Any] | None = None, part: Mechanic[..., Any] | None = None
    ) -> _Drive:
        """Run a mechanic to its end, following tail calls; its steps become one trace.

        With a ``part`` the tail call of that mechanic is the result and is not followed.
        """
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
                    answer = yield (ask.by_opponent() if self._across else ask)
                    continue
                if kind is Finish:
                    result = yield from self._of_ask(ask.ask, current)  # type: ignore[attr-defined]
                    break
                if kind is Call:
                    answer = yield from self._of_call(ask)  # type: ignore[arg-type]
                    continue
                if kind is not Become and kind is not Again and kind is not Into:
                    answer = yield from self._of_ask(ask, current)
                    continue
                following: Request[Any] = current
                if isinstance(ask, Become):
                    following = ask.call
                elif isinstance(ask, Into):
                    following = ask.following((yield from self._of_ask(ask.ask, current)))
                leave(rule, current)
                tails += 1
                if tails > MOST_TAILS:
                    raise TablewrightError(f"{call!r} does not end: it was left for another call {MOST_TAILS:,} times")
                call_after = demand_call(following, current)
                if call_after.mechanic is part:
                    result = call_after
                    break
                if call_after.mechanic is CERTAIN:
                    (result,) = call_after.arguments
                    break
                self.steps.append(TailStep(call_after, call_after == current))
                current, rule, answer = call_after, call_after.start(), None
        finally:
            leave(rule, current)
        steps, self.steps = tuple(self.steps), outer
        if type(result) is Call:  # its trace goes on with the part
            outer.append(_trace(call, steps, None, context, under_way=True))
        else:
            outer.append(Trace(call, steps, result) if context is None else _trace(call, steps, result, context))
        self._open.pop()
        calls.pop()
        return result

    def _of_ask(self, ask: Request[Any], asker: object, context: Attributed[Any] | None = None) -> _Drive:
        """Resolve a request; ``context`` is the attribution of this very request and goes into its trace."""
        if isinstance(ask, Mapped):
            changes = [ask.change]
            inside = ask.ask
            while isinstance(inside, Mapped):
                changes.append(inside.change)
                inside = inside.ask
            if type(inside) is Roll:
                answer = yield (inside.by_opponent() if self._across else inside)
            else:
                answer = yield from self._of_ask(inside, asker, context)
            for change in reversed(changes):
                answer = change(answer)
            return answer
        if isinstance(ask, Attributed):
            outer = self.context, self._across
            self.context, self._across, inner = ask, False, ask.ask
            answer = yield from (
                self._of_call(inner, ask) if isinstance(inner, Call) else self._of_ask(inner, asker, ask)
            )
            self.context, self._across = outer
            return answer
        if isinstance(ask, Roll):
            return (yield (ask.by_opponent() if self._across else ask))
        if isinstance(ask, Choice):
            if self.calls and isinstance(ask.seat, str):
                refuse_named(ask, asker)
            if ask.by_itself:
                return ask.options[0]
            return (yield (ask.by_opponent() if self._across else ask))
        if isinstance(ask, Call):
            return (yield from self._of_call(ask, context))
        if isinstance(ask, Joint):
            first = yield from self._of_ask(ask.first, asker)
            return ask.combine(first, (yield from self._of_ask(ask.second, asker)))
        if isinstance(ask, Swapped):
            self._across = not self._across
            answer = yield from self._of_ask(ask.ask, asker, self._seen_across(context))
            self._across = not self._across
            return answer
        if isinstance(ask, Until):
            if self.calls:
                raise TablewrightError(f"{ask!r}: only a process may stop a call at a part")
            return (yield from self._of_call(ask.call, context, ask.part))
        if isinstance(ask, (Become, Again, Into, Finish)):
            raise TablewrightError(f"{ask!r} leaves the rule and cannot be part of another ask")
        return refuse_foreign(ask, asker)

    def _seen_across(self, said: Attributed[Any] | None) -> Attributed[Any]:
        """Attribution for the trace of a call by the other side, with what ``said`` adds for this call."""
        now = self.context
        seats = (now.actor, now.opponent, now.ally, now.opponents_ally) if now else ("actor", None, None, None)
        if self._across:
            seats = (seats[1] or Role.OPPONENT.value, seats[0], seats[3], seats[2])
        audience = now.audience if now else EVERYONE
        if said is None:
            return Attributed(_NOTHING, seats, audience, (), {}, {})
        private = {name: owner.across for name, owner in said.private.items()}
        return Attributed(_NOTHING, seats, audience, said.hide, private, said.tallies)


_NOTHING: Request[Any] = Again()


def _trace(
    call: Call[Any], steps: tuple[Step, ...], result: Any, context: Attributed[Any] | None, *, under_way: bool = False
) -> Trace:
    kind = PartialTrace if under_way else Trace
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


def play(call: Call[T], dice: Source | None = None, chooser: Chooser | None = None) -> PlayResult[T]:
    """Play a call to its end, with generated or typed dice.

    ``chooser`` answers the choices; without it every choice takes its default, which is the first option unless the
    rule names another.

    >>> from tablewright.engine import d, mechanic
    >>> @mechanic(rules=["demo.check.resolve"])
    ... async def check(target: int) -> bool:
    ...     "Roll two dice and reach the target."
    ...     return await d(6, 2) >= target
    >>> play(check(8), TypedDice([3, 5])).result
    True
    """
    source = SeededDice() if dice is None else dice
    playing = Playthrough(call)
    while (question := playing.question) is not None:
        if isinstance(question, Roll):
            playing.roll(source)
        else:
            playing.choose(question.default if chooser is None else chooser(question))
    if isinstance(source, TypedDice):
        source.finish()
    return _played(playing)


def replay(call: Call[T], record: Sequence[Answer | Sequence[int]]) -> PlayResult[T]:
    """Play a call again from its record, with an identical result and trace."""
    playing = Playthrough(call)
    for position, recorded in enumerate(record):
        if playing.question is None:
            raise InvalidInputError(f"the record goes on after the end: {len(record) - position} answers are left over")
        playing.answer(recorded if isinstance(recorded, (str, SetOutcome)) else tuple(recorded))
    if playing.question is not None:
        raise InvalidInputError(f"the record ends too early: {playing.question!r} has no answer")
    return _played(playing)


def _played(playing: Playthrough[T]) -> PlayResult[T]:
    (trace,) = playing.steps
    assert isinstance(trace, Trace)
    return PlayResult(playing.result, trace, tuple(playing.record))
