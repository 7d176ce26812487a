"""Characters that players do not know of, scenes that begin with them, ids that count nothing, and names."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from table.playing import group
from table.test_secrets import SYSTEMS, refusal, twin
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.table import Store, Table
from tablewright.table.tokens import looks

# ---------------------------------------------------------------------- characters that are not known


@cache
def sheets(system: str) -> list[dict[str, Any]]:
    """The characters of a shipped scenario as plain data."""
    scene = open_session(load_scenario(f"{system}:even"), seed=1).scene
    return [one.character.to_json() for one in scene.participants]


def players(store: Store, system: str) -> tuple[Table, str, str, list[dict[str, Any]]]:
    """A campaign of any system with a player's character called ``hero``, and characters of a shipped scenario."""
    made = store.make_campaign("A table", system, seed=7)
    _, (table, gm) = store.exchange(made.invitation.token)
    _, (_, player) = store.exchange(table.invite(gm, name="Anna").token)
    people = sheets(system)
    table.act(gm, {"do": "character.add", "character": people[0], "id": "hero", "seat": player})
    return table, gm, player, people


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("scenario", [None, "even"])
def test_a_character_that_players_do_not_know_is_hidden_in_scenes(
    quick: Store, system: str, scenario: str | None
) -> None:
    table, gm, player, people = players(quick, system)
    table.act(gm, {"do": "character.add", "character": people[1] | {"name": "Vexqua"}, "id": "vexqua", "known": False})
    form = {"form": "time"} if scenario is None else {"scenario": scenario}
    table.act(gm, {"do": "scene.begin", "who": ["hero", "npc-vexqua"], **form})
    seen = json.dumps(table.view(player))
    assert "hero" in seen
    assert "vexqua" not in seen.casefold()
    hidden = {one["id"]: one["hidden"] for one in table.view(gm)["scene"]["participants"]}
    assert (hidden["hero"], hidden["npc-vexqua"]) == (False, True)
    if scenario is None:
        table.act(gm, {"do": "start", "process": "table.reveal", "with": {"who": "npc-vexqua"}})
        assert "Vexqua" in json.dumps(table.view(player)["scene"])


def test_a_character_that_players_do_not_know_joins_unseen(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "character.add", character="bob", id="spy", known=False)
    g.act(g.gm, "scene.begin", form="time", who=["ann"])
    g.act(g.gm, "join", entrant={"character": "npc-spy", "side": "party"})
    assert "npc-spy" in json.dumps(g.table.view(g.gm)["scene"])
    for seat in (g.anna, g.watcher):
        assert "spy" not in json.dumps(g.table.view(seat))
    g.act(g.gm, "scene.end")
    people = [{"character": "ann", "side": "folk"}, {"character": "npc-spy", "side": "folk"}]
    g.act(g.gm, "scene.begin", form="time", scenario={"title": "Quiet", "participants": people, "ends": "game_master"})
    assert "spy" not in json.dumps(g.table.view(g.anna))
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    assert "spy" not in json.dumps(g.table.view(g.ben))


def test_an_unknown_character_may_come_openly(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "character.add", character="bob", id="spy", known=False)
    g.act(g.gm, "scene.begin", form="time", who=["ann"])
    g.act(g.gm, "join", entrant={"character": "npc-spy", "side": "party", "hidden": False})
    assert "npc-spy" in json.dumps(g.table.view(g.anna)["scene"])


def test_a_fight_does_not_wait_for_an_onlooker(tmp_path: Path) -> None:
    """It ends when one side is left, in the same words whether or not an unknown character is there."""
    ended: list[Any] = []
    for number in range(2):
        g = twin(tmp_path / f"{number}.db")
        g.act(g.gm, "character.add", character="bob", id="spy", known=False)
        g.begin(who=["npc-spy"] if number else [])
        for one in g.state()["scene"]["participants"]:
            if one["side"] not in ("folk", "unseen-npc-spy"):
                g.act(g.gm, "start", process="table.leave", **{"with": {"who": one["id"]}})
        while g.question() is not None:
            g.answer()
        ended.append(g.state(g.anna)["scene"]["ended"])
        g.store.close()
    assert ended[0] == ended[1] == "folk win"


def test_many_unknown_characters_are_in_one_scene(quick: Store) -> None:
    g = group(quick)
    for _ in range(25):
        g.act(g.gm, "character.add", character="rat", known=False)
    g.act(g.gm, "scene.begin", form="time", who=[one["id"] for one in g.state()["characters"]])
    assert len(g.state()["scene"]["participants"]) == 27
    assert len(g.state(g.anna)["scene"]["participants"]) == 2
    g.table.forget()
    assert len(g.state(g.anna)["scene"]["participants"]) == 2


# ---------------------------------------------------------------------- who takes part in an encounter


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_take_part_in_an_encounter_that_comes_with_a_system(quick: Store, system: str) -> None:
    table, gm, player, people = players(quick, system)
    table.act(gm, {"do": "character.add", "character": people[1], "id": "other"})
    table.act(gm, {"do": "scene.begin", "form": "time"})
    table.act(gm, {"do": "scene.begin", "scenario": "even", "who": ["hero", "other"]})
    here = {one["id"]: one for one in table.view(player)["scene"]["participants"]}
    assert (here["hero"]["side"], here["hero"]["seat"], here["other"]["side"]) == ("party", player, "party")
    places = [one["position"] for one in here.values()]
    if system != "stage":  # where people share places
        assert len(set(places)) == len(places)
    assert table.is_as_the_log_says()


def test_a_scenario_without_room_for_one_more_is_refused(quick: Store) -> None:
    g = group(quick)
    ground = {"kind": "grid", "size": [2, 1]}
    people = [
        {"character": "bob", "side": "folk", "position": "0,0"},
        {"character": "rat", "side": "vermin", "position": "1,0"},
    ]
    scenario = {"title": "Cupboard", "ground": ground, "participants": people}
    g.act(g.gm, "scene.begin", form="time")
    before = g.table.view(g.gm)
    with pytest.raises(InvalidInputError, match="no free place"):
        g.act(g.gm, "scene.begin", scenario=scenario, who=["ann"])
    assert g.table.view(g.gm) == before


def test_a_scene_that_cannot_be_opened_leaves_the_open_one(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are not written yet can be gone back over, too."""
    from tablewright.table import scenes

    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    before = g.table.view(g.gm)
    opened = scenes.session_of

    def refused(campaign: Any, entries: Any = ()) -> Any:
        if campaign.play.scene.id == "scene-2":
            raise IllegalActionError("it does not fit")
        return opened(campaign, entries)

    monkeypatch.setattr(scenes, "session_of", refused)
    with pytest.raises(IllegalActionError, match="no scene is open any more"):
        g.begin()
    assert g.table.view(g.gm) == before


# ---------------------------------------------------------------------- places

BANDS = {
    "kind": "bands",
    "bands": [{"name": "near", "limit": 2}, {"name": "far", "limit": 30}],
    "between": [
        {"spots": ["table", "stove"], "band": "near"},
        {"spots": ["table", "secret-cellar"], "band": "near"},
        {"spots": ["table", "secret-attic"], "band": "near"},
    ],
}


def test_range_bands_name_no_hiding_place(quick: Store) -> None:
    g = group(quick)
    people = [
        {"character": "ann", "side": "folk", "position": "spot:table"},
        {"character": "rat", "side": "vermin", "position": "spot:stove"},
        {"character": "cat", "side": "vermin", "position": "spot:secret-cellar", "hidden": True},
    ]
    scenario = {"title": "Quiet", "participants": people, "ends": "game_master", "ground": BANDS}
    g.act(g.gm, "scene.begin", form="time", scenario=scenario)
    pairs = [{"spots": ["stove", "table"], "band": "near"}]
    for seat in (g.anna, g.watcher):
        view = g.table.view(seat)
        assert view["scene"]["ground"]["between"] == pairs
        assert "secret" not in json.dumps(view)
    assert len(g.table.view(g.gm)["scene"]["ground"]["between"]) == 3


# ---------------------------------------------------------------------- ids


def test_ids_do_not_count_what_is_hidden(tmp_path: Path) -> None:
    """With and without hidden things, what is public gets the same ids."""
    told: list[list[str]] = []
    for number in range(2):
        g = twin(tmp_path / f"{number}.db")
        seen: list[Any] = []
        if number:
            g.act(g.gm, "note.write", text="the cat is the queen", to="self")
            g.act(g.ben, "note.write", text="I know", to="gm")
            g.store.exchange(g.table.invite(g.gm).token, name="Zoe")
            g.act(g.gm, "character.add", character="rat", known=False)
        g.act(g.gm, "note.write", text="hello")
        g.act(g.ben, "note.write", text="hello too")
        g.table.invite(g.gm, name="Zoe")
        g.act(g.anna, "character.add", character="bob")
        rat = {"character": "rat", "side": "vermin"}
        people = [{"character": "ann", "side": "folk"}, *([rat | {"hidden": True}] if number else []), rat]
        g.act(g.gm, "scene.begin", form="time", scenario={"participants": people, "ends": "game_master"})
        if number:
            g.act(g.gm, "join", entrant=rat | {"hidden": True})
        g.act(g.gm, "join", entrant=rat)
        seen += [g.table.view(seat) for seat in (g.anna, g.watcher)]
        told.append([json.dumps(view) for view in seen])
        g.store.close()
    assert told[0] == told[1]


def test_a_note_is_changed_by_its_id(quick: Store) -> None:
    g = group(quick)
    for text in ("one", "two"):
        g.act(g.anna, "note.write", text=text)
    one, two = g.state(g.ben)["notes"]
    assert one["id"] != two["id"]
    g.act(g.anna, "note.write", text="changed", id=two["id"])
    assert [note["text"] for note in g.state(g.ben)["notes"]] == ["one", "changed"]


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    ["Game\u200b Master", "Ga\u00adme Master", "\u202eretsaM emaG", "Anna\u2060", "An\x07na", "\ufeffAnna", "\u3164"],
)
def test_a_name_with_letters_that_cannot_be_seen_is_refused(quick: Store, name: str) -> None:
    g = group(quick)
    with pytest.raises(InvalidInputError, match="cannot be seen"):
        quick.exchange(g.table.invite(g.gm).token, name=name)
    with pytest.raises(InvalidInputError):
        g.act(g.ben, "seat.rename", seat=g.ben, name=name)
    with pytest.raises(InvalidInputError, match="cannot be seen"):
        g.table.invite(g.gm, name=name)


@pytest.mark.parametrize(
    "name", ["Game Master", "GAME  master", "Gаme Mаster", "Gwen", "gwеn", "Ｇｗｅｎ", "A n n a", "Änna"]
)
def test_nobody_takes_a_name_that_looks_like_anothers(quick: Store, name: str) -> None:
    g = group(quick)
    with pytest.raises(InvalidInputError, match="taken at this table; choose another name"):
        quick.exchange(g.table.invite(g.gm).token, name=name)
    with pytest.raises(InvalidInputError, match="taken at this table; choose another name"):
        g.act(g.ben, "seat.rename", seat=g.ben, name=name)
    assert g.table.seat(g.ben)["name"] == "Ben"


def test_a_character_has_no_name_with_letters_that_cannot_be_seen(quick: Store) -> None:
    g = group(quick)
    plain = g.state()["characters"][0]["character"]
    for seat in (g.anna, g.gm):
        with pytest.raises(InvalidInputError, match=r"U\+200B cannot be seen"):
            g.act(seat, "character.add", character=plain | {"name": "An\u200bn"})
    with pytest.raises(InvalidInputError, match=r"U\+202E cannot be seen"):
        g.act(g.gm, "character.replace", who="ann", character=plain | {"name": "A\u202enn"})


def test_titles_have_no_letters_that_cannot_be_seen(quick: Store) -> None:
    """A mark that turns the direction of writing would turn the rest of the sentence about it."""
    g = group(quick)
    scenario = load_scenario("coinfolk:together").to_json()
    for command in (
        {"do": "handout.keep", "text": "Come"},
        {"do": "encounter.keep", "scenario": scenario},
        {"do": "scene.begin", "form": "time"},
    ):
        with pytest.raises(InvalidInputError, match=r"U\+202E cannot be seen"):
            g.table.act(g.gm, command | {"title": "The let\u202eter"})
    assert g.state()["handouts"] == []
    g.act(g.gm, "scene.begin", form="time", title="")


def test_other_names_are_taken_freely(quick: Store) -> None:
    g = group(quick)
    for name in ("Benno", "Łucja", "Иван", "李雷", "Zoë O'Neil", "ben"):
        g.act(g.ben, "seat.rename", seat=g.ben, name=name)
        assert g.table.seat(g.ben)["name"] == name
    assert looks("李雷") != looks("李四")
    assert looks("!") != looks("?")


def test_a_taken_name_does_not_give_away_a_waiting_guest(quick: Store) -> None:
    g = group(quick)
    quick.exchange(g.table.invite(g.gm).token, name="Zoe")
    g.act(g.ben, "seat.rename", seat=g.ben, name="Zoe")
    assert g.table.seat(g.ben)["name"] == "Zoe"


def test_names_that_look_alike_are_told_apart(quick: Store) -> None:
    g = group(quick)
    second = g.table.invite(g.gm, name="Аnna").seat  # the first letter is Cyrillic
    assert second is not None
    g.act(second, "note.write", text="hello")
    assert g.texts(g.gm)[-1] == f"Аnna ({second}): hello"


def test_no_path_is_offered_to_a_hiding_place(quick: Store) -> None:
    g = group(quick)
    people = [
        {"character": "ann", "side": "folk", "position": "spot:table"},
        {"character": "rat", "side": "vermin", "position": "spot:stove"},
        {"character": "cat", "side": "vermin", "position": "spot:secret-cellar", "hidden": True},
    ]
    g.act(g.gm, "scene.begin", scenario={"title": "Quiet", "participants": people, "ground": BANDS})
    whole = [one["id"] for one in g.until(g.anna)["options"]]
    secret = [id_ for id_ in whole if "secret" in id_]
    assert len(secret) == 2
    mine = g.question(g.anna)
    assert mine is not None
    assert [one["id"] for one in mine["options"]] == [id_ for id_ in whole if id_ not in secret]
    told = refusal(partial(g.act, g.anna, "answer", option=secret[0]))
    nonsense = refusal(partial(g.act, g.anna, "answer", option="walk::nowhere"))
    assert told[0] == nonsense[0] == "InvalidInputError"
    assert "secret" not in told[1].replace(secret[0], "")
    assert "secret" not in nonsense[1]
    g.act(g.anna, "answer", option=mine["default"])
