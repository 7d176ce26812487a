"""Requirements of activities."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.chapters.life import COMPEL
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.status import chronicle
from tablewright.systems.marchen.values import meant_by

EVENTS = ("Athletics", "Hunting", "Bows", "Axe")
"""Contests on the Field of Heroes (marchen.month.field_of_heroes)."""

MATCHES = ("Athletics", "Sword", "Spear")
"""Means of sparring (marchen.month.sparring)."""

ARTS = ("performance", "engineering", "Song", "Craft")
"""Cures of corruption, by id and as the book calls it (marchen.recover.heal_corruption)."""

ROLES = ("patron", "sage", "person of renown")
"""Fates of those who retire (marchen.season.epilogue)."""


class OneOf:
    """The requirement that it is one of the ways that a rule names; nothing said is the usual one, if there is one."""

    def __init__(self, *ways: str, usual: bool = True) -> None:
        self.ways, self._usual = ways, usual

    def __call__(self, scene: Scene, who: str, detail: str) -> str | None:
        """Reason why a detail is none of the ways; None if it is one."""
        fits = any(detail.strip().casefold() == way.casefold() for way in self.ways)
        if fits or (self._usual and not detail.strip()):
            return None
        return f"{detail or 'nothing'} is none of {', '.join(self.ways)}"


def by_words(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that a connection is compelled in one of the ways there are."""
    skill = detail.partition("/")[2]
    return None if skill in ("", *COMPEL) else f"{skill} is none of {', '.join(COMPEL)}"


def by_a_check(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that a bond is tested by something that can be checked."""
    return no_check(detail.partition("/")[2])


def no_check(name: str) -> str | None:
    """Reason why a name is no check; None if it is one or empty."""
    if not name:
        return None
    try:
        meant_by(name)
    except InvalidInputError as error:
        return error.message
    return None


def prepares(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that preparations are made by something that can be checked."""
    return no_check(detail)


def abroad(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement to be a foreigner here, without a title."""
    character: MarchenCharacter = scene[who].character
    here = chronicle(scene)
    culture = here.culture or detail.strip()
    if culture == character.culture or (here.place and not here.culture):
        return f"{scene.display_name(who)} is at home and needs no title"
    if not culture:
        return "say whose court it is"
    return f"{culture} has given a title already" if culture in character.titles else None


def one_of(own: Iterable[str], meant: str, none: str, *, owns: str = "there are") -> str | None:
    """Reason why a name is none of a character's things, with the nearest match; None if it is one."""
    has = list(dict.fromkeys(own))
    if meant in has:
        return None
    if not has:
        return f"{none} {meant}".rstrip(" :")
    listed = ", ".join(has)
    return f"{none} {meant}; {owns} {listed}{did_you_mean(meant, has)}" if meant else f"say which: {listed}"


def exchangeable(character: MarchenCharacter) -> list[str]:
    """The traits that may be replaced: scars are there for good."""
    scars = [one.name for one in character.wounds.conditions if one.permanent]
    return [one for one in character.traits if one not in scars]


def new_trait(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that it is a new trait, in place of one that can be given up where one is named."""
    old, arrow, new = [word.strip() for word in detail.rpartition(">")]
    character: MarchenCharacter = scene[who].character
    if not new:
        return "say which trait"
    if arrow and old not in exchangeable(character):
        return f"{old or 'nothing'} is not a trait that {scene.display_name(who)} could give up"
    return f"{new} is a trait of {scene.display_name(who)} already" if new in character.traits else None
