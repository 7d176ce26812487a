"""Advice: the exact value of every option of every choice, assuming best play afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.dice.outcomes import format_outcome
from tablewright.engine.cache import BoundedCache
from tablewright.engine.choice import Choice
from tablewright.engine.continuation import value_of_results
from tablewright.engine.exact.decisions import (
    CallDecision,
    Chain,
    Deciding,
    MappedDecision,
    SwappedDecision,
    Working,
    advised,
    picked,
    waiting,
)
from tablewright.engine.exact.nodes import ChanceNode, ChoiceNode, Deferred, LeafNode, Node, TailNode
from tablewright.engine.exact.tree import TooComplexError, WorkBudget
from tablewright.engine.json_values import to_json
from tablewright.engine.mechanic import Call, Mechanic, Value, demand_call
from tablewright.engine.odds import chain_from, decision_or_odds, expected_value, known, odds
from tablewright.engine.options import Role
from tablewright.engine.play import Playthrough
from tablewright.engine.progress import HiddenDependencyError, RecordedAnswers, ResumePoint, RuleProgress, run_on
from tablewright.engine.request import EVERYONE, Attributed, Finish, Into, Request, Roll, Swapped, become
from tablewright.engine.results import DecisionRule, Odds
from tablewright.errors import InvalidInputError, TablewrightError

MOST_SITUATIONS = 200
"""Upper bound for the decision points listed in one advice."""


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One option and the exact expected value of the objective if it is taken."""

    option: Any
    id: str
    value: Fraction
    best: bool


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A choice at the point where it arises, with the answers before it and its probability.

    In a rule that can start again, ``chance`` counts only the first pass. ``in_chances`` means that the objective of
    every option is declared as a chance. ``about`` holds the details shown with the question.
    """

    question: str
    seat: str
    given: tuple[str, ...]
    chance: Fraction
    options: tuple[OptionValue, ...]
    in_chances: bool = False
    about: tuple[tuple[str, Any], ...] = ()

    @property
    def best(self) -> OptionValue:
        """Best option."""
        return next(option for option in self.options if option.best)

    @property
    def margin(self) -> Fraction:
        """Difference in value between the best option and the next best; 0 for a tie."""
        others = [abs(self.best.value - option.value) for option in self.options if option is not self.best]
        return min(others, default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Advice:
    """Every choice of a call, and the expected value of the call under best play.

    ``complete`` is False if the call has more decision points than are listed.
    """

    call: Call[Any]
    objective: str
    value: Fraction
    choices: tuple[DecisionPoint, ...]
    complete: bool

    def to_json(self) -> dict[str, Any]:
        """Advice as JSON."""
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
    """Compute the exact expected value of each option of each choice in a call.

    >>> from tablewright.engine import choose, d, mechanic
    >>> @mechanic(rules=["demo.bet.place"])
    ... async def bet() -> int:
    ...     "Take three, or roll a die."
    ...     return 3 if await choose(Role.ACTOR, "safe", [True, False]) else await d(6)
    >>> [(option.id, str(option.value), option.best) for option in advise(bet()).choices[0].options]
    [('True', '3', False), ('False', '7/2', True)]
    """
    if callable(objective):
        return _advice(call, "result", objective)
    name, value = call.mechanic.objective(objective)
    found: Advice | None = advised.get((call, name))
    if found is None:
        found = _advice(call, name, value)
        advised.put((call, name), found)
    return found


def _advice(call: Call[Any], name: str, value: Value) -> Advice:
    answer = known(call)
    if isinstance(answer, Odds):
        return Advice(call, name, answer.expected(value), (), True)
    walk = _Walk()
    expected = walk.decision(answer, DecisionRule(value, exact=True), Fraction(1), ())
    situations = tuple(walk.found[:MOST_SITUATIONS])
    return Advice(call, name, expected, situations, len(walk.found) <= MOST_SITUATIONS)


class _Reached(NamedTuple):
    """Chance of reaching a state and the answers before it; ``given`` is None if several paths lead there."""

    chance: Fraction
    given: tuple[str, ...] | None


def call_as_seen_by(
    call: Call[Any], context: Attributed[Any] | None, seat: str | None, *, usual: bool = False
) -> Call[Any]:
    """Replace the arguments hidden from a seat by the ``unseen`` values of their parameters.

    Without a seat nothing is hidden. A hidden parameter without an ``unseen`` value raises
    :class:`HiddenDependencyError`; with ``usual`` its default is used instead, if it has one.
    """
    unknown = context.unknown_to(seat) if context is not None and seat is not None else ()
    if not unknown:
        return call
    seen = _seen.get((call, unknown, usual))
    if seen is None:
        seen = _unseen(call, unknown, usual)
        _seen.put((call, unknown, usual), seen)
    return seen


_seen: BoundedCache[tuple[Call[Any], tuple[str, ...], bool], Call[Any]] = BoundedCache(4_096)
"""Calls as seats see them: one attack asks its seats several times."""


def _unseen(call: Call[Any], unknown: tuple[str, ...], usual: bool) -> Call[Any]:
    values, unsaid = list(call.values), []
    for at, parameter in enumerate(call.mechanic.params):
        if parameter.name in unknown or parameter.path[0] in unknown:
            if parameter.supposable:
                values[at] = parameter.unseen
            elif usual and not parameter.required:
                values[at] = parameter.default
            else:
                unsaid.append(parameter.name)
    if unsaid:
        raise HiddenDependencyError(call, unsaid)
    return Call(call.mechanic, call.mechanic.signature.gathered(values))


def advise_open_choice(
    playing: Playthrough[Any], objective: str | Value | None = None, *, seat: str | None = None
) -> Advice:
    """Compute advice for the open choice of a playthrough and for the choices after it.

    For a ``seat`` the advice uses only what this seat may know; hidden arguments take their ``unseen`` values.
    """
    rest, value, _ = _rest(playing, objective, seat)
    return advise(rest, value)


def best_answer(playing: Playthrough[Any], objective: str | Value | None = None, *, seat: str | None = None) -> int:
    """Position of the best option of the open choice, by what a seat may know; bots answer with it.

    It decides only this choice, in floats, for a fraction of the work of :func:`advise_open_choice`.
    """
    rest, value, progress = _rest(playing, objective, seat)
    found = _best_in_place(rest, progress, value)
    if found is not None:
        return found
    decision = decision_or_odds(rest)
    if isinstance(decision, CallDecision) and decision.chain is not None:
        with Working(rest) as work:
            open_now = decision.chain.trees[0].root
            if isinstance(open_now, ChoiceNode):
                return Deciding(decision.chain, DecisionRule(value), work).taken[open_now]
    raise InvalidInputError("no choice is open")


def _best_in_place(rest: Call[Any], progress: RuleProgress, value: Value) -> int | None:
    """Position of the best option, from the paths after the open question; None if it cannot be found that way.

    The rule is not run again up to the question. A result has the value of what follows it (:mod:`continuation`).
    """
    whole, run = progress.begins.call, rest.start()
    try:
        run.send(None)
    except StopIteration:
        return None
    finally:
        run.close()
    if progress.waits is None:
        return None
    call, sent, steps = progress.waits
    key = call, tuple(sent), value, tuple([step.key for step in steps]), whole if steps else None
    try:
        known = picked.get(key)
    except TypeError:  # an answer that cannot be hashed
        return _pick(call, key[1], value_of_results(whole, value, steps), rest)
    if known is None:
        known = _pick(call, key[1], value_of_results(whole, value, steps), rest)
        picked.put(key, known)
    return known


def _pick(call: Call[Any], sent: tuple[Any, ...], value: Value, rest: Call[Any]) -> int:
    with Working(rest) as work:
        chain = _chain_from(call, sent, work)
        open_now = chain.trees[0].root
        assert isinstance(open_now, ChoiceNode)
        return Deciding(chain, DecisionRule(value), work).taken[open_now]


def _chain_from(call: Call[Any], sent: tuple[Any, ...], work: WorkBudget) -> Chain:
    """Chain of a waiting rule, cached; it does not depend on the values of its results."""
    try:
        chain = waiting.get((call, sent))
    except TypeError:  # an answer that cannot be hashed
        return chain_from(call, sent, work)
    if chain is None:
        chain = chain_from(call, sent, work)
        waiting.put((call, sent), chain)
    return chain


def rest_of_rule(playing: Playthrough[Any], seat: str | None = None) -> Call[Any]:
    """The rest of the rule in progress as a call, by what a seat may know; its objective is that of the rule."""
    rest, value, _ = _rest(playing, None, seat)
    name = playing.calls[0].mechanic.objective(None)[0]
    return Call(replace(rest.mechanic, objectives={name: value}), ())


def outlook(playing: Playthrough[Any], option: str, *, seat: str | None = None) -> Odds[Any]:
    """Odds of the results of the rule in progress if an option is taken and everything after it is done well.

    "Well" is by the first objective of the rule, for the seat that decides.

    >>> from tablewright.engine import Role, choose, d, mechanic
    >>> @mechanic(rules=["demo.coin.stake"], objectives={"heads": int})
    ... async def stake() -> int:
    ...     "Toss one coin or two."
    ...     return await d(2, await choose(Role.ACTOR, "how many?", [1, 2]))
    >>> outlook(Playthrough(stake()), "2").mean
    Fraction(3, 1)
    """
    rest, value, _ = _rest(playing, None, seat, option)
    return odds(rest, value)


def _rest(
    playing: Playthrough[Any], objective: str | Value | None, seat: str | None, taken: str | None = None
) -> tuple[Call[Any], Value, RuleProgress]:
    """Rest of the rule in progress as a call, the value function of its results, and how far a run of it has come.

    ``taken`` is the option of the open choice that is taken already.
    """
    question = playing.question
    if not playing.calls or question is None:
        raise InvalidInputError("no rule is under way that could ask for a choice")
    context = playing.context_of_call
    call = call_as_seen_by(playing.calls[0], context, seat)
    given = tuple(zip(playing.asked_of_call, playing.record_of_call, strict=True))
    blind = context is not None and seat is not None and context.audience not in (EVERYONE, seat)
    if blind and seat != Role.GAME_MASTER.value and any(isinstance(asked, Roll) for asked, _ in given):
        raise HiddenDependencyError(call, ["the dice"])

    progress = RuleProgress(ResumePoint(call, given if taken is None else (*given, (question, taken)), ()))

    async def go_on() -> Any:
        begun, _, after = progress.begins
        past = RecordedAnswers(call, question if taken is None else None, progress)
        result = await run_on(begun, past, across=False, last=not after, after=after, steps=None if after else ())
        for number, leads_to in enumerate(after, 1):
            following, last = demand_call(leads_to(result), begun), number == len(after)
            if not past.over:
                result = await run_on(following, past, across=False, last=last, after=after[number:])
            else:
                result = await (become(following) if last else following)
        if not past.over and taken is None:
            raise HiddenDependencyError(call, ["what has happened so far"])
        return result

    rest: Mechanic[..., Any] = Mechanic(f"rest of {call.mechanic.name}", go_on, call.mechanic.rules, {})
    value = objective if callable(objective) else call.mechanic.objective(objective)[1]
    return Call(rest, ()), value, progress


def value_options(ask: Choice[Any], seat: str | None = None) -> DecisionPoint | None:
    """Value each option of a choice by the call it leads to; None if the choice has no ``leads_to``.

    Values are those of the call's objective. If the chooser is the opponent in the call, the lowest value is best.

    >>> from tablewright.engine import choose, d, mechanic
    >>> @mechanic(rules=["demo.sum.roll"])
    ... async def total(dice: int) -> int:
    ...     "Roll dice and add them up."
    ...     return await d(6, dice)
    >>> asked = choose("ann", "how many dice hit you?", [2, 1, 3], leads_to=lambda dice: total(dice).by_opponent())
    >>> [(option.id, str(option.value), option.best) for option in value_options(asked).options]
    [('2', '7', False), ('1', '7/2', True), ('3', '21/2', False)]
    """
    found = _weighed(ask, seat)
    if found is None:
        return None
    worths, best, in_chances = found
    told = [
        OptionValue(option, name, Fraction(value), at == best)
        for at, (option, name, value) in enumerate(zip(ask.options, ask.ids, worths, strict=True))
    ]
    return DecisionPoint(ask.question, _named(ask.seat), (), Fraction(1), tuple(told), in_chances)


def best_option(ask: Choice[Any], seat: str | None = None) -> int | None:
    """Position of the best option by the call it leads to; None if the choice has no ``leads_to``."""
    found = _weighed(ask, seat)
    return None if found is None else found[1]


def _weighed(ask: Choice[Any], seat: str | None) -> tuple[list[int | Fraction], int, bool] | None:
    """Option values, position of the best one, and whether the values are chances; None without ``leads_to``."""
    if ask.leads_to is None:
        return None
    worths: list[int | Fraction] = []
    wants_least, in_chances = False, True
    for option in ask.options:
        following, context, across = ask.leads_to(option), None, False
        if isinstance(following, (int, Fraction)):
            worths.append(following)
            in_chances = False
            continue
        while isinstance(following, (Swapped, Attributed)):
            across ^= isinstance(following, Swapped)
            context = following if isinstance(following, Attributed) else context
            following = following.ask
        if isinstance(following, Call):
            wants_least = wants_least or across
            call = call_as_seen_by(following, context, seat)
            worths.append(expected_value(call, ask.objective))
            in_chances = in_chances and call.mechanic.is_chance(ask.objective)
        else:
            raise TablewrightError(
                f'an option of "{ask.question}" can lead only to a call or a worth, not {following!r:.60}'
            )
    return worths, worths.index(min(worths) if wants_least else max(worths)), in_chances


class _Walk:
    """Collector of the decision points of decided trees, in the order reached."""

    def __init__(self) -> None:
        self.found: list[DecisionPoint] = []

    def decision(self, decision: CallDecision, way: DecisionRule, chance: Fraction, given: tuple[str, ...]) -> Fraction:
        """Walk through a decided call and return its value for the side that runs it."""
        if decision.chain is None:
            assert way.value is not None
            ruled = _ruled(decision)
            return decision.best(way).expected(way.value) if ruled is None else self.decision(ruled, way, chance, given)
        with Working(decision.call) as work:
            chain = decision.chain
            deciding = Deciding(chain, way, work)
            reached: dict[int, _Reached] = {0: _Reached(chance, given)}
            for component in reversed(chain.order):
                # A circle is walked from its entry points; each state is visited once.
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
            if isinstance(node, TailNode):
                _reach(node, chance, (*given, f"on with {node.call!r}"), reached)
            elif not isinstance(node, LeafNode):
                following = list(self._following(node, deciding, chance, given))
                waiting.extend(reversed(following))

    def _following(
        self, node: ChanceNode | ChoiceNode | Deferred, deciding: Deciding, chance: Fraction, given: tuple[str, ...]
    ) -> Iterator[tuple[Node, Fraction, tuple[str, ...]]]:
        """Children that a node can lead to under the choices made, without leaves."""
        weights: Sequence[int]
        if isinstance(node, ChoiceNode):
            taken = deciding.taken[node]
            ask = node.ask.by_opponent() if deciding.way.across else node.ask
            self.found.append(
                DecisionPoint(
                    ask.question,
                    _named(ask.seat),
                    given,
                    chance,
                    tuple(_worths(node, deciding)),
                    about=tuple(ask.details.items()),
                )
            )
            weights, total = [int(at == taken) for at in range(len(node.children))], 1
        elif isinstance(node, ChanceNode):
            weights, total = node.weights, node.total
        else:
            table = {a: deciding.worth[child] for a, child in zip(node.answers, node.children, strict=True)}
            inner, way = _innermost(node, DecisionRule(table.__getitem__, exact=True, across=deciding.way.across))
            if inner is not None:
                self.decision(inner, way, chance, given)
            dist = deciding.resolved[node]
            weights, total = [dist.weight(answer) for answer in node.answers], dist.total
        for answer, weight, child in zip(node.answers, weights, node.children, strict=True):
            if weight and not isinstance(child, LeafNode):
                yield child, chance * Fraction(weight, total), (*given, _step(node.ask, answer))


def _ruled(decision: CallDecision) -> CallDecision | None:
    """Fully expanded rule behind a closed form; None if it is too complex or has no choices."""
    try:
        ruled = decision.by_rule() if decision.by_rule else None
    except TooComplexError:
        return None
    return ruled if isinstance(ruled, CallDecision) and ruled.chain is not None else None


def _reach(tail: TailNode, chance: Fraction, given: tuple[str, ...], reached: dict[int, _Reached]) -> None:
    before = reached.get(tail.number)
    reached[tail.number] = _Reached(chance, given) if before is None else _Reached(before.chance + chance, None)


def _innermost(node: Deferred, way: DecisionRule) -> tuple[CallDecision | None, DecisionRule]:
    """The call inside mapped and swapped decisions, with the decision rule for its own outcomes."""
    decision = node.decision
    while isinstance(decision, (MappedDecision, SwappedDecision)):
        way = way.other() if isinstance(decision, SwappedDecision) else decision.widened(way)
        decision = decision.inner
    return (decision, way) if isinstance(decision, CallDecision) else (None, way)


def _worths(node: ChoiceNode, deciding: Deciding) -> Iterator[OptionValue]:
    """Value of each option for the actor of the whole call, even inside a part that the opponent runs."""
    taken = deciding.taken[node]
    sign = -1 if deciding.way.across else 1
    for position, (option, child) in enumerate(zip(node.ask.options, node.children, strict=True)):
        yield OptionValue(option, node.ask.ids[position], sign * Fraction(deciding.worth[child]), position == taken)


def _named(seat: Role | str) -> str:
    return seat.value if isinstance(seat, Role) else seat


def _step(ask: Request[Any], answer: Any) -> str:
    """One step of a path in words, such as ``roll 3d6: 11``."""
    asked = ask.ask if isinstance(ask, (Into, Finish)) else ask
    return f"{asked!r}: {_in_words(answer)}"


def _in_words(answer: Any) -> str:
    """An answer for people: of a record the fields that say something, without underscores."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    names = getattr(answer, "_fields", None)
    if names is None:
        told = format_outcome(answer)
        return told.replace("_", " ") if isinstance(answer, str | Enum) else told
    parts = [
        name.replace("_", " ") if part is True else f"{name.replace('_', ' ')} {_in_words(part)}"
        for name, part in zip(names, answer, strict=True)
        if part is not None and part is not False
    ]
    return ", ".join(parts) or "nothing"
