"""Moves lead toward those who still stand, and an order that is rolled between rounds belongs to its round."""

from __future__ import annotations

import pytest

from narration.samples import play_on
from tablewright.game.narration.entries import entries, lines_seen
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import ActingSeat
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.session import Session

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")


def fought(name: str) -> Session:
    """A fight of bots to its end."""
    session = open_session(load_scenario(name), seed=7)
    begin_encounter(session)
    play_on(session)
    return session


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_one_moves_toward_a_fallen_foe(system: str) -> None:
    session = fought(f"{system}:even")
    book = session.rulebook
    scene, fallen, moves = session.header.scene, dict[int, set[str]](), 0
    for number, line in enumerate(session.log):
        if isinstance(line, Event):
            scene = book.apply(scene, line)
        fallen[number] = {one.id for one in scene.participants if not book.vitals.is_standing(one)}
    for line in lines_seen(session.live, book, GAME_MASTER):
        for way in ("toward", "reached"):
            if way in line.about:
                moves += 1
                assert line.about[way] not in fallen[line.number]
    assert moves > 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_move_leads_toward_the_target_of_its_option(system: str) -> None:
    session = fought(f"{system}:even")
    chosen: dict[str, tuple[int, str]] = {}
    named = 0
    for line in lines_seen(session.live, session.rulebook, GAME_MASTER):
        seat, option = line.fact.get("seat"), str(line.fact.get("option", ""))
        target = f"{option}:".split(":")[1]
        if target in session.scene and isinstance(seat, ActingSeat):
            chosen[seat.who] = (line.act, target)
        if line.kind in ("Moved", "Walked"):
            act, target = chosen.get(line.fact["who"], (0, ""))
            told = [line.about[way] for way in ("toward", "reached") if way in line.about]
            if act == line.act and target:
                assert told in ([target], [])
                named += bool(told)
            elif "toward" in line.about:  # the only foe who is left, or the nearest one
                scene, who = session.live.scene_of_move(line.number), line.fact["who"]
                foes = [one for one in scene.enemies(who) if session.rulebook.vitals.is_standing(one)]
                far = {one.id: scene.ground.distance(scene[who].position, one.position) for one in foes}
                assert far[told[0]] == min(far.values())
                assert len(foes) == 1 or list(far.values()).count(far[told[0]]) == 1
    assert named > 3 or system == "stage"  # there the bots choose squares


def test_an_order_rolled_between_rounds_stands_below_the_heading_of_its_round() -> None:
    session = fought("opend6:even")
    kinds = [(entry.kind, str(entry.headline)) for entry in entries(session.live, session.rulebook, GAME_MASTER)]
    assert [kind for kind, _ in kinds[:2]] == ["order", "round"]
    for number, (kind, headline) in enumerate(kinds):
        if kind == "round" and headline != "Round 1":
            assert kinds[number + 1][0] == "order"
            assert kinds[number - 1][0] != "order"


def test_everyone_who_rolls_for_the_order_is_named() -> None:
    session = fought("stage:even")
    (order,) = [one for one in entries(session.live, session.rulebook, GAME_MASTER) if one.kind == "order"]
    assert [throw.whose for throw in order.dice] == ["Arlef", "Guard 1"]
    assert order.quiet.startswith("Arlef's initiative [")
