"""Moving: speed and stamina, difficult ground, steps of a metre, who is in the way, and who strikes at passers-by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    FOE,
    HERO,
    RIVAL,
    act,
    closed,
    duel,
    fighter,
    offered,
    place,
    session_with,
    with_status,
    with_turn,
)
from systems.mars.people import LEDGER
from systems.playing import answer, asked, events, last, status
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import Moved
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.move import _carried, approach, destinations, speed_of, step_speed
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared, Hit
from tablewright.systems.mars.events.turn import Stopped, Walked
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Turn

STAFF = fighter("Ann", ["staff@hands"], skills={"martial": "r8"})
WATCHFUL = fighter("Bob", ["club"], DEX="r10", maneuvers=("opportunity_strike",), skills={"martial": "r4"})


def paced(speed: int, **how: Any) -> Scene:
    """A character with a printed speed."""
    slow = fighter("Ann", ["club"], kind="creature", printed={"speed": speed})
    return duel(slow, FOE, apart=20, **how).scene


@pytest.mark.rule("mars.move.action")
@pytest.mark.parametrize("example", LEDGER["mars.move.action"].examples)
def test_cost_of_moves(example: Any) -> None:
    session = duel(HERO, FOE, apart=25)
    before = status(session).stamina
    at = 10
    for metres in example["given"]["moves"]:
        at += metres
        use, question = ("step", "step where") if metres == 1 else ("move", "where to")
        act(session, use, choices={question: f"destination::{at},10"})
    assert 6 - status(session).turn.seconds == example["expect"]["seconds"]
    assert before - status(session).stamina == example["expect"]["stamina"]
    assert session.scene["ann"].position == cell(at, 10)


@pytest.mark.rule("mars.move.action", "mars.stat.speed")
def test_a_move_covers_the_speed_and_no_more() -> None:
    session = duel(HERO, FOE, apart=25)
    assert speed_of(session.scene, "ann") == 6
    places = destinations(session.scene, "ann")
    assert cell(16, 16) in places
    assert cell(17, 10) not in places
    with pytest.raises(IllegalActionError):
        act(duel(HERO, FOE, apart=25, mine={"effects": (MarsEffect("overencumbered"),)}), "move")
    tired = duel(HERO, FOE, apart=25, mine={"stamina": 0})
    act(tired, "move:bob")
    assert tired.scene["ann"].position == cell(16, 10)
    assert closed(tired, "move") == ("a second Move costs 1 stamina, none is left", "mars.move.action")


@pytest.mark.rule("mars.move.difficult_terrain")
@pytest.mark.parametrize("example", LEDGER["mars.move.difficult_terrain"].examples)
def test_difficult_terrain(example: Any) -> None:
    rough = tuple([(cell(x, y), 2) for x in range(40) for y in range(40)])
    scene = paced(example["given"]["speed"], ground=Grid(size=(40, 40), difficult=rough))
    farthest = max(at.x - 10 for at in destinations(scene, "ann"))
    assert farthest == example["expect"]
    told = paced(example["given"]["speed"], facts=Facts().set("terrain", "ann", "difficult"))
    assert max(at.x - 10 for at in destinations(told, "ann")) == example["expect"]


@pytest.mark.rule("mars.move.free_step_limit")
@pytest.mark.parametrize("example", LEDGER["mars.move.free_step_limit"].examples)
def test_when_a_step_is_free(example: Any) -> None:
    given = example["given"]
    facts = Facts().set("terrain", "ann", "difficult") if given["terrain"] == "difficult" else Facts()
    assert step_speed(paced(given["speed"], facts=facts), "ann") == example["expect"]


@pytest.mark.rule("mars.move.speed_modifiers")
@pytest.mark.parametrize("example", LEDGER["mars.move.speed_modifiers"].examples)
def test_the_order_of_speed_modifiers(example: Any) -> None:
    given = example["given"]
    wear = ["leather"] if given["armour_penalty"] else []
    weak = fighter("Ann", wear=wear, STR="r6" if given["armour_penalty"] else "r10")
    effects = [MarsEffect("prone"), MarsEffect("halved_speed")][: given["halvings"]]
    scene = duel(weak, FOE, mine={"effects": tuple(effects)}).scene
    assert now(scene, "ann").speed.total == example["expect"]


@pytest.mark.rule("mars.move.speed_modifiers", "mars.effect.encumbered", "mars.effect.overencumbered")
def test_halvings_one_after_the_other_or_as_a_ladder() -> None:
    def speed(*kinds: Any, **options: Any) -> int:
        table = MarsOptions(**options)
        return now(
            duel(HERO, FOE, options=table, mine={"effects": tuple(map(MarsEffect, kinds))}).scene, "ann"
        ).speed.total

    assert [speed(), speed("prone"), speed("encumbered")] == [6, 3, 3]
    assert speed("prone", "encumbered") == 1
    assert speed("prone", "encumbered", speed_halving="ladder") == 2
    assert speed("prone", "encumbered", "halved_speed") == 1  # a Move always covers 1 m
    assert speed("overencumbered") == 0


@pytest.mark.rule("mars.stat.speed")
@each_case("how", ["climb", "swim", "fly"])
def test_climbing_swimming_and_flying_go_at_half_speed(how: str) -> None:
    scene = duel(HERO, FOE, facts=Facts().set("movement", "ann", how)).scene
    assert speed_of(scene, "ann") == 3


@pytest.mark.rule("mars.stat.speed", "mars.move.action")
def test_running_is_three_moves() -> None:
    session = duel(HERO, FOE, apart=25)
    for _ in range(3):
        act(session, "move:bob")
    assert session.scene["ann"].position == cell(28, 10)
    assert status(session).turn.seconds == 0


def test_the_way_leads_around_enemies_and_past_friends() -> None:
    people = [
        place(HERO, "party", (5, 5), who="ann"),
        place(HERO, "party", (6, 5), who="cid"),
        place(FOE, "foes", (10, 5), who="bob"),
        place(FOE, "foes", (8, 5), who="dot"),
    ]
    scene = session_with(people).scene
    way = approach(scene, "ann", "bob")
    assert way is not None
    assert cell(8, 5) not in way.steps
    assert way.end not in (cell(6, 5), cell(10, 5))
    assert scene.ground.within(way.end, cell(10, 5), 1)
    assert cell(6, 5) not in destinations(scene, "ann")
    walled_in = [(9, 4), (10, 4), (11, 4), (9, 5), (11, 5), (9, 6), (10, 6), (11, 6)]
    ring = [place(FOE, "foes", at, who=f"foe{number}") for number, at in enumerate(walled_in)]
    crowded = session_with([people[0], people[2], *ring])
    assert approach(crowded.scene, "ann", "bob") is None
    assert "move:bob" not in offered(crowded)
    narrow = Grid(size=(12, 1))
    queue = [
        place(HERO, "party", (0, 0), who="ann"),
        *[place(HERO, "party", (n, 0), who=f"friend{n}") for n in range(1, 8)],
        place(FOE, "foes", (11, 0), who="bob"),
    ]
    stuck = session_with(queue, ground=narrow)
    with pytest.raises(IllegalActionError, match="others stand in the way"):
        act(stuck, "move:bob")


def test_hidden_enemies_are_not_in_the_way() -> None:
    people = [
        place(HERO, "party", (5, 5), who="ann"),
        place(FOE, "foes", (10, 5), who="bob"),
        place(FOE, "foes", (7, 5), who="dot", hidden=True),
    ]
    scene = session_with(people).scene
    assert cell(7, 5) in destinations(scene, "ann")
    assert not any("dot" in use for use in offered(session_with(people)))


# ---------------------------------------------------------------------- opportunity strikes


def running_past(
    watcher: MarsCharacter = WATCHFUL, *, faces: Any = (), react: str | None = None, **bobs: Any
) -> Session:
    """Ann runs past bob, who may strike at her."""
    people = [
        place(HERO, "party", (5, 5), who="ann", stamina=0),
        place(watcher, "foes", (8, 6), who="bob", **bobs),
        place(FOE, "foes", (20, 5), who="dot"),
    ]
    return act(session_with(people), "move:dot", choices={"react": react} if react else {}, faces=faces)


STRIKE = "opportunity:ann:opportunity_strike/club"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.action.reaction", "mars.move.action")
def test_an_opportunity_strike_stops_who_runs_past() -> None:
    session = running_past(react=STRIKE, faces=[(9, 2), (5,), (4, 4)])
    blow = last(session, AttackDeclared)
    assert (blow.blow.attack.modifier, blow.stamina, blow.reaction, blow.counted) == (2, 1, True, False)
    assert events(session, Hit)
    assert session.scene["ann"].position == cell(9, 5)  # two metres through his reach
    assert events(session, Stopped)
    assert closed(session, "move") == ("stopped for this turn", "mars.move.speed_modifiers")
    assert not status(session, "bob").turn.reaction


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.improvise", "mars.effect.prone")
def test_a_miss_lets_pass_and_who_lies_on_the_ground_does_not_strike() -> None:
    session = running_past(RIVAL, react=STRIKE, faces=[(1,), (9,)])
    blow = last(session, AttackDeclared)
    assert (blow.blow.attack.modifier, blow.stamina) == (0, 2)  # +2 for the strike, -2 for improvising it
    assert session.scene["ann"].position == cell(11, 5)
    prone = running_past(effects=(MarsEffect("prone"),))
    assert prone.scene["ann"].position == cell(11, 5)


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@each_case(
    ("start", "end", "provoked"),
    [
        (7, 9, True),  # two metres, all within his reach
        (7, 8, False),  # one metre
        (6, 8, False),  # comes into his reach
        (9, 11, False),  # leaves it
        (8, 10, True),  # two metres through it before leaving
    ],
)
def test_more_than_a_metre_through_a_reach_provokes(start: int, end: int, provoked: bool) -> None:
    people = [
        place(fighter("Ann", RES="r20"), "party", (start, 0), who="ann", stamina=0),
        place(WATCHFUL, "foes", (8, 1), who="bob"),
    ]
    session = session_with(people, ground=Grid(size=(20, 2)))
    use, question = ("step", "step where") if end - start == 1 else ("move", "where to")
    choices = {question: f"destination::{end},0"} | ({"react": STRIKE} if provoked else {})
    act(session, use, choices=choices, faces=[(1, 1), (10, 10)] if provoked else [])
    assert bool(events(session, AttackDeclared)) is provoked
    assert session.scene["ann"].position == cell(end, 0)  # the strike missed
    assert events(session, Walked)[0].metres == end - start


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize(("stamina", "is_asked"), [(0, False), (1, True)])
def test_the_last_point_of_stamina_is_enough_to_react(stamina: int, is_asked: bool) -> None:
    session = running_past(stamina=stamina, react="let_be" if is_asked else None)
    assert session.scene["ann"].position == cell(11, 5)


def walking(*more: Participant, hidden: bool = False, watcher: MarsCharacter = WATCHFUL, **bobs: Any) -> Session:
    """Ann walks from 7,0 to 12,0 past bob, who may be hidden; gives the session at the first question."""
    bob = place(watcher, "foes", (8, 1), who="bob", hidden=hidden, **bobs)
    session = session_with([place(FOE, "party", (7, 0), who="ann"), bob, *more])
    session.do("mars.perform", who="ann", use="move")
    return answer(session, "destination::12,0")


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize("lurks", [False, True])
def test_a_hidden_comrade_on_the_way_keeps_no_foe_from_a_strike(lurks: bool) -> None:
    """The strike was not offered where a hidden comrade of the mover stood, so the watcher could tell."""
    comrades = [place(FOE, "party", (9, 0), who="eve", hidden=True)] if lurks else []
    session = answer(walking(*comrades), "let_be")
    assert [one.position for one in events(session, Walked)] == [cell(9, 0)]
    assert session.scene["ann"].position == cell(12, 0)


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
@pytest.mark.parametrize("readied", [False, True])
def test_a_walk_past_a_hidden_foe_who_waits_is_one_event(readied: bool) -> None:
    """It was two, which told the walker's player that someone is there."""
    ready: dict[str, Any] = {"watcher": RIVAL, "ready": Ready("moves", "attack")} if readied else {}
    answers = ("wait_on", "let_be") if readied else ("let_be",)
    session = answer(walking(hidden=True, **ready), *answers)
    assert [one.position for one in events(session, Walked)] == [cell(12, 0)]
    assert events(session, Moved) == []


@pytest.mark.rule("mars.move.action", "mars.gap.maneuver.list")
def test_a_hidden_foe_who_strikes_meets_the_walker_on_the_way() -> None:
    session = answer(walking(hidden=True), STRIKE)
    assert [one.position for one in events(session, Walked)] == [cell(9, 0)]
    assert len(events(session, AttackDeclared)) == 1
    assert not session.scene["bob"].hidden


# ---------------------------------------------------------------------- steps and difficult ground


@pytest.mark.rule("mars.effect.blind", "mars.move.difficult_terrain")
def test_the_blind_are_not_slowed_twice() -> None:
    rough = Grid(size=(40, 40), difficult=tuple([(cell(x, y), 2) for x in range(40) for y in range(40)]))
    blind = {"effects": (MarsEffect("blind"),)}
    for ground in (rough, Grid(size=(40, 40))):
        scene = duel(HERO, RIVAL, apart=20, mine=blind, ground=ground).scene
        assert max(at.x - 10 for at in destinations(scene, "ann")) == 3
        path = approach(scene, "ann", "bob")
        assert path is not None
        assert path.end.x == 13
    seeing = duel(HERO, RIVAL, apart=20, ground=rough).scene
    assert max(at.x - 10 for at in destinations(seeing, "ann")) == 3
    lost = duel(HERO, RIVAL, mine=blind).scene
    nowhere = replace(lost, participants=tuple([replace(one, position=None) for one in lost.participants]))
    assert approach(nowhere, "ann", "bob") is None
    assert destinations(nowhere, "ann") == []


@pytest.mark.rule("mars.move.free_step_limit")
@each_case(
    ("speed", "rough", "free"),
    [(2, [(11, 10)], False), (2, [], True), (2, [(10, 10)], True), (3, [(11, 10)], True), (1, [], False)],
)
def test_the_ground_that_is_entered_makes_a_step_slow(speed: int, rough: list[tuple[int, int]], free: bool) -> None:
    ground = Grid(size=(40, 40), difficult=tuple([(cell(*at), 2) for at in rough]))
    session = duel(fighter("Ann", kind="creature", printed={"speed": speed}), FOE, apart=9, ground=ground)
    act(session, "step", choices={"step where": "destination::11,10"})
    assert (status(session).turn.seconds, status(session).turn.free) == ((6, False) if free else (4, True))


@pytest.mark.rule("mars.move.free_step_limit")
def test_only_steps_for_which_there_is_time_are_offered() -> None:
    def late(*rough: tuple[int, int]) -> Session:
        ground = Grid(size=(40, 40), difficult=tuple([(cell(*at), 2) for at in rough]))
        slow = fighter("Ann", kind="creature", printed={"speed": 2})
        return with_status(duel(slow, FOE, apart=9, ground=ground), turn=Turn(free=True))

    session = late((11, 10))
    session.do("mars.perform", who="ann", use="step")
    assert "destination::11,10" not in asked(session)
    assert "destination::9,10" in asked(session)
    everywhere = late(*[(x, y) for x in (9, 10, 11) for y in (9, 10, 11)])
    assert closed(everywhere, "step") == ("takes 2 s, no time is left", "mars.move.free_step_limit")


@pytest.mark.rule("mars.move.action")
@each_case(("apart", "cost", "seconds", "free"), [(2, "free", 6, False), (3, "2 s", 4, True)])
def test_a_move_of_one_metre_is_free(apart: int, cost: str, seconds: int, free: bool) -> None:
    session = duel(HERO, FOE, apart=apart)
    moves = session.rulebook.actions.options(session.scene, "ann", among=("move",))
    assert [use.cost_text for use in moves if isinstance(use, ActionUse) and use.target == "bob"] == [cost]
    act(session, "move:bob")
    turn = status(session).turn
    assert (turn.seconds, turn.free, turn.moves) == (seconds, free, 1)


@pytest.mark.rule("mars.move.action")
def test_the_second_free_move_takes_time_and_stamina() -> None:
    session = duel(HERO, FOE, apart=9)
    act(session, "move", choices={"where to": "destination::10,11"})
    assert status(session).turn.seconds == 6
    act(session, "move", choices={"where to": "destination::10,10"})
    assert (status(session).turn.seconds, status(session).stamina) == (4, 9)


@pytest.mark.rule("mars.move.action")
@each_case(("moves", "stamina", "open_"), [(0, 0, True), (1, 0, False), (1, 1, True), (2, 1, True)])
def test_a_second_move_takes_a_point_of_stamina(moves: int, stamina: int, open_: bool) -> None:
    session = with_turn(duel(HERO, FOE, apart=9, mine={"stamina": stamina}), moves=moves)
    assert ("move:bob" in offered(session)) is open_


@pytest.mark.rule("mars.move.action")
@each_case(
    ("others", "ends"),
    [([], [(9, 5)]), ([("foes", (9, 5))], [(9, 4), (9, 6)]), ([("party", (9, 5))], [(9, 4), (9, 6)])],
)
def test_the_straight_way_ends_where_nobody_stands(others: list[Any], ends: list[tuple[int, int]]) -> None:
    people = [place(HERO, "party", (5, 5), who="ann"), place(FOE, "foes", (10, 5), who="bob")]
    people += [place(FOE, side, at, who="cid") for side, at in others]
    found = approach(session_with(people).scene, "ann", "bob")
    assert found is not None
    assert (found.end.x, found.end.y) in ends
    assert len(found.steps) - 1 == 4


# ---------------------------------------------------------------------- tripped in the middle of a way


def passing(at: tuple[int, int] = (6, 10), ground: Grid | None = None) -> Session:
    """Bob is about to move from 5,10, and ann has waited to trip him."""
    people = [
        place(RIVAL, "foes", (5, 10), who="bob"),
        place(STAFF, "party", at, who="ann", ready=Ready("moves", "trip")),
    ]
    return session_with(people, turn="bob", ground=ground or Grid(size=(40, 40)))


@pytest.mark.rule("mars.move.speed_modifiers", "mars.effect.prone", "mars.gap.weapon.trip")
@each_case(
    ("faces", "metres"),
    [([(9, 8), (1,), (10,), (1, 1, 1)], 3), ([(1, 1), (10,)], 6)],
)
def test_a_character_who_is_tripped_on_the_way_crawls_on(faces: Any, metres: int) -> None:
    choices = {"where to?": "destination::5,16", "is this": "go_ahead:bob:trip"}
    session = act(passing(), "move", who="bob", faces=faces, choices=choices)
    assert session.scene["bob"].position.y - 10 == metres  # half of them, or all where the trip misses
    (declared,) = events(session, AttackDeclared)
    assert (declared.cause, declared.weapon, declared.stamina) == ("mars.gap.weapon.trip", "staff", 1)


@pytest.mark.rule("mars.move.speed_modifiers", "mars.move.difficult_terrain")
def test_a_path_ends_where_the_current_speed_does() -> None:
    way = [cell(5, y) for y in range(10, 17)]

    def carried(ground: Grid | None = None, **changes: Any) -> int:
        scene: Scene = passing(ground=ground).scene.with_status("bob", **changes)
        return _carried(scene, "bob", way)

    halves = (MarsEffect("prone"), MarsEffect("halved_speed", until=9, turn_of="ann"), MarsEffect("blind"))
    assert carried() == 6
    assert carried(effects=halves[:1]) == 3
    assert carried(effects=halves[:2]) == 1
    assert carried(effects=halves) == 1  # a Move always covers 1 m
    assert carried(effects=halves[:1], ground=Grid(size=(40, 40), difficult=((cell(5, 12), 2),))) == 2
    assert carried(effects=(*halves, MarsEffect("overencumbered"))) == 0
    full = passing(at=(5, 13)).scene.with_status("bob", effects=halves[:1])
    assert _carried(full, "bob", way) == 2  # a character stands where the third metre ends
