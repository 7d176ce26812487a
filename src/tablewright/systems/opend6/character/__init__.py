"""Characters: what they are, every figure that follows, how they are made, whether they are legal, their sheet.

The interface for the rest of the system, in short:

- ``OpenD6Character`` (record.py) is frozen and holds what was decided, never what follows from it. ``wounds`` is what
  is carried between scenes; ``character_points``, ``fate_points``, ``climactic_used``, ``fate_spent`` and
  ``fast_reactions_used`` are what a scene's status takes over and gives back (points.py has the events).
- ``Carried.place`` is ``pack``, ``worn``, ``hand`` or ``hands``. ``Carried.left`` is what a healer's pack still holds,
  and whether a crossbow is loaded (1).
- Figures (figures.py): ``attribute``, ``skill`` and ``armour`` are tallies of pips (``code(tally)`` is the die code),
  ``strength_damage`` is a tally of dice, ``body_points``, ``funds``, ``move``, ``total_bonus``, ``resistance_bonus``
  and ``strength_bonus`` are tallies of points. ``figures(character, library)`` has the plain numbers, remembered.
- Multi-action and wound penalties, Fate doubling and tools are not in them: ``checks.Pool`` assembles a roll.
"""

from __future__ import annotations

from tablewright.systems.opend6.character.figures import (
    Figures,
    armour,
    attribute,
    body_points,
    code,
    effects_of,
    figures,
    funds,
    funds_code,
    hampered,
    initiative_dice,
    is_trained,
    item,
    items,
    move,
    own_attribute,
    resistance_bonus,
    silver_per_week,
    skill,
    skill_adds,
    skill_of,
    special_adds,
    strength_bonus,
    strength_damage,
    suits_worn,
    titled,
    tool_for,
    total_bonus,
    weapon_damage,
)
from tablewright.systems.opend6.character.record import (
    HAND,
    HANDS,
    PACK,
    WORN,
    Advance,
    Attributes,
    FateSpent,
    OpenD6Character,
    OwnAbility,
    Specialisation,
    Tried,
    Wounds,
)

__all__ = [
    "HAND",
    "HANDS",
    "PACK",
    "WORN",
    "Advance",
    "Attributes",
    "FateSpent",
    "Figures",
    "OpenD6Character",
    "OwnAbility",
    "Specialisation",
    "Tried",
    "Wounds",
    "armour",
    "attribute",
    "body_points",
    "code",
    "effects_of",
    "figures",
    "funds",
    "funds_code",
    "hampered",
    "initiative_dice",
    "is_trained",
    "item",
    "items",
    "move",
    "own_attribute",
    "resistance_bonus",
    "silver_per_week",
    "skill",
    "skill_adds",
    "skill_of",
    "special_adds",
    "strength_bonus",
    "strength_damage",
    "suits_worn",
    "titled",
    "tool_for",
    "total_bonus",
    "weapon_damage",
]
