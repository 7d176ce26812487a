"""Golden plays come out as they stand in their files, byte for byte; every finished system has its campaign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance.places import at_length, shown
from each_case import each_case
from golden.campaign import MOST_LINES, lacking
from golden.runner import golden_files, main, played, wrong_exits
from tablewright.game.system.registry import load_all


@pytest.mark.parametrize("file", golden_files(), ids=shown)
def test_a_golden_play_comes_out_as_it_stands(file: Path) -> None:
    written = file.read_bytes()
    assert played(written.decode()).encode() == written, f"make golden records {file} again; look at the difference"


def finished() -> list[str]:
    return [system.id for system in load_all().systems if system.is_finished]


@pytest.mark.parametrize("system_id", finished())
def test_a_finished_system_has_a_whole_campaign(system_id: str) -> None:
    assert lacking(system_id) == []


WHOLE = """
# made at random
$ tablewright new coinfolk --random -o a.yaml
# made from a template
$ tablewright new coinfolk --template ann -o b.yaml
# made from a file
$ tablewright new coinfolk --from b.yaml -o c.yaml
# made step by step
$ tablewright new coinfolk -o d.yaml
# a sheet
$ tablewright sheet d.yaml
# a check
$ tablewright check a.yaml wit
# another
$ tablewright check b.yaml wit
# another
$ tablewright check c.yaml wit
# a fight
$ tablewright fight coinfolk:even --seed 1
# a fight
$ tablewright fight coinfolk:hard --seed 1
# a rest
$ tablewright do coinfolk.rest d.yaml
# a rest
$ tablewright do coinfolk.rest d.yaml
# a rest
$ tablewright do coinfolk.rest d.yaml
# a sheet
$ tablewright sheet d.yaml
"""
"""A campaign in which nothing is lacking; its answers are left out."""


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of a campaign that is looked at instead of any system's."""
    monkeypatch.setattr("golden.campaign.folder_of_tests", lambda system_id: tmp_path)
    (tmp_path / "golden").mkdir()
    return tmp_path / "golden" / "campaign.txt"


def test_everything_that_a_campaign_lacks_is_said_at_once(campaign: Path) -> None:
    assert lacking("pebbles") == [f"pebbles has no campaign.txt; its place is {campaign}"]
    campaign.write_text(WHOLE, encoding="utf-8")
    assert lacking("coinfolk") == []
    campaign.write_text("$ tablewright new coinfolk -o a.yaml\n# why\n$ tablewright fight coinfolk:even\n")
    assert lacking("coinfolk") == [
        "no comment with a reason above: tablewright new coinfolk -o a.yaml",
        "no character is made --random and used later: tablewright new coinfolk ... -o FILE",
        "no character is made --template and used later: tablewright new coinfolk ... -o FILE",
        "no character is made --from and used later: tablewright new coinfolk ... -o FILE",
        "no character is made by steps and used later: tablewright new coinfolk ... -o FILE",
        "3 times tablewright check, not 0",
        "2 times tablewright fight, not 1",
        "3 times tablewright do, not 0",
        "no sheet before the first fight",
        "no sheet after the last fight",
        "no fight coinfolk:hard",
        "a fight without --seed comes out differently each time: fight coinfolk:even",
    ]
    campaign.write_text("# why\n$ rm -rf it\n", encoding="utf-8")
    assert lacking("coinfolk") == ['a golden play is made of tablewright commands alone, not "rm -rf it"']


def test_a_campaign_of_another_system_is_not_whole(campaign: Path) -> None:
    campaign.write_text(WHOLE, encoding="utf-8")
    said = lacking("pebbles")
    assert said[-2:] == ["no fight pebbles:even", "no fight pebbles:hard"]
    assert len([line for line in said if line.startswith("no character is made")]) == 4


def test_a_campaign_has_no_more_lines_than_a_person_reads(campaign: Path) -> None:
    lines = MOST_LINES - len(WHOLE.splitlines())
    campaign.write_text(WHOLE + "  x\n" * lines, encoding="utf-8")
    assert lacking("coinfolk") == []
    campaign.write_text(WHOLE + "  x\n" * (lines + 1), encoding="utf-8")
    assert lacking("coinfolk") == ["1501 lines, at most 1500 are read"]


# ---------------------------------------------------------------------- the statuses with which commands exit


def test_every_command_that_fails_unexpectedly_is_named_and_counts_for_nothing(campaign: Path) -> None:
    failing = "$ tablewright check c.yaml wit\n"
    campaign.write_text(WHOLE.replace(failing, f"{failing}  ! error: no wit\n  (exit 2)\n"), encoding="utf-8")
    assert lacking("coinfolk") == [
        "exits 2, not 0: tablewright check c.yaml wit (error: no wit)",
        "no character is made --from and used later: tablewright new coinfolk ... -o FILE",
        "3 times tablewright check, not 2",
    ]


def test_a_declared_failure_is_accepted_but_counts_for_nothing(campaign: Path) -> None:
    refused = "# exits 2: nobody has charm\n$ tablewright check c.yaml charm\n  (exit 2)\n"
    campaign.write_text(WHOLE.replace("# a fight", f"{refused}# a fight", 1), encoding="utf-8")
    assert lacking("coinfolk") == []
    needed = "# another\n$ tablewright check b.yaml wit\n"
    assert needed in WHOLE
    campaign.write_text(WHOLE.replace(needed, refused), encoding="utf-8")
    assert lacking("coinfolk") == ["3 times tablewright check, not 2"]


def test_a_declared_failure_that_succeeds_is_named(campaign: Path) -> None:
    campaign.write_text(WHOLE + "# exits 1: refused\n$ tablewright sheet c.yaml\n  Cob\n", encoding="utf-8")
    assert lacking("coinfolk") == ["exits 0, not 1: tablewright sheet c.yaml"]


@pytest.mark.parametrize("wrong", ["# exits two: why", "# exits 2", "# exits 2: ", "# exits 2: why\n# more"])
def test_a_declaration_that_is_not_understood_is_refused(wrong: str, campaign: Path) -> None:
    campaign.write_text(f"{wrong}\n$ tablewright roll 2q\n", encoding="utf-8")
    (said,) = lacking("coinfolk")
    assert said.endswith('directly above the command, as in "# exits 1: the reason"')


@pytest.mark.parametrize("file", golden_files(), ids=shown)
def test_every_command_exits_as_a_person_declared(file: Path) -> None:
    assert wrong_exits(file.read_text(encoding="utf-8")) == []


def test_the_runner_does_not_write_an_unexpected_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.txt"
    for text, said in (
        ("# dice\n$ tablewright roll 2q --seed 1\n", "exits 2, not 0: tablewright roll 2q --seed 1 (error: "),
        ("# exits 1: why\n$ tablewright roll 2d6 --seed 1\n", "exits 0, not 1: tablewright roll 2d6 --seed 1\n"),
    ):
        file.write_text(text, encoding="utf-8")
        assert main([str(file)]) == 1
        told = capsys.readouterr().out
        assert f"not written  {file}\n" in told
        assert said in told
        assert file.read_text(encoding="utf-8") == text


def test_the_runner_refuses_what_it_does_not_understand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.txt"
    file.write_text("# exits two: why\n$ tablewright roll 2d6 --seed 1\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(file)])
    assert f'{file}: "# exits two: why": directly above the command' in capsys.readouterr().err


def test_the_runner_writes_a_declared_failure(tmp_path: Path) -> None:
    file = tmp_path / "small.txt"
    file.write_text("# exits 2: there are no such dice\n$ tablewright roll 2q\n", encoding="utf-8")
    assert main([str(file)]) == 0
    assert "  (exit 2)\n" in file.read_text(encoding="utf-8")


@pytest.mark.skipif(not at_length(), reason="make soak plays every campaign with other dice")
@each_case("file", golden_files())
@each_case("more", range(1, 6))
def test_every_command_exits_as_declared_with_other_dice(more: int, file: Path) -> None:
    text = re.sub(r"--seed (\d+)", lambda found: f"--seed {int(found[1]) + more}", file.read_text(encoding="utf-8"))
    assert wrong_exits(played(text)) == []


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


def test_another_answer_is_noticed_and_written_again(tmp_path: Path) -> None:
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
    assert "Written to ann.yaml" in played(made)
    assert "(exit 2)" in played("$ tablewright sheet ann.yaml\n")


@pytest.mark.parametrize("wrong", ["$ rm -rf /\n", "< typed first\n", "neither\n"])
def test_anything_else_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"golden|typed|neither"):
        played(wrong)
