"""`tablewright pack`: check, list and compare content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli.conftest import Runner

MINE = """pack: {id: mine, title: My drawer, version: "1", origin: house}
system: coinfolk
weapons:
  - {id: ladle, name: Ladle, edge: 1, price: 1}
  - {id: poker, name: Red poker, edge: 3, price: 3}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(MINE)
    return path


def test_a_good_pack(folk: Runner, mine: Path) -> None:
    told = folk("pack", "check", str(mine), "--json").json
    assert told["entries"] == {"weapons": 2}
    assert told["replaces"] == [{"kind": "weapons", "id": "poker"}]
    drawn = folk("pack", "check", str(mine)).out
    assert "nothing is wrong with it" in drawn
    assert "replaces weapons poker" in drawn


def test_all_that_is_wrong_one_line_each(folk: Runner, mine: Path) -> None:
    mine.write_text(MINE.replace("edge: 1", "edge: 7").replace("price: 3", "prize: 3"))
    ran = folk("pack", "check", str(mine))
    assert ran.status == 2
    lines = ran.err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"error: {mine}:") for line in lines)
    assert f"{mine}:4:36: weapons[0].edge: 7 is not allowed" in lines[0]
    assert '"problems": [' in folk("pack", "check", str(mine), "--json").err


def test_people_that_cannot_be_read_are_wrong_too(folk: Runner, mine: Path) -> None:
    mine.write_text(MINE + "folk:\n  - {id: eve, name: Eve, character: {name: Eve, grit: 99}}\n")
    ran = folk("pack", "check", str(mine))
    assert ran.status == 2
    assert "folk eve: character: grit" in ran.err


def test_contents_of_the_pack(folk: Runner, mine: Path) -> None:
    told = folk("pack", "list", "coinfolk", "--json").json
    assert {kind: len(entries) for kind, entries in told["content"].items()} == {"weapons": 2, "folk": 4}
    assert "knife  Bread knife: edge 1, price 2 (house)" in folk("pack", "list", "coinfolk", "weapons").out
    own = folk("pack", "list", "coinfolk", "weapons", "--pack", str(mine), "--json").json["content"]["weapons"]
    assert [(entry["id"], entry["pack"]) for entry in own] == [
        ("knife", "starter"),
        ("poker", "mine"),
        ("ladle", "mine"),
    ]


def test_own_content_can_be_carried_everywhere(folk: Runner, mine: Path, tmp_path: Path) -> None:
    path, own = str(tmp_path / "eve.yaml"), ("--pack", str(mine))
    answers = ["stats=grit", "stats=grit", "stats=grit", "stats=wit", "gear=ladle"]
    given = [word for answer in answers for word in ("--answer", answer)]
    ladle = ("new", "coinfolk", "--name", "Eve", "-o", path, *given)
    assert folk(*ladle).status == 2
    assert folk(*ladle, *own).status == 0
    assert "ladle" in folk("sheet", path, *own).out
    assert folk("new", "coinfolk", "--from", path).status == 1  # no one else knows of ladles
    assert folk("do", "coinfolk.award", path, "marks=1", "--write", *own).status == 0
    kept = tmp_path / "kept.json"
    fought = folk("fight", path, "vs", "rat", "--seed", "1", "--save", str(kept), "--json", *own)
    assert fought.status == 0, fought.err
    assert folk("fight", "--replay", str(kept), "--json").json["same"] is True


def test_differences_between_two(folk: Runner, mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(MINE.replace("edge: 1", "edge: 2"))
    assert folk("pack", "diff", str(mine), str(other)).out == "weapons ladle: edge: 1 > 2\n"
    assert folk("pack", "diff", str(mine), str(mine)).out == "no difference\n"
    told = folk("pack", "diff", "coinfolk", str(mine), "--json").json
    assert {"kind": "weapons", "id": "ladle"} in told["added"]
