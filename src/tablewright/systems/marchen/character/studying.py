"""Study: what a level more of a skill or a specialization makes of a character, and how many years it stands for."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.errors import BadInput, RulesSayNo
from tablewright.systems.marchen.character.figures import mastered, skill_from_mastery
from tablewright.systems.marchen.character.record import MOST_NAME, Change, MarchenCharacter, Specialization
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import SKILL_NAMES, SkillId, cap, years_to

CHILDHOOD, AT_ONCE = 6, 2
YEARS = "marchen.gap.career.years"


def years_studied(character: MarchenCharacter) -> int:
    """The years that all levels stand for; what mastery lifts is not studied, level 0 of specializations is free."""
    skills = sum([years_to(min(level, 1)) for level in character.skills.values()])
    return skills + sum([years_to(one.level) - years_to(0) for one in character.specializations])


def years_to_study(age: int) -> int:
    """How many years of study somebody of an age can have: from six on, two studies at a time.

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
    """One level more of a skill: none, 0, 1. Above that only mastered specializations raise it."""
    level = character.level(skill)
    if level is not None and level >= 1:
        reason = f"{SKILL_NAMES[skill]} is at level {level}; further study goes into a specialization"
        raise RulesSayNo(reason, rule="marchen.specialization.study")
    if level is None:
        return character.changed(skills=character.skills.put(skill, 0))
    moved = sum([change.value for change in character.changes if change.what == skill])
    again = -moved - mastered(character, skill)  # what a deity took away is learned anew
    changes = (
        (*character.changes, Change(what=skill, value=again, source="learned anew")) if moved else character.changes
    )
    return character.changed(skills=character.skills.put(skill, 1), changes=changes)


def study_specialization(
    character: MarchenCharacter, skill: SkillId, name: str, options: MarchenOptions, *, most: int | None = None
) -> MarchenCharacter:
    """One level more of a specialization; where it reaches level 4 its skill rises too."""
    if not 1 <= len(name.strip()) <= MOST_NAME:
        raise BadInput(f"a specialization has a name of 1 to {MOST_NAME} letters", field="specialization")
    known = character.specialization(skill, name)
    if known is None:
        level = character.level(skill)
        reason = f"a specialization needs {SKILL_NAMES[skill]} at level 1, it is {'none' if level is None else level}"
        raise RulesSayNo(reason, rule="marchen.specialization.unlock")
    highest = cap(options.mythic_levels) if most is None else most
    if known.level >= highest:
        raise RulesSayNo(f"{known.name} is at level {known.level}, the highest", rule="marchen.specialization.cap")
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


__all__ = [
    "study_skill",
    "study_specialization",
    "with_skill_at_zero",
    "with_specialization",
    "years_studied",
    "years_to_study",
]
