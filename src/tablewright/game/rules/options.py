"""Rule options: named variants that a rule book leaves to the game master, each with a default and its rule.

>>> from typing import Literal
>>> @dataclass(frozen=True, kw_only=True)
... class ExampleOptions(RuleOptions):
...     tie: Literal["reroll", "defender"] = rule_option("reroll", rule="example.tie", description="who wins a tie")
...     luck: int = rule_option(3, rule="example.luck.start", description="luck at the start", low=0, high=10)
>>> ExampleOptions.from_mapping({"tie": "defender"})
ExampleOptions(tie='defender', luck=3)
>>> ExampleOptions.from_mapping({"luk": 1, "tie": "attacker"})
Traceback (most recent call last):
tablewright.errors.ProblemListError: option "luk" is unknown; did you mean "luck"?
option "tie" is "attacker", allowed are reroll, defender [example.tie]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Self, TypeAlias, Union, get_args, get_origin, get_type_hints

from tablewright.errors import ProblemListError, did_you_mean
from tablewright.game.rules.yaml_compiler import LEDGER_FILE, read_data

Value = str | int | bool | None
Changes: TypeAlias = Literal["anytime", "between_scenes", "never"]
"""Time at which a running table may change an option: always, while no scene is under way, or never."""

CheckLine = str | Mapping[Value, str] | None
_METADATA = "tablewright.option"


@dataclass(frozen=True, slots=True)
class _Declared:
    rule: str
    about: str
    name: str | None
    low: int | None
    high: int | None
    typical: CheckLine
    changes: Changes
    effect: str


@dataclass(frozen=True, slots=True)
class RuleOption:
    """Description of one rule option; `choices` is empty for a whole number between `low` and `high`.

    With `or_none` the value may be None instead of a number. `typical` is a check, as typed, whose odds the option
    changes: one line, or one for each value. `effect` says what it changes otherwise. `changes` tells when a running
    table may change the option.
    """

    name: str
    attribute: str
    default: Value
    choices: tuple[Value, ...]
    low: int | None
    high: int | None
    rule: str
    description: str
    typical: CheckLine = None
    or_none: bool = False
    changes: Changes = "anytime"
    effect: str = ""

    @property
    def allowed(self) -> str:
        """Allowed values in words."""
        if self.choices:
            return ", ".join(_shown(choice, quote="") for choice in self.choices)
        return f"null or {self._numbers}" if self.or_none else self._numbers

    @property
    def _numbers(self) -> str:
        match self.low, self.high:
            case None, None:
                return "whole numbers"
            case low, None:
                return f"whole numbers from {low} up"
            case None, high:
                return f"whole numbers up to {high}"
            case low, high:
                return f"whole numbers from {low} to {high}"

    def allows(self, value: object) -> bool:
        """True if the option may have this value; `True` and `1` differ."""
        if self.choices:
            return any(type(value) is type(choice) and value == choice for choice in self.choices)
        if value is None:
            return self.or_none
        return (
            type(value) is int and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        )

    def read(self, text: str) -> Value:
        """Parse a typed value; an unknown word is returned unchanged, for validation to refuse.

        >>> luck = RuleOption("luck", "luck", 3, (), 0, 10, "example.luck", "luck at the start", or_none=True)
        >>> luck.read("4"), luck.read("none"), luck.read("much")
        (4, None, 'much')
        """
        word = text.strip().casefold()
        for choice in self.choices or ((None,) if self.or_none else ()):
            if word in (str(choice).casefold(), _shown(choice, quote="").casefold(), *_SPOKEN.get(repr(choice), ())):
                return choice
        return int(word) if re.fullmatch(r"[+-]?[0-9]{1,12}", word) else text

    def to_json(self) -> dict[str, Any]:
        """The option as plain JSON data."""
        described: dict[str, Any] = {"name": self.name, "default": self.default}
        if self.choices:
            described["choices"] = list(self.choices)
        else:
            described |= {"low": self.low, "high": self.high}
            if self.or_none:
                described["none"] = True
        described |= {"rule": self.rule, "about": self.description}
        return described if self.changes == "anytime" else described | {"changes": self.changes}


_SPOKEN = {"True": ("yes",), "False": ("no",), "None": ("nothing",)}


def rule_option(
    default: Value,
    *,
    rule: str,
    description: str,
    name: str | None = None,
    low: int | None = None,
    high: int | None = None,
    typical: CheckLine = None,
    changes: Changes = "anytime",
    effect: str = "",
) -> Any:
    """Declare a rule option; the annotation is its type: `Literal[...]`, `bool` or `int`, each also `| None`.

    `rule` is the id of the rule that the option varies. `description` is half a sentence for people. `name` is the
    public name if it differs from the attribute (`wild.cancel_scope` for the attribute `cancel_scope`). `typical` is a
    check that shows the effect of the option (see `game.system.option_impact`): a line such as `mars.check
    roll_value=r16 difficulty=14` for a mechanic with a parameter of the attribute's name, or a line for each value;
    None if the option changes no roll: `effect` then says in a sentence what it does change. `changes` tells when
    `table.set_option` may change it in a running game.
    """
    declared = _Declared(rule, description, name, low, high, typical, changes, effect)
    return field(default=default, metadata={_METADATA: declared})


class LedgerOptions:
    """Options as the ledger beside a module describes them: `option = LedgerOptions(__file__)`, `option["tie"]`.

    The ledger has under `options`, by public name: `rule`, `about`, `default`, and where needed `low`, `high`,
    `typical`, `changes` and `effect`, as in `rule_option`. Keys of `typical` are values as text (`true`, `2d6`).
    """

    def __init__(self, module: str) -> None:
        self._source = Path(module).with_name(LEDGER_FILE)
        self._described: Mapping[str, Mapping[str, Any]] = read_data(self._source).get("options", {})

    def __getitem__(self, name: str) -> Any:
        if name not in self._described:
            raise TypeError(f'{self._source} describes no option "{name}"{did_you_mean(name, self._described)}')
        entry = dict(self._described[name])
        return rule_option(entry.pop("default"), name=name, description=entry.pop("about"), **entry)


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """Base class of rule options: a frozen dataclass whose fields are made by `rule_option` or `LedgerOptions`.

    Construction refuses wrong values, so an instance is always valid. Values of ``retired`` options, which games saved
    by earlier versions may have, are ignored.
    """

    retired: ClassVar[frozenset[str]] = frozenset()
    _described: ClassVar[tuple[RuleOption, ...]]

    def __post_init__(self) -> None:
        problems = [
            problem
            for described in self.describe()
            for problem in _wrong_value(described, getattr(self, described.attribute))
        ]
        if problems:
            raise ProblemListError(problems)

    @classmethod
    def describe(cls) -> tuple[RuleOption, ...]:
        """Rule options with default, allowed values, rule and description, in order of declaration."""
        described: tuple[RuleOption, ...] | None = cls.__dict__.get("_described")
        if described is None:
            described = _describe(cls)
            cls._described = described
        return described

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> Self:
        """Build options from public names and values; the rest keeps its defaults. All errors are reported at once."""
        known = {described.name: described for described in cls.describe()}
        problems: list[str] = []
        arguments: dict[str, Any] = {}
        for name, value in values.items():
            if name in cls.retired:
                continue
            if name not in known:
                problems.append(_unknown(name, known))
                continue
            problems += _wrong_value(known[name], value)
            arguments[known[name].attribute] = value
        if problems:
            raise ProblemListError(problems)
        return cls(**arguments)

    def to_mapping(self) -> dict[str, Value]:
        """Values of all options by public name; `from_mapping` restores an equal object."""
        return {described.name: getattr(self, described.attribute) for described in self.describe()}

    @classmethod
    def field(cls, name: str) -> RuleOption:
        """Description of one option by its public name; unknown names are refused."""
        known = {described.name: described for described in cls.describe()}
        if name not in known:
            raise ProblemListError([_unknown(name, known)])
        return known[name]

    def put(self, name: str, value: object) -> Self:
        """Copy with one option set, by its public name."""
        return self.from_mapping(self.to_mapping() | {name: value})

    def changed(self) -> dict[str, Value]:
        """Options that differ from their defaults, by public name."""
        return {
            described.name: value
            for described in self.describe()
            if (value := getattr(self, described.attribute)) != described.default
        }


def _describe(cls: type[RuleOptions]) -> tuple[RuleOption, ...]:
    hints = get_type_hints(cls)
    described = tuple(_describe_field(cls, entry, hints[entry.name]) for entry in fields(cls))
    names = [entry.name for entry in described]
    for name in names:
        if names.count(name) > 1:
            raise TypeError(f'{cls.__name__}: two options are called "{name}"')
    return described


def _describe_field(cls: type[RuleOptions], entry: Any, annotation: Any) -> RuleOption:
    declared = entry.metadata.get(_METADATA)
    if not isinstance(declared, _Declared):
        raise TypeError(f"{cls.__name__}.{entry.name} is not made by `rule_option` or `LedgerOptions`")
    parts = set(get_args(annotation)) if get_origin(annotation) in (Union, UnionType) else {annotation}
    is_number = parts in ({int}, {int, NoneType})
    choices = () if is_number else tuple(_choices(annotation))
    if choices == () and not is_number:
        raise TypeError(f"{cls.__name__}.{entry.name} must be Literal[...], bool or int, not {annotation}")
    if choices and (declared.low is not None or declared.high is not None):
        raise TypeError(f"{cls.__name__}.{entry.name}: low and high are for whole numbers")
    described = RuleOption(
        name=declared.name or entry.name,
        attribute=entry.name,
        default=entry.default,
        choices=choices,
        low=declared.low,
        high=declared.high,
        rule=declared.rule,
        description=declared.about,
        typical=_by_value(declared.typical, choices),
        or_none=is_number and NoneType in parts,
        changes=declared.changes,
        effect=declared.effect,
    )
    if not described.allows(entry.default):
        raise TypeError(f"{cls.__name__}.{entry.name}: its default {_shown(entry.default)} is not allowed")
    return described


def _by_value(typical: CheckLine, choices: tuple[Value, ...]) -> CheckLine:
    """Lines of checks by the values themselves; a ledger has values as text."""
    if not isinstance(typical, Mapping):
        return typical
    values = {_shown(choice, quote=""): choice for choice in choices}
    return {
        value if not isinstance(value, str) else values[value] if choices else int(value): line
        for value, line in typical.items()
    }


def _choices(annotation: Any) -> Iterator[Value]:
    if annotation is bool:
        yield from (False, True)
    elif annotation is NoneType:
        yield None
    elif get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _choices(part)


def _unknown(name: object, known: Mapping[str, RuleOption]) -> str:
    among = did_you_mean(str(name), known) or (f" (known: {', '.join(known)})" if known else "; there are none")
    return f"option {_shown(name)} is unknown{among}"


def _wrong_value(described: RuleOption, value: object) -> Iterator[str]:
    if described.allows(value):
        return
    words = [str(choice) for choice in described.choices if isinstance(choice, str)]
    close = did_you_mean(value, words) if isinstance(value, str) else ""
    yield f'option "{described.name}" is {_shown(value)}, allowed are {described.allowed}{close} [{described.rule}]'


def _shown(value: object, quote: str = '"') -> str:
    if isinstance(value, str):
        shortened = value if len(value) <= 60 else value[:57] + "..."
        return f"{quote}{shortened}{quote}"
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    return f"a {type(value).__name__}"
