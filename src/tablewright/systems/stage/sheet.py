"""The character sheet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tablewright.engine import Tally
from tablewright.game.character.sheet import Section, Sheet, SheetEntry
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.game.play.trade import in_figures
from tablewright.systems.stage.character.costs import points_left, spent
from tablewright.systems.stage.character.figures import (
    armour_set,
    attribute_level,
    enchantments_in,
    encumbrance_of,
    figures,
    hands_for,
    is_literate,
    items,
    load,
    load_limits,
    load_penalty,
    maximum,
    natural_weapons,
    resistance,
    size_of,
    speed_of,
)
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import (
    Armour,
    Background,
    Enchantment,
    Race,
    Skill,
    Spell,
    SubRace,
    Vehicle,
    Weapon,
)
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.modifiers import counters_of, rolled
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTES, CORE, SURFACE

Row = tuple[str | int | Tally, ...]


def sheet(character: StageCharacter, options: StageOptions, library: Library) -> Sheet:
    """A character to look at: every figure with where it comes from."""
    subject = Subject(character, options, library)
    sections = (
        _levels(character, options, library),
        _tracks(subject),
        _figures(character, options, library),
        Section("Skills", columns=_SKILLS, rows=tuple(_skills(subject))),
        Section("Powers", columns=_POWERS, rows=tuple(_powers(character, library))),
        Section("Spells", columns=_SPELLS, rows=tuple(_spells(character, library))),
        Section("Enchantments", tuple(_enchantments(character, library))),
        Section("Weapons", columns=_WEAPONS, rows=tuple(_weapons(subject))),
        Section("Armour", columns=_ARMOUR, rows=tuple(_armour(character, library))),
        _belongings(character, options, library),
        _points(character, library),
        Section("Looks", text=character.looks),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, _subtitle(character, library), sections)


def _subtitle(character: StageCharacter, library: Library) -> str:
    words = []
    for kind, id_ in ((Race, character.race), (SubRace, character.sub_race), (Background, character.background)):
        if library.has(kind, id_):
            words.append(library.get(kind, id_).name.lower())
    return " ".join(words) or character.kind


def _levels(character: StageCharacter, options: StageOptions, library: Library) -> Section:
    return Section(
        "Levels",
        tuple(
            [SheetEntry(name.title(), tally=attribute_level(character, name, options, library)) for name in ATTRIBUTES]
        ),
    )


def _tracks(subject: Subject) -> Section:
    character: StageCharacter = subject.character
    entries = []
    for attribute in ATTRIBUTES:
        for track in (SURFACE[attribute], CORE[attribute]):
            most = maximum(character, track, subject.options, subject.library)
            left = getattr(character.wounds, track)
            value: int | str = most.total if left is None else f"{min(left, most.total)} of {most.total}"
            entries.append(SheetEntry(track.title(), value, most))
    counters = counters_of(subject)
    if counters.total:
        entries.append(SheetEntry("Disability Counters", counters.total, rule="stage.injury.disability"))
    states = [word for word, holds in (("dead", character.wounds.dead), (character.wounds.unconscious, True)) if holds]
    entries += [SheetEntry(word.capitalize()) for word in states if word]
    entries += [SheetEntry(one.ailment.replace("_", " ").title(), one.level) for one in character.wounds.sicknesses]
    return Section("Tracks", tuple(entries))


def _figures(character: StageCharacter, options: StageOptions, library: Library) -> Section:
    entries: tuple[SheetEntry, ...] = (
        SheetEntry("Size", tally=size_of(character, library)),
        SheetEntry("Speed", tally=speed_of(character, library)),
        SheetEntry("Maximum Defense Points", tally=armour_set(character, options, library)),
        SheetEntry("Resistance", tally=resistance(character, options, library)),
        SheetEntry(
            "Reads and writes", "yes" if is_literate(character, library) else "no", rule="stage.academics.literacy"
        ),
    )
    if library.has(Vehicle, character.vehicle):
        whole = library.get(Vehicle, character.vehicle).integrity
        left = whole if character.wounds.integrity is None else character.wounds.integrity
        entries = (*entries, SheetEntry("Integrity", f"{left} of {whole}", rule="stage.mount.properties"))
    return Section("Figures", entries)


_SKILLS = ("Skill", "Attribute", "Level", "Dice", "Flat")


def _skills(subject: Subject) -> Iterator[Row]:
    character: StageCharacter = subject.character
    for one in subject.library.of(Skill):
        if character.level(one.id):
            throw = rolled(subject, f"{one.id}.any")
            yield one.name, one.attribute.title(), character.level(one.id), throw.dice, throw.flat


_POWERS = ("Power", "Of", "Tier", "Use", "Cost", "What it does")


def _powers(character: StageCharacter, library: Library) -> Iterator[Row]:
    for id_ in dict.fromkeys(character.powers):
        if not library.has(Power, id_):
            yield id_, "", "", "", "", "unknown"
            continue
        power = library.get(Power, id_)
        chosen = ", ".join(character.choices.get(id_, ()))
        name = f"{power.name} ({chosen})" if chosen else power.name
        yield name, power.skill.replace("_", " ").title(), power.tier, power.when, cost_words(power), power.does


def cost_words(power: Power) -> str:
    """Price of a power as text."""
    words = [f"{amount} {track.title()}" for track, amount in power.cost.items()]
    words += [power.special.replace("_", " ")] if power.special else []
    words += [f"{power.ap} AP"] if power.ap is not None else []
    words += [f"{power.hours} h"] if power.hours is not None else []
    return ", ".join(words) or "-"


_SPELLS = ("Spell", "Of", "Circle", "AP", "Cost", "Check", "Reach", "Prepared")


def _spells(character: StageCharacter, library: Library) -> Iterator[Row]:
    for id_ in character.spells:
        if library.has(Spell, id_):
            one = library.get(Spell, id_)
            cost = ", ".join([f"{amount} {track.title()}" for track, amount in one.cost.items()])
            reach = "melee" if one.cubes is None else "self" if one.on_oneself else f"{one.cubes} cubes"
            prepared = "yes" if id_ in character.prepared else ""
            schools = " or ".join([school.title() for school in one.schools])
            yield one.name, schools, one.circle, one.ap, cost, one.check, reach, prepared


def _enchantments(character: StageCharacter, library: Library) -> Iterator[SheetEntry]:
    for id_ in character.enchantments:
        if library.has(Enchantment, id_):
            one = library.get(Enchantment, id_)
            yield SheetEntry(one.name, one.school.title(), note=f"circle {one.circle}")


_WEAPONS = ("Weapon", "With", "Dice", "Flat", "Parry", "Increment", "Hands", "Where")


def _weapons(subject: Subject) -> Iterator[Row]:
    character, library = subject.character, subject.library
    size = figures(character, subject.options, library).size
    known = items(library)
    owned = [(known.get(one.item), one.place) for one in character.belongings]
    owned += [(one, "natural") for one in natural_weapons(character, library)]
    for weapon, place in owned:
        if not isinstance(weapon, Weapon):
            continue
        hands = "-" if weapon.natural else str(hands_for(weapon.size, size) or "too large")
        for use in weapon.uses:
            throw = rolled(subject, use, weapon=weapon)
            skill = library.get(Skill, throw.skill).name
            parry = str(weapon.parry) if weapon.parry is not None and use == "close_combat.attack" else ""
            increment = "" if weapon.increment is None or use == "close_combat.attack" else str(weapon.increment)
            yield weapon.name, skill, throw.dice, throw.flat, parry, increment, hands, place


_ARMOUR = ("Armour", "Defense Points", "Resistance", "Integrity", "Where")


def _armour(character: StageCharacter, library: Library) -> Iterator[Row]:
    known = items(library)
    for one in character.belongings:
        piece = known.get(one.item)
        if isinstance(piece, Armour):
            left = piece.integrity if one.left is None else one.left
            yield piece.name, piece.max_defense_points, piece.resistance, f"{left} of {piece.integrity}", one.place


def _belongings(character: StageCharacter, options: StageOptions, library: Library) -> Section:
    known = items(library)
    entries = []
    for one in character.belongings:
        found = known.get(one.item)
        magic = ", ".join(enchantments_in(one))
        note = ", ".join([word for word in (one.place, magic) if word])
        if not isinstance(found, Weapon | Armour) or magic:
            entries.append(SheetEntry(found.name if found else one.item, one.count, note=note))
    light, heavy, most = load_limits(character, options, library)
    weighs = load(character, options, library)
    limits = figures(character, options, library).limits
    penalty = load_penalty(weighs, limits, options.max_load_penalty)
    carried = sum([encumbrance_of(one, library) for one in character.belongings], Fraction(0))
    words = f"-{penalty.flat}, -{penalty.dice}d" if penalty.dice else f"-{penalty.flat}" if penalty.flat else "none"
    entries += [
        SheetEntry("Money", in_figures(character.money), rule="stage.gap.character.starting_equipment"),
        SheetEntry("Load", in_figures(weighs), note="" if carried == weighs else f"of {in_figures(carried)}"),
        SheetEntry("Light load", tally=light),
        SheetEntry("Heavy load", tally=heavy),
        SheetEntry("Maximum load", tally=most),
        SheetEntry("Load penalty", words, rule="stage.encumbrance.loads"),
    ]
    return Section("Belongings", tuple(entries))


def _points(character: StageCharacter, library: Library) -> Section:
    if character.is_creature:
        return Section("Character Points")
    entries = (
        SheetEntry("Received", character.points + character.awarded, rule="stage.character.point_budget"),
        SheetEntry("Spent", tally=spent(character, library)),
        SheetEntry("Left", points_left(character, library), rule="stage.advancement.award"),
    )
    return Section("Character Points", entries)
