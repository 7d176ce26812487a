"""The frozen character and its parts."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tablewright.game.character.character import Character, Field, Frozen, FrozenModel
from tablewright.game.content.entries import Amount
from tablewright.game.time.timers import PendingTimers
from tablewright.game.values import Ranks
from tablewright.systems.opend6.content import Attribute, Code, Extranormal
from tablewright.systems.opend6.values import DieCode, WoundLevel

RULES = "0.1.0"
PACK, WORN, HAND, HANDS = "pack", "worn", "hand", "hands"
"""The places of belongings: stowed, worn, held in one hand, held in both hands."""

Word: TypeAlias = Annotated[str, Field(max_length=60)]
Text: TypeAlias = Annotated[str, Field(max_length=1_000)]
Points: TypeAlias = Annotated[int, Field(ge=0, le=100_000)]
Method: TypeAlias = Literal["defined_limits", "creation_points"]
Stance: TypeAlias = Literal["unjudged", "supports", "neutral", "against"]
Station: TypeAlias = Literal["kids_elderly", "bystanders_animals", "minor_villains", "major"]
Standing: TypeAlias = Literal["open", "harder", "needs_time_or_help", "locked_out"]
Bought: TypeAlias = Literal[
    "skill", "specialisation", "attribute", "ability", "advantage", "disadvantage", "bought_off", "funds"
]


class Attributes(FrozenModel):
    """The seven attributes as they are written; the Extranormal one is 0D for most people."""

    agility: Code = DieCode(2)
    coordination: Code = DieCode(2)
    physique: Code = DieCode(2)
    intellect: Code = DieCode(2)
    acumen: Code = DieCode(2)
    charisma: Code = DieCode(2)
    extranormal: Code = DieCode(0)


class Specialisation(FrozenModel):
    """Special knowledge within a skill: the adds count for this subject alone."""

    skill: Word
    subject: Word = Field(min_length=1)
    adds: Code


class OwnAbility(FrozenModel):
    """A Special Ability by its id, with the ranks and what they concern: an attribute, or some skills."""

    id: Word
    ranks: int = Field(default=1, ge=1, le=50)
    attribute: Attribute | None = None
    skills: tuple[Word, ...] = Field(default=(), max_length=10)

    @property
    def concern(self) -> str:
        """Its subject in one word; empty without one."""
        return self.attribute or ",".join(self.skills)


class FateSpent(FrozenModel):
    """A spent Fate Point: its use, and whether the deed was in line with the moral code."""

    on: Text = ""
    stance: Stance = "unjudged"


class Tried(FrozenModel):
    """A failed task: the number of narrow misses, and the obstacle to another try."""

    failures: int = Field(default=0, ge=0, le=1_000)
    state: Standing = "open"


class Advance(FrozenModel):
    """One step that was bought with Character Points.

    ``interval`` is the time between adventures in which it was bought; ``pips`` its gain (0 where an upper-limit
    test failed); ``rolled`` is what was rolled for it: no step that was rolled for can be taken back.
    """

    what: Bought
    name: Word
    subject: Word = ""
    cost: int = Field(ge=-10_000, le=10_000)
    interval: int = Field(default=0, ge=0, le=100_000)
    pips: int = Field(default=1, ge=0, le=1)
    rolled: bool = False
    body_points: int = Field(default=0, ge=0, le=1_000)


class Wounds(FrozenModel):
    """Injuries that last from one scene to the next. Unset Body Points are at their maximum.

    ``dying_minutes`` are completed minutes of dying, ``unconscious`` the minutes until waking, ``weakened`` the dice
    that skills have lost since a rescue from dying, ``treated_by`` the healers who have treated the wounds today.
    """

    level: WoundLevel = "healthy"
    body_points: int | None = Field(default=None, ge=-10_000, le=10_000)
    dying_minutes: int = Field(default=0, ge=0, le=1_000)
    unconscious: int = Field(default=0, ge=0, le=100_000)
    weakened: int = Field(default=0, ge=0, le=10)
    treated_by: tuple[Word, ...] = Field(default=(), max_length=100)


class OpenD6Character(Character):
    """A character of a player or of the game master.

    ``skills`` are whole codes, as on a sheet; a skill that is not named is at its attribute. ``body_points`` are the
    rolled points. ``wound_levels`` is the number of levels of a game master's character, and ``station`` its place in
    the story, which gives the Body Points where none were rolled. ``interval`` counts the times between adventures,
    ``used_skills`` are the skills used since the last one began, and ``improvable`` those used in the adventure before
    it or trained since.
    """

    system: Literal["opend6"] = "opend6"
    rules: str = Field(default=RULES, min_length=1, max_length=40)
    kind: str = "character"
    occupation: Word = ""
    moral_code: Text = ""
    method: Method = "defined_limits"
    years: int = Field(default=0, ge=0, le=50)
    part_time_years: int = Field(default=0, ge=0, le=50)
    attributes: Attributes = Attributes()
    extranormal: Extranormal | None = None
    skills: Frozen[Code] = Frozen()
    specialisations: tuple[Specialisation, ...] = Field(default=(), max_length=200)
    languages: tuple[Word, ...] = Field(default=(), max_length=50)
    abilities: tuple[OwnAbility, ...] = Field(default=(), max_length=50)
    advantages: Ranks = Ranks()
    disadvantages: Ranks = Ranks()
    funds_adds: Code = DieCode(0)
    character_points: Points = 5
    fate_points: Points = 1
    climactic_used: bool = False
    fate_spent: tuple[FateSpent, ...] = Field(default=(), max_length=1_000)
    fast_reactions_used: int = Field(default=0, ge=0, le=100)
    silver: Amount = Field(default=0)  # type: ignore[assignment]
    traded: bool = False  # whether anything was bought, sold or found since the character was made
    body_points: int | None = Field(default=None, ge=1, le=10_000)
    wound_levels: int = Field(default=5, ge=1, le=5)
    move: int = Field(default=10, ge=0, le=1_000)
    scale: int = Field(default=0, ge=-30, le=30)
    natural_weapons: tuple[Word, ...] = Field(default=(), max_length=20)
    important: bool = False  # a significant one of the game master's
    station: Station | None = None
    tries: Frozen[Tried] = Frozen()
    used_skills: tuple[Word, ...] = Field(default=(), max_length=200)
    improvable: tuple[Word, ...] = Field(default=(), max_length=200)
    interval: int = Field(default=0, ge=0, le=100_000)
    advances: tuple[Advance, ...] = Field(default=(), max_length=2_000)
    at_limit: tuple[Word, ...] = Field(default=(), max_length=100)
    wounds: Wounds = Wounds()
    pending: PendingTimers = ()
