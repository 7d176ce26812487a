"""The store keeps what it acknowledges: the same tests on a database file and on a real PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from patience import LIMIT
from table.playing import SYSTEM, Group, group
from table.postgres import Databases
from table.unsynced import set_sqlite
from tablewright.errors import InvalidInputError
from tablewright.table import ConflictError, NotFoundError, Store, StoreError, StoreFullError, open_store
from tablewright.table.database import queries, schema
from tablewright.table.database.connection import engine_of, migrate, newest_form
from tablewright.table.database.location import address_of, data_folder


def test_answered_acts_are_there_when_the_store_is_opened_again(where: str) -> None:
    with open_store(where, serve=True) as store:
        g = group(store)
        g.begin()
        for _ in range(5):
            g.answer()
        seats = (g.gm, g.anna, g.ben, g.watcher)
        before = [g.table.view(seat) for seat in seats]
        name, cookies = g.table.id, g.cookies
    with open_store(where, serve=True) as store:
        assert [one.id for one in store.campaigns()] == [name]
        after = [store.enter(cookies[seat]).table.view(seat) for seat in seats]
        assert after == before
        assert store.table(name).is_as_the_log_says()


def test_a_commit_is_on_the_disk(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.table.database.connection._set_sqlite", set_sqlite)  # as outside the tests
    with open_store(where) as store, queries.writing(store.engine) as connection:
        if connection.dialect.name == "sqlite":
            found = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
            assert found == ["wal", 2]
        else:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


def test_an_answer_is_acknowledged_after_the_commit(store: Store) -> None:
    """A line is readable by another connection before anyone hears of it."""
    g = group(store)
    heard: list[int | None] = []

    def hear(campaign: str, last: int) -> None:
        with store.engine.connect() as other, other.begin():
            heard.append(queries.last_of(other, campaign))
            assert queries.last_of(other, campaign) == last

    subscription = store.subscribe(g.table.id, hear)
    answer = g.act(g.anna, "note.write", text="hello")
    assert heard == [store.campaigns()[0].last]
    assert answer["lines"][0]["text"] == "Anna: hello"
    subscription.close()
    g.act(g.anna, "note.write", text="hello")
    assert len(heard) == 1


def test_a_key_makes_it_happen_once(store: Store) -> None:
    g = group(store)
    first = g.act(g.anna, "throw", dice="3d6", key="abc")
    assert g.act(g.anna, "throw", dice="3d6", key="abc") == first
    assert len([line for line in g.table.lines(g.gm) if line["fact"]["event"] == "Thrown"]) == 1
    with pytest.raises(InvalidInputError, match="another request"):
        g.act(g.anna, "throw", dice="4d6", key="abc")
    other = g.act(g.ben, "throw", dice="3d6", key="abc")
    assert other != first, "another seat's key is another key"
    for wrong in ("", "x" * 101, "ä", "a\n"):
        with pytest.raises(InvalidInputError, match="key"):
            g.act(g.anna, "throw", dice="3d6", key=wrong)


def test_the_later_of_two_gets_a_conflict_and_what_is_new(store: Store) -> None:
    g = group(store)
    seen = g.table.cursor(g.anna), g.table.cursor(g.ben)
    g.act(g.anna, "note.write", text="first", expected=seen[0])
    with pytest.raises(ConflictError) as refused:
        g.act(g.ben, "note.write", text="second", expected=seen[1])
    fresh = g.table.view(g.ben, seen[1])
    assert [line["text"] for line in fresh["lines"]] == ["Anna: first"]
    assert refused.value.cursor == fresh["last"]
    g.act(g.ben, "note.write", text="second", expected=fresh["last"])


def test_two_stores_never_fork_the_log(where: str) -> None:
    """Open two stores, like two processes: each has campaigns of its own in memory."""
    with open_store(where) as one, open_store(where) as two:
        g = group(one)
        g.begin()
        other = two.table(g.table.id)
        texts: list[str] = []
        for number in range(12):
            table = other if number % 2 else g.table
            question = table.view(g.gm, 10**9)["question"]
            if question is None:
                break
            given = {"roll": True} if question["kind"] == "roll" else {"option": question["default"]}
            table.act(g.gm, {"do": "answer", **given})
            table.act(g.anna, {"do": "note.write", "text": f"note {number}"})
            texts.append(f"Anna: note {number}")
        assert [t for t in g.texts(g.ben) if t.startswith("Anna: note")] == texts
        assert g.table.view(g.ben) == other.view(g.ben)
        assert g.table.view(g.gm) == other.view(g.gm)
        assert other.is_as_the_log_says()
        assert g.table.is_as_the_log_says()


def test_many_at_once_lose_nothing_and_double_nothing(where: str) -> None:
    with open_store(where) as one, open_store(where) as two:
        g = group(one)
        tables = (g.table, two.table(g.table.id))
        wrong: list[BaseException] = []

        def write(seat: str, place: int) -> None:
            try:
                for number in range(8):
                    tables[place].act(seat, {"do": "note.write", "text": f"{number}"}, key=f"{place}-{number}")
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=write, args=(seat, place)) for seat in (g.anna, g.ben) for place in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        written = [line["fact"] for line in g.table.lines(g.gm) if line["fact"]["event"] == "NoteWritten"]
        assert len(written) == 32
        for seat in (g.anna, g.ben):
            assert sorted(fact["text"] for fact in written if fact["by"] == seat) == sorted(
                [str(n) for n in range(8)] * 2
            )
        assert tables[1].is_as_the_log_says()


def test_other_servers_on_the_same_postgresql_are_notified(where: str) -> None:
    if not where.startswith("postgresql"):
        pytest.skip("a database file has one server")
    with open_store(where) as one, open_store(where) as two:
        g = group(one)
        heard = threading.Event()
        two.subscribe(g.table.id, lambda _campaign, _last: heard.set())
        other = two.table(g.table.id)
        cursor = other.cursor(g.ben)
        assert two._listener is not None
        assert two._listener.ready.wait(LIMIT)
        g.act(g.anna, "note.write", text="can you hear me?")
        assert heard.wait(LIMIT)
        assert [line["text"] for line in other.lines(g.ben, cursor)] == ["Anna: can you hear me?"]


# ---------------------------------------------------------------------- a full disk


@pytest.fixture
def full(tmp_path: Path) -> Iterator[tuple[Store, Group]]:
    """A store whose file may not grow any more when `full` is said."""
    with open_store(tmp_path / "tables.db") as store:
        yield store, group(store)


def test_a_full_disk_refuses_and_stays_readable(full: tuple[Store, Group]) -> None:
    store, g = full
    g.begin()
    before = [g.table.view(seat) for seat in (g.gm, g.anna)]

    def no_room(connection: object, *_: object) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()  # type: ignore[attr-defined]
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

    event.listen(store.engine, "begin", no_room)

    def fill() -> None:
        for number in range(2_000):
            g.act(g.anna, "note.write", text="x" * 9_000, key=f"k{number}")

    def play() -> None:
        for _ in range(50):
            g.answer()

    with pytest.raises(StoreFullError, match="full"):
        fill()
    kept = [line["fact"]["note"] for line in g.table.lines(g.anna, before[1]["last"])]
    assert len(kept) == len(set(kept))
    assert g.table.is_as_the_log_says()
    question = g.question()
    assert question is not None
    with pytest.raises(StoreFullError):
        play()
    assert g.table.is_as_the_log_says()
    event.remove(store.engine, "begin", no_room)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    store.engine.dispose()
    g.answer()
    assert g.table.is_as_the_log_says()


# ---------------------------------------------------------------------- opening


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    (tmp_path / "link.db").symlink_to(path)
    with open_store(path, serve=True):
        for same in (path, tmp_path / "." / "tables.db", tmp_path / "link.db"):
            with pytest.raises(StoreError, match="served already"):
                open_store(same, serve=True)
        with open_store(path) as host:
            assert host.campaigns() == []
    open_store(path, serve=True).close()


def test_two_servers_share_one_postgresql(databases: Databases) -> None:
    with databases.ready() as where, open_store(where, serve=True) as one, open_store(where, serve=True) as two:
        table, _ = one.make_campaign("The pantry", "coinfolk")
        assert [campaign.id for campaign in two.campaigns()] == [table.id]


def test_the_database_lies_where_it_is_told_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.delenv("TABLEWRIGHT_DB", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder() == tmp_path / "share" / "tablewright"
    with open_store() as store:
        assert store.where == str(tmp_path / "share" / "tablewright" / "tables.db")
    monkeypatch.setenv("TABLEWRIGHT_DB", str(tmp_path / "mine.db"))
    assert address_of(None).database == str(tmp_path / "mine.db")
    assert address_of(tmp_path / "other.db").database == str(tmp_path / "other.db")
    for wrong in ("mysql://host/db", "sqlite://", "no such://thing"):
        with pytest.raises(InvalidInputError):
            address_of(wrong)


def test_a_password_is_not_shown(where: str) -> None:
    url = address_of("postgresql://ann:topsecret@localhost:1/nowhere")
    with pytest.raises(StoreError) as refused:
        migrate(engine_of(url))
    assert "topsecret" not in str(refused.value)


STEP = """
from alembic import op
import sqlalchemy as sa
revision = "{revision}"
down_revision = "{before}"
def upgrade():
    op.add_column("campaigns", sa.Column("colour", sa.Text))
"""


def steps(folder: Path, *, extra: bool) -> str:
    """The steps of this program, and one that a later version might take."""
    folder.mkdir()
    own = Path(schema.__file__).parents[1] / "migrations" / "versions"
    for file in own.glob("step_*.py"):
        (folder / file.name).write_text(file.read_text())
    if extra:
        (folder / "step_9999.py").write_text(STEP.format(revision="9999", before=newest_form()))
    return str(folder)


def test_before_a_migration_a_dated_copy_is_made(empty: str, tmp_path: Path) -> None:
    with open_store(empty) as store:
        g = group(store)
        before = g.table.view(g.gm)
        name = g.table.id
    engine = engine_of(address_of(empty))
    copy = migrate(
        engine, versions=steps(tmp_path / "steps", extra=True), today=lambda: datetime(2026, 3, 4, tzinfo=UTC)
    )
    with engine.connect() as connection:
        assert connection.execute(text("SELECT colour FROM campaigns")).scalar() is None
        if empty.startswith("postgresql"):
            there = text(f'SELECT count(*) FROM "before_2026_03_04T00_00_00_form_{newest_form()}".lines')
            assert connection.execute(there).scalar() == before["last"]
        else:
            assert copy == Path(empty).with_name(f"tables-2026-03-04T00-00-00-form-{newest_form()}.db")
    engine.dispose()
    if copy is not None:
        with open_store(copy) as old:
            assert old.table(name).view("gwen") == before


def test_a_newer_database_is_refused_untouched(where: str, tmp_path: Path) -> None:
    with open_store(where) as store:
        group(store)
    engine = engine_of(address_of(where))
    migrate(engine, versions=steps(tmp_path / "steps", extra=True))
    engine.dispose()
    before = Path(where).read_bytes() if not where.startswith("postgresql") else b""
    with pytest.raises(StoreError, match="newer version"):
        open_store(where, serve=True)
    if before:
        assert Path(where).read_bytes() == before
    else:
        engine = engine_of(address_of(where))
        with engine.connect() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
        engine.dispose()


def test_a_database_of_something_else_is_refused_untouched(empty: str) -> None:
    engine = engine_of(address_of(empty))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (id INTEGER)"))
    engine.dispose()
    with pytest.raises(StoreError, match="something else"):
        open_store(empty)


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 500)
    with pytest.raises(StoreError, match="not a database"):
        open_store(path)
    assert path.read_text() == "dear diary, " * 500


def test_the_tables_are_as_the_migrations_leave_them(empty: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with open_store(empty) as store, store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_database_errors_are_told_without_the_data(store: Store) -> None:
    """Written data is secret; an error that names it would put it into a log."""
    g = group(store)
    with store.engine.connect() as connection, pytest.raises(DBAPIError) as problem:
        connection.execute(text("INSERT INTO nowhere VALUES (:text)"), {"text": "the cat is the queen"})
    assert "queen" not in str(problem.value)
    assert g.table.is_as_the_log_says()


def test_no_such_campaign(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.table("nothing")


def test_the_log_is_never_changed(tmp_path: Path) -> None:
    """No statement of this program updates or deletes lines."""
    with open_store(tmp_path / "tables.db") as store:
        said: list[str] = []
        event.listen(store.engine, "before_cursor_execute", lambda *told: said.append(told[2]))
        g = group(store)
        g.begin()
        number = g.answered()
        g.undo(number)
        g.redo()
        assert any("INSERT INTO lines" in line for line in said)
        assert not [line for line in said if line.startswith(("DELETE", "UPDATE")) and "lines" in line]
    assert sqlite3.connect(tmp_path / "tables.db").execute("SELECT count(*) FROM lines").fetchone()[0] > 10


def test_a_title_is_checked(store: Store) -> None:
    for wrong in ("", " ", "x" * 61, "a\ud800b"):
        with pytest.raises(InvalidInputError):
            store.make_campaign(wrong, SYSTEM)
    with pytest.raises(InvalidInputError, match="coinfolks"):
        store.make_campaign("The pantry", "coinfolks")
