"""Vocabulary of the rules as values, with their notations and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias, get_args

from tablewright.errors import InvalidInputError
from tablewright.game.time.calendar import Calendar, Unit
from tablewright.systems.stage.options import AssistCapHolder

FEWEST_DICE = 1
"""No pool has fewer dice than this, and no roll a lower result (stage.check.minimum)."""

LOWEST_RESULT = 1

ASSIST_CAP = 1
"""Dice that all helpers together may give as long as no power raises it (stage.check.assist)."""


def assist_dice(helpers: int, cap: int | None = None) -> int:
    """The mundane dice that helpers give: one each, all together at most the cap; None is no power that raises it.

    >>> assist_dice(3), assist_dice(3, cap=2)
    (1, 2)
    """
    return min(helpers, assist_cap_of(cap))


def assist_cap(assisted: int | None, helpers: Iterable[int | None], holder: AssistCapHolder = "any_participant") -> int:
    """The limit on dice from helpers, from the powers that the assisted one and the helpers hold; the best one counts.

    >>> assist_cap(2, [None, 3]), assist_cap(2, [None, 3], "assisted")
    (3, 2)
    """
    caps = [assist_cap_of(None)]
    if holder != "helper":
        caps.append(assist_cap_of(assisted))
    if holder != "assisted":
        caps.extend([assist_cap_of(cap) for cap in helpers])
    return max(caps)


def assist_cap_of(power: int | None) -> int:
    """Highest assisting bonus with one power, or none."""
    return ASSIST_CAP if power is None else power


ROUND = 1
MINUTE = 5 * ROUND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

CALENDAR = Calendar(
    (Unit("round", ROUND), Unit("minute", MINUTE), Unit("hour", HOUR), Unit("day", DAY), Unit("week", WEEK))
)


Attribute: TypeAlias = Literal["body", "mind", "soul"]
Surface: TypeAlias = Literal["stamina", "intellect", "will"]
Core: TypeAlias = Literal["vitality", "sanity", "spirit"]
Track: TypeAlias = Literal["stamina", "vitality", "intellect", "sanity", "will", "spirit"]
SkillId: TypeAlias = Literal[
    "agility",
    "animation",
    "athletics",
    "brawl",
    "close_combat",
    "defense",
    "guile",
    "infusion",
    "academics",
    "crafts",
    "medicine",
    "operate",
    "projection",
    "psionics",
    "ranged_combat",
    "science",
    "animism",
    "apportation",
    "creativity",
    "intimidate",
    "manipulation",
    "perception",
    "speechcraft",
    "survival",
]
School: TypeAlias = Literal["animation", "animism", "apportation", "infusion", "projection", "psionics"]

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
TRACKS: tuple[Track, ...] = get_args(Track)
SKILLS: tuple[SkillId, ...] = get_args(SkillId)
SCHOOLS: tuple[School, ...] = get_args(School)
"""The skills of magic (stage.magic.types)."""

SURFACE: dict[Attribute, Surface] = {"body": "stamina", "mind": "intellect", "soul": "will"}
CORE: dict[Attribute, Core] = {"body": "vitality", "mind": "sanity", "soul": "spirit"}
ATTRIBUTE_OF: dict[str, Attribute] = {
    "stamina": "body",
    "vitality": "body",
    "intellect": "mind",
    "sanity": "mind",
    "will": "soul",
    "spirit": "soul",
}
"""Every track belongs to an attribute (stage.resource.tracks)."""

HUMAN_SIZE = 7  # stage.equipment.size
ACTION_POINTS = 3  # stage.action.ap

_BONUS = re.compile(r"(?:([+-]?)([0-9]{1,2})d)?(?:([+-]?)([0-9]{1,3}))?", re.ASCII | re.IGNORECASE)


class Bonus(NamedTuple):
    """A modifier in dice and in a flat number, such as +1d+2 (stage.modifier.forms).

    >>> Bonus.parse("+1d+2"), Bonus.parse("-2"), Bonus.parse("2d")
    (Bonus(dice=1, flat=2), Bonus(dice=0, flat=-2), Bonus(dice=2, flat=0))
    >>> str(Bonus(1, -1)), str(Bonus(0, 0))
    ('+1d-1', '0')
    """

    dice: int = 0
    flat: int = 0

    @staticmethod
    def parse(text: str) -> Bonus:
        """Read ``+1d``, ``+2``, ``+1d+2``, ``-2d`` or ``0``."""
        found = _BONUS.fullmatch(text.replace(" ", ""))
        if found is None or not found.group(0) or (found[2] and found[4] and not found[3]):
            raise InvalidInputError(
                f'"{text[:40]}" is not a bonus; write +1d, +2 or +1d+2', rule="stage.modifier.forms"
            )
        dice = int(f"{found[1]}{found[2]}") if found[2] else 0
        return Bonus(dice, int(f"{found[3]}{found[4]}") if found[4] else 0)

    def plus(self, other: Bonus) -> Bonus:
        """Both together."""
        return Bonus(self.dice + other.dice, self.flat + other.flat)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        dice = f"{self.dice:+d}d" if self.dice else ""
        return (dice + (f"{self.flat:+d}" if self.flat else "")) or "0"


def titled(word: str) -> str:
    """An id as people read it.

    >>> titled("close_combat"), titled("guile.pick_pocket")
    ('Close Combat', 'Guile (pick pocket)')
    """
    skill, _, application = word.partition(".")
    name = skill.replace("_", " ").title()
    return f"{name} ({application.replace('_', ' ')})" if application else name
