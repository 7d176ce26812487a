"""The sheet of a character."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine.tally import Tally
from tablewright.game.content import Library
from tablewright.game.sheet import Entry, Section, Sheet
from tablewright.systems.renaissance.character.active import active_for
from tablewright.systems.renaissance.character.costs import background_of, reckoning
from tablewright.systems.renaissance.character.figures import (
    VITAL,
    Active,
    aptitude,
    armor,
    linked_aptitude,
    movement,
    natural_weapons,
    senses,
    size,
    skill,
    skill_name,
)
from tablewright.systems.renaissance.character.giving import race_of
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.character.wearing import items, worn
from tablewright.systems.renaissance.content import (
    APTITUDES,
    Armour,
    CharacterClass,
    FormFeature,
    Power,
    Trait,
    Weapon,
)
from tablewright.systems.renaissance.options import RenaissanceOptions

NAMES = {
    "DUR": "Durability",
    "STR": "Strength",
    "WT": "Wound Threshold",
    "DR": "Death Rating",
    "LUC": "Lucidity",
    "TT": "Trauma Threshold",
    "IR": "Insanity Rating",
    "INIT": "Initiative",
    "DB": "Damage Bonus",
    "LUCK": "Luck",
}


def sheet(character: RenaissanceCharacter, options: RenaissanceOptions, library: Library) -> Sheet:
    """A character to look at: every figure with where it comes from."""
    active = active_for(character, None, library)
    sections = (
        Section("Aptitudes", tuple([Entry(one, tally=aptitude(character, one, library, active)) for one in APTITUDES])),
        _vital(character, library, active),
        Section("Health", tuple(_harm(character))),
        Section("Skills", columns=_SKILLS, rows=tuple(_skills(character, library, active))),
        Section("Weapons", columns=_WEAPONS, rows=tuple(_weapons(character, library))),
        Section("Armor", columns=_ARMOR, rows=tuple(_armour(character, library))),
        Section("Traits, classes and powers", tuple(_features(character, library))),
        _belongings(character, library),
        _points(character, library),
        Section("Motivations", text=", ".join(character.motivations)),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, _subtitle(character, library), sections)


def _subtitle(character: RenaissanceCharacter, library: Library) -> str:
    race, background = race_of(character, library), background_of(character, library)
    words = [race.name if race else character.race]
    if background is not None:
        words.append(background.name)
    if character.kind != "character":
        words.append(character.kind.replace("_", " "))
    return ", ".join([word for word in words if word])


def _vital(character: RenaissanceCharacter, library: Library, active: Active) -> Section:
    entries = [Entry(NAMES[name], tally=figure(character, library, active)) for name, figure in VITAL.items()]
    entries.append(Entry("Armor", tally=armor(character, library, active)))
    entries.append(Entry("Size", size(character, library), rule="renaissance.size.categories"))
    for mode, way in movement(character, library).items():
        entries.append(Entry(f"On {mode}" if mode == "foot" else mode.title(), f"{way.base}/{way.full} m"))
    found = senses(character, library)
    if found:
        entries.append(Entry("Senses", ", ".join([name.replace("_", " ") for name in found])))
    if character.features:
        known = [library.get(FormFeature, id_).name for id_ in character.features if library.has(FormFeature, id_)]
        form = "in hybrid form" if character.form else "in humanoid form"
        entries.append(Entry("Hybrid form", ", ".join(known), note=form))
    return Section("Vital statistics", tuple(entries))


def _harm(character: RenaissanceCharacter) -> Iterator[Entry]:
    harm = character.harm
    yield Entry("Damage", harm.damage, rule="renaissance.injury.damage_track")
    yield Entry("Wounds", harm.wounds, note=f"{harm.bound} bound" if harm.bound else "")
    yield Entry("Stress", harm.stress, rule="renaissance.stress.track")
    yield Entry("Traumas", harm.traumas, note=f"{harm.soothed} soothed" if harm.soothed else "")
    if harm.luck is not None:
        yield Entry("Luck points", harm.luck, rule="renaissance.luck.stat")
    for one in harm.held:
        yield Entry(one.id.title(), one.source.replace("_", " ") or one.degree)
    if harm.lost:
        yield Entry("Lost", ", ".join(harm.lost))
    for word in ("dead", "insane", "overwhelmed"):
        if getattr(harm, word):
            yield Entry(word.title(), "yes")


_SKILLS = ("Skill", "Aptitude", "Ranks", "Specialization", "Target")


def _skills(
    character: RenaissanceCharacter, library: Library, active: Active
) -> Iterator[tuple[str | int | Tally, ...]]:
    named = sorted([(skill_name(key, library), key) for key in character.skills])
    for name, key in named:
        if name == key:  # not in the content
            yield name, "", character.skills[key], "", character.skills[key]
            continue
        linked = linked_aptitude(character, key, library)
        special = character.specializations.get(key, "")
        yield name, linked, character.skills[key], special, skill(character, key, library, active)


_WEAPONS = ("Weapon", "Skill", "DV", "AP", "Range", "Tags", "Where")


def _weapons(character: RenaissanceCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    known = items(library)
    owned = [(known.get(one.item), one.place) for one in character.belongings]
    found = [(one, place) for one, place in owned if isinstance(one, Weapon)]
    found += [(one, "always") for one in natural_weapons(character, library)]
    for weapon, place in found:
        tags = ", ".join([tag.replace("_", " ") for tag in weapon.tags])
        for way in weapon.attacks:
            ranges = "/".join([str(metres) for metres in way.ranges])
            yield weapon.name, skill_name(way.skill, library), str(way.dv), way.ap, ranges, tags, place


_ARMOR = ("Armor", "Value", "Penalty", "Where")


def _armour(character: RenaissanceCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    known = items(library)
    for one in character.belongings:
        piece = known.get(one.item)
        if isinstance(piece, Armour):
            penalty = f"{piece.penalty} {' and '.join(piece.aptitudes)}" if piece.penalty else "none"
            yield piece.name, piece.armor, penalty, one.place


def _features(character: RenaissanceCharacter, library: Library) -> Iterator[Entry]:
    for id_, detail in character.traits.items():
        trait = library.get(Trait, id_) if library.has(Trait, id_) else None
        yield Entry(trait.name if trait else id_, detail or (trait.nature if trait else ""), note="trait")
    for id_ in character.classes:
        name = library.get(CharacterClass, id_).name if library.has(CharacterClass, id_) else id_
        yield Entry(name, "class")
    for id_ in character.powers:
        if library.has(Power, id_):
            power = library.get(Power, id_)
            yield Entry(power.name, ", ".join(power.kinds), note="" if power.action == "none" else power.action)
        else:
            yield Entry(id_, "power")


def _belongings(character: RenaissanceCharacter, library: Library) -> Section:
    known = items(library)
    entries = []
    for one in character.belongings:
        found = known.get(one.item)
        if not isinstance(found, Weapon | Armour):
            entries.append(Entry(found.name if found else one.item, one.count))
    heavy = worn(character.belongings, library).heavy
    most = VITAL["STR"](character, library).total // 10
    entries += [
        Entry("Copper", character.copper, rule="renaissance.gap.money.prices"),
        Entry("Heavy things", f"{heavy} of {most}", rule="renaissance.gap.armor.heavy"),
    ]
    return Section("Belongings", tuple(entries))


def _points(character: RenaissanceCharacter, library: Library) -> Section:
    if character.is_creature:
        return Section("Rez points")
    if not character.advances and not character.rez:
        spent = reckoning(character, library)
        return Section("Creation points", (Entry("Spent", f"{spent.total} of {character.points}", spent),))
    tally = Tally.of("earned", character.rez, "renaissance.gap.advancement.award").add("spent", -character.spent)
    entries = (Entry("Earned", character.rez), Entry("Spent", character.spent), Entry("Available", tally=tally))
    return Section("Rez points", entries)
