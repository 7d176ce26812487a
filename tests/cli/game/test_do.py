"""`tablewright do`: processes by name, and the files they change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablewright.game.session.processes import processes_by_name
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_advancing_over_several_commands(folk: Runner, ann: Path, tmp_path: Path) -> None:
    before = ann.read_text()
    ran = folk("do", "coinfolk.award", str(ann), "marks=4")
    assert "Ann: 4 marks" in ran.out
    assert "This was a rehearsal" in ran.out
    assert ann.read_text() == before
    assert folk("do", "coinfolk.award", str(ann), "marks=4", "--write").status == 0
    assert "marks: 4" in ann.read_text()
    told = folk("do", "coinfolk.advance", str(ann), "stat=wit", "-o", str(tmp_path / "better.yaml"), "--json").json
    assert told["characters"][0]["changes"] == ["wit: 3 -> 4", "marks: 4 -> 0", "raised: 0 -> 1"]
    assert told["facts"][0]["event"] == "CharacterChanged"
    assert "wit: 4" in (tmp_path / "better.yaml").read_text()
    assert "wit: 3" in ann.read_text()
    refused = folk("do", "coinfolk.advance", str(tmp_path / "better.yaml"), "stat=wit", "--write")
    assert refused.status == 1
    assert "[coinfolk.advancement.raise]" in refused.err


def test_events_are_told_in_words_and_dice_can_be_typed(folk: Runner, ann: Path) -> None:
    assert "Two days pass." in folk("do", "table.pass_time", str(ann), "amount=2 days").out
    ran = folk("do", "table.check", str(ann), "what=grit", "situation=difficulty=2", "--faces", "2,2,1")
    assert "[2 2 1]-3 = 2" in ran.out
    both = ("do", "table.call_for_check", str(ann), "coinfolk:bob", "who=ann,bob", "what=wit")
    assert folk(*both, "--faces", "2,2,1,1,1").status == 0
    left_over = folk(*both, "--faces", "2,2,1,1,1,1")
    assert left_over.status == 2
    assert "left over: 1" in left_over.err
    assert folk(*both, "--seed", "4", "--json").json == folk(*both, "--seed", "4", "--json").json


def test_every_process_is_listed_and_can_be_named(folk: Runner) -> None:
    book = load_system("coinfolk").rulebook
    told = folk("do", "coinfolk", "--json").json["processes"]
    listed = {process["name"] for process in told}
    assert listed == set(processes_by_name(book)) - {book.create.name, book.encounter.name}
    drawn = folk("do", "coinfolk").out
    for name in listed:
        assert name in drawn
        assert "there is no process" not in folk("do", name, "coinfolk:ann").err


@pytest.mark.parametrize("who", ["ann", "Ann", "coinfolk:ann"])
def test_participants_are_named_by_id_name_or_word(folk: Runner, who: str) -> None:
    ran = folk("do", "coinfolk.rest", "coinfolk:ann", "coinfolk:bob", f"who={who}", "hours=4")
    assert ran.status == 0, ran.err
    assert "Ann: recovered" in ran.out


def test_characters_can_be_on_two_sides(folk: Runner, ann: Path) -> None:
    told = folk("do", "table.pass_time", str(ann), "vs", "coinfolk:bob", "amount=1 day", "--json").json
    assert [one["character"]["name"] for one in told["characters"]] == ["Ann", "Bob"]
    for words in (("vs", str(ann)), (str(ann), "vs"), (str(ann), "vs", "vs", "coinfolk:bob")):
        refused = folk("do", "table.pass_time", *words, "amount=1 day")
        assert (refused.status, "on every side" in refused.err) == (2, True)
