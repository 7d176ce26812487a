"""What is active for the time being: the grants of sustained powers, of chemicals in the blood, of diseases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tablewright.game.content import Library
from tablewright.game.lasting import Lasting
from tablewright.game.remembering import remembered
from tablewright.systems.renaissance.character.giving import Given, lost_durability
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.content import Chemical, Disease, Power
from tablewright.systems.renaissance.grants import Bonus, FastHealing, FigureChange, Raise, While

CHEMICAL, DISEASE, HALF = "chemical", "disease", "half"
"""The ids of what lasts: its `source` is the id of the chemical or the disease; half of it where it was resisted."""


@dataclass(frozen=True, slots=True)
class Sustained:
    """One thing that somebody keeps up without focus: a power by its id, or anything else in words.

    ``choice`` is the figure that a power raises, ``better`` whether its check was won.
    """

    what: str
    power: bool = True
    choice: str = ""
    better: bool = False


Sustaining = tuple[Sustained, ...]


@remembered
def active(key: tuple[Sustaining, tuple[Lasting, ...], int], library: Library) -> tuple[Given, ...]:
    """Everything that sustained powers, chemicals and diseases give now; the key is what is sustained, what lasts, and
    what a wasting disease has taken."""
    sustaining, lasting, dur_lost = key
    found = [*_sustained(sustaining, library), *_lasting(lasting, library), *lost_durability(dur_lost)]
    return tuple(found)


def _sustained(sustaining: Sustaining, library: Library) -> Iterator[Given]:
    rule = "renaissance.character.powers"
    for one in sustaining:
        if not one.power or not library.has(Power, one.what):
            continue
        power = library.get(Power, one.what)
        for effect in power.effects:
            if isinstance(effect, While):
                grant: Any = effect.gives
                if one.better and isinstance(grant, FastHealing) and grant.better:
                    grant = grant.model_copy(update={"amount": grant.better})
                yield Given(grant, power.name, rule)
            elif isinstance(effect, Raise) and one.choice in effect.of:
                yield Given(
                    FigureChange.model_validate({"grant": "figure", "figure": one.choice, "value": effect.value}),
                    power.name,
                    rule,
                )


def _lasting(lasting: tuple[Lasting, ...], library: Library) -> Iterator[Given]:
    for held in lasting:
        if held.id == CHEMICAL and library.has(Chemical, held.source):
            chemical = library.get(Chemical, held.source)
            for grant in chemical.grants:
                given = halved(grant) if held.data == HALF else grant
                if given is not None:
                    yield Given(given, chemical.name, "renaissance.chemical.framework")
        elif held.id == DISEASE and library.has(Disease, held.source):
            disease = library.get(Disease, held.source)
            if disease.penalty:
                sick = Bonus(grant="bonus", what="any", value=disease.penalty)
                yield Given(sick, disease.name, "renaissance.disease.framework")


def halved(grant: Any) -> Any:
    """What is left of a grant for somebody who has resisted: half of its figure, rounded towards nothing.

    What has no figure stays as it is; None where nothing is left (renaissance.chemical.framework).
    """
    for field in ("value", "number", "amount"):
        figure = getattr(grant, field, None)
        if isinstance(figure, int):
            half = abs(figure) // 2 * (1 if figure > 0 else -1)
            return grant.model_copy(update={field: half}) if half else None
    return grant


def active_for(character: RenaissanceCharacter, status: Any, library: Library) -> tuple[Given, ...]:
    """What is active for somebody in a scene, or between scenes as far as it is carried along."""
    if status is None:
        return active(((), (), character.harm.dur_lost), library)
    taken: tuple[Lasting, ...] = status.lasting
    if taken:
        taken = tuple([held for held in taken if held.id in (CHEMICAL, DISEASE)])
    if not taken and not status.sustained and not status.dur_lost:
        return ()
    return active((status.sustained, taken, status.dur_lost), library)
