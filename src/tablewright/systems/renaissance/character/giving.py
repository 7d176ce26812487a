"""What somebody is given by race, form, traits, classes, sustained powers and chemicals: grants with their source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from tablewright.game.content import Entry, Library
from tablewright.game.remembering import by_identity
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.content import CharacterClass, FormFeature, Race, Trait
from tablewright.systems.renaissance.grants import FigureChange

G = TypeVar("G")

RACE, TRAITS, CLASSES = "renaissance.character.race", "renaissance.character.traits", "renaissance.character.classes"


class Given(NamedTuple):
    """One grant, what it comes from, the rule of its source, and the detail that the sheet has of it."""

    grant: Any
    source: str
    rule: str
    detail: str = ""


def race_of(character: RenaissanceCharacter, library: Library) -> Race | None:
    """The race of somebody, where the content knows it."""
    return library.get(Race, character.race) if library.has(Race, character.race) else None


def features_of(character: RenaissanceCharacter, library: Library) -> list[FormFeature]:
    """What the hybrid form has, while somebody is in it."""
    if character.form != "hybrid":
        return []
    return [library.get(FormFeature, id_) for id_ in character.features if library.has(FormFeature, id_)]


@by_identity
def given(character: RenaissanceCharacter, library: Library) -> tuple[Given, ...]:
    """Everything that race, form, traits and classes give for good."""
    return tuple(_given(character, library))


def _given(character: RenaissanceCharacter, library: Library) -> Iterator[Given]:
    race = race_of(character, library)
    if race is not None:
        for grant in race.grants:
            yield Given(grant, race.name, RACE)
    for feature in features_of(character, library):
        for grant in feature.grants:
            yield Given(grant, feature.name, "renaissance.gap.race.shifter")
    for id_, detail in character.traits.items():
        yield from _from(library, Trait, id_, TRAITS, detail)
    for id_ in character.classes:
        yield from _from(library, CharacterClass, id_, CLASSES, "")


def _from(library: Library, kind: type[Entry], id_: str, rule: str, detail: str) -> Iterator[Given]:
    if library.has(kind, id_):
        entry: Any = library.get(kind, id_)
        for grant in entry.grants:
            yield Given(grant, entry.name, rule, detail)


def of_kind(kind: type[G], *sources: Iterable[Given]) -> Iterator[tuple[G, Given]]:
    """The grants of one kind from several sources, each with where it comes from."""
    for source in sources:
        for one in source:
            if isinstance(one.grant, kind):
                yield one.grant, one


def lost_durability(amount: int) -> tuple[Given, ...]:
    """What a wasting disease has taken from Durability, as something that is given."""
    if not amount:
        return ()
    change = FigureChange(grant="figure", figure="DUR", value=-amount)
    return (Given(change, "wasting disease", "renaissance.disease.raking_cough"),)
