"""``tablewright rules``: browse and search all ledgers, show one rule, list rule options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args

import typer

from tablewright.cli.arguments.flags import AsJson
from tablewright.cli.arguments.text import names_mechanic, validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.rules.entry_points import system_ids, unknown_system
from tablewright.game.rules.ledger import Kind, Ledger, Rule, found_in_data
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.game.system.rule_index import Usage

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Found(NamedTuple):
    """Matching rules of one ledger, best first."""

    ledger: Ledger
    rules: tuple[Rule, ...]


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM | TOPIC | RULE | WORDS", help="A system, topic or rule to show, or words to search for."
        ),
    ] = None,
    *,
    system: Annotated[str | None, typer.Option(metavar="SYSTEM", help="Search only this system.")] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help=f"Only {', '.join(get_args(Kind))}.")] = None,
    options: Annotated[bool, typer.Option("--options", help="List the rule options of a system.")] = False,
    code: Annotated[
        bool, typer.Option("--code", help="With one rule: list the code that implements it, with file and line.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Browse and search the rules."""
    wanted = list(validate_words(words or ()))
    if kind is not None and kind not in get_args(Kind):
        raise InvalidInputError(
            f'--kind is "{kind:.60}"; allowed are {", ".join(get_args(Kind))}{did_you_mean(kind, get_args(Kind))}'
        )
    if system is not None and system not in system_ids():
        raise unknown_system(system[:100])
    if system is None and wanted and wanted[0] in system_ids():
        system = wanted.pop(0)
    if options:
        if wanted and system is None:
            raise unknown_system(wanted[0][:100])
        if wanted:
            raise InvalidInputError(f'--options takes a system and nothing else, not "{wanted[0]:.60}"')
        _show_options([system] if system else list(system_ids()), as_json)
    elif len(wanted) == 1 and names_mechanic(wanted[0]):
        _open(wanted[0][:200], system, kind, as_json, code=code)
    elif wanted:
        _search(" ".join(wanted), system, kind, as_json)
    else:
        _browse(system, kind, as_json)


def _ledgers(system: str | None) -> list[Ledger]:
    """The ledger of one system, or of all; an unreadable one is reported and skipped."""
    if system is not None:
        return [Ledger.load(system)]
    found = []
    for name in system_ids():
        try:
            found.append(Ledger.load(name))
        except TablewrightError as problem:
            note(f'the rules of "{name}" cannot be read: {problem}')
    return found


def _of_kind(rules: Sequence[Rule], kind: str | None) -> tuple[Rule, ...]:
    return tuple([rule for rule in rules if kind is None or rule.kind == kind])


def _browse(system: str | None, kind: str | None, as_json: bool) -> None:
    """Print topics with their rule counts."""
    shelves = [Found(ledger, _of_kind(ledger.rules, kind)) for ledger in _ledgers(system)]
    if as_json:
        print_json(
            {
                "systems": [
                    {
                        "id": ledger.system,
                        "book": ledger.book,
                        "rules": len(rules),
                        "topics": [{"topic": topic, "rules": count} for topic, count in topics_of(rules).items()],
                    }
                    for ledger, rules in shelves
                ]
            }
        )
    else:
        from tablewright.cli.views.rules import draw_books, draw_topics  # noqa: PLC0415  (loads rich)

        if system is None:
            draw_books([(ledger, rules, topics_of(rules)) for ledger, rules in shelves])
        else:
            draw_topics(shelves[0].ledger, topics_of(shelves[0].rules))


def topics_of(rules: Sequence[Rule]) -> dict[str, int]:
    """Rule count of each topic, in book order."""
    counts: dict[str, int] = {}
    for rule in rules:
        counts[rule.topic] = counts.get(rule.topic, 0) + 1
    return counts


def _open(name: str, system: str | None, kind: str | None, as_json: bool, *, code: bool) -> None:
    """Print one rule by its id, or the rules of a topic."""
    owner = name.partition(".")[0]
    if owner not in system_ids():
        raise unknown_system(owner)
    if system not in (None, owner):
        raise InvalidInputError(f'"{name}" does not belong to "{system}"')
    ledger = Ledger.load(owner)
    if name in ledger:
        _show_rule(ledger[name], as_json, code=code)
        return
    if not any(rule.id.startswith(f"{name}.") for rule in ledger.rules):
        near = did_you_mean(name, [*ledger, *ledger.topics()])
        raise InvalidInputError(f'{ledger.book} has no rule and no topic "{name}"{near}')
    rules = _of_kind(ledger.under(name), kind)
    if as_json:
        print_json({"topic": name, "rules": [brief_json(ledger, rule) for rule in rules]})
    else:
        from tablewright.cli.views.rules import draw_rules  # noqa: PLC0415  (loads rich)

        draw_rules(ledger, rules, f"{name}, {len(rules)} rules")


def _show_rule(rule: Rule, as_json: bool, *, code: bool) -> None:
    users = _users_of(rule, code=code)
    if as_json:
        mechanics = [user.name for user in users if user.kind == "mechanic"]
        told = [user._asdict() for user in users]
        print_json(rule.to_json() | {"citation": rule.citation, "mechanics": mechanics, "users": told})
    else:
        from tablewright.cli.views.rules import draw_rule  # noqa: PLC0415  (loads rich)

        draw_rule(rule, users, code=code)


def _users_of(rule: Rule, *, code: bool) -> tuple[Usage, ...]:
    """Code that implements a rule; without ``code``, only what is known without loading the whole system."""
    from tablewright.game.system.rule_index import usages_of  # noqa: PLC0415  (loads inspect)

    try:
        return usages_of(load_system(rule.id.partition(".")[0]), rule.id, everywhere=code)
    except TablewrightError as problem:
        note(str(problem))
        return ()


def _search(words: str, system: str | None, kind: str | None, as_json: bool) -> None:
    shelves = [Found(ledger, _of_kind(ledger.search(words), kind)) for ledger in _ledgers(system)]
    found = [shelf for shelf in shelves if shelf.rules]
    if as_json:
        told = [brief_json(ledger, rule) | _in_data(rule, words) for ledger, rules in found for rule in rules]
        print_json({"words": words, "rules": told})
        return
    from tablewright.cli.views.rules import draw_found, draw_rule  # noqa: PLC0415  (loads rich)

    if len(found) == 1 and len(found[0].rules) == 1:  # a single match is shown in full
        rule = found[0].rules[0]
        draw_rule(rule, _users_of(rule, code=False), found=found_in_data(rule, words))
        return
    draw_found(words, [(shelf.ledger, shelf.rules) for shelf in found])
    if not found:
        note(f'no rule mentions "{words:.60}"{did_you_mean(words, system_ids())}')


def _in_data(rule: Rule, words: str) -> dict[str, Any]:
    """Parts of a rule's data that match the words; empty if none do."""
    held = [{"where": where, "what": what} for where, what in found_in_data(rule, words)]
    return {"found": held} if held else {}


def brief_json(ledger: Ledger, rule: Rule) -> dict[str, Any]:
    """A rule as an entry of a JSON list."""
    return {
        "id": rule.id,
        "system": ledger.system,
        "title": rule.title,
        "kind": rule.kind,
        "citation": rule.citation,
    }


def _show_options(systems: Sequence[str], as_json: bool) -> None:
    """Print every rule option and the effect of its values on a typical check."""
    from tablewright.game.system.option_impact import typical_odds  # noqa: PLC0415  (loads the drivers)

    described = []
    for name in systems:
        system = load_system(name)
        described.append((system, [(field, typical_odds(system, field)) for field in system.options.describe()]))
    if as_json:
        print_json(
            {
                "systems": [
                    {
                        "id": system.id,
                        "options": [
                            field.to_json() | {"typical": [one.to_json() for one in values]} for field, values in fields
                        ],
                    }
                    for system, fields in described
                ]
            }
        )
    else:
        from tablewright.cli.views.rules import draw_options  # noqa: PLC0415  (loads rich)

        draw_options(described)
