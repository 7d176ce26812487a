"""What helps and hinders a check besides one's own nature: harm, circumstances, things in use, traits, boons."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from tablewright.errors import RulesSayNo
from tablewright.game.belongings import Carried
from tablewright.game.checks import Subject
from tablewright.systems.marchen.character.figures import QUALITY, fitted, hurt_at, qualities_of, threshold
from tablewright.systems.marchen.character.record import SOUND, Boon, MarchenCharacter
from tablewright.systems.marchen.content import Gear, Trait, find_item
from tablewright.systems.marchen.values import (
    ASPECT_OF,
    ASPECTS,
    CHARACTERISTICS,
    SKILL_ASPECT,
    SKILL_NAMES,
    Aspect,
)

TRAIT, CIRCUMSTANCE, TRACKS = "marchen.gap.trait.use", "marchen.modifier.circumstance", "marchen.resource.tracks"
BENEFIT, MATTER = "marchen.sojourn.patrol_wild", "marchen.week.secure_advantage"
REACTION_DM = -1

Parts = list[tuple[str, int, str | None]]


class Standing(NamedTuple):
    """What weighs on somebody now, in a scene or outside of one."""

    damage: Mapping[str, int]
    conditions: tuple[Any, ...]
    weight: Mapping[str, int]
    belongings: tuple[Carried, ...]


def standing(subject: Subject) -> Standing:
    """What weighs on somebody now."""
    character: MarchenCharacter = subject.character
    kept, status = character.wounds, subject.status
    return Standing(
        getattr(status, "damage", kept.damage),
        getattr(status, "conditions", kept.conditions),
        getattr(status, "weight", kept.weight),
        getattr(status, "belongings", character.belongings),
    )


def burdens(subject: Subject, aspect: Aspect) -> Parts:
    """What harm does to checks of an aspect: being hurt, conditions, and what stays from facing the end."""
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
    """Whether a thing in use is a help, what was made of it, and what its conditions cost."""
    if not item:
        return 0, []
    mine = [one for one in standing(subject).belongings if one.item == item]
    if not mine:
        raise RulesSayNo(f"{subject.character.name} has no {item}", rule=CIRCUMSTANCE)
    found = find_item(item, subject.library)
    worn = SOUND - (SOUND if mine[0].left is None else mine[0].left)
    helps = int(isinstance(found, Gear) and what in found.helps)
    parts: Parts = [(f"{found.name if found else item}: conditions", -worn, TRACKS)]
    parts.append(("made to measure", fitted(subject.character, item)[0], "marchen.sojourn.artificer"))
    if found is not None:
        parts += [(one.name, one.check, QUALITY) for one in qualities_of(subject.character, found)]
    return helps, parts


def speaks_for(subject: Subject, what: str, name: str) -> int:
    """Whether a trait or a virtue is a help: it must be one's own, and fit where the content says what it is for."""
    if not name:
        return 0
    character: MarchenCharacter = subject.character
    own = next((one for one in (*character.traits, *character.virtues) if one.casefold() == name.casefold()), None)
    if own is None:
        raise RulesSayNo(f"{character.name} has no trait and no virtue {name}", rule=TRAIT)
    for known in subject.library.of(Trait):
        if known.name == own and (
            (known.skills and what not in known.skills) or known.aspect not in (None, aspect_of(what))
        ):
            raise RulesSayNo(f"{own} is no help with {what}", rule=TRAIT)
    return 1


def aspect_of(what: str) -> Aspect:
    """The aspect of a check, by the id of what is checked."""
    if what in ASPECTS:
        return what
    if what in CHARACTERISTICS:
        return ASPECT_OF[what]
    return SKILL_ASPECT[what]  # type: ignore[index]


# ---------------------------------------------------------------------- boons, and what waits for the next check


def boon_named(subject: Subject, what: str, name: str, matter: str) -> Boon | None:
    """A boon of one's own that is meant by a name; refused where there is none, or where it is no help."""
    if not name:
        return None
    character: MarchenCharacter = subject.character
    for boon in character.boons:
        if boon.name.casefold() == name.casefold():
            unfit = (boon.skills and what not in boon.skills) or boon.aspect not in (None, aspect_of(what))
            if unfit or (boon.matter and boon not in boons_in(character, what, matter)):
                raise RulesSayNo(f"{boon.name} is no help with {what}", rule=BENEFIT)
            return boon
    raise RulesSayNo(f"{character.name} has no boon {name}", rule=BENEFIT)


def boons_in(character: MarchenCharacter, what: str, matter: str) -> tuple[Boon, ...]:
    """The boons that count by themselves, for better or worse: those of the matter that a check is in."""
    if not character.boons:
        return ()
    own = SKILL_NAMES.get(what, what)  # type: ignore[call-overload]
    here = (matter.strip().casefold(), own.casefold())
    return tuple([boon for boon in character.boons if boon.matter and boon.matter.casefold() in here])


class Helped(NamedTuple):
    """What waits for a check: reasons of help, further DMs, and the boons that it uses up."""

    reasons: int
    parts: Parts
    boons: tuple[str, ...] = ()


def waiting(status: Any) -> Helped:
    """What somebody and others did just before: reactions, and DMs on the next check; songs are reasons of help."""
    reacted = REACTION_DM * getattr(status, "reactions", 0)
    parts: Parts = [("reactions", reacted, "marchen.gap.fight.reactions")] if reacted else []
    nexts = getattr(status, "nexts", ())
    parts += [(one.name, one.dm, "marchen.ounces.secure_advantage") for one in nexts if not one.circumstance]
    return Helped(len([one for one in nexts if one.circumstance]), parts)


def helped(subject: Subject, what: str, boon: str = "", matter: str = "") -> Helped:
    """The same with boons: the one that is named, and those of the matter."""
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
