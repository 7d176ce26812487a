"""Situations of a check in the words of the book, and their difficulties."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, get_args

from tablewright.engine import Parameter
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    TextType,
)
from tablewright.errors import InvalidInputError, refuse_if
from tablewright.game.play.named_values import named_or_number
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.opend6.content import ATTRIBUTES, USES
from tablewright.systems.opend6.mechanics.checks import MOST_POINTS
from tablewright.systems.opend6.mechanics.dice import NOTHING
from tablewright.systems.opend6.options import CriticalFailureRule, OpenD6Options
from tablewright.systems.opend6.status import Moment
from tablewright.systems.opend6.values import DieCode

STANDARD, PREPARED = "opend6.difficulty.standard", "opend6.prepare.bonus"
LIFTING = "opend6.gap.difficulty.lifting"


@cache
def levels() -> Mapping[str, Mapping[str, int]]:
    """For each of the ways to read a level, the number that every level of difficulty stands for."""
    numbers = Ledger.load("opend6")[STANDARD].data["number_for_level"]
    return {
        way: {str(level).casefold().replace(" ", "_"): int(number) for level, number in rows.items()}
        for way, rows in numbers.items()
    }


class DifficultyValue(NamedTuple):
    """A difficulty by the name of its level, such as difficult, or as a number. [opend6.gap.difficulty.level_numbers]

    >>> DifficultyValue.parse("Very Easy"), DifficultyValue.parse("12")
    (DifficultyValue(number=None, level='very_easy'), DifficultyValue(number=12, level=''))
    """

    number: int | None
    level: str = ""

    @staticmethod
    def parse(text: str) -> DifficultyValue:
        """Read the name of a level, or a whole number."""
        found = named_or_number(text, levels()["high"], 0, 200, what="difficulty", rule=STANDARD)
        return DifficultyValue(None, found) if isinstance(found, str) else DifficultyValue(found)

    def of(self, options: OpenD6Options) -> int:
        """The number, by the table's way to read levels."""
        return levels()[options.number_for_level][self.level] if self.number is None else self.number

    def json_text(self) -> str:
        """The name or the number."""
        return str(self)

    def __str__(self) -> str:
        return self.level or str(self.number)


def lifting_difficulty(kilograms: int) -> int:
    """The difficulty of lifting a weight: that of the next row of the table.

    >>> lifting_difficulty(100), lifting_difficulty(101)
    (12, 13)
    """
    rows = {int(weight): int(hard) for weight, hard in Ledger.load("opend6")[LIFTING].data.items()}
    enough = [hard for weight, hard in rows.items() if weight >= kilograms]
    refuse_if(not enough, f"{kilograms} kg are more than anybody lifts", rule=LIFTING)
    return min(enough)


class TimeTaken(NamedTuple):
    """Time taken as a part or a multiple of the normal time: 1/2, 1, 4."""

    factor: Fraction

    @staticmethod
    def parse(text: str) -> TimeTaken:
        """Read a whole number or a fraction."""
        try:
            factor = Fraction(text.strip())
        except (ValueError, ZeroDivisionError):
            factor = Fraction(0)
        if not 0 < factor <= 1_000 or len(text) > 12:
            raise InvalidInputError(f'"{text:.20}" is not part of the normal time; write 1/2, 1 or 4', rule=PREPARED)
        return TimeTaken(factor)

    def json_text(self) -> str:
        """Text form in JSON."""
        return str(self)

    def __str__(self) -> str:
        return str(self.factor)


MODERATE, NORMAL = DifficultyValue(None, "moderate"), TimeTaken(Fraction(1))
RESULTS = ListType(IntType(-200, 200))
SITUATION: tuple[Parameter, ...] = (
    Parameter("difficulty", NotationType(DifficultyValue), "a level such as difficult, or a number", MODERATE),
    Parameter("task", OptionalType(TextType()), "a common task by its id, which brings its difficulty with it", None),
    Parameter(
        "kilograms", OptionalType(IntType(0, 10_000)), "the weight that is lifted, which says how hard it is", None
    ),
    Parameter(
        "against", OptionalType(NotationType(DieCode)), "the code of a target that the difficulty is derived from", None
    ),
    Parameter("use", OptionalType(EnumType(tuple([(use, use) for use in USES]))), "what the skill is used for", None),
    Parameter(
        "attribute", OptionalType(EnumType(tuple([(one, one) for one in ATTRIBUTES]))), "another attribute for it", None
    ),
    Parameter("specialisation", TextType(), "its subject, where the character has a specialisation in it", ""),
    Parameter(
        "unskilled",
        EnumType((("simple", "simple"), ("typical", "typical"), ("complex", "complex"))),
        "how hard the task is for the untrained",
        "typical",
    ),
    Parameter("trained_only", BoolType(), "whether the task is closed to the untrained", False),
    Parameter("circumstances", ListType(TextType()), "what makes it harder or easier, by its id", ()),
    Parameter("modifier", IntType(-100, 100), "what else is added to the difficulty", 0),
    Parameter("roleplaying", OptionalType(IntType(-5, 0)), "what good roleplaying takes off the difficulty", None),
    Parameter("related", RESULTS, "result points of related skills used just before", ()),
    Parameter("helper_points", RESULTS, "result points of those who help", ()),
    Parameter("earlier", IntType(0, 200), "result points of an earlier success, half of which help", 0),
    Parameter("time", NotationType(TimeTaken), "how long one takes: 1/2 of the normal time, 4 times as long", NORMAL),
    Parameter("seconds", OptionalType(IntType(1, 100_000_000)), "how long it normally takes", None),
    Parameter("can_be_rushed", BoolType(), "whether the task can be rushed", True),
    Parameter("actions", IntType(1, 20), "how many tasks are done in the same time", 1),
    Parameter("tools", BoolType(), "whether one uses the tools one has", True),
    Parameter("bonus_dice", NotationType(DieCode), "a bonus from outside, as a die code", NOTHING),
    Parameter("bonus", IntType(-100, 100), "a plain number on the total", 0),
    Parameter("tries", IntType(0, 50), "how often it was narrowly missed before", 0),
    Parameter(
        "moment",
        EnumType(tuple([(one, one) for one in get_args(Moment)])),
        "what is at stake, for those who may spend Fate Points only where it matters",
        "ordinary",
    ),
    Parameter("fate_points", IntType(0, 10), "Fate Points spent on it", 0),
    Parameter("character_points", IntType(0, MOST_POINTS), "Character Points spent before the roll", 0),
    Parameter("spend", BoolType(), "whether one is asked for points, before the roll and after it", False),
    Parameter("assumed", OptionalType(IntType(0, 200)), "the difficulty one reckons with where it is secret", None),
    Parameter(
        "wild_die_only", BoolType(), "whether only the Wild Die is rolled, for something far below the skill", False
    ),
    Parameter(
        "ought_to_succeed",
        OptionalType(BoolType()),
        "for a quick conversion: whether it ought to succeed; if it is not said, it depends on whose roll it is",
        None,
    ),
    Parameter(
        "critical_failure",
        OptionalType(EnumType(tuple([(one, one) for one in get_args(CriticalFailureRule)]))),
        "what a Critical Failure does to this roll, where it is not as usual",
        None,
    ),
    Parameter("ready", BoolType(), "in a contest: whether one has waited or prepared for it", True),
    Parameter("full_defence", BoolType(), "in a contest: whether one does nothing else than resist", False),
)
USUAL: dict[str, Any] = {parameter.name: parameter.default for parameter in SITUATION}
"""A situation in which nothing is out of the ordinary."""
