"""Changes of characters: printed value by value, and written back to their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.cli.arguments.characters import differences
from tablewright.errors import InvalidInputError
from tablewright.game.session.record import StartEntry

if TYPE_CHECKING:
    from rich.console import Console

    from tablewright.game.session.session import Session


class Changed(NamedTuple):
    """A character before and after, with its file if it has one."""

    id: str
    path: Path | None
    before: Any
    after: Any

    @property
    def lines(self) -> list[str]:
        """Changed values, one line each."""
        return differences(self.before.to_json(), self.after.to_json())

    def to_json(self) -> dict[str, Any]:
        """The changes and the new character as JSON."""
        return {"id": self.id, "changes": self.lines, "character": self.after.to_json()}


def write_back(changed: Sequence[Changed]) -> list[str]:
    """Write changed characters to their own files; return the file names."""
    from tablewright.game.character.character import write_character  # noqa: PLC0415  (brings in pydantic)

    written = []
    for one in changed:
        if one.path is not None and one.lines:
            write_character(one.path, one.after)
            written.append(near(one.path))
    return written


def tell_changes(console: Console, changed: Sequence[Changed], session: Session) -> None:
    """Print the changes of each character by the labels of its sheet."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import HEAD, indented  # noqa: PLC0415

    for one in changed:
        told = sheet_changes(one, session)
        if told:
            console.print(Text(one.before.name, style=HEAD))
        for change in told:
            console.print(indented(change))


def sheet_changes(one: Changed, session: Session) -> list[str]:
    """Values that are different on the sheet of a character, one line each, by their labels."""
    scene, book = session.scene, session.rulebook
    was, now = [
        {line.label: str(line.value) for line in book.sheet(character, scene.options, scene.library).entries()}
        for character in (one.before, one.after)
    ]
    told = [f"{label} {was[label]} to {value}" for label, value in now.items() if was.get(label, value) != value]
    told += [f"{f'{label} {value}'.strip()}, new" for label, value in now.items() if label not in was]
    return told + [f"{label}, no longer" for label in was if label not in now]


def after_the_fight(session: Session) -> list[Changed]:
    """Characters with files as they left the scene; empty before the fight has ended, and in a campaign of `do`."""
    began = session.entries[0] if session.entries else None
    of_a_fight = isinstance(began, StartEntry) and began.process == session.rulebook.encounter.name
    if session.scene.ended is None or not of_a_fight:
        return []
    files = session.header.source.get("files", {})
    return [
        Changed(
            who, Path(file), session.header.scene[who].character, session.rulebook.export_character(session.scene, who)
        )
        for who, file in files.items()
    ]


class SavedCharacter(NamedTuple):
    """Characters after a fight, the files written, and the problems with the others."""

    changed: Sequence[Changed]
    written: Sequence[str]
    problems: Sequence[str]


def keep(session: Session) -> SavedCharacter:
    """Write characters back to their files; a file that changed meanwhile is left alone and reported."""
    from tablewright.game.character.character import read_character  # noqa: PLC0415  (brings in pydantic)

    changed = after_the_fight(session)
    ready, problems = [], []
    for one in changed:
        assert one.path is not None
        try:
            now = read_character(one.path, session.rulebook.character).character
        except InvalidInputError as problem:
            problems.append(f"{one.before.name} is not written: {problem}")
            continue
        if now.to_json() == one.before.to_json():
            ready.append(one)
        elif now.to_json() != one.after.to_json():
            problems.append(f"{near(one.path)} has changed since the fight began, and is left as it is")
    return SavedCharacter(changed, write_back(ready), problems)


def tell_kept(kept: SavedCharacter, session: Session) -> None:
    """Print the effect of a fight on characters from files."""
    if not kept.changed:
        return
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import QUIET, make_console  # noqa: PLC0415

    console = make_console()
    console.print()
    tell_changes(console, kept.changed, session)
    if kept.written:
        console.print(Text(f"Written to {', '.join(kept.written)}.", style=QUIET), soft_wrap=True)


def near(path: Path) -> str:
    """A path relative to the working directory if it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
