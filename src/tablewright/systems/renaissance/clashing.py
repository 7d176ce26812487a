"""Attack against defence: the ordered check with Luck on both sides, as a rule and, for its odds, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.engine import Param, Seat, become, choose, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.mechanic import Value
from tablewright.engine.settings import spelled_out
from tablewright.systems.renaissance.blows import PLAIN, Defence, FightRules, attack_bonus
from tablewright.systems.renaissance.luck import LuckUse, uses_of_luck
from tablewright.systems.renaissance.mechanics import Target
from tablewright.systems.renaissance.values import (
    D_PERCENT,
    Checked,
    Grade,
    Regrade,
    counts_as_exceptional,
    flipped,
    judge,
    limited,
    regraded,
)

Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("how the target can defend, such as fray:60, parry:50-10; nothing if it cannot")
]
Luck: TypeAlias = Annotated[int, Param("Luck points of the attacker", 0, 20, unseen=0)]
TheirLuck: TypeAlias = Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)]
Change: TypeAlias = Annotated[Regrade, Param("what upgrades or downgrades the attack check")]


class Way(NamedTuple):
    """A defence with or without ignoring its penalties for a point of Luck, as an option that can be read."""

    defence: Defence
    ignores: int = 0

    @property
    def goal(self) -> int:
        """The target within its limits."""
        return limited(self.defence.target + self.defence.penalties * self.ignores)

    @property
    def id(self) -> str:
        """What it is called."""
        return self.defence.name + (":ignore_penalties" if self.ignores else "")

    @property
    def label(self) -> str:
        """With its target."""
        return f"{self.defence.name.replace('_', ' ')} {self.defence.target + self.defence.penalties * self.ignores}"

    @property
    def cost(self) -> str:
        """A point of Luck, or nothing."""
        return "1 Luck" if self.ignores else ""


class Clash(NamedTuple):
    """How attack and defence met: whether it hits, with what extra DV, and the Luck that is left on both sides.

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


FAILED = -1
"""The margin of a failed roll: below every success."""


class Lies(NamedTuple):
    """An attack roll that lies on the table: its margin as it is and with its digits swapped."""

    natural: int
    swapped: int


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


def _margin(rolled: int, goal: int) -> int:
    return rolled if rolled <= goal else FAILED


def _read_attack(goal: int, luck: bool) -> Callable[[int], Lies]:
    def read(rolled: int) -> Lies:
        natural = _margin(rolled, goal)
        return Lies(natural, _margin(flipped(rolled), goal) if luck else natural)

    return read


def _read_defence(goal: int, lies: Lies, luck: bool) -> Callable[[int], Answer]:
    natural, swapped = lies

    def read(rolled: int) -> Answer:
        mine = _margin(rolled, goal)
        ahead, ahead_swapped = _sign(natural, mine), _sign(swapped, mine)
        if not luck:
            return Answer(ahead, ahead_swapped, ahead, ahead_swapped)
        mine = _margin(flipped(rolled), goal)
        return Answer(ahead, ahead_swapped, _sign(natural, mine), _sign(swapped, mine))

    return read


@lru_cache(maxsize=4_096)
def outcome_of(margin: int, regrade: Regrade, rules: FightRules) -> Outcome:
    """What a hit with this margin comes to."""
    natural = judge(margin, margin, rules.exceptional_boundary).grade
    grade = regraded(natural, regrade, rules.regrade_limit, rules.downgrade_critical)
    special = counts_as_exceptional(
        Checked(grade, margin), rules.critical_counts_as_exceptional, rules.exceptional_boundary
    )
    return attack_bonus(margin, grade, rules), special, grade is Grade.CRITICAL_SUCCESS


NO_ANSWER = Answer(1, 1, 1, 1)


def uses(lies: Lies, answer: Answer, left: int, regrade: Regrade, rules: FightRules) -> tuple[LuckUse, ...]:
    """What the attacker may spend Luck on once both rolls are known: what changes something, each the cheapest way."""
    return _uses(lies, answer, min(left, 2), regrade, rules)


@lru_cache(maxsize=65_536)
def _uses(lies: Lies, answer: Answer, left: int, regrade: Regrade, rules: FightRules) -> tuple[LuckUse, ...]:
    seen: list[Any] = []
    kept: list[LuckUse] = []
    for use in uses_of_luck(left, regrade, can_flip=lies.swapped != lies.natural):
        ahead, margin = (answer.ahead_swapped, lies.swapped) if use.flips else (answer.ahead, lies.natural)
        result: Any = ahead if ahead <= 0 else outcome_of(margin, use.regrade(regrade), rules)
        if margin == FAILED and answer is NO_ANSWER:
            continue
        if result not in seen:
            seen.append(result)
            kept.append(use)
    return tuple(kept)


class Clashes:
    """The odds of `renaissance.clash`: every pair of rolls with everything that Luck can make of it, by counting."""

    def __init__(
        self,
        target: int,
        defences: tuple[Defence, ...],
        luck: int,
        their_luck: int,
        regrade: Regrade,
        margins: bool,
        *rules: Any,
    ) -> None:
        self.goal = limited(target)
        self.defences, self.luck, self.their_luck = defences, luck, their_luck
        self.regrade, self.margins, self.rules = regrade, margins, FightRules(*rules)
        self.loses = self.rules.ordered_first_failure == "lose" or not defences

    @property
    def deciding(self) -> bool:
        """Whether there is Luck, or more than one way to defend."""
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
        changes = {self.regrade, *([self.regrade.with_upgrade() or self.regrade] if self.luck else [])}
        for luck in range(self.luck + 1):
            for theirs in range((self.their_luck if self.defences else 0) + 1):
                their = self.their_luck - theirs
                found[Clash(False, luck=self.luck - luck, their_luck=their)] = None
                for margin in range(self.goal + 1):
                    for change in changes:
                        if change is not self.regrade and not luck:
                            continue
                        found[self._hit(margin, change, self.luck - luck, their)] = None
        return tuple(found)

    def _hit(self, margin: int, change: Regrade, luck: int, theirs: int) -> Clash:
        return Clash(True, *outcome_of(margin, change, self.rules), luck, theirs, margin if self.margins else 0)

    # ------------------------------------------------------------------ deciding

    def best(self, value: Value | None) -> Dist[Clash]:
        """The distribution when every choice serves ``value``; without one no Luck is spent."""
        self._begin(value)
        return _as_dist(self._solve(self.luck, self.their_luck, self.defences)[0])

    def _begin(self, value: Value | None) -> None:
        self._worth: dict[Clash, float] = {}
        self._value = value
        self._guessed = False
        self._solved: dict[tuple[int, int, tuple[Defence, ...]], tuple[dict[Clash, Fraction], float]] = {}

    def _of(self, clash: Clash) -> float:
        known = self._worth.get(clash)
        if known is None:
            known = self._worth[clash] = 0.0 if self._value is None else float(self._value(clash))
        return known

    def _solve(self, luck: int, theirs: int, defences: tuple[Defence, ...]) -> tuple[dict[Clash, Fraction], float]:
        """What comes of it from here with so much Luck left; ties that change nothing lead back here."""
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

    def _once(self, luck: int, theirs: int, defences: tuple[Defence, ...], guess: float) -> dict[Any, int]:
        """How many of 10,000 pairs of rolls end how; a tie ends in the state from which it is rolled again."""
        counts: dict[Any, int] = {}
        here = (luck, theirs, defences)

        def worth(end: Any) -> float:
            if isinstance(end, Clash):
                return self._of(end)
            if end != here:
                before, answered = self._guessed, self._solve(*end)[1]
                self._guessed = before
                return answered
            self._guessed = True
            return guess

        for rolled in range(100):
            natural = _margin(rolled, self.goal)
            lies = Lies(natural, _margin(flipped(rolled), self.goal) if luck else natural)
            if natural == FAILED and self.loses:
                missed = Clash(False, luck=luck, their_luck=theirs)
                if not luck or lies.swapped == FAILED:
                    counts[missed] = counts.get(missed, 0) + 100
                    continue
                turned = self._answered(Lies(lies.swapped, lies.swapped), luck - 1, theirs, defences, worth)
                average = sum([worth(end) * count for end, count in turned.items()]) / 100
                if self._value is None or average <= self._of(missed) + _SLACK * max(1.0, abs(average)):
                    turned = {missed: 100}
            else:
                turned = self._answered(lies, luck, theirs, defences, worth)
            for end, count in turned.items():
                counts[end] = counts.get(end, 0) + count
        return counts

    def _answered(
        self, lies: Lies, luck: int, theirs: int, defences: tuple[Defence, ...], worth: Callable[[Any], float]
    ) -> dict[Any, int]:
        """How an attack roll that has to be met ends, of 100 rolls of the defence: by the way that suits the target."""
        if not defences:
            return {self._spent(lies, NO_ANSWER, luck, theirs, (), worth): 100}
        if not luck and lies.natural == lies.swapped > FAILED:
            return self._met_plainly(lies, theirs, defences, worth)
        best: dict[Any, int] = {}
        lowest = 0.0
        offered = ways(defences, theirs, lies)
        for defence, ignores in offered:
            chosen = (after(defence, ignores),)
            found: dict[Any, int] = {}
            for answer, count in _answers(lies, limited(chosen[0].target), theirs > ignores):
                end = self._spent(lies, answer, luck, theirs - ignores, chosen, worth)
                found[end] = found.get(end, 0) + count
            if len(offered) == 1 or self._value is None:
                return found
            average = sum([worth(end) * count for end, count in found.items()])
            if not best or average < lowest - _SLACK * max(1.0, abs(lowest)):
                best, lowest = found, average
        return best

    def _met_plainly(
        self, lies: Lies, theirs: int, defences: tuple[Defence, ...], worth: Callable[[Any], float]
    ) -> dict[Any, int]:
        """The same where the attacker has no Luck left: only the target decides, and rolls of one kind are alike."""
        best: dict[Any, int] = {}
        lowest = 0.0
        offered = ways(defences, theirs, lies)
        for way in offered:
            chosen, left = (after(*way),), theirs - way.ignores
            beats, ties, loses, to_beat, to_tie = _against(limited(chosen[0].target))[lies.natural]
            hit = self._hit(lies.natural, self.regrade, 0, left)
            found: dict[Any, int] = {}
            ends = [(Clash(False, luck=0, their_luck=left), beats), ((0, left, chosen), ties), (hit, loses)]
            if left and self._value is not None:
                least = worth(hit) - _SLACK * max(1.0, abs(worth(hit)))
                turned = (Clash(False, luck=0, their_luck=left - 1), to_beat), ((0, left - 1, chosen), to_tie)
                ends += [(end if count and worth(end) < least else hit, count) for end, count in turned]
            else:
                ends.append((hit, to_beat + to_tie))
            for end, count in ends:
                if count:
                    found[end] = found.get(end, 0) + count
            if len(offered) == 1 or self._value is None:
                return found
            average = sum([worth(end) * count for end, count in found.items()])
            if not best or average < lowest - _SLACK * max(1.0, abs(lowest)):
                best, lowest = found, average
        return best

    def _spent(
        self,
        lies: Lies,
        answer: Answer,
        luck: int,
        theirs: int,
        chosen: tuple[Defence, ...],
        worth: Callable[[Any], float],
    ) -> Any:
        """How a pair of rolls ends: the attacker spends Luck first, then the target."""
        best: Any = None
        highest = 0.0
        offered = uses(lies, answer, luck, self.regrade, self.rules) if luck and self._value is not None else _KEEP
        if len(offered) < 2:
            return self._ended(LuckUse.KEEP, lies, answer, luck, theirs, chosen, worth)
        for use in offered:
            end = self._ended(use, lies, answer, luck - use.cost, theirs, chosen, worth)
            if best is None or worth(end) > highest + _SLACK * max(1.0, abs(highest)):
                best, highest = end, worth(end)
        return best

    def _ended(
        self,
        use: LuckUse,
        lies: Lies,
        answer: Answer,
        luck: int,
        theirs: int,
        chosen: tuple[Defence, ...],
        worth: Callable[[Any], float],
    ) -> Any:
        keeps = use is LuckUse.KEEP or use is LuckUse.UPGRADE
        ahead, back, margin = (
            (answer.ahead, answer.back, lies.natural)
            if keeps
            else (answer.ahead_swapped, answer.back_swapped, lies.swapped)
        )
        end = self._end(ahead, margin, use, luck, theirs, chosen)
        if theirs and back < ahead and ahead > 0 and self._value is not None:
            turned = self._end(back, margin, use, luck, theirs - 1, chosen)
            if worth(turned) < worth(end) - _SLACK * max(1.0, abs(worth(end))):
                return turned
        return end

    def _end(self, ahead: int, margin: int, use: LuckUse, luck: int, theirs: int, chosen: tuple[Defence, ...]) -> Any:
        if ahead == 0:
            return luck, theirs, chosen
        if ahead < 0:
            return Clash(False, luck=luck, their_luck=theirs)
        return self._hit(margin, use.regrade(self.regrade), luck, theirs)


class Meetings(Clashes):
    """The odds of `renaissance.met`: an attack roll that lies on the table and has to be met."""

    def __init__(self, natural: int, swapped: int, *given: Any) -> None:
        super().__init__(*given)
        self.lies = Lies(natural, swapped)

    def best(self, value: Value | None) -> Dist[Clash]:
        """The distribution when every choice serves ``value``; without one no Luck is spent."""
        self._begin(value)
        counts = self._answered(self.lies, self.luck, self.their_luck, self.defences, self._worth_of)
        return _as_dist(self._mixed(counts, 100))


_SLACK = 1e-12
MOST_PASSES = 12
"""How often the worth of rolling again is worked out before it counts as found."""

_KEEP = (LuckUse.KEEP,)


def _as_dist(found: dict[Clash, Fraction]) -> Dist[Clash]:
    whole = 1
    for chance in found.values():
        whole = whole * chance.denominator // _common(whole, chance.denominator)
    return Dist([(clash, int(chance * whole)) for clash, chance in found.items() if chance])


def _common(first: int, second: int) -> int:
    while second:
        first, second = second, first % second
    return first


def ways(defences: tuple[Defence, ...], their_luck: int, lies: Lies) -> list[Way]:
    """How a target may defend against an attack roll: with each skill, with or without a point to ignore penalties.

    What could not even tie with the attack is left out; where nothing could, the first skill is used unasked.
    """
    all_ways = [Way(one, no) for one in defences for no in ((0, 1) if their_luck and one.penalties else (0,))]
    lowest = lies.natural if lies.swapped == FAILED else min(lies)
    return [way for way in all_ways if way.goal >= lowest] or all_ways[:1]


def after(defence: Defence, ignores: int) -> Defence:
    """A defence as it is rolled: with its penalties ignored, or not."""
    if not ignores:
        return defence
    return Defence(defence.name, defence.target + defence.penalties)


@lru_cache(maxsize=100)
def _against(goal: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """For every margin of an attack: how many of 100 rolls of a defence beat it, tie, or lose for good.

    The last two lose as they lie, and beat it or tie with their digits swapped.
    """
    rolled = [(_margin(number, goal), _margin(flipped(number), goal)) for number in range(100)]
    rows = []
    for margin in range(100):
        beats = sum([mine > margin for mine, _ in rolled])
        ties = sum([mine == margin for mine, _ in rolled])
        to_beat = sum([mine < margin < turned for mine, turned in rolled])
        to_tie = sum([mine < margin == turned for mine, turned in rolled])
        rows.append((beats, ties, 100 - beats - ties - to_beat - to_tie, to_beat, to_tie))
    return tuple(rows)


@lru_cache(maxsize=65_536)
def _answers(lies: Lies, goal: int, luck: bool) -> tuple[tuple[Answer, int], ...]:
    """Every kind of answer to an attack roll, with how many of 100 rolls of the defence give it."""
    return tuple(_counted(lies, goal, luck))


def _counted(lies: Lies, goal: int, luck: bool) -> Iterator[tuple[Answer, int]]:
    if luck:
        read = _read_defence(goal, lies, True)
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


@mechanic(
    rules=[
        "renaissance.attack.procedure",
        "renaissance.opposed.ordered",
        "renaissance.attack.mos_bonus",
        "renaissance.defense.fray",
        "renaissance.defense.parry",
        "renaissance.luck.flip",
        "renaissance.luck.upgrade",
    ],
    objectives={"hit": lambda clash: int(clash.hit), "bonus": lambda clash: clash.bonus},
    closed=Clashes,
)
@spelled_out
async def clash(
    target: Target,
    defences: Defences = (),
    luck: Luck = 0,
    their_luck: TheirLuck = 0,
    regrade: Change = Regrade.NONE,
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False,
    rules: FightRules = PLAIN,
) -> Clash:
    """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again.

    A failed attack can only be flipped before the target would roll. Once both rolls are known the attacker spends Luck
    first, then the target. Without defences a success hits.
    """
    lies = await throw(D_PERCENT).map(_read_attack(limited(target), luck > 0))
    left = luck
    if lies.natural == FAILED and (rules.ordered_first_failure == "lose" or not defences):
        if not luck or lies.swapped == FAILED or not await yes_no(Seat.ACTOR, "flip the failed roll", cost="1 Luck"):
            return Clash(False, luck=luck, their_luck=their_luck)
        lies, left = Lies(lies.swapped, lies.swapped), left - 1
    return await become(met(*lies, target, defences, left, their_luck, regrade, margins, *rules))


@mechanic(
    rules=["renaissance.attack.procedure", "renaissance.opposed.ordered", "renaissance.luck.flip"],
    objectives={"hit": lambda clash: int(clash.hit), "bonus": lambda clash: clash.bonus},
    closed=Meetings,
)
@spelled_out
async def met(
    natural: Annotated[int, Param("the margin of the attack roll; -1 for a failure", -1, 99)],
    swapped: Annotated[int, Param("its margin with the digits swapped", -1, 99)],
    target: Target,
    defences: Defences = (),
    luck: Luck = 0,
    their_luck: TheirLuck = 0,
    regrade: Change = Regrade.NONE,
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False,
    rules: FightRules = PLAIN,
) -> Clash:
    """An attack roll lies on the table: the target defends, and both may spend Luck, the attacker first."""
    lies, theirs, answer, chosen = Lies(natural, swapped), their_luck, NO_ANSWER, defences
    if defences:
        offered = ways(defences, their_luck, lies)
        how = offered[0] if len(offered) == 1 else await choose(Seat.OPPONENT, "how to defend", offered)
        theirs -= how.ignores
        chosen = (after(how.defence, how.ignores),)
        answer = await throw(D_PERCENT).across().map(_read_defence(limited(chosen[0].target), lies, theirs > 0))
    spend = uses(lies, answer, luck, regrade, rules) if luck else _KEEP
    use = await choose(Seat.ACTOR, "spend Luck on the attack", spend) if len(spend) > 1 else LuckUse.KEEP
    ahead, back, margin = (
        (answer.ahead_swapped, answer.back_swapped, lies.swapped)
        if use.flips
        else (answer.ahead, answer.back, lies.natural)
    )
    left = luck - use.cost
    if theirs and back < ahead and ahead > 0 and await yes_no(Seat.OPPONENT, "flip the defence", cost="1 Luck"):
        ahead, theirs = back, theirs - 1
    if ahead == 0:
        return await become(clash(target, chosen, left, theirs, regrade, margins, *rules))
    if ahead < 0:
        return Clash(False, luck=left, their_luck=theirs)
    return Clash(True, *outcome_of(margin, use.regrade(regrade), rules), left, theirs, margin if margins else 0)
