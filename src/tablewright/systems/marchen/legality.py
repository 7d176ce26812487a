"""Legality of a character: every violation with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
    duplicates,
    forbidden,
    out_of_range,
    overspent,
    too_low,
    unknown_ids,
    unless,
)
from tablewright.game.content.library import Library
from tablewright.systems.marchen.character import costs, scores
from tablewright.systems.marchen.character.costs import TERM_YEARS, years_studied, years_to_study
from tablewright.systems.marchen.character.figures import limits, scale_of, score, skill_from_mastery
from tablewright.systems.marchen.character.gear import HANDS, MOST_HANDS, hands_taken, suits_worn
from tablewright.systems.marchen.character.record import SOUND, MarchenCharacter
from tablewright.systems.marchen.content import Armour, Career, Gear, Weapon
from tablewright.systems.marchen.creation import MOST_SPECIALIZED, MOST_TERMS, START_AGE, TERM
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import SCORES, SKILLS, cap, years_to

CAREERS = "marchen.gap.career.terms"


def legality(character: MarchenCharacter, options: MarchenOptions, library: Library) -> Legality:
    """Violations of the rules by a character (marchen.gap.character.legal)."""
    every = Legality.of(
        _scores(character, options),
        _skills(character, options),
        _specializations(character, options),
        _belongings(character, library),
        _life(character),
    )
    if character.is_creature:
        return every
    return Legality.of(every.violations, _made(character, options, library))


def _scores(character: MarchenCharacter, options: MarchenOptions) -> Iterator[Violation]:
    (low, high), scale = limits(character, options), scale_of(character, options)
    for name in SCORES:
        if scale == "direct" or name not in ("physical", "mental", "social", "spiritual"):
            rule = "marchen.gap.score.cepheus" if scale == "cepheus" else "marchen.gap.score.direct"
            total = score(character, name, options)
            reached = total.base + sum([part.changed for part in total.parts if part.kind != "limit"])
            yield from out_of_range(f"scores.{name}", reached, low, high, rule=rule)


def _skills(character: MarchenCharacter, options: MarchenOptions) -> Iterator[Violation]:
    yield from unknown_ids("skills", character.skills, SKILLS, rule="marchen.skill.tree")
    highest = cap(options.mythic_levels)
    for skill, level in character.skills.items():
        if skill not in SKILLS:
            continue
        yield from out_of_range(f"skills.{skill}", level, 0, highest, rule="marchen.skill.cap")
        expected = skill_from_mastery(character, skill, options)
        if 1 <= level <= highest and level != expected:
            message = f"{level} is not 1 and one for each mastered specialization, which is {expected}"
            yield from forbidden(f"skills.{skill}", message, rule="marchen.specialization.master_bonus")


def _specializations(character: MarchenCharacter, options: MarchenOptions) -> Iterator[Violation]:
    highest = cap(options.mythic_levels)
    names = [f"{one.skill}/{one.name.casefold()}" for one in character.specializations]
    yield from duplicates("specializations", names, rule="marchen.skill.specialization_scope")
    for one in character.specializations:
        where = f"specializations.{one.skill}/{one.name}"
        yield from out_of_range(where, one.level, 1, highest, rule="marchen.specialization.cap")
        has = character.skills.get(one.skill, -1)
        yield from too_low(where, one.skill, has, 1, by=one.name, rule="marchen.specialization.unlock")


def _made(character: MarchenCharacter, options: MarchenOptions, library: Library) -> Iterator[Violation]:
    """Violations of the steps of creation; creatures are exempt."""
    yield from scores.problems(character, options)
    later = [one for one in character.advances if one.what in ("skill", "specialization")]
    studied = years_studied(character) - years_to(0) * len(later)
    yield from overspent("years of study", studied, years_to_study(character.age), rule=TERM_YEARS)
    terms = sum([one.terms for one in character.careers])
    yield from unknown_ids("careers", [one.career for one in character.careers], library.ids(Career), rule=CAREERS)
    yield from duplicates("careers", [one.career for one in character.careers], rule=CAREERS)
    yield from out_of_range("careers", terms, 0, MOST_TERMS, rule=CAREERS)
    yield from out_of_range("age", character.age, START_AGE + TERM * terms, None, rule=CAREERS)
    for served in character.careers:
        where = f"careers.{served.career}"
        yield from out_of_range(f"{where}.rank", served.rank, 0, served.terms, rule="marchen.gap.career.check")
    learned = {(one.skill, one.name.casefold()) for one in later if one.what == "specialization"}
    for special in character.specializations:
        if (special.skill, special.name.casefold()) not in learned:
            where = f"specializations.{special.skill}/{special.name}"
            yield from out_of_range(where, special.level, None, MOST_SPECIALIZED, rule="marchen.gap.career.study")
    yield from overspent("experience", character.spent, character.experience, rule=costs.COSTS)
    yield from costs.problems(character, options)


def _life(character: MarchenCharacter) -> Iterator[Violation]:
    has_heir = not character.retired or bool(character.heir)
    yield from unless(has_heir, "retired", "nobody retires without an heir", rule="marchen.season.epilogue")
    for aspect, amount in character.wounds.damage.items():
        yield from out_of_range(f"wounds.damage.{aspect}", amount, 0, None, rule="marchen.resource.tracks")


def _belongings(character: MarchenCharacter, library: Library) -> Found:
    mine = character.belongings
    rule = "marchen.gap.belongings.market"
    found = unknown_ids("belongings", [one.item for one in mine], library.ids(Weapon, Armour, Gear), rule=rule)
    found += unknown_ids("natural", character.natural, library.ids(Weapon), rule="marchen.gap.weapon.list")
    taken, suits = hands_taken(mine, library), suits_worn(mine, library)
    found += unless(taken <= MOST_HANDS, "belongings", f"{taken} hands are full, there are {MOST_HANDS}", rule=HANDS)
    found += unless(suits <= 1, "belongings", f"{suits} suits of armour are worn at once", rule=HANDS)
    for one in mine:
        if one.left is not None:
            found += out_of_range(f"belongings.{one.item}", one.left, 0, SOUND, rule="marchen.ounces.withstand_damage")
    return found
