"""What talents, ancestry and traits give, found and remembered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from tablewright.game.content import Library
from tablewright.game.remembering import remembered
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.content import Ancestry, Grant, Talent, Trait

R = TypeVar("R")
ANCESTRY = "mars.character.ancestry"


class Granted(NamedTuple):
    """Something that a character has: what it is, in how many steps, and from where."""

    grant: Grant
    steps: int
    source: str
    rule: str


@remembered
def granted(character: MarsCharacter, library: Library) -> tuple[Granted, ...]:
    """Everything that ancestry, talents and traits give."""
    found: list[Granted] = []
    if library.has(Ancestry, character.ancestry):
        ancestry = library.get(Ancestry, character.ancestry)
        found += [Granted(grant, 1, ancestry.name, ANCESTRY) for grant in ancestry.grants]
    for id_, steps in character.talents.items():
        if library.has(Talent, id_) and steps > 0:
            talent = library.get(Talent, id_)
            found += [Granted(grant, steps, talent.name, "mars.gap.talent.list") for grant in talent.grants]
    for own in character.traits:
        name, grants = own.name, own.grants
        if own.id and library.has(Trait, own.id):
            trait = library.get(Trait, own.id)
            name, grants = name or trait.name, (*trait.grants, *grants)
        found += [Granted(grant, 1, name or "trait", "mars.character.trait") for grant in grants]
    return tuple(found)


def grants_of(character: MarsCharacter, library: Library, kind: type[R]) -> Iterator[tuple[R, int, str, str]]:
    """What a character has of one kind of grant: the grant, its steps, where it comes from and the rule."""
    for grant, steps, source, rule in granted(character, library):
        if isinstance(grant, kind):
            yield grant, steps, source, rule
