"""The pack, options, processes and mechanics of MARS are the reviewed ones, with all figures and defaults."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "skills": pytest.mark.rule("mars.skill.basic", "mars.skill.associated_stat"),
    "weapons": pytest.mark.rule("mars.gap.weapon.list", "mars.gap.weapon.improvised", "mars.gap.creature.list"),
    "armours": pytest.mark.rule("mars.gap.armour.list", "mars.gap.armour.threshold", "mars.gap.armour.shields"),
    "gear": pytest.mark.rule("mars.gap.equipment.prices", "mars.gap.equipment.starting_kit"),
    "maneuvers": pytest.mark.rule("mars.gap.maneuver.list"),
    "talents": pytest.mark.rule("mars.gap.talent.list"),
    "traits": pytest.mark.rule("mars.character.trait"),
    "ancestries": pytest.mark.rule("mars.character.ancestry", "mars.gap.ancestry.abilities"),
    "backgrounds": pytest.mark.rule("mars.character.background"),
    "archetypes": pytest.mark.rule("mars.character.archetype", "mars.gap.archetype.custom"),
    "creatures": pytest.mark.rule("mars.gap.creature.list"),
    "currencies": pytest.mark.rule("mars.equipment.currency"),
}


@pytest.mark.parametrize("kind", cases("mars", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("mars", kind)


@pytest.mark.rule("mars.equipment.weapons", "mars.equipment.armour_slots", "mars.gap.equipment.prices")
@pytest.mark.rule("mars.gap.equipment.starting_kit", "mars.carry.capacity", "mars.stat.resource_maxima")
@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.number_known", "mars.talent.repeat_cost")
@pytest.mark.rule("mars.gap.talent.rage", "mars.gap.talent.second_wind")
@pytest.mark.rule("mars.character.ancestry", "mars.character.background")
def test_fields_that_are_left_out_have_the_reviewed_defaults() -> None:
    check("mars", "defaults")
