"""Golden plays come out as they stand in their files, byte for byte; every finished system has its campaign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance.places import shown
from golden.campaign import lacking
from golden.runner import golden_files, main, played
from tablewright.game.registry import load_all


@pytest.mark.parametrize("file", golden_files(), ids=shown)
def test_a_golden_play_comes_out_as_it_stands(file: Path) -> None:
    written = file.read_bytes()
    assert played(written.decode()).encode() == written, f"make golden writes {file} anew; look at the difference"


def finished() -> list[str]:
    return [system.id for system in load_all().systems if system.is_finished]


@pytest.mark.parametrize("system_id", finished())
def test_a_finished_system_has_a_whole_campaign(system_id: str) -> None:
    assert lacking(system_id) == []


WHOLE = """
$ tablewright new coinfolk --random -o a.yaml
$ tablewright new coinfolk --template ann -o b.yaml
$ tablewright new coinfolk --from b.yaml -o c.yaml
$ tablewright new coinfolk -o d.yaml
$ tablewright sheet d.yaml
$ tablewright check d.yaml wit
$ tablewright check d.yaml wit
$ tablewright check d.yaml wit
$ tablewright fight coinfolk:even --seed 1
$ tablewright fight coinfolk:hard --seed 1
$ tablewright do coinfolk.rest d.yaml
$ tablewright do coinfolk.rest d.yaml
$ tablewright do coinfolk.rest d.yaml
$ tablewright sheet d.yaml
"""


def test_everything_that_a_campaign_lacks_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("golden.campaign.folder_of_tests", lambda system_id: tmp_path)
    assert lacking("pebbles") == [f"pebbles has no campaign.txt; its place is {tmp_path / 'golden' / 'campaign.txt'}"]
    (tmp_path / "golden").mkdir()
    campaign = tmp_path / "golden" / "campaign.txt"
    campaign.write_text(WHOLE, encoding="utf-8")
    assert lacking("coinfolk") == []
    assert lacking("pebbles") == ["no fight pebbles:even", "no fight pebbles:hard"]
    campaign.write_text("$ tablewright new coinfolk -o a.yaml\n$ tablewright fight coinfolk:even\n", encoding="utf-8")
    assert lacking("coinfolk") == [
        "no character is made --random and kept: tablewright new coinfolk ... -o FILE",
        "no character is made --template and kept: tablewright new coinfolk ... -o FILE",
        "no character is made --from and kept: tablewright new coinfolk ... -o FILE",
        "3 times tablewright check, not 0",
        "2 times tablewright fight, not 1",
        "3 times tablewright do, not 0",
        "no sheet before the first fight",
        "no sheet after the last fight",
        "no fight coinfolk:hard",
        "a fight without --seed comes out differently each time: fight coinfolk:even",
    ]
    campaign.write_text("$ rm -rf it\n", encoding="utf-8")
    assert lacking("coinfolk") == ['a golden play is made of tablewright commands alone, not "rm -rf it"']


def test_a_system_without_a_campaign_is_given_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("golden.campaign.folder_of_tests", lambda system_id: None)
    (said,) = lacking("pebbles")
    assert said.startswith("pebbles has no campaign.txt")


@pytest.mark.parametrize("file", golden_files(), ids=shown)
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


def test_the_runner_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "FILE" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["no-such-file.txt"])
    assert "there is no file no-such-file.txt" in capsys.readouterr().err


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
