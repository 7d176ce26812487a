"""Advice: for every choice a rule asks, what each option leads to, exactly, when everything after it is done well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.dice import Typed
from tablewright.dice.dist import show_outcome
from tablewright.engine.answers import Odds, Way
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
    Seat,
    become,
    finish,
)
from tablewright.engine.deciding import AcrossDecision, CallDecision, Deciding, MappedDecision, Working
from tablewright.engine.mechanic import Call, Mechanic, Value, refuse_foreign
from tablewright.engine.odds import decision_or_odds, known, worth
from tablewright.engine.play import Answer, Playing, Set
from tablewright.engine.tree import Chance, Choice, Deferred, Leaf, Node, Tail, TooMuch, answered
from tablewright.engine.values import to_json
from tablewright.errors import BadInput, TablewrightError

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

    In a rule that starts again ``chance`` is that of the first time through. ``in_chances`` says that the worth of
    every option is declared to be a chance itself.
    """

    question: str
    seat: str
    given: tuple[str, ...]
    chance: Fraction
    options: tuple[Worth, ...]
    in_chances: bool = False

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


class DependsOnHidden(TablewrightError):
    """What somebody would be told depends on something that this seat may not know."""

    def __init__(self, call: Call[Any], what: Sequence[str]) -> None:
        self.what = tuple(what)
        super().__init__(f"{call.mechanic.name} depends here on what this seat may not know: {', '.join(what)}")


def as_seen_by(call: Call[Any], context: InContext[Any] | None, seat: str | None, *, usual: bool = False) -> Call[Any]:
    """A call as a seat may suppose it: what is kept from it is replaced by what its parameters say of the unseen.

    Without a seat nothing is kept back. Where a parameter says nothing, :class:`DependsOnHidden` is raised, or with
    ``usual`` its default is taken, if it has one.
    """
    unknown = context.unknown_to(seat) if context is not None and seat is not None else ()
    if not unknown:
        return call
    arguments, unsaid = list(call.arguments), []
    for at, parameter in enumerate(call.mechanic.params):
        if parameter.name in unknown:
            if parameter.supposable:
                arguments[at] = parameter.unseen
            elif usual and not parameter.required:
                arguments[at] = parameter.default
            else:
                unsaid.append(parameter.name)
    if unsaid:
        raise DependsOnHidden(call, unsaid)
    return Call(call.mechanic, tuple(arguments))


def advise_now(playing: Playing[Any], objective: str | Value | None = None, *, seat: str | None = None) -> Advice:
    """Advice in the middle of a played rule: what each option of the open question, and of those after it, is worth.

    For a ``seat`` it tells nothing that this seat may not know: hidden arguments are what their parameters suppose.
    """
    rest, value = _rest(playing, objective, seat)
    return advise(rest, value)


def best_answer(playing: Playing[Any], objective: str | Value | None = None, *, seat: str | None = None) -> int:
    """The position of the best option of the open question, as far as a seat may know: what a bot answers.

    Only this question is decided, by floats: a fraction of the work of :func:`advise_now`.
    """
    rest, value = _rest(playing, objective, seat)
    decision = decision_or_odds(rest)
    if isinstance(decision, CallDecision) and decision.chain is not None:
        with Working(rest) as work:
            open_now = decision.chain.trees[0].root
            if isinstance(open_now, Choice):
                return Deciding(decision.chain, Way(value), work).taken[open_now]
    raise BadInput("no choice is open")


def _rest(playing: Playing[Any], objective: str | Value | None, seat: str | None) -> tuple[Call[Any], Value]:
    """What is left of the rule under way, as a call of its own, and what its results are worth."""
    question = playing.question
    if not playing.calls or question is None:
        raise BadInput("no rule is under way that could ask for a choice")
    context = playing.context_of_call
    call = as_seen_by(playing.calls[0], context, seat)
    given = tuple(zip(playing.asked_of_call, playing.record_of_call, strict=True))
    blind = context is not None and seat is not None and context.audience not in (EVERYONE, seat)
    if blind and seat != Seat.GAME_MASTER.value and any(isinstance(asked, Roll) for asked, _ in given):
        raise DependsOnHidden(call, ["the dice"])

    begins = [_Begins(call, given, ())]

    async def go_on() -> Any:
        begun, _, after = begins[0]
        past = _Past(call, question, begins)
        result = await _run(begun, past, across=False, last=not after, after=after)
        for number, leads_to in enumerate(after, 1):
            following, last = leads_to(result), number == len(after)
            if not past.over:
                result = await _run(following, past, across=False, last=last, after=after[number:])
            else:
                result = await (become(following) if last else following)
        if not past.over:
            raise DependsOnHidden(call, ["what has happened so far"])
        return result

    rest: Mechanic[..., Any] = Mechanic(f"rest of {call!r}", go_on, call.mechanic.rules, {})
    value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return Call(rest, ()), value


def weigh_options(ask: Choose[Any], seat: str | None = None) -> Situation | None:
    """What each option of a question is worth by the rule that it leads to; None where nobody said what follows.

    Worths are those of the rule's objective; where the chooser is on the other side of the rule the least is the best.

    >>> from tablewright.engine import choose, d, mechanic
    >>> @mechanic(rules=["demo.sum.roll"])
    ... async def total(dice: int) -> int:
    ...     "Roll dice and add them up."
    ...     return await d(6, dice)
    >>> asked = choose("ann", "how many dice hit you?", [2, 1, 3], leads_to=lambda dice: total(dice).across())
    >>> [(worth.id, str(worth.value), worth.best) for worth in weigh_options(asked).options]
    [('2', '7', False), ('1', '7/2', True), ('3', '21/2', False)]
    """
    found = _weighed(ask, seat)
    if found is None:
        return None
    worths, best, in_chances = found
    told = [
        Worth(option, name, value, at == best)
        for at, (option, name, value) in enumerate(zip(ask.options, ask.ids, worths, strict=True))
    ]
    return Situation(ask.question, _named(ask.seat), (), Fraction(1), tuple(told), in_chances)


def best_option(ask: Choose[Any], seat: str | None = None) -> int | None:
    """The position of the best option by the rule that it leads to; None where nobody said what follows."""
    found = _weighed(ask, seat)
    return None if found is None else found[1]


def _weighed(ask: Choose[Any], seat: str | None) -> tuple[list[Fraction], int, bool] | None:
    """What options are worth, the position of the best of them, and whether they are worth chances."""
    if ask.leads_to is None:
        return None
    worths: list[Fraction] = []
    wants_least, in_chances = False, True
    for option in ask.options:
        following, context, across = ask.leads_to(option), None, False
        while isinstance(following, (Across, InContext)):
            across ^= isinstance(following, Across)
            context = following if isinstance(following, InContext) else context
            following = following.ask
        if isinstance(following, Call):
            wants_least = wants_least or across
            call = as_seen_by(following, context, seat)
            worths.append(worth(call, ask.objective))
            in_chances = in_chances and call.mechanic.is_chance(ask.objective)
        elif isinstance(following, (int, Fraction)):
            worths.append(Fraction(following))
            in_chances = False
        else:
            raise TablewrightError(
                f'an option of "{ask.question}" can lead only to a call or a worth, not {following!r:.60}'
            )
    return worths, worths.index(min(worths) if wants_least else max(worths)), in_chances


class _Begins(NamedTuple):
    """Where a rule under way is gone on with: the last call that was begun, and what was answered in it.

    ``after`` are the calls that its result leads to, and so on. Rules are run again for every way through what is left
    of them: then they need not be run from their very beginning.
    """

    call: Call[Any]
    given: Sequence[tuple[Ask[Any], Answer]]
    after: tuple[Callable[[Any], Call[Any]], ...]


class _Past:
    """The answers that were given in a rule under way, up to the question that is open now.

    A rule that is gone through with other arguments than it was played with may ask somebody else more or less often:
    choices that it does not ask are left out, and those that nobody was asked for take their default.
    """

    def __init__(self, call: Call[Any], now: Roll[Any] | Choose[Any], begins: list[_Begins]) -> None:
        self.call = call
        self.given = deque(begins[0].given)
        self.now = now
        self.over = False
        self._begins = begins

    def begin(self, call: Call[Any], after: tuple[Callable[[Any], Call[Any]], ...] | None) -> None:
        """Keep in mind that a call is begun here, where nothing else is under way but what comes after it."""
        if after is not None and not self.over:
            self._begins[0] = _Begins(call, tuple(self.given), after)

    def rolled(self, ask: Roll[Any]) -> Any:
        """What the dice showed, read by the dice that are asked for here."""
        while self.given and isinstance(self.given[0][0], Choose):
            self.given.popleft()
        if not self.given:
            self.over = isinstance(self.now, Roll)
            if not self.over:
                raise DependsOnHidden(self.call, [f"whether {ask!r} is asked for"])
            return None
        _, answer = self.given.popleft()
        try:
            if isinstance(answer, Set):
                return {show_outcome(outcome): outcome for outcome in ask.dice.weigh().outcomes}[answer.outcome]
            typed = Typed(answer)  # type: ignore[arg-type]
            outcome = ask.dice.read(typed.face)
            typed.finish()
        except (BadInput, KeyError):
            raise DependsOnHidden(self.call, [f"how {ask!r} came about"]) from None
        return outcome

    def chosen(self, ask: Choose[Any]) -> Any:
        """What was chosen; the default of what nobody was asked."""
        for place, (asked, answer) in enumerate(self.given):
            if isinstance(asked, Roll):
                break
            if isinstance(asked, Choose) and asked.question == ask.question:
                if answer not in ask.ids:
                    raise DependsOnHidden(self.call, [f'what could be chosen for "{ask.question}"'])
                for _ in range(place + 1):
                    self.given.popleft()
                return ask.option(answer)
        if isinstance(self.now, Choose) and self.now.question == ask.question:
            if self.now.ids != ask.ids or any(isinstance(asked, Roll) for asked, _ in self.given):
                raise DependsOnHidden(self.call, ["what has happened so far"])
            self.over = True
        return ask.options[ask.default]


async def _run(
    call: Call[Any], past: _Past, *, across: bool, last: bool, after: tuple[Callable[[Any], Call[Any]], ...] | None
) -> Any:
    """A call with its first answers given; once they are used up, everything is asked anew.

    ``last`` says that nothing is done with the result: then what comes after the past is left to as it would be in the
    rule itself, all its answers at once. ``after`` are the calls that the result leads to; None where anything else is
    done with it.
    """
    while True:
        past.begin(call, after)
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
                if past.over and last and not across:
                    rule.close()
                    return await ask
                then = None if after is None else (ask.following, *after)
                following = ask.following(await _resolve(ask.ask, past, across=across, last=False, after=then))
            elif isinstance(ask, Finish):
                rule.close()
                return await _resolve(ask.ask, past, across=across, last=last, after=after)
            else:
                answer = await _resolve(ask, past, across=across, last=False, after=None)
        rule.close()
        if past.over:
            if last:
                return await (finish(following.across()) if across else become(following))
            return await (following.across() if across else following)
        call = following


async def _resolve(
    ask: Ask[Any], past: _Past, *, across: bool, last: bool, after: tuple[Callable[[Any], Call[Any]], ...] | None
) -> Any:
    if isinstance(ask, (Roll, Choose)) and not past.over and not (isinstance(ask, Choose) and ask.by_itself):
        answer = past.rolled(ask) if isinstance(ask, Roll) else past.chosen(ask)
        if not past.over:
            return answer
    if past.over:
        whose = ask.across() if across else ask
        return await (finish(whose) if last else whose)
    if isinstance(ask, Choose):
        return ask.options[0]
    if isinstance(ask, Call):
        return await _run(ask, past, across=across, last=last, after=after)
    if isinstance(ask, Mapped):
        return ask.change(await _resolve(ask.ask, past, across=across, last=False, after=None))
    if isinstance(ask, Joint):
        first = await _resolve(ask.first, past, across=across, last=False, after=None)
        return ask.combine(first, await _resolve(ask.second, past, across=across, last=False, after=None))
    if isinstance(ask, InContext):
        return await _resolve(ask.ask, past, across=across, last=last, after=after)
    if isinstance(ask, Across):
        return await _resolve(ask.ask, past, across=not across, last=last, after=None)
    return refuse_foreign(ask, "a rule under way")


class _Walk:
    """Collects the situations met on the way through decided trees, the first ones first."""

    def __init__(self) -> None:
        self.found: list[Situation] = []

    def decision(self, decision: CallDecision, way: Way, chance: Fraction, given: tuple[str, ...]) -> Fraction:
        """Walk through a decided call; gives what it is worth to whoever goes through it."""
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
            ask = node.ask.across() if deciding.way.across else node.ask
            self.found.append(Situation(ask.question, _named(ask.seat), given, chance, tuple(_worths(node, deciding))))
            weights, total = [int(at == taken) for at in range(len(node.children))], 1
        elif isinstance(node, Chance):
            weights, total = node.weights, node.total
        else:
            table = {a: deciding.worth[child] for a, child in zip(node.answers, node.children, strict=True)}
            inner, way = _innermost(node, Way(table.__getitem__, exact=True, across=deciding.way.across))
            if inner is not None:
                self.decision(inner, way, chance, given)
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


def _innermost(node: Deferred, way: Way) -> tuple[CallDecision | None, Way]:
    """The call behind narrowed decisions and those of the other side, and what its own outcomes are worth."""
    decision = node.decision
    while isinstance(decision, (MappedDecision, AcrossDecision)):
        way = way.other() if isinstance(decision, AcrossDecision) else decision.widened(way)
        decision = decision.inner
    return (decision, way) if isinstance(decision, CallDecision) else (None, way)


def _worths(node: Choice, deciding: Deciding) -> Iterator[Worth]:
    """What each option is worth to the one who acts in the whole, whoever goes through this part of it."""
    taken = deciding.taken[node]
    sign = -1 if deciding.way.across else 1
    for position, (option, child) in enumerate(zip(node.ask.options, node.children, strict=True)):
        yield Worth(option, node.ask.ids[position], sign * Fraction(deciding.worth[child]), position == taken)


def _named(seat: Seat | str) -> str:
    return seat.value if isinstance(seat, Seat) else seat
