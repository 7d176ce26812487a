"""A campaign is exported into one file and imported whole; files from elsewhere are not trusted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table.playing import SYSTEM, Group, group
from tablewright.errors import InvalidInputError
from tablewright.table import NotFoundError, Store, export, export_campaign, import_campaign, open_store

GOLDEN = Path(__file__).parent / "files"


def played(store: Store) -> Group:
    """A campaign with a bit of everything: a fight, an undo, a redo, secrets, a scene that is over."""
    g = group(store)
    g.act(g.gm, "note.write", text="the cat is the queen", to="self")
    g.begin()
    g.until(g.anna)
    number = g.answered("wait")
    g.answer()
    g.undo(number)
    g.redo()
    g.act(g.gm, "scene.end", anyway=True)
    g.act(g.anna, "throw", dice="2d6", audience="self")
    g.begin()
    g.answer()
    return g


def test_a_campaign_comes_back_whole(store: Store, tmp_path: Path) -> None:
    g = played(store)
    text = "".join(export_campaign(store, g.table.id))
    with open_store(tmp_path / "other.db") as other:
        made = import_campaign(other, text)
        _, entry = other.exchange(made.invitation.token)
        assert entry.seat == g.gm
        for seat in (g.gm, g.anna, g.ben, g.watcher):
            before, after = g.table.view(seat), made.table.view(seat)
            assert after.pop("campaign")["title"] == before.pop("campaign")["title"]
            assert after == before
        assert made.table.is_as_the_log_says()
        again = "".join(export_campaign(other, made.table.id)).splitlines()[1:]
        assert again == text.splitlines()[1:]
        made.table.act(g.gm, {"do": "throw", "dice": "d6"})
        with pytest.raises(NotFoundError):
            other.enter(g.cookies[g.anna])


def test_no_token_and_no_hash_is_in_the_file(quick: Store) -> None:
    from tablewright.table.tokens import hash_of

    g = played(quick)
    text = "".join(export_campaign(quick, g.table.id))
    for cookie in g.cookies.values():
        assert cookie not in text
        assert hash_of(cookie) not in text
    with pytest.raises(NotFoundError):
        list(export_campaign(quick, "nothing"))


def test_two_imports_are_two_campaigns(quick: Store) -> None:
    g = played(quick)
    text = "".join(export_campaign(quick, g.table.id))
    names = {import_campaign(quick, text.encode()).table.id for _ in range(2)} | {g.table.id}
    assert len(names) == 3
    assert len(quick.campaigns()) == 3


# ---------------------------------------------------------------------- files that are not trusted


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    with open_store(tmp_path_factory.mktemp("export") / "tables.db") as store:
        g = played(store)
        return [json.loads(line) for line in export_campaign(store, g.table.id)]


Spoil = Callable[[list[dict[str, Any]]], object]


def of_kind(lines: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(line for line in lines if line.get("kind") == kind)


def spoiled(kind: str, **data: Any) -> Spoil:
    return lambda lines: of_kind(lines, kind)["data"].update(data)


SPOILS: dict[str, Spoil] = {
    "no header": lambda lines: lines.pop(0),
    "another kind": lambda lines: lines[0].update(tablewright="session"),
    "a newer format": lambda lines: lines[0].update(format=99),
    "no format": lambda lines: lines[0].pop("format"),
    "a format that is not a number": lambda lines: lines[0].update(format=True),
    "no lines": lambda lines: lines.__delitem__(slice(1, None)),
    "a line is missing": lambda lines: lines.pop(5),
    "a line is doubled": lambda lines: lines.insert(5, lines[5]),
    "lines are exchanged": lambda lines: lines.insert(5, lines.pop(6)),
    "an unknown kind": lambda lines: lines[3].update(kind="Exploded"),
    "an unknown field": lambda lines: lines[3].update(more=1),
    "a wrong parent": lambda lines: of_kind(lines, "CharacterAdded").update(parent=999),
    "a parent that is no line": lambda lines: of_kind(lines, "Entered").update(parent=None),
    "a parent where there is none": lambda lines: of_kind(lines, "SeatMade").update(parent=1),
    "begun twice": lambda lines: lines[4].update(kind="CampaignMade", data=lines[1]["data"]),
    "an unknown system": spoiled("CampaignMade", system="nonsense"),
    "an unknown option": spoiled("CampaignMade", options={"flying": True}),
    "a seed that is none": spoiled("CampaignMade", seed="12"),
    "undone to nowhere": spoiled("Undone", head=9_999),
    "undone to no line of play": spoiled("Undone", head=2),
    "redone to elsewhere": spoiled("Redone", head=1),
    "a place that is not there": lambda lines: lines[3].update(to={"game master": [99]}),
    "bodies that are none": lambda lines: lines[3].update(bodies="x"),
    "a seat that is not there": lambda lines: lines[3].update(kind="SeatRenamed", data={"seat": "zoe", "name": "Z"}),
    "no game master": lambda lines: of_kind(lines, "SeatMade")["data"].update(role="player"),
}


@pytest.mark.parametrize("name", SPOILS)
def test_a_spoiled_file_is_refused_and_leaves_nothing(quick: Store, lines: list[dict[str, Any]], name: str) -> None:
    copy: list[dict[str, Any]] = json.loads(json.dumps(lines))
    SPOILS[name](copy)
    with pytest.raises(InvalidInputError):
        import_campaign(quick, "".join([json.dumps(line) + "\n" for line in copy]))
    assert quick.campaigns() == []
    with quick.engine.connect() as connection:
        for table in ("lines", "feed", "snapshots", "links"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        "{",
        "[1]",
        "null",
        "[" * 100_000,
        '{"tablewright": "campaign", "format": 1, "x": ' + "[" * 60 + "]" * 60 + "}",
        '{"tablewright": "campaign", "format": 1, "x": NaN}',
        '{"tablewright": "campaign", "format": 1, "x": ' + "9" * 500 + "}",
        '{"tablewright": "campaign", "format": 1}\n' + "x" * (export.MOST_LINE_BYTES + 1),
        json.dumps({"tablewright": "campaign", "x": list(range(100_000))}),
        "tablewright: &a [*a]",
    ],
    ids=range(12),
)
def test_nonsense_is_refused(quick: Store, text: str | bytes) -> None:
    with pytest.raises(InvalidInputError):
        import_campaign(quick, text)


def test_excess_is_refused(quick: Store, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join([json.dumps(line) + "\n" for line in lines])
    monkeypatch.setattr(export, "MOST_LINES", 5)
    with pytest.raises(InvalidInputError, match="more than 5 lines"):
        import_campaign(quick, text)
    monkeypatch.undo()
    monkeypatch.setattr(export, "MOST_BYTES", 100)
    for given in (text, text.splitlines()):
        with pytest.raises(InvalidInputError, match="100 bytes"):
            import_campaign(quick, given)


# ---------------------------------------------------------------------- packs and characters from elsewhere


@pytest.mark.parametrize(
    "pack",
    [
        f"pack: &p {{id: a, title: A, version: '1'}}\nsystem: {SYSTEM}\nweapons: [*p]",
        "!!python/object/apply:os.system ['true']",
        "pack: {id: a, title: A, version: '1'}\nsystem: mars",
        "[" * 10_000,
        "../../etc/passwd",
    ],
)
def test_a_pack_from_elsewhere_is_only_data(quick: Store, pack: str) -> None:
    g = group(quick)
    with pytest.raises(InvalidInputError):
        g.act(g.gm, "pack.add", pack=pack)


def test_a_scenario_names_no_files(quick: Store) -> None:
    g = group(quick)
    for more in ({"packs": ["/etc/passwd"]}, {"participants": [{"character": "/etc/passwd.yaml", "side": "a"}]}):
        scenario = {"title": "x", "participants": [{"character": "ann", "side": "a"}]} | more
        with pytest.raises(InvalidInputError):
            g.act(g.gm, "scene.begin", scenario=scenario)


@pytest.mark.parametrize(
    "command",
    [
        {"do": "character.add", "character": {"name": "x" * 3_000_000}},
        {"do": "character.add", "character": {"a": [[]] * 70_000}},
        {"do": "start", "process": "table.check", "with": {"who": {"a": 10**400}}},
        {"do": "note.write", "text": "x" * 20_000},
        {"do": "note.write", "text": "\ud800"},
        {"do": "answer", "option": "a", "roll": True},
        {"do": "answer"},
        {"do": "undo", "line": 0},
        {"do": "undo", "line": "1"},
        {"do": "undo", "line": True},
        {"do": "throw", "dice": "999999d999999"},
        {"do": "throw", "dice": "d6", "audience": "nobody"},
        {},
        {"do": None},
        {"do": "answer", "option": "wait", "more": 1},
    ],
    ids=range(15),
)
def test_a_command_that_is_no_command_is_refused(quick: Store, command: dict[str, Any]) -> None:
    g = group(quick)
    with pytest.raises(InvalidInputError):
        g.table.act(g.gm, command)


# ---------------------------------------------------------------------- formats


def test_every_format_there_was_can_still_be_read(quick: Store) -> None:
    """Files of every format lie beside the tests; one that is missing is written, to be looked at and kept."""
    path = GOLDEN / f"pantry-{export.FORMAT}.jsonl"
    if not path.exists():
        GOLDEN.mkdir(exist_ok=True)
        path.write_text("".join(export_campaign(quick, played(quick).table.id)), encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written; look at it, and keep it")
    found = sorted(GOLDEN.glob("pantry-*.jsonl"))
    assert {int(one.stem.rpartition("-")[2]) for one in found} == {*export.MIGRATIONS, export.FORMAT}
    for one in found:
        made = import_campaign(quick, one.read_text(encoding="utf-8"))
        assert made.table.is_as_the_log_says()
        assert made.table.view("gwen")["scene"]["id"] == "scene-2"


def test_an_older_format_is_brought_up_to_this_one(
    quick: Store, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def renamed(older: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for line in older:
            line["by"] = line.pop("author")
            yield line

    monkeypatch.setitem(export.MIGRATIONS, export.FORMAT - 1, renamed)
    copy: list[dict[str, Any]] = json.loads(json.dumps(lines))
    copy[0]["format"] = export.FORMAT - 1
    for line in copy[1:]:
        line["author"] = line.pop("by")
    made = import_campaign(quick, "".join([json.dumps(line) + "\n" for line in copy]))
    assert made.table.is_as_the_log_says()
