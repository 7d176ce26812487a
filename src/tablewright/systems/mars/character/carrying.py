"""How much can be carried, and what it is like to carry more."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tablewright.engine.tally import Tally
from tablewright.game.belongings import Belongings, burden
from tablewright.game.content import Library
from tablewright.game.ledger import Ledger
from tablewright.systems.mars.character.figures import own_skill, stat
from tablewright.systems.mars.character.grants import grants_of
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.character.wearing import items
from tablewright.systems.mars.content import SIZES, CapacityGrant, Size

LIGHT, HEAVY = 3, 5  # mars.carry.capacity, kilograms for each point
LIFTING = {"lift": 1, "drag": 4, "wheels": 10}  # mars.carry.lifting


@lru_cache(maxsize=1)
def _capacity_of_size() -> dict[str, Fraction]:
    data = Ledger.load("mars")["mars.carry.size_multiplier"].data
    return {name.lower().replace(" ", "_"): Fraction(str(factor)) for name, factor in data.items()}


def carrying_size(character: MarsCharacter, library: Library) -> Size:
    """The size that counts for carrying."""
    larger = sum([grant.sizes for grant, _, _, _ in grants_of(character, library, CapacityGrant)])
    return SIZES[min(SIZES.index(character.size) + larger, len(SIZES) - 1)]


def capacity(character: MarsCharacter, library: Library, *, heavy: bool = False, rounding: str = "floor") -> Tally:
    """How much can be carried before one is encumbered, or overencumbered, in grams."""
    rule = "mars.carry.capacity"
    strength = stat(character, "STR", library).maximum
    athletics = own_skill(character, "athletics", library).maximum
    factor = HEAVY if heavy else LIGHT
    tally = Tally.of("maximum STR", strength, rule).add("maximum athletics", athletics, rule).limit(0, rule=rule)
    tally = tally.scale(Fraction(factor * 1000), f"{factor} kg each", rule)
    size = carrying_size(character, library)
    tally = tally.scale(_capacity_of_size()[size], f"{size.replace('_', ' ')} size", "mars.carry.size_multiplier")
    if rounding == "floor":
        tally = tally.add("whole kilograms", -(tally.total % 1000), "mars.frame.rounding")
    return tally


def lifting(character: MarsCharacter, library: Library, how: str, rounding: str = "floor") -> Tally:
    """What can be moved for a moment, in grams: lifted, dragged, or pulled on wheels."""
    heavy = capacity(character, library, heavy=True, rounding=rounding).total
    tally = Tally.of("heavy capacity", heavy, "mars.carry.capacity")
    return tally.scale(Fraction(LIFTING[how]), how, "mars.carry.lifting")


def grams(item_id: str, library: Library) -> int:
    """The weight of one item, in grams, rounded down; what the content does not know weighs nothing."""
    found = items(library).get(item_id)
    return int(found.weight * 1000 / found.bundle) if found else 0


def load_carried(belongings: Belongings, library: Library) -> Tally:
    """The weight of everything carried, in grams."""
    return burden(belongings, lambda item_id: grams(item_id, library), rule="mars.carry.encumbrance")


def encumbrance(character: MarsCharacter, library: Library, belongings: Belongings, rounding: str = "floor") -> str:
    """`none`, `encumbered` (mars.effect.encumbered) or `overencumbered` by what is carried."""
    carried = load_carried(belongings, library).total
    if carried > capacity(character, library, heavy=True, rounding=rounding).total:
        return "overencumbered"
    return "encumbered" if carried > capacity(character, library, rounding=rounding).total else "none"
