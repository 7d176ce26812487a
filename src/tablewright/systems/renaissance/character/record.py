"""The frozen character and its parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from tablewright.game.character.character import KEPT, Character, Field, Frozen, FrozenModel
from tablewright.game.time.timers import PendingTimers
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.content import Aptitude

RULES = "0.1.0"
PACK, WORN, MAIN, OFF, BOTH = "pack", "worn", "main", "off", "both"
"""The places of belongings: stowed, worn, in the dominant hand, in the off hand, in both hands."""

START = 15  # renaissance.gap.creation.aptitudes

Word: TypeAlias = Annotated[str, Field(max_length=60)]
Text: TypeAlias = Annotated[str, Field(max_length=1_000)]
Points: TypeAlias = Annotated[int, Field(ge=0, le=10_000)]


class Aptitudes(FrozenModel):
    """The seven aptitudes as they were set, before race, tweaks and everything else."""

    COG: int = Field(default=START, ge=0, le=100)
    COO: int = Field(default=START, ge=0, le=100)
    INT: int = Field(default=START, ge=0, le=100)
    REF: int = Field(default=START, ge=0, le=100)
    SAV: int = Field(default=START, ge=0, le=100)
    SOM: int = Field(default=START, ge=0, le=100)
    WIL: int = Field(default=START, ge=0, le=100)


What: TypeAlias = Literal["skill", "specialization", "trait", "buy_off", "class", "power", "luck"]


class Advance(FrozenModel):
    """One thing that was bought with Rez points; ``opportunity`` is the down-time in which it was, counted from 1.

    ``detail`` is the specialization or what a trait is about; ``ranks`` how many ranks of a skill were bought at once.
    """

    what: What
    name: Annotated[str, Field(max_length=120)] = ""
    cost: int = Field(ge=-1_000, le=1_000)
    opportunity: int = Field(default=0, ge=0, le=100_000)
    detail: Word = ""
    ranks: int = Field(default=0, ge=0, le=70)


class Held(FrozenModel):
    """A condition, a disease or a chemical that lasts between scenes; ``left`` is in seconds."""

    id: Word
    degree: int = Field(default=1, ge=-1_000, le=1_000)
    left: int | None = Field(default=None, ge=0, le=10**12)
    source: Word = ""
    data: Annotated[Any, KEPT] = None


class Harm(FrozenModel):
    """State that a character carries from one scene to the next.

    Of the ``wounds``, ``bound`` ones are negated and ``tried`` ones could not be bound; likewise ``soothed`` and
    ``meditated`` traumas.
    ``mending`` are the 28th parts of the next wound that has healed, ``easing`` the 210th parts of the next trauma.
    ``luck`` is None where all points are there. ``lost`` names what was cut off or put out, ``dur_lost`` is what a
    wasting disease took from Durability.
    """

    damage: Points = 0
    wounds: Points = 0
    bound: Points = 0
    tried: Points = 0
    stress: Points = 0
    traumas: Points = 0
    soothed: Points = 0
    meditated: Points = 0
    mending: Points = 0
    easing: Points = 0
    overwhelmed: bool = False
    luck: Points | None = None
    dur_lost: Points = 0
    lost: tuple[Word, ...] = Field(default=(), max_length=50)
    held: tuple[Held, ...] = Field(default=(), max_length=200)
    dead: bool = False
    insane: bool = False


class RenaissanceCharacter(Character):
    """A character or a creature.

    What follows from race, traits and the rest is never written down. ``tweaks`` are the points that raised aptitudes,
    DUR or STR; under the other method of making characters also what was ``lowered``. ``skills`` are all ranks, by the
    skill's id, with its field where it has fields (``knowledge:theology``), those that the background gave included.
    ``background_skills`` are the skills chosen for it in order, ``background_power`` and ``background_things`` what
    else was. ``bought`` are the things that were bought with creation points.
    """

    system: Literal["renaissance"] = "renaissance"
    rules: str = Field(default=RULES, min_length=1, max_length=40)
    kind: str = "character"
    race: Word = ""
    form: Literal["", "hybrid"] = ""
    features: tuple[Word, ...] = Field(default=(), max_length=10)
    aptitudes: Aptitudes = Aptitudes()
    tweaks: Ranks = Ranks()
    lowered: Ranks = Ranks()
    background: Word = ""
    background_skills: tuple[Annotated[str, Field(max_length=120)], ...] = Field(default=(), max_length=20)
    background_power: Word = ""
    background_things: tuple[Word, ...] = Field(default=(), max_length=20)
    native: Word = ""
    skills: Ranks = Ranks()
    exotic: Frozen[Aptitude] = Frozen()
    specializations: Frozen[Word] = Frozen()
    traits: Frozen[Word] = Frozen()
    classes: tuple[Word, ...] = Field(default=(), max_length=50)
    powers: tuple[Word, ...] = Field(default=(), max_length=100)
    luck: int = Field(default=1, ge=0, le=20)
    motivations: tuple[Word, ...] = Field(default=(), max_length=10)
    bought: Ranks = Ranks()
    copper: int = Field(default=0, ge=0, le=10**9)  # renaissance.gap.money.starting
    traded: bool = False  # whether anything was bought, sold or found since the character was made
    points: int = Field(default=800, ge=0, le=5_000)
    rez: int = Field(default=0, ge=0, le=100_000)
    opportunity: int = Field(default=0, ge=0, le=100_000)
    advances: tuple[Advance, ...] = Field(default=(), max_length=1_000)
    harm: Harm = Harm()
    pending: PendingTimers = ()

    @property
    def is_creature(self) -> bool:
        """True if it is an animal or a monster: the limits of characters do not hold."""
        return self.kind == "creature"

    @property
    def spent(self) -> int:
        """The Rez points spent so far."""
        return sum([advance.cost for advance in self.advances])

    @property
    def available(self) -> int:
        """The Rez points that can still be spent."""
        return self.rez - self.spent
