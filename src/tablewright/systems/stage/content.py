"""Kinds of content in a pack, as typed data from closed sets.

What powers, races, spells and enchantments do is said in the words of ``powers.py``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tablewright.game.content.entries import Amount as Exact
from tablewright.game.content.entries import ContentEntry, EntryPart, ForPeople, Kinds, Refers
from tablewright.game.values import WRITTEN, Frozen
from tablewright.systems.stage.effects import Adjust, Do, Effect, Lasting, Power, Trigger
from tablewright.systems.stage.values import Attribute, Bonus, Core, School, SkillId, Track

Written: TypeAlias = Annotated[Bonus, WRITTEN]
Material: TypeAlias = Literal[
    "wood", "bone", "unarmed", "cloth", "leather", "glass", "stone", "bronze", "copper", "iron", "steel"
]
GRADES: dict[Material, int] = {
    "wood": 1,
    "bone": 1,
    "unarmed": 1,
    "cloth": 1,
    "leather": 1,
    "glass": 1,
    "stone": 2,
    "bronze": 3,
    "copper": 3,
    "iron": 3,
    "steel": 4,
}
"""Grades of materials: a material damages those of its own grade or a lower one (stage.equipment.material)."""

NO_CHANGE = Bonus()


# ---------------------------------------------------------------------- skills and their applications


class Skill(ContentEntry):
    """A skill: its attribute, and the one that the header of its description says (``printed``)."""

    attribute: Attribute
    printed: Attribute
    magic: bool = False
    about: Annotated[str, ForPeople()] = Field(default="", max_length=120)


DifficultyRule: TypeAlias = Literal[
    "set",  # by the Game Master, from a task or a band of the table
    "opposed",  # by another's check
    "highest",  # all roll, the highest result wins
    "none",  # its result is itself a Difficulty, or points
    "hit",  # Hit Difficulty of the target
    "fixed",
    "complexity",
    "size_complexity",
    "encumbrance",
    "jump",
    "mind_sanity",
    "will_spirit",
    "vitality_lost",
    "stamina_lost",
    "rounds_dead",
    "level",
    "days",
    "circle",
    "circle_3",
    "enchant",
]


class Circumstance(EntryPart):
    """A circumstance that changes a check by dice or a flat number.

    Without ``by`` it counts where its ``name`` is said. With ``by`` it follows from a number of the situation: ``at``
    or less once, or for every ``per`` above ``over``. Of one ``group`` only the worst counts.
    """

    name: str = Field(min_length=1, max_length=40)
    dice: int = Field(default=0, ge=-10, le=10)
    flat: int = Field(default=0, ge=-20, le=20)
    by: Literal["distance", "size", "characters"] | None = None
    at: int | None = None
    over: int = 0
    per: int = Field(default=1, ge=1, le=100)
    group: str = Field(default="", max_length=40)
    defends: bool = False  # counts by itself for the one who sets the Difficulty


class Hours(EntryPart):
    """Time in hours; where ``less_second_roll``, what the second roll gave is saved, down to ``least``."""

    hours: int = Field(ge=0, le=1_000)
    less_second_roll: bool = False
    least: int = Field(default=0, ge=0, le=1_000)


class Application(ContentEntry):
    """One use of a skill: its check, who may oppose it with what, what triggers it, what it costs, how long it takes.

    ``ap`` is None where the time varies, is in ``time``, or comes from the spell; ``surface_cost`` is paid from the
    surface track of the skill, ``cost`` from the track it names. ``sets`` says that the result is the Difficulty of
    those who oppose it.
    """

    skill: SkillId
    application: str = Field(min_length=1, max_length=40)
    check: Literal["flat", "leveled", "spell"]
    opposed_by: tuple[str, ...] = ()
    reaction: Annotated[str, ForPeople()] = Field(default="", max_length=120)
    cost: Frozen[int] = Frozen()
    surface_cost: int = Field(default=0, ge=0, le=10)
    ap: int | None = Field(default=None, ge=0, le=3)
    ap_defender: int | None = Field(default=None, ge=0, le=3)
    time: Hours | None = None
    difficulty: DifficultyRule
    fixed: int = Field(default=0, ge=0, le=100)
    sets: bool = False
    move_factor: int = Field(default=1, ge=1, le=3)
    circumstances: tuple[Circumstance, ...] = ()
    tools: Literal["none", "kit", "needed"] = "none"
    on_oneself: bool = True
    smaller: int = Field(default=0, ge=0, le=10)  # by so many Size categories a thing must be smaller than oneself
    tricks: bool = False  # the target learns one, if it can still learn any
    rule: str = Field(min_length=1, max_length=80)

    @property
    def key(self) -> str:
        """Id of the application, such as ``guile.sneak``."""
        return f"{self.skill}.{self.application}"


class Task(ContentEntry):
    """An example of how difficult something is (tables 6-2 to 6-15)."""

    application: str = Field(min_length=1, max_length=60)
    low: Annotated[int, ForPeople()] = Field(ge=1, le=100)
    high: Annotated[int | None, ForPeople()] = Field(default=None, ge=1, le=100)
    difficulty: int = Field(ge=1, le=100)  # without a number of the Game Master


# ---------------------------------------------------------------------- who they are


class Heritage(ContentEntry):
    """A race, sub-race or background: the adjustments it gives, and their rule."""

    gives: tuple[Adjust, ...] = ()
    rule: str = Field(min_length=1, max_length=80)


class Race(Heritage):
    """A race; ``power_discount`` is subtracted from the price of every power."""

    size: int = Field(ge=1, le=20)
    speed: int = Field(ge=0, le=100)
    power_discount: int = Field(default=0, ge=0, le=100)


class SubRace(Heritage):
    """A people of a race."""

    race: Annotated[str, Refers("races")]


class Background(Heritage):
    """A background; with a ``literate`` one a character reads and writes without Academics or Science."""

    literate: bool = False


class Person(ContentEntry):
    """A character ready to play: a template, or a creature."""

    character: Frozen[Any]
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)


# ---------------------------------------------------------------------- what they have


class Item(ContentEntry):
    """An item that can be owned: price in coins, Encumbrance, Size, Integrity Points, Resistance, Complexity.

    ``bundle`` is how many the price and the Encumbrance are for.
    """

    price: Exact | None = None
    encumbrance: Exact = Field(default=0)  # type: ignore[assignment]
    bundle: int = Field(default=1, ge=1, le=1_000)
    size: int = Field(default=3, ge=1, le=30)
    integrity: int | None = Field(default=None, ge=1, le=1_000)
    resistance: int = Field(default=0, ge=0, le=50)
    complexity: int = Field(default=1, ge=0, le=100)
    material: Material = "wood"


WeaponUse: TypeAlias = Literal["close_combat.attack", "athletics.throw", "ranged_combat.attack", "brawl.attack"]


class Weapon(Item):
    """A weapon. The bonus goes on attacks, on either roll; ``parry`` on Close Combat (parry).

    A ``natural`` one is a part of its wielder; ``non_lethal`` says that its bonus counts in non-lethal attacks too.
    """

    uses: tuple[WeaponUse, ...] = Field(min_length=1)
    bonus: Written = NO_CHANGE
    parry: Written | None = None
    increment: int | None = Field(default=None, ge=1, le=1_000)
    attack_rating: int | None = Field(default=None, ge=1, le=10)
    ammunition: Annotated[str, Refers("ammunition")] | None = None
    natural: bool = False
    non_lethal: bool = False

    @property
    def is_melee(self) -> bool:
        """True if it strikes who is adjacent."""
        return "close_combat.attack" in self.uses or "brawl.attack" in self.uses


class Ammunition(Item):
    """Ammunition of a weapon; it is used up."""


class Armour(Item):
    """A component of an armour set: its maximum of Defense Points, and the damage that they stop."""

    slot: Literal["body", "head", "hand"]
    max_defense_points: int = Field(ge=0, le=50)
    stops: tuple[Attribute, ...] = ("body",)

    @property
    def is_shield(self) -> bool:
        """True if it is held rather than worn."""
        return self.slot == "hand"


class Gear(Item):
    """Anything else. ``tools_for`` are skills or applications that it has the tools for, with a ``bonus``.

    ``food`` and ``water`` are days' rations, ``light`` the hours it burns, ``protects`` what it protects from.
    """

    tools_for: tuple[str, ...] = ()
    bonus: int = Field(default=0, ge=0, le=10)
    food: int = Field(default=0, ge=0, le=100)
    water: int = Field(default=0, ge=0, le=100)
    light: int = Field(default=0, ge=0, le=100)
    protects: tuple[Literal["cold", "heat", "radiation"], ...] = ()
    free: int = Field(default=0, ge=0, le=100)


class Lock(ContentEntry):
    """A device that Guile (disable) opens and Crafts (sabotage) breaks."""

    size: int = Field(ge=1, le=30)
    complexity: int = Field(ge=1, le=100)
    integrity: int = Field(ge=1, le=1_000)
    resistance: int = Field(default=0, ge=0, le=50)
    material: Material = "steel"


class Need(EntryPart):
    """The level of a skill that controlling a craft takes."""

    skill: SkillId
    level: int = Field(ge=1, le=20)


class Vehicle(ContentEntry):
    """A craft that is operated, or drawn by animals; its ``weapons`` are fired by who is at the controls.

    Under control it goes at least its ``least_speed`` in a round. No one controls it without the skill levels that it
    ``needs`` and the hours of ``practice``.
    """

    size: int = Field(ge=1, le=30)
    speed: int = Field(ge=0, le=1_000)
    least_speed: int = Field(default=0, ge=0, le=1_000)
    integrity: int = Field(ge=1, le=10_000)
    resistance: int = Field(default=0, ge=0, le=50)
    control: int | None = Field(default=None, ge=1, le=100)
    acceleration: int | None = Field(default=None, ge=1, le=1_000)
    drawn: bool = False
    needs: tuple[Need, ...] = ()
    practice: int = Field(default=0, ge=0, le=10_000)
    weapons: tuple[Annotated[str, Refers("weapons")], ...] = ()
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)

    @property
    def character(self) -> dict[str, Any]:
        """The craft as a character in a scene."""
        return {"system": "stage", "kind": "vehicle", "name": self.name, "vehicle": self.id, "weapons": self.weapons}


# ---------------------------------------------------------------------- magic


class Element(EntryPart):
    """A form that a spell's damage can have."""

    name: Literal["fire", "lightning", "cold"]
    flat: int = Field(default=0, ge=0, le=20)
    ignores_resistance: int = Field(default=0, ge=0, le=20)
    loses_ap: int = Field(default=0, ge=0, le=3)


SpellEffect: TypeAlias = Annotated[Do | Lasting | Trigger, Field(discriminator="effect")]


class Spell(ContentEntry):
    """A spell of one skill, or a compound one of two.

    ``cubes`` is None for a spell in melee, else its reach; ``on_oneself`` only reaches the caster. ``difficulty`` is
    that of a spell without a target. ``focus`` is what a Focus adds to the effect; without it, it gives a die more.
    """

    schools: tuple[School, ...] = Field(min_length=1, max_length=2)
    circle: int = Field(ge=1, le=6)
    ap: int = Field(ge=0, le=3)
    cost: Frozen[int]
    check: Literal["flat", "leveled"]
    cubes: int | None = Field(default=None, ge=0, le=100)
    on_oneself: bool = False
    on_object: bool = False
    visible: bool = True
    difficulty: int | None = Field(default=None, ge=1, le=100)
    effects: tuple[SpellEffect, ...] = Field(min_length=1)
    elements: tuple[Element, ...] = ()
    focus: int = Field(default=0, ge=0, le=10)


class Enchantment(ContentEntry):
    """An enchantment of an item: a ``passive`` one always works, an active one is activated for its cost."""

    school: School
    circle: int = Field(ge=1, le=6)
    energy: Core
    core: int = Field(ge=1, le=20)
    goes_in: Literal["weapon", "armour", "item"] = "item"
    passive: bool = True
    ap: int = Field(default=0, ge=0, le=3)
    cost: Frozen[int] = Frozen()
    per_day: int = Field(default=0, ge=0, le=10)
    effects: tuple[Effect, ...] = Field(min_length=1)

    @property
    def schools(self) -> tuple[School, ...]:
        """The skill alone, as a spell has one or two."""
        return (self.school,)


# ---------------------------------------------------------------------- what harms


class Period(EntryPart):
    """A time: so many units, or so many dice of units."""

    unit: Literal["round", "hour", "day", "week"]
    number: int = Field(default=0, ge=0, le=1_000)
    dice: int = Field(default=0, ge=0, le=20)


class Ailment(ContentEntry):
    """A poison or a disease: its levels, how it is caught, when it attacks, against what, with which effect."""

    low: int = Field(ge=1, le=50)
    high: int = Field(ge=1, le=50)
    infection: Annotated[Literal["wound", "ingestion", "inhaled", "airborne", "radiation"], ForPeople()]
    incubation: Period
    interval: Period
    against: tuple[Track, Track]
    damage: Frozen[int] = Frozen()  # dice by attribute
    counters: int = Field(default=0, ge=0, le=10)


class Trap(ContentEntry):
    """A trap or a hazard: how it is noticed, what sets it off, how it attacks."""

    detect: int = Field(ge=1, le=100)
    trigger: Annotated[Literal["pressure", "tripwire", "handling", "activity"], ForPeople()]
    everybody: bool = False  # all in the cube
    melee: bool = False
    flat: int = 0
    first_dice: int = Field(ge=1, le=30)
    second_dice: int = Field(ge=0, le=30)
    size: int | None = Field(default=None, ge=1, le=30)
    integrity: int | None = Field(default=None, ge=1, le=1_000)
    complexity: int | None = Field(default=None, ge=1, le=100)
    disarms: bool = True


KINDS: Kinds = {
    "skills": Skill,
    "applications": Application,
    "tasks": Task,
    "powers": Power,
    "races": Race,
    "sub_races": SubRace,
    "backgrounds": Background,
    "weapons": Weapon,
    "ammunition": Ammunition,
    "armours": Armour,
    "gear": Gear,
    "locks": Lock,
    "vehicles": Vehicle,
    "spells": Spell,
    "enchantments": Enchantment,
    "ailments": Ailment,
    "traps": Trap,
    "creatures": Person,
    "templates": Person,
}
PEOPLE = ("creatures", "templates", "vehicles")
ITEMS = ("weapons", "ammunition", "armours", "gear")
