"""Legality of a character: every violation with its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from tablewright.game.character.belongings import hands_taken
from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
    changed_fields,
    duplicates,
    forbidden,
    out_of_range,
    overspent,
    unknown_id,
    unknown_ids,
    unless,
    wrong_number,
)
from tablewright.game.content.library import Library
from tablewright.systems.stage import creation
from tablewright.systems.stage.character import costs
from tablewright.systems.stage.character.figures import added, attribute_level, figures, hands_for, items, load
from tablewright.systems.stage.character.gear import MOST_HANDS
from tablewright.systems.stage.character.record import HAND, HANDS, PLACES, WORN, StageCharacter
from tablewright.systems.stage.content import Armour, Background, Enchantment, Race, Skill, Spell, SubRace, Weapon
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTES, SCHOOLS

Violations: TypeAlias = Iterator[Violation]


def legality(character: StageCharacter, options: StageOptions, library: Library) -> Legality:
    """Everything about a character that the rules forbid."""
    owned = [one.item for one in character.belongings]
    known = [
        unknown_ids("skills", character.skills, library.ids(Skill), rule="stage.skill.attributes"),
        unknown_ids("powers", character.powers, library.ids(Power), rule="stage.power.vocabulary"),
        unknown_ids("spells", character.spells, library.ids(Spell), rule="stage.gap.magic.spells"),
        unknown_ids(
            "enchantments", character.enchantments, library.ids(Enchantment), rule="stage.gap.magic.enchantments"
        ),
        unknown_ids("belongings", owned, items(library), rule="stage.gap.equipment.weapons"),
        unknown_ids("weapons", character.weapons, library.ids(Weapon), rule="stage.gap.equipment.weapons"),
        _levels(character, options),
        _belongings(character, options, library),
    ]
    if character.is_creature:
        return Legality.of(*known)
    return Legality.of(
        *known,
        _heritage(character, library),
        _minimum(character, options, library),
        _powers(character, options, library),
        _choices(character, library),
        _points(character, library),
        _magic(character, options, library),
        creation.problems(character, library),
        changed_fields(character, _OF_CREATURES, "is written for creatures alone", rule="stage.gap.character.races"),
        _focus(character, options, library),
    )


def _levels(character: StageCharacter, options: StageOptions) -> Violations:
    most = None if character.is_creature else costs.highest_level(options)
    for skill, level in character.skills.items():
        yield from out_of_range(f"skills.{skill}", level, 0, most, rule="stage.character.skill_cost")


# ---------------------------------------------------------------------- who they are


def _heritage(character: StageCharacter, library: Library) -> Violations:
    yield from unknown_id("race", character.race, library.ids(Race), rule="stage.gap.character.races")
    rule = "stage.gap.character.races"
    peoples = [one.id for one in library.of(SubRace) if one.race == character.race]
    if peoples or character.sub_race:
        message = f'"{character.sub_race}" is not a people of {character.race or "nobody"}'
        yield from unless(character.sub_race in peoples, "sub_race", message, rule=rule)
    rule = "stage.gap.character.backgrounds"
    yield from unknown_id("background", character.background, library.ids(Background), rule=rule)


_OF_CREATURES = (
    "size",
    "speed",
    "resistance",
    "weapons",
    "tricks",
    "vehicle",
    "least_speed",
    "acceleration",
    "needs",
    "practice",
)


def _minimum(character: StageCharacter, options: StageOptions, library: Library) -> Violations:
    for attribute in ATTRIBUTES:
        level = attribute_level(character, attribute, options, library).total
        message = f"no {attribute.title()} skill is known; one is needed"
        yield from unless(level >= 1, "skills", message, rule="stage.character.minimum_skills")


def _points(character: StageCharacter, library: Library) -> Found:
    total = character.points + character.awarded
    return overspent("points", costs.spent(character, library).total, total, rule="stage.character.creation")


# ---------------------------------------------------------------------- powers


def _powers(character: StageCharacter, options: StageOptions, library: Library) -> Violations:
    for id_, number in Counter(character.powers).items():
        if not library.has(Power, id_):
            continue
        power = library.get(Power, id_)
        message = f"{power.name} can be acquired once, it stands there {number} times"
        yield from unless(number == 1 or power.again, "powers", message, rule="stage.character.power_cost")
        for missing in costs.unmet(power, character, options, library):
            yield from forbidden("powers", f"{power.name} {missing}", rule="stage.power.prerequisites")
        if power.magic and costs.without_magic(options):
            yield from forbidden("powers", f"{power.name}: there is no magic", rule="stage.option.magic")


def _choices(character: StageCharacter, library: Library) -> Violations:
    bought = Counter(character.powers)
    for id_ in character.choices:
        message = f"{id_} is not a power of this character with a choice"
        has = (
            library.has(Power, id_) and bought[id_] and costs.choices_for(library.get(Power, id_), library) is not None
        )
        yield from unless(bool(has), "choices", message, rule="stage.character.power_cost")
    for id_, number in bought.items():
        if not library.has(Power, id_):
            continue
        power = library.get(Power, id_)
        allowed = costs.choices_for(power, library)
        if allowed is None:
            continue
        chosen = character.choices.get(id_, ())
        yield from wrong_number(f"choices.{id_}", chosen, number, what="choices", rule=power.rule)
        yield from duplicates(f"choices.{id_}", [name.strip().casefold() for name in chosen], rule=power.rule)
        for name in () if costs.is_free_choice(power) else chosen:
            yield from unknown_id(f"choices.{id_}", name, allowed, rule=power.rule)


# ---------------------------------------------------------------------- magic


def _magic(character: StageCharacter, options: StageOptions, library: Library) -> Violations:
    if costs.without_magic(options):
        for school in SCHOOLS:
            message = "there is no magic"
            yield from unless(not character.level(school), f"skills.{school}", message, rule="stage.option.magic")
        if character.spells or character.enchantments:
            yield from forbidden("spells", "there is no magic", rule="stage.option.magic")
    magic: list[tuple[str, Spell | Enchantment]] = [
        *[("spells", library.get(Spell, id_)) for id_ in character.spells if library.has(Spell, id_)],
        *[
            ("enchantments", library.get(Enchantment, id_))
            for id_ in character.enchantments
            if library.has(Enchantment, id_)
        ],
    ]
    for field, one in magic:
        message = f"{one.name} needs {costs.levels_to_learn(one)}"
        yield from unless(costs.may_learn(one, character), field, message, rule="stage.magic.learn_limit")


def focus_slots(character: StageCharacter, school: str, options: StageOptions, library: Library) -> int:
    """Number of spells that a Focus holds of one type, or of any type (`any`)."""
    return sum([part.changed for part in added(f"focus_slots.{school}", character, options, library)])


def unprepared(character: StageCharacter, options: StageOptions, library: Library) -> int:
    """Number of prepared spells without room in the Focus; room of one type is used before room for any."""
    left = {school: focus_slots(character, school, options, library) for school in (*SCHOOLS, "any")}
    over = 0
    for id_ in character.prepared:
        schools = library.get(Spell, id_).schools if library.has(Spell, id_) else ()
        room = next((name for name in (*schools, "any") if left[name]), None)
        if room is None:
            over += 1
        else:
            left[room] -= 1
    return over


def _focus(character: StageCharacter, options: StageOptions, library: Library) -> Violations:
    rule = "stage.magic.focus"
    if costs.without_magic(options):
        return
    yield from unknown_ids("prepared", character.prepared, character.spells, rule=rule)
    over = unprepared(character, options, library)
    yield from unless(not over, "prepared", f"{over} more spells than the Focus holds", rule=rule)


# ---------------------------------------------------------------------- what they have


def _belongings(character: StageCharacter, options: StageOptions, library: Library) -> Violations:
    known, size = items(library), figures(character, options, library).size
    slots: Counter[str] = Counter()
    for one in character.belongings:
        rule = "stage.equipment.size"
        yield from unless(one.place in PLACES, "belongings", f'"{one.place}" is not a place', rule=rule)
        found = known.get(one.item)
        if isinstance(found, Armour) and one.place == WORN:
            slots[found.slot] += one.count
            message = f"{found.name} is held, not worn"
            yield from unless(not found.is_shield, "belongings", message, rule="stage.equipment.armor")
        if found is not None and one.place in (HAND, HANDS) and not isinstance(found, Armour):
            hands = hands_for(found.size, size)
            message = f"{found.name} of Size {found.size} cannot be wielded at Size {size}"
            yield from unless(hands is not None, "belongings", message, rule=rule)
            message = f"{found.name} takes two hands"
            yield from unless(hands != 2 or one.place == HANDS, "belongings", message, rule=rule)
    for slot, number in slots.items():
        message = f"{number} components are worn on the {slot}"
        yield from unless(number <= 1, "belongings", message, rule="stage.equipment.armor")
    taken = hands_taken(character.belongings)
    message = f"{taken} hands are full, there are {MOST_HANDS}"
    yield from unless(taken <= MOST_HANDS, "belongings", message, rule="stage.equipment.size")
    weighs, most = load(character, options, library), figures(character, options, library).limits.maximum
    message = f"a load of {weighs} cannot be carried, at most {most} can"
    yield from unless(weighs <= most, "belongings", message, rule="stage.encumbrance.loads")
