"""What the command shows when it is called alone: what it can do, and three commands to try."""

from __future__ import annotations

from tablewright.cli.example import example_words
from tablewright.cli.paper import HEAD, QUIET, indented, paper
from tablewright.game.registry import load_system, system_ids

from rich.text import Text


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
    """Three commands that work, about the first system that has a mechanic."""
    from tablewright.errors import TablewrightError

    for name in system_ids():
        try:
            system = load_system(name)
        except TablewrightError:
            continue
        for mechanic in system.mechanics:
            words = example_words(mechanic)
            if words is not None:
                return [f"tablewright odds {words}", f"tablewright roll {words}", f"tablewright rules {name}"]
    return ["tablewright roll 4d6kh3", "tablewright odds 4d6kh3", "tablewright mechanics"]
