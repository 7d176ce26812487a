"""People and characters of one name are told apart in the log, as far as the reader may know of them."""

from __future__ import annotations

from table.playing import Group, group
from tablewright.table import Store


def texts(g: Group, seat: str) -> list[str]:
    """The log as a seat reads it."""
    return [str(line.get("text", "")) for line in g.table.lines(seat)]


def test_two_people_of_one_name(quick: Store) -> None:
    g = group(quick)
    assert texts(g, g.gm).count("Anna has a seat at the table") == 1
    second = g.table.invite(g.gm, name="Anna").seat
    assert second == "anna-2"
    g.act(g.anna, "note.write", text="I am the first")
    g.act(second, "note.write", text="I am the other")
    g.act(second, "throw", dice="1d1")
    g.act(g.gm, "seat.hand", who="bob", seat=second)
    g.act(g.gm, "seat.remove", seat=second)
    g.act(g.anna, "note.write", text="alone again")
    for seat in (g.gm, g.anna, g.watcher):
        told = texts(g, seat)
        assert "Anna (anna-2) has a seat at the table" in told
        assert "Anna (anna): I am the first" in told
        assert "Anna (anna-2): I am the other" in told
        assert "Bob is played by Anna (anna-2)" in told
        assert "Anna (anna-2) leaves the table" in told
        assert "Anna (anna): alone again" in told, "the log still has both"
        assert any(line.startswith("Anna (anna-2) rolls") for line in told)


def test_waiting_guests_are_told_apart_for_the_game_master_only(quick: Store) -> None:
    g = group(quick)
    _, entry = quick.exchange(g.table.invite(g.gm).token, name="Zoe")
    second = g.table.invite(g.gm, name="Zoe").seat
    assert texts(g, g.gm)[-1] == "Zoe (zoe) has a seat at the table"
    assert second == "zoe", "its id does not tell that another waits"
    g.act(second, "note.write", text="who is there?")
    assert texts(g, g.anna)[-1] == "Zoe: who is there?", "players do not know who waits"
    g.act(g.gm, "seat.approve", seat=entry.seat)
    assert texts(g, g.anna)[-1] == f"Zoe ({entry.seat}) takes part"


def test_two_characters_of_one_name(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "character.add", character="ann")
    assert texts(g, g.anna)[-1] == "Ann (ann-2) is part of the campaign"
    g.act(g.gm, "character.add", character="ann", seat=g.ben)
    assert texts(g, g.anna)[-2:] == ["Ann (ann-3) is played by Ben", "Ann (ann-3) is part of the campaign"]
    g.act(g.gm, "character.drop", who="ann-2")
    assert texts(g, g.anna)[-1] == "Ann (ann-2) is no longer part of the campaign"


def test_a_namesake_who_is_unknown_is_not_given_away(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "character.add", character="ann", known=False)
    who = g.state()["characters"][-1]["id"]
    assert texts(g, g.gm)[-1] == f"Ann ({who}) is part of the campaign"
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    assert texts(g, g.gm)[-1] == "Ann (ann) is played by Ben"
    assert texts(g, g.anna)[-1] == "Ann is played by Ben"


def test_a_player_is_not_called_like_a_character_of_the_same_id(quick: Store) -> None:
    g = group(quick)
    sam = g.table.invite(g.gm, name="Sam").seat
    assert sam is not None
    g.act(g.gm, "character.add", character="bob", id="sam", seat=sam)
    g.act(sam, "note.write", text="here I am")
    assert texts(g, g.gm)[-3:] == ["Bob (sam) is played by Sam", "Bob (sam) is part of the campaign", "Sam: here I am"]
