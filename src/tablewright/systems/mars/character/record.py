"""The frozen character and its parts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from tablewright.game.character.character import Character, Field, Frozen, FrozenModel
from tablewright.game.content.entries import Amount
from tablewright.game.values import Ranks
from tablewright.systems.mars.content import Grant, Rolls, Size, Stat, When
from tablewright.systems.mars.values import RollValue

RULES = "0.1.0"
PACK, WORN, HAND, HANDS = "pack", "worn", "hand", "hands"
"""The places of belongings: stowed, worn, wielded in one hand, wielded in both hands."""

Word: TypeAlias = Annotated[str, Field(max_length=60)]
Text: TypeAlias = Annotated[str, Field(max_length=1_000)]
Number: TypeAlias = Annotated[int, Field(ge=-10_000, le=10_000)]

EffectKind: TypeAlias = Literal[
    # the effects of the book
    "blind",
    "burning",
    "debilitation",
    "dying",
    "encumbered",
    "enhancement",
    "overencumbered",
    "prone",
    "sickness",
    "stunned",
    "unconscious",
    # what actions, maneuvers and talents leave behind
    "stat_change",
    "halved_speed",
    "shaken",
    "unsighted",
    "opening",
    "rating",
    "rally",
    "cover",
    "rage",
    "fatigue",
]
EFFECTS: tuple[EffectKind, ...] = get_args(EffectKind)


@dataclass(frozen=True, slots=True)
class MarsEffect:
    """Effect on a character, in a scene or between scenes.

    ``stat`` is the stat of a debilitation, an enhancement or a change. ``degree`` is the strength of burning, sickness
    and fatigue, and the number of stuns; ``value`` is the bonus or penalty. ``source`` tells several of a kind apart.
    ``left`` are the seconds until it ends or is checked, ``again`` the seconds after that (0: as the rules say);
    ``turn_of`` and ``until`` are the turn and the round before which it expires. Without these it stays until something
    ends it.
    """

    kind: EffectKind
    stat: str = ""
    degree: int = 0
    value: int = 0
    source: str = ""
    difficulty: int | None = None
    left: int | None = None
    again: int = 0
    turn_of: str = ""
    until: int | None = None
    successes: int = 0
    failures: int = 0

    @property
    def lasts(self) -> bool:
        """True if it goes on after the encounter."""
        return self.until is None

    def lasts_as_long(self, until: int | None) -> bool:
        """True if it goes on until a round at least; None: until something ends it."""
        return self.until is None or (until is not None and self.until >= until)

    def to_json(self) -> dict[str, Any]:
        """The effect as in a file, without fields at their defaults."""
        plain = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: value for name, value in plain.items() if name == "kind" or value != _USUAL[name]}

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        typed: dict[str, Any] = dict.fromkeys(("difficulty", "left", "until"), int | None)
        typed |= dict.fromkeys(("degree", "value", "again", "successes", "failures"), int)
        typed |= dict.fromkeys(("stat", "source", "turn_of"), str)
        inside = {
            name: core_schema.typed_dict_field(handler.generate_schema(kind), required=False)
            for name, kind in typed.items()
        }
        inside["kind"] = core_schema.typed_dict_field(handler.generate_schema(EffectKind))
        made = core_schema.no_info_after_validator_function(
            lambda given: cls(**given), core_schema.typed_dict_schema(inside, extra_behavior="forbid")
        )
        return core_schema.json_or_python_schema(
            json_schema=made,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), made]),
            serialization=core_schema.plain_serializer_function_ser_schema(cls.to_json),
        )


_USUAL = {entry.name: entry.default for entry in fields(MarsEffect)}


def counting(effects: tuple[MarsEffect, ...], kind: EffectKind) -> tuple[MarsEffect, ...]:
    """Effects of a kind that count: the greatest bonus and the greatest penalty of a source on a stat.

    >>> of_a_spell = [MarsEffect("stat_change", "STR", value=value, source="spell") for value in (1, 3, -2)]
    >>> [effect.value for effect in counting(tuple(of_a_spell), "stat_change")]
    [3, -2]
    """
    found: dict[tuple[str, str, bool], MarsEffect] = {}
    for effect in effects:
        if effect.kind == kind:
            key = (effect.stat, effect.source, effect.value < 0)
            known = found.get(key)
            if known is None or abs(effect.value) > abs(known.value):
                found[key] = effect
    return tuple(found.values())


class Stats(FrozenModel):
    """The four primary stats as written: the roll value; a creature's may have its modifier with it."""

    STR: Rolls = RollValue(10)
    DEX: Rolls = RollValue(10)
    INT: Rolls = RollValue(10)
    RES: Rolls = RollValue(10)


class OwnTrait(FrozenModel):
    """A trait: one from the content by its id, or a free one with a name, a text and its grants."""

    id: Word = ""
    name: Word = ""
    text: Text = ""
    grants: tuple[Grant, ...] = ()


class Advance(FrozenModel):
    """One step that was bought with experience.

    ``opportunity`` is the time between sessions in which it was bought, counted from 1; ``maneuver`` is what was
    learned by it.
    """

    what: Literal["stat", "skill", "language", "talent"]
    name: Word
    cost: int = Field(ge=0, le=1_000)
    opportunity: int = Field(default=1, ge=0, le=100_000)
    maneuver: Word = ""


class Change(FrozenModel):
    """A permanent change: to a stat, to a skill, or to the maximum of a resource."""

    what: Word
    value: int = Field(ge=-50, le=50)
    source: Word = ""


class Wounds(FrozenModel):
    """State carried from one scene to the next. A resource that is not named is at its maximum.

    ``used`` counts what was used of abilities that a long rest restores, by the id of the talent.
    """

    health: Number | None = None
    endurance: Number | None = None
    stamina: Number | None = None
    focus: Number | None = None
    effects: tuple[MarsEffect, ...] = Field(default=(), max_length=200)
    used: Ranks = Ranks()
    dead: bool = False


class Day(FrozenModel):
    """State of a day so far; a day ends with a long rest.

    ``interrupted`` is so after half a long rest, and ``given`` is what that half gave; ``treated`` is so once wounds
    were treated well in it. Moments are seconds on the clock of the scene, so between scenes they are 0 or less:
    ``rested_at`` is when the last long rest began, ``reckoned_at`` when the last day was reckoned. ``slept``, ``meals``
    and ``litres`` count since then; ``meals_missed`` are those that have not tired anyone yet.
    """

    short_rests: int = Field(default=0, ge=0, le=100)
    interrupted: bool = False
    given: Ranks = Ranks()
    treated: bool = False
    rested_at: int | None = None
    reckoned_at: int = 0
    slept: bool = False
    meals: int = Field(default=0, ge=0, le=10_000)
    litres: int = Field(default=0, ge=0, le=10_000)
    meals_missed: int = Field(default=0, ge=0, le=10_000)


class Printed(FrozenModel):
    """Figures of a stat block that are taken as they are printed, whatever is worn.

    ``skills_when`` are the circumstances under which alone a skill counts, ``maneuvers_with`` the natural weapons that
    alone go with a maneuver.
    """

    INIT: Rolls | None = None
    DEF: Rolls | None = None
    EVA: Rolls | None = None
    FORT: Rolls | None = None
    WILL: Rolls | None = None
    health: Number | None = None
    endurance: Number | None = None
    stamina: Number | None = None
    focus: Number | None = None
    reduction: Number | None = None
    reduction_against: Frozen[int] = Frozen()
    speed: Number | None = None
    skills_when: Frozen[tuple[When, ...]] = Frozen()
    maneuvers_with: Frozen[Word] = Frozen()


class MarsCharacter(Character):
    """A character or a creature.

    Modifiers of stats and skills are never written down: they follow from ancestry, size, background, checkpoints,
    talents and permanent changes. Creatures have theirs printed.
    """

    system: Literal["mars"] = "mars"
    rules: str = Field(default=RULES, min_length=1, max_length=40)
    kind: str = "character"
    ancestry: Word = ""
    size: Size = "medium"
    background: Word = ""
    archetype: Word = ""
    motivation: Text = ""
    stats: Stats = Stats()
    skills: Frozen[Rolls] = Frozen()
    native: tuple[Word, ...] = ()
    languages: Frozen[Rolls] = Frozen()
    talents: Ranks = Ranks()
    traits: tuple[OwnTrait, ...] = Field(default=(), max_length=20)
    maneuvers: tuple[Word, ...] = Field(default=(), max_length=100)
    weapons: tuple[Word, ...] = Field(default=(), max_length=20)  # natural ones
    ancestry_stats: tuple[Stat, ...] = ()
    ancestry_skill: Word = ""
    background_skills: tuple[Word, ...] = ()
    archetype_skills: tuple[Word, ...] = ()
    archetype_spread: tuple[int, ...] = ()
    archetype_talents: tuple[Word, ...] = ()
    money: Amount = Field(default=0)  # type: ignore[assignment]
    traded: bool = False  # whether anything was bought, sold or found since the character was made
    experience: int = Field(default=0, ge=0, le=1_000_000)
    opportunity: int = Field(default=0, ge=0, le=100_000)
    advances: tuple[Advance, ...] = Field(default=(), max_length=1_000)
    checkpoints: tuple[Stat, ...] = Field(default=(), max_length=100)
    changes: tuple[Change, ...] = Field(default=(), max_length=200)
    rank: Literal["", "simple", "common", "legendary"] = ""
    printed: Printed = Printed()
    wounds: Wounds = Wounds()
    day: Day = Day()

    @property
    def spent(self) -> int:
        """The experience spent so far."""
        return sum([advance.cost for advance in self.advances])

    @property
    def available(self) -> int:
        """The experience that can still be spent."""
        return self.experience - self.spent
