"""Bad input to the commands of play: exit 2, a line for each problem that says what is allowed, nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from each_case import each_case

if TYPE_CHECKING:
    from cli.conftest import Runner

COMMANDS = ("new", "sheet", "check", "fight", "do", "pack")
ODD = ["", " ", "ü", "日本", "\x00", "\x1b[31m", "9" * 5_000, "=", "-", "{}", "[x]", "..", "/", "/dev/zero"]

WRONG = [
    (("new",), "name a system"),
    (("new", "coinfok"), '"coinfolk"'),
    (("new", "coinfolk", "--template", "an"), '"ann"'),
    (("new", "coinfolk", "--random", "--template", "ann"), "cannot be used together"),
    (("new", "coinfolk", "--from", "nowhere.yaml"), "no such file"),
    (("new", "coinfolk", "--answer", "grit"), "STEP=OPTION"),
    (("new", "coinfolk", "--answer", "stats=grit", "--answer", "sats=wit"), '"stats"'),
    (("new", "coinfolk", "--answer", "stats=girt"), '"grit"'),
    (("new", "coinfolk", "--random", "--seed", "x"), "--seed"),
    (("new", "coinfolk", "--random", "--option", "duck=never"), '"ducking"'),
    (("new", "coinfolk", "--random", "--option", "ducking=sometimes"), "after, never"),
    (("new", "coinfolk", "--random", "hat=red"), '"hat"'),
    (("new", "coinfolk", "--random", "-o", "x.txt"), ".yaml"),
    (("new", "coinfolk", "--random", "-o", "/nowhere/x.yaml"), "no folder"),
    (("new", "coinfolk", "--template", "ann", "--seed", "1"), "--seed"),
    (("sheet",), "SYSTEM:ID"),
    (("sheet", "nowhere.yaml"), "no such file"),
    (("sheet", "coinfolk:an"), '"ann"'),
    (("sheet", "coinfolk:ann", "--format", "mdd"), '"md"'),
    (("sheet", "coinfolk:ann", "--why", "helth"), '"Health"'),
    (("check",), "--list"),
    (("check", "coinfolk:ann"), "grit, wit"),
    (("check", "coinfolk:ann", "girt"), '"grit"'),
    (("check", "coinfolk:ann", "grit", "dificulty=2"), '"difficulty"'),
    (("check", "coinfolk:ann", "grit", "difficulty=99"), "0 to 12"),
    (("check", "coinfolk:ann", "grit", "difficulty"), "key=value"),
    (("check", "coinfolk:ann", "grit", "helpers=1", "helpers=2"), "twice"),
    (("check", "coinfolk:ann", "grit", "--faces", "7,1,1"), "1 to 2"),
    (("check", "coinfolk:ann", "grit", "--faces", "1,1,1", "--seed", "1"), "together"),
    (("check", "coinfolk:ann", "grit", "--choose", "a=b"), "--roll"),
    (("fight",), "FILES vs FILES"),
    (("fight", "coinfolk:evn"), '"even"'),
    (("fight", "coinfok:even"), '"coinfolk"'),
    (("fight", "nowhere.yaml"), "nowhere.yaml"),
    (("fight", "coinfolk:even", "--policy", "folk=brave"), "careful"),
    (("fight", "coinfolk:even", "--policy", "flok=best"), '"folk"'),
    (("fight", "coinfolk:even", "--seat", "an=me"), '"ann"'),
    (("fight", "coinfolk:even", "--seat", "ann"), "NAME=me"),
    (("fight", "coinfolk:even", "--seat", "ann=you"), "NAME=me"),
    (("fight", "coinfolk:even", "--dice", "loaded"), "typed"),
    (("fight", "coinfolk:even", "--rounds", "0"), "--rounds"),
    (("fight", "coinfolk:even", "--undo", "1"), "--resume"),
    (("fight", "coinfolk:even", "--resume", "nowhere.json"), "coinfolk:even"),
    (("fight", "--resume", "nowhere.json"), "cannot be read"),
    (("fight", "--replay", "nowhere.json"), "cannot be read"),
    (("fight", "--resume", "a", "--replay", "b"), "together"),
    (("fight", "coinfolk:even", "--save", "/nowhere/x.json"), "no folder"),
    (("fight", "coinfolk:ann", "vs"), "every side"),
    (("fight", "ann", "vs", "rat"), "file"),
    (("fight", "coinfolk:ann", "vs", "rt"), '"rat"'),
    (("do",), "SYSTEM.PROCESS"),
    (("do", "coinfolk.rets", "coinfolk:ann"), '"coinfolk.rest"'),
    (("do", "coinfolk.rest"), "character's file"),
    (("do", "coinfolk.rest", "coinfolk:ann", "hours=x"), "1 to 1000"),
    (("do", "coinfolk.rest", "coinfolk:ann", "hour=2"), '"hours"'),
    (("do", "coinfolk.rest", "coinfolk:ann", "coinfolk:bob"), "who"),
    (("do", "coinfolk.rest", "coinfolk:ann", "who=bob"), "ann"),
    (("do", "coinfolk.create", "coinfolk:ann"), "tablewright new"),
    (("do", "coinfolk.encounter", "coinfolk:ann"), "tablewright fight"),
    (("do", "coinfolk.rest", "coinfolk:ann", "--write"), "needs a file"),
    (("do", "coinfolk.rest", "coinfolk:ann", "-o", "x.txt"), ".yaml"),
    (("do", "other.rest", "coinfolk:ann"), "Coinfolk"),
    (("pack",), "check, list, diff"),
    (("pack", "chek", "x.yaml"), '"check"'),
    (("pack", "check"), "one pack"),
    (("pack", "check", "nowhere.yaml"), "no such file"),
    (("pack", "list"), "coinfolk"),
    (("pack", "list", "coinfok"), '"coinfolk"'),
    (("pack", "list", "coinfolk", "wepons"), '"weapons"'),
    (("pack", "diff", "coinfolk"), "two packs"),
    (("pack", "check", "x.yaml", "--system", "coinfok"), '"coinfolk"'),
]


@each_case(("words", "named"), WRONG)
def test_errors_are_named_with_the_allowed_values(folk: Runner, words: tuple[str, ...], named: str) -> None:
    ran = folk(*words)
    assert ran.status == 2, (ran.out, ran.err)
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert named in ran.err
    assert "Traceback" not in ran.err
    told = folk(*words, "--json")
    assert told.status == 2
    assert json.loads(told.err)["status"] == 2


@each_case("word", ODD)
@each_case("command", COMMANDS)
def test_odd_words_are_refused(
    folk: Runner, command: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        (word,),
        ("coinfolk:ann", word),
        ("coinfolk", word),
        ("check", word),
        ("coinfolk.rest", word),
        ("coinfolk:ann", "vs", word),
        ("coinfolk.rest", "coinfolk:ann", f"hours={word}"),
    ):
        ran = folk(command, *words, "--json")
        assert ran.status in (0, 2), (words, ran.err)
        assert "bug in tablewright" not in ran.err, (command, words)
        assert all(character.isprintable() for line in ran.err.splitlines() for character in line)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["sheet", "check", "do", "fight", "pack"])
def test_broken_files_are_refused_line_by_line(folk: Runner, command: str, tmp_path: Path) -> None:
    words = {
        "sheet": ("FILE",),
        "check": ("FILE", "grit"),
        "do": ("coinfolk.rest", "FILE"),
        "fight": ("FILE", "vs", "rat"),
        "pack": ("check", "FILE"),
    }[command]
    path = tmp_path / "broken.yaml"
    for text in (
        "",
        "- a\n- b\n",
        "name: [unclosed\n",
        "system: nowhere\nname: X\n",
        "system: coinfolk\nname: X\ngrit: many\nwit: 77\n",
        "system: coinfolk\nname: 3\npack: 4\n",
        '{"system": "coinfolk"',
    ):
        path.write_text(text)
        ran = folk(command, *[str(path) if word == "FILE" else word for word in words])
        assert ran.status == 2, (text, ran.out, ran.err)
        assert "bug in tablewright" not in ran.err, text
        assert all(line.startswith("error: ") for line in ran.err.splitlines())
        assert str(path) in ran.err


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"tablewright": "session"}', '{"tablewright": "session", "format": 1}']
)
def test_broken_sessions_are_refused(folk: Runner, tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    for option in ("--resume", "--replay"):
        ran = folk("fight", option, str(path))
        assert ran.status == 2
        assert "bug in tablewright" not in ran.err
        assert str(path) in ran.err
    assert path.read_text() == text
