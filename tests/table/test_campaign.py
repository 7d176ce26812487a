"""A campaign is what its log says: characters, scenes, clock, options, packs, notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from table.playing import SYSTEM, any_system, group
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.visibility import undeclared_fields
from tablewright.game.system.registry import load_all
from tablewright.table import NotFoundError, Store
from tablewright.table.events import KINDS, from_plain, to_plain

SYSTEMS = [system.id for system in load_all().systems if system.rulebook_module is not None]


def test_every_field_of_every_event_says_who_may_see_it() -> None:
    for kind in KINDS.values():
        assert undeclared_fields(kind) == (), kind
        assert set(kind.inner) <= {entry.name for entry in fields(kind)}, kind
        if "seed" in {entry.name for entry in fields(kind)}:
            assert "seed" in kind.inner


def test_an_event_is_read_back_as_it_was_written(quick: Store) -> None:
    event = KINDS["Thrown"](by="anna", dice="2d6", faces=(3, 4), outcome=7, stream="table")  # type: ignore[call-arg]
    assert from_plain("Thrown", to_plain(event)) == event
    with pytest.raises(InvalidInputError, match="unknown event"):
        from_plain("Exploded", {})
    with pytest.raises(InvalidInputError, match="outcome"):
        from_plain("Thrown", to_plain(event) | {"outcome": "many"})


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_is_played_at_a_table(quick: Store, system: str) -> None:
    table, gm, player = any_system(quick, system)
    for _ in range(6):
        question = table.view(player, 10**9)["question"]
        if question is None:
            break
        assert question["kind"] == "choice"
        table.act(player, {"do": "answer", "option": question["default"]})
    assert table.is_as_the_log_says()
    before = table.view(gm), table.view(player)
    table.forget()
    assert (table.view(gm), table.view(player)) == before
    table.act(gm, {"do": "scene.end", "anyway": True})
    assert table.view(player)["scene"] is None
    assert table.is_as_the_log_says()


def test_a_scene_begins_ends_and_leaves_its_marks(quick: Store) -> None:
    g = group(quick)
    g.begin()
    scene = g.state()["scene"]
    assert (scene["id"], scene["form"], [one["id"] for one in scene["participants"]]) == (
        "scene-1",
        "encounter",
        ["ann", "bob", "rat", "cat"],
    )
    assert {one["id"]: one["seat"] for one in scene["participants"]} == {
        "ann": "anna",
        "bob": "ben",
        "rat": "game master",
        "cat": "game master",
    }
    with pytest.raises(IllegalActionError, match="a question is open in this scene"):
        g.act(g.gm, "scene.end")
    g.act(g.gm, "scene.end", anyway=True, outcome="it rains")
    state = g.state()
    assert state["scene"] is None
    assert [(one["ended"], one["outcome"]) for one in state["scenes"]] == [(True, "it rains")]


def test_saved_state_of_a_scene_is_in_the_next(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    g.act(g.gm, "start", process=f"{SYSTEM}.drop", **{"with": {"who": "ann", "item": "knife"}})
    g.act(g.gm, "start", process="table.pass_time", **{"with": {"amount": "2 days"}})
    assert g.state(g.anna)["clock"]["now"] == 48
    g.act(g.gm, "scene.begin", form="time", title="the day after")
    state = g.state(g.anna)
    assert [one["ended"] for one in state["scenes"]] == [True, False]
    assert state["clock"]["now"] == 48
    assert state["characters"][0]["character"]["belongings"] == []


def test_options_change_between_scenes_and_in_them(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "option.set", name="ducking", value="never", reason="too slow")
    assert g.state(g.anna)["options"] == {"ducking": "never"}
    g.act(g.gm, "scene.begin", form="time")
    assert g.state(g.anna)["scene"]["options"] == {"ducking": "never"}
    g.act(g.gm, "option.set", name="ducking", value="after", reason="too dull")
    g.act(g.gm, "scene.end")
    assert g.state(g.anna)["options"] == {}
    with pytest.raises(InvalidInputError, match="duckin"):
        g.act(g.gm, "option.set", name="duckin", value="never", reason="why not")


def test_options_of_a_scenario_stay_in_it(quick: Store) -> None:
    g = group(quick)
    scenario = {"title": "wet", "options": {"ducking": "never"}, "participants": [{"character": "ann", "side": "a"}]}
    g.act(g.gm, "scene.begin", scenario=scenario | {"ends": "game_master"})
    assert g.state()["scene"]["options"] == {"ducking": "never"}
    g.act(g.gm, "scene.end", anyway=True)
    assert g.state()["options"] == {}


def test_a_pack_is_used_from_the_next_scene_on(quick: Store) -> None:
    g = group(quick)
    weapon = {"id": "ladle", "name": "Ladle", "edge": 1, "price": 2, "origin": "house"}
    pack = {"pack": {"id": "kitchen", "title": "Kitchen", "version": "1"}, "system": SYSTEM, "weapons": [weapon]}
    g.act(g.gm, "pack.add", pack=pack, known=True)
    assert [one["id"] for one in g.state(g.anna)["packs"]] == ["kitchen"]
    g.act(g.gm, "scene.begin", form="time")
    with pytest.raises(IllegalActionError, match="between scenes"):
        g.act(g.gm, "pack.remove", pack="kitchen")
    g.act(g.gm, "start", process=f"{SYSTEM}.gain", **{"with": {"who": "ann", "item": "ladle"}})
    g.table.forget()
    assert "ladle" in str(g.state(g.anna)["characters"][0]["character"]["belongings"])
    g.act(g.gm, "scene.end")
    with pytest.raises(InvalidInputError, match="edge"):
        g.act(g.gm, "pack.add", pack=pack | {"weapons": [weapon | {"edge": "sharp"}]})


def test_notes_are_shown_to_their_readers_only(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "note.write", text="for all")
    g.act(g.anna, "note.write", text="for the master", to="gm")
    g.act(g.gm, "note.write", text="the cat is hungry", to="self")

    def notes(seat: str) -> list[str]:
        return [note["text"] for note in g.state(seat)["notes"]]

    assert notes(g.anna) == ["for all", "for the master"]
    assert notes(g.ben) == notes(g.watcher) == ["for all"]
    assert notes(g.gm) == ["for all", "for the master", "the cat is hungry"]
    first, second = [note["id"] for note in g.state(g.anna)["notes"]]
    with pytest.raises(NotFoundError):
        g.act(g.ben, "note.remove", id=first)
    g.act(g.anna, "note.write", text="for all of us", id=first)
    g.act(g.gm, "note.remove", id=second)
    assert notes(g.anna) == ["for all of us"]


def test_characters_come_change_and_go(quick: Store) -> None:
    g = group(quick)
    plain = g.state()["characters"][0]["character"]
    g.act(g.gm, "character.replace", who="ann", character=plain | {"name": "Annabel"}, reason="she asked for it")
    assert [one["name"] for one in g.state(g.ben)["characters"]] == ["Annabel", "Bob"]
    g.act(g.gm, "character.drop", who="bob")
    gone = g.table.lines(g.gm)[-1]
    assert (gone["text"], gone["played"]) == ("Bob is no longer part of the campaign", True), "it can be undone"
    assert [one["name"] for one in g.state(g.ben)["characters"]] == ["Annabel"]
    with pytest.raises(NotFoundError, match="bob"):
        g.act(g.gm, "character.drop", who="bob")
    with pytest.raises(InvalidInputError, match="grit"):
        g.act(g.gm, "character.add", character=plain | {"grit": "much"})
    g.undo(gone["number"])
    assert [one["name"] for one in g.state(g.ben)["characters"]] == ["Annabel", "Bob"]


def test_refusals_change_nothing(quick: Store) -> None:
    g = group(quick)
    g.begin()
    before = g.table.view(g.gm)
    wrong: list[Callable[[], Any]] = [
        lambda: g.act(g.gm, "answer", option="strike:nobody"),
        lambda: g.act(g.gm, "answer", faces=[1, 2]),
        lambda: g.act(g.gm, "start", process="table.nothing"),
        lambda: g.act(g.gm, "start", process="table.rule", **{"with": {"who": "rat", "field": "soul", "value": "1"}}),
        lambda: g.act(g.gm, "join", entrant={"character": "nobody"}),
        lambda: g.act(g.gm, "scene.begin", scenario="nowhere"),
        lambda: g.act(g.gm, "dance"),
        lambda: g.act(g.gm, "throw", dice="2x6"),
    ]
    for attempt in wrong:
        with pytest.raises((InvalidInputError, IllegalActionError)):
            attempt()
        assert g.table.view(g.gm) == before
    assert g.table.is_as_the_log_says()
