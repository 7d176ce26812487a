"""Lasting effects: their end, stacking, and their expiry at the edge of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from each_case import each_case
from game.turns import RULE, Did, scene_of, session_of, told
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import ParticipantLeft, RoundStarted, SceneEnded, TurnStarted
from tablewright.game.play.effects import (
    Affected,
    Duration,
    Edge,
    Effect,
    EffectEnded,
    EffectGained,
    Stacks,
    add_effect,
    for_rounds,
    for_ticks,
    total_strength,
    until_turn_of,
)
from tablewright.game.play.time_passage import advance_time
from tablewright.game.play.turns import play_rounds
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import visible
from tablewright.game.session.session import Session

NOW = scene_of("ann", "bob", "cid", round=3, turn="bob", acted=("ann",))


@each_case(
    ("until", "when"),
    [
        (until_turn_of(NOW, "cid"), (3, "cid", "start")),
        (until_turn_of(NOW, "cid", edge="end"), (3, "cid", "end")),
        (until_turn_of(NOW, "bob"), (4, "bob", "start")),
        (until_turn_of(NOW, "bob", edge="end"), (4, "bob", "end")),
        (until_turn_of(NOW, "ann"), (4, "ann", "start")),
        (until_turn_of(NOW, "ann", 3, edge="end"), (6, "ann", "end")),
        (until_turn_of(NOW, "cid", 2), (4, "cid", "start")),
        (Duration(3, "cid", "start"), (3, "cid", "start")),
        (for_rounds(NOW, 1), (3, "", "end")),
        (for_rounds(NOW, 3), (5, "", "end")),
    ],
)
def test_it_is_over_at_one_edge_and_not_before(until: Duration, when: tuple[int, str, Edge]) -> None:
    """All edges of six rounds in order: the first at which it is over is the right one."""
    edges: list[tuple[int, str, Edge, tuple[str, ...]]] = [(3, "bob", "end", ("ann", "bob"))]
    edges += [(3, "cid", "start", ("ann", "bob")), (3, "cid", "end", ("ann", "bob", "cid"))]
    edges.append((3, "", "end", ("ann", "bob", "cid")))
    for number in (4, 5, 6):
        edges.append((number, "", "start", ()))
        for at, who in enumerate(("ann", "bob", "cid")):
            edges += [(number, who, "start", ("ann", "bob", "cid")[:at])]
            edges += [(number, who, "end", ("ann", "bob", "cid")[: at + 1])]
        edges.append((number, "", "end", ("ann", "bob", "cid")))
    over = [
        (number, who, edge)
        for number, who, edge, acted in edges
        if until.over(scene_of("ann", "bob", "cid", round=number, acted=acted), who, edge)
    ]
    assert over[0] == when


def test_by_the_clock_or_never() -> None:
    until = for_ticks(NOW, 10)
    assert [until.over(Scene("demo", clock=NOW.clock.moved(passed))) for passed in (9, 10)] == [False, True]
    assert not Duration().over(scene_of("ann", round=99), "", "end")
    assert (until.in_rounds, for_rounds(NOW, 1).in_rounds, Duration().in_rounds) == (False, True, False)


def test_effects_tied_to_a_participant_who_left_end_with_the_round() -> None:
    until = until_turn_of(NOW, "cid")
    assert not until.over(scene_of("ann", "bob", round=3, acted=("ann", "bob")), "bob", "end")
    assert until.over(scene_of("ann", "bob", round=3, acted=("ann", "bob")), "", "end")
    assert until.over(scene_of("ann", "bob", round=4), "ann", "start"), "or as soon as anybody asks later"
    assert until_turn_of(NOW, "nobody").round == 4, "who is not in the order has no turn in this round"


def test_effects_tied_to_an_early_turn_end_at_the_next_edge() -> None:
    """Participants that moved up during another's turn."""
    moved_up = scene_of("ann", "bob", "cid", round=3, acted=("cid", "ann"))
    assert Duration(3, "cid", "end").over(moved_up, "bob", "start")
    assert not Duration(3, "bob", "end").over(moved_up, "bob", "start")


@pytest.mark.parametrize(
    ("stacks", "known", "new", "expected"),
    [
        ("longest", (1, 5), (3, 4), [(1, 5)]),
        ("longest", (1, 4), (3, 5), [(3, 5)]),
        ("longest", (1, None), (3, 5), [(1, None)]),
        ("strongest", (1, 5), (3, 4), [(3, 4)]),
        ("strongest", (3, 4), (-2, 5), [(3, 4)]),
        ("strongest", (2, 4), (2, 5), [(2, 5)]),
        ("strongest", (3, 4), (-5, 3), [(-5, 3)]),
        ("added", (1, 5), (3, 4), [(4, 5)]),
        ("apart", (1, 5), (3, 4), [(1, 5), (3, 4)]),
    ],
)
def test_the_same_thing_twice(
    stacks: Stacks, known: tuple[int, int | None], new: tuple[int, int | None], expected: list[tuple[int, int | None]]
) -> None:
    first, second = [Effect("x", Duration(round_), strong, stacks=stacks) for strong, round_ in (known, new)]
    assert [(one.degree, one.until.round) for one in add_effect((first,), second)] == expected


def test_other_things_and_other_sources_stay_apart() -> None:
    held = add_effect((Effect("slow", degree=1, source="mud"),), Effect("slow", degree=2, source="ice"))
    held = add_effect(held, Effect("blind"))
    assert (total_strength(held, "slow"), total_strength(held, "deaf")) == (3, 0)

    class Bearer(Affected):
        lasting = held

    bearer = Bearer()
    assert (bearer.held("blind"), bearer.held("deaf")) == (held[-1], None)
    assert (bearer.has("blind"), bearer.has("deaf")) == (True, False)


# ---------------------------------------------------------------------- in play


def held_in(until: Any, **more: Any) -> Session:
    """Ann takes hold of bob in her first turn; three rounds are played."""

    async def turn(game: Game, who: str) -> None:
        if who == "ann" and game.scene.round == 1:
            game.emit(EffectGained(who="bob", what=Effect("slow", until(game.scene)), cause=RULE))
        game.emit(Did(who=who, what=str(total_strength(game["bob"].status.lasting, "slow")), cause=RULE))

    async def run(game: Game) -> None:
        await play_rounds(game, turn, lambda scene: None, cause=RULE, most=3, length=6, **more)

    return session_of(scene_of("ann", "bob", "cid"), run)


def slow(session: Session) -> str:
    """Turns in which bob was slow, in order."""
    return "".join([line["what"] for line in session.facts if line["event"] == "Did"])


def test_it_wears_off_at_its_edge_and_the_log_says_so() -> None:
    assert slow(held_in(lambda scene: until_turn_of(scene, "bob"))) == "100 000 000".replace(" ", "")
    assert slow(held_in(lambda scene: until_turn_of(scene, "bob", edge="end"))) == "110000000"
    assert slow(held_in(lambda scene: for_rounds(scene, 1))) == "111000000"
    assert slow(held_in(lambda scene: for_rounds(scene, 2))) == "111111000"
    assert slow(held_in(lambda scene: until_turn_of(scene, "ann", edge="end"))) == "111100000"
    assert slow(held_in(lambda scene: for_ticks(scene, 6))) == "111000000"
    assert slow(held_in(lambda scene: for_ticks(scene, 7))) == "111111000"
    assert slow(held_in(lambda scene: Duration())) == "111111111"
    session = held_in(lambda scene: until_turn_of(scene, "bob"))
    kinds = ("TookHold", "WoreOff", "TurnStarted")
    assert told(session, *kinds)[:4] == ["TurnStarted ann", "TookHold bob slow", "WoreOff bob slow", "TurnStarted bob"]
    assert [line.narrate() for line in session.log if isinstance(line, EffectGained | EffectEnded)] == [
        "bob: slow",
        "bob: slow is over",
    ]


def test_a_leaver_keeps_no_effect_for_ever() -> None:
    async def gone(game: Game) -> None:
        if game.scene.round == 1:
            game.emit(ParticipantLeft(who="ann", cause=RULE))

    session = held_in(lambda scene: until_turn_of(scene, "ann", edge="end"), round_ends=gone)
    assert [line["what"] for line in session.facts if line["event"] == "Did"][3:] == ["1", "1", "0", "0"]


def test_it_is_over_before_the_round_ends_and_with_the_last_round() -> None:
    seen: list[int] = []

    async def look(game: Game) -> None:
        seen.append(total_strength(game["bob"].status.lasting, "slow"))

    held_in(lambda scene: until_turn_of(scene, "cid", edge="end"), round_ends=look)
    assert seen == [0, 0, 0]
    session = held_in(lambda scene: for_rounds(scene, 3), round_ends=look)
    assert seen[3:] == [1, 1, 1]
    assert session.scene["bob"].status.lasting == ()


def test_time_alone_lets_it_wear_off_at_its_moment() -> None:
    async def run(game: Game) -> None:
        game.emit(EffectGained(who="bob", what=Effect("drunk", for_ticks(game.scene, 90)), cause=RULE))
        await advance_time(game, 200, cause=RULE)

    session = session_of(scene_of("bob"), run)
    assert [(line["event"], line.get("amount")) for line in session.facts] == [
        ("TookHold", None),
        ("TimePassed", 90),
        ("WoreOff", None),
        ("TimePassed", 110),
    ]


@dataclass(frozen=True)
class Passing:
    """A status with fields that end with a turn, a round or the encounter."""

    spent: int = visible(default=0, until="turn")
    moved: int = visible(default=0, until="round")
    aim: str = visible(default="", until="encounter")
    luck: int = visible(default=0)


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (TurnStarted(who="ann", cause=RULE), Passing(0, 2, "bob", 3)),
        (TurnStarted(who="bob", cause=RULE), Passing(1, 2, "bob", 3)),
        (RoundStarted(number=2, cause=RULE), Passing(1, 0, "bob", 3)),
        (SceneEnded(outcome="draw", cause=RULE), Passing(0, 0, "", 3)),
    ],
)
def test_fields_end_when_their_status_says_so(event: Event, left: Passing) -> None:
    people = [
        Participant(id=id_, name=id_, side=id_, seat=id_, character=None, status=Passing(1, 2, "bob", 3))
        for id_ in ("ann", "bob")
    ]
    assert common_reducer(Scene("demo", tuple(people)), event)["ann"].status == left
