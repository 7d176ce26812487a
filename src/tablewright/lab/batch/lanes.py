"""Thousands of fights in lock step: each is a row of whole numbers that goes through the trees.

Where a tree does not know how to go on, the real functions are run for one fight, which makes the tree longer, and the
others go on. What dice show depends on the seed, the number of the fight and how many were thrown before: so a fight
comes out the same whoever else is fought beside it, and whether a table was there or had to be made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tablewright.game.reckoning import Harm
from tablewright.lab.batch.forest import ASKED, ATOM, CHOSEN, DRAWN, HAPPENS, LEAF, OPEN, Ints
from tablewright.lab.batch.layout import Layout, Path
from tablewright.lab.batch.segments import CannotCut, Pieces
from tablewright.lab.batch.tracing import Recorder
from tablewright.lab.batch.views import ForeignRead
from tablewright.lab.fights import Ring, hits_own_side

_GOLDEN, _ONE, _TWO = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = 0xFFFFFFFFFFFFFFFF
ENOUGH_RUNS = 400
"""After so many runs of a piece for its own tree it is looked at whether the tree is of any use."""


def mixed(state: Any) -> Any:
    """Splitmix64 for arrays: 64 bits that look random from a counter."""
    with np.errstate(over="ignore"):
        state = (state ^ (state >> np.uint64(30))) * np.uint64(_ONE)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(_TWO)
        return state ^ (state >> np.uint64(31))


def mixed_one(state: int) -> int:
    """The same for one whole number."""
    state &= _MASK
    state = ((state ^ (state >> 30)) * _ONE) & _MASK
    state = ((state ^ (state >> 27)) * _TWO) & _MASK
    return state ^ (state >> 31)


def keys_of(seed: int, numbers: Any) -> Any:
    """Where the dice of each fight start."""
    start = mixed_one(mixed_one(seed & _MASK) ^ mixed_one((seed >> 64) + _GOLDEN))
    with np.errstate(over="ignore"):
        return mixed(np.uint64(start) + mixed(numbers.astype(np.uint64) * np.uint64(_GOLDEN)))


class Tables:
    """What rules come out as, drawn in one step each by Walker's alias method."""

    def __init__(self) -> None:
        self.size = np.zeros(0, np.int64)
        self.base = np.zeros(0, np.int64)
        self.keep = np.zeros(0)
        self.other = np.zeros(0, np.int64)
        self._known = 0

    def learn(self, weights: list[tuple[Any, ...]]) -> None:
        """Take in tables that are new."""
        for one in weights[self._known :]:
            keep, other = alias(one)
            self.base = np.append(self.base, len(self.keep))
            self.size = np.append(self.size, len(keep))
            self.keep = np.concatenate([self.keep, keep])
            self.other = np.concatenate([self.other, other])
        self._known = len(weights)

    def draw(self, tables: Ints, bits: Any) -> Ints:
        """Which outcome of each table, by 64 random bits each."""
        scaled = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53 * self.size[tables]
        at = scaled.astype(np.int64)
        place = self.base[tables] + at
        drawn: Ints = np.where(scaled - at < self.keep[place], at, self.other[place])
        return drawn


def alias(weights: tuple[Any, ...]) -> tuple[Any, Any]:
    """For each place how much of it is its own, and whose the rest is; exact but for the last step to a float."""
    size = len(weights)
    total = sum(map(Fraction, weights), Fraction(0))
    shares = [Fraction(weight) * size / total for weight in weights]
    keep, other = [1.0] * size, list(range(size))
    small = [at for at in range(size) if shares[at] < 1]
    large = [at for at in range(size) if shares[at] >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        keep[low], other[low] = float(shares[low]), high
        shares[high] -= 1 - shares[low]
        if shares[high] < 1:
            small.append(large.pop())
    return np.array(keep), np.array(other, np.int64)


class Lanes:
    """Fights side by side. ``codes`` are the atoms of each, ``kept`` the same where the present piece started."""

    def __init__(self, ring: Ring, layout: Layout, recorder: Recorder, size: int, *, tables: bool = True) -> None:
        self.layout = layout
        self.recorder = recorder
        self.pieces = Pieces(ring, recorder, self._pick, tables=tables)
        self.tables = Tables()
        start = layout.apart(ring.header.scene)
        self.start = np.array([layout.codes[at].code(value) for at, value in enumerate(start)], np.int32)
        self.slots: dict[tuple[str, ...], int] = {}
        self.resize(size)
        self.ended = layout.number[Path(-1, False, "ended", "")]
        self.round = layout.number[Path(-1, False, "round", "")]
        self.going_on = layout.codes[self.ended].code(None)
        self.seed = ring.seed
        self._sides = ring.header.scene
        self._lane = 0
        self._offset = 0
        self._roots = np.zeros(0, np.int64)
        self._events = np.zeros(0, np.int64)
        self._ranks = np.zeros(0, np.int64)
        self._lists: dict[tuple[int, int], tuple[int, ...]] = {}
        self._change_first = np.zeros(1, np.int64)
        self._change_atoms = np.zeros(0, np.int64)
        self._change_codes = np.zeros(0, np.int32)
        self._change_which = np.zeros(0, np.int64)
        self._harmful = np.zeros(0, bool)
        self._added: list[tuple[tuple[int, int], ...]] = []
        self.entered = np.zeros(0, np.int64)
        self.played = self.walked = self.unwatched = self.function_runs = 0

    def resize(self, size: int) -> None:
        """Make room for so many fights; those that were there are gone."""
        self.size = size
        self.codes = np.tile(self.start, (size, 1))
        self.kept = self.codes.copy()
        self.keys = np.zeros(size, np.uint64)
        self.sums = np.zeros((size, max(64, 2 * len(self.slots))), np.int64)
        self.sums_before = self.sums.copy()
        self.node, self.piece, self.last_harm, self.thrown, self.thrown_before, self.asks, self.asks_before = np.zeros(
            (7, size), np.int64
        )

    # ------------------------------------------------------------------ what the real functions need

    def _pick(self, table: int) -> int:
        """Draw for the fight that is played right now, as it would be drawn for all at once."""
        self.tables.learn(self.pieces.weights)
        self._offset += 1
        bits = mixed_one(int(self.keys[self._lane]) + self._offset * _GOLDEN)
        scaled = (bits >> 11) * 2.0**-53 * int(self.tables.size[table])
        at = int(scaled)
        place = int(self.tables.base[table]) + at
        return at if scaled - at < self.tables.keep[place] else int(self.tables.other[place])

    def _watch(self, codes: Any) -> None:
        """Let the recorder look at one row."""
        row = codes.tolist()
        tables = self.layout.codes
        self.recorder.begin([tables[at].values[code] for at, code in enumerate(row)], row)

    # ------------------------------------------------------------------ going through trees

    def evaluate(self, lanes: Ints, functions: Ints) -> Ints:
        """What functions give, each for its fight, as codes."""
        return self._through(lanes, self._roots_of(functions), lambda at: self._run(int(lanes[at]), int(functions[at])))

    def _run(self, lane: int, function: int) -> None:
        self._watch(self.codes[lane])
        self.function_runs += 1
        self.recorder.run(self.recorder.of[function])

    def _apply(self, lane: int, event: int) -> None:
        self._watch(self.codes[lane])
        self.function_runs += 1
        self.recorder.change_of(event)

    def _roots_of(self, functions: Ints) -> Ints:
        known = self.recorder.of
        if len(self._roots) < len(known):
            more = [one.root for one in known[len(self._roots) :]]
            self._roots = np.concatenate([self._roots, np.array(more, np.int64)])
        return self._roots[functions]

    def _events_of(self, events: Ints) -> Ints:
        known = self.recorder.changes
        if len(self._events) < len(known):
            more = [one.root for one in known[len(self._events) :]]
            self._events = np.concatenate([self._events, np.array(more, np.int64)])
        return self._events[events]

    def _through(self, lanes: Ints, nodes: Ints, make: Any) -> Ints:
        """Go through trees of pure functions to their leaves; ``make`` runs the real one where a tree ends too soon."""
        forest = self.recorder.forest
        nodes = nodes.copy()
        found = np.full(len(lanes), -1, np.int64)
        todo = np.arange(len(lanes))
        here = nodes
        while len(todo):
            kinds = forest.kinds[here]
            about = forest.abouts[here]
            others = kinds != ATOM
            if others.any():
                done = kinds == LEAF
                if done.any():
                    found[todo[done]] = about[done]
                    going = ~done
                    todo, here, kinds, about = todo[going], here[going], kinds[going], about[going]
                    if not len(todo):
                        break
                answers = np.full(len(todo), -1, np.int64)
                atoms, asked = kinds == ATOM, kinds == ASKED
                answers[atoms] = self.codes[lanes[todo[atoms]], about[atoms]]
                if asked.any():
                    answers[asked] = self.evaluate(lanes[todo[asked]], about[asked])
            else:
                answers = self.codes[lanes[todo], about].astype(np.int64)
            following = forest.follow(here, answers)
            missing = following < 0
            if missing.any():
                keys = (here[missing] << 22) | (answers[missing] + 1)
                _, first = np.unique(keys, return_index=True)
                for at in todo[missing][first]:
                    make(int(at))
                here = np.where(missing, here, following)
            else:
                here = following
        return found

    def _choose(self, lanes: Ints, choices: Ints) -> Ints:
        """Which option is best for each, as the number of its rating; the first of those that are."""
        known = self.pieces.choices
        places: list[Any] = []
        ratings: list[Any] = []
        orders: list[Any] = []
        for number in np.unique(choices):
            choice = known[int(number)]
            mine = np.nonzero(choices == number)[0]
            order = 0
            if choice.offers:
                at = np.repeat(mine, len(choice.offers))
                functions = np.tile(np.array(choice.offers, np.int64), len(mine))
                codes = self.evaluate(lanes[at], functions)
                where = np.tile(np.arange(len(choice.offers)), len(mine))
                pairs, back = np.unique(functions << 22 | codes, return_inverse=True)
                lists = [self._ratings(int(pair), choice) for pair in pairs]
                sizes = np.array([len(one) for one in lists])
                flat = np.concatenate([np.array(one, np.int64) for one in lists] or [np.zeros(0, np.int64)])
                begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
                counts = sizes[back]
                total = int(counts.sum())
                inside = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
                ratings.append(flat[np.repeat(begins[back], counts) + inside])
                places.append(np.repeat(at, counts))
                orders.append(np.repeat(where, counts) * 4096 + inside)
                order = len(choice.offers) * 4096
            if choice.given:
                mine_ratings = [self.pieces.rating(choice.policy, choice.who, option) for option in choice.given]
                ratings.append(np.tile(np.array(mine_ratings, np.int64), len(mine)))
                places.append(np.repeat(mine, len(mine_ratings)))
                orders.append(np.tile(np.arange(len(mine_ratings)) + order, len(mine)))
        place, rating, order_of = np.concatenate(places), np.concatenate(ratings), np.concatenate(orders)
        scores = self._ranked(self.evaluate(lanes[place], rating))
        by = np.lexsort((order_of, -scores, place))
        _, first = np.unique(place[by], return_index=True)
        return rating[by[first]]

    def _ratings(self, pair: int, choice: Any) -> tuple[int, ...]:
        function, code = pair >> 22, pair & ((1 << 22) - 1)
        known = self._lists.get((pair, id(choice.policy)))
        if known is None:
            options = self.recorder.of[function].codes.values[code]
            uses = [one for one in options if hasattr(one, "action")]
            known = tuple([self.pieces.rating(choice.policy, choice.who, one) for one in uses])
            self._lists[pair, id(choice.policy)] = known
        return known

    def _ranked(self, codes: Ints) -> Ints:
        values = self.recorder.scores.values
        if len(self._ranks) < len(values):
            order = sorted(range(len(values)), key=values.__getitem__)
            self._ranks = np.zeros(len(values), np.int64)
            rank = 0
            for at, code in enumerate(order):
                if at and values[code] != values[order[at - 1]]:
                    rank += 1
                self._ranks[code] = rank
        return self._ranks[codes]

    # ------------------------------------------------------------------ what happens

    def _learn_changes(self) -> None:
        known = self.recorder.kept
        have = len(self._change_which)
        if have == len(known):
            return
        new = known[have:]
        sizes = np.cumsum([len(one.writes) for one in new]) + self._change_first[-1]
        self._change_first = np.concatenate([self._change_first, sizes])
        atoms = [atom for one in new for atom, _ in one.writes]
        codes = [code for one in new for _, code in one.writes]
        self._change_atoms = np.concatenate([self._change_atoms, np.array(atoms, np.int64)])
        self._change_codes = np.concatenate([self._change_codes, np.array(codes, np.int32)])
        self._change_which = np.concatenate([self._change_which, np.array([one.which for one in new], np.int64)])
        self._harmful = np.concatenate([self._harmful, np.array([bool(one.harms) for one in new], bool)])
        for one in new:
            added: dict[int, int] = {}
            for harm in one.harms:
                for slot in self._slots_of(harm):
                    added[slot] = added.get(slot, 0) + harm.amount
            self._added.append((*added.items(), *[(self.slot("fell", who), 1) for who in one.fell]))

    def _write(self, lanes: Ints, changes: Ints) -> None:
        first = self._change_first[changes]
        counts = self._change_first[changes + 1] - first
        total = int(counts.sum())
        if total:
            inside = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
            place = np.repeat(first, counts) + inside
            self.codes[np.repeat(lanes, counts), self._change_atoms[place]] = self._change_codes[place]
        harmful = self._harmful[changes]
        if harmful.any():
            hurt = lanes[harmful]
            rounds = self.layout.codes[self.round].values
            for change in np.unique(changes[harmful]):
                mine = hurt[changes[harmful] == change]
                for slot, amount in self._added[change]:
                    self.sums[mine, slot] += amount
            self.last_harm[hurt] = np.array(rounds, np.int64)[self.codes[hurt, self.round]]

    def slot(self, *name: str) -> int:
        """The column of something that is added up."""
        known = self.slots.setdefault(name, len(self.slots))
        if known >= self.sums.shape[1]:
            self.sums = np.concatenate([self.sums, np.zeros_like(self.sums)], axis=1)
            self.sums_before = np.concatenate([self.sums_before, np.zeros_like(self.sums_before)], axis=1)
        return known

    def _slots_of(self, harm: Harm) -> list[int]:
        """Where a harm is added up: with whom it hurt, with whose doing it was, and whether it was one of their own."""
        slots = [self.slot("taken", harm.who), self.slot("dealt", harm.by or "", harm.source)]
        return [*slots, self.slot("own", harm.by or "")] if hits_own_side(self._sides, harm) else slots

    def _harm(self, lane: int, harms: Any, fell: Any) -> None:
        for harm in harms:
            slots = self._slots_of(harm)  # may widen the sums
            self.sums[lane, slots] += harm.amount
        for who in fell:
            self.sums[lane, self.slot("fell", who)] += 1
        if harms:
            self.last_harm[lane] = self.layout.codes[self.round].values[self.codes[lane, self.round]]

    # ------------------------------------------------------------------ whole fights

    def open(self, lanes: Ints, numbers: Ints) -> None:
        """Start new fights in some rows."""
        self.codes[lanes] = self.start
        self.kept[lanes] = self.start
        self.keys[lanes] = keys_of(self.seed, numbers)
        for column in (self.thrown, self.thrown_before, self.asks, self.asks_before, self.last_harm, self.piece):
            column[lanes] = 0
        self.sums[lanes] = 0
        self.sums_before[lanes] = 0
        self.node[lanes] = self.pieces.nodes[0]

    def step(self, lanes: Ints) -> Ints:
        """Bring fights to the end of their present piece, and into the next; gives those that are over."""
        todo = lanes
        forest = self.recorder.forest
        raw = np.array(self.pieces.raw, bool)[self.piece[todo]]
        for lane in todo[raw]:
            self._play_unwatched(int(lane))
        todo = todo[~raw]
        while len(todo):
            here = self.node[todo]
            kinds, about = forest.kinds[here], forest.abouts[here]
            answers = np.full(len(todo), -1, np.int64)
            leaves = kinds == LEAF
            if leaves.any():
                ends = todo[leaves]
                self._enter(ends, about[leaves])
                self.walked += len(ends)
            for kind, answer in (
                (ATOM, self._atoms),
                (ASKED, self.evaluate),
                (DRAWN, self._draw),
                (HAPPENS, self._happen),
                (CHOSEN, self._choose_counted),
            ):
                mine = kinds == kind
                if mine.any():
                    answers[mine] = answer(todo[mine], about[mine])
            todo, here, answers = todo[~leaves], here[~leaves], answers[~leaves]
            if not len(todo):
                break
            known = answers >= 0
            following = np.full(len(todo), -1, np.int64)
            following[known] = forest.follow(here[known], answers[known])
            missing = following < 0
            self.node[todo[~missing]] = following[~missing]
            if missing.any():
                keys = (here[missing] << 22) | (answers[missing] + 1)
                _, first = np.unique(keys, return_index=True)
                stuck = todo[missing]
                chosen = np.zeros(len(stuck), bool)
                chosen[first] = True
                again = stuck[~chosen]
                for lane in stuck[chosen]:
                    self._play(int(lane))
                # the others take the same step again, where it is known now
                self._step_back(again, here[missing][~chosen], answers[missing][~chosen])
                todo = np.concatenate([todo[~missing], again[self._pending]])
        over: Ints = lanes[self.codes[lanes, self.ended] != self.going_on]
        return over

    def _step_back(self, lanes: Ints, nodes: Ints, answers: Ints) -> None:
        """Where others were waiting for a node that has been made in the meantime, they go on; else they are played."""
        following = np.full(len(lanes), -1, np.int64)
        known = answers >= 0
        following[known] = self.recorder.forest.follow(nodes[known], answers[known])
        waiting = ~known & (self.recorder.forest.kinds[nodes] != OPEN)
        following[waiting] = nodes[waiting]
        self._pending = following >= 0
        self.node[lanes[self._pending]] = following[self._pending]
        for lane in lanes[~self._pending]:
            self._play(int(lane))

    def _atoms(self, lanes: Ints, atoms: Ints) -> Ints:
        return self.codes[lanes, atoms].astype(np.int64)

    def _draw(self, lanes: Ints, tables: Ints) -> Ints:
        self.tables.learn(self.pieces.weights)
        self.thrown[lanes] += 1
        self.asks[lanes] += 1
        with np.errstate(over="ignore"):
            state = self.keys[lanes] + self.thrown[lanes].astype(np.uint64) * np.uint64(_GOLDEN)
        return self.tables.draw(tables, mixed(state))

    def _happen(self, lanes: Ints, events: Ints) -> Ints:
        changes = self._through(lanes, self._events_of(events), lambda at: self._apply(int(lanes[at]), int(events[at])))
        self._learn_changes()
        self._write(lanes, changes)
        return self._change_which[changes]

    def _choose_counted(self, lanes: Ints, choices: Ints) -> Ints:
        self.asks[lanes] += 1
        return self._choose(lanes, choices)

    def _enter(self, lanes: Ints, pieces: Ints) -> None:
        """Fights come into their next piece."""
        self.piece[lanes] = pieces
        self.node[lanes] = np.array(self.pieces.nodes, np.int64)[pieces]
        self.kept[lanes] = self.codes[lanes]
        self.thrown_before[lanes] = self.thrown[lanes]
        self.asks_before[lanes] = self.asks[lanes]
        self.sums_before[lanes] = self.sums[lanes]
        times = np.bincount(pieces, minlength=len(self.pieces.nodes))
        if len(self.entered) < len(times):
            self.entered = np.concatenate([self.entered, np.zeros(len(times) - len(self.entered), np.int64)])
        self.entered += times

    def _play(self, lane: int) -> None:
        """Play the present piece of one fight for real, from where it started."""
        self.played += 1
        number = int(self.piece[lane])
        pieces = self.pieces
        self._lane = lane

        def restart() -> None:
            self._offset = int(self.thrown_before[lane])

        self._watch(self.kept[lane])
        try:
            following = pieces.play(number, restart)
        except (CannotCut, ForeignRead):
            pieces.raw[number] = True
            self._play_unwatched(lane)
            return
        self.codes[lane] = self.recorder.codes
        self.thrown[lane] = self._offset
        self.asks[lane] = self.asks_before[lane] + pieces.asks
        self.sums[lane] = self.sums_before[lane]
        for kept in self.recorder.trail:
            change = self.recorder.kept[kept]
            self._harm(lane, change.harms, change.fell)
        self._enter(np.array([lane]), np.array([following]))
        entered = self.entered[number] if number < len(self.entered) else 0
        if pieces.runs[number] >= ENOUGH_RUNS and 2 * pieces.runs[number] > entered:
            pieces.raw[number] = True

    def _play_unwatched(self, lane: int) -> None:
        """Play the present piece of one fight without tables."""
        self.unwatched += 1
        self._lane = lane
        self._offset = int(self.thrown_before[lane])
        tables = self.layout.codes
        scene = self.layout.together([tables[at].values[code] for at, code in enumerate(self.kept[lane].tolist())])
        following, after, harms, fell = self.pieces.unwatched(int(self.piece[lane]), scene)
        codes = [tables[at].code(value) for at, value in enumerate(self.layout.apart(after))]
        self.recorder.notice(codes, self.start.tolist())
        self.codes[lane] = codes
        self.thrown[lane] = self._offset
        self.asks[lane] = self.asks_before[lane] + self.pieces.asks
        self.sums[lane] = self.sums_before[lane]
        self._harm(lane, harms, fell)
        self._enter(np.array([lane]), np.array([following]))
