"""A system as one table plays it: with its options and its content; and how the making of a character begins in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tablewright.game.content import Library
    from tablewright.game.options import Options
    from tablewright.game.rulebook import Rulebook
    from tablewright.game.system import System


class Setting(NamedTuple):
    """A system as it is played: with its options and its content."""

    system: System
    options: Options
    library: Library

    @property
    def book(self) -> Rulebook:
        """The system's rule book."""
        return self.system.book

    def name_for(self, seed: int) -> str:
        """What somebody is called who was given no name: otherwise than anybody who is ready to be played."""
        from tablewright.game.given_names import name_for  # noqa: PLC0415

        return name_for(seed, [entry.name for kind in self.book.people for entry in self.library.of(kind)])

    def start_creation(self, given: Mapping[str, object], name: str | None = None) -> Callable[[], Any]:
        """What begins the system's creation, each time in a scene of its own."""
        from tablewright.game.scene import Live, Scene  # noqa: PLC0415

        create = self.book.create
        arguments = dict(given)
        if name is not None and any(parameter.name == "name" for parameter in create.params):
            arguments.setdefault("name", name)

        def start() -> Any:
            scene = Scene(system=self.system.id, options=self.options, library=self.library)
            return create.read(Live(scene, self.book), arguments)

        return start
