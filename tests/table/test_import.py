"""Importing a campaign takes work in proportion to its size, and others write meanwhile."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import Connection

from table.playing import SYSTEM, group
from tablewright.errors import InvalidInputError
from tablewright.table import Store, TokenRequest, export, export_campaign, import_campaign, open_store
from tablewright.table.database import queries
from tablewright.table.database.prepared import Prepared, Values, run_all


def base(store: Store) -> list[dict[str, Any]]:
    """The lines of a small campaign as an older program wrote them: without hashes."""
    g = group(store)
    lines = [json.loads(line) for line in export_campaign(store, g.table.id)]
    lines[0] |= {"format": 1}
    lines[0].pop("lines")
    for line in lines[1:]:
        line.pop("hash")
    return lines


class Log:
    """A campaign file that grows."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.lines = list(lines)
        self.head = max(line["seq"] for line in lines[1:] if line["parent"] is not None)

    def add(self, kind: str, data: dict[str, Any], *, played: bool = False) -> int:
        seq = len(self.lines)
        told = {"bodies": [{"kind": "table", "fact": {}}], "to": {"game master": [0]}}
        parent = self.head if played else None
        line = {"seq": seq, "parent": parent, "at": "2026-01-01T00:00:00Z", "by": "gwen", "kind": kind, "data": data}
        self.lines.append(line | told)
        if played:
            self.head = seq
        return seq

    def play(self, who: str = "ann") -> int:
        data = {"who": who, "character": {"name": "Ann"}, "reason": "", "to": "everyone"}
        return self.add("CharacterReplaced", data, played=True)

    def go_back(self, head: int) -> None:
        self.add("Undone", {"by": "gwen", "head": head, "was": self.head})
        self.head = head

    def go_forth(self, head: int) -> None:
        self.add("Redone", {"by": "gwen", "head": head, "was": self.head})
        self.head = head

    def text(self) -> str:
        return "".join([json.dumps(line) + "\n" for line in self.lines])


def pairs(lines: list[dict[str, Any]], count: int) -> str:
    """A campaign with this many lines, undone and redone this many times."""
    log = Log(lines)
    start = log.head
    for _ in range(count):
        log.play()
    last = log.head
    for _ in range(count):
        log.go_back(start + 1 if count > 1 else start)
        log.go_forth(last)
    return log.text()


def branches(lines: list[dict[str, Any]], count: int) -> str:
    """A long line of play; between any two of its lines something else was tried, and undone."""
    log = Log(lines)
    for _ in range(count):
        kept = log.play()
        for _ in range(3):
            log.play()
        log.go_back(kept)
    return log.text()


def undone(lines: list[dict[str, Any]], count: int) -> str:
    """A long line of play that is undone line by line."""
    log = Log(lines)
    heads = [log.head, *[log.play() for _ in range(count)]]
    for head in heads[-2::-1]:
        log.go_back(head)
    return log.text()


@contextmanager
def counted() -> Iterator[list[int]]:
    """Counts the lines of code of this program that are run."""
    count = [0]

    def trace(frame: FrameType, what: str, _: Any) -> Any:
        if "/tablewright/table/" not in frame.f_code.co_filename:
            return None
        count[0] += what == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield count
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("shape", [pairs, branches, undone])
def test_twice_the_lines_are_twice_the_work(quick: Store, shape: Any) -> None:
    lines = base(quick)
    steps: list[int] = []
    for count in (50, 100, 200):
        text = shape(lines, count)
        with counted() as count_:
            import_campaign(quick, text)
        steps.append(count_[0])
    assert steps[1] < 2.2 * steps[0], steps
    assert steps[2] < 2.2 * steps[1], steps


def test_undone_and_redone_lines_come_out_right(quick: Store) -> None:
    lines = base(quick)
    for shape in (pairs, branches, undone):
        made = import_campaign(quick, shape(lines, 40))
        assert made.table.is_as_the_log_says()


def test_others_write_between_slices(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transaction holds more than a slice, and no one sees the campaign before all of it is there."""
    lines, other = base(store), group(store)
    before = len(store.campaigns())
    text = pairs(lines, 100)
    monkeypatch.setattr(export, "CHUNK", 20)
    most: list[int] = []
    monkeypatch.setattr(queries, "run_all", partial(_noted, most))
    seen: list[int] = []

    def slowly() -> Iterator[str]:
        for number, line in enumerate(text.splitlines()):
            if number % 50 == 0:
                other.act(other.anna, "note.write", text=f"at {number}")
                seen.append(len(store.campaigns()))
            yield line

    heard: list[int] = []
    made = import_campaign(store, slowly(), progress=lambda done, _: heard.append(done))
    assert max(most) <= 20
    assert set(seen) == {before}
    assert len(store.campaigns()) == before + 1
    assert heard == sorted(heard)
    assert len(heard) > 10
    assert heard[-1] == len(text.splitlines()) - 1
    assert made.table.is_as_the_log_says()
    assert store.verify().is_whole


def _noted(most: list[int], connection: Connection, work: Sequence[tuple[Prepared, Sequence[Values]]]) -> list[int]:
    """Write as always, and note how many lines are written at once."""
    most += [len(values) for _, values in work if "bodies" in values[0]]
    return run_all(connection, work)


@pytest.mark.parametrize("why", ["wrong at the end", "too slow", "stopped"])
def test_nothing_is_left_of_an_import_that_fails(store: Store, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    lines = base(store)
    monkeypatch.setattr(export, "CHUNK", 20)
    text = pairs(lines, 100)
    before = counts(store)
    times = iter(range(0, 10**9, 100))

    def given() -> Iterator[str]:
        yield from text.splitlines()
        if why == "stopped":
            raise KeyboardInterrupt
        if why == "wrong at the end":
            yield "nonsense"

    kind: type[BaseException] = KeyboardInterrupt if why == "stopped" else InvalidInputError
    with pytest.raises(kind, match={"too slow": "15 minutes", "wrong at the end": "not JSON"}.get(why)):
        import_campaign(store, given(), clock=lambda: next(times) if why == "too slow" else 0.0)
    assert counts(store) == before


def counts(store: Store) -> dict[str, int]:
    with store.engine.connect() as connection:
        tables = ("campaigns", "lines", "feed", "snapshots", "links")
        return {name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in tables}


def test_leftovers_of_a_killed_import_are_removed_at_the_start_of_the_server(where: str) -> None:
    moment = ["2026-01-01T00:00:00Z"]
    with open_store(where, now=lambda: moment[0]) as store:
        lines = base(store)
        before = counts(store)
        reading = export._CampaignReader(store)
        for number, line in enumerate(lines[1:], start=1):
            reading.is_chained = False
            reading.take(line, number)
        reading.write()
        assert counts(store) != before
        assert len(store.campaigns()) == 1
        with pytest.raises(Exception, match="no such campaign"):
            store.table(reading.campaign.id)
    for later, is_left in (("2026-01-01T00:30:00Z", True), ("2026-01-01T02:00:00Z", False)):
        moment[0] = later
        with open_store(where, serve=True, now=lambda: moment[0]) as store:
            assert (counts(store) != before) is is_left


def test_a_key_holds_for_an_import_in_slices(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    text = pairs(base(store), 60)
    monkeypatch.setattr(export, "CHUNK", 20)
    asked = TokenRequest("a" * 32, "key", "import")
    first = import_campaign(store, text, asked=asked)
    before = counts(store)
    second = import_campaign(store, text, asked=asked)
    assert (second.table.id, second.invitation.token) == (first.table.id, first.invitation.token)
    assert counts(store) == before


def many(kind: str, count: int, **data: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(kind, {name: f"{value}-{n}" for name, value in data.items()}) for n in range(count)]


def test_a_file_with_too_much_of_anything_is_refused(quick: Store) -> None:
    lines = base(quick)
    for wanted, name in (
        (many("NoteWritten", 2_001, note="n", by="anna", text="x"), "notes"),
        (many("Thrown", 2_001, by="anna", dice="d6", stream="s"), "thrown"),
        (many("SettingSet", 101, name="x", value="y"), "settings"),
    ):
        log = Log(lines)
        for kind, data in wanted:
            log.add(kind, data | ({"faces": [1], "outcome": 1} if kind == "Thrown" else {}))
        with pytest.raises(InvalidInputError, match=f"more than .* {name}"):
            import_campaign(quick, log.text())
    log = Log(lines)
    log.add("NoteWritten", {"note": "a", "by": "anna", "text": "b"})
    log.lines[-1]["to"] = {"nobody": [0]}
    with pytest.raises(InvalidInputError, match='"nobody" is not a viewer of this table'):
        import_campaign(quick, log.text())
    log = Log(lines)
    log.add("SeatMade", {"seat": "zoe", "name": "Zoe", "role": "boss", "approved": True})
    with pytest.raises(InvalidInputError, match="cannot be opened"):
        import_campaign(quick, log.text())
    assert len(quick.campaigns()) == 1


def test_a_slice_is_bounded_by_its_size_too(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    text = pairs(base(quick), 50)
    monkeypatch.setattr(export, "MOST_BYTES_OF_SLICE", 100)
    most: list[int] = []
    monkeypatch.setattr(queries, "run_all", partial(_noted, most))
    import_campaign(quick, text)
    assert 1 <= max(most) < 10


def test_a_hostile_text_is_refused_before_the_database_sees_it(store: Store) -> None:
    lines = base(store)
    for change in ({"by": "gw\x00en"}, {"at": "x" * 41}, {"to": {"\x00": [0]}}):
        log = Log(lines)
        log.add("NoteWritten", {"note": "a", "by": "anna", "text": "b"})
        log.lines[-1] |= change
        with pytest.raises(InvalidInputError):
            import_campaign(store, log.text())
    assert [one.system for one in store.campaigns()] == [SYSTEM]
    with queries.reading(store.engine) as connection:
        assert len(queries.infos(connection)) == 1


def test_an_import_leaves_no_file_behind(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        import_campaign(store, pairs(base(store), 10))
    assert {path.name for path in tmp_path.iterdir()} == {"tables.db"}
