"""Cases that long runs of random play have found: each of them once failed."""

from __future__ import annotations

import pytest

from systems.opend6.fights import FOE, HERO, begin, person
from systems.playing import answer, asked, last
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.systems.opend6.mechanics.attack import aim
from tablewright.systems.opend6.values import DieCode


@pytest.mark.rule("opend6.gap.weapon.reload", "opend6.action.ready_weapon")
def test_of_two_alike_weapons_the_empty_one_is_readied_first() -> None:
    bows = [
        {"item": "short_bow", "place": "hands"},
        {"item": "short_bow", "place": "pack"},
        {"item": "arrow", "count": 5, "place": "pack"},
    ]
    session = begin(person(belongings=bows), FOE)
    answer(session, "2", "shoot:b:short_bow", [2, 1, 1])
    offered = asked(session)
    assert [one for one in offered if one.startswith("ready_weapon")] == ["ready_weapon::short_bow"]
    assert len(set(offered)) == len(offered)


@pytest.mark.rule("opend6.action.list")
def test_a_character_who_fights_with_teeth_has_no_bare_hands() -> None:
    dog = person(FOE, belongings=[], natural_weapons=["bite"])
    session = begin(dog, HERO)
    answer(session, *(("1", "stop") if session.seat == "b" else ()), "1")
    words = {one.partition(":")[0] for one in asked(session)}
    assert {"punch", "tackle", "push"} <= words
    assert not {"kick", "grab", "choke", "flip", "trip"} & words
    answer(session, "punch:b:bite", [2, 2, 2, 2], [3, 3, 3], [5, 5, 5])
    assert (last(session, "Struck").weapon, last(session, "Struck").harm) == ("bite", False)


@pytest.mark.rule("opend6.map.zero_rule", "opend6.wild.critical_failure")
def test_bare_pips_are_a_total_where_the_game_master_is_asked_too() -> None:
    found = play(aim(DieCode(1, 2), 1, assumed=2, critical_failure="ask", zero_rule="exactly_zero"), TypedDice([]))
    assert found.result.total == 2
