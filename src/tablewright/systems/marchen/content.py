"""Kinds of content in a pack, as typed data from closed sets."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import model_validator

from tablewright.game.character.character import Field, Frozen, FrozenModel
from tablewright.game.content.entries import ContentEntry, ForPeople, wrong
from tablewright.game.content.library import Library
from tablewright.systems.marchen.mechanics.dice import DIFFICULTIES, Difficulty
from tablewright.systems.marchen.values import (
    CHARACTERISTIC_OF,
    SKILL_ASPECT,
    SPIRITUAL,
    Aspect,
    Band,
    Characteristic,
    SkillId,
)

Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=60)]
Text: TypeAlias = Annotated[str, Field(max_length=400), ForPeople()]
Tl: TypeAlias = Annotated[int, Field(ge=0, le=33)]
Price: TypeAlias = Annotated[int, Field(ge=0, le=1_000)]


class Skill(ContentEntry):
    """One of the 36 skills: its purpose, the specializations of the book, and its sample tasks.

    ``suggested`` are further names for a specialization where the book lists none; any other name will do as well.
    ``about`` and ``archetypes`` are text for people.
    """

    about: Text
    aspect: Aspect
    characteristic: Characteristic
    specializations: tuple[Word, ...] = ()
    suggested: tuple[Word, ...] = ()
    requires: Text = ""
    archetypes: Annotated[tuple[Word, ...], ForPeople()] = ()
    tasks: Frozen[tuple[Text, ...]] = Frozen()
    ruling: Text = ""

    @model_validator(mode="after")
    def _is_of_the_book(self) -> Skill:
        if self.id not in SKILL_ASPECT:
            raise wrong(f'"{self.id}" is none of the 36 skills')
        if (self.aspect, self.characteristic) != (SKILL_ASPECT[self.id], CHARACTERISTIC_OF[self.id]):
            book = f"{SKILL_ASPECT[self.id]} and {CHARACTERISTIC_OF[self.id]}"
            raise wrong(f"{self.id} belongs to {book}, not to {self.aspect} and {self.characteristic}")
        for difficulty in self.tasks:
            if difficulty not in DIFFICULTIES:
                raise wrong(f'"{difficulty}" is not a difficulty; allowed are {", ".join(DIFFICULTIES)}')
        return self

    @property
    def named(self) -> tuple[str, ...]:
        """Every name of a specialization that the content knows."""
        return tuple(dict.fromkeys([*self.specializations, *self.suggested]))


class Career(ContentEntry):
    """A career: its key skill, its skills, and the connections made in it (marchen.gap.career.list).

    Where ``spiritual`` is set, so many spiritual skills are chosen, the first of which is the key; of ``one_of`` one is
    chosen as well.
    """

    key: SkillId | None = None
    skills: tuple[SkillId, ...] = ()
    spiritual: int = Field(default=0, ge=0, le=9)
    one_of: tuple[SkillId, ...] = ()
    connections: Annotated[tuple[Word, ...], ForPeople()] = ()

    @property
    def aspect(self) -> Aspect:
        """The aspect of its key skill."""
        return SKILL_ASPECT[self.key or SPIRITUAL[0]]


class Quality(FrozenModel):
    """Quality of a famous item: a DM on checks with it, on its damage, or on its armour.

    A bane always counts, everything else once it was revealed (marchen.gap.quality.effects).
    """

    name: Word
    bane: bool = False
    check: int = Field(default=0, ge=-3, le=3)
    damage: int = Field(default=0, ge=-3, le=3)
    rating: int = Field(default=0, ge=-3, le=3)


class Arms(ContentEntry):
    """Common fields of weapons, armour and gear; an item without a price is not for sale."""

    tl: Tl = 0
    price: Price | None = None
    two_handed: bool = False
    qualities: tuple[Quality, ...] = ()


class Weapon(Arms):
    """A weapon: dice of damage, how far it goes, the skill, and the specializations that fit it.

    ``reach`` is by how many metres it goes beyond touch; ``thrown`` how far it goes when it is thrown. ``tier`` is what
    a hit does where damage goes by tiers. A ``natural`` one is part of a body.
    """

    dice: int = Field(ge=0, le=12)
    band: Band
    skill: SkillId
    reach: int = Field(default=0, ge=0, le=10)
    thrown: Band | None = None
    specializations: tuple[Word, ...] = ()
    reload: bool = False
    natural: bool = False
    tier: Literal[1, 2, 3, 5] = 1


class Armour(Arms):
    """Armour: its rating, and what a shield adds to a parry. ``points`` are used up where damage goes by tiers."""

    rating: int = Field(ge=0, le=30)
    parry: int = Field(default=0, ge=0, le=5)
    shield: bool = False
    points: Literal[1, 2, 3, 5] = 1


class Gear(Arms):
    """Gear; tools count as one reason of help for the skills they are made for."""

    about: Text = ""
    helps: tuple[SkillId, ...] = ()


class Assault(ContentEntry):
    """An attack on another aspect than the body: its skills and dice."""

    aspect: Aspect
    dice: int = Field(ge=1, le=6)
    skills: tuple[SkillId, ...]
    tier: Literal[1, 2, 3, 5]


class Depth(ContentEntry):
    """A depth of spiritual deeds: the level it needs, its difficulty, duration and price."""

    depth: int = Field(ge=1, le=4)
    difficulty: Difficulty
    time: Literal["significant", "puncti", "watch"]
    cost: int = Field(ge=0, le=4)


class Trait(ContentEntry):
    """A trait that helps with some checks."""

    skills: tuple[SkillId, ...] = ()
    aspect: Aspect | None = None
    about: Text = ""


class ConditionKind(ContentEntry):
    """A condition: a named hindrance on all checks of its aspect."""

    aspect: Aspect
    about: Text = ""


class Technology(ContentEntry):
    """A technology level with its names and hallmark, which are text for people (marchen.tech.table)."""

    tl: Annotated[Tl, ForPeople()]
    code: Annotated[Word, ForPeople()]
    descriptor: Annotated[Word, ForPeople()]
    analogue: Annotated[Word | None, ForPeople()] = None
    year: Annotated[int | None, ForPeople()] = None
    hallmark: Text


class Person(ContentEntry):
    """A template for a whole character."""

    about: Text = ""
    character: Frozen[Any]


class Creature(ContentEntry):
    """A creature or an opponent."""

    about: Text = ""
    character: Frozen[Any]


KINDS: dict[str, type[ContentEntry]] = {
    "skills": Skill,
    "careers": Career,
    "weapons": Weapon,
    "armour": Armour,
    "gear": Gear,
    "assaults": Assault,
    "depths": Depth,
    "traits": Trait,
    "conditions": ConditionKind,
    "technology": Technology,
    "templates": Person,
    "creatures": Creature,
}
PEOPLE = ("templates", "creatures")
Item: TypeAlias = Weapon | Armour | Gear


def find_item(id_: str, library: Library) -> Item | None:
    """A weapon, a piece of armour or gear by its id; None where the content has no such thing."""
    if library.has(Weapon, id_):
        return library.get(Weapon, id_)
    if library.has(Armour, id_):
        return library.get(Armour, id_)
    return library.get(Gear, id_) if library.has(Gear, id_) else None


def item_of(id_: str, library: Library) -> Item:
    """An item by its id; an unknown one is refused."""
    return find_item(id_, library) or library.get(Gear, id_)
