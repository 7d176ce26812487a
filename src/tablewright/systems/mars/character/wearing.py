"""What is worn and wielded: armour, shields, tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tablewright.errors import BadInput, nearest
from tablewright.game.belongings import Belongings, Carried
from tablewright.game.content import Library
from tablewright.game.remembering import remembered
from tablewright.systems.mars.character.record import HAND, HANDS, WORN
from tablewright.systems.mars.content import ITEMS, Armour, Gear, Item


def items(library: Library) -> Mapping[str, Item]:
    """Everything that can be carried, by its id."""
    return library.of_any(ITEMS, Item)


def item(item_id: str, library: Library) -> Item:
    """Something that can be carried, by its id."""
    known = items(library)
    try:
        return known[item_id]
    except KeyError:
        raise BadInput(f'there is no item "{item_id:.60}"{nearest(item_id, known)}', field="item") from None


class Worn(NamedTuple):
    """What is worn and held against blows: sums, the pieces that protect, and all that weigh."""

    rating: int
    reduction: int
    pieces: tuple[Armour, ...]
    heavy: tuple[Armour, ...]

    @property
    def critical_defense(self) -> int:
        """By how much it raises the critical threshold of attackers."""
        return sum([piece.features.critical_defense for piece in self.pieces])

    def has(self, feature: str) -> bool:
        """Whether a piece has a feature, by its name."""
        return any(getattr(piece.features, feature) for piece in self.pieces)


def is_borne(carried: Carried, armour: Armour) -> bool:
    """Whether armour is worn, or a shield held in a hand."""
    return carried.place in ((HAND, HANDS) if armour.is_shield else (WORN,))


@remembered
def worn(belongings: Belongings, library: Library) -> Worn:
    """What of somebody's belongings protects them now: a broken shield only weighs, and one shield alone protects."""
    known = items(library)
    heavy: list[Armour] = []
    pieces: list[Armour] = []
    shields: list[Armour] = []
    for carried in belongings:
        piece = known.get(carried.item)
        if not isinstance(piece, Armour) or not is_borne(carried, piece):
            continue
        heavy.append(piece)
        if not piece.is_shield:
            pieces.append(piece)
        elif carried.left != 0:
            shields.append(piece)
    if shields:
        pieces.append(max(shields, key=lambda shield: shield.rating))
    return Worn(
        sum([piece.rating for piece in pieces]),
        sum([piece.reduction for piece in pieces]),
        tuple(pieces),
        tuple(heavy),
    )


def tools_for(belongings: Belongings, skill_id: str, library: Library) -> Gear | None:
    """The tools of a skill among somebody's belongings."""
    known = items(library)
    for carried in belongings:
        found = known.get(carried.item)
        if isinstance(found, Gear) and skill_id in found.tools_for:
            return found
    return None
