"""What bots of The Stage make of what is offered to them."""

from __future__ import annotations

import pytest

from systems.stage.people import person, scene_of
from tablewright.engine import Choose
from tablewright.game.belongings import Carried
from tablewright.game.lasting import OPEN_END, Lasting
from tablewright.game.opening import open_session
from tablewright.game.policies import best
from tablewright.game.scenario import load_scenario
from tablewright.systems.stage.bots import value


@pytest.mark.rule("stage.check.assist")
def test_best_does_nothing_for_nothing() -> None:
    session = open_session(load_scenario("stage:together"), seed=3)
    session.do(session.book.encounter.name)
    taken: list[str] = []
    while len(taken) < 40 and (question := session.question) is not None:
        if isinstance(question, Choose):
            option = question.ids[best(session, question)]
            taken.append(option.partition(":")[0])
            session.choose(option)
        else:
            session.roll()
    assert not {"stand_by", "drop", "store"} & set(taken)
    assert {"power_attack", "attack", "cast"} & set(taken)


@pytest.mark.rule("stage.check.assist")
def test_what_is_in_the_hands_is_worth_something_and_a_promise_costs_a_little() -> None:
    scene = scene_of({"ann": person("ysolt")})
    bare = scene.change("ann", belongings=())
    armed = scene.change("ann", belongings=(Carried("spear", place="hands"), Carried("dagger", place="pack")))
    assert value(armed, "party") - value(bare, "party") == pytest.approx(1 / 8)
    promised = bare.change("ann", lasting=(Lasting("stands_by", OPEN_END, source="bob"),))
    assert 0 < value(bare, "party") - value(promised, "party") < value(armed, "party") - value(bare, "party")
