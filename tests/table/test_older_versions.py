"""Files of every released version open, show what they showed, and play goes on."""

from __future__ import annotations

import gzip
import json
import sqlite3
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from golden.runner import run_here
from table.older import SEATS, SYSTEMS, all_lines, answer, as_kept, confirmed
from table.postgres import Databases
from tablewright.table import Store, Table, export_campaign, import_campaign, open_store
from tablewright.table.database import schema
from tablewright.table.database.connection import engine_of, migrate, revision_of_file
from tablewright.table.database.location import address_of

FILES = Path(__file__).parent / "files"
VERSIONS = sorted([path.name for path in FILES.iterdir() if (path / "tables.db.gz").exists()])


def unpacked(version: str, name: str, to: Path) -> Path:
    """A file of an older version, as it was."""
    path = to / name
    path.write_bytes(gzip.decompress((FILES / version / f"{name}.gz").read_bytes()))
    return path


def expected(version: str) -> dict[str, Any]:
    """Views of all seats, by campaign."""
    found: dict[str, Any] = json.loads(gzip.decompress((FILES / version / "views.json.gz").read_bytes()))
    return found


def check_seen(table: Table, seats: dict[str, Any]) -> None:
    """All seats read the same; a change of rules is noted once, and nothing is lost."""
    for seat, before in seats.items():
        view = table.view(seat)
        told = all_lines(table, seat)
        assert told[: len(before["lines"])] == before["lines"]
        since = told[len(before["lines"]) :]
        assert [line["fact"].get("why") for line in since] in ([], ["rules changed"])
        now = as_kept(view)
        wanted = ["campaign", "notes", "characters"] if since else ["campaign", "notes", "characters", "scene"]
        for name in wanted:
            assert shown(now, name) == shown(before, name), (seat, name)
        if not since:
            assert asked(now) == asked(before), seat


def shown(kept: dict[str, Any], name: str) -> Any:
    return kept["campaign"]["title"] if name == "campaign" else kept[name]


def asked(kept: dict[str, Any]) -> Any:
    """The words of the open question; a later version may say more about it."""
    return None if kept["question"] is None else kept["question"].get("question")


def go_on(table: Table) -> None:
    """New acts of every kind are taken."""
    table.act("ben", {"do": "note.write", "text": "and on we go"})
    table.act("anna", {"do": "throw", "dice": "2d6"})
    number = table.cursor("gwen") + 1
    if table.view("gwen", 10**9)["question"] is None:
        table.act("gwen", {"do": "scene.begin", "form": "time"})
    else:
        answer(table, "gwen", 1)
    confirmed(table, "gwen", {"do": "undo", "line": number})
    assert table.is_as_the_log_says()


def check_database(store: Store, version: str, played: int = len(SYSTEMS), seen: int = len(SYSTEMS)) -> None:
    """All campaigns are there; so many of them are as they were, and so many go on."""
    wanted = expected(version)
    assert {one.id for one in store.campaigns()} == set(wanted)
    for place, (campaign, told) in enumerate(islice(wanted.items(), seen)):
        table = store.table(campaign)
        for seat, cookie in told["cookies"].items():
            assert store.enter(cookie) == (table, seat)
        check_seen(table, told["seats"])
        if place < played:
            go_on(table)
            table.forget()
            assert table.is_as_the_log_says()


def test_the_first_release_is_here() -> None:
    assert "0.1.0" in VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_database_opens_and_goes_on(version: str, tmp_path: Path) -> None:
    with open_store(unpacked(version, "tables.db", tmp_path), serve=True) as store:
        assert store.copied_to is not None
        assert store.verify().is_whole
        check_database(store, version)
        assert store.verify().is_whole


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_database_on_a_server_is_migrated(version: str, databases: Databases, tmp_path: Path) -> None:
    """The rows of the file, in a PostgreSQL of the same form."""
    older = unpacked(version, "tables.db", tmp_path)
    form, _ = revision_of_file(older)
    assert form is not None
    with databases.empty() as where:
        fill(where, older, steps_until(tmp_path / "steps", form))
        with open_store(where) as store:
            assert store.verify().is_whole
            check_database(store, version, played=1)
            assert store.verify().is_whole


def steps_until(folder: Path, form: str) -> str:
    """The steps of this program up to a form."""
    folder.mkdir()
    for file in (Path(schema.__file__).parents[1] / "migrations" / "versions").glob("step_*.py"):
        if file.stem.removeprefix("step_") <= form:
            (folder / file.name).write_text(file.read_text())
    return str(folder)


def fill(where: str, older: Path, versions: str) -> None:
    """Make the tables of an older form, and put the rows of a file into them."""
    engine = engine_of(address_of(where))
    migrate(engine, versions=versions)
    with sqlite3.connect(older) as source, engine.begin() as connection:
        for table in ("campaigns", "lines", "feed", "snapshots", "requests", "links"):
            found = source.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in found.description]
            columns, values = ", ".join([f'"{one}"' for one in names]), ", ".join([f":{one}" for one in names])
            rows = [dict(zip(names, row, strict=True)) for row in found]
            if rows:
                connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), rows)
    engine.dispose()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_database_is_restored_into_either_kind(version: str, elsewhere: str, tmp_path: Path) -> None:
    older = unpacked(version, "tables.db", tmp_path)
    before = older.read_bytes()
    with open_store(elsewhere, serve=True) as store:
        store.restore(older)
        assert store.verify().is_whole
        check_database(store, version, played=1, seen=2)
    assert older.read_bytes() == before


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_campaign_file_is_imported_and_goes_on(quick: Store, version: str, system: str) -> None:
    content = gzip.decompress((FILES / version / f"{system}.campaign.jsonl.gz").read_bytes())
    made = import_campaign(quick, content)
    told = expected(version)[f"old-{system}"]["seats"]
    assert set(told) == set(SEATS)
    check_seen(made.table, told)
    go_on(made.table)
    again = import_campaign(quick, "".join(export_campaign(quick, made.table.id)))
    assert again.table.is_as_the_log_says()


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("version", VERSIONS)
def test_older_characters_and_fights_open(version: str, system: str, tmp_path: Path) -> None:
    character = unpacked(version, f"{system}.character.yaml", tmp_path)
    status, _, error = run_here(
        ["new", system, "--from", str(character), "--anyway", "-o", str(tmp_path / "new.yaml")], ""
    )
    assert status == 0, error
    fight = unpacked(version, f"{system}.fight.json", tmp_path)
    status, _, error = run_here(["fight", "--replay", str(fight), "--json"], "")
    assert status == 0 or (status in (1, 2) and error.startswith('{"error":')), error  # rules may have changed since
