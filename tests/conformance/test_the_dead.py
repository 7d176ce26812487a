"""The dead do nothing by themselves: processes that need a living character refuse them before they start."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.drawing import seeded, value_of
from tablewright.engine.parameters import parameters_of
from tablewright.errors import IllegalActionError
from tablewright.game.play.time_passage import require_alive, require_leisure
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.session.opening import open_session

KILLED: dict[str, Any] = {
    "marchen": lambda status: {"fate": "dead"},
    "mars": lambda status: {"dead": True},
    "opend6": lambda status: {"wounds": status.wounds.changed(level="dead")},
    "renaissance": lambda status: {"dead": True},
    "stage": lambda status: {"vitality": 0},
}
"""Changes of a status by which a participant of each system is dead."""

NEED_LIFE = {"buy", "sell", "pay", "give", "drop", "take_up", "loot", "advance", "step_back", "spend"}


@pytest.mark.parametrize("system", KILLED)
def test_the_dead_neither_trade_nor_advance(system: str) -> None:
    session = open_session(load_scenario(f"{system}:together"), seed=1)
    book, who = session.rulebook, session.scene.participants[0].id
    scene = session.scene.with_status(who, **KILLED[system](session.scene[who].status))
    assert book.vitals.dead(scene[who])
    refusing, below = set(), seeded(system)
    for process in book.processes:
        declared = parameters_of(process.function, skip=1)
        guarded = [one.name for one in declared if one.guard in (require_alive, require_leisure)]
        if not guarded:
            continue
        refusing.add(process.name.partition(".")[2])
        given = {
            one.name: who if one.name in guarded else value_of(one.kind, one.name, session, below)
            for one in declared
            if one.required
        }
        with pytest.raises(IllegalActionError, match="is dead"):
            process.read(Game(scene, book), given).close()
    assert refusing >= NEED_LIFE
