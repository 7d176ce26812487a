"""Kinds of content in a pack, as typed data from closed sets.

What a weapon or armour can do are its `features`; what a talent, an ancestry or a trait gives are `grants`; what a
maneuver does are its `steps`. Each of these is one of the classes below, and each class names the rule it stands for.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tablewright.game.content.entries import Amount, ContentEntry, EntryPart, ForPeople, Kinds, Refers
from tablewright.game.content.library import Library
from tablewright.game.narration.phrases import small
from tablewright.game.values import WRITTEN, Frozen
from tablewright.systems.mars.values import RollValue, Speed

Stat: TypeAlias = Literal["STR", "DEX", "INT", "RES"]
Resource: TypeAlias = Literal["health", "endurance", "stamina", "focus"]
Secondary: TypeAlias = Literal["INIT", "DEF", "EVA", "FORT", "WILL"]
Size: TypeAlias = Literal["tiny", "very_small", "small", "medium", "large", "very_large", "huge"]
Slot: TypeAlias = Literal["body", "head", "arms", "hands", "shield", "legs", "feet"]
SkillGroup: TypeAlias = Literal["basic", "complex", "combat"]
CombatSkill: TypeAlias = Literal["finesse", "martial", "ranged", "unarmed"]
Physical: TypeAlias = Literal["bludgeoning", "piercing", "slashing"]
DamageType: TypeAlias = Literal[
    "bludgeoning", "piercing", "slashing", "arcane", "cold", "electric", "fire", "radiant", "void", "typeless"
]
When: TypeAlias = Literal[
    "intimidation",
    "tracking",
    "hidden_things",
    "heavy_objects",
    "sickness",
    "fear",
    "knocked_down",
    "wilderness",
    "stories",
    "silent_movement",
    "hiding",
    "disarming",
    "dying",
    "recall",
    "recognition",
]
"""The circumstances under which something counts; a check or a resist names those that hold."""

STATS: tuple[Stat, ...] = ("STR", "DEX", "INT", "RES")
RESOURCES: tuple[Resource, ...] = ("health", "endurance", "stamina", "focus")
SECONDARY: tuple[Secondary, ...] = ("INIT", "DEF", "EVA", "FORT", "WILL")  # mars.stat.secondary_list
SIZES: tuple[Size, ...] = ("tiny", "very_small", "small", "medium", "large", "very_large", "huge")
SLOTS: tuple[Slot, ...] = ("body", "head", "arms", "hands", "shield", "legs", "feet")
COMBAT_SKILLS: tuple[CombatSkill, ...] = ("finesse", "martial", "ranged", "unarmed")

Rolls: TypeAlias = Annotated[RollValue, WRITTEN]
Small: TypeAlias = Annotated[int, Field(ge=-20, le=20)]
Count: TypeAlias = Annotated[int, Field(ge=0, le=100)]
Price: TypeAlias = Amount
SkillId: TypeAlias = Annotated[str, Refers("skills")]


class Skill(ContentEntry):
    """A skill: the stat it is rolled with, and whether anyone can use it."""

    stat: Stat
    group: SkillGroup
    covers: Annotated[tuple[str, ...], ForPeople()] = ()


# ---------------------------------------------------------------------- weapons


class Range(EntryPart):
    """Range of a shot or throw: full accuracy to `near` metres, never further than `far`."""

    near: int = Field(ge=1, le=1_000)
    far: int = Field(ge=1, le=10_000)


class WeaponFeatures(EntryPart):
    """Features of a weapon; a feature that is not named is absent."""

    backswing: bool = False
    bypass: int = Field(default=0, ge=0, le=6)
    cleave: bool = False
    large: bool = False
    mechanical: bool = False
    momentum: bool = False
    nonlethal: bool = False
    parry: Rolls | None = None  # mars.gap.weapon.parry
    ranged: Range | None = None
    reach: int = Field(default=1, ge=1, le=20)
    reload: Speed | None = None
    swift: bool = False
    thrown: Range | None = None
    trip: bool = False
    two_handed: bool = False
    unfit: int = Field(default=0, ge=0, le=20)
    versatile: bool = False


class Item(ContentEntry):
    """An item that can be bought and carried: its price in units of money and its weight in kilograms."""

    price: Price | None = None
    weight: Amount = Field(default=0)  # type: ignore[assignment]
    bundle: int = Field(default=1, ge=1, le=1_000)  # how many the price and the weight are for


class Weapon(Item):
    """A weapon. The damage merges with the wielder's STR where `strength` says so.

    `skills` are the combat skills it may be used with (mars.skill.cross_skill_weapons); a `basic` weapon goes with any
    of them (mars.equipment.basic_weapons). A `natural` weapon is a part of its wielder: it is not carried, takes no
    hand and cannot be dropped. `hit` is its own modifier to hit.
    """

    strength: bool = True
    damage: Rolls = RollValue(0)
    types: tuple[DamageType, ...] = Field(min_length=1)
    critical: int = Field(ge=0, le=50)
    skills: tuple[CombatSkill, ...] = ()
    basic: bool = False
    natural: bool = False
    hit: Small = 0
    ammunition: Annotated[str, Refers("ammunition")] | None = None
    features: WeaponFeatures = WeaponFeatures()


class Ammunition(Item):
    """Ammunition of a weapon."""


class ArmourFeatures(EntryPart):
    """Features of an armour or a shield."""

    critical_defense: bool = False
    identity_obscuring: Annotated[bool, ForPeople()] = False  # mars.gap.armour.identity_obscuring
    limited_vision: bool = False
    locking_grip: bool = False
    noisy: bool = False
    parry: Rolls | None = None


class Armour(Item):
    """Armour, or a shield: what it adds to armour rating and damage reduction, and where it is worn.

    A shield that can block has a `block` value and a `durability` (mars.gap.armour.shields).
    """

    rating: int = Field(default=0, ge=0, le=20)
    reduction: int = Field(default=0, ge=0, le=20)
    strength: int = Field(default=0, ge=0, le=50)
    slots: tuple[Slot, ...] = Field(min_length=1)
    block: int | None = Field(default=None, ge=0, le=50)
    durability: int | None = Field(default=None, ge=1, le=500)
    features: ArmourFeatures = ArmourFeatures()

    @property
    def is_shield(self) -> bool:
        """True if it is held in a hand rather than worn."""
        return "shield" in self.slots


class Gear(Item):
    """Anything else that can be carried. Every character starts with as many as are `free`.

    `tools_for` are the skills it has the tools for; `meals` and `litres` are what it holds to eat and drink.
    """

    free: int = Field(default=0, ge=0, le=100)
    tools_for: tuple[SkillId, ...] = ()
    meals: int = Field(default=0, ge=0, le=100)
    litres: int = Field(default=0, ge=0, le=100)


# ---------------------------------------------------------------------- maneuvers


class AttackStep(EntryPart):
    """Attack, with changes to the roll to hit, to damage and to the critical threshold.

    `off_type` is added to both where the weapon does not do `becomes` damage anyway; it is also added for bare hands.
    """

    step: Literal["attack"]
    hit: Small = 0
    damage: Small = 0
    threshold: Small = 0
    targets: int = Field(default=1, ge=1, le=5)
    melee: bool = False
    becomes: Physical | None = None
    off_type: Small = 0


class CheckStep(EntryPart):
    """Make a skill check against the resist of the target, or of any number of `observers`."""

    step: Literal["check"]
    skill: SkillId
    melee: bool = False
    observers: bool = False


class InflictStep(EntryPart):
    """The target gets an effect, for so many rounds or without duration; `at_zero_endurance` it gets another one."""

    step: Literal["inflict"]
    effect: Literal["prone", "stunned", "halved_speed", "shaken", "unsighted"]
    rounds: int | None = Field(default=None, ge=1, le=100)
    value: Small = 0
    at_zero_endurance: Literal["unconscious"] | None = None


class OpeningStep(EntryPart):
    """The next melee attack on the target within so many rounds has advantage."""

    step: Literal["opening"]
    rounds: int = Field(default=1, ge=1, le=100)


class RatingStep(EntryPart):
    """One's own armour rating changes for so many rounds."""

    step: Literal["rating"]
    value: Small
    rounds: int = Field(default=1, ge=1, le=100)


class RallyStep(EntryPart):
    """Allies within reach of the voice add to the first attack, deflection or evasion that each rolls in time."""

    step: Literal["rally"]
    value: Small
    metres: int = Field(ge=1, le=1_000)
    rounds: int = Field(default=1, ge=1, le=100)


class InterceptStep(EntryPart):
    """Change places with an attacked ally and become the target, with more armour rating against that attack."""

    step: Literal["intercept"]
    rating: Small
    metres: int = Field(default=1, ge=1, le=20)


class StopStep(EntryPart):
    """A hit ends the target's movement for this turn."""

    step: Literal["stop"]


ManeuverStep: TypeAlias = Annotated[
    AttackStep | CheckStep | InflictStep | OpeningStep | RatingStep | RallyStep | InterceptStep | StopStep,
    Field(discriminator="step"),
]


class Boost(EntryPart):
    """Stronger form of a maneuver for more stamina, once the skill has reached a roll value."""

    stamina: int = Field(ge=1, le=20)
    at: int = Field(ge=4, le=30)
    steps: tuple[ManeuverStep, ...] = Field(min_length=1)


Trigger: TypeAlias = Literal["moves_in_reach", "ally_attacked"]


class Maneuver(ContentEntry):
    """A special ability of combat skills; the steps are done in order, and `resist` is what the target may roll."""

    stamina: int = Field(ge=0, le=20)
    speed: Speed
    resist: Literal["FORT", "WILL", "perception", "agility"] | None = None
    type: Annotated[Literal["offensive", "defensive", "tactical"], ForPeople()]
    skills: tuple[CombatSkill, ...] = Field(min_length=1)
    steps: tuple[ManeuverStep, ...] = Field(min_length=1)
    boost: Boost | None = None
    trigger: Trigger | None = None
    not_prone: bool = False


# ---------------------------------------------------------------------- what talents, ancestries and traits give


class MaximumGrant(EntryPart):
    """A resource's maximum is higher: by `first`, and by `further` for every step of a talent after the first.

    Where `rests` is set, every rest recovers half of the bonus more.
    """

    grant: Literal["maximum"]
    resource: Resource
    first: Small
    further: Small = 0
    rests: bool = False


class ManeuversGrant(EntryPart):
    """More maneuvers are known."""

    grant: Literal["maneuvers"]
    number: int = Field(default=1, ge=1, le=10)


class SkillGrant(EntryPart):
    """A bonus to a skill, always or under a circumstance."""

    grant: Literal["skill"]
    skill: SkillId
    value: Small
    when: When | None = None


class SkillChoiceGrant(EntryPart):
    """A bonus to one skill of choice that the background gives no bonus to."""

    grant: Literal["skill_choice"]
    value: Small


class RollGrant(EntryPart):
    """A bonus to a rolled secondary stat under a circumstance."""

    grant: Literal["roll"]
    roll: Secondary
    value: Small
    when: When


class AdvantageGrant(EntryPart):
    """Advantage on a skill or on a rolled secondary stat under a circumstance."""

    grant: Literal["advantage"]
    on: str = Field(min_length=1, max_length=40)
    when: When | None = None


class OtherStatGrant(EntryPart):
    """A skill may be rolled with another stat under some circumstances."""

    grant: Literal["other_stat"]
    skill: SkillId
    stat: Stat
    when: tuple[When, ...] = Field(min_length=1)


class CapacityGrant(EntryPart):
    """Carrying capacity as if so many sizes larger."""

    grant: Literal["capacity"]
    sizes: int = Field(default=1, ge=1, le=6)


class OtherWeaponGrant(EntryPart):
    """A bonus per step to hit with another weapon than the one attacked with last in the same turn."""

    grant: Literal["other_weapon"]
    value: Small = 1


class AlertGrant(EntryPart):
    """Never surprised while conscious, and sneak attacks on the character get no advantage."""

    grant: Literal["alert"]


class DiehardGrant(EntryPart):
    """Advantage on dying checks, and consciousness may be kept while dying."""

    grant: Literal["diehard"]


class SecondWindGrant(EntryPart):
    """Swift, once per turn: half of the maximum endurance, rounded up, is regained; `uses` per rest for every step."""

    grant: Literal["second_wind"]
    uses: int = Field(default=1, ge=1, le=10)


class RageGrant(EntryPart):
    """Swift, for focus, by concentration: STR and damage reduction rise, armour rating falls, and it takes its toll."""

    grant: Literal["rage"]
    focus: int = Field(ge=0, le=20)
    first: Small
    further: Small
    rating: Small
    toll: int = Field(default=1, ge=0, le=10)


class TeamworkGrant(EntryPart):
    """Advantage in group actions for trained skills."""

    grant: Literal["teamwork"]


class PreparedGrant(EntryPart):
    """A carried mundane item is found, as many times per rest as there are steps, up to a price by step, cheaper."""

    grant: Literal["prepared"]
    prices: tuple[int, ...] = Field(min_length=1)
    cheaper: int = Field(ge=0, le=100)  # in percent


class PainToleranceGrant(EntryPart):
    """The first time in an encounter that endurance reaches 0, the damage beyond it is lost."""

    grant: Literal["pain_tolerance"]


class QuickRestGrant(EntryPart):
    """Rests take only a part of the time: it is divided by so much."""

    grant: Literal["quick_rest"]
    divisor: int = Field(ge=2, le=10)


class WordsGrant(EntryPart):
    """An effect that the game master judges; `text` describes it."""

    grant: Literal["words"]
    text: Annotated[str, ForPeople()] = Field(min_length=1, max_length=400)


Grant: TypeAlias = Annotated[
    MaximumGrant
    | ManeuversGrant
    | SkillGrant
    | SkillChoiceGrant
    | RollGrant
    | AdvantageGrant
    | OtherStatGrant
    | CapacityGrant
    | OtherWeaponGrant
    | AlertGrant
    | DiehardGrant
    | SecondWindGrant
    | RageGrant
    | TeamworkGrant
    | PreparedGrant
    | PainToleranceGrant
    | QuickRestGrant
    | WordsGrant,
    Field(discriminator="grant"),
]


class Needs(EntryPart):
    """Requirements: maxima of stats (all of them, or any one), trained skills, any trained combat skill."""

    stats: Frozen[int] = Frozen()
    any_stat: bool = False
    skills: tuple[SkillId, ...] = ()
    combat_skill: bool = False


class Talent(ContentEntry):
    """An ability that experience buys, once or in steps; without `steps` there is no limit."""

    cost: Literal[4, 8]
    steps: int | None = Field(default=1, ge=1, le=20)
    needs: Needs = Needs()
    grants: tuple[Grant, ...] = Field(min_length=1)
    text: Annotated[str, ForPeople()] = Field(default="", max_length=400)


class Trait(ContentEntry):
    """A unique ability or possession."""

    text: Annotated[str, ForPeople()] = Field(default="", max_length=400)
    grants: tuple[Grant, ...] = ()


class Ancestry(ContentEntry):
    """Ancestry of a character. `choose_stats` stats of choice get +1 each.

    Where `sized` is set, the modifiers of the chosen size are added; otherwise `stats` contains them already.
    """

    stats: Frozen[int] = Frozen()
    choose_stats: int = Field(default=0, ge=0, le=4)
    sizes: tuple[Size, ...] = Field(min_length=1)
    sized: bool = False
    speed: int = Field(ge=0, le=100)
    grants: tuple[Grant, ...] = ()
    languages: tuple[str, ...] = ()
    choose_languages: int = Field(default=0, ge=0, le=5)


class Background(ContentEntry):
    """Background of a character: bonuses to skills, some of them of choice among groups of skills."""

    skills: Frozen[int] = Frozen()
    choose: int = Field(default=0, ge=0, le=5)
    among: tuple[SkillGroup, ...] = ()


class ArchetypeSkill(EntryPart):
    """One starting skill: one of several, at a roll value."""

    any_of: tuple[SkillId, ...] = Field(min_length=1)
    value: int = Field(ge=4, le=20)


class Archetype(ContentEntry):
    """Archetype of a character: starting skills and talents, which give its number of maneuvers.

    A `custom` one has skills and talents of the player's choice: `spreads` are the roll values to give out.
    """

    skills: tuple[ArchetypeSkill, ...] = ()
    talents: Frozen[int] = Frozen()
    needs: Needs = Needs()
    custom: bool = False
    spreads: tuple[tuple[int, ...], ...] = ()


class Person(ContentEntry):
    """Ready character: a template, or a creature with its printed figures. `simple` ones fall to one hit."""

    character: Frozen[Any]
    summary: Annotated[str, ForPeople()] = Field(default="", max_length=200)


class Task(ContentEntry):
    """A common task, with the skills it takes and its difficulty; some are a matter of a `language`."""

    skills: tuple[SkillId, ...] = ()
    language: bool = False
    difficulty: int = Field(ge=0, le=100)
    when: tuple[When, ...] = ()


class Currency(ContentEntry):
    """A kind of money with its value in units of the baseline currency, which is the same in all settings."""

    worth: Amount
    setting: Annotated[str, ForPeople()] = Field(default="", max_length=60)


KINDS: Kinds = {
    "skills": Skill,
    "weapons": Weapon,
    "ammunition": Ammunition,
    "armours": Armour,
    "gear": Gear,
    "maneuvers": Maneuver,
    "talents": Talent,
    "traits": Trait,
    "ancestries": Ancestry,
    "backgrounds": Background,
    "archetypes": Archetype,
    "creatures": Person,
    "templates": Person,
    "tasks": Task,
    "currencies": Currency,
}
PEOPLE = ("creatures", "templates")
ITEMS = ("weapons", "ammunition", "armours", "gear")


def learned_from(entry: Archetype, library: Library) -> str:
    """Skills and talents of an archetype in a few words."""
    if entry.custom:
        return "skills and talents of your choice"
    names = {one.id: one.name for one in library.of(Skill)}
    skills = [f"{' or '.join([names[name] for name in one.any_of])} r{one.value}" for one in entry.skills]
    return ", ".join([*skills, *[library.get(Talent, name).name for name in entry.talents]])


def practised_in(entry: Background, library: Library) -> str:
    """Skills of a background in a few words."""
    parts = [f"{value:+d} {library.get(Skill, name).name}" for name, value in entry.skills.items()]
    if entry.choose:
        parts.append(f"+1 on {small(entry.choose)} {' or '.join(entry.among)} skills")
    return ", ".join(parts)
