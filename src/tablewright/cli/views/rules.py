"""Ledgers on the screen: topics, lists of rules, the page of one rule, rule options."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, definitions, heading, indented, make_console, narrow, table
from tablewright.cli.output.numbers import number, percent
from tablewright.cli.output.streams import counted
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.phrases import and_list
from tablewright.game.rules.ledger import Ledger, Rule
from tablewright.game.rules.options import RuleOption
from tablewright.game.system.option_impact import OBJECTIVE, OptionImpact
from tablewright.game.system.rule_index import Usage
from tablewright.game.system.system import System

MOST_FOUND = 12
"""Upper bound for matches per book in a search over several books; five times as many for one book."""
_ID = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")


def draw_books(shelves: Sequence[tuple[Ledger, Sequence[Rule], Mapping[str, int]]]) -> None:
    """Print all books with their numbers of rules and topics."""
    console = make_console()
    rows = table(("system", "name"), ("rules", "number"), ("topics", "number"), ("book", "text"))
    for ledger, rules, topics in shelves:
        rows.add_row(ledger.system, str(len(rules)), str(len(topics)), Text(ledger.book))
    console.print(rows)


def draw_topics(ledger: Ledger, topics: Mapping[str, int]) -> None:
    """Print the topics of one book."""
    console = make_console()
    console.print(heading(ledger.book, f"{sum(topics.values())} rules in {len(topics)} topics"))
    cells = [f"{topic}  {count}" for topic, count in topics.items()]
    width = max([len(cell) for cell in cells], default=1) + 3
    columns = max(1, console.width // width)
    height = -(-len(cells) // columns)
    for line in range(height):
        console.print(Text("".join([cell.ljust(width) for cell in cells[line::height]]).rstrip()), no_wrap=True)


def draw_rules(ledger: Ledger, rules: Sequence[Rule], more: str) -> None:
    """Print rules with their titles."""
    console = make_console()
    console.print(heading(ledger.book, more))
    _list(console, rules)


def draw_found(words: str, found: Sequence[tuple[Ledger, Sequence[Rule]]]) -> None:
    """Print the matches of a search by book."""
    console = make_console()
    most = MOST_FOUND * (5 if len(found) == 1 else 1)
    for place, (ledger, rules) in enumerate(found):
        if place:
            console.print()
        console.print(heading(ledger.book, f'{len(rules)} rules with "{words}"' if len(rules) != 1 else "1 rule"))
        _list(console, rules[:most])
        if len(rules) > most:
            console.print(Text(f"... and {len(rules) - most} more: --system {ledger.system}", style=QUIET))


def _list(console: Console, rules: Sequence[Rule]) -> None:
    if narrow(console):
        definitions(console, [(rule.id, rule.title) for rule in rules])
        return
    rows = table(("", "name"), ("", "text"), ("", "kind"), head=False)
    for rule in rules:
        rows.add_row(rule.id, Text(rule.title), Text(rule.kind, style=QUIET))
    console.print(rows)


def draw_rule(rule: Rule, users: Sequence[Usage], *, code: bool = False, found: Sequence[tuple[str, str]] = ()) -> None:
    """Print one rule with its users; optionally with code lines and matches in its data."""
    console = make_console()
    console.print(heading(rule.title, rule.id))
    origin = "" if rule.origin == "seed" else f", {rule.origin}"
    console.print(Text(f"{rule.citation} ({rule.kind}{origin})", style=QUIET))
    console.print()
    console.print(Text(" ".join(rule.text.split())))
    if rule.ruling:
        console.print(Text("\nruling", style=HEAD))
        console.print(indented(" ".join(rule.ruling.split())))
    if found:
        console.print(Text("\nfound", style=HEAD))
        for where, what in found[:MOST_FOUND]:
            console.print(indented(f"{where}: {what}" if where else what))
    plain = rule.to_json()
    if "data" in plain:
        console.print(Text("\ndata", style=HEAD))
        for line in written(plain["data"], console.width - 4):
            console.print(indented(line))
    if "examples" in plain:
        console.print(Text("\nexamples", style=HEAD))
        for example in plain["examples"]:
            console.print(indented(f"- {example_sentence(example)}"))
    if rule.changed:
        console.print(Text("\nchanged", style=HEAD))
        console.print(indented(rule.changed))
    if users:
        console.print(Text("\nused by", style=HEAD))
        if code:
            definitions(console, [(str(user), user.where) for user in users])
        else:
            console.print(indented(", ".join([user.name for user in users])))


def example_sentence(example: Mapping[str, Any]) -> str:
    """A worked example of a rule as a sentence.

    >>> example_sentence({"given": {"deflection": "r10+2", "parry": "r6"}, "expect": {"defence": "r16+2"}})
    'Deflection r10+2 and parry r6 give defence r16+2.'
    >>> example_sentence({"given": {"roll": 8, "in_the_dark": False}, "expect": {"success": True}})
    'Roll 8 and not in the dark give success.'
    """
    given, expected = example.get("given"), example.get("expect")
    verb = "give" if isinstance(given, Mapping) and len(given) > 1 else "gives"
    told = f"{_facts(given)} {verb} {_facts(expected)}."
    return told[:1].upper() + told[1:]


def _facts(value: Any) -> str:
    """Named values as a list of words; a plain value as itself."""
    if not isinstance(value, Mapping):
        return _flat(value)
    return and_list([_fact(_words(str(name)), item) for name, item in value.items()])


def _fact(name: str, item: Any) -> str:
    if isinstance(item, bool):
        return name if item else f"not {name}"
    return f"{name} {_nested(item)}"


def _words(name: str) -> str:
    """An id of data as words; other text as it is."""
    return name.replace("_", " ") if _ID.fullmatch(name) else name


def written(value: Any, width: int, indent: str = "") -> list[str]:
    """Plain data as indented text; values that fit stay on one line.

    >>> written({"a": [1, 2], "point_blank": {"c": True}}, 60)
    ['a: 1, 2', 'point blank: c: yes']
    """
    if isinstance(value, dict):
        lines = []
        for name, item in value.items():
            key, flat = _words(name), _flat(item)
            if len(indent) + len(key) + 2 + len(flat) <= width or not isinstance(item, dict | list):
                lines.append(f"{indent}{key}: {flat}")
            else:
                lines += [f"{indent}{key}:", *written(item, width, indent + "  ")]
        return lines
    if isinstance(value, list):
        if not any(isinstance(item, dict | list) for item in value):
            return [indent + _flat(value)]
        lines = []
        for item in value:
            flat = _flat(item)
            if len(indent) + 2 + len(flat) <= width or not isinstance(item, dict | list):
                lines.append(f"{indent}- {flat}")
            else:
                first, *rest = written(item, width, indent + "  ") or [indent]
                lines += [f"{indent}- {first.strip()}", *rest]
        return lines
    return [indent + _flat(value)]


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join([f"{_words(key)}: {_nested(item)}" for key, item in value.items()])
    if isinstance(value, list):
        return ", ".join(map(_nested, value))
    if value is None or isinstance(value, bool):
        return format_value(value)
    return _words(" ".join(value.split())) if isinstance(value, str) else json.dumps(value)


def _nested(value: Any) -> str:
    if isinstance(value, dict) and len(value) > 1:
        return f"{{{_flat(value)}}}"
    return f"[{_flat(value)}]" if isinstance(value, list) else _flat(value)


def draw_options(described: Sequence[tuple[System, Sequence[tuple[RuleOption, Sequence[OptionImpact]]]]]) -> None:
    """Print rule options with default, allowed values, rule and effect on a typical check."""
    console = make_console()
    for place, (system, fields) in enumerate(described):
        if place:
            console.print()
        console.print(heading(system.title, counted(len(fields), "option") if fields else "no options"))
        definitions(console, [(field.name, _option(field, values)) for field, values in fields])


def _option(field: RuleOption, values: Sequence[OptionImpact]) -> str:
    about = f"{field.description} (default {format_value(field.default)}; {field.allowed}) [{field.rule}]"
    if not values:
        return f"{about}\n{field.effect or 'It shows in play, not in the odds of one roll.'}"
    return f"{about}\n{impact_sentence(values, field.attribute)}"


def impact_sentence(values: Sequence[OptionImpact], attribute: str = "") -> str:
    """The figures of a typical check under each value of an option, with what the check is made with.

    An argument that only repeats the value, or stands for the option itself by its ``attribute``, is left out.

    >>> from fractions import Fraction
    >>> third, half = Fraction(1, 3), Fraction(1, 2)
    >>> line = "penny.bet purse=3"
    >>> impact_sentence([OptionImpact(value, line, "win", third, is_chance=True) for value in (True, "best_only")])
    'Win 33.33% with yes or best only (purse 3).'
    >>> both = (OptionImpact(True, line, "money", third), OptionImpact(False, "penny.bet purse=4", "money", half))
    >>> impact_sentence(both)
    'Average money 0.3333 with yes (purse 3), 0.5 with no (purse 4).'
    """
    calls = [_typed(one, attribute) for one in values]
    same = {name: text for name, text in calls[0][1].items() if all(other.get(name) == text for _, other in calls)}
    one_rule = len({name for name, _ in calls}) == 1
    chances = all(one.is_chance for one in values if one.expected is not None)
    groups: dict[tuple[str, str], list[str]] = {}
    for one, (name, given) in zip(values, calls, strict=True):
        own = {} if one_rule and len(same) == len(given) else {key: given[key] for key in given if key not in same}
        made = "" if one_rule else _spoken(name)
        aside = ": ".join([part for part in (made, _arguments(own)) if part])
        groups.setdefault((_expected(one, chances), aside), []).append(_spoken(format_value(one.value)))
    told = [
        f"{figure} with {and_list(names, 'or')}{f' ({aside})' if aside else ''}"
        for (figure, aside), names in groups.items()
    ]
    subject = _spoken(values[0].objective)
    opening = subject[:1].upper() + subject[1:] if chances else f"Average {subject}"
    common = _arguments(same)
    return f"{opening} {', '.join(told)}{_common(common, bare=all(not aside for _, aside in groups))}."


def _common(given: str, *, bare: bool) -> str:
    """Arguments that all checks share, after their figures."""
    if not given:
        return ""
    return f" ({given})" if bare else f"; {given} each time"


def _typed(typical: OptionImpact, attribute: str) -> tuple[str, dict[str, str]]:
    """The bare name of a mechanic and its arguments, from a check as typed."""
    name, *words = typical.line.partition(OBJECTIVE)[0].split()
    pairs = [word.partition("=") for word in words]
    value = str(typical.value)
    return name.rpartition(".")[2], {key: text for key, _, text in pairs if key != attribute and text != value}


def _arguments(given: Mapping[str, str]) -> str:
    return ", ".join([f"{_spoken(name)} {_spoken(value)}" for name, value in given.items()])


def _spoken(word: str) -> str:
    """An id or a typed value as words: `important_characters`, `helper,assisted`."""
    return " and ".join(word.replace("_", " ").split(","))


def _expected(typical: OptionImpact, is_chance: bool) -> str:
    if typical.expected is None:
        return "cannot be rolled"
    return percent(typical.expected) if is_chance else number(typical.expected)
