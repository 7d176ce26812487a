"""A participant who joins in the middle of a scene is treated like the others, in every system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablewright.game.play.common_events import ParticipantJoined
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scene.arrival import pending_of
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_scene, open_session
from tablewright.game.session.record import entry_from_json, entry_to_json
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.shipped_content import shipped_library

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
NOW = 100_001
OPTIONS: dict[str, dict[str, Any]] = {"mars": {"fatigue": "on"}}
ILL: dict[str, dict[str, Any]] = {
    "renaissance": {"harm": {"damage": 4}},
    "stage": {"wounds": {"sanity": 0}},
}
"""State that a character of a system can arrive with, unlike a freshly made one."""


def people(system: str) -> list[dict[str, Any]]:
    """Characters of the starter pack, including sick ones."""
    whole = load_system(system)
    library = shipped_library(whole)
    entries: list[Any] = [entry for kind in whole.rulebook.character_kinds for entry in library.of(kind)]
    read = [whole.rulebook.character.model_validate(dict(one.character)).to_json() for one in entries]
    return [*read, *[one | ILL[system] for one in read if system in ILL]]


def scene_of(system: str, *entrants: Mapping[str, Any]) -> Session:
    plain = {"title": "t", "system": system, "now": NOW, "options": OPTIONS.get(system, {}), "participants": entrants}
    return open_session(read_scenario(plain, folder=Path("/")), seed=1)


def entrant(who: str, character: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": who, "side": "party", "seat": who, "character": dict(character)}


def in_the_middle(system: str, guest: Mapping[str, Any]) -> Session:
    session = scene_of(system, entrant("host", people(system)[0]))
    session.join(entrant("guest", guest))
    return session


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_late_joiner_has_the_same_dues_and_the_same_seat_as_one_who_was_there(system: str) -> None:
    everybody = people(system)
    dues, seats = set(), set()
    for guest in everybody:
        early = scene_of(system, entrant("host", everybody[0]), entrant("guest", guest)).scene
        session = in_the_middle(system, guest)
        late = session.scene
        assert pending_of(late, "guest") == pending_of(early, "guest")
        assert late["guest"].seat == early["guest"].seat
        assert late["guest"].status == early["guest"].status
        assert late["guest"].character == early["guest"].character
        dues |= {one.what for one in pending_of(late, "guest")}
        seats.add(str(late["guest"].seat))
        again = Session(
            session.header, session.rulebook, [entry_from_json(entry_to_json(one)) for one in session.entries]
        )
        assert again.scene == late
    assert dues >= {"mars": {"day"}, "renaissance": {"reckon"}}.get(system, set())
    assert seats == ({"guest", GAME_MASTER} if system == "stage" else {"guest"})


def test_a_wounded_joiner_heals_by_the_day_like_the_others() -> None:
    hurt = people("renaissance")[0] | ILL["renaissance"]
    session = scene_of("renaissance", entrant("host", hurt))
    session.join(entrant("guest", hurt))
    session.do("renaissance.rest", days=3)
    assert [session.scene[who].status.damage for who in ("host", "guest")] == [1, 1]
    session.do("renaissance.rest", days=2)
    assert [session.scene[who].status.damage for who in ("host", "guest")] == [0, 0]


def test_one_who_leaves_and_comes_back_has_every_due_once() -> None:
    session = in_the_middle("renaissance", people("renaissance")[0])
    for present in ("false", "true"):
        session.do("table.rule", who="guest", field="present", value=present, reason="a test")
    assert [one.what for one in pending_of(session.scene, "guest")] == ["reckon"]


# ---------------------------------------------------------------------- the hook itself


def arrival(scene: Scene, who: str) -> Scene:
    assert scene[who].present
    return evolve(scene, clock=scene.clock.schedule("bed time", after=9, who=who))


def nightfall(scene: Scene) -> Scene:
    return evolve(scene, clock=scene.clock.schedule("night", after=5 + len(scene.clock.due)))


def with_hooks() -> Rulebook:
    return replace(load_system("coinfolk").rulebook, on_arrival=arrival, on_open=nightfall)


def due(scene: Scene) -> list[tuple[str, str, int]]:
    return [(one.what, one.who, one.at) for one in scene.clock.due]


def test_everyone_arrives_before_the_scene_opens() -> None:
    system = load_system("coinfolk")
    entrants = [entrant(who, people("coinfolk")[0]) for who in ("ann", "bob")]
    plain = {"title": "t", "system": "coinfolk", "participants": entrants}
    scene = open_scene(system, read_scenario(plain, folder=Path("/")), {})
    assert due(with_hooks().open_scene(scene)) == [("night", "", 7), ("bed time", "ann", 9), ("bed time", "bob", 9)]
    assert due(system.rulebook.open_scene(scene)) == []


@pytest.mark.parametrize("copies", [0, 1, 2])
def test_a_joiner_arrives_once_with_a_copied_rulebook_too(copies: int) -> None:
    book = with_hooks()
    for _ in range(copies):
        book = replace(book, pass_action=book.pass_action)
    scene = scene_of("coinfolk", entrant("host", people("coinfolk")[0])).scene
    comes = book.participant(scene["host"].character, scene.options, scene.library, id="ann", side="party", seat="ann")
    after = book.apply(scene, ParticipantJoined(who="ann", name="Ann", side="party", participant=comes))
    assert due(after) == [("bed time", "ann", NOW + 9)]
    assert (
        due(
            load_system("coinfolk").rulebook.apply(
                scene, ParticipantJoined(who="ann", name="", side="", participant=comes)
            )
        )
        == []
    )
