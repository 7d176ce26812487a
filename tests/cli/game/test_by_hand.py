"""By hand at a terminal: typed dice, Ctrl-C in the middle of a turn, resumed, undone, ended, replayed byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli.game.conftest import Terminal, Terminals

ROLL = "(type the dice, or roll): "
PROMPTS = (ROLL, "> ")
FOLK = ("Ann", "Bob")
_DICE = re.compile(r"(?P<who>\w+) rolls (?P<count>\d*)d2[^\n]*\(type the dice, or roll\): \Z")


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
        shown = terminal.until(*PROMPTS, "Saved in kept.json.\n")
        if not shown.endswith(PROMPTS):
            return terminal.end()[0], shown
        answer(terminal, shown)
    raise AssertionError("it does not end")


def test_a_fight_by_hand(terminals: Terminals, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    terminal = terminals("fight", "coinfolk:together", "--seat", "folk=me", "--dice", "typed", "--save", "kept.json")
    shown = terminal.until(*PROMPTS)
    assert "\nCat\n" in shown  # the cat strikes first; its coins are typed in, one head and one tail
    assert "Cat rolls 2d2-2" in shown
    terminal.type("2 1")
    shown = terminal.until(*PROMPTS)
    assert [2, 1] in saved(kept)["entries"]  # what was typed is in the file before anything else is asked
    while "Duck?" not in shown:
        answer(terminal, shown)
        shown = terminal.until(*PROMPTS)
    before = saved(kept)["entries"]
    terminal.interrupt()  # in the middle of the cat's turn, with a reaction open
    status, told = terminal.end()
    assert status == 130
    assert "Saved in round 1" in told
    assert "tablewright fight --resume kept.json" in told
    assert "Traceback" not in terminal.shown
    assert saved(kept)["entries"] == before

    terminal = terminals("fight", "--resume", "kept.json", "--dice", "typed")
    assert "Duck?" in terminal.until(*PROMPTS)  # the very question at which it was left
    terminal.type("yes")
    terminal.until(*PROMPTS)
    assert saved(kept)["entries"][-1] == "yes"
    terminal.type("undo")
    shown = terminal.until(*PROMPTS)
    assert "Undone" in shown
    assert "Duck?" in shown
    assert saved(kept)["entries"] == before
    assert saved(kept)["undone"] == [["yes"]]
    terminal.type("no")
    status, told = play_out(terminal)
    assert status == 0
    assert "The folk wins." in told
    ended = saved(kept)
    assert ended["facts"][-1]["event"] == "SceneEnded"

    status, told = terminals("fight", "--replay", "kept.json").end()
    assert status == 0
    assert f"{len(ended['facts'])} lines" in told
    assert "the same as when they were played" in told
    assert "The folk wins." in told
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


def test_questions_a_person_can_ask_at_the_table(terminals: Terminals) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seat", "ann=me", "--seed", "3", "--dice", "auto")
    shown = terminal.until("> ")
    while "What does Ann do?" not in shown:
        terminal.type("no")
        shown = terminal.until("> ")
    assert "Strike Rat" in shown
    for typed, told in [
        ("?", "the exact odds of an option"),
        ("all", "4  Catch your breath"),
        ("odds 99", "1 to 4"),
        ("odds wait", "nothing is rolled"),
        ("why 1", "Toss grit coins"),
        ("why", "Cat strikes"),
        ("look", "health"),
        ("odds", "harm"),
        ("advise", "Best for Ann"),
        ("undo 99", "undo"),
        ("zzz", 'I do not know "zzz"'),
        ("99", "1 to 4"),
        ("strike", "could be 1 Strike Rat, 2 Strike Cat"),
        ("s", "I do not know"),
    ]:
        terminal.type(typed)
        assert told in terminal.until("> "), typed
    terminal.type("strike:rat")
    shown = terminal.until("> ")
    for _ in range(20):
        if "Ann: Flip the tails?" in shown or "Ann: Duck?" in shown:
            break
        terminal.type("1")
        shown = terminal.until("> ")
    terminal.type("save here.json")
    assert "Saved to here.json" in terminal.until("> ")
    terminal.interrupt()
    assert terminal.end()[0] == 130


def test_a_face_that_is_missing_is_asked_for(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seat", "folk=me", "--dice", "typed", "--save", "kept.json")
    asked = terminal.until(*PROMPTS).splitlines()[-1]
    assert asked.startswith("Cat rolls 2d2-2")
    terminal.type("")  # Enter rolls nothing where real dice lie on the table
    shown = terminal.until(*PROMPTS)
    assert "or roll, and the program rolls them" in shown
    assert shown.endswith(asked)
    terminal.type("2")
    assert terminal.until("): ").endswith("  2, and then a d2 (Enter starts over): ")
    terminal.type("")
    assert terminal.until(ROLL).endswith(asked)
    terminal.type("2")
    terminal.until("): ")
    terminal.type("9")
    assert "Face 2 is 9, but a d2 shows 1 to 2." in terminal.until("): ")
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
    while "Ann: Flip the tails?" not in shown:
        if "Ann rolls" in shown:
            terminal.type("1 1 1")
        else:
            answer(terminal, shown)
        shown = terminal.until(*PROMPTS)
    terminal.type("advise")
    shown = terminal.until(*PROMPTS)
    assert "Best for Ann: yes" in shown
    assert "2.4 harm" in shown  # three coins: the heads of all of them, and the knife's edge unless none
    assert "0 harm" in shown
    terminal.interrupt()
    terminal.end()


def test_a_character_by_hand_with_a_step_back(terminals: Terminals, tmp_path: Path) -> None:
    terminal = terminals("new", "coinfolk", "-o", "ada.yaml")
    terminal.until("later) ")
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
    assert "Ready to play. Written to ada.yaml." in told
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
    assert "nothing was saved" in told
    assert not (tmp_path / "ada.yaml").exists()


def test_narrow_terminals(terminals: Terminals) -> None:
    terminal = terminals("fight", "coinfolk:together", "--seed", "3", columns=40)
    status, told = terminal.end()
    assert status == 0
    assert max(map(len, told.splitlines())) <= 40
