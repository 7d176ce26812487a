"""After an upgrade: ended scenes open from their facts, an open scene goes on from the last line that agrees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from table.playing import Group, group, hash_again, ready_store
from tablewright.table import Store


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Group]:
    """A fight under way; what stands in its log is as if other rules had brought it about."""
    with ready_store(tmp_path / "tables.db") as store:
        g = group(store)
        g.begin()
        g.until(g.anna)
        for _ in range(4):
            g.answer("wait")
        yield g


def rewrite(store: Store, seq: int, column: str, change: Any) -> None:
    with store.engine.begin() as connection:
        raw = connection.execute(text(f"SELECT {column} FROM lines WHERE seq = :seq"), {"seq": seq}).scalar_one()
        plain = json.loads(raw)
        change(plain)
        connection.execute(
            text(f"UPDATE lines SET {column} = :plain WHERE seq = :seq"), {"plain": json.dumps(plain), "seq": seq}
        )
    hash_again(store, store.campaigns()[0].id)


def seq_of(g: Group, back: int) -> int:
    """The line of the answer so many before the last."""
    assert g.table._sitting is not None
    return g.table._sitting.record[-1 - back].seq


def all_rows(store: Store) -> list[Any]:
    with store.engine.connect() as connection:
        return list(connection.execute(text("SELECT * FROM lines ORDER BY seq")).all())


def test_an_open_scene_goes_on_from_the_last_line_that_agrees(played: Group) -> None:
    g = played
    seq = seq_of(g, 1)
    rewrite(g.store, seq, "bodies", lambda bodies: bodies[0]["fact"].update(event="Dawdled"))
    before, cursors = all_rows(g.store), {seat: g.table.cursor(seat) for seat in (g.gm, g.anna)}
    g.table.forget()
    question = g.question()
    assert question is not None
    assert g.table._sitting is not None
    assert len(g.table._sitting.record) == 1 + [one.seq for one in g.table._sitting.record].index(seq - 1)
    for seat, start in cursors.items():
        told = g.table.lines(seat, start)
        assert [(line["kind"], line["fact"]["why"]) for line in told] == [("undone", "rules changed")]
        assert "changed since" in told[0]["fact"]["reason"]
    assert all_rows(g.store)[: len(before)] == before, "the old record is kept"
    assert len(all_rows(g.store)) == len(before) + 1
    g.answer()
    assert g.table.is_as_the_log_says()
    g.table.forget()
    assert len(all_rows(g.store)) == len(before) + 2, "it is said once"


def test_a_line_that_names_another_rule_as_its_cause_still_agrees(played: Group) -> None:
    g = played
    rewrite(g.store, seq_of(g, 1), "bodies", lambda bodies: bodies[0]["fact"].update(cause="an.older.rule"))
    before = all_rows(g.store)
    g.table.forget()
    g.answer()
    assert len(all_rows(g.store)) == len(before) + 1, "nothing was undone"
    assert g.table.is_as_the_log_says()


def test_an_answer_that_is_no_longer_possible_ends_the_replay(played: Group) -> None:
    g = played
    seq = seq_of(g, 2)
    rewrite(g.store, seq, "data", lambda data: data.update(entry="strike:ghost"))
    g.table.forget()
    assert g.question() is not None
    assert "no longer possible" in g.table.lines(g.gm)[-1]["fact"]["reason"]
    assert g.table._sitting is not None
    assert g.table._sitting.record[-1].seq == seq - 1


def test_a_scene_that_cannot_be_opened_any_more_is_left(played: Group) -> None:
    g = played
    began = next(number for number, row in enumerate(all_rows(g.store), 1) if row.kind == "SceneBegan")
    rewrite(g.store, began, "data", lambda data: data["source"]["participants"][0]["character"].update(grit="much"))
    g.table.forget()
    state = g.state()
    assert state["scene"] is None
    assert "cannot be opened" in g.table.lines(g.gm)[-1]["fact"]["reason"]
    assert [one["id"] for one in state["characters"]] == ["ann", "bob"]
    g.begin()
    assert g.question() is not None


def test_an_ended_scene_opens_from_its_facts(played: Group) -> None:
    """Finished scenes are not replayed, even if their rules changed."""
    g = played
    seq = seq_of(g, 1)
    g.act(g.gm, "scene.end", anyway=True)
    rewrite(g.store, seq, "data", lambda data: data.update(entry="strike:ghost"))
    seen = {seat: g.table.lines(seat) for seat in (g.gm, g.anna, g.watcher)}
    g.table.forget()
    assert {seat: g.table.lines(seat) for seat in seen} == seen
    g.begin()
    assert g.question() is not None
