"""Costs of growth, and how far each step goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from tablewright.engine import Tally
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.legality import Violation, forbidden, unless
from tablewright.systems.marchen.character.figures import mastered, score, skill_from_mastery
from tablewright.systems.marchen.character.record import (
    MOST_NAME,
    Advance,
    Change,
    MarchenCharacter,
    Scored,
    Specialization,
)
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILL_NAMES, SkillId, cap, years_to

NEW_SKILL, SKILL_TO_ONE, PER_LEVEL, PER_SCORE = 2, 4, 4, 10
COSTS = "marchen.gap.advancement.costs"
BOUGHT = "advancement"


def cost_of(character: MarchenCharacter, what: str, name: str, skill: str, options: MarchenOptions) -> Tally:
    """Experience for the next step."""
    if what == "skill":
        level = character.level(name)  # type: ignore[arg-type]
        return Tally.of(
            "a new skill" if level is None else "level 1", NEW_SKILL if level is None else SKILL_TO_ONE, COSTS
        )
    if what == "specialization":
        known = character.specialization(skill, name)  # type: ignore[arg-type]
        new = (known.level if known else 0) + 1
        return Tally.of(f"level {new}", PER_LEVEL * new, COSTS)
    new = score(character, scored(what, name), options).total + 1
    tally = Tally.of(f"score {new}", PER_SCORE * max(1, new + 1), COSTS)
    return tally.add("an aspect costs twice as much", tally.total, COSTS) if what == "aspect" else tally


def scored(what: str, name: str) -> Scored:
    """An aspect or a characteristic by its name."""
    known: tuple[Scored, ...] = ASPECTS if what == "aspect" else CHARACTERISTICS
    for one in known:
        if one == name.strip().casefold():
            return one
    raise IllegalActionError(f'"{name:.40}" is no {what}; there are {", ".join(known)}', rule=COSTS)


def price(
    character: MarchenCharacter,
    what: str,
    name: str,
    skill: str,
    how: Literal["experience", "training", "sage"],
    options: MarchenOptions,
) -> int:
    """Experience for the next step in a way of learning: none with a trainer, half with a sage, rounded up."""
    if how == "training":
        return 0
    cost = cost_of(character, what, name, skill, options).total
    return -(-cost // 2) if how == "sage" else cost  # marchen.sojourn.confer_with_sage


def lowered_by(character: MarchenCharacter, last: Advance, options: MarchenOptions) -> MarchenCharacter:
    """The character as it was before the last step."""
    character = character.changed(advances=character.advances[:-1]) if character.advances else character
    if last.what == "skill":
        level = character.skills[last.name]
        skills = character.skills.put(last.name, 0) if level else character.skills.drop(last.name)
        return character.changed(skills=skills)
    if last.what == "specialization":
        known = character.specialization(last.skill, last.name)  # type: ignore[arg-type]
        assert known is not None  # what was learned is there
        return with_specialization(character, known.changed(level=known.level - 1), options)
    at = _bought_at(character, last)
    assert at is not None  # what was bought is there
    changes = (*character.changes[:at], *character.changes[at + 1 :])
    current = character.current
    if last.name in current:
        current = current.put(last.name, current[last.name] - 1)
    return character.changed(changes=changes, current=current)


# ---------------------------------------------------------------------- buying everything again


def problems(character: MarchenCharacter, options: MarchenOptions) -> Iterator[Violation]:
    """Take back everything that was learned, the last first, and compare what was paid with what it costs."""
    moved = {change.what for change in character.changes}
    advances = character.advances
    character = character.changed(advances=()) if advances else character
    for number, last in reversed(list(enumerate(advances))):
        where = f"advances[{number}]"
        if last.what == "skill" and last.name in moved:
            continue  # a deity has moved it since
        if not _is_there(character, last):
            yield from forbidden(where, f"{last.name} is not there as it was learned", rule=COSTS)
            return
        later = character.changes[_bought_at(character, last) :] if last.what in ("characteristic", "aspect") else ()
        before = character.changed(changes=character.changes[: -len(later)]) if later else None
        character = lowered_by(character, last, options)
        before = before or character  # what changed a score later on has not changed its price
        cost = price(before, last.what, last.name, last.skill, last.how, options)
        yield from unless(cost == last.cost, where, f"{last.name} costs {cost}, {last.cost} were paid", rule=COSTS)


def _is_there(character: MarchenCharacter, last: Advance) -> bool:
    if last.what == "skill":
        return last.name in character.skills
    if last.what == "specialization":
        known = character.specialization(last.skill, last.name)  # type: ignore[arg-type]
        return known is not None and known.level >= 1
    known_scores: tuple[str, ...] = ASPECTS if last.what == "aspect" else CHARACTERISTICS
    return last.name in known_scores and _bought_at(character, last) is not None


def _bought_at(character: MarchenCharacter, last: Advance) -> int | None:
    """Index of the last purchase of a score among the changes."""
    found = [at for at, one in enumerate(character.changes) if (one.what, one.source) == (last.name, BOUGHT)]
    return max(found, default=None)


CHILDHOOD, AT_ONCE = 6, 2
TERM_YEARS = "marchen.gap.career.years"


def years_studied(character: MarchenCharacter) -> int:
    """The years that all levels stand for; what mastery lifts is not studied, level 0 of specializations is free."""
    skills = sum([years_to(min(level, 1)) for level in character.skills.values()])
    return skills + sum([years_to(one.level) - years_to(0) for one in character.specializations])


def years_to_study(age: int) -> int:
    """Years of study possible at an age: from six on, two studies at a time.

    >>> years_to_study(30)
    48
    """
    return AT_ONCE * max(0, age - CHILDHOOD)


def with_skill_at_zero(character: MarchenCharacter, skills: Iterable[SkillId]) -> MarchenCharacter:
    """With skills at level 0 where they were not known, as far as there are years for them."""
    for skill in skills:
        left = years_to_study(character.age) - years_studied(character)
        if skill not in character.skills and left >= years_to(0):
            character = character.changed(skills=character.skills.put(skill, 0))
    return character


def study_skill(character: MarchenCharacter, skill: SkillId) -> MarchenCharacter:
    """A character with the next level of a skill: none, 0, 1. Mastered specializations raise it further."""
    level = character.level(skill)
    if level is not None and level >= 1:
        reason = f"{SKILL_NAMES[skill]} is at level {level}; further study goes into a specialization"
        raise IllegalActionError(reason, rule="marchen.specialization.study")
    if level is None:
        return character.changed(skills=character.skills.put(skill, 0))
    moved = sum([change.value for change in character.changes if change.what == skill])
    again = -moved - mastered(character, skill)  # what a deity took away is learned again
    changes = (
        (*character.changes, Change(what=skill, value=again, source="learned anew")) if moved else character.changes
    )
    return character.changed(skills=character.skills.put(skill, 1), changes=changes)


def study_specialization(
    character: MarchenCharacter, skill: SkillId, name: str, options: MarchenOptions, *, most: int | None = None
) -> MarchenCharacter:
    """A character with the next level of a specialization; at level 4 its skill rises too."""
    if not 1 <= len(name.strip()) <= MOST_NAME:
        raise InvalidInputError(f"a specialization has a name of 1 to {MOST_NAME} letters", field="specialization")
    known = character.specialization(skill, name)
    if known is None:
        level = character.level(skill)
        reason = f"a specialization needs {SKILL_NAMES[skill]} at level 1, it is {'none' if level is None else level}"
        raise IllegalActionError(reason, rule="marchen.specialization.unlock")
    highest = cap(options.mythic_levels) if most is None else most
    if known.level >= highest:
        raise IllegalActionError(
            f"{known.name} is at level {known.level}, the highest", rule="marchen.specialization.cap"
        )
    studied = Specialization(skill=skill, name=known.name, level=known.level + 1, tl=known.tl)
    return with_specialization(character, studied, options)


def with_specialization(
    character: MarchenCharacter, changed: Specialization, options: MarchenOptions
) -> MarchenCharacter:
    """With a specialization as it is from now on (none at level 0), and its skill at the level that follows."""
    kept = [
        one
        for one in character.specializations
        if (one.skill, one.name.casefold()) != (changed.skill, changed.name.casefold())
    ]
    every = [*kept, changed] if changed.level > 0 else kept
    result = character.changed(specializations=tuple(every))
    if mastered(result, changed.skill) == mastered(character, changed.skill):
        return result
    return result.changed(skills=result.skills.put(changed.skill, skill_from_mastery(result, changed.skill, options)))
