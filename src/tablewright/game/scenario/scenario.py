"""Validated scenarios as frozen values, independent of any system's rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.content.library import Library
from tablewright.game.files.documents import Document
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import Ground, Position
from tablewright.game.rules.options import RuleOptions
from tablewright.game.values import Frozen, thaw

Ending: TypeAlias = Literal["last_side", "first_fall", "game_master"]
"""`last_side`: at most one side is left; `first_fall`: one participant is out; `game_master`: only by a ruling."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One line of a scenario's cast.

    `character` is the id of a template or creature, or the content of a character file. `document` is the same content
    with line numbers, for error messages; `at` is the entrant's own place in the file.
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
        """The entrant as JSON in the form of a scenario file, without empty fields."""
        plain: dict[str, Any] = {"id": self.id, "side": self.side, "character": thaw(self.character)}
        for name in ("name", "seat", "policy", "hidden"):
            if getattr(self, name):
                plain[name] = getattr(self, name)
        if self.position is not None:
            plain["position"] = str(self.position)
        return plain


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, validated as far as possible without the system's rules.

    `surprised` holds ids of entrants, `side_names` the display names of sides, such as "the watch".
    """

    title: str
    system: str
    options: RuleOptions
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
    side_names: Frozen[str] = field(default_factory=Frozen)

    def on(self, side: str) -> tuple[Entrant, ...]:
        """The entrants of one side."""
        return tuple([entrant for entrant in self.entrants if entrant.side == side])

    def __getitem__(self, who: str) -> Entrant:
        for entrant in self.entrants:
            if entrant.id == who:
                return entrant
        known = [entrant.id for entrant in self.entrants]
        raise InvalidInputError(
            f'nobody here is called "{who:.40}"; here are: {", ".join(known)}{did_you_mean(who, known)}'
        )

    def to_json(self) -> dict[str, Any]:
        """The scenario as JSON with all characters included; `read_scenario` returns an equal one."""
        plain: dict[str, Any] = {"title": self.title, "system": self.system}
        if self.about:
            plain["about"] = self.about
        if self.options.changed():
            plain["options"] = self.options.changed()
        if self.packs:
            plain["packs"] = list(self.packs)
        plain |= {"ground": self.ground.to_json(), "sides": list(self.sides)}
        if self.side_names:
            plain["side_names"] = dict(self.side_names)
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
