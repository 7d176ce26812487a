"""Notes are read by pages: many notes of one player do not make every view of everyone large."""

from __future__ import annotations

import json

import pytest

from table.playing import group
from tablewright.errors import IllegalActionError
from tablewright.table import NotFoundError, Store, campaign, view
from tablewright.table.handlers import notes


def test_a_view_has_the_last_notes_and_older_ones_come_by_pages(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MOST_NOTES_SEEN", 4)
    g = group(quick)
    for number in range(10):
        g.act(g.anna, "note.write", text=f"note {number}")
    g.act(g.anna, "note.write", text="mine", to="self")
    for seat, expected in ((g.ben, [*range(10)]), (g.anna, [*range(10), "mine"])):
        names = [f"note {one}" if one != "mine" else "mine" for one in expected]
        seen = g.table.view(seat)
        assert [one["text"] for one in seen["notes"]] == names[-4:]
        assert seen["older_notes"] == len(names) - 4, "what others may not read is not counted"
        found = seen["notes"]
        left = seen["older_notes"]
        while left:
            page = g.table.notes(seat, found[0]["id"], most=3)
            assert 0 < len(page["notes"]) <= 3
            found, left = page["notes"] + found, page["older_notes"]
        assert [one["text"] for one in found] == names
    with pytest.raises(NotFoundError, match='no note "nowhere"'):
        g.table.notes(g.anna, "nowhere")
    hidden = g.table.view(g.anna)["notes"][-1]["id"]
    with pytest.raises(NotFoundError):
        g.table.notes(g.ben, hidden)


def test_long_notes_are_few_at_once(quick: Store) -> None:
    g = group(quick)
    for _ in range(30):
        g.act(g.anna, "note.write", text="x" * 10_000)
    seen = g.table.view(g.ben, 10**9)
    assert len(json.dumps(seen)) < 100_000
    assert len(seen["notes"]) + seen["older_notes"] == 30
    assert len(g.table.notes(g.ben, seen["notes"][0]["id"])["notes"]) == len(seen["notes"])


def test_one_player_leaves_room_for_the_notes_of_others(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert campaign.MOST_NOTES_OF_PLAYER * 2 <= campaign.MOST_NOTES
    monkeypatch.setattr(notes, "MOST_NOTES_OF_PLAYER", 2)
    g = group(quick)
    g.act(g.anna, "note.write", text="one")
    g.act(g.anna, "note.write", text="two")
    with pytest.raises(IllegalActionError, match="at most 2 notes"):
        g.act(g.anna, "note.write", text="three")
    g.act(g.anna, "note.write", text="other", id=g.table.view(g.anna)["notes"][0]["id"])
    g.act(g.ben, "note.write", text="three")
    for _ in range(3):
        g.act(g.gm, "note.write", text="the game master has more to remember")


def test_a_view_of_long_lines_comes_in_pages(quick: Store) -> None:
    """A page with hundreds of long notes would be larger than everything else that is sent."""
    g = group(quick)
    for number in range(60):
        g.act(g.anna, "note.write", text=f"{number:03}" + "x" * 9_000)
    seen: list[int] = []
    after, last = 0, g.table.cursor(g.ben)
    while after < last:
        page = g.table.view(g.ben, after)
        assert len(json.dumps(page["lines"])) < 300_000
        seen += [line["number"] for line in page["lines"]]
        after = page["cursor"]
    assert seen == list(range(1, last + 1))
