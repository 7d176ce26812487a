"""One rule in one place: records of the mechanics, and an edit that play, odds, advice and bots all see."""

from __future__ import annotations

from fractions import Fraction

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, begin, person, plan
from systems.opend6.people import C
from systems.playing import answer
from tablewright.engine import advise, odds
from tablewright.engine.odds import forget
from tablewright.systems.opend6 import prospects, system
from tablewright.systems.opend6.actions.aim import attack_call
from tablewright.systems.opend6.mechanics import harm
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import Against, Blow
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.prospects import prospect
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


def seen() -> tuple[WoundLevel, Fraction, list[Fraction], int]:
    """What play, odds, advice and bots make of an attack, with nothing remembered."""
    forget()
    prospects._harm.cache_clear()
    prospects._fighters.clear()
    harm.wounded_by.cache_clear()
    session = begin(HERO, person(FOE, belongings=[]))
    advised = [option.value for option in advise(CALL).choices[0].options]
    found = prospect(session.scene, "a", "b", "short_sword").promise
    exact = odds(attack_call(session.scene, plan(session, "short_sword"))).chance(lambda done: done.level == "stunned")
    return hit_for_three(), exact, advised, found.harm


@pytest.mark.rule("opend6.gap.wound.levels")
def test_an_edit_of_the_rule_is_seen_in_play_odds_advice_and_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wounds begin at a damage of 1 beyond the resistance instead of 4."""
    before = seen()
    assert before[1] > 0
    graver = tuple([(1 if name == "wounded" else least, name) for least, name in harm._FROM])
    with monkeypatch.context() as changed:
        changed.setattr(harm, "_FROM", graver)
        after = seen()
    again = seen()
    assert (before[0], after[0]) == ("stunned", "wounded")
    assert after[1] == 0
    assert before[2] != after[2]
    assert before[3] < after[3]
    assert again == before, "nothing but the edit makes a difference"
