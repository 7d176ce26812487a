"""The batch path of a job: whether it can be used, and fights by the thousand with what is counted of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tablewright.errors import TablewrightError
from tablewright.game.ground import Together
from tablewright.game.policies import SCORES, at_random
from tablewright.game.scene import Scene
from tablewright.lab.batch.forest import Ints
from tablewright.lab.batch.lanes import Lanes
from tablewright.lab.batch.layout import ChangedShape, Layout, Shapes
from tablewright.lab.batch.tracing import NewlyVarying, Recorder
from tablewright.lab.counts import Count, Counts, Person
from tablewright.lab.fights import ROUND_LIMIT, Counted, Ring, Trial, winner_of
from tablewright.lab.solving import TooLarge

MOST_LANES = 4_000
FEW_LANES = 50
MOST_NODES = 600_000
"""When the trees have so many nodes they are forgotten and made anew: memory stays flat."""

FEW, MANY, MOSTLY = 500, 20_000, 0.99
"""Fights between two looks at the memory: many once mostly everything comes from tables."""

TRIAL_FIGHTS = 300
MOST_TRIAL_RUNS = 1_000
LEAST_FROM_TABLES = 0.9
"""In the second half of a trial so many of all pieces must come from the tables for them to be worth it."""


class CannotFollow(TablewrightError):
    """Something happens in a fight for which its rows have no place: somebody comes, a field holds another thing."""

    exit_status = 1


class _Seen(Counted):
    """A scene under way that keeps every scene."""

    __slots__ = ("scenes",)

    def __init__(self, scene: Scene, book: Any) -> None:
        self.scenes: list[Scene] = [scene]
        super().__init__(scene, book)

    def emit(self, event: Any) -> None:
        super().emit(event)
        self.scenes.append(self.state)


class _Looking(Trial):
    """A fight that is looked at to learn what its scenes are made of."""

    def _begin(self) -> None:
        super()._begin()
        self.live = _Seen(self.header.scene, self.book)


def why_not(ring: Ring) -> str:
    """Why a scenario cannot be fought on the batch path; empty where it can."""
    scene = ring.header.scene
    if not isinstance(scene.ground, Together):
        return "where everybody stands matters: the batch path is for scenarios in which all are within reach"
    for who, policy in ring.policies.items():
        if policy is not at_random and policy not in SCORES:
            return f"{who} weighs every action by what it leads to, which is no ranking of options"
    if len({type(one.status) for one in scene.participants}) != 1:
        return "not everybody has the same kind of status"
    return ""


class Batch:
    """A scenario to be fought in lock step. The tables are made as they are needed, and kept for the next fights.

    Without ``tables`` the same fights are played piece by piece on plain scenes: for whoever wants to compare.
    """

    def __init__(self, ring: Ring, looks: int = 20, *, tables: bool = True) -> None:
        self.ring = ring
        self._tables = tables
        scenes: list[Scene] = [ring.header.scene]
        for number in range(looks):
            live = ring.play(number, _Looking).live
            assert isinstance(live, _Seen)
            scenes += live.scenes
        self._learn(scenes)

    def _learn(self, scenes: list[Scene]) -> None:
        """What scenes are made of, from some that came up."""
        self.layout = Layout(self.ring.header.scene, Shapes.seen_in(scenes))
        first = self.layout.apart(scenes[0])
        same = list(range(len(first)))
        for scene in scenes:
            row = self.layout.apart(scene)
            same = [at for at in same if row[at] is first[at] or row[at] == first[at]]
        self.varying = set(range(len(first))).difference(same)
        self._forget()

    def _forget(self) -> None:
        self.layout = Layout(self.ring.header.scene, self.layout.shapes)
        self.recorder = Recorder(self.layout, self.ring.book, self.varying)
        self.lanes = Lanes(self.ring, self.layout, self.recorder, 1, tables=self._tables)
        self._new = True

    @property
    def from_tables(self) -> float:
        """The share of all pieces of fights so far that came from tables alone."""
        lanes = self.lanes
        return lanes.walked / max(1, lanes.walked + lanes.played + lanes.unwatched)

    def is_worth_it(self) -> bool:
        """Whether the tables come to know enough: some fights are fought for a trial, always the same ones."""
        self.count(range(TRIAL_FIGHTS // 2), most_runs=MOST_TRIAL_RUNS)
        lanes = self.lanes
        walked, others = lanes.walked, lanes.played + lanes.unwatched
        if others > MOST_TRIAL_RUNS:
            return False
        self.count(range(TRIAL_FIGHTS // 2, TRIAL_FIGHTS), most_runs=MOST_TRIAL_RUNS)
        if self.lanes is not lanes:  # the tables were made anew on the way
            lanes, walked, others = self.lanes, 0, 0
        walked, others = lanes.walked - walked, lanes.played + lanes.unwatched - others
        return walked >= LEAST_FROM_TABLES * (walked + others) > 0

    def count(self, numbers: range, *, most_runs: int | None = None) -> Counts:
        """Fight some numbers, and count; with ``most_runs`` only as long as tables need not be made too often."""
        counts, at = Counts(), numbers.start
        while at < numbers.stop:
            if len(self.recorder.forest) > MOST_NODES:
                self._forget()
            few = min(numbers.stop, at + (MANY if self.from_tables > MOSTLY else FEW))
            try:
                counts.merge(self._count(range(at, few), most_runs))
            except NewlyVarying:
                self.varying = {atom for atom, varies in enumerate(self.recorder.varying) if varies}
                self._forget()
                continue
            except (ChangedShape, TooLarge) as change:
                raise CannotFollow(f"the batch path cannot follow this fight ({change}); it can be played") from None
            if most_runs is not None and self.lanes.played + self.lanes.unwatched > most_runs:
                break
            at = few
        return counts

    def _count(self, numbers: range, most_runs: int | None) -> Counts:
        counts = Counts()
        size = min(len(numbers), FEW_LANES if self._new else MOST_LANES)
        self.lanes.resize(size)
        following = numbers.start + size
        self.lanes.open(np.arange(size), np.arange(numbers.start, following))
        going = np.arange(size)
        while len(going):
            if len(self.recorder.forest) > 2 * MOST_NODES:
                raise TooLarge("its tables outgrow what is kept of them before one round of fights is over")
            over = self.lanes.step(going)
            if len(over):
                _tell(counts, self.lanes, over, self.ring)
                fresh = over[: numbers.stop - following]
                if len(fresh):
                    self.lanes.open(fresh, np.arange(following, following + len(fresh)))
                    following += len(fresh)
                going = np.setdiff1d(going, over[len(fresh) :], assume_unique=True)
            if most_runs is not None and self.lanes.played + self.lanes.unwatched > most_runs:
                break
        self._new = self._new and counts.fights < FEW_LANES
        return counts


# ---------------------------------------------------------------------- what is counted


def _tell(counts: Counts, lanes: Lanes, over: Ints, ring: Ring) -> None:
    """Count fights that are over."""
    book, people = ring.book, ring.header.scene.participants
    asked = _Asked(lanes, over)
    counts.fights += len(over)
    counts.asks += int(lanes.asks[over].sum())
    ended = asked.atom(lanes.ended)
    rounds = asked.atom(lanes.round)
    for outcome, times in _times(ended):
        counts.outcomes[outcome] = counts.outcomes.get(outcome, 0) + times
    for side, times in _times(asked("winner", lambda scene: winner_of(scene, book))):
        counts.won[side] = counts.won.get(side, 0) + times
    _add(counts.rounds, rounds)
    most = ring.header.scene.start.rounds
    limited = [at for at, outcome in enumerate(ended) if outcome == ROUND_LIMIT and rounds[at] >= most]
    sums = lanes.sums[over]
    for at in limited:
        counts.limited += 1
        counts.harmless += not sums[at].any()
        counts.still.add(rounds[at] - int(lanes.last_harm[over[at]]))
    slots = lanes.slots
    known = {one.id for one in people}
    for at, one in enumerate(people):
        person = counts.people.setdefault(one.id, Person())
        down = asked(f"down:{at}", partial(of_one, at, partial(is_down, book.reckoning.stands)))
        fell = np.array(down, bool)
        if ("fell", one.id) in slots:
            fell |= sums[:, slots["fell", one.id]] > 0
        person.fell += int(fell.sum())
        person.died += sum(map(bool, asked(f"dead:{at}", partial(of_one, at, book.reckoning.dead))))
        person.gone += sum(asked(f"gone:{at}", partial(of_one, at, _gone)))
        for name, left in book.reckoning.left.items():
            values = asked(f"left:{name}:{at}", partial(of_one, at, left))
            _add(person.left.setdefault(name, Count()), values)
        taken = slots.get(("taken", one.id))
        _add(person.taken, sums[:, taken].tolist() if taken is not None else [0] * len(over))
        mine = {slot[2]: column for slot, column in slots.items() if slot[:2] == ("dealt", one.id)}
        dealt = sums[:, list(mine.values())].sum(axis=1) if mine else np.zeros(len(over), np.int64)
        _add(person.dealt, dealt.tolist())
        for source, column in mine.items():
            _add_some(person.by_source, source, sums[:, column])
        if ("own", one.id) in slots:
            for amount in sums[:, slots["own", one.id]].tolist():
                if amount:
                    person.own.add(amount)
    sources: dict[str, Any] = {}
    for slot, column in slots.items():
        if slot[0] == "dealt" and slot[1] not in known:
            sources[slot[2]] = sources.get(slot[2], 0) + sums[:, column]
    for source, amounts in sources.items():
        _add_some(counts.nobody, source, amounts)


def of_one(at: int, function: Callable[[Any], Any], scene: Any) -> Any:
    """What a function says of one participant of a scene."""
    return function(scene.participants[at])


def is_down(stands: Callable[[Any], bool], one: Any) -> bool:
    """Whether somebody is here and stands no more."""
    return bool(one.present and not stands(one))


def _gone(one: Any) -> bool:
    return not one.present


class _Asked:
    """What functions of the last scene give for fights that are over."""

    def __init__(self, lanes: Lanes, over: Ints) -> None:
        self.lanes = lanes
        self.over = over

    def __call__(self, name: str, function: Callable[[Any], Any]) -> list[Any]:
        recorder = self.lanes.recorder
        number = recorder.function(("counted", name), function)
        codes = self.lanes.evaluate(self.over, np.full(len(self.over), number))
        values = recorder.of[number].codes.values
        return [values[code] for code in codes]

    def atom(self, atom: int) -> list[Any]:
        """The values of an atom."""
        values = self.lanes.layout.codes[atom].values
        return [values[code] for code in self.lanes.codes[self.over, atom]]


def _times(values: list[Any]) -> list[tuple[Any, int]]:
    found: dict[Any, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return list(found.items())


def _add(count: Count, values: list[int]) -> None:
    for value, times in _times(values):
        count.add(value, times)


def _add_some(counts: dict[str, Count], name: str, amounts: Any) -> None:
    """What was done with something, in those fights in which it was used."""
    some = [int(amount) for amount in amounts if amount]
    if some:
        _add(counts.setdefault(name, Count()), some)
