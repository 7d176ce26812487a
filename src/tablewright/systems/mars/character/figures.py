"""Figures derived from a character, each as a tally.

Each is a `Tally` or a `Rolled`, so that it can say where it comes from, and a pure function of the character and the
content. `figures` has the plain numbers of all of them, remembered, for where no one looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from tablewright.engine import Tally
from tablewright.engine.tally import Rounding
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.character.belongings import Belongings, total_weight
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.narration.phrases import small
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_value
from tablewright.systems.mars import content
from tablewright.systems.mars.character.gear import ANCESTRY, grants_of, items, worn
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, counting
from tablewright.systems.mars.values import Rolled, RollValue

LIGHT, HEAVY = 3, 5  # mars.carry.capacity, kilograms for each point
LIFTING = {"lift": 1, "drag": 4, "wheels": 10}  # mars.carry.lifting


@lru_cache(maxsize=1)
def _capacity_of_size() -> dict[str, Fraction]:
    data = Ledger.load("mars")["mars.carry.size_multiplier"].data
    return {name.lower().replace(" ", "_"): Fraction(str(factor)) for name, factor in data.items()}


def carrying_size(character: MarsCharacter, library: Library) -> content.Size:
    """The size that counts for carrying."""
    larger = sum([grant.sizes for grant, _, _, _ in grants_of(character, library, content.CapacityGrant)])
    return content.SIZES[min(content.SIZES.index(character.size) + larger, len(content.SIZES) - 1)]


def capacity(character: MarsCharacter, library: Library, *, heavy: bool = False, rounding: str = "floor") -> Tally:
    """Load in grams before a character is encumbered, or overencumbered."""
    rule = "mars.carry.capacity"
    strength = stat(character, "STR", library).maximum
    athletics = own_skill(character, "athletics", library).maximum
    factor = HEAVY if heavy else LIGHT
    tally = Tally.of("maximum STR", strength, rule).add("maximum athletics", athletics, rule).limit(0, rule=rule)
    tally = tally.scale(Fraction(factor * 1000), f"{factor} kg each", rule)
    size = carrying_size(character, library)
    tally = tally.scale(_capacity_of_size()[size], f"{size.replace('_', ' ')} size", "mars.carry.size_multiplier")
    if rounding == "floor":
        tally = tally.add("whole kilograms", -(tally.total % 1000), "mars.frame.rounding")
    return tally


def lifting(character: MarsCharacter, library: Library, how: str, rounding: str = "floor") -> Tally:
    """Weights in grams that can be moved for a moment: lifted, dragged, or pulled on wheels."""
    heavy = capacity(character, library, heavy=True, rounding=rounding).total
    tally = Tally.of("heavy capacity", heavy, "mars.carry.capacity")
    return tally.scale(Fraction(LIFTING[how]), how, "mars.carry.lifting")


def grams(item_id: str, library: Library) -> int:
    """Weight of one item in grams, rounded down; 0 for an item that the content does not know."""
    found = items(library).get(item_id)
    return int(found.weight * 1000 / found.bundle) if found else 0


def load_carried(belongings: Belongings, library: Library) -> Tally:
    """The weight of everything carried, in grams."""
    return total_weight(belongings, lambda item_id: grams(item_id, library), rule="mars.carry.encumbrance")


def encumbrance(character: MarsCharacter, library: Library, belongings: Belongings, rounding: str = "floor") -> str:
    """`none`, `encumbered` (mars.effect.encumbered) or `overencumbered` by what is carried."""
    carried = load_carried(belongings, library).total
    if carried > capacity(character, library, heavy=True, rounding=rounding).total:
        return "overencumbered"
    return "encumbered" if carried > capacity(character, library, rounding=rounding).total else "none"


Effects: TypeAlias = tuple[MarsEffect, ...]

RESOURCE_STATS: dict[content.Resource, content.Stat] = {
    "health": "STR",
    "endurance": "RES",
    "stamina": "DEX",
    "focus": "INT",
}
SECONDARY_STATS: dict[content.Secondary, tuple[content.Stat, ...]] = {
    "INIT": ("DEX", "RES"),
    "DEF": ("RES",),
    "EVA": ("DEX",),
    "FORT": ("STR", "RES"),
    "WILL": ("INT", "RES"),
}
DODGING = ("DEF", "EVA")
UNARMED, CESTUS = "unarmed", "cestus"

STAT, SKILL = "mars.stat.primary", "mars.skill.associated_stat"


# ---------------------------------------------------------------------- stats


def size_modifier(size: content.Size, what: str) -> int:
    """Modifier of a size to STR, DEX or speed."""
    return int(_sizes()[size].get(what, 0))


def size_words(size: content.Size) -> str:
    """Effects of a size in a few words."""
    changes = {name: size_modifier(size, name) for name in ("STR", "DEX", "speed")}
    return ", ".join([f"{value:+d} {name}" for name, value in changes.items() if value]) or "no modifiers"


def born_with(entry: content.Ancestry, library: Library) -> str:
    """Stats, skills and languages of an ancestry in a few words."""
    parts = [f"{entry.stats[name]:+d} {name}" for name in content.STATS if name in entry.stats]
    parts += [f"+1 on {small(entry.choose_stats)} stats"] if entry.choose_stats else []
    for grant in entry.grants:
        if isinstance(grant, content.SkillGrant) and grant.when is None:
            parts.append(f"{grant.value:+d} {library.get(content.Skill, grant.skill).name}")
        elif isinstance(grant, content.SkillChoiceGrant):
            parts.append(f"{grant.value:+d} on a skill")
    return ", ".join([*parts, *(["another language"] if entry.choose_languages else [])])


@lru_cache(maxsize=1)
def _sizes() -> dict[str, Any]:
    data = Ledger.load("mars")["mars.stat.size"].data
    return {name.lower().replace(" ", "_"): row for name, row in data.items()}


def stat_parts(character: MarsCharacter, name: content.Stat, library: Library) -> Iterator[tuple[str, int, str]]:
    """Permanent modifiers of a stat, each with its name, its value and its rule."""
    if library.has(content.Ancestry, character.ancestry):
        ancestry = library.get(content.Ancestry, character.ancestry)
        yield ancestry.name, ancestry.stats.get(name, 0), ANCESTRY
        yield ancestry.name, character.ancestry_stats.count(name), ANCESTRY
        if ancestry.sized:
            yield f"{character.size.replace('_', ' ')} size", size_modifier(character.size, name), "mars.stat.size"
    yield "checkpoints", character.checkpoints.count(name), "mars.advancement.checkpoints"
    yield from changes_of(character, name)


def changes_of(character: MarsCharacter, *names: str) -> Iterator[tuple[str, int, str]]:
    """The permanent changes of some stats or skills, one by one."""
    for change in character.changes:
        if change.what in names:
            yield change.source or "permanent change", change.value, "mars.effect.stat_changes"


def stat(character: MarsCharacter, name: content.Stat, library: Library, effects: Effects = ()) -> Rolled:
    """A primary stat with its permanent modifiers, and with temporary changes where effects are given."""
    rolled = Rolled.of(name, getattr(character.stats, name), STAT)
    for label, value, rule in stat_parts(character, name, library):
        rolled = rolled.add(label, value, rule)
    return _changed(rolled, (name,), effects)


def _changed(rolled: Rolled, names: Iterable[str], effects: Effects) -> Rolled:
    for effect in counting(effects, "stat_change"):
        if effect.stat in names:
            rolled = rolled.add(effect.source or "temporary change", effect.value, "mars.effect.stat_changes")
    return rolled


def served_by(name: content.Stat, library: Library) -> list[str]:
    """Names of the resource and the skills that a stat serves."""
    resources = [resource.title() for resource, stat_of in RESOURCE_STATS.items() if stat_of == name]
    return [*resources, *[one.name for one in library.of(content.Skill) if one.stat == name]]


def maximum(character: MarsCharacter, resource: content.Resource, library: Library) -> Tally:
    """The maximum of a resource; temporary changes of a stat do not change it."""
    rule = "mars.stat.resource_maxima"
    printed = getattr(character.printed, resource)
    if printed is not None:
        tally = Tally.of("printed", printed, "mars.gap.creature.printed")
        for label, value, why in changes_of(character, RESOURCE_STATS[resource]):
            tally = tally.add(label, value, why)
    else:
        name = RESOURCE_STATS[resource]
        tally = Tally.of(f"maximum {name}", stat(character, name, library).maximum, rule)
        for grant, steps, source, why in grants_of(character, library, content.MaximumGrant):
            if grant.resource == resource:
                tally = tally.add(source, grant.first + grant.further * (steps - 1), why)
        for change in character.changes:
            if change.what == resource:
                tally = tally.add(change.source or "permanent change", change.value, rule)
    if character.rank == "legendary":
        tally = tally.add("legendary", tally.total, "mars.gap.creature.ranks")
    return tally.limit(0, rule="mars.stat.resource_behaviour")


# ---------------------------------------------------------------------- skills


def skill_of(skill_id: str, library: Library) -> content.Skill:
    """A skill by its id."""
    return library.get(content.Skill, skill_id)


def skill_parts(
    character: MarsCharacter, skill_id: str, library: Library, when: Iterable[content.When] = ()
) -> Iterator[tuple[str, int, str]]:
    """The bonuses of a skill, one by one; those under a circumstance only if it holds."""
    holds = tuple(when)
    if library.has(content.Background, character.background):
        background = library.get(content.Background, character.background)
        rule = "mars.character.background"
        yield background.name, background.skills.get(skill_id, 0), rule
        yield background.name, character.background_skills.count(skill_id), rule
    for grant, _, source, rule in grants_of(character, library, content.SkillGrant):
        if grant.skill == skill_id and (grant.when is None or grant.when in holds):
            yield source, grant.value, rule
    if character.ancestry_skill == skill_id:
        for choice, _, source, rule in grants_of(character, library, content.SkillChoiceGrant):
            yield source, choice.value, rule
    yield from changes_of(character, skill_id)


def own_skill(character: MarsCharacter, skill_id: str, library: Library, when: Iterable[content.When] = ()) -> Rolled:
    """A skill by itself, with its bonuses and without its stat."""
    holds = tuple(when)
    rank = character.skills.get(skill_id, RollValue(0))
    only = character.printed.skills_when.get(skill_id)
    if only is not None and not set(only) & set(holds):  # mars.gap.creature.printed
        rank = RollValue(0)
    rolled = Rolled.of(skill_of(skill_id, library).name, rank, SKILL)
    for label, value, rule in skill_parts(character, skill_id, library, holds):
        rolled = rolled.add(label, value, rule)
    return rolled


def skill_stat(
    character: MarsCharacter, skill_id: str, library: Library, when: Iterable[content.When] = (), effects: Effects = ()
) -> content.Stat:
    """The stat that a skill is rolled with; some talents allow another one, which is taken where it is higher now."""
    own = skill_of(skill_id, library).stat
    holds = tuple(when)
    allowed = [own]
    for grant, _, _, _ in grants_of(character, library, content.OtherStatGrant):
        if grant.skill == skill_id and any(word in holds for word in grant.when):
            allowed.append(grant.stat)  # mars.gap.talent.other_stat
    return max(allowed, key=lambda name: stat(character, name, library, effects).maximum)


def skill(
    character: MarsCharacter, skill_id: str, library: Library, when: Iterable[content.When] = (), effects: Effects = ()
) -> Rolled:
    """A skill merged with its stat, as it is rolled; worn items do not count here."""
    holds = tuple(when)
    name = skill_stat(character, skill_id, library, holds, effects)
    own = own_skill(character, skill_id, library, holds)
    own = Rolled(tuple([part for part in own.parts if any(part.value)]))
    return stat(character, name, library, effects).plus(own)


def is_trained(character: MarsCharacter, skill_id: str) -> bool:
    """True if a skill has a roll value."""
    return character.skills.get(skill_id, RollValue(0)).n >= 4


def can_use(character: MarsCharacter, skill_id: str, library: Library) -> bool:
    """True if a character may use a skill: complex ones need training, or a bonus by ancestry or background."""
    if skill_of(skill_id, library).group == "basic" or is_trained(character, skill_id):
        return True
    born = ("mars.character.background", ANCESTRY)
    return any(value and rule in born for _, value, rule in skill_parts(character, skill_id, library))


def language(character: MarsCharacter, name: str, library: Library, effects: Effects = ()) -> Rolled | None:
    """Roll of a language check; None for a language spoken like a native."""
    known = [*character.native, *character.languages]
    name = next((one for one in known if as_meant(one) == as_meant(name)), name)
    learned = character.languages.get(name, RollValue(0))
    if name in character.native or learned.n >= 20:
        return None
    if learned.n < 4:
        raise InvalidInputError(f'{character.name} does not know the language "{name:.40}"{did_you_mean(name, known)}')
    return stat(character, "INT", library, effects).add(name, learned, "mars.skill.languages")


def armour_rating(character: MarsCharacter, library: Library, belongings: Belongings | None = None) -> Tally:
    """The armour rating of everything worn; in printed figures it is contained already."""
    tally = Tally.of("armour", 0, "mars.stat.armour_rating")
    if character.printed.DEF is not None:
        return tally
    for piece in worn(character.belongings if belongings is None else belongings, library).pieces:
        tally = tally.add(piece.name, piece.rating, "mars.equipment.armour_slots")
    return tally


def damage_reduction(
    character: MarsCharacter, library: Library, belongings: Belongings | None = None, against: str = ""
) -> Tally:
    """The damage reduction of everything worn; creatures may have another one against some types of damage."""
    if character.printed.reduction is not None:
        value = character.printed.reduction_against.get(against, character.printed.reduction)
        return Tally.of("printed", value, "mars.gap.creature.printed")
    tally = Tally.of("armour", 0, "mars.stat.damage_reduction")
    for piece in worn(character.belongings if belongings is None else belongings, library).pieces:
        tally = tally.add(piece.name, piece.reduction, "mars.equipment.armour_slots")
    return tally


def armour_penalty(character: MarsCharacter, library: Library, belongings: Belongings | None = None) -> Tally:
    """Armour penalty as a number of 0 or less; only the largest counts."""
    rule = "mars.equipment.armour_penalty"
    tally = Tally.of("armour penalty", 0, rule)
    if character.printed.DEF is not None:
        return tally
    most = stat(character, "STR", library).maximum
    found = worn(character.belongings if belongings is None else belongings, library)
    heaviest = max(found.heavy, key=lambda piece: piece.strength, default=None)
    if heaviest is None or heaviest.strength <= most:
        return tally
    penalty = Rounding.UP.apply(Fraction(heaviest.strength - most, 2))
    return tally.add(f"{heaviest.name} needs STR {heaviest.strength}", -penalty, rule)


# ---------------------------------------------------------------------- secondary stats


def secondary(
    character: MarsCharacter,
    name: content.Secondary,
    library: Library,
    belongings: Belongings | None = None,
    effects: Effects = (),
    when: Iterable[content.When] = (),
) -> Rolled:
    """Initiative, deflection, evasion, fortitude or willpower as it is rolled."""
    rule, stats = "mars.stat.rolled_secondary", SECONDARY_STATS[name]
    printed: RollValue | None = getattr(character.printed, name)
    if printed is not None:
        rolled = Rolled.of("printed", printed, "mars.gap.creature.printed")
        for label, value, rule in changes_of(character, *stats):
            rolled = rolled.add(label, value, rule)
        rolled = _changed(rolled, stats, effects)
    else:
        rolled = Rolled()
        for each in stats:
            rolled = rolled.add(each, stat(character, each, library, effects).value, rule)
        if name in DODGING:
            rating = armour_rating(character, library, belongings).total
            rolled = rolled.add("armour rating", rating, "mars.stat.armour_rating")
            penalty = armour_penalty(character, library, belongings).total
            rolled = rolled.add("armour penalty", penalty, "mars.equipment.armour_penalty")
    holds = tuple(when)
    for grant, _, source, why in grants_of(character, library, content.RollGrant):
        if grant.roll == name and grant.when in holds:
            rolled = rolled.add(source, grant.value, why)
    return rolled


def speed(character: MarsCharacter, library: Library, belongings: Belongings | None = None) -> Tally:
    """Metres walked in six seconds, before it is halved."""
    rule = "mars.stat.speed"
    if character.printed.speed is not None:
        tally = Tally.of("printed", character.printed.speed, "mars.gap.creature.printed")
    elif library.has(content.Ancestry, character.ancestry):
        ancestry = library.get(content.Ancestry, character.ancestry)
        tally = Tally.of(ancestry.name, ancestry.speed, rule)
        if ancestry.sized:
            label = f"{character.size.replace('_', ' ')} size"
            tally = tally.add(label, size_modifier(character.size, "speed"), "mars.stat.size")
    else:
        tally = Tally.of("usual", 6, rule)
    for change in character.changes:
        if change.what == "speed":
            tally = tally.add(change.source or "permanent change", change.value, rule)
    penalty = armour_penalty(character, library, belongings).total
    return tally.add("armour penalty", penalty, "mars.equipment.armour_penalty").limit(0, rule=rule)


# ---------------------------------------------------------------------- attacks and maneuvers


def weapon_skills(character: MarsCharacter, weapon: content.Weapon, library: Library) -> tuple[str, ...]:
    """The combat skills that a weapon may be used with, best first; a basic weapon goes with any trained one."""
    able = list(content.COMBAT_SKILLS) if weapon.basic else list(weapon.skills)
    values = [own_skill(character, one, library).maximum for one in able]
    order = sorted(range(len(able)), key=lambda at: -values[at])
    return tuple([able[at] for at in order])


def attack(
    character: MarsCharacter,
    weapon: content.Weapon,
    library: Library,
    skill_id: str | None = None,
    effects: Effects = (),
    belongings: Belongings | None = None,
) -> Rolled:
    """Roll to hit with a weapon: DEX and the combat skill; mars.skill.combat_untrained: DEX alone."""
    used = skill_id or weapon_skills(character, weapon, library)[0]
    rolled = stat(character, "DEX", library, effects)
    own = own_skill(character, used, library)
    rolled = rolled.plus(Rolled(tuple([part for part in own.parts if any(part.value)])))
    rolled = rolled.add(weapon.name, weapon.hit, "mars.equipment.weapons")
    penalty = armour_penalty(character, library, belongings).total
    return rolled.add("armour penalty", penalty, "mars.equipment.armour_penalty")


def damage(character: MarsCharacter, weapon: content.Weapon, library: Library, effects: Effects = ()) -> Rolled:
    """Damage roll of a weapon: its own value, merged with STR where it says so."""
    rule = "mars.attack.damage_roll"
    if not weapon.strength:
        return Rolled.of(weapon.name, weapon.damage, rule)
    return stat(character, "STR", library, effects).add(weapon.name, weapon.damage, rule)


def natural_weapons(character: MarsCharacter, library: Library) -> tuple[content.Weapon, ...]:
    """Natural weapons: claws and teeth, or bare hands."""
    own = [library.get(content.Weapon, id_) for id_ in character.weapons]
    return tuple(own) or (bare_hands(character.belongings, library),)


def bare_hands(belongings: Belongings, library: Library) -> content.Weapon:
    """Unarmed attacks; in gauntlets they count as a cestus."""
    return library.get(content.Weapon, CESTUS if worn(belongings, library).has("locking_grip") else UNARMED)


def maneuvers_of_skill(value: int) -> int:
    """Number of maneuvers that a combat skill at a roll value gives."""
    return 0 if value < 4 else 1 + ((value - 2) // 2 - 1) // 2


def maneuver_skills(character: MarsCharacter, maneuver: content.Maneuver) -> tuple[str, ...]:
    """Combat skills to use a maneuver with: trained ones that could learn it.

    A creature uses the maneuvers of its stat block with whatever it attacks with.
    """
    printed = character.is_creature and maneuver.id in character.maneuvers
    return tuple([one for one in (content.COMBAT_SKILLS if printed else maneuver.skills) if is_trained(character, one)])


# ---------------------------------------------------------------------- all at once


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a character as plain numbers: nothing worn, no effects."""

    STR: RollValue
    DEX: RollValue
    INT: RollValue
    RES: RollValue
    health: int
    endurance: int
    stamina: int
    focus: int
    INIT: RollValue
    FORT: RollValue
    WILL: RollValue
    skills: dict[str, RollValue]
    speed: int


@cached_by_value
def figures(character: MarsCharacter, library: Library) -> Figures:
    """The plain figures of a character, remembered. `skills` holds every skill merged with its stat."""
    stats = {name: stat(character, name, library).value for name in content.STATS}
    maxima = {name: maximum(character, name, library).total for name in RESOURCE_STATS}
    return Figures(
        STR=stats["STR"],
        DEX=stats["DEX"],
        INT=stats["INT"],
        RES=stats["RES"],
        health=maxima["health"],
        endurance=maxima["endurance"],
        stamina=maxima["stamina"],
        focus=maxima["focus"],
        INIT=secondary(character, "INIT", library, ()).value,
        FORT=secondary(character, "FORT", library, ()).value,
        WILL=secondary(character, "WILL", library, ()).value,
        skills={one.id: skill(character, one.id, library).value for one in library.of(content.Skill)},
        speed=speed(character, library, ()).total,
    )
