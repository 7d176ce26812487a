"""`tablewright check`: the tally and the exact odds before anything is rolled, then the roll."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_tally_and_odds_before_anything_is_rolled(folk: Runner, ann: Path) -> None:
    told = folk("check", str(ann), "grit", "difficulty=2", "helpers=1", "--json").json
    assert told["tallies"]["coins"]["total"] == 4
    assert [part["label"] for part in told["tallies"]["coins"]["parts"]] == ["helpers"]
    assert {row["outcome"]: row["exact"] for row in told["odds"]["outcomes"]} == {False: "5/16", True: "11/16"}
    assert "roll" not in told
    drawn = folk("check", str(ann), "grit", "difficulty=2", "helpers=1").out
    assert "helpers +1 [coinfolk.coins.check]" in drawn
    assert "11/16" in drawn
    assert "rolled" not in drawn


def test_the_roll_with_its_trace(folk: Runner, ann: Path) -> None:
    told = folk("check", str(ann), "wit", "difficulty=2", "--faces", "2,1,2", "--json").json["roll"]
    assert told["result"] is True
    assert told["record"] == [[2, 1, 2]]
    drawn = folk("check", str(ann), "wit", "difficulty=2", "--faces", "2,1,2").out
    assert "rolled 3d2-3: 2 1 2 = 2" in drawn
    assert "[coinfolk.coins.check] A check" in drawn
    seeded = [folk("check", str(ann), "wit", "--roll", "--seed", "9", "--json").json["roll"] for _ in range(2)]
    assert seeded[0] == seeded[1]
    seed = folk("check", str(ann), "wit", "--roll", "--json").json["roll"]["seed"]
    assert f"seed {seed}" in folk("check", str(ann), "wit", "--seed", str(seed)).out


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
