"""Costs of growth, and how far each step goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tablewright.engine import Tally
from tablewright.errors import InvalidInputError
from tablewright.game.content.library import Library
from tablewright.systems.stage.character.figures import attribute_level, items
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Enchantment, Race, Skill, Spell
from tablewright.systems.stage.effects import Ability, Adjust, ChangePower, Power
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTES, titled

PER_LEVEL, FIRST = 20, 20  # stage.character.skill_cost
PER_TIER = 20  # stage.character.power_cost
HIGHEST = 6
FEWEST_POINTS = 120  # stage.character.point_budget
MOST_LETTERS = 60
ARTS: Final = ("song", "poetry", "painting", "dance")
"""Kinds of art to choose from; any other will do."""

POWER_COST = "stage.character.power_cost"


def level_cost(level: int) -> int:
    """Price of the step up to a level.

    >>> [level_cost(level) for level in range(1, 7)]
    [40, 60, 80, 100, 120, 140]
    """
    return PER_LEVEL * level + FIRST


def skill_cost(level: int) -> int:
    """Price of all levels of a skill from 1 up.

    >>> [skill_cost(level) for level in range(7)]
    [0, 40, 100, 180, 280, 400, 540]
    """
    return sum([level_cost(step) for step in range(1, level + 1)])


def highest_level(options: StageOptions) -> int | None:
    """The highest level that can be bought; None is no limit."""
    return HIGHEST if options.max_skill_level == "6" else None


def power_cost(power: Power, character: StageCharacter, library: Library) -> Tally:
    """Price of a power for a character."""
    tally = Tally.of(f"tier {power.tier}", PER_TIER * power.tier, POWER_COST)
    if library.has(Race, character.race):
        race = library.get(Race, character.race)
        tally = tally.add(race.name, -race.power_discount, race.rule)
    return tally.limit(0, rule=POWER_COST)


def spent(character: StageCharacter, library: Library) -> Tally:
    """The Character Points that went into skills and powers."""
    tally = Tally.of("Character Points spent", 0, "stage.character.creation")
    for skill, level in character.skills.items():
        tally = tally.add(library.get(Skill, skill).name if library.has(Skill, skill) else skill, skill_cost(level))
    for id_ in character.powers:
        if library.has(Power, id_):
            power = library.get(Power, id_)
            tally = tally.add(power.name, power_cost(power, character, library).total, POWER_COST)
    return tally


def points_left(character: StageCharacter, library: Library) -> int:
    """The Character Points that can still be spent."""
    return character.points + character.awarded - spent(character, library).total


def replacement_points(points: Sequence[int], options: StageOptions) -> int:
    """The Character Points of a new character for a group: a little below its average (stage.guidance.death).

    No one can be made of less than a first level in each attribute (stage.character.minimum_skills).

    >>> replacement_points([500, 461], StageOptions()), replacement_points([130], StageOptions())
    (460, 120)
    """
    return max(FEWEST_POINTS, sum(points) // len(points) - options.replacement_deficit)


# ---------------------------------------------------------------------- prerequisites


def unmet(power: Power, character: StageCharacter, options: StageOptions, library: Library) -> Iterator[str]:
    """Unmet prerequisites of a power in words; bonuses never count."""
    if options.power_prerequisites == "none":
        return
    if power.skill == "general":
        levels = {name: attribute_level(character, name, options, library).total for name in ATTRIBUTES}
        if max(levels.values()) < power.tier:
            best = max(levels, key=lambda name: levels[name])
            yield f"needs Body, Mind or Soul level {power.tier}, the highest is {best.title()} {levels[best]}"
    elif character.level(power.skill) < power.tier:
        name = library.get(Skill, power.skill).name
        yield f"needs {name} {power.tier}, it is {character.level(power.skill)}"
    for id_ in power.requires:
        if id_ not in character.powers:
            yield f"needs {_name(id_, library)}"
    if power.requires_any and not any(id_ in character.powers for id_ in power.requires_any):
        yield f"needs {' or '.join([_name(id_, library) for id_ in power.requires_any])}"


def _name(id_: str, library: Library) -> str:
    return library.get(Power, id_).name if library.has(Power, id_) else id_


def without_magic(options: StageOptions) -> bool:
    """True if the table plays without magic."""
    return options.magic == "off"


def skills_of(options: StageOptions, library: Library) -> list[Skill]:
    """The skills that there are; without magic six fewer (stage.option.magic)."""
    return [one for one in library.of(Skill) if not (one.magic and without_magic(options))]


def refused(power: Power, character: StageCharacter, options: StageOptions, library: Library) -> tuple[str, str] | None:
    """Reason and rule against buying a power, whatever it costs, or None."""
    if power.magic and without_magic(options):
        return "there is no magic", "stage.option.magic"
    if power.id in character.powers and not power.again:
        return "is known already", POWER_COST
    missing = next(unmet(power, character, options, library), None)
    if missing is not None:
        return missing, "stage.power.prerequisites"
    allowed = choices_for(power, library)
    had = character.choices.get(power.id, ())
    if power.id in character.powers and allowed and not is_free_choice(power) and set(allowed) <= set(had):
        return "was bought for everything already", POWER_COST
    return None


def choices_for(power: Power, library: Library) -> tuple[str, ...] | None:
    """Choices when a power is bought: its options, or suggestions if any word will do; None without a choice."""
    if any(isinstance(effect, ChangePower) and effect.change == "replaces" for effect in power.effects):
        return None
    for effect in power.effects:
        if isinstance(effect, Ability):
            return effect.of
        if isinstance(effect, Adjust) and effect.choose:
            if effect.when == "chosen_item":
                return tuple([id_ for id_, one in items(library).items() if not getattr(one, "natural", False)])
            return ARTS if effect.when == "chosen_art" else effect.on
    return None


def is_free_choice(power: Power) -> bool:
    """True if anything may be chosen with a power, in one's own words."""
    return any(
        isinstance(effect, Ability) or (isinstance(effect, Adjust) and effect.when == "chosen_art")
        for effect in power.effects
    )


def suggestions(power: Power, had: Sequence[str], library: Library) -> tuple[str, ...]:
    """Choices of a power that are left; if any word will do, there is always another."""
    allowed = choices_for(power, library) or ()
    left = tuple([one for one in allowed if one not in had])
    return left or ((f"{allowed[-1]} {len(had) + 1}",) if is_free_choice(power) else ())


def choice_name(choice: str, library: Library) -> str:
    """The choice of a power as people read it: the name of an item or a skill, or its words."""
    known = items(library).get(choice)
    if known is None and library.has(Skill, choice):
        return library.get(Skill, choice).name
    return known.name if known is not None else choice[:1].upper() + choice[1:].replace("_", " ")


def meant(choice: str, known: Iterable[str]) -> str:
    """A choice as it is written down: what is called like something known but for its case is that.

    >>> meant(" Literacy", ("literacy", "language")), meant("Norse", ("literacy", "language"))
    ('literacy', 'Norse')
    """
    wanted = choice.strip()
    if len(wanted) > MOST_LETTERS:
        raise InvalidInputError(f"{len(wanted)} letters are too many; at most {MOST_LETTERS}", field="choice")
    return next((one for one in known if one.casefold() == wanted.casefold()), wanted)


# ---------------------------------------------------------------------- spells


def may_learn(magic: Spell | Enchantment, character: StageCharacter) -> bool:
    """True if the circle is within the level of the skill, of a compound spell of both."""
    return all(character.level(school) >= magic.circle for school in magic.schools)  # stage.magic.learn_limit


def levels_to_learn(magic: Spell | Enchantment) -> str:
    """The skill levels that a spell or an enchantment takes, in words."""
    return " and ".join([f"{titled(school)} {magic.circle}" for school in magic.schools])
