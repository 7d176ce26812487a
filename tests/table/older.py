"""Files as a released version leaves them: ``python -m table.older FOLDER`` makes them with the program as it is.

They are made once for each release, with the code of that release, and kept beside the tests for good.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conformance.places import package_folder
from golden.runner import run_here
from tablewright.game.files.documents import read_document
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.values import thaw
from tablewright.table import Store, Table, export_campaign, open_store

SYSTEMS = ("mars", "opend6", "renaissance", "stage", "marchen")
FIGHT = "even"
SEATS = ("gwen", "anna", "ben", "walt")
MOMENT = "2026-01-02T03:04:05Z"


def play(store: Store, system: str) -> tuple[Table, dict[str, str]]:
    """A campaign with a bit of everything; gives its table and everyone's cookie."""
    made = store.make_campaign(f"An old table of {system}", system, game_master="Gwen", id=f"old-{system}", seed=11)
    cookies: dict[str, str] = {}
    cookies["gwen"], (table, gm) = store.exchange(made.invitation.token)
    for name, role in (("Anna", "player"), ("Ben", "player"), ("Walt", "spectator")):
        cookie, entry = store.exchange(table.invite(gm, role=role, name=name).token)
        cookies[entry.seat] = cookie
    scenario = load_scenario(f"{system}:{FIGHT}")
    party = list(scenario.on(scenario.sides[0]))[:2]
    for entrant, seat in zip(party, ("anna", "ben"), strict=False):
        sheet = thaw(entrant.character)
        table.act(gm, {"do": "character.add", "character": sheet, "id": entrant.id, "seat": seat})
    table.act(gm, {"do": "pack.add", "pack": own_pack(system)})
    sheet = thaw(scenario.on(scenario.sides[1])[0].character)
    table.act(gm, {"do": "character.add", "character": sheet, "id": "stranger", "known": False})
    table.act(gm, {"do": "note.write", "text": "the inn is full", "to": "everyone"})
    table.act(gm, {"do": "note.write", "text": "the innkeeper is a spy", "to": "self"})
    table.act("anna", {"do": "note.write", "text": "I do not trust the innkeeper", "to": "gm"})
    table.act("anna", {"do": "throw", "dice": "2d6", "audience": "gm"})
    bots = {scenario.entrants[-1].id: "careful"}
    for title in ("The first night", "The second night"):
        table.act(gm, {"do": "scene.begin", "scenario": FIGHT, "title": title, "bots": bots})
        answer(table, gm, 4)
        back = table.cursor(gm)
        answer(table, gm, 2)
        confirmed(table, gm, {"do": "undo", "line": first_answer_after(table, gm, back)})
        if title == "The first night":
            confirmed(table, gm, {"do": "redo"})
            table.act(gm, {"do": "scene.end", "anyway": True})
        else:
            answer(table, gm, 2)
    table.act("ben", {"do": "note.write", "text": "who goes there?"}, key="ben-1")
    return table, cookies


def own_pack(system: str) -> dict[str, Any]:
    """A pack with a person of the system's own content under another name."""
    folder = (package_folder(system) or Path()) / "data" / "pack"
    for path in sorted(folder.glob("*.yaml")):
        document = read_document(path).value
        if isinstance(document, dict) and document.get("templates"):
            person = document["templates"][0] | {"id": "own_person", "name": "Somebody of our own"}
            person = ({"origin": "house"} | person) if system == "marchen" else person
            header = {"id": f"own_{system}", "title": "Our own people", "version": "1"}
            return {"pack": header, "system": system, "templates": [person]}
    raise AssertionError(f"{system} has no templates")


def answer(table: Table, gm: str, times: int) -> None:
    """Answer with the first option, as often as there is something to answer."""
    for _ in range(times):
        question = table.view(gm, 10**9)["question"]
        if question is None:
            return
        given = {"roll": True} if question["kind"] == "roll" else {"option": question["options"][0]["id"]}
        table.act(gm, {"do": "answer", **given})


def first_answer_after(table: Table, gm: str, number: int) -> int:
    """The first line after another that is part of the open scene."""
    return int(table.lines(gm, number)[0]["number"])


def confirmed(table: Table, gm: str, command: dict[str, Any]) -> None:
    """Do what has to be looked at first."""
    table.act(gm, command | {"confirm": table.preview(gm, command)["confirm"]})


def seen(table: Table) -> dict[str, Any]:
    """View and private data of each seat, as far as every later version must show them."""
    return {seat: as_kept(table.view(seat)) | {"lines": all_lines(table, seat)} for seat in SEATS}


def as_kept(view: dict[str, Any]) -> dict[str, Any]:
    """The part of a view that a campaign keeps, whatever the rules of its open scene have become."""
    return {
        "campaign": view["campaign"],
        "notes": sorted([[note["id"], note["text"]] for note in view["notes"]]),
        "characters": sorted([[one["id"], one["name"]] for one in view["characters"]]),
        "scene": None if view["scene"] is None else view["scene"]["title"],
        "question": view["question"],
    }


def all_lines(table: Table, seat: str) -> list[dict[str, Any]]:
    """Everything a seat has been told."""
    found: list[dict[str, Any]] = []
    while some := table.lines(seat, len(found)):
        found += some
    return found


def make(folder: Path) -> None:
    """Make the database, the files of the campaigns, and fights and characters of every system."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "tables.db"
        expected: dict[str, Any] = {}
        with open_store(path, now=lambda: MOMENT) as store:
            for system in SYSTEMS:
                table, cookies = play(store, system)
                expected[table.id] = {"cookies": cookies, "seats": seen(table)}
                keep(folder / f"{system}.campaign.jsonl.gz", "".join(export_campaign(store, table.id)).encode())
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode=DELETE")
        keep(folder / "tables.db.gz", path.read_bytes())
        keep(folder / "views.json.gz", json.dumps(expected).encode())
        for system in SYSTEMS:
            character, fight = Path(scratch) / f"{system}.yaml", Path(scratch) / f"{system}.json"
            said = run_here(["new", system, "--random", "--seed", "3", "-o", str(character)], "")
            assert said[0] == 0, said
            said = run_here(["fight", f"{system}:{FIGHT}", "--seed", "3", "--rounds", "2", "--save", str(fight)], "")
            assert said[0] == 0, said
            keep(folder / f"{system}.character.yaml.gz", character.read_bytes())
            keep(folder / f"{system}.fight.json.gz", fight.read_bytes())


def keep(path: Path, content: bytes) -> None:
    """Write a file so that the same content gives the same bytes."""
    path.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
