"""Group commit: acts of several tables in one transaction, acknowledged after it; a failure affects no other act."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, event

from patience import LIMIT, wait_until
from table.playing import Group, group
from tablewright.table import Store, StoreFullError
from tablewright.table import store as store_module
from tablewright.table.database import queries
from tablewright.table.database.prepared import Prepared, Values, run_all
from tablewright.table.database.queries import WriteConflict


@contextmanager
def commits(store: Store) -> Iterator[list[int]]:
    """The transactions that write, as they are committed."""
    found: list[int] = []

    def note(connection: object) -> None:
        if connection.get_execution_options().get("writing"):  # type: ignore[attr-defined]
            found.append(1)

    event.listen(store.engine, "commit", note)
    try:
        yield found
    finally:
        event.remove(store.engine, "commit", note)


def together(store: Store, acts: list[Callable[[], object]]) -> list[object]:
    """Acts that gather while a transaction is on its way, and what became of each."""
    results: list[object] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            results[place] = acts[place]()
        except Exception as problem:
            results[place] = problem

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(acts))]
    with store.writer._turn:
        for thread in threads:
            thread.start()
        wait_until(lambda: len(store.writer._queue) == len(acts), "all acts wait to be written")
        assert not any(results), "nothing is acknowledged before it is written"
    for thread in threads:
        thread.join(LIMIT)
    return results


def noted(g: Group) -> list[str]:
    """The notes as the log has them."""
    g.table.forget()
    return [one["text"] for one in g.table.view(g.gm)["notes"]]


def writes(g: Group, text: str = "here") -> Callable[[], object]:
    """An act at a table."""
    return lambda: g.table.act(g.gm, {"do": "note.write", "text": text}, key=text)


def test_acts_of_several_tables_are_one_transaction(store: Store) -> None:
    groups = [group(store) for _ in range(5)]
    with commits(store) as found:
        results = together(store, [writes(g) for g in groups])
    assert len(found) == 1
    assert all(isinstance(result, dict) and result["lines"] for result in results)
    assert [noted(g) for g in groups] == [["here"]] * 5
    assert all(g.table.is_as_the_log_says() for g in groups)


def test_a_group_takes_as_many_statements_as_one_act(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them go to a database server together, whose answer is waited for once."""
    groups = [group(store) for _ in range(6)]
    said: list[int] = []
    run = run_all

    def note(connection: Connection, work: Sequence[tuple[Prepared, Sequence[Values]]]) -> list[int]:
        said.append(len(work))
        return run(connection, work)

    monkeypatch.setattr(queries, "run_all", note)
    counts = []
    for some in (groups[:1], groups[1:]):
        said.clear()
        together(store, [writes(g) for g in some])
        counts.append([*said])
    is_server = store.engine.dialect.name == "postgresql"
    assert counts == [[5 if is_server else 4]] * 2, "an update, three inserts, and the news for other processes"


def test_one_that_cannot_be_written_harms_no_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [group(store) for _ in range(3)]
    full = groups[1].table.id
    append = queries.append_all

    def fails(connection: Connection, dated: Sequence[tuple[queries.PendingWrite, str]], sender: str) -> None:
        append(connection, dated, sender)
        if full in [batch.campaign for batch, _ in dated]:
            raise StoreFullError("no room")

    monkeypatch.setattr(queries, "append_all", fails)
    results = together(store, [writes(g) for g in groups])
    monkeypatch.undo()
    assert isinstance(results[1], StoreFullError)
    assert [noted(g) for g in groups] == [["here"], [], ["here"]]
    writes(groups[1])()
    assert noted(groups[1]) == ["here"]


def test_one_that_was_raced_is_done_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [group(store) for _ in range(3)]
    raced, append = [groups[2].table.id] * 2, queries.append_all

    def races(connection: Connection, dated: Sequence[tuple[queries.PendingWrite, str]], sender: str) -> None:
        append(connection, dated, sender)
        for name in [batch.campaign for batch, _ in dated if batch.campaign in raced]:
            raced.remove(name)
            raise WriteConflict

    monkeypatch.setattr(queries, "append_all", races)
    results = together(store, [writes(g) for g in groups])
    assert all(isinstance(result, dict) for result in results), results
    assert [noted(g) for g in groups] == [["here"]] * 3
    assert raced == []


def test_a_table_in_use_stays_the_same_for_everyone(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MOST_OPEN", 1)
    one, two = group(quick), group(quick)
    assert len(quick._tables) == 1
    assert quick.table(one.table.id) is one.table
    assert quick.table(two.table.id) is two.table
    name = two.table.id
    del two
    quick.table(one.table.id)
    gc.collect()
    assert name not in quick._in_use, "nobody has it any more"
    assert quick.table(name).id == name
