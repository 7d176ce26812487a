"""Time in scenes: what falls due, in which order, for which participants, and what stops it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from coinfolk import book
from coinfolk.book import Coinling

from game.opened import open_characters
from tablewright.engine import choose, process
from tablewright.errors import InvalidInputError
from tablewright.game.play import time_passage
from tablewright.game.play.common_events import Cancelled, Checked, Scheduled
from tablewright.game.play.time_passage import advance_time
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scene.arrival import pending_of
from tablewright.game.scene.game import Game
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session, resume_session
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_log
from tablewright.game.system.registry import load_system
from tablewright.game.time.clock import Clock, Data, Timer
from tablewright.game.time.timers import PendingTimer, PendingTimers

FallDue = Callable[[Game, Timer], Awaitable[None]]


class Ailing(Coinling):
    """A coinling that takes along what is due for it."""

    pending: PendingTimers = ()


@process(rules=["coinfolk.rest.heal"])
async def plan(game: Game, what: str, after: int, who: str = "", every: int = 0, rank: int = 0, data: str = "") -> None:
    """Put something on the clock."""
    thing = Scheduled(who=who or None, what=what, after=after, every=every, rank=rank, data=data or None)
    game.emit(thing)


@process(rules=["coinfolk.rest.heal"])
async def drop(game: Game, what: str, data: str) -> None:
    """Take something from the clock."""
    game.emit(Cancelled(what=what, data=data))


@pytest.fixture
def falling(monkeypatch: pytest.MonkeyPatch) -> list[Timer]:
    """Timers that ran out, in order; a "bell" is heard by everyone, a "riddle" asks the game master."""
    fallen: list[Timer] = []

    async def fall_due(game: Game, due: Timer) -> None:
        fallen.append(due)
        if due.what == "bell":
            game.emit(Checked(who="ann", what="hears the bell"))
        if due.what == "riddle":
            await choose(GAME_MASTER, "well?", ["yes", "no"])

    processes = (*book.rulebook.processes, plan, drop)
    mutant = replace(book.rulebook, character=Ailing, on_timer=fall_due, processes=processes)
    monkeypatch.setattr(book, "rulebook", mutant)
    return fallen


def together(*people: Coinling, now: int = 0) -> Session:
    named = [(one.name.casefold(), one) for one in people or (Ailing(name="Ann"),)]
    return open_characters(load_system("coinfolk"), named, seed=1, now=now)


def names(fallen: list[Timer]) -> list[str]:
    return [due.what for due in fallen]


# ---------------------------------------------------------------------- order


def test_the_rank_decides_between_things_due_at_the_same_moment(falling: list[Timer]) -> None:
    session = together()
    session.do("coinfolk.plan", what="season", after=90, rank=2)
    session.do("coinfolk.plan", what="month", after=30, every=30, rank=1)
    session.do("coinfolk.plan", what="dawn", after=90, rank=-1)
    session.do("table.pass_time", amount="90 hours")
    assert names(falling) == ["month", "month", "dawn", "month", "season"]


def test_clocks_keep_ranks_in_files() -> None:
    clock = Clock().schedule("b", after=5, rank=3).schedule("a", after=5, rank=-2)
    assert [due.what for due in clock.due] == ["a", "b"]
    assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock
    plain = clock.to_json()
    plain["due"].reverse()
    with pytest.raises(InvalidInputError, match="rank is -2"):
        Clock.from_json(plain)


@pytest.mark.parametrize(("data", "kept"), [("flu", ["pox"]), ("pox", ["flu"]), (None, ["flu", "pox"])])
def test_things_are_told_apart_by_what_they_carry(data: Data, kept: list[str]) -> None:
    clock = Clock().schedule("ill", after=3, data="flu").schedule("ill", after=9, data="pox")
    assert [due.data for due in clock.cancel("ill", data=data).due] == kept
    assert clock.left("ill", data="pox") == 9
    assert clock.left("ill") == 3
    assert clock.left("ill", data=None) is None
    assert Clock().schedule("x", after=1, data=1).left("x", data=True) is None


def test_an_event_cancels_by_data(falling: list[Timer]) -> None:
    session = together()
    for disease in ("flu", "pox"):
        session.do("coinfolk.plan", what="ill", after=5, who="ann", data=disease)
    session.do("coinfolk.drop", what="ill", data="flu")
    session.do("table.pass_time", amount="6 hours")
    assert [due.data for due in falling] == ["pox"]


# ---------------------------------------------------------------------- time within time, and stopping it


def test_time_stops_by_itself_after_a_great_many_things(falling: list[Timer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_passage, "MOST_FALLEN", 10)
    session = together()
    session.do("coinfolk.plan", what="tick", after=1, every=1)
    session.do("table.pass_time", amount="10 days")
    assert (len(falling), session.scene.clock.now) == (10, 10)
    session.do("table.pass_time", amount="5 hours")
    assert (len(falling), session.scene.clock.now) == (15, 15)


def test_time_within_time(falling: list[Timer]) -> None:
    session = together()
    session.do("coinfolk.plan", what="riddle", after=24)
    session.do("coinfolk.plan", what="later", after=100)
    session.do("table.pass_time", amount="3 days")
    assert session.seat == GAME_MASTER
    session.do("table.pass_time", amount="7 days")
    assert session.scene.clock.now == 8 * 24
    session.choose("yes")
    assert session.question is None
    assert session.scene.clock.now == 8 * 24
    assert names(falling) == ["riddle", "later"]


@pytest.mark.parametrize(
    ("stop", "now", "fallen", "left"),
    [
        ("never", 48, ["secret", "bell", "secret"], 0),
        ("always", 10, ["secret"], 38),
        ("news", 20, ["secret", "bell"], 28),
    ],
)
def test_time_stops_where_it_is_told_to(
    falling: list[Timer], stop: str, now: int, fallen: list[str], left: int
) -> None:
    session = open_session(_two_days(), seed=1)
    session.do("coinfolk.plan", what="secret", after=10, every=30)
    session.do("coinfolk.plan", what="bell", after=20)
    session.do("table.pass_time", amount="2 days", stop=stop)
    assert (session.scene.clock.now, names(falling), session.result) == (now, fallen, left)


def _two_days(**more: Any) -> Any:
    person = {"id": "ann", "side": "party", "seat": "ann", "character": Ailing(name="Ann").to_json()}
    return read_scenario({"title": "days", "system": "coinfolk", "participants": [person], **more})


def test_others_use_the_time_left_over(falling: list[Timer]) -> None:
    session = together()
    for after in (5, 15, 25):
        session.do("coinfolk.plan", what="tick", after=after)
    live = Game(session.scene, session.rulebook)
    time_passage = advance_time(live, 30, cause="test", stop=lambda game: game.scene.clock.now >= 15)
    with pytest.raises(StopIteration) as ended:
        time_passage.send(None)
    assert (ended.value.value, live.scene.clock.now, names(falling)) == (15, 15, ["tick", "tick"])


def test_time_does_not_go_back(falling: list[Timer]) -> None:
    live = Game(together().scene, load_system("coinfolk").rulebook)
    with pytest.raises(InvalidInputError, match="time does not go back"):
        advance_time(live, -1, cause="test").send(None)


def test_a_secret_that_falls_due_does_not_show_in_the_log(falling: list[Timer]) -> None:
    plain, secret = open_session(_two_days(), seed=1), open_session(_two_days(), seed=1)
    secret.do("coinfolk.plan", what="secret", after=10, who="ann", every=9)
    for session in (plain, secret):
        session.do("table.pass_time", amount="2 days")
    assert len(falling) == 5
    assert project_log(plain, "ann") == project_log(secret, "ann")
    assert [line["amount"] for line in project_log(secret, "ann")] == [48]
    assert [line.get("amount") for line in project_log(secret, GAME_MASTER)] == [None, 10, 9, 9, 9, 9, 2]


def test_visible_events_stay_where_they_happened(falling: list[Timer]) -> None:
    session = open_session(_two_days(), seed=1)
    session.do("coinfolk.plan", what="bell", after=20)
    session.do("table.pass_time", amount="2 days")
    assert [line.get("amount") for line in project_log(session, "ann")] == [20, None, 28]


# ---------------------------------------------------------------------- what is due goes along with its character


def fever(session: Session) -> None:
    session.do("coinfolk.plan", what="fever", after=36, who="ann", every=24, rank=2, data="marsh")


def test_timers_go_from_scene_to_scene(falling: list[Timer], tmp_path: Path) -> None:
    session = together()
    fever(session)
    session.do("table.pass_time", amount="30 hours")
    ann = session.rulebook.export_character(session.scene, "ann")
    assert ann.pending == (PendingTimer(what="fever", left=6, every=24, data="marsh", rank=2),)
    read = Ailing.model_validate_json(json.dumps(ann.to_json()))
    again = together(read, now=1000)
    assert again.scene.clock == Clock(1000, (Timer(1006, "fever", "ann", 24, "marsh", 2),))
    again.save(tmp_path / "s.json")
    assert resume_session(tmp_path / "s.json").scene == again.scene
    again.do("table.pass_time", amount="6 hours")
    assert names(falling) == ["fever"]


def test_timers_of_a_participant_who_left_do_nothing(falling: list[Timer]) -> None:
    session = together(Ailing(name="Ann"), Ailing(name="Bob"))
    fever(session)
    session.do("coinfolk.plan", what="supper", after=40)
    session.do("table.pass_time", amount="30 hours")
    session.do("table.leave", who="ann")
    session.do("table.pass_time", amount="5 days")
    assert names(falling) == ["supper"]
    left = session.rulebook.export_character(session.scene, "ann")
    assert [one.left for one in left.pending] == [6]
    session.join({"character": left.to_json(), "id": "ann", "side": "party"})
    session.do("table.pass_time", amount="6 hours")
    assert names(falling) == ["supper", "fever"]


def test_a_ruling_that_a_participant_left_or_returned(falling: list[Timer]) -> None:
    session = together()
    fever(session)
    before = session.scene
    session.do("table.rule", who="ann", field="present", value="false", reason="asleep")
    assert session.scene.clock.due == ()
    assert [one.left for one in pending_of(session.scene, "ann")] == [36]
    session.do("table.rule", who="ann", field="present", value="true", reason="awake")
    assert session.scene == before


def test_a_joiner_brings_their_timers(falling: list[Timer]) -> None:
    session = together(now=50)
    ill = Ailing(name="Bob", pending=(PendingTimer(what="fever", left=3),))
    session.join({"character": ill.to_json(), "id": "bob", "side": "party"})
    assert session.scene.clock.due == (Timer(53, "fever", "bob"),)
    session.undo()
    assert not session.scene.clock.due


def test_a_character_that_keeps_nothing_of_the_kind_is_as_it_was() -> None:
    session = together(Coinling(name="Ann"))
    assert session.rulebook.export_character(session.scene, "ann") == Coinling(name="Ann")


# ---------------------------------------------------------------------- the campaign's clock


def test_a_scenario_says_what_time_it_is() -> None:
    scenario = _two_days(now=240)
    assert open_session(scenario, seed=1).scene.clock.now == 240
    assert read_scenario(scenario.to_json()).now == 240
    with pytest.raises(InvalidInputError, match="now"):
        _two_days(now=-1)
