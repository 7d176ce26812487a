"""One rule in one place: a change of the attack is seen in play, odds, advice and the choices of bots."""

from __future__ import annotations

import sys

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import Request, Roll, advise, odds, play
from tablewright.engine.odds import forget
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.systems.stage.bots import harm_per_ap, promise, rate
from tablewright.systems.stage.mechanics.attack import Target, attack, second_roll
from tablewright.systems.stage.mechanics.forms import Form
from tablewright.systems.stage.options import EmptySecondRoll

CALL = attack((Form("plain", 3),), Target(4))
MORE = 5


def heavier(dice: int, modifier: int, extra: int, empty_second_roll: EmptySecondRoll) -> Request[int]:
    """The second roll with more damage."""
    return second_roll(dice, modifier + MORE, extra, empty_second_roll)


def forget_all() -> None:
    """Clear every cache that holds figures of the attack."""
    forget()
    promise.cache_clear()
    harm_per_ap.cache_clear()


def outcomes() -> tuple[object, ...]:
    """A played attack, its odds, its advice, and a bot's figures for it."""
    forget_all()
    session = open_session(load_scenario("stage:together"), seed=1)
    begin_encounter(session)
    while session.scene.turn is None:
        session.roll() if isinstance(session.question, Roll) else session.choose(session.question.ids[0])  # type: ignore[union-attr]
    uses = [use for use in session.question.options if use.action == "attack"]  # type: ignore[union-attr]
    rated = [rate(session.scene, session.scene.turn, use) for use in uses]
    return (
        play(CALL, TypedDice([4, 4, 3]), lambda asked: 1).result.damage,
        odds(CALL, "damage").expected(lambda result: result.damage),
        advise(CALL, "damage").choices[0].best.value,
        promise(3, 0, 4),
        rated,
    )


@pytest.mark.rule("stage.attack.procedure", "stage.check.leveled")
def test_a_change_of_the_damage_is_seen_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    before = outcomes()
    with monkeypatch.context() as edited:
        edited.setattr(sys.modules["tablewright.systems.stage.mechanics.attack"], "second_roll", heavier)
        after = outcomes()
    again = outcomes()
    assert after[0] == before[0] + MORE  # type: ignore[operator]
    for one, other in zip(before[1:], after[1:], strict=True):
        assert one != other
    assert before[1] == before[2] == before[3], "odds, advice and bots give the same figure"
    assert after[1] == after[2] == after[3]
    assert again == before, "nothing but the edit makes a difference"
