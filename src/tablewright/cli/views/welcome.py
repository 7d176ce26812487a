"""The page shown without a command: a summary and three example commands."""

from __future__ import annotations

from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, indented, make_console
from tablewright.cli.views.examples import example_words
from tablewright.errors import TablewrightError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system


def welcome() -> None:
    """Print the welcome page with working example commands."""
    console = make_console()
    console.print(Text("Roll dice and rules, know the exact odds, get advice, look up the rules.", style=HEAD))
    console.print(Text(f"Systems: {', '.join(system_ids())}", style=QUIET))
    console.print()
    for line in examples():
        console.print(indented(line))
    console.print()
    console.print(Text("tablewright --help lists all commands, tablewright COMMAND --help explains one.", style=QUIET))


def examples() -> list[str]:
    """Three working commands, from different systems if possible."""
    found: list[str] = []
    for name in system_ids():
        try:
            mechanics = load_system(name).mechanics
        except TablewrightError:
            continue
        found += [words for words in map(example_words, mechanics[:1]) if words is not None]
        if len(found) == 2:
            break
    first = found[0] if found else "4d6kh3"
    return [f"tablewright odds {first}", f"tablewright roll {found[-1] if found else first}", _rules(first)]


def _rules(words: str) -> str:
    topic = words.partition(" ")[0].partition(".")
    return f"tablewright rules {topic[0]}" if topic[1] else "tablewright rules"
