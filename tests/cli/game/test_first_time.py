"""First use of the command line: wrong files, shown names, dice at a prompt."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from tablewright.cli.output.console import closed_options, reasons

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner

SCENARIO = """title: The pantry
system: coinfolk
participants:
  - {character: ann.yaml, side: folk}
  - {character: rat, side: vermin}
"""


@pytest.fixture
def strong(ann: Path) -> Path:
    """Ann's file with more grit and wit than the rules of making allow."""
    written = ann.read_text(encoding="utf-8").replace("grit: 3", "grit: 5").replace("wit: 3", "wit: 5")
    ann.write_text(written, encoding="utf-8")
    return ann


@pytest.fixture
def scenario(ann: Path) -> Path:
    """A scenario's file beside Ann's."""
    path = ann.with_name("pantry.yaml")
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def play(folk: Runner, monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> Ran:
    """A fight with lines typed at the keyboard."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return folk("fight", *words)


# ---------------------------------------------------------------------- outside the rules


@pytest.mark.parametrize(
    "words",
    [
        ("sheet", "{file}"),
        ("check", "{file}", "grit"),
        ("fight", "{file}", "vs", "rat", "--seed", "1"),
        ("fight", "coinfolk:even", "--cast", "ann={file}", "--seed", "1"),
    ],
)
def test_a_file_outside_the_rules_is_named_once_and_not_refused(
    folk: Runner, strong: Path, words: tuple[str, ...]
) -> None:
    typed = [word.replace("{file}", str(strong)) for word in words]
    ran = folk(*typed)
    (line,) = ran.err.splitlines()
    assert line.startswith("note: Ann is outside the rules of making (1 problem; ")
    assert ran.status == 0
    told = folk(*typed, "--json")
    assert told.err == ran.err
    assert told.json
    listed = folk("new", "coinfolk", "--from", str(strong))
    assert f"`tablewright new coinfolk --from {strong}` lists them" in line
    assert listed.status == 1
    assert "[coinfolk.creation.points]" in listed.err


def test_the_command_that_lists_problems_is_told_with_packs_and_options(folk: Runner, strong: Path) -> None:
    err = folk("sheet", str(strong), "--option", "ducking=never").err
    assert f"`tablewright new coinfolk --from {strong} --option ducking=never` lists them" in err


def test_in_a_scenario_the_first_problem_is_told(folk: Runner, strong: Path, scenario: Path) -> None:
    (line,) = folk("fight", str(scenario), "--seed", "1", "--json").err.splitlines()
    assert "Ann is outside the rules of making (1 problem; the first: stats" in line
    assert "[coinfolk.creation.points]" in line


def test_a_character_who_is_within_the_rules_is_not_spoken_of(folk: Runner, ann: Path, scenario: Path) -> None:
    for words in (
        ("sheet", str(ann)),
        ("sheet", "coinfolk:cat"),
        ("check", str(ann), "grit"),
        ("fight", str(ann), "vs", "coinfolk:cat", "--seed", "1"),
        ("fight", "coinfolk:even", "--seed", "1"),
        ("fight", str(scenario), "--seed", "1"),
    ):
        assert folk(*words).err == ""


# ---------------------------------------------------------------------- the wrong file, the wrong system


def test_a_character_is_told_from_a_scenario(folk: Runner, ann: Path) -> None:
    ran = folk("fight", str(ann))
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert f"{ann} is a character of coinfolk, no scenario" in line
    assert f"see it: tablewright sheet {ann};" in line
    command = line.rpartition("let it fight: tablewright ")[2].split()
    assert command[:2] == ["fight", "coinfolk:even"]
    assert folk(*command, "--seed", "1").status == 0


def test_a_scenario_is_told_from_a_character(folk: Runner, scenario: Path) -> None:
    for words in (("sheet", str(scenario)), ("check", str(scenario), "grit"), ("do", "coinfolk.rest", str(scenario))):
        ran = folk(*words)
        assert (ran.status, ran.out) == (2, "")
        (line,) = ran.err.splitlines()
        assert f"{scenario} is a scenario of coinfolk, no character; fight it: tablewright fight {scenario}" in line


def test_errors_in_a_scenario_are_still_told(folk: Runner, scenario: Path) -> None:
    scenario.write_text(SCENARIO.replace("side: vermin", "sdie: vermin"), encoding="utf-8")
    err = folk("fight", str(scenario)).err
    assert "sdie" in err
    assert "is a character" not in err


@pytest.mark.parametrize(
    "words",
    [
        ("sheet", "coinfok:ann"),
        ("check", "coinfok:ann", "grit"),
        ("fight", "coinfok:ann", "vs", "rat"),
        ("simulate", "coinfok:ann", "coinfolk:rat"),
    ],
)
def test_a_system_that_there_is_not_is_no_file_name(folk: Runner, words: tuple[str, ...]) -> None:
    ran = folk(*words)
    assert ran.status == 2
    assert 'there is no system "coinfok"; did you mean "coinfolk"?' in ran.err


# ---------------------------------------------------------------------- names as they are shown


def test_people_are_named_as_they_are_shown(folk: Runner, ann: Path) -> None:
    by_id = folk("fight", "coinfolk:together", "--seed", "7", "--json", "--policy", "cat=random").json
    by_name = folk("fight", "coinfolk:together", "--seed", "7", "--json", "--policy", "Cat=random").json
    assert by_id["facts"] == by_name["facts"]
    assert by_id["facts"] != folk("fight", "coinfolk:together", "--seed", "7", "--json").json["facts"]
    cast = folk("fight", "coinfolk:together", "--seed", "7", "--json", "--cast", f"BOB={ann}").json
    assert [one["name"] for one in cast["participants"]] == ["Ann", "Ann", "Rat", "Cat"]


def test_an_id_is_meant_before_a_name(folk: Runner, tmp_path: Path, ann: Path) -> None:
    path = tmp_path / "names.yaml"
    people = "  - {id: one, name: rat, character: ann, side: folk}\n  - {id: rat, character: rat, side: vermin}\n"
    path.write_text(f"title: x\nsystem: coinfolk\nparticipants:\n{people}", encoding="utf-8")
    told = folk("fight", str(path), "--seat", "rat=me", "--seed", "1", "--json").json
    assert [one["id"] for one in told["participants"] if one["seat"] == "me"] == ["rat"]


def test_several_of_one_name_are_not_cast_by_it(folk: Runner, tmp_path: Path, ann: Path) -> None:
    path = tmp_path / "rats.yaml"
    people = [f"  - {{id: {id_}, name: Rat, character: rat, side: {id_}}}" for id_ in ("one", "two")]
    path.write_text("\n".join(["title: x", "system: coinfolk", "participants:", *people]), encoding="utf-8")
    assert "say which: one, two" in folk("fight", str(path), "--cast", f"rat={ann}").err


def test_two_of_the_same_name_are_told_apart(folk: Runner, ann: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = (str(ann), "vs", "coinfolk:rat", "coinfolk:rat", "--seed", "3")
    last = folk("fight", *duel).out.splitlines()[-3:]
    assert all(name in " ".join(last) for name in ("Ann", "Rat 1", "Rat 2"))
    looked = play(folk, monkeypatch, "look\nquit\n", *duel, "--seat", "a=me", "--save", str(ann.with_name("k.json")))
    assert [line.split()[0] for line in looked.out.splitlines() if line.startswith("Rat")] == ["Rat", "Rat"]


# ---------------------------------------------------------------------- at the prompt


@pytest.mark.parametrize(("dice", "throws"), [("ask", "Enter rolls them"), ("typed", "roll lets the program")])
def test_at_dice_one_is_told_what_to_type(
    folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dice: str, throws: str
) -> None:
    fight = (
        "coinfolk:together",
        "--seat",
        "folk=me",
        "--seed",
        "7",
        "--dice",
        dice,
        "--save",
        str(tmp_path / "k.json"),
    )
    typed = "strike rat\nheads\n2 tails\nunod\nquit\n" if dice == "typed" else "no\nstrike rat\nheads\nunod\nquit\n"
    out = play(folk, monkeypatch, typed, *fight).out
    assert '"heads" is not a face; type what the dice show, such as 3 5; ' in out
    assert throws in out
    assert 'did you mean "undo"?' in out
    assert "--faces" not in out


def test_help_names_words_that_work(folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fight = ("coinfolk:together", "--seat", "ann=me", "--seed", "7")
    out = play(folk, monkeypatch, "no\n?\nquit\n", *fight, "--save", str(tmp_path / "one.json")).out
    words = " ".join(out.partition("such as ")[2].partition(";")[0].split())
    assert words == "strike rat"
    out = play(folk, monkeypatch, f"no\n{words}\nquit\n", *fight, "--save", str(tmp_path / "two.json")).out
    assert "is no answer" not in out
    assert "strike:rat" in json.loads((tmp_path / "two.json").read_text(encoding="utf-8"))["entries"]


SHUT = {"id": "get_up", "label": "Rise", "reason": "whoever stands on both feet has no need to", "rule": "demo.rule"}


def test_closed_options_have_names_and_stay_in_their_column() -> None:
    written = io.StringIO()
    console = Console(width=30, file=written, color_system=None, highlight=False)
    reasons(console, [SHUT, SHUT | {"label": "", "reason": "no"}], 2)
    first, *more, last = [line.rstrip() for line in written.getvalue().splitlines()]
    assert first.startswith(" -  Rise  Whoever ")
    assert last == " -  Get up  No."
    assert more
    assert all(line.startswith("    ") and not line[4].isspace() for line in more)
    written.truncate(0)
    closed_options(console, [SHUT] * 4, 2, "why NAME says why")
    assert "unavailable: Rise, Rise" in written.getvalue()


def test_why_something_is_closed_names_nobody_who_is_hidden(
    folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tablewright.engine import Choice, ClosedOption

    path = tmp_path / "hidden.yaml"
    people = "  - {character: ann, side: folk}\n  - {character: cat, side: vermin, hidden: true}\n"
    path.write_text(f"title: x\nsystem: coinfolk\nparticipants:\n{people}", encoding="utf-8")
    shut = (
        ClosedOption("hide", "Cat is near", "coinfolk.coins.check", "Hide"),
        ClosedOption("sing", "too loud", None, "Sing"),
    )
    monkeypatch.setattr(Choice, "closed", property(lambda _: shut))
    typed = "hide\nHide\nwhy hide\nsing\nwhy Sing\nquit\n"
    out = play(
        folk, monkeypatch, typed, str(path), "--seat", "ann=me", "--seed", "1", "--save", str(tmp_path / "k.json")
    )
    assert out.out.count("Hide: Cannot be done now.") == 3
    assert out.out.count("Sing: Too loud.") == 2
    assert "Cat is near" not in out.out
