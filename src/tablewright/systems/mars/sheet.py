"""The character sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import Tally
from tablewright.game.character.sheet import Section, Sheet, SheetEntry
from tablewright.game.content.library import Library
from tablewright.game.play.trade import in_figures
from tablewright.systems.mars import content
from tablewright.systems.mars.character import figures
from tablewright.systems.mars.character.costs import SKILL_STEPS, checkpoints_due, skill_limit
from tablewright.systems.mars.character.gear import items
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.mechanics.harm import PHYSICAL
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import Rolled, RollValue

SECONDARY_NAMES = {
    "INIT": "Initiative",
    "DEF": "Deflection",
    "EVA": "Evasion",
    "FORT": "Fortitude",
    "WILL": "Willpower",
}


def sheet(character: MarsCharacter, options: MarsOptions, library: Library) -> Sheet:
    """A character to look at: every figure with where it comes from."""
    sections = (
        _stats(character, library),
        _resources(character, library),
        _defences(character, library),
        _skills(character, options, library),
        Section("Weapons", columns=_WEAPONS, rows=tuple(_weapons(character, library))),
        Section("Armour", columns=_ARMOUR, rows=tuple(_armour(character, library))),
        Section("Maneuvers", columns=_MANEUVERS, rows=tuple(_maneuvers(character, library))),
        Section("Talents and trait", tuple(_abilities(character, library))),
        _belongings(character, options, library),
        _experience(character),
        Section("Motivation", text=character.motivation),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, _subtitle(character, library), sections)


def _subtitle(character: MarsCharacter, library: Library) -> str:
    words = [character.size.replace("_", " ")]
    for kind, id_ in ((content.Ancestry, character.ancestry), (content.Background, character.background)):
        if library.has(kind, id_):
            words.append(library.get(kind, id_).name.lower())
    if library.has(content.Archetype, character.archetype):
        words.append(library.get(content.Archetype, character.archetype).name.lower())
    return " ".join(words if len(words) > 1 else [*words, character.kind])


def _rolled(label: str, rolled: Rolled) -> SheetEntry:
    return SheetEntry(label, str(rolled.value), rolled.tally())


def _stats(character: MarsCharacter, library: Library) -> Section:
    return Section("Stats", tuple([_rolled(name, figures.stat(character, name, library)) for name in content.STATS]))


def _resources(character: MarsCharacter, library: Library) -> Section:
    entries = []
    for name in content.RESOURCES:
        most = figures.maximum(character, name, library)
        now = getattr(character.wounds, name)
        value: int | str = most.total if now is None else f"{min(now, most.total)} of {most.total}"
        entries.append(SheetEntry(name.title(), value, most))
    if character.wounds.dead:
        return Section("Resources", (*entries, SheetEntry("Dead", "")))
    entries += [
        SheetEntry(
            effect.kind.replace("_", " ").title(), f"{effect.stat} {effect.degree or effect.value or ''}".strip()
        )
        for effect in character.wounds.effects
    ]
    return Section("Resources", tuple(entries))


def _defences(character: MarsCharacter, library: Library) -> Section:
    entries = [
        _rolled(SECONDARY_NAMES[name], figures.secondary(character, name, library)) for name in content.SECONDARY
    ]
    reduction = figures.damage_reduction(character, library)
    entries += [
        SheetEntry("Armour rating", tally=figures.armour_rating(character, library)),
        SheetEntry("Damage reduction", tally=reduction),
    ]
    for against, value in character.printed.reduction_against.items():
        entries.append(SheetEntry(f"against {against}", value, rule="mars.gap.creature.printed"))
    penalty = figures.armour_penalty(character, library)
    if penalty.total:
        entries.append(SheetEntry("Armour penalty", tally=penalty))
    return Section(
        "Defences", (*entries, SheetEntry("Speed", tally=figures.speed(character, library), note="metres in 6 seconds"))
    )


def _skills(character: MarsCharacter, options: MarsOptions, library: Library) -> Section:
    rows: list[tuple[str | int | Tally, ...]] = []
    for one in library.of(content.Skill):
        own = character.skills.get(one.id, RollValue(0))
        if figures.can_use(character, one.id, library):
            limit = skill_limit(character, one.id, library, options.skill_limit_bonuses, options.skill_hard_cap)
            rolled = figures.skill(character, one.id, library)
            step = f"{own} {SKILL_STEPS.get(own.n, '')}".strip() if own.n else SKILL_STEPS[0]
            rows.append((one.name, one.stat, step, str(rolled.value), rolled.tally(), f"r{limit.total}"))
    columns = ("Skill", "Stat", "Step", "Roll", "At most", "Limit")
    languages = [SheetEntry(name.title(), "native") for name in character.native]
    languages += [SheetEntry(name.title(), str(value)) for name, value in character.languages.items()]
    return Section("Skills and languages", tuple(languages), columns, tuple(rows))


_WEAPONS = ("Weapon", "To hit", "hits at most", "Damage", "damage at most", "Types", "Critical", "Where")


def _weapons(character: MarsCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    known = items(library)
    carried = [(known.get(one.item), one.place, one.count) for one in character.belongings]
    owned = [(one, place, count) for one, place, count in carried if isinstance(one, content.Weapon)]
    owned += [(one, "always", 1) for one in figures.natural_weapons(character, library)]
    for weapon, place, count in owned:
        name = weapon.name if count == 1 else f"{weapon.name} ({count})"
        hit, harm = figures.attack(character, weapon, library), figures.damage(character, weapon, library)
        types = "/".join([kind[:1].upper() if kind in PHYSICAL else kind for kind in weapon.types])
        yield name, str(hit.value), hit.tally(), str(harm.value), harm.tally(), types, weapon.critical, place


_ARMOUR = ("Armour", "Rating", "Reduction", "Parry", "Block", "Durability", "Where")


def _armour(character: MarsCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    known = items(library)
    for one in character.belongings:
        piece = known.get(one.item)
        if isinstance(piece, content.Armour):
            most = piece.durability
            left = "" if most is None else f"{most if one.left is None else one.left} of {most}"
            parry = str(piece.features.parry) if piece.features.parry else ""
            block = "" if piece.block is None else str(piece.block)
            yield piece.name, piece.rating, piece.reduction, parry, block, left, one.place


_MANEUVERS = ("Maneuver", "Stamina", "Speed", "Resist", "With")


def _maneuvers(character: MarsCharacter, library: Library) -> Iterator[tuple[str | int | Tally, ...]]:
    for id_ in character.maneuvers:
        if library.has(content.Maneuver, id_):
            one = library.get(content.Maneuver, id_)
            yield one.name, one.stamina, one.speed, one.resist or "", ", ".join(one.skills)


def _abilities(character: MarsCharacter, library: Library) -> Iterator[SheetEntry]:
    for id_, steps in character.talents.items():
        name = library.get(content.Talent, id_).name if library.has(content.Talent, id_) else id_
        used = character.wounds.used.get(id_, 0)
        yield SheetEntry(name, steps, note=f"used {used} since the last long rest" if used else "")
    for own in character.traits:
        trait = library.get(content.Trait, own.id) if own.id and library.has(content.Trait, own.id) else None
        yield SheetEntry(own.name or (trait.name if trait else own.id), own.text or (trait.text if trait else ""))


def kilograms(grams: int) -> str:
    """A weight in words.

    >>> kilograms(8500), kilograms(60000)
    ('8.5 kg', '60 kg')
    """
    whole, rest = divmod(grams, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".") + " kg"


def _belongings(character: MarsCharacter, options: MarsOptions, library: Library) -> Section:
    known = items(library)
    entries = []
    for one in character.belongings:
        found = known.get(one.item)
        if not isinstance(found, content.Weapon | content.Armour):
            entries.append(
                SheetEntry(found.name if found else one.item, one.count, note="worn" if one.place == "worn" else "")
            )
    rounding = options.capacity_rounding
    load = figures.load_carried(character.belongings, library)
    light = figures.capacity(character, library, rounding=rounding)
    heavy = figures.capacity(character, library, heavy=True, rounding=rounding)
    entries += [
        SheetEntry("Money", in_figures(character.money), rule="mars.equipment.currency"),
        SheetEntry("Load", kilograms(load.total), load),
        SheetEntry("Light capacity", kilograms(light.total), light),
        SheetEntry("Heavy capacity", kilograms(heavy.total), heavy),
    ]
    entries += [
        SheetEntry(word.title(), kilograms(figures.lifting(character, library, word, rounding).total))
        for word in figures.LIFTING
    ]
    if options.weight_tracking:
        entries.append(
            SheetEntry("Encumbrance", figures.encumbrance(character, library, character.belongings, rounding))
        )
    return Section("Belongings", tuple(entries))


def _experience(character: MarsCharacter) -> Section:
    if character.is_creature:
        return Section("Experience")
    tally = Tally.of("gained", character.experience, "mars.advancement.tracking").add("spent", -character.spent)
    entries = (
        SheetEntry("Gained", character.experience),
        SheetEntry("Spent", character.spent),
        SheetEntry("Available", tally=tally),
        SheetEntry("Checkpoints", _checkpoints(character)),
    )
    return Section("Experience", entries)


def _checkpoints(character: MarsCharacter) -> str:
    due = checkpoints_due(character)
    return ", ".join([*character.checkpoints, *([f"{due} due"] if due else [])]) or "none"
