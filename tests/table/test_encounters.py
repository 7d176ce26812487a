"""Encounters that the game master prepares: kept with the campaign, hidden from everyone else."""

from __future__ import annotations

import pytest

from table.playing import Group, group
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.table import ForbiddenError, NotFoundError, Store, export_campaign, import_campaign

SCENARIO = load_scenario("coinfolk:together").to_json()


def kept(g: Group, title: str = "The cellar") -> str:
    g.act(g.gm, "encounter.keep", title=title, scenario=SCENARIO)
    name: str = g.state()["encounters"][-1]["id"]
    return name


def test_an_encounter_is_kept_and_nobody_else_knows(quick: Store) -> None:
    g = group(quick)
    before = {seat: (g.state(seat), g.table.cursor(seat)) for seat in (g.anna, g.watcher)}
    name = kept(g)
    assert g.state()["encounters"] == [{"id": name, "title": "The cellar"}]
    for seat, seen in before.items():
        assert (g.state(seat), g.table.cursor(seat)) == seen
        with pytest.raises(ForbiddenError):
            g.table.encounter(seat, name)
        with pytest.raises(ForbiddenError):
            g.table.encounter(seat, "none")
    assert g.table.encounter(g.gm, name)["scenario"] == SCENARIO
    g.table.forget()
    assert g.table.encounter(g.gm, name)["title"] == "The cellar"
    copy = import_campaign(quick, "".join(export_campaign(quick, g.table.id)))
    assert copy.table.encounter(g.gm, name)["scenario"] == SCENARIO
    told = g.table.encounter(g.gm, name)
    g.act(g.gm, "scene.begin", scenario=told["scenario"])
    assert {one["id"] for one in g.state()["scene"]["participants"]} >= {"ann", "rat"}
    assert g.table.is_as_the_log_says()


def test_an_encounter_is_replaced_and_dropped(quick: Store) -> None:
    g = group(quick)
    name = kept(g)
    g.act(g.gm, "encounter.keep", title="The attic", scenario=SCENARIO, id=name)
    assert g.state()["encounters"] == [{"id": name, "title": "The attic"}]
    assert kept(g) != name
    g.act(g.gm, "encounter.drop", id=name)
    assert [one["id"] for one in g.state()["encounters"]] == [f"{name}-2"]
    with pytest.raises(NotFoundError):
        g.table.encounter(g.gm, name)
    with pytest.raises(NotFoundError):
        g.act(g.gm, "encounter.drop", id=name)
    with pytest.raises(NotFoundError):
        g.act(g.gm, "encounter.keep", title="x", scenario=SCENARIO, id=name)


def test_unplayable_fights_are_not_saved(quick: Store) -> None:
    g = group(quick)
    people = [{"id": "rat", "side": "vermin", "character": "ratt"}]
    with pytest.raises(InvalidInputError, match="ratt"):
        g.act(g.gm, "encounter.keep", title="x", scenario=SCENARIO | {"participants": people})
    assert g.state()["encounters"] == []
