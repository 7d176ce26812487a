"""What lasts: when it is over, what the same thing twice comes to, and that it wears off by itself at its edge."""

from __future__ import annotations

from typing import Any

import pytest

from game.turns import RULE, Did, scene_of, session_of, told
from tablewright.game.common import Left
from tablewright.game.lasting import (
    Edge,
    Lasting,
    Stacks,
    TookHold,
    Until,
    WoreOff,
    degree,
    ending,
    for_rounds,
    for_time,
    from_source,
    gain,
    holds,
    same_turn_later,
    until_turn,
)
from tablewright.game.passing import let_time_pass
from tablewright.game.rounds import play_rounds
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session

NOW = scene_of("ann", "bob", "cid", round=3, turn="bob", acted=("ann",))


@pytest.mark.parametrize(
    ("until", "when"),
    [
        (until_turn(NOW, "cid"), (3, "cid", "start")),
        (until_turn(NOW, "cid", edge="end"), (3, "cid", "end")),
        (until_turn(NOW, "bob"), (4, "bob", "start")),
        (until_turn(NOW, "bob", edge="end"), (4, "bob", "end")),
        (until_turn(NOW, "ann"), (4, "ann", "start")),
        (until_turn(NOW, "ann", 3, edge="end"), (6, "ann", "end")),
        (until_turn(NOW, "cid", 2), (4, "cid", "start")),
        (Until(3, "cid", "start"), (3, "cid", "start")),
        (for_rounds(NOW, 1), (3, "", "end")),
        (for_rounds(NOW, 3), (5, "", "end")),
        (same_turn_later(NOW, 2), (5, "bob", "start")),
        (same_turn_later(scene_of("ann", round=3), 2), (5, "", "start")),
    ],
)
def test_it_is_over_at_one_edge_and_not_before(until: Until, when: tuple[int, str, Edge]) -> None:
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
    until = for_time(NOW, 10)
    assert [until.over(Scene("demo", clock=NOW.clock.moved(passed))) for passed in (9, 10)] == [False, True]
    assert not Until().over(scene_of("ann", round=99), "", "end")
    assert (until.in_rounds, for_rounds(NOW, 1).in_rounds, Until().in_rounds) == (False, True, False)


def test_what_hangs_on_somebody_who_is_gone_is_over_with_the_round() -> None:
    until = until_turn(NOW, "cid")
    assert not until.over(scene_of("ann", "bob", round=3, acted=("ann", "bob")), "bob", "end")
    assert until.over(scene_of("ann", "bob", round=3, acted=("ann", "bob")), "", "end")
    assert until.over(scene_of("ann", "bob", round=4), "ann", "start"), "or as soon as anybody asks later"
    assert until_turn(NOW, "nobody").round == 4, "who is not in the order has no turn in this round"


def test_what_hangs_on_a_turn_that_was_had_early_is_over_at_the_next_edge() -> None:
    """Whoever moved up in the turn of somebody else."""
    moved_up = scene_of("ann", "bob", "cid", round=3, acted=("cid", "ann"))
    assert Until(3, "cid", "end").over(moved_up, "bob", "start")
    assert not Until(3, "bob", "end").over(moved_up, "bob", "start")


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
    first, second = [Lasting("x", Until(round_), strong, stacks=stacks) for strong, round_ in (known, new)]
    assert [(one.degree, one.until.round) for one in gain((first,), second)] == expected


def test_other_things_and_other_sources_stay_apart() -> None:
    held = gain((Lasting("slow", degree=1, source="mud"),), Lasting("slow", degree=2, source="ice"))
    held = gain(held, Lasting("blind"))
    assert (degree(held, "slow"), degree(held, "deaf")) == (3, 0)
    found = holds(held, "blind")
    assert found is not None
    assert holds(held, "deaf") is None


# ---------------------------------------------------------------------- in play


def held_in(until: Any, **more: Any) -> Session:
    """Ann takes hold of bob in her first turn; three rounds are played."""

    async def turn(game: Live, who: str) -> None:
        if who == "ann" and game.scene.round == 1:
            game.emit(TookHold(who="bob", what=Lasting("slow", until(game.scene)), cause=RULE))
        game.emit(Did(who=who, what=str(degree(game["bob"].status.lasting, "slow")), cause=RULE))

    async def run(game: Live) -> None:
        await play_rounds(game, turn, lambda scene: None, cause=RULE, most=3, length=6, **more)

    return session_of(scene_of("ann", "bob", "cid"), run)


def slow(session: Session) -> str:
    """Who found bob slow in which turn, of all turns in order."""
    return "".join([line["what"] for line in session.facts if line["event"] == "Did"])


def test_it_wears_off_at_its_edge_and_the_log_says_so() -> None:
    assert slow(held_in(lambda scene: until_turn(scene, "bob"))) == "100 000 000".replace(" ", "")
    assert slow(held_in(lambda scene: until_turn(scene, "bob", edge="end"))) == "110000000"
    assert slow(held_in(lambda scene: for_rounds(scene, 1))) == "111000000"
    assert slow(held_in(lambda scene: for_rounds(scene, 2))) == "111111000"
    assert slow(held_in(lambda scene: same_turn_later(scene, 1))) == "111000000"
    assert slow(held_in(lambda scene: until_turn(scene, "ann", edge="end"))) == "111100000"
    assert slow(held_in(lambda scene: for_time(scene, 6))) == "111000000"
    assert slow(held_in(lambda scene: for_time(scene, 7))) == "111111000"
    assert slow(held_in(lambda scene: Until())) == "111111111"
    session = held_in(lambda scene: until_turn(scene, "bob"))
    kinds = ("TookHold", "WoreOff", "TurnStarted")
    assert told(session, *kinds)[:4] == ["TurnStarted ann", "TookHold bob slow", "WoreOff bob slow", "TurnStarted bob"]
    assert [line.in_words() for line in session.log if isinstance(line, TookHold | WoreOff)] == [
        "bob: slow",
        "bob: slow is over",
    ]


def test_whoever_leaves_takes_nothing_along_for_ever() -> None:
    async def gone(game: Live) -> None:
        if game.scene.round == 1:
            game.emit(Left(who="ann", cause=RULE))

    session = held_in(lambda scene: until_turn(scene, "ann", edge="end"), round_ends=gone)
    assert [line["what"] for line in session.facts if line["event"] == "Did"][3:] == ["1", "1", "0", "0"]


def test_it_is_over_before_the_round_ends_and_with_the_last_round() -> None:
    seen: list[int] = []

    async def look(game: Live) -> None:
        seen.append(degree(game["bob"].status.lasting, "slow"))

    held_in(lambda scene: until_turn(scene, "cid", edge="end"), round_ends=look)
    assert seen == [0, 0, 0]
    session = held_in(lambda scene: for_rounds(scene, 3), round_ends=look)
    assert seen[3:] == [1, 1, 1]
    assert session.scene["bob"].status.lasting == ()


def test_time_alone_lets_it_wear_off_at_its_moment() -> None:
    async def run(game: Live) -> None:
        game.emit(TookHold(who="bob", what=Lasting("drunk", for_time(game.scene, 90)), cause=RULE))
        await let_time_pass(game, 200, cause=RULE)

    session = session_of(scene_of("bob"), run)
    assert [(line["event"], line.get("amount")) for line in session.facts] == [
        ("TookHold", None),
        ("TimePassed", 90),
        ("WoreOff", None),
        ("TimePassed", 110),
    ]


def test_what_one_source_keeps_up() -> None:
    scene = scene_of("ann", "bob")
    for who, by, source in (("ann", "bob", "song"), ("bob", "bob", "song"), ("bob", "ann", "song"), ("bob", "ann", "")):
        held = Lasting("brave", by=by, source=source, stacks="apart")
        scene = scene.change(who, lasting=gain(scene[who].status.lasting, held))
    assert [(who, held.by) for who, held in from_source(scene, "song", "bob")] == [("ann", "bob"), ("bob", "bob")]
    assert len(from_source(scene, "song")) == 3
    assert ending(scene, "ann", "end") == []
