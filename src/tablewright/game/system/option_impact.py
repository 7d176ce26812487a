"""Impact of a rule option: the odds of one typical check under each of its values.

A rule option names that check in its declaration, as a line that could follow `tablewright odds`. If the mechanic takes
the option as a parameter, the line is the same for every value. If the table uses another mechanic instead, each value
has its own line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tablewright.engine import Call, Mechanic, odds
from tablewright.errors import TablewrightError
from tablewright.game.rules.options import RuleOption, Value
from tablewright.game.system.system import System

OBJECTIVE = " --objective "
"""Separator before an optional objective at the end of a line, as on the command line."""


@dataclass(frozen=True, slots=True)
class OptionImpact:
    """One value of a rule option: the expected value of the typical check, or the reason why it is refused."""

    value: Value
    line: str
    objective: str = ""
    expected: Fraction | None = None
    is_chance: bool = False
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        """The impact as JSON."""
        told: dict[str, Any] = {"value": self.value, "check": self.line}
        if self.expected is None:
            return told | {"refused": self.refused}
        return told | {
            "objective": self.objective,
            "expected": float(self.expected),
            "expected_exact": str(self.expected),
            "chance": self.is_chance,
        }


def typical_values(field: RuleOption) -> tuple[Value, ...]:
    """Values to compare, the default first: all choices of a list, or both ends of a range; then None if allowed."""
    values = field.choices or tuple([end for end in (field.low, field.high) if end is not None])
    values = (*values, None) if field.or_none else values
    return (field.default, *[value for value in values if value is not field.default and value != field.default])


def typical_odds(system: System, field: RuleOption) -> tuple[OptionImpact, ...]:
    """The typical check of a rule option under each of its values; empty for an option that changes no roll."""
    if field.typical is None:
        return ()
    return tuple([_under(system, field, value) for value in typical_values(field)])


def typical_call(
    system: System, field: RuleOption, value: Value
) -> tuple[Mechanic[..., Any], dict[str, object], str | None]:
    """The typical check of a rule option under one value: mechanic, arguments and objective.

    >>> from tablewright.game.system.registry import load_system
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


def _line(field: RuleOption, value: Value) -> str:
    return field.typical if isinstance(field.typical, str) else (field.typical or {})[value]


def _under(system: System, field: RuleOption, value: Value) -> OptionImpact:
    """The typical check under one value, with the words of ``tablewright odds``."""
    line = _line(field, value)
    mechanic, given, objective = typical_call(system, field, value)
    try:
        call: Call[Any] = mechanic.read(given)
        named, worth = mechanic.objective(objective)
        exact = odds(call, named if named in mechanic.objectives else worth)
    except TablewrightError as refusal:
        return OptionImpact(value, line, refused=str(refusal))
    shares = {worth(outcome) for outcome in exact.outcomes} <= {0, 1}
    return OptionImpact(value, line, named, exact.expected(worth), is_chance=shares)
