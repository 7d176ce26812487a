"""Rules made at random, as data, interpreted by one mechanic: exact odds against an independent brute force.

The brute force knows nothing of trees, chains or memory. It follows the data with a continuation: what is worth what is
decided by everything that comes after, through calls, narrowed calls, joint asks and tail calls alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.dice import Die, Exploding, SeededDice
from tablewright.engine import (
    Call,
    Choice,
    Mechanic,
    Odds,
    Playthrough,
    Role,
    Roll,
    advise,
    become,
    both,
    choose,
    d,
    finish,
    minus,
    odds,
    play,
    plus,
    replay,
    roll,
    versus,
)
from tablewright.engine.advice import advise_open_choice, best_answer

OUTCOMES = 4
WORTH = (Fraction(0), Fraction(1), Fraction(5, 2), Fraction(7))
"""Worth of the outcomes 0 to 3: uneven, so that two options are rarely worth the same."""


@dataclass(frozen=True)
class End:
    outcome: int


@dataclass(frozen=True)
class Thrown:
    sides: int
    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Burst:
    """An exploding die: its cap leaves a remainder."""

    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Picked:
    seat: Role
    wrapped: bool
    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Called:
    rule: Rule
    narrowed: int
    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Turned:
    """A call that the other side goes through."""

    rule: Rule
    narrowed: int
    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Paired:
    first: Rule
    second: Rule
    kind: Literal["plus", "minus", "versus", "both"]
    ways: tuple[Rule, ...]


@dataclass(frozen=True)
class Left:
    rule: Rule
    how: Literal["become", "finish"]


@dataclass(frozen=True)
class LeftFor:
    sides: int
    ways: tuple[Rule, ...]


Rule: TypeAlias = End | Thrown | Burst | Picked | Called | Turned | Paired | Left | LeftFor

EXPLODING = Exploding(Die(3), on=3, most=1)
COMBINED: dict[str, Callable[[int, int], int]] = {
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "versus": lambda a, b: (a > b) - (a < b),
    "both": lambda a, b: 2 * a + b,
}


# ---------------------------------------------------------------------- the rule as a mechanic


async def follow(rule: Rule) -> int:
    """Follow a rule that is given as data."""
    while True:
        match rule:
            case End(outcome):
                return outcome
            case Thrown(sides, ways):
                rule = ways[await d(sides) % len(ways)]
            case Burst(ways):
                rule = ways[await roll(EXPLODING) % len(ways)]
            case Picked(seat, wrapped, ways):
                ask = choose(seat, f"one of {len(ways)}", range(len(ways)), default=len(ways) - 1)
                rule = ways[(await ask.map(lambda at: at + 10)) - 10 if wrapped else await ask]
            case Called(called, narrowed, ways):
                call = call_of(called)
                rule = ways[(await call.map(lambda o: o % narrowed) if narrowed else await call) % len(ways)]
            case Turned(called, narrowed, ways):
                call = call_of(called)
                # narrowed before or after the sides change places: it is the same
                other = call.map(lambda o: o % narrowed).by_opponent() if narrowed == 2 else call.by_opponent()
                rule = ways[(await other.map(lambda o: o % narrowed) if narrowed else await other) % len(ways)]
            case Paired(first, second, kind, ways):
                pair = {"plus": plus, "minus": minus, "versus": versus}.get(kind)
                one, two = call_of(first), call_of(second)
                joint = pair(one, two) if pair else both(one, two, COMBINED[kind])
                rule = ways[(await joint) % len(ways)]
            case Left(following, how):
                last = call_of(following)
                return await (become(last) if how == "become" else finish(last))
            case LeftFor(sides, ways):
                return await d(sides).into(lambda face: call_of(ways[face % len(ways)]))


FOLLOW: Mechanic[..., int] = Mechanic("demo.follow", follow, ("demo.follow.data",), {"worth": WORTH.__getitem__})


def call_of(rule: Rule) -> Call[int]:
    return Call(FOLLOW, (rule,))


# ---------------------------------------------------------------------- the same by brute force


@dataclass
class Known:
    """Values, outcomes, the chance of a cut, and whether two options were tied."""

    worth: Fraction
    chances: dict[int, Fraction]
    cut: Fraction = Fraction(0)
    tied: bool = False


After: TypeAlias = Callable[[int], Known]
Taken: TypeAlias = Callable[[Picked, list[Known]], int]


def mean(parts: list[tuple[Fraction, Known]]) -> Known:
    chances: dict[int, Fraction] = {}
    for share, part in parts:
        for outcome, chance in part.chances.items():
            chances[outcome] = chances.get(outcome, Fraction(0)) + share * chance
    return Known(
        sum([share * part.worth for share, part in parts], Fraction(0)),
        chances,
        sum([share * part.cut for share, part in parts], Fraction(0)),
        any(part.tied for _, part in parts),
    )


def brute(rule: Rule, after: After, taken: Taken) -> Known:
    """Everything that can happen from a rule on, where ``after`` says what its result leads to."""
    match rule:
        case End(outcome):
            return after(outcome)
        case Thrown(sides, ways) | LeftFor(sides, ways):
            faces = range(1, sides + 1)
            return mean([(Fraction(1, sides), brute(ways[face % len(ways)], after, taken)) for face in faces])
        case Burst(ways):
            totals = [(Fraction(1, 3), 1), (Fraction(1, 3), 2)] + [(Fraction(1, 9), 3 + face) for face in (1, 2, 3)]
            known = mean([(share, brute(ways[total % len(ways)], after, taken)) for share, total in totals])
            return Known(known.worth, known.chances, known.cut + Fraction(1, 9), known.tied)
        case Picked(_, _, ways):
            options = [brute(way, after, taken) for way in ways]
            best = options[taken(rule, options)]
            tied = sum(option.worth == best.worth for option in options) > 1
            return Known(best.worth, best.chances, best.cut, best.tied or tied)
        case Called(called, narrowed, ways):

            def go_on(outcome: int) -> Known:
                answer = outcome % narrowed if narrowed else outcome
                return brute(ways[answer % len(ways)], after, taken)

            return brute(called, go_on, taken)
        case Turned(called, narrowed, ways):
            return brute(Called(turned(called), narrowed, ways), after, taken)
        case Paired(first, second, kind, ways):
            combine = COMBINED[kind]
            return brute(
                first,
                lambda a: brute(second, lambda b: brute(ways[combine(a, b) % len(ways)], after, taken), taken),
                taken,
            )
        case Left(following, _):
            return brute(following, after, taken)


OTHER = {
    Role.ACTOR: Role.OPPONENT,
    Role.OPPONENT: Role.ACTOR,
    Role.ALLY: Role.OPPONENTS_ALLY,
    Role.OPPONENTS_ALLY: Role.ALLY,
    Role.GAME_MASTER: Role.GAME_MASTER,
}


def turned(rule: Rule) -> Rule:
    """The same rule written by hand for the other side: every seat in it is the other one."""
    if isinstance(rule, Picked):
        return Picked(OTHER[rule.seat], rule.wrapped, tuple(map(turned, rule.ways)))
    changes: dict[str, Any] = {}
    for name in ("rule", "first", "second"):
        if hasattr(rule, name):
            changes[name] = turned(getattr(rule, name))
    if hasattr(rule, "ways"):
        changes["ways"] = tuple(map(turned, rule.ways))
    return replace(rule, **changes)


def by_seat(picked: Picked, options: list[Known]) -> int:
    worths = [option.worth for option in options]
    if picked.seat is Role.GAME_MASTER:
        return len(options) - 1
    return worths.index(max(worths) if picked.seat in (Role.ACTOR, Role.ALLY) else min(worths))


def by_policy(picked: Picked, options: list[Known]) -> int:
    return policy_for(picked.seat, len(options))


def policy_for(seat: object, options: int) -> int:
    """One side takes the middle, the other the first, their allies the last."""
    if seat in (Role.ALLY, Role.OPPONENTS_ALLY):
        return options - 1
    return 0 if seat is Role.OPPONENT else options // 2


def end(outcome: int) -> Known:
    return Known(WORTH[outcome], {outcome: Fraction(1)})


# ---------------------------------------------------------------------- rules at random

ends = st.builds(End, st.integers(0, OUTCOMES - 1))


def ways_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(inner, min_size=1, max_size=3).map(tuple)


def without_choices(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(Thrown, st.integers(1, 3), ways_of(inner)),
        st.builds(Burst, ways_of(inner)),
        st.builds(Called, inner, st.integers(0, 3), ways_of(inner)),
        st.builds(Turned, inner, st.integers(0, 3), ways_of(inner)),
        st.builds(Paired, inner, inner, st.sampled_from(["plus", "minus", "versus", "both"]), ways_of(inner)),
        st.builds(Left, inner, st.sampled_from(["become", "finish"])),
        st.builds(LeftFor, st.integers(1, 3), ways_of(inner)),
    )


def with_choices(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.builds(Picked, st.sampled_from(Role), st.booleans(), ways_of(inner)), without_choices(inner))


chancy = st.recursive(ends, without_choices, max_leaves=14)
chosen = st.recursive(ends, with_choices, max_leaves=12)


@settings(max_examples=120, deadline=None)
@given(chancy)
def test_odds_without_choices_are_those_of_brute_force(rule: Rule) -> None:
    exact = odds(call_of(rule), WORTH.__getitem__)
    known = brute(rule, end, by_seat)
    assert dict(exact.fractions()) == known.chances
    assert sum(exact.weights) == exact.total
    assert exact.remainder == min(known.cut, 1)


@settings(max_examples=120, deadline=None)
@given(chosen)
def test_choices_serve_everything_that_comes_after(rule: Rule) -> None:
    exact = odds(call_of(rule), WORTH.__getitem__)
    known = brute(rule, end, by_seat)
    assert exact.expected(WORTH.__getitem__) == known.worth
    if not known.tied:
        assert dict(exact.fractions()) == known.chances
        assert exact.remainder == min(known.cut, 1)


@settings(max_examples=60, deadline=None)
@given(chosen)
def test_a_policy_makes_every_choice(rule: Rule) -> None:
    exact = odds(call_of(rule), policy=lambda ask: policy_for(ask.seat, len(ask.options)))
    known = brute(rule, end, by_policy)
    assert dict(exact.fractions()) == known.chances
    assert exact.remainder == min(known.cut, 1)


@settings(max_examples=60, deadline=None)
@given(chosen)
def test_advice_is_worth_what_brute_force_says(rule: Rule) -> None:
    advice = advise(call_of(rule), "worth")
    assert advice.value == brute(rule, end, by_seat).worth
    for situation in advice.choices:
        worths = [option.value for option in situation.options]
        if situation.seat != "game master":
            assert situation.best.value == (max(worths) if situation.seat in ("actor", "ally") else min(worths))
        assert 0 < situation.chance <= 1


@settings(max_examples=60, deadline=None)
@given(chosen, st.integers(0, 2**32))
def test_played_rules_can_be_replayed_and_are_possible(rule: Rule, seed: int) -> None:
    def middle(ask: Choice[Any]) -> int:
        return policy_for(ask.seat, len(ask.options))

    call = call_of(rule)
    played = play(call, SeededDice(seed), middle)
    assert played.result in odds(call, policy=middle)
    again = replay(call, json.loads(json.dumps(played.record)))
    assert again.record == played.record
    assert repr(again.trace) == repr(played.trace)
    assert again.result == played.result


@settings(max_examples=120, deadline=None)
@given(chosen, st.integers(0, 2**32))
def test_bots_decide_every_choice_as_well_as_advice_does(rule: Rule, seed: int) -> None:
    """Advice runs the rest of the rule as a rule of its own; a bot's choice is decided where the rule waits."""
    playing, dice = Playthrough(call_of(rule)), SeededDice(seed)
    while (question := playing.question) is not None:
        if isinstance(question, Roll):
            playing.roll(dice)
            continue
        now = advise_open_choice(playing).choices[0]
        at = best_answer(playing)
        assert now.options[at].value == now.best.value
        playing.choose(at)


def test_brute_force_can_tell_right_from_wrong() -> None:
    """The oracle itself: two dice, the better of two options for each seat, by hand."""
    rule = Thrown(2, (Picked(Role.ACTOR, False, (End(0), End(3))), Picked(Role.OPPONENT, True, (End(1), End(2)))))
    known = brute(rule, end, by_seat)
    assert known.chances == {3: Fraction(1, 2), 1: Fraction(1, 2)}
    assert known.worth == 4
    assert isinstance(odds(call_of(rule)), Odds)
