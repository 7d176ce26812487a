"""Damage is found, named and closed off, and a copy brings back what was lost."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from golden.runner import run_here
from patience import LIMIT
from table.playing import SYSTEM, Group, group
from tablewright.errors import InvalidInputError
from tablewright.table import (
    NotFoundError,
    Store,
    StoreDamagedError,
    StoreError,
    export_campaign,
    import_campaign,
    open_store,
)
from tablewright.table.database import queries, snapshot_queries, verification
from tablewright.table.database.verification import LogDamage


def played(store: Store) -> Group:
    """A campaign with a fight, and another one beside it."""
    g = group(store)
    g.begin()
    for _ in range(4):
        g.answer()
    store.make_campaign("Another", SYSTEM, game_master="Gwen", id="another")
    return g


def say(store: Store, statement: str, **given: Any) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(statement), given)


def alter(store: Store, campaign: str, seq: int) -> None:
    """A letter of a text is another one."""
    say(
        store,
        "UPDATE lines SET bodies = replace(bodies, 'Ann', 'Amn'), data = replace(data, 'Ann', 'Amn') "
        "WHERE campaign = :campaign AND seq = :seq",
        campaign=campaign,
        seq=seq,
    )


def remove(store: Store, campaign: str, seq: int) -> None:
    say(store, "DELETE FROM lines WHERE campaign = :campaign AND seq = :seq", campaign=campaign, seq=seq)


def remove_after(store: Store, campaign: str, seq: int) -> None:
    """The end of a log is gone, as it was in an older copy; the campaign says how many lines there were."""
    for table in ("lines", "feed"):
        say(store, f"DELETE FROM {table} WHERE campaign = :campaign AND seq >= :seq", campaign=campaign, seq=seq)


def cut(store: Store, campaign: str, seq: int) -> None:
    """The end of a log is gone, and the campaign says so many lines fewer."""
    remove_after(store, campaign, seq)
    say(store, "UPDATE campaigns SET last = :last WHERE id = :campaign", campaign=campaign, last=seq - 1)


def swap(store: Store, campaign: str, seq: int) -> None:
    for low, high in ((seq, -1), (seq + 1, seq), (-1, seq + 1)):
        move = "UPDATE lines SET seq = :high WHERE campaign = :campaign AND seq = :low"
        say(store, move, campaign=campaign, low=low, high=high)


def retell(store: Store, campaign: str, seq: int) -> None:
    """A secret is told to another viewer."""
    change = "UPDATE feed SET viewer = 'x' WHERE campaign = :campaign AND seq = :seq AND viewer = 'anna'"
    say(store, change, campaign=campaign, seq=seq)


Spoil = Callable[[Store, str, int], None]
SPOILS: dict[str, tuple[Spoil, str, bool]] = {
    "an altered line": (alter, "not as it was written", False),
    "a line is gone": (remove, "missing", True),
    "the end is gone": (remove_after, "missing", True),
    "the end is gone and not counted": (cut, "not the last", True),
    "two lines have changed places": (swap, "not as it was written", False),
    "what is told is altered": (retell, "not as it was written", False),
}
"""Ways to spoil a log, with the words that name each, and True if it is found as soon as the campaign is opened."""


def added(g: Group) -> int:
    """The line with which Ann came."""
    with queries.reading(g.store.engine) as connection:
        found = queries.rows_between(connection, g.table.id, 1, 10**9)
    return next(row.line.seq for row in found if row.line.event.kind == "CharacterAdded")


@pytest.mark.parametrize("name", SPOILS)
def test_damage_is_found_closed_off_and_undone(store: Store, tmp_path: Path, name: str) -> None:
    spoil, what, is_found_at_once = SPOILS[name]
    g = played(store)
    seq, views = added(g), {seat: g.table.view(seat) for seat in g.cookies}
    assert store.verify().is_whole
    store.backup(tmp_path / "copy.db")
    spoil(store, g.table.id, seq)
    g.table.forget()
    if is_found_at_once:
        with pytest.raises(StoreDamagedError, match="damaged"):
            g.table.view(g.gm)
    report = store.verify()
    found = {one.info.id: one.damage for one in report.campaigns}
    damage = found[g.table.id]
    assert damage is not None
    expected = seq - 1 if spoil is cut else seq
    assert (damage.line, what in damage.what) == (expected, True), damage
    assert damage.since == views[g.gm]["lines"][0]["at"][:10] + damage.since[10:] if damage.since else False
    assert found["another"] is None
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="verify"):
            g.table.act(g.gm, {"do": "note.write", "text": "too late"})
        g.table.forget()
    with pytest.raises(StoreDamagedError):
        "".join(export_campaign(store, g.table.id))
    store.table("another").act("gwen", {"do": "note.write", "text": "we go on"})
    assert {one.id: one.closed is None for one in store.campaigns()} == {g.table.id: False, "another": True}
    assert [one.id for one in store.restore(tmp_path / "copy.db", "The pantry")] == [g.table.id]
    assert store.verify().is_whole
    table = store.table(g.table.id)
    for seat, cookie in g.cookies.items():
        assert store.enter(cookie) == (table, seat)
        assert table.view(seat) == views[seat]
    table.act(g.gm, {"do": "note.write", "text": "and so do we"})
    assert table.is_as_the_log_says()
    assert [note["text"] for note in store.table("another").view("gwen")["notes"]] == ["we go on"]


def test_a_campaign_that_is_whole_again_is_opened_again(store: Store) -> None:
    g = played(store)
    say(store, "UPDATE campaigns SET closed = 'line 3: something' WHERE id = :id", id=g.table.id)
    with pytest.raises(StoreDamagedError):
        g.answer()
    assert store.verify().is_whole
    g.answer()


def test_a_campaign_that_grows_meanwhile_is_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are written between two steps of a check are no damage."""
    g = played(store)
    monkeypatch.setattr(verification, "AT_ONCE", 5)
    heard: list[tuple[int, int]] = []

    def write(done: int, total: int) -> None:
        heard.append((done, total))
        if len(heard) < 4:
            g.act(g.anna, "note.write", text="meanwhile")

    assert store.verify(write).is_whole
    assert heard == sorted(heard)
    assert heard[-1][0] == heard[-1][1]


def test_links_that_were_made_void_stay_void_when_a_campaign_comes_back(store: Store, tmp_path: Path) -> None:
    g = played(store)
    store.backup(tmp_path / "copy.db")
    g.table.revoke(g.gm, g.ben)
    later = g.table.renew(g.gm, g.anna).token
    zoe, _ = store.exchange(g.table.invite(g.gm, name="Zoe").token)
    store.restore(tmp_path / "copy.db", g.table.id)
    for cookie in (g.cookies[g.ben], g.cookies[g.anna], zoe):
        with pytest.raises(NotFoundError):
            store.enter(cookie)
    assert store.exchange(later)[1].seat == g.anna
    assert store.enter(g.cookies[g.gm]).seat == g.gm


def test_other_servers_read_a_campaign_again_that_was_restored(where: str, tmp_path: Path) -> None:
    if not where.startswith("postgresql"):
        pytest.skip("a database file has one server")
    with open_store(where, serve=True) as one, open_store(where, serve=True) as two:
        g = played(one)
        other, before = two.table(g.table.id), g.table.view(g.anna)
        one.backup(tmp_path / "copy.db")
        for number in range(5):
            g.act(g.anna, "note.write", text=f"{number}")
        assert other.view(g.anna)["last"] == before["last"] + 5
        heard = threading.Event()
        two.subscribe(g.table.id, lambda _, last: heard.set() if last == 0 else None)
        one.restore(tmp_path / "copy.db", g.table.id)
        assert heard.wait(LIMIT)
        assert other.view(g.anna) == before
        other.act(g.anna, {"do": "note.write", "text": "once more"})
        assert one.table(g.table.id).view(g.anna) == other.view(g.anna)
        assert one.verify().is_whole


def test_a_campaign_that_is_not_in_the_copy_is_refused(quick: Store, tmp_path: Path) -> None:
    g = played(quick)
    quick.backup(tmp_path / "copy.db")
    with pytest.raises(InvalidInputError, match="The pantry"):
        quick.restore(tmp_path / "copy.db", "The pantri")
    with open_store(tmp_path / "copy.db") as copy:
        alter(copy, g.table.id, added(g))
    with pytest.raises(StoreError, match="is damaged"):
        quick.restore(tmp_path / "copy.db", g.table.id)
    assert g.table.is_as_the_log_says()


def test_a_damaged_snapshot_is_not_used(store: Store) -> None:
    g = played(store)
    view = g.table.view(g.anna)
    with queries.writing(store.engine) as connection:
        sitting = g.table._sitting
        assert sitting is not None
        snapshot_queries.add_snapshot(
            connection, g.table.id, sitting.campaign.last, sitting.campaign.head, b'{"id": "nonsense"}'
        )
    say(store, "UPDATE snapshots SET data = '{}'")
    g.table.forget()
    assert g.table.view(g.anna) == view
    assert ["snapshot" in problem for problem in store.verify().problems] == [True]


# ---------------------------------------------------------------------- noise over a page of a file


def with_notes(where: Path) -> tuple[str, dict[str, Any]]:
    """A database with two campaigns that take many pages each; gives the first, and what is seen of the other."""
    with open_store(where) as store:
        g = group(store)
        other = store.make_campaign("Another", SYSTEM, game_master="Gwen", id="another").table
        for table, mark in ((g.table, "aaaa"), (other, "bbbb")):
            for number in range(30):
                table.act("gwen", {"do": "note.write", "text": f"{mark} {number} " * 40})
        return g.table.id, other.view("gwen")


def page_of(path: Path, word: bytes, size: int = 4096) -> int:
    """A page in the middle of those that hold a word."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    pages = [at for at in range(0, len(content), size) if content[at : at + size].count(word) > 20]
    return pages[len(pages) // 2]


@pytest.mark.parametrize("where_in_page", ["all of it", "a few bytes"])
def test_noise_over_a_page_closes_one_campaign_and_others_go_on(tmp_path: Path, where_in_page: str) -> None:
    path = tmp_path / "tables.db"
    campaign, seen = with_notes(path)
    with open_store(path) as store:
        store.backup(tmp_path / "copy.db")
    start = page_of(path, b"aaaa")
    content = bytearray(path.read_bytes())
    noise = range(4096) if where_in_page == "all of it" else range(2000, 2010)
    for at in noise:
        content[start + at] ^= 0x5A
    path.write_bytes(bytes(content))
    with open_store(path, serve=True) as store:
        if where_in_page == "all of it":
            assert store.report is not None
            assert store.report.problems
        report = store.verify()
        found = {one.info.id: one.damage for one in report.campaigns}
        assert isinstance(found[campaign], LogDamage)
        assert found["another"] is None
        with pytest.raises(StoreDamagedError):
            store.table(campaign).view("gwen")
        other = store.table("another")
        assert other.view("gwen") == seen
        other.act("gwen", {"do": "note.write", "text": "we go on"})
    status, said, error = run_here(
        ["restore", str(tmp_path / "copy.db"), "--campaign", campaign, "--db", str(path)], ""
    )
    assert status == 0, said + error
    with open_store(path) as store:
        assert store.verify().is_whole
        assert len(store.table(campaign).view("gwen")["notes"]) == 30
        assert len(store.table("another").view("gwen")["notes"]) == 31


def test_a_damaged_campaign_that_no_copy_has_stays_in_the_list(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    campaign, _ = with_notes(path)
    with open_store(path) as store:
        store.backup(tmp_path / "copy.db")
        late = store.make_campaign("Late", SYSTEM, game_master="Gwen", id="late").table
        for number in range(30):
            late.act("gwen", {"do": "note.write", "text": f"cccc {number} " * 40})
    for word in (b"aaaa", b"cccc"):
        start = page_of(path, word)
        content = bytearray(path.read_bytes())
        content[start : start + 4096] = bytes([one ^ 0x5A for one in content[start : start + 4096]])
        path.write_bytes(bytes(content))
    with open_store(path, serve=True) as store:
        assert [one.id for one in store.restore(tmp_path / "copy.db", campaign)] == [campaign]
        assert store.damaged_at is not None
        assert store.damaged_at.stat().st_mode & 0o777 == 0o600
        assert {one.title: one.closed is None for one in store.campaigns()} == {
            "The pantry": True,
            "Another": True,
            "Late": False,
        }
        assert len(store.table(campaign).view("gwen")["notes"]) == 30
        with pytest.raises(StoreDamagedError):
            store.table("late").view("gwen")


def test_a_database_that_cannot_be_read_at_all_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with_notes(path)
    page_of(path, b"aaaa")
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\x5a" * 3996
    path.write_bytes(bytes(content))
    with pytest.raises(StoreError):
        open_store(path, serve=True)


# ---------------------------------------------------------------------- by command


def test_by_command(where: str) -> None:
    with open_store(where, serve=True) as store:
        g = played(store)
        status, said, _ = run_here(["verify", where], "")
        assert (status, "as it was written" in said) == (0, True)
        seq = added(g)
        alter(store, g.table.id, seq)
        status, said, _ = run_here(["verify", where, "--json"], "")
        told = json.loads(said)
        assert (status, told["whole"]) == (1, False)
        damaged = {one["title"]: one["damage"] for one in told["campaigns"]}
        assert damaged["Another"] is None
        assert damaged["The pantry"]["line"] == seq
        assert damaged["The pantry"]["since"]
        status, said, _ = run_here(["verify", "--db", where], "")
        assert (status, f'"The pantry" is damaged at line {seq}, since ' in said) == (1, True)
        with pytest.raises(StoreDamagedError):
            g.answer()


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    status, _, error = run_here(["verify", str(tmp_path / "nothing.db")], "")
    assert (status, "there is no file" in error) == (2, True)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("spoil", ["altered", "gone", "cut", "no hash"])
def test_a_campaign_file_carries_its_chain(quick: Store, spoil: str) -> None:
    g = played(quick)
    lines = [json.loads(line) for line in export_campaign(quick, g.table.id)]
    if spoil == "altered":
        lines[added(g)]["bodies"][0]["text"] = "Amn is part of the campaign"
    elif spoil == "gone":
        del lines[-1]["hash"]
    elif spoil == "cut":
        lines.pop()
    else:
        lines[3].pop("hash")
    with pytest.raises(InvalidInputError, match="incomplete" if spoil == "cut" else "was altered"):
        import_campaign(quick, "".join([json.dumps(line) + "\n" for line in lines]))
    assert len(quick.campaigns()) == 2


def test_the_files_of_a_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with open_store(path, serve=True) as store:
        group(store)
        found = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir() if ".lock" not in one.name}
        assert found == dict.fromkeys(["tables.db", "tables.db-wal", "tables.db-shm"], 0o600)
        store.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
