"""Entries of a campaign: its beginning is told once, and everyone is called by one form of the name."""

from __future__ import annotations

from pathlib import Path

from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.values import thaw
from tablewright.table import open_store


def headlines(tmp_path: Path, title: str, system: str) -> list[str]:
    """Headlines of a campaign in which bots play the scenario ``even`` and one of its characters is added as well."""
    store = open_store(tmp_path / "table.db")
    _, (table, gm) = store.exchange(store.make_campaign(title, system, seed=7).invitation.token)
    scenario = load_scenario(f"{system}:even")
    people = open_session(scenario, seed=1).scene.participants
    added = next((one for one in people if one.character.name == "Evil humanoid"), people[0])
    table.act(gm, {"do": "character.add", "character": added.character.to_json()})
    bots = {one.id: "careful" for one in scenario.entrants}
    table.act(gm, {"do": "scene.begin", "scenario": thaw(scenario.to_json()), "bots": bots})
    told = ["".join([part["text"] for part in entry["headline"]]) for entry in table.view(gm, 0)["entries"]]
    store.close()
    return told


def test_a_campaign_with_the_title_of_its_first_scene_begins_once(tmp_path: Path) -> None:
    assert headlines(tmp_path, "The toll bridge", "mars").count("The toll bridge begins.") == 1


def test_a_scene_with_a_title_of_its_own_begins_as_well(tmp_path: Path) -> None:
    told = headlines(tmp_path, "A table", "mars")
    assert told.count("A table begins.") == told.count("The toll bridge begins.") == 1


def test_everyone_who_joins_is_called_as_in_the_fight(tmp_path: Path) -> None:
    told = headlines(tmp_path, "A table", "opend6")
    assert "Evil Humanoid is part of the campaign." in told
    assert not any("Evil humanoid" in text for text in told)


def test_the_page_tells_repeated_attempts_as_the_terminal_does(tmp_path: Path) -> None:
    assert any(" tries again, and " in text for text in headlines(tmp_path, "A table", "mars"))
