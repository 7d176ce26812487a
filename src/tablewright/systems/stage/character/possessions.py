"""What a new character has: the money and the things of the beginning, and the spells that cost nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from tablewright.game.belongings import Belongings, add
from tablewright.game.content import Library
from tablewright.game.legality import Violation, duplicates, unless
from tablewright.systems.stage.character.figures import items
from tablewright.systems.stage.character.record import WORN, StageCharacter
from tablewright.systems.stage.content import Gear, Spell
from tablewright.systems.stage.values import SCHOOLS

STARTING_MONEY = 100  # stage.gap.character.starting_equipment
EQUIPMENT, SPELLS = "stage.gap.character.starting_equipment", "stage.gap.magic.starting_spells"


def starting_kit(library: Library) -> Belongings:
    """What everybody has for nothing."""
    kit: Belongings = ()
    for one in library.of(Gear):
        if one.free:
            kit = add(kit, one.id, one.free, WORN, rule="stage.gap.character.starting_equipment")
    return kit


def worth(character: StageCharacter, library: Library) -> Fraction:
    """What the belongings cost, without what everybody has for nothing."""
    known = items(library)
    free = Counter({one.item: one.count for one in starting_kit(library)})
    total = Fraction(0)
    for one in character.belongings:
        found = known.get(one.item)
        given = min(free[one.item], one.count)
        free[one.item] -= given
        if found is not None and found.price is not None:
            total += Fraction(found.price) * (one.count - given) / found.bundle
    return total


def problems(character: StageCharacter, library: Library) -> Iterator[Violation]:
    """What somebody has who never got anything but at the beginning, and spells that nobody has learned."""
    yield from duplicates("spells", character.spells, rule=SPELLS)
    over, learned = unpaid_spells(character, library), character.learned
    message = f"{over} spells more than one for each level, {learned} were learned"
    yield from unless(over <= learned, "spells", message, rule=SPELLS)
    known, rest = len(character.enchantments), max(0, learned - over)
    message = f"{known} enchantments are known, {rest} were learned"
    yield from unless(known <= rest, "enchantments", message, rule="stage.magic.app_learn")
    if not (character.traded or character.awarded or character.opportunity):
        total = worth(character, library) + character.money
        message = f"belongings and money are worth {total}, there were {STARTING_MONEY}"
        yield from unless(total <= STARTING_MONEY, "money", message, rule=EQUIPMENT)


def unpaid_spells(character: StageCharacter, library: Library) -> int:
    """How many spells there are beyond one for each level that the skills of magic had in the beginning."""
    bought = Counter([one.name for one in character.advances if one.what == "skill"])
    left = {school: character.level(school) - bought[school] for school in SCHOOLS}
    known = [library.get(Spell, id_) for id_ in dict.fromkeys(character.spells) if library.has(Spell, id_)]
    over = 0
    for spell in sorted(known, key=lambda one: len(one.schools)):
        school = max(spell.schools, key=lambda name: left[name])
        left[school] -= 1
        over += left[school] < 0
    return over
