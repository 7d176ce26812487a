"""Figures derived from a character, each as a tally."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from tablewright.engine import Rounding, Tally
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity
from tablewright.systems.marchen import values
from tablewright.systems.marchen.character.record import HAND, WORN, MarchenCharacter, Scored
from tablewright.systems.marchen.content import Armour, Arms, Quality, Weapon, find_item
from tablewright.systems.marchen.options import MarchenOptions, ScoreScale

THRESHOLD, LEAST_THRESHOLD, TIER_THRESHOLD = 12, 4, 4
MOVEMENT = 6
CEPHEUS_MOST = 9
PUSHED: dict[values.Aspect, values.Characteristic] = {  # marchen.ounces.endure
    "physical": "stamina",
    "mental": "acuity",
    "social": "identity",
    "spiritual": "mystery",
}


def modifier_of(score: int, scale: ScoreScale = "direct") -> int:
    """The modifier of a score: itself, or on the scale of 0 to 33 a third of it less 2, at most 9.

    >>> modifier_of(-3), modifier_of(7, "cepheus"), modifier_of(0, "cepheus"), modifier_of(33, "cepheus")
    (-3, 0, -2, 9)
    """
    return score if scale == "direct" else min(score // 3 - 2, CEPHEUS_MOST)  # marchen.characteristic.modifier


def scale_of(character: MarchenCharacter, options: MarchenOptions) -> ScoreScale:
    """The scale of a character's scores: the one they were made on, else the table's."""
    return character.scale or options.score_scale


def limits(character: MarchenCharacter, options: MarchenOptions) -> tuple[int, int]:
    """The lowest and the highest permanent score of a character."""
    if scale_of(character, options) == "cepheus":
        return 0, 33
    return (
        -values.HIGHEST,
        values.MYTHIC if options.mythic_levels else values.HIGHEST,
    )  # marchen.aspect.current_and_maximum


# ---------------------------------------------------------------------- scores


def score(character: MarchenCharacter, name: Scored, options: MarchenOptions) -> Tally:
    """The permanent score of an aspect or a characteristic: as made, and every permanent change, within the limits."""
    if scale_of(character, options) == "cepheus" and name in values.ASPECTS:
        three = values.CHARACTERISTICS_OF[name]
        tally = Tally.of("mean of three", 0, "marchen.gap.score.cepheus_aspect")
        tally = tally.add_all([(one, score(character, one, options).total, None) for one in three])
        tally = tally.scale(Fraction(1, 3), "a third", "marchen.gap.score.cepheus_aspect", Rounding.DOWN)
    else:
        rule = "marchen.aspect.list" if name in values.ASPECTS else "marchen.characteristic.modifier"
        tally = Tally.of(name, getattr(character.scores, name), rule)
    for change in character.changes:
        if change.what == name:
            tally = tally.add(change.source, change.value, "marchen.aspect.current_and_maximum")
    return tally.limit(*limits(character, options), "marchen.aspect.current_and_maximum")


def current(
    character: MarchenCharacter, aspect: values.Aspect, options: MarchenOptions, issues: Collection[str] = ()
) -> Tally:
    """The current score of an aspect, which checks use, with what raises it for a time (in one matter where named).

    Of what has one source and is for one matter the most counts.
    """
    tally = score(character, aspect, options)
    if aspect in character.current:
        difference = character.current[aspect] - tally.total
        tally = tally.add("now", difference, "marchen.aspect.current_and_maximum")
    best: dict[tuple[str, str], int] = {}
    for one in character.raises:
        if one.aspect == aspect and (not one.issue or one.issue in issues):
            key = one.source, one.issue
            best[key] = max(one.value, best.get(key, one.value))
    return tally.add_all([(source, value, "marchen.aspect.current_and_maximum") for (source, _), value in best.items()])


def score_modifier(
    character: MarchenCharacter, name: Scored, options: MarchenOptions, issues: Collection[str] = ()
) -> int:
    """The modifier of an aspect or a characteristic now."""
    scale = scale_of(character, options)
    if name in values.ASPECTS:
        return modifier_of(current(character, name, options, issues).total, scale)
    return modifier_of(score(character, name, options).total, scale)


# ---------------------------------------------------------------------- thresholds


def threshold(character: MarchenCharacter, aspect: values.Aspect, options: MarchenOptions) -> Tally:
    """Damage of an aspect that can be taken without facing the end."""
    scale, three = scale_of(character, options), values.CHARACTERISTICS_OF[aspect]
    if options.damage_model == "tiers":
        rule = "marchen.gap.damage.tiers"
        tally = Tally.of("tiers", TIER_THRESHOLD, rule)
        return tally.add(aspect, modifier_of(score(character, aspect, options).total, scale), rule).limit(1, None, rule)
    rule = "marchen.gap.threshold.size"
    if scale == "cepheus":
        tally = Tally.of("characteristics", 0, rule)
        tally = tally.add_all([(one, score(character, one, options).total, rule) for one in three])
        return tally.scale(Fraction(2, 3), "two thirds", rule, Rounding.UP).limit(LEAST_THRESHOLD, None, rule)
    tally = Tally.of("everybody", THRESHOLD, rule).add(aspect, score(character, aspect, options).total, rule)
    tally = tally.add_all([(one, score(character, one, options).total, rule) for one in three])
    return tally.limit(LEAST_THRESHOLD, None, rule)


def hurt_at(limit: int) -> int:
    """The damage from which one is hurt: half the threshold, rounded up."""
    return ceil(Fraction(limit, 2))  # marchen.gap.threshold.hurt


def worn_armour(belongings: Belongings, library: Library) -> tuple[Armour, ...]:
    """Armour that is worn, and a shield in hand."""
    found = []
    for carried in belongings:
        if carried.place in (WORN, HAND) and carried.left != 0:
            item = find_item(carried.item, library)
            if isinstance(item, Armour) and item.shield == (carried.place == HAND):
                found.append(item)
    return tuple(found)


QUALITY = "marchen.gap.quality.effects"


def qualities_of(character: MarchenCharacter, item: Arms) -> tuple[Quality, ...]:
    """The qualities of an item that count for a character: all banes, and the others once revealed."""
    if not item.qualities:
        return ()
    hidden = [one for one in item.qualities if not one.bane][character.revealed.get(item.id, 0) :]
    return tuple([one for one in item.qualities if one not in hidden])


def fitted(character: MarchenCharacter, item: str) -> tuple[int, int]:
    """The work of an artificer on an item: DM on checks with it, and damage."""
    return int(f"artificer {item} check" in character.done), int(f"artificer {item} damage" in character.done)


def handling(character: MarchenCharacter, weapon: Weapon, worn: int = 0) -> list[tuple[str, int, str | None]]:
    """The DM of a weapon itself on attacks: technology, fittings, fame, conditions."""
    parts: list[tuple[str, int, str | None]] = []
    if not weapon.natural:
        special = best_specialization(character, weapon)
        known = character.specialization(weapon.skill, special) if special else None
        own = character.home_tl if known is None else known.tl
        parts.append(("technology", values.tech_difference(own, weapon.tl), "marchen.tech.difference_dm"))
    parts.append(("made to measure", fitted(character, weapon.id)[0], "marchen.sojourn.artificer"))
    parts += [(one.name, one.check, QUALITY) for one in qualities_of(character, weapon)]
    parts.append((f"{weapon.name}: conditions", -worn, "marchen.resource.tracks"))
    return parts


def harder(character: MarchenCharacter, weapon: Weapon) -> int:
    """The bonus of a weapon itself on its damage."""
    return fitted(character, weapon.id)[1] + sum([one.damage for one in qualities_of(character, weapon)])


def armour(
    character: MarchenCharacter,
    aspect: values.Aspect,
    options: MarchenOptions,
    library: Library,
    belongings: Belongings | None = None,
) -> Tally:
    """Armour against damage of an aspect: worn or natural.

    Where damage goes by tiers it is the points of what is worn, which are used up.
    """
    rule = "marchen.gap.armour.natural"
    if aspect != "physical":
        if options.damage_model == "tiers":
            return Tally.of("points", 0, "marchen.gap.damage.tiers")
        own = modifier_of(score(character, PUSHED[aspect], options).total, scale_of(character, options))
        return Tally.of(PUSHED[aspect], max(0, own), rule)
    worn = worn_armour(character.belongings if belongings is None else belongings, library)
    if options.damage_model == "tiers":
        points = Tally.of("points", 0, "marchen.gap.damage.tiers")
        return points.add_all([(item.name, item.points, "marchen.gap.damage.tiers") for item in worn])
    tally = Tally.of("skin", character.hide, rule)
    for item in worn:
        tally = tally.add(item.name, item.rating, "marchen.gap.armour.list")
        tally = tally.add_all([(one.name, one.rating, QUALITY) for one in qualities_of(character, item)])
    return tally.limit(0, None, QUALITY)  # no bane makes armour worse than none


def muscle_bonus(character: MarchenCharacter, options: MarchenOptions) -> int:
    """The bonus of muscle on a blow or a throw, never below 0."""
    return max(0, score_modifier(character, "muscle", options))  # marchen.gap.damage.formula


def movement(character: MarchenCharacter) -> Tally:
    """Metres of a minor action of moving."""
    return Tally.of("everybody", MOVEMENT, "marchen.gap.movement.metres")


# ---------------------------------------------------------------------- weapons and levels


def damage_dice(weapon: Weapon, options: MarchenOptions) -> int:
    """D6 of damage of a weapon."""
    return options.cudgel_dice if weapon.id == "cudgel" else weapon.dice  # marchen.gap.weapon.cudgel


def damage_tier(weapon: Weapon, options: MarchenOptions) -> int:
    """The tier of a weapon's damage; a cudgel of fewer dice is of a lower tier (marchen.gap.weapon.cudgel)."""
    return weapon.tier - (weapon.dice - damage_dice(weapon, options))


def weapons(character: MarchenCharacter, library: Library, belongings: Belongings | None = None) -> tuple[Weapon, ...]:
    """Weapons at hand: held ones, natural ones and bare hands."""
    mine = character.belongings if belongings is None else belongings
    held = [find_item(one.item, library) for one in mine if one.place == HAND and one.left != 0]
    own = [library.get(Weapon, id_) for id_ in (*character.natural, "unarmed")]
    every = [*[item for item in held if isinstance(item, Weapon)], *own]
    return tuple({item.id: item for item in every}.values())


def best_specialization(character: MarchenCharacter, weapon: Weapon) -> str:
    """The name of the specialization that serves best with a weapon; empty where none does."""
    known = [(one.level, one.name) for one in character.specializations if one.skill == weapon.skill]
    serving = [name.casefold() for name in weapon.specializations]
    fitting = [(level, name) for level, name in known if name.casefold() in serving]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else ""


def mastered(character: MarchenCharacter, skill: values.SkillId) -> int:
    """Number of mastered specializations of a skill."""
    return len([one for one in character.specializations if one.skill == skill and one.level >= values.HIGHEST])


def skill_from_mastery(character: MarchenCharacter, skill: values.SkillId, options: MarchenOptions) -> int:
    """The level of a skill that was learned: 1, one more for each mastered specialization, up to the cap.

    What deities changed counts on top (marchen.specialization.master_bonus, marchen.mythic.apotheosis).
    """
    highest = values.cap(options.mythic_levels)
    moved = sum([change.value for change in character.changes if change.what == skill])
    return min(max(min(1 + mastered(character, skill), highest) + moved, 0), highest)


class Figures(NamedTuple):
    """The plain numbers of a character that fights ask for again and again."""

    modifiers: dict[Scored, int]
    thresholds: dict[values.Aspect, int]
    muscle: int
    movement: int


@cached_by_identity
def figures(character: MarchenCharacter, options: MarchenOptions) -> Figures:
    """The plain numbers of a character under a table's options, remembered by these very objects."""
    names: tuple[Scored, ...] = (*values.ASPECTS, *values.CHARACTERISTICS)
    return Figures(
        {name: score_modifier(character, name, options) for name in names},
        {aspect: threshold(character, aspect, options).total for aspect in values.ASPECTS},
        muscle_bonus(character, options),
        movement(character).total,
    )
