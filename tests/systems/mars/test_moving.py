"""Moving: speed and stamina, difficult ground, steps of a metre, who is in the way, and who strikes at passers-by."""

from __future__ import annotations

from typing import Any

import pytest

from systems.mars.fights import act, closed, duel, effect, fighter, offered, place, session_with
from systems.playing import events, status
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.move import approach, budget, destinations, speed_of, step_speed
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared, Hit
from tablewright.systems.mars.events.turn import Stopped, Walked
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions

LEDGER = Ledger.load("mars")
HERO = fighter("Ann", ["club"])
FOE = fighter("Bob")


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


@pytest.mark.rule("mars.effect.blind", "mars.move.difficult_terrain")
def test_for_the_blind_all_ground_is_difficult() -> None:
    assert budget(duel(HERO, FOE, mine={"effects": (MarsEffect("blind"),)}).scene, "ann") == 3


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
@pytest.mark.parametrize("how", ["climb", "swim", "fly"])
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


WATCHFUL = fighter("Bob", ["club"], DEX="r10", maneuvers=("opportunity_strike",), skills={"martial": "r4"})


@pytest.mark.rule("mars.gap.maneuver.list", "mars.action.reaction", "mars.move.action")
def test_an_opportunity_strike_stops_who_runs_past() -> None:
    people = [
        place(HERO, "party", (5, 5), who="ann", stamina=0),
        place(WATCHFUL, "foes", (8, 6), who="bob"),
        place(FOE, "foes", (20, 5), who="dot"),
    ]
    session = session_with(people)
    use = "opportunity:ann:opportunity_strike/club"
    act(session, "move:dot", choices={"react": use}, faces=[(9, 2), (5,), (4, 4)])
    blow = events(session, AttackDeclared)[-1]
    assert (blow.blow.attack.modifier, blow.stamina, blow.reaction, blow.counted) == (2, 1, True, False)
    assert events(session, Hit)
    assert session.scene["ann"].position == cell(9, 5)  # two metres through his reach
    assert events(session, Stopped)
    assert closed(session, "move") == ("stopped for this turn", "mars.move.speed_modifiers")
    assert not status(session, "bob").turn.reaction


@pytest.mark.rule("mars.gap.maneuver.list", "mars.move.action")
def test_a_metre_through_the_reach_provokes_nobody() -> None:
    people = [
        place(HERO, "party", (7, 6), who="ann", stamina=0),
        place(WATCHFUL, "foes", (8, 6), who="bob"),
        place(FOE, "foes", (1, 6), who="dot"),
    ]
    session = session_with(people)
    act(session, "move:dot")  # straight away from him
    assert len(events(session, Walked)) == 1
    assert session.scene["ann"].position == cell(2, 6)
    prone = [*people]
    prone[0] = place(HERO, "party", (6, 7), who="ann", stamina=0)
    prone[1] = place(WATCHFUL, "foes", (8, 6), who="bob", effects=(MarsEffect("prone"),))
    prone[2] = place(FOE, "foes", (20, 7), who="dot")
    session = session_with(prone)
    act(session, "move:dot")  # who lies on the ground does not strike
    assert session.scene["ann"].position == cell(12, 7)


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.improvise")
def test_a_miss_lets_pass_and_improvising_costs_more() -> None:
    people = [
        place(HERO, "party", (5, 5), who="ann", stamina=0),
        place(fighter("Bob", ["club"], DEX="r10"), "foes", (8, 6), who="bob"),
        place(FOE, "foes", (20, 5), who="dot"),
    ]
    session = session_with(people)
    use = "opportunity:ann:opportunity_strike/club"
    act(session, "move:dot", choices={"react": use}, faces=[(1,), (9,)])
    blow = events(session, AttackDeclared)[-1]
    assert (blow.blow.attack.modifier, blow.stamina) == (0, 2)  # +2 for the strike, -2 for improvising it
    assert session.scene["ann"].position == cell(11, 5)
    assert not effect(session, "ann", "prone")
