"""Activities as declarations, and what they require."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.play.actions import Action, ActionUse, Refusal, Requirement
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.chapters.life import COMPEL
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.status import chronicle, sanctuaries
from tablewright.systems.marchen.values import meant_by

Scale: TypeAlias = Literal["season", "month", "week"]
Perform: TypeAlias = Callable[[Game, str, str, str], Awaitable[None]]
"""Effect of an activity: its actor, its subject and its rule."""
Holds: TypeAlias = Callable[[Scene, str, str], "str | Refusal | None"]
Details: TypeAlias = "Callable[[Scene, str], Iterable[str]] | tuple[str, ...]"
"""Subjects of an activity, the same for all or those of a participant."""


class Activity(NamedTuple):
    """An activity of a season, a month or a week; ``asks`` for a subject in the player's own words."""

    id: str
    title: str
    rule: str
    group: str
    perform: Perform
    requires: tuple[Holds, ...]
    details: Details
    asks: str

    def action(self) -> Action:
        """The activity as an action, to be offered and refused like all others."""

        async def perform(game: Game, who: str, use: ActionUse) -> None:
            await self.perform(game, who, use.detail or "", self.rule)

        def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
            for detail in self.details(scene, who) if callable(self.details) else self.details:
                label = f"{self.title}: {detail}" if detail else self.title
                yield ActionUse(self.id, detail=detail or None, label=label)

        def of(holds: Holds) -> Callable[[Scene, str, ActionUse], str | Refusal | None]:
            return lambda scene, who, use: holds(scene, who, use.detail or "")

        requires = tuple([Requirement(self.rule, of(holds)) for holds in self.requires])
        return Action(self.id, self.title, (self.rule,), perform, requires, uses)


CATALOGUE: dict[Scale, list[Activity]] = {"season": [], "month": [], "week": []}


class Kind(NamedTuple):
    """A kind of activities: its length, its group, and the topic of its rules."""

    scale: Scale
    group: str
    topic: str

    def __call__(
        self, title: str, *requires: Holds, about: Details = ("",), asks: str = "", id_: str = "", rule: str = ""
    ) -> Callable[[Perform], Perform]:
        """Declare an activity above its effect, whose name is its id; the rule is that of its id, or ``rule``."""

        def declare(perform: Perform) -> Perform:
            name = id_ or getattr(perform, "__name__", "")
            cited = f"marchen.{self.topic}.{rule or name}"
            entry = Activity(name, title, cited, self.group, perform, requires, about, asks)
            CATALOGUE[self.scale].append(entry)
            return perform

        return declare


# ---------------------------------------------------------------------- where and when


def character_of(scene: Scene, who: str) -> MarchenCharacter:
    """The character of a participant."""
    found: MarchenCharacter = scene[who].character
    return found


def at_home(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement to be at home."""
    culture = chronicle(scene).culture
    return None if culture in ("", character_of(scene, who).culture) else f"{scene.display_name(who)} is not at home"


def having(feature: str) -> Holds:
    """The requirement that a place has something."""

    def holds(scene: Scene, who: str, detail: str) -> str | None:
        here = chronicle(scene)
        if not here.place or feature in here.features:
            return None
        return f"{here.place} has no {feature.replace('_', ' ')}"

    return holds


def needs_sanctuary(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that the place is a sanctuary."""
    here = chronicle(scene)
    return None if not here.place or in_sanctuary(scene) else f"{here.place} is not a sanctuary"


def in_sanctuary(scene: Scene) -> bool:
    """True if the company is in a place that is a sanctuary."""
    here = chronicle(scene)
    return bool(here.place) and here.place in sanctuaries(scene)


def named(scene: Scene, who: str, detail: str) -> str | None:
    """Require a name for the thing or person that it is about."""
    return None if detail.strip() else "say what or whom"


# ---------------------------------------------------------------------- what it is about


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
