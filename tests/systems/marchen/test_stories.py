"""Stories outside of fights: danger, gear, negotiations, things that withstand damage."""

from __future__ import annotations

import pytest

from systems.marchen.acts import ann, done
from systems.marchen.people import PUNCTI, alone, hero, together
from systems.playing import status
from tablewright.game.character.belongings import ItemStack


@pytest.mark.rule("marchen.puncti.face_danger", "marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource")
def test_danger_is_paid_for_from_minor_fail_on() -> None:
    poor = hero(skills={"athletics": 0}, supply=0, treasure=0)
    for faces, dms in (([3, 3], [-1]), ([3, 4], [])):  # Minor Fail, Fail in Style
        session = alone(poor)
        done(session, "face_danger", faces, who="ann", skill="athletics")
        assert [one.dm for one in status(session).nexts] == dms
        assert session.scene.clock.now == PUNCTI
    costly = alone(poor)
    done(costly, "face_danger", [1, 2, 5, 1, 2], who="ann", skill="athletics", stake="mental")
    assert status(costly).mental == 5
    bought = alone(poor.changed(supply=1))
    done(bought, "face_danger", [3, 3], ["supply"], who="ann", skill="athletics")
    assert (ann(bought).supply, status(bought).nexts) == (0, ())


@pytest.mark.rule("marchen.puncti.check_gear")
@pytest.mark.parametrize(("faces", "there", "supply"), [((3, 3), True, 1), ((4, 3), True, 2), ((3, 2), False, 2)])
def test_gear_is_there_by_supply_and_a_tie_uses_some(faces: tuple[int, int], there: bool, supply: int) -> None:
    session = alone(hero(supply=2))
    assert done(session, "check_gear", faces, who="ann", item="a rope") is there
    assert ann(session).supply == supply


@pytest.mark.rule("marchen.puncti.negotiate", "marchen.puncti.compel")
def test_negotiating_and_compelling_outside_of_a_fight() -> None:
    skills = {"persuasion": 0, "intimidation": 0, "insight": 0}
    session = together(hero(skills=skills), hero("Bob", skills=skills, identity=1))
    assert done(session, "negotiate", [4, 4, 3, 4], who="ann", against="bob").winner.value == "a"
    assert session.scene.clock.now == PUNCTI
    given = {"who": "ann", "against": "bob", "skill": "deception", "with_what": "etiquette"}
    assert done(session, "negotiate", [4, 3, 4, 4], **given).winner.value == "b"
    assert done(session, "compel", [4, 4, 3, 3], who="ann", against="bob") is True
    assert session.scene["bob"].present
    assert done(session, "compel", [4, 4, 4, 4], who="ann", against="bob") is False


@pytest.mark.rule("marchen.ounces.withstand_damage")
def test_a_thing_withstands_or_not() -> None:
    session = alone(hero(belongings=(ItemStack("lute"),), skills={"engineering": 0, "drive_ride_pilot": 0}))
    done(session, "withstand_damage", [3, 4], who="ann", item="lute")
    assert status(session).belongings[0].left == 3
    done(session, "withstand_damage", [1, 2], who="ann", item="lute", vehicle=True)
    assert status(session).belongings[0].left == 1
    done(session, "withstand_damage", [3, 4], who="ann", item="lute")
    assert status(session).belongings == ()  # four conditions destroy it
