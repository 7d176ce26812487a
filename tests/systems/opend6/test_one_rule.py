"""One rule in one place: records of the mechanics, and an edit that play, odds, advice and bots all see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, begin, person, plan
from systems.opend6.people import C
from systems.playing import answer
from tablewright.engine import advise, odds
from tablewright.engine.odds import forget
from tablewright.systems.opend6 import bots, system
from tablewright.systems.opend6.actions.aim import attack_call
from tablewright.systems.opend6.bots import promise
from tablewright.systems.opend6.character.gear import Manner
from tablewright.systems.opend6.mechanics import harm
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import Against, Blow
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.values import WoundLevel

CALL = attack(Throw(C("3D")), Against(10), Blow(C("2D"), C("1D+2")), Protection(C("3D")), mine=Purse(1))


@each_case("mechanic", system.mechanics)
def test_no_mechanic_takes_more_than_eight_parameters(mechanic: object) -> None:
    assert len(mechanic.signature.declared) <= 8  # type: ignore[attr-defined]


def test_an_attack_is_written_by_record_or_by_field() -> None:
    fields = {"code": "3D", "difficulty": 10, "damage": "2D", "weapon": "1D+2", "resistance": "3D", "points": 1}
    assert attack.read(fields) == CALL == attack(**fields)
    assert CALL.named_arguments()["weapon"] == C("1D+2")


def hit_for_three() -> WoundLevel:
    """Play a hit whose damage is 3 beyond the resistance, and tell how the target is afterwards."""
    session = begin(HERO, person(FOE, belongings=[]))
    answer(session, "1", "slash:b:short_sword", [5, 5, 5, 5], [3, 3, 3], [3, 4, 4])
    level: WoundLevel = session.scene["b"].status.wounds.level
    return level


def seen() -> tuple[WoundLevel, object, object, int]:
    """What play, odds, advice and bots make of an attack."""
    forget()
    bots._harm.cache_clear()
    bots._fighters.clear()
    session = begin(HERO, person(FOE, belongings=[]))
    advised = [option.value for option in advise(CALL).choices[0].options]
    found = promise(session.scene, "a", "b", Manner("short_sword"))
    return hit_for_three(), odds(attack_call(session.scene, plan(session, "short_sword"))), advised, found.harm


@pytest.fixture
def graver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wounds begin at a damage of 1 beyond the resistance instead of 4."""
    monkeypatch.setattr(harm, "_FROM", tuple([(1 if name == "wounded" else least, name) for least, name in harm._FROM]))
    harm.wounded_by.cache_clear()
    yield
    monkeypatch.undo()
    harm.wounded_by.cache_clear()
    seen()


def test_an_edit_of_the_rule_is_seen_in_play_odds_advice_and_bots(request: pytest.FixtureRequest) -> None:
    before = seen()
    request.getfixturevalue("graver")
    after = seen()
    assert (before[0], after[0]) == ("stunned", "wounded")
    assert before[1] != after[1]
    assert before[2] != after[2]
    assert before[3] < after[3]
