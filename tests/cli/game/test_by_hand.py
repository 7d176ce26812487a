"""By hand at a terminal: typed dice, Ctrl-C in the middle of a turn, resumed, undone, ended, replayed byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli.game.conftest import Terminal, Terminals

ROLL = "(faces, or throw): "
PROMPTS = (ROLL, "> ")
FOLK = ("Ann", "Bob")
_DICE = re.compile(r"(?P<who>\w+) rolls (?P<count>\d*)d2\S*: [^\n]*\(faces, or throw\): \Z")


def saved(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def answer(terminal: Terminal, shown: str) -> None:
    """Heads for my side, tails for the others; the first option of every question, which is to strike."""
    dice = _DICE.search(shown)
    if dice is None:
        terminal.type("1")
    else:
        terminal.type(" ".join([("2" if dice["who"] in FOLK else "1")] * int(dice["count"] or 1)))


def play_out(terminal: Terminal) -> tuple[int, str]:
    """Answer whatever is asked until the end."""
    for _ in range(400):
        shown = terminal.until(*PROMPTS, "kept in kept.json\n")
        if not shown.endswith(PROMPTS):
            return terminal.end()[0], shown
        answer(terminal, shown)
    raise AssertionError("it does not end")


def test_a_fight_by_hand(terminals: Terminals, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    terminal = terminals("fight", "coinfolk:together", "--seat", "folk=me", "--dice", "typed", "--save", "kept.json")
    shown = terminal.until(*PROMPTS)
    assert "Cat's turn" in shown  # the cat strikes first; its coins are typed in, one head and one tail
    assert "Cat rolls 2d2-2: strike: heads, against " in shown
    terminal.type("2 1")
    shown = terminal.until(*PROMPTS)
    assert [2, 1] in saved(kept)["entries"]  # what was typed is in the file before anything else is asked
    while "duck?" not in shown:
        answer(terminal, shown)
        shown = terminal.until(*PROMPTS)
    before = saved(kept)["entries"]
    terminal.interrupt()  # in the middle of the cat's turn, with a reaction open
    status, told = terminal.end()
    assert status == 130
    assert "saved to kept.json" in told
    assert "tablewright fight --resume kept.json" in told
    assert "Traceback" not in terminal.shown
    assert saved(kept)["entries"] == before

    terminal = terminals("fight", "--resume", "kept.json", "--dice", "typed")
    assert "duck?" in terminal.until(*PROMPTS)  # the very question at which it was left
    terminal.type("yes")
    terminal.until(*PROMPTS)
    assert saved(kept)["entries"][-1] == "yes"
    terminal.type("undo")
    shown = terminal.until(*PROMPTS)
    assert "undone" in shown
    assert "duck?" in shown
    assert saved(kept)["entries"] == before
    assert saved(kept)["undone"] == [["yes"]]
    terminal.type("no")
    status, told = play_out(terminal)
    assert status == 0
    assert "folk win" in told
    ended = saved(kept)
    assert ended["facts"][-1]["event"] == "SceneEnded"

    status, told = terminals("fight", "--replay", "kept.json").end()
    assert status == 0
    assert f"{len(ended['facts'])} lines" in told
    assert "the same as when they were played" in told
    assert "the end: folk win" in told
    assert saved(kept) == ended  # looking back changes nothing


def test_ctrl_c_without_a_file_names_one(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seat", "ann=me", "--dice", "auto")
    terminal.until("> ")
    terminal.interrupt()
    status, told = terminal.end()
    assert status == 130
    assert "tablewright fight --resume under-the-table.json" in told
    terminal = terminals("fight", "--resume", "under-the-table.json", "--dice", "auto")
    terminal.until("> ")
    terminal.type("quit")
    assert terminal.end()[0] == 0
    assert saved(tmp_path / "under-the-table.json")["tablewright"] == "session"


def test_what_a_person_can_ask_at_the_table(terminals: Terminals) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seat", "ann=me", "--seed", "3", "--dice", "auto")
    shown = terminal.until("> ")
    while "what now?" not in shown:
        terminal.type("no")
        shown = terminal.until("> ")
    assert "Strike Rat" in shown
    for typed, told in [
        ("?", "the exact odds of an option"),
        ("all", "4  Catch your breath"),
        ("odds 1", "coinfolk.strike"),
        ("odds 99", "1 to 4"),
        ("odds wait", "nothing is rolled"),
        ("why 1", "Toss grit coins"),
        ("why", "coinfolk.strike"),
        ("look", "health"),
        ("odds", "harm"),
        ("advise", "value of the scene after it"),
        ("undo 99", "undo"),
        ("zzz", "no answer"),
        ("99", "1 to 4"),
        ("strike", "could be 1 Strike Rat, 2 Strike Cat"),
        ("s", "no answer"),
    ]:
        terminal.type(typed)
        assert told in terminal.until("> "), typed
    terminal.type("strike:rat")
    shown = terminal.until("> ")
    for _ in range(20):
        if "Ann: flip the tails?\n" in shown or "Ann: duck?\n" in shown:
            break
        terminal.type("1")
        shown = terminal.until("> ")
    assert "so far: " in shown
    terminal.type("save here.json")
    assert "saved to here.json" in terminal.until("> ")
    terminal.interrupt()
    assert terminal.end()[0] == 130


def test_a_face_that_is_missing_is_asked_for(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seat", "folk=me", "--dice", "typed", "--save", "kept.json")
    asked = terminal.until(*PROMPTS).splitlines()[-1]
    assert asked.startswith("Cat rolls 2d2-2: strike: heads, against ")
    terminal.type("")  # Enter throws nothing where real dice lie on the table
    shown = terminal.until(*PROMPTS)
    assert "throw lets the program throw them" in shown
    assert shown.endswith(asked)
    terminal.type("2")
    assert terminal.until("): ").endswith("  2, and then a d2 (Enter begins anew): ")
    terminal.type("")
    assert terminal.until(ROLL).endswith(asked)
    terminal.type("2")
    terminal.until("): ")
    terminal.type("9")
    assert "face 2 is 9, but a d2 shows 1 to 2" in terminal.until("): ")
    terminal.type("2")
    terminal.until("): ")
    terminal.type("1")
    terminal.until(*PROMPTS)
    assert [2, 1] in saved(tmp_path / "kept.json")["entries"]
    terminal.interrupt()
    terminal.end()


def test_advice_inside_a_rule(terminals: Terminals) -> None:
    terminal = terminals(
        "fight", "coinfolk:together", "--seat", "ann=me", "--option", "ducking=never", "--dice", "typed"
    )
    shown = terminal.until(*PROMPTS)
    while "Ann: flip the tails?\n" not in shown:
        if "Ann rolls" in shown:
            terminal.type("1 1 1")
        else:
            answer(terminal, shown)
        shown = terminal.until(*PROMPTS)
    terminal.type("advise")
    shown = terminal.until(*PROMPTS)
    assert "harm" in shown
    assert "yes  2.375  19/8" in shown  # three coins: the heads of all of them, and the knife's edge unless none
    assert "no  0" in shown
    terminal.interrupt()
    terminal.end()


def test_a_character_by_hand_with_a_step_back(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("new", "coinfolk", "-o", "ada.yaml")
    terminal.until("]: ")
    terminal.type("Ada")
    assert "points: 4 of 6 left" in terminal.until("> ")
    terminal.type("grit")
    assert "grit 2; wit 1" in terminal.until("> ")
    terminal.type("b")
    assert "grit 1; wit 1" in terminal.until("> ")
    for typed in ("2", "2", "2"):
        terminal.type(typed)
        shown = terminal.until("> ")
    terminal.type("2")
    shown = terminal.until("> ")
    assert "Gear" in shown
    terminal.type("b")
    assert "wit 4" in terminal.until("> ")
    terminal.type("wit")
    terminal.until("> ")
    terminal.type("?")
    assert "Three pennies" in terminal.until("> ")
    terminal.type("knife")
    status, told = terminal.end()
    assert status == 0
    assert "within the rules, written to ada.yaml" in told
    assert "wit: 5" in (tmp_path / "ada.yaml").read_text(encoding="utf-8")


def test_a_closed_option_says_why_and_a_person_may_give_up(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("new", "coinfolk", "--name", "Ada", "-o", "ada.yaml")
    for _ in range(4):
        terminal.until("> ")
        terminal.type("wit")
    terminal.until("> ")
    terminal.type("b")
    terminal.until("> ")
    terminal.type("q")
    status, told = terminal.end()
    assert status == 130
    assert "nothing is written" in told
    assert not (tmp_path / "ada.yaml").exists()


def test_narrow_terminals(terminals: Terminals) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seed", "3", columns=40)
    status, told = terminal.end()
    assert status == 0
    assert max(map(len, told.splitlines())) <= 40
