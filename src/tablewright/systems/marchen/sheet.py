"""The character sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import Tally
from tablewright.game.character.sheet import Cell, Section, Sheet, SheetEntry
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.systems.marchen import values
from tablewright.systems.marchen.character import figures
from tablewright.systems.marchen.character.costs import years_studied, years_to_study
from tablewright.systems.marchen.character.record import FOR_GOOD, HAND, SOUND, MarchenCharacter, Raise, Study
from tablewright.systems.marchen.content import Career, Technology, Weapon, find_item
from tablewright.systems.marchen.modifiers import modifier_tally
from tablewright.systems.marchen.options import MarchenOptions


def sheet(character: MarchenCharacter, options: MarchenOptions, library: Library) -> Sheet:
    """A character to look at: every figure with where it comes from."""
    subject = Subject(character, options, library)
    sections = (
        _scores(character, options),
        _harm(character, options, library),
        Section("Skills", columns=("Skill", "Level", "Title", "Check"), rows=tuple(_skills(subject))),
        Section(
            "Specializations", columns=("Specialization", "Level", "TL", "Check"), rows=tuple(_specializations(subject))
        ),
        Section("Weapons", columns=("Weapon", "Attack", "Damage", "Range"), rows=tuple(_weapons(subject))),
        Section("Belongings", tuple(_belongings(character, library))),
        Section("Life", tuple(_life(character, library))),
        _experience(character),
        Section("Notes", text=character.notes),
    )
    return Sheet(character.name, _subtitle(character, library), sections)


def _subtitle(character: MarchenCharacter, library: Library) -> str:
    words = [word for word in (character.race, character.culture) if word]
    careers = [library.get(Career, one.career).name for one in character.careers if library.has(Career, one.career)]
    words += [" and ".join(careers).lower() or character.kind]
    return f"{' '.join(words)}, {character.age} years old"


def _scores(character: MarchenCharacter, options: MarchenOptions) -> Section:
    entries, names = [], values.ASPECT_NAMES[options.aspect_names]
    for aspect in values.ASPECTS:
        now = figures.current(character, aspect, options)
        most = figures.score(character, aspect, options).total
        entries.append(SheetEntry(names[aspect], now.total if now.total == most else f"{now.total} of {most}", now))
        entries += [
            SheetEntry(one.title(), tally=figures.score(character, one, options))
            for one in values.CHARACTERISTICS_OF[aspect]
        ]
    return Section("Scores", tuple(entries))


def _harm(character: MarchenCharacter, options: MarchenOptions, library: Library) -> Section:
    rows: list[tuple[Cell, ...]] = []
    names = values.ASPECT_NAMES[options.aspect_names]
    for aspect in values.ASPECTS:
        limit = figures.threshold(character, aspect, options)
        damage = character.wounds.damage.get(aspect, 0)
        taken = figures.armour(character, aspect, options, library)
        rows.append((names[aspect], damage, figures.hurt_at(limit.total), limit, taken))
    entries = [SheetEntry("Movement", tally=figures.movement(character), note="metres for a minor action")]
    for one in character.wounds.conditions:
        words, note = f"-1 on {names[one.aspect].lower()} checks", "for good" if one.permanent else ""
        entries.append(SheetEntry(one.name.title(), words, note=note, rule="marchen.resource.tracks"))
    entries += _state(character)
    columns = ("Aspect", "Damage", "Hurt at", "Threshold", "Armour")
    return Section("Harm", tuple(entries), columns, tuple(rows))


def _state(character: MarchenCharacter) -> Iterator[SheetEntry]:
    """State besides damage: down or dying, the weight of facing the end, DMs on the next check."""
    wounds, rule = character.wounds, "marchen.gap.face.outcomes"
    weight = sum(wounds.weight.values())
    if weight:
        yield SheetEntry("Faced the end", f"-{weight} on everything", note="until the damage is down", rule=rule)
    if wounds.fate:
        yield SheetEntry("Fate", wounds.fate)
        return
    how = {"down": wounds.down, "unconscious": not wounds.conscious, f"dying within a {wounds.dying}": wounds.dying}
    state = [word for word, holds in how.items() if holds]
    if state:
        yield SheetEntry("State", ", ".join(state), rule=rule)
    nexts = [f"{one.name} {one.dm:+d}" for one in wounds.nexts] + ["a disadvantage"] * wounds.hindered
    if nexts:
        yield SheetEntry("On the next check", ", ".join(nexts), rule="marchen.ounces.pay_the_price")


def _skills(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    character: MarchenCharacter = subject.character
    for skill in values.SKILLS:
        level = character.level(skill)
        if level is not None:
            yield values.SKILL_NAMES[skill], level, values.LEVELS[level].traditional, modifier_tally(subject, skill)


def _specializations(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    character: MarchenCharacter = subject.character
    for one in character.specializations:
        total = modifier_tally(subject, one.skill, specialization=one.name)
        yield f"{one.name} ({values.SKILL_NAMES[one.skill]})", one.level, values.tl_code(one.tl), total


def _weapons(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    character: MarchenCharacter = subject.character
    options, library = subject.options, subject.library
    for weapon in figures.weapons(character, library):
        special = figures.best_specialization(character, weapon)
        total = modifier_tally(subject, weapon.skill, specialization=special)
        held = [one for one in character.belongings if one.item == weapon.id and one.place == HAND]
        worn = [SOUND - one.left for one in held if one.left is not None]
        total = total.add_all(figures.handling(character, weapon, max(worn, default=0)))
        yield weapon.name, total, _damage(weapon, character, options), _range(weapon)


def _damage(weapon: Weapon, character: MarchenCharacter, options: MarchenOptions) -> str:
    if options.damage_model == "tiers":
        return str(figures.damage_tier(weapon, options))
    bonus = figures.muscle_bonus(character, options) if weapon.band == "touch" or weapon.thrown else 0
    bonus = max(0, bonus + figures.harder(character, weapon))
    return f"{figures.damage_dice(weapon, options)}D6{f'+{bonus}' if bonus else ''}"


def _range(weapon: Weapon) -> str:
    reach = f" and {weapon.reach} m" if weapon.reach else ""
    return f"{weapon.band}{reach}" + (f", thrown {weapon.thrown}" if weapon.thrown else "")


def _belongings(character: MarchenCharacter, library: Library) -> Iterator[SheetEntry]:
    yield SheetEntry("Treasure", character.treasure, rule="marchen.resource.tracks")
    yield SheetEntry("Supply", character.supply, note="at most 5", rule="marchen.resource.tracks")
    for one in character.belongings:
        found = find_item(one.item, library)
        note = one.place if one.left is None else f"{one.place}, {values.several(SOUND - one.left, 'condition')}"
        if found is not None:
            note = ", ".join([note, *[known.name for known in figures.qualities_of(character, found)]])
        yield SheetEntry(found.name if found else one.item, one.count, note=note)


def _life(character: MarchenCharacter, library: Library) -> Iterator[SheetEntry]:
    known = [one.descriptor for one in library.of(Technology) if one.tl == character.home_tl]
    yield SheetEntry("Technology level", values.tl_code(character.home_tl), note=known[0] if known else "")
    for served in character.careers:
        name = library.get(Career, served.career).name if library.has(Career, served.career) else served.career
        note = "ended by a mishap" if served.mishap else ""
        terms = "1 term" if served.terms == 1 else f"{served.terms} terms"
        yield SheetEntry(name, f"{terms}, rank {served.rank}", note=note)
    for name, rank in character.connections.items():
        yield SheetEntry(name, rank, note=values.CONNECTION_LABELS[rank], rule="marchen.connection.ranks")
    lists = {
        "Patrons": character.patrons,
        "Titles": character.titles,
        "Traits": character.traits,
        "Virtues": character.virtues,
        "Songs": character.songs,
        "Sanctuaries": character.sanctuaries,
        "Holdings": tuple([one.name for one in character.holdings]),
        "Boons": tuple([f"{one.name} {one.dm:+d} ({one.uses})" for one in character.boons]),
        "Raised": tuple([_raised(one) for one in character.raises]),
        "In training": tuple([_studied(one) for one in character.studies]),
    }
    for label, names in lists.items():
        if names:
            yield SheetEntry(label, ", ".join(names))
    if character.journey is not None:
        way = character.journey
        yield SheetEntry(
            "On the way to", way.to, note=f"{way.gone} of {way.miles} miles", rule="marchen.watch.travel_modes"
        )
    if character.discount:
        yield SheetEntry("Off the next raise of standing", character.discount, rule="marchen.month.field_of_heroes")
    for label, name in (("Heir", character.heir), ("Spouse", character.spouse), ("Retired", character.retired)):
        if name:
            yield SheetEntry(label, name)


def _raised(one: Raise) -> str:
    where = f" in {one.issue}" if one.issue else ""
    lasts = "" if one.phases == FOR_GOOD else f" for {values.several(one.phases, 'season')}"
    return f"{one.aspect} {one.value:+d}{where}{lasts} ({one.source})"


def _studied(one: Study) -> str:
    return f"{one.specialization or values.SKILL_NAMES[one.skill]}, {values.several(one.seasons, 'season')}"


def _experience(character: MarchenCharacter) -> Section:
    years = Tally.of("levels", years_studied(character), "marchen.advancement.study_time")
    entries = (
        SheetEntry("Experience", character.experience),
        SheetEntry("Available", character.available),
        SheetEntry("Years of study", tally=years, note=f"of {years_to_study(character.age)}"),
    )
    return Section("Experience", entries)
