"""Casts for long plays of Renaissance, with other arms, gifts and troubles than the scenarios have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from systems.playing import character_in, with_character
from systems.renaissance.folk import library
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.time.timers import PendingTimer
from tablewright.game.values import freeze
from tablewright.systems.renaissance.character.record import Held
from tablewright.systems.renaissance.content import Armour, Chemical, FormFeature, Gear, Power, Trait, Weapon

WEAPONS = tuple([one for one in library().of(Weapon) if one.price is not None])
SUITS = tuple([one.id for one in library().of(Armour) if not one.shield])
SHIELDS = tuple([one.id for one in library().of(Armour) if one.shield])
CHEMICALS = tuple([one.id for one in library().of(Chemical) if one.price is not None])
GEAR = tuple([one.id for one in library().of(Gear)])
SMALL = ("dagger", "throwing_knife", "mace")


def _armed(number: int) -> Belongings:
    """Other arms and armour than a character has: the weapon of this number, and whatever there is beside it."""
    weapon = WEAPONS[number % len(WEAPONS)]
    held = [ItemStack(weapon.id, 1, "both" if weapon.hands == 2 else "main")]
    if weapon.hands == 1:
        other = (SHIELDS[number % len(SHIELDS)], SMALL[number % len(SMALL)])[number // 2 % 2]
        held.append(ItemStack(other, 1, "off"))
    more = [CHEMICALS[number % len(CHEMICALS)], CHEMICALS[(number + 2) % len(CHEMICALS)]]
    spare = WEAPONS[(number + 5) % len(WEAPONS)].id
    tools = [GEAR[(2 * number + at) % len(GEAR)] for at in range(2)]
    pack = [ItemStack(item, 1, "pack") for item in dict.fromkeys([*more, spare, *tools])]
    return (*held, ItemStack(SUITS[number % len(SUITS)], 1, "worn"), *pack)


def armed(scenario: Scenario, number: int) -> Scenario:
    """The same people with other arms and armour, which come up in turn; they know how to use them."""
    entrants, people = [], len(scenario.entrants)
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("renaissance", entrant)
        skills = own.skills
        for skill in ("bladed_weapons", "blunt_weapons", "thrown_weapons", "projectile_weapons", "craft:smith"):
            skills = skills.put(skill, max(30, skills.get(skill, 0)))
        belongings = _armed(number * people + place)
        entrants.append(with_character(entrant, own.changed(belongings=belongings, skills=skills, copper=300)))
    return replace(scenario, entrants=tuple(entrants))


def pikes(scenario: Scenario, number: int) -> Scenario:
    """The same people with weapons to brace against a charge; those of the first side stand braced from the start."""
    weapon = ("halberd", "orcish_sword")[number % 2]
    entrants = []
    for entrant in scenario.entrants:
        own = character_in("renaissance", entrant)
        skills = own.skills.put("pole_arms", max(30, own.skills.get("pole_arms", 0)))
        stands = (Held(id="braced"),) if entrant.side == scenario.sides[0] else ()
        armed_so = own.changed(belongings=(ItemStack(weapon, 1, "both"),), skills=skills)
        entrants.append(with_character(entrant, armed_so.changed(harm=own.harm.changed(held=stands))))
    return replace(scenario, entrants=tuple(entrants))


POWERS = tuple([one.id for one in library().of(Power)])
CLASSES = tuple([one.id for one in library().of("classes")])
TRAITS = tuple([one.id for one in library().of(Trait)])
FEATURES = tuple([one.id for one in library().of(FormFeature)])
RACES = ("human", "shifter", "drake", "gnoll", "kobold", "ash_elf", "halfling", "dwarf", "orc")


def gifted(scenario: Scenario, number: int) -> Scenario:
    """The same people with powers, classes, traits and races that come up in turn, and some Luck."""
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own, turn = character_in("renaissance", entrant), number * 5 + place
        race = own.race if own.is_creature and place % 2 else RACES[turn % len(RACES)]
        powers = dict.fromkeys([POWERS[(turn + more) % len(POWERS)] for more in (0, 1, 5, 9)])
        classes = tuple(dict.fromkeys([CLASSES[(turn + more) % len(CLASSES)] for more in (0, 3)]))
        traits = [TRAITS[(turn + more) % len(TRAITS)] for more in (0, 7)]
        details = {name: "the dark" if library().get(Trait, name).detail else "" for name in dict.fromkeys(traits)}
        skills = own.skills
        for skill in ("spellcraft", "control", "athletics", "persuasion", "profession:priest", "research"):
            skills = skills.put(skill, max(40, skills.get(skill, 0)))
        shifts = race == "shifter"
        features = tuple([FEATURES[(turn + at) % len(FEATURES)] for at in range(3)])
        shield = (ItemStack(SHIELDS[turn % len(SHIELDS)], 1, "off"),) if turn % 3 == 0 else ()
        changed = own.changed(
            race=race,
            powers=tuple(powers),
            classes=classes,
            traits=details,
            luck=turn % 5,
            skills=skills,
            belongings=shield,
            form="hybrid" if shifts and turn % 2 else "",
            features=features if shifts else (),
            rez=40,
        )
        entrants.append(with_character(entrant, changed))
    return replace(scenario, entrants=tuple(entrants))


STEPS = ("research", "design", "perform")
CALLED = tuple([Held(id="work", source=f"glade_spirit/priest/{step}", degree=4) for step in STEPS])
AILMENTS: tuple[dict[str, Any], ...] = (
    {"damage": 8, "wounds": 1},
    {"stress": 9, "traumas": 1},
    {"held": (Held(id="bleeding"),)},
    {"held": (Held(id="disease", source="flu", left=200_000),)},
    {"held": (Held(id="chemical", source="numbing", left=3_000),), "wounds": 2},
    {"held": (Held(id="coated", source="blade_venom", data="short_sword"),)},
    {"stress": 200, "overwhelmed": True},
    {"held": CALLED},
    {"held": tuple([Held(id=one, source="black_death", left=90_000) for one in ("unconscious", "disease")])},
    {"dur_lost": 5, "held": (Held(id="disease", source="raking_cough"),)},
)
COVERS, LIGHTS = ("minimal", "partial", "total"), ("dim", "dark", "bright")


def troubled(scenario: Scenario, number: int) -> Scenario:
    """The same people surprised by each other, behind cover and in the dark, each with some affliction."""
    first, second = scenario.sides[number % 2], scenario.sides[(number + 1) % 2]
    entrants = []
    facts = Facts().set("light", ANYONE, LIGHTS[number % 3])
    for place, entrant in enumerate(scenario.entrants):
        own, turn = character_in("renaissance", entrant), number * 3 + place
        harm = own.harm.changed(**AILMENTS[turn % len(AILMENTS)])
        classes = tuple(dict.fromkeys([*own.classes, "corpse_herder"]))
        skills = own.skills.put("spellcraft", 50).put("fray", max(30, own.skills.get("fray", 0)))
        wastes = (PendingTimer(what="wastes", left=3 * 86_400, data="raking_cough"),) if harm.dur_lost else ()
        changed = own.changed(
            pending=wastes,
            harm=harm,
            classes=classes,
            skills=skills,
            powers=tuple(dict.fromkeys([*own.powers, "charm", "heal"])),
        )
        if place == number % len(scenario.entrants):
            changed = character_in("renaissance", replace(entrant, character="corpse_minion"))
            changed = changed.changed(harm=changed.harm.changed(damage=6, wounds=1))
        hidden = number % 3 == 2 and entrant.side == first
        side = "strays" if number % 4 == 3 and place == len(scenario.entrants) - 1 else entrant.side
        entrants.append(replace(with_character(entrant, changed), hidden=hidden, side=side))
        if turn % 4 == 0:
            facts = facts.set("cover", entrant.id, COVERS[turn // 4 % 3])
    facts = facts.set("buried", entrants[0].id, True)
    sides = tuple(dict.fromkeys([one.side for one in entrants]))
    changed_scenario = replace(scenario, entrants=tuple(entrants), facts=facts, sides=sides)
    if number % 3 == 0:
        return replace(changed_scenario, surprised=tuple([one.id for one in entrants if one.side == second]))
    return replace(changed_scenario, start=freeze({"sneaking": first})) if number % 3 == 1 else changed_scenario
