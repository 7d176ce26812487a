"""The character sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.character.sheet import Cell, Section, Sheet, SheetEntry
from tablewright.game.content.library import Library
from tablewright.game.play.trade import in_figures
from tablewright.systems.opend6.character import figures
from tablewright.systems.opend6.character.record import OpenD6Character
from tablewright.systems.opend6.content import ATTRIBUTES, Ability, Armour, Skill, Weapon
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import level_of

UNARMED = "unarmed"


def sheet(character: OpenD6Character, options: OpenD6Options, library: Library) -> Sheet:
    """A character to look at: every figure with where it comes from."""
    sections = (
        Section("Attributes", tuple(_attributes(character, library))),
        Section("Skills", tuple(_skills(character, library))),
        Section("Figures", tuple(_figures(character, options, library))),
        Section("Points", tuple(_points(character))),
        Section("Weapons", columns=("Weapon", "Skill", "Damage", "Range"), rows=tuple(_weapons(character, library))),
        Section("Abilities", tuple(_abilities(character, library))),
        Section("Belongings", tuple(_belongings(character, library))),
        Section("Moral code", text=character.moral_code),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, character.occupation or character.kind, sections)


def _attributes(character: OpenD6Character, library: Library) -> Iterator[SheetEntry]:
    for name in (*ATTRIBUTES, *([character.extranormal] if character.extranormal else [])):
        tally = figures.attribute(character, name)
        bonus = figures.total_bonus(character, name, library).total
        yield SheetEntry(figures.titled(name), f"{figures.code(tally)}{f' {bonus:+d}' if bonus else ''}", tally)


def _skills(character: OpenD6Character, library: Library) -> Iterator[SheetEntry]:
    for one in library.of(Skill):
        if one.id in character.skills or any(one.id in own.skills for own in character.abilities):
            tally = figures.skill(character, one.id, library)
            bonus = figures.total_bonus(character, one.id, library).total
            yield SheetEntry(one.name, f"{figures.code(tally)}{f' {bonus:+d}' if bonus else ''}", tally)
    for own in character.specialisations:
        if library.has(Skill, own.skill):
            tally = figures.skill(character, own.skill, library, subject=own.subject)
            yield SheetEntry(f"{library.get(Skill, own.skill).name}: {own.subject}", str(figures.code(tally)), tally)


def _figures(character: OpenD6Character, options: OpenD6Options, library: Library) -> Iterator[SheetEntry]:
    strength = figures.strength_damage(character, library)
    yield SheetEntry("Strength Damage", f"{strength.total}D", strength)
    yield SheetEntry("Move", tally=figures.move(character))
    worn = figures.armour(character.belongings, library)
    yield SheetEntry("Armour", str(figures.code(worn)), worn)
    resists = figures.resistance_bonus(character, library)
    if resists.total:
        yield SheetEntry("Resistance bonus", tally=resists)
    if options.injury_system != "wounds":
        yield _body(character)
    yield SheetEntry("Health", _health(character, options))
    if not character.is_creature:
        yield SheetEntry("Funds", str(figures.funds_code(character, library)), figures.funds(character, library))
        yield SheetEntry("Silver a week", tally=figures.silver_per_week(character, library))


def _body(character: OpenD6Character) -> SheetEntry:
    """Body Points left, and their maximum."""
    most, left = figures.body_points(character), character.wounds.body_points
    return SheetEntry("Body Points", None if left is None else f"{left} of {most.total}", most)


def _health(character: OpenD6Character, options: OpenD6Options) -> str:
    """Condition of a character in words: level of injury, consciousness, lasting loss from dying."""
    wounds, most = character.wounds, figures.body_points(character).total
    words = [level_of(character, None, most, options.injury_system).replace("_", " ")]
    words += ["unconscious"] if wounds.unconscious else []
    words += [f"skills {wounds.weakened}D weaker"] if wounds.weakened else []
    hurt = wounds.body_points is not None and options.injury_system == "body_points"
    return ", ".join(["hurt" if hurt and words[0] == "healthy" else words[0], *words[1:]])


def _points(character: OpenD6Character) -> Iterator[SheetEntry]:
    yield SheetEntry("Character Points", character.character_points, rule="opend6.gap.creation.character_points")
    yield SheetEntry("Fate Points", character.fate_points, rule="opend6.gap.creation.fate_points")
    if character.advances:
        yield SheetEntry("Spent on improvement", sum([one.cost for one in character.advances]))


def _weapons(character: OpenD6Character, library: Library) -> Iterator[tuple[Cell, ...]]:
    own = character.natural_weapons or (UNARMED,)
    for name in dict.fromkeys([*own, *[one.item for one in character.belongings]]):
        found = library.get(Weapon, name) if library.has(Weapon, name) else None
        if found is None:
            continue
        ranges = found.ranges
        reach = "" if ranges is None else f"{ranges.short}/{ranges.medium}/{ranges.long}"
        reach = f"Physique {reach}" if ranges is not None and ranges.physique else reach
        skilled = figures.code(figures.weapon_skill(character, found, library))
        yield (found.name, str(skilled), str(figures.code(figures.weapon_damage(character, found, library))), reach)


def _abilities(character: OpenD6Character, library: Library) -> Iterator[SheetEntry]:
    for own in character.abilities:
        name = library.get(Ability, own.id).name if library.has(Ability, own.id) else own.id
        about = ", ".join(
            [*([figures.titled(own.attribute)] if own.attribute else []), *map(figures.titled, own.skills)]
        )
        yield SheetEntry(name, f"rank {own.ranks}", note=about)
    for label, ranks in (("advantage", character.advantages), ("disadvantage", character.disadvantages)):
        for name, rank in ranks.items():
            yield SheetEntry(name, f"{label}, rank {rank}")


def _belongings(character: OpenD6Character, library: Library) -> Iterator[SheetEntry]:
    for carried in character.belongings:
        found = figures.items(library).get(carried.item)
        label = found.name if found is not None else carried.item
        left = "" if carried.left is None else f", {carried.left} left"
        value = (
            f"{carried.count}, {carried.place}" if not isinstance(found, Armour) else f"{found.value}, {carried.place}"
        )
        yield SheetEntry(label, f"{value}{left}")
    yield SheetEntry("Silver", in_figures(character.silver))
