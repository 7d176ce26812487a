"""Rules that lead back to themselves: against linear algebra in fractions, and against every strategy there is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from conformance.places import at_length
from tablewright.dice import Die, Dist, Exploding
from tablewright.engine import Call, Mechanic, Role, advise, again, become, choose, d, forget, mechanic, odds, roll
from tablewright.engine.exact.circles import Circle, components, settle
from tablewright.engine.exact.nodes import TailNode
from tablewright.errors import TablewrightError

# ---------------------------------------------------------------------- machines: states that lead to each other


@dataclass(frozen=True)
class Stop:
    outcome: int


@dataclass(frozen=True)
class Go:
    state: int


@dataclass(frozen=True)
class Toss:
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class Pick:
    seat: Role
    ways: tuple[Way, ...]
    inside: bool
    """Makes the choice inside a mechanic of its own."""


Way: TypeAlias = Stop | Go | Toss | Pick
Machine: TypeAlias = tuple[Way, ...]
Strategy: TypeAlias = Mapping[int, int]
"""The option taken at each choice, by the identity of the node."""


async def ask_seat(seat: Role, options: int) -> int:
    return await choose(seat, "which way", range(options))


async def run(machine: Machine, state: int) -> int:
    way = machine[state]
    while True:
        match way:
            case Stop(outcome):
                return outcome
            case Go(following):
                if following == state:
                    await again()
                return await become(Call(RUN, (machine, following)))
            case Toss(ways):
                way = ways[await d(len(ways)) - 1]
            case Pick(seat, ways, inside):
                asked = Call(ASK, (seat, len(ways))) if inside else choose(seat, "which way", range(len(ways)))
                way = ways[await asked]


RUN: Mechanic[..., int] = Mechanic("demo.run", run, ("demo.run.machine",), {"number": int})
ASK: Mechanic[..., int] = Mechanic("demo.ask", ask_seat, ("demo.run.ask",), {})


# ---------------------------------------------------------------------- the same by linear algebra


def shares(way: Way, strategy: Strategy) -> Iterator[tuple[Fraction, Stop | Go]]:
    match way:
        case Stop() | Go():
            yield Fraction(1), way
        case Toss(ways):
            for part in ways:
                yield from [(share / len(ways), end) for share, end in shares(part, strategy)]
        case Pick(_, ways, _):
            yield from shares(ways[strategy[id(way)]], strategy)


def reachable(machine: Machine, strategy: Strategy) -> list[int]:
    found, waiting = [0], [0]
    while waiting:
        for _, end in shares(machine[waiting.pop()], strategy):
            if isinstance(end, Go) and end.state not in found:
                found.append(end.state)
                waiting.append(end.state)
    return found


def solved(machine: Machine, strategy: Strategy) -> dict[int, Fraction] | None:
    """The chances of all outcomes from state 0 by Gauss and Jordan; None where the machine may never stop."""
    states = reachable(machine, strategy)
    outcomes = sorted({end.outcome for s in states for _, end in shares(machine[s], strategy) if isinstance(end, Stop)})
    rows = []
    for number, state in enumerate(states):
        row = [Fraction(int(number == column)) for column in range(len(states))] + [Fraction(0)] * len(outcomes)
        for share, end in shares(machine[state], strategy):
            if isinstance(end, Go):
                row[states.index(end.state)] -= share
            else:
                row[len(states) + outcomes.index(end.outcome)] += share
        rows.append(row)
    for column in range(len(states)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(column, [part / pivot[column] for part in pivot])
        for at, row in enumerate(rows):
            if at != column and row[column]:
                rows[at] = [part - row[column] * own for part, own in zip(row, rows[column], strict=True)]
    chances = dict(zip(outcomes, rows[0][len(states) :], strict=True))
    return {outcome: chance for outcome, chance in chances.items() if chance}


def picks(way: Way) -> Iterator[Pick]:
    if isinstance(way, Pick):
        yield way
    if isinstance(way, (Pick, Toss)):
        for part in way.ways:
            yield from picks(part)


def strategies(machine: Machine, seat: Role) -> list[dict[int, int]]:
    mine = {id(pick): len(pick.ways) for way in machine for pick in picks(way) if pick.seat is seat}
    return [dict(zip(mine, taken, strict=True)) for taken in product(*map(range, mine.values()))]


def expected(chances: Mapping[int, Fraction]) -> Fraction:
    return sum([outcome * chance for outcome, chance in chances.items()], Fraction(0))


def machines(*seats: Role) -> st.SearchStrategy[Machine]:
    """One to three states; new nodes each time, so that their identity tells them apart."""

    def grown(states: int) -> st.SearchStrategy[Machine]:
        leaf = st.builds(Stop, st.integers(0, 9)) | st.builds(Go, st.integers(0, states - 1))
        tree = st.recursive(
            leaf,
            lambda inner: st.one_of(
                st.builds(Toss, st.lists(inner, min_size=2, max_size=3).map(tuple)),
                *[
                    st.builds(Pick, st.just(seat), st.lists(inner, min_size=2, max_size=2).map(tuple), st.booleans())
                    for seat in seats
                ],
            ),
            max_leaves=5,
        )
        return st.tuples(*[tree] * states)

    return st.integers(1, 3).flatmap(grown)


@settings(max_examples=60, deadline=None)
@given(machines())
def test_circles_without_choices_are_solved_like_linear_equations(machine: Machine) -> None:
    chances = solved(machine, {})
    call = Call(RUN, (machine, 0))
    if chances is None:
        with pytest.raises(TablewrightError, match="never resolves"):
            odds(call)
    else:
        exact = odds(call)
        assert dict(exact.fractions()) == chances
        assert exact.again == sum([s for s, end in shares(machine[0], {}) if end == Go(0)], Fraction(0))


@settings(max_examples=60, deadline=None)
@given(machines(Role.ACTOR))
def test_one_chooser_does_as_well_as_the_best_of_all_strategies_that_end(machine: Machine) -> None:
    fates = [solved(machine, strategy) for strategy in strategies(machine, Role.ACTOR)]
    worths = [expected(chances) for chances in fates if chances is not None]
    call = Call(RUN, (machine, 0))
    if not worths:
        with pytest.raises(TablewrightError, match="never resolves"):
            odds(call)
    elif None not in fates or can_end_everywhere(machine):
        assert odds(call).expected(int) == max(worths)
        assert advise(call).value == max(worths)


def can_end_everywhere(machine: Machine) -> bool:
    """Tell whether some strategy ends from every state."""
    leads_to = [list(every_end(way)) for way in machine]
    ends = {state for state, found in enumerate(leads_to) if any(isinstance(end, Stop) for end in found)}
    for _ in machine:
        ends |= {state for state, found in enumerate(leads_to) if any(Go(end) in found for end in ends)}
    return len(ends) == len(machine)


def every_end(way: Way) -> Iterator[Stop | Go]:
    if isinstance(way, (Stop, Go)):
        yield way
    else:
        for part in way.ways:
            yield from every_end(part)


@settings(max_examples=200 if at_length() else 50, deadline=None)
@given(machines(Role.ACTOR, Role.OPPONENT))
def test_two_sides_play_as_well_as_each_can_against_the_other(machine: Machine) -> None:
    mine, theirs = strategies(machine, Role.ACTOR), strategies(machine, Role.OPPONENT)
    assume(len(mine) * len(theirs) <= 128)
    table = [[solved(machine, one | other) for other in theirs] for one in mine]
    assume(all(chances is not None for row in table for chances in row))
    worth = max([min([expected(chances or {}) for chances in row]) for row in table])
    assert odds(Call(RUN, (machine, 0))).expected(int) == worth


# ---------------------------------------------------------------------- by hand


@mechanic(rules=["demo.reroll.free"])
async def patient(first: bool) -> int:
    """Roll a die as often as one likes, and keep what one likes."""
    face = await d(6)
    options = ["again", "keep"] if first else ["keep", "again"]
    if await choose(Role.ACTOR, "keep or again", options) == "again":
        await again()
    return face


@pytest.mark.parametrize("first", [True, False])
def test_a_free_reroll_is_used_until_the_best_face_shows(first: bool) -> None:
    """At a six, rolling again is worth exactly as much as keeping; taking it for ever would never end."""
    exact = odds(patient(first))
    assert dict(exact.fractions()) == {6: 1}
    assert exact.again == Fraction(5, 6)


@mechanic(rules=["demo.reroll.free"])
async def stalling() -> int:
    """An opponent may put it off, but not for ever."""
    if await choose(Role.OPPONENT, "when", ["later", "now"]) == "later":
        await again()
    return 5


def test_an_opponent_cannot_put_it_off_for_ever() -> None:
    assert dict(odds(stalling()).fractions()) == {5: 1}


@mechanic(rules=["demo.reroll.free"])
async def fussy() -> int:
    """The game master always says again."""
    if await choose(Role.GAME_MASTER, "when", ["later", "now"], default="later") == "later":
        await again()
    return 5


def test_a_default_that_always_starts_again_never_resolves() -> None:
    with pytest.raises(TablewrightError, match="never resolves"):
        odds(fussy())
    assert odds(fussy(), policy=lambda ask: 1)[5] == 1
    with pytest.raises(TablewrightError, match="never resolves"):
        odds(fussy(), policy=lambda ask: 0)


@mechanic(rules=["demo.reroll.capped"])
async def bursting(limit: int) -> int:
    """An exploding die, rolled again below the limit."""
    total = await roll(Exploding(Die(2), on=2, most=2))
    if total < limit:
        await again()
    return total


def test_the_remainder_is_conditioned_like_the_outcomes() -> None:
    """Totals are 1 (1/2), 3 (1/4), 5 (1/8) and 6 (1/8, cut short); only 5 and 6 count, so half of it was cut short."""
    exact = odds(bursting(5))
    assert dict(exact.fractions()) == {5: Fraction(1, 2), 6: Fraction(1, 2)}
    assert exact.again == Fraction(3, 4)
    assert exact.remainder == Fraction(1, 2)


@mechanic(rules=["demo.duel.turns"])
async def swing(mine: int, yours: int, me: bool) -> bool:
    """Two fighters take turns until one is down; a miss changes nothing, so that turns go in circles."""
    damage = await d(4) - 2
    if damage >= yours:
        return me
    return await become(swing(yours - max(damage, 0), mine, not me))


@pytest.mark.parametrize("most_outcomes", [0, 12])
def test_forwards_and_backwards_agree(most_outcomes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of 2-circles, weighed from the start and from the ends; one blow each by hand."""
    forget()
    monkeypatch.setattr(sys.modules["tablewright.engine.odds"], "FEW_OUTCOMES", most_outcomes)
    assert odds(swing(1, 1, True))[True] == Fraction(2, 3)
    exact = odds(swing(5, 7, True))
    assert exact == odds_by_values(5, 7)
    forget()


def odds_by_values(mine: int, yours: int) -> Dist[bool]:
    """The same duel by a recursion of its own: p = win of the one to act, each pair of states solved by hand."""
    known: dict[tuple[int, int], Fraction] = {}

    def wins(a: int, b: int) -> Fraction:
        # damage 0 (1/2), 1 (1/4), 2 (1/4); w(a,b) = hits + 1/2 (1 - w(b,a)), and the same the other way round
        def hits(x: int, y: int) -> Fraction:
            return sum([Fraction(1, 4) * (1 if y <= blow else 1 - wins(y - blow, x)) for blow in (1, 2)], Fraction(0))

        if (a, b) not in known:
            mine_hit, yours_hit, half = hits(a, b), hits(b, a), Fraction(1, 2)
            known[a, b] = (mine_hit + half - half * (yours_hit + half)) / (1 - half * half)
        return known[a, b]

    chance = wins(mine, yours)
    return Dist({True: chance.numerator, False: chance.denominator - chance.numerator})


# ---------------------------------------------------------------------- the parts of it


def test_components_come_after_what_they_lead_to() -> None:
    found = components({0: [1, 4], 1: [2], 2: [3, 1], 3: [3], 4: []})
    assert [sorted(group) for group in found] == [[3], [1, 2], [4], [0]]


def test_a_long_chain_needs_no_recursion() -> None:
    assert len(components({n: [n + 1] for n in range(5_000)} | {5_000: []})) == 5_001


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_circle_and_settle_agree_on_any_equations(data: st.DataObject) -> None:
    """Whole numbers against fractions: total x = sum(weight x) + own, with something always left over."""
    size = data.draw(st.integers(1, 5))
    numbers = st.integers(0, 5)
    circle = Circle()
    inside: dict[int, dict[int, Fraction]] = {}
    outside: dict[int, Fraction] = {}
    for number in range(size):
        weights = {t: w for t in range(size) if (w := data.draw(numbers))}
        own = data.draw(st.integers(1, 5))
        total = sum(weights.values()) + data.draw(st.integers(1, 5))
        circle.add(number, total, dict(weights), [own])
        inside[number] = {t: Fraction(w, total) for t, w in weights.items()}
        outside[number] = Fraction(own, total)
    states = [TailNode(Call(RUN, ((), n)), n) for n in range(size)]
    whole = {number: Fraction(columns[0], total) for number, (columns, total) in circle.solve(states).items()}
    assert whole == settle(inside, outside, states, Fraction(0))
    for number, targets in inside.items():
        assert whole[number] == outside[number] + sum([share * whole[t] for t, share in targets.items()])
