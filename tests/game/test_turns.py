"""Rounds and turns: one loop with hooks, the loop inside a turn, and the order of turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from game.turns import RULE, Did, Fell, book_of, doing, person, scene_of, session_of, started, told, up
from tablewright.engine import Choice, Playthrough, d
from tablewright.game.play.actions import ActionUse, Requirement
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import OrderSet, SceneEnded, TurnEnded, TurnStarted
from tablewright.game.play.turns import Causes, ask_order, play_rounds, rank_by_rolls, take_turn, winning_side
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.events import Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful, play_to_end
from tablewright.game.session.views import project_log


def never(scene: Scene) -> str | None:
    return None


async def nothing(game: Game, who: str) -> None:
    """A turn in which nothing is done."""


def hook(calls: list[str], name: str) -> Callable[[Game], Awaitable[None]]:
    async def called(game: Game) -> None:
        calls.append(f"{name} {game.scene.round}")

    return called


def rounds(outcome: Callable[[Scene], str | None] = never, turn: Any = nothing, **hooks: Any) -> Any:
    return lambda game: play_rounds(game, turn, outcome, cause=RULE, **hooks)


def test_everyone_takes_turns_in_order_until_the_scenario_ends_it() -> None:
    session = session_of(scene_of("ann", "bob", setup=started(2)), rounds(length=6))
    assert told(session, "RoundStarted", "TurnStarted") == [
        *("RoundStarted 1", "TurnStarted ann", "TurnStarted bob"),
        *("RoundStarted 2", "TurnStarted ann", "TurnStarted bob"),
    ]
    assert (session.scene.ended, session.scene.clock.now) == ("draw", 12)
    assert session.facts[-1]["reason"] == "2 rounds have passed"


def test_the_hooks_come_in_their_places() -> None:
    calls: list[str] = []
    names = ("round_begins", "round_began", "round_ends", "go_on")
    hooks: dict[str, Any] = {name: hook(calls, name) for name in names}
    session_of(scene_of("ann"), rounds(most=2, **hooks))
    without = [call for call in calls if not call.startswith("go_on")]
    first, second = ["round_begins 0", "round_began 1", "round_ends 1"], ["round_begins 1", "round_began 2"]
    assert without == [*first, *second, "round_ends 2"]
    assert calls[0] == "go_on 0"
    assert calls.count("go_on 1") == 2, "before every turn and before every round"


def test_each_thing_names_its_own_rule() -> None:
    causes = Causes("demo.turn", "demo.round", "demo.end")
    session = session_of(
        scene_of("ann"),
        lambda game: play_rounds(game, nothing, lambda scene: "won" if scene.acted else None, cause=causes),
    )
    assert [(line["event"], line["cause"]) for line in session.facts] == [
        ("RoundStarted", "demo.round"),
        ("TurnStarted", "demo.turn"),
        ("TurnEnded", "demo.turn"),
        ("SceneEnded", "demo.end"),
    ]


def test_it_is_over_at_once_and_not_after_the_next_initiative() -> None:
    async def fall(game: Game) -> None:
        game.emit(Fell(who="bob", cause=RULE))

    async def initiative(game: Game) -> None:
        if game.scene.round:
            await d(10)

    session = session_of(
        scene_of("ann", "bob"),
        rounds(lambda scene: winning_side(scene, up), round_begins=initiative, round_ends=fall),
    )
    assert session.question is None
    assert (session.scene.ended, session.scene.round) == ("ann win", 1)


def test_ending_the_scene_at_the_end_of_a_round_starts_no_other() -> None:
    async def stop(game: Game) -> None:
        game.emit(SceneEnded(outcome="a truce", cause="ruling"))

    for outcome in (never, lambda scene: "won" if scene.ended else None):
        session = session_of(scene_of("ann"), rounds(outcome, round_ends=stop))
        assert told(session, "RoundStarted", "SceneEnded") == ["RoundStarted 1", "SceneEnded"]
        assert session.scene.ended == "a truce"


def test_an_action_under_way_is_finished_first() -> None:
    async def finish(game: Game) -> None:
        if game.scene["ann"].status.ap == 9:
            game.emit(Fell(who="bob", cause=RULE))

    under_way = scene_of("ann", "bob", round=4, turn="bob").with_status("ann", ap=9)
    session = session_of(under_way, rounds(lambda scene: winning_side(scene, up), go_on=finish))
    assert [line["event"] for line in session.facts] == ["Fell", "SceneEnded"], "bob's turn is not gone on with"


def test_a_turn_that_has_begun_is_gone_on_with() -> None:
    session = session_of(scene_of("ann", "bob", round=3, turn="bob", acted=("ann",)), rounds(most=3))
    assert [line["event"] for line in session.facts] == ["TurnEnded", "SceneEnded"]


def test_the_acting_character_may_be_the_systems_own() -> None:
    fallen = scene_of("ann", "bob").with_status("ann", up=False)
    session = session_of(fallen, rounds(most=1, may_act=lambda scene, who: up(scene[who])))
    assert told(session, "TurnStarted") == ["TurnStarted bob"]


# ---------------------------------------------------------------------- who comes and who moves up


def test_a_late_joiner_acts_from_the_next_round_on() -> None:
    session = open_session(load_scenario("coinfolk:together"), seed=1)
    session.do("coinfolk.encounter")
    session.join({"character": "rat", "id": "late", "side": "vermin"})
    assert play_to_end(session, {}, otherwise=careful)
    assert session.scene.order[-1] == "late"
    turns, whole_rounds = told(session, "TurnStarted").count("TurnStarted late"), session.scene.round - 2
    assert turns >= whole_rounds > 0, "once in every round but the first, and perhaps not in the last"


def test_a_hidden_newcomer_is_put_into_the_order_unseen() -> None:
    scene = scene_of("ann", person("bob", side="b"), person("lurker", side="b", seat="bob", hidden=True), order=())
    session = session_of(scene, rounds(most=1))
    assert session.scene.order == ("ann", "bob", "lurker")
    heard = {viewer: project_log(session, viewer) for viewer in ("ann", "bob")}
    orders = {viewer: [line["order"] for line in log if line["event"] == "OrderSet"] for viewer, log in heard.items()}
    assert orders == {"ann": [["ann", "bob"]], "bob": [["ann", "bob"], ["ann", "bob", "lurker"]]}


def test_a_system_may_order_rounds_itself() -> None:
    async def backwards(game: Game) -> None:
        game.emit(OrderSet(order=tuple(reversed(game.scene.order)), cause=RULE))

    session = session_of(scene_of("ann", "bob"), rounds(most=2, round_begins=backwards))
    assert told(session, "TurnStarted") == [f"TurnStarted {who}" for who in ("bob", "ann", "ann", "bob")]


def test_a_character_who_moves_up_ends_no_turn_but_their_own() -> None:
    async def turn(game: Game, who: str) -> None:
        if who == "ann":
            game.emit(TurnEnded(who="bob", cause=RULE))
            assert game.scene.turn == "ann"

    session = session_of(scene_of("ann", "bob", "cid"), rounds(turn=turn, most=1))
    assert told(session, "TurnStarted") == ["TurnStarted ann", "TurnStarted cid"]
    assert session.scene.acted == ("bob", "ann", "cid")


# ---------------------------------------------------------------------- inside a turn


def turning(**more: Any) -> Any:
    async def turn(game: Game, who: str) -> None:
        await take_turn(game, who, goes_on=lambda scene, who: scene.turn == who, **more)

    return rounds(turn=turn, most=1)


def question(session: Any) -> Choice[Any]:
    assert isinstance(session.question, Choice)
    return session.question


def test_a_turn_goes_on_until_its_owner_passes() -> None:
    session = session_of(scene_of("ann"), turning(about=lambda scene, who: {"left": 3}), [doing("hop")])
    assert dict(question(session).details) == {"who": "ann", "left": 3}
    assert question(session).ids == ("hop", "rest")
    assert question(session).default == 1
    for choice in ("hop", "hop", "rest"):
        session.choose(choice)
    assert told(session, "Did") == ["Did ann hop", "Did ann hop", "Did ann rest"], "to rest is something that is done"
    assert session.scene.ended == "draw"


def test_there_is_an_end_to_it() -> None:
    session = session_of(scene_of("ann"), turning(most=2), [doing("hop")])
    session.choose("hop")
    session.choose("hop")
    assert session.scene.ended == "draw"


def test_doing_nothing_need_be_no_action_and_is_there_even_where_it_is_refused() -> None:
    session = session_of(scene_of("ann"), turning(idle=ActionUse("pass", label="Pass")), [doing("hop")])
    assert question(session).ids == ("hop", "rest", "pass")
    session.choose("pass")
    assert told(session, "Did") == []
    busy = Requirement(RULE, lambda scene, who, use: "busy", once=True)
    session = session_of(scene_of("ann"), turning(idle=ActionUse("stop")), [doing("hop"), doing("stop", busy)])
    assert question(session).ids == ("hop", "rest", "stop")
    session.choose("stop")
    assert (told(session, "Did"), session.scene.ended) == ([], "draw")


def test_a_turn_that_something_else_ended_goes_on_no_longer() -> None:
    session = session_of(scene_of("ann", "bob"), turning(), [doing("hop")])
    session.do("table.rule", field="turn", value="null", reason="time is up")
    session.choose("hop")
    assert told(session, "Did") == ["Did ann hop"]
    assert session.seat == "ann", "her turn begins again, as she has not acted in the round"


# ---------------------------------------------------------------------- what else an event does


def test_a_system_says_what_else_the_start_of_a_turn_does() -> None:
    own: Reducer[Scene] = Reducer(common_reducer)

    @own.after(TurnStarted)
    def _refill(scene: Scene, event: TurnStarted) -> Scene:
        assert scene.turn == event.who, "the common function has been applied"
        return scene.with_status(event.who, ap=3)

    @own.on(Did)
    def _did(scene: Scene, event: Did) -> Scene:
        return scene

    session = session_of(scene_of("ann").with_status("ann", ap=0), rounds(most=1), apply=own)
    assert session.scene["ann"].status.ap == 3
    assert common_reducer(session.scene.with_status("ann", ap=0), TurnStarted(who="ann"))["ann"].status.ap == 0
    with pytest.raises(Exception, match="nothing applies Fell yet"):
        own.after(Fell)(lambda scene, event: scene)
    assert book_of().apply is not own


# ---------------------------------------------------------------------- ties


def test_tied_characters_roll_again_among_themselves_until_no_tie_is_left() -> None:
    again = {"ann": iter([4, 6]), "bob": iter([4, 5])}

    async def roll(who: str) -> int:
        return next(again[who])

    ranked = Playthrough(rank_by_rolls({"bob": (3,), "cid": (9,), "ann": (3,), "dot": (1,)}, roll), [])
    assert ranked.result == ["cid", "ann", "bob", "dot"], "cid and dot have rolled once"


def test_ties_without_end_are_left_in_the_order_of_listing() -> None:
    async def roll(who: str) -> int:
        return 1

    assert Playthrough(rank_by_rolls({"bob": (), "ann": ()}, roll, most=3), []).result == ["bob", "ann"]


def test_an_order_is_asked_for_one_after_the_other() -> None:
    asked = Playthrough(ask_order("gm", "who is next?", ["ann", "bob", "cid"], {"of": "party"}), [])
    assert (asked.seat, asked.question.ids) == ("gm", ("ann", "bob", "cid"))  # type: ignore[union-attr]
    asked.answer("cid")
    assert asked.question.ids == ("ann", "bob")  # type: ignore[union-attr]
    asked.answer("bob")
    assert asked.result == ("cid", "bob", "ann"), "the last one is not asked for"
