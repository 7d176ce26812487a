"""Pages of the documentation written from the rule ledgers: a page per topic, mechanics and rule options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablewright.cli.views.rules import written
from tablewright.game.narration.formatting import format_value
from tablewright.game.rules.ledger import Rule
from tablewright.game.system.registry import load_system
from tablewright.game.system.rule_index import Usage, usages_of
from tablewright.game.system.system import System

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
MOST_COLUMNS = 7
"""Upper bound for columns of a table; wider data is printed as text."""

KINDS = {
    "guidance": "Guidance",
    "mechanic": "Mechanic",
    "option": "Option",
    "procedure": "Procedure",
    "table": "Table",
}
ORIGINS = {"upstream": "figures of another edition of the game", "house": "house rule"}
_MARKED = re.compile(r"([\\`*_{}\[\]<>|#~^])")


def escape(text: str) -> str:
    r"""Escape text so that Markdown shows it as it is.

    >>> escape("2 * d6 <br>")
    '2 \\* d6 \\<br\\>'
    """
    marked = _MARKED.sub(r"\\\1", " ".join(str(text).split()))
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", marked)


def topic_page(topic: str) -> str:
    """File of a topic below `rules/`.

    >>> topic_page("mars.gap.weapon")
    'mars/gap-weapon.md'
    """
    system, _, rest = topic.partition(".")
    return f"{system}/{rest.replace('.', '-')}.md"


def write_rules(folder: Path) -> dict[str, str]:
    """Write all pages about rules and mechanics; return the address of every rule, from the root of the site."""
    systems = [load_system(name) for name in SYSTEMS]
    rules = [rule for system in systems for rule in system.ledger.values()]
    addresses = {rule.id: f"rules/{topic_page(rule.topic)}#{rule.id}" for rule in rules}
    pages = dict(_pages(systems, addresses))
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return addresses


def _pages(systems: Sequence[System], addresses: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "rules/index.md", _books(systems)
    for system in systems:
        yield f"rules/{system.id}/index.md", _book(system)
        yield f"rules/{system.id}/mechanics.md", _mechanics(system, addresses)
        yield f"rules/{system.id}/options.md", _options(system, addresses)
        for topic in system.ledger.topics():
            rules = [rule for rule in system.ledger.values() if rule.topic == topic]
            if rules:
                yield f"rules/{topic_page(topic)}", _topic(system, topic, rules, addresses)


def _books(systems: Sequence[System]) -> str:
    count = sum(len(system.ledger) for system in systems)
    lines = [
        "# Rules",
        "",
        f"All {count:,} rules of the five books, in our own words, each with its id, its section of the book and the",
        "code that plays it. The search above finds them by id, title and text; on the command line",
        "`tablewright rules WORDS` does the same.",
        "",
        "| game | rules | topics | |",
        "|---|---|---|---|",
    ]
    for system in systems:
        topics = len({rule.topic for rule in system.ledger.values()})
        lines.append(
            f"| [{escape(system.title)}]({system.id}/index.md) | {len(system.ledger)} | {topics} "
            f"| [mechanics]({system.id}/mechanics.md), [rule options]({system.id}/options.md) |"
        )
    return "\n".join(lines) + "\n"


def title_of(topic: str) -> str:
    """Title of a topic.

    >>> title_of("mars.gap.weapon"), title_of("stage.power_effect")
    ('Weapon (gaps)', 'Power effect')
    """
    words = topic.split(".")[1:]
    gap = " (gaps)" if words[0] == "gap" and len(words) > 1 else ""
    return " ".join(words[1:] if gap else words).replace("_", " ").capitalize() + gap


def _book(system: System) -> str:
    lines = [
        f"# Rules of {escape(system.title)}",
        "",
        f"{len(system.ledger)} rules. Topics marked *gaps* hold what the book leaves out and we decided.",
        f"How the game is played here: [{escape(system.title)}](../../systems/{system.id}.md). Its",
        "[mechanics](mechanics.md) can be rolled; its [rule options](options.md) are for your table to choose.",
        "",
    ]
    for topic in system.ledger.topics():
        rules = [rule for rule in system.ledger.values() if rule.topic == topic]
        if rules:
            page = topic_page(topic).partition("/")[2]
            titles = " · ".join([f"[{escape(rule.title)}]({page}#{rule.id})" for rule in rules])
            lines += [f"**[{title_of(topic)}]({page})**<br>{titles}", ""]
    return "\n".join(lines) + "\n"


def _topic(system: System, topic: str, rules: Sequence[Rule], addresses: Mapping[str, str]) -> str:
    lines = [
        "---",
        f"description: {len(rules)} rules of {system.title} about {title_of(topic).lower()}",
        "search: {boost: 3}",
        "---",
        "",
        f"# {title_of(topic)}",
        "",
        f"[{escape(system.title)}](index.md), {len(rules)} rule{'s' * (len(rules) > 1)}.",
        "",
    ]
    for rule in rules:
        lines += [*_rule(system, rule, addresses), ""]
    return "\n".join(lines)


def _rule(system: System, rule: Rule, addresses: Mapping[str, str]) -> Iterator[str]:
    yield f"## {escape(rule.title)} {{#{rule.id}}}"
    yield ""
    origin = f", {ORIGINS[rule.origin]}" if rule.origin in ORIGINS else ""
    yield f"`{rule.id}` · {escape(rule.section)} · {KINDS[rule.kind]}{origin}"
    yield ""
    yield linked(escape(rule.text), addresses, up="../../")
    yield ""
    if rule.ruling:
        yield f"**Ruling.** {linked(escape(rule.ruling), addresses, up='../../')}"
        yield ""
    plain = rule.to_json()
    if "data" in plain:
        yield from _data(plain["data"])
    if "examples" in plain:
        yield "**Examples**"
        yield ""
        yield from _data(plain["examples"])
    if rule.changed:
        yield f"**Changed.** {escape(rule.changed)}"
        yield ""
    yield from _used_by(usages_of(system, rule.id, everywhere=True))


def _used_by(usages: Sequence[Usage]) -> Iterator[str]:
    if not usages:
        return
    yield "**Used by**"
    yield ""
    for kind in dict.fromkeys([one.kind for one in usages]):
        names: list[str] = []
        files: dict[str, None] = {}
        for one in [one for one in usages if one.kind == kind]:
            page = {"mechanic": "mechanics.md", "option": "options.md"}.get(kind)
            names.append(f"[`{one.name}`]({page}#{one.name})" if page else f"`{one.name}`")
            files[one.where.partition(":")[0]] = None
        where = ", ".join([f"`{name}`" for name in files if name])
        yield f"- {kind} {', '.join(dict.fromkeys(names))}{f' in {where}' if where else ''}"
    yield ""


def _data(data: Any) -> Iterator[str]:
    rows = _rows(data)
    if rows is None:
        yield "```text"
        yield from written(data, 100)
        yield "```"
    else:
        head, *body = rows
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from [f"| {' | '.join(row)} |" for row in body]
    yield ""


def _rows(data: Any) -> list[list[str]] | None:
    """Data as the rows of a table, the head first; None if it does not fit into one."""
    if isinstance(data, dict) and data and all(_is_flat(value) for value in data.values()):
        return [["", ""], *[[_cell(key), _cell(value)] for key, value in data.items()]]
    named: list[tuple[str | None, Any]] = (
        list(data.items())
        if isinstance(data, dict)
        else [(None, one) for one in data]
        if isinstance(data, list)
        else []
    )
    if not named or not all(isinstance(row, dict) and all(map(_is_flat, row.values())) for _, row in named):
        return None
    columns = list(dict.fromkeys([key for _, row in named for key in row]))
    if len(columns) > MOST_COLUMNS:
        return None
    first = [""] if named[0][0] is not None else []
    rows = [first + [_cell(column) for column in columns]]
    for name, row in named:
        rows.append(([_cell(name)] if first else []) + [_cell(row.get(column, "")) for column in columns])
    return rows


def _is_flat(value: Any) -> bool:
    """Whether a value fits into a cell: no mapping inside a list, and at most one level of mapping."""
    if isinstance(value, dict):
        return len(value) <= 4 and not any(isinstance(one, dict | list) for one in value.values())
    return not isinstance(value, list) or not any(isinstance(one, dict | list) for one in value)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join([f"{escape(key)}: {_cell(one)}" for key, one in value.items()])
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if value is None or isinstance(value, bool):
        return format_value(value)
    return escape(str(value))


def _mechanics(system: System, addresses: Mapping[str, str]) -> str:
    lines = [
        f"# Mechanics of {escape(system.title)}",
        "",
        "Every mechanic can be rolled, and has exact odds: `tablewright odds NAME key=value ...`,",
        "`tablewright roll NAME ...`, `tablewright advise NAME ...`.",
        "",
    ]
    for mechanic in system.mechanics:
        lines += [f"## {mechanic.name} {{#{mechanic.name}}}", ""]
        for paragraph in mechanic.documentation.split("\n\n"):
            lines += [escape(paragraph), ""]
        if mechanic.params:
            lines += ["| parameter | meaning | allowed | default |", "|---|---|---|---|"]
            for one in mechanic.params:
                default = "" if one.required else "empty" if one.default == () else escape(format_value(one.default))
                lines.append(f"| `{one.name}` | {escape(one.about)} | {escape(one.kind.allowed())} | {default} |")
            lines.append("")
        links = [f"[{rule}](../../{addresses[rule]})" for rule in mechanic.rules if rule in addresses]
        lines += [f"**Rules** {', '.join(links)}", ""]
    return "\n".join(lines)


def _options(system: System, addresses: Mapping[str, str]) -> str:
    lines = [
        f"# Rule options of {escape(system.title)}",
        "",
        "Readings and variants that the book leaves to the table. Set them with `--option NAME=VALUE` on the",
        "command line, or on the campaign's page in the browser.",
        "",
    ]
    for option in system.options.describe():
        rule = f" [{option.rule}](../../{addresses[option.rule]})" if option.rule in addresses else ""
        lines += [
            f"## {option.name} {{#{option.name}}}",
            "",
            f"{escape(option.description[:1].upper() + option.description[1:])}.",
            "",
        ]
        lines += [f"Allowed: {escape(option.allowed)}. Default: {escape(format_value(option.default))}.{rule}", ""]
    return "\n".join(lines)


_RULE = re.compile(rf"(?<![\w/#.(])`?(?P<rule>(?:{'|'.join(SYSTEMS)})(?:\.(?:[a-z0-9_]|\\_)+)+)`?(?![\w(])")


def linked(text: str, addresses: Mapping[str, str], *, up: str) -> str:
    """Turn the ids of rules in a text into links."""

    def link(found: re.Match[str]) -> str:
        rule = found["rule"].replace("\\", "")
        return f"[{found[0]}]({up}{addresses[rule]})" if rule in addresses else found[0]

    return _RULE.sub(link, text)
