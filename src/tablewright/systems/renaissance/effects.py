"""Effects that content can have, as closed sets of typed data.

A `bonus` counts for a check that goes by its word `what`: the id of a skill, a category of skills (`social`,
`physical`), a special number (`overcome_fear`), or one of the words below; `when` narrows it to a circumstance.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tablewright.game.content.entries import EntryPart, ForPeople, Refers
from tablewright.game.play.modifiers import Bonus as PlainBonus
from tablewright.game.values import WRITTEN
from tablewright.systems.renaissance.values import DV, Formula

DamageText: TypeAlias = Annotated[DV, WRITTEN]
FormulaText: TypeAlias = Annotated[Formula, WRITTEN]
Number: TypeAlias = Annotated[int, Field(ge=-100, le=100)]
WeaponId: TypeAlias = Annotated[str, Refers("weapons")]
Tag: TypeAlias = Literal[
    "natural",
    "off_hand",
    "one_handed",
    "two_handed",
    "reach",
    "brace",
    "defensive",
    "blast",
    "splash",
    "fire",
    "cold",
    "caustic",
    "precision",
]
When: TypeAlias = Literal[
    "sight",
    "hearing",
    "smell",
    "moving_target",
    "food_borne",
    "suppleness",
    "blending_in",
    "snow",
    "climbing",
    "spoken",
    "tracking",
]
"""The circumstances under which something counts; a check names those that hold."""

ANY = "any"
"""The word that every check goes by."""

Raisable: TypeAlias = Literal["COG", "COO", "INT", "REF", "SAV", "SOM", "WIL", "DUR", "STR"]
Figure: TypeAlias = Literal["COG", "COO", "INT", "REF", "SAV", "SOM", "WIL", "DUR", "STR", "INIT", "LUCK"]


class Bonus(PlainBonus):
    """A bonus or a penalty on checks, always or under a circumstance."""

    grant: Literal["bonus"]
    when: When | None = None
    kind: None = None  # all bonuses add up (renaissance.core.stacking)


class FigureChange(EntryPart):
    """A figure is higher or lower; what follows from it follows."""

    grant: Literal["figure"]
    figure: Figure
    value: Number


class Armor(EntryPart):
    """Armor that adds up with whatever else is worn."""

    grant: Literal["armor"]
    value: int = Field(ge=1, le=20)


class Negate(EntryPart):
    """The penalty of so many wounds or traumas does not count; they are there all the same.

    The rules are renaissance.injury.negate and renaissance.stress.stack_negate.
    """

    grant: Literal["negate"]
    what: Literal["wound", "trauma"]
    number: int = Field(default=1, ge=1, le=10)


class FastHealing(EntryPart):
    """Damage that heals each turn, and one wound each day; perhaps only while `buried`, or `better` by a check."""

    grant: Literal["fast_healing"]
    amount: int = Field(ge=1, le=20)
    buried: bool = False
    better: int = Field(default=0, ge=0, le=20)
    check: str = ""


class CountsAs(EntryPart):
    """Counts as another size against ranged attacks."""

    grant: Literal["counts_as"]
    size: Literal["small", "large"]


class Ambidextrous(EntryPart):
    """One off hand counts as dominant."""

    grant: Literal["ambidextrous"]


class Alert(EntryPart):
    """Passive checks of a skill have no penalty."""

    grant: Literal["alert"]
    skill: str = "perception"


class Reroll(EntryPart):
    """A Luck point buys a second roll of initiative, or of a social check, which then counts."""

    grant: Literal["reroll"]
    what: Literal["initiative", "social"]


class Hardened(EntryPart):
    """The Willpower once more against one source of stress."""

    grant: Literal["hardened"]


class Assist(EntryPart):
    """May assist checks of martial skills in combat (renaissance.gap.class.soldier)."""

    grant: Literal["assist"]


class Sustain(EntryPart):
    """The penalty for sustaining powers of a kind is so much less (renaissance.gap.class.channeler)."""

    grant: Literal["sustain"]
    kind: Literal["spell", "sleight", "maneuver", "boon"]
    less: int = Field(ge=1, le=100)


class LuckBonus(EntryPart):
    """A Luck point before a check gives a bonus."""

    grant: Literal["luck_bonus"]
    value: int = Field(ge=1, le=100)


class Rival(EntryPart):
    """A quick action names a rival: a bonus on attacks against it, a penalty against all others."""

    grant: Literal["rival"]
    bonus: Number
    penalty: Number


class Instead(EntryPart):
    """Target for skills of a category without ranks; perhaps without special grades.

    The rules are renaissance.gap.class.intuitive_fighter and renaissance.gap.class.scholar.
    """

    grant: Literal["instead"]
    category: Literal["attack", "knowledge"]
    formula: FormulaText
    graded: bool = True


class FreeIntimidation(EntryPart):
    """An exceptional attack lets intimidate without an action."""

    grant: Literal["free_intimidation"]


class Companion(EntryPart):
    """A companion: a follower with so many points, or a minion that is made by a task and a check."""

    grant: Literal["companion"]
    nature: Literal["follower", "minion"]
    points: int = Field(default=0, ge=0, le=1_000)
    ranks: int = Field(default=0, ge=0, le=1_000)
    most_knowledge: int = Field(default=0, ge=0, le=100)
    race: str = ""
    skill: str = ""
    minutes: int = Field(default=0, ge=0, le=10_000)
    repair_minutes: int = Field(default=0, ge=0, le=10_000)
    repairs: DamageText = DV(1)


class Resists(EntryPart):
    """Resistance or vulnerability to attacks and effects with a tag (renaissance.resistance.keywords)."""

    grant: Literal["resists"]
    tag: str = Field(min_length=1, max_length=40)
    vulnerable: bool = False


class Immune(EntryPart):
    """Not touched by poison, disease or stress; checks against fear or pain always succeed."""

    grant: Literal["immune"]
    to: tuple[Literal["poison", "disease", "stress", "fear", "pain"], ...] = Field(min_length=1)


class NoHealing(EntryPart):
    """Neither natural healing nor Medicine does anything."""

    grant: Literal["no_healing"]


class Shape(EntryPart):
    """Changes between two forms as a standard action; so many features of the hybrid form are picked."""

    grant: Literal["shape"]
    picks: int = Field(ge=1, le=10)


class Words(EntryPart):
    """An effect that the game master judges; `text` describes it."""

    grant: Literal["words"]
    text: Annotated[str, ForPeople()] = Field(min_length=1, max_length=400)


Grant: TypeAlias = Annotated[
    Bonus
    | FigureChange
    | Armor
    | Negate
    | FastHealing
    | CountsAs
    | Ambidextrous
    | Alert
    | Reroll
    | Hardened
    | Assist
    | Sustain
    | LuckBonus
    | Rival
    | Instead
    | FreeIntimidation
    | Companion
    | Resists
    | Immune
    | NoHealing
    | Shape
    | Words,
    Field(discriminator="grant"),
]


# ---------------------------------------------------------------------- what powers do


class HeldWeapon(EntryPart):
    """Makes a weapon that is held; it lasts so many turns after it has left the hand."""

    effect: Literal["held_weapon"]
    weapon: WeaponId
    turns: int = Field(ge=1, le=100)


class Explodes(EntryPart):
    """A held weapon of magic may end in a Blast."""

    effect: Literal["explodes"]
    weapon: WeaponId


class Fiercer(EntryPart):
    """Magic with a tag does more dice of damage and pierces more."""

    effect: Literal["fiercer"]
    tag: Tag
    dice: int = Field(ge=0, le=10)
    ap: int = Field(ge=0, le=20)


class Teleport(EntryPart):
    """Be elsewhere at once, up to so many times the full rate away; no movement action."""

    effect: Literal["teleport"]
    full_rates: int = Field(ge=1, le=20)


class While(EntryPart):
    """While the power is sustained, this is given."""

    effect: Literal["while"]
    gives: Grant


class Raise(EntryPart):
    """While it is sustained, one figure of choice is higher."""

    effect: Literal["raise"]
    value: int = Field(ge=1, le=50)
    of: tuple[Raisable, ...] = Field(min_length=1)


class Befriend(EntryPart):
    """An opposed check; won, the target takes one for a friend."""

    effect: Literal["befriend"]
    skill: str
    against: Annotated[str, Refers("numbers")]


class Weaving(EntryPart):
    """Move, and until the next turn defend also with a movement skill and with a bonus."""

    effect: Literal["weave"]
    skill: str
    value: int = Field(ge=1, le=100)


class Sneak(EntryPart):
    """More dice of damage against those who are unaware or helpless."""

    effect: Literal["sneak"]
    dice: int = Field(ge=1, le=10)


class Sweep(EntryPart):
    """One attack with a melee weapon on each of several foes within its reach."""

    effect: Literal["sweep"]
    targets: int = Field(ge=2, le=8)


class ShieldWeapon(EntryPart):
    """A shield in hand is a weapon."""

    effect: Literal["shield_weapon"]
    weapon: WeaponId


PowerEffect: TypeAlias = Annotated[
    HeldWeapon | Explodes | Fiercer | Teleport | While | Raise | Befriend | Weaving | Sneak | Sweep | ShieldWeapon,
    Field(discriminator="effect"),
]
