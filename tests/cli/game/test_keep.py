"""`fight --cast` and `--keep`: one's own characters in a scenario, and back to their files as they are afterwards.

Folk of coinfolk sleep everything off; what a fight leaves on a sheet is seen on a fighter of MARS.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner

EVEN = ("fight", "coinfolk:even", "--seed", "5")
EASY = ("fight", "mars:easy", "--seed", "5")


def kept(path: Path) -> dict[str, Any]:
    plain: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return plain


@pytest.fixture
def zoe(folk: Runner, tmp_path: Path) -> Path:
    path = tmp_path / "zoe.yaml"
    made = folk("new", "coinfolk", "--template", "ann", "--name", "Zoe Zimt", "-o", str(path))
    assert made.status == 0, made.err
    return path


@pytest.fixture
def ulla(folk: Runner, tmp_path: Path) -> Path:
    path = tmp_path / "ulla.yaml"
    assert folk("new", "mars", "--template", "fighter", "--name", "Ulla", "-o", str(path)).status == 0
    return path


def test_a_character_takes_anothers_place(folk: Runner, zoe: Path) -> None:
    usual = folk(*EVEN, "--json").json
    told = folk(*EVEN, "--cast", f"ann={zoe}", "--json").json
    assert [one["id"] for one in usual["participants"]] == ["ann", "bob", "rat", "cat"]
    assert [one["id"] for one in told["participants"]] == ["zoe-zimt", "bob", "rat", "cat"]
    first = told["participants"][0]
    assert (first["name"], first["side"], first["seat"]) == ("Zoe Zimt", "folk", "zoe-zimt")
    assert "written" not in told  # nothing is kept unless it is said
    assert '"who": "zoe-zimt"' in json.dumps(told["facts"])
    assert '"ann"' not in json.dumps(told["facts"])


def test_a_character_who_fought_is_written_back_as_they_are(folk: Runner, ulla: Path) -> None:
    assert kept(ulla)["wounds"]["stamina"] is None
    kept_before = ulla.with_name("before.yaml")
    kept_before.write_bytes(ulla.read_bytes())
    ran = folk(*EASY, "--cast", f"aldith={ulla}", "--keep")
    assert ran.status == 0, ran.err
    told = folk(*EASY, "--cast", f"aldith={kept_before}", "--json").json["participants"][0]["status"]
    assert kept(ulla)["wounds"]["stamina"] == told["stamina"]
    assert f"to {told['stamina']} of" in ran.out
    assert "\nWritten to" in ran.out


def test_files_against_files_are_kept_too_and_told_in_json(folk: Runner, ulla: Path, tmp_path: Path) -> None:
    other = tmp_path / "bo.yaml"
    folk("new", "mars", "--template", "berserker", "--name", "Bo", "-o", str(other))
    told = folk("fight", str(ulla), "vs", str(other), "goblin", "--seed", "2", "--keep", "--json").json
    assert [one["id"] for one in told["characters"]] == ["ulla", "bo"]
    assert told["written"] == [str(ulla), str(other)]
    assert [kept(path) for path in (ulla, other)] == [one["character"] for one in told["characters"]]


def leave_and_resume(
    folk: Runner, ulla: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Sequence[str] = ()
) -> Ran:
    """Begin a fight by hand, leave it at once, do something else, and play it to its end."""
    before, saved = ulla.read_bytes(), tmp_path / "fight.json"
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    left = folk(*EASY, "--cast", f"aldith={ulla}", "--keep", "--seat", "ulla=me", "--save", str(saved))
    assert left.status == 0, left.err
    assert ulla.read_bytes() == before
    if meanwhile:
        assert folk(*meanwhile).status == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 2_000))
    return folk("fight", "--resume", str(saved), "--dice", "auto")


def test_a_fight_that_is_left_is_kept_when_it_has_ended(
    folk: Runner, ulla: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ulla.read_bytes()
    ended = leave_and_resume(folk, ulla, tmp_path, monkeypatch)
    assert "Written to" in ended.out, ended.out + ended.err
    assert ulla.read_bytes() != before
    again = folk("fight", "--resume", str(tmp_path / "fight.json"))  # once more: everything is written already
    assert (again.status, "Written to" in again.out) == (0, False)


def test_a_file_that_was_changed_meanwhile_is_left_alone(
    folk: Runner, ulla: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept(ulla)
    ended = leave_and_resume(folk, ulla, tmp_path, monkeypatch, ("do", "mars.earn", str(ulla), "amount=5", "--write"))
    assert ended.status == 2
    assert "has changed since the fight began" in ended.err
    assert kept(ulla)["money"] == before["money"] + 5
    assert kept(ulla)["wounds"] == before["wounds"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fight", "coinfolk:even", "--keep"), "nobody here comes from a file"),
        (("fight", "{zoe}", "vs", "{zoe}", "--keep"), "takes part several times"),
        (("fight", "{zoe}", "vs", "rat", "--cast", "rat={zoe}"), "for a scenario"),
        (("fight", "coinfolk:even", "--cast", "{zoe}"), "NAME=FILE"),
        (("fight", "coinfolk:even", "--cast", "anna={zoe}"), 'nobody is called "anna"'),
        (("fight", "coinfolk:even", "--cast", "ann={zoe}", "--cast", "ann={zoe}"), "cast twice"),
        (("fight", "coinfolk:even", "--cast", "ann=nobody.yaml"), "no such file"),
        (("fight", "--resume", "x.json", "--keep"), "--keep is for a new fight"),
    ],
)
def test_impossible_situations_are_refused(folk: Runner, zoe: Path, words: tuple[str, ...], said: str) -> None:
    ran = folk(*[word.format(zoe=zoe) for word in words])
    assert ran.status == 2
    assert said in ran.err


def test_content_may_be_cast_but_has_no_file(folk: Runner) -> None:
    told = folk(*EVEN, "--cast", "ann=coinfolk:cat", "--json").json
    assert [one["id"] for one in told["participants"]] == ["cat-2", "bob", "rat", "cat"]
    assert folk(*EVEN, "--cast", "ann=coinfolk:cat", "--keep").status == 2
