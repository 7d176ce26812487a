"""What became of characters: told value by value, and written back to the files they came from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.cli.people import differences
from tablewright.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tablewright.game.session import Session


class Changed(NamedTuple):
    """A character before and after, with its file where it has one."""

    id: str
    path: Path | None
    before: Any
    after: Any

    @property
    def lines(self) -> list[str]:
        """What has changed, one line a value."""
        return differences(self.before.to_json(), self.after.to_json())

    def to_json(self) -> dict[str, Any]:
        """What has changed, and the character as it is now."""
        return {"id": self.id, "changes": self.lines, "character": self.after.to_json()}


def write_back(changed: Sequence[Changed]) -> list[str]:
    """Write everybody who has changed to their own file; gives the names of the files."""
    from tablewright.game.character import write_character  # noqa: PLC0415  (brings in pydantic)

    written = []
    for one in changed:
        if one.path is not None and one.lines:
            write_character(one.path, one.after)
            written.append(near(one.path))
    return written


def tell_changes(console: Console, changed: Sequence[Changed]) -> None:
    """Say what has changed of whom."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.paper import HEAD, QUIET, indented  # noqa: PLC0415

    for one in changed:
        if one.lines:
            console.print(Text(one.before.name, style=HEAD))
        for change in one.lines:
            console.print(indented(change))
    if not any(one.lines for one in changed):
        console.print(Text("nothing on the sheet has changed", style=QUIET))


def after_the_fight(session: Session) -> list[Changed]:
    """Those who go back to their files, as they left the scene; nobody before it has ended."""
    if session.scene.ended is None:
        return []
    files = session.header.source.get("files", {})
    return [
        Changed(who, Path(file), session.header.scene[who].character, session.book.leave(session.scene, who))
        for who, file in files.items()
    ]


class Kept(NamedTuple):
    """Who fought, the files that were written, and what was wrong with the others."""

    changed: Sequence[Changed]
    written: Sequence[str]
    problems: Sequence[str]


def keep(session: Session) -> Kept:
    """Write those who fought back to their files; a file that was changed meanwhile is left alone and named."""
    from tablewright.game.character import read_character  # noqa: PLC0415  (brings in pydantic)

    changed = after_the_fight(session)
    ready, problems = [], []
    for one in changed:
        assert one.path is not None
        try:
            now = read_character(one.path, session.book.character).character
        except BadInput as problem:
            problems.append(f"{one.before.name} is not written: {problem}")
            continue
        if now.to_json() == one.before.to_json():
            ready.append(one)
        elif now.to_json() != one.after.to_json():
            problems.append(f"{near(one.path)} has changed since the fight began, and is left as it is")
    return Kept(changed, write_back(ready), problems)


def tell_kept(kept: Kept) -> None:
    """Say what the fight has made of those who came from files."""
    if not kept.changed:
        return
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.paper import QUIET, paper  # noqa: PLC0415

    console = paper()
    console.print()
    tell_changes(console, kept.changed)
    if kept.written:
        console.print(Text(f"written to {', '.join(kept.written)}", style=QUIET))


def near(path: Path) -> str:
    """A file by its name from here, where it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
