"""Exact solution of small fights: every course of the fight with its probability.

The solver runs the real encounter turn by turn from every reachable scene, with every outcome of every mechanic and the
policies of normal play. No rule is implemented twice: a mechanic without choices gives its exact odds, and one with
choices is played roll by roll with the bots' choices. Paths that reach the same scene merge at the start of a turn and
at each choice of an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import Dist
from tablewright.dice.outcomes import format_outcome
from tablewright.engine import Call, Choice, Playthrough, Roll, TooComplexError
from tablewright.engine.odds import look
from tablewright.engine.request import Attributed, Request
from tablewright.errors import TooLargeError
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import TurnStarted
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import at_random
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rulebook
from tablewright.lab.fights.job import Job
from tablewright.lab.fights.trial import Arena, TrialGame, winner_of

MOST_WAYS = 40_000
"""Upper bound for paths through turns before a fight counts as too large."""

MOST_KEPT = 200_000
"""Upper bound for cached outcomes of mechanics; beyond it the cache is cleared."""

MOST_PEOPLE = 4
SMALLEST = Fraction(1, 10**9)
"""The solver stops once the open probability is at most this; the rest becomes the remainder."""

LEAST_WAY = Fraction(1, 10**12)
"""Paths below this probability join the remainder, because rerolled ties have no end."""

Fallen: TypeAlias = frozenset[str]
Weights: TypeAlias = dict[Scene, dict[Fallen, Fraction]]
"""Probability of each scene, by the participants who fell on the way to it."""

Harms: TypeAlias = dict[tuple[str, str, str], Fraction]
"""Mean damage by ("taken", who, "") and ("dealt", by, source)."""


class FightTooLargeError(TooLargeError):
    """A fight that cannot be solved with the work allowed."""

    exit_status = 1


class TurnStarts(BaseException):
    """Raised at the start of the next turn to end a solver step."""


class _Stepping(TrialGame):
    """Game that runs until the next turn starts and records damage and falls."""

    __slots__ = ()

    def emit(self, event: Event) -> None:
        super().emit(event)
        if type(event) is TurnStarted:
            raise TurnStarts


class _Chooser(Session):
    """Session facade that shows policies the fight being solved."""

    def __init__(self, ring: Arena) -> None:
        super().__init__(ring.header, ring.book)
        self._asked: str | None = None

    @property
    def seat(self) -> str | None:
        """Deciding seat."""
        return self._stack[-1].seat if self._stack else self._asked

    def asks(self, live: Game, ask: Choice[Any]) -> _Chooser:
        """Point the session at a choice of the process itself."""
        self.live, self._stack = live, []
        self._asked = ask.seat if isinstance(ask.seat, str) else ask.seat.value
        return self

    def inside(self, live: Game, playing: Playthrough[Any]) -> _Chooser:
        """Point the session at a choice inside a mechanic."""
        self.live, self._stack = live, [playing]
        return self


@dataclass(frozen=True)
class ExactResult:
    """Exact probabilities of a fight; ``remainder`` is the probability of paths not followed to their end."""

    job: Job
    won: Mapping[str, Fraction]
    fell: Mapping[str, Fraction]
    died: Mapping[str, Fraction]
    rounds: Mapping[int, Fraction]
    left: Mapping[str, Mapping[str, Fraction]]
    remainder: Fraction
    ways: int
    scenes: int
    harms: Mapping[tuple[str, str, str], Fraction]
    """Mean damage by ("taken", who, "") and ("dealt", by, source)."""

    def to_json(self) -> dict[str, Any]:
        """The result as JSON; each probability may be too low by up to the remainder."""

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
                    "damage": self.harms_of(who),
                }
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
        """Smallest number of rounds that covers this share of all fights, the remainder excluded."""
        passed, number, whole = Fraction(0), 0, sum(self.rounds.values(), Fraction(0))
        for number in sorted(self.rounds):
            passed += self.rounds[number]
            if passed >= share * whole:
                break
        return number

    def harms_of(self, who: str) -> dict[str, Any]:
        """Mean damage that a participant takes and deals, the latter also by source."""
        dealt = {source: float(mean) for (kind, by, source), mean in self.harms.items() if (kind, by) == ("dealt", who)}
        return {"taken": float(self.harms.get(("taken", who, ""), 0)), "dealt": sum(dealt.values()), "by_source": dealt}


class Ending(NamedTuple):
    """One end of a fight: winner, rounds, the fallen, the dead, and remaining resources per participant."""

    winner: str
    rounds: int
    fell: Fallen
    died: frozenset[str]
    left: tuple[tuple[int, ...], ...]


@dataclass
class _Prefix:
    """Answers that lead to a choice within a turn, and the probability of all paths merged there."""

    answers: tuple[Any, ...]
    weight: Fraction


@dataclass
class TurnOutcome:
    """Result of one turn: scenes where the next turn starts or the fight ends, with mean damage.

    ``lost`` is the probability of paths that were too unlikely to follow.
    """

    after: Weights = field(default_factory=dict)
    harms: Harms = field(default_factory=dict)
    lost: Fraction = Fraction(0)


@dataclass
class Solver:
    """Turn-by-turn solver of one fight."""

    ring: Arena
    most: int = MOST_WAYS
    ways: int = 0
    _known: dict[Any, tuple[tuple[Any, Fraction], ...]] = field(default_factory=dict)
    _kept: int = 0
    _endless: bool = False

    def __post_init__(self) -> None:
        self._chooser = _Chooser(self.ring)

    # ------------------------------------------------------------------ one turn

    def step(self, scene: Scene) -> TurnOutcome:
        """All results of one turn."""
        step = TurnOutcome()
        open_now = {(scene, Fallen()): _Prefix((), Fraction(1))}
        while open_now:
            following: dict[tuple[Scene, Fallen], _Prefix] = {}
            for prefix in open_now.values():
                self._go(scene, prefix, step, following)
            open_now = following
        return step

    def _go(
        self, scene: Scene, prefix: _Prefix, step: TurnOutcome, following: dict[tuple[Scene, Fallen], _Prefix]
    ) -> None:
        """Follow all paths from one choice of an action to the next."""
        todo = [(prefix.answers, prefix.weight)]
        given = len(prefix.answers)
        while todo:
            answers, weight = todo.pop()
            self._count_way()
            live = _Stepping(scene, self.ring.book)
            rule = self.ring.book.encounter.read(live, self.ring.arguments)
            said = list(answers)
            place, answer = 0, None
            counted = 0  # the run that found the prefix has already summed the damage before it
            try:
                while True:
                    ask = rule.send(answer)
                    if place == given > 0:
                        counted = len(live.harms)
                    if place < len(said):
                        answer, place = said[place], place + 1
                        continue
                    if place > given and is_deed(ask):
                        known = following.setdefault((live.state, Fallen(live.fell)), _Prefix(tuple(said), Fraction(0)))
                        known.weight += weight
                        break
                    if weight < LEAST_WAY:
                        step.lost += weight
                        self._endless = True
                        break
                    outcomes = self.outcomes(live, ask)
                    for other, chance in outcomes[1:]:
                        todo.append(((*said, other), weight * chance))
                    answer, chance = outcomes[0]
                    weight *= chance
                    said.append(answer)
                    place += 1
            except (StopIteration, TurnStarts):
                fell = Fallen(live.fell)
                chances = step.after.setdefault(live.state, {})
                chances[fell] = chances.get(fell, Fraction(0)) + weight
            finally:
                rule.close()
            for harm in live.harms[counted:]:
                for name in (("taken", harm.who, ""), ("dealt", harm.by or "", harm.source)):
                    step.harms[name] = step.harms.get(name, Fraction(0)) + weight * harm.amount

    def _count_way(self) -> None:
        self.ways += 1
        if self.ways > self.most:
            why = "; dice that are rolled again where they tie have no end" if self._endless else ""
            raise FightTooLargeError(
                f"it has more than {self.most:,} ways to go, which is too much to be solved exactly{why}"
            )

    # ------------------------------------------------------------------ one ask

    def outcomes(self, live: Game, ask: Any) -> tuple[tuple[Any, Fraction], ...]:
        """Answers to a request with their probabilities."""
        if isinstance(ask, Choice):
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

    def _played(self, live: Game, ask: Request[Any]) -> tuple[tuple[Any, Fraction], ...]:
        """Outcomes of a mechanic with choices, played roll by roll with the bots' choices."""
        found: dict[Any, Fraction] = {}
        todo: list[tuple[tuple[str | int, ...], Fraction]] = [((), Fraction(1))]
        while todo:
            answers, weight = todo.pop()
            self._count_way()
            playing: Playthrough[Any] = Playthrough(_only(ask))
            for answer in answers:
                _answer(playing, answer)
            said = list(answers)
            while (question := playing.question) is not None:
                if isinstance(question, Roll):
                    outcomes = _chances(question.dice.weigh())
                    texts = [(format_outcome(outcome), chance) for outcome, chance in outcomes]
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


def _answer(playing: Playthrough[Any], answer: str | int) -> None:
    if isinstance(answer, str):
        playing.set_outcome(answer, "every way")
    else:
        playing.choose(answer)


async def _only(ask: Request[Any]) -> Any:
    return await ask


def is_deed(ask: Any) -> bool:
    """True if the request is a choice of an action; its options depend on the scene alone."""
    return (
        isinstance(ask, Choice)
        and any(isinstance(option, ActionUse) for option in ask.options)
        and "who" in ask.details
    )


def _key(ask: Any) -> Any:
    """Cache key of a request: the call and its visibility; None if the request cannot be cached."""
    if isinstance(ask, Call):
        return ask
    if isinstance(ask, Attributed) and isinstance(ask.ask, Call):
        seats = (ask.actor, ask.opponent, ask.ally, ask.opponents_ally)
        return (ask.ask, seats, ask.audience, tuple(ask.hide), tuple(sorted(ask.private.items())))
    return None


def _chances(dist: Dist[Any]) -> tuple[tuple[Any, Fraction], ...]:
    return tuple([(outcome, Fraction(weight, dist.total)) for outcome, weight in dist.items()])


def solve(
    job: Job,
    ring: Arena | None = None,
    *,
    most: int = MOST_WAYS,
    widest: int | None = None,
    told: Callable[[Fraction], None] | None = None,
) -> ExactResult:
    """Solve a fight exactly; raise :class:`FightTooLargeError` if that takes too much work.

    ``ring`` replaces the job's own arena; its fight may already be under way. ``widest`` limits the number of
    simultaneous scenes. ``told`` is called after every turn with the probability still open.
    """
    people = len(job.scenario["participants"])
    if people > MOST_PEOPLE:
        raise FightTooLargeError(
            f"{people} take part; fights of more than {MOST_PEOPLE} are too large to be solved exactly"
        )
    solver = Solver(job.ring() if ring is None else ring, most)
    open_now: Weights = {solver.ring.header.scene: {Fallen(): Fraction(1)}}
    endings: dict[Ending, Fraction] = {}
    harms: Harms = {}
    scenes, left, lost = 0, Fraction(1), Fraction(0)
    while open_now and left > SMALLEST:
        following: Weights = {}
        for scene, chances in open_now.items():
            scenes += 1
            try:
                step = solver.step(scene)
            except TooComplexError as problem:
                raise FightTooLargeError(str(problem)) from None
            weight = sum(chances.values(), Fraction(0))
            lost += weight * step.lost
            for name, mean in step.harms.items():
                harms[name] = harms.get(name, Fraction(0)) + weight * mean
            for before, chance in chances.items():
                _add_step(solver.ring.book, step, before, chance, into=(following, endings))
            if widest is not None and len(following) > widest:
                raise FightTooLargeError(
                    f"it has more than {widest:,} scenes at once, which is too much to be solved by the way"
                )
        open_now = following
        left = sum([sum(chances.values(), Fraction(0)) for chances in open_now.values()], Fraction(0))
        if told is not None:
            told(left + lost)
    return _solved(job, solver, endings, left + lost, scenes=scenes, harms=harms)


def _add_step(
    book: Rulebook, step: TurnOutcome, before: Fallen, weight: Fraction, *, into: tuple[Weights, dict[Ending, Fraction]]
) -> None:
    """Add a turn's results, weighted by the probability of its scene and the fallen before it."""
    following, endings = into
    for scene, chances in step.after.items():
        for fell, chance in chances.items():
            if scene.ended is None:
                known = following.setdefault(scene, {})
                known[before | fell] = known.get(before | fell, Fraction(0)) + weight * chance
            else:
                ending = _ending(scene, book, before | fell)
                endings[ending] = endings.get(ending, Fraction(0)) + weight * chance


def _ending(scene: Scene, book: Rulebook, fell: Fallen) -> Ending:
    reckoning, everybody = book.vitals, scene.participants
    return Ending(
        winner_of(scene, book),
        scene.round,
        fell.union([one.id for one in everybody if one.present and not reckoning.is_standing(one)]),
        frozenset([one.id for one in everybody if reckoning.dead(one)]),
        tuple([tuple([left(one) for one in everybody]) for left in reckoning.left.values()]),
    )


def _solved(
    job: Job, solver: Solver, endings: Mapping[Ending, Fraction], remainder: Fraction, *, scenes: int, harms: Harms
) -> ExactResult:
    """Aggregate all endings of a fight."""
    who = [one.id for one in solver.ring.header.scene.participants]
    names = list(solver.ring.book.vitals.left)
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
    return ExactResult(job, won, fell, died, rounds, means, remainder, solver.ways, scenes, harms)
