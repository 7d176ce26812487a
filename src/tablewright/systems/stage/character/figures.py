"""Figures derived from a character, each as a tally.

Each is a `Tally`, so that it can say where it comes from, and a pure function of the character, the options and the
content. `figures` has the plain numbers, remembered, for where no one looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity, cached_by_value
from tablewright.systems.stage import content, values
from tablewright.systems.stage.character.record import HAND, HANDS, WORN, StageCharacter
from tablewright.systems.stage.effects import Adjust, ChangePower, Usable, powers_of
from tablewright.systems.stage.options import SkillAttributeSource, StageOptions

LEVELS = "stage.character.attribute_levels"
SPEED = 1  # stage.movement.cubes, of a human
LOADS = ("light", "heavy", "maximum")
SCALE = {"double": 2, "triple": 3}  # stage.option.resource_scale
LITERACY, UNARMED = "literacy", "unarmed"
_PLACES: dict[str, int] = {skill: place for place, skill in enumerate(values.SKILLS)}


# ---------------------------------------------------------------------- skills and attributes


def attribute_of(skill: str, library: Library, source: SkillAttributeSource = "chapter2") -> values.Attribute:
    """The attribute that a skill belongs to."""
    found = library.get(content.Skill, skill)
    return found.attribute if source == "chapter2" else found.printed  # stage.skill.attributes


def attribute_level(
    character: StageCharacter, attribute: values.Attribute, options: StageOptions, library: Library
) -> Tally:
    """Body, Mind or Soul level: the levels in all skills of the attribute, bonuses never."""
    tally = Tally.of(f"{attribute.title()} skills", 0, LEVELS)
    source = options.skill_attribute_source
    own = [skill for skill in character.skills if skill in _PLACES]
    for skill in sorted(own, key=_PLACES.__getitem__):
        level = character.level(skill)
        if level and library.has(content.Skill, skill) and attribute_of(skill, library, source) == attribute:
            tally = tally.add(library.get(content.Skill, skill).name, level, LEVELS)
    return tally


def is_literate(character: StageCharacter, library: Library) -> bool:
    """True if a character reads, writes and measures (stage.academics.literacy, stage.science.literacy)."""
    if character.level("academics") or character.level("science"):
        return True
    if LITERACY in character.choices.get("schooling", ()):
        return True
    return (
        library.has(content.Background, character.background)
        and library.get(content.Background, character.background).literate
    )


# ---------------------------------------------------------------------- what is given


class Given(NamedTuple):
    """A permanent adjustment: its name, its rule, and the number that was chosen for it."""

    label: str
    rule: str
    adjust: Adjust
    chosen: tuple[str, ...] = ()

    def concerns(self, number: str) -> bool:
        """True if it changes a number; of several only the chosen one."""
        if number not in self.adjust.on:
            return False
        return not self.adjust.choose or self.adjust.when is not None or number in self.chosen


@cached_by_identity
def born_with(character: StageCharacter, library: Library) -> tuple[Given, ...]:
    """Adjustments of race, sub-race and background, cached (stage.character.background)."""
    found: list[Given] = []
    kinds: tuple[tuple[type[content.Heritage], str], ...] = (
        (content.Race, character.race),
        (content.SubRace, character.sub_race),
        (content.Background, character.background),
    )
    for kind, id_ in kinds:
        if library.has(kind, id_):
            entry = library.get(kind, id_)
            found += [Given(entry.name, entry.rule, adjust) for adjust in entry.gives]
    return tuple(found)


def standing_powers(character: StageCharacter, options: StageOptions, library: Library) -> Iterator[Usable]:
    """The powers of one's own that always work."""
    for one in powers_of(character.powers, library, options.power_typos):
        if one.power.when == "always" and not (one.power.magic and options.magic == "off"):
            yield one


@cached_by_identity
def given(character: StageCharacter, options: StageOptions, library: Library) -> tuple[Given, ...]:
    """Every adjustment that a character always has: born with, and from powers that always work; remembered."""
    found = list(born_with(character, library))
    for one in standing_powers(character, options, library):
        chosen = tuple(character.choices.get(one.id, ()))
        for effect in one.effects:
            if isinstance(effect, ChangePower) and effect.change == "replaces":  # the choice stays the same
                chosen = tuple([choice for id_ in effect.powers for choice in character.choices.get(id_, ())])
        name, rule = one.power.name, one.power.rule
        found += [Given(name, rule, effect, chosen) for effect in one.effects if isinstance(effect, Adjust)]
    return tuple(found)


def amount_of(adjust: Adjust, character: StageCharacter) -> values.Bonus:
    """Amount of an adjustment for its holder, in dice and flat."""
    amount = adjust.amount
    level = character.level(amount.level_of) if amount.level_of else 0
    sign = -1 if adjust.stack == "penalty" and amount.level_of else 1
    return values.Bonus(amount.dice, amount.flat + sign * level)


def added(number: str, character: StageCharacter, options: StageOptions, library: Library) -> Iterator[Part]:
    """The flat parts that a character always has for a number."""
    for label, rule, adjust, _ in [one for one in given(character, options, library) if one.concerns(number)]:
        if adjust.op == "add" and adjust.when is None:
            yield Part(label, amount_of(adjust, character).flat, rule, adjust.stack)


def at_least(number: str, character: StageCharacter, options: StageOptions, library: Library) -> int | None:
    """The highest of what a character's powers raise a number to; None without such a power."""
    raised = [
        one.adjust.amount.flat
        for one in given(character, options, library)
        if one.adjust.op == "at_least" and one.concerns(number)
    ]
    return max(raised, default=None)


def ignored(number: str, character: StageCharacter, options: StageOptions, library: Library) -> int | None:
    """Share of a number that powers ignore; None for all of it."""
    total = 0
    for one in given(character, options, library):
        if one.adjust.op == "ignore" and one.concerns(number):
            if one.adjust.amount.is_all:
                return None
            total += amount_of(one.adjust, character).flat
    return total


def factor_of(number: str, character: StageCharacter, options: StageOptions, library: Library, *when: str) -> Fraction:
    """Factors of a number."""
    factor = Fraction(1)
    for one in given(character, options, library):
        if one.adjust.op == "times" and one.concerns(number) and (one.adjust.when is None or one.adjust.when in when):
            factor *= one.adjust.factor
    return factor


# ---------------------------------------------------------------------- tracks


def maximum(character: StageCharacter, track: values.Track, options: StageOptions, library: Library) -> Tally:
    """The maximum of a track: the attribute level, scaled as the table plays, and what is given on top of it.

    Who has no level in an attribute has no tracks of it. Special bonuses are limited to the attribute level.
    """
    attribute = values.ATTRIBUTE_OF[track]
    level = attribute_level(character, attribute, options, library).total
    tally = Tally.of(f"{attribute.title()} level", level, "stage.resource.tracks")
    if level == 0:
        return tally  # stage.gap.creature.missing_attributes
    scale = options.resource_scale
    if scale == "size_base":
        tally = tally.add("Size category", size_of(character, library).total, "stage.option.resource_scale")
    elif scale != "standard":
        tally = tally.scale(Fraction(SCALE[scale]), scale, "stage.option.resource_scale")
    tally = tally.add_parts(added(track, character, options, library))
    tally = tally.add_parts(_enchanted(track, character, options, library))
    cap = bonus_cap(attribute, character, options, library)
    return tally if cap is None else tally.limit_kind("special", cap, "stage.modifier.special_flat")


def _enchanted(track: str, character: StageCharacter, options: StageOptions, library: Library) -> Iterator[Part]:
    for one in passive_enchantments(character, character.belongings, options, library):
        if track in one.adjust.on:
            yield Part(one.label, one.adjust.amount.flat, "stage.gap.magic.enchantments", one.adjust.stack)


def bonus_cap(
    attribute: values.Attribute, character: StageCharacter, options: StageOptions, library: Library
) -> int | None:
    """Limit of special flat bonuses on a skill or track of an attribute; None for no limit."""
    if attribute == "body" and options.body_bonus_cap == "none":
        return None
    return attribute_level(character, attribute, options, library).total  # stage.modifier.special_flat


def size_of(character: StageCharacter, library: Library) -> Tally:
    """The Size category; that of a human is 7."""
    return _of_body(character, library, "size", values.HUMAN_SIZE, "stage.equipment.size")


def speed_of(character: StageCharacter, library: Library) -> Tally:
    """The speed score: cubes for a move."""
    return _of_body(character, library, "speed", SPEED, "stage.movement.cubes")


def _of_body(character: StageCharacter, library: Library, figure: str, human: int, rule: str) -> Tally:
    """A figure of a craft, or the character's own, or that of its race."""
    if library.has(content.Vehicle, character.vehicle):
        craft = library.get(content.Vehicle, character.vehicle)
        return Tally.of(character.name, getattr(craft, figure), "stage.mount.properties")
    if getattr(character, figure) is not None:
        return Tally.of("own", getattr(character, figure), rule)
    if library.has(content.Race, character.race):
        race = library.get(content.Race, character.race)
        return Tally.of(race.name, getattr(race, figure), race.rule)
    return Tally.of("human", human, rule)


# ---------------------------------------------------------------------- belongings


def items(library: Library) -> Mapping[str, content.Item]:
    """Everything that can be carried, by its id."""
    return library.of_any(content.ITEMS, content.Item)


def is_whole(carried: ItemStack) -> bool:
    """True if something has not been destroyed: Integrity Points are left (stage.equipment.integrity)."""
    return carried.left != 0


def hands_for(weapon_size: int, size: int) -> int | None:
    """Number of hands that an item takes, by the Sizes of item and wielder; None if it cannot be wielded without aid.

    >>> [hands_for(thing, 7) for thing in (5, 6, 7, 8)], hands_for(6, 8)
    ([1, 2, 2, None], 1)
    """
    if weapon_size <= size - 2:
        return 1
    return 2 if weapon_size <= size else None  # stage.equipment.size


def natural_weapons(character: StageCharacter, library: Library) -> tuple[content.Weapon, ...]:
    """Weapons that are always at hand: natural ones, or bare hands."""
    own = [library.get(content.Weapon, id_) for id_ in character.weapons if library.has(content.Weapon, id_)]
    return tuple(own) if own or character.vehicle else (library.get(content.Weapon, UNARMED),)


class Worn(NamedTuple):
    """An armour set: the components in use."""

    pieces: tuple[content.Armour, ...]

    @property
    def max_defense_points(self) -> int:
        """The maxima of all components added up (stage.equipment.armor)."""
        return sum([piece.max_defense_points for piece in self.pieces])


@cached_by_value
def worn(belongings: Belongings, library: Library) -> Worn:
    """Armour in use: worn pieces and shields in hand, unless destroyed."""
    known, pieces = items(library), []
    for carried in belongings:
        piece = known.get(carried.item)
        if not isinstance(piece, content.Armour) or not is_whole(carried):
            continue
        if carried.place == (HAND if piece.is_shield else WORN):
            pieces.append(piece)
    return Worn(tuple(pieces))


def armour_set(
    character: StageCharacter, options: StageOptions, library: Library, belongings: Belongings | None = None
) -> Tally:
    """The maximum of Defense Points of what is worn; without armour it is 0 and no one blocks."""
    rule = "stage.equipment.armor"
    tally = Tally.of("armour set", 0, rule)
    pieces = worn(character.belongings if belongings is None else belongings, library).pieces
    for piece in pieces:
        tally = tally.add(piece.name, piece.max_defense_points, rule)
    if not tally.total:
        return tally
    return tally.add_parts(added("max_defense_points", character, options, library))


def resistance(
    character: StageCharacter, options: StageOptions, library: Library, belongings: Belongings | None = None
) -> Tally:
    """Resistance: one's own, and the highest of the armour worn, or all of it added up."""
    rule = "stage.equipment.armor"
    mine = character.belongings if belongings is None else belongings
    own = character.resistance
    if library.has(content.Vehicle, character.vehicle):
        own = library.get(content.Vehicle, character.vehicle).resistance  # stage.mount.properties
    tally = Tally.of("own", own, "stage.equipment.resistance")
    lent = [(piece.name, piece.resistance) for piece in worn(mine, library).pieces if piece.resistance]
    if options.resistance_stacking == "highest":
        lent = [max(lent, key=lambda found: found[1])] if lent else []
    tally = tally.add_all([(name, number, rule) for name, number in lent])
    for one in passive_enchantments(character, mine, options, library):
        if "resistance" in one.adjust.on:
            tally = tally.add(one.label, one.adjust.amount.flat, "stage.gap.magic.enchantments")
    return tally


# ---------------------------------------------------------------------- enchanted things

ENCHANTMENTS, ENERGY = "enchantments", "energy"
"""Keys of an enchanted item's extra data: its enchantments, and the core points in it."""


def enchantments_in(carried: ItemStack) -> tuple[str, ...]:
    """The enchantments of an item, by id."""
    return tuple(carried.more.get(ENCHANTMENTS, ()))


def energy_in(carried: ItemStack) -> dict[str, int]:
    """The core points that went into an item, by track."""
    return dict(carried.more.get(ENERGY, {}))


def wielded(belongings: Iterable[ItemStack]) -> list[ItemStack]:
    """Items that are worn or held, not stored."""
    return [one for one in belongings if one.place in (WORN, HAND, HANDS) and is_whole(one)]


def too_much_energy(
    character: StageCharacter, belongings: Belongings, options: StageOptions, library: Library
) -> dict[str, tuple[int, int]]:
    """Core tracks whose limit the energy of wielded items exceeds, each with the energy and the limit."""
    over: dict[str, tuple[int, int]] = {}
    enchanted = [one for one in wielded(belongings) if enchantments_in(one)]
    for attribute in values.ATTRIBUTES if enchanted else ():
        core = values.CORE[attribute]
        total = sum([energy_in(one).get(core, 0) * one.count for one in enchanted])
        most = attribute_level(character, attribute, options, library).total
        if total > most:
            over[core] = (total, most)
    return over


class Enchanted(NamedTuple):
    """Passive effects of an enchanted item; those of a weapon count only ``with_item`` itself."""

    label: str
    adjust: Adjust
    with_item: str = ""


def passive_enchantments(
    character: StageCharacter, belongings: Belongings, options: StageOptions, library: Library
) -> list[Enchanted]:
    """Passive effects of wielded items; none if a limit is exceeded (stage.magic.use_limits)."""
    if options.magic == "off" or not any(one.more for one in belongings):
        return []
    if too_much_energy(character, belongings, options, library):
        return []
    found: list[Enchanted] = []
    for carried in wielded(belongings):
        for id_ in enchantments_in(carried):
            if library.has(content.Enchantment, id_) and library.get(content.Enchantment, id_).passive:
                entry = library.get(content.Enchantment, id_)
                label, only = f"{entry.name} ({carried.item})", carried.item if entry.goes_in == "weapon" else ""
                found += [Enchanted(label, one, only) for one in entry.effects if isinstance(one, Adjust)]
    return found


# ---------------------------------------------------------------------- loads


def encumbrance_of(carried: ItemStack, library: Library) -> Fraction:
    """The Encumbrance of an entry of belongings."""
    found = items(library).get(carried.item)
    return Fraction(found.encumbrance * carried.count, found.bundle) if found else Fraction(0)


def load(
    character: StageCharacter, options: StageOptions, library: Library, belongings: Belongings | None = None
) -> Fraction:
    """The Encumbrance of everything carried, less what powers ignore of each category, each down to nothing."""
    return _load(character, character.belongings if belongings is None else belongings, options, library)


@cached_by_identity
def _load(character: StageCharacter, mine: Belongings, options: StageOptions, library: Library) -> Fraction:
    known = items(library)
    total = Fraction(0)
    sums = {"melee_weapons": Fraction(0), "armour": Fraction(0)}
    for carried in mine:
        weighs = encumbrance_of(carried, library)
        total += weighs
        found = known.get(carried.item)
        if isinstance(found, content.Armour):
            sums["armour"] += weighs
        elif isinstance(found, content.Weapon) and found.is_melee:
            sums["melee_weapons"] += weighs
    for category, weighs in sums.items():
        spared = ignored(f"encumbrance.{category}", character, options, library) or 0
        total -= min(weighs, Fraction(spared))
    return max(Fraction(0), total - (ignored("encumbrance.all", character, options, library) or 0))


class Limits(NamedTuple):
    """The limits of the light, heavy and maximum load."""

    light: int
    heavy: int
    maximum: int


def load_limits(
    character: StageCharacter, options: StageOptions, library: Library, capacity: Fraction = Fraction(1)
) -> tuple[Tally, Tally, Tally]:
    """The limits of the light, heavy and maximum load, each with where it comes from; ``capacity`` is the world's."""
    return (
        _limit(1, character, options, library, capacity),
        _limit(2, character, options, library, capacity),
        _limit(3, character, options, library, capacity),
    )


def _limit(times: int, character: StageCharacter, options: StageOptions, library: Library, capacity: Fraction) -> Tally:
    level = attribute_level(character, "body", options, library).total
    tally = Tally.of(f"{LOADS[times - 1]} load, Body level", level, "stage.encumbrance.loads")
    tally = tally.add_parts(added("carrying_level", character, options, library))
    if times > 1:
        tally = tally.scale(Fraction(times), f"{times} times", "stage.encumbrance.loads")
    larger = size_of(character, library).total - values.HUMAN_SIZE
    tally = tally.add("Size category", 2 * times * larger, "stage.encumbrance.size")
    if capacity != 1:
        tally = tally.limit(1, rule="stage.encumbrance.size").scale(capacity, "capacity", "stage.environment.gravity")
    return tally.limit(1, rule="stage.encumbrance.size")


class LoadPenalty(NamedTuple):
    """Penalty of a load on all skill checks; ``too_much`` cannot be carried."""

    flat: int
    dice: int
    too_much: bool


def load_penalty(weighs: Fraction, limits: Limits, max_load_penalty: str = "additive") -> LoadPenalty:
    """-1 for every whole point above the light load, -1d for every whole point above the heavy one.

    >>> load_penalty(Fraction(6), Limits(4, 8, 12)), load_penalty(Fraction(10), Limits(4, 8, 12))
    (LoadPenalty(flat=2, dice=0, too_much=False), LoadPenalty(flat=4, dice=2, too_much=False))
    """
    over_light, over_heavy = floor(weighs - limits.light), floor(weighs - limits.heavy)
    dice = max(0, over_heavy)
    flat = min(max(0, over_light), limits.heavy - limits.light)
    if dice and max_load_penalty == "dice_only":
        flat = 0
    return LoadPenalty(flat, dice, weighs > limits.maximum)  # stage.encumbrance.loads


# ---------------------------------------------------------------------- range


def first_increment(increment: int, doublings: int) -> int:
    """The first range increment in cubes: each doubling adds its length once more (stage.terrain.high_ground).

    >>> first_increment(3, 0), first_increment(3, 1), first_increment(3, 2)
    (3, 6, 9)
    """
    return increment * (1 + doublings)


def range_penalty(distance: int, increment: int, doublings: int = 0) -> int:
    """The dice that a shot or throw loses by distance: one for each increment begun beyond the first.

    >>> [range_penalty(cubes, 3) for cubes in (0, 3, 4, 6, 7)]
    [0, 0, 1, 1, 2]
    """
    beyond = distance - first_increment(increment, doublings)
    return max(0, ceil(Fraction(beyond, increment)))  # stage.equipment.range_increment


def furthest(increment: int, max_increments: int, doublings: int = 0) -> int:
    """Furthest reach of a weapon in cubes."""
    return first_increment(increment, doublings) + increment * (max_increments - 1)


def can_damage(attacker: int | None, item: int) -> bool:
    """True if a material of one grade can damage one of another; None is no material, such as a spell.

    >>> can_damage(1, 1), can_damage(3, 4), can_damage(None, 4)
    (True, False, True)
    """
    return attacker is None or attacker >= item  # stage.equipment.material


# ---------------------------------------------------------------------- all at once


@dataclass(frozen=True, slots=True)
class Figures:
    """The plain figures of a character: attribute levels, track maxima, size, speed, limits of loads."""

    body: int
    mind: int
    soul: int
    stamina: int
    vitality: int
    intellect: int
    sanity: int
    will: int
    spirit: int
    size: int
    speed: int
    limits: Limits

    def level(self, attribute: values.Attribute) -> int:
        """Body, Mind or Soul level."""
        found: int = getattr(self, attribute)
        return found


@cached_by_identity
def figures(character: StageCharacter, options: StageOptions, library: Library) -> Figures:
    """The plain figures of a character, remembered."""
    levels = {name: attribute_level(character, name, options, library).total for name in values.ATTRIBUTES}
    tracks = {name: maximum(character, name, options, library).total for name in values.TRACKS}
    light, heavy, most = load_limits(character, options, library)
    return Figures(
        **levels,
        **tracks,
        size=size_of(character, library).total,
        speed=speed_of(character, library).total,
        limits=Limits(light.total, heavy.total, most.total),
    )


def surface_of(skill: values.SkillId | str, library: Library) -> values.Surface:
    """The surface track that a skill's applications are paid from; it is the same by both chapters."""
    return values.SURFACE[attribute_of(skill, library)]
