"""Packs that players do not know of: neither their names nor what is in them reach a player in any way."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import pytest

from table.playing import ready_store
from table.test_secrets import SYSTEMS, refusal
from tablewright.engine import ClosedOption, Param, choose, process
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.content.packs import read_pack
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.session.opening import open_session
from tablewright.game.session.record import StartEntry
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.table import Store, Table
from tablewright.table.events import from_plain
from tablewright.table.secrecy import secrets_of

WORD = "vexqua"
"""A word that is nowhere but in what is secret."""


@cache
def secret_pack(system: str) -> str:
    """A pack with an entry of every kind that can be had by giving another one a new id and name."""
    library = shipped_library(load_system(system))
    plain: dict[str, Any] = {"pack": {"id": f"{WORD}_pack", "title": f"{WORD} title", "version": "1"}, "system": system}
    for kind in [kind for kind, _ in library.kinds if kind != "strikes"]:  # two of one result are not told apart
        for entry in library.of(kind)[:1]:
            copied = entry.to_json() | {"id": f"{WORD}_{kind}", "name": f"Old {WORD} {kind}"}
            if isinstance(copied.get("character"), dict):
                copied["character"] = copied["character"] | {"name": f"Old {WORD}"}
            wanted = plain | {kind: [copied | {"origin": "house"}]}
            try:
                read_pack(json.dumps(wanted), dict(library.kinds), library)
            except TablewrightError:
                continue
            plain = wanted
    return json.dumps(plain)


@cache
def sheet_of(system: str) -> dict[str, Any]:
    """A character that comes with a system."""
    scene = open_session(load_scenario(f"{system}:even"), seed=1).scene
    plain: dict[str, Any] = scene.participants[0].character.to_json()
    return plain


def seated(path: Path, system: str, *, pack: bool, known: bool = False) -> tuple[Table, str, str]:
    """A player with a character called ``hero``, at a table with a pack that they do not know of, or without it."""
    store = ready_store(path, now=lambda: "2026-03-04T05:06:07Z")
    made = store.make_campaign("A table", system, seed=7, id="twin")
    _, (table, gm) = store.exchange(made.invitation.token)
    _, (_, player) = store.exchange(table.invite(gm, name="Anna").token)
    table.act(gm, {"do": "setting.set", "name": "players_legal", "value": False})
    table.act(gm, {"do": "character.add", "character": sheet_of(system), "id": "hero", "seat": player})
    if pack:
        table.act(gm, {"do": "pack.add", "pack": secret_pack(system), "known": known})
    return table, gm, player


def entries(system: str) -> list[str]:
    """The ids in the secret pack."""
    plain = json.loads(secret_pack(system))
    return [one["id"] for some in plain.values() if isinstance(some, list) for one in some]


def words_of(system: str) -> list[str]:
    """Words a player might type: nonsense, near misses of names from the pack, and these names."""
    return ["qq", "vexqu", f"{WORD}_pack", *entries(system)]


def asked_of(table: Table, system: str, seat: str) -> list[Any]:
    """Answers to a player for names from a pack in every place, in a scene and between scenes."""
    told: list[Any] = [table.view(seat), table.lines(seat), str(refusal(partial(table.sheet, seat, "hero")))]
    for word in words_of(system):
        told.append(refusal(partial(table.act, seat, {"do": "character.add", "character": word})))
        told.append(refusal(partial(table.odds, seat, "hero", word)))
    others = ({"do": "pack.remove", "pack": WORD}, {"do": "scene.begin", "scenario": WORD})
    told += [refusal(partial(table.act, seat, command)) for command in others]
    check = load_system(system).rulebook.checks[0]
    for name in [*[one.name for one in check.situation if "Text" in repr(one.kind)], "item"]:
        for word in ("qq", *entries(system)[-2:]):
            wanted = refusal(partial(table.check_wanted, seat, "hero", check.id, {name: word}))
            told.append(str(wanted) if isinstance(wanted, list) else str((wanted.call, wanted.tallies)))
    return told


STARTED = ("advance", "buy", "learn", "train", "gain")
"""Processes that take something from the content; a game master may let players start them."""


def started_of(table: Table, system: str, seat: str) -> list[Any]:
    """Answers to a player who starts a process with names from a pack."""
    told: list[Any] = [refusal(partial(table.act, seat, {"do": "answer", "option": WORD}))]
    for one in load_system(system).rulebook.processes:
        texts = [given.name for given in one.params if given.name != "who"]
        if one.name.partition(".")[2] in STARTED:
            for word in ("qq", *entries(system)[:2], *entries(system)[-2:]):
                named: dict[str, Any] = {"who": "hero"} | dict.fromkeys(texts[:2], word)
                told.append(refusal(partial(table.act, seat, {"do": "start", "process": one.name, "with": named})))
    return told


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_player_gets_the_same_answers_with_and_without_a_secret_pack(tmp_path: Path, system: str) -> None:
    assert system == "coinfolk" or len(entries(system)) > 8
    told: list[list[Any]] = []
    for number in range(2):
        table, gm, player = seated(tmp_path / f"{number}.db", system, pack=bool(number))
        found = asked_of(table, system, player)
        processes = [
            one.name for one in load_system(system).rulebook.processes if one.name.partition(".")[2] in STARTED
        ]
        table.act(gm, {"do": "setting.set", "name": "players_start", "value": processes})
        table.act(gm, {"do": "scene.begin", "form": "time", "who": ["hero"]})
        found += [*asked_of(table, system, player), *started_of(table, system, player), table.view(player)]
        told.append(found)
        if number:
            assert WORD in json.dumps(table.view(gm))
    for one, other in zip(*told, strict=True):
        assert json.dumps(one) == json.dumps(other)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_player_adds_nobody_from_a_pack_that_they_do_not_know(tmp_path: Path, system: str) -> None:
    table, gm, player = seated(tmp_path / "one.db", system, pack=True)
    people = [id_ for kind in load_system(system).rulebook.character_kinds for id_ in ids_of(system, kind)]
    assert people
    for who in people:
        with pytest.raises(InvalidInputError) as refused:
            table.act(player, {"do": "character.add", "character": who})
        assert WORD not in str(refused.value).casefold().replace(f'"{who}"', "")
        table.act(gm, {"do": "character.add", "character": who})


def ids_of(system: str, kind: str) -> list[str]:
    return [one["id"] for one in json.loads(secret_pack(system)).get(kind, [])]


def test_a_known_pack_is_open_to_everyone(tmp_path: Path) -> None:
    table, _, player = seated(tmp_path / "one.db", "mars", pack=True, known=True)
    assert [pack["id"] for pack in table.view(player)["packs"]] == [f"{WORD}_pack"]
    with pytest.raises(InvalidInputError, match=WORD):
        table.act(player, {"do": "character.add", "character": "qq"})


def test_a_player_knows_what_their_own_character_has(tmp_path: Path) -> None:
    """A gift from a secret pack is on the sheet; the rest of the pack stays secret."""
    store = ready_store(tmp_path / "one.db")
    made = store.make_campaign("A table", "coinfolk", seed=7)
    _, (table, gm) = store.exchange(made.invitation.token)
    _, (_, player) = store.exchange(table.invite(gm, name="Anna").token)
    table.act(gm, {"do": "character.add", "character": "ann", "id": "ann", "seat": player})
    ladle = {"id": "ladle", "name": "Ladle", "edge": 1, "price": 2, "origin": "house"}
    weapons = [ladle, ladle | {"id": WORD, "name": WORD.title()}]
    pack = {"pack": {"id": "kitchen", "title": "Kitchen", "version": "1"}, "system": "coinfolk", "weapons": weapons}
    table.act(gm, {"do": "pack.add", "pack": pack})
    table.act(gm, {"do": "scene.begin", "form": "time"})
    table.act(gm, {"do": "start", "process": "coinfolk.gain", "with": {"who": "ann", "item": "ladle"}})
    assert "adle" in str(table.sheet(player, "ann"))
    told = refusal(lambda: table.odds(player, "ann", "wit"))
    assert "odds" in told
    assert WORD not in (json.dumps(table.view(player)) + str(table.sheet(player, "ann"))).casefold()


def test_options_from_a_secret_pack_are_not_offered_to_players(tmp_path: Path) -> None:
    """A player is asked what to take: only what they may know of is offered, and nothing else is taken."""
    table, gm, player = seated(tmp_path / "one.db", "mars", pack=True)
    table.act(gm, {"do": "scene.begin", "form": "time"})
    sitting = table._sitting
    assert sitting is not None
    known = secrets_of(sitting, sitting.campaign.seats[player])
    assert {f"{WORD}_maneuvers", f"{WORD}_pack", f"old {WORD} maneuvers"} <= known
    assert secrets_of(sitting, sitting.campaign.seats[gm]) == frozenset()
    book = replace(sitting.session.rulebook, processes=(*sitting.session.rulebook.processes, pick))
    sitting.session.rulebook = sitting.session.live.rulebook = book
    seen = started(table, gm)
    assert [one["id"] for one in seen["options"]] == ["precise_strike", f"{WORD}_maneuvers"]
    mine = table.view(player)["question"]
    assert [one["id"] for one in mine["options"]] == ["precise_strike"]
    assert mine["default"] == "precise_strike"
    assert [one["reason"] for one in mine["closed"]] == ["cannot be done now"]
    told = refusal(partial(table.act, player, {"do": "answer", "option": f"{WORD}_maneuvers"}))
    assert told[1] == f'unknown option "{WORD}_maneuvers"; choose one of: precise_strike'
    assert WORD not in json.dumps(refusal(partial(table.act, player, {"do": "answer", "option": "qq"})))


@process(rules=["mars.advancement.maneuver"])
async def pick(game: Game, who: Annotated[str, Param("who is asked")]) -> None:
    """Ask for a choice from the content."""
    of_pack = f"{WORD}_maneuvers"
    closed = [ClosedOption("other", f"it needs {of_pack}")]
    await choose(game.seat(who), "which?", [of_pack, "precise_strike"][::-1], closed=closed, details={"who": who})


def started(table: Table, gm: str) -> dict[str, Any]:
    """The question of a process of the tests."""
    sitting = table._sitting
    assert sitting is not None
    sitting.session.enter(StartEntry(pick.name, {"who": "hero"}))
    question: dict[str, Any] = table.view(gm)["question"]
    return question


def test_a_pack_of_an_older_file_is_a_secret(quick: Store) -> None:
    """A line that was written before packs could be known opens, and gives nothing away."""
    event = from_plain("PackAdded", {"pack": "a", "title": "A", "version": "1", "content": {}})
    assert getattr(event, "known") is False  # noqa: B009 - a field of this kind alone
