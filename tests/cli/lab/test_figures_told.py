"""Figures of fights as text: everything that was counted, and the policies that played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablewright.cli.program import run
from tablewright.cli.views.simulation import tell_balance, tell_difference, tell_result
from tablewright.game.play.vitals import Damage
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.balance import Balance, by_number
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.paired import compare_change
from tablewright.lab.fights.simulation import Result, simulate
from tablewright.lab.fights.totals import Count, FightTotals
from tablewright.lab.fights.trial import tell

DUEL = ("coinfolk:ann", "coinfolk:rat", "--workers", "1")
TACTICS = "Both sides play carefully."


@pytest.fixture(scope="module")
def result() -> Result:
    """Some fights of four."""
    return simulate(job_of(load_scenario("coinfolk:together"), runs=6))


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Output of a command."""
    assert run(argv) == 0
    return capsys.readouterr().out


def test_leavers_are_told_beside_the_fallen(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    """A side can win because the others run away: then so many do not fall."""
    tell_result(result)
    assert "leaves" not in capsys.readouterr().out
    result.counts.people["rat"].gone = 3
    try:
        tell_result(result)
    finally:
        result.counts.people["rat"].gone = 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = [line for line in lines if "falls" in line]
    assert head.split() == ["falls", "dies", "leaves", "deals", "takes"]
    assert "50%" in next(line for line in lines if line.startswith("Rat ")).split()


def test_damage_to_allies_is_counted_apart(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    """A ball of fire among friends is no good deed: it counts as dealt, and is named as what it is."""
    tell_result(result)
    assert "to own side" not in capsys.readouterr().out
    ring, counts = result.job.ring(), FightTotals()
    fight = ring.fight(0)
    foes = [Damage("rat", 5, "ann", "knife"), Damage("bob", 2, "ann", "knife"), Damage("ann", 1, "ann", "knife")]
    tell(counts, fight._replace(harms=tuple(foes)), ring.book)
    ann = counts.people["ann"]
    assert (ann.dealt.total, ann.own.total, counts.people["bob"].own.of) == (8, 3, 0)
    assert FightTotals.from_json(counts.to_json()).people["ann"].own.total == 3
    counts.merge(FightTotals.from_json(counts.to_json()))
    assert counts.people["ann"].own.total == 6
    told_of = replace(result, counts=counts)
    tell_result(told_of)
    (head,) = [line for line in capsys.readouterr().out.splitlines() if "deals" in line]
    assert "to own side" in head
    assert told_of.to_json()["people"]["ann"]["to_own_side"]["value"] == 3


def test_solved_fights_have_rounds_tactics_and_bare_hands(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", *DUEL[:2], "--rounds", "3", "--option", "ducking=never", "--exact")
    out = told(capsys, *words)
    assert "Most fights last 3 rounds." in out
    assert TACTICS in out
    assert "Rat deals 2.22 (bare hands 2.22)" in out
    plain = json.loads(told(capsys, *words, "--json"))
    assert plain["tactics"] == {"careful": "harm dealt weighed evenly against harm taken, and costs against both"}
    rounds = plain["rounds"]
    assert [rounds[name] for name in ("tenth", "median", "ninetieth")] == [3, 3, 3]


def test_a_change_tells_deaths_and_what_is_left_too(capsys: pytest.CaptureFixture[str]) -> None:
    job = job_of(load_scenario("coinfolk:together"), runs=4)
    found = compare_change(job, changed(job, "modify:ann.strike+1"))
    found.pairs.left["rat"]["health"] = Count(4, -6, 14, {-3: 1, -2: 1, -1: 1, 0: 1})
    found.pairs.died["rat"].before, found.before.counts.people["rat"].died = 2, 2
    tell_difference(found, "modify:ann.strike+1")
    out = " ".join(capsys.readouterr().out.split())
    assert "dies as it is changed difference" in out
    assert "health -1.5 (-3.6 to +0.6)" in out
    assert "Both sides play carefully." in out


def test_another_policy_is_told_as_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "simulate", *DUEL, "--runs", "4", "--change", "policy:party=random")
    assert TACTICS in out
    assert "Changed: Ann: at random. Rat: carefully." in " ".join(out.split())


def test_a_balance_says_by_whom_from_which_seed_and_what_ended_it(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "balance", *DUEL, "--target", "99.5%", "--runs", "10", "--seed", "4")
    assert "coinfolk:ann vs coinfolk:rat  Coinfolk  seed 4" in out
    assert "to win 99.5%: how many like Rat" in out
    assert TACTICS in out
    plain = json.loads(told(capsys, "balance", *DUEL, "--target", "99.5%", "--runs", "10", "--seed", "4", "--json"))
    assert (plain["seed"], plain["policies"]) == (4, {"ann": "careful", "rat": "careful"})


def test_a_balance_that_was_cancelled_proves_nothing(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    job: Job = result.job
    found = Balance("folk", 0.001, by_number(job, "rat"), {1: result}, cancelled=True)
    tell_balance(found)
    out = " ".join(capsys.readouterr().out.split())
    assert "cancelled before the search was over" in out
    assert "no number gives it" not in out
    found = Balance("folk", 0.001, by_number(job, "rat"), {1: result}, why="more than 40 are not tried")
    tell_balance(found)
    assert "does not lie within its interval; more than 40 are not tried" in " ".join(capsys.readouterr().out.split())


def test_fights_without_a_winner_are_told_on_both_sides_of_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    """A change that ends fights early gives draws; otherwise two chances would shrink without a reason."""
    words = ("simulate", *DUEL, "--runs", "6", "--change", "rounds=1")
    out = told(capsys, *words)
    (line,) = [line for line in out.splitlines() if line.startswith("nobody")]
    assert line.split()[1] == "0%"
    assert "100%" in line
    assert "changed: 6 of 6 fights were ended by the limit of 1 rounds" in " ".join(out.split())
    plain = json.loads(told(capsys, *words, "--json"))
    assert plain["difference"]["won"]["draw"]["value"] == 1
    assert sum([side["value"] for side in plain["difference"]["won"].values()]) == pytest.approx(0)


def test_a_case_of_a_grid_that_cannot_end_is_said_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = tmp_path / "grid.yaml"
    grid.write_text(
        "scenarios: [coinfolk:even]\nruns: 40\nuntil: 90%\n"
        'axes: {folk: ["rounds=2", "rounds=2, modify:folk.strike-50, modify:vermin.strike-50"]}\n'
    )
    out = " ".join(told(capsys, "sweep", str(grid), "--workers", "1").split())
    assert "seed 1" in out
    assert "this fight cannot end: 20 of 20 fights" in out
    assert out.count("cannot end") == 1


def test_no_difference_at_one_end_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("mars.check", "roll_value=r16", "difficulty=8..14..2", "--versus", "advantage=1")
    out = " ".join(told(capsys, "odds", *words).split())
    assert "to 0 at difficulty=8" in out
    assert "from 0 at difficulty=10" in out
