"""Costs of growth, and how far each step goes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tablewright.engine import Tally
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import numbered, table
from tablewright.systems.mars.character.figures import skill_of, skill_parts, stat_parts
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.content import Talent
from tablewright.systems.mars.values import RollValue

What = Literal["stat", "skill", "language", "talent"]

STEP, FIRST = 2, 4  # mars.skill.steps
SKILL_STEPS: dict[int, str] = numbered(table("mars.skill.steps"))
STAT_STEPS: dict[int, str] = numbered(table("mars.stat.primary_steps"))
LEAST_STAT, MOST_STAT = 8, 20  # mars.stat.primary
MOST_LANGUAGE = 20  # mars.advancement.language_no_limit
COMPLEX_FIRST = 4  # mars.advancement.complex_first_step
EVERY, PER_STAT = 50, 2  # mars.advancement.checkpoints


def next_step(value: int) -> int:
    """The roll value after this one: r4 after no training, then in steps of two.

    >>> next_step(0), next_step(4), next_step(10)
    (4, 6, 12)
    """
    return FIRST if value < FIRST else value + STEP


def skill_cost(value: int, *, complex_skill: bool) -> int:
    """Cost of the step to a roll value: half of it, more for the first step of a complex skill.

    >>> skill_cost(4, complex_skill=False), skill_cost(4, complex_skill=True), skill_cost(10, complex_skill=True)
    (2, 4, 5)
    """
    return COMPLEX_FIRST if complex_skill and value == FIRST else value // 2


def language_cost(value: int) -> int:
    """Half of the cost of a complex skill, rounded up.

    >>> [language_cost(value) for value in (4, 6, 8, 10)]
    [2, 2, 2, 3]
    """
    return -(-skill_cost(value, complex_skill=True) // 2)


def stat_cost(value: int) -> int:
    """Cost of the step of a primary stat to a roll value."""
    return value


class Price(NamedTuple):
    """Next step of an advance: the new roll value or number of steps, its cost and rule, and the value before it."""

    value: int
    cost: Tally
    was: int


def price(character: MarsCharacter, what: What, name: str, library: Library) -> Price:
    """The next step of a stat, skill, language or talent."""
    if what == "stat":
        was = getattr(character.stats, name).n
        value = was + STEP
        return Price(value, Tally.of(f"{name} to r{value}", stat_cost(value), "mars.advancement.stat_cost"), was)
    if what == "skill":
        was = character.skills.get(name, RollValue(0)).n
        value = next_step(was)
        difficult = skill_of(name, library).group != "basic"
        first = difficult and value == FIRST
        rule = "mars.advancement.complex_first_step" if first else "mars.advancement.skill_cost"
        return Price(value, Tally.of(f"{name} to r{value}", skill_cost(value, complex_skill=difficult), rule), was)
    if what == "language":
        was = character.languages.get(name, RollValue(0)).n
        value = next_step(was)
        cost = Tally.of(f"{name} to r{value}", language_cost(value), "mars.advancement.language_cost")
        return Price(value, cost, was)
    owned = character.talents.get(name, 0)
    talent = library.get(Talent, name)
    tally = Tally.of(talent.name, talent.cost, "mars.talent.cost")
    return Price(owned + 1, tally.add("owned already", owned, "mars.talent.repeat_cost"), owned)


def skill_limit(
    character: MarsCharacter, skill_id: str, library: Library, bonuses: str = "positive_sources", hard_cap: int = 20
) -> Tally:
    """The highest roll value that a skill can be advanced to."""
    rule = "mars.advancement.skill_limit_bonus"
    name = skill_of(skill_id, library).stat
    written: RollValue = getattr(character.stats, name)
    tally = Tally.of(f"{name} r{written.n}", written.n, "mars.advancement.skill_limit")
    of_stat = [*stat_parts(character, name, library), (name, written.modifier, rule)]
    of_skill = list(skill_parts(character, skill_id, library))
    if bonuses == "positive_sources":
        for label, value, _ in (*of_stat, *of_skill):
            tally = tally.add(label, STEP * max(0, value), rule)
    else:
        for label, parts in ((f"modifier of {name}", of_stat), (f"modifier of {skill_id}", of_skill)):
            tally = tally.add(label, STEP * max(0, sum([value for _, value, _ in parts])), rule)
    return tally.limit(high=hard_cap, rule=rule)


def checkpoints_due(character: MarsCharacter) -> int:
    """Number of checkpoints without a chosen stat."""
    return max(0, checkpoints_reached(character.experience) - len(character.checkpoints))


def checkpoints_reached(experience: int) -> int:
    """Number of checkpoints that an amount of experience has passed."""
    return min(experience // EVERY, 4 * PER_STAT)
