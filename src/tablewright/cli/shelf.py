"""The books on the shelf: topics, lists of rules, the page of one rule, options."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from tablewright.cli.numbers import number, percent
from tablewright.cli.paper import HEAD, QUIET, definitions, heading, indented, narrow, paper, table
from tablewright.cli.screen import counted
from tablewright.game.ledger import Ledger, Rule
from tablewright.game.options import OptionField
from tablewright.game.rule_users import User
from tablewright.game.system import System
from tablewright.game.typical import Typical
from tablewright.game.wording import shown

MOST_FOUND = 12
"""How many rules of each book a search over several books shows; of one book, five times as many."""


def draw_books(shelves: Sequence[tuple[Ledger, Sequence[Rule], Mapping[str, int]]]) -> None:
    """All books, with how many rules and topics they have."""
    console = paper()
    rows = table(("system", "name"), ("rules", "number"), ("topics", "number"), ("book", "text"))
    for ledger, rules, topics in shelves:
        rows.add_row(ledger.system, str(len(rules)), str(len(topics)), Text(ledger.book))
    console.print(rows)


def draw_topics(ledger: Ledger, topics: Mapping[str, int]) -> None:
    """The topics of one book."""
    console = paper()
    console.print(heading(ledger.book, f"{sum(topics.values())} rules in {len(topics)} topics"))
    cells = [f"{topic}  {count}" for topic, count in topics.items()]
    width = max([len(cell) for cell in cells], default=1) + 3
    columns = max(1, console.width // width)
    height = -(-len(cells) // columns)
    for line in range(height):
        console.print(Text("".join([cell.ljust(width) for cell in cells[line::height]]).rstrip()), no_wrap=True)


def draw_rules(ledger: Ledger, rules: Sequence[Rule], more: str) -> None:
    """Rules with their titles."""
    console = paper()
    console.print(heading(ledger.book, more))
    _list(console, rules)


def draw_found(words: str, found: Sequence[tuple[Ledger, Sequence[Rule]]]) -> None:
    """What a search found, book by book."""
    console = paper()
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


def draw_rule(rule: Rule, users: Sequence[User], *, code: bool = False, found: Sequence[tuple[str, str]] = ()) -> None:
    """One rule in full, with what follows it; on request with the line of code, and what was found in its data."""
    console = paper()
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
        for line in written(plain["examples"], console.width - 4):
            console.print(indented(line))
    if rule.changed:
        console.print(Text("\nchanged", style=HEAD))
        console.print(indented(rule.changed))
    if users:
        console.print(Text("\nused by", style=HEAD))
        if code:
            definitions(console, [(str(user), user.where) for user in users])
        else:
            console.print(indented(", ".join([user.name for user in users])))


def written(value: Any, width: int, indent: str = "") -> list[str]:
    """Data as people write it down: what fits on a line stays on it.

    >>> written({"a": [1, 2], "b": {"c": True}}, 60)
    ['a: 1, 2', 'b: c: yes']
    """
    if isinstance(value, dict):
        lines = []
        for key, item in value.items():
            flat = _flat(item)
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
        return ", ".join([f"{key}: {_nested(item)}" for key, item in value.items()])
    if isinstance(value, list):
        return ", ".join(map(_nested, value))
    if value is None or isinstance(value, bool):
        return shown(value)
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value)


def _nested(value: Any) -> str:
    if isinstance(value, dict) and len(value) > 1:
        return f"{{{_flat(value)}}}"
    return f"[{_flat(value)}]" if isinstance(value, list) else _flat(value)


def draw_options(described: Sequence[tuple[System, Sequence[tuple[OptionField, Sequence[Typical]]]]]) -> None:
    """The options of systems with default, allowed values, the rule they vary and what they make of a typical check."""
    console = paper()
    for place, (system, fields) in enumerate(described):
        if place:
            console.print()
        console.print(heading(system.title, counted(len(fields), "option") if fields else "no options"))
        definitions(console, [(field.name, _option(field, values)) for field, values in fields])


def _option(field: OptionField, values: Sequence[Typical]) -> str:
    about = f"{field.about} (default {shown(field.default)}; {field.allowed}) [{field.rule}]"
    if not values:
        return f"{about}\nchanges no roll"
    usual = values[0]
    told = ", ".join([f"{shown(one.value)} {_expected(one)}" for one in values])
    return f"{about}\n{usual.line}: {usual.objective} with {told}"


def _expected(typical: Typical) -> str:
    if typical.expected is None:
        return "cannot be rolled"
    return percent(typical.expected) if typical.is_chance else number(typical.expected)
