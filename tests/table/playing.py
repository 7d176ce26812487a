"""A small group at a table, for the tests: a game master, two players, a spectator, and a fight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tablewright.game.scenario.loader import load_scenario
from tablewright.game.values import thaw
from tablewright.table import Store, Table, open_store
from tablewright.table.database import queries
from tablewright.table.database.prepared import Prepared, run_all
from tablewright.table.database.schema import metadata
from tablewright.table.migrations.versions import step_0002
from tablewright.table.store import _now as usual_clock

SYSTEM = "coinfolk"


@dataclass
class Group:
    """A table with everyone at it. Ann is Anna's, Bob is Ben's; the vermin are the game master's."""

    store: Store
    table: Table
    gm: str
    anna: str
    ben: str
    watcher: str
    cookies: dict[str, str]

    def act(self, seat: str, do: str, /, **more: Any) -> dict[str, Any]:
        key, expected = more.pop("key", None), more.pop("expected", None)
        return self.table.act(seat, {"do": do, **more}, key=key, expected=expected)

    def begin(self, **more: Any) -> dict[str, Any]:
        return self.act(self.gm, "scene.begin", scenario="together", **more)

    def question(self, seat: str | None = None) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.table.view(seat or self.gm, 10**9)["question"]
        return found

    def dice_asked(self) -> Mapping[str, Any]:
        """A check of Ann's outside any fight, whose player is asked for the dice: the question."""
        self.act(self.gm, "scene.begin", form="time")
        self.act(self.anna, "seat.set", dice="ask")
        self.act(self.anna, "start", process="table.check", **{"with": {"who": "ann", "what": "wit"}})
        question = self.question(self.anna)
        assert question is not None
        assert question["kind"] == "roll"
        return question

    def asked(self) -> str:
        """The seat that is asked now."""
        question = self.question()
        assert question is not None
        seat = question["seat"]
        return seat if seat in (self.anna, self.ben) else self.gm

    def answer(self, option: str | None = None) -> dict[str, Any]:
        """Answer the open question with an option or its default; roll the dice of a roll."""
        question = self.question()
        assert question is not None
        if question["kind"] == "roll":
            return self.act(self.asked(), "answer", roll=True)
        return self.act(self.asked(), "answer", option=option or question["default"])

    def answered(self, option: str | None = None) -> int:
        """Answer the open question; return the number of its line for the game master."""
        number = self.table.cursor(self.gm) + 1
        self.answer(option)
        return number

    def until(self, seat: str) -> Mapping[str, Any]:
        """Play with defaults until a seat is asked for a choice."""
        for _ in range(100):
            question = self.question()
            assert question is not None
            if question["kind"] == "choice" and self.asked() == seat:
                return question
            self.answer()
        raise AssertionError("nobody is asked")

    def undo(self, line: int, seat: str | None = None) -> dict[str, Any]:
        command = {"do": "undo", "line": line}
        word = self.table.preview(seat or self.gm, command)["confirm"]
        return self.table.act(seat or self.gm, command | {"confirm": word})

    def redo(self) -> dict[str, Any]:
        word = self.table.preview(self.gm, {"do": "redo"})["confirm"]
        return self.table.act(self.gm, {"do": "redo", "confirm": word})

    def texts(self, seat: str, after: int = 0) -> list[str]:
        return [line["text"] for line in self.table.lines(seat, after) if "text" in line]

    def state(self, seat: str | None = None) -> dict[str, Any]:
        """All of a seat's view that is not the log."""
        seen = self.table.view(seat or self.gm, 10**9)
        return {name: value for name, value in seen.items() if name not in ("cursor", "last", "lines")}


@cache
def _ready_file() -> bytes:
    with TemporaryDirectory() as folder:
        open_store(f"{folder}/tables.db").close()
        return Path(folder, "tables.db").read_bytes()


def ready_store(path: Path, **more: Any) -> Store:
    """A store in a new file that has all tables from the start; to make them takes as long as a few plays."""
    path.write_bytes(_ready_file())
    return open_store(path, **more)


def group(store: Store, **more: Any) -> Group:
    """A campaign with everyone in their seats and the two heroes in it.

    It is made once, and its rows are written to every store that wants one. A second one in a store, one with settings
    of its own and one in a store with a clock of its own are made there.
    """
    if store.now is not usual_clock or more:
        return made_group(store, **more)
    rows, cookies = _first_group()
    with queries.writing(store.engine) as connection:
        is_there = queries.info(connection, rows["campaigns"][0]["id"]) is not None
        if not is_there:
            run_all(connection, [(_INSERTS[name], found) for name, found in rows.items() if found])
    if is_there:
        return made_group(store)
    gm, anna, ben, watcher = cookies
    return Group(store, store.enter(cookies[gm]).table, gm, anna, ben, watcher, dict(cookies))


_INSERTS = {name: Prepared(table.insert(), *table.columns.keys()) for name, table in metadata.tables.items()}


@cache
def _first_group() -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """The rows of such a campaign by table, and its cookies by seat."""
    with TemporaryDirectory() as folder, open_store(f"{folder}/tables.db") as store:
        cookies = made_group(store).cookies
        with store.engine.connect() as connection:
            rows = {
                name: [dict(row) for row in connection.execute(table.select()).mappings()]
                for name, table in metadata.tables.items()
            }
    return rows, cookies


def made_group(store: Store, **more: Any) -> Group:
    """A campaign with everyone in their seats and the two heroes in it, made step by step."""
    made = store.make_campaign("The pantry", SYSTEM, game_master="Gwen", **{"seed": 5, **more})
    cookie, (table, gm) = store.exchange(made.invitation.token)
    cookies, seats = {gm: cookie}, [gm]
    for name, role in (("Anna", "player"), ("Ben", "player"), ("Walt", "spectator")):
        invitation = table.invite(gm, role=role, name=name)
        cookie, entry = store.exchange(invitation.token)
        cookies[entry.seat] = cookie
        seats.append(entry.seat)
    table.act(gm, {"do": "character.add", "character": "ann", "seat": seats[1]})
    table.act(gm, {"do": "character.add", "character": "bob", "seat": seats[2]})
    return Group(store, table, seats[0], seats[1], seats[2], seats[3], cookies)


def any_system(
    store: Store, system: str, scenario: str = "together", *, bots: str = "careful"
) -> tuple[Table, str, str]:
    """A campaign of any system: the first of the scenario is a player's, the others' questions are bots'."""
    made = store.make_campaign("A table", system, seed=7)
    _, (table, gm) = store.exchange(made.invitation.token)
    _, (_, player) = store.exchange(table.invite(gm, name="Anna").token)
    told = load_scenario(f"{system}:{scenario}")
    first = told.entrants[0]
    table.act(gm, {"do": "character.add", "character": thaw(first.character), "id": first.id, "seat": player})
    others = {one.id: bots for one in told.entrants[1:]}
    table.act(gm, {"do": "scene.begin", "scenario": scenario, "bots": others})
    return table, gm, player


def hash_again(store: Store, campaign: str) -> None:
    """Let the chain of a log fit lines that a test has written by hand."""
    with queries.writing(store.engine) as connection:
        end = queries.end_of(connection, campaign)
        assert end is not None
        step_0002.hash_lines(connection, campaign, end.last)
