"""Endless, oversized and senseless requests are refused quickly and clearly and leave the engine unchanged."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Generator, Iterator
from enum import IntEnum
from fractions import Fraction
from threading import Thread
from typing import Any

import pytest

from patience import LIMIT
from tablewright.dice import SeededDice, Sum
from tablewright.engine import (
    Call,
    Request,
    Role,
    TooComplexError,
    again,
    become,
    both,
    choose,
    d,
    finish,
    forget,
    mechanic,
    minus,
    odds,
    play,
    plus,
    roll,
    versus,
)
from tablewright.engine.cache import BoundedCache
from tablewright.errors import InvalidInputError, TablewrightError

odds_module = sys.modules["tablewright.engine.odds"]


@pytest.fixture(autouse=True)
def _engine_stays_usable() -> Iterator[None]:
    """Ask a plain question after every refusal."""
    yield
    assert odds(fair(4))[True] == Fraction(1, 2)


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left_open() -> Iterator[None]:
    """Collect coroutines that were never awaited, whose warnings are errors."""
    yield
    gc.collect()


@mechanic(rules=["demo.fair.throw"])
async def fair(least: int) -> bool:
    """A die."""
    return await d(6) >= least


def refused(call: Call[Any], words: str, kind: type[TablewrightError] = TablewrightError) -> None:
    """Twice, because what was refused must not be remembered half-way."""
    for _ in range(2):
        with pytest.raises(kind, match=words):
            odds(call)


# ---------------------------------------------------------------------- too much


@mechanic(rules=["demo.big.wide"])
async def wide(rolls: int) -> int:
    """Percentile dice, one after the other."""
    return sum([await d(100) for _ in range(rolls)])


def test_a_rule_that_is_too_wide_names_its_widest_ask() -> None:
    assert odds(wide(2)).total == 10_000
    refused(
        wide(3), r"demo\.wide\(3\) is too wide.*20,000 ways.*widest ask has 100 answers \(roll d100\)", TooComplexError
    )


@mechanic(rules=["demo.big.deep"])
async def deep(left: int) -> int:
    """Calls itself instead of leaving for itself."""
    return await deep(left - 1) + 1 if left else 0


def test_calls_nested_too_deep_are_told_to_become() -> None:
    assert odds(deep(30))[30] == 1
    forget()
    refused(deep(500), r"nested more than 40 calls deep; leave a rule by become", TooComplexError)


@mechanic(rules=["demo.big.deep"])
async def bushy(left: int) -> int:
    """Deep, with many asks before each call and a choice at the bottom: no limit of Python's is met on the way."""
    for _ in range(30):
        await d(1)
    if left == 0:
        return await choose(Role.ACTOR, "which", [0, 1])
    return await bushy(left - 1).map(lambda best: best)


def test_depth_is_counted_in_calls_not_in_frames() -> None:
    assert odds(bushy(35))[1] == 1
    refused(bushy(100), "nested more than 40 calls deep", TooComplexError)


@mechanic(rules=["demo.big.self"])
async def mirror() -> int:
    """Asks itself."""
    return await d(6) + await mirror()


def test_a_rule_that_asks_itself_is_refused() -> None:
    refused(mirror(), "nested more than 40 calls deep", TooComplexError)
    with pytest.raises(TablewrightError, match="nested more than 100 calls deep"):
        play(mirror())


@mechanic(rules=["demo.big.asking"])
async def asking() -> int:
    """Asks without end."""
    while True:
        await d(1)


def test_a_path_without_end_is_refused() -> None:
    refused(asking(), "asks more than 150 times in a row; leave it by become", TooComplexError)


@mechanic(rules=["demo.big.count"])
async def count(state: int) -> int:
    """Counts without end."""
    return await become(count(state + 1))


def test_a_chain_of_too_many_states_is_refused() -> None:
    refused(count(0), r"demo\.count\(0\) passes through more than 20,000 states", TooComplexError)
    with pytest.raises(TablewrightError, match="does not end: it was left for another call 20,000 times"):
        play(count(0))


@mechanic(rules=["demo.big.wander"])
async def wander(x: int, y: int) -> int:
    """Every state has many ways, every way another state."""
    if x > 10**6:
        return y
    return await d(100).into(lambda face: wander(x + face, y))


@mechanic(rules=["demo.big.many"])
async def many() -> int:
    """Ten thousand different calls of ten thousand runs each."""
    return await wide_from(await d(100) * 100 + await d(100))


@mechanic(rules=["demo.big.many"])
async def wide_from(start: int) -> int:
    """Two percentile dice."""
    return start + await d(100) * await d(100) % 7


def test_work_is_bounded_over_all_calls_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.engine.exact.tree.MOST_WORK", 40_000)
    refused(wander(0, 0), "too much to work out exactly|passes through more than", TooComplexError)
    refused(many(), "too much to work out exactly: more than 40,000 steps", TooComplexError)


def test_a_state_visited_on_many_ways_is_worked_out_once() -> None:
    """Without merging this would be ten to the 30th ways."""

    @mechanic(rules=["demo.chain.steps"])
    async def steps(left: int, total: int) -> int:
        """Thirty steps forward or back."""
        if left == 0:
            return total
        return await d(10).into(lambda face: steps(left - 1, total + (1 if face > 5 else -1)))

    assert odds(steps(30, 0)) == Sum.of(*[2] * 30).weigh().map(lambda total: 2 * (total - 45))


# ---------------------------------------------------------------------- never ends


@mechanic(rules=["demo.end.never"])
async def forever() -> int:
    """Always starts again."""
    await again()


@mechanic(rules=["demo.end.never"])
async def hopeless(target: int) -> int:
    """Rolls until a die shows seven."""
    face = await d(6)
    if face < target:
        await again()
    return face


@mechanic(rules=["demo.end.never"])
async def there(way: bool) -> int:
    """There and back again."""
    return await become(there(not way))


@mechanic(rules=["demo.end.never"])
async def maybe() -> int:
    """Half of the time it never ends."""
    return await become(hopeless(7)) if await d(2) == 1 else 1


@pytest.mark.parametrize("call", [forever(), hopeless(7), there(True), maybe()], ids=repr)
def test_endless_rules_are_refused(call: Call[int]) -> None:
    refused(call, "never resolves")


@pytest.mark.parametrize("call", [forever(), hopeless(7), there(True)], ids=repr)
def test_endless_rules_are_not_played_for_ever(call: Call[int]) -> None:
    with pytest.raises(TablewrightError, match="does not end"):
        play(call, SeededDice(1))


# ---------------------------------------------------------------------- makes no sense


async def _sleeps() -> int:
    await asyncio.sleep(0)
    return 1


async def _waits_for_a_loop() -> int:
    await asyncio.sleep(60)
    return 1


class _Yields:
    def __await__(self) -> Generator[Any, Any, Any]:
        yield 3


async def _yields() -> int:
    await _Yields()
    return 1


async def _maps_a_foreigner() -> int:
    foreign: Any = _Yields()
    return await both(d(6), foreign, max)


@pytest.mark.parametrize("function", [_sleeps, _yields, _maps_a_foreigner])
def test_foreign_awaitables_are_refused(function: Callable[[], Any]) -> None:
    foreign: Any = mechanic(rules=["demo.foreign.wait"])(function)
    refused(foreign(), "not a request")
    with pytest.raises(TablewrightError, match="not a request"):
        play(foreign())


def test_a_running_loop_is_of_no_help_to_a_rule() -> None:
    waiting: Any = mechanic(rules=["demo.foreign.wait"])(_waits_for_a_loop)

    async def served() -> None:
        refused(waiting(), "awaited <Future.*not a request")
        assert odds(fair(4))[True] == Fraction(1, 2)

    asyncio.run(served())


@pytest.mark.parametrize("leaving", [again(), become(fair(2)), d(6).into(fair), finish(d(6))], ids=repr)
def test_a_tail_call_cannot_be_part_of_another_request(leaving: Request[Any]) -> None:
    @mechanic(rules=["demo.leave.inside"])
    async def inside() -> int:
        """Leaves in the middle of something."""
        return await both(d(6), leaving, lambda a, b: a)

    refused(inside(), "leaves the rule and cannot be part of another ask")
    with pytest.raises(TablewrightError, match="leaves the rule and cannot be part of another ask"):
        play(inside())


@pytest.mark.parametrize("elsewhere", [d(6), 3, [4], None], ids=repr)
def test_a_rule_can_be_left_only_for_a_call(elsewhere: Any) -> None:
    @mechanic(rules=["demo.leave.astray"])
    async def astray(at_once: bool) -> int:
        """Goes nowhere."""
        return await (become(elsewhere) if at_once else d(6).into(lambda face: elsewhere))

    for call in (astray(True), astray(False)):
        refused(call, "left only for a call")
        with pytest.raises(TablewrightError, match="left only for a call"):
            play(call)


def test_a_rule_that_asks_while_it_is_left_is_refused() -> None:
    @mechanic(rules=["demo.leave.late"])
    async def late() -> int:
        """Tidies up by rolling dice."""
        try:
            return await become(fair(3))
        finally:
            await d(6)

    refused(late(), "nothing can follow become")
    with pytest.raises(TablewrightError, match="nothing can follow become"):
        play(late())


def test_a_result_must_be_hashable() -> None:
    @mechanic(rules=["demo.result.list"])
    async def listed() -> Any:
        """A list."""
        return [await d(6)]

    refused(listed(), r"gave \[1\]; a result must be a hashable value")


def test_a_rule_must_ask_the_same_again() -> None:
    rolls = iter([3, 0, 0])

    @mechanic(rules=["demo.result.moody"])
    async def moody() -> int:
        """Reads something that changes."""
        return sum([await d(6) for _ in range(next(rolls, 0))])

    with pytest.raises(TablewrightError, match="did not ask the same questions"):
        odds(moody())


def test_errors_of_a_rule_pass_through_as_they_are() -> None:
    @mechanic(rules=["demo.result.broken"])
    async def broken(face: int) -> int:
        """Fails on one face."""
        if await d(6) == face:
            raise ZeroDivisionError("on purpose")
        return face

    @mechanic(rules=["demo.result.broken"])
    async def outer() -> int:
        """Calls it, narrowed."""
        return await broken(5).map(lambda face: face + 1)

    for call in (broken(1), broken(6), outer()):
        with pytest.raises(ZeroDivisionError, match="on purpose"):
            odds(call)


# ---------------------------------------------------------------------- True, 1 and 1.0


class Grade(IntEnum):
    GOOD = 1
    BAD = 0


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), (0, False), (1, Grade.GOOD), ((2, 1), (2, True)), ((), frozenset())]
)
def test_results_that_python_takes_for_equal_are_not_merged(one: Any, other: Any) -> None:
    @mechanic(rules=["demo.result.kinds"])
    async def kinds() -> Any:
        """One kind or the other."""
        return one if await d(2) == 1 else other

    @mechanic(rules=["demo.result.kinds"])
    async def chained(first: bool) -> Any:
        """The same over two states of a chain."""
        if not first:
            return other
        return one if await d(2) == 1 else await become(chained(False))

    if one == other:
        refused(kinds(), "takes for equal")
        refused(chained(True), "takes for equal")
    else:
        assert len(odds(kinds())) == 2


def test_arguments_of_different_kinds_are_different_calls() -> None:
    @mechanic(rules=["demo.result.tell"])
    async def tell(number: int) -> str:
        """Kind of a value."""
        return str(number)

    assert tell(1) == tell(number=1)
    assert hash(tell(1)) == hash(tell(number=1))
    assert tell(1) != tell(2)
    for wrong in (True, 1.0, Grade.GOOD, None):
        with pytest.raises(InvalidInputError, match=r"number is .*; allowed is a whole number"):
            tell(wrong)
    assert odds(tell(1))["1"] == 1


# ---------------------------------------------------------------------- joint asks follow the values' own order


class Rank(IntEnum):
    HIGH = 3
    MIDDLE = 2
    LOW = 1


def test_versus_compares_as_the_values_do_not_as_they_are_listed() -> None:
    ranks = [Rank.HIGH, Rank.MIDDLE, Rank.LOW]

    @mechanic(rules=["demo.rank.draw"])
    async def draw(most: int) -> Rank:
        """A rank; enum members are listed as declared, here from high to low."""
        return ranks[await d(most) - 1]

    @mechanic(rules=["demo.rank.meet"])
    async def meet() -> int:
        """Three ranks against the two higher ones."""
        return await versus(draw(3), draw(2))

    exact = odds(meet())
    assert (exact[1], exact[0], exact[-1]) == (Fraction(1, 6), Fraction(2, 6), Fraction(3, 6))


def test_sums_of_yes_and_no_count() -> None:
    @mechanic(rules=["demo.count.two"])
    async def two(more: bool) -> int:
        """Number of successes of two, or the margin."""
        return await (plus if more else minus)(fair(4), fair(3))  # type: ignore[arg-type]

    assert odds(two(True))[2] == Fraction(1, 3)
    assert odds(two(False))[-1] == Fraction(1, 3)


# ---------------------------------------------------------------------- memory and threads


def test_a_memory_never_holds_more_than_it_may() -> None:
    memory: BoundedCache[int, int] = BoundedCache(3)
    for number in range(10):
        memory.put(number, number)
        assert len(memory) <= 3
    assert [memory.get(number) for number in (7, 8, 9, 6)] == [7, 8, 9, None]
    memory.get(7)
    memory.put_all([(10, 10), (11, 11)])
    assert [memory.get(number) for number in (7, 8, 9, 10, 11)] == [7, None, None, 10, 11]
    memory.clear()
    assert len(memory) == 0


def test_the_engines_cache_is_bounded_and_can_be_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    memory: BoundedCache[Any, Any] = BoundedCache(20)
    monkeypatch.setattr(odds_module, "_memory", memory)

    @mechanic(rules=["demo.chain.down"])
    async def down(left: int) -> int:
        """A chain of states, all of which are remembered."""
        return 0 if left == 0 else await d(2).into(lambda face: down(left - 1))

    for start in range(200):
        odds(down(start % 50))
        assert len(memory) <= 20
    forget()
    assert len(memory) == 0


def test_states_of_a_chain_are_remembered_with_all_they_know() -> None:
    @mechanic(rules=["demo.chain.again"])
    async def picky(left: int) -> int:
        """Rolls ones again, then goes on."""
        face = await d(4)
        if face == 1:
            await again()
        return face if left == 0 else await become(picky(left - 1))

    forget()
    assert odds(picky(3)).again == Fraction(1, 4)
    for left in range(4):  # known by now, but not asked for before
        assert odds(picky(left)).again == Fraction(1, 4)

    @mechanic(rules=["demo.chain.again"])
    async def ask_picky() -> int:
        """Leaves for a state that is known."""
        return await become(picky(1))

    assert odds(ask_picky()).again == 0
    assert odds(picky(1)).again == Fraction(1, 4)


def test_several_threads_get_the_same_answers() -> None:
    @mechanic(rules=["demo.thread.walk"])
    async def walk(left: int, at: int) -> int:
        """A walk that others take at the same time."""
        if left == 0:
            return at
        step = 1 if await fair(3) else -1
        if left % 5 == 0 and await choose(Role.ACTOR, "turn", [False, True]):
            step = -step
        return await become(walk(left - 1, at + step))

    forget()
    right = [odds(walk(left, 0), int) for left in range(12)]
    wrong: list[object] = []

    def work() -> None:
        try:
            for _ in range(5):
                wrong.extend([left for left in range(11, -1, -1) if odds(walk(left, 0), int) != right[left]])
                forget()
        except BaseException as error:
            wrong.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
    finally:
        sys.setswitchinterval(before)
    assert wrong == []


def test_too_many_dice_are_refused_within_rules() -> None:
    @mechanic(rules=["demo.big.dice"])
    async def dice(count: int, sides: int) -> int:
        """Any dice at all."""
        return await roll(Sum.of(*[sides] * min(count, 3_000)))

    with pytest.raises(InvalidInputError, match="dice are too many"):
        odds(dice(10**9, 6))
    with pytest.raises(InvalidInputError, match="sides is out of bounds"):
        odds(dice(1, 10**6))
