"""Effects of one change: words for changes, pairs of fights with the same dice, differences with intervals."""

from __future__ import annotations

import pytest

from lab.scenes import duel, folk, scenario
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.paired import Pairs, compare_change
from tablewright.lab.fights.simulation import simulate


@pytest.fixture(scope="module")
def pantry() -> Job:
    """Four of the coin folk on a grid."""
    return job_of(load_scenario("coinfolk:even"), runs=20)


def test_policies_and_options(pantry: Job) -> None:
    other = changed(pantry, "policy:vermin=random, option:ducking=never, rounds=7")
    assert other.policies == {"ann": "careful", "bob": "careful", "rat": "random", "cat": "random"}
    assert other.scenario["options"]["ducking"] == "never"
    assert other.scenario["rounds"] == 7
    assert pantry.scenario["options"]["ducking"] == "after"
    assert set(changed(pantry, "policy:best").policies.values()) == {"best"}


def test_one_more_stands_on_a_free_place_beside(pantry: Job) -> None:
    other = changed(pantry, "add:rat, add:rat")
    people = {given["id"]: given for given in other.scenario["participants"]}
    assert list(people) == ["ann", "bob", "rat", "cat", "rat-2", "rat-3"]
    assert people["rat-2"]["side"] == "vermin"
    places = [given["position"] for given in people.values()]
    assert len(set(places)) == 6
    assert people["rat-2"]["character"] == people["rat"]["character"]


def test_one_less(pantry: Job) -> None:
    assert [given["id"] for given in changed(pantry, "remove:cat").scenario["participants"]] == ["ann", "bob", "rat"]


def test_a_number_on_a_sheet_and_a_number_that_is_tallied() -> None:
    job = duel()
    with pytest.raises(ProblemListError, match="points"):
        changed(job, "set:ann.grit+1")
    assert changed(job, "set:ann.grit+1", anyway=True).scenario["participants"][0]["character"]["grit"] == 4
    assert changed(job, "set:ann.grit=4, set:ann.wit-1").scenario["participants"][0]["character"]["wit"] == 2
    assert changed(job, "modify:vermin.strike-2").modifiers == (("strike", -2, "rat"),)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ad:rat", r'is not a change; changes begin with policy:.*did you mean "add"'),
        ("add:rta", 'nobody is called "rta".*did you mean "rat"'),
        ("policy:folk=carful", 'not a policy.*did you mean "careful"'),
        ("policy:folk", "write policy:WHO=POLICY, or policy:POLICY for all"),
        ("policy:ramdom", 'did you mean "random"'),
        ("option:duck=never", 'write option:NAME=VALUE.*did you mean "ducking"'),
        ("remove:folk", "only one side is left"),
        ("set:ann.grits=3", 'has no "grits".*did you mean "grit"'),
        ("set:ann.name+1", "not a whole number"),
        ("set:ann.grit.deep=1", "grit has no parts"),
        ("set:ann", "write set:WHO.FIELD=VALUE"),
        ("modify:ann+1", "write modify:WHO.WHAT"),
        ("rounds=0", "from 1 to 1000"),
        ("set:ann.grit=lots", "grit"),
    ],
)
def test_wrong_changes_are_refused(words: str, said: str, pantry: Job) -> None:
    with pytest.raises(InvalidInputError, match=said):
        changed(pantry, words)


def test_a_change_that_does_nothing_differs_in_no_fight() -> None:
    job = duel(runs=12)
    found = compare_change(job, changed(job, "modify:ann.dancing+3"))
    assert found.pairs.alike == 12
    assert found.won["folk"].value == 0
    assert found.pairs.rounds.mean().value == 0
    assert found.before.digest == found.after.digest == simulate(job).digest


def test_a_change_is_the_difference_of_both_jobs() -> None:
    job = duel(runs=40)
    other = changed(job, "modify:ann.strike+1")
    found = compare_change(job, other)
    before, after = simulate(job), simulate(other)
    assert (found.before.digest, found.after.digest) == (before.digest, after.digest)
    won = after.wins["folk"].value - before.wins["folk"].value
    assert found.won["folk"].value == pytest.approx(won)
    assert found.won["folk"].low < won < found.won["folk"].high
    assert found.won["folk"].low > 0
    left = found.pairs.left["ann"]["health"].mean().value
    means = [result.counts.people["ann"].left["health"].mean().value for result in (before, after)]
    assert left == pytest.approx(means[1] - means[0])


def test_the_same_dice_make_differences_narrower() -> None:
    """A small change: with common dice the number of rounds differs by less than with dice of another seed."""
    job = duel(runs=60)
    paired = compare_change(job, changed(job, "modify:rat.strike+1")).pairs.rounds.mean().half
    by_luck = Pairs()
    one, other = job.ring(), changed(duel(runs=60, seed=2), "modify:rat.strike+1").ring()
    for number in range(60):
        by_luck.add(one.fight(number), other.fight(number), (one.book, other.book), job.sides)
    assert paired < 0.85 * by_luck.rounds.mean().half


def test_until_stops_when_the_difference_is_known() -> None:
    job = duel(runs=1_000)
    found = compare_change(job, changed(job, "modify:ann.strike+1"), until=0.15)
    assert found.stopped == "until"
    assert found.won["folk"].half <= 0.15
    assert found.before.counts.fights < 1_000


def test_jobs_of_different_seeds_are_no_pair() -> None:
    with pytest.raises(InvalidInputError, match="one seed"):
        compare_change(duel(seed=1), duel(seed=2))


def test_pairs_go_through_text() -> None:
    job = job_of(scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3)), runs=4)
    found = compare_change(job, changed(job, "policy:folk=random"))
    assert Pairs.from_json(found.pairs.to_json()) == found.pairs
