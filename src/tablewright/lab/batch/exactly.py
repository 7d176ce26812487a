"""Duels and small fights solved from the tables of the batch path: every way they can go, with its exact weight.

A state is the row of a fight where one of its pieces starts. What a piece can lead to is read off its tree, draw by
draw; where the tree ends too soon the real encounter is played, which makes it longer. Two things keep the states few.
What a piece leads to is remembered by the atoms that it reads: it is followed once for all states that are alike in
those. And an atom that no piece reads before it is written (an initiative, once the order is set) makes no
difference: states that differ in nothing else are one. Which atoms those are is found on the way; where another one is
read the count begins anew, and what is known of the pieces stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from tablewright.game.reckoning import Harm
from tablewright.lab.batch.forest import ASKED, ATOM, CHOSEN, DRAWN, HAPPENS, LEAF
from tablewright.lab.batch.layout import ChangedShape, Layout, Path
from tablewright.lab.batch.running import Batch, is_down, of_one, why_not
from tablewright.lab.batch.segments import GO, PICK, CannotCut, Pieces
from tablewright.lab.batch.tracing import Function, NewlyVarying, Recorder
from tablewright.lab.batch.views import ForeignRead
from tablewright.lab.fights import Ring, winner_of
from tablewright.lab.jobs import Job
from tablewright.lab.solving import SMALLEST, Ending, Solved, TooLarge, is_small_enough, solve, solved_of

MOST_PLAYED = 20_000
"""How many pieces are played for real before a fight is too large to be solved."""

MOST_STATES = 400_000
"""How many states are followed, each by one piece."""

LEAST_WAY = Fraction(1, 10**9)
"""Dice that are rolled again and again make ways without end: a way less likely than this is told as what remains."""

MOST_WAYS_OF_ONE = 10_000
MOST_TRIES = 50
CUT_OFF = -1

Harms: TypeAlias = dict[tuple[str, str, str], Fraction]
Ways: TypeAlias = list[tuple[list[int], Fraction]]


class Outcome(NamedTuple):
    """Where a piece can lead to: the next piece, what is written, and who fell."""

    piece: int
    writes: tuple[tuple[int, int], ...]
    fell: frozenset[str]


class Followed(NamedTuple):
    """All that a piece can lead to; ``harms`` are means over all of it, ``lost`` is the chance of what was cut off."""

    outcomes: tuple[tuple[Outcome, Fraction], ...]
    harms: Harms
    lost: Fraction


class State(NamedTuple):
    """A fight at the start of a piece, by the atoms that make a difference."""

    piece: int
    codes: tuple[int, ...]
    fell: frozenset[str]


Open: TypeAlias = dict[State, tuple[Fraction, tuple[int, ...]]]


@dataclass
class _Count:
    """Open states, each with its chance and one row that stands for all that are alike; and what came of others."""

    live: tuple[int, ...]
    open: Open = field(default_factory=dict)
    endings: dict[Ending, Fraction] = field(default_factory=dict)
    harms: Harms = field(default_factory=dict)
    lost: Fraction = Fraction(0)

    def add(self, piece: int, row: tuple[int, ...], fell: frozenset[str], chance: Fraction) -> None:
        """One comes to a state with some chance."""
        state = State(piece, tuple([row[at] for at in self.live]), fell)
        known = self.open.get(state)
        self.open[state] = (chance, row) if known is None else (known[0] + chance, known[1])


@dataclass
class _Way:
    """One way through a piece: what was drawn, and what has been written, who fell, and what blows took."""

    drawn: list[int]
    weight: Fraction
    codes: list[int]
    written: dict[int, int] = field(default_factory=dict)
    fell: tuple[str, ...] = ()
    harms: list[tuple[tuple[str, str, str], int]] = field(default_factory=list)

    def hurt(self, harms: Iterable[Harm], fell: Iterable[str]) -> None:
        """Blows have taken something."""
        for harm in harms:
            self.harms.append((("taken", harm.who, ""), harm.amount))
            self.harms.append((("dealt", harm.by or "", harm.source), harm.amount))
        self.fell = (*self.fell, *fell)


class _Missing(Exception):
    """The tree does not know how to go on."""


class _AnotherIsRead(Exception):
    """An atom was read that was thought to make no difference."""


class Rows:
    """The states of one fight, followed piece by piece. ``states`` is how many were, ``played`` how many pieces."""

    def __init__(self, ring: Ring, *, most: int = MOST_PLAYED, most_states: int = MOST_STATES) -> None:
        if why := why_not(ring):
            raise TooLarge(why)
        self.ring = ring
        self.most = most
        self.most_states = most_states
        self.played = self.states = 0
        self._batch = Batch(ring)
        self._varying = self._batch.varying
        self._forget()

    def _forget(self) -> None:
        self.layout = Layout(self.ring.header.scene, self._batch.layout.shapes)
        self.recorder = Recorder(self.layout, self.ring.book, self._varying)
        self.pieces = Pieces(self.ring, self.recorder, self._pick)
        self._forced: list[int] = []
        self._drawn_from: list[int] = []
        self._reads: dict[int, tuple[int, ...]] = {}
        self._known: dict[int, dict[tuple[int, ...], Followed]] = {}
        self._read: set[int] = set()
        self._ended = self.layout.number[Path(-1, False, "ended", "")]
        self._round = self.layout.number[Path(-1, False, "round", "")]
        self._going_on = self.layout.codes[self._ended].code(None)
        first = enumerate(self.layout.apart(self.ring.header.scene))
        self._start = tuple([self.layout.codes[at].code(value) for at, value in first])
        self._live: set[int] = {self._ended, self._round}

    # ------------------------------------------------------------------ playing for real

    def _pick(self, table: int) -> int:
        """Draw what is to be followed, and after that the first outcome."""
        at = len(self._drawn_from)
        self._drawn_from.append(table)
        return self._forced[at] if at < len(self._forced) else 0

    def _restart(self) -> None:
        self._drawn_from = []

    def _values(self, codes: Sequence[int]) -> list[Any]:
        return [self.layout.codes[at].values[code] for at, code in enumerate(codes)]

    def _prepare(self, drawn: Sequence[int]) -> None:
        self.played += 1
        if self.played > self.most:
            raise TooLarge(f"more than {self.most:,} pieces of it had to be played for its tables, which is too much")
        self._forced = list(drawn)
        self._restart()

    # ------------------------------------------------------------------ going through trees

    def _value(self, way: _Way, asked: Function, run: Callable[[], Any]) -> int:
        """What the tree of a pure function says on a way; what it reads is noted."""
        forest, codes = self.recorder.forest, way.codes
        for _ in range(MOST_TRIES):
            node: int | None = asked.root
            while node is not None:
                kind, about = forest.kind[node], forest.about[node]
                if kind == ATOM:
                    if about not in way.written:
                        self._read.add(about)
                    node = forest.after(node, codes[about])
                elif kind == ASKED:
                    node = forest.after(node, self._function(way, about))
                elif kind == LEAF:
                    return about
                else:
                    node = None
            self.recorder.begin(self._values(codes), codes[:])
            run()
        raise CannotCut("what a function reads could not be found out")

    def _function(self, way: _Way, number: int) -> int:
        asked = self.recorder.of[number]
        return self._value(way, asked, lambda: self.recorder.run(asked))

    def _chosen(self, way: _Way, number: int) -> int:
        """Which option is best, as the number of its rating; the first of those that are."""
        choice = self.pieces.choices[number]
        options: list[Any] = []
        for offer in choice.offers:
            given = self.recorder.of[offer].codes.values[self._function(way, offer)]
            options += [one for one in given if hasattr(one, "action")]
        ratings = [self.pieces.rating(choice.policy, choice.who, one) for one in (*options, *choice.given)]
        scores = [self.recorder.scores.values[self._function(way, rating)] for rating in ratings]
        return ratings[scores.index(max(scores))]

    def _happened(self, way: _Way, event: int) -> int:
        kept = self._value(way, self.recorder.changes[event], lambda: self.recorder.change_of(event))
        change = self.recorder.kept[kept]
        for atom, code in change.writes:
            way.codes[atom] = way.written[atom] = code
        way.hurt(change.harms, change.fell)
        return change.which

    def _drawn(self, way: _Way, place: int, table: int, others: Ways) -> int:
        """What is drawn here: as was said, or else the first outcome, with all others as ways of their own."""
        if place < len(way.drawn):
            return way.drawn[place]
        weights = self.pieces.weights[table]
        total = sum(weights)
        for other in range(1, len(weights)):
            others.append(([*way.drawn, other], way.weight * Fraction(weights[other]) / total))
        way.weight *= Fraction(weights[0]) / total
        way.drawn.append(0)
        return 0

    def _through(self, piece: int, way: _Way, others: Ways) -> int:
        """Go one way to the end of its piece, and note where others branch off; gives the next piece."""
        forest = self.recorder.forest
        node, place = self.pieces.nodes[piece], 0
        while True:
            kind, about = forest.kind[node], forest.about[node]
            if kind == ATOM:
                if about not in way.written:
                    self._read.add(about)
                answer = way.codes[about]
            elif kind == ASKED:
                answer = self._function(way, about)
            elif kind == HAPPENS:
                answer = self._happened(way, about)
            elif kind == CHOSEN:
                answer = self._chosen(way, about)
            elif kind == DRAWN:
                answer, place = self._drawn(way, place, about, others), place + 1
                if way.weight < LEAST_WAY:
                    return CUT_OFF
            elif kind == LEAF:
                return about
            else:
                raise _Missing
            following = forest.after(node, answer)
            if following is None:
                raise _Missing
            node = following

    def _unwatched(self, piece: int, way: _Way, others: Ways) -> int:
        """The same for a piece that cannot be watched: it is played, and everything counts as read."""
        self._prepare(way.drawn)
        self._read.update([atom for atom, varies in enumerate(self.recorder.varying) if varies])
        scene = self.layout.together(self._values(way.codes))
        following, after, harms, fell = self.pieces.unwatched(piece, scene)
        codes = [self.layout.codes[at].code(value) for at, value in enumerate(self.layout.apart(after))]
        self.recorder.notice(codes, list(self._start))
        way.written = {at: code for at, code in enumerate(codes) if code != way.codes[at]}
        way.hurt(harms, fell)
        for place, table in enumerate(self._drawn_from):
            self._drawn(way, place, table, others)
        return following

    def _goes(self, piece: int, start: Sequence[int]) -> Iterator[tuple[int, _Way]]:
        """Every way through a piece, with the piece that comes next, or that it was cut off."""
        todo: Ways = [([], Fraction(1))]
        for _ in range(MOST_WAYS_OF_ONE):
            if not todo:
                return
            drawn, weight = todo.pop()
            way, others = _Way(list(drawn), weight, list(start)), Ways()
            if weight < LEAST_WAY:
                yield CUT_OFF, way
                continue
            try:
                if self.pieces.raw[piece]:
                    following = self._unwatched(piece, way, others)
                else:
                    following = self._through(piece, way, others)
            except _Missing:
                self._prepare(way.drawn)
                self.recorder.begin(self._values(start), list(start))
                try:
                    self.pieces.play(piece, self._restart)
                except (CannotCut, ForeignRead):
                    self.pieces.raw[piece] = True
                todo.append((drawn, weight))
                continue
            todo += others
            yield following, way
        raise TooLarge(
            f"{self._words(piece)} has more than {MOST_WAYS_OF_ONE:,} ways to go, which is too much to be solved "
            "exactly; dice that are rolled again where they tie have no end"
        )

    def _words(self, piece: int) -> str:
        """A piece in words."""
        root = self.pieces.roots[piece]
        if root.kind == GO:
            return f"how {root.who}'s turn begins" if root.who else "how it begins"
        return f"what {root.who} does" if root.kind == PICK else f"{root.option.action} of {root.who}"

    def _followed(self, piece: int, start: Sequence[int]) -> Followed:
        found: dict[Outcome, Fraction] = {}
        harms: Harms = {}
        lost = Fraction(0)
        for following, way in self._goes(piece, start):
            if following == CUT_OFF:
                lost += way.weight
                continue
            outcome = Outcome(following, tuple(sorted(way.written.items())), frozenset(way.fell))
            found[outcome] = found.get(outcome, Fraction(0)) + way.weight
            for name, amount in way.harms:
                harms[name] = harms.get(name, Fraction(0)) + way.weight * amount
        return Followed(tuple(found.items()), harms, lost)

    def follow(self, piece: int, row: Sequence[int]) -> Followed:
        """Everything that a piece can lead to from a row, remembered by what it reads."""
        reads = self._reads.get(piece, ())
        known = self._known.get(piece, {}).get(tuple([row[at] for at in reads]))
        if known is not None:
            return known
        self._read = set()
        found = self._followed(piece, row)
        if not self._read <= set(reads):
            reads = self._reads[piece] = tuple(sorted(self._read.union(reads)))
            self._known[piece] = {}
        self._known.setdefault(piece, {})[tuple([row[at] for at in reads])] = found
        return found

    # ------------------------------------------------------------------ whole fights

    def solve(self, told: Callable[[Fraction], None] | None = None) -> tuple[dict[Ending, Fraction], Harms, Fraction]:
        """Every way in which the fight can end with its chance, what blows take on average, and what remains."""
        while True:
            try:
                return self._solve(told)
            except _AnotherIsRead:
                continue
            except NewlyVarying:
                self._varying = {atom for atom, varies in enumerate(self.recorder.varying) if varies}
                self._forget()
            except ChangedShape as change:
                raise TooLarge(f"its tables cannot follow it: {change}") from None

    def _solve(self, told: Callable[[Fraction], None] | None) -> tuple[dict[Ending, Fraction], Harms, Fraction]:
        self.states = 0
        at_turns = _Count(tuple(sorted(self._live)))
        at_turns.add(0, self._start, frozenset(), Fraction(1))
        left = Fraction(1)
        while at_turns.open and left - at_turns.lost > SMALLEST:
            turn, at_turns.open = at_turns.open, {}
            while turn:
                turn = self._wave(turn, at_turns)
            if len(self._live) > len(at_turns.live):
                raise _AnotherIsRead
            left = sum([weight for weight, _ in at_turns.open.values()], Fraction(0)) + at_turns.lost
            if told is not None:
                told(left)
        return at_turns.endings, at_turns.harms, left

    def _wave(self, turn: Open, at_turns: _Count) -> Open:
        """Follow states by one piece each. Where a turn starts or the fight ends it is counted; gives the others."""
        inside = _Count(at_turns.live)
        for state, (weight, row) in turn.items():
            self._count_states()
            found = self.follow(state.piece, row)
            self._live.update(self._reads.get(state.piece, ()))
            at_turns.lost += weight * found.lost
            for name, mean in found.harms.items():
                at_turns.harms[name] = at_turns.harms.get(name, Fraction(0)) + weight * mean
            for outcome, chance in found.outcomes:
                codes = list(row)
                for at, code in outcome.writes:
                    codes[at] = code
                fell, share = state.fell | outcome.fell, weight * chance
                if codes[self._ended] != self._going_on:
                    ending = self._ending(codes, fell)
                    at_turns.endings[ending] = at_turns.endings.get(ending, Fraction(0)) + share
                else:
                    into = at_turns if self.pieces.roots[outcome.piece].kind == GO else inside
                    into.add(outcome.piece, tuple(codes), fell, share)
        return inside.open

    def _count_states(self) -> None:
        self.states += 1
        if self.states > self.most_states:
            raise TooLarge(f"it has more than {self.most_states:,} states, which is too much to be solved exactly")

    def _ending(self, codes: list[int], fell: frozenset[str]) -> Ending:
        """What is told of a fight that is over. What is read for it makes a difference too."""
        way = _Way([], Fraction(1), codes)
        self._read = set()
        book, people = self.ring.book, self.ring.header.scene.participants

        def asked(name: str, function: Callable[[Any], Any]) -> Any:
            number = self.recorder.function(("counted", name), function)
            return self.recorder.of[number].codes.values[self._function(way, number)]

        def each(name: str, function: Callable[[Any], Any]) -> list[Any]:
            return [asked(f"{name}:{at}", partial(of_one, at, function)) for at in range(len(people))]

        downs = each("down", partial(is_down, book.reckoning.stands))
        dead = each("dead", book.reckoning.dead)
        ending = Ending(
            winner=asked("winner", lambda scene: winner_of(scene, book)),
            rounds=self.layout.codes[self._round].values[codes[self._round]],
            fell=fell.union([one.id for one, down in zip(people, downs, strict=True) if down]),
            died=frozenset([one.id for one, gone in zip(people, dead, strict=True) if gone]),
            left=tuple([tuple(each(f"left:{name}", left)) for name, left in book.reckoning.left.items()]),
        )
        self._live.update(self._read)
        return ending


def solve_by_tables(
    job: Job,
    ring: Ring | None = None,
    *,
    most: int = MOST_PLAYED,
    most_states: int = MOST_STATES,
    told: Callable[[Fraction], None] | None = None,
) -> Solved:
    """The exact chances of a fight where all are within reach; :class:`TooLarge` where that is too much work.

    ``ring`` is the job's, or one of a fight that is already under way; ``told`` hears after every turn what chance is
    still open.
    """
    rows = Rows(job.ring() if ring is None else ring, most=most, most_states=most_states)
    endings, harms, left = rows.solve(told)
    return solved_of(job, rows.ring, endings, left, ways=rows.played, scenes=rows.states, harms=harms)


def solve_exactly(job: Job, told: Callable[[Fraction], None] | None = None) -> Solved:
    """The exact chances of a fight: by tables where everybody is within reach and goes by ratings, else by scenes."""
    is_small_enough(job)
    return solve(job, told=told) if why_not(job.ring()) else solve_by_tables(job, told=told)
