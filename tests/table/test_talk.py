"""Table talk: speech, whispers, emotes and chat commands, and that a whisper reaches its reader alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.playing import Group, group
from tablewright.errors import IllegalActionError, InvalidInputError, ProblemListError
from tablewright.table import ForbiddenError, NotFoundError, Store, export_seen


def last(g: Group, seat: str) -> str:
    """The last line of a seat's feed."""
    return str(g.table.lines(seat)[-1]["text"])


def everything(g: Group, seat: str) -> str:
    """All that a seat can read, as one text."""
    whole: list[Any] = [g.table.view(seat), g.table.lines(seat), list(export_seen(g.table, seat))]
    return json.dumps(whole)


def test_everybody_hears_what_is_said_aloud(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "say", text="Who goes there?")
    for seat in (g.gm, g.anna, g.ben, g.watcher):
        assert last(g, seat) == "Anna: Who goes there?"
    g.act(g.gm, "say", text="a friend")
    entry = g.table.view(g.ben)["entries"][-1]
    assert entry["kind"] == "talk"
    told = json.dumps(entry)
    assert "Gwen: a friend" in told
    assert "a friend." not in told, "people's words stay as they are"


def test_a_whisper_reaches_its_reader_its_sender_and_the_game_master(quick: Store) -> None:
    g = group(quick)
    before = [g.table.cursor(seat) for seat in (g.ben, g.watcher)]
    g.act(g.anna, "say", text="the password is vrumtak", to="gm")
    for seat in (g.anna, g.gm):
        assert last(g, seat) == "Anna whispers to Gwen: the password is vrumtak"
    g.act(g.gm, "say", text="vrumtak it is", to=g.anna)
    assert last(g, g.anna) == "Gwen whispers to Anna: vrumtak it is"
    for seat in (g.ben, g.watcher):
        assert "vrumtak" not in everything(g, seat)
    assert [g.table.cursor(seat) for seat in (g.ben, g.watcher)] == before, "not even a number is missing"
    g.act(g.anna, "say", text="and you know zolfrit", to=g.ben)
    assert last(g, g.ben) == last(g, g.anna) == "Anna whispers to Ben: and you know zolfrit"
    assert "zolfrit" not in everything(g, g.watcher)
    assert "zolfrit" in everything(g, g.gm)
    g.table.forget()
    assert "vrumtak" not in everything(g, g.ben)
    assert g.table.is_as_the_log_says()


def test_a_newcomer_reads_no_older_whisper(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "say", text="mind the sklorn", to=g.ben)
    _, entry = quick.exchange(g.table.invite(g.gm, name="Nell").token)
    assert "sklorn" not in everything(g, entry.seat)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/me bows", "Ann bows"),
        ("/emote waves a hat", "Ann waves a hat"),
        ("/w Ben follow me", "Anna whispers to Ben: follow me"),
        ("/whisper ben  now", "Anna whispers to Ben: now"),
        ("a/b is no command", "Anna: a/b is no command"),
        ("line one\nline two", "Anna: line one\nline two"),
    ],
)
def test_chat_commands(quick: Store, text: str, told: str) -> None:
    g = group(quick)
    g.act(g.anna, "say", text=text)
    assert last(g, g.anna) == told


def test_dice_are_rolled_in_talk(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "say", text="/roll 2d6+1")
    fact = g.table.lines(g.ben)[-1]["fact"]
    assert (fact["event"], fact["dice"], fact["by"]) == ("Thrown", "2d6+1", g.anna)
    assert fact["outcome"] == sum(fact["faces"]) + 1
    g.act(g.anna, "say", text="/r d4", to="gm")
    assert g.table.lines(g.ben)[-1]["fact"]["dice"] == "2d6+1"
    assert g.table.lines(g.gm)[-1]["fact"]["dice"] in ("d4", "1d4")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/rol 2d6", r"allowed are /roll, /me, /w.*/roll"),
        ("/roll", r"/roll 2d6\+1"),
        ("/roll 2dx", "2dx|x"),
        ("/w Zed hello", r"nobody at this table; there are: Gwen, Anna, Ben"),
        ("/w Bne hello", r"Ben"),
        ("/w Ben", "nothing to whisper"),
        ("/me", "/me nods"),
    ],
)
def test_a_wrong_chat_command_says_what_is_allowed(quick: Store, text: str, why: str) -> None:
    g = group(quick)
    before = g.table.cursor(g.gm)
    with pytest.raises(InvalidInputError, match=why):
        g.act(g.anna, "say", text=text)
    assert g.table.cursor(g.gm) == before


def test_a_seat_speaks_as_its_own_known_characters(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "say", text="I am Ann", who="ann")
    assert last(g, g.ben) == "Ann: I am Ann"
    with pytest.raises(NotFoundError, match="no character of yours"):
        g.act(g.anna, "say", text="I am Bob", who="bob")
    g.act(g.gm, "character.add", character="rat", id="npc-spy", known=False)
    with pytest.raises(IllegalActionError, match="hidden from players"):
        g.act(g.gm, "say", text="hush", who="npc-spy")
    with pytest.raises(NotFoundError, match="no character of yours"):
        g.act(g.anna, "say", text="hush", who="npc-spy")


def test_talk_that_goes_nowhere_is_refused(quick: Store) -> None:
    g = group(quick)
    with pytest.raises(ForbiddenError, match="only watch"):
        g.act(g.watcher, "say", text="hello")
    with pytest.raises(NotFoundError, match="no such seat"):
        g.act(g.anna, "say", text="hello", to="zed")
    with pytest.raises(IllegalActionError, match="spectators share one view"):
        g.act(g.anna, "say", text="hello", to=g.watcher)
    with pytest.raises(IllegalActionError, match="whisper to another seat"):
        g.act(g.anna, "say", text="hello", to=g.anna)
    with pytest.raises(InvalidInputError, match="not in a whisper"):
        g.act(g.anna, "say", text="/roll d6", to=g.ben)
    for text in ("", " \n ", "x" * 2_001, "bell\x07"):
        with pytest.raises(ProblemListError):
            g.act(g.anna, "say", text=text)


def test_undo_leaves_talk_alone(quick: Store) -> None:
    g = group(quick)
    g.begin()
    number = g.answered()
    g.act(g.anna, "say", text="well struck")
    preview = g.table.preview(g.gm, {"do": "undo", "line": number})
    g.act(g.gm, "undo", line=number, confirm=preview["confirm"])
    assert "well struck" in everything(g, g.ben)
