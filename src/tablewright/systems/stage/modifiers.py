"""Modifiers of a check from the character, its circumstances and its gear.

``rolled`` gathers them for an application of a character: the skill level, what race and background give, powers that
always work and those that are announced, tools and weapons, helpers, Disability Counters, the load, whatever else the
situation brings, and the game master's rulings last. Dice are netted before the minimum of one die; of special dice
only the best count; special flat bonuses are limited to the level of the skill's attribute.

Rulings under the name of an application or of its skill are flat; those under ``<name> dice`` change the pool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.game.play.effects import Effect as Held
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.character.figures import (
    Given,
    Limits,
    amount_of,
    at_least,
    attribute_of,
    figures,
    given,
    ignored,
    is_whole,
    items,
    load,
    load_limits,
    load_penalty,
    passive_enchantments,
    standing_powers,
)
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Application, Gear, Skill, Weapon
from tablewright.systems.stage.effects import GROUPS, Adjust, Lasting, Permit, Usable
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTES, CORE, FEWEST_DICE, Bonus, assist_cap, assist_dice, titled

MUNDANE, SPECIAL, PENALTY = "mundane", "special", "penalty"  # stage.modifier.mundane, stage.modifier.penalties
WITHOUT_TOOLS = -2  # stage.gap.equipment.tools
CAPACITY = {"very_high": Fraction(1, 10), "high": Fraction(1, 2), "low": Fraction(2), "very_low": Fraction(10)}
"""Factors of gravity for load limits and jumps (stage.environment.gravity)."""

_LIGHT = (Part("load", 0), Part("load", 0))


class Rolled(NamedTuple):
    """A check ready to be rolled: its dice, its flat modifiers, and which of them are free to go on either roll.

    ``once`` is what counts in it and is over with it.
    """

    skill: str
    dice: Tally
    flat: Tally
    untrained: bool
    once: tuple[Held, ...] = ()

    @property
    def bonuses(self) -> tuple[int, ...]:
        """The flat bonuses, each undivided; what is beyond the limit of special ones is taken from the last of them."""
        over = -sum([part.changed for part in self.flat.parts if part.kind == "limit"])
        found: list[int] = []
        for part in reversed([part for part in self.flat.parts if part.counts and part.changed > 0]):
            cut = min(over, part.changed) if part.kind == SPECIAL else 0
            over -= cut
            found.append(part.changed - cut)
        return tuple([bonus for bonus in reversed(found) if bonus])

    @property
    def penalties(self) -> tuple[int, ...]:
        """The flat penalties, each undivided and without its minus."""
        counted = [part for part in self.flat.parts if part.counts and part.changed < 0 and part.kind != "limit"]
        return tuple([-part.changed for part in counted])

    @property
    def tallies(self) -> dict[str, Tally]:
        """The tallies by the names of the mechanics' parameters."""
        return {"dice": self.dice, "modifier": self.flat}


# ---------------------------------------------------------------------- words


@lru_cache(maxsize=512)
def words_of(key: str, skill: str = "", attribute: str = "") -> frozenset[str]:
    """Every word under which an application counts; with another skill in the place of its own, that one's.

    >>> sorted(words_of("brawl.parry", attribute="body"))
    ['any_check', 'body_skills', 'brawl', 'brawl.parry', 'defensive', 'parry']
    """
    own = key.partition(".")[0]
    groups = [group for group, members in GROUPS.items() if key in members]
    return frozenset([skill or own, key, "any_check", f"{attribute}_skills", *groups])


ROLLS = {
    "attack": GROUPS["attack"],
    "defence": GROUPS["defensive"],
    "parry": GROUPS["parry"],
    "initiative": ("agility.initiative",),
}
"""Rolls of a fight under the names that the game master's modifiers may use, with the applications that count."""


def modifier_names(scene: Scene) -> list[str]:
    """Names under which the game master's modifiers count; with `` dice`` behind them they are dice."""
    known = [*ROLLS, *[one.id for one in scene.library.of(Skill)], *applications(scene.library)]
    return [*known, *[f"{name} dice" for name in known], "hit_difficulty"]


@cached_by_identity
def applications(library: Library) -> dict[str, Application]:
    """Every application by how the rules write it: ``guile.sneak``."""
    return {one.key: one for one in library.of(Application)}


# ---------------------------------------------------------------------- a character, in a scene or outside of one


def belongings_of(subject: Subject) -> Belongings:
    """Belongings of a subject; in a scene those of the status."""
    found: Belongings = getattr(subject.status, "belongings", subject.character.belongings)
    return found


class Counters(NamedTuple):
    """Disability Counters by where they come from."""

    body: int = 0
    mind: int = 0
    soul: int = 0
    affliction: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


def counters_of(subject: Subject) -> Counters:
    """The Disability Counters of a character: one for every lost point of a core track, and those of ailments.

    First aid suppresses those of the body (stage.medicine.first_aid).
    """
    character: StageCharacter = subject.character
    most = figures(character, subject.options, subject.library)
    now: Any = character.wounds if subject.status is None else subject.status
    lost = {}
    for attribute in ATTRIBUTES:
        left = getattr(now, CORE[attribute])
        lost[attribute] = 0 if left is None else max(0, getattr(most, CORE[attribute]) - left)
    if now.first_aid:
        lost["body"] = 0
    return Counters(**lost, affliction=now.counters)


def disability(subject: Subject) -> Iterator[Part]:
    """The dice that Disability Counters take, less those that powers ignore."""
    counters = counters_of(subject).total
    if not counters:
        return
    yield Part("Disability Counters", -counters, "stage.injury.disability", PENALTY)
    spared = ignored("disability", subject.character, subject.options, subject.library)
    spared = counters if spared is None else min(spared, counters)
    if spared:
        yield Part("ignored Counters", spared, "stage.power_effect.ignore_disability", MUNDANE)


def loaded(subject: Subject) -> tuple[Part, ...]:
    """Penalty of the load on all checks, in dice and flat; none for a light load."""
    character, options, library = subject.character, subject.options, subject.library
    limits = limits_now(subject)
    if limits is None:
        return _LIGHT
    return _loaded(load(character, options, library, belongings_of(subject)), limits, options.max_load_penalty)


def limits_now(subject: Subject) -> Limits | None:
    """The limits of loads where a character is: gravity and heat change them; None where nothing weighs anything.

    The facts ``gravity`` and ``heat`` of the scene say so (stage.environment.gravity, stage.environment.heat).
    """
    character, options, library = subject.character, subject.options, subject.library
    if subject.scene is None or not subject.scene.facts.entries:
        return figures(character, options, library).limits
    gravity = str(subject.scene.facts.get("gravity", subject.who, default="normal"))
    if gravity == "zero":
        return None
    capacity = CAPACITY.get(gravity, Fraction(1))
    if subject.scene.facts.get("heat", subject.who):
        capacity /= 2
    light, heavy, most = load_limits(character, options, library, capacity)
    return Limits(light.total, heavy.total, most.total)


@lru_cache(maxsize=1_024)
def _loaded(weighs: Fraction, limits: Limits, max_load_penalty: str) -> tuple[Part, Part]:
    penalty = load_penalty(weighs, limits, max_load_penalty)
    rule = "stage.encumbrance.loads"
    return Part("load", -penalty.dice, rule, PENALTY), Part("load", -penalty.flat, rule, PENALTY)


def carries_lightly(subject: Subject) -> bool:
    """True if the load is a light one."""
    limits = limits_now(subject)
    weighs = load(subject.character, subject.options, subject.library, belongings_of(subject))
    return limits is None or weighs <= limits.light


# ---------------------------------------------------------------------- sources


def counts(one: Given, words: frozenset[str], subject: Subject, item: str, art: str) -> bool:
    """True if an adjustment counts for a number that goes by these words."""
    adjust = one.adjust
    if adjust.op != "add" or not words.intersection(adjust.on):
        return False
    if adjust.when is None:
        return True
    if adjust.when == "light_load":
        return carries_lightly(subject)
    if adjust.when == "chosen_item":
        return bool(item) and item in one.chosen
    if adjust.when == "chosen_art":
        return bool(art) and art in one.chosen
    return adjust.when in words


def announced_adjustments(power: Usable) -> Iterator[Adjust]:
    """Bonuses of an announced power to its user's checks, at once or while it lasts."""
    for effect in power.effects:
        if isinstance(effect, Adjust):
            yield effect
        elif isinstance(effect, Lasting) and effect.to == "self":
            plain = [one for one in effect.gives if isinstance(one, Adjust) and not one.amount.per]
            yield from [one for one in plain if not one.amount.check]


def _adjustments(
    subject: Subject, words: frozenset[str], announced: Iterable[Usable], item: str, art: str
) -> Iterator[tuple[str, Bonus, str, str]]:
    character, options, library = subject.character, subject.options, subject.library
    for one in given(character, options, library):
        if counts(one, words, subject, item, art):
            yield one.label, amount_of(one.adjust, character), one.rule, one.adjust.stack
    for power in announced:
        for effect in announced_adjustments(power):
            named = Given(power.power.name, power.power.rule, effect)
            if counts(named, words, subject, item, art):
                yield named.label, amount_of(effect, character), named.rule, effect.stack
    for own in passive_enchantments(character, belongings_of(subject), options, library):
        if words.intersection(own.adjust.on) and own.with_item in ("", item):
            yield own.label, amount_of(own.adjust, character), "stage.gap.magic.enchantments", own.adjust.stack


def chosen_parts(subject: Subject, key: str, skill: str = "", *, item: str = "", art: str = "") -> list[Part]:
    """Bonuses of powers for the item or kind of art chosen with them (stage.power_effect.item_bonus)."""
    found = []
    words = words_of(key, skill)
    for one in given(subject.character, subject.options, subject.library):
        if one.adjust.when in ("chosen_item", "chosen_art") and counts(one, words, subject, item, art):
            bonus = amount_of(one.adjust, subject.character)
            found.append(Part(one.label, bonus.flat, one.rule, one.adjust.stack))
    return found


def weapon_parts(weapon: Weapon, key: str) -> Bonus:
    """Bonus of a weapon: to attacks, or to parries (stage.equipment.bonus)."""
    if key in GROUPS["attack"]:
        return weapon.bonus
    return weapon.parry or Bonus() if key in GROUPS["parry"] else Bonus()


def tools_of(subject: Subject, key: str) -> Gear | None:
    """The best tools that a character has for an application."""
    known, skill = items(subject.library), key.partition(".")[0]
    able = []
    for carried in belongings_of(subject):
        found = known.get(carried.item)
        if isinstance(found, Gear) and is_whole(carried) and (key in found.tools_for or skill in found.tools_for):
            able.append(found)
    return max(able, key=lambda found: found.bonus, default=None)


def tool_parts(application: Application, subject: Subject, improvised: bool) -> Iterator[Part]:
    """Bonus of tools, or the penalty for improvising (stage.gap.equipment.tools)."""
    rule = "stage.gap.equipment.tools"
    if application.tools == "none":
        return
    found = None if improvised else tools_of(subject, application.key)
    if found is not None:
        yield Part(found.name, found.bonus, rule, MUNDANE)
        return
    if application.tools == "needed" and not improvised:
        raise IllegalActionError(f"{titled(application.key)} needs tools; say improvised=yes to do without", rule=rule)
    yield Part("improvised tools", WITHOUT_TOOLS, rule, "penalty")


def can_assist(helper: StageCharacter, skill: str, options: StageOptions, library: Library) -> bool:
    """True if a character may help with a skill: with a level in it, or by a power (stage.check.assist)."""
    if helper.level(skill):
        return True
    return permits(helper, "assist_untrained", options, library)


def helpers_of(subject: Subject, skill: str, names: Iterable[str]) -> list[Any]:
    """The characters of those who help, who must know the skill (stage.check.assist)."""
    found = []
    for name in dict.fromkeys(names):
        if subject.scene is None:
            raise InvalidInputError(f'"{name:.40}" is not here to help; say how many do: helpers=1', field="helped_by")
        if name == subject.who:
            others = ", ".join([one.id for one in subject.scene.present if one.id != name]) or "nobody else"
            message = f"{subject.scene.display_name(name)} makes the check and cannot help with it; here is {others}"
            raise InvalidInputError(message, field="helped_by")
        helper = subject.scene[name].character
        if not subject.scene[name].status.able:
            raise subject.scene.cannot(name, "can do nothing", "stage.encounter.flow")
        if not can_assist(helper, skill, subject.options, subject.library):
            message = f"{subject.scene.display_name(name)} does not know {titled(skill)} and cannot help"
            raise IllegalActionError(message, rule="stage.check.assist")
        found.append(helper)
    return found


def permits(character: StageCharacter, what: str, options: StageOptions, library: Library) -> bool:
    """True if a power of a character's always allows something."""
    return bool(permissions(character, what, options, library))


def permissions(character: StageCharacter, what: str, options: StageOptions, library: Library) -> list[Permit]:
    """Permits of a kind from powers that are always on."""
    found = []
    for one in standing_powers(character, options, library):
        found += [effect for effect in one.effects if isinstance(effect, Permit) and effect.what == what]
    return found


def assistance(
    subject: Subject, skill: str, helpers: Iterable[StageCharacter] = (), others: int = 0, cap: int | None = None
) -> Part:
    """The dice that helpers give: one each, together at most the cap that powers allow.

    ``others`` are helpers of whom nothing else is known, ``cap`` the highest that any of them holds.
    """
    options, library = subject.options, subject.library
    own = at_least(f"assist_cap.{skill}", subject.character, options, library)
    those = list(helpers)
    caps = [at_least(f"assist_cap.{skill}", one, options, library) for one in those]
    most = assist_cap(own, [*caps, *([cap] if others else [])], options.assist_cap_holder)
    return Part("helpers", assist_dice(len(those) + others, most), "stage.check.assist", MUNDANE)


# ---------------------------------------------------------------------- all together


def rolled(
    subject: Subject,
    key: str,
    *,
    skill: str = "",
    words: Iterable[str] = (),
    announced: Iterable[Usable] = (),
    weapon: Weapon | None = None,
    item: str = "",
    art: str = "",
    dice: Iterable[Part] = (),
    flat: Iterable[Part] = (),
    cap_up: int = 0,
) -> Rolled:
    """The dice pool of an application, with every modifier by name.

    ``skill`` is rolled in the place of the application's own; ``words`` are further ones under which it counts
    (``opposed``); ``announced`` are powers that were announced for it; ``item`` and ``art`` are what it is done with;
    ``dice`` and ``flat`` are whatever else the situation brings; by ``cap_up`` special flat bonuses may pass their
    limit.
    """
    character, options, library = subject.character, subject.options, subject.library
    used = skill or key.partition(".")[0]
    attribute = attribute_of(used, library, options.skill_attribute_source)
    every = words_of(key, skill, attribute).union(words)
    level = character.level(used)
    more_dice, more_flat = [], []
    for label, bonus, rule, kind in _adjustments(subject, every, announced, item or (weapon.id if weapon else ""), art):
        more_dice.append(Part(label, bonus.dice, rule, kind))
        more_flat.append(Part(label, bonus.flat, rule, kind))
    if weapon is not None:
        bonus = weapon_parts(weapon, key)
        more_dice.append(Part(weapon.name, bonus.dice, "stage.equipment.bonus", MUNDANE))
        more_flat.append(Part(weapon.name, bonus.flat, "stage.equipment.bonus", MUNDANE))
    heavy_dice, heavy_flat = loaded(subject)
    pool = Tally.of(f"{used.replace('_', ' ').title()} level", level, "stage.check.dice_pool")
    pool = pool.add_parts([*more_dice, *dice, *disability(subject), heavy_dice])
    pool = pool.only_best(SPECIAL, "stage.modifier.special_dice")
    numbers = Tally.of("flat", 0, "stage.modifier.forms").add_parts([*more_flat, *flat, heavy_flat])
    if not (attribute == "body" and options.body_bonus_cap == "none"):
        cap = figures(character, options, library).level(attribute) + cap_up
        numbers = numbers.limit_kind(SPECIAL, cap, "stage.modifier.special_flat")
    if subject.scene is not None and subject.scene.modifiers:
        for word in (key, used, *[name for name, members in ROLLS.items() if key in members]):
            pool = subject.with_rulings(pool, f"{word} dice")
            numbers = subject.with_rulings(numbers, word)
    return Rolled(used, pool.limit(FEWEST_DICE, rule="stage.check.minimum"), numbers, level == 0)
