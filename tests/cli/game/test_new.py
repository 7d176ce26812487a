"""`tablewright new` and `tablewright sheet`: four ways to make a character, and what is shown of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from cli.conftest import Runner

ANSWERS = [word for given in ("stats=grit", "stats=grit", "stats=wit", "stats=wit") for word in ("--answer", given)]


def test_at_random_is_repeated_by_its_seed_and_always_legal(folk: Runner) -> None:
    made = [folk("new", "coinfolk", "--random", "--seed", str(seed), "--json").json for seed in range(12)]
    assert all(one["legality"]["ok"] for one in made)
    assert len({json.dumps(one["character"]) for one in made}) > 3
    assert made[5] == folk("new", "coinfolk", "--random", "--seed", "5", "--json").json
    seed = folk("new", "coinfolk", "--random", "--json").json["seed"]
    drawn = folk("new", "coinfolk", "--random", "--seed", str(seed)).out
    assert f"Seed {seed}." in drawn
    assert f"Seed {seed}." in folk("new", "coinfolk", "--random", "--seed", str(seed)).out


@pytest.mark.parametrize("system", ["coinfolk", "mars", "marchen", "opend6", "renaissance", "stage"])
def test_a_character_who_is_made_at_random_has_a_name(folk: Runner, system: str) -> None:
    named = [
        folk("new", system, "--random", "--seed", str(seed), "--json").json["character"]["name"] for seed in (1, 2)
    ]
    assert named[0] != named[1] != "Nobody" != named[0]
    assert folk("new", system, "--random", "--seed", "1", "--name", "Ida", "--json").json["character"]["name"] == "Ida"


def test_answers_beforehand_are_taken_in_order(folk: Runner, tmp_path: Path) -> None:
    path = tmp_path / "ada.yaml"
    ran = folk("new", "coinfolk", "--name", "Ada", *ANSWERS, "--answer", "gear=poker", "-o", str(path))
    assert ran.status == 0, ran.err
    assert f"Ready to play. Written to {path}." in ran.out
    made = folk("new", "coinfolk", "--from", str(path), "--json").json["character"]
    assert (made["name"], made["grit"], made["wit"], made["pennies"]) == ("Ada", 3, 3, 0)
    random = folk("new", "coinfolk", "--random", "--seed", "1", "--answer", "stats=wit", "--json").json["character"]
    assert random["wit"] >= 2


def test_open_questions_are_told_where_nobody_can_answer(folk: Runner) -> None:
    ran = folk("new", "coinfolk", *ANSWERS, "--json")
    assert ran.status == 2
    assert "gear=OPTION" in json.loads(ran.err)["error"]
    assert "knife, poker, done" in json.loads(ran.err)["error"]


def test_from_a_template(folk: Runner) -> None:
    assert [one["id"] for one in folk("new", "coinfolk", "--list", "--json").json["templates"]] == [
        "ann",
        "bob",
        "rat",
        "cat",
    ]
    assert "Bob" in folk("new", "coinfolk", "--list").out
    made = folk("new", "coinfolk", "--template", "bob", "--name", "Robert", "--json").json["character"]
    assert (made["name"], made["grit"]) == ("Robert", 4)


def test_a_file_is_brought_up_to_date_and_every_violation_is_a_line(folk: Runner, tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text('system: coinfolk\nrules: "0.9"\nname: Bo\ngrit: 5\nwit: 5\nbelongings: [{item: spoon}]\nhat: red\n')
    ran = folk("new", "coinfolk", "--from", str(old), "-o", str(new))
    assert ran.status == 1
    notes = [line for line in ran.err.splitlines() if line.startswith("note: ")]
    errors = [line for line in ran.err.splitlines() if line.startswith("error: ")]
    assert len(notes) == 2
    assert "written by rules 0.9" in notes[0]
    assert "hat" in notes[1]
    assert "[coinfolk.creation.points]" in errors[0]
    assert "[coinfolk.creation.gear]" in errors[1]
    assert "--anyway" in errors[2]
    assert not new.exists()
    assert folk("new", "coinfolk", "--from", str(old), "-o", str(new), "--anyway").status == 1
    assert "hat: red" in new.read_text()
    told = folk("new", "coinfolk", "--from", str(new), "--json")
    assert told.status == 1
    assert [found["rule"] for found in told.json["legality"]["violations"]] == [
        "coinfolk.creation.points",
        "coinfolk.creation.gear",
    ]
    assert told.err == ""


def test_piped_in_line_by_line(folk: Runner, tmp_path: Path) -> None:
    typed = "Ada\ngrit\nb\nnonsense\nwit\n2\n2\n1\n\x00\ndone\n"
    env = {"PYTHONPATH": str(Path(__file__).parents[2] / "sixth")}
    path = tmp_path / "ada.json"
    ran = folk.process("new", "coinfolk", "-o", str(path), typed=typed, env=env)
    assert ran.status == 0, ran.err
    assert 'I do not know "nonsense"' in ran.out
    assert json.loads(path.read_text())["wit"] == 4
    short = folk.process("new", "coinfolk", typed="Ada\ngrit\n", env=env)
    assert short.status == 2
    assert short.err.splitlines() == ["error: The character is not finished, so nothing was saved."]


def test_a_file_that_is_no_character_is_not_replaced(folk: Runner, tmp_path: Path) -> None:
    path = tmp_path / "precious.yaml"
    path.write_text("to: do\n")
    ran = folk("new", "coinfolk", "--template", "ann", "-o", str(path))
    assert ran.status == 2
    assert path.read_text() == "to: do\n"


# ---------------------------------------------------------------------- sheet


def test_the_sheet_in_three_forms(folk: Runner, ann: Path) -> None:
    text = folk("sheet", str(ann))
    assert text.out.startswith("Ann, coin folk\n")
    assert max(map(len, folk("sheet", str(ann), columns=30).out.splitlines())) <= 30
    assert "[1] Health: 9; folk 3 [coinfolk.stat.health]; grit, twice +6" in folk("sheet", str(ann), "--explain").out
    assert folk("sheet", str(ann), "--why", "health").out.splitlines()[-1] == "= 9"
    assert folk("sheet", str(ann), "--why", "health", "--json").json["why"][-1] == "= 9"
    assert folk("sheet", str(ann), "--format", "md").out.startswith("# Ann\n")
    told = folk("sheet", str(ann), "--json").json
    assert told == folk("sheet", str(ann), "--format", "json").json
    assert told["sections"][0]["entries"][2]["tally"]["total"] == 9
    assert folk("sheet", "coinfolk:ann").out == text.out


@pytest.mark.parametrize("name", [check.id for check in load_system("coinfolk").rulebook.checks])
def test_people_of_the_content_have_sheets_and_checks(folk: Runner, name: str) -> None:
    for who in ("ann", "bob", "rat", "cat"):
        assert folk("check", f"coinfolk:{who}", name).status == 0
