"""A system with the rule options and the content of one table, and the start of character creation under them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tablewright.game.content.library import Library
    from tablewright.game.rules.options import RuleOptions
    from tablewright.game.system.rulebook import Rulebook
    from tablewright.game.system.system import System


class Ruleset(NamedTuple):
    """A system with its rule options and its content library."""

    system: System
    options: RuleOptions
    library: Library

    @property
    def rulebook(self) -> Rulebook:
        """The system's rulebook."""
        return self.system.rulebook

    def name_for(self, seed: int) -> str:
        """A name for a character without one, different from those of all characters in the content."""
        from tablewright.game.character.creation import name_for  # noqa: PLC0415

        return name_for(seed, [entry.name for kind in self.rulebook.character_kinds for entry in self.library.of(kind)])

    def start_creation(self, given: Mapping[str, object], name: str | None = None) -> Callable[[], Any]:
        """A function that starts character creation; each call uses a new scene."""
        from tablewright.game.scene.game import Game  # noqa: PLC0415
        from tablewright.game.scene.scene import Scene  # noqa: PLC0415

        create = self.rulebook.create
        arguments = dict(given)
        if name is not None and any(parameter.name == "name" for parameter in create.params):
            arguments.setdefault("name", name)

        def start() -> Any:
            scene = Scene(system=self.system.id, options=self.options, library=self.library)
            return create.read(Game(scene, self.rulebook), arguments)

        return start
