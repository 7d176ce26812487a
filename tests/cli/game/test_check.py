"""`tablewright check`: the tally and the exact odds before anything is rolled, then the roll."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablewright.cli.commands.check import check_named
from tablewright.errors import InvalidInputError
from tablewright.game.play.checks import Check, CheckPlan

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_tally_and_odds_before_anything_is_rolled(folk: Runner, ann: Path) -> None:
    told = folk("check", str(ann), "grit", "difficulty=2", "helpers=1", "--json").json
    assert told["tallies"]["coins"]["total"] == 4
    assert [part["label"] for part in told["tallies"]["coins"]["parts"]] == ["helpers"]
    assert {row["outcome"]: row["exact"] for row in told["odds"]["outcomes"]} == {False: "5/16", True: "11/16"}
    assert "roll" not in told
    in_short = folk("check", str(ann), "grit", "difficulty=2", "helpers=1").out
    assert "Ann tries Grit against 2: succeeds 69%, fails 31%." in in_short
    drawn = folk("check", str(ann), "grit", "difficulty=2", "helpers=1", "--details").out
    assert "helpers +1 [coinfolk.coins.check]" in drawn
    assert "11/16" in drawn
    assert "rolled" not in drawn


def test_the_roll_with_its_trace(folk: Runner, ann: Path) -> None:
    told = folk("check", str(ann), "wit", "difficulty=2", "--faces", "2,1,2", "--json").json["roll"]
    assert told["result"] is True
    assert told["record"] == [[2, 1, 2]]
    assert "[2 1 2]-3 = 2" in folk("check", str(ann), "wit", "difficulty=2", "--faces", "2,1,2").out
    drawn = folk("check", str(ann), "wit", "difficulty=2", "--faces", "2,1,2", "--details").out
    assert "rolled 3d2-3: 2 1 2 = 2" in drawn
    assert "Rules: A check" in drawn
    seeded = [folk("check", str(ann), "wit", "--roll", "--seed", "9", "--json").json["roll"] for _ in range(2)]
    assert seeded[0] == seeded[1]
    seed = folk("check", str(ann), "wit", "--roll", "--json").json["roll"]["seed"]
    assert f"Seed {seed}." in folk("check", str(ann), "wit", "--seed", str(seed)).out


def test_every_word_is_listed(folk: Runner, ann: Path) -> None:
    for who in ("coinfolk", str(ann)):
        told = folk("check", who, "--list", "--json").json["checks"]
        assert [check["id"] for check in told] == ["grit", "wit"]
        assert [word["name"] for word in told[0]["situation"]] == ["difficulty", "helpers"]
        assert told[0]["situation"][1]["maximum"] == 3
    drawn = folk("check", "coinfolk", "--list").out
    assert drawn.count("difficulty") == 1  # checks with the same words stand together
    assert "friends who lend a coin: a whole number from 0 to 3 (default 0)" in drawn
    assert len(folk("check", "coinfolk", "wit", "--list", "--json").json["checks"]) == 1


def test_a_check_is_named_by_its_title_too(folk: Runner, ann: Path) -> None:
    by_id = folk("check", str(ann), "grit", "--json").json
    for typed in ("Grit", "GRIT"):
        assert folk("check", str(ann), typed, "--json").json == by_id
    assert [one["id"] for one in folk("check", "coinfolk", "Wit", "--list", "--json").json["checks"]] == ["wit"]


def test_ids_come_before_titles_and_one_title_means_one_check() -> None:
    checks = [
        Check("hide", "Stealth", (), _no_plan),
        Check("stealth", "Sneaking", (), _no_plan),
        Check("sleight_of_hand", "Sleight of Hand", (), _no_plan),
        Check("bow", "Shooting", (), _no_plan),
        Check("gun", "Shooting", (), _no_plan),
    ]
    assert check_named("stealth", checks, "x.yaml").id == "stealth"
    assert check_named("Stealth", checks, "x.yaml").id == "stealth"
    assert check_named("SNEAKING", checks, "x.yaml").id == "stealth"
    assert check_named("sleight of hand", checks, "x.yaml").id == "sleight_of_hand"
    with pytest.raises(InvalidInputError, match="say which: bow, gun"):
        check_named("shooting", checks, "x.yaml")
    with pytest.raises(InvalidInputError, match='did you mean "Sneaking"'):
        check_named("snaeking", checks, "x.yaml")


def test_the_number_of_unlisted_checks_is_told(folk: Runner) -> None:
    first = ", ".join([f"check_{number}" for number in range(12)])
    checks = [Check(f"check_{number}", "", (), _no_plan) for number in range(15)]
    with pytest.raises(InvalidInputError, match=f"{first} and 3 more; .*: tablewright check x.yaml --list"):
        check_named("swim", checks, "x.yaml")
    for words in (("check", "coinfolk:ann"), ("check", "coinfolk:ann", "swim")):
        err = folk(*words).err
        assert "grit, wit; all with their words: tablewright check coinfolk:ann --list" in err
        assert "more" not in err


def _no_plan(*_: object) -> CheckPlan:
    raise AssertionError("nobody checks anything")
