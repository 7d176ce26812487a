"""A scenario that was read: frozen values, with no system's knowledge in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tablewright.errors import BadInput, nearest
from tablewright.game.content import Library
from tablewright.game.frozen import Frozen, thaw
from tablewright.game.ground import Facts, Ground, Position
from tablewright.game.options import Options
from tablewright.game.yaml_lines import Document

Ending: TypeAlias = Literal["last_side", "first_fall", "game_master"]
"""`last_side`: one side at most is left; `first_fall`: somebody is out of it; `game_master`: only by a ruling."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part. `character` is the id of a template or creature, or the content of a character file.

    `document` is the same content with its places in the file, for whoever reads it, and `at` where the entrant stands.
    """

    id: str
    side: str
    character: str | Frozen[Any]
    name: str = ""
    seat: str = ""
    position: Position | None = None
    hidden: bool = False
    policy: str = ""
    document: Document | None = field(default=None, compare=False, repr=False)
    at: str = field(default="", compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The entrant as plain JSON, in the form of a scenario file; what is empty is left out."""
        plain: dict[str, Any] = {"id": self.id, "side": self.side, "character": thaw(self.character)}
        for name in ("name", "seat", "policy", "hidden"):
            if getattr(self, name):
                plain[name] = getattr(self, name)
        if self.position is not None:
            plain["position"] = str(self.position)
        return plain


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that was read and checked, as far as that needs no rules. `surprised` holds ids of entrants."""

    title: str
    system: str
    options: Options
    ground: Ground
    sides: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    surprised: tuple[str, ...] = ()
    facts: Facts = field(default_factory=Facts)
    start: Frozen[Any] = field(default_factory=Frozen)
    rounds: int = 100
    ends: Ending = "last_side"
    now: int = 0
    about: str = ""
    packs: tuple[str, ...] = ()
    library: Library | None = field(default=None, compare=False, repr=False)
    name: str = field(default="", compare=False)

    def on(self, side: str) -> tuple[Entrant, ...]:
        """The entrants of one side."""
        return tuple([entrant for entrant in self.entrants if entrant.side == side])

    def __getitem__(self, who: str) -> Entrant:
        for entrant in self.entrants:
            if entrant.id == who:
                return entrant
        known = [entrant.id for entrant in self.entrants]
        raise BadInput(f'nobody here is called "{who:.40}"; here are: {", ".join(known)}{nearest(who, known)}')

    def to_json(self) -> dict[str, Any]:
        """The scenario as plain JSON with every character in it; `read_scenario` gives an equal one."""
        plain: dict[str, Any] = {"title": self.title, "system": self.system}
        if self.about:
            plain["about"] = self.about
        if self.options.changed():
            plain["options"] = self.options.changed()
        if self.packs:
            plain["packs"] = list(self.packs)
        plain |= {"ground": self.ground.to_json(), "sides": list(self.sides)}
        plain["participants"] = [entrant.to_json() for entrant in self.entrants]
        if self.surprised:
            plain["surprise"] = list(self.surprised)
        if self.facts.entries:
            plain["facts"] = self.facts.to_json()
        if self.start:
            plain["start"] = thaw(self.start)
        if self.now:
            plain["now"] = self.now
        return plain | {"rounds": self.rounds, "ends": self.ends}
