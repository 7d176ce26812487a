"""Modifiers of a check from the character, its circumstances and its gear."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean, refuse_if
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.checks import Subject
from tablewright.game.scene.caching import cached_by_identity
from tablewright.systems.marchen import values
from tablewright.systems.marchen.character.figures import (
    QUALITY,
    fitted,
    hurt_at,
    qualities_of,
    score_modifier,
    threshold,
)
from tablewright.systems.marchen.character.record import SOUND, Boon, MarchenCharacter, Scored
from tablewright.systems.marchen.content import Gear, Trait, find_item
from tablewright.systems.marchen.mechanics.checks import RivalTable, Table
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import society

UNTRAINED = -3
"""marchen.check.untrained_penalty"""

ASPECT, CHARACTERISTIC, SKILL = "marchen.check.aspect", "marchen.check.characteristic", "marchen.check.skill"


def skill_parts(
    character: MarchenCharacter, skill: values.SkillId, specialization: str, options: MarchenOptions
) -> list[tuple[str, int, str | None]]:
    """Parts of a tally from skill and specialization, or the untrained penalty.

    Level 0 adds nothing and has no penalty (marchen.check.level_zero, marchen.skill.level_zero_bonus).
    """
    level = character.level(skill)
    if level is None:  # marchen.check.untrained_attempts: anyone may try
        return [("untrained", UNTRAINED, "marchen.check.untrained_penalty")]
    special = character.specialization(skill, specialization) if specialization else None
    parts: list[tuple[str, int, str | None]] = [(values.SKILL_NAMES[skill], level, "marchen.skill.bonus")]
    if special is not None:
        rule = "marchen.check.specialization"
        if options.check_stack == "all":
            parts.append((special.name, special.level, rule))
        elif special.level > level:
            parts = [(special.name, special.level, rule)]
    return parts


def scored(
    character: MarchenCharacter, name: Scored, options: MarchenOptions, issues: Collection[str]
) -> tuple[str, int, str | None]:
    """The part of an aspect or a characteristic, with its rule."""
    called = values.ASPECT_NAMES[options.aspect_names].get(name, name).lower()  # type: ignore[arg-type]
    return called, score_modifier(character, name, options, issues), score_rule(name)


def score_rule(name: Scored) -> str:
    """The rule by which an aspect or a characteristic adds to a check."""
    return "marchen.aspect.current_and_maximum" if name in values.ASPECTS else "marchen.characteristic.modifier"


def modifier_tally(
    subject: Subject,
    what: str,
    *,
    specialization: str = "",
    with_aspect: values.Aspect | None = None,
    with_characteristic: values.Characteristic | None = None,
    issue: str = "",
) -> Tally:
    """The tally of a character's own modifiers on a check of an aspect, a characteristic or a skill.

    What raises an aspect in one matter counts in it, and what raises it in one society while one is there.
    """
    character: MarchenCharacter = subject.character
    options: MarchenOptions = subject.options
    issues = (issue,) if subject.scene is None else (issue, society(subject.scene))
    if what in values.ASPECTS:
        aspect: values.Aspect = what
        parts = [scored(character, aspect, options, issues)]
        rule = ASPECT
    elif what in values.CHARACTERISTICS:
        aspect = values.ASPECT_OF[what]
        parts = [scored(character, what, options, issues)]
        if options.characteristic_check_adds_aspect:
            parts.append(scored(character, aspect, options, issues))
        rule = CHARACTERISTIC
    else:
        if what not in values.SKILL_ASPECT:
            raise InvalidInputError(
                f'there is no skill "{what:.40}"{did_you_mean(what, values.SKILLS)}', rule="marchen.skill.tree"
            )
        skill: values.SkillId = what
        characteristic = with_characteristic or values.CHARACTERISTIC_OF[skill]
        aspect = with_aspect or values.ASPECT_OF[values.CHARACTERISTIC_OF[skill]]
        parts = [scored(character, aspect, options, issues), scored(character, characteristic, options, issues)]
        parts += skill_parts(character, skill, specialization, options)
        rule = SKILL
    called = parts[0][0] if what in values.ASPECTS else what.replace("_", " ")
    return Tally.of(called, 0, rule).add_all([*parts, *burdens(subject, aspect)])


@cached_by_identity
def table_of(options: MarchenOptions) -> Table:
    """The options of a table that all checks share."""
    return Table(
        options.target_rule,
        options.d20_scale,
        options.trivial,
        options.exceptional_rule,
        options.two_d6_extremes,
        options.degree_method,
    )


@cached_by_identity
def rival_table_of(options: MarchenOptions) -> RivalTable:
    """The options of a table that opposed checks read."""
    return RivalTable(options.target_rule, options.d20_scale, options.opposed_tie)


TRAIT, CIRCUMSTANCE, TRACKS = "marchen.gap.trait.use", "marchen.modifier.circumstance", "marchen.resource.tracks"
BENEFIT, MATTER = "marchen.sojourn.patrol_wild", "marchen.week.secure_advantage"
REACTION_DM = -1

Parts = list[tuple[str, int, str | None]]


class Standing(NamedTuple):
    """Hindrances of a character now, in a scene or outside of one."""

    damage: Mapping[str, int]
    conditions: tuple[Any, ...]
    weight: Mapping[str, int]
    belongings: tuple[ItemStack, ...]


def standing(subject: Subject) -> Standing:
    """Hindrances of a character now."""
    character: MarchenCharacter = subject.character
    kept, status = character.wounds, subject.status
    return Standing(
        getattr(status, "damage", kept.damage),
        getattr(status, "conditions", kept.conditions),
        getattr(status, "weight", kept.weight),
        getattr(status, "belongings", character.belongings),
    )


def burdens(subject: Subject, aspect: values.Aspect) -> Parts:
    """Parts of a tally from harm to an aspect: being hurt, conditions, and the weight of facing the end."""
    here, options = standing(subject), subject.options
    parts: Parts = []
    damage = here.damage.get(aspect, 0)
    if damage and damage >= hurt_at(threshold(subject.character, aspect, options).total):
        parts.append(("hurt", -1, "marchen.gap.threshold.hurt"))
    parts += [(one.name, -1, TRACKS) for one in here.conditions if one.aspect == aspect]
    parts += [
        (f"{name} beyond the threshold", -value, "marchen.gap.face.outcomes") for name, value in here.weight.items()
    ]
    return parts


def circumstance(helps: int, hampers: int, stack: bool) -> int:
    """The DM of help and hindrance: each counts once, unless every reason counts.

    >>> circumstance(3, 0, False), circumstance(2, 1, False), circumstance(3, 1, True)
    (1, 0, 2)
    """
    return helps - hampers if stack else (helps > 0) - (hampers > 0)  # marchen.modifier.circumstance


def tools_used(subject: Subject, what: str, item: str) -> tuple[int, Parts]:
    """True if a thing in use is a help, what was made of it, and what its conditions cost."""
    if not item:
        return 0, []
    mine = [one for one in standing(subject).belongings if one.item == item]
    refuse_if(not mine, f"{subject.character.name} has no {item}", rule=CIRCUMSTANCE)
    found = find_item(item, subject.library)
    worn = SOUND - (SOUND if mine[0].left is None else mine[0].left)
    helps = int(isinstance(found, Gear) and what in found.helps)
    parts: Parts = [(f"{found.name if found else item}: conditions", -worn, TRACKS)]
    parts.append(("made to measure", fitted(subject.character, item)[0], "marchen.sojourn.artificer"))
    if found is not None:
        parts += [(one.name, one.check, QUALITY) for one in qualities_of(subject.character, found)]
    return helps, parts


def speaks_for(subject: Subject, what: str, name: str) -> int:
    """True if a trait or virtue helps: the character has it, and it fits if the content says what it is for."""
    if not name:
        return 0
    character: MarchenCharacter = subject.character
    own = next((one for one in (*character.traits, *character.virtues) if one.casefold() == name.casefold()), None)
    if own is None:
        raise IllegalActionError(f"{character.name} has no trait and no virtue {name}", rule=TRAIT)
    for known in subject.library.of(Trait):
        if known.name == own and (
            (known.skills and what not in known.skills) or known.aspect not in (None, aspect_of(what))
        ):
            raise IllegalActionError(f"{own} is no help with {what}", rule=TRAIT)
    return 1


def aspect_of(what: str) -> values.Aspect:
    """The aspect of a check, by the id of what is checked."""
    if what in values.ASPECTS:
        return what
    if what in values.CHARACTERISTICS:
        return values.ASPECT_OF[what]
    return values.SKILL_ASPECT[what]  # type: ignore[index]


# ---------------------------------------------------------------------- boons, and what waits for the next check


def boon_named(subject: Subject, what: str, name: str, matter: str) -> Boon | None:
    """The character's boon by a name; refused if there is none, or if it is no help."""
    if not name:
        return None
    character: MarchenCharacter = subject.character
    for boon in character.boons:
        if boon.name.casefold() == name.casefold():
            unfit = (boon.skills and what not in boon.skills) or boon.aspect not in (None, aspect_of(what))
            if unfit or (boon.matter and boon not in boons_in(character, what, matter)):
                raise IllegalActionError(f"{boon.name} is no help with {what}", rule=BENEFIT)
            return boon
    raise IllegalActionError(f"{character.name} has no boon {name}", rule=BENEFIT)


def boons_in(character: MarchenCharacter, what: str, matter: str) -> tuple[Boon, ...]:
    """The boons that count by themselves, for better or worse: those of the matter that a check is in."""
    if not character.boons:
        return ()
    own = values.SKILL_NAMES.get(what, what)  # type: ignore[call-overload]
    here = (matter.strip().casefold(), own.casefold())
    return tuple([boon for boon in character.boons if boon.matter and boon.matter.casefold() in here])


class Helped(NamedTuple):
    """Helps for a check: reasons of help, further DMs, and the boons that it uses up."""

    reasons: int
    parts: Parts
    boons: tuple[str, ...] = ()


def waiting(status: Any) -> Helped:
    """Parts of a tally from recent acts: reactions, and DMs on the next check; songs are reasons of help."""
    reacted = REACTION_DM * getattr(status, "reactions", 0)
    parts: Parts = [("reactions", reacted, "marchen.gap.fight.reactions")] if reacted else []
    nexts = getattr(status, "nexts", ())
    parts += [(one.name, one.dm, "marchen.ounces.secure_advantage") for one in nexts if not one.circumstance]
    return Helped(len([one for one in nexts if one.circumstance]), parts)


def helped(subject: Subject, what: str, boon: str = "", matter: str = "") -> Helped:
    """The waiting helps with boons: the one that is named, and those of the matter."""
    reasons, parts, _ = waiting(subject.character.wounds if subject.status is None else subject.status)
    named, found = boon_named(subject, what, boon, matter), boons_in(subject.character, what, matter)
    if named is not None and named not in found:
        found = (*found, named)
    parts += [(one.name, one.dm, MATTER if one.matter else BENEFIT) for one in found if not one.circumstance]
    reasons += len([one for one in found if one.circumstance])
    return Helped(reasons, parts, tuple([one.name for one in found]))


def used_up(character: MarchenCharacter, names: Collection[str]) -> MarchenCharacter:
    """A character who has used some boons once."""
    left = []
    for boon in character.boons:
        if boon.name not in names:
            left.append(boon)
        elif boon.uses > 1:
            left.append(boon.changed(uses=boon.uses - 1))
    return character.changed(boons=tuple(left))
