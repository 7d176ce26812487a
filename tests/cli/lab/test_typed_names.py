"""Names in the lab: people as they are shown, and only numbers that something is tallied under can be changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablewright.cli.program import run
from tablewright.cli.views.simulation import ResultView
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights import change_names as tallied
from tablewright.lab.fights.change_names import all_by_id, by_id, demand_tallied, names_in_job, tallied_in
from tablewright.lab.fights.job import Job, job_of

DUEL = ("coinfolk:ann", "coinfolk:rat", "--workers", "1", "--runs", "6")
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage", "coinfolk")


def answered(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Exit status, output and errors of a command."""
    status = run(argv)
    out, err = capsys.readouterr()
    return status, out, err


def job(name: str, *modifiers: tuple[str, int, str | None]) -> Job:
    return replace(job_of(load_scenario(name), runs=4, rounds=3), modifiers=modifiers)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", *DUEL, "--change", "modify:ann.strik+1"),
        ("simulate", *DUEL, "--change", "modify:foes.strik+1, add:rat"),
        ("balance", *DUEL, "--by", "modify:rat.strik+1"),
    ],
)
def test_a_number_that_nothing_is_tallied_under_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    status, out, err = answered(capsys, *words)
    assert (status, out) == (2, "")
    assert 'nothing here is tallied under "strik"; there are: ' in err
    assert 'did you mean "strike"?' in err


def test_a_grid_is_refused_before_its_first_fight(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    axes = 'axes: {luck: ["", "modify:ann.strike+1", "modify:ann.strik+1"]}'
    grid.write_text(f"title: x\nscenarios: [coinfolk:even]\nruns: 4\n{axes}\n", encoding="utf-8")
    status, out, err = answered(capsys, "sweep", str(grid), "--workers", "1")
    assert (status, out) == (2, "")
    assert 'did you mean "strike"?' in err
    assert not list(tmp_path.glob("*.sweep"))


def test_tallied_numbers_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answered(capsys, "simulate", *DUEL, "--change", "modify:ann.strike+9", "--json")
    assert status == 0
    assert json.loads(out)["alike"] < 6


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_says_what_it_tallies(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallied, "MOST_TRIED", 2)  # a fight as it is and one at random name enough
    known = tallied_in(job(f"{system}:even"), ["something that is nowhere"])
    assert known == sorted(known)
    assert {"attack", "strike", "brawl.attack"} & set(known)
    demand_tallied(job(f"{system}:even", (known[0], 1, None), (known[-1], 1, None)))


def test_a_tally_that_is_nowhere_is_refused() -> None:
    system = "coinfolk"
    with pytest.raises(InvalidInputError, match="nothing here is tallied under"):
        demand_tallied(job(f"{system}:even", ("something that is nowhere", 1, None)))


def test_changes_name_people_as_they_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = answered(capsys, "simulate", *DUEL, "--change", "modify:Ann.strike+1, add:Rat", "--json")[1]
    by_ids = answered(capsys, "simulate", *DUEL, "--change", "modify:ann.strike+1, add:rat", "--json")[1]
    assert json.loads(shown)["after"]["job"] == json.loads(by_ids)["after"]["job"]
    knights = {"knight": "Robber knight (knight)", "brother": "Robber knight (brother)", "robber": "Robber"}
    assert by_id("set:robber knight (brother).armour+1", knights) == "set:brother.armour+1"
    assert by_id("policy:Robber=best", knights) == "policy:robber=best"
    assert by_id("add:Robberess", knights) == "add:Robberess"
    assert by_id("option:knight=1", {"one": "knight"}) == "option:knight=1"


def test_a_side_is_meant_before_a_name() -> None:
    fight = job_of(load_scenario("coinfolk:even"))
    side = fight.sides[0]
    named = {**fight.scenario["participants"][-1], "name": side.title()}
    people = [*fight.scenario["participants"][:-1], named]
    other = replace(fight, scenario={**fight.scenario, "participants": people})
    assert side.title() in names_in_job(other).values()
    assert all_by_id([f"policy:{side}=best"], other) == [f"policy:{side}=best"]


def test_tables_name_people_and_things(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = answered(capsys, "simulate", *DUEL, "--sampled", "--details")[1]
    lines = [line.split() for line in out.splitlines()]
    assert [line[0] for line in lines if line[:1] in (["Ann"], ["Rat"])][-6:] == ["Ann", "Rat"] * 3
    assert not [line for line in lines if line[:1] in (["ann"], ["rat"])]
    assert any(line[:3] == ["Ann", "Bread", "knife"] for line in lines)  # by source
    told = json.loads(answered(capsys, "simulate", *DUEL, "--sampled", "--json")[1])
    assert set(told["people"]) == {"ann", "rat"}  # programs go by ids
    exact = answered(capsys, "simulate", *DUEL, "--exact", "--rounds", "1")[1]
    assert "Ann deals " in exact
    change = answered(capsys, "simulate", *DUEL, "--change", "add:rat")[1]
    assert [line.split()[0] for line in change.partition("falls")[2].splitlines()[1:3]] == ["Ann", "Rat"]


def test_names_that_need_room_leave_it_to_the_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    fight = ("simulate", "marchen:even", "--workers", "1", "--runs", "2", "--rounds", "2")
    out = answered(capsys, *fight, "--change", "remove:Poacher")[1]
    row, *_ = [line for line in out.splitlines() if line.startswith("Robber Knight 1")]
    assert row.count(" to ") == 3
    falls = [line.split("  ")[0] for line in out.partition("falls")[2].splitlines()[1:]]
    assert falls.index("Roland") < falls.index("Agnes") < falls.index("Robber Knight 1")  # as in the scenario
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_sources_of_damage_are_told_in_words() -> None:
    shown = ResultView(job("coinfolk:even"))
    assert shown.source("knife") == "Bread knife"
    assert shown.source("knife/thrown") == "Bread knife (thrown)"
    assert shown.source("falling_down") == "falling down"
