"""Kinds of content in a pack, as typed data from closed sets.

What races, traits, classes, powers and potions give are `grants`; what a power does when it is used are its `effects`.
Each of these is one of the classes below. A skill with fields is named with its field wherever skills are named:
`knowledge:theology`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import Field

from tablewright.game.content.entries import ContentEntry, EntryPart, ForPeople, Kinds, Refers
from tablewright.game.values import Frozen
from tablewright.systems.renaissance.effects import DamageText, FormulaText, Grant, Number, PowerEffect, Tag, WeaponId

Aptitude: TypeAlias = Literal["COG", "COO", "INT", "REF", "SAV", "SOM", "WIL"]
Size: TypeAlias = Literal["small", "medium", "large"]
Sense: TypeAlias = Literal["low_light", "infrared", "scent", "blind_sight", "motion_sense"]
Category: TypeAlias = Literal[
    "active",
    "passive",
    "attack",
    "combat",
    "exotic",
    "knowledge",
    "melee_attack",
    "mental",
    "movement",
    "physical",
    "ranged_attack",
    "social",
    "technical",
    "trade",
]
LanguageGroup: TypeAlias = Literal["HHED", "GR", "DDK", "common"]
PowerKind: TypeAlias = Literal["spell", "sleight", "maneuver", "boon"]
ActionKind: TypeAlias = Literal["standard", "quick", "task", "sustained", "none"]
PriceLevel: TypeAlias = Literal["minor", "moderate", "major"]

APTITUDES: tuple[Aptitude, ...] = get_args(Aptitude)
CATEGORIES: tuple[Category, ...] = get_args(Category)
SIZES: tuple[Size, ...] = get_args(Size)
FRAY, UNARMED, MARTIAL = "fray", "unarmed_combat", "martial"

SkillId: TypeAlias = Annotated[str, Refers("skills")]
SkillKey: TypeAlias = Annotated[str, Field(min_length=1, max_length=120)]
PowerId: TypeAlias = Annotated[str, Refers("powers")]
TraitId: TypeAlias = Annotated[str, Refers("traits")]
ClassId: TypeAlias = Annotated[str, Refers("classes")]
RaceId: TypeAlias = Annotated[str, Refers("races")]
Text: TypeAlias = Annotated[str, Field(max_length=600), ForPeople()]
Words: TypeAlias = Annotated[tuple[str, ...], ForPeople()]


class Skill(ContentEntry):
    """A skill: the aptitude it is linked to and its categories.

    A skill with `field`s is one skill for each of them. An exotic one may be linked to any of `aptitudes`.
    """

    aptitude: Aptitude
    categories: tuple[Category, ...] = Field(min_length=1)
    field: bool = False
    aptitudes: tuple[Aptitude, ...] = ()
    fields: tuple[str, ...] = ()  # suggestions

    @property
    def is_martial(self) -> bool:
        """True if it counts as a martial skill: one that attacks, or Fray (renaissance.gap.skill.martial)."""
        return self.id == FRAY or ("attack" in self.categories and "combat" in self.categories)

    def is_in(self, category: str) -> bool:
        """True if it belongs to a category; martial is one too."""
        return self.is_martial if category == MARTIAL else category in self.categories


class SpecialNumber(ContentEntry):
    """A check that no skill is made for: what its target is made of, and the words under which bonuses count."""

    formula: FormulaText
    words: tuple[str, ...] = ()


class Language(ContentEntry):
    """A language, by the group of those who can pronounce it; `spoken` is what checks of speaking it take."""

    group: LanguageGroup
    spoken: Number = 0


# ---------------------------------------------------------------------- things


class Item(ContentEntry):
    """An item that can be bought and carried; without a `price` it is not for sale."""

    price: PriceLevel | None = None
    heavy: bool = False


class Attack(EntryPart):
    """One way to attack with a weapon. With `ranges` (short, medium, long, extreme, in metres) it goes that far.

    `categories` names the ranges where they are not the first ones of the four.
    """

    skill: SkillId
    dv: DamageText
    ap: int = Field(default=0, ge=0, le=20)
    ranges: tuple[int, ...] = Field(default=(), max_length=4)
    categories: tuple[Literal["short", "medium", "long", "extreme"], ...] = ()

    @property
    def is_ranged(self) -> bool:
        """True if it is thrown or shot."""
        return bool(self.ranges)


class Area(EntryPart):
    """Area that a splash covers, and its damage to those in it: each turn, for so many turns, until it is ended.

    ``objects`` is its damage to things, for the game master.
    """

    radius: DamageText
    dv: DamageText | None = None
    turns: int | None = Field(default=None, ge=1, le=10_000)
    cover: Literal["none", "partial"] = "none"
    objects: Annotated[DamageText | None, ForPeople()] = None
    put_out: Literal["", "standard", "washed"] = ""


class Weapon(Item):
    """A weapon. `hands` is the number of hands it takes; a natural one is a part of its wielder.

    `grabs` says on which attack an exceptional hit also grabs; `used_up` is so for what is gone after one use.
    `special` are words besides its name by which a specialization fits it.
    """

    attacks: tuple[Attack, ...] = Field(min_length=1)
    hands: Literal[0, 1, 2] = 1
    tags: tuple[Tag, ...] = ()
    parry: Number = 0
    natural: bool = False
    grabs: Literal["", "exceptional", "exceptional_charge"] = ""
    trips: bool = False
    rake: DamageText | None = None
    used_up: bool = False
    area: Area | None = None
    burning: DamageText | None = None
    burning_turns: int = Field(default=0, ge=0, le=10_000)
    special: tuple[str, ...] = ()

    def fits(self, specialization: str) -> bool:
        """True if a specialization is one in this weapon (renaissance.modifier.specialization)."""
        word = specialization.casefold()
        return any(word in (name.casefold(), f"{name.casefold()}s") for name in (self.name, *self.special))

    def has(self, tag: str) -> bool:
        """True if it has a tag."""
        return tag in self.tags


class Armour(Item):
    """A suit or a shield: its Armor, and what wearing it takes from skills linked to some aptitudes."""

    armor: int = Field(ge=0, le=20)
    shield: bool = False
    penalty: Number = 0
    aptitudes: tuple[Aptitude, ...] = ()
    initiative: Number = 0
    resists: tuple[str, ...] = ()


class Gear(Item):
    """Anything else that can be carried: kits and shops are the tools for some skills, a shop with a bonus."""

    tools_for: tuple[SkillKey, ...] = ()
    bonus: Number = 0


class Toll(EntryPart):
    """Repeated effect of a chemical: damage or healing every so many seconds, beginning at once if `first`."""

    dv: DamageText | None = None
    heals: int = Field(default=0, ge=0, le=100)
    heals_wounds: int = Field(default=0, ge=0, le=10)
    every: int = Field(ge=1, le=10_000_000)
    times: int = Field(default=1, ge=1, le=10_000)
    after_damage: bool = False
    first: bool = False


class Chemical(Item):
    """A potion or a poison. `spares` says what a passed resistance check keeps off; times are in seconds."""

    nature: Literal["potion", "poison"]
    onset: int = Field(default=0, ge=0, le=10_000_000)
    duration: int = Field(default=0, ge=0, le=10_000_000)
    resist: FormulaText | None = None
    spares: Literal["all", "half"] = "half"
    grants: tuple[Grant, ...] = ()
    tolls: tuple[Toll, ...] = ()
    coats: bool = False


# ---------------------------------------------------------------------- people


class Movement(EntryPart):
    """A way to move: metres of a walk and of a run."""

    base: int = Field(ge=0, le=100)
    full: int = Field(ge=0, le=300)


class Race(ContentEntry):
    """A race: figures, senses and gifts from birth; races that are not `playable` are kinds of creatures.

    Who is not `warm` is not seen by infrared (renaissance.gap.race.senses).
    """

    DUR: int = Field(ge=1, le=200)
    STR: int = Field(ge=0, le=200)
    aptitudes: Frozen[int] = Frozen()
    size: Size = "medium"
    movement: Frozen[Movement] = Frozen()
    senses: tuple[Sense, ...] = ()
    groups: tuple[LanguageGroup, ...] = ()
    weapons: tuple[WeaponId, ...] = ()
    grants: tuple[Grant, ...] = ()
    playable: bool = True
    animal: bool = False
    warm: bool = True
    text: Text = ""


class FormFeature(ContentEntry):
    """A feature of a hybrid form; shape changers pick some of these."""

    grants: tuple[Grant, ...] = ()
    weapons: tuple[WeaponId, ...] = ()
    senses: tuple[Sense, ...] = ()
    movement: Frozen[Movement] = Frozen()
    full_and_base: bool = False


class Trait(ContentEntry):
    """A personal quirk. `detail` is what has to be said about it, such as the source of stress."""

    nature: Literal["positive", "negative", "neutral"]
    excludes: tuple[str, ...] = ()
    detail: str = ""
    grants: tuple[Grant, ...] = Field(min_length=1)


class SkillsNeed(EntryPart):
    """Ranks in so many skills of a category (or in fields of a skill)."""

    category: Category | Literal["martial"]
    number: int = Field(default=1, ge=1, le=10)
    ranks: int = Field(ge=1, le=70)


class Needs(EntryPart):
    """Requirements: ranks in skills, powers, a number of powers of a kind, a Luck stat."""

    skills: Frozen[int] = Frozen()
    any_field: Frozen[int] = Frozen()
    categories: tuple[SkillsNeed, ...] = ()
    powers: tuple[PowerId, ...] = ()
    of_kind: PowerKind | None = None
    number: int = Field(default=0, ge=0, le=10)
    luck: int = Field(default=0, ge=0, le=10)


class CharacterClass(ContentEntry):
    """An association, or a way to break a rule."""

    needs: Needs = Needs()
    grants: tuple[Grant, ...] = Field(min_length=1)


class SkillChoice(EntryPart):
    """Some of what a background gives is chosen: `number` skills among those named or of the categories."""

    number: int = Field(default=1, ge=1, le=5)
    ranks: int = Field(default=10, ge=1, le=30)
    skills: tuple[SkillKey, ...] = ()
    categories: tuple[Category, ...] = ()
    but: tuple[SkillKey, ...] = ()


class Background(ContentEntry):
    """Origin of a character: ranks, and sometimes a trait, a class, a power or things."""

    races: tuple[RaceId, ...] = ()
    skills: Frozen[int] = Frozen()
    choices: tuple[SkillChoice, ...] = ()
    traits: tuple[TraitId, ...] = ()
    classes: tuple[ClassId, ...] = ()
    powers: tuple[PowerKind, ...] = ()  # one power of one of these kinds
    things: tuple[tuple[str, ...], ...] = ()  # one of these sets of items
    text: Text = ""


class Power(ContentEntry):
    """A special ability: an action of its own, or something that modifies other powers or attacks."""

    kinds: tuple[PowerKind, ...] = Field(min_length=1)
    needs: Needs = Needs()
    action: ActionKind
    start: Literal["quick", "standard"] = "quick"
    minutes: int = Field(default=0, ge=0, le=10_000)
    modifies: tuple[PowerId, ...] = ()
    granted_by: Annotated[str, Refers("spirits")] | None = None
    effects: tuple[PowerEffect, ...] = Field(min_length=1)
    text: Text = ""


# ---------------------------------------------------------------------- what happens to people


class Strike(ContentEntry):
    """A special attack: its penalty, and what an exceptional success brings on top of the hit."""

    penalty: Number
    melee_only: bool = False
    precision: bool = False
    result: Literal["location", "knock_down", "maim", "damage_bonus", "ap_bonus"]


class CombatManeuver(ContentEntry):
    """A trick that is no attack: own skill against one of the target's, and what comes of it."""

    action: Literal["standard", "quick"]
    skill: Literal["melee", "unarmed_combat", "deception"]
    against: tuple[Literal["melee", "fray", "unarmed_combat", "resist_social_manipulation", "read"], ...]
    result: Literal["disarmed", "feinted", "grabbed", "prone"]
    value: Number = 0


class Condition(ContentEntry):
    """A state with effects while it lasts, and how it ends."""

    no_actions: bool = False
    no_defense: bool = False
    only_escape: bool = False
    melee_against: Number = 0
    ranged_against: Number = 0
    dv: DamageText | None = None
    every: int = Field(default=0, ge=0, le=10_000_000)  # seconds
    tracking: Number = 0
    ends: Literal["quick", "check", "escape", "turn", "healing", "standard"] = "check"
    check: SkillKey = ""
    minutes: int = Field(default=0, ge=0, le=1_000)


class Disease(ContentEntry):
    """An illness: how it is resisted, when it begins, how long it lasts, what it does; days, a month has 30."""

    resist: FormulaText
    onset: int = Field(ge=0, le=1_000)
    duration: int | None = Field(default=None, ge=1, le=10_000)
    symptoms: Words = ()
    penalty: Number = 0
    dv: DamageText | None = None
    unconscious: bool = False
    dur_loss: int = Field(default=0, ge=0, le=50)
    dur_every: int = Field(default=0, ge=0, le=1_000)
    treatment: Literal["cure", "extra_resistance_check", "shorten_duration"] = "extra_resistance_check"
    treatment_bonus: Number = 10
    food_borne: bool = False


class StressSource(ContentEntry):
    """A source of stress: its SV, the part that remains on a success, and the check that resists it."""

    sv: DamageText
    on_success: Literal["none", "half"] = "none"
    resist: FormulaText


# ---------------------------------------------------------------------- magic


class RitualStep(EntryPart):
    """One step of a magical work: how long it takes, what is checked, and what helps. `secret` is the result."""

    id: str = Field(min_length=1, max_length=40)
    name: str = Field(min_length=1, max_length=80)
    minutes: int = Field(default=0, ge=0, le=1_000_000)
    skills: tuple[SkillKey, ...] = Field(min_length=1)
    related: tuple[SkillKey, ...] = ()
    social: bool = False
    secret: bool = False
    helped_by: str = ""
    exceptional: Number = 0
    critical: Number = 0


class Tradition(ContentEntry):
    """A way to work one-off magic: its steps, and what it can do in hours, days, weeks or months."""

    skill: SkillKey
    ranks: int = Field(default=40, ge=0, le=70)
    steps: tuple[RitualStep, ...] = Field(min_length=1)
    further: Words = ()
    hours: Words = ()
    days: Words = ()
    weeks: Words = ()


class Spirit(ContentEntry):
    """A spirit to bargain with: its rank, how hard it is to find out about and to win over, and its boons."""

    rank: Annotated[Literal["lesser", "greater", "mighty"], ForPeople()]
    place: Annotated[str, ForPeople()] = Field(min_length=1, max_length=80)
    research: Number = 0
    perform: Number = 0
    bargain: Number = 0
    will: int = Field(ge=0, le=98)  # the target with which it holds out in a bargain
    boons: tuple[PowerId, ...] = ()
    wants: Words = Field(min_length=1)


# ---------------------------------------------------------------------- people


class Person(ContentEntry):
    """A character ready to play: a template, or a creature."""

    character: Frozen[Any]
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)


KINDS: Kinds = {
    "skills": Skill,
    "numbers": SpecialNumber,
    "languages": Language,
    "weapons": Weapon,
    "armours": Armour,
    "gear": Gear,
    "chemicals": Chemical,
    "races": Race,
    "forms": FormFeature,
    "traits": Trait,
    "classes": CharacterClass,
    "backgrounds": Background,
    "powers": Power,
    "strikes": Strike,
    "maneuvers": CombatManeuver,
    "conditions": Condition,
    "diseases": Disease,
    "stresses": StressSource,
    "traditions": Tradition,
    "spirits": Spirit,
    "templates": Person,
    "creatures": Person,
}
PEOPLE = ("creatures", "templates")
ITEMS = ("weapons", "armours", "gear", "chemicals")
