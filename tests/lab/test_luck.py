"""Mirrored jobs: opposite dice, luck without a bias, and intervals that hold the true chance as often as they say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from random import Random

import pytest

from each_case import each_case
from lab.scenes import duel, folk, scenario
from tablewright.dice.source import Die
from tablewright.game.scene.scene import Participant, Scene
from tablewright.lab.fights.exact import solve
from tablewright.lab.fights.executors import ProcessExecutor
from tablewright.lab.fights.intervals import share, share_of_effective, student
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.luck import LuckTotals, MeasuredDice, luck_of_faces, luck_of_worths
from tablewright.lab.fights.replay import replay_fight
from tablewright.lab.fights.simulation import reason_to_stop, simulate
from tablewright.lab.fights.totals import NOBODY, FightTotals
from tablewright.lab.fights.trial import evenness

INTERVALS = int(os.environ.get("LUCK_INTERVALS", "150"))
"""Number of intervals that are counted; ``make soak`` counts 2,000, of real fights as well."""


@each_case("sides", [*range(1, 21), 100, 1_000])
def test_luck_is_zero_on_average_and_rises_with_the_face(sides: int) -> None:
    luck = luck_of_faces(sides)
    assert len(luck) == sides
    assert sum(luck) == 0
    assert sorted(luck) == list(luck)
    assert sides == 1 or luck[0] < 0 < luck[-1]


def test_mirrored_dice_show_the_opposite_faces() -> None:
    plain, mirrored = [MeasuredDice(7, "roll", 3, mirror=mirror) for mirror in (False, True)]
    for die in (Die(6), Die(20), Die(100, low=0), Die(3)):
        assert plain.face(die) + mirrored.face(die) == die.low + die.high
    assert plain.luck == -mirrored.luck != 0


def test_luck_of_a_roll_that_says_what_its_faces_are_worth_is_zero_on_average() -> None:
    def worth(face: int) -> int:
        return 100 + face if face <= 6 else 0

    die = Die(10, low=0)
    luck = luck_of_worths(worth, die)
    assert sum(luck) == 0
    assert max(luck) == luck[6]
    dice = [MeasuredDice(7, "roll", 3, mirror=mirror, worth=worth) for mirror in (False, True)]
    faces = [one.face(die) for one in dice]
    assert [one.luck for one in dice] == [luck[face] for face in faces]


@each_case(
    ("left", "even"),
    [((4, 2), 100), ((2, 1), 100), ((4, 1), 80), ((1, 2), 47), ((4, 0), 0), ((0, 0), 0)],
)
def test_evenness_compares_the_parts_of_both_sides_that_stand(left: tuple[int, int], even: int) -> None:
    assert evenness(_sides_of(4, 2), _sides_of(*left), lambda one: one.present) == even


def test_evenness_of_three_sides_is_that_of_the_two_that_stand_best() -> None:
    assert evenness(_sides_of(1, 2, 2), _sides_of(0, 2, 1), lambda one: one.present) == 80
    assert evenness(_sides_of(3), _sides_of(1), lambda one: one.present) == 100


def _sides_of(*sizes: int) -> Scene:
    """A scene with so many present on each side."""
    people = [
        Participant(id=f"{side}-{place}", name="", side=side, seat="gm", character=None, status=None)
        for side, size in zip("abc", sizes, strict=False)
        for place in range(size)
    ]
    return Scene("lab", tuple(people))


def test_dice_count_less_the_more_a_fight_is_decided() -> None:
    people = folk("ann", "folk", 1, 5), folk("ben", "folk", 1, 5), folk("rat", "vermin", 4, 2)
    ring = job_of(scenario(*people), runs=20).as_mirrored().ring()
    trials = [ring.play(number) for number in range(20)]
    assert {weight for trial in trials for _, weight, _ in trial._thrown} == {80, 100}  # one of two folk, both
    for trial in trials:
        for side in ("folk", "vermin"):
            thrown = [weight * dice.luck for seat, weight, dice in trial._thrown if seat == side]
            assert trial.luck().get(side, 0) == sum(thrown)


def test_every_second_fight_is_the_mirror_of_the_one_before() -> None:
    job = duel(runs=6).as_mirrored()
    for number in (0, 2, 4):
        one, other = [_first_faces(job, number + more) for more in (0, 1)]
        assert [face + opposite for face, opposite in zip(one, other, strict=True)] == [3] * len(one)  # coins
    assert replay_fight(job, 0).trial.entries == replay_fight(duel(runs=6), 0).trial.entries


def test_a_mirrored_job_is_the_same_on_one_worker_and_on_two(pool: ProcessExecutor) -> None:
    job = duel(runs=999).as_mirrored()
    assert job.runs == 1_000
    assert Job.from_text(job.to_text()) == job
    assert job.id != duel(runs=1_000).id
    one, two = [simulate(job, workers, until=0.07) for workers in (None, pool)]
    assert one.stopped == two.stopped == "until"
    assert one.digest == two.digest
    assert one.wins == two.wins
    assert max(interval.half for interval in one.wins.values()) <= 0.07
    assert one.counts.fights < simulate(duel(runs=1_000), until=0.07).counts.fights


def test_chances_of_all_ends_add_up_to_one() -> None:
    counts = simulate(_short_duel(200)).counts
    assert counts.luck is not None
    assert set(counts.won) == {"folk", "vermin", NOBODY}
    assert sum([counts.share_won(side).value for side in counts.won]) == pytest.approx(1)
    assert any(counts.share_won(side).value != counts.won[side] / 200 for side in counts.won)


def test_pieces_of_a_mirrored_job_add_up() -> None:
    job = duel(runs=60).as_mirrored()
    whole, parts = job.ring().count(range(60)), FightTotals()
    for start in (0, 20, 40):
        parts.merge(FightTotals.from_json(job.ring().count(range(start, start + 20)).to_json()))
    assert parts.to_json() == whole.to_json()
    assert parts.share_won("folk") == whole.share_won("folk")


def test_pairs_torn_apart_leave_plain_counting() -> None:
    job = duel(runs=100).as_mirrored()
    parts = job.ring().count(range(51))
    parts.merge(job.ring().count(range(51, 100)))
    assert parts.luck is not None
    assert parts.luck.pairs == 49
    assert parts.share_won("folk") == share(parts.won["folk"], 100)


def test_luck_that_never_varies_or_is_counted_twice_corrects_nothing_wrongly() -> None:
    """Columns of zeros and columns that repeat another one: the equations are singular, the answer is not."""
    dice = Random(3)
    alone, repeated = LuckTotals(("a",), ("a",)), LuckTotals(("a", "b", "c"), ("a",))
    for number in range(400):
        luck = dice.randint(-5, 5)
        winner = "a" if luck + dice.randint(-5, 5) > 0 else "b"
        alone.add(number, winner, {"a": luck})
        repeated.add(number, winner, {"a": luck, "b": luck, "c": 0})
    one, other = alone.share_won("a", 400), repeated.share_won("a", 400)
    assert one is not None
    assert other is not None
    assert other == pytest.approx(one)


def test_rare_wins_and_few_pairs_are_counted_plainly() -> None:
    few, rare = LuckTotals(("a",), ("a",)), LuckTotals(("a",), ("a",))
    for number in range(38):
        few.add(number, "a" if number % 3 else "b", {"a": number % 3 - 1})
    for number in range(400):
        rare.add(number, "a" if number < 9 else "b", {"a": number % 3 - 1})
    assert few.share_won("a", 38) is None
    assert rare.share_won("a", 400) is None
    assert rare.share_won("nobody here", 400) is None


def test_a_variance_estimated_from_few_pairs_widens_the_interval() -> None:
    """Ten pairs are won and ten are lost, without luck: the share of twenty cases, by Student's t of 19 degrees."""
    totals = LuckTotals(("a",), ("a",))
    for number in range(40):
        totals.add(number, "a" if number % 4 < 2 else "b", {})
    found = totals.share_won("a", 40)
    assert found is not None
    assert student(19) > 2.09
    assert found == pytest.approx(share_of_effective(0.5, 0.25 / 19, 40, 8, student(19)))
    assert found.half > 1.05 * share_of_effective(0.5, 0.25 / 19, 40, 8).half


# ---------------------------------------------------------------------- coverage


GOAL, AHEAD = 30, 4


def race(one: list[int], other: list[int]) -> tuple[str, int, int]:
    """A race of two to a goal by the sum of two dice a round; the second has a start. The winner, and dice thrown."""
    mine, theirs = 0, AHEAD
    for at in range(0, len(one), 2):
        mine += one[at] + one[at + 1] + 2
        theirs += other[at] + other[at + 1] + 2
        if max(mine, theirs) >= GOAL:
            return ("a" if mine > theirs else "b" if theirs > mine else NOBODY), at + 2, at + 2
    raise AssertionError("two dice a round reach the goal in fifteen rounds")


@cache
def chance_of_the_race() -> Fraction:
    """Exact chance of the first one, by all sums of all rounds: each sum is thrown in a whole number of 36 ways."""
    sums = {total: 6 - abs(7 - total) for total in range(2, 13)}
    mine, theirs, won, all_ways = {0: 1}, {AHEAD: 1}, Fraction(0), 1
    while mine and theirs:
        all_ways *= 36 * 36
        mine, theirs = _a_round_later(mine, sums), _a_round_later(theirs, sums)
        ends = product(mine.items(), theirs.items())
        ways = sum([of * more for (place, of), (other, more) in ends if place >= GOAL and place > other])
        won += Fraction(ways, all_ways)
        mine, theirs = [{place: of for place, of in now.items() if place < GOAL} for now in (mine, theirs)]
    return won


def _a_round_later(ways: dict[int, int], sums: dict[int, int]) -> dict[int, int]:
    """Ways to every place, from the ways to every place a round before."""
    later: dict[int, int] = {}
    for (place, of), (total, more) in product(ways.items(), sums.items()):
        later[place + total] = later.get(place + total, 0) + of * more
    return later


def races(dice: Random) -> Iterator[tuple[str, dict[str, int]]]:
    """Races in mirrored pairs, with the luck of both."""
    luck = luck_of_faces(6)
    while True:
        one, other = dice.choices(range(6), k=30), dice.choices(range(6), k=30)
        for _ in range(2):
            winner, *thrown = race(one, other)
            told = [sum([luck[face] for face in faces[:of]]) for faces, of in zip((one, other), thrown, strict=True)]
            yield winner, {"a": told[0], "b": told[1]}
            one, other = [5 - face for face in one], [5 - face for face in other]


def counted(dice: Random, until: float | None, job: Job) -> FightTotals:
    """Totals of a job whose fights are races."""
    counts = FightTotals(luck=LuckTotals(job.sides, (*job.sides, NOBODY)))
    assert counts.luck is not None
    for number, (winner, luck) in enumerate(races(dice)):
        counts.fights += 1
        counts.won[winner] = counts.won.get(winner, 0) + 1
        counts.luck.add(number, winner, luck)
        if (counts.fights % job.chunk == 0 and reason_to_stop(job, counts, until)) or counts.fights == job.runs:
            return counts
    raise AssertionError("races go on for ever")


def sd(of: int) -> float:
    """Standard deviation of the share of intervals that cover."""
    return sqrt(0.95 * 0.05 / of)


@pytest.mark.parametrize("until", [None, 0.05])
def test_intervals_cover_a_known_chance_at_their_rate(until: float | None) -> None:
    """The estimate has no bias, the intervals cover, and they are narrower than those of plain counting."""
    job = replace(duel(runs=200 if until is None else 1_000).as_mirrored(), scenario=_sides("a", "b"))
    true, dice = float(chance_of_the_race()), Random(11)
    covered, error, gain = 0, 0.0, 0.0
    for _ in range(INTERVALS):
        counts = counted(dice, until, job)
        found = counts.share_won("a")
        covered += found.low <= true <= found.high
        error += (found.value - true) / found.half
        gain += (share(counts.won["a"], counts.fights).half / found.half) ** 2
    assert abs(covered / INTERVALS - 0.95) < 4 * sd(INTERVALS)
    assert abs(error / INTERVALS) < 4 / 1.96 / sqrt(INTERVALS)
    assert gain / INTERVALS > 1.5


@pytest.mark.skipif(INTERVALS < 2_000, reason="make soak counts intervals of real fights")
def test_intervals_of_real_fights_cover_their_exact_chance() -> None:
    job = _short_duel(120)
    true = {side: float(chance) for side, chance in solve(replace(job, mirrored=False)).won.items()}
    covered = dict.fromkeys(("folk", "vermin"), 0)
    for seed in range(INTERVALS):
        counts = replace(job, seed=seed).ring().count(range(120))
        for side in covered:
            found = counts.share_won(side)
            covered[side] += found.low <= true[side] <= found.high
    assert all(abs(hits / INTERVALS - 0.95) < 4 * sd(INTERVALS) for hits in covered.values()), covered


def _first_faces(job: Job, number: int) -> tuple[int, ...]:
    return next(entry for entry in replay_fight(job, number).trial.entries if isinstance(entry, tuple))


def _short_duel(runs: int) -> Job:
    """Eight rounds of two weak ones who never duck: few ways to go, so that the chance is known exactly."""
    people = folk("ann", "folk", 1, 5), folk("rat", "vermin", 1, 5)
    return job_of(scenario(*people, rounds=8), runs=runs, options={"ducking": "never"}).as_mirrored()


def _sides(*names: str) -> dict[str, object]:
    return {"participants": [{"id": name, "side": name} for name in names]}
