"""Values of an attack that meets a defence: rolls, ways to defend, uses of Luck."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.engine import Param
from tablewright.systems.renaissance.mechanics.checks import Target
from tablewright.systems.renaissance.mechanics.dice import LuckUse, uses_of_luck
from tablewright.systems.renaissance.mechanics.harm import Defence, FightRules, attack_bonus
from tablewright.systems.renaissance.values import (
    Checked,
    Grade,
    Regrade,
    counts_as_exceptional,
    flipped,
    judge,
    limited,
    regraded,
)


class Way(NamedTuple):
    """A defence with or without Luck to ignore its penalties and to dare, as an option that can be read."""

    defence: Defence
    ignores: int = 0
    dares: int = 0

    @property
    def rolled(self) -> Defence:
        """The defence as it is rolled: what was spent before stands, also where a tie is rolled again."""
        name, target, penalties, daring = self.defence
        return Defence(name, target + penalties * self.ignores + daring * self.dares)

    @property
    def goal(self) -> int:
        """The target within its limits."""
        return limited(self.rolled.target)

    @property
    def id(self) -> str:
        """Id of the option."""
        return f"{self.defence.name}{':ignore_penalties' * self.ignores}{':dare' * self.dares}"

    @property
    def label(self) -> str:
        """With its target."""
        luck = f"{', ignoring penalties' * self.ignores}{', daring it' * self.dares}"
        return f"{self.defence.name.replace('_', ' ')} at {self.rolled.target}{luck}"

    @property
    def spent(self) -> int:
        """The points of Luck that it takes."""
        return self.ignores + self.dares

    @property
    def cost(self) -> str:
        """Points of Luck, or nothing."""
        return f"{self.spent} Luck" if self.spent else ""


class Clash(NamedTuple):
    """Result of an attack against a defence: hit, extra DV, and the Luck that both sides spent.

    ``special`` is an exceptional success or better, as strikes ask for it; ``critical`` a critical one; ``margin`` is
    kept only where it is asked for.
    """

    hit: bool
    bonus: int = 0
    special: bool = False
    critical: bool = False
    luck: int = 0
    their_luck: int = 0
    margin: int = 0


Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("how the target can defend, such as fray:60, parry:50-10; nothing if it cannot")
]
Luck: TypeAlias = Annotated[int, Param("Luck points of the attacker", 0, 20, unseen=0)]
TheirLuck: TypeAlias = Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)]
Change: TypeAlias = Annotated[Regrade, Param("upgrades and downgrades of the attack check")]


class Sides(NamedTuple):
    """Attack and defence before they meet, with the Luck of both and what they have spent of it already."""

    target: Target
    defences: Defences = ()
    luck: Luck = 0
    their_luck: TheirLuck = 0
    regrade: Change = Regrade.NONE
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False
    spent: Annotated[int, Param("Luck points that the attacker has spent already", 0, 20)] = 0
    their_spent: Annotated[int, Param("Luck points that the target has spent already", 0, 20)] = 0

    def spend(self, mine: int, theirs: int = 0) -> Sides:
        """With points spent by both sides."""
        return _spend(self, mine, theirs) if mine or theirs else self

    def met_by(self, way: Way) -> Sides:
        """With the defence that the target has chosen, and the points spent on it."""
        return _met_by(self, way)

    @property
    def missed(self) -> Clash:
        """The attack has failed."""
        return Clash(False, luck=self.spent, their_luck=self.their_spent)


@lru_cache(maxsize=4_096)
def _spend(sides: Sides, mine: int, theirs: int) -> Sides:
    return sides._replace(
        luck=sides.luck - mine,
        their_luck=sides.their_luck - theirs,
        spent=sides.spent + mine,
        their_spent=sides.their_spent + theirs,
    )


@lru_cache(maxsize=4_096)
def _met_by(sides: Sides, way: Way) -> Sides:
    return sides.spend(0, way.spent)._replace(defences=(way.rolled,))


FAILED = -1
"""The margin of a failed roll: below every success."""


class Lies(NamedTuple):
    """An attack roll that lies on the table: its margin as it is and with its digits swapped."""

    natural: Annotated[int, Param("the margin of the attack roll; -1 for a failure", -1, 99)]
    swapped: Annotated[int, Param("its margin with the digits swapped", -1, 99)]


class Answer(NamedTuple):
    """A defence roll against it: who is ahead of natural and of swapped attack, as it is and when swapped itself."""

    ahead: int
    ahead_swapped: int
    back: int
    back_swapped: int


Outcome: TypeAlias = tuple[int, bool, bool]
"""The extra DV of a hit, whether it serves as exceptional, and whether it is critical."""


def _sign(first: int, second: int) -> int:
    return (first > second) - (first < second)


def margin_of(rolled: int, goal: int) -> int:
    """The margin of a roll, or what counts as less than every success."""
    return rolled if rolled <= goal else FAILED


def read_attack(goal: int, luck: bool) -> Callable[[int], Lies]:
    """Reader of an attack roll."""

    def read(rolled: int) -> Lies:
        natural = margin_of(rolled, goal)
        return Lies(natural, margin_of(flipped(rolled), goal) if luck else natural)

    return read


@lru_cache(maxsize=200)
def worth_of_attack(goal: int, luck: bool) -> Callable[[int], int]:
    """Worth of each attack roll against a target, for statistics: a success counts 50, and 4 for each of its margin.

    Who has Luck may flip the roll. The weights come from a regression on a thousand fights; any others would be as
    unbiased, and correct less.
    """
    return _flippable(lambda rolled: 50 + 4 * rolled if rolled <= goal else 0, luck)


@lru_cache(maxsize=16_384)
def worth_of_defence(goal: int, margin: int, luck: bool) -> Callable[[int], int]:
    """Worth of each defence roll against the margin of an attack, as :func:`worth_of_attack`: to beat it or to tie.

    An attack with a higher margin does more harm.
    """
    stake = 50 + 3 * max(0, margin)
    return _flippable(lambda rolled: stake * _sign(margin_of(rolled, goal), margin), luck)


def _flippable(worth: Callable[[int], int], luck: bool) -> Callable[[int], int]:
    """Worth of rolls that Luck can flip: 7 of 10 parts are those of the better way that the digits can lie."""
    if not luck:
        return worth
    return lambda rolled: (3 * worth(rolled) + 7 * max(worth(rolled), worth(flipped(rolled)))) // 10


_answer = lru_cache(maxsize=81)(Answer)
"""Answers as the same objects; there are few."""


def read_defence(goal: int, lies: Lies, luck: bool) -> Callable[[int], Answer]:
    """Reader of a defence roll against it."""
    natural, swapped = lies

    def read(rolled: int) -> Answer:
        mine = margin_of(rolled, goal)
        ahead = (natural > mine) - (natural < mine)
        ahead_swapped = ahead if natural == swapped else (swapped > mine) - (swapped < mine)
        if not luck:
            return _answer(ahead, ahead_swapped, ahead, ahead_swapped)
        mine = margin_of(flipped(rolled), goal)
        back, back_swapped = _sign(natural, mine), _sign(swapped, mine)
        if not ahead > 0 >= back:  # to flip would not help: rolls that differ in nothing else are alike
            back = ahead
        if not ahead_swapped > 0 >= back_swapped:
            back_swapped = ahead_swapped
        return _answer(ahead, ahead_swapped, back, back_swapped)

    return read


@lru_cache(maxsize=4_096)
def outcome_of(margin: int, regrade: Regrade, rules: FightRules) -> Outcome:
    """Outcome of a hit with this margin."""
    natural = judge(margin, margin, rules.exceptional_boundary).grade
    grade = regraded(natural, regrade, rules.regrade_limit, rules.downgrade_critical)
    special = counts_as_exceptional(
        Checked(grade, margin), rules.critical_counts_as_exceptional, rules.exceptional_boundary
    )
    return attack_bonus(margin, grade, rules), special, grade is Grade.CRITICAL_SUCCESS


NO_ANSWER = Answer(1, 1, 1, 1)
KEEP = (LuckUse.KEEP,)


def uses(lies: Lies, answer: Answer, left: int, regrade: Regrade, rules: FightRules) -> tuple[LuckUse, ...]:
    """Uses of Luck for the attacker once both rolls are known: those that change something, each the cheapest way."""
    return _uses(lies, answer, min(left, 2), regrade, rules)


@lru_cache(maxsize=65_536)
def _uses(lies: Lies, answer: Answer, left: int, regrade: Regrade, rules: FightRules) -> tuple[LuckUse, ...]:
    seen: list[Any] = []
    kept: list[LuckUse] = []
    for use in uses_of_luck(left, regrade, can_flip=lies.swapped != lies.natural):
        ahead, margin = turned(use, lies, answer)
        result: Any = ahead if ahead <= 0 else outcome_of(margin, use.regrade(regrade), rules)
        if margin == FAILED and answer is NO_ANSWER:
            continue
        if result not in seen:
            seen.append(result)
            kept.append(use)
    return tuple(kept)


class Spending(NamedTuple):
    """A use of Luck by the attacker, as an option that tells its result."""

    use: LuckUse
    lies: Lies
    answer: Answer
    regrade: Regrade
    rules: FightRules

    @property
    def id(self) -> str:
        """Id of the option."""
        return self.use.value

    @property
    def label(self) -> str:
        """With what the attack then is, as the rolls lie.

        >>> Spending(LuckUse.FLIP, Lies(27, 72), NO_ANSWER, Regrade.NONE, FightRules()).label
        'flip: an exceptional hit with 72'
        >>> lost = Spending(LuckUse.FLIP, Lies(27, 72), Answer(1, -1, 1, -1), Regrade.NONE, FightRules())
        >>> lost.label, lost._replace(answer=Answer(1, 0, 1, 0)).label
        ('flip: no hit', 'flip: a tie, rolled again')
        """
        ahead, margin = turned(self.use, self.lies, self.answer)
        if ahead <= 0:
            return f"{self.use.value}: {'a tie, rolled again' if ahead == 0 else 'no hit'}"
        _, special, critical = outcome_of(margin, self.use.regrade(self.regrade), self.rules)
        hit = "a critical hit" if critical else "an exceptional hit" if special else "a hit"
        return f"{self.use.value}: {hit} with {margin}"

    @property
    def cost(self) -> str:
        """Points of Luck, or nothing."""
        return self.use.cost


def turned(use: LuckUse, lies: Lies, answer: Answer) -> tuple[int, int]:
    """Sign of the lead and the margin of the attack after this use of Luck."""
    return (answer.ahead_swapped, lies.swapped) if use.flips else (answer.ahead, lies.natural)


def ways(defences: tuple[Defence, ...], their_luck: int, lies: Lies) -> list[Way]:
    """Ways to defend against an attack roll: with each skill, with or without Luck before the roll.

    A point ignores penalties, and one more dares it, for daredevils. What could not even tie with the attack is left
    out; where nothing could, the first skill is used unasked.
    """
    return list(_ways(defences, min(their_luck, 2), lies))


@lru_cache(maxsize=16_384)
def _ways(defences: tuple[Defence, ...], luck: int, lies: Lies) -> list[Way]:
    all_ways = [
        Way(one, ignores, dares)
        for one in defences
        for dares in ((0, 1) if one.daring else (0,))
        for ignores in ((0, 1) if one.penalties else (0,))
        if ignores + dares <= luck
    ]
    lowest = lies.natural if lies.swapped == FAILED else min(lies)
    return [way for way in all_ways if way.goal >= lowest] or all_ways[:1]
