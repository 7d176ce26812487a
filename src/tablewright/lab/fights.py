"""One fight of many: a scenario opened once, a session for each number, and what is kept of it.

Fight ``number`` of a job draws from streams of its own, which depend on the job's seed and the number alone: it comes
out the same wherever and whenever it is fought. Each roll belongs to the round, the turn and the seat it is made in, so
that two scenarios with one small difference throw the same dice for as long as the same things are done.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from tablewright.dice import Dice
from tablewright.engine import Choose, Playing, Roll
from tablewright.errors import TablewrightError
from tablewright.game.actions import Use
from tablewright.game.events import Event
from tablewright.game.policies import Policy, careful
from tablewright.game.reckoning import Harm
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Header, Session, Started
from tablewright.lab.counts import MOST_EXAMPLES, NOBODY, Counts, Person
from tablewright.lab.ranking import Ranking, ranking_of

R = TypeVar("R")

MOST_ANSWERS = 100_000
"""How many rolls and choices one fight may take."""

ROUND_LIMIT = "draw"

NEW_OBJECTS = 50_000
"""After how many new objects Python looks for circles among them while fights are fought."""


def seed_of(seed: int, number: int) -> int:
    """The seed of one fight of many, of 128 bits.

    >>> seed_of(1, 0) != seed_of(1, 1) != seed_of(2, 1)
    True
    """
    return int.from_bytes(blake2b(f"{seed}/trial:{number}".encode(), digest_size=16).digest(), "big")


class Counted(Live):
    """A scene under way that notes who took how much from whom, in which round, and who fell by it.

    Those in ``rankings`` are offered on their turns what their policies could take, and nothing else.
    """

    __slots__ = ("_ratings", "fell", "harms", "last_harm", "rankings")

    def __init__(self, scene: Scene, book: Rulebook) -> None:
        super().__init__(scene, book)
        self.harms: list[Harm] = []
        self.fell: dict[str, None] = {}
        self.last_harm = 0
        self.rankings: Mapping[str, Ranking] = {}
        self._ratings: tuple[Scene, str, dict[Use, Rating]] = (scene, "", {})

    def aside(self, function: Callable[..., R], *given: Any) -> R:
        """What is only offered or shown; what nobody's policy would take is not looked for."""
        if self.rankings and function == self.book.actions.open_to:
            who = given[0]
            if who in self.rankings:
                offer, ratings = self.rankings[who].open_to(self.state, who)
                self._ratings = self.state, who, ratings
                return offer  # type: ignore[return-value]
        return super().aside(function, *given)

    def rate(self, scene: Scene, who: str, use: Use) -> Rating:
        """What an option promises: as it was found out when it was offered in this very scene, or else anew."""
        offered_in, to, ratings = self._ratings
        known = ratings.get(use) if offered_in is scene and to == who else None
        return self.book.rate(scene, who, use) if known is None else known

    def emit(self, event: Event) -> None:
        """Let something happen, and count what it took."""
        reckoning = self.book.reckoning
        if type(event) not in reckoning.blows:
            super().emit(event)
            return
        before = self.state
        super().emit(event)
        for harm in reckoning.harms(before, event, self.state):
            self.harms.append(harm)
            self.last_harm = self.state.round
            if not reckoning.stands(self.state[harm.who]):
                self.fell[harm.who] = None


class Fight(NamedTuple):
    """What is kept of one fight. ``winner`` is a side, or nobody; ``limited`` says that the round limit ended it."""

    number: int
    winner: str
    outcome: str
    limited: bool
    rounds: int
    asks: int
    scene: Scene
    harms: tuple[Harm, ...]
    fell: frozenset[str]
    last_harm: int
    done: Mapping[str, int]


class Trial(Session):
    """A session that plays itself; nothing is written down that its rule does not keep anyway."""

    live: Counted

    def _begin(self) -> None:
        super()._begin()
        self.live = Counted(self.header.scene, self.book)
        self._key = self.header.seed.to_bytes(16, "big")
        self._places: dict[str, int] = {}

    def _drawn(self, kind: str) -> Dice:
        """Dice for the next roll or choice of whoever is asked, in this turn of this round."""
        scene = self.live.state
        stream = f"{kind}:{scene.round}:{scene.turn}:{self._stack[-1].seat}"
        k = self._places.get(stream, 0)
        self._places[stream] = k + 1
        return Dice(self._key, stream, 0, k)

    @property
    def rate(self) -> Callable[[Scene, str, Use], Rating]:
        """What options promise."""
        return self.live.rate

    def dice_for_choices(self, seat: str) -> Dice:
        """Dice for a bot that chooses at random."""
        return self._drawn("bot")

    def play(self, arguments: Mapping[str, Any], policy_for: Callable[[Trial, Choose[Any]], Policy]) -> None:
        """Fight from the beginning to the end."""
        process = self.book.encounter
        playing: Playing[Any] = Playing(process.read(self.live, arguments), self.live.log)
        self._stack = [playing]
        for _ in range(MOST_ANSWERS):
            question = playing.question
            if question is None:
                break
            if isinstance(question, Roll):
                playing.roll(self._drawn("roll"))
            else:
                playing.choose(policy_for(self, question)(self, question))
        else:
            raise TablewrightError(
                f"it does not end: {MOST_ANSWERS:,} answers were given, and it is still round {self.scene.round}"
            )
        self.entries = [Started(process.name, arguments), *playing.record]
        self._stack = []
        self.result = playing.result


class Ring:
    """A scenario that is opened once, to be fought any number of times."""

    def __init__(self, header: Header, book: Rulebook, policies: Mapping[str, Policy], seed: int) -> None:
        self.header = header
        self.book = book
        self.policies = policies
        self.seed = seed
        self._by_seat: dict[str, Policy] = {}
        for one in header.scene.participants:
            self._by_seat.setdefault(one.seat, policies[one.id])
        rankings = {who: ranking_of(book, policy) for who, policy in policies.items()}
        self._rankings = {who: ranking for who, ranking in rankings.items() if ranking is not None}
        takes = [parameter for parameter in book.encounter.params if parameter.name == "rounds"]
        rounds = header.scene.start.rounds
        self.arguments = {"rounds": rounds} if takes and takes[0].kind.accepts(rounds) else {}

    def policy_for(self, trial: Session, question: Choose[Any]) -> Policy:
        """The policy of whoever the question is about, or else of the first one with that seat."""
        who = question.about.get("who")
        if isinstance(who, str) and who in self.policies:
            return self.policies[who]
        return self._by_seat.get(trial.seat or "", careful)

    def play(self, number: int, kind: type[Trial] = Trial) -> Trial:
        """One fight as a whole session, that can be told, saved and replayed."""
        old = self.header
        trial = kind(Header(old.system, old.version, old.scene, seed_of(self.seed, number), old.source), self.book)
        trial.live.rankings = self._rankings
        try:
            trial.play(self.arguments, self.policy_for)
        except Exception as problem:
            problem.add_note(f"fight {number} of seed {self.seed}")
            raise
        return trial

    def fight(self, number: int) -> Fight:
        """One fight, and what is kept of it."""
        return self.kept(number, self.play(number))

    def kept(self, number: int, trial: Trial) -> Fight:
        """What is kept of a fight that is over."""
        scene, live = trial.scene, trial.live
        limited = scene.ended == ROUND_LIMIT and scene.round >= scene.start.rounds
        stands = self.book.reckoning.stands
        down = [one.id for one in scene.participants if one.present and not stands(one)]
        return Fight(
            number=number,
            winner=winner_of(scene, self.book),
            outcome=scene.ended or "unfinished",
            limited=limited,
            rounds=scene.round,
            asks=len(trial.entries) - 1,
            scene=scene,
            harms=tuple(live.harms),
            fell=frozenset(live.fell) | frozenset(down),
            last_harm=live.last_harm,
            done=_done(trial) if limited else {},
        )

    def count(self, numbers: range) -> Counts:
        """Fight some numbers in order, and count."""
        counts = Counts()
        with rarely_collecting():
            for number in numbers:
                tell(counts, self.fight(number), self.book)
        return counts


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Let Python look for circles of forgotten objects less often: fights leave few, and make objects by the million.

    >>> with rarely_collecting():
    ...     gc.get_threshold()[0]
    50000
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], NEW_OBJECTS) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def winner_of(scene: Scene, book: Rulebook) -> str:
    """The side that has won: as the outcome says, else the only one that stands, or the only one without fallen."""
    sides = tuple(dict.fromkeys([one.side for one in scene.participants]))
    for side in sides:
        if scene.ended == f"{side} win":
            return side
    if scene.ended is None or scene.ended == ROUND_LIMIT:
        return NOBODY
    stands = book.reckoning.stands
    standing = dict.fromkeys([one.side for one in scene.participants if stands(one)])
    if len(standing) > 1:
        hurt = {one.side for one in scene.participants if not stands(one)}
        standing = dict.fromkeys([side for side in standing if side not in hurt])
    return next(iter(standing)) if len(standing) == 1 else NOBODY


def _done(trial: Trial) -> dict[str, int]:
    """How often each action was taken."""
    known = trial.book.actions.by_id
    done: dict[str, int] = {}
    for answer in trial.entries:
        if isinstance(answer, str):
            action = answer.partition(":")[0]
            if action in known:
                done[action] = done.get(action, 0) + 1
    return done


def hits_own_side(scene: Scene, harm: Harm) -> bool:
    """Whether somebody has hurt one of their own, or themselves."""
    return harm.by in scene and harm.who in scene and scene[harm.by or ""].side == scene[harm.who].side


def tell(counts: Counts, fight: Fight, book: Rulebook) -> None:
    """Count a fight among others."""
    counts.fights += 1
    counts.asks += fight.asks
    counts.won[fight.winner] = counts.won.get(fight.winner, 0) + 1
    counts.outcomes[fight.outcome] = counts.outcomes.get(fight.outcome, 0) + 1
    examples = counts.examples.setdefault(fight.winner, [])
    if len(examples) < MOST_EXAMPLES:
        examples.append(fight.number)
    counts.rounds.add(fight.rounds)
    if fight.limited:
        counts.limited += 1
        counts.harmless += not fight.harms
        counts.still.add(fight.rounds - fight.last_harm)
        for action, times in fight.done.items():
            counts.done[action] = counts.done.get(action, 0) + times
    dealt: dict[str, dict[str, int]] = {}
    taken: dict[str, int] = {}
    own: dict[str, int] = {}
    for harm in fight.harms:
        taken[harm.who] = taken.get(harm.who, 0) + harm.amount
        if harm.by is not None and hits_own_side(fight.scene, harm):
            own[harm.by] = own.get(harm.by, 0) + harm.amount
        sources = dealt.setdefault(harm.by if harm.by is not None and harm.by in fight.scene else NOBODY, {})
        sources[harm.source] = sources.get(harm.source, 0) + harm.amount
    for one in fight.scene.participants:
        person = counts.people.setdefault(one.id, Person())
        person.fell += one.id in fight.fell
        person.died += bool(book.reckoning.dead(one))
        person.gone += not one.present
        for name, left in book.reckoning.left.items():
            count = person.left.get(name)
            if count is None:
                count = person.left[name] = type(counts.rounds)()
            count.add(left(one))
        mine = dealt.get(one.id, {})
        person.dealt.add(sum(mine.values()))
        person.taken.add(taken.get(one.id, 0))
        if one.id in own:
            person.own.add(own[one.id])
        for source, amount in mine.items():
            person.by_source.setdefault(source, type(counts.rounds)()).add(amount)
    for source, amount in dealt.get(NOBODY, {}).items():
        counts.nobody.setdefault(source, type(counts.rounds)()).add(amount)
