"""One fight of a job: an arena opened once, a session per fight number, and its result.

Fight ``number`` draws from its own random streams, which depend on the job's seed and the number alone. It gives the
same result on every machine. Streams are keyed by round, turn and seat, so two slightly different scenarios roll the
same dice until their actions differ. In a mirrored job an odd number throws the opposite faces of the number before it
(:mod:`tablewright.lab.fights.luck`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple

from tablewright.dice import SeededDice
from tablewright.engine import Choice, OptionList, Playthrough, Roll
from tablewright.errors import TablewrightError
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.vitals import Damage
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.opening import rounds_argument
from tablewright.game.session.policies import Policy, careful
from tablewright.game.session.record import Entry, StartEntry
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.lab.fights.luck import LuckTotals, MeasuredDice
from tablewright.lab.fights.ranking import Ranking, ranking_of
from tablewright.lab.fights.totals import MOST_EXAMPLES, NOBODY, FightTotals, ParticipantTotals

MOST_ANSWERS = 100_000
"""Upper bound for rolls and choices in one fight."""

ROUND_LIMIT = "draw"

NEW_OBJECTS = 1_000_000
"""Garbage collection threshold (new objects) while fights run."""


def seed_of(seed: int, number: int) -> int:
    """128-bit seed of one fight of a job.

    >>> seed_of(1, 0) != seed_of(1, 1) != seed_of(2, 1)
    True
    """
    return int.from_bytes(blake2b(f"{seed}/trial:{number}".encode(), digest_size=16).digest(), "big")


class TrialGame(Game):
    """Game that records damage with its round, and the participants who fell by it.

    Participants in ``rankings`` get only the options that their policy needs.
    """

    __slots__ = ("_ratings", "fell", "harms", "last_harm", "rankings")

    def __init__(self, scene: Scene, book: Rulebook) -> None:
        super().__init__(scene, book)
        self.harms: list[Damage] = []
        self.fell: dict[str, None] = {}
        self.last_harm = 0
        self.rankings: Mapping[str, Ranking] = {}
        self._ratings: tuple[Scene, str, dict[ActionUse, Rating]] = (scene, "", {})

    def legal_uses(self, who: str) -> OptionList[ActionUse]:
        """Legal uses of actions; for a bot that ranks them, the best one and one other."""
        ranking = self.rankings.get(who)
        if ranking is None:
            return super().legal_uses(who)
        offer, ratings = ranking.open_to(self.state, who)
        self._ratings = self.state, who, ratings
        return offer

    def rate(self, scene: Scene, who: str, use: ActionUse) -> Rating:
        """Rating of an option; reused if the same scene offered it, else computed."""
        offered_in, to, ratings = self._ratings
        known = ratings.get(use) if offered_in is scene and to == who else None
        return self.rulebook.rate_use(scene, who, use) if known is None else known

    def emit(self, event: Event) -> None:
        """Apply an event and record its damage."""
        reckoning = self.rulebook.vitals
        if type(event) not in reckoning.damage_events:
            super().emit(event)
            return
        before = self.state
        super().emit(event)
        for harm in reckoning.damage_from(before, event, self.state):
            self.harms.append(harm)
            self.last_harm = self.state.round
            if not reckoning.is_standing(self.state[harm.who]):
                self.fell[harm.who] = None


class FightResult(NamedTuple):
    """Result of one fight.

    ``winner`` is a side or :data:`NOBODY`; ``limited`` marks a fight ended by the round limit. ``luck`` of each side is
    measured in mirrored jobs alone.
    """

    number: int
    winner: str
    outcome: str
    limited: bool
    rounds: int
    asks: int
    scene: Scene
    harms: tuple[Damage, ...]
    fell: frozenset[str]
    last_harm: int
    done: Mapping[str, int]
    luck: Mapping[str, int]


class Trial(Session):
    """A session that plays itself and saves nothing but its record.

    ``mirror`` says whether its dice show the opposite faces; with None they are not measured either.
    """

    live: TrialGame
    mirror: bool | None = None

    def _begin(self) -> None:
        super()._begin()
        self.live = TrialGame(self.header.scene, self.rulebook)
        self._key = self.header.seed.to_bytes(16, "big")
        self._began: StartEntry | None = None
        self._places: dict[str, int] = {}
        self._thrown: list[tuple[str, int, MeasuredDice]] = []
        self._weighed: tuple[int, str | None] | None = None
        self._weight = 0

    @property
    def entries(self) -> list[Entry]:
        """Entries so far; those of the fight under way are in its playthrough."""
        start, playing = self._began, self.playing
        return self._kept if start is None or playing is None else [start, *playing.record]

    @entries.setter
    def entries(self, entries: list[Entry]) -> None:
        self._kept = entries

    def _drawn(self, kind: str, asked: Roll[Any] | None = None) -> SeededDice:
        """Dice for the next roll or choice of the deciding seat in this turn and round."""
        scene = self.live.state
        seat = self._stack[-1].seat
        stream = f"{kind}:{scene.round}:{scene.turn}:{seat}"
        k = self._places.get(stream, 0)
        self._places[stream] = k + 1
        if self.mirror is None:
            return SeededDice(self._key, stream, 0, k)
        if asked is None:
            return MeasuredDice(self._key, stream, k, mirror=self.mirror)
        dice = MeasuredDice(self._key, stream, k, mirror=self.mirror, worth=asked.worth)
        if self._weighed != (scene.round, scene.turn):
            self._weighed = scene.round, scene.turn
            self._weight = evenness(self.header.scene, scene, self.rulebook.vitals.is_standing)
        self._thrown.append((seat, self._weight, dice))
        return dice

    def luck(self) -> dict[str, int]:
        """Luck of the dice of each side, times how even the fight was before they were thrown.

        Seats of several sides and of none count for no one.
        """
        sides: dict[str, set[str]] = {}
        for one in self.scene.participants:
            sides.setdefault(one.seat, set()).add(one.side)
        luck: dict[str, int] = {}
        for seat, weight, dice in self._thrown:
            found = sides.get(seat, ())
            if len(found) == 1:
                (side,) = found
                luck[side] = luck.get(side, 0) + weight * dice.luck
        return luck

    @property
    def rate(self) -> Callable[[Scene, str, ActionUse], Rating]:
        """Rating function for options."""
        return self.live.rate

    def dice_for_choices(self, seat: str) -> SeededDice:
        """Dice for a bot that chooses at random."""
        return self._drawn("bot")

    def play(self, arguments: Mapping[str, Any], policy_for: Callable[[Trial, Choice[Any]], Policy]) -> None:
        """Play the encounter to its end; refuse one that needs more than ``MOST_ANSWERS`` answers."""
        process = self.rulebook.encounter
        playing: Playthrough[Any] = Playthrough(process.read(self.live, arguments), self.live.log)
        self._stack, self._began = [playing], StartEntry(process.name, arguments)
        for _ in range(MOST_ANSWERS):
            question = playing.question
            if question is None:
                break
            if isinstance(question, Roll):
                playing.roll(self._drawn("roll", question))
            else:
                playing.choose(policy_for(self, question)(self, question))
        else:
            raise TablewrightError(
                f"it does not end: {MOST_ANSWERS:,} answers were given, and it is still round {self.scene.round}"
            )
        self.entries = self.entries
        self._stack = []
        self.result = playing.result


class Arena:
    """A scenario opened once, for any number of fights."""

    def __init__(
        self,
        header: SessionHeader,
        book: Rulebook,
        policies: Mapping[str, Policy],
        seed: int,
        *,
        mirrored: bool = False,
    ) -> None:
        self.header = header
        self.mirrored = mirrored
        self.book = book
        self.policies = policies
        self.seed = seed
        self._by_seat: dict[str, Policy] = {}
        for one in header.scene.participants:
            self._by_seat.setdefault(one.seat, policies[one.id])
        rankings = {who: ranking_of(book, policy) for who, policy in policies.items()}
        self._rankings = {who: ranking for who, ranking in rankings.items() if ranking is not None}
        self.arguments = rounds_argument(book, header.scene)

    def policy_for(self, trial: Session, question: Choice[Any]) -> Policy:
        """Policy of the participant that a choice concerns, else of the first participant with that seat."""
        who = question.details.get("who")
        if isinstance(who, str) and who in self.policies:
            return self.policies[who]
        return self._by_seat.get(trial.seat or "", careful)

    def play(self, number: int, kind: type[Trial] = Trial) -> Trial:
        """Play one fight as a session that can be narrated, saved and replayed."""
        old = self.header
        seed = seed_of(self.seed, number // 2 if self.mirrored else number)
        trial = kind(SessionHeader(old.system, old.version, old.scene, seed, old.source), self.book)
        trial.mirror = number % 2 == 1 if self.mirrored else None
        trial.live.rankings = self._rankings
        try:
            trial.play(self.arguments, self.policy_for)
        except Exception as problem:
            problem.add_note(f"fight {number} of seed {self.seed}")
            raise
        return trial

    def fight(self, number: int) -> FightResult:
        """Play one fight and return its result."""
        return self.kept(number, self.play(number))

    def kept(self, number: int, trial: Trial) -> FightResult:
        """Result of a finished fight."""
        scene, live = trial.scene, trial.live
        limited = scene.ended == ROUND_LIMIT and scene.round >= scene.setup.rounds
        stands = self.book.vitals.is_standing
        down = [one.id for one in scene.participants if one.present and not stands(one)]
        return FightResult(
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
            luck=trial.luck() if self.mirrored else {},
        )

    def count(self, numbers: range) -> FightTotals:
        """Fight the given numbers in order and return their totals."""
        sides = tuple(dict.fromkeys([one.side for one in self.header.scene.participants]))
        luck = LuckTotals(sides, (*sides, NOBODY)) if self.mirrored else None
        counts = FightTotals(luck=luck)
        with rarely_collecting():
            for number in numbers:
                fight = self.fight(number)
                tell(counts, fight, self.book)
                if luck is not None:
                    luck.add(number, fight.winner, fight.luck)
        return counts


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Raise the garbage collection threshold: fights create millions of objects but few cycles.

    >>> with rarely_collecting():
    ...     gc.get_threshold()[0]
    1000000
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], NEW_OBJECTS) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def evenness(began: Scene, scene: Scene, stands: Callable[[Participant], bool]) -> int:
    """Evenness of a fight: 100 while as large a part of one side stands as of the other, 0 once one side is down.

    Of more than two sides the two that stand best are compared.
    """
    members: dict[str, int] = {}
    for one in began.participants:
        members[one.side] = members.get(one.side, 0) + 1
    if len(members) < 2:
        return 100
    standing = dict.fromkeys(members, 0)
    for one in scene.participants:
        if one.side in standing and stands(one):
            standing[one.side] += 1
    less, more = sorted([100 * left // members[side] for side, left in standing.items()])[-2:]
    return 200 * less * more // (less * less + more * more) if more else 0


def winner_of(scene: Scene, book: Rulebook) -> str:
    """Winning side by outcome, else the only standing side, else the only standing side without fallen members.

    A fight without such a side, without an end or ended by the round limit is a draw.
    """
    sides = tuple(dict.fromkeys([one.side for one in scene.participants]))
    for side in sides:
        if scene.ended == f"{side} win":
            return side
    if scene.ended is None or scene.ended == ROUND_LIMIT:
        return NOBODY
    stands = book.vitals.is_standing
    standing = dict.fromkeys([one.side for one in scene.participants if stands(one)])
    if len(standing) > 1:
        hurt = {one.side for one in scene.participants if not stands(one)}
        standing = dict.fromkeys([side for side in standing if side not in hurt])
    return next(iter(standing)) if len(standing) == 1 else NOBODY


def _done(trial: Trial) -> dict[str, int]:
    """Number of times each action was taken."""
    known = trial.rulebook.actions.by_id
    done: dict[str, int] = {}
    for answer in trial.entries:
        if isinstance(answer, str):
            action = answer.partition(":")[0]
            if action in known:
                done[action] = done.get(action, 0) + 1
    return done


def hits_own_side(scene: Scene, harm: Damage) -> bool:
    """True if a participant damaged its own side, including itself."""
    return harm.by in scene and harm.who in scene and scene[harm.by or ""].side == scene[harm.who].side


def tell(counts: FightTotals, fight: FightResult, book: Rulebook) -> None:
    """Add a fight to the totals."""
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
        person = counts.people.setdefault(one.id, ParticipantTotals())
        person.fell += one.id in fight.fell
        person.died += bool(book.vitals.dead(one))
        person.gone += not one.present
        for name, left in book.vitals.left.items():
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
