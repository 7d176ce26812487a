"""The frozen character and its parts."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tablewright.game.character.character import Character, Field, Frozen, FrozenModel
from tablewright.game.content.entries import Amount
from tablewright.game.time.timers import PendingTimers
from tablewright.game.values import Ranks

RULES = "0.1.0"
PACK, BELT, WORN, HAND, HANDS = "pack", "belt", "worn", "hand", "hands"
"""The places of belongings: stowed, in easy reach, worn, held in one hand, held in both hands."""

PLACES = (PACK, BELT, WORN, HAND, HANDS)
STARTING_POINTS = 440  # stage.character.point_budget

Word: TypeAlias = Annotated[str, Field(max_length=60)]
Text: TypeAlias = Annotated[str, Field(max_length=1_000)]
Left: TypeAlias = Annotated[int, Field(ge=0, le=10_000)]


class Advance(FrozenModel):
    """One thing that was bought with Character Points after creation; ``choice`` is what was chosen with a power.

    ``opportunity`` counts the awards before it.
    """

    what: Literal["skill", "power"]
    name: Word
    cost: int = Field(ge=0, le=10_000)
    choice: Word = ""
    opportunity: int = Field(default=0, ge=0, le=100_000)


class Sickness(FrozenModel):
    """A poison or disease that a character carries: its strain's level, how far it has come, what it has done.

    ``withstood`` counts attacks in a row that failed, ``counters`` the Disability Counters it gave, ``harm`` the points
    it took from each track; ``helped`` is what treatment adds to the Difficulty of its next attack. ``incubation`` is
    the time that was rolled for this case, in ticks; it fades over the same time once it is cured.
    """

    ailment: Word
    level: int = Field(ge=1, le=50)
    incubation: int = Field(ge=0)
    withstood: int = Field(default=0, ge=0)
    counters: int = Field(default=0, ge=0)
    harm: Ranks = Ranks()
    helped: int = Field(default=0, ge=0)
    cured: bool = False


class Wounds(FrozenModel):
    """Wounds that are kept from scene to scene. A track that is not named is at its maximum.

    ``first_aid`` suppresses the counters of Body damage; ``blocked`` is what cannot be restored yet, by cause (cold,
    thirst). ``dead_for`` are the rounds since death, ``asleep`` the ticks until a character wakes.
    """

    stamina: Left | None = None
    vitality: Left | None = None
    intellect: Left | None = None
    sanity: Left | None = None
    will: Left | None = None
    spirit: Left | None = None
    counters: int = Field(default=0, ge=0, le=1_000)
    first_aid: bool = False
    dead: bool = False
    dead_for: int = Field(default=0, ge=0)
    unconscious: Word = ""
    integrity: Left | None = None
    asleep: int = Field(default=0, ge=0)
    blocked: Frozen[Ranks] = Frozen()
    sicknesses: tuple[Sickness, ...] = Field(default=(), max_length=50)


class Day(FrozenModel):
    """The day so far: daily uses by name, and unmet needs.

    ``used`` counts recomposing and powers; ``awake`` are hours since the last rest of four hours or more, ``short``
    days of short rest in a row; ``thirst`` and ``hunger`` hours without drink and food; ``travelled`` minutes by mode.
    """

    used: Ranks = Ranks()
    awake: int = Field(default=0, ge=0)
    short: int = Field(default=0, ge=0)
    thirst: int = Field(default=0, ge=0)
    hunger: int = Field(default=0, ge=0)
    travelled: Ranks = Ranks()


class StageCharacter(Character):
    """A character or a creature: skill levels, powers, spells and enchantments; everything else follows.

    (stage.character.components)
    ``points`` are the Character Points received at creation, ``awarded`` those of later; what is spent follows from
    skills and powers. ``choices`` are made when a power is bought: a track, an item, a kind of art, an ability.
    ``prepared`` are the spells in the ``focus``, which is an item. A creature has its own ``size``, ``speed``,
    ``resistance`` and natural ``weapons``. A craft is the ``vehicle`` it names, and does nothing by itself.
    ``practised`` are hours at the controls of a craft, or on the back of a kind of animal, by its id. A mount may have
    a ``least_speed`` and an ``acceleration`` under its rider, and ask for skill levels (``needs``) and ``practice``.
    """

    system: Literal["stage"] = "stage"
    rules: str = Field(default=RULES, min_length=1, max_length=40)
    kind: str = "character"
    race: Word = ""
    sub_race: Word = ""
    background: Word = ""
    looks: Text = ""
    points: int = Field(default=STARTING_POINTS, ge=0, le=1_000_000)
    awarded: int = Field(default=0, ge=0, le=1_000_000)
    skills: Ranks = Ranks()
    powers: tuple[Word, ...] = Field(default=(), max_length=500)
    choices: Frozen[tuple[Word, ...]] = Frozen()
    spells: tuple[Word, ...] = Field(default=(), max_length=500)
    enchantments: tuple[Word, ...] = Field(default=(), max_length=500)
    focus: Word = ""
    prepared: tuple[Word, ...] = Field(default=(), max_length=100)
    money: Amount = Field(default=0)  # type: ignore[assignment]
    traded: bool = False  # whether anything was bought, sold or found since the character was made
    learned: int = Field(default=0, ge=0, le=1_000)  # spells and enchantments that were learned since then
    opportunity: int = Field(default=0, ge=0, le=100_000)
    advances: tuple[Advance, ...] = Field(default=(), max_length=1_000)
    size: int | None = Field(default=None, ge=1, le=30)
    speed: int | None = Field(default=None, ge=0, le=1_000)
    resistance: int = Field(default=0, ge=0, le=50)
    weapons: tuple[Word, ...] = Field(default=(), max_length=20)
    tricks: tuple[Word, ...] = Field(default=(), max_length=100)
    vehicle: Word = ""
    least_speed: int = Field(default=0, ge=0, le=1_000)
    acceleration: int | None = Field(default=None, ge=1, le=1_000)
    needs: Ranks = Ranks()
    practice: int = Field(default=0, ge=0, le=10_000)
    practised: Ranks = Ranks()
    wounds: Wounds = Wounds()
    day: Day = Day()
    pending: PendingTimers = ()

    def level(self, skill: str) -> int:
        """The level in a skill; 0 is untrained (stage.skill.levels)."""
        return self.skills.get(skill, 0)
