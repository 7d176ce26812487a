"""What the command shows when it is called alone: what it can do, and three commands to try."""

from __future__ import annotations

from rich.text import Text

from tablewright.cli.example import example_words
from tablewright.cli.paper import HEAD, QUIET, indented, paper
from tablewright.errors import TablewrightError
from tablewright.game.registry import load_system, system_ids


def welcome() -> None:
    """Say hello and show commands that work."""
    console = paper()
    console.print(Text("Roll dice and rules, know the exact odds, get advice, look up the rules.", style=HEAD))
    console.print(Text(f"Systems: {', '.join(system_ids())}", style=QUIET))
    console.print()
    for line in examples():
        console.print(indented(line))
    console.print()
    console.print(Text("tablewright --help lists all commands, tablewright COMMAND --help explains one.", style=QUIET))


def examples() -> list[str]:
    """Three commands that work, each about another system where there are several with mechanics."""
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
