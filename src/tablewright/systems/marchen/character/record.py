"""The frozen character and its parts."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tablewright.game.character.character import Character, Field, Frozen, FrozenModel
from tablewright.game.time.calendar import MOST_TICKS
from tablewright.game.time.timers import PendingTimers
from tablewright.game.values import Ranks
from tablewright.systems.marchen.values import CONNECTED, LEAST_RANK, MOST_RANK, Aspect, Characteristic, SkillId

RULES = "0.1.0"
PACK, WORN, HAND = "pack", "worn", "hand"
"""The places of belongings: stowed, worn, in hand."""

SOUND = 4
"""Number of conditions that destroy an item; ``Carried.left`` is how many it can still take (None: it is whole)."""

MOST_NAME = 60
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_NAME)]
Text: TypeAlias = Annotated[str, Field(max_length=1_000)]
Score: TypeAlias = Annotated[int, Field(ge=-10, le=40)]
Level: TypeAlias = Annotated[int, Field(ge=0, le=6)]
Tl: TypeAlias = Annotated[int, Field(ge=0, le=33)]
Rank: TypeAlias = Annotated[int, Field(ge=-4, le=4)]
Some: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000)]


class Scores(FrozenModel):
    """The sixteen scores as they were when the character was made; what came later is in ``changes``.

    On the ``cepheus`` scale the aspects follow from the characteristics and are not read.
    """

    physical: Score = 0
    mental: Score = 0
    social: Score = 0
    spiritual: Score = 0
    muscle: Score = 0
    agility: Score = 0
    stamina: Score = 0
    intellect: Score = 0
    reasoning: Score = 0
    acuity: Score = 0
    manners: Score = 0
    personality: Score = 0
    identity: Score = 0
    skepticism: Score = 0
    faith: Score = 0
    mystery: Score = 0


class Specialization(FrozenModel):
    """A specialization of a skill that has been studied, and the technology level at which it was learned."""

    skill: SkillId
    name: Word
    level: Level = 1
    tl: Tl = 2


class Change(FrozenModel):
    """A permanent change: to a score, or to a level (``skill`` or ``skill/specialization``)."""

    what: Word
    value: int = Field(ge=-20, le=20)
    source: Word = "ruling"


FOR_GOOD = 100
"""The seasons of a raise that does not wear off."""


class Raise(FrozenModel):
    """An aspect that is higher for a time, perhaps in one matter alone; ``phases`` are the seasons it still lasts."""

    aspect: Aspect
    value: int = Field(ge=-10, le=10)
    phases: int = Field(ge=1, le=FOR_GOOD)
    issue: Annotated[str, Field(max_length=60)] = ""
    source: Word = "raise"


class Boon(FrozenModel):
    """A stored help: so many uses of a DM on checks of some skills or of an aspect; on any where none is named.

    What was prepared for a ``matter`` counts by itself for the next check in it, for better or worse. A
    ``circumstance`` is one reason of help among others.
    """

    name: Word
    dm: int = Field(default=1, ge=-10, le=10)
    uses: int = Field(default=1, ge=1, le=100)
    skills: tuple[SkillId, ...] = ()
    aspect: Aspect | None = None
    matter: Annotated[str, Field(max_length=60)] = ""
    circumstance: bool = False


class Condition(FrozenModel):
    """A named -1 on checks of an aspect; a scar is there for good."""

    name: Word
    aspect: Aspect
    permanent: bool = False


class Served(FrozenModel):
    """A career that was followed: for how many terms, how far, and how it ended."""

    career: Word
    skills: tuple[SkillId, ...] = ()
    terms: int = Field(default=1, ge=1, le=7)
    rank: int = Field(default=0, ge=0, le=7)
    raised: Annotated[str, Field(max_length=20)] = ""
    mishap: bool = False


class Holding(FrozenModel):
    """A house, a mill, a piece of land: where it is, and which specialty helps to tend it."""

    name: Word
    culture: Annotated[str, Field(max_length=60)] = ""
    specialty: Annotated[str, Field(max_length=60)] = ""


class Journey(FrozenModel):
    """A journey under way: where to, how many miles it is, how many are behind."""

    to: Word
    miles: int = Field(ge=1, le=100_000)
    gone: int = Field(default=0, ge=0, le=100_000)


class Study(FrozenModel):
    """Training that is not complete yet: what for, and how many seasons of it are done."""

    skill: SkillId
    specialization: Annotated[str, Field(max_length=60)] = ""
    seasons: int = Field(default=1, ge=1, le=100)


class Advance(FrozenModel):
    """A step that was bought with experience, or learned by training (``cost`` 0)."""

    what: Literal["skill", "specialization", "characteristic", "aspect"]
    name: Word
    skill: Annotated[str, Field(max_length=60)] = ""
    cost: int = Field(ge=0, le=10_000)
    how: Literal["experience", "training", "sage"] = "experience"
    lifted: bool = False  # whether a mastered specialization lifted its skill


class Waiting(FrozenModel):
    """A DM on the next check, and where it comes from; a ``circumstance`` is one reason of help among others."""

    name: Word
    dm: int = Field(ge=-100, le=100)
    circumstance: bool = False


class Wounds(FrozenModel):
    """State carried from scene to scene: damage by aspect, conditions, down, dying or at an end.

    ``weight`` are DMs that last until the damage of an aspect is down to its threshold. ``dying`` is how long there is
    for help; ``fate`` is the end, in the words of the aspect. ``nexts`` are DMs on the next check, ``hindered`` a
    disadvantage on it.
    """

    damage: Ranks = Ranks()
    conditions: tuple[Condition, ...] = Field(default=(), max_length=100)
    weight: Ranks = Ranks()
    down: bool = False
    lain: int = Field(default=0, ge=0, le=MOST_TICKS)  # for how long, in ticks up to a watch
    conscious: bool = True
    dying: Literal["", "puncti", "watch"] = ""
    fate: Literal["", "dead", "mind gone", "outcast", "soul lost"] = ""
    treated: bool = False  # first aid was given since the last fight
    nexts: tuple[Waiting, ...] = Field(default=(), max_length=100)
    hindered: bool = False


class MarchenCharacter(Character):
    """A character or a creature."""

    system: Literal["marchen"] = "marchen"
    rules: str = Field(default=RULES, min_length=1, max_length=40)
    kind: str = "character"
    race: Annotated[str, Field(max_length=60)] = ""
    culture: Annotated[str, Field(max_length=60)] = ""
    home_tl: Tl = 2
    age: int = Field(default=18, ge=0, le=10_000)
    generation: Literal["array", "roll", "narrative", "points", "npc"] = "array"
    rolled: tuple[Score, ...] = Field(default=(), max_length=16)
    scores: Scores = Scores()
    scale: Literal["", "direct", "cepheus"] = ""  # of the scores; empty for the table's
    changes: tuple[Change, ...] = Field(default=(), max_length=500)
    current: Ranks = Ranks()  # the current value of an aspect where it is not its maximum
    raises: tuple[Raise, ...] = Field(default=(), max_length=50)
    skills: Frozen[Level] = Frozen()
    specializations: tuple[Specialization, ...] = Field(default=(), max_length=200)
    careers: tuple[Served, ...] = Field(default=(), max_length=7)
    traits: tuple[Word, ...] = Field(default=(), max_length=100)
    virtues: tuple[Word, ...] = Field(default=(), max_length=100)
    boons: tuple[Boon, ...] = Field(default=(), max_length=200)
    natural: tuple[Word, ...] = Field(default=(), max_length=20)  # natural weapons, by id
    hide: int = Field(default=0, ge=0, le=30)  # what a creature's skin is worth as armour
    treasure: Some = 3
    supply: int = Field(default=3, ge=0, le=5)
    connections: Frozen[Rank] = Frozen()
    patrons: tuple[Word, ...] = Field(default=(), max_length=50)
    titles: tuple[Word, ...] = Field(default=(), max_length=50)  # cultures in which the standing counts besides home
    holdings: tuple[Holding, ...] = Field(default=(), max_length=50)
    songs: tuple[Word, ...] = Field(default=(), max_length=200)
    sanctuaries: tuple[Word, ...] = Field(default=(), max_length=100)
    journey: Journey | None = None  # the one that the company is on
    sung: tuple[Word, ...] = Field(default=(), max_length=200)  # songs of the company that helped since the last season
    seasons: int = Field(default=0, ge=0, le=3)  # since the last birthday
    lived: int = Field(default=0, ge=0, le=MOST_TICKS)  # ticks since the last season that counted for the age
    phase: int = Field(default=0, ge=0, le=MOST_TICKS)  # ticks since the last season that counted for raises
    discount: Some = 0  # off the next raise of standing
    heir: Annotated[str, Field(max_length=60)] = ""
    spouse: Annotated[str, Field(max_length=60)] = ""
    retired: Annotated[str, Field(max_length=60)] = ""
    done: tuple[Word, ...] = Field(default=(), max_length=200)  # activities that can be done once in a life
    revealed: Ranks = Ranks()  # of famous things, by id: how many of their qualities one knows
    studies: tuple[Study, ...] = Field(default=(), max_length=50)
    experience: Some = 0
    advances: tuple[Advance, ...] = Field(default=(), max_length=1_000)
    wounds: Wounds = Wounds()
    pending: PendingTimers = ()

    @property
    def spent(self) -> int:
        """The experience spent so far."""
        return sum([advance.cost for advance in self.advances])

    @property
    def available(self) -> int:
        """The experience that can still be spent."""
        return self.experience - self.spent

    def raises_after(self, seasons: int) -> tuple[Raise, ...]:
        """The raises that are left after so many seasons; what is for good stays."""
        return tuple(
            [
                one if one.phases == FOR_GOOD else one.changed(phases=one.phases - seasons)
                for one in self.raises
                if one.phases == FOR_GOOD or one.phases > seasons
            ]
        )

    def level(self, skill: SkillId) -> int | None:
        """The level of a skill; None where it was never learned."""
        return self.skills.get(skill)

    def specialization(self, skill: SkillId, name: str) -> Specialization | None:
        """A specialization of a skill by its name; level 0 of any is there from level 1 of the skill on.

        A specialization that was never studied has the technology level of home (marchen.specialization.unlock).
        """
        wanted = name.strip().casefold()
        for known in self.specializations:
            if known.skill == skill and known.name.casefold() == wanted:
                return known
        if not 1 <= len(wanted) <= MOST_NAME or (self.skills.get(skill) or 0) < 1:
            return None
        return Specialization(skill=skill, name=name.strip(), level=0, tl=self.home_tl)

    def connection(self, name: str) -> int | None:
        """The rank of a connection; None if unknown."""
        return self.connections.get(name)

    def with_connection(self, name: str, change: int) -> MarchenCharacter:
        """With a connection that has changed by so many ranks, from -4 to 4; an unknown one starts at nothing."""
        rank = min(max((self.connections.get(name) or 0) + change, LEAST_RANK), MOST_RANK)  # marchen.connection.ranks
        return self.changed(connections=self.connections.put(name, rank))

    def connected(self, name: str) -> MarchenCharacter:
        """The character with a new connection."""
        return self.changed(connections=self.connections.put(name, CONNECTED))


Scored: TypeAlias = Aspect | Characteristic
