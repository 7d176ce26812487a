"""An attack is written once: an edit of its rule is seen in play, in odds, in advice and in what bots expect."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from systems.playing import last
from systems.renaissance.fights import arm, fighter, held, scene_with, went
from tablewright.engine import advise, odds
from tablewright.engine.odds import forget
from tablewright.game.play.actions import ActionUse
from tablewright.systems.renaissance.actions.aim import aim_as_seen
from tablewright.systems.renaissance.actions.attack import PLAINLY
from tablewright.systems.renaissance.bots import rate
from tablewright.systems.renaissance.mechanics import defences, harm
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.values import DV

ANN = fighter("Ann", ("short_sword", "main"))


def _forget_all() -> None:
    forget()
    for name, module in list(sys.modules.items()):
        if name.startswith("tablewright.systems.renaissance"):
            for found in vars(module).values():
                if hasattr(found, "cache_clear"):
                    found.cache_clear()


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """Nothing that was worked out by another rule is remembered."""
    _forget_all()
    yield
    _forget_all()


def _seen() -> dict[str, Any]:
    """The damage of a played hit, of the odds, of the advised option, and what a bot expects of it."""
    scene = held(scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5)), "bob", "unaware")
    session = went(scene, "attack:bob:short_sword", "plain", 29, (2, 3), 0)
    call = attack(60, DV(1, 6), strikes="maim:-20", wound_threshold=99)
    [asked] = advise(call, "damage").choices
    bob = aim_as_seen(scene, "ann", "bob", arm(scene, "ann", "short_sword"), PLAINLY)
    return {
        "play": last(session, "Attacked").damage,
        "odds": odds(call, "damage").expected(lambda done: done.damage),
        "advice": asked.best.value,
        "expected": odds(bob).expected(lambda done: done.damage),
        "bot": rate(scene, "ann", ActionUse("attack", "bob", "short_sword")).harm,
    }


def _more_damage(rule: Callable[..., int]) -> Callable[..., int]:
    return lambda *given: rule(*given) + 4


@pytest.mark.rule("renaissance.armor.damage", "renaissance.attack.mos_bonus", "renaissance.attack.procedure")
@pytest.mark.parametrize(("module", "name"), [(harm, "after_armor"), (defences, "attack_bonus")])
def test_an_edit_of_the_rule_is_seen_everywhere(module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _seen()
    with monkeypatch.context() as edited:
        edited.setattr(module, name, _more_damage(getattr(module, name)))
        _forget_all()
        after = _seen()
    assert all(after[place] > before[place] for place in before), (before, after)
    assert after["play"] == before["play"] + 4
    _forget_all()
    assert _seen() == before, "nothing but the edit makes a difference"
