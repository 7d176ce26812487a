"""Warnings of creation: what a new player forgets, each with remedies that the points can buy and that end it."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import library, making, person
from tablewright.game.character.character import Ranks
from tablewright.game.character.creation import CreationOption
from tablewright.systems.renaissance.character.figures import strength
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.character.shop import apply_purchase, purchases
from tablewright.systems.renaissance.character.warnings import warnings_of
from tablewright.systems.renaissance.creation import _stowed, _weighed

FIGHTS = {"bladed_weapons": 30, "fray": 30}
ARMED = {"short_sword": 1, "leather": 1}
BOWMAN = {"long_bow": 1, "leather": 1}
HEAVY = "You carry 4 heavy things, and your Strength of 30 bears 3 without a penalty."
STOWED = "The Small Shield stays in your pack: you hold one shield at most, in a free hand."
LOST = "creation points are left, and lost once you are done."


def newcomer(**changes: Any) -> RenaissanceCharacter:
    """A new human without any purchase, but for some fields."""
    plain = {"background": "wayfarer", "bought": {}, "belongings": (), "powers": (), "classes": (), "traits": {}}
    changes["skills"] = Ranks(changes.get("skills", FIGHTS))
    return person("soldier", race="human", background_things=(), specializations={}, luck=1, **plain | changes)


def told(made: RenaissanceCharacter, left: int = 0) -> dict[str, tuple[str, ...]]:
    """Remedies by the text of the warning, with some points left; without a number those on points are left out."""
    strong, funds = strength(made, library()).total, left or 100
    every = [one for one in purchases(made, library()) if isinstance(one, CreationOption) and one.cost <= funds]
    offers = [_weighed(one, made, strong, library()) for one in every]
    belongings = _stowed(made.background_things, made.bought.items(), library())
    found = warnings_of(made, belongings, funds, offers, library())
    known = {one.text: one.remedies or () for one in found if left or "creation points" not in one.text}
    assert all({*remedies} <= {one.id for one in offers} for remedies in known.values())
    return known


def after(made: RenaissanceCharacter, remedy: str) -> RenaissanceCharacter:
    """The character with a remedy taken."""
    offer = next(one for one in purchases(made, library()) if one.id == remedy)
    assert isinstance(offer, CreationOption)
    return apply_purchase(made, offer.value)


CASES: list[tuple[dict[str, Any], str]] = [
    ({"bought": {"leather": 1}}, "You have no weapon that you are trained with."),
    ({"bought": {"leather": 1}, "skills": {"fray": 30}}, "You are trained with no weapon."),
    ({"bought": {"leather": 1, "mace": 1}, "skills": {"fray": 30}}, "You are trained with no weapon."),
    ({"bought": {**ARMED, "mace": 1}}, "You are not trained with the Mace."),
    ({"bought": BOWMAN, "skills": {"projectile_weapons": 30}}, "You have no ranks in Fray to dodge with."),
    ({"bought": {"short_sword": 1}}, "You wear no armour."),
    ({"bought": {**ARMED, "trade_goods": 4}}, HEAVY),
    ({"bought": {**ARMED, "mail": 1}}, "The Mail stays in your pack: you wear one suit."),
    ({"bought": {"long_sword": 1, "leather": 1, "small_shield": 1}}, STOWED),
    ({"bought": ARMED, "skills": {**FIGHTS, "spellcraft": 20}}, "You have Spellcraft and know no spell."),
    ({"bought": ARMED, "skills": {**FIGHTS, "control": 20}}, "You have Control and know no sleight."),
    ({"bought": ARMED, "powers": ("heal",)}, "You know Heal without its skill, Control 10."),
]


@pytest.mark.parametrize(("changes", "text"), CASES, ids=[text for _, text in CASES])
def test_each_warning_is_ended_by_each_of_its_remedies(changes: dict[str, Any], text: str) -> None:
    made = newcomer(tweaks={}, **changes)
    found = told(made)
    assert text in found, found
    if "stays in your pack" in text or "heavy things" in text:  # nothing that is bought takes a thing away
        return
    assert found[text]
    for remedy in found[text][:2]:
        assert text not in told(after(made, remedy)), remedy


def test_a_stronger_character_bears_one_thing_more() -> None:
    made = newcomer(tweaks={"STR": 5}, bought={**ARMED, "trade_goods": 4})
    (remedies,) = told(made).values()
    assert remedies == ("trait:strong",)
    assert told(after(made, "trait:strong")) == {}


def test_spellcraft_for_other_ends_needs_no_spell_and_fists_and_fire_are_weapons() -> None:
    thrower = {"spellcraft": 20, "thrown_weapons": 20, "fray": 20}
    for made in (
        newcomer(bought=ARMED),
        newcomer(bought=ARMED, skills={**FIGHTS, "spellcraft": 20}, classes=("mage",)),
        newcomer(bought={"leather": 1}, skills={"unarmed_combat": 30}),
        newcomer(bought={"leather": 1}, skills=thrower, powers=("fireball",)),
    ):
        assert told(made) == {}


def test_points_that_are_left_are_lost() -> None:
    made = newcomer(bought=ARMED)
    assert told(made, left=20) == {f"20 {LOST}": ("skill:fray+10", "luck")}
    one = "1 creation point is left, and lost once you are done."
    assert told(made, left=1) == {one: ()}, "30 ranks: the next one costs 2"
    assert told(made, left=2) == {f"2 {LOST}": ("skill:fray+1",)}


def test_warnings_stand_on_the_end_of_the_step_and_forbid_nothing() -> None:
    made = making(name="New")
    for number in range(400):
        assert not made.is_done
        if made.step is not None and made.step.id == "points" and "done" in [one.id for one in made.options]:
            break
        ids = [one.id for one in made.options]
        skills = [one for one in ids if one.startswith("skill:") and one.endswith("+20")]
        made.answer((skills or ids)[number % len(skills or ids)])
    done = made.options[-1]
    assert done.id == "done"
    assert not done.unwise, "who is made at random stays as before"
    remedies = {one.text: one.remedies for one in done.warnings}
    assert (remedies["You wear no armour."] or ())[:2] == ("item:leather", "item:small_shield")
    made.answer("item:leather")
    assert "You wear no armour." not in [one.text for one in made.options[-1].warnings]
    made.answer("done")
    assert made.step is not None
    assert made.step.id == "motivations"
