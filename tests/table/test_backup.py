"""A copy of the whole database while it is in use, and everything back from it, in every direction."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from golden.runner import run_here
from patience import LIMIT
from table.playing import SYSTEM, Group, group
from table.postgres import Databases
from table.test_store import steps
from tablewright.table import Store, StoreError, TokenRequest, open_store
from tablewright.table.database import backup
from tablewright.table.database import connection as opening
from tablewright.table.database.connection import engine_of, migrate
from tablewright.table.database.location import Lock, address_of
from tablewright.table.database.schema import metadata


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted([tuple(row) for row in connection.execute(select(table))], key=repr)
            for table in metadata.sorted_tables
        }


def played(store: Store) -> Group:
    """A campaign with an open question, something undone, something hidden, and a second one beside it."""
    store.make_campaign("Another", SYSTEM)
    g = group(store)
    g.act(g.gm, "note.write", text="the cat is the queen", to="self", key="note")
    g.begin()
    g.until(g.anna)
    number = g.answered()
    g.answer()
    g.undo(number)
    return g


def test_everything_comes_back_in_a_new_database(where: str, elsewhere: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with open_store(where, serve=True) as store:
        g = played(store)
        link = g.table.invite(g.gm, name="Zoe", asked=TokenRequest(g.cookies[g.gm], "zoe", "invite")).token
        store.backup(copy)
        g.act(g.gm, "note.write", text="after the copy")
        views = {seat: g.table.view(seat) for seat in g.cookies}
    assert copy.stat().st_mode & 0o077 == 0, "there are secrets in it"
    with open_store(elsewhere, serve=True) as store:
        assert [one.title for one in store.restore(copy)] == [one.title for one in store.campaigns()]
        kept = everything(store)
        assert {one.title for one in store.campaigns()} == {"Another", "The pantry"}
        table = store.table(g.table.id)
        for seat, cookie in g.cookies.items():
            assert store.enter(cookie) == (table, seat), "everybody comes back to their seat"
            seen = table.view(seat)
            assert seen["lines"] == views[seat]["lines"][: len(seen["lines"])]
            assert len(seen["lines"]) == len(views[seat]["lines"]) - 1
            assert seen["question"] == views[seat]["question"], "in the middle of a turn"
        assert "redone" in [line["kind"] for line in redone(table, g)], "what was undone can come back"
        assert table.is_as_the_log_says()
        assert store.exchange(link)[1].seat == "zoe"
        again = table.act(g.gm, {"do": "note.write", "text": "the cat is the queen", "to": "self"}, key="note")
        assert "the cat is the queen" in str(again), "keys hold too"
        assert [note["text"] for note in table.view(g.gm)["notes"]].count("the cat is the queen") == 1
    with open_store(copy) as served:  # the copy is a database itself
        assert everything(served) == kept


def redone(table: Any, g: Group) -> list[dict[str, Any]]:
    """The game master's view after redo."""
    seen = table.preview(g.gm, {"do": "redo"})
    told: list[dict[str, Any]] = table.act(g.gm, {"do": "redo", "confirm": seen["confirm"]})["lines"]
    return told


def test_a_copy_is_whole_while_play_goes_on(where: str, tmp_path: Path) -> None:
    """A backup during writes holds whole lines and whole campaigns."""
    with open_store(where, serve=True) as store:
        g = group(store)
        over, problems = threading.Event(), []
        g.act(g.anna, "note.write", text="mine", to="self")
        (note,) = g.state(g.anna)["notes"]

        def write() -> None:
            number = 0
            try:
                while not over.is_set():  # one note again and again: on a busy machine a player would run out of them
                    g.act(g.anna, "note.write", text=f"{number}" * 50, id=note["id"])
                    number += 1
            except Exception as problem:
                problems.append(problem)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for number in range(3):
                with open_store(where) as host:  # as the command does, beside the server
                    host.backup(tmp_path / f"copy-{number}.db")
        finally:
            over.set()
            thread.join()
        assert problems == []
        lengths = []
        for number in range(3):
            with open_store(tmp_path / f"copy-{number}.db") as copy:
                table = copy.table(g.table.id)
                assert table.is_as_the_log_says()
                lengths.append(table.cursor(g.anna))
        assert lengths == sorted(lengths)
        assert lengths[-1] <= g.table.cursor(g.anna)
        with pytest.raises(StoreError, match="already"):
            store.backup(tmp_path / "copy-0.db")
        with pytest.raises(StoreError, match="cannot be written"):
            store.backup(tmp_path / "no" / "such" / "folder.db")
    assert [path.name for path in tmp_path.iterdir() if "half" in path.name] == []


def test_only_a_new_database_takes_a_copy(where: str, tmp_path: Path) -> None:
    with open_store(where, serve=True) as store:
        g = group(store)
        store.backup(tmp_path / "copy.db")
        before = everything(store)
        with pytest.raises(StoreError, match="1 campaigns in it already"):
            store.restore(tmp_path / "copy.db")
        assert everything(store) == before
        assert g.table.is_as_the_log_says()


def test_an_incomplete_copy_leaves_nothing(elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "copy.db"
    with open_store(tmp_path / "tables.db") as store:
        played(store)
        store.backup(copy)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE recipes (id INTEGER)")
    (tmp_path / "diary.txt").write_text("dear diary, " * 500)
    (tmp_path / "torn.db").write_bytes(copy.read_bytes()[: copy.stat().st_size // 2 // 4096 * 4096])
    with sqlite3.connect(tmp_path / "short.db") as short:
        sqlite3.connect(copy).backup(short)
        short.execute("DELETE FROM lines WHERE seq = 3")
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        sqlite3.connect(copy).backup(newer)
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    wrong = {"other.db": "not a copy", "diary.txt": "not a database"}
    wrong |= {"short.db": "is damaged", "newer.db": "newer version"}
    with open_store(elsewhere, serve=True) as store:
        before = everything(store)
        for name, why in {**wrong, "nothing.db": "no file"}.items():
            with pytest.raises(StoreError, match=why):
                store.restore(tmp_path / name)
        with pytest.raises(StoreError):
            store.restore(tmp_path / "torn.db")

        def broken(*_: Any) -> None:
            carry_over(*_)
            raise StoreError("at the very end")

        carry_over = backup.carry_over
        monkeypatch.setattr(backup, "carry_over", broken)
        with pytest.raises(StoreError, match="very end"):
            store.restore(copy)
        assert everything(store) == before
        monkeypatch.setattr(backup, "carry_over", carry_over)
        assert len(store.restore(copy)) == 2


def knows_another_form(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program as a later version of it might be: with one step more."""
    config = opening._config
    chosen = steps(folder, extra=True)
    monkeypatch.setattr(opening, "_config", lambda versions=None: config(versions or chosen))


def test_an_older_copy_is_brought_to_the_form_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy itself stays as it is."""
    copy = tmp_path / "copy.db"
    with open_store(tmp_path / "tables.db") as store:
        g = played(store)
        store.backup(copy)
    bytes_before = copy.read_bytes()
    knows_another_form(tmp_path / "steps", monkeypatch)
    with open_store(tmp_path / "elsewhere.db") as store:
        store.restore(copy)
        assert store.table(g.table.id).is_as_the_log_says()
    assert copy.read_bytes() == bytes_before


def test_nothing_is_migrated_under_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a newer program leave the file of an older one alone that is being served."""
    path = tmp_path / "tables.db"
    with open_store(path):
        pass
    newest = opening.newest_form()
    knows_another_form(tmp_path / "steps", monkeypatch)
    with Lock(path), pytest.raises(StoreError, match="served already"):
        open_store(path)
    assert opening.revision_of_file(path) == (newest, False)
    with open_store(path) as store:
        assert store.copied_to is not None
    assert opening.revision_of_file(path) == ("9999", False)


def test_several_that_start_at_once_on_one_postgresql_make_one_database(databases: Databases) -> None:
    problems = []

    def start(where: str) -> None:
        engine = engine_of(address_of(where))
        try:
            migrate(engine)
        except Exception as problem:
            problems.append(problem)
        finally:
            engine.dispose()

    with databases.empty() as where:
        threads = [threading.Thread(target=start, args=(where,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert problems == []
        with open_store(where) as store:
            assert store.campaigns() == []


def test_by_command(where: str, elsewhere: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    with open_store(where, serve=True) as store:
        g = group(store)
        status, said, _ = run_here(["backup", copy, "--db", where], "")
        assert (status, f"is copied to {copy}" in said) == (0, True)
    status, said, _ = run_here(["restore", copy, "--db", elsewhere, "--json"], "")
    assert status == 0
    assert [one["id"] for one in json.loads(said)["campaigns"]] == [g.table.id]
    status, said, _ = run_here(["link", "--db", elsewhere], "")
    assert "The pantry" in said
    status, _, error = run_here(["restore", copy, "--db", elsewhere], "")
    assert (status, "already" in error) == (2, True)
    for words, why in (([], "name one file"), (["nothing.db"], "no file nothing.db")):
        status, _, error = run_here(["restore", *words, "--db", str(tmp_path / "never.db")], "")
        assert (status, why in error) == (2, True)
    assert not (tmp_path / "never.db").exists()


def test_links_of_the_host_by_command(tmp_path: Path) -> None:
    where = str(tmp_path / "tables.db")
    with open_store(where) as store:
        g = group(store)
        status, said, _ = run_here(["link", "--role", "host", "--db", where], "")
        assert status == 0
        cookie = store.exchange_host(said.strip().partition("#")[2]) or ""
        assert store.is_host(cookie)
        status, said, _ = run_here(["link", "--role", "host", "--renew", "--json", "--db", where], "")
        assert not store.is_host(cookie)
        assert store.exchange_host(json.loads(said)["link"].partition("#")[2])
        status, said, _ = run_here(["link", "The", "pantry", "--renew", "--db", where], "")
        assert status == 0
        with pytest.raises(Exception, match="not open to you"):
            store.enter(g.cookies[g.gm])
        assert store.enter(g.cookies[g.anna]).seat == g.anna
        assert store.exchange(said.strip().partition("#")[2])[1].seat == g.gm
    status, _, error = run_here(["link", "The", "pantry", "--role", "host", "--db", where], "")
    assert (status, "name none" in error) == (2, True)
