"""`tablewright mechanics` and the greeting: everything listed is there, every example works."""

from __future__ import annotations

import shlex
from functools import cache
from typing import TYPE_CHECKING

import pytest

from each_case import each_case
from tablewright import __version__
from tablewright.cli.views import examples as example_module
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_all

if TYPE_CHECKING:
    from cli.conftest import Runner

SEARCHED_ONCE = cache(example_module.example_of)
OWN = [mechanic.name for system in load_all().systems for mechanic in system.mechanics]


def test_every_system_is_listed_with_its_status_and_mechanics(tw: Runner) -> None:
    systems = tw("mechanics", "--json").json["systems"]
    assert [system["id"] for system in systems] == list(system_ids())
    assert {system["status"] for system in systems} <= {"building", "finished"}
    (penny,) = [system for system in systems if system["id"] == "penny"]
    assert penny["title"] == "Penny & Größer"
    assert penny["mechanics"][0]["parameters"] == ["coins", "wanted"]
    drawn = tw("mechanics").out
    for name in OWN:
        assert name in drawn
    assert tw("mechanics", "penny", "--json").json == {"systems": [penny]}


def test_the_schema_of_one(tw: Runner) -> None:
    schema = tw("mechanics", "penny.toss", "--json").json
    assert schema["parameters"]["required"] == ["coins"]
    assert schema["parameters"]["properties"]["wanted"]["default"] == 1
    assert schema["result"]["properties"]["grade"]["enum"] == ["poor", "fine", "größer"]
    assert schema["rules"] == ["penny.toss.heads"]


def test_the_page_of_one_names_parameters_objectives_and_rules(tw: Runner) -> None:
    for columns in (40, 100):
        page = tw("mechanics", "penny.bet", columns=columns).out
        for word in ("purse", "limit", "money", "loss", "penny.bet.place", "Placing a bet"):
            assert word in page


@each_case("name", [*OWN, "penny.toss", "penny.bet", "penny.duel"])
def test_every_example_works(tw: Runner, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example_module, "example_of", SEARCHED_ONCE)
    page = tw("mechanics", name)
    assert page.status == 0
    example = tw("mechanics", name, "--json").json["example"]
    assert example is not None
    words = [name, *[f"{key}={value}" for key, value in example.items()]]
    assert " ".join(["tablewright", "odds", *words]) in " ".join(page.out.split())
    for command in ("odds", "roll", "advise"):
        ran = tw(command, *words)
        assert ran.status == 0 or (command == "advise" and "objective" in ran.err), ran.err


def test_examples_need_a_possible_try(tw: Runner) -> None:
    assert tw("mechanics", "penny.never", "--json").json["example"] is None
    assert tw("mechanics", "penny.never").status == 0


def test_the_command_alone_shows_three_commands_that_work(tw: Runner) -> None:
    ran = tw()
    assert ran.status == 0
    examples = [shlex.split(line)[1:] for line in ran.out.splitlines() if line.startswith("  tablewright ")]
    assert len(examples) == 3
    for words in examples:
        assert tw(*words).status == 0


def test_version_and_help(tw: Runner) -> None:
    assert tw("--version").out.split() == ["tablewright", __version__]
    helped = tw("--help")
    assert helped.status == 0
    for command in ("roll", "odds", "advise", "mechanics", "rules"):
        assert command in helped.out
        ran = tw(command, "--help")
        assert ran.status == 0
        assert "--json" in ran.out


def test_a_shell_can_complete_commands_and_options(tw: Runner) -> None:
    def completed(*words: str) -> list[str]:
        typed = {"COMP_WORDS": " ".join(["tablewright", *words]), "COMP_CWORD": str(len(words))}
        ran = tw.interpreter(env={"_TABLEWRIGHT_COMPLETE": "complete_bash"} | typed)
        assert (ran.status, ran.err) == (0, "")
        return ran.out.split()

    assert completed("od") == ["odds"]
    assert completed("odds", "--ob") == ["--objective"]
    assert completed("odsd", "--o") == []
