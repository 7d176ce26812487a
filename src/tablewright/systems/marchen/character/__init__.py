"""Characters: what they are, every figure that follows, how they are made, whether they are legal, their sheet.

- ``MarchenCharacter`` (record.py) is frozen and holds what was decided, never what follows from it. ``wounds`` is what
  is carried between scenes: ``damage`` by aspect, ``conditions``, ``weight``, ``down``, ``dying``, ``fate``.
- ``skills`` has the level of every skill that was learned (0 to 4; to 6 with ``mythic_levels``), ``specializations``
  those studied to level 1 or more. ``character.specialization(skill, name)`` also finds level 0.
- Scores: ``score`` is the permanent one, ``current`` what checks use, ``score_modifier`` what is added to a check.
- ``threshold``, ``hurt_at``, ``end_at``, ``armour``, ``muscle_bonus``, ``movement``, ``weapons``, ``damage_dice``,
  ``damage_tier`` are what a fight asks for; ``figures(character, options)`` has the plain numbers, remembered.
- Belongings are in the status during a scene (``status.belongings``). ``Carried.place`` is ``pack``, ``worn`` or
  ``hand``; ``Carried.left`` is how many conditions a thing can still take (None: ``SOUND``).
- A scene's ``Status`` has at least ``belongings``, ``damage: Ranks``, ``conditions: tuple[Condition, ...]`` and
  ``weight: Ranks``: checks.py reads these; outside of a scene it reads ``character.wounds``.
- Checks (checks.py): ``modifier_tally(subject, ...)`` is everything that is added but the difficulty.
"""

from __future__ import annotations

from tablewright.systems.marchen.character.figures import (
    PUSHED,
    QUALITY,
    Figures,
    armour,
    best_specialization,
    current,
    damage_dice,
    damage_tier,
    end_at,
    figures,
    fitted,
    handling,
    harder,
    hurt_at,
    limits,
    mastered,
    modifier_of,
    movement,
    muscle_bonus,
    qualities_of,
    score,
    score_modifier,
    skill_from_mastery,
    threshold,
    weapons,
    worn_armour,
)
from tablewright.systems.marchen.character.record import (
    HAND,
    PACK,
    SOUND,
    WORN,
    Advance,
    Boon,
    Change,
    Condition,
    Holding,
    MarchenCharacter,
    Raise,
    Scored,
    Scores,
    Served,
    Specialization,
    Study,
    Wounds,
)

__all__ = [
    "HAND",
    "PACK",
    "PUSHED",
    "QUALITY",
    "SOUND",
    "WORN",
    "Advance",
    "Boon",
    "Change",
    "Condition",
    "Figures",
    "Holding",
    "MarchenCharacter",
    "Raise",
    "Scored",
    "Scores",
    "Served",
    "Specialization",
    "Study",
    "Wounds",
    "armour",
    "best_specialization",
    "current",
    "damage_dice",
    "damage_tier",
    "end_at",
    "figures",
    "fitted",
    "handling",
    "harder",
    "hurt_at",
    "limits",
    "mastered",
    "modifier_of",
    "movement",
    "muscle_bonus",
    "qualities_of",
    "score",
    "score_modifier",
    "skill_from_mastery",
    "threshold",
    "weapons",
    "worn_armour",
]
