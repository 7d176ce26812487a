"""What an option changes: the odds of one typical check under each of its values.

An option names that check where it is declared, as a line that could follow `tablewright odds`. Where one rule takes
the option as a parameter, the line is the same for every value; where a table plays another rule instead, each value
has its own line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tablewright.engine import Call, Mechanic, odds
from tablewright.errors import TablewrightError
from tablewright.game.options import OptionField, Value
from tablewright.game.system import System

OBJECTIVE = " --objective "
"""What may stand at the end of a line, as on the command line: what the check is rolled for."""


@dataclass(frozen=True, slots=True)
class Typical:
    """One value of an option: what the typical check is expected to bring, or why it refuses to be rolled."""

    value: Value
    line: str
    objective: str = ""
    expected: Fraction | None = None
    is_chance: bool = False
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        """The value as plain data, for JSON."""
        told: dict[str, Any] = {"value": self.value, "check": self.line}
        if self.expected is None:
            return told | {"refused": self.refused}
        return told | {
            "objective": self.objective,
            "expected": float(self.expected),
            "expected_exact": str(self.expected),
        }


def typical_values(field: OptionField) -> tuple[Value, ...]:
    """The values that are compared, the default first: all of a list, or the default, both ends of a range and none."""
    values = field.choices or tuple([end for end in (field.low, field.high) if end is not None])
    values = (*values, None) if field.or_none else values
    return (field.default, *[value for value in values if value is not field.default and value != field.default])


def typical_odds(system: System, field: OptionField) -> tuple[Typical, ...]:
    """The typical check of an option under each of its values; nothing for an option that changes no roll."""
    if field.typical is None:
        return ()
    return tuple([_under(system, field, value) for value in typical_values(field)])


def typical_call(
    system: System, field: OptionField, value: Value
) -> tuple[Mechanic[..., Any], dict[str, object], str | None]:
    """The typical check of an option under one value: the rule, what is given to it, and what it is rolled for.

    >>> from tablewright.game.registry import load_system
    >>> mars = load_system("mars")
    >>> mechanic, given, objective = typical_call(mars, mars.options.field("passive_rolls"), "all_npc")
    >>> mechanic.name, given, objective
    ('mars.check', {'roll_value': 'r16', 'difficulty': '7'}, None)
    """
    typed, _, objective = _line(field, value).partition(OBJECTIVE)
    name, *words = typed.split()
    given: dict[str, object] = {key: text for key, _, text in [word.partition("=") for word in words]}
    if isinstance(field.typical, str):
        given[field.attribute] = value
    return system.mechanic(name), given, objective or None


def _line(field: OptionField, value: Value) -> str:
    return field.typical if isinstance(field.typical, str) else (field.typical or {})[value]


def _under(system: System, field: OptionField, value: Value) -> Typical:
    """The typical check under one value; the words are those of ``tablewright odds``."""
    line = _line(field, value)
    mechanic, given, objective = typical_call(system, field, value)
    try:
        call: Call[Any] = mechanic.read(given)
        named, worth = mechanic.objective(objective)
        exact = odds(call, named if named in mechanic.objectives else worth)
    except TablewrightError as refusal:
        return Typical(value, line, refused=str(refusal))
    shares = {worth(outcome) for outcome in exact.outcomes} <= {0, 1}
    return Typical(value, line, named, exact.expected(worth), is_chance=shares)
