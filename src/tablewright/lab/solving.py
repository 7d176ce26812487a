"""Fights that are small enough are not sampled but solved: every way they can go, with its exact weight.

The real encounter is run from one turn to the next, from every scene that can come up, with every outcome of every rule
and with the same policies as in play. No rule is written a second time: a rule without choices is answered by its exact
odds, one with choices is gone through roll by roll, with each choice made as a bot makes it. Ways that lead to the same
scene are put together where a turn starts and where somebody chooses what to do next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.dice.dist import show_outcome
from tablewright.engine import Call, Choose, Playing, Roll, TooMuch
from tablewright.engine.asks import Ask, InContext
from tablewright.engine.odds import look
from tablewright.errors import TablewrightError
from tablewright.game.actions import Use
from tablewright.game.common import TurnStarted
from tablewright.game.events import Event
from tablewright.game.policies import at_random
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session
from tablewright.lab.fights import Ring, winner_of
from tablewright.lab.jobs import Job

MOST_WAYS = 40_000
"""How many ways through turns are gone before a fight is too large to be solved."""

MOST_KEPT = 200_000
"""How many outcomes of rules are remembered; then all are forgotten."""

MOST_PEOPLE = 4
SMALLEST = Fraction(1, 10**9)
"""When no more than this chance is left, the rest is told as what remains."""

Weights: TypeAlias = dict[Scene, Fraction]


class TooLarge(TablewrightError):
    """A fight that cannot be solved with the work allowed."""

    exit_status = 1


class TurnStarts(BaseException):
    """The next turn has started: the step is over."""


class _Stepping(Live):
    """A scene under way until the next turn starts."""

    __slots__ = ()

    def emit(self, event: Event) -> None:
        super().emit(event)
        if type(event) is TurnStarted:
            raise TurnStarts


class _Chooser(Session):
    """What policies see of a fight that is solved."""

    def __init__(self, ring: Ring) -> None:
        super().__init__(ring.header, ring.book)
        self._asked: str | None = None

    @property
    def seat(self) -> str | None:
        """Who is asked."""
        return self._stack[-1].seat if self._stack else self._asked

    def asks(self, live: Live, ask: Choose[Any]) -> _Chooser:
        """Somebody chooses in the process itself."""
        self.live, self._stack = live, []
        self._asked = ask.seat if isinstance(ask.seat, str) else ask.seat.value
        return self

    def inside(self, live: Live, playing: Playing[Any]) -> _Chooser:
        """Somebody chooses inside a rule."""
        self.live, self._stack = live, [playing]
        return self


@dataclass(frozen=True)
class Solved:
    """The exact chances of a fight. ``remainder`` is the chance of what was not followed to its end."""

    job: Job
    won: Mapping[str, Fraction]
    fell: Mapping[str, Fraction]
    died: Mapping[str, Fraction]
    rounds: Mapping[int, Fraction]
    left: Mapping[str, Mapping[str, Fraction]]
    remainder: Fraction
    ways: int
    scenes: int
    harms: Mapping[tuple[str, str, str], Fraction] = field(default_factory=dict)
    """What blows take on average, by ("taken", who, "") and ("dealt", by, source); nothing where it was not counted."""

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON; where something remains, each chance may be more by as much."""

        def told(chance: Fraction) -> dict[str, Any]:
            exact = str(chance)
            return {"value": float(chance)} | ({"exact": exact} if len(exact) <= 80 else {})

        return {
            "title": self.job.title,
            "system": self.job.system,
            "policies": self.job.policies,
            "tactics": self.job.tactics,
            "exact": True,
            "remainder": float(self.remainder),
            "won": {side or "draw": told(chance) for side, chance in self.won.items()},
            "people": {
                who: {
                    "falls": told(self.fell[who]),
                    "dies": told(self.died[who]),
                    "left": {name: float(mean) for name, mean in self.left[who].items()},
                }
                | ({"damage": self.harms_of(who)} if self.harms else {})
                for who in self.fell
            },
            "rounds": {
                "mean": float(sum([number * chance for number, chance in self.rounds.items()])),
                "tenth": self.rounds_within(Fraction(1, 10)),
                "median": self.rounds_within(Fraction(1, 2)),
                "ninetieth": self.rounds_within(Fraction(9, 10)),
                "chances": {number: float(chance) for number, chance in sorted(self.rounds.items())},
            },
            "ways": self.ways,
            "scenes": self.scenes,
        }

    def rounds_within(self, share: Fraction) -> int:
        """The least number of rounds in which at least this share of all fights is over; what remains is left out."""
        passed, number, whole = Fraction(0), 0, sum(self.rounds.values(), Fraction(0))
        for number in sorted(self.rounds):
            passed += self.rounds[number]
            if passed >= share * whole:
                break
        return number

    def harms_of(self, who: str) -> dict[str, Any]:
        """What somebody deals, by source too, and takes, on average."""
        dealt = {source: float(mean) for (kind, by, source), mean in self.harms.items() if (kind, by) == ("dealt", who)}
        return {"taken": float(self.harms.get(("taken", who, ""), 0)), "dealt": sum(dealt.values()), "by_source": dealt}


class Ending(NamedTuple):
    """How a fight can end: who has won, in which round, who fell and died, and each kind of what is left to each."""

    winner: str
    rounds: int
    fell: frozenset[str]
    died: frozenset[str]
    left: tuple[tuple[int, ...], ...]


@dataclass
class _Prefix:
    """A way to a place in the middle of a turn: what was answered, and with what chance one comes there."""

    answers: tuple[Any, ...]
    weight: Fraction


@dataclass
class Solver:
    """Goes through a fight turn by turn."""

    ring: Ring
    most: int = MOST_WAYS
    ways: int = 0
    _known: dict[Any, tuple[tuple[Any, Fraction], ...]] = field(default_factory=dict)
    _kept: int = 0

    def __post_init__(self) -> None:
        self._chooser = _Chooser(self.ring)

    # ------------------------------------------------------------------ one turn

    def step(self, scene: Scene) -> Weights:
        """Every scene in which the next turn starts, or the fight has ended, with its chance."""
        after: Weights = {}
        open_now: dict[Scene, _Prefix] = {scene: _Prefix((), Fraction(1))}
        while open_now:
            following: dict[Scene, _Prefix] = {}
            for prefix in open_now.values():
                self._go(scene, prefix, after, following)
            open_now = following
        return after

    def _go(self, scene: Scene, prefix: _Prefix, after: Weights, following: dict[Scene, _Prefix]) -> None:
        """Follow all ways from a place up to the next deed that is chosen."""
        todo = [(prefix.answers, prefix.weight)]
        given = len(prefix.answers)
        while todo:
            answers, weight = todo.pop()
            self.ways += 1
            if self.ways > self.most:
                raise TooLarge(f"it has more than {self.most:,} ways to go, which is too much to be solved exactly")
            live = _Stepping(scene, self.ring.book)
            rule = self.ring.book.encounter.read(live, self.ring.arguments)
            said = list(answers)
            place, answer = 0, None
            try:
                while True:
                    ask = rule.send(answer)
                    if place < len(said):
                        answer, place = said[place], place + 1
                        continue
                    if place > given and is_deed(ask):
                        known = following.get(live.state)
                        if known is None:
                            following[live.state] = _Prefix(tuple(said), weight)
                        else:
                            known.weight += weight
                        break
                    outcomes = self.outcomes(live, ask)
                    for other, chance in outcomes[1:]:
                        todo.append(((*said, other), weight * chance))
                    answer, chance = outcomes[0]
                    weight *= chance
                    said.append(answer)
                    place += 1
            except (StopIteration, TurnStarts):
                after[live.state] = after.get(live.state, Fraction(0)) + weight
            finally:
                rule.close()

    # ------------------------------------------------------------------ one ask

    def outcomes(self, live: Live, ask: Any) -> tuple[tuple[Any, Fraction], ...]:
        """The answers of an ask with their chances."""
        if isinstance(ask, Choose):
            if ask.by_itself:
                return ((ask.options[0], Fraction(1)),)
            policy = self.ring.policy_for(self._chooser.asks(live, ask), ask)
            if policy is at_random:
                return tuple([(option, Fraction(1, len(ask.options))) for option in ask.options])
            return ((ask.options[policy(self._chooser, ask)], Fraction(1)),)
        key = _key(ask)
        known = self._known.get(key) if key is not None else None
        if known is None:
            bulk, _ = look(ask)
            known = _chances(bulk) if isinstance(bulk, Dist) else self._played(live, ask)
            if key is not None:
                self._kept += len(known)
                if self._kept > MOST_KEPT:
                    self._known.clear()
                    self._kept = len(known)
                self._known[key] = known
        return known

    def _played(self, live: Live, ask: Ask[Any]) -> tuple[tuple[Any, Fraction], ...]:
        """A rule in which somebody chooses, gone through roll by roll, with choices as bots make them."""
        found: dict[Any, Fraction] = {}
        todo: list[tuple[tuple[str | int, ...], Fraction]] = [((), Fraction(1))]
        while todo:
            answers, weight = todo.pop()
            self.ways += 1
            if self.ways > self.most:
                raise TooLarge(f"it has more than {self.most:,} ways to go, which is too much to be solved exactly")
            playing: Playing[Any] = Playing(_only(ask))
            for answer in answers:
                _answer(playing, answer)
            said = list(answers)
            while (question := playing.question) is not None:
                if isinstance(question, Roll):
                    outcomes = _chances(question.dice.weigh())
                    texts = [(show_outcome(outcome), chance) for outcome, chance in outcomes]
                    for text, chance in texts[1:]:
                        todo.append(((*said, text), weight * chance))
                    weight *= texts[0][1]
                    said.append(texts[0][0])
                else:
                    policy = self.ring.policy_for(self._chooser.inside(live, playing), question)
                    if policy is at_random:
                        evenly = Fraction(1, len(question.options))
                        todo += [((*said, at), weight * evenly) for at in range(1, len(question.options))]
                        weight *= evenly
                        said.append(0)
                    else:
                        said.append(policy(self._chooser, question))
                _answer(playing, said[-1])
            found[playing.result] = found.get(playing.result, Fraction(0)) + weight
        return tuple(found.items())


def _answer(playing: Playing[Any], answer: str | int) -> None:
    if isinstance(answer, str):
        playing.set_outcome(answer, "every way")
    else:
        playing.choose(answer)


async def _only(ask: Ask[Any]) -> Any:
    return await ask


def is_deed(ask: Any) -> bool:
    """Whether somebody chooses what to do: what is open then stands in the scene."""
    return isinstance(ask, Choose) and any(isinstance(option, Use) for option in ask.options) and "who" in ask.about


def _key(ask: Any) -> Any:
    """What the answers of a rule depend on, where that is known: the call, and who may know what of it."""
    if isinstance(ask, Call):
        return ask
    if isinstance(ask, InContext) and isinstance(ask.ask, Call):
        seats = (ask.actor, ask.opponent, ask.ally, ask.opponents_ally)
        return (ask.ask, seats, ask.audience, tuple(ask.hide), tuple(sorted(ask.private.items())))
    return None


def _chances(dist: Dist[Any]) -> tuple[tuple[Any, Fraction], ...]:
    return tuple([(outcome, Fraction(weight, dist.total)) for outcome, weight in dist.items()])


def is_small_enough(job: Job) -> None:
    """Refuse what is not even worth beginning with."""
    people = len(job.scenario["participants"])
    if people > MOST_PEOPLE:
        raise TooLarge(f"{people} take part; fights of more than {MOST_PEOPLE} are too large to be solved exactly")


def solve(
    job: Job, *, most: int = MOST_WAYS, widest: int | None = None, told: Callable[[Fraction], None] | None = None
) -> Solved:
    """The exact chances of a fight; :class:`TooLarge` where that is too much work.

    ``widest`` is how many scenes there may be at once, for those who give up early; ``told`` hears after every turn
    what chance is still open.
    """
    is_small_enough(job)
    solver = Solver(job.ring(), most)
    reckoning = solver.ring.book.reckoning
    open_now: Weights = {solver.ring.header.scene: Fraction(1)}
    ended: Weights = {}
    scenes, left = 0, Fraction(1)
    while open_now and left > SMALLEST:
        following: Weights = {}
        for scene, weight in open_now.items():
            scenes += 1
            try:
                steps = solver.step(scene)
            except TooMuch as problem:
                raise TooLarge(str(problem)) from None
            for after, chance in steps.items():
                into = ended if after.ended is not None else following
                into[after] = into.get(after, Fraction(0)) + weight * chance
            if widest is not None and len(following) > widest:
                raise TooLarge(f"it has more than {widest:,} scenes at once, which is too much to be solved by the way")
        open_now = following
        left = sum(open_now.values(), Fraction(0))
        if told is not None:
            told(left)

    def ending(scene: Scene) -> Ending:
        everybody = scene.participants
        return Ending(
            winner_of(scene, solver.ring.book),
            scene.round,
            frozenset([one.id for one in everybody if one.present and not reckoning.stands(one)]),
            frozenset([one.id for one in everybody if reckoning.dead(one)]),
            tuple([tuple([left(one) for one in everybody]) for left in reckoning.left.values()]),
        )

    endings: dict[Ending, Fraction] = {}
    for scene, weight in ended.items():
        found = ending(scene)
        endings[found] = endings.get(found, Fraction(0)) + weight
    return solved_of(job, solver.ring, endings, left, ways=solver.ways, scenes=scenes)


def solved_of(
    job: Job,
    ring: Ring,
    endings: Mapping[Ending, Fraction],
    remainder: Fraction,
    *,
    ways: int,
    scenes: int,
    harms: Mapping[tuple[str, str, str], Fraction] | None = None,
) -> Solved:
    """What a fight comes to, from all the ways in which it can end; ``harms`` is what blows take on average."""
    who = [one.id for one in ring.header.scene.participants]
    names = list(ring.book.reckoning.left)
    won = dict.fromkeys(job.sides, Fraction(0))
    rounds: dict[int, Fraction] = {}
    fell, died = dict.fromkeys(who, Fraction(0)), dict.fromkeys(who, Fraction(0))
    means = {one: dict.fromkeys(names, Fraction(0)) for one in who}
    for ending, weight in endings.items():
        won[ending.winner] = won.get(ending.winner, Fraction(0)) + weight
        rounds[ending.rounds] = rounds.get(ending.rounds, Fraction(0)) + weight
        for at, one in enumerate(who):
            fell[one] += weight * (one in ending.fell)
            died[one] += weight * (one in ending.died)
            for name, numbers in zip(names, ending.left, strict=True):
                means[one][name] += weight * numbers[at]
    return Solved(job, won, fell, died, rounds, means, remainder, ways, scenes, harms or {})
