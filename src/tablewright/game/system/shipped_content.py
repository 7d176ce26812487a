"""Content that comes with a system, followed by a user's own packs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.content.entries import ContentEntry
from tablewright.game.content.library import Library
from tablewright.game.content.packs import load_pack, load_shipped_pack, package_folder

if TYPE_CHECKING:
    from tablewright.game.system.system import System

PACK_FOLDER = "data/pack"


def shipped_library(system: System, own: Sequence[Path] = ()) -> Library:
    """The library of a system's starter pack and a user's own packs; problems of all packs are reported together.

    The starter pack is the folder `data/pack` of the system's package.
    """
    library = _starter(system.id, system.package, tuple(system.rulebook.kinds.items()))
    problems: list[str] = []
    for path in own:
        try:
            library = library.with_pack(load_pack(path, dict(library.kinds), library))
        except ProblemListError as wrong:
            problems += wrong.problems
        except InvalidInputError as wrong:
            problems.append(f"{path}: {wrong.message}" if str(path) not in wrong.message else wrong.message)
    if problems:
        raise ProblemListError(problems)
    return library


@lru_cache(maxsize=32)
def _starter(system: str, package: str, kinds: tuple[tuple[str, type[ContentEntry]], ...]) -> Library:
    library = Library(system, kinds)
    folder = package_folder(package) / PACK_FOLDER
    return library.with_pack(load_shipped_pack(folder, dict(kinds))) if folder.is_dir() else library
