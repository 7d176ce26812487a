"""The character sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import Tally
from tablewright.game.character.sheet import Section, Sheet, SheetEntry
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.systems.renaissance.character import figures
from tablewright.systems.renaissance.character.costs import background_of, reckoning
from tablewright.systems.renaissance.character.gear import items, worn
from tablewright.systems.renaissance.character.record import Held, RenaissanceCharacter
from tablewright.systems.renaissance.content import (
    APTITUDES,
    Armour,
    CharacterClass,
    Chemical,
    Condition,
    Disease,
    FormFeature,
    Power,
    Trait,
    Weapon,
)
from tablewright.systems.renaissance.now import now_with
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import enter
from tablewright.systems.renaissance.values import in_shifts

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
    active = figures.active_for(character, None, library)
    sections = (
        Section(
            "Aptitudes",
            tuple([SheetEntry(one, tally=figures.aptitude(character, one, library, active)) for one in APTITUDES]),
        ),
        _vital(character, library, active),
        Section("Health", tuple(_harm(character, library))),
        Section("Skills", columns=_SKILLS, rows=tuple(_skills(character, options, library, active))),
        Section("Weapons", columns=_WEAPONS, rows=tuple(_weapons(character, options, library, active))),
        Section("Armor", columns=_ARMOR, rows=tuple(_armour(character, library))),
        Section("Traits, classes and powers", tuple(_features(character, library))),
        _belongings(character, library),
        _points(character, library),
        Section("Motivations", text=", ".join(character.motivations)),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, _subtitle(character, library), sections)


def _subtitle(character: RenaissanceCharacter, library: Library) -> str:
    race, background = figures.race_of(character, library), background_of(character, library)
    words = [race.name if race else character.race]
    if background is not None:
        words.append(background.name)
    if character.kind != "character":
        words.append(character.kind.replace("_", " "))
    return ", ".join([word for word in words if word])


def _vital(character: RenaissanceCharacter, library: Library, active: figures.Active) -> Section:
    entries = [
        SheetEntry(NAMES[name], tally=figure(character, library, active)) for name, figure in figures.VITAL.items()
    ]
    entries.append(SheetEntry("Armor", tally=figures.armor(character, library, active)))
    entries.append(SheetEntry("Size", figures.size(character, library), rule="renaissance.size.categories"))
    for mode, way in figures.movement(character, library).items():
        entries.append(SheetEntry(f"On {mode}" if mode == "foot" else mode.title(), f"{way.base}/{way.full} m"))
    found = figures.senses(character, library)
    if found:
        entries.append(SheetEntry("Senses", ", ".join([name.replace("_", " ") for name in found])))
    if character.features:
        known = [library.get(FormFeature, id_).name for id_ in character.features if library.has(FormFeature, id_)]
        form = "in hybrid form" if character.form else "in humanoid form"
        entries.append(SheetEntry("Hybrid form", ", ".join(known), note=form))
    return Section("Vital statistics", tuple(entries))


def _harm(character: RenaissanceCharacter, library: Library) -> Iterator[SheetEntry]:
    harm = character.harm
    yield SheetEntry("Damage", harm.damage, rule="renaissance.injury.damage_track")
    yield SheetEntry("Wounds", harm.wounds, note=f"{harm.bound} bound" if harm.bound else "")
    yield SheetEntry("Stress", harm.stress, rule="renaissance.stress.track")
    yield SheetEntry("Traumas", harm.traumas, note=f"{harm.soothed} soothed" if harm.soothed else "")
    if harm.luck is not None:
        yield SheetEntry("Luck points", harm.luck, rule="renaissance.luck.stat")
    for one in harm.held:
        yield from _held(one, library)
    if harm.lost:
        yield SheetEntry("Lost", ", ".join(harm.lost))
    for word in ("dead", "insane", "overwhelmed"):
        if getattr(harm, word):
            yield SheetEntry(word.title(), "yes")


_LABELS = {"chemical": "Under the influence of", "disease": "Ill with", "work": "Ritual", "unconscious": "Unconscious"}


def _held(one: Held, library: Library) -> Iterator[SheetEntry]:
    """Lasting effects on a character, in words; a disease that has not broken out is not told."""
    source = _name_of(one.source, library)
    if one.id == "incubating":
        return
    if one.id == "job":
        minutes, fails, *_ = one.data
        left = f"{in_shifts(minutes)} left" if minutes else "it fails" if fails else "done"
        yield SheetEntry(f"Work on {one.source}", left)
    elif one.id == "plan":
        body, mind = one.data
        carers = [("body", body), ("mind", mind)]
        care = [f"{what} cared for by {who[:1].upper()}{who[1:]}" for what, who in carers if who]
        yield SheetEntry("Spends the days on", ", ".join([word for word in (one.source, *care) if word]))
    elif one.id == "coated":
        yield SheetEntry(f"{_name_of(str(one.data).partition('@')[0], library)} is coated with", source)
    else:
        yield SheetEntry(_LABELS.get(one.id, _name_of(one.id, library)), source or "yes")


def _name_of(word: str, library: Library) -> str:
    """Display name of an entry of the content; other words as they are."""
    for kind in (Condition, Chemical, Disease, Weapon):
        if library.has(kind, word):
            return str(library.get(kind, word).name)
    return word.replace("/", ", ").replace("_", " ")


_SKILLS = ("Skill", "Aptitude", "Ranks", "Specialization", "Target", "Now", "Because of")


def _skills(
    character: RenaissanceCharacter, options: RenaissanceOptions, library: Library, active: figures.Active
) -> Iterator[tuple[str | int | Tally, ...]]:
    """Every skill with its target by aptitude and ranks, and with the target that a check has now."""
    me = now_with(character, enter(Subject(character, options, library)), options, library)
    named = sorted([(figures.skill_name(key, library), key) for key in character.skills])
    for name, key in named:
        if name == key:  # not in the content
            yield name, "", character.skills[key], "", character.skills[key], "", ""
            continue
        linked = figures.linked_aptitude(character, key, library)
        special = character.specializations.get(key, "")
        own, checked = figures.skill(character, key, library, active), me.skill(key)
        why = [f"{part.label} {part.value:+d}" for part in checked.parts[1 + len(own.parts) :] if part.value]
        target: int | str = checked.total if why else ""
        yield name, linked, character.skills[key], special, own, target, ", ".join(why)


_WEAPONS = ("Weapon", "Skill", "Target", "DV", "AP", "Range", "Tags", "Where")


def _weapons(
    character: RenaissanceCharacter, options: RenaissanceOptions, library: Library, active: figures.Active
) -> Iterator[tuple[str | int | Tally, ...]]:
    """Every way to attack with what is carried, with the target that its check has now."""
    me = now_with(character, enter(Subject(character, options, library)), options, library)
    known = items(library)
    owned = [(known.get(one.item), one.place) for one in character.belongings]
    found = [(one, place) for one, place in owned if isinstance(one, Weapon)]
    found += [(one, "always") for one in figures.natural_weapons(character, library)]
    for weapon, place in found:
        tags = ", ".join([tag.replace("_", " ") for tag in weapon.tags])
        for way in weapon.attacks:
            ranges = "/".join([str(metres) for metres in way.ranges])
            target = me.skill(way.skill).total
            yield weapon.name, figures.skill_name(way.skill, library), target, str(way.dv), way.ap, ranges, tags, place


_ARMOR = ("Armor", "Value", "Penalty", "Where")


def _armour(character: RenaissanceCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    known = items(library)
    for one in character.belongings:
        piece = known.get(one.item)
        if isinstance(piece, Armour):
            penalty = f"{piece.penalty} {' and '.join(piece.aptitudes)}" if piece.penalty else "none"
            yield piece.name, piece.armor, penalty, one.place


def _features(character: RenaissanceCharacter, library: Library) -> Iterator[SheetEntry]:
    for id_, detail in character.traits.items():
        trait = library.get(Trait, id_) if library.has(Trait, id_) else None
        yield SheetEntry(trait.name if trait else id_, detail or (trait.nature if trait else ""), note="trait")
    for id_ in character.classes:
        name = library.get(CharacterClass, id_).name if library.has(CharacterClass, id_) else id_
        yield SheetEntry(name, "class")
    for id_ in character.powers:
        if library.has(Power, id_):
            power = library.get(Power, id_)
            yield SheetEntry(power.name, ", ".join(power.kinds), note="" if power.action == "none" else power.action)
        else:
            yield SheetEntry(id_, "power")


def _belongings(character: RenaissanceCharacter, library: Library) -> Section:
    known = items(library)
    entries = []
    for one in character.belongings:
        found = known.get(one.item)
        if not isinstance(found, Weapon | Armour):
            entries.append(SheetEntry(found.name if found else one.item, one.count))
    heavy = worn(character.belongings, library).heavy
    most = figures.VITAL["STR"](character, library).total // 10
    entries += [
        SheetEntry("Copper", character.copper, rule="renaissance.gap.money.prices"),
        SheetEntry("Heavy things", f"{heavy} of {most}", rule="renaissance.gap.armor.heavy"),
    ]
    return Section("Belongings", tuple(entries))


def _points(character: RenaissanceCharacter, library: Library) -> Section:
    if character.is_creature:
        return Section("Rez points")
    if not character.advances and not character.rez:
        spent = reckoning(character, library)
        return Section("Creation points", (SheetEntry("Spent", f"{spent.total} of {character.points}", spent),))
    tally = Tally.of("earned", character.rez, "renaissance.gap.advancement.award").add("spent", -character.spent)
    entries = (
        SheetEntry("Earned", character.rez),
        SheetEntry("Spent", character.spent),
        SheetEntry("Available", tally=tally),
    )
    return Section("Rez points", entries)
