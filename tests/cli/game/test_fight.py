"""`tablewright fight`: bots among themselves, files against files, saved and resumed, undone and replayed."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from patience import sigint_handled
from tablewright.cli.output.console import options
from tablewright.cli.play.interrupts import Interrupts

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner

SIXTH = Path(__file__).parents[2] / "sixth"


def typing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def saved(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


@pytest.mark.parametrize("name", ["easy", "even", "hard", "together"])
def test_bots_fight_every_scenario_to_its_end(folk: Runner, name: str) -> None:
    told = folk("fight", f"coinfolk:{name}", "--seed", "7", "--json").json
    assert told["outcome"] in ("folk win", "vermin win", "draw")
    assert told["question"] is None
    assert told["facts"][-1]["event"] == "SceneEnded"
    assert told == folk("fight", f"coinfolk:{name}", "--seed", "7", "--json").json
    drawn = folk("fight", f"coinfolk:{name}", "--seed", "7").out
    assert told["outcome"] is not None
    last = drawn[drawn.rindex("Standing") if "Standing" in drawn else 0 :]
    for one in told["participants"]:
        assert one["name"] in last


def test_policies_by_side_by_name_and_for_all(folk: Runner) -> None:
    fights = [
        folk("fight", "coinfolk:together", "--seed", "7", "--json", *words).json["facts"]
        for words in ((), ("--policy", "random"), ("--policy", "folk=random"), ("--policy", "ann=random"))
    ]
    assert len({json.dumps(facts) for facts in fights}) == len(fights)


def test_rounds_end_it(folk: Runner) -> None:
    told = folk("fight", "coinfolk:even", "--rounds", "1", "--seed", "1", "--json").json
    assert told["outcome"] == "draw"


def test_options_of_the_system(folk: Runner) -> None:
    told = folk("fight", "coinfolk:together", "--seed", "1", "--option", "ducking=never", "--json").json
    assert all(fact["breath"] == 0 for fact in told["facts"] if fact.get("event") == "Struck")


def test_files_against_files_and_content(folk: Runner, ann: Path, tmp_path: Path) -> None:
    told = folk("fight", str(ann), "vs", "rat", "rat", "vs", "coinfolk:cat", "--seed", "2", "--json").json
    assert [(one["id"], one["side"]) for one in told["participants"]] == [
        ("ann", "a"),
        ("rat", "b"),
        ("rat-2", "b"),
        ("cat", "c"),
    ]
    assert told["outcome"] in ("a win", "b win", "c win", "nobody stands")


def test_a_fight_is_kept_left_and_resumed(folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.json"
    typing(monkeypatch, "look\nno\n")
    ran = folk("fight", "coinfolk:together", "--seat", "Ann=me", "--seed", "3", "--dice", "auto", "--save", str(kept))
    assert ran.status == 0, ran.err
    assert f"tablewright fight --resume {kept}" in "".join(ran.out.split("\n"))
    assert "seed" not in ran.out
    entries = saved(kept)["entries"]
    assert "no" in entries
    question = folk("fight", "--resume", str(kept), "--json").json["question"]
    assert question["seat"] == "me"
    assert [option["id"] for option in question["options"]][:2] == ["strike:rat", "strike:cat"]
    typing(monkeypatch, "1\n")
    folk("fight", "--resume", str(kept), "--dice", "auto")
    later = saved(kept)["entries"]
    assert later[: len(entries)] == entries
    assert len(later) > len(entries)
    typing(monkeypatch, "")
    folk("fight", "--resume", str(kept), "--undo", str(len(later) - len(entries)))
    assert saved(kept)["entries"] == entries
    assert saved(kept)["undone"] == [later[len(entries) :]]


def test_undoing_everything_begins_again(folk: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    first = folk("fight", "coinfolk:easy", "--seed", "3", "--save", str(kept), "--json").json
    again = folk("fight", "--resume", str(kept), "--undo", str(len(saved(kept)["entries"])), "--json").json
    assert again["outcome"] == first["outcome"]
    assert again["facts"] == first["facts"]  # the same rolls get the dice they had


def test_after_an_undo_at_the_dice_anyone_who_rolls_now_is_asked(
    folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "\n\nundo\nundo\n6\nquit\n")
    kept = str(tmp_path / "kept.json")
    ran = folk("fight", "renaissance:even", "--seat", "party=me", "--seed", "5", "--save", kept)
    asked = [line.partition(" rolls ")[0] for line in ran.out.splitlines() if " rolls d10" in line]
    assert asked[:5] == ["Hrask", "Ilse", "Veyra", "Ilse", "Hrask"]


def test_dice_that_fall_by_themselves_are_not_your_own_answers(
    folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "no\n1\nundo\nundo\nquit\n")
    kept = tmp_path / "kept.json"
    ran = folk(
        *("fight", "coinfolk:together", "--seat", "Ann=me", "--seed", "3", "--dice", "auto", "--save", str(kept))
    )
    assert [line for line in ran.out.splitlines() if line.startswith("Undone")] == [
        "Undone: back to before your answer 2.",
        "Undone: back to before your answer 1.",
    ]
    assert "no" not in saved(kept)["entries"]


def test_replay_compares_every_fact(folk: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    folk("fight", "coinfolk:even", "--seed", "3", "--save", str(kept))
    told = folk("fight", "--replay", str(kept), "--json").json
    assert told["same"] is True
    assert told["facts"] == saved(kept)["facts"]
    shorter = folk("fight", "--replay", str(kept), "--undo", "5", "--json").json
    assert len(shorter["facts"]) < len(told["facts"])
    assert shorter["outcome"] is None
    changed = saved(kept)
    struck = next(fact for fact in changed["facts"] if fact.get("event") == "Struck")
    struck["harm"] += 1
    kept.write_text(json.dumps(changed))
    ran = folk("fight", "--replay", str(kept))
    assert ran.status == 1
    assert "comes out differently" in ran.err


def test_an_option_is_taken_by_what_it_is_called(folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.json"
    typing(monkeypatch, "no\nstrike CAT\nwhy catch your breath\n")
    ran = folk("fight", "coinfolk:together", "--seat", "ann=me", "--seed", "7", "--dice", "auto", "--save", str(kept))
    assert "I do not know" not in ran.out
    assert "strike:cat" in json.loads(kept.read_text(encoding="utf-8"))["entries"]


def test_very_many_options_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    squares = [(f"{x},{y}", "") for x in range(10) for y in range(10)]
    console = Console(width=80, file=None, color_system=None, highlight=False)
    assert options(console, squares) == 3
    drawn = capsys.readouterr().out.splitlines()
    assert len(drawn) == 13  # eight beside each other
    assert drawn[0].startswith("  1  0,0    2  0,1")
    assert drawn[-1].endswith("100  9,9")
    assert max(map(len, drawn)) <= 80
    options(console, squares[:18])
    assert len(capsys.readouterr().out.splitlines()) == 18
    options(console, [(square, "1 quick action") for square, _ in squares])
    drawn = capsys.readouterr().out.splitlines()
    assert len(drawn) == 34  # three beside each other
    assert drawn[-1].strip() == "100  9,9 (1 quick action)"
    options(console, squares, all_below=True)
    assert len(capsys.readouterr().out.splitlines()) == 100


def test_fields_hidden_from_a_seat_are_not_shown(folk: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = tmp_path / "ambush.yaml"
    scenario.write_text(
        "title: Ambush\nsystem: coinfolk\nparticipants:\n"
        "  - {character: ann, side: folk}\n  - {character: cat, side: vermin}\n"
        "  - {character: rat, side: vermin, name: Lurker, id: lurker, hidden: true}\n"
    )
    kept = tmp_path / "kept.json"
    typing(monkeypatch, "look\nno\nlook\nwhy\n")
    ran = folk("fight", str(scenario), "--seat", "ann=me", "--seed", "5", "--dice", "auto", "--save", str(kept))
    assert ran.status == 0, ran.err
    assert "urker" not in ran.out
    assert "Cat" in ran.out
    assert "Cat  vermin, unhurt, breath" in ran.out  # neither health nor luck of another
    told = folk("fight", "--resume", str(kept), "--json").out
    assert "urker" not in told
    assert '"seed"' not in told


def test_a_file_with_something_else_in_it_is_not_replaced(folk: Runner, tmp_path: Path, ann: Path) -> None:
    before = ann.read_text()
    assert folk("fight", "coinfolk:even", "--save", str(ann)).status == 2
    assert ann.read_text() == before
    kept = tmp_path / "kept.json"
    assert folk("fight", "coinfolk:even", "--seed", "1", "--save", str(kept)).status == 0
    before = kept.read_text()
    assert "--resume" in folk("fight", "coinfolk:even", "--save", str(kept)).err
    assert kept.read_text() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_an_answer_is_worked_out_waits_for_it(number: signal.Signals) -> None:
    before = signal.getsignal(signal.SIGTERM)  # another one once a command has run in this process
    with sigint_handled():
        with Interrupts() as interrupts:
            signal.raise_signal(number)
            assert interrupts.heard  # and nothing was torn apart
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
        with Interrupts() as interrupts:
            interrupts.asking = True
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_ignored_interrupt_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
            assert not interrupts.heard
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_piped_answers_are_repeated_on_the_output(folk: Runner, tmp_path: Path) -> None:
    ran: Ran = folk.process(
        *("fight", "coinfolk:together", "--seat", "ann=me", "--seed", "3"),
        *("--dice", "auto", "--save", str(tmp_path / "kept.json")),
        typed="no\nstrike:rat\nyes\n",
        env={"PYTHONPATH": str(SIXTH), "NO_COLOR": "1"},
    )
    assert ran.status == 0, ran.err
    assert "> strike:rat\n" in ran.out
    assert "\x1b" not in ran.out


def test_a_trigger_is_typed_in_the_players_own_words(tw: Runner, tmp_path: Path) -> None:
    ran = tw.process(
        *("fight", "mars:fighter", "vs", "mars:goblin", "--seat", "aldith=me"),
        *("--dice", "typed", "--save", str(tmp_path / "kept.json")),
        typed="10 10\n1 1\nready\nthe bell rings\ndrop prone\nend\nwait\n",
        env={"NO_COLOR": "1", "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
    )
    assert ran.status == 0, ran.err
    assert "Or say it in your own words." in ran.out
    assert 'Aldith gets ready to drop prone for "the bell rings".' in ran.out
    assert 'Aldith waits for "the bell rings". Is this the moment?' in ran.out  # no person is the game master
