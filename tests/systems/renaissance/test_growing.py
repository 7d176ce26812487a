"""Purchases of grown characters, and legality of new ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.renaissance.folk import OPTIONS, library, making, person, scene_of, session_of
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.costs import before_all, steps_back
from tablewright.systems.renaissance.character.record import Advance, RenaissanceCharacter
from tablewright.systems.renaissance.legality import legality

REZ = "renaissance.gap.advancement.rez_points"


def wrong(character: RenaissanceCharacter) -> list[str]:
    """Violations of a character."""
    return [f"{one.where}: {one.message}" for one in legality(character, OPTIONS, library()).violations]


def grown(*advances: dict[str, Any], **changes: Any) -> RenaissanceCharacter:
    """Hrask with things that were bought with Rez points."""
    bought = tuple([Advance(**{"opportunity": 1, **one}) for one in advances])
    return person("soldier", **{"rez": 100, "opportunity": 1, "advances": bought, **changes})


def ranks(name: str, number: int) -> Ranks:
    """The skills of Hrask with one of them changed."""
    return person("soldier").skills.put(name, number)


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_nothing_is_bought_or_taken_back_in_the_middle_of_a_fight() -> None:
    scene = scene_of({"ann": person("soldier", rez=100, opportunity=1)})
    session = Session(SessionHeader("renaissance", "0.1.0", replace(scene, round=1), 1), rulebook)
    for name, given in (
        ("renaissance.advance", {"what": "skill", "name": "fray"}),
        ("renaissance.spend", {}),
        ("renaissance.step_back", {}),
    ):
        with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
            session.do(name, who="ann", **given)
        assert error.value.rule == REZ
    over = Session(SessionHeader("renaissance", "0.1.0", replace(scene, round=1, ended="over"), 1), rulebook)
    over.do("renaissance.advance", who="ann", what="skill", name="fray")
    assert over.scene["ann"].character.skills["fray"] == 51


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_purchases_are_paid_for_again_and_in_order() -> None:
    two = {"what": "skill", "name": "fray", "ranks": 2}
    assert wrong(grown({**two, "cost": 4}, skills=ranks("fray", 52))) == []
    for cost in (0, 3, 5):
        found = wrong(grown({**two, "cost": cost}, skills=ranks("fray", 52)))
        assert found == [f"advances[0]: fray costs 4, {cost} were paid"]
    luck = {"what": "luck", "cost": 15}
    assert wrong(grown(luck, luck, luck=5)) == []
    assert wrong(grown(luck, {**luck, "opportunity": 2}, luck=5)) == ["advances[1]: down-time 2 has not come yet"]
    assert wrong(grown({**luck, "cost": 0}, luck=4)) == ["advances[0]: luck costs 15, 0 were paid"]
    enemy = {"what": "trait", "name": "enemy", "cost": -1000, "detail": "the duke"}
    with_enemy = person("soldier").traits.put("enemy", "the duke")
    assert wrong(grown(enemy, traits=with_enemy)) == ["advances[0]: enemy costs -10, -1000 were paid"]
    assert wrong(grown({**enemy, "cost": -10}, traits=with_enemy)) == []


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_missing_items_were_not_bought() -> None:
    for advance in (
        {"what": "skill", "name": "fray", "ranks": 51, "cost": 4},
        {"what": "skill", "name": "fray", "ranks": 0, "cost": 0},
        {"what": "skill", "name": "swimming", "ranks": 1, "cost": 1},
        {"what": "specialization", "name": "fray", "cost": 5},
        {"what": "trait", "name": "tough", "cost": 10},
        {"what": "class", "name": "mage", "cost": 10},
        {"what": "power", "name": "jump", "cost": 5},
        {"what": "buy_off", "name": "high_pain_tolerance", "cost": 10},
    ):
        found = wrong(grown(advance))
        assert f"advances[0]: {advance['name']} is not there as it was bought" in found, advance
    assert wrong(grown({"what": "luck", "cost": 15}, luck=0))[-1] == "advances[0]: luck is not there as it was bought"
    whole = {"what": "skill", "name": "deception", "ranks": 10, "cost": 10}
    assert wrong(grown(whole, skills=ranks("deception", 10))) == []
    learned = grown(whole, skills=ranks("deception", 10))
    assert "deception" not in before_all(learned, tuple(steps_back(learned))).skills


@pytest.mark.rule("renaissance.gap.advancement.rez_points", "renaissance.gap.power.requirements")
def test_unavailable_purchases_are_told_with_their_rule() -> None:
    jump = grown({"what": "power", "name": "jump", "cost": 10}, powers=("jump",))
    found = {one.rule for one in legality(jump, OPTIONS, library()).violations if one.where == "advances[0]"}
    assert found == {"renaissance.gap.power.requirements"}
    assert "advances[0]: jump: needs Spellcraft 10, it is 0" in wrong(jump)


@pytest.mark.rule("renaissance.modifier.field_specialization")
def test_a_field_is_one_skill_however_it_is_spelled() -> None:
    session = session_of({"ann": person("soldier", rez=100, opportunity=1)})
    before = person("soldier").skills["knowledge:tactics"]
    session.do("renaissance.advance", who="ann", what="skill", name="Knowledge:Tactics", ranks=5)
    now = session.scene["ann"].character
    assert now.skills["knowledge:tactics"] == before + 5
    assert now.spent == 10  # above 30 ranks each is 2 points
    assert wrong(now) == []
    twice = person("soldier", skills=ranks("knowledge:Tactics", 5))
    assert 'skills: "knowledge:tactics" stands there 2 times' in wrong(twice)


@pytest.mark.rule("renaissance.gap.skill.list")
def test_an_exotic_skill_that_was_taken_back_is_asked_for_its_aptitude_again() -> None:
    session = session_of({"ann": person("soldier", rez=100, opportunity=1)})
    before = session.scene["ann"].character
    session.do("renaissance.advance", who="ann", what="skill", name="exotic_skill:whip", ranks=5)
    session.choose("COO")
    session.do("renaissance.advance", who="ann", what="skill", name="exotic_skill:whip", ranks=5)
    session.do("renaissance.step_back", who="ann")
    assert session.scene["ann"].character.exotic == {"exotic_skill:whip": "COO"}
    session.do("renaissance.step_back", who="ann")
    assert session.scene["ann"].character == before
    session.do("renaissance.advance", who="ann", what="skill", name="exotic_skill:whip", ranks=5)
    session.choose("SOM")
    assert session.scene["ann"].character.exotic == {"exotic_skill:whip": "SOM"}


@pytest.mark.rule("renaissance.gap.creation.motivations")
def test_the_same_motivation_counts_once() -> None:
    assert wrong(person("soldier", motivations=("+Family", "+Honour", "+family"))) == [
        'motivations: "+family" stands there 2 times'
    ]
    assert wrong(person("soldier", motivations=("+Family", "-Family", "+Honour"))) == []


@pytest.mark.rule("renaissance.gap.creation.limits")
def test_an_aptitude_may_be_set_as_low_as_a_race_lifts_it() -> None:
    made = making()
    made.answer("weal")
    for raised in ("WIL+5", "REF+5", "REF+5"):
        made.answer("SOM")
        made.answer(raised)
    assert {one.id: one.reason for one in made.closed}["SOM"] == "has its least, 0"
    made.answer("COG")
    made.answer("REF+1")
    made.answer("done")
    shut = {one.id: one.reason for one in made.closed}
    assert shut["human"] == shut["halfling"] == "SOM would be below 5"
    assert {"dwarf", "orc", "drake"} <= {one.id for one in made.options}


@pytest.mark.rule("renaissance.gap.creation.limits")
def test_below_what_any_race_lifts_nothing_is_lowered() -> None:
    made = making()
    made.answer("heartland_gnoll")
    for _ in range(2):
        made.answer("COG")
        made.answer("SAV+5")
    assert {one.id: one.reason for one in made.closed}["COG"] == "has its least, 5"
    for raised in ("WIL+5", "WIL+5", "REF+5"):
        made.answer("SOM")
        made.answer(raised)
    for _ in range(2):
        made.answer("COO")  # only shifters are more skilful by race, and they are not stronger
        made.answer("REF+5")
    assert {one.id: one.reason for one in made.closed}["COO"] == "has its least, 5"
    for _ in range(2):
        made.answer("INT")
        made.answer("SOM+1")
    for _ in range(2):
        made.answer("INT")
        made.answer("SOM+5")
    made.answer("INT")
    assert {one.id: one.reason for one in made.closed}["WIL+5"] == "no race would fit"  # INT is 3


@pytest.mark.rule("renaissance.gap.creation.background")
def test_the_power_of_a_background_needs_nothing() -> None:
    made = making()
    made.follow({"free": "weal", "aptitudes": "done", "race": "human", "tweaks": ["COG+5"] * 3})
    made.answer("haven_mountains")
    while isinstance(made.question, Choice) and made.question.question != "which power?":
        made.answer(made.options[0].id)
    offered = {one.id for one in made.options}
    assert {"fireball", "intense_fire", "fortify", "master"} <= offered
    assert "green_hand" not in offered
    made.answer("fireball")
    assert {one.id for one in made.closed} >= {"power:fireball"}


# ---------------------------------------------------------------------- things


@pytest.mark.rule("renaissance.gap.creation.points", "renaissance.gap.money.starting")
def test_a_new_character_has_what_creation_points_bought() -> None:
    hrask = person("soldier")
    assert wrong(hrask) == []
    assert wrong(hrask.changed(belongings=hrask.belongings[1:])) == []
    more = hrask.changed(belongings=(*hrask.belongings, ItemStack("rope", 2)))
    assert wrong(more) == ["belongings.rope: 3, creation points and background give 1"]
    assert wrong(hrask.changed(belongings=(*hrask.belongings, ItemStack("dagger")))) == [
        "belongings.dagger: 1, creation points and background give 0"
    ]
    assert wrong(hrask.changed(copper=1)) == ["copper: new characters have none"]
    for change in ({"traded": True}, {"rez": 1}, {"opportunity": 1}):
        assert wrong(more.changed(copper=1, **change)) == []


@pytest.mark.rule("renaissance.gap.creation.points")
def test_a_character_who_has_got_something_is_not_measured_by_creation_points_any_more() -> None:
    for name, given, traded in (
        ("gain", {"item": "dagger"}, True),
        ("earn", {"amount": "5"}, True),
        ("lose", {"item": "rope"}, False),
    ):
        session = session_of({"ann": person("soldier")})
        session.do(f"renaissance.{name}", who="ann", **given)
        now = session.scene["ann"].character
        assert now.traded is traded, name
        assert wrong(now.changed(belongings=session.scene["ann"].belongings)) == []
