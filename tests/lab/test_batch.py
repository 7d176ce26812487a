"""The batch path: fight by fight the same as without tables, in figures the same as the played path and exact odds."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import pytest

from conformance.places import at_length
from lab.scenes import between, coin_flip, folk, scenario
from tablewright.errors import BadInput
from tablewright.game.scenario import load_scenario
from tablewright.lab.batch import ENOUGH_RUNS, on_path, running
from tablewright.lab.batch.running import Batch, why_not
from tablewright.lab.counts import Count, Counts
from tablewright.lab.fights import Ring
from tablewright.lab.jobs import Job, counts_of, fight_chunk, job_of
from tablewright.lab.simulating import simulate
from tablewright.lab.solving import solve


def together(**more: Any) -> Job:
    return job_of(load_scenario("coinfolk:together"), **more)


def without_tables(ring: Ring, numbers: range) -> Counts:
    """The same fights with the same dice, but every piece of them played by the real encounter on plain scenes."""
    batch = Batch(ring, looks=1, tables=False)
    counts = batch.count(numbers)
    assert batch.from_tables == 0
    return counts


@pytest.mark.parametrize("policy", ["careful", "aggressive", "random"])
def test_tables_change_nothing(policy: str) -> None:
    """Fights come out the same from tables that are made on the way, from tables that are there, and without any."""
    ring = together(policies={"*": policy}).ring()
    batch, numbers = Batch(ring), range(15)
    cold = batch.count(numbers)
    before = batch.lanes.played
    warm = batch.count(numbers)
    assert batch.lanes.played == before, "tables that are there are not made again"
    assert warm.to_json() == cold.to_json() == without_tables(ring, numbers).to_json()
    assert cold.fights == 15
    assert cold.asks > 150


def test_a_row_serves_other_fights() -> None:
    """Most pieces of fights that were never seen come from tables."""
    batch = Batch(together().ring())
    batch.count(range(60))
    walked, played = batch.lanes.walked, batch.lanes.played
    batch.count(range(60, 75))
    walked, played = batch.lanes.walked - walked, batch.lanes.played - played
    assert walked > 5 * played > 0


def test_fights_do_not_know_of_each_other() -> None:
    """However the numbers are grouped, and whatever was fought before, the figures are the same."""
    ring = together(seed=7).ring()
    whole = Batch(ring).count(range(12)).to_json()
    parts, other = Counts(), Batch(ring, looks=1)
    for numbers in (range(7, 12), range(3), range(3, 7)):
        parts.merge(other.count(numbers))
    assert parts.to_json() == whole
    assert Batch(together(seed=8).ring()).count(range(12)).to_json() != whole


def test_chunks_of_a_job_give_the_same_digest() -> None:
    job = replace(together(runs=8), path="batch")
    assert Job.from_text(job.to_text()) == job
    result = simulate(job)
    merged = Counts()
    for chunk in range(job.chunks):
        merged.merge(counts_of(fight_chunk(job.to_text(), chunk)))
    assert result.counts.to_json() == merged.to_json()
    assert result.counts.fights == 8
    assert result.to_json()["path"] == "batch"
    assert job.id != together(runs=8).id


# ---------------------------------------------------------------------- against the played path, and what is known


def apart(one: Count, other: Count) -> float:
    """How many standard errors two means are apart."""
    means = [count.total / count.of for count in (one, other)]
    spreads = [
        max(0.0, count.squares / count.of - mean**2) / count.of for count, mean in zip((one, other), means, strict=True)
    ]
    return abs(means[0] - means[1]) / sqrt(max(sum(spreads), 1e-12))


def shares_apart(one: int, of_one: int, other: int, of_other: int) -> float:
    """How many standard errors two shares are apart."""
    share = (one + other) / (of_one + of_other)
    error = sqrt(share * (1 - share) * (1 / of_one + 1 / of_other))
    return abs(one / of_one - other / of_other) / error if error else 0.0


def worst(one: Counts, other: Counts) -> float:
    """The figure on which two samples agree least, in standard errors."""
    of = one.fights, other.fights
    found = [apart(one.rounds, other.rounds)]
    sides = {*one.won, *other.won}
    found += [shares_apart(one.won.get(side, 0), of[0], other.won.get(side, 0), of[1]) for side in sides]
    for who, mine in one.people.items():
        theirs = other.people[who]
        found.append(shares_apart(mine.fell, of[0], theirs.fell, of[1]))
        found.append(shares_apart(mine.died, of[0], theirs.died, of[1]))
        found += [apart(count, theirs.left[name]) for name, count in mine.left.items()]
        pairs = [(mine.dealt, theirs.dealt), (mine.taken, theirs.taken)]
        sources = {*mine.by_source, *theirs.by_source}
        pairs += [(mine.by_source.get(name, Count()), theirs.by_source.get(name, Count())) for name in sources]
        found += [apart(first.filled(of[0]), second.filled(of[1])) for first, second in pairs]
    return max(found)


def test_it_agrees_with_the_played_path() -> None:
    party = folk("ann", "folk", 3, 3), folk("bob", "folk", 2, 4)
    people = *party, folk("rat", "vermin", 4, 2), folk("cat", "vermin", 3, 3)
    ring = job_of(scenario(*people), seed=3).ring()
    batch, played = Batch(ring).count(range(150)), ring.count(range(80))
    assert set(batch.won) == {"folk", "vermin"}
    assert worst(batch, played) < 4


def test_it_agrees_with_exact_chances() -> None:
    people = folk("ann", "folk", 1, 5), folk("rat", "vermin", 1, 5)
    job = job_of(
        scenario(*people, rounds=20, options={"ducking": "never"}),
        modifiers=[("strike", 3, "ann"), ("strike", 3, "rat")],
        runs=1_000,
    )
    solved, counts = solve(job), Batch(job.ring()).count(range(1_000))
    for side, chance in solved.won.items():
        exact = float(chance)
        assert abs(counts.won.get(side, 0) / 1_000 - exact) < 4 * sqrt(exact * (1 - exact) / 1_000)
    for who, left in solved.left.items():
        for name, mean in left.items():
            found = counts.people[who].left[name].mean()
            assert abs(found.value - float(mean)) < 4 * max(0.001, found.half / 1.96)


def test_a_coin_is_fair() -> None:
    counts = Batch(coin_flip(5)).count(range(1_000))
    assert abs(counts.won["folk"] - 500) < 4 * sqrt(250)
    assert counts.limited == counts.won[""] > counts.harmless > 0, "the rat may hurt Ann before time is up"


@pytest.mark.skipif(not at_length(), reason="takes minutes; make soak runs it")
@pytest.mark.parametrize("word", ["coinfolk:together", "mars:together", "marchen:together"])
def test_systems_come_out_the_same_from_tables(word: str) -> None:
    """Fight by fight the same from tables and without, in systems with wide scenes."""
    ring, few = job_of(load_scenario(word)).ring(), range(6)
    batch = Batch(ring)
    cold, warm = batch.count(few).to_json(), batch.count(few).to_json()
    assert cold == warm == without_tables(ring, few).to_json()


DUELS = {
    "mars": "mars:goblin mars:goblin",
    "stage": "stage:guard stage:guard",
    "renaissance": "renaissance:wolf renaissance:wolf",
    "marchen": "marchen:wolf marchen:wolf",
    "opend6": "opend6:guard_dog opend6:guard_dog",
}


@pytest.mark.parametrize("system", DUELS)
def test_a_duel_comes_out_the_same_from_tables_and_without(system: str) -> None:
    """Fight by fight, in every system: the tables hold nothing that the real encounter does not do."""
    ring, few = between(DUELS[system]).ring(), range(4)
    batch = Batch(ring)
    cold = batch.count(few)
    walked = batch.lanes.walked
    warm = batch.count(few)
    assert batch.lanes.walked > walked, "tables are used"
    assert cold.to_json() == warm.to_json() == without_tables(ring, few).to_json()
    assert {harm for one in cold.people.values() for harm in one.by_source}, "somebody is hurt"


@pytest.mark.skipif(not at_length(), reason="takes minutes; make soak runs it")
@pytest.mark.parametrize("system", ["mars", "renaissance", "stage"])
def test_duels_agree_with_the_played_path_over_many_fights(system: str) -> None:
    ring = between(DUELS[system]).ring()
    assert worst(Batch(ring).count(range(20_000)), ring.count(range(5_000))) < 4


@pytest.mark.skipif(not at_length(), reason="takes minutes; make soak runs it")
def test_it_agrees_with_the_played_path_over_many_fights() -> None:
    ring = together(seed=5).ring()
    assert worst(Batch(ring).count(range(20_000)), ring.count(range(20_000))) < 4


# ---------------------------------------------------------------------- where it is used


def test_it_says_why_it_is_not_used() -> None:
    on_a_ground = job_of(load_scenario("coinfolk:even"), runs=ENOUGH_RUNS)
    assert "where everybody stands matters" in why_not(on_a_ground.ring())
    assert on_path(on_a_ground, "auto") == (on_a_ground, why_not(on_a_ground.ring()))
    with pytest.raises(BadInput, match="where everybody stands matters"):
        on_path(on_a_ground, "batch")
    thinking = together(policies={"ann": "best"})
    assert why_not(thinking.ring()).startswith("ann weighs every action")


def test_few_fights_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TRIAL_FIGHTS", 80)
    few, many = together(runs=ENOUGH_RUNS - 1), together(runs=ENOUGH_RUNS)
    assert on_path(few, "auto") == (few, "")
    assert on_path(few, "batch")[0].path == "batch"
    assert on_path(many, "played")[0].path == "played"
    chosen, why = on_path(many, "auto")
    assert chosen.path == "batch"
    assert "within reach" in why
