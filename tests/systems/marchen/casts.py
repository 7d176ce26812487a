"""Casts that together meet everything in the pack of Märchen Engine."""

from __future__ import annotations

from dataclasses import replace

from systems.marchen.people import library
from systems.playing import character_in, with_character
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.scenario.scenario import Scenario
from tablewright.systems.marchen.character.record import Condition, Holding, Specialization
from tablewright.systems.marchen.content import Armour, Assault, ConditionKind, Gear, Trait, Weapon
from tablewright.systems.marchen.values import ASPECTS, SPIRITUAL

WEAPONS = tuple([one for one in library().of(Weapon) if not one.natural])
SUITS = tuple([one for one in library().of(Armour) if not one.shield])
SHIELDS = tuple([one for one in library().of(Armour) if one.shield])
GEAR = tuple([one.id for one in library().of(Gear)])
ASSAULTS = tuple(library().of(Assault))
TRAITS = tuple([one.name for one in library().of(Trait)])
CONDITIONS = tuple(library().of(ConditionKind))


def armed(scenario: Scenario, number: int) -> Scenario:
    """A scenario with other arms, armour and gear in turn, and people skilled in what they hold."""
    entrants = []
    people = len(scenario.entrants)
    for place, entrant in enumerate(scenario.entrants):
        own, at = character_in("marchen", entrant), number * people + place
        weapon, assault = WEAPONS[at % len(WEAPONS)], ASSAULTS[at % len(ASSAULTS)]
        shield = () if weapon.two_handed else (ItemStack(SHIELDS[at % len(SHIELDS)].id, 1, "hand"),)
        suit = ItemStack(SUITS[at % len(SUITS)].id, 1, "worn")
        gear = ItemStack(GEAR[at % len(GEAR)])
        held = (ItemStack(weapon.id, 1, "hand"), *shield, suit, gear, ItemStack("dagger"), ItemStack("herbs", 3))
        skill = assault.skills[at // len(ASSAULTS) % len(assault.skills)]
        skills = own.skills.put(weapon.skill, max(1, own.level(weapon.skill) or 0)).put(skill, max(1, assault.dice))
        entrants.append(with_character(entrant, own.changed(belongings=held, skills=skills, home_tl=weapon.tl)))
    return replace(scenario, entrants=tuple(entrants))


def troubled(scenario: Scenario, number: int) -> Scenario:
    """A scenario with people hurt and hampered, in ambushes, darkness and cover, three sides at times."""
    first, second = scenario.sides[number % 2], scenario.sides[(number + 1) % 2]
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("marchen", entrant)
        kind = CONDITIONS[(number + place) % len(CONDITIONS)]
        aspect = ASPECTS[(number + place) % 4]
        wounds = own.wounds.changed(
            damage=own.wounds.damage.put(aspect, 5 + (number + place) % 9),
            conditions=(*own.wounds.conditions, Condition(name=kind.name, aspect=kind.aspect)),
        )
        hidden = number % 3 == 2 and entrant.side == first
        side = "strays" if number % 4 == 3 and place == len(scenario.entrants) - 1 else entrant.side
        entrants.append(replace(with_character(entrant, own.changed(wounds=wounds)), hidden=hidden, side=side))
    facts = Facts().set("light", ANYONE, ("low", "dark")[number % 2])
    somebody = scenario.entrants[0].id
    for what, value in (("cover", "half"), ("cover_near", True), ("terrain", "difficult"), ("cover", "full"))[
        number % 4 :
    ][:2]:
        facts = facts.set(what, somebody, value)
    sides = tuple(dict.fromkeys([one.side for one in entrants]))
    changed = replace(scenario, entrants=tuple(entrants), facts=facts, sides=sides)
    if number % 3 == 0:
        return replace(changed, surprised=tuple([one.id for one in entrants if one.side == second]))
    return changed


def settled(scenario: Scenario, number: int) -> Scenario:
    """A scenario with everything that a life can bring: patrons, holdings, connections, treasure, mastery."""
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own, at = character_in("marchen", entrant), number + place
        deep = SPIRITUAL[at % len(SPIRITUAL)]
        gift = 6 if scenario.options.to_mapping()["mythic_levels"] else 4  # deities, or masters of some art
        skills = own.skills.put(deep, gift).put("life_sciences", 1).put("leadership", 4)
        specials = (
            *[one for one in own.specializations if one.skill not in (deep, "life_sciences")],
            Specialization(skill=deep, name="Old ways", level=3 if own.is_creature else 2),
            Specialization(skill="life_sciences", name="Medicine", level=2),
        )
        held = (ItemStack("sword", 1, "hand", 2), ItemStack("rope"), ItemStack("herbs", 4))
        entrants.append(
            with_character(
                entrant,
                own.changed(
                    skills=skills,
                    specializations=specials,
                    treasure=60,
                    experience=own.experience + 200,
                    supply=at % 6,
                    patrons=("The abbot",),
                    connections=own.connections.put("Old Anne", 1 - at % 3),
                    holdings=(*own.holdings, Holding(name="The mill", culture=own.culture, specialty="Medicine")),
                    songs=("The long road",),
                    heir="Oliver" if at % 2 else "",
                    traits=(*own.traits, TRAITS[at % len(TRAITS)]),
                    belongings=(*[one for one in own.belongings if one.place == "worn"], *held),
                ),
            )
        )
    return replace(scenario, entrants=tuple(entrants), ends="first_fall")  # most of them have a season of their own
