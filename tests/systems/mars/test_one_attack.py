"""One attack: an edit of its rule is seen in play, in odds, in advice and in the ratings of bots."""

from __future__ import annotations

from typing import Any

import pytest

from systems.mars.fights import RIVAL, SKILLED, act, duel
from systems.playing import events
from tablewright.engine import advise, odds
from tablewright.engine.odds import forget
from tablewright.game.play.actions import ActionUse
from tablewright.systems.mars import bots, expectations
from tablewright.systems.mars.events.attack import Hit
from tablewright.systems.mars.mechanics import attack as attacks
from tablewright.systems.mars.mechanics import harm, turn
from tablewright.systems.mars.mechanics.attack import Attempt, Body, Target, Wound, attack
from tablewright.systems.mars.values import Degree, RollValue

CALL = attack(Attempt(RollValue(18)), Target(RollValue(10), RollValue(10, 1)), Wound(RollValue(14), 6), Body(2))


def seen() -> dict[str, Any]:
    """The same attack by each of its readers, with nothing remembered."""
    forget()
    expectations._expected.cache_clear()
    expectations._expectations.clear()
    session = duel(SKILLED, RIVAL, theirs={"stamina": 0})
    rated = bots.rate(session.scene, "ann", ActionUse("attack", "bob", "club"))
    act(session, "attack:bob:club", faces=[(9, 4), (9,), (5, 4)])
    (hit,) = events(session, Hit)
    return {
        "play": (hit.degree, hit.damage),
        "odds": odds(CALL, "damage").expected(lambda attacked: attacked.damage),
        "advice": advise(CALL, "damage").value,
        "bots": rated.harm,
    }


@pytest.mark.rule("mars.attack.hit")
def test_a_lower_critical_threshold_is_seen_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen()
    usual = attacks.hit_degree
    monkeypatch.setattr(attacks, "hit_degree", lambda margin, threshold, grazing: usual(margin, 1, grazing))
    after = seen()
    assert before["play"][0] is Degree.SUCCESS
    assert after["play"][0] is Degree.CRITICAL
    assert all(after[reader] > before[reader] for reader in ("odds", "advice", "bots"))
    monkeypatch.undo()
    assert seen() == before


@pytest.mark.rule("mars.damage.pipeline")
def test_a_bonus_to_damage_is_seen_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen()
    usual = harm.damage_taken
    monkeypatch.setattr(harm, "damage_taken", lambda *given: lambda raw: usual(*given)(raw + 3))
    after = seen()
    assert after["play"] == (before["play"][0], before["play"][1] + 3)
    assert all(after[reader] > before[reader] for reader in ("odds", "advice", "bots"))
    monkeypatch.undo()
    assert seen() == before


def test_no_mechanic_takes_more_than_eight_parameters() -> None:
    from tablewright.systems.mars import system

    wide = {one.name: len(one.signature.declared) for one in (*system.mechanics, attacks.landed, turn.routine_from)}
    assert max(wide.values()) <= 8, wide
