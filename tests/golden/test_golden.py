"""Golden plays come out as they stand in their files, byte for byte; every finished system has its campaign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golden.runner import TESTS, commands, golden_files, main, played
from tablewright.game.registry import load_all

CAMPAIGN = "campaign.txt"


def campaign_of(system_id: str) -> Path:
    """Where the campaign of a system stands: with its tests, or with those of the sixth system."""
    own = TESTS / "systems" / system_id
    return (own if own.is_dir() else TESTS / "sixth") / "golden" / CAMPAIGN


@pytest.mark.parametrize("file", golden_files(), ids=lambda file: str(file.relative_to(TESTS)))
def test_a_golden_play_comes_out_as_it_stands(file: Path) -> None:
    written = file.read_bytes()
    assert played(written.decode()).encode() == written, f"make golden writes {file} anew; look at the difference"


def finished() -> list[str]:
    return [system.id for system in load_all().systems if system.is_finished]


@pytest.mark.parametrize("system_id", finished())
def test_a_finished_system_has_a_whole_campaign(system_id: str) -> None:
    file = campaign_of(system_id)
    assert file.is_file(), f"{system_id} is finished and has no {file.relative_to(TESTS)}"
    text = file.read_text(encoding="utf-8")
    asked = [command.words for command in commands(text)[0]]
    made = [words for words in asked if words[0] == "new" and "-o" in words]
    ways = {
        next((word for word in words if word in ("--random", "--template", "--from")), "by steps") for words in made
    }
    assert ways == {"--random", "--template", "--from", "by steps"}
    count = {name: sum(words[0] == name for words in asked) for name in ("check", "fight", "do", "sheet")}
    assert count["check"] >= 3
    assert count["fight"] >= 2
    assert count["do"] >= 3
    fights = [place for place, words in enumerate(asked) if words[0] == "fight"]
    sheets = [place for place, words in enumerate(asked) if words[0] == "sheet"]
    assert min(sheets) < min(fights), "no sheet before the first fight"
    assert max(sheets) > max(fights), "no sheet after the last fight"
    assert f"fight {system_id}:even" in text
    assert f"fight {system_id}:hard" in text
    undecided = [
        words for words in asked if words[0] == "fight" and not {"--seed", "--resume", "--replay"} & set(words)
    ]
    assert undecided == [], "a fight without a seed comes out differently each time"


@pytest.mark.parametrize("file", golden_files(), ids=lambda file: str(file.relative_to(TESTS)))
def test_nothing_of_this_machine_or_moment_is_in_it(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"/tmp|/work|/home|/usr|golden-", text)
    assert not re.search(r"\b\d{1,2}:\d{2}:\d{2}\b|\b20\d{2}-\d{2}-\d{2}\b", text)
    assert "(exit 70)" not in text, "this is a bug in the program"


# ---------------------------------------------------------------------- the runner itself


def test_another_answer_is_noticed_and_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "small.txt"
    file.write_text("# two dice\n$ tablewright roll 2d6 --seed 1\n  something else\n", encoding="utf-8")
    assert played(file.read_text(encoding="utf-8")) != file.read_text(encoding="utf-8")
    assert main([str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# two dice\n$ tablewright roll 2d6 --seed 1\n  ")
    assert played(text) == text
    assert "something else" not in text


def test_errors_typed_lines_and_files_are_part_of_it() -> None:
    text = played(
        "$ tablewright roll 2q\n$ tablewright new coinfolk -o a.yaml\n< Ann\n< grit\n< grit\n< grit\n< grit\n< done\n"
        "$ tablewright sheet a.yaml\n# the end\n"
    )
    assert "  ! error: " in text
    assert "  (exit 2)\n" in text
    assert text.count("Grit") >= 2
    assert text.endswith("# the end\n")


def test_each_play_begins_in_an_empty_folder() -> None:
    made = "$ tablewright new coinfolk --template ann -o ann.yaml\n"
    assert "written to ann.yaml" in played(made)
    assert "(exit 2)" in played("$ tablewright sheet ann.yaml\n")


@pytest.mark.parametrize("wrong", ["$ rm -rf /\n", "< typed first\n", "neither\n"])
def test_anything_else_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"golden|typed|neither"):
        played(wrong)
