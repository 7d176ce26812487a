"""Closed form of a clash: every pair of rolls with every use of Luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.engine.mechanic import Value
from tablewright.systems.renaissance.mechanics.defences import (
    FAILED,
    KEEP,
    NO_ANSWER,
    Answer,
    Clash,
    Lies,
    Outcome,
    Sides,
    Way,
    margin_of,
    outcome_of,
    read_defence,
    uses,
    ways,
)
from tablewright.systems.renaissance.mechanics.dice import LuckUse, is_more
from tablewright.systems.renaissance.mechanics.harm import Defence, FightRules
from tablewright.systems.renaissance.values import Regrade, flipped, limited

Defences: TypeAlias = tuple[Defence, ...]


class Worth(NamedTuple):
    """Values of ends and of states that roll again, and the ends by the kinds of rolls that lead to them."""

    of: Callable[[Any], float]
    ends: dict[tuple[Any, ...], Any]


class Clashes:
    """The odds of `renaissance.clash`: every pair of rolls with everything that Luck can make of it, by counting."""

    def __init__(self, sides: Sides, rules: FightRules) -> None:
        target, defences, luck, their_luck, regrade, margins, spent, their_spent = sides
        self.goal = limited(target)
        self.all_luck = luck + spent, their_luck + their_spent
        self.defences, self.luck, self.their_luck = defences, luck, their_luck
        self.regrade, self.margins, self.rules = regrade, margins, rules
        self.loses = self.rules.ordered_first_failure == "lose" or not defences
        self.kinds = _alike(regrade, margins, rules)

    @property
    def deciding(self) -> bool:
        """True if there is Luck, or more than one way to defend."""
        return self.luck > 0 or self.their_luck > 0 or len(self.defences) > 1

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction(0)

    @property
    def work(self) -> int:
        """Some steps for each number rolled and each amount of Luck left."""
        return 200 * (1 + self.luck) * (1 + self.their_luck) * max(1, len(self.defences))

    # ------------------------------------------------------------------ what can come of it

    def support(self) -> Sequence[Clash]:
        """Everything that some choices can bring about."""
        found: dict[Clash, None] = {}
        better = self.regrade.with_upgrade() or self.regrade
        plain, upgraded = [_kinds(self.goal, change, self.margins, self.rules) for change in (self.regrade, better)]
        for luck in range(self.luck + 1):
            for theirs in range((self.their_luck if self.defences else 0) + 1):
                spent = self._spending(self.luck - luck, self.their_luck - theirs)
                found[Clash(False, luck=spent[0], their_luck=spent[1])] = None
                for outcome, margin in (*plain, *upgraded) if luck else plain:
                    found[Clash(True, *outcome, *spent, margin)] = None
        return tuple(found)

    def _spending(self, luck: int, theirs: int) -> tuple[int, int]:
        """Points spent by both sides, from the Luck they have left."""
        return self.all_luck[0] - luck, self.all_luck[1] - theirs

    def _missed(self, luck: int, theirs: int) -> Clash:
        mine, other = self._spending(luck, theirs)
        return Clash(False, luck=mine, their_luck=other)

    def _hit(self, margin: int, change: Regrade, luck: int, theirs: int) -> Clash:
        spent = self._spending(luck, theirs)
        return Clash(True, *outcome_of(margin, change, self.rules), *spent, margin if self.margins else 0)

    # ------------------------------------------------------------------ deciding

    def best(self, value: Value | None) -> Dist[Clash]:
        """The distribution when every choice serves ``value``; without one no Luck is spent."""
        self._begin(value)
        return Dist.from_chances(self._solve(self.luck, self.their_luck, self.defences)[0])

    def _begin(self, value: Value | None) -> None:
        self._worth: dict[Clash, float] = {}
        self._value = value
        self._guessed = False
        self._solved: dict[tuple[int, int, Defences], tuple[dict[Clash, Fraction], float]] = {}

    def _of(self, clash: Clash) -> float:
        known = self._worth.get(clash)
        if known is None:
            known = self._worth[clash] = 0.0 if self._value is None else float(self._value(clash))
        return known

    def _solve(self, luck: int, theirs: int, defences: Defences) -> tuple[dict[Clash, Fraction], float]:
        """Ends from here with so much Luck left; ties that change nothing lead back here."""
        state = (luck, theirs, defences)
        known = self._solved.get(state)
        if known is not None:
            return known
        guess = worth = 0.0
        counts: dict[Any, int] = {}
        total = 1
        for _ in range(MOST_PASSES):
            self._guessed = False
            counts = self._once(luck, theirs, defences, guess)
            tied = counts.pop(state, 0)
            total = sum(counts.values())
            worth = sum([self._worth_of(end) * count for end, count in counts.items()]) / total
            if not self._guessed or abs(worth - guess) < 1e-9 or self._value is None or not tied:
                break
            guess = worth
        result = self._mixed(counts, total)
        self._solved[state] = result, worth
        return result, worth

    def _mixed(self, counts: dict[Any, int], total: int) -> dict[Clash, Fraction]:
        """Ends by their chances; those that are rolled again as what comes of them."""
        result: dict[Clash, Fraction] = {}
        for end, count in counts.items():
            share = Fraction(count, total)
            if isinstance(end, Clash):
                result[end] = result.get(end, Fraction(0)) + share
            else:
                for clash, chance in self._solve(*end)[0].items():
                    result[clash] = result.get(clash, Fraction(0)) + share * chance
        return result

    def _worth_of(self, end: Any) -> float:
        return self._of(end) if isinstance(end, Clash) else self._solve(*end)[1]

    def _once(self, luck: int, theirs: int, defences: Defences, guess: float) -> dict[Any, int]:
        """Ends of the 10,000 pairs of rolls, counted; a tie ends in the state from which it is rolled again."""
        counts: dict[Any, int] = {}
        here = (luck, theirs, defences)

        def value(end: Any) -> float:
            if isinstance(end, Clash):
                return self._of(end)
            if end != here:
                before, answered = self._guessed, self._solve(*end)[1]
                self._guessed = before
                return answered
            self._guessed = True
            return guess

        worth = Worth(value, {})
        plain = len(defences) == 1 and not (theirs and (defences[0].penalties or defences[0].daring))
        if not luck and self.loses and plain:
            return self._all_at_once(theirs, defences, worth)
        for rolled in range(100):
            natural = margin_of(rolled, self.goal)
            lies = Lies(natural, margin_of(flipped(rolled), self.goal) if luck else natural)
            if natural == FAILED and self.loses:
                missed = self._missed(luck, theirs)
                if not luck or lies.swapped == FAILED:
                    counts[missed] = counts.get(missed, 0) + 100
                    continue
                turned = self._answered(Lies(lies.swapped, lies.swapped), luck - 1, theirs, defences, worth)
                average = sum([worth.of(end) * count for end, count in turned.items()]) / 100
                if self._value is None or not is_more(average, self._of(missed)):
                    turned = {missed: 100}
            else:
                turned = self._answered(lies, luck, theirs, defences, worth)
            for end, count in turned.items():
                counts[end] = counts.get(end, 0) + count
        return counts

    def _answered(self, lies: Lies, luck: int, theirs: int, defences: Defences, worth: Worth) -> dict[Any, int]:
        """Ends of an attack roll against 100 rolls of the defence, by the way that suits the target."""
        if not defences:
            return {self._spent(lies, NO_ANSWER, luck, theirs, (), worth): 100}
        is_plain = not luck and lies.natural == lies.swapped > FAILED

        def met(way: Way) -> dict[Any, int]:
            chosen, left = (way.rolled,), theirs - way.spent
            found: dict[Any, int] = {}
            if is_plain:  # only the target decides, and rolls of one kind are alike
                hit = self._hit(lies.natural, self.regrade, 0, left)
                self._count(found, hit, _against(way.goal)[lies.natural], left, chosen, worth)
                return found
            for answer, count in _answers(lies, way.goal, theirs > way.spent):
                end = self._spent(lies, answer, luck, left, chosen, worth)
                found[end] = found.get(end, 0) + count
            return found

        return self._least(ways(defences, theirs, lies), met, worth)

    def _least(self, offered: list[Way], met: Callable[[Way], dict[Any, int]], worth: Worth) -> dict[Any, int]:
        """Ends by the defence that leaves the attacker least; the first one if nothing is valued."""
        if len(offered) == 1 or self._value is None:
            return met(offered[0])
        best: dict[Any, int] = {}
        lowest = 0.0
        for way in offered:
            found = met(way)
            average = sum([worth.of(end) * count for end, count in found.items()])
            if not best or is_more(lowest, average):
                best, lowest = found, average
        return best

    def _all_at_once(self, theirs: int, defences: Defences, worth: Worth) -> dict[Any, int]:
        """All pairs of rolls where there is one defence and nothing to decide before: hits of one kind are alike."""
        found: dict[Any, int] = {self._missed(0, theirs): 100 * (99 - self.goal)}
        kinds = _by_outcome(self.goal, limited(defences[0].target), self.regrade, self.margins, self.rules)
        for margin, rolls in kinds:
            self._count(found, self._hit(margin, self.regrade, 0, theirs), rolls, theirs, defences, worth)
        return {end: count for end, count in found.items() if count}

    def _count(
        self, found: dict[Any, int], hit: Clash, rolls: tuple[int, ...], theirs: int, chosen: Defences, worth: Worth
    ) -> None:
        """Ends of the rolls of a defence; losing rolls are swapped if that serves the target."""
        beats, ties, loses, to_beat, to_tie = rolls
        ends = [(self._missed(0, theirs), beats), ((0, theirs, chosen), ties), (hit, loses)]
        if theirs and self._value is not None:
            turned = (self._missed(0, theirs - 1), to_beat), ((0, theirs - 1, chosen), to_tie)
            ends += [(end if count and is_more(worth.of(hit), worth.of(end)) else hit, count) for end, count in turned]
        else:
            ends.append((hit, to_beat + to_tie))
        for end, count in ends:
            if count:
                found[end] = found.get(end, 0) + count

    def _spent(self, lies: Lies, answer: Answer, luck: int, theirs: int, chosen: Defences, worth: Worth) -> Any:
        """End of a pair of rolls: the attacker spends Luck first, then the target."""
        natural, swapped = lies
        key = (self.kinds[natural], self.kinds[swapped], natural == swapped, answer, luck, theirs, chosen)
        end = worth.ends.get(key)
        if end is None:
            end = worth.ends[key] = self._turned(lies, answer, luck, theirs, chosen, worth)
        return end

    def _turned(self, lies: Lies, answer: Answer, luck: int, theirs: int, chosen: Defences, worth: Worth) -> Any:
        best: Any = None
        highest = 0.0
        offered = uses(lies, answer, luck, self.regrade, self.rules) if luck and self._value is not None else KEEP
        if len(offered) < 2:
            return self._ended(LuckUse.KEEP, lies, answer, luck, theirs, chosen, worth)
        for use in offered:
            end = self._ended(use, lies, answer, luck - use.points, theirs, chosen, worth)
            if best is None or is_more(worth.of(end), highest):
                best, highest = end, worth.of(end)
        return best

    def _ended(
        self, use: LuckUse, lies: Lies, answer: Answer, luck: int, theirs: int, chosen: Defences, worth: Worth
    ) -> Any:
        flips = use is LuckUse.FLIP or use is LuckUse.FLIP_AND_UPGRADE
        back = answer.back_swapped if flips else answer.back
        ahead, margin = (answer.ahead_swapped, lies.swapped) if flips else (answer.ahead, lies.natural)
        end = self._end(ahead, margin, use, luck, theirs, chosen)
        if theirs and ahead > 0 >= back and self._value is not None:
            turned = self._end(back, margin, use, luck, theirs - 1, chosen)
            if is_more(worth.of(end), worth.of(turned)):
                return turned
        return end

    def _end(self, ahead: int, margin: int, use: LuckUse, luck: int, theirs: int, chosen: Defences) -> Any:
        if ahead == 0:
            return luck, theirs, chosen
        if ahead < 0:
            return self._missed(luck, theirs)
        return self._hit(margin, use.regrade(self.regrade), luck, theirs)


MOST_PASSES = 12
"""Most iterations for the worth of rolling again."""


@lru_cache(maxsize=100)
def _against(goal: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """For every margin of an attack: how many of 100 rolls of a defence beat it, tie, or lose for good.

    The last two lose as they lie, and beat it or tie with their digits swapped.
    """
    rolled = [(margin_of(number, goal), margin_of(flipped(number), goal)) for number in range(100)]
    rows = []
    for margin in range(100):
        beats = sum([mine > margin for mine, _ in rolled])
        ties = sum([mine == margin for mine, _ in rolled])
        to_beat = sum([mine < margin < turned for mine, turned in rolled])
        to_tie = sum([mine < margin == turned for mine, turned in rolled])
        rows.append((beats, ties, 100 - beats - ties - to_beat - to_tie, to_beat, to_tie))
    return tuple(rows)


@lru_cache(maxsize=256)
def _alike(regrade: Regrade, margins: bool, rules: FightRules) -> tuple[int, ...]:
    """For every margin the first one that comes to the same, with Luck and without; what failed is of its own kind."""
    changes = (regrade, regrade.with_upgrade() or regrade)
    first: dict[Any, int] = {}
    found = [
        first.setdefault(margin if margins else tuple([outcome_of(margin, one, rules) for one in changes]), margin)
        for margin in range(100)
    ]
    return (*found, FAILED)


@lru_cache(maxsize=4_096)
def _kinds(goal: int, regrade: Regrade, margins: bool, rules: FightRules) -> tuple[tuple[Outcome, int], ...]:
    """Every kind of hit of an attack with a target, with its margin where that is part of it."""
    all_hits = [(outcome_of(margin, regrade, rules), margin if margins else 0) for margin in range(goal + 1)]
    return tuple(dict.fromkeys(all_hits))


@lru_cache(maxsize=16_384)
def _by_outcome(
    goal: int, defence: int, regrade: Regrade, margins: bool, rules: FightRules
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Attack rolls that succeed by what a hit comes to: one margin of each kind, with the rolls of the defence."""
    table = _against(defence)
    kinds: dict[Any, tuple[int, tuple[int, ...]]] = {}
    for margin in range(goal + 1):
        kind = margin if margins else outcome_of(margin, regrade, rules)
        first, sums = kinds.get(kind, (margin, (0,) * 5))
        kinds[kind] = first, tuple([one + more for one, more in zip(sums, table[margin], strict=True)])
    return tuple(kinds.values())


@lru_cache(maxsize=65_536)
def _answers(lies: Lies, goal: int, luck: bool) -> tuple[tuple[Answer, int], ...]:
    """Every kind of answer to an attack roll, with how many of 100 rolls of the defence give it."""
    return tuple(_counted(lies, goal, luck))


def _counted(lies: Lies, goal: int, luck: bool) -> Iterator[tuple[Answer, int]]:
    if luck:
        read = read_defence(goal, lies, True)
        counts: dict[Answer, int] = {}
        for rolled in range(100):
            found = read(rolled)
            counts[found] = counts.get(found, 0) + 1
        yield from counts.items()
        return
    edges = sorted({lies.natural, lies.swapped})
    below = 0
    for edge in edges:
        lower = (99 - goal) + min(edge, goal + 1) if edge >= 0 else 0
        equal = (99 - goal) if edge == FAILED else int(edge <= goal)
        for count, mine in ((lower - below, edge - 0.5), (equal, edge)):
            if count:
                yield _ahead_of(lies, mine), count
        below = lower + equal
    if below < 100:
        yield _ahead_of(lies, 100), 100 - below


def _ahead_of(lies: Lies, mine: float) -> Answer:
    ahead = (lies.natural > mine) - (lies.natural < mine)
    swapped = (lies.swapped > mine) - (lies.swapped < mine)
    return Answer(ahead, swapped, ahead, swapped)
