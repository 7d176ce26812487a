"""Views of questions, of a system's part of the scene and of loose items, by seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from coinfolk import book

from tablewright.engine import Choice, ClosedOption, choose
from tablewright.engine.json_values import to_json
from tablewright.game.content.entries import EntryPart
from tablewright.game.narration.projection import project_question, project_scene
from tablewright.game.play.common_events import ParticipantHidden
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem
from tablewright.game.scene.visibility import GAME_MASTER, secret, visible
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_log, project_session


def fight(*, hidden: str = "", turn: Any = None, monkeypatch: pytest.MonkeyPatch | None = None) -> Session:
    """Ann, Bob, the cat and the rat, each with a seat of their own."""
    if monkeypatch is not None:
        monkeypatch.setattr(book, "turn", turn)
    scenario = load_scenario("coinfolk:together")
    session = open_session(scenario, seed=1, seats={one.id: one.id for one in scenario.entrants})
    scene = session.header.scene
    if hidden:
        scene = scene.with_participant(replace(scene[hidden], hidden=True))
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do(session.rulebook.encounter.name)
    return session


def waiting(session: Session, viewer: str) -> Any:
    seen = project_question(session.playing, session.scene, viewer)
    assert seen is not None
    return seen.get("waiting", seen.get("kind"))


# ---------------------------------------------------------------------- the seat that is waited for


def test_everyone_knows_the_acting_character() -> None:
    session = fight()
    assert session.scene.turn == "cat"
    assert [waiting(session, seat) for seat in ("ann", "rat", "cat", GAME_MASTER)] == ["cat", "cat", "choice", "choice"]


def test_nobody_is_told_that_a_hidden_one_has_its_turn() -> None:
    session = fight(hidden="cat")
    assert [waiting(session, seat) for seat in ("ann", "bob", "rat")] == ["somebody", "somebody", "cat"]


@pytest.mark.parametrize("hidden", ["", "rat"])
@pytest.mark.parametrize(("about", "told"), [({}, "somebody"), ({"open": True}, "rat")])
def test_the_reacting_character_is_told_only_where_the_question_is_open(
    monkeypatch: pytest.MonkeyPatch, hidden: str, about: dict[str, Any], told: str
) -> None:
    async def turn(game: Game, who: str) -> None:
        await choose("rat", "interrupt?", ["yes", "no"], details=about)

    session = fight(hidden=hidden, turn=turn, monkeypatch=monkeypatch)
    assert session.seat == "rat"
    assert [waiting(session, seat) for seat in ("ann", "bob", "cat")] == [told] * 3


# ---------------------------------------------------------------------- what lies on the table so far


def test_a_character_who_is_asked_in_a_rule_sees_what_lies_on_the_table() -> None:
    session = fight()
    assert "so_far" not in project_session(session, "cat")["question"]
    session.choose("strike:ann")
    session.type_in([2, 1])
    assert session.seat == "cat"
    own, master = [project_session(session, seat)["question"]["so_far"] for seat in ("cat", GAME_MASTER)]
    assert own["mechanic"] == "coinfolk.strike"
    assert "result" not in own
    assert "[2, 1]" in str(own["steps"])
    assert own == master
    assert project_session(session, "bob")["question"] == {"waiting": "somebody"}
    session.choose("no")
    assert session.seat == "ann"
    struck = project_session(session, "ann")["question"]["so_far"]
    assert "[2, 1]" in str(struck["steps"])
    assert "luck" not in struck["arguments"]
    assert "luck" in master["arguments"]


# ---------------------------------------------------------------------- reasons


def test_a_reason_does_not_name_a_character_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    async def turn(game: Game, who: str) -> None:
        closed = [
            ClosedOption("a", "the rat stands in the way", "coinfolk.fight.reach"),
            ClosedOption("b", "Rat!"),
            ClosedOption("c", "out of breath, and no pirate"),
        ]
        await choose("ann", "what now?", ["x", "y"], closed=closed)

    for hidden, reasons in (
        ("", ["the rat stands in the way", "Rat!", "out of breath, and no pirate"]),
        ("rat", ["cannot be done now", "cannot be done now", "out of breath, and no pirate"]),
    ):
        session = fight(hidden=hidden, turn=turn, monkeypatch=monkeypatch)
        assert isinstance(session.question, Choice)
        assert [closed["reason"] for closed in project_session(session, "ann")["question"]["closed"]] == reasons


# ---------------------------------------------------------------------- the scene


@dataclass(frozen=True)
class Weather:
    """Part of a scene that belongs to a system."""

    rain: bool = visible(default=True)
    omen: str = secret(default="death")


@dataclass(frozen=True)
class Private:
    """Part of a scene that no one sees."""

    omen: object = object


def test_the_systems_own_part_shows_what_it_declares() -> None:
    session = fight()
    for extra, seen in ((Weather(), {"rain": True}), (Private(), {}), (None, {}), ("word", {})):
        scene = replace(session.scene, system_state=extra)
        assert project_scene(scene, session.rulebook, "ann")["extra"] == seen
    told = project_scene(replace(session.scene, system_state=Weather()), session.rulebook, GAME_MASTER)["extra"]
    assert told == {"rain": True, "omen": "death"}


def test_things_on_the_ground_do_not_betray_their_owner() -> None:
    session = fight(hidden="rat")
    scene = replace(session.scene, loose_items=(LooseItem("knife", "rat"), LooseItem("poker", "ann")))
    owners = [one["owner"] for one in project_scene(scene, session.rulebook, "ann")["lying"]]
    assert owners == ["", "ann"]


class Dose(EntryPart):
    """A part of a content entry."""

    kind: str = "poison"
    strength: int


def test_a_part_of_content_can_stand_in_an_event() -> None:
    assert to_json((Dose(strength=3),)) == [{"kind": "poison", "strength": 3}]


# ---------------------------------------------------------------------- what was seen stays seen


def test_seen_events_stay_seen_and_unseen_ones_never_appear() -> None:
    session = fight()
    seen = project_log(session, "ann")
    assert any(line.get("who") == "rat" or "rat" in line.get("order", ()) for line in seen)
    session.do("table.hide", who="rat")
    hidden = project_log(session, "ann")
    assert hidden == seen
    session.do("table.rule", who="rat", field="health", value="3", reason="a scratch")
    assert project_log(session, "ann") == hidden
    session.do("table.reveal", who="rat")
    revealed = project_log(session, "ann")
    assert revealed[: len(hidden)] == hidden
    assert [line["event"] for line in revealed[len(hidden) :]] == ["Revealed"]
    session.undo(3)
    assert project_log(session, "ann") == seen


def test_a_process_that_fails_at_once_leaves_no_sight_behind() -> None:
    session = fight()
    lines, scene = len(session.log), session.scene
    session.live.emit(ParticipantHidden(who="rat", cause="table"))
    session.live.take_back(scene, lines)
    session.do("table.modify", what="strike", value=1, reason="high ground", who="rat")
    before, after = session.live.scenes_of(len(session.log) - 1)
    assert before.can_see("ann", "rat")
    assert after.can_see("ann", "rat")


# ---------------------------------------------------------------------- what a status says of others


def test_a_status_names_nobody_who_is_hidden() -> None:
    @dataclass(frozen=True)
    class Near:
        beside: tuple[str, ...] = visible()
        held_by: str = visible()
        mood: str = visible(default="calm")

    session = fight(hidden="cat")
    near, book = Near(("cat", "bob"), "cat"), replace(session.rulebook, health=lambda one: "well")
    scene = session.scene.with_participant(replace(session.scene["ann"], status=near))

    def seen(viewer: str) -> dict[str, Any]:
        people = project_scene(scene, book, viewer)["participants"]
        status: dict[str, Any] = next(one["status"] for one in people if one["id"] == "ann")
        return status

    assert seen("bob") == {"beside": ["bob"], "held_by": "somebody", "mood": "calm"}
    assert seen(GAME_MASTER) == {"beside": ["cat", "bob"], "held_by": "cat", "mood": "calm"}
