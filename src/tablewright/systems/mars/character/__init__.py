"""Characters: what they are, every figure that follows, how they are made, whether they are legal, their sheet.

The interface for the rest of the system, in short:

- ``MarsCharacter`` (record.py) is frozen and holds what was decided, never what follows from it. ``wounds`` is what is
  carried between scenes: ``health``, ``endurance``, ``stamina``, ``focus`` (None: at the maximum), ``effects`` (a tuple
  of ``Effect``) and ``used`` (uses of per-rest abilities by talent id). ``day`` is the reckoning of rests.
- A scene's ``Status`` has at least ``health, endurance, stamina, focus: int``, ``effects: tuple[Effect, ...]``,
  ``used: Ranks`` and ``belongings: tuple[Carried, ...]``: recovery.py and belongings.py read and write these by
  ``scene.change(who, ...)``. Belongings live in the status during a scene; ``leave`` (leaving.py) writes all of it
  back, and ``opened`` puts on the clock what falls due. ``dead`` is carried in ``wounds.dead``.
- ``Carried.place`` is ``pack``, ``worn``, ``hand`` (one hand) or ``hands`` (both). ``Carried.left`` is the durability
  of a shield (0: broken) and the shots loaded in a weapon with reload.
- Figures (figures.py) take ``(character, ..., library)``: ``stat``, ``skill``, ``secondary``, ``attack``, ``damage``
  give a ``Rolled`` (``.value`` is the ``RollValue``, ``.tally()`` a ``Tally`` of its maximum); ``maximum``, ``speed``,
  ``armour_rating``, ``damage_reduction``, ``armour_penalty``, ``capacity`` give a ``Tally``. Those that depend on what
  is worn take ``belongings`` (without: the character's own), those that roll take ``effects`` (temporary changes of
  stats). Sickness, encumbrance and other penalties to single rolls are not in them. ``figures(character, library)`` has
  the plain numbers, remembered; ``worn(belongings, library)`` what protects, remembered.
- ``granted`` / ``grants_of(character, library, RageGrant)`` find what talents, ancestry and traits give.
"""

from __future__ import annotations

from tablewright.systems.mars.character.carrying import capacity, encumbrance, load_carried
from tablewright.systems.mars.character.figures import (
    Figures,
    armour_penalty,
    armour_rating,
    attack,
    bare_hands,
    can_use,
    damage,
    damage_reduction,
    figures,
    is_trained,
    language,
    maneuver_skills,
    maneuvers_known,
    maximum,
    natural_weapons,
    own_skill,
    secondary,
    skill,
    skill_of,
    skill_stat,
    speed,
    stat,
    weapon_skills,
)
from tablewright.systems.mars.character.grants import granted, grants_of
from tablewright.systems.mars.character.record import (
    HAND,
    HANDS,
    PACK,
    WORN,
    Advance,
    Change,
    Day,
    Effect,
    EffectKind,
    MarsCharacter,
    OwnTrait,
    Printed,
    Stats,
    Wounds,
    counting,
)
from tablewright.systems.mars.character.rolled import Rolled, RollPart
from tablewright.systems.mars.character.wearing import Worn, item, items, tools_for, worn

__all__ = [
    "HAND",
    "HANDS",
    "PACK",
    "WORN",
    "Advance",
    "Change",
    "Day",
    "Effect",
    "EffectKind",
    "Figures",
    "MarsCharacter",
    "OwnTrait",
    "Printed",
    "RollPart",
    "Rolled",
    "Stats",
    "Worn",
    "Wounds",
    "armour_penalty",
    "armour_rating",
    "attack",
    "bare_hands",
    "can_use",
    "capacity",
    "counting",
    "damage",
    "damage_reduction",
    "encumbrance",
    "figures",
    "granted",
    "grants_of",
    "is_trained",
    "item",
    "items",
    "language",
    "load_carried",
    "maneuver_skills",
    "maneuvers_known",
    "maximum",
    "natural_weapons",
    "own_skill",
    "secondary",
    "skill",
    "skill_of",
    "skill_stat",
    "speed",
    "stat",
    "tools_for",
    "weapon_skills",
    "worn",
]
