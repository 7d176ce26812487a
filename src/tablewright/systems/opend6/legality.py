"""Legality of a character: every violation with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
    changed_fields,
    duplicates,
    forbidden,
    not_all_spent,
    out_of_range,
    overspent,
    unknown_ids,
    unless,
)
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.play.trade import in_figures
from tablewright.systems.opend6.character import costs, growth
from tablewright.systems.opend6.character.figures import items, silver_per_week
from tablewright.systems.opend6.character.gear import why_not_over
from tablewright.systems.opend6.character.record import HAND, HANDS, PACK, WORN, OpenD6Character
from tablewright.systems.opend6.content import (
    ATTRIBUTES,
    EXTRANORMAL,
    Ability,
    Armour,
    Gear,
    Item,
    Skill,
    TotalEffect,
    Weapon,
)
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.values import DieCode

DICE, LIMITS = "opend6.gap.creation.attribute_dice", "opend6.gap.creation.attribute_limits"
SKILL_DICE, SKILL_LIMITS = "opend6.gap.creation.skill_dice", "opend6.gap.creation.skill_limits"
SPECIAL, EXTRA = "opend6.gap.creation.specialisations", "opend6.gap.creation.extranormal_skills"
POINTS, DISADVANTAGES = "opend6.gap.creation.points", "opend6.gap.creation.disadvantages"
LISTED, START, ABILITIES = "opend6.gap.skill.list", "opend6.gap.skill.start", "opend6.gap.ability.list"
OWNING, LAYERING = "opend6.gap.equipment.carrying", "opend6.gap.armour.layering"
PLACES = (PACK, WORN, HAND, HANDS)
MOST_HANDS = 2


def legality(character: OpenD6Character, options: OpenD6Options, library: Library) -> Legality:
    """All violations of the rules by a character."""
    known = [
        unknown_ids("skills", character.skills, library.ids(Skill), rule=LISTED),
        unknown_ids(
            "specialisations", [one.skill for one in character.specialisations], library.ids(Skill), rule=LISTED
        ),
        unknown_ids("abilities", [one.id for one in character.abilities], library.ids(Ability), rule=ABILITIES),
        unknown_ids("belongings", [one.item for one in character.belongings], items(library), rule=OWNING),
        unknown_ids("natural_weapons", character.natural_weapons, library.ids(Weapon), rule="opend6.gap.weapon.melee"),
        tuple(_skills(character, library)),
        tuple(_abilities(character, library)),
        tuple(_carried(character, options, library)),
    ]
    if character.is_creature:
        return Legality.of(*known)
    return Legality.of(
        *known,
        _attributes(character),
        tuple(_adds(character, library)),
        _budgets(character, library),
        _options(character),
        tuple(growth.problems(character, options, library)),
        changed_fields(
            character, _OF_OTHERS, "is written for those of the game master alone", rule="opend6.gap.creation.move"
        ),
        _equipment(character, library),
        unless(bool(character.moral_code.strip()), "moral_code", "is missing", rule="opend6.fate.moral_code"),
    )


def _attributes(character: OpenD6Character) -> Found:
    found: Found = ()
    for name in ATTRIBUTES:
        code: DieCode = getattr(character.attributes, name)
        later = costs.bought(character, "attribute", name)
        where = f"attributes.{name}"
        if not costs.LEAST_ATTRIBUTE.in_pips <= code.in_pips - later <= costs.MOST_ATTRIBUTE.in_pips:
            found += forbidden(where, f"{code} is out of range, allowed are 1D to 5D", rule=LIMITS)
        found += unless(code == code.normalised(), where, f"{code} is written {code.normalised()}", rule=_PIPS)
    has = character.attributes.extranormal.in_pips > 0
    found += unless(has or character.extranormal is None, "extranormal", "has no dice", rule=EXTRA)
    return found + unless(not has or character.extranormal is not None, "extranormal", "has no kind", rule=EXTRA)


_PIPS = "opend6.gap.dice.pips_per_die"


def _skills(character: OpenD6Character, library: Library) -> Iterator[Violation]:
    """Skills are never below their attribute, and Extranormal ones take the attribute."""
    for name, code in character.skills.items():
        if not library.has(Skill, name):
            continue
        yield from unless(
            costs.adds(character, name, library) >= 0, f"skills.{name}", f"{code} is below its attribute", rule=START
        )
        yield from unless(code == code.normalised(), f"skills.{name}", f"{code} is written otherwise", rule=_PIPS)
    named = [*character.skills, *[one.skill for one in character.specialisations]]
    for name in dict.fromkeys(named):
        if library.has(Skill, name):
            governing = library.get(Skill, name).attribute
            has = governing not in EXTRANORMAL or character.extranormal == governing
            yield from unless(has, f"skills.{name}", f"needs the attribute {governing}", rule=EXTRA)
    twice = [f"{one.skill}: {as_meant(one.subject)}" for one in character.specialisations]
    yield from duplicates("specialisations", twice, rule=SPECIAL)


def _adds(character: OpenD6Character, library: Library) -> Iterator[Violation]:
    """At most 3D above the attribute, and above the skill; for the experienced there is no maximum."""
    if costs.is_experienced(character):
        return
    most = costs.MOST_ADDS.in_pips
    for name in character.skills:
        adds = costs.adds(character, name, library) - costs.bought(character, "skill", name)
        yield from out_of_range(f"skills.{name}", adds, None, most, rule=SKILL_LIMITS)
    for one in character.specialisations:
        adds = one.adds.in_pips - costs.bought(character, "specialisation", one.skill, one.subject)
        where = f"specialisations.{one.skill}: {one.subject}"
        yield from out_of_range(where, adds, 0, costs.MOST_SPECIAL_ADDS.in_pips, rule=SKILL_LIMITS)


def _budgets(character: OpenD6Character, library: Library) -> Found:
    """Everything is spent exactly; creation points may leave a rest too small for a whole die."""
    spent, there = costs.spent(character, library), costs.totals(character.method, character)
    if character.method == "defined_limits":
        found = _whole_dice(spent.specialisations)
        found += not_all_spent("attributes", spent.attributes, there["attributes"], rule=DICE)
        return found + not_all_spent("skills", spent.skill_dice(), there["skills"], rule=SKILL_DICE)
    found = _whole_dice(spent.specialisations) + overspent(
        "creation points", spent.points(), there["points"], rule=POINTS
    )
    return found + unless(
        there["points"] - spent.points() <= 0,
        "creation points",
        f"{there['points'] - spent.points()} are left",
        rule=POINTS,
    )


def _whole_dice(pips: int) -> Found:
    """Dice for specialisations are used up: three of them for each skill die."""
    left = -pips % costs.SPECIAL_PIPS
    return unless(not left, "specialisations", f"{left} pips of the dice that were begun are left", rule=SPECIAL)


def _options(character: OpenD6Character) -> Found:
    """Ranks of disadvantages, at creation and at any time since; the experienced have no maximum."""
    if costs.is_experienced(character):
        return ()
    first, now = costs.first_disadvantages(character), sum(character.disadvantages.values())
    found = out_of_range("disadvantages", first, None, costs.MOST_DISADVANTAGES, rule=DISADVANTAGES)
    return found or out_of_range("disadvantages", now, None, costs.MOST_DISADVANTAGES, rule=growth.DISADVANTAGE)


def _abilities(character: OpenD6Character, library: Library) -> Iterator[Violation]:
    """Violations by abilities that lack their attribute or number of skills."""
    for place, own in enumerate(character.abilities):
        if not library.has(Ability, own.id):
            continue
        entry, where = library.get(Ability, own.id), f"abilities[{place}]"
        yield from unless(entry.ranked or own.ranks == 1, where, f"{entry.name} has no ranks", rule=_COST)
        total = [effect for effect in entry.effects if isinstance(effect, TotalEffect)]
        wants = any(effect.of == "attribute" for effect in total)
        number = sum([effect.skills for effect in total])
        yield from unless(wants == (own.attribute is not None), where, "names an attribute, or names none", rule=_COST)
        yield from unless(len(own.skills) == number, where, f"names {number} skills, not {len(own.skills)}", rule=_COST)
        yield from unknown_ids(f"{where}.skills", own.skills, library.ids(Skill), rule=LISTED)
        yield from duplicates(f"{where}.skills", own.skills, rule=_COST)
    same = [f"{own.id} {own.attribute or ''} {' '.join(sorted(own.skills))}".strip() for own in character.abilities]
    yield from duplicates("abilities", same, rule=_COST)


_COST = "opend6.gap.ability.cost"


_OF_OTHERS = ("move", "scale", "natural_weapons", "wound_levels", "important", "station")


def _equipment(character: OpenD6Character, library: Library) -> Found:
    """A new character has a small weapon, a little protection and a tool, and what a week's silver buys."""
    if character.traded or character.interval:
        return ()
    free: dict[type[Item], Fraction] = {Weapon: Fraction(0), Armour: Fraction(0), Gear: Fraction(0)}
    worth = Fraction(character.silver)
    for carried in character.belongings:
        found = items(library).get(carried.item)
        if found is None or found.price is None:
            continue
        worth += found.price * carried.count / found.bundle
        if found.small and type(found) in free:
            free[type(found)] = max(free[type(found)], Fraction(found.price) / found.bundle)
    over = worth - sum(free.values()) - silver_per_week(character, library).total
    said = f"is worth {in_figures(over)} silver more than a week brings"
    return unless(over <= 0, "belongings", said, rule="opend6.gap.creation.equipment")


def _carried(character: OpenD6Character, options: OpenD6Options, library: Library) -> Iterator[Violation]:
    """Two hands, suits of armour that go together, and everything in a place that there is."""
    hands, shields = 0, 0
    suits: list[Armour] = []
    for carried in character.belongings:
        found = items(library).get(carried.item)
        where = f"belongings.{carried.item}"
        if carried.place not in PLACES:
            yield from forbidden(where, f'there is no place "{carried.place}"', rule=OWNING)
        if carried.place in (HAND, HANDS):
            needed = max(1, found.hands if found is not None else 1)
            hands += max(needed, 2 if carried.place == HANDS else 1) * carried.count
            shields += carried.count if isinstance(found, Armour) and found.shield else 0
        elif carried.place == WORN and isinstance(found, Armour):
            yield from unless(not found.shield, where, "is held in a hand, not worn", rule=LAYERING)
            suits += [] if found.shield else [found] * carried.count
    yield from unless(hands <= MOST_HANDS, "belongings", f"{hands} hands are needed, there are 2", rule=OWNING)
    for place, suit in enumerate(suits):
        refused = why_not_over(suit, suits[:place], options.armour_layering)
        yield from unless(refused is None, f"belongings.{suit.id}", refused or "", rule=LAYERING)
    yield from unless(shields <= 1, "belongings", f"{shields} shields are held", rule=LAYERING)
